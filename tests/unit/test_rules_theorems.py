"""The decorators: what a decorated function claims decides whether its test passes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import sympy

import symview
from symview import View
from symview.errors import InputError
from symview.logic.budget import Budget
from symview.proof import by_induction
from symview.rules import TheoremFailed, refuted, theorem

x, n = sympy.symbols("x n", integer=True)
PASSING = [
    lambda: "x % 3 < 3",
    lambda: sympy.Mod(x, 3) < 3,
    lambda: ("x % n < n", "n > 0"),
    lambda: ("x % n < n", ["n > 0", "x > 0"]),
    lambda: (sympy.Mod(x, n) < n, n > 0),
    lambda: iter(["x % 3 < 3", ("x % n < n", "n > 0")]),
    lambda: ["x % 3 < 3", by_induction("n >= 0")],
]


@pytest.mark.parametrize("claims", PASSING)
def test_what_is_proved_passes(claims):
    theorem(claims)()
    with pytest.raises(TheoremFailed, match="expected a counterexample"):
        refuted(claims)()


FAILING = [
    (lambda: "x % 3 < 2", "x = -1 .smallest.: 2 on the left, 2 on the right"),
    (lambda: ["x % 3 < 3", "x % 3 > 0"], "x = 0 .smallest.: 0 on the left, 0 on the right"),
    (lambda: "x % n < 5 or x % n >= 5", "proved if n != 0, which has to be assumed"),
]


@pytest.mark.parametrize(("claims", "message"), FAILING)
def test_what_is_not_proved_fails_and_says_why(claims, message):
    with pytest.raises(TheoremFailed, match=message):
        theorem(claims)()


def test_what_a_proof_may_rest_on():
    theorem(lambda: "x*1 == x", bits="u8", allow=["8-bit unsigned"])()
    with pytest.raises(TheoremFailed, match=r"rests on more: .*8-bit unsigned"):
        theorem(lambda: "x*1 == x", bits="u8")()
    with pytest.raises(TheoremFailed, match="state it, assume='n != 0'"):  # that is for the assumptions
        theorem(lambda: "x % n < 5 or x % n >= 5", allow=["divisor n != 0 assumed"])()


def test_an_unknown_fails_and_says_how_to_save_the_query():
    small = Budget(work=1000, points=20)
    hard = "x*x*x + y*y*y + z*z*z != 114"
    with pytest.raises(TheoremFailed, match=r"save\('query.smt2'\)"):
        theorem(lambda: hard, budget=small)()
    with pytest.raises(TheoremFailed, match="expected a counterexample"):
        refuted(lambda: hard, budget=small)()


@pytest.mark.parametrize("claims", [lambda: None, list, lambda: ["x == x", None], lambda: ("x == 1", "x > 0", "y > 0")])
def test_a_test_that_states_nothing_is_an_error(claims):
    with pytest.raises((InputError, TheoremFailed)):
        theorem(claims)()


def asserting():
    """Claims nothing."""
    assert "x % 2 < 2"


def empty():
    """Claims nothing."""


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (asserting, "asserting asserts, and returns nothing"),
        (empty, "empty claims nothing: return"),
    ],
)
@pytest.mark.parametrize("decorator", [theorem, refuted])
def test_what_claims_nothing_is_told_what_to_return(decorator, function, said):
    with pytest.raises(TheoremFailed, match=said) as failed:
        decorator(function)()
    assert failed.value.place == f"{__file__}:{function.__code__.co_firstlineno}"


@pytest.mark.parametrize("thing", [list, View((2, 3)), 5])
def test_a_theorem_is_a_function(thing):
    with pytest.raises(InputError, match="a theorem is a function that returns what it claims"):
        theorem(thing)


def test_the_pinned_counterexample_has_to_be_the_smallest():
    refuted(lambda: "x*x == x", at={"x": -1})()
    with pytest.raises(TheoremFailed, match="expected as the smallest"):
        refuted(lambda: "x*x == x", at={"x": 2})()


def test_roundings():
    theorem(lambda: "-(x//2) == (-x)//2", division="trunc")()
    refuted(lambda: "-(x//2) == (-x)//2", division="floor", at={"x": 1})()


FILE = '''
import pytest
from symview.rules import refuted, theorem

@theorem
def test_true():
    """Holds."""
    return "x % 2 < 2"

@theorem
def test_false():
    return "x % 2 < 1"

@refuted(at={"x": 1})
def test_wrong():
    return "x % 2 < 1"

@pytest.mark.parametrize("size", [2, 3])
@theorem
def test_each(size):
    return f"x % {size} < {size}"
'''


def test_pytest_collects_decorated_functions(tmp_path):
    (tmp_path / "test_some.py").write_text(FILE)
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_some.py"],
        capture_output=True, text=True, cwd=tmp_path, timeout=120, check=False,
        env=os.environ | {"PYTHONPATH": str(Path(symview.__file__).parents[1])},
    )  # fmt: skip
    assert "1 failed, 4 passed" in run.stdout
    assert "refuted: x % 2 < 1  at x = 1 (smallest): 1 on the left, 1 on the right" in run.stdout
