"""Overflows of several boundaries: each alone at some index (`Alone`), or nested (`CarryGraph`).

They find which equations the boundaries need, from single indices or from the corners of the box. A stride is graded if
its steps overflow nested: from its own level up to some boundary, through all levels between.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, product
from math import gcd, lcm, prod
from operator import mul
from typing import NamedTuple

from symview.cases.algebra import Algebra
from symview.engine.row_space import RowSpace
from symview.logic.entailment import Entailment
from symview.logic.polynomial import ONE, Poly, minus, operations, plus, times
from symview.logic.terms import FALSE, TRUE, Term, disj, num
from symview.views.addresses import UNIT, Axis, Divide, split_by, subsets

_MOST_AXES = 4  # moving axes; all corners of their box are computed
_MOST_PLACES = 4

Levels = tuple[int, ...]  # numbers of boundaries; 0 has the largest place value
_NEAR = 9  # indices tried along one axis
_MOST_COUNTED = 2_000  # indices whose overflows are all counted
Index = Mapping[int, Poly]  # by axis; 0 for axes that are missing


class Step(NamedTuple):
    """An axis turned so that it rises: its greatest index, and its step modulo the largest place value.

    Its steps may disturb the boundaries before `level`.
    """

    last: Poly
    rest: Poly
    level: int


class CarryGraph:
    """Boundaries at place values P_1 > … > P_r of addresses start + Σ i·step, where all strides are graded.

    Theory: a stride is graded if it, or its negative, is modulo P_1 either 0 or a multiple of some P_l below P_{l−1},
    with P_{r+1} = 1. Let G_h be how much more often P_h overflows than P_{h−1}. A set of boundaries is closed if the
    sum of its G is 0 on the whole box; the corners decide that. Then Σ δ·C = 0 if and only if, for any two levels that
    no closed set separates, the defects δ from the one to before the other sum up to 0.
    """

    def __init__(self, algebra: Algebra, divide: Divide, known: Entailment, places: Sequence[Poly]) -> None:
        self.algebra, self.divide, self.known = algebra, divide, known
        self.places = places
        self.starts = list[Poly]()
        self.steps = list[Step]()

    def at(self, start: Poly, axes: Sequence[Axis]) -> bool:
        """Adds start and axes; False if a stride is not known to be graded, or if there are too many axes or places."""
        for axis in axes:
            found = self.step(axis)
            if found is None:
                return False
            step, turned = found
            start = plus(start, axis.reach()) if turned else start
            self.steps += [step] if step.level else []
        self.starts = [self.divide(start, p, self.known)[1] for p in self.places]
        return len(self.steps) <= _MOST_AXES and len(self.places) <= _MOST_PLACES

    def step(self, axis: Axis) -> tuple[Step, bool] | None:
        """The axis as a step, and whether it was turned; None if it is not known to be graded."""
        last, rest = minus(axis.size, UNIT), self.divide(axis.step, self.places[0], self.known)[1]
        for turned in (False, True):
            x = minus(self.places[0], rest) if turned and rest else rest
            level = self._level(x)
            if level is not None:
                return Step(last, x, level), turned
        return None

    def _level(self, x: Poly) -> int | None:
        """How many boundaries steps by x, with 0 <= x < P_1, may disturb; None if x is not known to be graded."""
        if not x:
            return 0
        for level, above in enumerate(self.places, 1):
            whole = level == len(self.places) or not split_by(x, self.places[level])[1]
            if whole and (level == 1 or self.known.implies(self.algebra.below(x, above))):
                return level
        return None

    def carries(self, level: int, moved: Sequence[Step]) -> Poly:
        """How often the boundary overflows up to the corner where these axes have their greatest index."""
        place, start = self.places[level], self.starts[level]
        moved = [s for s in moved if s.level > level]
        total, expected = start, dict[tuple[str, ...], int]()
        for step in moved:
            total = plus(total, times(step.last, step.rest))
            first = self.divide(plus(start, step.rest), place, self.known)[0]
            expected = plus(expected, times(step.last, first))
        return minus(self.divide(total, place, self.known)[0], expected) if moved else {}

    def closed(self, levels: Levels) -> list[Term]:
        """The conjuncts of the exact condition that the set is closed, if every boundary overflows somewhere."""
        if len(self.places) == 2 and sum(s.level == 2 for s in self.steps) == 1:
            return self._carried_together()
        found = list[Term]()
        for moved in subsets(self.steps):
            total: Poly = {}
            for level in levels if moved else ():
                total = plus(total, self.carries(level, moved))
                total = minus(total, self.carries(level - 1, moved)) if level else total
            if total:
                found.append(FALSE if set(total) == {ONE} else Term("==", (self.algebra.term(total), num(0))))
        return list(dict.fromkeys(found))

    def _carried_together(self) -> list[Term]:
        """The condition that two boundaries overflow at the same steps, if one axis moves below the smaller one.

        Some of its steps overflow the smaller boundary and some do not. So each that does has to overflow the larger
        one too: it is the only such step, it starts from the last multiple, and no other axis moves that.
        """
        algebra, (large, small), (start, within) = self.algebra, self.places, self.starts
        (fine,) = [s for s in self.steps if s.level == 2]
        top = plus(within, times(fine.last, fine.rest))
        alone = [disj(algebra.zero(s.last)) for s in self.steps if s.level == 1]
        last = algebra.at_most(large, plus(start, small)), algebra.below(top, times({ONE: 2}, small))
        return [e for e in (*alone, *last) if e != TRUE]

    def sets(self) -> Iterator[Levels]:
        """The sets that may be closed if every boundary overflows somewhere, smaller ones first."""
        count = len(self.places)
        for size in range(1, count + 1):
            for chosen in combinations(range(count), size):
                if chosen != tuple(range(size)):  # the first levels alone: closed means that a boundary never overflows
                    yield chosen


class Closed:
    """Closed sets of boundaries, and what they imply."""

    def __init__(self, count: int, sets: Sequence[Levels] = ()) -> None:
        self.count, self.sets = count, sets
        self.space = RowSpace(count, [self._row(s) for s in sets])

    def _row(self, levels: Levels) -> tuple[int, ...]:
        return tuple([int(n in levels) for n in range(self.count)])

    def more(self, levels: Levels) -> Closed:
        """The same sets and one more."""
        return Closed(self.count, (*self.sets, levels))

    def has(self, levels: Levels) -> bool:
        """Whether the closed sets imply that this set is closed."""
        return self._row(levels) in self.space

    def implies_no_carry(self) -> bool:
        """Whether they imply that some boundary never overflows."""
        return any(self.has(tuple(range(n))) for n in range(1, self.count + 1))

    def links(self) -> list[tuple[int, int]]:
        """Pairs of consecutive levels that no closed set separates."""
        found, parted = list[tuple[int, int]](), list[tuple[bool, ...]]()
        closed = [s for size in range(1, self.count + 1) for s in combinations(range(self.count), size) if self.has(s)]
        for level in range(self.count + 1):
            parted.append(tuple([level in s for s in closed]))
        for level, side in enumerate(parted):
            later = next((n for n in range(level + 1, self.count + 1) if parted[n] == side), None)
            found += [(level, later)] if later is not None else []
        return found


def _numbers(polys: Iterable[Poly]) -> list[int]:
    return [p.get(ONE, 0) for p in polys]


class Alone:
    """Boundaries at some place values of addresses start + Σ i·step: which are necessary, on their own or in sums.

    Theory: if the views merge, then at each index the sum of the overflow counts times the defects is 0. If the counts
    at some indices span the unit row of one boundary, its defect is 0. With ρ = start mod P and R = (start + step) mod
    P − ρ, C_P = ⌊(ρ + ΣR·i)/P⌋.
    """

    def __init__(
        self, algebra: Algebra, divide: Divide, known: Entailment, places: Sequence[Poly], start: Poly,
        axes: Sequence[Axis],
    ) -> None:  # fmt: skip
        self.algebra, self.divide, self.known = algebra, divide, known
        self.places = places
        self.open = list[Term]()  # comparisons that would decide more
        self.last = [minus(a.size, UNIT) for a in axes]
        self.starts = [divide(start, p, known)[1] for p in places]
        moved = [[divide(plus(start, a.step), p, known)[1] for a in axes] for p in places]
        for p in places:  # numbers compared with symbolic place values: which is smaller may be unknown
            rests = [split_by(x, p)[1] for x in (start, *(plus(start, a.step) for a in axes))]
            self.open += [algebra.below(r, p) for r in rests if r and set(r) == {ONE} != set(p)]
        self.slopes = [[minus(x, rho) for x in row] for row, rho in zip(moved, self.starts, strict=True)]

    def find(self) -> list[int]:
        """The numbers of the boundaries whose equations are necessary, whatever the other boundaries do."""
        count = len(self.places)
        space = RowSpace(count)
        for index in self._indices():
            self._look(index, space)
            if space.is_full():
                break
        return [n for n in range(count) if [int(n == m) for m in range(count)] in space]

    def _look(self, index: Index, space: RowSpace) -> None:
        """Adds the overflow counts at the index, if all are known; else the comparison that would decide them."""
        totals = self._totals(index)
        carried = [self.divide(t, p, self.known)[0] for t, p in zip(totals, self.places, strict=True)]
        row = [c.get(ONE, 0) if set(c) <= {ONE} else None for c in carried]
        inside = [self.algebra.at_most(i, self.last[a]) for a, i in index.items()]
        open_ = [q for q in inside if not self.known.implies(q)]
        if any(map(self.known.impossible, open_)):
            return
        known = [n for n in row if n is not None]
        if len(known) == len(row) and known in space:
            return
        if len(known) == len(row) and not open_:
            space.add(known)
        elif open_:
            self.open += open_[:1] if all(map(self._is_plain, index.values())) else []
        else:
            unclear = [(t, p) for t, p, n in zip(totals, self.places, row, strict=True) if n is None]
            self.open += [self.algebra.below(t, p) for t, p in unclear if self._is_plain(t, p)]

    def _indices(self) -> Iterator[Index]:
        """Indices to try: first overflows along an axis, sums of two unit steps, some along each axis."""
        for place, start, slopes in zip(self.places, self.starts, self.slopes, strict=True):
            for axis, slope in enumerate(slopes):
                if self.algebra.is_at_least(slope, 1):
                    room = minus(plus(place, slope), plus(start, UNIT))
                    yield {axis: self.divide(room, slope, self.known)[0]}
                elif slope and self.algebra.is_at_least(down := times({ONE: -1}, slope), 1):
                    yield {axis: plus(self.divide(start, down, self.known)[0], UNIT)}
        for one, other in combinations(range(len(self.last)), 2):
            yield {one: UNIT, other: UNIT}
        for axis in range(len(self.last)):
            yield from ({axis: {ONE: i}} for i in range(2, _NEAR))

    def span(self, known: Entailment) -> tuple[RowSpace, Term | None] | None:
        """The span of the overflow counts at all indices, if all counts are numbers; else None.

        Where it depends on open sizes, it is the span of the indices that surely exist, with a comparison of a size
        that adds to it. Theory: an index that is a whole period further along an axis has the counts of the period as
        well.
        """
        if any(set(p) - {ONE} for p in (*self.places, *self.starts, *chain.from_iterable(self.slopes))):
            return None
        places, starts, *slopes = (_numbers(row) for row in (self.places, self.starts, *zip(*self.slopes, strict=True)))
        ends = [lcm(*(p // gcd(p, r) for p, r in zip(places, row, strict=True))) for row in slopes]
        ends = [min(n, x.get(ONE, 0)) if set(x) <= {ONE} else n for n, x in zip(ends, self.last, strict=True)]
        if prod(n + 1 for n in ends) > _MOST_COUNTED:
            return None
        there = [
            [self.algebra.at_most({ONE: i}, x) for i in range(n + 1)] for n, x in zip(ends, self.last, strict=True)
        ]
        sure = [[i for i, q in enumerate(row) if known.implies(q)] for row in there]
        maybe = [[i for i, q in enumerate(row) if not known.impossible(q)] for row in there]

        def counts(index: tuple[int, ...]) -> tuple[int, ...]:
            moved = zip(places, starts, *slopes, strict=True)
            return tuple([(start + sum(map(mul, index, row))) // place for place, start, *row in moved])

        space = RowSpace(len(places), map(counts, product(*sure)))
        more = next((i for i in sorted(product(*maybe), key=sum) if counts(i) not in space), None)
        if more is None:
            return space, None
        return space, next(there[a][i] for a, i in enumerate(more) if i not in sure[a])

    def _is_plain(self, *polys: Poly) -> bool:
        """Whether the polynomials are known to be nonnegative and contain no quotient."""
        return not operations(*polys) and all(map(self.algebra.is_at_least, polys))

    def _totals(self, index: Index) -> list[Poly]:
        """The numerators of the overflow counts at an index."""
        found = list(self.starts)
        for axis, at in index.items():
            found = [plus(t, times(slopes[axis], at)) for t, slopes in zip(found, self.slopes, strict=True)]
        return found
