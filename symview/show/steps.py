"""One step along an axis: what the outer view's digits do, and how far it moves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from symview.engine import radix
from symview.engine.index_map import index_text
from symview.engine.overflow import crossed
from symview.logic.sympy_bridge import to_text
from symview.view import View, address_of


def carry_text(shape: Sequence[Any], places: Sequence[int], down: bool = False) -> str:
    """Which digit overflows into which at these place values; going down, which borrows from which.

    >>> carry_text((10, 3, 3), (9, 3)), carry_text((10, 3, 3), (3,), down=True), carry_text((10, 3, 3), ())
    ('dim 2 into 1 into 0', 'dim 2 borrows from 1', 'none')
    """
    kept = [n for n, size in enumerate(shape) if size != 1]
    runs: list[list[int]] = []
    for place, (upper, lower) in reversed(list(zip(radix.boundaries(shape), pairwise(kept), strict=True))):
        if place not in places:
            continue
        if not runs or runs[-1][-1] != lower:
            runs.append([lower])
        runs[-1].append(upper)
    word = " borrows from " if down else " into "
    return ", ".join(f"dim {word.join(map(str, run))}" for run in runs) or "none"


class Step(NamedTuple):
    """One step along an axis: from which index to which, what the digits do, and how far it moves."""

    indices: str
    digits: str
    overflow: str
    moves: str


def step_to(views: Sequence[View], index: Sequence[int], axis: int) -> Step:
    """The step that reaches the index along the axis."""
    before = tuple([i - (a == axis) for a, i in enumerate(index)])
    outer, shape = views[0], sizes_of(views[0])
    old, new = _digits(views, before), _digits(views, index)
    start, step = radix.ravel(old, shape), radix.ravel(new, shape) - radix.ravel(old, shape)
    carried = carry_text(shape, crossed(radix.boundaries(shape), start, step), step < 0)
    moved = to_text(address_of(outer, new) - address_of(outer, old), "")
    return Step(_from_to(before, index), _from_to(old, new), carried, moved)


def _from_to(old: Sequence[int], new: Sequence[int]) -> str:
    return f"{index_text(old)} to {index_text(new)}"


def _digits(views: Sequence[View], index: Sequence[int]) -> Sequence[int]:
    """Where in the first view's shape an index of the last one points to, masks aside."""
    here = index
    for below, view in reversed(list(pairwise(views))):
        here = radix.unravel(address_of(view, here), sizes_of(below))
    return here


def unit_above(lows: Sequence[int], axis: int) -> tuple[int, ...]:
    """The index one above the low corner along an axis."""
    return tuple([low + (a == axis) for a, low in enumerate(lows)])


def sizes_of(view: View) -> tuple[int, ...]:
    """The sizes of a view whose sizes are numbers."""
    sizes: Any = view.shape
    return tuple(sizes)
