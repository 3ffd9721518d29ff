"""What is known of the symbols of a query, and what follows from it."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace

from symview.engine import nonlinear
from symview.engine.budget import DEFAULT, Budget
from symview.engine.smt import Answer, Open, Sat, Unsat
from symview.engine.terms import Term, names, value_of
from symview.errors import InputError, NotSupported
from symview.proof.index import remove_divisions
from symview.proof.statement import Formula

_WORK = 3_000_000  # for one question; simplifying asks many, and may go without an answer
_SAMPLES = 200
_KEPT = 24


class Knowledge:
    """Facts about integers. What it says is proved; where it is silent, nothing is known.

    Points at which the facts hold are kept: most questions are settled by one of them, without a
    solver.

    >>> from symview.symbols import parse_statement
    >>> known = Knowledge([parse_statement("a >= 1"), parse_statement("b >= 1")])
    >>> known.implies(parse_statement("a*b >= a")), known.implies(parse_statement("a*b > a"))
    (True, False)
    """

    def __init__(self, facts: Iterable[Term], budget: Budget = DEFAULT) -> None:
        self.facts = tuple(dict.fromkeys(facts))
        self.budget = replace(budget, work=min(budget.work, _WORK))
        self.points = _points(self.facts, budget.seed)
        self.answers: dict[tuple[Term, ...], bool] = {}

    def implies(self, formula: Term) -> bool:
        """Whether the formula is proved to hold wherever the facts do."""
        return self.impossible(Term("not", (formula,)))

    def impossible(self, *formulas: Term) -> bool:
        """Whether it is proved that the facts leave no integers that satisfy the formulas."""
        if formulas not in self.answers:
            self.answers[formulas] = not self._seen(formulas) and self._proved(formulas)
        return self.answers[formulas]

    def also(self, *facts: Term) -> Knowledge:
        """The same, and more facts."""
        more = Knowledge((), self.budget)
        more.facts = tuple(dict.fromkeys((*self.facts, *facts)))
        more.budget = self.budget
        more.points = [p for p in self.points if _true_at(facts, p)]
        return more

    def _keep(self, point: dict[str, int]) -> None:
        """One more point; what it says nothing of is taken from a point that is known."""
        for other in self.points[:1]:
            point = {**other, **point}
        if all(n in point for n in names(*self.facts)) and _true_at(self.facts, point):
            self.points.append(point)

    def _seen(self, formulas: Sequence[Term]) -> bool:
        """Whether a known point satisfies the formulas; symbols that it does not have are tried at a few values."""
        return any(_true_at(formulas, p) for p in self._wide_points(names(*formulas)))

    def _wide_points(self, wanted: Sequence[str]) -> Iterable[dict[str, int]]:
        rng = random.Random(0)
        for point in self.points:
            missing = [n for n in wanted if n not in point]
            yield {**point, **{n: rng.randint(-3, 6) for n in missing}} if missing else point

    def _proved(self, formulas: Sequence[Term]) -> bool:
        answer = settle((*_related(self.facts, names(*formulas)), *formulas), self.budget)
        if isinstance(answer, Sat) and len(self.points) < 10 * _KEPT:
            self._keep(dict(answer.model))
        return isinstance(answer, Unsat)


def settle(formulas: Sequence[Term], budget: Budget) -> Answer:
    """Whether integers satisfy the formulas, products and divisions among them."""
    try:
        removed = remove_divisions([Formula(f, "floor", "") for f in formulas], names(*formulas))
        answer = nonlinear.decide((*removed.formulas, *removed.facts()), budget)
    except (InputError, NotSupported) as error:
        return Open(str(error))
    if isinstance(answer, Sat):
        model = {n: answer.model.get(n, 0) for n in names(*formulas)}
        return Sat(model) if _true_at(formulas, model) else Open("a model divides by 0")
    return answer


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


def _points(facts: Sequence[Term], seed: int) -> list[dict[str, int]]:
    """A few small values at which the facts hold, 1 and equal values among them."""
    rng = random.Random(seed)
    wanted = names(*facts)
    found = []
    for n in range(_SAMPLES):
        low, high = ((1, 1), (1, 3), (2, 6), (0, 4), (-4, 9))[n % 5]
        point = {name: rng.randint(low, high) for name in wanted}
        if _true_at(facts, point):
            found.append(point)
            if len(found) == _KEPT:
                break
    return found


def _true_at(formulas: Iterable[Term], point: dict[str, int]) -> bool:
    try:
        return all(value_of(f, point) for f in formulas)
    except ZeroDivisionError:
        return False
