"""What is known on one branch of a refutation: polynomials that are 0, or at least 0, and choices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm, prod
from typing import Any, TypeAlias

from symview.logic.budget import Budget
from symview.logic.polynomial import ONE, Monomial, Poly, given_by, minus, negative, plus, times
from symview.logic.relaxation import Watched, breaks_sign, closure, watched_products
from symview.proof.simplex import Simplex
from symview.verify.linear import Known, Scope

UNIT: Poly = {ONE: 1}
Pair: TypeAlias = tuple[Poly, Poly]


@dataclass(eq=False, slots=True)
class Item:
    """A fact p >= 0 or p = 0, or a choice between alternatives; `terms` are the facts that it is a sum of.

    `closed`: it cannot be; `sign`: the choice is about the sign of this polynomial.
    """

    known: Known
    closed: bool = False
    terms: Sequence[tuple[Poly, Sequence[Item]]] = ()
    sign: Poly | None = None

    def base(self) -> Iterator[Item]:
        """What it was made of in the end."""
        if not self.terms:
            yield self
        for _, items in self.terms:
            for one in items:
                yield from one.base()


@dataclass(eq=False, slots=True)
class Closed:
    """A fact that cannot be, and what it was made of."""

    item: Item
    used: frozenset[Item] = field(init=False)

    def __post_init__(self) -> None:
        self.used = frozenset(self.item.base())


def item(known: Known, terms: Sequence[tuple[Poly, Sequence[Item]]] = (), sign: Poly | None = None) -> Item:
    """As the checker notes it."""
    scope = Scope([], {})
    scope.add(known)
    return Item(scope.known[0], scope.closed, terms, sign)


def total(terms: Sequence[tuple[Poly, Sequence[Item]]]) -> Item:
    """The fact that is a sum of products of facts."""
    p, zero = Poly(), True
    for factor, items in terms:
        for one in items:
            factor = times(factor, one.known[0])
        p, zero = plus(p, factor), zero and any(one.known[1] for one in items)
    return item((p, zero), terms)


def sign_of(p: Poly) -> Item:
    """The choice whether p is above 0, 0, or below."""
    return item([[(minus(p, UNIT), False)], [(p, True)], [(minus(negative(p), UNIT), False)]], sign=p)


def pair_key(p: Poly, q: Poly) -> Any:
    """One for both orders."""
    return frozenset((frozenset(p.items()), frozenset(q.items())))


class Facts:
    """What is known; names that equations give are replaced by the others, and rational values meet what is left."""

    def __init__(self, budget: Budget, forms: Sequence[Poly]) -> None:
        self.budget, self.forms = budget, forms
        self.simplex, self.columns, self.of = Simplex(), dict[Monomial, int](), dict[int, Item]()
        self.facts, self.choices, self.solved = list[Item](), list[Item](), list[tuple[str, Item]]()
        self.least, self.multiplied = dict[Any, Item](), set[Any]()
        self.products: Sequence[Pair] | None = None  # those that matter, where that is known
        self._watched: list[Watched] | None = None

    def copy(self) -> Facts:
        """An independent copy."""
        other = Facts(self.budget, self.forms)
        other.simplex = self.simplex.copy()
        other.columns, other.of = dict(self.columns), dict(self.of)
        other.facts, other.choices, other.solved = [*self.facts], [*self.choices], [*self.solved]
        other.least, other.multiplied, other._watched = dict(self.least), set(self.multiplied), self._watched
        other.products = self.products
        return other

    def add(self, items: Iterable[Item]) -> Closed | None:
        """Notes them; where one of them cannot be, that."""
        for one in items:
            if type(one.known) is list:
                self.choices.append(one)
                continue
            found = one if one.closed else self._reduced(one)
            if found.closed:
                return Closed(found)
            self._note(one)
            self._note(found)
            p, zero = found.known
            if zero and (given := given_by(p)) is not None:
                self.solved.append((given[0], found))
                self._watched = None
                old, self.facts = self.facts, []
                self.simplex, self.columns, self.of = Simplex(), {}, {}
                if (closed := self.add(old)) is not None:
                    return closed
            elif any(p):
                self.facts.append(found)
                self.of[self.simplex.fact({self._column(m): Fraction(c) for m, c in p.items()}, zero)] = found
        return None

    def _note(self, fact: Item) -> None:
        """Keeps the strongest fact about each linear form."""
        p, zero = fact.known
        for q in (p, negative(p)) if zero else (p,):
            old = self.least.get(_form(q))
            if old is None or (not old.known[1] and (zero or p.get(ONE, 0) < old.known[0].get(ONE, 0))):
                self.least[_form(q)] = fact

    def _column(self, m: Monomial) -> int:
        if m and m not in self.columns:
            self.columns[m] = self.simplex.column()
        return self.columns[m] if m else 0

    def _reduced(self, fact: Item) -> Item:
        """The fact with solved names substituted."""
        p, terms = fact.known[0], [(UNIT, [fact])]
        for name, equation in self.solved:
            p, factor = _without(p, name, equation.known[0])
            if factor:
                terms.append((negative(factor), [equation]))
        return fact if len(terms) == 1 else total(terms)

    def plain(self, p: Poly) -> Poly:
        """The polynomial with solved names substituted."""
        for name, equation in self.solved:
            p, _ = _without(p, name, equation.known[0])
        return p

    def all(self) -> list[Item]:
        """Equations, facts and choices."""
        return [*(equation for _, equation in self.solved), *self.facts, *self.choices]

    def look(self, products: Sequence[Pair]) -> None:
        """From here on, these products are what matters."""
        self.products, self._watched = products, None

    # Values

    def conflict(self) -> Closed | None:
        """The sum of facts that cannot be, where no values meet all facts."""
        self.budget.spend(300)
        if (found := self.simplex.conflict(self.budget)) is None:
            return None
        scale = lcm(*(x.denominator for x in found.values()))
        return Closed(total([({ONE: int(x * scale)}, [self.of[n]]) for n, x in found.items() if x]))

    def value(self, m: Monomial) -> Fraction:
        """What the values found give a product, or its factors."""
        if m in self.columns:
            return self.simplex.values[self.columns[m]]
        return Fraction(len(m) != 1) and prod((self.value((n,)) for n in m), start=Fraction(1))

    def holds(self, one: Known) -> bool:
        """Whether these values meet a fact or a choice."""
        if type(one) is list:
            return any(all(map(self.holds, parts)) for parts in one)
        v = sum((c * self.value(m) for m, c in self.plain(one[0]).items()), Fraction(0))
        return v == 0 if one[1] else v >= 0

    def fraction(self) -> Poly | None:
        """What is no integer at these values, less the integer below."""
        for m in sorted(self.columns, key=lambda m: (len(m), m)):
            v = self.value(m)
            if v.denominator > 1:
                return plus({m: 1}, UNIT, -(v.numerator // v.denominator))
        return None

    def broken_products(self) -> list[Pair]:
        """Pairs of forms of the question whose product has another value than they have, the shortest first."""
        if self._watched is None and self.products is not None:
            pairs = ((self.plain(p), self.plain(q)) for p, q in self.products)
            self._watched = [(p, q, times(p, q)) for p, q in pairs]
        elif self._watched is None:
            forms = list(map(self.plain, self.forms))
            monomials = closure(m for form in forms for m in form)
            multiplied = any(len(m) > 1 for m in monomials)
            self._watched = watched_products(forms, monomials, self.budget) if multiplied else []
        values = _Values(self)
        broken = [(p, q) for p, q, both in self._watched if breaks_sign((p, q, both), values)]
        return sorted((w for w in broken if pair_key(*w) not in self.multiplied), key=lambda w: len(w[0]) + len(w[1]))

    # Signs

    def sign(self, p: Poly) -> Item | None:
        """The fact that p is above 0, 0, or below, where one says so as it stands."""
        for q in (p, negative(p)):
            fact = self.least.get(_form(q))
            if fact is not None:
                known, zero = fact.known
                if known in (p, negative(p)) if zero else known.get(ONE, 0) < q.get(ONE, 0):
                    return fact
        return None

    def product(self, p: Poly, q: Poly) -> Item | None:
        """What the signs of two factors say of their product, once both are known."""
        a, b = self.sign(p), self.sign(q)
        for fact, other in ((a, q), (b, p)):
            if fact is not None and fact.known[1]:
                return total([(other, [fact])])
        return None if a is None or b is None else total([(UNIT, [a, b])])


class _Values(dict[Monomial, Any]):
    """The values of products, as far as they are asked for."""

    def __init__(self, facts: Facts) -> None:
        super().__init__()
        self.facts = facts

    def __missing__(self, m: Monomial) -> int | Fraction:
        v = self.facts.value(m)
        self[m] = found = v.numerator if v.denominator == 1 else v
        return found


def _form(p: Poly) -> frozenset[tuple[Monomial, int]]:
    return frozenset((m, c) for m, c in p.items() if m)


def _without(p: Poly, name: str, equation: Poly) -> tuple[Poly, Poly]:
    """What p - factor·equation is without that name, and the factor."""
    factor = Poly()
    while found := next(((m, c) for m, c in p.items() if name in m), None):
        rest = list(found[0])
        rest.remove(name)
        share = {tuple(rest): found[1] * equation[name,]}
        p, factor = minus(p, times(share, equation)), plus(factor, share)
    return p, factor
