"""Further functions of CuTe's C++ and its DSL: tiles, vectors, recasts, and what kernels need to know of layouts."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from math import gcd, prod
from typing import TYPE_CHECKING, Any

from symview.cute.algebra import operation, tiling
from symview.cute.analysis.image import footprint
from symview.cute.arranging import (
    append,
    dice,
    filter_zeros,
    get,
    make_layout,
    make_ordered_layout,
    prepend,
    product_each,
    slice_and_offset,
    take,
)
from symview.cute.basis import BasisElement, coordinate_sum
from symview.cute.comparer import NUMBERS, Numbers, running
from symview.cute.composition_failure import NoComposition
from symview.cute.coordinate_layouts import CoordinateLayout
from symview.cute.errors import LayoutError, no_layout
from symview.cute.int_tuple import (
    IntTuple,
    also_named,
    as_tuples,
    congruent,
    coordinate_at,
    entries,
    flatten,
    has_none,
    is_int,
    leaves,
    like,
    listed,
    numbers,
    product_of,
    profile_text,
    whole_number,
)
from symview.cute.inverse import right_inverse
from symview.cute.layout import Layout, cosize, innermost, is_layout, need_layout, rank, shape_of
from symview.cute.linear.layout import LinearLayout
from symview.cute.linear.recasting import downcast_linear, upcast_linear
from symview.cute.modes import assembled, coalesce_layout
from symview.cute.operations import composition, for_all_values, raked_product, tiled_product, zipped_divide
from symview.cute.recasts import factor, recast_by, widths
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.cute.swizzled.alone import downcast_swizzle, upcast_swizzle
from symview.cute.swizzled.inverses import common_swizzled
from symview.cute.swizzled.recasting import downcast_swizzled, upcast_swizzled
from symview.cute.swizzled.simplified import on_inner_layout, simplified
from symview.cute.values import is_bijection
from symview.displayed import number_text
from symview.logic.budget import Budget

if TYPE_CHECKING:
    from symview.cases.conditions import Conditions

MAX_MASK_BITS = 1 << 12


def tile_to_shape(atom: Layout, trg_shape: Any, order: Any = None, budget: Budget | None = None) -> Layout:
    """Repeats the block until it covers the target; `order` sorts the copies, by default first mode fastest.

    A size that the block does not divide is rounded up, as CuTe does at run time. Raises SymbolError if the layout
    depends on symbols (see tile_to_shape_conditions). Source: `tile_to_shape` of CuTe's `layout.hpp`.

    >>> print(tile_to_shape(Layout((2, 2), (2, 1)), (4, 6)))
    ((2,2),(2,3)):((2,4),(1,8))
    >>> print(tile_to_shape(Layout((2, 2), (2, 1)), (4, 6), (1, 0)))
    ((2,2),(2,3)):((2,12),(1,4))
    >>> print(tile_to_shape(Layout(((32, 4), (16, 4)), ((16, 4), (0, 1))), (200, 100, 1), (2, 1, 3)))
    (((32,4),2),((16,4),2),(1,1)):(((16,4),1024),((0,1),512),(0,0))
    >>> print(tile_to_shape(Layout((8, 4), (4, 1)), Layout.parse("(8*m,4*k)").shape))
    ((8,m),(4,k)):((4,32),(1,32*m))
    """
    if isinstance(atom, ComposedLayout):
        return on_inner_layout(atom, lambda layout: tile_to_shape(layout, trg_shape, order, budget))
    block, shape, places = tiling(atom, trg_shape, order)
    if block.numeric and all(type(n) is int for n in shape):
        return operation("tile_to_shape")(Numbers(running(budget)), block, shape, places)  # type: ignore[no-any-return]
    return for_all_values("tile_to_shape", (block, shape, places), budget)


@also_named(input="layout", target="layout")
def local_tile(layout: Layout, tiler: Any, coord: Any, proj: Any = None) -> tuple[Layout, Any]:
    """Divides a layout by the tiler, and returns the tile at a coordinate of the rest, with its offset.

    Modes of the rest that the coordinate omits, or has None for, stay. `proj` selects modes of the tiler and the
    coordinate: those where it has an integer. Source: `local_tile` of CuTe's `tensor_impl.hpp`.

    >>> found, offset = local_tile(Layout((4, 6)), (2, 3), (1, 1))
    >>> print(found, offset)
    (2,3):(1,4) 14
    """
    tiler, coord = as_tuples(tiler), as_tuples(coord)
    if proj is not None:
        tiler, coord = dice(coord=proj, x=tiler), dice(coord=proj, x=coord)
    divided = zipped_divide(layout, tiler, none="cute")
    return slice_and_offset(((None,) * len(divided[0]), _padded(coord, len(divided[1]))), divided)


@also_named(target="layout", input="layout", tiler="tile")
def local_partition(layout: Layout, tile: Any, index: int, proj: Any = None) -> tuple[Layout, Any]:
    """The elements of every tile that belong to one index (a thread, for example), and their offset.

    `tile` maps coordinates to indices and has to be compact; a shape counts as its compact layout. `proj` selects its
    modes: those where it has an integer. Source: `local_partition` of CuTe's `tensor_impl.hpp`.

    >>> found, offset = local_partition(Layout((4, 6)), Layout((2, 3)), 3)
    >>> print(found, offset)
    (2,2):(2,12) 5
    """
    tile = Layout(tile) if isinstance(tile, (tuple, list)) or is_int(tile) else tile
    if (
        not is_bijection(need_layout(tile, "local_partition"))
        or not 0 <= whole_number(index, "the index") < tile.size()
    ):
        raise LayoutError(f"local_partition: {index} is not an index of a compact layout {tile}")
    tile = tile if proj is None else dice(proj, tile)
    steps = like(tile.shape, iter([d or 1 for _, d in tile.flat()]))  # only sizes of 1 have the stride 0
    at = coordinate_at(index, tile.shape, steps)
    parts = at if isinstance(at, tuple) else (at,)
    shapes = tile.shape if isinstance(tile.shape, tuple) else (tile.shape,)
    flat = tuple([Layout(s).index(c) if isinstance(s, tuple) else c for s, c in zip(shapes, parts, strict=True)])
    divided = zipped_divide(layout, product_each(tile.shape))
    return slice_and_offset((_padded(flat, len(divided[0])), (None,) * len(divided[1])), divided)


def _padded(coord: Any, rank: int) -> Any:
    return (*coord, *[None] * (rank - len(coord))) if isinstance(coord, tuple) else coord


def make_layout_tv(thr_layout: Layout, val_layout: Layout) -> tuple[IntTuple, Layout]:
    """The tile that threads and their values cover, and the layout from (thread, value) to its index.

    It rakes the values of each thread over the threads. Source: `make_layout_tv` of the CuTe DSL.

    >>> tiler, layout = make_layout_tv(Layout((2, 3), (3, 1)), Layout((2, 2), (2, 1)))
    >>> print(tiler, layout)
    (4, 6) ((3,2),(2,2)):((8,2),(4,1))
    """
    both = raked_product(need_layout(thr_layout, "make_layout_tv"), need_layout(val_layout, "make_layout_tv"))
    found = composition(right_inverse(both), Layout((thr_layout.size(), val_layout.size())))
    return tuple(map(product_of, both.shape)), found


@also_named(input="layout")
def nullspace(layout: Layout) -> Layout:
    """The layout of the indices along the modes of stride 0, at which the value equals that at 0.

    Source: `nullspace` of CuTe's `layout.hpp`.

    >>> print(nullspace(Layout((2, 3, 4), (0, 1, 0))), nullspace(Layout(8)))
    (2,4):(1,6) 1:0
    """
    if isinstance(layout, ComposedLayout):  # swizzles are injective
        return nullspace(layout.layoutA)
    if isinstance(layout, CoordinateLayout):
        return nullspace(Layout(layout.shape, like(layout.shape, iter([d and 1 for d in leaves(layout.stride)]))))
    sizes = flatten(need_layout(layout, "nullspace").shape)
    zeros = [i for i, (_, d) in enumerate(layout.flat()) if type(d) is int and d == 0]
    still = [(sizes[i], 0 if sizes[i] == 1 else prod(sizes[:i])) for i in zeros]
    if not still:
        return Layout(1, 0)
    shape, stride = zip(*still, strict=True)
    return Layout(*still[0]) if len(still) == 1 else Layout(shape, stride)


def max_alignment(layout: Layout) -> int:
    """The largest vector, in elements: the values consist of whole vectors of that many, each at a multiple of it.

    It divides the number of contiguous elements, in whatever order of indices, and every other stride.

    Source: `max_alignment` of CuTe's `layout.hpp`.

    >>> max_alignment(Layout((8, 4), (1, 16))), max_alignment(Layout((8, 4), (1, 12))), max_alignment(Layout(8, 2))
    (8, 4, 1)
    """
    layout = simplified(layout)
    if isinstance(layout, Swizzle):
        return 1 << layout.base
    if isinstance(layout, ComposedLayout):
        if not isinstance(layout.layoutB, Swizzle):
            return 1
        front = max_alignment(layout.layoutB) if layout.layoutB.bits else 0
        return gcd(front, layout.offset, max_alignment(layout.layoutA))
    _of_numbers(layout, "max_alignment")
    reached, others = 1, []
    for d, n in sorted([(d, n) for n, d in coalesce_layout(layout).flat() if n > 1]):
        if d == reached:
            reached *= n
        else:
            others.append(d)
    return gcd(reached, *others)


@also_named(a_layout="a", b_layout="b")
def max_common_layout(a: Layout, b: Layout) -> Layout:
    """A layout R with a(R(i)) == b(R(i)) == i for all i below its size, as long as CuTe finds it.

    As in C++, `a` extends beyond its size, so the result may be larger than the smaller of the two layouts.

    Source: `max_common_layout` of CuTe's `layout.hpp`.

    >>> print(max_common_layout(Layout((4, 8), (1, 4)), Layout((4, 8), (1, 8))))
    4:1
    """
    if isinstance(a, ComposedLayout) or isinstance(b, ComposedLayout):
        return common_swizzled(a, b, right_inverse, composition)
    need_layout(a, "max_common_layout")
    modes = right_inverse(need_layout(b, "max_common_layout")).flat()
    for count in range(len(modes), 0, -1):  # a may compose only with the first modes
        inverse = assembled(modes[:count])
        with suppress(NoComposition):
            first = next(iter(coalesce_layout(composition(a, inverse)).flat()), (1, 0))
            return composition(inverse, Layout(*first)) if first[1] == 1 else Layout(1, 0)
    return Layout(1, 0)


@also_named(a_layout="a", b_layout="b")
def max_common_vector(a: Layout, b: Layout) -> int:
    """How many consecutive addresses from 0 on have the same index in both: the size of `max_common_layout`.

    >>> max_common_vector(Layout((4, 8), (1, 4)), Layout((4, 8), (1, 8)))
    4
    """
    return max_common_layout(a, b).size()  # type: ignore[no-any-return]


def upcast(layout: Any, n: int) -> Any:
    """The layout for elements n times as wide: n contiguous elements become one.

    Each stride has to be a multiple of n or to divide it, otherwise raises LayoutError. A size that n does not divide
    is rounded up: the values are those of the units that the layout touches; raises NoAnswer if it does not reach them
    in order. For swizzled and linear layouts, units have to stay whole; otherwise raises NoAnswer and says which one is
    split.

    Source: `upcast` of CuTe's `layout.hpp`.

    >>> print(upcast(Layout((4, 3), (1, 4)), 2), upcast(Layout((4, 3), (3, 1)), 3))
    (2,3):(1,2) (4,1):(1,1)
    >>> from symview.cute import Swizzle
    >>> print(upcast(ComposedLayout(Swizzle(3, 3, 3), 0, Layout((8, 64), (64, 1))), 2))
    Sw<3,2,3> o 0 o (8,32):(32,1)
    >>> upcast(ComposedLayout(Swizzle(3, 0, 3), 0, Layout((8, 8), (8, 1))), 2)
    Traceback (most recent call last):
    ...
    symview.cute.errors.NoAnswer: upcast of Sw<3,0,3> o 0 o (8,8):(8,1) by 2: from (1,0) on along mode 1, \
the values 9, 8 are not a unit of 2
    """
    width = factor(n, "upcast")
    if isinstance(layout, Swizzle):
        return upcast_swizzle(layout, width)
    if isinstance(layout, ComposedLayout):
        return upcast_swizzled(layout, width, upcast)
    if isinstance(layout, LinearLayout):
        return upcast_linear(layout, width)
    return _recast(layout, width, 1, "upcast")


def downcast(layout: Any, n: int) -> Any:
    """The layout for elements 1/n as wide: along stride 1 there are n times as many.

    Raises LayoutError if no mode has the stride 1, NoAnswer if two have it or one has −1. Of the modes of size 1, whose
    strides do not matter, at most one becomes longer. Source: `downcast` of CuTe's `layout.hpp`.

    >>> print(downcast(Layout((4, 3), (1, 4)), 2))
    (8,3):(1,8)
    """
    width = factor(n, "downcast")
    if isinstance(layout, Swizzle):
        return downcast_swizzle(layout, width)
    if isinstance(layout, ComposedLayout):
        return downcast_swizzled(layout, width, downcast)
    if isinstance(layout, LinearLayout):
        return downcast_linear(layout, width)
    return _recast(layout, 1, width, "downcast")


def _recast(layout: Any, new_bits: int, old_bits: int, what: str) -> Layout:
    """A plain layout for elements of another width: with names, the one that is right for all values."""
    found = need_layout(layout, what)
    if found.numeric:
        return recast_by(NUMBERS, new_bits, old_bits, found)
    from symview.cute.named.queries import always, recast_layout_conditions  # slow to load

    return always(recast_layout_conditions(new_bits, old_bits, found))


@also_named(new_type_bits="new_bits", old_type_bits="old_bits", src_layout="layout")
def recast_layout(new_bits: int, old_bits: int, layout: Any) -> Any:
    """The layout of the same memory for elements of another width, in bits.

    If neither width divides the other, elements are first joined, then split, each by an integer factor.

    Source: `recast_layout` of CuTe's `layout.hpp` and of the CuTe DSL.

    >>> print(recast_layout(16, 8, Layout((4, 3))), recast_layout(8, 16, Layout(4)), recast_layout(4, 6, Layout(8)))
    (2,3):(1,2) 8:1 12:1
    """
    joined, cut = widths(new_bits, old_bits)
    if joined == cut == 1:
        stays = isinstance(layout, ComposedLayout | LinearLayout | Swizzle)
        return layout if stays else need_layout(layout, "recast_layout")
    if not isinstance(layout, ComposedLayout | LinearLayout | Swizzle):
        return _recast(layout, joined, cut, "recast_layout")
    wide = layout if joined == 1 else upcast(layout, joined)
    return wide if cut == 1 else downcast(wide, cut)


def _of_numbers(layout: Layout, what: str) -> Layout:
    """The layout; raises unless its entries are numbers."""
    found = need_layout(layout, what)
    numbers((found.shape, found.stride), what)
    return found


# Functions of C++ and the DSL on shapes, strides and nested tuples


@also_named(input="x")
def shape(x: Any, mode: Any = None) -> IntTuple:
    """The shape of a layout, or a given shape itself; of all, or of the mode at a path.

    >>> shape(Layout((4, (8, 2)))), shape(Layout((4, (8, 2))), mode=[1, 0])
    ((4, (8, 2)), 8)
    """
    return shape_of(x, "shape", mode)


def stride(layout: Any, mode: Any = None) -> Any:
    """The strides of a layout, or of its mode at a path.

    >>> stride(Layout((4, (8, 2))), mode=[1])
    (4, 32)
    """
    found = layout if mode is None else get(layout, mode=mode)
    if not isinstance(found, (Layout, CoordinateLayout)):
        raise LayoutError(f"stride: {layout!r} is not a layout of a shape and strides")
    return found.stride


@also_named(input="x")
def front(x: Any) -> Any:
    """The first entry, at any depth; for a layout, its first mode.

    >>> print(front(((3, 4), 5)), front(Layout(((3, 4), 5))))
    3 3:1
    """
    x = as_tuples(x)
    while isinstance(x, tuple) or (is_layout(x) and isinstance(shape(x), tuple)):
        x = get(x, 0)
    return x


@also_named(a="x")
def flatten_to_tuple(x: Any) -> tuple[Any, ...]:
    """The entries from left to right, as a tuple; also for a single integer."""
    return tuple(leaves(as_tuples(x)))


def repeat_like(x: Any, target: Any) -> Any:
    """Puts the same object in every place of the target.

    >>> repeat_like(0, (1, (2, 3)))
    (0, (0, 0))
    """
    return tuple([repeat_like(x, t) for t in target]) if isinstance(target, (tuple, list)) else x


@also_named(t="x")
def prepend_ones(x: Any, up_to_rank: int | None = None) -> Any:
    """Prepends a mode 1:0 (to a tuple, a 1), or as many as the rank requires."""
    return prepend(x, up_to_rank=up_to_rank)


@also_named(t="x")
def append_ones(x: Any, up_to_rank: int | None = None) -> Any:
    """Appends a mode 1:0 (to a tuple, a 1), or as many as the rank requires.

    >>> print(append_ones(Layout((8, 8)), up_to_rank=4))
    (8,8,1,1):(1,8,0,0)
    """
    return append(x, up_to_rank=up_to_rank)


@also_named(a="x")
def has_underscore(x: Any) -> bool:
    """Whether the coordinate contains None, which CuTe writes _."""
    return has_none(x)


def transform_leaf(change: Callable[..., Any], *tuples: Any) -> Any:
    """Applies the function to corresponding entries; the first tuple determines the nesting.

    >>> transform_leaf(lambda a, b: a * b, (1, (2, 3)), (4, (5, 6)))
    (4, (10, 18))
    """
    if not callable(change):
        raise LayoutError(f"transform_leaf: {change!r} is not a function")
    first, *others = given = [as_tuples(t) for t in tuples] or [()]
    for other in others:
        if not congruent(first, other):
            raise LayoutError(f"transform_leaf: {profile_text(first)} and {profile_text(other)} are nested differently")
    return like(first, iter([change(*row) for row in zip(*map(leaves, given), strict=True)]))


def is_congruent(a: Any, b: Any) -> bool:
    """Whether both, shapes or layouts, have the same nesting: pycute's `congruent`."""
    return congruent(shape_of(a, "is_congruent"), shape_of(b, "is_congruent"))


def coshape(layout: Any, mode: Any = None) -> IntTuple:
    """The shape that contains all values of a layout, or of a composition's innermost one; for numbers, the cosize.

    >>> from symview.cute import make_identity_layout
    >>> coshape(Layout((4, 8), (1, 5))), coshape(make_identity_layout((4, 8)))
    (39, (4, 8))
    """
    layout = innermost(layout)
    found = layout if mode is None else get(layout, mode=mode)
    return found.coshape() if isinstance(found, CoordinateLayout) else cosize(found)


@also_named(lhs="a", rhs="b")
def elem_less(a: Any, b: Any) -> bool | Conditions[bool]:
    """Whether each entry of a coordinate is below that of a bound: the predicate of CuTe's bounds checks.

    With symbols, which are any integers, it is the condition, if that depends on them.

    >>> elem_less((1, (2, 3)), (4, (5, 6))), elem_less((4, 1), (4, 8))
    (True, False)
    >>> print(elem_less((1, 3), Layout.parse("(m,4)").shape))
    1 < m
    """
    pairs = _pairs_below(entries(a, "the coordinate"), entries(b, "the bound"))
    if pairs is None or any(x >= y for x, y in pairs if type(x) is int and type(y) is int):
        return False
    left = [(x, y) for x, y in pairs if not (type(x) is int and type(y) is int)]
    if not left:
        return True
    from symview.cute.named.below import below_conditions  # loads the algebra of names

    return below_conditions(left)


def _pairs_below(a: IntTuple, b: IntTuple) -> list[tuple[Any, Any]] | None:
    """The entries of a coordinate with their bounds; None if the coordinate has more modes."""
    if not isinstance(a, tuple) and not isinstance(b, tuple):
        return [(a, b)]
    if not isinstance(a, tuple) or not isinstance(b, tuple):
        raise LayoutError(f"elem_less: {profile_text(a)} and {profile_text(b)} are nested differently")
    parts = [_pairs_below(x, y) for x, y in zip(a, b, strict=False)]
    if len(a) > len(b) or None in parts:
        return None
    return [pair for part in parts for pair in part or ()]


def find(t: Any, x: Any) -> Any:
    """The position of the first entry equal to x, as a number or, if nested, a path; None if there is none. Of the DSL.

    >>> find((1, (2, 3)), 3), find((1, 2), 1), find((1, 2), 5)
    ((1, 1), 0, None)
    """

    def path(t: Any) -> tuple[int, ...] | None:
        if not isinstance(t, tuple):
            return () if t == x else None
        inside = ((n, path(part)) for n, part in enumerate(t))
        return next(((n, *rest) for n, rest in inside if rest is not None), None)

    found = path(as_tuples(t))
    return found[0] if found is not None and len(found) == 1 else found


def is_static(x: Any) -> bool:
    """Whether the layout or the tuple contains only numbers, no symbols."""
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
    """The first mode of stride 1 and size other than 1, as a number or, if nested, as a path; None if there is none.

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


@also_named(src="layout")
def make_fragment_like(layout: Layout) -> Layout:
    """The compact layout of the same shape: mode 0 is the fastest, the others keep the order of their strides.

    For a swizzled layout, that of the unswizzled one. Source: `make_fragment_like` of CuTe's `layout.hpp`.

    >>> print(make_fragment_like(Layout(((2, 2), 3, 4), ((8, 1), 40, 20))))
    ((2,2),3,4):((1,2),16,4)
    """
    layout = innermost(layout)
    numbers(need_layout(layout, "make_fragment_like").stride, "the stride")
    if len(layout) < 2:
        return make_layout(layout.shape)  # type: ignore[no-any-return]
    first = filter_zeros(layout[0])
    block = Layout(layout[0].shape, make_layout(first.shape).stride)
    rest = take(layout, 1, len(layout))
    return tiled_product(block, make_ordered_layout(rest.shape, rest.stride))


@also_named(tensor="layout")
def domain_offset(coord: Any, layout: Any) -> tuple[Any, Any]:
    """Moves a layout's origin to a coordinate: returns the layout, and the offset to add to its values.

    Where the coordinate has None, the origin stays.

    A plain layout stays, and its value there is the offset. A ComposedLayout includes it in its own offset, and returns
    0.

    Source: `domain_offset` of CuTe's `layout.hpp` and `layout_composed.hpp`.

    >>> print(*domain_offset((1, 2), Layout((4, 8))))
    (4,8):(1,4) 9
    >>> print(*domain_offset((None, 5), Layout((4, 8))))
    (4,8):(1,4) 20
    >>> from symview.cute import Swizzle
    >>> print(*domain_offset((1, 2), ComposedLayout(Swizzle(1, 0, 3), 0, Layout((4, 8)))))
    Sw<1,0,3> o 9 o (4,8):(1,4) 0
    >>> from symview.cute import make_identity_layout
    >>> print(*domain_offset((1, 2), ComposedLayout(Layout((4, 8)), 0, make_identity_layout((2, 2)))))
    (4,8):(1,4) o (1,2) o (2,2):(1@0,1@1) 0
    """
    if isinstance(layout, ComposedLayout):
        inner, more = domain_offset(coord, layout.layoutA)
        return ComposedLayout(layout.layoutB, coordinate_sum(layout.offset, more), inner), 0
    if not is_layout(layout):
        raise no_layout("domain_offset", layout)
    coord = entries(coord, "the coordinate", none=True)
    return layout, layout(like(coord, iter([0 if c is None else c for c in leaves(coord)])))


# For kernels: bytes of memory, multicast masks, the swizzle of a layout


def assume(src: Any, divby: int | None = None, pow2: bool | None = None) -> Any:
    """A number as it is, if it has these properties; a size or stride with symbols as a multiple of `divby`.

    For a symbol m and 8, that is `8*(m//8)`, which is m where 8 divides m. Raises LayoutError for a number without the
    properties, and for `pow2` of symbols, which nothing here can express. Source: `assume` of the CuTe DSL.

    >>> m = Layout.parse("m:1").shape
    >>> assume(24, divby=8), assume(m, divby=8), assume(16 * m, divby=8)
    (24, 8*(m//8), 16*m)
    >>> print(zipped_divide(Layout((assume(m, divby=8), 64)), (8, 16)))
    ((8,16),(m//8,4)):((1,8*(m//8)),(8,128*(m//8)))
    """
    src, by = entries(src, "assume"), 1 if divby is None else factor(divby, "assume")
    if isinstance(src, tuple):
        raise LayoutError(f"assume: {profile_text(src)} is a tuple; give one of its entries")
    if type(src) is not int:
        if pow2:
            raise LayoutError(f"assume: that {src} is a power of two cannot be expressed; give a number")
        return src if by == 1 else by * (src // by)
    if src % by or (pow2 and (src < 1 or src & (src - 1))):
        wanted = [f"a multiple of {by}"] * (by > 1) + ["a power of two"] * bool(pow2)
        raise LayoutError(f"assume: {src} is not {' and '.join(wanted)}")
    return src


def size_in_bytes(dtype: Any, layout: Any) -> Any:
    """The bytes that the elements from address 0 to the greatest value take, rounded up; 0 for None.

    `dtype` is the number of bits of an element, or a type with a `width` in bits or an `itemsize` in bytes. For a
    swizzled layout this uses its greatest value; the DSL uses the cosize of the unswizzled layout, which is too small
    if the swizzle moves values beyond it.

    >>> from symview.cute import Layout
    >>> size_in_bytes(16, Layout((8, 64), (64, 1))), size_in_bytes(4, Layout(3))
    (1024, 2)
    """
    bits = dtype if is_int(dtype) else getattr(dtype, "width", None) or 8 * getattr(dtype, "itemsize", 0)
    if not is_int(bits) or bits < 1:
        raise LayoutError(f"size_in_bytes: {dtype!r} is neither a number of bits nor a type with a width or itemsize")
    if layout is None:
        return 0
    if not isinstance(layout, ComposedLayout):
        return -(-cosize(layout) * bits // 8)
    return -(-(footprint(layout).greatest + 1) * bits // 8)


@also_named(lay="layout")
def make_layout_image_mask(layout: Any, coord: Any, mode: int) -> int:
    """The mask with a bit for each value of the layout along one mode, the others being at the coordinate.

    It says which blocks of a cluster receive a multicast. Source: `make_layout_image_mask` of the CuTe DSL.

    >>> from symview.cute import Layout
    >>> bin(make_layout_image_mask(Layout((2, 4)), (1, 2), 1))
    '0b10101010'
    """
    given = listed(coord)
    if given is None or len(given) != rank(layout) or not is_int(mode) or not 0 <= mode < len(given):
        shown = profile_text(as_tuples(coord))
        raise LayoutError(f"make_layout_image_mask: {shown} and the mode {mode!r} do not fit {layout}")
    part, offset = slice_and_offset(tuple([None if n == mode else c for n, c in enumerate(given)]), layout)
    if part.size() > MAX_MASK_BITS:
        raise LayoutError(f"make_layout_image_mask: {number_text(part.size())} values: at most {MAX_MASK_BITS}")
    values = [part(x) + offset for x in range(part.size())]
    if not 0 <= min(values) <= max(values) < MAX_MASK_BITS:
        raise LayoutError(f"make_layout_image_mask: values from {min(values)} to {max(values)} are not bits of a mask")
    return sum(1 << v for v in set(values))


def pretty_str(x: Any) -> str:
    """A tuple or a layout in CuTe's notation; None is _.

    >>> from symview.cute import Layout
    >>> pretty_str((2, (None, 4))), pretty_str(Layout((2, 3)))
    ('(2,(_,4))', '(2,3):(1,2)')
    """
    if isinstance(x, (tuple, list)):
        return f"({','.join(map(pretty_str, x))})"
    return "_" if x is None else str(x)
