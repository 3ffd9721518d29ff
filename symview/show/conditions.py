"""Conditions in plain text: the answer first, then the merged views, and the evidence where it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from symview.answers import Status, TooWeak
from symview.errors import Undecided
from symview.logic.sympy_bridge import is_number, to_term
from symview.logic.terms import FALSE, Term, conj
from symview.show.formulas import clauses_text, equation_text, where_text
from symview.show.grid import PAGE, Block, Grid, filled, folded, joined, listed, readable
from symview.show.steps import step_to, unit_above

if TYPE_CHECKING:
    from symview.questions.conditions import Case, Conditions, Witness


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


def conditions_blocks(conditions: Conditions, explain: bool = False) -> Iterator[Block]:
    """The headline, what stayed open or is never, the merged views, and, where asked for, the evidence."""
    yield _headline_of(conditions)
    for case in conditions.cases:
        if case.status is Status.UNDECIDED:
            yield f"Undecided{_forsizes_of(case)}: {case.reason}."
    yield from readable(_merged_views(conditions) if conditions.clauses is None else _answers(conditions))
    yield from _refusals(conditions)
    if explain and conditions.clauses is not None:
        yield from _evidence_of_clauses(conditions, conditions.clauses)
    elif explain:
        for case in conditions.cases:
            yield from _evidence(conditions, case)


def _headline_of(conditions: Conditions) -> str:
    """The headline; clauses that do not fit a line stand on lines of their own."""
    text, clauses = str(conditions), conditions.clauses or ()
    if len(text) <= PAGE or len(clauses) < 2:
        return text if conditions.clauses is None else folded(text, PAGE)
    shown = [f"({clauses_text([c])})" if c.op == "or" else clauses_text([c]) for c in clauses]
    return "\nand ".join(folded(s, PAGE) for s in shown)


def _refusals(conditions: Conditions) -> Iterator[str]:
    """Why it is never so, where a reason or an equation between symbols tells it."""
    for case in conditions.cases:
        if case.status is Status.NEVER:
            symbolic = any(e.free_symbols for e in case.equations)
            why = f"no integers that are allowed satisfy {_all_of(case)}" if symbolic else ""
            why = case.reason if conditions.clauses is not None else why
            if why:
                yield f"Never{_forsizes_of(case)}, since {why}."


def _merged_views(conditions: Conditions) -> Grid:
    rows = [(_where(case), *_views(case)) for case in conditions.cases if case.view is not None]
    return filled((_what(conditions), "merged view", "with the equations used"), rows)


def _answers(conditions: Conditions) -> Grid:
    """Every case with its condition, which the headline of clauses does not tell; none where there is no view."""
    if len(conditions.cases) == 1 or all(case.view is None for case in conditions.cases):
        return _merged_views(conditions)
    rows = [(_where(case), folded(case.headline()), *_views(case)) for case in conditions.cases]
    return filled((_what(conditions), "condition", "merged view", "with the equations used"), rows)


def _what(conditions: Conditions) -> str:
    """What the cases are about."""
    return "values" if all(is_number(n) for v in conditions.views for n in v.shape) else "sizes"


def _where(case: Case) -> str:
    return folded(where_text(case.data.where))


def _views(case: Case) -> tuple[str, str]:
    """The merged view as it comes, and where that is another one, with the equations used."""
    if case.view is None:
        return "", ""
    used = case.substituted()
    return str(case.view), "" if used == case.view else str(used)


def _forsizes_of(case: Case) -> str:
    where = where_text(case.data.where)
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
        shown = [folded(clauses_text([c])) for c in clauses]
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
    values = folded(", ".join(f"{k} = {v}" for k, v in found.values.items()))
    return values, "the sizes do not agree" if found.index is None else f"it breaks at index {listed(found.index)}"


def _all_of(case: Case) -> str:
    return " and ".join(map(equation_text, case.data.required))


def _witnesses(conditions: Conditions, case: Case) -> Grid:
    rows = [
        (listed(w.index), str(w.axis), listed(w.digits), _carried(conditions, case, w), demand(w.equation))
        for w in case.witnesses
    ]  # fmt: skip
    inner = case.witnesses[0].inner
    seen = "" if inner is None else f", seen at {inner}"
    return Grid(("index", "axis", "digits", "overflow", "forces"), tuple(rows), f"Why {case}{seen}")


def _carried(conditions: Conditions, case: Case, witness: Witness) -> str:
    """What overflows on the witness' step, and on the axis' first step where something does."""
    views = conditions.views if witness.inner is None else (conditions.outer, witness.inner)
    here = step_to(views, witness.index, witness.axis).overflow
    masked = any(v.mask is not None for v in views)
    if masked and (case.view is None or case.view.mask is None):
        return here
    lows = [low for low, _ in case.view.bounds()] if masked and case.view is not None else [0] * len(witness.index)
    first = step_to(views, unit_above(lows, witness.axis), witness.axis).overflow
    return here if first == "none" else f"{here}; on the first step {first}"


def demand(equation: Any) -> str:
    """The equation; without a symbol it is one that nothing satisfies."""
    if equation is None:
        return ""
    text = equation_text(to_term(equation))
    return text if equation.lhs.free_symbols or equation.rhs.free_symbols else f"impossible: {text}"
