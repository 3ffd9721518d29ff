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
from symview.symbolic.facts import address_map

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


def picture_of_overflows(table: OverflowTable) -> Picture:
    """The outer shape, the addresses that the inner view reaches in it, by the inner index, and its steps.

    Steps that cross other boundaries have other colours; the lines below say which, and what that demands.
    """
    outer, inner = table.outer, table.inner
    shape, box = sizes_of(outer), address_map(inner)
    rows_at = split(shape)
    width = prod(shape[rows_at:])
    reached = {box.at(index): index for index in _indices(box)}
    above = min(reached, default=0) // width if prod(shape[:rows_at]) > _MOST[0] else 0
    rows = Axis(shape[:rows_at], 76, _HEIGHT, _MOST[0], above)
    longest = max((width_of(_name(index), _SMALL) for index in reached.values()), default=0.0)
    cell = max(_CELL, longest + 24)  # 24: for the arrow between two names
    columns = Axis(shape[rows_at:], margin(shape[:rows_at]), cell, _MOST[1])
    steps = _steps(box, boundaries(shape))
    patterns = list(dict.fromkeys(s.crossed for s in steps))
    colours = {p: _COLOURS[n % len(_COLOURS)] for n, p in enumerate(patterns)}
    shapes: list[Shape] = [
        Label(14, 20, f"outer {outer}", 14, "start", bold=True),
        Label(14, 40, f"inner {inner}, its indices in the boxes; {_STEP} is the merged stride", 12, "start"),
        *labels(rows, columns),
    ]
    room = 8.0
    for r in rows.shown:
        for c in columns.shown:
            address = r * width + c
            index = reached.get(address)
            fill = PAPER if index is None else blend(PAPER, BLUE, 0.2)
            shapes.append(Box(columns.begin(c), rows.begin(r), cell, _HEIGHT, fill, PALE))
            if index is not None:
                name = _name(index)
                size = 13 if width_of(name) < _CELL - 4 else _SMALL
                room = max(room, width_of(name, size) / 2 + 2)
                shapes.append(Label(columns.middle(c), rows.middle(r), name, size, colour=over(fill), bold=True))
    for step in steps:
        (r0, c0), (r1, c1) = divmod(step.start, width), divmod(step.end, width)
        if {r0, r1} <= set(rows.shown) and {c0, c1} <= set(columns.shown):
            ends = (columns.middle(c0), rows.middle(r0)), (columns.middle(c1), rows.middle(r1))
            shapes.append(_arrow(*ends, room, colours[step.crossed], dashed=step.axis > 0))
    bottom, right = rows.end + (34 if rows.hidden else 18), columns.end + (110 if columns.hidden else 0)
    told = _legend(table, steps, patterns)
    for n, text in enumerate(told):
        y = bottom + n * 22
        shapes += [Path(((14, y), (44, y)), colours[patterns[n]], 2.2, True), Label(52, y, text, 12, "start")]
    right = max(right, *(52 + width_of(t, 12) for t in told), 14 + width_of(f"outer {outer}", 14), 0.0)
    right = max(right, 14 + width_of(f"inner {inner}, its indices in the boxes; {_STEP} is the merged stride", 12))
    title = f"Where {inner} leads in {outer}"
    return Picture(right + 16, bottom + len(told) * 22 + 4, tuple(shapes), title, "; ".join(told) or "no step")


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
