"""Place values, digits and boundaries."""

from __future__ import annotations

from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import brute

from symview import OutOfBounds
from symview.engine import radix

SHAPES = st.lists(st.integers(1, 7), max_size=5).map(tuple)


@given(st.lists(st.integers(0, 7), max_size=5).map(tuple))
def test_place_values(shape) -> None:
    assert radix.place_values(shape) == brute.place_values(shape)


@given(SHAPES)
def test_boundaries(shape) -> None:
    assert radix.boundaries(shape) == brute.boundaries(shape)


@given(SHAPES, st.data())
def test_unravel_and_ravel_are_inverse(shape, data) -> None:
    x = data.draw(st.integers(0, prod(shape) - 1))
    digits = radix.unravel(x, shape)
    assert digits == brute.unravel(x, shape)
    assert radix.ravel(digits, shape) == x
    assert sum(d * p for d, p in zip(digits, radix.place_values(shape), strict=True)) == x


@given(st.lists(st.integers(0, 4), max_size=4).map(tuple), st.integers(1, 99))
def test_addresses_outside_have_no_digits(shape, beyond) -> None:
    for x in (-beyond, prod(shape) + beyond - 1):
        with pytest.raises(OutOfBounds, match=str(x)):
            radix.unravel(x, shape)


def test_large_numbers() -> None:
    shape = (10**9, 10**9, 10**9)
    assert radix.unravel(10**27 - 1, shape) == (10**9 - 1,) * 3
    assert radix.boundaries(shape) == (10**18, 10**9)
