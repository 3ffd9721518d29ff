"""Which row space each value of unknown strides gives: a finite table, as overflows only see residues."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, product
from math import gcd, prod
from typing import NamedTuple

from symview.engine.index_map import IndexMap
from symview.engine.open_map import Inside, OpenMap, Point, unknown
from symview.engine.overflow import active_carries, cheap_witnesses, vector
from symview.engine.overflow_space import Engine, find_rows
from symview.engine.row_space import Row, RowSpace
from symview.engine.tables import Column, Entry
from symview.logic.budget import DEFAULT, Budget
from symview.logic.terms import sym

_POINTS_PER_ENTRY = 5  # a row space costs about as much as walking so many indices
_NEAREST, _TRIED = 4, 64
_FEW = 64  # indices that are all looked at
Rows = tuple[Row, ...] | None  # a row space, None where the budget did not settle it
Allowed = Callable[[Entry], bool]


class Table(NamedTuple):
    """The entries that can occur, each with a point inside (None: not known) and its row space.

    An entry has for every unknown its value or, where the column has a period, its residue.
    """

    columns: tuple[Column, ...]
    points: dict[Entry, Point | None]
    spaces: dict[Entry, Rows]

    def groups(self) -> dict[Rows, list[Entry]]:
        """The entries by their row space, those with the smallest values first."""
        found: dict[Rows, list[Entry]] = {}
        for entry in sorted(self.points, key=self._order):
            found.setdefault(self.spaces[entry], []).append(entry)
        return found

    def _order(self, entry: Entry) -> tuple[int, int, Entry]:
        point = self.points[entry]
        shown = entry if point is None else point
        return point is None, sum(map(abs, shown)), tuple([-x for x in shown])


def columns_of(box: OpenMap, inside: Inside, modulus: int) -> tuple[Column, ...]:
    """By value where there are fewer values inside than residues that count."""
    found = []
    for k, (low, high) in enumerate(inside.ranges):
        period = modulus // gcd(modulus, box.start.weights[k], *[t.weights[k] for t, _ in box.moving()])
        found.append(Column(sym(unknown(k)), period if high - low + 1 > period else 0))
    return tuple(found)


def count_entries(columns: Sequence[Column], inside: Inside) -> int:
    """How many entries there are at most."""
    return prod(c.period or high - low + 1 for c, (low, high) in zip(columns, inside.ranges, strict=True))


def most_entries(budget: Budget) -> int:
    """How many entries the budget allows."""
    return max(1, budget.points // _POINTS_PER_ENTRY)


def make_table(
    places: tuple[int, ...],
    box: OpenMap,
    inside: Inside,
    columns: tuple[Column, ...],
    allowed: Allowed,
    engine: Engine = "auto",
    budget: Budget = DEFAULT,
) -> Table:
    """The table of all entries that are allowed; what it leaves out does not occur.

    Theory: the overflows at P depend on the start and the steps modulo P, and every place value
    divides the largest one.
    """
    points = {e: p for e, p in _Walk(inside, columns).run() if allowed(e)}
    known = _Spaces(places, box.sizes, engine, budget)
    return Table(columns, points, {e: known.of(box.at(e)) for e in points})


class _Walk:
    """The entries in order, each with a point near 0 that is inside."""

    def __init__(self, inside: Inside, columns: Sequence[Column]) -> None:
        self.inside, self.columns = inside, columns
        self.last = len(columns) - 1

    def run(self) -> Iterator[tuple[Entry, Point | None]]:
        for prefix in self._prefixes((), ()):
            reached, complete = self._reached(prefix)
            yield from (((*prefix, r), point) for r, point in reached.items())
            if not complete:
                low, high = self.inside.ranges[self.last]
                rest = range(self.columns[self.last].period) or range(low, high + 1)
                yield from (((*prefix, r), None) for r in rest if r not in reached)

    def _prefixes(self, entry: Entry, known: tuple[int | None, ...]) -> Iterator[Entry]:
        axis = len(entry)
        if axis == self.last:
            yield entry
            return
        period = self.columns[axis].period
        low, high = (0, period - 1) if period else self._span(axis, known)
        for value in range(low, high + 1):
            yield from self._prefixes((*entry, value), (*known, None if period else value))

    def _span(self, axis: int, known: tuple[int | None, ...]) -> tuple[int, int]:
        return self.inside.span(axis, (*known, *[None] * (self.last + 1 - len(known))))

    def _reached(self, prefix: Entry) -> tuple[dict[int, Point], bool]:
        """The entries of the last column with a point each, and whether no other one has any."""
        period = self.columns[self.last].period
        found: dict[int, Point] = {}
        self.complete = True
        for tried, values in enumerate(self._values(prefix, ())):
            if tried == _TRIED:
                return found, False
            low, high = self._span(self.last, values)
            if not self.inside.holds((*values, low)):  # nor anywhere else in its span
                continue
            for value in _near_zero(low, high, period) if period else range(low, high + 1):
                found.setdefault(value % period if period else value, (*values, value))
            if period and len(found) == period:
                return found, True
        return found, self.complete

    def _values(self, prefix: Entry, values: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """Values of all unknowns but the last one, small ones first."""
        axis = len(values)
        if axis == self.last:
            yield values
            return
        period = self.columns[axis].period
        if not period:
            yield from self._values(prefix, (*values, prefix[axis]))
            return
        low, high = self._span(axis, values)
        candidates = list(islice(_with_residue(low, high, prefix[axis], period), _NEAREST + 1))
        if len(candidates) > _NEAREST:
            self.complete = False
        for value in candidates[:_NEAREST]:
            yield from self._values(prefix, (*values, value))


def _with_residue(low: int, high: int, residue: int, period: int) -> Iterator[int]:
    """The values of an interval with that residue, the smallest absolute values first."""
    up = residue + max(0, -((residue - low) // period)) * period
    down = residue - period - max(0, -((high - residue + period) // period)) * period
    while up <= high or down >= low:
        if down < low or (up <= high and up <= -down):
            yield up
            up += period
        else:
            yield down
            down -= period


def _near_zero(low: int, high: int, period: int) -> Iterator[int]:
    """As many neighbours as there are residues, or the whole interval; near 0 where it can be."""
    first = min(max(low, -(period // 2)), max(low, high - period + 1))
    yield from range(first, min(high, first + period - 1) + 1)


class _Spaces:
    """Row spaces of boxes, each found once: flips and the order of the axes make no difference."""

    def __init__(self, places: tuple[int, ...], sizes: tuple[int, ...], engine: Engine, budget: Budget) -> None:
        self.places, self.sizes, self.engine, self.budget = places, sizes, engine, budget
        self.modulus = places[0] if places else 1
        self.known: dict[IndexMap, Rows] = {}

    def of(self, box: IndexMap) -> Rows:
        same = self._normal(box)
        if same not in self.known:
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
        if len(places) == 1:
            space.add((1,))
        elif carries and self.engine == "auto":
            few = prod(box.sizes) <= _FEW
            for index in product(*map(range, box.sizes)) if few else cheap_witnesses(box.sizes, carries):
                if space.add(vector(carries, index)) and space.is_full():
                    break
            else:
                if not few:
                    return self._searched(box)
        elif carries:
            return self._searched(box)
        return tuple([tuple([row[places.index(p)] if p in places else 0 for p in self.places]) for row in space.rows])

    def _searched(self, box: IndexMap) -> Rows:
        rows = find_rows(self.places, box, self.engine, self.budget)
        return rows.space.rows if rows.settled else None
