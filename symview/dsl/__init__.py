"""Checks NVIDIA's CuTe DSL: every layout that it computes is compared with the exact one.

Use `with symview.dsl.checked():` around the code that traces kernels, or `python -m symview.dsl kernel.py` for a whole
script; with `CUTE_CHECK=1` in the environment, `import symview` turns the checks on. The package nvidia-cutlass-dsl is
needed only for this.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symview.dsl.checking import (
        Checked,
        LayoutWarning,
        RefusedLayout,
        Report,
        WrongLayout,
        check_always,
        checked,
        what_is_checked,
    )
    from symview.dsl.reading import from_dsl, to_dsl

_HOME = {
    **dict.fromkeys(("from_dsl", "to_dsl"), "symview.dsl.reading"),
    **dict.fromkeys(
        (
            "Checked", "LayoutWarning", "RefusedLayout", "Report", "WrongLayout", "check_always", "checked",
            "what_is_checked",
        ),
        "symview.dsl.checking",
    ),
}  # fmt: skip

__all__ = [
    "Checked", "LayoutWarning", "RefusedLayout", "Report", "WrongLayout", "check_always", "checked", "from_dsl",
    "to_dsl", "what_is_checked",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if find_spec("cutlass") is None:
        raise ImportError(f'symview.dsl.{name} needs NVIDIA\'s CuTe DSL: pip install ".[dsl]" in a clone')
    return getattr(import_module(_HOME[name]), name)
