"""The values behind swizzles, which permute intervals: those of the layout behind, each interval for itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain as in_a_row

from symview.cute.analysis.sets import Listed, Sums, Values
from symview.engine.map import PLAIN, XorShift
from symview.errors import Undecided

_WALKED = 1 << 16


def behind(swizzle: XorShift, inner: Sums) -> Values | None:
    """The values of a swizzle in front of these; None where it moves far bits."""
    low, end, period = inner.least, inner.greatest + 1, 1 << swizzle.width()
    first, last = -(-low // period) * period, end // period * period
    if inner.missing() < end or first >= last or first - low + end - last > _WALKED:
        return Moved(swizzle, inner) if period <= _WALKED else None
    ends = [sorted(swizzle.of_value(PLAIN, v) for v in part) for part in (range(low, first), range(last, end))]
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


@dataclass(frozen=True)
class Moved:
    """What a swizzle makes of sums, some of an interval missing; it keeps to intervals of its size."""

    swizzle: XorShift
    inner: Sums

    @cached_property
    def size(self) -> int:
        """The length of these intervals."""
        return 1 << self.swizzle.width()

    @property
    def count(self) -> int:
        """As many as there were: a swizzle keeps different values different."""
        return self.inner.count

    @cached_property
    def least(self) -> int:
        """The least of the first interval."""
        return self._interval(self.inner.least // self.size)[0]

    @cached_property
    def greatest(self) -> int:
        """The greatest of the last interval."""
        return self._interval(self.inner.greatest // self.size)[-1]

    def _interval(self, number: int) -> list[int]:
        """The values in an interval, rising."""
        return [v for v in range(number * self.size, (number + 1) * self.size) if v in self]

    def missing(self) -> int:
        """The first number above the least that is none of them."""
        for found in range(self.least, self.least + _WALKED):
            if found not in self:
                return found
        raise Undecided(f"the {_WALKED} values from {self.least} on have no gap; what is missing was not reached")

    def __contains__(self, value: int) -> bool:
        return value >= 0 and self.swizzle.of_value(PLAIN, value) in self.inner

    def __iter__(self) -> Iterator[int]:
        first, last = (v // self.size for v in (self.least, self.greatest))
        return in_a_row.from_iterable(map(self._interval, range(first, last + 1)))
