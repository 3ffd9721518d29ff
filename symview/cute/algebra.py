"""Composition, division and product over a comparer, the arrangements of their parts, and all operations by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import prod
from typing import Any

from symview.cute.arranging import with_tiles
from symview.cute.comparer import Comparer
from symview.cute.complements import complement_by, copies
from symview.cute.coordinate_layouts import CoordinateLayout, by_coordinates
from symview.cute.errors import LayoutError, no_layout
from symview.cute.int_tuple import as_tuples, numbers, product_of, profile_text, sizes
from symview.cute.inverse import left_inverse_by, right_inverse_by
from symview.cute.layout import Layout, LayoutRight, is_layout, is_order, made, make_layout, need_layout
from symview.cute.linear.layout import LinearLayout
from symview.cute.linear.operations import composed_with_linear
from symview.cute.modes import (
    assembled,
    by_mode,
    coalesce_by,
    coalesced,
    modes_for,
    moving_modes,
    tell_front,
)
from symview.cute.recasts import recast_by
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.cute.swizzled.coalescing import coalesced_swizzled
from symview.cute.swizzled.composing import after, arrange_swizzled, composed_swizzled, swizzle_before
from symview.cute.swizzled.side_by_side import side_by_side
from symview.cute.swizzled.simplified import on_inner_layout, simplified
from symview.cute.swizzled.tiles import divided_by, is_swizzled, repeated_by
from symview.errors import SymbolError
from symview.logic.sympy_bridge import as_integer

Split = Callable[[Any, Any], Any]


def as_layout(x: Any, what: str, one: int = 0, wanted: str = "a layout, a size, None or a tuple of these") -> Layout:
    """Returns a layout unchanged, and converts a size to a compact layout; size 1 gets the stride `one`.

    Raises LayoutError for anything else.
    """
    x = simplified(x)
    if is_layout(x):
        return need_layout(x, what)
    try:
        size = as_integer(x, what)
        return made(1, one) if type(size) is int and size == 1 else Layout(size)
    except SymbolError:
        raise no_layout(what, x, f": give {wanted}") from None


def composed(ask: Comparer, outer: Any, inner: Any) -> Any:
    """A ∘ B; if A is swizzled, composes the unswizzled layout."""
    if isinstance(outer, CoordinateLayout):
        return outer.coded(lambda coded: composed(ask, with_tiles(coded, inner), inner), _reach(inner))
    if isinstance(outer, Layout) and isinstance(inner, CoordinateLayout):
        return by_coordinates(outer, inner, partial(composed, ask))
    if isinstance(outer, LinearLayout) or isinstance(inner, LinearLayout):
        plain = not is_layout(inner) and not isinstance(inner, Swizzle)
        return composed_with_linear(outer, as_layout(inner, "composition") if plain else inner)
    if isinstance(outer, ComposedLayout):
        tell_front(ask, outer)
        return composed_swizzled(outer, inner, partial(composed, ask), ask.budget)
    if isinstance(outer, Swizzle):
        if inner is not None and not is_layout(inner) and not isinstance(inner, Swizzle):
            inner = as_layout(inner, "composition of a swizzle")
        if ask.tell:
            ask.tell(*("stays", outer, None) if inner is None else ("in front", (outer,), inner))
        return outer if inner is None else swizzle_before(outer, inner)
    if isinstance(inner, Swizzle | ComposedLayout) and isinstance(outer, Layout):
        return after(outer, inner, ask.budget)
    if isinstance(inner, Swizzle) or (is_layout(inner) and not isinstance(inner, Layout)):
        raise LayoutError(f"composition of {outer} and {inner}: a swizzle needs a layout of numbers")

    def compose(ask: Comparer, layout: Layout, tile: Any) -> Any:
        return ask.compose(layout, tile) if isinstance(tile, Layout) else after(layout, tile, ask.budget)

    return _of_two(ask, "composition", compose, outer, inner)


def _of_two(ask: Comparer, what: str, operation: Callable[..., Any], layout: Any, tiler: Any) -> Any:
    """Applies the operation, mode by mode if the tiler is a tuple; None as tiler keeps the layout."""

    def on_part(part: Layout, tile: Any) -> Any:
        if is_swizzled(tile):
            return operation(ask, part, tile)
        if tile is not None:
            return ask.apply(what, operation, part, as_layout(tile, what, int(what == "composition")))
        if ask.tell:
            ask.tell("stays", part, None)
        return part

    return by_mode(on_part, layout, tiler, what, ask.tell, join=side_by_side if is_swizzled(tiler) else make_layout)


def divided(ask: Comparer, layout: Any, tiler: Any) -> Any:
    """A ∘ (B, complement(B, size(A))), where the complement fills every gap."""

    def divide(ask: Comparer, layout: Layout, tile: Any) -> Any:
        if ask.tell:
            ask.tell("dividing", layout, tile)
        if not isinstance(tile, Layout):
            copies = partial(_complement, ask, bound=layout.size(), exact=True)
            return divided_by(layout, tile, copies, partial(composed, ask))
        rest = _complement(ask, tile, layout.size(), exact=True)
        return ask.compose(layout, make_layout(tile, rest))

    return _of_two(ask, "logical_divide", divide, layout, tiler)


def multiplied(ask: Comparer, layout: Any, tiler: Any) -> Any:
    """(A, C ∘ B), C the complement of A up to size(A)·cosize(B), with cosize(B) copies; any C does if B is 0."""

    def multiply(ask: Comparer, layout: Layout, tile: Any) -> Any:
        if not isinstance(tile, Layout):
            places = partial(_places, ask)
            return repeated_by(layout, tile, places, partial(composed, ask))
        many = tile.cosize()
        if many < 1:
            raise LayoutError(f"logical_product: {tile} has the cosize {profile_text(many)}; copies need one from 1 up")
        if ask.tell:
            ask.tell("multiplying", layout, tile, many)
        return make_layout(layout, ask.compose(_places(ask, layout, many) if moving_modes(tile) else made(1, 0), tile))

    return _of_two(ask, "logical_product", multiply, layout, tiler)


def _places(ask: Comparer, layout: Layout, many: Any) -> Layout:
    """The layout of the start of each of that many copies of a layout."""
    return _complement(ask, layout, layout.size() * many, least=many)


def _complement(ask: Comparer, layout: Layout, bound: Any, exact: bool = False, least: Any = 1) -> Layout:
    found = assembled(coalesced(copies(ask, layout, bound, exact, least)))
    if ask.tell:
        ask.tell("complement", found)
    return found


# Arrangements of two parts


def hier_unzip(splitter: Split, layoutA: Any, layoutB: Any, none: str = "pycute") -> Any:  # noqa: N803
    """Applies the splitter mode by mode; gathers all first halves into one mode, all second halves into another.

    Where the tiler has None, the halves are 1:0 and the whole mode, as in pycute; with `none="cute"` they are the two
    modes of that mode, as in CuTe's `tile_unzip`, and any other mode is a LayoutError.
    """
    if not callable(splitter) or is_layout(splitter) or isinstance(splitter, Swizzle):
        raise LayoutError(f"hier_unzip: {splitter!r} is not a function that splits a layout")
    layoutB = as_tuples(layoutB)  # noqa: N806
    if isinstance(layoutA, ComposedLayout):
        return on_inner_layout(layoutA, lambda layout: hier_unzip(splitter, layout, layoutB, none))
    if layoutB is None:
        whole = need_layout(layoutA, "hier_unzip")
        return make_layout(Layout(1, 0), whole) if none == "pycute" else _two_modes(whole)
    if not isinstance(layoutB, tuple):
        found = splitter(layoutA, layoutB)
        if not is_layout(found) or len(found) != 2:
            raise LayoutError(f"hier_unzip: the splitter gave {found}, not a layout of two modes")
        return found
    if is_swizzled(layoutB):  # a swizzle mixes modes: split them all at once, then arrange them
        split = splitter(layoutA, layoutB)
        return _on_inner(lambda x: hier_unzip(lambda part, _: part, x, _profile(layoutB), none), split)
    parts = modes_for(need_layout(layoutA, "hier_unzip"), layoutB, "hier_unzip")
    halves = [hier_unzip(splitter, a, b, none) for a, b in zip(parts, layoutB, strict=False)]
    rest = [s[1] for s in halves] + parts[len(layoutB) :]
    return make_layout(make_layout([s[0] for s in halves]), make_layout(rest))


def _two_modes(layout: Layout) -> Layout:
    """The layout, whose modes are its tile and its rest; raises LayoutError unless they are two."""
    if len(layout) != 2:
        raise LayoutError(
            f"the tiler has None for {layout}: CuTe takes the two modes of such a mode as tile and rest, and this one"
            f' has {len(layout)}; give a tile, or none="pycute", which keeps it whole, as the rest'
        )
    return layout


def _profile(tiler: Any) -> Any:
    return tuple(map(_profile, tiler)) if isinstance(tiler, tuple) else tiler if tiler is None else 1


def _on_inner(arrange: Callable[[Layout], Layout], x: Any) -> Any:
    """Arranges the modes of the unswizzled layout."""
    return on_inner_layout(x, partial(_on_inner, arrange)) if isinstance(x, ComposedLayout) else arrange(x)


_UNPACKED: dict[str, Callable[[Any], Any]] = {  # of tile and rest, zipped
    "zipped": lambda zipped: zipped,
    "tiled": lambda zipped: make_layout([zipped[0], *zipped[1].modes()]),
    "flat": lambda zipped: make_layout([*zipped[0].modes(), *zipped[1].modes()]),
}


_PAIRED = "a blocked or raked product"


def _paired(split: Split, block: Any, tiler: Any, raked: bool) -> Any:
    """The product of the whole block; mode n of block and copies become one mode; sizes count as layouts."""
    given = [
        x if isinstance(x, ComposedLayout) and is_swizzled(x) else as_layout(x, _PAIRED, wanted="a layout or a size")
        for x in (block, tiler)
    ]
    rank = max(map(len, given))

    def paired(found: Layout) -> Layout:
        pairs = zip(found[0].modes(), found[1].modes(), strict=True)
        return make_layout([make_layout(b, a) if raked else make_layout(a, b) for a, b in pairs])

    return _on_inner(paired, split(*[_on_inner(partial(_of_rank, rank), x) for x in given]))


def _of_rank(rank: int, layout: Layout, what: str = _PAIRED) -> Layout:
    return make_layout([*need_layout(layout, what).modes(), *[Layout(1, 0)] * (rank - len(layout))])


def tiling(atom: Any, shape: Any, order: Any = None) -> tuple[Layout, tuple[Any, ...], tuple[int, ...]]:
    """Checks the arguments of `tile_to_shape`; returns the block, extended to the target's rank, the target and the
    order.

    Raises LayoutError if they do not fit.
    """
    target = sizes(shape.shape if isinstance(shape, Layout) else shape)
    each = tuple(map(product_of, target)) if isinstance(target, tuple) else (target,)
    if len(need_layout(atom, "tile_to_shape")) > len(each):
        raise LayoutError(f"tile_to_shape: {atom} has more modes than the shape {profile_text(each)}")
    places = range(len(each))
    if is_order(order):
        order = tuple(places if LayoutRight not in (order, type(order)) else reversed(places))
    order = numbers(order, "the order") if isinstance(order, (tuple, list)) else tuple(places)
    if len(order) != len(each) or any(isinstance(place, tuple) for place in order):
        raise LayoutError(f"tile_to_shape: the order {profile_text(order)} does not fit {profile_text(each)}")
    return _of_rank(len(each), atom, "tile_to_shape"), each, order


def tiled_to_shape(ask: Comparer, block: Layout, target: tuple[Any, ...], order: tuple[int, ...]) -> Any:
    """Repeats the block until each mode has at least the target's size; the order gives the strides of the copies."""
    many = [ask.rounded_up(n, product_of(m)) for n, m in zip(target, block.shape, strict=True)]
    before = [product_of(tuple([n for n, k in zip(many, order, strict=True) if k < place])) for place in order]
    copies = assembled([(n, 0 if n == 1 else d) for n, d in zip(many, before, strict=True)])
    return _paired(partial(multiplied, ask), block, copies, raked=False)


def coalesced_of_any_kind(ask: Comparer, layout: Any, profile: Any = None) -> Any:
    """`coalesce` over any comparer."""
    if not isinstance(layout, ComposedLayout):
        return coalesce_by(ask, layout, profile)
    tell_front(ask, layout)
    return coalesced_swizzled(layout, profile)


_PLAIN: dict[str, Callable[..., Any]] = {
    "composition": composed, "coalesce": coalesced_of_any_kind, "complement": complement_by,
    "right_inverse": right_inverse_by, "left_inverse": left_inverse_by,
    "strict_left_inverse": partial(left_inverse_by, strict=True), "tile_to_shape": tiled_to_shape,
    "recast_layout": recast_by,
}  # fmt: skip
_SPLIT: dict[str, Callable[..., Any]] = {"divide": divided, "product": multiplied}
_ARRANGED: dict[str, Callable[..., Layout]] = {
    "logical": lambda split, a, b: split(a, b),
    "blocked": partial(_paired, raked=False), "raked": partial(_paired, raked=True),
}  # fmt: skip
_DIVISIONS = ("logical", *_UNPACKED)
ARRANGEMENTS = {"divide": _DIVISIONS, "product": (*_DIVISIONS, "blocked", "raked")}


def operation(name: str, none: str = "cute") -> Callable[..., Any]:
    """The operation of that name, as a function of a comparer and the arguments; `none` as for `hier_unzip`.

    >>> from symview.cute.comparer import NUMBERS
    >>> print(operation("zipped_divide")(NUMBERS, Layout((4, 6)), (2, 3)))
    ((2,3),(2,2)):((1,4),(2,12))
    """
    arranged, _, kind = name.rpartition("_")
    if name in _PLAIN:
        return _PLAIN[name]
    if kind not in _SPLIT:
        raise LayoutError(f"unknown operation {name}: choose one of {', '.join(_PLAIN)}, or a division or a product")
    if arranged not in ARRANGEMENTS[kind]:
        raise LayoutError(f"unknown {name}: choose one of {', '.join(ARRANGEMENTS[kind])}")

    def run(ask: Comparer, layout: Any, tiler: Any) -> Any:
        if isinstance(layout, CoordinateLayout):
            return layout.coded(lambda coded: run(ask, coded, tiler), _reach(tiler), additive=kind == "divide")
        if isinstance(layout, ComposedLayout):
            tell_front(ask, layout)
            return arrange_swizzled(layout, lambda inner: run(ask, inner, tiler), kind == "divide", ask.budget)
        split = partial(_SPLIT[kind], ask)
        if arranged in _UNPACKED:
            return _on_inner(_UNPACKED[arranged], hier_unzip(split, layout, tiler, none))
        return _ARRANGED[arranged](split, layout, tiler)

    return run


def _reach(tiler: Any) -> int:
    """An upper bound for the indices that a numeric tiler uses."""
    if isinstance(tiler, Layout):
        return 1 + sum([n * (abs(d) + 1) for n, d in tiler.flat()]) if tiler.numeric else 1
    if isinstance(tiler, tuple):
        return prod([_reach(t) for t in tiler])
    return abs(tiler) if type(tiler) is int else 1
