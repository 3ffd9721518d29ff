"""The gaps between the modes of a layout with symbols: which order of the strides has a place for each mode.

In an order with a place for each, every stride is above all sums of the modes before it and their
copies. So at most one order is right, and it is found by asking of each mode whether it can come
next with room for all others: as many cases as there are orders, and one for none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from symview.cute.comparer import plain, quotient, rounded_down, times
from symview.cute.complements import Gap
from symview.cute.complements import gaps as gaps_of_numbers
from symview.cute.layout import Layout
from symview.cute.symbols.asking import Asking

Numbered = tuple[int, tuple[Any, Any]]


def gaps(ask: Asking, layout: Layout, exact: bool = False) -> Iterator[Gap]:
    """`complements.gaps` on one path of a fork: the first gap without a place is the last; `exact`: all are filled.

    On the way span < reach, and reach = span + 1 as long as every gap is filled.
    """
    if layout.numeric:
        yield from gaps_of_numbers(layout, exact)
        return
    if not ask.all_hold([(0, d) for n, d in layout.flat() if type(n) is int and n > 1]):
        yield Gap(0, *layout.flat()[0], 1, 0, 1, False, False)
        return
    left = moving(ask, layout)
    reach: Any = 1
    span: Any = 0
    while left:
        found = _following(ask, left, reach, span, exact)
        if found is None:
            number, (size, stride) = left[0]
            yield Gap(number, size, stride, reach, span, 1, False, False)
            return
        (number, (size, stride)), many, filled = found
        yield Gap(number, size, stride, reach, span, many, True, filled)
        left = [m for m in left if m[0] != number]
        reach, span = times(size, stride), _span(reach, span, many, size, stride)


def moving(ask: Asking, layout: Layout) -> list[Numbered]:
    """The flat modes that move, with their numbers."""
    modes = [(i, m) for i, m in enumerate(layout.flat())]
    return [(i, (n, d)) for i, (n, d) in modes if not ask.equal(n, 1) and not ask.equal(d, 0)]


def _following(
    ask: Asking, left: Sequence[Numbered], reach: Any, span: Any, exact: bool
) -> tuple[Numbered, Any, bool] | None:
    """The mode that comes next, its copies, and whether these fill the gap; None where none has a place."""
    narrow = [] if exact or plain_zero(reach - span - 1) else [False]
    for above, mode in chain.from_iterable(((a, m) for m in left) for a in (True, *narrow)):
        size, stride = mode[1]
        many = rounded_down(stride, reach) if above else 1
        end = times(size, stride) if exact else _span(reach, span, many, size, stride) + 1
        others = [(end, d) for number, (_, d) in left if number != mode[0]]
        if exact:
            if ask.all_hold([(1, stride), *others], [(reach, stride)]):
                return mode, quotient(stride, reach), True
        elif above and ask.all_hold([(reach, stride), *others]):
            return mode, many, reach == 1
        elif not above and ask.all_hold([(span + 1, stride), (stride + 1, reach), *others]):
            return mode, 1, False
    return None


def _span(reach: Any, span: Any, many: Any, size: Any, stride: Any) -> Any:
    """The largest sum with that many copies and the mode."""
    return plain_sum(span, times(many - 1, reach), times(size - 1, stride))


def plain_sum(*parts: Any) -> Any:
    """The sum, as an int where it is one."""
    found = sum(parts)
    return found if type(found) is int else plain(found.expand())


def plain_zero(value: Any) -> bool:
    """Whether the value is 0 for all values of the symbols."""
    return value == 0 if type(value) is int else bool(value.expand() == 0)
