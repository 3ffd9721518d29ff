"""Polynomials over the symbols of one query; knows which symbols are positive, and the order of monomials."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd, prod
from typing import Any

from symview.logic.factors import irreducible_factors
from symview.logic.polynomial import (
    ONE,
    Monomial,
    Poly,
    as_term,
    atom_term,
    common_factor,
    expanded,
    minus,
    negative,
    operation_of,
    operations,
    over,
    plus,
    shifted,
    times,
)
from symview.logic.sympy_bridge import to_term
from symview.logic.terms import TRUE, IntTerm, Term, conj, names, num

Literals = tuple[Term, ...]
_MAX_SHIFTED = 4096  # monomials of a polynomial rewritten in names minus their least values


class Algebra:
    """Polynomials over the symbols of one query: knows which are positive, and the order of monomials."""

    def __init__(self, positive: Iterable[str], order: Iterable[str]) -> None:
        self.positive = frozenset(positive)
        self.rank = {name: n for n, name in enumerate(dict.fromkeys(order))}
        self.polys: dict[Term, Poly] = {}  # cache: the polynomial of each term

    def poly(self, value: Any) -> Poly:
        """The polynomial of an integer or a term; divisions count as variables."""
        if type(value) is int:
            return {ONE: value} if value else {}
        return self.poly_of(value if isinstance(value, Term) else to_term(value))

    def poly_of(self, term: Term) -> Poly:
        """The polynomial of a term."""
        if term not in self.polys:
            self.polys[term] = expanded(term)
        return dict(self.polys[term])

    def term(self, p: Poly) -> Term:
        """The polynomial as a term over the user's symbols."""
        return as_term(dict(sorted(p.items(), key=lambda mc: self._place(mc[0]))))

    def entry(self, p: Poly) -> IntTerm:
        """The polynomial as an entry of a view: an int where it is a number."""
        return p.get(ONE, 0) if set(p) <= {ONE} else self.term(p)

    def names(self, p: Poly) -> set[str]:
        """The user's names that occur in p."""
        return {n for m in p for v in m for n in names(atom_term(v))}

    def zero(self, p: Poly) -> Literals:
        """P = 0 as a disjunction of literals; empty if it is impossible, `TRUE` if it always holds.

        >>> Algebra("ab", "ab").zero({("a", "b"): 2, ("b", "b"): -2})[0].op
        '=='
        """
        if not p:
            return (TRUE,)
        return tuple([self._equation(f) for f in self._factors(p)])

    def nonzero(self, p: Poly) -> Term:
        """P != 0 as one formula."""
        return conj(Term("!=", e.args) for e in self.zero(p) if e != TRUE) if p else Term("bool", (False,))

    def divides(self, bottom: Poly, top: Poly) -> Term:
        """The formula that `bottom` divides `top`, with numbers in lowest terms.

        >>> from symview.logic.sympy_bridge import to_text
        >>> algebra = Algebra("nm", "nm")
        >>> told = algebra.divides({ONE: 6}, {("m",): 4, ("n",): 6}), algebra.divides({("n",): 4}, {("m",): 6})
        >>> [to_text(one) for one in told]
        ['m % 3 == 0', '3*m % (2*n) == 0']
        """
        if set(bottom) == {ONE}:
            top = {m: c % bottom[ONE] for m, c in top.items() if c % bottom[ONE]}
        shared = gcd(*top.values(), *bottom.values())
        top, bottom = ({m: c // shared for m, c in p.items()} for p in (top, bottom))
        if set(bottom) == {ONE}:  # 1 is the only factor common to it and all of the top
            top = {m: c // gcd(*top.values()) for m, c in top.items()}
        if not top or set(top) == set(bottom) == {ONE}:
            return Term("bool", (not top,))
        return Term("==", (Term("%", (self.term(top), self.term(bottom))), num(0)))

    def at_most(self, p: Poly, q: Poly) -> Term:
        """P <= q, divided by common positive factors.

        >>> from symview.logic.sympy_bridge import to_text
        >>> to_text(Algebra("abn", "abn").at_most({("a", "n"): 2}, {("a", "b"): 4}))
        'n <= 2*b'
        >>> Algebra("n", "n").at_most({(): 1}, {("n",): 1}) == TRUE
        True
        """
        gap = minus(q, p)
        if not gap or set(gap) == {ONE}:
            return Term("bool", (not gap or gap[ONE] >= 0,))
        above = {m: c for m, c in gap.items() if m} if gap.get(ONE) == -1 else gap  # f·g >= 1 is g >= 1, as f is
        common = tuple([n for n in common_factor(above) if n in self.positive])
        gap = plus(_divided(above, common), {ONE: -1} if above is not gap else {})
        if set(gap) <= {ONE}:
            return Term("bool", (gap.get(ONE, 0) >= 0,))
        scale = gcd(*(c for m, c in gap.items() if m))
        gap = {m: c // scale for m, c in gap.items()}  # the constant is rounded down, which is exact
        if gap.get(ONE) == -1 and any(c < 0 for m, c in gap.items() if m):
            return Term("<", tuple(self.term({m: s * c for m, c in gap.items() if m and s * c > 0}) for s in (-1, 1)))
        left = {m: -c for m, c in gap.items() if c < 0}
        right = {m: c for m, c in gap.items() if c > 0}
        constant = gap.get(ONE, 0)  # on its own side, or on the side of the greater
        if set(left) <= {ONE}:
            return Term(">=", (self.term({m: c for m, c in right.items() if m}), num(-constant)))
        if set(right) <= {ONE}:
            return Term("<=", (self.term({m: c for m, c in left.items() if m}), num(constant)))
        return Term("<=", (self.term(left), self.term(right)))

    def below(self, p: Poly, q: Poly) -> Term:
        """P < q, divided first by common positive factors."""
        common = [n for n in common_factor({**p, **q}) if n in self.positive] if p and q else []
        shared = gcd(*p.values(), *q.values())
        p, q = ({m: c // shared for m, c in _divided(r, tuple(common)).items()} for r in (p, q))
        return self.at_most(plus(p, {ONE: 1}), q)

    def within(self, p: Poly, place: Poly) -> Term:
        """0 <= p < place."""
        return conj((self.at_most({}, p), self.below(p, place)))

    def _factors(self, p: Poly) -> list[Poly]:
        """The factors of p, without those that cannot be 0."""
        return [factor for factor in factors(p) if not self._has_sign(factor)]

    def is_positive(self, p: Poly) -> bool:
        """Whether p is positive by the signs of its coefficients and names alone."""
        return self._has_sign(p) and min(p.values()) > 0

    def least(self, name: str) -> int | None:
        """A lower bound of a name: 1 if it is positive, 0 for the remainder by a positive divisor; else None."""
        if name in self.positive:
            return 1
        meaning = operation_of(name)
        divided = meaning is not None and meaning.op == "%" and self.is_positive(self.poly_of(meaning.args[1]))
        return 0 if divided else None

    def lowest(self, p: Poly) -> int | None:
        """A lower bound of p: positive names are at least 1, remainders by positive divisors at least 0; else None."""
        least = {name: self.least(name) for m in p for name in m}
        known = {name: bound for name, bound in least.items() if bound is not None}
        if len(known) < len(least):
            return None
        if all(c >= 0 for m, c in p.items() if m):
            return sum(c * prod([known[name] for name in m]) for m, c in p.items())
        if sum(2 ** len(m) for m in p) > _MAX_SHIFTED:
            return None
        p = shifted(p, known)
        return p.get(ONE, 0) if all(c >= 0 for m, c in p.items() if m) else None

    def is_at_least(self, p: Poly, bound: int = 0) -> bool:
        """Whether that bound shows p >= bound."""
        lowest = self.lowest(p)
        return lowest is not None and lowest >= bound

    def _has_sign(self, p: Poly) -> bool:
        """Whether p is not 0 by the signs of its coefficients and names alone."""
        known = all(n in self.positive for m in p for n in m)
        return known and (all(c > 0 for c in p.values()) or all(c < 0 for c in p.values()))

    def _equation(self, p: Poly) -> Term:
        """P = 0 with the leading monomial alone on the left."""
        for name, division in operations(p).items():
            if division.op != "//":
                continue
            top, bottom = division.args
            rest = minus(self.poly_of(top), times(self.poly_of(bottom), {(name,): 1}))
            if p in (rest, negative(rest)):
                return self.divides(self.poly_of(bottom), self.poly_of(top))
        lead = min((m for m in p if m), key=lambda m: (self._place(m), abs(p[m])))
        sign = 1 if p[lead] > 0 else -1
        rest = {m: -sign * c for m, c in p.items() if m != lead}
        return Term("==", (self.term({lead: abs(p[lead])}), self.term(rest)))

    def _place(self, m: Monomial) -> tuple[Any, ...]:
        """The order of monomials: strides before sizes, as in the query; constants last."""
        ranks = sorted(self.rank.get(n, len(self.rank)) for n in m)
        return (not m, ranks, m)


def _divided(p: Poly, by: Monomial) -> Poly:
    return {rest: c for m, c in p.items() if (rest := over(m, by)) is not None}


def factors(p: Poly) -> list[Poly]:
    """The names and irreducible polynomials that divide p != 0, each once, without numbers.

    >>> factors({("x", "x", "y"): 2, ("x",): -2})
    [{('x',): 1}, {('x', 'y'): 1, (): -1}]
    """
    common = common_factor(p)
    rest = {m: c // gcd(*p.values()) for m, c in _divided(p, common).items()}
    own: list[Poly] = [{(n,): 1} for n in dict.fromkeys(common)]
    return [*own, *_irreducible(rest)]


def _irreducible(p: Poly) -> Sequence[Poly]:
    """The irreducible factors of p, each once, without numbers."""
    if set(p) == {ONE}:
        return ()
    if all(len(m) <= 1 for m in p) or (len(p) == 2 and not any(_powered(m) for m in p)):
        return (p,)
    return irreducible_factors(p)


def _powered(m: Monomial) -> bool:
    return len(set(m)) < len(m)


def quotient_of(p: Poly, q: Poly) -> tuple[Poly, Poly]:
    """P / q in lowest terms, as far as factors common to all monomials are concerned.

    >>> quotient_of({("a", "b"): 6}, {("b",): 4})
    ({('a',): 3}, {(): 2})
    """
    if p == q:
        return {ONE: 1}, {ONE: 1}
    common = common_factor({**p, **q}) if len({**p, **q}) > 1 else next(iter(p))
    p, q = _divided(p, common), _divided(q, common)
    shared = gcd(*p.values(), *q.values())
    return {m: c // shared for m, c in p.items()}, {m: c // shared for m, c in q.items()}
