"""Finds the linear choice of banks with the least cost, by branch and bound."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from symview.engine.bases import echelon, value_of
from symview.logic.budget import Budget
from symview.shared_memory.spaces import Setting, independent, spanned

Cost = Callable[[Sequence[int]], int]  # maps the ways of the accesses to a cost


class Search:
    """The choices of banks β, on a basis of all spaces, vector by vector: an image is a sum of earlier ones, or new.

    If the image of an access's new vector is a sum of its earlier images, the access loses a rank, and its ways double.
    """

    def __init__(self, setting: Setting, cost: Cost, below: int, budget: Budget) -> None:
        self.setting, self.cost, self.below, self.budget = setting, cost, below, budget
        every = [x for s in setting.spaces for x in spanned(s)[1:]]
        self.basis = independent(sorted(dict.fromkeys(every), key=lambda x: -every.count(x)))
        found = echelon(self.basis)
        spaces = [echelon([found.preimage(x) or 0 for x in s]).pivots for s in setting.spaces]
        depths = range(len(self.basis))  # at each basis vector: accesses with a new vector, and its other basis vectors
        self.new = [[(i, s[d + 1][0] ^ 1 << d) for i, s in enumerate(spaces) if d + 1 in s] for d in depths]
        self.floors = setting.floors()
        ones = (1 << (1 << setting.groups)) - 1
        self.halves = [ones // ((1 << (1 << i)) + 1) for i in range(setting.groups)]  # the elements without bit i

    def better(self) -> Iterator[list[int]]:
        """Yields kernels of ever cheaper choices, with the dimension left by the memory; the last is the cheapest."""
        count = len(self.setting.spaces)
        for images in self._from([], 0, [1] * count, [1] * count):
            n = len(self.setting.outside)
            kernel = [value_of(self.basis, x) for x in echelon(images).kernel]
            free = independent([*self.basis, *[1 << i for i in reversed(range(n))]])[len(self.basis) :]
            yield [*free, *kernel][: n - min(self.setting.groups, n)]

    def _from(self, images: list[int], rank: int, held: list[int], ways: list[int]) -> Iterator[list[int]]:
        """Extends the images; `held`: the span of each access's images, as a set of bits; `rank`: of all images."""
        self.budget.spend((1 + len(held)) << rank)
        if len(images) == len(self.basis):
            self.below = self._cost(ways)
            yield images
            return
        known, choices = [(i, value_of(images, x)) for i, x in self.new[len(images)]], []
        for y in range((1 << rank) + (rank < self.setting.groups)):
            then = [*ways]
            for i, image in known:
                then[i] <<= held[i] >> (y ^ image) & 1
            choices.append((self._cost(then), y, then))
        for cost, y, then in sorted(choices):
            if cost >= self.below:
                return
            spans = [*held]
            for i, image in known:
                spans[i] |= self._moved(held[i], y ^ image)
            yield from self._from([*images, y], rank + (y == 1 << rank), spans, then)

    def _cost(self, ways: Sequence[int]) -> int:
        return self.cost([max(a, b) for a, b in zip(ways, self.floors, strict=True)])

    def _moved(self, places: int, by: int) -> int:
        """The set of elements, each xored with `by`."""
        for i, half in enumerate(self.halves):
            if by >> i & 1:
                places = (places & half) << (1 << i) | places >> (1 << i) & half
        return places
