"""tinygrad's rules: pairs of a `UPat` and a lambda in symbolic.py, parsed as Python.

Values are integers, though most rules are used for floats too. `//` and `%` of a UOp round down if tinygrad has an
operation FLOORDIV, otherwise they truncate; for `c.arg` and `c.val` they are Python's, which round down. `x.vmin >= 0`
becomes the assumption x >= 0; a bound that is used in another way becomes a name. A lambda that chooses (`a if p else
b`) gives a rule for each choice, and a pattern of several operations one for each of these that is about integers. The
variable of a loop is from 0 on and below its end. No value is `Invalid`, and how a value is calculated is no condition
on it. Calls of functions are not read. A rule that calculates with Python's numbers is read only for integers, since
these do not wrap.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

from symview.readers.expressions import (
    FALSE,
    TRUE,
    Booleans,
    Node,
    Skipped,
    by_truncation,
    called,
    conjuncts,
    function,
    number,
    parts,
    replaced,
    stated,
)
from symview.readers.operations import Groups, of_one_operation, with_patterns
from symview.readers.rules import INTEGERS, SIGNED, UNSIGNED, Rule

_FILES = ("symbolic.py", "divandmod.py")
_BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
           ast.LShift: "<<", ast.RShift: ">>"}  # fmt: skip
_COMPARED = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
_OPS = {"ADD": "+", "SUB": "-", "MUL": "*", "IDIV": "//", "MOD": "%", "MAX": "max", "CMPLT": "<", "CMPNE": "!=",
        "CMPEQ": "==", "AND": "&", "OR": "|", "XOR": "^", "FLOORDIV": "//", "FLOORMOD": "%",
        "SHL": "<<", "SHR": ">>", "WHERE": "select"}  # fmt: skip
_METHODS = {"maximum": "max", "minimum": "min", "where": "select", "ne": "!=", "eq": "=="}
_OF_BOOLEANS = {"&": "&&", "*": "&&", "|": "||", "+": "||", "max": "||"}
_SIGNED, _UNSIGNED = re.compile(r"\b(ints|sints|int\d*)\b"), re.compile(r"\b(ints|uints|uint\d+)\b")  # dtypes
_KINDS = {
    "about floats": ("reciprocal", "exp2", "sqrt", "log2", "sin", "pow", "POW", "RECIPROCAL", "EXP2", "SQRT"),
    "about types": ("CAST", "BITCAST", "cast", "bitcast", "broadcast"),
    "about memory and order": ("store", "load", "index", "or_casted", "reduce", "replace"),
    "how constants are folded": ("CONST",),
}
_SIGNS = {"floordiv": "//", "truncdiv": "//", "floormod": "%", "truncmod": "%"}
_VALUES = ("arg", "val")


def tinygrad(checkout: Path, zero: bool = False) -> Iterator[Rule]:
    """The rules of a checkout, or of an installed package, including those that could not be read.

    `zero` has no effect: tinygrad's divisors are not 0.
    """
    floors = any("FLOORDIV" in path.read_text(encoding="utf-8") for path in checkout.rglob("ops.py"))
    groups = Groups.of(checkout, _OPS)
    for name in _FILES:
        for path in sorted(checkout.rglob(name)):
            tree = with_patterns(ast.parse(path.read_text(encoding="utf-8")))
            for statement in tree.body:
                place = path.relative_to(checkout).as_posix()
                yield from _rules_in(statement, place, "floor" if floors else "trunc", groups)


def _rules_in(statement: ast.stmt, path: str, division: str, groups: Groups) -> Iterator[Rule]:
    """The rules of one statement of a module, in the order of their lines."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    where = target.id if isinstance(target, ast.Name) else getattr(statement, "name", "")
    pairs = [n for n in ast.walk(statement) if isinstance(n, ast.Tuple) and len(n.elts) == 2 and _is_rule(*n.elts)]
    within = {id(p) for n in pairs for p in ast.walk(n.elts[0])}  # operands of a pattern
    loops = {id(n.elt): n.generators[0] for n in ast.walk(statement) if isinstance(n, ast.GeneratorExp | ast.ListComp)}
    for pair in sorted([p for p in pairs if id(p) not in within], key=lambda n: (n.lineno, n.col_offset)):
        rule = Rule(f"{Path(path).stem} {pair.lineno}", path, pair.lineno, where)
        each = of_one_operation(pair, loops.get(id(pair)), groups)
        read, unread = list[Rule](), list[Rule]()
        for operation, (pattern, result) in each.items():
            named = replace(rule, name=f"{rule.name} {operation}".rstrip())
            try:
                read += _rules(named, division, pattern, result)
            except Skipped as reason:
                unread.append(named.unread(reason))
        yield from [*read, *unread] if read else unread[:1]


def _is_rule(pattern: ast.expr, result: ast.expr) -> bool:
    named = {n.id for n in ast.walk(pattern) if isinstance(n, ast.Name)}
    return "UPat" in named and isinstance(result, ast.Lambda | ast.Name | ast.Attribute)


def _rules(rule: Rule, division: str, pattern: ast.expr, result: ast.expr) -> Iterator[Rule]:
    """A rule for each path through the lambda that returns a value."""
    read = _Pattern(division)
    left = read.expression(pattern)
    if not isinstance(result, ast.Lambda):
        raise Skipped("what a function computes")
    ways = [way for way in _ways(result.body, ()) if not _is_none(way[-1])]
    for n, (conditions, chosen) in enumerate(((way[:-1], way[-1]) for way in ways), 1):
        give = _Result(division, read.named, read.booleans)
        right = give.expression(chosen)
        known = [*read.known, *[c for test in conditions for c in conjuncts(give.condition(test))]]
        if FALSE in known:
            continue
        nodes = give.with_bounds(left, right, known)
        said = stated(nodes[0], nodes[1], nodes[2:], read.is_boolean(left))
        which = f" ({n} of {len(ways)})" if len(ways) > 1 else ""
        wraps = not any(map(give.calculates, (*conditions, chosen)))
        signs = "".join(s for s in SIGNED + UNSIGNED if wraps and all(s in of for of in read.signs))
        typed = Rule(rule.name + which, rule.path, rule.line, rule.where, signs=signs)
        yield typed.saying(said, constants=tuple(sorted(set(read.constants))))


def _ways(body: ast.expr, before: tuple[ast.expr, ...]) -> Iterator[tuple[ast.expr, ...]]:
    """The conditions on each path through the choices of a lambda, followed by its result."""
    if isinstance(body, ast.IfExp):
        yield from _ways(body.body, (*before, body.test))
        yield from _ways(body.orelse, (*before, ast.UnaryOp(ast.Not(), body.test)))
    else:
        yield (*before, body)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


@dataclass
class _Expressions:
    """Parses Python expressions over UOps: `named` are the parts of the pattern, `booleans` the names of type bool.

    `division` is the kind of division of UOps.
    """

    division: str = "trunc"
    named: dict[str, Node] = field(default_factory=dict)
    booleans: set[str] = field(default_factory=set)

    def expression(self, node: ast.expr) -> Node:
        """A UOp, or a Python number."""
        match node:
            case ast.Constant(value=bool(value)):
                return TRUE if value else FALSE
            case ast.Constant(value=int(value)):
                return number(value)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return Node("neg", (self.expression(inner),))
            case ast.BinOp(left=left, op=ast.FloorDiv() | ast.Mod(), right=right):
                kind = "floor" if self.is_python(left) and self.is_python(right) else self.division
                name = "div" if isinstance(node.op, ast.FloorDiv) else "mod"
                return function(kind + name, self.expression(left), self.expression(right))
            case ast.BinOp(left=left, right=right) if type(node.op) in _BINARY:
                return self.operated(_BINARY[type(node.op)], self.expression(left), self.expression(right))
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARED:
                return self.operated(_COMPARED[type(op)], self.expression(left), self.expression(right))
            case ast.Call(func=ast.Attribute(value=value, attr=method), args=args):
                return self.method(node, value, method, args)
            case ast.BinOp(op=ast.Div()):
                raise Skipped("about floats")
        raise Skipped(f"Python beyond expressions: {ast.unparse(node)}")

    def method(self, node: ast.Call, value: ast.expr, method: str, args: Sequence[ast.expr]) -> Node:
        """The result of a method of a UOp or of a pattern."""
        if method in _METHODS:
            return self.operated(_METHODS[method], *map(self.expression, (value, *args)))
        if method == "logical_not":
            return Node("!", (self.expression(value),))
        if method == "alu" and args:
            return self.operated(self.operator(args[0]), *map(self.expression, (value, *args[1:])))
        if method == "cast" and args:
            return self.cast(self.expression(value), ast.unparse(args[0]))
        if method == "trunc":
            return self.expression(value)
        raise Skipped(next((kind for kind, words in _KINDS.items() if method in words), f"about {method}"))

    def cast(self, inner: Node, dtype: str) -> Node:
        """A cast from or to booleans."""
        if dtype.startswith("dtypes.bool"):
            return inner if self.is_boolean(inner) else Node("!=", (inner, number(0)))
        if self.is_boolean(inner) and "float" not in dtype:
            return function("select", inner, number(1), number(0))
        raise Skipped("about types")

    def operator(self, node: ast.expr) -> str:
        """The operator of `Ops.ADD`, or of `x.op` for a part of the pattern."""
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr="op") if name in self.named:
                part = self.named[name]
                return _SIGNS.get(called(part), called(part)) if part.op == "call" else part.op
        return _operation(node)

    def operated(self, op: str, *args: Node) -> Node:
        """An operation; its boolean version if its operands are booleans."""
        if op == "select" and args[0].op == "name":
            self.booleans.add(str(args[0]))
        if any(map(self.is_boolean, args)) and op in _OF_BOOLEANS:
            self.booleans.update(str(a) for a in args if a.op == "name")
            return Node(_OF_BOOLEANS[op], args)
        if op == "!=" and args[1] == TRUE:
            return Node("!", args[:1])
        if op == "<" and all(map(self.is_boolean, args)):
            return Node("&&", (Node("!", args[:1]), args[1]))
        if op in ("//", "%"):
            return function(self.division + ("div" if op == "//" else "mod"), *args)
        return function(op, *args) if op in ("max", "min", "select") else Node(op, args)

    def is_boolean(self, node: Node) -> bool:
        """Whether an expression is a boolean."""
        found = Booleans((), (), known=False)
        found.names = set(self.booleans)
        return found.boolean(node)

    def is_python(self, node: ast.expr) -> bool:
        """Whether an expression consists of Python's numbers, not of UOps."""
        names = [n for n in ast.walk(node) if isinstance(n, ast.Name) and n.id not in ("math", "abs")]
        numbers = [n for n in ast.walk(node) if isinstance(n, ast.Attribute) and n.attr in (*_VALUES, "vmin", "vmax")]
        return len(names) == len(numbers)


@dataclass
class _Pattern(_Expressions):
    """Parses the left side; `constants` are its `cvar`, `known` is what loops say, `signs` are those of types."""

    constants: list[str] = field(default_factory=list)
    known: list[Node] = field(default_factory=list)
    signs: list[str] = field(default_factory=list)
    fresh: Iterator[int] = field(default_factory=lambda: count(1))

    def expression(self, node: ast.expr) -> Node:
        """A pattern."""
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="UPat"), attr="var" | "cvar" as kind)):
                return self.variable(_argument(node, 0, "name"), _argument(node, 1, "dtype"), kind == "cvar")
            case ast.Call(func=ast.Name(id="UPat"), args=[], keywords=[]):
                return self.variable(None, None, False)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="UPat"), attr="const"), args=[_, *_]):
                return super().expression(_value(node))
            case ast.Call(func=ast.Attribute(value=ast.Name(id="UPat"), attr=method), args=[first, *rest]):
                return self.method(node, first, method, rest)
            case ast.Call(func=ast.Name(id="UPat")) if "Invalid" in ast.unparse(node):
                raise Skipped("about Invalid values")
            case ast.Call(func=ast.Name(id="UPat"), args=[operation, *_]):
                return self.operation(node, ast.unparse(operation).removeprefix("Ops."), operation)
        return super().expression(node)

    def operation(self, node: ast.Call, word: str, operation: ast.expr) -> Node:
        """`UPat(Ops.ADD, src=(…), name=…)`; without operands, any value of its type."""
        name, sources = _argument(node, 4, "name"), _argument(node, 2, "src")
        if word == "RANGE" and sources is not None:
            end = sources.elts[0] if isinstance(sources, ast.Tuple) else sources
            looped = self.variable(name, None, False)
            self.known += [Node(">=", (looped, number(0))), Node("<", (looped, self.expression(end)))]
            return looped
        op = _operation(operation)
        if sources is None and op not in _COMPARED.values():
            return self.variable(name, _argument(node, 1, "dtype"), False)
        if not isinstance(sources, ast.Tuple | ast.List):
            raise Skipped("a pattern of an operation without its operands")
        return self.called(name, self.operated(op, *map(self.expression, sources.elts)))

    def method(self, node: ast.Call, value: ast.expr, method: str, args: Sequence[ast.expr]) -> Node:
        """A pattern derived from another."""
        if method == "named":
            return self.called(args[0], self.expression(value))
        return super().method(node, value, method, args)

    def variable(self, name: ast.expr | None, dtype: ast.expr | None, constant: bool) -> Node:
        """A variable of a type; without a name it gets a fresh one."""
        text = name.value if isinstance(name, ast.Constant) and name.value else f"any{next(self.fresh)}"
        kind = "" if dtype is None or _is_none(dtype) else ast.unparse(dtype).replace("dtypes.", "")
        if "float" in kind or "void" in kind:
            raise Skipped("about floats" if "float" in kind else "about values of no type")
        if kind == "bool":
            self.booleans.add(str(text))
        if constant:
            self.constants.append(str(text))
        self.signs.append(_signs(kind))
        return self.called(ast.Constant(text), Node("name", (str(text),)))

    def called(self, name: ast.expr | None, node: Node) -> Node:
        """Lets the result refer to the node by this name."""
        if isinstance(name, ast.Constant) and name.value:
            self.named[str(name.value)] = node
        return node


class _Result(_Expressions):
    """Parses the result of a lambda, and its conditions; a bound of a UOp is a member `vmin` or `vmax`."""

    def expression(self, node: ast.expr) -> Node:
        """The result of the lambda."""
        match node:
            case ast.Name(id=name) if name in self.named:
                return self.named[name]
            case ast.Attribute(value=inner, attr=attribute) if attribute in _VALUES:
                return self.expression(inner)
            case ast.Attribute(value=inner, attr="vmin" | "vmax" as bound):
                return Node("member", (self.expression(inner), bound))
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="math"), attr="ceil" | "floor" as rounded), args=[inner]
            ):
                return self.rounded(inner, rounded)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="UOp"), attr="const"), args=[_, *_]):
                return self.expression(_value(node))
            case ast.Call(func=ast.Attribute(value=ast.Name(id="UOp"), attr=method), args=[first, *rest]) if (
                method in _METHODS
            ):
                return self.method(node, first, method, rest)
            case ast.Call(func=ast.Name(id="abs"), args=[inner]):
                return function("abs", self.expression(inner))
            case ast.Call(func=ast.Name()):
                raise Skipped("what a function computes")
            case ast.IfExp(test=test, body=body, orelse=orelse):
                chosen = self.condition(test)
                if FALSE in conjuncts(chosen):
                    return self.expression(orelse)
                return function("select", chosen, self.expression(body), self.expression(orelse))
        return super().expression(node)

    def method(self, node: ast.Call, value: ast.expr, method: str, args: Sequence[ast.expr]) -> Node:
        """A constant, or any other method."""
        if method == "const_like":
            return self.expression(args[0])
        return super().method(node, value, method, args)

    def rounded(self, inner: ast.expr, rounded: str) -> Node:
        """`math.ceil(a/b)` or `math.floor(a/b)` of Python's numbers."""
        if not (isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Div) and self.is_python(inner)):
            raise Skipped("about floats")
        a, b = self.expression(inner.left), self.expression(inner.right)
        if rounded == "floor":
            return function("floordiv", a, b)
        return Node("neg", (function("floordiv", Node("neg", (a,)), b),))

    def calculates(self, node: ast.expr) -> bool:
        """Whether the expression adds, multiplies, or divides Python's numbers from the match."""
        return any(
            isinstance(n, ast.BinOp) and (self.is_python(n.left) and self.is_python(n.right)) and _has_names(n)
            for n in ast.walk(node)
        )

    def condition(self, node: ast.expr) -> Node:
        """A condition in Python."""
        match node:
            case ast.BoolOp(op=op, values=[first, *more]):
                found = self.condition(first)
                for value in more:
                    if (FALSE in conjuncts(found)) if isinstance(op, ast.And) else found == TRUE:
                        return found if found == TRUE else FALSE
                    found = Node("&&" if isinstance(op, ast.And) else "||", (found, self.condition(value)))
                return found
            case ast.Attribute(attr="is_invalid"):
                return FALSE
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                found = self.condition(inner)
                return FALSE if found == TRUE else TRUE if found == FALSE else Node("!", (found,))
            case ast.Call(func=ast.Name(id="isinstance"), args=[_, ast.Name(id="float")]):
                return FALSE
            case ast.Compare(left=ast.Name(id=a), ops=[ast.IsNot()], comparators=[ast.Name(id=b)]) if (
                a in self.named and b in self.named
            ):
                return TRUE  # different UOps may have the same value
            case ast.Compare(left=ast.Attribute(value=ast.Name(id=name), attr="op")):
                return self.calculated_by(node, self.named.get(name, TRUE))
            case ast.Compare(left=left, ops=ops, comparators=[*comparators]) if len(ops) > 1:
                sides = (left, *comparators)
                chain = [ast.Compare(a, [op], [b]) for a, op, b in zip(sides, ops, comparators, strict=False)]
                return self.condition(ast.BoolOp(ast.And(), list(chain)))
            case ast.Compare():
                return self.expression(node)
        found = self.expression(node)
        return found if self.is_boolean(found) else Node("!=", (found, number(0)))

    def calculated_by(self, node: ast.Compare, part: Node) -> Node:
        """A condition on the operation of a part of the pattern: how a variable is calculated is none on its value."""
        other = node.comparators[0]
        if part.op == "name" or len(node.ops) > 1 or not isinstance(other, ast.Attribute):
            return TRUE
        same = isinstance(node.ops[0], ast.Is | ast.Eq)
        return TRUE if (self.operator(node.left) == _operation(other)) is same else FALSE

    def with_bounds(self, left: Node, right: Node, conditions: Sequence[Node]) -> list[Node]:
        """Sides and conditions, with the bounds replaced and, if they mix divisions, only truncating division."""
        nodes = [left, right, *conditions]
        if all(map(_grows, conditions)) and not any(n.op == "member" for n in parts(right)):
            nodes = [replaced(n, lambda m: m.args[0] if m.op == "member" else None) for n in nodes]
        else:
            bounded = {m for n in nodes for m in parts(n) if m.op == "member"}
            nodes = [replaced(n, lambda m: _bound(m) if m.op == "member" else None) for n in nodes]
            nodes += [
                Node("<=" if m.args[1] == "vmin" else ">=", (_bound(m), m.args[0])) for m in sorted(bounded, key=str)
            ]
        if any(called(m).startswith("trunc") for n in nodes for m in parts(n)):
            nodes = [replaced(n, by_truncation) for n in nodes]
        return nodes


def _grows(node: Node) -> bool:
    """Whether a condition that holds for some bounds also holds if each bound is the value itself."""
    if node.op in ("&&", "||"):
        return all(map(_grows, node.args))
    if node.op in ("<", "<=", ">", ">="):
        lower, upper = node.args if node.op in ("<", "<=") else node.args[::-1]
        return _is_free(lower, "vmax") and _is_free(upper, "vmin")
    return not any(m.op == "member" for m in parts(node))


def _is_free(side: Node, allowed: str) -> bool:
    """Whether a side is a bound of the allowed kind, or contains no bounds."""
    inner = parts(side.args[0]) if side.op == "member" and side.args[1] == allowed else parts(side)
    return not any(m.op == "member" for m in inner)


def _bound(member: Node) -> Node:
    """The name for a bound of a variable."""
    inner, bound = member.args
    if inner.op != "name":
        raise Skipped("about the bounds of an expression")
    return Node("name", (f"{inner}_{bound[1:]}",))


def _has_names(node: ast.expr) -> bool:
    return any(isinstance(n, ast.Name) for n in ast.walk(node))


def _signs(kind: str) -> str:
    """The signs of the wrapping types among some dtypes; all if there are no dtypes."""
    if not kind:
        return SIGNED + UNSIGNED
    return (SIGNED if _SIGNED.search(kind) else INTEGERS) + (UNSIGNED if _UNSIGNED.search(kind) else INTEGERS)


def _value(call: ast.Call) -> ast.expr:
    """The value of `const(dtype, value)`, or `const(value, dtype)`."""
    return next(a for a in call.args if not _is_none(a) and not ast.unparse(a).startswith("dtypes."))


def _argument(call: ast.Call, place: int, name: str) -> ast.expr | None:
    """An argument of a call, by place or by name."""
    named = next((k.value for k in call.keywords if k.arg == name), None)
    return call.args[place] if len(call.args) > place else named


def _operation(node: ast.expr) -> str:
    """The operator of `Ops.ADD`."""
    match node:
        case ast.Attribute(value=ast.Name(id="Ops"), attr=name) if name in _OPS:
            return _OPS[name]
        case ast.Attribute(value=ast.Name(id="Ops"), attr=name):
            raise Skipped(next((kind for kind, ops in _KINDS.items() if name in ops), "about memory and order"))
    raise Skipped("one rule for many operations")
