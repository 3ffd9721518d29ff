"""Whether the valid indices form a box, and which; one algorithm for every description of validity."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import compress, product
from math import prod
from operator import add
from typing import Literal, NamedTuple, Protocol

from symview.engine import presburger
from symview.engine.index_map import Index, IndexMap
from symview.errors import InternalError, Undecided
from symview.logic.budget import DEFAULT, Budget

_FEW = 2_000  # most indices that are enumerated
Side = Literal["inside", "outside"]
Search = Callable[[presburger.System, Budget], Index | None]  # presburger's `point`, or its `least`


class Region(NamedTuple):
    """A box inside the box of an inner view: its low corner, and the address map from there."""

    lows: tuple[int, ...]
    box: IndexMap

    @staticmethod
    def whole(box: IndexMap) -> Region:
        """The whole box."""
        return Region((0,) * len(box.sizes), box)

    def cut(self, axis: int, first: int, last: int) -> Region:
        """The part with first <= i_axis <= last, counted from the low corner; empty if first > last."""
        sizes, steps, start = self.box
        count = max(0, last - first + 1)
        lows = (*self.lows[:axis], self.lows[axis] + first, *self.lows[axis + 1 :])
        return Region(lows, IndexMap((*sizes[:axis], count, *sizes[axis + 1 :]), steps, start + first * steps[axis]))

    def part(self, lows: Sequence[int], sizes: Sequence[int]) -> Region:
        """The box of these sizes that starts at an index, counted from the low corner."""
        starts, (_, steps, _) = tuple(map(add, self.lows, lows)), self.box
        return Region(starts, IndexMap(tuple(sizes), steps, self.box.at(lows)))

    def is_empty(self) -> bool:
        """Whether the region has no index."""
        return 0 in self.box.sizes

    def original(self, index: Sequence[int]) -> Index:
        """Converts an index to one counted from the inner view's own origin."""
        return tuple([a + b for a, b in zip(self.lows, index, strict=True)])


class Validity(Protocol):
    """Which indices of a region are valid: under a mask on one view (`windows`), or along a chain (`view_chain`).

    Indices count from the region's low corner. Exact; raises Undecided when the budget ends.
    """

    def simplified(self, region: Region, budget: Budget) -> tuple[Region, Validity | None] | None:
        """A smaller region with the same valid indices, and the remaining validity, None if all its indices are valid.

        Returns None if no index is valid.
        """

    def flags(self, region: Region) -> Sequence[bool]:
        """Whether each index is valid, in row-major order."""

    def run(self, region: Region, index: Index, axis: int, budget: Budget) -> int:
        """The number of consecutive valid indices from a valid one on, along an axis."""

    def valid(self, region: Region, budget: Budget, search: Search) -> Index | None:
        """A valid index, or None."""

    def invalid(self, region: Region, budget: Budget, search: Search) -> Index | None:
        """An invalid index, or None."""


class NotABox(NamedTuple):
    """The valid indices of a region do not form a box.

    The largest candidate is a box above the smallest valid index. `failure` says whether an index inside is invalid or
    one outside is valid, and has the candidate and such an index, in original coordinates. For regions that are
    enumerated it is None, and computed on demand.
    """

    region: Region
    validity: Validity
    failure: tuple[Side, Region, Index] | None = None


def few(budget: Budget) -> int:
    """Up to that many indices are enumerated; beyond, a search is made."""
    return min(_FEW, budget.points)


def valid_box(region: Region, validity: Validity, budget: Budget = DEFAULT) -> Region | NotABox | None:
    """The box of the valid indices of a region; None if there are none; `NotABox` if they form no box.

    If they form a box, its low corner is the valid index with the smallest sum, and the valid runs along each axis from
    there determine the only candidate: no index in it may be invalid, and none outside valid. Only then is a chain of
    views one masked view ("Masks", proofs/README.md).

    Exact. Addresses of the region are in bounds. Raises Undecided when the budget ends.

    >>> from symview.engine.windows import windows_of
    >>> found = valid_box(Region((0,), IndexMap((8,), (1,), 0)), windows_of((2, 4), ((0, 2), (1, 3))))
    >>> smallest_witness(found, DEFAULT)
    ('outside', (5,), True)
    """
    budget = budget.started()
    simple = validity.simplified(region, budget)
    if simple is None:
        return None
    region, left = simple
    if left is None:
        return region
    if prod(region.box.sizes) <= few(budget):
        return _walked(region, left)
    first = left.valid(region, budget, presburger.least)
    if first is None:
        return None
    inner = region.part(first, [left.run(region, first, axis, budget) for axis in range(len(first))])
    wrong = left.invalid(inner, budget, presburger.point)
    if wrong is not None:
        return NotABox(region, left, ("inside", inner, inner.original(wrong)))
    missed = _missed(region, inner, left, budget, presburger.point)
    return inner if missed is None else NotABox(region, left, ("outside", inner, missed))


def smallest_witness(found: NotABox, budget: Budget) -> tuple[Side, Index, bool]:
    """Where the candidate fails, and the smallest such index, by sum, then lexicographically, in original coordinates.

    The third entry says whether it is proved to be the smallest; it is not if the budget ends.
    """
    if found.failure is None:
        return (*_walked_witness(found.region, found.validity), True)
    side, inner, witness = found.failure
    try:
        if side == "inside":
            index = found.validity.invalid(inner, budget, presburger.least)
            smallest = index and inner.original(index)
        else:
            smallest = _missed(found.region, inner, found.validity, budget, presburger.least)
    except Undecided:
        return side, witness, False
    if smallest is None:
        raise InternalError(f"{witness} fails {side} the box, but no index does")
    return side, smallest, True


def _missed(region: Region, inner: Region, validity: Validity, budget: Budget, search: Search) -> Index | None:
    """A valid index of the region outside the inner box; the smallest one if `search` finds smallest points."""
    found = list[Index]()
    for slab in _slabs(region, inner):
        simple = validity.simplified(slab, budget)
        if simple is not None:
            part, left = simple
            index = (0,) * len(part.lows) if left is None else left.valid(part, budget, search)
            found += [] if index is None else [part.original(index)]
    return min(found, key=_order, default=None)


def _slabs(region: Region, inner: Region) -> list[Region]:
    """The region minus the inner box, as disjoint boxes."""
    slabs = []
    for axis, (low, size) in enumerate(zip(inner.lows, inner.box.sizes, strict=True)):
        first = low - region.lows[axis]
        slabs.append(region.cut(axis, 0, first - 1))
        slabs.append(region.cut(axis, first + size, region.box.sizes[axis] - 1))
        region = region.cut(axis, first, first + size - 1)
    return slabs


def _walked(region: Region, validity: Validity) -> Region | NotABox | None:
    """`valid_box` for a small region, by enumeration."""
    valid = _valid(region, validity)
    if not valid:
        return None
    ends = [(min(column), max(column)) for column in zip(*valid, strict=True)]
    lows, sizes = [low for low, _ in ends], [high - low + 1 for low, high in ends]
    if prod(sizes) == len(valid):
        return region.part(lows, sizes)
    return NotABox(region, validity)


def _valid(region: Region, validity: Validity) -> list[Index]:
    """The valid indices of a small region, in row-major order."""
    return list(compress(product(*map(range, region.box.sizes)), validity.flags(region)))


def _walked_witness(region: Region, validity: Validity) -> tuple[Side, Index]:
    """Where the candidate of a small region fails, and the smallest such index."""
    valid = _valid(region, validity)
    first, among = min(valid, key=_order), set(valid)
    ranges = [range(i, i + _run(first, axis, among)) for axis, i in enumerate(first)]
    wrong = [i for i in product(*ranges) if i not in among]
    missed = [i for i in valid if any(x not in r for x, r in zip(i, ranges, strict=True))]
    smallest: Index = min(wrong or missed, key=_order)
    return "inside" if wrong else "outside", region.original(smallest)


def _run(first: Index, axis: int, valid: set[Index]) -> int:
    count = 1
    while (*first[:axis], first[axis] + count, *first[axis + 1 :]) in valid:
        count += 1
    return count


def _order(index: Index) -> tuple[int, Index]:
    return sum(index), index
