"""Every question of a composed map against the table of its values, whatever stands in front.

A question that is refused is counted and not judged: LayoutError, SymbolError, NotSupported or Undecided; whatever is
answered has to be right.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from itertools import product
from math import prod
from random import Random
from typing import Any

import pytest

from oracle import cute_brute, linear_brute, memory_brute, swizzle_brute
from oracle.fronts import (
    Outside,
    base_of,
    goes_on,
    modes_of,
    nested,
    random_map,
    size,
    stages_of,
    table,
    value,
    with_ones,
)
from symview import Kind, View, cute
from symview.cute import ComposedLayout, Layout, LinearLayout, Swizzle
from symview.errors import InputError, NotSupported, Undecided

REFUSALS = (InputError, NotSupported, Undecided)
QUESTIONS: dict[str, Callable[[Random, Any, list[int]], object]] = {}


def question(ask: Callable[[Random, Any, list[int]], object]) -> Callable[[Random, Any, list[int]], object]:
    QUESTIONS[ask.__name__] = ask
    return ask


def values_of(x: Any) -> list[int]:
    """All values, of a view in row-major order."""
    if isinstance(x, View):
        return [
            x.offset + sum(i * d for i, d in zip(at, x.strides, strict=True)) for at in product(*map(range, x.shape))
        ]
    return table(x)


def has(x: Any, values: list[int]) -> bool:
    """A claim about an answer: these are its values."""
    assert values_of(x) == values, (str(x), values)
    return True


# The same function


@question
def same_function(rng: Random, x: Any, values: list[int]) -> bool:
    y = rng.choice([*others(rng, x, values)])
    there = values_of(y)
    given = (x, y) if rng.random() < 0.7 else (y, x)
    one, other = (values, there) if given[0] is x else (there, values)
    found = cute.same_function(*given)
    wrong = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    assert bool(found) == (one == other), (str(y), found)
    if wrong is not None:
        assert (*found.index, found.got, found.expected) == (wrong, one[wrong], other[wrong]), (str(y), found)
    elif not found:
        assert found.index == (min(len(one), len(other)),) and (found.got is None) == (len(one) < len(other))
    return bool(found)


def others(rng: Random, x: Any, values: list[int]) -> Any:
    """Other ways to write a map, most of them the same function or nearly so."""
    yield x
    yield random_map(rng)
    layouts = linear_brute.views_of(values)
    for modes in layouts[:2]:
        yield View([n for n, _ in modes[::-1]], [d for _, d in modes[::-1]], values[0])
        if values[0] == 0:
            yield Layout(tuple([n for n, _ in modes]), tuple([d for _, d in modes]))
    powers = [values[1 << i] ^ values[0] for i in range((len(values) - 1).bit_length())]
    if min(values) >= 0 and len(values) == 1 << len(powers):
        yield LinearLayout(powers, constant=values[0])
    if isinstance(x, ComposedLayout) and isinstance(x.layoutB, Layout):
        front = x.layoutB
        yield ComposedLayout(Layout((front.shape, 1), (front.stride, rng.choice((0, 1, 7)))), x.offset, x.layoutA)
        yield ComposedLayout(nested(rng, [m for m in modes_of(front) if m[0] > 1] or [(1, 0)]), x.offset, x.layoutA)
        yield ComposedLayout(ComposedLayout(Layout(1), 0, front), x.offset, x.layoutA)
    yield ComposedLayout(Layout(1), 0, x)
    step = values[1] - values[0] if len(values) > 1 else 0
    yield View([len(values)], [step], values[0])


# Conversions


def is_no_layout(found: Any, values: list[int]) -> bool:
    """What is said to be not a layout is none, and its witness is right."""
    assert not found
    assert found.got == values[found.index[0]] != found.expected, found
    return False


@question
def as_layout(rng: Random, x: Any, values: list[int]) -> bool:
    part = rng.choice((None, None, rng.randint(1, len(values))))
    values = values[:part]
    found = cute.as_layout(x) if part is None else cute.as_layout(x, size=part)
    known = cute_brute.layouts_of(values) if values[0] == 0 else []
    assert bool(found) == bool(known), (part, str(found))
    if not found:
        return is_no_layout(found, values)
    assert [m for m in modes_of(found) if m[0] > 1] == min(known, key=len), (part, str(found))
    return has(found, values)


@question
def to_view(rng: Random, x: Any, values: list[int]) -> bool:
    part = rng.choice((None, None, rng.randint(1, len(values))))
    values = values[:part]
    found = cute.to_view(x, part)
    known = linear_brute.views_of(values)
    assert bool(found) == bool(known), (part, str(found))
    if not found:
        return is_no_layout(found, values)
    assert len(found.shape) == min(map(len, known))
    return has(found, values)


@question
def to_linear(rng: Random, x: Any, values: list[int]) -> bool:
    part = rng.choice((None, None, rng.randint(1, len(values))))
    values = values[:part]
    found = cute.to_linear(x, size=part)
    powers = [0] + [1 << i for i in range((len(values) - 1).bit_length())]
    wrong = linear_brute.first_not_affine(values)
    assert bool(found) == (wrong is None and min(values[i] for i in powers) >= 0), (part, str(found))
    if not found:
        return is_no_layout(found, values)
    assert [value(found, i) for i in range(len(values))] == values, (part, str(found))
    return True


@question
def to_linear_of_coordinates(rng: Random, x: Any, values: list[int]) -> bool:
    modes = modes_of(base_of(x))
    found = cute.to_linear(x, [f"x{j}" for j in range(len(modes))])
    if not found:
        return is_no_layout(found, values)
    for i, v in enumerate(values):
        at, left = {}, i
        for j, (n, _) in enumerate(modes):
            at[f"x{j}"], left = left % n, left // n
        assert found(found.index(at)) == v, (str(found), i)
    return True


@question
def to_swizzled(rng: Random, x: Any, values: list[int]) -> bool:
    found = cute.to_swizzled(x)
    if found:
        return has(found, values)
    assert not linear_brute.views_of(values)
    assert not any(linear_brute.views_of([swizzle_brute.swizzled(s, v) for v in values]) for s in few_swizzles(values))
    return is_no_layout(found, values)


def few_swizzles(values: list[int]) -> list[swizzle_brute.Swizzle]:
    """All within the bits of values that have few."""
    width = max(values).bit_length()
    return swizzle_brute.all_swizzles(width) if width <= 6 and len(values) <= 16 else []


@question
def text_and_repr(rng: Random, x: Any, values: list[int]) -> bool:
    has(cute.parse(str(x)), values)
    return has(eval(repr(x), vars(cute)), values)


@question
def calls(rng: Random, x: Any, values: list[int]) -> None:
    assert [x(i) for i in range(len(values))] == values and cute.size(x) == len(values)
    far = rng.randrange(4 * len(values))
    assert isinstance(base_of(x), LinearLayout) or x(far) == value(x, far)


@question
def tables(rng: Random, x: Any, values: list[int]) -> None:
    lines = cute.layout_table(x).splitlines()[3:]
    rows = [[int(n) for n in re.findall(r"-?\d+", line.split("|", 1)[1])] for line in lines if "|" in line]
    assert [v for column in zip(*rows, strict=True) for v in column] == values


# The set of values


@question
def permutations(rng: Random, x: Any, values: list[int]) -> bool:
    once = len(set(values)) == len(values)
    assert bool(cute.is_injective(x)) == once
    assert bool(cute.is_bijective(x)) == (sorted(values) == list(range(len(values))))
    return once


@question
def sets(rng: Random, x: Any, values: list[int]) -> None:
    every = sorted(set(values))
    inside = set(range(every[0], every[-1] + 1))
    found, places = cute.image(x), cute.footprint(x)
    assert list(found) == every and found.gap == min(inside - set(every), default=None)
    assert (places.least, places.greatest) == (every[0], every[-1])
    assert (places.count, places.size) == (len(every), len(values))


@question
def sizes(rng: Random, x: Any, values: list[int]) -> None:
    """Of the layout behind, as in C++; bytes count from 0 on to the greatest value."""
    modes = modes_of(base_of(x))
    assert cute.size_in_bytes(8, x) == max(values) + 1
    assert cute.size(x) == len(values) and cute.rank(x) == len(x)
    assert not modes or cute.cosize(x) == sum((n - 1) * d for n, d in modes) + 1


@question
def is_surjective(rng: Random, x: Any, values: list[int]) -> bool:
    end = rng.choice((None, len(values), max(values) + 1, rng.randint(0, 20)))
    found = cute.is_surjective(x, end)
    missing = [v for v in range(max(values) + 1 if end is None else end) if v not in values]
    assert bool(found) == (not missing) and (not missing or found.expected == missing[0]), (end, found)
    return bool(found)


@question
def is_contiguous(rng: Random, x: Any, values: list[int]) -> bool:
    found, low = cute.is_contiguous(x), min(values)
    assert bool(found) == (sorted(values) == list(range(low, low + len(values)))), found
    if found:
        assert cute.order(x) == memory_brute.order([v - low for v in values])
    elif found.kind is Kind.OVERLAP:
        (one,), (other,) = found.other, found.index
        assert one != other and values[one] == values[other] == found.got
    else:
        assert low < found.expected < max(values) and found.expected not in values
    return bool(found)


@question
def vector_width(rng: Random, x: Any, values: list[int]) -> bool:
    found = cute.vector_width(x)
    assert int(found.width) == memory_brute.widest_vector(values), found
    assert found.index is None or found.got == values[found.index] != found.expected or found.index == 0
    return found.width > 1


@question
def bank_conflicts(rng: Random, x: Any, values: list[int]) -> bool:
    memory = (
        rng.choice((1, 2, 8, 32, 6)), rng.choice((1, 2, 4, 4)), rng.choice((1, 4, 8, 32, 5)),
        rng.choice((1, 2, 4, 3)), rng.choice((1, 1, 1, 2, 4)),
    )  # fmt: skip
    expected = memory_brute.ways(values, *memory)
    try:
        found = cute.bank_conflicts(x, *memory[:3], element_bytes=memory[3], vector=memory[4])
    except cute.NoAnswer:
        assert expected is None
        return False
    assert found.ways == expected, (memory, found)
    return True


@question
def alignment(rng: Random, x: Any, values: list[int]) -> bool:
    n = cute.max_alignment(x)
    assert {v // n * n + z for v in values for z in range(n)} == set(values), n
    return n > 1


@question
def zeros(rng: Random, x: Any, values: list[int]) -> None:
    assert {values[i] for i in table(cute.nullspace(x))} == {values[0]}
    for fewer in (cute.filter(x), cute.filter_zeros(x)):
        assert set(table(fewer)) == set(values)


@question
def explained(rng: Random, x: Any, values: list[int]) -> bool:
    """The answer that is told is that of the function."""
    has(cute.explain("coalesce", x).answer, values)
    tile = rng.randint(1, len(values))
    found = cute.explain("composition", x, Layout(tile)).answer
    if isinstance(found, Undecided):
        raise found
    return (
        has(found, values[:tile]) if found else or_none(lambda: cute.composition(x, tile), values[:tile], [(tile, 1)])
    )


# Inverses


@question
def right_inverse(rng: Random, x: Any, values: list[int]) -> bool:
    try:
        found = cute.right_inverse(x)
    except cute.NoAnswer:
        assert 0 not in values
        return False
    indices = table(found)
    assert [values[i] for i in indices] == list(range(len(indices))), str(found)
    return len(indices) > 1


@question
def left_inverse(rng: Random, x: Any, values: list[int]) -> bool:
    found = cute.left_inverse(x)
    assert [value(x, value(found, v)) for v in values] == values, str(found)
    return True


@question
def strict_left_inverse(rng: Random, x: Any, values: list[int]) -> bool:
    found = cute.strict_left_inverse(x)
    assert [value(found, v) for v in values] == list(range(len(values))), str(found)
    return True


@question
def common(rng: Random, x: Any, values: list[int]) -> bool:
    y = rng.choice([*others(rng, x, values)])
    found = cute.max_common_layout(x, y)
    for i, at in enumerate(table(found)):
        assert value(x, at) == value(y, at) == i, (str(y), str(found))
    assert cute.max_common_vector(x, y) == size(found)
    return size(found) > 1


@question
def complement(rng: Random, x: Any, values: list[int]) -> bool:
    copies = table(cute.complement(x, rng.randint(1, 3 * max(*values, 1))))
    assert len({v + c for v in set(values) for c in copies}) == len(set(values)) * len(copies), copies
    return len(copies) > 1


# Parts and other orders of them


def coordinates(shape: Any, rng: Random) -> Any:
    """A coordinate with None in places."""
    if rng.random() < 0.45:
        return None
    if isinstance(shape, tuple):
        return tuple([coordinates(n, rng) for n in shape])
    return rng.randrange(shape)


def free_indices(shape: Any, at: Any) -> list[int]:
    """The indices at the coordinate, those that stay free counted through, the first mode fastest."""
    if at is None:
        return list(range(prod_of(shape)))
    if isinstance(at, int):
        return [at]
    found, place = [0], 1
    for n, c in zip(shape, at, strict=True):
        found = [i + place * j for j in free_indices(n, c) for i in found]
        place *= prod_of(n)
    return found


def prod_of(shape: Any) -> int:
    return prod(map(prod_of, shape)) if isinstance(shape, tuple) else shape


@question
def slices(rng: Random, x: Any, values: list[int]) -> bool:
    at = coordinates(x.shape, rng)
    if not cute.has_none(at):
        at = None
    expected = [values[i] for i in free_indices(x.shape, at)]
    has(x(at), expected)
    has(cute.slice_(at, x), expected)
    part, offset = cute.slice_and_offset(at, x)
    assert [offset + v for v in table(part)] == expected
    return isinstance(part, Layout)


@question
def modes(rng: Random, x: Any, values: list[int]) -> bool:
    """Each mode behind what stands in front: the values where the others are 0."""
    if not isinstance(x.shape, tuple) or len(x) == 0:
        raise NotSupported
    n = rng.randrange(len(x.shape))
    expected = [values[i] for i in free_indices(x.shape, tuple([None if k == n else 0 for k in range(len(x.shape))]))]
    for found in (x[n], list(x)[n], cute.get(x, n), cute.select(x, n), cute.take(x, n, n + 1)):
        has(found, expected)
    has(cute.dice(tuple([0 if k == n else None for k in range(len(x.shape))]), x), expected)
    chosen = [k for k in range(len(x.shape)) if rng.random() < 0.6] or [n]
    free = tuple([None if k in chosen else 0 for k in range(len(x.shape))])
    return has(cute.select(x, mode=chosen), [values[i] for i in free_indices(x.shape, free)])


@question
def other_nestings(rng: Random, x: Any, values: list[int]) -> None:
    flat = cute.flatten(x)
    has(flat, values)
    has(cute.flatten(x), values)
    has(cute.group(x, 0), values)
    has(cute.group_modes(x, -1), values)
    has(cute.append(x), values)
    has(cute.append(x, up_to_rank=5), values)
    has(cute.prepend(x), values)


@question
def coalesced(rng: Random, x: Any, values: list[int]) -> bool:
    found = cute.coalesce(x)
    has(found, values)
    if not any(isinstance(stage, LinearLayout) for stage in stages_of(x)):
        assert isinstance(found, Layout) == bool(cute_brute.layouts_of(values)), str(found)
    has(cute.coalesce(x, (0,) * len(x)), values)
    return isinstance(found, Layout)


@question
def one_more_mode(rng: Random, x: Any, values: list[int]) -> None:
    """As in C++, what is appended stands behind, too."""
    more, base = Layout(rng.randint(1, 3), rng.randint(0, 20)), base_of(x)
    for extend in (cute.append, cute.prepend):
        has(extend(x, more), defined(with_same_front(x, extend(base, more))))
    number = rng.randrange(len(base))
    has(cute.replace(x, number, more), defined(with_same_front(x, cute.replace(base, number, more))))


def with_same_front(x: Any, base: Any) -> Any:
    """What stands in front of one layout, in front of another."""
    return (
        ComposedLayout(x.layoutB, x.offset, with_same_front(x.layoutA, base)) if isinstance(x, ComposedLayout) else base
    )


def defined(x: Any) -> list[int]:
    """All values; refused, where a stage would be asked for others than it has."""
    try:
        return table(x)
    except Outside:
        raise NotSupported from None


@question
def moved(rng: Random, x: Any, values: list[int]) -> None:
    start = rng.randrange(len(values))
    found, more = cute.domain_offset(start, x)
    assert value(found, 0) + more == values[start]


@question
def side_by_side(rng: Random, x: Any, values: list[int]) -> bool:
    y = rng.choice((Layout(rng.randint(1, 3), rng.choice((0, 64, rng.randint(0, 99)))), random_map(rng, 8), x))
    expected = [v + w for w in values_of(y) for v in values]
    with suppress(*REFUSALS):
        has(cute.flatten(cute.make_layout(x, y)), expected)
    return has(cute.make_layout(x, y), expected)


@question
def masks(rng: Random, x: Any, values: list[int]) -> None:
    n = rng.randrange(max(len(x), 1))
    at = tuple([rng.randrange(prod_of(m)) for m in x.shape]) if isinstance(x.shape, tuple) else (0,)
    found = cute.make_layout_image_mask(x, at, n)
    shape = x.shape if isinstance(x.shape, tuple) else (x.shape,)
    places = [prod(map(prod_of, shape[:k])) for k in range(len(shape) + 1)]
    start = sum(c * p for k, (c, p) in enumerate(zip(at, places, strict=False)) if k != n)
    assert found == sum(1 << v for v in {values[start + j * places[n]] for j in range(prod_of(shape[n]))})


# Compositions, divisions, products


@question
def composition(rng: Random, x: Any, values: list[int]) -> bool:
    """With indices beyond the size, too."""
    room = rng.choice((len(values), len(values), 3 * len(values)))
    inner = nested(rng, with_ones(rng, cute_brute.random_inner(rng, room)))
    if min(d for _, d in modes_of(inner)) < 0 or size(inner) > 100:
        inner = Layout(rng.randint(1, room), 1)
    expected = defined(ComposedLayout(x, 0, inner))
    return composed(cute.try_composition(x, inner), expected, modes_of(inner))


def composed(found: Any, expected: list[int], modes: Any) -> bool:
    """The values, or that no layout of this shape has them."""
    if found:
        return has(found, expected)
    assert swizzle_brute.by_mode(expected, modes) is None or expected[0], str(found)
    why = found.reason
    assert value(why.outer, value(why.inner, at_index(why))) == found.got != found.expected
    return False


def at_index(why: Any) -> int:
    """The index of the coordinate at which a composition breaks."""
    at = why.coordinate
    return at if type(at) is int else free_indices(base_of(why.inner).shape, at)[0]


@question
def composition_by_modes(rng: Random, x: Any, values: list[int]) -> bool:
    shape = x.shape if isinstance(x.shape, tuple) else (x.shape,)
    sizes = [prod_of(n) for n in shape]
    tiler = tuple([rng.choice((None, rng.randint(1, n))) for n in sizes])
    whole = tuple([n if t is None else t for n, t in zip(sizes, tiler, strict=True)])
    places = [prod(sizes[:k]) for k in range(len(sizes))]
    indices = [
        sum(c * p for c, p in zip(reversed(at), places, strict=True)) for at in product(*map(range, whole[::-1]))
    ]
    expected, kept = [values[i] for i in indices], [(n, 1) for n in whole]
    return or_none(lambda: cute.composition(x, tiler if isinstance(x.shape, tuple) else tiler[0]), expected, kept)


@question
def behind_a_layout(rng: Random, x: Any, values: list[int]) -> bool:
    """A layout, a swizzle or a composed one after the map."""
    outer = rng.choice((nested(rng, with_ones(rng, [(4, 1), (3, 8)][: rng.randint(1, 2)])),
                        Swizzle(*swizzle_brute.random_swizzle(rng)), random_map(rng, 16, 1)))  # fmt: skip
    if min(values) < 0:
        raise NotSupported
    expected = defined(ComposedLayout(outer, 0, x))
    return composed(cute.try_composition(outer, x), expected, modes_of(base_of(x)))


@question
def divisions(rng: Random, x: Any, values: list[int]) -> bool:
    """In the order in which the indices are divided."""
    kind = rng.choice(("logical", "zipped", "tiled", "flat"))
    divide = getattr(cute, f"{kind}_divide")
    shape = x.shape if isinstance(x.shape, tuple) else (x.shape,)
    tiler = tuple([rng.choice([t for t in range(1, prod_of(n) + 1) if prod_of(n) % t == 0]) for n in shape])
    tiler = tiler if isinstance(x.shape, tuple) else tiler[0]
    order = divide(Layout(x.shape), tiler)
    return or_none(lambda: divide(x, tiler), [values[i] for i in table(order)], modes_of(order))


def or_none(answer: Callable[[], Any], expected: list[int], modes: Any) -> bool:
    """The values, or that no layout of this shape has them."""
    with suppress(cute.NoComposition):
        return has(answer(), expected)
    assert swizzle_brute.by_mode(expected, modes) is None or expected[0]
    return False


@question
def tiles(rng: Random, x: Any, values: list[int]) -> None:
    shape = x.shape if isinstance(x.shape, tuple) else (x.shape,)
    tiler = tuple([rng.choice([t for t in range(1, prod_of(n) + 1) if prod_of(n) % t == 0]) for n in shape])
    tiler = tiler if isinstance(x.shape, tuple) else tiler[0]
    indices = Layout(x.shape)
    with suppress(*REFUSALS):
        where = cute.zipped_divide(indices, tiler)
        at = rng.randrange(where.size() // prod_of(tiler))
        tile, start = cute.local_tile(indices, tiler, at)
        found, offset = cute.local_tile(x, tiler, at)
        assert [offset + v for v in table(found)] == [values[start + i] for i in table(tile)]
    at = rng.randrange(prod_of(tiler))
    part, start = cute.local_partition(indices, Layout(tiler), at)
    found, offset = cute.local_partition(x, Layout(tiler), at)
    assert [offset + v for v in table(found)] == [values[start + i] for i in table(part)]


@question
def products(rng: Random, x: Any, values: list[int]) -> bool:
    """What stands behind is repeated, what stands in front stays."""
    kind = rng.choice(("logical", "zipped", "tiled", "flat", "blocked", "raked"))
    tiler = Layout((rng.randint(1, 3), rng.randint(1, 2))) if len(x) == 2 else Layout(rng.randint(1, 3))
    multiply = getattr(cute, f"{kind}_product")
    return has(multiply(x, tiler), defined(with_same_front(x, multiply(base_of(x), tiler))))


@question
def tiled_to_a_shape(rng: Random, x: Any, values: list[int]) -> bool:
    shape = tuple([rng.randint(1, 3) * prod_of(n) for n in (x.shape if isinstance(x.shape, tuple) else (x.shape,))])
    return has(cute.tile_to_shape(x, shape), defined(with_same_front(x, cute.tile_to_shape(base_of(x), shape))))


@question
def as_tiles(rng: Random, x: Any, values: list[int]) -> bool:
    """A layout divided by the map, and multiplied."""
    step = rng.choice((1, 3))
    layout = Layout(rng.choice((1, 2, 3)) * (max(values) + 1), step)
    with suppress(*REFUSALS):
        found = cute.logical_divide(layout, x)
        assert table(found)[: len(values)] == [v * step for v in values]
    block = Layout((2, 2), (1, rng.choice((2, 4))))
    plain, found = cute.logical_product(block, max(values) + 1), cute.logical_product(block, x)
    return has(found, [value(plain, a + 4 * v) for v in values for a in range(4)])


# Elements of another width


@question
def upcast(rng: Random, x: Any, values: list[int]) -> bool:
    n = rng.choice((1, 2, 2, 3, 4, 8))
    found = cute.upcast(x, n)
    assert set(table(found)) == {v // n for v in values}, (n, str(found))
    return n > 1


@question
def downcast(rng: Random, x: Any, values: list[int]) -> bool:
    n = rng.choice((1, 2, 2, 3, 4))
    found = cute.downcast(x, n)
    assert size(found) == n * len(values), (n, str(found))
    assert set(table(found)) == {v * n + z for v in values for z in range(n)}, (n, str(found))
    return n > 1


@question
def recast(rng: Random, x: Any, values: list[int]) -> bool:
    new, old = rng.choice(((8, 16), (16, 8), (4, 6), (6, 4), (8, 8)))
    found = cute.recast_layout(new, old, x)
    bits = {v * old + b for v in values for b in range(old)}
    assert {v * new + b for v in table(found) for b in range(new)} >= bits, (new, old, str(found))
    return True


# With symbols


def with_symbols(rng: Random, layout: Layout) -> tuple[Layout, dict[str, int]]:
    """The layout with names for some of its strides, and the numbers that they stand for."""
    import sympy

    modes, values = modes_of(layout) or [(1, 0)], {}
    strides: list[Any] = [d for _, d in modes]
    for k in rng.sample(range(len(modes)), rng.randint(1, min(2, len(modes)))):
        name = "ab"[len(values)]
        values[name] = strides[k]
        strides[k] = sympy.Symbol(name, integer=True)
    return Layout(tuple([n for n, _ in modes]), tuple(strides)), values


def at_some_values(rng: Random, x: Any) -> tuple[Any, list[dict[str, int]]]:
    """The map with names for strides of the layout in front, and numbers for these."""
    if not isinstance(x.layoutB, Layout):
        raise NotSupported
    front, values = with_symbols(rng, x.layoutB)
    more = [{n: rng.choice((0, 1, 2, v, v + 1, 2 * v)) for n, v in values.items()} for _ in range(3)]
    return ComposedLayout(front, x.offset, x.layoutA), [values, *more]


def put(x: Any, values: dict[str, int]) -> Any:
    return ComposedLayout(x.layoutB.with_values(values), x.offset, x.layoutA)


def size_of(x: Any) -> int:
    return prod(x.shape) if isinstance(x, View) else size(x)


@question
def with_values(rng: Random, x: Any, values: list[int]) -> bool:
    query, several = at_some_values(rng, x)
    return has(query.with_values(several[0]), values)


@question
def compositions_with_symbols(rng: Random, x: Any, values: list[int]) -> bool:
    """One answer for all values of the symbols of a layout after the map."""
    if min(values) < 0:
        raise NotSupported
    outer, numbers = with_symbols(rng, nested(rng, with_ones(rng, [(4, 1), (3, 8)][: rng.randint(1, 2)])))
    found = cute.composition(outer, x)
    for _ in range(3):
        at = {n: rng.randint(0, 9) for n in numbers}
        there = [value(outer.with_values(at), v) for v in values]
        if min(there) >= 0:
            has(found.with_values(at), there)
    return True


# The law


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_map_and_the_table_of_its_values(name, turns, full) -> None:
    """Whatever is answered is right."""
    rng, seen = Random(name), Counter[Any]()
    for _ in turns(60):
        x = random_map(rng)
        try:
            seen[QUESTIONS[name](rng, x, table(x))] += 1
        except REFUSALS:
            seen["refused"] += 1
        except AssertionError as error:
            raise AssertionError(f"{name} of {x!r}: {error}") from error
    if full:
        assert seen.total() > seen["refused"], seen


def test_what_stands_in_front(turns, full) -> None:
    """The generator reaches layouts that go on, short ones, linear ones, swizzles to both sides, and nested maps."""
    rng, seen = Random("fronts"), Counter[str]()
    for _ in turns(300):
        x = random_map(rng)
        fronts = stages_of(x)[:-1]
        seen["goes on"] += goes_on(x)
        seen["nested"] += isinstance(x.layoutB, ComposedLayout)
        seen["several"] += len(fronts) > 1
        seen["factor"] += any(isinstance(f, Layout) and len(modes_of(f)) == 1 for f in fronts)
        seen["linear"] += any(isinstance(f, LinearLayout) for f in fronts)
        seen["linear behind"] += isinstance(base_of(x), LinearLayout)
        seen["to the left"] += any(isinstance(f, Swizzle) and f.shift < 0 for f in fronts)
        seen["down"] += any(d < 0 for _, d in modes_of(base_of(x)))
    if full:
        assert len(seen) == 8 and min(seen.values()) > 20, seen
