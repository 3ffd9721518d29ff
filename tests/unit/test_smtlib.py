"""The evidence as SMT-LIB: Z3 and cvc5 answer unsat to every question, and a wrong claim is noticed."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import cvc5
import hard
import pytest
import sympy
import z3
from bridge import SIZE, STRIDES, symbolic, view
from oracle import generate

from symview import Conditions, View, conditions
from symview.answers import CaseData
from symview.engine.decide import carry_system
from symview.engine.index_map import IndexMap
from symview.engine.overflow import active_carries
from symview.engine.row_space import RowSpace
from symview.logic.notation import parse_statement

OUTER = View((10, 3, 3), STRIDES[:3])


def z3_answers(script: str) -> list[str]:
    """Each block by itself; Z3's Python reader keeps no push and pop."""
    found = []
    for block in script.split("(push 1)")[1:]:
        solver = z3.Solver()
        solver.set("timeout", 60_000)
        solver.from_string(block.partition("(check-sat)")[0])
        found.append(str(solver.check()))
    return found


def cvc5_answers(script: str) -> list[str]:
    """The whole script, command by command."""
    terms = cvc5.TermManager()
    solver = cvc5.Solver(terms)
    solver.setOption("incremental", "true")
    solver.setOption("tlimit-per", "60000")
    parser = cvc5.InputParser(solver, cvc5.SymbolManager(terms))
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "script")
    found = []
    while not (command := parser.nextCommand()).isNull():
        said = str(command.invoke(solver, parser.getSymbolManager())).strip()
        assert "error" not in said
        found += [said] if said else []
    return found


def agreed(answer: Conditions) -> list[str]:
    """What both solvers say; they have to say the same."""
    script = answer.to_smt2()
    said = z3_answers(script)
    assert cvc5_answers(script) == said
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


@pytest.mark.parametrize("name", QUESTIONS)
def test_both_solvers_confirm(name) -> None:
    outer, inner, assume = QUESTIONS[name]
    said = agreed(conditions(outer, inner, assume=assume))
    assert set(said) <= {"unsat"}
    assert said


@pytest.mark.parametrize("name", ["pair", "accidental", "movement_pair", "scaled"])
def test_both_solvers_confirm_random_pairs(name, turns) -> None:
    rng, questions = Random(f"smt {name}"), 0
    make = getattr(generate, name, None) or getattr(hard, name)
    for _ in turns(8):
        outer, inner = make(rng)
        said = agreed(conditions(symbolic(outer), view(inner)))
        questions += len(said)
        assert set(said) <= {"unsat"}
    assert questions >= 8


def with_case(answer: Conditions, case: CaseData) -> Conditions:
    """The answer with this as its only case."""
    return replace(answer, data=replace(answer.data, cases=(case,)))


def test_a_wrong_equation_is_noticed() -> None:
    answer = conditions(OUTER, View((6,), (4,)))
    (case,) = answer.data.cases
    for wrong in (case.required[:1], (), (*case.required, parse_statement("σ3 == 1"))):
        assert "sat" in agreed(with_case(answer, replace(case, required=wrong)))


def test_a_missing_condition_is_noticed() -> None:
    """What size 4 demands, claimed of size 6: an index is left out, and the question finds it."""
    answer = conditions(OUTER, View((4,), (4,)))
    (case,) = answer.data.cases
    carries = active_carries(IndexMap((6,), (4,), 0), (9, 3))
    question = carry_system(carries, (6,), RowSpace(2, [(1, 1)]).complement()).formula()
    assert agreed(answer) == ["unsat", "unsat"]
    assert agreed(with_case(answer, replace(case, query=question))) == ["unsat", "sat"]
