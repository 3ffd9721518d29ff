"""Tables of cells: an index space in rows and columns, and in them the values of a function, such as addresses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

from symview.engine.radix import unravel
from symview.errors import InputError
from symview.logic.sympy_bridge import is_number, to_text
from symview.show.pictures.shapes import INK, PALE, PAPER, Box, Label, Picture, Shape, blend, over, width_of
from symview.show.steps import sizes_of
from symview.view import View

_MOST = (24, 24)  # rows and columns that are shown
_GAP = 9.0  # between blocks
_LIGHT, _DARK = "#e3f1fb", "#2b7bba"
_CELLS, _A_LINE = 192, 32  # of memory that are shown
_HEIGHT = 26.0


@dataclass(frozen=True, slots=True)
class Axis:
    """Dims laid out along a line, the last one fastest: where each index from `first` on begins, as many as fit."""

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
        """Where the last cell that is shown ends."""
        return self.begins[-1] + self.cell if self.begins else self.start

    @property
    def hidden(self) -> int:
        """How many cells are not shown."""
        return prod(self.dims) - len(self.begins)

    @property
    def shown(self) -> range:
        """The indices that are shown."""
        return range(self.first, self.first + len(self.begins))

    def begin(self, n: int) -> float:
        """Where the cell of an index begins."""
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
    """How many of the dims are best laid out as rows: the table is about twice as wide as high."""
    if len(shape) < 2:
        return 0
    return min(range(1, len(shape)), key=lambda m: abs(prod(shape[:m]) * 2 - prod(shape[m:])))


def labels(rows: Axis, columns: Axis) -> list[Shape]:
    """The indices before the rows and above the columns, and how many are not shown."""
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
    """The room that the indices before the rows take."""
    return 22 + width_of(",".join(str(n - 1) for n in dims), 11)


def _tone(value: int, low: int, high: int) -> str:
    """A colour for an address, from light to dark."""
    return blend(_LIGHT, _DARK, (value - low) / (high - low) if high > low else 0.0)


# A function's values


def table(
    title: str, row_dims: Sequence[int], column_dims: Sequence[int], value: Callable[[int, int], int | str | None],
    flat: bool = False,
) -> Picture:  # fmt: skip
    """A table of the values by row and column (an address, an expression, or None where nothing is), and the memory.

    `flat`: rows and columns have one number each, not the index of their dims.
    """
    count = (min(_MOST[0], prod(row_dims)), min(_MOST[1], prod(column_dims)))
    values = [[value(r, c) for c in range(count[1])] for r in range(count[0])]
    longest = max((len(str(x)) for row in values for x in row if x is not None), default=1)
    last = str(prod(column_dims) - 1) if flat else ",".join(str(n - 1) for n in column_dims)
    wide = max(30.0, width_of("0" * longest) + 12, width_of(last, 11) + 8)
    rows = Axis(tuple(row_dims), 62, _HEIGHT, _MOST[0], flat=flat)
    columns = Axis(tuple(column_dims), margin(row_dims), wide, _MOST[1], flat=flat)
    numbers = [x for row in values for x in row if isinstance(x, int)]
    low, high = (min(numbers), max(numbers)) if numbers else (0, 0)
    shapes: list[Shape] = [Label(14, 22, title, 14, "start", bold=True), *labels(rows, columns)]
    for r, row in enumerate(values):
        for c, x in enumerate(row):
            fill = _tone(x, low, high) if isinstance(x, int) else PAPER
            shapes.append(Box(columns.begin(c), rows.begin(r), wide, _HEIGHT, fill, hatched=x is None))
            if x is not None:
                shapes.append(Label(columns.middle(c), rows.middle(r), str(x), colour=over(fill)))
    bottom = rows.end + (26 if rows.hidden else 12)
    right = columns.end + (130 if columns.hidden else 0)
    whole = bool(numbers) and not rows.hidden and not columns.hidden
    if whole and high - low < _CELLS:
        strip, bottom, wider = _memory(numbers, low, high, bottom)
        shapes += strip
        right = max(right, wider)
    return Picture(max(right, 14 + width_of(title, 14)) + 14, bottom + 8, tuple(shapes), title, _told(values, title))


def _memory(numbers: Sequence[int], low: int, high: int, top: float) -> tuple[list[Shape], float, float]:
    """The addresses from the lowest to the highest: in the colours of the table, white where no index leads."""
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


def _told(values: Sequence[Sequence[int | str | None]], title: str) -> str:
    rows = ["; ".join("none" if x is None else str(x) for x in row) for row in values[:8]]
    return f"{title}: the values by rows: {' / '.join(rows)}{' …' if len(values) > 8 else ''}"


def picture_of_view(view: View) -> Picture:
    """The addresses by row and column, hatched where the mask hides an index; symbolic strides are written out.

    InputError where a size, or a bound of the mask, is a symbol, or no index is there to draw.
    """
    mask: Any = view.mask if isinstance(view.mask, tuple) else ()
    for x in (*view.shape, *[bound for pair in mask for bound in pair]):
        if not is_number(x):
            raise InputError(f"a picture of {view}: {to_text(x)} is symbolic: substitute a number")
    if 0 in view.shape:
        raise InputError(f"a picture of {view}: it has no index")
    shape = sizes_of(view)
    rows = split(shape)

    def value(row: int, column: int) -> int | str | None:
        found = view.at((*unravel(row, shape[:rows]), *unravel(column, shape[rows:])))
        return found if found is None or is_number(found) else to_text(found, "")

    return table(str(view), shape[:rows], shape[rows:], value)
