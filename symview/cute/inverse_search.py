"""Left inverses by search: places at which values are cut into digits, and strides that solve a linear system.

A layout K with places 1 = P_0 | P_1 | … | P_k has K(v) = Σ e_j·(floor(v/P_j) mod P_{j+1}/P_j), its last
digit without bound. With the places chosen, K(v) = t for known v and t is linear in the strides e.
A mode of size p·q is two modes of sizes p and q, so steps that are primes are enough to decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isqrt
from operator import mul, sub
from typing import NamedTuple, Protocol

from symview.cute.composition_failure import NoComposition
from symview.cute.fact import divisors
from symview.cute.layout import Layout
from symview.cute.modes import assembled, coalesced
from symview.cute.walk import walked
from symview.errors import Undecided
from symview.logic.budget import Budget

Row = tuple[int, ...]
Steps = Callable[[int, int], Iterable[int]]  # from a place, the ratios to the next, up to a bound

_ALL = 1024  # so many values are all put into the system
_WALKED = 1 << 16
_FEW = 3
_CHECK = 10_000  # what checking a candidate costs, in points
_EVERY_RATIO = 1 << 10


class Spent(Exception):
    """The allowance ended."""


class Allowance:
    """How many digits of values may still be looked at."""

    def __init__(self, points: int, budget: Budget) -> None:
        self.left, self.budget = points, budget

    def take(self, points: int) -> None:
        """Counts so many; raises Spent where that was too many."""
        self.budget.spend(points)
        self.left -= points
        if self.left < 0:
            raise Spent


@dataclass(frozen=True, slots=True)
class Solutions:
    """The integer solutions of linear equations: a point, and whole multiples of directions on top.

    >>> Solutions((0, 0), ((1, 0), (0, 1))).where((2, 3), 1)
    Solutions(point=(-1, 1), directions=((3, -2),))
    >>> Solutions((0,), ((1,),)).where((2,), 1) is None
    True
    """

    point: Row
    directions: tuple[Row, ...]

    def widened(self) -> Solutions:
        """The same with one more unknown, which is free."""
        free = (0,) * len(self.point) + (1,)
        return Solutions((*self.point, 0), (*[(*d, 0) for d in self.directions], free))

    def without_last(self) -> Solutions:
        """The same without the last unknown, whatever it is."""
        left = dict.fromkeys(d[:-1] for d in self.directions if any(d[:-1]))
        return Solutions(self.point[:-1], tuple(left))

    def where(self, row: Row, wanted: int) -> Solutions | None:
        """Those with row · e = wanted; None where there are none."""
        short = wanted - _dot(row, self.point)
        moving, kept = [], []
        for direction in self.directions:
            gain = _dot(row, direction)
            if gain:
                moving.append((gain, direction))
            else:
                kept.append(direction)
        if not moving:
            return None if short else self
        gain, direction = moving[0]
        for other_gain, other in moving[1:]:
            while other_gain:
                times = gain // other_gain
                gain, other_gain = other_gain, gain - times * other_gain
                direction, other = other, tuple([a - times * b for a, b in zip(direction, other, strict=True)])
            kept.append(other)
        if short % gain:
            return None
        times = short // gain
        point = tuple([a + times * b for a, b in zip(self.point, direction, strict=True)])
        return Solutions(point, tuple(kept))


def _dot(a: Row, b: Row) -> int:
    return sum(map(mul, a, b))


class Node(Protocol):
    """Places up to one, and what is right of the strides for the values below it."""

    @property
    def place(self) -> int:
        """The last place."""

    def divided(self, ratio: int, allowance: Allowance) -> Node | None:
        """With the next place; None where no strides are right."""

    def ended(self, allowance: Allowance) -> Layout | int:
        """The layout whose last mode begins here; or the quotient at which that fails, and so does every larger ratio.

        For below a next place the last digit is the quotient as well.
        """


class _Block(NamedTuple):
    """One value for all with the same quotient by the place: its digits below the place, and what K makes of it."""

    quotient: int
    digits: Row
    wanted: int


@dataclass(frozen=True, slots=True)
class _Node:
    """Places up to `place`, a block for each quotient, and the strides that are right within every block."""

    place: int
    sizes: Row
    blocks: tuple[_Block, ...]
    strides: Solutions

    def divided(self, ratio: int, allowance: Allowance) -> _Node | None:
        """Values of one block share their higher digits."""
        strides = self.strides.widened()
        blocks: list[_Block] = []
        for seen, (quotient, low, wanted) in enumerate(self.blocks, 1):
            block = _Block(quotient // ratio, (*low, quotient % ratio), wanted)
            if not blocks or blocks[-1].quotient != block.quotient:
                blocks.append(block)
                continue
            gap = tuple(map(sub, block.digits, blocks[-1].digits))
            narrower = strides.where(gap, wanted - blocks[-1].wanted)
            if narrower is None:
                allowance.take(seen * (1 + len(self.sizes)))
                return None
            strides = narrower
        allowance.take(len(self.blocks) * (1 + len(self.sizes)))
        return _Node(self.place * ratio, (*self.sizes, ratio), tuple(blocks), strides)

    def ended(self, allowance: Allowance) -> Layout | int:
        """All blocks at once."""
        strides = self.strides.widened()
        for seen, (quotient, low, wanted) in enumerate(self.blocks, 1):
            narrower = strides.where((*low, quotient), wanted)
            if narrower is None:
                allowance.take(seen * (1 + len(self.sizes)))
                return quotient
            strides = narrower
        last = self.blocks[-1].quotient + 1
        return assembled(coalesced(list(zip((*self.sizes, last), strides.point, strict=True))))


def _start(table: Sequence[tuple[int, int]]) -> _Node:
    """No place but 1, and each value a block of its own."""
    return _Node(1, (), tuple([_Block(v, (), t) for v, t in table]), Solutions((), ()))


def search(layout: Layout, budget: Budget) -> Layout | None:
    """A layout that takes the values of this one, which are from 0 on, back to their indices; None where none does.

    Few modes are tried first. Of a large layout, some values are asked for, and those that a
    candidate misses on top. Raises Undecided when the budget ends.
    """
    allowance = Allowance(budget.points, budget)
    known = {layout(x): x for x in _first_indices(layout)}
    try:
        while (found := _candidate(sorted(known.items()), layout, allowance)) is not None:
            miss = _missed(found, layout, budget)
            if miss is None:
                return found
            if layout(miss) in known:
                return None
            known[layout(miss)] = miss
            allowance.take(_CHECK)
    except Spent:
        raise Undecided(
            f"left_inverse of {layout}: there are too many ways to cut values up to {max(known)} into digits to try all"
        ) from None
    return None


def _candidate(table: Sequence[tuple[int, int]], layout: Layout, allowance: Allowance) -> Layout | None:
    """A layout that takes the values to their indices; None where there is none, which places by primes decide."""
    short = _short(table, layout, allowance)
    if short is not None:
        return short
    top = table[-1][0]
    return searched(_start(table), Primes(min(top, allowance.left)).up_to, top.bit_length(), allowance)


def _first_indices(layout: Layout) -> Iterable[int]:
    """All indices; of large layouts those near the origin of each mode, and the last."""
    size, place = layout.size(), 1
    if size <= _ALL:
        return range(size)
    found = [0]
    for n, _ in layout.flat():
        found += [x * place for x in {1, 2, 3, n // 2, n - 1} if x < n]
        place *= n
    return [*found, size - 1]


def _short(table: Sequence[tuple[int, int]], layout: Layout, allowance: Allowance) -> Layout | None:
    """One of few modes, if a quarter of what is left finds it."""
    marks = sorted({d for _, d in layout.flat() if d} | {table[-1][0]})
    share = Allowance(allowance.left // 4, allowance.budget)
    allowance.left -= share.left
    found = None
    try:
        for modes in range(1, _FEW + 1):
            found = found or searched(_start(table), lambda place, most: _ratios(place, most, marks), modes, share)
    except Spent:
        return None
    allowance.left += share.left
    return found


def _ratios(place: int, most: int, marks: Sequence[int]) -> Iterable[int]:
    """The ratios to a next place: all, or where these are many, the small ones and those that end near a stride."""
    if most <= _EVERY_RATIO:
        return range(2, most + 1)
    near = {mark // place // part + more for mark in marks for part in (1, 2, 3) for more in (-1, 0, 1)}
    return sorted(r for r in near | set(range(2, 17)) if 2 <= r <= most)


def searched(node: Node, steps: Steps, most: int, allowance: Allowance) -> Layout | None:
    """An inverse of at most so many modes more, whose next places these steps give."""
    found = node.ended(allowance)
    if isinstance(found, Layout):
        return found
    if most == 1:
        return None
    for ratio in steps(node.place, found):
        below = node.divided(ratio, allowance)
        inverse = None if below is None else searched(below, steps, most - 1, allowance)
        if inverse is not None:
            return inverse
    return None


class Primes:
    """The primes below a limit."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        prime = bytearray([1]) * (limit + 1)
        for p in range(2, isqrt(limit) + 1):
            if prime[p]:
                prime[p * p :: p] = bytes(len(range(p * p, limit + 1, p)))
        self.known = [p for p in range(2, limit + 1) if prime[p]]

    def up_to(self, place: int, most: int) -> Iterator[int]:
        """The primes up to that number; asking beyond the limit ends the allowance."""
        for p in self.known:
            if p > most:
                return
            yield p
        if most > self.limit:
            raise Spent


def _missed(inverse: Layout, layout: Layout, budget: Budget) -> int | None:
    """An index that does not come back; None where all do."""
    size = layout.size()
    if size <= _WALKED:
        return next((x for x in range(size) if inverse(layout(x)) != x), None)
    place = 1
    for n, _ in layout.flat():  # where the modes of any layout that refines this one begin: one wrong, or none, decides
        for x in [place * d for d in divisors(n)[:-1]]:
            if inverse(layout(x)) != x:
                return x
        place *= n
    try:
        walked(inverse, layout, budget)
    except NoComposition as error:
        return layout.index(error.found.coordinate)  # type: ignore[no-any-return]
    return None
