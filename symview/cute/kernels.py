"""What CuTe's C++ and its DSL ask beside the algebra: of shapes, strides and nested tuples, and what kernels need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symview.cute.analysis.image import footprint
from symview.cute.basis import BasisElement, coordinate_sum
from symview.cute.construction import make_layout, make_ordered_layout
from symview.cute.coordinate_layouts import CoordinateLayout
from symview.cute.errors import LayoutError, no_layout
from symview.cute.int_tuple import (
    IntTuple,
    as_tuples,
    congruent,
    entries,
    has_none,
    is_int,
    leaves,
    like,
    listed,
    number_text,
    numbers,
    profile_text,
)
from symview.cute.keywords import also_named
from symview.cute.layout import Layout, is_layout, need_layout
from symview.cute.measures import cosize, innermost, rank, shape_of
from symview.cute.operations import tiled_product
from symview.cute.rearranging import append, filter_zeros, get, prepend, slice_and_offset, take
from symview.cute.shape_arithmetic import product_of
from symview.cute.swizzle import ComposedLayout, Swizzle

_MASK_BITS = 1 << 12
NO_SWIZZLE = Swizzle(0, 4, 3)


def shape(x: Any, mode: Any = None) -> IntTuple:
    """The shape of a layout, or the tuple itself, perhaps of the mode at a path.

    >>> shape(Layout((4, (8, 2)))), shape(Layout((4, (8, 2))), mode=[1, 0])
    ((4, (8, 2)), 8)
    """
    return shape_of(x, "shape", mode)


def stride(layout: Any, mode: Any = None) -> Any:
    """The strides of a layout, perhaps of the mode at a path.

    >>> stride(Layout((4, (8, 2))), mode=[1])
    (4, 32)
    """
    found = layout if mode is None else get(layout, mode=mode)
    if not isinstance(found, (Layout, CoordinateLayout)):
        raise LayoutError(f"stride: {layout!r} is no layout of a shape and strides")
    return found.stride


def front(x: Any) -> Any:
    """The first entry, however deep it stands; of a layout, its first mode.

    >>> print(front(((3, 4), 5)), front(Layout(((3, 4), 5))))
    3 3:1
    """
    x = as_tuples(x)
    while isinstance(x, tuple) or (is_layout(x) and isinstance(shape(x), tuple)):
        x = get(x, 0)
    return x


@also_named(a="x")
def flatten_to_tuple(x: Any) -> tuple[Any, ...]:
    """The entries from left to right; of an integer, the tuple of it."""
    return tuple(leaves(as_tuples(x)))


def repeat_like(x: Any, target: Any) -> Any:
    """The thing in every place of the target.

    >>> repeat_like(0, (1, (2, 3)))
    (0, (0, 0))
    """
    return tuple([repeat_like(x, t) for t in target]) if isinstance(target, (tuple, list)) else x


def prepend_ones(x: Any, up_to_rank: int | None = None) -> Any:
    """One more mode 1:0 (in a tuple, a 1) before the first, or as many as the rank asks for."""
    return prepend(x, up_to_rank=up_to_rank)


def append_ones(x: Any, up_to_rank: int | None = None) -> Any:
    """One more mode 1:0 (in a tuple, a 1) behind the last, or as many as the rank asks for.

    >>> print(append_ones(Layout((8, 8)), up_to_rank=4))
    (8,8,1,1):(1,8,0,0)
    """
    return append(x, up_to_rank=up_to_rank)


def has_underscore(x: Any) -> bool:
    """Whether None, which CuTe writes _, stands anywhere in the coordinate."""
    return has_none(x)


def is_int_tuple(x: Any) -> bool:
    """Whether it is an integer, or a tuple of such to any depth."""
    return all(map(is_int, leaves(as_tuples(x))))


def transform_leaf(change: Callable[..., Any], *tuples: Any) -> Any:
    """The function of the entries in the same place; the first tuple says how they are nested.

    >>> transform_leaf(lambda a, b: a * b, (1, (2, 3)), (4, (5, 6)))
    (4, (10, 18))
    """
    if not callable(change):
        raise LayoutError(f"transform_leaf: {change!r} is no function")
    first, *others = given = [as_tuples(t) for t in tuples] or [()]
    for other in others:
        if not congruent(first, other):
            raise LayoutError(f"transform_leaf: {profile_text(first)} and {profile_text(other)} are nested differently")
    return like(first, iter([change(*row) for row in zip(*map(leaves, given), strict=True)]))


@also_named(a="t")
def product_like(t: Any, target_profile: Any) -> IntTuple:
    """The product of what stands in each place of the profile.

    >>> product_like(((2, 3), (4, 5)), (0, (0, 0)))
    (6, (4, 5))
    """
    t, target_profile = entries(t, "the tuple"), entries(target_profile, "the profile", none=True)
    if not isinstance(target_profile, tuple):
        return product_of(t)
    if not isinstance(t, tuple) or len(t) != len(target_profile):
        raise LayoutError(f"product_like: {profile_text(t)} does not fit {profile_text(target_profile)}")
    return tuple(map(product_like, t, target_profile))


def is_congruent(a: Any, b: Any) -> bool:
    """Whether both, shapes or layouts, are nested in the same way: pycute's `congruent`."""
    return congruent(shape_of(a, "is_congruent"), shape_of(b, "is_congruent"))


def is_weakly_congruent(a: Any, b: Any) -> bool:
    """Whether b is nested as `a` is, or more deeply; of shapes or layouts.

    >>> is_weakly_congruent((1, 2), (1, (2, 3))), is_weakly_congruent((1, (2, 3)), (1, 2))
    (True, False)
    """
    a, b = shape_of(a, "is_weakly_congruent"), shape_of(b, "is_weakly_congruent")
    if not isinstance(a, tuple):
        return True
    return isinstance(b, tuple) and len(a) == len(b) and all(map(is_weakly_congruent, a, b))


def coshape(layout: Any, mode: Any = None) -> IntTuple:
    """The shape that all values of a layout, or of the layout behind others, are in: of numbers, its cosize.

    >>> from symview.cute import make_identity_layout
    >>> coshape(Layout((4, 8), (1, 5))), coshape(make_identity_layout((4, 8)))
    (39, (4, 8))
    """
    layout = innermost(layout)
    found = layout if mode is None else get(layout, mode=mode)
    return found.coshape() if isinstance(found, CoordinateLayout) else cosize(found)


@also_named(lhs="a", rhs="b")
def elem_less(a: Any, b: Any) -> bool:
    """Whether each entry of a coordinate is below the one in the same place: the predicate of CuTe's bounds checks.

    >>> elem_less((1, (2, 3)), (4, (5, 6))), elem_less((4, 1), (4, 8))
    (True, False)
    """
    a, b = numbers(a, "the coordinate"), numbers(b, "the bound")
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) <= len(b) and all(map(elem_less, a, b))
    if isinstance(a, tuple) or isinstance(b, tuple):
        raise LayoutError(f"elem_less: {profile_text(a)} and {profile_text(b)} are nested differently")
    return bool(a < b)


def find(t: Any, x: Any) -> Any:
    """Where x stands first in a nested tuple: a number, a path of numbers, or None where it is not; of the DSL.

    >>> find((1, (2, 3)), 3), find((1, 2), 1), find((1, 2), 5)
    ((1, 1), 0, None)
    """
    return find_if(t, lambda entry: entry == x)


def find_if(t: Any, pred_fn: Callable[[Any], bool]) -> Any:
    """Where the first entry stands of which that holds: a number, a path of numbers, or None."""
    if not callable(pred_fn):
        raise LayoutError(f"find_if: {pred_fn!r} is no function")

    def path(t: Any) -> tuple[int, ...] | None:
        if not isinstance(t, tuple):
            return () if pred_fn(t) else None
        inside = ((n, path(part)) for n, part in enumerate(t))
        return next(((n, *rest) for n, rest in inside if rest is not None), None)

    found = path(as_tuples(t))
    return found[0] if found is not None and len(found) == 1 else found


def is_static(x: Any) -> bool:
    """Whether there are only numbers, and no symbols, in the layout or the tuple."""
    if is_layout(x):
        return bool(getattr(x, "numeric", True))
    return all(is_int(e) or e is None or isinstance(e, BasisElement) for e in leaves(as_tuples(x)))


def is_major(mode: Any, stride: Any) -> bool:
    """Whether the mode's first stride is 1.

    >>> is_major(0, (1, 8)), is_major(1, (1, (8, 2)))
    (True, False)
    """
    first = next(leaves(get(stride, mode=[mode] if is_int(mode) else mode)), None)
    return type(first) is int and first == 1


def leading_dim(shape: Any, stride: Any) -> Any:
    """The first mode of stride 1 whose size is not 1, as a number or, where it is nested, as a path; None for none.

    >>> leading_dim((4, 8), (8, 1)), leading_dim((1, (4, 8)), (1, (8, 1))), leading_dim((4, 8), (2, 8))
    (1, (1, 1), None)
    """

    def found(n: IntTuple, d: IntTuple, path: tuple[int, ...]) -> tuple[int, ...] | None:
        if isinstance(n, tuple):
            inside = [found(a, b, (*path, k)) for k, (a, b) in enumerate(zip(n, d, strict=True))]
            return next((p for p in inside if p is not None), None)
        return path if d == 1 and n != 1 else None

    layout = Layout(entries(shape, "the shape"), entries(stride, "the stride"))
    path = found(layout.shape, layout.stride, ())
    return path if path is None or len(path) > 1 else 0 if not path else path[0]


def make_fragment_like(layout: Layout) -> Layout:
    """The compact layout of the same shape, mode 0 the fastest, the others in the order of their strides.

    Of a layout behind a swizzle, that of the layout behind. Source: `make_fragment_like` of CuTe's `layout.hpp`.

    >>> print(make_fragment_like(Layout(((2, 2), 3, 4), ((8, 1), 40, 20))))
    ((2,2),3,4):((1,2),16,4)
    """
    while isinstance(layout, ComposedLayout):
        layout = layout.layoutA
    numbers(need_layout(layout, "make_fragment_like").stride, "the stride")
    if len(layout) < 2:
        return make_layout(layout.shape)  # type: ignore[no-any-return]
    first = filter_zeros(layout[0])
    block = Layout(layout[0].shape, make_layout(first.shape).stride)
    rest = take(layout, 1, len(layout))
    return tiled_product(block, make_ordered_layout(rest.shape, rest.stride))


@also_named(tensor="layout")
def domain_offset(coord: Any, layout: Any) -> tuple[Any, Any]:
    """The layout that begins at a coordinate of this one, and what has to be added to its values.

    A layout stays, and its value there is added; behind a swizzle that goes into the offset, and 0 is added.
    Source: `domain_offset` of CuTe's `layout.hpp` and `layout_composed.hpp`.

    >>> print(*domain_offset((1, 2), Layout((4, 8))))
    (4,8):(1,4) 9
    >>> from symview.cute import Swizzle
    >>> print(*domain_offset((1, 2), ComposedLayout(Swizzle(1, 0, 3), 0, Layout((4, 8)))))
    SW_1_0_3 o 9 o (4,8):(1,4) 0
    >>> from symview.cute import make_identity_layout
    >>> print(*domain_offset((1, 2), ComposedLayout(Layout((4, 8)), 0, make_identity_layout((2, 2)))))
    (4,8):(1,4) o (1,2) o (2,2):(1@0,1@1) 0
    """
    if isinstance(layout, ComposedLayout):
        behind, more = domain_offset(coord, layout.layoutA)
        return ComposedLayout(layout.layoutB, coordinate_sum(layout.offset, more), behind), 0
    if not is_layout(layout):
        raise no_layout("domain_offset", layout)
    if has_none(coord):
        raise LayoutError(f"domain_offset: {coord!r} leaves modes open; a layout begins at a whole coordinate")
    return layout, layout(coord)


# What kernels need: bytes of memory, multicast masks, the swizzle of a layout


def size_in_bytes(dtype: Any, layout: Any) -> Any:
    """The bytes that elements at all values of a layout take, from the place 0 on, rounded up; 0 for None.

    `dtype`: how many bits an element has, or a type with a `width` in bits or an `itemsize` in bytes. Behind a swizzle
    the greatest value counts; the DSL counts the cosize of the layout behind, which is less where the swizzle moves
    values beyond it.

    >>> from symview.cute import Layout
    >>> size_in_bytes(16, Layout((8, 64), (64, 1))), size_in_bytes(4, Layout(3))
    (1024, 2)
    """
    bits = dtype if is_int(dtype) else getattr(dtype, "width", None) or 8 * getattr(dtype, "itemsize", 0)
    if not is_int(bits) or bits < 1:
        raise LayoutError(f"size_in_bytes: {dtype!r} is no number of bits, and no type with a width or an itemsize")
    if layout is None:
        return 0
    if not isinstance(layout, ComposedLayout):
        return -(-cosize(layout) * bits // 8)
    return -(-(footprint(layout).greatest + 1) * bits // 8)


@also_named(lay="layout")
def make_layout_image_mask(layout: Any, coord: Any, mode: int) -> int:
    """The number with a bit for each value that the layout has along one mode, the others at the coordinate.

    Which blocks of a cluster a multicast goes to. Source: `make_layout_image_mask` of the CuTe DSL.

    >>> from symview.cute import Layout
    >>> bin(make_layout_image_mask(Layout((2, 4)), (1, 2), 1))
    '0b10101010'
    """
    given = listed(coord)
    if given is None or len(given) != rank(layout) or not is_int(mode) or not 0 <= mode < len(given):
        shown = profile_text(as_tuples(coord))
        raise LayoutError(f"make_layout_image_mask: {shown} and the mode {mode!r} do not fit {layout}")
    part, offset = slice_and_offset(tuple([None if n == mode else c for n, c in enumerate(given)]), layout)
    if part.size() > _MASK_BITS:
        raise LayoutError(f"make_layout_image_mask: {number_text(part.size())} values: at most {_MASK_BITS}")
    values = [part(x) + offset for x in range(part.size())]
    if not 0 <= min(values) <= max(values) < _MASK_BITS:
        raise LayoutError(f"make_layout_image_mask: values from {min(values)} to {max(values)} are no bits of a mask")
    return sum(1 << v for v in set(values))


def get_swizzle_portion(layout: Any) -> Swizzle:
    """The swizzle in front of a layout; where there is none, one of no bits.

    >>> from symview.cute import Layout
    >>> get_swizzle_portion(ComposedLayout(Swizzle(3, 4, 3), 0, Layout((8, 64)))), get_swizzle_portion(Layout(8))
    (Swizzle(3,4,3), Swizzle(0,4,3))
    """
    _need(layout, "get_swizzle_portion")
    front = getattr(layout, "layoutB", None)
    return front if isinstance(front, Swizzle) else NO_SWIZZLE


def get_nonswizzle_portion(layout: Any) -> Any:
    """The layout behind what stands in front; a layout without that as it is."""
    _need(layout, "get_nonswizzle_portion")
    return layout.layoutA if isinstance(layout, ComposedLayout) else layout


def _need(layout: Any, what: str) -> None:
    if not is_layout(layout):
        raise no_layout(what, layout)


def has_scaled_basis(x: Any) -> bool:
    """Whether a basis element stands anywhere in the tuple.

    >>> from symview.cute import E
    >>> has_scaled_basis((1, (2, E(0)))), has_scaled_basis((1, 2))
    (True, False)
    """
    return any(isinstance(e, BasisElement) for e in leaves(as_tuples(x)))


def pretty_str(x: Any) -> str:
    """A tuple or a layout as CuTe prints it; None as _.

    >>> from symview.cute import Layout
    >>> pretty_str((2, (None, 4))), pretty_str(Layout((2, 3)))
    ('(2,(_,4))', '(2,3):(1,2)')
    """
    if isinstance(x, (tuple, list)):
        return f"({','.join(map(pretty_str, x))})"
    return "_" if x is None else str(x)
