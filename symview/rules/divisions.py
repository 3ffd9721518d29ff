"""Division of polynomials with remainder, as far as it is known which polynomials are >= 0."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import gcd
from typing import NamedTuple

from symview.logic.polynomial import ONE, Monomial, Poly, minus, negative, over, plus, poly_of, times
from symview.logic.terms import Term

UNIT: Poly = {ONE: 1}
_MAX_FACTOR = 64  # the greatest number that is tried as a factor


def arithmetic(op: str, parts: Sequence[Poly]) -> Poly:
    """The sum, difference, product or negative of polynomials.

    >>> arithmetic("-", [{("x",): 1}, UNIT, UNIT])
    {('x',): 1, (): -2}
    """
    found = negative(parts[0]) if op == "neg" else parts[0]
    for p in parts[1:]:
        found = times(found, p) if op == "*" else plus(found, p, 1 if op == "+" else -1)
    return found


def within(r: Poly, by: Poly) -> tuple[Poly, Poly]:
    """What is >= 0 where 0 <= r < by."""
    return r, minus(minus(by, UNIT), r)


def nearest(r: Poly, by: Poly, holds: Callable[[Poly], bool]) -> tuple[Poly, Poly] | None:
    """Quotient and remainder where the quotient is known to be 0, -1 or 1."""
    for k in (0, -1, 1):
        low = plus(r, by, -k)
        if all(map(holds, within(low, by))):
            return ({ONE: k} if k else {}), low
    return None


def nested(r: Poly, opaque: dict[str, Term]) -> Iterator[tuple[Poly, Poly]]:
    """Each A + s·a and a where r = A//a + s: for a and b from 1, r//b is (A + s·a)//(a·b).

    `opaque` says which names stand for quotients, and gets those of the parts.
    """
    for m, c in r.items():
        if c == 1 and len(m) == 1 and m[0] in opaque and opaque[m[0]].op == "//":
            top, divisor = (poly_of(part, opaque) for part in opaque[m[0]].args)
            yield plus(top, times(minus(r, {m: 1}), divisor)), divisor


class Factored(NamedTuple):
    """r // by is top // bottom, where by = factor·bottom, r = factor·top + rest and 0 <= rest < factor."""

    factor: Poly
    bottom: Poly
    top: Poly
    rest: Poly

    def requirements(self) -> tuple[Poly, ...]:
        """What has to be >= 0 for that."""
        return minus(self.factor, UNIT), minus(self.bottom, UNIT), *within(self.rest, self.factor)


def by_factor(r: Poly, by: Poly, holds: Callable[[Poly], bool]) -> Factored | None:
    """The division by the largest factor of the divisor for which that is known."""
    for g in _factors(by):
        bottom, top = _share(by, g), _share(r, g)
        found = Factored(g, bottom, top, minus(r, times(g, top)))
        if top and all(map(holds, found.requirements())):
            return found
    return None


def _share(p: Poly, factor: Poly) -> Poly:
    """What the factor, a single monomial, is multiplied with in p, coefficients rounded down."""
    ((m, c),) = factor.items()
    return {k: d // c for n, d in p.items() if (k := over(n, m)) is not None and d // c}


def divided(t: Poly, by: Poly, floor: bool = True) -> tuple[Poly, Poly]:
    """Quotient p and remainder r, t = p·by + r, by the leading monomial of the divisor.

    With `floor` a coefficient is divided by that of the leading monomial rounding down, else only where it comes out
    whole.

    >>> divided({("i", "s"): 3, ("j",): 1}, {("s",): 1})
    ({('i',): 3}, {('j',): 1})
    """
    lead = max(by, key=lambda m: (len(m), m))
    found: Poly = {}
    for _ in range(64):
        hits = ((m, k) for m in sorted(t, key=lambda m: (-len(m), m)) if (k := over(m, lead)) is not None)
        shares = ((k, t[m] // by[lead]) for m, k in hits if floor or not t[m] % by[lead])
        share = next((s for s in shares if s[1]), None)
        if share is None:
            break
        found = plus(found, {share[0]: share[1]})
        t = minus(t, times({share[0]: share[1]}, by))
    return found, t


def _factors(by: Poly) -> Iterator[Poly]:
    """The products of names and numbers that all terms have in common, the largest first, without 1 and the whole."""
    common: Monomial = next(iter(by))
    for m in by:
        common = tuple(n for k, n in enumerate(common) if m.count(n) >= common[: k + 1].count(n))
    number = gcd(*by.values())
    numbers = [d for d in range(min(number, _MAX_FACTOR), 0, -1) if number % d == 0]
    for length in range(len(common), -1, -1):
        for m in dict.fromkeys(combinations(common, length)):
            for d in numbers:
                if (m or d > 1) and {m: d} != by:
                    yield {m: d}
