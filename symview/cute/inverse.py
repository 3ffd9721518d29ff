"""Right and left inverses of layouts."""

from __future__ import annotations

from math import prod
from typing import Any

from symview.cute.complements import collision, complement, has_complement, sorted_modes
from symview.cute.compose import try_composition
from symview.cute.errors import NoAnswer
from symview.cute.int_tuple import is_int, like, product, profile_text
from symview.cute.layout import Layout, make_layout
from symview.cute.modes import assembled, coalesce, coalesced_modes, need_numbers
from symview.errors import NotSupported


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


def left_inverse(layout: Any) -> Any:
    """A layout K with K(layout(i)) = i for all i of the domain.

    Where the layout has a complement, K is the right inverse of the two together, as in pycute;
    otherwise K takes the strides as place values, as CuTe does, and is returned if the exact
    composition confirms it. Raises NoAnswer where two coordinates have the same value, for then
    there is none, and NotSupported where that form is none, of which nothing is claimed.

    >>> print(left_inverse(Layout(4, 2)), left_inverse(Layout((4, 8), (1, 5))))
    (2,4):(4,1) (5,8):(1,4)
    """
    if layout is None:
        return None
    if is_int(layout):
        return Layout(layout)
    need_numbers(layout, "left_inverse")
    hit = collision(layout)
    if hit is not None:
        at = " and ".join(profile_text(like(layout.shape, iter(c))) for c in (hit.first, hit.second))
        raise NoAnswer(f"left_inverse of {layout}: coordinates {at} both have the value {hit.value}")
    modes = sorted_modes(coalesce(layout))
    if has_complement(layout):
        return right_inverse(make_layout(layout, complement(layout)))
    found = _by_place_values(layout, modes)
    if found is None:
        raise NotSupported(f"left_inverse of {layout}: none of the form that takes its strides as place values")
    return found


def _by_place_values(layout: Layout, modes: list[tuple[int, tuple[int, int]]]) -> Layout | None:
    """The layout that reads off one digit for each stride, if it inverts; modes are of the coalesced layout."""
    sizes = [n for n, _ in coalesce(layout).flat()]
    found, step, reach = [], 0, 1
    for number, (_, stride) in modes:
        if stride < reach:
            return None
        found.append((stride // reach, step))
        reach *= stride // reach
        step = prod(sizes[:number])
    found.append((modes[-1][1][0], step))
    inverse = assembled(coalesced_modes(found))
    back = try_composition(inverse, layout)
    return inverse if back and coalesce(back) == coalesce(Layout(layout.size())) else None
