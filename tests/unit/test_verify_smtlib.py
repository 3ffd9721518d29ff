"""The evidence as SMT-LIB: Z3 and cvc5 answer unsat to every question, and a wrong claim is noticed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import hard
import pytest
import sympy
from bridge import SIZE, STRIDES, symbolic, view
from oracle import generate
from scripts import cvc5_answers, z3_answers

from symview import Conditions, View, conditions, dense_conditions
from symview.answers import CaseData, Status
from symview.logic.notation import parse_statement
from symview.logic.terms import Term, num

OUTER = View((10, 3, 3), STRIDES[:3])


def agreed(answer: Conditions, products: bool = False) -> list[str]:
    """What both solvers say; they have to say the same."""
    script = answer.to_smt2()
    said = z3_answers(script)
    assert cvc5_answers(script, coverings=products) == said
    assert script.count("(check-sat)") == len(said)
    return said


QUESTIONS = {
    "the paper's": (OUTER, View((SIZE,), (4,)), ()),
    "six": (OUTER, View((6,), (4,)), ()),
    "three": (OUTER, View((3,), (4,)), ()),
    "for ever one condition": (View((40, 3, 2), STRIDES[:3]), View((SIZE,), (3,)), ()),
    "an offset": (View((40, 3, 2), STRIDES[:3]), View((SIZE,), (3,), 1), ()),
    "four digits": (View((9, 2, 2, 2), STRIDES[:4]), View((SIZE,), (3,)), ()),
    "never": (View((10, 3, 3), (1, 1, 1)), View((SIZE,), (4,)), ()),
    "assumptions": (OUTER, View((SIZE,), (4,)), ("n >= 5", "σ3 == 1")),
    "size 0": (OUTER, View((SIZE,), (4,)), ("n >= 0",)),
    "declared": (View((10, 3), (sympy.Symbol("p", positive=True, integer=True), 1)), View((SIZE,), (2,)), ()),
    "numbers and products": (View((10, 3, 3), (STRIDES[0] * STRIDES[1], 3 * STRIDES[1], 1)), View((SIZE,), (4,)), ()),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", QUESTIONS)
def test_both_solvers_confirm(name) -> None:
    outer, inner, assume = QUESTIONS[name]
    said = agreed(conditions(outer, inner, assume=assume), "products" in name)
    assert set(said) == {"unsat"}


@pytest.mark.parametrize("name", ["pair", "accidental", "movement_pair", "scaled"])
def test_both_solvers_confirm_random_pairs(name, turns, full) -> None:
    rng, questions = Random(f"smt {name}"), 0
    make = getattr(generate, name, None) or getattr(hard, name)
    for _ in turns(4):
        outer, inner = make(rng)
        said = agreed(conditions(symbolic(outer), view(inner)))
        questions += len(said)
        assert set(said) <= {"unsat"}
    if full:
        assert questions >= 8


def with_case(answer: Conditions, case: CaseData) -> Conditions:
    """The answer with this as its only case."""
    return replace(answer, data=replace(answer.data, cases=(case,)))


def test_a_wrong_equation_is_noticed() -> None:
    answer = conditions(OUTER, View((6,), (4,)))
    (case,) = answer.data.cases
    for wrong in (case.required[:1], (), (*case.required, parse_statement("σ3 == 1"))):
        status = Status.WHEN if wrong else Status.ALWAYS
        assert "sat" in agreed(with_case(answer, replace(case, status=status, required=wrong)))


def test_a_missing_condition_is_noticed() -> None:
    """What size 4 demands, claimed of size 6."""
    answer, less = conditions(OUTER, View((6,), (4,))), conditions(OUTER, View((4,), (4,)))
    assert set(agreed(answer)) == {"unsat"}
    claimed = replace(answer.data.cases[0], required=less.data.cases[0].required)
    assert "sat" in agreed(with_case(answer, claimed))


def changes(answer: Conditions) -> Iterator[tuple[str, Conditions]]:
    """The answer with an equation dropped with its witness, with a wrong stride in a merged view, without a case."""
    cases = list(answer.data.cases)
    for n, case in enumerate(cases):

        def claimed(*others: CaseData, n: int = n) -> Conditions:
            return replace(
                answer, data=replace(answer.data, cases=(*cases[:n], *others, *cases[n + 1 :]), clauses=None)
            )

        yield "case", claimed()
        if case.status not in (Status.ALWAYS, Status.WHEN):
            continue
        for m in range(len(case.required)):
            left = case.required[:m] + case.required[m + 1 :]
            kept = tuple(w for w in case.witnesses if w.required != case.required[m])
            status = Status.WHEN if left else Status.ALWAYS
            yield "equation", claimed(replace(case, status=status, required=left, witnesses=kept))
        for axis, stride in enumerate(case.view.strides):
            if answer.inner.shape[axis] != 1:
                wrong = [*case.view.strides]
                wrong[axis] = Term("+", (stride, num(1))) if isinstance(stride, Term) else stride + 1
                yield "stride", claimed(replace(case, view=case.view._replace(strides=tuple(wrong))))


def test_every_change_is_noticed(turns, full) -> None:
    """An equation, a stride, a case: each that is lost or wrong makes some question sat."""
    rng, seen = Random("changed scripts"), Counter()
    for turn in turns(5):
        make = rng.choice((generate.pair, generate.accidental, generate.movement_pair))
        outer, inner = make(rng)
        if turn % 2:
            shape, stride, offset = generate.parametric(rng)
            inner_view = View.parse(f"(n):({stride})+({offset})")
            answer = conditions(View(shape, STRIDES[: len(shape)]), inner_view)
        else:
            answer = conditions(symbolic(outer), view(inner))
        for kind, wrong in changes(answer):
            if 0 in answer.inner.shape:
                continue
            assert "sat" in cvc5_answers(wrong.to_smt2(), 50_000), (kind, answer.views, wrong.data.cases)
            seen[kind] += 1
    if full:
        assert min(seen[k] for k in ("equation", "stride", "case")) >= 5, seen


def test_a_case_without_an_answer_does_not_end_the_script() -> None:
    """What is claimed of it is false, and so is what comes after it to be asked."""
    script = dense_conditions(View.parse("(2,3):(a,b)")).to_smt2()
    asked = [line for line in script.splitlines() if line.startswith("; that")]
    assert asked.index("; that the view is not dense elsewhere") < asked.index("; that the cases cover all values")
    assert script.count("(check-sat)") == len(asked) == 5
