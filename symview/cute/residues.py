"""Which residues the sums of modes reach, however long the modes: sets of residues, the bits of one number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

from symview.engine.ring import Ring

LARGEST = 1 << 13

Mode = tuple[int, int]


def first_with(modes: Sequence[Mode], wanted: int, ring: Ring, start: int) -> int | None:
    """The least index of the modes at which start plus the sum has a residue that is wanted.

    >>> first_with([(4, 3), (4, 12)], 1 << 5, Ring(8), 0)
    7
    """
    reached = ring.sweeps(start, modes)
    for n, these in enumerate(reached):
        if these & wanted:
            return _index(reached[:n], modes[:n], these & wanted, ring)
    return None


def first_step(modes: Sequence[Mode], off: Sequence[int], ring: Ring, start: int) -> int | None:
    """The least index behind a step, along the last mode that moves, from a residue that is off for that mode."""
    reached = ring.sweeps(start, modes)
    for n, (size, step) in enumerate(modes):
        if ring.sweep(reached[n], step, size - 1) & off[n]:
            here, x = reached[n], 1
            while not here & off[n]:
                here, x = ring.shift(here, step), x + 1
            there = ring.shift(here & off[n], -(x - 1) * step)
            return x * prod([m for m, _ in modes[:n]]) + _index(reached[:n], modes[:n], there, ring)
    return None


def _index(reached: Sequence[int], modes: Sequence[Mode], there: int, ring: Ring) -> int:
    """The least index of the modes whose residue is in a set that they reach."""
    index, place = 0, prod([m for m, _ in modes])
    for before, (size, step) in zip(reversed(reached), reversed(modes), strict=True):
        place, k = place // size, 0
        while not (found := ring.shift(there, -k * step) & before):
            k += 1
        there, index = found, index + k * place
    return index


def numbered(these: Iterable[int]) -> int:
    """The set of these residues."""
    found = 0
    for r in these:
        found |= 1 << r
    return found
