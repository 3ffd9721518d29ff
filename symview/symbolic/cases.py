"""The one case machine: what the producers find becomes cases, confirmed, filtered, shortened and joined.

A producer says where something holds, which forms have to be 0 there, and what shows it: row spaces
(`case_builder`), boundaries of symbolic shapes (`boundaries`), residues of strides (`by_stride`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from symview.answers import CaseData, Status
from symview.errors import InternalError
from symview.logic.budget import Budget
from symview.logic.polynomial import Poly
from symview.logic.solve import CASE, Open, Sat, Unsat, is_excluded, is_impossible, is_linear, solve
from symview.logic.terms import FALSE, TRUE, Term, conj, conjuncts, disj, names, negated, nonzero_divisors, num, walk
from symview.symbolic.equations import Equations, equation, opaque_zero
from symview.symbolic.facts import Query


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
    forms = list(equations.forms)
    for form in equations.forms if known else ():
        zero = equation(form, query.algebra.opaque)
        others = [z for z in zeros if z is not zero and z != zero]
        if is_impossible([*known, *others, negated(zero)], query.budget):
            forms.remove(form)
            zeros.remove(zero)
    return Needed(tuple(forms), not isinstance(answer, Open))


def _about(query: Query, where: Term, equations: Equations) -> list[Term]:
    """What is known of the symbols of the equations, and of those that it ties them to."""
    reached = set(names(*(equation(f, query.algebra.opaque) for f in equations.forms)))
    facts, known = [*query.facts.formulas, where], list[Term]()
    grown = True
    while grown:
        grown = False
        for fact in facts:
            if fact not in known and reached.intersection(names(fact)):
                known.append(fact)
                reached.update(names(fact))
                grown = True
    return known


def confirmed(forms: Sequence[Poly], constraints: Sequence[Poly], budget: Budget) -> bool:
    """Z3: the equations and the patterns' constraints imply each other; False where it gave up."""
    if not forms and not any(constraints):
        return True
    left, right = (conj(map(opaque_zero, side)) for side in (forms, constraints))
    differ = Term("not", (Term("<->", (left, right)),))
    if is_excluded([differ], budget):
        return True
    answer = solve([differ], budget)
    if isinstance(answer, Sat):
        raise InternalError(f"equations and constraints differ at {dict(answer.model)}")
    return isinstance(answer, Unsat)


def allowed(query: Query, cases: Iterable[CaseData], filtered: bool = False) -> tuple[CaseData, ...]:
    """The cases that are possible, without what the assumptions say already; `filtered`: they all are."""
    facts = query.facts.formulas
    cases = [replace(c, where=tidied(c.where, query.symbols)) for c in cases]
    tied = len(query.symbols) > 1 or not all(is_linear(c.where) for c in cases)
    if not query.assumed and (filtered or not tied):
        return tuple(cases)
    left = [c for c in cases if filtered or c.where == TRUE or not is_impossible([*facts, c.where], query.budget)]
    return tuple([_shorter(query, c) for c in left]) if query.assumed else tuple(left)


def joined(cases: Iterable[CaseData]) -> list[CaseData]:
    """Cases with one answer as one case, where the first of them stands."""
    groups: dict[object, list[CaseData]] = {}
    for case in cases:
        groups.setdefault(_answer(case), []).append(case)
    found = []
    for same in groups.values():
        shown = same[0] if same[0].status is Status.NEVER else same[-1]
        found.append(replace(shown, where=either([c.where for c in same])))
    return found


def _answer(case: CaseData) -> object:
    """Equal for cases that may stand as one: those that are undecided only where it is for one reason."""
    if case.status in (Status.NEVER, Status.OUT_OF_BOUNDS):
        return case.status, case.reason if not case.witnesses else ""
    why = case.reason if case.status is Status.UNDECIDED else ""
    return case.status, case.required, case.view, why


def either(parts: Iterable[Term]) -> Term:
    """The disjunction of conjunctions, two of which become one where they differ in a comparison and its opposite.

    Ranges that meet become one range, and what another part covers is left out.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> parts = [parse_statement(t) for t in ("a == 1 and n >= 2 and n <= 4", "n >= 5 and a == 1", "b < n", "b >= n")]
    >>> term_text(either(parts[:2])), term_text(either(parts))
    ('a == 1 and n >= 2', 'True')
    """
    left = [tuple(conjuncts(p)) for p in dict.fromkeys(parts)]
    at = 0
    while at < len(left):
        found = next(((n, m) for n in range(at) if (m := _met(left[n], left[at])) is not None), None)
        if found is None:
            at += 1
        else:
            left[found[0]] = found[1]
            del left[at]
            at = 0
    return TRUE if any(conj(p) == TRUE for p in left) else disj(map(conj, left))


def _met(one: tuple[Term, ...], other: tuple[Term, ...]) -> tuple[Term, ...] | None:
    """Two conjunctions as one that holds where either does; None where that is not seen."""
    mine, yours = ([p for p in a if p not in b and p != TRUE] for a, b in ((one, other), (other, one)))
    shared = [p for p in one if p in other]
    if not mine or not yours:
        return tuple(shared)
    if nonzero_divisors([*mine, *yours]):
        return None  # where a divisor is 0, neither holds
    if len(mine) == len(yours) == 1 and mine[0] == negated(yours[0]):
        return tuple(shared)
    ranges = _range(mine), _range(yours)
    if None in ranges or ranges[0][0] != ranges[1][0]:  # type: ignore[index]
        return None
    (term, low, high), (_, bottom, top) = sorted(ranges, key=lambda r: (r[1] is not None, r[1] or 0))  # type: ignore[index, misc]
    if high is not None and bottom is not None and bottom > high + 1:
        return None
    end = None if high is None or top is None else max(high, top)
    return (*shared, *between(term, low, end))


def between(term: Term, low: int | None, high: int | None) -> list[Term]:
    """The comparisons that keep a term in a range without gaps."""
    if low is not None and low == high:
        return [Term("==", (term, num(low)))]
    bounds = ((">=", low), ("<=", high))
    return [Term(op, (term, num(bound))) for op, bound in bounds if bound is not None]


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


def _shorter(query: Query, case: CaseData) -> CaseData:
    """The case without the parts of its condition on sizes that the assumptions imply."""
    parts = list(conjuncts(case.where))
    kept = [p for p in parts if not is_impossible([*query.assumed, negated(p)], query.budget)]
    return case if len(kept) == len(parts) else replace(case, where=conj(kept))


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
