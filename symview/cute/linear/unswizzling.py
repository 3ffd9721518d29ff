"""Linear layouts as one swizzle in front of a layout."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from symview.cute.comparer import running
from symview.cute.errors import LayoutError
from symview.cute.first_failures import NotALayout
from symview.cute.layout import is_layout
from symview.cute.linear.bases import first_overlap
from symview.cute.linear.conversions import modes_of, to_linear, to_view
from symview.cute.linear.layout import LinearLayout
from symview.cute.linear.readings import Affine
from symview.cute.modes import assembled
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.errors import InternalError


def to_swizzled(x: Any) -> ComposedLayout | NotALayout:
    """A linear layout as one swizzle in front of a layout: all swizzles within its bits are tried, small ones first.

    NotALayout, of what the layout itself breaks at, where there is none.

    >>> print(to_swizzled(LinearLayout([1, 2, 5, 10, 32, 16])))
    SW_2_0_2 o 0 o (16,2,2):(1,32,16)
    """
    if is_layout(x) and not isinstance(x, LinearLayout):
        x = to_linear(x)
    if not isinstance(x, LinearLayout):
        raise LayoutError(f"to_swizzled: {x!s}; give a linear layout")
    for swizzle in _straightening(x):
        columns, start = [swizzle(b) for b in x.columns], swizzle(x.constant)
        if first_overlap(columns) is None:
            modes = modes_of(Affine(start, tuple(columns), x.size()), running(None))
            if not isinstance(modes, NotALayout):
                return ComposedLayout(swizzle, start, assembled(modes))
    found = to_view(x)
    if isinstance(found, NotALayout):
        return found
    raise InternalError(f"{x} is {found}, and no swizzle at all was tried")


def _straightening(x: LinearLayout) -> Iterator[Swizzle]:
    """The swizzles within the bits of the values that make two overlapping bases disjoint, or the empty one."""
    pair, width = first_overlap(x.columns), x.cosize().bit_length() - 1
    if pair is None:
        yield Swizzle(0, 0, 0)
        return
    one, other = (x.columns[i] for i in pair)
    for bits, shift in product(range(1, width), range(-width, width + 1)):
        low = max(shift, 0)
        for base in range(width - bits - abs(shift) + 1) if abs(shift) >= bits else ():
            mask = ((1 << bits) - 1) << base + low
            a, b = ((y ^ (y & mask) >> shift) if shift > 0 else (y ^ (y & mask) << -shift) for y in (one, other))
            if not a & b:
                yield Swizzle(bits, base, shift)
