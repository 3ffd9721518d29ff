"""What the shape and the strides of a layout may be, and what these are made of."""

from __future__ import annotations

from typing import Any

from symview.cute.basis import BasisElement
from symview.cute.compact import compact_strides, is_order
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
