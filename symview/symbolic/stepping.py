"""An axis whose numeric step jumps over gaps between the repetitions of a window, or over the window itself."""

from __future__ import annotations

from collections.abc import Iterator

from symview.cases.forks import Fork
from symview.logic.polynomial import ONE, Poly, minus, plus, times
from symview.logic.terms import Term, num
from symview.symbolic.addresses import split_by
from symview.symbolic.algebra import Algebra
from symview.symbolic.boundaries import UNIT
from symview.symbolic.windows import Said

_MOST_WAYS = 20  # in which residues and the shorter length may fall, each a path of its own


def stepping(
    step: int, last: Poly, start: Poly, ends: tuple[Poly, Poly], modulus: Poly, fork: Fork, algebra: Algebra
) -> tuple[Poly, Poly] | Said:
    """Which of the indices 0..last are at addresses start + step·i in a window [low, high), repeated by the modulus.

    The first and how many there are, or what else they are. `start` is before the first repetition's end, and the last
    address after it. Theory: the first address from x on is x + (start − x) % step. So a gap shorter than the step
    is met or not by what the residues of start, window and modulus say, at most one index is in each, and where
    windows are no shorter than the step all between are valid; the same of windows shorter than the step.
    """
    return _Stepping(step, last, minus(start, ends[0]), minus(*ends[::-1]), modulus, fork, algebra).said()


class _Stepping:
    """One question; `start` counts from where the first repetition of the window begins."""

    def __init__(
        self, step: int, last: Poly, start: Poly, length: Poly, modulus: Poly, fork: Fork, algebra: Algebra
    ) -> None:
        self.step, self.last, self.start, self.length, self.modulus = step, last, start, length, modulus
        self.fork, self.algebra = fork, algebra
        self.residues: list[tuple[Poly, int]] = [({}, 0)]

    def said(self) -> tuple[Poly, Poly] | Said:
        gap = minus(self.modulus, self.length)
        tight, narrow = self._below(gap, {ONE: self.step}), self._below(self.length, {ONE: self.step})
        begin, width = (self.length, gap) if tight else ({}, self.length)
        if (tight and narrow) or self._ways(begin, width) > _MOST_WAYS:
            return Said.OPEN  # where both are short, the modulus is a small number
        if self.step == 1:  # shorter than that is nothing at all
            return Said.ALL if tight else Said.NONE
        return self._masked(gap) if tight else self._valid()

    def _masked(self, gap: Poly) -> tuple[Poly, Poly] | Said:
        """Gaps are shorter than the step: all but single indices are valid."""
        first: Poly = UNIT if self._below(self.start, {}) else {}
        met = next(self._met(self.length, self._value(gap, range(1, self.step))), None)
        if met is None or self._is_past(met):
            return (first, minus(plus(self.last, UNIT), first)) if first else Said.ALL
        if not self._is_past(plus(met, {ONE: self.step})):
            return Said.NO_BOX
        return first, minus(self.last, first)

    def _valid(self) -> tuple[Poly, Poly] | Said:
        """Windows are shorter than the step: only single indices are valid."""
        met = self._met({}, self._value(self.length, range(1, self.step)))
        one = next(met, None)
        if one is None or self._is_past(one):
            return Said.NONE
        if not self._is_past(next(met)):
            return Said.NO_BOX
        return self.algebra.poly_of(Term("//", (self.algebra.term(one), num(self.step)))), UNIT

    def _met(self, begin: Poly, width: int) -> Iterator[Poly]:
        """How far behind the start the addresses are that are less than a width behind where a repetition begins."""
        modulus, ahead = self._residue(self.modulus), self._residue(minus(begin, self.start))
        for number in range(2 * self.step):
            more = -(ahead + number * modulus) % self.step
            if more < width:
                yield plus(
                    plus(minus(begin, self.start), times({ONE: number} if number else {}, self.modulus)),
                    {ONE: more},
                )

    def _ways(self, begin: Poly, width: Poly) -> int:
        one, other = (self._rest(p) for p in (self.modulus, minus(begin, self.start)))
        free = [r for r in (one, other) if not set(r) <= {ONE}]
        tied = len(free) == 2 and set(self._rest(minus(one, other))) <= {ONE}
        ways: int = self.step ** (len(free) - tied)
        return ways if set(width) <= {ONE} else ways * (self.step - 1)

    def _residue(self, p: Poly) -> int:
        rest = self._rest(p)
        for other, value in self.residues:
            if set(apart := self._rest(minus(rest, other))) <= {ONE}:
                return (value + apart.get(ONE, 0)) % self.step
        named = Term("%", (self.algebra.term(rest), num(self.step)))
        found = self._value(self.algebra.poly_of(named), range(self.step))
        self.residues.append((rest, found))
        return found

    def _rest(self, p: Poly) -> Poly:
        return split_by(p, {ONE: self.step})[1]

    def _value(self, p: Poly, values: range) -> int:
        return p.get(ONE, 0) if set(p) <= {ONE} else self.fork.value(self.algebra.term(p), values)

    def _is_past(self, distance: Poly) -> bool:
        """Whether an address so far behind the start is past that of the last index."""
        return self._below(times({ONE: self.step}, self.last), distance)

    def _below(self, p: Poly, q: Poly) -> bool:
        claim = self.algebra.below(p, q)
        return bool(claim.args[0]) if claim.op == "bool" else self.fork.holds(claim)
