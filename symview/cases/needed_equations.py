"""Which equations of a row space are needed, and whether they are equivalent to what the overflows require."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from symview.cases.equations import Equations, equation, linear_zero, span
from symview.cases.query import Query
from symview.cases.simplify.clauses import irredundant
from symview.errors import InternalError
from symview.logic.budget import Budget
from symview.logic.polynomial import Monomial, Poly
from symview.logic.solve import CASE, Open, Sat, Unsat, is_impossible, solve
from symview.logic.terms import TRUE, Term, conj, names


class Needed(NamedTuple):
    """The equations that the facts do not imply; None if no integers satisfy them.

    `decided`: whether it is known that some integers satisfy them, or that none do.
    """

    forms: tuple[Poly, ...] | None
    decided: bool = True


def needed(query: Query, where: Term, equations: Equations) -> Needed:
    """The equations without those that the others and the facts imply."""
    if equations.impossible:
        return Needed(None)
    known = _about(query, where, equations)
    if not known and not equations.has_constants():
        return Needed(equations.forms)  # all zeros solve them
    zeros = [equation(f) for f in equations.forms]
    answer = solve([*known, *zeros], query.budget.at_most(CASE))
    if isinstance(answer, Unsat):
        return Needed(None)
    if not known:
        return Needed(equations.forms, not isinstance(answer, Open))
    left = irredundant(zeros, lambda *formulas: is_impossible([*known, *formulas], query.budget))
    forms = [form for form, zero in zip(equations.forms, zeros, strict=True) if zero in left]
    return Needed(tuple(forms), not isinstance(answer, Open))


def _about(query: Query, where: Term, equations: Equations) -> list[Term]:
    """The facts that share symbols with the equations, directly or through other facts."""
    facts, known = [f for f in (*query.facts.formulas, where) if f != TRUE], list[Term]()
    reached = {n for form in equations.forms for n in query.algebra.names(form)} if facts else set[str]()
    grown = True
    while grown:
        grown = False
        for fact in facts:
            if fact not in known and reached.intersection(names(fact)):
                known.append(fact)
                reached.update(names(fact))
                grown = True
    return known


def confirmed(equations: Equations, constraints: Sequence[Poly], order: Sequence[Monomial], budget: Budget) -> bool:
    """Whether the equations and the patterns' constraints imply each other; False if that is unknown.

    They do if each is a linear combination of the others. Otherwise Z3 decides.
    """
    if equations.space == span(constraints, order):
        return True
    left, right = (conj(map(linear_zero, side)) for side in (equations.forms, constraints))
    differ = Term("not", (Term("<->", (left, right)),))
    answer = solve([differ], budget)
    if isinstance(answer, Sat):
        raise InternalError(f"equations and constraints differ at {dict(answer.model)}")
    return isinstance(answer, Unsat)
