"""A layout behind swizzles as a layout where it is one, and otherwise behind as few swizzles as do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import combinations
from typing import Any

from symview.cute.errors import LayoutError
from symview.cute.first_failures import NotALayout
from symview.cute.int_tuple import entries, leaves
from symview.cute.layout import Layout
from symview.cute.linear.reading import first_outside, map_of, swizzling, taken_apart
from symview.cute.linear.straight import Straight, straight
from symview.cute.swizzle import ComposedLayout, Swizzle, in_numbers, kept_behind
from symview.engine.bases import first_overlap
from symview.engine.first_difference import TABLE
from symview.engine.map import PLAIN, Map
from symview.errors import Undecided
from symview.logic.budget import Budget

_WIDE, _WIDEST = 24, 40  # bits within which another swizzle is looked for: to be short, and where it is asked for
_POINTS = 12  # along a mode, at which its values are to add up with others
_ASKED = 2  # swizzles of which a solver is asked
_CHECKED = 8  # of large layouts, swizzles that some values speak for and others against


def settled(x: Any) -> Any:
    """The layout that a layout behind swizzles is, of the same shape with modes perhaps split; else the layout itself.

    Without a solver: a layout that only a solver could tell stays behind its swizzles (`as_layout` asks one).

    >>> print(settled(ComposedLayout(Swizzle(1, 0, 2), 0, Layout((2, 2), (1, 2)))))
    (2,2):(1,2)
    >>> print(settled(ComposedLayout(Swizzle(1, 0, 2), 0, Layout((4, 2)))))
    SW_1_0_2 o 0 o (4,2):(1,4)
    """
    x = _cancelled(x)
    if not isinstance(x, ComposedLayout) or not is_numeric(x):
        return x
    f = map_of(x, "a swizzle")
    found = _straight(f, x)
    if isinstance(found, Straight) and found.base == 0:
        return found.layout
    if len(taken_apart(x)[0]) > 1:
        with suppress(Undecided):
            return behind_one(f, x) or x
    return x


def _cancelled(x: Any) -> Any:
    """Without a swizzle that the next one, the same, takes back."""
    again = x.layoutA if isinstance(x, ComposedLayout) and isinstance(x.layoutB, Swizzle) else None
    if not isinstance(again, ComposedLayout) or again.layoutB != x.layoutB or x.offset != 0:
        return x
    return again.layoutA if again.offset == 0 else ComposedLayout(Swizzle(0, 0, 0), again.offset, again.layoutA)


def on_layout_behind(x: ComposedLayout, operation: Callable[[Any], Any]) -> Any:
    """The operation on the layout behind; as a layout, where what it gives is one behind what stands in front."""
    return settled(ComposedLayout(x.layoutB, x.offset, operation(x.layoutA)))


def as_strided(x: Any) -> Straight | None:
    """The strides of a layout behind swizzles; None where it has none, and where only a solver could tell."""
    found = _straight(map_of(x, "a swizzle"), x) if is_numeric(x) else None
    return found if isinstance(found, Straight) else None


def is_numeric(x: Any) -> bool:
    """Whether all that stands in front and behind is of numbers."""
    with suppress(LayoutError):
        x = in_numbers(x)
    if isinstance(x, ComposedLayout):
        return type(x.offset) is int and is_numeric(x.layoutB) and is_numeric(x.layoutA)
    return isinstance(x, Swizzle) or (isinstance(x, Layout) and x.numeric)


def _straight(f: Map, x: Any) -> Straight | NotALayout | None:
    try:
        return straight(f, x)
    except Undecided:
        return None


def behind_one(f: Map, x: Any, budget: Budget | None = None) -> ComposedLayout | None:
    """The map as one swizzle, an offset and a layout of the shape of x; None where there is none so.

    Every swizzle within the bits of the values is tried. Undecided where these are many, and where it would take
    a solver and there is no budget.
    """
    top = f.bounds()[-1][1]
    if top.bit_length() > (_WIDE if budget is None else _WIDEST):
        raise Undecided(f"the values have {top.bit_length()} bits: too many swizzles to be tried")
    if first_outside(f, 1 << top.bit_length()) is not None:
        return None
    may, seen, open_ones = _filter(f, x), 0, []
    for swizzle in (Swizzle(0, 0, 0), *swizzles(top.bit_length())):
        if may(swizzle):
            behind = f.then(swizzling(swizzle))
            found = _straight(behind, x)
            if isinstance(found, Straight):
                return ComposedLayout(swizzle, found.base, found.layout)
            open_ones += [(swizzle, behind)] if found is None else []
            seen += 1
            if seen > _CHECKED and f.size > TABLE:
                raise Undecided(f"{_CHECKED} swizzles that may stand in front of a layout do not, and there are more")
    for swizzle, behind in open_ones[:_ASKED] if budget is not None else ():
        found = straight(behind, x, budget)
        if isinstance(found, Straight):
            return ComposedLayout(swizzle, found.base, found.layout)
    if len(open_ones) > (0 if budget is None else _ASKED):
        raise Undecided("whether a swizzle stands in front of a layout takes a solver")
    return None


def _filter(f: Map, x: Any) -> Callable[[Swizzle], bool]:
    """Whether a swizzle may make the values those of a layout: by the bits that they move, or by some of the values."""
    columns = f.columns()
    if columns is not None:
        return lambda swizzle: first_overlap([_moving(swizzle)(b) for b in columns[1]]) is None
    sums = _sums(f, list(leaves(x.shape)))

    def may(swizzle: Swizzle) -> bool:
        move = _moving(swizzle)
        return all(move(a) + move(d) == move(b) + move(c) for a, b, c, d in sums)

    return may


def _moving(swizzle: Swizzle) -> Callable[[int], int]:
    """The swizzle as a function of numbers that are known to be from 0 on."""
    stage = swizzling(swizzle)
    return lambda y: stage.of_value(PLAIN, y)


def _sums(f: Map, sizes: list[int]) -> list[tuple[int, int, int, int]]:
    """Four values each, of which in a layout the outer two and the inner two have the same sum.

    Those at 0, at two coordinates along two modes, and at both; and along one mode of n, those at 0, at x, at
    n − 1 − x and at n − 1, for the digits of x and n − 1 − x add up to the greatest.
    """
    along, mirrored, place, start = list[list[tuple[int, int]]](), list[tuple[int, int, int, int]](), 1, f(0)
    for size in sizes:
        if size > 1:
            bits = (size - 1).bit_length()
            points = {size - 1, *[1 << k for k in range(0, bits, -(-bits // _POINTS))]}
            along.append([(x * place, f(x * place)) for x in sorted(points, reverse=True)])
            last = f((size - 1) * place)
            mirrored += [(start, f(x * place), f((size - 1 - x) * place), last) for x in _some(size)]
        place *= size
    pairs = [(start, a, b, f(x + y)) for one, other in combinations(along, 2) for x, a in one for y, b in other]
    return [*mirrored, *pairs]


def _some(size: int) -> list[int]:
    """Numbers below the half of a size: all of few, else some that are far apart and some that are near."""
    half = size // 2
    return list(range(1, half)) if half <= 4 * _POINTS else sorted({1, 2, 3, *[half * k // 37 for k in range(1, 37)]})


def swizzles(width: int) -> Iterator[Swizzle]:
    """All swizzles of so many bits, those that move few first.

    >>> [*swizzles(2)], len([*swizzles(10)])
    ([Swizzle(1,0,1), Swizzle(1,0,-1)], 190)
    """
    for bits in range(1, width):
        for gap in range(bits, width - bits + 1):
            for base in range(width - gap - bits + 1):
                yield Swizzle(bits, base, gap)
                yield Swizzle(bits, base, -gap)


def sliced(x: Any, coordinate: Any) -> Any:
    """The modes where the coordinate has None, with the values at the others; a layout where that is one."""
    return settled(kept_behind(x, entries(coordinate, "the coordinate", none=True))[0])


def sliced_and_offset(x: ComposedLayout, coordinate: Any) -> tuple[Any, Any]:
    """The same as a layout and an offset, where the values less the first are a layout; else with the offset 0."""
    found = kept_behind(x, entries(coordinate, "the coordinate", none=True))[0]
    straight = as_strided(found)
    return (settled(found), 0) if straight is None else (straight.layout, straight.base)
