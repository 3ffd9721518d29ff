"""The first index at which two maps differ, by a sequence of exact methods.

Equal injective last stages are dropped. Then strided maps are compared by their coalesced modes, affine ones by their
columns, others by their normal forms (`ParityForm`) on blocks of 2^q indices, or by residues if their steps depend only
on these. Otherwise indices are enumerated, and beyond that Z3 decides: the question is coNP-complete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, zip_longest
from math import lcm
from typing import NamedTuple

from symview.engine.map import Map, Mode, Strided
from symview.engine.ring import LARGEST, Steps
from symview.errors import Undecided
from symview.logic.bits import Bits, Number, least
from symview.logic.budget import Budget

_WALKED = 5  # blocks of up to 2^5 indices are enumerated: a form costs as much
_BLOCKS = 5  # a block uses at most 1/2^5 of the points
TABLE = 1 << 12  # indices that are enumerated without a budget, or before a solver is used


def few(budget: Budget | None) -> int:
    """How many indices are enumerated before another method is tried.

    >>> few(None), few(Budget()), few(Budget(points=10))
    (4096, 4096, 10)
    """
    return TABLE if budget is None else min(TABLE, budget.points)


def first_difference(f: Map, g: Map, end: int, budget: Budget | None = None) -> int | None:
    """The least index below `end` at which the values differ, or None; `end` is at most the size of both.

    Without a budget, it uses no solver and enumerates few indices; raises Undecided there, and beyond a budget.

    >>> from symview.engine.map import Map, Strided, XorShift, line
    >>> first_difference(Map.of(8, Strided.of([(8, 1)]), XorShift(4, 2)), line([(8, 1)]), 8)
    4
    """
    if end <= 0:
        return None
    f, g = _without_common_front(f, g)
    alone = f.strided(), g.strided()
    if alone[0] is not None and alone[1] is not None:
        return _below(_of_strided(alone[0].below(end), alone[1].below(end)), end)
    one, other = (f.columns(), g.columns()) if f.size == g.size else (None, None)
    if one is not None and other is not None:
        return _below(_of_columns(one, other), end)
    q = end.bit_length() - 1
    if end == 1 << q and q > _WALKED:
        form, against = f.form(0, q), g.form(0, q)
        if form is not None and against is not None:
            return form.minus(against).first_nonzero()
    residues = None if end <= 1 << _WALKED + 1 else Residues.of(f, g, budget)
    if residues is not None and residues.period < end:
        return _below(residues.first(), end)
    return _by_blocks(f, g, end, budget)


def _below(x: int | None, end: int) -> int | None:
    return x if x is not None and x < end else None


def _without_common_front(f: Map, g: Map) -> tuple[Map, Map]:
    while f.front and g.front and f.front[-1] == g.front[-1] and f.front[-1].is_injective():
        f, g = Map(f.size, f.base, f.front[:-1]), Map(g.size, g.base, g.front[:-1])
    return f, g


def _of_strided(f: Strided, g: Strided) -> int | None:
    """The first mode that differs decides, since coalesced modes are unique."""
    if f.offset != g.offset:
        return 0
    place = 1
    for one, other in zip_longest(f.modes, g.modes):
        if one == other:
            place *= one[0]
            continue
        if one is None or other is None:
            return place  # the sizes differ
        return place if one[1] != other[1] else place * min(one[0], other[0])
    return None


def _of_columns(f: tuple[int, list[int]], g: tuple[int, list[int]]) -> int | None:
    """Compares the constants, then the columns."""
    if f[0] != g[0]:
        return 0
    return next((1 << i for i, (a, b) in enumerate(zip(f[1], g[1], strict=True)) if a != b), None)


class Residues(NamedTuple):
    """Two maps over common digits, whose steps depend on the residue of f's base modulo a period.

    If the stages F of f satisfy F(y + P) = F(y) + c for all y, then F(y + s) − F(y) depends on y mod P. Without such a
    P, the period is the length of the interval of the base's values, so that all residues differ.
    """

    digits: list[tuple[int, int, int]]  # a size, the step of f's base, the stride of g if g is strided
    period: int
    low: int  # the least value of the base of f
    f: Map
    g: Map

    @staticmethod
    def of(f: Map, g: Map, budget: Budget | None = None) -> Residues | None:
        """Returns None if the bases differ, if places do not divide each other, or if the period is too long."""
        if not f.front:
            f, g = g, f
        if g.front and f.base != g.base:
            return None
        low, high = f.bounds()[0]
        period, repeats = high - low + 1, [h.repeats() for h in ((f, g) if g.front else (f,))]
        if all(repeats):
            period = min(period, lcm(*[r[0] for r in repeats if r]))
        places = common_places(f.base.modes, g.base.modes)
        if period > (LARGEST if budget is None else min(LARGEST, budget.points)) or places is None:
            return None
        steps = zip(pairwise(places), _steps(f.base.modes, places), _steps(g.base.modes, places), strict=True)
        return Residues([(end // at, s, t) for (at, end), s, t in steps], period, low, f, g)

    def first(self) -> int | None:
        """The least index at which they differ: the end of the first step on which they move differently.

        At the index before that step, which is smaller, both are equal.
        """
        if self.f(0) != self.g(0):
            return 0
        one, two = self._adds(self.f), self._adds(self.g) if self.g.front else None

        def is_off(s: int, t: int) -> Callable[[int], bool]:
            return lambda r: one(r, s) != (two(r, s) if two else t)

        steps = Steps([(n, s) for n, s, _ in self.digits], self.period, self.f.base.offset - self.low)
        return steps.first_step([is_off(s, t) for _, s, t in self.digits])

    def _adds(self, f: Map) -> Callable[[int, int], int]:
        """How far the stages of f move on a step s from a residue r."""
        period, low, repeats = self.period, self.low, f.repeats()
        slope = repeats[1] * (period // repeats[0]) if repeats else 0
        values = [f.moved(low + r) for r in range(period)]
        return lambda r, s: values[(r + s) % period] + (r + s) // period * slope - values[r]


def common_places(f: Sequence[Mode], g: Sequence[Mode]) -> list[int] | None:
    """The place values of both maps, if each divides the next; otherwise None."""
    found = {1}
    for modes in (f, g):
        place = 1
        for n, _ in modes:
            place *= n
            found.add(place)
    places = sorted(found)
    return places if all(end % place == 0 for place, end in pairwise(places)) else None


def _steps(modes: Sequence[Mode], places: Sequence[int]) -> list[int]:
    """The stride of each digit between two places."""
    found, start = [], 1
    for n, d in modes:
        found += [d * (place // start) for place in places[:-1] if start <= place < start * n]
        start *= n
    return [*found, *[0] * (len(places) - 1 - len(found))]


def blocks(origin: int, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """[begin, end) in blocks [x, x + 2^q), each with origin + x a multiple of 2^q: at most two of each q.

    >>> list(blocks(0, 0, 6)), list(blocks(3, 0, 6))
    ([(0, 2), (4, 1)], [(0, 0), (1, 2), (5, 0)])
    """
    x = begin
    while x < end:
        place = origin + x
        q = (end - x).bit_length() - 1
        if place:
            q = min(q, (place & -place).bit_length() - 1)
        yield x, q
        x += 1 << q


def _by_blocks(f: Map, g: Map, end: int, budget: Budget | None) -> int | None:
    """Compares block by block from left to right; halves a block without a normal form, and enumerates small ones."""
    origin = next((h.base.offset for h in (f, g) if h.front and h.base.modes[:1] == ((h.size, 1),)), 0)
    left, points = list(blocks(origin, 0, end))[::-1], 0
    budget = None if budget is None else budget.started()
    most = TABLE if budget is None else budget.points
    walked = min(_WALKED, max(most.bit_length() - _BLOCKS, 0))
    while left:
        x, q = left.pop()
        if q <= walked:
            points += 1 << q
            found = next((y for y in range(x, x + (1 << q)) if f(y) != g(y)), None)
            if found is not None:
                return found
        else:
            one, other = f.form(x, q), g.form(x, q)
            if one is None or other is None:
                left += [(x + (1 << (q - 1)), q - 1), (x, q - 1)]
            elif (y := one.minus(other).first_nonzero()) is not None:
                return x + y
            points += q
        if budget is not None:
            budget.count(200 + (30 << q if q <= walked else 0))
            if budget.is_over():
                raise Undecided(f"equal up to index {x}; {budget.ending()}")
        if points > most and left:
            return _on_bits(f, g, left[-1][0], end, budget)
    return None


def _on_bits(f: Map, g: Map, begin: int, end: int, budget: Budget | None) -> int | None:
    """Decides the rest with Z3."""
    if budget is None:
        raise Undecided(f"equal up to index {begin - 1}; the rest is too large to enumerate")
    width = max(f.width(), g.width(), end.bit_length()) + 3

    def differ(bits: Bits, y: Number) -> Number:
        return f.on_bits(bits, y + begin) != g.on_bits(bits, y + begin)

    try:
        y = least(end - begin, width, differ, budget)
    except Undecided as stop:
        raise Undecided(f"equal up to index {begin - 1}; beyond, {stop.reason}") from None
    return None if y is None else begin + y
