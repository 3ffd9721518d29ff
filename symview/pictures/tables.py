"""Pictures of tables: an index space in rows and columns, with the values of a function or the overflows of steps.

The picture of overflows is the figure of "Merging tensor views" (N. uit de Bos, 2025) that explains one, for any two
views.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Any, NamedTuple

from symview.engine.index_map import IndexMap, index_text
from symview.engine.overflow import crossed
from symview.engine.radix import boundaries, unravel
from symview.errors import InputError
from symview.logic.sympy_bridge import is_number, to_text
from symview.pictures.shapes import (
    BLUE,
    INK,
    PALE,
    PAPER,
    PATTERNS,
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
from symview.show.cells import Cell, Cells
from symview.show.overflow_table import OverflowTable
from symview.show.steps import carry_text, sizes_of
from symview.view import View

_MAX_SHAPE = (24, 24)  # rows and columns that are drawn
_GAP = 9.0  # between blocks
_LIGHT, _DARK = "#e3f1fb", "#2b7bba"
_MAX_CELLS, _A_LINE = 192, 32  # memory cells that are drawn, in all and per line
_HEIGHT = 26.0


@dataclass(frozen=True, slots=True)
class Axis:
    """Dims along a line, the last one fastest: the positions of the indices from `first` on, as many as fit."""

    dims: tuple[int, ...]
    start: float
    cell: float
    most: int
    first: int = 0
    flat: bool = False  # whether indices are written as one number
    begins: tuple[float, ...] = field(init=False)

    def __post_init__(self) -> None:
        blocks = [prod(self.dims[n:]) for n in range(1, len(self.dims))]
        found, at = [], self.start
        for n in range(self.first, min(self.first + self.most, prod(self.dims))):
            at += _GAP * any(n > self.first and n % b == 0 and b > 1 for b in blocks)
            found.append(at)
            at += self.cell
        object.__setattr__(self, "begins", tuple(found))

    @property
    def end(self) -> float:
        """The end of the last cell drawn."""
        return self.begins[-1] + self.cell if self.begins else self.start

    @property
    def hidden(self) -> int:
        """The number of cells not drawn."""
        return prod(self.dims) - len(self.begins)

    @property
    def shown(self) -> range:
        """The indices drawn."""
        return range(self.first, self.first + len(self.begins))

    def begin(self, n: int) -> float:
        """The start of the cell of an index."""
        return self.begins[n - self.first]

    def middle(self, n: int) -> float:
        """The middle of a cell."""
        return self.begin(n) + self.cell / 2

    def digits(self, n: int) -> str:
        """A cell's index."""
        if self.flat:
            return str(n)
        return ",".join(map(str, unravel(n, self.dims))) if self.dims else ""


def split(shape: Sequence[int]) -> int:
    """How many dims to use as rows, so that the table is about twice as wide as high."""
    if len(shape) < 2:
        return 0
    return min(range(1, len(shape)), key=lambda m: abs(prod(shape[:m]) * 2 - prod(shape[m:])))


def labels(rows: Axis, columns: Axis) -> list[Shape]:
    """The indices before the rows and above the columns, and the numbers of rows and columns not drawn."""
    found: list[Shape] = []
    for n in columns.shown:
        found.append(Label(columns.middle(n), rows.start - 12, columns.digits(n), 11, colour=PALE))
    for n in rows.shown:
        found.append(Label(columns.start - 8, rows.middle(n), rows.digits(n), 11, "end", PALE))
    if rows.hidden:
        found.append(Label(columns.start, rows.end + 12, f"… and {rows.hidden} more rows", 11, "start", INK))
    if columns.hidden:
        found.append(Label(columns.end + 6, rows.start - 12, f"… and {columns.hidden} more", 11, "start", INK))
    return found


def margin(dims: Sequence[int]) -> float:
    """The width of the indices before the rows."""
    return 22 + width_of(",".join(str(n - 1) for n in dims), 11)


def _tone(value: int, low: int, high: int) -> str:
    """A colour for an address, from light to dark."""
    return blend(_LIGHT, _DARK, (value - low) / (high - low) if high > low else 0.0)


# A function's values


def table(cells: Cells) -> Picture:
    """A table of the values by row and column, and the memory."""
    title, row_dims, column_dims, value, flat, axes, note = cells
    count = (min(_MAX_SHAPE[0], prod(row_dims)), min(_MAX_SHAPE[1], prod(column_dims)))
    values = [[value(r, c) for c in range(count[1])] for r in range(count[0])]
    longest = max((len(str(x)) for row in values for x in row if x is not None), default=1)
    last = str(prod(column_dims) - 1) if flat else ",".join(str(n - 1) for n in column_dims)
    wide = max(30.0, width_of("0" * longest) + 12, width_of(last, 11) + 8)
    left, top = (width_of(axes[0], 11), 18) if any(axes) else (0, 0)
    rows = Axis(row_dims, 62 + top, _HEIGHT, _MAX_SHAPE[0], flat=flat)
    columns = Axis(column_dims, margin(row_dims) + left, wide, _MAX_SHAPE[1], flat=flat)
    numbers = [x for row in values for x in row if isinstance(x, int)]
    low, high = (min(numbers), max(numbers)) if numbers else (0, 0)
    shapes: list[Shape] = [Label(14, 22, title, 14, "start", bold=True), *labels(rows, columns)]
    if any(axes):
        shapes.append(Label(14, rows.start - 12, axes[0], 11, "start", INK))
        shapes.append(Label(columns.start, rows.start - 30, axes[1], 11, "start", INK))
    for r, row in enumerate(values):
        for c, x in enumerate(row):
            fill = _tone(x, low, high) if isinstance(x, int) else PAPER
            shapes.append(Box(columns.begin(c), rows.begin(r), wide, _HEIGHT, fill, hatched=x is None))
            if x is not None:
                shapes.append(Label(columns.middle(c), rows.middle(r), str(x), colour=over(fill)))
    bottom = rows.end + (26 if rows.hidden else 12)
    right = max(columns.end + (130 if columns.hidden else 0), columns.start + width_of(max(axes[1], note, key=len), 11))
    if note:
        shapes.append(Label(columns.start, bottom, note, 11, "start", INK))
        bottom += 14
    whole = bool(numbers) and not any(axes) and not rows.hidden and not columns.hidden
    if whole and high - low < _MAX_CELLS:
        strip, bottom, wider = _memory(numbers, low, high, bottom)
        shapes += strip
        right = max(right, wider)
    return Picture(max(right, 14 + width_of(title, 14)) + 14, bottom + 8, tuple(shapes), title, _words(values, title))


def _memory(numbers: Sequence[int], low: int, high: int, top: float) -> tuple[list[Shape], float, float]:
    """The addresses from the lowest to the highest: in the colours of the table, white for those of no index."""
    reached, longest = Counter(numbers), max(len(str(low)), len(str(high)))
    wide = max(24.0, width_of("0" * longest, 11) + 6)
    line = min(_A_LINE, high - low + 1)
    shapes: list[Shape] = [Label(14, top + 12, "memory", 11, "start", PALE)]
    for n, address in enumerate(range(low, high + 1)):
        x, y = 14 + n % line * wide, top + 24 + n // line * 24
        fill = _tone(address, low, high) if reached[address] else PAPER
        shapes.append(Box(x, y, wide, 22, fill, INK if reached[address] else PALE, 2.5 if reached[address] > 1 else 1))
        shapes.append(Label(x + wide / 2, y + 11, str(address), 11, colour=over(fill) if reached[address] else PALE))
    bottom = top + 24 + ((high - low) // line + 1) * 24
    shared = sum(1 for k in reached.values() if k > 1)
    gaps = high - low + 1 - len(reached)
    notes = [f"{gaps} of no index (white)"] * bool(gaps) + [f"{shared} of several indices (thick)"] * bool(shared)
    if notes:
        shapes.append(Label(14, bottom + 10, ", ".join(notes), 11, "start"))
        bottom += 20
    return shapes, bottom, max(14 + line * wide, 14 + width_of(", ".join(notes), 11))


def _words(values: Sequence[Sequence[Cell]], title: str) -> str:
    rows = ["; ".join("none" if x is None else str(x) for x in row) for row in values[:8]]
    return f"{title}: the values by rows: {' / '.join(rows)}{' …' if len(values) > 8 else ''}"


def picture_of_view(view: View) -> Picture:
    """The addresses by row and column, hatched where the mask hides an index; symbolic strides are written out.

    InputError if a size, or a bound of the mask, is a symbol, or there is no index to draw.
    """
    mask: Any = view.mask if isinstance(view.mask, tuple) else ()
    for x in (*view.shape, *[bound for pair in mask for bound in pair]):
        if not is_number(x):
            raise InputError(f"a picture of {view}: {to_text(x)} is symbolic: substitute a number")
    if 0 in view.shape:
        raise InputError(f"a picture of {view}: it has no index")
    shape = sizes_of(view)
    rows = split(shape)

    def value(row: int, column: int) -> Cell:
        found = view.at((*unravel(row, shape[:rows]), *unravel(column, shape[rows:])))
        return found if found is None or is_number(found) else to_text(found, "")

    return table(Cells(str(view), shape[:rows], shape[rows:], value))


# Where the steps of an inner view lead in the outer shape, and where they overflow


_MAX_OUTER_SHAPE = (14, 24)  # rows and columns of the outer shape that are drawn
_MAX_STEPS = 48  # steps that are drawn
_COLUMN, _ROW, _SMALL = 40.0, 34.0, 9
_RULE = "A single view moves by the same amount on every step along an axis."
_BESIDE = 4.0  # the distance of a name from an arrow


class Stride(NamedTuple):
    """A step of the inner view: its outer addresses before and after, and the boundaries that it crosses."""

    start: int
    end: int
    axis: int
    crossed: tuple[int, ...]


class _Sheet(NamedTuple):
    """The outer shape as rows and columns, and the names of the inner indices by their addresses."""

    rows: Axis
    columns: Axis
    width: int
    reached: dict[int, str]

    def middle(self, address: int) -> Point | None:
        """The middle of an address' cell, if that is drawn."""
        r, c = divmod(address, self.width)
        return (
            (self.columns.middle(c), self.rows.middle(r)) if r in self.rows.shown and c in self.columns.shown else None
        )


def picture_of_overflows(table: OverflowTable) -> Picture:
    """The outer shape, the inner indices at the addresses that they reach in it, and the steps.

    Steps that cross different boundaries have different colours; the lines below name them and their equations.
    """
    outer, inner = table.outer, table.inner
    box = IndexMap(inner.shape, inner.strides, inner.offset)
    sheet, steps = _sheet(sizes_of(outer), box), _steps(box, boundaries(sizes_of(outer)))
    colours = {p: PATTERNS[n % len(PATTERNS)] for n, p in enumerate(dict.fromkeys(s.crossed for s in steps))}
    heads = [
        f"outer {outer}",
        f"inner {inner}: its indices stand in the boxes" + ", addresses below" * outer.is_numeric(),
    ]
    cells, room = _cells(sheet, outer)
    shapes: list[Shape] = [
        Label(14, 20, heads[0], 14, "start", bold=True),
        Label(14, 40, heads[1], 12, "start"),
        *labels(sheet.rows, sheet.columns),
        *cells,
    ]
    for step in steps:
        start, end = sheet.middle(step.start), sheet.middle(step.end)
        if start is not None and end is not None:
            path = _route(sheet, start, end, room)
            shapes.append(Path(path, colours[step.crossed], 2.2, True, dashed=step.axis > 0))
    bottom = sheet.rows.end + (34 if sheet.rows.hidden else 18)
    legend = _legend(table, steps)
    for n, (step, text) in enumerate(legend):
        y = bottom + n * 22
        shapes.append(Path(((14, y), (54, y)), colours[step.crossed], 2.2, True, dashed=step.axis > 0))
        shapes.append(Label(62, y, text, 12, "start"))
    bottom += len(legend) * 22
    if len(legend) > 1:
        shapes.append(Label(14, bottom, _RULE, 12, "start"))
        bottom += 22
    right = sheet.columns.end + (110 if sheet.columns.hidden else 0)
    widths = [14 + width_of(heads[0], 14), 14 + width_of(heads[1], 12), *(62 + width_of(t, 12) for _, t in legend)]
    widths.append(14 + width_of(_RULE, 12) if len(legend) > 1 else 0)
    title = f"Where {inner} leads in {outer}"
    words = "; ".join(text for _, text in legend) or "no step"
    return Picture(max(right, *widths) + 16, bottom + 4, tuple(shapes), title, words)


def _sheet(shape: tuple[int, ...], box: IndexMap) -> _Sheet:
    """The outer shape, from the first to the last row reached, with cells as wide as the longest name."""
    split_at = split(shape)
    width = prod(shape[split_at:])
    reached = {box.at(index): _name(index) for index in _indices(box)}
    above = min(reached, default=0) // width if prod(shape[:split_at]) > _MAX_OUTER_SHAPE[0] else 0
    most = min(_MAX_OUTER_SHAPE[0], max(reached, default=0) // width - above + 1)
    longest = max((width_of(name, _SMALL) for name in reached.values()), default=0.0)
    cell = max(_COLUMN, longest + 24 + 2 * _BESIDE)  # 24: for the arrow between two names
    rows = Axis(shape[:split_at], 76, _ROW, most, above)
    return _Sheet(rows, Axis(shape[split_at:], margin(shape[:split_at]), cell, _MAX_OUTER_SHAPE[1]), width, reached)


def _cells(sheet: _Sheet, outer: View) -> tuple[list[Shape], float]:
    """The cells with their names and addresses, and the greatest distance of a name's end from its middle.

    Addresses stand below, if the outer view is one of numbers.
    """
    shapes: list[Shape] = []
    room = 8.0
    for r in sheet.rows.shown:
        for c in sheet.columns.shown:
            name = sheet.reached.get(r * sheet.width + c)
            fill = PAPER if name is None else blend(PAPER, BLUE, 0.2)
            place = sheet.columns.begin(c), sheet.rows.begin(r)
            shapes.append(Box(*place, sheet.columns.cell, _ROW, fill, PALE))
            if outer.is_numeric():
                address = outer.at(unravel(r * sheet.width + c, sizes_of(outer)))
                below = sheet.columns.begin(c) + sheet.columns.cell - 3, sheet.rows.begin(r) + _ROW - 6
                shapes.append(Label(*below, str(address), 8, "end", PALE))
            if name is not None:
                size = 13 if width_of(name) < _COLUMN - 4 else _SMALL
                room = max(room, width_of(name, size) / 2 + _BESIDE)
                middle = sheet.columns.middle(c), sheet.rows.middle(r)
                shapes.append(Label(*middle, name, size, colour=over(fill), bold=True))
    return shapes, room


def _indices(box: IndexMap) -> list[tuple[int, ...]]:
    """The first indices of the inner view, as many as may be drawn."""
    sizes, most = list(box.sizes), _MAX_OUTER_SHAPE[0] * _MAX_OUTER_SHAPE[1]
    for axis in range(len(sizes)):
        sizes[axis] = min(sizes[axis], max(1, most // max(1, prod(sizes[:axis]))))
    return list(product(*map(range, sizes)))


def _steps(box: IndexMap, places: tuple[int, ...]) -> list[Stride]:
    """The first steps: along the last axis from each index, along the others from indices with zeros after them."""
    found: list[Stride] = []
    for index in _indices(box):
        last = max((a for a, i in enumerate(index) if i), default=None)
        if last is not None and len(found) < _MAX_STEPS:
            end, step = box.at(index), box.steps[last]
            found.append(Stride(end - step, end, last, crossed(places, end - step, step)))
    return found


def _name(index: tuple[int, ...]) -> str:
    return str(index[0]) if len(index) == 1 else index_text(index)


def _route(sheet: _Sheet, start: Point, end: Point, room: float) -> tuple[Point, ...]:
    """The path of an arrow between two names: straight, or around the names between them.

    A name takes `room` on either side.
    """
    (x, y), (u, v) = start, end
    length = max(1e-6, ((u - x) ** 2 + (v - y) ** 2) ** 0.5)
    a, b = (u - x) / length, (v - y) / length
    away = min(room / max(abs(a), 1e-6), 9 / max(abs(b), 1e-6), length / 3)
    straight = (x + a * away, y + b * away), (u - a * away, v - b * away)
    names = [m for m in map(sheet.middle, sheet.reached) if m is not None and m not in (start, end)]
    if not any(_meets(*straight, name, room - 2, 7) for name in names):
        return straight
    side = u - sheet.columns.cell / 2 + 4  # between the names of the column and those on its left
    if x == u:
        return (x - room, y), (side, y), (side, v), (u - room, v)
    between = y + (_ROW / 2 if v >= y else -_ROW / 2)
    return (x, y + (9 if v >= y else -9)), (x, between), (side, between), (side, v), (u - room, v)


def _meets(start: Point, end: Point, middle: Point, wide: float, high: float) -> bool:
    """Whether a line enters the box around `middle` that extends `wide` to each side, and `high` up and down."""
    low, top = 0.0, 1.0
    for a, b, at, away in zip(start, end, middle, (wide, high), strict=True):
        if abs(b - a) < 1e-9:
            if abs(a - at) >= away:
                return False
            continue
        ends = sorted(((at - away - a) / (b - a), (at + away - a) / (b - a)))
        low, top = max(low, ends[0]), min(top, ends[1])
    return low < top


def _legend(table: OverflowTable, steps: list[Stride]) -> list[tuple[Stride, str]]:
    """For each kind of step drawn, its first step and its text: the digits that overflow, and the address' change."""
    kinds: dict[tuple[int, tuple[int, ...]], Stride] = {}
    for step in sorted(steps, key=lambda s: s.axis):
        kinds.setdefault((step.axis, step.crossed), step)
    moved = {(r.axis, r.overflows): r.address - r.before for r in table.rows if r.before is not None}
    found = []
    for (axis, places), step in kinds.items():
        down = isinstance(table.inner.strides[axis], int) and table.inner.strides[axis] < 0
        carried = carry_text(sizes_of(table.outer), places, down)
        head = [f"axis {axis}"] * (table.inner.rank > 1)
        carries = [one.replace(" into ", " overflows into ", 1) for one in carried.split(", ")]
        head += ["no dim overflows"] if carried == "none" else carries
        by = moved.get((axis, places))
        moves = "" if by is None else f": moves by {to_text(by, '').replace('-', '−')}"
        found.append((step, f"{', '.join(head)}{moves}"))
    return found
