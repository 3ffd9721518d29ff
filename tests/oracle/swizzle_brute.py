"""Layouts behind swizzles by the definition: bits of lists, tables over whole domains, nothing from symview.

A swizzle is (bits, base, shift); what stands in front of the modes is a list of (swizzle, offset), the outermost first.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random

from oracle.cute_brute import Modes, layouts_of, random_outer, size, table

Swizzle = tuple[int, int, int]
Fronts = list[tuple[Swizzle, int]]


def swizzled(swizzle: Swizzle, x: int) -> int:
    """The bits of x, some of them changed where others are set."""
    bits, base, shift = swizzle
    given = [x >> n & 1 for n in range(80)]
    found = list(given)
    for n in range(bits):
        low, high = base + n, base + n + abs(shift)
        source, target = (high, low) if shift > 0 else (low, high)
        found[target] ^= given[source]
    return sum(b << n for n, b in enumerate(found))


def values(fronts: Fronts, modes: Modes) -> list[int]:
    """The table."""
    found = table(modes)
    for swizzle, offset in reversed(fronts):
        found = [swizzled(swizzle, offset + v) for v in found]
    return found


def by_mode(found: Sequence[int], modes: Modes) -> list[Modes] | None:
    """Of a table over the sizes of the modes: the shortest layout of each that they all add up to; None without any."""
    parts, place = [], 1
    for n, _ in modes:
        some = layouts_of([found[x * place] - found[0] for x in range(n)])
        if not some:
            return None
        parts.append(min(some, key=len))
        place *= n
    tables = [table(p or [(1, 0)]) for p in parts]
    for at, i in zip(found, product(*[range(n) for n, _ in reversed(modes)]), strict=True):
        if at != found[0] + sum(t[x] for t, x in zip(tables, reversed(i), strict=True)):
            return None
    return parts


def random_swizzle(rng: Random) -> Swizzle:
    """Up to 3 bits, from bit 0 to 3 on, to both sides; none at all, and neighbours that touch, among them."""
    bits = rng.choice((0, 1, 1, 1, 2, 2, 3))
    return bits, rng.choice((0, 0, 1, 2, 3)), rng.choice((1, 1, -1)) * rng.randint(max(bits, 1), 4)


def random_modes(rng: Random, most: int = 200) -> Modes:
    """Sizes and strides, powers of two or anything; strides 0, below 0 and repeated, sizes 1, no modes."""
    while True:
        kind = rng.random()
        if kind < 0.55:
            modes = [(2 ** rng.randint(0, 4), 2 ** rng.randint(0, 5)) for _ in range(rng.randint(1, 3))]
        elif kind < 0.75:
            modes = random_outer(rng, 3)
        else:
            modes = [(rng.choice((1, 2, 3, 4, 5, 6, 8, 12)), rng.randint(0, 24)) for _ in range(rng.randint(1, 3))]
        if rng.random() < 0.2:
            modes = [(n, rng.choice((d, -d, 0))) for n, d in modes]
        if size(modes) <= most:
            return modes


def random_offset(rng: Random, modes: Modes) -> int:
    """Often 0, else anything; at least so much that no value is below 0."""
    low = -sum(min(0, (n - 1) * d) for n, d in modes)
    return low + rng.choice((0, 0, 0, 1, 4, 5, 8, 16, rng.randint(0, 40)))


def random_fronts(rng: Random, modes: Modes, most: int = 3) -> Fronts:
    """One swizzle, sometimes two or three, the same one twice among them; offsets between."""
    found = [(random_swizzle(rng), random_offset(rng, modes))]
    while len(found) < most and rng.random() < 0.25:
        swizzle = found[0][0] if rng.random() < 0.4 else random_swizzle(rng)
        found.insert(0, (swizzle, rng.choice((0, 0, 0, 1, 4, 6, 16))))
    return found


def all_swizzles(width: int) -> list[Swizzle]:
    """All within so many bits."""
    every = product(range(width + 1), range(width + 1), range(-width, width + 1))
    return [s for s in every if s[0] <= abs(s[2]) and s[0] + s[1] + abs(s[2]) <= width]


def swizzled_by_some(found: Sequence[int], modes: Modes) -> bool:
    """Whether a table is some swizzle of an offset plus layouts of the modes: by trying all within its bits."""
    width = max(found).bit_length()
    return any(by_mode([swizzled(s, v) for v in found], modes) is not None for s in all_swizzles(width))
