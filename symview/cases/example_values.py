"""Which values examples of conditions have: on both sides of each condition, what is nearest to its edge first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, zip_longest
from typing import NamedTuple, TypeVar

from symview.answers import CaseData, ConditionsData, Status
from symview.errors import InputError
from symview.logic.budget import Budget
from symview.logic.points import bounds_of, by_size, compiled
from symview.logic.solve import HINT, Sat, solve
from symview.logic.terms import (
    FALSE,
    Term,
    comparisons,
    conj,
    conjuncts,
    disj,
    linear,
    negated,
    nonzero_divisors,
    num,
    sym,
)

_NEAR = 1_500  # points tried for each kind of example, positive ones and any, before a solver is asked
_STEPS = 10  # of work for each of them
_ASKED = 4  # further ones that a solver is asked for
Point = tuple[int, ...]
Made = TypeVar("Made")


class Kind(NamedTuple):
    """What examples of one kind satisfy, and whether the conditions hold wherever they do; None where that is open."""

    formulas: tuple[Term, ...]
    holds: bool | None


def examples_of(
    conditions: ConditionsData,
    wanted: Sequence[Kind],
    count: int,
    budget: Budget,
    at: Callable[[Mapping[str, int], bool | None], Made | None],
) -> tuple[Made, ...]:
    """Up to `count` examples of these kinds in turn, of distinct values; `at` makes one, None where it cannot."""
    if type(count) is not int or count < 1:
        raise InputError(f"examples({count!r}): give a number of examples from 1")
    names, found = list(conditions.symbols()), dict[Point, Made]()
    tried = set[Point]()
    waiting = [(kind, points(kind.formulas, conditions.facts, names, budget)) for kind in wanted]
    while waiting and len(found) < count:
        left = []
        for kind, near in waiting:
            point = next((p for p in near if p not in tried), None) if len(found) < count else None
            if point is not None:
                tried.add(point)
                made = at(dict(zip(names, point, strict=True)), kind.holds)
                if made is not None:
                    found[point] = made
                left.append((kind, near))
        waiting = left
    if not found:
        budget.check()
    return tuple(found.values())


def kinds(conditions: ConditionsData) -> list[Kind]:
    """The two sides of conditions in turn, one condition after the other, what is nearest to their edges first."""
    clauses = conditions.clauses
    if clauses is None:
        sides = [_of_case(c) for c in conditions.cases]
    else:
        fitting = [] if conditions.fitting is None else [conditions.fitting]
        whole = [Kind(tuple(clauses), True), Kind((*fitting, negated(conj(clauses))), False)]
        sides = [*(_of_clause(n, clauses) for n in range(len(clauses))), iter(whole)]
    return in_turn(sides)


def in_turn(sides: Iterable[Iterator[Kind]]) -> list[Kind]:
    """The first of each side, then the second, and so on; what holds and what does not in turn."""
    found = [k for row in zip_longest(*sides) for k in row if k is not None and FALSE not in k.formulas]
    both = zip_longest([k for k in found if k.holds], [k for k in found if not k.holds])
    return [k for pair in both for k in pair if k is not None]


def _of_clause(n: int, clauses: Sequence[Term]) -> Iterator[Kind]:
    """What breaks by the clause alone, just so and anyhow, and what holds by one of its alternatives alone."""
    clause = clauses[n]
    others = [c for m, c in enumerate(clauses) if m != n]
    for edge in (*edges(clause, FAILS), ()):
        yield Kind((*others, negated(clause), *edge), False)
    for one in reversed(clause.args) if clause.op == "or" else ():  # equations stand behind sizes of 1
        yield Kind((*clauses, one, *(negated(e) for e in clause.args if e != one)), True)


def _of_case(case: CaseData) -> Iterator[Kind]:
    """The case at each of its ends and anywhere, with its equations, and with each of them just broken alone."""
    merges = {Status.ALWAYS: True, Status.WHEN: True, Status.UNDECIDED: None}.get(case.status, False)
    fails = None if merges is None else False
    for edge in (*edges(case.where, HOLDS), ()):
        yield Kind((case.where, *edge, *(case.required if merges else ())), merges)
        for n, equation in enumerate(case.required if case.status in (Status.WHEN, Status.UNDECIDED) else ()):
            others = [e for m, e in enumerate(case.required) if m != n]
            for broken in (*edges(equation, FAILS), ()):
                yield Kind((case.where, *edge, *others, negated(equation), *broken), fails)


HOLDS = {"<=": 0, ">=": 0, "<": -1, ">": 1}  # how far the left side is above the right one where it just holds
FAILS = {"<=": 1, ">=": -1, "<": 0, ">": 0, "==": 1}


def edges(formula: Term, above: Mapping[str, int]) -> Iterator[tuple[Term, ...]]:
    """The equation of each comparison's edge."""
    for op, (left, right) in dict.fromkeys(comparisons(formula)):
        if op in above:
            yield (Term("==", (left, linear([(1, right)], above[op]))),)


def points(wanted: Iterable[Term], facts: Sequence[Term], names: Sequence[str], budget: Budget) -> Iterator[Point]:
    """Values that satisfy the formulas: small positive ones, small ones, others that a solver finds."""
    formulas = [part for f in (*facts, *wanted) for part in conjuncts(f)]
    found = dict[Point, None]()
    for point in _small(formulas, names, budget):
        found[point] = None
        yield point
    positive = [Term(">=", (sym(n), num(1))) for n in names]
    for more in (*[positive] * _ASKED, ()):
        others = [disj(Term("!=", (sym(n), num(v))) for n, v in zip(names, p, strict=True)) for p in found]
        answer = solve([*formulas, *more, *others], budget.at_most(HINT))
        if isinstance(answer, Sat):
            point = tuple([answer.model.get(n, 1) for n in names])
            found[point] = None
            yield point


def _small(formulas: Sequence[Term], names: Sequence[str], budget: Budget) -> Iterator[Point]:
    """Small values that satisfy the formulas, positive ones first."""
    test = compiled(conj([*nonzero_divisors(formulas), *formulas]), names, "floor")
    ranges = bounds_of(formulas, names)
    positive = [(low, high) if high is not None and high < 1 else (max(low or 1, 1), high) for low, high in ranges]
    for point in chain.from_iterable(islice(by_size(box), _NEAR) for box in (positive, ranges)):
        budget.count(_STEPS)
        if budget.is_over():
            return
        try:
            if test(point):
                yield point
        except ZeroDivisionError:
            continue
