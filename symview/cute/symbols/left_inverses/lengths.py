"""Left inverses of layouts whose last size is open, all else being numbers, for every size exactly.

The last mode goes on in any case, so layouts of two sizes are one function, of which the larger one has more values:
what is right for a size is right for all below it, and where a size has no left inverse, none above it has. With P
the last place of K, e its stride there, and `below` the product of the sizes before the last, K(v + P) = K(v) + e and
L(x + below) = L(x) + d. So if e·d = P·below, then L(K(v + P·d)) = L(K(v)) + P·d, and K is right for all sizes as soon
as it is right for the size P/gcd(P, d).
"""

from __future__ import annotations

from functools import lru_cache
from math import gcd, prod
from typing import NamedTuple

from symview.cute.errors import NoAnswer
from symview.cute.inverse import left_inverse
from symview.cute.layout import Layout
from symview.cute.modes import Modes, assembled
from symview.errors import Undecided
from symview.logic.budget import Budget

_MOST, _VALUES = 64, 1 << 11  # sizes that are looked at, and values
_WORK, _POINTS = 1_500_000, 40_000  # for all of these, and for each


class Lengths(NamedTuple):
    """A left inverse for all sizes up to a number, None: for all; and whether none above that has one."""

    inverse: Layout | None
    upto: int | None
    settled: bool


@lru_cache(maxsize=512)
def inverses_of_lengths(before: Layout, stride: int) -> Lengths:
    """The left inverses of the layout with one more mode of that stride, from 0 on, for all sizes of it.

    >>> inverses_of_lengths(Layout(8, 3), 8).upto, inverses_of_lengths(Layout(4, 1), 2).inverse
    (2, Layout((2, 2), (1, 4)))
    """
    budget = Budget(work=_WORK, points=_POINTS).started()
    inverse, size = None, 0
    while size < _MOST and before.size() * (size + 1) <= _VALUES:
        layout = _with_last(before, size + 1, stride)
        if inverse is None or not _right(inverse, layout, size):
            try:
                inverse = left_inverse(layout, budget)
            except NoAnswer:
                return Lengths(inverse, size, True)
            except Undecided:
                break
            if _right_for_all(inverse, before, stride):
                return Lengths(inverse, None, True)
        size += 1
    return Lengths(inverse, size, False)


def _with_last(before: Layout, size: int, stride: int) -> Layout:
    return assembled([*before.flat(), (size, stride)])


def _right(inverse: Layout, layout: Layout, last: int) -> bool:
    """Whether it takes the values with that coordinate of the last mode back to indices at which they stand."""
    below = prod([n for n, _ in layout.flat()[:-1]])
    values = {layout(x) for x in range(last * below, (last + 1) * below)}
    return all(inverse(v) >= 0 and layout(inverse(v)) == v for v in values)


def _right_for_all(inverse: Layout, before: Layout, stride: int) -> bool:
    """Whether it is right for all sizes."""
    modes: Modes = inverse.flat()
    place, step = prod([n for n, _ in modes[:-1]]), modes[-1][1]
    if stride == 0:
        sizes = 1
    elif step * stride == place * before.size():
        sizes = place // gcd(place, stride)
    else:
        return False
    layout = _with_last(before, 1, stride)
    return before.size() * sizes <= _VALUES and all(_right(inverse, layout, last) for last in range(sizes))
