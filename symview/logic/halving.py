"""The least value that a search can reach, by halving: behind first indices on bits, and behind isl's least points."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def least(known: T, value: Callable[[T], int], found_at_most: Callable[[int], T | None]) -> T:
    """What has the least value from 0 on, given something known and a search for something of at most some value.

    >>> squares = [k * k for k in range(10)]
    >>> least(81, lambda x: x, lambda most: next((x for x in reversed(squares) if 30 < x <= most), None))
    36
    """
    low, best = 0, known
    while low < value(best):
        middle = (low + value(best)) // 2
        found = found_at_most(middle)
        if found is None:
            low = middle + 1
        else:
            best = found
    return best
