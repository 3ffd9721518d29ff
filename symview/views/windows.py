"""A box inside the box of an inner view, and a masked digit of the outer one, as polynomials."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import NamedTuple, assert_never

from symview.answers import AffineView, CaseData, Status
from symview.cases.algebra import Algebra
from symview.logic.polynomial import Poly, minus, plus, times
from symview.logic.sympy_bridge import to_entry
from symview.logic.terms import IntTerm, Term
from symview.view import View
from symview.views.addresses import Axis
from symview.views.boundaries import UNIT, places_of


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

    The `leading` digit is that of all addresses inside, which are below what they are taken modulo. `before` and
    `after` are how many addresses at the ends of the window other windows hide.
    """

    size: Poly
    place: Poly
    low: Poly
    high: Poly
    leading: bool = False
    before: Poly = {}  # noqa: RUF012  never changed
    after: Poly = {}  # noqa: RUF012

    def modulus(self) -> Poly:
        """What addresses are taken modulo."""
        return times(self.size, self.place)

    def start(self) -> Poly:
        """The least valid address."""
        return plus(times(self.low, self.place), self.before)

    def end(self) -> Poly:
        """The address after the valid ones."""
        return minus(times(self.high, self.place), self.after)

    def within(self, finer: Sequence[Window]) -> Window:
        """The window without what windows of finer digits hide at its ends: that of whole blocks of these."""
        before: Poly = {}
        after: Poly = {}
        for w in finer:
            before = plus(before, times(w.low, w.place))
            after = plus(after, times(minus(w.size, w.high), w.place))
        return self._replace(before=before, after=after)


def open_part(inner: View, algebra: Algebra) -> Part:
    """What the mask of an inner view leaves of it."""
    poly = algebra.poly
    bounds = [(poly(a), poly(b)) for a, b in inner.bounds()]
    lows = tuple([low for low, _ in bounds])
    axes = [Axis(minus(high, low), poly(t)) for (low, high), t in zip(bounds, inner.strides, strict=True)]
    start = poly(inner.offset)
    for low, axis in zip(lows, axes, strict=True):
        start = plus(start, times(low, axis.step))
    return Part(lows, tuple(axes), start)


def windows_of(outer: View, algebra: Algebra) -> Iterator[Window]:
    """The masked digits of an outer view."""
    sizes = list(map(algebra.poly, outer.shape))
    places = places_of(sizes)
    for n, (size, (low, high)) in enumerate(zip(sizes, outer.bounds(), strict=True)):
        low, high = algebra.poly(low), algebra.poly(high)
        if low or high != size:
            yield Window(size, places[n], low, high, all(before == UNIT for before in sizes[:n]))


class Said(Enum):
    """What one window says of a part, beside another part that it leaves."""

    ALL = "every index is valid"
    NONE = "no index is valid"
    NO_BOX = "the valid indices are no box"
    OPEN = "not told"


class Outcome(Enum):
    """What else than a box the valid indices are."""

    OUTSIDE = "an address is outside the outer shape"
    NOWHERE = "no index is valid"
    NO_BOX = "the valid indices are no box"
    NO_INDEX = "no index"


class ValidBox(NamedTuple):
    """A box of valid indices as terms: equal ones are one question."""

    lows: tuple[IntTerm, ...]
    sizes: tuple[IntTerm, ...]
    start: IntTerm


def outcome_case(outcome: Outcome, where: Term, inner: View) -> CaseData:
    """The case of values at which the valid indices are this."""
    shape, rank = tuple(map(to_entry, inner.shape)), inner.rank
    match outcome:
        case Outcome.OUTSIDE:
            return CaseData(where, Status.OUT_OF_BOUNDS, reason=outcome.value)
        case Outcome.NO_BOX:
            return CaseData(where, Status.NEVER, reason=outcome.value)
        case Outcome.NO_INDEX:
            return CaseData(where, Status.ALWAYS, view=AffineView(shape, (0,) * rank), reason=outcome.value)
        case Outcome.NOWHERE:
            view = AffineView(shape, (0,) * rank, 0, ((0, 0),) * rank or "empty")
            return CaseData(where, Status.ALWAYS, view=view, reason=outcome.value)
    assert_never(outcome)
