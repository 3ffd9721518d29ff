"""Small values of the named symbols, each labelled: does the statement hold there for all values of the others?"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from math import prod
from random import Random

from symview.errors import Undecided
from symview.logic.budget import Budget
from symview.logic.points import Range, bounds_of
from symview.logic.solve import HINT, Sat, is_impossible, solve
from symview.logic.terms import TRUE, Term, conj, num, substituted, sym
from symview.proof.prover import prove
from symview.proof.verdicts import Verdict
from symview.rules.premises.conjectures import Corners
from symview.rules.premises.proofs import implied, proof_budget, terms_over
from symview.rules.premises.question import Question, integer_question
from symview.rules.programs.any_rank import instances
from symview.rules.programs.at_numbers import compared
from symview.rules.programs.meaning import entries
from symview.rules.programs.program import Rule
from symview.rules.programs.proving import EmptyRule, prove_rule
from symview.rules.python_loops import Finder, Point, evaluator, partial_function

_NEAR_POINTS, _FAR_POINTS, _VALUES_OF_OTHERS, _VALUES_FROM_POINT = 300, 80, 500, 520
_MAX_GRID = 3_000  # combinations of values from which points are chosen
_MAX_WRONG_POINTS = 8  # points at which a condition is wrong, before the next is conjectured
_MAX_SOLVED = 400  # points without a refutation at which a solver is asked
_MAX_BOUND = 100  # values are enumerated up to this
_WORK_PER_VALUE = 2  # budget steps for one point, roughly
_WORK_ON_ARRAYS = 2_000_000  # budget of a sweep over arrays; each element costs some
_VALUES_PER_POINT = 600  # values of all names together, for one point
_WORK_PER_SWEPT_VALUE = 10  # budget steps for each value at which a statement would be tried


class Labels(ABC):
    """Points with the values that refute the statement there, or None if none were found.

    A point with a refutation is refuted for certain; a point without one may still be refuted by larger values of the
    others. `named` are the symbols of the premise, which may use their terms in `stated`. `questions` are statements
    about integers that follow from the statement: one, or one for each rank that has to be examined.
    """

    corners: Corners | None = None
    own: Term | None = None  # the statement, if it is about the named symbols alone: the answer if none is simpler

    def __init__(self, named: Sequence[str], stated: Sequence[Term], questions: Sequence[Question], budget: Budget):
        self.named, self.stated, self.questions, self.budget = tuple(named), stated, questions, budget
        self.division = questions[0].division
        self.refuting: dict[Point, Point | None] = {}

    def add(self, point: Point, refuting: Point | None = None) -> bool:
        """Whether the point is new, or its label changed."""
        known, before = point in self.refuting, self.refuting.get(point)
        self.refuting[point] = self.looked_for(point) if refuting is None else refuting
        return not known or (before is None) != (self.refuting[point] is None)

    def outside(self) -> list[Point]:
        """The points where the statement fails."""
        return [p for p, found in self.refuting.items() if found is not None]

    def allows(self, point: Point) -> bool:
        """Whether the assumptions allow the other symbols any values at the point, as far as is known."""
        values = dict(zip(self.named, map(num, point), strict=True))
        of_point = [substituted(f, values) for q in self.questions for f in (*q.given, *q.context)]
        return not is_impossible(of_point, self.budget)

    @abstractmethod
    def follows(self, condition: Term, share: int) -> Verdict:
        """Whether the statement follows from one alternative of a condition, with this share of the budget."""

    @abstractmethod
    def looked_for(self, point: Point) -> Point | None:
        """Values that refute the statement at the point; None if none are found."""

    @abstractmethod
    def widen(self) -> None:
        """Tries more values of the others."""

    @abstractmethod
    def swept(self, condition: Term, most: int) -> int | None:
        """The N up to which the condition is right, trying at most so many values; None if it is wrong.

        If it is wrong, labels were added.
        """


class StatementLabels(Labels):
    """Labels of a statement about integers."""

    def __init__(
        self, question: Question, budget: Budget, box: int = _VALUES_OF_OTHERS, near: int = _VALUES_FROM_POINT
    ) -> None:
        """`box` and `near`: how many values of the others are tried, small ones and ones made from the point."""
        super().__init__(question.named, question.formulas(), [question], budget)
        self.question, self.box_size, self.near_size = question, box, near
        if question.is_named(question.claim):
            self.own = question.claim
        else:
            self.corners = Corners(question, budget)
        self._find = Finder(question.refuted(), question.named, question.others, question.division)
        self._is_given = partial_function(conj(question.given), question.named, question.division)
        pool = [term for term, _ in terms_over(question.named, question.numbers())]
        self._made_from = evaluator(pool, question.named, question.division)
        self._box = self._values_of_others()
        self._near_points: set[Point] = set()
        self._solvable = _MAX_SOLVED
        for point in self._points():
            self.add(point)

    def follows(self, condition: Term, share: int) -> Verdict:
        """Whether the assumptions and the condition imply the claim."""
        question = self.question
        given = (*question.given, *question.context)
        return implied(condition, question.claim, given, question, self.budget, share)

    def widen(self) -> None:
        """Tries twice as many values of the others at points without a refutation, and a solver.

        Distant points without one are dropped: values that refute the statement there may be out of reach.
        """
        self.box_size, self.near_size = 2 * self.box_size, 2 * self.near_size
        self._box, self._solvable = self._values_of_others(), _MAX_SOLVED
        for point in [p for p, found in self.refuting.items() if found is None]:
            del self.refuting[point]
            if point in self._near_points:
                found = self.looked_for(point)
                self.refuting[point] = self._solved(point) if found is None else found
        self._solvable = _MAX_SOLVED

    def looked_for(self, point: Point) -> Point | None:
        """Values of the others that refute the statement at the point; None if none are found."""
        self.budget.spend(_WORK_PER_VALUE * len(self._box))
        found = self._find.first(point, self._box)
        return self._find.first(point, self._near(point)) if found is None and self.question.others else found

    def _solved(self, point: Point) -> Point | None:
        """Values of the others that refute the statement at the point, by a solver; None if it finds none."""
        others = self.question.others
        if not others or self._solvable == 0:
            return None
        self._solvable -= 1
        by = dict(zip(self.named, map(num, point), strict=True))
        answer = solve([substituted(self.question.refuted(), by)], self.budget.at_most(HINT))
        return tuple([answer.model.get(n, 0) for n in others]) if isinstance(answer, Sat) else None

    def allowed(self, points: Iterable[Point]) -> Iterator[Point]:
        """The points that the assumptions allow."""
        for point in points:
            self.budget.spend(_WORK_PER_VALUE)
            if self._is_given(point):
                yield point

    def swept(self, condition: Term, most: int) -> int | None:
        """Checks all named symbols up to N in absolute value.

        If the condition holds, no values of the others up to N refute the statement; if not, some values do.
        """
        question = self.question
        ranges = bounds_of((*question.given, *question.context), (*question.named, *question.others))
        bound = _bound(ranges, len(question.named), most)
        boxes = [_up_to(bound, r) for r in ranges]
        others, wrong = list(product(*boxes[len(question.named) :])), 0
        truth = partial_function(condition, question.named, question.division)
        for point in self.allowed(product(*boxes[: len(question.named)])):
            self.budget.spend(_WORK_PER_VALUE * len(others))
            holds, known = truth(point), self.refuting.get(point)
            refuting = known
            if known is None:
                refuting = self._find.first(point, others) if holds else self.looked_for(point)
                if refuting is None and not holds:
                    refuting = self._solved(point)  # a wrong label would refute the right condition
            if holds is None or holds is (refuting is not None):
                self.refuting[point] = refuting
                wrong += 1
                if wrong == _MAX_WRONG_POINTS:
                    break
        return None if wrong else bound

    def _near(self, point: Point) -> list[Point]:
        """Values of the others that are made from the point."""
        values, wide = list(dict.fromkeys(self._made_from(point))), len(self.question.others)
        most = int(self.near_size ** (1 / wide))
        return list(product(values[:most] if wide > 1 else values, repeat=wide))

    def _points(self) -> Iterator[Point]:
        """Small values that the assumptions allow, the smallest first, and some distant ones."""
        ranges = bounds_of(self.question.given, self.question.named)
        near = _grid(ranges, _MAX_GRID, self.question.numbers())
        self._near_points = set(islice(self.allowed(sorted(product(*near), key=_size)), _NEAR_POINTS))
        yield from sorted(self._near_points, key=_size)
        rng = Random(self.budget.seed)
        far = [_first(r, 4 * len(values)) for r, values in zip(ranges, near, strict=True)]
        drawn = (tuple(rng.choice(f) for f in far) for _ in range(4 * _FAR_POINTS if all(far) else 0))
        yield from islice(self.allowed(drawn), _FAR_POINTS)

    def _values_of_others(self) -> list[Point]:
        ranges = bounds_of(self.question.context, self.question.others)
        return sorted(product(*_grid(ranges, self.box_size, self.question.numbers())), key=_size)


class RuleLabels(Labels):
    """Labels of a rule of programs, found by comparing arrays.

    Points where no left side was defined so far, or too few values were tried, get no label.
    """

    def __init__(
        self, rule: Rule, named: Sequence[str], assumed: Sequence[Term], budget: Budget, work: int = _WORK_ON_ARRAYS
    ) -> None:
        questions = [
            integer_question(rank, given, tuple(named), budget) for rank, given, *_ in instances(rule, assumed)
        ]
        super().__init__(named, (*entries(rule.left, rule.right), *assumed), questions, budget)
        self.rule, self.assumed, self.work = rule, tuple(assumed), work
        self._label(self.work)

    def follows(self, condition: Term, share: int) -> Verdict:
        """Whether the rule of programs follows; also true if the condition leaves the left side no sizes."""
        try:
            own = proof_budget(self.budget, share)
            return prove_rule(self.rule, (*self.assumed, condition), "floor", own, ranged=False)
        except EmptyRule:
            if condition == TRUE:
                raise
            return prove(TRUE)

    def widen(self) -> None:
        """Tries more values."""
        self.work *= 2
        self._label(self.work)

    def swept(self, condition: Term, most: int) -> int | None:
        """Checks the values that are tried."""
        largest = self._label(most * _WORK_PER_SWEPT_VALUE)
        truth = evaluator([condition], self.named, "floor")
        if any(bool(truth(p)[0]) is (found is not None) for p, found in self.refuting.items()):
            return None
        return largest

    def _label(self, work: int) -> int:
        """Labels the values that fit into this budget; all values up to the returned bound are among them."""
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
        known = least // 2  # beyond this, few values of the other names were tried
        for point in holding:
            if not others or sum(map(abs, point)) <= known:
                self.refuting.setdefault(point, None)
        tried = max(0, (least - 1) // most)
        return min(tried, known // len(self.named)) if others else tried

    def _point(self, values: Mapping[str, int]) -> Point:
        return tuple([values.get(n, 0) for n in self.named])

    def looked_for(self, point: Point) -> Point | None:
        """Values that refute the rule at the point; None if none are found."""
        fixed = [Term("==", (sym(n), num(v))) for n, v in zip(self.named, point, strict=True)]
        tried = compared(self.rule, (*self.assumed, *fixed), self.budget, _VALUES_PER_POINT)
        return next((tuple(values.values()) for values, refuted, *_ in tried if refuted is not None), None)


def _bound(ranges: Sequence[Range], named: int, most: int) -> int:
    """The greatest N such that the ranges have at most so many values up to N."""
    bound = 1
    while bound < _MAX_BOUND:
        sizes = [len(_up_to(bound + 1, r)) for r in ranges]
        if prod(sizes[:named]) > most // 100 or prod(sizes) > most:
            break
        bound += 1
    return bound


def _up_to(bound: int, r: Range) -> range:
    """The values of the range whose absolute value is at most the bound."""
    low, high = (-bound if r[0] is None else r[0]), (bound if r[1] is None else r[1])
    return range(max(-bound, low), min(bound, high) + 1)


def _size(point: Point) -> tuple[int, Point]:
    return sum(map(abs, point)), point


def _grid(ranges: Sequence[Range], most: int, numbers: set[int]) -> list[list[int]]:
    """Small values in each range, and values near the numbers: in all about as many combinations as allowed."""
    special = {s for n in numbers if abs(n) > 2 for s in (n - 1, n, n + 1, 2 * n)}
    side = int(most ** (1 / max(1, len(ranges))))
    while True:
        found = [sorted({*_first(r, side), *(s for s in special if _within(s, r))}, key=abs) for r in ranges]
        if side <= 2 or prod(map(len, found)) <= 2 * most:
            return found
        side = side * 3 // 4


def _first(r: Range, side: int) -> range:
    """So many values of the range, from its bound or around 0."""
    low, high = r
    if low is None:
        low = -(side // 2) if high is None else min(-(side // 2), high - side + 1)
    return range(low, low + side if high is None else min(high + 1, low + side))


def _within(x: int, r: Range) -> bool:
    return (r[0] is None or r[0] <= x) and (r[1] is None or x <= r[1])
