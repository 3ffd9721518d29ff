"""Between which numbers a term lies, by signs, remainders and sums alone; and what that settles."""

from __future__ import annotations

from collections.abc import Container
from functools import reduce
from typing import TypeAlias

from symview.logic.operators import RELATIONS
from symview.logic.terms import Term, num

Range: TypeAlias = tuple[int | None, int | None]  # None: no bound
_ANY: Range = (None, None)


def settled(term: Term, positive: Container[str]) -> Term:
    """The same with quotients, remainders and comparisons as the numbers between which their parts lie settle them.

    >>> from symview.logic.notation import parse_statement
    >>> from symview.logic.sympy_bridge import to_text
    >>> for text in "o % 4 // 4 == 0", "(o % 8 + 1) // 2 <= 4", "(n % 4) % 8 >= 3", "(o % 8 + 24)//8 == o", "n + 2 > 2":
    ...     print(to_text(settled(parse_statement(text), "n")))
    True
    True
    n % 4 >= 3
    3 == o
    True
    """
    if term.op in ("int", "sym", "bool"):
        return term
    term = Term(term.op, tuple([settled(a, positive) for a in term.args]))
    if term.op in RELATIONS:
        truth = _compared(term.op, *(range_of(a, positive) for a in term.args))
        return term if truth is None else Term("bool", (truth,))
    if term.op in ("//", "%"):
        low, high = range_of(term, positive)
        if low is not None and low == high:
            return num(low)
        inner, by = (range_of(a, positive) for a in term.args)
        if term.op == "%" and _below(inner, by) and inner[0] is not None and inner[0] >= 0:
            rest: Term = term.args[0]
            return rest
    return term


def range_of(term: Term, positive: Container[str]) -> Range:
    """Bounds of the values at which no divisor is 0, or less."""
    op, args = term
    if op == "int":
        return args[0], args[0]
    if op == "sym":
        return (1, None) if args[0] in positive else _ANY
    if op not in ("+", "-", "*", "neg", "//", "%"):
        return _ANY
    parts = [range_of(a, positive) for a in args]
    if op == "+":
        return reduce(_sum, parts)
    if op in ("-", "neg"):
        return _sum(parts[0], _opposite(parts[1])) if op == "-" else _opposite(parts[0])
    if op == "*":
        return reduce(_product, parts)
    inner, by = parts
    if by[0] is None or by[0] <= 0:
        return _ANY
    if op == "%":
        most = None if by[1] is None else by[1] - 1
        if inner[0] is None or inner[0] < 0 or inner[1] is None:
            return 0, most
        return inner if _below(inner, by) else (0, inner[1] if most is None else min(most, inner[1]))
    if by[0] != by[1]:
        most = None if inner[1] is None else inner[1] // by[0]
        return (0, most) if inner[0] is not None and inner[0] >= 0 else _ANY
    return tuple([None if x is None else x // by[0] for x in inner])  # type: ignore[return-value]


def _below(one: Range, other: Range) -> bool:
    return one[1] is not None and other[0] is not None and one[1] < other[0]


def _sum(one: Range, other: Range) -> Range:
    low, high = (None if a is None or b is None else a + b for a, b in zip(one, other, strict=True))
    return low, high


def _opposite(one: Range) -> Range:
    low, high = (None if x is None else -x for x in reversed(one))
    return low, high


def _product(one: Range, other: Range) -> Range:
    if one[0] is None or one[0] != one[1]:
        one, other = other, one
    if one[0] is not None and one[0] == one[1]:  # a number
        scale = one[0]
        low, high = (None if x is None else scale * x for x in other)
        return (0, 0) if not scale else (low, high) if scale > 0 else (high, low)
    if one[0] is None or other[0] is None or min(one[0], other[0]) < 0:
        return _ANY
    return one[0] * other[0], None if one[1] is None or other[1] is None else one[1] * other[1]


def _compared(op: str, one: Range, other: Range) -> bool | None:
    """Whether a comparison always holds, or never; None where neither is seen."""
    low, high = _sum(one, _opposite(other))
    match op:
        case "<" | ">=":
            below = True if high is not None and high < 0 else False if low is not None and low >= 0 else None
            return below if op == "<" or below is None else not below
        case "<=" | ">":
            most = True if high is not None and high <= 0 else False if low is not None and low > 0 else None
            return most if op == "<=" or most is None else not most
    apart = (low is not None and low > 0) or (high is not None and high < 0)
    same = low == 0 == high
    return None if not (apart or same) else same if op == "==" else apart
