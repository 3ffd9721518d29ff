"""The values of terms at a list of points, one column a term: what many formulas share is evaluated once."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Any

from symview.logic.operators import OPERATORS
from symview.logic.terms import Term

_AT_ONCE = 8  # values that are computed in one step of work


class Columns:
    """Points, to which more are added, and the values of terms there.

    Where a part of a term has no value, as at a divisor of 0, its column has any number there, and the point is in
    `undefined`, as a bit. `work`: the steps that this took.

    >>> from symview.logic.notation import parse_statement
    >>> table = Columns(["a", "b"])
    >>> table.points += [(7, 2), (7, 0), (8, 2)]
    >>> odd = parse_statement("a % b == 1")
    >>> table.of(odd)[0], table.of(odd)[2], table.undefined[odd]
    (True, False, 2)
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = list(names)
        self.points: list[tuple[int, ...]] = []
        self.values: dict[Term, list[int]] = {}
        self.undefined: dict[Term, int] = {}
        self.work = 0

    def of(self, term: Term) -> list[int]:
        """The column of the term."""
        found = self.values.setdefault(term, [])
        if len(found) < len(self.points):
            found += self._more(term, len(found))
        return found

    def _more(self, term: Term, start: int) -> list[int]:
        """The values at the points from `start` on."""
        op, args = term
        new = len(self.points) - start
        self.work += 1 + new // _AT_ONCE
        if op in ("int", "bool"):
            return [int(args[0])] * new
        if op == "sym":
            return list(map(itemgetter(self.names.index(args[0])), self.points[start:]))
        parts = [self.of(a)[start:] if start else self.of(a) for a in args]
        run = _OF_TWO.get(op) if len(parts) == 2 else None
        each: Callable[..., Any] = run or (lambda *v: OPERATORS[op].run(v))
        without = 0
        for a in args:
            without |= self.undefined.get(a, 0)
        try:
            found = list(map(each, *parts))
        except ZeroDivisionError:
            found, nowhere = _one_by_one(each, zip(*parts, strict=True))
            without |= nowhere << start
        if without:
            self.undefined[term] = without
        return found


_OF_TWO: dict[str, Callable[[Any, Any], Any]] = {  # without the calls that the table of operators makes
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def _one_by_one(each: Callable[..., int], operands: Iterable[Sequence[int]]) -> tuple[list[int], int]:
    """The values, and as bits where there is none."""
    found, nowhere = list[int](), 0
    for n, at in enumerate(operands):
        try:
            found.append(each(*at))
        except ZeroDivisionError:
            found.append(0)
            nowhere |= 1 << n
    return found, nowhere


def bits_of(column: Sequence[int]) -> int:
    """As bits, where the values are not 0.

    >>> bits_of([1, 0, 1, 1])
    13
    """
    return int("".join(["1" if value else "0" for value in reversed(column)]) or "0", 2)
