"""Tests whether a layout of any kind is injective or a permutation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symview.counterexample import Counterexample
from symview.cute.comparer import need_numbers, running
from symview.cute.errors import no_layout
from symview.cute.layout import Layout
from symview.cute.linear.layout import LinearLayout
from symview.cute.linear.reading import first_outside, map_of
from symview.cute.linear.straight import modes_of
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.cute.values import is_bijection, same_address
from symview.engine.bases import echelon
from symview.engine.first_difference import TABLE
from symview.engine.map import Map, Mode
from symview.errors import Undecided
from symview.logic.budget import Budget


def is_injective(x: Any, budget: Budget | None = None) -> bool:
    """Whether no two coordinates have the same value; swizzles are injective, so they do not matter.

    >>> is_injective(Layout((2, 2), (1, 3))), is_injective(Layout((3, 2), (2, 3))), is_injective(Layout((4, 3), (1, 3)))
    (True, True, False)
    """
    if isinstance(x, Swizzle):
        return True
    if not isinstance(x, ComposedLayout | LinearLayout):
        need_numbers(x, "is_injective")
    return same_index(map_of(x, "is_injective"), running(budget)) is None


def is_bijective(x: Any, budget: Budget | None = None) -> bool:
    """Whether a layout, swizzled or not, permutes [0, size).

    >>> is_bijective(ComposedLayout(Swizzle(2, 0, 3), 0, Layout((8, 4), (4, 1))))
    True
    >>> is_bijective(ComposedLayout(Swizzle(1, 0, 2), 0, Layout(5)))
    False
    """
    if isinstance(x, Swizzle):
        return True
    if isinstance(x, Layout):
        return is_bijection(x)
    if not isinstance(x, ComposedLayout | LinearLayout):
        raise no_layout("is_bijective", x)
    f, budget = map_of(x, "is_bijective"), running(budget)
    if f.bounds()[-1][1] < f.size - 1 or any(not 0 <= f(index) < f.size for index in _corners(f.base.modes)):
        return False
    return same_index(f, budget) is None and first_outside(f, f.size, budget) is None


def _corners(modes: Sequence[Mode]) -> list[int]:
    """The indices of the least and the greatest value of a strided map."""
    found, place = [0, 0], 1
    for size, step in modes:
        found[step > 0] += (size - 1) * place
        place *= size
    return found


def same_index(f: Map, budget: Budget) -> tuple[int, int] | None:
    """Two indices with the same value, or None if all values differ."""
    pair = same_address(f.base.modes, budget)
    if pair is not None or all(stage.is_injective() for stage in f.front):
        return pair
    columns = f.columns()
    if columns is not None and min(columns[1], default=0) >= 0:
        kernel = echelon(columns[1]).kernel
        return (0, kernel[0]) if kernel else None
    modes = modes_of(f, budget)
    if not isinstance(modes, Counterexample):
        return same_address(modes, budget)
    if f.size > TABLE:
        raise Undecided(f"whether two of {f.size} values are equal after {len(f.front)} stages, not all injective")
    seen: dict[int, int] = {}
    return next(((a, x) for x in range(f.size) if (a := seen.setdefault(f(x), x)) != x), None)
