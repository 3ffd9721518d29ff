"""Masks: is the set of valid indices a box, and which?

A mask on one digit of the outer view keeps the addresses x with low <= x mod modulus < high: one
modular interval. Each is simplified on the current box as far as arithmetic goes; what is left is
settled by integer points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from operator import add
from typing import Literal, NamedTuple

from symview.engine import presburger
from symview.engine.euclid import first_multiple
from symview.engine.index_map import Index, IndexMap, extremes
from symview.engine.overflow import carry
from symview.engine.radix import place_values
from symview.engine.walked_box import FEW, addresses, classify
from symview.errors import InternalError
from symview.logic.budget import DEFAULT, Budget

_FREE_ROUNDS = 4  # of cutting a box with its windows, which are not worth counting


class Window(NamedTuple):
    """A masked digit: valid where low <= x mod modulus < high; `place` divides low, high and modulus."""

    modulus: int
    place: int
    low: int
    high: int

    def holds(self, address: int) -> bool:
        """Whether the address passes."""
        return self.low <= address % self.modulus < self.high


class Region(NamedTuple):
    """A box inside the box of an inner view: its low corner, and the address map from there."""

    lows: tuple[int, ...]
    box: IndexMap

    def cut(self, axis: int, first: int, last: int) -> Region:
        """The part with first <= i_axis <= last, counted from the low corner; empty where first > last."""
        sizes, steps, start = self.box
        count = max(0, last - first + 1)
        lows = (*self.lows[:axis], self.lows[axis] + first, *self.lows[axis + 1 :])
        return Region(lows, IndexMap((*sizes[:axis], count, *sizes[axis + 1 :]), steps, start + first * steps[axis]))

    def part(self, lows: Sequence[int], sizes: Sequence[int]) -> Region:
        """The box of these sizes from an index on, counted from the low corner."""
        starts, (_, steps, _) = tuple(map(add, self.lows, lows)), self.box
        return Region(starts, IndexMap(tuple(sizes), steps, self.box.at(lows)))

    def is_empty(self) -> bool:
        """Whether no index is left."""
        return 0 in self.box.sizes

    def original(self, index: Sequence[int]) -> Index:
        """The index counted from the inner view's own origin."""
        return tuple([a + b for a, b in zip(self.lows, index, strict=True)])


class NotABox(NamedTuple):
    """No box is the valid set. `region` is the largest candidate around the first valid index.

    `side` says where it fails: an index inside that is not valid, or one outside that is.
    `witness` is one, in original coordinates; `smallest` where it is known to be the smallest.
    """

    region: Region
    side: Literal["inside", "outside"]
    witness: Index
    smallest: bool = False


def windows_of(shape: Sequence[int], mask: Sequence[tuple[int, int]]) -> list[Window]:
    """The digits that a mask restricts.

    >>> windows_of((2, 4), ((0, 2), (0, 3)))
    [Window(modulus=4, place=1, low=0, high=3)]
    """
    found = []
    for size, place, (low, high) in zip(shape, place_values(shape), mask, strict=True):
        if (low, high) != (0, size):
            found.append(Window(size * place, place, low * place, high * place))
    return found


def valid_box(region: Region, windows: Sequence[Window], budget: Budget = DEFAULT) -> Region | NotABox | None:
    """The box of the valid indices of a region; None where there are none; or why it is no box.

    An index is valid where its address, in places of the outer shape, passes every window. A masked view exists
    only if these indices are a box: the smallest valid index and how far each axis alone stays valid from there
    give the only candidate, and then no index in it may fail, and none outside pass.
    Exact. Addresses of the region are in bounds. Raises Undecided when the budget ends.

    >>> valid_box(Region((0,), IndexMap((8,), (1,), 0)), windows_of((2, 4), ((0, 2), (1, 3)))).side
    'outside'
    """
    budget = budget.started()
    simple = _simplify(region, windows, budget)
    if simple is None:
        return None
    region, kept = simple
    if not kept:
        return region
    if prod(region.box.sizes) <= FEW:
        return _walked(region, kept)
    first = presburger.least(_system(region.box, kept), budget)
    if first is None:
        return None
    inner = _around(region, first, kept)
    wrong = _invalid(inner, kept, budget)
    if wrong is not None:
        return NotABox(inner, "inside", wrong)
    missed = _missed(region, inner, kept, budget, presburger.point)
    return inner if missed is None else NotABox(inner, "outside", missed)


def _walked(region: Region, windows: Sequence[Window]) -> Region | NotABox | None:
    here = addresses(*region.box)
    valid = [True] * len(here)
    for w in windows:
        valid = [v and w.low <= a % w.modulus < w.high for v, a in zip(valid, here, strict=True)]
    found = classify(region.box.sizes, valid)
    if found is None:
        return None
    inner = region.part(found.lows, found.sizes)
    return inner if found.side is None else NotABox(inner, found.side, region.original(found.witness), smallest=True)


def smallest_witness(found: NotABox, region: Region, windows: Sequence[Window], budget: Budget = DEFAULT) -> Index:
    """The smallest index of the found kind, by sum, then lexicographically.

    Raises Undecided when the budget ends.
    """
    if found.smallest:
        return found.witness
    if found.side == "inside":
        failing = [_outside_window(found.region, w, budget) for w in windows]
        return min([i for i in failing if i is not None], key=lambda i: (sum(i), i))
    missed = _missed(region, found.region, list(windows), budget, presburger.least)
    if missed is None:
        raise InternalError(f"{found.witness} is valid outside the box, but no index is")
    return missed


def _simplify(region: Region, windows: Sequence[Window], budget: Budget) -> tuple[Region, list[Window]] | None:
    """A smaller region and fewer windows with the same valid set; None where it is empty."""
    if region.is_empty() or any(w.low >= w.high for w in windows):
        return None
    todo = list(windows)
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
    return region, todo


def _use(region: Region, window: Window) -> tuple[Region, bool] | None:
    """What one window leaves of the region, and whether it says nothing more; None where nothing is left."""
    box = region.box
    whole = carry(window.modulus, box)
    if whole.reach(box.sizes) != (0, 0):
        return region, False  # x mod modulus is not affine here
    low, high = extremes(whole.start, whole.slopes, box.sizes)
    if window.low <= low and high < window.high:
        return region, True
    if high < window.low or window.high <= low:
        return None
    for axis, slope in enumerate(whole.slopes):
        if slope:
            region = _narrow(region, axis, window)
            if region.is_empty():
                return None
    return region, _is_exact(region, window)


def _narrow(region: Region, axis: int, window: Window) -> Region:
    """Drops the ends of an axis at which the window fails whatever the other axes do."""
    sizes = region.box.sizes
    whole = carry(window.modulus, region.box)
    slope = whole.slopes[axis]
    others = [0 if a == axis else r for a, r in enumerate(whole.slopes)]
    low, high = extremes(whole.start, others, sizes)
    need, room = window.low - high, window.high - 1 - low  # need <= slope·i <= room
    first, last = (-(-need // slope), room // slope) if slope > 0 else (-(room // -slope), -need // -slope)
    return region.cut(axis, max(0, first), min(sizes[axis] - 1, last))


def _is_exact(region: Region, window: Window) -> bool:
    """Whether every index of the narrowed region passes."""
    whole = carry(window.modulus, region.box)
    low, high = extremes(whole.start, whole.slopes, region.box.sizes)
    return window.low <= low and high < window.high


def _system(box: IndexMap, windows: Sequence[Window]) -> presburger.System:
    """The indices of the box that pass every window, one hidden quotient a window."""
    rows: list[presburger.Row] = []
    for n, w in enumerate(windows):
        above, below = _window_rows(box, w, n, len(windows), w.low, w.high)
        rows += [above, below]
    return presburger.System(box.sizes, len(windows), tuple(rows), ((),))


def _window_rows(
    box: IndexMap, window: Window, place: int, count: int, low: int, high: int
) -> tuple[presburger.Row, presburger.Row]:
    """Rows that say low <= x − modulus·q < high, q the hidden variable at `place`."""
    start = box.start % window.modulus
    slopes = [t % window.modulus for t in box.steps]
    quotient = [window.modulus * (m == place) for m in range(count)]
    above = (*slopes, *[-q for q in quotient], start - low)
    below = (*[-s for s in slopes], *quotient, high - 1 - start)
    return above, below


def _around(region: Region, index: Index, windows: Sequence[Window]) -> Region:
    """The largest box through a valid index, axis by axis: how far each axis alone stays valid."""
    address = region.box.at(index)
    for axis, i in enumerate(index):
        step, size = region.box.steps[axis], region.box.sizes[axis]
        up = min([size - 1 - i, *[_run(address, step, w) for w in windows]])
        down = min([i, *[_run(address, -step, w) for w in windows]])
        region = region.cut(axis, i - down, i + up)
    return region


def _run(address: int, step: int, window: Window) -> int:
    """How many steps from a valid address stay inside the window."""
    if window.high - window.low == window.modulus:
        return 1 << 62
    here = address % window.modulus
    first = first_multiple(
        step, window.modulus, (window.high - here) % window.modulus, (window.low - 1 - here) % window.modulus
    )
    return 1 << 200 if first is None else first - 1


def _invalid(region: Region, windows: Sequence[Window], budget: Budget) -> Index | None:
    for w in windows:
        found = _outside_window(region, w, budget)
        if found is not None:
            return found
    return None


def _outside_window(region: Region, window: Window, budget: Budget) -> Index | None:
    """The smallest index of the region at which one window fails."""
    rows = _window_rows(region.box, window, 0, 1, window.high, window.modulus + window.low)
    found = presburger.least(presburger.System(region.box.sizes, 1, rows, ((),)), budget)
    return None if found is None else region.original(found)


def _missed(
    region: Region,
    inner: Region,
    windows: Sequence[Window],
    budget: Budget,
    ask: Callable[[presburger.System, Budget], Index | None],
) -> Index | None:
    """A valid index of the region outside the inner box; the smallest if `ask` finds smallest points."""
    best: Index | None = None
    for slab in _slabs(region, inner):
        simple = _simplify(slab, windows, budget)
        if simple is None:
            continue
        part, kept = simple
        found = ask(_system(part.box, kept), budget)
        if found is not None:
            index = part.original(found)
            if best is None or (sum(index), index) < (sum(best), best):
                best = index
    return best


def _slabs(region: Region, inner: Region) -> list[Region]:
    """The region without the inner box, as disjoint boxes."""
    slabs = []
    for axis, (low, size) in enumerate(zip(inner.lows, inner.box.sizes, strict=True)):
        first = low - region.lows[axis]
        slabs.append(region.cut(axis, 0, first - 1))
        slabs.append(region.cut(axis, first + size, region.box.sizes[axis] - 1))
        region = region.cut(axis, first, first + size - 1)
    return slabs
