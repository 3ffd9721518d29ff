"""Walking integer points by the sum of their absolute values: the smallest counterexample comes first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from symview.logic.budget import DEFAULT, Budget
from symview.logic.points import Range, bounds_of, by_size, compiled
from symview.proof.statement import Query

_STEPS = 10  # what one point costs, about


class Searched(NamedTuple):
    """The first counterexample, one point that the assumptions allow, and whether every point was seen."""

    refuting: dict[str, int] | None
    allowed: dict[str, int] | None
    finished: bool


def search(query: Query, points: int, budget: Budget = DEFAULT) -> Searched:
    """Tries up to `points` values, smallest sum of absolute values first.

    Ties go to the earlier variable's smaller absolute value, then to the positive one.

    >>> from symview.proof.statement import read
    >>> search(read("x*x != 2*y", "x > 0", "floor"), 100).refuting
    {'x': 2, 'y': 2}
    """
    names = query.names()
    holds = [compiled(f.term, names, f.division) for f in query.assumptions]
    claim = compiled(query.claim.term, names, query.claim.division)
    allowed: dict[str, int] | None = None
    walk = by_size(_ranges(query, names))
    for n, point in enumerate(islice(walk, points)):
        if n % 256 == 255:
            budget.spend(256 * _STEPS)
        try:
            if not all(h(point) for h in holds):
                continue
            if allowed is None and query.allowed_at(values := dict(zip(names, point, strict=True))):
                allowed = values
            if not claim(point) and query.refuted_by(values := dict(zip(names, point, strict=True))):
                return Searched(values, allowed, False)
        except ZeroDivisionError:
            continue
    return Searched(None, allowed, next(walk, None) is None)


def _ranges(query: Query, names: Sequence[str]) -> list[Range]:
    return bounds_of([a.term for a in query.assumptions], names)
