"""Examples of conditions for tests: values on both sides of each condition, checked in integers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice, zip_longest
from typing import Any, NamedTuple

from symview.answers import CaseData, ConditionsData, Status
from symview.cases.question import Question
from symview.cases.zero_divisors import branches, in_condition, in_condition_at, pushed
from symview.counterexample import Counterexample, values_text
from symview.displayed import Displayed
from symview.errors import InputError, InternalError, NotSupported, Undecided
from symview.logic.budget import Budget
from symview.logic.points import Function, all_hold, bounds_of, by_size
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
    node_count,
    nonzero_divisors,
    num,
    sym,
)

_NEAR = 1_500  # points tried for each kind of example, once positive and once any, before the solver
_STEPS = 10  # budget steps for each of them, and for each node of a formula that is compiled
_ASKED = 4  # further ones that the solver has to find
Point = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Example(Displayed):
    """Values of the symbols, and the answer by integers alone.

    `question` is the question for these numbers. `answer` is the view or layout that answers it; otherwise
    `counterexample` says why there is none. Both are None if the question makes no sense, such as a reshape to another
    number of elements.
    """

    values: Mapping[str, int]
    question: Question[Any]
    answer: Any = None
    counterexample: Counterexample | None = None

    @property
    def holds(self) -> bool:
        """Whether the conditions hold at these values."""
        return self.answer is not None

    @property
    def view(self) -> Any:
        """The answer, for views."""
        return self.answer

    @property
    def layout(self) -> Any:
        """The answer, for layouts."""
        return self.answer

    def __str__(self) -> str:
        at = values_text(self.values) or "no symbols"
        return f"{at}: {self.question.example_text(self.answer, self.counterexample)}"

    def __hash__(self) -> int:
        return hash((frozenset(self.values.items()), self.question))


def example_at(
    question: Question[Any], values: Mapping[str, int], budget: Budget, stated: Any = None, holds: bool | None = None
) -> Example:
    """The answer by integers at these values of all symbols.

    Raises InternalError if the conditions disagree: `stated` is their answer, `holds` says whether they hold.
    """
    there = question.put(values)
    if not question.fits(values):
        return Example(dict(values), there)
    found = question.at(values, budget)
    broken = found if isinstance(found, Counterexample) else None
    example = Example(dict(values), there, found if broken is None else None, broken)
    if holds not in (None, example.holds) or not question.is_right(values, found, stated, budget):
        raise InternalError(f"{question}: conditions and integers disagree at {example}")
    return example


class Kind(NamedTuple):
    """The formulas that examples of one kind satisfy, and whether the conditions then hold; None if that is open."""

    formulas: tuple[Term, ...]
    holds: bool | None


def examples_of(
    conditions: ConditionsData,
    facts: Sequence[Term],
    names: Sequence[str],
    count: int,
    budget: Budget,
    at: Callable[[Mapping[str, int], bool | None], Example],
) -> tuple[Example, ...]:
    """Up to `count` examples of distinct values, taking the kinds in turn; undecided ones are skipped.

    Values satisfy the facts; conditions say no where they divide by 0, as `in_condition` reads them.
    """
    if type(count) is not int or count < 1:
        raise InputError(f"examples({count!r}): give a number of examples from 1")
    found = dict[Point, Example]()
    tried = set[Point]()
    search = _Search(tuple(facts), tuple(names), budget)
    waiting = [(kind, search.points(kind.formulas)) for kind in _kinds(conditions, facts)]
    while waiting and len(found) < count and not budget.is_over():
        left = []
        for kind, near in waiting:
            if len(found) == count or budget.is_over():
                break
            point = next((p for p in near if p not in tried), None)
            if point is not None:
                tried.add(point)
                with suppress(Undecided, NotSupported):
                    found[point] = at(dict(zip(names, point, strict=True)), kind.holds)
                left.append((kind, near))
        waiting = left
    if not found:
        budget.check()
    return tuple(found.values())


def _kinds(conditions: ConditionsData, facts: Sequence[Term]) -> list[Kind]:
    """The two sides of each condition, alternating, those nearest to an edge first; then what no case covers."""
    clauses = conditions.clauses
    if clauses is None:
        return [*_in_turn(_of_case(c, conditions.covers) for c in conditions.cases), *_outside(conditions, facts)]
    fitting = [] if conditions.fitting is None else [conditions.fitting]
    whole = [Kind(tuple(clauses), True), Kind((*fitting, _not(conj(clauses))), False)]
    return _in_turn([*(_of_clause(n, clauses) for n in range(len(clauses))), iter(whole)])


def _in_turn(sides: Iterable[Iterator[Kind]]) -> list[Kind]:
    """Interleaves: the first of each side, then the second, and so on; kinds that hold alternate with others."""
    found = [k for row in zip_longest(*sides) for k in row if k is not None and FALSE not in k.formulas]
    both = zip_longest([k for k in found if k.holds], [k for k in found if not k.holds])
    return [k for pair in both for k in pair if k is not None]


def _of_clause(n: int, clauses: Sequence[Term]) -> Iterator[Kind]:
    """Kinds that fail only this clause, at its edge or anywhere, and kinds that hold by one alternative of it alone."""
    clause = clauses[n]
    others = [c for m, c in enumerate(clauses) if m != n]
    for edge in (*_edges(clause, _FAILS), ()):
        yield Kind((*others, _not(clause), *edge), False)
    for one in reversed(clause.args) if clause.op == "or" else ():  # equations come after sizes of 1
        yield Kind((*clauses, one, *(_not(e) for e in clause.args if e != one)), True)


def _outside(conditions: ConditionsData, facts: Sequence[Term]) -> list[Kind]:
    """The kind in no case that holds, if the cases do not cover all values, at least not where a divisor is 0."""
    held = [c.place() for c in conditions.cases if c.status in (Status.ALWAYS, Status.WHEN)]
    if conditions.covers and set(facts).issuperset(nonzero_divisors(held)):
        return []
    open_ = [negated(c.place()) for c in conditions.cases if c.status is Status.UNDECIDED]
    return [Kind((*open_, *map(_not, held)), False)]


def _of_case(case: CaseData, covers: bool) -> Iterator[Kind]:
    """The case at each of its edges and anywhere, with its equations, or with just one of them broken.

    If the cases do not cover all values, another case may hold where an equation is broken.
    """
    holds = {Status.ALWAYS: True, Status.WHEN: True, Status.UNDECIDED: None}.get(case.status, False)
    fails = None if holds is None or not covers else False
    for edge in (*_edges(case.where, _HOLDS), ()):
        yield Kind((case.where, *edge, *(case.required if holds or not covers else ())), holds)
        for n, equation in enumerate(case.required if case.status in (Status.WHEN, Status.UNDECIDED) else ()):
            others = [e for m, e in enumerate(case.required) if m != n]
            for broken in (*_edges(equation, _FAILS), ()):
                yield Kind((case.where, *edge, *others, _not(equation), *broken), fails)


_HOLDS = {"<=": 0, ">=": 0, "<": -1, ">": 1}  # left side minus right side at the last value at which it holds
_FAILS = {"<=": 1, ">=": -1, "<": 0, ">": 0, "==": 1}


def _edges(formula: Term, above: Mapping[str, int]) -> Iterator[tuple[Term, ...]]:
    """For each comparison, the equation of its edge."""
    for op, (left, right) in dict.fromkeys(comparisons(formula)):
        if op in above:
            yield (Term("==", (left, linear([(1, right)], above[op]))),)


@dataclass(frozen=True)
class _Search:
    """Values of the names that satisfy the facts, and formulas of a kind."""

    facts: tuple[Term, ...]
    names: tuple[str, ...]
    budget: Budget
    functions: dict[Term, Function] = field(default_factory=dict)

    def points(self, wanted: Sequence[Term]) -> Iterator[Point]:
        """Values that satisfy the formulas: small positive ones, small ones, then others from the solver."""
        found = dict[Point, None]()
        for point in self._small(wanted):
            found[point] = None
            yield point
        try:
            at = [*branches(self.facts, [conj(wanted)], (in_condition,), self.budget, lambda said: FALSE in said)]
        except Undecided:
            return
        positive = [Term(">=", (sym(n), num(1))) for n in self.names]
        for more in (*[positive] * _ASKED, ()):
            for there in at:
                others = [disj(Term("!=", (sym(n), num(v))) for n, v in zip(self.names, p, strict=True)) for p in found]
                formulas = [*there.facts, *map(pushed, there.formulas), *more, *others]
                answer = solve(formulas, self.budget.at_most(HINT))
                if isinstance(answer, Sat):
                    point = tuple([answer.model.get(n, 1) for n in self.names])
                    found[point] = None
                    yield point
                    break

    def _small(self, wanted: Sequence[Term]) -> Iterator[Point]:
        """Small values that satisfy the formulas, positive ones first."""
        tests = [self._function(f) for f in wanted]
        ranges = bounds_of([part for f in (*self.facts, *wanted) for part in conjuncts(pushed(f))], self.names)
        positive = [(low, high) if high is not None and high < 1 else (max(low or 1, 1), high) for low, high in ranges]
        for point in chain.from_iterable(islice(by_size(box), _NEAR) for box in (positive, ranges)):
            self.budget.count(_STEPS)
            if self.budget.is_over():
                return
            if self._allowed(point) and all_hold(tests, point):
                yield point

    @cached_property
    def _allowed(self) -> Function:
        return in_condition_at(conj([*nonzero_divisors(self.facts), *self.facts]), self.names)

    def _function(self, formula: Term) -> Function:
        """The formula as a function of the values, compiled once for all kinds."""
        if formula not in self.functions:
            self.functions[formula] = in_condition_at(formula, self.names)
            self.budget.count(_STEPS * node_count(formula))
        return self.functions[formula]


def _not(formula: Term) -> Term:
    """The negation, not yet of the comparisons: that is another formula where one of them divides by 0."""
    return Term("not", (formula,))
