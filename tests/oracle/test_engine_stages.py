"""Every stage of the numeric decision is reached by some generator, and is right there."""

from __future__ import annotations

from collections import Counter
from math import prod
from random import Random

import hard
import pytest
from bridge import agrees, symbolic, view

from oracle import brute, generate
from symview import View, conditions, merge
from symview.engine import decide, presburger

GENERATORS = {
    "pair": generate.pair,
    "accidental": generate.accidental,
    "movement_pair": generate.movement_pair,
    "scaled": hard.scaled,
    "in_step": hard.in_step,
    "in_step_nearby": hard.in_step_nearby,
    "subset_sum": hard.subset_sum,
    "subset_sum_nearby": hard.subset_sum_nearby,
}


class Spy:
    """Counts the calls of a function and passes them on; `last` is what the latest call returned."""

    def __init__(self, monkeypatch, module, name: str) -> None:
        self.plain, self.calls, self.last = getattr(module, name), 0, None
        monkeypatch.setattr(module, name, self)

    def __call__(self, *args, **kwargs):
        self.calls += 1
        self.last = self.plain(*args, **kwargs)
        return self.last


@pytest.fixture
def spies(monkeypatch) -> dict[str, Spy]:
    return {
        "bounds": Spy(monkeypatch, decide, "active_carries"),
        "violation": Spy(monkeypatch, decide, "violation"),
        "reduced": Spy(monkeypatch, decide, "periodic_sizes"),
        "residues": Spy(monkeypatch, decide, "search_residues"),
        "isl": Spy(monkeypatch, presburger, "point"),
    }


def stage(spies: dict[str, Spy], outer: brute.V, inner: brute.V) -> str:
    """Which stage decides the pair."""
    for spy in spies.values():
        spy.calls = 0
    decide.decide(outer.shape, outer.strides, decide.IndexMap(inner.shape, inner.strides, inner.offset))
    if 0 in inner.shape:
        return "empty"
    if prod(inner.shape) <= 2:
        assert not spies["violation"].calls
        return "at most two points"
    if not spies["bounds"].calls:
        return "no defects"
    if not spies["violation"].calls:
        return "no active boundary"
    if not spies["reduced"].calls:
        return "single boundary" if len(spies["bounds"].last) == 1 else "cheap witness"
    assert len(spies["bounds"].last) > 1
    for name in ("residues", "isl"):
        if spies[name].calls:
            return f"{name} {'no' if spies[name].last else 'yes'}"
    return "small box"


def test_every_stage_is_reached_and_right(spies, turns) -> None:
    reached: dict[str, Counter] = {name: Counter() for name in GENERATORS}
    for name, make in GENERATORS.items():
        rng = Random(f"stages {name}")
        for _ in turns(25 if name.startswith("subset") else 150):
            outer, inner = make(rng)
            reached[name][stage(spies, outer, inner)] += 1
            agrees(outer, inner)
    every = sum(reached.values(), Counter())
    least = {
        "empty": 5, "at most two points": 20, "no defects": 20, "no active boundary": 20, "single boundary": 20,
        "cheap witness": 20, "small box": 20, "residues yes": 10, "residues no": 3, "isl yes": 10, "isl no": 3,
    }  # fmt: skip
    assert not {name: every[name] for name, count in least.items() if every[name] < count}
    assert reached["in_step"]["isl yes"] > 5
    # The digit below K is idle: the pair is decided like the one it was made from.
    assert reached["scaled"]["cheap witness"] > 5
    assert not reached["scaled"]["isl yes"]


def test_the_exact_searches_agree(monkeypatch, turns) -> None:
    """Whatever is left when the cheap witnesses are taken away: residues, isl and Z3 decide alike."""
    monkeypatch.setattr(decide, "cheap_witnesses", lambda *a: ())
    monkeypatch.setattr(decide, "_SMALL_BOX", 0)
    rng, seen = Random("exact"), Counter()
    for turn in turns(80):
        outer, inner = (generate.accidental, generate.pair, hard.in_step, hard.scaled)[turn % 4](rng)
        with monkeypatch.context() as patch:
            searches = Spy(patch, decide, "search_residues")
            seen[agrees(outer, inner), "by residues"] += bool(searches.calls)
        with monkeypatch.context() as patch:
            patch.setattr(decide, "MAX_RESIDUES", 0)
            searches = Spy(patch, presburger, "point")
            seen[agrees(outer, inner), "by isl"] += bool(searches.calls)
            if turn % 4 < 2:
                patch.setattr(presburger, "_isl", lambda: None)
                searches.calls = 0
                seen[agrees(outer, inner), "by Z3"] += bool(searches.calls)
    for solver in ("by residues", "by isl", "by Z3"):
        assert min(seen["merged", solver], seen["broken", solver]) > 5


def test_without_islpy_z3_searches_and_answers_the_same(monkeypatch, turns) -> None:
    asked = Spy(monkeypatch, presburger, "_z3_point")
    rng = Random("no isl")
    for turn in turns(45):
        outer, inner = (hard.scaled, hard.in_step, hard.in_step)[turn % 3](rng)
        with_isl = merge(view(outer), view(inner)), conditions(symbolic(outer), view(inner))
        merged = isinstance(with_isl[0], View) or with_isl[0].to_dict()
        with monkeypatch.context() as patch:
            patch.setattr(presburger, "_isl", lambda: None)
            without = merge(view(outer), view(inner)), conditions(symbolic(outer), view(inner))
            assert without == with_isl
            assert merged == (isinstance(without[0], View) or without[0].to_dict())
    assert asked.calls > 4
