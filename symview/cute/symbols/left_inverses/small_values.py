"""Layouts of an open size n that have no left inverse for all n from some on, by their small values.

Below some number, values do not reach the strides that are multiples of n, and the indices at which they stand are
numbers and multiples of n. K takes a value to the sum of its digits times what K has at the places. So all places are
tried, rising with the values, and all indices of each; a sum that does not agree is a number and a multiple of n that
are together 0 for one n at most. Where no choice is left, larger n have no left inverse.
"""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from itertools import pairwise, product
from math import prod

from symview.cute.modes import Modes
from symview.cute.symbols.left_inverses.classes import SMALL, digits_of
from symview.errors import Undecided
from symview.logic.budget import Budget

_VALUES = 64  # that are looked at
_LISTED = 1 << 12  # indices
_WORK = Budget(work=40_000)

Row = tuple[int, list[Fraction], Fraction]  # where it is not 0, the coefficients, and what they make


def none_above(modes: Modes) -> int | None:
    """The least n found from which on these modes, with `HUGE` for n, have no left inverse; None where none is.

    >>> from symview.cute.symbols.left_inverses.classes import HUGE
    >>> none_above([(HUGE, 3), (3, 8)]), none_above([(HUGE, 3), (2, 8)])
    (20, None)
    """
    search = _Search(modes)
    with suppress(Undecided):
        if search.indices and not search.goes_on(1, (1,), ()):
            return max(search.start, search.last + 1)
    return None


class _Search:
    """The values of a layout with the indices of each; how far the search went, and from which n on it is right."""

    def __init__(self, modes: Modes) -> None:
        self.budget, self.start, self.last = _WORK.started(), 1, 0
        self.indices: dict[int, set[int]] = {}
        self.values: set[int] = set()
        last = len(modes) - 1
        ends = [min(n if k < last else SMALL, _VALUES // d + 1 if d else n) for k, (n, d) in enumerate(modes)]
        if modes[last][1] == 0 or max(ends) > _VALUES or prod(ends) > _LISTED:
            return
        steps = [prod([n for n, _ in modes[:k]]) for k in range(len(modes))]
        for x in product(*map(range, ends)):
            value = sum([i * d for i, (_, d) in zip(x, modes, strict=True)])
            self.indices.setdefault(value, set()).add(sum([i * w for i, w in zip(x, steps, strict=True)]))
            if all(i < n for i, (n, _) in zip(x, modes, strict=True)):
                self.values.add(value)

    def goes_on(self, value: int, places: tuple[int, ...], solved: tuple[Row, ...]) -> bool:
        """Whether places and indices for the values from this one on agree with what is solved."""
        if value >= _VALUES:
            return True
        self.last = max(self.last, value)
        more = value > places[-1] and value % places[-1] == 0
        return any(self._with_places(value, each, solved) for each in (places, *[(*places, value)] * more))

    def _with_places(self, value: int, places: tuple[int, ...], solved: tuple[Row, ...]) -> bool:
        if value not in self.values:
            return self.goes_on(value + 1, places, solved)
        self.budget.spend(len(places) * (len(solved) + 1))
        row = [Fraction(value % b // a) for a, b in pairwise([*places, value + 1])]
        row[-1] = Fraction(value // places[-1])
        taken = Fraction(0)
        for j, other, right in solved:
            factor = row[j] / other[j] if len(row) > j else Fraction(0)
            if factor:
                row = [a - factor * (other[k] if k < len(other) else 0) for k, a in enumerate(row)]
                taken += factor * right
        pivot = next((j for j, a in enumerate(row) if a), None)
        if pivot is not None:
            return any(
                self.goes_on(value + 1, places, (*solved, (pivot, row, index - taken)))
                for index in sorted(self.indices[value])
            )
        for index in self.indices[value]:
            if index == taken:
                return self.goes_on(value + 1, places, solved)
            self._differs(index - taken)
        return False

    def _differs(self, gap: Fraction) -> None:
        """Notes from which n on this is not 0."""
        digits = digits_of(gap.numerator)
        if digits is None:
            raise Undecided("numbers are not small beside n")
        if digits[1]:
            self.start = max(self.start, -digits[0] // digits[1] + 1)
