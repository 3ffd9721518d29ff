"""Rewriting a layout mode by mode: coalesce keeps its function, filter and sort its set of values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symview.cute.errors import LayoutError
from symview.cute.int_tuple import is_int
from symview.cute.layout import Layout, made, need_layout
from symview.errors import SymbolError

Modes = list[tuple[Any, Any]]


def equal(a: Any, b: Any) -> bool:
    """Whether two entries are equal for all values of their symbols."""
    if type(a) is int and type(b) is int:
        return a == b
    return bool((a - b).expand() == 0)


def assembled(modes: Modes, numeric: bool = True) -> Layout:
    """The flat layout of the modes: a single one without a tuple, none as 1:0."""
    if len(modes) == 1:
        return made(*modes[0], numeric)
    if not modes:
        return made(1, 0)
    return made(tuple([n for n, _ in modes]), tuple([d for _, d in modes]), numeric)


def coalesce(layout: Layout, profile: Any = None) -> Layout:
    """The layout with the same function and the fewest modes, flat; unique.

    With a profile, a tuple, each of its modes by itself, so that their number stays; modes beyond
    it are left alone. With symbols, modes are merged that continue each other for all values.
    Source: "Coalescence Rules" and "By-Mode Coalescence" of "CuTe Layout Algebra" (L. Mao).

    >>> print(coalesce(Layout((2, (1, 6)), (1, (6, 2)))))
    12:1
    >>> print(coalesce(Layout((2, (1, 6)), (1, (6, 2))), (1, 1)))
    (2,6):(1,2)
    >>> print(coalesce(Layout((2, 3), (3, 1))))
    (2,3):(3,1)
    """
    need_layout(layout, "coalesce")
    if isinstance(profile, tuple):
        return by_profile(coalesce, layout, profile, "coalesce")
    _need_leaf(profile, "coalesce")
    return assembled(coalesced_modes(layout.flat()), layout.numeric)


def coalesced_modes(modes: Modes) -> Modes:
    """The modes without those of size 1, neighbours that continue each other as one."""
    found: Modes = []
    for size, stride in modes:
        if size == 1:
            continue
        if found and equal(found[-1][0] * found[-1][1], stride):
            found[-1] = (found[-1][0] * size, found[-1][1])
        else:
            found.append((size, stride))
    return found


def by_profile(
    operation: Callable[..., Layout], layout: Layout, profile: tuple[Any, ...], what: str
) -> Layout:  # fmt: skip
    """The operation on each mode that the profile names; LayoutError where it names too many."""
    if len(profile) > len(layout):
        raise LayoutError(
            f"{what}: the profile has {len(profile)} modes, {layout} has {len(layout)}: give at most as many"
        )
    parts = list(layout.modes())
    parts[: len(profile)] = [operation(part, inner) for part, inner in zip(parts, profile, strict=False)]
    return made(tuple([p.shape for p in parts]), tuple([p.stride for p in parts]), all(p.numeric for p in parts))


def _need_leaf(profile: Any, what: str) -> None:
    if profile is not None and not is_int(profile):
        raise LayoutError(f"{what}: the profile {profile!r} is no integer, not None and no tuple of these")


def filter(layout: Layout, profile: Any = None) -> Layout:
    """The layout without modes of stride 0 and of size 1, coalesced: the same values, each once per stride.

    >>> print(filter(Layout((2, 4, 3), (1, 0, 2))))
    6:1
    """
    need_layout(layout, "filter")
    if isinstance(profile, tuple):
        return by_profile(filter, layout, profile, "filter")
    _need_leaf(profile, "filter")
    return assembled(coalesced_modes([(n, d) for n, d in layout.flat() if d != 0]), layout.numeric)


def flat(layout: Layout) -> Layout:
    """The layout without nesting; the function stays.

    >>> print(flat(Layout((2, (3, 4)))))
    (2,3,4):(1,2,6)
    """
    modes = need_layout(layout, "flat").flat()
    return made(tuple([n for n, _ in modes]), tuple([d for _, d in modes]), layout.numeric)


def sort(layout: Layout) -> Layout:
    """The flat layout with its modes by stride, then by size (Definition 2.4). The function changes.

    >>> print(sort(Layout((2, 4), (4, 1))))
    (4,2):(1,4)
    """
    need_numbers(layout, "sort")
    modes = sorted(layout.flat(), key=lambda mode: (mode[1], mode[0]))
    return made(tuple([n for n, _ in modes]), tuple([d for _, d in modes]))


def need_numbers(layout: Any, what: str) -> None:
    """Raises for anything but a layout of numbers."""
    if not need_layout(layout, what).numeric:
        ask = f"ask {what}_conditions, or " if what in _CONDITIONS else ""
        raise SymbolError(
            f"{what} needs numbers, and {layout} has symbols: {ask}substitute numbers with layout.with_values"
        )


_CONDITIONS = (
    "coalesce", "complement", "composition", "left_inverse", "logical_divide", "logical_product", "right_inverse",
)  # fmt: skip
