"""Integer points of a system of linear inequalities; the one door to isl.

Where islpy cannot be imported, or where asked for, Z3 answers the same questions, slower.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic
from types import ModuleType
from typing import Any, Literal, TypeVar

from symview.engine.row_space import Row, dot, unit
from symview.errors import SymviewError, Undecided
from symview.logic.budget import DEFAULT, Budget
from symview.logic.points import least_by_halving
from symview.logic.solve import Open, Sat, solve
from symview.logic.terms import Term, conj, disj, linear, num, sym

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

    `hidden` counts the variables after those; they are determined by the first ones.
    `branches`: at least one of these systems of rows holds as well.
    """

    sizes: tuple[int, ...]
    hidden: int
    rows: tuple[Row, ...]
    branches: tuple[tuple[Row, ...], ...]

    def names(self) -> list[str]:
        """i0, i1, … for the indices, c0, c1, … for the hidden variables."""
        return [f"i{j}" for j in range(len(self.sizes))] + [f"c{j}" for j in range(self.hidden)]

    def cells(self) -> int:
        """How many coefficients its rows have; those beyond 64 bits count more, since cuts make them longer yet."""
        rank = len(self.sizes)
        longest = max([abs(x) for row in (self.sizes, *self.rows) for x in row], default=0)
        return (2 * rank + len(self.rows)) * (rank + self.hidden) * (1 + longest.bit_length() // 64) ** 3

    def formula(self) -> Term:
        """The same as one formula."""
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
        import islpy
    except ImportError:
        return None
    return islpy


def default_solver() -> Solver:
    """Isl where it is installed, else Z3."""
    return "isl" if _isl() is not None else "z3"


class Failed(Exception):
    """A failure inside isl other than running out of operations; another way answers instead."""


class Isl:
    """Isl for one question in one thread: in a context of its own, within what is left of the budget."""

    __slots__ = ("budget", "context", "cost")

    def __init__(self, budget: Budget, cells: int = 0) -> None:
        """`cells`: constraints times variables of a search for points, which the time of an operation goes with.

        Raises SymviewError where islpy is not installed.
        """
        self.budget = budget.started()
        self.cost = max(_LEAST_COST, cells * _COST_OF_CELLS[0] // _COST_OF_CELLS[1])
        self.context = self.budget.kept("isl", lambda: require_isl().Context())

    def ask(self, question: Callable[[], T]) -> T:
        """What the question comes to, on objects of this context.

        Isl knows no clock, and is stopped only by its count of operations: it works in slices, each from
        the start again and larger than the one before, and the last no longer than the time that is left.
        Raises Undecided when the budget ends, Failed for other failures of isl.
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
                if self._made():  # so it was not the count that stopped it
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
        """Whether isl may make an object still, which takes one operation."""
        isl = require_isl()
        try:
            isl.Val.zero(self.context)
        except isl.Error:
            return False
        return True


def require_isl() -> ModuleType:
    """The isl package; SymviewError where it is not installed."""
    isl = _isl()
    if isl is None:
        raise SymviewError("islpy is not installed: install it, or use the solver z3")
    return isl


def point(system: System, budget: Budget = DEFAULT, solver: Solver | None = None) -> Row | None:
    """Some index that satisfies the system, or None where there is none.

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
    """The index smallest by its sum, then lexicographically, or None where there is none.

    `order`: weights from 0 up whose sums count instead of the sum, one after the other.
    Raises Undecided when the budget runs out first.
    """
    budget = budget.started()
    weights = ((1,) * len(system.sizes),) if order is None else tuple(order)
    if (solver or default_solver()) == "z3":
        return _bisect(system, budget, "z3", weights)
    try:
        return _isl_lexmin(system, budget.at_most(_LEXMIN_WORK), weights)
    except (Undecided, Failed):  # lexmin is quick or very slow; emptiness tests are steady
        return _bisect(system, budget, "isl", weights)


def _isl_lexmin(system: System, budget: Budget, order: Sequence[Row]) -> Row | None:
    isl, found = Isl(budget, system.cells()), list[Row]()
    for branch in _isl_branches(system, isl, order):
        lowest = isl.ask(branch.lexmin)
        if not lowest.is_empty():
            found.append(_coordinates(lowest.sample_point(), len(order) + len(system.sizes)))
    return min(found)[len(order) :] if found else None


def _bisect(system: System, budget: Budget, solver: Solver, order: Sequence[Row]) -> Row | None:
    """One weighed sum after the other, then the coordinates, each by halving."""
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


def _isl_branches(system: System, isl: Isl, order: Sequence[Row] = ()) -> list[Any]:
    """One basic set a branch, over the weighed sums, the indices and the hidden variables.

    Read from isl's matrix notation (one row a constraint: 0 for an equation or 1 for "at least 0", the
    coefficients, the constant), which takes a small part of the time that formulas take.
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


def _coordinates(found: Any, count: int) -> Row:
    isl = require_isl()
    return tuple(int(found.get_coordinate_val(isl.dim_type.set, j).to_python()) for j in range(count))


def _z3_point(system: System, budget: Budget) -> Row | None:
    answer = solve([system.formula()], budget)
    if isinstance(answer, Open):
        raise Undecided(answer.reason)
    shown = system.names()[: len(system.sizes)]
    return tuple([answer.model.get(v, 0) for v in shown]) if isinstance(answer, Sat) else None
