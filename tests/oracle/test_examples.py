"""Examples of conditions beside brute force: each says what happens at its values, on both sides of every condition."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from oracle import brute, parametric
from oracle.brute import V
from oracle.reshape_patterns import PATTERNS
from symview import Example, InputError, NotSupported, Status, View, conditions, dense_conditions, reshape_conditions
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
    if not example.views:
        assert not example.merges and example.counterexample is None
        return "sizes"
    outer, inner = map(plain, example.views)
    found, broken = example.view, example.counterexample
    assert (found is None) != (broken is None)
    try:
        expected = brute.merge(outer, inner)
    except brute.OutOfBounds:
        assert broken is not None and broken.kind == "out of bounds"
        return "outside"
    assert example.merges == isinstance(expected, brute.Merged), example
    if broken is None:
        for index in brute.indices(inner.shape):
            assert found.at(index) == brute.compose(outer, inner, index), (example, index)
        return "merges"
    assert broken.index == expected.index
    assert (broken.expected, broken.got) == (expected.expected, expected.got), example
    assert broken.values == example.values
    return "breaks"


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


def test_patterns_of_reshapes(turns) -> None:
    rng, seen = Random("examples"), Counter()
    for pattern in rng.sample(PATTERNS, min(len(PATTERNS), len(turns(40)))):
        reshape = pattern.reshape()
        found = reshape_conditions(View.parse(str(reshape.view)), read_shape(f"({','.join(reshape.shape)})"),
                                   assume=reshape.assume)  # fmt: skip
        for example in found.examples(8):
            assert all(parametric.at(text, example.values) for text in reshape.assume)
            told = check(example)
            seen[told] += 1
            assert found.holds(example.values) == example.merges
            if told == "sizes":
                assert reshape.target(example.values) is None
    assert min(seen[k] for k in ("merges", "breaks", "sizes")) > 20, seen


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
    with pytest.raises(NotSupported):
        dense_conditions(View.parse("(n,m):(p,q)")).examples()
