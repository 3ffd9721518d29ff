"""The inputs of sweeps: all small views and layouts, each with a number, or random ones from a seed and a number."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, product
from math import prod
from random import Random
from typing import Any, NamedTuple, TypeAlias

Ints: TypeAlias = tuple[int, ...]

MOST_LISTED = {"views": 16, "layouts": 32}  # the bounds up to which all inputs are listed, half a million each


class Strided(NamedTuple):
    """A shape, strides and an offset, of a view or, flat, of a layout."""

    shape: Ints
    strides: Ints
    offset: int = 0

    def weight(self) -> int:
        """Its size, for finding the smallest one."""
        return prod(self.shape) + len(self.shape) + sum(map(abs, self.strides)) + self.offset

    def ends(self) -> tuple[int, int]:
        """The least and the greatest address that it reaches."""
        steps = [(n - 1) * t for n, t in zip(self.shape, self.strides, strict=True)]
        return self.offset + sum(min(0, s) for s in steps), self.offset + sum(max(0, s) for s in steps)


Pair: TypeAlias = tuple[Strided, Strided]


def is_inside(outer: Strided, inner: Strided) -> bool:
    """Whether every address of the inner view is an index of the outer one."""
    low, high = inner.ends()
    return low >= 0 and high < prod(outer.shape)


class Products:
    """Groups of tuples: a tuple has one entry of each sequence of its group; the last one varies fastest."""

    def __init__(self, groups: Sequence[Sequence[Sequence[Any]]]) -> None:
        self._groups = groups
        self._ends = list(accumulate((prod(map(len, group)) for group in groups), initial=0))

    @property
    def count(self) -> int:
        """The number of tuples."""
        return self._ends[-1]

    def at(self, n: int) -> tuple[Any, ...]:
        """The tuple with that number, counted from 0."""
        group = bisect_right(self._ends, n) - 1
        left, found = n - self._ends[group], []
        for choices in reversed(self._groups[group]):
            left, choice = divmod(left, len(choices))
            found.append(choices[choice])
        return tuple(reversed(found))


@dataclass(frozen=True)
class Drawn:
    """Random pairs; each has its own generator, so that a number always means the same pair."""

    kind: str
    count: int
    bound: int
    seed: int

    def at(self, n: int) -> Pair:
        """The pair with that number."""
        rng = Random(f"{self.kind} {self.seed} {n}")
        return _view_pair(rng, self.bound) if self.kind == "views" else _layout_pair(rng, self.bound)


@lru_cache(maxsize=4)
def view_pairs(bound: int) -> Products:
    """All pairs of views: up to three dims and `bound` elements each, outer strides up to half the bound either way,
    inner strides and offsets that stay inside.
    """
    outers: dict[int, list[Strided]] = {}
    reach = range(-(bound // 2), bound // 2 + 1)
    for shape in shapes(bound, 3):
        for strides in product(reach, repeat=len(shape)):
            outers.setdefault(prod(shape), []).append(Strided(shape, strides))
    return Products([(found, [*_inside(bound, size)]) for size, found in sorted(outers.items())])


def _inside(bound: int, room: int) -> Iterator[Strided]:
    """The views of up to two dims that stay inside this many places."""
    for shape in shapes(bound, 2):
        for strides in product(range(1 - room, room), repeat=len(shape)):
            low, high = Strided(shape, strides).ends()
            yield from (Strided(shape, strides, offset) for offset in range(-low, room - high))


@lru_cache(maxsize=4)
def layout_pairs(bound: int) -> Products:
    """All pairs A, B of flat layouts: up to three and two modes, `bound` elements, strides up to the bound."""
    first = [Strided(s, d) for s in shapes(bound, 3) for d in product(range(bound // 2 + 1), repeat=len(s))]
    second = [Strided(s, d) for s in shapes(bound, 2) for d in product(range(bound + 1), repeat=len(s))]
    return Products([(first, second)])


def points(ranks: Sequence[int], bound: int) -> Products:
    """The number of a formula, then integers from -bound to bound for its names; `ranks` counts the names of each.

    >>> points([0, 1], 2).at(1)
    (1, -2)
    """
    return Products([([n], *[range(-bound, bound + 1)] * rank) for n, rank in enumerate(ranks)])


def shapes(bound: int, rank: int) -> Iterator[Ints]:
    """The shapes of at most `rank` dims and `bound` elements, by their sizes.

    >>> list(shapes(2, 2))
    [(), (1,), (2,), (1, 1), (1, 2), (2, 1)]
    """
    for k in range(rank + 1):
        yield from (s for s in product(range(1, bound + 1), repeat=k) if prod(s) <= bound)


def _view_pair(rng: Random, bound: int) -> Pair:
    outer = _shape(rng, bound, 4)
    room = prod(outer)
    while True:
        shape = _shape(rng, bound, 3)
        strides = tuple([rng.randint(1 - room, room - 1) // rng.choice((1, 1, 2, 4)) for _ in shape])
        low, high = Strided(shape, strides).ends()
        if high - low < room:
            steps = tuple([rng.choice((rng.randint(-9, 9), p)) for p in places(outer)])
            return Strided(outer, steps), Strided(shape, strides, rng.randint(-low, room - 1 - high))


def _layout_pair(rng: Random, bound: int) -> Pair:
    first, second = _shape(rng, bound, 4), _shape(rng, bound, 3)
    steps = tuple([rng.choice((rng.randint(0, 9), p)) for p in places(first[::-1])[::-1]])
    return Strided(first, steps), Strided(second, tuple([rng.randint(0, bound) for _ in second]))


def _shape(rng: Random, bound: int, rank: int) -> Ints:
    while True:
        shape = tuple([rng.randint(1, rng.choice((2, 3, 4, bound))) for _ in range(rng.randint(0, rank))])
        if prod(shape) <= bound * 4:
            return shape


def places(shape: Ints) -> Ints:
    """The place values of the dims: the strides of a contiguous view."""
    return tuple([prod(shape[n + 1 :]) for n in range(len(shape))])


# Smaller ones


def smaller(pair: Pair, inside: bool = True) -> Iterator[Pair]:
    """Yields pairs that are smaller by a dim, a size or a stride nearer to 0; the largest steps come first.

    `inside`: only those whose second one stays in the first.

    >>> pair = Strided((2,), (1,)), Strided((2,), (1,))
    >>> [b.shape for a, b in smaller(pair)][:2]
    [(), (1,)]
    >>> list(smaller((Strided((2,), (0,)), Strided((2,), (-1,), 1))))[-1]
    (Strided(shape=(2,), strides=(0,), offset=0), Strided(shape=(2,), strides=(0,), offset=1))
    """
    outer, inner = pair
    pairs = [(outer, found) for found in _smaller(inner)] + [(found, inner) for found in _smaller(outer)]
    yield from (p for p in pairs if not inside or is_inside(*p))


def _smaller(v: Strided) -> Iterator[Strided]:
    for n, (size, stride) in enumerate(zip(v.shape, v.strides, strict=True)):
        yield Strided(v.shape[:n] + v.shape[n + 1 :], v.strides[:n] + v.strides[n + 1 :], v.offset)
        for less in {1, size // 2, size - 1} - {0, size}:
            yield v._replace(shape=(*v.shape[:n], less, *v.shape[n + 1 :]))
        for near in {0, stride // 2, stride - (stride > 0) + (stride < 0)} - {stride}:
            if abs(near) < abs(stride):
                yield v._replace(strides=(*v.strides[:n], near, *v.strides[n + 1 :]))
    if v.offset:
        yield v._replace(offset=v.offset - 1)
