"""The bits that each bit of an index moves, where the fronts and the layout behind only move bits."""

from __future__ import annotations

from functools import partial
from typing import Any

from symview.cute.layout import Layout
from symview.cute.linear.bases import first_overlap
from symview.cute.swizzle import Swizzle
from symview.cute.swizzled.chain import Chain
from symview.logic.bits import Bits

_PLAIN = Bits()


def masks_of(chain: Chain) -> tuple[int, list[list[int]]] | None:
    """The value at 0 and, by flat mode, what each bit of its coordinate xors onto it; None where sums carry.

    Sizes have to be powers of two. A sum o + Σ x_i·v_i over bits x_i is an exclusive or where the
    masks o ^ (o + v_i) have no bit in common; swizzles then act on each mask by itself.

    >>> from symview.cute import Layout, Swizzle
    >>> masks_of(Chain(((Swizzle(1, 0, 2), 0),), Layout((4, 2), (1, 4))))
    (0, [[1, 2], [5]])
    """
    modes = chain.modes()
    if any(n & n - 1 for n, _ in modes):
        return None
    constant, masks = 0, [d << k for n, d in modes for k in range(n.bit_length() - 1)]
    added = True  # whether the masks are still numbers to add, not bits to flip
    for front, offset in reversed(chain.fronts):
        if not added and offset:
            if first_overlap(masks) is not None:
                return None
            masks = [(constant ^ b) - constant for b in masks]
        added, constant = added or offset != 0, constant + offset
        if added:
            masks = [constant ^ constant + v for v in masks]
            if first_overlap(masks) is not None:
                return None
        if not isinstance(front, Swizzle) and not _flips(front, max([constant, *masks]).bit_length()):
            return None
        of: Any = partial(front.of, _PLAIN) if isinstance(front, Swizzle) else front
        added, constant, masks = False, of(constant), [of(b) for b in masks]
    if added:
        return None
    rest = iter(masks)
    return constant, [[next(rest) for _ in range(n.bit_length() - 1)] for n, _ in modes]


def _flips(layout: Layout, bits: int) -> bool:
    """Whether a layout is an exclusive or of its values at so many bits of its index, the last mode extended."""
    steps = []
    for n, d in layout.flat()[:-1]:
        if n & n - 1:
            return False
        steps += [d << k for k in range(n.bit_length() - 1)]
    steps += [layout.flat()[-1][1] << k for k in range(bits - len(steps))] if layout.flat() else []
    return min(steps, default=0) >= 0 and first_overlap(steps) is None
