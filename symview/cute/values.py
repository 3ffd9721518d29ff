"""Layouts and their values: finds a layout from a table, recognises permutations, and finds two equal values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any

from symview.counterexample import Counterexample
from symview.cute.comparer import need_numbers
from symview.cute.errors import LayoutError
from symview.cute.first_failures import not_a_layout
from symview.cute.int_tuple import compact, flatten, index_steps, listed, whole_number
from symview.cute.layout import Layout, is_layout
from symview.cute.modes import assembled, coalesced
from symview.displayed import number_text
from symview.engine.density import collision
from symview.engine.radix import ravel
from symview.logic.budget import DEFAULT, Budget


def layout_of(table: Sequence[int]) -> Layout | Counterexample:
    """The coalesced layout with these values, or where the table stops being one.

    Exact, in time linear in the table: the first mode ends at the first value off the straight line, and so on; the
    layout found is the only coalesced candidate.

    >>> print(layout_of([0, 3, 1, 4, 2, 5])), print(layout_of([0, 1, 2, 5]))
    (2,3):(3,1)
    no layout: the values are 0, 1, 2 up to index 2 and 5 at 3; splitting there \
would need a mode of size 3, but 3 does not divide 4
    (None, None)
    """
    values = _table(table)
    if not values:
        raise LayoutError("an empty table: a layout has at least one value")
    if values[0] != 0:
        why = f"the value at 0 is {number_text(values[0])}, and every layout has 0 there"
        return not_a_layout(0, 0, values[0], why)
    modes, step, left = [], 1, len(values)
    while left > 1:
        stride = values[step]
        size = next((n for n in range(2, left) if values[n * step] != n * stride), left)
        if left % size:
            end = size * step
            shown = [*map(number_text, values[: min(end, 5 * step) : step]), *["…"] * (size > 5)]
            line = f"the values are {', '.join(shown)} up to index {end - step} and {number_text(values[end])} at {end}"
            needed = f"splitting there would need a mode of size {size}, but {size} does not divide {left}"
            return not_a_layout(end, size * stride, values[end], f"{line}; {needed}")
        modes.append((size, stride))
        step, left = step * size, left // size
    found = assembled(coalesced(modes))
    for x, value in enumerate(values):
        if found(x) != value:
            places = ", ".join(map(str, compact(flatten(found.shape))))
            made = f"those at the multiples of {places} fit {found}, which has {number_text(found(x))} there"
            return not_a_layout(x, found(x), value, f"at index {x} the value is {number_text(value)}; {made}")
    return found


def _table(given: Any) -> list[int]:
    """The values as a list of integers."""
    if is_layout(given) and not isinstance(given, Layout):
        raise LayoutError(f"{given} is not a plain layout: as_layout finds the layout that it equals, if any")
    found = None if isinstance(given, str | Layout | Mapping | Set) else listed(given)
    if found is None:
        raise LayoutError(f"{given!r} is not a table of values: give a sequence of integers")
    for x, value in enumerate(found):
        if type(value) is not int:
            found[x] = whole_number(value, f"the value at {x}")
    return found


def is_bijection(layout: Layout) -> bool:
    """Whether the layout permutes [0, size): sorted by stride, its modes continue each other from 1 on.

    >>> is_bijection(Layout((2, 3), (3, 1))), is_bijection(Layout((2, 3), (1, 3)))
    (True, False)
    """
    need_numbers(layout, "is_bijection")
    reach = 1
    for n, d in sorted([(n, d) for n, d in layout.flat() if n != 1], key=lambda mode: mode[1]):
        if d != reach:
            return False
        reach *= n
    return True


def same_values(layout: Layout, budget: Budget = DEFAULT) -> tuple[int, int] | None:
    """Two indices with the same value, or None if the values are distinct; for numeric layouts.

    Exact; raises Undecided when the budget ends.

    >>> same_values(Layout((1, 2, 2, 2), (5, 2, 3, 5))), same_values(Layout((2, 2, 2), (1, 2, 4)))
    ((3, 4), None)
    """
    return same_address(layout.flat(), budget)


def same_address(modes: Sequence[tuple[int, int]], budget: Budget = DEFAULT) -> tuple[int, int] | None:
    """Does the same for a list of modes, the first being the fastest."""
    shape, strides = tuple([n for n, _ in modes]), tuple([d for _, d in modes])
    for place, n, d in zip(index_steps(shape), shape, strides, strict=True):
        if d == 0 and n > 1:
            return 0, place
    pair = collision(shape[::-1], strides[::-1], budget)  # row-major: the last dim is the fastest
    return None if pair is None else (ravel(pair[0], shape[::-1]), ravel(pair[1], shape[::-1]))
