"""Rewrites equations of products of quotients by remainders: `h*w = 49*(h//7)*(w//7)` is `7 | h and 7 | w`."""

from __future__ import annotations

from collections.abc import Iterable

from symview.cases.algebra import Algebra, Literals
from symview.logic.budget import Budget
from symview.logic.entailment import Entailment
from symview.logic.polynomial import Monomial, Poly, minus, over, plus, times
from symview.logic.terms import Term, num


def by_remainders(p: Poly, facts: Iterable[Term], budget: Budget, algebra: Algebra) -> list[Literals] | None:
    """P = 0, given the facts, as clauses about remainders; None if there is no such rewriting.

    After substituting x = d·(x//d) + x % d for each quotient, p may be a sum of products that are all >= 0, or all <=
    0. It is 0 exactly if each product is, so if each product has a factor 0.

    >>> from symview.logic.budget import DEFAULT
    >>> from symview.logic.notation import parse_expression, parse_statement
    >>> from symview.logic.sympy_bridge import to_text
    >>> facts = [parse_statement("h//7 >= 1"), parse_statement("w//7 >= 1")]
    >>> algebra = Algebra("hw", "hw")
    >>> p = algebra.poly_of(parse_expression("h*w - 49*(h//7)*(w//7)"))
    >>> [[to_text(e) for e in clause] for clause in by_remainders(p, facts, DEFAULT, algebra)]
    [['h % 7 == 0'], ['w % 7 == 0']]
    """
    quotients = [n for n, t in algebra.opaque.items() if t.op == "//" and any(n in m for m in p)]
    if len(quotients) < 2:
        return None  # the equation for one quotient is already written by its remainder
    found, known = p, Entailment(facts, budget)
    for name in quotients:
        split = _split(name, algebra)
        if split is None:
            return None
        found = _replaced(found, *split)
    signs = {c > 0 for c in found.values()}
    if len(signs) != 1 or not all(_not_negative(n, known, algebra) for m in found for n in m):
        return None
    zeros = {frozenset(n for n in m if not _positive(n, known, algebra)) for m in found}
    least = [z for z in zeros if not any(other < z for other in zeros)]
    return [tuple(_zero(n, algebra) for n in sorted(z)) for z in sorted(least, key=sorted)]


def _split(quotient: str, algebra: Algebra) -> tuple[Monomial, Poly] | None:
    """A monomial of the dividend, and its value by quotient and remainder; None if none has the coefficient ±1."""
    top, bottom = algebra.opaque[quotient].args
    form, divisor = algebra.poly_of(top), algebra.poly_of(bottom)
    lead = next((m for m, c in form.items() if m and abs(c) == 1), None)
    if lead is None or not algebra.is_positive(divisor):
        return None
    rest = plus(times(divisor, {(quotient,): 1}), algebra.poly_of(Term("%", (top, bottom))))
    others = {m: c for m, c in form.items() if m != lead}
    return lead, {m: c * form[lead] for m, c in minus(rest, others).items()}


def _replaced(p: Poly, monomial: Monomial, by: Poly) -> Poly:
    """The polynomial after replacing that factor of its monomials, once in each."""
    found: Poly = {}
    for m, c in p.items():
        rest = over(m, monomial)
        found = plus(found, {m: c} if rest is None else times({rest: c}, by))
    return found


def _not_negative(name: str, known: Entailment, algebra: Algebra) -> bool:
    return algebra.least(name) is not None or known.implies(Term(">=", (algebra.term({(name,): 1}), num(0))))


def _positive(name: str, known: Entailment, algebra: Algebra) -> bool:
    return algebra.least(name) == 1 or known.implies(Term(">=", (algebra.term({(name,): 1}), num(1))))


def _zero(name: str, algebra: Algebra) -> Term:
    term = algebra.term({(name,): 1})
    return algebra.divides(*map(algebra.poly_of, reversed(term.args))) if term.op == "%" else Term("==", (term, num(0)))
