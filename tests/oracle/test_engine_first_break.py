"""Where one rising axis first breaks, against the definition; with far steps searched for as well."""

from __future__ import annotations

from collections import Counter
from math import prod
from random import Random

import pytest

from oracle import brute
from symview.engine import radix
from symview.engine.breaks import Growing, find_breaks, first_break, least_denominator
from symview.engine.overflow import Carry
from symview.logic.budget import Budget


@pytest.mark.parametrize("near", [500, 1])
def test_first_break_is_the_first(turns, near, full) -> None:
    rng, seen = Random("first break"), Counter()
    for _ in turns(3000 if near > 1 else 600):
        places, place = [], 1
        for _ in range(rng.randint(1, 4)):
            place *= rng.choice((2, 2, 3, 4, 5))
            places.append(place)
        step = rng.randint(1, 2 * place)
        rests, weights = [step % p for p in places], [rng.choice((1, -1, 1, -1, 2)) for _ in places]
        size = rng.randint(2, 80)
        sums = (sum(w * (n * r // p) for p, r, w in zip(places, rests, weights, strict=True)) for n in range(size))
        expected = next((n for n, total in enumerate(sums) if total), None)
        carries = [Carry(p, 0, (r,)) for p, r in zip(places, rests, strict=True)]
        assert first_break(carries, weights, size, Budget(points=near)) == expected, (carries, weights, size)
        seen[expected is None] += 1
        first = min((-(-p // r) for p, r in zip(places, rests, strict=True) if r), default=0)
        seen["after the first carry"] += expected is not None and expected > first
    if full:
        assert min(seen[True], seen[False], seen["after the first carry"]) > (100 if near > 1 else 20)


@pytest.mark.parametrize("near", [500, 1])
def test_many_boundaries_that_come_apart_together(turns, near) -> None:
    rng, most = Random("together"), 0
    for _ in turns(60 if near > 1 else 25):
        shape = [rng.choice((2, 2, 2, 3, 4)) for _ in range(rng.randint(4, 7))]
        if prod(shape) > 1000:
            continue
        step = rng.randint(1, 9)
        found = find_breaks(
            radix.boundaries(shape), prod(shape), Growing((1,), (0,), (step,), 0), budget=Budget(points=near)
        )
        groups = brute.breaks(tuple(shape), step, 0, prod(shape) // step + 1)
        assert [(s.first, s.last) for s in found] == [(first, last) for first, last, _ in groups]
        assert [s.rows.space.rank for s in found] == [len(rows) for *_, rows in groups]
        assert all(s.rows.complete for s in found)
        most = max(most, len(found))
    assert most >= 5


def test_thirty_dims_break_thirty_times() -> None:
    found = find_breaks(radix.boundaries((2,) * 30), 2**30, Growing((1,), (0,), (3,), 0))
    assert [s.first for s in found[:6]] == [1, 3, 4, 7, 8, 12]
    assert found[-1].rows.complete
    assert found[-1].rows.space.rank == 29
    assert len(found) == 30


def test_the_simplest_fraction_between_two() -> None:
    rng = Random("fractions")
    for _ in range(2000):
        a, b = (rng.randint(0, 40), rng.randint(1, 40)), (rng.randint(1, 40), rng.randint(1, 40))
        if a[0] * b[1] < b[0] * a[1]:
            expected = next(d for d in range(1, 2000) if b[0] * d // b[1] > a[0] * d // a[1])
            assert least_denominator(a, b) == expected
