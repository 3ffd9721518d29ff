"""The complement of a layout, and the reasons why there may be none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any, NamedTuple

from symview.cute.comparer import NUMBERS, Comparer, Gap, Numbered, Numbers
from symview.cute.errors import LayoutError, NoAnswer
from symview.cute.int_tuple import also_named, entries, is_int, like, product_of, profile_text
from symview.cute.layout import Layout, made
from symview.cute.modes import Modes, assembled, coalesced, moving_modes
from symview.cute.swizzle import ComposedLayout
from symview.cute.swizzled.tiles import complement_swizzled
from symview.cute.values import same_values
from symview.cute.walk import complement_numbers
from symview.displayed import number_text
from symview.engine.density import tied

MAX_TABLE = 1 << 12


class Collision(NamedTuple):
    """Two flat coordinates of one layout with the same value."""

    first: tuple[int, ...]
    second: tuple[int, ...]
    value: int
    modes: tuple[int, ...]


@also_named(cotarget="max_idx", input="layout")
def complement(layout: Any, max_idx: Any = 1, every_copy: bool = False) -> Layout:
    """The places of disjoint copies of a layout, in CuTe's form, long enough to reach max_idx.

    CuTe's form sorts the modes by stride. Each gap, from the reach N·d of one mode to the stride of the next, gets
    floor(stride/reach) copies, or one if the stride is below the reach but above all sums so far; after the last mode
    come as many copies as start below max_idx. The complement's values increase, and no two sums of a value of the
    layout and a value of the complement are equal. If the modes satisfy N_i·d_i | d_{i+1}, these sums are all numbers
    below the least multiple of the last reach that is at least max_idx, each once; for max_idx a multiple this is
    Proposition 2.7. Otherwise they skip numbers, and there may be fewer copies than max_idx // size(layout);
    `every_copy` refuses these. Modes of stride 0 repeat values and are ignored.

    NoAnswer is about this form. If two coordinates have the same value, no layout is a complement; if modes only
    interleave, layouts of another form may be. A shape or a layout as bound counts as its size. Raises LayoutError
    unless max_idx is positive.

    Source: Definitions 2.5, 2.6 and Remark 2.9 of "CuTe Layout Algebra" (L. Mao).

    >>> print(complement(Layout(4, 2), 16), complement(Layout((6, 3), (1, 9)), 72))
    (2,2):(1,8) 3:27
    >>> complement(Layout((4, 2), (1, 2)), 8)
    Traceback (most recent call last):
    ...
    symview.cute.errors.NoAnswer: complement of (4,2):(1,2): modes 0 (4:1) and 1 (2:2) overlap: \
coordinates (2,0) and (0,1) both have the value 2
    """
    if layout.__class__ is Layout and layout._numeric and max_idx.__class__ is int and max_idx > 0:
        found = complement_numbers(layout, max_idx)
        if found is not None:
            return found
    return complement_by(NUMBERS, layout, max_idx, every_copy)


def complement_by(ask: Comparer, layout: Any, bound: Any = 1, every_copy: bool = False) -> Layout:
    """`complement` over any comparer."""
    if isinstance(layout, ComposedLayout):
        return complement_swizzled(layout, lambda inner: complement_by(ask, inner, bound, every_copy))
    layout = ask.admit(Layout(layout) if is_int(layout) else layout, "complement")
    bound = bound.size() if isinstance(bound, Layout) else bound
    bound = product_of(entries(bound, "the bound")) if isinstance(bound, (tuple, list)) else bound
    if bound < 1 if is_int(bound) else isinstance(ask, Numbers):
        raise LayoutError(f"complement of {layout}: the bound {profile_text(bound)} is not a positive integer")
    found = copies(ask, layout, bound)
    if every_copy:
        unfilled = next((gap for gap in gaps(layout) if not gap.filled), None)
        some, wanted = prod([n for n, _ in found]), bound // layout.size()
        if unfilled and wanted > some:
            few = f"only {number_text(some)} of the {number_text(wanted)} requested copies fit into the gaps"
            raise NoAnswer(f"complement of {layout}: {few}: {undivided(layout, unfilled)}")
    return assembled(coalesced(found))


def copies(ask: Comparer, layout: Layout, bound: Any, exact: bool = False, least: Any = 1) -> Modes:
    """The modes of CuTe's complement.

    Each gap gets as many copies as fit; after the last mode they go up to the bound, and there are at least `least` in
    all. With `exact` every gap has to be filled, so that no number below the bound is skipped (Definition 2.5). Raises
    NoAnswer if modes overlap or interleave, or a gap cannot be filled.
    """
    if ask.tell:
        ask.tell("filling", layout, bound)
    found, reach = copies_in(fitting_gaps(ask, layout, exact))
    inside, many = prod([n for n, _ in found]), ask.rounded_up(bound, reach)
    enough = least == 1 or least <= inside * many
    many = many if enough else -(-least // inside)
    if ask.tell:
        ask.tell("after", bound, reach, inside, least, many, enough)
    return ask.entries([*found, (many, reach)])


def fitting_gaps(ask: Comparer, layout: Layout, exact: bool = False) -> list[Gap]:
    """The gaps if all modes fit; raises NoAnswer if modes overlap or interleave, or a gap cannot be filled."""
    found: list[Gap] = []
    for gap in gaps(layout, exact, ask):
        if ask.tell:
            ask.tell("gap", gap)
        if not gap.fits:
            raise NoAnswer(f"complement of {layout}: {misfit(layout, gap, exact)}")
        found.append(gap)
    return found


def copies_in(inner: Sequence[Gap]) -> tuple[Modes, Any]:
    """The copies in the gaps, and the reach after them."""
    return [(gap.copies, gap.reach) for gap in inner], inner[-1].size * inner[-1].stride if inner else 1


def gaps(layout: Layout, exact: bool = False, ask: Comparer = NUMBERS) -> Iterator[Gap]:
    """The gaps of CuTe's form, up to the first mode that does not fit; with `exact` each gap has to be filled."""
    next_gap = (NUMBERS if layout.numeric else ask).next_gap
    left = moving(ask, layout)
    reach: Any = 1
    span: Any = 0
    while left:
        gap = next_gap(left, reach, span, exact)
        yield gap
        if not gap.fits:
            return
        reach, span = gap.size * gap.stride, gap.end()


def moving(ask: Comparer, layout: Layout) -> Numbered:
    """The numbered flat modes with size above 1 and a stride other than 0; numbers are sorted by stride."""
    if layout.numeric:
        return moving_modes(layout)
    return [(i, (n, d)) for i, (n, d) in enumerate(ask.wholes(layout.flat())) if not (n == 1 or d == 0)]


# Why there is no complement


def misfit(layout: Layout, gap: Gap, exact: bool) -> str:
    """Why the mode does not fit after this gap; with `exact` every gap has to be filled."""
    if not layout.numeric:
        return misfit_of_names(exact)
    if gap.stride < 0:
        return f"mode {gap.number} has the stride {number_text(gap.stride)}; a complement needs strides from 0 up"
    found = _overlap(layout)
    if found is not None:
        return found
    if exact:
        return f"{undivided(layout, gap)}: no layout fills the gap"
    before, this = _previous(layout, gap), _named(layout, gap.number)
    no_place = f"{before} reaches {number_text(gap.reach)}, and CuTe's form has no place for copies there"
    return f"modes {before} and {this} interleave: {no_place}"


def misfit_of_names(exact: bool) -> str:
    """Why a mode of a layout with names does not fit; which one it is depends on their values."""
    return "no layout fills its gaps" if exact else "its modes overlap or interleave, or go below 0"


def undivided(layout: Layout, gap: Gap) -> str:
    """States that the reach before the gap does not divide the stride after it."""
    reaches = f"mode {_previous(layout, gap)} reaches {number_text(gap.reach)}"
    return f"{reaches}, which does not divide the stride {number_text(gap.stride)} of mode {_named(layout, gap.number)}"


def _named(layout: Layout, number: int) -> str:
    size, stride = layout.flat()[number]
    return f"{number} ({profile_text(size)}:{profile_text(stride)})"


def _previous(layout: Layout, gap: Gap) -> str:
    """The mode before, by stride, that has this reach."""
    before = [n for n, (m, d) in moving_modes(layout) if m * d == gap.reach and n != gap.number]
    return _named(layout, before[-1])


def _overlap(layout: Layout) -> str | None:
    """Describes two coordinates of moving modes with the same value; None if none were found."""
    modes = [(1 if d == 0 else n, d) for n, d in layout.flat()]
    moving = made(tuple([n for n, _ in modes]), tuple([d for _, d in modes]))
    hit = collision(moving)
    if hit is None and moving.size() <= MAX_TABLE:
        pair = same_values(moving)
        if pair is not None:
            hit = _collision_at(moving, *map(moving.coordinate, pair))
    if hit is None:
        return None
    at = " and ".join(profile_text(like(layout.shape, iter(c))) for c in (hit.first, hit.second))
    *most, last = [_named(layout, n) for n in hit.modes]
    return f"modes {', '.join(most)} and {last} overlap: coordinates {at} both have the value {number_text(hit.value)}"


def collision(layout: Layout) -> Collision | None:
    """Two coordinates with the same value that differ in two modes only; None if there are none.

    >>> collision(Layout((4, 2), (1, 2)))
    Collision(first=(2, 0), second=(0, 1), value=2, modes=(0, 1))
    """
    apart = tied(layout.flat())
    if apart is None:
        return None
    return _collision_at(layout, tuple([max(0, x) for x in apart]), tuple([max(0, -x) for x in apart]))


def _collision_at(layout: Layout, first: tuple[int, ...], second: tuple[int, ...]) -> Collision:
    """The collision of two flat coordinates with the same value."""
    value = sum(x * d for x, (_, d) in zip(first, layout.flat(), strict=True))
    return Collision(first, second, value, tuple([n for n, x in enumerate(first) if x != second[n]]))
