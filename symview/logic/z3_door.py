"""The one door to Z3: formulas in, a closed verdict out, and the same formulas as SMT-LIB."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any, TypeAlias

from symview.errors import InternalError
from symview.logic.budget import DEFAULT, Budget
from symview.logic.terms import Term, names, nonzero_divisors, value_of, walk


@dataclass(frozen=True, slots=True)
class Sat:
    """Satisfiable; `model` gives every variable a value, replayed in plain integers."""

    model: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Unsat:
    """No values satisfy the formulas."""


@dataclass(frozen=True, slots=True)
class Open:
    """Z3 gave up within the budget; `reason` is its own word for why."""

    reason: str


Answer: TypeAlias = Sat | Unsat | Open


@functools.cache
def _z3() -> ModuleType:
    import z3

    return z3  # type: ignore[no-any-return]


def check(formulas: Iterable[Term], budget: Budget = DEFAULT) -> Answer:
    """Whether integers satisfy all the formulas.

    A model is evaluated in Python's own integers before it is returned, so a wrong model
    raises InternalError and is never an answer. Division and remainder are floor division;
    only values at which no divisor is 0 count.

    >>> from symview.logic.terms import sym, num
    >>> check([Term("==", (num(1), Term("*", (num(3), sym("b")))))])
    Unsat()
    """
    formulas = tuple(formulas)
    z3 = _z3()
    return _Asked(z3.SimpleSolver() if _is_small(formulas) else z3.Solver(), budget).and_now(formulas)


class Conversation:
    """One question asked again and again as formulas are added; what Z3 has learned stays.

    >>> from symview.logic.terms import sym, num
    >>> talk = Conversation()
    >>> talk.check([Term(">", (sym("b"), num(0)))]), talk.check([Term("<", (sym("b"), num(1)))])
    (Sat(model={'b': 1}), Unsat())
    """

    def __init__(self, budget: Budget = DEFAULT) -> None:
        self._asked = _Asked(_z3().SimpleSolver(), budget)

    def check(self, more: Iterable[Term] = ()) -> Answer:
        """Whether integers satisfy everything said so far and these; the budget is for each call."""
        return self._asked.and_now(tuple(more))


class _Asked:
    """A solver with what it was told."""

    def __init__(self, solver: Any, budget: Budget) -> None:
        self.solver, self.said = solver, list[Term]()
        self.variables: dict[str, Any] = {}
        _apply(budget, solver)

    def and_now(self, formulas: tuple[Term, ...]) -> Answer:
        formulas = (*formulas, *nonzero_divisors(formulas))
        for formula in formulas:
            self.solver.add(to_z3(formula, self.variables))
        self.said += formulas
        z3 = _z3()
        result = self.solver.check()
        if result == z3.unsat:
            return Unsat()
        if result == z3.unknown:
            return Open(f"Z3 gave up: {self.solver.reason_unknown()}")
        return Sat(self.replayed(self.solver.model()))

    def replayed(self, model: Any) -> dict[str, int]:
        known = self.variables
        values = {n: model.eval(known[n], model_completion=True).as_long() for n in names(*self.said)}
        for formula in self.said:
            if not value_of(formula, values):
                raise InternalError(f"a model of Z3 does not replay: {formula} at {values}")
        return values


def _is_small(formulas: tuple[Term, ...]) -> bool:
    """Linear and few: the plain solver starts faster than the tactic-driven one."""
    nodes = 0
    for formula in formulas:
        for node in walk(formula):
            nodes += 1
            if nodes > 2000 or (node.op == "*" and sum(a.op != "int" for a in node.args) > 1):
                return False
    return True


def _apply(budget: Budget, solver: Any) -> None:
    solver.set("rlimit", min(budget.work, 2**32 - 1))
    solver.set("random_seed", budget.seed)
    if budget.timeout is not None:
        solver.set("timeout", max(1, int(budget.timeout * 1000)))


def to_z3(term: Term, variables: dict[str, Any] | None = None) -> Any:
    """The term as a Z3 expression over integer constants, which are shared through `variables`."""
    z3 = _z3()
    shared: dict[str, Any] = {} if variables is None else variables
    op, args = term
    if op == "int":
        return z3.IntVal(args[0])
    if op == "bool":
        return z3.BoolVal(args[0])
    if op == "sym":
        if args[0] not in shared:
            shared[args[0]] = z3.Int(args[0])
        return shared[args[0]]
    return _build(z3, op, [to_z3(a, shared) for a in args])


def _is_positive(z3: ModuleType, value: Any) -> bool:
    return bool(z3.is_int_value(value)) and value.as_long() > 0


def _floor(z3: ModuleType, a: Any, b: Any) -> Any:
    """Z3 rounds so that the remainder is not negative, which is down for a positive divisor alone."""
    return a / b if _is_positive(z3, b) else z3.If(b > 0, a / b, -a / -b)


def _build(z3: ModuleType, op: str, v: list[Any]) -> Any:
    match op:
        case "+":
            return z3.Sum(v) if len(v) > 2 else v[0] + v[1]
        case "*":
            return z3.Product(v) if len(v) > 2 else v[0] * v[1]
        case "-":
            return v[0] - v[1]
        case "neg":
            return -v[0]
        case "//":
            return _floor(z3, v[0], v[1])
        case "%":
            return v[0] % v[1] if _is_positive(z3, v[1]) else v[0] - v[1] * _floor(z3, v[0], v[1])
        case "abs":
            return z3.If(v[0] >= 0, v[0], -v[0])
        case "min" | "max":
            return functools.reduce(lambda a, b: z3.If((a <= b) if op == "min" else (a >= b), a, b), v)
        case "==" | "<->":
            return v[0] == v[1]
        case "!=":
            return v[0] != v[1]
        case "<":
            return v[0] < v[1]
        case "<=":
            return v[0] <= v[1]
        case ">":
            return v[0] > v[1]
        case ">=":
            return v[0] >= v[1]
        case "and":
            return z3.And(v)
        case "or":
            return z3.Or(v)
        case "not":
            return z3.Not(v[0])
        case "->":
            return z3.Implies(v[0], v[1])
    raise InternalError(f"unknown operator {op!r}")
