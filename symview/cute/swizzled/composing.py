"""Compositions where one of the two layouts is swizzled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symview.counterexample import Counterexample
from symview.cute.comparer import running
from symview.cute.composition_failure import Bent, NoComposition, no_composition
from symview.cute.errors import LayoutError
from symview.cute.first_failures import failure_of
from symview.cute.int_tuple import index_steps, is_int
from symview.cute.layout import Layout, is_layout, make_layout, shape_of
from symview.cute.linear.reading import map_of
from symview.cute.linear.straight import straight
from symview.cute.modes import coalesce_layout
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.cute.swizzled.alone import merged
from symview.cute.swizzled.inner_symbols import composed_for_all
from symview.cute.swizzled.simplified import as_one_swizzle, is_numeric, on_inner_layout, simplified
from symview.cute.values import is_bijection
from symview.errors import Undecided
from symview.logic.budget import Budget

_WORK = 3_000_000  # solver steps, about a second


def composed_swizzled(outer: ComposedLayout, inner: Any, compose: Callable[[Any, Any], Any], budget: Budget) -> Any:
    """(B ∘ A) ∘ inner: B ∘ (A ∘ inner), or another layout with the same values.

    Even if A ∘ inner is not a layout, the whole may be a layout or a swizzled one; raises NoComposition if not. Raises
    Undecided if that is not decided: for linear layouts, symbols, and tiles that leave their modes.
    """
    try:
        found = on_inner_layout(outer, lambda layout: compose(layout, inner))
        return _joined(found, inner.shape) if isinstance(found, Layout) and isinstance(inner, Layout) else found
    except NoComposition as error:
        whole = _as_indices(outer, inner)
        if whole is None or not is_numeric(outer) or not is_numeric(whole):
            raise Undecided(f"whether {outer} ∘ {inner} is a layout: before {outer.layoutB}, {error}") from None
        return one_of(outer, whole, budget)


def _joined(found: Layout, shape: Any) -> Layout:
    """Coalesces the layout within each mode of the shape."""
    if isinstance(shape, tuple):
        return make_layout([_joined(part, n) for part, n in zip(found.modes(), shape, strict=True)])
    return coalesce_layout(found) if isinstance(found.shape, tuple) else found


def arrange_swizzled(layout: ComposedLayout, arrange: Callable[[Any], Any], keeps_indices: bool, budget: Budget) -> Any:
    """Divides or multiplies the unswizzled layout, and keeps the swizzle.

    If the unswizzled layout does not compose, a division (`keeps_indices`) still only permutes the indices, so the
    whole layout is composed with that permutation.
    """
    try:
        return on_inner_layout(layout, arrange)
    except NoComposition as error:
        if keeps_indices and not is_numeric(layout):
            raise Undecided(f"whether a division of {layout} is a layout: before {layout.layoutB}, {error}") from None
        order = arrange(Layout(shape_of(layout, "a tiler"))) if keeps_indices else None
        if order is None or not is_bijection(order):
            raise
        return one_of(layout, order, budget)


def after(outer: Layout, inner: Any, budget: Budget) -> Any:
    """The composition with a swizzle, or with a swizzled layout of numbers: a plain layout, or one with another
    swizzle.

    A swizzle without a layout applies to the indices of `outer`. Raises NoComposition if there is no such layout,
    SymbolError if that depends on symbols.
    """
    if isinstance(inner, Swizzle):
        inner = ComposedLayout(inner, 0, Layout(outer.shape))
    if not is_numeric(inner):
        raise LayoutError(f"composition of {outer} and {inner}: the inner layout needs numbers")
    if not outer.numeric:
        return composed_for_all(outer, inner, running(budget).part(1, _WORK))
    return one_of(outer, inner, budget)


def one_of(outer: Any, inner: Any, budget: Budget) -> Any:
    """The layout of inner's shape with the values outer(inner(x)), plain or with one swizzle; raises NoComposition if
    none.

    Exact if the values have few bits: then every swizzle on these bits is tried.
    """
    f, budget = map_of(ComposedLayout(outer, 0, inner), "composition"), running(budget).part(1, _WORK)
    found = straight(f, inner, budget)
    if not isinstance(found, Counterexample) and found.base == 0:
        return found.layout
    other = as_one_swizzle(f, inner, budget)
    if other is not None:
        return other
    index, expected, _ = failure_of(found) if isinstance(found, Counterexample) else (0, 0, found.base)
    raise no_composition(outer, inner, Bent(index, expected))


def _as_indices(outer: Any, tiler: Any) -> Any:
    """The layout of the indices that a tiler selects, mode by mode; None if it leaves a mode of the layout."""
    return tiler if is_layout(tiler) else _part(shape_of(outer, "a tiler"), tiler, 1)


def _part(shape: Any, tiler: Any, place: int) -> Layout | None:
    """Does the same for one mode, whose consecutive indices are `place` apart."""
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
    """A swizzle after a layout, as a plain layout if it is one; of two swizzles, the swizzle that merges them."""
    if isinstance(inner, Swizzle):
        return merged(outer, inner)
    return simplified(ComposedLayout(outer, 0, inner))
