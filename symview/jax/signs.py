"""The sign of a dim at all values of its variables, within a small budget, with a cache."""

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
_LARGEST = 400  # nodes of a dim and its facts; larger ones are left to JAX

Given = tuple[Term, ...]


def sign_of(dim: Any, less: str) -> str | None:
    """How the dim compares with 0 at all values: ">=", or `less`, which is "<" or "<="; None if neither is proved.

    JAX uses "<" to compare, and "<=" to build a max or a min, where one operand may suffice. If a divisor may be 0, or
    the constraints contradict each other, nothing is proved.
    """
    if less == "<=" and _keeps_forms(dim.scope):
        return None
    value = term_of(dim)
    given = facts_about(value, dim.scope)
    if given is None:
        return None
    return next((sign for sign in (">=", less) if always(given, Term(sign, (value, num(0))))), None)


def facts_about(value: Term, scope: Any) -> Given | None:
    """The facts that hold at all values of the variables; None if they or the term are not to be reasoned about.

    That is the case if they are too large, if the constraints contradict each other, or if a divisor in the term may
    be 0.
    """
    stated = constraints_of(scope)
    if node_count(value, *stated) > _LARGEST:
        return None
    given = _given(positive((value, *stated)), stated)
    return None if _never(given) or not _divides(given, value) else given


def always(given: Given, formula: Term) -> bool:
    """Whether the facts provably imply the comparison."""
    return _never((*given, _opposite(formula)))


def _keeps_forms(scope: Any) -> bool:
    """Whether a max or a min has to keep its form: in constraints, and if an equation of the scope contains one.

    JAX applies such an equation by replacing exactly this form.
    """
    factors = (factor for term in scope._normalization_rules for factor, _ in term._factors)
    return not scope._initialized or any(factor.operation in ("max", "min") for factor in factors)


def _given(positives: Given, stated: Sequence[Term]) -> Given:
    """The facts; a constraint is one only if its divisors cannot be 0, since otherwise it would imply more."""
    plain = [f for f in stated if all(d.op == "int" for d in divisors(f))]
    given = positives + tuple(plain)
    for fact in stated:
        if fact not in plain and _divides(given, fact):
            given += (fact,)
    return given


def _divides(given: Given, term: Term) -> bool:
    """Whether it is proved that no divisor in the term is 0."""
    return all(always(given, nonzero) for nonzero in nonzero_divisors([term]))


def _opposite(formula: Term) -> Term:
    return Term({">=": "<", "<": ">=", "<=": ">", "!=": "==", "==": "!="}[formula.op], formula.args)


@lru_cache(_KEPT)
def _never(formulas: Given) -> bool:
    return is_impossible(formulas, BUDGET.started())
