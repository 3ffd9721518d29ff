"""The comparisons that a premise is made of: which terms over the named symbols they compare, and what they cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from operator import ge, le
from typing import Any, NamedTuple

from symview.logic.terms import Term, conj, disj, names, num, sym, walk
from symview.rules.premises.cheapest import Part
from symview.rules.premises.question import numbers_in
from symview.rules.python_loops import Point, columns

_BITS = bytes.maketrans(b"\x00\x01", b"01")
_ZERO, _ONE = num(0), num(1)


class Side(NamedTuple):
    """One side of a comparison, and what it costs to read."""

    cost: float
    term: Term


def simple_sides(named: Sequence[str], stated: Sequence[Term]) -> list[Side]:
    """The names, the numbers near 0 and those of the text, and what the text says of the names alone."""
    found = {sym(n): 1.0 for n in named}
    for term in (t for f in stated for t in walk(f)):
        if not term.is_formula() and names(term) and set(names(term)) <= set(named):
            found.setdefault(term, 1.0 + 0.4 * sum(1 for _ in walk(term)))
    for n, cost in ((0, 1.0), (1, 1.1), (-1, 1.2), (2, 1.3)):
        found[num(n)] = cost
    for n in sorted(numbers_in(stated), key=abs):
        for near, cost in ((n, 1.5), (n - 1, 2.5), (n + 1, 2.5)):
            found.setdefault(num(near), cost)
    return [Side(cost, term) for term, cost in found.items()]


def compound_sides(named: Sequence[str], stated: Sequence[Term]) -> list[Side]:
    """Absolute values, products, sums and differences of names, and what they have in common with numbers."""
    symbols = list(map(sym, named))
    found = [Side(1.6, Term("abs", (a,))) for a in symbols]
    for a, b in combinations(symbols, 2):
        found += [Side(4.0, Term("*", (a, b))), Side(3.4, Term("+", (a, b)))]
        found += [Side(3.5, Term("-", (a, b))), Side(3.5, Term("-", (b, a))), Side(5.0, Term("gcd", (a, b)))]
    for a in symbols:
        found += [Side(3.0, Term(op, (a, _ONE))) for op in "+-"]
        found += [Side(3.0, Term("*", (num(2), a))), Side(4.2, Term("*", (a, a)))]
        found += [Side(5.0, Term("gcd", (a, num(n)))) for n in sorted(numbers_in(stated)) if n > 1]
    return found


def comparisons(
    pairs: Iterable[tuple[Side, Side]], named: Sequence[str], points: Sequence[Point], division: str
) -> list[Part]:
    """Every comparison of these sides, and whether one divides the other, with the points at which it is true.

    The first point is the highest bit.
    """
    pairs = [(b, a) if a.term.op == "int" else (a, b) for a, b in pairs if names(a.term, b.term)]
    sides = list(dict.fromkeys(side.term for pair in pairs for side in pair))
    values = dict(zip(sides, columns(sides, named, points, division), strict=True))
    found: list[Part] = []
    for a, b in pairs:
        left, right, cost = values[a.term], values[b.term], a.cost + b.cost
        found += _in_order(cost, a.term, b.term, left, right, (1 << len(points)) - 1)
        found += _divided(cost, a.term, b.term, left, right, (1 << len(points)) - 1)
        found += _divided(cost, b.term, a.term, right, left, (1 << len(points)) - 1)
    return found


def _in_order(cost: float, s: Term, t: Term, left: list[Any], right: list[Any], whole: int) -> list[Part]:
    below, above = _bits(map(le, left, right)), _bits(map(ge, left, right))
    number = t.op == "int"  # which stands on the right
    return [
        Part(cost + 0.1, Term("==", (s, t)), below & above),
        Part(cost + 0.3, Term("!=", (s, t)), whole & ~(below & above)),
        Part(cost + 0.25, Term("<=", (s, t)), below),
        Part(cost + 0.25, Term(">=", (s, t)) if number else Term("<=", (t, s)), above),
        Part(cost + 0.2, Term(">", (s, t)) if number else Term("<", (t, s)), whole & ~below),
        Part(cost + 0.2, Term("<", (s, t)), whole & ~above),
    ]


def _divided(cost: float, s: Term, t: Term, left: list[Any], right: list[Any], whole: int) -> Iterator[Part]:
    """Comparisons on whether t divides s; where t may be 0, with a test of it."""
    if t.op in ("abs", "-", "neg") or (t.op == "int" and t.args[0] < 2) or (s.op == "int" and abs(s.args[0]) < 2):
        return
    cost += 0.0 if t.op in ("int", "sym") else 1.0
    even, odd = (Term(relation, (Term("%", (s, t)), _ZERO)) for relation in ("==", "!="))
    if all(right):
        there = _bits([not x % y for x, y in zip(left, right, strict=True)])
        yield Part(cost + 0.1, even, there)
        yield Part(cost + 0.6, odd, whole & ~there)
        return
    some, none = Term("!=", (t, _ZERO)), Term("==", (t, _ZERO))
    there = _bits([y != 0 and not x % y for x, y in zip(left, right, strict=True)])
    zero = _bits([y == 0 for y in right])
    yield Part(cost + 1.5, conj((some, even)), there)
    yield Part(cost + 1.6, disj((none, even)), there | zero)
    yield Part(cost + 1.8, conj((some, odd)), whole & ~there & ~zero)
    yield Part(cost + 1.9, disj((none, odd)), whole & ~there)


def _bits(truths: Iterable[Any]) -> int:
    return int(bytes(truths).translate(_BITS), 2)
