"""Which cases of symbolic inner strides any values of the symbols reach."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice

from symview.engine.open_map import Point
from symview.logic.budget import Budget
from symview.logic.points import Function, bounds_of, by_size, compiled
from symview.logic.solve import PATIENT, is_impossible
from symview.logic.terms import Term, names
from symview.symbolic.open_inner import OpenInner

_POINTS, _NEAR = 50, 3_000


class Reach:
    """Values of the symbols, tried before a solver is asked, as that is slow where symbols are multiplied."""

    def __init__(self, opened: OpenInner, facts: Sequence[Term], budget: Budget) -> None:
        self.opened, self.facts, self.budget = opened, tuple(facts), budget
        self.names = names(*opened.meaning)
        own = [f for f in facts if set(names(f)) <= set(self.names)]
        self.tests = [compiled(f, self.names, "floor") for f in own]
        self.tied = any(not set(names(f)).isdisjoint(self.names) for f in facts if f not in own)
        self.ranges = bounds_of([f for f in own if len(names(f)) == 1], self.names)

    def is_possible(self, where: Term, points: Iterable[Point] = ()) -> bool:
        """Whether the facts leave values at which this is true, or it is not known that they leave none.

        `points`: values of the unknowns that are worth trying.
        """
        if not self.tied:
            run = compiled(where, self.names, "floor")
            if any(self._holds(values, run) for values in self._values(points)):
                return True
        if self.opened.is_plain():
            return not is_impossible([*self.facts, where], self.budget)
        brief = self.budget.at_most(PATIENT)
        return not is_impossible([*self.facts, where], brief)

    def _values(self, points: Iterable[Point]) -> Iterator[Sequence[int]]:
        if self.opened.is_plain():
            yield from (p for p in islice(points, _POINTS) if self._holds(p, *self.tests))
        else:
            yield from self._near

    @cached_property
    def _near(self) -> list[Sequence[int]]:
        """Small values of the symbols that the facts allow."""
        return [v for v in islice(by_size(self.ranges), _NEAR) if self._holds(v, *self.tests)]

    @staticmethod
    def _holds(values: Sequence[int], *tests: Function) -> bool:
        try:
            return all(test(values) for test in tests)
        except ZeroDivisionError:
            return False
