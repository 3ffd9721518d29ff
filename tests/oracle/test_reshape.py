"""`symview.views.reshaping` against numpy, and brute force where there are masks."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import prod
from random import Random

import numpy as np
import pytest
from bridge import named, view
from bridge_chains import WAYS, meaning, same, symbolic

from oracle import brute, generate, masked, programs, reshapes
from oracle.brute import V, contiguous
from oracle.masked import DISAGREE, EXTRA, MISSING
from symview import (
    Counterexample,
    InputError,
    NotAView,
    View,
    max_merge_view,
    merge,
    reshape,
    reshape_conditions,
    why_not,
)

REFUSED = "refused"


def array(v: V) -> np.ndarray:
    """An array of bytes with these strides; no element is ever looked at."""
    ends = [(n - 1) * t for n, t in zip(v.shape, v.strides, strict=True)] if prod(v.shape) else []
    low, high = sum(min(0, e) for e in ends), sum(max(0, e) for e in ends)
    return np.ndarray(v.shape, np.uint8, np.empty(high - low + 1, np.uint8), -low, v.strides)


def by_numpy(v: V, shape: tuple[int, ...]) -> np.ndarray | None:
    """The array reshaped without a copy, None where numpy cannot."""
    try:
        return np.reshape(array(v), shape, copy=False)
    except ValueError:
        return None


def test_column_major_order_is_numpys(turns, full) -> None:
    """Of numbers the view of numpy's order "F", or none; with names, the same at values."""
    seen = Counter()
    for turn in turns(400):
        rng = Random(f"columns {turn}")
        v = random_view(rng)
        shape = new_shape(rng, v.shape)
        if v.mask is not None or 0 in v.shape:
            continue
        found = reshape(view(v), shape, order="F")
        try:
            theirs = np.reshape(array(v), shape, order="F", copy=False)
        except ValueError:
            theirs = None
        if theirs is None:
            assert isinstance(found, Counterexample), (v, shape, found)
        else:
            assert isinstance(found, View), (v, shape)
            steps = zip(found.shape, found.strides, theirs.strides, strict=True)
            assert all(n == 1 or t == own for n, t, own in steps), (v, shape, found)
            assert found.offset == v.offset
        names = View(v.shape, [View.parse(f"()+s{a}").offset for a in range(len(v.shape))])
        values = {f"s{a}": t for a, t in enumerate(v.strides)}
        answer = reshape_conditions(names, shape, order="F")
        values = {n: values[n] for n in answer.symbols()}
        assert answer.holds(values) == (theirs is not None), (v, shape)
        if theirs is not None:
            assert answer.answer(values) == reshape(View(v.shape, v.strides), shape, order="F"), (v, shape)
        seen[theirs is not None] += 1
    assert not full or min(seen[True], seen[False]) > 10


def test_column_major_order_of_sizes_with_names() -> None:
    answer = reshape_conditions("(n,m):(a,b)", "(2,-1)", order="F", assume="n >= 1")
    for n, m, a, b in product(range(1, 5), range(1, 5), range(-2, 5), range(-2, 9)):
        values = {"n": n, "m": m, "a": a, "b": b}
        if n * m % 2:
            assert not answer.holds(values)
            continue
        found = reshape(View((n, m), (a, b)), (2, -1), order="F")
        assert answer.holds(values) == isinstance(found, View), values
        assert answer.answer(values) == (found or None), values


def random_view(rng: Random) -> V:
    """Shapes with sizes 1 and 0 in them; strides contiguous in groups, zero, negative, or anything."""
    shape = tuple(rng.choice((1, 2, 2, 3, 4, 6, rng.randint(1, 8))) for _ in range(rng.randint(0, 5)))
    while prod(shape) > 600:
        shape = shape[1:]
    strides: list[int] = []
    below = rng.choice((1, 1, 1, 2, -1, 0, 3))
    for n in reversed(shape):
        kind = rng.random()
        if kind < 0.18:
            below = rng.choice((0, 1, -below, below + 1, rng.randint(-9, 9)))
        strides.insert(0, rng.randint(-9, 9) if n == 1 and rng.random() < 0.7 else below)
        below = below if n == 1 else below * n
    if shape and rng.random() < 0.04:
        shape = generate._replace(shape, rng.randrange(len(shape)), 0)
    found = V(shape, tuple(strides), rng.randint(-5, 5))
    if rng.random() < 0.3:
        order = rng.sample(range(len(shape)), len(shape))
        found = programs.moved(found, programs.Step("permute", tuple(order), tuple(shape[a] for a in order)))
    return found._replace(strides=found.strides, mask=None) if not masked.is_void(found) else V(shape, tuple(strides))


def new_shape(rng: Random, shape: tuple[int, ...]) -> tuple[int, ...]:
    if 0 in shape:
        sizes = [rng.randint(0, 4) for _ in range(rng.randint(1, 4))]
        sizes[rng.randrange(len(sizes))] = 0
        return tuple(sizes)
    if rng.random() < 0.4:
        return generate._factorisation(rng, prod(shape))
    return programs._reshaped(rng, shape)


# Against the merge with a contiguous view


def test_reshape_in_one_pass_is_the_merge_with_a_contiguous_view(turns, full, least) -> None:
    rng, seen = Random("one pass"), Counter()
    makers = (reshapes.any_view, reshapes.masked_view, reshapes.any_view, reshapes.movement_view)
    for turn in turns(4000):
        v = makers[turn % 4](rng)
        shape = reshapes.target(rng, v.shape)
        found, expected = reshape(view(v), shape), merge(view(v), View(shape))
        kind = "void" if masked.is_void(v) else "plain" if v.mask is None else "masked"
        seen[kind, bool(expected)] += 1
        if isinstance(expected, View):
            assert isinstance(found, View), (v, shape)
            assert found.entries() == expected.entries(), (v, shape)
            assert (found.mask is None) == (expected.mask is None)
        else:
            assert not found, (v, shape)
            if turn % 7 == 0:
                assert found == expected
                assert str(found) == str(expected)
                seen[found.kind] += 1
    assert min(seen[kind, yes] for kind in ("plain", "masked") for yes in (True, False)) > least(300)
    assert seen["void", True] > least(100)
    if full:
        assert min(seen[kind] for kind in (DISAGREE, MISSING, EXTRA)) > 3, seen


# Against numpy


def test_reshape_is_possible_where_numpy_needs_no_copy(turns, full) -> None:
    rng, seen = Random("numpy"), Counter()
    for _ in turns(5000):
        v = random_view(rng)
        shape = new_shape(rng, v.shape)
        theirs, ours, obstacles = by_numpy(v, shape), reshape(view(v), shape), why_not(view(v), shape)
        assert (theirs is not None) == isinstance(ours, View) == (not obstacles), (v, shape, ours, obstacles)
        if theirs is None:
            seen[REFUSED] += 1
            continue
        seen["size 0" if 0 in shape else "possible"] += 1
        seen["zero stride"] += any(t == 0 and n > 1 for t, n in zip(v.strides, v.shape, strict=True))
        seen["negative stride"] += any(t < 0 and n > 1 for t, n in zip(v.strides, v.shape, strict=True))
        seen["size 1"] += 1 in v.shape
        assert (ours.shape, ours.mask) == (shape, None)
        if 0 not in shape:
            assert ours.offset == v.offset
            for n, stride, expected in zip(shape, ours.strides, theirs.strides, strict=True):
                assert n == 1 or stride == expected, (v, shape, ours)
    least = {REFUSED: 500, "possible": 1000, "size 0": 50, "zero stride": 100, "negative stride": 100, "size 1": 500}
    if full:
        assert not {name: seen[name] for name, count in least.items() if seen[name] < count}


def factorisations(size: int, ones: int = 0):
    """All shapes of that many elements, with up to so many sizes 1 among them."""
    if size == 1:
        yield from ((1,) * n for n in range(ones + 1))
        return
    if ones:
        yield from ((1, *rest) for rest in factorisations(size, ones - 1))
    for n in range(2, size + 1):
        if size % n == 0:
            yield from ((n, *rest) for rest in factorisations(size // n, ones))


@pytest.mark.parametrize("size", [1, 2, 3, 4, 6, 8, 12])
def test_every_small_reshape(size, effort) -> None:
    """All shapes of a size, with a dim of size 1, all strides of a few values: numpy, why_not and symview agree."""
    shapes = list(factorisations(size, 1 if size > 1 else 3))
    number = 0
    for shape in shapes:
        for strides in product((0, 1, 2, 3, 6) if size > 6 else (-1, 0, 1, 2, 3, 4), repeat=len(shape)):
            number += 1
            if number % (20 if size > 4 else 5) >= effort:
                continue
            v = V(shape, strides)
            one = view(v)
            for new in shapes:
                theirs, found = by_numpy(v, new), reshape(one, new)
                assert (theirs is not None) == isinstance(found, View) == (not why_not(one, new)), (v, new)
                if theirs is not None:
                    pairs = zip(new, found.strides, theirs.strides, strict=True)
                    assert all(n == 1 or a == b for n, a, b in pairs), (v, new)


@pytest.mark.parametrize("shape", [(2, 6), (12,), (3, 4), (1, 12), (0, 3), (), (1,)])
@pytest.mark.parametrize("target", [(-1,), (2, -1), (-1, 2), (3, -1, 2), (-1, 0), (5, -1), (1, -1, 1), (-1, -1)])
def test_minus_one_is_what_numpy_makes_of_it(shape, target) -> None:
    try:
        expected = np.reshape(np.empty(shape, np.uint8), target).shape
    except ValueError:
        with pytest.raises(InputError):
            reshape(View(shape), target)
    else:
        assert reshape(View(shape), target).shape == expected
        assert View(shape).reshape(target).shape == expected


# The reasons


def test_following_the_obstacles_makes_the_reshape_possible(turns, full) -> None:
    """Each obstacle names two neighbours (but for sizes 1) and the stride that would do, innermost fixed first."""
    rng, seen = Random("obstacles"), Counter()
    for _ in turns(600):
        v = random_view(rng)
        shape = new_shape(rng, v.shape)
        obstacles = why_not(view(v), shape)
        seen[min(len(obstacles), 3)] += 1
        places = brute.place_values(v.shape)
        for o in obstacles:
            outer, inner = o.dims
            assert all(n == 1 for n in v.shape[outer + 1 : inner])
            assert v.strides[outer] == o.stride != o.needed == v.shape[inner] * v.strides[inner]
            assert o.place == places[outer] == places[inner] * v.shape[inner]
            assert o.place not in brute.boundaries(shape)
            assert all(str(n) in str(o) for n in (outer, inner, o.stride, o.needed))
        fixed = v
        for _ in v.shape:
            left = why_not(view(fixed), shape)
            if not left:
                break
            lowest = min(left, key=lambda o: o.place)
            fixed = fixed._replace(strides=generate._replace(fixed.strides, lowest.dims[0], lowest.needed))
        assert isinstance(reshape(view(fixed), shape), View)
        assert by_numpy(fixed, shape) is not None
    if full:
        assert min(seen[n] for n in (0, 1, 2)) > 10


# The max merge view


def listed(v: View) -> list[int]:
    """The addresses in row-major order."""
    return list(meaning(v).values())


def test_the_max_merge_view_lists_the_same_addresses(turns) -> None:
    rng = Random("max merge")
    for _ in turns(600):
        v = random_view(rng)
        one = view(v)
        most = max_merge_view(one)
        assert listed(most) == listed(one)
        assert most.offset == one.offset
        assert max_merge_view(most) == most
        assert 1 not in most.shape
        assert most.rank <= len([n for n in v.shape if n != 1])
        if 0 in v.shape:
            continue
        assert reshape(one, most.shape) == most
        assert merge(most, View(v.shape)) == reshape(one, v.shape) == one
        # Section 1 of the source: no two neighbours are contiguous any more.
        for n, stride, before in zip(most.shape[1:], most.strides[1:], most.strides, strict=False):
            assert before != n * stride


def test_no_view_of_fewer_dims_lists_them(turns, least) -> None:
    """Every factorisation of the size with fewer dims is refused."""
    rng, seen = Random("fewest"), 0
    for _ in turns(600):
        v = random_view(rng)
        if prod(v.shape) > 48 or 0 in v.shape:
            continue
        most = max_merge_view(view(v))
        for shape in factorisations(prod(v.shape)):
            if len(shape) < most.rank:
                seen += 1
                assert by_numpy(v, shape) is None
                assert not reshape(view(v), shape)
    assert seen > least(200)


def test_reshape_is_possible_where_the_new_shape_refines_the_max_merge_shape(turns, least) -> None:
    """Sections 2 and 3 of the source: both directions, zero strides and sizes 1 included."""
    rng, seen = Random("sections"), Counter()
    for _ in turns(800):
        v = random_view(rng)
        shape = new_shape(rng, v.shape)
        if 0 in shape:
            continue
        most = max_merge_view(view(v))
        refines = set(brute.boundaries(most.shape)) <= set(brute.boundaries(shape))
        assert isinstance(reshape(view(v), shape), View) == refines
        seen[refines] += 1
    assert min(seen.values()) > least(50)


# Masks


def masked_view(rng: Random) -> V:
    kind = rng.random()
    if kind < 0.45:
        return programs.chain(programs.program(rng, 8))[-1]
    v = random_view(rng)
    while prod(v.shape) > 60:
        v = random_view(rng)
    return v._replace(mask=programs.mask(rng, v.shape, 0.75)) if kind < 0.9 else programs.outer(rng)


@pytest.mark.parametrize("way", WAYS)
def test_masked_reshapes_are_the_oracle_s(way, turns, full) -> None:
    rng, seen = Random(f"masked reshape {way}"), Counter()
    for _ in turns(1000):
        v = masked_view(rng)
        shape = new_shape(rng, v.shape)
        chain = (v, contiguous(shape))
        expected = masked.decide(chain)
        seen[same(chain, expected, reshape(view(v), shape, budget=WAYS[way]))] += 1
        if isinstance(expected, masked.Fails):
            with pytest.raises(NotAView) as error:
                view(v).reshape(shape)
            assert (error.value.counterexample.index, error.value.counterexample.kind) == (
                expected.index, expected.kind
            )  # fmt: skip
        else:
            assert meaning(view(v).reshape(shape)) == masked.values(chain)
    if full:
        assert min(seen[kind] for kind in ("view", "empty", DISAGREE, EXTRA, MISSING)) > 4


@pytest.mark.parametrize("size", [4, 6, 8])
def test_every_mask_of_small_contiguous_tensors(size, effort) -> None:
    """All masks of all shapes of a size to all other shapes."""
    shapes, number = list(factorisations(size, 1)), 0
    for shape in shapes:
        bounds = [[(lo, hi) for lo in range(n + 1) for hi in range(lo, n + 1)] for n in shape]
        for mask in product(*bounds):
            number += 1
            if number % (20 if size == 8 else 6) >= effort:
                continue
            v = contiguous(shape)._replace(mask=mask)
            one = view(v)
            for new in shapes:
                same((v, contiguous(new)), masked.decide((v, contiguous(new))), reshape(one, new))


# Conditions

RESHAPES = [
    ((4,), (2, 2)), ((2, 2), (4,)), ((2, 3), (6,)), ((2, 3), (3, 2)), ((4, 3), (2, 6)), ((2, 2, 3), (4, 3)),
    ((2, 2, 3), (2, 6)), ((2, 2, 3), (12,)), ((2, 1, 2), (4,)), ((2, 1, 3), (3, 2)), ((1, 4), (2, 2)), ((1,), ()),
    ((), (1, 1)), ((2, 3, 2), (3, 4)), ((2, 2, 2), (4, 2)), ((6, 2), (3, 4)), ((2, 0), (0, 3)), ((2, 2, 2, 2), (4, 4)),
]  # fmt: skip


@pytest.mark.parametrize(("shape", "new"), RESHAPES)
def test_reshape_conditions_on_all_small_strides(shape, new, effort) -> None:
    found = reshape_conditions(symbolic(V(shape, (0,) * len(shape))), new)
    for number, strides in enumerate(product(range(-1, 7), repeat=len(shape))):
        if len(shape) > 2 and number % 20 >= effort and strides != brute.place_values(shape):
            continue
        v = V(shape, strides)
        assert found.holds(named(strides)) == (by_numpy(v, new) is not None), (strides, found)
        if number % 7 == 0:
            merges = not isinstance(masked.decide((v, contiguous(new))), masked.Fails)
            assert found.holds(named(strides)) == merges


def test_reshape_conditions_with_masks(turns) -> None:
    rng, seen = Random("masked reshape conditions"), Counter()
    for _ in turns(150):
        v = masked_view(rng)
        shape = new_shape(rng, v.shape)
        found = reshape_conditions(symbolic(v), shape)
        seen[found.cases[0].status] += 1
        plain = brute.place_values(v.shape)
        for strides in (v.strides, plain, tuple(rng.randint(-2, 3) for _ in plain), tuple(-2 * s for s in plain)):
            expected = masked.decide((v._replace(strides=strides), contiguous(shape)))
            assert found.holds(named(strides)) == (not isinstance(expected, masked.Fails)), (v, shape, strides)
    assert min(seen[s] for s in ("always", "when", "never")) > 4


def test_minus_one_in_conditions() -> None:
    found = reshape_conditions(View.parse("(4,6):(a,b)"), (-1,))
    assert str(found) == "a = 6*b"
    assert str(reshape_conditions(View.parse("(4,6):(a,b)"), (2, -1, 6))) == "always"
