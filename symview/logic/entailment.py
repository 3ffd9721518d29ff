"""What is known of the symbols of a query, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from symview.logic.budget import DEFAULT, Budget
from symview.logic.known_points import KnownPoints
from symview.logic.points import true_at
from symview.logic.solve import REMARK, Open, Sat, Unsat, is_linear, solve
from symview.logic.terms import FALSE, TRUE, Term, conjuncts, names, negated

_PATIENCE, _MORE = 12, 3  # questions that stay open
_STEPS, _OF_PART = 300, 10  # of work for each question and each part of it, beside what solvers do


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
        self.points = KnownPoints(self.facts, tuple(near), budget)
        self.budget.count_for_all(self.points.worked())
        self.answers: dict[tuple[Term, ...], bool] = {}
        self.refuted: list[frozenset[Term]] = budget.kept("refuted", list)  # formulas of which no integers satisfy all
        self.patience = _PATIENCE
        self.there = (-1, 0)  # of how many points, which satisfy the facts

    def implies(self, formula: Term) -> bool:
        """Whether the formula is proved to hold wherever the facts do."""
        if formula.op == "and":
            return all(map(self.implies, formula.args))
        return formula == TRUE or self.impossible(Term("not", (formula,)))

    def impossible(self, *formulas: Term) -> bool:
        """Whether it is proved that the facts leave no integers that satisfy the formulas; not beyond the budget."""
        if self.budget.is_over():
            return False
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
        more.refuted = self.refuted
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
        parts = {part for f in formulas for part in (f, *conjuncts(f))}
        self.budget.count(_STEPS)
        self.budget.count_for_all(_OF_PART * len(parts))
        if FALSE in self.said or FALSE in parts:
            return True
        for opposite in map(negated, parts):
            if opposite in self.said or opposite in parts:
                return True
        return not self._where(formulas) and self._proved(formulas)

    def _where(self, formulas: Sequence[Term]) -> int:
        """The points known at which the facts and the formulas hold."""
        if self.there[0] != len(self.points.points):
            self.there = len(self.points.points), self.points.where(*self.facts)
        found = self.points.where(*formulas) & self.there[1]
        self.budget.count(self.points.worked())
        return found

    def _proved(self, formulas: Sequence[Term]) -> bool:
        """Whether a solver, or one of its earlier answers, refutes the formulas beside the facts; not where tired."""
        if self.is_tired():
            return False
        asked = (*_related(self.facts, names(*formulas)), *formulas)
        parts = frozenset(part for f in asked for part in conjuncts(f))
        if any(r <= parts for r in self.refuted):
            return True
        if self.points.search(asked):
            return False
        patience = self.budget.part(1, max(self.budget.work >> self.points.open, 1 + self.budget.work // 16))
        answer = solve(asked, patience)
        linear = [f for f in asked if is_linear(f)] if isinstance(answer, Open) else []
        if 0 < len(linear) < len(asked) and isinstance(solve(linear, patience), Unsat):
            answer, parts = Unsat(), frozenset(part for f in linear for part in conjuncts(f))
        self.points.open += isinstance(answer, Open)
        if isinstance(answer, Sat):
            self.points.found(answer.model)
        elif isinstance(answer, Unsat):
            self.refuted.append(parts)
        return isinstance(answer, Unsat)


def _brief(budget: Budget) -> Budget:
    """For questions that simplify; small values have been tried before a solver is asked."""
    return replace(budget.at_most(REMARK), points=1)


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
