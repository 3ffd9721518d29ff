"""Strided, swizzled and linear layouts, and Views: conversions and comparisons against tables over all indices."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import prod
from random import Random

import pytest

from oracle import cute_brute
from oracle import linear_brute as brute
from symview import View
from symview.cute import ComposedLayout, Layout, LinearLayout, Swizzle
from symview.cute.linear.conversions import as_layout, to_linear, to_view
from symview.cute.linear.differences import same_function
from symview.cute.linear.slices import slice_to_view
from symview.cute.swizzled.unswizzling import to_swizzled
from symview.logic.budget import Budget


def layout_of(modes: cute_brute.Modes) -> Layout:
    return Layout(tuple(n for n, _ in modes), tuple(d for _, d in modes))


def random_function(rng: Random, most: int = 64):
    """A layout of some kind, and its table."""
    kind = rng.choice(("layout", "view", "swizzled", "linear", "behind linear"))
    if kind == "linear":
        bases, start = brute.random_bases(rng, 5), rng.choice((0, rng.randrange(64)))
        return kind, LinearLayout({"a": bases}, {"b": 128}, [start]), brute.table(bases, start)
    modes = brute.random_modes(rng, most, negative=kind == "view")
    values = cute_brute.table(modes) if modes else [0]
    if kind == "layout":
        return kind, layout_of(modes), values
    offset = rng.choice((0, 0, 1, 3, 6, 12, rng.randrange(64)))
    values = [v + offset for v in values]
    if kind == "view":
        return kind, View([n for n, _ in modes[::-1]], [d for _, d in modes[::-1]], offset), values
    if kind == "behind linear":
        bits = max(values).bit_length()
        front = [rng.choice((1 << i, 1 << i, rng.randrange(64), 0)) for i in range(bits)]
        found = ComposedLayout(LinearLayout({"x": front}), offset, layout_of(modes))
        return kind, found, [brute.table(front)[v] for v in values]
    swizzle = rng.choice(list(brute.swizzles(6)))
    found = ComposedLayout(Swizzle(*swizzle), offset, layout_of(modes))
    return kind, found, [brute.swizzled(*swizzle, v) for v in values]


@pytest.fixture(params=[Budget(), Budget(points=31), Budget(points=1)], ids=["walked", "by forms", "on bits"])
def how(request) -> Budget:
    """Small blocks walked; blocks compared by their forms; all that have none left to the solver."""
    return request.param


def rounds(turns, how: Budget, usual: int) -> range:
    return turns(usual if how.points > 1 else usual // 10)


def test_to_linear(turns, how, full) -> None:
    rng, seen = Random("to linear"), Counter()
    for _ in rounds(turns, how, 400):
        kind, x, values = random_function(rng)
        found, wrong = to_linear(x, budget=how), brute.first_not_affine(values)
        powers = [0] + [1 << i for i in range((len(values) - 1).bit_length())]
        if min(values[i] for i in powers) < 0:
            assert not found and found.got == values[found.index[0]] < 0
            seen["negative"] += 1
        elif wrong is None:
            assert [found(i) for i in range(len(values))] == values, x
            assert brute.is_affine(values)
            seen["linear", kind] += 1
        else:
            assert not found and (found.index, found.got) == ((wrong,), values[wrong]), x
            assert found.expected != found.got
            seen["not", kind] += 1
    if full:
        assert seen.total() < 100 or (min(seen.values()) > 2 and len(seen) >= 10), seen


def test_to_layout_and_to_view(turns, how, full) -> None:
    rng, seen = Random("to layout"), Counter()
    for _ in rounds(turns, how, 400):
        kind, x, values = random_function(rng, 36)
        size = rng.choice((len(values), rng.randint(1, len(values))))
        whole, values = len(values) == size, values[:size]
        known = brute.views_of(values)
        found = to_view(x, size, budget=how)
        if found:
            assert [found.at(i) for i in product(*map(range, found.shape))] == values
            assert len(found.shape) == min(map(len, known))
            seen["view", kind] += 1
            if values[0] == 0:
                assert table(as_layout(x, how, size=size)) == values
        else:
            assert not known, (x, size)
            assert found.got == values[found.index[0]] != found.expected
            assert str(as_layout(x, how, size=size)) == str(found) or values[0]
            seen["not", kind, whole] += 1
    if full:
        assert seen.total() < 100 or (min(seen.values()) > 2 and len(seen) == 13), seen


def test_same_function(turns, how) -> None:
    rng, seen = Random("same function"), Counter()
    for _ in rounds(turns, how, 400):
        (kind, x, values), (_, y, there) = random_function(rng), random_function(rng)
        if rng.random() < 0.7:  # the same values in another kind, perhaps but for a change
            found = [to_linear(x), to_view(x), to_swizzled(LinearLayout([1, 2, 5, 8]))]
            y = rng.choice([z for z in found if z])
            there = table(y)
        wrong = next((i for i, (a, b) in enumerate(zip(values, there, strict=False)) if a != b), None)
        verdict = same_function(x, y, how)
        if wrong is None and len(values) == len(there):
            assert verdict is True, (x, y)
        elif wrong is None:
            assert not verdict and verdict.index == (min(len(values), len(there)),)
            assert (verdict.got is None) == (len(values) < len(there))
        else:
            assert not verdict and (*verdict.index, verdict.got, verdict.expected) == (
                wrong,
                values[wrong],
                there[wrong],
            )
        seen[kind, bool(verdict)] += 1
    assert seen.total() < 100 or (min(seen.values()) > 2 and len(seen) == 10), seen


def table(x) -> list[int]:
    if isinstance(x, View):
        return [x.at(i) for i in product(*map(range, x.shape))]
    return [x(i) for i in range(x.size())]


def test_masked_views(turns) -> None:
    rng, seen = Random("masked views"), Counter()
    for _ in turns(300):
        shape = [rng.randint(1, 4) for _ in range(rng.randint(0, 3))]
        views = []
        for _ in range(2):
            mask = [(rng.choice((0, 0, 0, 1)), rng.choice((n, n, n, n - 1))) for n in shape]
            mask = [(a, b) if a <= b else (0, n) for (a, b), n in zip(mask, shape, strict=True)]
            views.append(View(shape, [rng.choice((1, 4)) for _ in shape], 0, rng.choice((None, mask, mask))))
        tables = [table(v) for v in views]
        wrong = next((i for i, (a, b) in enumerate(zip(*tables, strict=True)) if a != b), None)
        verdict = same_function(*views)
        if wrong is None:
            assert verdict is True
        else:
            left, right = tables[0][wrong], tables[1][wrong]
            got = (*verdict.index, verdict.got, verdict.expected)
            if None in tables[0] and None in tables[1]:  # the least by the sum of the index
                assert tables[0][verdict.index[0]] != tables[1][verdict.index[0]]
            else:
                assert got == (wrong, left, right), views
        seen[bool(verdict)] += 1
    assert min(seen.values()) > 20, seen


def test_coordinates(turns) -> None:
    rng, seen = Random("linear in the coordinates"), Counter()
    for _ in turns(800):
        modes = brute.random_modes(rng)
        names = [f"x{j}" for j in range(len(modes))]
        sizes = [n for n, _ in modes]
        offset = rng.choice((0, 0, 5, 7, 40))
        values = [v + offset for v in (cute_brute.table(modes) if modes else [0])]
        view = View(sizes[::-1], [d for _, d in modes[::-1]], offset)
        found = to_linear(view, names)
        if min(values) < 0:
            assert not found and found.got == values[found.index[0]] < 0
            continue
        places = [prod(sizes[:j]) for j in range(len(sizes))]
        bases = [
            [values[0] ^ values[p << i] for i in range((n - 1).bit_length())]
            for n, p in zip(sizes, places, strict=True)
        ]
        wanted = brute.on_box(sizes, bases, values[0])
        assert bool(found) == (wanted == values), view
        if found:
            assert list(found.bases.values()) == [[[b] for b in bs] for bs in bases]
        else:
            assert found.got == values[found.index[0]] != wanted[found.index[0]] == found.expected
            wrong = next(i for i, (a, b) in enumerate(zip(values, wanted, strict=True)) if a != b)
            assert found.index[0] >= wrong
        seen[bool(found), all(n & (n - 1) == 0 for n in sizes)] += 1
        swizzle = rng.choice(list(brute.swizzles(5)))
        swizzled = to_linear(ComposedLayout(Swizzle(*swizzle), offset, layout_of(modes)), names)
        values = [brute.swizzled(*swizzle, v) for v in values]
        if swizzled:
            assert values == [swizzled(*at[::-1]) for at in product(*map(range, sizes[::-1]))]
        else:
            assert swizzled.got == values[swizzled.index[0]] != swizzled.expected
        assert bool(swizzled) == bool(found)
    assert min(seen.values()) > 20 and len(seen) == 4, seen


def test_the_slices_of_linear_layouts(turns, full) -> None:
    rng, seen = Random("slices"), Counter()
    for _ in turns(800):
        names = ["i", "j", "k"][: rng.randint(1, 3)]
        bases = {name: brute.random_bases(rng, 3, 6) for name in names}
        layout = LinearLayout(bases, {"y": 64}, [rng.choice((0, rng.randrange(64)))])
        part, ranges = {}, {}
        for name, size in layout.ins.items():
            lo = rng.randrange(size)
            hi = rng.randint(lo + 1, size)
            kind = rng.random()
            if kind < 0.3:
                lo, hi = 0, size
            elif kind < 0.5:
                part[name], hi = lo, lo + 1
            else:
                part[name] = rng.choice(((lo, hi), range(lo, hi), slice(lo, hi)))
            ranges[name] = range(lo, hi)
        box = [dict(zip(ranges, reversed(at), strict=True)) for at in product(*reversed(ranges.values()))]
        values = [layout(layout.index(at)) for at in box]
        # every refinement of the axes: the values along each axis are a layout, and they add up
        axes, place = [], 1
        for r in ranges.values():
            axes.append(brute.views_of([values[x * place] for x in range(len(r))]))
            place *= len(r)
        exists = all(axes) and any(
            [values[0] + v for v in cute_brute.table([m for axis in choice for m in axis] or [(1, 0)])] == values
            for choice in product(*axes)
        )
        found = slice_to_view(layout, part)
        assert bool(found) == exists, (layout, part)
        if found:
            assert table(found) == values
        else:
            assert found.got == values[found.index[0]] != found.expected
        seen[bool(found), len(names)] += 1
    if full:
        assert min(seen.values()) > 20 and len(seen) == 6, seen


def test_swizzles_are_found(turns, full) -> None:
    rng, seen = Random("swizzles in front"), Counter()
    for _ in turns(60):
        bases = brute.random_bases(rng, 4, 5)
        if rng.random() < 0.6:
            modes = [(2, 1 << i) for i in rng.sample(range(5), rng.randint(1, 4))]
            swizzle = rng.choice(list(brute.swizzles(5)))
            bases = [brute.swizzled(*swizzle, d) for _, d in modes]
        layout = LinearLayout({"x": bases}, {"y": 1024})
        found = to_swizzled(layout)
        values = brute.table(bases)
        exists = [s for s in brute.swizzles(6) if brute.views_of([brute.swizzled(*s, v) for v in values])]
        assert bool(found) == bool(exists), layout
        if found:
            assert table(found) == values
            assert found.layoutB.bits == min(s[0] for s in exists)
        seen[bool(found)] += 1
    if full:
        assert min(seen.values()) > 3, seen
