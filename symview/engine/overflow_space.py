"""The exact row space of the overflow patterns of two views: every condition, with a proof that none is missing.

`find_rows` handles one box, `RowSpaces` many boxes of the same sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import prod
from operator import mul
from typing import Literal, NamedTuple, Protocol

from symview.engine import presburger
from symview.engine.decide import carry_system, searched
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
from symview.engine.row_space import Row, RowSpace, dot
from symview.errors import InternalError, Undecided
from symview.logic.budget import DEFAULT, Budget

Engine = Literal["auto", "enumerate", "smt"]
_FREE = 8  # up to that many boundaries, witnesses are too cheap to count
ALL_FORCED = "every possible overflow already gives one of these equations"
Space = tuple[Row, ...]  # the rows of a row space
KnownSpace = Space | None  # None if the budget ended first
_STEPS_PER_SPACE = 60  # of the budget
_FEW = 64  # up to that many indices, all are enumerated


@dataclass(frozen=True, slots=True)
class Step:
    """A witness: the step that reaches `index` along `axis` has another pattern than the axis' first step.

    `row` is the difference of the two patterns, one entry per coordinate; the contiguity defects have to be orthogonal
    to it.
    """

    axis: int
    index: Index
    row: Row

    def before(self) -> Index:
        """The index where the step starts."""
        return (*self.index[: self.axis], self.index[self.axis] - 1, *self.index[self.axis + 1 :])


class Rows(NamedTuple):
    """The span of the overflow vectors, with its evidence.

    `steps` are independent witnesses that span `space`. `complete` means that nothing is missing, and `reason` says how
    that is proved; otherwise `reason` says what stopped the search.
    """

    space: RowSpace
    steps: tuple[Step, ...]
    complete: bool
    reason: str


class Source(Protocol):
    """Overflow vectors on a box: 0 at its low corner, and at every index one step from there."""

    sizes: tuple[int, ...]
    width: int

    def vector(self, index: Sequence[int]) -> Row:
        """The overflow vector at an index."""

    def candidates(self, seed: int) -> Iterator[Index]:
        """Indices whose vectors are likely to be new."""

    def violation(self, weights: Row, budget: Budget) -> Index | None:
        """An index at which the weighed vector is not 0, or None; exact."""

    def system(self, functionals: Sequence[Row]) -> presburger.System:
        """The system of indices at which one of the functionals of the vector is not 0."""

    def walk(self, budget: Budget) -> Iterator[Step]:
        """All steps of the box whose pattern differs from that of their axis' first step."""


class Carries:
    """The boundaries of one view that overflow under the address map of a box."""

    def __init__(self, box: IndexMap, carries: list[Carry]) -> None:
        self.box, self.carries = box, carries
        self.sizes, self.width = box.sizes, len(carries)

    def vector(self, index: Sequence[int]) -> Row:
        """C(index) over the boundaries that can overflow."""
        return vector(self.carries, index)

    def candidates(self, seed: int) -> Iterator[Index]:
        """The first overflows, sums of two units, corners, and a few random points."""
        return cheap_witnesses(self.sizes, self.carries, seed)

    def violation(self, weights: Row, budget: Budget) -> Index | None:
        """The search of `decide`, on the boundaries with nonzero weight; candidates are not tried again."""
        parts = [(c, w) for c, w in zip(self.carries, weights, strict=True) if w]
        return searched([c for c, _ in parts], self.sizes, [w for _, w in parts], budget)

    def system(self, functionals: Sequence[Row]) -> presburger.System:
        """The system on one period of each axis, which suffices."""
        return carry_system(self.carries, periodic_sizes(self.sizes, self.carries), functionals)

    def walk(self, budget: Budget) -> Iterator[Step]:
        """Computes the patterns from the addresses."""
        places = [c.place for c in self.carries]
        zero = [pattern(places, self.box.start, t) for t in self.box.steps]
        for index in self.box.indices():
            budget.spend(len(places) * len(index))
            here = self.box.at(index)
            for axis, (i, size, step) in enumerate(zip(index, self.sizes, self.box.steps, strict=True)):
                if i + 1 < size:
                    row = tuple([a - b for a, b in zip(pattern(places, here, step), zero[axis], strict=True)])
                    if any(row):
                        yield Step(axis, (*index[:axis], i + 1, *index[axis + 1 :]), row)


def find_rows(places: tuple[int, ...], box: IndexMap, engine: Engine = "auto", budget: Budget = DEFAULT) -> Rows:
    """The span of the overflow vectors C(i) over all indices i of an in-bounds box, with its evidence.

    `places` are place values of the outer shape, largest first; a row has one entry for each, a count of overflows. The
    views merge iff the contiguity defects at these places are orthogonal to every row ("The exact condition",
    proofs/README.md). All engines return the same space and differ in speed. enumerate: every step of the box. smt: Z3
    searches an index whose overflow vector is outside the span so far. auto: cheap witnesses first, then an exact
    search for each direction left. If the budget ends, the rows found so far are marked as incomplete.

    >>> find_rows((9, 3), IndexMap((6,), (4,), 0)).space.rows
    ((1, 0), (0, 1))
    """
    carries = active_carries(box, places) if 0 not in box.sizes and prod(box.sizes) > 2 else []
    return widen(search_rows(Carries(box, carries), engine, budget), [c.place for c in carries], places)


def widen(rows: Rows, have: Sequence[int], places: Sequence[int]) -> Rows:
    """Extends the rows by boundaries at which nothing overflows."""
    if len(have) == len(places):
        return rows

    def wide(row: Row) -> Row:
        entries = dict(zip(have, row, strict=True))
        return tuple([entries.get(p, 0) for p in places])

    steps = tuple([Step(s.axis, s.index, wide(s.row)) for s in rows.steps])
    return Rows(RowSpace(len(places), map(wide, rows.space.rows)), steps, rows.complete, rows.reason)


def search_rows(source: Source, engine: Engine, budget: Budget) -> Rows:
    """The row space of a source of overflow vectors."""
    search = _Search(source, budget.started())
    if source.width:
        try:
            {"enumerate": search.walk, "smt": search.ask, "auto": search.probe}[engine]()
        except Undecided as stop:
            search.complete, search.reason = False, stop.reason
    return search.result()


class _Search:
    """Collects witnesses until they span all vectors that occur."""

    def __init__(self, source: Source, budget: Budget) -> None:
        self.source, self.budget = source, budget
        self.space = RowSpace(source.width)
        self.steps: list[Step] = []
        self.complete = True
        self.reason = "no boundary can overflow"

    def walk(self) -> None:
        """Enumerates every step of the box."""
        points = prod(self.source.sizes)
        if points > self.budget.points:
            raise Undecided(f"the box has {points} indices, the budget allows {self.budget.points}")
        for step in self.source.walk(self.budget):
            if self.space.add(step.row):
                self.steps.append(step)
        self.reason = f"all {points} indices were enumerated"

    def ask(self) -> None:
        """Uses Z3 to find each witness, until it finds none; at most one query per boundary."""
        while not self.space.is_full():
            index = presburger.point(self.source.system(self.space.complement()), self.budget, solver="z3")
            if index is None:
                self.reason = "Z3 finds no index whose overflows these conditions do not cover"
                return
            self._learn(index)
        self.reason = ALL_FORCED

    def probe(self) -> None:
        """Tries cheap witnesses, then runs an exact search for each direction left."""
        seen = {(0,) * self.source.width}
        for index in self.source.candidates(self.budget.seed):
            if self.source.width > _FREE:
                self.budget.spend(self.source.width)
            vector = self.source.vector(index)
            if vector not in seen:
                self._learn(index)
                if self.space.is_full():
                    break
            seen.add(vector)
        certified = RowSpace(self.source.width)
        while self.space.rank + certified.rank < self.source.width:
            weights = next(w for w in self.space.complement() if w not in certified)
            missed = self.source.violation(weights, self.budget)
            if missed is None:
                certified.add(weights)
            else:
                self._learn(missed)
        missing = "an exact search finds no index whose overflows these conditions do not cover"
        self.reason = ALL_FORCED if self.space.is_full() else missing

    def _learn(self, index: Index) -> None:
        """Adds steps towards the index until the span contains its overflow vector."""
        while self.source.vector(index) not in self.space:
            self.steps.append(learned(self.space, self.source.vector, index))

    def result(self) -> Rows:
        """The rows found, with the smallest steps first."""
        steps = tuple(sorted(self.steps, key=lambda s: (sum(s.index), s.index)))
        return Rows(self.space, steps, self.complete, self.reason)


def learned(space: RowSpace, vector_at: Callable[[Sequence[int]], Row], index: Index) -> Step:
    """Adds to the space a step on the way to the index, whose vector has to be outside; returns the step."""
    weights = space.apart(vector_at(index))
    axis, reached = breaking_step(lambda i: dot(weights, vector_at(i)), index)
    before = (*reached[:axis], reached[axis] - 1, *reached[axis + 1 :])
    row = tuple([a - b for a, b in zip(vector_at(reached), vector_at(before), strict=True)])
    if not space.add(row):
        raise InternalError(f"the step to {reached} along axis {axis} should have been new")
    return Step(axis, reached, row)


class RowSpaces:
    """The row spaces of boxes with the same sizes: by all indices if these are few, else by some or a search."""

    def __init__(self, places: tuple[int, ...], sizes: tuple[int, ...], engine: Engine, budget: Budget) -> None:
        self.places, self.engine, self.budget = places, engine, budget
        self.found: dict[IndexMap, KnownSpace] = {}
        self.sums: dict[tuple[Space, Row], Space] = {}
        self.all = engine == "auto" and prod(sizes) <= _FEW
        some = [range(n) if self.all else sorted({k for k in (0, 1, n // 2, n - 1) if 0 <= k < n}) for n in sizes]
        indices = [i for i in islice(product(*some), _FEW) if sum(i) > 1] if engine == "auto" else []
        self.indices = sorted(indices, key=sum, reverse=True)

    def of(self, box: IndexMap) -> KnownSpace:
        """The row space of a box, by C_P(i) = (ρ + Σ i_j·R_j) // P with ρ = o mod P and R_j = ((o + t_j) mod P) − ρ."""
        start, ends = box.start, [box.start + t for t in box.steps]
        carries = [(p, r := start % p, [x % p - r for x in ends]) for p in self.places]
        space: Space = ()
        for index in self.indices:
            row = tuple([(r + sum(map(mul, index, slopes))) // p for p, r, slopes in carries])
            if any(row):
                if (space, row) not in self.sums:
                    self.sums[space, row] = RowSpace(len(row), (*space, row)).rows
                space = self.sums[space, row]
                if len(space) == len(row):
                    break
        if self.all or len(space) == len(active_carries(box, self.places)):
            return space
        box = self._normal(box)
        if box not in self.found:
            self.budget.spend(_STEPS_PER_SPACE)
            rows = find_rows(self.places, box, self.engine, self.budget)
            self.found[box] = rows.space.rows if rows.complete else None
        return self.found[box]

    def _normal(self, box: IndexMap) -> IndexMap:
        """A normalised box with the same row space, which flips and the order of axes do not change.

        Its steps are at most half the largest place value, and axes with equal steps are merged.
        """
        start, most, modulus = box.start, dict[int, int](), self.places[0] if self.places else 1
        for size, step in zip(box.sizes, box.steps, strict=True):
            step %= modulus
            if 2 * step > modulus:
                start += (size - 1) * step
                step = modulus - step
            if step:
                most[step] = most.get(step, 0) + size - 1
        axes = sorted(most.items())
        return IndexMap(tuple([n + 1 for _, n in axes]), tuple([t for t, _ in axes]), start % modulus)
