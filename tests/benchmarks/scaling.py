"""`conditions` as the box grows: no index is walked unless asked to."""

from __future__ import annotations

from math import prod
from random import Random

from bridge import box, symbolic, view
from oracle import generate
from oracle.brute import V

from symview import Status, conditions
from symview.engine import radix
from symview.engine.overflow_space import find_rows

from .measure import Table, median, p99, ratio, timed


def sized(rng: Random, points: int) -> tuple[V, V]:
    """An in-bounds pair with about that many inner indices; one seed gives the same ranks for any size."""
    rank, outer_rank = rng.randint(1, 3), rng.randint(3, 5)
    size = round(points ** (1 / rank))
    tops = [rng.random() for _ in range(outer_rank - 1)]
    tail = tuple(2 + int(size**top) for top in tops)
    places = radix.boundaries((2, *tail)) or (1,)
    steps = tuple(rng.choice((-1, 1)) * (rng.choice(places) + int(rng.random() * size)) for _ in range(rank))
    offset = sum((size - 1) * -t for t in steps if t < 0)
    reach = offset + sum((size - 1) * t for t in steps if t > 0)
    return V((reach // prod(tail) + 1, *tail), (1,) * outer_rank), V((size,) * rank, steps, offset)


def growth(pairs: int) -> Table:
    """The same ranks at 10^3 and at 10^15 inner indices."""
    times: dict[int, list[float]] = {}
    undecided = 0
    for exponent in (3, 15):
        rng = Random("benchmark sized")
        times[exponent] = []
        for _ in range(pairs):
            outer, inner = sized(rng, 10**exponent)
            found, time = timed(conditions, symbolic(outer), view(inner), repeats=3)
            times[exponent].append(time)
            undecided += found.cases[0].status is Status.UNDECIDED
    small, large = times[3], times[15]
    columns = ("generator", "pairs", "10^3: median", "p99", "10^15: median", "p99", "median ratio", "undecided")
    row = ("sized", pairs, median(small), p99(small), median(large), p99(large))
    return Table(
        "conditions at 10^3 and at 10^15 inner indices (ratio: 10^15 over 10^3)",
        columns,
        [(*row, ratio(median(large), median(small)), undecided)],
    )


def against_enumeration(pairs: int, points: int = 10**6) -> Table:
    """The row space of a box by witnesses and searches, and by walking it."""
    rng, auto, walked = Random("benchmark enumerate"), [], []
    while len(auto) < pairs:
        outer, inner = sized(rng, points)
        places = radix.boundaries(outer.shape)
        if prod(inner.shape) > 1_000_000:
            continue
        found, time = timed(find_rows, places, box(inner), repeats=3)
        auto.append(time)
        every, time = timed(find_rows, places, box(inner), "enumerate")
        walked.append(time)
        if found.space != every.space:
            raise ValueError(f"the engines differ on {outer} and {inner}")
    columns = ("generator", "pairs", "points", "auto: median", "p99", "enumerate: median", "p99", "median ratio")
    row = ("sized", pairs, points, median(auto), p99(auto), median(walked), p99(walked))
    title = "row spaces: auto against enumerate (ratio: enumerate over auto)"
    return Table(title, columns, [(*row, ratio(median(walked), median(auto)))])


def huge(pairs: int) -> Table:
    """Sizes up to 10^18."""
    rng, times, undecided = Random("benchmark huge"), [], 0
    for _ in range(pairs):
        outer, inner = generate.huge_pair(rng)
        found, time = timed(conditions, symbolic(outer), view(inner), repeats=3)
        times.append(time)
        undecided += found.cases[0].status is Status.UNDECIDED
    columns = ("generator", "pairs", "answered", "undecided", "median", "p99")
    row = ("huge_pair", pairs, pairs - undecided, undecided, median(times), p99(times))
    return Table("conditions of sizes up to 10^18", columns, [row])
