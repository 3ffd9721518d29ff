"""The picture of overflows: where the steps of an inner view lead in the outer shape, and where they carry.

It is the figure with which "Merging tensor views" (N. uit de Bos, 2025) explains an overflow, for any two views.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import NamedTuple

from symview.engine.index_map import IndexMap, index_text
from symview.engine.overflow import crossed
from symview.engine.radix import boundaries
from symview.show.overflow_table import OverflowTable
from symview.show.pictures.shapes import (
    BLUE,
    GREEN,
    ORANGE,
    PALE,
    PAPER,
    PURPLE,
    VERMILION,
    Box,
    Label,
    Path,
    Picture,
    Point,
    Shape,
    blend,
    over,
    width_of,
)
from symview.show.pictures.tables import Axis, labels, margin, split
from symview.show.steps import carry_text, sizes_of

_MOST = (14, 24)  # rows and columns of the outer shape that are shown
_STEPS = 48  # that are drawn
_CELL, _HEIGHT, _SMALL = 40.0, 34.0, 9
_STEP = "τ"  # the merged stride; a tilde above a letter is no matter for every font
_COLOURS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE)  # of patterns, in their order; then from the start again


class Stride(NamedTuple):
    """A step of the inner view: from which outer address to which, and the boundaries that it crosses."""

    start: int
    end: int
    axis: int
    crossed: tuple[int, ...]


class _Sheet(NamedTuple):
    """The outer shape as rows and columns, and the names of the inner indices by the addresses that they reach."""

    rows: Axis
    columns: Axis
    width: int
    reached: dict[int, str]

    def middle(self, address: int) -> Point | None:
        """The middle of an address' cell, where that is shown."""
        r, c = divmod(address, self.width)
        return (
            (self.columns.middle(c), self.rows.middle(r)) if r in self.rows.shown and c in self.columns.shown else None
        )


def picture_of_overflows(table: OverflowTable) -> Picture:
    """The outer shape, the addresses that the inner view reaches in it, by the inner index, and its steps.

    Steps that cross other boundaries have other colours; the lines below say which, and what that demands.
    """
    outer, inner = table.outer, table.inner
    box = IndexMap(inner.shape, inner.strides, inner.offset)
    sheet, steps = _sheet(sizes_of(outer), box), _steps(box, boundaries(sizes_of(outer)))
    patterns = list(dict.fromkeys(s.crossed for s in steps))
    colours = {p: _COLOURS[n % len(_COLOURS)] for n, p in enumerate(patterns)}
    heads = [f"outer {outer}", f"inner {inner}, its indices in the boxes; {_STEP} is the merged stride"]
    cells, room = _cells(sheet)
    shapes: list[Shape] = [
        Label(14, 20, heads[0], 14, "start", bold=True),
        Label(14, 40, heads[1], 12, "start"),
        *labels(sheet.rows, sheet.columns),
        *cells,
    ]
    for step in steps:
        start, end = sheet.middle(step.start), sheet.middle(step.end)
        if start is not None and end is not None:
            shapes.append(_arrow(start, end, room, colours[step.crossed], dashed=step.axis > 0))
    bottom = sheet.rows.end + (34 if sheet.rows.hidden else 18)
    told = _legend(table, steps, patterns)
    for n, text in enumerate(told):
        y = bottom + n * 22
        shapes += [Path(((14, y), (44, y)), colours[patterns[n]], 2.2, True), Label(52, y, text, 12, "start")]
    right = sheet.columns.end + (110 if sheet.columns.hidden else 0)
    widths = [14 + width_of(heads[0], 14), 14 + width_of(heads[1], 12), *(52 + width_of(t, 12) for t in told)]
    title = f"Where {inner} leads in {outer}"
    words = "; ".join(told) or "no step"
    return Picture(max(right, *widths) + 16, bottom + len(told) * 22 + 4, tuple(shapes), title, words)


def _sheet(shape: tuple[int, ...], box: IndexMap) -> _Sheet:
    """The outer shape from the first address that is reached on, with cells as wide as the longest name needs."""
    split_at = split(shape)
    width = prod(shape[split_at:])
    reached = {box.at(index): _name(index) for index in _indices(box)}
    above = min(reached, default=0) // width if prod(shape[:split_at]) > _MOST[0] else 0
    longest = max((width_of(name, _SMALL) for name in reached.values()), default=0.0)
    cell = max(_CELL, longest + 24)  # 24: for the arrow between two names
    rows = Axis(shape[:split_at], 76, _HEIGHT, _MOST[0], above)
    return _Sheet(rows, Axis(shape[split_at:], margin(shape[:split_at]), cell, _MOST[1]), width, reached)


def _cells(sheet: _Sheet) -> tuple[list[Shape], float]:
    """The cells with the names in them, and how far from its middle a name reaches at most."""
    shapes: list[Shape] = []
    room = 8.0
    for r in sheet.rows.shown:
        for c in sheet.columns.shown:
            name = sheet.reached.get(r * sheet.width + c)
            fill = PAPER if name is None else blend(PAPER, BLUE, 0.2)
            place = sheet.columns.begin(c), sheet.rows.begin(r)
            shapes.append(Box(*place, sheet.columns.cell, _HEIGHT, fill, PALE))
            if name is not None:
                size = 13 if width_of(name) < _CELL - 4 else _SMALL
                room = max(room, width_of(name, size) / 2 + 2)
                middle = sheet.columns.middle(c), sheet.rows.middle(r)
                shapes.append(Label(*middle, name, size, colour=over(fill), bold=True))
    return shapes, room


def _indices(box: IndexMap) -> list[tuple[int, ...]]:
    """The first indices of the inner view, as many as may be drawn."""
    sizes, most = list(box.sizes), _MOST[0] * _MOST[1]
    for axis in range(len(sizes)):
        sizes[axis] = min(sizes[axis], max(1, most // max(1, prod(sizes[:axis]))))
    return list(product(*map(range, sizes)))


def _steps(box: IndexMap, places: tuple[int, ...]) -> list[Stride]:
    """The first steps: along the last axis from each index, along the others from those with zeros behind."""
    found: list[Stride] = []
    for index in _indices(box):
        last = max((a for a, i in enumerate(index) if i), default=None)
        if last is not None and len(found) < _STEPS:
            end, step = box.at(index), box.steps[last]
            found.append(Stride(end - step, end, last, crossed(places, end - step, step)))
    return found


def _name(index: tuple[int, ...]) -> str:
    return str(index[0]) if len(index) == 1 else index_text(index)


def _arrow(start: Point, end: Point, room: float, colour: str, dashed: bool) -> Path:
    """From beside one name to beside the other; a name takes that much room on either side."""
    (x, y), (u, v) = start, end
    length = max(1e-6, ((u - x) ** 2 + (v - y) ** 2) ** 0.5)
    a, b = (u - x) / length, (v - y) / length
    away = min(room / max(abs(a), 1e-6), 9 / max(abs(b), 1e-6), length / 3)
    return Path(((x + a * away, y + b * away), (u - a * away, v - b * away)), colour, 2.2, True, dashed)


def _legend(table: OverflowTable, steps: list[Stride], patterns: list[tuple[int, ...]]) -> list[str]:
    """For each pattern of the steps drawn: what carries, and what the table says of it."""
    down = [isinstance(t, int) and t < 0 for t in table.inner.strides]
    found = []
    for places in patterns:
        first = next(s for s in steps if s.crossed == places)
        text = carry_text(sizes_of(table.outer), places, down[first.axis])
        said = [r.equation(_STEP if table.inner.rank == 1 else f"{_STEP}{r.axis}")
                for r in table.rows if r.overflows == places]  # fmt: skip
        head = "no digit overflows" if text == "none" else f"overflow: {text}"
        found.append(": ".join([head, *filter(None, [", ".join(said)])]))
    return found
