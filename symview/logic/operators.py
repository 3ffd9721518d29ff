"""The one table of operators: how each is written, computed, and called elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, NamedTuple


class Operator(NamedTuple):
    """`binding`: how tightly it binds in the notation; `sympy`, `smt2`: its names there; `run`: its value.

    `run` takes the operands; those of - neg and the comparisons may be Z3's expressions as well. Division has none: its
    value depends on the rounding.
    """

    binding: int
    sympy: str
    smt2: str
    run: Callable[[Sequence[Any]], Any]


def _no_value(_: Any) -> Any:
    raise TypeError("a quotient depends on the rounding")


class _Operators(dict[str, Operator]):
    def __missing__(self, op: str) -> Operator:
        raise ValueError(f"unknown operator {op!r}")


OPERATORS = _Operators(
    {
        "<->": Operator(1, "Equivalent", "=", lambda v: v[0] == v[1]),
        "->": Operator(2, "Implies", "=>", lambda v: not v[0] or bool(v[1])),
        "or": Operator(3, "Or", "or", any),
        "and": Operator(4, "And", "and", all),
        "not": Operator(5, "Not", "not", lambda v: not v[0]),
        "==": Operator(6, "Eq", "=", lambda v: v[0] == v[1]),
        "!=": Operator(6, "Ne", "distinct", lambda v: v[0] != v[1]),
        "<": Operator(6, "Lt", "<", lambda v: v[0] < v[1]),
        "<=": Operator(6, "Le", "<=", lambda v: v[0] <= v[1]),
        ">": Operator(6, "Gt", ">", lambda v: v[0] > v[1]),
        ">=": Operator(6, "Ge", ">=", lambda v: v[0] >= v[1]),
        "+": Operator(7, "Add", "+", sum),
        "-": Operator(7, "", "-", lambda v: v[0] - v[1]),
        "*": Operator(8, "Mul", "*", prod),
        "//": Operator(8, "floor", "div", _no_value),
        "%": Operator(8, "Mod", "mod", _no_value),
        "neg": Operator(9, "", "-", lambda v: -v[0]),
        "min": Operator(10, "Min", "", min),
        "max": Operator(10, "Max", "", max),
        "abs": Operator(10, "Abs", "abs", lambda v: abs(v[0])),
    }
)
RELATIONS = ("==", "!=", "<", "<=", ">", ">=")
CONNECTIVES = ("and", "or", "not", "->", "<->")
