"""Basis elements of coordinates, scaled: `3@1` is the coordinate (0, 3). Strides of CuTe's TMA tensors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symview.cute.errors import LayoutError
from symview.cute.int_tuple import is_int

Path = tuple[int, ...]
_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class ScaledBasis:
    """`value` times the unit coordinate at a mode or a path of modes: 3@1 is (0, 3), 1@1@0 is ((0, 1),).

    >>> print(3 * E(1), E([0, 1]), E(0) * -2)
    3@1 1@1@0 -2@0
    """

    value: int
    mode: Path

    def __post_init__(self) -> None:
        if is_int(self.mode) or isinstance(self.mode, list):
            object.__setattr__(self, "mode", (self.mode,) if is_int(self.mode) else tuple(self.mode))
        if not is_int(self.value) or not self.mode or not all(is_int(n) and 0 <= n < 64 for n in self.mode):
            raise LayoutError(f"ScaledBasis({self.value!r}, {self.mode!r}): give an integer and modes from 0 on")
        if len(self.mode) > _DEEPEST:
            raise LayoutError(f"ScaledBasis of a mode nested {len(self.mode)} deep: at most {_DEEPEST}")

    def __mul__(self, by: int) -> ScaledBasis:
        return ScaledBasis(self.value * by, self.mode) if is_int(by) else NotImplemented

    __rmul__ = __mul__

    def __str__(self) -> str:
        return f"{self.value}@{'@'.join(map(str, self.mode[::-1]))}"

    def __repr__(self) -> str:
        return f"ScaledBasis({self.value}, {self.mode})"


def E(mode: Any = (), *inside: int) -> Any:  # noqa: N802
    """The unit coordinate at a mode, or at a path of modes; 1 without any. Source: `E` of CuTe's C++ and DSL.

    >>> E(1), E([0, 1]), E(0, 1), E()
    (ScaledBasis(1, (1,)), ScaledBasis(1, (0, 1)), ScaledBasis(1, (0, 1)), 1)
    """
    if is_int(mode):
        return ScaledBasis(1, (mode, *inside))
    if not isinstance(mode, (tuple, list)):
        raise LayoutError(f"E({mode!r}): give a mode, or a list of modes")
    return ScaledBasis(1, tuple(mode)) if mode else 1
