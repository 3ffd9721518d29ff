"""Layouts of coordinates with a layout in front, C++'s `layout o (1,2) o (4,8):(1@0,1@1)`, and the same in numbers."""

from __future__ import annotations

from typing import Any

from symview.cute.coordinate_layouts import CoordinateLayout, in_indices
from symview.cute.layout import Layout
from symview.cute.swizzle import ComposedLayout


def in_numbers(x: Any) -> Any:
    """A layout in front of coordinates as one in front of indices, equal at all indices of x; else x itself.

    LayoutError for symbols, and where coordinates go below 0.

    >>> from symview.cute.basis import E
    >>> print(in_numbers(ComposedLayout(Layout((4, 8), (8, 1)), (1, 2), CoordinateLayout((2, 4), (E(0), 2 * E(1))))))
    (4,9):(8,1) o 9 o (2,4):(1,8)
    """
    if not isinstance(x, ComposedLayout):
        return x
    front, behind = x.layoutB, x.layoutA
    if isinstance(behind, ComposedLayout) and isinstance(behind.layoutB, CoordinateLayout):
        return in_numbers(ComposedLayout(_merged(front, x.offset, behind.layoutB), behind.offset, behind.layoutA))
    if isinstance(behind, CoordinateLayout):
        return _merged(front, x.offset, behind)
    return x


def _merged(front: Any, offset: Any, behind: CoordinateLayout) -> Any:
    """front(offset + behind(·)) in front of indices."""
    if isinstance(front, ComposedLayout):
        inner = _merged(front.layoutA, offset, behind)
        return ComposedLayout(front.layoutB, front.offset, inner)
    if not isinstance(front, Layout):  # a layout of coordinates, whose values are coordinates
        return ComposedLayout(front, offset, behind)
    longer, start, indices = in_indices(front, behind, offset)
    return ComposedLayout(longer, start, indices)
