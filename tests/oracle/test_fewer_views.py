"""Fewer views that mean the same, against brute force: contexts, digits, pads, equality."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import prod
from random import Random

import pytest
from bridge_chains import WAYS, as_oracle, meaning, views

from oracle import brute, masked, programs
from symview import Undecided, View, equivalent, simplify
from symview.engine.radix import divisors, prime_factors
from symview.engine.view_chain import reached
from symview.logic.budget import Budget
from symview.views.chains import on_all_indices
from symview.views.fewer_views import canonical_form, without_pads


def parsed(text: str) -> list[View]:
    return [View.parse(v) for v in text.split(";")]


def random_chain(rng: Random, least: int = 3):
    return programs.masked_chain(rng, least, 5) if rng.random() < 0.6 else programs.program_chain(rng, least)


# Which chains become shorter


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (  # tinygrad#6875: what the mask hides never reaches the second view
            "(2,4,2,4):(2,8,1,4) [0:2,0:2,0:2,0:2]; (9,9):(8,1) [0:8,0:8]; (3,3,3,3)",
            "(2,4,2,4):(2,8,1,4) [0:2,0:2,0:2,0:2]; (3,3,3,3):(24,8,3,1) [0:2,0:3,0:2,0:3]",
        ),
        (  # both views are new: digits of the index
            "(2,2,5):(-5,-10,-1)+19; (22,2):(1,0) [0:20,0:2]; (44)",
            "(2,2,5,2):(-5,-10,-1,0)+19; (44):(1) [0:40]",
        ),
        ("(2,4):(1,2); (2,4):(1,2); (8)", "(4,2):(1,4); (8)"),
        # a line that is padded between two reshapes: in front, behind, and by parts of a block
        ("(3,3):(1,3); (12):(1)-1 [1:10]; (3,4)", "(5,3):(1,3)-1 [1:4,0:3]; (3,4):(4,1)+2"),
        ("(100,7):(1,100); (900):(1)-60 [60:760]; (30,30)", "(129,7):(1,100)-9 [9:109,0:7]; (30,30):(30,1)+3"),
    ],
)
def test_three_views_become_two(given, found) -> None:
    simple = simplify(*parsed(given))
    assert simple.views == tuple(parsed(found)), simple
    assert simple.minimal and simple.why.startswith("one view is not enough: ")
    assert equivalent(parsed(given), simple.views)


@pytest.mark.parametrize("way", WAYS)
def test_simplify_of_long_chains_is_the_chain_everywhere(way, turns) -> None:
    rng, seen = Random(f"fewer {way}"), Counter()
    for _ in turns(150 if way == "walked" else 40):
        chain = random_chain(rng)
        found = simplify(*views(chain), budget=WAYS[way])
        assert meaning(*found.views) == masked.values(chain), (chain, found)
        masked.values([as_oracle(v) for v in found.views])
        assert found.minimal == (len(found.views) < 3), (chain, found)
        if len(found.views) > 2:
            assert "two views do" in found.why
        seen[min(3, len(found.views))] += 1
    assert all(seen[n] for n in (1, 2, 3))


def test_large_sizes_in_context() -> None:
    million = 10**6
    front = View((million, 2 * million), (1, million), 0, [(0, million), (0, million)])
    middle = View((million + 1, million + 1), (2 * million, 1), 0, [(0, million), (0, million)])
    found = simplify(front, middle, View(((million + 1) ** 2,)), View((million + 1, million + 1)))
    assert len(found.views) == 1
    assert found.views[0].mask == ((0, million), (0, million))


# Contexts


def boxes(chain) -> list | None:
    """The least and the greatest digit of every view at the valid indices, by walking."""
    met = []
    for index, value in masked.values(chain).items():
        if value is not None:
            digits = [index]
            for below, view in zip(reversed(chain[:-1]), reversed(chain[1:]), strict=True):
                digits.append(brute.unravel(masked.address(view, digits[-1]), below.shape))
            met.append(digits[::-1])
    if not met:
        return None
    return [tuple((min(c), max(c) + 1) for c in zip(*level, strict=True)) for level in zip(*met, strict=True)]


@pytest.mark.parametrize("way", WAYS)
def test_digits_that_valid_indices_reach(way, turns) -> None:
    rng, empty = Random(f"reached {way}"), 0
    for _ in turns(300 if way == "walked" else 60):
        chain = random_chain(rng, 2)
        expected = boxes(chain)
        if 0 in chain[-1].shape:
            continue
        assert reached(on_all_indices(views(chain)), WAYS[way]) == expected, chain
        empty += expected is None
    assert empty


# The canonical form, and equality


def rewritten(rng: Random, chain: list[View]) -> list[View]:
    """Another chain of the same meaning: a reshape put in between, dims in another order there, or of fewer views."""
    at = rng.randrange(1, len(chain) + 1)
    n = prod(chain[at - 1].shape)
    sizes = [d for d in range(1, n + 1) if n % d == 0] or [0]
    part = rng.choice(sizes)
    shape = (part, n // part if part else 1)
    kind = rng.random()
    if kind < 0.3:
        longer = [*chain[:at], View(shape), View(chain[at - 1].shape), *chain[at:]]
    elif kind < 0.6:
        there = View(shape[::-1], (1, shape[1]))
        back = View(shape, (1, shape[0]))
        longer = [*chain[:at], View(shape), there, back, View(chain[at - 1].shape), *chain[at:]]
    else:
        longer = list(simplify(*chain).views)
    return longer


@pytest.mark.parametrize("way", WAYS)
def test_chains_that_mean_the_same_are_equal(way, turns, full) -> None:
    rng, seen = Random(f"same {way}"), Counter()
    for _ in turns(80 if way == "walked" else 20):
        chain = views(random_chain(rng, 2))
        other = rewritten(rng, chain)
        assert meaning(*chain) == meaning(*other)
        one, two = simplify(*chain, budget=WAYS[way]), simplify(*other, budget=WAYS[way])
        assert one == two and hash(one) == hash(two), (chain, other)
        assert one.canonical() == two.canonical()
        seen[len(one.canonical())] += 1
    if full:
        assert all(seen[n] for n in (0, 1, 2)), seen


def test_chains_of_one_shape_are_equal_only_where_they_mean_the_same(turns, full) -> None:
    rng, shapes = Random("unequal"), {}
    for _ in turns(600):
        chain = views(random_chain(rng, 2))
        if prod(chain[-1].shape) <= 12:
            shapes.setdefault(chain[-1].shape, []).append((simplify(*chain), meaning(*chain)))
    pairs = [(a, b) for found in shapes.values() for a, b in pairwise(found)]
    assert all((one == two) == (here == there) for (one, here), (two, there) in pairs)
    assert len(pairs) > 50 or not full


def forms(values: list[int]) -> set[tuple[int, ...]]:
    """Every shape of as many indices, without ones, in whose digits the values move evenly."""
    found = set()
    for shape in factorisations(len(values)):
        steps = [values[p] - values[0] for p in brute.place_values(shape)]
        digits = [brute.unravel(y, shape) for y in range(len(values))]
        moved = [values[0] + sum(d * t for d, t in zip(i, steps, strict=True)) for i in digits]
        found |= {shape} if moved == values else set()
    return found


def factorisations(n: int):
    """All ordered products of sizes from 2 on."""
    if n == 1:
        yield ()
    for first in range(2, n + 1):
        if n % first == 0:
            yield from ((first, *rest) for rest in factorisations(n // first))


def test_the_canonical_form_has_the_only_shortest_shape(turns) -> None:
    """Against every shape: values on a line, given by a view of three dims and a reshape of it."""
    rng, lengths = Random("shortest"), Counter()
    for _ in turns(300):
        shape = tuple(rng.choice((1, 2, 2, 3, 4, 6)) for _ in range(3))
        strides = tuple(rng.choice((-2, 0, 1, 2, 3, 6)) for _ in shape)
        inner = rng.choice([View((prod(shape),)), View((prod(shape),), (-1,), prod(shape) - 1)])
        chain = [View(shape, strides), inner]
        values = list(meaning(*chain).values())
        even = forms(values)
        shortest = [s for s in even if len(s) == min(map(len, even))]
        found = canonical_form(chain, Budget().started())
        if len(shortest[0]) < 2:
            assert len(found) == 1
        else:
            assert [found[0].shape] == shortest and found[1] == View((prod(shape),)), chain
        lengths[len(shortest[0])] += 1
    assert min(lengths[n] for n in (1, 2, 3)) > 5


def test_a_form_of_its_own_beside_a_mask() -> None:
    one = simplify(*parsed("(2,4):(1,2); (8); (10):(1)-1 [1:9]"))
    other = simplify(*parsed("(2,2,2):(1,4,2); (10):(1)-1 [1:9]"))
    assert one == other
    assert list(map(str, one.canonical())) == ["(2,4):(1,2)", "(10):(1)-1 [1:9]"]


def test_chains_without_such_a_form_are_compared() -> None:
    one = simplify(*parsed("(3,3):(1,7); (8):(1)+1"))
    assert one.canonical() == ()
    assert one == simplify(*parsed("(3,3):(1,7); (9); (8):(1)+1"))
    assert one != simplify(*parsed("(3,3):(1,8); (8):(1)+1"))
    assert one != "(3,3)"


def test_a_form_that_stays_open_is_no_answer() -> None:
    chain = parsed("(99999,3,70001):(1,7,5); (9999999):(2001)+1")
    with pytest.raises(Undecided):
        simplify(*chain).canonical(Budget(work=1))
    assert simplify(*chain) == simplify(*chain)


def test_divisors_and_primes() -> None:
    for n in range(1, 300):
        assert divisors(prime_factors(n)) == [d for d in range(1, n + 1) if n % d == 0]


def test_a_pad_of_a_line_goes_into_the_views_around_it(turns) -> None:
    """Random lines between two views: shorter chains that mean the same, blocks and masks of any kind."""
    rng, shorter = Random("line pads"), 0
    for _turn in turns(400):
        shape = [rng.choice((1, 2, 3, 4)) for _ in range(rng.randint(1, 3))]
        front = View(shape, [rng.randint(-3, 5) for _ in shape], 30)
        if rng.random() < 0.4:
            front = front.shrink([(0, n) for n in shape]).pad([(rng.randint(0, 1), rng.randint(0, 2)) for _ in shape])
        size, before, inner = prod(front.shape), rng.randint(0, 5), rng.randint(0, 6)
        cut = rng.choice((0, 0, prod(front.shape[1:])))
        low, high = before + cut, max(before + cut, before + size - rng.choice((0, 0, prod(front.shape[1:]))))
        pad = View((before + size + inner,), (1,), -before, [(low, high)])
        step = rng.choice((1, 2))
        last = View((pad.shape[0] // step,), (step,), 0)
        chain = [front, pad, last]
        for found in without_pads(chain):
            assert len(found) == 2
            assert meaning(*found) == meaning(*chain), chain
            shorter += 1
    assert shorter > 50
