"""Timing single calls, and one table for what was found."""

from __future__ import annotations

import gc
import math
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, NamedTuple


class Table(NamedTuple):
    """A title, the names of the columns, and the rows."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]

    def __str__(self) -> str:
        cells = [self.columns, *(tuple(map(_shown, row)) for row in self.rows)]
        widths = [max(len(row[n]) for row in cells) for n in range(len(self.columns))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in cells]
        return "\n".join([self.title, *lines])


class Ratio(float):
    """A number without a unit, shown as 2.3x."""


class Seconds(float):
    """A time, shown in a unit that fits."""


def _shown(cell: Any) -> str:
    if isinstance(cell, Ratio):
        return f"{cell:.3g}x"
    if isinstance(cell, Seconds):
        for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
            if cell >= size:
                return f"{cell / size:.3g} {unit}"
        return f"{cell / 1e-9:.3g} ns"
    return str(cell)


def timed(
    call: Callable[..., Any],
    *args: Any,
    repeats: int = 1,
    before: Callable[[], Any] = int,
    clock: Callable[[], float] = perf_counter,
) -> tuple[Any, float]:
    """What the call gives, and the least time that it took; `before` is run ahead of each repeat, untimed.

    Garbage is not collected meanwhile, as in timeit, so that nobody pays for what another left behind.
    """
    best = math.inf
    collecting = gc.isenabled()
    gc.disable()
    try:
        for _ in range(repeats):
            before()
            start = clock()
            found = call(*args)
            best = min(best, clock() - start)
    finally:
        if collecting:
            gc.enable()
    return found, best


def median(times: Sequence[float]) -> Seconds:
    return Seconds(_percentile(times, 50))


def p99(times: Sequence[float]) -> Seconds:
    return Seconds(_percentile(times, 99))


def _percentile(times: Sequence[float], percent: float) -> float:
    """The least time that this share of the calls did not exceed; nan of nothing."""
    if not times:
        return math.nan
    ranked = sorted(times)
    return ranked[max(0, math.ceil(len(ranked) * percent / 100) - 1)]


def ratio(over: float, under: float) -> Ratio:
    return Ratio(over / under) if under else Ratio(math.nan)
