"""The short ways for numbers give what the general ways give, or leave it to them."""

from __future__ import annotations

from collections import Counter
from random import Random

from symview import cute
from symview.cute import Layout, numeric
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


def test_short_ways_and_general_ways(turns) -> None:
    rng, seen = Random("short ways"), Counter()
    for _ in turns(500):
        a, b = random_layout(rng), rng.choice((random_layout(rng), rng.randint(1, 6)))
        bound = rng.choice((1, 7, 24, 100, 10**9))
        short = {
            "coalesce": (numeric.coalesced_numbers(a), a),
            "right_inverse": (numeric.right_inverse_numbers(a), a),
            "left_inverse": (numeric.left_inverse_numbers(a), a),
            "complement": (numeric.complement_numbers(a, bound), a, bound),
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
    assert min(seen.values()) > 100, seen
    assert len(seen) == 10
