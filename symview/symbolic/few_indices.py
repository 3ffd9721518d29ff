"""Boundaries that overflow together, where finitely many indices say what all do: one equation for each of these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from symview.logic.entailment import Entailment
from symview.logic.polynomial import ONE, Poly, minus, plus, times
from symview.logic.terms import TRUE, Term, num, total
from symview.symbolic.addresses import Axis
from symview.symbolic.algebra import Algebra
from symview.symbolic.two_boundaries import UNIT, Divide

_MOST_INDICES = 6  # along an axis
_MOST = 24  # in all

Index = Sequence[Poly]  # along each axis


class FewIndices:
    """Boundaries at some place values of addresses start + Σ i·step.

    Theory: with ρ = start mod P and r = step mod P, C_P(i) = ⌊(ρ + Σ r·i)/P⌋ − Σ i·⌊(ρ + r)/P⌋, and the views merge
    exactly where Σ δ·C(i) = 0 at each of some indices i at which the C span all. Along an axis that moves one boundary
    alone this one's C only rises or only falls, whatever the other indices are: the first and the last index do.

    >>> from symview.logic.notation import parse_statement
    >>> from symview.logic.sympy_bridge import to_text
    >>> from symview.symbolic.addresses import divided
    >>> algebra, known = Algebra("PQ", "abPQ"), Entailment([parse_statement("P > 3"), parse_statement("Q > 3")])
    >>> places, axes = [{("P", "Q"): 1}, {("Q",): 1}], [Axis({ONE: 3}, {("t",): 1}), Axis({("n",): 1}, {("Q",): 1})]
    >>> few = FewIndices(algebra, lambda p, place, known: divided(p, place, algebra, known), known, places, {}, axes)
    >>> for equation in few.equations([{("a",): 1}, {("b",): 1}]):
    ...     print(to_text(equation))
    a*((n - 1)//P) == 0
    a*((-Q + Q*n + t % (P*Q))//(P*Q)) == 0
    a*(2*(t % (P*Q))//(P*Q)) + b*(2*(t % Q)//Q) == 0
    a*((-Q + Q*n + 2*(t % (P*Q)))//(P*Q)) + b*(2*(t % Q)//Q) == 0
    """

    def __init__(
        self, algebra: Algebra, divide: Divide, known: Entailment, places: Sequence[Poly], start: Poly,
        axes: Sequence[Axis],
    ) -> None:  # fmt: skip
        self.algebra, self.divide, self.known, self.places = algebra, divide, known, places
        self.axes = axes
        self.starts = [divide(start, p, known)[1] for p in places]
        self.rests = [[divide(a.step, p, known)[1] for a in axes] for p in places]

    def equations(self, defects: Sequence[Poly]) -> list[Term] | None:
        """What holds exactly where the views merge, for these defects of boundaries; None where indices are many."""
        along = [self._along(n) for n in range(len(self.axes))]
        if None in along or prod(len(a or ()) for a in along) > _MOST:
            return None
        found = [self._equation(index, defects) for index in product(*(a or () for a in along))]
        return list(dict.fromkeys(e for e in found if e != TRUE))

    def _equation(self, index: Index, defects: Sequence[Poly]) -> Term:
        """That Σ δ·C is 0 there."""
        pairs = [(d, c) for c, d in zip(self._carries(index), defects, strict=True) if c and d]
        parts = [Term("*", tuple(map(self.algebra.term, pair))) for pair in pairs]
        return Term("==", (total(parts), num(0))) if parts else TRUE

    def _along(self, axis: int) -> list[Poly] | None:
        """The indices along an axis that do."""
        moved = [row[axis] for row in self.rests if row[axis]]
        last = minus(self.axes[axis].size, UNIT)
        count = last.get(ONE, 0) + 1 if set(last) <= {ONE} else None
        if not moved or count == 1:
            return [{}]
        if len(moved) == 1:
            return [{}, last]
        return [{ONE: i} if i else {} for i in range(count)] if count is not None and count <= _MOST_INDICES else None

    def _carries(self, index: Index) -> Iterator[Poly]:
        """How often each boundary carries there, beyond what first steps say."""
        for place, start, rests in zip(self.places, self.starts, self.rests, strict=True):
            whole, expected = start, dict[tuple[str, ...], int]()
            for at, rest in zip(index, rests, strict=True):
                whole = plus(whole, times(at, rest))
                if start and rest:
                    expected = plus(expected, times(at, self.divide(plus(start, rest), place, self.known)[0]))
            steps = [at for at, rest in zip(index, rests, strict=True) if at and rest]
            once = not steps or steps == [UNIT]
            yield {} if once else minus(self.divide(whole, place, self.known)[0], expected)
