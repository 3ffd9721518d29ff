"""What sweeps go through: all small views and layouts, each with a number, or random ones from a seed and a number."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, product
from math import prod
from random import Random
from typing import Any, NamedTuple, Protocol, TypeAlias

Ints: TypeAlias = tuple[int, ...]

MOST_VIEWS, MOST_LAYOUTS = 16, 32  # the bounds up to which all are listed, half a million each


class Strided(NamedTuple):
    """A shape, strides and an offset, of a view or, flat, of a layout."""

    shape: Ints
    strides: Ints
    offset: int = 0

    def weight(self) -> int:
        """How large it is, for finding the smallest one."""
        return prod(self.shape) + len(self.shape) + sum(map(abs, self.strides)) + self.offset

    def ends(self) -> tuple[int, int]:
        """The least and the greatest place that it reaches."""
        steps = [(n - 1) * t for n, t in zip(self.shape, self.strides, strict=True)]
        return self.offset + sum(min(0, s) for s in steps), self.offset + sum(max(0, s) for s in steps)


Pair: TypeAlias = tuple[Strided, Strided]


def is_inside(outer: Strided, inner: Strided) -> bool:
    """Whether the inner view reaches only places of the outer one."""
    low, high = inner.ends()
    return low >= 0 and high < prod(outer.shape)


class Space(Protocol):
    """Numbered inputs."""

    @property
    def count(self) -> int:
        """How many there are."""

    def at(self, n: int) -> Any:
        """The one with that number, from 0 on."""


class Grouped:
    """Pairs in groups: any first one of a group with any second one of it."""

    def __init__(self, groups: Sequence[tuple[Sequence[Strided], Sequence[Strided]]]) -> None:
        self._groups = [g for g in groups if g[0] and g[1]]
        self._ends = list(accumulate(len(a) * len(b) for a, b in self._groups))

    @property
    def count(self) -> int:
        """How many pairs there are."""
        return self._ends[-1] if self._ends else 0

    def at(self, n: int) -> Pair:
        """The pair with that number."""
        group = bisect_right(self._ends, n)
        firsts, seconds = self._groups[group]
        i, j = divmod(n - (self._ends[group - 1] if group else 0), len(seconds))
        return firsts[i], seconds[j]


@dataclass(frozen=True)
class Drawn:
    """As many pairs as wanted, each drawn by a generator of its own, so that a number stands for the same one."""

    kind: str
    count: int
    bound: int
    seed: int

    def at(self, n: int) -> Pair:
        """The pair with that number."""
        rng = Random(f"{self.kind} {self.seed} {n}")
        return _view_pair(rng, self.bound) if self.kind == "views" else _layout_pair(rng, self.bound)


@lru_cache(maxsize=4)
def view_pairs(bound: int) -> Grouped:
    """All pairs of views: up to three dims and `bound` elements each, outer strides up to half the bound either way,
    inner ones and offsets that stay inside.
    """
    outers: dict[int, list[Strided]] = {}
    reach = range(-(bound // 2), bound // 2 + 1)
    for shape in shapes(bound, 3):
        for strides in product(reach, repeat=len(shape)):
            outers.setdefault(prod(shape), []).append(Strided(shape, strides))
    return Grouped([(found, [*_inside(bound, size)]) for size, found in sorted(outers.items())])


def _inside(bound: int, room: int) -> Iterator[Strided]:
    """The views of up to two dims that stay inside so many places."""
    for shape in shapes(bound, 2):
        for strides in product(range(1 - room, room), repeat=len(shape)):
            low, high = Strided(shape, strides).ends()
            yield from (Strided(shape, strides, offset) for offset in range(-low, room - high))


@lru_cache(maxsize=4)
def layout_pairs(bound: int) -> Grouped:
    """All pairs A, B of flat layouts: up to three and two modes, `bound` elements, strides up to the bound."""
    first = [Strided(s, d) for s in shapes(bound, 3) for d in product(range(bound // 2 + 1), repeat=len(s))]
    second = [Strided(s, d) for s in shapes(bound, 2) for d in product(range(bound + 1), repeat=len(s))]
    return Grouped([(first, second)])


def shapes(bound: int, rank: int) -> Iterator[Ints]:
    """The shapes of up to so many dims and elements, by their sizes.

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
            steps = tuple([rng.choice((rng.randint(-9, 9), p)) for p in _places(outer)])
            return Strided(outer, steps), Strided(shape, strides, rng.randint(-low, room - 1 - high))


def _layout_pair(rng: Random, bound: int) -> Pair:
    first, second = _shape(rng, bound, 4), _shape(rng, bound, 3)
    steps = tuple([rng.choice((rng.randint(0, 9), p)) for p in _places(first[::-1])[::-1]])
    return Strided(first, steps), Strided(second, tuple([rng.randint(0, bound) for _ in second]))


def _shape(rng: Random, bound: int, rank: int) -> Ints:
    while True:
        shape = tuple([rng.randint(1, rng.choice((2, 3, 4, bound))) for _ in range(rng.randint(0, rank))])
        if prod(shape) <= bound * 4:
            return shape


def _places(shape: Ints) -> Ints:
    return tuple([prod(shape[n + 1 :]) for n in range(len(shape))])


class Points:
    """Each of some formulas, by its number, at all integers of its names from -bound to bound."""

    def __init__(self, names: Sequence[Sequence[str]], bound: int) -> None:
        self._names, self._bound = names, bound

    @cached_property
    def _ends(self) -> list[int]:
        return list(accumulate((2 * self._bound + 1) ** len(n) for n in self._names))

    @property
    def count(self) -> int:
        """How many formulas at points there are."""
        return self._ends[-1] if self._ends else 0

    def at(self, n: int) -> tuple[int, dict[str, int]]:
        """The formula's number, and the values by name."""
        which = bisect_right(self._ends, n)
        left, values = n - (self._ends[which - 1] if which else 0), {}
        for name in reversed(self._names[which]):
            left, digit = divmod(left, 2 * self._bound + 1)
            values[name] = digit - self._bound
        return which, dict(reversed(values.items()))


# Smaller ones


def smaller(pair: Pair, inside: bool = True) -> Iterator[Pair]:
    """Pairs that are smaller by a dim, by a size or by a stride nearer to 0, the largest steps first.

    `inside`: those whose second one stays in the first.

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
