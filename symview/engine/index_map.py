"""Affine forms, and the affine address map of an inner view on a box."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product, zip_longest
from operator import add, mul
from typing import NamedTuple

from symview.errors import OutOfBounds

Index = tuple[int, ...]
Range = tuple[int | None, int | None]  # bounds, None where there is none


class IndexMap(NamedTuple):
    """x(i) = start + Σ i_j·steps_j on the box 0 <= i_j < sizes_j."""

    sizes: tuple[int, ...]
    steps: tuple[int, ...]
    start: int

    def at(self, index: Sequence[int]) -> int:
        """The address x(index)."""
        address: int = sum(map(mul, index, self.steps), self.start)
        return address

    def reach(self) -> tuple[int, int]:
        """The least and the greatest address on a nonempty box."""
        return extremes(self.start, self.steps, self.sizes)

    def leaves(self, size: int) -> tuple[Index, int] | None:
        """A corner outside 0..size−1 and its address, or None if the box stays inside."""
        if 0 in self.sizes:
            return None
        low, high = self.reach()
        if low >= 0 and high < size:
            return None
        below = low < 0
        corner = [(n - 1) * ((t < 0) == below and t != 0) for n, t in zip(self.sizes, self.steps, strict=True)]
        return tuple(corner), low if below else high

    def check_inside(self, size: int, lows: Sequence[int] = ()) -> None:
        """Raises OutOfBounds, with an index that proves it, unless 0 <= x < size; the box starts at `lows`."""
        found = self.leaves(size)
        if found is None:
            return
        index = tuple(map(add, found[0], lows)) if lows else found[0]
        places = f"outside 0..{size - 1}, the {size} places of the outer shape" if size else "in an empty outer view"
        raise OutOfBounds(
            f"the inner view reaches address {found[1]} at index {index_text(index)}, {places}: "
            "shrink the inner view, or change its offset",
            index,
            found[1],
        )

    def indices(self) -> Iterator[Index]:
        """Every index of the box, in row-major order."""
        return product(*map(range, self.sizes))


class Affine(NamedTuple):
    """weights·v + constant for variables v; missing weights are 0.

    >>> Affine((1, 0), 2).plus(Affine((1, 1), 0), 3)
    Affine(weights=(4, 3), constant=2)
    """

    weights: tuple[int, ...]
    constant: int

    def at(self, point: Sequence[int]) -> int:
        """The value at a point."""
        return self.constant + int(sum(map(mul, self.weights, point)))

    def is_number(self) -> bool:
        """Whether the form is constant."""
        return not any(self.weights)

    def plus(self, other: Affine, times: int = 1) -> Affine:
        """Adds a multiple of another form."""
        weights = [a + times * b for a, b in zip_longest(self.weights, other.weights, fillvalue=0)]
        return Affine(tuple(weights), self.constant + times * other.constant)

    def row(self, width: int) -> tuple[int, ...]:
        """The form as a row of a system with that many variables."""
        return (*self.weights, *(0,) * (width - len(self.weights)), self.constant)

    def shifted(self, by: int) -> Affine:
        """The form plus a constant."""
        return Affine(self.weights, self.constant + by)

    def negative(self) -> Affine:
        """The form that is nonnegative iff this one is negative."""
        return Affine(tuple([-w for w in self.weights]), -self.constant - 1)

    def nonzero(self) -> tuple[tuple[Affine], tuple[Affine]]:
        """Two branches: this form is not 0 iff the form of one branch is nonnegative."""
        return (self.shifted(-1),), (self.negative(),)

    def least(self, ranges: Sequence[Range]) -> int | None:
        """The least value for unknowns in these ranges; None if there is no bound."""
        found = self.constant
        for weight, (low, high) in zip(self.weights, ranges, strict=True):
            bound = low if weight > 0 else high
            if weight:
                if bound is None:
                    return None
                found += weight * bound
        return found

    def most(self, ranges: Sequence[Range]) -> int | None:
        """The greatest value for unknowns in these ranges; None if there is no bound."""
        found = Affine(tuple([-w for w in self.weights]), -self.constant).least(ranges)
        return None if found is None else -found

    def is_implied(self, ranges: Sequence[Range], by: Affine | None = None) -> bool:
        """Whether the ranges imply that the form is nonnegative, or at least as large as `by`."""
        least = (self if by is None else self.plus(by, -1)).least(ranges)
        return least is not None and least >= 0


def extremes(start: int, steps: Sequence[int], sizes: Sequence[int]) -> tuple[int, int]:
    """The least and the greatest value of start + Σ i_j·steps_j on a nonempty box."""
    low = high = start
    for size, step in zip(sizes, steps, strict=True):
        if step > 0:
            high += (size - 1) * step
        else:
            low += (size - 1) * step
    return low, high


def index_text(index: Sequence[int]) -> str:
    """An index, a shape or digits as text.

    >>> index_text((3,))
    '(3)'
    """
    return f"({','.join(map(str, index))})"


def by_sum(sizes: Sequence[int], first: int = 0) -> Iterator[Index]:
    """The indices of a box whose sum is at least `first`, sorted by sum, then lexicographically.

    >>> list(by_sum((2, 3)))
    [(0, 0), (0, 1), (1, 0), (0, 2), (1, 1), (1, 2)]
    """
    if 0 in sizes:
        return
    room = [0]
    for size in reversed(sizes):
        room.append(room[-1] + size - 1)
    room.reverse()
    for total in range(first, room[0] + 1):
        yield from _layer(sizes, room, total, 0)


def _layer(sizes: Sequence[int], room: Sequence[int], total: int, axis: int) -> Iterator[Index]:
    if axis == len(sizes):
        yield ()
        return
    for here in range(max(0, total - room[axis + 1]), min(sizes[axis] - 1, total) + 1):
        for rest in _layer(sizes, room, total - here, axis + 1):
            yield (here, *rest)
