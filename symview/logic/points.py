"""Integer points by the sum of their absolute values, and formulas as fast functions of a point."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from symview.errors import InputError, NotSupported
from symview.logic.operators import OPERATORS
from symview.logic.polynomial import ONE, comparison
from symview.logic.terms import Term, divide, names, value_of

Range = tuple[int | None, int | None]
Values = Sequence[int]


def by_size(ranges: Sequence[Range]) -> Iterator[tuple[int, ...]]:
    """The integer points of a box, bounded or not, by the sum of absolute values.

    >>> from itertools import islice
    >>> list(islice(by_size([(None, None), (0, 1)]), 6))
    [(0, 0), (0, 1), (1, 0), (-1, 0), (1, 1), (-1, 1)]
    """
    if any(lo is not None and hi is not None and lo > hi for lo, hi in ranges):
        return
    least, most = _extremes(ranges)
    total = least[0]
    while most[0] < 0 or total <= most[0]:
        yield from _shell(ranges, least, most, total, 0)
        total += 1


def of_size(ranges: Sequence[Range], total: int) -> Iterator[tuple[int, ...]]:
    """Those of one sum of absolute values, in the same order.

    >>> list(of_size([(None, None), (0, 1)], 2))
    [(1, 1), (-1, 1), (2, 0), (-2, 0)]
    """
    return _shell(ranges, *_extremes(ranges), total, 0)


def _extremes(ranges: Sequence[Range]) -> tuple[list[int], list[int]]:
    """The least and the greatest sum of absolute values from each range on; -1 for no bound."""
    least, most = [0], [0]
    for r in reversed(ranges):
        least.append(least[-1] + _least(r))
        far = _most(r)
        most.append(-1 if far < 0 or most[-1] < 0 else most[-1] + far)
    return least[::-1], most[::-1]


def _least(r: Range) -> int:
    """The least absolute value in the range."""
    lo, hi = r
    return lo if lo is not None and lo > 0 else -hi if hi is not None and hi < 0 else 0


def _most(r: Range) -> int:
    """The greatest absolute value in the range; -1 for no bound."""
    lo, hi = r
    return -1 if lo is None or hi is None else max(abs(lo), abs(hi))


def _shell(
    ranges: Sequence[Range], least: Sequence[int], most: Sequence[int], total: int, at: int
) -> Iterator[tuple[int, ...]]:
    """The points of the dimensions from `at` on whose absolute values add up to `total`.

    `least` and `most`: per dimension, what those from it on add up to at the least and the most, -1 for no bound.
    """
    if at == len(ranges):
        yield ()
        return
    (lo, hi), own = ranges[at], _most(ranges[at])
    start = _least(ranges[at]) if most[at + 1] < 0 else max(_least(ranges[at]), total - most[at + 1])
    end = total - least[at + 1]
    for size in range(start, (end if own < 0 else min(end, own)) + 1):
        for here in (size, -size) if size else (0,):
            if (lo is None or lo <= here) and (hi is None or here <= hi):
                for rest in _shell(ranges, least, most, total - size, at + 1):
                    yield (here, *rest)


def bounds_of(facts: Iterable[Term], names: Sequence[str]) -> list[Range]:
    """The bounds by constants that single facts put on single variables, of which those named are asked for.

    >>> from symview.logic.notation import parse_statement
    >>> bounds_of([parse_statement("a >= 2"), parse_statement("b + c - b > 0")], ["a", "b"])
    [(2, None), (None, None)]
    """
    found: dict[str, Range] = dict.fromkeys(names, (None, None))
    for fact in facts:
        for name, (lo, hi) in _bounds(fact):
            if name not in found:
                continue
            low, high = found[name]
            low = lo if low is None or (lo is not None and lo > low) else low
            high = hi if high is None or (hi is not None and hi < high) else high
            found[name] = (low, high)
    return [found[n] for n in names]


def _bounds(term: Term) -> Iterator[tuple[str, Range]]:
    """The bounds that a comparison of ±name with a number sets; nothing for other formulas."""
    try:
        relation, p = comparison(term)
    except (InputError, NotSupported):
        return  # it has divisions, min or max: no bound is read off it
    if relation == "!=" or sum(m != ONE for m in p) != 1:
        return
    ((monomial, factor),) = ((m, c) for m, c in p.items() if m != ONE)
    constant = p.get(ONE, 0)
    if len(monomial) == 1 and abs(factor) == 1:
        edge = -constant * factor
        yield monomial[0], (edge if factor > 0 or relation == "==" else None,
                            edge if factor < 0 or relation == "==" else None)  # fmt: skip


def compiled(term: Term, names: Sequence[str], division: str) -> Callable[[Values], int]:
    """The term as a function of the point; meant as `value_of` is, only faster."""
    op, args = term
    if op in ("int", "bool"):
        return lambda _: int(args[0])
    if op == "sym":
        return operator.itemgetter(names.index(args[0]))
    parts = [compiled(a, names, division) for a in args]
    if op in ("//", "%"):
        f, g = parts
        if division == "floor":
            return (lambda v: f(v) // g(v)) if op == "//" else (lambda v: f(v) % g(v))
        which = 0 if op == "//" else 1
        return lambda v: divide(f(v), g(v), division)[which]
    if op in ("and", "or"):
        return (lambda v: all(f(v) for f in parts)) if op == "and" else (lambda v: any(f(v) for f in parts))
    if len(parts) == 2 and op in _WRITTEN_OUT:
        return _WRITTEN_OUT[op](parts[0], parts[1])
    run = OPERATORS[op].run
    if len(parts) == 3:
        f, g, h = parts
        return lambda v: run((f(v), g(v), h(v)))
    return lambda v: run([f(v) for f in parts])


def value_at(term: Term, values: Mapping[str, int]) -> int | None:
    """The term's value; None where a variable has none. Meant for terms that are asked at many values.

    >>> from symview.logic.notation import parse_expression
    >>> value_at(parse_expression("a*b + 1"), {"a": 2, "b": 3})
    7
    """
    order, function = _function(term)
    try:
        point = [values[name] for name in order]
    except KeyError:
        return None
    return function(point)


@lru_cache(4096)
def _function(term: Term) -> tuple[tuple[str, ...], Function]:
    order = names(term)
    return order, compiled(term, order, "floor")


Function = Callable[[Values], int]

_WRITTEN_OUT: dict[str, Callable[[Function, Function], Function]] = {  # as in the table of operators, without the calls
    "+": lambda f, g: lambda v: f(v) + g(v),
    "-": lambda f, g: lambda v: f(v) - g(v),
    "*": lambda f, g: lambda v: f(v) * g(v),
    "==": lambda f, g: lambda v: f(v) == g(v),
    "!=": lambda f, g: lambda v: f(v) != g(v),
    "<": lambda f, g: lambda v: f(v) < g(v),
    "<=": lambda f, g: lambda v: f(v) <= g(v),
    ">": lambda f, g: lambda v: f(v) > g(v),
    ">=": lambda f, g: lambda v: f(v) >= g(v),
    "->": lambda f, g: lambda v: not f(v) or g(v),
}


def true_at(formulas: Iterable[Term], point: Mapping[str, int]) -> bool:
    """Whether all the formulas have a value at the point, and are true."""
    try:
        return all(value_of(f, point) for f in formulas)
    except ZeroDivisionError:
        return False
