"""Rules that once came out wrong, or not at all."""

from __future__ import annotations

import pytest

from symview.errors import InputError
from symview.rules.prove import prove
from symview.rules.simplify import simplify_index


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


def test_what_the_assumptions_divide_by_is_not_0() -> None:
    found = prove("x(2*m).shrink((2*a,2)).flip(0) == x(2*m).flip(0).shrink((2*a,2))", "n % a == 0")
    assert found and "divisor a != 0 assumed" in found.rests_on
    assert "divisor a != 0 assumed" not in prove("x(n).flip(0).flip(0) == x(n)", "n % a == 0 and a > 0").rests_on


def test_the_same_read_of_as_many_elements_is_in_bounds_on_both_sides() -> None:
    read = "read((1,n):(n,s)+a [a:1,0:b])"
    assert prove(f"x(n+a,2*m).permute(0,1).{read} == x(n+a,2*m).{read}.permute(0,1)", "s % n == 0")


@pytest.mark.parametrize(
    ("expression", "assume", "division"),
    [
        ("min(2, j) % 3", "0 <= j and j < -1", "floor"),
        ("i % 4", "i != i", "floor"),
        ("(i - 4) % 4", "0 <= i < 5, -3 <= k < -3", "trunc"),
    ],
)
def test_simplify_says_where_no_values_meet_the_assumptions(expression: str, assume: str, division: str) -> None:
    with pytest.raises(InputError, match="no values meet the assumptions"):
        simplify_index(expression, assume, division)


@pytest.mark.parametrize("assume", ["x >> x == gcd(x, 4)", "x % 2 == 0 and x & 1 == 1"])
def test_a_statement_without_a_value_anywhere_is_not_proved(assume: str) -> None:
    with pytest.raises(InputError, match="no values meet the assumptions"):
        prove("x == x + 0*x", assume, bits=8)
