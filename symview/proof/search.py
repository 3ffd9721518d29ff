"""Searches for counterexamples by enumeration and bisection: the smallest comes first, and each is replayed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from math import prod

from symview.errors import InternalError, Undecided
from symview.logic.budget import DEFAULT, Budget
from symview.logic.divisions import Formula
from symview.logic.points import bounds_of, by_size, compiled, of_size
from symview.logic.solve import REMARK, Sat, Unsat, solve
from symview.logic.terms import Term, num, sym, total, value_of
from symview.proof.statement import Query, failing_relation
from symview.proof.verdicts import Refuted

_WORK_PER_POINT = 10  # approximate cost of one point
_MAX_POINTS_OF_SIZE = 70_000  # values with one sum that are tried
_MAX_HALVINGS = 100


def first_of_size(query: Query, size: int, budget: Budget) -> dict[str, int] | None:
    """The first values with this sum of absolute values that refute the claim, among the first ones tried.

    >>> from symview.proof.statement import read
    >>> first_of_size(read("x + 3*y != 50", "x > 0", "floor"), 18, DEFAULT.started())
    {'x': 2, 'y': 16}
    """
    with suppress(Undecided):
        return Search(query, budget, size).up_to(_MAX_POINTS_OF_SIZE).refuting
    return None


class Search:
    """Values in order, smallest sum of absolute values first; or only those with one such sum.

    Ties go to the earlier variable's smaller absolute value, then to the positive one. `refuting` is the first
    counterexample, `allowed` a point that the assumptions allow, `finished` whether every point was tried, and `all`
    the number of points, if bounds determine it.

    >>> from symview.proof.statement import read
    >>> tried = Search(read("x*x != 2*y", "x > 0", "floor"))
    >>> tried.up_to(5).refuting, tried.up_to(100).refuting
    (None, {'x': 2, 'y': 2})
    """

    def __init__(self, query: Query, budget: Budget = DEFAULT, size: int | None = None) -> None:
        self.query, self.budget, self.names = query, budget, query.names()
        self.holds = [compiled(f.term, self.names, f.division) for f in query.assumptions]
        self.claim = compiled(query.claim.term, self.names, query.claim.division)
        ranges = bounds_of([a.term for a in query.assumptions], self.names)
        self.walk: Iterator[tuple[int, tuple[int, ...]]]
        self.walk = enumerate(by_size(ranges) if size is None else of_size(ranges, size))
        sizes = [high - low + 1 for low, high in ranges if low is not None and high is not None]
        self.all = prod(sizes) if len(sizes) == len(ranges) else None
        self.tried = 0
        self.refuting: dict[str, int] | None = None
        self.allowed: dict[str, int] | None = None
        self.finished = False

    @property
    def decided(self) -> bool:
        """Whether a counterexample was found, or every point was seen."""
        return self.refuting is not None or self.finished

    def up_to(self, points: int) -> Search:
        """Tries values until `points` were tried in all, or one refutes the claim; returns itself."""
        if self.decided:
            return self
        holds, claim, query = self.holds, self.claim, self.query
        for n, point in islice(self.walk, max(0, points - self.tried)):
            if n % 256 == 255:
                self.budget.spend(256 * _WORK_PER_POINT)
            try:
                if not all(h(point) for h in holds):
                    continue
                if self.allowed is None and query.allowed_at(values := dict(zip(self.names, point, strict=True))):
                    self.allowed = values
                if not claim(point) and query.refuted_by(values := dict(zip(self.names, point, strict=True))):
                    self.refuting = values
                    return self
            except ZeroDivisionError:
                continue
        self.tried = max(self.tried, points)
        following = list(islice(self.walk, 1))
        self.walk, self.finished = chain(following, self.walk), not following
        return self


def refuted_at(query: Query, values: dict[str, int], smallest: bool) -> Refuted:
    """Replays a refutation; raises InternalError unless the values satisfy the assumptions and violate the claim."""
    if not query.refuted_by(values):
        raise InternalError(f"a countermodel does not replay: {query.claim.text} at {values}")
    term, division = query.claim.term, query.claim.division
    relation = failing_relation(term, values, division)
    sides = None
    if relation is not None:
        left, right = (int(value_of(side, values, division)) for side in relation.args)
        sides = (left, right)
    return Refuted(
        query.claim.text, values, sides, smallest, query.assumed(), query.division(), arithmetic=query.arithmetic()
    )


def smallest_refuted(query: Query, exceptions: Sequence[Formula], values: dict[str, int], budget: Budget) -> Refuted:
    """Bisects on the sum of absolute values; `smallest` only if the solver excludes all smaller values.

    A solver's values are often the smallest: once they survive a halving, all smaller sums are checked.
    """
    size = total(Term("abs", (sym(n),)) for n in values)
    low, best, outlasts = 0, values, False
    brief = budget.at_most(REMARK)
    for _ in range(_MAX_HALVINGS):
        high = sum(map(abs, best.values()))
        if low >= high:
            return refuted_at(query, first_of_size(query, high, brief) or best, smallest=True)
        most = high - 1 if outlasts else (low + high - 1) // 2
        answer = solve((*exceptions, Term("<=", (size, num(most)))), brief)
        if isinstance(answer, Sat):
            best, outlasts = {n: answer.model.get(n, 0) for n in values}, False
        elif isinstance(answer, Unsat):
            low, outlasts = most + 1, True
        elif outlasts:
            outlasts = False
        else:
            break
    return refuted_at(query, best, smallest=False)
