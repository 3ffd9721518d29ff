"""Left inverses of layouts that repeat values, by search: each value may come back to any index at which it stands.

As in `inverse_search`, K is a chain of places and strides that solve linear equations; here a value v has
several right sides, the indices x with L(x) = v, L's last mode extended. Values below a place settle the strides
below it, so that few choices are left when the next place is taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product
from math import gcd, prod

from symview.cute.comparer import Numbers
from symview.cute.composition_failure import NoComposition
from symview.cute.errors import NoAnswer
from symview.cute.inverse_search import Allowance, Primes, Solutions, Spent, searched
from symview.cute.layout import Layout
from symview.cute.modes import assembled, coalesce, coalesced, moving_modes
from symview.cute.shape_arithmetic import coordinate_at
from symview.engine.ring import Ring
from symview.errors import Undecided
from symview.logic.budget import Budget

_MANY = 1 << 12  # indices that are listed
_SOME = 100  # of more, indices whose values are asked for first
_EACH = 1 << 9  # indices of one value
_TRIED, _WALKED = 1 << 10, 1 << 16  # indices at which a candidate is tried; all values, where these are fewer
_MISSES = 8
_SHORT = 3  # modes of an inverse that is looked for first


@dataclass(frozen=True, slots=True)
class Targets:
    """The values of a layout but 0, by size, of each the indices; `modulus`: these count up to its multiples.

    >>> Targets.of(Layout((2, 3), (1, 1)))
    Targets(values=((1, (1, 2)), (2, (3, 4)), (3, (5, 6))), modulus=0, whole=True)
    >>> Targets.of(Layout((4, 2), (3, 0))).modulus
    4
    """

    values: tuple[tuple[int, tuple[int, ...]], ...]
    modulus: int = 0
    whole: bool = True

    @staticmethod
    def among(layout: Layout, values: Iterable[int], inside: bool = False) -> Targets:
        """Those of some values, each with its indices as far as these are listed; `whole`: all are.

        >>> Targets.among(Layout((2, 3), (1, 1)), [3, 0, 1])
        Targets(values=((1, (1, 2)), (3, (5, 6))), modulus=0, whole=True)
        """
        modes, places = layout.flat(), [prod([n for n, _ in layout.flat()[:k]]) for k in range(len(layout.flat()))]
        last = not inside and modes[-1][1] == 0
        moving = sorted([(d, None if k == len(modes) - 1 and not inside else n, place)
                         for k, ((n, d), place) in enumerate(zip(modes, places, strict=True)) if d],
                        key=lambda mode: -mode[0])  # fmt: skip
        still = [range(0, n * place, place) for (n, d), place in zip(modes[: len(modes) - last], places, strict=False)
                 if d == 0]  # fmt: skip
        found, whole = [], True
        for v in sorted({*values} - {0}):
            each = (x + sum(more) for x in _solutions(moving, v) for more in product(*still))
            listed = tuple(islice(each, _EACH + 1))
            whole = whole and len(listed) <= _EACH
            found.append((v, tuple(sorted(listed[:_EACH]))))
        return Targets(tuple(found), places[-1] if last else 0, whole)

    @staticmethod
    def of(layout: Layout, inside: bool = False) -> Targets:
        """Those of a layout of no value below 0; `inside`: only indices below its size."""
        if inside:
            listed: dict[int, list[int]] = {}
            for x in range(layout.size()):
                listed.setdefault(layout(x), []).append(x)
            return Targets(tuple([(v, tuple(listed[v])) for v in sorted(listed) if v]))
        *_, (_, last) = layout.flat()
        below = prod([n for n, _ in layout.flat()[:-1]])
        low = [(layout(x), x) for x in range(below)]

        def indices(v: int) -> Iterator[int]:
            for u, x in low:
                if u == v:
                    yield x
                elif last and (v - u) % last == 0 < (v - u) // last:
                    yield x + below * ((v - u) // last)

        values = sorted({layout(x) for x in range(layout.size())} - {0})
        return Targets(tuple([(v, tuple(sorted(indices(v)))) for v in values]), 0 if last else below)


def _solutions(modes: Sequence[tuple[int, int | None, int]], value: int) -> Iterator[int]:
    """The indices Σ x_j·place_j with Σ x_j·d_j = value, of modes (d, n, place) with x_j < n, or any x_j, d falling."""
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


@dataclass(frozen=True, slots=True)
class _Node:
    """The places up to one, and the strides that are right for all values below it, each way by itself."""

    targets: Targets
    place: int = 1
    sizes: tuple[int, ...] = ()
    ways: tuple[Solutions, ...] = (Solutions((), ()),)

    def ended(self, allowance: Allowance) -> Layout | int:
        """By the way that goes furthest."""
        values = [t for t in self.targets.values if t[0] >= self.place]
        furthest = 0
        left = [(0, way.widened()) for way in reversed(self.ways)]
        while left:
            at, way = left.pop()
            if at == len(values):
                last = values[-1][0] // self.place + 1 if values else 1
                return assembled(coalesced(list(zip((*self.sizes, last), self._strides(way), strict=True))))
            furthest = max(furthest, at)
            left += [(at + 1, one) for one in reversed(self._narrowed(way, *values[at], allowance))]
        return values[furthest][0] // self.place

    def divided(self, ratio: int, allowance: Allowance) -> _Node | None:
        """By the ways that are right for the values up to the next place."""
        place, ways = self.place * ratio, [way.widened() for way in self.ways]
        for value, indices in self.targets.values:
            if self.place <= value < place:
                more = [one for way in ways for one in self._narrowed(way, value, indices, allowance)]
                ways = list(dict.fromkeys(more))
        return _Node(self.targets, place, (*self.sizes, ratio), tuple(ways)) if ways else None

    def _narrowed(self, way: Solutions, value: int, indices: Sequence[int], allowance: Allowance) -> list[Solutions]:
        """The strides that take the value to one of the indices, for each of these."""
        row, modulus = (*coordinate_at(value, self.sizes), value // self.place), self.targets.modulus
        allowance.take(len(row) * (1 + len(indices)))
        if not modulus:
            found = [way.where(row, x) for x in indices]
        else:  # one more unknown counts the multiples
            free = way.widened()
            found = [free.where((*row, modulus), x) for x in indices]
            found = [None if one is None else one.without_last() for one in found]
        return [one for one in found if one is not None]

    def _strides(self, way: Solutions) -> tuple[int, ...]:
        """A solution; where indices count up to multiples of a number, the least one from 0 on."""
        modulus = self.targets.modulus
        return tuple([x % modulus for x in way.point]) if modulus else way.point


def to_some_index(layout: Layout, budget: Budget, inside: bool = False) -> Layout:
    """The inverse that takes every value to one of several indices; that of a digit for some of the strides, if any.

    `inside`: to indices below the size. Raises NoAnswer where there is none, and Undecided as `search_choices`.
    """
    for candidate in by_some_strides(layout):
        if takes_back(candidate, layout, budget, inside):
            return candidate
    if layout.size() > _MANY:
        found = _by_some_values(layout, budget, inside)
    else:
        found = search_choices(layout, Targets.of(layout, inside), Allowance(budget.points, budget))
    if found is None:
        raise no_inverse(layout, "indices at which they stand")
    return found


def _by_some_values(layout: Layout, budget: Budget, inside: bool) -> Layout | None:
    """The inverse of a large layout: of some values first, and of those that a candidate misses on top."""
    near = 2
    while prod([min(n, near + 1) for n, _ in layout.flat()]) <= _SOME and near < layout.size():
        near += 1
    corner = product(*[range(min(n, near)) for n, _ in layout.flat()])
    known = {sum([x * d for x, (_, d) in zip(at, layout.flat(), strict=True)]) for at in corner}
    allowance = Allowance(budget.points // 3, budget)  # its digits have many choices each: a few seconds
    while True:
        targets = Targets.among(layout, known, inside)
        found = search_choices(layout, targets, allowance)
        if found is None and targets.whole:
            return None
        if found is None:
            raise Undecided(f"left_inverse of {layout}: its values stand at more than {_EACH} indices each")
        values = _values(layout) or [layout(x * (layout.size() // _TRIED)) for x in range(_TRIED)]
        missed = list(islice((v for v in values if _misses(found, layout, v, inside)), _MISSES))
        if not missed and takes_back(found, layout, budget, inside):
            return found
        if not missed:
            raise Undecided(f"left_inverse of {layout}: {found} takes back what was tried, and it is open whether all")
        known.update(missed)


def takes_back(candidate: Layout, layout: Layout, budget: Budget, inside: bool = False) -> bool:
    """Whether layout(candidate(v)) = v for all values v; of many, as far as compositions tell.

    `inside`: and the candidate takes them to indices below the size.
    """
    end = layout.size()
    values = _values(layout)
    if values is not None:
        return not any(_misses(candidate, layout, v, inside) for v in values)
    numbers = Numbers(budget)
    if not inside and _takes_all_back(candidate, layout, numbers):
        return True
    try:
        indices = numbers.compose(candidate, layout)
        highest = sum([(n - 1) * max(d, 0) for n, d in indices.flat()])
        return (not inside or highest < end) and coalesce(numbers.compose(layout, indices)) == coalesce(layout)
    except NoComposition:
        return False


def _values(layout: Layout) -> Iterable[int] | None:
    """The values, none below 0; None where these are many."""
    top = sum([(n - 1) * d for n, d in layout.flat()])
    if layout.size() <= _MANY:
        return {layout(i) for i in range(layout.size())}
    if top >= _WALKED:
        return None
    found = Ring(top + 1).sweeps(0, [(n, d) for n, d in layout.flat() if d])[-1]
    return [v for v in range(top + 1) if found >> v & 1]


def _misses(candidate: Layout, layout: Layout, value: int, inside: bool) -> bool:
    """Whether the candidate takes the value to no index at which it stands."""
    back = candidate(value)
    return bool(back < 0 or (inside and back >= layout.size()) or layout(back) != value)


def _takes_all_back(candidate: Layout, layout: Layout, numbers: Numbers) -> bool:
    """Whether layout(candidate(v)) = v for all v up to the largest value, as far as their composition tells."""
    top = sum([(n - 1) * d for n, d in layout.flat()])
    *before, (size, stride) = candidate.flat()
    if any(d < 0 for _, d in candidate.flat()):
        return False
    longer = assembled([*before, (max(size, top // prod([n for n, _ in before]) + 1), stride)])
    try:
        return coalesce(numbers.compose(layout, longer)) == Layout(longer.size())
    except NoComposition:
        return False


def no_inverse(layout: Layout, where: str) -> NoAnswer:
    """The error where a layout has no left inverse."""
    return NoAnswer(f"left_inverse of {layout}: no layout takes its values back to {where}")


def search_choices(layout: Layout, targets: Targets, allowance: Allowance) -> Layout | None:
    """A layout K with layout(K(v)) = v for every value v of these, few modes first; None where there is none.

    Raises Undecided when the allowance ends.
    """
    start = _Node(targets)
    try:
        top = targets.values[-1][0] if targets.values else 1
        primes = Primes(min(top, allowance.left))
        short = Allowance(allowance.left // 4, allowance.budget)
        allowance.left -= short.left
        try:
            found = searched(start, lambda _, most: range(2, most + 1), _SHORT, short)
            allowance.left += short.left
        except Spent:
            found = None
        return found or searched(start, primes.up_to, top.bit_length() + 1, allowance)
    except Spent:
        raise Undecided(f"left_inverse of {layout}: there are too many ways to cut its values into digits") from None


def by_some_strides(layout: Layout) -> Iterator[Layout]:
    """What reads off digits for some of the strides alone: where values repeat, the other modes may not be needed.

    >>> [str(k) for k in by_some_strides(Layout((8, 4), (2, 1)))]
    ['(2,8):(0,1)', '4:8']
    """
    modes = [mode for mode in layout.flat() if mode[0] > 1 and mode[1] != 0]
    for count in range(1, len(modes)):
        for kept in combinations(modes, count):
            left = [(n, d if (n, d) in kept else 0) for n, d in layout.flat()]
            yield place_values(Layout(*map(tuple, zip(*left, strict=True))))


def place_values(layout: Layout) -> Layout:
    """The layout that reads off one digit for each stride, these being above 0; it may or may not invert.

    >>> print(place_values(Layout((4, 8), (1, 5))))
    (5,8):(1,4)
    """
    shorter = coalesce(layout)
    sizes = [n for n, _ in shorter.flat()]
    modes = sorted(moving_modes(shorter), key=lambda m: (m[1][1], m[0]))  # of equal strides, the last counts
    found, step, reach = [], 0, 1
    for number, (_, stride) in modes:
        found.append((stride // reach, step))
        reach *= stride // reach
        step = prod(sizes[:number])
    found.append((modes[-1][1][0], step))
    return assembled(coalesced(found))
