"""Layouts from a shape and an order, as CuTe's C++ and the CuTe DSL make them; a size of 1 gets the stride 0."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symview.cute.basis import BasisElement
from symview.cute.comparer import rounded_up, times
from symview.cute.complements import complement
from symview.cute.coordinate_layouts import CoordinateLayout
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import IntTuple, as_tuples, entries, leaves, like, numbers, profile_text, sizes
from symview.cute.keywords import also_named
from symview.cute.layout import Layout, is_layout, made, need_layout
from symview.cute.layout import make_layout as of_modes
from symview.cute.measures import shape_of
from symview.cute.shape_arithmetic import product_of
from symview.cute.strides import LayoutLeft, compact_strides, is_order
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.cute.swizzled.side_by_side import side_by_side


def make_layout(*parts: Any, shape: Any = None, stride: Any = None) -> Any:
    """A layout of layouts, each of them a mode; or one of a shape, with strides or an order.

    `make_layout(A, B, …)` and `make_layout([A, B])` are pycute's. `make_layout(shape)` and
    `make_layout(shape, LayoutRight)` are compact, as in C++: a mode of size 1 has the stride 0
    (`Layout(shape)` gives it pycute's). Strides may be named, as in the CuTe DSL, and be multiples of
    basis elements: then it is a CoordinateLayout. The value of layouts behind swizzles as modes is
    the sum of theirs: a layout behind one of the swizzles, or NoAnswer with the coordinate. LayoutError
    where layouts and numbers are mixed, and where shape and strides do not fit.
    Source: `make_layout` of CuTe's `layout.hpp`.

    >>> print(make_layout(Layout(2), Layout((3, 4), (2, 6))))
    (2,(3,4)):(1,(2,6))
    >>> from symview.cute import LayoutRight
    >>> print(make_layout((2, (1, 3))), make_layout((2, 3), LayoutRight), make_layout((2, 3), stride=(3, 1)))
    (2,(1,3)):(1,(0,2)) (2,3):(3,1) (2,3):(3,1)
    """
    if shape is not None:
        parts = (shape, *parts)
    if stride is None and _are_layouts(parts):
        given = list(parts if len(parts) != 1 or is_layout(parts[0]) else parts[0])
        if any(isinstance(x, ComposedLayout) for x in given):
            return side_by_side(given)
        if any(isinstance(x, CoordinateLayout) for x in given):
            return CoordinateLayout(tuple([x.shape for x in given]), tuple([x.stride for x in given]))
        return of_modes(given)
    if stride is not None:
        parts = (*parts, stride)
    odd = [x for x in parts if not is_layout(x)] if any(map(is_layout, parts)) else []
    if odd:
        raise LayoutError(f"make_layout: {odd[0]!r} is no layout, as the others are")
    if any(isinstance(x, Swizzle) for x in parts):
        raise LayoutError(f"make_layout of {parts}: a swizzle has no shape: composition(Swizzle(…), Layout(…)) has one")
    if len(parts) not in (1, 2):
        raise LayoutError(f"make_layout of {len(parts)} arguments: give layouts, or one shape and its strides")
    shape, order = parts if len(parts) == 2 else (parts[0], LayoutLeft)
    if any(isinstance(d, BasisElement) for d in leaves(as_tuples(order))):
        return CoordinateLayout(shape, order)
    return Layout(shape, order)


def _are_layouts(parts: tuple[Any, ...]) -> bool:
    given = parts[0] if len(parts) == 1 and not is_layout(parts[0]) else parts
    return isinstance(given, Iterable) and all(map(is_layout, given if isinstance(given, (tuple, list)) else parts))


def make_ordered_layout(shape: Any, order: Any) -> Layout:
    """The compact layout whose modes are as fast as their places in the order, the lowest the fastest.

    `order` is nested as the shape is, or less deeply: below an entry of it, the first mode is the
    fastest. Modes of equal order start at the same stride, as in C++. `order` may also be
    LayoutLeft or LayoutRight. LayoutError where the two do not fit.
    Source: `make_ordered_layout` of CuTe's `layout.hpp`.

    >>> print(make_ordered_layout((2, 2, 2, 2), (0, 2, 3, 1)))
    (2,2,2,2):(1,4,8,2)
    >>> print(make_ordered_layout(((2, 3), 4), (1, 0)))
    ((2,3),4):((4,8),1)
    """
    if is_order(order):
        return Layout(shape, order)
    shape, order = sizes(shape), numbers(order, "the order")
    ranked = [(place, product_of(part)) for place, part in zip(leaves(order), _under(order, shape), strict=True)]
    starts = iter([product_of(tuple([n for other, n in ranked if other < place])) for place, _ in ranked])
    stride = _compact_under(order, shape, like(order, starts))
    return made(shape, stride, all(type(n) is int for n in leaves(shape)))


def _under(profile: IntTuple, shape: IntTuple) -> list[IntTuple]:
    """The parts of the shape under each entry of the profile."""
    if not isinstance(profile, tuple):
        return [shape]
    if not isinstance(shape, tuple) or len(profile) != len(shape):
        raise LayoutError(
            f"the order {profile_text(profile)} does not fit {profile_text(shape)}: give one entry a mode"
        )
    return [part for p, s in zip(profile, shape, strict=True) for part in _under(p, s)]


def _compact_under(profile: IntTuple, shape: IntTuple, starts: IntTuple) -> IntTuple:
    if isinstance(profile, tuple):
        return tuple(map(_compact_under, profile, shape, starts))
    return compact_strides(shape, first=starts)


@also_named(input="layout")
def make_layout_like(layout: Layout) -> Layout:
    """The compact layout of the same shape, its modes ordered as by the layout's strides; stride 0 stays.

    Of numbers. Source: `make_layout_like` of CuTe's `layout.hpp`.

    >>> print(make_layout_like(Layout((2, 2, 2, 2), (0, 2, 4, 1))), make_layout_like(Layout((4, 3), (30, 10))))
    (2,2,2,2):(0,2,4,1) (4,3):(3,1)
    """
    stride = numbers(need_layout(layout, "make_layout_like").stride, "the stride")
    kept = [1 if d == 0 else n for n, d in layout.flat()]
    ordered = make_ordered_layout(like(layout.shape, iter(kept)), stride)
    return made(layout.shape, ordered.stride, layout.numeric)


@also_named(a="shape")
def product_each(shape: Any) -> IntTuple:
    """The product of each mode.

    >>> product_each(((2, 3), 4)), product_each(6)
    ((6, 4), (6,))
    """
    shape = entries(shape, "the shape")
    return tuple(map(product_of, shape)) if isinstance(shape, tuple) else (shape,)


@also_named(input="a", tiler="b")
def ceil_div(a: Any, b: Any) -> IntTuple:
    """⌈a / b⌉, mode by mode; an integer b goes through the modes of a, as far as it reaches; a layout b counts tiles.

    Names stand for numbers from 1 on. LayoutError for a divisor below 1.
    Source: `ceil_div` of CuTe's `int_tuple.hpp` and `layout.hpp`.

    >>> ceil_div((10, 6), (3, 4)), ceil_div((4, 6), 8), ceil_div(10, (2, 2))
    ((4, 2), (1, 3), 3)
    >>> ceil_div(Layout.parse("(m,128*k)").shape, (128, 64))
    (ceiling(m/128), 2*k)
    """
    if isinstance(b, Layout):
        return complement(b, product_of(entries(a, "the shape"))).shape
    a, b = as_tuples(a), as_tuples(b)
    if isinstance(b, tuple) and isinstance(a, tuple) and any(map(is_layout, b)):
        return tuple(map(ceil_div, a, _padded(a, b)))
    return _ceil_div(sizes(a), sizes(b, "the divisor"))


def _ceil_div(a: IntTuple, b: IntTuple) -> IntTuple:
    if not isinstance(a, tuple):
        return rounded_up(a, product_of(b))
    if isinstance(b, tuple):
        return tuple(map(_ceil_div, a, _padded(a, b)))
    found = []
    for part in a:
        found.append(_ceil_div(part, b))
        b = rounded_up(b, product_of(part))
    return tuple(found)


def _padded(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    if len(b) > len(a):
        raise LayoutError(f"the divisor has {len(b)} modes, {profile_text(a)} has {len(a)}: give at most as many")
    return (*b, *[1] * (len(a) - len(b)))


def round_up(a: Any, b: Any) -> IntTuple:
    """`a` rounded up to a multiple of b, mode by mode; modes that b does not have stay.

    >>> round_up((10, 6, 5), (3, 4)), round_up(10, 4)
    ((12, 8, 5), 12)
    """
    a, b = sizes(a), sizes(b, "the divisor")
    if isinstance(a, tuple) != isinstance(b, tuple):
        raise LayoutError(f"round_up of {profile_text(a)} and {profile_text(b)}: give two tuples, or two integers")
    return tuple(map(round_up, a, _padded(a, b))) if isinstance(a, tuple) else times(rounded_up(a, b), b)


def compatible(a: Any, b: Any) -> bool:
    """Whether every coordinate of `a` is one of b as well: equal sizes, b nested as `a` is or more deeply.

    Of shapes or layouts of numbers. Source: `compatible` of CuTe's `int_tuple.hpp`.

    >>> compatible(24, (4, 6)), compatible((4, 6), ((2, 2), 6)), compatible((4, 6), 24)
    (True, True, False)
    """
    a, b = shape_of(a, "compatible"), shape_of(b, "compatible")
    if not isinstance(a, tuple):
        return bool(a == product_of(b))
    return isinstance(b, tuple) and len(a) == len(b) and all(map(compatible, a, b))
