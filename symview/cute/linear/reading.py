"""Converts layouts of all kinds to maps of their index: strided, linear, swizzled and composed ones, and views."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod
from typing import Any

from symview.cute.errors import LayoutError
from symview.cute.int_tuple import whole_number
from symview.cute.layout import Layout
from symview.cute.linear.layout import LinearLayout
from symview.cute.swizzle import ComposedLayout, Swizzle, in_numbers
from symview.displayed import number_text
from symview.engine.first_difference import few
from symview.engine.map import Map, Mode, Stage, Strided, Xor, XorShift, affine, shift
from symview.errors import SymbolError, Undecided
from symview.logic.bits import Bits, least
from symview.logic.budget import Budget
from symview.view import View


def map_of(x: Any, what: str) -> Map:
    """The map of a layout of any kind: row-major for a View, otherwise the first mode or input fastest.

    In a composition, the values of layoutA have to lie in the domain of layoutB: they may not be negative, and have to
    be below the size of a linear layout. Raises LayoutError if not, Undecided if too many values would have to be
    checked. Raises LayoutError for other arguments and for masks; SymbolError for symbols.

    >>> from symview.cute import ComposedLayout, Layout, Swizzle
    >>> map_of(ComposedLayout(Swizzle(1, 0, 2), 0, Layout((4, 2))), "")(5)
    4
    """
    if isinstance(x, LinearLayout):
        return affine(x.columns, x.constant)
    if isinstance(x, Swizzle):
        return Map.of(x.size(), stage_of(x, what))
    if isinstance(x, View):
        if is_masked(x):
            raise LayoutError(f"{what}: {x} has a mask; symview.equivalent compares masked views")
        need_number(x.offset, f"{what}: the offset")
        modes = _checked(list(zip(x.shape[::-1], x.strides[::-1], strict=True)), what)
        return Map.of(prod([n for n, _ in modes]), Strided.of(modes, x.offset))
    if isinstance(x, Layout):
        modes = _checked(x.flat(), what)
        return Map.of(prod([n for n, _ in modes]), Strided.of(modes))
    x = in_numbers(x)
    if not isinstance(x, ComposedLayout):
        raise LayoutError(f"{what}: {x!r} is not a layout: give a Layout, a View, a swizzled or a linear layout")
    whole_number(x.offset, f"{what}: the offset")
    if isinstance(x.layoutB, ComposedLayout):
        front, inside = x.layoutB, ComposedLayout(x.layoutB.layoutA, x.offset, x.layoutA)
        return map_of(ComposedLayout(front.layoutB, front.offset, inside), what)
    inner, stage = map_of(x.layoutA, what), stage_of(x.layoutB, what)
    inner = inner.then(shift(x.offset)) if x.offset else inner
    _need_inside(inner, stage, x, what)
    return inner.then(stage)


def stage_of(front: Any, what: str = "") -> Stage:
    """A layoutB as a stage of a map."""
    if isinstance(front, Swizzle):
        return swizzling(front)
    if isinstance(front, LinearLayout):
        return Xor(front.columns, front.constant)
    if isinstance(front, Layout):
        return Strided.of(_checked(front.flat(), what))
    raise LayoutError(f"{what}: {front} cannot follow a layout; give a swizzle, a linear layout or a layout")


@lru_cache(1 << 10)
def swizzling(swizzle: Swizzle) -> XorShift:
    """The swizzle as a stage."""
    return XorShift(swizzle.yyy_msk, swizzle.shift)


def _need_inside(inner: Map, stage: Stage, x: ComposedLayout, what: str) -> None:
    """Raises LayoutError if a value of the inner map is negative, or outside a linear layout's domain."""
    low, high = inner.bounds()[-1]
    end = 1 << (len(stage.columns) if isinstance(stage, Xor) else max(high, 0).bit_length())
    if low >= 0 and high < end:
        return
    front = x.layoutB
    if not inner.front:
        if low >= 0:
            raise LayoutError(f"{what}: {front}: the inner layout has values from {number_text(end)} on")
        kind = f"{front} in front" if isinstance(front, Layout) else front
        raise LayoutError(f"{what}: {x}: the layout goes down to {number_text(low)}; {kind} needs numbers from 0 on")
    index = first_outside(inner, end)
    if index is not None:
        got, has = number_text(inner(index)), "from 0 on" if inner(index) < 0 else f"below {number_text(end)}"
        raise LayoutError(f"{what}: {x}: at index {index}, {front} gets {got}; it needs numbers {has}")


def first_outside(f: Map, end: int, budget: Budget | None = None) -> int | None:
    """The first index whose value is outside [0, end), or None; uses a solver only if a budget is given."""
    low, high = f.bounds()[-1]
    if low >= 0 and high < end:
        return None
    columns = f.columns() if end & end - 1 == 0 else None
    if columns is not None:  # each bit is set in some value, also the sign bit
        constant, bases = columns
        values = [(0, constant), *[(1 << i, constant ^ b) for i, b in enumerate(bases)]]
        return next((x for x, value in values if not 0 <= value < end), None)
    if f.size <= few(budget):
        return next((x for x in range(f.size) if not 0 <= f(x) < end), None)
    if budget is None:
        raise Undecided(f"whether {f.size} values are all in [0, {number_text(end)})")

    def is_outside(bits: Bits, x: Any) -> Any:
        value = f.on_bits(bits, x)
        return not 0 <= value < end if bits.z3 is None else bits.z3.UGE(value, end)

    return least(f.size, max(f.width(), end.bit_length()) + 2, is_outside, budget)


def taken_apart(x: Any) -> tuple[tuple[tuple[Any, int], ...], Any]:
    """Splits a composed layout: all its layoutBs from left to right, each with its offset, and the innermost layout."""
    x = in_numbers(x)
    if not isinstance(x, ComposedLayout):
        return (), x
    before, layout = taken_apart(x.layoutA)
    if isinstance(x.layoutB, ComposedLayout):
        outer, last = taken_apart(x.layoutB)
        return (*outer, (last, x.offset), *before), layout
    return ((x.layoutB, x.offset), *before), layout


def map_of_parts(fronts: Sequence[tuple[Any, int]], layout: Layout) -> Map:
    """The map of numeric parts from `taken_apart`; extends each stage to all integers without checks."""
    stages = [stage for front, offset in reversed(fronts) for stage in (shift(offset), stage_of(front))]
    return Map.of(layout.size(), Strided.of(layout.flat()), *stages)


def _checked(modes: list[Mode], what: str) -> list[Mode]:
    """Checks that the modes are numbers; raises SymbolError if not."""
    for n, d in modes:
        need_number(n, f"{what}: a size")
        need_number(d, f"{what}: a stride")
    return modes


def need_number(x: Any, what: str) -> None:
    """Raises SymbolError for a symbol."""
    if type(x) is not int:
        raise SymbolError(f"{what} is {x}: numbers are needed, put in values for the symbols")


def is_masked(view: View) -> bool:
    """Whether the mask hides an index of the shape."""
    if view.mask is None:
        return False
    for x in () if view.mask == "empty" else [*view.shape, *[x for pair in view.mask for x in pair]]:
        need_number(x, f"a mask or size of {view}")
    return view.mask == "empty" or any(a > 0 or b < n for (a, b), n in zip(view.mask, view.shape, strict=True))
