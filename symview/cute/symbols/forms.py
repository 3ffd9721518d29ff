"""Integers of layouts with symbols as polynomials, and equations between them as formulas.

A division counts as a variable whose name is its text in brackets, so that a polynomial says by itself what it means.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symview.cases import equations
from symview.logic.notation import parse_expression, term_text
from symview.logic.polynomial import ONE, Poly, as_term, poly_of, substitute
from symview.logic.sympy_bridge import to_term
from symview.logic.terms import Term, num


def form_of(value: Any) -> Poly:
    """The polynomial of an int or a sympy integer expression.

    >>> from sympy import Symbol, floor
    >>> n = Symbol("n", integer=True)
    >>> form_of(3*floor(n/4) + n)
    {('n',): 1, ('⟨n//4⟩',): 3}
    """
    divisions: dict[str, Term] = {}
    form = poly_of(to_term(value), divisions)
    named = {name: f"⟨{term_text(term)}⟩" for name, term in divisions.items()}
    return {tuple(sorted(named.get(name, name) for name in m)): c for m, c in form.items()} if named else form


def term_of(form: Poly) -> Term:
    """The polynomial as a term."""
    return as_term(form, _meaning(form))


def fixed(form: Poly, known: Mapping[str, int]) -> Poly:
    """The polynomial with numbers for some of its symbols."""
    for name, value in known.items():
        form = substitute(form, name, {ONE: value} if value else {})
    return form


def equation(form: Poly) -> Term:
    """Form = 0, its first monomial alone on the left, the others by name."""
    lead, *rest = form
    form = {lead: form[lead], **{m: form[m] for m in sorted(rest, key=lambda m: (not m, m))}}
    return equations.equation(form, _meaning(form))


def zero(form: Poly) -> Term:
    """Form = 0 as it is."""
    return Term("==", (term_of(form), num(0)))


def _meaning(form: Poly) -> dict[str, Term]:
    return {name: parse_expression(name[1:-1]) for m in form for name in m if name.startswith("⟨")}


__all__ = ["ONE", "Poly", "equation", "form_of", "term_of", "zero"]
