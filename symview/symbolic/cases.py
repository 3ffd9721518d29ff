"""The one case machine: what the producers find becomes cases, confirmed, filtered, shortened and joined.

A producer says where something holds, which forms have to be 0 there, and what shows it: row spaces
(`case_builder`), boundaries of symbolic shapes (`boundaries`), residues of strides (`by_stride`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from symview.answers import CaseData
from symview.errors import InternalError
from symview.logic import z3_door as smt
from symview.logic.budget import Budget
from symview.logic.polynomial import Poly
from symview.logic.terms import FALSE, TRUE, Term, conj, conjuncts, disj, names, negated, walk
from symview.symbolic.equations import Equations, equation, opaque_zero
from symview.symbolic.facts import Query

_BRIEF = 2_000_000  # equations with products may have no answer within any budget


class Needed(NamedTuple):
    """The equations that what is known does not imply; None where no integers satisfy them.

    `settled`: whether it is known that some integers do, or that none do.
    """

    forms: tuple[Poly, ...] | None
    settled: bool = True


def needed(query: Query, where: Term, equations: Equations) -> Needed:
    """The equations without those that the others and the facts imply."""
    if equations.impossible:
        return Needed(None)
    known = _about(query, where, equations)
    if not known and not equations.has_constants():
        return Needed(equations.forms)  # all zeros solve them
    zeros = [equation(f, query.algebra.opaque) for f in equations.forms]
    answer = smt.check([*known, *zeros], query.budget.at_most(_BRIEF))
    if isinstance(answer, smt.Unsat):
        return Needed(None)
    forms = list(equations.forms)
    for form in equations.forms if known else ():
        zero = equation(form, query.algebra.opaque)
        others = [z for z in zeros if z is not zero and z != zero]
        if is_impossible([*known, *others, negated(zero)], query.budget):
            forms.remove(form)
            zeros.remove(zero)
    return Needed(tuple(forms), not isinstance(answer, smt.Open))


def _about(query: Query, where: Term, equations: Equations) -> list[Term]:
    """What is known of the symbols of the equations, and of those that it ties them to."""
    reached = set(names(*(equation(f, query.algebra.opaque) for f in equations.forms)))
    facts, known = [*query.facts.formulas, where], list[Term]()
    grown = True
    while grown:
        grown = False
        for fact in facts:
            if fact not in known and reached.intersection(names(fact)):
                known.append(fact)
                reached.update(names(fact))
                grown = True
    return known


def confirmed(forms: Sequence[Poly], constraints: Sequence[Poly], budget: Budget) -> bool:
    """Z3: the equations and the patterns' constraints imply each other; False where it gave up."""
    if not forms and not any(constraints):
        return True
    left, right = (conj(map(opaque_zero, side)) for side in (forms, constraints))
    answer = smt.check([Term("not", (Term("<->", (left, right)),))], budget)
    if isinstance(answer, smt.Sat):
        raise InternalError(f"equations and constraints differ at {dict(answer.model)}")
    return isinstance(answer, smt.Unsat)


def allowed(query: Query, cases: Iterable[CaseData], filtered: bool = False) -> tuple[CaseData, ...]:
    """The cases that are possible, without what the assumptions say already; `filtered`: they all are."""
    cases = [replace(c, where=tidied(c.where, query.symbols)) for c in cases]
    if not query.assumed and (filtered or len(query.symbols) < 2):
        return tuple(cases)
    left = [c for c in cases if filtered or not is_impossible([*query.facts.formulas, c.where], query.budget)]
    return tuple([_shorter(query, c) for c in left]) if query.assumed else tuple(left)


def tidied(where: Term, order: Iterable[str]) -> Term:
    """The same without nesting and repetition: what has no division first, then equations, then by names."""
    rank = {name: n for n, name in enumerate(order)}

    def place(part: Term) -> tuple[bool, bool, int, list[int]]:
        used = names(part)
        divides = any(node.op in ("//", "%") for node in walk(part))
        return divides, part.op != "==", len(used), sorted(rank.get(n, len(rank)) for n in used)

    if where.op == "or":
        parts = [tidied(part, rank) for part in where.args]
        return TRUE if TRUE in parts else disj(parts)
    if where.op != "and":
        return where
    parts = [tidied(part, rank) for part in conjuncts(where)]
    return FALSE if FALSE in parts else conj(sorted(parts, key=place))


def _shorter(query: Query, case: CaseData) -> CaseData:
    """The case without the parts of its condition on sizes that the assumptions imply."""
    parts = list(conjuncts(case.where))
    kept = [p for p in parts if not is_impossible([*query.assumed, negated(p)], query.budget)]
    return case if len(kept) == len(parts) else replace(case, where=conj(kept))


def is_impossible(formulas: Iterable[Term], budget: Budget) -> bool:
    """Whether it is proved that no integers satisfy the formulas."""
    return isinstance(smt.check(formulas, budget), smt.Unsat)
