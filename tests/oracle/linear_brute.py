"""Linear layouts by the definition: tables over all indices, nothing clever, nothing from symview.

A table lists the values at 0, 1, 2, …; a map over the field of two elements is the list of its values at 1, 2, 4, ….
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from random import Random

from oracle import cute_brute


def table(bases: Sequence[int], constant: int = 0) -> list[int]:
    """All values, each by adding up bases without carries."""
    found = []
    for x in range(2 ** len(bases)):
        value = constant
        for i, base in enumerate(bases):
            if x // 2**i % 2:
                value ^= base
        found.append(value)
    return found


def is_affine(values: Sequence[int]) -> bool:
    """Whether some map of this form has these values, of any number: all four corners of each two bits agree."""
    c = values[0]
    n = len(values)
    return all(values[x] ^ values[y] ^ values[x ^ y] == c for x in range(n) for y in range(n) if x ^ y < n)


def first_not_affine(values: Sequence[int]) -> int | None:
    """The first index that the values at 0 and the powers of two do not explain; None where there is none."""
    for x in range(len(values)):
        wanted = values[0]
        for i in range(x.bit_length()):
            if x >> i & 1:
                wanted ^= values[1 << i] ^ values[0]
        if wanted != values[x]:
            return x
    return None


def on_box(sizes: Sequence[int], bases: Sequence[Sequence[int]], constant: int = 0) -> list[int]:
    """The values over a box, the first coordinate fastest; each coordinate has bases of its own."""
    found = []
    for index in product(*[range(n) for n in reversed(sizes)]):
        value = constant
        for x, bs in zip(reversed(index), bases, strict=True):
            for i, base in enumerate(bs):
                if x >> i & 1:
                    value ^= base
        found.append(value)
    return found


def views_of(values: Sequence[int]) -> list[cute_brute.Modes]:
    """Every layout without modes of size 1 that has these values above the first one."""
    return cute_brute.layouts_of([v - values[0] for v in values])


def strided(offset: int, steps: Sequence[int]) -> list[int]:
    """All values of offset + Σ x_i·step_i over the bits x_i of x."""
    return [offset + sum(d for i, d in enumerate(steps) if x >> i & 1) for x in range(1 << len(steps))]


def disjoint(masks: Sequence[int]) -> bool:
    """Whether no two masks share a bit."""
    return not any(a & b for i, a in enumerate(masks) for b in masks[:i])


def values_of(shape: Sequence[int], strides: Sequence[int]) -> list[int]:
    """The values of a layout."""
    return cute_brute.table(list(zip(shape, strides, strict=True)) or [(1, 0)])


def swizzled(bits: int, base: int, shift: int, x: int) -> int:
    """CuTe's swizzle, bit by bit."""
    found = x
    for b in range(bits):
        high = base + b + max(shift, 0)
        low = high - shift
        if x >> high & 1:
            found ^= 1 << low
    return found


def swizzles(width: int) -> Iterator[tuple[int, int, int]]:
    """All swizzles within so many bits, and the one that does nothing."""
    yield 0, 0, 0
    for bits, base, shift in product(range(1, width), range(width), range(-width, width)):
        if abs(shift) >= bits and bits + base + abs(shift) <= width:
            yield bits, base, shift


def random_bases(rng: Random, most: int = 6, width: int = 7) -> list[int]:
    """Bases with few bits, of powers of two, of anything, often with zeros, repeated, or dependent ones."""
    k = rng.randint(0, most)
    kind = rng.random()
    if kind < 0.25:
        found = [1 << rng.randrange(width) for _ in range(k)]
    elif kind < 0.5:
        masks = [rng.randrange(1 << width) for _ in range(k)]
        found, used = [], 0
        for mask in masks:
            found.append(mask & ~used)
            used |= mask
    elif kind < 0.75:
        d = rng.randint(0, 5)
        found = [d << i for i in range(k)]
    else:
        found = [rng.randrange(1 << width) for _ in range(k)]
    if found and rng.random() < 0.3:
        found[rng.randrange(k)] = rng.choice((0, found[0], rng.randrange(1 << width)))
    return found


def random_modes(rng: Random, most: int = 80, negative: bool = True) -> cute_brute.Modes:
    """Up to four modes, often of powers of two, sometimes of 3, 5, 6, with strides of any sign, many of them nearly
    linear."""
    while True:
        sizes = [rng.choice((1, 2, 2, 2, 4, 4, 8, 3, 3, 5, 6, 12)) for _ in range(rng.randint(0, 4))]
        if prod(sizes) <= most:
            break
    if rng.random() < 0.4:
        sizes = [1 << (n.bit_length() - 1) for n in sizes]
    step, strides = rng.choice((1, 1, 2, 3, 5)), []
    for n in sizes:
        strides.append(rng.choice((step, step, step, rng.randint(0, 20), 0)))
        step *= rng.choice((n, 2 * n, 1 << n.bit_length()))
    if negative and rng.random() < 0.4:
        strides = [rng.choice((1, 1, -1)) * d for d in strides]
    order = list(range(len(sizes)))
    rng.shuffle(order)
    return [(sizes[i], strides[i]) for i in order]
