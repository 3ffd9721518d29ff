"""Formulas about unknown strides: a box stays inside, certain boundaries overflow, digits of addresses."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import combinations, product
from math import prod
from typing import NamedTuple

from symview.cases.case_builder import CaseBuilder
from symview.cases.equations import combine
from symview.cases.table import Point
from symview.engine.index_map import Affine, Range
from symview.engine.overflow_space import Space
from symview.engine.radix import place_values
from symview.engine.row_space import Row, RowSpace
from symview.logic.polynomial import Poly
from symview.logic.terms import FALSE, TRUE, IntTerm, Term, between, conj, disj, linear, num, total
from symview.views.stride_unknowns import OpenMap, sides

Show = Callable[[Affine], Term]  # renders an affine form of the unknowns as a term over names
_MOST_INDICES = 24  # indices that a formula may enumerate


def stays(box: OpenMap, size: int, show: Show, negate: bool = False) -> Term:
    """The formula that all addresses of the box are in 0..size−1, or its negation, without what the ranges imply.

    >>> from symview.logic.sympy_bridge import to_text
    >>> from symview.logic.terms import sym
    >>> box = OpenMap((3,), (Affine((1,), 0),), Affine((0,), 4), ((None, None),))
    >>> [to_text(stays(box, 12, lambda form: linear([(form.weights[0], sym("t"))]), no)) for no in (False, True)]
    ['t >= -2 and t <= 3', 't < -2 or t > 3']
    """
    found = sides(box, size)
    if found is None:
        return _by_extremes(box, size, show, negate)
    if any(side.is_number() for side in found):  # a negative constant: the box is never inside
        return TRUE if negate else FALSE
    bands: dict[Row, list[int | None]] = {}
    for weights, constant in found:
        flip = next(w for w in reversed(weights) if w) < 0
        band = bands.setdefault(tuple([-w for w in weights]) if flip else weights, [None, None])
        band[flip] = constant if flip else -constant
    parts = [
        part
        for weights, (low, high) in bands.items()
        for part in (_beyond if negate else _within)(Affine(weights, 0), low, high, box.ranges, show)
    ]
    return disj(parts) if negate else conj(parts)


def _within(form: Affine, low: int | None, high: int | None, ranges: Sequence[Range], show: Show) -> list[Term]:
    """Conjuncts of low <= form <= high; a bound that is an end of the ranges becomes an equation."""
    least, most = form.least(ranges), form.most(ranges)
    if low is None and high == least:
        low = high
    elif high is None and low == most:
        high = low
    return between(show(form), low, high)


def _beyond(form: Affine, low: int | None, high: int | None, ranges: Sequence[Range], show: Show) -> list[Term]:
    """Disjuncts of the negation of low <= form <= high."""
    term, found = show(form), list[Term]()
    if low is not None and low == high:
        return [Term("!=", (term, num(low)))]
    for op, bound, step, end in (("<", low, -1, form.least(ranges)), (">", high, 1, form.most(ranges))):
        if bound is not None:
            last = bound + step == end  # only one value is beyond
            found.append(Term("==", (term, num(bound + step))) if last else Term(op, (term, num(bound))))
    return found


def _by_extremes(box: OpenMap, size: int, show: Show, negate: bool) -> Term:
    """The formula by the least and the greatest address, with one term for each axis."""
    zero, found = Affine((0,) * len(box.ranges), 0), list[Term]()
    for op, comparison, bound in (("min", "<" if negate else ">=", 0), ("max", ">=" if negate else "<", size)):
        parts = [show(box.start)] if box.start != zero else []
        for n, step in zip(box.sizes, box.steps, strict=True):
            end = zero.plus(step, n - 1)
            rises, falls = end.is_implied(box.ranges), zero.is_implied(box.ranges, by=end)
            if not falls and not rises:
                parts.append(Term(op, (num(0), show(end))))
            elif end != zero and rises == (op == "max"):
                parts.append(show(end))
        found.append(Term(comparison, (total(parts), num(bound))))
    return disj(found) if negate else conj(found)


class Carries:
    """Formulas about C, the overflow vectors of a box, at one or several boundaries.

    A boundary never overflows exactly if the box of its residues stays below the place value ("Which
    boundaries overflow", proofs/README.md).

    >>> from symview.logic.sympy_bridge import to_text
    >>> from symview.logic.terms import sym
    >>> box = OpenMap((3,), (Affine((1,), 0),), Affine((0,), 4), ((None, None),))
    >>> one = Carries(box, (3,), lambda form: linear([(form.weights[0], sym("t"))], form.constant))
    >>> to_text(one.only([])), to_text(one.only([3]))
    ('(t + 1) % 3 == 1', '(t + 1) % 3 != 1')
    """

    def __init__(self, box: OpenMap, places: tuple[int, ...], show: Show) -> None:
        self.places, self.sizes = places, box.without_repeats().sizes
        self.maps: dict[int, tuple[OpenMap, Show]] = {}
        for place in places:
            found, forms = box.modulo(place)
            self.maps[place] = found, _over([Term("%", (show(f), num(place))) for f in forms])

    def only(self, places: Collection[int | None]) -> Term:
        """The formula that these boundaries overflow somewhere, and no others do."""
        parts = [stays(box, p, show, negate=p in places) for p, (box, show) in self.maps.items()]
        return FALSE if FALSE in parts else conj(parts)

    def several(self) -> Term:
        """The formula that more than one boundary overflows somewhere."""
        bent = [stays(box, p, show, negate=True) for p, (box, show) in self.maps.items()]
        return disj(conj(pair) for pair in combinations(bent, 2) if FALSE not in pair)

    def has_few_indices(self) -> bool:
        """Whether `spans` enumerates few enough indices."""
        return prod(self.sizes) <= _MOST_INDICES

    def spans(self, space: Space, others: Iterable[Space]) -> Term:
        """The formula that the overflow vectors span this space, given that they span it or one of the others."""
        active = support(space)
        own = RowSpace(len(self.places), space)
        smaller = [rows for rows in others if rows != space and support(rows) == active and all(r in own for r in rows)]
        refuted = [disj(Term("!=", e.args) for e in self._within(rows)) for rows in smaller]
        return conj([self.only([self.places[n] for n in active]), *self._within(space), *refuted])

    def _within(self, space: Space) -> list[Term]:
        """Equations that all overflow vectors lie in the space, over the boundaries that overflow in it."""
        active = set(support(space))
        weights = [r for r in RowSpace(len(self.places), space).complement() if any(r[n] for n in active)]
        found = list[Term]()
        for index in product(*map(range, self.sizes)):
            carried = [self._carried(p, index) for p in self.places] if sum(index) > 1 else []
            for row in weights if carried else ():
                sides = ([(abs(w), c) for w, c in zip(row, carried, strict=True) if w * sign > 0] for sign in (1, -1))
                left, right = (linear([x for x in side if x[1] != num(0)]) for side in sides)
                if left != right:
                    found.append(Term("==", (left, right)))
        return list(dict.fromkeys(found))

    def _carried(self, place: int, index: Sequence[int]) -> Term:
        """C_P(index)."""
        box, show = self.maps[place]
        value = box.address(index)
        low, high = value.least(box.ranges), value.most(box.ranges)
        if low is not None and high is not None and low // place == high // place:
            return num(low // place)
        return Term("//", (show(value), num(place)))


def _over(terms: Sequence[Term]) -> Show:
    """Renders forms of unknowns that stand for these terms."""
    return lambda form: linear(zip(form.weights, terms, strict=True), form.constant)


def support(space: Space) -> tuple[int, ...]:
    """The numbers of the boundaries that overflow in the space."""
    return tuple([n for n, column in enumerate(zip(*space, strict=True)) if any(column)])


class AddressDigits:
    """The digits of one outer shape whose dims are contiguous at the `forced` places; `show` renders the unknowns.

    For the unknowns numbered in `periodic`, points have residues; for others they have values.
    """

    def __init__(self, builder: CaseBuilder, forced: Collection[int], show: Show, periodic: Collection[int]) -> None:
        self.builder, self.show, self.periodic = builder, show, periodic
        cuts = ({*builder.places}, {*builder.places} - {*forced})
        self.plain, self.whole = (digits_of(builder.kept_sizes, builder.kept_strides, c) for c in cuts)

    def moves(
        self, start: Affine, steps: Iterable[tuple[Affine, Collection[Point] | None]], points: Collection[Point]
    ) -> tuple[list[IntTerm], IntTerm]:
        """The strides and the offset of the merged view at these points.

        A stride is address(start + step) − address(start), in the simplest form that is right at all points given with
        the step; it is 0 if these are None. The offset is address(start). Without points nothing is known of the
        unknowns.
        """
        zero, offset = Affine((0,) * len(start.weights), 0), self.builder.query.views[0].offset
        found: list[IntTerm] = [0 if at is None else self._moved(start, step, at, {}) for step, at in steps]
        return found, self._moved(zero, start, points, self.builder.query.algebra.poly(offset))

    def _moved(self, start: Affine, step: Affine, points: Collection[Point], more: Poly) -> IntTerm:
        """address(start + step) − address(start) + more, in the memory of the outer view."""
        builder, show = self.builder, self.show
        if points:  # there are none if the budget has ended
            builder.budget.spend(len(points))
        exact = bool(points) and not any(step.weights[k] for k in self.periodic)
        pairs = {(start.at(p), step.at(p)) for p in points}
        found = [d.moved(start, step, pairs, exact, show) for d in self.plain]
        digits = self.plain if all(t.op == "int" for t in found) else self.whole
        found = found if digits is self.plain else [d.moved(start, step, pairs, exact, show) for d in self.whole]
        if all(t.op == "int" for t in found):
            forms = [more, *(d.stride for d in digits)]
            return builder.entry(combine([1, *(t.args[0] for t in found)], forms))
        parts = [Term("*", (builder.term(d.stride), t)) for d, t in zip(digits, found, strict=True)]
        return total([*([builder.term(more)] if more else []), *parts])


class Digit(NamedTuple):
    """The digit of an outer dim with this stride: x // place, modulo `modulus` unless that is 0."""

    place: int
    modulus: int
    stride: Poly

    def of(self, value: int) -> int:
        """The digit of an address."""
        return value // self.place % self.modulus if self.modulus else value // self.place

    def term(self, value: Affine, show: Show) -> Term:
        """The digit of an affine form."""
        if value.is_number():
            return num(self.of(value.constant))
        found = self._quotient(value, show)
        return Term("%", (found, num(self.modulus))) if self.modulus else found

    def moved(self, start: Affine, step: Affine, pairs: Collection[tuple[int, int]], exact: bool, show: Show) -> Term:
        """digit(start + step) − digit(start), in the simplest form that is right for all pairs of values.

        `exact`: the pairs hold the values of the step, not only residues. Theory: a digit modulo `modulus` depends only
        on residues; so does the overflow, by which the difference of two quotients exceeds the quotient of the step.
        """
        if exact or self.modulus:
            one = _same(self.of(a + t) - self.of(a) for a, t in pairs)
            if one is not None:
                return num(one)
        if exact or not self.modulus:
            over = _same(self.of(a + t) - self.of(a) - t // self.place for a, t in pairs)
            if over is not None:
                return linear([(1, self._quotient(step, show))], over)
        over = _same(self.of(a + t) - self.of(a) - self.of(t) for a, t in pairs)
        if over is not None:
            return linear([(1, self.term(step, show))], over)
        return linear([(1, self.term(start.plus(step), show)), (-1, self.term(start, show))])

    def _quotient(self, value: Affine, show: Show) -> Term:
        return show(value) if self.place == 1 else Term("//", (show(value), num(self.place)))


def _same(values: Iterator[int]) -> int | None:
    """The common value; None if they differ, or if there are none."""
    first = next(values, None)
    return first if all(v == first for v in values) else None


def digits_of(shape: Sequence[int], strides: Sequence[Poly], cuts: Collection[int]) -> list[Digit]:
    """The digits of a shape without sizes 1, outermost first; dims without a cut between them are one digit.

    `cuts`: the place values at which the dims on both sides may not be contiguous.

    >>> a, b, c = ({(name,): 1} for name in "abc")
    >>> [(d.place, d.modulus) for d in digits_of((10, 3, 3), (a, b, c), (3,))]
    [(3, 0), (1, 3)]
    """
    found: list[Digit] = []
    for place, stride in zip(place_values(shape), strides, strict=True):
        if place == 1 or place in cuts:
            found.append(Digit(place, found[-1].place // place if found else 0, stride))
    return found
