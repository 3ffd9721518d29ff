"""JAX's symbolic dims as terms, and the constraints of their scope as formulas.

A dim of JAX is a sum of products of variables, floordiv, mod, max and min, with Python's meaning; every variable is at
least 1. A scope has the constraints that its user wrote. This module only reads them: JAX's own operators would call
JAX's own comparisons.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symview.errors import InputError
from symview.logic.terms import Term, linear, names, num, sym

_OPERATORS = {"floordiv": "//", "mod": "%", "max": "max", "min": "min"}
_POWERS = 16  # of one factor; larger powers are rejected


def term_of(dim: Any) -> Term:
    """A dim of JAX, or a number, as a term over the names of its variables.

    Raises InputError if it is not a dim, or contains an unknown operation.

    >>> term_of(3)
    Term(op='int', args=(3,))
    """
    if hasattr(dim, "_sorted_terms"):
        parts = [(count, part._factors) for part, count in dim._sorted_terms]
        constant = sum(count for count, factors in parts if not factors)
        return linear(((count, _product(factors)) for count, factors in parts if factors), constant)
    try:
        return num(dim.__index__())
    except (AttributeError, TypeError):
        raise InputError(f"{dim!r} is not a dim: give an integer, or a symbolic dim of jax.export") from None


def constraints_of(scope: Any) -> tuple[Term, ...]:
    """The user's constraints in a scope, as JAX normalised them; none without a scope."""
    stated = () if scope is None else tuple(scope._explicit_constraints)
    return tuple([Term(_relation(c.cmp.name), (term_of(c.diff), num(0))) for c in stated])


def positive(terms: Iterable[Term]) -> tuple[Term, ...]:
    """The formulas that each variable in the terms is at least 1, which JAX presupposes.

    >>> positive([Term("+", (sym("a"), num(2)))])
    (Term(op='>=', args=(Term(op='sym', args=('a',)), Term(op='int', args=(1,)))),)
    """
    return tuple([Term(">=", (sym(name), num(1))) for name in names(*terms)])


def _product(factors: Iterable[tuple[Any, int]]) -> Term:
    parts = [part for factor, power in factors for part in (_factor(factor),) * _checked(power)]
    return parts[0] if len(parts) == 1 else Term("*", tuple(parts))


def _checked(power: int) -> int:
    if not 1 <= power <= _POWERS:
        raise InputError(f"a dim with the power {power}: powers up to {_POWERS} are supported")
    return power


def _factor(factor: Any) -> Term:
    if factor.var is not None:
        return sym(factor.var)
    if factor.operation not in _OPERATORS:
        raise InputError(f"{factor}: JAX's operation {factor.operation!r} is not known")
    return Term(_OPERATORS[factor.operation], tuple(map(term_of, factor.operands)))


def _relation(comparator: str) -> str:
    if comparator not in ("EQ", "GEQ"):
        raise InputError(f"JAX's comparison {comparator!r} is not known")
    return "==" if comparator == "EQ" else ">="
