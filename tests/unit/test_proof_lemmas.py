"""Lemmas: instances of theorems are used where they hold, and theorems about lists for their own folds alone."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import islice, product

import pytest
import sympy

from symview.errors import InputError
from symview.logic.budget import DEFAULT
from symview.logic.notation import parse_statement
from symview.logic.terms import Term, num, sym, value_of
from symview.proof import NotProved, by_induction, by_instance, by_list_induction, by_permutation, by_solver, prove
from symview.proof.lemmas import from_instances, readings
from symview.proof.statement import read
from symview.proof.verdicts import Proved, Refuted, Unknown

DIGITS = "s >= 1 and 0 <= d < s"


def ravelled() -> Proved:
    return by_list_induction("P >= 1 and 0 <= R < P", {"P": ("1", "P*s"), "R": ("0", "R + d*P")}, DIGITS)


def unravelled() -> Proved:
    folds = {"Q": ("1", "Q*t"), "y": ("x", "y//t"), "S": ("0", "S + (y % t)*Q")}
    return by_list_induction("Q >= 1 and x == y*Q + S and 0 <= S < Q", folds, "t >= 1")


NESTED = ("(x//a)//b == x//(a*b)", "b >= 1 and a != 0")

LEMMAS = [
    (NESTED, "x//(B*C)//D == x//B//(C*D)", "B >= 1 and C >= 1 and D >= 1"),
    (NESTED, "(x + 1)//m//n <= (x + 1)//(m*n)", "m >= 1 and n >= 1"),
    (("(p*B + r)//B == p", "0 <= r < B"), "(i*n*m + j*m + k)//m == i*n + j", "0 <= k < m"),
    (("x <= y -> x//m <= y//m", "m >= 1"), "(a + b)//n >= a//n", "n >= 1 and b >= 0"),
    (("x*x >= 0", ()), "(a - b)*(a - b) >= 0", ()),
    (("x % m < m", "m >= 1"), "not (y % k >= k)", "k >= 1"),
    (("(x % (q*c)) % c == x % c", "q >= 1 and c >= 1"), "(x % (r*s*t)) % t == x % t", "r >= 1 and s >= 1 and t >= 1"),
]


@pytest.mark.parametrize(("lemma", "statement", "assume"), LEMMAS)
def test_lemmas_are_used_and_named(lemma, statement, assume):
    proved = by_solver(*lemma)
    verdict = by_solver(statement, assume, by=[proved])
    assert verdict.rests_on - {"refutation", "z3"} == {f"lemma: {proved.statement}"}
    assert "refutation" in verdict.rests_on or "z3" in verdict.rests_on
    text = from_instances(read(statement, assume, "floor"), [proved], DEFAULT)
    assert text.claims


def test_a_lemma_that_does_not_fit_is_not_named():
    assert prove("x + y == y + x", by=[by_solver(*NESTED)]).rests_on == {"refutation"}


def test_an_instance_needs_what_the_lemma_assumes():
    lemma = by_solver("x % m < m", "m >= 1")
    assert prove("x % k < k", "k != 0", by=[lemma]).values == {"x": 0, "k": -1}
    guarded = from_instances(read("x % k < k", "k != 0", "floor"), [lemma], DEFAULT).claims
    assert [c.text for c in guarded] == ["k >= 1 -> x % k < k"]
    assert prove("k >= 1 -> x % k < k", "k != 0", by=[lemma])


def test_an_instance_whose_divisor_may_be_0_is_not_used():
    lemma = by_solver("max(x, m)//m >= 1", "m >= 1")
    assert not from_instances(read("max(u, v) >= u", (), "floor"), [lemma], DEFAULT).claims
    assert from_instances(read("max(u, v) >= u", "v > 0", "floor"), [lemma], DEFAULT).claims
    noted = prove("x % m % m == x % m")
    assert noted.rests_on == {"z3", "divisor m != 0 assumed"}
    again = prove("k % n % n == k % n", by=[noted])
    assert again.rests_on == {"z3", "divisor n != 0 assumed", f"lemma: {noted.statement}"}
    below = prove("k % n % n == k % n", "n < 0", by=[noted])
    assert below.rests_on == {"refutation", "z3", f"lemma: {noted.statement}"}  # the lemma rests on Z3


def test_a_lemma_under_another_rounding_speaks_of_that_rounding():
    odd = prove("(-x)//2 == -(x//2)", division="trunc")
    assert odd
    assert isinstance(prove("(-y)//2 == -(y//2)", by=[odd]), Refuted)
    assert prove("(-y)//2 == -(y//2)", "y % 2 == 0", by=[odd])
    assert isinstance(prove("y//2*2 <= y", division="trunc", by=[prove("x//2*2 <= x")]), Refuted)
    n = sympy.Symbol("n", integer=True)
    mixed = prove("x >= 0 and n == n -> x % 3 >= 0", assume=n > 0, division="trunc")
    text = from_instances(read("(y//2) % 3 >= 0 and n > 0", (), "trunc"), [mixed], DEFAULT)
    assert not any("//" in c.text for c in text.claims)


def test_lemmas_never_change_an_answer():
    """With theorems at hand, every verdict on random statements is the same, and so is what it was refuted at."""
    rng = random.Random("lemmas")
    lemmas = [by_solver(*lemma) for lemma, _, _ in LEMMAS]
    terms = ["x//a//b", "x//(a*b)", "x % a % b", "(x*a + b)//a", "x*x", "(x % (a*b)) % b", "a*b", "x", "b"]
    seen = set()
    for _ in range(25):
        statement = f"{rng.choice(terms)} {rng.choice(['==', '<=', '<', '>='])} {rng.choice(terms)}"
        texts = rng.sample(["a >= 1", "b >= 1", "x >= 0", "b < a"], rng.randint(2, 4))
        assume = list(map(parse_statement, texts))
        alone, helped = prove(statement, assume), prove(statement, assume, by=lemmas)
        seen.add(type(helped))
        assert isinstance(alone, Unknown) or type(alone) is type(helped), statement
        if isinstance(alone, Refuted):
            assert helped.values == alone.values
        for x, a, b in product(range(-3, 5), range(-2, 4), range(-2, 4)) if isinstance(helped, Proved) else ():
            at = {"x": x, "a": a, "b": b}
            if a and b and all(value_of(f, at) for f in assume):
                assert value_of(parse_statement(statement), at)
    assert seen == {Proved, Refuted}


def test_every_reading_is_an_instance():
    lemma = read("(p*B + r)//B == p", "0 <= r and r < B", "floor")
    goal = read("((i*n + j)*m + k)//m == (i*k + n*m)//k", (), "floor")
    found = list(islice(readings(lemma, goal.formulas()), 50))
    assert 0 < len(found) <= 40
    assert all(set(r) == {"p", "B", "r"} for r in found)
    long = read(f"({' + '.join(f'a{n}*b' for n in range(30))})//b >= 0", (), "floor")
    assert list(readings(lemma, long.formulas())) == []


# Theorems about lists


def test_what_follows_for_the_folds_of_lists():
    below, roundtrip = ravelled(), unravelled()
    digits = prove("y == x//Q and S == x % Q", by=[roundtrip])
    assert digits.rests_on - {"refutation"} == {"z3", "list induction", f"lemma: {roundtrip.statement}"}
    assert digits.statement.endswith(
        "where Q = 1, then Q*t; y = x, then y//t; S = 0, then S + y % t*Q; for each t of a list with t >= 1"
    )
    assert prove("S == x", "0 <= x < Q", by=[digits])
    both = prove("S == R", "P == Q", by=[below, by_instance(roundtrip, {"x": "R"})])
    assert isinstance(both, Proved)
    assert "y = R, then y//t" in both.statement
    assert "R = 0, then R + d*P; for each (s, d) of a list" in both.statement


def test_one_list_has_all_the_folds_that_theorems_name():
    horner = by_list_induction("N >= 1", {"P": ("1", "P*s"), "N": ("1", "N + P*s*0 + s")}, "s >= 1")
    verdict = prove("R < N + P", by=[ravelled(), horner])
    assert isinstance(verdict, Proved)
    assert (
        verdict.statement
        == (
            "R < N + P, where P = 1, then P*s; R = 0, then R + d*P; N = 1, then N + P*s; "
            "for each (s, d) of a list with s >= 1 and 0 <= d and d < s and P >= 1"
        )
        or verdict.statement.count("for each") == 1
    )


def test_values_that_no_list_has_do_not_refute():
    verdict = prove("R == 0", by=[ravelled()])
    assert isinstance(verdict, Unknown)
    assert "the theorems about the folds do not suffice: they leave R = " in verdict.reason


def test_folds_of_sequences():
    gauss = by_induction("2*total == n*(n + 1)", sequences={"total": ("0", "total + n + 1")})
    verdict = prove("total >= n", "n >= 0", by=[gauss])
    assert isinstance(verdict, Proved)
    assert verdict.statement == "total >= n, where total(0) = 0 and total(n + 1) = total + n + 1"
    with pytest.raises(InputError, match="assume n >= 0"):
        prove("total >= n", by=[gauss])
    plain = by_induction("n*n*n >= n")
    assert prove("k*k*k >= k", "k > 3", by=[plain]).rests_on >= {"induction", f"lemma: {plain.statement}"}


def test_a_permuted_list_has_theorems_of_its_own():
    same = by_permutation({"P": ("1", "P*s")})
    odd = by_list_induction("P_again >= 1", {"P_again": ("1", "P_again*s")}, "s >= 1")
    verdict = prove("P >= 1", by=[same, odd])
    assert isinstance(verdict, Proved)
    assert "for each s of the list of P in any order with s >= 1" in verdict.statement


def sizes(name: str, each: Sequence[str] = ()) -> Proved:
    return by_list_induction(f"{name} >= 1", {name: ("1", f"{name}*s")}, ["s >= 1", *each])


def test_two_lists_that_one_is_a_reordering_of_are_not_told_apart_and_so_refused():
    """P and Q are products of two lists; a list that is a reordering of both would make them equal."""
    again, other = by_permutation({"P": ("1", "P*s")}), by_permutation({"Q": ("1", "Q*s")})
    both = [again, by_instance(other, {"Q_again": "P_again"})]
    with pytest.raises(InputError, match="P_again means two things"):
        prove("P == Q", by=both)


def test_a_list_that_two_theorems_leave_empty_is_refused():
    odd, even = sizes("P", ["s % 2 == 1"]), sizes("P", ["s % 2 == 0"])
    assert prove("P >= 0", by=[odd])
    with pytest.raises(InputError, match="no first element meets"):
        prove("P >= 0", by=[odd, even])


def test_lists_go_with_all_integers_and_division_that_rounds_down():
    for more in ({"division": "trunc"}, {"bits": 8}):
        with pytest.raises(InputError, match="about all integers, and // and % in them round down"):
            prove("P >= 0", by=[sizes("P")], **more)


def test_names_of_second_elements_and_reordered_folds_are_new():
    """Assumptions about names that look like those of a second element say nothing about it."""
    fixed = [Term("==", (sym("s'"), num(1))), Term("==", (sym("d'"), num(0)))]
    with pytest.raises(NotProved, match="swap"):
        by_permutation({"R": ("0", "R*s + d")}, given=fixed)
    assert by_permutation({"P": ("1", "P*s")}, given=[Term("==", (sym("P_again"), num(5)))]).statement.startswith(
        "P_again' == P"
    )


MISUSED = [
    (
        "S == R",
        lambda: [by_instance(unravelled(), {"x": "R"}), ravelled()],
        "it is about R, so it must come first",
    ),
    ("x == x", lambda: [ravelled()], "mentions none of P, R"),
    ("P == 1 or s == 1", lambda: [ravelled()], "s names an element of a list and something else"),
    ("P == Q", lambda: [ravelled(), by_list_induction("P >= 2", {"P": ("2", "P*s")}, "s >= 1")], "P means two things"),
    ("P >= d", lambda: [ravelled(), by_list_induction("P >= d", {"P": ("1", "P*s")}, "s >= 1", "d == 1")], "d == 1"),
    (
        "P >= 1",
        lambda: [ravelled(), by_list_induction("d*P >= d", {"P": ("1", "P*s")}, "s == 1")],
        "d names an element of a list and something else",
    ),
    ("P >= 1", lambda: [by_list_induction("P == n*P", {"P": ("1", "P*s")}, "s >= 1", "n == 1")], "assume n == 1"),
    ("x == x", lambda: ["x == x"], "not proved"),
    ("x == x", lambda: [prove("x*x == 4")], "not proved"),
    ("x == x", lambda: [True], "not proved"),
    ("x == x", lambda: prove("x == x"), "give a list of theorems"),
]


@pytest.mark.parametrize(("statement", "by", "named"), MISUSED)
def test_lemmas_that_are_refused(statement, by, named):
    with pytest.raises(InputError, match=named):
        prove(statement, by=by())


def test_a_running_fold_is_not_the_value_at_the_end():
    """R adds multiples of P as it is before each element; another list's R adds multiples of a constant P."""
    constant = by_list_induction("R == P*n", {"R": ("0", "R + d*P"), "n": ("0", "n + d")})
    with pytest.raises(InputError, match="P means two things"):
        prove("R == P*n and R < P", by=[ravelled(), constant])


BAD_INSTANCES = [
    ({"x": "Q"}, "Q changes along a list, so is not a value"),
    ({"x": "t + 1"}, "t changes along a list"),
    ({"Q": "5"}, "give each another name"),
    ({"Q": "S"}, "give each another name"),
    ({"t": "x"}, "x changes along a list"),
    ({"x": "a//b"}, "give the quotient a name"),
    ({"z": "1"}, "unknown symbol z"),
]


@pytest.mark.parametrize(("values", "named"), BAD_INSTANCES)
def test_instances_that_are_refused(values, named):
    with pytest.raises(InputError, match=named):
        by_instance(unravelled(), values)


def test_instances():
    renamed = by_instance(unravelled(), {"Q": "N", "t": "size", "x": "2*k + N0", "y": "rest", "S": "sum"})
    assert "rest = 2*k + N0, then rest//size" in renamed.statement
    lemma = prove("x // m * m <= x", "m >= 1")
    assert by_instance(lemma, {"x": "a//b"}).rests_on - {"refutation"} == {"z3", "divisor b != 0 assumed"}
    assert by_instance(lemma, {"m": "m*m"}).assumptions == ("m*m >= 1",)
    with pytest.raises(InputError, match="no values meet the assumptions -m\\*m >= 1"):
        by_instance(lemma, {"m": "-m*m"})
    noted = prove("x % m % m == x % m")
    assert by_instance(noted, {"m": "n*n + 1"}).rests_on == {"z3"}
    assert by_instance(noted, {"m": "n"}).rests_on == {"z3", "divisor n != 0 assumed"}
