"""Certificates of what two views share: right ones are confirmed, of changed ones only those that are right."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random
from typing import Any

import pytest
from claims import claiming
from mutated import found_in, found_of_changes, true_at
from oracle import overlap_brute as brute
from oracle.density_brute import Laid

from symview import overlap_conditions
from symview.trusted.document import expression, formula
from symview.trusted.formulas import compiled, names
from symview.verify import Solver

QUESTIONS = {
    "numbers that do": lambda: overlap_conditions("(4,9):(16,1)", "(4,8):(16,-1)+15"),
    "numbers that do not": lambda: overlap_conditions("(3):(4)", "(4):(6)+3"),
    "nothing": lambda: overlap_conditions("(0):(1)", "(4):(6)+3"),
    "two intervals": lambda: overlap_conditions("(a):(1)", "(b):(1)+p"),
    "progressions": lambda: overlap_conditions("(a):(2)", "(3):(4)+p"),
    "few multiples": lambda: overlap_conditions("(2,a):(p,1)", "(3):(1)+4", assume="p >= 1"),
    "masked": lambda: overlap_conditions("(a,3):(3,1) [1:a,0:2]", "(b):(1)"),
}


@pytest.fixture(scope="module")
def solver():
    with Solver("cvc5", 60.0, work=200_000) as found:
        yield found


def laid(view: Any, at: Any) -> Laid:
    """A view in a certificate, with numbers for its names."""

    def numbers(xs: Any) -> tuple[int, ...]:
        return tuple(compiled(expression(x))(at) for x in xs)

    mask = view["mask"] and tuple((low, high) for low, high in map(numbers, view["mask"]))
    return Laid(numbers(view["shape"]), numbers(view["strides"]), *numbers([view["offset"]]), mask)


def is_right(document: Any) -> bool:
    """Whether at small values one case, and the clauses, say what walking all indices says."""
    question, answer = document["claim"], document["claim"]
    facts, clauses = ([compiled(formula(f)) for f in of] for of in (question["facts"], answer.get("clauses") or ()))
    terms = [*map(expression, [x for v in question["pair"] for x in entries(v)]), *map(formula, question["facts"])]
    used = sorted(names(*terms))
    for point in product(*[range(1, 4) if n in "ab" else range(-3, 9) for n in used]):
        at = dict(zip(used, point, strict=True))
        if not all(f(at) for f in facts):
            continue
        shared = bool(brute.shared(*[laid(v, at) for v in question["pair"]]))
        if [c["status"] for c in answer["cases"] if true_at(c["where"], at)] != ["always" if shared else "never"]:
            return False
        if clauses and all(f(at) for f in clauses) != shared:
            return False
    return True


def entries(view: Any) -> list[Any]:
    return [*view["shape"], *view["strides"], view["offset"], *[x for pair in view["mask"] or () for x in pair]]


@pytest.mark.parametrize("name", QUESTIONS)
def test_answers_are_confirmed(name, solver) -> None:
    report = found_in(QUESTIONS[name]().certificate(), solver)
    assert report.verdict == "confirmed", (report.wrong, report.open, report.vacuous)


@pytest.mark.sampled
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_changed_answer_that_is_confirmed_is_right_too(name, solver, step) -> None:
    seen = found_of_changes(QUESTIONS[name]().certificate(), "claim", solver, is_right, step(50))
    assert seen["refuted"] + seen["bad"] > 0, seen  # most changes are of indices, of which one is enough


@pytest.mark.parametrize("name", [name for name, asked in QUESTIONS.items() if asked().certificate()["evidence"]])
def test_changed_evidence_does_not_change_what_is_claimed(name, solver, step) -> None:
    assert found_of_changes(QUESTIONS[name]().certificate(), "evidence", solver, is_right, step(40)).total()


@pytest.mark.parametrize("guard", ["a > p and p + b >= 1", "a > p", "p == 0", "p == p"])
def test_guards(guard, solver) -> None:
    found = overlap_conditions("(a):(1)", "(b):(1)+p").compare(guard).certificate()
    assert found_in(found, solver).verdict == "confirmed"


@pytest.mark.dear
def test_random_answers_are_never_refuted(solver, turns, full) -> None:
    """What numbers share is confirmed; with names, some is left open."""
    rng, seen = Random("certificates of shared addresses"), Counter()
    for turn in turns(24):
        pair = brute.pair_of_numbers if turn % 2 else rng.choice((brute.pages, brute.rows, brute.lines, brute.masked))
        a, b = map(str, pair(rng))
        found = overlap_conditions(a, b, assume=[f"{n} >= 1" for n in "ab" if n in a + b]).certificate()
        report = found_in(found, solver)
        assert report.verdict in ("confirmed", "partly"), (a, b, report.wrong)
        seen[report.verdict, bool(turn % 2)] += 1
    if full:
        assert seen["confirmed", True] > 10 * seen["partly", True], seen
        assert seen["confirmed", False] > 2, seen


@pytest.mark.dear
def test_a_pair_of_indices_has_an_entry_for_each_dim(solver) -> None:
    found = QUESTIONS["two intervals"]().certificate()
    found["evidence"]["indices"][0][0] = [0]
    assert found_in(found, solver) is None
    assert found_in(claiming(found, pair=found["claim"]["pair"][:1]), solver) is None
