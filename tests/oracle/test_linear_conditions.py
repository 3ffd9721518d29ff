"""Symbolic strides beside linear layouts, against numbers for the symbols."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import prod
from random import Random

import pytest
import sympy

from oracle import linear_brute as brute
from symview import Conditions, View
from symview.answers import AmbiguousTruth, Status
from symview.cute import ComposedLayout, Layout, LinearLayout, Swizzle
from symview.cute.linear.conditions import same_function_conditions, to_linear_conditions, to_view_conditions
from symview.errors import NotSupported, SymbolError

A, B, C = sympy.symbols("a b c", integer=True)


def values_of(x) -> list[int]:
    if isinstance(x, View):
        return [x.at(i) for i in product(*map(range, x.shape))]
    return [x(i) for i in range(x.size())]


def random_strided(rng: Random, sizes) -> Layout:
    """Strides that are symbols, sums of them, multiples, or numbers."""
    entry = (A, B, C, A + B, 2 * A, A - 2 * B, 1, 2, 4, 8, 0)
    return Layout(tuple(sizes), tuple(rng.choice(entry) for _ in sizes))


def of(found: Conditions, values: dict[str, int]) -> dict[str, int]:
    """The values of the symbols that there are."""
    return {n: values[n] for n in found.symbols()}


def test_equal_to_numbers(turns, full) -> None:
    rng, seen = Random("equal with symbols"), Counter()
    for _ in turns(60):
        modes = brute.random_modes(rng, 24, negative=False)
        numbers = Layout(tuple(n for n, _ in modes), tuple(d for _, d in modes))
        other = rng.choice((numbers, ComposedLayout(Swizzle(*rng.choice(list(brute.swizzles(4)))), 0, numbers)))
        if numbers.size() & (numbers.size() - 1) == 0 and rng.random() < 0.6:
            k = numbers.size().bit_length() - 1
            other = LinearLayout([1 << rng.randrange(4) for _ in range(k)] if rng.random() < 0.7 else
                                 [rng.randrange(8) for _ in range(k)])  # fmt: skip
            modes = [(2, 0)] * k
        layout = random_strided(rng, [n for n, _ in modes])
        offset = rng.choice((0, 0, C))
        view = View(layout.to_view().shape, layout.to_view().strides, offset)
        found = same_function_conditions(view, other)
        wanted = values_of(other)
        for _ in range(30):
            at = {n: rng.randrange(-1, 9) for n in "abc"}
            same = values_of(view.with_values(at)) == wanted
            assert found.holds(of(found, at)) == same, (view, other, at)
            assert (found.counterexample(of(found, at)) is None) == same
        status = found.cases[0].status
        if status is Status.WHEN:
            solution = sympy.solve(found.cases[0].equations, dict=True)[0]
            at = {str(s): sympy.sympify(solution.get(s, s)).subs({A: 2, B: 2, C: 2}) for s in (A, B, C)}
            if all(x.is_integer for x in at.values()):
                at = {name: int(x) for name, x in at.items()}
                assert values_of(view.with_values(at)) == wanted and found.holds(of(found, at))
                seen["solved"] += 1
        elif found.symbols() and status is Status.NEVER:
            assert not found.counterexample()
        seen[status] += 1
    if full:
        assert min(seen[Status.WHEN], seen[Status.NEVER]) > 8, seen


def test_strided_in_front_of_linear(turns, full) -> None:
    rng, seen = Random("strided in front of linear"), Counter()
    for _ in turns(80):
        k = rng.randint(1, 4)
        bases = [rng.choice((1 << rng.randrange(k), rng.randrange(1 << k))) for _ in range(k)]
        inner = LinearLayout({"x": bases}, {"y": 1 << k}, [rng.choice((0, 1))])
        layout = ComposedLayout(random_strided(rng, [2] * k), 0, inner)
        found = to_view_conditions(layout)
        for _ in range(20):
            at = {n: rng.randrange(-2, 4) for n in "abc"}
            front = layout.layoutB.with_values(at)
            values = [front(v) for v in values_of(layout.layoutA)]
            strided = bool(brute.views_of(values))
            assert found.holds(of(found, at)) == strided, (layout, at)
            if strided:
                assert values_of(found.answer(of(found, at))) == values
        seen[found.cases[0].status] += 1
    if full:
        assert min(seen[Status.WHEN], seen[Status.ALWAYS]) > 10 and seen[Status.NEVER] > 0, seen


def test_when_it_is_linear(turns, full) -> None:
    rng, seen = Random("linear with symbols"), Counter()
    for _ in turns(60):
        sizes = [rng.choice((1, 2, 2, 3, 4, 5)) for _ in range(rng.randint(0, 3))]
        layout = random_strided(rng, sizes)
        view = View(layout.to_view().shape, layout.to_view().strides, rng.choice((0, 0, C, 5)))
        found = to_linear_conditions(view)
        for _ in range(25):
            at = {n: rng.choice((0, 1, 2, 4, 8, 16, -1, rng.randrange(20))) for n in "abc"}
            numbers = view.with_values(at)
            values = values_of(numbers)
            places = [prod(sizes[:j]) for j in range(len(sizes))]
            bases = [[values[p << i] ^ values[0] for i in range((n - 1).bit_length())]
                     for n, p in zip(sizes, places, strict=True)]  # fmt: skip
            linear = brute.on_box(sizes, bases, values[0]) == values and min(values) >= 0
            assert found.holds(of(found, at)) == linear, (view, at)
            assert (found.counterexample(of(found, at)) is None) == linear
            seen[found.cases[0].status, linear] += 1
        if found.cases[0].status is Status.NEVER and found.symbols():
            assert not found.counterexample()
    if full:
        assert seen[Status.WHEN, True] > 40 and seen[Status.WHEN, False] > 100, seen
        assert seen[Status.NEVER, False] > 20 and seen[Status.ALWAYS, True] > 20, seen


def test_the_last_bit_of_a_coordinate_leads_below_0() -> None:
    found = to_linear_conditions(View.parse("(5):(2*a)+c"))
    assert str(found.counterexample({"a": -1, "c": 6}).reason).startswith("not linear: at index 4 the value is -2")
    assert found.holds({"a": -1, "c": 14})


def test_what_is_refused() -> None:
    layout = Layout.parse("(4,2):(a,b)")
    found = same_function_conditions(layout, LinearLayout([1, 2, 8]))
    with pytest.raises(AmbiguousTruth, match="look at"):
        bool(found)
    assert str(found.counterexample()) == "with a = 0, b = 0: they differ: at index 1 the first has 0, the second 1"
    with pytest.raises(SymbolError, match="numbers are needed"):
        same_function_conditions(Layout.parse("(n,2):(a,b)"), LinearLayout([1, 2, 8]))
    with pytest.raises(NotSupported, match="power of two"):
        to_view_conditions(ComposedLayout(layout, 0, Layout((3, 2))))
