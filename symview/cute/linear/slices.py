"""Finds strided slices of linear layouts, with some inputs fixed and others restricted to ranges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symview.counterexample import Counterexample
from symview.cute.comparer import running
from symview.cute.errors import LayoutError
from symview.cute.first_failures import failure_of, not_a_layout
from symview.cute.int_tuple import is_int
from symview.cute.linear.conversions import as_view
from symview.cute.linear.layout import LinearLayout, need_linear
from symview.cute.linear.packing import places
from symview.cute.linear.straight import modes_of
from symview.engine.bases import value_of
from symview.engine.first_difference import blocks
from symview.engine.map import affine, line
from symview.logic.budget import Budget
from symview.view import View

Range = int | range | slice | tuple[int, int]


def slice_to_view(
    layout: LinearLayout, part: Mapping[str, Range] | None = None, budget: Budget | None = None, **more: Range
) -> View | Counterexample:
    """A slice of a linear layout as a View: each input is a number, a range, or whole.

    Its dims are the inputs that are not fixed, the last one first; an input may become several dims. If there is no
    such view, the answer has an index of the slice (first input fastest). Exact: each input by itself has to be
    strided, and different inputs have to change different bits of the value, since u(x) ⊕ w(y) = g(x) + h(y) exactly
    then.

    >>> tile = LinearLayout({"column": [1, 2], "row": [5, 10]})
    >>> print(slice_to_view(tile, row=3), slice_to_view(tile, row=1, column=(1, 3)), sep="; ")
    (4):(-1)+15; (2):(3)+4
    >>> print(slice_to_view(tile, row=(0, 2)))
    no layout: with column = 1, row = 1 the value is 4, where strides make it 6
    """
    if not isinstance(part, Mapping | None):
        raise LayoutError(f"slice_to_view: {part!r} are not inputs with their ranges")
    ranges = _ranges(need_linear(layout, "slice_to_view"), {**(part or {}), **more})
    budget, where = running(budget), places(layout.in_bits)
    start = layout(layout.index({name: lo for name, (lo, _) in ranges.items()}))
    found: list[tuple[int, int]] = []
    for name, (lo, hi) in ranges.items():
        columns = tuple([layout.columns[i] for i in where[name]])
        others = start ^ value_of(columns, lo)
        modes = modes_of(affine(columns, others, hi - lo, lo), budget)
        if isinstance(modes, Counterexample):
            index, expected, _ = failure_of(modes)
            return _broken(layout, ranges, {name: index}, expected)
        found += modes
    clash = _clash(layout, ranges)
    if clash is not None:
        steps = {n: x - ranges[n][0] for n, x in clash.items()}
        return _broken(layout, ranges, steps, line(found, start)(_index(steps, ranges)))
    return as_view(found, start)


def _ranges(layout: LinearLayout, part: Mapping[str, Any]) -> dict[str, tuple[int, int]]:
    """The half-open range of each input."""
    found = {}
    for name in part:
        if name not in layout.ins:
            raise LayoutError(f"{name!r} is not an input of {layout}: {', '.join(layout.ins)}")
    for name, size in layout.ins.items():
        given = part.get(name, (0, size))
        if is_int(given):
            given = (given, given + 1)
        if isinstance(given, slice):
            given = range(*given.indices(size))
        if isinstance(given, range):
            if given.step != 1:
                raise LayoutError(f"{name}: {given} has the step {given.step}; give a range of step 1")
            given = (given.start, given.stop)
        if not isinstance(given, tuple) or len(given) != 2 or not all(map(is_int, given)):
            raise LayoutError(f"{name}: {given!r} is neither a number nor a range of numbers")
        lo, hi = given
        if not 0 <= lo < hi <= size:
            raise LayoutError(f"{name}: [{lo}, {hi}) is not a range within [0, {size}) that has a number")
        found[name] = lo, hi
    return found


def _clash(layout: LinearLayout, ranges: Mapping[str, tuple[int, int]]) -> dict[str, int] | None:
    """Numbers of two inputs that change the same bit of the value, relative to the ranges' starts; None if none do."""
    where, seen = places(layout.in_bits), dict[str, int]()
    for name, (lo, hi) in ranges.items():
        moves = _moves([layout.columns[i] for i in where[name]], lo, hi)
        for before in seen:
            others = _moves([layout.columns[i] for i in where[before]], *ranges[before])
            for a, x in moves.items():
                for b, y in others.items():
                    if a & b:
                        return {before: y, name: x}
        seen[name] = 0
    return None


def _moves(columns: list[int], lo: int, hi: int) -> dict[int, int]:
    """Changes of the value relative to `lo`, each with a number that has it; others set no further bits."""
    start, found = value_of(columns, lo), dict[int, int]()
    for x, q in blocks(0, lo, hi):
        for y in (x, *(x + (1 << i) for i in range(q))):
            found.setdefault(value_of(columns, y) ^ start, y)
    return found


def _index(steps: Mapping[str, int], ranges: Mapping[str, tuple[int, int]]) -> int:
    index, place = 0, 1
    for name, (lo, hi) in ranges.items():
        index, place = index + steps.get(name, 0) * place, place * (hi - lo)
    return index


def _broken(
    layout: LinearLayout, ranges: Mapping[str, tuple[int, int]], steps: Mapping[str, int], expected: int
) -> Counterexample:
    inputs = {n: lo + steps.get(n, 0) for n, (lo, _) in ranges.items()}
    got = layout(layout.index(inputs))
    where = ", ".join(f"{n} = {inputs[n]}" for n in steps)
    reason = f"with {where} the value is {got}, where strides make it {expected}"
    return not_a_layout(_index(steps, ranges), expected, got, reason)
