"""What stands in front of a layout, one after the other: swizzles, layouts, and the offsets between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symview.cute.comparer import need_numbers
from symview.cute.coordinates_behind import in_numbers
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import number_text, whole_number
from symview.cute.layout import Layout, is_layout
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.errors import Undecided
from symview.logic.bits import Bits

TABLE = 1 << 12
_PLAIN = Bits()

Front = tuple[Any, int]


@dataclass(frozen=True, slots=True)
class Chain:
    """The function x ↦ B_1(o_1 + B_2(o_2 + … + layout(x))) of fronts (B_i, o_i), from left to right; of numbers.

    Every B_i takes numbers from 0 on; `chain_of` sees to that.
    """

    fronts: tuple[Front, ...]
    layout: Layout

    def __call__(self, *coordinate: Any) -> int:
        """The value at a coordinate or an index."""
        return self.front(self.layout(*coordinate))  # type: ignore[no-any-return]

    def front(self, y: Any, bits: Bits = _PLAIN) -> Any:
        """What the fronts make of a value of the layout, on integers or bit-vectors."""
        for front, offset in reversed(self.fronts):
            y = y + offset
            y = front.of(bits, y) if isinstance(front, Swizzle) else linear(front, bits, y)
        return y

    def of(self, bits: Bits, x: Any) -> Any:
        """The value at an index, on integers or bit-vectors."""
        return self.front(linear(self.layout, bits, x), bits)

    def modes(self) -> list[tuple[int, int]]:
        """The flat modes of the layout behind."""
        return self.layout.flat()

    def bounds(self) -> list[tuple[int, int]]:
        """The least and the greatest argument of each front, from right to left, and of the result; all may be less."""
        low, high = extent(self.layout)
        found = []
        for front, offset in reversed(self.fronts):
            low, high = low + offset, high + offset
            found.append((low, high))
            if isinstance(front, Swizzle):
                if high >= front.yyy_msk & -front.yyy_msk:  # some bit that is read may be set
                    below = front.zzz_msk.bit_length()
                    if front.shift > 0:  # a bit moves bits below it
                        below = min(below, high.bit_length())
                    low, high = low >> below << below, high | (1 << below) - 1
            else:
                low, high = _image_bounds(front, low, high)
        return [*found, (low, high)]

    def period(self) -> int | None:
        """The m with front(y + m) = front(y) + m for all y: of swizzles; None where a layout is among the fronts."""
        if all(isinstance(front, Swizzle) for front, _ in self.fronts):
            return max([front.size() for front, _ in self.fronts], default=1)
        return None

    def width(self) -> int:
        """Bits in which neither indices, values nor straight lines through them overflow, with one to spare."""
        top = max(max(abs(low), abs(high)) for low, high in self.bounds())
        sizes = [front.size() for front, _ in self.fronts]
        return int(max(top, *sizes, 1) * 2 * self.layout.size()).bit_length() + 2


def linear(layout: Layout, bits: Bits, x: Any) -> Any:
    """The layout's value at an index, on integers or bit-vectors; the last mode extends."""
    modes = layout.flat()
    total: Any = 0
    for n, (size, stride) in enumerate(modes):
        total = total + (x if n == len(modes) - 1 else bits.remainder(x, size)) * stride
        x = bits.divide(x, size)
    return total


def extent(layout: Layout) -> tuple[int, int]:
    """The least and the greatest value of a layout of numbers."""
    reach = [(n - 1) * d for n, d in layout.flat()]
    return sum(r for r in reach if r < 0), sum(r for r in reach if r > 0)


def _image_bounds(layout: Layout, low: int, high: int) -> tuple[int, int]:
    """Bounds of the values at the indices between those, the last mode extended."""
    modes = layout.flat() or [(1, 0)]
    reach = [(n - 1) * d for n, d in modes[:-1]]
    size, step = modes[-1]
    last = [step * (i // (layout.size() // size)) for i in (low, high)]
    return sum(r for r in reach if r < 0) + min(last), sum(r for r in reach if r > 0) + max(last)


def chain_of(x: Any, what: str = "a swizzle") -> Chain:
    """The chain of a layout behind swizzles; LayoutError where a front would be asked below 0."""
    found = Chain(*_chained(x, what))
    for (front, _), (low, _) in zip(reversed(found.fronts), found.bounds(), strict=False):
        if low < 0:
            _need_from_zero(x, found, front, low)
    return found


def _chained(x: Any, what: str) -> tuple[tuple[Front, ...], Layout]:
    x = in_numbers(x)
    if isinstance(x, ComposedLayout):
        whole_number(x.offset, "the offset")
        before, layout = _chained(x.layoutA, what)
        if isinstance(x.layoutB, ComposedLayout):
            outer, last = _chained(x.layoutB, what)
            return (*outer, (last, x.offset), *before), layout
        if is_layout(x.layoutB):
            need_numbers(x.layoutB, what)
        return ((x.layoutB, x.offset), *before), layout
    need_numbers(x, what)
    return (), x


def _need_from_zero(x: Any, chain: Chain, front: Any, low: int) -> None:
    """Raises LayoutError where the argument of a front is below 0."""
    innermost = chain.fronts[-1][0] is front
    if innermost:
        kind = "a swizzle" if isinstance(front, Swizzle) else f"the layout {front} in front"
        raise LayoutError(f"{x}: the layout goes down to {number_text(low)}; {kind} is about numbers from 0 on")
    if chain.layout.size() > TABLE:
        raise Undecided(f"{x}: whether {front} is only asked for numbers from 0 on")
    n = next(n for n, (f, _) in enumerate(chain.fronts) if f is front)
    behind, offset = Chain(chain.fronts[n + 1 :], chain.layout), chain.fronts[n][1]
    index = next((i for i in range(chain.layout.size()) if behind(i) + offset < 0), None)
    if index is not None:
        got = number_text(behind(index) + offset)
        raise LayoutError(f"{x}: at index {index}, {front} is asked for {got}; it is about numbers from 0 on")
