"""Where views with unknown strides are valid, sizes and masks being numbers: a finite table of boxes."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from symview.engine.open_map import Inside, Point
from symview.engine.stride_table import Column, columns_of, make_table
from symview.engine.valid_box import Region, valid_box
from symview.engine.windows import windows_of
from symview.errors import Undecided
from symview.logic.polynomial import ONE, plus
from symview.logic.sympy_bridge import is_number
from symview.logic.terms import TRUE, Term, conj
from symview.symbolic.facts import Query
from symview.symbolic.stride_formulas import describe, stays, told
from symview.symbolic.stride_unknowns import Reached, Unknowns
from symview.symbolic.windows import Outcome, ValidBox
from symview.view import View

_MOST_ENTRIES = 6_000  # whose boxes are looked for one by one
_STEPS_PER_BOX = 300  # of work


def has_numeric_masks(query: Query) -> bool:
    """Whether sizes and masks are numbers, some index is there, and the first view is not hidden."""
    outer, inner = query.views
    bounds = [x for v in query.views for pair in v.bounds() for x in pair]
    numbers = all(map(is_number, (*outer.shape, *inner.shape, *bounds)))
    return numbers and not inner.is_void() and not outer.is_void()


def outcomes_by_table(query: Query) -> Iterator[tuple[Outcome | ValidBox, Term]]:
    """Each box of valid indices, or what else they are, and where that is so; disjoint and for all values.

    Which indices are valid depends on the start and the strides modulo the largest place value whose digit is masked.
    Raises Undecided where there are too many such values.
    """
    outer, inner = query.views
    bounds: Any = inner.bounds()
    lows, sizes = tuple([a for a, _ in bounds]), tuple([b - a for a, b in bounds])
    start = sum((a * t for a, t in zip(lows, inner.strides, strict=True)), inner.offset)
    unknowns, size = Unknowns(query, View(sizes, inner.strides, start)), prod(outer.shape)
    inside, windows = Inside(unknowns.box, size, query.budget), windows_of(outer.shape, outer.bounds())
    if inside.empty:
        yield Outcome.OUTSIDE, TRUE
        return
    columns = columns_of(inside, (max((w.modulus for w in windows), default=1),), query.budget)
    if _count(columns) > _MOST_ENTRIES:
        raise Undecided("too many residues of the strides and the offset matter")

    def box(point: Point) -> tuple[tuple[int, ...], tuple[int, ...]] | Outcome:
        query.budget.spend(_STEPS_PER_BOX)
        found = valid_box(Region(lows, unknowns.box.at(point)), windows, query.budget)
        if isinstance(found, Region):
            return found.lows, found.box.sizes
        return Outcome.NOWHERE if found is None else Outcome.NO_BOX

    reached = Reached(unknowns, query.facts.formulas, inside, columns)
    table = make_table(inside, columns, reached.allows, box, query.budget)
    within, called = stays(unknowns.box, size, unknowns.term), told(columns, unknowns.term)
    for found, entries in table.by_space().items():
        if table.point(entries, inside) is not None:
            where = conj([within, describe(entries, table.points, called, query.budget)])
            yield found if isinstance(found, Outcome) else _valid(query, *found), where
    yield Outcome.OUTSIDE, stays(unknowns.box, size, unknowns.term, negate=True)


def _count(columns: tuple[Column, ...]) -> int:
    return prod(len(c.entries()) for c in columns)


def _valid(query: Query, lows: tuple[int, ...], sizes: tuple[int, ...]) -> ValidBox:
    inner, algebra = query.views[1], query.algebra
    start = algebra.poly(inner.offset)
    for low, stride in zip(lows, inner.strides, strict=True):
        start = plus(start, algebra.poly(stride), low)
    return ValidBox(lows, sizes, start.get(ONE, 0) if set(start) <= {ONE} else algebra.term(start))
