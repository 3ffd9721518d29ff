"""Definitions that several of the files here use, word by word from the documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import TypeAlias

from oracle.cute_brute import Modes

from symview import View
from symview.cute import Layout
from symview.logic.points import by_size

Index: TypeAlias = tuple[int, ...]
Claims: TypeAlias = Iterator[tuple[str, str]]  # statements, each with its assumptions


def indices(shape: Sequence[int]) -> list[Index]:
    """The indices of a shape in row-major order."""
    return list(product(*map(range, shape)))


def unit(axis: int, rank: int) -> Index:
    """The index e_axis."""
    return tuple(int(j == axis) for j in range(rank))


def natural(rank: int, most: int | None = None) -> Iterator[Index]:
    """Tuples of numbers from 0 on, by their sum, then lexicographically."""
    return by_size([(0, most)] * rank)


def shapes(size: int, least: int = 2) -> list[Index]:
    """All shapes of that size with entries from `least` >= 2 on, by rank."""
    if size == 1:
        return [()]
    first = [n for n in range(least, size + 1) if size % n == 0]
    return sorted(((n, *rest) for n in first for rest in shapes(size // n, least)), key=lambda s: (len(s), s))


def with_ones(size: int, rank: int) -> list[Index]:
    """All shapes of that size and rank, sizes of 1 included."""
    return [s for s in product(range(1, size + 1), repeat=rank) if prod(s) == size]


def order(view: View) -> list[int | None]:
    """The reshape order: the addresses in row-major order; None where a mask hides the element."""
    return [view.at(i) for i in indices(view.shape)]


def listed_by(addresses: Sequence[int | None], shape: Sequence[int]) -> bool:
    """Whether some strides, offset and mask for the shape list these addresses: the definition, by trying."""
    found = {i: a for i, a in zip(indices(shape), addresses, strict=True) if a is not None}
    if not found:
        return True
    low, high = (tuple(map(pick, zip(*found, strict=True))) for pick in (min, max))
    if len(found) != prod(b - a + 1 for a, b in zip(low, high, strict=True)):
        return False
    steps = [found.get((*low[:n], low[n] + 1, *low[n + 1 :]), found[low]) - found[low] for n in range(len(shape))]
    return all(
        a == found[low] + sum((n - m) * t for n, m, t in zip(i, low, steps, strict=True)) for i, a in found.items()
    )


def flat(modes: Modes) -> Layout:
    """The layout of these modes."""
    return Layout(tuple(n for n, _ in modes), tuple(d for _, d in modes))
