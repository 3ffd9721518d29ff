"""What integers alone tell of a view whose strides and offset are unknown: a finite table of row spaces.

Inside the outer shape the unknowns have finitely many values (`open_map.Inside`), and overflows see only their
residues modulo place values: so there is a row space for each combination of residues or values. "Which boundaries
overflow", proofs/README.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice, product
from math import gcd, prod
from operator import mul
from typing import Generic, NamedTuple, TypeVar

from symview.engine.index_map import IndexMap
from symview.engine.open_map import Inside, Point
from symview.engine.overflow import active_carries
from symview.engine.overflow_space import Engine, find_rows
from symview.engine.row_space import Row, RowSpace
from symview.engine.size_sets import coordinate
from symview.errors import Undecided
from symview.logic.budget import Budget

Entry = tuple[int, ...]  # for each unknown its value or, where its column has a period, its residue
Space = tuple[Row, ...]  # the rows of a row space
Rows = Space | None  # None where the budget did not settle it
Told = TypeVar("Told")
_INDICES_PER_ENTRY = 5  # a row space costs about as much as walking so many indices
_STEPS_PER_ENTRY, _STEPS_PER_SPACE = 15, 60  # of work
_NEAREST = 4  # values of an unknown that are tried, for each residue
_SHORT = 10_000  # entries for which more than the nearest values are tried
_FEW = 64  # indices that are all looked at


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
    spaces = RowSpaces(places, inside.moving.sizes, engine, budget)
    return lambda point: spaces.of(inside.moving.at(point))


class RowSpaces:
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
