"""The linear choice of banks with the least cost, by branch and bound over all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from symview.cute.shared_memory.spaces import Setting, independent, spanned, top_bits
from symview.engine.bases import echelon, value_of
from symview.logic.budget import Budget

Cost = Callable[[Sequence[int]], int]  # of the ways of the accesses


@dataclass(slots=True)
class Search:
    """The choices of banks β, on a basis of all spaces, vector by vector; an image lies in those before, or is new.

    An access loses a rank where the image of its new vector is a sum of images that it has, and its ways double.
    """

    setting: Setting
    cost: Cost
    below: int  # a choice has to cost less
    budget: Budget
    basis: list[int] = field(init=False)
    new: list[dict[int, int]] = field(init=False)  # of each access, by the depth at which it has a new vector
    floors: list[int] = field(init=False)
    best: list[int] | None = None
    halves: list[int] = field(init=False)

    def __post_init__(self) -> None:
        spaces, m = self.setting.spaces, self.setting.groups
        every = [x for s in spaces for x in spanned(s)[1:]]
        self.basis = independent(sorted(dict.fromkeys(every), key=lambda x: -every.count(x)))
        found = echelon(self.basis)
        self.new = [top_bits([found.preimage(x) or 0 for x in s]) for s in spaces]
        self.floors = self.setting.floors()
        ones = (1 << (1 << m)) - 1
        self.halves = [ones // ((1 << (1 << i)) + 1) for i in range(m)]  # the places without bit i

    def run(self) -> list[int] | None:
        """The kernel of the cheapest choice, of the dimension that the memory has; None where none costs less."""
        self._go([], 0, [1] * len(self.new), [1] * len(self.new))
        return None if self.best is None else self.kernel()

    def _go(self, images: list[int], rank: int, held: list[int], ways: list[int]) -> None:
        """`held`: of each access the images of its vectors, a set of bits."""
        depth = len(images)
        self.budget.spend(1 + len(held))
        if depth == len(self.basis):
            self.below, self.best = self._cost(ways), images
            return
        new = [(i, x[depth] ^ 1 << depth) for i, x in enumerate(self.new) if depth in x]
        known, choices = [(i, value_of(images, x)) for i, x in new], []
        for y in range((1 << rank) + (rank < self.setting.groups)):
            taken = [(i, y ^ image) for i, image in known]
            then = [*ways]
            for i, image in taken:
                then[i] <<= held[i] >> image & 1
            choices.append((self._cost(then), y, then, taken))
        for cost, y, then, taken in sorted(choices, key=lambda c: c[0]):
            if cost >= self.below:
                return
            spans = [*held]
            for i, image in taken:
                spans[i] |= self._moved(held[i], image)
            self._go([*images, y], rank + (y == 1 << rank), spans, then)

    def _cost(self, ways: Sequence[int]) -> int:
        return self.cost([max(a, b) for a, b in zip(ways, self.floors, strict=True)])

    def _moved(self, places: int, by: int) -> int:
        """The set of places, each xored with one."""
        for i, half in enumerate(self.halves):
            if by >> i & 1:
                places = (places & half) << (1 << i) | places >> (1 << i) & half
        return places

    def kernel(self) -> list[int]:
        """What the best β takes to 0, and before that what no access has: as much as the banks leave."""
        n, images = len(self.setting.outside), self.best or []
        kernel = [value_of(self.basis, x) for x in echelon(images).kernel]
        free = independent([*self.basis, *[1 << i for i in reversed(range(n))]])[len(self.basis) :]
        return [*free, *kernel][: n - min(self.setting.groups, n)]
