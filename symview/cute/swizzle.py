"""Swizzles: bits of an address exchanged for their exclusive or with others, in front of a layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Literal

from symview.cute.comparer import need_numbers, running
from symview.cute.errors import LayoutError
from symview.cute.fact import NotALayout, is_bijection, layout_of
from symview.cute.int_tuple import entries, has_none, number_text, whole_number
from symview.cute.layout import Layout, LayoutBase, is_layout
from symview.cute.modes import assembled, coalesced
from symview.logic.bits import Bits, least, some_point
from symview.logic.budget import DEFAULT, Budget

_TABLE = 1 << 12
_SHIFT = 1 << 20


def shiftr(a: int, s: int) -> int:
    """`a` shifted right by s bits, left where s is negative."""
    a, s = whole_number(a, "the number"), whole_number(s, "the shift")
    if -s > _SHIFT:
        raise LayoutError(f"a shift to the left by {number_text(-s)} bits is too much: give at most {_SHIFT}")
    return a >> s if s > 0 else a << -s


def shiftl(a: int, s: int) -> int:
    """`a` shifted left by s bits, right where s is negative."""
    return shiftr(a, -whole_number(s, "the shift"))


@dataclass(frozen=True, slots=True)
class Swizzle:
    """x with `bits` bits from `base` on xored with those `shift` above them (below where negative).

    Its own inverse on all numbers from 0 on. Raises LayoutError unless |shift| >= bits, bits and
    base >= 0.

    >>> [Swizzle(1, 0, 2)(x) for x in range(8)]
    [0, 1, 2, 3, 5, 4, 7, 6]
    """

    bits: int
    base: int
    shift: int

    def __post_init__(self) -> None:
        if any(type(x) is not int for x in (self.bits, self.base, self.shift)):
            raise LayoutError(f"Swizzle{(self.bits, self.base, self.shift)}: give integers")
        if max(map(abs, (self.bits, self.base, self.shift))) > _SHIFT:
            raise LayoutError(f"a swizzle of bits beyond bit {_SHIFT}: give bits, base and shift of at most that")
        if self.bits < 0 or self.base < 0 or abs(self.shift) < self.bits:
            raise LayoutError(f"Swizzle{(self.bits, self.base, self.shift)}: needs bits, base >= 0 and |shift| >= bits")

    @property
    def yyy_msk(self) -> int:
        """The bits that are read."""
        return ((1 << self.bits) - 1) << (self.base + max(0, self.shift))

    @property
    def zzz_msk(self) -> int:
        """The bits that change."""
        return ((1 << self.bits) - 1) << (self.base - min(0, self.shift))

    def __call__(self, offset: int) -> int:
        """The swizzled number; LayoutError below 0."""
        offset = whole_number(offset, "the argument of a swizzle")
        if offset < 0:
            raise LayoutError(f"{self} of {number_text(offset)}: give a number from 0 on")
        return self.of(Bits(), offset)  # type: ignore[no-any-return]

    def of(self, bits: Bits, x: Any) -> Any:
        """The same on integers or bit-vectors."""
        return x ^ bits.shifted(x & self.yyy_msk, self.shift)

    def size(self) -> int:
        """The length of the interval from 0 that it permutes, and all whose multiples it does."""
        return 1 << (self.bits + self.base + abs(self.shift))

    def cosize(self) -> int:
        """The same as the size."""
        return self.size()

    def __str__(self) -> str:
        return f"SW_{self.bits}_{self.base}_{self.shift}"

    def __repr__(self) -> str:
        return f"Swizzle({self.bits},{self.base},{self.shift})"


@dataclass(frozen=True, slots=True, repr=False)
class ComposedLayout(LayoutBase):
    """layoutB(offset + layoutA(·)): a layout behind a swizzle (or behind another layout).

    Raises LayoutError for anything else; layoutA may itself stand behind one.

    >>> print(ComposedLayout(Swizzle(1, 0, 2), 0, Layout(8)))
    SW_1_0_2 o 0 o 8:1
    """

    layoutB: Any  # noqa: N815
    offset: int
    layoutA: Any  # noqa: N815

    def __post_init__(self) -> None:
        if not is_layout(self.layoutB) and not isinstance(self.layoutB, Swizzle):
            raise LayoutError(f"ComposedLayout: {self.layoutB!r} in front is no swizzle and no layout")
        if not is_layout(self.layoutA):
            raise LayoutError(f"ComposedLayout: {self.layoutA!r} behind is no layout")
        if isinstance(entries(self.offset, "the offset"), tuple):
            raise LayoutError(f"ComposedLayout: the offset {self.offset} is a tuple: give an integer")

    def __len__(self) -> int:
        return len(self.layoutA)

    def __bool__(self) -> Literal[True]:
        return True

    def __iter__(self) -> Iterator[ComposedLayout]:
        return (self[i] for i in range(len(self)))

    def __call__(self, *args: Any) -> Any:
        """The value at a coordinate or an index of the layout behind; LayoutError for None, which asks for modes."""
        if has_none(args):
            raise LayoutError(f"{self}: a coordinate with None keeps modes; slice the layout behind, layoutA")
        return self.layoutB(self.offset + self.layoutA(*args))

    def __getitem__(self, i: int) -> ComposedLayout:
        return ComposedLayout(self.layoutB, self.offset, self.layoutA[i])

    def size(self) -> Any:
        """The size of the layout behind."""
        return self.layoutA.size()

    def cosize(self) -> Any:
        """The cosize of what stands in front, as in pycute."""
        return self.layoutB.cosize()

    def __str__(self) -> str:
        return f"{self.layoutB} o {self.offset} o {self.layoutA}"

    def __repr__(self) -> str:
        return f"ComposedLayout({self.layoutB!r},{self.offset!r},{self.layoutA!r})"


def as_layout(composed: ComposedLayout, budget: Budget | None = None) -> Layout | NotALayout:
    """The coalesced layout with the values of a swizzled layout, or where it stops being one.

    Exact. Small sizes are tabulated; beyond, Z3 looks on bit-vectors for the first index that
    leaves the straight line, and confirms that no index disagrees with the layout found. Raises
    LayoutError where the layout behind has negative values, Undecided when the budget ends.

    >>> print(as_layout(ComposedLayout(Swizzle(1, 0, 2), 0, Layout((4, 4), (1, 8)))))
    (4,4):(1,8)
    >>> print(as_layout(ComposedLayout(Swizzle(1, 0, 2), 0, Layout(8))))
    no layout: the values at the multiples of 1, 4 make it (4,2):(1,5), which has 6 at 5, not 4
    """
    swizzle, layout = _parts(composed)
    if layout.size() <= _TABLE:
        return layout_of([composed(x) for x in range(layout.size())])
    return _searched(swizzle, composed.offset, layout, running(budget))


def _parts(composed: ComposedLayout) -> tuple[Swizzle, Layout]:
    """The swizzle in front and the layout of numbers behind; LayoutError where its values go below 0."""
    if not isinstance(composed, ComposedLayout) or not isinstance(composed.layoutB, Swizzle):
        raise LayoutError(f"{composed!s}: give a layout behind a swizzle")
    layout = composed.layoutA
    need_numbers(layout, "a swizzle")
    whole_number(composed.offset, "the offset")
    low = composed.offset + sum((n - 1) * min(d, 0) for n, d in layout.flat())
    if low < 0:
        raise LayoutError(f"{composed}: the layout goes down to {low}; a swizzle is about numbers from 0 on")
    return composed.layoutB, layout


def _searched(swizzle: Swizzle, offset: int, layout: Layout, budget: Budget) -> Layout | NotALayout:
    """`as_layout` by bit-vectors: each mode ends where the values leave the straight line."""
    first = swizzle(offset)
    if first:
        return NotALayout(0, 0, first, f"the value at 0 is {first}, and every layout has 0 there")
    width = _width(swizzle, offset, layout)
    modes: list[tuple[int, int]] = []
    step, left = 1, layout.size()
    while left > 1:
        stride, place = swizzle(offset + layout(step)), step

        def bends(bits: Bits, x: Any, place: int = place, stride: int = stride) -> Any:
            return value_of(swizzle, offset, layout, bits, x * place) != x * stride

        size = least(left, width, bends, budget) or left
        if left % size:
            got, end = swizzle(offset + layout(size * step)), size * step
            reason = f"the value at {end} is {got}, not {size * stride}; a mode of size {size} does not divide {left}"
            return NotALayout(end, size * stride, got, reason)
        modes.append((size, stride))
        step, left = step * size, left // size
    found = assembled(coalesced(modes))

    def differs(bits: Bits, x: Any) -> Any:
        return value_of(swizzle, offset, layout, bits, x) != _linear(found, bits, x)

    x = least(layout.size(), width, differs, budget)
    if x is None:
        return found
    got = swizzle(offset + layout(x))
    return NotALayout(x, found(x), got, f"the values at place values make it {found}, which has {found(x)}, not {got}")


def _width(swizzle: Swizzle, offset: int, layout: Layout) -> int:
    """Bits in which neither indices, values nor straight lines through them overflow, with one to spare."""
    top = offset + sum((n - 1) * max(d, 0) for n, d in layout.flat())
    largest: int = max(top, swizzle.size()) * 2 * layout.size()
    return largest.bit_length() + 2


def value_of(swizzle: Swizzle, offset: int, layout: Layout, bits: Bits, x: Any) -> Any:
    """The swizzled value at an index, on integers or bit-vectors."""
    return swizzle.of(bits, _linear(layout, bits, x) + offset)


def _linear(layout: Layout, bits: Bits, x: Any) -> Any:
    """The layout's value at an index, on integers or bit-vectors; the last mode extends."""
    modes = layout.flat()
    total: Any = 0
    for n, (size, stride) in enumerate(modes):
        total = total + (x if n == len(modes) - 1 else bits.remainder(x, size)) * stride
        x = bits.divide(x, size)
    return total


def is_injective(x: Any, budget: Budget | None = None) -> bool:
    """Whether no two coordinates have the same value; a swizzle, itself injective, changes nothing about that.

    >>> is_injective(Layout((2, 2), (1, 3))), is_injective(Layout((3, 2), (2, 3))), is_injective(Layout((4, 2), (1, 3)))
    (True, True, False)
    """
    if isinstance(x, Swizzle):
        return True
    layout = _parts(x)[1] if isinstance(x, ComposedLayout) else x
    need_numbers(layout, "is_injective")
    return same_values(layout, running(budget)) is None


def same_values(layout: Layout, budget: Budget = DEFAULT) -> tuple[int, int] | None:
    """Two indices with the same value, None where no two have one; of numbers.

    Exact: strides that outgrow what is below them, then a table of small layouts, then Z3 on
    bit-vectors. Raises Undecided when the budget ends.

    >>> same_values(Layout((1, 2, 2, 2), (5, 2, 3, 5))), same_values(Layout((2, 2, 2), (1, 2, 4)))
    ((3, 4), None)
    """
    modes = layout.flat()
    place = 1
    for n, d in modes:
        if d == 0 and n > 1:
            return 0, place
        place *= n
    part = _overlapping(modes)
    size = prod([n for n, _ in part])
    if size == 1:
        return None
    pair = None
    if size > _TABLE:
        pair = _collision(part, budget.started())
    else:
        small, seen = Layout(*zip(*part, strict=True)), dict[int, int]()
        pair = next(((first, x) for x in range(size) if (first := seen.setdefault(small(x), x)) != x), None)
    return None if pair is None else (_lifted(pair[0], part, modes), _lifted(pair[1], part, modes))


def _overlapping(modes: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The modes, of size 1 where the stride is beyond all that the smaller ones reach: there, equal values agree."""
    found, left = list(modes), sorted(range(len(modes)), key=lambda k: abs(modes[k][1]))
    while left:
        top = left.pop()
        if abs(modes[top][1]) <= sum((modes[k][0] - 1) * abs(modes[k][1]) for k in left) and modes[top][0] > 1:
            break
        found[top] = (1, modes[top][1])
    return found


def _lifted(index: int, part: list[tuple[int, int]], modes: list[tuple[int, int]]) -> int:
    """The index of the same coordinate where sizes are larger."""
    found, place = 0, 1
    for (m, _), (n, _) in zip(part, modes, strict=True):
        found, index, place = found + index % m * place, index // m, place * n
    return found


def _collision(modes: list[tuple[int, int]], budget: Budget) -> tuple[int, int] | None:
    """Coordinates i ≠ i' with the same Σ i_j·d_j, as indices. A mode that goes down is walked backwards."""
    sizes = [n for n, _ in modes] * 2
    width = (2 * sum(n * abs(d) for n, d in modes)).bit_length() + 2

    def collides(bits: Bits, x: Any) -> Any:
        first, second = x[: len(modes)], x[len(modes) :]
        gap = sum((a - b) * abs(d) for a, b, (_, d) in zip(first, second, modes, strict=True))
        if bits.z3 is None:
            return gap == 0 and first != second
        return bits.z3.And(gap == 0, bits.z3.Or([a != b for a, b in zip(first, second, strict=True)]))

    found = some_point(sizes, width, collides, budget)
    if found is None:
        return None
    first, second = found[: len(modes)], found[len(modes) :]
    return _index(first, modes), _index(second, modes)


def _index(coordinate: Sequence[int], modes: list[tuple[int, int]]) -> int:
    """The index of a coordinate, modes that go down read backwards."""
    index, place = 0, 1
    for x, (n, d) in zip(coordinate, modes, strict=True):
        index, place = index + place * (n - 1 - x if d < 0 else x), place * n
    return index


def is_bijective(x: Any, budget: Budget | None = None) -> bool:
    """Whether a layout, perhaps behind a swizzle, takes [0, size) to itself, each value once.

    >>> is_bijective(ComposedLayout(Swizzle(2, 0, 3), 0, Layout((8, 4), (4, 1))))
    True
    >>> is_bijective(ComposedLayout(Swizzle(1, 0, 2), 0, Layout(5)))
    False
    """
    if isinstance(x, Swizzle):
        return True
    if isinstance(x, Layout):
        return is_bijection(x)
    if not isinstance(x, ComposedLayout):
        raise LayoutError(f"is_bijective: {x!r} is no layout")
    swizzle, layout = _parts(x)
    size, budget = layout.size(), running(budget)
    if not is_injective(layout, budget):
        return False
    if size <= _TABLE:
        return all(0 <= x(i) < size for i in range(size))

    def is_above(bits: Bits, i: Any) -> Any:
        value = value_of(swizzle, x.offset, layout, bits, i)
        return value >= size if bits.z3 is None else bits.z3.UGE(value, size)

    return least(size, _width(swizzle, x.offset, layout), is_above, budget) is None
