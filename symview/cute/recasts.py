"""Layouts of the same memory for elements of another width, of numbers and of names, over a comparer.

Source: `upcast`, `downcast` and `recast_layout` of CuTe's `layout.hpp`. C++ divides a stride that is known only at run
time without a check; here its divisibility is a condition.
"""

from __future__ import annotations

from math import gcd
from typing import Any

from symview.cute.comparer import Comparer, Modes, Numbers
from symview.cute.errors import LayoutError, NoAnswer
from symview.cute.int_tuple import like, whole_number
from symview.cute.layout import Layout, made


def factor(n: Any, what: str) -> int:
    """A number of elements, or of bits, from 1 on."""
    if whole_number(n, what) < 1:
        raise LayoutError(f"{what}: {n} is not a number from 1 on")
    return int(n)


def widths(new_bits: int, old_bits: int) -> tuple[int, int]:
    """How many elements are joined, and into how many the result is split.

    >>> widths(16, 8), widths(4, 6)
    ((2, 1), (2, 3))
    """
    new, old = factor(new_bits, "recast_layout"), factor(old_bits, "recast_layout")
    return new // gcd(new, old), old // gcd(new, old)


def recast_by(ask: Comparer, new_bits: int, old_bits: int, layout: Layout) -> Layout:
    """The layout for elements of `new_bits` instead of `old_bits`: first joined, then split."""
    joined, cut = widths(new_bits, old_bits)
    wide = layout if joined == 1 else upcast_by(ask, layout, joined)
    return wide if cut == 1 else downcast_by(ask, wide, cut)


def upcast_by(ask: Comparer, layout: Layout, width: int) -> Layout:
    """The layout for elements so many times as wide; a stride with names is a multiple of the width, or a number."""
    modes, inside = list[tuple[Any, Any]](), 0
    for size, stride in ask.wholes(layout.flat()):
        d = stride if type(stride) is int else _multiple_or_divisor(ask, stride, layout, width)
        if type(d) is not int:
            modes.append((size, d // width))
            continue
        step = abs(d)
        if d and step % width and width % step:
            error = LayoutError if isinstance(ask, Numbers) else NoAnswer
            raise error(f"upcast of {layout} by {width}: the stride {d} is neither a multiple nor a divisor of it")
        if step % width and size > 1:
            inside += step * (min(size, width // step) - 1)
            if d < 0 or inside >= width:
                why = "going down" if d < 0 else "together with the modes before"
                raise NoAnswer(f"upcast of {layout} by {width}: {why}, the mode {size}:{d} passes from unit to unit")
        sign = (d > 0) - (d < 0)
        modes.append((-(-size // -(-width // step)), sign * -(-step // width)) if d else (size, d))
    return _remade(layout, ask.entries(modes))


def _multiple_or_divisor(ask: Comparer, stride: Any, layout: Layout, width: int) -> Any:
    """The stride, if the width divides it, or the number that it is, if that divides the width; else NoAnswer."""
    if ask.divides(width, stride):
        return stride
    for step in range(1, width):
        for d in (step, -step) if width % step == 0 else ():
            if stride == d:
                return d
    raise NoAnswer(f"upcast of {layout} by {width}: a stride is neither a multiple nor a divisor of it")


def downcast_by(ask: Comparer, layout: Layout, width: int) -> Layout:
    """The layout for elements of that part of the width, of which there are more along the one mode of stride 1."""
    modes = ask.wholes(layout.flat())
    units = {k: 1 if up else -1 for k, (_, d) in enumerate(modes) if (up := bool(d == 1)) or d == -1}
    moving = [k for k in units if modes[k][0] > 1]
    number = next(iter(moving), next((k for k, d in units.items() if d == 1), None))
    if number is None:
        error = LayoutError if isinstance(ask, Numbers) else NoAnswer
        raise error(f"downcast of {layout}: no mode has the stride 1, so its elements do not lie together")
    if len(moving) > 1:
        raise NoAnswer(f"downcast of {layout}: modes {moving[0]} and {moving[1]} both go from element to element")
    if units[number] < 0:
        raise NoAnswer(f"downcast of {layout}: mode {number} goes down, and parts of an element follow it upwards")
    found = [(n * width, 1) if k == number else (n, d * width) for k, (n, d) in enumerate(modes)]
    return _remade(layout, ask.entries(found))


def _remade(layout: Layout, modes: Modes) -> Layout:
    shape, stride = ([mode[k] for mode in modes] for k in (0, 1))
    return made(like(layout.shape, iter(shape)), like(layout.shape, iter(stride)))
