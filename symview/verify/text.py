"""A statement as text: the lines that are printed, written from that formula alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from symview.trusted.document import View
from symview.verify.nodes import Along, Chain, Node, Operation, Program, Property, Rule, is_formula

_LEVELS = (("<->",), ("->",), ("or",), ("and",), ("not",), ("==", "!=", "<", "<=", ">", ">="), ("|",), ("^",), ("&",),
           ("<<", ">>"), ("+", "-"), ("*", "//", "%"), ("neg", "~"), ("**",))  # fmt: skip
_LEVEL = {op: n for n, ops in enumerate(_LEVELS, 1) for op in ops}
_PREFIX = {"not": "not ", "neg": "-", "~": "~"}
_PLAIN = re.compile(  # needs no quotes; Latin and Greek letters only: others may look like these, or run leftwards
    r"(?!(?:and|or|not|if|else|true|false|for|all|every|with|where|is)\Z)[A-Za-z_Α-Ωα-ω][A-Za-z0-9_'Α-Ωα-ω]*\Z"
)


def lines(statement: Node) -> Iterator[str]:
    """The statement as text; each part of a conjunction has its own line.

    >>> [*lines(("all", ("a", "x"), ("given", (("!=", "a", 0),), ("==", ("%", "x", "a"), 0))))]
    ['for all a, x: a != 0 -> x % a == 0']
    """
    op = statement[0] if type(statement) is tuple else ""
    head, body = _opened(statement)
    if op == "and" and not is_formula(statement):
        for part in statement[1:]:
            yield from lines(part)
    elif head and type(body) is tuple and body[0] == "and" and not is_formula(body):
        yield f"{head}:"
        yield from (f"  {line}" for line in lines(body))
    elif op != "open":
        yield told(statement)


def _opened(node: Node) -> tuple[str, Node]:
    """What stands before the parts of a statement that are in lines of their own, and these."""
    if type(node) is not tuple or node[0] not in ("all", "given"):
        return "", node
    *_, body = node
    if node[0] == "given":
        return f"with {conjunction(node[1])}", body
    more, body = _opened(body)
    return f"for all {', '.join(map(name, node[1]))}{' ' * bool(more)}{more}", body


def told(node: Node, level: int = 0) -> str:
    """A formula, or a statement, as text."""
    if type(node) is tuple and node[0] in _WRITE:
        text = _WRITE[node[0]](*node[1:])
        return f"({text})" if level > (_LEVEL["=="] if node[0] in _SENTENCES else 0) else text
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


def conjunction(formulas: Sequence[Node]) -> str:
    """The formulas, with `and` between them."""
    level = _LEVEL["and" if len(formulas) > 1 else "or"]
    return " and ".join([told(f, level) for f in formulas])


def _all(names: Sequence[str], body: Node) -> str:
    if not names:
        return told(body)
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


def row(parts: Iterable[Any]) -> str:
    """Entries in parentheses."""
    return f"({','.join(map(text_of, parts))})"


def view(v: View) -> str:
    """A view: its sizes, strides, offset and mask."""
    text = f"{row(v.shape)}:{row(v.strides)}"
    text += "" if v.offset == 0 else f"+{text_of(v.offset, _LEVEL['+'] + 1)}"
    bounds = ",".join([":".join(map(text_of, b)) for b in v.mask or ()])
    return f"{text} [empty]" if v.void else text if v.mask is None else f"{text} [{bounds}]"


def layout(x: Any) -> str:
    """A layout, or a tiler: modes in brackets, `_` for one left unchanged."""
    if x is None or type(x) is dict:
        return "_" if x is None else f"[{', '.join(map(layout, x['modes']))}]"

    def part(mode: Any, k: int) -> str:
        return f"({','.join([part(m, k) for m in mode])})" if type(mode) is list else text_of(mode[k])

    return f"{part(x, 0)}:{part(x, 1)}"


def _subject(of: Chain | Operation) -> str:
    if isinstance(of, Chain):
        return f"[{'; '.join(map(view, of.views))}]"
    more = "" if of.bound is None else f" up to {text_of(of.bound)}"
    more += "" if of.shape is None else f" to {row(of.shape)} in the order {row(of.order or ())}"
    return f"{of.name} of {', '.join(map(layout, of.layouts))}{more}"


def _fitting(of: Chain | Operation, text: str) -> str:
    """With the condition that the sizes fit."""
    return f"({told(of.fits, _LEVEL['and'])} and {text})" if isinstance(of, Chain) and of.fits is not True else text


def _one_view(of: Chain) -> str:
    return _fitting(of, f"{_subject(of)} is one view")


def _is(of: Chain | Operation, found: Any) -> str:
    return _fitting(of, f"{_subject(of)} is {view(found) if isinstance(of, Chain) else layout(found)}")


def _same(first: Chain, second: Chain, last: Sequence[int] | None) -> str:
    return f"{_subject(first)} is {_subject(second)}{'' if last is None else f' before {row(last)}'}"


def _differ(first: Chain, second: Chain, index: Sequence[int], sides: Sequence[int | None] | None) -> str:
    found = "" if sides is None else f": {' and '.join(map(str, sides))}"
    return f"{_subject(first)} is not {_subject(second)} at {row(index)}{found}"


def program(of: Program) -> str:
    """A program: its tensor and its steps."""
    text = f"{name(of.tensor)}{row(of.shape)}"
    for op, *given in of.steps:
        rows = {"slice": 3, "pad": 2}.get(op)
        if op == "concat":
            args = f"{program(given[0])},{given[1]}"
        elif op == "read":
            args = view(given[0])
        elif rows:
            args = ",".join([row(given[n :: len(given) // rows]) for n in range(len(given) // rows)])
        else:
            args = ",".join(map(text_of, given))
        text += f".{op}({args})"
    return text


def _shows(of: Rule) -> str:
    more = ", the first dim of each any number of dims" if of.more else ""
    return f"{program(of.left)} == {program(of.right)} where the left side is defined{more}"


def _apart(of: Rule, index: Sequence[int] | None) -> str:
    return f"not {_shows(of)}{'' if index is None else f', index {row(index)}'}"


def _has(of: Property) -> str:
    more = " after flips" if of.flips else "" if of.order is None else f" in the order {row(of.order)}"
    return f"{view(of.view)} is {of.name}{more}"


def _one_of(formulas: Sequence[Node], words: Sequence[str]) -> str:
    return f"exactly one of: {'; '.join([told(f) for f in formulas])}"


_SENTENCES = ("shows", "apart", "one_view", "is", "has", "share", "exists", "leaves", "breaks")
_WRITE: dict[str, Callable[..., str]] = {
    "all": _all, "at": _at, "along": _along, "given": _given, "one_of": _one_of, "one_view": _one_view, "is": _is,
    "has": _has, "share": lambda pair: f"[{view(pair[0])}; {view(pair[1])}] share an address",
    "exists": lambda of: f"{_subject(of)} exists", "leaves": lambda of: f"{_subject(of)} leaves a view",
    "same": _same, "differ": _differ,
    "shows": _shows, "apart": _apart,
    "breaks": lambda of, index: f"{_subject(of)} is not one view: it breaks at {row(index)}",
}  # fmt: skip
