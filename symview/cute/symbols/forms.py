"""Integers of layouts with symbols as polynomials, and equations between them as formulas."""

from __future__ import annotations

from typing import Any

from symview.logic.polynomial import ONE, Poly, as_term
from symview.logic.terms import Term, num
from symview.symbolic import equations
from symview.symbolic.algebra import Algebra

_ALGEBRA = Algebra((), ())  # what stands for a division has one name, whatever the question


def form_of(value: Any) -> Poly:
    """The polynomial of an int or a sympy integer expression."""
    return _ALGEBRA.poly(value)


def term_of(form: Poly) -> Term:
    """The polynomial as a term."""
    return as_term(form, _ALGEBRA.opaque)


def equation(form: Poly) -> Term:
    """Form = 0, its first monomial alone on the left, the others by name."""
    lead, *rest = form
    form = {lead: form[lead], **{m: form[m] for m in sorted(rest, key=lambda m: (not m, m))}}
    return equations.equation(form, _ALGEBRA.opaque)


def zero(form: Poly) -> Term:
    """Form = 0 as it is."""
    return Term("==", (term_of(form), num(0)))


__all__ = ["ONE", "Poly", "equation", "form_of", "term_of", "zero"]
