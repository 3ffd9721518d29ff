"""Where a rule of programs holds at all values of the other names: small values of the named ones, from arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symview.errors import Undecided
from symview.logic.budget import Budget
from symview.logic.points import compiled
from symview.logic.terms import Term, num, sym
from symview.rules.programs.program import Rule
from symview.rules.programs.refuting import compared
from symview.rules.python_loops import Point

_WORK = 2_000_000  # of which an array takes some for each of its elements
_LOOKED_AT = 600  # values of all names together, for one point
_COST = 10  # work for each value that a statement would be tried at


class RuleLabels:
    """Points with what refutes the rule there, or None where nothing was found that does.

    Points at which no left side was defined so far are left out, and those at which little was tried.
    """

    def __init__(self, rule: Rule, named: Sequence[str], assumed: Sequence[Term], budget: Budget) -> None:
        self.rule, self.named, self.assumed, self.budget = rule, tuple(named), tuple(assumed), budget
        self.work = _WORK
        self.refuting: dict[Point, Point | None] = {}
        self._label(self.work)

    def add(self, point: Point, refuting: Point | None = None) -> bool:
        """Whether the point is new, or has got another label."""
        known, before = point in self.refuting, self.refuting.get(point)
        self.refuting[point] = self._looked_for(point) if refuting is None else refuting
        return not known or (before is None) != (self.refuting[point] is None)

    def widen(self) -> None:
        """Looks at more values."""
        self.work *= 2
        self._label(self.work)

    def outside(self) -> list[Point]:
        """The points at which the rule does not hold."""
        return [p for p, found in self.refuting.items() if found is not None]

    def swept(self, condition: Term, most: int) -> int | None:
        """The N up to which the condition is right, of values that are tried; None where a label is not as it says."""
        largest = self._label(most * _COST)
        holds = compiled(condition, self.named, "floor")
        if any(bool(holds(p)) is (found is not None) for p, found in self.refuting.items()):
            return None
        return largest

    def _label(self, work: int) -> int:
        """Labels the values that so much work allows; all up to the result are among them."""
        share, holding = self.budget.part(1, work), list[Point]()
        farthest, most, others = dict[int, int](), 1, False
        try:
            for values, refuted, free, instance in compared(self.rule, self.assumed, share):
                point, farthest[instance], most = self._point(values), sum(map(abs, free)), max(most, len(free))
                others = others or not values.keys() <= set(self.named)
                if refuted is not None:
                    self.refuting[point] = tuple(values.values())
                else:
                    holding.append(point)
        except Undecided:
            self.budget.check()
        least = min(farthest.values(), default=0)
        known = least // 2  # beyond, few values of the other names were tried
        for point in holding:
            if not others or sum(map(abs, point)) <= known:
                self.refuting.setdefault(point, None)
        tried = max(0, (least - 1) // most)
        return min(tried, known // len(self.named)) if others else tried

    def _point(self, values: Mapping[str, int]) -> Point:
        return tuple([values.get(n, 0) for n in self.named])

    def _looked_for(self, point: Point) -> Point | None:
        fixed = [Term("==", (sym(n), num(v))) for n, v in zip(self.named, point, strict=True)]
        tried = compared(self.rule, (*self.assumed, *fixed), self.budget, _LOOKED_AT)
        return next((tuple(values.values()) for values, refuted, *_ in tried if refuted is not None), None)
