"""Swizzled tiles in divisions and products, and complements of swizzled layouts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symview.cute.errors import LayoutError, NoAnswer
from symview.cute.int_tuple import leaves
from symview.cute.layout import Layout, is_layout
from symview.cute.linear.reading import map_of, taken_apart
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.cute.swizzled.permutations import is_bijective
from symview.cute.swizzled.side_by_side import side_by_side
from symview.cute.swizzled.simplified import is_numeric, simplified
from symview.errors import SymbolError, Undecided

_WALKED = 1 << 16


def complement_swizzled(x: ComposedLayout, complement: Callable[[Any], Layout]) -> Layout:
    """The complement of the unswizzled layout, which is one of x if the swizzles keep its set of values.

    It also is one if the copies lie whole periods Q of the swizzles apart, since S(y + Q·t) = S(y) + Q·t. Raises what
    `complement` raises for the unswizzled layout, LayoutError if the value at 0 is not 0, and Undecided if neither
    holds or too many values would have to be compared.
    """
    given = simplified(x)
    if isinstance(given, Layout):
        return complement(given)
    if not is_numeric(given):
        raise LayoutError(f"complement of {x}: a swizzled layout needs numbers")
    f, inner = map_of(given, "complement"), taken_apart(given)[1]
    found, period = complement(inner), f.period() if f.is_swizzled() else None
    if f(0):
        raise LayoutError(f"complement of {x}: the value at 0 is {f(0)}; a complement is about layouts from 0 on")
    if period is not None and all(d % period == 0 for n, d in found.flat() if n > 1):
        return found
    indices = range(f.size)
    if len(indices) > _WALKED or set(map(f, indices)) != set(map(inner, indices)):
        raise Undecided(f"complement of {x}: the swizzle moves values outside the unswizzled ones, into the copies")
    return found


Compose = Callable[[Any, Any], Any]


def is_swizzled(tiler: Any) -> bool:
    """Whether a tile of the tiler is swizzled and equals no plain layout; raises LayoutError for a swizzle without a
    layout.
    """
    if isinstance(tiler, tuple):
        return any(map(is_swizzled, tiler))
    if isinstance(tiler, Swizzle):
        raise LayoutError(
            f"{tiler} alone is not a tile, it has no shape: compose it with a layout, as in {tiler} o 0 o (8,8)"
        )
    return isinstance(tiler, ComposedLayout) and not isinstance(simplified(tiler), Layout)


def need_numbers(tile: Any, layout: Any, what: str) -> None:
    """Raises LayoutError unless the layout is one and the tile is a layout of numbers."""
    if not is_layout(layout):
        raise LayoutError(f"{what} of {layout} by {tile}: give a layout")
    if not is_layout(tile) or not is_numeric(tile):
        raise LayoutError(f"{what} of {layout} by {tile}: swizzled tiles need numbers")


def divided_by(layout: Layout, tile: ComposedLayout, complement: Callable[[Any], Layout], compose: Compose) -> Any:
    """A ∘ (T, complement of T); raises NoAnswer unless the tile and its copies reach every index once."""
    need_numbers(tile, layout, "logical_divide")
    if any(type(n) is not int for n in leaves(layout.shape)):
        raise SymbolError(
            f"logical_divide of {layout} by {tile}: the sizes, and so the number of tiles, are symbolic: give the tile"
            " for one mode of numbers, or substitute numbers"
        )
    order = side_by_side([tile, complement_swizzled(tile, complement)])
    if not is_bijective(order):
        raise NoAnswer(f"logical_divide of {layout}: {tile} with its copies, {order}, leaves indices out")
    return compose(layout, order)


def repeated_by(
    layout: Layout, tile: ComposedLayout, complement: Callable[[Any, int], Layout], compose: Compose
) -> Any:
    """(A, C ∘ T), where C places as many copies of A as the values of T reach."""
    need_numbers(tile, layout, "logical_product")
    if not layout.numeric:
        raise SymbolError(
            f"logical_product of {layout} by {tile}: the places of the copies depend on the symbols: substitute numbers"
        )
    many = map_of(tile, "logical_product").bounds()[-1][1] + 1
    return side_by_side([layout, compose(complement(layout, many), tile)])
