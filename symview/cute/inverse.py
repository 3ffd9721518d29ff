"""Right and left inverses of layouts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from symview.cute.comparer import NUMBERS, Comparer, Gap, Modes, Numbered, Numbers, running
from symview.cute.complements import collision, gaps
from symview.cute.composition_failure import NoComposition
from symview.cute.errors import NoAnswer
from symview.cute.int_tuple import flatten, index_steps, is_int, like, profile_text
from symview.cute.inverse_search import no_inverse, place_values, search, takes_back, to_some_index
from symview.cute.layout import Layout, make_layout
from symview.cute.modes import assembled, coalesce_layout, coalesced, moving_modes, tell_front
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.cute.swizzled.inverses import left_inverse_swizzled, right_inverse_swizzled
from symview.cute.values import same_values
from symview.displayed import number_text
from symview.errors import Undecided
from symview.logic.budget import Budget

MAX_TABLE = 1 << 12


def right_inverse(layout: Any, budget: Budget | None = None) -> Any:
    """The layout R with layout(R(i)) = i for all i below its size, as long as the strides allow.

    It uses the modes whose stride equals the size reached so far, starting from 1, and skips modes with stride 0 or
    another stride. None and sizes are handled as in pycute.

    >>> print(right_inverse(Layout((2, 4, 6), (4, 1, 8))))
    (4,2,6):(2,1,8)
    >>> print(right_inverse(Layout((4, 8), (1, 5))), right_inverse(Layout((2, 4), (0, 1))))
    4:1 4:2
    """
    return right_inverse_by(NUMBERS if budget is None else Numbers(running(budget)), layout)


def right_inverse_by(ask: Comparer, layout: Any, left: Layout | None = None) -> Any:
    """`right_inverse` over any comparer; `left`: the layout that `layout` extends by a complement."""
    if layout is None or is_int(layout):
        return None if layout is None else Layout(layout)
    if isinstance(layout, Swizzle):
        return layout  # a swizzle is its own inverse
    if isinstance(layout, ComposedLayout):
        tell_front(ask, layout)
        return right_inverse_swizzled(layout, partial(right_inverse_by, ask))
    layout = ask.admit(layout, "right_inverse")
    if ask.tell:
        ask.tell("inverting", layout, left)
    places = index_steps(flatten(layout.shape))
    found: Modes = []
    reached: Any = 1
    for number, (size, stride) in moving_modes(layout) if layout.numeric else _continuing(ask, layout):
        place, fits = places[number], stride == reached
        if ask.tell:
            ask.tell("continued", number, (size, stride), reached, place, fits)
        if fits:
            found.append((size, place))
            reached = reached * size
    return assembled(coalesced(ask.entries(found)))


def _continuing(ask: Comparer, layout: Layout) -> Iterator[tuple[int, tuple[Any, Any]]]:
    """The modes that continue each other from stride 1 on, numbered; names cannot be sorted by stride."""
    flat = layout.flat()
    left = [(k, mode) for k, mode in enumerate(ask.wholes(flat)) if flat[k][0] != 1]
    left.sort(key=lambda mode: mode[1][0] if type(mode[1][0]) is int else 0)
    reached: Any = 1
    while (at := _smallest(left, reached)) is not None:
        number, (size, _) = left.pop(at)
        yield number, (size, reached)
        reached = reached * size


def _smallest(modes: Numbered, reached: Any) -> int | None:
    """The position of the smallest mode with this stride, the first one of several; None if there is none."""
    at = next((k for k, (_, (_, stride)) in enumerate(modes) if stride == reached), None)
    if at is None:
        return None
    for k in range(at + 1, len(modes)):
        (first, (least, _)), (second, (size, stride)) = modes[at], modes[k]
        if type(least) is int and type(size) is int:
            break  # the others are numbers, and no smaller
        if stride == reached and (size <= least if second < first else not least <= size):
            at = k
    return at


def left_inverse(layout: Any, budget: Budget | None = None) -> Any:
    """A layout K with layout(K(layout(i))) = layout(i) for all i of the domain; last modes extend as always.

    This is CuTe's contract. If no value repeats, K(layout(i)) = i whenever some K satisfies that; `strict_left_inverse`
    requires it always. K uses the strides as place values, as CuTe does, if that is right; the digit of a value below
    the smallest stride, which no value of the layout has, gets the stride 0. Otherwise K is found by a search, few
    modes first, in which every value may go to any of its indices.

    Raises NoAnswer if there is none: a value is negative, or no split of the values into digits works. Raises Undecided
    when the budget ends before all ways are tried.

    Source: `left_inverse` of CuTe's `layout.hpp`.

    >>> print(left_inverse(Layout(4, 2)), left_inverse(Layout((4, 8), (1, 5))), left_inverse(Layout((2, 2), (2, 3))))
    (2,4):(0,1) (5,8):(1,4) (2,3):(1,1)
    >>> print(left_inverse(Layout((2, 4, 4, 6), (4, 1, 0, 8))))
    (4,2,6):(2,1,32)
    >>> print(left_inverse(Layout((2, 3, 2), (1, 2, 3))))
    (3,2):(1,6)
    >>> left_inverse(Layout((3, 3), (2, 3)))
    Traceback (most recent call last):
    ...
    symview.cute.errors.NoAnswer: left_inverse of (3,3):(2,3): no layout takes its values back to their indices
    """
    return left_inverse_by(NUMBERS if budget is None else Numbers(running(budget)), layout)


def strict_left_inverse(layout: Any, budget: Budget | None = None) -> Any:
    """The left inverse K with K(layout(i)) = i; raises NoAnswer also if two coordinates have the same value.

    If the layout has a complement that fills its gaps, K is the right inverse of both together, as in pycute; it is
    injective below its size. Otherwise it is that of `left_inverse`.

    >>> print(strict_left_inverse(Layout(4, 2)), strict_left_inverse(Layout((2, 2), (2, 3))))
    (2,4):(4,1) (2,3):(1,1)
    >>> strict_left_inverse(Layout((2, 2), (0, 1)))
    Traceback (most recent call last):
    ...
    symview.cute.errors.NoAnswer: left_inverse of (2,2):(0,1): coordinates (0,0) and (1,0) both have the value 0
    """
    return left_inverse_by(Numbers(running(budget)), layout, strict=True)


def left_inverse_by(ask: Comparer, layout: Any, strict: bool = False) -> Any:
    """`left_inverse` over a comparer of numbers."""
    if layout is None or is_int(layout):
        return None if layout is None else Layout(layout)
    if isinstance(layout, Swizzle):
        return layout  # a swizzle is its own inverse
    if isinstance(layout, ComposedLayout):
        tell_front(ask, layout)
        return left_inverse_swizzled(layout, partial(left_inverse_by, ask, strict=strict))
    layout = ask.admit(layout, "left_inverse")
    if strict:
        _need_distinct_values(layout)
    found = []
    for gap in gaps(layout, exact=True):
        if not gap.fits:
            return _without_complement(ask, layout, gap, strict)
        found.append(gap)
    if strict:
        rest = assembled(coalesced([(gap.copies, gap.reach) for gap in found]))
        return right_inverse_by(ask, make_layout(layout, rest), layout)
    inverse = assembled(coalesced(_between(layout, found)))
    if ask.tell:
        ask.tell("place values", layout, inverse, True)
    return inverse


def _between(layout: Layout, filled: Sequence[Gap]) -> list[tuple[Any, Any]]:
    """The digits of values between the strides, in CuTe's form; each size is the ratio of a stride to the next."""
    if not filled:
        return [(layout.size(), 0)]
    places, digits = index_steps(flatten(layout.shape)), []
    many, place = 1, 0
    for gap in filled:
        digits.append((many * gap.copies, place))
        many, place = gap.size, places[gap.number]
    return [*digits, (many, place)]


def _without_complement(ask: Comparer, layout: Layout, gap: Gap, strict: bool) -> Layout:
    """The left inverse of a layout with a gap that no complement fills; raises as `left_inverse` does."""
    low = sum((n - 1) * min(d, 0) for n, d in layout.flat())
    if low < 0:
        at = profile_text(like(layout.shape, iter([(n - 1) * (d < 0) for n, d in layout.flat()])))
        value = f"coordinate {at} has the value {number_text(low)}"
        raise NoAnswer(f"left_inverse of {layout}: {value}; layouts are of no values below 0")
    candidate = place_values(layout)
    inverts = _inverts(ask, candidate, layout, strict)
    if ask.tell:
        ask.tell("not filled", layout, gap)
        ask.tell("place values", layout, candidate, inverts)
    return candidate if inverts else _searched(layout, ask.budget.started(), strict)


def _inverts(ask: Comparer, candidate: Layout, layout: Layout, strict: bool) -> bool:
    """Whether layout(candidate(v)) = v for all values v; `strict` requires candidate(layout(i)) = i."""
    if not strict:
        return takes_back(candidate, layout, ask.budget)
    try:
        return coalesce_layout(Numbers(ask.budget).compose(candidate, layout)) == coalesce_layout(Layout(layout.size()))
    except NoComposition:
        return False


def _need_distinct_values(layout: Layout) -> None:
    """Raises NoAnswer if two coordinates that differ in only two modes have the same value."""
    hit = collision(layout) if layout.numeric else None
    if hit is not None:
        raise _same_value(layout, (hit.first, hit.second), hit.value)


def _same_value(layout: Layout, coordinates: Sequence[Any], value: int) -> NoAnswer:
    at = " and ".join(profile_text(like(layout.shape, iter(flatten(c)))) for c in coordinates)
    return NoAnswer(f"left_inverse of {layout}: coordinates {at} both have the value {number_text(value)}")


def _searched(layout: Layout, budget: Budget, strict: bool) -> Layout:
    """Searches for the inverse; repeated values may go to any of their indices."""

    def repeats(budget: Budget) -> bool:
        pair = same_values(layout, budget)
        if pair is not None and strict:
            raise _same_value(layout, [layout.coordinate(x) for x in pair], layout(pair[0]))
        return pair is not None

    some = budget.at_most(1 + budget.work // 10)
    if (not strict and collision(layout) is not None) or (layout.size() <= MAX_TABLE and repeats(budget)):
        return to_some_index(layout, budget)
    try:
        found = search(layout, budget, inside=True)
    except Undecided:
        if repeats(some):
            return to_some_index(layout, budget)
        raise
    if not strict:
        return to_some_index(layout, budget) if found is None else found
    if found is None or not _inverts(Numbers(budget), found, layout, strict):
        with suppress(Undecided):  # naming a repeated value is optional
            repeats(some)
        raise no_inverse(layout)
    return found
