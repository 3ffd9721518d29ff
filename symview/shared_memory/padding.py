"""Finds the row pitches of a tile with the fewest bank conflicts, for tiles of any sizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd, lcm
from typing import Any

from symview.cute.analysis.machines import Hardware
from symview.cute.comparer import running
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import also_named
from symview.cute.layout import Layout
from symview.errors import InternalError, Undecided
from symview.logic.budget import Budget
from symview.shared_memory.accesses import Lanes
from symview.shared_memory.answer import BestLayout, UndecidedLayout, answered
from symview.shared_memory.design import Design


@also_named(bytes="element_bytes")
def best_padding(
    tile: Any, accesses: Any, *, element_bytes: int, banks: int | None = None, width: int | None = None,
    threads: int | None = None, machine: str | None = None, phases: Any = None, objective: str = "sum",
    budget: Budget | None = None,
) -> BestLayout:  # fmt: skip
    """Finds the shortest row-major layout with padded rows that has the fewest bank conflicts.

    Like `best_swizzle`, for tiles of any sizes and any accesses. A pitch is a whole number of words and of vectors.
    Ways depend only on pitches modulo the banks, so one period of each, from the least pitch on, is tried: `proof` is
    "all residues". If no padding helps, the layout is row-major. Raises LayoutError if a vector is not aligned
    along the last dim; UndecidedLayout, with the best so far, if the budget ends.

    >>> print(best_padding((32, 32), ["row", "column"], element_bytes=4).layout)
    (32,32):(33,1)
    >>> best_padding((48, 40), ["row 16 B", "ldmatrix"], element_bytes=2).ways
    {'row 16 B': 1, 'ldmatrix': 1}
    """
    hardware = Hardware.of("best_padding", banks, width, threads, machine, phases)
    design, budget = Design.of(tile, accesses, element_bytes, hardware, objective), running(budget)
    given = design.lanes()
    whole = design.word()
    period = whole * design.banks() // gcd(whole * element_bytes // hardware.width, design.banks())
    step = lcm(whole, *[_aligned(x) for x in given])
    distinct = [x.distinct(whole) for x in given]
    vectors = [x.size for x in given]
    words = max(10, 10 * element_bytes // hardware.width)  # work for an element of a lane
    work = sum(words * v * len(one) for v, instructions in zip(vectors, distinct, strict=True) for one in instructions)
    memories = [design.memories(i, v)[0] for i, v in enumerate(vectors)]
    factors, best = design.factors(vectors), None
    for strides in _pitches(design.tile, step, lcm(step, period) // step):
        layout = Layout(design.tile, strides)
        try:
            budget.spend(work)
        except Undecided as error:
            so_far = None if best is None else answered(design, Layout(design.tile, best[2]), best[3], vectors, "none")
            bound = design.cost([1] * len(given), factors)
            raise UndecidedLayout(f"best_padding: {error.reason}", so_far, best[0] if best else 0, bound) from None
        each = zip(distinct, memories, strict=True)
        ways = [max(design.ways(layout, one, memory) for one in starts) for starts, memory in each]
        found = design.cost(ways, factors), strides[0] * design.tile[0], strides, ways
        best = found if best is None else min(best, found)
    if best is None:
        raise InternalError("there is a pitch to be tried")
    return answered(design, Layout(design.tile, best[2]), best[3], vectors, "all residues")


def _aligned(lanes: Lanes) -> int:
    """The size of its vectors; raises LayoutError if they are not whole and aligned along the last dim."""
    for start, *more in (vector for one in lanes.instructions for vector in one):
        if start[-1] % lanes.size or any(x != (*start[:-1], start[-1] + i) for i, x in enumerate(more, 1)):
            raise LayoutError(f"{lanes.name}: the vector at {start} does not lie along the last dim, aligned")
    return lanes.size


def _pitches(tile: Sequence[int], step: int, period: int) -> Iterator[tuple[int, ...]]:
    """Yields strides with each pitch in one period from the least one on; the last dim is contiguous."""
    if len(tile) == 1:
        yield (1,)
        return
    for strides in _pitches(tile[1:], step, period):
        least = -(-tile[1] * strides[0] // step) * step
        yield from ((least + more * step, *strides) for more in range(period))
