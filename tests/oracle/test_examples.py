"""Examples of conditions beside brute force: each says what happens at its values, on both sides of every condition."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from oracle import brute, cute_brute, density_brute, parametric
from oracle.brute import V
from oracle.reshape_patterns import PATTERNS
from symview import (
    Conditions,
    Example,
    InputError,
    Kind,
    Status,
    SymviewError,
    View,
    conditions,
    contiguous_conditions,
    dense_conditions,
    injective_conditions,
    reshape_conditions,
)
from symview.cute import (
    Layout,
    coalesce_conditions,
    composition_conditions,
    left_inverse_conditions,
    right_inverse_conditions,
)
from symview.show.steps import left_pair
from symview.view_notation import read_shape

PAIRS = (
    ("(10,3,3):(a,b,c)", "(s):(4)"),
    ("(10,3,3):(a,b,c)", "(s,t):(4,1)"),
    ("(6,6):(a,b)", "(3,3):(t,u)"),
    ("(4,6,8):(a,b,c)", "(6):(3)"),
    ("(N,Q):(s,t)", "(k):(2)"),
    ("(N,M,K):(a,b,c)", "(n,m):(K,1)"),
    ("(5,4):(a,b)", "(3):(t)"),
    ("(10,3,3):(9,3,1)", "(4,2):(4,-1)+1"),
    ("(4,4):(a,b)", "(2,2):(t,-1)+3"),
)


def plain(view: View) -> V:
    return V(tuple(view.shape), tuple(view.strides), view.offset)


def check(example: Example) -> str:
    """Compares one with the walk over the whole box; says what it shows."""
    if example.answer is None and example.counterexample is None:
        return "sizes"
    outer, inner = map(plain, example.question.views)
    found, broken = example.view, example.counterexample
    assert (found is None) != (broken is None)
    try:
        expected = brute.merge(outer, inner)
    except brute.OutOfBounds:
        assert broken is not None and broken.kind == "out of bounds"
        return "outside"
    assert example.holds == isinstance(expected, brute.Merged), example
    if broken is None:
        for index in brute.indices(inner.shape):
            assert found.at(index) == brute.compose(outer, inner, index), (example, index)
        return "merges"
    assert broken.index == expected.index
    assert (broken.expected, broken.got) == (expected.expected, expected.got), example
    assert broken.values == example.values
    return "breaks"


@pytest.mark.sampled
@pytest.mark.parametrize(("outer", "inner"), PAIRS)
def test_pairs(outer, inner) -> None:
    found = conditions(View.parse(outer), View.parse(inner))
    given = found.examples(24)
    assert len({tuple(e.values.items()) for e in given}) == len(given)
    seen = Counter(map(check, given))
    status = {case.status for case in found.cases}
    assert seen["merges"] or status <= {Status.NEVER, Status.OUT_OF_BOUNDS}
    assert seen["breaks"] or not status & {Status.WHEN, Status.NEVER}
    assert seen["outside"] or Status.OUT_OF_BOUNDS not in status
    for n in (1, 7):
        assert found.examples(n) == given[: min(n, len(given))]


def test_patterns_of_reshapes(turns, least) -> None:
    rng, seen = Random("examples"), Counter()
    for pattern in rng.sample(PATTERNS, min(len(PATTERNS), len(turns(25)))):
        reshape = pattern.reshape()
        found = reshape_conditions(View.parse(str(reshape.view)), read_shape(f"({','.join(reshape.shape)})"),
                                   assume=reshape.assume)  # fmt: skip
        for example in found.examples(8):
            assert all(parametric.at(text, example.values) for text in reshape.assume)
            result = check(example)
            seen[result] += 1
            assert found.holds(example.values) == example.holds
            if result == "sizes":
                assert reshape.target(example.values) is None
    assert min(seen[k] for k in ("merges", "breaks", "sizes")) > least(20), seen


def test_every_condition_is_broken_alone() -> None:
    """Three dims into one: for each clause some values break no other one, some of them just so."""
    found = reshape_conditions(View.parse("(a,b,c):(s,t,u)"), View.parse("(a*b*c)").shape)
    given = found.examples(30)
    broken = Counter(
        tuple(n for n, clause in enumerate(found.clauses) if not parametric.at(text(clause), e.values)) for e in given
    )
    assert {(0,), (1,), (2,)} <= set(broken)
    near = {e.values["s"] - e.values["b"] * e.values["t"] for e in given if e.values["a"] > 1 and e.values["b"] > 1}
    assert {0, 1} <= near


def text(clause) -> str:
    from symview.logic.notation import term_text

    return term_text(clause)


def test_what_is_no_number_of_examples() -> None:
    found = conditions(View.parse("(4,4):(a,b)"), View.parse("(8):(2)"))
    for n in (0, -1, 1.5, True, "3"):
        with pytest.raises(InputError):
            found.examples(n)


def strided(kind: str, view: View, flips: bool, order: list[int]) -> Conditions:
    if kind == "dense":
        return dense_conditions(view, flips)
    return injective_conditions(view) if kind == "injective" else contiguous_conditions(view, order)


def walked(kind: str, laid: density_brute.Laid, flips: bool, order: list[int]) -> bool:
    if kind == "dense":
        return density_brute.dense(laid, flips)
    return density_brute.injective(laid) if kind == "injective" else density_brute.contiguous(laid, order)


def test_strides(turns, full) -> None:
    """Dense, injective, contiguous in an order: what is said at the values is so by walking every address."""
    rng, seen = Random("examples of strides"), Counter()
    for _turn in turns(30):
        laid = density_brute.named(rng)
        order = rng.sample(range(len(laid.shape)), len(laid.shape))
        flips, kind = rng.random() < 0.5, rng.choice(("dense", "injective", "contiguous"))
        try:
            query = strided(kind, View.parse(str(laid)), flips, order)
            given = query.examples(6)
        except SymviewError:  # bounds of the mask that contradict the sizes
            continue
        assert len({tuple(e.values.items()) for e in given}) == len(given) > 0
        for example in given:
            there = laid.at(example.values)
            expected = walked(kind, there, flips, order)
            assert (example.question.claim, example.question.view) == (kind, View(*there))
            assert example.holds == expected == query.holds(example.values), example
            seen[kind, expected] += 1
    if full:
        assert len(seen) == 6 and min(seen.values()) > 5, seen


def modes(layout: Layout) -> cute_brute.Modes:
    return list(layout.flat())


def test_compositions_of_layouts(turns, full) -> None:
    """There is a layout exactly where walking the tables finds one, and it has the composition's values."""
    rng, seen = Random("examples of layouts"), Counter()
    for _turn in turns(30):
        outer, inner = cute_brute.random_outer(rng, 3), cute_brute.random_inner(rng, 40, 2)
        if cute_brute.size(inner) > 60:
            continue
        names = "abc"[: len(outer)]
        query = composition_conditions(
            Layout.parse(f"({','.join(str(n) for n, _ in outer)}):({','.join(names)})"),
            Layout(tuple(n for n, _ in inner), tuple(d for _, d in inner)),
        )
        given = query.examples(6)
        assert len({tuple(e.values.items()) for e in given}) == len(given) > 0
        for example in given:
            there = [(n, example.values.get(a, 0)) for (n, _), a in zip(outer, names, strict=True)]
            expected = cute_brute.composition(there, inner)
            assert example.holds == (expected is not None) == query.holds(example.values), example
            if example.holds:
                wanted = [cute_brute.value(there, x) for x in cute_brute.table(inner)]
                assert cute_brute.table(modes(example.layout)) == wanted, example
                assert example.counterexample is None
            seen[example.holds] += 1
    if full:
        assert min(seen[True], seen[False]) > 10, seen


@pytest.mark.parametrize("text", ["(2,n):(1,a)", "(n,m):(1,n)", "(n,3):(a,b)", "(2,2,n):(a,b,1)"])
def test_layouts_of_other_operations(text) -> None:
    layout = Layout.parse(text)
    for example in coalesce_conditions(layout).examples(8):
        there = Layout.parse(str(example.question).removeprefix("coalesce of "))
        assert cute_brute.table(modes(example.layout)) == cute_brute.table(modes(there))
    for example in right_inverse_conditions(layout).examples(8):
        there = Layout.parse(str(example.question).removeprefix("right_inverse of "))
        count = example.layout.size()
        assert cute_brute.right_inverse(modes(there), example.layout, count), example


@pytest.mark.parametrize("text", ["(4,b,8,2):(b-3,b+1,4,1)", "(8,3):(a,8)", "(2,n):(3,1)"])
def test_left_inverses_are_as_long_as_the_values_ask(text) -> None:
    """Those of symbols and of numbers need not be one."""
    given = left_inverse_conditions(Layout.parse(text)).examples(8)
    for example in given:
        there = Layout.parse(str(example.question).removeprefix("left_inverse of "))
        values = cute_brute.table(modes(there))
        if example.holds:
            back = [cute_brute.value(modes(example.layout), v) for v in values]
            assert [cute_brute.value(modes(there), x) for x in back] == values, example
    assert any(e.holds for e in given)


def test_of_three_views_any_may_leave_the_one_before() -> None:
    for texts in (("(2):(a)", "(3,3):(3,1)", "(2*n-1):(1)"), ("(s):(a)", "(n):(1)", "(2,m):(n,1)")):
        outside = [
            e
            for e in conditions(*map(View.parse, texts)).examples(8)
            if e.counterexample is not None and e.counterexample.kind is Kind.OUT_OF_BOUNDS
        ]
        assert outside
        for example in outside:
            outer, inner = map(plain, left_pair(example.counterexample, example.question.views))
            with pytest.raises(brute.OutOfBounds):
                brute.merge(outer, inner)
