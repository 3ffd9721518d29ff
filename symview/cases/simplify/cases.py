"""The last step of every producer: turns what it found into the cases of an answer.

A producer yields `CaseData`: where something holds (`where`), what has to be 0 there (`required`), and the evidence;
what it could not decide is an undecided case with the reason. The producers are
  row spaces  one for each stretch of sizes (`size_regions`) or group of strides (`stride_conditions`), made by
              `case_builder`
  boundaries  of symbolic outer shapes (`boundary_conditions`, `reshape_cases`), whose clauses `boundaries` splits
  forks       of an operation on symbolic layouts, or of the windows of a mask (`mask_conditions`): both outcomes of
              each open comparison are followed (`forks`); the question on the valid indices then has no masks

All of them call `simplified`: it joins cases with one answer, says each in fewer words, and drops those that no values
meet. `with_summary` writes the whole answer as one conjunction, or in fewer lines, if that is shorter.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import TypeVar

from symview.answers import CaseData, ConditionsData, Status
from symview.cases.algebra import Algebra
from symview.cases.query import Query
from symview.cases.simplify.clauses import (
    Clause,
    Impossible,
    Parts,
    alternatives,
    by_structure,
    factored,
    few_literals,
    has_open_divisor,
    in_context,
    in_few_words,
    irredundant,
    long_parts_once,
    parts_of,
    shortened,
    simplified_clauses,
    tidied,
    widened,
    with_products,
    with_values,
    without_premises,
)
from symview.cases.simplify.literals import compared_anew, grouped, text_length
from symview.logic.entailment import Entailment
from symview.logic.solve import is_impossible
from symview.logic.terms import (
    FALSE,
    TRUE,
    Term,
    between,
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
    walk,
    with_comparisons,
)
from symview.show.formulas import enough_for, headline

Item = TypeVar("Item")
_SHARE, _MOST = 16, 400_000  # share and maximum of the budget for simplifying one condition
_WHOLE, _MOST_WHOLE = 2, 4_000_000  # the same for all cases together
_LARGE = 8_000  # nodes; larger formulas make no readable conjunction
_LONG_LITERAL = 7  # nodes
_NOT_ENOUGH = (Term("==", (num(1), num(0))),)
_MANY = 200  # comparisons
_SHORTER = 1.5  # times
_FEW_NODES = 40  # a clause below this size is short
_TO_SAY = 20  # budget steps per node for simplifying, not counting solver calls


def simplified(cases: Iterable[CaseData], known: Entailment, say: Callable[[CaseData], CaseData]) -> list[CaseData]:
    """The cases of an answer: those with one answer merged, each in fewer words, none that no values meet.

    `say` says one case in fewer words, where the facts hold.
    """
    found = map(say, merge_cases(cases, known.impossible))
    return [c for c in found if c.where != FALSE]


def in_fewer_words(query: Query, known: Entailment, case: CaseData) -> CaseData:
    """The case with its `where` as it is printed."""
    return with_where(case, simplify_for_display(query, case.where, known))


def simplified_row_spaces(query: Query, cases: Iterable[CaseData], filtered: bool = False) -> tuple[CaseData, ...]:
    """The simplified cases of row spaces; `filtered`: all are possible, and already short apart from assumptions."""
    cases = list(cases)
    if [c.where for c in cases] == [TRUE]:
        return tuple(cases)
    near = [e for c in cases if not filtered and len(names(c.where)) > 1 for e in comparisons(c.where)]
    known = Entailment(query.facts.formulas, query.budget, near)
    return tuple(simplified(cases, known, partial(_row_space, query, known, filtered)))


def _row_space(query: Query, known: Entailment, filtered: bool, case: CaseData) -> CaseData:
    """The case in fewer words, without what is assumed; `filtered` cases have products, so solvers are asked little."""
    where = tidied(case.where, query.symbols)
    if not filtered and where != TRUE and is_impossible([*query.facts.formulas, where], query.budget):
        return with_where(case, FALSE)
    if not filtered and len(names(where)) > 1:
        where = simplify_for_display(query, where, known)
    if query.assumed:
        where = in_each_alternative(where, partial(_without_assumed, query, filtered))
    return with_where(case, where)


def _without_assumed(query: Query, filtered: bool, parts: Parts) -> Iterable[Term]:
    """The parts that the assumptions, or these and other parts, do not imply."""

    def impossible(*formulas: Term) -> bool:
        return is_impossible([*query.assumed, *formulas], query.budget)

    return [p for p in parts if not impossible(negated(p))] if filtered else irredundant(parts, impossible)


def merge_cases(cases: Iterable[CaseData], impossible: Impossible = lambda *formulas: False) -> list[CaseData]:
    """Joins cases that have the same answer; the joined case takes the place of the first of them."""
    groups: dict[object, list[CaseData]] = {}
    for case in cases:
        groups.setdefault(_answer(case), []).append(case)
    found = []
    for same in groups.values():
        shown = same[0] if same[0].status is Status.NEVER else same[-1]
        places = [parts_of(c.where) for c in same]
        found.append(with_where(shown, either_of(places, divisor_test(shown, impossible))))
    return found


def either_of(places: Iterable[Parts], impossible: Impossible) -> Term:
    """The disjunction of conjunctions, pairs of them merged; `impossible` excludes that divisors are 0."""
    parts = merge_pairwise(places, partial(merge_conjunctions, impossible=impossible))
    return TRUE if () in parts else disj(map(conj, parts))


def with_where(case: CaseData, where: Term) -> CaseData:
    """The case with another `where`."""
    return case if where == case.where else replace(case, where=where)


def with_plain_equations(case: CaseData, algebra: Algebra) -> CaseData:
    """The case with numbers substituted in its equations for the names that its `where` equates with them."""
    values = [p for p in parts_of(case.where) if p.op == "==" and p.args[0].op == "sym" and p.args[1].op == "int"]
    put = with_values([*values, *case.required], algebra)[len(values) :]
    kept = [new if new.op == "==" else old for old, new in zip(case.required, put, strict=True)]
    return replace(case, required=tuple(dict.fromkeys(kept)))


def in_each_alternative(where: Term, shorten: Callable[[Parts], Iterable[Term]]) -> Term:
    """The disjunction with each of its conjunctions simplified."""
    found = [conj(shorten(parts_of(p))) for p in alternatives(where)]
    return TRUE if TRUE in found else disj(found)


def simplify_for_display(query: Query, where: Term, known: Entailment) -> Term:
    """The formula as it is printed: simplified as far as facts and budget allow, and ordered."""
    if query.budget.is_over():
        return tidied(where, query.symbols)
    brief = known.renewed(query.budget.part(_SHARE, _MOST))
    found = in_context(in_each_alternative(where, lambda parts: shortened(parts, known, query.algebra)), brief)
    return simplify_by_structure(query, found)


def simplify_by_structure(query: Query, where: Term) -> Term:
    """The formula simplified by its structure alone, without a solver."""
    if not query.budget.is_over():
        query.budget.count(_TO_SAY * node_count(where))
        where = by_structure(where, query.algebra)
    return tidied(where, query.symbols)


def _answer(case: CaseData) -> object:
    """A key that is equal for cases that may be joined; undecided ones only if they have the same reason."""
    if case.status in (Status.NEVER, Status.OUT_OF_BOUNDS):
        return case.status, case.reason if not case.witnesses else ""
    why = case.reason if case.status is Status.UNDECIDED else ""
    return case.status, case.required, case.view, why


def merge_pairwise(items: Iterable[Item], meet: Callable[[Item, Item], Item | None]) -> list[Item]:
    """The items after joining pairs that `meet`, until none do; a joined item takes the place of its first one."""
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


def divisor_test(case: CaseData, impossible: Impossible) -> Impossible:
    """The test that divisors are not 0 for joining a case; if it is undecided, there is nothing to test."""
    return (lambda *formulas: True) if case.status is Status.UNDECIDED else impossible


def merge_conjunctions(one: Parts, other: Parts, impossible: Impossible) -> Parts | None:
    """A conjunction equivalent to the disjunction of two conjunctions; None if none is found.

    It finds one if they differ in a comparison and its negation, or in ranges that meet, or if one implies the other. A
    divisor must be nonzero by the shared parts, or its being 0 be `impossible`: where a divisor is 0, neither holds.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> texts = "a == 1 and n >= 2 and n <= 4", "n >= 5 and a == 1", "b < n", "b >= n", "n//b == 1", "n//b != 1"
    >>> parts = [parts_of(parse_statement(t)) for t in texts]
    >>> meet = partial(merge_conjunctions, impossible=lambda *formulas: False)
    >>> [term_text(conj(p)) for p in merge_pairwise(parts[:2], meet)]
    ['a == 1 and n >= 2']
    >>> merge_pairwise(parts[:4], meet), len(merge_pairwise(parts[4:], meet))
    ([()], 2)
    """
    mine, yours = ([p for p in a if p not in b] for a, b in ((one, other), (other, one)))
    shared = [p for p in one if p in other]
    if not mine or not yours:
        return tuple(shared)
    single = len(mine) == 1 or len(yours) == 1  # the negation of several is one disjunction
    opposite = single and (negated(conj(mine)) == conj(yours) or conj(mine) == negated(conj(yours)))
    both = [] if opposite else _hull(mine, yours)
    if both is None or not all(impossible(*shared, negated(d)) for d in nonzero_divisors([*mine, *yours])):
        return None
    at = one.index(mine[0])
    before = [p for p in one[:at] if p in other]
    return (*before, *both, *(p for p in shared if p not in before))


def _hull(mine: Sequence[Term], yours: Sequence[Term]) -> list[Term] | None:
    """The union of two ranges of one term as a range; None if it is not one."""
    first, second = _range(mine), _range(yours)
    if first is None or second is None or first[0] != second[0]:
        return None
    (term, low, high), (_, bottom, top) = sorted((first, second), key=lambda r: (r[1] is not None, r[1] or 0))
    if high is not None and bottom is not None and bottom > high + 1:
        return None
    return between(term, low, None if high is None or top is None else max(high, top))


def _range(parts: Sequence[Term]) -> tuple[Term, int | None, int | None] | None:
    """The term and the bounds of comparisons with numbers; None if they are not all about one term."""
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


def with_summary(query: Query, data: ConditionsData) -> ConditionsData:
    """The answer as one conjunction, or with its cases in fewer lines, if that is shorter; all in few words."""
    if data.clauses is not None:
        return with_brief_clauses(query, data)
    found = with_clauses(query, data)
    return found if found is not data else _with_lines(query, data)


def with_brief_clauses(query: Query, data: ConditionsData) -> ConditionsData:
    """The answer with its conjunction, if it has one, in few words."""
    if data.clauses is None or not _may_be_shorter(data.clauses):
        return data
    return replace(data, clauses=_in_few_words(data.clauses, _known(query), query.algebra))


def _may_be_shorter(clauses: Sequence[Term]) -> bool:
    """Whether there may be fewer words: for `a == D*b` there are none, but for a premise `D != 1`, or `a and b`."""
    if _has_sums(clauses):
        return False
    nested = any(one.op == "and" for clause in clauses for one in alternatives(clause))
    return nested or any(e.op == "!=" or _is_long(e) for e in comparisons(conj(clauses)))


def _has_sums(formulas: Iterable[Term]) -> bool:
    """Whether they have sums of quotients, about which solvers know little."""
    return any(node.op == "floor_sum" for f in formulas for node in walk(f))


def _is_long(literal: Term) -> bool:
    return node_count(literal) >= _LONG_LITERAL or any(map(bool, divisors(literal)))


def _with_lines(query: Query, data: ConditionsData) -> ConditionsData:
    """The answer with cases of one answer in one line, and lines that divide in few words."""
    data = _without_vain_equations(query, data)
    lines: Sequence[CaseData] = data.cases
    if len(lines) > 1:
        known = Entailment(query.facts.formulas, query.budget)
        plain = [replace(c, view=None, witnesses=(), reason="") for c in lines]
        merged = merge_cases(plain, known.impossible)
        lines = lines if len(merged) == len(lines) else [in_fewer_words(query, known, c) for c in merged]
    divide = [c for c in lines if any(map(bool, divisors(c.where)))]
    if divide:
        brief = _known(query)
        lines = [_line_in_few_words(query, brief, c) if c in divide else c for c in lines]
    return data if tuple(lines) == data.cases else replace(data, summary=tuple(lines))


def _line_in_few_words(query: Query, known: Entailment, case: CaseData) -> CaseData:
    where = tidied(in_few_words(case.where, known, query.algebra), query.symbols)
    if has_open_divisor(conj((where, *case.required)), known):
        return with_where(case, where)
    return replace(case, where=with_comparisons(where, grouped), required=tuple(map(grouped, case.required)))


def _without_vain_equations(query: Query, data: ConditionsData) -> ConditionsData:
    """The answer without equations that are enough where no values meet them; only those with divisions hide that."""
    open_ = [c for c in data.cases if c.status is Status.UNDECIDED and any(map(bool, divisors(conj(c.required))))]
    if not open_:
        return data
    known = _known(query)
    vain = [
        c
        for c in open_
        if not has_open_divisor(conj((c.where, *c.required)), known) and known.impossible(c.where, *c.required)
    ]
    return replace(data, cases=tuple([replace(c, required=_NOT_ENOUGH) if c in vain else c for c in data.cases]))


def _known(query: Query) -> Entailment:
    """What the facts imply, with the share of all cases."""
    return Entailment(query.facts.formulas, query.budget.part(_WHOLE, _MOST_WHOLE))


def with_clauses(query: Query, data: ConditionsData) -> ConditionsData:
    """The answer as one conjunction, without undecided cases, if that is shorter than a line for each case.

    An equation is needed exactly where the equations of a case imply it. So either it holds, or the values are in
    another case; the `where` of that case is simplified by dropping parts that do not separate it from where the
    equation is needed.
    """
    if len(names(*(c.where for c in data.cases))) < 2:
        return data  # a table by one size stays a table
    formulas = [f for c in data.cases for f in (c.where, *c.required)]
    if node_count(*formulas) > _LARGE:
        return data
    near = [e for f in formulas for e in comparisons(f)]
    known = Entailment(query.facts.formulas, query.budget.part(_WHOLE, _MOST_WHOLE), near)
    divided = not all(known.impossible(negated(d)) for d in nonzero_divisors(formulas))
    if divided or _has_sums(formulas):
        return data
    outside = disj(c.where for c in data.cases if c.status is Status.OUT_OF_BOUNDS)
    inside = list(conjuncts(_plain(negated(outside), query.algebra)))
    cases = [_without(c, inside, query.algebra) for c in data.cases if c.status is not Status.OUT_OF_BOUNDS]
    here = known.also(*inside, *_below_divisors(formulas, query.algebra))
    open_ = [c for c in cases if c.status is Status.UNDECIDED]
    closed = [c for c in cases if c not in open_]
    doubt = disj(_apart(open_, closed, here, query.algebra))
    wanted = dict.fromkeys(e for c in cases for e in _demands(c))
    found = [*(Clause((p,)) for p in inside), *(c for e in wanted for c in _clauses(e, cases, here, query.algebra))]
    terms = few_literals([c.term() for c in simplified_clauses(found, known)], known, query.algebra)
    brief = by_structure(in_context(conj(terms), known, _MANY), query.algebra)
    plain = [_plain(c, query.algebra) for c in conjuncts(brief) if c != TRUE]
    clauses = _in_few_words(plain, known, query.algebra)
    short = replace(data, clauses=clauses)
    if open_:
        twice = _needed_twice(plain, wanted)
        only = all(here.impossible(place, negated(twice)) for place in alternatives(doubt))
        left = disj(_apart(open_, closed, here.also(twice), query.algebra)) if only else None
        doubt, twice = (in_few_words(d, known, query.algebra) for d in (doubt, left or FALSE))
        short = replace(data, enough=clauses, doubt=doubt, doubt_twice=None if left is None else twice)
    return short if len(headline(short)) < len(headline(data)) else data


def _in_few_words(clauses: Sequence[Term], known: Entailment, algebra: Algebra) -> tuple[Term, ...]:
    """The clauses in few words, unless a divisor may be 0: plain ones first, common parts once."""
    if known.budget.is_over() or has_open_divisor(conj(clauses), known):
        return tuple(clauses)
    said = parts_of(in_few_words(conj(without_premises(clauses, known, algebra)), known, algebra, _MANY))
    fewer = factored([with_products(c, algebra.positive) for c in factored(said)])
    ways = [long_parts_once(sorted(parts, key=lambda c: c.op == "or")) for parts in (said, fewer, clauses)]
    return tuple([with_comparisons(c, grouped) for c in min(ways, key=lambda parts: text_length(conj(parts)))])


def _needed_twice(clauses: Iterable[Term], wanted: Container[Term]) -> Term:
    """The formula that two of the clauses are reduced to their equations."""
    split = [([e for e in alternatives(c) if e not in wanted], len(alternatives(c))) for c in clauses]
    needing = [conj(map(negated, rest)) for rest, count in split if len(rest) < count]
    return disj(map(conj, combinations(needing, 2)))


def _without(case: CaseData, formulas: Sequence[Term], algebra: Algebra) -> CaseData:
    """The case without the parts in `formulas`, and with numbers substituted for names that have one."""

    def left(parts: Parts) -> Iterable[Term]:
        values = [p for p in parts if p.op == "==" and p.args[0].op == "sym" and p.args[1].op == "int"]
        here = with_values([*values, *formulas], algebra)
        return [p for p in parts if p in values or p not in here]

    return replace(case, where=in_each_alternative(case.where, left))


def _below_divisors(formulas: Iterable[Term], algebra: Algebra) -> Iterable[Term]:
    """Facts: each remainder by a positive divisor that is not a number is less than the divisor."""
    found = dict.fromkeys(t for f in formulas for t in walk(f) if t.op == "%" and t.args[1].op != "int")
    return [Term("<", (t, t.args[1])) for t in found if algebra.is_positive(algebra.poly_of(t.args[1]))]


def _demands(case: CaseData) -> tuple[Term, ...]:
    """The equations of the case; `FALSE` if no integers satisfy them."""
    impossible = case.status is Status.NEVER or (
        case.status is Status.UNDECIDED and not enough_for(case) and case.required
    )
    return (FALSE,) if impossible else case.required


def _clauses(equation: Term, cases: Sequence[CaseData], known: Entailment, algebra: Algebra) -> list[Clause]:
    """Clauses: the equation holds, or is not needed.

    They say so by where it is not needed or, if that is long, by where it is. A case whose other equations imply it may
    be on either side.
    """
    needing = [c for c in cases if equation in _demands(c)]
    free = [c for c in cases if c not in needing and not known.impossible(*_demands(c), negated(equation))]
    last = (equation,) if equation != FALSE else ()
    outside = [Clause((*_apart(free, needing, known, algebra), *last))]
    long = node_count(*(c.term() for c in outside))
    if long < _FEW_NODES:
        return outside
    inside = [Clause((*alternatives(negated(p)), *last)) for p in _apart(needing, free, known, algebra)]
    return inside if _SHORTER * node_count(*(c.term() for c in inside)) < long else outside


def _apart(
    cases: Sequence[CaseData], others: Sequence[CaseData], known: Entailment, algebra: Algebra
) -> Sequence[Term]:
    """Formulas for the places of some cases; they exclude the `others` and may include values in no case."""
    left = list[Term]()
    apart = [a for c in others for a in alternatives(c.where)]
    for place in [a for c in cases for a in alternatives(c.where)]:
        if not any(known.impossible(place, negated(other)) for other in left):
            left.append(_plain(conj(widened(conjuncts(place), apart, known)), algebra))
    left = list(map(negated, irredundant(map(negated, left), known.impossible)))
    return alternatives(either_of(map(parts_of, left), lambda *formulas: True))


def _plain(formula: Term, algebra: Algebra) -> Term:
    return with_comparisons(formula, partial(compared_anew, algebra=algebra))
