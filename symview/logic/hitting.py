"""Sets that hit all clauses: of each clause, a set of numbered items, at least one item is chosen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from symview.logic.budget import Budget


def lightest(clauses: Sequence[frozenset[int]], weights: Sequence[int], budget: Budget) -> frozenset[int]:
    """The first set of least weight that meets every clause, by branch and bound.

    >>> from symview.logic.budget import DEFAULT
    >>> sorted(lightest([frozenset({0, 1}), frozenset({1, 2}), frozenset({0, 2})], [1, 1, 3], DEFAULT))
    [0, 1]
    """
    best, lightest_yet = frozenset[int](), sum(weights) + 1

    def go(chosen: frozenset[int], forbidden: frozenset[int], weight: int) -> None:
        nonlocal best, lightest_yet
        budget.spend(1 + len(clauses))
        open_ = [c - forbidden for c in clauses if not c & chosen]
        more = at_least(open_, weights)
        if more is None or weight + more >= lightest_yet:
            return
        if not open_:
            best, lightest_yet = chosen, weight
            return
        fewest = min(open_, key=lambda c: len(c))
        for item in sorted(fewest, key=lambda n: (weights[n], n)):
            go(chosen | {item}, forbidden, weight + weights[item])
            forbidden |= {item}

    go(frozenset(), frozenset(), 0)
    return best


def at_least(clauses: Iterable[frozenset[int]], weights: Sequence[int]) -> int | None:
    """A lower bound on the weight that hits these clauses: that of clauses that share nothing; None if one is empty."""
    used, found = frozenset[int](), 0
    for clause in clauses:
        if not clause:
            return None
        if not clause & used:
            used |= clause
            found += min(weights[n] for n in clause)
    return found
