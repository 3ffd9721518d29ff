"""Sets of residues as the bits of an integer, and the sums of digits that reach them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import prod
from typing import NamedTuple

LARGEST = 1 << 13  # most residues in a table


class Ring(NamedTuple):
    """Sets of residues modulo a number."""

    modulus: int

    def work(self) -> int:
        """The work of one operation on a set."""
        return 1 + self.modulus // 10_000

    def shift(self, bits: int, by: int) -> int:
        """{x + by mod modulus}."""
        by %= self.modulus
        moved = bits << by
        return (moved | moved >> self.modulus) & ((1 << self.modulus) - 1)

    def sweep(self, bits: int, step: int, count: int) -> int:
        """{x + i·step mod modulus, 0 <= i < count}, by doubling.

        >>> bin(Ring(8).sweep(1, 3, 3))
        '0b1001001'
        """
        have, bits = 1, bits if count else 0
        while have < count:
            more = min(have, count - have)
            bits |= self.shift(bits, more * step)
            have += more
        return bits

    def sweeps(self, start: int, modes: Sequence[tuple[int, int]]) -> list[int]:
        """The residues that start plus sums along the first k modes (count, step) reach, for k = 0, 1, 2, …."""
        found = [1 << start % self.modulus]
        for count, step in modes:
            found.append(self.sweep(found[-1], step, count))
        return found

    def carrying(self, place: int, slope: int) -> int:
        """{x : x mod place >= place − slope}, the addresses at which a step overflows."""
        bits, length = ((1 << slope) - 1) << (place - slope), place
        while length < self.modulus:
            bits |= bits << length
            length *= 2
        return bits & ((1 << self.modulus) - 1)


class Steps(NamedTuple):
    """x ↦ start + Σ digit·step modulo a period, for digits given by size and step, the first fastest."""

    digits: Sequence[tuple[int, int]]
    period: int
    start: int = 0

    def reached(self) -> list[int]:
        """The residues that occur, sorted.

        >>> Steps([(4, 3), (4, 12)], 24).reached()
        [0, 3, 6, 9, 12, 15, 18, 21]
        """
        found = Ring(self.period).sweeps(self.start, self.digits)[-1]
        return [r for r in range(self.period) if found >> r & 1]

    def firsts(self) -> list[int]:
        """The least index of each residue that occurs, sorted.

        >>> Steps([(4, 2), (4, 3)], 4).firsts()
        [0, 1, 4, 5]
        """
        before = self._sweeps()[:-1]
        return sorted(self._index(before, 1 << r) for r in self.reached())

    def first_with(self, wanted: Callable[[int], object]) -> int | None:
        """The least index with a wanted residue, or None.

        >>> Steps([(4, 3), (4, 12)], 8).first_with(lambda r: r == 5)
        7
        """
        reached, targets = self._sweeps(), numbered(r for r in range(self.period) if wanted(r))
        for n, these in enumerate(reached):
            if these & targets:
                return self._index(reached[:n], these & targets)
        return None

    def first_step(self, is_off: Sequence[Callable[[int], object]]) -> int | None:
        """The least index reached by a step, along the last digit that moves, from a residue that is off for it.

        >>> Steps([(4, 3), (4, 12)], 8).first_step([lambda r: r == 6, lambda r: r == 4])
        3
        """
        reached, ring = self._sweeps(), Ring(self.period)
        for n, ((size, step), is_one) in enumerate(zip(self.digits, is_off, strict=True)):
            off = numbered(r for r in range(self.period) if is_one(r))
            if ring.sweep(reached[n], step, size - 1) & off:
                here, x = reached[n], 1
                while not here & off:
                    here, x = ring.shift(here, step), x + 1
                there = ring.shift(here & off, -(x - 1) * step)
                return x * prod([m for m, _ in self.digits[:n]]) + self._index(reached[:n], there)
        return None

    def _sweeps(self) -> list[int]:
        return Ring(self.period).sweeps(self.start, self.digits)

    def _index(self, reached: Sequence[int], there: int) -> int:
        """The least index of the first digits whose residue is in the set `there`, which they reach."""
        ring, digits = Ring(self.period), self.digits[: len(reached)]
        index, place = 0, prod([m for m, _ in digits])
        for before, (size, step) in zip(reversed(reached), reversed(digits), strict=True):
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
