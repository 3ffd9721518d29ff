"""The extension of a layout function as a linear function and the carries that bend it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from symview.cute.int_tuple import flatten


class Digits(NamedTuple):
    """f(x) = base·x + Σ defect·floor(x/place) for every x >= 0; no defect is 0, places rise."""

    base: Any
    bends: list[tuple[Any, Any]]

    def at(self, x: int) -> Any:
        """The value at x, beyond the size by extending the last mode."""
        value = self.base * x
        for place, defect in self.bends:
            value += defect * (x // place)
        return value


_digits = tuple.__new__  # less than half of what Digits(…) takes


def digits_of(sizes: Sequence[Any], strides: Sequence[Any]) -> Digits:
    """The digits of a layout of several modes, nested ones counting as flat.

    The last mode extends without bound, so it stays even if its size is 1; other modes of size 1
    say nothing and are left out. A mode that continues the one before (its stride is size times
    stride) has defect 0.

    >>> digits_of((2, 3, 5), (1, 1, 4))
    Digits(base=1, bends=[(2, -1), (6, 1)])
    >>> digits_of((2, 1), (1, 5))
    Digits(base=1, bends=[(2, 3)])
    """
    base: Any = 0
    following: Any = None  # the stride that would continue the modes so far
    bends: list[tuple[Any, Any]] = []
    place: Any = 1
    for size, stride in zip(sizes, strides):  # noqa: B905
        if size != 1:
            if stride != following:
                if size.__class__ is tuple:
                    return digits_of(flatten(sizes), flatten(strides))
                if following is None:
                    base = stride
                else:
                    bends.append((place, stride - following))
            following, place = size * stride, place * size
    if sizes and sizes[-1] == 1 and strides[-1] != following:
        if following is None:
            base = strides[-1]
        else:
            bends.append((place, strides[-1] - following))
    return _digits(Digits, (base, bends))


def boundaries_of(sizes: Sequence[Any], strides: Sequence[Any]) -> list[int]:
    """The number of the flat mode that overflows at each place of the digits.

    >>> boundaries_of((2, 3, 5), (1, 1, 4)), boundaries_of((4, 1, 2), (1, 7, 9))
    ([0, 1], [0])
    """
    last = len(sizes) - 1
    kept = [n for n, size in enumerate(sizes) if size != 1 or n == last]
    return [a for a, b in pairwise(kept) if strides[b] != sizes[a] * strides[a]]
