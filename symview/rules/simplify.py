"""Simplifies index expressions; each result has a theorem that it is equal.

Every quotient is normalised, by rules of division with remainder as for programs. A result is accepted only after
`prove` has proved it equal to the given expression.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from symview.displayed import Displayed
from symview.errors import InputError, NotSupported, Undecided
from symview.logic.budget import Budget, running
from symview.logic.inequalities import Known
from symview.logic.notation import joined
from symview.logic.polynomial import (
    ONE,
    UNIT,
    Poly,
    arithmetic,
    as_ordered_term,
    atom_term,
    denied,
    divided,
    expanded,
    minus,
    negative,
    operations,
    over,
    plus,
    poly_of,
    substitute,
    times,
)
from symview.logic.solve import HINT, Sat, is_impossible, solve
from symview.logic.sympy_bridge import to_text
from symview.logic.terms import TRUE, Term, names, nonzero_divisors, num, value_of
from symview.proof.prover import prove
from symview.proof.statement import Statement, read
from symview.proof.verdicts import Proved
from symview.rules.divisions import by_factor, nearest, nested
from symview.rules.index_expressions import Expression, as_index


@dataclass(frozen=True, slots=True)
class SimplifiedIndex(Displayed):
    """An expression equal to the given one, as text, and the theorem that they are equal."""

    expression: str
    theorem: Proved

    def __str__(self) -> str:
        return self.expression


def simplify_index(
    expression: Expression,
    assume: Statement | Sequence[Statement] = (),
    division: str = "floor",
    budget: Budget | None = None,
) -> SimplifiedIndex:
    """An equal expression that is not longer, with the theorem that it is equal wherever the assumptions hold.

    Divisions are simplified by what is known of their parts: ranges, common factors, nested quotients. If nothing
    shorter is proved to be equal, the expression stays as it is. Raises InputError for contradictory assumptions.

    >>> print(simplify_index("(i*16 + j)//4 % 4", "0 <= i and 0 <= j < 16"))
    j//4
    >>> print(simplify_index("x//6*6 + x%6"))
    x
    >>> simplify_index("(x%12)%4").theorem.statement
    'x % 12 % 4 == x % 4'
    """
    budget = running(budget)
    given = as_index(expression)
    assumed = read(TRUE, assume, division, known=names(given)).assumptions
    if is_impossible(assumed, budget):
        raise InputError(f"{to_text(given)}: no values meet the assumptions {joined([a.text for a in assumed])}")
    facts = [a.term for a in assumed]
    own = to_text(given)
    shorter = sorted({text: t for t in _forms(given, facts, budget) if len(text := to_text(t)) < len(own)}.items(),
                     key=lambda found: len(found[0]))  # fmt: skip
    for text, term in shorter:
        theorem = prove(Term("==", (given, term)), facts, division, budget=budget)
        if isinstance(theorem, Proved):
            return SimplifiedIndex(text, theorem)
    theorem = prove(Term("==", (given, given)), facts, division, budget=budget)
    if not isinstance(theorem, Proved):
        raise Undecided(f"{own}: {theorem}")
    return SimplifiedIndex(own, theorem)


def _forms(given: Term, facts: Sequence[Term], budget: Budget) -> Iterator[Term]:
    """Candidates: with quotients alone, and with remainders where they are shorter."""
    try:
        form = _Form(facts, budget)
        apart = form.poly(given)
        for p in (apart, form.merged(apart)):
            yield form.term(p)
            yield form.term(form.with_remainders(p))
    except (InputError, NotSupported, Undecided):
        return


class _Form:
    """Polynomials over names, some of which stand for quotients."""

    def __init__(self, facts: Sequence[Term], budget: Budget) -> None:
        self.facts, self.budget = facts, budget
        self.known = Known(facts, budget).plus(solver=True)
        self.divisions: dict[str, Term] = {}

    def poly(self, term: Term) -> Poly:
        """The normal form of the term."""
        op, args = term
        if op in ("int", "sym"):
            return poly_of(term)
        if term.is_formula() or any(a.is_formula() for a in args):
            return self.named(term)
        parts = list(map(self.poly, args))
        match op:
            case "//":
                return self.quotient(*parts)
            case "%":
                return minus(parts[0], times(parts[1], self.quotient(*parts)))
            case "neg" | "+" | "-" | "*":
                return arithmetic(op, parts)
            case "min" | "max":
                return self.chosen(op, parts)
            case "abs" if self.known.holds(parts[0]):
                return parts[0]
            case "abs" if self.known.holds(negative(parts[0])):
                return negative(parts[0])
        return self.named(Term(op, tuple(map(self.term, parts))))

    def chosen(self, op: str, parts: Sequence[Poly]) -> Poly:
        """The min or max, without operands that another one is known to dominate."""
        left = list(parts)
        for p in parts:
            rest = [q for q in left if q is not p]
            if len(left) > 1 and any(self.known.holds(minus(p, q) if op == "min" else minus(q, p)) for q in rest):
                left = rest
        return left[0] if len(left) == 1 else self.named(Term(op, tuple(map(self.term, left))))

    def quotient(self, top: Poly, by: Poly) -> Poly:
        """Top // by, normalised as far as is known."""
        if not by:
            raise InputError("the divisor is always 0")
        if self.known.holds(denied(by)):
            top, by = negative(top), negative(by)
        if by == UNIT or not self.known.holds(minus(by, UNIT)):
            return top if by == UNIT else self.named(Term("//", (self.term(top), self.term(by))))
        p, r = _towards_zero(top, by)
        if (found := nearest(r, by, self.known.holds)) is not None:
            return plus(p, found[0])
        for top, divisor in nested(r):
            if self.known.holds(minus(divisor, UNIT)):
                return plus(p, self.quotient(top, times(divisor, by)))
        if (parts := by_factor(r, by, self.known.holds)) is not None:
            return plus(p, self.quotient(parts.top, parts.bottom))
        return plus(p, self.named(Term("//", (self.term(r), self.term(by)))))

    def named(self, term: Term) -> Poly:
        """A name for a term that is not a polynomial."""
        found = expanded(term)
        self.divisions |= operations(found)
        self.known = self.known.plus(divisions=self.divisions)
        return found

    def merged(self, p: Poly) -> Poly:
        """Replaces one of two quotients that differ by a constant under the facts by the shorter one."""
        meaning = operations(p)
        shortest = sorted(meaning, key=lambda n: len(to_text(meaning[n])))
        for one, other in combinations(shortest, 2):
            apart = self._apart(one, other) if _mentions(p, one) and _mentions(p, other) else None
            if apart is not None:
                p = substitute(p, other, plus({(one,): 1}, UNIT, apart))
        return p

    def _apart(self, one: str, other: str) -> int | None:
        """How much greater the other is, if that is constant under the facts; None if it is not, or unknown."""
        more = Term("-", (atom_term(other), atom_term(one)))
        try:
            number = int(value_of(more, {n: self.values.get(n, 0) for n in names(more)}))
        except ZeroDivisionError:
            return None
        differs = Term("!=", (more, num(number)))
        return number if is_impossible([*self.facts, differs], self.budget.at_most(HINT)) else None

    @cached_property
    def values(self) -> Mapping[str, int]:
        """A model of the facts with nonzero divisors; empty if none is found."""
        found = solve([*self.facts, *nonzero_divisors(self.divisions.values())], self.budget.at_most(HINT))
        return found.model if isinstance(found, Sat) else {}

    def with_remainders(self, p: Poly) -> Poly:
        """Rewrites k·(A - B·(A//B)) as k·(A % B) if that is shorter."""
        for name, term in operations(p).items():
            if term.op != "//":
                continue
            top, by = map(expanded, term.args)
            share = {over(m, (name,)) or ONE: -c for m, c in p.items() if m.count(name) == 1}
            k, left = divided(share, by, floor=False)
            if not k or left:
                continue
            remainder = self.named(Term("%", term.args))
            whole = plus(minus(p, times(k, minus(top, times(by, {(name,): 1})))), times(k, remainder))
            if len(to_text(self.term(whole))) < len(to_text(self.term(p))):
                p = whole
        return p

    def term(self, p: Poly) -> Term:
        """The polynomial as a term, products first."""
        return as_ordered_term(p)


def _mentions(p: Poly, name: str) -> bool:
    return any(name in m for m in p)


def _towards_zero(top: Poly, by: Poly) -> tuple[Poly, Poly]:
    """Top = p·by + r, with coefficients divided towards zero, so that (x - 1)//4 stays unchanged."""
    signs = [{m: c for m, c in top.items() if (c > 0) == up} for up in (True, False)]
    p, r = divided(signs[0], by)
    q, s = divided(negative(signs[1]), by)
    return minus(p, q), minus(r, s)
