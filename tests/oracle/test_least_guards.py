"""The lightest guards against all subsets, at all points of a small box; joint conditions against each question."""

from __future__ import annotations

from itertools import chain, combinations, product
from random import Random
from typing import Any

import pytest

import symview
from symview import InputError, joint_conditions, least_guards, reshape_conditions
from symview.logic.notation import parse_assumption

BOX = range(-6, 7)
INSIDE = [parse_assumption("-6 <= x <= 6, -6 <= y <= 6")]  # a formula may be about names that no guard has


def _comparison(rng: Random) -> str:
    x, y = rng.sample(["x", "y"], 2)
    n, m = rng.randint(-4, 4), rng.choice([2, 3, 4, 6])
    return rng.choice(
        [f"{x} % {m} == {n % m if rng.random() < 0.3 else 0}", f"{x} >= {n}", f"{x} + {y} <= {n}", f"{x} == {m}*{y}",
         f"2*{x} - {y} != {n}", f"{x} // {m} == {n % 3}", f"{x} % {y} == 0", f"{m} // {x} <= {y}", f"{x} < {y}"]
    )  # fmt: skip


def any_guard(rng: Random) -> str:
    """A guard about x and y."""
    parts = [_comparison(rng) for _ in range(rng.choice((1, 1, 1, 2, 2, 3)))]
    text = rng.choice((" or ", " and ")).join(parts)
    return f"not ({text})" if rng.random() < 0.1 else text


def _holds(guard: str, point: dict[str, int]) -> bool:
    """Python's own answer, from left to right; a guard that divides by 0 on the way refuses."""
    try:
        return bool(eval(guard, {}, dict(point)))
    except ZeroDivisionError:
        return False


def _points(given: list[str]) -> list[dict[str, int]]:
    points = [{"x": x, "y": y} for x, y in product(BOX, BOX)]
    return [p for p in points if all(_holds(g, p) for g in given)]


def _least_weight(guards: list[str], weights: list[int], points: list[dict[str, int]]) -> int:
    """The weight of the lightest subset whose points are those of all guards."""
    table = [frozenset(n for n, g in enumerate(guards) if not _holds(g, p)) for p in points]
    refusing = [guards_of for guards_of in table if guards_of]
    subsets = chain.from_iterable(combinations(range(len(guards)), n) for n in range(len(guards) + 1))
    fitting = [s for s in subsets if all(r.intersection(s) for r in refusing)]
    return min(sum(weights[n] for n in s) for s in fitting)


def test_the_lightest_of_all_subsets(turns):
    rng, lighter_than_greedy, dropped = Random("guards"), 0, 0
    for _ in turns(75):
        guards = list(dict.fromkeys(any_guard(rng) for _ in range(rng.randint(1, 6))))
        weights = [rng.randint(1, 5) for _ in guards]
        given = [any_guard(rng)] if rng.random() < 0.3 else []
        points = _points(given)
        held = list(map(parse_assumption, given))
        found = least_guards(*guards, given=held, weights=weights, assume=INSIDE)
        assert found.optimal == "proved", (guards, found.reason)
        assert found.weight == _least_weight(guards, weights, points), (guards, weights, given)
        for point in points:  # what is kept implies all
            assert all(_holds(g, point) for g in guards) or not all(_holds(g, point) for g in found.kept)
        for values, refusing in found.points:
            assert values in points
            assert set(refusing) == {g for g in guards if not _holds(g, values)}
        dropped += len(found.dropped)
        lighter_than_greedy += found.weight < _greedy(guards, weights, points)
    assert dropped > len(turns(75)) / 3
    assert lighter_than_greedy >= 1


def _greedy(guards: list[str], weights: list[int], points: list[dict[str, int]]) -> int:
    """The weight that is left when guards go one by one, in order, while the others imply them."""
    kept = list(range(len(guards)))
    for n in range(len(guards)):
        rest = [m for m in kept if m != n]
        if all(_holds(guards[n], p) for p in points if all(_holds(guards[m], p) for m in rest)):
            kept = rest
    return sum(weights[n] for n in kept)


def test_primes_are_a_set_cover():
    """x % Π p == 0 over sets of primes: the fewest guards are the fewest sets that cover all primes."""
    found = least_guards("x % 6 == 0", "x % 10 == 0", "x % 15 == 0", "x % 2 == 0", "x % 3 == 0", "x % 5 == 0")
    assert found.weight == 2
    assert found.optimal == "proved"


SHAPES = ("(B*S,H,D)", "(B,S,H*D)", "(B*S,H*D)", "(B*S*H,D)")


def test_four_reshapes_of_one_tensor_need_four_clauses_and_three_at_sizes_from_2():
    def answers(assume: Any = ()) -> list[Any]:
        return [reshape_conditions("(B,S,H,D):(a,b,c,d)", shape, assume=assume) for shape in SHAPES]

    found = least_guards(*answers())
    assert (len(found.kept), found.optimal) == (4, "proved")
    found = least_guards(*answers(["B >= 2", "S >= 2", "H >= 2", "D >= 2"]))
    assert (found.kept, found.optimal) == (("a == S*b", "c == D*d", "b == H*c"), "proved")
    assert str(joint_conditions(*answers(["B >= 2", "S >= 2", "H >= 2", "D >= 2"]))) == (
        "a = S*b and c = D*d and b = H*c"
    )


def test_joint_conditions_hold_where_each_does(turns):
    rng = Random("joint")
    shapes = ["(a*b,c)", "(a,b*c)", "(a*b*c)", "(a,b,c)", "(a,c,b)", "(b,a,c)"]
    holds = 0
    for _ in turns(12):
        parts = [reshape_conditions("(a,b,c):(s,t,u)", shape) for shape in rng.sample(shapes, rng.randint(1, 3))]
        joint = joint_conditions(*parts)
        for _ in range(40):
            sizes = {n: rng.choice((1, 1, 2, 3)) for n in "abc"}
            values = {**sizes, "u": rng.choice((0, 1, 2)), "t": 0, "s": 0}
            values["t"] = values["u"] * values["c"] if rng.random() < 0.6 else rng.randint(0, 4)
            values["s"] = values["t"] * values["b"] if rng.random() < 0.6 else rng.randint(0, 9)
            wanted = all(p.holds(values) for p in parts)
            assert joint.holds(values) == wanted
            assert (joint.answer(values) is not None) == wanted
            holds += wanted
    assert holds > 10


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: joint_conditions(), "give conditions"),
        (lambda: joint_conditions("a == 1"), "give conditions"),
        (lambda: least_guards("x + 1"), "expected a comparison"),
        (lambda: least_guards("x == 1", weights=[0]), "positive integer"),
        (lambda: least_guards("x == 1", weights=[1, 2]), "one for each"),
        (lambda: least_guards("x == 1", weights=3), "one for each"),
        (lambda: least_guards("x == 1", weights={1}), "one for each"),
        (lambda: least_guards("x == 1", weights=iter([1])), "one for each"),
        (lambda: least_guards("x == 1", weights={"y == 1": 3}), "not guards"),
        (lambda: least_guards("lambda == 1"), "not a name in Python"),
        (lambda: least_guards("x == 1", assume="x > 2, x < 1"), "contradict"),
    ],
)
def test_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_no_guards_and_guards_that_always_hold():
    assert str(least_guards()) == "True"
    assert least_guards("x*x >= 0", "x == x").kept == ()
    assert symview.least_guards("x == 1", "x == 1").kept == ("x == 1",)


def test_weights_by_text_mind_no_blanks_around_it():
    assert least_guards(" x == 1 ", weights={" x == 1": 3}).weight == 3
