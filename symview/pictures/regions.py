"""The picture of conditions on one or two sizes: which case applies where, and the values where that changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from math import log2
from typing import NamedTuple, TypeAlias

from symview.answers import CaseData, ConditionsData, Status
from symview.errors import InputError
from symview.logic.points import bounds_of, true_at
from symview.logic.terms import names
from symview.pictures.shapes import (
    CASES,
    GREEN,
    INK,
    PALE,
    PAPER,
    Box,
    Disc,
    Label,
    Path,
    Picture,
    Shape,
    blend,
    width_of,
)
from symview.show.formulas import case_headline, where_text

Line: TypeAlias = Sequence[int | None]  # the case at each value of a size
_ALONE, _PAIR = 4096, 64  # values of a size that are tried
_SPANS = 14  # spans of one size; if there are more, single values are drawn
_CELLS = 48
_WIDE, _HIGH, _CELL = 460.0, 300.0, 26.0  # the maximal size of a plane, and of its cells
_EVEN = 20  # up to so many values are drawn equally wide; if there are more, doublings are
_BEGIN = 4.0  # from this value on, doublings are about equally wide
_FILLS = {Status.ALWAYS: GREEN, Status.NEVER: "#5a5a5a", Status.OUT_OF_BOUNDS: "#e6e6e6", Status.UNDECIDED: PAPER}
_HATCHED = (Status.OUT_OF_BOUNDS, Status.UNDECIDED)


class Legend(NamedTuple):
    """A case in the picture: its number, its colour, and its text."""

    number: str
    fill: str
    hatched: bool
    text: str


class Span(NamedTuple):
    """Values from `low` to `high` with the same case; None if the facts exclude them."""

    low: int
    high: int
    case: int | None


def picture_of_conditions(data: ConditionsData, title: str) -> Picture:
    """One size as a line, two sizes as a plane; cases have numbers and colours, and a legend below.

    InputError if the cases depend on no size, or on more than two.
    """
    cases = list(data.cases)
    axes = names(*[c.where for c in cases])
    if not 1 <= len(axes) <= 2:
        about = f"the cases differ by {', '.join(axes)}" if axes else "there is one case"
        raise InputError(f"a picture of conditions needs cases that one or two sizes tell apart: {about}")
    legends = _legends(cases)
    shapes: list[Shape] = [Label(14, 20, title, 14, "start", bold=True)]
    known = [f for f in data.facts if set(names(f)) <= set(axes)]
    low = [-_PAIR // 4 if least is None else least for least, _ in bounds_of(known, axes)]
    drawn = _line(data, cases, legends, axes[0], low[0]) if len(axes) == 1 else _plane(data, cases, legends, axes, low)
    shapes += drawn.shapes
    for n, s in enumerate(legends):
        y = drawn.bottom + 22 + n * 24
        shapes += [*_number(24, y, s.number), Box(42, y - 9, 24, 18, s.fill, hatched=s.hatched)]
        shapes.append(Label(74, y, s.text, 12, "start"))
    right = max(drawn.right, 14 + width_of(title, 14), *[74 + width_of(s.text, 12) for s in legends])
    legend = "; ".join(f"{s.number}  {s.text}" for s in legends)
    return Picture(right + 16, drawn.bottom + 22 + len(legends) * 24, tuple(shapes), title, legend)


def _number(x: float, y: float, number: str) -> list[Shape]:
    """A number in a circle, readable on every colour."""
    return [Disc(x, y, 9), Label(x, y, number, 12 if len(number) == 1 else 10, bold=True)]


def _legends(cases: Sequence[CaseData]) -> list[Legend]:
    """The numbered cases, in different colours unless they are hatched or very many."""
    seen: Counter[Status] = Counter()
    found = []
    for n, case in enumerate(cases, 1):
        fill = _FILLS.get(case.status) or CASES[seen[Status.WHEN] % len(CASES)]
        if case.status in _FILLS and case.status not in _HATCHED:
            fill = blend(fill, PAPER, min(0.4 * seen[case.status], 0.8))
        seen[case.status if case.status in _FILLS else Status.WHEN] += 1
        text = f"{where_text(case.where) or 'else'}: {case_headline(case)}"
        found.append(Legend(str(n), fill, case.status in _HATCHED, text))
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
                       *_number(x + wide / 2, y + height / 2, s.number)]  # fmt: skip
        shapes.append(Label(x + wide / 2, y + height + 14, text, 11, colour=INK))
        x += wide
    shapes.append(Path(((x, y + height / 2), (x + 24, y + height / 2)), PALE, 1.5, True))
    note = "not to scale"
    shapes.append(Label(x + 34, y + height / 2, note, 11, "start", PALE))
    return _Drawn(shapes, x + 34 + width_of(note, 11), y + height + 22)


def _plane(
    data: ConditionsData, cases: Sequence[CaseData], legends: Sequence[Legend], axes: Sequence[str], low: Sequence[int]
) -> _Drawn:
    """The values of two sizes: the first goes up, the second to the right."""
    rows = [[_case_at(data, cases, {axes[0]: low[0] + m, axes[1]: low[1] + n}) for n in range(_PAIR)]
            for m in range(_PAIR)]  # fmt: skip
    columns = [list(c) for c in zip(*rows, strict=True)]
    height, width = _extent(rows), _extent(columns)
    rows, columns = [row[:width] for row in rows[:height]], [column[:height] for column in columns[:width]]
    x0, y0 = 40 + width_of("000", 11), 60.0
    across, up = _borders(width, _WIDE), _borders(height, _HIGH)
    bottom = y0 + up[-1]
    xs, ys = [x0 + x for x in across], [bottom - y for y in up]
    shapes: list[Shape] = []
    for m, row in enumerate(rows):
        for span in _runs(row, 0):
            if span.case is not None:
                s, x = legends[span.case], xs[span.low]
                place = x, ys[m + 1], xs[span.high + 1] - x, ys[m] - ys[m + 1]
                shapes.append(Box(*place, s.fill, s.fill, 0.4, s.hatched))
    shapes += _outlines(rows, columns, xs, ys)
    shapes += _numbers(rows, legends, xs, ys)
    for n in _ticks(columns, across, 24, up):
        shapes.append(Label((xs[n] + xs[n + 1]) / 2, bottom + 12, str(low[1] + n), 11, colour=INK))
    for m in _ticks(rows, up, 14, across):
        shapes.append(Label(x0 - 6, (ys[m] + ys[m + 1]) / 2, str(low[0] + m), 11, "end"))
    shapes.append(Label(xs[-1] + 10, bottom - 8, axes[1], 13, "start", bold=True))
    shapes.append(Label(x0, y0 - 10, axes[0], 13, "middle", bold=True))
    if max(width, height) > _EVEN:
        shapes.append(Label(x0, bottom + 30, "larger values are drawn closer together", 11, "start", PALE))
        bottom += 18
    return _Drawn(shapes, xs[-1] + 20 + width_of(axes[1]), bottom + 20)


def _extent(lines: Sequence[Line]) -> int:
    """The number of lines that show all changes, and a few more."""
    last = max((n for n in range(1, len(lines)) if lines[n] != lines[n - 1]), default=1)
    return min(len(lines), max(last + 2 + last // 6, 6))


def _borders(count: int, most: float) -> list[float]:
    """The positions at which values begin, and the end of the last: evenly spaced, or, for many, ever closer together.

    >>> _borders(3, 60.0), [round(x) for x in _borders(64, 460.0)[:5]]
    ([0.0, 20.0, 40.0, 60.0], [0, 36, 66, 91, 113])
    """
    if count <= _EVEN:
        cell = min(_CELL, most / count)
        return [n * cell for n in range(count + 1)]
    whole = log2(1 + count / _BEGIN)
    return [most * log2(1 + n / _BEGIN) / whole for n in range(count + 1)]


def _outlines(rows: Sequence[Line], columns: Sequence[Line], xs: Sequence[float], ys: Sequence[float]) -> list[Shape]:
    """The borders between cases, which separate them even without colours."""
    level = [((xs[a], ys[m]), (xs[b], ys[m])) for m, a, b in _changes(rows)]
    upright = [((xs[n], ys[a]), (xs[n], ys[b])) for n, a, b in _changes(columns)]
    return [Path(ends, INK, 1.2) for ends in level + upright]


def _changes(lines: Sequence[Line]) -> Iterator[tuple[int, int, int]]:
    """(line, start, end): between start and end, the cases differ from the previous line's; there are none outside.

    >>> list(_changes([[1, 1], [1, 2]]))
    [(0, 0, 2), (1, 1, 2), (2, 0, 2)]
    """
    outside: Line = [None] * len(lines[0])
    for n, pair in enumerate(pairwise([outside, *lines, outside])):
        for changed, run in groupby(range(len(outside)), key=[a != b for a, b in zip(*pair, strict=True)].__getitem__):
            if changed:
                at = [*run]
                yield n, at[0], at[-1] + 1


def _ticks(lines: Sequence[Line], at: Sequence[float], apart: float, others: Sequence[float]) -> list[int]:
    """The lines that get labels: the first, the last, and those with most changes, as far apart as labels need."""
    lengths = [b - a for a, b in pairwise(others)]
    changed = {n: sum(w for w, a, b in zip(lengths, lines[n], lines[n - 1], strict=True) if a != b)
               for n in range(1, len(lines))}  # fmt: skip
    found: list[int] = []
    for n in [0, *sorted(changed, key=lambda n: -changed[n]), len(lines) - 1]:
        middle = (at[n] + at[n + 1]) / 2
        enough = n in (0, len(lines) - 1) or changed[n] * 50 > sum(lengths)
        if enough and all(abs(middle - (at[k] + at[k + 1]) / 2) >= apart for k in found):
            found.append(n)
    return found


def _numbers(rows: Sequence[Line], legends: Sequence[Legend], xs: Sequence[float], ys: Sequence[float]) -> list[Shape]:
    """The number of each case, in the middle of its widest run."""
    found: list[Shape] = []
    for case in sorted({c for row in rows for c in row if c is not None}):
        runs = [(round(xs[s.high + 1] - xs[s.low], 6), m, s) for m, row in enumerate(rows) for s in _runs(row, 0)
                if s.case == case]  # fmt: skip
        widest = max(r[0] for r in runs)
        wide = [r for r in runs if r[0] == widest]
        middle = (ys[wide[0][1]] + ys[wide[-1][1] + 1]) / 2
        _, m, span = min(wide, key=lambda r: abs((ys[r[1]] + ys[r[1] + 1]) / 2 - middle))
        found += _number((xs[span.low] + xs[span.high + 1]) / 2, (ys[m] + ys[m + 1]) / 2, legends[case].number)
    return found
