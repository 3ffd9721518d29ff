"""Cases for people: all of them as one conjunction, or those that say the same of the strides as one line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from symview.answers import CaseData, ConditionsData, Status
from symview.cases.algebra import Algebra
from symview.cases.clauses import Clause, simplified
from symview.cases.finishing import TO_SAY, tidied
from symview.cases.query import Query
from symview.cases.shortening import LONG, by_structure, compared_anew, few_literals, in_context
from symview.logic.entailment import Entailment
from symview.logic.terms import (
    FALSE,
    TRUE,
    Term,
    comparisons,
    conj,
    conjuncts,
    disj,
    names,
    negated,
    node_count,
    nonzero_divisors,
    walk,
    with_comparisons,
)
from symview.show.formulas import enough_for, headline

_SHARE, _MOST, _LINES = 2, 1_000_000, 4  # of work for a line, and how many lines may take all of that
_LONGEST = 200  # comparisons


def with_summary(query: Query, data: ConditionsData) -> ConditionsData:
    """The answer with its cases in summary, where that is shorter and no clauses say it for all."""
    data = with_clauses(query, data)
    groups: dict[object, list[CaseData]] = {}
    for case in data.cases if data.clauses is None and not data.enough else ():
        groups.setdefault((case.status, case.required), []).append(case)
    if all(len(same) == 1 and _count(same[0].where) <= LONG for same in groups.values()):
        return data
    near = [e for case in data.cases for e in comparisons(case.where)]
    known = Entailment(query.facts.formulas, query.budget, near)
    query = query._replace(budget=query.budget.part(2, _LINES * _MOST))
    return replace(data, summary=tuple([line for same in groups.values() for line in _together(query, same, known)]))


def with_clauses(query: Query, data: ConditionsData) -> ConditionsData:
    """The answer as one conjunction, where that is shorter than a line for each case; without what is undecided.

    An equation is needed exactly where the equations of a case imply it. So it, or one of the other places, has to
    hold: these are the other cases, each without what it does not need to stay apart from where the equation is needed.
    """
    if data.clauses is not None or len(names(*(c.where for c in data.cases))) < 2:
        return data  # a table of one size stays a table
    said = [f for c in data.cases for f in (c.where, *c.required)]
    known = Entailment(
        query.facts.formulas, query.budget.part(_SHARE, _LINES * _MOST), [e for f in said for e in comparisons(f)]
    )
    divided = not all(known.impossible(negated(d)) for d in nonzero_divisors(said))
    if divided or any(t.op == "floor_sum" for f in said for t in walk(f)):
        return data
    inside = list(conjuncts(_plain(negated(_where(data.cases, Status.OUT_OF_BOUNDS)), query.algebra)))
    cases = [c for c in data.cases if c.status is not Status.OUT_OF_BOUNDS]
    here = known.also(*inside)
    wanted = dict.fromkeys(e for c in cases for e in _demands(c))
    found = [*(Clause((p,)) for p in inside), *(_clause(e, cases, here, query.algebra) for e in wanted)]
    terms = few_literals([c.term() for c in simplified(found, known)], known, query.algebra)
    clauses = tuple([_plain(c, query.algebra) for c in terms])
    short = replace(data, clauses=clauses, summary=())
    if any(c.status is Status.UNDECIDED for c in cases):
        doubt = _apart(
            [c for c in cases if c.status is Status.UNDECIDED],
            [c for c in cases if c.status is not Status.UNDECIDED],
            here,
            query.algebra,
        )
        short = replace(data, enough=clauses, doubt=disj(doubt))
    return short if len(headline(short)) < len(headline(data)) else data


def _where(cases: Sequence[CaseData], status: Status) -> Term:
    return disj(c.where for c in cases if c.status is status)


def _demands(case: CaseData) -> tuple[Term, ...]:
    """The equations of the case; `FALSE` where no integers satisfy them."""
    impossible = case.status is Status.NEVER or (
        case.status is Status.UNDECIDED and not enough_for(case) and case.required
    )
    return (FALSE,) if impossible else case.required


def _clause(equation: Term, cases: Sequence[CaseData], known: Entailment, algebra: Algebra) -> Clause:
    """That the equation holds, or that it is not needed."""
    needed = [c for c in cases if equation in _demands(c) or known.impossible(*_demands(c), negated(equation))]
    free = [c for c in cases if c not in needed]
    apart = [c for c in needed if equation == FALSE or c.status is not Status.NEVER]
    return Clause((*_apart(free, apart, known, algebra), *([equation] if equation != FALSE else [])))


def _apart(cases: Sequence[CaseData], others: Sequence[CaseData], known: Entailment, algebra: Algebra) -> list[Term]:
    """Where one of the cases is and none of the others, and perhaps more where none of both is."""
    left = list[Term]()
    apart = [a for c in others for a in alternatives(c.where)]
    for place in [a for c in cases for a in alternatives(c.where)]:
        if not any(known.impossible(place, negated(other)) for other in left):
            left.append(_plain(conj(expanded(conjuncts(place), apart, known)), algebra))
    return irredundant_places(left, known)


def expanded(where: Iterable[Term], apart: Sequence[Term], known: Entailment) -> list[Term]:
    """The conjunction without the parts that it does not need to stay apart from the others."""
    left = [p for p in where if p != TRUE and p not in known.said]
    for part in sorted(left, key=_price, reverse=True):
        rest = [p for p in left if p is not part]
        if all(known.impossible(*rest, other) for other in apart):
            left = rest
    return left


def irredundant_places(places: Sequence[Term], known: Entailment) -> list[Term]:
    """The parts of a disjunction that the others do not cover, long ones first."""
    left = list(places)
    for place in sorted(places, key=node_count, reverse=True):
        others = [p for p in left if p is not place]
        if len(others) < len(left) and known.impossible(place, *map(negated, others)):
            left = others
    return left


def _price(part: Term) -> tuple[bool, int, bool]:
    """What goes first: divisions, what is long, what differs."""
    return any(t.op in ("//", "%") for t in walk(part)), node_count(part), part.op == "!="


def _plain(formula: Term, algebra: Algebra) -> Term:
    return with_comparisons(formula, partial(compared_anew, algebra=algebra))


def alternatives(where: Term) -> Sequence[Term]:
    """The parts of a disjunction."""
    return where.args if where.op == "or" else (where,)


def _together(query: Query, cases: Sequence[CaseData], known: Entailment) -> Sequence[CaseData]:
    """One case for all of these, or each of them where that takes no more comparisons."""
    if any(node.op == "floor_sum" for case in cases for node in walk(case.where)):
        return cases  # of which solvers know nothing
    work = TO_SAY * node_count(*(case.where for case in cases))
    if work > query.budget.left() or query.budget.is_over():
        return cases
    query.budget.count(work)
    found = disj(a for case in cases for a in alternatives(case.where))
    brief = known.renewed(query.budget.part(_SHARE, _MOST))
    found = by_structure(in_context(found, brief, _LONGEST), query.algebra)
    if _count(found) > sum(_count(case.where) for case in cases):
        return cases
    return [replace(cases[0], where=tidied(found, query.symbols), view=None, witnesses=())]


def _count(where: Term) -> int:
    return sum(1 for _ in comparisons(where))
