"""The sign of a dim at all values of its variables, within a small budget; what was asked before is remembered."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from symview.jax.dims import constraints_of, positive, term_of
from symview.logic.budget import Budget
from symview.logic.solve import HINT, is_impossible
from symview.logic.terms import Term, divisors, node_count, nonzero_divisors, num

BUDGET = Budget(work=HINT)
_KEPT = 4096
_LARGEST = 400  # nodes of a dim and of what is known; larger ones are left to JAX

Given = tuple[Term, ...]


def sign_of(dim: Any, less: str) -> str | None:
    """How the dim compares with 0 at all values: ">=", or `less`, which is "<" or "<="; None where neither is shown.

    JAX asks for "<" to compare, and for "<=" where it builds a max or a min, of which one operand may do. A divisor
    that may be 0, and constraints that contradict each other, show nothing.
    """
    if less == "<=" and _keeps_forms(dim.scope):
        return None
    value, stated = term_of(dim), constraints_of(dim.scope)
    if node_count(value, *stated) > _LARGEST:
        return None
    given = _given(positive((value, *stated)), stated)
    if _never(given) or not _divides(given, value):
        return None
    return next((sign for sign in (">=", less) if _always(given, Term(sign, (value, num(0))))), None)


def _keeps_forms(scope: Any) -> bool:
    """Whether a max or a min has to stay as it is written: in constraints, and where one says what it is equal to.

    JAX uses such an equation by replacing this very form.
    """
    factors = (factor for term in scope._normalization_rules for factor, _ in term._factors)
    return not scope._initialized or any(factor.operation in ("max", "min") for factor in factors)


def _given(always: Given, stated: Sequence[Term]) -> Given:
    """What is taken for granted: a constraint only where what it divides by cannot be 0, or it would say more."""
    plain = [f for f in stated if all(d.op == "int" for d in divisors(f))]
    given = always + tuple(plain)
    for fact in stated:
        if fact not in plain and _divides(given, fact):
            given += (fact,)
    return given


def _divides(given: Given, term: Term) -> bool:
    """Whether it is proved that nothing in the term divides by 0."""
    return all(_always(given, nonzero) for nonzero in nonzero_divisors([term]))


def _always(given: Given, formula: Term) -> bool:
    return _never((*given, _opposite(formula)))


def _opposite(formula: Term) -> Term:
    return Term({">=": "<", "<": ">=", "<=": ">", "!=": "=="}[formula.op], formula.args)


@lru_cache(_KEPT)
def _never(formulas: Given) -> bool:
    return is_impossible(formulas, BUDGET.started())
