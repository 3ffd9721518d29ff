"""The shape and the strides of a layout: what they may be, and compact strides in either order, as of CuTe's C++."""

from __future__ import annotations

from typing import Any

from symview.cute.basis import BasisElement
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import (
    DEEPEST,
    Coordinate,
    IntTuple,
    as_tuples,
    congruent,
    entries,
    leaves,
    number_text,
    profile_text,
)
from symview.cute.shape_arithmetic import compact, product_of


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


# What is given


def strides_of(shape: IntTuple, stride: Any) -> IntTuple:
    """The strides as given, checked to be integers or expressions, or as an order, or none, makes them."""
    if stride is None:
        return compact(shape)
    if is_order(stride):
        return compact_strides(shape, stride)
    stride = as_tuples(stride)
    if any(isinstance(d, BasisElement) for d in leaves(stride)):
        raise LayoutError(f"Layout({profile_text(shape)}, …) has numbers as strides; make_layout takes basis elements")
    return entries(stride, "an entry of the stride")


def is_plain(shape: Any, stride: Any) -> bool:
    """Whether shape and stride are numbers in tuples nested alike, every size from 1 on; most layouts are."""
    if shape.__class__ is int:
        return stride.__class__ is int and shape > 0
    if shape.__class__ is not tuple or stride.__class__ is not tuple or len(shape) != len(stride):
        return False
    for n in shape:
        if n.__class__ is not int or n < 1:
            return _are_plain(shape, stride, 0)
    for d in stride:  # noqa: SIM110  two loops take half of what one over pairs, or all(), takes
        if d.__class__ is not int:
            return False
    return True


def _are_plain(shape: tuple[Any, ...], stride: tuple[Any, ...], level: int) -> bool:
    """The same of parts that are nested themselves."""
    for n, d in zip(shape, stride, strict=True):
        if n.__class__ is int:
            if d.__class__ is not int or n < 1:
                return False
        elif (
            n.__class__ is not tuple
            or d.__class__ is not tuple
            or len(n) != len(d)
            or level == DEEPEST
            or not _are_plain(n, d, level + 1)
        ):
            return False
    return True


def checked(shape: IntTuple, stride: IntTuple) -> bool:
    """Whether all entries are numbers; LayoutError for a size below 1, and where the nesting differs."""
    if not congruent(shape, stride):
        shown = f"{profile_text(shape)}:{profile_text(stride)}"
        raise LayoutError(f"{shown}: shape and stride are nested differently; give one stride per size")
    numeric = True
    for n in leaves(shape):
        if type(n) is not int:
            numeric = False
        elif n < 1:
            shown = f"{profile_text(shape)}:{profile_text(stride)}"
            raise LayoutError(f"{shown}: the size {number_text(n)} is below 1; every mode has at least one coordinate")
    return numeric and all(type(d) is int for d in leaves(stride))


def is_inside(crd: Coordinate, shape: IntTuple) -> bool:
    """Whether each entry is an index of what stands in its place in the shape."""
    if isinstance(crd, tuple):
        return isinstance(shape, tuple) and len(crd) == len(shape) and all(map(is_inside, crd, shape))
    return type(crd) is int and 0 <= crd < product_of(shape)
