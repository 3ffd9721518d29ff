"""Address maps with unknown strides, and the values of the unknowns at which the box stays inside a shape."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd
from typing import NamedTuple

from symview.engine.index_map import IndexMap
from symview.engine.row_space import Row
from symview.engine.size_sets import SizeSet, coordinate
from symview.logic.budget import DEFAULT, Budget
from symview.logic.terms import Term, conj, disj, linear, num, sym

Point = tuple[int, ...]
Range = tuple[int | None, int | None]


def unknown(number: int) -> str:
    """The name of an unknown in the formulas made here."""
    return f"c{number}"


class Affine(NamedTuple):
    """weights·c + constant, c the unknowns."""

    weights: Row
    constant: int

    def at(self, point: Sequence[int]) -> int:
        """The value at a point."""
        return self.constant + sum([w * c for w, c in zip(self.weights, point, strict=True)])

    def is_number(self) -> bool:
        """Whether it is the same at every point."""
        return not any(self.weights)

    def plus(self, other: Affine, times: int = 1) -> Affine:
        """The sum with a multiple of another one.

        >>> Affine((1, 0), 2).plus(Affine((1, 1), 0), 3)
        Affine(weights=(4, 3), constant=2)
        """
        weights = [a + times * b for a, b in zip(self.weights, other.weights, strict=True)]
        return Affine(tuple(weights), self.constant + times * other.constant)

    def term(self) -> Term:
        """The same over c0, c1, …."""
        return linear([(w, sym(unknown(k))) for k, w in enumerate(self.weights)], self.constant)


class OpenMap(NamedTuple):
    """x(i) = start + Σ i_j·steps_j on the box 0 <= i_j < sizes_j, no size being 0."""

    sizes: tuple[int, ...]
    steps: tuple[Affine, ...]
    start: Affine

    def at(self, point: Sequence[int]) -> IndexMap:
        """The address map at a point."""
        return IndexMap(self.sizes, tuple([t.at(point) for t in self.steps]), self.start.at(point))

    def moving(self) -> Iterator[tuple[Affine, int]]:
        """The different steps that move, each with the most indices that it is taken by."""
        counts: dict[Affine, int] = {}
        for size, step in zip(self.sizes, self.steps, strict=True):
            if size > 1:
                counts[step] = counts.get(step, 0) + size - 1
        yield from counts.items()


class Inside:
    """The points at which every address is one of 0..size−1: low <= weights·c <= high for every band.

    `given`: bounds that are known of the unknowns; what they imply is left out of the formulas.
    `ranges` are the least and the greatest value of each unknown; there are none where `empty`.
    Raises Undecided where isl does not settle these.
    """

    def __init__(self, box: OpenMap, size: int, given: Sequence[Range], budget: Budget = DEFAULT) -> None:
        self.given, self.budget = tuple(given), budget
        found = _bands(box, size)
        self.bands: dict[Row, tuple[int, int]] = found or {}
        self.ranges = () if found is None else self._ranges()
        self.empty = not self.ranges

    def formula(self) -> Term:
        """Inside, over c0, c1, …."""
        return conj(self._comparisons())

    def negation(self) -> Term:
        """Outside."""
        opposite = {">=": "<", "<=": ">", "==": "!="}
        return disj(Term(opposite[c.op], c.args) for c in self._comparisons())

    def holds(self, point: Sequence[int]) -> bool:
        """Whether a point is inside."""
        return not self.empty and all(
            low <= sum([w * c for w, c in zip(weights, point, strict=True)]) <= high
            for weights, (low, high) in self.bands.items()
        )

    def span(self, axis: int, known: Sequence[int | None]) -> tuple[int, int]:
        """Bounds of one unknown where some others are known; exact where all others are."""
        low, high = self.ranges[axis]
        spans = [r if c is None else (c, c) for c, r in zip(known, self.ranges, strict=True)]
        for weights, (least, most) in self.bands.items():
            own = weights[axis]
            if not own:
                continue
            rest_low = rest_high = 0
            for k, w in enumerate(weights):
                if w and k != axis:
                    a, b = spans[k]
                    rest_low += w * (a if w > 0 else b)
                    rest_high += w * (b if w > 0 else a)
            ends = (least - rest_high, most - rest_low) if own > 0 else (most - rest_low, least - rest_high)
            low, high = max(low, -(-ends[0] // own)), min(high, ends[1] // own)
        return low, high

    def point(self, conditions: Sequence[str] = ()) -> Point | None:
        """Some point inside with isl's conditions on p0, p1, …; None where there is none."""
        return self._set(conditions).point()

    def _set(self, conditions: Sequence[str] = ()) -> SizeSet:
        parts = [f"{low} <= {_text(weights)} <= {high}" for weights, (low, high) in self.bands.items()]
        for k, (least, most) in enumerate(self.given):
            parts += [f"{coordinate(k)} >= {least}"] if least is not None else []
            parts += [f"{coordinate(k)} <= {most}"] if most is not None else []
        names = tuple([unknown(k) for k in range(len(self.given))])
        return SizeSet.where([*parts, *conditions], names, self.budget)

    def _ranges(self) -> tuple[tuple[int, int], ...]:
        points = self._set()
        if points.is_empty():
            return ()
        found = [(points.least(k), points.most(k)) for k in range(len(self.given))]
        return tuple([(low, high) for low, high in found if low is not None and high is not None])

    def _comparisons(self) -> list[Term]:
        """The sides of the bands that neither the others nor what is given imply."""
        sides = [(w, low) for w, (low, _) in self.bands.items()]
        sides += [(tuple([-x for x in w]), -high) for w, (_, high) in self.bands.items()]
        for side in list(sides):
            if any(self._implies(other, side) for other in (((0,) * len(self.given), 0), *sides) if other != side):
                sides.remove(side)
        return [c for w, band in self.bands.items() for c in _compared(w, band, sides)]

    def _implies(self, one: tuple[Row, int], other: tuple[Row, int]) -> bool:
        """Whether weights·c >= low for the one side says so for the other, as far as single bounds tell."""
        least = 0
        for a, b, (low, high) in zip(other[0], one[0], self.given, strict=True):
            bound = low if a > b else high
            if a != b:
                if bound is None:
                    return False
                least += (a - b) * bound
        return least >= other[1] - one[1]


def _bands(box: OpenMap, size: int) -> dict[Row, tuple[int, int]] | None:
    """All corners of the box, as bounds of linear forms; None where a corner is outside at every point."""
    reach = {box.start.weights: (box.start.constant, box.start.constant)}
    for step, count in box.moving():
        for weights, (low, high) in list(reach.items()):
            there = Affine(weights, 0).plus(step, count)
            old = reach.get(there.weights, (low + there.constant, high + there.constant))
            reach[there.weights] = (min(old[0], low + there.constant), max(old[1], high + there.constant))
    bands: dict[Row, tuple[int, int]] = {}
    for weights, (low, high) in reach.items():
        if not any(weights):
            if low < 0 or high >= size:
                return None
            continue
        common = gcd(*weights)
        ends = -(low // common), (size - 1 - high) // common
        form = tuple([w // common for w in weights])
        if next(w for w in reversed(form) if w) < 0:
            form, ends = tuple([-w for w in form]), (-ends[1], -ends[0])
        known = bands.get(form, ends)
        bands[form] = max(known[0], ends[0]), min(known[1], ends[1])
    return bands


def _compared(weights: Row, band: tuple[int, int], sides: Sequence[tuple[Row, int]]) -> list[Term]:
    form, (low, high) = Affine(weights, 0).term(), band
    below, above = (weights, low) in sides, (tuple([-w for w in weights]), -high) in sides
    if below and above and low == high:
        return [Term("==", (form, num(low)))]
    found = [Term(">=", (form, num(low)))] if below else []
    return [*found, Term("<=", (form, num(high)))] if above else found


def _text(weights: Row) -> str:
    return "+".join(f"({w}*{coordinate(k)})" for k, w in enumerate(weights) if w)
