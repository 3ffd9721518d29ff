"""Explains views step by step, as by hand: place values, digits, the effect of one step, and a break.

A break is explained by the expected address, the actual one, and the step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import prod
from operator import lt
from typing import Any, NamedTuple

from symview.counterexample import Counterexample, Kind, values_text
from symview.engine import radix
from symview.engine.index_map import index_text
from symview.engine.overflow import crossed
from symview.logic.integer import Integer
from symview.logic.sympy_bridge import is_number, to_text
from symview.show.grid import Block, Grid, filled
from symview.view import View, address_of

OUTER = "in the outer view"  # the column of the indices to which a step leads there


def carry_text(shape: Sequence[Integer], places: Sequence[int], down: bool = False) -> str:
    """Which digit overflows into which at these place values; for steps down, which borrows from which.

    >>> carry_text((10, 3, 3), (9, 3)), carry_text((10, 3, 3), (3,), down=True), carry_text((10, 3, 3), ())
    ('dim 2 into 1 into 0', 'dim 2 borrows from 1', 'none')
    """
    kept = [n for n, size in enumerate(shape) if size != 1]
    runs: list[list[int]] = []
    for place, (upper, lower) in reversed(list(zip(radix.boundaries(shape), pairwise(kept), strict=True))):
        if place not in places:
            continue
        if not runs or runs[-1][-1] != lower:
            runs.append([lower])
        runs[-1].append(upper)
    word = " borrows from " if down else " into "
    return ", ".join(f"dim {word.join(map(str, run))}" for run in runs) or "none"


class Step(NamedTuple):
    """One step along an axis: its indices before and after, its digits, and how far it moves."""

    indices: str
    digits: str
    overflow: str
    moves: str


def step_to(views: Sequence[View], index: Sequence[int], axis: int) -> Step:
    """The step that reaches the index along the axis."""
    before = tuple([i - (a == axis) for a, i in enumerate(index)])
    outer, shape = views[0], sizes_of(views[0])
    old, new = _digits(views, before), _digits(views, index)
    start, step = radix.ravel(old, shape), radix.ravel(new, shape) - radix.ravel(old, shape)
    carried = carry_text(shape, crossed(radix.boundaries(shape), start, step), step < 0)
    moved = to_text(address_of(outer, new) - address_of(outer, old), "")
    return Step(_from_to(before, index), _from_to(old, new), carried, moved)


def _from_to(old: Sequence[int], new: Sequence[int]) -> str:
    return f"{index_text(old)} to {index_text(new)}"


def _digits(views: Sequence[View], index: Sequence[int]) -> Sequence[int]:
    """The index in the first view's shape that an index of the last view points to, without masks."""
    here = index
    for below, view in reversed(list(pairwise(views))):
        here = radix.unravel(address_of(view, here), sizes_of(below))
    return here


def unit_above(lows: Sequence[int], axis: int) -> tuple[int, ...]:
    """The index one above the low corner along an axis."""
    return tuple([low + (a == axis) for a, low in enumerate(lows)])


def sizes_of(view: View) -> tuple[int, ...]:
    """The sizes of a view, which have to be numbers."""
    sizes: Any = view.shape
    return tuple(sizes)


# Without any particular step: the dims, the steps in digits, the window


def setting_blocks(views: Sequence[View]) -> Iterator[Block]:
    """For two views, the dims of the outer one and the steps of the inner one in its digits; nothing for chains.

    >>> from symview.show.grid import joined
    >>> print(joined(setting_blocks((View.parse("(10,3,3):(a,b,c)"), View((4,), (4,))))))
    The outer view, dim by dim; the place value is the step of its digit in the flattened tensor.
    dim  size  stride  place value  contiguous with the next dim
    0    10    a       9            if a = 3*b
    1    3     b       3            if b = 3*c
    2    3     c       1
    <BLANKLINE>
    The inner view walks through the flattened tensor; a step that is not a multiple of a place value may carry there.
    axis  size  stride  in digits  may carry at
    0     4     4       (0,1,1)    9, 3
    """
    if len(views) != 2:
        return
    outer, inner = views
    if outer.rank:
        yield _dims(outer, inner)
    if inner.rank and all(map(is_number, (*outer.shape, *inner.strides))):
        yield _axes(outer, inner)


def window_blocks(views: Sequence[View]) -> Iterator[Block]:
    """For an outer view with a numeric mask, the places of the flattened tensor that its mask allows.

    >>> print(next(window_blocks((View((4, 3), (3, 1), 0, [(1, 3), (0, 3)]), View((12,))))).plain())
    The outer mask is a window on a digit: what the inner view may reach, where x is its place.
    dim  valid digits  in terms of x
    0    1 to 2        3 ≤ x ≤ 8
    """
    outer = views[0]
    if len(views) != 2 or not isinstance(outer.mask, tuple):
        return
    if not all(map(is_number, (*outer.shape, *[x for pair in outer.mask for x in pair]))) or outer.is_void():
        return
    shape: Any = outer.shape
    rows = []
    for n, (low, high) in enumerate(outer.bounds()):
        place, period = prod(shape[n + 1 :]), prod(shape[n:])
        if (low, high) != (0, shape[n]):
            x = "x" if n == 0 else f"x mod {period}"
            rows.append((str(n), f"{low} to {high - 1}", f"{low * place} ≤ {x} ≤ {high * place - 1}"))
    title = "The outer mask is a window on a digit: what the inner view may reach, where x is its place."
    yield Grid(("dim", "valid digits", "in terms of x"), tuple(rows), title)


def _dims(outer: View, inner: View) -> Grid:
    places = [prod(outer.shape[n + 1 :]) for n in range(outer.rank)]
    reshaped = inner.offset == 0 and all(map(_same, inner.strides, View(inner.shape).strides))
    kept = [prod(inner.shape[n:]) for n in range(inner.rank + 1)]
    rows = []
    for n, (size, stride, place) in enumerate(zip(outer.shape, outer.strides, places, strict=True)):
        last = n == outer.rank - 1
        no = "no" if all(map(is_number, (*outer.shape, *inner.shape))) else "not at every size"
        split = "" if last or not reshaped else "yes" if any(_same(place, k) for k in kept) else no
        texts = [to_text(x, "") for x in (size, stride, place)]
        rows.append((str(n), *texts, "" if last else _contiguous(outer, n), split))
    header = ("dim", "size", "stride", "place value", "contiguous with the next dim", "a place value of the new shape")
    title = "The outer view, dim by dim; the place value is the step of its digit in the flattened tensor."
    return filled(header, rows)._replace(title=title)


def _same(a: Integer, b: Integer) -> bool:
    return bool(a == b)


def _contiguous(outer: View, n: int) -> str:
    """Whether the dim's stride is the size times the stride of the next one; dims of size 1 may have any stride."""
    if outer.shape[n] == 1:
        return "any stride: size 1"
    following = next((m for m in range(n + 1, outer.rank) if outer.shape[m] != 1), None)
    if following is None:
        return ""
    stride, size, below = outer.strides[n], outer.shape[following], outer.strides[following]
    product = size * below
    if is_number(stride) and is_number(product):
        sides = f"{to_text(size)}·{to_text(below)}"
        return f"yes: {stride} = {sides}" if stride == product else f"no: {stride} is not {sides}"
    return "yes" if stride == product else f"if {to_text(stride, '')} = {to_text(product, '')}"


def _axes(outer: View, inner: View) -> Grid:
    shape: Any = outer.shape
    rows = []
    for axis, (size, stride) in enumerate(zip(inner.shape, inner.strides, strict=True)):
        if is_number(size) and size < 2:
            rows.append((str(axis), str(size), str(stride), "no step", "none"))
            continue
        sign = "-" if stride < 0 else ""
        fits = abs(stride) < prod(shape)
        digits = sign + index_text(radix.unravel(abs(stride), shape)) if fits else "more than the tensor has"
        crossed = ", ".join(str(p) for p in radix.boundaries(shape) if p and stride % p) or "none"
        rows.append((str(axis), to_text(size), str(stride), digits, crossed))
    walks = "The inner view walks through the flattened tensor"
    title = f"{walks}; a step that is not a multiple of a place value may carry there."
    return Grid(("axis", "size", "stride", "in digits", "may carry at"), tuple(rows), title)


# Where views break


def counterexample_blocks(
    counterexample: Counterexample, *views: View, lows: Sequence[int] | None = None
) -> Iterator[Block]:
    """The break with its numbers, the step on which it shows, and the reason.

    `lows`: the least valid index, from which the first steps start; 0 if nothing is masked. If it is not given, masked
    views show no step.

    >>> from symview import View, merge
    >>> from symview.show.grid import joined
    >>> outer, inner = View((10, 3, 3), (1, 1, 1)), View((4,), (4,))
    >>> print(joined(counterexample_blocks(merge(outer, inner), outer, inner)))
    The views do not merge.
    At index (3) the element is at address 2; constant strides would put it at 6.
    <BLANKLINE>
    step along axis 0  in the outer view   overflow             address moves by
    (0) to (1)         (0,0,0) to (0,1,1)  none                 2
    (2) to (3)         (0,2,2) to (1,1,0)  dim 2 into 1 into 0  -2
    <BLANKLINE>
    A single view moves by the same amount on every step along an axis.
    """
    given, index = values_text(counterexample.values), index_text(counterexample.index)
    headline, finding = _headline_and_finding(counterexample, views)
    note = "" if counterexample.smallest else " There may be a smaller such index."
    yield f"{headline}{f' with {given}' if given else ''}.\nAt index {index} {finding}.{note}"
    if counterexample.kind is Kind.DISAGREE:
        steps = _breaking_steps(counterexample, views, lows)
        if steps is not None:
            yield steps
            yield "A single view moves by the same amount on every step along an axis."


def left_pair(found: Counterexample, views: Sequence[View]) -> tuple[View, View] | None:
    """The first pair of neighbours where the inner view has the index, and its address is outside the outer shape.

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


def _headline_and_finding(found: Counterexample, views: Sequence[View]) -> tuple[str, str]:
    """The headline, and the finding at the index."""
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
    reached = f"the element is at address {found.got}; constant strides would put it at {found.expected}"
    return "The views do not merge", reached


def _breaking_steps(found: Counterexample, views: Sequence[View], lows: Sequence[int] | None) -> Grid | None:
    """The first step along the axis and the one that reaches the index; None if they show no difference."""
    axis, index = found.axis, found.index
    numeric = [v.with_values(found.values) for v in views]
    if lows is None and all(v.mask is None for v in views):
        lows = [0] * views[-1].rank
    if axis is None or lows is None or index[axis] <= lows[axis]:
        return None
    first, last = step_to(numeric, unit_above(lows, axis), axis), step_to(numeric, index, axis)
    if first.moves == last.moves:
        return None
    return Grid((f"step along axis {axis}", OUTER, "overflow", "address moves by"), (first, last))
