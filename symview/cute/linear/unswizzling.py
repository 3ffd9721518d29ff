"""Linear layouts as one swizzle in front of a layout."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from symview.cute.comparer import running
from symview.cute.errors import LayoutError
from symview.cute.first_failures import NotALayout
from symview.cute.layout import is_layout
from symview.cute.linear.conversions import to_linear, to_view
from symview.cute.linear.layout import LinearLayout
from symview.cute.linear.straight import modes_of
from symview.cute.modes import assembled
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.engine.bases import first_overlap
from symview.engine.map import affine
from symview.errors import InternalError


def to_swizzled(x: Any) -> ComposedLayout | NotALayout:
    """A linear layout as one swizzle in front of a layout: all swizzles within its bits are tried, small ones first.

    So is a layout of another kind that is linear by its index. NotALayout, of what it breaks at itself, where there is
    none.

    >>> print(to_swizzled(LinearLayout([1, 2, 5, 10, 32, 16])))
    SW_2_0_2 o 0 o (16,2,2):(1,32,16)
    """
    found = to_linear(x) if is_layout(x) else x
    if not isinstance(found, LinearLayout):
        raise LayoutError(f"to_swizzled: {found!s}; give a linear layout")
    size = x.size()
    for swizzle in _straightening(found, size):
        columns, start = [swizzle(b) for b in found.columns], swizzle(found.constant)
        if size < found.size() or first_overlap(columns) is None:
            modes = modes_of(affine(columns, start, size), running(None))
            if not isinstance(modes, NotALayout):
                return ComposedLayout(swizzle, start, assembled(modes))
    view = to_view(found, size)
    if isinstance(view, NotALayout):
        return view
    raise InternalError(f"{x} is {view}, and no swizzle at all was tried")


def _straightening(x: LinearLayout, size: int) -> Iterator[Swizzle]:
    """The swizzles within the bits of the values that make two overlapping bases disjoint, or the empty one.

    All, where the size is not that of the linear layout: then perhaps no index has both bits.
    """
    pair, width = first_overlap(x.columns), x.cosize().bit_length() - 1
    whole = size == x.size()
    if pair is None or not whole:
        yield Swizzle(0, 0, 0)
    if pair is None and whole:
        return
    one, other = (x.columns[i] for i in pair) if pair is not None and whole else (0, 0)
    for bits, shift in product(range(1, width), range(-width, width + 1)):
        low = max(shift, 0)
        for base in range(width - bits - abs(shift) + 1) if abs(shift) >= bits else ():
            mask = ((1 << bits) - 1) << base + low
            a, b = ((y ^ (y & mask) >> shift) if shift > 0 else (y ^ (y & mask) << -shift) for y in (one, other))
            if not a & b:
                yield Swizzle(bits, base, shift)
