"""The overflow table of two views: which digits overflow, at which index first, and which equation that forces."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from symview.cases.algebra import Algebra
from symview.cases.equations import Equations, combine, equation, monomials
from symview.cases.query import address_map, numeric_outer
from symview.engine import radix
from symview.engine.index_map import Index, IndexMap
from symview.engine.overflow import crossed, occurring, pattern
from symview.errors import NotSupported, Undecided
from symview.logic.budget import Budget, running
from symview.logic.sympy_bridge import free_symbols, is_number, to_text
from symview.logic.terms import Term
from symview.show.overflow_table import OverflowRow, OverflowTable
from symview.view import View, address_of, as_views

_STEPS, _WITH_NAMES = 40, 150  # budget steps for one row


def overflows(outer: View | str, inner: View | str, every: bool = False, budget: Budget | None = None) -> OverflowTable:
    """The overflow patterns that occur, per axis: each once, with the first index where it occurs.

    First is by the sum of the index, then lexicographically. With `every`, one row for each
    index and axis in row-major order instead, as in the tables of "Merging tensor views"
    (N. uit de Bos, 2025), section 4. Sizes are numbers; outer strides may be symbols.
    Raises OutOfBounds where the inner view leaves the outer shape.

    >>> table = overflows(View.parse("(10,3,3):(σ1,σ2,σ3)"), View((6,), (4,)))
    >>> [(r.index, r.digits, r.pattern) for r in table.rows]
    [((1,), (0, 1, 1), (0, 0)), ((3,), (1, 1, 0), (1, 1)), ((5,), (2, 0, 2), (1, 0))]
    >>> table.rows[1].equation()
    'σ1 + σ2 = 2σ2 + 2σ3 + τ'
    """
    outer, inner = as_views((outer, inner), "overflows")
    if outer.mask is not None or inner.mask is not None:
        raise NotSupported("overflows of masked views is not supported: leave the masks out, they move no digit")
    shape, box = numeric_outer(outer), address_map(inner)
    for size in inner.shape:
        if not is_number(size):
            raise NotSupported(f"overflows needs numbers as sizes, and {to_text(size)} is symbolic: give a number")
    box.check_inside(prod(shape))
    budget = running(budget)
    maker = _Rows(outer, box)
    if every:
        points, listed, reason = prod(box.sizes), tuple[OverflowRow, ...](), ""
        if points > budget.points:
            reason = f"the box has {points} indices, the budget lists {budget.points}"
        try:
            listed = () if reason else tuple(maker.every(budget.part(2)))  # printing them takes as long again
        except Undecided as stop:
            reason = stop.reason
        return OverflowTable(outer, inner, maker.places, listed, not reason, reason)
    found = occurring(maker.places, box, budget)
    rows = tuple([maker.row(o.index, o.axis) for o in found.found])
    return OverflowTable(outer, inner, maker.places, rows, found.complete, found.reason)


class _Rows:
    """Makes the rows of one table."""

    def __init__(self, outer: View, box: IndexMap) -> None:
        self.outer, self.box = View(outer.shape, outer.strides), box  # without its offset
        self.shape: Any = outer.shape
        self.places = radix.boundaries(self.shape)
        self.algebra = Algebra((), ())
        self.strides = [self.algebra.poly(s) for s in outer.strides]
        self.symbols = free_symbols(outer.strides)

    def every(self, budget: Budget) -> Iterator[OverflowRow]:
        """A row for the start, then one for each index and each axis along which it is reached."""
        steps = _STEPS if self.outer.is_numeric() else _WITH_NAMES
        for index in self.box.indices():
            axes = [a for a, i in enumerate(index) if i]
            budget.spend(steps * (1 + len(axes)))
            if not axes:
                yield self.row(index, None)
            for axis in axes:
                yield self.row(index, axis)

    def row(self, index: Index, axis: int | None) -> OverflowRow:
        """The row of the step that reaches the index along the axis."""
        here = self.box.at(index)
        digits = radix.unravel(here, self.shape)
        address = address_of(self.outer, digits)
        if axis is None:
            return OverflowRow(index, None, digits, None, (), None, address, None, self.symbols)
        step = self.box.steps[axis]
        old = radix.unravel(here - step, self.shape)
        return OverflowRow(
            index, axis, digits, pattern(self.places, here - step, step), crossed(self.places, here - step, step),
            address_of(self.outer, old), address, self._required(digits, old, axis), self.symbols,
        )  # fmt: skip

    def _required(self, digits: tuple[int, ...], old: tuple[int, ...], axis: int) -> Term | None:
        """The equation that makes this step as long as the axis' first step; None if it always is."""
        first = radix.unravel(self.box.start + self.box.steps[axis], self.shape)
        start = radix.unravel(self.box.start, self.shape)
        row = [a - b - c + d for a, b, c, d in zip(digits, old, first, start, strict=True)]
        forms = Equations([combine(row, self.strides)], monomials(self.strides)).forms
        return equation(forms[0]) if forms else None
