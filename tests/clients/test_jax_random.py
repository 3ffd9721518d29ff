"""Random dims, compared with what Python's integers say at many small values: a decision is never wrong."""

from __future__ import annotations

import itertools
import operator
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from jax import export
from jax._src import core

from symview import Proved, Refuted
from symview import jax as client
from symview.jax.dims import term_of
from symview.logic.terms import value_of

NAMES = ("a", "b", "c")
POINTS = tuple(itertools.product((1, 2, 3, 4, 5, 7, 12), repeat=len(NAMES)))
OPERATIONS = (
    operator.add, operator.add, operator.sub, operator.sub, operator.mul, operator.floordiv, operator.floordiv,
    operator.mod, operator.mod, core.max_dim, core.min_dim,
)  # fmt: skip
COMPARISONS = (operator.ge, operator.gt, operator.le, operator.lt)
CONSTRAINTS: dict[str, Callable[[int, int, int], bool]] = {
    "a >= b": lambda a, b, c: a >= b,
    "a <= 2*b": lambda a, b, c: a <= 2 * b,
    "b >= 3": lambda a, b, c: b >= 3,
    "c <= 5": lambda a, b, c: c <= 5,
    "mod(a, 4) == 0": lambda a, b, c: a % 4 == 0,
    "mod(a, b) == 0": lambda a, b, c: a % b == 0,
    "c == a + b": lambda a, b, c: c == a + b,
    "floordiv(a, 2) == b": lambda a, b, c: a // 2 == b,
    "max(a, c) >= 4": lambda a, b, c: max(a, c) >= 4,
    "a*b <= 12": lambda a, b, c: a * b <= 12,
    "a >= floordiv(b, c - 1)": lambda a, b, c: a >= b // (c - 1),
}

# inconclusive; a division by the number 0; constraints that JAX finds contradictory; its bounds 0 times infinity
NO_ANSWER = (core.InconclusiveDimensionOperation, ZeroDivisionError, ValueError, AssertionError)

Tree = Any  # a name, a number, or an operation and two trees


def random_tree(rng: Random, depth: int) -> Tree:
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(NAMES) if rng.random() < 0.7 else rng.choice((-3, -2, -1, 0, 1, 2, 3, 4, 8))
    return rng.choice(OPERATIONS), random_tree(rng, depth - 1), random_tree(rng, depth - 1)


def built(tree: Tree, values: dict[str, Any]) -> Any:
    """What the tree comes to, of dims or of integers."""
    if isinstance(tree, tuple):
        return tree[0](built(tree[1], values), built(tree[2], values))
    return values.get(tree, tree)


def at(tree: Tree, point: Sequence[int]) -> int | None:
    """The value at these integers; None where something is divided by 0."""
    try:
        return built(tree, dict(zip(NAMES, point, strict=True)))
    except ZeroDivisionError:
        return None


def random_dims(rng: Random) -> tuple[dict[str, Any], list[tuple[int, ...]]]:
    """Dims of one scope, and the points that meet its constraints."""
    while True:
        stated = rng.sample(list(CONSTRAINTS), rng.choice((0, 0, 1, 2)))
        try:
            dims = export.symbolic_shape("a, b, c", constraints=stated)
        except (ValueError, NotImplementedError, core.InconclusiveDimensionOperation):
            continue
        points = [p for p in POINTS if all(met(CONSTRAINTS[text], p) for text in stated)]
        if points:
            return dict(zip(NAMES, dims, strict=True)), points


def met(holds: Callable[..., bool], point: Sequence[int]) -> bool:
    """A constraint that divides by 0 forbids nothing, so that no decision may rest on it."""
    try:
        return holds(*point)
    except ZeroDivisionError:
        return True


def ask(compare: Callable[..., bool], left: Tree, right: Tree, dims: dict[str, Any]) -> bool | None:
    """JAX's answer with whatever is installed; None where it has none."""
    try:
        return bool(compare(built(left, dims), built(right, dims)))
    except NO_ANSWER:
        return None


def test_decisions_hold_at_all_small_values(turns: Any) -> None:
    count = Counter[str]()
    for seed in turns(250):
        rng = Random(seed)
        dims, points = random_dims(rng)
        left, right, compare = random_tree(rng, rng.choice((2, 3))), random_tree(rng, 2), rng.choice(COMPARISONS)
        own = ask(compare, left, right, dims)
        with client.installed():
            answer = ask(compare, left, right, dims)
        assert answer == own or own is None, (seed, left, right)
        sides = [(at(left, p), at(right, p)) for p in points]
        found = {compare(*pair) for pair in sides if None not in pair}
        assert answer is None or found <= {answer}, (seed, compare, left, right, answer)
        if len(found) == 1 and not any(None in pair for pair in sides):
            count["one answer in the box"] += 1
            count["of JAX"] += own is not None
            count["with the hook"] += answer is not None
    assert count["with the hook"] > count["of JAX"]


def test_dims_built_with_the_hook_mean_the_same(turns: Any) -> None:
    for seed in turns(150):
        rng = Random(seed)
        dims, points = random_dims(rng)
        tree = random_tree(rng, 3)
        try:
            with client.installed():
                dim = built(tree, dims)
        except NO_ANSWER:
            continue
        for point in points:
            expected = at(tree, point)
            if expected is not None:
                assert value_of(term_of(dim), dict(zip(NAMES, point, strict=True))) == expected, (seed, tree, dim)


def random_division(rng: Random) -> tuple[Tree, Tree]:
    """Often even: a multiple, a size cut down or padded to one, or a product of two sizes."""
    block = rng.choice((2, 3, 4, 8, "c", "b", (operator.mul, 2, "c"), (operator.add, "c", 1)))
    tree = random_tree(rng, rng.choice((0, 1, 2)))
    cut = (operator.sub, tree, (operator.mod, tree, block))
    padded = (operator.add, tree, (operator.mod, (operator.sub, 0, tree), block))
    pairs = (operator.mul, tree, (operator.sub, tree, 1))
    quotient = (operator.mul, (operator.floordiv, tree, block), block)
    upper = rng.choice((tree, cut, padded, pairs, quotient, (operator.mul, cut, "a"), (operator.sub, cut, padded)))
    lower = rng.choice((block, block, block, (operator.mul, block, -1), random_tree(rng, 1)))
    common = rng.choice((1, 1, "b", (operator.mul, "a", "b"), (operator.sub, "b", 1)))
    return (operator.mul, upper, common), (operator.mul, lower, common)


def test_quotients_and_remainders_hold_at_all_small_values(turns: Any) -> None:
    count = Counter[str]()
    for seed in turns(200):
        rng = Random(seed)
        dims, points = random_dims(rng)
        pair = random_division(rng)
        try:
            upper, lower = (built(tree, dims) for tree in pair)
            own = divmod(upper, lower)
            with client.installed():
                found = divmod(upper, lower)
        except NO_ANSWER:
            continue
        rests = set()
        for point in points:
            sides, names = [at(tree, point) for tree in pair], dict(zip(NAMES, point, strict=True))
            if None in sides or sides[1] == 0:
                rests.add(None)
                continue
            rests.add(sides[0] % sides[1])
            values = tuple(value_of(term_of(dim), names) for dim in found)
            assert values == divmod(*sides), (seed, pair, found, point)
        if core.is_symbolic_dim(own[1]):
            proved = not core.is_symbolic_dim(found[1])
            assert not proved or rests == {0}, (
                seed,
                pair,
                found,
            )  # nor is a divisor 0, unlike JAX
            count["even, and left open by JAX"] += rests == {0}
            count["proved"] += proved
    assert count["proved"] * 10 > count["even, and left open by JAX"] * 8, count


def test_equal_dims_are_equal_at_all_small_values(turns: Any) -> None:
    count = Counter[type]()
    for seed in turns(60):
        rng = Random(seed)
        dims, points = random_dims(rng)
        left = random_tree(rng, 2)
        right = random_tree(rng, 2) if rng.random() < 0.6 else (operator.sub, (operator.add, left, "a"), "a")
        try:
            sides = built(left, dims), built(right, dims)
        except NO_ANSWER:
            continue
        answer = client.equal(*sides)
        count[type(answer)] += 1
        values = [(at(left, p), at(right, p)) for p in points]
        if isinstance(answer, Proved):
            assert all(x == y for x, y in values if x is not None and y is not None), (seed, left, right)
        elif isinstance(answer, Refuted):
            one, other = (value_of(term_of(side), {"a": 1, "b": 1, "c": 1, **answer.values}) for side in sides)
            assert one != other, (seed, left, right)
    assert count[Proved] > 5
    assert count[Refuted] > 5
