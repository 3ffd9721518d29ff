"""Irreducible factors of polynomials in which some name has at most the power 2; sympy finds those of others."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache, reduce
from math import gcd, isqrt
from typing import Any

from symview.errors import NotSupported
from symview.logic.polynomial import ONE, UNIT, Monomial, Poly, divided, minus, negative, over, plus, times

_MOST = 16  # terms of a polynomial that is factored here: with more, sympy is faster


def irreducible_factors(p: Poly) -> tuple[Poly, ...]:
    """The irreducible factors of p != 0, each once, without numbers, with positive leading coefficients.

    >>> irreducible_factors({("a", "a"): 2, ("b", "b"): -2})
    ({('a',): 1, ('b',): -1}, {('a',): 1, ('b',): 1})
    """
    return _factors(tuple(sorted(p.items())))


@lru_cache(maxsize=4096)  # one condition has the same polynomial in many places
def _factors(terms: tuple[tuple[Monomial, int], ...]) -> tuple[Poly, ...]:
    found = None
    with suppress(NotSupported):  # products of too many terms on the way
        found = _split(_primitive(dict(terms))) if len(terms) <= _MOST else None
    if found is None:
        return _by_sympy(terms)
    order = sorted({name for m, _ in terms for name in m})
    upright = [_upright(f, order) for f in found]
    unique = {frozenset(f.items()): (len(d := _dense(f, order)), upright.count(f), d, f) for f in upright}
    return tuple([f for *_, f in sorted(unique.values(), key=lambda entry: entry[:3])])


def lowest_terms(p: Poly, q: Poly) -> tuple[Poly, Poly]:
    """P/q, q != 0, without common factors; the denominator's leading coefficient is positive.

    >>> lowest_terms({("a", "b"): 4, ("a",): 2}, {("b",): -4, (): -2})
    ({('a',): -1}, {(): 1})
    """
    if not p:
        return {}, UNIT
    try:
        common = _gcd(p, q) if max(len(p), len(q)) <= _MOST else _gcd_by_sympy(p, q)
    except NotSupported:  # products of too many terms on the way
        common = _gcd_by_sympy(p, q)
    p, q = _exactly(p, common), _exactly(q, common)
    return (p, q) if q[_lead(q)] > 0 else (negative(p), negative(q))


def _split(p: Poly) -> list[Poly] | None:
    """The factors of p, whose coefficients have no common divisor; None if every name has a power of 3 or more."""
    names = {name for m in p for name in m}
    if not names:
        return []
    powers = {name: max(m.count(name) for m in p) for name in names}
    x = min(sorted(names), key=powers.__getitem__)
    if powers[x] > 2:
        return None
    parts = _by_powers(p, x)
    common = _gcd(*parts.values())
    if set(common) != {ONE}:
        rest = _split(_exactly(p, common))
        others = _split(common)
        return None if rest is None or others is None else [*others, *rest]
    root = None if powers[x] < 2 else _root(_discriminant(parts))
    if root is None:
        return [p]  # linear, or without a root
    bent = plus(times({(x,): 2}, parts[2]), parts.get(1, {}))
    sides = [_without_content(f, x) for f in (minus(bent, root), plus(bent, root))]
    return [f for f in sides if f]


def _discriminant(parts: dict[int, Poly]) -> Poly:
    b = parts.get(1, {})
    return minus(times(b, b), times({ONE: 4}, times(parts[2], parts.get(0, {}))))


def _without_content(p: Poly, x: str) -> Poly:
    return _exactly(p, _gcd(*_by_powers(p, x).values()))


def _by_powers(p: Poly, x: str) -> dict[int, Poly]:
    """The coefficients of the powers of x."""
    found: dict[int, Poly] = {}
    for m, c in p.items():
        found.setdefault(m.count(x), {})[tuple([n for n in m if n != x])] = c
    return found


def _primitive(p: Poly) -> Poly:
    shared = gcd(*p.values())
    return {m: c // shared for m, c in p.items()}


def _exactly(p: Poly, by: Poly) -> Poly:
    """The quotient, which has no remainder."""
    found: Poly = {}
    while p:
        more, p = divided(p, by, floor=False)
        found = plus(found, more)
    return found


def _gcd(*values: Poly) -> Poly:
    """The greatest common divisor, by division with remainder of primitive polynomials in one name."""
    return reduce(_gcd_of_two, [v for v in values if v])


def _gcd_of_two(p: Poly, q: Poly) -> Poly:
    names = {name for m in (*p, *q) for name in m}
    if not names or UNIT in (p, q):
        return {ONE: gcd(*p.values(), *q.values())}
    x = min(names)
    content = _gcd_of_two(*[_gcd(*_by_powers(f, x).values()) for f in (p, q)])
    p, q = _without_content(p, x), _without_content(q, x)
    while q:
        p, q = q, _rest(p, q, x)
        if not q:
            break
        q = _without_content(q, x)
    if all(x not in m for m in p):
        return content
    return times(content, p)


def _rest(p: Poly, q: Poly, x: str) -> Poly:
    """A nonzero multiple of p minus a multiple of q, with a lower power of x than q."""
    low = _by_powers(q, x)
    top = max(low)
    while p and (high := max(parts := _by_powers(p, x))) >= top:
        p = minus(times(p, low[top]), times(times(parts[high], {(x,) * (high - top): 1}), q))
    return p


def _root(p: Poly) -> Poly | None:
    """The polynomial whose square is p, or None."""
    if not p:
        return {}
    lead = _lead(p)
    first = _half(lead), isqrt(max(p[lead], 0))
    if first[0] is None or first[1] ** 2 != p[lead]:
        return None
    found: Poly = {first[0]: first[1]}
    for _ in range(len(p)):
        if not (rest := minus(p, times(found, found))):
            return found
        lead = _lead(rest)
        more = over(lead, first[0])
        if more is None or rest[lead] % (2 * first[1]) or more in found:
            return None
        found[more] = rest[lead] // (2 * first[1])
    return None


def _lead(p: Poly) -> Monomial:
    return max(p, key=lambda m: (len(m), m))


def _half(m: Monomial) -> Monomial | None:
    return m[::2] if m[::2] == m[1::2] else None


def _upright(p: Poly, order: list[str]) -> Poly:
    """The polynomial or its negative, by falling powers of the names, so that the first coefficient is positive."""
    p = dict(sorted(p.items(), key=lambda mc: [-mc[0].count(name) for name in order]))
    return p if next(iter(p.values())) > 0 else negative(p)


def _dense(p: Poly, order: list[str]) -> Any:
    """The coefficients by falling powers of the first name, each by those of the next, as sympy sorts factors."""
    if not order:
        return p.get(ONE, 0)
    parts = _by_powers(p, order[0]) if p or len(order) == 1 else {0: {}}
    return [_dense(parts.get(d, {}), order[1:]) for d in range(max(parts, default=-1), -1, -1)]


def _by_sympy(terms: tuple[tuple[Monomial, int], ...]) -> tuple[Poly, ...]:
    import sympy  # slow to load

    (given,), back = _to_sympy(dict(terms))
    return tuple([_from_sympy(factor, back) for factor, _ in sympy.factor_list(given)[1]])


def _gcd_by_sympy(p: Poly, q: Poly) -> Poly:
    import sympy  # slow to load

    both, back = _to_sympy(p, q)
    return _from_sympy(sympy.gcd(*both), back)


def _to_sympy(*polys: Poly) -> tuple[list[Any], dict[Any, str]]:
    """Polynomials as sympy has them, and the names of its symbols; nodes are names there."""
    import sympy  # slow to load

    symbols = {n: sympy.Symbol(f"x{k}") for k, n in enumerate(sorted({n for p in polys for m in p for n in m}))}
    found = [sympy.Add(*[sympy.Mul(c, *[symbols[n] for n in m]) for m, c in p.items()]) for p in polys]
    return found, {symbol: n for n, symbol in symbols.items()}


def _from_sympy(expression: Any, back: dict[Any, str]) -> Poly:
    import sympy  # slow to load

    return {
        tuple(sorted(n for n, e in zip(back.values(), powers, strict=True) for _ in range(e))): int(c)
        for powers, c in sympy.Poly(expression, *back).terms()
    }
