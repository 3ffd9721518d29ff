"""Break points: how the conditions grow with a size, if one parameter determines all sizes.

`RisingWalk` is the search along a single rising axis, by Stern–Brocot on slopes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import NamedTuple

from symview.engine import presburger
from symview.engine.decide import carry_system, smallest_violation, violation
from symview.engine.index_map import Index, IndexMap
from symview.engine.overflow import Carry, active_carries, periodic_sizes, vector
from symview.engine.overflow_space import ALL_FORCED, Engine, Rows, Step, learned, widen
from symview.engine.row_space import Row, RowSpace, dot
from symview.errors import Undecided
from symview.logic.budget import DEFAULT, Budget

_WORK_OF_A_VECTOR = 4  # per boundary, for deciding whether a vector is new
_NEAR = 2000  # indices that are enumerated before a solver is used
_FREE_PRODUCTS = 16  # products that are too cheap to count
_WALKED_STEPS = 500  # steps that are enumerated before a search


class Growing(NamedTuple):
    """Boxes of sizes scales_j·n + bases_j for n >= first, after one address map; scales are nonnegative.

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
        """The largest n for which the box stays inside 0..size−1; below `first` if there is none, None without limit.

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
    """The values first <= n <= last (last None: without end), and the row space of all of them."""

    first: int
    last: int | None
    rows: Rows


def find_breaks(
    places: tuple[int, ...], size: int, grown: Growing, engine: Engine = "auto", budget: Budget = DEFAULT
) -> list[Stretch]:
    """Splits the values of n in bounds exactly where the growing box meets a new condition.

    `places` as in `find_rows`, one entry of a row each; `size` is the number of places of the outer shape. Beyond the
    last stretch the view is out of bounds. If the budget ends, the rest is one stretch whose rows are incomplete.
    `engine` as in `find_rows`.

    The row space grows with n; the next break is the first n whose box has an index with an overflow vector outside the
    span of the rows so far. There is at most one break per boundary ("One parametric size", proofs/README.md).

    >>> [(s.first, s.last, s.rows.space.rows) for s in find_breaks((9, 3), 90, Growing((1,), (0,), (4,), 0))]
    [(1, 3, ()), (4, 5, ((1, 1),)), (6, 23, ((1, 0), (0, 1)))]
    """
    limit = grown.limit(size)
    if limit is not None and limit < grown.first:
        return []
    last = grown.first if limit is None else limit  # without a limit, the growing axes have step 0
    box = grown.box(last) if limit is not None else grown.box(grown.first)
    carries = active_carries(box, places)
    search = _Search(grown, last, box, carries, engine, budget)
    found: list[Stretch] = []
    first = grown.first
    active = [c.place for c in carries]
    for n in search.run():
        if n > first:
            found.append(Stretch(first, n - 1, widen(search.rows(), active, places)))
            first = n
        search.learn()
    found.append(Stretch(first, limit, widen(search.rows(), active, places)))
    return found


class _Search:
    """The rows so far, and the search for the first value that needs another row."""

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
        """Each value at which an index has a new vector, in rising order; call `learn` between two values."""
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
        """Adds the step of the last value to the rows."""
        self.steps.append(learned(self.space, lambda i: vector(self.carries, i), self.missed))

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
            raise Undecided(f"the box has {prod(self.box.sizes)} indices, the budget allows {self.budget.points}")
        best: tuple[int, int, Index] | None = None
        for index in product(*map(range, self.box.sizes)):
            self.budget.spend(_WORK_OF_A_VECTOR * len(self.carries))
            if vector(self.carries, index) not in self.space:
                found = self._needs(index), sum(index), index
                best = found if best is None else min(best, found)
        return None if best is None else (best[0], best[2])

    def _needs(self, index: Index) -> int:
        """The least n whose box contains the index."""
        least = [-((b - 1 - i) // a) for i, a, b in zip(index, self.grown.scales, self.grown.bases, strict=True) if a]
        return max(self.grown.first, *least)

    def rows(self) -> Rows:
        """The rows found so far."""
        found, steps = RowSpace(self.space.width, self.space.rows), tuple(self.steps)
        missing = "an exact search finds no index below that size whose overflows these conditions do not cover"
        reason = ALL_FORCED if self.space.is_full() else missing
        return Rows(found, steps, self.stopped is None, self.stopped or reason)


def _with_parameter(inner: presburger.System, grown: Growing, last: int) -> presburger.System:
    """Adds n − first as first variable to the system, and bounds every index by its size at n."""
    rank, width = len(inner.sizes), inner.hidden
    rows = [(0, *r) for r in inner.rows]
    for j, (a, size) in enumerate(zip(grown.scales, grown.sizes(grown.first), strict=True)):
        own = [0] * rank
        own[j] = -1
        rows.append((a, *own, *[0] * width, size - 1))
    branches = tuple([tuple([(0, *r) for r in branch]) for branch in inner.branches])
    return presburger.System((last - grown.first + 1, *inner.sizes), width, tuple(rows), branches)


def first_break(carries: Sequence[Carry], weights: Sequence[int], size: int, budget: Budget = DEFAULT) -> int | None:
    """The least n < size with Σ weights·C(n) ≠ 0, or None; exact.

    The overflow counts are those of a rising walk, see `RisingWalk`. Raises Undecided when the budget ends.

    >>> first_break([Carry(2, 0, (1,)), Carry(6, 0, (3,))], (-1, 1), 100) is None
    True
    >>> first_break([Carry(2, 0, (1,)), Carry(5, 0, (3,))], (-1, 1), 100)
    5
    """
    return RisingWalk(carries, size, budget).next_break([tuple(weights)])


class _Block(NamedTuple):
    """Boundaries with equal overflow counts so far, and the step at which these start to differ."""

    members: tuple[int, ...]
    apart: int | None


class RisingWalk:
    """The overflow vectors C(n) of the addresses n·step, 0 <= n < size: C_P(n) = floor(n·slope/P), 0 <= slope < P.

    Boundaries that have overflowed equally often at every step so far form a block. A linear functional of C that
    vanishes for all counts that are equal within each block keeps vanishing until a block splits. Stern–Brocot finds
    that step: floor(n·a) and floor(n·b) first differ at the least denominator of a fraction in (a, b]. The steps in
    between are enumerated, or searched if they are many. "One parametric size", proofs/README.md.
    """

    def __init__(self, carries: Sequence[Carry], size: int, budget: Budget = DEFAULT) -> None:
        self.carries, self.size, self.budget = list(carries), size, budget
        self.top = max([c.place for c in carries], default=1)
        moving = [m for m, c in enumerate(carries) if c.slopes[0]]
        self.here = 0
        self.blocks: list[_Block] = []
        self.fresh = self._block(moving, fresh=True)  # not overflowed yet

    def next_break(self, functionals: Sequence[Row]) -> int | None:
        """The least n in (here, size) at which some functional of C(n) is not 0, or None.

        All functionals vanish up to `here`, which moves to n. From call to call their span may shrink, never grow.
        """
        while functionals:
            self._spend(len(functionals) * len(self.carries))
            split = min([b.apart for b in (self.fresh, *self.blocks) if b.apart is not None], default=self.size)
            end = min(split, self.size)
            found = self._before(end, functionals)
            if found is None and split < self.size:
                self._split(split)
                counts = [c.at((split,)) for c in self.carries]
                if any(dot(f, counts) for f in functionals):
                    found = split
            if found is not None or split >= self.size:
                self.here = self.size if found is None else found
                return found
        return None

    def _before(self, end: int, functionals: Sequence[Row]) -> int | None:
        """Does the same before any block splits, with one boundary per block."""
        sums = [[sum([f[m] for m in b.members]) for b in self.blocks] for f in functionals]
        rows = RowSpace(len(self.blocks), sums).rows if any(map(any, sums)) else ()
        if not rows or self.here + 1 >= end:
            return None
        carries = [self.carries[b.members[0]] for b in self.blocks]
        near = min(end, self.here + 1 + min(_WALKED_STEPS, self.budget.points))
        for n in range(self.here + 1, near):
            self._spend(len(rows) * len(carries))
            counts = [c.at((n,)) for c in carries]
            if any(dot(row, counts) for row in rows):
                return n
        firsts = [self._searched(carries, row, end) for row in rows] if near < end else []
        return min([n for n in firsts if n is not None], default=None)

    def _spend(self, products: int) -> None:
        if products > _FREE_PRODUCTS:
            self.budget.spend(products // _FREE_PRODUCTS)

    def _searched(self, carries: list[Carry], row: Row, end: int) -> int | None:
        known = violation(carries, (end,), row, self.budget)
        if known is None:
            return None
        index, proved = smallest_violation(carries, (end,), row, known, self.budget)
        if not proved:
            raise Undecided(f"the first step at which the overflows do not cancel, at most {known[0]}: allow more work")
        return index[0]

    def _split(self, n: int) -> None:
        """Splits the blocks after step n, the first at which some of their boundaries overflow and others do not."""
        carrying = {m for m, c in enumerate(self.carries) if c.at((n,)) != c.at((n - 1,))}
        after: list[_Block] = []
        for block in self.blocks:
            if block.apart == n:
                after.append(self._block([m for m in block.members if m in carrying]))
                after.append(self._block([m for m in block.members if m not in carrying]))
            else:
                after.append(block)
        if self.fresh.apart == n:
            after.append(self._block([m for m in self.fresh.members if m in carrying]))
            self.fresh = self._block([m for m in self.fresh.members if m not in carrying], fresh=True)
        self.blocks, self.here = after, n

    def _block(self, members: Sequence[int], fresh: bool = False) -> _Block:
        by_slope = sorted([self.carries[m] for m in members], key=lambda c: c.slopes[0] * (self.top // c.place))
        if not by_slope:
            return _Block((), None)
        low, high = by_slope[0], by_slope[-1]
        if fresh:
            return _Block(tuple(members), -(-high.place // high.slopes[0]))
        if low.slopes[0] * high.place == high.slopes[0] * low.place:
            return _Block(tuple(members), None)
        return _Block(tuple(members), least_denominator((low.slopes[0], low.place), (high.slopes[0], high.place)))


def least_denominator(low: tuple[int, int], high: tuple[int, int]) -> int:
    """The least denominator of a fraction f with low < f <= high, 0 <= low < high; fractions as (top, bottom).

    >>> least_denominator((1, 3), (2, 5)), least_denominator((1, 2), (3, 5))
    (5, 5)
    """
    return _simplest(low, high, True, False)[1]


def _simplest(low: tuple[int, int], high: tuple[int, int], low_open: bool, high_open: bool) -> tuple[int, int]:
    """The simplest fraction between two, by continued fractions; p/0 means no bound."""
    floor, rest = divmod(low[0], low[1])
    whole = floor + (low_open or rest > 0)
    beyond = whole * high[1] - high[0]
    if beyond < 0 or (beyond == 0 and not high_open):
        return whole, 1
    top, bottom = _simplest((high[1], high[0] - floor * high[1]), (low[1], rest), high_open, low_open)
    return floor * top + bottom, top
