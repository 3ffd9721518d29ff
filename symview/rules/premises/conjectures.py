"""The cheapest formula that is true at some points and false at others, combined from given formulas.

A set of points is an integer with one bit for each point; a formula is represented by the set where it is true.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import combinations, product
from operator import ge, le
from typing import NamedTuple

from symview.cases.algebra import factors
from symview.cases.simplify.clauses import irredundant
from symview.errors import InputError, NotSupported, SymbolError
from symview.logic.budget import DEFAULT, Budget
from symview.logic.integer import of_term, term_of
from symview.logic.polynomial import (
    ONE,
    Poly,
    as_ordered_term,
    as_term,
    comparison,
    expanded,
    minus,
    negative,
    plus,
    poly_of,
)
from symview.logic.solve import HINT, is_impossible
from symview.logic.terms import (
    FALSE,
    LEAVES,
    Term,
    conj,
    conjuncts,
    disj,
    names,
    negated,
    node_count,
    nonzero_divisors,
    num,
    substituted,
    sym,
    value_of,
    walk,
)
from symview.rules.premises.proofs import Witness
from symview.rules.premises.question import Question, numbers_in
from symview.rules.python_loops import Point, columns, partial_function

_MAX_PAIRED, _MAX_PARTNERS = 120, 3_000  # pairs of formulas are formed if one of them is among the cheapest so many
_MAX_PAIRS = 2_500  # pairs considered: so many of the cheapest, and of those that are true most often
DEAREST = 24.0  # more than a reader would accept
_MAX_GROUPS = 4  # most alternatives of a disjunction, or parts of a conjunction
_MAX_STEPS = 30_000  # most steps of one search
_RAREST_POINTS = 60  # points among which the one with the fewest groups is covered first
_SIGN, _PARENTHESES = 0.5, 1.0  # cost of a further `and` or `or`, and of a nested one


class Part(NamedTuple):
    """A formula, its cost for a reader, and the points where it is true."""

    cost: float
    term: Term
    where: int


def cheapest(
    parts: Iterable[Part], wanted: int, everywhere: int, budget: Budget = DEFAULT, most: float = DEAREST
) -> Part | None:
    """The cheapest of the parts, their disjunctions and their conjunctions that is true exactly at the wanted points.

    A disjunction has up to four alternatives, each a part or two parts joined by `and`; likewise for a conjunction.
    Formulas that cost `most` or more are not considered.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> texts = {"a == 1": 0b1100, "b == 1": 0b1010, "a <= b": 0b0111}
    >>> found = cheapest([Part(1, parse_statement(t), w) for t, w in texts.items()], 0b0110, 0b1111)
    >>> term_text(found.term)
    'a <= b and (a == 1 or b == 1)'
    """
    known = _distinct(parts)
    exact = next((p for p in known if p.where == wanted), None)
    if exact is not None:
        return exact if exact.cost < most else None
    either = _covering(known, wanted, most, budget)
    denied = [p._replace(where=everywhere & ~p.where) for p in known]
    both = _covering(denied, everywhere & ~wanted, most if either is None else either[0], budget)
    if both is not None:
        return Part(both[0], _joined("and", [_joined("or", g) for g in both[1]]), wanted)
    return None if either is None else Part(either[0], _joined("or", [_joined("and", g) for g in either[1]]), wanted)


class _Group(NamedTuple):
    """One or two parts, and the points where all of them are true."""

    cost: float
    terms: tuple[Term, ...]
    where: int


def _covering(
    parts: Sequence[Part], wanted: int, most: float, budget: Budget
) -> tuple[float, list[tuple[Term, ...]]] | None:
    """The cheapest cover of the wanted points by groups of parts, if it costs less than `most`."""
    groups = _groups(parts, wanted, most)
    budget.spend(_MAX_PAIRED * min(len(parts), _MAX_PARTNERS) // 3)
    rare = _rarest(groups, wanted)
    best: list[_Group] = []
    left = 0

    def extend(chosen: list[_Group], cost: float, missing: int, more: int) -> None:
        nonlocal best, most, left
        for group in next((there for point, there in rare if point & missing), groups):
            rest = missing & ~group.where
            whole, left = cost + group.cost, left - 1
            if whole >= most or left < 0:
                return
            if not rest:
                best, most = [*chosen, group], whole
            elif more and rest != missing:
                extend([*chosen, group], whole + _SIGN, rest, more - 1)

    for count in range(_MAX_GROUPS):  # few groups first, with a search for each number
        left = _MAX_STEPS
        extend([], 0.0, wanted, count)
        budget.spend(_MAX_STEPS - left)
    best.sort(key=lambda g: (len(g.terms), groups.index(g)))
    return (most, [g.terms for g in best]) if best else None


def _rarest(groups: Sequence[_Group], wanted: int) -> list[tuple[int, list[_Group]]]:
    """A sample of the wanted points with the groups that cover each, those with the fewest groups first."""
    points = [1 << n for n in range(wanted.bit_length()) if wanted >> n & 1]
    some = points[:: len(points) // _RAREST_POINTS + 1]
    return sorted(((p, [g for g in groups if g.where & p]) for p in some), key=lambda found: len(found[1]))


def _groups(parts: Sequence[Part], wanted: int, most: float) -> list[_Group]:
    """Parts and pairs that are true only at wanted points, the cheapest first, unless a cheaper one covers them."""
    outside = ~wanted
    alone = [_Group(p.cost, (p.term,), p.where) for p in parts if p.where and not p.where & outside]
    found = {g.where: g for g in alone}
    useful = [p for p in parts if p.where & wanted and p.where & outside]
    for n, p in enumerate(useful[:_MAX_PAIRED]):
        for q in useful[n + 1 : _MAX_PARTNERS]:
            both = p.where & q.where
            if both & outside:
                continue
            cost, known = p.cost + q.cost + _PARENTHESES, found.get(both)
            if cost >= most:
                break
            if known is None or cost < known.cost:
                found[both] = _Group(cost, (p.term, q.term), both)
    pairs = sorted((g for where, g in found.items() if where and len(g.terms) == 2), key=lambda g: g.cost)
    large = sorted(pairs[_MAX_PAIRS:], key=lambda g: -g.where.bit_count())[:_MAX_PAIRS]
    kept: list[_Group] = []
    for group in sorted([*alone, *pairs[:_MAX_PAIRS], *large], key=lambda g: g.cost):
        if not any(group.where & k.where == group.where for k in kept):
            kept.append(group)
    return kept


def _joined(op: str, formulas: Sequence[Term]) -> Term:
    parts = [p for f in formulas for p in (f.args if f.op == op else (f,))]
    return conj(parts) if op == "and" else disj(parts)


def _distinct(parts: Iterable[Part]) -> list[Part]:
    """The cheapest part for each set of points, cheapest first."""
    found: dict[int, Part] = {}
    for part in sorted(parts, key=lambda p: p.cost):
        found.setdefault(part.where, part)
    return list(found.values())


# The comparisons that a premise consists of: the terms over the named symbols that they compare, and their costs.


_BITS = bytes.maketrans(b"\x00\x01", b"01")
_ZERO, _ONE = num(0), num(1)


class Side(NamedTuple):
    """One side of a comparison, and its cost for a reader."""

    cost: float
    term: Term


def simple_sides(named: Sequence[str], stated: Sequence[Term]) -> list[Side]:
    """The names, numbers near 0 or near those of the text, and subterms of the text over the names alone."""
    found = {sym(n): 1.0 for n in named}
    for term in (t for f in stated for t in walk(f)):
        if not term.is_formula() and names(term) and set(names(term)) <= set(named):
            found.setdefault(term, 1.0 + 0.4 * node_count(term))
    for n, cost in ((0, 1.0), (1, 1.1), (-1, 1.2), (2, 1.3)):
        found[num(n)] = cost
    for n in sorted(numbers_in(stated), key=abs):
        for near, cost in ((n, 1.5), (n - 1, 2.5), (n + 1, 2.5)):
            found.setdefault(num(near), cost)
    return [Side(cost, term) for term, cost in found.items()]


def compound_sides(named: Sequence[str], stated: Sequence[Term]) -> list[Side]:
    """Absolute values, products, sums and differences of names, and gcds of names and numbers."""
    symbols = list(map(sym, named))
    found = [Side(1.6, Term("abs", (a,))) for a in symbols]
    for a, b in combinations(symbols, 2):
        found += [Side(4.0, Term("*", (a, b))), Side(3.4, Term("+", (a, b)))]
        found += [Side(3.5, Term("-", (a, b))), Side(3.5, Term("-", (b, a))), Side(5.0, Term("gcd", (a, b)))]
    for a in symbols:
        found += [Side(3.0, Term(op, (a, _ONE))) for op in "+-"]
        found += [Side(3.0, Term("*", (num(2), a))), Side(4.2, Term("*", (a, a)))]
        found += [Side(5.0, Term("gcd", (a, num(n)))) for n in sorted(numbers_in(stated)) if n > 1]
    return found


def remainder_sides(named: Sequence[str], stated: Sequence[Term]) -> list[Side]:
    """What the quotients of the text leave over, downwards and upwards, alone and times another name.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> [term_text(s.term) for s in remainder_sides("nmP", [parse_statement("(n + m - 1)//m*P == 1")])][:4]
    ['(n - 1) % m', '(n - 1) % m*P', '-n % m', '-n % m*P']
    """
    found: dict[Term, float] = {}
    for top, bottom in dict.fromkeys(t.args for f in stated for t in walk(f) if t.op == "//"):
        if not (set(names(top, bottom)) <= set(named) and names(bottom)):
            continue
        with suppress(SymbolError, NotSupported):  # a choice, or a power of names
            whole, part = of_term(bottom), of_term(top)
            for term in map(term_of, ((part % whole), (whole - 1 - part) % whole)):
                found.setdefault(term, 3.0 + 0.1 * node_count(term))
                for n in named:
                    if n not in names(term):
                        found.setdefault(Term("*", (term, sym(n))), 4.0 + 0.1 * node_count(term))
    return [Side(cost, term) for term, cost in found.items() if names(term)]


def without_gcds(condition: Term) -> Term:
    """The condition with `gcd(a, b) % k == 0` written as `a % k == 0 and b % k == 0`.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> term_text(without_gcds(parse_statement("gcd(m, n) % 4 == 0 or k == 0")))
    'm % 4 == 0 and n % 4 == 0 or k == 0'
    """
    if condition.op in ("and", "or"):
        return (conj if condition.op == "and" else disj)(map(without_gcds, condition.args))
    rest = condition.args[0] if condition.op == "==" and condition.args[1] == _ZERO else _ZERO
    if rest.op != "%" or rest.args[0].op != "gcd":
        return condition
    return conj(Term("==", (Term("%", (x, rest.args[1])), _ZERO)) for x in rest.args[0].args)


def zeros_joined(condition: Term) -> Term:
    """The condition with `m*c == 0` for its alternatives `m == 0` and `c == 0`.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> term_text(zeros_joined(parse_statement("m == 0 or c == 0 or m == c")))
    'm*c == 0 or m == c'
    """
    parts = condition.args if condition.op == "or" else ()
    zeros = [p for p in parts if p.op == "==" and p.args[1] == _ZERO and p.args[0].op in ("sym", "*")]
    if len(zeros) < 2:
        return condition
    factors = [f for p in zeros for f in (p.args[0].args if p.args[0].op == "*" else p.args[:1])]
    return disj((Term("==", (Term("*", tuple(factors)), _ZERO)), *[p for p in parts if p not in zeros]))


def factor_sides(claim: Term) -> list[tuple[Side, Side]]:
    """The factors of the polynomials that a statement compares with 0, each as two sides with this difference.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> [(term_text(a.term), term_text(b.term)) for a, b in factor_sides(parse_statement("x*y > -10*x"))]
    [('x', '0'), ('y', '-10')]

    A polynomial of degree 1 in one name is solved for it:

    >>> [(term_text(a.term), term_text(b.term)) for a, b in factor_sides(parse_statement("8*x + 7 <= 1000"))]
    [('x', '124')]
    """
    found: dict[tuple[Term, Term], None] = {}
    for node in walk(claim):
        with suppress(InputError, NotSupported, ZeroDivisionError):
            relation, p = comparison(folded(node), expanded)
            for q in (p, plus(p, {ONE: 1})) if relation == ">=" else (p,):  # q - 1 >= 0 means q > 0
                parts = factors(q) if q else []
                found |= dict.fromkeys(_sides(f) for f in parts if len(parts) > 1)
            found |= dict.fromkeys(_solved(relation, p))
    return [(Side(1.0 + 0.4 * node_count(a), a), Side(1.0 + 0.4 * node_count(b), b)) for a, b in found]


def _solved(relation: str, p: Poly) -> Iterator[tuple[Term, Term]]:
    """The name and its bound, if a number times a name is compared with a number."""
    of_names, constant = [(m, c) for m, c in p.items() if m != ONE], p.get(ONE, 0)
    if len(of_names) != 1 or (name := as_ordered_term({of_names[0][0]: 1})).op != "sym":
        return
    factor = of_names[0][1]
    if abs(factor) > 1 and (relation == ">=" or constant % factor == 0):
        yield name, num(-(constant // factor) if factor > 0 else constant // -factor)


def _sides(p: Poly) -> tuple[Term, Term]:
    """Two terms with the difference p, or -p: constants on the right, other coefficients positive."""
    if sum(c for m, c in p.items() if m != ONE) < 0:
        p = negative(p)
    left = {m: c for m, c in p.items() if c > 0 and m != ONE}
    return as_ordered_term(left), as_ordered_term(minus(left, p))


def depth(term: Term) -> int:
    """How far from linear a formula is: the most names that it multiplies; an operation such as // counts as two more.

    That one divides another counts as one more.

    >>> from symview.logic.notation import parse_statement
    >>> [depth(parse_statement(text)) for text in ("2*x - y > 3 or x == 0", "abs(x*y) == x", "x % 4 == 0", "x % 4 > 0")]
    [1, 2, 2, 3]
    """
    if term.op in LEAVES:
        return int(term.op == "sym")
    if term.op in ("==", "!=") and term.args[0].op == "%" and term.args[1] == _ZERO:
        return sum(map(depth, term.args[0].args)) + 1
    each = list(map(depth, term.args))
    if term.is_formula() or term.op in ("+", "-", "neg", "abs", "min", "max", "if"):
        return max(each)
    return sum(each) + 2 * (term.op != "*")


def comparisons(
    pairs: Iterable[tuple[Side, Side]], named: Sequence[str], points: Sequence[Point], division: str
) -> list[Part]:
    """Every comparison and divisibility between these sides, with the points where it is true.

    The first point is the highest bit.
    """
    pairs = [(b, a) if a.term.op == "int" else (a, b) for a, b in pairs if names(a.term, b.term)]
    sides = list(dict.fromkeys(side.term for pair in pairs for side in pair))
    values = dict(zip(sides, columns(sides, named, points, division), strict=True))
    found: list[Part] = []
    for a, b in pairs:
        left, right, cost = values[a.term], values[b.term], a.cost + b.cost
        found += _in_order(cost, a.term, b.term, left, right, (1 << len(points)) - 1)
        found += _divided(cost, a.term, b.term, left, right, (1 << len(points)) - 1)
        found += _divided(cost, b.term, a.term, right, left, (1 << len(points)) - 1)
    return found


def _in_order(cost: float, s: Term, t: Term, left: list[int], right: list[int], whole: int) -> list[Part]:
    below, above = _bits(map(le, left, right)), _bits(map(ge, left, right))
    number = t.op == "int"  # numbers are written on the right
    return [
        Part(cost + 0.1, Term("==", (s, t)), below & above),
        Part(cost + 0.3, Term("!=", (s, t)), whole & ~(below & above)),
        Part(cost + 0.25, Term("<=", (s, t)), below),
        Part(cost + 0.25, Term(">=", (s, t)) if number else Term("<=", (t, s)), above),
        Part(cost + 0.2, Term(">", (s, t)) if number else Term("<", (t, s)), whole & ~below),
        Part(cost + 0.2, Term("<", (s, t)), whole & ~above),
    ]


def _divided(cost: float, s: Term, t: Term, left: list[int], right: list[int], whole: int) -> Iterator[Part]:
    """Formulas on whether t divides s; if t may be 0, together with a test of t."""
    if t.op in ("abs", "-", "neg") or (t.op == "int" and t.args[0] < 2) or (s.op == "int" and abs(s.args[0]) < 2):
        return
    cost += 0.0 if t.op in ("int", "sym") else 1.0
    even, odd = (Term(relation, (Term("%", (s, t)), _ZERO)) for relation in ("==", "!="))
    if all(right):
        there = _bits([not x % y for x, y in zip(left, right, strict=True)])
        yield Part(cost + 0.1, even, there)
        yield Part(cost + 0.6, odd, whole & ~there)
        return
    some, none = Term("!=", (t, _ZERO)), Term("==", (t, _ZERO))
    there = _bits([y != 0 and not x % y for x, y in zip(left, right, strict=True)])
    zero = _bits([y == 0 for y in right])
    yield Part(cost + 1.5, conj((some, even)), there)
    yield Part(cost + 1.6, disj((none, even)), there | zero)
    yield Part(cost + 1.8, conj((some, odd)), whole & ~there & ~zero)
    yield Part(cost + 1.9, disj((none, odd)), whole & ~there)


def _bits(truths: Iterable[bool]) -> int:
    return int(bytes(truths).translate(_BITS), 2)


# The statement at the ends of the ranges of the other symbols: often equivalent to the statement.


_MAX_CORNERS = 16  # corners
_COST_TO_READ = 9.0  # their cost: more than most pairs of comparisons


class Corners:
    """The statement at the corners of the box to which the assumptions restrict the others, if they do."""

    def __init__(self, question: Question, budget: Budget) -> None:
        self.question, self.budget = question, budget
        ranges = [ends for name in question.others if (ends := _ends(name, question)) is not None]
        self.found: dict[Witness, Term] = {}  # the statement at each corner
        self.needed: dict[Witness, Term] = {}  # the corners whose statements imply all others
        self.empty: list[Term] = []  # formulas under which the box is empty
        if ranges and len(ranges) == len(question.others) and 2 ** len(ranges) <= _MAX_CORNERS:
            for witness in product(*ranges):
                by = dict(zip(question.others, witness, strict=True))
                self.found[witness] = folded(substituted(question.claim, by))
            self.empty = [_below(*ends) for ends in ranges]

    def fitting(self, points: Sequence[Point], wanted: int) -> tuple[Part, list[Witness]] | None:
        """The statement at the corners, if it is true exactly at the wanted points; and the corners that it needs.

        It is true if the box is empty; corners whose statement follows from others are dropped.
        """
        empty = [e for e in self.empty if e != FALSE and self._where(e, points)]
        if not self.found or self._where(_both(empty, self.found.values()), points) != wanted:
            return None
        if not self.needed:
            self.needed = self._without_what_follows(empty)
        term = _both(empty, self.needed.values())
        return Part(_COST_TO_READ + 0.1 * node_count(term), term, wanted), list(self.needed)

    def parts(self, points: Sequence[Point]) -> Iterator[Part]:
        """The statement at each corner, if it has a value at all the points."""
        for said in self.found.values():
            if self._where(conj(nonzero_divisors([said])), points) == (1 << len(points)) - 1:
                yield Part(_COST_TO_READ + 0.1 * node_count(said), said, self._where(said, points))

    def _without_what_follows(self, empty: Sequence[Term]) -> dict[Witness, Term]:
        given, brief = (*self.question.given, *map(negated, empty)), self.budget.at_most(HINT)
        at = {said: witness for witness, said in self.found.items()}
        kept = irredundant(sorted(at, key=node_count), lambda *said: is_impossible((*given, *said), brief))
        return {at[said]: said for said in at if said in kept}

    def _where(self, formula: Term, points: Sequence[Point]) -> int:
        """The points where the formula is true, the first as the highest bit."""
        truth = partial_function(formula, self.question.named, self.question.division)
        return sum(1 << n for n, point in enumerate(reversed(points)) if truth(point))


def _both(empty: Iterable[Term], said: Iterable[Term]) -> Term:
    return disj((*empty, conj(part for one in said for part in conjuncts(one))))


def _below(low: Term, high: Term) -> Term:
    """The formula high < low."""
    try:
        p = poly_of(Term("-", (high, low)))
    except (InputError, NotSupported):
        return Term("<", (high, low))
    more = {m: c for m, c in p.items() if c > 0 and m != ONE}
    return folded(Term("<=", (as_term(more), as_term(minus(minus(more, p), {ONE: 1})))))


def _ends(name: str, question: Question) -> tuple[Term, Term] | None:
    """The bounds of a name by terms over the named symbols, if single assumptions state both."""
    ends: tuple[list[Term], list[Term]] = [], []
    for fact in (part for f in question.context for part in conjuncts(f)):
        try:
            relation, p = comparison(fact)
        except (InputError, NotSupported):
            continue
        factor = p.pop((name,), 0)
        if abs(factor) == 1 and relation != "!=" and {n for m in p for n in m} <= set(question.named):
            for up in (0, 1):
                if relation == "==" or (factor < 0) == bool(up):
                    ends[up].append(as_term(p if factor < 0 else negative(p)))
    if not all(ends):
        return None
    low, high = (of[0] if len(of) == 1 else Term(op, tuple(of)) for op, of in zip(("max", "min"), ends, strict=True))
    return low, high


def folded(term: Term) -> Term:
    """Folds constants, drops zeros in sums, and simplifies products with 0 or 1.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> term_text(folded(parse_statement("0*s + 7*(t + 0) - 0 <= n and 2 < 3")))
    '7*t <= n'
    """
    if term.op in LEAVES:
        return term
    op, args = term.op, tuple(map(folded, term.args))
    whole = Term(op, args)
    if op not in ("//", "%") and not names(whole):
        value = value_of(whole, {})
        return Term("bool", (value,)) if whole.is_formula() else num(value)
    if op in ("and", "or"):
        return (conj if op == "and" else disj)(args)
    if op == "*" and _ZERO in args and not any(node.op in ("//", "%") for node in walk(whole)):
        return _ZERO
    if op in ("+", "*"):
        args = tuple([a for a in args if a != (_ZERO if op == "+" else _ONE)])
        return args[0] if len(args) == 1 else Term(op, args)
    if op == "-" and _ZERO in args:
        return args[0] if args[1] == _ZERO else Term("*", (num(-1), args[1]))
    return whole
