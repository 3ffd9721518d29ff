"""Statements about bits of all integers, by those of a few bits, against brute force over small integers."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from oracle.statement_brute import Meaning
from symview.logic import bits
from symview.logic.bit_places import in_few_bits
from symview.logic.solve import Sat, Unsat, solve
from symview.proof.statement import read

SMALL = range(-32, 32)
DIVISIONS = ("floor", "trunc", "euclid")
POWERS = [
    ["C & (C - 1) == 0", "C >= 1"], ["(C - 1) & C == 0"], ["C == 2**k", "k >= 0"], ["1 << k == C"],
    ["0 == C & C - 1", "C != 0"], ["C & -C == C"], ["4**k == C"], ["C == 2 << k"],
]  # fmt: skip


def value(rng, depth, names, power):
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(
            [*names, *names, str(rng.randint(-3, 6)), *(["C", "(C - 1)", "-C", "(2*C - 1)"] if power else [])]
        )
    a, b = (value(rng, depth - 1, names, power) for _ in range(2))
    match rng.randrange(12):
        case 0:
            return f"(~{a})"
        case 1:
            return f"({a} {rng.choice(['<<', '>>'])} {rng.randint(0, 2)})"
        case 2:
            return f"({a} {rng.choice(['//', '%', '*'])} {rng.choice([1, 2, 4])})"
        case 3 if power:
            return f"({a} % {rng.choice(['C', '(2*C)'])})"
        case 4:
            return rng.choice(
                [f"({a} {rng.choice('+-')} {b})", f"(2*{rng.choice(names)} + 1)", f"(-4*{rng.choice(names)} - 3)"]
            )
        case 5:
            return f"({a} - ({a} & {b}))"
    return f"({a} {rng.choice('&|^')} {b})"


def formula(rng, names, power):
    signs = ["==", "==", "!=", "<", "<=", ">", ">="]
    parts = [f"{value(rng, rng.choice([0, 1, 2]), names, power)} {rng.choice(signs)} "
             f"{value(rng, rng.choice([0, 1, 2]), names, power)}{rng.choice(['', '', ' + 1', ' - 1'])}"
             for _ in range(rng.choice([1, 1, 2]))]  # fmt: skip
    return rng.choice([" and ", " or ", " or not "]).join(f"({p})" for p in parts)


@pytest.mark.sampled
@pytest.mark.parametrize("division", DIVISIONS)
@pytest.mark.parametrize("power", [False, True])
def test_few_bits_decide_about_all(power, division, turns, full, least):
    rng, seen = Random(f"few bits {power} {division}"), []
    names = ["x"] if power else ["x", "y"]
    for _ in turns(120):
        stated = [formula(rng, names, power) for _ in range(rng.choice([1, 2, 2, 3]))]
        stated += rng.choice(POWERS) if power else []
        few = in_few_bits([read(text, (), division).claim for text in stated])
        if few is None:
            seen.append("places meet")
            continue
        answer = bits.check(few.formulas)
        used = [n for n in ("x", "y", "C", "k") if any(n in text for text in stated)]
        boxes = [range(6) if n == "k" else (0, 1, 2, 4, 8, 16, 32) if n == "C" else SMALL for n in used]
        meaning = Meaning(division)
        points = (dict(zip(used, point, strict=True)) for point in product(*boxes))
        solution = next((at for at in points if all(meaning.true_at(text, at) for text in stated)), None)
        if isinstance(answer, Unsat):
            assert solution is None, (stated, division, solution)
        elif isinstance(answer, Sat) and few.same:
            at = {n: answer.model.get(n, 0) for n in used}
            assert all(meaning.true_at(text, at) for text in stated), (stated, division, at)
        seen.append((type(answer).__name__, few.same, solution is not None))
    if full:
        assert seen.count(("Sat", True, True)) >= 10 or power
        assert seen.count(("Unsat", True, False)) >= 2 or power
        assert seen.count(("Unsat", False, False)) >= 3
    assert sum(s[0] == "Unsat" for s in seen) >= least(10)


@pytest.mark.parametrize(
    ("text", "places"),
    [("x ^ y != y ^ x", True), ("x ^ (x >> 1) == 5", True), ("x < 5 and x >> 2 == y and y & x == 1", False)],
)
def test_places_of_one_name_that_meet(text, places):
    assert (in_few_bits([read(text, (), "floor").claim]) is not None) is places


def test_what_rounds_otherwise_has_another_name():
    one, other, below = (read(text, (), division).claim for text, division in (
        ("x//3 & 1 == 1", "floor"), ("x//3 & 1 == 0", "trunc"), ("x < -4", "floor")))  # fmt: skip
    assert isinstance(solve([one, other, below]), Sat)
