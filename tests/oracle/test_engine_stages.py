"""Every stage of the numeric decision is reached by some generator, and is right there."""

from __future__ import annotations

from collections import Counter
from math import prod
from random import Random

import hard
import pytest
from bridge import agrees, box, symbolic, view

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


def test_every_stage_is_reached_and_right(spies, turns, full) -> None:
    reached: dict[str, Counter] = {name: Counter() for name in GENERATORS}
    for name, make in GENERATORS.items():
        rng = Random(f"stages {name}")
        for _ in turns(150 if hasattr(generate, name) else 10 if name.startswith("subset") else 80):
            outer, inner = make(rng)
            reached[name][stage(spies, outer, inner)] += 1
            agrees(outer, inner)
    every = sum(reached.values(), Counter())
    least = {
        "empty": 5, "at most two points": 20, "no defects": 20, "no active boundary": 20, "single boundary": 20,
        "cheap witness": 20, "small box": 20, "residues yes": 10, "residues no": 3, "isl yes": 10, "isl no": 3,
    }  # fmt: skip
    assert not reached["scaled"]["isl yes"]
    if full:
        assert not {name: every[name] for name, count in least.items() if every[name] < count}
        assert reached["in_step"]["isl yes"] > 5
        # The digit below K is idle: the pair is decided like the one it was made from.
        assert reached["scaled"]["cheap witness"] > 5


def test_the_exact_searches_agree(turns) -> None:
    """Whatever the stages before them would have told: residues, isl and Z3 decide alike."""
    rng, seen = Random("exact"), Counter()
    for turn in turns(120):
        outer, inner = (generate.accidental, generate.pair, hard.in_step, hard.scaled)[turn % 4](rng)
        digits, index_map = decide.digits_of(outer.shape, outer.strides), box(inner)
        defects = dict(zip(digits.places, digits.defects, strict=True))
        bent = [p for p, d in defects.items() if d]
        carries = [] if 0 in inner.shape or not bent else decide.active_carries(index_map, bent)
        if not carries:
            continue
        merges, weights = agrees(outer, inner) == "merged", [defects[c.place] for c in carries]
        carries = decide.without_inactive_digits(carries, inner.shape)
        sizes = decide.periodic_sizes(inner.shape, carries)
        system = decide.carry_system(carries, sizes, [weights])
        found = {"isl": presburger.point(system, solver="isl")}
        if decide.residues_of(carries) <= decide.MAX_RESIDUES:
            found["residues"] = decide.search_residues(sizes, carries, weights)
        if turn % 4 < 2:
            found["z3"] = presburger.point(system, solver="z3")
        for solver, index in found.items():
            assert (index is None) == merges, (solver, outer, inner)
            assert merges or decide.weigh(carries, weights, index), (solver, outer, inner)
            seen[solver, merges] += 1
    assert len(seen) == 6 and min(seen.values()) > 5, seen


def test_without_islpy_z3_searches_and_answers_the_same(monkeypatch, turns, full) -> None:
    query = Spy(monkeypatch, presburger, "_z3_point")
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
    if full:
        assert query.calls > 4
