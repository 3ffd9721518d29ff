"""Where a strided walk first meets overflows that what is known of it does not cover: by Stern–Brocot on slopes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from symview.engine.decide import smallest_violation, violation
from symview.engine.overflow import Carry
from symview.engine.row_space import Row, RowSpace, dot
from symview.errors import Undecided
from symview.logic.budget import DEFAULT, Budget

_FREE = 16  # products that are not worth counting
_NEAR = 500  # steps that are walked sooner than a search is made


def first_break(carries: Sequence[Carry], weights: Sequence[int], size: int, budget: Budget = DEFAULT) -> int | None:
    """The least n < size with Σ weights·C(n) ≠ 0, None where there is none; exact.

    The carries are those of a rising walk, see `RisingWalk`. Raises Undecided when the budget ends.

    >>> first_break([Carry(2, 0, (1,)), Carry(6, 0, (3,))], (-1, 1), 100) is None
    True
    >>> first_break([Carry(2, 0, (1,)), Carry(5, 0, (3,))], (-1, 1), 100)
    5
    """
    return RisingWalk(carries, size, budget).next_break([tuple(weights)])


class _Block(NamedTuple):
    """The numbers of boundaries that have carried equally often so far, and the step at which they come apart."""

    members: tuple[int, ...]
    apart: int | None


class RisingWalk:
    """The overflow vectors C(n) of the addresses n·step, 0 <= n < size: C_P(n) = floor(n·slope/P), 0 <= slope < P.

    Boundaries that have carried equally often at every step so far form a block. Where a linear functional
    of C vanishes for any numbers that are equal within each block, it goes on vanishing until a block comes
    apart, which Stern–Brocot finds: floor(n·a) and floor(n·b) first differ at the least denominator of a
    fraction in (a, b]. In between, steps are walked, and far ones are searched for.
    "One parametric size", proofs/README.md.
    """

    def __init__(self, carries: Sequence[Carry], size: int, budget: Budget = DEFAULT) -> None:
        self.carries, self.size, self.budget = list(carries), size, budget
        self.top = max([c.place for c in carries], default=1)
        moving = [m for m, c in enumerate(carries) if c.slopes[0]]
        self.here = 0
        self.blocks: list[_Block] = []
        self.fresh = self._block(moving, fresh=True)  # not carried yet

    def next_break(self, functionals: Sequence[Row]) -> int | None:
        """The least n in (here, size) at which some functional of C(n) is not 0; None where there is none.

        All of them vanish up to `here`, which moves on to n. From call to call they may get fewer in span,
        never more.
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
        """The same before any block comes apart: on one boundary of each block."""
        sums = [[sum([f[m] for m in b.members]) for b in self.blocks] for f in functionals]
        rows = RowSpace(len(self.blocks), sums).rows if any(map(any, sums)) else ()
        if not rows or self.here + 1 >= end:
            return None
        carries = [self.carries[b.members[0]] for b in self.blocks]
        near = min(end, self.here + 1 + _NEAR)
        for n in range(self.here + 1, near):
            self._spend(len(rows) * len(carries))
            counts = [c.at((n,)) for c in carries]
            if any(dot(row, counts) for row in rows):
                return n
        firsts = [self._searched(carries, row, end) for row in rows] if near < end else []
        return min([n for n in firsts if n is not None], default=None)

    def _spend(self, products: int) -> None:
        if products > _FREE:
            self.budget.spend(products // _FREE)

    def _searched(self, carries: list[Carry], row: Row, end: int) -> int | None:
        known = violation(carries, (end,), row, self.budget)
        if known is None:
            return None
        index, proved = smallest_violation(carries, (end,), row, known, self.budget)
        if not proved:
            raise Undecided(f"the first step at which the carries do not cancel, at most {known[0]}: allow more work")
        return index[0]

    def _split(self, n: int) -> None:
        """Blocks after step n, the first on which some of their boundaries carry and others do not."""
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
    """The simplest fraction between two, by their continued fractions; a bound p/0 is no bound."""
    floor, rest = divmod(low[0], low[1])
    whole = floor + (low_open or rest > 0)
    beyond = whole * high[1] - high[0]
    if beyond < 0 or (beyond == 0 and not high_open):
        return whole, 1
    top, bottom = _simplest((high[1], high[0] - floor * high[1]), (low[1], rest), high_open, low_open)
    return floor * top + bottom, top
