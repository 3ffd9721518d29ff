"""Layouts behind swizzles against tables: whether they are strided, and what every operation makes of them."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from math import prod
from random import Random

import pytest

from oracle import cute_brute, swizzle_brute
from oracle.cute_brute import Modes
from symview import Counterexample, View, cute
from symview.cute import ComposedLayout, Layout
from symview.cute.linear.reading import map_of, map_of_parts
from symview.cute.linear.straight import parts_of
from symview.cute.swizzled import simplified
from symview.engine.first_difference import Residues
from symview.errors import SymbolError, Undecided
from symview.logic.budget import DEFAULT, Budget


def nested(rng: Random, modes: Modes):
    """Shape and stride of the modes, nested at random."""
    if len(modes) == 1 and rng.random() < 0.7:
        return modes[0]
    if len(modes) < 2 or rng.random() < 0.6:
        return tuple(n for n, _ in modes), tuple(d for _, d in modes)
    cut = rng.randint(1, len(modes) - 1)
    (a, b), (c, d) = nested(rng, modes[:cut]), nested(rng, modes[cut:])
    return (a, c), (b, d)


def composed(fronts: swizzle_brute.Fronts, layout: Layout):
    for swizzle, offset in reversed(fronts):
        layout = ComposedLayout(cute.Swizzle(*swizzle), offset, layout)
    return layout


def random_composed(rng: Random, most: int = 200):
    """A layout behind swizzles, and its table."""
    modes = swizzle_brute.random_modes(rng, most)
    fronts = swizzle_brute.random_fronts(rng, modes)
    return composed(fronts, Layout(*nested(rng, modes))), swizzle_brute.values(fronts, modes), modes


def table(layout) -> list[int]:
    return [layout(x) for x in range(layout.size())]


def check(holds: bool, why: object) -> None:
    """A claim about a refusal."""
    assert holds, why


def test_strided(turns, full) -> None:
    """The parts, or the index where there are none; with fewer points a block at a time, or by a solver."""
    rng, seen = Random("strided"), Counter()
    for turn in turns(700):
        searched = turn % 12 == 0
        budget = Budget(points=1) if searched else (DEFAULT, Budget(points=31))[turn % 2]
        layout, values, modes = random_composed(rng, 40 if searched else 200)
        expected = swizzle_brute.by_mode(values, modes)
        found = parts_of(map_of(layout, ""), layout, budget)
        assert isinstance(found, Counterexample) == (expected is None), (layout, found, expected)
        if expected is None:
            assert values[found.index[0]] == found.got != found.expected
        else:
            assert found == expected
        seen[budget.points, expected is None] += 1
    if full:
        assert len(seen) == 6 and min(seen.values()) > 10, seen


# Operations


def shortest(layout: Layout) -> list[Modes]:
    """The modes that are not a tuple, each without parts of size 1."""
    return [[(n, d) for n, d in part.flat() if n > 1] for part in _leaves(layout)]


def _leaves(layout: Layout):
    for part in layout.modes() if isinstance(layout.shape, tuple) else [layout]:
        yield from _leaves(part) if isinstance(part.shape, tuple) else [part]


def is_what(found, values: list[int], modes: Modes) -> str:
    """What was found has these values, and is a layout exactly where there is one of these modes."""
    assert table(found) == values, found
    parts = swizzle_brute.by_mode(values, modes)
    if parts is not None and values[0] == 0:
        assert isinstance(found, Layout), found
        assert [m for m in found.flat() if m[0] > 1] == [m for p in parts for m in p]
        return "layout"
    assert isinstance(found, ComposedLayout), found
    return "swizzled"


def test_slices(turns, full) -> None:
    rng, seen = Random("slices"), Counter()
    for _ in turns(400):
        layout, values, modes = random_composed(rng)
        shape = cute.flatten(layout.shape)
        flat = cute.flatten(layout)
        if not isinstance(flat.shape, tuple):
            continue
        coordinate = tuple(rng.choice((None, rng.randrange(n))) for n in shape)
        free = [k for k, x in enumerate(coordinate) if x is None]
        if not free:
            continue
        rest = [modes[k] for k in free]
        expected, place = [], [1]
        for n, _ in modes:
            place.append(place[-1] * n)
        for i in range(cute_brute.size(rest)):
            index, x = sum(c * p for c, p in zip(coordinate, place, strict=False) if c is not None), i
            for k in free:
                index, x = index + x % modes[k][0] * place[k], x // modes[k][0]
            expected.append(values[index])
        if isinstance(flat, ComposedLayout):
            seen[is_what(cute.slice_(coordinate, flat), expected, rest)] += 1
            assert table(flat(coordinate)) == expected
        part, offset = cute.slice_and_offset(coordinate, flat)
        assert [offset + v for v in table(part)] == expected
        assert isinstance(part, Layout) == (swizzle_brute.by_mode(expected, rest) is not None)
        seen["with an offset"] += isinstance(part, Layout) and offset > 0
    if full:
        assert seen["layout"] and min(seen["swizzled"], seen["with an offset"]) > 100, seen


def test_compositions(turns) -> None:
    """A layout behind swizzles ∘ a layout: the values, and no refusal where a layout or another swizzle does it."""
    rng, seen = Random("compositions"), Counter()
    for _ in turns(400):
        layout, values, _ = random_composed(rng, 60)
        inner = cute_brute.random_inner(rng, len(values))
        if cute_brute.size(inner) > 60 or max(values) > 200:
            continue
        expected = [values[i] for i in cute_brute.table(inner)]
        seen[answered(cute.try_composition(layout, Layout(*nested(rng, inner))), expected, inner)] += 1
    assert min(seen[k] for k in ("layout", "swizzled", "none")) > 5, seen


def answered(found, expected: list[int], modes: Modes) -> str:
    """As `is_what`, or that there is neither a layout nor a swizzled one."""
    if found:
        return is_what(found, expected, modes)
    parts = swizzle_brute.by_mode(expected, modes)
    assert parts is None or expected[0]
    assert not swizzle_brute.swizzled_by_some(expected, modes)
    why = found.reason
    assert why.outer(why.inner(why.coordinate)) == found.got != found.expected
    return "none"


def test_compositions_after_a_layout(turns, full) -> None:
    """A layout ∘ a layout behind swizzles, or ∘ a swizzle."""
    rng, seen = Random("after a layout"), Counter()
    for n in turns(150):
        if n % 3:
            inner, values, modes = random_composed(rng, 40)
        else:
            one = swizzle_brute.random_swizzle(rng)
            modes = [(2 ** rng.randint(0, 3), 2 ** rng.randint(0, 3)) for _ in range(2)]
            inner, values = cute.Swizzle(*one), [swizzle_brute.swizzled(one, x) for x in range(cute_brute.size(modes))]
        outer = swizzle_brute.random_modes(rng, 64) if n % 3 else modes
        if min(d for _, d in outer) < 0:
            continue
        expected = [cute_brute.value(outer, v) for v in values]
        if max(expected) > 200:
            continue
        found = cute.try_composition(Layout(*nested(rng, outer)), inner)
        seen[answered(found, expected, modes)] += 1
    if full:
        assert min(seen[k] for k in ("layout", "swizzled", "none")) > 5, seen


def test_swizzles_of_swizzled_layouts(turns, full) -> None:
    """One swizzle where one does it."""
    rng, seen = Random("swizzles of swizzled"), Counter()
    for _ in turns(150):
        layout, values, modes = random_composed(rng, 40)
        same = layout.layoutB
        one = rng.choice((swizzle_brute.random_swizzle(rng), (same.bits, same.base, same.shift)))
        expected = [swizzle_brute.swizzled(one, v) for v in values]
        if max(expected) > 200:
            continue
        found = cute.composition(cute.Swizzle(*one), layout)
        seen[is_what(found, expected, modes)] += 1
        if isinstance(found, ComposedLayout):
            single = isinstance(found.layoutA, Layout)
            assert single == swizzle_brute.swizzled_by_some(expected, modes), (found, layout)
            seen["one" if single else "more"] += 1
    if full:
        assert min(seen.values()) > 10, seen


@pytest.mark.parametrize("kind", ["logical", "zipped", "tiled", "flat"])
def test_divisions(kind, turns, full) -> None:
    """As indices are put in order for any layout of that shape."""
    rng, seen = Random(f"{kind} divisions"), Counter()
    divide = getattr(cute, f"{kind}_divide")
    for _ in turns(120):
        layout, values, _ = random_composed(rng)
        flat = cute.flatten(layout)
        sizes = cute.flatten(layout.shape)
        if not isinstance(flat.shape, tuple):
            continue
        tiler = tuple(rng.choice([t for t in range(1, n + 1) if n % t == 0]) for n in sizes)
        order = divide(Layout(sizes), tiler)
        expected = [values[order(i)] for i in range(order.size())]
        try:
            found = divide(flat, tiler)
        except cute.NoComposition:
            parts = swizzle_brute.by_mode(expected, order.flat())
            assert (parts is None or expected[0]) and not swizzle_brute.swizzled_by_some(expected, order.flat())
            seen["none"] += 1
            continue
        seen[is_what(found, expected, order.flat())] += 1
        seen["shape"] += cute.rank(found) == cute.rank(order)
    if full:
        assert min(seen["layout"], seen["swizzled"], seen["shape"]) > 10, seen


@pytest.mark.parametrize("kind", ["logical", "zipped", "tiled", "flat", "blocked", "raked"])
def test_products(kind, turns, full) -> None:
    """What stands behind is repeated, in front the swizzle stays."""
    rng, seen = Random(f"{kind} products"), Counter()
    multiply = getattr(cute, f"{kind}_product")
    for _ in turns(80):
        fronts = [(swizzle_brute.random_swizzle(rng), rng.choice((0, 0, 5)))]
        inner = Layout(*zip(*[(2 ** rng.randint(0, 3), 2 ** rng.randint(0, 5)) for _ in range(2)], strict=True))
        tiler = Layout((rng.randint(1, 3), rng.randint(1, 3)))
        try:
            repeated = multiply(inner, tiler)
        except cute.NoAnswer:
            with pytest.raises(cute.NoAnswer):
                multiply(composed(fronts, inner), tiler)
            seen["none"] += 1
            continue
        expected = swizzle_brute.values(fronts, repeated.flat())
        seen[is_what(multiply(composed(fronts, inner), tiler), expected, repeated.flat())] += 1
    if full:
        assert min(seen.values()) > 5, seen


def random_tile(rng: Random):
    """A layout behind a swizzle, often a permutation, and its table."""
    places = list(range(rng.randint(2, 4)))
    rng.shuffle(places)
    gap = rng.randint(1, len(places) - 1)
    swizzle = 1, rng.randint(0, len(places) - 1 - gap), rng.choice((gap, -gap))
    modes = [(2, 1 << p) for p in places] if rng.random() < 0.7 else swizzle_brute.random_modes(rng, 24)
    fronts = [(swizzle, 0)] if min(d for _, d in modes) >= 0 else swizzle_brute.random_fronts(rng, modes, 2)
    return composed(fronts, Layout(*nested(rng, modes))), swizzle_brute.values(fronts, modes)


def test_swizzled_layouts_as_tiles(turns, full) -> None:
    """Mode by mode, in divisions and in products: the values by the definition of each."""
    rng, seen = Random("swizzled tiles"), Counter()
    for _ in turns(40):
        tile, values = random_tile(rng)
        (n, d), (m, e) = outer = [(rng.choice((8, 16, 32)), rng.choice((1, 2, 3))), (8, rng.choice((1, 5, 64, 128)))]
        layout, other = Layout((n, m), (d, e)), rng.choice((None, 2, tile))
        along = values if other is tile else range(other or m)
        with suppress(cute.NoAnswer):
            found = cute.composition(layout, (tile, other))
            assert table(found) == [a * d + b * e for b in along for a in values], (layout, tile, other, found)
            seen[f"composition {type(found).__name__}"] += 1
        for kind in ("logical", "zipped", "flat"):
            with suppress(cute.LayoutError, Undecided):
                found = getattr(cute, f"{kind}_divide")(Layout(n, d), tile)
                assert table(found)[: len(values)] == [d * a for a in values]
                assert cute.as_layout(tile) or sorted(table(found)) == [d * a for a in range(found.size())]
                seen[f"divide {type(found).__name__}"] += 1
        with suppress(cute.LayoutError, Undecided):
            found = cute.zipped_divide(layout, (tile, other))
            first = [a * d + b * e for b in (along if other else [0]) for a in values]  # for None, all of it is rest
            assert table(found)[: len(first)] == first
            seen[f"divide by mode {type(found).__name__}"] += 1
        block, kind = Layout((2, 4), (1, rng.choice((2, 4)))), rng.choice(("logical", "tiled", "blocked", "raked"))
        with suppress(cute.LayoutError):
            plain, found = cute.logical_product(block, max(values) + 1), getattr(cute, f"{kind}_product")(block, tile)
            expected = [plain((x, y)) for y in values for x in range(8)]
            assert (table(found) == expected) if kind[0] in "lt" else (sorted(table(found)) == sorted(expected))
            seen[f"product {type(found).__name__}"] += 1
    if full:
        assert len(seen) == 8 and min(seen.values()) > 1, seen
    with pytest.raises(cute.LayoutError, match="alone is not a tile"):
        cute.logical_divide(Layout(*zip(*outer, strict=True)), cute.Swizzle(1, 0, 2))


def test_swizzles_in_front_of_large_layouts_are_found(turns) -> None:
    """What tells swizzles that cannot do it lets the right one pass, and that has the same values."""
    rng, seen = Random("large"), Counter()
    for _ in turns(25):
        sizes, steps = (2, 3, 6, 600, 1000, 4096, 5000, 100000), (0, 1, 2, 3, 8, -8, 64, -1000, 12345, 1 << 16)
        modes = [(rng.choice(sizes), rng.choice(steps)) for _ in range(rng.randint(1, 3))]
        layout = Layout(*zip(*modes, strict=True))
        low = sum((n - 1) * min(d, 0) for n, d in modes)
        swizzle, offset = cute.Swizzle(*swizzle_brute.random_swizzle(rng)), rng.choice((0, 5, 8)) - low
        front = map_of_parts(((swizzle, offset),), layout)
        assert simplified._filter(front, layout)(swizzle), front
        with suppress(Undecided):
            found = simplified.as_one_swizzle(front, layout, DEFAULT)
            indices = [rng.randrange(layout.size()) for _ in range(30)]
            assert found is not None and all(found(i) == front(i) for i in indices), (front, found)
            seen["found"] += 1
    assert seen["found"] > 0.7 * len(turns(25)), seen


def test_swizzles_alone(turns) -> None:
    """Two as one where one is, and of other elements; each takes back what it does."""
    rng, every, seen = Random("swizzles alone"), swizzle_brute.all_swizzles(6), Counter()
    images = {tuple(swizzle_brute.swizzled(s, 1 << k) for k in range(8)) for s in every}
    for _ in turns(100):
        first, second = rng.choice(every), rng.choice(every)
        swizzle, bits = cute.Swizzle(*first), rng.randint(0, 2)
        image = tuple(swizzle_brute.swizzled(first, swizzle_brute.swizzled(second, 1 << k)) for k in range(8))
        try:
            found = cute.composition(swizzle, cute.Swizzle(*second))
            assert image == tuple(found(1 << k) for k in range(8))
        except cute.NoAnswer:
            assert image not in images
            seen["two"] += 1
        narrow, n = cute.downcast(swizzle, 1 << bits), 1 << bits
        assert all(narrow(n * x + z) == n * swizzle(x) + z for x in (5, 41, 200) for z in range(n))
        assert cute.right_inverse(swizzle) == cute.left_inverse(swizzle) == swizzle
        whole = all(swizzle(n * y + z) == swizzle(n * y) + z for y in range(128 // n) for z in range(n))
        try:
            wide = cute.upcast(swizzle, n)
            assert whole and all(swizzle(n * y) == n * wide(y) for y in range(64))
        except cute.NoAnswer:
            assert not whole or any(swizzle(n * y) % n for y in range(64))
            seen["apart"] += 1
    assert min(seen.values()) > 5, seen


def test_alignment_and_flat_concatenation(turns, least) -> None:
    """Units of the alignment stay whole; concatenated, values are added."""
    rng, seen = Random("alignment"), Counter()
    for _ in turns(100):
        swizzle = rng.randint(0, 2), rng.randint(0, 3), 3
        modes = [(4, rng.choice((1, 8))), (4, rng.choice((8, 1, 16, 32)))]
        fronts = [(swizzle, rng.choice((0, 0, 4, 8)))]
        layout = composed(fronts, Layout(*zip(*modes, strict=True)))
        width = cute.max_alignment(layout)
        seen[width] += 1
        assert width == 1 or whole_units(swizzle_brute.values(fronts, modes), modes, width), (layout, width)
        with suppress(cute.NoAnswer):
            found = cute.flatten(cute.make_layout(layout, Layout((2, (1, 2)), (64, (1, 128)))))
            assert table(found) == [v + w for w in (0, 64, 128, 192) for v in table(layout)]
            assert cute.depth(found) == 1 or isinstance(found, Layout)
            seen["concatenated"] += 1
    assert seen[1] < 80, seen
    assert seen["concatenated"] > least(50), seen


def test_coalesce(turns, least) -> None:
    """A layout where the values are one's, by index; fewer modes elsewhere."""
    rng, seen = Random("coalesce"), Counter()
    for _ in turns(300):
        layout, values, modes = random_composed(rng)
        found = cute.coalesce(layout)
        assert table(found) == values
        layouts = cute_brute.layouts_of(values)
        assert isinstance(found, Layout) == bool(layouts)
        if layouts:
            assert [m for m in found.flat() if m[0] > 1] == min(layouts, key=len)
        seen["layout" if layouts else "none"] += 1
        seen["not by mode"] += bool(layouts) and not swizzle_brute.by_mode(values, modes)
        for same in (cute.flatten(layout), cute.group(layout, 0), cute.append(layout, up_to_rank=5)):
            assert table(same) == values
    assert min(seen["layout"], seen["none"]) > least(40), seen


def test_inverses(turns, full) -> None:
    rng, seen = Random("inverses"), Counter()
    for _ in turns(400):
        layout, values, _ = random_composed(rng, 64)
        if max(values) > 500:
            continue
        try:
            right = cute.right_inverse(layout)
            assert [layout(right(i)) for i in range(right.size())] == list(range(right.size()))
            seen[f"right {type(right).__name__}"] += right.size() > 1
        except cute.NoAnswer:
            assert values.count(0) == 0
            seen["no right"] += 1
        try:
            left = cute.left_inverse(layout)
            assert [layout(left(v)) for v in values] == values
            if len(set(values)) == len(values) and any(left(v) != i for i, v in enumerate(values)):
                with pytest.raises(cute.NoAnswer):  # beyond the size, where no K stays below it
                    cute.strict_left_inverse(layout)
            seen[f"left {type(left).__name__}"] += 1
        except cute.NoAnswer:
            seen["no left"] += 1
    if full:
        assert len(seen) == 6 and min(seen.values()) > 5, seen


def test_the_left_inverse_of_one_value() -> None:
    for offset in (0, 4):
        found = cute.left_inverse(ComposedLayout(cute.Swizzle(2, 1, 3), offset, Layout(())))
        assert found(cute.Swizzle(2, 1, 3)(offset)) == 0


def test_right_inverses_of_permutations_are_whole(turns, full) -> None:
    """Of swizzled compact tiles whose swizzle stays inside, and their left inverse is the same function."""
    rng, seen = Random("whole inverses"), Counter()
    for _ in turns(30):
        places = [0, 1, 2, 3, 4, 5]
        rng.shuffle(places)
        layout = cute.composition(
            cute.Swizzle(rng.randint(1, 2), rng.randint(0, 2), 2), Layout((2,) * 6, tuple(1 << p for p in places))
        )
        right, left = cute.right_inverse(layout), cute.left_inverse(layout)
        assert right.size() == 64
        assert table(right) == table(left) == [table(layout).index(v) for v in range(64)]
        seen[type(right).__name__] += 1
    if full:
        assert seen["ComposedLayout"] > 10


# Elements of another width


def whole_units(values: list[int], modes: Modes, n: int) -> list[tuple[int, list[int]]]:
    """The modes along which n elements from a multiple of n on lie together, and the units, in that order."""
    found, place = [], 1
    for k, (size, _) in enumerate(modes):
        starts = [i for i in range(len(values)) if i // place % size % n == 0]
        together = size % n == 0 and all(values[i + z * place] == values[i] + z for i in starts for z in range(n))
        if together and all(values[i] % n == 0 for i in starts):
            found.append((k, [values[i] // n for i in starts]))
        place *= size
    return found


def test_modes_behind_swizzles_add_up(turns) -> None:
    """The values of the modes are added; where no layout does it, these are additive behind no swizzle of the parts."""
    rng, seen = Random("modes behind swizzles"), Counter()
    for _ in turns(300):
        swizzle = swizzle_brute.random_swizzle(rng)
        step = rng.choice((1, 2, 3)) << swizzle[0] + swizzle[1] + abs(swizzle[2])
        others = [[], [(3, step)], [(2, rng.choice((1, 2, 4, 8, 16)))]]
        parts = [([(swizzle, rng.choice((0, 0, 2, 8)))], swizzle_brute.random_modes(rng, 24))]
        if rng.random() < 0.3:
            other = rng.choice((swizzle, swizzle_brute.random_swizzle(rng)))
            parts.append(([(other, 0)], [(4, rng.choice((1, 2, 8)))]))
        parts += [([], modes) for modes in rng.sample(others, 2) if modes]
        rng.shuffle(parts)
        values = [0]
        for part in parts:
            values = [v + w for w in swizzle_brute.values(*part) for v in values]
        layouts = [composed(fronts, Layout(*zip(*modes, strict=True))) for fronts, modes in parts]
        try:
            found = cute.make_layout(*layouts)
        except cute.NoAnswer as error:
            at, got = re.search(r"at coordinate \(([\d,]+)\) it is (\d+),", str(error)).groups()
            each = zip(parts, map(int, at.split(",")), strict=True)
            check(sum(swizzle_brute.values(*part)[i] for part, i in each) == int(got), error)
            modes = [mode for _, part in parts for mode in part]
            for front in {(0, 0, 1), *[s for fronts, _ in parts for s, _ in fronts]}:
                assert swizzle_brute.by_mode([swizzle_brute.swizzled(front, v) for v in values], modes) is None
            seen["none"] += 1
            continue
        except cute.LayoutError:  # what would stand behind goes below 0
            seen["below 0"] += 1
            continue
        assert table(found) == values and len(found) == len(parts), (layouts, found)
        seen[type(found).__name__] += 1
    assert min(seen[k] for k in ("none", "ComposedLayout", "Layout")) > 0.1 * len(turns(300)), seen
    assert seen["below 0"] < 0.1 * len(turns(300)), seen


def test_modes_put_beside_others_behind_swizzles(turns, full) -> None:
    """Appended, prepended, or in the place of another, a mode behind a swizzle adds its values to the others'."""
    rng, seen = Random("modes put beside others"), Counter()
    for _ in turns(200):
        swizzle, other = swizzle_brute.random_swizzle(rng), ([(swizzle_brute.random_swizzle(rng), 0)], [(3, 8)])
        modes = [(4, 1), (rng.choice((2, 3)), rng.choice((8, 16, 32)))]
        step = rng.choice((1, 2, 4, 64, 128))
        whole, more = ([(swizzle, 0)], modes), rng.choice((([(swizzle, 0)], [(4, step)]), other))
        x, elem = [composed(fronts, Layout(*zip(*part, strict=True))) for fronts, part in (whole, more)]
        whole, more, first, second = [
            swizzle_brute.values(*part) for part in (whole, more, (whole[0], modes[:1]), (whole[0], modes[1:]))
        ]
        for ask, args, parts in (
            (cute.append, (x, elem), (whole, more)), (cute.prepend, (x, elem), (more, whole)),
            (cute.replace, (x, 1, elem), (first, more)), (cute.replace, (x, -2, elem), (more, second)),
        ):  # fmt: skip
            try:
                found = ask(*args)
            except cute.NoAnswer:
                seen["none"] += 1
                continue
            assert table(found) == [a + b for b in parts[1] for a in parts[0]], (x, elem, found)
            assert len(found) == (3 if whole in parts else 2), found
            seen[type(found).__name__] += 1
    if full:
        assert min(seen.values()) > 50 and len(seen) == 3, seen


def test_layouts_with_symbols_after_swizzles(turns, full) -> None:
    """An answer has the values of the composition at all values of the symbols; a refusal an index that shows it."""
    rng, seen = Random("symbols after swizzles"), Counter()
    for _ in turns(100):
        steps = [rng.choice(("a", "b", "16*a", "64*b", "1", "4", "2*a + 64*b", "a*b")) for _ in range(3)]
        strides = [rng.choice(("1", "1", "4", "a")), steps[1], rng.choice(("a", "32*b", "a + 8*b"))]
        sizes = [rng.choice((2, 4, 8)), rng.choice((2, 3, 4)), rng.choice((8, 64))]
        outer = Layout.parse(f"({','.join(map(str, sizes))}):({','.join(strides)})")
        fronts, modes = [(swizzle_brute.random_swizzle(rng), rng.choice((0, 0, 0, 1, 4)))], [
            (rng.choice((2, 4)), rng.choice((1, 1, 2))), (rng.choice((2, 3, 4)), rng.choice((4, 8, 16))),
        ]  # fmt: skip
        inner = composed(fronts, Layout(*zip(*modes, strict=True)))
        try:
            found = cute.composition(outer, inner)
        except SymbolError as error:
            seen["refused"] += 1
            text = "a layout has" in str(error)
            indices = swizzle_brute.values(fronts, modes)
            bent = any(swizzle_brute.by_mode(tables_at(outer, indices, a, 7919), modes) is None for a in (1, 977))
            check(bent or not text, error)
            continue
        except Undecided:
            seen["undecided"] += 1
            continue
        for _ in range(4):
            a, b = rng.randint(0, 70), rng.randint(0, 70)
            here = found.with_values({"a": a, "b": b})
            assert table(here) == tables_at(outer, swizzle_brute.values(fronts, modes), a, b), (outer, inner, a, b)
        seen[type(found).__name__] += 1
    assert seen["undecided"] < 5, seen
    if full:
        assert seen["Layout"] > 10 and seen["ComposedLayout"] > 2, seen


def tables_at(outer: Layout, indices: list[int], a: int, b: int) -> list[int]:
    """The values of a layout with the symbols a and b at these indices, its last mode extended."""
    found = []
    sizes = outer.shape
    strides = [eval(str(d), {"a": a, "b": b}) for d in outer.stride]
    for i in indices:
        at = (i % sizes[0], i // sizes[0] % sizes[1], i // (sizes[0] * sizes[1]))
        found.append(sum(x * d for x, d in zip(at, strides, strict=True)))
    return found


def test_upcasts(turns, least) -> None:
    """The units, where they stay whole; a refusal only where a swizzle takes one apart."""
    rng, seen = Random("upcasts"), Counter()
    for _ in turns(600):
        n = rng.choice((2, 2, 4, 8, 3, 6))
        modes = [(rng.choice((2, 4, 8) if n & n - 1 == 0 else (3, 6, 6, 12)), 1)]
        steps = (1, 2, 4, 4, 8, 8, 12, 16, 24) if n & n - 1 == 0 else (3, 6, 12, 12, 24, 16, 36)
        modes += [(rng.choice((1, 2, 3, 4)), rng.choice(steps)) for _ in range(rng.randint(0, 2))]
        rng.shuffle(modes)
        swizzle = swizzle_brute.random_swizzle(rng)
        fronts = [(swizzle, rng.choice((0, 0, 0, 8, 4, 3)))]
        values = swizzle_brute.values(fronts, modes)
        layout = composed(fronts, Layout(*zip(*modes, strict=True)))
        whole = whole_units(values, modes, n)
        try:
            found = cute.upcast(layout, n)
        except cute.LayoutError:
            assert not whole or any(d % n and n % d for _, d in modes), (layout, n)
            seen["none"] += 1
            continue
        except Undecided:
            assert n & n - 1 and whole
            continue
        if whole:
            assert table(found) in [units for _, units in whole], (layout, n, found)
            seen[type(found).__name__] += 1
            assert cute.recast_layout(16 * n, 16, layout) == found and cute.recast_layout(16, 16, layout) == layout
        else:  # then units are those that CuTe's upcast says are touched, moved by what the swizzle does to units
            assert (1 << swizzle[1]) % n == 0 or swizzle_brute.by_mode(values, modes), (layout, n, found)
            seen["touched"] += 1
    assert min(seen.values()) > least(20), seen


def test_downcasts(turns, full) -> None:
    rng, seen = Random("downcasts"), Counter()
    for _ in turns(200):
        n = rng.choice((1, 2, 4, 8, 3))
        layout, values, _ = random_composed(rng, 64)
        try:
            found = cute.downcast(layout, n)
        except (cute.LayoutError, Undecided):
            seen["refused"] += 1
            continue
        assert sorted(table(found)) == sorted(n * v + z for v in values for z in range(n))
        assert table(cute.upcast(found, n)) == values
        seen[type(found).__name__] += 1
    if full:
        assert min(seen.values()) > 5, seen


# Symbols for strides


def with_symbols(rng: Random, signs=("",)):
    """A swizzled layout with one or two symbols, and its table at values of these."""
    names = ("a", "b")[: rng.choice((1, 1, 2))]
    sizes = [rng.choice((2, 2, 3, 4, 4, 6, 8)) for _ in range(rng.randint(1, 2))]
    if names == ("a", "b"):
        sizes = [rng.choice((2, 3, 4)) for _ in range(2)]
    strides = [rng.choice((names[n % len(names)], f"2*{names[n % len(names)]} + 1", 1)) for n in range(len(sizes))]
    strides[0] = f"{rng.choice(signs)}{names[0]}"
    bits, base = rng.choice((1, 1, 2)), rng.choice((0, 0, 1))
    swizzle = bits, base, rng.choice((1, -1)) * bits if names == ("a", "b") else rng.choice((bits, -bits, 2, 3))
    fronts = [(swizzle, rng.choice((0, 0, 0, 4, 8)))]
    layout = Layout.parse(f"({','.join(map(str, sizes))}):({','.join(map(str, strides))})")

    def at(values):
        modes = layout.with_values(values).flat()
        return swizzle_brute.values(fronts, modes), modes

    return composed(fronts, layout), at


def test_complements_and_common_layouts(turns, full) -> None:
    """Sums of values of both are apart; what is common is taken back by both."""
    rng, seen = Random("complements"), Counter()
    for n in turns(100):
        layout, values, _ = random_composed(rng, 32)
        pair = layout, random_composed(rng, 32)[0]
        if n % 2:
            tiles = [Layout((8, 4), steps) for steps in ((1, 8), (rng.choice((1, 4)), rng.choice((8, 1))))]
            pair = tuple(cute.ComposedLayout(cute.Swizzle(1, rng.randint(0, 2), 2), 0, tile) for tile in tiles)
        with suppress(cute.NoAnswer, Undecided):
            common = cute.max_common_layout(*pair)
            assert all(pair[0](common(i)) == pair[1](common(i)) == i for i in range(common.size()))
            seen["common"] += common.size() > 1
        try:
            found = cute.complement(layout, rng.choice((1, 64, 100)))
        except (cute.LayoutError, Undecided):
            seen["none"] += 1
            continue
        distinct = set(values)
        sums = [v + w for v in distinct for w in table(found)]
        assert len(set(sums)) == len(sums)
        seen["complement"] += 1
    if full:
        assert seen["complement"] > 20 and seen["common"] > 5, seen


def test_first_differences_by_residues(turns) -> None:
    """Of a swizzled layout and a strided one, or two swizzles of one layout: as a walk finds it."""
    rng, seen = Random("by residues"), Counter()
    for _ in turns(150):
        steps = (0, 1, 2, 4, 6, 8, 16, 32)
        modes = [(rng.choice((1, 2, 3, 4, 6)), rng.choice(steps)) for _ in range(rng.randint(1, 3))]
        one, two = swizzle_brute.random_swizzle(rng), swizzle_brute.random_swizzle(rng)
        offset = rng.choice((0, 0, 5, 8))
        values = swizzle_brute.values([(one, offset)], modes)
        layout = ComposedLayout(cute.Swizzle(*one), offset, Layout(*zip(*modes, strict=True)))
        line, place = [], 1
        for n, _ in modes:  # the same values for as long as they are strided, or a bit more
            line.append((n, values[place] - values[0] + rng.choice((0, 0, 0, 1)) if n > 1 else 0))
            place *= n
        shorter = line if rng.random() < 0.5 else [(line[0][0] * prod(n for n, _ in line[1:]), line[0][1])]
        for g, others in (
            (View([n for n, _ in shorter[::-1]], [d for _, d in shorter[::-1]], values[0]), None),
            (ComposedLayout(cute.Swizzle(*two), offset, layout.layoutA), swizzle_brute.values([(two, offset)], modes)),
        ):
            others = others or [values[0] + x for x in cute_brute.table(shorter)]
            expected = next((x for x, (v, w) in enumerate(zip(values, others, strict=True)) if v != w), None)
            residues = Residues.of(map_of(layout, ""), map_of(g, ""))
            if residues is not None and residues.f.front:
                assert residues.first() == expected, (layout, g)
                seen[expected is None] += 1
            found = cute.same_function(layout, g)
            assert bool(found) == (expected is None) and (found or found.index == (expected,))
    assert min(seen.values()) > 20, seen
