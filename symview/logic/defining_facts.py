"""What fixes the value of a quotient, a choice, common bits, a greatest common divisor or a power."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symview.logic.polynomial import Poly, plus
from symview.logic.terms import Term, conj, disj, num, sym

ZERO = num(0)


def division_fact(x: Term, y: Term, q: Term, division: str, sign: int) -> Term:
    """That q is x divided by y, y != 0: the range of r = x - q·y, for either sign of y where `sign` is 0."""
    r = Term("-", (x, Term("*", (q, y))))
    cases = [_above(r, x, y, division), _below(r, x, y, division)]
    if sign:
        return cases[0] if sign > 0 else cases[1]
    return disj((conj((Term(">", (y, ZERO)), cases[0])), conj((Term("<", (y, ZERO)), cases[1]))))


def _above(r: Term, x: Term, y: Term, division: str) -> Term:
    """The remainder's range for y > 0."""
    if division == "trunc":
        return _signed_like(x, r, Term("neg", (y,)), y)
    return conj((Term(">=", (r, ZERO)), Term("<", (r, y))))


def _below(r: Term, x: Term, y: Term, division: str) -> Term:
    """The remainder's range for y < 0."""
    if division == "trunc":
        return _signed_like(x, r, y, Term("neg", (y,)))
    if division == "euclid":
        return conj((Term(">=", (r, ZERO)), Term("<", (r, Term("neg", (y,))))))
    return conj((Term("<=", (r, ZERO)), Term(">", (r, y))))


def _signed_like(x: Term, r: Term, low: Term, high: Term) -> Term:
    """That low < r < high, and that r is 0 or has the sign of x."""
    up = conj((Term(">=", (x, ZERO)), Term(">=", (r, ZERO)), Term("<", (r, high))))
    down = conj((Term("<=", (x, ZERO)), Term("<=", (r, ZERO)), Term(">", (r, low))))
    return disj((up, down))


def choice_fact(op: str, args: tuple[Term, ...], chosen: Term) -> Term:
    """That `chosen` is the min, max or absolute value of the arguments."""
    if op == "abs":
        args = (args[0], Term("neg", args))
    relation = "<=" if op == "min" else ">="
    bounds = [Term(relation, (chosen, a)) for a in args]
    return conj((*bounds, disj(Term("==", (chosen, a)) for a in args)))


def bits_fact(x: Term, y: Term, both: Term) -> Term:
    """What the bits that x and y share come to: consequences of x & y, which do not fix it."""
    facts = [Term("->", (Term("==", (x, y)), Term("==", (both, x))))]
    for one in (x, y):
        facts.append(Term("->", (Term(">=", (one, ZERO)), conj((Term(">=", (both, ZERO)), Term("<=", (both, one)))))))
        facts.append(Term("->", (Term("==", (one, num(-1))), Term("==", (both, y if one is x else x)))))
    negative = conj(Term("<", (one, ZERO)) for one in (x, y))
    facts.append(Term("->", (negative, conj((Term("<=", (both, x)), Term("<=", (both, y)))))))
    either = disj(Term("<", (one, ZERO)) for one in (x, y))
    return conj((*facts, Term("->", (either, Term(">", (both, Term("+", (x, y))))))))


def gcd_fact(args: Sequence[Term], shares: Sequence[tuple[Term, Term]], common: Term) -> Term:
    """It divides all, is a sum of multiples of all, and is not negative."""
    facts = [Term(">=", (common, ZERO))]
    for a, (ratio, _) in zip(args, shares, strict=True):
        facts.append(Term("==", (a, Term("*", (common, ratio)))))
        facts.append(Term("->", (Term(">", (a, ZERO)), conj((Term("<=", (common, a)), Term(">", (common, ZERO)))))))
        below = (Term("<=", (common, Term("neg", (a,)))), Term(">", (common, ZERO)))
        facts.append(Term("->", (Term("<", (a, ZERO)), conj(below))))
    multiples = tuple(Term("*", (factor, a)) for a, (_, factor) in zip(args, shares, strict=True))
    return conj((*facts, Term("==", (common, Term("+", multiples)))))


def power_fact(base: Term, exponent: Term, power: Term, before: Term) -> Term:
    """What follows for a power whose exponent is a name, at least 0: its value is not fixed by that."""
    one = Term("->", (Term("==", (exponent, ZERO)), Term("==", (power, num(1)))))
    more = Term("->", (Term(">=", (exponent, num(1))), Term("==", (power, Term("*", (base, before))))))
    positive = Term("->", (Term(">=", (base, num(1))), conj(Term(">=", (p, num(1))) for p in (power, before))))
    grown = Term("->", (Term(">=", (base, num(2))), Term(">", (power, exponent))))
    return conj((one, more, positive, grown))


def power_sums(*powers: tuple[Poly, str]) -> Iterator[Term]:
    """b**(i + j) = b**i · b**j, for whichever exponent is the sum of the other two."""
    for n, (whole, product) in enumerate(powers):
        (i, p), (j, q) = (*powers[:n], *powers[n + 1 :])
        if whole == plus(i, j):
            yield Term("==", (sym(product), Term("*", (sym(p), sym(q)))))


def sum_fact(args: Sequence[Term], total: Term) -> Term:
    """What follows for a sum of quotients by what is not 0: it is 0 where it has no terms, and no less by signs."""
    count, divisor, *progression = args
    rising = (Term(">", (divisor, ZERO)), *(Term(">=", (a, ZERO)) for a in progression))
    none = Term("->", (Term("<=", (count, ZERO)), Term("==", (total, ZERO))))
    return conj((Term("!=", (divisor, ZERO)), none, Term("->", (conj(rising), Term(">=", (total, ZERO))))))
