"""Names in the inner strides and the offset, all sizes being numbers: exact at every integer in and out of bounds."""

from __future__ import annotations

from collections import Counter
from math import prod
from random import Random

import pytest
from bridge import orthogonal, strides_with

from oracle import brute, generate, parametric
from oracle.parametric import Cases, Pair, compiled, is_inside, merged, opened
from symview import Conditions, Status, View, conditions

NAMED = {
    "two axes": ("(4,3):(a,b)", "(2,3):(t,u)+o"),
    "one axis": ("(4,3):(a,b)", "(3):(t)+o"),
    "one axis of two points": ("(4,3):(a,b)", "(2):(t)+o"),
    "one axis, long": ("(4,3):(a,b)", "(7):(t)+o"),
    "no offset": ("(5,2,2):(a,b,c)", "(3,2):(t,u)"),
    "only an offset": ("(4,3):(a,b)", "(2,2):(3,1)+o"),
    "an offset with a carry": ("(4,3):(a,b)", "(2,2):(1,1)+o"),
    "one name twice": ("(4,3):(a,b)", "(2,2):(t,t)+o"),
    "a name and its double": ("(6,2):(a,b)", "(2,3):(2*t,t)+o"),
    "a name in the offset too": ("(4,3):(a,b)", "(3):(-t)+2*t"),
    "an axis of size 1": ("(4,3):(a,b)", "(1,3):(t,u)+o"),
    "an axis of size 0": ("(4,3):(a,b)", "(0,3):(t,u)+o"),
    "no axis": ("(4,3):(a,b)", "():()+o"),
    "an outer dim of size 1": ("(4,1,3):(a,b,c)", "(3):(t)+o"),
    "one outer dim": ("(7):(a)", "(2,3):(t,u)+o"),
    "three outer dims": ("(2,3,2):(a,b,c)", "(3):(t)+o"),
    "outer strides that are numbers": ("(4,3):(1,1)", "(2,3):(t,u)+o"),
    "contiguous outer": ("(4,3):(3,1)", "(2,3):(t,u)+o"),
    "contiguous in a name": ("(4,3):(3*a,a)", "(2,2):(t,u)+o"),
    "one outer name": ("(4,3):(a,1)", "(4):(t)+o"),
}


def pair_of(name: str) -> Pair:
    return Pair(*map(opened, NAMED[name]))


def ask(pair: Pair) -> Conditions:
    return conditions(View.parse(str(pair.outer)), View.parse(str(pair.inner)), assume=pair.assume)


def values_of(rng: Random, pair: Pair, count: int) -> list[dict[str, int]]:
    """Half of them in bounds if there are as many, the rest right outside or anywhere up to there."""
    size = prod(pair.outer.at(dict.fromkeys(pair.names(), 0)).shape)
    names = pair.inner.names()
    spans = {name: range(-size - 2, size + 3) for name in names}
    every = prod(map(len, spans.values()))
    rows = list(parametric.all_values(spans)) if every <= 3000 else [
        {name: rng.choice(span) for name, span in spans.items()} for _ in range(3000)
    ]  # fmt: skip
    shape = tuple(map(int, pair.outer.shape))
    inside = [v for v in rows if is_inside(shape, pair.inner.at(v))]
    outside = [v for v in rows if not is_inside(shape, pair.inner.at(v))]
    tried = parametric.some(rng, outside, 300)
    near = [v for v in tried if any(is_inside(shape, pair.inner.at(w)) for w in neighbours(v))]
    chosen = parametric.some(rng, inside, count)
    return chosen + parametric.some(rng, near, count // 2) + parametric.some(rng, outside, count // 4)


def neighbours(values: dict[str, int]):
    for name, value in values.items():
        yield {**values, name: value + 1}
        yield {**values, name: value - 1}


def outer_strides(rng: Random, pair: Pair, values: dict[str, int]):
    """Values of the outer names: random, and such that the views merge, and nearly."""
    names = [n for n in pair.outer.names() if n not in values]
    for _ in range(2):
        yield values | {name: rng.randint(-4, 6) for name in names}
    shape = tuple(map(int, pair.outer.shape))
    yield values | dict(zip(names, brute.place_values(shape), strict=False))
    rows = parametric.row_space(shape, pair.inner.at(values))
    if rows is None or len(names) < len(shape):
        return
    width = len(brute.over_defects(shape, (0,) * len(shape)))
    merging = strides_with(rng, shape, orthogonal(rng, rows, width))
    yield values | dict(zip(names, merging, strict=True))
    axis = rng.randrange(len(shape))
    yield values | dict(zip(names, generate._replace(merging, axis, merging[axis] + 1), strict=True))


def check(rng: Random, pair: Pair, answer: Conditions, values: list[dict[str, int]]) -> Counter:
    cases, formula, seen = Cases(answer), compiled(answer.formula()), Counter()
    symbols = set(answer.symbols())
    for known in values:
        for given in outer_strides(rng, pair, known):
            outer, inner = pair.outer.at(given), pair.inner.at(given)
            expected = merged(outer, inner)
            right, status = expected is not None, cases.at(given).status
            seen[status] += 1
            seen[right] += 1
            assert (status is Status.OUT_OF_BOUNDS) == (not is_inside(outer.shape, inner)), (pair, given)
            assert cases.holds(given) == formula(given) == right, (pair, given, cases.at(given))
            if expected is not None:
                cases.check_view(given, inner.shape, expected)
            if rng.random() < 0.1:
                assert answer.holds({n: v for n, v in given.items() if n in symbols}) == right, (pair, given)
    return seen


@pytest.mark.sampled
@pytest.mark.parametrize("name", NAMED)
def test_named_pairs_in_and_out_of_bounds(name, effort) -> None:
    rng, pair = Random(name), pair_of(name)
    seen = check(rng, pair, ask(pair), values_of(rng, pair, 60 * effort))
    assert seen[True] + seen[False] > 30, seen
    if "o" in pair.inner.names() and "0" not in pair.inner.shape:
        assert min(seen[True], seen[False], seen[Status.OUT_OF_BOUNDS]) > 5, seen


def test_random_pairs_in_and_out_of_bounds(turns, full, least) -> None:
    rng, seen, views = Random("open strides"), Counter(), Counter()
    for _ in turns(30):
        pair = parametric.open_strides(rng)
        reached = check(rng, pair, ask(pair), values_of(rng, pair, 24))
        seen.update(reached)
        views.update(set(reached))
    assert min(seen[True], seen[False], seen[Status.OUT_OF_BOUNDS]) > least(300), seen
    if full:
        assert min(views[s] for s in (Status.ALWAYS, Status.WHEN, Status.OUT_OF_BOUNDS)) > 8, views


def test_the_generator_reaches_conditions_and_bounds(turns, least) -> None:
    rng, seen = Random("open strides reach"), Counter()
    for _ in turns(60):
        pair = parametric.open_strides(rng)
        shape = tuple(map(int, pair.outer.shape))
        for values in values_of(rng, pair, 10):
            rows = parametric.row_space(shape, pair.inner.at(values))
            seen["out of bounds" if rows is None else "when" if rows else "always"] += 1
    assert min(seen.values()) > least(80), seen
