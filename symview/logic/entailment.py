"""What is known of the symbols of a query, and what follows from it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from symview.logic.budget import DEFAULT, Budget
from symview.logic.points import Function, compiled, true_at
from symview.logic.solve import REMARK, Open, Sat, Unsat, solve
from symview.logic.terms import FALSE, TRUE, Term, conjuncts, names, negated, nonzero_divisors, value_of

_PATIENCE, _MORE = 12, 3  # questions that stay open
_STEPS = 300  # of work for each question, beside what solvers do
_SAMPLES = 240
_KEPT = 100


class Entailment:
    """Facts about integers. What it says is proved; where it is silent, nothing is known.

    Points at which the facts hold are kept: most questions are settled by one of them, without a
    solver. `near`: comparisons that questions will be about; the points are
    chosen so that some satisfy each, and some do not.

    >>> from symview.logic.notation import parse_statement
    >>> known = Entailment([parse_statement("a >= 1"), parse_statement("b >= 1")])
    >>> known.implies(parse_statement("a*b >= a")), known.implies(parse_statement("a*b > a"))
    (True, False)
    """

    def __init__(self, facts: Iterable[Term], budget: Budget = DEFAULT, near: Iterable[Term] = ()) -> None:
        self.facts = tuple(dict.fromkeys(facts))
        self.said = frozenset(part for f in self.facts for part in (f, *conjuncts(f)))
        self.budget = _brief(budget)
        self.points = _Points(self.facts, tuple(near), budget.seed)
        self.answers: dict[tuple[Term, ...], bool] = {}
        self.patience = _PATIENCE
        self.there = (-1, 0)  # of how many points, which satisfy the facts

    def implies(self, formula: Term) -> bool:
        """Whether the formula is proved to hold wherever the facts do."""
        if formula.op == "and":
            return all(map(self.implies, formula.args))
        return formula == TRUE or self.impossible(Term("not", (formula,)))

    def impossible(self, *formulas: Term) -> bool:
        """Whether it is proved that the facts leave no integers that satisfy the formulas."""
        if formulas not in self.answers:
            self.answers[formulas] = self._settled(formulas)
        return self.answers[formulas]

    def seen(self, *formulas: Term) -> bool:
        """Whether a point is known at which the facts and the formulas hold."""
        return self._where(formulas) != 0

    def try_points(self, points: Iterable[Mapping[str, int]]) -> None:
        """Keeps those of the points, of all its symbols, at which the facts hold: they may settle questions."""
        for point in points:
            if true_at(self.facts, point):
                self.points.add(point)

    def is_tired(self) -> bool:
        """Whether too many questions stayed open: then points alone answer, and no solver is asked any more."""
        return self.points.open >= self.patience

    def also(self, *facts: Term) -> Entailment:
        """The same, and more facts."""
        more = object.__new__(Entailment)
        new = [f for f in dict.fromkeys(facts) if f not in self.said]
        more.facts, more.said = (*self.facts, *new), self.said.union(*((f, *conjuncts(f)) for f in new))
        more.budget, more.points, more.there, more.patience = self.budget, self.points, (-1, 0), self.patience
        more.answers = {formulas: True for formulas, answer in self.answers.items() if answer}
        return more

    def renewed(self, budget: Budget) -> Entailment:
        """The same for another question."""
        same = self.also()
        same.budget = _brief(budget)
        return same

    def glance(self) -> Entailment:
        """The same without solvers: what is said, and what points refute."""
        same = self.also()
        same.patience = 0
        return same

    def patient(self, budget: Budget) -> Entailment:
        """The same for a part of the question that is worth more questions that stay open."""
        same = self.renewed(budget)
        same.patience = _PATIENCE + _MORE
        return same

    def _settled(self, formulas: Sequence[Term]) -> bool:
        self.budget.count(_STEPS)
        parts = {part for f in formulas for part in (f, *conjuncts(f))}
        if FALSE in self.said or FALSE in parts:
            return True
        for opposite in map(negated, parts):
            if opposite in self.said or opposite in parts:
                return True
        return not self._where(formulas) and not self.budget.is_over() and self._proved(formulas)

    def _where(self, formulas: Sequence[Term]) -> int:
        """The points known at which the facts and the formulas hold."""
        if self.there[0] != len(self.points.points):
            self.there = len(self.points.points), self.points.where(*self.facts)
        return self.points.where(*formulas) & self.there[1] & self.points.alive

    def _proved(self, formulas: Sequence[Term]) -> bool:
        if self.is_tired():
            return False
        patience = self.budget.part(1, max(self.budget.work >> self.points.open, 1 + self.budget.work // 16))
        answer = solve((*_related(self.facts, names(*formulas)), *formulas), patience)
        self.points.open += isinstance(answer, Open)
        if isinstance(answer, Sat):
            self.points.add(answer.model)
        return isinstance(answer, Unsat)


def _brief(budget: Budget) -> Budget:
    """For questions that simplify; small values have been tried before a solver is asked."""
    return replace(budget.at_most(REMARK), points=1)


class _Points:
    """Points, and as bits of one integer which of them satisfy a formula."""

    def __init__(self, facts: tuple[Term, ...], near: tuple[Term, ...], seed: int) -> None:
        self.names = names(*facts, *near)
        self.points: list[tuple[int, ...]] = []
        self.open = 0  # questions that stayed open: the more there were, the less is spent on the next
        self.alive = 0  # points at which no divisor met so far is 0
        self.holding: dict[Term, tuple[int, int]] = {}  # of how many points, which
        self.functions: dict[Term, Function] = {}
        holds = _reader(facts, self.names)
        for point in _candidates(self.names, near, seed):
            if holds(point):
                self.add(point)
                if len(self.points) == _KEPT:
                    break

    def add(self, point: Mapping[str, int]) -> None:
        """One more point; what it says nothing of is as at the first point."""
        first = dict(zip(self.names, self.points[0], strict=True)) if self.points else {}
        found = {**first, **point}
        if all(n in found for n in self.names):
            self.alive |= 1 << len(self.points)
            self.points.append(tuple([found[n] for n in self.names]))

    def where(self, *formulas: Term) -> int:
        """The points that satisfy all the formulas; none where these have other symbols."""
        found = -1
        for formula in formulas:
            found &= self._holds(formula)
            if not found & self.alive:
                return 0
        return found & self.alive

    def _holds(self, formula: Term) -> int:
        op, args = formula
        if op == "and":
            found = -1
            for a in args:
                found &= self._holds(a)
            return found
        if op == "or":
            found = 0
            for a in args:
                found |= self._holds(a)
            return found
        if op == "not":
            return ~self._holds(args[0])
        return -1 if formula == TRUE else 0 if formula == FALSE else self._atom(formula)

    def _atom(self, formula: Term) -> int:
        count, found = self.holding.get(formula, (0, 0))
        if count < len(self.points):
            if not set(names(formula)) <= set(self.names):
                return 0
            run = self.functions.setdefault(formula, compiled(formula, self.names, "floor"))
            for n in range(count, len(self.points)):
                try:
                    found |= bool(run(self.points[n])) << n
                except ZeroDivisionError:
                    self.alive &= ~(1 << n)
            self.holding[formula] = (len(self.points), found)
        return found


def _reader(facts: tuple[Term, ...], wanted: Sequence[str]) -> Callable[[Mapping[str, int]], bool]:
    """`true_at` of these facts, compiled where nothing is divided by what may be 0."""
    if nonzero_divisors(facts):
        return lambda point: true_at(facts, point)
    parts = [compiled(f, wanted, "floor") for f in facts]

    def holds(point: Mapping[str, int]) -> bool:
        values = [point[n] for n in wanted]
        return all(part(values) for part in parts)

    return holds


def _candidates(wanted: Sequence[str], near: Sequence[Term], seed: int) -> Iterator[dict[str, int]]:
    """Small values, 1 and equal ones among them, and values that satisfy some of the comparisons."""
    rng = random.Random(seed)
    equations = [e for e in dict.fromkeys(near) if e.op == "==" and e.args[0].op == "sym"]
    equations.sort(key=lambda e: not names(e.args[1]))  # what they are used in comes after them, read backwards
    for n in range(_SAMPLES):
        low, high = ((1, 2), (1, 3), (2, 6), (2, 9), (0, 4), (-4, 9))[n % 6]
        point = {name: rng.randint(low, high) for name in wanted}
        used = (0.0, 0.2, 0.5, 0.8)[n % 4]
        for equation in reversed(equations):
            if rng.random() < used:
                try:
                    point[equation.args[0].args[0]] = int(value_of(equation.args[1], point))
                except ZeroDivisionError:
                    continue
        yield point


def _related(facts: Sequence[Term], wanted: Iterable[str]) -> list[Term]:
    """The facts about these symbols, and about those that the facts tie them to."""
    reached = set(wanted)
    left, found = list(facts), list[Term]()
    while True:
        near = [f for f in left if not names(f) or reached.intersection(names(f))]
        if not near:
            return found
        found += near
        left = [f for f in left if f not in near]
        reached.update(names(*near))
