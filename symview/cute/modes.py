"""Rewrites layouts mode by mode; `coalesce` keeps the function, `filter` and `sort` only the set of values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from symview.cute.comparer import NUMBERS, Comparer, Tell
from symview.cute.comparer import Modes as Modes
from symview.cute.composition_failure import NoComposition
from symview.cute.coordinate_layouts import CoordinateLayout
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import as_tuples, is_int
from symview.cute.layout import Layout, made, make_layout, need_layout
from symview.cute.swizzle import ComposedLayout
from symview.cute.walk import coalesced_numbers


def tell_front(ask: Comparer, layout: ComposedLayout) -> None:
    """Reports which layoutB an operation leaves in place."""
    if ask.tell:
        ask.tell("in front", (layout.layoutB, layout.offset), layout.layoutA)


def assembled(modes: Modes) -> Layout:
    """The flat layout of these modes; a single mode is no tuple, and no mode gives 1:0."""
    numeric = all(type(n) is int and type(d) is int for n, d in modes)
    if len(modes) == 1:
        return made(*modes[0], numeric)
    if not modes:
        return made(1, 0)
    return made(tuple([n for n, _ in modes]), tuple([d for _, d in modes]), numeric)


def coalesce_layout(layout: Layout, profile: Any = None) -> Layout:
    """`coalesce` for layouts of numbers or coordinates."""
    if profile is None and layout.__class__ is Layout and layout._numeric:
        return coalesced_numbers(layout)
    if isinstance(layout, CoordinateLayout):
        return layout.coded(lambda coded: coalesce_layout(coded, profile))
    return coalesce_by(NUMBERS, layout, profile)  # type: ignore[no-any-return]


def coalesce_by(ask: Comparer, layout: Layout, profile: Any = None) -> Any:
    """`coalesce` over any comparer."""

    def whole(part: Layout) -> Layout:
        if ask.tell:
            ask.tell("coalescing", part)
        return assembled(ask.entries(coalesced(ask.wholes(part.flat()), ask.tell)))

    return by_mode(on_whole(whole, "coalesce"), layout, profile, "coalesce", ask.tell, "profile")


def coalesced(modes: Iterable[tuple[Any, Any]], tell: Tell | None = None) -> Modes:
    """Drops modes of size 1, and merges neighbours that continue each other: entries do so for all values."""
    found: Modes = []
    for size, stride in modes:
        before = found[-1] if found else None
        if size == 1:
            rule = "size 1"
        elif before is not None and stride == before[0] * before[1]:
            rule = "continues"
            found[-1] = (before[0] * size, before[1])
        else:
            rule = "first" if before is None else "stays"
            found.append((size, stride))
        if tell:
            tell("joined", (size, stride), rule, before, tuple(found))
    return found


def by_mode(
    on_part: Callable[[Layout, Any], Layout],
    layout: Layout,
    tiler: Any,
    what: str,
    tell: Tell | None = None,
    word: str = "tiler",
    join: Callable[[list[Any]], Any] = make_layout,
) -> Any:
    """Applies the operation to the layout and the tiler; a tuple as tiler applies it to each mode that has an entry."""
    tiler = as_tuples(tiler)
    if not isinstance(tiler, tuple):
        return on_part(need_layout(layout, what), tiler)
    parts = modes_for(layout, tiler, what, word)
    if tell:
        tell("by mode", tuple(parts))
    for n, part in enumerate(parts):
        stays = n >= len(tiler) or (tiler[n] is None and word == "tiler")
        if not stays:
            try:
                parts[n] = by_mode(on_part, part, tiler[n], what, tell, word, join)
            except NoComposition as error:
                raise error.inside(n) from None
        elif tell:
            tell("stays", part, n)
    return join(parts)


def modes_for(layout: Layout, tiler: tuple[Any, ...], what: str, word: str = "tiler") -> list[Layout]:
    """The modes that a tiler applies to; raises LayoutError if the tiler has more."""
    if len(tiler) > len(need_layout(layout, what)):
        raise LayoutError(
            f"{what}: the {word} has {len(tiler)} modes, {layout} has {len(layout)}: give at most as many"
        )
    return list(layout.modes())


def on_whole(operation: Callable[[Layout], Layout], what: str) -> Callable[[Layout, Any], Layout]:
    """Adapts an operation for which only the nesting of a profile matters."""

    def on_part(part: Layout, profile: Any) -> Layout:
        if profile is not None and not is_int(profile):
            raise LayoutError(
                f"{what}: the profile {profile!r} is not an integer: give an integer, None or a tuple of these"
            )
        return operation(part)

    return on_part


def moving_modes(layout: Layout) -> list[tuple[int, tuple[int, int]]]:
    """The numbered flat modes with size above 1 and a stride other than 0, sorted by stride, then by size."""
    moving = [(d, n, i) for i, (n, d) in enumerate(layout.flat()) if n != 1 and d != 0]
    return [(i, (n, d)) for d, n, i in sorted(moving)]
