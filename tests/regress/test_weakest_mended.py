"""The weakest premise of a statement about all its names is a simpler form of it, or there is none: never itself."""

from __future__ import annotations

import re

import pytest

from symview import weakest

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
def test_a_statement_that_has_no_simpler_form_has_no_premise(statement: str) -> None:
    premise = weakest(statement, "x, y")
    assert (bool(premise), premise.condition) == (False, "")
    assert str(premise).startswith(f"{statement} is its own weakest premise: it is about no other symbols")


def test_about_fewer_names_nothing_changes() -> None:
    assert weakest("x*y == x", "y").condition == "y == 1"
    assert weakest("x <= n - 1", "n", "0 <= x and x < m and m <= 5 and m >= 1").condition
