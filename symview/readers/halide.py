"""Halide's rules: `rewrite(left, right, predicate)` in src/Simplify_*.cpp.

Division is Euclidean (0 <= remainder), and divisors are not 0. In Halide x/0 = 0 and x%0 = 0: `zero` adds the rules for
such divisors. A rule outside of `no_overflow(…)` is used in wrapping types too. What Halide proves about a match
(`can_prove`) becomes an assumption. Rules about vectors, floats and the bounds of a type are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from symview.errors import SymviewError
from symview.logic.notation import parse_statement
from symview.readers.cpp import Found, Reader, calls, tokens_of
from symview.readers.expressions import (
    DIVISIONS,
    TRUE,
    Node,
    Skipped,
    Stated,
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
from symview.readers.rules import INTEGERS, SIGNED, UNSIGNED, Rule
from symview.rules.prove import prove

_HALIDE_VECTORS = {"ramp", "broadcast", "slice", "transpose", "lanes_of", "h_add", "h_min", "h_max", "h_and", "h_or"}
_VISITOR = re.compile(r"Simplify::visit \( const (\w+)")
_KNOWN = re.compile(r"^(! )?no_overflow|^denominator_non_zero$|is_bool|is_float|is_u?int \(")


def halide(checkout: Path, zero: bool = False) -> Iterator[Rule]:
    """The rules of a checkout, including those that could not be read; with `zero` also the rules for divisors of 0."""
    for path in sorted((checkout / "src").glob("Simplify_*.cpp")):
        for found in calls(tokens_of(path.read_text(encoding="utf-8")), ["rewrite"], _VISITOR):
            yield from _rules(found, f"src/{path.name}", zero)


def _rules(found: Found, path: str, zero: bool) -> Iterator[Rule]:
    around = tuple(g for g in found.guards if not _KNOWN.search(g))
    rule = Rule(
        f"{found.visitor} {found.line}", path, found.line, f"visit({found.visitor})", signs=_signs(found), around=around
    )
    try:
        left, right, conditions, _ = read = _halide_rule(found)
        yield rule.saying(stated(*read), constants=constants_of(left, right, *conditions))
        if zero:
            yield from _at_zero_divisors(rule, read)
    except Skipped as reason:
        yield rule.unread(reason)


def _signs(found: Found) -> str:
    """The signs of the wrapping types in which a rule is used."""
    guards = " and ".join(found.guards)
    if re.search(r"(?<!! )no_overflow", guards) or "is_bool" in guards:
        return INTEGERS
    if re.search(r"! [\w> .-]*is_uint|is_int \(", guards):
        return SIGNED
    return UNSIGNED if "is_uint" in guards else SIGNED + UNSIGNED


def _halide_rule(found: Found) -> tuple[Node, Node, list[Node], bool]:
    if len(found.args) not in (2, 3):
        raise Skipped("a call of another form")
    left, right, *predicate = (Reader(argument).whole() for argument in found.args)
    guards = [g for g in found.guards if not g.startswith("!")]
    if any("is_float" in g for g in guards):
        raise Skipped("about floats")
    names = named(left, right, *predicate)
    if _HALIDE_VECTORS & names:
        raise Skipped("about vectors")
    if "Overflow" in names:
        raise Skipped("about overflow")
    if {"is_min_value", "is_max_value", "ty"} & names:
        raise Skipped("about the least or greatest value of a type")
    right = replaced(right, lambda n: _operand(left, str(n)) if n.op == "name" else None)
    conditions = [c for p in predicate for c in conjuncts(p)]
    if "denominator_non_zero" in guards:
        conditions.append(Node("!=", (left.args[1], number(0))))
    left, right, *conditions = (replaced(n, _halide_plain) for n in (left, right, *conditions))
    if "a_rem" in names:  # the alignment of the left operand
        aligned = Node("+", (Node("*", (Node("name", ("a_mod",)), Node("name", ("k",)))), Node("name", ("a_rem",))))
        conditions.append(Node("==", (left.args[1], aligned)))
    return left, right, conditions, any("is_bool" in g for g in guards)


def _operand(left: Node, name: str) -> Node | None:
    """The operand of the left side that has this name in Halide's code."""
    operands = left.args[1:] if left.op == "call" else left.args
    names = ("condition", "true_value", "false_value") if called(left) == "select" else ("a", "b")
    return operands[names.index(name)] if name in names else None


def _halide_plain(node: Node) -> Node | None:
    """Replaces Halide's functions by those of the notation."""
    if node.op in ("/", "%"):
        if node.args[1] == number(0):
            return number(0)
        return function("eucliddiv" if node.op == "/" else "euclidmod", *node.args)
    match called(node):
        case "fold" | "likely" | "likely_if_innermost" | "can_prove":
            return operand(node, 1)
        case "cast":
            return operand(node, 2)
        case "neg":
            return Node("!", node.args[1:])
        case "is_const" | "overflows" | "is_float":
            return function("ignored")
    if node.op == "!" and called(node.args[0]) == "ignored":
        return TRUE
    return None


def _at_zero_divisors(rule: Rule, read: tuple[Node, Node, list[Node], bool]) -> Iterator[Rule]:
    """The rule for a divisor of 0, with x/0 = x%0 = 0, unless its predicate excludes that."""
    left, right, conditions, about_booleans = read
    divisors = {str(n.args[2]): n.args[2] for side in (left, right) for n in parts(side) if called(n) in DIVISIONS}
    for divisor in divisors.values():
        zero = Node("==", (divisor, number(0)))

        def vanish(node: Node, divisor: Node = divisor) -> Node | None:
            return number(0) if called(node) in DIVISIONS and node.args[2] == divisor else None

        terms = [replaced(n, vanish) for n in (left, right, *conditions)]
        said = stated(terms[0], terms[1], [*terms[2:], zero], about_booleans)
        if divisor.op != "num" and not _empty(said):
            yield rule.saying(said, f"{rule.name}, {said.assume[-1]}", constants_of(*terms))


def _empty(said: Stated) -> bool:
    """Whether no values satisfy the assumptions with nonzero divisors."""
    try:
        return bool(prove(f"({said.claim}) and 0 == 1", list(map(parse_statement, said.assume)), said.division))
    except SymviewError:
        return True
