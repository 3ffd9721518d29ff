"""Boundaries that overflow alone at some index (`Alone`), and any number of them whose carries nest (`CarryGraph`):
which equations they need, by single indices or by the corners of the box.

A stride is graded where its steps carry nested: from its own level up to some boundary, and into all between.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from symview.cases.algebra import Algebra
from symview.engine.row_space import RowSpace
from symview.logic.entailment import Entailment
from symview.logic.polynomial import ONE, Poly, minus, plus, times
from symview.logic.terms import FALSE, TRUE, Term, disj, num
from symview.views.addresses import UNIT, Axis, Divide, split_by, subsets

_MOST_AXES = 4  # that move, of whose box all corners are looked at
_MOST_PLACES = 4

Levels = tuple[int, ...]  # of boundaries, from 0 for the largest place value
_NEAR = 9  # indices along one axis
Index = Mapping[int, Poly]  # by axis, where it is not 0


class Step(NamedTuple):
    """An axis turned so that it rises: its greatest index, and what it adds modulo the largest place value.

    The boundaries before `level` are those that it may disturb.
    """

    last: Poly
    rest: Poly
    level: int


class CarryGraph:
    """Boundaries at place values P_1 > … > P_r of addresses start + Σ i·step, all strides graded.

    Theory: a stride is graded if it, or its opposite, is modulo P_1 a multiple of some P_l and below P_{l−1}, with
    P_{r+1} = 1, or 0. Let G_h be by how much more P_h carries than P_{h−1}, and a set of boundaries closed where the
    sum of its G is 0 on the whole box, which its corners tell. Then Σ δ·C = 0 just where, of any two levels that no
    closed set parts, the defects δ from the one to before the other sum up to 0.
    """

    def __init__(self, algebra: Algebra, divide: Divide, known: Entailment, places: Sequence[Poly]) -> None:
        self.algebra, self.divide, self.known = algebra, divide, known
        self.places = places
        self.starts = list[Poly]()
        self.steps = list[Step]()

    def at(self, start: Poly, axes: Sequence[Axis]) -> bool:
        """Takes start and axes; False where a stride is not known to be graded, or there are too many."""
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
        """The axis and whether it is turned; None where it is not known to be graded."""
        last, rest = minus(axis.size, UNIT), self.divide(axis.step, self.places[0], self.known)[1]
        for turned in (False, True):
            x = minus(self.places[0], rest) if turned and rest else rest
            level = self._level(x)
            if level is not None:
                return Step(last, x, level), turned
        return None

    def _level(self, x: Poly) -> int | None:
        """The number of boundaries that steps of x, from 0 to below the largest place value, may disturb."""
        if not x:
            return 0
        for level, above in enumerate(self.places, 1):
            whole = level == len(self.places) or not split_by(x, self.places[level])[1]
            if whole and (level == 1 or self.known.implies(self.algebra.below(x, above))):
                return level
        return None

    def carries(self, level: int, moved: Sequence[Step]) -> Poly:
        """How often the boundary carries up to a corner, at which these axes are at their greatest index."""
        place, start = self.places[level], self.starts[level]
        moved = [s for s in moved if s.level > level]
        total, expected = start, dict[tuple[str, ...], int]()
        for step in moved:
            total = plus(total, times(step.last, step.rest))
            first = self.divide(plus(start, step.rest), place, self.known)[0]
            expected = plus(expected, times(step.last, first))
        return minus(self.divide(total, place, self.known)[0], expected) if moved else {}

    def closed(self, levels: Levels) -> list[Term]:
        """What is true exactly where the set of boundaries is closed, as a conjunction; none of them is idle."""
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
        """That two boundaries carry at the same steps, where just one axis moves below the smaller place value.

        Some of its steps carry into the smaller one and some do not, so each that does has to go on into the larger
        one: it is the only such step, and starts from the last multiple; no other axis moves that.
        """
        algebra, (large, small), (start, within) = self.algebra, self.places, self.starts
        (fine,) = [s for s in self.steps if s.level == 2]
        top = plus(within, times(fine.last, fine.rest))
        alone = [disj(algebra.zero(s.last)) for s in self.steps if s.level == 1]
        last = algebra.at_most(large, plus(start, small)), algebra.below(top, times({ONE: 2}, small))
        return [e for e in (*alone, *last) if e != TRUE]

    def sets(self) -> Iterator[Levels]:
        """The sets that may be closed where no boundary is idle, smaller ones first."""
        count = len(self.places)
        for size in range(1, count + 1):
            for chosen in combinations(range(count), size):
                if chosen != tuple(range(size)):  # those before a level: its own carries
                    yield chosen


class Closed:
    """Sets of boundaries that are closed, and what follows from that."""

    def __init__(self, count: int, sets: Sequence[Levels] = ()) -> None:
        self.count, self.sets = count, sets
        self.space = RowSpace(count, [self._row(s) for s in sets])

    def _row(self, levels: Levels) -> tuple[int, ...]:
        return tuple([int(n in levels) for n in range(self.count)])

    def more(self, levels: Levels) -> Closed:
        """With one more closed set."""
        return Closed(self.count, (*self.sets, levels))

    def has(self, levels: Levels) -> bool:
        """Whether the set is closed as well."""
        return self._row(levels) in self.space

    def idles(self) -> bool:
        """Whether some boundary would never carry."""
        return any(self.has(tuple(range(n))) for n in range(1, self.count + 1))

    def links(self) -> list[tuple[int, int]]:
        """The levels, next to one another among those that no closed set parts: from the one to before the other."""
        found, parted = list[tuple[int, int]](), list[tuple[bool, ...]]()
        closed = [s for size in range(1, self.count + 1) for s in combinations(range(self.count), size) if self.has(s)]
        for level in range(self.count + 1):
            parted.append(tuple([level in s for s in closed]))
        for level, side in enumerate(parted):
            later = next((n for n in range(level + 1, self.count + 1) if parted[n] == side), None)
            found += [(level, later)] if later is not None else []
        return found


class Alone:
    """Boundaries at some place values of addresses start + Σ i·step.

    Theory: what boundaries carry, at whatever index, times their defects is 0 in all if the views merge. Where some
    indices span the row in which one boundary alone carries, its defect is 0. With ρ = start mod P and
    R = (start + step) mod P − ρ, C_P = ⌊(ρ + ΣR·i)/P⌋.
    """

    def __init__(
        self, algebra: Algebra, divide: Divide, known: Entailment, places: Sequence[Poly], start: Poly,
        axes: Sequence[Axis],
    ) -> None:  # fmt: skip
        self.algebra, self.divide, self.known = algebra, divide, known
        self.places = places
        self.open = list[Term]()  # comparisons that would tell more
        self.last = [minus(a.size, UNIT) for a in axes]
        self.starts = [divide(start, p, known)[1] for p in places]
        moved = [[divide(plus(start, a.step), p, known)[1] for a in axes] for p in places]
        for p in places:  # numbers beside symbols, the smaller of which is not known
            rests = [split_by(x, p)[1] for x in (start, *(plus(start, a.step) for a in axes))]
            self.open += [algebra.below(r, p) for r in rests if r and set(r) == {ONE} != set(p)]
        self.slopes = [[minus(x, rho) for x in row] for row, rho in zip(moved, self.starts, strict=True)]

    def find(self) -> list[int]:
        """The numbers of the boundaries that the indices looked at show to be needed, whatever the others are."""
        count = len(self.places)
        space = RowSpace(count)
        for index in self._indices():
            self._look(index, space)
            if space.is_full():
                break
        return [n for n in range(count) if [int(n == m) for m in range(count)] in space]

    def _look(self, index: Index, space: RowSpace) -> None:
        """Adds how often each boundary carries there, if all is known; else what is left to be asked."""
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
        """Those at which a boundary carries first along an axis, and sums of two steps."""
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

    def _is_plain(self, *polys: Poly) -> bool:
        """Whether none is negative, and nothing is divided in them."""
        divided = any(name in self.algebra.opaque for p in polys for m in p for name in m)
        return not divided and all(map(self.algebra.is_at_least, polys))

    def _totals(self, index: Index) -> list[Poly]:
        """Of what each boundary carries: the numerators at an index."""
        found = list(self.starts)
        for axis, at in index.items():
            found = [plus(t, times(slopes[axis], at)) for t, slopes in zip(found, self.slopes, strict=True)]
        return found
