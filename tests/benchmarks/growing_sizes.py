"""Symbolic sizes: break points and regions where the sizes in bounds go to 10^3, and to 10^9."""

from __future__ import annotations

from math import prod
from random import Random

import sympy
from bridge import STRIDES

from symview import Status, View, conditions

from .measure import Table, median, p99, ratio, timed

_EXPONENTS = (3, 9)


def one_name(rng: Random, most: int) -> tuple[View, View]:
    """A one-dimensional view (n):(t)+o that stays in bounds up to about n = most, behind three or four dims."""
    tail = [rng.randint(2, 2 + round(most ** rng.choice((0.2, 0.33)))) for _ in range(rng.randint(2, 3))]
    step = rng.choice((-1, 1)) * rng.randint(1, prod(tail))
    size = abs(step) * most + rng.randrange(prod(tail))
    shape = (-(-size // prod(tail)), *tail)
    offset = prod(shape) - 1 if step < 0 else rng.randrange(prod(tail)) if rng.random() < 0.5 else 0
    return View(shape, STRIDES[: len(shape)]), View((sympy.Symbol("n", integer=True),), (step,), offset)


def two_names(rng: Random, most: int) -> tuple[View, View]:
    """A view (m,n):(t,u) whose two sizes go to about `most` places together."""
    tail = [rng.randint(2, 2 + round(most**0.33)) for _ in range(rng.randint(1, 2))]
    places = [prod(tail), tail[-1], 1]
    steps = tuple(rng.choice(places) * rng.randint(1, 3) for _ in range(2))
    shape = (-(-most // prod(tail)), *tail)
    m, n = sympy.symbols("m n", integer=True)
    return View(shape, STRIDES[: len(shape)]), View((m, n), steps)


def growth(pairs: int) -> Table:
    """The same generator at both bounds, one seed."""
    rows = []
    for name, generator in (("one name", one_name), ("two names", two_names)):
        times: dict[int, list[float]] = {}
        open_cases = 0
        for exponent in _EXPONENTS:
            rng = Random(f"benchmark {name}")
            times[exponent] = []
            for _ in range(pairs):
                outer, inner = generator(rng, 10**exponent)
                found, time = timed(conditions, outer, inner, repeats=3)
                times[exponent].append(time)
                open_cases += any(c.status is Status.UNDECIDED for c in found.cases)
        small, large = times[3], times[9]
        row = (name, pairs, median(small), p99(small), median(large), p99(large))
        rows.append((*row, ratio(median(large), median(small)), open_cases))
    columns = ("generator", "pairs", "10^3: median", "p99", "10^9: median", "p99", "median ratio", "undecided")
    return Table("conditions with symbolic sizes to 10^3 and to 10^9 (ratio: 10^9 over 10^3)", columns, rows)
