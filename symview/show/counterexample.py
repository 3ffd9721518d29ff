"""A counterexample as a person would tell it: what was expected, what was found, on which step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import prod
from operator import lt

from symview.counterexample import Counterexample, Kind, values_text
from symview.engine.index_map import index_text
from symview.show.grid import Block, Grid
from symview.show.steps import sizes_of, step_to, unit_above
from symview.view import View


def counterexample_blocks(
    counterexample: Counterexample, *views: View, lows: Sequence[int] | None = None
) -> Iterator[Block]:
    """The break with its numbers, the step on which it shows, and why that is one.

    `lows`: the least valid index, from which the first steps go; 0 where nothing is masked, and
    where it is not given, masked views show no step.

    >>> from symview import View, merge
    >>> from symview.show.grid import joined
    >>> outer, inner = View((10, 3, 3), (1, 1, 1)), View((4,), (4,))
    >>> print(joined(counterexample_blocks(merge(outer, inner), outer, inner)))
    The views do not merge.
    At index (3) one view would reach address 6, the composition reaches 2.
    <BLANKLINE>
    step along axis 0  digits              overflow             moves by
    (0) to (1)         (0,0,0) to (0,1,1)  none                 2
    (2) to (3)         (0,2,2) to (1,1,0)  dim 2 into 1 into 0  -2
    <BLANKLINE>
    A single view moves by the same amount on every step along an axis.
    """
    given, index = values_text(counterexample.values), index_text(counterexample.index)
    headline, finding = _told(counterexample, views)
    note = "" if counterexample.smallest else " There may be a smaller such index."
    yield f"{headline}{f' with {given}' if given else ''}.\nAt index {index} {finding}.{note}"
    if counterexample.kind is Kind.DISAGREE:
        steps = _steps(counterexample, views, lows)
        if steps is not None:
            yield steps
            yield "A single view moves by the same amount on every step along an axis."


def left_pair(found: Counterexample, views: Sequence[View]) -> tuple[View, View] | None:
    """The first two neighbours of which the inner one has the index, and there a place that the outer one lacks.

    >>> from symview import conditions
    >>> views = View((4,), (1,)), View((3,), (1,)), View.parse("(n):(1)")
    >>> left_pair(conditions(*views).counterexample(), views)[0]
    View((3,), (1,))
    """
    for outer, inner in pairwise([v.with_values(found.values) for v in views]):
        inside = len(found.index) == inner.rank and all(map(lt, found.index, sizes_of(inner)))
        if inside and inner.at(found.index) == found.got not in range(prod(sizes_of(outer))):
            return outer, inner
    return None


def _told(found: Counterexample, views: Sequence[View]) -> tuple[str, str]:
    """What is the matter, and how that shows at the index."""
    no_mask = "The views do not merge, since no mask has the valid indices and no others"
    match found.kind:
        case Kind.OUT_OF_BOUNDS:
            outer = (left_pair(found, views) or views)[0]
            shape = sizes_of(outer.with_values(found.values))
            places = f"the outer shape {index_text(shape)} has the places 0 to {prod(shape) - 1}"
            return "Out of bounds", f"the inner view is at place {found.got}; {places}"
        case Kind.VALID:
            return no_mask, "the composition is valid, one view would not be"
        case Kind.INVALID:
            return no_mask, "one view would be valid, the composition is not"
    reached = f"one view would reach address {found.expected}, the composition reaches {found.got}"
    return "The views do not merge", reached


def _steps(found: Counterexample, views: Sequence[View], lows: Sequence[int] | None) -> Grid | None:
    """The first step along the axis and the one that reaches the index; None where they tell nothing."""
    axis, index = found.axis, found.index
    numeric = [v.with_values(found.values) for v in views]
    if lows is None and all(v.mask is None for v in views):
        lows = [0] * views[-1].rank
    if axis is None or lows is None or index[axis] <= lows[axis]:
        return None
    first, last = step_to(numeric, unit_above(lows, axis), axis), step_to(numeric, index, axis)
    if first.moves == last.moves:
        return None
    return Grid((f"step along axis {axis}", "digits", "overflow", "moves by"), (first, last))
