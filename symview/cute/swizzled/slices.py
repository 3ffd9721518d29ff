"""Parts of a layout behind swizzles."""

from __future__ import annotations

from typing import Any

from symview.cute.int_tuple import entries
from symview.cute.swizzle import ComposedLayout, kept_behind
from symview.cute.swizzled.settled import as_strided, settled


def sliced(x: Any, coordinate: Any) -> Any:
    """The modes where the coordinate has None, with the values at the others; a layout where that is one."""
    return settled(kept_behind(x, entries(coordinate, "the coordinate", none=True))[0])


def sliced_and_offset(x: ComposedLayout, coordinate: Any) -> tuple[Any, Any]:
    """The same as a layout and an offset, where the values less the first are a layout; else with the offset 0."""
    found = kept_behind(x, entries(coordinate, "the coordinate", none=True))[0]
    straight = as_strided(found)
    return (settled(found), 0) if straight is None else (straight.layout, straight.base)
