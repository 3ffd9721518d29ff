"""The comparisons of a case, written shortly: values that are known put in, alternatives that are excluded left out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from symview.cases.shortening import Impossible
from symview.cute.symbols.asking import compared, without
from symview.cute.symbols.substitution import fixed_by
from symview.logic.points import bounds_of, true_at
from symview.logic.polynomial import as_term, minus, negative, plus, poly_of, quotient, times
from symview.logic.sympy_bridge import to_sympy
from symview.logic.terms import (
    FALSE,
    RELATIONS,
    TRUE,
    Term,
    conj,
    conjuncts,
    disj,
    names,
    negated,
    nonzero_divisors,
    num,
    substituted,
    sym,
)

_FEW = 64  # values of a symbol that are looked at


def narrowed(parts: Sequence[Term], impossible: Impossible) -> list[Term]:
    """The same conjunction, where what is known holds.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> texts = "a == 2", "(7*a)//4 <= b//3", "b < a or c == 1", "b >= a"
    >>> parts = [parse_statement(t) for t in texts]
    >>> never = lambda *parts: {parse_statement("b < 2"), parse_statement("b >= 2")} <= set(parts)
    >>> [term_text(p) for p in narrowed(parts, never)]
    ['a == 2', 'b >= 9', 'c == 1', 'b >= 2']
    """
    known = {name: num(value) for name, value in fixed_by(parts).items()}
    found: list[Term] = []
    for part in parts:
        gives = part.op == "==" and part.args[0].op == "sym" and part.args[1].op == "int"
        found += [part] if gives else conjuncts(_plain(substituted(part, known)))
    for at, part in enumerate(found):
        if part.op == "or" and not nonzero_divisors([part]):
            others = [*found[:at], *found[at + 1 :]]
            found[at] = disj(one for one in part.args if not impossible(*others, one))
    return [part for part in found if part != TRUE]


def single_values(parts: Sequence[Term], facts: Sequence[Term]) -> list[Term]:
    """The same where the facts hold: what leaves a symbol one value is said as that.

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


def with_remainders(part: Term) -> Term:
    """The same with x % d for x - d·(x//d), where that leaves fewer sums.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> texts = "7*b + 1 <= a + 7*a*(b//a)", "a - 8*(a//8) <= 2 or a < b//2"
    >>> [term_text(with_remainders(parse_statement(t))) for t in texts]
    ['7*(b % a) + 1 <= a', 'a % 8 <= 2 or a < b//2']
    """
    if part.op in ("and", "or"):
        return (conj if part.op == "and" else disj)(map(with_remainders, part.args))
    if part.op not in RELATIONS:
        return part
    opaque: dict[str, Term] = {}
    gap = whole = minus(*(poly_of(a, opaque) for a in part.args))
    for name, division in [(n, t) for n, t in opaque.items() if t.op == "//"]:
        top, bottom = (poly_of(a, opaque) for a in division.args)
        within = {tuple(without(m, name)): c for m, c in negative(gap).items() if name in m}
        times_taken = quotient(within, bottom)
        remainder = poly_of(Term("%", division.args), opaque)
        folded = plus(gap, times(times_taken, minus(plus(remainder, times(bottom, {(name,): 1})), top)))
        if times_taken and len(folded) < len(gap):
            gap = folded
    if gap is whole:
        return part
    left, right = ({m: abs(c) for m, c in gap.items() if (c > 0) is up} for up in (True, False))
    return _plain(Term(part.op, (as_term(left, opaque), as_term(right, opaque))))


@lru_cache(maxsize=4096)  # cases have comparisons in common
def _plain(part: Term) -> Term:
    """The same with the numbers in it worked out, and no quotient by a number compared with a number."""
    if part.op in ("and", "or"):
        return (conj if part.op == "and" else disj)(map(_plain, part.args))
    if part.op not in RELATIONS:
        return part
    a, b = map(to_sympy, part.args)
    if part.op in ("==", "<="):
        found = compared(part.op, a, b)
    elif part.op == ">=":
        found = compared("<=", b, a)
    else:
        opposite = compared("==", a, b) if part.op == "!=" else compared("<=", *((a, b) if part.op == ">" else (b, a)))
        found = not opposite if isinstance(opposite, bool) else negated(opposite)
    return (TRUE if found else FALSE) if isinstance(found, bool) else _without_quotient(found)


def _without_quotient(part: Term) -> Term:
    """x//c >= k as x >= c·k, and so on, for numbers c > 0 and k."""
    op, (left, right) = part
    if left.op != "//" or left.args[1].op != "int" or left.args[1].args[0] < 1 or right.op != "int":
        return part
    divisor, bound = left.args[1].args[0], right.args[0]
    low, high = num(divisor * bound), num(divisor * (bound + 1))
    if op == "==":
        return conj((Term(">=", (left.args[0], low)), Term("<", (left.args[0], high))))
    by = {">=": (">=", low), "<": ("<", low), "<=": ("<", high), ">": (">=", high)}.get(op)
    return part if by is None else _plain(Term(by[0], (left.args[0], by[1])))
