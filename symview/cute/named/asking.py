"""Compares symbolic entries on one path of a fork; an open comparison is explored both ways.

Entries are polynomials, and equations between them are formulas. A division is a variable of the polynomial, named by
its text in brackets, so that the name alone restores its meaning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import gcd
from typing import Any

from symview.cases import equations
from symview.cases.forks import Fork
from symview.cases.whole import without
from symview.cute.comparer import Tell, plain, quotient, ratio, rounded_up
from symview.logic.notation import parse_expression, term_text
from symview.logic.polynomial import ONE, Poly, as_term, minus, poly_of, substitute
from symview.logic.sympy_bridge import to_term
from symview.logic.terms import Term, conj, disj, num, walk


def form_of(value: Any) -> Poly:
    """The polynomial of an int, a term or a sympy integer expression; its divisions become variables.

    >>> from sympy import Symbol, floor
    >>> n = Symbol("n", integer=True)
    >>> form_of(3*floor(n/4) + n)
    {('n',): 1, ('⟨n//4⟩',): 3}
    """
    divisions: dict[str, Term] = {}
    form = poly_of(value if isinstance(value, Term) else to_term(value), divisions)
    named = {name: f"⟨{term_text(term)}⟩" for name, term in divisions.items()}
    return {tuple(sorted(named.get(name, name) for name in m)): c for m, c in form.items()} if named else form


def term_of(form: Poly) -> Term:
    """Converts a polynomial to a term."""
    return as_term(form, _meaning(form))


def fixed(form: Poly, known: Mapping[str, int]) -> Poly:
    """Substitutes numbers for some symbols of the polynomial."""
    for name, value in known.items():
        form = substitute(form, name, {ONE: value} if value else {})
    return form


def equation(form: Poly) -> Term:
    """The equation form = 0, with its first monomial alone on the left and the others sorted by name."""
    lead, *rest = form
    form = {lead: form[lead], **{m: form[m] for m in sorted(rest, key=lambda m: (not m, m))}}
    return equations.equation(form, _meaning(form))


def zero(form: Poly) -> Term:
    """The equation form = 0, not rearranged."""
    return Term("==", (term_of(form), num(0)))


def _meaning(form: Poly) -> dict[str, Term]:
    return {name: parse_expression(name[1:-1]) for m in form for name in m if name.startswith("⟨")}


class Asking:
    """Compares entries; collects in `required` the polynomials that must be 0 for the result of this path."""

    tell: Tell | None = None

    def __init__(self, fork: Fork) -> None:
        self.fork, self.budget = fork, fork.budget
        self.required: list[Poly] = []

    def equal(self, a: Any, b: Any) -> bool:
        """Whether a = b."""
        return self.holds(_equal(a, b))

    def at_most(self, a: Any, b: Any) -> bool:
        """Whether a <= b."""
        return self.holds(at_most(a, b))

    def divides(self, a: Any, b: Any) -> bool:
        """Whether a divides b, for a > 0."""
        return self.holds(divides(a, b))

    def all_hold(self, ordered: Sequence[tuple[Any, Any]], divided: Sequence[tuple[Any, Any]] = ()) -> bool:
        """Whether a <= b in each of the first pairs, and a > 0 divides b in each of the others."""
        claims = [at_most(a, b) for a, b in ordered]
        return False not in claims and self.every([*claims, *[divides(a, b) for a, b in divided]])

    def every(self, claims: Sequence[Term | bool]) -> bool:
        """Whether all claims hold."""
        return self.holds(all_of(*claims))

    def require(self, a: Any, b: Any) -> bool:
        """Requires a = b; returns False if no integers satisfy that."""
        form = self._without_positive(minus(form_of(a), form_of(b)))
        lead = next((m for m in form if m), ONE)
        scale = gcd(*[c for m, c in form.items() if m])
        if form and (not scale or form.get(ONE, 0) % scale):
            return False
        if form:
            scale = -scale if form[lead] < 0 else scale
            self.required.append({m: form[m] // scale for m in sorted(form, key=lambda m: m != lead)})
        return True

    def _without_positive(self, form: Poly) -> Poly:
        """Cancels the names that all monomials share, if they are known to be positive."""
        for name in set.intersection(*map(set, form)) if form else ():
            if self.fork.known.implies(Term(">=", (term_of({(name,): 1}), num(1)))):
                form = {without(m, [name]): c for m, c in form.items()}
        return form

    def rounded_up(self, a: Any, b: Any) -> Any:
        """⌈a/b⌉ for b > 0; a plain quotient if b is known to divide a."""
        if type(a) is int and type(b) is int:
            return -(-a // b)
        if a == 1:
            return 1
        top, bottom = ratio(a, b)
        known = bottom == 1 or self._known_to_divide(bottom, top)
        return quotient(top, bottom) if known else rounded_up(top, bottom)

    def _known_to_divide(self, a: Any, b: Any) -> bool:
        known = self.fork.known
        if not any(part.op == "%" for f in known.facts for part in walk(f)):
            return False
        claim = divides(a, b)
        return claim if isinstance(claim, bool) else known.implies(claim)

    def holds(self, claim: Term | bool) -> bool:
        """Whether the claim holds."""
        return claim if isinstance(claim, bool) else self.fork.holds(claim)


def _equal(a: Any, b: Any) -> Term | bool:
    return a == b if type(a) is int and type(b) is int else compared("==", a, b)


def either(*claims: Term | bool) -> Term | bool:
    """The claim that at least one of the claims holds."""
    left = [c for c in claims if isinstance(c, Term)]
    return True in claims or (bool(left) and disj(left))


def all_of(*claims: Term | bool) -> Term | bool:
    """The claim that all claims hold."""
    left = [c for c in claims if isinstance(c, Term)]
    return False not in claims and (not left or conj(left))


def at_most(a: Any, b: Any) -> Term | bool:
    """The claim a <= b."""
    return a <= b if type(a) is int and type(b) is int else compared("<=", a, b)


@lru_cache(maxsize=4096, typed=True)
def divides(a: Any, b: Any) -> Term | bool:
    """The claim that a divides b, for a > 0."""
    if type(a) is int and type(b) is int:
        return b % a == 0
    if a == 1 or b == 1:
        return _equal(a, 1)
    top, bottom = ratio(b, a)
    return True if bottom == 1 else Term("==", (Term("%", (to_term(top), to_term(bottom))), num(0)))


@lru_cache(maxsize=4096, typed=True)  # the paths of a fork share their first comparisons
def compared(op: str, a: Any, b: Any) -> Term | bool:
    """Normalises a comparison: cancels common factors, and puts the side with symbols first."""
    left, right = form_of(a), form_of(b)
    gap = minus(left, right)
    constant = gap.pop(ONE, 0)
    if not gap:
        return constant == 0 if op == "==" else constant <= 0
    scale = gcd(*gap.values())
    if constant % scale and op == "==":
        return False
    if set(left) <= {ONE}:
        left, right, op = right, left, {"==": "==", "<=": ">="}[op]
    if set(right) <= {ONE}:
        bound = right.get(ONE, 0) - left.pop(ONE, 0)
        bound = -(-bound // scale) if op == ">=" else bound // scale
        return Term(op, (term_of({m: c // scale for m, c in left.items()}), num(bound)))
    both = gcd(*left.values(), *right.values())
    return Term(op, tuple([term_of({m: c // both for m, c in side.items()}) for side in (left, right)]))


def plain_sum(*parts: Any) -> Any:
    """The sum, as an int if it is constant."""
    found = sum(parts)
    return found if type(found) is int else plain(found.expand())


def plain_zero(value: Any) -> bool:
    """Whether the value is 0 for all values of the symbols."""
    return value == 0 if type(value) is int else bool(value.expand() == 0)
