"""Tiles of layouts, what two layouts have in common, and layouts of wider or narrower elements, as CuTe has them."""

from __future__ import annotations

from contextlib import suppress
from math import gcd, prod
from typing import Any

from symview.cute.algebra import operation, tiling
from symview.cute.comparer import Numbers, running
from symview.cute.composition_failure import NoComposition
from symview.cute.construction import product_each
from symview.cute.coordinate_layouts import CoordinateLayout
from symview.cute.errors import LayoutError, NoAnswer
from symview.cute.from_values import is_bijection
from symview.cute.int_tuple import IntTuple, as_tuples, flatten, is_int, leaves, like, numbers, whole_number
from symview.cute.inverse import right_inverse
from symview.cute.keywords import also_named
from symview.cute.layout import Layout, made, need_layout
from symview.cute.linear.layout import LinearLayout
from symview.cute.linear.recasting import downcast_linear, upcast_linear
from symview.cute.modes import assembled, coalesce_layout
from symview.cute.operations import composition, raked_product, zipped_divide
from symview.cute.rearranging import dice, slice_and_offset
from symview.cute.shape_arithmetic import coordinate_at, product_of
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.cute.swizzled.alone import downcast_swizzle, upcast_swizzle
from symview.cute.swizzled.inverses import common_behind
from symview.cute.swizzled.recasting import downcast_behind, upcast_behind
from symview.cute.swizzled.settled import on_layout_behind, settled
from symview.logic.budget import Budget


def tile_to_shape(atom: Layout, trg_shape: Any, order: Any = None, budget: Budget | None = None) -> Layout:
    """The block repeated until it has the target's sizes; the copies in the given order, the first mode fastest.

    NoAnswer where the block does not divide the target, SymbolError where that depends on symbols (see
    tile_to_shape_conditions). Source: `tile_to_shape` of CuTe's `layout.hpp`.

    >>> print(tile_to_shape(Layout((2, 2), (2, 1)), (4, 6)))
    ((2,2),(2,3)):((2,4),(1,8))
    >>> print(tile_to_shape(Layout((2, 2), (2, 1)), (4, 6), (1, 0)))
    ((2,2),(2,3)):((2,12),(1,4))
    >>> print(tile_to_shape(Layout((8, 4), (4, 1)), Layout.parse("(8*m,4*k)").shape))
    ((8,m),(4,k)):((4,32),(1,32*m))
    """
    if isinstance(atom, ComposedLayout):
        return on_layout_behind(atom, lambda layout: tile_to_shape(layout, trg_shape, order, budget))
    block, shape, places = tiling(atom, trg_shape, order)
    if block.numeric and all(type(n) is int for n in shape):
        return operation("tile_to_shape")(Numbers(running(budget)), block, shape, places)  # type: ignore[no-any-return]
    from symview.cute.symbols.queries import always, answered

    return always(answered("tile_to_shape", (block, shape, places), budget=budget))


@also_named(input="layout", target="layout")
def local_tile(layout: Layout, tiler: Any, coord: Any, proj: Any = None) -> tuple[Layout, Any]:
    """One tile of a layout divided by the tiler, that at the coordinate of the rest; and where it starts.

    Modes of the rest that the coordinate leaves out, or has None for, stay. `proj` keeps the modes
    of tiler and coordinate where it has an integer. Source: `local_tile` of CuTe's `tensor_impl.hpp`.

    >>> found, offset = local_tile(Layout((4, 6)), (2, 3), (1, 1))
    >>> print(found, offset)
    (2,3):(1,4) 14
    """
    tiler, coord = as_tuples(tiler), as_tuples(coord)
    if proj is not None:
        tiler, coord = dice(coord=proj, x=tiler), dice(coord=proj, x=coord)
    divided = zipped_divide(layout, tiler)
    return slice_and_offset(((None,) * len(divided[0]), _behind(coord, len(divided[1]))), divided)


@also_named(target="layout", input="layout", tiler="tile")
def local_partition(layout: Layout, tile: Any, index: int, proj: Any = None) -> tuple[Layout, Any]:
    """What the index-th of the tile's elements (a thread, say) has of every tile; and where that starts.

    `tile` takes coordinates to indices and has to be compact; a shape counts as its layout. `proj` keeps its modes
    where it has an integer. Source: `local_partition` of CuTe's `tensor_impl.hpp`.

    >>> found, offset = local_partition(Layout((4, 6)), Layout((2, 3)), 3)
    >>> print(found, offset)
    (2,2):(2,12) 5
    """
    tile = Layout(tile) if isinstance(tile, (tuple, list)) or is_int(tile) else tile
    if (
        not is_bijection(need_layout(tile, "local_partition"))
        or not 0 <= whole_number(index, "the index") < tile.size()
    ):
        raise LayoutError(f"local_partition: {index} is no index of a compact layout {tile}")
    tile = tile if proj is None else dice(proj, tile)
    steps = like(tile.shape, iter([d or 1 for _, d in tile.flat()]))  # 0 stands at sizes of 1 alone
    at = coordinate_at(index, tile.shape, steps)
    parts = at if isinstance(at, tuple) else (at,)
    shapes = tile.shape if isinstance(tile.shape, tuple) else (tile.shape,)
    flat = tuple([Layout(s).index(c) if isinstance(s, tuple) else c for s, c in zip(shapes, parts, strict=True)])
    divided = zipped_divide(layout, product_each(tile.shape))
    return slice_and_offset((_behind(flat, len(divided[0])), (None,) * len(divided[1])), divided)


def _behind(coord: Any, rank: int) -> Any:
    return (*coord, *[None] * (rank - len(coord))) if isinstance(coord, tuple) else coord


def make_layout_tv(thr_layout: Layout, val_layout: Layout) -> tuple[IntTuple, Layout]:
    """The tile that threads and their values cover, and the layout from (thread, value) to its index.

    The values of each thread are raked over the threads. Source: `make_layout_tv` of the CuTe DSL.

    >>> tiler, layout = make_layout_tv(Layout((2, 3), (3, 1)), Layout((2, 2), (2, 1)))
    >>> print(tiler, layout)
    (4, 6) ((3,2),(2,2)):((8,2),(4,1))
    """
    both = raked_product(need_layout(thr_layout, "make_layout_tv"), need_layout(val_layout, "make_layout_tv"))
    found = composition(right_inverse(both), Layout((thr_layout.size(), val_layout.size())))
    return tuple(map(product_of, both.shape)), found


@also_named(input="layout")
def nullspace(layout: Layout) -> Layout:
    """The layout of the indices along the modes of stride 0: the value there is that at 0.

    Source: `nullspace` of CuTe's `layout.hpp`.

    >>> print(nullspace(Layout((2, 3, 4), (0, 1, 0))), nullspace(Layout(8)))
    (2,4):(1,6) 1:0
    """
    if isinstance(layout, ComposedLayout):  # a swizzle keeps different values different
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
    """How many elements may be moved at once: the values are whole units of so many, each at a multiple of it.

    It divides the number of elements that lie in a row, in whatever order of indices, and every other stride.
    Source: `max_alignment` of CuTe's `layout.hpp`.

    >>> max_alignment(Layout((8, 4), (1, 16))), max_alignment(Layout((8, 4), (1, 12))), max_alignment(Layout(8, 2))
    (8, 4, 1)
    """
    layout = settled(layout)
    if isinstance(layout, Swizzle):
        return 1 << layout.base
    if isinstance(layout, ComposedLayout):
        if not isinstance(layout.layoutB, Swizzle):
            return 1
        front = max_alignment(layout.layoutB) if layout.layoutB.bits else 0
        return gcd(front, layout.offset, max_alignment(layout.layoutA))
    _numbers_of(layout, "max_alignment")
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

    As in C++, `a` goes on beyond its size, so two layouts of different sizes may have more in common than the less has.

    Source: `max_common_layout` of CuTe's `layout.hpp`.

    >>> print(max_common_layout(Layout((4, 8), (1, 4)), Layout((4, 8), (1, 8))))
    4:1
    """
    if isinstance(a, ComposedLayout) or isinstance(b, ComposedLayout):
        return common_behind(a, b, right_inverse, composition)
    need_layout(a, "max_common_layout")
    modes = right_inverse(need_layout(b, "max_common_layout")).flat()
    for count in range(len(modes), 0, -1):  # where a does not compose with all of the inverse, the front of it may do
        inverse = assembled(modes[:count])
        with suppress(NoComposition):
            first = next(iter(coalesce_layout(composition(a, inverse)).flat()), (1, 0))
            return composition(inverse, Layout(*first)) if first[1] == 1 else Layout(1, 0)
    return Layout(1, 0)


@also_named(a_layout="a", b_layout="b")
def max_common_vector(a: Layout, b: Layout) -> int:
    """How many consecutive elements are the same in both: the size of `max_common_layout`.

    >>> max_common_vector(Layout((4, 8), (1, 4)), Layout((4, 8), (1, 8)))
    4
    """
    return max_common_layout(a, b).size()  # type: ignore[no-any-return]


def upcast(layout: Any, n: int) -> Any:
    """The layout for elements n times as wide: n elements that lie together become one.

    Each stride is a multiple of n or divides it, LayoutError otherwise; a size that n does not
    divide is rounded up: the values are those of the units that the layout touches, NoAnswer where these are
    not taken in order. Behind a swizzle, and of a linear layout, units have to stay whole, or
    NoAnswer says where one is taken apart.
    Source: `upcast` of CuTe's `layout.hpp`.

    >>> print(upcast(Layout((4, 3), (1, 4)), 2), upcast(Layout((4, 3), (3, 1)), 3))
    (2,3):(1,2) (4,1):(1,1)
    >>> from symview.cute import Swizzle
    >>> print(upcast(ComposedLayout(Swizzle(3, 3, 3), 0, Layout((8, 64), (64, 1))), 2))
    SW_3_2_3 o 0 o (8,32):(32,1)
    >>> upcast(ComposedLayout(Swizzle(3, 0, 3), 0, Layout((8, 8), (8, 1))), 2)
    Traceback (most recent call last):
    ...
    symview.cute.errors.NoAnswer: upcast of SW_3_0_3 o 0 o (8,8):(8,1) by 2: the value at (1,0) is 9, inside a unit of 2
    """
    width = _factor(n, "upcast")
    if isinstance(layout, Swizzle):
        return upcast_swizzle(layout, width)
    if isinstance(layout, ComposedLayout):
        return upcast_behind(layout, width, upcast)
    if isinstance(layout, LinearLayout):
        return upcast_linear(layout, width)
    modes, inside = [], 0
    for size, d in _numbers_of(layout, "upcast"):
        step = abs(d)
        if d and step % width and width % step:
            raise LayoutError(f"upcast of {layout} by {width}: the stride {d} is no multiple and no divisor of it")
        if step % width and size > 1:
            inside += step * (min(size, width // step) - 1)
            if d < 0 or inside >= width:
                why = "going down" if d < 0 else "together with the modes before"
                raise NoAnswer(f"upcast of {layout} by {width}: {why}, the mode {size}:{d} passes from unit to unit")
        sign = (d > 0) - (d < 0)
        modes.append((-(-size // -(-width // step)), sign * -(-step // width)) if d else (size, d))
    return _remade(layout, modes)


def downcast(layout: Any, n: int) -> Any:
    """The layout for elements n times as narrow: along stride 1 there are n times as many.

    LayoutError where no mode has the stride 1, NoAnswer where two have it, or one has −1. Of modes of size 1,
    whose strides say nothing, at most one gets longer. Source: `downcast` of CuTe's `layout.hpp`.

    >>> print(downcast(Layout((4, 3), (1, 4)), 2))
    (8,3):(1,8)
    """
    width = _factor(n, "downcast")
    if isinstance(layout, Swizzle):
        return downcast_swizzle(layout, width)
    if isinstance(layout, ComposedLayout):
        return downcast_behind(layout, width, downcast)
    if isinstance(layout, LinearLayout):
        return downcast_linear(layout, width)
    modes = _numbers_of(layout, "downcast")
    number = _adjacent(layout, modes)
    return _remade(layout, [(m * width, d) if k == number else (m, d * width) for k, (m, d) in enumerate(modes)])


def _adjacent(layout: Layout, modes: list[tuple[int, int]]) -> int:
    """The number of the mode along which elements lie together; NoAnswer where they do along two, or downwards."""
    moving = [k for k, (n, d) in enumerate(modes) if abs(d) == 1 and n > 1]
    number = next(iter(moving), next((k for k, (_, d) in enumerate(modes) if d == 1), None))
    if number is None:
        raise LayoutError(f"downcast of {layout}: no mode has the stride 1, so its elements do not lie together")
    if len(moving) > 1:
        raise NoAnswer(f"downcast of {layout}: modes {moving[0]} and {moving[1]} both go from element to element")
    if modes[number][1] < 0:
        raise NoAnswer(f"downcast of {layout}: mode {number} goes down, and parts of an element follow it upwards")
    return number


@also_named(new_type_bits="new_bits", old_type_bits="old_bits", src_layout="layout")
def recast_layout(new_bits: int, old_bits: int, layout: Any) -> Any:
    """The layout of the same memory for elements of another width, in bits.

    Where neither width divides the other, elements are joined first, then cut, each by whole numbers.
    Source: `recast_layout` of CuTe's `layout.hpp` and of the CuTe DSL.

    >>> print(recast_layout(16, 8, Layout((4, 3))), recast_layout(8, 16, Layout(4)), recast_layout(4, 6, Layout(8)))
    (2,3):(1,2) 8:1 12:1
    """
    joined, cut = widths(new_bits, old_bits)
    if joined == cut == 1:
        stays = isinstance(layout, ComposedLayout | LinearLayout | Swizzle)
        return layout if stays else need_layout(layout, "recast_layout")
    wide = layout if joined == 1 else upcast(layout, joined)
    return wide if cut == 1 else downcast(wide, cut)


def widths(new_bits: int, old_bits: int) -> tuple[int, int]:
    """How many elements become one, and into how many that is then cut.

    >>> widths(16, 8), widths(4, 6)
    ((2, 1), (2, 3))
    """
    new, old = _factor(new_bits, "recast_layout"), _factor(old_bits, "recast_layout")
    return new // gcd(new, old), old // gcd(new, old)


def _numbers_of(layout: Layout, what: str) -> list[tuple[int, int]]:
    """The flat modes, checked to be numbers."""
    found = need_layout(layout, what)
    numbers((found.shape, found.stride), what)
    return found.flat()


def _factor(n: Any, what: str) -> int:
    if whole_number(n, what) < 1:
        raise LayoutError(f"{what}: {n} is no number from 1 on")
    return int(n)


def _remade(layout: Layout, modes: list[tuple[int, int]]) -> Layout:
    shape, stride = ([mode[k] for mode in modes] for k in (0, 1))
    return made(like(layout.shape, iter(shape)), like(layout.shape, iter(stride)))
