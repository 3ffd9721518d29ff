"""Random programs of movement operations with masks, and random masked pairs and chains.

A program is a shape and steps; what it means is said index by index, by going back through the steps. As views it
is a chain: a reshape that no single view can do, which brute force decides, starts a new view.

Every generator takes a `random.Random` and gives the same views for the same seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from math import prod
from random import Random
from typing import Any, NamedTuple

from . import brute, generate, masked
from .brute import Index, V, contiguous
from .masked import EMPTY, Fails

LARGE = 10**6
OPERATIONS = ("permute", "flip", "shrink", "pad", "expand", "reshape", "reshape")


class Step(NamedTuple):
    """One movement operation with its argument, and the shape that it makes.

    permute: the old axis of each new one; flip: the axes; shrink: bounds; pad: widths; expand, reshape: the shape.
    """

    name: str
    argument: tuple[Any, ...]
    shape: tuple[int, ...]


class Program(NamedTuple):
    """Steps applied to the contiguous tensor of a shape."""

    shape: tuple[int, ...]
    steps: tuple[Step, ...]

    @property
    def final(self) -> tuple[int, ...]:
        """The shape at the end."""
        return self.steps[-1].shape if self.steps else self.shape


# What a program means


def locate(program: Program, index: Index) -> int | None:
    """The element of the tensor at an index of the result; None in what was padded."""
    shapes = [program.shape, *(step.shape for step in program.steps)]
    for step, shape in zip(reversed(program.steps), reversed(shapes[:-1]), strict=True):
        before = _back(step, shape, index)
        if before is None:
            return None
        index = before
    return sum(i * p for i, p in zip(index, brute.place_values(program.shape), strict=True))


def _back(step: Step, shape: tuple[int, ...], index: Index) -> Index | None:
    """The index in the shape before the step that an index after it shows."""
    given = step.argument
    match step.name:
        case "permute":
            return tuple(index[given.index(axis)] for axis in range(len(shape)))
        case "flip":
            return tuple(n - 1 - i if a in given else i for a, (i, n) in enumerate(zip(index, shape, strict=True)))
        case "shrink":
            return tuple(i + lo for i, (lo, _) in zip(index, given, strict=True))
        case "pad":
            before = tuple(i - lo for i, (lo, _) in zip(index, given, strict=True))
            return before if all(0 <= i < n for i, n in zip(before, shape, strict=True)) else None
        case "expand":
            return tuple(0 if n == 1 else i for i, n in zip(index, shape, strict=True))
        case "reshape":
            flat = sum(i * p for i, p in zip(index, brute.place_values(given), strict=True))
            return brute.unravel(flat, shape)
    raise ValueError(step.name)


def table(program: Program) -> dict[Index, int | None]:
    """The element at every index, smallest index first."""
    return {index: locate(program, index) for index in brute.ordered(program.final)}


# Programs as chains of views


def chain(program: Program) -> tuple[V, ...]:
    """The views of the program, one more for each reshape that the last one cannot do by itself."""
    views = [contiguous(program.shape)]
    for step in program.steps:
        if step.name == "reshape":
            reshaped = masked.decide((views[-1], contiguous(step.shape)))
            if isinstance(reshaped, Fails):
                views.append(contiguous(step.shape))
            else:
                views[-1] = masked.as_view(step.shape, reshaped)
        else:
            views[-1] = moved(views[-1], step)
    return tuple(views)


def moved(view: V, step: Step) -> V:
    """One view after any step but a reshape."""
    given, bounds, strides, offset = step.argument, list(masked.mask_of(view)), list(view.strides), view.offset
    match step.name:
        case "permute":
            bounds, strides = [bounds[a] for a in given], [strides[a] for a in given]
        case "flip":
            for a in given:
                n, (lo, hi) = view.shape[a], bounds[a]
                offset, strides[a], bounds[a] = offset + (n - 1) * strides[a], -strides[a], (n - hi, n - lo)
        case "shrink":
            for a, (first, end) in enumerate(given):
                lo, hi = bounds[a]
                offset += first * strides[a]
                bounds[a] = (min(max(lo, first), end) - first, min(max(hi, first), end) - first)
        case "pad":
            for a, (before, _) in enumerate(given):
                lo, hi = bounds[a]
                offset, bounds[a] = offset - before * strides[a], (lo + before, hi + before)
        case "expand":
            for a, n in enumerate(given):
                if n != view.shape[a]:
                    strides[a], bounds[a] = 0, (0, n if bounds[a] == (0, 1) else 0)
    if masked.is_void(view):
        return V(step.shape, (0,) * len(step.shape), 0, EMPTY)
    whole = bounds == [(0, n) for n in step.shape]
    return V(step.shape, tuple(strides), offset, None if whole else tuple(bounds))


# Random programs


def program(rng: Random, ops: int = 12, limit: int = 60, empty: float = 0.02) -> Program:
    """Up to `ops` steps on a small tensor; no result has more than `limit` indices, and `empty` of the shrinks cut
    all of a dim away.
    """
    shape = tuple(rng.choice((1, 2, 3, 4, 5, 6)) for _ in range(rng.choice((1, 2, 2, 3, 3))))
    while prod(shape) > limit:
        shape = shape[1:]
    at, steps = shape, []
    for _ in range(rng.choice((rng.randint(1, ops), ops))):
        step = _step(rng, at, empty, limit)
        if prod(step.shape) <= limit:
            steps.append(step)
            at = step.shape
    return Program(shape, tuple(steps))


def _step(rng: Random, shape: tuple[int, ...], empty: float, limit: int) -> Step:
    """A random step, most often one that does something."""
    for _ in range(4):
        step = _any_step(rng, shape, empty, limit)
        if step.shape != shape or step.name not in ("shrink", "expand", "reshape"):
            break
    return step


def _any_step(rng: Random, shape: tuple[int, ...], empty: float, limit: int) -> Step:
    name = rng.choice(OPERATIONS)
    match name:
        case "permute":
            order = tuple(rng.sample(range(len(shape)), len(shape)))
            return Step(name, order, tuple(shape[a] for a in order))
        case "flip":
            return Step(name, tuple(a for a in range(len(shape)) if rng.random() < 0.5), shape)
        case "shrink":
            bounds = tuple(_cut(rng, n, empty) if rng.random() < 0.4 else (0, n) for n in shape)
            return Step(name, bounds, tuple(hi - lo for lo, hi in bounds))
        case "pad":
            top = 2 if limit <= 1000 else limit // 100
            widths = tuple((rng.randint(0, top), rng.randint(0, top)) if rng.random() < 0.4 else (0, 0) for _ in shape)
            return Step(name, widths, tuple(b + n + a for n, (b, a) in zip(shape, widths, strict=True)))
        case "expand":
            sizes = tuple(rng.randint(1, 4) if n == 1 else n for n in shape)
            return Step(name, sizes, sizes)
    new = _reshaped(rng, shape) if prod(shape) else shape[::-1]
    return Step("reshape", new, new)


def _cut(rng: Random, size: int, empty: float) -> tuple[int, int]:
    if size == 0 or rng.random() < empty:
        at = rng.randint(0, size)
        return at, at
    lo = rng.randint(0, size - 1) if rng.random() < 0.5 else 0
    return lo, rng.randint(lo + 1, size)


def _reshaped(rng: Random, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Another shape of as many elements: any, or one dim split, or two neighbours merged; at times with a 1."""
    kind = rng.random()
    sizes = list(shape)
    if kind < 0.3 and len(sizes) > 1:
        at = rng.randrange(len(sizes) - 1)
        sizes[at : at + 2] = [sizes[at] * sizes[at + 1]]
    elif kind < 0.6 and sizes:
        at = rng.randrange(len(sizes))
        parts = [d for d in range(2, min(sizes[at], 1000)) if sizes[at] % d == 0]
        if parts:
            part = rng.choice(parts)
            sizes[at : at + 1] = rng.choice(([part, sizes[at] // part], [sizes[at] // part, part]))
    elif prod(shape) <= 5000:
        sizes = list(generate._factorisation(rng, prod(shape)))
    else:
        sizes = _regrouped(rng, shape)
    if rng.random() < 0.15:
        sizes.insert(rng.randint(0, len(sizes)), 1)
    elif rng.random() < 0.1 and 1 in sizes:
        sizes.remove(1)
    return tuple(sizes)


def _regrouped(rng: Random, shape: tuple[int, ...]) -> list[int]:
    """The prime factors of all dims in new dims, in a random order or in the old one."""
    primes = []
    for n in shape:
        for d in range(2, 1001):
            while n % d == 0:
                primes.append(d)
                n //= d
        primes += [n] if n > 1 else []
    if rng.random() < 0.5:
        rng.shuffle(primes)
    cuts = sorted(rng.sample(range(1, max(2, len(primes))), min(len(primes) - 1, rng.randint(1, 3)))) if primes else []
    return [prod(primes[a:b]) for a, b in pairwise([0, *cuts, len(primes)])]


def large_program(rng: Random, ops: int = 12) -> Program:
    """A program whose dims have sizes of all magnitudes up to 10^6, of rank up to 4."""
    at = shape = tuple(_smooth(rng, rng.choice((20, 300, 10**4, LARGE))) for _ in range(rng.randint(1, 4)))
    steps: list[Step] = []
    for _ in range(rng.randint(4, ops)):
        step = _step(rng, at, 0.0, max(at, default=1))
        if step.name == "pad":
            widths = tuple((_evened(rng, n), 0) if any(w) else (0, 0) for w, n in zip(step.argument, at, strict=True))
            widths = tuple((0, b) if rng.random() < 0.3 else (b, a) for b, a in widths)
            step = Step("pad", widths, tuple(b + n + a for n, (b, a) in zip(at, widths, strict=True)))
        if len(step.shape) <= 4 and max(step.shape, default=1) <= LARGE and prod(step.shape):
            steps.append(step)
            at = step.shape
    return Program(shape, tuple(steps))


def _magnitude(rng: Random, top: int) -> int:
    return generate._log_uniform(rng, max(1, top)) - 1


def _evened(rng: Random, size: int) -> int:
    """A width that leaves a size with divisors, mostly."""
    width = _magnitude(rng, size)
    return width + -(size + width) % rng.choice((1, 2, 6, 12, 60)) if rng.random() < 0.8 else width


def _large_shape(rng: Random, rank: int) -> tuple[int, ...]:
    return tuple(_smooth(rng) if rng.random() < 0.6 else generate._log_uniform(rng, LARGE) for _ in range(rank))


def _smooth(rng: Random, top: int = LARGE) -> int:
    """A size with many divisors."""
    size = 1
    while True:
        factor = rng.choice((2, 2, 3, 4, 5, 7, 8, 10))
        if size * factor > top or (size > 1 and rng.random() < 0.12):
            return size
        size *= factor


# Random masked pairs and chains


def mask(rng: Random, shape: Sequence[int], open_share: float = 0.6) -> Any:
    """A random mask: none, whole dims, intervals, single indices, empty ones; EMPTY at times without dims."""
    if rng.random() < 0.25 or not shape:
        return EMPTY if rng.random() < 0.15 else None
    bounds = []
    for n in shape:
        kind = rng.random()
        if kind < open_share or n == 0:
            bounds.append((0, n))
        elif kind < 0.98:
            lo = rng.randint(0, n - 1)
            hi = rng.choice((lo + 1, n, n, rng.randint(lo + 1, n)))
            bounds.append((lo, hi) if rng.random() < 0.7 else (0, hi))
        else:
            lo = rng.randint(0, n)
            bounds.append((lo, lo))
    return tuple(bounds)


def padded(rng: Random, view: V) -> V:
    """The view with hidden margins, at which its addresses may leave the tensor."""
    if not view.shape or masked.is_void(view) or view.mask == EMPTY:
        return view
    widths = tuple((rng.randint(0, 2), rng.randint(0, 2)) if rng.random() < 0.5 else (0, 0) for _ in view.shape)
    shape = tuple(b + n + a for n, (b, a) in zip(view.shape, widths, strict=True))
    return moved(view, Step("pad", widths, shape))


def inner(rng: Random, outer: Sequence[int], ranks: int = 3, top: int = 5) -> V:
    """A view of random strides whose addresses are places of the outer shape wherever its mask is open."""
    size = prod(outer)
    if size == 0:
        shape = tuple(rng.randint(0, 3) for _ in range(rng.randint(1, 2)))
        return V(shape, tuple(rng.randint(-3, 3) for _ in shape), rng.randint(-2, 5), None if 0 in shape else EMPTY)
    places = [p for p in brute.place_values(outer) if p < size] or [1]
    shape, strides, low, high = [], [], 0, 0
    for _ in range(rng.choices(range(ranks + 1), (1, *(4 + r for r in range(ranks))))[0]):
        n = rng.choices((1, rng.randint(2, top)), (1, 7))[0]
        t = rng.choice((1, 1, 2, 3, rng.choice(places), rng.choice(places), rng.randint(-6, 12), 0))
        t = -t if rng.random() < 0.2 else t
        while n > 1 and high - low + (n - 1) * abs(t) >= size:
            n -= 1
        shape.append(n)
        strides.append(t)
        low, high = low + min(0, (n - 1) * t), high + max(0, (n - 1) * t)
    found = V(tuple(shape), tuple(strides), rng.choice((-low, rng.randint(-low, size - 1 - high))))
    if rng.random() < 0.03 and shape:
        found = found._replace(shape=generate._replace(found.shape, rng.randrange(len(shape)), 0))
    if rng.random() < 0.4:
        found = padded(rng, found)
    if rng.random() < 0.5:
        cut, bounds = mask(rng, found.shape, 0.75), masked.mask_of(found)
        if cut == EMPTY:
            found = found._replace(mask=EMPTY)
        elif cut is not None:
            both = [(max(a, c), min(b, d)) for (a, b), (c, d) in zip(bounds, cut, strict=True)]
            found = found._replace(mask=tuple((lo, max(lo, hi)) if lo <= hi else (hi, hi) for lo, hi in both))
    return found


def outer(rng: Random, ranks: int = 4, top: int = 5) -> V:
    """A small view of any strides with a mask, now and then without elements."""
    shape = tuple(rng.choice((1, 2, 2, 3, 3, rng.randint(1, top))) for _ in range(rng.randint(0, ranks)))
    while rng.random() < 0.8 and prod(shape) < 12:
        shape = (*shape, rng.randint(2, top))
    if shape and rng.random() < 0.02:
        shape = generate._replace(shape, rng.randrange(len(shape)), 0)
    kind = rng.random()
    strides = brute.place_values(shape)
    if kind < 0.35:
        strides = tuple(rng.randint(-3, 5) for _ in shape)
    elif kind < 0.5:
        strides = generate._outer_strides(rng, shape, 9)
    return V(shape, strides, generate._maybe(rng, 0.4, rng.randint(-9, 9)), mask(rng, shape))


def masked_pair(rng: Random) -> tuple[V, V]:
    """A dense random pair: any strides, offsets and masks, hidden parts out of bounds, empty and 0-dim views."""
    return _lively(rng, 4, 5, 2)


def _lively(rng: Random, ranks: int, top: int, count: int) -> tuple[V, ...]:
    """That many views; drawn again, mostly, where fewer than three indices are valid."""
    while True:
        views = [outer(rng, ranks, top)]
        while len(views) < count:
            views.append(inner(rng, views[-1].shape, 3, top))
        if rng.random() < 0.2 or sum(value is not None for value in masked.values(views).values()) > 2:
            return tuple(views)


def medium_pair(rng: Random) -> tuple[V, V]:
    """The same with sizes up to 16: some thousand indices at most."""
    return _lively(rng, 3, 16, 2)


def masked_accidental(rng: Random) -> tuple[V, V]:
    """A pair whose carries cancel, with masks on either side."""
    first, second = generate.accidental(rng)
    first = first._replace(mask=mask(rng, first.shape, 0.85))
    return first, padded(rng, second._replace(mask=mask(rng, second.shape, 0.85)))


def masked_chain(rng: Random, least: int = 3, most: int = 4) -> tuple[V, ...]:
    """Three or four dense random views, each inside the one before."""
    return _lively(rng, 3, 4, rng.randint(least, most))


def program_pair(rng: Random) -> tuple[V, V]:
    """Two neighbouring views of a program with masks."""
    while True:
        views = chain(program(rng))
        if len(views) > 1:
            at = rng.randrange(len(views) - 1)
            return views[at], views[at + 1]


def program_chain(rng: Random, least: int = 2) -> tuple[V, ...]:
    """All the views of a program that needs at least that many."""
    while True:
        views = chain(program(rng))
        if len(views) >= least:
            return views


# Large masked views


def large_outer(rng: Random) -> V:
    """Sizes up to 10^6, rank up to 4, with a mask."""
    shape = _large_shape(rng, rng.randint(1, 4))
    return V(shape, _large_strides(rng, shape), rng.randint(-99, 99), large_mask(rng, shape))


def _large_strides(rng: Random, shape: tuple[int, ...]) -> tuple[int, ...]:
    strides = list(brute.place_values(shape))
    if rng.random() < 0.5:
        axis = rng.randrange(len(shape))
        strides[axis] += rng.choice((1, -1, -strides[axis], rng.randint(-LARGE, LARGE)))
    return tuple(strides)


def large_mask(rng: Random, shape: Sequence[int]) -> Any:
    """Intervals of all magnitudes, at either end or anywhere, single indices; whole dims in between."""
    if rng.random() < 0.2:
        return None
    bounds = []
    for n in shape:
        lo, hi = sorted((rng.randint(0, n), rng.randint(0, n)))
        bounds.append(rng.choice(((0, n), (0, n), (0, max(1, hi)), (min(lo, n - 1), n), (lo, max(hi, lo + 1))
                                  if lo < n else (0, n))))  # fmt: skip
    return tuple(bounds)


def large_inner(rng: Random, shape: Sequence[int]) -> V:
    """A masked view of a large shape, with sizes up to 10^6, margins out of bounds included."""
    found = generate._inside(rng, tuple(shape), rng.randint(1, 4), 10 ** rng.randint(1, 18))
    sizes = tuple(min(n, LARGE) for n in found.shape)
    found = found._replace(shape=sizes)
    if rng.random() < 0.5:
        widths = tuple((_magnitude(rng, n), _magnitude(rng, n)) if rng.random() < 0.5 else (0, 0) for n in sizes)
        wider = tuple(b + n + a for n, (b, a) in zip(sizes, widths, strict=True))
        if max(wider) <= LARGE:
            found = moved(found, Step("pad", widths, wider))
    if rng.random() < 0.5:
        cut = large_mask(rng, found.shape)
        if cut is not None:
            both = [(max(a, c), min(b, d)) for (a, b), (c, d) in zip(masked.mask_of(found), cut, strict=True)]
            if all(lo < hi for lo, hi in both):
                found = found._replace(mask=tuple(both))
    return found


def large_pair(rng: Random) -> tuple[V, V]:
    """Two views with sizes up to 10^6 a dim, ranks up to 4, masks on either side: not for walking."""
    first = large_outer(rng)
    return first, large_inner(rng, first.shape)


# Every view within a bound


def views(shape: tuple[int, ...], strides: Sequence[int], size: int | None = None) -> Iterator[V]:
    """Every masked view of the shape with these strides and offset 0, or with all offsets inside `size` places.

    Masks with nothing valid count once.
    """
    bounds = [[(lo, hi) for lo in range(n) for hi in range(lo + 1, n + 1)] for n in shape]
    for steps in product(strides, repeat=len(shape)):
        for cut in [*product(*bounds), EMPTY]:
            if size is None or cut == EMPTY:
                yield V(shape, steps, 0, cut)
                continue
            ends = [(lo * t, (hi - 1) * t) for t, (lo, hi) in zip(steps, cut, strict=True)]
            low, high = sum(map(min, ends)), sum(map(max, ends))
            for offset in range(-low, size - high):
                yield V(shape, steps, offset, cut)
