"""Rules that once came out wrong, or not at all."""

from __future__ import annotations

import pytest

from symview.errors import InputError
from symview.rules.prove import prove


def test_an_alternative_at_which_a_divisor_is_0_says_nothing() -> None:
    rule = "x(n).slice((0,),(n,),(c,)).flip(0).flip(0) == x(n).slice((0,),(n,),(c,))"
    assert prove(rule, "c == 0 or c == 2")
    with pytest.raises(InputError, match="the divisor is 0"):
        prove(rule, "c == 0")


def test_a_read_that_its_mask_leaves_out_of_bounds_makes_the_rule_empty() -> None:
    rule = "x(n).read((2):(1)+(n - 1) [{}:2]).reshape(2) == x(n).read((2):(1)+(n - 1) [{}:2])"
    with pytest.raises(InputError, match="never defined"):
        prove(rule.format(1, 1))
    assert prove(rule.format(2, 2))


def test_sizes_written_otherwise_within_a_division_are_the_same() -> None:
    assert prove("x(m).slice((0,),(m,),(2,)).expand((m + 2 - 1)//2) == x(m).slice((0,),(m,),(2,))")
