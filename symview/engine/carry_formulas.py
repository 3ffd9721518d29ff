"""Overflows of an address map with unknown strides, as formulas over the unknowns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import product

from symview.engine.open_map import Affine, OpenMap
from symview.engine.row_space import Row, RowSpace
from symview.logic.terms import Term, conj, linear, negated, num

_FEW = 24  # indices that a formula may go through


class CarryFormulas:
    """What can be said of C, the overflow vectors of a box, at one or several boundaries.

    Theory: C_P(i) is (ρ + Σ i_j·R_j) // P with ρ = o mod P and R_j = ((o + t_j) mod P) − ρ, so no
    boundary overflows anywhere unless it does at a corner.

    >>> from symview.logic.sympy_bridge import to_text
    >>> one = CarryFormulas(OpenMap((3,), (Affine((1,), 0),), Affine((0,), 4)), (3,))
    >>> to_text(one.stays[3])
    '2*((c0 + 4) % 3) - 1 >= 0 and 2*((c0 + 4) % 3) - 1 < 3'
    """

    def __init__(self, box: OpenMap, places: tuple[int, ...]) -> None:
        self.box, self.places = box, places
        self.moving = list(box.moving())
        self.stays = {p: self._stays(p) for p in places}

    def only(self, places: Collection[int | None]) -> Term:
        """That these boundaries overflow somewhere, and no others."""
        return conj([negated(f) if p in places else f for p, f in self.stays.items()])

    def has_few_indices(self) -> bool:
        """Whether `spans` is short enough."""
        found = 1
        for _, count in self.moving:
            found *= count + 1
        return found <= _FEW

    def spans(self, space: tuple[Row, ...], others: Iterable[tuple[Row, ...]]) -> Term:
        """That the overflow vectors span this space, them spanning this one or one of the others."""
        active = support(space)
        own = RowSpace(len(self.places), space)
        smaller = [rows for rows in others if rows != space and support(rows) == active and all(r in own for r in rows)]
        refuted = [negated(self._within(rows)) for rows in smaller]
        return conj([self.only([self.places[n] for n in active]), self._within(space), *refuted])

    def _within(self, space: tuple[Row, ...]) -> Term:
        """That all overflow vectors are in the space, as far as boundaries count that it says something of."""
        active = set(support(space))
        weights = RowSpace(len(self.places), space).complement()
        return conj(
            Term("==", (linear(zip(row, carried, strict=True)), num(0)))
            for row in weights
            if not active.isdisjoint(n for n, x in enumerate(row) if x)
            for carried in self._vectors()
        )

    def _vectors(self) -> Iterator[list[Term]]:
        """C at every index that is not 0 and no unit."""
        for index in product(*[range(count + 1) for _, count in self.moving]):
            if sum(index) > 1:
                yield [Term("//", (self._sum(p, index), num(p))) for p in self.places]

    def _stays(self, place: int) -> Term:
        """That every corner is below the place; the corner 0 and the units are, being residues."""
        inside: list[Term] = []
        for corner in product(*[(0, count) for _, count in self.moving]):
            if sum(corner) > 1:
                value = self._sum(place, corner)
                inside += [Term(">=", (value, num(0))), Term("<", (value, num(place)))]
        return conj(inside)

    def _sum(self, place: int, index: Iterable[int]) -> Term:
        """ρ + Σ i_j·R_j."""
        start, constant, parts = self.box.start, 0, list[tuple[int, Term]]()
        times = {Affine(start.weights, start.constant): 1}
        for i, (step, _) in zip(index, self.moving, strict=True):
            if i:
                times[start] -= i
                reached = start.plus(step)
                times[reached] = times.get(reached, 0) + i
        for value, count in times.items():
            if value.is_number():
                constant += count * (value.constant % place)
            else:
                parts.append((count, Term("%", (value.term(), num(place)))))
        return linear(parts, constant)


def support(space: tuple[Row, ...]) -> tuple[int, ...]:
    """The numbers of the boundaries that overflow."""
    return tuple([n for n, column in enumerate(zip(*space, strict=True)) if any(column)])
