"""Masks of one outer view: each masked digit confines the address to a modular interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from symview.engine import presburger
from symview.engine.index_map import Index, IndexMap, extremes
from symview.engine.overflow import carry
from symview.engine.radix import place_values
from symview.engine.row_space import Row
from symview.engine.valid_box import Region, Search
from symview.logic.budget import Budget

_FREE_ROUNDS = 4  # rounds of cutting that are too cheap to count


class Window(NamedTuple):
    """A masked digit, valid iff low <= x mod modulus < high."""

    modulus: int
    low: int
    high: int

    def run(self, address: int, step: int) -> int | None:
        """The least n > 0 at which address + n·step is outside; the address is inside. None if there is none."""
        if self.high - self.low == self.modulus:
            return None
        here = address % self.modulus
        return first_multiple(
            step, self.modulus, (self.high - here) % self.modulus, (self.low - 1 - here) % self.modulus
        )


class Windows(tuple[Window, ...]):
    """An index is valid iff its address, in places of the outer shape, passes every window (a `Validity`).

    "Masks", proofs/README.md: a window is dropped if x mod modulus is affine on the box and stays inside; it cuts the
    ends of axes at which it fails. Integer points decide the rest.
    """

    __slots__ = ()

    def simplified(self, region: Region, budget: Budget) -> tuple[Region, Windows | None] | None:
        """Applies the windows in turn, by arithmetic, until none cuts any more."""
        if region.is_empty() or any(w.low >= w.high for w in self):
            return None
        todo: Sequence[Window] = self
        changed, rounds = True, 0
        while changed:
            changed, kept, rounds = False, [], rounds + 1
            for window in todo:
                if rounds > _FREE_ROUNDS:
                    budget.spend(10 * len(region.lows))
                result = _use(region, window)
                if result is None:
                    return None
                smaller, done = result
                if smaller.is_empty():
                    return None
                changed = changed or smaller.box.sizes != region.box.sizes
                region = smaller
                if not done:
                    kept.append(window)
            todo = kept
        return region, Windows(todo) if todo else None

    def flags(self, region: Region) -> list[bool]:
        """Tests each address."""
        here = [region.box.start]
        for size, step in zip(region.box.sizes, region.box.steps, strict=True):
            moves = [i * step for i in range(size)]
            here = [a + m for a in here for m in moves]
        valid = [True] * len(here)
        for modulus, low, high in self:
            valid = [v and low <= a % modulus < high for v, a in zip(valid, here, strict=True)]
        return valid

    def run(self, region: Region, index: Index, axis: int, budget: Budget) -> int:
        """Uses Euclid's algorithm for each window."""
        ends = [w.run(region.box.at(index), region.box.steps[axis]) for w in self]
        return min([region.box.sizes[axis] - index[axis], *[n for n in ends if n is not None]])

    def valid(self, region: Region, budget: Budget, search: Search) -> Index | None:
        """Solves with one hidden quotient per window."""
        rows = [row for n, w in enumerate(self) for row in _between(region.box, w, w.low, w.high, n, len(self))]
        return search(presburger.System(region.box.sizes, len(self), tuple(rows), ((),)), budget)

    def invalid(self, region: Region, budget: Budget, search: Search) -> Index | None:
        """Solves with one branch per window: from its end to its next start."""
        branches = [_between(region.box, w, w.high, w.modulus + w.low) for w in self]
        return search(presburger.System(region.box.sizes, 1, (), tuple(branches)), budget)


def windows_of(shape: Sequence[int], mask: Sequence[tuple[int, int]]) -> Windows:
    """The digits that a mask restricts.

    >>> windows_of((2, 4), ((0, 2), (0, 3)))
    (Window(modulus=4, low=0, high=3),)
    """
    return Windows(
        [
            Window(size * place, low * place, high * place)
            for size, place, (low, high) in zip(shape, place_values(shape), mask, strict=True)
            if low or high != size
        ]
    )


def _use(region: Region, window: Window) -> tuple[Region, bool] | None:
    """Applies one window: the part of the region it leaves, and whether it is done; None if nothing is left.

    If x mod modulus is affine on the box, removes the ends of each axis that fail for all values of the other axes.
    """
    sizes, lows = list(region.box.sizes), [0] * len(region.lows)
    whole = carry(window.modulus, region.box)
    low, high = extremes(whole.start, whole.slopes, sizes)
    if low < 0 or high >= window.modulus:
        return region, False
    if window.low <= low and high < window.high:
        return region, True
    for axis, slope in enumerate(whole.slopes):
        if slope:
            down, up = sorted((0, (sizes[axis] - 1) * slope))
            need, room = window.low - (high - up), window.high - 1 - (low - down)  # need <= slope·i <= room
            first, last = (-(-need // slope), room // slope) if slope > 0 else (-(room // -slope), -need // -slope)
            first, last = max(0, first), min(sizes[axis] - 1, last)
            if first > last:
                return None
            lows[axis], sizes[axis] = first, last - first + 1
            least, most = sorted((first * slope, last * slope))
            low, high = low - down + least, high - up + most
    if high < window.low or window.high <= low:
        return None
    return region.part(lows, sizes), window.low <= low and high < window.high


def _between(box: IndexMap, window: Window, low: int, high: int, number: int = 0, count: int = 1) -> tuple[Row, Row]:
    """The rows for low <= x − modulus·q < high, where q is the hidden variable with that number of `count`."""
    start = box.start % window.modulus
    slopes = [t % window.modulus for t in box.steps]
    quotient = [window.modulus * (n == number) for n in range(count)]
    above = (*slopes, *[-q for q in quotient], start - low)
    below = (*[-s for s in slopes], *quotient, high - 1 - start)
    return above, below


def first_multiple(step: int, modulus: int, low: int, high: int) -> int | None:
    """The least k >= 0 with low <= k·step mod modulus <= high, or None.

    Needs 0 <= low <= high < modulus. Euclid's algorithm on (modulus, step).

    >>> first_multiple(7, 100, 3, 5), first_multiple(4, 8, 1, 3)
    (15, None)
    """
    step %= modulus
    if low == 0:
        return 0
    if step == 0:
        return None
    if 2 * step > modulus:
        return first_multiple(modulus - step, modulus, modulus - high, modulus - low)
    k = -(-low // step)
    if k * step <= high:
        return k
    # no multiple of step is in [low, high]: how often must it pass the modulus until one is?
    turns = first_multiple(modulus % step, step, -high % step, -low % step)
    return None if turns is None else -(-(low + modulus * turns) // step)
