"""Strides and offsets of a merged view by the digits of addresses that are not known."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from symview.cases.case_builder import CaseBuilder
from symview.cases.equations import combine
from symview.engine.open_map import Affine
from symview.engine.radix import place_values
from symview.logic.polynomial import Poly
from symview.logic.terms import IntTerm, Term, linear, num, total
from symview.views.stride_formulas import Show


class AddressDigits:
    """The digits of one outer shape, its dims contiguous at the places that are forced; `show` names the unknowns."""

    def __init__(self, builder: CaseBuilder, forced: Collection[int], show: Show) -> None:
        self.builder, self.show = builder, show
        cuts = ({*builder.places}, {*builder.places} - {*forced})
        self.plain, self.whole = (digits_of(builder.kept_sizes, builder.kept_strides, c) for c in cuts)

    def moved(
        self, start: Affine, step: Affine, pairs: Collection[tuple[int, int]], exact: bool, more: Poly
    ) -> IntTerm:
        """Where the outer view has start + step less where it has start, and more.

        As simply as all the pairs of values allow; `exact`: they are the values of the step, not only residues.
        """
        builder, show = self.builder, self.show
        found = [d.moved(start, step, pairs, exact, show) for d in self.plain]
        digits = self.plain if all(t.op == "int" for t in found) else self.whole
        found = found if digits is self.plain else [d.moved(start, step, pairs, exact, show) for d in self.whole]
        if all(t.op == "int" for t in found):
            forms = [more, *(d.stride for d in digits)]
            return builder.entry(combine([1, *(t.args[0] for t in found)], forms))
        parts = [Term("*", (builder.term(d.stride), t)) for d, t in zip(digits, found, strict=True)]
        return total([*([builder.term(more)] if more else []), *parts])


class Digit(NamedTuple):
    """x // place, modulo `modulus` unless that is 0; the digit of an outer dim with this stride."""

    place: int
    modulus: int
    stride: Poly

    def of(self, value: int) -> int:
        """The digit of an address."""
        return value // self.place % self.modulus if self.modulus else value // self.place

    def term(self, value: Affine, show: Show) -> Term:
        """The digit of an address that may be open."""
        if value.is_number():
            return num(self.of(value.constant))
        found = self._quotient(value, show)
        return Term("%", (found, num(self.modulus))) if self.modulus else found

    def moved(self, start: Affine, step: Affine, pairs: Collection[tuple[int, int]], exact: bool, show: Show) -> Term:
        """The digit of start + step less that of start, as simply as all the pairs of values allow.

        `exact`: they are the values of the step, not only residues.
        Theory: modulo `modulus` a digit depends on residues alone; and so does the carry, by which
        the difference of two quotients is more than the quotient of the step.
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
    """The value that they all have; None where they differ, or there are none."""
    first = next(values, None)
    return first if all(v == first for v in values) else None


def digits_of(shape: Sequence[int], strides: Sequence[Poly], cuts: Collection[int]) -> list[Digit]:
    """The digits of a shape without 1s, outermost first, dims being one where no cut is between them.

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
