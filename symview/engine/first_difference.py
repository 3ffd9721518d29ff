"""The first index at which two maps differ: one ladder of exact rungs.

Equal injective stages in front make no difference. Then strided maps are compared by their coalesced modes, affine ones
by their columns, others by their normal forms (`ParityForm`) on blocks of 2^q indices, or by residues where steps
depend on these alone. What no rung tells is walked, and beyond that put to Z3: the question is coNP-complete.
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

_WALKED = 5  # blocks of 2^5 indices are walked: a form costs as much
_BLOCKS = 5  # a block takes at most one of 2^5 parts of the points
TABLE = 1 << 12  # indices that are walked where there is no budget, or where a solver could be asked as well


def few(budget: Budget | None) -> int:
    """How many indices are walked though there is another way.

    >>> few(None), few(Budget()), few(Budget(points=10))
    (4096, 4096, 10)
    """
    return TABLE if budget is None else min(TABLE, budget.points)


def first_difference(f: Map, g: Map, end: int, budget: Budget | None = None) -> int | None:
    """The least index below the end, at most the sizes of both, at which the values differ; None where there is none.

    Without a budget no solver is asked and few indices are walked; Undecided there, and beyond a budget.

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
    """The first mode that both do not share decides: coalesced modes are unique."""
    if f.offset != g.offset:
        return 0
    place = 1
    for one, other in zip_longest(f.modes, g.modes):
        if one == other:
            place *= one[0]
            continue
        if one is None or other is None:
            return place  # sizes differ: one side has nothing from here on
        return place if one[1] != other[1] else place * min(one[0], other[0])
    return None


def _of_columns(f: tuple[int, list[int]], g: tuple[int, list[int]]) -> int | None:
    """The constants, or the first column."""
    if f[0] != g[0]:
        return 0
    return next((1 << i for i, (a, b) in enumerate(zip(f[1], g[1], strict=True)) if a != b), None)


class Residues(NamedTuple):
    """Two maps over common digits, whose steps depend on the residue of the base of f modulo a period.

    Where the front F of f has F(y + P) = F(y) + c for all y, F(y + s) − F(y) depends on y mod P. Without such a P, that
    is the length of the interval of the base's values, whose residues are all different.
    """

    digits: list[tuple[int, int, int]]  # a size, the step of the base of f, the stride of g where that is strided
    period: int
    low: int  # the least value of the base of f
    f: Map
    g: Map

    @staticmethod
    def of(f: Map, g: Map, budget: Budget | None = None) -> Residues | None:
        """None where one base does not tell both, places do not divide each other, or the period is too long."""
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
        """The least index at which they differ: behind the first step that adds something else to each.

        The index before that step is smaller, so equal there.
        """
        if self.f(0) != self.g(0):
            return 0
        one, two = self._adds(self.f), self._adds(self.g) if self.g.front else None

        def is_off(s: int, t: int) -> Callable[[int], bool]:
            return lambda r: one(r, s) != (two(r, s) if two else t)

        steps = Steps([(n, s) for n, s, _ in self.digits], self.period, self.f.base.offset - self.low)
        return steps.first_step([is_off(s, t) for _, s, t in self.digits])

    def _adds(self, f: Map) -> Callable[[int, int], int]:
        """What the front makes of a step s from a residue r on."""
        period, low, repeats = self.period, self.low, f.repeats()
        slope = repeats[1] * (period // repeats[0]) if repeats else 0
        values = [f.moved(low + r) for r in range(period)]
        return lambda r, s: values[(r + s) % period] + (r + s) // period * slope - values[r]


def common_places(f: Sequence[Mode], g: Sequence[Mode]) -> list[int] | None:
    """The place values of both, each a divisor of the next; None where they are not."""
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
    """Blocks without a form on both sides are halved, from left to right; small ones are walked."""
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
    """The rest, by Z3."""
    if budget is None:
        raise Undecided(f"equal up to index {begin - 1}; what lies beyond is too large to be walked")
    width = max(f.width(), g.width(), end.bit_length()) + 3

    def differ(bits: Bits, y: Number) -> Number:
        return f.on_bits(bits, y + begin) != g.on_bits(bits, y + begin)

    try:
        y = least(end - begin, width, differ, budget)
    except Undecided as stop:
        raise Undecided(f"equal up to index {begin - 1}; beyond, {stop.reason}") from None
    return None if y is None else begin + y
