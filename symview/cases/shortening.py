"""Simplifies formulas: each form is compared once or with two bounds, and redundant parts are dropped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import gcd

from symview.cases.algebra import Algebra
from symview.logic.entailment import Entailment
from symview.logic.points import simplified_by_ranges
from symview.logic.polynomial import ONE, Poly, minus, negative, plus
from symview.logic.terms import (
    FALSE,
    RELATIONS,
    TRUE,
    Term,
    comparisons,
    conj,
    conjuncts,
    disj,
    divisors,
    names,
    negated,
    node_count,
    nonzero_divisors,
    num,
    substituted,
    value_of,
    with_comparisons,
)

Impossible = Callable[..., bool]  # whether the facts exclude that the formulas hold together
_LONG = 24  # comparisons; longer formulas are left as they are
_LONG_PART = 8  # nodes
_PASSES = 3  # over a formula, as long as it gets shorter
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def shortened(parts: Iterable[Term], known: Entailment, algebra: Algebra) -> list[Term]:
    """The parts of a conjunction, simplified under the facts.

    >>> from symview.logic.notation import parse_statement
    >>> from symview.logic.sympy_bridge import to_text
    >>> texts = "x > b", "x <= b + 1", "n >= 1", "n <= 1 or m > 2", "m < 3", "b + n < x + n", "k == 2", "2*y < k*x + k"
    >>> known = Entailment([parse_statement("n >= 1")])
    >>> [to_text(p) for p in shortened(map(parse_statement, texts), known, Algebra("n", "xbnmky"))]
    ['x == b + 1', 'n <= 1 or m > 2', 'm < 3', 'k == 2', 'y <= x']
    """
    plain = with_values([p for part in parts for p in conjuncts(part)], algebra)
    return irredundant(_by_form(plain, _given(known, algebra), algebra), known.impossible)


def with_values(parts: Sequence[Term], algebra: Algebra) -> list[Term]:
    """The parts of a conjunction after substituting numbers for names that one part equates with a number."""
    given = {p.args[0].args[0]: p for p in parts if p.op == "==" and p.args[0].op == "sym" and p.args[1].op == "int"}
    values = {name: p.args[1] for name, p in given.items()}

    def put(comparison: Term) -> Term:
        found = substituted(comparison, values)
        if found == comparison:
            return comparison
        plain = simplified_by_ranges(_with_plain_divisions(found, algebra), algebra.positive)
        return plain if plain.op == "bool" else compared_anew(plain, algebra)

    return [p if p in given.values() else with_comparisons(p, put) for p in parts] if given else list(parts)


def _with_plain_divisions(term: Term, algebra: Algebra) -> Term:
    """The term with dividends and divisors normalised by the algebra."""
    if term.op in ("int", "sym", "bool"):
        return term
    args = tuple([_with_plain_divisions(a, algebra) for a in term.args])
    if term.op not in ("//", "%"):
        return Term(term.op, args)
    top, bottom = (algebra.term(algebra.poly_of(a)) for a in args)
    if bottom == num(1):
        return top if term.op == "//" else num(0)
    plain = Term(term.op, (top, bottom))
    return num(value_of(plain, {})) if top.op == bottom.op == "int" and bottom != num(0) else plain


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


def by_structure(where: Term, algebra: Algebra) -> Term:
    """An equivalent formula with one comparison for several of one form, and constant ones evaluated; no solver."""
    put = disj(conj(with_values(list(conjuncts(a)), algebra)) for a in alternatives(where))
    return conj(_by_form(conjuncts(put), {}, algebra))


def _given(known: Entailment, algebra: Algebra) -> dict[frozenset[object], _Interval]:
    """The interval of each form that the facts imply."""
    given: dict[frozenset[object], _Interval] = {}
    for fact in known.facts:
        if (compared := _compared(fact, algebra)) is not None:
            form, relation, bound = compared
            given.setdefault(frozenset(form.items()), _Interval()).narrow(relation, bound, fact)
    return given


def few_literals(clauses: Iterable[Term], known: Entailment, algebra: Algebra) -> list[Term]:
    """The conjunction of disjunctions, with each form compared once in each, and common literals factored out.

    >>> from symview.logic.notation import parse_statement
    >>> from symview.logic.sympy_bridge import to_text
    >>> texts = "a == 1 or a == 0 or s == 2*t", "b == 1 or c == 1", "b < c or b == c", "b == 1 or d == 1"
    >>> known = Entailment([parse_statement("a >= 0")])
    >>> [to_text(c) for c in few_literals(map(parse_statement, texts), known, Algebra("bcd", "abcdst"))]
    ['b <= c', 'a <= 1 or s == 2*t', 'b == 1 or c == 1 and d == 1']
    """
    found = _factored(_by_form(clauses, _given(known, algebra), algebra))
    return sorted(found, key=lambda c: c.op == "or")


def long_parts_once(clauses: Iterable[Term]) -> list[Term]:
    """The conjunction of disjunctions; those that have a long part in common are one, with the common parts once.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> texts = "n*(t % m) < m + t % m or k == 1 or a == c", "n*(t % m) < m + t % m or k != 1 or b == c", "a == 1"
    >>> [term_text(c) for c in long_parts_once(map(parse_statement, texts))]
    ['n*(t % m) < m + t % m or (k == 1 or a == c) and (k != 1 or b == c)', 'a == 1']
    """
    found = list(dict.fromkeys(clauses))
    while True:
        often = Counter(e for c in found for e in dict.fromkeys(alternatives(c)) if node_count(e) >= _LONG_PART)
        best = max((e for e, count in often.items() if count > 1), key=node_count, default=None)
        if best is None:
            return found
        first, *others = group = [c for c in found if best in alternatives(c)]
        shared = [e for e in alternatives(first) if all(e in alternatives(c) for c in others)]
        rests = [disj(e for e in alternatives(c) if e not in shared) for c in group]
        rest = FALSE if FALSE in rests else conj(rests)
        found = list(dict.fromkeys(disj((*shared, rest)) if c == first else c for c in found if c not in others))


def in_context(where: Term, known: Entailment, most: int = _LONG) -> Term:
    """The formula without parts that the others imply, at every depth; parts common to all alternatives come first.

    A part of a conjunction is dropped if the others imply it, a part of a disjunction if it implies the others. A
    formula with many comparisons, or with a divisor that may be 0, is left as it is.

    >>> from symview.logic.notation import parse_statement
    >>> from symview.logic.sympy_bridge import to_text
    >>> known = Entailment([parse_statement("0 <= a and a <= b")])
    >>> for text in "a == 0 and b > a and (a != 0 or n > b)", "a == b and n < 9 or n < a and a < b and n < 9":
    ...     print(to_text(in_context(parse_statement(text), known)))
    a == 0 and b > a and n > b
    n < 9 and (a == b or n < a)
    """
    best, count = where, _count(where)
    if count > most or any(not known.impossible(negated(d)) for d in nonzero_divisors([where])):
        return where
    for _ in range(_PASSES):
        where = _decided(_shared_first(where, known), known)
        if _count(where) >= count:
            return best
        best, count = where, _count(where)
    return best


def _count(where: Term) -> int:
    return sum(1 for _ in comparisons(where))


def _shared_first(where: Term, known: Entailment) -> Term:
    """A disjunction with the literals that all of its alternatives imply in front."""
    if where.op == "and":
        return conj(p for part in where.args for p in conjuncts(_shared_first(part, known)))
    if where.op != "or":
        return where
    literals = dict.fromkeys(p for a in where.args for p in conjuncts(a) if p.op != "or")
    here = known.also(where)
    shared = [p for p in literals if here.impossible(negated(p))]
    return conj([*irredundant(shared, known.impossible), where])


def _decided(formula: Term, known: Entailment) -> Term:
    """The formula simplified under the facts."""
    if formula.op == "bool" or known.impossible(formula):
        return formula if formula.op == "bool" else FALSE
    if known.impossible(negated(formula)):
        return TRUE
    if formula.op not in ("and", "or"):
        return formula
    found = list(formula.args)
    beside = list(found) if formula.op == "and" else list(map(negated, found))  # the context of a part
    for part in sorted(found, key=_weight, reverse=True):
        at = found.index(part)
        left = _decided(part, known.also(*beside[:at], *beside[at + 1 :]))
        if left != part:
            found[at], beside[at] = left, left if formula.op == "and" else negated(left)
    together = conj if formula.op == "and" else disj
    return together(p for part in found for p in (conjuncts(part) if formula.op == "and" else (part,)))


def _weight(part: Term) -> tuple[bool, int, bool]:
    """Order of removal: parts with divisions, long parts, and inequalities first."""
    return any(map(bool, divisors(part))), node_count(part), part.op == "!="


def _factored(clauses: Sequence[Term]) -> list[Term]:
    """Joins clauses that differ in one literal each: x or y, and x or z, are x or (y and z)."""
    found = [c.args if c.op == "or" else (c,) for c in clauses]
    while True:
        alike: dict[frozenset[Term], list[int]] = {}
        for n, literals in enumerate(found):
            for one in literals if len(literals) > 1 else ():
                alike.setdefault(frozenset(literals) - {one}, []).append(n)
        best = max(alike, key=lambda shared: len(shared) * (len(alike[shared]) - 1), default=frozenset())
        if len(alike.get(best, ())) < 2:
            return [disj(literals) for literals in found]
        first, *others = alike[best]
        shared = tuple([e for e in found[first] if e in best])
        rest = conj(p for n in (first, *others) for e in found[n] if e not in best for p in conjuncts(e))
        found = [(*shared, rest) if n == first else c for n, c in enumerate(found) if n not in others]


def irredundant(parts: Iterable[Term], impossible: Impossible) -> list[Term]:
    """The parts of a conjunction that the others do not imply; parts with divisions are dropped first.

    If a divisor may be 0, a part that divides by it is dropped only if the others exclude that, and it is no reason to
    drop an earlier part: so every part can be evaluated from left to right.
    """
    kept = list(dict.fromkeys(parts))
    divided = {p: [d for d in nonzero_divisors([p]) if not impossible(negated(d))] for p in kept}
    for part in sorted(kept, key=lambda p: not any(map(bool, divisors(p)))):
        at = kept.index(part)
        others = [*kept[:at], *(p for p in kept[at + 1 :] if not divided[p])]
        if all(impossible(*others, negated(p)) for p in (*divided[part], part)):
            kept.remove(part)
    return kept


def expanded(where: Iterable[Term], apart: Sequence[Term], known: Entailment) -> list[Term]:
    """The conjunction without the parts that are not needed to exclude the formulas in `apart`."""
    left = [p for p in where if p != TRUE and p not in known.said]
    for part in sorted(left, key=_weight, reverse=True):
        rest = [p for p in left if p is not part]
        if all(known.impossible(*rest, other) for other in apart):
            left = rest
    return left


def alternatives(where: Term) -> Sequence[Term]:
    """The parts of a disjunction."""
    return where.args if where.op == "or" else (where,)


@dataclass
class _Interval:
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


def _by_form(parts: Iterable[Term], known: dict[frozenset[object], _Interval], algebra: Algebra) -> list[Term]:
    """The parts of a conjunction, comparisons of one form replaced by their interval within the known one."""
    found: dict[object, tuple[Poly, _Interval] | Term] = {}
    for part in parts:
        if part.op in RELATIONS and not names(part):
            truth = Term("bool", (bool(value_of(part, {})),))
            found[truth] = truth
        elif part.op in ("or", "and"):
            within = part if part.op == "and" else negated(part)
            inner = conj(_by_form(with_values(list(conjuncts(within)), algebra), known, algebra))
            plain = partial(_plain, own=frozenset(comparisons(part)), algebra=algebra)
            for one in conjuncts(with_comparisons(inner if part.op == "and" else negated(inner), plain)):
                found[one] = one
        elif (compared := _compared(part, algebra)) is not None:
            form, relation, bound = compared
            place = found.setdefault(frozenset(form.items()), (form, _Interval()))
            place[1].narrow(relation, bound, part)  # type: ignore[union-attr]
        else:
            found[part] = part
    result = dict[Term, None]()
    for key, value in found.items():
        if isinstance(value, Term):
            result[value] = None
        else:
            given = known.get(key) or _Interval(algebra.lowest(value[0]))  # type: ignore[call-overload]
            result.update(dict.fromkeys(_bounded(*value, given, algebra)))
    if FALSE in result:
        return [FALSE]
    return [p for p in result if p != TRUE]


def _plain(one: Term, own: Container[Term], algebra: Algebra) -> Term:
    """A comparison normalised by the algebra, unless it is in `own` or an equation."""
    return one if one in own or one.op in ("==", "!=") else compared_anew(one, algebra)


def _bounded(form: Poly, own: _Interval, given: _Interval, algebra: Algebra) -> list[Term]:
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
        outside = [own.terms["!=", x] for x in sorted(own.holes) if x < low and _within(x, floor, None)]
        bound = own.terms.get((">=", low)) or algebra.at_most({ONE: low} if low else {}, form)
        few = len(outside) < 2 and (own.low is None or (floor is not None and own.low <= floor))
        found += outside if few else [bound]
    found += [own.terms["!=", x] for x in sorted(own.holes - given.holes) if _within(x, low, high)]
    if high is not None and high != given.high:
        outside = [own.terms["!=", x] for x in sorted(own.holes) if x > high and _within(x, None, given.high)]
        bound = own.terms.get(("<=", high)) or algebra.at_most(form, {ONE: high} if high else {})
        few = len(outside) < 2 and (own.high is None or (given.high is not None and own.high >= given.high))
        found += outside if few else [bound]
    return found


def _within(x: int, low: int | None, high: int | None) -> bool:
    return (low is None or low <= x) and (high is None or x <= high)


def _compared(term: Term, algebra: Algebra) -> tuple[Poly, str, int] | None:
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
