"""Sums of quotients: their value, and that answers that have them are printed, read, evaluated and checked."""

from __future__ import annotations

import json
from itertools import product
from math import gcd
from random import Random

import pytest

from symview import Status, View, floor_sum, injective_conditions, is_injective
from symview.logic.notation import parse_expression, term_text
from symview.logic.sympy_bridge import to_sympy, to_term
from symview.logic.terms import value_of
from symview.trusted.formulas import compiled


def test_sums_term_by_term() -> None:
    rng, other = Random("sums of quotients"), compiled(("floor_sum", "n", "m", "a", "b"))
    for _ in range(3000):
        n, m = rng.randint(-2, 12), rng.choice((-7, -3, -1, 1, 2, 3, 5, 8, 13))
        a, b = rng.randint(-20, 20), rng.randint(-30, 30)
        expected = sum((b + i * a) // m for i in range(n))
        assert floor_sum(n, m, a, b) == expected == other({"n": n, "m": m, "a": a, "b": b}), (n, m, a, b)


def test_sums_of_more_terms_than_can_be_added() -> None:
    n, m, a = 10**30, 10**17 + 3, 10**15 + 1
    low = floor_sum(n, m, a, 5)
    assert low + floor_sum(n, m, a, 5 + m) == 2 * low + n
    assert floor_sum(2 * n, m, a, 5) == low + floor_sum(n, m, a, 5 + a * n)
    assert abs(2 * m * low - a * n * n) < 4 * m * n


def test_the_notation_is_read_back_and_sympy_computes_it() -> None:
    term = parse_expression("floor_sum(n, 3, 2, k)")
    assert term_text(term) == "floor_sum(n, 3, 2, k)"
    shown = to_sympy(term)
    assert to_term(shown) == term
    assert (
        shown.subs({s: {"n": 5, "k": 1}[s.name] for s in shown.free_symbols}) == value_of(term, {"n": 5, "k": 1}) == 7
    )


@pytest.fixture(scope="module")
def three_dims():
    """Whether indices have addresses of their own: of three dims, sums of quotients tell."""
    return injective_conditions(View.parse("(n,k,2):(k,b,1)"))


def test_three_dims_are_decided(three_dims) -> None:
    assert Status.UNDECIDED not in {c.status for c in three_dims.cases}
    for n, k, b in product(range(1, 5), range(1, 5), range(-5, 12)):
        assert three_dims.holds({"n": n, "k": k, "b": b}) == is_injective(View((n, k, 2), (k, b, 1))), (n, k, b)


def test_sums_are_shown(three_dims) -> None:
    assert "floor_sum(" in three_dims.headline()
    assert r"\sum_{i=0}^{" in three_dims.to_latex()
    guard = three_dims.guards()
    for b in range(-5, 12):
        values = {"n": 3, "k": 4, "b": b}
        assert eval(guard, {"floor_sum": floor_sum, "gcd": gcd}, values) == three_dims.holds(values), values


def test_sums_are_checked(three_dims) -> None:
    checker = pytest.importorskip("symview.verify")
    with checker.Solver("z3", 0.05, work=1000) as solver:
        found = checker.verify(json.dumps(three_dims.certificate()), solver)
    assert found.verdict != "refuted", found.wrong
