"""Random views that reach what a random choice of numbers seldom does.

Every generator takes a `random.Random` and gives plain views, the same ones for the same seed.

Sizes are skewed: most boxes have a few dozen points, so that tests can walk tens of thousands of pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import gcd, lcm, prod
from random import Random

from .brute import Merged, V, boundaries, contiguous, merge, place_values, row_space

Pair = tuple[V, V]


def pair(rng: Random) -> Pair:
    """An outer view of at most 5000 elements and an inner view of at most 2000 points, in bounds.

    Reaches: rank 0 and size-1 dims on either side, empty inner boxes (with any strides, offset and outer
    size), zero and negative strides and offsets on both sides, repeated outer place values, inner strides
    that are place values or share a factor with one, inner axes of size 2, reversed inner axes.
    """
    limit = rng.choices((12, 60, 400, 5000), (1, 4, 5, 1))[0]
    shape = _shape(rng, rng.choices(range(6), (2, 3, 8, 12, 8, 3))[0], limit, (3, 4, 6, 12))
    if rng.random() < 0.05:
        inner = _empty(rng)
        if shape and rng.random() < 0.2:
            shape = _replace(shape, rng.randrange(len(shape)), 0)
    else:
        points = rng.choices((4, 16, 60, 300, 2000), (2, 8, 10, 4, 0.6))[0]
        inner = _inside(rng, shape, rng.choices(range(5), (1, 6, 8, 5, 2))[0], points)
    return V(shape, _outer_strides(rng, shape, 20), _maybe(rng, 0.5, rng.randint(-40, 40))), inner


def accidental(rng: Random) -> Pair:
    """A pair in which several boundaries overflow and yet the carries cancel, so that the views merge.

    The defects are drawn from the null space of the oracle's row space, not zero on some boundary that does
    overflow. In a third of the pairs one outer stride is then changed a little, which usually breaks them.
    Some attempts are on views made to carry in step, which gives larger boxes than chance does.
    """
    while True:
        rank, points = rng.choices((1, 2, 3), (5, 4, 2))[0], rng.choice((4, 8, 24, 60))
        if rng.random() < 0.3:
            shape, inner = _in_step(rng, rank, points)
        else:
            shape = _shape(rng, rng.choices((3, 4, 5, 6), (4, 6, 3, 1))[0], 600, (2, 3, 5, 10))
            inner = _inside(rng, shape, rank, points)
        if len(boundaries(shape)) < 2:
            continue
        rows = row_space(shape, inner)
        defects = _cancelling(rng, rows)
        if defects is not None:
            strides = _from_defects(rng, shape, (*defects, rng.randint(-4, 4)))
            break
    if rng.random() < 1 / 3:
        axis = rng.choice([a for a, size in enumerate(shape) if size > 1])
        strides = _replace(strides, axis, strides[axis] + rng.choice((-2, -1, 1, 2)))
    return V(shape, strides, _maybe(rng, 0.3, rng.randint(-20, 20))), inner


def movement_pair(rng: Random, ops: int = 12) -> Pair:
    """Two neighbouring views of a tensor that a random program of movement operations has been applied to.

    Permute, flip, shrink and expand change the last view. A reshape changes it too where that can be done
    as one view; where it cannot, it puts a contiguous view on top. So the pairs are those that real
    programs make.
    """
    while True:
        chain = [contiguous(_shape(rng, rng.randint(1, 4), 150, (3, 5, 8)))]
        for _ in range(ops):
            _move(rng, chain)
        if len(chain) >= 2:
            at = rng.randrange(len(chain) - 1)
            return chain[at], chain[at + 1]


def huge_pair(rng: Random) -> Pair:
    """An in-bounds pair of ranks up to 4 with up to 10^18 outer elements and inner points: not for walking.

    Sizes are spread over all magnitudes. Strides of both sides are arbitrary or near place values, of both
    signs or 0, with offsets, and some axes have size 1 or 2.
    """
    limit = 10 ** rng.randint(4, 18)
    shape = _huge_shape(rng, rng.choices(range(5), (1, 3, 8, 10, 10))[0], limit)
    inner = _inside(rng, shape, rng.choices(range(5), (1, 6, 8, 6, 4))[0], 10 ** rng.randint(1, 18))
    bound = rng.choice((10, 10**4, 10**18))
    return V(shape, _outer_strides(rng, shape, bound), _maybe(rng, 0.5, rng.randint(-bound, bound))), inner


def parametric(rng: Random) -> tuple[tuple[int, ...], int, int]:
    """(outer shape, t, o) for the inner view (n):(t)+o with a size n that is left open.

    Outer sizes up to 3000. t has both signs or is 0, and is arbitrary, a place value or near one; o is
    mostly at the end that leaves room to walk, else anywhere, and out of bounds now and then.
    """
    limit = rng.choices((30, 300, 3000), (2, 3, 2))[0]
    shape = _shape(rng, rng.choices(range(1, 6), (1, 4, 6, 4, 2))[0], limit, (2, 3, 5, 10))
    if shape and rng.random() < 0.5:  # room to walk: the leading size moves no boundary
        shape = (max(1, limit // prod(shape[1:])), *shape[1:])
    size = prod(shape)
    t = _stride(rng, shape, max(1, size // rng.choice((1, 4, 16, 64))))
    if rng.random() < 0.1:
        o = rng.choice((-1, size, -rng.randint(1, size), size + rng.randint(0, size)))
    elif rng.random() < 0.2:
        o = rng.randrange(size)
    else:
        near = min(size - 1, _maybe(rng, 0.5, rng.randint(0, abs(t) + 1)))
        o = near if t >= 0 else size - 1 - near
    return shape, t, o


# Shapes


def _maybe(rng: Random, probability: float, value: int) -> int:
    return value if rng.random() < probability else 0


def _replace(entries: tuple[int, ...], axis: int, value: int) -> tuple[int, ...]:
    return (*entries[:axis], value, *entries[axis + 1 :])


def _shape(rng: Random, rank: int, limit: int, tops: Sequence[int]) -> tuple[int, ...]:
    """`rank` sizes from 1 to one of `tops` each, some of size 1, with a product up to `limit`."""
    sizes, room = [], limit
    for _ in range(rank):
        top = min(rng.choice(tops), room)
        sizes.append(1 if top < 2 or rng.random() < 0.12 else rng.randint(2, top))
        room //= sizes[-1]
    rng.shuffle(sizes)
    return tuple(sizes)


def _huge_shape(rng: Random, rank: int, limit: int) -> tuple[int, ...]:
    """`rank` sizes of all magnitudes with a product up to `limit`; often round, as powers of 2 are."""
    sizes, room = [], limit
    for _ in range(rank):
        size = _log_uniform(rng, room)
        if rng.random() < 0.3:
            size = 1 << (size.bit_length() - 1)
        sizes.append(1 if rng.random() < 0.05 else size)
        room //= sizes[-1]
    rng.shuffle(sizes)
    return tuple(sizes)


def _log_uniform(rng: Random, top: int) -> int:
    """From 1 to top, all magnitudes equally likely."""
    return min(top, rng.randint(1, 1 << rng.randint(0, top.bit_length())))


# Strides


def _stride(rng: Random, shape: tuple[int, ...], top: int) -> int:
    """A stride for walking the positions of `shape`, of either sign or 0, up to about `top` in size."""
    places = [place for place in place_values(shape) if 0 < place <= top] or [1]
    place = rng.choice(places)
    kind = rng.random()
    if kind < 0.3:
        t = place
    elif kind < 0.55:  # a common factor with a place value
        factor = gcd(place, rng.choice((2, 3, 4, 6, 12, place)))
        t = factor * rng.randint(1, max(1, top // factor))
    elif kind < 0.65:
        t = place + rng.choice((-1, 1))
    elif kind < 0.75:
        t = 0
    else:
        t = rng.randint(1, top)
    return -t if rng.random() < 0.35 else t


def _outer_strides(rng: Random, shape: tuple[int, ...], bound: int) -> tuple[int, ...]:
    """Strides for laying out `shape`: contiguous in some order of the dims, close to that, or arbitrary."""
    kind = rng.random()
    if kind < 0.25:
        return tuple(rng.randint(-bound, bound) for _ in shape)
    if kind < 0.35:
        return tuple(rng.choice((-2, -1, 0, 0, 1, 2, 3)) for _ in shape)
    if kind < 0.65:
        strides = list(place_values(shape))
    else:
        order = rng.sample(range(len(shape)), len(shape))
        permuted = place_values([shape[axis] for axis in order])
        strides = [permuted[order.index(axis)] for axis in range(len(shape))]
    scale = rng.choice((-1, 1, 1, 1, 3))
    change = rng.choice((lambda s: s, lambda s: -s, lambda s: 0, lambda s: s + 1))
    changed = rng.randrange(len(shape)) if shape and rng.random() < 0.5 else None
    return tuple(change(scale * s) if axis == changed else scale * s for axis, s in enumerate(strides))


# Inner views


def _empty(rng: Random) -> V:
    """An inner view without points; what its strides and offset say does not matter."""
    shape = [rng.randint(0, 4) for _ in range(rng.randint(1, 4))]
    shape[rng.randrange(len(shape))] = 0
    return V(tuple(shape), tuple(rng.randint(-30, 30) for _ in shape), rng.randint(-50, 50))


def _inside(
    rng: Random,
    outer_shape: tuple[int, ...],
    rank: int,
    points: int,
    stride: Callable[[int], int] | None = None,
) -> V:
    """A view of at most `points` points with all its addresses in [0, size of outer_shape).

    Each axis takes a part of the address range that is left; the offset spends some of the rest. `stride`
    makes a stride when told how large it should be at most; without it, _stride does.
    """
    # Strides of all magnitudes: most leave room for several steps, and for the axes to come.
    stride = stride or (lambda top: _stride(rng, outer_shape, _log_uniform(rng, top)))
    room, offset, axes = prod(outer_shape) - 1, 0, []
    for _ in range(rank):
        t = stride(max(1, room))
        longest = min(points, room // abs(t) + 1 if t else points)
        kind = rng.random()
        if kind < 0.08 or longest < 2:
            # The stride of an axis of size 1 says nothing, so it may be anything.
            axes.append((1, rng.choice((t, 0, rng.randint(-99, 99)))))
            continue
        n = 2 if kind < 0.25 else longest if kind < 0.4 else max(2, _log_uniform(rng, longest))
        axes.append((n, t))
        points //= n
        room -= (n - 1) * abs(t)
        offset += (n - 1) * max(0, -t)
    offset += rng.choice((0, 0, room, rng.randint(0, room)))
    rng.shuffle(axes)
    return V(tuple(n for n, _ in axes), tuple(t for _, t in axes), offset)


# Defects that cancel


def _in_step(rng: Random, rank: int, points: int) -> tuple[tuple[int, ...], V]:
    """An outer shape that ends in (c, p) or (d, c, p), perhaps with a 1 before p, and a view that walks it by
    multiples of c or of d*c.

    c leaves 1 on division by p, so r*c is the same fraction of c*p modulo that as it is of p modulo that:
    without an offset the digits of c and of p overflow at the same indices. The same goes for d and c*p.
    """
    p = rng.randint(2, 5)
    c = 1 + p * rng.randint(1, 3)
    shape, step = (c, *(1,) * rng.choice((0, 0, 0, 1)), p), c
    if c * p < 15 and rng.random() < 0.8:
        d = 1 + c * p
        shape, step = (d, *shape), d * c

    def stride(top: int) -> int:
        return step * rng.randint(1, max(1, min(p + 1, top // step))) * rng.choice((-1, 1, 1))

    shape = _shape(rng, rng.randint(1, 2), 12, (3, 6, 12)) + shape
    return shape, _inside(rng, shape, rank, points, stride)


def null_space(rows: Sequence[Sequence[Fraction]], width: int) -> list[tuple[int, ...]]:
    """An integer basis of what is orthogonal to rows in reduced echelon form, one vector a free column."""
    pivots = [next(c for c, entry in enumerate(row) if entry) for row in rows]
    basis = []
    for free in sorted(set(range(width)) - set(pivots)):
        vector = [Fraction(int(column == free)) for column in range(width)]
        for pivot, row in zip(pivots, rows, strict=True):
            vector[pivot] = -row[free]
        scale = lcm(*(entry.denominator for entry in vector))
        basis.append(tuple(int(entry * scale) for entry in vector))
    return basis


def _cancelling(rng: Random, rows: Sequence[Sequence[Fraction]]) -> tuple[int, ...] | None:
    """Integers orthogonal to all rows, not all 0 where some row is not; None if none came up.

    A column that is not 0 in all rows is a boundary that overflows.
    """
    if not rows:
        return None
    width = len(rows[0])
    active = [column for column in range(width) if any(row[column] for row in rows)]
    weighted = [(rng.choice((-2, -1, -1, 1, 1, 2, 0)), vector) for vector in null_space(rows, width)]
    defects = tuple(sum(weight * vector[column] for weight, vector in weighted) for column in range(width))
    return defects if any(defects[column] for column in active) else None


def _from_defects(rng: Random, shape: tuple[int, ...], defects: Sequence[int]) -> tuple[int, ...]:
    """The strides with these contiguity defects over the dims of size > 1; the last is its own stride."""
    strides, left, size, stride = [], list(defects), 0, 0
    for s in reversed(shape):
        if s == 1:
            strides.append(rng.randint(-9, 9))
            continue
        stride = left.pop() + size * stride
        size = s
        strides.append(stride)
    return tuple(reversed(strides))


# Movement operations


def _move(rng: Random, chain: list[V]) -> None:
    """Apply one random movement operation to the last view of the chain, which may make the chain longer."""
    last = chain[-1]
    kind = rng.choice(("permute", "flip", "shrink", "expand", "reshape", "reshape"))
    if kind == "permute":
        order = rng.sample(range(len(last.shape)), len(last.shape))
        chain[-1] = V(tuple(last.shape[a] for a in order), tuple(last.strides[a] for a in order), last.offset)
    elif kind == "flip" and last.shape:
        chain[-1] = _flip(last, rng.randrange(len(last.shape)))
    elif kind == "shrink" and last.shape:
        chain[-1] = _shrink(rng, last, rng.randrange(len(last.shape)))
    elif kind == "expand":
        chain[-1] = _expand(rng, last)
    elif kind == "reshape":
        shape = _factorisation(rng, prod(last.shape))
        merged = merge(last, contiguous(shape))
        if isinstance(merged, Merged):
            chain[-1] = V(shape, merged.strides, merged.offset)
        else:
            chain.append(contiguous(shape))


def _flip(view: V, axis: int) -> V:
    offset = view.offset + (view.shape[axis] - 1) * view.strides[axis]
    return V(view.shape, _replace(view.strides, axis, -view.strides[axis]), offset)


def _shrink(rng: Random, view: V, axis: int) -> V:
    """Cut off a little, so that something is left after a dozen operations."""
    size = view.shape[axis]
    cut = rng.randint(0, min(size - 1, 2))
    lo = rng.randint(0, cut)
    return V(_replace(view.shape, axis, size - cut), view.strides, view.offset + lo * view.strides[axis])


def _expand(rng: Random, view: V) -> V:
    """Repeat an axis of size 1, a new one if there is none; nothing if the tensor is large already."""
    times = rng.randint(2, 4)
    if prod(view.shape) * times > 200:
        return view
    ones = [axis for axis, size in enumerate(view.shape) if size == 1]
    if ones:
        axis = rng.choice(ones)
        return V(_replace(view.shape, axis, times), _replace(view.strides, axis, 0), view.offset)
    axis = rng.randint(0, len(view.shape))
    shape, strides = list(view.shape), list(view.strides)
    shape.insert(axis, times)
    strides.insert(axis, 0)
    return V(tuple(shape), tuple(strides), view.offset)


def _factorisation(rng: Random, size: int) -> tuple[int, ...]:
    """A random shape of this many elements, now and then with a size 1 in it."""
    shape, rest = [], size
    while rest > 1:
        shape.append(rng.choice([d for d in range(2, rest + 1) if rest % d == 0]))
        rest //= shape[-1]
    while rng.random() < 0.2:
        shape.append(1)
    rng.shuffle(shape)
    return tuple(shape)
