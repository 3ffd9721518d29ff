"""Parametric sizes against brute force: where the conditions change, and what they are at every size."""

from __future__ import annotations

import itertools
from collections import Counter
from random import Random

import pytest
import sympy
from bridge import SIZE, STRIDES, case_at, equation_rows, named, orthogonal, primitive, strides_with, substituted

from oracle import brute, generate
from oracle.brute import V
from symview import Conditions, Kind, Status, View, conditions
from symview.engine import presburger, radix
from symview.engine.breaks import Growing, find_breaks

LIMIT = 90


def ask(shape: tuple[int, ...], t: int, o: int) -> Conditions:
    return conditions(View(shape, STRIDES[: len(shape)]), View((SIZE,), (t,), o))


def test_the_conditions_of_every_size(turns, full) -> None:
    rng, seen = Random("sizes"), Counter()
    for _ in turns(120):
        shape, t, o = generate.parametric(rng)
        answer, groups = ask(shape, t, o), brute.breaks(shape, t, o, LIMIT)
        end = groups[-1][1] if groups else 0
        seen[len(groups)] += 1
        assert [c.status for c in answer.cases].count(Status.OUT_OF_BOUNDS) == (size_limit_of(shape, t, o) is not None)
        for first, last, rows in groups:
            for n in range(first, last + 1):
                case = case_at(answer, n)
                assert case.status is (Status.WHEN if rows else Status.ALWAYS)
                if n in (first, last):
                    assert equation_rows(shape, case.equations) == rows
        if end < LIMIT:
            assert case_at(answer, end + 1).status is Status.OUT_OF_BOUNDS
            assert case_at(answer, 10**20).status is Status.OUT_OF_BOUNDS
        inside = [(first, last) for first, last, _ in groups if first <= LIMIT]
        for (_, last), (first, _) in itertools.pairwise(inside):
            assert case_at(answer, last) is not case_at(answer, first)
        check_holds(rng, answer, shape, t, o, groups)
    if full:
        assert min(seen[n] for n in (0, 1, 2, 3)) > 5


def size_limit_of(shape: tuple[int, ...], t: int, o: int) -> int | None:
    size = len(brute.indices(shape))
    if not 0 <= o < size:
        return 0
    return None if t == 0 else next(n for n in range(1, size + 2) if not 0 <= o + n * t < size)


def check_holds(rng: Random, answer: Conditions, shape, t: int, o: int, groups) -> None:
    width = len(brute.boundaries(shape))
    for first, last, rows in groups:
        for n in {first, last, rng.randint(first, last)}:
            strides = strides_with(rng, shape, orthogonal(rng, rows, width))
            merged = brute.merge(V(shape, strides), V((n,), (t,), o))
            values = named(strides, n=n)
            assert isinstance(merged, brute.Merged)
            assert answer.holds(values)
            assert answer.counterexample(values) is None
            if n > 1:
                found = substituted(case_at(answer, n).view, values)
                assert (found.strides, found.offset) == merged
            other = tuple(rng.randint(-5, 5) for _ in shape)
            expected = brute.merge(V(shape, other), V((n,), (t,), o))
            assert answer.holds(named(other, n=n)) == isinstance(expected, brute.Merged)
            broken = answer.counterexample(named(other, n=n))
            assert (broken is None) == isinstance(expected, brute.Merged)
            if broken is not None:
                assert (broken.index, broken.got) == (expected.index, expected.got)


def test_the_break_points_are_the_oracle_s(turns) -> None:
    rng = Random("break points")
    for _ in turns(100):
        shape, t, o = generate.parametric(rng)
        places = radix.boundaries(shape)
        groups = brute.breaks(shape, t, o, 150)
        found = find_breaks(places, len(brute.indices(shape)), Growing((1,), (0,), (t,), o))
        assert (Growing((1,), (0,), (t,), o).limit(len(brute.indices(shape)))) == size_limit_of(shape, t, o)
        short = [(s.first, min(s.last or 150, 150), s.rows.space.rows) for s in found if s.first <= 150]
        assert short == [(first, last, primitive(rows)) for first, last, rows in groups]
        assert all(s.rows.complete for s in found)
        for s in found:
            witnessed = brute.echelon(step.row for step in s.rows.steps)
            assert primitive(witnessed) == s.rows.space.rows
            assert all(step.index[0] <= (s.last or step.index[0]) - 1 for step in s.rows.steps)


def test_without_islpy_the_break_points_are_the_same(monkeypatch, turns) -> None:
    rng = Random("breaks without isl")
    for _ in turns(40):
        shape, t, o = generate.parametric(rng)
        first = ask(shape, t, o)
        with monkeypatch.context() as patch:
            patch.setattr(presburger, "_isl", lambda: None)
            assert ask(shape, t, o) == first


def test_the_smallest_size_and_strides_that_break(turns, full) -> None:
    rng, found_some = Random("smallest size"), 0
    for _ in turns(40):
        shape, t, o = generate.parametric(rng)
        if len(shape) > 3 or not 0 <= o < len(brute.indices(shape)):
            continue
        answer, least = ask(shape, t, o), ask(shape, t, o).counterexample()
        statuses = {c.status for c in answer.cases}
        if Status.WHEN not in statuses:
            limit = size_limit_of(shape, t, o)
            assert (least is None) == (limit is None)
            assert least is None or (least.kind, least.values["n"]) == (Kind.OUT_OF_BOUNDS, limit + 1)
            continue
        found_some += 1
        n = least.values["n"]
        assert not brute.row_space(shape, V((n - 1,), (t,), o))
        strides = tuple(least.values[f"σ{k + 1}"] for k in range(len(shape)))
        expected = brute.merge(V(shape, strides), V((n,), (t,), o))
        assert (least.index, least.expected, least.got) == (expected.index, expected.expected, expected.got)
        level = sum(map(abs, strides))
        for smaller in range(level):
            assert not breaks_at(shape, V((n,), (t,), o), smaller)
    if full:
        assert found_some > 8


def breaks_at(shape: tuple[int, ...], inner: V, level: int) -> bool:
    import itertools

    vectors = itertools.product(range(-level, level + 1), repeat=len(shape))
    return any(isinstance(brute.merge(V(shape, v), inner), brute.Broken) for v in vectors if sum(map(abs, v)) == level)


def test_the_merge_of_adjacent_sizes_with_one_answer() -> None:
    """A symbol shared by the strides can make two of the engine's stretches one case."""
    a = sympy.Symbol("a", integer=True)
    answer = conditions(View((10, 3, 3), (9 * a, 3 * a, a)), View((SIZE,), (4,)))
    assert [c.status for c in answer.cases] == [Status.ALWAYS, Status.OUT_OF_BOUNDS]
    never = conditions(View((10, 3, 3), (1, 1, 1)), View((SIZE,), (4,)))
    assert [c.status for c in never.cases] == [Status.ALWAYS, Status.NEVER, Status.OUT_OF_BOUNDS]
    assert case_at(never, 3).status is Status.ALWAYS
    assert case_at(never, 4).status is case_at(never, 23).status is Status.NEVER
    # What is said of all sizes from 4 on rests on indices that size 4 has.
    assert [w.index for w in case_at(never, 4).witnesses] == [(3,)]


@pytest.mark.parametrize("axes", [(0,), (1,), (2,)])
def test_the_open_size_among_axes_of_size_1(axes: tuple[int, ...]) -> None:
    """The witnesses and the view are about the whole inner view."""
    (axis,) = axes
    shape, steps = [1, 1, 1], [7, 7, 7]
    shape[axis], steps[axis] = SIZE, 4
    answer = conditions(View((10, 3, 3), STRIDES[:3]), View(shape, steps))
    line = conditions(View((10, 3, 3), STRIDES[:3]), View((SIZE,), (4,)))
    assert str(answer) == str(line)
    for case, plain in zip(answer.cases, line.cases, strict=True):
        for witness, other in zip(case.witnesses, plain.witnesses, strict=True):
            assert witness.index[axis] == other.index[0]
            assert (witness.axis, witness.pattern) == (axis, other.pattern)
    assert answer.holds(named((9, 3, 1), n=20))
    assert not answer.holds(named((9, 3, 2), n=20))


def test_size_zero_where_it_is_allowed() -> None:
    outer = View((4, 2), STRIDES[:2])
    plain = conditions(outer, View((SIZE,), (3,), 1))
    zero = conditions(outer, View((SIZE,), (3,), 1), assume=SIZE >= 0)
    assert [str(c) for c in zero.cases][-1:] == [str(c) for c in plain.cases][-1:]
    assert zero.holds({"n": 0, "σ1": 5, "σ2": 1})
    outside = conditions(outer, View((SIZE,), (3,), 9), assume="n >= 0")
    assert [c.status for c in outside.cases] == [Status.ALWAYS, Status.OUT_OF_BOUNDS]
    assert outside.holds({"n": 0, "σ1": 5, "σ2": 1})
