"""Swizzles, which xor some bits of an address with others, and `ComposedLayout`, a layout followed by a function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import repeat
from typing import Any

from symview.cute.basis import coordinate_sum
from symview.cute.coordinate_layouts import CoordinateLayout, in_indices
from symview.cute.errors import LayoutError, no_layout
from symview.cute.int_tuple import IntTuple, entries, has_none, kept_at, like, profile_text, value_at, whole_number
from symview.cute.layout import Layout, LayoutBase, is_layout, made, need_layout
from symview.displayed import number_text
from symview.logic.bits import Bits

MAX_SHIFT = 1 << 20


def shiftr(a: int, s: int) -> int:
    """Shift `a` right by s bits, or left if s is negative."""
    a, s = whole_number(a, "the number"), whole_number(s, "the shift")
    if -s > MAX_SHIFT:
        raise LayoutError(f"a shift to the left by {number_text(-s)} bits is too much: give at most {MAX_SHIFT}")
    return a >> s if s > 0 else a << -s


def shiftl(a: int, s: int) -> int:
    """Shift `a` left by s bits, or right if s is negative."""
    return shiftr(a, -whole_number(s, "the shift"))


@dataclass(frozen=True, slots=True)
class Swizzle:
    """Replaces `bits` bits of a number, from bit `base` on, by their xor with the bits `shift` above them.

    A negative shift reads the bits below them instead. A swizzle is its own inverse on all numbers from 0 on. Raises
    LayoutError unless abs(shift) >= bits, bits >= 0 and base >= 0.

    >>> [Swizzle(1, 0, 2)(x) for x in range(8)]
    [0, 1, 2, 3, 5, 4, 7, 6]
    """

    bits: int
    base: int
    shift: int

    def __post_init__(self) -> None:
        if any(type(x) is not int for x in (self.bits, self.base, self.shift)):
            raise LayoutError(f"Swizzle{(self.bits, self.base, self.shift)}: give integers")
        if max(map(abs, (self.bits, self.base, self.shift))) > MAX_SHIFT:
            raise LayoutError(f"a swizzle of bits beyond bit {MAX_SHIFT}: give bits, base and shift of at most that")
        if self.bits < 0 or self.base < 0 or abs(self.shift) < self.bits:
            raise LayoutError(f"Swizzle{(self.bits, self.base, self.shift)}: needs bits, base >= 0 and |shift| >= bits")

    @property
    def yyy_msk(self) -> int:
        """The mask of the bits that are read."""
        return ((1 << self.bits) - 1) << (self.base + max(0, self.shift))

    @property
    def zzz_msk(self) -> int:
        """The mask of the bits that change."""
        return ((1 << self.bits) - 1) << (self.base - min(0, self.shift))

    def __call__(self, offset: int) -> int:
        """The swizzled number; raises LayoutError for a negative one."""
        offset = whole_number(offset, "the argument of a swizzle")
        if offset < 0:
            raise LayoutError(f"{self} of {number_text(offset)}: give a number from 0 on")
        return self.of(Bits(), offset)  # type: ignore[no-any-return]

    def of(self, bits: Bits, x: Any) -> Any:
        """The swizzled value, on integers or bit-vectors."""
        return x ^ bits.shifted(x & self.yyy_msk, self.shift)

    def size(self) -> int:
        """The period: the swizzle permutes [0, size), and every interval [k·size, (k+1)·size)."""
        return 1 << (self.bits + self.base + abs(self.shift))

    def cosize(self) -> int:
        """Equals the size, since the swizzle permutes [0, size)."""
        return self.size()

    def __str__(self) -> str:
        return f"Sw<{self.bits},{self.base},{self.shift}>"  # as CuTe prints it in C++

    def __repr__(self) -> str:
        return f"Swizzle({self.bits},{self.base},{self.shift})"


def coordinates_of(x: Any) -> IntTuple | None:
    """A zero coordinate nested as the layout's values are, or None if its values are numbers."""
    if isinstance(x, ComposedLayout):
        return coordinates_of(x.layoutB)
    return x.profile() if isinstance(x, CoordinateLayout) else None


@dataclass(frozen=True, slots=True, repr=False)
class ComposedLayout(LayoutBase):
    """The function x ↦ layoutB(offset + layoutA(x)), where layoutB is a swizzle or a layout.

    layoutA may itself be a ComposedLayout; other arguments raise LayoutError. If the values of layoutA are coordinates,
    the offset is a coordinate or 0, and layoutB has to accept coordinates.

    Source: `ComposedLayout` of CuTe's `layout_composed.hpp`.

    >>> from symview.cute import make_identity_layout
    >>> print(ComposedLayout(Swizzle(1, 0, 2), 0, Layout(8)))
    Sw<1,0,2> o 0 o 8:1
    >>> moved = ComposedLayout(Layout((4, 8)), (1, 2), make_identity_layout((2, 2)))
    >>> print(moved, moved(1, 1))
    (4,8):(1,4) o (1,2) o (2,2):(1@0,1@1) 14
    """

    layoutB: Any  # noqa: N815
    offset: Any
    layoutA: Any  # noqa: N815

    def __post_init__(self) -> None:
        if not is_layout(self.layoutB) and not isinstance(self.layoutB, Swizzle):
            raise LayoutError(f"ComposedLayout: {self.layoutB!r} is neither a swizzle nor a layout")
        if not is_layout(self.layoutA):
            raise no_layout("ComposedLayout", self.layoutA)
        offset, inner = entries(self.offset, "the offset"), coordinates_of(self.layoutA)
        if inner is not None:
            self._need_coordinates(inner, offset)
        elif isinstance(offset, tuple):
            raise LayoutError(
                f"ComposedLayout: the offset {profile_text(offset)} is a tuple, and the values of {self.layoutA} are"
                " numbers: give an integer"
            )
        object.__setattr__(self, "offset", offset)

    def _need_coordinates(self, profile: IntTuple, offset: IntTuple) -> None:
        """Raises LayoutError unless layoutB accepts coordinates of this nesting."""
        front = first = self.layoutB
        while isinstance(first, ComposedLayout):
            first = first.layoutA
        if not isinstance(first, Layout | CoordinateLayout):
            values = f"the values of {self.layoutA} are coordinates"
            raise LayoutError(f"ComposedLayout: {values}, and {front} takes numbers")
        if not isinstance(offset, tuple) and offset != 0:
            raise LayoutError(f"ComposedLayout: the offset {offset} is a number, not a coordinate: give one, or 0")
        front(coordinate_sum(offset, profile))

    @property
    def inner(self) -> Any:
        """layoutB, under the DSL's name."""
        return self.layoutB

    @property
    def outer(self) -> Any:
        """layoutA, under the DSL's name."""
        return self.layoutA

    @property
    def shape(self) -> IntTuple:
        """The shape of layoutA."""
        return self.layoutA.shape

    @property
    def stride(self) -> Any:
        """Raises AttributeError: a composed layout has no strides."""
        raise AttributeError(f"{self} has no strides; see layoutA.stride, and as_layout for its own, if any")

    def __call__(self, *args: Any) -> Any:
        """The value at a coordinate or an index; a coordinate with None gives the sublayout of these free modes.

        The sublayout includes the offset of the fixed coordinates. `slice_` turns it into a plain layout if it is one.

        >>> tile = ComposedLayout(Swizzle(1, 0, 2), 0, Layout((4, 2)))
        >>> print(tile(1, 1), tile(None, 0), tile(None, 1))
        4 Sw<1,0,2> o 0 o (4):(1) Sw<1,0,2> o 4 o (4):(1)
        """
        coordinate = args[0] if len(args) == 1 else args
        if has_none(coordinate):
            return kept_modes(self, entries(coordinate, "the coordinate", none=True))[0]
        inner = self.layoutA(coordinate)
        whole = coordinate_sum(self.offset, inner) if isinstance(inner, tuple) else self.offset + inner
        return self.layoutB(whole)

    def __getitem__(self, i: Any) -> Any:
        return self(i) if has_none(i) else ComposedLayout(self.layoutB, self.offset, self.layoutA[i])

    def symbols(self) -> dict[str, Any]:
        """All symbols of layoutA, layoutB and the offset, by name."""
        found = [x.symbols() for x in (self.layoutA, self.layoutB) if isinstance(x, Layout | ComposedLayout)]
        return {name: symbol for part in (*found, self._moved().symbols()) for name, symbol in part.items()}

    def with_values(self, values: Mapping[str, int]) -> ComposedLayout:
        """Substitutes numbers for all symbols, by name."""
        parts = (self.layoutB, self._moved(), self.layoutA)
        front, moved, inner = (x.with_values(values) if isinstance(x, Layout | ComposedLayout) else x for x in parts)
        return ComposedLayout(front, moved.stride, inner)

    def _moved(self) -> Layout:
        """The offset, stored as the stride of a layout."""
        return Layout(like(self.offset, repeat(1)), self.offset)

    def size(self) -> Any:
        """The size of layoutA."""
        return self.layoutA.size()

    def cosize(self) -> Any:
        """The cosize of layoutA, as in C++: the number of elements allocated for it; see `span`."""
        return self.layoutA.cosize()

    def __str__(self) -> str:
        return f"{self.layoutB} o {profile_text(self.offset)} o {self.layoutA}"

    def __repr__(self) -> str:
        return f"ComposedLayout({self.layoutB!r},{self.offset!r},{self.layoutA!r})"


def kept_modes(x: Any, coordinate: Any) -> tuple[Any, Any]:
    """The sublayout of the modes where the coordinate has None, and the value that the fixed modes add.

    A ComposedLayout adds that value to its own offset, and returns 0 in its place.
    """
    if isinstance(x, ComposedLayout):
        layout, offset = kept_modes(x.layoutA, coordinate)
        return ComposedLayout(x.layoutB, coordinate_sum(x.offset, offset), layout), 0
    if isinstance(x, CoordinateLayout):
        return x.coded(lambda coded: kept_modes(coded, coordinate))  # type: ignore[no-any-return]
    layout = need_layout(x, "a slice")
    kept = made(kept_at(coordinate, layout.shape), kept_at(coordinate, layout.stride), layout.numeric)
    return kept, value_at(coordinate, layout.shape, layout.stride)


def in_numbers(x: Any) -> Any:
    """Rewrites a ComposedLayout whose inner values are coordinates as one on indices, with the same values; else
    returns x.

    Raises LayoutError for symbols, and if a coordinate is negative.

    >>> from symview.cute.basis import E
    >>> print(in_numbers(ComposedLayout(Layout((4, 8), (8, 1)), (1, 2), CoordinateLayout((2, 4), (E(0), 2 * E(1))))))
    (4,9):(8,1) o 9 o (2,4):(1,8)
    """
    if not isinstance(x, ComposedLayout):
        return x
    front, inner = x.layoutB, x.layoutA
    if isinstance(inner, ComposedLayout) and isinstance(inner.layoutB, CoordinateLayout):
        return in_numbers(ComposedLayout(_merged(front, x.offset, inner.layoutB), inner.offset, inner.layoutA))
    if isinstance(inner, CoordinateLayout):
        return _merged(front, x.offset, inner)
    return x


def _merged(front: Any, offset: Any, layout: CoordinateLayout) -> Any:
    """The function front(offset + layout(·)) over indices in place of coordinates."""
    if isinstance(front, ComposedLayout):
        inner = _merged(front.layoutA, offset, layout)
        return ComposedLayout(front.layoutB, front.offset, inner)
    if not isinstance(front, Layout):  # a layout of coordinates, whose values are coordinates
        return ComposedLayout(front, offset, layout)
    longer, start, indices = in_indices(front, layout, offset)
    return ComposedLayout(longer, start, indices)
