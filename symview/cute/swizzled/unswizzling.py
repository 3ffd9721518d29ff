"""Writes linear layouts as one swizzle after a layout."""

from __future__ import annotations

from itertools import chain, groupby
from typing import Any

from symview.counterexample import Counterexample
from symview.cute.comparer import running
from symview.cute.errors import LayoutError
from symview.cute.layout import is_layout
from symview.cute.linear.conversions import to_linear, to_view
from symview.cute.linear.layout import LinearLayout
from symview.cute.linear.straight import modes_of
from symview.cute.modes import assembled
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.cute.swizzled.simplified import swizzles
from symview.engine.bases import first_overlap
from symview.engine.map import affine
from symview.errors import InternalError


def to_swizzled(x: Any) -> ComposedLayout | Counterexample:
    """Writes a linear layout as one swizzle after a layout; tries all swizzles on its bits, small ones first.

    Accepts other layouts that are linear in the bits of their index. If there is none, the answer shows where the
    layout itself breaks.

    >>> print(to_swizzled(LinearLayout([1, 2, 5, 10, 32, 16])))
    Sw<2,0,2> o 0 o (16,2,2):(1,32,16)
    """
    found = to_linear(x) if is_layout(x) else x
    if not isinstance(found, LinearLayout):
        raise LayoutError(f"to_swizzled: {found!s}; give a linear layout")
    size, width = x.size(), found.cosize().bit_length() - 1
    overlap = first_overlap(found.columns) if size == found.size() else None  # otherwise no index may have both bits
    pair = [found.columns[i] for i in overlap or ()]
    by_bits = groupby(chain([Swizzle(0, 0, 0)], swizzles(width)), lambda s: s.bits)
    for swizzle in (s for _, same in by_bits for s in sorted(same, key=lambda s: (s.shift, s.base))):
        if pair and swizzle(pair[0]) & swizzle(pair[1]):
            continue
        columns, start = [swizzle(b) for b in found.columns], swizzle(found.constant)
        if size < found.size() or first_overlap(columns) is None:
            modes = modes_of(affine(columns, start, size), running(None))
            if not isinstance(modes, Counterexample):
                return ComposedLayout(swizzle, start, assembled(modes))
    view = to_view(found, size)
    if isinstance(view, Counterexample):
        return view
    raise InternalError(f"{x} is {view}, and no swizzle at all was tried")
