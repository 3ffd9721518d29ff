"""Reads the rewrite rules of a checkout of Halide or TVM, states them in this project's notation, and proves them.

    python proofs/extract_rules.py halide ~/Halide --out halide.toml
    python proofs/extract_rules.py tvm ~/tvm --prove

Halide writes `rewrite(left, right, predicate)` in src/Simplify_*.cpp, TVM `TVM_TRY_REWRITE_IF(left, right, condition)`
in src/arith/rewrite_simplify.cc. A rule becomes a claim about all integers: pattern variables and constants are names,
the predicate and the conditions around the rule are its assumptions. Boolean variables are written `b != 0`.

How it is read. Values do not wrap. Division is Euclidean in Halide (0 <= remainder), truncating or floor in TVM, as the
rule says; `/` and `%` of TVM's conditions are C++'s. Divisors are not 0: in Halide x/0 = 0 and x%0 = 0, and `--zero`
adds the rules at such divisors. What Halide or TVM proves of a match (`can_prove`, `CanProveLess`) is assumed.
Rules about vectors, floats, unsigned types and the bounds of a type are skipped, each with its reason.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, product
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from symview import Budget, prove
from symview.errors import SymviewError
from symview.logic.notation import parse_statement, term_text
from symview.rules.files import FileRule
from symview.rules.outcomes import Outcome, outcomes


class Skipped(Exception):
    """The rule is not one about scalar integers, or not written as an expression; the text says why."""


class Node(NamedTuple):
    """A C++ expression: `op` is an operator, call, member, name or num; args[0] of a call is what is called."""

    op: str
    args: tuple[Any, ...] = ()  # expressions; texts in names, numbers, and second in members

    def __str__(self) -> str:
        if self.op in ("name", "num"):
            return str(self.args[0])
        return f"{self.op}({', '.join(map(str, self.args))})"


class Token(NamedTuple):
    """One token and the number of its line."""

    text: str
    line: int


class Found(NamedTuple):
    """A call that states a rule: its arguments, the conditions that enclose it, the visitor it stands in."""

    args: tuple[list[Token], ...]
    guards: tuple[str, ...]
    visitor: str
    line: int


class Rule(NamedTuple):
    """A rule in this project's notation; `reason` instead of a claim where it was skipped."""

    name: str
    source: str
    claim: str = ""
    assume: tuple[str, ...] = ()
    division: str = "floor"
    reason: str = ""


# C++: tokens, expressions, and the calls that state rules


_TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|^[ \t]*#(?:\\\n|[^\n])*|(?P<token>[A-Za-z_]\w*(?:::\w+)*|\d+(?:\.\d*f?)?|"
    r"->|<<|>>|<=|>=|==|!=|&&|\|\||[^\s\w])",
    re.DOTALL | re.MULTILINE,
)
_LEVELS = (("||",), ("&&",), ("==", "!="), ("<", "<=", ">", ">="), ("+", "-"), ("*", "/", "%"))
_LEVEL = {op: n for n, level in enumerate(_LEVELS) for op in level}


def tokens_of(source: str) -> list[Token]:
    """The tokens of a C++ source, without comments, strings and preprocessor lines."""
    found, line, at = [], 1, 0
    for match in _TOKEN.finditer(source):
        if match["token"]:
            line += source.count("\n", at, match.start())
            at = match.start()
            found.append(Token(match["token"], line))
    return found


class Reader:
    """Reads one C++ expression from tokens; raises Skipped where it is something else."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.texts = [t.text for t in tokens]
        self.at = 0

    def whole(self) -> Node:
        """The expression that all tokens spell."""
        node = self.binary(0)
        if self.at < len(self.texts):
            raise Skipped(f"C++ beyond expressions, at {self.texts[self.at]}")
        return node

    def binary(self, level: int) -> Node:
        """Operators that bind at least as tightly as `level`, grouped to the left."""
        if level == len(_LEVELS):
            return self.prefix()
        left = self.binary(level + 1)
        while self.peek() in _LEVELS[level]:
            left = Node(self.next(), (left, self.binary(level + 1)))
        return left

    def prefix(self) -> Node:
        """A sign or a negation, or what may be called."""
        if self.peek() in ("-", "!"):
            sign = self.next()
            return Node("neg" if sign == "-" else "!", (self.prefix(),))
        return self.postfix()

    def postfix(self) -> Node:
        """A name, number or parenthesis, then calls and members."""
        text = self.next()
        if text == "(":
            node = self.binary(0)
            self.expect(")")
        elif text[0].isdigit():
            node = Node("num", (text,))
        elif text[0].isalpha() or text[0] == "_":
            node = Node("name", (text.split("::")[-1],))
        else:
            raise Skipped(f"C++ beyond expressions, at {text}")
        while True:
            if self.peek() in ("(", "{"):
                closing = {"(": ")", "{": "}"}[self.next()]
                node = Node("call", (node, *self.listed(closing)))
            elif self.peek() in (".", "->"):
                self.next()
                node = Node("member", (node, self.next()))
            else:
                return node

    def listed(self, closing: str) -> list[Node]:
        """Expressions with commas between them (and perhaps behind the last), up to the closing token."""
        found = []
        while self.peek() != closing:
            found.append(self.binary(0))
            if self.peek() != closing:
                self.expect(",")
        self.expect(closing)
        return found

    def peek(self) -> str:
        """The next token, "" at the end."""
        return self.texts[self.at] if self.at < len(self.texts) else ""

    def next(self) -> str:
        """Takes the next token."""
        self.at += 1
        if self.at > len(self.texts):
            raise Skipped("C++ that ends early")
        return self.texts[self.at - 1]

    def expect(self, text: str) -> None:
        """Takes that token."""
        if self.next() != text:
            raise Skipped(f"C++ beyond expressions, where {text} is expected")


class _Frame(NamedTuple):
    """An open bracket: where it stands, and the conditions that hold inside."""

    at: int
    holding: tuple[str, ...]


def calls(tokens: Sequence[Token], names: Iterable[str], visitor: re.Pattern[str]) -> Iterator[Found]:
    """Every call of one of these functions, with what `a && call(…)` and `if (a) { call(…) }` put before it."""
    wanted = set(names)
    stack = [_Frame(-1, ())]
    conjunct = 0  # where the conjunct begins that is being read
    chain: tuple[str, ...] = ()  # conditions joined to it by && in this bracket
    outside: list[tuple[int, tuple[str, ...]]] = []
    closed: dict[int, int] = {}
    within = ""
    for n, (text, line) in enumerate(tokens):
        if text in wanted and tokens[n + 1].text == "(":
            yield Found(_arguments(tokens, n + 1), (*stack[-1].holding, *chain), within, line)
        if text in "({[":
            inside = stack[-1].holding
            if text == "{" and n and tokens[n - 1].text == ")" and tokens[closed[n - 1] - 1].text == "if":
                inside = (*inside, _text(tokens[closed[n - 1] + 1 : n - 1]))
            stack.append(_Frame(n, (*inside, *chain)))
            outside.append((conjunct, chain))
            conjunct, chain = n + 1, ()
        elif text in ")}]" and len(stack) > 1:
            closed[n] = stack.pop().at
            conjunct, chain = outside.pop()
            if text == "}":
                conjunct, chain = n + 1, ()
        elif text == "&&":
            chain = (*chain, _text(tokens[conjunct:n]))
            conjunct = n + 1
        elif text in ("||", ",", ";", "="):
            conjunct, chain = n + 1, ()
        if match := visitor.search(" ".join(t.text for t in tokens[max(0, n - 5) : n + 1])):
            within = match[1]


def _text(tokens: Sequence[Token]) -> str:
    return " ".join(t.text for t in tokens)


def _arguments(tokens: Sequence[Token], opening: int) -> tuple[list[Token], ...]:
    """The arguments of the call whose parenthesis opens there."""
    found: list[list[Token]] = [[]]
    depth = 1
    for token in islice(tokens, opening + 1, None):
        depth += (token.text in "({[") - (token.text in ")}]")
        if depth == 0:
            return tuple(found)
        if token.text == "," and depth == 1:
            found.append([])
        else:
            found[-1].append(token)
    raise Skipped("a call that does not end")


# Expressions: what they are made of, and their text


def replaced(node: Node, change: Callable[[Node], Node | None]) -> Node:
    """The expression with `change` applied from the leaves up, where it gives something."""
    args = tuple(replaced(a, change) if isinstance(a, Node) else a for a in node.args)
    node = Node(node.op, args)
    return change(node) or node


def parts(node: Node) -> Iterator[Node]:
    """The expression and all it is made of."""
    yield node
    for a in node.args:
        if isinstance(a, Node):
            yield from parts(a)


def called(node: Node) -> str:
    """The name of the function that is called, "" if the expression is no call."""
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
    """Which expressions of a rule are true or false: found from how they are used."""

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
        """Whether it is true or false."""
        if node.op == "name":
            return node in (TRUE, FALSE) or str(node) in self.names
        if called(node) == "select":
            return any(map(self.boolean, node.args[2:]))
        return node.op in _BOOLEAN

    def mark(self, node: Node) -> None:
        """It is true or false: so are its branches."""
        if node.op == "name":
            self.names.add(str(node))
        if called(node) == "select":
            for branch in node.args[2:]:
                self.mark(branch)

    def use(self, node: Node) -> None:
        """What an operator says of its operands."""
        if node.op in ("!", "&&", "||"):
            for a in node.args:
                self.mark(a)
        if called(node) == "select":
            self.mark(node.args[1])
        if (node.op in ("==", "!=") or called(node) == "select") and any(map(self.boolean, node.args[-2:])):
            for a in node.args[-2:]:
                self.mark(a)


class Writer:
    """Writes expressions in this project's notation; `//` and `%` stand for the one kind of division that is used."""

    def __init__(self, booleans: Booleans) -> None:
        self.booleans = booleans
        self.divisions: set[str] = set()

    def value(self, node: Node) -> str:
        """The text of an integer expression."""
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
            case "call" if called(node) in _DIVISIONS:
                sign, division = _DIVISIONS[called(node)]
                self.divisions.add(division)
                return f"({self.value(a[1])} {sign} {self.value(a[2])})"
            case "call" if called(node) == "select":
                return f"({self.value(a[2])} if {self.formula(a[1])} else {self.value(a[3])})"
        raise Skipped(f"{called(node) or node}: not in the notation")

    def formula(self, node: Node) -> str:
        """The text of a statement."""
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


_DIVISIONS = {
    f"{kind}{name}": (sign, kind)
    for kind in ("euclid", "floor", "trunc")
    for name, sign in (("div", "//"), ("mod", "%"))
}


def stated(left: Node, right: Node, conditions: Sequence[Node], about_booleans: bool) -> tuple[str, list[str], str]:
    """The claim, its assumptions and the kind of division."""
    booleans = Booleans((left, right), conditions, about_booleans)
    write = Writer(booleans)
    claim = write.formula(Node("==", (left, right)))
    assume = [write.formula(c) for c in conditions if c != TRUE]
    return claim, assume, next(iter(write.divisions), "floor")


def conjuncts(node: Node) -> list[Node]:
    """The conditions joined by &&."""
    return [c for a in node.args for c in conjuncts(a)] if node.op == "&&" else [node]


# Halide

_HALIDE_VECTORS = {"ramp", "broadcast", "slice", "transpose", "lanes_of", "h_add", "h_min", "h_max", "h_and", "h_or"}


def halide(checkout: Path, zero: bool) -> Iterator[Rule]:
    """The rules of src/Simplify_*.cpp."""
    for path in sorted((checkout / "src").glob("Simplify_*.cpp")):
        visitor = re.compile(r"Simplify::visit \( const (\w+)")
        for found in calls(tokens_of(path.read_text(encoding="utf-8")), ["rewrite"], visitor):
            name = f"{found.visitor} {found.line}"
            source = f"src/{path.name}:{found.line}, visit({found.visitor})"
            try:
                rule = _halide_rule(found)
                yield Rule(name, source, *_closed(*stated(*rule)))
                if zero:
                    yield from _at_zero_divisors(name, source, rule)
            except Skipped as reason:
                yield Rule(name, source, reason=str(reason))


def _halide_rule(found: Found) -> tuple[Node, Node, list[Node], bool]:
    left, right, *predicate = (Reader(argument).whole() for argument in found.args)
    guards = [g for g in found.guards if not g.startswith("!")]
    if any("is_float" in g for g in guards):
        raise Skipped("about floats")
    named = [str(n) for whole in (left, right, *predicate) for n in parts(whole) if n.op == "name"]
    if _HALIDE_VECTORS & set(named):
        raise Skipped("about vectors")
    if "Overflow" in named:
        raise Skipped("about overflow")
    if {"is_min_value", "is_max_value", "ty"} & set(named):
        raise Skipped("about the least or greatest value of a type")
    right = replaced(right, lambda n: _operand(left, str(n)) if n.op == "name" else None)
    conditions = [c for p in predicate for c in conjuncts(p)]
    if "denominator_non_zero" in guards:
        conditions.append(Node("!=", (left.args[1], number(0))))
    left, right, *conditions = (replaced(n, _halide_plain) for n in (left, right, *conditions))
    if "a_rem" in named:  # what the alignment of the left operand says
        aligned = Node("+", (Node("*", (Node("name", ("a_mod",)), Node("name", ("k",)))), Node("name", ("a_rem",))))
        conditions.append(Node("==", (left.args[1], aligned)))
    return left, right, conditions, any("is_bool" in g for g in guards)


def _operand(left: Node, name: str) -> Node | None:
    """The operand of the left side that Halide's code calls so."""
    operands = left.args[1:] if left.op == "call" else left.args
    names = ("condition", "true_value", "false_value") if called(left) == "select" else ("a", "b")
    return operands[names.index(name)] if name in names else None


def _halide_plain(node: Node) -> Node | None:
    """Halide's functions in terms of those of the notation."""
    if node.op in ("/", "%"):
        if node.args[1] == number(0):
            return number(0)
        return function("eucliddiv" if node.op == "/" else "euclidmod", *node.args)
    match called(node):
        case "fold" | "likely" | "likely_if_innermost" | "can_prove":
            return node.args[1]
        case "cast":
            return node.args[2]
        case "neg":
            return Node("!", node.args[1:])
        case "is_const" | "overflows" | "is_float":
            return function("ignored")
    if node.op == "!" and called(node.args[0]) == "ignored":
        return TRUE
    return None


def _at_zero_divisors(name: str, source: str, rule: tuple[Node, Node, list[Node], bool]) -> Iterator[Rule]:
    """The rule where a divisor is 0, x/0 and x%0 being 0, unless its predicate excludes that."""
    left, right, conditions, about_booleans = rule
    divisors = {str(n.args[2]): n.args[2] for whole in rule[:2] for n in parts(whole) if called(n) in _DIVISIONS}
    for divisor in divisors.values():
        zero = Node("==", (divisor, number(0)))

        def vanish(node: Node, divisor: Node = divisor) -> Node | None:
            return number(0) if called(node) in _DIVISIONS and node.args[2] == divisor else None

        terms = [replaced(n, vanish) for n in (left, right, *conditions)]
        claim, assume, division = stated(terms[0], terms[1], [*terms[2:], zero], about_booleans)
        if divisor.op != "num" and not _empty(claim, assume, division):
            yield Rule(f"{name}, {assume[-1].strip('()')}", source, *_closed(claim, assume, division))


def _empty(claim: str, assume: list[str], division: str) -> bool:
    """Whether no values meet the assumptions with nonzero divisors."""
    try:
        return bool(prove(f"({claim}) and 0 == 1", assume, division))
    except SymviewError:
        return True


# TVM

_TVM_VECTORS = {"ramp", "broadcast", "ContainsVscaleCall"}
_TVM_PROVES = {"CanProveGreaterEqual": ">=", "CanProveLess": "<", "CanProveEqual": "=="}
_TVM_CONSTANTS = {"ZeroWithTypeLike": number(0), "OneWithTypeLike": number(1)}


def tvm(checkout: Path, zero: bool) -> Iterator[Rule]:
    """The rules of src/arith/rewrite_simplify.cc that are stated by its macros."""
    path = checkout / "src" / "arith" / "rewrite_simplify.cc"
    names = [f"TVM_TRY_{recursive}REWRITE{when}" for recursive, when in product(("", "RECURSIVE_"), ("", "_IF"))]
    visitor = re.compile(r"(?:VisitExpr_ \( const |ApplyRewriteRules \( )(\w+?)(?:Node)? (?:\* op|ret)$")
    for found in calls(tokens_of(path.read_text(encoding="utf-8")), names, visitor):
        name, source = (f"{found.visitor} {found.line}", f"src/arith/{path.name}:{found.line}, {found.visitor}")
        if not found.visitor:  # the macros' own definitions
            continue
        try:
            if any("kDLUInt" in g for g in found.guards):
                raise Skipped("about unsigned types")
            left, right, *condition = (Reader(_untyped(argument)).whole() for argument in found.args)
            conditions = [replaced(c, _tvm_condition) for given in condition for c in conjuncts(given)]
            alternatives = left.args[1:] if called(left) in ("matches_one_of", "PMatchesOneOf") else (left,)
            for n, side in enumerate(alternatives, 1):
                which = f" ({n} of {len(alternatives)})" if len(alternatives) > 1 else ""
                yield Rule(name + which, source, *_closed(*_tvm_stated(side, right, conditions)))
        except Skipped as reason:
            yield Rule(name, source, reason=str(reason))


def _untyped(tokens: Sequence[Token]) -> list[Token]:
    """Without the types of `PConst<PrimExpr>(…)` and `ty.as_or_throw<PrimType>()`."""
    typed = [n for n, token in enumerate(tokens) if token.text in ("PConst", "as_or_throw")]
    dropped = {at for n in typed for at in range(n + 1, n + 4)}
    return [token for n, token in enumerate(tokens) if n not in dropped]


def _tvm_stated(left: Node, right: Node, conditions: Sequence[Node]) -> tuple[str, list[str], str]:
    named = {str(n) for whole in (left, right, *conditions) for n in parts(whole) if n.op == "name"}
    if _TVM_VECTORS & named:
        raise Skipped("about vectors")
    left, right = replaced(left, _tvm_plain), replaced(right, _tvm_plain)
    truncating = any(called(n).startswith("trunc") for side in (left, right) for n in parts(side))
    if truncating:
        left, right, *conditions = (replaced(n, _by_truncation) for n in (left, right, *conditions))
    else:
        conditions = [replaced(replaced(c, _as_floor), _by_absolute_values) for c in conditions]
    return stated(left, right, conditions, False)


def _tvm_plain(node: Node) -> Node | None:
    """TVM's functions in terms of those of the notation."""
    if str(node) in ("ctrue", "cfalse"):
        return TRUE if str(node) == "ctrue" else FALSE
    if called(node) in _TVM_CONSTANTS:
        return _TVM_CONSTANTS[called(node)]
    if called(node) == "PConst":
        return node.args[1]
    if called(node) == "IntImm":
        return replaced(node.args[2], _tvm_condition)
    return None


def _tvm_condition(node: Node) -> Node | None:
    """A condition on values: `x.Eval()->value` is x; `/` and `%` truncate."""
    if node.op == "member" and node.args[1] == "value":
        return node.args[0]
    if node.op == "call" and (inner := node.args[0]).op == "member" and inner.args[1] == "Eval":
        return inner.args[0]
    if called(node) in _TVM_PROVES:
        return Node(_TVM_PROVES[called(node)], node.args[1:])
    if node.op in ("/", "%"):
        return function("truncdiv" if node.op == "/" else "truncmod", *node.args)
    if node.op == "<=" and "SideEffect" in str(node):
        return TRUE
    return None


def _as_floor(node: Node) -> Node | None:
    """What C++'s remainder is in terms of the floor one: `a % b == 0` is the same, and (a % b + b) % b is a % b."""
    if node.op == "==" and called(node.args[0]) == "truncmod" and node.args[1] == number(0):
        return Node("==", (function("floormod", *node.args[0].args[1:]), number(0)))
    if called(node) == "truncmod" and node.args[1].op == "+":
        inner, b = node.args[1].args
        if called(inner) == "truncmod" and inner.args[2] == b == node.args[2]:
            return function("floormod", *inner.args[1:])
    return None


def _by_absolute_values(node: Node) -> Node | None:
    """C++'s a % b in terms of the floor one: that of the absolute values, with the sign of a."""
    if called(node) != "truncmod":
        return None
    a, b = node.args[1:]
    size = function("abs", b)
    below = Node("neg", (function("floormod", Node("neg", (a,)), size),))
    return function("select", Node(">=", (a, number(0))), function("floormod", a, size), below)


def _by_truncation(node: Node) -> Node | None:
    """A floor quotient or remainder in terms of the truncating ones, where a rule has both."""
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


# What is written, proved and printed


def _closed(claim: str, assume: list[str], division: str) -> tuple[str, tuple[str, ...], str]:
    return _plain(claim), tuple(map(_plain, assume)), division


def _plain(text: str) -> str:
    """The statement without parentheses that change nothing."""
    return term_text(parse_statement(text))


def report(found: Sequence[Outcome]) -> Iterator[str]:
    """Lines: what is not proved, then how many are, and how long they took."""
    for one in found:
        if not one.is_met:
            yield f"{one.rule.source}\n    {one.problem}"
    counts = Counter(one.answer for one in found)
    seconds = [one.seconds for one in found]
    yield ", ".join(f"{count} {answer}" for answer, count in counts.most_common())
    yield f"seconds a rule: median {median(seconds):.3f}, most {max(seconds):.2f}"


def toml(rules: Sequence[Rule]) -> str:
    """The rules as a rule file."""
    return "\n".join(
        f"[[rule]]\nname = {_quoted(r.name)}\nclaim = {_quoted(r.claim)}\n"
        + (f"assume = [{', '.join(map(_quoted, r.assume))}]\n" if r.assume else "")
        + (f'division = "{r.division}"\n' if r.division != "floor" else "")
        + f"source = {_quoted(r.source)}\n"
        for r in rules
    )


def _quoted(text: str) -> str:
    return f'"{text}"'


PROJECTS = {"halide": halide, "tvm": tvm}


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; 0 if every rule is proved or none was to be."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("project", choices=PROJECTS)
    parser.add_argument("checkout", type=Path, help="the directory that holds src/")
    parser.add_argument("--out", type=Path, help="the rule file to write")
    parser.add_argument("--zero", action="store_true", help="Halide: also each rule where a divisor is 0, x/0 being 0")
    parser.add_argument("--prove", action="store_true", help="prove each rule, on all cores, and say what is not")
    parser.add_argument("--seconds", type=float, default=20, help="at most so long a rule (default: %(default)s)")
    options = parser.parse_args(arguments)
    read = list(PROJECTS[options.project](options.checkout, options.zero))
    rules, skipped = [r for r in read if r.claim], [r for r in read if not r.claim]
    if not rules:
        parser.error(f"no rules in {options.checkout}: give the directory that holds src/")
    if options.out:
        options.out.write_text(toml(rules), encoding="utf-8")
    print(f"{len(rules)} rules, {len(skipped)} skipped")
    for reason, times in Counter(r.reason for r in skipped).most_common():
        print(f"{times:5}  {reason}")
    if not options.prove:
        return 0
    stated = [FileRule(r.name, r.claim, r.assume, r.division, source=r.source) for r in rules]
    found = list(outcomes(stated, Budget(timeout=options.seconds)))
    print(*report(found), sep="\n")
    return int(not all(one.is_met for one in found))


if __name__ == "__main__":
    sys.exit(main())
