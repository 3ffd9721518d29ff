"""Sets of sizes that linear inequalities describe, made and compared by isl through its door."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from symview.engine.presburger import Isl, require_isl
from symview.logic.budget import Budget
from symview.logic.terms import FALSE, Term, conj, disj, linear, num, sym


def coordinate(axis: int) -> str:
    """How a condition for isl spells a coordinate, whatever its name is."""
    return f"p{axis}"


class SizeSet:
    """A set of integer points, one coordinate a parameter, `names` being what formulas call them.

    Every operation is a question to isl within the budget: it raises Undecided when that ends, Failed
    for other failures of isl.

    >>> m_n = SizeSet.where(["p0 >= 1", "p1 >= 1", "p0 + p1 <= 3"], ("m", "n"), Budget())
    >>> m_n.point(), m_n.is_empty(), (m_n - m_n).is_empty()
    ((1, 1), False, True)
    """

    __slots__ = ("_isl", "_set", "names")

    def __init__(self, found: Any, names: tuple[str, ...], isl: Isl) -> None:
        self._set, self.names, self._isl = found, names, isl

    @staticmethod
    def where(parts: Sequence[str], names: tuple[str, ...], budget: Budget, exists: Sequence[str] = ()) -> SizeSet:
        """The points at which all parts hold, in isl's notation over p0, p1, … and what exists."""
        isl, read = Isl(budget), require_isl().Set.read_from_str
        quantified = f"exists {','.join(exists)} : " if exists else ""
        body = quantified + (" and ".join(parts) or "true")
        text = f"{{[{','.join(map(coordinate, range(len(names))))}] : {body}}}"
        return SizeSet(isl.ask(lambda: read(isl.context, text)), names, isl)

    @staticmethod
    def of(points: Iterable[Sequence[int]], names: tuple[str, ...], budget: Budget) -> SizeSet:
        """The set of these points."""
        each = [" and ".join(f"{coordinate(k)}={x}" for k, x in enumerate(p)) for p in points]
        return SizeSet.where([" or ".join(f"({p})" for p in each).join("()")], names, budget)

    @property
    def budget(self) -> Budget:
        """What its operations may do."""
        return self._isl.budget

    def within(self, budget: Budget) -> SizeSet:
        """The same set, within another budget of the same question."""
        return SizeSet(self._set, self.names, Isl(budget))

    def _made(self, make: Callable[[], Any]) -> SizeSet:
        return SizeSet(self._isl.ask(make), self.names, self._isl)

    def __and__(self, other: SizeSet) -> SizeSet:
        return self._made(lambda: self._set.intersect(other._set))

    def __or__(self, other: SizeSet) -> SizeSet:
        return self._made(lambda: self._set.union(other._set))

    def __sub__(self, other: SizeSet) -> SizeSet:
        return self._made(lambda: self._set.subtract(other._set))

    def is_empty(self) -> bool:
        """Whether no point is in the set."""
        return bool(self._isl.ask(self._set.is_empty))

    def settled(self) -> SizeSet:
        """The same set with few pieces, and with explicit divisions where it has any."""
        return self._made(lambda: self._set.compute_divs().coalesce())

    def point(self) -> tuple[int, ...] | None:
        """The lexicographically least point; None where there is none, or where it has no least one."""
        found = self._isl.ask(self._set.sample_point)
        return None if found.is_void() else self._coordinates(found)

    def most(self, axis: int) -> int | None:
        """The largest value of one coordinate of a set that is not empty; None where it has none."""
        found = self._isl.ask(lambda: self._set.dim_max_val(axis))
        return None if found.is_infty() else _int(found)

    def least(self, axis: int) -> int | None:
        """The smallest value of one coordinate of a set that is not empty; None where it has none."""
        found = self._isl.ask(lambda: self._set.dim_min_val(axis))
        return None if found.is_neginfty() else _int(found)

    def points(self) -> list[tuple[int, ...]]:
        """Every point of a set that has few."""

        def listed() -> list[tuple[int, ...]]:
            found: list[Any] = []
            self._set.foreach_point(found.append)
            return list(map(self._coordinates, found))

        return sorted(self._isl.ask(listed))

    def _coordinates(self, point: Any) -> tuple[int, ...]:
        kind = require_isl().dim_type.set
        return tuple([_int(point.get_coordinate_val(kind, j)) for j in range(len(self.names))])

    def formula(self, given: SizeSet | None = None) -> Term:
        """The set as a formula over its names; `given` need not be said again."""
        simple = (self if given is None else self._made(lambda: self._set.gist(given._set))).settled()
        if simple.is_empty():
            return FALSE
        return self._isl.ask(lambda: disj(_conjunction(b, self.names) for b in simple._set.get_basic_sets()))


def _conjunction(piece: Any, names: Sequence[str]) -> Term:
    kinds = require_isl().dim_type
    variables = list(map(sym, names))
    space = piece.get_local_space()
    for k in range(piece.dim(kinds.div)):
        aff = space.get_div(k)
        scale = aff.get_denominator_val()
        weights = [_int(aff.get_coefficient_val(kinds.in_, j) * scale) for j in range(len(names))]
        weights += [_int(aff.get_coefficient_val(kinds.div, j) * scale) for j in range(k)]
        top = linear(zip(weights, variables, strict=True), _int(aff.get_constant_val() * scale))
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


def _int(value: Any) -> int:
    return int(value.to_python())
