"""Divisions of dims that leave no remainder at any value of the variables, and their quotients as dims of JAX.

JAX divides as one divides polynomials, where a floordiv or a mod is one more variable: for it, t - mod(t, 4) is no
multiple of 4. The dims here are JAX's: sums of products with integer coefficients.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from math import gcd, prod
from operator import add
from typing import Any

from symview.jax.dims import term_of
from symview.jax.signs import Given, always, facts_about
from symview.logic.terms import Term, num

Division = Callable[[Any, Any], tuple[Any, Any]]


def even_quotient(dividend: Any, divisor: Any, own: Division) -> Any | None:
    """The dim q with q*divisor == dividend at all values; None unless that is proved.

    `own` is JAX's division. If the divisor, or one in the two dims, may be 0, or the scope is still reading its
    constraints, nothing is proved.
    """
    scope = dividend.scope
    if not scope._initialized or not _has_names_of_users(dividend, divisor):
        return None
    given = facts_about(Term("%", (term_of(dividend), term_of(divisor))), scope)
    if given is None:
        return None
    upper, lower = _without_mods(dividend), _without_mods(divisor)
    found = _as_polynomials(upper, lower, own)
    if found is not None:
        return found
    upper, lower = _without_common_factor(upper, lower)
    return _quotient(upper, lower, scope) if _divides(lower, upper, given) else None


def _as_polynomials(upper: Any, lower: Any, own: Division) -> Any | None:
    """JAX's quotient, if it leaves no remainder; what is a number by now is divided as one."""
    if not _is_symbolic(upper) and (upper == 0 or _is_symbolic(lower)):
        return 0 if upper == 0 else None
    found, rest = own(upper, lower) if _is_symbolic(upper) else divmod(upper, lower)
    return found if not _is_symbolic(rest) and rest == 0 else None


def _has_names_of_users(*dims: Any) -> bool:
    """Whether no variable is one of JAX's for an argument's size, such as `args[0].shape[1]`, which may be 0."""
    return all(name.isidentifier() for dim in dims if _is_symbolic(dim) for name in dim._get_vars())


def _without_mods(dim: Any) -> Any:
    """The dim with x - k*(x//k) for each mod(x, k), so that JAX sees the multiples; k is not 0."""
    if not _is_symbolic(dim):
        return dim
    parts = [[count, *(_without_mod(f, dim) ** power for f, power in term._factors)] for term, count in _terms(dim)]
    return reduce(add, map(prod, parts))


def _without_mod(factor: Any, dim: Any) -> Any:
    if factor.operation != "mod":
        return type(dim)._from_term(type(dim._leading_term[0]).from_factor(factor, 1), 1, dim.scope)
    upper, lower = factor.operands
    return upper - lower * type(dim)._from_operation("floordiv", upper, lower, scope=dim.scope)


def _without_common_factor(upper: Any, lower: Any) -> tuple[Any, Any]:
    """Two dims with the same quotient: their common factors are not 0 where the divisor is not 0."""
    both = [*_terms(upper), *_terms(lower)]
    count = gcd(*(count for _, count in both))
    if not (_is_symbolic(upper) and _is_symbolic(lower)):
        return _divided(upper, None, count), _divided(lower, None, count)
    powers: list[dict[Any, int]] = [dict(term._factors) for term, _ in both]
    common = ((f, min(p.get(f, 0) for p in powers)) for f in powers[0])
    factor = type(both[0][0])(tuple((f, power) for f, power in common if power))
    return _divided(upper, factor, count), _divided(lower, factor, count)


def _divided(dim: Any, factor: Any, count: int) -> Any:
    """The dim divided by count*factor, which divides each of its terms."""
    if not _is_symbolic(dim):
        return dim // count
    parts = [(term if factor is None else term.divide(factor), k // count) for term, k in _terms(dim)]
    return reduce(add, [type(dim)._from_term(term, k, dim.scope) for term, k in parts])


def _divides(lower: Any, upper: Any, given: Given) -> bool:
    return always(given, Term("==", (Term("%", (term_of(upper), term_of(lower))), num(0))))


def _quotient(upper: Any, lower: Any, scope: Any) -> Any:
    """upper//lower, which leaves no remainder, with positive leading coefficients within it."""
    if not _is_symbolic(lower) and abs(lower) == 1:
        return lower * upper
    signs = [1 if _terms(dim)[0][1] >= 0 else -1 for dim in (upper, lower)]
    dims = [sign * dim for sign, dim in zip(signs, (upper, lower), strict=True)]
    kind = next(type(dim) for dim in dims if _is_symbolic(dim))
    return prod(signs) * kind._from_operation("floordiv", *dims, scope=scope)


def _is_symbolic(dim: Any) -> bool:
    return hasattr(dim, "_sorted_terms")


def _terms(dim: Any) -> list[tuple[Any, int]]:
    return list(dim._sorted_terms) if _is_symbolic(dim) else [(None, dim)]
