"""Taking, putting and grouping the modes of a layout, or the entries of a nested tuple, as CuTe's C++ and DSL do."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from symview.cute.basis import BasisElement
from symview.cute.comparer import need_numbers
from symview.cute.construction import make_layout
from symview.cute.coordinate_layouts import CoordinateLayout
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import (
    Coordinate,
    IntTuple,
    as_tuples,
    congruent,
    entries,
    flatten,
    has_none,
    is_int,
    leaves,
    like,
    listed,
    number_text,
    profile_text,
)
from symview.cute.keywords import also_named
from symview.cute.layout import Layout, is_layout, made, need_layout
from symview.cute.modes import assembled, by_mode, coalesced, on_whole
from symview.cute.shape_arithmetic import kept_at, value_at
from symview.cute.swizzle import ComposedLayout
from symview.cute.swizzled.settled import on_layout_behind
from symview.cute.swizzled.side_by_side import side_by_side
from symview.cute.swizzled.slices import sliced, sliced_and_offset

Call = TypeVar("Call", bound=Callable[..., Any])
UNIT = Layout(1, 0)
MOST = 1 << 16


def _on_both(x: Any, what: str, change: Callable[..., Any], *others: Any) -> Any:
    """What the change makes of a tuple, or of a layout's shape and of its stride, beside those of other layouts."""
    if isinstance(x, ComposedLayout):
        return on_layout_behind(x, lambda layout: _on_both(layout, what, change, *others))
    if isinstance(x, Layout):
        parts = [need_layout(o, what) for o in others]
        shape = change(x.shape, *[p.shape for p in parts])
        return made(shape, change(x.stride, *[p.stride for p in parts]), all(p.numeric for p in (x, *parts)))
    if isinstance(x, CoordinateLayout):
        odd = [o for o in others if not isinstance(o, (Layout, CoordinateLayout))]
        if odd:
            raise LayoutError(f"{what}: {odd[0]!r} is no layout of a shape and strides")
        return CoordinateLayout(*[change(*t) for t in zip(*[(p.shape, p.stride) for p in (x, *others)], strict=True)])
    if is_layout(x) or any(map(is_layout, others)):
        raise LayoutError(f"{what}: {x} is no layout of a shape and strides")
    return change(entries(x, what, none=True), *[entries(o, what, none=True) for o in others])


def _in_any_order(function: Call) -> Call:
    """The function of a coordinate and of what it selects from, also with the two in the DSL's order."""

    @wraps(function)
    def called(*args: Any, **given: Any) -> Any:
        if len(args) == 1 and "coord" in given:
            return function(given["coord"], *args)
        if len(args) == 2:
            args = _coordinate_first(*args, function.__name__)
        return function(*args, **given)

    return cast(Call, called)


def _coordinate_first(a: Any, b: Any, what: str) -> tuple[Any, Any]:
    """The coordinate and the target: None stands in the coordinate alone; LayoutError where that does not tell.

    Without None, `slice_` leaves nothing of either, and `dice` all of the target.
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
    """Numbers of modes, in a row or as `mode=`."""
    found: Any = given if mode is None else mode
    found = [found] if is_int(found) else listed(found)
    if found is None:
        raise LayoutError(f"{what}: {mode!r} is no number of a mode and no list of such")
    if len(found) == 1 and isinstance(found[0], (list, tuple)):
        found = list(found[0])
    if not all(map(is_int, found)):
        raise LayoutError(f"{what}: {found} are no numbers of modes")
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
        for n in numbers:
            t = _entry(t, n)
        return t

    numbers = _modes(path, mode, "get")
    return _on_both(x, "get", at_path)


@also_named(input="x")
def select(x: Any, *modes: int, mode: Any = None) -> Any:
    """The layout of these modes, or the tuple of these entries, in that order.

    >>> print(select(Layout((4, 8, 16)), 2, 0), select((1, 2, 3), mode=[0, 2]))
    (16,4):(32,1) (1, 3)
    """
    numbers = _modes(modes, mode, "select")
    return _on_both(x, "select", lambda t: tuple([_entry(t, n) for n in numbers]))


@also_named(input="x")
def take(x: Any, begin: int, end: int) -> Any:
    """The modes from `begin` up to, not including, `end`.

    >>> print(take(Layout((2, 3, 5, 7)), 1, 3))
    (3,5):(2,6)
    """
    return _on_both(x, "take", lambda t: _listed(t)[slice(*_range(t, begin, end, "take"))])


@also_named(input="x")
def group(x: Any, begin: int, end: int | None = None) -> Any:
    """The modes from `begin` up to, not including, `end` as one mode; to the last where it is left out.

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
    """`group`, under the DSL's name; numbers below 0 count from the last mode.

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
    """One more mode behind the last, or as many as the rank asks for; 1:0 unless another is given.

    As in C++, a layout behind a swizzle gets a layout behind it too. A mode that stands behind a swizzle itself adds
    its values, as in `make_layout`: NoAnswer, with the coordinate, where no swizzle of the two does that.

    >>> print(append(Layout((2, 3)), Layout(4, 10)), append(Layout(8), up_to_rank=3), append((2, 3), 1, 4))
    (2,3,4):(1,2,10) (8,1,1):(1,0,0) (2, 3, 1, 1)
    >>> from symview.cute import Swizzle
    >>> tile = ComposedLayout(Swizzle(2, 0, 3), 0, Layout((8, 8), (8, 1)))
    >>> copies = ComposedLayout(Swizzle(2, 0, 3), 0, Layout(4, 64))
    >>> print(append(tile, copies))
    SW_2_0_3 o 0 o (8,8,4):(8,1,64)
    """
    return _extended(x, elem, up_to_rank, "append", lambda t, more: (*_listed(t), *more))


@also_named(input="x")
def prepend(x: Any, elem: Any = UNIT, up_to_rank: int | None = None) -> Any:
    """One more mode before the first, or as many as the rank asks for; 1:0 unless another is given.

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
    """The values of all parts added: the modes of the first, and the others, put in order, behind what does it."""
    flat = not isinstance(parts[0].shape, tuple)

    def ordered(layout: Any) -> Any:
        if isinstance(layout, ComposedLayout):
            return ComposedLayout(layout.layoutB, layout.offset, ordered(layout.layoutA))
        first, *more = layout.modes()
        return make_layout(list(put((first,) if flat else tuple(first.modes()), more)))

    return ordered(side_by_side(parts, what))


def _missing(t: IntTuple, rank: int | None, what: str) -> int:
    """How many modes are missing up to the rank, one without a rank."""
    have = len(_listed(t))
    if rank is not None and (not is_int(rank) or rank < have):
        raise LayoutError(f"{what}: {profile_text(t)} has {have} modes, the rank asked for is {rank}")
    missing = 1 if rank is None else rank - have
    if missing > MOST:
        raise LayoutError(f"{what}: {number_text(missing)} modes more: give a rank that adds at most {MOST}")
    return missing


def replace(x: Any, mode: int, elem: Any) -> Any:
    """The layout or the tuple with another mode in that place; behind a swizzle, that of the layout behind.

    >>> print(replace(Layout((2, 3)), 1, Layout(5, 7)))
    (2,5):(1,7)
    """

    def change(t: IntTuple, e: IntTuple) -> IntTuple:
        _entry(t, mode)
        found = list(_listed(t))
        found[mode] = e
        return tuple(found)

    if not is_int(mode):
        raise LayoutError(f"replace: {mode!r} is no number of a mode")
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
    """The layout, or the nested tuple, without nesting. Exported as `flatten`.

    >>> print(flatten_modes(Layout((2, (3, 4)))), flatten_modes((2, (3, 4))))
    (2,3,4):(1,2,6) (2, 3, 4)
    """
    return _on_both(x, "flatten", flatten)


@also_named(sequence="x", profile="target_profile")
def unflatten(x: Any, target_profile: IntTuple) -> Any:
    """The flat layout or tuple, nested as the profile is; LayoutError where that has another number of entries.

    >>> print(unflatten(Layout((2, 3, 4)), (0, (0, 0))))
    (2,(3,4)):(1,(2,6))
    """
    profile = entries(target_profile, "the profile", none=True)
    count = len(list(leaves(profile)))

    def change(t: IntTuple) -> IntTuple:
        if len(_listed(t)) != count or any(isinstance(e, tuple) for e in _listed(t)):
            raise LayoutError(
                f"unflatten: {profile_text(t)} does not fit the {count} entries of {profile_text(profile)}"
            )
        return like(profile, iter(_listed(t)))

    return _on_both(x, "unflatten", change)


@also_named(src="x")
@_in_any_order
def slice_(coord: Any, x: Any) -> Any:
    """The modes of a layout, or the entries of a tuple, where the coordinate has None.

    The layout, or the tuple, may also come first, as in the DSL: None stands in the coordinate alone.

    >>> slice_((None, 0), (4, 8)), slice_((0, (None, 1)), (4, (2, 3))), slice_((4, 8), (None, 0))
    ((4,), (2,), (4,))
    >>> print(slice_((None, 0), Layout((4, 8))))
    (4):(1)
    """
    coord = entries(coord, "the coordinate", none=True)
    if isinstance(x, ComposedLayout):
        return sliced(x, coord)
    return _on_both(x, "slice_", lambda t: kept_at(coord, t))


def slice_and_offset(crd: Coordinate, layout: Any) -> tuple[Any, Any]:
    """The layout of the modes where the coordinate has None, and the value where the others stand.

    Behind a swizzle too: rows of a swizzled tile are strided, with signs. A slice that is not stays behind
    the swizzle, its offset inside and 0 beside it.

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
    """The modes where the coordinate has an integer: what `slice_` leaves out; in either order, as there.

    LayoutError for two tuples without None, or with it in both: `dice(coord=…, x=…)` says which is the coordinate.

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
    """The layout with size 1 wherever its stride is 0, or wherever the profile has 0; of a tuple, 1 in place of 0.

    >>> print(filter_zeros(Layout((2, (3, 4)), (1, (0, 2)))))
    (2,(1,4)):(1,(0,2))
    """
    if isinstance(x, ComposedLayout):
        return on_layout_behind(x, lambda layout: filter_zeros(layout, target_profile))
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
    """The layout without modes of stride 0 and of size 1, coalesced: the same values, each once per stride.

    >>> print(filter(Layout((2, 4, 3), (1, 0, 2))))
    6:1
    """
    if isinstance(layout, ComposedLayout):
        return on_layout_behind(layout, lambda layout: filter(layout, profile))
    if isinstance(layout, CoordinateLayout):
        return layout.coded(lambda coded: filter(coded, profile), additive=False)

    def whole(part: Layout) -> Layout:
        return assembled(coalesced([(n, d) for n, d in part.flat() if d != 0]))

    return by_mode(on_whole(whole, "filter"), layout, profile, "filter", word="profile")


def sort(layout: Layout) -> Layout:
    """The flat layout with its modes by stride, then by size (Definition 2.4), behind a swizzle those behind it.

    The function changes.

    >>> print(sort(Layout((2, 4), (4, 1))))
    (4,2):(1,4)
    """
    if isinstance(layout, ComposedLayout):
        return on_layout_behind(layout, sort)
    need_numbers(layout, "sort")
    modes = sorted(layout.flat(), key=lambda mode: (mode[1], mode[0]))
    return made(tuple([n for n, _ in modes]), tuple([d for _, d in modes]))
