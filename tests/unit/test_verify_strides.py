"""Certificates of what strides a view has: right ones are confirmed, of changed ones only those that are right."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest
from mutated import found_in, found_of_changes, true_at
from oracle import density_brute as brute
from oracle.density_brute import Laid
from scripts import z3_answers

from symview import View, contiguous_conditions, dense_conditions, injective_conditions
from symview.logic.terms import TRUE
from symview.trusted.document import expression, formula
from symview.trusted.formulas import compiled, names
from symview.trusted.work import Work
from symview.verify import Solver
from symview.verify.kinds.strides import Strides

parse = View.parse
QUESTIONS = {
    "dense": lambda: dense_conditions(parse("(a,2):(p,1)")),
    "dense after flips": lambda: dense_conditions(parse("(2,3):(p,1)"), flips=True),
    "contiguous": lambda: contiguous_conditions(parse("(a,2):(p,q)"), (0, 1)),
    "masked": lambda: contiguous_conditions(parse("(3,a):(p,1) [0:2,0:a]")),
    "injective": lambda: injective_conditions(parse("(a,b):(p,1)")),
    "injective by a divisor": lambda: injective_conditions(parse("(2,3):(p,4)")),
    "numbers that are": lambda: injective_conditions(View((2, 2, 2), (5, 6, 7))),
    "numbers that are not": lambda: dense_conditions(View((2, 3), (1, 3))),
}
SLOW = ("injective", "injective by a divisor", "dense")


@pytest.fixture(scope="module")
def solver():
    with Solver("cvc5", 60.0, work=200_000) as found:
        yield found


def laid(view: Any, at: Any) -> Laid:
    """The view in a certificate, with numbers for its names."""

    def numbers(xs: Any) -> tuple[int, ...]:
        return tuple(compiled(expression(x))(at) for x in xs)

    mask = view["mask"] and tuple((low, high) for low, high in map(numbers, view["mask"]))
    return Laid(numbers(view["shape"]), numbers(view["strides"]), 0, mask)


def truth(question: Any, view: Laid) -> bool:
    if question["property"] == "dense":
        return brute.dense(view, question["flips"])
    return brute.injective(view) if question["property"] == "injective" else brute.contiguous(view, question["order"])


def is_right(document: Any) -> bool:
    """Whether at small values one case, and the clauses, say what walking all indices says."""
    question, cases = document["claim"], document["claim"]["cases"]
    facts, clauses = ([compiled(formula(f)) for f in of]
                      for of in (question["facts"], document["claim"].get("clauses") or ()))  # fmt: skip
    view = question["view"]
    bounds = [x for pair in view["mask"] or () for x in pair]
    used = names(*map(expression, [*view["shape"], *view["strides"], *bounds]), *map(formula, question["facts"]))
    for point in product(*[range(1, 4) if n in "ab" else range(-3, 7) for n in used]):
        at = dict(zip(used, point, strict=True))
        if not all(f(at) for f in facts):
            continue
        there = [(c["status"], true_at(["and", True, *c["equations"]], at)) for c in cases if true_at(c["where"], at)]
        if len(there) != 1 or (there[0][0] != "never" and there[0][1]) != truth(question, laid(view, at)):
            return False
        if clauses and all(f(at) for f in clauses) != truth(question, laid(view, at)):
            return False
    return True


@pytest.mark.sampled
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_changed_answer_that_is_confirmed_is_right_too(name, solver, step, full) -> None:
    every = step(5) if name in SLOW else 1  # changes recur by sixes
    seen = found_of_changes(QUESTIONS[name]().certificate(), "claim", solver, is_right, every)
    assert seen["refuted"] > 1 or not full, seen
    few = 1 if name.startswith("numbers") else 2  # of numbers, a changed view often has the property too
    assert seen["refuted"] + seen["bad"] > few * (seen["confirmed"] + seen["partly"]), seen


@pytest.mark.parametrize("name", QUESTIONS)
def test_changed_evidence_does_not_change_what_is_claimed(name, solver, step) -> None:
    every = step(12 if name in SLOW else 2)
    before = QUESTIONS[name]().certificate()
    changed = found_of_changes(before, "evidence", solver, is_right, every).total()
    assert bool(changed) == bool(before["evidence"])


@pytest.mark.parametrize("guard", ["p == 2*q and q == 1", "p == 2*q", "p == 2 and q == 1 and a >= 2", "p == p"])
def test_guards(guard, solver) -> None:
    answer = contiguous_conditions(parse("(a,2):(p,q)"))
    before = answer.compare(guard).certificate()
    assert found_in(before, solver).verdict == "confirmed"
    for verdict in {"exact", "too strong", "too weak"} - {before["claim"]["verdict"]}:
        other = {"values": {"a": 2, "p": 2, "q": 1}, **before["claim"], "verdict": verdict}
        evidence = {"cases": answer.certificate()["claim"]["cases"]}
        found = found_in({**before, "claim": other, "evidence": evidence}, solver)
        assert found.wrong or (verdict == "exact" and found.open)


@pytest.mark.dear
def test_odd_files_are_refused(solver) -> None:
    before = json.loads(json.dumps(QUESTIONS["injective"]().certificate()))
    for change in ({"property": "nice"}, {"property": "contiguous", "order": [0, 0]}, {"property": "dense"},
                   {"property": "surjective", "flips": False},
                   {"steps": [["far", 2]]}, {"steps": [["each", 0]]}, {"steps": [["join", 0]]}, {"steps": None},
                   {"steps": [["far", 0], ["far", 0]]}, {"view": None}):  # fmt: skip
        part = "evidence" if "steps" in change else "claim"
        assert found_in({**before, part: {**before[part], **change}}, solver) is None, change


def _steps(rng: Random, shape: list[Any]) -> list[list[Any]]:
    """Any steps, right or wrong."""
    left, steps = [*range(len(shape))], list[list[Any]]()
    while len(left) > 1 and rng.random() < 0.5:
        if rng.random() < 0.5:
            one, other = rng.sample(left, 2)
            steps.append(["join", one, other])
            shape[one] = "joined"
            left.remove(other)
        else:
            steps.append(["far", left.pop(rng.randrange(len(left)))])
    small = [a for a in left if isinstance(shape[a], int)][:2]
    if small and rng.random() < 0.6:
        steps.insert(rng.randint(0, len(steps)), ["each", *small])
    return steps


@pytest.mark.dear
def test_steps_lead_to_what_walking_says(turns, least) -> None:
    """Where the claims of all steps hold, what is enough is, and what is needed is."""
    rng, seen = Random("steps"), Counter()
    for _ in turns(200):
        shape = [rng.choice((1, 2, 3, "a", "b", "c")) for _ in range(rng.randint(1, 4))]
        strides = [rng.choice((*"pqrs", "p", 0, 1, 4, -6, ["*", 2, "p"], ["*", "a", "q"])) for _ in shape]
        view = {"shape": shape, "strides": strides, "offset": 0, "mask": None}
        question = {"kind": "stride_conditions", "view": view, "property": "injective", "facts": [], "cases": []}
        query = Strides(question, {"steps": _steps(rng, [*shape])}, Work())
        enough, needed = (compiled(f) for f in query.says)
        claims = compiled(("and", True, *[f for _, f in query.claims]))
        for _ in range(12):
            at = {n: rng.randint(1, 4) for n in "abc"} | {n: rng.choice((-3, 0, 1, 2, 3, 4, 6, 8, 12)) for n in "pqrs"}
            if claims(at):
                right = brute.injective(laid(view, at))
                assert enough(at) <= right <= needed(at), (question, at)
                assert not query.exact or enough(at) == right, (question, at)
                seen[query.exact, right] += 1
    assert min(seen[exact, right] for exact in (True, False) for right in (True, False)) > least(50), seen


@pytest.mark.dear
def test_a_wrong_case_is_sat_in_the_script() -> None:
    answer = injective_conditions(parse("(2,n):(p,1)"))
    always, never = answer.data.cases
    wrong = replace(answer, data=replace(answer.data, cases=(replace(always, where=TRUE), never), clauses=None))
    for said, query in (({"unsat"}, answer), ({"sat", "unsat"}, wrong)):
        assert {*z3_answers(query.to_smt2())} == said
