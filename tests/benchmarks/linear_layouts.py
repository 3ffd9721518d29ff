"""Conversions and comparisons of linear layouts as the number of bits grows: no index is walked."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from symview.cute import ComposedLayout, Layout, LinearLayout, Swizzle, as_layout, same_function, to_linear, to_swizzled

from .measure import Table, median, p99, ratio, timed


def sized(rng: Random, bits: int) -> ComposedLayout:
    """A swizzle in front of a layout of three modes with so many bits, places in some order."""
    cuts = sorted(rng.sample(range(1, bits), 2))
    sizes = [b - a for a, b in zip([0, *cuts], [*cuts, bits], strict=True)]
    order, place, strides = rng.sample(range(3), 3), 0, [0, 0, 0]
    for mode in order:
        strides[mode] = 1 << place
        place += sizes[mode]
    swizzle = Swizzle(rng.randint(1, 3), rng.randint(0, 3), rng.choice((3, 4)))
    return ComposedLayout(swizzle, 0, Layout(tuple(1 << n for n in sizes), tuple(strides)))


QUESTIONS: dict[str, Callable[[Any], Any]] = {
    "to_linear": to_linear,
    "as_layout of linear": lambda x: as_layout(LinearLayout([x(1 << i) for i in range(x.size().bit_length() - 1)])),
    "to_swizzled": lambda x: to_swizzled(to_linear(x)),
    "same_function": lambda x: same_function(x, LinearLayout([x(1 << i) for i in range(x.size().bit_length() - 1)])),
    "inverse": lambda x: LinearLayout([x(1 << i) for i in range(x.size().bit_length() - 1)]).inverse(),
}


def growth(count: int) -> Table:
    """The same questions at 2^10 and at 2^30 indices."""
    rows = []
    for name, ask in QUESTIONS.items():
        times: dict[int, list[float]] = {}
        for bits in (10, 30):
            rng = Random("benchmark linear layouts")
            times[bits] = [timed(ask, sized(rng, bits), repeats=3)[1] for _ in range(count)]
        small, large = times[10], times[30]
        medians = median(small), median(large)
        rows.append((name, count, medians[0], p99(small), medians[1], p99(large), ratio(medians[1], medians[0])))
    columns = ("question", "layouts", "2^10: median", "p99", "2^30: median", "p99", "median ratio")
    return Table("linear layouts at 2^10 and at 2^30 indices (ratio: 2^30 over 2^10)", columns, rows)
