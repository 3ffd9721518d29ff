"""The test suites of pycute, of tract and of tensor-layouts, run on symview.cute in place of what they are for.

They are not part of this repository: SYMVIEW_CHECKOUTS names a folder with checkouts of NVIDIA/cutlass,
ColfaxResearch/layout-categories and facebookresearch/tensor-layouts under these names; without it, nothing is run.
Seen last: 10 of 10 tests of pycute, 1,709 of 1,709 of tract, and of the `external.py` of tensor-layouts 62 of 82, the
rest by its own spelling, as listed here.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUTS = os.environ.get("SYMVIEW_CHECKOUTS")
PYCUTE = "import sys, symview.cute; sys.modules['pycute'] = symview.cute"
CUTLASS = """
import sys, types, symview.cute
cutlass, cute = types.ModuleType("cutlass"), types.ModuleType("cutlass.cute")
cute.__getattr__ = lambda name: getattr(symview.cute, name)
cute.jit, cute.Layout, cutlass.cute = lambda function: function, symview.cute.Layout, cute
cutlass.Constexpr, cutlass.const_expr, cutlass.range_constexpr = dict, lambda x: x, range
sys.modules |= {"cutlass": cutlass, "cutlass.cute": cute}
"""
TENSOR_LAYOUTS = """
import sys, types, symview.cute
names = {n: getattr(symview.cute, n) for n in symview.cute.__all__}
names |= {"compose": names["composition"], "mode": lambda x, n: names["get"](x, n), "make_swizzle": names["Swizzle"]}
names |= {"slice_modes": names["slice_"], "dice_modes": names["dice"], "as_tuple": names["wrap"]}
for name in ("", ".analysis", ".layout_utils"):
    module = sys.modules["tensor_layouts" + name] = types.ModuleType("tensor_layouts" + name)
    vars(module).update(names, is_contiguous=None)
"""
SUITES = {
    "pycute": (PYCUTE, "cutlass/test/python/pycute", "test_*.py", ""),
    "tract": (CUTLASS, "layout-categories/tract/tests", "morphism_tests.py", "layout-categories/tract/src"),
    "tensor-layouts": (TENSOR_LAYOUTS, "tensor-layouts/tests", "external.py", ""),
}
CONCATENATED = "Layout(A, B) is a layout of layouts there, as make_layout(A, B) is"
KNOWN = {
    **{f"test_complement_layout_{n}": CONCATENATED for n in ("1_0", "1_1", "1_2", "4_0", "4_1", "4_2", "4_4")},
    **{f"test_complement_{n}": CONCATENATED for n in ("multidimensional", "nested", "non_contiguous", "dynamic")},
    **{f"test_swizzle_{n}": "a Tensor, which symview does not have" for n in ("3_0_3", "3_0_neg3", "2_1_3")},
    "test_composed_layout_repr": "another repr",
    "test_composed_layout_shape": "a ComposedLayout has no stride",
    "test_left_inverse_cpp_coprime_gap": "its own is_contiguous",
    "test_left_inverse_cpp_large": "its own is_contiguous",
    "test_elem_scale": "a tuple scaled by an integer",
    "test_layout_slice": "a slice of one mode stays in its tuple, as in pycute and C++",
}  # fmt: skip


@pytest.mark.skipif(CHECKOUTS is None, reason="SYMVIEW_CHECKOUTS names no folder of checkouts")
@pytest.mark.parametrize("name", SUITES)
def test_suites_of_peers(name: str, tmp_path: Path) -> None:
    before, folder, files, source = SUITES[name]
    (tmp_path / "sitecustomize.py").write_text(before, encoding="utf-8")
    root = Path(str(CHECKOUTS))
    tests = sorted((root / folder).glob(files))
    assert tests
    path = os.pathsep.join([str(tmp_path), str(root / source), str(Path(__file__).parents[2])])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, *map(str, tests)]
    run = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}
    )
    failed = set(re.findall(r"^(?:FAILED|ERROR) \S+::(\w+)", run.stdout, re.MULTILINE))
    assert failed == (set(KNOWN) if name == "tensor-layouts" else set()), run.stdout[-3000:]
    assert re.search(r"\d+ passed", run.stdout), run.stdout[-3000:]
