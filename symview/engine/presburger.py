"""Integer points of a system of linear inequalities; the one door to isl.

Where islpy cannot be imported, or where asked for, Z3 answers the same questions, slower.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any, Literal

from symview.errors import SymviewError, Undecided
from symview.logic import z3_door as smt
from symview.logic.budget import DEFAULT, Budget
from symview.logic.terms import Term, conj, disj, linear, num, sym

Row = tuple[int, ...]
Solver = Literal["isl", "z3"]
_WORK_PER_OPERATION = 1000  # one operation of isl takes about as long as a thousand of Z3's
_OPERATIONS_PER_SECOND = 2500  # at worst; isl has no clock of its own
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


def require_isl() -> ModuleType:
    """The isl package; SymviewError where it is not installed."""
    isl = _isl()
    if isl is None:
        raise SymviewError("islpy is not installed: install it, or use the solver z3")
    return isl


@functools.cache
def context() -> Any:
    """The one context in which isl works."""
    return require_isl().Context()


def default_solver() -> Solver:
    """Isl where it is installed, else Z3."""
    return "isl" if _isl() is not None else "z3"


def point(system: System, budget: Budget = DEFAULT, solver: Solver | None = None) -> Row | None:
    """Some index that satisfies the system, or None where there is none.

    Raises Undecided when the budget runs out first.

    >>> point(System((5,), 0, ((2, -7),), (((1, -1),),)))
    (4,)
    """
    if (solver or default_solver()) == "z3":
        return _z3_point(system, budget)
    try:
        return _isl_point(system, budget)
    except Failed:
        return _z3_point(system, budget)


def _isl_point(system: System, budget: Budget) -> Row | None:
    branches = _isl_branches(system)
    with Quota(budget):
        found = next((b.sample_point() for b in branches if not b.is_empty()), None)
    return None if found is None else _coordinates(found, len(system.sizes))


def least(
    system: System, budget: Budget = DEFAULT, solver: Solver | None = None, order: Sequence[Row] | None = None
) -> Row | None:
    """The index smallest by its sum, then lexicographically, or None where there is none.

    `order`: weights from 0 up whose sums count instead of the sum, one after the other.
    Raises Undecided when the budget runs out first.
    """
    weights = ((1,) * len(system.sizes),) if order is None else tuple(order)
    if (solver or default_solver()) == "z3":
        return _bisect(system, budget, "z3", weights)
    try:
        return _isl_lexmin(system, budget.at_most(_LEXMIN_WORK), weights)
    except (Undecided, Failed):  # lexmin is quick or very slow; emptiness tests are steady
        return _bisect(system, budget, "isl", weights)


def _isl_lexmin(system: System, budget: Budget, order: Sequence[Row]) -> Row | None:
    branches = _isl_branches(system, order)
    with Quota(budget):
        lowest = [m for b in branches if not (m := b.lexmin()).is_empty()]
    found = [_coordinates(m.sample_point(), len(system.sizes) + len(order)) for m in lowest]
    return min(found)[len(order) :] if found else None


def _bisect(system: System, budget: Budget, solver: Solver, order: Sequence[Row]) -> Row | None:
    """One weighed sum after the other, then the coordinates, each by halving."""
    best = point(system, budget, solver)
    if best is None:
        return None
    rank, pad = len(system.sizes), (0,) * system.hidden
    for weights in (*order, *(_unit(j, rank) for j in range(rank))):
        low, high = 0, _dot(weights, best)
        while low < high:
            middle = (low + high) // 2
            below = replace(system, rows=(*system.rows, (*[-w for w in weights], *pad, middle)))
            found = point(below, budget, solver)
            if found is None:
                low = middle + 1
            else:
                best, high = found, _dot(weights, found)
        system = replace(system, rows=(*system.rows, (*[-w for w in weights], *pad, low)))
    return best


def _unit(axis: int, rank: int) -> Row:
    return tuple([int(a == axis) for a in range(rank)])


def _dot(a: Row, b: Row) -> int:
    return sum(x * y for x, y in zip(a, b, strict=True))


class Failed(Exception):
    """A failure inside isl other than running out of operations; another way answers instead."""


class Quota:
    """Bounds the operations of isl inside the block; running out raises Undecided.

    Blocks may stand in one another; each counts from its own start.
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        allowed = min(max(1, budget.work // _WORK_PER_OPERATION), _MOST_OPERATIONS)
        clock = _MOST_OPERATIONS if budget.timeout is None else max(1, int(budget.timeout * _OPERATIONS_PER_SECOND))
        self.operations = min(allowed, clock)

    def __enter__(self) -> None:
        isl = context()
        self.outside = isl.get_max_operations()
        isl.reset_operations()
        isl.set_max_operations(self.operations)

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        context().reset_operations()
        context().set_max_operations(self.outside)
        if kind is None or not issubclass(kind, require_isl().Error):
            return
        if "operations" not in str(error):
            raise Failed(str(error)) from error
        raise Undecided(f"isl stopped after {self.operations} of its operations: allow more work") from error


def _isl_branches(system: System, order: Sequence[Row] = ()) -> list[Any]:
    isl = require_isl()
    names = system.names()
    shown, hidden = names[: len(system.sizes)], names[len(system.sizes) :]
    base = [f"0<={v}<{n}" for v, n in zip(shown, system.sizes, strict=True)]
    base += [_isl_row(r, names) for r in system.rows]
    totals = [f"total{n}" for n in range(len(order))]
    for total, weights in zip(totals, order, strict=True):
        base.append(f"{total}={'+'.join(f'{w}{v}' for w, v in zip(weights, shown, strict=True) if w) or '0'}")
    shown = [*totals, *shown]
    exists = f"exists {','.join(hidden)}: " if hidden else ""
    sets = []
    for rows in system.branches:
        body = " and ".join([*base, *(_isl_row(r, names) for r in rows)]) or "true"
        sets.append(isl.Set.read_from_str(context(), f"{{[{','.join(shown)}]: {exists}{body}}}"))
    return sets


def _isl_row(row: Row, names: Sequence[str]) -> str:
    terms = "".join(f"{c:+d}{v}" for c, v in zip(row[:-1], names, strict=True) if c)
    return f"0{terms}{row[-1]:+d}>=0"


def _coordinates(found: Any, count: int) -> Row:
    isl = require_isl()
    return tuple(int(found.get_coordinate_val(isl.dim_type.set, j).to_python()) for j in range(count))


def _z3_point(system: System, budget: Budget) -> Row | None:
    answer = smt.check([system.formula()], budget)
    if isinstance(answer, smt.Open):
        raise Undecided(answer.reason)
    shown = system.names()[: len(system.sizes)]
    return tuple([answer.model.get(v, 0) for v in shown]) if isinstance(answer, smt.Sat) else None
