"""A script that wants a GPU is traced without one, with checks on, up to its first compilation."""

import subprocess
import sys
from pathlib import Path

SCRIPT = """
import torch
from cutlass import cute
from cutlass.cute.runtime import from_dlpack

@cute.jit
def kernel(a: cute.Tensor):
    cute.composition({layout}, cute.make_layout({tile}))

if __name__ == "__main__":
    assert torch.cuda.is_available()
    a = from_dlpack(torch.empty(8, 4, device="cuda").cuda())
    cute.compile(kernel, a)
    print("launched")
"""


def traced(folder: Path, layout: str, tile: str) -> str:
    script = folder / "kernel.py"
    script.write_text(SCRIPT.format(layout=layout, tile=tile), encoding="utf-8")
    command = [sys.executable, "-m", "clients.dsl_examples", str(script)]
    run = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[1], check=False)
    return run.stdout.rpartition("kernel.py: ")[2].strip()


def test_layouts_are_checked_until_the_script_compiles(tmp_path):
    assert traced(tmp_path, "a", "4") == "1 layouts checked: 1 right; compiled"


def test_a_wrong_layout_is_told(tmp_path):
    told = traced(tmp_path, "cute.make_layout((4, 4), stride=(4, 1))", "4, stride=3")
    assert told.startswith("1 layouts checked: 1 wrong; WrongLayout")
