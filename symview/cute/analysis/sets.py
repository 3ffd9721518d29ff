"""Sets of values of layouts: listed, sums of blocks, cosets of linear maps, and swizzled ones."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain as in_a_row
from math import prod
from typing import NamedTuple, Protocol

from symview.engine.bases import echelon, set_bits, value_of
from symview.engine.map import PLAIN, XorShift
from symview.errors import Undecided


class Values(Protocol):
    """A nonempty set of numbers."""

    @property
    def count(self) -> int:
        """The number of elements."""
        ...

    @property
    def least(self) -> int:
        """The least element."""
        ...

    @property
    def greatest(self) -> int:
        """The greatest element."""
        ...

    def missing(self) -> int:
        """The least number above `least` that is not an element."""
        ...

    def __contains__(self, value: int) -> bool: ...

    def __iter__(self) -> Iterator[int]: ...


@dataclass(frozen=True)
class Listed:
    """A sorted list of numbers."""

    numbers: tuple[int, ...]

    @property
    def count(self) -> int:
        """The number of elements."""
        return len(self.numbers)

    @property
    def least(self) -> int:
        """The first element."""
        return self.numbers[0]

    @property
    def greatest(self) -> int:
        """The last element."""
        return self.numbers[-1]

    def missing(self) -> int:
        """The least number above `least` that is not an element."""
        counted = zip(range(self.least, self.greatest), self.numbers, strict=False)
        return next((x for x, y in counted if x != y), self.greatest + 1)

    def __contains__(self, value: int) -> bool:
        at = bisect_left(self.numbers, value)
        return at < len(self.numbers) and self.numbers[at] == value

    def __iter__(self) -> Iterator[int]:
        return iter(self.numbers)


class Block(NamedTuple):
    """Multiples of a unit: all `length` of them, or only those at the set bits of `bits`; length − 1 is its top bit."""

    unit: int
    length: int
    bits: int | None = None

    def many(self) -> int:
        """The number of elements."""
        return self.length if self.bits is None else self.bits.bit_count()

    def full(self) -> int:
        """The number of multiples from 0 on without a gap."""
        return self.length if self.bits is None else (~self.bits & self.bits + 1).bit_length() - 1

    def has(self, multiple: int) -> bool:
        """Whether this multiple of the unit is an element."""
        return 0 <= multiple < self.length and (self.bits is None or self.bits >> multiple & 1 == 1)

    def numbers(self) -> Iterator[int]:
        """All elements."""
        found = range(self.length) if self.bits is None else set_bits(self.bits)
        return (self.unit * n for n in found)


@dataclass(frozen=True)
class Sums:
    """A least value plus one element of each block; each unit exceeds all sums of the blocks before."""

    least: int
    blocks: tuple[Block, ...] = ()

    @property
    def count(self) -> int:
        """The number of elements; different choices have different sums."""
        return prod([block.many() for block in self.blocks])

    @property
    def greatest(self) -> int:
        """The sum of the greatest elements."""
        return self.least + sum(block.unit * (block.length - 1) for block in self.blocks)

    def missing(self) -> int:
        """The first number that the blocks skip."""
        reach = 1
        for block in self.blocks:
            if block.unit > reach:
                break
            reach *= block.full()
            if block.full() < block.length:
                break
        return self.least + reach

    def __contains__(self, value: int) -> bool:
        value -= self.least
        for n, block in enumerate(self.blocks):
            part = value % self.blocks[n + 1].unit if n + 1 < len(self.blocks) else value
            if part % block.unit or not block.has(part // block.unit):
                return False
            value -= part
        return value == 0

    def __iter__(self) -> Iterator[int]:
        return self._from(len(self.blocks), self.least)

    def _from(self, n: int, start: int) -> Iterator[int]:
        if n == 0:
            yield start
            return
        for b in self.blocks[n - 1].numbers():
            yield from self._from(n - 1, start + b)


@dataclass(frozen=True)
class Flips:
    """The values of a linear layout: the constant xor any sum of bases."""

    constant: int
    bases: Sequence[int]

    @cached_property
    def _rows(self) -> list[int]:
        """The reduced bases, increasing; the top bit of each occurs in no other."""
        rows: list[int] = []
        for row in sorted(pivot for pivot, _ in echelon(self.bases).pivots.values()):
            for lower in rows:
                row = min(row, row ^ lower)
            rows.append(row)
        return rows

    @property
    def count(self) -> int:
        """Two to the number of independent bases."""
        return 1 << len(self._rows)

    @cached_property
    def least(self) -> int:
        """The element in which the top bit of every row is 0."""
        found = self.constant
        for row in self._rows:
            found = min(found, found ^ row)
        return found

    @property
    def greatest(self) -> int:
        """The element in which the top bit of every row is 1."""
        found = self.least
        for row in self._rows:
            found ^= row
        return found

    def missing(self) -> int:
        """A run is one block of the free low bits, or two, if one row flips all bits that the next number changes."""
        free = 0
        while free < len(self._rows) and self._rows[free] == 1 << free:
            free += 1
        if free == len(self._rows):
            return self.least + (1 << free)
        start = (self.least >> free) + 1
        return start + (start << free in self) << free

    def __contains__(self, value: int) -> bool:
        if value < 0:
            return False
        rest = value ^ self.least
        for row in reversed(self._rows):
            rest = min(rest, rest ^ row)
        return rest == 0

    def __iter__(self) -> Iterator[int]:
        return (self.least ^ value_of(self._rows, x) for x in range(self.count))


_WALKED = 1 << 16


def swizzled(swizzle: XorShift, inner: Sums) -> Moved | None:
    """The values of a swizzle applied to these sums; None if finding the ends would take too many steps."""
    low, end, period = inner.least, inner.greatest + 1, 1 << swizzle.width()
    first, last = -(-low // period) * period, end // period * period
    walked = period if inner.missing() < end or first >= last else min(period, first - low + end - last)
    return Moved(swizzle, inner) if walked <= _WALKED else None


@dataclass(frozen=True)
class Moved:
    """The image of sums under a swizzle, which permutes each interval of its size."""

    swizzle: XorShift
    inner: Sums

    @cached_property
    def size(self) -> int:
        """The length of these intervals."""
        return 1 << self.swizzle.width()

    @property
    def count(self) -> int:
        """The same number as before, since swizzles are injective."""
        return self.inner.count

    @cached_property
    def least(self) -> int:
        """The least value of the first interval."""
        return self._interval(self.inner.least // self.size)[0]

    @cached_property
    def greatest(self) -> int:
        """The greatest value of the last interval."""
        return self._interval(self.inner.greatest // self.size)[-1]

    def _interval(self, number: int) -> Sequence[int]:
        """The values in an interval, sorted."""
        low, high = max(number * self.size, self.inner.least), min((number + 1) * self.size, self.inner.greatest + 1)
        if self.inner.missing() >= high and high - low == self.size:
            return range(low, high)
        return sorted([self.swizzle.of_value(PLAIN, v) for v in range(low, high) if v in self.inner])

    def missing(self) -> int:
        """The least number above `least` that is not an element; skips full intervals."""
        number, start, walked = self.least // self.size, self.least, 0
        while walked <= _WALKED:
            values = self._interval(number)
            if not isinstance(values, range):
                found = next((x for x, y in enumerate(values, start) if x != y), start + len(values))
                if found < (number + 1) * self.size:
                    return found
                walked += len(values)
            number = max(number + 1, self.inner.missing() // self.size)
            start = number * self.size
        raise Undecided(f"the {walked} values from {self.least} on have no gap; the first gap was not reached")

    def __contains__(self, value: int) -> bool:
        return value >= 0 and self.swizzle.of_value(PLAIN, value) in self.inner

    def __iter__(self) -> Iterator[int]:
        first, last = (v // self.size for v in (self.least, self.greatest))
        return in_a_row.from_iterable(map(self._interval, range(first, last + 1)))
