"""The oracle for masks and for chains: every question answered by walking whole index boxes.

A chain v1, v2, … lays out memory with v1 and is looked at through its last view. An index of the last view is
valid where no mask on the way hides it. Any number of views, so a single view is a chain as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import NamedTuple

from . import brute
from .brute import Index, V

EMPTY = "empty"
"""As a mask: nothing is valid. A view without dims can say that in no other way."""

DISAGREE = "addresses disagree"
EXTRA = "valid and should not be"
MISSING = "not valid and should be"

Chain = Sequence[V]
Values = Mapping[Index, int | None]


class One(NamedTuple):
    """The chain is one view: valid on the box at `lows` with these sizes, at `start` there, moving by `strides`.

    The stride of an axis with one valid index is 0.
    """

    lows: tuple[int, ...]
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    start: int


class Nowhere(NamedTuple):
    """No index is valid, which one view can say too."""


@dataclass(frozen=True)
class Fails:
    """No single view is the chain: how, at which smallest index, what an affine map has there and what there is."""

    kind: str
    index: Index
    expected: int | None
    got: int | None


# What a chain means


def mask_of(view: V) -> tuple[tuple[int, int], ...]:
    """The bounds of the valid indices, one pair a dim."""
    if view.mask == EMPTY:
        return ((0, 0),) * len(view.shape)
    return view.mask if view.mask is not None else tuple((0, n) for n in view.shape)


def is_void(view: V) -> bool:
    """Whether no index of the view is valid."""
    return view.mask == EMPTY or any(lo >= hi for lo, hi in mask_of(view))


def address(view: V, index: Index) -> int | None:
    """Where one view puts an index; None where its mask hides it."""
    return None if view.mask == EMPTY else brute.address(view, index)


def locate(chain: Chain, index: Index) -> int | None:
    """The address of one index of the last view; None where it is not valid."""
    for below, view in zip(reversed(chain[:-1]), reversed(chain[1:]), strict=True):
        x = address(view, index)
        if x is None:
            return None
        index = brute.unravel(x, below.shape)
    return address(chain[0], index)


def values(chain: Chain) -> dict[Index, int | None]:
    """The address of every index of the last view, smallest index first.

    Each view has to stay inside the one before it wherever its own mask is open, or brute.OutOfBounds is raised.
    """
    below: list[int | None] | None = None
    for at, view in enumerate(chain[1:], 1):
        outer = chain[at - 1]
        size, level = prod(outer.shape), []
        for index in brute.indices(view.shape):
            x = address(view, index)
            if x is None:
                level.append(None)
            elif not 0 <= x < size:
                raise brute.OutOfBounds(index, x, size)
            else:
                level.append(address(outer, brute.unravel(x, outer.shape)) if below is None else below[x])
        below = level
    last = chain[-1]
    if below is None:
        return {index: address(last, index) for index in brute.ordered(last.shape)}
    there = dict(zip(brute.indices(last.shape), below, strict=True))
    return {index: there[index] for index in brute.ordered(last.shape)}


# One view or none


def decide(chain: Chain) -> One | Nowhere | Fails:
    """Whether the chain is one masked view, and the smallest index that shows it where it is not.

    The candidate box is the maximal run of valid indices from the smallest valid index along each axis alone.
    """
    return judge(values(chain))


def judge(found: Values) -> One | Nowhere | Fails:
    """The same for the address of each index, smallest index first."""
    first = next((index for index, value in found.items() if value is not None), None)
    if first is None:
        return Nowhere()
    runs = [_run(found, first, axis) for axis in range(len(first))]

    def inside(index: Index) -> bool:
        return all(i in run for i, run in zip(index, runs, strict=True))

    for index, value in found.items():
        if value is None and inside(index):
            return Fails(MISSING, index, None, None)
    for index, value in found.items():
        if value is not None and not inside(index):
            return Fails(EXTRA, index, None, value)
    # The box is closed under going down an axis, so its low corner has the smallest sum.
    start = found[first]
    strides = []
    for axis, run in enumerate(runs):
        above = _moved(first, axis, 1)
        strides.append(found[above] - start if len(run) > 1 else 0)
    for index, value in found.items():
        if value is not None:
            expected = start + sum((i - low) * t for i, low, t in zip(index, first, strides, strict=True))
            if value != expected:
                return Fails(DISAGREE, index, expected, value)
    return One(first, tuple(len(run) for run in runs), tuple(strides), start)


def _run(found: Values, index: Index, axis: int) -> range:
    """The coordinates along one axis up to which, from this index on, everything is valid."""
    low = high = index[axis]
    while found.get(_moved(index, axis, low - 1 - index[axis])) is not None:
        low -= 1
    while found.get(_moved(index, axis, high + 1 - index[axis])) is not None:
        high += 1
    return range(low, high + 1)


def _moved(index: Index, axis: int, by: int) -> Index:
    return (*index[:axis], index[axis] + by, *index[axis + 1 :])


def as_view(shape: tuple[int, ...], found: One | Nowhere) -> V:
    """The view that says it."""
    if isinstance(found, Nowhere):
        return V(shape, (0,) * len(shape), 0, None if 0 in shape else EMPTY)
    offset = found.start - sum(low * t for low, t in zip(found.lows, found.strides, strict=True))
    mask = tuple((low, low + n) for low, n in zip(found.lows, found.sizes, strict=True))
    return V(shape, found.strides, offset, None if found.sizes == shape else mask)


def difference(a: Chain, b: Chain) -> Index | None:
    """The smallest index at which two chains differ, in address or in validity."""
    one, other = values(a), values(b)
    return next((index for index in one if one[index] != other[index]), None)


# Without the theorem: all single views tried


def single_views(shape: tuple[int, ...], found: Values) -> Iterator[V]:
    """Every masked view of the shape that has these values, by trying all masks and all strides that could do.

    A stride moves from one valid address to another, so the differences between addresses are all that can be one
    (0 where there is nothing to move). Only for a handful of indices.
    """
    seen = sorted({value for value in found.values() if value is not None})
    steps = sorted({a - b for a in seen for b in seen} | {0})
    bounds = [[(lo, hi) for lo in range(n + 1) for hi in range(lo, n + 1)] for n in shape]
    for mask in [EMPTY, *product(*bounds)]:
        trial = V(shape, (0,) * len(shape), 0, mask)
        hidden = {index for index in found if address(trial, index) is None}
        if hidden != {index for index, value in found.items() if value is None}:
            continue
        for strides in product(steps, repeat=len(shape)):
            trial = V(shape, strides, 0, mask)
            offsets = {value - address(trial, index) for index, value in found.items() if value is not None} or {0}
            if len(offsets) == 1:
                yield trial._replace(offset=offsets.pop())
