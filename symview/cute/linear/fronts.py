"""One layout in front of another: their normal form on a block, where it is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from symview.cute.errors import LayoutError
from symview.cute.linear.bases import value_of
from symview.cute.linear.layout import LinearLayout
from symview.cute.linear.parities import ParityForm
from symview.cute.linear.readings import Affine, Reading, Strided
from symview.cute.swizzle import Swizzle
from symview.logic.bits import Bits

_PLAIN = Bits()


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
