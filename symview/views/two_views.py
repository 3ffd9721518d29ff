"""Two views of numbers: the view that they merge into, or the index where the merge breaks."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from symview.cases.query import address_map, open_region
from symview.counterexample import Counterexample, Kind, disagreement, valid_part
from symview.engine.decide import Broken, decide
from symview.engine.valid_box import Region
from symview.engine.windows import windows_of
from symview.errors import Undecided
from symview.logic.budget import Budget, running
from symview.view import View, compose_at, nowhere_valid, on_box


def merge_two(outer: View, inner: View, budget: Budget) -> View | Counterexample:
    """`merge` for two views of numbers: exact, by place values on the box of valid indices."""
    masked = outer.mask is not None or inner.mask is not None
    budget = budget.started() if masked else budget
    valid = valid_region(outer, inner, budget) if masked else Region.whole(address_map(inner))
    if not isinstance(valid, Region):
        return valid
    found = decide(outer.shape, outer.strides, valid.box, budget)
    if isinstance(found, Broken):
        region, broken = valid, found
        return Counterexample.deferred(
            Kind.DISAGREE, lambda: disagreement(outer, region, broken, budget.plain().started())
        )
    if masked:
        return on_box(inner.shape, valid.lows, valid.box.sizes, found.steps, outer.offset + found.start)
    return View(inner.shape, found.steps, 0 if 0 in inner.shape else outer.offset + found.start)


def valid_region(outer: View, inner: View, budget: Budget) -> Region | View | Counterexample:
    """Where the composition of numeric views is valid: on a box, nowhere (then the empty view), or on no box."""
    if inner.is_void():
        return nowhere_valid(inner.shape)
    region = open_region(inner, prod(outer.shape))
    if outer.is_void():
        return nowhere_valid(inner.shape)
    if outer.mask is None:
        return region
    found = valid_part(
        lambda i: compose_at(outer, inner, index=i), region, windows_of(outer.shape, outer.bounds()), budget
    )
    return nowhere_valid(inner.shape) if found is None else found


def lowest_valid(views: Sequence[View], budget: Budget | None = None) -> Sequence[int] | None:
    """The low corner of the box of valid indices of two views of numbers; None if unknown."""
    if len(views) != 2:
        return None
    try:
        region = valid_region(views[0], views[1], running(budget))
    except Undecided:
        return None
    return region.lows if isinstance(region, Region) else None
