"""From rows over the contiguity defects to the equations that a person reads.

A stride is a linear form: integer coefficients on monomials (symbols, products of symbols), and a
constant under the key `ONE`. With strides that are distinct symbols the equations are the rows
themselves; where strides share symbols or are numbers, what has become redundant is dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from symview.engine.row_space import Row, RowSpace, primitive
from symview.logic.sympy_bridge import to_term
from symview.logic.terms import Term, linear, num, sym

if TYPE_CHECKING:
    import sympy

ONE = 1
Form = dict[Any, int]


def form_of(value: Any) -> Form:
    """The linear form of an int or a sympy integer expression.

    >>> from sympy import Symbol
    >>> a = Symbol("a", integer=True)
    >>> form_of(2*a + 3)
    {a: 2, 1: 3}
    """
    if type(value) is int:
        return {ONE: value} if value else {}
    if value.is_Symbol:
        return {value: 1}
    form: Form = {}
    for part in value.expand().as_ordered_terms():
        coefficient, monomial = part.as_coeff_Mul()
        key = ONE if monomial == 1 else monomial
        form[key] = form.get(key, 0) + int(coefficient)
    return {m: c for m, c in form.items() if c}


def combine(coefficients: Iterable[int], forms: Iterable[Form]) -> Form:
    """Σ c·form, zero coefficients left out."""
    total: Form = {}
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

    `strides` give the order in which monomials lead. `impossible`: a combination of the forms
    says that a number other than 0 is 0.
    """

    def __init__(self, forms: Iterable[Form], strides: Iterable[Form]) -> None:
        given = [f for f in forms if f]
        self.order = _monomials(strides)
        width = len(self.order)
        space = RowSpace(width + 1)
        self.forms: tuple[Form, ...] = ()
        for form in given:
            row = [form.get(m, 0) for m in self.order]
            if space.add([*row, form.get(ONE, 0)]):
                self.forms = (*self.forms, self._primitive(form))
        self.impossible = width in space.pivots

    def _primitive(self, form: Form) -> Form:
        keys = [m for m in [*self.order, ONE] if m in form]
        return dict(zip(keys, primitive([form[m] for m in keys]), strict=True))

    def has_constants(self) -> bool:
        """Whether some equation has a number of its own; without one, all zeros solve them."""
        return any(ONE in f for f in self.forms)

    def sympy(self) -> tuple[sympy.Eq, ...]:
        """The equations, each with its leading monomial alone on the left."""
        return tuple([equation(f) for f in self.forms])

    def terms(self) -> list[Term]:
        """The equations for a solver."""
        return [zero(f) for f in self.forms]


def _monomials(forms: Iterable[Form]) -> list[Any]:
    seen: dict[Any, None] = {}
    for form in forms:
        for m in form:
            if m is not ONE:
                seen.setdefault(m)
    return list(seen)


def equation(form: Form) -> sympy.Eq:
    """Form = 0 as a sympy equation, the leading monomial alone on the left."""
    import sympy

    (lead, c), *rest = form.items()
    left = sympy.Mul(c, lead) if lead is not ONE else sympy.Integer(c)
    right = sympy.Add(*[sympy.Mul(-v, m) for m, v in rest])
    return sympy.Eq(left, right, evaluate=False)


def zero(form: Form) -> Term:
    """Form = 0 for a solver, over the user's own symbols."""
    return Term("==", (linear([(c, to_term(m)) for m, c in form.items() if m is not ONE], form.get(ONE, 0)), num(0)))


def opaque_zero(form: Form) -> Term:
    """Form = 0 with every monomial as a variable of its own: linear, whatever the strides are."""
    parts = [(c, sym(str(m))) for m, c in form.items() if m is not ONE]
    return Term("==", (linear(parts, form.get(ONE, 0)), num(0)))
