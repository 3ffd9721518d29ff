"""Answers in plain text: what `str()` gives and what the command line prints.

An answer is a list of blocks, paragraphs and tables; `joined` lays them out without colours and
without cutting anything off. Digits of the outer view are named i1, i2, … as in the papers.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from symview.answers import (
    Case,
    Conditions,
    Counterexample,
    Kind,
    Status,
    TooWeak,
    Witness,
    clauses_text,
    equation_text,
    where_text,
)
from symview.engine import radix
from symview.engine.overflow import crossed
from symview.errors import Undecided
from symview.logic.budget import DEFAULT
from symview.logic.sympy_bridge import is_number, to_text
from symview.logic.terms import FALSE, Term, conj
from symview.view import View

if TYPE_CHECKING:
    from symview.questions.overflow_table import OverflowRow, OverflowTable


class Grid(NamedTuple):
    """A table: its header and its rows, every cell a text of lines, under a line of its own where it has a title."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""

    def plain(self) -> str:
        """Aligned columns, two spaces apart.

        >>> print(Grid(("i", "Equation"), (("0", ""), ("1", "σ̃ = σ2"))).plain())
        i  Equation
        0
        1  σ̃ = σ2
        """
        lines = [line for row in (self.header, *self.rows) for line in zip_longest(*_lines(row), fillvalue="")]
        widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
        text = [
            "  ".join(cell + " " * (w - _width(cell)) for cell, w in zip(line, widths, strict=True)).rstrip()
            for line in lines
        ]
        return "\n".join([self.title, *text] if self.title else text)


Block: TypeAlias = "str | Grid"


def joined(blocks: Iterable[Block]) -> str:
    """The blocks as one text, a blank line between them."""
    return "\n\n".join(b if isinstance(b, str) else b.plain() for b in blocks)


def overflow_text(table: OverflowTable) -> str:
    """An overflow table in words; where it lists every index, as the tables in the paper's section 4.

    >>> from symview import View, overflows
    >>> print(overflow_text(overflows(View.parse("(10,3,3):(σ1,σ2,σ3)"), View((4,), (4,)), every=True)))
    i  i1  i2  i3  Equation
    0  0   0   0
    1  0   1   1   σ̃ = σ2 + σ3
    2  0   2   2   σ̃ = σ2 + σ3
    3  1   1   0   σ1 + σ2 = 2σ2 + 2σ3 + σ̃
    """
    return joined(overflow_blocks(table))


def conditions_text(conditions: Conditions, explain: bool = False) -> str:
    """The answer first, then the merged view of each case; with `explain`, the evidence for each.

    >>> from symview import View, conditions
    >>> print(conditions_text(conditions(View.parse("(10,3,3):(a,b,c)"), View((4,), (4,)))))
    a = 2b + 3c
    <BLANKLINE>
    merged view
    (4):(b + c)
    """
    return joined(conditions_blocks(conditions, explain))


def counterexample_text(counterexample: Counterexample, *views: View) -> str:
    """The break as a person would tell it: what was expected, what was found, on which step.

    >>> from symview import View, merge
    >>> outer, inner = View((10, 3, 3), (1, 1, 1)), View((4,), (4,))
    >>> print(counterexample_text(merge(outer, inner), outer, inner))
    The views do not merge.
    At index (3) one view would reach address 6, the composition reaches 2.
    <BLANKLINE>
    step along axis 0  digits              overflow            moves by
    (0) to (1)         (0,0,0) to (0,1,1)  none                2
    (2) to (3)         (0,2,2) to (1,1,0)  i3 into i2 into i1  -2
    <BLANKLINE>
    A single view moves by the same amount on every step along an axis.
    """
    return joined(counterexample_blocks(counterexample, *views))


def merge_text(merged: View | Counterexample, *views: View) -> str:
    """The merged view in the notation, or why there is none."""
    return str(merged) if isinstance(merged, View) else counterexample_text(merged, *views)


# Overflows


def overflow_blocks(table: OverflowTable) -> Iterator[Block]:
    """The table, what its names mean, and whether something is missing."""
    if any(row.axis is None for row in table.rows):
        yield _every_index(table)
    elif table.rows:
        yield _by_pattern(table)
        yield f"{_digit_names(table.outer)}: the digits of the outer view; {_step_names(table)}."
    elif table.complete:
        yield f"No step: {table.inner} has no axis with two indices."
    if not table.complete:
        yield f"Not complete: {table.reason}."


def _every_index(table: OverflowTable) -> Grid:
    flat = table.inner.rank == 1
    header = (*(("i",) if flat else ("index", "axis")), *_digit_header(table.outer), "Equation")
    rows = [(*_place(row, flat), *map(str, row.digits), _equation(table, row)) for row in table.rows]
    return Grid(header, tuple(rows))


def _place(row: OverflowRow, flat: bool) -> tuple[str, ...]:
    if flat:
        return (str(row.index[0]),)
    return (_tuple(row.index), "" if row.axis is None else str(row.axis))


def _by_pattern(table: OverflowTable) -> Grid:
    down = [isinstance(t, int) and t < 0 for t in table.inner.strides]
    rows = [
        (
            str(row.axis), _tuple(row.index), _tuple(row.digits),
            carry_text(table.outer.shape, row.overflows, down[row.axis or 0]),
            _equation(table, row), _demand(row.condition),
        )
        for row in table.rows
    ]  # fmt: skip
    header = ("axis", "index", "digits", "overflow", "equation", "condition")
    first = 1 if table.inner.rank == 1 else 0
    return _filled(header[first:], [row[first:] for row in rows])


def carry_text(shape: Sequence[Any], places: Sequence[int], down: bool = False) -> str:
    """Which digit overflows into which at these place values; going down, which borrows from which.

    >>> carry_text((10, 3, 3), (9, 3)), carry_text((10, 3, 3), (3,), down=True), carry_text((10, 3, 3), ())
    ('i3 into i2 into i1', 'i3 borrows from i2', 'none')
    """
    kept = [n for n, size in enumerate(shape) if size != 1]
    runs: list[list[int]] = []
    for place, (upper, lower) in reversed(list(zip(radix.boundaries(shape), pairwise(kept), strict=True))):
        if place not in places:
            continue
        if not runs or runs[-1][-1] != lower:
            runs.append([lower])
        runs[-1].append(upper)
    word = " borrows from " if down else " into "
    return ", ".join(word.join(f"i{n + 1}" for n in run) for run in runs) or "none"


def _equation(table: OverflowTable, row: OverflowRow) -> str:
    return row.equation(table.step_name(row.axis))


def _demand(equation: Any) -> str:
    """The equation; without a symbol it is one that nothing satisfies."""
    if equation is None:
        return ""
    text = equation_text(equation)
    return text if equation.lhs.free_symbols or equation.rhs.free_symbols else f"impossible: {text}"


def _digit_header(outer: View) -> list[str]:
    return [f"i{n + 1}" for n in range(outer.rank)]


def _digit_names(outer: View) -> str:
    return ", ".join(_digit_header(outer)) or "no digits"


def _step_names(table: OverflowTable) -> str:
    axes = sorted({row.axis for row in table.rows if row.axis is not None})
    if len(axes) == 1:
        return f"{table.step_name(axes[0])}: the stride of the merged view"
    return f"{', '.join(map(table.step_name, axes))}: the strides of the merged view"


# Conditions


def conditions_blocks(conditions: Conditions, explain: bool = False) -> Iterator[Block]:
    """The headline, what stayed open or is never, the merged views, and, where asked for, the evidence."""
    yield _headline_of(conditions)
    for case in conditions.cases:
        if case.status is Status.UNDECIDED:
            yield f"Undecided{_for_sizes(case)}: {case.reason}."
    yield from _readable(_merged_views(conditions) if conditions.clauses is None else _answers(conditions))
    yield from _refusals(conditions)
    if explain and conditions.clauses is not None:
        yield from _evidence_of_clauses(conditions, conditions.clauses)
    elif explain:
        for case in conditions.cases:
            yield from _evidence(conditions, case)


def _headline_of(conditions: Conditions) -> str:
    """The headline; clauses that do not fit a line stand on lines of their own."""
    text, clauses = str(conditions), conditions.clauses or ()
    if len(text) <= _PAGE or len(clauses) < 2:
        return text if conditions.clauses is None else _folded(text, _PAGE)
    shown = [f"({clauses_text([c])})" if c.op == "or" else clauses_text([c]) for c in clauses]
    return "\nand ".join(_folded(s, _PAGE) for s in shown)


def _refusals(conditions: Conditions) -> Iterator[str]:
    """Why it is never so, where a reason or an equation between symbols tells it."""
    for case in conditions.cases:
        if case.status is Status.NEVER:
            symbolic = any(e.free_symbols for e in case.equations)
            why = f"no integers that are allowed satisfy {_all_of(case)}" if symbolic else ""
            why = case.reason if conditions.clauses is not None else why
            if why:
                yield f"Never{_for_sizes(case)}, since {why}."


def _merged_views(conditions: Conditions) -> Grid:
    rows = [(_where(case), *_views(case)) for case in conditions.cases if case.view is not None]
    return _filled((_what(conditions), "merged view", "with the equations used"), rows)


def _answers(conditions: Conditions) -> Grid:
    """Every case with its condition, which the headline of clauses does not tell; none where there is no view."""
    if len(conditions.cases) == 1 or all(case.view is None for case in conditions.cases):
        return _merged_views(conditions)
    rows = [(_where(case), _folded(case.headline()), *_views(case)) for case in conditions.cases]
    return _filled((_what(conditions), "condition", "merged view", "with the equations used"), rows)


def _what(conditions: Conditions) -> str:
    """What the cases are about."""
    return "values" if all(is_number(n) for v in conditions.views for n in v.shape) else "sizes"


def _where(case: Case) -> str:
    return _folded(where_text(case.where))


def _views(case: Case) -> tuple[str, str]:
    """The merged view as it comes, and where that is another one, with the equations used."""
    if case.view is None:
        return "", ""
    used = case.substituted()
    return str(case.view), "" if used == case.view else str(used)


def _for_sizes(case: Case) -> str:
    where = where_text(case.where)
    return f" for {where}" if where else ""


def _evidence(conditions: Conditions, case: Case) -> Iterator[Block]:
    lines = [] if case.witnesses else [f"Why {case}"]
    if case.witnesses:
        yield _witnesses(conditions, case)
    if case.status is Status.NEVER and case.equations:
        lines.append(f"impossible: no integers that are allowed satisfy {_all_of(case)}")
    whole = case.status in (Status.ALWAYS, Status.WHEN)
    lines.append(f"{'nothing is missing' if whole else 'reason'}: {case.reason}")
    if case.witnesses and case.status is not Status.UNDECIDED:
        confirmed = "confirmed by Z3" if case.confirmed else "not confirmed, since Z3 gave up within the budget"
        lines.append(f"{confirmed}: the overflows' constraints and these equations imply each other")
    yield "\n".join(lines)


def _evidence_of_clauses(conditions: Conditions, clauses: Sequence[Term]) -> Iterator[Block]:
    """Values at which all that is missing is one clause, for each of them, and why there are no more."""
    if FALSE in clauses:
        at, breaks = _broken_without(conditions, clauses, clauses.index(FALSE))
        yield f"For example{f' with {at}' if at else ''}: {breaks}."
    elif clauses:
        shown = [_folded(clauses_text([c])) for c in clauses]
        rows = [(s, *_broken_without(conditions, clauses, n)) for n, s in enumerate(shown)]
        yield Grid(("condition", "without it, at", "then"), tuple(rows), "What forces each condition")
    whole = [c.reason for c in conditions.cases if c.status in (Status.ALWAYS, Status.WHEN)]
    for reason in dict.fromkeys(whole):
        yield f"nothing is missing: {reason}"


def _broken_without(conditions: Conditions, clauses: Sequence[Term], n: int) -> tuple[str, str]:
    """Where the views do not merge though all the other clauses hold."""
    try:
        found = conditions.compare(conj([c for m, c in enumerate(clauses) if m != n]))
    except Undecided:
        return "not found within the budget", ""
    if not isinstance(found, TooWeak):
        return "", ""
    values = _folded(", ".join(f"{k} = {v}" for k, v in found.values.items()))
    return values, "the sizes do not agree" if found.index is None else f"it breaks at index {_tuple(found.index)}"


def _all_of(case: Case) -> str:
    return " and ".join(map(equation_text, case.equations))


def _witnesses(conditions: Conditions, case: Case) -> Grid:
    rows = [
        (_tuple(w.index), str(w.axis), _tuple(w.digits), _carried(conditions, case, w), _demand(w.equation))
        for w in case.witnesses
    ]  # fmt: skip
    inner = case.witnesses[0].inner
    seen = "" if inner is None else f", seen at {inner}"
    return Grid(("index", "axis", "digits", "overflow", "forces"), tuple(rows), f"Why {case}{seen}")


def _carried(conditions: Conditions, case: Case, witness: Witness) -> str:
    """What overflows on the witness' step, and on the axis' first step where something does."""
    views = conditions.views if witness.inner is None else (conditions.outer, witness.inner)
    here = _step(views, witness.index, witness.axis).overflow
    masked = any(v.mask is not None for v in views)
    if masked and (case.view is None or case.view.mask is None):
        return here
    lows = [low for low, _ in case.view.bounds()] if masked and case.view is not None else [0] * len(witness.index)
    first = _step(views, _unit_above(lows, witness.axis), witness.axis).overflow
    return here if first == "none" else f"{here}; on the first step {first}"


# Counterexamples


def counterexample_blocks(counterexample: Counterexample, *views: View) -> Iterator[Block]:
    """The break with its numbers, the step on which it shows, and why that is one."""
    given, index = _given(counterexample.values), _tuple(counterexample.index)
    note = "" if counterexample.smallest else " There may be a smaller such index."
    yield f"{_headline(counterexample.kind)}{given}.\nAt index {index} {_finding(counterexample, views)}.{note}"
    if counterexample.kind is Kind.DISAGREE:
        steps = _steps(counterexample, views)
        if steps is not None:
            yield steps
            yield "A single view moves by the same amount on every step along an axis."


def _headline(kind: Kind) -> str:
    match kind:
        case Kind.OUT_OF_BOUNDS:
            return "Out of bounds"
        case Kind.VALID | Kind.INVALID:
            return "The views do not merge, since no mask has the valid indices and no others"
    return "The views do not merge"


def _finding(found: Counterexample, views: Sequence[View]) -> str:
    match found.kind:
        case Kind.OUT_OF_BOUNDS:
            shape = _sizes(views[0].with_values(found.values))
            places = f"the outer shape {_tuple(shape)} has the places 0 to {prod(shape) - 1}"
            return f"the inner view is at place {found.got}; {places}"
        case Kind.VALID:
            return "the composition is valid, one view would not be"
        case Kind.INVALID:
            return "one view would be valid, the composition is not"
    return f"one view would reach address {found.expected}, the composition reaches {found.got}"


def _given(values: Mapping[str, int]) -> str:
    return " with " + ", ".join(f"{n} = {v}" for n, v in values.items()) if values else ""


class _Step(NamedTuple):
    """One step along an axis: from which index to which, what the digits do, and how far it moves."""

    indices: str
    digits: str
    overflow: str
    moves: str


def _steps(found: Counterexample, views: Sequence[View]) -> Grid | None:
    """The first step along the axis and the one that reaches the index; None where they tell nothing."""
    axis, index = found.axis, found.index
    numeric = [v.with_values(found.values) for v in views]
    lows = _lows(numeric)
    if axis is None or lows is None or index[axis] <= lows[axis]:
        return None
    first, last = _step(numeric, _unit_above(lows, axis), axis), _step(numeric, index, axis)
    if first.moves == last.moves:
        return None
    return Grid((f"step along axis {axis}", "digits", "overflow", "moves by"), (first, last))


def _lows(views: Sequence[View]) -> Sequence[int] | None:
    """The least valid index, from which the first steps go; None where that is not known."""
    if all(v.mask is None for v in views):
        return [0] * views[-1].rank
    if len(views) != 2:
        return None
    from symview.engine.valid_box import Region
    from symview.questions.merging import valid_region

    try:
        region = valid_region(views[0], views[1], DEFAULT)
    except Undecided:
        return None
    return region.lows if isinstance(region, Region) else None


def _step(views: Sequence[View], index: Sequence[int], axis: int) -> _Step:
    """The step that reaches the index along the axis."""
    before = tuple([i - (a == axis) for a, i in enumerate(index)])
    outer, shape = views[0], _sizes(views[0])
    old, new = _digits(views, before), _digits(views, index)
    start, step = radix.ravel(old, shape), radix.ravel(new, shape) - radix.ravel(old, shape)
    carried = carry_text(shape, crossed(radix.boundaries(shape), start, step), step < 0)
    moved = to_text(_address(outer, new) - _address(outer, old), "")
    return _Step(f"{_tuple(before)} to {_tuple(index)}", f"{_tuple(old)} to {_tuple(new)}", carried, moved)


# Small things


def _digits(views: Sequence[View], index: Sequence[int]) -> Sequence[int]:
    """Where in the first view's shape an index of the last one points to, masks aside."""
    here = index
    for below, view in reversed(list(pairwise(views))):
        here = radix.unravel(_address(view, here), _sizes(below))
    return here


def _address(view: View, index: Sequence[int]) -> Any:
    """The address of an index, masks aside."""
    total: Any = view.offset
    for i, stride in zip(index, view.strides, strict=True):
        total = total + i * stride
    return total


def _unit_above(lows: Sequence[int], axis: int) -> tuple[int, ...]:
    return tuple([low + (a == axis) for a, low in enumerate(lows)])


def _sizes(view: View) -> tuple[int, ...]:
    sizes: Any = view.shape
    return tuple(sizes)


def _tuple(values: Sequence[Any]) -> str:
    return f"({','.join(map(str, values))})"


def _readable(grid: Grid) -> Iterator[Grid]:
    """The table; where it is too wide for a page, each of its rows as a table of its own."""
    cells = [[max(map(_width, cell.split("\n"))) for cell in row] for row in (grid.header, *grid.rows)]
    if sum(max(column) + 2 for column in zip(*cells, strict=True)) <= _WIDE:
        yield from [grid] if grid.rows else []
        return
    for row in grid.rows:
        first, *others = [(name, cell) for name, cell in zip(grid.header, row, strict=True) if cell]
        yield Grid(first, tuple(others))


_WIDE = 130
_PAGE = 100
_CELL = 48
_JOINTS = re.compile(r" (?=and |or )|(?<=,) ")


def _folded(text: str, width: int = _CELL) -> str:
    """The text in lines of that width, broken before `and` and `or` and after commas, as far as these go.

    >>> print(_folded("a = 1 or b = 1 or s = b*t", 20))
    a = 1 or b = 1
    or s = b*t
    """
    lines: list[str] = []
    for part in _JOINTS.split(text):
        if lines and len(lines[-1]) + 1 + len(part) <= width:
            lines[-1] += f" {part}"
        else:
            lines.append(part)
    return "\n".join(lines)


def _lines(row: Sequence[str]) -> list[list[str]]:
    return [cell.split("\n") for cell in row]


def _filled(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Grid:
    """The table without the columns that are empty in every row."""
    kept = [n for n in range(len(header)) if any(row[n] for row in rows)]
    return Grid(tuple([header[n] for n in kept]), tuple([tuple([row[n] for n in kept]) for row in rows]))


def _width(text: str) -> int:
    """How many columns of a terminal the text takes; a combining tilde takes none."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
