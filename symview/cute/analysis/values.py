"""The set of values of a layout: how many, which, and the first that is missing."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain as in_a_row
from itertools import islice
from math import gcd, prod
from typing import NamedTuple, Protocol

from symview.cute.analysis.given import Given
from symview.cute.linear.bases import echelon, set_bits, value_of
from symview.cute.linear.layout import LinearLayout
from symview.cute.swizzled.chain import Chain
from symview.errors import Undecided
from symview.logic.budget import Budget

_WALKED = 1 << 16
_BITS = 1 << 24


class Values(Protocol):
    """A set of numbers, never empty."""

    @property
    def count(self) -> int:
        """How many there are."""
        ...

    @property
    def least(self) -> int:
        """The least of them."""
        ...

    @property
    def greatest(self) -> int:
        """The greatest of them."""
        ...

    def missing(self) -> int:
        """The first number above the least that is none of them."""
        ...

    def __contains__(self, value: int) -> bool: ...

    def __iter__(self) -> Iterator[int]: ...


@dataclass(frozen=True)
class Listed:
    """Numbers in a row, rising."""

    numbers: tuple[int, ...]

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.numbers)

    @property
    def least(self) -> int:
        """The first."""
        return self.numbers[0]

    @property
    def greatest(self) -> int:
        """The last."""
        return self.numbers[-1]

    def missing(self) -> int:
        """The first number above the least that is none of them."""
        counted = zip(range(self.least, self.greatest), self.numbers, strict=False)
        return next((x for x, y in counted if x != y), self.greatest + 1)

    def __contains__(self, value: int) -> bool:
        at = bisect_left(self.numbers, value)
        return at < len(self.numbers) and self.numbers[at] == value

    def __iter__(self) -> Iterator[int]:
        return iter(self.numbers)


class Block(NamedTuple):
    """Multiples of a unit: below `length` of them, all, or those at the bits of a number, of which the last is one."""

    unit: int
    length: int
    bits: int | None = None

    def many(self) -> int:
        """How many there are."""
        return self.length if self.bits is None else self.bits.bit_count()

    def full(self) -> int:
        """How many there are from 0 on without a gap."""
        return self.length if self.bits is None else (~self.bits & self.bits + 1).bit_length() - 1

    def has(self, multiple: int) -> bool:
        """Whether that multiple of the unit is one."""
        return 0 <= multiple < self.length and (self.bits is None or self.bits >> multiple & 1 == 1)

    def numbers(self) -> Iterator[int]:
        """All of them."""
        found = range(self.length) if self.bits is None else set_bits(self.bits)
        return (self.unit * n for n in found)


@dataclass(frozen=True)
class Sums:
    """A least value, and what blocks add to it: each unit is beyond all sums of the blocks before."""

    least: int
    blocks: tuple[Block, ...] = ()

    @property
    def count(self) -> int:
        """How many there are: sums of different parts differ."""
        return prod([block.many() for block in self.blocks])

    @property
    def greatest(self) -> int:
        """The sum of the greatest."""
        return self.least + sum(block.unit * (block.length - 1) for block in self.blocks)

    def missing(self) -> int:
        """Up to where the blocks fill everything."""
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
    """constant ⊕ sums modulo 2 of bases: the values of a linear layout."""

    linear: LinearLayout

    @cached_property
    def _rows(self) -> list[int]:
        """Bases, each with a top bit that no other has, rising."""
        rows: list[int] = []
        for row in sorted(pivot for pivot, _ in echelon(self.linear.columns).pivots.values()):
            for lower in rows:
                row = min(row, row ^ lower)
            rows.append(row)
        return rows

    @property
    def count(self) -> int:
        """Two for each base."""
        return 1 << len(self._rows)

    @cached_property
    def least(self) -> int:
        """All top bits that can be are 0."""
        found = self.linear.constant
        for row in self._rows:
            found = min(found, found ^ row)
        return found

    @property
    def greatest(self) -> int:
        """All top bits that can be are 1."""
        found = self.least
        for row in self._rows:
            found ^= row
        return found

    def missing(self) -> int:
        """A run is one block of the low bits that are free, or two: one flip changes all bits of a carry."""
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


def values_of(asked: Given, budget: Budget) -> Values:
    """The set of values; exact. Raises Undecided where it is too large to be told so."""
    if asked.chain is not None and not asked.chain.fronts:
        return sums(asked.chain.layout.flat(), budget)
    linear = asked.linear()
    if linear is not None:
        return Flips(linear)
    if asked.chain is not None:
        dense = _dense(asked.chain, budget)
        if dense is not None:
            return dense
    if asked.size <= min(_WALKED, budget.points):
        budget.spend(asked.size)
        return Listed(tuple(sorted({asked.at(i) for i in range(asked.size)})))
    raise Undecided(f"the values of {asked.layout}: {asked.size} are too many to be listed")


def sums(modes: Sequence[tuple[int, int]], budget: Budget) -> Sums:
    """The values of a strided layout, in blocks of strides that lie together.

    >>> from symview.logic.budget import DEFAULT
    >>> found = sums([(4, 3), (2, 2), (1 << 40, 100)], DEFAULT)
    >>> found.count // (1 << 40), found.missing(), list(islice(found, 5)), 100 * 10**9 + 7 in found
    (8, 1, [0, 2, 3, 5, 6], False)
    """
    low = sum((n - 1) * d for n, d in modes if d < 0)
    steps = sorted((abs(d), n) for n, d in modes if d and n > 1)
    blocks = []
    while steps:
        unit = gcd(*[d for d, _ in steps])
        cut, reach = 1, steps[0][0] * (steps[0][1] - 1)
        while cut < len(steps) and reach >= gcd(*[d for d, _ in steps[cut:]]):
            reach += steps[cut][0] * (steps[cut][1] - 1)
            cut += 1
        blocks.append(_block(unit, [(d // unit, n) for d, n in steps[:cut]], budget))
        steps = steps[cut:]
    return Sums(low, tuple(blocks))


def _block(unit: int, steps: Sequence[tuple[int, int]], budget: Budget) -> Block:
    """The sums of modes by rising stride: without a gap as long as each stride is within what is reached."""
    length = 1
    bits: int | None = None
    for d, n in steps:
        if bits is None and d > length:
            _need_short(length, budget)
            bits = (1 << length) - 1
        length += d * (n - 1)
        if bits is not None:
            _need_short(length, budget)
            done = 1
            while done < n:
                more = min(done, n - done)
                bits |= bits << more * d
                done += more
    return Block(unit, length, bits)


def _need_short(length: int, budget: Budget) -> None:
    if length > _BITS:
        raise Undecided(f"modes whose strides overlap reach {length} values: too far to be listed")
    budget.spend(length // 64 + 1)


def _dense(chain: Chain, budget: Budget) -> Values | None:
    """Where the values behind one swizzle are an interval: whole blocks of it stay, only its ends move."""
    period = chain.period()
    inner = sums(chain.layout.flat(), budget)
    if period is None or len(chain.fronts) > 1 or inner.missing() <= inner.greatest:
        return None
    offset = chain.fronts[0][1]
    low, end = inner.least + offset, inner.greatest + offset + 1
    first, last = -(-low // period) * period, end // period * period
    if first >= last or first - low + end - last > _WALKED:
        return None
    ends = [sorted(chain.front(y - offset) for y in part) for part in (range(low, first), range(last, end))]
    return Ends(tuple(ends[0]), first, last, tuple(ends[1]))


@dataclass(frozen=True)
class Ends:
    """Numbers, then all from `first` on below `last`, then numbers; rising."""

    left: tuple[int, ...]
    first: int
    last: int
    right: tuple[int, ...]

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.left) + self.last - self.first + len(self.right)

    @property
    def least(self) -> int:
        """The least of them."""
        return self.left[0] if self.left else self.first

    @property
    def greatest(self) -> int:
        """The greatest of them."""
        return self.right[-1] if self.right else self.last - 1

    def missing(self) -> int:
        """The first number above the least that is none of them."""
        left = Listed((*self.left, self.first)).missing()
        return left if left <= self.first else Listed((self.last - 1, *self.right)).missing()

    def __contains__(self, value: int) -> bool:
        return self.first <= value < self.last or value in (self.right if value >= self.last else self.left)

    def __iter__(self) -> Iterator[int]:
        return in_a_row(self.left, range(self.first, self.last), self.right)


def shown(values: Values, most: int = 20) -> str:
    """The first values, and how many there are."""
    some = [str(v) for v in islice(values, most)]
    return ", ".join([*some, *["…"] * (values.count > most)])
