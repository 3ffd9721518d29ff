"""Recasts swizzled layouts to elements of another width; a swizzle has to move whole elements."""

from __future__ import annotations

from collections.abc import Callable
from math import lcm
from operator import mul
from typing import Any

from symview.cute.errors import LayoutError, NoAnswer
from symview.cute.int_tuple import coordinate_at, index_steps, leaves, profile_text
from symview.cute.layout import Layout
from symview.cute.linear.conversions import bits_of
from symview.cute.linear.reading import map_of
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.cute.swizzled.simplified import as_one_swizzle, as_strided, is_numeric, simplified
from symview.displayed import number_text
from symview.engine.first_difference import TABLE
from symview.engine.map import PLAIN, Map, Strided, line
from symview.engine.ring import LARGEST, Steps
from symview.errors import Undecided

Recast = Callable[[Any, int], Layout]


def upcast_swizzled(x: ComposedLayout, n: int, upcast: Recast) -> Any:
    """The swizzled layout for elements n times as wide.

    A swizzle of the bits from log n on moves whole units of n elements, and so does one whose lower bits never change a
    value; then CuTe's upcast of the unswizzled layout is right. Raises NoAnswer, with a coordinate, if the swizzle
    splits a unit. If n is not a power of two, it does, unless the values are strided; of large layouts that is open.
    """
    _need_numbers(x, "upcast")
    straight = as_strided(x)
    if straight is not None:
        _need_whole(x, 0, straight.base, n)
        return _above(straight.base // n, upcast(straight.layout, n), f"upcast of {x} by {n}")
    low = n.bit_length() - 1
    if n & n - 1 or not isinstance(x.layoutB, Swizzle) or x.layoutB.base < low:
        _need_units_kept(x, n)
    if not isinstance(x.layoutB, Swizzle) or n & n - 1:
        raise Undecided(f"upcast of {x} by {number_text(n)}: the answer is not looked for among other swizzles")
    swizzle, inner = x.layoutB, upcast(x.layoutA, n)
    _need_whole(x, 0, x.offset, n)
    first = max(swizzle.base, low)
    bits = max(swizzle.base + swizzle.bits - first, 0)
    return simplified(ComposedLayout(Swizzle(bits, first - low, swizzle.shift), x.offset // n, inner))


def downcast_swizzled(x: ComposedLayout, n: int, downcast: Recast) -> Any:
    """The swizzled layout for elements 1/n as wide, for n a power of two.

    For other n, the values have to be strided; raises NoAnswer if no swizzle produces n times the values.
    """
    _need_numbers(x, "downcast")
    straight = as_strided(x)
    if straight is not None:
        return _above(straight.base * n, downcast(straight.layout, n), f"downcast of {x} by {n}")
    if n & n - 1:
        _need_swizzled_multiples(x, n)
    if not isinstance(x.layoutB, Swizzle) or n & n - 1:
        raise Undecided(f"downcast of {x} by {number_text(n)}: the answer is not looked for among other swizzles")
    swizzle = x.layoutB
    moved = Swizzle(swizzle.bits, swizzle.base + n.bit_length() - 1, swizzle.shift)
    return simplified(ComposedLayout(moved, x.offset * n, downcast(x.layoutA, n)))


def _above(base: int, layout: Layout, what: str) -> Any:
    """The layout with the base added to its values; raises NoAnswer if a value is negative, where swizzles are
    undefined.
    """
    low = base + sum((n - 1) * min(d, 0) for n, d in layout.flat())
    if base and low < 0:
        raise NoAnswer(f"{what}: from {number_text(base)} it goes down to {number_text(low)}, which no swizzle takes")
    return ComposedLayout(Swizzle(0, 0, 0), base, layout) if base else layout


def _need_numbers(x: ComposedLayout, what: str) -> None:
    if not is_numeric(x):
        raise LayoutError(f"{what} of {x}: give numbers")


def _need_whole(x: ComposedLayout, index: int, value: int, n: int) -> None:
    """Raises NoAnswer if an index that has to start a unit lies inside of one."""
    if value % n:
        at, got = profile_text(coordinate_at(index, x.shape)), number_text(value)
        raise NoAnswer(f"upcast of {x} by {n}: the value at {at} is {got}, inside a unit of {n}")


def _need_units_kept(x: ComposedLayout, n: int) -> None:
    """Raises NoAnswer if no mode consists of whole units of n elements. Exact: by residues, or by all units if these
    are few.

    The amount that swizzles add to y depends on y modulo their period Q. So whether a unit that starts at y stays whole
    depends on y modulo lcm(Q, n).
    """
    f, sizes = map_of(x, "upcast"), list(leaves(x.shape))
    period = lcm(f.period() or LARGEST + 1, n)
    low, places = f.bounds()[0][0], index_steps(sizes)
    steps = [f.base.of_value(PLAIN, at) - f.base.offset if m > 1 else 0 for m, at in zip(sizes, places, strict=True)]
    modes = list(zip(sizes, steps, strict=True))
    whys = list[tuple[bool, str]]()  # the contiguous mode comes first
    for k, (size, step) in enumerate(modes):
        if size % n:
            continue
        starts = [(m // n, d * n) if j == k else (m, d) for j, (m, d) in enumerate(modes)]
        begins, is_apart = line(starts, f.base.offset - low), _is_apart(f, low, step, n)
        if period <= LARGEST:
            index = Steps(starts, period, begins(0)).first_with(is_apart)
        else:
            bits = bits_of([m for m, _ in starts])
            few = range(begins.size) if begins.size <= TABLE else [0, *[bit.at for bit in bits]]
            index = next((i for i in few if is_apart(begins(i))), None)
            if index is None and begins.size > TABLE:
                raise Undecided(f"upcast of {x} by {n}: whether units stay whole depends on too many residues")
        if index is None:
            return
        at, place = coordinate_at(index, tuple([m for m, _ in starts])), places[k]
        first = sum(map(mul, at, places)) + at[k] * place * (n - 1)
        values = ", ".join([str(f(first + z * place)) for z in range(min(n, 8))])
        where = profile_text(coordinate_at(first, x.shape))
        whys.append((abs(step) != 1, f"from {where} on along mode {k}, the values {values} are not a unit of {n}"))
    why = min(whys, key=lambda pair: pair[0], default=(True, f"no mode has a size that {n} divides"))
    raise NoAnswer(f"upcast of {x} by {n}: {why[1]}")


def _is_apart(f: Map, low: int, step: int, n: int) -> Callable[[int], bool]:
    """Tests whether the swizzles split a unit: low + r and the n − 1 values after it, `step` apart."""

    def is_apart(r: int) -> bool:
        start = f.moved(low + r)
        return start % n != 0 or any(f.moved(low + r + z * step) != start + z for z in range(1, n))

    return is_apart


def _need_swizzled_multiples(x: ComposedLayout, n: int) -> None:
    """Raises NoAnswer if n times the values are not a swizzled layout, which a downcast would have to be."""
    if as_one_swizzle(map_of(x, "downcast").then(Strided.of([(1, n)])), x) is None:
        raise NoAnswer(f"downcast of {x} by {n}: {n} times its values are not a swizzled layout with these bits")
