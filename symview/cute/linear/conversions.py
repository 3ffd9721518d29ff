"""Converts strided and swizzled layouts to linear ones and back; a refusal names an index where it fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from symview.counterexample import Counterexample
from symview.cute.comparer import running
from symview.cute.errors import LayoutError
from symview.cute.first_failures import failure_of, not_a_layout, not_linear
from symview.cute.int_tuple import index_steps, whole_number
from symview.cute.layout import Layout
from symview.cute.linear.layout import LinearLayout
from symview.cute.linear.reading import map_of
from symview.cute.linear.straight import modes_of
from symview.cute.modes import assembled
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.displayed import number_text
from symview.engine.first_difference import first_difference
from symview.engine.map import Map, affine
from symview.logic.budget import Budget
from symview.view import View


def to_linear(
    x: Any, names: Sequence[str] | None = None, size: int | None = None, budget: Budget | None = None
) -> LinearLayout | Counterexample:
    """Converts a Layout, View, swizzle or swizzled layout to a linear layout, or says at which index that fails.

    Without `names` the result is linear in the index in [0, size): its input is `index`, its output `offset`. If the
    size is not a power of two, only the values below it count, and the linear layout extends them. With `names` it is
    linear in the coordinates: it has one input for each mode (for each dim of a View, last one first), with enough bits
    for all coordinates. The two can differ: (3,2):(3,5) is linear in the index, (3,2):(3,8) only in the coordinates. A
    value at 0 other than 0 becomes the constant. Exact: in polynomial time for strided layouts, swizzled or not. Raises
    Undecided if a linear map that is not injective is applied after a layout and the budget ends.

    >>> from symview.cute import Layout
    >>> print(to_linear(Layout((2, 2), (5, 2))), to_linear(Layout((3, 2), (3, 5))), sep="; ")
    {index = [5, 2]} -> {offset = 8}; {index = [3, 6, 8]} -> {offset = 16}
    >>> print(to_linear(Layout((3, 2), (3, 8)), names=("i", "j")))
    {i = [3, 6], j = [8]} -> {offset = 16}
    >>> print(to_linear(Layout((2, 2), (1, 3))))
    not linear: at index 3 the value is 4; those at 0, 1 and 2, xored, give 2
    """
    if isinstance(x, LinearLayout) and names is None and size is None:
        return x
    if names is not None and size is None:
        if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
            raise LayoutError(f"to_linear: {names!r} are not names: give one for each mode")
        return _of_coordinates(x, list(names))
    if names is not None:
        raise LayoutError("to_linear: a size is of indices, names are of coordinates: give one of the two")
    f = sized(map_of(x, "to_linear"), size, x)
    start = f(0)
    bases = [f(1 << i) ^ start for i in range((f.size - 1).bit_length())]
    below = next((i for i in (0, *(1 << i for i in range(len(bases)))) if f(i) < 0), None)
    if below is not None:
        return _below(below, f(below))
    at = first_difference(f, affine(bases, start, f.size), f.size, running(budget))
    if at is None:
        return LinearLayout({"index": bases}, ["offset"], [start])
    return _not_linear(at, f(at), start, bases, f"index {number_text(at)}")


def _not_linear(at: int, got: int, start: int, bases: Sequence[int], where: str) -> Counterexample:
    expected = affine(bases, start)(at)
    parts = " and ".join(number_text(1 << i) for i in range(len(bases)) if at >> i & 1)
    made = f"those at 0, {parts}, xored, give {number_text(expected)}"
    return not_linear(at, expected, got, f"at {where} the value is {number_text(got)}; {made}")


def _below(at: int, got: int) -> Counterexample:
    reason = f"at index {number_text(at)} the value is {number_text(got)}, and linear layouts have values from 0 on"
    return not_linear(at, 0, got, reason)


class Bit(NamedTuple):
    """A bit of a coordinate; `at` is the index where only this bit is set."""

    mode: int
    step: int
    at: int
    size: int  # of the mode

    def may_join(self, other: Bit) -> bool:
        """Whether both bits can be set at once."""
        return self.mode != other.mode or self.step + other.step < self.size


def bits_of(sizes: Sequence[int]) -> Iterator[Bit]:
    """The bits of the coordinates of a shape, starting with the first mode.

    >>> [(bit.mode, bit.step, bit.at) for bit in bits_of((3, 2))]
    [(0, 1, 1), (0, 2, 2), (1, 1, 3)]
    """
    for mode, (n, place) in enumerate(zip(sizes, index_steps(sizes), strict=True)):
        for i in range((n - 1).bit_length()):
            yield Bit(mode, 1 << i, place << i, n)


def _of_coordinates(x: Any, names: list[str]) -> LinearLayout | Counterexample:
    """Decides linearity in the coordinates: any two bits that can both be set need disjoint masks.

    Swizzles are injective, so they do not affect this.
    """
    if isinstance(x, ComposedLayout):
        map_of(x, "to_linear")
        if not isinstance(x.layoutB, Swizzle) or (x.offset and not isinstance(x.layoutA, Layout)):
            raise LayoutError(f"to_linear: names are for the coordinates of a swizzled layout, and {x} is not one")
        swizzle, inner = x.layoutB, x.layoutA
        if isinstance(inner, Layout):
            view = inner.to_view()
            inner = View(view.shape, view.strides, x.offset)
        found = _of_coordinates(inner, names)
        if isinstance(found, LinearLayout):
            rows = {name: [swizzle(b) for (b,) in bases] for name, bases in found.bases.items()}
            return LinearLayout(rows, ["offset"], [swizzle(found.constant)])
        index, expected, got = failure_of(found)
        return not_linear(index, swizzle(expected), swizzle(got), f"before {swizzle}, {found.reason}")
    if isinstance(x, View):
        map_of(x, "to_linear")
        modes, start = list(zip(x.shape[::-1], x.strides[::-1], strict=True)), x.offset
    elif isinstance(x, Layout):
        map_of(x, "to_linear")
        modes, start = x.flat(), 0
    else:
        raise LayoutError(f"to_linear: names are for the coordinates of a Layout or a View, and {x} has none")
    if len(names) != len(modes):
        raise LayoutError(f"to_linear: {len(names)} names for the {len(modes)} modes of {x}: give one each")
    low, places = start + sum((n - 1) * min(d, 0) for n, d in modes), index_steps(n for n, _ in modes)
    if low < 0:
        at = sum((n - 1) * place for (n, d), place in zip(modes, places, strict=True) if d < 0)
        return _below(at, low)
    bits = [(bit, start ^ (start + modes[bit.mode][1] * bit.step)) for bit in bits_of([n for n, _ in modes])]
    for (one, mask), (two, other) in ((a, b) for k, b in enumerate(bits) for a in bits[:k]):
        if mask & other and one.may_join(two):
            got, expected = start + sum(modes[b.mode][1] * b.step for b in (one, two)), start ^ mask ^ other
            first, second = (f"{names[b.mode]} = {b.step}" for b in (one, two))
            where = f"{names[one.mode]} = {one.step + two.step}" if one.mode == two.mode else f"{first}, {second}"
            made = f"those at 0, {first} and {second}, xored, give {expected}"
            return not_linear(one.at + two.at, expected, got, f"at {where} the value is {got}; {made}")
    rows = {name: [mask for bit, mask in bits if bit.mode == j] for j, name in enumerate(names)}
    if len(rows) < len(names):
        raise LayoutError(f"to_linear: {names} has a name twice")
    return LinearLayout(rows, ["offset"], [start])


# To strided layouts


def as_layout(composed: Any, budget: Budget | None = None, *, size: int | None = None) -> Layout | Counterexample:
    """The coalesced layout with the values of a swizzled or linear layout, or an index where it stops being one.

    `size` restricts this to the indices below it. Exact: decided by the unique normal form of functions of bits, by
    residues or by enumeration; beyond these, Z3 searches bit-vectors for the first index off a straight line. A linear
    layout whose size is a power of two is a layout iff no two bases share a bit; for other sizes there are more. Raises
    LayoutError if the unswizzled layout has negative values, Undecided when the budget ends.

    >>> from symview.cute import Layout
    >>> print(as_layout(ComposedLayout(Swizzle(1, 0, 2), 0, Layout((4, 4), (1, 8)))))
    (4,4):(1,8)
    >>> print(as_layout(ComposedLayout(Swizzle(1, 0, 2), 0, Layout(8))))
    no layout: at index 5 the value is 4; the values at the multiples of 1 and 4 fit (4,2):(1,5), which has 6 there
    >>> print(as_layout(LinearLayout([3, 6, 8]), size=6))
    (3,2):(3,5)
    """
    f = sized(map_of(composed, "as_layout"), size, composed)
    if start := f(0):
        return not_from_zero(start)
    modes = modes_of(f, running(budget))
    return modes if isinstance(modes, Counterexample) else assembled(modes)


def not_from_zero(start: int) -> Counterexample:
    """The refusal of a function whose value at 0 is not 0."""
    why = f"the value at 0 is {number_text(start)}, and every layout has 0 there; to_view has an offset"
    return not_a_layout(0, 0, start, why)


def to_view(x: Any, size: int | None = None, budget: Budget | None = None) -> View | Counterexample:
    """Does the same for a View, whose offset is the value at 0 and whose last dim is the fastest.

    >>> print(to_view(LinearLayout([1, 2, 4], constant=7)), to_view(LinearLayout([6, 1], constant=6)))
    (8):(-1)+7 (2,2):(1,-6)+6
    """
    f = sized(map_of(x, "to_view"), size, x)
    modes = modes_of(f, running(budget))
    return modes if isinstance(modes, Counterexample) else as_view(modes, f(0))


def as_view(modes: Sequence[tuple[int, int]], offset: int) -> View:
    """The view with these modes, in reverse order."""
    return View([n for n, _ in modes[::-1]], [d for _, d in modes[::-1]], offset)


def sized(f: Map, size: int | None, x: Any) -> Map:
    """Restricts a map to the indices below the size."""
    if f.size == 0:
        raise LayoutError(f"{x} has no index")
    if size is None:
        return f
    size = whole_number(size, "the size")
    if not 1 <= size <= f.size:
        raise LayoutError(f"the size {size} is not one of 1 to {f.size}, the size of {x}")
    return f.cut(size)
