"""Ranges of operators hold every value of small operands, and those of sums and products just what is needed."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random

import pytest

from symview.logic.points import Range, range_of
from symview.logic.terms import OPERATORS, divide

Turns = Callable[[int], range]
FAR = 81  # stands for no bound
TIGHT = {"+", "-", "neg", "~", "*", "min", "max", "abs"}
COUNTS = {"neg": 1, "~": 1, "abs": 1, "if": 3, "+": 3, "*": 3, "min": 3, "max": 3}
OPS = ("+", "-", "neg", "~", "*", "&", "|", "^", "<<", ">>", "//", "%", "ceildiv", "min", "max", "abs", "if")


def value(op: str, operands: tuple[int, ...], division: str) -> int | None:
    """None where there is none."""
    try:
        if op in ("//", "%"):
            return divide(*operands, division)[op == "%"]
        return OPERATORS[op].run(operands)
    except (ZeroDivisionError, ValueError):
        return None


def within(n: int, bounds: Range) -> bool:
    low, high = bounds
    return (low is None or low <= n) and (high is None or n <= high)


def ends(rng: Random) -> tuple[int, int]:
    low = rng.randint(-6, 6)
    return low, rng.randint(low, 6)


@pytest.mark.parametrize("division", ["floor", "trunc", "euclid"])
@pytest.mark.parametrize("op", OPS)
def test_ranges_hold_all_values(op: str, division: str, turns: Turns) -> None:
    for number in turns(60):
        rng = Random(f"{op} {division} {number}")
        parts = [ends(rng) for _ in range(COUNTS.get(op, 2))]
        found = [value(op, v, division) for v in product(*(range(a, b + 1) for a, b in parts))]
        found = [v for v in found if v is not None]
        if found:
            assert within(min(found), range_of(op, parts, division)) and within(
                max(found), range_of(op, parts, division)
            ), parts
            assert op not in TIGHT or (min(found), max(found)) == range_of(op, parts, division), parts
        opened = [(None if rng.random() < 0.4 else a, None if rng.random() < 0.4 else b) for a, b in parts]
        for _ in range(20):
            some = tuple(rng.randint(-FAR if a is None else a, FAR if b is None else b) for a, b in opened)
            here = value(op, some, division)
            assert here is None or within(here, range_of(op, opened, division)), (opened, some)


def test_bounds_far_away_stay_exact() -> None:
    far = 10**400
    assert range_of("*", [(-far, None), (2, far)]) == (-far * far, None)
    assert range_of("<<", [(1, 2), (0, 10**9)]) == (1, None)
    assert range_of("//", [(0, far), (far, None)]) == (0, 1)
