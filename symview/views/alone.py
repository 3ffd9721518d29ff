"""A boundary that overflows alone at some index: its equation is needed, whatever the others do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from symview.cases.algebra import Algebra
from symview.engine.row_space import RowSpace
from symview.logic.entailment import Entailment
from symview.logic.polynomial import ONE, Poly, minus, plus, times
from symview.logic.terms import Term
from symview.views.addresses import UNIT, Axis, Divide, split_by

_NEAR = 9  # indices along one axis
Index = Mapping[int, Poly]  # by axis, where it is not 0


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
