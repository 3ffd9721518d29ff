"""Conditions in plain text: the answer first, then the merged views, and on request the evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Protocol, TypeVar

from symview.answers import CaseData, GuardVerdict, Status, TooWeak, WitnessData
from symview.counterexample import values_text
from symview.engine.index_map import index_text
from symview.errors import Undecided
from symview.logic.sympy_bridge import free_symbols, is_number, to_term
from symview.logic.terms import FALSE, Term, conj, factors_in_order, names
from symview.show.formulas import (
    WHOLE,
    Line,
    brief_where,
    case_headline,
    case_text,
    clauses_text,
    conjuncts_of,
    equation_text,
    exactly,
    listed,
)
from symview.show.grid import PAGE, Block, Grid, filled, folded, readable
from symview.show.steps import Step, setting_blocks, step_to, unit_above, window_blocks
from symview.view import View
from symview.view_notation import view_text

Item = TypeVar("Item")
_MAX_CASES = 6  # cases that are printed if there are many


class ExplainableCase(Protocol):
    """A case, and its merged view with symbols."""

    @property
    def data(self) -> CaseData:
        """The case as formulas."""

    @property
    def view(self) -> View | None:
        """The merged view, not simplified by the equations."""

    def substituted(self) -> View | None:
        """The merged view after substituting the equations."""


class Explainable(Protocol):
    """Conditions that can be explained: `compare` shows what a missing clause would accept."""

    def headline(self, rest: str | None = None) -> str:
        """The conditions by cases; if `rest` says how to see everything, shortened for people."""

    @property
    def views(self) -> tuple[View, ...]:
        """The views, the one that lays out memory first."""

    @property
    def cases(self) -> Sequence[ExplainableCase]:
        """The cases."""

    @property
    def clauses(self) -> tuple[Term, ...] | None:
        """The whole condition as a conjunction, if it is known as one."""

    def compare(self, guard: Term | str) -> GuardVerdict:
        """Compares a guard with the condition."""


def conditions_blocks(conditions: Explainable, explain: bool = False, rest: str | None = None) -> Iterator[Block]:
    """The headline, the undecided and impossible cases, the merged views, and on request the evidence.

    If `rest` says how to see everything, the text is shortened for people.

    >>> from symview import View, conditions
    >>> list(map(str, conditions_blocks(conditions(View.parse("(10,3,3):(a,b,c)"), View((4,), (4,))))))[0]
    'a = 2*b + 3*c'
    """
    yield _headline_of(conditions, rest)
    open_ = [c for c in conditions.cases if c.data.status is Status.UNDECIDED]
    yield from _few((f"Undecided{_for_sizes(c, rest)}: {c.data.reason}." for c in open_), "undecided case", rest)
    cases = [c for c in conditions.cases if c.data.view is not None]
    several = conditions.clauses is not None and len(cases) > 1
    few = _first(cases, rest)
    yield from readable(_merged_views(conditions, few, several, rest))
    if len(few) < len(cases):
        yield f"{len(few)} of {len(cases)} cases are shown ({rest})."
    yield from _few(_refusals(conditions, explain, rest), "case in which it is never so", rest)
    if explain:
        yield from setting_blocks(conditions.views)
        yield from window_blocks(conditions.views)
    if explain and conditions.clauses is not None:
        yield from _evidence_of_clauses(conditions, conditions.clauses)
    elif explain:
        for case in conditions.cases:
            yield from _evidence(conditions, case)


def sentence_blocks(conditions: Any, yes: str, no: str, rest: str | None = None) -> Iterator[Block]:
    """The condition as a sentence, "dense exactly if n = 1"; of several cases, what holds in each, and what is open.

    `yes` and `no` are what holds and what does not: "dense", "not dense". If `rest` says how to see everything, the
    text is shortened for people.
    """
    headline = conditions.headline(rest)
    if conditions.clauses is not None or headline in ("always", "never"):
        subject, _, what = yes.rpartition(" ")
        yield f"{subject} {exactly(what, headline)}".lstrip()
        return
    yield f"undecided for some values: {_what_may_decide(conditions)}"
    said = {"always": yes, "never": no}
    lines = [line.rpartition(": ") for line in headline.split("\n")]
    yield "\n".join(f"{where}{colon}{said.get(status, status)}" for where, colon, status in lines)
    for case in conditions.data.cases:
        if case.status is Status.UNDECIDED:
            yield f"Undecided elsewhere: {case.reason}."


def _what_may_decide(conditions: Any) -> str:
    """What to add to a question of which some case is undecided: most depend on the strides of that case."""
    open_ = names(*(c.where for c in conditions.data.cases if c.status is Status.UNDECIDED))
    strides = [n for n in free_symbols([t for v in conditions.views for t in v.strides]) if n in open_]
    about = ", ".join(strides or open_)
    return f"add an assumption about {about}, or give values" if about else "give values"


def _headline_of(conditions: Explainable, rest: str | None) -> str:
    """The headline; clauses that do not fit on a line get lines of their own."""
    text, clauses = conditions.headline(rest), conditions.clauses or ()
    if len(text) <= PAGE or len(clauses) < 2:
        return text if conditions.clauses is None else folded(text, PAGE)
    lines = conjuncts_of(clauses, conditions.views)
    return listed([line._replace(tell=partial(_folded, line)) for line in lines], rest, "condition", "\nand ")


def _folded(line: Line) -> str:
    return folded(line.tell(), PAGE)


def _few(lines: Iterable[str], what: str, rest: str | None) -> Iterator[str]:
    """The lines; if `rest` says how to see everything, only the first ones."""
    found = list(lines)
    yield from (few := _first(found, rest))
    if len(few) < len(found):
        yield f"{len(few)} of {len(found)} {what}s are shown ({rest})."


def _first(items: Sequence[Item], rest: str | None) -> Sequence[Item]:
    """The items; if `rest` says how to see everything and several would be left out, the first ones."""
    return items if rest is None or len(items) <= _MAX_CASES + 1 else items[:_MAX_CASES]


def _refusals(conditions: Explainable, explain: bool, rest: str | None) -> Iterator[str]:
    """Why a case is impossible: an equation between symbols, the index that breaks, or the evidence's reason."""
    for case in conditions.cases:
        if case.data.status is Status.NEVER:
            why = "" if conditions.clauses is not None else _why_never(conditions, case)
            why = why or ("" if explain and conditions.clauses is None else case.data.reason)
            if why:
                yield f"Never{_for_sizes(case, rest)}, since {why}."


def _why_never(conditions: Explainable, case: ExplainableCase) -> str:
    if names(*case.data.required):
        return f"no integers that are allowed satisfy {_all_of(case)}"
    broken = next((w for w in case.data.witnesses if not names(w.required)), None)
    if broken is None:
        return ""
    step = f"the step to index {index_text(broken.index)} along axis {broken.axis}"
    steps = _steps(conditions, case, broken)
    if steps is None or steps[1] is None:
        return f"{step} moves by another amount than the first step along it"
    return f"{step} moves by {steps[0].moves}, the first step along it by {steps[1].moves}"


def _merged_views(conditions: Explainable, cases: Sequence[ExplainableCase], several: bool, rest: str | None) -> Grid:
    """The merged view of each case, and, if that differs, after substituting the equations.

    A headline of clauses does not show the conditions of cases: then each case has its own, unless it is the only one.
    """
    rows, order = [], list(free_symbols([x for v in conditions.views for x in v.entries()]))
    for case in cases:
        view, used = case.view, case.substituted()
        shown = (_view_text(view, order, rest), "" if used == view else _view_text(used, order, rest))
        where = folded(brief_where(case.data.where, rest)) if several or conditions.clauses is None else ""
        rows.append((where, folded(case_headline(case.data)) if several else "", *shown))
    of_sizes = any(not is_number(n) for v in conditions.views for n in v.shape)
    header = ("sizes" if of_sizes else "values", "condition", "merged view", "simplified by the condition")
    return filled(header, rows)


def _view_text(view: View | None, order: Sequence[str], rest: str | None) -> str:
    """The view, with the names of each product in this order; cut if `rest` says how to see everything."""
    if view is None:
        return ""

    def entry(x: Any) -> Any:
        return x if is_number(x) else factors_in_order(to_term(x), order)

    mask = (
        view.mask if view.mask is None or isinstance(view.mask, str) else [(entry(a), entry(b)) for a, b in view.mask]
    )
    text = view_text([*map(entry, view.shape)], [*map(entry, view.strides)], entry(view.offset), mask)
    return text if rest is None or len(text) <= WHOLE else f"{text[:WHOLE]} …"


def _for_sizes(case: ExplainableCase, rest: str | None) -> str:
    where = brief_where(case.data.where, rest)
    return f" for {where}" if where else ""


def _evidence(conditions: Explainable, case: ExplainableCase) -> Iterator[Block]:
    lines = [] if case.data.witnesses else [f"Why {case_text(case.data)}"]
    if case.data.witnesses:
        yield _witnesses(conditions, case)
    if case.data.status is Status.NEVER and case.data.required:
        lines.append(f"impossible: no integers that are allowed satisfy {_all_of(case)}")
    whole = case.data.status in (Status.ALWAYS, Status.WHEN)
    lines.append(f"{'complete' if whole else 'reason'}: {case.data.reason.removeprefix('exact: ')}")
    if case.data.witnesses and case.data.status is not Status.UNDECIDED:
        checked = "checked" if case.data.confirmed else "not checked, since Z3 gave up within the budget"
        lines.append(f"{checked}: the equations printed are equivalent to those of all overflows")
    yield "\n".join(lines)


def _evidence_of_clauses(conditions: Explainable, clauses: Sequence[Term]) -> Iterator[Block]:
    """For each clause, values at which only this clause fails; and why no further clause is needed."""
    if FALSE in clauses:
        at, breaks = _broken_without(conditions, clauses, clauses.index(FALSE))
        yield f"For example{f' with {at}' if at else ''}: {breaks}."
    elif clauses:
        shown = [folded(clauses_text([c])) for c in clauses]
        rows = [(s, *_broken_without(conditions, clauses, n)) for n, s in enumerate(shown)]
        yield Grid(("condition", "without it, at", "then"), tuple(rows), "What forces each condition")
    whole = [c.data.reason for c in conditions.cases if c.data.status in (Status.ALWAYS, Status.WHEN)]
    for reason in dict.fromkeys(whole):
        yield f"complete: {reason.removeprefix('exact: ')}"


def _broken_without(conditions: Explainable, clauses: Sequence[Term], n: int) -> tuple[str, str]:
    """Values at which the views do not merge although all other clauses hold, and where it breaks."""
    try:
        found = conditions.compare(conj([c for m, c in enumerate(clauses) if m != n]))
    except Undecided:
        return "not found within the budget", ""
    if not isinstance(found, TooWeak):
        return "", ""
    values = folded(values_text(found.values))
    return values, "the sizes do not agree" if found.index is None else f"it breaks at index {index_text(found.index)}"


def _all_of(case: ExplainableCase) -> str:
    return " and ".join(map(equation_text, case.data.required))


def _witnesses(conditions: Explainable, case: ExplainableCase) -> Grid:
    rows = []
    for w in case.data.witnesses:
        steps = _steps(conditions, case, w)
        carried = "" if steps is None else steps[0].overflow
        if steps is not None and steps[1] is not None and steps[1].overflow != "none":
            carried += f"; on the first step {steps[1].overflow}"
        rows.append((index_text(w.index), str(w.axis), index_text(w.digits), carried, demand(w.required)))
    inner = case.data.witnesses[0].inner
    seen = "" if inner is None else f", seen at {inner}"
    return Grid(("index", "axis", "digits", "overflow", "forces"), tuple(rows), f"Why {case_text(case.data)}{seen}")


def _steps(conditions: Explainable, case: ExplainableCase, witness: WitnessData) -> tuple[Step, Step | None] | None:
    """The witness' step, and the first step of the axis from the least valid index; None if that index is unknown.

    With a mask it is known if the merged view has a mask. Sizes with names have no digits in numbers: None.
    """
    views = conditions.views if witness.inner is None else (conditions.views[0], witness.inner)
    if not all(is_number(n) for view in views[:-1] for n in view.shape):
        return None
    here, lows = step_to(views, witness.index, witness.axis), [0] * len(witness.index)
    if any(v.mask is not None for v in views):
        if case.view is None or case.view.mask is None:
            return here, None
        lows = [low for low, _ in case.view.bounds()]
    return here, step_to(views, unit_above(lows, witness.axis), witness.axis)


def demand(equation: Term) -> str:
    """The equation; one without a symbol is impossible."""
    text = equation_text(equation)
    return text if names(equation) else f"impossible: {text}"
