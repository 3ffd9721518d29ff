"""The line of a shell that computes the left side of a false rule in the compiler itself, at values that refute it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import NamedTuple

from symview.logic.notation import parse_statement
from symview.logic.terms import Term, names, walk
from symview.readers.checking import Check
from symview.readers.rules import Rule

_OPERATORS = ("+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=")


class Language(NamedTuple):
    """How a compiler's Python writes operations, an array of one element, that element, a number, and the program.

    In operations, `<division>` is the rule's: floor or trunc.
    """

    calls: Mapping[str, str]
    array: str
    element: str
    number: str
    program: str


_TYPES = {"i": "int", "u": "uint"}
LANGUAGES = {
    "tinygrad": Language(
        {"min": "Tensor.minimum({}, {})", "max": "Tensor.maximum({}, {})", "if": "({}).where({}, {})",
         "neg": "(-{})", "not": "({}).logical_not()", "and": "({} & {})", "or": "({} | {})"},
        "{name} = Tensor([{value}], dtype=dtypes.{type}).realize()",
        "{name}",
        "{value}",
        "from tinygrad import Tensor, dtypes; {arrays}; print({left}.tolist())",
    ),
    "halide": Language(
        {"min": "hl.min({}, {})", "max": "hl.max({}, {})", "if": "hl.select({}, {}, {})",
         "neg": "(-{})", "not": "hl.logical_not({})", "and": "({} & {})", "or": "({} | {})"},
        "{name} = hl.Buffer(np.array([{value}], '{type}'))",
        "{name}[i]",
        "hl.{letter}{bits}({value})",
        "import halide as hl, numpy as np; i, out = hl.Var('i'), hl.Func('out'); {arrays}; out[i] = {left}; "
        "print(np.array(out.realize([1])))",
    ),
    "tvm": Language(  # prints what it becomes, and the values of both sides
        {"min": "tirx.Min({}, {})", "max": "tirx.Max({}, {})", "if": "tirx.Select({}, {}, {})", "neg": "(-{})",
         "not": "tirx.Not({})", "and": "tirx.And({}, {})", "or": "tirx.Or({}, {})", "==": "tirx.EQ({}, {})",
         "!=": "tirx.NE({}, {})", "//": "tirx.<division>div({}, {})", "%": "tirx.<division>mod({}, {})"},
        "{name} = tirx.Var('{name}', 'int32'); asked.bind({name}, ir.Range({value}, {value} + 99)); "
        "at.bind({name}, tirx.IntImm('int32', {value}))",
        "{name}",
        "tirx.IntImm('int32', {value})",
        "from tvm import ir, sym, tirx; asked, at = sym.Analyzer(), sym.Analyzer(); {arrays}; left = {left}; "
        "right = asked.rewrite_simplify(left); print('becomes', right); print(at.simplify(left), at.simplify(right))",
    ),
}  # fmt: skip


def command(project: str, rule: Rule, check: Check) -> str:
    """The command; empty for a compiler, or an operation, that is not written here."""
    language, claim = LANGUAGES.get(project), parse_statement(rule.claim)
    values = check.fields.get("values")
    if language is None or values is None or claim.op not in ("==", "<->"):
        return ""
    left, width = claim.args[0], check.bits or "i32"
    of = {"letter": width[0], "bits": width[1:], "type": f"{_TYPES[width[0]]}{width[1:]}"}
    known, loaded = {*_OPERATORS, *language.calls, "int", "sym"}, [n for n in names(left) if n not in rule.constants]
    too_large = not check.bits and any(abs(x) >> 31 for x in values.values())
    if too_large or not loaded or any(t.op not in known for t in walk(left)):
        return ""
    arrays = "; ".join(language.array.format(name=n, value=values[n], **of) for n in loaded)

    def text(t: Term) -> str:
        if t.op == "int" or (t.op == "sym" and t.args[0] in rule.constants):
            return language.number.format(value=t.args[0] if t.op == "int" else values[t.args[0]], **of)
        if t.op == "sym":
            return language.element.format(name=t.args[0])
        parts = list(map(text, t.args))
        if (shape := language.calls.get(t.op, "").replace("<division>", rule.division)) == "":
            return f"({f' {t.op} '.join(parts)})"
        return reduce(shape.format, parts) if len(parts) > shape.count("{}") else shape.format(*parts)

    return f'python -c "{language.program.format(arrays=arrays, left=text(left))}"'
