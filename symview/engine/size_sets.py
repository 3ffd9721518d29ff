"""Sets of sizes that linear inequalities describe, made and compared by isl through its door."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any

from symview.engine.presburger import context, require_isl
from symview.logic.terms import FALSE, Term, conj, disj, linear, num, sym


class SizeSet:
    """A set of integer points, one coordinate a parameter.

    >>> m_n = SizeSet.read("{[m,n] : m >= 1 and n >= 1 and m + n <= 3}", ("m", "n"))
    >>> m_n.point(), m_n.is_empty(), (m_n - m_n).is_empty()
    ((1, 1), False, True)
    """

    __slots__ = ("_set", "names")

    def __init__(self, found: Any, names: tuple[str, ...]) -> None:
        self._set, self.names = found, names

    @staticmethod
    def read(text: str, names: tuple[str, ...]) -> SizeSet:
        """The set that isl's notation spells; what is quantified away stays implicit."""
        return SizeSet(require_isl().Set.read_from_str(context(), text), names)

    def __and__(self, other: SizeSet) -> SizeSet:
        return SizeSet(self._set.intersect(other._set), self.names)

    def __or__(self, other: SizeSet) -> SizeSet:
        return SizeSet(self._set.union(other._set), self.names)

    def __sub__(self, other: SizeSet) -> SizeSet:
        return SizeSet(self._set.subtract(other._set), self.names)

    def is_empty(self) -> bool:
        """Whether no point is in the set."""
        return bool(self._set.is_empty())

    def settled(self) -> SizeSet:
        """The same set with few pieces, and with explicit divisions where it has any."""
        return SizeSet(self._set.compute_divs().coalesce(), self.names)

    def point(self) -> tuple[int, ...] | None:
        """The lexicographically least point; None where there is none, or where it has no least one."""
        found = self._set.sample_point()
        if found.is_void():
            return None
        kind = require_isl().dim_type.set
        return tuple([int(found.get_coordinate_val(kind, j).to_python()) for j in range(len(self.names))])

    def most(self, axis: int) -> int | None:
        """The largest value of one coordinate of a set that is not empty; None where it has none."""
        found = self._set.dim_max_val(axis)
        return None if found.is_infty() else int(found.to_python())

    def least(self, axis: int) -> int | None:
        """The smallest value of one coordinate of a set that is not empty; None where it has none."""
        found = self._set.dim_min_val(axis)
        return None if found.is_neginfty() else int(found.to_python())

    @staticmethod
    def of(points: Iterable[Sequence[int]], names: tuple[str, ...]) -> SizeSet:
        """The set of these points."""
        parts = " or ".join("(" + " and ".join(f"{n}={x}" for n, x in zip(names, p, strict=True)) + ")" for p in points)
        return SizeSet.read(f"{{[{','.join(names)}] : {parts}}}", names)

    def __contains__(self, point: Sequence[int]) -> bool:
        return not (self & SizeSet.of([point], self.names)).is_empty()

    def formula(self, given: SizeSet | None = None) -> Term:
        """The set as a formula over its names; `given` need not be said again."""
        found = self._set if given is None else self._set.gist(given._set)
        found = found.compute_divs().coalesce()
        return disj(_conjunction(b, self.names) for b in found.get_basic_sets()) if not found.is_empty() else FALSE


def union(sets: Iterable[SizeSet]) -> SizeSet:
    """The union of at least one set."""
    return reduce(lambda a, b: a | b, sets)


def _conjunction(piece: Any, names: Sequence[str]) -> Term:
    kinds = require_isl().dim_type
    variables = list(map(sym, names))
    space = piece.get_local_space()
    for k in range(piece.dim(kinds.div)):
        aff = space.get_div(k)
        scale = aff.get_denominator_val()
        top = _linear([_int(aff.get_coefficient_val(kinds.in_, j) * scale) for j in range(len(names))]
                      + [_int(aff.get_coefficient_val(kinds.div, j) * scale) for j in range(k)],
                      variables, _int(aff.get_constant_val() * scale))  # fmt: skip
        variables.append(Term("//", (top, num(_int(scale)))))
    return conj(_comparison(c, kinds, variables, len(names)) for c in piece.get_constraints())


def _comparison(constraint: Any, kinds: Any, variables: Sequence[Term], count: int) -> Term:
    weights = [_int(constraint.get_coefficient_val(kinds.set, j)) for j in range(count)]
    weights += [_int(constraint.get_coefficient_val(kinds.div, j)) for j in range(len(variables) - count)]
    constant = _int(constraint.get_constant_val())
    lead = next(w for w in weights if w)
    if sum(1 for w in weights if w > 0) < sum(1 for w in weights if w < 0) or (lead < 0 and len(set(weights)) <= 2):
        weights, constant, relation = [-w for w in weights], -constant, "<="
    else:
        relation = ">="
    left = [(w, v) for w, v in zip(weights, variables, strict=True) if w > 0]
    right = [(-w, v) for w, v in zip(weights, variables, strict=True) if w < 0]
    sides = (linear(left), linear(right, -constant))
    return Term("==" if constraint.is_equality() else relation, sides)


def _linear(weights: Sequence[int], variables: Sequence[Term], constant: int) -> Term:
    return linear([(w, v) for w, v in zip(weights, variables, strict=False) if w], constant)


def _int(value: Any) -> int:
    return int(value.to_python())
