"""Every overflow pattern that occurs on a box, and the first index where it does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd, prod
from typing import NamedTuple

from symview.engine import presburger
from symview.engine.index_map import Index, IndexMap, by_sum
from symview.engine.overflow import pattern
from symview.errors import Undecided
from symview.logic.budget import DEFAULT, Budget

_WALKED = 20_000
_PREFIXES = 64
_MANY = 8
_LITTLE = 100_000


@dataclass(frozen=True, slots=True)
class Occurrence:
    """The step that reaches `index` along `axis` is the first with this pattern."""

    axis: int
    index: Index
    pattern: tuple[int, ...]


class Occurrences(NamedTuple):
    """The patterns by axis and first index; `complete` unless the budget ended, `reason` why."""

    found: tuple[Occurrence, ...]
    complete: bool
    reason: str


def occurring(places: tuple[int, ...], box: IndexMap, budget: Budget = DEFAULT) -> Occurrences:
    """Each distinct pattern of the steps of each axis, once, first by sum of the index, then lexicographically.

    `places` are place values of the outer shape, largest first, and a pattern has one 0 or 1 for each; addresses are
    counted in places of the outer shape. "One step", proofs/README.md. Large boxes are not walked: integer points are
    asked for, one pattern prefix at a time.

    >>> [(o.index, o.pattern) for o in occurring((9, 3), IndexMap((6,), (4,), 0)).found]
    [((1,), (0, 0)), ((3,), (1, 1)), ((5,), (1, 0))]
    """
    found: list[Occurrence] = []
    reasons: list[str] = []
    for axis, size in enumerate(box.sizes):
        if size < 2 or 0 in box.sizes:
            continue
        sizes = _starts(places, box, axis)
        if prod(sizes) <= min(_WALKED, budget.points):
            seen = _walk(places, box, axis, sizes, budget)
        else:
            search = _Tree(places, box, axis, sizes, budget)
            seen = search.run()
            reasons += search.open
        found += sorted(seen, key=lambda o: (sum(o.index), o.index))
    return Occurrences(tuple(found), not reasons, "; ".join(dict.fromkeys(reasons)))


def _starts(places: Sequence[int], box: IndexMap, axis: int) -> tuple[int, ...]:
    """The indices that a step along the axis can start from, up to one period."""
    top = places[0] if places else 1
    return tuple(
        [min(n - (a == axis), top // gcd(top, t)) for a, (n, t) in enumerate(zip(box.sizes, box.steps, strict=True))]
    )


def _reached(index: Sequence[int], axis: int) -> Index:
    return tuple([i + (a == axis) for a, i in enumerate(index)])


def _walk(places: Sequence[int], box: IndexMap, axis: int, sizes: Sequence[int], budget: Budget) -> list[Occurrence]:
    first: dict[tuple[int, ...], Index] = {}
    for index in by_sum(sizes):
        budget.count(len(places))  # few enough to be walked to the end
        first.setdefault(pattern(places, box.at(index), box.steps[axis]), index)
    return [Occurrence(axis, _reached(index, axis), p) for p, index in first.items()]


class _Tree:
    """Decides boundary by boundary whether it can carry, given what the larger ones do."""

    def __init__(
        self, places: tuple[int, ...], box: IndexMap, axis: int, sizes: tuple[int, ...], budget: Budget
    ) -> None:
        many = len(places) > _MANY  # so many questions that each may only take a little
        self.budget = budget.at_most(_LITTLE) if many else budget
        self.places, self.box, self.axis, self.sizes = places, box, axis, sizes
        self.open: list[str] = []

    def run(self) -> list[Occurrence]:
        """The occurrences; what could not be settled is noted in `open`."""
        partial: list[tuple[int, ...]] = [()]
        for _ in self.places:
            if len(partial) > _PREFIXES:
                self.open.append(f"more than {_PREFIXES} patterns of axis {self.axis} are possible")
                return []
            partial = [p for q in partial for p in ((*q, 0), (*q, 1)) if self._possible(p)]
        found = []
        for p in partial:
            try:
                index = presburger.least(self._system(p), self.budget)
            except Undecided as stop:
                self.open.append(stop.reason)
                continue
            if index is not None:
                found.append(Occurrence(self.axis, _reached(index, self.axis), p))
        return found

    def _possible(self, prefix: tuple[int, ...]) -> bool:
        if prefix[-1] and self.box.steps[self.axis] % self.places[len(prefix) - 1] == 0:
            return False
        try:
            return presburger.point(self._system(prefix), self.budget) is not None
        except Undecided:
            return True  # kept: the search for its first index says so if it stays open

    def _system(self, prefix: Sequence[int]) -> presburger.System:
        """Starts x with, for each P of the prefix, x − P·c in the carrying or the other part of [0, P)."""
        top = self.places[0]
        start = self.box.start % top
        slopes = [t % top for t in self.box.steps]
        rows = []
        for n, (place, carries) in enumerate(zip(self.places, prefix, strict=False)):
            edge = place - self.box.steps[self.axis] % place
            low, high = (edge, place - 1) if carries else (0, edge - 1)
            quotient = [place * (m == n) for m in range(len(prefix))]
            rows.append((*slopes, *[-q for q in quotient], start - low))
            rows.append((*[-s for s in slopes], *quotient, high - start))
        return presburger.System(self.sizes, len(prefix), tuple(rows), ((),))
