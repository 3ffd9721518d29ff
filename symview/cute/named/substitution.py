"""Substitutes numbers for the symbols of layouts, and samples values that are likely to separate cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Any

from symview.cute.layout import Layout
from symview.logic.integer import Node, form_of, of_term, text_of
from symview.logic.points import Range, simplified_by_ranges, value_at
from symview.logic.polynomial import ONE
from symview.logic.sympy_bridge import free_symbols, is_number, to_term
from symview.logic.terms import Term, divisors

_POINTS = 200  # number of samples


def likely_points(layouts: Iterable[Layout], names: Iterable[str], seed: int) -> Iterator[dict[str, int]]:
    """Samples at which strides continue each other, leave gaps, overlap or are 0, and sizes divide each other or do
    not.

    >>> points = list(likely_points([Layout.parse("(4,8):(a,b)")], ["a", "b"], 0))
    >>> any(p["b"] == 4 * p["a"] for p in points), any(p["a"] == 8 * p["b"] for p in points)
    (True, True)
    """
    rng, symbols = Random(seed), list(names)
    moded = [[_mode(size, stride) for size, stride in layout.flat()] for layout in layouts]
    for _ in range(_POINTS):
        point = {name: rng.choice((1, 1, 2, 3, 4, 5, 6, 8, 12, 24)) for name in symbols}
        for modes in moded:
            place = rng.choice((1, 1, 2, 3, 5))
            for size, stride, many, symbol in rng.sample(modes, len(modes)):
                if symbol is not None and rng.random() < 0.8:
                    more = rng.choice((0, 0, 0, 0, 0, 1, rng.randint(-5, 5)))
                    point[symbol] = (rng.choice((0, 1, 1, 1, 1, 2, 2, 3, 5)) * place + more) // many
                place = max(_value(size, point) * _value(stride, point), place, 1)
        yield point


def _mode(size: Any, stride: Any) -> tuple[Term, Term, int, str | None]:
    """Size and stride as terms; if the stride is c times a symbol, also c and the symbol's name."""
    ((monomial, many), *more) = form_of(stride).items() or [(ONE, 1)]
    single = len(monomial) == 1 and not more and not isinstance(monomial[0], Node)
    return to_term(size), to_term(stride), many if single else 1, text_of(monomial[0]) if single else None


def _value(term: Term, point: Mapping[str, int]) -> int:
    """The term's value, or 0 if it is undefined."""
    try:
        return value_at(term, point) or 0
    except ZeroDivisionError:
        return 0


def put(x: Any, values: Mapping[str, int]) -> Any:
    """Substitutes numbers for some symbols in a layout, an entry, None or a tuple of these.

    >>> print(put(Layout.parse("(4,n):(a,n*a)"), {"n": 3}))
    (4,3):(a,3*a)
    """
    if isinstance(x, tuple):
        return tuple([put(part, values) for part in x])
    if isinstance(x, Layout):
        return x if x.numeric or not values else Layout(put(x.shape, values), put(x.stride, values))
    if x is None or is_number(x):
        return x
    return x.put(values)


def within(layout: Layout, known: Mapping[str, Range]) -> Layout:
    """Simplifies the quotients and remainders in the layout that the bounds of the symbols determine.

    >>> print(within(Layout.parse("(4,a//8):(a,n*(a//8))"), {"a": (8, 15)}))
    (4,1):(a,n)
    """

    def entry(x: Any) -> Any:
        if isinstance(x, tuple):
            return tuple(map(entry, x))
        if is_number(x) or not any(divisors(term := to_term(x))):
            return x
        return of_term(simplified_by_ranges(term, (), known), free_symbols([x]))

    return Layout(entry(layout.shape), entry(layout.stride))


def fixed_by(comparisons: Iterable[Term]) -> dict[str, int]:
    """The values that equations of the form symbol == number give."""
    pairs = [t.args for t in comparisons if t.op == "==" and t.args[0].op == "sym" and t.args[1].op == "int"]
    return {symbol.args[0]: value.args[0] for symbol, value in pairs}
