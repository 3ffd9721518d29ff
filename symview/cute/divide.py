"""Division: a layout split into a tile and the rest, and the ways to arrange the two."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symview.cute.complements import copies
from symview.cute.compose import composition, modes_for
from symview.cute.errors import LayoutError
from symview.cute.layout import Layout, is_layout, make_layout, need_layout
from symview.errors import SymbolError
from symview.logic.sympy_bridge import as_integer

Split = Callable[[Layout, Any], Any]


def logical_divide(layoutA: Any, layoutB: Any) -> Any:  # noqa: N803
    """A ∘ (B, complement(B, size(A))): the tile B of A as first mode, the rest as second (Definition 2.22).

    B may be a size, None for no change, or a tuple of these to divide mode by mode. Whatever is
    returned has the values of A in the order that (B, complement) gives. Every gap of B has to be
    filled, as in Definition 2.5; NoAnswer where nothing fills one, or B's modes overlap or interleave,
    NoComposition where A does not compose with the two.

    >>> print(logical_divide(Layout((4, 2, 3), (2, 1, 8)), Layout(4, 2)))
    ((2,2),(2,3)):((4,1),(2,8))
    >>> print(logical_divide(Layout(12), 4), logical_divide(Layout((9, 4)), (3, None)))
    (4,3):(1,4) ((3,3),4):((1,3),9)
    """
    layout = need_layout(layoutA, "logical_divide")
    if layoutB is None:
        return layout
    if isinstance(layoutB, tuple):
        return by_mode(logical_divide, layout, layoutB, "logical_divide")
    tile = as_layout(layoutB, "logical_divide")
    if not (layout.numeric and tile.numeric):
        from symview.cute.symbols.queries import always, logical_divide_conditions

        return always(logical_divide_conditions(layout, tile))
    return composition(layout, make_layout(tile, copies(tile, layout.size(), exact=True)))


def as_layout(x: Any, what: str) -> Layout:
    """A layout as it is, a size as a compact layout; LayoutError for anything else."""
    if isinstance(x, Layout):
        return x
    try:
        return Layout(as_integer(x, what))
    except SymbolError:
        raise LayoutError(f"{what}: {x!r} is no layout, no size, not None and no tuple of these") from None


def by_mode(operation: Split, layout: Layout, tiler: tuple[Any, ...], what: str) -> Layout:
    """The operation on each mode that the tiler has an entry for; the others stay."""
    parts = modes_for(layout, tiler, what)
    return make_layout([*map(operation, parts, tiler), *parts[len(tiler) :]])


def hier_unzip(splitter: Split, layoutA: Layout, layoutB: Any) -> Layout:  # noqa: N803
    """The splitter mode by mode, all first halves gathered into a mode and all second halves into another."""
    if not callable(splitter):
        raise LayoutError(f"hier_unzip: {splitter!r} is no function that splits a layout")
    if layoutB is None:
        return make_layout(Layout(1, 0), need_layout(layoutA, "hier_unzip"))
    if not isinstance(layoutB, tuple):
        found = splitter(layoutA, layoutB)
        if not is_layout(found) or len(found) != 2:
            raise LayoutError(f"hier_unzip: the splitter gave {found}, not a layout of two modes")
        return found  # type: ignore[no-any-return]
    parts = modes_for(need_layout(layoutA, "hier_unzip"), layoutB, "hier_unzip")
    split = [hier_unzip(splitter, a, b) for a, b in zip(parts, layoutB, strict=False)]
    rest = [s[1] for s in split] + parts[len(layoutB) :]
    return make_layout(make_layout([s[0] for s in split]), make_layout(rest))


def zipped_divide(layoutA: Layout, layoutB: Any) -> Layout:  # noqa: N803
    """The division mode by mode, as ((tiles…), (rests…)).

    >>> print(zipped_divide(Layout((4, 6)), (2, 3)))
    ((2,3),(2,2)):((1,4),(2,12))
    """
    return hier_unzip(logical_divide, layoutA, layoutB)


def tiled_divide(layoutA: Layout, layoutB: Any) -> Layout:  # noqa: N803
    """The division mode by mode, as ((tiles…), rest, rest, …).

    >>> print(tiled_divide(Layout((4, 6)), (2, 3)))
    ((2,3),2,2):((1,4),2,12)
    """
    return tiled(zipped_divide(layoutA, layoutB))


def flat_divide(layoutA: Layout, layoutB: Any) -> Layout:  # noqa: N803
    """The division mode by mode, as (tile, tile, …, rest, rest, …).

    >>> print(flat_divide(Layout((4, 6)), (2, 3)))
    (2,3,2,2):(1,4,2,12)
    """
    return unpacked(zipped_divide(layoutA, layoutB))


def tiled(zipped: Layout) -> Layout:
    """The second mode's modes unpacked."""
    return make_layout([zipped[0], *zipped[1].modes()])


def unpacked(zipped: Layout) -> Layout:
    """The modes of both modes in a row."""
    return make_layout([*zipped[0].modes(), *zipped[1].modes()])
