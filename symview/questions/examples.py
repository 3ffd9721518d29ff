"""Examples of conditions for tests of one's own: values on both sides of each condition, replayed in plain integers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, product, zip_longest
from math import prod
from typing import NamedTuple

from symview.answers import CaseData, ConditionsData, Counterexample, Kind, Status, values_text
from symview.displayed import Displayed
from symview.engine.radix import unravel
from symview.errors import InputError, InternalError, OutOfBounds
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
from symview.questions.counterexamples import break_at, sizes_agree
from symview.questions.merging import merge
from symview.view import View, compose_at

_NEAR = 1_500  # points tried for each kind of example, positive ones and any, before a solver is asked
_STEPS = 10  # of work for each of them
_ASKED = 4  # further ones that a solver is asked for
_WALKED, _CORNERS = 2_000, 64  # indices at which a merged view is replayed
Point = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Example(Displayed):
    """Values of the symbols, and what the views do there, as integers alone show.

    `views` are the views at these values; `view` what they merge into, else `counterexample` is the index that breaks,
    with the addresses expected and got. All are empty or None where the sizes of a reshape do not agree.
    """

    values: Mapping[str, int]
    views: tuple[View, ...] = ()
    view: View | None = None
    counterexample: Counterexample | None = field(default=None)

    @property
    def merges(self) -> bool:
        """Whether the views merge at these values."""
        return self.view is not None

    def __str__(self) -> str:
        at = values_text(self.values) or "no symbols"
        if self.counterexample is not None:
            told = str(self.counterexample).replace(f" with {values_text(self.values)}", "") if self.values else ""
            return f"{at}: {told or self.counterexample}"
        return f"{at}: " + (f"the views merge into {self.view}" if self.merges else "the sizes do not agree")

    def __hash__(self) -> int:
        return hash((tuple(self.values.items()), self.view))


def examples(conditions: ConditionsData, count: int, budget: Budget) -> tuple[Example, ...]:
    """See `Conditions.examples`."""
    if type(count) is not int or count < 1:
        raise InputError(f"examples({count!r}): give a number of examples from 1")
    budget, names = budget.started(), list(conditions.symbols())
    waiting = [(kind, _points(kind, conditions.facts, names, budget)) for kind in _kinds(conditions)]
    found: dict[Point, Example] = {}
    while waiting and len(found) < count:
        left = []
        for kind, points in waiting:
            point = next((p for p in points if p not in found), None) if len(found) < count else None
            if point is not None:
                found[point] = example_at(conditions, dict(zip(names, point, strict=True)), budget, kind.merges)
                left.append((kind, points))
        waiting = left
    if not found:
        budget.check()
    return tuple(found.values())


def example_at(
    conditions: ConditionsData, values: Mapping[str, int], budget: Budget, merges: bool | None = None
) -> Example:
    """What the views do at these values of all symbols, replayed in plain integers.

    Raises InternalError where it is not what is expected.
    """
    if not sizes_agree(conditions, values):
        return Example(dict(values))
    broken = break_at(conditions, values, budget)
    views = tuple([v.with_values(values) for v in conditions.views])
    merged = merge(*views, budget=budget) if broken is None else None
    found = Example(dict(values), views, merged or None, broken)
    if not _replays(found) or merges not in (None, found.merges):
        raise InternalError(f"{', '.join(map(str, views))}: conditions and integers disagree at {found}")
    return found


# Which values


class _Kind(NamedTuple):
    """What examples of one kind satisfy, and whether the views merge wherever they do; None where that is open."""

    formulas: tuple[Term, ...]
    merges: bool | None


def _kinds(conditions: ConditionsData) -> list[_Kind]:
    """The two sides of conditions in turn, one condition after the other, what is nearest to their edges first."""
    clauses = conditions.clauses
    if clauses is None:
        sides = [_of_case(c) for c in conditions.cases]
    else:
        fitting = [] if conditions.fitting is None else [conditions.fitting]
        whole = [_Kind(tuple(clauses), True), _Kind((*fitting, negated(conj(clauses))), False)]
        sides = [*(_of_clause(n, clauses) for n in range(len(clauses))), iter(whole)]
    kinds = [k for row in zip_longest(*sides) for k in row if k is not None and FALSE not in k.formulas]
    both = zip_longest([k for k in kinds if k.merges], [k for k in kinds if not k.merges])
    return [k for pair in both for k in pair if k is not None]


def _of_clause(n: int, clauses: Sequence[Term]) -> Iterator[_Kind]:
    """What breaks by the clause alone, just so and anyhow, and what holds by one of its alternatives alone."""
    clause = clauses[n]
    others = [c for m, c in enumerate(clauses) if m != n]
    for edge in (*_edges(clause, _FAILS), ()):
        yield _Kind((*others, negated(clause), *edge), False)
    for one in reversed(clause.args) if clause.op == "or" else ():  # equations stand behind sizes of 1
        yield _Kind((*clauses, one, *(negated(e) for e in clause.args if e != one)), True)


def _of_case(case: CaseData) -> Iterator[_Kind]:
    """The case at each of its ends and anywhere, with its equations, and with each of them just broken alone."""
    merges = {Status.ALWAYS: True, Status.WHEN: True, Status.UNDECIDED: None}.get(case.status, False)
    fails = None if merges is None else False
    for edge in (*_edges(case.where, _HOLDS), ()):
        yield _Kind((case.where, *edge, *(case.required if merges else ())), merges)
        for n, equation in enumerate(case.required if case.status in (Status.WHEN, Status.UNDECIDED) else ()):
            others = [e for m, e in enumerate(case.required) if m != n]
            for broken in (*_edges(equation, _FAILS), ()):
                yield _Kind((case.where, *edge, *others, negated(equation), *broken), fails)


_HOLDS = {"<=": 0, ">=": 0, "<": -1, ">": 1}  # how far the left side is above the right one where it just holds
_FAILS = {"<=": 1, ">=": -1, "<": 0, ">": 0, "==": 1}


def _edges(formula: Term, above: Mapping[str, int]) -> Iterator[tuple[Term, ...]]:
    """The equation of each comparison's edge."""
    for op, (left, right) in dict.fromkeys(comparisons(formula)):
        if op in above:
            yield (Term("==", (left, linear([(1, right)], above[op]))),)


def _points(kind: _Kind, facts: Sequence[Term], names: Sequence[str], budget: Budget) -> Iterator[Point]:
    """Values that satisfy the formulas: small positive ones, small ones, others that a solver finds."""
    formulas = [part for f in (*facts, *kind.formulas) for part in conjuncts(f)]
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


# Replay


def _replays(example: Example) -> bool:
    """Whether the composition, index by index, is what the example says."""
    views, broken = example.views, example.counterexample
    if example.view is not None:
        box = example.view.shape
        near = (unravel(n, box) for n in range(min(prod(box), _WALKED)))
        corners = islice(product(*({0, n - 1} for n in box)), _CORNERS) if 0 not in box else ()
        return all(compose_at(*views, index=i) == example.view.at(i) for i in chain(near, corners))
    if broken is None:
        return False
    try:
        got = compose_at(*views, index=broken.index)
    except OutOfBounds:
        return broken.kind is Kind.OUT_OF_BOUNDS
    if broken.kind is Kind.DISAGREE:
        return got == broken.got != broken.expected
    return (got is None) == (broken.kind is Kind.INVALID)
