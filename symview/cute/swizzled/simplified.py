"""Simplifies swizzled layouts: to a plain layout if possible, otherwise to as few swizzles as possible."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import combinations
from typing import Any

from symview.counterexample import Counterexample
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import entries, leaves
from symview.cute.layout import Layout
from symview.cute.linear.reading import first_outside, map_of, swizzling, taken_apart
from symview.cute.linear.straight import Straight, straight
from symview.cute.swizzle import ComposedLayout, Swizzle, in_numbers, kept_modes
from symview.engine.bases import first_overlap
from symview.engine.first_difference import TABLE
from symview.engine.map import PLAIN, Map
from symview.errors import Undecided
from symview.logic.budget import Budget

_WIDE, _WIDEST = 24, 40  # most bits of values for a search of swizzles: without a budget, and with one
_POINTS = 12  # sample points along a mode, to test whether its values add up with those of others
_SOLVED = 2  # most swizzles that a solver decides
_CHECKED = 8  # most swizzles of a large layout that pass the samples and still fail


def simplified(x: Any) -> Any:
    """The plain layout that equals a swizzled one, with modes split if necessary; otherwise the swizzled layout itself.

    Uses no solver, so a layout that only a solver could find stays swizzled (`as_layout` uses one).

    >>> print(simplified(ComposedLayout(Swizzle(1, 0, 2), 0, Layout((2, 2), (1, 2)))))
    (2,2):(1,2)
    >>> print(simplified(ComposedLayout(Swizzle(1, 0, 2), 0, Layout((4, 2)))))
    Sw<1,0,2> o 0 o (4,2):(1,4)
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
            return as_one_swizzle(f, x) or x
    return x


def _cancelled(x: Any) -> Any:
    """Cancels two equal swizzles that follow each other."""
    again = x.layoutA if isinstance(x, ComposedLayout) and isinstance(x.layoutB, Swizzle) else None
    if not isinstance(again, ComposedLayout) or again.layoutB != x.layoutB or x.offset != 0:
        return x
    return again.layoutA if again.offset == 0 else ComposedLayout(Swizzle(0, 0, 0), again.offset, again.layoutA)


def on_inner_layout(x: ComposedLayout, operation: Callable[[Any], Any]) -> Any:
    """Applies the operation to layoutA, and simplifies the result to a plain layout if it is one."""
    return simplified(ComposedLayout(x.layoutB, x.offset, operation(x.layoutA)))


def as_strided(x: Any) -> Straight | None:
    """The offset and strides of a swizzled layout; None if it has none, or if only a solver could decide."""
    found = _straight(map_of(x, "a swizzle"), x) if is_numeric(x) else None
    return found if isinstance(found, Straight) else None


def is_numeric(x: Any) -> bool:
    """Whether the layout and everything composed with it are numeric."""
    with suppress(LayoutError):
        x = in_numbers(x)
    if isinstance(x, ComposedLayout):
        return type(x.offset) is int and is_numeric(x.layoutB) and is_numeric(x.layoutA)
    return isinstance(x, Swizzle) or (isinstance(x, Layout) and x.numeric)


def _straight(f: Map, x: Any) -> Straight | Counterexample | None:
    try:
        return straight(f, x)
    except Undecided:
        return None


def as_one_swizzle(f: Map, x: Any, budget: Budget | None = None) -> ComposedLayout | None:
    """Writes the map as one swizzle after an offset and a layout of x's shape; None if that is impossible.

    Tries every swizzle on the bits of the values. Raises Undecided if these are too many, or if a solver is needed and
    no budget is given.
    """
    top = f.bounds()[-1][1]
    if top.bit_length() > (_WIDE if budget is None else _WIDEST):
        raise Undecided(f"the values have {top.bit_length()} bits: too many swizzles to be tried")
    if first_outside(f, 1 << top.bit_length()) is not None:
        return None
    may, seen, open_ones = _filter(f, x), 0, []
    for swizzle in (Swizzle(0, 0, 0), *swizzles(top.bit_length())):
        if may(swizzle):
            inner = f.then(swizzling(swizzle))
            found = _straight(inner, x)
            if isinstance(found, Straight):
                return ComposedLayout(swizzle, found.base, found.layout)
            open_ones += [(swizzle, inner)] if found is None else []
            seen += 1
            if seen > _CHECKED and f.size > TABLE:
                raise Undecided(f"{_CHECKED} swizzles that pass the samples do not fit, and there are more")
    for swizzle, inner in open_ones[:_SOLVED] if budget is not None else ():
        found = straight(inner, x, budget)
        if isinstance(found, Straight):
            return ComposedLayout(swizzle, found.base, found.layout)
    if len(open_ones) > (0 if budget is None else _SOLVED):
        raise Undecided("only a solver can decide whether this is a swizzled layout")
    return None


def _filter(f: Map, x: Any) -> Callable[[Swizzle], bool]:
    """A quick test whether a swizzle can make the values linear: by the bits that they move, or by sampled values."""
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
    """Samples of four values each; in a layout the outer two and the inner two have the same sum.

    One kind takes the values at 0, at a point of one mode, at a point of another, and at both. The other kind takes,
    along one mode of size n, the values at 0, x, n − 1 − x and n − 1, since the digits of x and n − 1 − x add up to the
    greatest.
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
    """Numbers below half the size: all if these are few, otherwise some spread out and some close together."""
    half = size // 2
    return list(range(1, half)) if half <= 4 * _POINTS else sorted({1, 2, 3, *[half * k // 37 for k in range(1, 37)]})


def swizzles(width: int) -> Iterator[Swizzle]:
    """All swizzles on that many bits, those with few bits first.

    >>> [*swizzles(2)], len([*swizzles(10)])
    ([Swizzle(1,0,1), Swizzle(1,0,-1)], 190)
    """
    for bits in range(1, width):
        for gap in range(bits, width - bits + 1):
            for base in range(width - gap - bits + 1):
                yield Swizzle(bits, base, gap)
                yield Swizzle(bits, base, -gap)


def sliced(x: Any, coordinate: Any) -> Any:
    """The sublayout of the modes where the coordinate has None, at the other coordinates; plain if possible."""
    return simplified(kept_modes(x, entries(coordinate, "the coordinate", none=True))[0])


def sliced_and_offset(x: ComposedLayout, coordinate: Any) -> tuple[Any, Any]:
    """The same as a layout and an offset, if the values minus the first one are a layout; otherwise the offset is 0."""
    found = kept_modes(x, entries(coordinate, "the coordinate", none=True))[0]
    straight = as_strided(found)
    return (simplified(found), 0) if straight is None else (straight.layout, straight.base)
