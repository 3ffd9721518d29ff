"""The one question to the solvers: each tier says what the others say."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from symview import Budget
from symview.logic.divisions import Formula
from symview.logic.notation import parse_statement
from symview.logic.solve import Open, Sat, Unsat, is_linear, solve
from symview.logic.terms import value_of

NAMES = ("x", "y", "z")


@pytest.mark.parametrize(
    ("text", "linear_"),
    [("2*x + y//3 == 4", True), ("x*y == 4", False), ("x//y == 1", False), ("x//0 == 1", False), ("2*3*x < 1", True)],
)
def test_what_is_linear(text: str, linear_: bool) -> None:
    assert is_linear(parse_statement(text)) == linear_


@pytest.mark.parametrize("division", ["floor", "trunc", "euclid"])
def test_every_rounding_in_every_tier(division: str, turns) -> None:
    """Satisfiable just where some small values satisfy the formulas; the box keeps them small."""
    texts = ["x//y == z", "x % y == z and x*y < 0", "x % y == 2 or y == z", "x//(y*z) == 1", "x % 2 == 0 and y == x",
             "not (x == y -> z*z > 4)", "x//y != x//z and x % 3 == 0", "min(x, y)*z == 6", "abs(x) < y"]  # fmt: skip
    rng = Random(division)
    box = [parse_statement(f"-4 <= {n} and {n} <= 4") for n in NAMES]
    for _ in turns(25):
        chosen = [Formula(parse_statement(t), division) for t in rng.sample(texts, 2)]
        answer = solve([*box, *chosen])

        def satisfied(values: dict[str, int], chosen: list[Formula] = chosen) -> bool:
            try:
                return all(value_of(f.term, values, division) for f in chosen)
            except ZeroDivisionError:
                return False

        there = any(satisfied(dict(zip(NAMES, v, strict=True))) for v in product(range(-4, 5), repeat=3))
        assert isinstance(answer, Sat if there else Unsat), chosen
        if isinstance(answer, Sat):
            assert satisfied({n: answer.model.get(n, 0) for n in NAMES})


def test_what_stays_open_says_why() -> None:
    answer = solve([parse_statement("x*x*x + y*y*y + z*z*z == 114")], Budget(work=1000, points=50))
    assert isinstance(answer, Open)
    assert "gave up" in answer.reason
