"""The row spaces of many boxes behind one outer shape.

The overflows at a place value P depend on the start and the steps of a box modulo P, and every place value divides the
largest one. "Which boundaries overflow", proofs/README.md.
"""

from __future__ import annotations

from itertools import islice, product
from math import prod
from operator import mul

from symview.engine.index_map import IndexMap
from symview.engine.overflow import active_carries
from symview.engine.overflow_space import Engine, find_rows
from symview.engine.row_space import Row, RowSpace
from symview.logic.budget import Budget

Space = tuple[Row, ...]  # the rows of a row space
Rows = Space | None  # None where the budget did not settle it
_STEPS_PER_SPACE = 60  # of work
_FEW = 64  # indices that are all looked at


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
