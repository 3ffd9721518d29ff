"""The short ways for numbers give what the general ways give, or leave it to them."""

from __future__ import annotations

from collections import Counter
from functools import partial
from random import Random

from symview import Budget, cute
from symview.cute import Layout, walk
from symview.cute.algebra import operation
from symview.cute.comparer import NUMBERS
from symview.cute.complements import gaps
from symview.errors import SymviewError


def random_layout(rng: Random) -> Layout:
    """Compact in some order, with gaps, or of any strides; sizes of 1, strides of 0 and below, nested at times."""
    shape = [rng.choice((1, 2, 2, 3, 4, 6)) for _ in range(rng.randint(1, 4))]
    stride, step = [rng.choice((-2, 0, 0, 1, 1, 2, 3, 4, 6, 8, 12)) for _ in shape], rng.choice((1, 1, 2))
    if rng.random() < 0.6:
        for k in rng.sample(range(len(shape)), len(shape)):
            stride[k], step = step * rng.choice((1, 1, 1, 0)), step * shape[k] * rng.choice((1, 1, 2))
    if len(shape) == 1 and rng.random() < 0.5:
        return Layout(shape[0], stride[0])
    if len(shape) > 2 and rng.random() < 0.5:
        return Layout((shape[0], tuple(shape[1:])), (stride[0], tuple(stride[1:])))
    return Layout(tuple(shape), tuple(stride))


def outcome(call, *args):
    try:
        return call(*args)
    except SymviewError as error:
        return type(error), str(error)


def test_short_ways_and_general_ways(turns, full, least) -> None:
    rng, seen = Random("short ways"), Counter()
    for _ in turns(500):
        a, b = random_layout(rng), rng.choice((random_layout(rng), rng.randint(1, 6)))
        bound = rng.choice((1, 7, 24, 100, 10**9))
        short = {
            "coalesce": (walk.coalesced_numbers(a), a),
            "complement": (walk.complement_numbers(a, bound), a, bound),
        }
        for name, (found, *args) in short.items():
            seen[name, found is None] += 1
            if found is not None:
                assert found == operation(name)(NUMBERS, *args), (name, args)
        assert (short["complement"][0] is None) != all(gap.filled for gap in gaps(a))
        for name in ("logical_divide", "logical_product"):
            found = outcome(getattr(cute, name), a, b)
            assert found == outcome(operation(name), NUMBERS, a, b), (name, a, b)
            seen[name, not isinstance(found, Layout)] += 1
    assert min(seen.values()) > least(100), seen
    if full:
        assert len(seen) == 7


def random_tiler(rng: Random, layout: Layout) -> tuple:
    """Sizes, layouts and None for the first modes, here and there one too many, nested where a mode is."""
    found = []
    for mode in list(layout.modes())[: rng.randint(0, len(layout))]:
        if len(mode) > 1 and rng.random() < 0.4:
            found.append(random_tiler(rng, mode))
        elif rng.random() < 0.6:
            whole = mode.size()
            sizes = [n for n in (1, 2, 3, 4, 6) if whole % n == 0] if rng.random() < 0.8 else [1, 2, 3, 5]
            size, step = rng.choice(sizes), rng.choice((0, 1, 1, 2, 3))
            found.append(rng.choice((size, Layout(size, step), Layout((size, 2), (step, size * step)))))
        else:
            found.append(rng.choice((None, random_layout(rng))))
    return (*found, *[2] * (rng.random() < 0.03))


def test_tuples_of_tiles_are_answered_as_in_the_general_way(turns, least) -> None:
    """In one pass over the modes, and, where a budget is given, by the general way: one layout, or one refusal."""
    rng, seen = Random("tuples of tiles"), Counter()
    names = [f"{how}_{kind}" for kind in ("divide", "product") for how in ("logical", "zipped", "tiled", "flat")]
    short = {"composition": partial(walk.by_mode, walk.composed)}
    short |= {n: partial(walk.by_mode, walk.divided, arranged=n.split("_")[0]) for n in names[:4]}
    short |= {n: partial(walk.by_mode, walk.multiplied, arranged=n.split("_")[0]) for n in names[4:]}
    for _ in turns(1500):
        layout = random_layout(rng)
        tiler = rng.choice(
            (random_tiler(rng, layout), random_tiler(rng, layout), random_layout(rng), rng.randint(0, 6))
        )
        for name, way in short.items():
            found = outcome(getattr(cute, name), layout, tiler)
            assert found == outcome(getattr(cute, name), layout, tiler, Budget()), (name, layout, tiler)
            answered = way(layout, tiler) is not None
            assert isinstance(found, Layout) or not answered
            seen[name, answered] += 1
    assert min(seen.values()) > least(100), seen
