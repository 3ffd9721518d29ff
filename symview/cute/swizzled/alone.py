"""Swizzles without a layout, as functions of all numbers from 0 on: how they compose, and how they recast."""

from __future__ import annotations

from symview.cute.errors import LayoutError, NoAnswer
from symview.cute.swizzle import Swizzle


def merged(outer: Swizzle, inner: Swizzle) -> Swizzle:
    """The swizzle that equals outer ∘ inner; raises NoAnswer if none does.

    Both swizzles are linear over bits, so comparing the images of single bits decides. The error names where each bit
    has to go.

    Source: `composition` of two swizzles in CuTe's `swizzle.hpp`, which merges any two with the same shift. If one of
    them reads bits that the other changes, the result there is a different function.

    >>> merged(Swizzle(1, 0, 3), Swizzle(1, 1, 3)), merged(Swizzle(2, 0, 3), Swizzle(2, 0, 3))
    (Swizzle(2,0,3), Swizzle(0,0,0))
    """
    top = max(outer.size(), inner.size()).bit_length()
    moves = [outer(inner(1 << k)) ^ 1 << k for k in range(top)]
    moving = [k for k, move in enumerate(moves) if move]
    if not moving:
        return Swizzle(0, 0, 0)
    shift = moving[0] - (moves[moving[0]].bit_length() - 1)
    if len(moving) <= abs(shift):
        found = Swizzle(len(moving), moving[0] - max(shift, 0), shift)
        if all(found(1 << k) == move ^ 1 << k for k, move in enumerate(moves)):
            return found
    shown = ", ".join([f"{1 << k} to {move ^ 1 << k}" for k, move in enumerate(moves) if move])
    raise NoAnswer(f"composition of {outer} and {inner}: no swizzle takes {shown}; keep both swizzles")


def upcast_swizzle(swizzle: Swizzle, n: int) -> Swizzle:
    """The swizzle of elements n times as wide; raises NoAnswer if the swizzle splits such an element.

    CuTe silently drops the bits below the new element: for `Swizzle(1,0,2)` by 2 it returns the identity, though 4 goes
    to 5.

    Source: `upcast` of CuTe's `swizzle_layout.hpp`.
    """
    low = _bits(n, "upcast")
    if swizzle.bits and swizzle.base < low:
        at = 1 << swizzle.base + max(swizzle.shift, 0)
        raise NoAnswer(f"upcast of {swizzle} by {n}: it takes {at} to {swizzle(at)}, so units are taken apart")
    return Swizzle(swizzle.bits, max(swizzle.base - low, 0), swizzle.shift)


def downcast_swizzle(swizzle: Swizzle, n: int) -> Swizzle:
    """The swizzle of elements 1/n as wide, which moves the same bytes."""
    return Swizzle(swizzle.bits, swizzle.base + _bits(n, "downcast"), swizzle.shift)


def _bits(n: int, what: str) -> int:
    if n & n - 1:
        raise LayoutError(f"{what} of a swizzle by {n}: it moves bits; give a power of two")
    return n.bit_length() - 1
