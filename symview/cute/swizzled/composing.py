"""Compositions with layouts behind swizzles, on either side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symview.cute.comparer import running
from symview.cute.composition_failure import Bent, NoComposition, NoLayout
from symview.cute.errors import LayoutError
from symview.cute.first_failures import NotALayout
from symview.cute.int_tuple import index_steps, is_int
from symview.cute.layout import Layout, is_layout, make_layout, shape_of
from symview.cute.linear.reading import map_of
from symview.cute.linear.straight import straight
from symview.cute.modes import coalesce_layout
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.cute.swizzled.alone import merged
from symview.cute.swizzled.behind_symbols import composed_for_all
from symview.cute.swizzled.settled import behind_one, is_numeric, on_layout_behind, settled
from symview.cute.values import is_bijection
from symview.errors import Undecided
from symview.logic.budget import Budget

_WORK = 3_000_000  # of a solver: a second


def composed_behind(outer: ComposedLayout, inner: Any, compose: Callable[[Any, Any], Any], budget: Budget) -> Any:
    """(B ∘ A) ∘ inner, with B in front and A behind: A ∘ inner behind B, or whatever has these values.

    Where A ∘ inner is no layout, the whole may be one, or one behind another swizzle; NoComposition where not.
    Undecided where that is not told: with linear layouts or symbols, and by tiles that leave their modes.
    """
    try:
        found = on_layout_behind(outer, lambda layout: compose(layout, inner))
        return _joined(found, inner.shape) if isinstance(found, Layout) and isinstance(inner, Layout) else found
    except NoComposition as error:
        whole = _as_indices(outer, inner)
        if whole is None or not is_numeric(outer) or not is_numeric(whole):
            raise Undecided(f"whether {outer} ∘ {inner} is a layout: behind {outer.layoutB}, {error}") from None
        return one_of(outer, whole, budget)


def _joined(found: Layout, shape: Any) -> Layout:
    """The layout, coalesced within each mode of the shape."""
    if isinstance(shape, tuple):
        return make_layout([_joined(part, n) for part, n in zip(found.modes(), shape, strict=True)])
    return coalesce_layout(found) if isinstance(found.shape, tuple) else found


def arranged_behind(layout: ComposedLayout, arrange: Callable[[Any], Any], keeps_indices: bool, budget: Budget) -> Any:
    """A division or product of what stands behind, the front kept.

    Where that composes with no layout, a division still only puts indices in another order, if it `keeps_indices`.
    """
    try:
        return on_layout_behind(layout, arrange)
    except NoComposition as error:
        if keeps_indices and not is_numeric(layout):
            raise Undecided(f"whether a division of {layout} is a layout: behind {layout.layoutB}, {error}") from None
        order = arrange(Layout(shape_of(layout, "a tiler"))) if keeps_indices else None
        if order is None or not is_bijection(order):
            raise
        return one_of(layout, order, budget)


def after(outer: Layout, inner: Any, budget: Budget) -> Any:
    """A layout after a swizzle, or after a layout of numbers behind one: a layout, or one behind another swizzle.

    A swizzle alone is asked for the indices of the layout. NoComposition where there is neither, SymbolError where that
    depends on symbols.
    """
    if isinstance(inner, Swizzle):
        inner = ComposedLayout(inner, 0, Layout(outer.shape))
    if not is_numeric(inner):
        raise LayoutError(f"composition of {outer} and {inner}: numbers are needed behind a layout")
    if not outer.numeric:
        return composed_for_all(outer, inner, running(budget).part(1, _WORK))
    return one_of(outer, inner, budget)


def one_of(outer: Any, inner: Any, budget: Budget) -> Any:
    """The layout of inner's shape with the values outer(inner(x)), or that behind one swizzle; NoComposition if none.

    Exact, as long as the values have few bits: no swizzle within these does it.
    """
    f, budget = map_of(ComposedLayout(outer, 0, inner), "composition"), running(budget).part(1, _WORK)
    found = straight(f, inner, budget)
    if not isinstance(found, NotALayout) and found.base == 0:
        return found.layout
    other = behind_one(f, inner, budget)
    if other is not None:
        return other
    if not isinstance(found, NotALayout):
        found = NotALayout(0, 0, found.base, f"the value at 0 is {found.base}")
    raise NoComposition(NoLayout(outer, inner, Bent(found.index, found.expected)))


def _as_indices(outer: Any, tiler: Any) -> Any:
    """The layout of indices that a tiler asks for, mode by mode; None where it leaves a mode of the layout."""
    return tiler if is_layout(tiler) else _part(shape_of(outer, "a tiler"), tiler, 1)


def _part(shape: Any, tiler: Any, place: int) -> Layout | None:
    """The same of a mode whose first two indices are that far apart."""
    size = Layout(shape).size()
    if isinstance(tiler, tuple):
        places = [place * p for p in index_steps(shape)]
        given = [*tiler, *[None] * (len(places) - len(tiler))]
        parts = [_part(s, t, p) for s, t, p in zip(shape, given, places, strict=True)]
        return None if any(p is None for p in parts) else make_layout(parts)
    tile = Layout(shape) if tiler is None else Layout(tiler) if is_int(tiler) else tiler
    if not isinstance(tile, Layout) or not tile.numeric:
        return None
    if min((d for _, d in tile.flat()), default=0) < 0 or tile.cosize() > size:
        return None
    return _scaled(tile, place)


def _scaled(layout: Layout, by: int) -> Layout:
    def times(t: Any) -> Any:
        return tuple(map(times, t)) if isinstance(t, tuple) else t * by

    return Layout(layout.shape, times(layout.stride))


def swizzle_before(outer: Swizzle, inner: Any) -> Any:
    """A swizzle in front of a layout, as a layout where that is one; in front of a swizzle, the one that both are."""
    if isinstance(inner, Swizzle):
        return merged(outer, inner)
    return settled(ComposedLayout(outer, 0, inner))
