"""Tables of cells: an index space laid out in rows and columns, in blocks where a slower digit changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod

from symview.engine.radix import unravel
from symview.show.pictures.shapes import INK, PALE, Label, Shape, blend, width_of

MOST = (24, 24)  # rows and columns that are shown
GAP = 9.0  # between blocks
_LIGHT, _DARK = "#e3f1fb", "#2b7bba"


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
            at += GAP * any(n > self.first and n % b == 0 and b > 1 for b in blocks)
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


def tone(value: int, low: int, high: int) -> str:
    """A colour for an address, from light to dark."""
    return blend(_LIGHT, _DARK, (value - low) / (high - low) if high > low else 0.0)
