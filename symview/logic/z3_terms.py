"""Terms as Z3 expressions, made by Z3's C functions.

Z3's operators for Python ask for the sorts of both operands again at each node, which takes longer than most questions.
Terms have known sorts, so here each node is one call.
"""

from __future__ import annotations

from functools import cache, reduce
from itertools import starmap
from types import ModuleType
from typing import Any

from symview.logic.arithmetic import in_arithmetic, told
from symview.logic.operators import OPERATORS
from symview.logic.terms import Term

_JOINED = {"+": "add", "-": "sub", "*": "mul", "and": "and", "or": "or", "!=": "distinct"}  # of many operands
_CALLED = {
    "==": "eq", "<->": "eq", "<": "lt", "<=": "le", ">": "gt", ">=": "ge", "->": "implies",
    "not": "not", "neg": "unary_minus", "if": "ite",
}  # fmt: skip


_RECURSIVE = {"gcd": ("a", "b"), "floor_sum": ("count", "divisor", "step", "start")}


@cache  # Z3 takes one definition of a name in a context
def _recursive(op: str, z3: ModuleType, context: Any) -> Any:
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

    def __init__(self, z3: ModuleType, context: Any, variables: dict[str, Any]) -> None:
        self.z3, self.context, self.variables = z3, context, variables
        self.ref, self.integers = context.ref(), z3.IntSort(context).ast
        self.held = z3.AstVector(ctx=context)

    def expression(self, term: Term) -> Any:
        """The expression, as Z3's own class for it."""
        node = self.node(term)
        if term.op == "int":
            return self.z3.IntNumRef(node, self.context)
        return (self.z3.BoolRef if term.is_formula() else self.z3.ArithRef)(node, self.context)

    def node(self, term: Term) -> Any:
        """The node of a term; division is floor division."""
        op, args = term
        if op == "int":
            return self._number(args[0])
        if op == "sym":
            return self._variable(args[0])
        if op == "bool":
            return self._held(self.z3.Z3_mk_true(self.ref) if args[0] else self.z3.Z3_mk_false(self.ref))
        if op in _RECURSIVE and told(term) == term:
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

    def _called(self, op: str, nodes: list[Any]) -> Any:
        """A function that Z3 unfolds where it knows the values; of more operands, of one after the other."""
        decl = _recursive(op, self.z3, self.context)
        while True:
            first, nodes = nodes[: decl.arity()], nodes[decl.arity() :]
            found = self._held(self.z3.Z3_mk_app(self.ref, decl.ast, len(first), (self.z3.Ast * len(first))(*first)))
            if not nodes:
                return found
            nodes = [found, *nodes]

    def _divided(self, op: str, a: Any, b: Any) -> Any:
        """Z3's own division keeps the remainder from 0 up, which by a positive number is floor division."""
        div = self.z3.Z3_mk_div
        if self._is_positive(b):
            return self._held((div if op == "//" else self.z3.Z3_mk_mod)(self.ref, a, b))
        sides = ((a, b), (self._made("neg", a), self._made("neg", b)))
        up, down = starmap(lambda x, y: self._held(div(self.ref, x, y)), sides)
        quotient = self._chosen(">", b, self._number(0), up, down)
        return quotient if op == "//" else self._made("-", a, self._made("*", b, quotient))

    def _is_positive(self, node: Any) -> bool:
        """Whether it is a number above 0."""
        is_number = self.z3.Z3_get_ast_kind(self.ref, node) == self.z3.Z3_NUMERAL_AST
        return is_number and int(self.z3.Z3_get_numeral_string(self.ref, node)) > 0

    def _chosen(self, relation: str, a: Any, b: Any, yes: Any, no: Any) -> Any:
        return self._made("if", self._made(relation, a, b), yes, no)

    def _made(self, op: str, *nodes: Any) -> Any:
        if op in _JOINED:
            make = getattr(self.z3, f"Z3_mk_{_JOINED[op]}")
            return self._held(make(self.ref, len(nodes), (self.z3.Ast * len(nodes))(*nodes)))
        return self._held(getattr(self.z3, f"Z3_mk_{_CALLED[op]}")(self.ref, *nodes))

    def _number(self, value: int) -> Any:
        return self._held(self.z3.Z3_mk_numeral(self.ref, str(value), self.integers))

    def _variable(self, name: str) -> Any:
        if name not in self.variables:
            self.variables[name] = self.z3.Int(name, self.context)
        return self.variables[name].ast

    def _held(self, node: Any) -> Any:
        self.z3.Z3_ast_vector_push(self.ref, self.held.vector, node)
        return node
