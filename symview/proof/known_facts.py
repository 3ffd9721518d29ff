"""The known facts on one branch of a refutation, and rational values that satisfy them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm, prod
from typing import Any, TypeAlias

from symview.logic.budget import Budget
from symview.logic.nonlinear import Watched, breaks_sign, closure, watched_products
from symview.logic.polynomial import ONE, UNIT, Monomial, Poly, given_by, minus, negative, plus, times
from symview.trusted.linear import Known, Scope

Number: TypeAlias = int | Fraction  # an int if it is an integer, since ints are faster
Row: TypeAlias = dict[int, Number]  # a value as multiples of free columns; column 0 is 1
_WORK_PER_ENTRY = 20  # approximate cost of one entry of a row


class Simplex:
    """Facts Σ c·x >= 0, or = 0, added one by one; each column is an unknown, or a fact.

    >>> from symview.logic.budget import DEFAULT
    >>> facts = Simplex()
    >>> x = facts.column()
    >>> two, one = facts.fact({x: 2, 0: -1}, False), facts.fact({x: -1}, False)
    >>> found = facts.conflict(DEFAULT)
    >>> 2*found[two] == found[one]
    True
    """

    def __init__(self) -> None:
        self.rows: dict[int, Row] = {}
        self.values: dict[int, Number] = {0: 1}
        self.facts: dict[int, bool] = {}  # whether it is = 0

    def copy(self) -> Simplex:
        """An independent copy."""
        other = Simplex()
        other.rows = {b: dict(row) for b, row in self.rows.items()}
        other.values, other.facts = dict(self.values), dict(self.facts)
        return other

    def column(self) -> int:
        """A new unknown."""
        self.values[n := len(self.values)] = 0
        return n

    def fact(self, form: Row, zero: bool) -> int:
        """Adds a fact and its column."""
        n, row = self.column(), Row()
        for c, a in form.items():
            for d, b in self.rows.get(c, {c: 1}).items():
                row[d] = row.get(d, 0) + a * b
        self.rows[n] = {d: _plain(b) for d, b in row.items() if b}
        self.values[n] = _plain(sum([b * self.values[d] for d, b in row.items()]))
        self.facts[n] = zero
        return n

    def conflict(self, budget: Budget) -> Row | None:
        """Multiples of facts, positive for inequalities, whose sum is a negative number; None if all facts hold."""
        while True:
            broken = [n for n in self.rows if n in self.facts and self._breaks(n, self.values[n])]
            if not broken:
                return None
            n = min(broken)
            up = self.values[n] < 0
            row = self.rows[n]
            budget.spend(_WORK_PER_ENTRY * (len(row) + 1))
            found = next((d for d in sorted(row) if d and self._moves(d, (row[d] > 0) is up)), None)
            if found is None:
                sign = 1 if up else -1
                return {n: sign, **{d: -sign * b for d, b in row.items() if d}}
            self._pivot(n, found, budget)

    def _breaks(self, n: int, value: Number) -> bool:
        return value < 0 or (self.facts[n] and value > 0)

    def _moves(self, n: int, up: bool) -> bool:
        """Whether a free column may grow, or shrink."""
        if n not in self.facts:
            return True
        return not self.facts[n] if up else self.values[n] > 0

    def _pivot(self, leaving: int, entering: int, budget: Budget) -> None:
        """Exchanges columns: the violated fact becomes free with value 0, and the other column takes its row."""
        row = self.rows.pop(leaving)
        a = row.pop(entering)
        solved = {d: _divided(-b, a) for d, b in row.items()}
        solved[leaving] = _divided(1, a)
        step = _divided(-self.values[leaving], a)
        self.values[leaving] = 0
        self.values[entering] = _plain(self.values[entering] + step)
        for n, other in self.rows.items():
            if c := other.pop(entering, None):
                budget.count(_WORK_PER_ENTRY * len(solved))
                self.values[n] = _plain(self.values[n] + c * step)
                for d, b in solved.items():
                    if total := other.get(d, 0) + c * b:
                        other[d] = _plain(total)
                    else:
                        del other[d]
        self.rows[entering] = solved


def _plain(x: Number) -> Number:
    return x if type(x) is int or x.denominator > 1 else x.numerator


def _divided(x: Number, by: Number) -> Number:
    return x * by if by in (1, -1) else _plain(Fraction(x) / by)


Pair: TypeAlias = tuple[Poly, Poly]


@dataclass(eq=False, slots=True)
class Item:
    """A fact p >= 0 or p = 0, or a choice between alternatives; `terms` are the facts whose sum it is.

    `closed`: it is contradictory; `sign`: the choice is about the sign of this polynomial.
    """

    known: Known
    closed: bool = False
    terms: Sequence[tuple[Poly, Sequence[Item]]] = ()
    sign: Poly | None = None

    def base(self) -> Iterator[Item]:
        """The items from which it was ultimately derived."""
        if not self.terms:
            yield self
        for _, items in self.terms:
            for one in items:
                yield from one.base()


@dataclass(eq=False, slots=True)
class Closed:
    """A contradictory fact, and its terms."""

    item: Item
    used: frozenset[Item] = field(init=False)

    def __post_init__(self) -> None:
        self.used = frozenset(self.item.base())


def item(known: Known, terms: Sequence[tuple[Poly, Sequence[Item]]] = (), sign: Poly | None = None) -> Item:
    """The item as the checker represents it."""
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


def pair_key(p: Poly, q: Poly) -> frozenset[frozenset[tuple[Monomial, int]]]:
    """A key for an unordered pair."""
    return frozenset((frozenset(p.items()), frozenset(q.items())))


class Facts:
    """Known facts; names solved by equations are eliminated, and rational values satisfy the remaining facts."""

    def __init__(self, budget: Budget, forms: Sequence[Poly]) -> None:
        self.budget, self.forms = budget, forms
        self.simplex, self.columns, self.of = Simplex(), dict[Monomial, int](), dict[int, Item]()
        self.facts, self.choices, self.solved = list[Item](), list[Item](), list[tuple[str, Item]]()
        self.least, self.multiplied = dict[object, Item](), set[object]()
        self.products: Sequence[Pair] | None = None  # the relevant products, if known
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
        """Adds them; returns one that is contradictory, if any."""
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
                self.of[self.simplex.fact({self._column(m): c for m, c in p.items()}, zero)] = found
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
        """Restricts the search to these products."""
        self.products, self._watched = products, None

    # Values

    def conflict(self) -> Closed | None:
        """The contradictory sum of facts, if no values satisfy all facts."""
        self.budget.spend(300)
        if (found := self.simplex.conflict(self.budget)) is None:
            return None
        scale = lcm(*(x.denominator for x in found.values()))
        return Closed(total([({ONE: int(x * scale)}, [self.of[n]]) for n, x in found.items() if x]))

    def value(self, m: Monomial) -> Number:
        """The current value of a product, or the product of its factors' values."""
        if m in self.columns:
            return self.simplex.values[self.columns[m]]
        return _plain(prod([self.value((n,)) for n in m])) if len(m) != 1 else 0

    def holds(self, one: Known) -> bool:
        """Whether the current values satisfy a fact or a choice."""
        if type(one) is list:
            return any(all(map(self.holds, parts)) for parts in one)
        v = sum([c * self.value(m) for m, c in self.plain(one[0]).items()])
        return v == 0 if one[1] else v >= 0

    def fraction(self) -> Poly | None:
        """A polynomial with a fractional current value, minus the floor of that value."""
        for m in sorted(self.columns, key=lambda m: (len(m), m)):
            v = self.value(m)
            if v.denominator > 1:
                return plus({m: 1}, UNIT, -(v.numerator // v.denominator))
        return None

    def broken_products(self) -> list[Pair]:
        """Pairs of forms whose product does not have the product of their values, the shortest first."""
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
        """The fact that p is positive, 0, or negative, if it is known literally."""
        for q in (p, negative(p)):
            fact = self.least.get(_form(q))
            if fact is not None:
                known, zero = fact.known
                if known in (p, negative(p)) if zero else known.get(ONE, 0) < q.get(ONE, 0):
                    return fact
        return None

    def product(self, p: Poly, q: Poly) -> Item | None:
        """The fact about a product that follows from the signs of its factors, once both are known."""
        a, b = self.sign(p), self.sign(q)
        for fact, other in ((a, q), (b, p)):
            if fact is not None and fact.known[1]:
                return total([(other, [fact])])
        return None if a is None or b is None else total([(UNIT, [a, b])])


class _Values(dict[Monomial, Any]):
    """The values of products, computed on demand."""

    def __init__(self, facts: Facts) -> None:
        super().__init__()
        self.facts = facts

    def __missing__(self, m: Monomial) -> Number:
        self[m] = found = self.facts.value(m)
        return found


def _form(p: Poly) -> frozenset[tuple[Monomial, int]]:
    return frozenset((m, c) for m, c in p.items() if m)


def _without(p: Poly, name: str, equation: Poly) -> tuple[Poly, Poly]:
    """Eliminates the name: p - factor·equation, and the factor."""
    factor = Poly()
    while found := next(((m, c) for m, c in p.items() if name in m), None):
        rest = list(found[0])
        rest.remove(name)
        share = {tuple(rest): found[1] * equation[name,]}
        p, factor = minus(p, times(share, equation)), plus(factor, share)
    return p, factor
