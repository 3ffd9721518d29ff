"""Walking integer points by the sum of their absolute values: the smallest counterexample comes first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from symview.logic.budget import DEFAULT, Budget
from symview.logic.points import bounds_of, by_size, compiled
from symview.proof.statement import Query

_STEPS = 10  # what one point costs, about


class Search:
    """Values tried one after the other, smallest sum of absolute values first.

    Ties go to the earlier variable's smaller absolute value, then to the positive one. `refuting` is the first
    counterexample, `allowed` one point that the assumptions allow, and `finished` whether every point was seen.

    >>> from symview.proof.statement import read
    >>> tried = Search(read("x*x != 2*y", "x > 0", "floor"))
    >>> tried.up_to(5).refuting, tried.up_to(100).refuting
    (None, {'x': 2, 'y': 2})
    """

    def __init__(self, query: Query, budget: Budget = DEFAULT) -> None:
        self.query, self.budget, self.names = query, budget, query.names()
        self.holds = [compiled(f.term, self.names, f.division) for f in query.assumptions]
        self.claim = compiled(query.claim.term, self.names, query.claim.division)
        self.walk: Iterator[tuple[int, tuple[int, ...]]] = enumerate(
            by_size(bounds_of([a.term for a in query.assumptions], self.names))
        )
        self.tried = 0
        self.refuting: dict[str, int] | None = None
        self.allowed: dict[str, int] | None = None
        self.finished = False

    def up_to(self, points: int) -> Search:
        """Itself, once so many values in all were tried, unless one of them refutes the claim."""
        holds, claim, query = self.holds, self.claim, self.query
        for n, point in islice(self.walk, max(0, points - self.tried)):
            if n % 256 == 255:
                self.budget.spend(256 * _STEPS)
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
