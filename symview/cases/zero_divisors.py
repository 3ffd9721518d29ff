"""Conditions where a divisor is 0: there, a comparison that divides by it is false."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from symview.logic.arithmetic import Outcomes, outcomes
from symview.logic.budget import Budget
from symview.logic.points import Function, Values, bounds_of, compiled, simplified_by_ranges
from symview.logic.solve import CASE, is_impossible
from symview.logic.terms import (
    CONNECTIVES,
    FALSE,
    OPERATORS,
    TRUE,
    Term,
    conj,
    disj,
    names,
    negated,
    node_count,
    nonzero_divisors,
)

_STEPS, _SIZE = 3_000, 20  # budget steps for each branch and each node in it, not counting solver calls
Reading: TypeAlias = Callable[[Term, Term], Term]  # what a formula says where a divisor is 0


class Branch(NamedTuple):
    """Facts under which no divisor in the formulas is 0, and what these say there; `at_zero` if some divisor was."""

    facts: tuple[Term, ...]
    formulas: tuple[Term, ...]
    at_zero: bool


def branches(
    facts: Sequence[Term],
    formulas: Sequence[Term],
    readings: Sequence[Reading],
    budget: Budget,
    is_idle: Callable[[Sequence[Term]], bool] = lambda _: False,
) -> Iterator[Branch]:
    """Splits by which divisors of the formulas are 0, each formula with its own reading there; idle ones are left out.

    Values at which a fact divides by 0 are in no branch. Raises Undecided if the budget ends.

    >>> from symview.logic.budget import DEFAULT
    >>> from symview.logic.notation import parse_statement, term_text
    >>> claim = Term("not", (parse_statement("p % a == 0 and a < 5"),))
    >>> for branch in branches((), (claim,), (in_condition,), DEFAULT):
    ...     print(*map(term_text, (*branch.facts, *branch.formulas)), sep=", ")
    a == 0, True
    a != 0, not (p % a == 0 and a < 5)
    """
    return _branches(tuple(facts), tuple(formulas), readings, budget, is_idle, frozenset())


def _branches(
    facts: tuple[Term, ...],
    formulas: tuple[Term, ...],
    readings: Sequence[Reading],
    budget: Budget,
    is_idle: Callable[[Sequence[Term]], bool],
    settled: frozenset[Term],
    at_zero: bool = False,
) -> Iterator[Branch]:
    """The branches in which the divisors of `settled` are not 0."""
    budget.spend(_STEPS + _SIZE * node_count(*formulas))
    if is_idle(formulas):
        return
    for nonzero in nonzero_divisors(formulas):  # inner divisors first: an outer one may have no value where they are 0
        if nonzero in settled:
            continue
        settled |= {nonzero}
        zero = negated(nonzero)
        if _is_excluded(zero, facts, budget):
            continue
        there = tuple([read(f, nonzero) for read, f in zip(readings, formulas, strict=True)])
        yield from _branches((*facts, zero), there, readings, budget, is_idle, settled, True)
        if not is_impossible((*facts, nonzero), budget.at_most(CASE)):
            yield from _branches((*facts, nonzero), formulas, readings, budget, is_idle, settled, at_zero)
        return
    yield Branch(facts, formulas, at_zero)


def _is_excluded(zero: Term, facts: Sequence[Term], budget: Budget) -> bool:
    """Whether the facts provably exclude that a divisor is 0; most often, bounds of its names do."""
    wanted = names(zero)
    bounds = dict(zip(wanted, bounds_of(facts, wanted), strict=True))
    return (
        negated(zero) in facts
        or simplified_by_ranges(zero, (), bounds) == FALSE
        or is_impossible((*facts, zero), budget.at_most(CASE))
    )


def in_condition(formula: Term, nonzero: Term) -> Term:
    """What a condition says where this is not so: comparisons that need it are false; a `not` is read as it stands."""
    op, args = formula
    if op not in CONNECTIVES:
        return FALSE if nonzero in nonzero_divisors([formula]) else formula
    parts = tuple([in_condition(a, nonzero) for a in args])
    if op in ("and", "or"):
        ends = FALSE if op == "and" else TRUE
        return ends if ends in parts else (conj if op == "and" else disj)(parts)
    return negated(parts[0]) if op == "not" and parts[0].op == "bool" else Term(op, parts)


def in_python(formula: Term, nonzero: Term) -> Term:
    """Where a check is true though this is not so: one that needs it on its way ends with an error, and is not true."""

    def of_comparison(comparison: Term) -> Outcomes:
        if nonzero in nonzero_divisors([comparison]):
            return Outcomes(FALSE, FALSE)
        return Outcomes(comparison, negated(comparison))

    return outcomes(formula, of_comparison).true


def in_condition_at(formula: Term, order: Sequence[str]) -> Function:
    """Compiles a condition to a function of the point: comparisons that divide by 0 there are false.

    >>> from symview.logic.notation import parse_statement
    >>> found = in_condition_at(parse_statement("not (p % a == 0 or a > 1)"), ["p", "a"])
    >>> found((1, 0)), found((4, 2))
    (True, False)
    """
    op, args = formula
    if op in CONNECTIVES:
        parts = [in_condition_at(a, order) for a in args]
        if op in ("and", "or"):
            return (lambda v: all(f(v) for f in parts)) if op == "and" else (lambda v: any(f(v) for f in parts))
        return lambda v: OPERATORS[op].run([f(v) for f in parts])
    said = compiled(formula, order, "floor")
    if not nonzero_divisors([formula]):
        return said

    def of_comparison(point: Values) -> int:
        try:
            return said(point)
        except ZeroDivisionError:
            return False

    return of_comparison


def pushed(formula: Term) -> Term:
    """The formula with negations of comparisons only, for formulas none of whose divisors is 0."""
    op, args = formula
    if op == "not":
        return negated(pushed(args[0]))
    return (conj if op == "and" else disj)(map(pushed, args)) if op in ("and", "or") else formula
