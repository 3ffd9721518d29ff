"""Parts of a layout behind swizzles."""

from __future__ import annotations

from typing import Any

from symview.cute.basis import coordinate_sum
from symview.cute.coordinate_layouts import CoordinateLayout
from symview.cute.int_tuple import entries
from symview.cute.layout import made, need_layout
from symview.cute.shape_arithmetic import kept_at, value_at
from symview.cute.swizzle import ComposedLayout
from symview.cute.swizzled.settled import as_strided, settled


def sliced(x: Any, coordinate: Any) -> Any:
    """The modes where the coordinate has None, with the values at the others; a layout where that is one."""
    return settled(_raw(x, entries(coordinate, "the coordinate", none=True))[0])


def sliced_and_offset(x: ComposedLayout, coordinate: Any) -> tuple[Any, Any]:
    """The same as a layout and an offset, where the values less the first are a layout; else with the offset 0."""
    found = _raw(x, entries(coordinate, "the coordinate", none=True))[0]
    straight = as_strided(found)
    return (settled(found), 0) if straight is None else (straight.layout, straight.base)


def _raw(x: Any, coordinate: Any) -> tuple[Any, Any]:
    """The modes that stay free and, of a layout, what the others add; behind a swizzle that is an offset inside."""
    if isinstance(x, ComposedLayout):
        layout, offset = _raw(x.layoutA, coordinate)
        return ComposedLayout(x.layoutB, coordinate_sum(x.offset, offset), layout), 0
    if isinstance(x, CoordinateLayout):
        return x.coded(lambda coded: _raw(coded, coordinate))  # type: ignore[no-any-return]
    layout = need_layout(x, "a slice")
    kept = made(kept_at(coordinate, layout.shape), kept_at(coordinate, layout.stride), layout.numeric)
    return kept, value_at(coordinate, layout.shape, layout.stride)
