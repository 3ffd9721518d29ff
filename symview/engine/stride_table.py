"""What integers alone tell of a view whose strides and offset are unknown: a finite table of row spaces.

In order: an address map that is affine over unknown integers (`OpenMap`), the values at which it stays inside the
outer shape, which are finitely many (`Inside`), and, as overflows see only residues modulo place values, the row space
of each combination of residues or values (`make_table`). "Which boundaries
overflow", proofs/README.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, islice, product
from math import gcd, prod
from operator import mul
from typing import Generic, NamedTuple, TypeVar

from symview.engine.index_map import IndexMap
from symview.engine.overflow import active_carries
from symview.engine.overflow_space import Engine, find_rows
from symview.engine.row_space import Row, RowSpace
from symview.engine.size_sets import SizeSet, coordinate
from symview.errors import Undecided
from symview.logic.budget import Budget

Point = tuple[int, ...]  # a value for each unknown
Range = tuple[int | None, int | None]
Entry = tuple[int, ...]  # for each unknown its value or, where its column has a period, its residue
Space = tuple[Row, ...]  # the rows of a row space
Rows = Space | None  # None where the budget did not settle it
Told = TypeVar("Told")
_MOST_CORNERS = 64
_MOST_PAIRED = 16  # forms of which sums of two are looked at
_INDICES_PER_ENTRY = 5  # a row space costs about as much as walking so many indices
_STEPS_PER_ENTRY, _STEPS_PER_SPACE = 15, 60  # of work
_NEAREST = 4  # values of an unknown that are tried, for each residue
_SHORT = 10_000  # entries for which more than the nearest values are tried
_FEW = 64  # indices that are all looked at


# An address map over unknowns


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


# The table


class Column(NamedTuple):
    """What a table tells of an unknown in low..high: its residue modulo the period, or its value if that is 0."""

    low: int
    high: int
    period: int

    def entry(self, value: int) -> int:
        """What it tells of this value."""
        return value % self.period if self.period else value

    def entries(self) -> range:
        """All that it may tell."""
        return range(self.period) if self.period else range(self.low, self.high + 1)

    def near(self, entry: int) -> list[int]:
        """The values of which it tells this, the smallest absolute values first, at most one more than are tried."""
        if not self.period:
            return [entry]
        middle = (min(max(0, self.low), self.high) - entry) // self.period
        values = [entry + self.period * (middle + n) for n in range(-_NEAREST - 1, _NEAREST + 2)]
        return sorted([v for v in values if self.low <= v <= self.high], key=abs)[: _NEAREST + 1]


def columns_of(inside: Inside, places: tuple[int, ...], budget: Budget) -> tuple[Column, ...]:
    """A column for each unknown: its value where few are inside, else its residue modulo the largest place value.

    An unknown that comes in multiples is told modulo less. Raises Undecided where the table of all combinations
    is too large for the budget, or the corners of the box are too many.
    """
    box, modulus, found = inside.moving, places[0] if places else 1, list[Column]()
    for k, (low, high) in enumerate(inside.ranges):
        period = modulus // gcd(modulus, box.start.weights[k], *[t.weights[k] for t in box.steps])
        found.append(Column(low, high, period if high - low + 1 > period else 0))
    count, most = prod(c.period or c.high - c.low + 1 for c in found), max(1, budget.points // _INDICES_PER_ENTRY)
    if count > most or inside.sides is None:
        raise Undecided(
            f"that depends on {count} residues or values of the strides and the offset, "
            f"and the budget of {budget.points} points allows {most}"
        )
    return tuple(found)


class Table(NamedTuple, Generic[Told]):
    """The entries that can occur, each with a point inside that has it (None: not known) and its row space.

    Or with what else is the same wherever the unknowns have such residues.
    """

    columns: tuple[Column, ...]
    points: dict[Entry, Point | None]
    spaces: dict[Entry, Told]

    def by_space(self) -> dict[Told, list[Entry]]:
        """The entries of each row space; the one with the smallest point comes first, and so do such spaces."""

        def order(entry: Entry) -> tuple[bool, int, Entry]:
            shown = self.points[entry] or entry
            return self.points[entry] is None, sum(map(abs, shown)), tuple([-x for x in shown])

        found: dict[Told, list[Entry]] = {}
        for entry in sorted(self.points, key=order):
            found.setdefault(self.spaces[entry], []).append(entry)
        return found

    def point(self, entries: Sequence[Entry], inside: Inside) -> Point | None:
        """A point inside with one of these entries, the first with which there is one; None where there is none."""
        for entry in entries:
            found = self.points[entry] or inside.point(
                f"({coordinate(k)} - {value}) mod {c.period} = 0" if c.period else f"{coordinate(k)} = {value}"
                for k, (value, c) in enumerate(zip(entry, self.columns, strict=True))
            )
            if found is not None:
                return found
        return None


def make_table(
    inside: Inside,
    columns: tuple[Column, ...],
    allowed: Callable[[Entry], bool],
    told: Callable[[Point], Told],
    budget: Budget,
) -> Table[Told]:
    """The table of all entries that are allowed; what it leaves out does not occur.

    `told` says of a point what is the same for all that have its entry. Raises Undecided where the budget ends before.
    """
    table = Table[Told](columns, {}, {})
    near = [{e: c.near(e) for e in c.entries()} for c in columns]
    tried = _NEAREST if prod(map(len, near)) <= _SHORT else 1
    for entry in filter(allowed, product(*near)):
        values = [n[e] for n, e in zip(near, entry, strict=True)]
        budget.spend(_STEPS_PER_ENTRY)
        for point in product(*[v[:tried] for v in values]):
            if inside.keeps(inside.moving.at(point)):
                table.points[entry], table.spaces[entry] = point, told(point)
                break
        else:
            if any(len(v) > tried for v in values):
                table.points[entry], table.spaces[entry] = None, told(entry)
    return table


def row_spaces(places: tuple[int, ...], inside: Inside, engine: Engine, budget: Budget) -> Callable[[Point], Rows]:
    """The row space at each point.

    `places` are place values of the outer shape, largest first; the addresses are counted in places of that shape.
    The overflows at a place value P depend on the start and the steps modulo P, and every place value divides the
    largest one ("Which boundaries overflow", proofs/README.md).
    """
    spaces = _Spaces(places, inside.moving.sizes, engine, budget)
    return lambda point: spaces.of(inside.moving.at(point))


class _Spaces:
    """The row spaces of boxes of some sizes: by all indices where these are few, else by some, or a search."""

    def __init__(self, places: tuple[int, ...], sizes: tuple[int, ...], engine: Engine, budget: Budget) -> None:
        self.places, self.engine, self.budget = places, engine, budget
        self.found: dict[IndexMap, Rows] = {}
        self.sums: dict[tuple[Space, Row], Space] = {}
        self.all = engine == "auto" and prod(sizes) <= _FEW
        some = [range(n) if self.all else sorted({k for k in (0, 1, n // 2, n - 1) if 0 <= k < n}) for n in sizes]
        indices = [i for i in islice(product(*some), _FEW) if sum(i) > 1] if engine == "auto" else []
        self.indices = sorted(indices, key=sum, reverse=True)

    def of(self, box: IndexMap) -> Rows:
        """The row space of a box, by C_P(i) = (ρ + Σ i_j·R_j) // P, ρ = o mod P and R_j = ((o + t_j) mod P) − ρ."""
        start, ends = box.start, [box.start + t for t in box.steps]
        carries = [(p, r := start % p, [x % p - r for x in ends]) for p in self.places]
        space: Space = ()
        for index in self.indices:
            row = tuple([(r + sum(map(mul, index, slopes))) // p for p, r, slopes in carries])
            if any(row):
                if (space, row) not in self.sums:
                    self.sums[space, row] = RowSpace(len(row), (*space, row)).rows
                space = self.sums[space, row]
                if len(space) == len(row):
                    break
        if self.all or len(space) == len(active_carries(box, self.places)):
            return space
        box = self._normal(box)
        if box not in self.found:
            self.budget.spend(_STEPS_PER_SPACE)
            rows = find_rows(self.places, box, self.engine, self.budget)
            self.found[box] = rows.space.rows if rows.settled else None
        return self.found[box]

    def _normal(self, box: IndexMap) -> IndexMap:
        """A box with the same row space, which no flip and no order of axes changes.

        Its steps are at most half the largest place value, and those that are equal are one axis.
        """
        start, most, modulus = box.start, dict[int, int](), self.places[0] if self.places else 1
        for size, step in zip(box.sizes, box.steps, strict=True):
            step %= modulus
            if 2 * step > modulus:
                start += (size - 1) * step
                step = modulus - step
            if step:
                most[step] = most.get(step, 0) + size - 1
        axes = sorted(most.items())
        return IndexMap(tuple([n + 1 for _, n in axes]), tuple([t for t, _ in axes]), start % modulus)
