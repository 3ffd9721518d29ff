"""How each kind of layout is read: its value at an index, and its normal form on a block of 2^q indices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Protocol

from symview.cute.errors import LayoutError
from symview.cute.int_tuple import whole_number
from symview.cute.layout import Layout
from symview.cute.linear.bases import value_of
from symview.cute.linear.layout import LinearLayout
from symview.cute.linear.parities import ParityForm
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.errors import SymbolError
from symview.logic.bits import Bits
from symview.view import View

_PLAIN = Bits()


class Reading(Protocol):
    """A function of an index in [0, size)."""

    @property
    def size(self) -> int:
        """How many indices there are."""
        ...

    def at(self, x: int) -> Any:
        """The value at an index."""
        ...

    def form(self, x: int, q: int) -> ParityForm | None:
        """T ↦ the value at x + t for t in [0, 2^q), where that is known to have a normal form; with q = 0 it has."""
        ...

    def on_bits(self, bits: Bits, x: Any) -> Any:
        """The value at an index, on integers or bit-vectors."""
        ...

    def bound(self) -> int:
        """No value, and nothing on the way to it, is above this in size."""
        ...


@dataclass(frozen=True, slots=True)
class Strided:
    """offset + Σ digit·stride, the first mode fastest; the last goes on beyond its size."""

    modes: tuple[tuple[int, Any], ...]
    offset: Any = 0

    @property
    def size(self) -> int:
        """How many indices there are."""
        return prod(n for n, _ in self.modes)

    def at(self, x: int) -> Any:
        """The value at an index."""
        value = self.offset
        for n, d in self.modes[:-1]:
            value += x % n * d
            x //= n
        return value + x * self.modes[-1][1] if self.modes else value

    def form(self, x: int, q: int) -> ParityForm | None:
        """The normal form on a block, where it has one."""
        steps: list[Any] = []
        offset, last = self.at(x), len(self.modes) - 1
        for j, (n, d) in enumerate(self.modes):
            digit, left = x % n, q - len(steps)
            if j == last or digit + (1 << left) <= n:
                steps += [d * (1 << i) for i in range(left)]
                break
            if digit or n & (n - 1):
                return None
            steps += [d * (1 << i) for i in range(n.bit_length() - 1)]
            x //= n
        return ParityForm.strided(offset, steps)

    def on_bits(self, bits: Bits, x: Any) -> Any:
        """The value at an index, on integers or bit-vectors."""
        total: Any = self.offset
        for n, d in self.modes[:-1]:
            total = total + bits.remainder(x, n) * d
            x = bits.divide(x, n)
        return total + x * self.modes[-1][1] if self.modes else x * 0 + total

    def bound(self) -> int:
        """No value, and nothing on the way to it, is above this in size."""
        return int(abs(self.offset) + sum(self.size * abs(d) for _, d in self.modes))

    def least(self) -> Any:
        """The smallest value."""
        return self.offset + sum((n - 1) * min(d, 0) for n, d in self.modes)


@dataclass(frozen=True, slots=True)
class Affine:
    """x ↦ the constant xored with the columns at the bits of start + x, for x below the size."""

    constant: int
    columns: tuple[int, ...]
    size: int
    start: int = 0

    @staticmethod
    def of(layout: LinearLayout) -> Affine:
        """The linear layout, read by its index."""
        return Affine(layout.constant, layout.columns, layout.size())

    def at(self, x: int) -> int:
        """The value at an index."""
        return self.constant ^ value_of(self.columns, self.start + x)

    def form(self, x: int, q: int) -> ParityForm | None:
        """The normal form on a block, where it has one."""
        if (self.start + x) % (1 << q):
            return None
        return ParityForm.affine(self.at(x), self.columns[:q])

    def on_bits(self, bits: Bits, x: Any) -> Any:
        """The value at an index, on integers or bit-vectors."""
        x = x + self.start
        total = x * 0 + self.constant
        for i, column in enumerate(self.columns):
            total = total ^ ((bits.shifted(x, i) & 1) * column)
        return total

    def bound(self) -> int:
        """No value, and nothing on the way to it, is above this in size."""
        return max(1 << max(x.bit_length() for x in (self.constant, *self.columns)), self.start + self.size)


class Front(Protocol):
    """What stands in front of a layout and takes its values."""

    def of(self, bits: Bits, x: Any) -> Any:
        """The value, on integers or bit-vectors."""
        ...

    def form(self, constant: int, bases: Sequence[int]) -> ParityForm | None:
        """The normal form on the values constant ⊕ the bases at the bits of t, where one is known."""
        ...

    def form_of(self, inside: ParityForm, q: int) -> ParityForm | None:
        """The same on the values of a form that is not affine."""
        ...

    def bound(self, top: int) -> int:
        """No value, and nothing on the way to it, is above this in size."""
        ...


@dataclass(frozen=True, slots=True)
class XorFront:
    """A swizzle or a linear layout in front."""

    map: Swizzle | LinearLayout

    def of(self, bits: Bits, x: Any) -> Any:
        """The value, on integers or bit-vectors."""
        if bits.z3 is None:
            self._need_inside([x])
            return self._of(x)
        return self.map.of(bits, x) if isinstance(self.map, Swizzle) else Affine.of(self.map).on_bits(bits, x)

    def _of(self, x: int) -> int:
        if isinstance(self.map, Swizzle):
            return self.map.of(_PLAIN, x)  # type: ignore[no-any-return]
        return self.map.constant ^ value_of(self.map.columns, x)

    def form(self, constant: int, bases: Sequence[int]) -> ParityForm:
        """The normal form on a block, where it has one."""
        self._need_inside([constant, *bases])
        return ParityForm.affine(*affine_through(self._of, constant, bases))

    def form_of(self, inside: ParityForm, q: int) -> ParityForm | None:
        """On values that are affine in the bits that a swizzle moves: above them, it changes nothing."""
        if not isinstance(self.map, Swizzle):
            return None
        low = inside.as_affine(q, self.map.size().bit_length() - 1)
        if low is None:
            return None
        return inside.minus(ParityForm.affine(*low).minus(ParityForm.affine(*affine_through(self._of, *low))))

    def _need_inside(self, reached: Sequence[int]) -> None:
        """Each of the bits is set in some value of what stands behind."""
        for x in reached:
            if x < 0:
                raise LayoutError(f"{self.map}: the layout behind has values below 0")
            if isinstance(self.map, LinearLayout) and x >= self.map.size():
                raise LayoutError(f"{self.map}: the layout behind has values from {self.map.size()} on")

    def bound(self, top: int) -> int:
        """No value, and nothing on the way to it, is above this in size."""
        own = self.map.size() if isinstance(self.map, Swizzle) else Affine.of(self.map).bound()
        return max(own, 1 << top.bit_length())


def affine_through(f: Callable[[int], int], constant: int, bases: Sequence[int]) -> tuple[int, list[int]]:
    """Constant and bases of f ∘ (constant ⊕ bases) where f is affine."""
    zero = f(0)
    return f(constant), [f(base) ^ zero for base in bases]


@dataclass(frozen=True, slots=True)
class StridedFront:
    """A layout in front."""

    layout: Strided

    def of(self, bits: Bits, x: Any) -> Any:
        """The value, on integers or bit-vectors."""
        if bits.z3 is None and x < 0:
            raise LayoutError(f"{_text(self.layout)}: the layout behind has values below 0")
        return self.layout.on_bits(bits, x)

    def form(self, constant: int, bases: Sequence[int]) -> ParityForm | None:
        """The normal form on a block, where it has one."""
        width = max(x.bit_length() for x in (constant, *bases))
        if min(constant, *bases, 0) < 0:
            raise LayoutError(f"{_text(self.layout)}: the layout behind has values below 0")
        own = self.layout.form(0, width)
        return None if own is None else own.through(constant, bases)

    def form_of(self, inside: ParityForm, q: int) -> ParityForm | None:
        """None is known."""
        return None

    def bound(self, top: int) -> int:
        """No value, and nothing on the way to it, is above this in size."""
        return int(abs(self.layout.offset) + sum((top + 1) * abs(d) for _, d in self.layout.modes))


def _text(layout: Strided) -> str:
    sizes, strides = ([str(mode[k]) for mode in layout.modes] for k in (0, 1))
    return f"({','.join(sizes)}):({','.join(strides)})"


@dataclass(frozen=True, slots=True)
class Composed:
    """front(offset + behind(x))."""

    front: Front
    offset: int
    behind: Reading

    @property
    def size(self) -> int:
        """How many indices there are."""
        return self.behind.size

    def at(self, x: int) -> Any:
        """The value at an index."""
        return self.front.of(_PLAIN, self.offset + self.behind.at(x))

    def form(self, x: int, q: int) -> ParityForm | None:
        """The normal form on a block, where it has one."""
        own = self.behind.form(x, q)
        if own is None:
            return None
        inside = own.plus(self.offset)
        affine = inside.as_affine(q)
        return self.front.form_of(inside, q) if affine is None else self.front.form(*affine)

    def on_bits(self, bits: Bits, x: Any) -> Any:
        """The value at an index, on integers or bit-vectors."""
        return self.front.of(bits, self.behind.on_bits(bits, x) + self.offset)

    def bound(self) -> int:
        """No value, and nothing on the way to it, is above this in size."""
        top = self.behind.bound() + abs(self.offset)
        return max(top, self.front.bound(top))


def composed(front: Front, offset: int, behind: Reading) -> Composed:
    """front(offset + behind(x)), the offset told once where a layout stands behind."""
    if isinstance(behind, Strided):
        return Composed(front, 0, Strided(behind.modes, behind.offset + offset))
    return Composed(front, offset, behind)


def blocks(origin: int, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """[begin, end) in blocks [x, x + 2^q), each with origin + x a multiple of 2^q: at most two of each q.

    >>> list(blocks(0, 0, 6)), list(blocks(3, 0, 6))
    ([(0, 2), (4, 1)], [(0, 0), (1, 2), (5, 0)])
    """
    x = begin
    while x < end:
        place = origin + x
        q = (end - x).bit_length() - 1
        if place:
            q = min(q, (place & -place).bit_length() - 1)
        yield x, q
        x += 1 << q


def reading(x: Any, what: str, symbols: bool = False) -> Reading:
    """How a layout of one of the kinds is read, by its index: row-major for a View, else the first mode fastest.

    `symbols`: strides and the offset may have some, but for what stands behind. Raises LayoutError for anything else,
    and for masks; SymbolError for symbols.
    """
    if isinstance(x, LinearLayout):
        return Affine.of(x)
    if isinstance(x, Swizzle):
        return Composed(XorFront(x), 0, Strided(((x.size(), 1),)))
    if isinstance(x, View):
        if is_masked(x):
            raise LayoutError(f"{what}: {x} has a mask; symview.equivalent compares masked views")
        if not symbols:
            need_number(x.offset, f"{what}: the offset")
        return Strided(_modes(zip(x.shape[::-1], x.strides[::-1], strict=True), what, symbols), x.offset)
    if isinstance(x, Layout):
        return Strided(_modes(x.flat(), what, symbols))
    if isinstance(x, ComposedLayout):
        whole_number(x.offset, f"{what}: the offset")
        behind, front = reading(x.layoutA, what), x.layoutB
        if isinstance(front, Layout):
            return composed(StridedFront(Strided(_modes(front.flat(), what, symbols))), x.offset, behind)
        if not isinstance(front, Swizzle | LinearLayout):
            raise LayoutError(f"{what}: {front} stands in front; give a swizzle, a linear layout or a layout there")
        if isinstance(behind, Strided) and (low := behind.least() + x.offset) < 0:
            raise LayoutError(f"{what}: {x}: the layout goes down to {low}; {front} is about numbers from 0 on")
        return composed(XorFront(front), x.offset, behind)
    raise LayoutError(f"{what}: {x!r} is no layout: give a Layout, a View, a swizzled or a linear layout")


def is_masked(view: View) -> bool:
    """Whether the view hides an index that its shape has."""
    if view.mask is None:
        return False
    for x in () if view.mask == "empty" else [*view.shape, *[x for pair in view.mask for x in pair]]:
        need_number(x, f"a mask or size of {view}")
    return view.mask == "empty" or any(a > 0 or b < n for (a, b), n in zip(view.mask, view.shape, strict=True))


def need_number(x: Any, what: str) -> None:
    """SymbolError for a symbol."""
    if type(x) is not int:
        raise SymbolError(f"{what} is {x}: numbers are needed, put in values for the symbols")


def _modes(given: Iterable[tuple[Any, Any]], what: str, symbols: bool) -> tuple[tuple[int, Any], ...]:
    """The modes without those of size 1, each with those joined that continue it."""
    found: list[tuple[int, Any]] = []
    for n, d in given:
        need_number(n, f"{what}: a size")
        if not symbols:
            need_number(d, f"{what}: a stride")
        if n == 1:
            continue
        if found and d == found[-1][0] * found[-1][1]:
            found[-1] = (found[-1][0] * n, found[-1][1])
        else:
            found.append((n, d))
    return tuple(found)
