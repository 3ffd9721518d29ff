"""Is a set of indices a box? Decided index by index, where the box that holds it is small."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Literal, NamedTuple

from symview.engine.index_map import Index

FEW = 2_000


class Found(NamedTuple):
    """The largest candidate box around the first valid index; no box at all where `side` is not None.

    `side`: the smallest index that shows it, `witness`, is inside and not valid, or outside and valid.
    """

    lows: Index
    sizes: tuple[int, ...]
    side: Literal["inside", "outside"] | None = None
    witness: Index = ()


def addresses(sizes: Sequence[int], steps: Sequence[int], start: int) -> list[int]:
    """Start + Σ i_j·steps_j for every index, in row-major order.

    >>> addresses((2, 3), (10, 1), 5)
    [5, 6, 7, 15, 16, 17]
    """
    found = [start]
    for size, step in zip(sizes, steps, strict=True):
        moves = [i * step for i in range(size)]
        found = [a + m for a in found for m in moves]
    return found


def classify(sizes: Sequence[int], valid: Sequence[bool]) -> Found | None:
    """The box of the valid indices, given in row-major order; None where there are none.

    >>> classify((2, 2), [False, True, False, True])
    Found(lows=(0, 1), sizes=(2, 1), side=None, witness=())
    >>> classify((2, 2), [True, True, True, False]).witness
    (1, 1)
    """
    chosen = [i for i, ok in zip(product(*map(range, sizes)), valid, strict=True) if ok]
    if not chosen:
        return None
    lows = tuple([min(column) for column in zip(*chosen, strict=True)])
    extents = tuple([max(column) - low + 1 for column, low in zip(zip(*chosen, strict=True), lows, strict=True)])
    if prod(extents) == len(chosen):
        return Found(lows, extents)
    return _no_box(sizes, set(chosen))


def _no_box(sizes: Sequence[int], valid: set[Index]) -> Found:
    first = min(valid, key=_order)
    extents = tuple([_run(first, axis, size, valid) for axis, size in enumerate(sizes)])
    ranges = [range(low, low + n) for low, n in zip(first, extents, strict=True)]
    wrong = [i for i in product(*ranges) if i not in valid]
    if wrong:
        return Found(first, extents, "inside", min(wrong, key=_order))
    missed = [i for i in valid if any(x not in r for x, r in zip(i, ranges, strict=True))]
    return Found(first, extents, "outside", min(missed, key=_order))


def _run(first: Index, axis: int, size: int, valid: set[Index]) -> int:
    """How many indices from the first one on along an axis are valid."""
    count = 1
    while first[axis] + count < size and (*first[:axis], first[axis] + count, *first[axis + 1 :]) in valid:
        count += 1
    return count


def _order(index: Index) -> tuple[int, Index]:
    return sum(index), index
