"""Asks part of a question as a question of its own: where formulas hold, or at the few values of some names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from symview.answers import CaseData, ConditionsData, Status
from symview.cases.query import Query
from symview.cases.simplify.cases import in_fewer_words, simplified
from symview.errors import OutOfBounds, Undecided
from symview.logic.entailment import Entailment
from symview.logic.integer import Integer
from symview.logic.points import bounds_of
from symview.logic.solve import CASE, Open, Unsat, is_impossible, solve
from symview.logic.sympy_bridge import free_symbols
from symview.logic.terms import TRUE, Term, conj, conjuncts, disj, names, num, sym, value_of, walk
from symview.view import View

Ask = Callable[[Query], ConditionsData]  # computes the conditions for views
_MOST_VALUES = 12  # values of a name
_MOST_POINTS = 100  # combinations of values


def cases_of(part: Query, ask: Ask) -> Sequence[CaseData]:
    """The cases of a part of a question.

    For numbers with an address outside, `ask` raises OutOfBounds instead of returning a case. Here that becomes a case,
    unless no values satisfy the facts.
    """
    try:
        return ask(part).cases
    except OutOfBounds as outside:
        if is_impossible(part.facts.formulas, part.budget.at_most(CASE)):
            return ()
        return (CaseData(TRUE, Status.OUT_OF_BOUNDS, reason=str(outside)),)


def answered(query: Query, cases: Sequence[CaseData], known: Entailment) -> ConditionsData:
    """The answer with these cases, simplified."""
    return query.answer(simplified(cases, known, partial(in_fewer_words, query, known)))


def part_of(query: Query, views: Sequence[View], formulas: Sequence[Term]) -> Query:
    """The query about these views, restricted to where the formulas hold."""
    formulas = [f for f in formulas if f != TRUE]
    facts = query.facts._replace(formulas=(*query.facts.formulas, *formulas))
    return query._replace(views=tuple(views), assumed=(*query.assumed, *formulas), facts=facts)


def at_values(query: Query, point: Mapping[str, int], facts: Sequence[Term] = ()) -> Query:
    """The query after substituting numbers for some of its symbols, with more facts."""
    here = [Term("==", (sym(n), num(v))) for n, v in point.items()]
    known = query.facts._replace(formulas=(*query.facts.formulas, *facts, *here))
    views = tuple([_put(v, point) for v in query.views])
    return query._replace(views=views, assumed=known.formulas, facts=known)


def _put(view: View, values: Mapping[str, Integer]) -> View:
    """The view after substituting numbers for some of its symbols."""
    found = [x if isinstance(x, int) else x.put(values) for x in view.entries()]
    k, flat = view.rank, found[2 * view.rank + 1 :]
    mask = list(zip(flat[::2], flat[1::2], strict=True)) if flat else view.mask
    return View(found[:k], found[k : 2 * k], found[2 * k], mask)


def few_values(among: Iterable[str], facts: Sequence[Term]) -> tuple[str, list[int]] | None:
    """The name with the fewest values that its facts allow, and these values; None if all names have many.

    >>> from symview.logic.notation import parse_statement
    >>> few_values(["n", "T"], [parse_statement(f) for f in ("T >= 1", "6 % T == 0", "T != 2", "n >= 0", "n < 5")])
    ('T', [1, 3, 6])
    """
    found = [(n, v) for n in sorted(among) if (v := _values(n, facts)) is not None]
    return min(found, key=lambda nv: len(nv[1]), default=None)


def _values(name: str, facts: Sequence[Term]) -> list[int] | None:
    about = [part for f in facts for part in conjuncts(f) if names(part) == (name,)]
    ((low, high),) = bounds_of(about, [name])
    if low is None:
        return None
    if low > 0:
        tops = [f.args[0].args[0] for f in about if f.op == "==" and f.args[0].op == "%" and f.args[1] == num(0)]
        found = [abs(t.args[0]) for t in tops if t.op == "int" and t.args[0]]
        high = min([*found, *([] if high is None else [high])], default=None)
    high = min((h for f in about if (h := _highest(f, name)) is not None), default=None) if high is None else high
    if high is None or high - low >= 8 * _MOST_VALUES:
        return None
    left = [v for v in range(low, high + 1) if all(_holds(f, name, v) for f in about)]
    return left if 0 < len(left) <= _MOST_VALUES else None


def _highest(fact: Term, name: str) -> int | None:
    """The greatest value that an upper bound on a sum of nonnegative products allows; None for other facts."""
    if fact.op not in ("<", "<="):
        return None
    fact = Term(fact.op, (fact.args[0], _at_most(fact.args[1])))
    if names(fact.args[1]) or not _rises(fact.args[0]):
        return None
    return next((v - 1 for v in range(8 * _MOST_VALUES) if not _holds(fact, name, v)), None)


def _rises(term: Term) -> bool:
    """Whether the term is a sum of products without negative numbers."""
    return all(n.op in ("+", "*", "sym") or (n.op == "int" and n.args[0] >= 0) for n in walk(term))


def _at_most(term: Term) -> Term:
    """An upper bound of a sum of multiples: a remainder of a number by a name is at most the number."""
    if term.op == "%" and term.args[0].op == "int" and term.args[0].args[0] >= 0:
        return num(term.args[0].args[0])
    factors = [a for a in term.args if a.op != "int"] if term.op == "*" else []
    positive = all(a.op != "int" or a.args[0] >= 0 for a in term.args) if term.op == "*" else term.op == "+"
    return Term(term.op, tuple(map(_at_most, term.args))) if positive and len(factors) < 2 else term


def _holds(fact: Term, name: str, value: int) -> bool:
    try:
        return bool(value_of(fact, {name: value}))
    except ZeroDivisionError:
        return False


def by_few_values(query: Query, cases: Sequence[CaseData], ask: Ask) -> Iterator[CaseData]:
    """The cases; undecided ones are split by the values of symbols if these are few, except strides of the first view.

    `ask` answers the query at each combination of values.
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
        found = cases_of(at_values(query, point, [case.where]), ask)
    except Undecided as stop:
        found = [replace(case, reason=stop.reason)]
    tied = [] if set(names(case.where)) <= set(point) else [case.where]
    for one in found:
        yield replace(one, where=conj((*tied, *here, one.where)), witnesses=())


def _points(query: Query, where: Term) -> list[dict[str, int]] | None:
    """All values of the symbols other than strides and offset of the first view; None if they are many or unknown."""
    first, *others = query.views
    bounds = [x for pair in first.bounds() for x in pair]
    wanted = list(free_symbols([*first.shape, *bounds, *(x for v in others for x in v.entries())]))
    facts, found = [*query.facts.formulas, where], list[dict[str, int]]()
    while True:
        answer = solve(facts, query.budget.at_most(CASE))
        if isinstance(answer, Unsat):
            return found
        if isinstance(answer, Open) or len(found) == _MOST_POINTS:
            return None
        point = {n: answer.model.get(n, 0) for n in wanted}
        found.append(point)
        facts.append(disj(Term("!=", (sym(n), num(v))) for n, v in point.items()))
