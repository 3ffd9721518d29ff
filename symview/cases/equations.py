"""From rows over the contiguity defects to the equations that a person reads.

A stride is a polynomial over the names of the query. With strides that are distinct symbols the
equations are the rows themselves; where strides share symbols or are numbers, what has become
redundant is dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from symview.engine.row_space import Row, RowSpace, primitive
from symview.logic.polynomial import ONE, Monomial, Poly, as_linear, as_term
from symview.logic.terms import Term, num


def combine(coefficients: Iterable[int], forms: Iterable[Poly]) -> Poly:
    """Σ c·form, zero coefficients left out."""
    total: Poly = {}
    for c, form in zip(coefficients, forms, strict=True):
        if c:
            for monomial, value in form.items():
                total[monomial] = total.get(monomial, 0) + c * value
    return {m: c for m, c in total.items() if c}


def to_strides(row: Row, kept: Sequence[int]) -> Row:
    """A row over the defects δ_l = σ_l − s_{l+1}·σ_{l+1} as a row over the strides of the kept dims.

    >>> to_strides((1, 1), (10, 3, 3))
    (1, -2, -3)
    """
    out = [0] * len(kept)
    for n, weight in enumerate(row):
        out[n] += weight
        out[n + 1] -= weight * kept[n + 1]
    return tuple(out)


class Equations:
    """Forms that all have to be 0, reduced: no form is a combination of others.

    `strides` have all monomials, in the order in which these lead. `space` is the span of the forms, a row for each:
    forms of one span are 0 together. `impossible`: a combination of the forms says that a number other than 0 is 0.
    """

    def __init__(self, forms: Iterable[Poly], strides: Iterable[Poly]) -> None:
        order = list(dict.fromkeys(m for form in strides for m in form if m))
        space = RowSpace(len(order) + 1)
        kept: list[Poly] = []
        for form in forms:
            if space.add([*(form.get(m, 0) for m in order), form.get(ONE, 0)]):
                kept.append(_primitive(form, order))
        self.forms, self.space = tuple(kept), space
        self.impossible = len(order) in space.pivots

    def has_constants(self) -> bool:
        """Whether some equation has a number of its own; without one, all zeros solve them."""
        return any(ONE in f for f in self.forms)


def _primitive(form: Poly, order: Sequence[Monomial]) -> Poly:
    keys = [m for m in [*order, ONE] if m in form]
    return dict(zip(keys, primitive([form[m] for m in keys]), strict=True))


def equation(form: Poly, meaning: dict[str, Term] | None = None) -> Term:
    """Form = 0, its first monomial alone on the left; `meaning` says what stands for a division."""
    (lead, c), *rest = form.items()
    return Term("==", (as_term({lead: c}, meaning), as_term({m: -v for m, v in rest}, meaning)))


def opaque_zero(form: Poly) -> Term:
    """Form = 0 with every monomial as a variable of its own: linear, whatever the strides are."""
    return Term("==", (as_linear(form), num(0)))
