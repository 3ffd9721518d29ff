"""Finds the coalesced modes of a map, or where it stops being strided; and writes it as a layout of a shape."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from symview.counterexample import Counterexample
from symview.cute.first_failures import not_a_layout
from symview.cute.int_tuple import index_steps, leaves, like
from symview.cute.layout import Layout, made
from symview.cute.modes import assembled
from symview.cute.swizzle import ComposedLayout, in_numbers
from symview.displayed import number_text
from symview.engine.bases import ParityForm, first_overlap
from symview.engine.first_difference import first_difference
from symview.engine.map import Map, Mode, line
from symview.logic.budget import Budget


@dataclass(frozen=True, slots=True)
class Straight:
    """The value at 0, and the map minus that value as a layout."""

    base: int
    layout: Layout


def straight(f: Map, layout: Any, budget: Budget | None = None) -> Straight | Counterexample:
    """Writes f − f(0) as a layout of the given layout's shape, with modes split if necessary; or where that fails.

    Without a budget no solver is used: raises Undecided if only a solver could decide.
    """
    parts = parts_of(f, layout, budget)
    if isinstance(parts, Counterexample):
        return parts
    parts = [p or [(1, d)] for p, d in zip(parts, _strides(layout, len(parts)), strict=True)]
    shape, stride = ([p[0][k] if len(p) == 1 else tuple([m[k] for m in p]) for p in parts] for k in (0, 1))
    return Straight(f(0), made(like(layout.shape, iter(shape)), like(layout.shape, iter(stride))))


def parts_of(f: Map, layout: Any, budget: Budget | None = None) -> list[list[Mode]] | Counterexample:
    """The modes of f − f(0), grouped by the flat modes of the layout, none for size 1; or where f is no such layout."""
    modes = modes_of(f, budget)
    if isinstance(modes, Counterexample):
        return modes
    parts = split(modes, list(leaves(layout.shape)))
    if isinstance(parts, list):
        return parts
    n, d = modes[parts]
    at = index_steps([n for n, _ in modes])[parts] * n
    expected, got = f(0) + n * d, f(at)
    where = f"the value at {number_text(at)} is {number_text(got)}, not {number_text(expected)}"
    return not_a_layout(at, expected, got, f"{where}, within a mode of {layout}")


def _strides(layout: Any, count: int) -> list[Any]:
    """The strides of the innermost layout, which modes of size 1 keep; 0 if it has none."""
    inner = in_numbers(layout)
    while isinstance(inner, ComposedLayout):
        inner = in_numbers(inner.layoutA)
    return list(leaves(inner.stride)) if isinstance(inner, Layout) else [0] * count


def modes_of(f: Map, budget: Budget | None = None) -> list[Mode] | Counterexample:
    """The coalesced modes of f − f(0), or where it stops being strided: each mode ends where f leaves the line."""
    if not f.front:
        return list(f.base.modes)
    columns = f.columns()
    if columns is not None:
        start, bases = columns
        pair = first_overlap(bases)
        modes = joined((start ^ b) - start for b in bases)
        return modes if pair is None else _no_layout(f, modes, (1 << pair[0]) + (1 << pair[1]))
    k = f.size.bit_length() - 1
    form = f.form(0, k) if f.size == 1 << k else None
    if form is None:
        return _along_lines(f, None if budget is None else budget.started())
    modes = joined(form.at(1 << i) - form.offset for i in range(k))
    steps = [d << i for n, d in modes for i in range(n.bit_length() - 1)]
    x = form.minus(ParityForm.strided(form.offset, steps)).first_nonzero()
    return modes if x is None else _no_layout(f, modes, x)


def _along_lines(f: Map, budget: Budget | None) -> list[Mode] | Counterexample:
    """Finds the modes one by one, each as long as possible."""
    start, modes, place = f(0), list[Mode](), 1
    while place < f.size:
        left, stride = f.size // place, f(place) - start
        tried = [*modes, (left, stride)]
        x = first_difference(f, line(tried, start), f.size, budget)
        if x is None:
            return tried
        n, rest = divmod(x, place)
        if rest or n == 1:
            return _no_layout(f, tried, x)
        if left % n:
            expected, got = start + n * stride, f(x)
            needed = f"; a mode of size {number_text(n)} does not divide {number_text(left)}"
            return not_a_layout(x, expected, got, f"the value at {x} is {got}, not {expected}{needed}")
        modes, place = [*modes, (n, stride)], x
    return modes


def joined(steps: Iterable[int]) -> list[Mode]:
    """Coalesces the strides of consecutive bits to modes."""
    found: list[Mode] = []
    for d in steps:
        if found and d == found[-1][0] * found[-1][1]:
            found[-1] = (2 * found[-1][0], found[-1][1])
        else:
            found.append((2, d))
    return found


def _no_layout(f: Map, modes: Sequence[Mode], x: int) -> Counterexample:
    """The failure at index x, explained by the modes up to there, the last one as long as possible."""
    places = [place for place in index_steps(n for n, _ in modes) if place <= x]
    longer = [*modes[: len(places) - 1], (f.size // places[-1], modes[len(places) - 1][1])]
    has, got = line(longer, f(0))(x), f(x)
    above = f" above {number_text(f(0))}" if f(0) else ""
    multiples = " and ".join(map(number_text, places))
    made = (
        f"the values at the multiples of {multiples} fit {assembled(longer)}{above}, which has {number_text(has)} there"
    )
    return not_a_layout(x, has, got, f"at index {number_text(x)} the value is {number_text(got)}; {made}")


def split(modes: Sequence[Mode], sizes: Sequence[int]) -> list[list[Mode]] | int:
    """Splits coalesced modes into parts of these sizes; returns the number of the first mode that crosses a boundary.

    >>> split([(8, 1), (3, 9)], [2, 12]), split([(6, 1), (2, 9)], [4, 3])
    ([[(2, 1)], [(4, 2), (3, 9)]], 0)
    """
    left, found, number = list(modes)[::-1], list[list[Mode]](), 0
    for size in sizes:
        part: list[Mode] = []
        while size > 1:
            n, d = left.pop()
            k = min(n, size)
            if n % k or size % k:
                return number
            part.append((k, d))
            size //= k
            if n > k:
                left.append((n // k, d * k))
            else:
                number += 1
        found.append(part)
    return found
