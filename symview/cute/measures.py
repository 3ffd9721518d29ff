"""How large layouts and shapes are: size, cosize, rank, depth, of all or of the mode at a path."""

from __future__ import annotations

from typing import Any

from symview.cute.errors import LayoutError, no_layout
from symview.cute.int_tuple import IntTuple, entries, is_int, listed, profile_text
from symview.cute.keywords import also_named
from symview.cute.layout import is_layout
from symview.cute.shape_arithmetic import product_of


@also_named(a="layout", input="layout")
def size(layout: Any, mode: Any = None) -> Any:
    """The size of a layout, or of a shape; `mode`: of the mode at that path.

    >>> from symview.cute import Layout
    >>> size(Layout((2, (3, 4)))), size((2, (3, 4)), mode=[1, 0])
    (24, 3)
    """
    return _at(layout, mode).size() if is_layout(layout) else product_of(shape_of(layout, "size", mode))


@also_named(a="layout", input="layout")
def cosize(layout: Any, mode: Any = None) -> Any:
    """The value at the last coordinate, plus 1, perhaps of the mode at a path; of a swizzle, how far it permutes.

    Of a layout behind others that of the layout behind, as in C++; `footprint` has its least and its greatest value.

    >>> from symview.cute import ComposedLayout, Layout, Swizzle
    >>> cosize(Layout((4, 8), (1, 5))), cosize(ComposedLayout(Swizzle(2, 0, 3), 0, Layout((8, 64))))
    (39, 512)
    """
    if not is_layout(layout) and not callable(getattr(layout, "cosize", None)):
        raise no_layout("cosize", layout)
    return _at(innermost(layout), mode).cosize()


@also_named(a="layout", input="layout")
def rank(layout: Any, mode: Any = None) -> int:
    """How many modes there are at the top, or in the mode at a path: the length of a layout or of a shape.

    >>> from symview.cute import Layout
    >>> rank(Layout((2, (3, 4)))), rank(Layout(8)), rank((2, (3, 4)), mode=[1])
    (2, 1, 2)
    """
    shape = shape_of(layout, "rank", mode)
    return len(shape) if isinstance(shape, tuple) else 1


@also_named(a="layout", input="layout")
def depth(layout: Any, mode: Any = None) -> int:
    """How deep the nesting goes, perhaps in the mode at a path: 0 for an integer, 1 for a tuple of integers, and so on.

    >>> from symview.cute import Layout
    >>> depth(Layout(8)), depth(Layout((2, (3, 4))))
    (0, 2)
    """
    return _depth(shape_of(layout, "depth", mode))


def _at(layout: Any, mode: Any) -> Any:
    """The mode of a layout, or the entry of a shape, at a path: a number, or several, each inside the one before."""
    path = [] if mode is None else [mode] if is_int(mode) else listed(mode)
    if path is None:
        raise LayoutError(f"{mode!r} is no number of a mode and no path of such")
    for n in path:
        inside = layout if is_layout(layout) or isinstance(layout, tuple) else (layout,)
        try:
            layout = inside[n]
        except (IndexError, TypeError):
            raise LayoutError(f"there is no mode {profile_text(n)} of {profile_text(layout)}") from None
    return layout


def shape_of(layout: Any, what: str, mode: Any = None) -> IntTuple:
    """The shape of a layout, behind swizzles too, or the shape itself."""
    layout = innermost(_at(layout, mode))
    return layout.shape if is_layout(layout) else entries(layout, f"{what}: the shape")


def innermost(layout: Any) -> Any:
    """What stands behind all others."""
    while hasattr(layout, "layoutA"):
        layout = layout.layoutA
    return layout


def _depth(shape: IntTuple) -> int:
    return 1 + max(map(_depth, shape), default=0) if isinstance(shape, tuple) else 0
