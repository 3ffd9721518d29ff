"""Which polynomials are provably >= 0: by their coefficients, otherwise by a solver.

A *digit* is a name d with 0 <= d < size, where the size is a polynomial in other names. A polynomial that is linear in
a digit has its minimum at one of the two ends; so digits are eliminated one by one. The result must have no negative
coefficient after each name is written as its lower bound plus something. This proves 0 <= Σ d·P < Π size at every rank.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from copy import copy
from itertools import chain
from math import gcd
from typing import NamedTuple, TypeAlias

from symview.errors import NotSupported
from symview.logic.budget import DEFAULT, Budget
from symview.logic.points import bounds_by
from symview.logic.polynomial import (
    ONE,
    Monomial,
    Poly,
    as_term,
    comparison,
    denied,
    expanded,
    minus,
    negative,
    operations,
    over,
    plus,
    shifted,
    times,
)
from symview.logic.solve import REMARK, Sat, Unsat, solve
from symview.logic.terms import RELATIONS, Term, conjuncts, disj, num

Key: TypeAlias = frozenset[tuple[Monomial, int]]

_WORK_PER_QUESTION = 2 * REMARK  # most solver work per question
_WORK_PER_TERM = 4  # work per term of a polynomial and bound
_MAX_ROUNDS = 6
_MAX_DEGREE = 12  # products of more names are left to a solver


class Known:
    """Facts about integers: equations, inequalities, ranges of digits; and what they visibly imply.

    `formulas` is all of it as terms, for a solver; `least` has lower bounds of names; `sizes` are those of the digits;
    `bounds` are polynomials that are >= 0; `divisions` are those that occur. Immutable: `plus` returns
    another one that knows more. `solver` says whether a solver is used if no proof is visible.
    """

    def __init__(self, facts: Iterable[Term] = (), budget: Budget = DEFAULT) -> None:
        self.formulas: tuple[Term, ...] = ()
        self.least: dict[str, int] = {}
        self.sizes: dict[str, Poly] = {}
        self.bounds: tuple[Poly, ...] = ()
        self.equations: tuple[tuple[Monomial, Poly], ...] = ()
        self.divisions: dict[str, Term] = {}
        self.divided: frozenset[str] = frozenset()
        self.budget, self.solver = budget, False
        self.values: dict[str, int] | None = None
        self.answers: dict[Key, bool] = {}
        self.excluded: dict[tuple[Term, ...], bool] = {}
        self._add_facts(tuple(facts))
        self._close()

    def plus(
        self,
        facts: Iterable[Term] = (),
        bounds: Iterable[Poly] = (),
        digits: Mapping[str, Poly] | None = None,
        solver: bool | None = None,
        divisions: Mapping[str, Term] | None = None,
    ) -> Known:
        """Adds facts, polynomials that are >= 0, digits below their sizes, and names of divisions."""
        more = copy(self)
        more.least, more.sizes, more.answers, more.excluded = dict(self.least), dict(self.sizes), {}, {}
        more.solver = self.solver if solver is None else solver
        for name, size in (digits or {}).items():
            more.sizes[name], more.least[name] = size, 0
            below = minus(minus(size, {(name,): 1}), {ONE: 1})
            more.formulas += (self.at_least({(name,): 1}), self.at_least(below))
            more._add_bound(minus(size, {ONE: 1}))
        more.divisions = {**self.divisions, **(divisions or {})}
        for p in bounds:
            more._add_bound(p)
            more.formulas += (more.at_least(p),)
        more._add_facts(tuple(facts))
        if len(more.bounds) > len(self.bounds) or divisions:
            more._close()
        return more

    def at_least(self, p: Poly) -> Term:
        """The formula p >= 0."""
        return Term(">=", (as_term(p), num(0)))

    def reduced(self, p: Poly) -> Poly:
        """Replaces the leading products of the equations in the polynomial."""
        for _ in range(64):
            hit = next(
                ((m, rest, by) for m in p for lead, by in self.equations if (rest := over(m, lead)) is not None), None
            )
            if hit is None:
                return p
            monomial, rest, by = hit
            c = p[monomial]
            p = plus(minus(p, {monomial: c}), times({rest or ONE: c}, by))
        return p

    def holds(self, p: Poly) -> bool:
        """Whether p >= 0 is visible, or proved by a solver."""
        return self.sees(p) or (self.solver and self.excludes([self.at_least(denied(p))]))

    def sees(self, p: Poly) -> bool:
        """Whether p >= 0 is visible from the coefficients, using at most one of the bounds."""
        p = self._primitive(self.reduced(p))
        if all(c >= 0 and all(self.least.get(n, -1) >= 0 for n in m) for m, c in p.items()):
            return True
        key = frozenset(p.items())
        if key not in self.answers:
            self.budget.spend(_WORK_PER_TERM * len(p) * (1 + len(self.bounds)))
            try:
                self.answers[key] = self._is_high(p) or self._is_above(p, ())
            except NotSupported:
                self.answers[key] = False
        return self.answers[key]

    def excludes(self, formulas: Sequence[Term]) -> bool:
        """Whether a solver proves that no integers satisfy the facts and the formulas.

        If some do, their values are kept in `values`.
        """
        key = tuple(formulas)
        if key not in self.excluded:
            self.budget.check()
            answer = solve((*self.formulas, *key), self.budget.at_most(_WORK_PER_QUESTION))
            self.excluded[key] = isinstance(answer, Unsat)
            if isinstance(answer, Sat):
                self.values = dict(answer.model)
        return self.excluded[key]

    # Proofs by coefficients

    def _is_above(self, p: Poly, without: Container[str]) -> bool:
        """Whether p is visibly at least one of the bounds that contain none of these names."""
        own = {n for m in p for n in m if n not in self.sizes} if without else {n for m in p for n in m}
        near = (b for b in self.bounds if _has(b, own) and not _has(b, without))
        return any(self._is_high(self.reduced(minus(p, b))) for b in near)

    def _is_high(self, p: Poly) -> bool:
        """Whether the coefficients show that the polynomial is never negative."""
        low = self._without_digits(p)
        if any(len(m) > _MAX_DEGREE for m in low):
            return False
        return all(c >= 0 and all(self._is_square(n, m) for n in m) for m, c in shifted(low, self.least).items())

    def _is_square(self, name: str, monomial: Monomial) -> bool:
        return name in self.least or monomial.count(name) % 2 == 0

    def _without_digits(self, p: Poly) -> Poly:
        """The polynomial's minimum over the digits, as far as it is at an end of each."""
        for digit in [d for d in reversed(self.sizes) if any(d in m for m in p)]:
            if any(m.count(digit) > 1 for m in p):
                continue
            slope = {tuple(n for n in m if n != digit): c for m, c in p.items() if digit in m}
            rest = {m: c for m, c in p.items() if digit not in m}
            if self._is_high(slope) or self._is_above(slope, self.sizes):
                p = rest
            elif self._is_high(negative(slope)) or self._is_above(negative(slope), self.sizes):
                p = plus(rest, times(slope, minus(self.sizes[digit], {ONE: 1})))
        return self.reduced(p)

    def _primitive(self, p: Poly) -> Poly:
        """Divides by positive common factors, which keeps the sign: 2*a*b - 1 becomes a*b - 1."""
        products = [m for m in p if m]
        if not products:
            return p
        common = products[0] if ONE not in p else ONE
        factor = tuple(n for k, n in enumerate(common) if self.least.get(n, 0) >= 1
                       and all(m.count(n) >= common[: k + 1].count(n) for m in products))  # fmt: skip
        number = gcd(*(p[m] for m in products))
        if not factor and number == 1:
            return p
        return {k: q for m, c in p.items() if (k := over(m, factor)) is not None and (q := c // number)}

    # Adding facts

    def _add_facts(self, facts: tuple[Term, ...]) -> None:
        self.formulas += facts
        for part in chain.from_iterable(map(conjuncts, facts)):
            if part.op in RELATIONS and part.op != "!=":
                relation, p = comparison(part, expanded)
                self.divisions = self.divisions | operations(p)
                (self._add_equation if relation == "==" else self._add_bound)(p)

    def _close(self) -> None:
        """Derives bounds of names and of quotients from what was added."""
        for _ in range(_MAX_ROUNDS):
            before = dict(self.least), self.divided
            for name, term in self.divisions.items():
                if term.op == "//" and name not in self.divided:
                    self._add_quotient(name, term)
            for p in self.bounds:
                self._add_factors(p)
            if before == (self.least, self.divided):
                break

    def _add_quotient(self, name: str, term: Term) -> None:
        """Adds the bounds that define a quotient by a positive number, and that it is >= 0 if that is visible."""
        top, bottom = map(expanded, term.args)
        if self.sees(minus(bottom, {ONE: 1})):
            rest = minus(top, times({(name,): 1}, bottom))
            if self.sees(top):
                self._raise(name, 0)
                self.divided |= {name}
            self._add_bound(rest)
            self._add_bound(minus(minus(bottom, rest), {ONE: 1}))

    def _add_factors(self, p: Poly) -> None:
        """If a product is at least 1, and at most one factor may be negative, all its factors are at least 1."""
        products = [m for m in p if m]
        if len(products) == 1 and p[products[0]] > 0 and p.get(ONE, 0) < 0:
            (product,) = products
            unknown = [n for n in dict.fromkeys(product) if self.least.get(n, -1) < 0]
            if not unknown or (len(unknown) == 1 and product.count(unknown[0]) % 2):
                for name in product:
                    self._raise(name, 1)

    def _raise(self, name: str, low: int) -> None:
        if low > self.least.get(name, low - 1):
            self.least[name] = low
            self.answers = {}

    def _add_bound(self, p: Poly) -> None:
        p = self._primitive(self.reduced(p))
        for name, (low, _) in bounds_by(">=", p):
            if low is not None:
                self._raise(name, low)
        if p and p not in self.bounds:
            self.bounds += (p,)

    def _add_equation(self, p: Poly) -> None:
        p = self.reduced(p)
        leads = sorted((m for m, c in p.items() if m and abs(c) == 1), key=lambda m: (len(m), m))
        if leads and all(over(m, leads[-1]) is None for m in p if m != leads[-1]):
            lead = leads[-1]
            self.equations += ((lead, plus({}, {m: c for m, c in p.items() if m != lead}, -p[lead])),)
            self.answers = {}


def _has(p: Poly, wanted: Container[str]) -> bool:
    return any(n in wanted for m in p for n in m)


class Premise(NamedTuple):
    """The claim that the known facts exclude that all bounds are >= 0 while one of `differing` is nonzero.

    A single inequality p >= 0 is the premise that -p - 1 is not >= 0.
    """

    known: Known
    bounds: tuple[Poly, ...]
    differing: tuple[Poly, ...] = ()

    def holds(self) -> bool:
        """Whether the claim is visible, or proved by a solver."""
        return not self.by_solver() or (self.known.solver and self.known.excludes(self._exceptions()))

    def by_solver(self) -> bool:
        """Whether the claim needs a solver."""
        never_differ = self.differing and not any(map(self.known.reduced, self.differing))
        return not never_differ and not any(self.known.sees(denied(p)) for p in self.bounds)

    def formulas(self) -> tuple[Term, ...]:
        """The formulas that have to be unsatisfiable."""
        return (*self.known.formulas, *self._exceptions())

    def _exceptions(self) -> list[Term]:
        differ = [Term("!=", (as_term(p), num(0))) for p in self.differing]
        return [*map(self.known.at_least, self.bounds), *([disj(differ)] if differ else [])]
