"""Which values a layout of numbers reaches: an index at which some bit is set, or that none is."""

from __future__ import annotations

from typing import Any

from symview.cute.layout import Layout
from symview.cute.residues import LARGEST, first_with, numbered
from symview.cute.swizzled.chain import TABLE, Chain, linear
from symview.engine.ring import Ring
from symview.logic.bits import Bits, least
from symview.logic.budget import Budget


def index_with(layout: Layout, offset: int, mask: int, budget: Budget) -> int | None:
    """The least index at which offset + layout has a bit of the mask, None where there is none; values from 0 on.

    >>> from symview.logic.budget import DEFAULT
    >>> index_with(Layout((4, 4), (1, 8)), 0, 4, DEFAULT), index_with(Layout((4, 4), (1, 6)), 0, 4, DEFAULT)
    (None, 4)
    """
    period = 1 << mask.bit_length()
    if period <= LARGEST:
        wanted = numbered(r for r in range(period) if r & mask)
        return first_with(layout.flat(), wanted, Ring(period), offset)
    if layout.size() <= TABLE:
        return next((i for i in range(layout.size()) if offset + layout(i) & mask), None)

    def is_set(bits: Bits, i: Any) -> Any:
        return linear(layout, bits, i) + offset & mask != 0

    width = max(Chain((), layout).width(), mask.bit_length(), offset.bit_length()) + 2
    return least(layout.size(), width, is_set, budget)
