"""The values behind swizzles, which permute intervals: those of the layout behind, each interval for itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain as in_a_row

from symview.cute.analysis.sets import Listed, Sums, Values
from symview.cute.swizzle import Swizzle
from symview.cute.swizzled.chain import Chain
from symview.errors import Undecided

_WALKED = 1 << 16


def behind(chain: Chain, inner: Sums) -> Values | None:
    """The values of one swizzle in front of an offset and these; None where it is another chain, or moves far bits."""
    if len(chain.fronts) != 1 or not isinstance(chain.fronts[0][0], Swizzle):
        return None
    swizzle, offset = chain.fronts[0]
    if inner.missing() <= inner.greatest:
        return Moved(swizzle, offset, inner) if swizzle.size() <= _WALKED else None
    low, end, period = inner.least + offset, inner.greatest + offset + 1, swizzle.size()
    first, last = -(-low // period) * period, end // period * period
    if first >= last or first - low + end - last > _WALKED:
        return Moved(swizzle, offset, inner) if period <= _WALKED else None
    ends = [sorted(map(swizzle, part)) for part in (range(low, first), range(last, end))]
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
    """What a swizzle makes of an offset plus sums, some of an interval missing; it keeps to intervals of its size."""

    swizzle: Swizzle
    offset: int
    inner: Sums

    @property
    def count(self) -> int:
        """As many as there were: a swizzle keeps different values different."""
        return self.inner.count

    @cached_property
    def least(self) -> int:
        """The least of the first interval."""
        return self._interval((self.inner.least + self.offset) // self.swizzle.size())[0]

    @cached_property
    def greatest(self) -> int:
        """The greatest of the last interval."""
        return self._interval((self.inner.greatest + self.offset) // self.swizzle.size())[-1]

    def _interval(self, number: int) -> list[int]:
        """The values in an interval, rising."""
        start = number * self.swizzle.size()
        return [v for v in range(start, start + self.swizzle.size()) if v in self]

    def missing(self) -> int:
        """The first number above the least that is none of them."""
        for found in range(self.least, self.least + _WALKED):
            if found not in self:
                return found
        raise Undecided(f"the {_WALKED} values from {self.least} on have no gap; what is missing was not reached")

    def __contains__(self, value: int) -> bool:
        return value >= 0 and self.swizzle(value) - self.offset in self.inner

    def __iter__(self) -> Iterator[int]:
        first, last = (v // self.swizzle.size() for v in (self.least, self.greatest))
        return in_a_row.from_iterable(map(self._interval, range(first, last + 1)))
