"""TVM's rules: `TVM_TRY_REWRITE_IF(left, right, condition)` and its like in src/arith/rewrite_simplify.cc.

Values do not wrap, as TVM assumes for indices. A rule states whether its division truncates or rounds down; `/` and `%`
in its conditions are C++'s. What TVM proves about a match (`CanProveLess`) becomes an assumption.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

from symview.readers.cpp import Found, Reader, Token, calls, tokens_of
from symview.readers.expressions import (
    FALSE,
    TRUE,
    Node,
    Skipped,
    Stated,
    by_truncation,
    called,
    conjuncts,
    constants_of,
    function,
    named,
    number,
    operand,
    parts,
    replaced,
    stated,
)
from symview.readers.rules import Rule

_TVM_VECTORS = {"ramp", "broadcast", "ContainsVscaleCall"}
_TVM_PROVES = {"CanProveGreaterEqual": ">=", "CanProveLess": "<", "CanProveEqual": "=="}
_TVM_CONSTANTS = {"ZeroWithTypeLike": number(0), "OneWithTypeLike": number(1)}
_MACROS = [f"TVM_TRY_{recursive}REWRITE{when}" for recursive, when in product(("", "RECURSIVE_"), ("", "_IF"))]
_VISITOR = re.compile(r"(?:VisitExpr_ \( const |ApplyRewriteRules \( )(\w+?)(?:Node)? (?:\* op|ret)$")
_KNOWN = ("IsIndexTypedExpr", "IsVectorExpr")  # conditions on types that add nothing to what is read


def tvm(checkout: Path, zero: bool = False) -> Iterator[Rule]:
    """The rules of a checkout that TVM's macros state, including those that could not be read.

    `zero` has no effect: TVM's divisors are not 0.
    """
    path = checkout / "src" / "arith" / "rewrite_simplify.cc"
    if not path.is_file():
        return
    for found in calls(tokens_of(path.read_text(encoding="utf-8")), _MACROS, _VISITOR):
        if found.visitor:  # calls without a visitor are in the macros' own definitions
            yield from _rules(found, f"src/arith/{path.name}")


def _rules(found: Found, path: str) -> Iterator[Rule]:
    around = tuple(g for g in found.guards if not g.startswith(_KNOWN))
    rule = Rule(f"{found.visitor} {found.line}", path, found.line, found.visitor, around=around)
    try:
        if any("kDLUInt" in g for g in found.guards):
            raise Skipped("about unsigned types")
        if len(found.args) not in (2, 3):
            raise Skipped("a call of another form")
        left, right, *condition = (Reader(_untyped(argument)).whole() for argument in found.args)
        conditions = [replaced(c, _tvm_condition) for given in condition for c in conjuncts(given)]
        alternatives = left.args[1:] if called(left) in ("matches_one_of", "PMatchesOneOf") else (left,)
        for n, side in enumerate(alternatives, 1):
            which = f" ({n} of {len(alternatives)})" if len(alternatives) > 1 else ""
            said = _tvm_stated(side, right, conditions)
            yield rule.saying(said, rule.name + which, constants_of(side, right, *conditions))
    except Skipped as reason:
        yield rule.unread(reason)


def _untyped(tokens: Sequence[Token]) -> list[Token]:
    """The tokens without the types of `PConst<PrimExpr>(…)` and `ty.as_or_throw<PrimType>()`."""
    typed = [n for n, token in enumerate(tokens) if token.text in ("PConst", "as_or_throw")]
    dropped = {at for n in typed for at in range(n + 1, n + 4)}
    return [token for n, token in enumerate(tokens) if n not in dropped]


def _tvm_stated(left: Node, right: Node, conditions: Sequence[Node]) -> Stated:
    if _TVM_VECTORS & named(left, right, *conditions):
        raise Skipped("about vectors")
    left, right = replaced(left, _tvm_plain), replaced(right, _tvm_plain)
    truncating = any(called(n).startswith("trunc") for side in (left, right) for n in parts(side))
    if truncating:
        left, right, *conditions = (replaced(n, by_truncation) for n in (left, right, *conditions))
    else:
        conditions = [replaced(replaced(c, _as_floor), _by_absolute_values) for c in conditions]
    return stated(left, right, conditions)


def _tvm_plain(node: Node) -> Node | None:
    """Replaces TVM's functions by those of the notation."""
    if str(node) in ("ctrue", "cfalse"):
        return TRUE if str(node) == "ctrue" else FALSE
    if called(node) in _TVM_CONSTANTS:
        return _TVM_CONSTANTS[called(node)]
    if called(node) == "PConst":
        return operand(node, 1)
    if called(node) == "IntImm":
        return replaced(node.args[2], _tvm_condition)
    return None


def _tvm_condition(node: Node) -> Node | None:
    """A condition on values: `x.Eval()->value` becomes x; `/` and `%` truncate."""
    if node.op == "member" and node.args[1] == "value":
        return operand(node)
    if node.op == "call" and (inner := node.args[0]).op == "member" and inner.args[1] == "Eval":
        return operand(inner)
    if called(node) in _TVM_PROVES:
        return Node(_TVM_PROVES[called(node)], node.args[1:])
    if node.op in ("/", "%"):
        return function("truncdiv" if node.op == "/" else "truncmod", *node.args)
    if node.op == "<=" and "SideEffect" in str(node):
        return TRUE
    return None


def _as_floor(node: Node) -> Node | None:
    """C++'s remainder by the floor one: `a % b == 0` is the same, and (a % b + b) % b is a % b."""
    if node.op == "==" and called(node.args[0]) == "truncmod" and node.args[1] == number(0):
        return Node("==", (function("floormod", *node.args[0].args[1:]), number(0)))
    if called(node) == "truncmod" and node.args[1].op == "+":
        inner, b = node.args[1].args
        if called(inner) == "truncmod" and inner.args[2] == b == node.args[2]:
            return function("floormod", *inner.args[1:])
    return None


def _by_absolute_values(node: Node) -> Node | None:
    """C++'s a % b by the floor one: that of the absolute values, with the sign of a."""
    if called(node) != "truncmod":
        return None
    a, b = node.args[1:]
    size = function("abs", b)
    below = Node("neg", (function("floormod", Node("neg", (a,)), size),))
    return function("select", Node(">=", (a, number(0))), function("floormod", a, size), below)
