"""Random views of numbers and other shapes for them: masks anywhere, sizes 0 and 1, strides of any kind."""

from __future__ import annotations

from math import prod
from random import Random

from . import generate
from .brute import V, contiguous


def movement_view(rng: Random) -> V:
    """A contiguous view after some movement operations that leave it one view."""
    view = contiguous(generate._shape(rng, rng.randint(1, 4), 360, (3, 5, 8, 12)))
    for _ in range(rng.randint(0, 3)):
        kind = rng.choice(("permute", "flip", "expand", "shrink"))
        view = _moved(rng, view, kind)
    return view


def masked_view(rng: Random) -> V:
    """The same padded, and perhaps moved on."""
    view = _moved(rng, movement_view(rng), "pad")
    return _moved(rng, view, rng.choice(("permute", "flip"))) if rng.random() < 0.4 else view


def _moved(rng: Random, view: V, kind: str) -> V:
    shape, axes = view.shape, range(len(view.shape))
    strides, mask = view.strides, view.mask or tuple((0, n) for n in view.shape)
    if kind == "permute":
        order = rng.sample(axes, len(shape))
        pick = [tuple(x[a] for a in order) for x in (shape, strides, mask)]
        return V(pick[0], pick[1], view.offset, None if view.mask is None else pick[2])
    offset, shape, strides, mask = view.offset, list(shape), list(strides), list(mask)
    for a in axes:
        n, t, (low, high) = shape[a], strides[a], mask[a]
        if rng.random() < 0.6:
            continue
        if kind == "flip":
            offset, strides[a], mask[a] = offset + (n - 1) * t, -t, (n - high, n - low)
        elif kind == "expand" and n == 1 and (low, high) == (0, 1):
            shape[a], strides[a] = rng.choice((2, 3)), 0
            mask[a] = (0, shape[a])
        elif kind == "shrink" and view.mask is None and n:
            start = rng.randrange(n)
            offset, shape[a] = offset + start * t, rng.randint(1, n - start)
            mask[a] = (0, shape[a])
        elif kind == "pad":
            before, after = rng.randint(0, 2), rng.randint(0, 2)
            offset, shape[a], mask[a] = offset - before * t, before + n + after, (low + before, high + before)
    hides = any(b != (0, n) for b, n in zip(mask, shape, strict=True))
    return V(tuple(shape), tuple(strides), offset, tuple(mask) if hides else None)


def any_view(rng: Random) -> V:
    """Strides contiguous, nearly so, or any; masks of whole dims, one index, some, or none; sizes from 0 up."""
    shape = tuple(rng.choice((1, 2, 2, 3, 4, 6)) if rng.random() < 0.97 else 0 for _ in range(rng.randint(0, 5)))
    strides = list(contiguous(shape).strides) if rng.random() < 0.6 else [rng.randint(-9, 9) for _ in shape]
    if shape and rng.random() < 0.5:
        strides[rng.randrange(len(shape))] += rng.choice((-1, 1, 2))
    mask = None
    if shape and rng.random() < 0.7:
        mask = tuple(_bounds(rng, n) for n in shape)
    return V(shape, tuple(strides), rng.choice((0, 3, -7)), mask)


def _bounds(rng: Random, size: int) -> tuple[int, int]:
    kind = rng.random()
    if kind < 0.55:
        return 0, size
    if kind < 0.75 and size:
        low = rng.randrange(size)
        return low, low + 1
    low = rng.randint(0, size)
    return low, rng.randint(low, size)


def target(rng: Random, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Another shape of as many elements: dims joined and split, or any factors."""
    if 0 in shape:
        sizes = [rng.randint(0, 3) for _ in range(rng.randint(1, 4))]
        sizes[rng.randrange(len(sizes))] = 0
        return tuple(sizes)
    if rng.random() < 0.4:
        return generate._factorisation(rng, prod(shape))
    found = list(shape)
    for _ in range(rng.randint(1, 3) if found else 0):
        at = rng.randrange(len(found))
        if rng.random() < 0.5 and at + 1 < len(found):
            found[at : at + 2] = [found[at] * found[at + 1]]
        else:
            factor = rng.choice([d for d in range(1, found[at] + 1) if found[at] % d == 0])
            found[at : at + 1] = [found[at] // factor, factor]
    return tuple(found)
