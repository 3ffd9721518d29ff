"""Between the oracle's views and symview's: conversions, strides with given defects, cases looked up by size."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import gcd, lcm, prod
from random import Random
from typing import Any

import pytest
import sympy
from oracle import brute, generate
from oracle.brute import V

from symview import Case, Conditions, Counterexample, Kind, OutOfBounds, View, merge
from symview.engine.index_map import IndexMap
from symview.logic.sympy_bridge import to_term
from symview.logic.terms import value_of

STRIDES = [sympy.Symbol(f"σ{n}", integer=True) for n in range(1, 9)]
SIZE = sympy.Symbol("n", integer=True)


def view(v: V) -> View:
    """The same view."""
    return View(v.shape, v.strides, v.offset, v.mask)


def symbolic(v: V) -> View:
    """The shape with a symbol for each stride, σ1, σ2, …."""
    return View(v.shape, STRIDES[: len(v.shape)], v.offset)


def box(inner: V) -> IndexMap:
    """The address map of an inner view."""
    return IndexMap(inner.shape, inner.strides, inner.offset)


def primitive(rows: brute.Rows) -> tuple[tuple[int, ...], ...]:
    """The oracle's echelon form with primitive integer rows, as the engine keeps it."""
    found = []
    for row in rows:
        scale = lcm(*(entry.denominator for entry in row))
        whole = [int(entry * scale) for entry in row]
        found.append(tuple(entry // gcd(*whole) for entry in whole))
    return tuple(found)


def coefficients(equation: Any, rank: int) -> tuple[int, ...]:
    """lhs − rhs over σ1 … σrank; there must be nothing else in it."""
    form = sympy.expand(equation.lhs - equation.rhs)
    found = tuple(int(form.coeff(symbol)) for symbol in STRIDES[:rank])
    assert sympy.expand(form - sum(c * s for c, s in zip(found, STRIDES, strict=False))) == 0
    return found


def equation_rows(shape: tuple[int, ...], equations: Sequence[Any]) -> brute.Rows:
    """The span of the equations over the contiguity defects."""
    return brute.echelon(brute.over_defects(shape, coefficients(e, len(shape))) for e in equations)


def strides_with(rng: Random, shape: tuple[int, ...], defects: Sequence[int]) -> tuple[int, ...]:
    """Strides of that shape with these defects; what they leave open is random."""
    return generate._from_defects(rng, shape, (*defects, rng.randint(-9, 9)))


def orthogonal(rng: Random, rows: brute.Rows, width: int) -> tuple[int, ...]:
    """A random integer vector orthogonal to all rows, 0 only where nothing else is."""
    basis = generate.null_space(rows, width)
    weights = [rng.choice((-3, -2, -1, 1, 2, 3)) for _ in basis]
    return tuple(sum(w * v[c] for w, v in zip(weights, basis, strict=True)) for c in range(width))


def named(strides: Sequence[int], **more: int) -> dict[str, int]:
    """The values by name of σ1, σ2, …."""
    return {f"σ{n}": value for n, value in enumerate(strides, 1)} | more


def case_at(conditions: Conditions, size: int) -> Case:
    """The one case about this value of n."""
    found = [c for c in conditions.cases if value_of(to_term(c.where), {"n": size})]
    assert len(found) == 1
    return found[0]


def substituter(v: View) -> Callable[[Mapping[str, int]], View]:
    """The view with numbers for its symbols, as a function of these."""
    terms, rank = [to_term(x) for x in v.entries()], v.rank

    def at(values: Mapping[str, int]) -> View:
        entries = [value_of(term, values) for term in terms]
        return View(entries[:rank], entries[rank : 2 * rank], entries[2 * rank])

    return at


def substituted(v: View, values: Mapping[str, int]) -> View:
    """The view with these numbers for its symbols."""
    return substituter(v)(values)


def points(rng: Random, shape: Sequence[int], count: int) -> list[tuple[int, ...]]:
    """Indices of the box: corners now and then, else anywhere; none of an empty box."""
    if prod(shape) == 0:
        return []
    pick = [lambda n: rng.randrange(n), lambda n: rng.choice((0, n - 1)), lambda n: rng.randrange(min(n, 3))]
    return [tuple(rng.choice(pick)(n) for n in shape) for _ in range(count)]


def agrees(outer: V, inner: V) -> str:
    """Compares the whole answer with the oracle's; says which it was."""
    try:
        expected = brute.merge(outer, inner)
    except brute.OutOfBounds:
        with pytest.raises(OutOfBounds) as error:
            merge(view(outer), view(inner))
        index, address = error.value.index, error.value.address
        assert all(0 <= i < n for i, n in zip(index, inner.shape, strict=True))
        assert brute.address(inner, index) == address
        assert not 0 <= address < len(brute.indices(outer.shape))
        return "out of bounds"
    found = merge(view(outer), view(inner))
    if isinstance(expected, brute.Merged):
        assert isinstance(found, View)
        assert (found.shape, found.strides, found.offset) == (inner.shape, *expected)
        assert found.mask is None
        return "merged"
    assert isinstance(found, Counterexample)
    assert (found.index, found.expected, found.got) == (expected.index, expected.expected, expected.got)
    assert (found.kind, found.smallest, found.values) == (Kind.DISAGREE, True, {})
    assert found.index[found.axis] > 0
    return "broken"
