"""`merge` against brute force: the view, or the smallest index that breaks it."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from bridge import agrees
from hypothesis import given
from strategies import pairs

from oracle import generate
from symview.engine import presburger

GENERATORS = {"pair": generate.pair, "accidental": generate.accidental, "movement_pair": generate.movement_pair}


@pytest.mark.parametrize("name", GENERATORS)
def test_merge_is_the_oracle_s(name, turns, least) -> None:
    rng, seen = Random(f"merge {name}"), Counter()
    for _ in turns(550 if name == "movement_pair" else 800):
        seen[agrees(*GENERATORS[name](rng))] += 1
    assert seen["merged"] > least(50)
    assert seen["broken"] > least(50)


@given(pairs())
def test_merge_of_any_small_pair(pair) -> None:
    agrees(*pair)


def test_out_of_bounds_wherever_the_oracle_says_so(turns, least) -> None:
    rng, seen = Random("out of bounds"), Counter()
    for _ in turns(1500):
        outer, inner = generate.pair(rng)
        kind = rng.randrange(3)
        if kind == 0:
            inner = inner._replace(offset=inner.offset + rng.choice((-3, -1, 1, 2, 50)))
        elif kind == 1 and outer.shape:
            axis = rng.randrange(len(outer.shape))
            outer = outer._replace(shape=generate._replace(outer.shape, axis, rng.randint(0, 2)))
        elif inner.shape:
            axis = rng.randrange(len(inner.shape))
            inner = inner._replace(shape=generate._replace(inner.shape, axis, inner.shape[axis] + 1))
        seen[agrees(outer, inner)] += 1
    assert min(seen[k] for k in ("out of bounds", "merged", "broken")) > least(100)


def test_without_islpy_the_answers_are_the_same(monkeypatch, turns) -> None:
    monkeypatch.setattr(presburger, "_isl", lambda: None)
    assert presburger.default_solver() == "z3"
    rng = Random("no isl")
    for turn in turns(120):
        agrees(*(generate.accidental, generate.pair)[turn % 2](rng))
