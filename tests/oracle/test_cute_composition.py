"""Composition against tables: every layout that exists is found, in CuTe's form, and none that does not."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import prod
from random import Random

import pycute
import pytest
import tensor_layouts

from oracle import cute_brute
from oracle.cute_brute import Modes
from symview import Counterexample
from symview.cute import Layout, try_composition


def layout(modes: Modes) -> Layout:
    return Layout(tuple(n for n, _ in modes), tuple(d for _, d in modes))


def check(outer: Modes, inner: Modes) -> str:
    """Compares with the table; what was found."""
    expected = cute_brute.composition(outer, inner)
    found = try_composition(layout(outer), layout(inner))
    if expected is None:
        assert isinstance(found, Counterexample), (outer, inner, found)
        check_break(outer, inner, found)
        return "none"
    assert isinstance(found, Layout), (outer, inner, expected, str(found))
    for part, mode, (n, _) in zip(found.modes(), expected, inner, strict=True):
        assert part.size() == n
        assert n == 1 or part.flat() == mode, (outer, inner, expected, found)
    return "exists"


def check_break(outer: Modes, inner: Modes, found: Counterexample) -> None:
    """The coordinate, and the value that every layout which agrees before has there."""
    coordinate = found.index
    assert all(0 <= i < n for i, (n, _) in zip(coordinate, inner, strict=True))
    address = sum(i * r for i, (_, r) in zip(coordinate, inner, strict=True))
    assert found.got == cute_brute.value(outer, address) != found.expected
    (mode,) = found.reason.mode_b
    assert coordinate[mode] > 0
    below = (*coordinate[:mode], 0, *coordinate[mode + 1 :])
    assert 0 <= found.reason.mode_a[0] < len(outer) - 1
    if found.reason.needed is None:
        return
    assert not any(below)  # one mode alone is not a layout
    n, r = inner[mode]
    assert not cute_brute.layouts_of([cute_brute.value(outer, r * x) for x in range(n)])


def test_every_composition_that_exists_and_no_other(turns, least) -> None:
    rng, seen = Random("compositions"), Counter()
    for _ in turns(8000):
        outer = cute_brute.random_outer(rng)
        inner = cute_brute.random_inner(rng, cute_brute.size(outer))
        assert cute_brute.inside(outer, inner)
        seen[check(outer, inner)] += 1
    assert min(seen["exists"], seen["none"]) > least(800)


def test_beyond_the_size_the_last_mode_goes_on(turns, least) -> None:
    rng, seen = Random("beyond"), Counter()
    for _ in turns(2000):
        outer = cute_brute.random_outer(rng, 3)
        inner = cute_brute.random_inner(rng, 4 * cute_brute.size(outer) + 3)
        seen[check(outer, inner), cute_brute.inside(outer, inner)] += 1
    assert min(seen["exists", False], seen["none", False]) > least(300)


@pytest.mark.sampled
@pytest.mark.parametrize("shape", [(2, 3), (3, 2), (2, 2, 2), (2, 3, 2), (4, 1), (1, 3), (2, 1, 2), (3, 3)])
def test_all_small_strides(shape, effort) -> None:
    """All strides 0 to 4, and all inner layouts of one mode; of two modes every seventh, more with more effort."""
    number = 0
    for strides in product(range(5), repeat=len(shape)):
        outer = list(zip(shape, strides, strict=True))
        for n, r in product(range(1, 9), range(6)):
            number += 1
            check(outer, [(n, r)])
            if number % 7 < effort:
                for m, q in product((2, 3, 4), (1, 2, 3, 6)):
                    check(outer, [(n, r), (m, q)])


def test_cancelling_carries_are_seen_through(turns, least) -> None:
    """Outer layouts whose defects cancel in pairs, so that the first carry is not the first break."""
    rng, seen = Random("cancelling"), Counter()
    for _ in turns(2100):
        sizes = [rng.choice((2, 2, 3, 4, 5)) for _ in range(rng.randint(3, 5))]
        strides, defects = [rng.randint(0, 3)], [rng.choice((1, -1, 2)) for _ in sizes[:-1]]
        defects[rng.randrange(1, len(defects))] = -defects[0]
        for n, delta in zip(sizes, defects, strict=False):
            strides.append(n * strides[-1] + delta)
        outer = list(zip(sizes, strides, strict=True))
        inner = [(rng.randint(2, 24), rng.randint(1, 30)) for _ in range(rng.choice((1, 1, 2)))]
        if prod(n for n, _ in inner) <= 200:
            seen[check(outer, inner)] += 1
    assert min(seen["exists"], seen["none"]) > least(300)


# Peers


def right(answer, outer: Modes, inner: Modes) -> bool:
    """Whether a peer's answer has the size of inner and the values of the composition."""
    if answer is None or pycute.product(answer.shape) != cute_brute.size(inner):
        return False
    values = [cute_brute.value(outer, cute_brute.value(inner, x)) for x in range(cute_brute.size(inner))]
    return [answer(x) for x in range(len(values))] == values


def ask(compose, make, outer: Modes, inner: Modes):
    try:
        return compose(*[make(layout(m).shape, layout(m).stride) for m in (outer, inner)])
    except (AssertionError, ValueError):
        return None


@pytest.mark.parametrize(
    ("compose", "make", "least"),
    [
        (pycute.composition, pycute.Layout, 0.6),
        (tensor_layouts.compose, tensor_layouts.Layout, 0.7),
    ],
)  # fmt: skip
def test_where_a_peer_is_right_the_answer_is_the_same(compose, make, least, turns, full) -> None:
    rng, seen = Random("peers"), Counter()
    for _ in turns(2500):
        outer = cute_brute.random_outer(rng)
        inner = cute_brute.random_inner(rng, cute_brute.size(outer))
        theirs = ask(compose, make, outer, inner)
        ours = try_composition(layout(outer), layout(inner))
        if right(theirs, outer, inner):
            assert ours.shape == theirs.shape, (outer, inner, theirs, ours)
            modes = zip(*(Layout(x.shape, x.stride).flat() for x in (ours, theirs)), strict=True)
            assert all(a == (b if b[0] > 1 else (1, 0)) for a, b in modes), (outer, inner, theirs, ours)
            seen["same"] += 1
        else:
            seen["exists"] += isinstance(ours, Layout)
            seen["wrong"] += theirs is not None and not ours
    if full:
        assert seen["same"] > least * (seen["same"] + seen["exists"])
        assert min(seen["exists"], seen["wrong"]) > 8


# Sizes


@pytest.mark.parametrize("scale", [10**3, 10**6, 10**12, 10**30])
def test_large_sizes(scale) -> None:
    """Named by hand."""
    outer = Layout((6, 4 * scale, 10), (1, 6, 24 * scale + 5))
    found = try_composition(outer, Layout((8 * scale, 5), (3, 24 * scale)))
    assert str(found) == f"({8 * scale},5):(3,{24 * scale + 5})"
    assert not try_composition(outer, Layout(8 * scale + 1, 3))
    cancelling = Layout((2, 3 * scale, 5), (1, 1, 3 * scale + 1))
    assert str(try_composition(cancelling, Layout(3, 3 * scale)))


def test_large_random_sizes_by_samples(turns, full) -> None:
    """Sizes to 10^6 a mode: an answer has the values of A(B(x)) at random coordinates, a refusal replays."""
    rng, seen = Random("large"), Counter()
    for _ in turns(600):
        sizes = [rng.choice((2, 3, 4, 6, 12)) * rng.choice((1, 10**3, 10**6 + 2)) for _ in range(rng.randint(1, 4))]
        strides, step = [], 1
        for n in sizes:
            strides.append(step + rng.choice((0, 0, 0, 1, 7)))
            step = strides[-1] * n
        places = [prod(sizes[:n]) for n in range(len(sizes))]
        inner = []
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(sizes))
            divisor = rng.choice([d for d in (1, 2, 3, 4, 6) if sizes[at] % d == 0])
            inner.append((rng.choice((2, 3, sizes[at] // divisor, 4)), places[at] * divisor))
        outer, b = layout(list(zip(sizes, strides, strict=True))), layout([m for m in inner if m[0] > 1] or [(2, 1)])
        found = try_composition(outer, b)
        seen[bool(found)] += 1
        if not found:
            assert found.got == outer(b(found.reason.coordinate)) != found.expected
            continue
        for _ in range(40):
            x = rng.randrange(b.size())
            assert found(x) == outer(b(x))
    if full:
        assert min(seen.values()) > 15


@pytest.mark.parametrize("steps", [7, 10**6, 10**12])
def test_carries_that_cancel_for_ever_though_no_two_slopes_agree(steps) -> None:
    """Slopes 3/5, 4/5, 2/5, 1/5 with defects 1, -1, 1, -1: no step ever bends, which a search has to find."""
    outer = Layout((5, 2, 2, 2, steps), (1, 6, 11, 23, 45))
    assert str(try_composition(outer, Layout(steps, 8))) == f"{steps}:9"
    bent = Layout((5, 2, 2, 2, steps), (1, 6, 11, 23, 46))
    found = try_composition(bent, Layout(steps, 8))
    assert str(found) == f"(5,{steps // 5}):(9,46)" if steps > 7 else found.index == (5,)
