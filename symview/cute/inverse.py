"""Right and left inverses of layouts."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from math import prod
from typing import Any

from symview.cute.complements import collision, complement, has_complement, sorted_modes
from symview.cute.compose import try_composition
from symview.cute.errors import NoAnswer
from symview.cute.int_tuple import flatten, is_int, like, product, profile_text
from symview.cute.layout import Layout, make_layout
from symview.cute.modes import assembled, coalesce, coalesced_modes, need_numbers
from symview.errors import Undecided
from symview.logic.budget import DEFAULT, Budget

_TABLE = 1 << 12


def right_inverse(layout: Any) -> Any:
    """The layout R with layout(R(i)) = i for all i below its size, which follows the strides as far as they go.

    The modes that count are those whose stride is the size reached so far, from 1 on; a mode of
    stride 0 or out of line is passed over. None and sizes as in pycute.

    >>> print(right_inverse(Layout((2, 4, 6), (4, 1, 8))))
    (4,2,6):(2,1,8)
    >>> print(right_inverse(Layout((4, 8), (1, 5))), right_inverse(Layout((2, 4), (0, 1))))
    4:1 4:2
    """
    if layout is None:
        return None
    if is_int(layout):
        return Layout(layout)
    need_numbers(layout, "right_inverse")
    modes = layout.flat()
    found, reached = [], 1
    for number, (size, stride) in sorted_modes(layout):
        if stride == reached:
            found.append((size, product(tuple([n for n, _ in modes[:number]]))))
            reached *= size
    return assembled(coalesced_modes(found))


def left_inverse(layout: Any, budget: Budget = DEFAULT) -> Any:
    """A layout K with K(layout(i)) = i for all i of the domain; exact, K's last mode extended as ever.

    Where the layout has a complement, K is the right inverse of the two together, as in pycute;
    otherwise K takes the strides as place values, as CuTe does, if the exact composition confirms
    it; otherwise K is searched for, few modes first. Raises NoAnswer where there is none: two
    coordinates have the same value, a value is negative, or no way to cut values into digits does
    it. Raises Undecided when the budget ends before all ways are tried.

    >>> print(left_inverse(Layout(4, 2)), left_inverse(Layout((4, 8), (1, 5))), left_inverse(Layout((2, 2), (2, 3))))
    (2,4):(4,1) (5,8):(1,4) (2,3):(1,1)
    >>> left_inverse(Layout((3, 3), (2, 3)))
    Traceback (most recent call last):
    ...
    symview.cute.errors.NoAnswer: left_inverse of (3,3):(2,3): no layout takes its values back to their indices
    """
    if layout is None:
        return None
    if is_int(layout):
        return Layout(layout)
    need_numbers(layout, "left_inverse")
    hit = collision(layout)
    if hit is not None:
        raise _same_value(layout, (hit.first, hit.second), hit.value)
    if has_complement(layout):
        return right_inverse(make_layout(layout, complement(layout)))
    _need_values_from_0(layout)
    return _by_place_values(layout) or _by_search(layout, budget)


def _same_value(layout: Layout, coordinates: Sequence[Any], value: int) -> NoAnswer:
    at = " and ".join(profile_text(like(layout.shape, iter(flatten(c)))) for c in coordinates)
    return NoAnswer(f"left_inverse of {layout}: coordinates {at} both have the value {value}")


def _need_values_from_0(layout: Layout) -> None:
    low = sum((n - 1) * min(d, 0) for n, d in layout.flat())
    if low < 0:
        at = profile_text(like(layout.shape, iter([(n - 1) * (d < 0) for n, d in layout.flat()])))
        raise NoAnswer(f"left_inverse of {layout}: coordinate {at} has the value {low}; layouts are about 0 and above")


def _by_search(layout: Layout, budget: Budget) -> Layout:
    from symview.cute.inverse_search import search
    from symview.cute.swizzle import same_values

    if layout.size() <= _TABLE:
        _need_distinct_values(layout, same_values(layout))
    try:
        found = search(layout, budget)
    except Undecided:
        _need_distinct_values(layout, same_values(layout, budget.at_most(1 + budget.work // 10)))
        raise
    if found is None:
        with suppress(Undecided):  # which values repeat is good to know, and not needed
            _need_distinct_values(layout, same_values(layout, budget.at_most(1 + budget.work // 10)))
        raise NoAnswer(f"left_inverse of {layout}: no layout takes its values back to their indices")
    return found


def _need_distinct_values(layout: Layout, pair: tuple[int, int] | None) -> None:
    if pair is not None:
        raise _same_value(layout, [layout.coordinate(x) for x in pair], layout(pair[0]))


def _by_place_values(layout: Layout) -> Layout | None:
    """The layout that reads off one digit for each stride, if it inverts."""
    inverse = place_values(layout)
    back = try_composition(inverse, layout)
    return inverse if back and coalesce(back) == coalesce(Layout(layout.size())) else None


def place_values(layout: Layout) -> Layout:
    """The layout that reads off one digit for each stride, these being above 0; it may or may not invert.

    >>> print(place_values(Layout((4, 8), (1, 5))))
    (5,8):(1,4)
    """
    coalesced = coalesce(layout)
    modes, sizes = sorted_modes(coalesced), [n for n, _ in coalesced.flat()]
    found, step, reach = [], 0, 1
    for number, (_, stride) in modes:
        found.append((stride // reach, step))
        reach *= stride // reach
        step = prod(sizes[:number])
    found.append((modes[-1][1][0], step))
    return assembled(coalesced_modes(found))
