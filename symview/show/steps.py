"""Views step by step, as a person works out whether they merge: place values, digits, and what one step does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

from symview.engine import radix
from symview.engine.index_map import index_text
from symview.engine.overflow import crossed
from symview.logic.sympy_bridge import is_number, to_text
from symview.show.grid import Block, Grid, filled
from symview.view import View, address_of


def carry_text(shape: Sequence[Any], places: Sequence[int], down: bool = False) -> str:
    """Which digit overflows into which at these place values; going down, which borrows from which.

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
    """One step along an axis: from which index to which, what the digits do, and how far it moves."""

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
    """Where in the first view's shape an index of the last one points to, masks aside."""
    here = index
    for below, view in reversed(list(pairwise(views))):
        here = radix.unravel(address_of(view, here), sizes_of(below))
    return here


def unit_above(lows: Sequence[int], axis: int) -> tuple[int, ...]:
    """The index one above the low corner along an axis."""
    return tuple([low + (a == axis) for a, low in enumerate(lows)])


def sizes_of(view: View) -> tuple[int, ...]:
    """The sizes of a view whose sizes are numbers."""
    sizes: Any = view.shape
    return tuple(sizes)


# Before any step: the dims, the steps in digits, the window


def setting_blocks(views: Sequence[View]) -> Iterator[Block]:
    """Of two views: the dims of the outer one, and the steps of the inner one in its digits; nothing for chains.

    >>> from symview.show.grid import joined
    >>> print(joined(setting_blocks((View.parse("(10,3,3):(a,b,c)"), View((4,), (4,))))))
    The outer view, dim by dim; the place value is what a step of its digit is worth in the flattened tensor.
    dim  size  stride  place value  contiguous with the next dim
    0    10    a       9            if a = 3b
    1    3     b       3            if b = 3c
    2    3     c       1
    <BLANKLINE>
    The inner view walks through the flattened tensor; a step that is no multiple of a place value may carry there.
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
    """Of an outer view whose mask has numbers: which places of the flattened tensor its mask lets through.

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
    reshaped = not inner.offset and all(map(_same, inner.strides, View(inner.shape).strides))
    kept = [prod(inner.shape[n:]) for n in range(inner.rank + 1)]
    rows = []
    for n, (size, stride, place) in enumerate(zip(outer.shape, outer.strides, places, strict=True)):
        last = n == outer.rank - 1
        no = "no" if all(map(is_number, (*outer.shape, *inner.shape))) else "not at every size"
        split = "" if last or not reshaped else "yes" if any(_same(place, k) for k in kept) else no
        texts = [to_text(x, "") for x in (size, stride, place)]
        rows.append((str(n), *texts, "" if last else _contiguous(outer, n), split))
    header = ("dim", "size", "stride", "place value", "contiguous with the next dim", "a place value of the new shape")
    title = "The outer view, dim by dim; the place value is what a step of its digit is worth in the flattened tensor."
    return filled(header, rows)._replace(title=title)


def _same(a: Any, b: Any) -> bool:
    return bool(a == b)


def _contiguous(outer: View, n: int) -> str:
    """Whether the dim's stride is that of the next one times its size; dims of size 1 have any stride."""
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
    title = f"{walks}; a step that is no multiple of a place value may carry there."
    return Grid(("axis", "size", "stride", "in digits", "may carry at"), tuple(rows), title)
