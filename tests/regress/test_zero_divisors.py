"""A comparison that divides by 0 is false in a condition; no values are skipped for it."""

from __future__ import annotations

import pytest

from symview import (
    Budget,
    Exact,
    TooWeak,
    Undecided,
    View,
    conditions,
    injective_conditions,
    overlap_conditions,
    reshape_conditions,
)
from symview.cases.zero_divisors import branches, in_condition, in_python
from symview.logic.budget import DEFAULT
from symview.logic.notation import parse_statement, term_text
from symview.logic.terms import Term, nonzero_divisors
from symview.views.shared_indices import pairs


def test_no_values_are_skipped_where_a_stride_is_0() -> None:
    apart = overlap_conditions("(n):(a)", "(2):(b)+p", assume="a*b == 0")
    assert not apart.holds({"n": 1, "a": 0, "b": 0, "p": 1})
    assert dict(apart.counterexample().values) == {"n": 1, "a": 0, "b": 0, "p": 1}
    assert {e.holds for e in apart.examples()} == {True, False}
    assert dict(injective_conditions("(n,2):(a,b)").counterexample().values) == {"n": 1, "a": 0, "b": 0}


def test_a_shared_stride_of_0_is_an_example() -> None:
    given = overlap_conditions("(n):(a)", "(m):(a)+p").examples()
    assert any(e.values["a"] == 0 for e in given)


def test_values_at_which_an_entry_divides_by_0_are_none_of_the_question() -> None:
    found = conditions(View.parse("(4,4):(p//q,b)"), View.parse("(16):(1)"))
    weak = found.compare("True")
    assert isinstance(weak, TooWeak)
    assert weak.values["q"] != 0
    assert found.compare("q != 0 and p//q == 4*b") == Exact()
    assert all(e.values["q"] for e in found.examples())


def test_the_smallest_size_may_be_negative() -> None:
    broken = injective_conditions("(4-n,2):(a,b)", assume="n <= -1").counterexample()
    assert dict(broken.values) == {"n": -1, "a": 0, "b": 0}


def test_inner_divisors_come_before_those_that_they_are_part_of() -> None:
    """Also if the inner one is the divisor of an earlier formula; else a = 0 is lost."""
    formulas = [parse_statement(t) for t in ("x % a == 0", "p % (q//a) == 0")]
    assert [term_text(d) for d in nonzero_divisors(formulas)] == ["a != 0", "q//a != 0"]
    claim = Term("not", (parse_statement("x % a == 0 or p % (q//a) == 0"),))
    said = [tuple(map(term_text, (*b.facts, *b.formulas))) for b in branches((), (claim,), (in_condition,), DEFAULT)]
    assert said[0] == ("a == 0", "True")
    assert said[1] == ("a != 0", "q//a == 0", "not x % a == 0")
    assert len(said) == 3


def test_a_not_is_read_as_it_stands() -> None:
    zero = parse_statement("a != 0")
    for text, in_a_condition in (("not p % a == 0", "True"), ("p % a != 0", "False")):
        assert term_text(in_condition(parse_statement(text), zero)) == in_a_condition
        assert term_text(in_python(parse_statement(text), zero)) == "False"


@pytest.mark.parametrize("views", [("(n,m):(a,b)", "(k,l):(c,d)+p"), ("(n,3):(a,b)", "(m):(c)+p")])
def test_a_certificate_of_an_overlap_ends_with_its_budget(views) -> None:
    found = overlap_conditions(*views, budget=Budget(work=3_000_000)).within(Budget(work=1))
    for ask in (found.certificate, found.to_smt2):
        with pytest.raises(Undecided, match="ran out"):
            ask()


def test_a_certificate_has_one_budget_for_all_cases() -> None:
    """Orders of many strides are a long loop, too."""
    views = [View.parse(f"({','.join(f'{x}{n}' for n in range(5))}):({','.join(f'{y}{n}' for n in range(5))})")
             for x, y in ("ns", "mt")]  # fmt: skip
    budget = Budget(work=2_000).started()
    with pytest.raises(Undecided, match="ran out"):
        list(pairs(views, lambda _: False, budget))
    assert budget.is_over()


def test_examples_stop_where_their_budget_is_spent() -> None:
    """Each condition of many is compiled once, and nothing is looked into after the end."""
    found = reshape_conditions(View.parse(f"({','.join('abcdefgh')}):({','.join('pqrstuvw')})"), (-1,))
    running = Budget(work=200_000).started()
    given = found.within(running).examples(1000)
    assert given
    assert running.is_over()
    assert running.left() > -100_000
