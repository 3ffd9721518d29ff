"""A statement as text: the lines that are printed, written from that formula alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from symview.verify.meaning import Along, Node, is_formula

_LEVELS = (("<->",), ("->",), ("or",), ("and",), ("not",), ("==", "!=", "<", "<=", ">", ">="), ("|",), ("^",), ("&",),
           ("<<", ">>"), ("+", "-"), ("*", "//", "%"), ("neg", "~"), ("**",))  # fmt: skip
_LEVEL = {op: n for n, ops in enumerate(_LEVELS, 1) for op in ops}
_PREFIX = {"not": "not ", "neg": "-", "~": "~"}
_PLAIN = re.compile(r"(?!(?:and|or|not|if|else|true|false|for|all|every)\Z)[^\W\d][\w'.]*\Z")  # needs no quotes


def lines(statement: Node) -> list[str]:
    """The statement as text; each part of a conjunction has its own line.

    >>> lines(("all", ("a", "x"), ("given", (("!=", "a", 0),), ("==", ("%", "x", "a"), 0))))
    ['for all a, x: a != 0 -> x % a == 0']
    """
    op = statement[0] if type(statement) is tuple else ""
    if op == "and" and not is_formula(statement):
        return [line for part in statement[1:] for line in lines(part)]
    return [] if op == "open" else [told(statement)]


def told(node: Node, level: int = 0) -> str:
    """A formula, or a statement, as text."""
    if type(node) is tuple and node[0] in _WRITE:
        text = _WRITE[node[0]](*node[1:])
        return f"({text})" if level else text
    return text_of(node, level)


def text_of(tree: Any, level: int = 0) -> str:
    """A formula or an expression as text.

    >>> text_of(["->", [">=", "a", 1], ["==", ["*", ["//", "x", "a"], ["+", "a", ["neg", 2]]], "x"]])
    'a >= 1 -> x // a * (a + -2) == x'
    """
    if isinstance(tree, str):
        return name(tree)
    if not isinstance(tree, (list, tuple)):
        text = str(tree).lower()
        return f"({text})" if text[0] == "-" and level > _LEVEL["neg"] else text
    op, *args = tree
    if op == "if":
        return f"({text_of(args[1])} if {text_of(args[0])} else {text_of(args[2])})"
    here = _LEVEL.get(op.removesuffix("trunc").removesuffix("euclid"))
    if here is None:
        return f"{op}({', '.join(map(text_of, args))})"
    text = f"{_PREFIX[op]}{told(args[0], here)}" if op in _PREFIX else f" {op} ".join(
        [told(a, here + (n > 0 or op in ("->", "<->", "**", "=="))) for n, a in enumerate(args)]
    )  # fmt: skip
    return f"({text})" if here < level else text


def name(text: str) -> str:
    """The name; in quotes if it could be read as something else."""
    return text if _PLAIN.match(text) else json.dumps(text)


def conjunction(formulas: Iterable[Node]) -> str:
    """The formulas, with `and` between them."""
    return " and ".join([told(f, _LEVEL["and"]) for f in formulas])


def _all(names: Sequence[str], body: Node) -> str:
    head = f"for all {', '.join(map(name, names))}"
    if type(body) is tuple and body[0] == "given" and not is_formula(body[2]):
        return f"{head} with {conjunction(body[1])}: {told(body[2])}"
    return f"{head}: {told(body)}"


def _at(values: Mapping[str, int], body: Node) -> str:
    at = ", ".join([f"{name(n)} = {x}" for n, x in values.items()])
    return f"at {at}: {told(body)}" if at else told(body)


def _along(one: Along, body: Node) -> str:
    own = [name(n) for n in one.names() if n in one.own]
    of = f" of {', '.join(own)}" if own else ""
    each = f" with {conjunction(one.each)}" if one.each else ""
    folds = "; ".join([f"{name(n)} = {text_of(a)}, then {text_of(b)}" for n, (a, b) in one.folds.items()])
    return f"for every list{of}{each}, where {folds}: {told(body)}"


def _given(formulas: Sequence[Node], body: Node) -> str:
    return f"{conjunction(formulas)} -> {told(body, _LEVEL['->'])}"


_WRITE: dict[str, Callable[..., str]] = {"all": _all, "at": _at, "along": _along, "given": _given}
