"""The address that an inner view computes, as an affine map on a box."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from operator import add
from typing import NamedTuple

from symview.errors import OutOfBounds

Index = tuple[int, ...]


class IndexMap(NamedTuple):
    """x(i) = start + Σ i_j·steps_j on the box 0 <= i_j < sizes_j."""

    sizes: tuple[int, ...]
    steps: tuple[int, ...]
    start: int

    def at(self, index: Sequence[int]) -> int:
        """The address x(index)."""
        return self.start + sum(i * t for i, t in zip(index, self.steps, strict=True))

    def reach(self) -> tuple[int, int]:
        """The least and the greatest address on a non-empty box."""
        return extremes(self.start, self.steps, self.sizes)

    def leaves(self, size: int) -> tuple[Index, int] | None:
        """A corner outside 0..size−1 and its address; None where the box stays inside."""
        if 0 in self.sizes:
            return None
        low, high = self.reach()
        if low >= 0 and high < size:
            return None
        below = low < 0
        corner = [(n - 1) * ((t < 0) == below and t != 0) for n, t in zip(self.sizes, self.steps, strict=True)]
        return tuple(corner), low if below else high

    def check_inside(self, size: int, lows: Sequence[int] = ()) -> None:
        """Raises OutOfBounds, with an index that shows it, unless 0 <= x < size; the box begins at `lows`."""
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


def extremes(start: int, steps: Sequence[int], sizes: Sequence[int]) -> tuple[int, int]:
    """The least and the greatest value of start + Σ i_j·steps_j on a non-empty box."""
    low = high = start
    for size, step in zip(sizes, steps, strict=True):
        if step > 0:
            high += (size - 1) * step
        else:
            low += (size - 1) * step
    return low, high


def index_text(index: Sequence[int]) -> str:
    """An index, a shape or digits as the answers print them.

    >>> index_text((3,))
    '(3)'
    """
    return f"({','.join(map(str, index))})"


def by_sum(sizes: Sequence[int], first: int = 0) -> Iterator[Index]:
    """The indices of a box from sum `first` on, by their sum, then lexicographically.

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
