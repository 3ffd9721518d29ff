"""Terms: their value in plain integers, the three divisions, SMT-LIB."""

from __future__ import annotations

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from symview.logic.notation import smt2_name, to_smt2, to_smt2_term
from symview.logic.terms import (
    FALSE,
    TRUE,
    Term,
    conj,
    disj,
    divide,
    linear,
    names,
    num,
    sym,
    total,
    value_of,
)

x, y = sym("x"), sym("y")


@given(st.integers(-50, 50), st.integers(-9, 9).filter(bool))
def test_the_three_divisions(a, b) -> None:
    for division in ("floor", "trunc", "euclid"):
        q, r = divide(a, b, division)
        assert a == q * b + r
        assert abs(r) < abs(b)
    assert divide(a, b, "floor") == (a // b, a % b)
    assert divide(a, b, "trunc")[0] == (abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1)
    assert divide(a, b, "euclid")[1] >= 0


def test_values() -> None:
    values = {"x": 7, "y": -2}
    for term, expected in (
        (Term("+", (x, y, num(1))), 6),
        (Term("-", (x, y)), 9),
        (Term("*", (x, y, num(2))), -28),
        (Term("neg", (x,)), -7),
        (Term("abs", (y,)), 2),
        (Term("min", (x, y, num(-5))), -5),
        (Term("max", (x, y)), 7),
        (Term("//", (x, y)), -4),
        (Term("%", (x, y)), -1),
        (Term("->", (Term("<", (x, y)), FALSE)), True),
        (Term("<->", (Term("<", (x, y)), FALSE)), True),
        (Term("not", (TRUE,)), False),
        (Term("!=", (x, y)), True),
        (conj([TRUE, Term(">=", (x, num(7)))]), True),
        (disj([FALSE, Term("<=", (y, num(-3)))]), False),
    ):
        assert value_of(term, values) == expected
    with pytest.raises(ZeroDivisionError):
        value_of(Term("//", (x, num(0))), values)
    with pytest.raises(ValueError, match="unknown operator"):
        value_of(Term("?", (x,)), values)


def test_a_divisor_of_0_leaves_no_value_wherever_it_stands() -> None:
    undefined = Term("==", (Term("//", (x, num(0))), num(1)))
    for whole in (Term("->", (FALSE, undefined)), conj([FALSE, undefined]), disj([TRUE, undefined])):
        with pytest.raises(ZeroDivisionError):
            value_of(whole, {"x": 1})


def test_of_nothing_and_of_one() -> None:
    assert (conj([]), disj([]), total([])) == (TRUE, FALSE, num(0))
    assert (conj([x]), disj([x]), total([x])) == (x, x, x)
    assert linear([]) == num(0)
    assert linear([(0, x), (1, y)]) == y


@given(st.lists(st.tuples(st.integers(-5, 5), st.sampled_from((x, y)))), st.integers(-5, 5))
def test_linear_forms(parts, constant) -> None:
    values = {"x": 3, "y": -4}
    expected = constant + sum(c * values[t.args[0]] for c, t in parts)
    assert value_of(linear(parts, constant), values) == expected


def test_names_in_order() -> None:
    assert names(Term("+", (y, x)), x, sym("z")) == ("y", "x", "z")


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (num(-3), "(- 3)"), (TRUE, "true"), (sym("σ1"), "|σ1|"), (Term("neg", (x,)), "(- x)"),
        (Term("!=", (x, y)), "(distinct x y)"), (Term("<->", (TRUE, FALSE)), "(= true false)"),
        (Term("->", (TRUE, FALSE)), "(=> true false)"), (Term("+", (x, num(2))), "(+ x 2)"),
    ],
)  # fmt: skip
def test_smt_lib_terms(term, text) -> None:
    assert to_smt2_term(term) == text


@pytest.mark.parametrize("op", ["//", "%", "min", "max", "-", "*"])
@pytest.mark.parametrize("constant", [True, False])
def test_smt_lib_text_means_what_the_term_means(op, constant) -> None:
    """Z3 reads the text, and finds the term's value at each pair of values; division is floor division."""
    for a in range(-7, 8, 2):
        for b in (-3, -2, -1, 1, 2, 3):
            term = Term(op, (x, num(b) if constant else y))
            value = value_of(term, {"x": a, "y": b})
            facts = [Term("==", (x, num(a))), Term("==", (y, num(b)))]
            solver = z3.Solver()
            solver.from_string(to_smt2([*facts, Term("!=", (term, num(value)))]))
            assert solver.check() == z3.unsat


@pytest.mark.parametrize(
    ("name", "quoted"),
    [
        ("x", "x"), ("n_0", "n_0"), ("σ", "|σ|"), ("a'", "|a'|"), ("0a", "|0a|"), ("_", "_!"), ("true", "true!"),
        ("and", "and!"), ("a|b", "|a!b|"),
    ],
)  # fmt: skip
def test_smt_lib_names(name, quoted) -> None:
    assert smt2_name(name) == quoted


def test_a_whole_script_is_what_z3_reads() -> None:
    script = to_smt2([Term(">", (sym("σ1"), num(2))), Term("<", (sym("σ1"), num(4)))], "why\nso")
    assert script.startswith("; why\n; so\n")
    solver = z3.Solver()
    solver.from_string(script)
    assert solver.check() == z3.sat
    assert solver.model().eval(z3.Int("σ1")).as_long() == 3
