"""When do no two indices of a view have one address?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import combinations, product
from math import gcd

from symview.answers import ConditionsData
from symview.engine import density
from symview.errors import Undecided
from symview.logic.entailment import Entailment
from symview.logic.polynomial import ONE, Poly, plus, times
from symview.logic.terms import FALSE, TRUE, Term, conj, conjuncts, num
from symview.symbolic.algebra import Literals, difference, quotient_of
from symview.symbolic.boundaries import UNIT, product_of
from symview.symbolic.clauses import Clause, possible, simplified
from symview.symbolic.extents import Extents, extents, one_of
from symview.symbolic.facts import Query

_STEPS = 3_000  # of work for each dim that is placed, beside what solvers do
_MOST_WORK = 1_000_000  # of what only tells which orders are impossible
_DIFFERENCES = 24  # of indices, looked at one by one
_DIVISORS = 24  # of a stride
_WALKED = 8  # multiples of a stride
_MOST_DIMS = 4  # whose orders are all looked at
_EXACT = "exact: two indices have one address just where their difference, in sizes less 1, is taken to 0"
_TWICE = "two indices have one address"
_SOME = "the strides have no common divisor that is known: whether some difference of indices is taken to 0 is open"

Pair = tuple[int, int]


def cases_by_collision(query: Query) -> ConditionsData:
    """The addresses of different indices differ.

    Theory: they do unless some d, not 0, with |d_j| < n_j has Σ d_j·t_j = 0. Of two dims (n,m):(p,q), not of
    size 1, with g = gcd(p, q): just where |q| >= n·g or |p| >= m·g, and neither is 0. Of more, it is needed of each two
    of them, and enough that, in some order, each is farther apart than the faster ones reach together.
    """
    asked = _Collisions(extents(query))
    dims = asked.left()
    if (numbers := asked.numbers(dims)) is not None:
        distinct = density.is_injective(numbers, query.budget)
        return asked.extents.exact([TRUE if distinct else FALSE], TRUE if distinct else FALSE, _EXACT, _TWICE)
    exact = asked.clauses(dims)
    if exact is not None:
        plain, divided = exact
        known = asked.extents.knowing([*plain, *divided])
        clauses = [c.term() for c in simplified(plain, known)]
        if FALSE not in clauses:
            # a clause that divides stands behind those that keep its divisor from 0, and none of these goes for it
            shorter = (possible(c, known.also(*clauses)) for c in divided)
            clauses += [c.term() for c in shorter if c is not None]
        source = conj(c.term() for c in (*plain, *divided))
        return asked.extents.exact(clauses, source, _EXACT, _TWICE)
    needed, enough = asked.needed(dims), asked.enough(dims)
    known = asked.extents.knowing(needed)
    least = [c.term() for c in simplified(needed, known)]
    if FALSE in least or known.also(*least).implies(enough):
        return asked.extents.exact(least, conj(c.term() for c in needed), _EXACT, _TWICE)
    return asked.extents.between(enough, conj(least), _SOME)


class _Collisions:
    """One query: absolute strides and sizes as polynomials, joined where dims are contiguous anyway."""

    def __init__(self, extents: Extents) -> None:
        self.extents, self.algebra = extents, extents.algebra
        self.known = extents.knowing(())
        self.sizes, self.strides = self._joined()
        self.away = [self._absolute(t) for t in self.strides]

    def _joined(self) -> tuple[list[Poly], list[Poly]]:
        """Sizes and strides, two dims as one where the stride of one is always size times stride of the other."""
        dims = [(self.extents.sizes[d], self.extents.strides[d]) for d in self.extents.dims]
        while True:
            near = ((a, b) for a in dims for b in dims if a is not b and b[1] and a[1] == times(b[0], b[1]))
            pair = next(near, None)
            if pair is None:
                return [n for n, _ in dims], [t for _, t in dims]
            joined = times(pair[0][0], pair[1][0]), pair[1][1]
            dims = [joined if d is pair[1] else d for d in dims if d is not pair[0]]

    def _absolute(self, stride: Poly) -> Poly:
        """The absolute value of a stride."""
        if set(stride) <= {ONE}:
            return {m: abs(c) for m, c in stride.items()}
        zero, value = num(0), self.algebra.term(stride)
        if self.algebra.is_positive(stride) or self.known.implies(Term(">=", (value, zero))):
            return stride
        if self.known.implies(Term("<=", (value, zero))):
            return plus({}, stride, -1)
        return self.algebra.poly_of(Term("abs", (value,)))

    def left(self) -> tuple[int, ...]:
        """The dims that are left where those are taken away that are known to be farther apart than others reach."""
        dims = tuple(range(len(self.sizes)))
        while True:
            far = next((d for d in dims if possible(self._far(d, dims), self.known) is None), None)
            if far is None:
                return dims
            dims = tuple([d for d in dims if d != far])

    def _far(self, dim: int, dims: Sequence[int]) -> Clause:
        """That a dim is farther apart than the others reach together, or of size 1."""
        reach: Poly = {}
        for other in dims:
            if other != dim:
                reach = plus(reach, times(difference(self.sizes[other], UNIT), self.away[other]))
        return Clause((*self._unit(dim), self.algebra.below(reach, self.away[dim])))

    def _unit(self, *dims: int) -> Literals:
        return tuple([e for d in dims for e in self.algebra.zero(difference(self.sizes[d], UNIT)) if e != FALSE])

    def numbers(self, dims: Sequence[int]) -> list[density.Dim] | None:
        """Sizes and strides of these dims where all are numbers."""
        polys = [p for d in dims for p in (self.sizes[d], self.strides[d])]
        if not all(set(p) <= {ONE} for p in polys):
            return None
        found = [p.get(ONE, 0) for p in polys]
        return list(zip(found[::2], found[1::2], strict=True))

    def clauses(self, dims: tuple[int, ...]) -> tuple[list[Clause], list[Clause]] | None:
        """The exact condition, and clauses of it that divide by what another one keeps from 0; None where unknown."""
        moves = [Clause((*self._unit(d), *self._nonzero(self.strides[d]))) for d in dims]
        if (few := self._few(dims)) is not None:
            return few, []
        if len(dims) < 2:
            return moves, []
        if len(dims) > 2 or (both := self._pair(dims[0], dims[1])) is None:
            return None
        plain, divided = both
        return [*moves, *plain], divided

    def _nonzero(self, p: Poly) -> Literals:
        """P != 0 as a single literal; none where p is 0."""
        found = self.algebra.nonzero(p)
        return () if found == FALSE else (found,)

    def _few(self, dims: Sequence[int]) -> list[Clause] | None:
        """Of few indices, each difference is not taken to 0, where sizes are numbers; None for others."""
        if not all(set(self.sizes[d]) <= {ONE} for d in dims):
            return None
        sizes = [self.sizes[d].get(ONE, 0) for d in dims]
        count = 1
        for n in sizes:
            count *= 2 * n - 1
        if count > 2 * _DIFFERENCES + 1:
            return None
        clauses = []
        for d in product(*(range(1 - n, n) for n in sizes)):
            if gcd(*d) == 1 and next(x for x in d if x) > 0:
                total: Poly = {}
                for x, dim in zip(d, dims, strict=True):
                    total = plus(total, self.strides[dim], x)
                found = self.algebra.nonzero(total)
                clauses += [Clause(() if part == FALSE else (part,)) for part in conjuncts(found)]
        return clauses

    def _pair(self, one: int, other: int) -> tuple[list[Clause], list[Clause]] | None:
        """What is to be added for two dims whose strides are not 0; None where their divisor stays unknown."""
        if not (self.strides[one] and self.strides[other]):
            return [], []
        for a, b in ((one, other), (other, one)):
            p, q = self._parts(a, b)
            if set(q) == {ONE} and (divisors := _divisors(q[ONE])) is not None:
                return [self._by_divisor(a, b, p, q, d) for d in divisors], []
        for a, b in ((one, other), (other, one)):
            if set(self.sizes[a]) <= {ONE} and self.sizes[a].get(ONE, 0) <= _WALKED:
                p, q = self._parts(a, b)
                return [], [self._by_multiple(a, b, p, q, i) for i in range(1, self.sizes[a].get(ONE, 0))]
        return None

    def _parts(self, a: int, b: int) -> tuple[Poly, Poly]:
        """The absolute strides of two dims without a common factor, as far as it is known to be positive."""
        parts = quotient_of(self.away[a], self.away[b])
        known = all(self.known.implies(Term(">=", (self.algebra.term(p), num(0)))) for p in parts)
        return parts if known else (self.away[a], self.away[b])

    def _by_divisor(self, a: int, b: int, p: Poly, q: Poly, divisor: int) -> Clause:
        """Of (n,m):(p,q): n times the divisor is at most |q|, or m times it at most |p|, or it is none of p."""
        n, m = ({k: divisor * c for k, c in self.sizes[d].items()} for d in (a, b))
        literals = [*self._unit(a, b), self.algebra.at_most(n, q), self.algebra.at_most(m, p)]
        if divisor > 1:
            literals.append(Term("!=", (Term("%", (self._signless(p), num(divisor))), num(0))))
        return Clause(tuple([e for e in literals if e != FALSE]))

    def _by_multiple(self, a: int, b: int, p: Poly, q: Poly, i: int) -> Clause:
        """Of (n,m):(p,q): i·p, 1 <= i < n, is no multiple of q, or reaches m·|q|."""
        moved = {k: i * c for k, c in p.items()}
        divides = Term("!=", (Term("%", (self._signless(moved), self._signless(q))), num(0)))
        reaches = self.algebra.at_most(times(self.sizes[b], q), moved)
        return Clause(tuple([e for e in (*self._unit(b), reaches, divides) if e != FALSE]))

    def _signless(self, p: Poly) -> Term:
        """The polynomial up to its sign: without the bars of a single absolute value."""
        (monomial, c), *more = p.items()
        meaning = self.algebra.opaque.get(monomial[0]) if len(monomial) == 1 and not more else None
        if meaning is None or meaning.op != "abs":
            return self.algebra.term(p)
        return self.algebra.term(times({ONE: c}, self.algebra.poly_of(meaning.args[0])))

    def needed(self, dims: tuple[int, ...]) -> list[Clause]:
        """That no two dims alone have such indices, as far as is known, and that there is room for all addresses."""
        found = [Clause((*self._unit(d), *self._nonzero(self.strides[d]))) for d in dims]
        for a, b in combinations(dims, 2):
            both = self._pair(a, b)
            found += both[0] if both is not None else [self._apart(a, b)]
        room: Poly = UNIT
        for d in dims:
            room = plus(room, times(difference(self.sizes[d], UNIT), self.away[d]))
        return [*found, Clause((self.algebra.at_most(product_of([self.sizes[d] for d in dims]), room),))]

    def _apart(self, a: int, b: int) -> Clause:
        """What (n,m):(p,q) needs whatever the divisor of p and q: |q| >= n or |p| >= m."""
        p, q = self._parts(a, b)
        far = (self.algebra.at_most(self.sizes[a], q), self.algebra.at_most(self.sizes[b], p))
        return Clause(tuple([e for e in (*self._unit(a, b), *far) if e != FALSE]))

    def enough(self, dims: tuple[int, ...]) -> Term:
        """That in some order each dim is farther apart than the faster ones reach together."""
        brief = self.known.renewed(self.extents.query.budget.part(1, _MOST_WORK))
        orders = self._orders(dims, brief) if len(dims) <= _MOST_DIMS else [self._in_order(dims)]
        found = list[list[Term]]()
        with suppress(Undecided):  # those that were looked at are enough as well
            for order in orders:
                found.append([c.term() for c in order])
        return conj(one_of(found, brief))

    def _in_order(self, dims: tuple[int, ...]) -> list[Clause]:
        return [self._far(d, dims[at:]) for at, d in enumerate(dims)]

    def _orders(self, dims: tuple[int, ...], known: Entailment) -> Iterator[list[Clause]]:
        """For each order of the dims, the slowest first, what it demands; impossible ones left out."""
        if not dims:
            yield []
            return
        for dim in dims:
            self.extents.query.budget.spend(_STEPS)
            clause = possible(self._far(dim, dims), known)
            if clause is None or clause.literals:
                rest = tuple([d for d in dims if d != dim])
                then = known if clause is None else known.also(clause.term())
                for found in self._orders(rest, then):
                    yield found if clause is None else [clause, *found]


def _divisors(number: int) -> list[int] | None:
    """Of a number up to a million; None where there are too many, or it is larger."""
    if not 0 < number <= 1_000_000:
        return None
    found = [d for d in range(1, number + 1) if number % d == 0] if number < 2_000 else _of_large(number)
    return found if len(found) <= _DIVISORS else None


def _of_large(number: int) -> list[int]:
    small = [d for d in range(1, int(number**0.5) + 1) if number % d == 0]
    return sorted({*small, *(number // d for d in small)})
