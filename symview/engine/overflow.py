"""Which boundaries between digits overflow, in which patterns, and where first.

A boundary is named by its place value P. The slope of an axis is its step minus a multiple of P, chosen so that the
first step from the start overflows nothing; ``C`` is the overflow vector, and ``D`` the pattern of one step.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import gcd, prod
from operator import mul
from typing import NamedTuple

from symview.engine import presburger
from symview.engine.index_map import Index, IndexMap, by_sum, extremes
from symview.errors import Undecided
from symview.logic.budget import DEFAULT, Budget

_CORNER_AXES = 5
_RANDOM_POINTS = 8
_WALKED = 20_000
_PREFIXES = 64
_MANY = 8
_LITTLE = 100_000


class Carry(NamedTuple):
    """One boundary on one box: C_P(i) = (start + Σ i_j·slopes_j) // place, and C_P(0) = 0.

    The slope of axis j is ((o + t_j) mod P) − (o mod P), so C_P counts the overflows in addition to those on the first
    step of each axis.
    """

    place: int
    start: int
    slopes: tuple[int, ...]

    def at(self, index: Sequence[int]) -> int:
        """How often the boundary overflows on the way to the index."""
        address: int = sum(map(mul, index, self.slopes), self.start)
        return address // self.place

    def reach(self, sizes: Sequence[int]) -> tuple[int, int]:
        """The least and the greatest C_P on the box."""
        low, high = extremes(self.start, self.slopes, sizes)
        return low // self.place, high // self.place

    def first_along(self, axis: int) -> int | None:
        """The least i > 0 with C_P(i·e_axis) ≠ 0 on an unbounded axis; None if there is none."""
        slope = self.slopes[axis]
        if slope > 0:
            return -((self.start - self.place) // slope)
        return self.start // -slope + 1 if slope < 0 else None


def carry(place: int, box: IndexMap) -> Carry:
    """The boundary at one place value."""
    start = box.start % place
    return Carry(place, start, tuple([(box.start + t) % place - start for t in box.steps]))


def active_carries(box: IndexMap, places: Iterable[int]) -> list[Carry]:
    """The boundaries that overflow somewhere on a nonempty box; for all others C_P is 0 throughout.

    >>> [c.place for c in active_carries(IndexMap((3,), (4,), 0), (9, 3))]
    []
    >>> [c.place for c in active_carries(IndexMap((4,), (4,), 0), (9, 3))]
    [9, 3]
    """
    found = []
    for place in places:
        one = carry(place, box)
        if one.reach(box.sizes) != (0, 0):
            found.append(one)
    return found


def vector(carries: Sequence[Carry], index: Sequence[int]) -> tuple[int, ...]:
    """The overflow vector C(index), one entry per boundary."""
    return tuple([sum(map(mul, index, slopes), start) // place for place, start, slopes in carries])


def weigh(carries: Sequence[Carry], weights: Sequence[int], index: Sequence[int]) -> int:
    """Σ weights·C(index): for defects as `weights`, the distance of the composition from being affine there."""
    total = 0
    for c, w in zip(carries, weights, strict=True):
        total += w * c.at(index)
    return total


def cancels_by_slopes(carries: Sequence[Carry], weights: Sequence[int], sizes: Sequence[int]) -> bool:
    """A quick sufficient test that Σ weights·C is 0 on the whole box; False means unknown.

    C_P is y_P/P minus a fraction in [0, 1), with y_P linear; so Σ weights·C lies between two bounds that are quick to
    compute. If 0 is the only integer between them, it is 0.
    """
    top = max(c.place for c in carries)
    low = high = 0
    slopes = [0] * len(sizes)
    for c, w in zip(carries, weights, strict=True):
        share = w * (top // c.place)
        common = gcd(c.place, *c.slopes)
        first = c.start % common
        ends = share * first, share * (c.place - common + first)
        low += share * c.start - max(ends)
        high += share * c.start - min(ends)
        for axis, r in enumerate(c.slopes):
            slopes[axis] += share * r
    least, most = extremes(0, slopes, sizes)
    return -top < low + least and high + most < top


def without_inactive_digits(carries: Sequence[Carry], sizes: Sequence[int]) -> list[Carry]:
    """Rewrites the boundaries with smaller place values and the same C, by dropping lower digits that never overflow.

    If g divides all place values and every slope is g·a + b with 0 <= b < g, nothing overflows into the multiples of g
    as long as the part of the start below g plus all b together stay below g.
    """
    g = gcd(*[c.place for c in carries])
    first = carries[0]
    while g > 1:
        inactive = [r % g for r in first.slopes]
        if first.start % g + sum((n - 1) * b for n, b in zip(sizes, inactive, strict=True)) < g:
            return [Carry(c.place // g, c.start // g, tuple([r // g for r in c.slopes])) for c in carries]
        g = gcd(g, max(inactive))
    return list(carries)


def pattern(places: Sequence[int], address: int, step: int) -> tuple[int, ...]:
    """D of the step from `address` to `address + step`: per boundary, 1 if it overflows, else 0.

    This counts the overflow in addition to floor(step/P).

    >>> pattern((9, 3), 8, 4)
    (1, 1)
    """
    return tuple([int(address % p >= p - step % p) for p in places])


def crossed(places: Sequence[int], address: int, step: int) -> tuple[int, ...]:
    """The place values at which a step overflows or, downwards, borrows, in addition to step/P rounded towards 0.

    >>> crossed((9, 3), 8, 4), crossed((9, 3), 9, -1), crossed((9, 3), 8, -1)
    ((9, 3), (9, 3), ())
    """
    carried = pattern(places, address, step)
    return tuple([p for p, d in zip(places, carried, strict=True) if step % p and d == (step > 0)])


def cheap_witnesses(sizes: Sequence[int], carries: Sequence[Carry], seed: int = 0) -> Iterator[Index]:
    """Indices of the box at which a relevant overflow is likely."""
    axes = [a for a, n in enumerate(sizes) if n >= 2]
    for a in axes:
        for c in carries:
            first = c.first_along(a)
            if first is not None:
                for i in (first, first + 1):
                    if i < sizes[a]:
                        yield tuple([i if j == a else 0 for j in range(len(sizes))])
    for a, b in combinations(axes, 2):
        yield tuple([int(j in (a, b)) for j in range(len(sizes))])
    if len(axes) <= _CORNER_AXES:
        yield from product(*[(0, n - 1) if n > 1 else (0,) for n in sizes])
    else:
        for c in carries:
            yield tuple([n - 1 if r > 0 else 0 for n, r in zip(sizes, c.slopes, strict=True)])
            yield tuple([n - 1 if r < 0 else 0 for n, r in zip(sizes, c.slopes, strict=True)])
    rng = random.Random(seed)
    for _ in range(_RANDOM_POINTS):
        yield tuple([rng.randrange(n) for n in sizes])


def periodic_sizes(sizes: Sequence[int], carries: Sequence[Carry]) -> tuple[int, ...]:
    """A smaller box on which C has the same span and the same first break.

    Along an axis every pattern repeats after P/gcd(P, slope) steps, P being the largest place value (a multiple of the
    others), so one step more than a period suffices.
    """
    top = max(carries, key=lambda c: c.place)
    return tuple(
        [min(n, top.place // gcd(top.place, r) + 1) if r else min(n, 1) for n, r in zip(sizes, top.slopes, strict=True)]
    )


def breaking_step(measure: Callable[[Sequence[int]], int], index: Index) -> tuple[int, Index]:
    """A single step on the way to an index that changes the measure, which is 0 at 0 and not 0 at the index.

    Returns the axis and the index reached, by bisection: O(rank·log size).
    """
    here = [0] * len(index)
    value = 0
    for axis, goal in enumerate(index):
        if not goal:
            continue
        end = [*here[:axis], goal, *here[axis + 1 :]]
        reached = measure(end)
        if reached == value:
            here = end
            continue
        low, high = 0, goal
        while high - low > 1:
            middle = (low + high) // 2
            between = measure([*here[:axis], middle, *here[axis + 1 :]])
            if between != value:
                high = middle
            else:
                low = middle
        return axis, (*here[:axis], high, *here[axis + 1 :])
    raise ValueError(f"nothing changes on the way to {index}")


@dataclass(frozen=True, slots=True)
class Occurrence:
    """The step that reaches `index` along `axis` is the first with this pattern."""

    axis: int
    index: Index
    pattern: tuple[int, ...]


class Occurrences(NamedTuple):
    """The patterns by axis and first index; `complete` unless the budget ended, for which `reason` is given."""

    found: tuple[Occurrence, ...]
    complete: bool
    reason: str


def occurring(places: tuple[int, ...], box: IndexMap, budget: Budget = DEFAULT) -> Occurrences:
    """Each distinct pattern of the steps of each axis with its first index, by sum, then lexicographically.

    `places` are place values of the outer shape, largest first, and a pattern has one 0 or 1 for each; addresses count
    places of the outer shape. "One step", proofs/README.md. Large boxes are not enumerated: integer points decide, one
    pattern prefix at a time.

    >>> [(o.index, o.pattern) for o in occurring((9, 3), IndexMap((6,), (4,), 0)).found]
    [((1,), (0, 0)), ((3,), (1, 1)), ((5,), (1, 0))]
    """
    found: list[Occurrence] = []
    reasons: list[str] = []
    for axis, size in enumerate(box.sizes):
        if size < 2 or 0 in box.sizes:
            continue
        sizes = _starts(places, box, axis)
        if prod(sizes) <= min(_WALKED, budget.points):
            seen = _walk(places, box, axis, sizes, budget)
        else:
            search = _Tree(places, box, axis, sizes, budget)
            seen = search.run()
            reasons += search.open
        found += sorted(seen, key=lambda o: (sum(o.index), o.index))
    return Occurrences(tuple(found), not reasons, "; ".join(dict.fromkeys(reasons)))


def _starts(places: Sequence[int], box: IndexMap, axis: int) -> tuple[int, ...]:
    """The sizes of the box of indices from which a step along the axis can start, up to one period."""
    top = places[0] if places else 1
    return tuple(
        [min(n - (a == axis), top // gcd(top, t)) for a, (n, t) in enumerate(zip(box.sizes, box.steps, strict=True))]
    )


def _reached(index: Sequence[int], axis: int) -> Index:
    return tuple([i + (a == axis) for a, i in enumerate(index)])


def _walk(places: Sequence[int], box: IndexMap, axis: int, sizes: Sequence[int], budget: Budget) -> list[Occurrence]:
    first: dict[tuple[int, ...], Index] = {}
    for index in by_sum(sizes):
        budget.count(len(places))  # few enough to be enumerated completely
        first.setdefault(pattern(places, box.at(index), box.steps[axis]), index)
    return [Occurrence(axis, _reached(index, axis), p) for p, index in first.items()]


class _Tree:
    """Decides boundary by boundary whether it can overflow, given the overflows of the larger ones."""

    def __init__(
        self, places: tuple[int, ...], box: IndexMap, axis: int, sizes: tuple[int, ...], budget: Budget
    ) -> None:
        many = len(places) > _MANY  # many questions, so each gets little work
        self.budget = budget.at_most(_LITTLE) if many else budget
        self.places, self.box, self.axis, self.sizes = places, box, axis, sizes
        self.open: list[str] = []

    def run(self) -> list[Occurrence]:
        """The occurrences; `open` collects the reasons for undecided patterns."""
        partial: list[tuple[int, ...]] = [()]
        for _ in self.places:
            if len(partial) > _PREFIXES:
                self.open.append(f"more than {_PREFIXES} patterns of axis {self.axis} are possible")
                return []
            partial = [p for q in partial for p in ((*q, 0), (*q, 1)) if self._possible(p)]
        found = []
        for p in partial:
            try:
                index = presburger.least(self._system(p), self.budget)
            except Undecided as stop:
                self.open.append(stop.reason)
                continue
            if index is not None:
                found.append(Occurrence(self.axis, _reached(index, self.axis), p))
        return found

    def _possible(self, prefix: tuple[int, ...]) -> bool:
        if prefix[-1] and self.box.steps[self.axis] % self.places[len(prefix) - 1] == 0:
            return False
        try:
            return presburger.point(self._system(prefix), self.budget) is not None
        except Undecided:
            return True  # keep it: the search for its first index reports if it stays undecided

    def _system(self, prefix: Sequence[int]) -> presburger.System:
        """The system for starts x such that, for each P of the prefix, the step overflows P at x or not, as stated."""
        top = self.places[0]
        start = self.box.start % top
        slopes = [t % top for t in self.box.steps]
        rows = []
        for n, (place, carries) in enumerate(zip(self.places, prefix, strict=False)):
            edge = place - self.box.steps[self.axis] % place
            low, high = (edge, place - 1) if carries else (0, edge - 1)
            quotient = [place * (m == n) for m in range(len(prefix))]
            rows.append((*slopes, *[-q for q in quotient], start - low))
            rows.append((*[-s for s in slopes], *quotient, high - start))
        return presburger.System(self.sizes, len(prefix), tuple(rows), ((),))
