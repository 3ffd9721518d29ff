"""Two views of numbers: the view that they merge into, or where it breaks."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from symview.answers import Counterexample, Deferred, Kind
from symview.cases.query import address_map, open_region
from symview.engine import radix
from symview.engine.decide import Broken, decide, digits_of, smallest_violation, strides_of
from symview.engine.valid_box import NotABox, Region, Validity, smallest_witness, valid_box
from symview.engine.windows import windows_of
from symview.errors import InternalError, Undecided
from symview.logic.budget import Budget, running
from symview.view import View, compose_at, on_box


def merge_two(outer: View, inner: View, budget: Budget) -> View | Counterexample:
    """`merge` of two views that are known to be of numbers: exact, by place values on the box of valid indices."""
    masked = outer.mask is not None or inner.mask is not None
    budget = budget.started() if masked else budget
    valid = valid_region(outer, inner, budget) if masked else Region.whole(address_map(inner))
    if not isinstance(valid, Region):
        return valid
    found = decide(outer.shape, outer.strides, valid.box, budget)
    if isinstance(found, Broken):
        region, broken = valid, found
        return Deferred(Kind.DISAGREE, lambda: _disagreement(outer, region, broken, budget.plain().started()))
    if masked:
        return on_box(inner.shape, valid.lows, valid.box.sizes, found.steps, outer.offset + found.start)
    return View(inner.shape, found.steps, 0 if 0 in inner.shape else outer.offset + found.start)


def valid_region(outer: View, inner: View, budget: Budget) -> Region | View | Counterexample:
    """Where the composition of numeric views is valid: a box, or nowhere (the empty view), or no box."""
    if inner.is_void():
        return nowhere_valid(inner.shape)
    region = open_region(inner, prod(outer.shape))
    if outer.is_void():
        return nowhere_valid(inner.shape)
    found = valid_part([outer, inner], region, windows_of(outer.shape, outer.bounds()), budget)
    return nowhere_valid(inner.shape) if found is None else found


def valid_part(
    views: Sequence[View], region: Region, validity: Validity, budget: Budget
) -> Region | Counterexample | None:
    """The box of the indices of the region at which views in a row are valid; None where there are none.

    A counterexample where they are no box: its smallest index is looked for when it is asked for.
    """
    found = valid_box(region, validity, budget)
    if not isinstance(found, NotABox):
        return found
    wrong, kind = found, Kind.INVALID if found.side == "inside" else Kind.VALID

    def misplaced() -> Counterexample:
        try:
            index, proved = smallest_witness(wrong, region, validity, budget.plain().started()), True
        except Undecided:
            index, proved = wrong.witness, False
        got = compose_at(*views, index=index)
        if (got is None) != (kind is Kind.INVALID):
            raise InternalError(f"counterexample {index} of {' then '.join(map(str, views))} does not replay")
        return Counterexample(kind, index, None, None, got, proved)

    return Deferred(kind, misplaced)


def lowest_valid(views: Sequence[View], budget: Budget | None = None) -> Sequence[int] | None:
    """The low corner of the box of valid indices of two views of numbers; None where that is not known."""
    if len(views) != 2:
        return None
    try:
        region = valid_region(views[0], views[1], running(budget))
    except Undecided:
        return None
    return region.lows if isinstance(region, Region) else None


def nowhere_valid(shape: Sequence[Any]) -> View:
    """The view of a shape in which no index is valid; without a mask where there is no index at all."""
    return View(shape, (0,) * len(shape)) if 0 in shape else View.empty(shape)


def _disagreement(outer: View, region: Region, broken: Broken, budget: Budget) -> Counterexample:
    """The smallest index at which a broken merge disagrees, replayed on the definition."""
    box = region.box
    index, proved = smallest_violation(broken.carries, box.sizes, broken.defects, broken.witness, budget)
    axis = max(a for a, i in enumerate(index) if i)
    linear = strides_of(digits_of(outer.shape, outer.strides), box)
    expected = outer.offset + linear.start + sum(i * t for i, t in zip(index, linear.steps, strict=True))
    got = outer.at(radix.unravel(box.at(index), outer.shape))
    if got is None or got == expected:
        raise InternalError(f"counterexample {index} of {outer} does not replay")
    return Counterexample(Kind.DISAGREE, region.original(index), axis, expected, got, proved)
