"""From rows over the contiguity defects to the equations that a person reads.

A stride is a polynomial over the names of the query. If strides are distinct symbols, the equations are the rows
themselves; if strides share symbols or are numbers, redundant equations are dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from symview.engine.row_space import RowSpace, primitive
from symview.logic.polynomial import ONE, Monomial, Poly, as_linear, as_term, plus
from symview.logic.terms import Term, num


def combine(coefficients: Iterable[int], forms: Iterable[Poly]) -> Poly:
    """Σ c·form, without zero coefficients."""
    total: Poly = {}
    for c, form in zip(coefficients, forms, strict=True):
        if c:
            for monomial, value in form.items():
                total[monomial] = total.get(monomial, 0) + c * value
    return {m: c for m, c in total.items() if c}


def defects(sizes: Sequence[int], strides: Sequence[Poly]) -> list[Poly]:
    """The contiguity defects δ_l = σ_l − s_{l+1}·σ_{l+1} of dims of these sizes.

    >>> defects((10, 3, 3), [{("a",): 1}, {("b",): 1}, {("c",): 1}])
    [{('a',): 1, ('b',): -3}, {('b',): 1, ('c',): -3}]
    """
    return [plus(one, below, -size) for (one, below), size in zip(pairwise(strides), sizes[1:], strict=True)]


def monomials(forms: Iterable[Poly]) -> list[Monomial]:
    """The monomials of the forms other than 1, in order of first appearance."""
    return list(dict.fromkeys([m for form in forms for m in form if m]))


def span(forms: Iterable[Poly], order: Sequence[Monomial]) -> RowSpace:
    """The span of the forms as rows; the columns are these monomials and 1."""
    columns = (*order, ONE)
    return RowSpace(len(columns), [[form.get(m, 0) for m in columns] for form in forms])


class Equations:
    """Equations form = 0, reduced: no form is a linear combination of others.

    `order` has all monomials other than 1, leading ones first. `space` is the span of the forms; equal spans are
    equivalent equations. `impossible`: a combination of the forms is a nonzero number.
    """

    def __init__(self, forms: Iterable[Poly], order: Sequence[Monomial]) -> None:
        space = span((), order)
        kept: list[Poly] = []
        for form in forms:
            if space.add([form.get(m, 0) for m in (*order, ONE)]):
                kept.append(in_order(form, order))
        self.forms, self.space = tuple(kept), space
        self.impossible = len(order) in space.pivots

    def has_constants(self) -> bool:
        """Whether some form has a constant; if none has, all zeros are a solution."""
        return any(ONE in f for f in self.forms)


def in_order(form: Poly, order: Sequence[Monomial]) -> Poly:
    """The form divided by its content, its monomials in this order and its first coefficient positive."""
    keys = [m for m in [*order, ONE] if m in form]
    return dict(zip(keys, primitive([form[m] for m in keys]), strict=True))


def equation(form: Poly) -> Term:
    """Form = 0 with the first monomial alone on the left."""
    (lead, c), *rest = form.items()
    return Term("==", (as_term({lead: c}), as_term({m: -v for m, v in rest})))


def linear_zero(form: Poly) -> Term:
    """Form = 0 with every monomial as a variable of its own: linear, whatever the strides are."""
    return Term("==", (as_linear(form), num(0)))
