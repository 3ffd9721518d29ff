"""The one table of operators: how each is written, computed, and called elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import gcd, prod
from typing import Any, NamedTuple

from symview.errors import Undecided
from symview.logic.floor_sum import floor_sum

_LONGEST = 100_000  # bits of a power or a shifted number: longer ones are not computed


class Operator(NamedTuple):
    """`binding`: how tightly it binds in the notation; `sympy`, `smt2`: its names there; `run`: its value.

    `run` takes the operands; those of - neg ~ & | ^ and the comparisons may be Z3's expressions as well. Division has
    none: its value depends on the rounding. Where there is no name, `arithmetic` has others that say the same.
    """

    binding: int
    sympy: str
    smt2: str
    run: Callable[[Sequence[Any]], Any]


def _no_value(_: Any) -> Any:
    raise TypeError("a quotient depends on the rounding")


def _power(v: Sequence[int]) -> int:
    base, exponent = v
    if exponent < 0:
        raise ZeroDivisionError("a negative exponent")
    if abs(base) > 1 and exponent * base.bit_length() > _LONGEST:
        raise Undecided(f"a power of more than {_LONGEST} bits")
    return int(base**exponent)


def _left(v: Sequence[int]) -> int:
    if v[0] == 0 and v[1] >= 0:
        return 0
    return v[0] * _power((2, v[1]))


def _right(v: Sequence[int]) -> int:
    if v[1] < 0:
        raise ZeroDivisionError("a negative shift")
    return v[0] >> min(v[1], v[0].bit_length())


class _Operators(dict[str, Operator]):
    def __missing__(self, op: str) -> Operator:
        raise ValueError(f"unknown operator {op!r}")


ATOM = 16  # how tightly calls, names and numbers bind
OPERATORS = _Operators(
    {
        "<->": Operator(1, "Equivalent", "=", lambda v: v[0] == v[1]),
        "->": Operator(2, "Implies", "=>", lambda v: not v[0] or bool(v[1])),
        "if": Operator(3, "", "ite", lambda v: v[1] if v[0] else v[2]),
        "or": Operator(4, "Or", "or", any),
        "and": Operator(5, "And", "and", all),
        "not": Operator(6, "Not", "not", lambda v: not v[0]),
        "==": Operator(7, "Eq", "=", lambda v: v[0] == v[1]),
        "!=": Operator(7, "Ne", "distinct", lambda v: v[0] != v[1]),
        "<": Operator(7, "Lt", "<", lambda v: v[0] < v[1]),
        "<=": Operator(7, "Le", "<=", lambda v: v[0] <= v[1]),
        ">": Operator(7, "Gt", ">", lambda v: v[0] > v[1]),
        ">=": Operator(7, "Ge", ">=", lambda v: v[0] >= v[1]),
        "|": Operator(8, "", "", lambda v: v[0] | v[1]),
        "^": Operator(9, "", "", lambda v: v[0] ^ v[1]),
        "&": Operator(10, "", "", lambda v: v[0] & v[1]),
        "<<": Operator(11, "", "", _left),
        ">>": Operator(11, "", "", _right),
        "+": Operator(12, "Add", "+", sum),
        "-": Operator(12, "", "-", lambda v: v[0] - v[1]),
        "*": Operator(13, "Mul", "*", prod),
        "//": Operator(13, "floor", "div", _no_value),
        "%": Operator(13, "Mod", "mod", _no_value),
        "neg": Operator(14, "", "-", lambda v: -v[0]),
        "~": Operator(14, "", "", lambda v: ~v[0]),
        "**": Operator(15, "", "", _power),
        "min": Operator(ATOM, "Min", "", min),
        "max": Operator(ATOM, "Max", "", max),
        "abs": Operator(ATOM, "Abs", "abs", lambda v: abs(v[0])),
        "gcd": Operator(ATOM, "", "", lambda v: gcd(*v)),
        "floor_sum": Operator(ATOM, "", "", lambda v: floor_sum(*v)),
        "ceildiv": Operator(ATOM, "", "", lambda v: -(-v[0] // v[1])),
        # a result of a stated width: the value, the least of that width, and 2**width
        "wrap": Operator(ATOM, "", "", lambda v: (v[0] - v[1]) % v[2] + v[1]),
    }
)
RELATIONS = ("==", "!=", "<", "<=", ">", ">=")
CONNECTIVES = ("and", "or", "not", "->", "<->")
CALLS = {n: n for n in ("min", "max", "abs", "gcd", "ceildiv", "floor_sum")} | {"cdiv": "ceildiv", "where": "if"}
ARGUMENTS = {
    "min": (1, None), "max": (1, None), "abs": (1, 1), "gcd": (1, None), "ceildiv": (2, 2), "floor_sum": (4, 4),
    "if": (3, 3),
}  # fmt: skip
BITWISE = ("&", "|", "^")
