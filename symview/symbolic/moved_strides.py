"""The merged view for many values of the inner strides at once: digits as numbers where they are, else as formulas."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from symview.engine.open_map import Affine
from symview.engine.radix import place_values
from symview.engine.tables import Column, Entry
from symview.logic.polynomial import Poly
from symview.logic.terms import Term, linear, num


class Entries(NamedTuple):
    """What a case is about: entries of a table; without any, all values, and nothing is known of them."""

    columns: tuple[Column, ...]
    entries: Collection[Entry]

    def has_values(self, form: Affine) -> bool:
        """Whether the entries say the value of the form itself, not only its residue."""
        return bool(self.columns) and not any(w and c.period for w, c in zip(form.weights, self.columns, strict=True))

    def pairs(self, one: Affine, other: Affine) -> set[tuple[int, int]]:
        """The values of two forms that occur together, or values with the same residues."""
        used = [k for k, (a, b) in enumerate(zip(one.weights, other.weights, strict=True)) if a or b]
        told = [0] * len(one.weights)
        found = set()
        for values in {tuple([e[k] for k in used]) for e in self.entries}:
            for k, value in zip(used, values, strict=True):
                told[k] = value
            found.add((one.at(told), other.at(told)))
        return found


class Digit(NamedTuple):
    """x // place, modulo `modulus` unless that is 0; the digit of an outer dim with this stride."""

    place: int
    modulus: int
    stride: Poly

    def of(self, value: int) -> int:
        """The digit of an address."""
        return value // self.place % self.modulus if self.modulus else value // self.place

    def term(self, value: Affine) -> Term:
        """The digit of an address that may be open."""
        if value.is_number():
            return num(self.of(value.constant))
        found = self._quotient(value)
        return Term("%", (found, num(self.modulus))) if self.modulus else found

    def moved(self, start: Affine, step: Affine, pairs: Collection[tuple[int, int]], exact: bool) -> Term:
        """The digit of start + step less that of start, as simply as all the pairs of values allow.

        `exact`: they are the values of the step, not only residues.
        Theory: modulo `modulus` a digit depends on residues alone; and so does the carry, by which
        the difference of two quotients is more than the quotient of the step.
        """
        found = {(a, t): self.of(a + t) - self.of(a) for a, t in pairs}
        if (exact or self.modulus) and len(set(found.values())) == 1:
            return num(next(iter(found.values())))
        if exact or not self.modulus:
            over = {v - t // self.place for (_, t), v in found.items()}
            if len(over) == 1:
                return linear([(1, self._quotient(step))], over.pop())
        over = {v - self.of(t) for (_, t), v in found.items()}
        if len(over) == 1:
            return linear([(1, self.term(step))], over.pop())
        return linear([(1, self.term(start.plus(step))), (-1, self.term(start))])

    def _quotient(self, value: Affine) -> Term:
        return value.term() if self.place == 1 else Term("//", (value.term(), num(self.place)))


def digits(shape: Sequence[int], strides: Sequence[Poly], cuts: Collection[int]) -> tuple[Digit, ...]:
    """The digits of a shape without 1s, outermost first, dims being one where no cut is between them.

    `cuts`: the place values at which the dims on both sides may not be contiguous.

    >>> a, b, c = ({(name,): 1} for name in "abc")
    >>> [(d.place, d.modulus) for d in digits((10, 3, 3), (a, b, c), (9, 3))]
    [(9, 0), (3, 3), (1, 3)]
    >>> [(d.place, d.modulus) for d in digits((10, 3, 3), (a, b, c), (3,))]
    [(3, 0), (1, 3)]
    """
    found: list[Digit] = []
    for place, stride in zip(place_values(shape), strides, strict=True):
        if place == 1 or place in cuts:
            found.append(Digit(place, found[-1].place // place if found else 0, stride))
    return tuple(found)


def moves(
    plain: Sequence[Digit], joined: Sequence[Digit], start: Affine, step: Affine, about: Entries
) -> list[tuple[Poly, Term]]:
    """How far the address moves, as a sum of strides times terms.

    `joined` are the digits where equations make some dims contiguous: they are used unless the
    plain ones are all numbers.
    """
    pairs, exact = about.pairs(start, step), about.has_values(step)
    found = [(d.stride, d.moved(start, step, pairs, exact)) for d in plain]
    if all(t.op == "int" for _, t in found):
        return found
    return [(d.stride, d.moved(start, step, pairs, exact)) for d in joined]
