"""Cases for people: those that say the same of the strides as one, in as few comparisons as are found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symview.answers import CaseData, ConditionsData
from symview.cases.finishing import TO_SAY, tidied
from symview.cases.query import Query
from symview.cases.shortening import LONG, by_structure, in_context
from symview.logic.entailment import Entailment
from symview.logic.terms import Term, comparisons, disj, node_count, walk

_SHARE, _MOST, _LINES = 2, 1_000_000, 4  # of work for a line, and how many lines may take all of that
_LONGEST = 200  # comparisons


def with_summary(query: Query, data: ConditionsData) -> ConditionsData:
    """The answer with its cases in summary, where that is shorter and no clauses say it for all."""
    groups: dict[object, list[CaseData]] = {}
    for case in data.cases if data.clauses is None else ():
        groups.setdefault((case.status, case.required), []).append(case)
    if all(len(same) == 1 and _count(same[0].where) <= LONG for same in groups.values()):
        return data
    near = [e for case in data.cases for e in comparisons(case.where)]
    known = Entailment(query.facts.formulas, query.budget, near)
    query = query._replace(budget=query.budget.part(2, _LINES * _MOST))
    return replace(data, summary=tuple([line for same in groups.values() for line in _together(query, same, known)]))


def _together(query: Query, cases: Sequence[CaseData], known: Entailment) -> Sequence[CaseData]:
    """One case for all of these, or each of them where that takes no more comparisons."""
    if any(node.op == "floor_sum" for case in cases for node in walk(case.where)):
        return cases  # of which solvers know nothing
    work = TO_SAY * node_count(*(case.where for case in cases))
    if work > query.budget.left() or query.budget.is_over():
        return cases
    query.budget.count(work)
    alternatives = [a for case in cases for a in (case.where.args if case.where.op == "or" else (case.where,))]
    brief = known.renewed(query.budget.part(_SHARE, _MOST))
    found = by_structure(in_context(disj(alternatives), brief, _LONGEST), query.algebra)
    if _count(found) > sum(_count(case.where) for case in cases):
        return cases
    return [replace(cases[0], where=tidied(found, query.symbols), view=None, witnesses=())]


def _count(where: Term) -> int:
    return sum(1 for _ in comparisons(where))
