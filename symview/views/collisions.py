"""When are the addresses of a view distinct?"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import combinations, permutations, product
from math import gcd
from typing import Any, NamedTuple

from symview.answers import ConditionsData
from symview.cases.algebra import Algebra, Literals, quotient_of
from symview.cases.query import Query
from symview.cases.restrict import at_values, few_values
from symview.cases.simplify.clauses import Clause, possible, simplified_clauses
from symview.engine import density
from symview.errors import Undecided
from symview.logic.polynomial import ONE, Poly, minus, negative, operation_of, plus, times
from symview.logic.sympy_bridge import free_symbols
from symview.logic.terms import FALSE, TRUE, Term, conj, conjuncts, disj, num, sym
from symview.views.addresses import UNIT, floor_of, product_of, split_by
from symview.views.extents import Extents, extents, one_of, orders

_MOST_WORK = 1_000_000  # budget steps for finding orders that are impossible
_DIFFERENCES = 24  # differences of indices that are enumerated
_DIVISORS = 24  # divisors of a stride
_WALKED = 4  # multiples of a stride that are enumerated
_MOST_DIMS = 4  # dims, all of whose orders are tried
_EXACT = "exact: two indices have one address exactly if their difference, below the sizes, has address 0"
_TWICE = "two indices have one address"
_SOME = (
    "dims are not far apart, and more than three or of strides none of which is a multiple of another: "
    "whether some difference of indices has address 0 is open"
)

Pair = tuple[int, int]
_MOST_CLASSES = 4  # residue classes modulo c, if c·(one stride) is the first multiple of the other stride


def cases_by_collision(query: Query) -> ConditionsData:
    """The condition under which different indices have different addresses.

    Theory: two indices share an address if and only if some d other than 0, with |d_j| < n_j, has Σ d_j·t_j = 0. Two
    dims (n,m):(p,q), neither of size 1, with g = gcd(p, q): the addresses are distinct if and only if |q| >= n·g or p|
    >= m·g, and no stride is 0. With more dims, some of small sizes, the others must miss each Σ d_j·t_j of these
    (`avoids_sum`). With three dims, one stride a multiple of another, solutions are counted (`multiples_missed`).
    Otherwise it is necessary for each two dims; it is sufficient that in some order each dim is farther apart than the
    faster ones reach together. The gap between is a question of integer programming for a fixed rank, and coNP-complete
    for all ranks.
    """
    collisions = _Collisions(extents(query))
    dims = collisions.left()
    if (numbers := collisions.numbers(dims)) is not None:
        distinct = density.is_injective(numbers, query.budget)
        return collisions.extents.exact([TRUE if distinct else FALSE], _EXACT, _TWICE)
    exact = collisions.clauses(dims)
    if exact is not None:
        plain, divided = exact
        known = collisions.extents.knowing([*plain, *divided])
        clauses = [c.term() for c in simplified_clauses(plain, known)]
        if FALSE not in clauses:
            # clauses with a division follow those that exclude a divisor of 0; none of these may be dropped for them
            shorter = (possible(c, known.also(*clauses)) for c in divided)
            clauses += [c.term() for c in shorter if c is not None]
        return collisions.extents.exact(clauses, _EXACT, _TWICE)
    needed = collisions.needed(dims)
    known = collisions.extents.knowing(needed)
    least = [c.term() for c in simplified_clauses(needed, known)]
    if FALSE in least:
        return collisions.extents.exact(least, _EXACT, _TWICE)
    if (valued := _by_values(query, [*known.facts, *least])) is not None:
        return collisions.extents.exact([*least, *valued], _EXACT, _TWICE)
    enough = collisions.enough(dims)
    if known.also(*least).implies(enough):
        return collisions.extents.exact(least, _EXACT, _TWICE)
    return collisions.extents.between(enough, conj(least), _SOME)


def steps_to_collisions(query: Query) -> list[list[Any]]:
    """How a checker gets from the view to the condition.

    Its steps: joining two dims, dropping one that is far apart, enumerating the differences of some dims.
    """
    collisions = _Collisions(extents(query))
    dims, known = collisions.left(), collisions.extents.dims
    names = [d for d in known if d not in {slow for _, slow in collisions.joined}]
    away = [d for d in range(len(collisions.extents.sizes)) if d not in known]
    away += [names[d] for d in collisions.order if d not in dims]
    small, others = collisions.small(dims)
    if len(dims) == 2 and others:
        divided = not all(collisions.strides[d] for d in dims) or any(set(p) <= {ONE} for p in collisions.parts(*dims))
        small = [] if divided else [d for d in small if collisions.sizes[d].get(ONE, 0) <= _WALKED][:1]
    each = [["each", *[names[d] for d in small]]] if small and len(others) < 2 else []
    return [*(["join", *pair] for pair in collisions.joined), *(["far", d] for d in away), *each]


def _by_values(query: Query, facts: Sequence[Term]) -> list[Term] | None:
    """What else is necessary, by the values of a name that can have only a few; None if that is unknown."""
    few = few_values(free_symbols(query.views[0].entries()), facts)
    if few is None:
        return None
    (name, values), found = few, list[Term]()
    for value in values:
        clauses = cases_by_collision(at_values(query, {name: value})).clauses
        if clauses is None:
            return None
        found += [disj((Term("!=", (sym(name), num(value))), clause)) for clause in clauses]
    return found


class _Collisions:
    """One query: sizes and absolute strides as polynomials; two dims that are always contiguous are joined."""

    def __init__(self, extents: Extents) -> None:
        self.extents, self.algebra = extents, extents.algebra
        self.known = extents.knowing(())
        self.joined, self.order = list[Pair](), list[int]()  # pairs of joined dims; dims dropped as far apart
        self.sizes, self.strides = self._joined()
        self.away = [self._absolute(t) for t in self.strides]

    def _joined(self) -> tuple[list[Poly], list[Poly]]:
        """Sizes and strides; two dims are joined if one stride is always the size times the stride of the other."""
        dims = {d: (self.extents.sizes[d], self.extents.strides[d]) for d in self.extents.dims}
        while True:
            near = ((a, b) for a, b in permutations(dims, 2) if dims[a][1] and dims[b][1] == times(*dims[a]))
            pair = next(near, None)
            if pair is None:
                return [n for n, _ in dims.values()], [t for _, t in dims.values()]
            fast, slow = pair
            dims[fast] = times(dims[fast][0], dims.pop(slow)[0]), dims[fast][1]
            self.joined.append(pair)

    def _absolute(self, stride: Poly) -> Poly:
        """The absolute value of a stride."""
        if set(stride) <= {ONE}:
            return {m: abs(c) for m, c in stride.items()}
        zero, value = num(0), self.algebra.term(stride)
        if self.algebra.is_positive(stride) or self.known.implies(Term(">=", (value, zero))):
            return stride
        if self.known.implies(Term("<=", (value, zero))):
            return negative(stride)
        return self.algebra.poly_of(Term("abs", (value,)))

    def left(self) -> tuple[int, ...]:
        """The dims that remain after dropping those that are known to be farther apart than the others reach."""
        dims = tuple(range(len(self.sizes)))
        while True:
            far = next((d for d in dims if possible(self._far(d, dims), self.known) is None), None)
            if far is None:
                return dims
            self.order.append(far)
            dims = tuple([d for d in dims if d != far])

    def _far(self, dim: int, dims: Sequence[int]) -> Clause:
        """The clause that a dim is farther apart than the others reach together, or has size 1."""
        reach: Poly = {}
        for other in dims:
            if other != dim:
                reach = plus(reach, times(minus(self.sizes[other], UNIT), self.away[other]))
        return Clause((*self._unit(dim), self.algebra.below(reach, self.away[dim])))

    def _unit(self, *dims: int) -> Literals:
        return tuple([e for d in dims for e in self.algebra.zero(minus(self.sizes[d], UNIT)) if e != FALSE])

    def numbers(self, dims: Sequence[int]) -> list[density.Dim] | None:
        """Sizes and strides of these dims, if all are numbers."""
        polys = [p for d in dims for p in (self.sizes[d], self.strides[d])]
        if not all(set(p) <= {ONE} for p in polys):
            return None
        found = [p.get(ONE, 0) for p in polys]
        return list(zip(found[::2], found[1::2], strict=True))

    def clauses(self, dims: tuple[int, ...]) -> tuple[list[Clause], list[Clause]] | None:
        """The exact condition, and those clauses that divide by what another one keeps from 0; None if unknown."""
        moves = [Clause((*self._unit(d), *self._nonzero(self.strides[d]))) for d in dims]
        if len(dims) < 2:
            return moves, []
        if (found := self._by_differences(dims)) is not None:
            return [*moves, *found.plain], list(found.divided)
        if len(dims) > 2:
            return None if (found := self._by_sums(dims)) is None else ([*moves, *found.plain], list(found.divided))
        plain, divided = self._pair(*dims)
        return [*moves, *plain], divided

    def _by_sums(self, dims: Sequence[int]) -> NoSolution | None:
        """The condition for three dims, two strides of which are multiples: their sums miss multiples of the third."""
        if len(dims) > 3:
            return None
        orders = [(x, slow, fast) for x, slow, fast in permutations(dims) if self.strides[slow] and self.strides[fast]]
        orders = [(x, slow, fast) for x, slow, fast in orders if self.parts(slow, fast)[1] == UNIT]
        if not orders or not all(self.strides[d] for d in dims):
            return None
        third, slow, fast = min(orders, key=lambda o: (self.parts(o[0], o[2])[1] != UNIT, self._operations(o[1])))
        x, s, f = (Dim(self.sizes[d], self.strides[d], self.away[d]) for d in (third, slow, fast))
        equal = multiples_missed(x, s, f, self.parts(slow, fast)[0], self.algebra)
        found = NoSolution((), (Clause((*self._unit(*dims), equal)),))
        pairs = [(slow, fast), *((third, d) for d, e in ((fast, slow), (slow, fast)) if self._unit(e))]
        for pair in pairs:
            found = NoSolution(*map(tuple, self._pair(*pair))).and_(found)
        return found

    def _operations(self, dim: int) -> int:
        """How many variables in the dim's stride stand for operations, such as an absolute value."""
        return sum(operation_of(v) is not None for m in self.away[dim] for v in m)

    def small(self, dims: Sequence[int]) -> tuple[list[int], list[int]]:
        """The dims whose sizes are numbers small enough to enumerate all differences, and the other dims."""
        small, differences = list[int](), 1
        numbers = {d: n for d in dims if (n := _number(self.sizes[d])) is not None}
        for dim in sorted(numbers, key=numbers.__getitem__):
            differences *= 2 * numbers[dim] - 1
            if differences > 2 * _DIFFERENCES + 1:
                break
            small.append(dim)
        return small, [d for d in dims if d not in small]

    def _by_differences(self, dims: Sequence[int]) -> NoSolution | None:
        """The condition if some sizes are small numbers: at most two other dims reach none of their differences."""
        small, others = self.small(dims)
        if not small or len(others) > 2 or (len(dims) == 2 and others):
            return None
        found = NoSolution(*map(tuple, self._pair(*others))) if len(others) == 2 else NoSolution(())
        rest = [Dim(self.sizes[d], self.strides[d], self.away[d]) for d in others]
        for d in product(*(range(1 - self.sizes[s].get(ONE, 0), self.sizes[s].get(ONE, 0)) for s in small)):
            if next((x for x in d if x), 0) > 0 and (others or gcd(*d) == 1):
                target: Poly = {}
                for x, dim in zip(d, small, strict=True):
                    target = plus(target, self.strides[dim], x)
                one = avoids_sum(target, self._absolute(target), rest, self.algebra)
                if one is None:
                    return None
                found = found.and_(one)
        return found

    def _nonzero(self, p: Poly) -> Literals:
        """P != 0 as a literal; none if p is 0."""
        found = self.algebra.nonzero(p)
        return () if found == FALSE else (found,)

    def _pair(self, one: int, other: int, *, exact: bool = True) -> tuple[list[Clause], list[Clause]]:
        """The clauses that two dims of nonzero strides need, and those of them that divide by one of the strides.

        Unless `exact`, it leaves the greatest common divisor out, since solvers handle it badly: a necessary condition.
        """
        if not (self.strides[one] and self.strides[other]):
            return [], []
        for a, b in ((one, other), (other, one)):
            p, q = self.parts(a, b)
            if (number := _number(q)) and (divisors := _divisors(number)) is not None:
                return [self._by_divisor(a, b, p, q, d) for d in divisors], []
        for a, b in ((one, other), (other, one)):
            if (size := _number(self.sizes[a])) is not None and size <= _WALKED:
                return [], [self._by_multiple(a, b, *self.parts(a, b), i) for i in range(1, size)]
        return [self._by_common(one, other, exact)], []

    def parts(self, a: int, b: int) -> tuple[Poly, Poly]:
        """The absolute strides of two dims, neither 0, divided by their common monomial factor."""
        p, q = map(self._absolute, quotient_of(self.strides[a], self.strides[b]))
        return p, q

    def _by_divisor(self, a: int, b: int, p: Poly, q: Poly, divisor: int) -> Clause:
        """For (n,m):(p,q), the clause: n·divisor <= |q|, or m·divisor <= |p|, or the divisor does not divide p."""
        n, m = ({k: divisor * c for k, c in self.sizes[d].items()} for d in (a, b))
        literals = [*self._unit(a, b), self.algebra.at_most(n, q), self.algebra.at_most(m, p)]
        if divisor > 1:
            literals.append(Term("!=", (Term("%", (self._signless(p), num(divisor))), num(0))))
        return Clause(tuple([e for e in literals if e != FALSE]))

    def _by_multiple(self, a: int, b: int, p: Poly, q: Poly, i: int) -> Clause:
        """For (n,m):(p,q), the clause: i·p, with 1 <= i < n, is not a multiple of q, or is at least m·|q|."""
        moved = {k: i * c for k, c in p.items()}
        divides = Term("!=", (Term("%", (self._signless(moved), self._signless(q))), num(0)))
        reaches = self.algebra.at_most(times(self.sizes[b], q), moved)
        return Clause(tuple([e for e in (*self._unit(b), reaches, divides) if e != FALSE]))

    def _by_common(self, a: int, b: int, exact: bool) -> Clause:
        """For (n,m):(p,q) with g = gcd(p, q): n·g <= |q| or m·g <= |p|. Unless `exact`, g is replaced by 1."""
        p, q = self.parts(a, b)
        shown = sorted(map(self._signless, (p, q)), key=lambda t: t.op == "int")
        common = self.algebra.poly_of(Term("gcd", tuple(shown))) if exact else UNIT
        ends = (self.sizes[a], q), (self.sizes[b], p)
        far = [self.algebra.at_most(times(n, common), away) for n, away in ends]
        return Clause(tuple([e for e in (*self._unit(a, b), *far) if e != FALSE]))

    def _signless(self, p: Poly) -> Term:
        """The polynomial up to its sign: an absolute value loses its bars."""
        (monomial, c), *more = p.items()
        meaning = operation_of(monomial[0]) if len(monomial) == 1 and not more else None
        if meaning is None or meaning.op != "abs":
            return self.algebra.term(p)
        return self.algebra.term(times({ONE: c}, self.algebra.poly_of(meaning.args[0])))

    def needed(self, dims: tuple[int, ...]) -> list[Clause]:
        """Necessary: no two dims collide, as far as is known, and there is room for all addresses."""
        found = [Clause((*self._unit(d), *self._nonzero(self.strides[d]))) for d in dims]
        for a, b in combinations(dims, 2):
            found += self._pair(a, b, exact=False)[0]
        room: Poly = UNIT
        for d in dims:
            room = plus(room, times(minus(self.sizes[d], UNIT), self.away[d]))
        return [*found, Clause((self.algebra.at_most(product_of([self.sizes[d] for d in dims]), room),))]

    def enough(self, dims: tuple[int, ...]) -> Term:
        """Sufficient: in some order each dim is farther apart than the faster ones reach together."""
        brief, found = self.known.renewed(self.extents.query.budget.part(1, _MOST_WORK)), list[list[Term]]()
        if len(dims) > _MOST_DIMS:
            return conj(one_of([[self._far(d, dims[at:]).term() for at, d in enumerate(dims)]], brief))
        with suppress(Undecided):  # the orders tried so far are sufficient as well
            for one in orders(dims, self._far, brief, self.extents.query.budget):
                found.append([c.term() for c in one.values()])
        return conj(one_of(found, brief))


def _divisors(number: int) -> list[int] | None:
    """The divisors of a number up to a million; None if it is larger or has too many."""
    if not 0 < number <= 1_000_000:
        return None
    found = [d for d in range(1, number + 1) if number % d == 0] if number < 2_000 else _of_large(number)
    return found if len(found) <= _DIVISORS else None


def _of_large(number: int) -> list[int]:
    small = [d for d in range(1, int(number**0.5) + 1) if number % d == 0]
    return sorted({*small, *(number // d for d in small)})


class Dim(NamedTuple):
    """A size, a stride and its absolute value."""

    size: Poly
    stride: Poly
    away: Poly


class NoSolution(NamedTuple):
    """Clauses that together say that no sum has a value; `divided` are those that divide by what others keep from 0."""

    plain: tuple[Clause, ...]
    divided: tuple[Clause, ...] = ()

    def and_(self, other: NoSolution) -> NoSolution:
        """The conjunction."""
        return NoSolution((*self.plain, *other.plain), (*self.divided, *other.divided))

    def or_(self, literals: Literals) -> NoSolution:
        """The disjunction with literals."""
        plain, divided = (tuple([Clause((*literals, *c.literals)) for c in side]) for side in self)
        return NoSolution(plain, divided)


def avoids_sum(target: Poly, away: Poly, dims: Sequence[Dim], algebra: Algebra) -> NoSolution | None:
    """The condition that no Σ d·stride with |d| < size equals the target; None if no terms express it.

    `away` is the target's absolute value. Claim: for dims of size 1, or of a stride other than 0. One dim (n:u) reaches
    the multiples of u below n·|u|. Two dims (n:p), (m:v), where v divides p: around each multiple of p below n·|p|, the
    dim (m:v) reaches the multiples of v that are nearer than m·|v|. If v divides only c·p, that holds in each class of
    multiples of p modulo c.
    """
    if not target:
        return NoSolution((Clause(()),))
    dims = [d for d in dims if d.stride]
    if not dims:
        return NoSolution(tuple([Clause(_literals(part)) for part in conjuncts(algebra.nonzero(target))]))
    if len(dims) == 1:
        (dim,) = dims
        far = _literals(algebra.at_most(times(dim.size, dim.away), away), _no_multiple(target, dim.stride, algebra))
        return _guarded(target, away, dims, algebra, NoSolution((Clause(far),)))
    slow, fast = min(dims, dims[::-1], key=lambda pair: _classes(*pair))
    classes = _classes(slow, fast)
    if classes > _MOST_CLASSES:
        return None
    found = NoSolution(tuple([_of_class(n, classes, target, away, slow, fast, algebra) for n in range(classes)]))
    return _guarded(target, away, dims, algebra, found)


def multiples_missed(third: Dim, slow: Dim, fast: Dim, step: Poly, algebra: Algebra) -> Term:
    """The condition that no nonzero multiple of a third stride is a difference of two dims of strides step·v and v.

    Claim: for (s:u·v), (f:v), with f <= u, and (n:r), none of size 1. With g = gcd(r, v), a multiple of r is one of v
    at every c = v/g steps: it is e·r/g·v. Below the reach (s − 1)·u + f, it is missed if no multiple of u lies between
    e·r/g − f and e·r/g + f. A difference of two sums of quotients counts the multiples of u in all these intervals; at
    e = 0 there is one.
    """
    r, v = quotient_of(third.away, fast.away)
    stride, count = algebra.term(r), algebra.term(third.size)
    if v != UNIT:
        common = Term("gcd", (stride, algebra.term(v)))
        every = Term("//", (algebra.term(v), common))
        stride, count = Term("//", (stride, common)), _up(count, every)
    reach = algebra.term(plus(times(minus(slow.size, UNIT), step), fast.size))
    count = Term("min", (count, _up(reach, Term("max", (num(1), stride)))))
    starts = minus(fast.size, UNIT), negative(fast.size)
    above, below = (Term("floor_sum", (count, algebra.term(step), stride, algebra.term(s))) for s in starts)
    return Term("==", (above, Term("+", (below, num(1)))))


def _up(a: Term, b: Term) -> Term:
    """The quotient, rounded up."""
    return Term("neg", (Term("//", (Term("neg", (a,)), b)),))


def _classes(slow: Dim, fast: Dim) -> int:
    """The least number of slow steps that is a multiple of the fast stride; a too large number if it is not known."""
    return abs(_number(quotient_of(slow.stride, fast.stride)[1]) or _MOST_CLASSES + 1)


def _guarded(target: Poly, away: Poly, dims: Sequence[Dim], algebra: Algebra, found: NoSolution) -> NoSolution | None:
    """The condition if no dim has size 1, and, where one has (its stride may be 0), the condition on the other dims."""
    if all(_number(d.stride) for d in dims):
        return found
    units = [algebra.zero(minus(d.size, UNIT)) for d in dims]
    whole = NoSolution((), found.plain).or_(tuple([e for unit in units for e in unit]))
    for dim, unit in zip(dims, units, strict=True):
        if unit:
            others = avoids_sum(target, away, [d for d in dims if d is not dim], algebra)
            if others is None:
                return None
            whole = whole.and_(others.or_(_literals(algebra.nonzero(minus(dim.size, UNIT)))))
    return whole


def _of_class(at: int, classes: int, target: Poly, away: Poly, slow: Dim, fast: Dim, algebra: Algebra) -> Clause:
    """The clause that the multiples of the slow stride in one class are all too far from the target."""
    last, near = minus(slow.size, UNIT), times(fast.size, fast.away)
    step, moved = times({ONE: classes}, slow.away), plus(target, slow.away, at)
    rest = _remainder(moved, step, algebra)
    between = conj((algebra.at_most(near, rest), algebra.at_most(plus(rest, near), step)))
    if classes == 1:
        beyond = [algebra.at_most(plus(times(last, slow.away), near), away)]
    else:
        first = negative(floor_of(plus(last, {ONE: at}), classes, algebra))
        final = floor_of(plus(last, {ONE: -at}), classes, algebra)
        low, high = (plus(moved, times(step, end)) for end in (first, final))
        beyond = [algebra.below(final, first), algebra.at_most(near, low), algebra.at_most(plus(high, near), {})]
    return Clause(_literals(*beyond, between, _no_multiple(moved, fast.stride, algebra)))


def _remainder(p: Poly, by: Poly, algebra: Algebra) -> Poly:
    numbers = _number(p), _number(by)
    if None not in numbers:
        return {ONE: rest} if (rest := (numbers[0] or 0) % (numbers[1] or 1)) else {}
    return algebra.poly_of(Term("%", (algebra.term(p), algebra.term(by))))


def _no_multiple(p: Poly, of: Poly, algebra: Algebra) -> Term:
    if not split_by(p, of)[1]:
        return FALSE
    return Term("!=", (Term("%", (algebra.term(p), algebra.term(of))), num(0)))


def _literals(*formulas: Term) -> Literals:
    return tuple([f for f in formulas if f != FALSE])


def _number(p: Poly) -> int | None:
    return p.get(ONE, 0) if set(p) <= {ONE} else None
