"""The exact row space of the overflow patterns of two views: every condition, and proof that none is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Literal, NamedTuple

from symview.engine import presburger
from symview.engine.budget import DEFAULT, Budget
from symview.engine.decide import carry_system, violation
from symview.engine.index_map import Index, IndexMap
from symview.engine.overflow import (
    Carry,
    active_carries,
    breaking_step,
    cheap_witnesses,
    pattern,
    periodic_sizes,
    vector,
)  # fmt: skip
from symview.engine.span import Row, RowSpace
from symview.errors import InternalError, Undecided

Engine = Literal["auto", "enumerate", "smt"]


@dataclass(frozen=True, slots=True)
class Step:
    """A witness: the step that reaches `index` along `axis` carries otherwise than the first one.

    `row` is the difference of the two patterns, one entry a boundary: a vector that the
    contiguity defects must be orthogonal to.
    """

    axis: int
    index: Index
    row: Row


class Rows(NamedTuple):
    """The span of the overflow vectors over the boundaries `places`, with its evidence.

    `steps` are independent witnesses that span `space`. `settled`: proved that nothing is
    missing, `reason` says how; otherwise what stopped the search. `query` has no solution
    exactly when nothing is missing; None where the bound on each boundary already shows it.
    """

    places: tuple[int, ...]
    space: RowSpace
    steps: tuple[Step, ...]
    settled: bool
    reason: str
    query: presburger.System | None


def find_rows(places: tuple[int, ...], box: IndexMap, engine: Engine = "auto", budget: Budget = DEFAULT) -> Rows:
    """The row space for an in-bounds box. All engines give the same space; they differ in speed.

    enumerate: every step of the box. smt: Z3 is asked for an index whose overflow vector the
    rows so far do not span. auto: cheap witnesses first, a search for what they leave open.

    >>> find_rows((9, 3), IndexMap((6,), (4,), 0)).space.rows
    ((1, 0), (0, 1))
    """
    carries = active_carries(box, places) if 0 not in box.sizes and prod(box.sizes) > 2 else []
    search = _Search(places, box, carries, budget)
    if carries:
        {"enumerate": search.walk, "smt": search.ask, "auto": search.probe}[engine]()
    return search.result()


class _Search:
    """Collects witnesses until they span everything that occurs."""

    def __init__(self, places: tuple[int, ...], box: IndexMap, carries: list[Carry], budget: Budget) -> None:
        self.places, self.box, self.carries, self.budget = places, box, carries, budget
        self.space = RowSpace(len(carries))
        self.steps: list[Step] = []
        self.settled = True
        self.reason = "no boundary can overflow"

    def walk(self) -> None:
        """Every step of the box, from the addresses themselves."""
        points = prod(self.box.sizes)
        if points > self.budget.points:
            self._stop(f"the box has {points} indices, the budget walks {self.budget.points}")
            return
        active = [c.place for c in self.carries]
        zero = [pattern(active, self.box.start, t) for t in self.box.steps]
        for index in self.box.indices():
            here = self.box.at(index)
            for axis, (i, size, step) in enumerate(zip(index, self.box.sizes, self.box.steps, strict=True)):
                if i + 1 < size:
                    row = tuple([a - b for a, b in zip(pattern(active, here, step), zero[axis], strict=True)])
                    if any(row) and self.space.add(row):
                        self._note(axis, (*index[:axis], i + 1, *index[axis + 1 :]), row)
        self.reason = f"all {points} indices were walked"

    def ask(self) -> None:
        """Z3 finds each witness, and finds none in the end; at most one query a boundary."""
        sizes = self.box.sizes
        while not self.space.is_full():
            try:
                index = presburger.point(
                    carry_system(self.carries, sizes, self.space.complement()), self.budget, solver="z3"
                )
            except Undecided as stop:
                return self._stop(stop.reason)
            if index is None:
                self.reason = "Z3 finds no index whose overflows these conditions do not cover"
                return None
            self._learn(index)
        return self._full()

    def probe(self) -> None:
        """Cheap witnesses; then, for each direction that they leave open, an exact search."""
        for index in cheap_witnesses(self.box.sizes, self.carries, self.budget.seed):
            if vector(self.carries, index) not in self.space:
                self._learn(index)
                if self.space.is_full():
                    return self._full()
        certified = RowSpace(len(self.carries))
        while self.space.rank + certified.rank < len(self.carries):
            weights = next(w for w in self.space.complement() if w not in certified)
            try:
                missed = self._violation(weights)
            except Undecided as stop:
                return self._stop(stop.reason)
            if missed is None:
                certified.add(weights)
            else:
                self._learn(missed)
        if self.space.is_full():
            return self._full()
        self.reason = "an exact search finds no index whose overflows these conditions do not cover"
        return None

    def _violation(self, weights: Row) -> Index | None:
        parts = [(c, w) for c, w in zip(self.carries, weights, strict=True) if w]
        return violation([c for c, _ in parts], self.box.sizes, [w for _, w in parts], self.budget)

    def _learn(self, index: Index) -> None:
        """Adds the steps towards the index until its overflow vector is spanned."""
        target = vector(self.carries, index)
        while target not in self.space:
            weights = next(w for w in self.space.complement() if sum(a * b for a, b in zip(w, target, strict=True)))
            axis, reached = breaking_step(self.carries, weights, index)
            before = (*reached[:axis], reached[axis] - 1, *reached[axis + 1 :])
            after = vector(self.carries, reached)
            row = tuple([a - b for a, b in zip(after, vector(self.carries, before), strict=True)])
            if not self.space.add(row):
                raise InternalError(f"the step to {reached} along axis {axis} should have been new")
            self._note(axis, reached, row)

    def _note(self, axis: int, index: Index, row: Row) -> None:
        self.steps.append(Step(axis, index, self._widen(row)))

    def _full(self) -> None:
        count = len(self.carries)
        self.reason = f"all {count} boundaries that can overflow are forced: no further condition is possible"

    def _stop(self, reason: str) -> None:
        self.settled, self.reason = False, reason

    def _widen(self, row: Sequence[int]) -> Row:
        entries = dict(zip([c.place for c in self.carries], row, strict=True))
        return tuple([entries.get(p, 0) for p in self.places])

    def result(self) -> Rows:
        wide = RowSpace(len(self.places), map(self._widen, self.space.rows))
        steps = tuple(sorted(self.steps, key=lambda s: (sum(s.index), s.index)))
        query = None
        if not self.space.is_full():
            sizes = periodic_sizes(self.box.sizes, self.carries)
            query = carry_system(self.carries, sizes, self.space.complement())
        return Rows(self.places, wide, steps, self.settled, self.reason, query)
