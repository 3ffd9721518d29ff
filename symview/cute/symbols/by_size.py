"""A ∘ B where all are numbers but one size of B: the larger it is, the more of A's places it passes.

Along that mode A is straight for so many steps; a larger size has to be a multiple of these, and so
on. Within such a stretch the modes of B are independent up to some size, and beyond it they are not,
so that numbers, tried by halving, decide. What carries repeats with A's last place, so a size beyond
one such period stands for all that are larger.
"""

from __future__ import annotations

from bisect import bisect_left
from math import prod
from typing import Any

from symview.cute.comparer import quotient
from symview.cute.errors import LayoutError, NoAnswer
from symview.cute.int_tuple import is_int, leaves, like, profile_text
from symview.cute.layout import Layout
from symview.cute.modes import Modes
from symview.cute.symbols.asking import Asking
from symview.cute.symbols.refining import joined, mode_of, nested
from symview.cute.walk import walked
from symview.errors import Undecided

_LONGEST = 1 << 12  # periods
_DEEPEST = 16  # parts of a mode


def one_size(outer: Layout, inner: Layout) -> int | None:
    """The number of the flat mode of B whose size is a symbol, if A and all other sizes are numbers."""
    open_sizes = [k for k, n in enumerate(leaves(inner.shape)) if not is_int(n)]
    return open_sizes[0] if outer.numeric and len(open_sizes) == 1 and period_of(outer) <= _LONGEST else None


def period_of(outer: Layout) -> int:
    """How many indices apart the layout goes on in the same way: its last digit has no end."""
    return prod([n for n, _ in joined(outer.flat())[:-1]])


def by_size(ask: Asking, outer: Layout, inner: Layout, number: int) -> Layout:
    """A ∘ B on one path, the size of that flat mode a symbol; raises NoAnswer where there is none."""
    left, step = inner.flat()[number]
    if step < 0 and not ask.equal(left, 1):
        raise NoAnswer(f"B's stride {profile_text(step)} leads below 0")
    period, done = period_of(outer), 1
    pieces: Modes = []
    for _ in range(_DEEPEST):
        straight = _straight(outer, step * done, period) if step > 0 else None
        most = straight or period + 1
        fit = bisect_left(range(1, most + 1), True, key=lambda n: _found(ask, outer, inner, number, done * n) is None)
        bound = fit if fit < most else straight
        if bound == 0:
            raise NoAnswer(f"{outer} ∘ {inner} is no layout")
        if bound is None or ask.at_most(left, bound):
            pieces.append((left, outer(step * done) if step > 0 else 0))
            return _with_mode(_found(ask, outer, inner, number, done * min(fit, 2)) or inner, inner, number, pieces)
        if bound != straight or not ask.divides(straight, left):
            raise NoAnswer(f"{outer} ∘ {inner} is no layout: mode {number} of B does not split there")
        pieces.append((straight, outer(step * done)))
        done, left = done * straight, quotient(left, straight)
    raise Undecided(f"a mode of {inner} splits into more than {_DEEPEST}")


def _straight(outer: Layout, step: int, period: int) -> int | None:
    """How many steps A is straight; None where it is so for ever."""
    value = outer(step)
    return next((i for i in range(2, period + 1) if outer(i * step) != i * value), None)


def _found(ask: Asking, outer: Layout, inner: Layout, number: int, size: int) -> Layout | None:
    """A ∘ B with that number for the size of the mode."""
    sizes = [size if k == number else n for k, n in enumerate(leaves(inner.shape))]
    try:
        return walked(outer, Layout(like(inner.shape, iter(sizes)), inner.stride), ask.budget)
    except LayoutError:
        return None


def _with_mode(found: Layout, inner: Layout, number: int, pieces: Modes) -> Layout:
    """The layout found, with these parts for the mode of that number."""

    def of(shape: Any, stride: Any, profile: Any) -> Modes:
        if isinstance(profile, tuple):
            return [m for parts in zip(shape, stride, profile, strict=True) for m in of(*parts)]
        return [(shape, stride)]

    modes = of(found.shape, found.stride, inner.shape)
    modes[number] = mode_of(pieces)
    return nested(inner.shape, modes)
