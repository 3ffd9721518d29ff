"""The door to Z3: every model replays, and nothing with another meaning there gets through."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symview import Budget
from symview.errors import InternalError
from symview.logic import z3_door as smt
from symview.logic.terms import FALSE, TRUE, Term, conj, names, num, sym, value_of
from symview.logic.z3_door import Conversation, Open, Sat, Unsat, check

NAMES = ("x", "y")


def linear_terms():
    leaf = st.one_of(st.integers(-6, 6).map(num), st.sampled_from(NAMES).map(sym))
    divisor = st.integers(1, 5).map(num)

    def grow(inner):
        two = st.tuples(inner, inner)
        return st.one_of(
            *(st.tuples(st.just(op), two).map(lambda t: Term(*t)) for op in ("+", "-", "min", "max")),
            *(st.tuples(st.just(op), st.tuples(inner, divisor)).map(lambda t: Term(*t)) for op in ("//", "%")),
            st.tuples(st.integers(-4, 4).map(num), inner).map(lambda t: Term("*", t)),
            *(st.tuples(st.just(op), st.tuples(inner)).map(lambda t: Term(*t)) for op in ("neg", "abs")),
        )

    return st.recursive(leaf, grow, max_leaves=4)


def formulas():
    relation = st.sampled_from(("==", "!=", "<", "<=", ">", ">="))
    leaf = st.tuples(relation, st.tuples(linear_terms(), linear_terms())).map(lambda t: Term(*t))

    def grow(inner):
        two = st.tuples(inner, inner)
        return st.one_of(
            *(st.tuples(st.just(op), two).map(lambda t: Term(*t)) for op in ("and", "or", "->", "<->")),
            st.tuples(inner).map(lambda t: Term("not", t)),
        )

    return st.recursive(leaf, grow, max_leaves=4)


BOX = [Term(op, (sym(v), num(n))) for v in NAMES for op, n in ((">=", -5), ("<=", 5))]


@given(st.lists(formulas(), max_size=3))
def test_answers_are_those_of_all_values(query) -> None:
    """On a bounded box sat or unsat is what trying every value says, and the model is a solution."""
    answer = check([*BOX, *query])
    there = [
        dict(zip(NAMES, v, strict=True))
        for v in product(range(-5, 6), repeat=2)
        if all(value_of(f, dict(zip(NAMES, v, strict=True))) for f in query)
    ]
    if there:
        assert isinstance(answer, Sat)
        assert dict(answer.model) in there
    else:
        assert answer == Unsat()


@given(st.lists(formulas(), min_size=1, max_size=4))
def test_a_conversation_answers_like_separate_questions(query) -> None:
    talk, said = Conversation(), list(BOX)
    talk.check(BOX)
    for one in query:
        said.append(one)
        assert type(talk.check([one])) is type(check(said))


@pytest.mark.parametrize("op", ["//", "%"])
def test_division_is_floor_division(op) -> None:
    names, running = {"x": None, "y": None}, Budget().started()
    for x in range(-5, 6):
        for y in range(-4, 5):
            for divisor in (sym("y"), num(y)):
                here = [Term("==", (sym(n), num(v))) for n, v in zip(names, (x, y), strict=True)]
                answer = check([*here, Term("==", (sym("q"), Term(op, (sym("x"), divisor))))], running)
                if y == 0:
                    assert answer == Unsat()
                else:
                    assert isinstance(answer, Sat)
                    assert answer.model["q"] == (x // y if op == "//" else x % y)


def test_a_model_that_does_not_replay_is_no_answer(monkeypatch) -> None:
    monkeypatch.setattr(smt, "value_of", lambda *a: False)
    with pytest.raises(InternalError, match="does not replay"):
        check([Term(">", (sym("x"), num(3)))])


def test_trivial_questions() -> None:
    assert check([]) == Sat({})
    assert check([TRUE]) == Sat({})
    assert check([FALSE]) == Unsat()
    assert check([conj([])]) == Sat({})


def test_every_variable_has_a_value() -> None:
    query = [Term("or", (Term(">", (sym("x"), num(3))), Term("==", (sym("y"), sym("y")))))]
    answer = check(query)
    assert set(answer.model) == set(names(*query))


def test_large_numbers() -> None:
    far = 10**40
    answer = check([Term(">", (sym("x"), num(far))), Term("<", (sym("x"), num(far + 2)))])
    assert answer == Sat({"x": far + 1})


def test_the_seed_and_the_clock_are_passed_on() -> None:
    query = [Term(">", (sym("x"), num(3)))]
    for budget in (Budget(seed=7), Budget(timeout=5.0), Budget(work=2**40)):
        assert isinstance(check(query, budget), Sat)
    cubes = Term("+", tuple(Term("*", (sym(v),) * 3) for v in "xyz"))
    assert isinstance(check([Term("==", (cubes, num(42)))], Budget(work=1000)), Open)
