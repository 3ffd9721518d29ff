"""Formulas as Python loops, for evaluating them at thousands of points: they are compiled once.

`symview.logic.points.compiled` computes the same, and costs nothing to make.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from symview.logic.terms import CONNECTIVES, OPERATORS, RELATIONS, Term, divide

Point: TypeAlias = tuple[int, ...]


class Finder:
    """Searches for values of the `second` names that satisfy a formula, at given values of the `first` names.

    Connectives are evaluated from left to right with short circuits; values at which the formula divides by 0 do not
    satisfy it.

    >>> from symview.logic.notation import parse_statement
    >>> Finder(parse_statement("x*x == a"), ["a"], ["x"], "floor").first((9,), [(1,), (3,), (4,)])
    (3,)
    """

    def __init__(self, formula: Term, first: Sequence[str], second: Sequence[str], division: str) -> None:
        known = {n: f"p{k}" for k, n in enumerate(first)} | {n: f"u{k}" for k, n in enumerate(second)}
        where, values = source(formula, known, division), _unpacked("u", len(second))
        loop = f"for {_unpacked('p', len(first))} in (point,) for {values} in box"
        self._first = eval(f"lambda point, box: next(({values} {loop} if {where}), None)", GLOBALS)
        self._each = eval(f"lambda point, box: [{where} {loop}]", GLOBALS)

    def first(self, point: Point, box: Sequence[Point]) -> Point | None:
        """The first values of the box that satisfy it."""
        try:
            return self._first(point, box)  # type: ignore[no-any-return]
        except ZeroDivisionError:
            return next((values for values in box if self.each(point, (values,))[0]), None)

    def each(self, point: Point, box: Sequence[Point]) -> list[bool]:
        """Whether each of these values satisfies it."""
        try:
            return self._each(point, box)  # type: ignore[no-any-return]
        except ZeroDivisionError:
            return [False] if len(box) == 1 else [self.each(point, (values,))[0] for values in box]


def evaluator(terms: Sequence[Term], names: Sequence[str], division: str) -> Callable[[Point], tuple[int, ...]]:
    """A function from values of the names to the values of the terms.

    >>> from symview.logic.notation import parse_expression
    >>> evaluator([parse_expression("a*b"), parse_expression("-a")], ["a", "b"], "floor")((2, 3))
    (6, -2)
    """
    known = {n: f"point[{k}]" for k, n in enumerate(names)}
    values = "".join(f"{source(t, known, division)}, " for t in terms)
    return eval(f"lambda point: ({values})", GLOBALS)  # type: ignore[no-any-return]


def partial_function(term: Term, names: Sequence[str], division: str) -> Callable[[Point], int | None]:
    """The value of a term as a function of a point; None where it divides by 0.

    >>> from symview.logic.notation import parse_expression
    >>> list(map(partial_function(parse_expression("a//b"), ["a", "b"], "floor"), [(7, 2), (7, 0)]))
    [3, None]
    """
    values = evaluator([term], names, division)

    def value(point: Point) -> int | None:
        try:
            return values(point)[0]
        except ZeroDivisionError:
            return None

    return value


def columns(terms: Sequence[Term], names: Sequence[str], points: Sequence[Point], division: str) -> list[list[int]]:
    """The values of each term at the points.

    >>> from symview.logic.notation import parse_expression
    >>> columns([parse_expression("a*b"), parse_expression("-a")], ["a", "b"], [(2, 3), (4, 5)], "floor")
    [[6, 20], [-2, -4]]
    """
    rows = map(evaluator(terms, names, division), points)
    return [list(column) for column in zip(*rows, strict=True)] or [[] for _ in terms]


GLOBALS: dict[str, Any] = {"divide": divide, "OPERATORS": OPERATORS}


def _unpacked(letter: str, count: int) -> str:
    return f"({''.join(f'{letter}{k}, ' for k in range(count))})"


def source(term: Term, known: Mapping[str, str], division: str = "floor") -> str:
    """The term as Python source, to be evaluated with GLOBALS; `known` has the Python text for each name."""
    op, args = term
    if op in ("int", "bool"):
        return f"({args[0]})"
    if op == "sym":
        return known[args[0]]
    parts = [source(a, known, division) for a in args]
    if op in ("//", "%") and division != "floor":
        return f"divide({parts[0]}, {parts[1]}, {division!r})[{int(op == '%')}]"
    if op == "->":
        return f"(not {parts[0]} or {parts[1]})"
    if op == "<->":
        return f"({parts[0]} == {parts[1]})"
    if op in ("neg", "not"):
        return f"({'-' if op == 'neg' else 'not '}{parts[0]})"
    if op in ("+", "-", "*", "//", "%") or op in RELATIONS or op in CONNECTIVES:
        return f"({f' {op} '.join(parts)})"
    return f"OPERATORS[{op!r}].run(({', '.join(parts)},))"
