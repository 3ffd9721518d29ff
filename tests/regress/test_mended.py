"""Answers that were once wrong, each as its smallest case."""

from __future__ import annotations

from random import Random

import pytest
import sympy
from satellites import needs

from symview import InputError, View, conditions, merge, overflows
from symview.logic.notation import parse_expression
from symview.logic.sympy_bridge import to_text
from symview.logic.terms import Term, num, sym, value_of

n, m = sympy.symbols("n m", integer=True)


def test_a_minus_before_a_division_stays_inside_it() -> None:
    view = View((2,), (n + sympy.floor(-n / 2),))
    assert str(view) == "(2):(n + (-n//2))"
    assert View.parse(str(view)) == view


def random_term(rng: Random, depth: int) -> Term:
    if depth == 0 or rng.random() < 0.2:
        return sym(rng.choice("ab")) if rng.random() < 0.6 else num(rng.randint(-3, 3))
    op = rng.choice(("+", "+", "-", "*", "//", "%", "neg"))
    if op == "neg":
        return Term(op, (random_term(rng, depth - 1),))
    count = rng.randint(2, 3) if op in ("+", "*") else 2
    return Term(op, tuple(random_term(rng, depth - 1) for _ in range(count)))


def test_every_term_reads_back_with_the_same_value(turns) -> None:
    rng, compared = Random("round trip"), 0
    for _ in turns(3000):
        term = random_term(rng, 4)
        again = parse_expression(to_text(term))
        for _ in range(4):
            values = {"a": rng.randint(-9, 9), "b": rng.randint(-9, 9)}
            try:
                expected = value_of(term, values)
            except ZeroDivisionError:
                continue
            compared += 1
            assert value_of(again, values) == expected
    assert compared > 1000


def test_an_assumption_with_a_divisor_of_0_is_refused_not_ignored() -> None:
    for assume in ("b == 0 or a//b == 2", "a//b == 2 or b == 0"):
        found = conditions(View.parse("(4,3):(a,b)"), View((12,)), assume=assume)
        with pytest.raises(InputError, match="divisor is 0"):
            found.holds({"a": 0, "b": 0})
        assert not found.holds({"a": 6, "b": 3})


def test_equations_that_no_integers_solve_are_never_called_solvable_silently() -> None:
    case = conditions(View.parse("(4,3):(a*a+1,b)"), View((12,))).cases[0]
    assert case.status == "never" or "not settled" in case.reason


@needs("verify")
def test_smt2_of_views_whose_valid_set_is_no_box_says_so() -> None:
    found = conditions(View.parse("(5,2,2):(6,a,a*b)+a [0:5,1:2,0:1]"), View.parse("(2,4):(9,-1)+10"))
    assert str(found) == "never"
    script = found.to_smt2()
    assert script.count("(check-sat)") == 2
    assert "; that the equations of never are necessary" in script
    assert "; that nothing is out of bounds" in script
    assert script.endswith("; nothing left out\n")


def test_the_smallest_strides_start_where_the_symbols_do() -> None:
    strides = sympy.symbols("p1:10", positive=True, integer=True)
    broken = conditions(View((2,) * 9, strides), View((512,))).counterexample()
    assert set(broken.values.values()) == {1}
    assert broken.smallest


def test_many_boundaries_end_with_a_reason() -> None:
    table = overflows(View((2,) * 30), View.parse("(50,60,70):(123456,56777,8911)+3"))
    assert not table.complete
    assert "patterns" in table.reason


def test_values_that_leave_a_divisor_0_are_bad_input() -> None:
    view = View.parse("(2):(a//b)")
    with pytest.raises(InputError, match="divisor is 0"):
        view.with_values({"a": 1, "b": 0})
    with pytest.raises(InputError, match="missing value for b"):
        view.with_values({"a": 1})
    with pytest.raises(InputError):
        conditions(View.parse("(2,3):(a//b,b)"), View((6,))).counterexample({"a": 3, "b": 0})


def test_names_that_cannot_be_read_back_are_refused() -> None:
    for name in ("1", "a-b", "min", "a*b", "and"):
        with pytest.raises(InputError, match="cannot read that name"):
            View((2,), (sympy.Symbol(name, integer=True),))
    assert merge(View((2,)), View((2,)))
