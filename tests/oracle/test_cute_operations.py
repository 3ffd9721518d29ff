"""The operations on CuTe layouts against tables and peers: coalesce to products, permutations, swizzles, symbols."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise, permutations
from random import Random

import factorisation_category
import pycute
import pytest
import tensor_layouts

from oracle import cute_brute
from oracle.cute_brute import Modes
from symview import cute
from symview.cute import Layout, NoAnswer
from symview.cute.complements import gaps
from symview.logic.budget import DEFAULT, Budget


def has_complement(layout: Layout) -> bool:
    """Whether the modes, sorted, continue each other in whole multiples, so that no gap is left (Definition 2.5)."""
    return all(gap.filled for gap in gaps(layout))


def nested(rng: Random, modes: Modes):
    """Shape and stride with the modes nested at random."""
    if len(modes) == 1 and rng.random() < 0.6:
        return modes[0]
    if len(modes) == 1 or rng.random() < 0.5:
        return tuple(n for n, _ in modes), tuple(d for _, d in modes)
    cut = rng.randint(1, len(modes) - 1)
    (a, b), (c, d) = nested(rng, modes[:cut]), nested(rng, modes[cut:])
    return (a, c), (b, d)


def table(layout, size: int) -> list[int]:
    return [layout(x) for x in range(size)]


def peers(shape, stride):
    return pycute.Layout(shape, stride), tensor_layouts.Layout(shape, stride)


def ask(operation, *args):
    try:
        return operation(*args)
    except (AssertionError, ValueError, TypeError, ZeroDivisionError):
        return None


def same(ours, theirs) -> bool:
    return (ours.shape, ours.stride) == (theirs.shape, theirs.stride)


def test_the_layout_function_is_the_definition(turns) -> None:
    rng = Random("layout function")
    for _ in turns(120):
        modes = cute_brute.random_outer(rng)
        layout = Layout(*nested(rng, modes))
        size = cute_brute.size(modes)
        assert layout.size() == size
        assert [layout(x) for x in range(3 * size)] == [cute_brute.value(modes, x) for x in range(3 * size)]
        for x in range(size):
            coordinate = layout.coordinate(x)
            assert layout.index(coordinate) == x
            assert layout.at(coordinate) == layout(coordinate) == cute_brute.value(modes, x)
        assert Layout.parse(str(layout)) == eval(repr(layout)) == layout
        assert [layout.to_view().at(i) for i in _row_major(layout.to_view().shape)] == table(layout, size)
        assert cute.same_function(Layout.from_view(layout.to_view()), layout)


def _row_major(shape):
    from itertools import product

    return product(*map(range, shape))


def test_coalesce_and_filter(turns, least) -> None:
    rng, seen = Random("coalesce"), Counter()
    for _ in turns(800):
        modes = cute_brute.random_outer(rng)
        if cute_brute.size(modes) > 100:
            continue
        shape, stride = nested(rng, modes)
        ours, size = Layout(shape, stride), cute_brute.size(modes)
        flat = cute.coalesce(ours)
        expected = table(ours, size)
        assert table(flat, size) == expected
        assert flat.flat() == min(cute_brute.layouts_of(expected), key=len, default=[]) or flat == Layout(1, 0)
        filtered = cute.filter(ours)
        assert set(table(filtered, filtered.size())) == set(expected)
        for theirs, module in zip(peers(shape, stride), (pycute, tensor_layouts), strict=True):
            assert same(flat, module.coalesce(theirs))
        assert same(filtered, pycute.filter(peers(shape, stride)[0]))
        if isinstance(shape, tuple):
            by_mode = cute.coalesce(ours, (1,) * len(shape))
            assert same(by_mode, pycute.coalesce(peers(shape, stride)[0], (1,) * len(shape)))
            assert table(by_mode, size) == expected
        seen[len(flat.flat()) < len(modes)] += 1
    assert min(seen.values()) > least(200)


def moving(modes: Modes) -> Modes:
    return [(n, d) for n, d in modes if n > 1 and d != 0] or [(1, 0)]


def is_complement(layout, modes: Modes, bound: int) -> bool:
    """CuTe's contract: strictly increasing, up to the bound with the moving modes, and no two sums of both agree."""
    size = pycute.product(layout.shape)
    values = table(layout, size)
    if size < 1 or any(b <= a for a, b in pairwise(values)):
        return False
    sums = sorted(a + b for a in cute_brute.table(moving(modes)) for b in values)
    return len(set(sums)) == len(sums) and sums[-1] + 1 >= bound


def _form(modes: Modes, bound: int) -> list[int]:
    """CuTe's form as documented: the copies in each gap, and behind the last mode those that start below the bound."""
    found, reach = [0], 1
    for n, d in sorted([m for m in modes if m[0] > 1 and m[1] != 0], key=lambda m: m[::-1]):
        found = [c * reach + x for c in range(max(1, d // reach)) for x in found]
        reach = n * d
    return [c + x for c in range(0, bound, reach) for x in found]


def _refused_for(message: str, layout: Layout, modes: Modes, bound: int) -> str:
    """What the message says is wrong, and it is."""
    values = cute_brute.table(moving(modes))
    if len(set(values)) < len(values):
        one, other = [eval(c) for c in re.findall(r"(?:and|coordinates) (\([\d(),]+\)|\d+) ", message)[-2:]]
        assert (one != other, layout(one)) == (True, layout(other))
        return "overlap"
    if "interleave" in message:
        (n, d), (_, e) = [tuple(map(int, m)) for m in re.findall(r"\((\d+):(\d+)\)", message)[:2]]
        assert d <= e < n * d
        return "interleave"
    fitting, asked_for = map(int, re.search(r"only (\d+) of the (\d+) requested copies", message).groups())
    assert (fitting, asked_for) == (len(_form(modes, bound)), bound // cute_brute.size(modes))
    assert fitting < asked_for
    return "too few"


def test_complements_exist_exactly_where_they_are_given(turns, full, least) -> None:
    rng, seen = Random("complement"), Counter()
    for _ in turns(1500):
        modes = cute_brute.random_outer(rng, 3)
        shape, stride = nested(rng, modes)
        ours = Layout(shape, stride)
        reach = max(1, max(n * d for n, d in modes))
        bound = rng.choice((1, reach, 2 * reach, rng.randint(1, 60)))
        one, two = peers(shape, stride)
        theirs = [ask(pycute.complement, one, bound), ask(tensor_layouts.complement, two, bound)]
        every = rng.random() < 0.5
        try:
            found = cute.complement(ours, bound, every_copy=every)
        except NoAnswer as error:
            seen["none"] += 1
            seen["pycute answers"] += theirs[0] is not None
            few = "requested copies" in str(error)
            assert every or not few
            assert few or not any(t is not None and is_complement(t, modes, bound) for t in theirs)
            seen[_refused_for(str(error), ours, modes, bound)] += 1
            continue
        seen["found"] += 1
        assert is_complement(found, modes, 0)  # how long it is, the form says
        assert not every or found.size() >= bound // cute_brute.size(modes)
        assert table(found, found.size()) == _form(modes, bound)
        if has_complement(ours):
            sums = sorted(a + b for a in cute_brute.table(moving(modes)) for b in table(found, found.size()))
            assert sums == list(range(len(sums)))
            assert len(sums) >= bound
        else:
            seen["gaps left"] += 1
        assert all(same(found, t) for t in theirs if t is not None and is_complement(t, modes, bound))
        seen["same"] += theirs[0] is not None and same(found, theirs[0])
    assert min(seen["none"], seen["found"], seen["pycute answers"], seen["gaps left"], seen["same"]) > least(40)
    if full:
        assert min(seen["overlap"], seen["interleave"], seen["too few"]) > 10


@pytest.mark.parametrize("bound", [4, 6, 8, 12])
def test_gaps_are_filled_exactly_where_modes_divide(bound) -> None:
    """Layouts of two modes: some layout fills up the bound exactly where the modes divide; every layout is tried."""
    refused = 0
    for n, m in [(2, 2), (2, 3), (3, 2)]:
        if bound % (n * m):
            continue
        for d in range(1, bound):
            for e in range(1, bound):
                filled = has_complement(Layout((n, m), (d, e)))
                fits = bound % max(n * d, m * e) == 0
                others = _layouts(bound // (n * m), bound)
                assert any(_tiles([(n, d), (m, e)], other, bound) for other in others) == (filled and fits)
                refused += not filled
    assert refused > 0 or bound == 6


def _layouts(size: int, top: int):
    from itertools import product

    for shape in cute_brute.factorisations(size):
        for strides in product(range(1, top), repeat=len(shape)):
            yield list(zip(shape, strides, strict=True)) or [(1, 0)]


def _tiles(a: Modes, b: Modes, bound: int) -> bool:
    return sorted(x + y for x in cute_brute.table(a) for y in cute_brute.table(b)) == list(range(bound))


def test_inverses(turns) -> None:
    rng, seen = Random("inverses"), Counter()
    for _ in turns(800):
        modes = cute_brute.random_outer(rng, 3)
        shape, stride = nested(rng, modes)
        ours = Layout(shape, stride)
        values = cute_brute.table(modes)
        one, two = peers(shape, stride)
        right = cute.right_inverse(ours)
        assert all(ours(right(x)) == x for x in range(right.size()))
        assert same(right, tensor_layouts.right_inverse(two))
        assert same(right, pycute.right_inverse(one)) or pycute.right_inverse(one).size() < right.size()
        seen["longer than pycute's"] += not same(right, pycute.right_inverse(one))
        theirs = ask(pycute.left_inverse, one)
        theirs_right = theirs is not None and all(theirs(v) == x for x, v in enumerate(values))
        try:
            left = cute.strict_left_inverse(ours)
        except NoAnswer:
            assert not theirs_right
            seen["not injective"] += len(set(values)) < len(values)
            continue
        assert all(left(v) == x for x, v in enumerate(values))
        assert same(left, theirs) if theirs_right else True
        seen["left", theirs_right] += 1
    assert min(seen["longer than pycute's"] + 3, seen["not injective"], seen["left", True], seen["left", False]) > 5


def random_tile(rng: Random, size: int) -> Modes:
    """Layouts that often divide the size and have a complement."""
    modes, reach = [], 1
    for _ in range(rng.choice((1, 1, 2))):
        gap, n = rng.choice((1, 1, 2, 3)), rng.choice((2, 2, 3, 4))
        if size % (reach * gap * n) == 0 or rng.random() < 0.3:
            modes.append((n, reach * gap))
            reach *= gap * n
    rng.shuffle(modes)
    return modes or [(1, 0)]


def test_divisions_and_products(turns, full) -> None:
    """The values are those of the definition, and pycute's answer is the same wherever its values are right."""
    rng, seen = Random("divisions"), Counter()
    for _ in turns(700):
        modes = cute_brute.random_outer(rng, 3)
        shape, stride = nested(rng, modes)
        tile_modes = random_tile(rng, cute_brute.size(modes))
        ours, tile = Layout(shape, stride), Layout(*nested(rng, tile_modes))
        for name in ("logical_divide", "logical_product"):
            theirs = ask(getattr(pycute, name), peers(shape, stride)[0], pycute.Layout(tile.shape, tile.stride))
            try:
                found = getattr(cute, name)(ours, tile)
            except NoAnswer:
                seen[name, "none"] += 1
                continue
            seen[name, "found"] += 1
            if name == "logical_divide":
                expected = _divided(modes, tile_modes)
            elif has_complement(ours):
                expected = _multiplied(modes, tile_modes)
            else:  # gaps are left: the block, and copies of it apart from one another
                own, places = table(ours, ours.size()), table(found[1], tile.size())
                expected = [v + p for p in places for v in own]
                assert len(set(expected)) == len(set(own)) * len(set(cute_brute.table(tile_modes)))
                seen["gaps left"] += 1
            assert table(found, found.size()) == expected
            size = pycute.product(theirs.shape) if theirs is not None else 0
            if size == found.size() and table(theirs, size) == expected:
                assert same(found, theirs)
                seen[name, "same"] += 1
    for name in ("logical_divide", "logical_product") if full else ():
        assert min(seen[name, "none"], seen[name, "found"], seen[name, "same"], seen["gaps left"]) > 20


def _complement_table(modes: Modes, bound: int) -> list[int]:
    """The numbers left out by tiling from 0 on, as long as the bound is not reached: no formula."""
    own, found, covered = cute_brute.table(moving(modes)), [], set()
    x = 0
    while x < bound or len(covered) != max(covered) + 1:
        if x not in covered:
            found.append(x)
            covered |= {x + v for v in own}
        x += 1
    return found


def _divided(modes: Modes, tile: Modes) -> list[int]:
    rest = _complement_table(tile, cute_brute.size(modes))
    return [cute_brute.value(modes, t + r) for r in rest for t in cute_brute.table(tile)]


def _multiplied(modes: Modes, copies: Modes) -> list[int]:
    places = cute_brute.table(copies)
    rest = _complement_table(modes, cute_brute.size(modes) * (max(places) + 1))
    return [v + rest[p] for p in places for v in cute_brute.table(modes)]


@pytest.mark.parametrize("way", ["zipped", "tiled", "flat"])
@pytest.mark.parametrize("operation", ["divide", "product"])
def test_arrangements(way, operation, turns, full) -> None:
    """The same values as the logical one mode by mode, tiles first; pycute's layout where it has the function."""
    rng, seen = Random(f"{way} {operation}"), 0
    for _ in turns(50):
        parts = [nested(rng, cute_brute.random_outer(rng, 2)) for _ in range(2)]
        shape, stride = tuple(p[0] for p in parts), tuple(p[1] for p in parts)
        ours = Layout(shape, stride)
        tiler = tuple(rng.choice((2, 3, 4, None, Layout(2, 2))) for _ in range(rng.choice((1, 2))))
        try:
            found = getattr(cute, f"{way}_{operation}")(ours, tiler, none="pycute")
        except NoAnswer:
            continue
        logical = getattr(cute, f"logical_{operation}")(ours, tiler)
        assert sorted(table(found, found.size())) == sorted(table(logical, logical.size()))
        if way == "flat":
            continue
        made = tuple(pycute.Layout(t.shape, t.stride) if isinstance(t, Layout) else t for t in tiler)
        theirs = ask(getattr(pycute, f"{way}_{operation}"), pycute.Layout(shape, stride), made)
        plain = theirs is not None and pycute.product(theirs.shape) == found.size()
        if plain and table(theirs, found.size()) == table(found, found.size()):  # not beyond a last mode of size 1
            assert same(found, theirs), (ours, tiler, theirs, found)
            seen += 1
    if full:
        assert seen > 10 or way == "flat"


def test_blocked_and_raked_products(turns) -> None:
    rng, seen = Random("blocked"), Counter()
    for _ in turns(300):
        a = Layout(*_tuple(rng, random_tile(rng, 48)))
        b = Layout(*_tuple(rng, random_tile(rng, 48)))
        try:
            blocked, raked = cute.blocked_product(a, b), cute.raked_product(a, b)
        except NoAnswer:
            continue
        seen["found"] += 1
        rank = max(len(a), len(b))
        assert len(blocked) == len(raked) == rank
        logical = cute.logical_product(*[_padded(x, rank) for x in (a, b)])
        for n in range(rank):
            assert blocked[n][0] == raked[n][1] == logical[0][n]
            assert blocked[n][1] == raked[n][0] == logical[1][n]
        theirs = ask(tensor_layouts.raked_product, *[tensor_layouts.Layout(x.shape, x.stride) for x in (a, b)])
        if theirs is not None and same(raked, theirs):
            seen["same"] += 1
    assert min(seen["found"], seen["same"]) > 50


def _tuple(rng: Random, modes: Modes):
    return tuple(n for n, _ in modes), tuple(d for _, d in modes)


def _padded(layout: Layout, rank: int) -> Layout:
    return cute.make_layout([*layout, *[Layout(1, 0)] * (rank - len(layout))])


# Tables and permutations


def test_tables_are_recognised(turns, least) -> None:
    """All tables of small values, layouts with one entry changed, and layouts."""
    rng, seen = Random("tables"), Counter()
    for _ in turns(800):
        modes = cute_brute.random_outer(rng, 3)
        if cute_brute.size(modes) > 64:
            continue
        values = cute_brute.table(modes)
        if rng.random() < 0.6:
            values[rng.randrange(len(values))] += rng.choice((-1, 1, 2))
        found = cute.layout_of(values)
        expected = cute_brute.layouts_of(values)
        seen[bool(expected)] += 1
        if expected:
            assert found.flat() == (min(expected, key=len) or [(1, 0)])
            continue
        assert not found
        assert values[found.index[0]] == found.got != found.expected
    assert min(seen.values()) > least(150)


@pytest.mark.parametrize("n", range(1, 13))
def test_permutations_that_are_layouts(n) -> None:
    """By trying every layout of size n whose strides are below n; up to 7, every permutation as well."""
    found = {tuple(table(f, n)): f for f in factorisation_category.layout_permutations(n)}
    expected = {
        tuple(cute_brute.table(m))
        for m in _layouts(n, n + 1)
        if sorted(cute_brute.table(m)) == list(range(n))
    }  # fmt: skip
    assert set(found) == expected
    assert all(cute.coalesce(f) == f and cute.is_bijection(f) for f in found.values())
    for values, layout in found.items():
        morphism = factorisation_category.morphism_of(layout)
        assert morphism.is_invertible()
        assert morphism.realised() == list(values)
        assert factorisation_category.morphism_of(values) == morphism
    if n <= 7:
        for values in permutations(range(n)):
            assert bool(cute.layout_of(values)) == (values in expected)


# Swizzles


def swizzled(swizzle, offset: int, modes: Modes) -> list[int]:
    """By bits of strings: nothing of the package."""

    def one(x: int) -> int:
        bits = [x >> n & 1 for n in range(64)]
        out = list(bits)
        for n in range(swizzle.bits):
            low, high = swizzle.base + n, swizzle.base + n + abs(swizzle.shift)
            source, target = (high, low) if swizzle.shift > 0 else (low, high)
            out[target] ^= bits[source]
        return sum(b << n for n, b in enumerate(out))

    return [one(offset + v) for v in cute_brute.table(modes)]


@pytest.mark.parametrize("budget", [DEFAULT, Budget(points=1)], ids=["walked", "searched"])
def test_swizzles(budget, turns, full) -> None:
    """As they come, and by Z3 where there is a choice."""
    rng, seen, walked = Random("swizzles"), Counter(), budget == DEFAULT
    for _ in turns(300 if walked else 80):
        bits = rng.randint(0, 3)
        one = cute.Swizzle(bits, rng.randint(0, 2), rng.choice((1, -1)) * rng.randint(max(bits, 1), 4))
        modes = [(2 ** rng.randint(0, 3), 2 ** rng.randint(0, 4)) for _ in range(rng.randint(1, 3))]
        if rng.random() < 0.3:
            modes = [m for m in cute_brute.random_outer(rng, 2) if m[0] > 1] or [(2, 1)]
        if cute_brute.size(modes) > 128:
            continue
        offset = rng.choice((0, 0, 0, 5))
        theirs = pycute.Swizzle(one.bits, one.base, one.shift)
        composed = cute.ComposedLayout(one, offset, Layout(*_tuple(rng, modes)))
        values = swizzled(one, offset, modes)
        assert [composed(x) for x in range(len(values))] == values
        assert [theirs(offset + v) for v in cute_brute.table(modes)] == values
        expected = cute_brute.layouts_of(values)
        found = cute.as_layout(composed, budget)
        assert bool(found) == bool(expected), (composed, found, expected)
        seen["layout" if expected else "none"] += 1
        if expected:
            assert found.flat() == (min(expected, key=len) or [(1, 0)])
        else:
            assert values[found.index[0]] == found.got != found.expected
        assert cute.is_injective(composed, budget) == (len(set(values)) == len(values))
        assert cute.is_bijective(composed, budget) == (sorted(values) == list(range(len(values))))
        seen["bijective"] += cute.is_bijective(composed)
    if full:
        assert min(seen["layout"], seen["none"], seen["bijective"]) > (20 if walked else 3)


def test_a_large_swizzled_layout() -> None:
    """2^24 values are not walked."""
    layout = Layout((1 << 12, 1 << 12), (1 << 12, 1))
    composed = cute.ComposedLayout(cute.Swizzle(3, 4, 3), 0, layout)
    assert cute.is_bijective(composed)
    broken = cute.as_layout(composed)
    assert not broken
    assert composed(*broken.index) == broken.got != broken.expected
    far = cute.ComposedLayout(cute.Swizzle(3, 30, 3), 0, layout)
    assert cute.as_layout(far) == layout
