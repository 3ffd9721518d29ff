"""Sums of quotients: their value, and that answers that have them are printed, read, evaluated and checked."""

from __future__ import annotations

import json
from random import Random

import pytest

from symview import Status, View, conditions, floor_sum, merge
from symview.logic.notation import parse_expression, term_text
from symview.logic.sympy_bridge import to_sympy, to_term
from symview.logic.terms import value_of
from symview.verify import Solver, verify
from symview.verify.formulas import compiled


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
def any_stride():
    return conditions(View.parse("(K,M,N):(a,b,c)"), View.parse("(n):(t)"), assume=("t >= 0",))


def test_any_stride_is_decided(any_stride) -> None:
    """Boundaries that overflow equally as often at (4,5,3), t = 8, up to the 12th index, where 8·11 ends a row more."""
    assert Status.UNDECIDED not in {c.status for c in any_stride.cases}
    given = {"K": 40, "M": 5, "N": 3, "t": 8, "a": 13, "b": 3, "c": 1}
    one = {**given, "a": 4 * given["b"] + 3 * given["c"]}
    for n in range(2, 40):
        for values in ({**given, "n": n}, {**one, "n": n}):
            outer, inner = View((40, 5, 3), (values["a"], 3, 1)), View((n,), (8,))
            assert any_stride.holds(values) == bool(merge(outer, inner)), values


def test_any_stride_is_shown(any_stride) -> None:
    assert "floor_sum(n, M*N, t % (M*N), 0) = floor_sum(n, N, t % N, 0)" in str(any_stride)
    assert r"\sum_{i=0}^{n - 1} \left\lfloor" in any_stride.to_latex()
    guard = any_stride.guards()
    values = {"K": 40, "M": 5, "N": 3, "t": 8, "b": 3, "c": 1, "n": 9}
    for a in range(10, 18):
        assert eval(guard, {"floor_sum": floor_sum}, {**values, "a": a}) == any_stride.holds({**values, "a": a})


def test_any_stride_is_checked(any_stride) -> None:
    with Solver("z3", 0.05, work=1000) as solver:
        found = verify(json.dumps(any_stride.certificate()), solver)
    assert found.verdict != "refuted", found.wrong
