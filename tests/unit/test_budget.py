"""Budgets: immutable, checked, and what happens when they end."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from random import Random

import hard
import pytest
from bridge import SIZE, STRIDES, box, symbolic, view
from satellites import there

from symview import Budget, Status, Undecided, View, conditions, merge
from symview.engine import presburger, radix
from symview.engine.decide import carry_system
from symview.engine.overflow import active_carries
from symview.logic import z3_door as smt
from symview.logic.budget import DEFAULT
from symview.logic.terms import Term, num, sym


def test_a_budget_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        DEFAULT.work = 1
    assert Budget() == DEFAULT
    assert Budget(timeout=2.5).timeout == 2.5


def a_hard_pair():
    """One whose decision needs an integer search."""
    rng = Random(1)
    while True:
        outer, inner = hard.subset_sum(rng)
        try:
            merge(view(outer), view(inner), budget=Budget(work=1))
        except Undecided:
            return outer, inner


def test_merge_says_undecided_when_the_work_ends() -> None:
    outer, inner = a_hard_pair()
    with pytest.raises(Undecided) as error:
        merge(view(outer), view(inner), budget=Budget(work=1))
    assert error.value.reason
    assert error.value.reason in str(error.value)


def test_a_small_budget_for_points_is_undecided_in_enumeration() -> None:
    outer, inner = View((10, 3, 3), STRIDES[:3]), View((20,), (4,))
    answer = conditions(outer, inner, engine="enumerate", budget=Budget(points=10))
    (case,) = answer.cases
    assert case.status is Status.UNDECIDED
    assert "20" in case.reason
    assert "10" in case.reason
    assert answer.holds({"σ1": 9, "σ2": 3, "σ3": 1})  # numbers decide it
    assert not answer.holds({"σ1": 1, "σ2": 1, "σ3": 1})
    for ask in (answer.formula, answer.term, answer.to_z3):
        with pytest.raises(Undecided, match="20"):
            ask()
    assert "undecided" in str(answer)
    assert "undecided" in answer.to_latex()
    assert answer.to_dict()["cases"][0]["status"] == "undecided"
    if there("verify"):
        assert "undecided" in answer.to_smt2()
    # Enough, though not known to be needed: no defect where something can overflow.
    solved = {"σ1": 9, "σ2": 3, "σ3": 1}
    assert all(bool(e.subs({s: solved[s.name] for s in STRIDES[:3]})) for e in case.equations)
    assert case.substituted() is not None


def test_what_is_enough_when_undecided_really_is(monkeypatch) -> None:
    """The sufficient condition of an undecided case: its solutions merge."""
    outer, inner = a_hard_pair()
    answer = conditions(symbolic(outer), view(inner), budget=Budget(work=1))
    assert answer.cases[0].status is Status.UNDECIDED
    plain = View.contiguous(outer.shape)
    values = dict(zip(STRIDES, plain.strides, strict=False))
    assert all(bool(e.subs(values)) for e in answer.cases[0].equations)
    assert isinstance(merge(plain, view(inner)), View)


def test_parametric_sizes_settle_up_to_where_the_work_ends() -> None:
    outer = View((1000, 4099, 2053, 1031), STRIDES[:4])
    inner = View((SIZE,), (2 * 1031 * 2053 + 77,), 5)
    full, short = (conditions(outer, inner, budget=b) for b in (None, Budget(work=300)))
    assert all(c.status is not Status.UNDECIDED for c in full.cases)
    kept = [c for c in short.cases if c.status is not Status.UNDECIDED]
    assert len(kept) < len(short.cases)
    for size in (1, 2, 3):
        values = {"n": size, "σ1": 1, "σ2": 2, "σ3": 3, "σ4": 4}
        try:
            answer = short.holds(values)
        except Undecided:
            continue
        assert answer == full.holds(values)


def test_the_budget_of_isl_and_z3_is_per_call() -> None:
    """Running out leaves nothing behind: the next question is answered."""
    outer, inner = a_hard_pair()
    carries = active_carries(box(inner), radix.boundaries(outer.shape))
    question = carry_system(carries, inner.shape, [(1, -1)])
    for solver in ("isl", "z3"):
        with pytest.raises(Undecided):
            presburger.point(question, Budget(work=1), solver)
        assert presburger.point(presburger.System((3,), 0, ((1, -2),), ((),)), solver=solver) == (2,)


def test_z3_gives_up_with_a_reason() -> None:
    x, y, z = map(sym, "xyz")
    cubes = [Term("*", (v, v, v)) for v in (x, y, z)]
    hard_question = [Term("==", (Term("+", tuple(cubes)), num(33)))]
    answer = smt.check(hard_question, Budget(work=2000))
    assert isinstance(answer, smt.Open)
    assert "gave up" in answer.reason
