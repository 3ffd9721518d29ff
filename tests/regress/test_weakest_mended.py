"""The weakest premise of a statement about all its names is a simpler form of it, or there is none: never itself."""

from __future__ import annotations

import json
import re

import pytest

from symview import prove, weakest

FOUND = {
    "x*y == x": "x == 0 or y == 1",
    "x*y == 0": "x == 0 or y == 0",
    "x*x == x": "x == 0 or x == 1",
    "a*b == a*c": "a == 0 or b == c",
    "x*y != x": "x != 0 and y != 1",
    "x*y > 0": "(x > 0 and y > 0) or (x < 0 and y < 0)",
    "x*y >= x": "(y > 0 and x >= 0) or (x <= 0 and y <= 1)",
    "x*y + 40*x == 0": "x == 0 or y == -40",
    "x*y + x == y + 1": "x == 1 or y == -1",
    "x*y == x and z > 3": "z > 3 and (x == 0 or y == 1)",
    "x + y > y": "x > 0",
    "x % 4 == x": "x >= 0 and x < 4",
}


@pytest.mark.parametrize("statement", FOUND)
def test_a_simpler_form_is_found(statement: str) -> None:
    premise = weakest(statement, sorted(set(re.findall(r"\b[a-z]\b", statement))))
    assert (premise.condition, premise.is_proved()) == (FOUND[statement], True)


@pytest.mark.parametrize("statement", ["x == y", "y <= x", "0 <= x and x < y", "x*y == 6", "x == 0 or y == 1"])
def test_a_statement_that_has_no_simpler_form_is_the_premise_itself(statement: str) -> None:
    premise = weakest(statement, "x, y")
    assert (bool(premise), premise.condition, premise.is_proved()) == (True, statement, True)
    assert str(premise) == f"{statement}  [the statement itself, of which no simpler form was found]"


def test_the_statement_itself_has_a_certificate() -> None:
    checker = pytest.importorskip("symview.verify")
    with checker.Solver("cvc5", 60.0, work=1_000_000) as solver:
        for statement in ("x == y", "x//2 == y", "x == 0 or y == 1"):
            document = json.dumps(weakest(statement, "x, y").certificate())
            assert checker.verify(document, solver).verdict == "confirmed", statement


def test_the_statement_itself_where_a_divisor_may_be_0() -> None:
    premise = weakest("x//y == z", "x, y, z")
    assert (premise.condition, premise.rests_on) == ("x//y == z", {"divisor y != 0 assumed"})
    points = ((3, 1, 3), (3, 2, 2), (-1, 7, -1), (5, 0, 0))
    assert [premise.holds(dict(zip("xyz", point, strict=True))) for point in points] == [True, False, True, True]


def test_a_choice_in_a_divisor() -> None:
    """Its requirement is a statement that can be read again; what its remainder may be is not asked."""
    premise = weakest("x//(y if z > 1 else w) == 0", "x, y, z, w")
    assert premise.is_proved()
    assert "divisor (y if z > 1 else w) != 0 assumed" in premise.rests_on
    theorem = prove("x % (y if z > 1 else w) <= abs(y if z > 1 else w)")
    assert theorem.unstated == ("(y if z > 1 else w) != 0",)
    document = json.dumps(theorem.certificate())
    checker = pytest.importorskip("symview.verify")
    with checker.Solver("cvc5", 60.0, work=1_000_000) as solver:
        assert checker.verify(document, solver).verdict == "confirmed"


def test_values_that_the_assumptions_exclude_are_no_examples() -> None:
    reason = weakest("(c ^ (r & (C-1))) < C", "C", "0 <= c < C, r >= 0").reason
    assert "it holds at C = 1, 2, 4 and fails at C = 3, 5, 6; " in reason


def test_about_fewer_names_nothing_changes() -> None:
    assert weakest("x*y == x", "y").condition == "y == 1"
    assert weakest("x <= n - 1", "n", "0 <= x and x < m and m <= 5 and m >= 1").condition


@pytest.mark.parametrize("assume", [(), "u >= 0, y >= 1"])
def test_a_condition_that_makes_a_divisor_0_says_so(assume) -> None:
    premise = weakest("x // (u*y) > x" if assume else "x % (u*y) != 0", "u", assume)
    assert str(premise).startswith("u == 0; there the divisor u*y is always 0  [")
    assert premise.to_dict()["zero_divisors"] == ["there the divisor u*y is always 0"]


def test_only_the_parts_of_a_condition_that_make_a_divisor_0_are_named() -> None:
    assert weakest("(x % m)//c == (x//c) % (m//c)", "c, m", "x >= 0 and 0 < c <= m").zero_divisors == ()
    premise = weakest("u*(x // (u*y)) >= 0 and v >= 3", "u, v", "x >= 0, y >= 1, v >= 0")
    assert premise.zero_divisors == ("where u == 0 the divisor u*y is always 0",)


@pytest.mark.parametrize("rows", [2, 4, 8])
def test_counterexamples_among_large_values_of_two_others(rows: int) -> None:
    premise = weakest(f"p//({rows}*n)*{rows} + p % {rows} < m", "m", "0 <= p < m*n, m >= 1, n >= 1")
    assert (premise.condition, premise.sufficient) == (f"m % {rows} == 0", "proved")


def test_a_divisor_is_0_as_the_division_rounds() -> None:
    """-1/2 rounds down to -1; where it rounds to 0, u//2 + 1 is 1 at u = -1."""
    found = {d: weakest("u == -1 and 0//((u//2 + 1)*y) == 0", "u", division=d) for d in ("floor", "trunc")}
    assert found["floor"].zero_divisors == ("there the divisor (u//2 + 1)*y is always 0",)
    assert found["trunc"].condition == "u == -1 or u//2 == -1"
    assert found["trunc"].zero_divisors == ("where u//2 == -1 the divisor (u//2 + 1)*y is always 0",)
