"""Searches left inverses: chooses places that split values into digits, and solves a linear system for the strides.

A layout K with places 1 = P_0 | P_1 | … | P_k has K(v) = Σ e_j·(floor(v/P_j) mod P_{j+1}/P_j), where its last digit is
unbounded. For fixed places, K(v) = x with known v and x is linear in the strides e. A value may go to any index that
has it; this index is unique if no value repeats and it has to be below the size. A mode of size p·q equals two modes of
sizes p and q, so trying prime ratios suffices to decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import accumulate, combinations, islice, product
from math import gcd, isqrt, prod
from operator import mul, sub
from typing import Any, NamedTuple

from symview.cute.comparer import Numbers, quotient
from symview.cute.composition_failure import NoComposition
from symview.cute.errors import NoAnswer
from symview.cute.int_tuple import flatten, product_of
from symview.cute.layout import Layout
from symview.cute.modes import assembled, coalesce_layout, coalesced, moving_modes
from symview.engine.ring import Ring
from symview.errors import Undecided
from symview.logic.budget import Budget

Row = tuple[int, ...]
Steps = Callable[[int, int], Iterable[int]]  # maps a place and a bound to the ratios of the next place

MAX_ALL_VALUES = 1 << 10  # up to that many values, all enter the system
MAX_INDICES = 1 << 9  # most indices of one value
MAX_LISTED, MAX_SWEPT = (
    1 << 12,
    1 << 16,
)  # limits for checking every value: the number of indices, the largest value
TRIED_INDICES = 1 << 10  # beyond these, the number of indices that are tried
MAX_MISSES = 8
FEW_MODES = 3  # inverses with up to that many modes are searched first
WORK_PER_CANDIDATE = 10_000  # the cost of checking a candidate, in points
MAX_EVERY_RATIO = 1 << 10


@dataclass(frozen=True, slots=True)
class Solutions:
    """The integer solutions of linear equations: a point plus integer multiples of directions.

    >>> Solutions((0, 0), ((1, 0), (0, 1))).where((2, 3), 1)
    Solutions(point=(-1, 1), directions=((3, -2),))
    >>> Solutions((0,), ((1,),)).where((2,), 1) is None
    True
    """

    point: Row
    directions: tuple[Row, ...]

    def widened(self) -> Solutions:
        """Adds an unknown, which is free."""
        free = (0,) * len(self.point) + (1,)
        return Solutions((*self.point, 0), (*[(*d, 0) for d in self.directions], free))

    def without_last(self) -> Solutions:
        """Drops the last unknown."""
        left = dict.fromkeys(d[:-1] for d in self.directions if any(d[:-1]))
        return Solutions(self.point[:-1], tuple(left))

    def where(self, row: Row, wanted: int) -> Solutions | None:
        """The solutions with row · e = wanted; None if there are none."""
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


class Block(NamedTuple):
    """A value: its quotient by the place, its digits below, and the indices to which it may go.

    Of the values with equal quotient and a single index, the first represents all.
    """

    quotient: int
    digits: Row
    indices: Row


@dataclass(frozen=True, slots=True)
class Node:
    """The places so far, and the solutions for the strides of the digits below, one per choice of indices."""

    blocks: tuple[Block, ...]  # by value
    modulus: int = 0  # indices count modulo this number
    whole: bool = True  # whether all indices of the values are listed
    place: int = 1
    sizes: Row = ()
    ways: tuple[Solutions, ...] = (Solutions((), ()),)

    def divided(self, ratio: int, allowance: Budget) -> Node | None:
        """Adds the next place; returns None if no strides solve the equations."""
        ways = [way.widened() for way in self.ways]
        blocks: list[Block] = []
        first = Block(-1, (), ())
        for block in self.blocks:
            here = Block(block.quotient // ratio, (*block.digits, block.quotient % ratio), block.indices)
            if here.quotient != first.quotient or (here.quotient and len(here.indices) > 1):
                first = here if len(here.indices) == 1 else first
                blocks.append(here)
                continue
            gaps = tuple([x - first.indices[0] for x in here.indices])
            ways = self._narrowed(ways, tuple(map(sub, here.digits, first.digits)), gaps, allowance)
            if not ways:
                return None
        place, sizes = self.place * ratio, (*self.sizes, ratio)
        return replace(self, blocks=tuple(blocks), place=place, sizes=sizes, ways=tuple(ways))

    def ended(self, allowance: Budget) -> Layout | int:
        """The layout whose last mode starts here; or the quotient where that fails, which bounds the next ratio.

        For smaller values the last digit equals the quotient, so larger ratios fail too.
        """
        furthest = 0
        left = [(0, way.widened()) for way in reversed(self.ways)]
        while left:
            at, way = left.pop()
            if at == len(self.blocks):
                sizes = (*self.sizes, self.blocks[-1].quotient + 1)
                return assembled(coalesced(list(zip(sizes, self._strides(way), strict=True))))
            furthest = max(furthest, at)
            quotient, digits, indices = self.blocks[at]
            more = self._narrowed([way], (*digits, quotient), indices, allowance)
            left += [(at + 1, one) for one in reversed(more)]
        return self.blocks[furthest].quotient

    def _narrowed(self, ways: Sequence[Solutions], row: Row, wanted: Row, allowance: Budget) -> list[Solutions]:
        """The solutions with row · e = x, for each way and each wanted x."""
        allowance.spend(len(ways) * len(row) * len(wanted))
        found = [one for way in ways for x in wanted if (one := self._where(way, row, x)) is not None]
        return found if len(found) < 2 else list(dict.fromkeys(found))

    def _where(self, way: Solutions, row: Row, wanted: int) -> Solutions | None:
        if not self.modulus:
            return way.where(row, wanted)
        found = way.widened().where((*row, self.modulus), wanted)  # a further unknown counts the multiples
        return None if found is None else found.without_last()

    def _strides(self, way: Solutions) -> Row:
        """A solution; with a modulus, the least nonnegative one."""
        return tuple([x % self.modulus for x in way.point]) if self.modulus else way.point


def start(layout: Layout, values: Iterable[int], inside: bool) -> Node:
    """The root of the search: the place 1, and each value with its indices; with `inside` only those below the size.

    >>> start(Layout((2, 3), (1, 1)), [3, 1], inside=False).blocks
    (Block(quotient=0, digits=(), indices=(0,)), Block(quotient=1, digits=(), indices=(1, 2)),\
 Block(quotient=3, digits=(), indices=(5, 6)))
    >>> start(Layout((4, 2), (3, 0)), [3], inside=False).modulus
    4
    """
    modes = layout.flat()
    places = [prod([n for n, _ in modes[:k]]) for k in range(len(modes))]
    last = None if inside else len(modes) - 1
    moving = [(d, None if k == last else n, places[k]) for k, (n, d) in enumerate(modes) if d]
    moving.sort(key=lambda mode: -mode[0])
    still = [range(0, n * places[k], places[k]) for k, (n, d) in enumerate(modes) if d == 0 and k != last]
    blocks, whole = [Block(0, (), (0,))], True
    for v in sorted({*values} - {0}):
        each = (x + sum(more) for x in _solutions(moving, v) for more in product(*still))
        listed = tuple(islice(each, MAX_INDICES + 1))
        whole = whole and len(listed) <= MAX_INDICES
        blocks.append(Block(v, (), tuple(sorted(listed[:MAX_INDICES]))))
    return Node(tuple(blocks), 0 if last is None or modes[-1][1] else places[-1], whole)


def _solutions(modes: Sequence[tuple[int, int | None, int]], value: int) -> Iterator[int]:
    """The indices Σ x_j·place_j with Σ x_j·d_j = value, for modes (d, n, place), d decreasing, 0 <= x_j < n."""
    if not modes:
        if value == 0:
            yield 0
        return
    (d, n, place), rest = modes[0], modes[1:]
    step = gcd(*[other for other, _, _ in rest])
    open_ended = any(size is None for _, size, _ in rest)
    reach = sum([(size - 1) * other for other, size, _ in rest if size is not None])
    least = 0 if open_ended else max(0, -(-(value - reach) // d))
    for x in range(least, value // d + 1 if n is None else min(n, value // d + 1)):
        if (value - x * d) % step == 0 if step else value == x * d:
            for index in _solutions(rest, value - x * d):
                yield index + x * place


def search(layout: Layout, budget: Budget, inside: bool = False) -> Layout | None:
    """A layout that maps each value, none of them negative, to an index that has it; None if there is none.

    `inside` requires indices below the size. Tries few modes first. For a large layout it uses some values, and adds
    those that a candidate misses. Raises Undecided when the budget ends.
    """
    allowance = budget.part(1, budget.points)
    known = {layout(x) for x in _first_indices(layout)}
    while True:
        node = start(layout, known, inside)
        try:
            allowance.check()
            found = candidate(node, layout, allowance)
        except Undecided:
            budget.check()
            ways = f"ways to cut values up to {max(known)} into digits"
            raise Undecided(f"left_inverse of {layout}: there are too many {ways} to try all") from None
        if found is None and not node.whole:
            raise Undecided(f"left_inverse of {layout}: its values occur at more than {MAX_INDICES} indices each")
        missed = [] if found is None else _missed(found, layout, budget, inside)
        if not missed:
            return found
        known.update(missed)
        allowance.count(WORK_PER_CANDIDATE)


def _first_indices(layout: Layout) -> Iterable[int]:
    """All indices; for large layouts those near the start of each mode, and the last one."""
    size, place = layout.size(), 1
    if size <= MAX_ALL_VALUES:
        return range(size)
    found = [0]
    for n, _ in layout.flat():
        found += [x * place for x in {1, 2, 3, n // 2, n - 1} if x < n]
        place *= n
    return [*found, size - 1]


def candidate(node: Node, layout: Layout, allowance: Budget) -> Layout | None:
    """A layout that is right for these values; few modes get a quarter of the budget, then prime ratios decide."""
    top = node.blocks[-1].quotient
    marks = sorted({d for _, d in layout.flat() if d} | {top})
    share = allowance.part(4)
    with suppress(Undecided):  # the share is used up
        for modes in range(1, FEW_MODES + 1):
            found = _searched(node, lambda place, most: _ratios(place, most, marks), modes, share)
            if found is not None:
                return found
    return _searched(node, Primes(min(top, allowance.left())).up_to, top.bit_length(), allowance)


def _ratios(place: int, most: int, marks: Sequence[int]) -> Iterable[int]:
    """All ratios to a next place; if these are many, the small ones and those that lead close to a stride."""
    if most <= MAX_EVERY_RATIO:
        return range(2, most + 1)
    near = {mark // place // part + more for mark in marks for part in (1, 2, 3) for more in (-1, 0, 1)}
    return sorted(r for r in near | set(range(2, 17)) if 2 <= r <= most)


def _searched(node: Node, steps: Steps, most: int, allowance: Budget) -> Layout | None:
    """An inverse with at most `most` further modes, whose next places `steps` generates."""
    found = node.ended(allowance)
    if isinstance(found, Layout):
        return found
    if most == 1:
        return None
    for ratio in steps(node.place, found):
        below = node.divided(ratio, allowance)
        inverse = None if below is None else _searched(below, steps, most - 1, allowance)
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
        """The primes up to that number; raises Undecided beyond the limit."""
        for p in self.known:
            if p > most:
                return
            yield p
        if most > self.limit:
            raise Undecided(f"places beyond {self.limit}")


# Whether a candidate inverts


def takes_back(candidate: Layout, layout: Layout, budget: Budget, inside: bool = False) -> bool:
    """Whether layout(candidate(v)) = v for all values v; for many values, as far as compositions can decide.

    `inside` also requires indices below the size.
    """
    values = _values(layout)
    if values is not None:
        return not any(_misses(candidate, layout, v, inside) for v in values)
    return _break(candidate, layout, Numbers(budget), inside) is None


def _missed(candidate: Layout, layout: Layout, budget: Budget, inside: bool) -> list[int]:
    """Some values that the candidate maps to no index that has them; none if it is right for all."""
    values = _values(layout)
    tried = [layout(x * (layout.size() // TRIED_INDICES)) for x in range(TRIED_INDICES)] if values is None else values
    missed = list(islice((v for v in tried if _misses(candidate, layout, v, inside)), MAX_MISSES))
    if missed or values is not None:
        return missed
    broken = _break(candidate, layout, Numbers(budget), inside)
    if broken is None:
        return []
    if not _misses(candidate, layout, layout(broken), inside):
        raise Undecided(f"left_inverse of {layout}: {candidate} inverts all values that were tried, perhaps not all")
    return [layout(broken)]


def _values(layout: Layout) -> Iterable[int] | None:
    """The values, none of them negative; None if there are too many."""
    top = sum([(n - 1) * d for n, d in layout.flat()])
    if layout.size() <= MAX_LISTED:
        return {layout(i) for i in range(layout.size())}
    if top >= MAX_SWEPT:
        return None
    found = Ring(top + 1).sweeps(0, [(n, d) for n, d in layout.flat() if d])[-1]
    return [v for v in range(top + 1) if found >> v & 1]


def _misses(candidate: Layout, layout: Layout, value: int, inside: bool) -> bool:
    """Whether the candidate maps the value to no index that has it."""
    back = candidate(value)
    return bool(back < 0 or (inside and back >= layout.size()) or layout(back) != value)


def _break(candidate: Layout, layout: Layout, numbers: Numbers, inside: bool) -> int | None:
    """None if compositions prove that all values are mapped back; otherwise an index where that proof fails."""
    if not inside and _takes_all_back(candidate, layout, numbers):
        return None
    last: int = layout.size() - 1
    try:
        indices = numbers.compose(candidate, layout)
        down = _first_mode(indices, lambda _, d: d < 0)
        if down is not None:
            return down
        if inside and sum([(n - 1) * d for n, d in indices.flat()]) > last:
            return last
        back = coalesce_layout(numbers.compose(layout, indices))
    except NoComposition as error:
        broken = error.found.reason
        return int(broken.inner.index(broken.coordinate))
    if back == coalesce_layout(layout):
        return None
    moved = _first_mode(back, lambda place, d: d != layout(place))
    return last if moved is None else moved


def _first_mode(layout: Layout, odd: Callable[[int, int], bool]) -> int | None:
    """The start index of the first mode for which `odd` of its start and its stride holds."""
    place = 1
    for n, d in layout.flat():
        if n > 1 and odd(place, d):
            return place
        place *= n
    return None


def _takes_all_back(candidate: Layout, layout: Layout, numbers: Numbers) -> bool:
    """Whether layout(candidate(v)) = v for all v up to the largest value, as far as their composition can decide."""
    top = sum([(n - 1) * d for n, d in layout.flat()])
    *before, (size, stride) = candidate.flat()
    if any(d < 0 for _, d in candidate.flat()):
        return False
    longer = assembled([*before, (max(size, top // prod([n for n, _ in before]) + 1), stride)])
    try:
        return coalesce_layout(numbers.compose(layout, longer)) == Layout(longer.size())
    except NoComposition:
        return False


# Candidates


def to_some_index(layout: Layout, budget: Budget, inside: bool = False) -> Layout:
    """The inverse that maps every value to one of its indices; preferably one digit per stride, for some strides.

    `inside` requires indices below the size. Raises NoAnswer if there is none, and Undecided as `search` does.
    """
    for candidate in by_some_strides(layout):
        if takes_back(candidate, layout, budget, inside):
            return candidate
    found = search(layout, budget, inside)
    if found is None:
        raise no_inverse(layout)
    return found


def no_inverse(layout: Layout) -> NoAnswer:
    """The error for a layout without a left inverse."""
    return NoAnswer(f"left_inverse of {layout}: no layout takes its values back to their indices")


def by_some_strides(layout: Layout) -> Iterator[Layout]:
    """Place values of subsets of the strides: if values repeat, the other modes may not be needed.

    >>> [str(k) for k in by_some_strides(Layout((8, 4), (2, 1)))]
    ['(2,8):(0,1)', '4:8']
    """
    modes = [mode for mode in layout.flat() if mode[0] > 1 and mode[1] != 0]
    for count in range(1, len(modes)):
        for kept in combinations(modes, count):
            left = [(n, d if (n, d) in kept else 0) for n, d in layout.flat()]
            yield place_values(Layout(*map(tuple, zip(*left, strict=True))))


def place_values(layout: Layout) -> Layout:
    """The layout that extracts one digit per stride, all of which have to be positive; it may or may not be an inverse.

    >>> print(place_values(Layout((4, 8), (1, 5))))
    (5,8):(1,4)
    """
    shorter = coalesce_layout(layout)
    modes = sorted(moving_modes(shorter), key=lambda m: (m[1][1], m[0]))  # of equal strides, the last one matters
    return digits_of(modes, rounded_places([d for _, (_, d) in modes]), flatten(shorter.shape))


def rounded_places(strides: Sequence[Any]) -> list[Any]:
    """The strides, each rounded down to a multiple of the place before it.

    >>> rounded_places([2, 7, 13])
    [2, 6, 12]
    """
    return [*accumulate(strides, lambda place, d: place * (d // place))]


def digits_of(modes: Sequence[tuple[int, tuple[Any, Any]]], places: Sequence[Any], sizes: Sequence[Any]) -> Layout:
    """The layout that extracts a digit of a value at each place, the last one unbounded, for the corresponding mode.

    Modes are numbered within these sizes; a digit moves along the indices of its mode.
    """
    steps = [product_of(tuple(sizes[:number])) for number, _ in modes]
    inside = [(quotient(high, low), step) for step, low, high in zip(steps, places, places[1:], strict=False)]
    return assembled(coalesced([(places[0], 0), *inside, (modes[-1][1][0], steps[-1])]))
