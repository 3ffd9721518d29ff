"""The one case machine: what three producers find becomes the cases of an answer.

A producer says where something holds, what has to be 0 there, and what shows it (`CaseData`: `where`, `required`,
the evidence); what it could not settle is such a case as well, undecided, with the reason. The producers are

row spaces     one for each stretch of sizes (`by_size`) or group of strides (`by_stride`), made by `case_builder`
boundaries     of symbolic outer shapes (`by_boundary`, `by_reshape`), whose clauses `boundaries` splits
forks          of an operation on symbolic layouts, or of the windows of a mask (`by_mask`), each comparison that is
               open taken both ways (`forks`); what is valid is then a question without masks

and the machine confirms their equations, drops cases where nothing can be, joins those with one answer, shortens each,
and says all of them as one conjunction where that is shorter.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import NamedTuple, TypeVar

from symview.answers import CaseData, ConditionsData, Status
from symview.cases.algebra import Algebra
from symview.cases.clauses import Clause, simplified
from symview.cases.equations import Equations, equation, opaque_zero, span
from symview.cases.query import Query
from symview.cases.shortening import (
    Impossible,
    alternatives,
    by_structure,
    compared_anew,
    expanded,
    few_literals,
    in_context,
    irredundant,
    shared_once,
    shortened,
    with_values,
)
from symview.errors import InternalError
from symview.logic.budget import Budget
from symview.logic.entailment import Entailment
from symview.logic.polynomial import Monomial, Poly
from symview.logic.solve import CASE, Open, Sat, Unsat, is_impossible, is_linear, solve
from symview.logic.terms import (
    FALSE,
    TRUE,
    Term,
    between,
    comparisons,
    conj,
    conjuncts,
    disj,
    names,
    negated,
    node_count,
    nonzero_divisors,
    walk,
    with_comparisons,
)
from symview.show.formulas import enough_for, headline

Item = TypeVar("Item")
Parts = tuple[Term, ...]  # of a conjunction
_SHARE, _MOST = 16, 400_000  # of work to say a condition shortly
_WHOLE, _MOST_WHOLE = 2, 4_000_000  # the same for all cases together
_LARGE = 8_000  # nodes of formulas that would make no conjunction that a person reads
_SHORTER = 1.5  # times
_FEW_NODES = 40  # of a clause that is short as it is
_TO_SAY = 20  # the same for each of its nodes, beside what solvers do


# Confirm


class Needed(NamedTuple):
    """The equations that what is known does not imply; None where no integers satisfy them.

    `settled`: whether it is known that some integers do, or that none do.
    """

    forms: tuple[Poly, ...] | None
    settled: bool = True


def needed(query: Query, where: Term, equations: Equations) -> Needed:
    """The equations without those that the others and the facts imply."""
    if equations.impossible:
        return Needed(None)
    known = _about(query, where, equations)
    if not known and not equations.has_constants():
        return Needed(equations.forms)  # all zeros solve them
    zeros = [equation(f, query.algebra.opaque) for f in equations.forms]
    answer = solve([*known, *zeros], query.budget.at_most(CASE))
    if isinstance(answer, Unsat):
        return Needed(None)
    if not known:
        return Needed(equations.forms, not isinstance(answer, Open))
    left = irredundant(zeros, lambda *formulas: is_impossible([*known, *formulas], query.budget))
    forms = [form for form, zero in zip(equations.forms, zeros, strict=True) if zero in left]
    return Needed(tuple(forms), not isinstance(answer, Open))


def _about(query: Query, where: Term, equations: Equations) -> list[Term]:
    """What is known of the symbols of the equations, and of those that it ties them to."""
    facts, known = [f for f in (*query.facts.formulas, where) if f != TRUE], list[Term]()
    reached = {n for form in equations.forms for n in query.algebra.names(form)} if facts else set[str]()
    grown = True
    while grown:
        grown = False
        for fact in facts:
            if fact not in known and reached.intersection(names(fact)):
                known.append(fact)
                reached.update(names(fact))
                grown = True
    return known


def confirmed(equations: Equations, constraints: Sequence[Poly], order: Sequence[Monomial], budget: Budget) -> bool:
    """Whether the equations and the patterns' constraints imply each other; False where that was not settled.

    They do where each is a combination of the others. Of what is none, Z3 is asked.
    """
    if equations.space == span(constraints, order):
        return True
    left, right = (conj(map(opaque_zero, side)) for side in (equations.forms, constraints))
    differ = Term("not", (Term("<->", (left, right)),))
    answer = solve([differ], budget)
    if isinstance(answer, Sat):
        raise InternalError(f"equations and constraints differ at {dict(answer.model)}")
    return isinstance(answer, Unsat)


# Filter, join, shorten


def finished(query: Query, cases: Iterable[CaseData], filtered: bool = False) -> tuple[CaseData, ...]:
    """The cases of row spaces, joined and possible, without what is assumed; `filtered`: they all are possible."""
    cases = list(cases)
    if [c.where for c in cases] == [TRUE]:
        return tuple(cases)
    cases = [placed(c, tidied(c.where, query.symbols)) for c in joined(cases)]
    tied = query.assumed or len(query.symbols) > 1 or not all(is_linear(c.where) for c in cases)
    if tied and not filtered:
        facts = query.facts.formulas
        cases = [c for c in cases if c.where == TRUE or not is_impossible([*facts, c.where], query.budget)]
    several = [c for c in cases if len(names(c.where)) > 1] if not filtered else []
    if several:  # which say no more than what the facts leave open
        known = Entailment(query.facts.formulas, query.budget, [e for c in several for e in comparisons(c.where)])
        cases = [replace(c, where=shown(query, c.where, known)) if c in several else c for c in cases]
    if not query.assumed:
        return tuple(cases)

    def impossible(*formulas: Term) -> bool:
        return is_impossible([*query.assumed, *formulas], query.budget)

    def shorten(parts: Parts) -> Iterable[Term]:
        if filtered:  # as short as they come, but for what is assumed; products make more questions long ones
            return [p for p in parts if not impossible(negated(p))]
        return irredundant(parts, impossible)

    return tuple([replace(c, where=shorter(c.where, shorten)) for c in cases])


def joined(cases: Iterable[CaseData], impossible: Impossible = lambda *formulas: False) -> list[CaseData]:
    """Cases with one answer as one case, where the first of them stands."""
    groups: dict[object, list[CaseData]] = {}
    for case in cases:
        groups.setdefault(_answer(case), []).append(case)
    found = []
    for same in groups.values():
        shown = same[0] if same[0].status is Status.NEVER else same[-1]
        parts = fewer([parts_of(c.where) for c in same], partial(met, impossible=guarding(shown, impossible)))
        found.append(placed(shown, TRUE if () in parts else disj(map(conj, parts))))
    return found


def placed(case: CaseData, where: Term) -> CaseData:
    """The same where this is so."""
    return case if where == case.where else replace(case, where=where)


def shorter(where: Term, shorten: Callable[[Parts], Iterable[Term]]) -> Term:
    """The disjunction with each of its conjunctions shortened."""
    found = [conj(shorten(parts_of(p))) for p in alternatives(where)]
    return TRUE if TRUE in found else disj(found)


def shown(query: Query, where: Term, known: Entailment) -> Term:
    """The formula as an answer says it: as short as facts and budget allow, and in order."""
    if query.budget.is_over():
        return tidied(where, query.symbols)
    brief = known.renewed(query.budget.part(_SHARE, _MOST))
    found = in_context(shorter(where, lambda parts: shortened(parts, known, query.algebra)), brief)
    return plainly_shown(query, found)


def plainly_shown(query: Query, where: Term) -> Term:
    """The same as short as its structure alone allows."""
    if not query.budget.is_over():
        query.budget.count(_TO_SAY * node_count(where))
        where = by_structure(where, query.algebra)
    return tidied(where, query.symbols)


def parts_of(where: Term) -> Parts:
    """The parts of a conjunction, in their order; none of what is always so."""
    return tuple([p for p in conjuncts(where) if p != TRUE])


def _answer(case: CaseData) -> object:
    """Equal for cases that may stand as one: those that are undecided only where it is for one reason."""
    if case.status in (Status.NEVER, Status.OUT_OF_BOUNDS):
        return case.status, case.reason if not case.witnesses else ""
    why = case.reason if case.status is Status.UNDECIDED else ""
    return case.status, case.required, case.view, why


def fewer(items: Iterable[Item], meet: Callable[[Item, Item], Item | None]) -> list[Item]:
    """The items, two as one where they meet, until none do; that one stands where the first of them stood."""
    found: list[Item] = []
    for item in items:
        at, place = 0, len(found)
        while at < len(found):
            if (both := meet(found[at], item)) is None:
                at += 1
            else:
                del found[at]
                item, at, place = both, 0, min(at, place)
        found.insert(place, item)
    return found


def guarding(case: CaseData, impossible: Impossible) -> Impossible:
    """What has to keep divisors from 0 where a case is joined: nothing where it is undecided."""
    return (lambda *formulas: True) if case.status is Status.UNDECIDED else impossible


def met(one: Parts, other: Parts, impossible: Impossible) -> Parts | None:
    """A conjunction that holds where either of two does; None where none is seen.

    They may differ in a comparison and its opposite, or in ranges that meet, or one may hold where the other does.
    What divides has to be kept from 0 by what both say, or be `impossible`: where a divisor is 0, neither holds.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> texts = "a == 1 and n >= 2 and n <= 4", "n >= 5 and a == 1", "b < n", "b >= n", "n//b == 1", "n//b != 1"
    >>> parts = [parts_of(parse_statement(t)) for t in texts]
    >>> meet = partial(met, impossible=lambda *formulas: False)
    >>> [term_text(conj(p)) for p in fewer(parts[:2], meet)], fewer(parts[:4], meet), len(fewer(parts[4:], meet))
    (['a == 1 and n >= 2'], [()], 2)
    """
    mine, yours = ([p for p in a if p not in b] for a, b in ((one, other), (other, one)))
    shared = [p for p in one if p in other]
    if not mine or not yours:
        return tuple(shared)
    single = len(mine) == 1 or len(yours) == 1  # the opposite of several is one alternative
    opposite = single and (negated(conj(mine)) == conj(yours) or conj(mine) == negated(conj(yours)))
    both = [] if opposite else _hull(mine, yours)
    if both is None or not all(impossible(*shared, negated(d)) for d in nonzero_divisors([*mine, *yours])):
        return None
    at = one.index(mine[0])
    before = [p for p in one[:at] if p in other]
    return (*before, *both, *(p for p in shared if p not in before))


def _hull(mine: Sequence[Term], yours: Sequence[Term]) -> list[Term] | None:
    """One range for two that meet; None where they do not, or are no ranges of one term."""
    first, second = _range(mine), _range(yours)
    if first is None or second is None or first[0] != second[0]:
        return None
    (term, low, high), (_, bottom, top) = sorted((first, second), key=lambda r: (r[1] is not None, r[1] or 0))
    if high is not None and bottom is not None and bottom > high + 1:
        return None
    return between(term, low, None if high is None or top is None else max(high, top))


def _range(parts: Sequence[Term]) -> tuple[Term, int | None, int | None] | None:
    """The term and the bounds that comparisons with numbers say, where they are about one term."""
    low: int | None = None
    high: int | None = None
    for op, args in parts:
        if op not in ("==", ">=", ">", "<=", "<") or args[1].op != "int" or args[0] != parts[0].args[0]:
            return None
        bound = args[1].args[0]
        if op in ("==", ">=", ">"):
            low = max(bound + (op == ">"), low if low is not None else bound)
        if op in ("==", "<=", "<"):
            high = min(bound - (op == "<"), high if high is not None else bound)
    return parts[0].args[0], low, high


def tidied(where: Term, order: Iterable[str]) -> Term:
    """The same without nesting and repetition: what has no division first, then equations, then by names."""
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


# Say all of them


def with_summary(query: Query, data: ConditionsData) -> ConditionsData:
    """The answer as one conjunction, or with its cases in fewer lines, where that is shorter."""
    if data.clauses is not None:
        return data
    said = with_clauses(query, data)
    if said is not data:
        return said
    if len(data.cases) == 1:
        return data
    known = Entailment(query.facts.formulas, query.budget)
    plain = [replace(c, view=None, witnesses=(), reason="") for c in data.cases]
    lines = joined(plain, known.impossible)
    if len(lines) == len(data.cases):
        return data
    return replace(data, summary=tuple([replace(c, where=shown(query, c.where, known)) for c in lines]))


def with_clauses(query: Query, data: ConditionsData) -> ConditionsData:
    """The answer as one conjunction, where that is shorter than a line for each case; without what is undecided.

    An equation is needed exactly where the equations of a case imply it. So it, or one of the other places, has to
    hold: these are the other cases, each without what it does not need to stay apart from where the equation is needed.
    """
    if len(names(*(c.where for c in data.cases))) < 2:
        return data  # a table of one size stays a table
    said = [f for c in data.cases for f in (c.where, *c.required)]
    if node_count(*said) > _LARGE:
        return data
    near = [e for f in said for e in comparisons(f)]
    known = Entailment(query.facts.formulas, query.budget.part(_WHOLE, _MOST_WHOLE), near)
    divided = not all(known.impossible(negated(d)) for d in nonzero_divisors(said))
    if divided or any(t.op == "floor_sum" for f in said for t in walk(f)):
        return data
    outside = disj(c.where for c in data.cases if c.status is Status.OUT_OF_BOUNDS)
    inside = list(conjuncts(_plain(negated(outside), query.algebra)))
    cases = [_without(c, inside, query.algebra) for c in data.cases if c.status is not Status.OUT_OF_BOUNDS]
    here = known.also(*inside, *_below_divisors(said, query.algebra))
    open_ = [c for c in cases if c.status is Status.UNDECIDED]
    doubt = shared_once(disj(_apart(open_, [c for c in cases if c not in open_], here, query.algebra)))
    wanted = dict.fromkeys(e for c in cases for e in _demands(c))
    found = [*(Clause((p,)) for p in inside), *(c for e in wanted for c in _clauses(e, cases, here, query.algebra))]
    terms = few_literals([c.term() for c in simplified(found, known)], known, query.algebra)
    brief = by_structure(in_context(conj(terms), known, most=200), query.algebra)
    terms = [shared_once(c) for c in conjuncts(brief) if c != TRUE]
    clauses = tuple([_plain(c, query.algebra) for c in terms])
    short = replace(data, clauses=clauses)
    if open_:
        asked_twice = _is_asked_twice(doubt, clauses, wanted, here)
        short = replace(data, enough=clauses, doubt=doubt, asked_twice=asked_twice)
    return short if len(headline(short)) < len(headline(data)) else data


def _is_asked_twice(doubt: Term, clauses: Iterable[Term], wanted: Container[Term], known: Entailment) -> bool:
    """Whether the doubt is just where two of the clauses leave nothing but their equations."""
    split = [([e for e in alternatives(c) if e not in wanted], len(alternatives(c))) for c in clauses]
    asking = [conj(map(negated, rest)) for rest, count in split if len(rest) < count]
    pairs = list(combinations(asking, 2))
    return all(known.impossible(*pair, negated(doubt)) for pair in pairs) and all(
        any(all(known.impossible(place, negated(one)) for one in pair) for pair in pairs)
        for place in alternatives(doubt)
    )


def _without(case: CaseData, said: Sequence[Term], algebra: Algebra) -> CaseData:
    """The case without the parts that are said elsewhere, with its numbers for names."""

    def left(parts: Parts) -> Iterable[Term]:
        values = [p for p in parts if p.op == "==" and p.args[0].op == "sym" and p.args[1].op == "int"]
        here = with_values([*values, *said], algebra)
        return [p for p in parts if p in values or p not in here]

    return replace(case, where=shorter(case.where, left))


def _below_divisors(formulas: Iterable[Term], algebra: Algebra) -> Iterable[Term]:
    """That remainders are below what is positive and divides, where that is no number."""
    found = dict.fromkeys(t for f in formulas for t in walk(f) if t.op == "%" and t.args[1].op != "int")
    return [Term("<", (t, t.args[1])) for t in found if algebra.is_positive(algebra.poly_of(t.args[1]))]


def _demands(case: CaseData) -> tuple[Term, ...]:
    """The equations of the case; `FALSE` where no integers satisfy them."""
    impossible = case.status is Status.NEVER or (
        case.status is Status.UNDECIDED and not enough_for(case) and case.required
    )
    return (FALSE,) if impossible else case.required


def _clauses(equation: Term, cases: Sequence[CaseData], known: Entailment, algebra: Algebra) -> list[Clause]:
    """That the equation holds, or that it is not needed: by where it is not, or where that is long by where it is.

    Where a case asks for others that imply it, it may be asked for or not.
    """
    asking = [c for c in cases if equation in _demands(c)]
    free = [c for c in cases if c not in asking and not known.impossible(*_demands(c), negated(equation))]
    last = (equation,) if equation != FALSE else ()
    outside = [Clause((*_apart(free, asking, known, algebra), *last))]
    long = node_count(*(c.term() for c in outside))
    if long < _FEW_NODES:
        return outside
    inside = [Clause((*alternatives(negated(p)), *last)) for p in _apart(asking, free, known, algebra)]
    return inside if _SHORTER * node_count(*(c.term() for c in inside)) < long else outside


def _apart(cases: Sequence[CaseData], others: Sequence[CaseData], known: Entailment, algebra: Algebra) -> list[Term]:
    """Where one of the cases is and none of the others, and perhaps more where none of both is."""
    left = list[Term]()
    apart = [a for c in others for a in alternatives(c.where)]
    for place in [a for c in cases for a in alternatives(c.where)]:
        if not any(known.impossible(place, negated(other)) for other in left):
            left.append(_plain(conj(expanded(conjuncts(place), apart, known)), algebra))
    left = list(map(negated, irredundant(map(negated, left), known.impossible)))
    return list(map(conj, fewer(list(map(parts_of, left)), partial(met, impossible=lambda *formulas: True))))


def _plain(formula: Term, algebra: Algebra) -> Term:
    return with_comparisons(formula, partial(compared_anew, algebra=algebra))
