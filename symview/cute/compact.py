"""The compact strides of a shape, in either order, as CuTe's C++ has them: a size of 1 gets the stride 0."""

from __future__ import annotations

from typing import Any

from symview.cute.int_tuple import IntTuple


class LayoutLeft:
    """The order in which the first mode is the fastest: `make_layout(shape, LayoutLeft)`, "column-major"."""


class LayoutRight:
    """The order in which the last mode is the fastest: `make_layout(shape, LayoutRight)`, "row-major"."""


GenColMajor, GenRowMajor = LayoutLeft, LayoutRight  # older names of C++


def is_order(x: Any) -> bool:
    """Whether it is LayoutLeft or LayoutRight, the class or an instance.

    >>> is_order(LayoutRight), is_order(LayoutLeft()), is_order((4, 1))
    (True, True, False)
    """
    return (x if isinstance(x, type) else type(x)) in (LayoutLeft, LayoutRight)


def compact_strides(shape: IntTuple, order: Any = LayoutLeft, first: Any = 1) -> IntTuple:
    """The strides of a shape, checked before, from a first one on.

    >>> compact_strides((2, (1, 3))), compact_strides((2, (1, 3)), LayoutRight)
    ((1, (0, 2)), (3, (0, 1)))
    """
    return _compact(shape, first, LayoutRight in (order, type(order)))[0]


def _compact(shape: IntTuple, step: Any, backwards: bool) -> tuple[IntTuple, Any]:
    """The strides, and what follows them."""
    if not isinstance(shape, tuple):
        return (0 if type(shape) is int and shape == 1 else step), step * shape
    found = []
    for part in reversed(shape) if backwards else shape:
        strides, step = _compact(part, step, backwards)
        found.append(strides)
    return tuple(found[::-1] if backwards else found), step
