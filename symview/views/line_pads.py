"""A view that only shifts the line of indices and pads it: the views before and behind it can do both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import prod
from typing import NamedTuple

from symview.view import View


def without_pads(chain: Sequence[View]) -> Iterator[list[View]]:
    """The chains without one view between two others that takes y to y + o on an interval, and is invalid elsewhere.

    Claim: they mean the same. The view before it gets blocks in front and behind, masked out, so that each y + o is an
    index of it, and the offset of the view behind makes the shift. The interval has to be whole blocks, a block being
    what the leading dim of the view before counts.

    >>> for found in without_pads([View.parse(v) for v in ("(3,3):(1,3)", "(12):(1)-1 [1:10]", "(3,4):(4,1)")]):
    ...     print(*found, sep="; ")
    (5,3):(1,3)-1 [1:4,0:3]; (3,4):(4,1)+2
    """
    for at, (before, pad) in enumerate(pairwise(chain[:-1])):
        line = _line(pad)
        found = None if line is None else _padded(before, line)
        if found is not None:
            view, shift = found
            behind = chain[at + 2]
            moved = View(behind.shape, behind.strides, behind.offset + shift, behind.mask)
            yield [*chain[:at], view, moved, *chain[at + 3 :]]


class _Line(NamedTuple):
    """Takes y to y + shift where low <= y < high, out of `size` indices."""

    size: int
    shift: int
    low: int
    high: int


def _line(view: View) -> _Line | None:
    """The view as a line; None where it is none, or where its mask is no interval of the line."""
    if view.is_void() or 0 in view.shape:
        return None
    dims = [d for d in zip(view.shape, view.strides, view.bounds(), strict=True) if d[0] != 1]
    place = 1
    for size, stride, _ in reversed(dims):
        if stride != place:
            return None
        place *= size
    if any(bounds != (0, size) for size, _, bounds in dims[1:]):
        return None
    below = prod(n for n, _, _ in dims[1:])
    low, high = dims[0][2] if dims else (0, 1)
    return _Line(place, view.offset, low * below, high * below)


def _padded(before: View, line: _Line) -> tuple[View, int] | None:
    """The view with blocks around it, and where y = 0 is then; None where the interval is not of whole blocks."""
    if not before.rank or before.is_void():
        return None
    lead, block = before.shape[0], prod(before.shape[1:])
    first, last = line.low + line.shift, line.high + line.shift
    if first % block or last % block:
        return None
    front = max(0, -(line.shift // block))
    back = max(0, -(-(line.size + line.shift) // block) - lead)
    whole = [(0, n) for n in before.shape[1:]]
    cut = before.shrink([(first // block, last // block), *whole])
    around = (front + first // block, back + lead - last // block)
    return cut.pad([around, *((0, 0) for _ in whole)]), line.shift + front * block
