"""Free strides, which no address depends on: those of dims of size 1, and all strides of an empty view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from symview.errors import InputError
from symview.logic.sympy_bridge import as_integer
from symview.view import View, as_view
from symview.view_entries import numbers

Strides = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CanonicalStrides:
    """Which strides of a view are free, and which values libraries write there.

    `free` lists the dims whose strides are free; `strides` has 0 for them. `numpy`, `pytorch` and `pycute` are the
    strides that these libraries write into a contiguous array: size times stride of the next dim (in pycute, of the dim
    before). For an empty array, numpy writes 0 throughout; PyTorch counts sizes of 0 as 1. `cute`, which is CuTe in C++
    and MLIR, writes 0 for a size of 1. `dlpack` leaves them free; here it is 1 for sizes below 2, as PyTorch wrote
    until version 2.9.

    Source: numpy 2.4 and pycute as they run; PyTorch's `make_contiguous_strides_for` and gh-83069, pytorch#164161;
    CuTe's `compact_major`.
    """

    shape: Strides
    strides: Strides
    free: tuple[int, ...]
    numpy: Strides
    pytorch: Strides
    cute: Strides
    pycute: Strides
    dlpack: Strides

    def same_as(self, strides: Sequence[Any]) -> bool:
        """Whether these strides are equivalent: equal except for free ones.

        >>> canonical_strides(View((3, 1, 4))).same_as((4, 99, 1))
        True
        """
        given = numbers([as_integer(t, f"stride {n}") for n, t in enumerate(strides)], "same_as")
        if len(given) != len(self.shape):
            raise InputError(f"{len(given)} strides {given} of a view of {len(self.shape)} dims: give one each")
        return all(a in self.free or s == t for a, (s, t) in enumerate(zip(self.strides, given, strict=True)))


def canonical_strides(view: View | str) -> CanonicalStrides:
    """Which strides of a view of numbers are free, and what numpy, PyTorch, CuTe and DLPack write for them.

    Claim: two tuples of strides are equivalent exactly if they agree at all sizes of at least 2, or a size is 0.
    Raises SymbolError for symbolic views, InputError for masked ones.

    >>> found = canonical_strides(View((3, 1, 4), (4, 99, 1)))
    >>> found.free, found.strides, found.numpy, found.cute
    ((1,), (4, 0, 1), (4, 4, 1), (4, 0, 1))
    """
    view = as_view(view, "canonical_strides")
    numbers(view.entries(), "canonical_strides")
    if view.mask is not None:
        raise InputError(f"canonical_strides of {view}: leave the mask out")
    shape, empty = view.shape, 0 in view.shape
    free = tuple([a for a, n in enumerate(shape) if empty or n == 1])
    zero = tuple([0 if a in free else t for a, t in enumerate(view.strides)])
    torch = _filled(shape, zero, free)
    return CanonicalStrides(
        shape,
        zero,
        free,
        zero if empty else torch,
        torch,
        zero,
        zero if empty else _filled(shape[::-1], zero[::-1], [len(shape) - 1 - a for a in free])[::-1],
        tuple([1 if a in free and n < 2 else t for a, (n, t) in enumerate(zip(shape, torch, strict=True))]),
    )


def _filled(shape: Strides, strides: Strides, free: Sequence[int]) -> Strides:
    """The strides, with free ones replaced by size times stride of the next dim; 1 for the last."""
    found: list[int] = []
    following = 1
    for axis in reversed(range(len(shape))):
        found.append(following if axis in free else strides[axis])
        following = max(shape[axis], 1) * found[-1]
    return tuple(reversed(found))
