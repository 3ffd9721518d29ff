"""The operations of the layout algebra on layouts with symbols, on one path of a fork.

They have the values that the operations on numbers have, in as few cases as these values need:
sizes that may be 1 stay, ceilings stay, and no order of strides is asked for that does not matter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symview.cute.algebra import operation
from symview.cute.comparer import times
from symview.cute.complements import misfit
from symview.cute.errors import NoAnswer
from symview.cute.int_tuple import flatten, is_int, product_of, profile_text
from symview.cute.layout import Layout, make_layout
from symview.cute.modes import Modes, assembled, coalesced
from symview.cute.symbols.asking import Asking
from symview.cute.symbols.composing import compose
from symview.cute.symbols.gaps import gaps, moving
from symview.cute.symbols.left_inverse import left_inverse
from symview.cute.symbols.refining import mode_of, nested, refined


def symbolic_operation(name: str) -> Callable[..., Layout]:
    """The operation of that name, a function of what asks, and of the arguments."""
    return {"complement": complement, "right_inverse": right_inverse, "left_inverse": left_inverse}.get(
        name
    ) or operation(name)


def complement(ask: Asking, layout: Layout, bound: Any = 1) -> Layout:
    """CuTe's form of the complement: the copies in each gap, and those behind the last up to the bound."""
    found, reach = _copies(ask, layout)
    return assembled(coalesced([*found, (ask.rounded_up(bound, reach), reach)]))


def _copies(ask: Asking, layout: Layout) -> tuple[Modes, Any]:
    """The copies in the gaps, and how far the last mode reaches."""
    found: Modes = []
    reach: Any = 1
    for gap in gaps(ask, layout):
        if not gap.fits:
            why = misfit(layout, gap, False) if layout.numeric else "its modes overlap or interleave, or go below 0"
            raise NoAnswer(f"complement of {layout}: {why}")
        found.append((gap.copies, gap.reach))
        reach = times(gap.size, gap.stride)
    return found, reach


def right_inverse(ask: Asking, layout: Layout) -> Layout:
    """The modes that continue each other from stride 1 on; of several with one stride, the smallest."""
    sizes = flatten(layout.shape)
    left = sorted(
        [(k, m) for k, m in enumerate(layout.flat()) if m[0] != 1], key=lambda m: m[1][0] if type(m[1][0]) is int else 0
    )
    found: Modes = []
    reached: Any = 1
    while (at := _continuing(ask, left, reached)) is not None:
        number, (size, _) = left.pop(at)
        found.append((size, product_of(sizes[:number])))
        reached = times(reached, size)
    return assembled(coalesced(found))


def _continuing(ask: Asking, left: list[tuple[int, tuple[Any, Any]]], reached: Any) -> int | None:
    """The place in the list of the smallest mode whose stride that is, the first of several."""
    at = next((k for k, (_, (_, d)) in enumerate(left) if ask.equal(d, reached)), None)
    if at is None:
        return None
    for k in range(at + 1, len(left)):
        (first, (least, _)), (second, (size, stride)) = left[at], left[k]
        if type(size) is int and type(least) is int:
            continue
        if ask.equal(stride, reached):
            smaller = ask.at_most(size, least) if second < first else not ask.at_most(least, size)
            at = k if smaller else at
    return at


def divide(ask: Asking, layout: Layout, tile: Layout) -> Layout:
    """A ∘ (B, complement(B, size(A))): the complement fills every gap, so together they run through an interval."""
    order: list[tuple[int | None, Any]] = []
    reach: Any = 1
    for gap in gaps(ask, tile, exact=True):
        if not gap.fits:
            why = misfit(tile, gap, True) if tile.numeric else "no layout fills its gaps"
            raise NoAnswer(f"complement of {tile}: {why}")
        order += [(None, gap.copies), (gap.number, gap.size)]
        reach = times(gap.size, gap.stride)
    order.append((None, ask.rounded_up(layout.size(), reach)))
    order = [(number, size) for number, size in order if size != 1]
    pieces = refined(ask, layout, [size for _, size in order], apart=_open_strides(tile) if layout.numeric else 0)
    parts = {number: found for (number, _), found in zip(order, pieces, strict=True) if number is not None}
    tiles = [mode_of(parts[k]) if k in parts else (n, 0) for k, (n, _) in enumerate(tile.flat())]
    rest = [mode_of(found) for (number, _), found in zip(order, pieces, strict=True) if number is None]
    return make_layout(nested(tile.shape, tiles), _beside(rest))


def _beside(modes: Modes) -> Layout:
    """A mode for each gap that the complement fills, as composition splits it; none as 1:0."""
    if len(modes) < 2:
        return nested(1, modes or [(1, 0)])
    return nested(tuple([1] * len(modes)), modes)


def multiply(ask: Asking, layout: Layout, tile: Layout) -> Layout:
    """(A, C ∘ B), C the complement of A; its last mode goes on, as far as B needs. One copy needs no complement."""
    reach = tile.cosize()
    if not ask.at_most(1, reach):
        raise NoAnswer(f"logical_product: {tile} has the cosize {profile_text(reach)}; copies need one from 1 up")
    try:
        found, end = _copies(ask, layout)
    except NoAnswer:
        if moving(ask, tile):
            raise
        return make_layout(layout, nested(tile.shape, [(n, 0) for n, _ in tile.flat()]))
    places = coalesced([*found, (2, end)])
    return make_layout(layout, compose(ask, assembled(places), tile, apart=_open_strides(layout)))


def _open_strides(layout: Layout) -> int:
    """How many modes that may move have strides that are no numbers."""
    return len([d for n, d in layout.flat() if n != 1 and not is_int(d)])
