"""Which row space each value of unknown strides gives: a finite table, as overflows only see residues."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import gcd, prod
from typing import NamedTuple

from symview.engine.index_map import IndexMap
from symview.engine.open_map import Inside, Point
from symview.engine.overflow import active_carries, cheap_witnesses, vector
from symview.engine.overflow_space import Engine, find_rows
from symview.engine.row_space import Row, RowSpace
from symview.engine.size_sets import coordinate
from symview.logic.budget import Budget

_INDICES_PER_ENTRY = 5  # a row space costs about as much as walking so many indices
_STEPS_PER_ENTRY, _STEPS_PER_SPACE = 10, 60  # of work
_NEAREST = 4  # values of an unknown that are tried, for each residue
_SHORT = 10_000  # entries for which more than the nearest values are tried
_FEW = 64  # indices that are all looked at
Entry = tuple[int, ...]
Rows = tuple[Row, ...] | None  # a row space, None where the budget did not settle it


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


def columns_of(inside: Inside, modulus: int) -> tuple[Column, ...]:
    """By value where there are fewer values inside than residues that count modulo the largest place value."""
    box = inside.box.without_repeats()
    found = []
    for k, (low, high) in enumerate(inside.ranges):
        period = modulus // gcd(modulus, box.start.weights[k], *[t.weights[k] for t in box.steps])
        found.append(Column(low, high, period if high - low + 1 > period else 0))
    return tuple(found)


def most_entries(budget: Budget) -> int:
    """How many entries the budget allows."""
    return max(1, budget.points // _INDICES_PER_ENTRY)


class Table(NamedTuple):
    """The entries that can occur, each with a point inside that has it (None: not known) and its row space.

    An entry has for every unknown its value or, where the column has a period, its residue.
    """

    columns: tuple[Column, ...]
    points: dict[Entry, Point | None]
    spaces: dict[Entry, Rows]

    def by_space(self) -> dict[Rows, list[Entry]]:
        """The entries by their row space, those with the smallest values first."""

        def order(entry: Entry) -> tuple[bool, int, Entry]:
            shown = self.points[entry] or entry
            return self.points[entry] is None, sum(map(abs, shown)), tuple([-x for x in shown])

        found: dict[Rows, list[Entry]] = {}
        for entry in sorted(self.points, key=order):
            found.setdefault(self.spaces[entry], []).append(entry)
        return found

    def point(self, entry: Entry, inside: Inside) -> Point | None:
        """A point inside with this entry; None where there is none."""
        return self.points[entry] or inside.point(
            f"({coordinate(k)} - {value}) mod {c.period} = 0" if c.period else f"{coordinate(k)} = {value}"
            for k, (value, c) in enumerate(zip(entry, self.columns, strict=True))
        )


def make_table(
    places: tuple[int, ...],
    inside: Inside,
    columns: tuple[Column, ...],
    allowed: Callable[[Entry], bool],
    engine: Engine,
    budget: Budget,
) -> Table:
    """The table of all entries that are allowed; what it leaves out does not occur.

    Theory: the overflows at P depend on the start and the steps modulo P, and every place value
    divides the largest one. Raises Undecided where the budget ends before.
    """
    points: dict[Entry, Point | None] = {}
    near = [{e: c.near(e) for e in c.entries()} for c in columns]
    tried = _NEAREST if prod(map(len, near)) <= _SHORT else 1
    for entry in filter(allowed, product(*near)):
        values = [n[e] for n, e in zip(near, entry, strict=True)]
        budget.spend(_STEPS_PER_ENTRY)
        point = next(filter(inside.holds, product(*[v[:tried] for v in values])), None)
        if point is not None or any(len(v) > tried for v in values):
            points[entry] = point
    known = _Spaces(places, inside.box.sizes, engine, budget)
    return Table(columns, points, {e: known.of(inside.box.at(e)) for e in points})


class _Spaces:
    """Row spaces of boxes, each found once: flips and the order of the axes make no difference."""

    def __init__(self, places: tuple[int, ...], sizes: tuple[int, ...], engine: Engine, budget: Budget) -> None:
        self.places, self.sizes, self.engine, self.budget = places, sizes, engine, budget
        self.modulus = places[0] if places else 1
        self.known: dict[IndexMap, Rows] = {}

    def of(self, box: IndexMap) -> Rows:
        same = self._normal(box)
        if same not in self.known:
            self.budget.spend(_STEPS_PER_SPACE)
            self.known[same] = self._space(same)
        return self.known[same]

    def _normal(self, box: IndexMap) -> IndexMap:
        """A box with the same row space: steps to at most half the modulus, equal ones as one axis."""
        start, most = box.start, dict[int, int]()
        for size, step in zip(box.sizes, box.steps, strict=True):
            step %= self.modulus
            if 2 * step > self.modulus:
                start += (size - 1) * step
                step = self.modulus - step
            if step:
                most[step] = most.get(step, 0) + size - 1
        axes = sorted(most.items())
        return IndexMap(tuple([n + 1 for _, n in axes]), tuple([t for t, _ in axes]), start % self.modulus)

    def _space(self, box: IndexMap) -> Rows:
        carries = active_carries(box, self.places) if prod(box.sizes) > 2 else []
        places = [c.place for c in carries]
        space = RowSpace(len(places))
        few = prod(box.sizes) <= _FEW
        if len(places) == 1:
            space.add((1,))
        elif carries and self.engine == "auto":
            for index in product(*map(range, box.sizes)) if few else cheap_witnesses(box.sizes, carries):
                if space.add(vector(carries, index)) and space.is_full():
                    break
        if carries and not space.is_full() and not (few and self.engine == "auto"):
            rows = find_rows(self.places, box, self.engine, self.budget)
            return rows.space.rows if rows.settled else None
        return tuple([tuple([row[places.index(p)] if p in places else 0 for p in self.places]) for row in space.rows])
