"""The one door to Z3: formulas in, a closed verdict out."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, reduce
from itertools import starmap
from time import monotonic
from types import ModuleType
from typing import TYPE_CHECKING, TypeAlias

from symview.errors import InternalError
from symview.logic.arithmetic import in_arithmetic, lowered
from symview.logic.budget import DEFAULT, Budget
from symview.logic.terms import OPERATORS, Term, names, node_count, nonzero_divisors, value_of, walk

if TYPE_CHECKING:
    import z3

BitVector: TypeAlias = "z3.BitVecRef"
Claim: TypeAlias = "z3.BoolRef"

_JOINED = {"+": "add", "-": "sub", "*": "mul", "and": "and", "or": "or", "!=": "distinct"}  # of many operands
_CALLED = {
    "==": "eq", "<->": "eq", "<": "lt", "<=": "le", ">": "gt", ">=": "ge", "->": "implies",
    "not": "not", "neg": "unary_minus", "if": "ite",
}  # fmt: skip


_RECURSIVE = {"gcd": ("a", "b"), "floor_sum": ("count", "divisor", "step", "start")}
_WORK_PER_NODE = 30  # of work to tell Z3 one node of a formula
_ENDLESS = "arith.nl.optimize_bounds"  # in Z3 5.4 this tightens bounds without end, and counts no steps
_A_SECOND = 3_000_000  # steps, about
_SLOWER, _PATIENCE = 10, 5.0  # times, and seconds more, in which Z3 does so many steps on any machine
_AGAIN = 0.05  # seconds after which Z3 is interrupted once more


@cache  # Z3 takes one definition of a name in a context
def _recursive(op: str, z3: ModuleType, context: z3.Context) -> z3.FuncDeclRef:
    """The function with its definition: a sum without its last quotient, and Euclid's algorithm."""
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
    """Makes the nodes of one expression, and holds them until it is done."""

    def __init__(self, z3: ModuleType, context: z3.Context, variables: dict[str, z3.ArithRef]) -> None:
        self.z3, self.context, self.variables = z3, context, variables
        self.ref, self.integers = context.ref(), z3.IntSort(context).ast
        self.held = z3.AstVector(ctx=context)

    def expression(self, term: Term) -> z3.ExprRef:
        """The expression, as Z3's own class for it."""
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
        """A function that Z3 unfolds where it knows the values; of more operands, of one after the other."""
        decl = _recursive(op, self.z3, self.context)
        while True:
            first, nodes = nodes[: decl.arity()], nodes[decl.arity() :]
            found = self._held(self.z3.Z3_mk_app(self.ref, decl.ast, len(first), (self.z3.Ast * len(first))(*first)))
            if not nodes:
                return found
            nodes = [found, *nodes]

    def _divided(self, op: str, a: z3.Ast, b: z3.Ast) -> z3.Ast:
        """Z3's own division keeps the remainder from 0 up, which by a positive number is floor division."""
        div = self.z3.Z3_mk_div
        if self._is_positive(b):
            return self._held((div if op == "//" else self.z3.Z3_mk_mod)(self.ref, a, b))
        sides = ((a, b), (self._made("neg", a), self._made("neg", b)))
        up, down = starmap(lambda x, y: self._held(div(self.ref, x, y)), sides)
        quotient = self._chosen(">", b, self._number(0), up, down)
        return quotient if op == "//" else self._made("-", a, self._made("*", b, quotient))

    def _is_positive(self, node: z3.Ast) -> bool:
        """Whether it is a number above 0."""
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


def load() -> None:
    """Imports Z3, which no clock of a question is to count."""
    _z3()


class Session:
    """Z3 for one question in one thread: a context of its own, so that no answer depends on what others ask.

    Most questions are small and linear, and take less time than making a solver: for these, one is kept. All solvers
    are Z3's SMT core alone: what its default solver tries besides is bounded by the clock, so that its answers vary.
    """

    def __init__(self) -> None:
        self.z3 = _z3()
        self.context = self.z3.Context()
        self.z3.Z3_enable_concurrent_dec_ref(self.context.ref())  # the garbage collector may run in any thread
        self.variables: dict[str, z3.ArithRef] = {}
        self.counted = 0

    @functools.cached_property
    def quick(self) -> z3.Solver:
        """The solver that is kept."""
        return self.solver()

    def solver(self) -> z3.Solver:
        """A new solver."""
        made = self.z3.SimpleSolver(ctx=self.context)
        with suppress(self.z3.Z3Exception):  # other versions of Z3 do not have it
            made.set(_ENDLESS, False)
        return made

    def expression(self, term: Term) -> z3.ExprRef:
        """The term in this context."""
        return to_z3(term, self.variables, self.context)

    def check(self, solver: z3.Solver, budget: Budget, assumed: Sequence[z3.BoolRef] = ()) -> z3.CheckSatResult | str:
        """Z3's own answer within what is left of the budget, or why there is none.

        Squares whose bounds raise each other go on without end and without a step that Z3 counts: there the clock ends
        it, long after the steps would have been done, and what it took counts as work.
        """
        work, seconds = budget.left(), budget.seconds_left()
        if budget.is_over():
            return f"Z3 gave up: {budget.ending()}"
        patience = _PATIENCE + _SLOWER * work / _A_SECOND
        longest = patience if seconds is None else min(patience, seconds)
        limits = {"ctrl_c": False, "rlimit": min(work, 2**32 - 1)}
        solver.set(**limits, **({"random_seed": budget.seed} if budget.seed else {}))
        before, started = self.counted, monotonic()
        result, late = self._within(longest, solver, assumed)
        self.counted = _steps(solver.statistics())
        spent, took = self.counted - before, monotonic() - started
        budget.count(max(spent, int(took * _A_SECOND)) if late and longest == patience else spent)
        if result == self.z3.unsat or (result == self.z3.sat and not late):  # an interrupt may have taken the model
            return result
        if late or spent >= work:
            return f"Z3 gave up: {budget.ending() if budget.is_over() else f'{work} steps were not enough'}"
        return f"Z3 gave up: {solver.reason_unknown()}"

    def _within(
        self, seconds: float, solver: z3.Solver, assumed: Sequence[z3.BoolRef]
    ) -> tuple[z3.CheckSatResult, bool]:
        """Z3's own answer, and whether it was interrupted since the time was over.

        Z3 works in a thread of its own, since it does not always keep to a time limit that it is given, and since this
        thread hears Ctrl-C only while it waits in Python.
        """
        found = list["z3.CheckSatResult | z3.Z3Exception"]()

        def ask() -> None:
            try:
                found.append(solver.check(*assumed))
            except self.z3.Z3Exception as error:
                found.append(error)

        thread = threading.Thread(target=ask, daemon=True)
        thread.start()
        try:
            thread.join(seconds)
            late = thread.is_alive()
        finally:
            while thread.is_alive():
                self.context.interrupt()
                thread.join(_AGAIN)
        if isinstance(found[0], Exception):
            raise found[0]
        return found[0], late


def _steps(statistics: z3.Statistics) -> int:
    """How many steps the context has done; the number stands near the end of Z3's statistics."""
    numbers = (statistics[n] for n in reversed(range(len(statistics))))
    return next(int(value) for key, value in numbers if key == "rlimit count")


def session_of(budget: Budget) -> Session:
    """The session of the running question, or a new one for this call."""
    return budget.kept("z3", Session)


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
    session = session_of(budget)
    if not _is_small(formulas):
        return Conversation(budget, session).check(formulas)
    session.quick.push()
    try:
        return Conversation(budget, session, session.quick).check(formulas)
    finally:
        session.quick.pop()


class Conversation:
    """One question asked again and again as formulas are added; what Z3 has learned stays.

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
        """Whether integers satisfy everything said so far and these; the budget is for each call."""
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
        """The values of the model, at which all that was said is true in Python's integers too."""
        known = self.session.variables
        values = {n: model.eval(known[n], model_completion=True).as_long() for n in names(*self.said)}
        for formula in self.said:
            if not value_of(formula, values):
                raise InternalError(f"a model of Z3 does not replay: {formula} at {values}")
        return values


def needed(facts: Sequence[Term], budget: Budget) -> list[int] | None:
    """Which of the facts no integers satisfy together already, by their places; None where Z3 does not see it.

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
    """Linear and few: such questions leave nothing behind in a solver that is kept."""
    nodes = 0
    for formula in formulas:
        for node in walk(formula):
            nodes += 1
            if nodes > 2000 or (node.op == "*" and sum(a.op != "int" for a in node.args) > 1):
                return False
    return True


def to_z3(term: Term, variables: dict[str, z3.ArithRef] | None = None, context: z3.Context | None = None) -> z3.ExprRef:
    """The term as a Z3 expression over integer constants, which are shared through `variables`.

    It belongs to Z3's main context unless another is given.
    """
    z3 = _z3()
    return Builder(z3, context or z3.main_ctx(), {} if variables is None else variables).expression(term)
