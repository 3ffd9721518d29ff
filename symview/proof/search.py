"""Walking integer points by the sum of their absolute values: the smallest counterexample comes first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, islice
from math import prod

from symview.errors import Undecided
from symview.logic.budget import DEFAULT, Budget
from symview.logic.points import bounds_of, by_size, compiled, of_size
from symview.proof.statement import Query

_WORK_PER_POINT = 10  # what one point costs, about
_MAX_POINTS_OF_SIZE = 70_000  # values of one sum that are tried


def first_of_size(query: Query, size: int, budget: Budget) -> dict[str, int] | None:
    """The first values of that sum of absolute values that refute the claim, if they are among the first of that sum.

    >>> from symview.proof.statement import read
    >>> first_of_size(read("x + 3*y != 50", "x > 0", "floor"), 18, DEFAULT.started())
    {'x': 2, 'y': 16}
    """
    with suppress(Undecided):
        return Search(query, budget, size).up_to(_MAX_POINTS_OF_SIZE).refuting
    return None


class Search:
    """Values tried one after the other, smallest sum of absolute values first; or those of one such sum alone.

    Ties go to the earlier variable's smaller absolute value, then to the positive one. `refuting` is the first
    counterexample, `allowed` one point that the assumptions allow, `finished` whether every point was seen, and `all`
    how many there are, where bounds say so.

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

    def up_to(self, points: int) -> Search:
        """Itself, once so many values in all were tried, unless one of them refutes the claim."""
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
