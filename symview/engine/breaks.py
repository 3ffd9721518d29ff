"""Break points: how the conditions grow with a size, where one parameter gives all sizes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import NamedTuple

from symview.engine import presburger
from symview.engine.decide import carry_system
from symview.engine.first_break import RisingWalk
from symview.engine.index_map import Index, IndexMap
from symview.engine.overflow import Carry, active_carries, periodic_sizes, vector
from symview.engine.overflow_space import ALL_FORCED, Engine, Rows, Step, next_step, widen
from symview.engine.row_space import RowSpace
from symview.errors import Undecided
from symview.logic.budget import DEFAULT, Budget

_WORK_OF_A_VECTOR = 4  # for each boundary, until it is known whether a vector is new
_NEAR = 2000  # indices that are walked sooner than a solver is asked


class Growing(NamedTuple):
    """The boxes of sizes scales_j·n + bases_j, n >= first, after one address map; scales are from 0 up.

    All sizes are positive at n = first.
    """

    scales: tuple[int, ...]
    bases: tuple[int, ...]
    steps: tuple[int, ...]
    start: int
    first: int = 1

    def sizes(self, n: int) -> tuple[int, ...]:
        """The sizes at n."""
        return tuple([a * n + b for a, b in zip(self.scales, self.bases, strict=True)])

    def box(self, n: int) -> IndexMap:
        """The box at n."""
        return IndexMap(self.sizes(n), self.steps, self.start)

    def limit(self, size: int) -> int | None:
        """The largest n for which the box stays inside 0..size−1, below `first` where none does; None for no limit.

        >>> [Growing((1,), (0,), (t,), o).limit(90) for t, o in ((4, 0), (-4, 9), (0, 3), (1, 90))]
        [23, 3, None, 0]
        """
        if size == 0 or self.box(self.first).leaves(size):
            return self.first - 1
        low, high = self.box(self.first).reach()
        down = sum(a * min(t, 0) for a, t in zip(self.scales, self.steps, strict=True))
        up = sum(a * max(t, 0) for a, t in zip(self.scales, self.steps, strict=True))
        rooms = [room // step for room, step in ((low, -down), (size - 1 - high, up)) if step]
        return self.first + min(rooms) if rooms else None


class Stretch(NamedTuple):
    """The values first <= n <= last (None: no end) and the row space that holds for all of them."""

    first: int
    last: int | None
    rows: Rows


def find_breaks(
    places: tuple[int, ...], size: int, grown: Growing, engine: Engine = "auto", budget: Budget = DEFAULT
) -> list[Stretch]:
    """The values of n in bounds, cut exactly where the growing box meets a new condition.

    `places` as in `find_rows`, one entry of a row each; `size`: how many places the outer shape has. Beyond the
    last stretch the view is out of bounds. Where the budget ends, the rest is one stretch whose rows are not
    settled. `engine` as in `find_rows`.
    The row space grows with n; the next break is the first n whose box has an index with an overflow vector that
    the rows so far do not span. At most one break a boundary ("One parametric size", proofs/README.md).

    >>> [(s.first, s.last, s.rows.space.rows) for s in find_breaks((9, 3), 90, Growing((1,), (0,), (4,), 0))]
    [(1, 3, ()), (4, 5, ((1, 1),)), (6, 23, ((1, 0), (0, 1)))]
    """
    limit = grown.limit(size)
    if limit is not None and limit < grown.first:
        return []
    last = grown.first if limit is None else limit  # without a limit, what grows does not move
    box = grown.box(last) if limit is not None else grown.box(grown.first)
    carries = active_carries(box, places)
    search = _Search(grown, last, box, carries, engine, budget)
    found: list[Stretch] = []
    first = grown.first
    active = [c.place for c in carries]
    for n in search.run():
        if n > first:
            found.append(Stretch(first, n - 1, widen(search.rows(n - 1), active, places)))
            first = n
        search.learn()
    found.append(Stretch(first, limit, widen(search.rows(last), active, places)))
    return found


class _Search:
    """The rows so far, and the first value that needs another one."""

    def __init__(
        self, grown: Growing, last: int, box: IndexMap, carries: list[Carry], engine: Engine, budget: Budget
    ) -> None:
        self.grown, self.last, self.box, self.carries = grown, last, box, carries
        self.engine, self.budget = engine, budget
        self.space = RowSpace(len(carries))
        self.steps: list[Step] = []
        self.missed: Index = ()
        self.stopped: str | None = None

    def run(self) -> Iterator[int]:
        """Each value at which an index shows something new, in rising order; `learn` between two."""
        try:
            yield from self._breaks()
        except Undecided as error:
            self.stopped = error.reason

    def _breaks(self) -> Iterator[int]:
        if self.engine == "auto" and self.grown.scales == (1,) and self.grown.bases == (0,):
            if not any(c.start or c.slopes[0] < 0 for c in self.carries):
                yield from self._rising()
                return
            yield from self._walk_near()
        while not self.space.is_full():
            small = self.engine == "auto" and prod(self.box.sizes) <= _NEAR
            hit = self._walk() if small or self.engine == "enumerate" else self._solve()
            if hit is None:
                return
            n, self.missed = hit
            yield n

    def _rising(self) -> Iterator[int]:
        """All breaks of one axis whose address rises from 0."""
        walk = RisingWalk(self.carries, self.last, self.budget)
        while (i := walk.next_break(self.space.complement())) is not None:
            self.missed = (i,)
            yield i + 1

    def _walk_near(self) -> Iterator[int]:
        """The breaks among the first indices of one axis, where most of them are."""
        for i in range(min(self.last, _NEAR)):
            if self.space.is_full():
                return
            self.budget.spend(_WORK_OF_A_VECTOR * len(self.carries))
            if vector(self.carries, (i,)) not in self.space:
                self.missed = (i,)
                yield i + 1

    def learn(self) -> None:
        """Takes up the step that the last value showed."""
        step = next_step(self.space, lambda i: vector(self.carries, i), self.missed)
        self.space.add(step.row)
        self.steps.append(step)

    def _solve(self) -> tuple[int, Index] | None:
        """The least n, then the smallest index, by a solver."""
        sizes = periodic_sizes(self.box.sizes, self.carries)
        inner = carry_system(self.carries, sizes, self.space.complement())
        system = _with_parameter(inner, self.grown, self.last)
        rank = len(sizes)
        order = ((1, *[0] * rank), (0, *[1] * rank))
        found = presburger.least(system, self.budget, "z3" if self.engine == "smt" else None, order)
        return None if found is None else (found[0] + self.grown.first, found[1:])

    def _walk(self) -> tuple[int, Index] | None:
        if prod(self.box.sizes) > self.budget.points:
            raise Undecided(f"the box has {prod(self.box.sizes)} indices, the budget walks {self.budget.points}")
        best: tuple[int, int, Index] | None = None
        for index in product(*map(range, self.box.sizes)):
            self.budget.spend(_WORK_OF_A_VECTOR * len(self.carries))
            if vector(self.carries, index) not in self.space:
                found = self._needs(index), sum(index), index
                best = found if best is None else min(best, found)
        return None if best is None else (best[0], best[2])

    def _needs(self, index: Index) -> int:
        """The least n whose box has the index."""
        least = [-((b - 1 - i) // a) for i, a, b in zip(index, self.grown.scales, self.grown.bases, strict=True) if a]
        return max(self.grown.first, *least)

    def rows(self, n: int) -> Rows:
        """What is known up to n."""
        found, steps = RowSpace(self.space.width, self.space.rows), tuple(self.steps)
        if self.space.is_full():
            return Rows(found, steps, self.stopped is None, self.stopped or ALL_FORCED, None)
        reason = "an exact search finds no index below that size whose overflows these conditions do not cover"
        sizes = periodic_sizes(self.grown.sizes(n), self.carries)
        query = carry_system(self.carries, sizes, self.space.complement())
        return Rows(found, steps, self.stopped is None, self.stopped or reason, query)


def _with_parameter(inner: presburger.System, grown: Growing, last: int) -> presburger.System:
    """The system with n − first in front, and every index below its size at n."""
    rank, width = len(inner.sizes), inner.hidden
    rows = [(0, *r) for r in inner.rows]
    for j, (a, size) in enumerate(zip(grown.scales, grown.sizes(grown.first), strict=True)):
        own = [0] * rank
        own[j] = -1
        rows.append((a, *own, *[0] * width, size - 1))
    branches = tuple([tuple([(0, *r) for r in branch]) for branch in inner.branches])
    return presburger.System((last - grown.first + 1, *inner.sizes), width, tuple(rows), branches)
