"""The complement of a layout behind swizzles: that of the layout behind, where the swizzles keep it one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symview.cute.errors import LayoutError
from symview.cute.layout import Layout
from symview.cute.linear.reading import map_of, taken_apart
from symview.cute.swizzle import ComposedLayout
from symview.cute.swizzled.settled import is_numeric, settled
from symview.errors import Undecided

_WALKED = 1 << 16


def complement_behind(x: ComposedLayout, complement: Callable[[Any], Layout]) -> Layout:
    """The complement of the layout behind, which is that of x where x has the same values, in another order.

    It is, too, where the copies stand whole intervals apart that the swizzles permute: S(y + Q·t) = S(y) + Q·t. Raises
    what `complement` raises for the layout behind, LayoutError where the value at 0 is another, and Undecided where
    neither holds, or where there are too many values to be compared.
    """
    given = settled(x)
    if isinstance(given, Layout):
        return complement(given)
    if not is_numeric(given):
        raise LayoutError(f"complement of {x}: behind swizzles it needs numbers")
    f, behind = map_of(given, "complement"), taken_apart(given)[1]
    found, period = complement(behind), f.period() if f.is_swizzled() else None
    if f(0):
        raise LayoutError(f"complement of {x}: the value at 0 is {f(0)}; a complement is about layouts from 0 on")
    if period is not None and all(d % period == 0 for n, d in found.flat() if n > 1):
        return found
    indices = range(f.size)
    if len(indices) > _WALKED or set(map(f, indices)) != set(map(behind, indices)):
        raise Undecided(f"complement of {x}: the swizzle moves values out of those behind it, among the copies")
    return found
