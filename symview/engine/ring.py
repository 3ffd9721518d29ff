"""Sets of residues modulo a number, as the bits of one integer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Ring(NamedTuple):
    """Sets of residues by a modulus."""

    modulus: int

    def work(self) -> int:
        """How much work one operation on a set is."""
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
        """The residues of start plus sums along no mode (count, step), along the first, along the first two, …"""
        found = [1 << start % self.modulus]
        for count, step in modes:
            found.append(self.sweep(found[-1], step, count))
        return found

    def carrying(self, place: int, slope: int) -> int:
        """{x : x mod place >= place − slope}, the addresses at which a step carries."""
        bits, length = ((1 << slope) - 1) << (place - slope), place
        while length < self.modulus:
            bits |= bits << length
            length *= 2
        return bits & ((1 << self.modulus) - 1)
