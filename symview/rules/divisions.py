"""Division of polynomials with remainder, given a test which polynomials are known to be >= 0."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from math import gcd
from typing import NamedTuple

from symview.logic.polynomial import (
    ONE,
    UNIT,
    Monomial,
    Poly,
    expanded,
    minus,
    operation_of,
    over,
    plus,
    times,
)

_MAX_FACTOR = 64  # the greatest number tried as a factor


def within(r: Poly, by: Poly) -> tuple[Poly, Poly]:
    """The two polynomials that are both >= 0 exactly if 0 <= r < by."""
    return r, minus(minus(by, UNIT), r)


def nearest(r: Poly, by: Poly, holds: Callable[[Poly], bool]) -> tuple[Poly, Poly] | None:
    """Quotient and remainder if the quotient is known to be 0, -1 or 1; else None."""
    for k in (0, -1, 1):
        low = plus(r, by, -k)
        if all(map(holds, within(low, by))):
            return ({ONE: k} if k else {}), low
    return None


def nested(r: Poly) -> Iterator[tuple[Poly, Poly]]:
    """For each r = A//a + s, yields A + s·a and a: if a and b are at least 1, r//b is (A + s·a)//(a·b)."""
    for m, c in r.items():
        if c == 1 and len(m) == 1 and (division := operation_of(m[0])) is not None and division.op == "//":
            top, divisor = map(expanded, division.args)
            yield plus(top, times(minus(r, {m: 1}), divisor)), divisor


class Factored(NamedTuple):
    """r // by as top // bottom, where by = factor·bottom, r = factor·top + rest and 0 <= rest < factor."""

    factor: Poly
    bottom: Poly
    top: Poly
    rest: Poly

    def requirements(self) -> tuple[Poly, ...]:
        """The polynomials that have to be >= 0 for this identity."""
        return minus(self.factor, UNIT), minus(self.bottom, UNIT), *within(self.rest, self.factor)


def by_factor(r: Poly, by: Poly, holds: Callable[[Poly], bool]) -> Factored | None:
    """The division after cancelling the largest factor of the divisor that is known to be possible, or None."""
    for g in _factors(by):
        bottom, top = _share(by, g), _share(r, g)
        found = Factored(g, bottom, top, minus(r, times(g, top)))
        if top and all(map(holds, found.requirements())):
            return found
    return None


def _share(p: Poly, factor: Poly) -> Poly:
    """The quotient of p by a single monomial, coefficients rounded down."""
    ((m, c),) = factor.items()
    return {k: d // c for n, d in p.items() if (k := over(n, m)) is not None and d // c}


def _factors(by: Poly) -> Iterator[Poly]:
    """The products of names and numbers common to all terms, the largest first, except 1 and `by` itself."""
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
