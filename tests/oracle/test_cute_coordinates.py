"""Layouts in front of coordinates, with an offset: values by the definition, entry by entry."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

from oracle import cute_brute, swizzle_brute
from symview import cute
from symview.cute import ComposedLayout, CoordinateLayout, E, Layout


def random_front(rng: Random):
    """Sizes and strides by mode, a mode perhaps of two."""
    modes = [[(rng.choice((1, 2, 3, 4, 5)), rng.choice((0, 1, 2, 3, 8, 16)))] for _ in range(rng.randint(1, 3))]
    return [m if rng.random() < 0.7 else [*m, (rng.choice((2, 3)), rng.choice((1, 4, 7)))] for m in modes]


def random_steps(rng: Random, rank: int):
    """Sizes, each with how far a step moves along every mode of the front; an offset from which none is below 0."""
    steps = [
        (rng.randint(1, 4), [rng.choice((0, 0, 1, 1, 2, 3, -1)) for _ in range(rank)]) for _ in range(rng.randint(1, 3))
    ]
    low = [-sum((n - 1) * min(move[k], 0) for n, move in steps) for k in range(rank)]
    return steps, [x + rng.choice((0, 0, 1, 2, 5)) for x in low]


def values(front, steps, offset) -> list[int]:
    """The table: each entry of the coordinate is an index of its mode, whose last part goes on."""
    found = []
    for reverse in product(*[range(n) for n, _ in reversed(steps)]):
        at = list(offset)
        for x, (_, move) in zip(reversed(reverse), steps, strict=True):
            at = [a + x * m for a, m in zip(at, move, strict=True)]
        found.append(sum(cute_brute.value(mode, a) for mode, a in zip(front, at, strict=True)))
    return found


def layout_of(front):
    shape, stride = ([tuple(m[k] for m in mode) if len(mode) > 1 else mode[0][k] for mode in front] for k in (0, 1))
    return Layout(tuple(shape), tuple(stride))


def test_layouts_in_front_of_coordinates(turns) -> None:
    rng, seen = Random("coordinates"), Counter()
    for _ in turns(150):
        front = random_front(rng)
        steps, offset = random_steps(rng, len(front))
        moves = tuple([sum([m * E(k) for k, m in enumerate(move) if m], 0) for _, move in steps])
        if not any(any(move) for _, move in steps):
            continue
        inner = CoordinateLayout(tuple([n for n, _ in steps]), moves)
        layout, expected = ComposedLayout(layout_of(front), tuple(offset), inner), values(front, steps, offset)
        size = len(expected)
        assert [layout(i) for i in range(size)] == expected and layout.size() == size
        assert cute.parse(str(layout)) == eval(repr(layout), {n: getattr(cute, n) for n in cute.__all__}) == layout
        for same in (cute.coalesce(layout), cute.flatten(layout), cute.composition(layout, Layout(size))):
            assert [same(i) for i in range(size)] == expected
        moved, more = cute.domain_offset(x := rng.randrange(size), layout)
        assert more == 0 and moved(0) == expected[x]
        rest = layout((0, *[None] * (len(steps) - 1))) if len(steps) > 1 else Layout(1)
        assert len(steps) == 1 or [rest(i) for i in range(rest.size())] == expected[:: steps[0][0]]
        assert cute.is_injective(layout) == (len(set(expected)) == size)
        straight = cute.as_layout(layout)
        modes = [(n, 0) for n, _ in steps]
        assert bool(straight) == (expected[0] == 0 and swizzle_brute.by_mode(expected, modes) is not None)
        assert not straight or [straight(i) for i in range(size)] == expected
        seen["layout" if straight else "bent"] += 1
        try:
            back = cute.left_inverse(layout)
            assert [layout(back(v)) for v in expected] == expected
            seen["inverse"] += 1
        except cute.LayoutError:
            seen["no inverse"] += 1
    assert min(seen.values()) > 5, seen
