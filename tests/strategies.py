"""Hypothesis strategies: small pairs of views that the oracle can walk."""

from __future__ import annotations

from math import prod
from typing import Any

from hypothesis import strategies as st
from oracle.brute import V

SIZES = st.sampled_from((1, 2, 2, 3, 3, 4, 5))


@st.composite
def pairs(draw: st.DrawFn, ranks: int = 3, empty: bool = True) -> tuple[V, V]:
    """An in-bounds pair: the leading outer size grows until the inner view fits."""
    low = 0 if empty else 1
    shape = draw(st.lists(st.one_of(SIZES, st.integers(low, 4)), max_size=ranks))
    steps = draw(st.lists(st.integers(-13, 13), min_size=len(shape), max_size=len(shape)))
    tail = tuple(draw(st.lists(SIZES, max_size=ranks)))
    slack = draw(st.sampled_from((0, 0, 0, 1, 2, 7)))
    before, ahead = _reach(shape, steps)
    offset = slack - before
    lead = draw(st.integers(1, 4))
    outer = (max(lead, -(-(offset + ahead + 1) // prod(tail))), *tail)
    return V(outer, draw(strides(outer)), draw(st.integers(-9, 9))), V(tuple(shape), tuple(steps), offset)


def _reach(shape: Any, steps: Any) -> tuple[int, int]:
    if 0 in shape:
        return 0, 0
    moves = [(n - 1) * t for n, t in zip(shape, steps, strict=True)]
    return sum(min(0, m) for m in moves), sum(max(0, m) for m in moves)


@st.composite
def strides(draw: st.DrawFn, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Any strides, or contiguous ones with one or two changed."""
    if draw(st.booleans()):
        return tuple(draw(st.integers(-9, 9)) for _ in shape)
    found = [prod(shape[axis + 1 :]) for axis in range(len(shape))]
    for _ in range(draw(st.integers(0, 2))):
        axis = draw(st.integers(0, len(shape) - 1))
        found[axis] += draw(st.integers(-3, 3))
    return tuple(found)
