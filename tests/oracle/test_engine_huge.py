"""Sizes up to 10^18: nothing to walk, so the engines against each other and against the definition at points."""

from __future__ import annotations

from collections import Counter
from random import Random

from bridge import box, points, strides_with, symbolic, view

from oracle import brute, generate
from oracle.brute import V
from symview import Budget, Counterexample, View, compose_at, conditions, merge
from symview.engine import radix
from symview.engine.decide import digits_of
from symview.engine.overflow_space import find_rows


def test_merge_at_sampled_points(turns, least) -> None:
    rng, seen = Random("huge merge"), Counter()
    for turn in turns(600):
        outer, inner = generate.huge_pair(rng)
        rows = find_rows(radix.boundaries(outer.shape), box(inner))
        assert rows.complete
        if turn % 3 == 0:  # strides that solve the conditions
            defects = rows.space.complement()
            mixed = [sum(rng.choice((-1, 1, 2)) * d[c] for d in defects) for c in range(rows.space.width)]
            outer = outer._replace(strides=strides_with(rng, outer.shape, mixed))
        found = merge(view(outer), view(inner))
        digits = digits_of(outer.shape, outer.strides)
        orthogonal = not any(sum(map(int.__mul__, row, digits.defects)) for row in rows.space.rows)
        assert isinstance(found, View) == orthogonal
        seen[type(found).__name__ + (" beyond contiguity" if any(digits.defects) else "")] += 1
        if isinstance(found, View):
            for index in points(rng, inner.shape, 20):
                assert found.at(index) == brute.compose(outer, inner, index)
                assert found.at(index) == compose_at(view(outer), view(inner), index=index)
        else:
            check_counterexample(rng, found, outer, inner)
    assert seen["View beyond contiguity"] > least(50)
    assert seen["Counterexample beyond contiguity"] > least(50)


def check_counterexample(rng: Random, found: Counterexample, outer: V, inner: V) -> None:
    """It replays on the definition, and no smaller index that was tried breaks the merge."""
    index, shape, rank = found.index, inner.shape, len(inner.shape)
    start = brute.compose(outer, inner, (0,) * rank)
    along = [brute.compose(outer, inner, brute.unit(rank, j)) - start if n > 1 else 0 for j, n in enumerate(shape)]

    def linear(i: brute.Index) -> int:
        return start + sum(a * b for a, b in zip(i, along, strict=True))

    assert found.got == brute.compose(outer, inner, index) != found.expected == linear(index)
    assert found.smallest
    for other in points(rng, tuple(i + 1 for i in index), 20):
        if other != index:
            assert brute.compose(outer, inner, other) == linear(other)
    for _ in range(20):  # same sum, lexicographically before; or one less in sum
        other = moved(rng, index, shape)
        if other is not None:
            assert brute.compose(outer, inner, other) == linear(other)


def moved(rng: Random, index: brute.Index, shape: tuple[int, ...]) -> brute.Index | None:
    """A random index of the box that comes before."""
    other = list(index)
    for _ in range(3):
        a, b = rng.randrange(len(index)), rng.randrange(len(index))
        step = rng.randint(0, max(0, min(other[a], shape[b] - 1 - other[b])))
        other[a], other[b] = other[a] - step, other[b] + step
    if rng.random() < 0.5:
        axis = rng.randrange(len(index))
        other[axis] = max(0, other[axis] - 1)
    return tuple(other) if (sum(other), other) < (sum(index), list(index)) else None


def test_the_engines_agree(turns, least) -> None:
    """auto answers every pair; Z3 may give up on some, and where it does not it finds the same space."""
    rng, decided = Random("huge engines"), 0
    for _ in turns(80):
        outer, inner = generate.huge_pair(rng)
        places = radix.boundaries(outer.shape)
        auto, smt = find_rows(places, box(inner)), find_rows(places, box(inner), "smt", Budget(work=3_000_000))
        assert auto.complete
        if smt.complete:
            decided += 1
            assert auto.space == smt.space
        else:
            assert all(row in auto.space for row in smt.space.rows)
    assert decided > least(60)


def test_conditions_of_huge_views_are_answered_alike(turns) -> None:
    rng = Random("huge conditions")
    for _ in turns(25):
        outer, inner = generate.huge_pair(rng)
        answers = [conditions(symbolic(outer), view(inner), engine=engine) for engine in ("auto", "smt")]
        if answers[1].cases[0].status != "undecided":
            assert answers[0] == answers[1]
        for witness in answers[0].cases[0].witnesses:
            assert witness.digits == brute.unravel(brute.address(inner, witness.index), outer.shape)
