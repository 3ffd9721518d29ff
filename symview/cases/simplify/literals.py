"""Rules for one comparison: how it is written, what it is without divisions, and what several of one form come to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import gcd

from symview.cases.algebra import Algebra, Literals
from symview.cases.whole import without
from symview.errors import InputError, NotSupported
from symview.logic.budget import Budget
from symview.logic.entailment import Entailment
from symview.logic.points import simplified_by_ranges
from symview.logic.polynomial import (
    ONE,
    Monomial,
    Poly,
    as_term,
    atom_term,
    common_factor,
    comparison,
    divided,
    expanded,
    minus,
    negative,
    operation,
    operation_of,
    operations,
    over,
    plus,
    quotient,
    substitute,
    times,
)
from symview.logic.terms import (
    FALSE,
    RELATIONS,
    TRUE,
    Term,
    conj,
    disj,
    names,
    negated,
    node_count,
    nonzero_divisors,
    num,
    replaced,
    substituted,
    sym,
    value_of,
    walk,
)
from symview.show.formulas import where_text

UNIT: Poly = {ONE: 1}
_LONG = 60  # nodes; a longer comparison is left as it is
_WORTH_GROUPING = 30  # characters
_SMALL = (("==", 0), ("==", 1), ("==", 2), ("!=", 1), ("<=", 2), (">=", 3))
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def compared_anew(comparison: Term, algebra: Algebra) -> Term:
    """The comparison normalised by the algebra."""
    op, (left, right) = comparison
    low, high = map(algebra.poly_of, (left, right) if op in ("<", "<=") else (right, left))
    if op in ("==", "!="):
        gap = minus(low, high)
        if gap and set(gap) != {ONE}:
            return disj(algebra.zero(gap)) if op == "==" else algebra.nonzero(gap)
        return Term("bool", (bool(gap) == (op == "!="),))
    return algebra.at_most(plus(low, {ONE: 1}) if op in ("<", ">") else low, high)


def plainly(comparison: Term, algebra: Algebra) -> Term:
    """The comparison normalised by the algebra, its divisions too, or decided by the signs of names."""
    found = simplified_by_ranges(with_plain_divisions(comparison, algebra), algebra.positive)
    return found if found.op == "bool" else compared_anew(found, algebra)


def with_plain_divisions(term: Term, algebra: Algebra) -> Term:
    """The term with dividends and divisors normalised by the algebra."""
    if term.op in ("int", "sym", "bool"):
        return term
    args = tuple([with_plain_divisions(a, algebra) for a in term.args])
    if term.op not in ("//", "%"):
        return Term(term.op, args)
    top, bottom = (algebra.term(algebra.poly_of(a)) for a in args)
    if bottom == num(1):
        return top if term.op == "//" else num(0)
    plain = Term(term.op, (top, bottom))
    return num(value_of(plain, {})) if top.op == bottom.op == "int" and bottom != num(0) else plain


def without_factor(formula: Term, known: Entailment) -> Term:
    """An inequality f·(x + g) >= 0 divided by a factor f of known sign; x is a name."""
    if formula.op not in _MIRRORED:
        return formula
    try:
        p = comparison(formula)[1]
    except (InputError, NotSupported):
        return formula  # it has a division, or too many terms
    for name in dict.fromkeys(n for m in p if len(m) > 1 for n in m):
        factor = {tuple(n for n in m if n != name): c for m, c in p.items() if name in m}
        left, rest = divided({m: c for m, c in p.items() if name not in m}, factor, floor=False)
        if rest or set(factor) == {ONE} or any(m.count(name) > 1 for m in p):
            continue
        other = plus({(name,): 1}, left)
        for sign, relation in ((1, "<="), (-1, ">=")):
            if known.impossible(Term(relation, (as_term(factor), num(0)))):
                return _not_negative({m: sign * c for m, c in other.items()})
    return formula


def _not_negative(p: Poly) -> Term:
    """P >= 0, with no minus sign before a name."""
    low, high = {m: -c for m, c in p.items() if c < 0}, {m: c for m, c in p.items() if c > 0}
    return Term(">=", (as_term(high), as_term(low))) if set(low) <= {ONE} else Term("<=", (as_term(low), as_term(high)))


# In a context: an equivalence where the facts hold, the other clauses, and none of the literals beside it


def said(literal: Term, known: Entailment, algebra: Algebra) -> Term:
    """The shortest formula that is known to be equivalent, among a few, to a comparison whose divisors are not 0.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> facts = "C >= 1", "s >= 0", "n >= 1", "s == 1 or n == 1"
    >>> known, algebra = Entailment(map(parse_statement, facts)), Algebra("Cn", "abCns")
    >>> for text in "2*C + C*s <= s + 3", "n == 4*((n + 3)//4)", "(n + 3)//4 == 1", "b == a + a*n*s - a*s":
    ...     print(term_text(said(parse_statement(text), known, algebra)))
    C == 1
    n % 4 == 0
    n <= 4
    a*n == b
    """
    if _is_plain(literal) or node_count(literal) > _LONG:
        return literal
    if literal.op == "!=":
        return negated(said(negated(literal), known, algebra))
    literal = apart_at_one(divided_out(without_factor(literal, known), known, algebra), known, algebra)
    most = text_length(literal)
    if literal.op not in RELATIONS:
        return literal
    ways = {way: text_length(way) for way in _ways_to_say(literal, algebra)}
    for way in sorted((w for w in ways if ways[w] < most), key=lambda w: (ways[w], w.op != "==")):
        if _is_equivalent(literal, way, known):
            return way
    return literal


def _is_plain(literal: Term) -> bool:
    """Whether it compares a name, or the remainder of a name by a number, with a number."""
    if literal.op not in RELATIONS or literal.args[1].op != "int":
        return False
    left: Term = literal.args[0]
    return "sym" in (left.op, *(a.op for a in left.args[:1] if left.op == "%"))


def text_length(formula: Term) -> int:
    """The characters of a formula as text."""
    return len(where_text(formula))


def _is_equivalent(literal: Term, way: Term, known: Entailment) -> bool:
    """Whether the two are true at the same values; no divisor of the second one may be 0 if none of the first is."""
    new = [d for d in nonzero_divisors([way]) if d not in nonzero_divisors([literal])]
    same = known.impossible(literal, negated(way)) and known.impossible(way, negated(literal))
    return same and all(map(known.implies, new))


def _ways_to_say(literal: Term, algebra: Algebra) -> Iterator[Term]:
    """Formulas that may say the same: a name is small or not, a number divides, a bound, a name 1 put in."""
    for name in names(literal):
        yield from (Term(op, (sym(name), num(n))) for op, n in _SMALL)
        yield plainly(substituted(literal, {name: num(1)}), algebra)
    for node in dict.fromkeys(t for t in walk(literal) if t.op in ("//", "%")):
        if node.args[1].op == "int":
            yield from _ways_without(node, literal, algebra)
        elif node.op == "//":
            yield algebra.below(*map(algebra.poly_of, node.args))


def _ways_without(division: Term, literal: Term, algebra: Algebra) -> Iterator[Term]:
    """Formulas that may say the same without this division by a number."""
    top, divisor = division.args[0], division.args[1].args[0]
    p = algebra.poly_of(top)
    rounded = {m: c for m, c in p.items() if m}
    if divisor < 2 or not rounded:
        return
    for one in (algebra.divides({ONE: divisor}, q) for q in (rounded, p)):
        yield from (one, negated(one))
    for quotient_ in (0, 1, 2):
        bound = {ONE: divisor * (quotient_ + 1) - 1 - p.get(ONE, 0)}
        yield algebra.at_most(rounded, bound)
        yield algebra.at_most(plus(bound, {ONE: 1}), rounded)
    if division.op == "//" and literal.op == "==":
        gap = _multiples_replaced(minus(*map(algebra.poly_of, literal.args)), division, rounded, algebra)
        if gap is not None:
            yield compared_anew(Term("==", (algebra.term(gap), num(0))), algebra)


def _multiples_replaced(p: Poly, division: Term, by: Poly, algebra: Algebra) -> Poly | None:
    """The polynomial with d·(x//d) replaced; None if x//d occurs in other multiples as well."""
    ((name,),) = algebra.poly_of(division)
    divisor = division.args[1].args[0]
    within = {m: c for m, c in p.items() if name in m}
    if any(c % divisor or m.count(name) > 1 for m, c in within.items()):
        return None
    times_taken = {without(m, [name]): c // divisor for m, c in within.items()}
    return plus({m: c for m, c in p.items() if m not in within}, times(times_taken, by))


def divided_out(literal: Term, known: Entailment, algebra: Algebra) -> Term:
    """The comparison without divisions whose quotient or remainder the facts determine.

    (d·x + r) // d is x, (d·x + r) % d is r, and (d·x + r) % (d·e) is d·(x % e) + r, where 0 <= r < d; for the last,
    e >= 1 or r = 0.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> known = Entailment(map(parse_statement, ("R >= 1", "D >= 1", "i >= 0", "i < D", "p >= 0")))
    >>> for text in "(D*p + i) // D == 3", "(D*p + i) % (D*R) == i", "(2*p + 1) % (2*R) // 2 == 2", "(p + i) % D == p":
    ...     print(term_text(divided_out(parse_statement(text), known, Algebra("RD", "pRDi"))))
    p == 3
    p % R == 0
    p % R == 2
    (p + i) % D == p
    """
    for node in reversed(list(walk(literal)) if literal.op in RELATIONS else []):
        value = _known_division(node, known, algebra) if node.op in ("//", "%") else None
        if value is not None:
            return divided_out(plainly(replaced(literal, node, algebra.term(value)), algebra), known, algebra)
    return literal


def _known_division(division: Term, known: Entailment, algebra: Algebra) -> Poly | None:
    """What the division comes to where the facts hold; None if they do not tell."""
    top, bottom = map(algebra.poly_of, division.args)
    whole, rest = _divided(top, bottom)
    if _is_below(rest, bottom, known, algebra):
        return whole if division.op == "//" else rest
    for part in _factors(bottom) if division.op == "%" else ():
        other = quotient(bottom, part)
        whole, rest = _divided(top, part)
        if (
            whole
            and _is_below(rest, part, known, algebra)
            and (not rest or known.implies(algebra.at_most(UNIT, other)))
        ):
            remainder = Term("%", (algebra.term(whole), algebra.term(other)))
            return plus(times(part, algebra.poly_of(remainder)), rest)
    return None


def _divided(top: Poly, bottom: Poly) -> tuple[Poly, Poly]:
    """Quotient and rest of polynomials; for numbers, the rest has a constant below the divisor."""
    whole = quotient(top, bottom)
    rest = minus(top, times(whole, bottom))
    if set(bottom) == {ONE}:
        more = {ONE: rest.get(ONE, 0) // bottom[ONE]}
        whole, rest = plus(whole, more), minus(rest, times(more, bottom))
    return whole, rest


def _is_below(rest: Poly, divisor: Poly, known: Entailment, algebra: Algebra) -> bool:
    """Whether the facts imply 0 <= rest < divisor."""
    return known.implies(algebra.at_most({}, rest)) and known.implies(algebra.at_most(plus(rest, UNIT), divisor))


def _factors(bottom: Poly) -> Iterator[Poly]:
    """Factors of a product other than 1 and itself: its number, and each of its names."""
    names_: list[Poly] = [{(name,): 1} for name in dict.fromkeys(common_factor(bottom))]
    yield from (p for p in ({ONE: gcd(*bottom.values())}, *names_) if p not in (UNIT, bottom))


def apart_at_one(literal: Term, known: Entailment, algebra: Algebra) -> Term:
    """The comparison without 1 % d and 1 // d, and with d = 1 apart, where the facts imply d >= 1.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> known, algebra = Entailment([parse_statement("d >= 1"), parse_statement("n >= 1")]), Algebra("dn", "dn")
    >>> for text in "d*n*(1 % d) < d + 1 % d", "1 // d == 0 * n":
    ...     print(term_text(apart_at_one(parse_statement(text), known, algebra)))
    d == 1 or n <= 1
    d != 1
    """
    found = (t for t in walk(literal) if t.op in ("//", "%") and t.args[0] == num(1) and t.args[1].op == "sym")
    divisor = next((t.args[1] for t in found), None) if literal.op in RELATIONS else None
    if divisor is None or not known.implies(Term(">=", (divisor, num(1)))):
        return literal
    at_one = plainly(substituted(literal, {divisor.args[0]: num(1)}), algebra)
    above = literal
    for op, value in (("//", 0), ("%", 1)):
        above = replaced(above, Term(op, (num(1), divisor)), num(value))
    above = plainly(above, algebra)
    if at_one == FALSE:
        return conj((Term("!=", (divisor, num(1))), above))
    return disj((Term("==", (divisor, num(1))), above)) if at_one == TRUE else literal


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


def with_remainders(part: Term, algebra: Algebra) -> Term:
    """Rewrites x - d·(x//d) as x % d if that leaves fewer summands.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> texts = "7*b + 1 <= a + 7*a*(b//a)", "a - 8*(a//8) <= 2"
    >>> [term_text(with_remainders(parse_statement(t), Algebra("a", "ab"))) for t in texts]
    ['7*(b % a) < a', 'a % 8 <= 2']
    """
    gap = whole = minus(*map(expanded, part.args))
    for name, division in [(n, t) for n, t in operations(whole).items() if t.op == "//"]:
        top, bottom = map(expanded, division.args)
        within = {without(m, [name]): c for m, c in negative(gap).items() if name in m}
        times_taken = quotient(within, bottom)
        remainder = expanded(Term("%", division.args))
        folded = plus(gap, times(times_taken, minus(plus(remainder, times(bottom, {(name,): 1})), top)))
        if times_taken and len(folded) < len(gap):
            gap = folded
    if gap is whole:
        return part
    left, right = ({m: abs(c) for m, c in gap.items() if (c > 0) is up} for up in (True, False))
    return compared_anew(Term(part.op, (as_term(left), as_term(right))), algebra)


def grouped(literal: Term) -> Term:
    """A long comparison with a product of sums in it, if that takes fewer characters.

    Remainders are written by quotients where that helps: x % d is x - d·(x//d), as no divisor is 0.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> for text in (
    ...     "2*a*((o + 1)//L) + 2*z*((o + 1) % L) == a*((o + s)//L) + z*((o + s) % L)",
    ...     "L*w + s % L <= L + w*(s % L) + o % L",
    ...     "a + b <= c",
    ... ):
    ...     print(term_text(grouped(parse_statement(text))))
    (a - L*z)*((o + s)//L - 2*((o + 1)//L)) == z*(o + 2 - s)
    (s % L - L)*(1 - w) <= o % L
    a + b <= c
    """
    most = text_length(literal)
    if literal.op not in RELATIONS or literal.op == "!=" or most < _WORTH_GROUPING:
        return literal
    try:
        relation, p = comparison(literal, expanded)
    except (InputError, NotSupported):
        return literal
    ways = [way for q in (p, _by_quotients(p)) for way in _groupings(relation, q)]
    best = min(ways, key=lambda way: (text_length(way), where_text(way).count(" - ")), default=literal)
    return best if text_length(best) < most else literal


def _by_quotients(p: Poly) -> Poly:
    """The polynomial with x - d·(x//d) for x % d."""
    for name, (op, args) in operations(p).items():
        if op == "%":
            top, bottom = map(expanded, args)
            p = substitute(p, name, minus(top, times(bottom, {(operation(Term("//", args)),): 1})))
    return p


def _groupings(relation: str, p: Poly) -> Iterator[Term]:
    """The comparison of p with 0, once with (x + g)·f for each variable x of p: f is its factor, g·f a part of p."""
    for x in sorted(dict.fromkeys(v for m in p for v in m), key=lambda v: operation_of(v) is not None):
        factor = {without(m, [x]): c for m, c in p.items() if x in m}
        more, rest = divided({m: c for m, c in p.items() if x not in m}, factor, floor=False)
        if not more or set(factor) == {ONE} or any(m.count(x) > 1 for m in p):
            continue
        first = plus({(x,): 1}, more)
        for f, left, turned in ((factor, rest, relation), (negative(factor), negative(rest), _turned(relation))):
            if (product := _product(first, f)) is None:
                continue
            for own in ({}, {m: c for m, c in left.items() if c > 0}):
                if not _starts_with_minus(other := minus(own, left)):
                    yield _beside(turned, product, own, other)


def _product(one: Poly, other: Poly) -> Term | None:
    """The product of two sums, neither of which starts with a minus sign; None if one has to."""
    for p, q in ((one, other), (negative(one), negative(other))):
        if not _starts_with_minus(p) and not _starts_with_minus(q):
            return Term("*", (_sum(p), _sum(q)))
    return None


def _starts_with_minus(p: Poly) -> bool:
    return bool(p) and all(c < 0 for c in p.values())


def _turned(relation: str) -> str:
    return "<=" if relation == ">=" else relation


def _beside(relation: str, product: Term, own: Poly, other: Poly) -> Term:
    """The product and a polynomial, compared with another polynomial; strictly where that takes away a 1."""
    step = {">=": 1, "<=": -1}.get(relation, 0)
    if step and other.get(ONE) == step:
        relation, other = relation[0], minus(other, {ONE: step})
    elif relation == "<=" and own.get(ONE) == 1:
        relation, own = "<", minus(own, UNIT)
    left = Term("+", (product, _sum(own))) if own else product
    return Term(relation, (left, _with_common(other)))


def _with_common(p: Poly) -> Term:
    """The polynomial with its common factor in front."""
    common, shared = common_factor(p) if p else ONE, gcd(*p.values())
    if len(p) < 2 or common == ONE:
        return _sum(p)
    rest = {over(m, common) or ONE: c // shared for m, c in p.items()}
    return Term("*", (as_term({common: shared}), _sum(rest)))


def _sum(p: Poly) -> Term:
    """The polynomial as a term that starts with no minus sign, if it can."""
    return as_term(dict(sorted(p.items(), key=lambda item: item[1] < 0)))


@dataclass
class Interval:
    """The integers from `low` to `high` (None: no bound) except `holes`, and the comparisons that imply this."""

    low: int | None = None
    high: int | None = None
    holes: set[int] = field(default_factory=set)
    terms: dict[tuple[str, int], Term] = field(default_factory=dict)

    def narrow(self, relation: str, bound: int, term: Term) -> None:
        """Adds one comparison of the form with a number."""
        self.terms.setdefault((relation, bound), term)
        if relation == "!=":
            self.holes.add(bound)
        if relation in ("==", ">="):
            self.low = bound if self.low is None else max(self.low, bound)
        if relation in ("==", "<="):
            self.high = bound if self.high is None else min(self.high, bound)


def bounded(form: Poly, own: Interval, given: Interval, algebra: Algebra) -> list[Term]:
    """Comparisons that restrict the form from the interval that is known to its own interval."""
    floor = max((x for x in (given.low, algebra.lowest(form)) if x is not None), default=None)
    low = floor if own.low is None or (floor is not None and floor >= own.low) else own.low
    high = given.high if own.high is None or (given.high is not None and given.high <= own.high) else own.high
    holes = own.holes | given.holes
    while low is not None and low in holes:
        low += 1
    while high is not None and high in holes:
        high -= 1
    equal = ("==", low) in own.terms or len(form) == 1 or low != floor
    if low is not None and high is not None and low >= high and (low > high or equal):
        if low > high:
            return [FALSE]
        single = floor == given.high == low
        return [] if single else [own.terms.get(("==", low)) or disj(algebra.zero(plus(form, {ONE: -low})))]
    found = list[Term]()
    if low is not None and low != floor:
        outside = [own.terms["!=", x] for x in sorted(own.holes) if x < low and _is_within(x, floor, None)]
        bound = own.terms.get((">=", low)) or algebra.at_most({ONE: low} if low else {}, form)
        few = len(outside) < 2 and (own.low is None or (floor is not None and own.low <= floor))
        found += outside if few else [bound]
    found += [own.terms["!=", x] for x in sorted(own.holes - given.holes) if _is_within(x, low, high)]
    if high is not None and high != given.high:
        outside = [own.terms["!=", x] for x in sorted(own.holes) if x > high and _is_within(x, None, given.high)]
        bound = own.terms.get(("<=", high)) or algebra.at_most(form, {ONE: high} if high else {})
        few = len(outside) < 2 and (own.high is None or (given.high is not None and own.high >= given.high))
        found += outside if few else [bound]
    return found


def _is_within(x: int, low: int | None, high: int | None) -> bool:
    return (low is None or low <= x) and (high is None or x <= high)


def compared_with_number(term: Term, algebra: Algebra) -> tuple[Poly, str, int] | None:
    """A comparison as form ⋈ bound: the form has no constant, and its coefficients have no common factor."""
    if term.op not in RELATIONS:
        return None
    left, right = map(algebra.poly_of, term.args)
    gap = minus(left, right)
    constant = gap.pop(ONE, 0)
    if not gap:
        return None
    scale, relation = gcd(*gap.values()), term.op
    if gap[min(gap)] < 0:
        gap, constant, relation = negative(gap), -constant, _MIRRORED.get(relation, relation)
    form = {m: c // scale for m, c in gap.items()}
    if relation in ("==", "!="):
        return (form, relation, -constant // scale) if constant % scale == 0 else None
    if relation in (">=", ">"):  # scale·form >= −constant
        return form, ">=", -(constant // scale) if relation == ">=" else -constant // scale + 1
    return form, "<=", -constant // scale if relation == "<=" else -(constant // scale) - 1


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
    quotients = [n for n, t in operations(p).items() if t.op == "//"]
    if len(quotients) < 2:
        return None  # the equation for one quotient is already written by its remainder
    found, known = p, Entailment(facts, budget)
    for name in quotients:
        split = _split(name, algebra)
        if split is None:
            return None
        found = _replaced(found, *split)
    signs = {c > 0 for c in found.values()}
    if len(signs) != 1 or not all(_is_not_negative(n, known, algebra) for m in found for n in m):
        return None
    zeros = {frozenset(n for n in m if not _positive(n, known, algebra)) for m in found}
    least = [z for z in zeros if not any(other < z for other in zeros)]
    return [tuple(_zero(n, algebra) for n in sorted(z)) for z in sorted(least, key=sorted)]


def _split(quotient: str, algebra: Algebra) -> tuple[Monomial, Poly] | None:
    """A monomial of the dividend, and its value by quotient and remainder; None if none has the coefficient ±1."""
    top, bottom = atom_term(quotient).args
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


def _is_not_negative(name: str, known: Entailment, algebra: Algebra) -> bool:
    return algebra.least(name) is not None or known.implies(Term(">=", (algebra.term({(name,): 1}), num(0))))


def _positive(name: str, known: Entailment, algebra: Algebra) -> bool:
    return algebra.least(name) == 1 or known.implies(Term(">=", (algebra.term({(name,): 1}), num(1))))


def _zero(name: str, algebra: Algebra) -> Term:
    term = algebra.term({(name,): 1})
    return algebra.divides(*map(algebra.poly_of, reversed(term.args))) if term.op == "%" else Term("==", (term, num(0)))
