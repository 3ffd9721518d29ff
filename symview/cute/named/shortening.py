"""Simplifies comparisons with divisions: quotients by numbers become ranges, differences become remainders."""

from __future__ import annotations

from collections.abc import Sequence

from symview.cases.algebra import Algebra
from symview.cases.shortening import Impossible, compared_anew
from symview.cases.whole import without
from symview.logic.points import bounds_of, true_at
from symview.logic.polynomial import as_term, minus, negative, plus, poly_of, quotient, times
from symview.logic.terms import Term, conj, disj, names, nonzero_divisors, num, sym

_FEW = 64  # most values of a symbol that are enumerated


def without_quotient(part: Term) -> Term:
    """Rewrites x//c >= k as x >= c·k, and the other comparisons likewise, for numbers c > 0 and k.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> term_text(without_quotient(parse_statement("a//4 == 2")))
    'a >= 8 and a < 12'
    """
    op, (left, right) = part
    if left.op != "//" or left.args[1].op != "int" or left.args[1].args[0] < 1 or right.op != "int":
        return part
    divisor, bound = left.args[1].args[0], right.args[0]
    low, high = num(divisor * bound), num(divisor * (bound + 1))
    if op == "==":
        return conj((Term(">=", (left.args[0], low)), Term("<", (left.args[0], high))))
    by = {">=": (">=", low), "<": ("<", low), "<=": ("<", high), ">": (">=", high)}.get(op)
    return part if by is None else Term(by[0], (left.args[0], by[1]))


def without_excluded(parts: Sequence[Term], impossible: Impossible) -> list[Term]:
    """Drops those alternatives of a conjunction's parts that its other parts exclude.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> parts = [parse_statement(t) for t in ("b < a or c == 1", "b >= a")]
    >>> excluded = {parts[1], parse_statement("b < a")}
    >>> [term_text(p) for p in without_excluded(parts, lambda *claims: excluded <= {*claims})]
    ['c == 1', 'b >= a']
    """
    found = list(parts)
    for at, part in enumerate(found):
        if part.op == "or" and not nonzero_divisors([part]):
            others = [*found[:at], *found[at + 1 :]]
            found[at] = disj(one for one in part.args if not impossible(*others, one))
    return found


def single_values(parts: Sequence[Term], facts: Sequence[Term]) -> list[Term]:
    """Replaces comparisons that leave a symbol a single value by that equation; equivalent if the facts hold.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> parts = [parse_statement(t) for t in ("n < 4", "a > 0", "4 % n != 0")]
    >>> [term_text(p) for p in single_values(parts, [parse_statement("n >= 1")])]
    ['n == 3', 'a > 0']
    """
    for name in names(*parts):
        own = [p for p in parts if names(p) == (name,)]
        given = [f for f in facts if names(f) == (name,)]
        low, high = bounds_of([*own, *given], [name])[0]
        if len(own) < 2 or low is None or high is None or high - low > _FEW:
            continue
        values = [v for v in range(low, high + 1) if true_at([*own, *given], {name: v})]
        if len(values) == 1:
            said = Term("==", (sym(name), num(values[0])))
            parts = [said if p is own[0] else p for p in parts if p is own[0] or p not in own]
    return list(parts)


def with_remainders(part: Term, algebra: Algebra) -> Term:
    """Rewrites x - d·(x//d) as x % d if that leaves fewer summands.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> texts = "7*b + 1 <= a + 7*a*(b//a)", "a - 8*(a//8) <= 2"
    >>> [term_text(with_remainders(parse_statement(t), Algebra("a", "ab"))) for t in texts]
    ['7*(b % a) < a', 'a % 8 <= 2']
    """
    opaque: dict[str, Term] = {}
    gap = whole = minus(*(poly_of(a, opaque) for a in part.args))
    for name, division in [(n, t) for n, t in opaque.items() if t.op == "//"]:
        top, bottom = (poly_of(a, opaque) for a in division.args)
        within = {without(m, [name]): c for m, c in negative(gap).items() if name in m}
        times_taken = quotient(within, bottom)
        remainder = poly_of(Term("%", division.args), opaque)
        folded = plus(gap, times(times_taken, minus(plus(remainder, times(bottom, {(name,): 1})), top)))
        if times_taken and len(folded) < len(gap):
            gap = folded
    if gap is whole:
        return part
    left, right = ({m: abs(c) for m, c in gap.items() if (c > 0) is up} for up in (True, False))
    return compared_anew(Term(part.op, (as_term(left, opaque), as_term(right, opaque))), algebra)
