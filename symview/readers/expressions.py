"""Expressions of rules in any language: their tree, which of them are booleans, and their translation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from symview.logic.notation import parse_statement, term_text


class Skipped(Exception):
    """The rule is not about scalar integers, or not written as an expression; the text says why."""


class Node(NamedTuple):
    """An expression: `op` is an operator, call, member, name or num; args[0] of a call is the function."""

    op: str
    args: tuple[Any, ...] = ()  # expressions; names, numbers, and the second argument of members are text

    def __str__(self) -> str:
        if self.op in ("name", "num"):
            return str(self.args[0])
        return f"{self.op}({', '.join(map(str, self.args))})"


def replaced(node: Node, change: Callable[[Node], Node | None]) -> Node:
    """The expression after applying `change` from the leaves up, wherever it returns a node."""
    args = tuple(replaced(a, change) if isinstance(a, Node) else a for a in node.args)
    node = Node(node.op, args)
    return change(node) or node


def operand(node: Node, place: int = 0) -> Node:
    """An operand of an operation; in a call, the first argument is at place 1."""
    found = node.args[place]
    return found if isinstance(found, Node) else Node("name", (found,))


def parts(node: Node) -> Iterator[Node]:
    """The expression and all of its subexpressions."""
    yield node
    for a in node.args:
        if isinstance(a, Node):
            yield from parts(a)


def called(node: Node) -> str:
    """The name of the called function; "" if the expression is no call."""
    return str(node.args[0]) if node.op == "call" else ""


def function(name: str, *args: Node) -> Node:
    """A call."""
    return Node("call", (Node("name", (name,)), *args))


def number(value: int) -> Node:
    """A number."""
    return Node("num", (str(value),))


_BOOLEAN = ("!", "&&", "||", "==", "!=", "<", "<=", ">", ">=")
TRUE, FALSE = Node("name", ("true",)), Node("name", ("false",))


class Booleans:
    """Infers which expressions of a rule are booleans from how they are used."""

    def __init__(self, sides: Sequence[Node], conditions: Sequence[Node], known: bool) -> None:
        self.names: set[str] = set()
        size = -1
        while size != len(self.names):
            size = len(self.names)
            if known or any(map(self.boolean, sides)):
                for side in sides:
                    self.mark(side)
            for node in (n for whole in (*sides, *conditions) for n in parts(whole)):
                self.use(node)

    def boolean(self, node: Node) -> bool:
        """Whether the expression is a boolean."""
        if node.op == "name":
            return node in (TRUE, FALSE) or str(node) in self.names
        if called(node) == "select":
            return any(map(self.boolean, node.args[2:]))
        return node.op in _BOOLEAN

    def mark(self, node: Node) -> None:
        """Marks an expression, and its branches, as booleans."""
        if node.op == "name":
            self.names.add(str(node))
        if called(node) == "select":
            for branch in node.args[2:]:
                self.mark(branch)

    def use(self, node: Node) -> None:
        """Marks the operands that an operator requires to be booleans."""
        if node.op in ("!", "&&", "||"):
            for a in node.args:
                self.mark(a)
        if called(node) == "select":
            self.mark(node.args[1])
        if (node.op in ("==", "!=") or called(node) == "select") and any(map(self.boolean, node.args[-2:])):
            for a in node.args[-2:]:
                self.mark(a)


class Writer:
    """Writes expressions in this project's notation; a rule may use only one kind of division for `//` and `%`."""

    def __init__(self, booleans: Booleans) -> None:
        self.booleans = booleans
        self.divisions: set[str] = set()

    def value(self, node: Node) -> str:
        """An integer expression as text."""
        a = node.args
        match node.op:
            case "name" if str(node) not in ("true", "false"):
                return str(node)
            case "num" if "." not in str(node):
                return str(node)
            case "neg":
                return f"(-{self.value(a[0])})"
            case "+" | "-" | "*":
                return f"({self.value(a[0])} {node.op} {self.value(a[1])})"
            case "call" if called(node) in ("min", "max", "abs"):
                return f"{called(node)}({', '.join(map(self.value, a[1:]))})"
            case "call" if called(node) in DIVISIONS:
                sign, division = DIVISIONS[called(node)]
                self.divisions.add(division)
                return f"({self.value(a[1])} {sign} {self.value(a[2])})"
            case "&" | "|" | "^" | "<<" | ">>":
                return f"({self.value(a[0])} {node.op} {self.value(a[1])})"
            case "call" if called(node) == "select":
                return f"({self.value(a[2])} if {self.formula(a[1])} else {self.value(a[3])})"
        raise Skipped(f"{called(node) or node}: not in the notation")

    def formula(self, node: Node) -> str:
        """A statement as text."""
        a = node.args
        match node.op:
            case "name" if node in (TRUE, FALSE):
                return str(node).capitalize()
            case "num":
                return str(str(node) != "0")
            case "name":
                return f"({node} != 0)"
            case "!":
                return f"(not {self.formula(a[0])})"
            case "&&" | "||":
                return f"({self.formula(a[0])} {'and' if node.op == '&&' else 'or'} {self.formula(a[1])})"
            case "==" | "!=" if self.booleans.boolean(a[0]) or self.booleans.boolean(a[1]):
                same = f"({self.formula(a[0])} <-> {self.formula(a[1])})"
                return same if node.op == "==" else f"(not {same})"
            case "==" | "!=" | "<" | "<=" | ">" | ">=":
                return f"({self.value(a[0])} {node.op} {self.value(a[1])})"
            case "call" if called(node) == "select":
                chosen, y, z = map(self.formula, a[1:])
                return f"(({chosen} and {y}) or (not {chosen} and {z}))"
        raise Skipped(f"{called(node) or node}: not in the notation")


DIVISIONS = {
    f"{kind}{name}": (sign, kind)
    for kind in ("euclid", "floor", "trunc")
    for name, sign in (("div", "//"), ("mod", "%"))
}


class Stated(NamedTuple):
    """The claim of a rule, its assumptions, and the kind of division in both."""

    claim: str
    assume: tuple[str, ...]
    division: str


def stated(left: Node, right: Node, conditions: Sequence[Node], about_booleans: bool = False) -> Stated:
    """Translates a rule to this project's notation; raises Skipped if that cannot express it."""
    write = Writer(Booleans((left, right), conditions, about_booleans))
    claim = write.formula(Node("==", (left, right)))
    assume = [write.formula(c) for c in conditions if c != TRUE]
    if len(write.divisions) > 1:
        raise Skipped(f"with {' and '.join(sorted(write.divisions))} division in one rule")
    return Stated(_plain(claim), tuple(map(_plain, assume)), next(iter(write.divisions), "floor"))


def conjuncts(node: Node) -> list[Node]:
    """The conditions joined by &&."""
    return [c for a in node.args for c in conjuncts(a)] if node.op == "&&" else [node]


def _plain(text: str) -> str:
    """The statement without redundant parentheses."""
    return term_text(parse_statement(text))


def named(*nodes: Node) -> set[str]:
    """The names in expressions."""
    return {str(n) for node in nodes for n in parts(node) if n.op == "name"}


def constants_of(*nodes: Node) -> tuple[str, ...]:
    """The names that sources use for constants: c, c0, c1, …"""
    return tuple(sorted(filter(_CONSTANT.fullmatch, named(*nodes))))


_CONSTANT = re.compile(r"c\d*")


def by_truncation(node: Node) -> Node | None:
    """A floor quotient or remainder by truncating ones, for rules that have both."""
    if called(node) not in ("floordiv", "floormod"):
        return None
    a, b = node.args[1:]
    rest, zero = function("truncmod", a, b), number(0)
    same_sign = Node("==", (Node("<", (rest, zero)), Node("<", (b, zero))))
    exact = Node("||", (Node("==", (rest, zero)), same_sign))
    if called(node) == "floormod":
        return function("select", exact, rest, Node("+", (rest, b)))
    quotient = function("truncdiv", a, b)
    return function("select", exact, quotient, Node("-", (quotient, number(1))))
