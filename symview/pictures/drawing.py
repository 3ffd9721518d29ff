"""Draws objects as SVG: `draw` for one object, `draw_overflows` for two views, `draw_conditions` for an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from symview.cases.conditions import Conditions
from symview.cute.layout import LayoutBase
from symview.errors import InputError
from symview.logic.budget import Budget
from symview.pictures.layouts import picture_of_layout
from symview.pictures.regions import picture_of_conditions
from symview.pictures.shapes import Picture
from symview.pictures.tables import picture_of_overflows, picture_of_view, table
from symview.show.cells import HasCells
from symview.show.overflow_table import OverflowTable
from symview.view import View
from symview.views.overflow_table import overflows

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(x: Any) -> str:
    """The text of an SVG file that shows a view (or its text), a layout, an overflow table or conditions.

    A view or a layout is drawn as a table of its addresses, coloured from the lowest to the highest, with the memory
    that they take if it is small; for large ones the first rows and columns are shown. InputError for an object without
    a picture: a view with symbolic sizes, or conditions whose cases depend on no size or on more than two.

    >>> draw(View((2, 3), (1, 2)))[:39]
    '<svg xmlns="http://www.w3.org/2000/svg"'
    """
    return picture(View.parse(x) if isinstance(x, str) else x).svg()


def draw_overflows(outer: View | str, inner: View | str, budget: Budget | None = None) -> str:
    """The text of an SVG file: the outer shape, the addresses that the inner view reaches in it, and the steps.

    Steps at which other digits overflow have other colours; next to each is its condition on the merged stride, as in
    the overflow table. Sizes, and all entries of the inner view, have to be numbers. Raises what `overflows` raises.
    Source: section 3 of "Merging tensor views" (N. uit de Bos, 2025).

    >>> "dim 2 overflows into 1 into 0" in draw_overflows(View.parse("(10,3,3):(a,b,c)"), View((4,), (4,)))
    True
    """
    return picture_of_overflows(overflows(outer, inner, budget=budget)).svg()


def draw_conditions(answer: Conditions[Any]) -> str:
    """The text of an SVG file: which case holds at which values of the one or two sizes that separate the cases.

    One size is drawn as a line of spans with their ends, two sizes as a plane. Up to 64 values of each are drawn;
    changes beyond them are not shown. InputError if no size separates the cases, or more than two do.

    >>> from symview import conditions
    >>> "24 …" in draw_conditions(conditions(View.parse("(10,3,3):(a,b,c)"), View.parse("(s):(4)")))
    True
    """
    return picture(answer).svg()


def figure(x: Any) -> Figure:
    """The picture of `draw` as a figure of matplotlib; InputError if that is not installed."""
    return picture(x).figure()


def picture(x: Any) -> Picture:
    """The picture of a view, a layout, an overflow table or conditions; InputError if there is none."""
    painter = next((painter for kind, painter in _PAINTERS if isinstance(x, kind)), None)
    if painter is None:
        raise InputError(
            f"a picture of {type(x).__name__}: give a View (View.of(x) of an array), a Layout, an overflow table or "
            "conditions"
        )
    return painter(x)


_PAINTERS: tuple[tuple[type, Callable[[Any], Picture]], ...] = (
    (View, picture_of_view),
    (LayoutBase, picture_of_layout),
    (OverflowTable, picture_of_overflows),
    (Conditions, lambda answer: picture_of_conditions(answer.data, str(answer.question))),
    (HasCells, lambda answer: table(answer.cells())),
)
