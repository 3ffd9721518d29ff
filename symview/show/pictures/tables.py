"""The picture of a function on indices: a table of its values, and the memory that they take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from math import prod

from symview.show.pictures.shapes import INK, PALE, PAPER, Box, Label, Picture, Shape, over, width_of
from symview.show.pictures.sheets import MOST, Axis, labels, margin, tone

_CELLS, _A_LINE = 192, 32  # of memory that are shown
_HEIGHT = 26.0


def table(
    title: str, row_dims: Sequence[int], column_dims: Sequence[int], value: Callable[[int, int], int | str | None],
    flat: bool = False,
) -> Picture:  # fmt: skip
    """A table of the values by row and column (an address, an expression, or None where nothing is), and the memory.

    `flat`: rows and columns have one number each, not the index of their dims.
    """
    count = (min(MOST[0], prod(row_dims)), min(MOST[1], prod(column_dims)))
    values = [[value(r, c) for c in range(count[1])] for r in range(count[0])]
    longest = max((len(str(x)) for row in values for x in row if x is not None), default=1)
    last = str(prod(column_dims) - 1) if flat else ",".join(str(n - 1) for n in column_dims)
    wide = max(30.0, width_of("0" * longest) + 12, width_of(last, 11) + 8)
    rows = Axis(tuple(row_dims), 62, _HEIGHT, MOST[0], flat=flat)
    columns = Axis(tuple(column_dims), margin(row_dims), wide, MOST[1], flat=flat)
    numbers = [x for row in values for x in row if isinstance(x, int)]
    low, high = (min(numbers), max(numbers)) if numbers else (0, 0)
    shapes: list[Shape] = [Label(14, 22, title, 14, "start", bold=True), *labels(rows, columns)]
    for r, row in enumerate(values):
        for c, x in enumerate(row):
            fill = tone(x, low, high) if isinstance(x, int) else PAPER
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
        fill = tone(address, low, high) if reached[address] else PAPER
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
