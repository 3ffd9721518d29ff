"""Patterns, first carries and witnesses, against the addresses themselves."""

from __future__ import annotations

from random import Random

import pytest
from bridge import box
from hypothesis import given
from hypothesis import strategies as st
from oracle import brute, generate
from strategies import pairs

from symview.engine import radix
from symview.engine.index_map import IndexMap
from symview.engine.overflow import (
    active_carries,
    breaking_step,
    carry,
    cheap_witnesses,
    pattern,
    vector,
    weigh,
)
from symview.errors import OutOfBounds


@given(st.lists(st.integers(2, 50), min_size=1, max_size=4), st.integers(0, 500), st.integers(-90, 90))
def test_the_pattern_of_a_step(places, x, t) -> None:
    assert pattern(places, x, t) == tuple((x + t) // p - x // p - t // p for p in places)


@given(st.integers(2, 40), st.integers(0, 99), st.integers(-60, 60))
def test_the_first_carry_along_an_axis(place, start, step) -> None:
    one = carry(place, IndexMap((2,), (step,), start))
    first = one.first_along(0)
    found = next((i for i in range(1, 300) if one.at((i,))), None)
    assert first == found
    # C is what floor(x/P) does beyond the first step.
    x = [(start + i * step) // place for i in range(20)]
    assert [one.at((i,)) for i in range(20)] == [v - x[0] - i * (x[1] - x[0]) for i, v in enumerate(x)]


@given(pairs(empty=False))
def test_reach_is_exact(pair) -> None:
    outer, inner = pair
    for place in radix.boundaries(outer.shape):
        one = carry(place, box(inner))
        every = [one.at(i) for i in brute.indices(inner.shape)]
        assert one.reach(inner.shape) == (min(every), max(every))


def test_cheap_witnesses_lie_in_the_box(turns) -> None:
    rng = Random("witnesses")
    for turn in turns(150):
        outer, inner = (generate.pair, generate.huge_pair)[turn % 2](rng)
        if 0 in inner.shape:
            continue
        carries = active_carries(box(inner), radix.boundaries(outer.shape))
        for index in cheap_witnesses(inner.shape, carries):
            assert len(index) == len(inner.shape)
            assert all(0 <= i < n for i, n in zip(index, inner.shape, strict=True))
        again = list(cheap_witnesses(inner.shape, carries, 3))
        assert again == list(cheap_witnesses(inner.shape, carries, 3))


def test_one_active_boundary_shows_at_a_cheap_witness(turns, least) -> None:
    rng, seen = Random("single"), 0
    for turn in turns(300):
        outer, inner = (generate.pair, generate.huge_pair)[turn % 2](rng)
        if 0 in inner.shape:
            continue
        for one in active_carries(box(inner), radix.boundaries(outer.shape)):
            seen += 1
            assert any(one.at(i) for i in cheap_witnesses(inner.shape, [one]))
    assert seen > least(100)


def test_breaking_steps_are_single_steps_that_matter(turns, least) -> None:
    rng, seen = Random("steps"), 0
    for turn in turns(300):
        outer, inner = (generate.pair, generate.huge_pair)[turn % 2](rng)
        if 0 in inner.shape:
            continue
        carries = active_carries(box(inner), radix.boundaries(outer.shape))
        weights = [rng.randint(-2, 2) for _ in carries]
        index = tuple(rng.randrange(n) for n in inner.shape)

        def measure(at, carries=carries, weights=weights):
            return weigh(carries, weights, at)

        if not measure(index):
            with pytest.raises(ValueError, match="on the way to"):
                breaking_step(measure, (0,) * len(index))
            continue
        seen += 1
        axis, reached = breaking_step(measure, index)
        before = (*reached[:axis], reached[axis] - 1, *reached[axis + 1 :])
        assert weigh(carries, weights, reached) != weigh(carries, weights, before)
        assert all(0 <= i <= top for i, top in zip(reached, index, strict=True))
        row = [a - b for a, b in zip(vector(carries, reached), vector(carries, before), strict=True)]
        assert sum(w * r for w, r in zip(weights, row, strict=True))
    assert seen > least(40)


@given(pairs())
def test_reach_and_bounds_of_an_address_map(pair) -> None:
    outer, inner = pair
    x = box(inner)
    every = [x.at(i) for i in x.indices()]
    assert list(x.indices()) == list(brute.indices(inner.shape))
    x.check_inside(len(brute.indices(outer.shape)))
    if every:
        assert x.reach() == (min(every), max(every))
        with pytest.raises(OutOfBounds) as error:
            x.check_inside(max(every))
        assert x.at(error.value.index) == error.value.address == max(every)
        below = x._replace(start=x.start - min(every) - 1)
        with pytest.raises(OutOfBounds) as error:
            below.check_inside(10**9)
        assert below.at(error.value.index) == error.value.address == -1
