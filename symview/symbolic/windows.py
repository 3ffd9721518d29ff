"""A box inside the box of an inner view, and a masked digit of the outer one, as polynomials."""

from __future__ import annotations

from typing import NamedTuple

from symview.logic.polynomial import Poly, plus, times
from symview.logic.terms import IntTerm
from symview.symbolic.addresses import Axis


class Part(NamedTuple):
    """A box inside the box of an inner view: its low corner, its axes, and the address of the low corner."""

    lows: tuple[Poly, ...]
    axes: tuple[Axis, ...]
    start: Poly

    def cut(self, axis: int, first: Poly, count: Poly) -> Part:
        """The part with `count` indices of an axis from the one numbered `first` on."""
        lows, axes = list(self.lows), list(self.axes)
        lows[axis] = plus(lows[axis], first)
        axes[axis] = Axis(count, axes[axis].step)
        return Part(tuple(lows), tuple(axes), plus(self.start, times(first, axes[axis].step)))


class Window(NamedTuple):
    """A masked digit, of a dim of `size` at a place value: valid from `low` to before `high`.

    The `leading` digit is that of all addresses inside, which are below what they are taken modulo.
    """

    size: Poly
    place: Poly
    low: Poly
    high: Poly
    leading: bool = False

    def modulus(self) -> Poly:
        """What addresses are taken modulo."""
        return times(self.size, self.place)

    def start(self) -> Poly:
        """The least valid address."""
        return times(self.low, self.place)

    def end(self) -> Poly:
        """The address after the valid ones."""
        return times(self.high, self.place)


class ValidBox(NamedTuple):
    """A box of valid indices as terms: equal ones are one question."""

    lows: tuple[IntTerm, ...]
    sizes: tuple[IntTerm, ...]
    start: IntTerm
