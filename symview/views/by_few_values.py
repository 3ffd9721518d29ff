"""What is undecided where symbols have few values: each of them tried."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from symview.answers import CaseData, Status
from symview.cases.asking import Ask, asked, at_values
from symview.cases.query import Query
from symview.errors import Undecided
from symview.logic.solve import CASE, Open, Unsat, solve
from symview.logic.sympy_bridge import free_symbols
from symview.logic.terms import Term, conj, disj, names, num, sym

_MOST = 100  # combinations of values


def by_few_values(query: Query, cases: Sequence[CaseData], ask: Ask) -> Iterator[CaseData]:
    """The cases, undecided ones by the values of the symbols where these are few; strides of the first view stay open.

    `ask` answers where nothing else is a symbol.
    """
    for case in cases:
        points = None
        if case.status is Status.UNDECIDED and not query.budget.is_over():
            points = _points(query, case.where)
        if points is None:
            yield case
            continue
        for point in points:
            yield from _at(query, case, point, ask)


def _at(query: Query, case: CaseData, point: Mapping[str, int], ask: Ask) -> Iterator[CaseData]:
    """The cases at one combination of values."""
    here = [Term("==", (sym(n), num(v))) for n, v in point.items()]
    try:
        found = asked(at_values(query, point, [case.where]), ask)
    except Undecided as stop:
        found = [replace(case, reason=stop.reason)]
    tied = [] if set(names(case.where)) <= set(point) else [case.where]
    for one in found:
        yield replace(one, where=conj((*tied, *here, one.where)), witnesses=())


def _points(query: Query, where: Term) -> list[dict[str, int]] | None:
    """All values of what is no stride or offset of the first view; None where they are many, or not settled."""
    first, *others = query.views
    bounds = [x for pair in first.bounds() for x in pair]
    wanted = list(free_symbols([*first.shape, *bounds, *(x for v in others for x in v.entries())]))
    facts, found = [*query.facts.formulas, where], list[dict[str, int]]()
    while True:
        answer = solve(facts, query.budget.at_most(CASE))
        if isinstance(answer, Unsat):
            return found
        if isinstance(answer, Open) or len(found) == _MOST:
            return None
        point = {n: answer.model.get(n, 0) for n in wanted}
        found.append(point)
        facts.append(disj(Term("!=", (sym(n), num(v))) for n, v in point.items()))
