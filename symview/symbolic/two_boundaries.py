"""Two boundaries that overflow: everywhere as often, everywhere oppositely, or independently.

A unit step changes what a boundary carries by −1, 0 or 1, so that two boundaries, neither idle, whose carries C are
linearly dependent have C_P = C_Q or C_P = −C_Q on the whole box. Which, finitely many indices tell wherever the strides
or the sizes are simple enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import NamedTuple, TypeAlias

from symview.logic.arithmetic import in_arithmetic
from symview.logic.entailment import Entailment
from symview.logic.polynomial import ONE, Poly, minus, plus, times
from symview.logic.terms import FALSE, TRUE, Term, disj, negated, num
from symview.symbolic.algebra import Algebra, quotient_of

Divide: TypeAlias = Callable[[Poly, Poly, Entailment], tuple[Poly, Poly]]  # quotient and remainder
UNIT: Poly = {ONE: 1}
_MOST_INDICES = 6  # of an axis whose indices are all looked at, or in a class modulo as much
_MOST_WITNESSES = 48
_MANY = 24  # witnesses
_MOST_CLASSES = 3  # of steps at which the smaller place value carries
_MOST_RUNS = 6  # of addresses between two multiples of the larger place value


class Slope(NamedTuple):
    """What an axis adds at each step: below the smaller place value, to the digit between the two, and in all."""

    size: Poly
    fine: Poly
    coarse: Poly
    step: Poly

    def last(self) -> Poly:
        """The greatest index."""
        return minus(self.size, UNIT)


class Witness(NamedTuple):
    """An index along one axis, and what has to hold for it to be one."""

    at: Poly
    where: tuple[Term, ...] = ()


class TwoBoundaries:
    """The boundaries at the place values Q = `place` and P = `ratio`·Q of addresses start + Σ i·step below `above`·P.

    Theory: with ρ = start mod Q, R = (start + step) mod Q − ρ, and ρ', R' likewise of the digits between Q and P,
    C_Q = ⌊(ρ + ΣR·i)/Q⌋, and C_P = ±C_Q at an index exactly where 0 ≤ ρ' + ΣR'·i − (±ratio − 1)·C_Q < ratio.
    Where this is monotone in an index whatever the others are, its ends tell for all of it.
    """

    def __init__(
        self,
        algebra: Algebra,
        divide: Divide,
        known: Entailment,
        sizes: tuple[Poly, Poly, Poly],
        start: Poly,
        axes: Iterable[tuple[Poly, Poly]],
    ) -> None:
        self.algebra, self.divide, self.known = algebra, divide, known
        self.seen = known.glance()  # for indices, which are many
        self.above, self.ratio, self.place = sizes
        self.start = start
        self.open = list[Term]()  # comparisons that would tell the digits of a sum
        self.fine, self.coarse = self._digits(start, {}, {})
        self.slopes = list[Slope]()
        for size, step in axes:
            fine, coarse = self._digits(step, self.fine, self.coarse)
            self.slopes.append(Slope(size, minus(fine, self.fine), minus(coarse, self.coarse), step))

    def _digits(self, x: Poly, fine: Poly, coarse: Poly) -> tuple[Poly, Poly]:
        """Both digits of x + fine + coarse·place."""
        whole, rest = self.divide(x, self.place, self.known)
        carried, rest = self._sum(fine, rest, self.place)
        digit = self.divide(whole, self.ratio, self.known)[1]
        return rest, self._sum(coarse, digit, self.ratio, carried)[1]

    def _sum(self, one: Poly, other: Poly, place: Poly, carried: Poly | None = None) -> tuple[Poly, Poly]:
        """Quotient and remainder of two remainders and what is carried: less than twice the place value."""
        both = plus(plus(one, other), carried or {})
        if not carried and not (one and other):
            return {}, both
        below = self.algebra.below(both, place)
        if self.known.implies(below):
            return {}, both
        if self.known.implies(negated(below)):
            return UNIT, minus(both, place)
        self.open.append(below)
        return self.divide(both, place, self.known)

    def rises(self) -> bool:
        """Whether neither boundary ever carries less than at first: then they are not opposite."""
        return all(self._is_least(x) for s in self.slopes for x in (s.fine, s.coarse))

    def related(self, sign: int) -> list[Term] | None:
        """What is true exactly where C_P = sign·C_Q everywhere, as a conjunction; None where no witnesses are known."""
        sets = list[list[Witness]]()
        middle = list[Slope]()
        for slope in self.slopes:
            found = self._of_axis(slope, sign)
            if found is None:
                middle.append(slope)
            else:
                sets.append(found)
        if not middle and prod(map(len, sets)) > _MANY:  # sums say the same shorter
            longest = max(range(len(sets)), key=lambda n: len(sets[n]))
            middle, sets = [self.slopes[longest]], [s for n, s in enumerate(sets) if n != longest]
        if len(middle) > 1:
            self.open += [q for s in middle if not self._is_least(s.size, 3) and self._where(q := self._is_short(s))]
            return None
        return self._at(sets, middle, sign)

    def hints(self, sign: int) -> list[Term]:
        """What has to be true where C_P = sign·C_Q everywhere: so it is at a few indices."""
        near: list[Poly] = [{}, UNIT, {ONE: 2}] if len(self.slopes) < 3 else [{}, UNIT]
        sets = list[list[Witness]]()
        for slope in self.slopes:
            found = [(at, self._where(self.algebra.at_most(at, slope.last()))) for at in near]
            sets.append([Witness(at, where) for at, where in found if where is not None] + [Witness(slope.last())])
        return (self._at(sets, [], sign, self.slopes) or []) if len(sets) <= 3 else []

    def edges(self, sign: int) -> Iterator[Term]:
        """The same along the edges of the box."""
        for middle in self.slopes if len(self.slopes) <= 3 else ():
            if self._of_axis(middle, sign) is None:
                sets = [[Witness({}), Witness(s.last())] for s in self.slopes if s is not middle]
                yield from self._at(sets, [middle], sign) or ()

    def _is_short(self, slope: Slope) -> Term:
        """Whether the ends are all indices along an axis."""
        return self.algebra.at_most(slope.size, {ONE: 2})

    def _at(
        self,
        sets: Sequence[Sequence[Witness]],
        middle: Sequence[Slope],
        sign: int,
        others: Sequence[Slope] | None = None,
    ) -> list[Term] | None:
        """That C_P = sign·C_Q at each choice of witnesses, one an axis, and all along the axis in the middle, if any.

        None where these are too many.
        """
        others = [s for s in self.slopes if all(s is not m for m in middle)] if others is None else others
        parts = list[Term]()
        for count, chosen in enumerate(product(*sets)):
            if count > _MOST_WITNESSES:
                return None
            fine, coarse, address = self.fine, self.coarse, self.start
            for slope, witness in zip(others, chosen, strict=True):
                fine, coarse = plus(fine, times(slope.fine, witness.at)), plus(coarse, times(slope.coarse, witness.at))
                address = plus(address, times(slope.step, witness.at))
            where = [part for witness in chosen for part in witness.where]
            slope = middle[0] if middle else Slope(UNIT, {}, {}, {})
            last = self._of_middle(slope, fine, address, sign) if middle else [Witness({})]
            if last is None:
                parts += [disj([*map(negated, where), e]) for e in self._by_sums(slope, fine, coarse, sign)]
                continue
            for at, there in last:
                moved = plus(fine, times(slope.fine, at)), plus(coarse, times(slope.coarse, at))
                parts += self._agree(*moved, [*where, *there], sign)
        return [p for p in dict.fromkeys(parts) if p != TRUE]

    def _agree(self, fine: Poly, coarse: Poly, where: Sequence[Term], sign: int) -> Iterator[Term]:
        """That C_P = sign·C_Q at one index, if it is one."""
        carried = self.divide(fine, self.place, self.seen)[0]
        digit = minus(coarse, times(minus(times({ONE: sign}, self.ratio), UNIT), carried))
        outside = [negated(w) for w in where]
        for part in (self.algebra.at_most({}, digit), self.algebra.below(digit, self.ratio)):
            yield TRUE if part == TRUE else disj([*outside, part]) if part != FALSE or outside else FALSE

    # The indices along an axis that tell for all of it

    def _of_axis(self, slope: Slope, sign: int) -> list[Witness] | None:
        """Those that do whatever the other indices are."""
        if not slope.fine and not slope.coarse:
            return [Witness({})]
        size = _number(slope.size)
        if (size is None or size > 2) and self._is_monotone(slope, sign):
            return [Witness({}), Witness(slope.last())]
        if size is None and self.known.implies(self._is_short(slope)):
            return [Witness({}), Witness(slope.last())]
        if size is not None and size <= _MOST_INDICES:
            return [Witness({ONE: i} if i else {}) for i in range(size)]
        repeats = quotient_of(slope.fine, self.place)[1] if slope.fine else UNIT  # in such steps C_Q is linear
        steps = [abs(g) for g in (_number(self._period(sign)), _number(repeats)) if g is not None]
        if not steps or min(steps) > _MOST_INDICES:
            return None
        return list(self._of_classes(slope, max(1, min(steps))))

    def _period(self, sign: int) -> Poly:
        """In steps of as much, what is compared is monotone."""
        return minus(self.ratio, {ONE: sign})

    def _is_monotone(self, slope: Slope, sign: int) -> bool:
        if not slope.fine or not slope.coarse:
            return True
        if sign > 0 and any(self._is_zero(minus(self._period(1), self._size_of(slope, s))) for s in (1, -1)):
            return True
        pairs = ((slope.fine, slope.coarse, -sign), (times({ONE: -1}, slope.fine), slope.coarse, sign))
        return any(self._is_least(x) and self._is_least(times({ONE: s}, y)) for x, y, s in pairs)

    def _size_of(self, slope: Slope, sign: int) -> Poly:
        return times({ONE: sign}, slope.coarse)

    def _of_classes(self, slope: Slope, step: int) -> Iterator[Witness]:
        """The first and the last index of each class modulo the step."""
        for first in range(step):
            left = minus(slope.last(), {ONE: first})
            there = self._where(self.algebra.at_most({ONE: first} if first else {}, slope.last()))
            if there is None:
                return
            count = self.divide(left, {ONE: step}, self.seen)[0]
            start: Poly = {ONE: first} if first else {}
            yield Witness(start, there)
            yield Witness(plus(start, count, step), there)

    def _of_middle(self, slope: Slope, fine: Poly, address: Poly, sign: int) -> list[Witness] | None:
        """Those along an axis from one choice of the other indices, with what lies below Q and the address there."""
        count = _number(self.above)
        if count is not None and count <= _MOST_RUNS:
            return self._of_runs(slope, address, count)
        for turned in (1, -1):
            size = _number(self._size_of(slope, turned))
            rest = _number(minus(self._period(sign), self._size_of(slope, turned)))
            if size is not None and 0 < size <= _MOST_CLASSES:
                return self._of_steps(slope, fine, slope.fine, size)
            rises = self._is_least(times({ONE: sign * turned}, slope.fine), 1)
            if rest is not None and 0 < rest <= _MOST_CLASSES and rises:
                return self._of_steps(slope, fine, plus(slope.fine, self.place, -sign * turned), rest)
        return None

    def _by_sums(self, slope: Slope, fine: Poly, coarse: Poly, sign: int) -> Iterator[Term]:
        """That C_P = sign·C_Q all along an axis, from one choice of the other indices.

        Both are quotients of what is linear. As long as one fraction is no less than the other, they are equal just
        where their sums are; and the fractions change places once at most.
        """
        place = times(self.ratio, self.place)
        start = plus(fine, times(coarse, self.place))
        step = plus(slope.fine, times(slope.coarse, self.place))
        if not self.start:  # the same as one remainder
            step = self.divide(slope.step, place, self.known)[1]
        if sign < 0:  # −⌊x⌋ is ⌈−x⌉
            fine = minus(minus(self.place, UNIT), fine)
        small = times({ONE: sign}, slope.fine)
        gap, more = minus(start, times(self.ratio, fine)), minus(step, times(self.ratio, small))
        for end in self._ends(slope, gap, more):
            totals = (self._total(end, place, step, start), self._total(end, self.place, small, fine))
            yield Term("==", totals)

    def _ends(self, slope: Slope, gap: Poly, more: Poly) -> Iterator[Term]:
        """Up to which index gap + i·more has one sign, if it may change, and how many indices there are."""
        size = self.algebra.term(slope.size)
        turned = [[times({ONE: s}, p) for p in (gap, more)] for s in (1, -1)]
        if gap and not any(all(map(self._is_least, both)) for both in turned):
            steps = Term("ceildiv", (self._absolute(gap), Term("max", (num(1), self._absolute(more)))))
            yield Term("min", (size, in_arithmetic(steps)))
        yield size

    def _absolute(self, p: Poly) -> Term:
        """The absolute value, without bars where the sign is known."""
        for turned in (p, times({ONE: -1}, p)):
            if self._is_least(turned):
                return self.algebra.term(turned)
        return Term("abs", (self.algebra.term(p),))

    def _total(self, count: Term, *progression: Poly) -> Term:
        """The sum of as many quotients: of a divisor, a step and a start."""
        return Term("floor_sum", (count, *map(self.algebra.term, progression)))

    def _of_runs(self, slope: Slope, address: Poly, count: int) -> list[Witness] | None:
        """The ends of each run of addresses between two multiples of P: C_P ± C_Q is monotone on it."""
        if self._is_least(slope.step) and not self._is_least(slope.step, 1):
            self.open.append(self.algebra.at_most(UNIT, slope.step))
        multiples = [times({ONE: n}, times(self.ratio, self.place)) for n in range(1, count)]
        return self._sides(slope, address, slope.step, lambda *_: multiples)

    def _of_steps(self, slope: Slope, fine: Poly, step: Poly, classes: int) -> list[Witness] | None:
        """Where the digit changes little: both sides of the first and the last steps at which Q carries, by class."""

        def reached(fine: Poly, step: Poly) -> list[Poly]:
            low = self.divide(plus(fine, step), self.place, self.seen)[0]
            high = self.divide(plus(fine, times(slope.last(), step)), self.place, self.seen)[0]
            values = (v for n in range(classes) for v in (plus(low, {ONE: n}), plus(high, {ONE: -n})))
            return [times(value, self.place) for value in values]

        return self._sides(slope, fine, step, reached)

    def _sides(
        self, slope: Slope, x: Poly, step: Poly, reached: Callable[[Poly, Poly], list[Poly]]
    ) -> list[Witness] | None:
        """The ends, and both sides of where x + i·step reaches each of some values; None where its sign is open."""
        if self._is_least(step, 1):
            mirrored = False
        elif self._is_least(times({ONE: -1}, step), 1):
            mirrored, x, step = True, plus(x, times(slope.last(), step)), times({ONE: -1}, step)
        else:
            return None
        found = [Witness({}), Witness(slope.last())]
        for value in reached(x, step):
            gap = plus(minus(value, x), minus(step, UNIT))
            first = self.divide(gap, step, self.seen)[0]
            for at in (first, minus(first, UNIT)):
                index = minus(slope.last(), at) if mirrored else at
                bounds = (self.algebra.at_most({}, index), self.algebra.at_most(index, slope.last()))
                there = self._where(*bounds)
                if there is not None:
                    found.append(Witness(index, there))
        return found

    # What is known

    def _where(self, *parts: Term) -> tuple[Term, ...] | None:
        """The parts that are not known to hold; None where one cannot."""
        if any(self.seen.impossible(p) for p in parts):
            return None
        return tuple([p for p in parts if not self.seen.implies(p)])

    def _is_least(self, p: Poly, least: int = 0) -> bool:
        bound: Poly = {ONE: least} if least else {}
        return self.algebra.is_at_least(p, least) or self.known.implies(self.algebra.at_most(bound, p))

    def _is_zero(self, p: Poly) -> bool:
        return not p or self.known.implies(Term("==", (self.algebra.term(p), num(0))))


def _number(p: Poly) -> int | None:
    return p.get(ONE, 0) if set(p) <= {ONE} else None
