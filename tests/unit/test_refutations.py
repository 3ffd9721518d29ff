"""Refutations in plain arithmetic: what is found is right, and nothing that can be satisfied is ever refuted."""

from __future__ import annotations

import json
from contextlib import suppress
from itertools import product
from random import Random

import pytest

from symview import Budget
from symview.proof.refutations import refutation
from symview.trusted.document import BadCertificate
from symview.trusted.linear import refutes

OPERATIONS = ("+", "-", "*", "min", "max", "//", "%", "//trunc", "%trunc", "//euclid", "%euclid")

MAGIC = ("==", ("//", ("*", "x", "m"), "p"), ("//", "x", "d"))
DIVISORS = [(">=", "d", 1), (">=", "p", 1), (">=", "x", 0), (">=", "e", 0)]


def found(*formulas):
    return refutation(formulas, Budget(work=200_000).started())


def _expression(rng: Random, depth: int):
    if depth == 0 or rng.random() < 0.3:
        return rng.choice(["x", "y", rng.randint(-3, 4)])
    op, left = rng.choice(OPERATIONS), _expression(rng, depth - 1)
    divisor = rng.choice([2, 3, 4, -2, "y"]) if op[0] in "/%" else _expression(rng, depth - 1)
    return (op, left, divisor)


def _formula(rng: Random, depth: int):
    kind = rng.random()
    if depth == 0 or kind < 0.6:
        op = rng.choice(["==", "!=", "<", "<=", ">", ">="])
        return (op, _expression(rng, 2), _expression(rng, 1))
    if kind < 0.7:
        return ("not", _formula(rng, depth - 1))
    return (rng.choice(["and", "or", "->", "<->"]), _formula(rng, depth - 1), _formula(rng, depth - 1))


def _holds(tree, at) -> int:
    """The meaning, in its most obvious form; ZeroDivisionError where there is none."""
    if not isinstance(tree, tuple):
        return at.get(tree, tree)
    op, *parts = tree
    a, b = ([_holds(p, at) for p in parts] * 2)[:2]
    if op[0] in "/%":
        q = a // b
        if a % b and ((op.endswith("trunc") and (a < 0) != (b < 0)) or (op.endswith("euclid") and b < 0)):
            q += 1
        return q if op[0] == "/" else a - q * b
    return {
        "+": a + b, "-": a - b, "*": a * b, "min": min(a, b), "max": max(a, b), "==": a == b, "!=": a != b,
        "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "not": not a, "and": a and b, "or": a or b,
        "->": not a or b, "<->": bool(a) == bool(b),
    }[op]  # fmt: skip


def test_what_is_refuted_holds_nowhere(turns, full) -> None:
    rng, refuted, trees = Random(5), 0, []
    for _ in turns(20):
        formulas = [_formula(rng, 2) for _ in range(rng.randint(1, 3))]
        steps = found(*formulas)
        if steps is None:
            continue
        refuted, answer = refuted + 1, json.loads(json.dumps(steps))
        assert refutes(answer, *formulas)
        trees.append(answer)
        for x, y in product(range(-7, 8), repeat=2):
            try:
                assert not all(_holds(f, {"x": x, "y": y}) for f in formulas), (formulas, x, y)
            except ZeroDivisionError:
                continue
    assert refuted >= len(trees)
    assert len(trees) > 5 or not full


def test_nothing_refutes_what_holds_somewhere(turns, full) -> None:
    rng = Random(6)
    tried = 0
    for _ in turns(15):
        wrong = [_formula(rng, 1) for _ in range(2)]
        steps = found(*wrong)
        at = {"x": rng.randint(-5, 5), "y": rng.choice([-3, -2, -1, 1, 2, 3])}
        try:
            right = [f if _holds(f, at) else ("not", f) for f in wrong]
        except ZeroDivisionError:
            continue
        if not steps:
            continue
        text = json.dumps(steps)
        for result in (text, text.replace("1", "2"), text.replace("0", "1"), text.replace("-", "")):
            tried += 1
            try:
                assert not refutes(json.loads(result), *right), (result, right, at)
            except BadCertificate:
                continue
    if full:
        assert tried > 5


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("claim", "given"),
    [
        (("==", ("//", ("//", "x", 2), 3), ("//", "x", 6)), []),
        (("!=", ("*", 6, "x"), ("+", ("*", 4, "y"), 3)), []),
        (("==", ("%", ("%", "x", ("*", "a", "b")), "b"), ("%", "x", "b")), [(">=", "a", 1), (">=", "b", 1)]),
        (("<=", ("*", "a", "b"), ("*", "a", "c")), [(">=", "a", 0), ("<=", "b", "c")]),
        (("==", ("max", "x", "y"), ("-", ("+", "x", "y"), ("min", "x", "y"))), []),
        (("==", ("^", "x", "y"), ("^", "x", "y")), []),
        (("==", ("&", "x", 7), ("%", "x", 8)), []),
        (("==", ("//", ("//", "x", "a"), "b"), ("//", ("//", "x", "b"), "a")), [(">=", "a", 1), (">=", "b", 1)]),
        (("==", ("//trunc", ("*", "x", "c"), ("*", 3, "c")), ("//trunc", "x", 3)), [(">=", "c", 1)]),
        (("!=", ("%", ("*", "x", "x"), 4), 3), []),
        (MAGIC, [("<=", "x", "n"), *DIVISORS, ("==", ("*", "m", "d"), ("+", "p", "e")), ("<", ("*", "n", "e"), "p")]),
        (MAGIC, [("<", "x", "n"), *DIVISORS, ("==", ("*", "m", "d"), ("+", "p", "e")), ("<=", ("*", "n", "e"), "p")]),
    ],
)
def test_theorems_that_are_found(claim, given) -> None:
    steps = refutation([*given, ("not", claim)], Budget(work=3_000_000).started())
    assert steps is not None
    assert refutes(json.loads(json.dumps(steps)), *given, ("not", claim))
    assert not refutes(json.loads(json.dumps(steps))[:-1], *given, ("not", claim)) or not steps


def test_a_division_by_zero_is_any_number() -> None:
    assert found(("==", ("//", "x", "y"), 5), ("==", "x", 0)) is None
    assert found(("==", ("//", "x", "y"), 5), ("==", "x", 0), ("!=", "y", 0)) is not None


@pytest.mark.parametrize(
    "steps",
    [
        {}, [[]], [["sum"]], [["sum", 1]], [["sum", [-1, 0]]], [["sum", ["x", 0]]], [["sum", [1, 9]]],
        [["sum", [1, -1]]],
        [["sum", [1, True]]], [["sum", [["//", "x", 7], 0]]], [["sign"]], [["sign", "x", 1]], [["split", 0, 0]],
        [["split", 1, 5, []]], [["split", 1, 0]], [["add", 1]], [["sign", "z"], ["split", 2, 0, [], []]],
    ],
)  # fmt: skip
def test_other_steps_are_refused(steps) -> None:
    known = (">=", "x", 0), ("!=", "x", 3)
    with suppress(BadCertificate):
        assert not refutes(steps, *known)


def test_a_name_says_no_more_than_its_facts() -> None:
    """A quotient by 0 may be any number, and what is known on one branch alone is not known after it."""
    known = ("==", "y", 0), ("==", "x", 5)
    named = ["name", ["//", "x", "y"]]
    for more in ([], [["split", 2, 0, [], []]], [["split", 2, n, [["sum", [1, 3]]], []] for n in (1, 2)]):
        with suppress(BadCertificate):
            assert not refutes([named, *more], *known)
    choice = ("or", (">=", "x", 2), ("<=", "x", -2))
    closing = [["name", ["//", "x", 3]], ["split", 2, 0, []], ["sum", [1, 3]]]
    with suppress(BadCertificate):
        assert not refutes([["split", 0, 1, closing], ["sum", [1, 4], [1, 5]]], choice)


def test_numbers_do_not_grow_without_bound() -> None:
    squares = [["sum", [1, k, k]] for k in range(40)]
    with pytest.raises(BadCertificate):
        refutes(squares, (">=", ("+", "x", "y", 3), 0))
