"""Do rational numbers meet linear facts? Values that do, or multiples of the facts whose sum is below 0."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from symview.logic.budget import Budget

Row: TypeAlias = dict[int, Fraction]  # a value as multiples of free columns; column 0 is 1
_WORK_PER_ENTRY = 20  # what one entry of a row costs, about


class Simplex:
    """Facts Σ c·x >= 0, or = 0, one after the other; each column stands for an unknown, or for a fact.

    >>> from symview.logic.budget import DEFAULT
    >>> facts = Simplex()
    >>> x = facts.column()
    >>> two, one = facts.fact({x: Fraction(2), 0: Fraction(-1)}, False), facts.fact({x: Fraction(-1)}, False)
    >>> found = facts.conflict(DEFAULT)
    >>> 2*found[two] == found[one]
    True
    """

    def __init__(self) -> None:
        self.rows: dict[int, Row] = {}
        self.values: dict[int, Fraction] = {0: Fraction(1)}
        self.facts: dict[int, bool] = {}  # whether it is = 0

    def copy(self) -> Simplex:
        """An independent copy."""
        other = Simplex()
        other.rows = {b: dict(row) for b, row in self.rows.items()}
        other.values, other.facts = dict(self.values), dict(self.facts)
        return other

    def column(self) -> int:
        """A new unknown."""
        self.values[n := len(self.values)] = Fraction(0)
        return n

    def fact(self, form: Row, zero: bool) -> int:
        """One more fact, and its column."""
        n, row = self.column(), Row()
        for c, a in form.items():
            for d, b in self.rows.get(c, {c: Fraction(1)}).items():
                row[d] = row.get(d, Fraction(0)) + a * b
        self.rows[n] = {d: b for d, b in row.items() if b}
        self.values[n] = sum((b * self.values[d] for d, b in row.items()), Fraction(0))
        self.facts[n] = zero
        return n

    def conflict(self, budget: Budget) -> dict[int, Fraction] | None:
        """Multiples of facts, those of inequalities above 0, whose sum is a number below 0; None where all are met."""
        while True:
            broken = [n for n in self.rows if n in self.facts and self._breaks(n, self.values[n])]
            if not broken:
                return None
            n = min(broken)
            up = self.values[n] < 0
            row = self.rows[n]
            budget.spend(_WORK_PER_ENTRY * (len(row) + 1))
            found = next((d for d in sorted(row) if d and self._moves(d, (row[d] > 0) is up)), None)
            if found is None:
                sign = 1 if up else -1
                return {n: Fraction(sign), **{d: -sign * b for d, b in row.items() if d}}
            self._pivot(n, found, budget)

    def _breaks(self, n: int, value: Fraction) -> bool:
        return value < 0 or (self.facts[n] and value > 0)

    def _moves(self, n: int, up: bool) -> bool:
        """Whether a free column may grow, or shrink."""
        if n not in self.facts:
            return True
        return not self.facts[n] if up else self.values[n] > 0

    def _pivot(self, leaving: int, entering: int, budget: Budget) -> None:
        """The broken fact becomes free with the value 0, the other column takes its row."""
        row = self.rows.pop(leaving)
        a = row.pop(entering)
        solved = {d: -b / a for d, b in row.items()}
        solved[leaving] = 1 / a
        step = -self.values[leaving] / a
        self.values[leaving] = Fraction(0)
        self.values[entering] += step
        for n, other in self.rows.items():
            if c := other.pop(entering, None):
                budget.count(_WORK_PER_ENTRY * len(solved))
                self.values[n] += c * step
                for d, b in solved.items():
                    if total := other.get(d, Fraction(0)) + c * b:
                        other[d] = total
                    else:
                        del other[d]
        self.rows[entering] = solved
