"""Layouts behind swizzles for elements of another width: a swizzle has to move whole units."""

from __future__ import annotations

from collections.abc import Callable
from math import lcm, prod
from operator import mul
from typing import Any

from symview.cute.comparer import running
from symview.cute.errors import LayoutError, NoAnswer
from symview.cute.int_tuple import coordinate_at, flatten, index_steps, leaves, profile_text
from symview.cute.layout import Layout
from symview.cute.linear.reading import map_of
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.cute.swizzled.settled import as_strided, behind_one, is_numeric, settled
from symview.displayed import number_text
from symview.engine.first_difference import few
from symview.engine.map import PLAIN, Map, Strided, line
from symview.engine.ring import LARGEST, Steps
from symview.errors import Undecided
from symview.logic.bits import Bits, least
from symview.logic.budget import Budget

Recast = Callable[[Any, int], Layout]


def upcast_behind(x: ComposedLayout, n: int, upcast: Recast) -> Any:
    """The layout for elements n times as wide, behind the swizzle that then moves them.

    A swizzle of bits from log n on moves whole units, and so does one whose lower bits never change anything; the
    upcast of what stands behind it is then CuTe's. NoAnswer, with a coordinate, where it takes a unit apart; for n no
    power of two it does, but for values that are strided and for few others, which stay undecided.
    """
    _need_numbers(x, "upcast")
    straight = as_strided(x)
    if straight is not None:
        _need_whole(x, 0, straight.base, n)
        return _above(straight.base // n, upcast(straight.layout, n), f"upcast of {x} by {n}")
    if n & n - 1:
        _need_units_of_any_size(x, n)
    if not isinstance(x.layoutB, Swizzle) or n & n - 1:
        raise Undecided(f"upcast of {x} by {number_text(n)}: the answer is not looked for among other swizzles")
    low = n.bit_length() - 1
    behind, swizzle = x.layoutA, x.layoutB
    if swizzle.base < low:
        _need_units_kept(x, n)
    inner = upcast(behind, n)
    _need_whole(x, 0, x.offset, n)
    first = max(swizzle.base, low)
    bits = max(swizzle.base + swizzle.bits - first, 0)
    return settled(ComposedLayout(Swizzle(bits, first - low, swizzle.shift), x.offset // n, inner))


def downcast_behind(x: ComposedLayout, n: int, downcast: Recast) -> Any:
    """The layout for elements n times as narrow, behind the swizzle that moves them as before, n a power of two.

    For other n a layout is found where the values are strided; NoAnswer where no swizzle has the multiples by n.
    """
    _need_numbers(x, "downcast")
    straight = as_strided(x)
    if straight is not None:
        return _above(straight.base * n, downcast(straight.layout, n), f"downcast of {x} by {n}")
    if n & n - 1:
        _need_multiples_behind_one(x, n)
    if not isinstance(x.layoutB, Swizzle) or n & n - 1:
        raise Undecided(f"downcast of {x} by {number_text(n)}: the answer is not looked for among other swizzles")
    swizzle = x.layoutB
    moved = Swizzle(swizzle.bits, swizzle.base + n.bit_length() - 1, swizzle.shift)
    return settled(ComposedLayout(moved, x.offset * n, downcast(x.layoutA, n)))


def _above(base: int, layout: Layout, what: str) -> Any:
    """The layout, its values above the base; NoAnswer where these go below 0, of which a swizzle has none."""
    low = base + sum((n - 1) * min(d, 0) for n, d in layout.flat())
    if base and low < 0:
        raise NoAnswer(f"{what}: from {number_text(base)} it goes down to {number_text(low)}, behind no swizzle")
    return ComposedLayout(Swizzle(0, 0, 0), base, layout) if base else layout


def _need_numbers(x: ComposedLayout, what: str) -> None:
    if not is_numeric(x):
        raise LayoutError(f"{what} of {x}: give numbers")


def _need_whole(x: ComposedLayout, index: int, value: int, n: int) -> None:
    """Raises NoAnswer where an index at which a unit has to begin lies inside of one."""
    if value % n:
        at, got = profile_text(coordinate_at(index, x.shape)), number_text(value)
        raise NoAnswer(f"upcast of {x} by {n}: the value at {at} is {got}, inside a unit of {n}")


def _need_units_kept(x: ComposedLayout, n: int) -> None:
    """Raises NoAnswer where a swizzle of bits inside a unit takes one apart. Exact.

    Below a unit of 2^a elements, a swizzle that changes bits above moves parts of a unit apart, and one that
    changes bits below does unless the bits that it reads for them are 0 in all values. (A swizzled layout that is
    strided was asked before; any other holds whole units only where the layout behind does.)
    """
    swizzle, low, behind = x.layoutB, n.bit_length() - 1, x.layoutA
    if isinstance(behind, ComposedLayout):
        raise Undecided(f"upcast of {x}: two swizzles, one of bits inside a unit of {n}")
    number = _unit_mode(behind, n)
    if number is None:
        raise NoAnswer(f"upcast of {x} by {n}: no mode holds whole units: none of stride 1 whose size {n} divides")
    _need_whole(x, 0, x.offset, n)
    sizes = flatten(behind.shape)
    place = prod(sizes[:number])
    index: int | None = place << swizzle.base
    if swizzle.shift > 0:
        bits = min(swizzle.bits, low - swizzle.base)
        read = (1 << bits) - 1 << swizzle.base + swizzle.shift
        index = index_with(line(behind.flat(), x.offset), read, running(None))
    if index is not None:
        inside = index // place % sizes[number] % n
        start = index - inside * place
        _need_whole(x, start, x(start), n)
        first, other = (profile_text(coordinate_at(i, x.shape)) for i in (start, index))
        values = f"the values at {first} and {other} are {x(start)} and {x(index)}, not {inside} apart"
        raise NoAnswer(f"upcast of {x} by {n}: {values}, so one unit is taken apart")


def _need_units_of_any_size(x: ComposedLayout, n: int) -> None:
    """Raises NoAnswer where no mode holds whole units of n elements. Exact, by residues.

    What swizzles add to y depends on y modulo their period Q, so whether a unit that begins at y stays whole depends
    on y modulo the least common multiple of Q and n.
    """
    f, sizes = map_of(x, "upcast"), list(leaves(x.shape))
    period = lcm(f.period() or LARGEST + 1, n)
    if period > LARGEST:
        raise Undecided(f"upcast of {x} by {number_text(n)}: whether units stay whole depends on too many residues")
    low, places = f.bounds()[0][0], index_steps(sizes)
    steps = [f.base.of_value(PLAIN, at) - f.base.offset if m > 1 else 0 for m, at in zip(sizes, places, strict=True)]
    modes = list(zip(sizes, steps, strict=True))
    why = f"no mode has a size that {n} divides"
    for k, (size, step) in enumerate(modes):
        if size % n:
            continue
        starts = [(m // n, d * n) if j == k else (m, d) for j, (m, d) in enumerate(modes)]
        index = Steps(starts, period, f.base.offset - low).first_with(_is_apart(f, low, step, n))
        if index is None:
            return
        at, place = coordinate_at(index, tuple([m for m, _ in starts])), places[k]
        first = sum(map(mul, at, places)) + at[k] * place * (n - 1)
        values = ", ".join([str(f(first + z * place)) for z in range(min(n, 8))])
        where = profile_text(coordinate_at(first, x.shape))
        why = f"from {where} on along mode {k}, the values {values} are no unit of {n}"
    raise NoAnswer(f"upcast of {x} by {n}: {why}")


def _is_apart(f: Map, low: int, step: int, n: int) -> Callable[[int], bool]:
    """Whether what stands in front takes low + r and the n − 1 values behind it, by a step, to no unit of n."""

    def is_apart(r: int) -> bool:
        start = f.moved(low + r)
        return start % n != 0 or any(f.moved(low + r + z * step) != start + z for z in range(1, n))

    return is_apart


def _need_multiples_behind_one(x: ComposedLayout, n: int) -> None:
    """Raises NoAnswer where n times the values are no layout behind a swizzle, as narrower elements would be."""
    if behind_one(map_of(x, "downcast").then(Strided.of([(1, n)])), x) is None:
        raise NoAnswer(f"downcast of {x} by {n}: {n} times its values are no layout behind a swizzle of these bits")


def index_with(f: Map, mask: int, budget: Budget) -> int | None:
    """The least index at which a strided map has a bit of the mask, None where there is none; values from 0 on.

    >>> from symview.logic.budget import DEFAULT
    >>> index_with(line([(4, 1), (4, 8)]), 4, DEFAULT), index_with(line([(4, 1), (4, 6)]), 4, DEFAULT)
    (None, 4)
    """
    period = 1 << mask.bit_length()
    if period <= LARGEST:
        return Steps(f.base.modes, period, f.base.offset).first_with(lambda r: r & mask)
    if f.size <= few(budget):
        return next((i for i in range(f.size) if f(i) & mask), None)

    def is_set(bits: Bits, i: Any) -> Any:
        return f.on_bits(bits, i) & mask != 0

    return least(f.size, max(f.width(), mask.bit_length()) + 2, is_set, budget)


def _unit_mode(layout: Layout, n: int) -> int | None:
    """The number of the flat mode that holds whole units of n elements; None where there is none."""
    modes = layout.flat()
    for k, (size, stride) in enumerate(modes):
        others = [d for j, (m, d) in enumerate(modes) if j != k and m > 1]
        if stride == 1 and size % n == 0 and all(d % n == 0 for d in others):
            return k
    return None
