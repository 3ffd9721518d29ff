"""Which residues the sums of modes reach, however long the modes: sets of residues, the bits of one number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import NamedTuple

LARGEST = 1 << 13

Mode = tuple[int, int]


class Residues(NamedTuple):
    """Sets of residues by a period."""

    period: int

    def turned(self, these: int, by: int) -> int:
        """Each residue plus a number."""
        by %= self.period
        return (these << by | these >> self.period - by) & (1 << self.period) - 1

    def multiples(self, these: int, count: int, step: int) -> int:
        """Each residue plus 0, 1, … count − 1 steps, by doubling.

        >>> bin(Residues(8).multiples(1, 3, 3))
        '0b1001001'
        """
        found, done = these if count else 0, 1
        while done < count:
            more = min(done, count - done)
            found |= self.turned(found, more * step)
            done += more
        return found

    def reached(self, modes: Sequence[Mode], start: int) -> list[int]:
        """The residues of start plus sums of no mode, of the first, of the first two, …"""
        found = [1 << start % self.period]
        for size, step in modes:
            found.append(self.multiples(found[-1], size, step))
        return found


def first_with(modes: Sequence[Mode], wanted: int, residues: Residues, start: int) -> int | None:
    """The least index of the modes at which start plus the sum has a residue that is wanted.

    >>> first_with([(4, 3), (4, 12)], 1 << 5, Residues(8), 0)
    7
    """
    reached = residues.reached(modes, start)
    for n, these in enumerate(reached):
        if these & wanted:
            return _index(reached[:n], modes[:n], these & wanted, residues)
    return None


def first_step(modes: Sequence[Mode], off: Sequence[int], residues: Residues, start: int) -> int | None:
    """The least index behind a step, along the last mode that moves, from a residue that is off for that mode."""
    reached = residues.reached(modes, start)
    for n, (size, step) in enumerate(modes):
        if residues.multiples(reached[n], size - 1, step) & off[n]:
            here, x = reached[n], 1
            while not here & off[n]:
                here, x = residues.turned(here, step), x + 1
            there = residues.turned(here & off[n], -(x - 1) * step)
            return x * prod([m for m, _ in modes[:n]]) + _index(reached[:n], modes[:n], there, residues)
    return None


def _index(reached: Sequence[int], modes: Sequence[Mode], there: int, residues: Residues) -> int:
    """The least index of the modes whose residue is in a set that they reach."""
    index, place = 0, prod([m for m, _ in modes])
    for before, (size, step) in zip(reversed(reached), reversed(modes), strict=True):
        place, k = place // size, 0
        while not (found := residues.turned(there, -k * step) & before):
            k += 1
        there, index = found, index + k * place
    return index


def numbered(these: Iterable[int]) -> int:
    """The set of these residues."""
    found = 0
    for r in these:
        found |= 1 << r
    return found
