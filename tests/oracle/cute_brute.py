"""CuTe layouts by the definition: tables over whole domains, nothing clever, nothing from symview.

A layout is a list of modes (size, stride), the first fastest. Where a function has to be found to
be a layout, every ordered factorisation of its size is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod
from random import Random

Modes = list[tuple[int, int]]


def value(modes: Modes, x: int) -> int:
    """The layout function at index x; the last mode goes on for ever."""
    total = 0
    for n, (size, stride) in enumerate(modes):
        digit = x if n == len(modes) - 1 else x % size
        total += digit * stride
        x //= size
    return total


def size(modes: Modes) -> int:
    return prod(n for n, _ in modes)


def table(modes: Modes) -> list[int]:
    return [value(modes, x) for x in range(size(modes))]


def factorisations(n: int) -> Iterator[tuple[int, ...]]:
    """All ordered factorisations into parts from 2 on."""
    if n == 1:
        yield ()
        return
    for first in range(2, n + 1):
        if n % first == 0:
            for rest in factorisations(n // first):
                yield (first, *rest)


def layouts_of(values: Sequence[int]) -> list[Modes]:
    """Every layout without modes of size 1 that has exactly these values; found by trying all shapes."""
    found = []
    for shape in factorisations(len(values)):
        modes, place = [], 1
        for n in shape:
            modes.append((n, values[place]))
            place *= n
        if values[0] == 0 and table(modes or [(1, 0)]) == list(values):
            found.append(modes)
    return found


def composition(outer: Modes, inner: Modes) -> list[Modes] | None:
    """The shortest layout of each mode of `inner`; None where no layout refining inner's modes composes.

    A layout that refines the modes of inner is a sum of one layout a mode, each of which is the
    composition where the other coordinates are 0.
    """
    parts = []
    for n, r in inner:
        found = layouts_of([value(outer, r * x) for x in range(n)])
        if not found:
            return None
        parts.append(min(found, key=len))
    for index in product(*[range(n) for n, _ in inner]):
        address = sum(i * r for i, (_, r) in zip(index, inner, strict=True))
        if value(outer, address) != sum(value(p or [(1, 0)], i) for p, i in zip(parts, index, strict=True)):
            return None
    return parts


def random_outer(rng: Random, most: int = 4) -> Modes:
    """Rank 1 to `most`, sizes 1 to 12; strides contiguous, in some order, zero, repeated, or anything."""
    sizes = [rng.choice((1, 2, 2, 2, 3, 3, 4, 4, 5, 6, 8, 9, 10, 12)) for _ in range(rng.randint(1, most))]
    while prod(sizes) > 2000:
        sizes.pop()
    kind = rng.random()
    if kind < 0.35:
        return [(n, rng.randint(0, 20)) for n in sizes]
    order = list(range(len(sizes)))
    if kind < 0.7:
        rng.shuffle(order)
    strides, step = [0] * len(sizes), rng.choice((1, 1, 2, 3))
    for n in order:
        strides[n] = step
        step *= sizes[n]
        if rng.random() < 0.3:
            step += rng.randint(-2, 9) * (rng.random() < 0.6)
            step = max(step, 0)
    return list(zip(sizes, strides, strict=True))


def random_inner(rng: Random, room: int, most: int = 3) -> Modes:
    """Rank 1 to `most`, with every value below `room`; strides often products of few small primes."""
    while True:
        modes, left = [], room - 1
        for _ in range(rng.randint(1, most)):
            if rng.random() < 0.5:
                r = prod(rng.choice((1, 1, 2, 2, 3, 4)) for _ in range(rng.randint(0, 5)))
            else:
                r = rng.randint(0, max(1, room // 2))
            most_steps = left // r if r else 7
            n = rng.randint(1, min(most_steps, 23) + 1)
            modes.append((n, r))
            left -= (n - 1) * r
        if prod(n for n, _ in modes) <= 400:
            rng.shuffle(modes)
            return modes


def inside(outer: Modes, inner: Modes) -> bool:
    """Whether inner's values are indices of outer."""
    return sum((n - 1) * r for n, r in inner) < size(outer)


def right_inverse(modes: Modes, inverse: Callable[[int], int], count: int) -> bool:
    """Whether the layout takes inverse(x) back to x for all x below count."""
    return all(value(modes, inverse(x)) == x for x in range(count))
