"""The only module that uses Z3: formulas in, a final answer out."""

from __future__ import annotations

import _thread
import functools
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, reduce
from itertools import starmap
from time import monotonic, process_time
from types import ModuleType
from typing import TYPE_CHECKING, TypeAlias

from symview.errors import InternalError
from symview.logic.arithmetic import in_arithmetic, lowered
from symview.logic.budget import DEFAULT, MOST_SECONDS, Budget
from symview.logic.interrupts import pass_arguments_at_once
from symview.logic.terms import OPERATORS, Term, names, node_count, nonzero_divisors, value_of, walk

if TYPE_CHECKING:
    import z3

BitVector: TypeAlias = "z3.BitVecRef"
Claim: TypeAlias = "z3.BoolRef"

_JOINED = {"+": "add", "-": "sub", "*": "mul", "and": "and", "or": "or", "!=": "distinct"}  # n-ary functions
_CALLED = {
    "==": "eq", "<->": "eq", "<": "lt", "<=": "le", ">": "gt", ">=": "ge", "->": "implies",
    "not": "not", "neg": "unary_minus", "if": "ite",
}  # fmt: skip


_RECURSIVE = {"gcd": ("a", "b"), "floor_sum": ("count", "divisor", "step", "start")}
_WORK_PER_NODE = 30  # work per node of a formula for Z3
_ENDLESS = "arith.nl.optimize_bounds"  # in Z3 5.4 this may tighten bounds forever, without counting steps
_A_SECOND = 3_000_000  # steps, about
_SLOWER, _PATIENCE = 10, 5.0  # how much longer than that any machine may take: a factor, and seconds more
_AGAIN = 0.05  # seconds until Z3 is interrupted again


@cache  # Z3 accepts one definition of a name per context
def _recursive(op: str, z3: ModuleType, context: z3.Context) -> z3.FuncDeclRef:
    """The function with its recursive definition: a sum without its last quotient, and Euclid's algorithm."""
    integer, names = z3.IntSort(context), _RECURSIVE[op]
    function = z3.RecFunction(f"symview.{op}", *[integer] * len(names), integer)
    x = [z3.Int(name, context) for name in names]
    if op == "gcd":
        body = z3.If(x[1] == 0, z3.If(x[0] < 0, -x[0], x[0]), function(x[1], x[0] % x[1]))
    else:
        count, divisor, step, start = x
        top = start + (count - 1) * step
        last = z3.If(divisor > 0, top / divisor, -top / -divisor)
        body = z3.If(count <= 0, 0, last + function(count - 1, divisor, step, start))
    z3.RecAddDefinition(function, x, body)
    return function


class Builder:
    """Builds the nodes of one expression, and keeps them alive until it is complete."""

    def __init__(self, z3: ModuleType, context: z3.Context, variables: dict[str, z3.ArithRef]) -> None:
        self.z3, self.context, self.variables = z3, context, variables
        self.ref, self.integers = context.ref(), z3.IntSort(context).ast
        self.held = z3.AstVector(ctx=context)

    def expression(self, term: Term) -> z3.ExprRef:
        """The expression, as an object of Z3's class for it."""
        node = self.node(term)
        if term.op == "int":
            return self.z3.IntNumRef(node, self.context)
        return (self.z3.BoolRef if term.is_formula() else self.z3.ArithRef)(node, self.context)

    def node(self, term: Term) -> z3.Ast:
        """The node of a term; division is floor division."""
        op, args = term
        if op == "int":
            return self._number(args[0])
        if op == "sym":
            return self._variable(args[0])
        if op == "bool":
            return self._held(self.z3.Z3_mk_true(self.ref) if args[0] else self.z3.Z3_mk_false(self.ref))
        if op in _RECURSIVE and lowered(term) == term:
            return self._called(op, [self.node(a) for a in args])
        if not OPERATORS[op].smt2 and op not in ("min", "max"):
            return self.node(in_arithmetic(term))
        v = [self.node(a) for a in args]
        if op in ("//", "%"):
            return self._divided(op, *v)
        if op == "abs":
            return self._chosen(">=", v[0], self._number(0), v[0], self._made("neg", v[0]))
        if op in ("min", "max"):
            return reduce(lambda a, b: self._chosen("<=" if op == "min" else ">=", a, b, a, b), v)
        return self._made(op, *v)

    def _called(self, op: str, nodes: list[z3.Ast]) -> z3.Ast:
        """Calls a function that Z3 unfolds where it knows the values; further operands are folded in one by one."""
        decl = _recursive(op, self.z3, self.context)
        while True:
            first, nodes = nodes[: decl.arity()], nodes[decl.arity() :]
            found = self._held(self.z3.Z3_mk_app(self.ref, decl.ast, len(first), (self.z3.Ast * len(first))(*first)))
            if not nodes:
                return found
            nodes = [found, *nodes]

    def _divided(self, op: str, a: z3.Ast, b: z3.Ast) -> z3.Ast:
        """Z3's own division has a nonnegative remainder, so it is floor division for a positive divisor."""
        div = self.z3.Z3_mk_div
        if self._is_positive(b):
            return self._held((div if op == "//" else self.z3.Z3_mk_mod)(self.ref, a, b))
        sides = ((a, b), (self._made("neg", a), self._made("neg", b)))
        up, down = starmap(lambda x, y: self._held(div(self.ref, x, y)), sides)
        quotient = self._chosen(">", b, self._number(0), up, down)
        return quotient if op == "//" else self._made("-", a, self._made("*", b, quotient))

    def _is_positive(self, node: z3.Ast) -> bool:
        """Whether the node is a positive number."""
        is_number = self.z3.Z3_get_ast_kind(self.ref, node) == self.z3.Z3_NUMERAL_AST
        return is_number and int(self.z3.Z3_get_numeral_string(self.ref, node)) > 0

    def _chosen(self, relation: str, a: z3.Ast, b: z3.Ast, yes: z3.Ast, no: z3.Ast) -> z3.Ast:
        return self._made("if", self._made(relation, a, b), yes, no)

    def _made(self, op: str, *nodes: z3.Ast) -> z3.Ast:
        if op in _JOINED:
            make = getattr(self.z3, f"Z3_mk_{_JOINED[op]}")
            return self._held(make(self.ref, len(nodes), (self.z3.Ast * len(nodes))(*nodes)))
        return self._held(getattr(self.z3, f"Z3_mk_{_CALLED[op]}")(self.ref, *nodes))

    def _number(self, value: int) -> z3.Ast:
        return self._held(self.z3.Z3_mk_numeral(self.ref, str(value), self.integers))

    def _variable(self, name: str) -> z3.Ast:
        if name not in self.variables:
            self.variables[name] = self.z3.Int(name, self.context)
        return self.variables[name].ast

    def _held(self, node: z3.Ast) -> z3.Ast:
        self.z3.Z3_ast_vector_push(self.ref, self.held.vector, node)
        return node


@dataclass(frozen=True, slots=True)
class Sat:
    """Satisfiable; `model` has a value for every variable, and was replayed in plain integers."""

    model: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Unsat:
    """No values satisfy the formulas."""


@dataclass(frozen=True, slots=True)
class Open:
    """Z3 gave up within the budget; `reason` is its explanation."""

    reason: str


Answer: TypeAlias = Sat | Unsat | Open


@functools.cache
def _z3() -> ModuleType:
    import z3  # slow to load
    from z3 import z3core, z3types  # slow to load

    pass_arguments_at_once(z3core, z3types)
    return z3  # type: ignore[no-any-return]


def load() -> None:
    """Imports Z3, so that a question's clock does not include the import."""
    _z3()


class Session:
    """Z3 for one question in one thread: it has its own context, so no answer depends on other questions.

    Most questions are small and linear, and take less time than creating a solver: these share one solver. All solvers
    are Z3's plain SMT core: the further tactics of its default solver are bounded by the clock, so their answers vary.
    """

    def __init__(self) -> None:
        self.z3 = _z3()
        self.context = self.z3.Context()
        self.z3.Z3_enable_concurrent_dec_ref(self.context.ref())  # the garbage collector may run in any thread
        self.variables: dict[str, z3.ArithRef] = {}
        self.counted = 0

    @functools.cached_property
    def quick(self) -> z3.Solver:
        """The shared solver."""
        return self.solver()

    def solver(self) -> z3.Solver:
        """A new solver."""
        made = self.z3.SimpleSolver(ctx=self.context)
        with suppress(self.z3.Z3Exception):  # other versions of Z3 lack this parameter
            made.set(_ENDLESS, False)
        return made

    def expression(self, term: Term) -> z3.ExprRef:
        """The term in this context."""
        return to_z3(term, self.variables, self.context)

    def check(self, solver: z3.Solver, budget: Budget, assumed: Sequence[z3.BoolRef] = ()) -> z3.CheckSatResult | str:
        """Z3's own answer within the remaining budget, or the reason why there is none.

        Squares whose bounds raise each other run forever without a step that Z3 counts. A clock ends that, long after
        the steps would have been done, and the time it took counts as work.
        """
        work, seconds = budget.left(), budget.seconds_left()
        if budget.is_over():
            return f"Z3 gave up: {budget.ending()}"
        patience = min(_PATIENCE + _SLOWER * work / _A_SECOND, MOST_SECONDS)
        limits = {"ctrl_c": False, "rlimit": min(work, 2**32 - 1)}
        solver.set(**limits, **({"random_seed": budget.seed} if budget.seed else {}))
        before, clock = self.counted, _Clock(patience, seconds)
        result, late = self._within(clock, solver, assumed)
        self.counted = _steps(solver.statistics())
        spent = self.counted - before
        budget.count(max(spent, int(clock.used() * _A_SECOND)) if late and clock.used() >= patience else spent)
        if result == self.z3.unsat or (result == self.z3.sat and not late):  # an interrupt may have destroyed the model
            return result
        if late or spent >= work:
            return f"Z3 gave up: {budget.ending() if budget.is_over() else f'{work} steps were not enough'}"
        return f"Z3 gave up: {solver.reason_unknown()}"

    def _forget_interrupt(self) -> None:
        """Ends an interrupt that came just after Z3's answer: it would end the next question instead."""
        with suppress(self.z3.Z3Exception):
            self.solver().check()

    def _within(
        self, clock: _Clock, solver: z3.Solver, assumed: Sequence[z3.BoolRef]
    ) -> tuple[z3.CheckSatResult, bool]:
        """Z3's own answer, and whether it was interrupted at the end of the time.

        Z3 runs in its own thread, since it does not always respect its time limit, and since this thread reacts to
        Ctrl-C only while it waits in Python. It waits for a lock: Ctrl-C in `Thread.join` marks a running thread as
        ended, and Z3 would run on; Ctrl-C in `Event.wait` may become another error. A browser has no threads: there the
        steps alone bound it.
        """
        if sys.platform == "emscripten":
            return solver.check(*assumed), False
        found, running = list["z3.CheckSatResult | BaseException"](), _thread.allocate_lock()
        questions = [lambda: solver.check(*assumed)]
        running.acquire()

        def ask() -> None:
            try:
                found.append(questions.pop()())
            except BaseException as error:  # it is raised in the other thread
                found.append(error)
            finally:
                running.release()  # by now this thread has no solver that it could free while the other one makes terms

        _thread.start_new_thread(ask, ())
        try:
            late = True
            while late and (left := clock.left()) > 0:
                late = not running.acquire(timeout=max(left, _AGAIN / 5))
        finally:
            while not found:
                self.context.interrupt()
                running.acquire(timeout=_AGAIN)
            if late:
                self._forget_interrupt()
        if isinstance(found[0], BaseException):
            raise found[0]
        return found[0], late


class _Clock:
    """The time that Z3 has: seconds of work of this process, whatever else the machine does, and of the question."""

    def __init__(self, patience: float, seconds: float | None) -> None:
        self.patience, self.seconds = patience, seconds
        self.started, self.before = monotonic(), process_time()

    def used(self) -> float:
        """The seconds so far: the process's own, which with several threads pass faster than the world's."""
        return min(monotonic() - self.started, process_time() - self.before)

    def left(self) -> float:
        """The seconds until one of the two may be over."""
        left = self.patience - self.used()
        return left if self.seconds is None else min(left, self.seconds - (monotonic() - self.started))


def _steps(statistics: z3.Statistics) -> int:
    """The number of steps that the context has done; it is near the end of Z3's statistics."""
    numbers = (statistics[n] for n in reversed(range(len(statistics))))
    return next(int(value) for key, value in numbers if key == "rlimit count")


def session_of(budget: Budget) -> Session:
    """The session of the running question, or a new one for this call."""
    return budget.kept("z3", Session)


def check(formulas: Iterable[Term], budget: Budget = DEFAULT) -> Answer:
    """Whether integers satisfy all formulas.

    A model is evaluated in Python integers before it is returned, so a wrong model raises InternalError and never
    becomes an answer. Division and remainder are floor division; only values with nonzero divisors count.

    >>> from symview.logic.terms import sym, num
    >>> check([Term("==", (num(1), Term("*", (num(3), sym("b")))))])
    Unsat()
    """
    formulas = tuple(formulas)
    session = session_of(budget)
    if not _is_small(formulas):
        return Conversation(budget, session).check(formulas)
    session.quick.push()
    try:
        return Conversation(budget, session, session.quick).check(formulas)
    finally:
        session.quick.pop()


class Conversation:
    """One solver to which formulas are added; what Z3 has learned stays.

    >>> from symview.logic.terms import sym, num
    >>> talk = Conversation()
    >>> talk.check([Term(">", (sym("b"), num(0)))]), talk.check([Term("<", (sym("b"), num(1)))])
    (Sat(model={'b': 1}), Unsat())
    """

    def __init__(
        self, budget: Budget = DEFAULT, session: Session | None = None, solver: z3.Solver | None = None
    ) -> None:
        self.session, self.budget = session or session_of(budget), budget
        self.solver = self.session.solver() if solver is None else solver
        self.said = list[Term]()

    def check(self, more: Iterable[Term] = ()) -> Answer:
        """Whether integers satisfy all formulas so far and these; the budget is for each call."""
        more = tuple(more)
        formulas = (*more, *nonzero_divisors(more))
        self.budget.count(_WORK_PER_NODE * node_count(*formulas))
        for formula in formulas:
            self.solver.add(self.session.expression(formula))
        self.said += formulas
        result = self.session.check(self.solver, self.budget)
        if isinstance(result, str):
            return Open(result)
        if result == self.session.z3.unsat:
            return Unsat()
        return Sat(self._replayed(self.solver.model()))

    def _replayed(self, model: z3.ModelRef) -> dict[str, int]:
        """The values of the model; raises unless all formulas are true there in Python integers."""
        known = self.session.variables
        values = {n: model.eval(known[n], model_completion=True).as_long() for n in names(*self.said)}
        for formula in self.said:
            if not value_of(formula, values):
                raise InternalError(f"a model of Z3 does not replay: {formula} at {values}")
        return values


def needed(facts: Sequence[Term], budget: Budget) -> list[int] | None:
    """The positions of facts that are already unsatisfiable together; None if Z3 does not prove it.

    >>> from symview.logic.terms import sym, num
    >>> needed([Term(">", (sym("a"), num(0))), Term(">", (sym("b"), num(0))), Term("<", (sym("b"), num(1)))], DEFAULT)
    [1, 2]
    """
    session = session_of(budget)
    solver, left = session.solver(), [*range(len(facts))]
    names = [session.z3.Bool(f"#{n}", session.context) for n in left]
    for name, fact in zip(names, facts, strict=True):
        solver.add(session.z3.Implies(name, session.expression(fact)))
    while True:
        found = session.check(solver, budget, [names[n] for n in left])
        if isinstance(found, str) or found != session.z3.unsat:
            return None
        core = {str(name) for name in solver.unsat_core()}
        fewer = [n for n in left if str(names[n]) in core]
        if len(fewer) == len(left):
            return left
        left = fewer


def _is_small(formulas: tuple[Term, ...]) -> bool:
    """Whether the formulas are linear and few; such questions leave nothing behind in a shared solver."""
    nodes = 0
    for formula in formulas:
        for node in walk(formula):
            nodes += 1
            if nodes > 2000 or (node.op == "*" and sum(a.op != "int" for a in node.args) > 1):
                return False
    return True


def to_z3(term: Term, variables: dict[str, z3.ArithRef] | None = None, context: z3.Context | None = None) -> z3.ExprRef:
    """The term as a Z3 expression over integer constants, which are shared through `variables`.

    It belongs to Z3's main context unless another one is given.
    """
    z3 = _z3()
    return Builder(z3, context or z3.main_ctx(), {} if variables is None else variables).expression(term)
