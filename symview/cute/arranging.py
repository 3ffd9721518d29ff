"""Makes layouts from a shape and an order, and selects, replaces and groups modes, as CuTe's C++ and DSL do."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, cast

from symview.cute.basis import BasisElement
from symview.cute.comparer import need_numbers, rounded_up
from symview.cute.complements import complement
from symview.cute.coordinate_layouts import CoordinateLayout
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import (
    Call,
    Coordinate,
    IntTuple,
    also_named,
    as_tuples,
    congruent,
    entries,
    flatten,
    has_none,
    is_int,
    kept_at,
    leaves,
    like,
    listed,
    numbers,
    product_of,
    profile_text,
    sizes,
    value_at,
)
from symview.cute.layout import Layout, LayoutLeft, compact_strides, is_layout, is_order, made, need_layout, shape_of
from symview.cute.layout import make_layout as of_modes
from symview.cute.modes import assembled, by_mode, coalesced, on_whole
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.cute.swizzled.side_by_side import side_by_side
from symview.cute.swizzled.simplified import on_inner_layout, sliced, sliced_and_offset
from symview.displayed import number_text

UNIT = Layout(1, 0)
MAX_MODES = 1 << 16


def make_layout(*parts: Any, shape: Any = None, stride: Any = None) -> Any:
    """A layout of layouts, each of which becomes a mode; or one of a shape, with strides or an order.

    `make_layout(A, B, …)` and `make_layout([A, B])` are pycute's. `make_layout(shape)` and `make_layout(shape,
    LayoutRight)` are compact, as in C++: a mode of size 1 has the stride 0 (`Layout(shape)` gives it pycute's). Strides
    may be named, as in the CuTe DSL. With multiples of basis elements as strides, the result is a CoordinateLayout.
    With swizzled layouts as modes, its value is the sum of theirs: a layout with one of the swizzles, or NoAnswer with
    the coordinate. Raises LayoutError if layouts and numbers are mixed, or shape and strides do not fit.

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
        raise LayoutError(f"make_layout: {odd[0]!r} is not a layout, but the others are")
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
    """The compact layout whose modes are sorted by `order`, the lowest being the fastest.

    `order` is nested like the shape, or less deeply: within one entry of it, the first mode is the fastest. Modes of
    equal order start at the same stride, as in C++. `order` may also be LayoutLeft or LayoutRight. Raises LayoutError
    if it does not fit the shape.

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
    stride = compact_strides(shape, first=like(order, starts))
    return made(shape, stride, all(type(n) is int for n in leaves(shape)))


def _under(profile: IntTuple, shape: IntTuple) -> list[IntTuple]:
    """The part of the shape that belongs to each entry of the profile."""
    if not isinstance(profile, tuple):
        return [shape]
    if not isinstance(shape, tuple) or len(profile) != len(shape):
        raise LayoutError(
            f"the order {profile_text(profile)} does not fit {profile_text(shape)}: give one entry a mode"
        )
    return [part for p, s in zip(profile, shape, strict=True) for part in _under(p, s)]


def make_swizzle(b: int, m: int, s: int) -> Swizzle:
    """`Swizzle`, under the DSL's name."""
    return Swizzle(b, m, s)


def make_composed_layout(inner: Any, offset: int, outer: Any) -> ComposedLayout:
    """The layout x ↦ inner(offset + outer(x)), with the DSL's order of arguments.

    >>> print(make_composed_layout(make_swizzle(2, 0, 3), 0, Layout((8, 8))))
    Sw<2,0,3> o 0 o (8,8):(1,8)
    """
    return ComposedLayout(inner, offset, outer)


@also_named(input="layout")
def make_layout_like(layout: Layout) -> Layout:
    """The compact layout of the same shape, with modes in the order of the layout's strides; a stride of 0 stays.

    Requires numbers. Source: `make_layout_like` of CuTe's `layout.hpp`.

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
    """⌈a / b⌉, mode by mode; an integer b divides the modes of `a` in turn; for a layout b, the number of tiles.

    Symbols stand for positive numbers. Raises LayoutError for a divisor below 1.

    Source: `ceil_div` of CuTe's `int_tuple.hpp` and `layout.hpp`.

    >>> ceil_div((10, 6), (3, 4)), ceil_div((4, 6), 8), ceil_div(10, (2, 2))
    ((4, 2), (1, 3), 3)
    >>> ceil_div(Layout.parse("(m,128*k)").shape, (128, 64))
    (-(-m//128), 2*k)
    """
    if isinstance(b, Layout):
        return complement(b, product_of(entries(a, "the shape"))).shape
    a, b = as_tuples(a), as_tuples(b)
    if isinstance(b, tuple) and isinstance(a, tuple) and any(map(is_layout, b)):
        return tuple(map(ceil_div, a, _padded(a, b)))
    a, b = sizes(a), sizes(b, "the divisor")
    if not isinstance(a, tuple):
        return rounded_up(a, product_of(b))
    if isinstance(b, tuple):
        return tuple(map(ceil_div, a, _padded(a, b)))
    found = []
    for part in a:
        found.append(ceil_div(part, b))
        b = rounded_up(b, product_of(part))
    return tuple(found)


def _padded(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    if len(b) > len(a):
        raise LayoutError(f"the divisor has {len(b)} modes, {profile_text(a)} has {len(a)}: give at most as many")
    return (*b, *[1] * (len(a) - len(b)))


def round_up(a: Any, b: Any) -> IntTuple:
    """`a` rounded up to a multiple of b, mode by mode; modes without an entry in b stay.

    >>> round_up((10, 6, 5), (3, 4)), round_up(10, 4)
    ((12, 8, 5), 12)
    """
    a, b = sizes(a), sizes(b, "the divisor")
    if isinstance(a, tuple) != isinstance(b, tuple):
        raise LayoutError(f"round_up of {profile_text(a)} and {profile_text(b)}: give two tuples, or two integers")
    return tuple(map(round_up, a, _padded(a, b))) if isinstance(a, tuple) else rounded_up(a, b) * b


def compatible(a: Any, b: Any) -> bool:
    """Whether every coordinate of `a` is one of b: their sizes are equal, and b is nested like `a` or more deeply.

    For shapes or layouts of numbers. Source: `compatible` of CuTe's `int_tuple.hpp`.

    >>> compatible(24, (4, 6)), compatible((4, 6), ((2, 2), 6)), compatible((4, 6), 24)
    (True, True, False)
    """
    a, b = shape_of(a, "compatible"), shape_of(b, "compatible")
    if not isinstance(a, tuple):
        return bool(a == product_of(b))
    return isinstance(b, tuple) and len(a) == len(b) and all(map(compatible, a, b))


# Selecting, replacing and grouping modes


def _on_both(x: Any, what: str, change: Callable[..., Any], *others: Any) -> Any:
    """Applies the change to a tuple, or to shape and stride of a layout, together with those of other layouts."""
    if isinstance(x, ComposedLayout):
        return on_inner_layout(x, lambda layout: _on_both(layout, what, change, *others))
    if isinstance(x, Layout):
        parts = [need_layout(o, what) for o in others]
        shape = change(x.shape, *[p.shape for p in parts])
        return made(shape, change(x.stride, *[p.stride for p in parts]), all(p.numeric for p in (x, *parts)))
    if isinstance(x, CoordinateLayout):
        odd = [o for o in others if not isinstance(o, (Layout, CoordinateLayout))]
        if odd:
            raise LayoutError(f"{what}: {odd[0]!r} is not a layout of a shape and strides")
        return CoordinateLayout(*[change(*t) for t in zip(*[(p.shape, p.stride) for p in (x, *others)], strict=True)])
    if is_layout(x) or any(map(is_layout, others)):
        raise LayoutError(f"{what}: {x} is not a layout of a shape and strides")
    return change(entries(x, what, none=True), *[entries(o, what, none=True) for o in others])


def _in_any_order(function: Call) -> Call:
    """Lets a function of a coordinate and its target accept both orders of arguments, also the DSL's."""

    @wraps(function)
    def called(*args: Any, **given: Any) -> Any:
        if len(args) == 1 and "coord" in given:
            return function(given["coord"], *args)
        if len(args) == 2:
            args = _coordinate_first(*args, function.__name__)
        return function(*args, **given)

    return cast(Call, called)


def _coordinate_first(a: Any, b: Any, what: str) -> tuple[Any, Any]:
    """The coordinate and the target: only the coordinate has None; raises LayoutError if that does not decide.

    Without None, `slice_` returns nothing for either order, and `dice` the whole target.
    """
    if is_layout(a) or is_layout(b):
        return (b, a) if is_layout(a) else (a, b)
    open_to_both = has_none(a) if has_none(a) == has_none(b) else None
    if open_to_both or (open_to_both is False and what == "dice" and a != b and congruent(a, b)):
        pair = " and ".join(profile_text(as_tuples(t)) for t in (a, b))
        which = "both have" if open_to_both else "neither has"
        raise LayoutError(
            f"{what}: either of {pair} may be the coordinate, as {which} None: name them, {what}(coord=…, x=…)"
        )
    return (b, a) if has_none(b) else (a, b)


def _modes(given: tuple[Any, ...], mode: Any, what: str) -> list[int]:
    """Numbers of modes, as separate arguments or as `mode=`."""
    found: Any = given if mode is None else mode
    found = [found] if is_int(found) else listed(found)
    if found is None:
        raise LayoutError(f"{what}: {mode!r} is neither a number of a mode nor a list of such")
    if len(found) == 1 and isinstance(found[0], (list, tuple)):
        found = list(found[0])
    if not all(map(is_int, found)):
        raise LayoutError(f"{what}: {found} are not numbers of modes")
    return list(found)


def _entry(t: IntTuple, n: int) -> IntTuple:
    if not isinstance(t, tuple):
        t = (t,)
    if not -len(t) <= n < len(t):
        raise LayoutError(f"{profile_text(t)} has the modes 0 to {len(t) - 1}, no mode {n}")
    return t[n]


@also_named(input="x")
def get(x: Any, *path: int, mode: Any = None) -> Any:
    """The mode of a layout, or the entry of a tuple, at a path: `get(x, 1, 0)` is mode 0 of mode 1.

    >>> print(get(Layout((2, (3, 4))), 1, 0), get((2, (3, 4)), mode=[1]))
    3:2 (3, 4)
    """

    def at_path(t: IntTuple) -> IntTuple:
        for n in indices:
            t = _entry(t, n)
        return t

    indices = _modes(path, mode, "get")
    return _on_both(x, "get", at_path)


@also_named(input="x")
def select(x: Any, *modes: int, mode: Any = None) -> Any:
    """The layout of these modes, or the tuple of these entries, in the given order.

    >>> print(select(Layout((4, 8, 16)), 2, 0), select((1, 2, 3), mode=[0, 2]))
    (16,4):(32,1) (1, 3)
    """
    numbers = _modes(modes, mode, "select")
    return _on_both(x, "select", lambda t: tuple([_entry(t, n) for n in numbers]))


def with_tiles(x: Any, tiler: Any) -> Any:
    """The modes for which a tiler has an entry, at every depth: those that a composition in CuTe keeps.

    >>> print(with_tiles(Layout((2, (3, 4), 5)), (8, (None,))))
    (2,(3)):(1,(2))
    """

    def kept(t: IntTuple, tiles: Any) -> IntTuple:
        fits = isinstance(tiles, tuple) and isinstance(t, tuple) and len(tiles) <= len(t)
        return tuple(map(kept, t, tiles)) if fits else t

    return _on_both(x, "composition", lambda t: kept(t, tiler))


@also_named(input="x")
def take(x: Any, begin: int, end: int) -> Any:
    """The modes from `begin` up to, but not including, `end`.

    >>> print(take(Layout((2, 3, 5, 7)), 1, 3))
    (3,5):(2,6)
    """
    return _on_both(x, "take", lambda t: _listed(t)[slice(*_range(t, begin, end, "take"))])


@also_named(input="x")
def group(x: Any, begin: int, end: int | None = None) -> Any:
    """Groups the modes from `begin` up to, but not including, `end` into one mode; up to the last without `end`.

    >>> print(group(Layout((2, 3, 5, 7)), 0, 2))
    ((2,3),5,7):((1,2),6,30)
    """

    def grouped(t: IntTuple) -> IntTuple:
        t = _listed(t)
        first, last = _range(t, begin, len(t) if end is None else end, "group")
        return (*t[:first], t[first:last], *t[last:])

    return _on_both(x, "group", grouped)


@also_named(input="x")
def group_modes(x: Any, begin: int, end: int | None = None) -> Any:
    """`group`, under the DSL's name; negative numbers count from the last mode.

    >>> print(group_modes(Layout((2, 3, 5, 7)), -2))
    (2,3,(5,7)):(1,2,(6,30))
    """
    count = len(x) if isinstance(x, (tuple, list)) or is_layout(x) else 1
    first, last = (n + count if is_int(n) and n < 0 else n for n in (begin, count if end is None else end))
    return group(x, first, last)


def _listed(t: IntTuple) -> tuple[Any, ...]:
    return t if isinstance(t, tuple) else (t,)


def _range(t: IntTuple, begin: int, end: int, what: str) -> tuple[int, int]:
    count = len(_listed(t))
    end = count if end == -1 else end
    if not is_int(begin) or not is_int(end) or not 0 <= begin < end <= count:
        raise LayoutError(
            f"{what}: modes {begin} to {end} of {profile_text(t)}, which has {count}: give 0 <= begin < end <= {count}"
        )
    return begin, end


@also_named(input="x")
def append(x: Any, elem: Any = UNIT, up_to_rank: int | None = None) -> Any:
    """Appends a mode, or as many as the rank requires; 1:0 unless another is given.

    As in C++, a mode appended to a swizzled layout is swizzled with it. A swizzled mode adds its values, as in
    `make_layout`: raises NoAnswer, with the coordinate, if neither swizzle fits the sum.

    >>> print(append(Layout((2, 3)), Layout(4, 10)), append(Layout(8), up_to_rank=3), append((2, 3), 1, 4))
    (2,3,4):(1,2,10) (8,1,1):(1,0,0) (2, 3, 1, 1)
    >>> from symview.cute import Swizzle
    >>> tile = ComposedLayout(Swizzle(2, 0, 3), 0, Layout((8, 8), (8, 1)))
    >>> copies = ComposedLayout(Swizzle(2, 0, 3), 0, Layout(4, 64))
    >>> print(append(tile, copies))
    Sw<2,0,3> o 0 o (8,8,4):(8,1,64)
    """
    return _extended(x, elem, up_to_rank, "append", lambda t, more: (*_listed(t), *more))


@also_named(input="x")
def prepend(x: Any, elem: Any = UNIT, up_to_rank: int | None = None) -> Any:
    """Prepends a mode, or as many as the rank requires; 1:0 unless another is given.

    >>> print(prepend(Layout((2, 3)), Layout(4, 10)), prepend((2, 3), 1))
    (4,2,3):(10,1,2) (1, 2, 3)
    """
    return _extended(x, elem, up_to_rank, "prepend", lambda t, more: (*more, *_listed(t)))


def _extended(x: Any, elem: Any, rank: int | None, what: str, put: Callable[..., Any]) -> Any:
    if elem is UNIT and not is_layout(x):
        elem = 1

    def change(t: IntTuple, e: IntTuple) -> IntTuple:
        missing = _missing(t, rank, what)
        return put(t, [e] * missing) if missing else t

    if isinstance(elem, ComposedLayout) and isinstance(x, Layout | ComposedLayout):
        missing = _missing(x.shape, rank, what)
        return _summed([x, *[elem] * missing], put, what) if missing else x
    return _on_both(x, what, change, elem)


def _summed(parts: list[Any], put: Callable[..., Any], what: str) -> Any:
    """The layout whose value is the sum of all parts: the modes of the first, with the others inserted by `put`."""
    flat = not isinstance(parts[0].shape, tuple)

    def ordered(layout: Any) -> Any:
        if isinstance(layout, ComposedLayout):
            return ComposedLayout(layout.layoutB, layout.offset, ordered(layout.layoutA))
        first, *more = layout.modes()
        return make_layout(list(put((first,) if flat else tuple(first.modes()), more)))

    return ordered(side_by_side(parts, what))


def _missing(t: IntTuple, rank: int | None, what: str) -> int:
    """How many modes are missing up to the rank; one if no rank is given."""
    have = len(_listed(t))
    if rank is not None and (not is_int(rank) or rank < have):
        raise LayoutError(f"{what}: {profile_text(t)} has {have} modes, the requested rank is {rank}")
    missing = 1 if rank is None else rank - have
    if missing > MAX_MODES:
        raise LayoutError(f"{what}: {number_text(missing)} modes more: give a rank that adds at most {MAX_MODES}")
    return missing


def replace(x: Any, mode: int, elem: Any) -> Any:
    """Replaces one mode of a layout, or entry of a tuple; for a swizzled layout, that of the unswizzled one.

    >>> print(replace(Layout((2, 3)), 1, Layout(5, 7)))
    (2,5):(1,7)
    """

    def change(t: IntTuple, e: IntTuple) -> IntTuple:
        _entry(t, mode)
        found = list(_listed(t))
        found[mode] = e
        return tuple(found)

    if not is_int(mode):
        raise LayoutError(f"replace: {mode!r} is not a number of a mode")
    if isinstance(elem, ComposedLayout) and isinstance(x, Layout | ComposedLayout):
        place = change(tuple(range(len(x))), -1).index(-1)
        rest = [n for n in range(len(x)) if n != place]
        if not rest:
            return side_by_side([elem], "replace")
        parts = [select(x, mode=rest), elem]
        return _summed(parts, lambda modes, more: (*modes[:place], *more, *modes[place:]), "replace")
    return _on_both(x, "replace", change, elem)


@also_named(a="x")
def flatten_modes(x: Any) -> Any:
    """Removes the nesting of a layout or a tuple. Exported as `flatten`.

    >>> print(flatten_modes(Layout((2, (3, 4)))), flatten_modes((2, (3, 4))))
    (2,3,4):(1,2,6) (2, 3, 4)
    """
    return _on_both(x, "flatten", flatten)


@also_named(src="x")
@_in_any_order
def slice_(coord: Any, x: Any) -> Any:
    """The modes of a layout, or the entries of a tuple, where the coordinate has None.

    The layout or tuple may also come first, as in the DSL, since only the coordinate has None.

    >>> slice_((None, 0), (4, 8)), slice_((0, (None, 1)), (4, (2, 3))), slice_((4, 8), (None, 0))
    ((4,), (2,), (4,))
    >>> print(slice_((None, 0), Layout((4, 8))))
    (4):(1)
    """
    coord = entries(coord, "the coordinate", none=True)
    if isinstance(x, ComposedLayout):
        return sliced(x, coord)
    return _on_both(x, "slice_", lambda t: kept_at(coord, t))


@also_named(coord="crd", src="layout")
def slice_and_offset(crd: Coordinate, layout: Any) -> tuple[Any, Any]:
    """The layout of the modes where the coordinate has None, and the value at the other entries.

    Rows of a swizzled tile are strided, with signed strides, so the result is a plain layout. If a slice is not
    strided, it stays swizzled, with the offset inside, and the second result is 0.

    >>> slice_and_offset((None, 3), Layout((4, 8)))
    (Layout((4,), (1,)), 12)
    >>> from symview.cute import Swizzle
    >>> tile = ComposedLayout(Swizzle(2, 0, 2), 0, Layout((4, 4)))
    >>> print(*slice_and_offset((None, 1), tile), *slice_and_offset((1, None), tile))
    ((2,2)):((-1,2)) 5 ((2,2)):((3,10)) 1
    """
    if isinstance(layout, CoordinateLayout):
        return layout.coded(lambda coded: slice_and_offset(crd, coded))  # type: ignore[no-any-return]
    if isinstance(layout, ComposedLayout):
        return sliced_and_offset(layout, crd)
    need_layout(layout, "slice_and_offset")
    crd = entries(crd, "the coordinate", none=True)
    return slice_(crd, layout), value_at(crd, layout.shape, layout.stride)


@also_named(src="x", dicer="coord")
@_in_any_order
def dice(coord: Any, x: Any) -> Any:
    """The modes where the coordinate has an integer, which `slice_` drops; accepts both orders, as `slice_` does.

    Raises LayoutError for two tuples that both have None, or neither: then name them, `dice(coord=…, x=…)`.

    >>> print(dice((0, None), Layout((4, 8))), dice((None, (1, None)), (4, (2, 3))), dice((4, 8), (None, 0)))
    (4):(1) (2,) (8,)
    """
    coord = entries(coord, "the coordinate", none=True)
    return _on_both(x, "dice", lambda t: _diced(coord, t))


def _diced(coord: Coordinate, t: IntTuple) -> IntTuple:
    if not isinstance(coord, tuple):
        return t if coord is not None else ()
    if not isinstance(t, tuple) or len(coord) != len(t):
        raise LayoutError(f"dice: the coordinate {profile_text(coord)} does not fit {profile_text(t)}")
    found: list[Any] = []
    for c, part in zip(coord, t, strict=True):
        if isinstance(c, tuple):
            found += _listed(_diced(c, part))
        elif c is not None:
            found.append(part)
    return tuple(found)


@also_named(input="x")
def filter_zeros(x: Any, target_profile: Any = None) -> Any:
    """Sets the size to 1 where the stride is 0, or where the profile has 0; in a tuple, replaces 0 by 1.

    >>> print(filter_zeros(Layout((2, (3, 4)), (1, (0, 2)))))
    (2,(1,4)):(1,(0,2))
    """
    if isinstance(x, ComposedLayout):
        return on_inner_layout(x, lambda layout: filter_zeros(layout, target_profile))
    if isinstance(x, (Layout, CoordinateLayout)):
        guide = x.stride if target_profile is None else entries(target_profile, "the profile")
        return type(x)(_without_zeros(guide, x.shape), x.stride)
    x = entries(x, "filter_zeros")
    return _without_zeros(x if target_profile is None else entries(target_profile, "the profile"), x)


def _without_zeros(guide: IntTuple, t: IntTuple) -> IntTuple:
    if isinstance(guide, tuple):
        if not isinstance(t, tuple) or len(guide) != len(t):
            raise LayoutError(f"filter_zeros: {profile_text(guide)} does not fit {profile_text(t)}")
        return tuple(map(_without_zeros, guide, t))
    if isinstance(guide, BasisElement):
        guide = max(abs(x) for _, x in guide.terms())
    if type(guide) is int and guide == 0:
        return like(t, iter([1] * len(list(leaves(t)))))
    return t


@also_named(target_profile="profile", trg_profile="profile", input="layout")
def filter(layout: Layout, profile: Any = None) -> Any:
    """Drops modes of stride 0 and of size 1, and coalesces: the set of values stays.

    >>> print(filter(Layout((2, 4, 3), (1, 0, 2))))
    6:1
    """
    if isinstance(layout, ComposedLayout):
        return on_inner_layout(layout, lambda layout: filter(layout, profile))
    if isinstance(layout, CoordinateLayout):
        return layout.coded(lambda coded: filter(coded, profile), additive=False)

    def whole(part: Layout) -> Layout:
        return assembled(coalesced([(n, d) for n, d in part.flat() if d != 0]))

    return by_mode(on_whole(whole, "filter"), layout, profile, "filter", word="profile")


def sort(layout: Layout) -> Layout:
    """The flat layout with its modes sorted by stride, then by size (Definition 2.4); swizzles stay.

    The function changes.

    >>> print(sort(Layout((2, 4), (4, 1))))
    (4,2):(1,4)
    """
    if isinstance(layout, ComposedLayout):
        return on_inner_layout(layout, sort)
    need_numbers(layout, "sort")
    modes = sorted(layout.flat(), key=lambda mode: (mode[1], mode[0]))
    return made(tuple([n for n, _ in modes]), tuple([d for _, d in modes]))
