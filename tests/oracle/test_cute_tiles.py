"""Tiles by plain coordinates: divisions whose tilers have None at any depth, and blocks repeated beyond a shape."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import prod
from random import Random
from typing import Any

import pycute
import pytest

from symview import cute
from symview.cute import Layout, LayoutError
from symview.cute.int_tuple import like


def flat(t: Any) -> list[int]:
    return [x for part in t for x in flat(part)] if isinstance(t, tuple) else [t]


def value(shape: Any, stride: Any, at: Any) -> int:
    """The value at a coordinate; an index stands for the coordinates of several modes, the first fastest."""
    if isinstance(at, tuple):
        assert len(at) == len(shape) == len(stride)
        return sum(value(*each) for each in zip(shape, stride, at, strict=True))
    total = 0
    for n, d in zip(flat(shape), flat(stride), strict=True):
        total, at = total + at % n * d, at // n
    assert at == 0
    return total


def random_mode(rng: Random, depth: int) -> tuple[Any, Any, Any]:
    """Shape and stride of a mode, and its tile: None for a mode of two modes, a number, or a tuple of tiles."""
    kind = rng.random()
    if depth and kind < 0.6:
        parts = [random_mode(rng, depth - 1) for _ in range(2 if kind < 0.3 else rng.randint(1, 3))]
        shape, stride = tuple(p[0] for p in parts), tuple(p[1] for p in parts)
        return shape, stride, None if kind < 0.3 else tuple(p[2] for p in parts[: rng.randint(1, len(parts))])
    tile = rng.randint(1, 3)
    return tile * rng.randint(1, 3), rng.randint(0, 40), tile


def random_layout(rng: Random) -> tuple[Any, Any, Any]:
    """Shape, stride and a tiler for some of the modes."""
    shape, stride, tiler = zip(*[random_mode(rng, 2) for _ in range(rng.randint(2, 3))], strict=True)
    return shape, stride, tiler[: rng.randint(1, 3)]


def halves(shape: Any, stride: Any, tiler: Any) -> tuple[Any, Any]:
    """Tile and rest as nested lists; each entry is the list of the values along one mode of the answer."""
    if tiler is None:
        return tuple([value(n, d, x) for x in range(prod(flat(n)))] for n, d in zip(shape, stride, strict=True))
    if not isinstance(tiler, tuple):
        return [x * stride for x in range(tiler)], [x * tiler * stride for x in range(shape // tiler)]
    parts = [halves(n, d, t) for n, d, t in zip(shape, stride, tiler, strict=False)]
    left = zip(shape[len(tiler) :], stride[len(tiler) :], strict=True)
    more = [[value(n, d, x) for x in range(prod(flat(n)))] for n, d in left]
    return tuple(p[0] for p in parts), (*[p[1] for p in parts], *more)


def has_these_values(shape: Any, stride: Any, expected: Any) -> None:
    """Each mode has the values of its list, in order, and every list has a mode."""
    if isinstance(expected, tuple):
        assert len(expected) == len(shape) == len(stride)
        for each in zip(shape, stride, expected, strict=True):
            has_these_values(*each)
    else:
        assert prod(flat(shape)) == len(expected)
        assert [value(shape, stride, x) for x in range(len(expected))] == expected


def arranged(how: str, first: Any, rest: Any) -> Any:
    if how == "zipped":
        return first, rest
    as_modes = [x if isinstance(x, tuple) else (x,) for x in (first, rest)]
    return (first, *as_modes[1]) if how == "tiled" else (*as_modes[0], *as_modes[1])


@pytest.mark.parametrize("how", ["zipped", "tiled", "flat"])
def test_divisions_whose_tiler_has_none(how: str, turns, full) -> None:
    rng, deep = Random(f"none {how}"), Counter()
    for _ in turns(120):
        shape, stride, tiler = random_layout(rng)
        name = f"{how}_divide"
        found = getattr(cute, name)(Layout(shape, stride), tiler)
        has_these_values(found.shape, found.stride, arranged(how, *halves(shape, stride, tiler)))
        deep[None in flat(tiler), None in tiler] += 1
        if rng.random() < 0.2:  # with a name for a size in a mode that stays whole, or for a stride
            named = Layout(shape, like(stride, iter([*flat(stride)[:-1], Layout.parse("1:s").stride])))
            cases = cute.logical_divide_conditions(named, tiler, arranged=how)
            again = cases.layout({"s": flat(stride)[-1]})
            assert cute.same_function(again, found)
            assert [cute.product(n) for n in again.shape] == [cute.product(n) for n in found.shape]
    if full:
        assert min(deep[False, False], deep[True, False], deep[True, True]) > 10, deep


def test_none_as_in_pycute(turns, least) -> None:
    """pycute itself, wherever it has an answer."""
    rng, seen = Random("none in pycute"), Counter()
    for _ in turns(120):
        shape, stride, tiler = random_layout(rng)
        if None not in flat(tiler):
            continue
        for name in ("zipped_divide", "tiled_divide"):
            try:
                theirs = getattr(pycute, name)(pycute.Layout(shape, stride), tiler)
            except (AssertionError, IndexError, TypeError, ValueError, ZeroDivisionError):
                continue
            found = getattr(cute, name)(Layout(shape, stride), tiler, none="pycute")
            assert found.shape == theirs.shape, (name, shape, stride, tiler)
            assert cute.same_function(found, Layout(theirs.shape, theirs.stride)), (name, shape, stride, tiler)
            seen[name] += 1
    assert min(seen.values()) > least(20), seen


def test_a_block_is_repeated_until_it_covers_a_shape(turns, full) -> None:
    """Element c of the answer is element c % n of copy c // n, and copies follow one another in the order."""
    rng, past = Random("covering"), Counter()
    for _ in turns(60):
        rank = rng.randint(1, 3)
        sizes = tuple(rng.choice((1, 2, 3, 4)) for _ in range(rank))
        shape = tuple(rng.randint(1, 9) for _ in range(rank))
        stride, step = [0] * rank, 1
        for k in rng.sample(range(rank), rank):
            stride[k], step = step, step * sizes[k]
        order = rng.sample(range(rank), rank)
        found = cute.tile_to_shape(Layout(sizes, tuple(stride)), shape, tuple(order))
        many = [-(-n // m) for n, m in zip(shape, sizes, strict=True)]
        starts = [step * prod(many[j] for j in range(rank) if order[j] < order[k]) for k in range(rank)]
        assert [prod(flat(n)) for n in found.shape] == [n * m for n, m in zip(many, sizes, strict=True)]
        for c in product(*map(range, shape)):
            inside = sum(x % n * d for x, n, d in zip(c, sizes, stride, strict=True))
            copy = sum(x // n * d for x, n, d in zip(c, sizes, starts, strict=True))
            assert value(found.shape, found.stride, c) == inside + copy
        past[any(n % m for n, m in zip(shape, sizes, strict=True))] += 1
        names = Layout.parse("(m,k,l)").shape[:rank]
        cases = cute.tile_to_shape_conditions(Layout(sizes, tuple(stride)), names, tuple(order))
        assert cute.same_function(cases.layout(dict(zip("mkl", shape, strict=False))), found)
    if full:
        assert min(past.values()) > 10, past


def test_modes_that_are_not_two_are_refused(turns, full) -> None:
    rng, seen = Random("not two modes"), Counter()
    for _ in turns(60):
        many = rng.randint(1, 4)
        mode = Layout(tuple([2] * many)) if rng.random() < 0.7 else Layout(2)
        both, tiler = cute.make_layout(Layout(6, 100), mode), (rng.choice((2, 3)), None)
        seen[len(mode) == 2] += 1
        if len(mode) == 2:
            assert cute.zipped_divide(both, tiler)[1][1] == mode[1]
        else:
            with pytest.raises(LayoutError, match='none="pycute"'):
                cute.zipped_divide(both, tiler)
    if full:
        assert min(seen[True], seen[False]) > 5
