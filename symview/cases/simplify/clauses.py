"""Rules for conjunctions of clauses; a clause is a disjunction of comparisons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from symview.cases.algebra import Algebra, Literals
from symview.cases.simplify.literals import (
    Interval,
    bounded,
    compared_anew,
    compared_with_number,
    plainly,
    said,
    text_length,
    without_factor,
)
from symview.errors import NotSupported
from symview.logic.entailment import Entailment
from symview.logic.points import bounds_of, true_at
from symview.logic.polynomial import Poly
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
    sym,
    value_of,
    walk,
    with_comparisons,
)

Parts = tuple[Term, ...]  # the parts of a conjunction
Say = Callable[[Term, Entailment], Term]  # an equivalent of a comparison where the facts hold
Size = Callable[[Term], int]
Impossible = Callable[..., bool]  # whether the facts exclude that the formulas hold together
_FEW = 64  # most values of a symbol that are enumerated
_LONG = 24  # comparisons; longer formulas are left as they are
_LONG_PART = 8  # nodes
_PASSES = 3  # over a formula, as long as it gets shorter


class Clause(NamedTuple):
    """A disjunction of comparisons; `why` explains it, `dims` are the two dims that it is about."""

    literals: Literals
    why: str = ""
    dims: tuple[int, int] | None = None

    def term(self) -> Term:
        """The clause as one formula."""
        return disj(self.literals)


def simplified_clauses(clauses: Sequence[Clause], known: Entailment) -> list[Clause]:
    """Clauses equivalent under the facts, without literals and clauses that the others imply."""
    kept = [_irredundant(c, known) for clause in clauses if (c := possible(clause, known)) is not None]
    while True:
        refused = next((c for c in kept if not c.literals), None)
        if refused is not None:
            return [refused]
        if known.budget.is_over():
            return kept
        terms = {c: c.term() for c in kept}
        for clause in sorted(kept, key=lambda c: -len(c.literals)):
            others = [c for c in kept if c is not clause]
            if known.impossible(*map(terms.__getitem__, others), _none(clause.literals)):
                kept = others
        shorter = [_irredundant(c, known, [terms[o] for o in kept if o is not c]) for c in kept] if kept[1:] else kept
        if shorter == kept:
            return kept
        kept = shorter


def possible(clause: Clause, known: Entailment) -> Clause | None:
    """The clause without impossible literals; None if it always holds."""
    literals = tuple(dict.fromkeys(clause.literals))
    if TRUE in literals or (literals and known.impossible(_none(literals))):
        return None
    return clause._replace(literals=tuple([e for e in literals if not known.impossible(e)]))


def _irredundant(clause: Clause, known: Entailment, others: Sequence[Term] = ()) -> Clause:
    """The clause without literals that its other literals cover, given the other clauses."""
    left = clause.literals
    for one in reversed(left):
        if known.budget.is_over():
            break
        rest = tuple([e for e in left if e is not one])
        if known.impossible(*others, one, _none(rest)):
            left = rest
    return clause._replace(literals=left)


def _none(literals: Literals) -> Term:
    return conj(negated(e) for e in literals)


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
        return plainly(found, algebra)

    return [p if p in given.values() else with_comparisons(p, put) for p in parts] if given else list(parts)


def by_structure(where: Term, algebra: Algebra) -> Term:
    """An equivalent formula with one comparison for several of one form, and constant ones evaluated; no solver."""
    put = disj(conj(with_values(list(conjuncts(a)), algebra)) for a in alternatives(where))
    return conj(_by_form(conjuncts(put), {}, algebra))


def _given(known: Entailment, algebra: Algebra) -> dict[frozenset[object], Interval]:
    """The interval of each form that the facts imply."""
    given: dict[frozenset[object], Interval] = {}
    for fact in known.facts:
        if (compared := compared_with_number(fact, algebra)) is not None:
            form, relation, bound = compared
            given.setdefault(frozenset(form.items()), Interval()).narrow(relation, bound, fact)
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
    found = factored(_by_form(clauses, _given(known, algebra), algebra))
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


def factored(clauses: Sequence[Term]) -> list[Term]:
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


def _by_form(parts: Iterable[Term], known: dict[frozenset[object], Interval], algebra: Algebra) -> list[Term]:
    """The parts of a conjunction, comparisons of one form replaced by their interval within the known one."""
    found: dict[object, tuple[Poly, Interval] | Term] = {}
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
        elif (compared := compared_with_number(part, algebra)) is not None:
            form, relation, bound = compared
            place = found.setdefault(frozenset(form.items()), (form, Interval()))
            place[1].narrow(relation, bound, part)  # type: ignore[union-attr]
        else:
            found[part] = part
    result = dict[Term, None]()
    for key, value in found.items():
        if isinstance(value, Term):
            result[value] = None
        else:
            given = known.get(key) or Interval(algebra.lowest(value[0]))  # type: ignore[call-overload]
            result.update(dict.fromkeys(bounded(*value, given, algebra)))
    if FALSE in result:
        return [FALSE]
    return [p for p in result if p != TRUE]


def _plain(one: Term, own: Container[Term], algebra: Algebra) -> Term:
    """A comparison normalised by the algebra, unless it is in `own` or an equation."""
    return one if one in own or one.op in ("==", "!=") else compared_anew(one, algebra)


def in_context(
    where: Term, known: Entailment, most: int = _LONG, say: Say = without_factor, size: Size | None = None
) -> Term:
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
    measure = size or _count
    best, least = where, measure(where)
    if _count(where) > most or has_open_divisor(where, known):
        return where
    for _ in range(_PASSES):
        where = _decided(_shared_first(where, known), known, say)
        if measure(where) >= least:
            return best
        best, least = where, measure(where)
    return best


def in_few_words(where: Term, known: Entailment, algebra: Algebra, most: int = _LONG) -> Term:
    """The formula with each comparison in its context said in the fewest characters, without needless ones.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> known = Entailment(map(parse_statement, ("n >= 1", "D >= 1")))
    >>> text = "((n + 3)//4 == 1 or n == 4*((n + 3)//4)) and (1 % D < 1 or (n + 3)//4 == 1)"
    >>> term_text(in_few_words(parse_statement(text), known, Algebra("Dn", "Dn")))
    '(n <= 4 or n % 4 == 0) and (D == 1 or n <= 4)'
    """
    if _count(where) > most or has_open_divisor(where, known):
        return where
    say = partial(said, algebra=algebra)
    try:
        alone = with_comparisons(where, lambda one: say(one, known))  # rather than by what is beside it
        found = in_context(alone, known, most, say, text_length)
    except NotSupported:  # a product of too many terms
        return where
    return found if text_length(found) < text_length(where) else where


def without_premises(clauses: Sequence[Term], known: Entailment, algebra: Algebra) -> list[Term]:
    """The conjunction with factors in equations instead of premises that names are 1, where both say the same.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> texts = "D == 1 or H == 1 or z == H*c", "D == 1 or S == 1 or b == D*z", "S == 1 or H == 1 or D != 1 or b == H*c"
    >>> known = Entailment(map(parse_statement, ("D >= 1", "H >= 1", "S >= 1")))
    >>> found = without_premises([parse_statement(t) for t in texts], known, Algebra("DHS", "bczDHS"))
    >>> term_text(found[2])
    'S == 1 or H == 1 or b == D*H*c'
    """
    found = list(clauses)
    for at, clause in enumerate(found):
        if known.budget.is_over():
            break
        beside = known.also(*found[:at], *found[at + 1 :])
        for premise in [e for e in alternatives(clause) if e.op == "!=" and e.args[1] == num(1)]:
            ways = _with_factor(found[at], premise, algebra)
            same = (w for w in ways if beside.impossible(w, negated(found[at])))
            found[at] = next((w for w in same if beside.impossible(found[at], negated(w))), found[at])
    return found


def _with_factor(clause: Term, premise: Term, algebra: Algebra) -> Iterator[Term]:
    """The clause without the premise that a name is 1, the name being a factor of one side of one equation."""
    kept = [e for e in alternatives(clause) if e != premise]
    name = premise.args[0]
    for one in (e for e in kept if e.op == "=="):
        for sides in ((Term("*", (name, one.args[0])), one.args[1]), (one.args[0], Term("*", (name, one.args[1])))):
            yield disj(compared_anew(Term("==", sides), algebra) if e == one else e for e in kept)


def with_products(where: Term, positive: Container[str]) -> Term:
    """The formula with u·v = 1 for u = 1 and v = 1 in an alternative, where u and v are positive.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> term_text(with_products(parse_statement("c == 1 or c == h*w or h == 1 and w == 1"), "chw"))
    'c == 1 or c == h*w or h*w == 1'
    """
    if where.op not in ("and", "or"):
        return where
    parts = [with_products(part, positive) for part in where.args]
    return (conj if where.op == "and" else disj)(_units_joined(p, positive) if where.op == "or" else p for p in parts)


def _units_joined(where: Term, positive: Container[str]) -> Term:
    """The conjunction with its equations n = 1 as one of a product."""
    parts = parts_of(where)
    units = [p for p in parts if p.op == "==" and p.args[1] == num(1) and _are_in(p.args[0], positive)]
    if len(units) < 2:
        return where
    product = Term("==", (Term("*", tuple([p.args[0] for p in units])), num(1)))
    return conj(product if p == units[0] else p for p in parts if p not in units[1:])


def _are_in(term: Term, positive: Container[str]) -> bool:
    return term.op == "sym" and term.args[0] in positive


def has_open_divisor(where: Term, known: Entailment) -> bool:
    """Whether the facts may allow that a divisor is 0."""
    return any(not known.impossible(negated(d)) for d in nonzero_divisors([where]))


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


def _decided(formula: Term, known: Entailment, say: Say) -> Term:
    """The formula simplified under the facts."""
    if formula.op == "bool" or known.impossible(formula):
        return formula if formula.op == "bool" else FALSE
    if known.impossible(negated(formula)):
        return TRUE
    if formula.op not in ("and", "or"):
        return say(formula, known)
    found = list(formula.args)
    beside = list(found) if formula.op == "and" else list(map(negated, found))  # the context of a part
    for part in sorted(found, key=_weight, reverse=True):
        at = found.index(part)
        left = _decided(part, known.also(*beside[:at], *beside[at + 1 :]), say)
        if left != part:
            found[at], beside[at] = left, left if formula.op == "and" else negated(left)
    together, parts = (conj, conjuncts) if formula.op == "and" else (disj, alternatives)
    return together(p for part in found for p in parts(part))


def _weight(part: Term) -> tuple[bool, int, bool]:
    """Order of removal: parts with divisions, long parts, and inequalities first."""
    return any(map(bool, divisors(part))), node_count(part), part.op == "!="


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


def widened(where: Iterable[Term], apart: Sequence[Term], known: Entailment) -> list[Term]:
    """The conjunction without the parts that are not needed to exclude the formulas in `apart`."""
    left = [p for p in where if p != TRUE and p not in known.said]
    for part in sorted(left, key=_weight, reverse=True):
        rest = [p for p in left if p is not part]
        if all(known.impossible(*rest, other) for other in apart):
            left = rest
    return left


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


def alternatives(where: Term) -> Sequence[Term]:
    """The parts of a disjunction."""
    return where.args if where.op == "or" else (where,)


def parts_of(where: Term) -> Parts:
    """The parts of a conjunction, in order, without `TRUE`."""
    return tuple([p for p in conjuncts(where) if p != TRUE])


def tidied(where: Term, order: Iterable[str]) -> Term:
    """The formula without nesting and repetition; parts without division first, then equations, then by names."""
    rank = {name: n for n, name in enumerate(order)}

    def place(part: Term) -> tuple[bool, bool, int, list[int]]:
        used = names(part)
        divides = any(node.op in ("//", "%") for node in walk(part))
        return divides, part.op != "==", len(used), sorted(rank.get(n, len(rank)) for n in used)

    if where.op == "or":
        parts = [tidied(part, rank) for part in where.args]
        return TRUE if TRUE in parts else disj(parts)
    if where.op != "and":
        return where
    parts = [tidied(part, rank) for part in conjuncts(where)]
    return FALSE if FALSE in parts else conj(sorted(parts, key=place))
