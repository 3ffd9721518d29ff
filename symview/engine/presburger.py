"""Integer points of systems of linear inequalities, and sets of sizes (`SizeSet`); the only module that uses isl.

If islpy cannot be imported, or on request, Z3 answers the same questions more slowly.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from symview.engine.index_map import Affine
from symview.engine.row_space import Row, dot, unit
from symview.errors import SymviewError, Undecided
from symview.logic.budget import DEFAULT, Budget
from symview.logic.points import least_by_halving
from symview.logic.solve import Open, Sat, solve
from symview.logic.terms import FALSE, Term, conj, disj, linear, num, sym

if TYPE_CHECKING:
    import islpy

T = TypeVar("T")
Solver = Literal["isl", "z3"]
_COST_OF_CELLS = 2, 5  # an operation on five cells takes about as long as two steps of Z3
_LEAST_COST = 2
_FIRST_SLICE = 1_000_000  # a third of a second
_MOST_OPERATIONS = 2**31
_LEXMIN_WORK = 2_000_000


@dataclass(frozen=True, slots=True)
class System:
    """Integers v with 0 <= v_j < sizes_j for the first ones, and row·(v, 1) >= 0 for every row.

    `hidden` is the number of further variables, which the first ones determine. `branches`: at least one of these
    systems of rows has to hold as well.
    """

    sizes: tuple[int, ...]
    hidden: int
    rows: tuple[Row, ...]
    branches: tuple[tuple[Row, ...], ...]

    def names(self) -> list[str]:
        """i0, i1, … for the indices, c0, c1, … for the hidden variables."""
        return [f"i{j}" for j in range(len(self.sizes))] + [f"c{j}" for j in range(self.hidden)]

    def cells(self) -> int:
        """The number of coefficients in its rows; those beyond 64 bits count more, since cuts lengthen them further."""
        rank = len(self.sizes)
        longest = max([abs(x) for row in (self.sizes, *self.rows) for x in row], default=0)
        return (2 * rank + len(self.rows)) * (rank + self.hidden) * (1 + longest.bit_length() // 64) ** 3

    def formula(self) -> Term:
        """The system as one formula."""
        variables = [sym(n) for n in self.names()]
        parts = []
        for v, size in zip(variables, self.sizes, strict=False):
            parts += [Term(">=", (v, num(0))), Term("<", (v, num(size)))]
        parts += [_at_least_zero(r, variables) for r in self.rows]
        parts.append(disj(conj(_at_least_zero(r, variables) for r in rows) for rows in self.branches))
        return conj(parts)


def _at_least_zero(row: Row, variables: Sequence[Term]) -> Term:
    return Term(">=", (linear(zip(row[:-1], variables, strict=True), row[-1]), num(0)))


@functools.cache
def _isl() -> ModuleType | None:
    try:
        import islpy  # slow to load
    except ImportError:
        return None
    return islpy


def default_solver() -> Solver:
    """The solver isl if it is installed, else Z3."""
    return "isl" if _isl() is not None else "z3"


class Failed(Exception):
    """A failure of isl other than running out of operations; another solver answers instead."""


class Isl:
    """isl for one question in one thread: in its own context, within the remaining budget."""

    __slots__ = ("budget", "context", "cost")

    def __init__(self, budget: Budget, cells: int = 0) -> None:
        """`cells`: constraints times variables of a search for points; an operation's time is proportional to it.

        Raises SymviewError if islpy is not installed.
        """
        self.budget = budget.started()
        self.cost = max(_LEAST_COST, cells * _COST_OF_CELLS[0] // _COST_OF_CELLS[1])
        self.context = self.budget.kept("isl", lambda: require_isl().Context())

    def ask(self, question: Callable[[], T]) -> T:
        """Runs a question on objects of this context.

        isl has no clock and stops only by its count of operations. So it works in slices, each of which restarts and is
        larger than the one before; the last slice fits into the remaining time. Raises Undecided when the budget ends,
        Failed for other failures of isl.
        """
        error_kind, slice_ = require_isl().Error, max(50, _FIRST_SLICE // self.cost)
        most = max(1, min(self.budget.left() // self.cost, _MOST_OPERATIONS))
        while True:
            self.budget.check()
            operations, began = min(slice_, most), monotonic()
            self.context.reset_operations()
            self.context.set_max_operations(operations)
            try:
                found = question()
            except error_kind as error:
                if self._made():  # the count did not stop it
                    raise Failed(str(error)) from error
                self.budget.count(operations * self.cost)
                slice_ = self._next_slice(operations, most, monotonic() - began)
            else:
                self.budget.count(self._used() * self.cost)
                return found

    def _next_slice(self, operations: int, most: int, took: float) -> int:
        self.budget.check()
        if operations == most:
            raise Undecided(f"isl stopped after {operations} of its operations: allow more work")
        seconds = self.budget.seconds_left()
        if seconds is None:
            return 4 * operations
        allowed = int(operations * seconds / max(took, 1e-6))
        if 2 * allowed < 3 * operations:
            raise Undecided(f"isl stopped after {operations} of its operations: {self.budget.ending()}")
        return min(4 * operations, allowed)

    def _used(self) -> int:
        """The operations since the last reset, as the next power of two."""
        bound = 32
        self.context.set_max_operations(bound)
        while not self._made():
            bound *= 2
            self.context.set_max_operations(bound)
        self.context.set_max_operations(0)
        return bound

    def _made(self) -> bool:
        """Whether isl can still make an object, which takes one operation."""
        isl = require_isl()
        try:
            isl.Val.zero(self.context)
        except isl.Error:
            return False
        return True


def require_isl() -> ModuleType:
    """The isl package; raises SymviewError if it is not installed."""
    isl = _isl()
    if isl is None:
        raise SymviewError("this question needs isl: pip install islpy")
    return isl


def point(system: System, budget: Budget = DEFAULT, solver: Solver | None = None) -> Row | None:
    """Some index that satisfies the system, or None.

    Raises Undecided when the budget runs out first.

    >>> point(System((5,), 0, ((2, -7),), (((1, -1),),)))
    (4,)
    """
    budget = budget.started()
    if (solver or default_solver()) == "z3":
        return _z3_point(system, budget)
    try:
        return _isl_point(system, budget)
    except Failed:
        return _z3_point(system, budget)


def _isl_point(system: System, budget: Budget) -> Row | None:
    isl = Isl(budget, system.cells())
    for branch in _isl_branches(system, isl):
        if not isl.ask(branch.is_empty):
            return _coordinates(isl.ask(branch.sample_point), len(system.sizes))
    return None


def least(
    system: System, budget: Budget = DEFAULT, solver: Solver | None = None, order: Sequence[Row] | None = None
) -> Row | None:
    """The index smallest by its sum, then lexicographically, or None.

    `order` replaces the sum by several weighed sums, with nonnegative weights, compared in turn. Raises Undecided when
    the budget runs out first.
    """
    budget = budget.started()
    weights = ((1,) * len(system.sizes),) if order is None else tuple(order)
    if (solver or default_solver()) == "z3":
        return _bisect(system, budget, "z3", weights)
    try:
        return _isl_lexmin(system, budget.at_most(_LEXMIN_WORK), weights)
    except (Undecided, Failed):  # lexmin is either fast or very slow; emptiness tests are predictable
        return _bisect(system, budget, "isl", weights)


def _isl_lexmin(system: System, budget: Budget, order: Sequence[Row]) -> Row | None:
    """Uses isl's lexmin; raises Failed if that misses points, as it may if an equation contains weights."""
    isl, found = Isl(budget, system.cells()), list[Row]()
    for branch in _isl_branches(system, isl, order):
        lowest = isl.ask(branch.lexmin)
        if not lowest.is_empty():
            found.append(_coordinates(lowest.sample_point(), len(order) + len(system.sizes)))
        elif not isl.ask(branch.is_empty):
            raise Failed("isl finds no least point of a set that has points")
    return min(found)[len(order) :] if found else None


def _bisect(system: System, budget: Budget, solver: Solver, order: Sequence[Row]) -> Row | None:
    """Minimises one weighed sum after the other, then the coordinates, each by bisection."""
    best = point(system, budget, solver)
    if best is None:
        return None
    rank = len(system.sizes)
    for weights in (*order, *(unit(j, rank) for j in range(rank))):
        found = partial(_point_at_most, system, weights, budget, solver)
        best = least_by_halving(best, partial(dot, weights), found)
        system = _at_most(system, weights, dot(weights, best))
    return best


def _point_at_most(system: System, weights: Row, budget: Budget, solver: Solver, most: int) -> Row | None:
    return point(_at_most(system, weights, most), budget, solver)


def _at_most(system: System, weights: Row, most: int) -> System:
    return replace(system, rows=(*system.rows, (*[-w for w in weights], *[0] * system.hidden, most)))


def _isl_branches(system: System, isl: Isl, order: Sequence[Row] = ()) -> list[islpy.BasicSet]:
    """One basic set per branch, over the weighed sums, the indices and the hidden variables.

    Uses isl's matrix notation (one row per constraint: 0 for an equation or 1 for an inequality, the coefficients, the
    constant), which isl reads much faster than formulas.
    """
    rank, ahead = len(system.sizes), [0] * len(order)
    width = len(order) + rank + system.hidden
    rows = [[0, *[-x for x in unit(n, len(order))], *weights, *[0] * (system.hidden + 1)]
            for n, weights in enumerate(order)]  # fmt: skip
    for j, size in enumerate(system.sizes):
        own = [*unit(j, rank), *[0] * system.hidden]
        rows += [[1, *ahead, *own, 0], [1, *ahead, *[-x for x in own], size - 1]]
    rows += [[1, *ahead, *r] for r in system.rows]
    lines = _lines(rows)
    texts = [[*lines, *_lines([1, *ahead, *r] for r in branch)] for branch in system.branches]
    read = require_isl().BasicSet.read_from_str

    def made(text: list[str]) -> Any:
        head = f"{len(text)} {width + 2} {width} 0 0 0"
        return isl.ask(lambda: read(isl.context, "\n".join([head, *text])))

    return [made(text) for text in texts]


def _lines(rows: Iterable[Iterable[int]]) -> list[str]:
    return [" ".join(map(str, row)) for row in rows]


def _coordinates(found: islpy.Point, count: int) -> Row:
    isl = require_isl()
    return tuple(int(found.get_coordinate_val(isl.dim_type.set, j).to_python()) for j in range(count))


def _z3_point(system: System, budget: Budget) -> Row | None:
    answer = solve([system.formula()], budget)
    if isinstance(answer, Open):
        raise Undecided(answer.reason)
    shown = system.names()[: len(system.sizes)]
    return tuple([answer.model.get(v, 0) for v in shown]) if isinstance(answer, Sat) else None


def coordinate(axis: int) -> str:
    """The isl name of a coordinate, independent of its own name."""
    return f"p{axis}"


def spelled(form: Affine) -> str:
    """A form of the coordinates in isl's notation."""
    return "+".join([*(f"({w}*{coordinate(k)})" for k, w in enumerate(form.weights) if w), f"({form.constant})"])


class SizeSet:
    """A set of integer points with one coordinate per parameter; `names` are the parameters' names in formulas.

    Every operation is a question to isl within the budget: it raises Undecided when that ends, Failed for other
    failures of isl.

    >>> m_n = SizeSet.where(["p0 >= 1", "p1 >= 1", "p0 + p1 <= 3"], ("m", "n"), Budget())
    >>> m_n.point(), m_n.is_empty(), (m_n - m_n).is_empty()
    ((1, 1), False, True)
    """

    __slots__ = ("_isl", "_set", "names")

    def __init__(self, found: islpy.Set, names: tuple[str, ...], isl: Isl) -> None:
        self._set, self.names, self._isl = found, names, isl

    @staticmethod
    def where(parts: Sequence[str], names: tuple[str, ...], budget: Budget, exists: Sequence[str] = ()) -> SizeSet:
        """The points at which all parts hold, in isl's notation over p0, p1, … and the variables `exists`."""
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
        """The budget of its operations."""
        return self._isl.budget

    def within(self, budget: Budget) -> SizeSet:
        """The same set, within another budget of the same question."""
        return SizeSet(self._set, self.names, Isl(budget))

    def _made(self, make: Callable[[], islpy.Set]) -> SizeSet:
        return SizeSet(self._isl.ask(make), self.names, self._isl)

    def __and__(self, other: SizeSet) -> SizeSet:
        return self._made(lambda: self._set.intersect(other._set))

    def __or__(self, other: SizeSet) -> SizeSet:
        return self._made(lambda: self._set.union(other._set))

    def __sub__(self, other: SizeSet) -> SizeSet:
        return self._made(lambda: self._set.subtract(other._set))

    def is_empty(self) -> bool:
        """Whether the set contains no point."""
        return bool(self._isl.ask(self._set.is_empty))

    def simplified(self) -> SizeSet:
        """The same set with fewer pieces, and with explicit divisions."""
        return self._made(lambda: self._set.compute_divs().coalesce())

    def point(self) -> tuple[int, ...] | None:
        """The lexicographically least point; None if there is none, or no least one."""
        found = self._isl.ask(self._set.sample_point)
        return None if found.is_void() else self._coordinates(found)

    def most(self, axis: int) -> int | None:
        """The largest value of one coordinate of a nonempty set; None if unbounded."""
        found = self._isl.ask(lambda: self._set.dim_max_val(axis))
        return None if found.is_infty() else _int(found)

    def least(self, axis: int) -> int | None:
        """The smallest value of one coordinate of a nonempty set; None if unbounded."""
        found = self._isl.ask(lambda: self._set.dim_min_val(axis))
        return None if found.is_neginfty() else _int(found)

    def points(self) -> list[tuple[int, ...]]:
        """All points, for small sets."""

        def listed() -> list[tuple[int, ...]]:
            found: list[islpy.Point] = []
            self._set.foreach_point(found.append)
            return list(map(self._coordinates, found))

        return sorted(self._isl.ask(listed))

    def _coordinates(self, point: islpy.Point) -> tuple[int, ...]:
        kind = require_isl().dim_type.set
        return tuple([_int(point.get_coordinate_val(kind, j)) for j in range(len(self.names))])

    def formula(self, given: SizeSet | None = None) -> Term:
        """The set as a formula over its names, simplified under the assumption `given`."""
        simple = (self if given is None else self._made(lambda: self._set.gist(given._set))).simplified()
        if simple.is_empty():
            return FALSE
        return self._isl.ask(lambda: disj(_conjunction(b, self.names) for b in simple._set.get_basic_sets()))


def _conjunction(piece: islpy.BasicSet, names: Sequence[str]) -> Term:
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


def _comparison(
    constraint: islpy.Constraint, kinds: type[islpy.dim_type], variables: Sequence[Term], count: int
) -> Term:
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


def _int(value: islpy.Val) -> int:
    return int(value.to_python())
