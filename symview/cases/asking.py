"""Parts of a question, asked as questions of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from symview.answers import CaseData, ConditionsData, Status
from symview.cases.query import Query
from symview.errors import OutOfBounds
from symview.logic.solve import CASE, is_impossible
from symview.logic.sympy_bridge import to_sympy, to_term
from symview.logic.terms import TRUE, Term, num, substituted, sym
from symview.view import View

Ask = Callable[[Query], ConditionsData]  # the conditions for views


def asked(part: Query, ask: Ask) -> Sequence[CaseData]:
    """The cases of a part of a question.

    Numbers of which an address is outside are refused, since they have no cases. Here they are one, unless no values
    meet the facts: what is asked where all addresses are inside.
    """
    try:
        return ask(part).cases
    except OutOfBounds as outside:
        if is_impossible(part.facts.formulas, part.budget.at_most(CASE)):
            return ()
        return (CaseData(TRUE, Status.OUT_OF_BOUNDS, reason=str(outside)),)


def part_of(query: Query, views: Sequence[View], formulas: Sequence[Term]) -> Query:
    """The part of the query where formulas hold, about these views."""
    formulas = [f for f in formulas if f != TRUE]
    facts = query.facts._replace(formulas=(*query.facts.formulas, *formulas))
    return query._replace(views=tuple(views), assumed=(*query.assumed, *formulas), facts=facts)


def at_values(query: Query, point: Mapping[str, int], facts: Sequence[Term] = ()) -> Query:
    """The query with numbers for some of its symbols, and more facts."""
    here = [Term("==", (sym(n), num(v))) for n, v in point.items()]
    known = query.facts._replace(formulas=(*query.facts.formulas, *facts, *here))
    views = tuple([_put(v, {n: num(x) for n, x in point.items()}, query) for v in query.views])
    return query._replace(views=views, assumed=known.formulas, facts=known)


def _put(view: View, values: Mapping[str, Term], query: Query) -> View:
    """The view with numbers for some of its symbols."""
    found = [to_sympy(substituted(to_term(x), values), query.symbols) for x in view.entries()]
    k, flat = view.rank, found[2 * view.rank + 1 :]
    mask = list(zip(flat[::2], flat[1::2], strict=True)) if flat else view.mask
    return View(found[:k], found[k : 2 * k], found[2 * k], mask)
