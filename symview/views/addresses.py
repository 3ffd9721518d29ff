"""The addresses of an inner view as polynomials: whether they stay inside, their quotients by place values, masks.

A `Part` is a box inside the box of an inner view. A `Window` is a masked digit of the outer view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import reduce
from itertools import chain, combinations
from typing import NamedTuple, TypeAlias, TypeVar, assert_never

from symview.answers import AffineView, CaseData, Status
from symview.cases.algebra import Algebra, quotient_of
from symview.cases.equations import equation
from symview.errors import Undecided
from symview.logic.entailment import Entailment
from symview.logic.polynomial import ONE, Poly, minus, over, plus, quotient, times
from symview.logic.sympy_bridge import to_entry
from symview.logic.terms import FALSE, TRUE, IntTerm, Term, conj, disj, num
from symview.view import View

Item = TypeVar("Item")
Divide: TypeAlias = Callable[[Poly, Poly, Entailment], tuple[Poly, Poly]]  # quotient and remainder
UNIT: Poly = {ONE: 1}
_MOST_LOOSE = 8  # strides of unknown sign: all their 2^8 sign patterns are compared with the bounds


def product_of(sizes: Sequence[Poly]) -> Poly:
    """The product of the sizes; 1 if there are none."""
    return reduce(times, sizes, UNIT)


def places_of(sizes: Sequence[Poly]) -> list[Poly]:
    """The row-major place value of each dim."""
    return [product_of(sizes[n + 1 :]) for n in range(len(sizes))]


class Axis(NamedTuple):
    """One axis of the inner view."""

    size: Poly
    step: Poly

    def reach(self) -> Poly:
        """How far the last index of the axis moves the address."""
        return times(minus(self.size, UNIT), self.step)


def inside(axes: Sequence[Axis], start: Poly, size: Poly, algebra: Algebra, known: Entailment) -> Term:
    """The formula that every corner of the box has an address from 0 to size − 1.

    Raises Undecided if the signs of too many strides are unknown.
    """
    rising = [a for a in axes if known.implies(Term(">=", (algebra.term(a.step), num(0))))]
    others = [a for a in axes if a not in rising]
    if len(others) > _MOST_LOOSE:
        raise Undecided(f"the signs of {len(others)} strides are not known: assume some of them")
    top = start
    for a in rising:
        top = plus(top, a.reach())
    parts = []
    for chosen in subsets(others):
        low, high = start, top
        for a in chosen:
            low, high = plus(low, a.reach()), plus(high, a.reach())
        parts += [algebra.at_most({}, low), algebra.at_most(high, minus(size, {ONE: 1}))]
    return conj(dict.fromkeys(parts))


def divided(p: Poly, place: Poly, algebra: Algebra, known: Entailment) -> tuple[Poly, Poly]:
    """Quotient and remainder by a place value: read off the polynomial where that is proved right, else new variables.

    >>> from symview.logic.notation import parse_statement
    >>> known = Entailment([parse_statement("n > 0")])
    >>> divided({("m", "n"): 2, ("n",): -1}, {("n",): 2}, Algebra("n", "mn"), known)  # 2mn − n = (m − 1)·2n + n
    ({('m',): 1, (): -1}, {('n',): 1})
    """
    whole, rest = split_by(p, place)
    for more in (0, 1, -1):
        moved = plus(rest, place, more)
        if not moved or _is_within(moved, place, algebra, known):
            return plus(whole, {ONE: 1}, -more), moved
    for block in _blocks(rest, place):  # d·x + r by d·y, with 0 <= r < d: as x by y
        many, last = split_by(rest, block)
        if last and _is_within(last, block, algebra, known):
            blocks, left = divided(many, quotient(place, block), algebra, known)
            return plus(whole, blocks), plus(times(block, left), last)
    return plus(whole, _named("//", rest, place, algebra)), _named("%", rest, place, algebra)


def _blocks(p: Poly, place: Poly) -> Iterator[Poly]:
    """Monomials that a place value shares with the monomials of p, other than itself."""
    if len(place) == 1:
        (whole,) = place
        for m in p:
            shared = tuple([name for k, name in enumerate(whole) if m.count(name) > whole[:k].count(name)])
            if shared and {shared: 1} != place:
                yield {shared: 1}


def _is_within(p: Poly, place: Poly, algebra: Algebra, known: Entailment) -> bool:
    if p == {ONE: 1} and Term("!=", (algebra.term(place), num(1))) in known.said and algebra.is_positive(place):
        return True  # 1 is below every positive number other than 1
    return known.implies(algebra.below(p, place) if algebra.is_at_least(p) else algebra.within(p, place))


def _named(op: str, p: Poly, place: Poly, algebra: Algebra) -> Poly:
    """The quotient or remainder as a new variable; factors that p and the place value share are cancelled first."""
    top, bottom = quotient_of(p, place)
    shared = quotient(place, bottom)
    if times(shared, bottom) != place or not algebra.is_positive(shared):
        top, bottom, shared = p, place, {ONE: 1}
    found = algebra.poly_of(Term(op, (algebra.term(top), algebra.term(bottom))))
    return found if op == "//" else times(found, shared)


def split_by(p: Poly, place: Poly) -> tuple[Poly, Poly]:
    """Splits p into (quotient, rest): the quotient has the monomials that the place value divides.

    >>> split_by({("n",): 3, ("i",): 1}, {("n",): 2})
    ({(): 1}, {('n',): 1, ('i',): 1})
    """
    if len(place) != 1:
        found = quotient(p, place)
        return found, minus(p, times(found, place))
    ((by, scale),) = place.items()
    whole: Poly = {}
    rest: Poly = {}
    for m, c in p.items():
        part = over(m, by)
        if part is None:
            rest[m] = c
        else:
            whole = plus(whole, {part: c // scale} if c // scale else {})
            rest = plus(rest, {m: c % scale} if c % scale else {})
    return whole, rest


def subsets(items: Sequence[Item]) -> Iterator[tuple[Item, ...]]:
    """All subsets of the items, smaller ones first."""
    return chain.from_iterable(combinations(items, n) for n in range(len(items) + 1))


def at_most_two(axes: Sequence[Axis], algebra: Algebra) -> tuple[Term, ...]:
    """Equations that leave at most two addresses, of neighbours along one axis; 1 = 0 if no equations can.

    Any set of so few indices is a box, and any function on it is affine.
    """
    moving = [(a, alone) for a in axes if (alone := times(minus(a.size, UNIT), a.step))]
    for one, _ in moving:
        forms = [times(floor_of(one.size, 3, algebra), one.step), *(alone for a, alone in moving if a is not one)]
        if all(map(algebra.zero, forms)):
            return tuple([_equation(f, algebra) for f in forms if f])
    return () if not moving else (Term("==", (num(1), num(0))),)


def floor_of(p: Poly, by: int, algebra: Algebra) -> Poly:
    """The quotient by a positive number, rounded down."""
    if set(p) <= {ONE}:
        return algebra.poly(p.get(ONE, 0) // by)
    return algebra.poly_of(Term("//", (algebra.term(p), num(by))))


def _equation(form: Poly, algebra: Algebra) -> Term:
    literals = algebra.zero(form)
    return literals[0] if len(literals) == 1 else equation(form)


class Part(NamedTuple):
    """A box inside the box of an inner view: its low corner, its axes, and the address of the low corner."""

    lows: tuple[Poly, ...]
    axes: tuple[Axis, ...]
    start: Poly

    def cut(self, axis: int, first: Poly, count: Poly) -> Part:
        """The part with `count` indices of an axis, starting at the one numbered `first`."""
        lows, axes = list(self.lows), list(self.axes)
        lows[axis] = plus(lows[axis], first)
        axes[axis] = Axis(count, axes[axis].step)
        return Part(tuple(lows), tuple(axes), plus(self.start, times(first, axes[axis].step)))


def in_whole_shape(
    inner: View, bounds: Sequence[tuple[Poly, Poly]], steps: Sequence[IntTerm], start: IntTerm, algebra: Algebra
) -> AffineView:
    """The view of the box within these bounds, written in the coordinates of the inner view's whole shape."""
    offset = algebra.poly(start)
    for (low, _), step in zip(bounds, steps, strict=True):
        offset = minus(offset, times(low, algebra.poly(step)))
    whole = all(not low and high == algebra.poly(n) for (low, high), n in zip(bounds, inner.shape, strict=True))
    mask = None if whole else tuple([(algebra.entry(low), algebra.entry(high)) for low, high in bounds])
    return AffineView(tuple(map(to_entry, inner.shape)), tuple(steps), algebra.entry(offset), mask)


class Window(NamedTuple):
    """A masked digit of a dim: `size` and place value of the dim; digits from `low` to before `high` are valid.

    The `leading` digit is the slowest one: addresses in bounds never wrap around it. `before` and `after` count the
    addresses at the two ends of the window that the windows of finer digits mask.
    """

    size: Poly
    place: Poly
    low: Poly
    high: Poly
    leading: bool = False
    before: Poly = {}  # noqa: RUF012  never changed
    after: Poly = {}  # noqa: RUF012

    def modulus(self) -> Poly:
        """The number of addresses after which the window repeats."""
        return times(self.size, self.place)

    def start(self) -> Poly:
        """The least valid address."""
        return plus(times(self.low, self.place), self.before)

    def end(self) -> Poly:
        """One more than the last valid address."""
        return minus(times(self.high, self.place), self.after)

    def within(self, finer: Sequence[Window]) -> Window:
        """The window without what the windows of finer digits mask at its ends: whole blocks of these are left."""
        before: Poly = {}
        after: Poly = {}
        for w in finer:
            before = plus(before, times(w.low, w.place))
            after = plus(after, times(minus(w.size, w.high), w.place))
        return self._replace(before=before, after=after)


def open_part(inner: View, algebra: Algebra) -> Part:
    """The box of indices that the inner view's own mask allows."""
    poly = algebra.poly
    bounds = [(poly(a), poly(b)) for a, b in inner.bounds()]
    lows = tuple([low for low, _ in bounds])
    axes = [Axis(minus(high, low), poly(t)) for (low, high), t in zip(bounds, inner.strides, strict=True)]
    start = poly(inner.offset)
    for low, axis in zip(lows, axes, strict=True):
        start = plus(start, times(low, axis.step))
    return Part(lows, tuple(axes), start)


def stays(outer: View, inner: View, algebra: Algebra, known: Entailment) -> Term:
    """The formula that every index allowed by the inner mask has an address of the outer shape, if there is one."""
    if inner.is_void():
        return TRUE
    _, axes, start = open_part(inner, algebra)
    size = product_of([algebra.poly(n) for n in outer.shape])
    within = inside([a for a in axes if a.size != UNIT], start, size, algebra, known)
    return disj([within, *(p for a in axes if (p := algebra.at_most(a.size, {})) != FALSE)])


def windows_of(outer: View, algebra: Algebra) -> Iterator[Window]:
    """The masked digits of an outer view."""
    sizes = list(map(algebra.poly, outer.shape))
    places = places_of(sizes)
    for n, (size, (low, high)) in enumerate(zip(sizes, outer.bounds(), strict=True)):
        low, high = algebra.poly(low), algebra.poly(high)
        if low or high != size:
            yield Window(size, places[n], low, high, all(before == UNIT for before in sizes[:n]))


class Effect(Enum):
    """How one window affects a part, if it does not cut it down to another part."""

    ALL = "every index is valid"
    NONE = "no index is valid"
    NO_BOX = "the valid indices are not a box"
    OPEN = "open"


class Outcome(Enum):
    """The form of the valid indices if they are not a box of at least one index."""

    OUTSIDE = "an address is outside the outer shape"
    NOWHERE = "no index is valid"
    NO_BOX = "the valid indices are not a box"
    NO_INDEX = "no index"


class ValidBox(NamedTuple):
    """A box of valid indices, as terms, so that equal boxes are decided once."""

    lows: tuple[IntTerm, ...]
    sizes: tuple[IntTerm, ...]
    start: IntTerm


def outcome_case(outcome: Outcome, where: Term, inner: View) -> CaseData:
    """The case of the values at which the valid indices have this outcome."""
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
