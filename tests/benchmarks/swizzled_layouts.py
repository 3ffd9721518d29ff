"""Swizzled layouts: each operation at 2^9 and at 2^40 elements, and what they do in memory beside tensor-layouts."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import tensor_layouts
from tensor_layouts import analysis

from symview import cute

from .measure import Table, median, p99, ratio, timed

OPERATIONS: dict[str, Callable[[Any], Any]] = {
    "composition": lambda x: cute.composition(x, (4, 8)),
    "slice_and_offset": lambda x: cute.slice_and_offset((3, None), x),
    "zipped_divide": lambda x: cute.zipped_divide(x, (4, 8)),
    "coalesce": cute.coalesce,
    "right_inverse": cute.right_inverse,
    "upcast": lambda x: cute.upcast(x, 2),
    "bank_conflicts": lambda x: cute.bank_conflicts(x, element_bytes=2),
    "vector_width": cute.vector_width,
    "footprint": cute.footprint,
    "is_contiguous": cute.is_contiguous,
}


def tile(rng: Random, bits: int) -> tuple[tuple[int, int, int], tuple[int, int], tuple[int, int]]:
    """A swizzle, and a row-major tile of that many bits, some of sizes that are not powers of two."""
    row = 8 * rng.choice((4, 6, 8))
    column = (1 << bits) // 64 * rng.choice((2, 3)) // 2
    return (rng.randint(1, 3), 3, 3), (column, row), (row, 1)


def growth(tiles: int) -> Table:
    """The same operations on small and on very large tiles."""
    times: dict[str, dict[int, list[float]]] = {name: {9: [], 40: []} for name in OPERATIONS}
    for bits in (9, 40):
        rng = Random("benchmark swizzled layouts")
        for _ in range(tiles):
            swizzle, shape, stride = tile(rng, bits)
            layout = cute.ComposedLayout(cute.Swizzle(*swizzle), 0, cute.Layout(shape, stride))
            for name, run in OPERATIONS.items():
                times[name][bits].append(timed(run, layout)[1])
    columns = ("operation", "tiles", "2^9: median", "p99", "2^40: median", "p99", "median ratio")
    rows = [
        (name, tiles, *[of(t[b]) for b in (9, 40) for of in (median, p99)], ratio(median(t[40]), median(t[9])))
        for name, t in times.items()
    ]
    return Table("swizzled layouts at 2^9 and at 2^40 elements (ratio: 2^40 over 2^9)", columns, rows)


def against_peer(tiles: int) -> Table:
    """Values and banks of small tiles beside tensor-layouts."""
    rng = Random("benchmark swizzled layouts beside a peer")
    query: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
        "footprint": (cute.footprint, analysis.footprint),
        "is_contiguous": (cute.is_contiguous, analysis.is_contiguous),
        "order": (cute.order, analysis.order),
        "bank_conflicts": (cute.bank_conflicts, lambda x: analysis.bank_conflicts(x, element_bytes=4)),
    }
    times: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in query}
    for _ in range(tiles):
        swizzle, shape, _ = tile(rng, 9)
        ours = cute.ComposedLayout(cute.Swizzle(*swizzle), 0, cute.Layout((64, shape[0]), (1, 64)))
        inner = tensor_layouts.Layout((64, shape[0]), (1, 64))
        theirs = tensor_layouts.compose(tensor_layouts.Swizzle(*swizzle), inner)
        for name, runs in query.items():
            for run, layout, found in zip(runs, (ours, theirs), times[name], strict=True):
                found.append(timed(run, layout)[1])
    columns = ("question", "tiles", "symview: median", "p99", "tensor-layouts: median", "p99", "median ratio")
    rows = [
        (name, tiles, median(a), p99(a), median(b), p99(b), ratio(median(a), median(b)))
        for name, (a, b) in times.items()
    ]
    return Table("swizzled tiles of 2^9 elements beside tensor-layouts (ratio: symview over it)", columns, rows)
