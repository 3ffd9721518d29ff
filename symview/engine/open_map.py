"""An address map that is affine over unknown integers, and the values at which it stays inside the outer shape."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import gcd
from operator import mul
from typing import NamedTuple

from symview.engine.index_map import IndexMap
from symview.engine.presburger import SizeSet, coordinate
from symview.engine.row_space import Row
from symview.logic.budget import Budget

Point = tuple[int, ...]  # a value for each unknown
Range = tuple[int | None, int | None]
_MOST_CORNERS = 64
_MOST_PAIRED = 16  # forms of which sums of two are looked at


class Affine(NamedTuple):
    """weights·c + constant, c the unknowns.

    >>> Affine((1, 0), 2).plus(Affine((1, 1), 0), 3)
    Affine(weights=(4, 3), constant=2)
    """

    weights: Row
    constant: int

    def at(self, point: Point) -> int:
        """The value at a point."""
        return self.constant + int(sum(map(mul, self.weights, point)))

    def is_number(self) -> bool:
        """Whether it is the same at every point."""
        return not any(self.weights)

    def plus(self, other: Affine, times: int = 1) -> Affine:
        """The sum with a multiple of another one."""
        weights = [a + times * b for a, b in zip(self.weights, other.weights, strict=True)]
        return Affine(tuple(weights), self.constant + times * other.constant)

    def least(self, ranges: Sequence[Range]) -> int | None:
        """The least value that the ranges of the unknowns allow; None where there is no bound."""
        found = self.constant
        for weight, (low, high) in zip(self.weights, ranges, strict=True):
            bound = low if weight > 0 else high
            if weight:
                if bound is None:
                    return None
                found += weight * bound
        return found

    def most(self, ranges: Sequence[Range]) -> int | None:
        """The greatest value that the ranges allow; None where there is no bound."""
        found = Affine(tuple([-w for w in self.weights]), -self.constant).least(ranges)
        return None if found is None else -found

    def is_implied(self, ranges: Sequence[Range], by: Affine | None = None) -> bool:
        """Whether it is at least 0, or at least as much as another form, for all that the ranges allow."""
        least = (self if by is None else self.plus(by, -1)).least(ranges)
        return least is not None and least >= 0


class OpenMap(NamedTuple):
    """x(i) = start + Σ i_j·steps_j on the box 0 <= i_j < sizes_j, no size being 0; `ranges` bound the unknowns."""

    sizes: tuple[int, ...]
    steps: tuple[Affine, ...]
    start: Affine
    ranges: tuple[Range, ...]

    def at(self, point: Point) -> IndexMap:
        """The address map at a point."""
        return IndexMap(self.sizes, tuple([t.at(point) for t in self.steps]), self.start.at(point))

    def address(self, index: Sequence[int]) -> Affine:
        """The address x(index)."""
        found = self.start
        for i, step in zip(index, self.steps, strict=True):
            found = found.plus(step, i)
        return found

    def without_repeats(self) -> OpenMap:
        """The same addresses by different steps, the sizes of axes with equal ones added up."""
        most: dict[Affine, int] = {}
        for size, step in zip(self.sizes, self.steps, strict=True):
            if size > 1 and step != Affine((0,) * len(self.ranges), 0):
                most[step] = most.get(step, 1) + size - 1
        return self._replace(sizes=tuple(most.values()), steps=tuple(most))

    def corners(self) -> list[Affine] | None:
        """The addresses of the corners; None where there are too many to list."""
        found = [self.start]
        for size, step in zip(self.sizes, self.steps, strict=True):
            if size > 1:
                found += [corner.plus(step, size - 1) for corner in found]
            if len(found) > _MOST_CORNERS:
                return None
        return found

    def modulo(self, place: int) -> tuple[OpenMap, tuple[Affine, ...]]:
        """The map whose addresses count carries when divided by the place, and the forms that it takes residues of.

        C_P(i) = (ρ + Σ i_j·R_j) // P with ρ = o mod P and R_j = ((o + t_j) mod P) − ρ ("Which boundaries
        overflow", proofs/README.md). The
        unknowns of that map are the residues; its axes are those of `without_repeats`.
        """
        moving = self.without_repeats()
        ends = [_reduced(x, place) for x in (self.start, *(self.start.plus(t) for t in moving.steps))]
        forms = tuple(dict.fromkeys(x for x in ends if not x.is_number()))
        residues = [Affine(tuple([int(x == f) for f in forms]), x.constant if x.is_number() else 0) for x in ends]
        steps = tuple([r.plus(residues[0], -1) for r in residues[1:]])
        return OpenMap(moving.sizes, steps, residues[0], ((0, place - 1),) * len(forms)), forms


def _reduced(form: Affine, place: int) -> Affine:
    """A form with the same residues, without what is a multiple of the place."""
    weights = tuple([w if w % place else 0 for w in form.weights])
    constant = form.constant if any(weights) and abs(form.constant) < place else form.constant % place
    return Affine(weights, constant)


def sides(box: OpenMap, size: int) -> tuple[Affine, ...] | None:
    """The forms that are at least 0 exactly where all addresses are in 0..size−1, none that others imply.

    A form that is negative everywhere is among them where the box stays inside nowhere. None where the
    corners are too many.

    >>> [tuple(s) for s in sides(OpenMap((3,), (Affine((1,), 0),), Affine((0,), 4), ((None, None),)), 12) or ()]
    [((1,), 2), ((-1,), 3)]
    """
    corners = box.without_repeats().corners()
    if corners is None:
        return None
    top = Affine((0,) * len(box.ranges), size - 1)
    kept = [form for corner in corners for form in (corner, top.plus(corner, -1))]
    for reduced in (False, True):  # what implies a form may not be seen once this is divided by its common factor
        least: dict[Row, int] = {}
        for weights, constant in kept:
            common = (gcd(*weights) or 1) if reduced else 1
            row = tuple([w // common for w in weights])
            least[row] = min(least.get(row, constant // common), constant // common)
        kept = [Affine(*item) for item in least.items()]
        for one in sorted(kept, key=lambda form: -sum(form.weights)):  # so that what the last one needs is left
            if _follows(one, [form for form in kept if form is not one], box.ranges):
                kept.remove(one)
    return tuple(kept)


def _follows(form: Affine, others: Sequence[Affine], ranges: Sequence[Range]) -> bool:
    """Whether it is at least 0 where the others are: it is one of them, or the sum of two, and what is not negative."""
    if form.is_implied(ranges) or any(form.is_implied(ranges, by) for by in others):
        return True
    pairs = () if form.is_number() or len(others) > _MOST_PAIRED else combinations(others, 2)
    return any(form.plus(one, -1).is_implied(ranges, by) for one, by in pairs)


class Inside:
    """The points at which every address of an open map is one of 0..size−1.

    `sides` are the forms that are at least 0 exactly there, None where they are too many to list. `ranges` are
    the least and the greatest value of each unknown, or bounds for these where there are no sides; there are
    none where `empty`. Raises Undecided where isl does not settle these.
    """

    def __init__(self, box: OpenMap, size: int, budget: Budget) -> None:
        self.box, self.moving, self.size, self.budget = box, box.without_repeats(), size, budget
        self.sides = sides(box, size)
        single = [box._replace(sizes=(n,), steps=(t,)) for n, t in zip(box.sizes, box.steps, strict=True)]
        self.bounds = self.sides if self.sides is not None else [s for one in single for s in sides(one, size) or ()]
        points = self._set()
        self.empty = points.is_empty()
        axes = range(0 if self.empty else len(box.ranges))
        self.ranges = tuple([(points.least(k) or 0, points.most(k) or 0) for k in axes])

    def holds(self, point: Point) -> bool:
        """Whether a point is inside."""
        return self.keeps(self.moving.at(point))

    def keeps(self, box: IndexMap) -> bool:
        """Whether all addresses of a box are inside."""
        low, high = box.reach()
        return low >= 0 and high < self.size

    def point(self, conditions: Iterable[str] = ()) -> Point | None:
        """Some point inside with isl's conditions on p0, p1, …; None where there is none."""
        return self._set(conditions).point()

    def _set(self, conditions: Iterable[str] = ()) -> SizeSet:
        parts = [
            "+".join([*(f"({w}*{coordinate(k)})" for k, w in enumerate(s.weights)), f"{s.constant} >= 0"])
            for s in self.bounds
        ]
        for k, (least, most) in enumerate(self.box.ranges):
            parts += [f"{coordinate(k)} >= {least}"] if least is not None else []
            parts += [f"{coordinate(k)} <= {most}"] if most is not None else []
        return SizeSet.where([*parts, *conditions], tuple(map(coordinate, range(len(self.box.ranges)))), self.budget)
