"""Functions of an index: strided, and affine ones over bits; their normal form on a block of 2^q indices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Any, Protocol

from symview.cute.linear.bases import value_of
from symview.cute.linear.layout import LinearLayout
from symview.cute.linear.parities import ParityForm
from symview.logic.bits import Bits


class Reading(Protocol):
    """A function of an index in [0, size)."""

    @property
    def size(self) -> int:
        """How many indices there are."""
        ...

    def at(self, x: int) -> Any:
        """The value at an index."""
        ...

    def form(self, x: int, q: int) -> ParityForm | None:
        """T ↦ the value at x + t for t in [0, 2^q), where that is known to have a normal form; with q = 0 it has."""
        ...

    def on_bits(self, bits: Bits, x: Any) -> Any:
        """The value at an index, on integers or bit-vectors."""
        ...

    def bound(self) -> int:
        """No value, and nothing on the way to it, is above this in size."""
        ...


@dataclass(frozen=True, slots=True)
class Strided:
    """offset + Σ digit·stride, the first mode fastest; the last goes on beyond its size."""

    modes: tuple[tuple[int, Any], ...]
    offset: Any = 0

    @property
    def size(self) -> int:
        """How many indices there are."""
        return prod(n for n, _ in self.modes)

    def at(self, x: int) -> Any:
        """The value at an index."""
        value = self.offset
        for n, d in self.modes[:-1]:
            value += x % n * d
            x //= n
        return value + x * self.modes[-1][1] if self.modes else value

    def form(self, x: int, q: int) -> ParityForm | None:
        """The normal form on a block, where it has one."""
        steps: list[Any] = []
        offset, last = self.at(x), len(self.modes) - 1
        for j, (n, d) in enumerate(self.modes):
            digit, left = x % n, q - len(steps)
            if j == last or digit + (1 << left) <= n:
                steps += [d * (1 << i) for i in range(left)]
                break
            if digit or n & (n - 1):
                return None
            steps += [d * (1 << i) for i in range(n.bit_length() - 1)]
            x //= n
        return ParityForm.strided(offset, steps)

    def on_bits(self, bits: Bits, x: Any) -> Any:
        """The value at an index, on integers or bit-vectors."""
        total: Any = self.offset
        for n, d in self.modes[:-1]:
            total = total + bits.remainder(x, n) * d
            x = bits.divide(x, n)
        return total + x * self.modes[-1][1] if self.modes else x * 0 + total

    def bound(self) -> int:
        """No value, and nothing on the way to it, is above this in size."""
        return int(abs(self.offset) + sum(self.size * abs(d) for _, d in self.modes))

    def least(self) -> Any:
        """The smallest value."""
        return self.offset + sum((n - 1) * min(d, 0) for n, d in self.modes)


@dataclass(frozen=True, slots=True)
class Affine:
    """x ↦ the constant xored with the columns at the bits of start + x, for x below the size."""

    constant: int
    columns: tuple[int, ...]
    size: int
    start: int = 0

    @staticmethod
    def of(layout: LinearLayout) -> Affine:
        """The linear layout, read by its index."""
        return Affine(layout.constant, layout.columns, layout.size())

    def at(self, x: int) -> int:
        """The value at an index."""
        return self.constant ^ value_of(self.columns, self.start + x)

    def form(self, x: int, q: int) -> ParityForm | None:
        """The normal form on a block, where it has one."""
        if (self.start + x) % (1 << q):
            return None
        return ParityForm.affine(self.at(x), self.columns[:q])

    def on_bits(self, bits: Bits, x: Any) -> Any:
        """The value at an index, on integers or bit-vectors."""
        x = x + self.start
        total = x * 0 + self.constant
        for i, column in enumerate(self.columns):
            total = total ^ ((bits.shifted(x, i) & 1) * column)
        return total

    def bound(self) -> int:
        """No value, and nothing on the way to it, is above this in size."""
        return max(1 << max(x.bit_length() for x in (self.constant, *self.columns)), self.start + self.size)


@dataclass(frozen=True, slots=True)
class Cut:
    """A reading of the indices below a size."""

    whole: Reading
    size: int

    def at(self, x: int) -> Any:
        """The value."""
        return self.whole.at(x)

    def form(self, x: int, q: int) -> Any:
        """The normal form on a block."""
        return self.whole.form(x, q)

    def on_bits(self, bits: Bits, x: Any) -> Any:
        """The value, on integers or bit-vectors."""
        return self.whole.on_bits(bits, x)

    def bound(self) -> int:
        """A bound of the values."""
        return self.whole.bound()


def blocks(origin: int, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """[begin, end) in blocks [x, x + 2^q), each with origin + x a multiple of 2^q: at most two of each q.

    >>> list(blocks(0, 0, 6)), list(blocks(3, 0, 6))
    ([(0, 2), (4, 1)], [(0, 0), (1, 2), (5, 0)])
    """
    x = begin
    while x < end:
        place = origin + x
        q = (end - x).bit_length() - 1
        if place:
            q = min(q, (place & -place).bit_length() - 1)
        yield x, q
        x += 1 << q
