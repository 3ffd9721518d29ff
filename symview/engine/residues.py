"""The addresses of a box modulo M as one bit set: an exact search with no solver, for M of moderate size."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from symview.engine.index_map import Index
from symview.engine.overflow import Carry, weigh
from symview.engine.ring import Ring
from symview.logic.budget import DEFAULT, Budget

LIMIT = 1 << 20


def search(
    sizes: Sequence[int], carries: Sequence[Carry], weights: Sequence[int], budget: Budget = DEFAULT
) -> Index | None:
    """An index of the box with Σ weights·C ≠ 0, or None where there is none.

    Exact: the step of axis j carries alike at addresses alike modulo the largest place value M,
    so C is weighed to 0 everywhere iff each axis' weighed pattern is constant on the residues
    that its steps start from. Time and space O(M/64) a bit set; needs M <= LIMIT after removing
    common factors, see `modulus`. Raises Undecided when the budget ends.
    """
    top = max(carries, key=lambda c: c.place)
    common = gcd(*[c.place for c in carries], *top.slopes)
    ring = Ring(top.place // common)
    start, steps = top.start // common, [r // common for r in top.slopes]
    for axis, size in enumerate(sizes):
        if size < 2:
            continue
        shorter = [n - (a == axis) for a, n in enumerate(sizes)]
        reached = 1 << start
        for count, step in zip(shorter, steps, strict=True):
            budget.spend(ring.work() * count.bit_length())
            reached = ring.sweep(reached, step, count)
        levels = {0: reached}
        for one, weight in zip(carries, weights, strict=True):
            place = one.place // common
            budget.spend(ring.work() * (len(levels) + 1))
            levels = _split(levels, ring.carrying(place, steps[axis] % place), weight)
        if len(levels) > 1:
            home = next(v for v, bits in levels.items() if bits >> start & 1)
            bits = next(bits for v, bits in levels.items() if v != home)
            index = _trace(ring, start, shorter, steps, (bits & -bits).bit_length() - 1)
            after = (*index[:axis], index[axis] + 1, *index[axis + 1 :])
            return index if weigh(carries, weights, index) else after
    return None


def modulus(carries: Sequence[Carry]) -> int:
    """How many residues `search` would keep apart."""
    top = max(carries, key=lambda c: c.place)
    return top.place // gcd(*[c.place for c in carries], *top.slopes)


def _split(levels: dict[int, int], carrying: int, weight: int) -> dict[int, int]:
    after: dict[int, int] = {}
    for value, bits in levels.items():
        for key, part in ((value + weight, bits & carrying), (value, bits & ~carrying)):
            if part:
                after[key] = after.get(key, 0) | part
    return after


def _trace(ring: Ring, start: int, sizes: Sequence[int], steps: Sequence[int], residue: int) -> Index:
    """An index of the box whose address has that residue."""
    reached = ring.sweeps(start, list(zip(sizes, steps, strict=True)))
    before = [bits.to_bytes(ring.modulus // 8 + 1, "little") for bits in reached[:-1]]
    index = []
    for axis in range(len(sizes) - 1, -1, -1):
        for i in range(sizes[axis]):
            back = (residue - i * steps[axis]) % ring.modulus
            if before[axis][back >> 3] >> (back & 7) & 1:
                break
        residue = back
        index.append(i)
    return tuple(reversed(index))
