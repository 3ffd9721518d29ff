"""The picture of conditions on one or two sizes: which case applies where, and the values where that changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from symview.answers import CaseData, ConditionsData, Status
from symview.errors import InputError
from symview.logic.points import bounds_of, true_at
from symview.logic.terms import names
from symview.show.formulas import case_headline, where_text
from symview.show.pictures.shapes import (
    CASES,
    GREEN,
    INK,
    PALE,
    PAPER,
    Box,
    Label,
    Path,
    Picture,
    Shape,
    blend,
    over,
    width_of,
)

_ALONE, _PAIR = 4096, 64  # values of a size that are tried
_SPANS = 14  # spans of one size; if there are more, single values are drawn
_CELLS = 48
_FILLS = {Status.ALWAYS: GREEN, Status.NEVER: "#5a5a5a", Status.OUT_OF_BOUNDS: "#e6e6e6", Status.UNDECIDED: PAPER}
_HATCHED = (Status.OUT_OF_BOUNDS, Status.UNDECIDED)


class Legend(NamedTuple):
    """A case in the picture: its letter, its colour, and its text."""

    letter: str
    fill: str
    hatched: bool
    text: str


class Span(NamedTuple):
    """Values from `low` to `high` with the same case; None if the facts exclude them."""

    low: int
    high: int
    case: int | None


def picture_of_conditions(data: ConditionsData) -> Picture:
    """One size as a line, two sizes as a plane; cases have letters and colours, and a legend below.

    InputError if the cases depend on no size, or on more than two.
    """
    cases = list(data.cases)
    axes = names(*[c.where for c in cases])
    if not 1 <= len(axes) <= 2:
        about = f"the cases are told apart by {', '.join(axes)}" if axes else "there is one case"
        raise InputError(f"a picture of conditions needs cases that one or two sizes tell apart: {about}")
    title = " then ".join(map(str, data.views))
    legends = _legends(cases)
    shapes: list[Shape] = [Label(14, 20, title, 14, "start", bold=True)]
    known = [f for f in data.facts if set(names(f)) <= set(axes)]
    low = [-_PAIR // 4 if least is None else least for least, _ in bounds_of(known, axes)]
    drawn = _line(data, cases, legends, axes[0], low[0]) if len(axes) == 1 else _plane(data, cases, legends, axes, low)
    shapes += drawn.shapes
    texts = [f"{s.letter}  {s.text}" for s in legends]
    for n, (s, text) in enumerate(zip(legends, texts, strict=True)):
        y = drawn.bottom + 22 + n * 24
        shapes += [Box(14, y - 9, 24, 18, s.fill, hatched=s.hatched), Label(46, y, text, 12, "start")]
    right = max(drawn.right, 14 + width_of(title, 14), *[46 + width_of(t, 12) for t in texts])
    return Picture(right + 16, drawn.bottom + 22 + len(legends) * 24, tuple(shapes), title, "; ".join(texts))


def _legends(cases: Sequence[CaseData]) -> list[Legend]:
    found, colours = [], 0
    for n, case in enumerate(cases):
        fill = _FILLS.get(case.status)
        if fill is None:
            fill, colours = CASES[colours % len(CASES)], colours + 1
        letter = chr(ord("A") + n) if n < 26 else str(n)
        text = f"{where_text(case.where) or 'else'}: {case_headline(case)}"
        found.append(Legend(letter, fill, case.status in _HATCHED, text))
    return found


def _case_at(data: ConditionsData, cases: Sequence[CaseData], values: dict[str, int]) -> int | None:
    """The case at these values; None if the facts exclude them."""
    if not true_at([f for f in data.facts if set(names(f)) <= set(values)], values):
        return None
    return next((n for n, c in enumerate(cases) if true_at([c.where], values)), None)


class _Drawn(NamedTuple):
    shapes: list[Shape]
    right: float
    bottom: float


def _runs(found: Sequence[int | None], low: int) -> list[Span]:
    """The values from `low` on, grouped by runs with the same case."""
    runs = []
    for case, run in groupby(enumerate(found, low), key=lambda pair: pair[1]):
        at = [n for n, _ in run]
        runs.append(Span(at[0], at[-1], case))
    return runs


def _line(data: ConditionsData, cases: Sequence[CaseData], legends: Sequence[Legend], name: str, low: int) -> _Drawn:
    """The values of one size, from left to right: spans labelled with their ends, wide enough for the labels."""
    spans = _runs([_case_at(data, cases, {name: n}) for n in range(low, low + _ALONE)], low)
    if len(spans) > _SPANS:
        cells = [(n, s.case) for s in spans for n in range(s.low, s.high + 1)][:_CELLS]
        spans = [Span(n, n, case) for n, case in cells]
    y, height, x = 66.0, 40.0, 14 + width_of(name) + 12
    shapes: list[Shape] = [Label(14, y + height / 2, name, 13, "start", bold=True)]
    for span in spans:
        ends = str(span.low) if span.low == span.high else f"{span.low} … {span.high}"
        last = span is spans[-1]
        text = ends if span.low == span.high and not last else f"{span.low} …" if last else ends
        wide = max(26.0, width_of(text, 11) + 10)
        if span.case is not None:
            s = legends[span.case]
            shapes += [Box(x, y, wide, height, s.fill, hatched=s.hatched),
                       Label(x + wide / 2, y + height / 2, s.letter, 14, colour=over(s.fill), bold=True)]  # fmt: skip
        shapes.append(Label(x + wide / 2, y + height + 14, text, 11, colour=INK))
        x += wide
    shapes.append(Path(((x, y + height / 2), (x + 24, y + height / 2)), PALE, 1.5, True))
    return _Drawn(shapes, x + 24, y + height + 22)


def _plane(
    data: ConditionsData, cases: Sequence[CaseData], legends: Sequence[Legend], axes: Sequence[str], low: Sequence[int]
) -> _Drawn:
    """The values of two sizes: the first goes up, the second to the right."""
    rows = [[_case_at(data, cases, {axes[0]: low[0] + m, axes[1]: low[1] + n}) for n in range(_PAIR)]
            for m in range(_PAIR)]  # fmt: skip
    columns = [list(c) for c in zip(*rows, strict=True)]
    height, width = _extent(rows), _extent(columns)
    cell = max(6.0, min(26.0, 460 / max(height, width)))
    x0, y0 = 40 + width_of("000", 11), 60.0
    bottom = y0 + height * cell
    shapes: list[Shape] = []
    for m in range(height):
        y = bottom - (m + 1) * cell
        for span in _runs(rows[m][:width], 0):
            if span.case is not None:
                s, wide = legends[span.case], (span.high - span.low + 1) * cell
                edge = blend(s.fill, INK, 0.25)
                shapes.append(Box(x0 + span.low * cell, y, wide, cell, s.fill, edge, 0.4, s.hatched))
    shapes += _letters([row[:width] for row in rows[:height]], legends, x0, bottom, cell)
    for n in _ticks(columns[:width]):
        shapes.append(Label(x0 + (n + 0.5) * cell, bottom + 12, str(low[1] + n), 11, colour=INK))
    for m in _ticks(rows[:height]):
        shapes.append(Label(x0 - 6, bottom - (m + 0.5) * cell, str(low[0] + m), 11, "end"))
    shapes.append(Label(x0 + width * cell + 10, bottom - cell / 2, axes[1], 13, "start", bold=True))
    shapes.append(Label(x0, y0 - 10, axes[0], 13, "middle", bold=True))
    return _Drawn(shapes, x0 + width * cell + 20 + width_of(axes[1]), bottom + 20)


def _extent(lines: Sequence[Sequence[int | None]]) -> int:
    """The number of lines that show all changes, and a few more."""
    last = max((n for n in range(1, len(lines)) if lines[n] != lines[n - 1]), default=1)
    return min(len(lines), max(last + 2 + last // 6, 6))


def _ticks(lines: Sequence[Sequence[int | None]]) -> list[int]:
    """The lines where much changes, not too close to one another, and the first and the last line."""
    pairs = [zip(lines[n], lines[n - 1], strict=True) for n in range(1, len(lines))]
    changes = [n for n, pair in enumerate(pairs, 1) if sum(a != b for a, b in pair) * 20 > len(lines[n])]
    found = [0]
    for n in changes or range(1, len(lines)):
        if n - found[-1] >= max(1, len(lines) // 16):
            found.append(n)
    if len(lines) - 1 - found[-1] >= max(1, len(lines) // 16):
        found.append(len(lines) - 1)
    return found


def _letters(
    rows: Sequence[Sequence[int | None]], legends: Sequence[Legend], x0: float, bottom: float, cell: float
) -> list[Shape]:
    """Each case's letter in the middle of its longest run."""
    counts = Counter(c for row in rows for c in row if c is not None)
    found: list[Shape] = []
    for case in counts:
        runs = [(s.high - s.low, m, s) for m, row in enumerate(rows) for s in _runs(row, 0) if s.case == case]
        longest = max(r[0] for r in runs)
        long = [r for r in runs if r[0] == longest]
        _, m, span = long[len(long) // 2]
        x, y = x0 + (span.low + span.high + 1) / 2 * cell, bottom - (m + 0.5) * cell
        fill = legends[case].fill
        found.append(Box(x - 9, y - 9, 18, 18, fill, blend(fill, INK, 0.5)))
        found.append(Label(x, y, legends[case].letter, 12, colour=over(fill), bold=True))
    return found
