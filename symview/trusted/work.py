"""Limits on the work for one file: the checker counts steps and terms, and stops beyond the limits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

Item = TypeVar("Item")


class TooMuchWork(Exception):
    """The check of a file exceeds the limits; this says nothing about its result."""

    def __init__(self) -> None:
        super().__init__("too much work")


@dataclass(frozen=True)
class Limits:
    """`steps`: operators computed; slower work, and a solver's time, count as several. `terms`: the most kept at
    once.

    By default a check takes at most about ten seconds and 500 MB.
    """

    steps: int = 32_000_000
    terms: int = 600_000
    second: int = 3_200_000  # steps that a second of a solver counts for

    def cpu(self) -> float:
        """The seconds of CPU time, without solvers, that so many steps take at most: a microsecond each."""
        return 0.05 + self.steps / 1_000_000


_COMBINED = 8  # steps for combining two terms
ENDLESS = Limits(1 << 60, 1 << 60)  # for work that is known to end


class Work:
    """The one counter for a file.

    >>> work = Work(Limits(steps=10))
    >>> work.spend(8)
    >>> work.spend(8)
    Traceback (most recent call last):
    ...
    symview.trusted.work.TooMuchWork: too much work
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits, self.steps, self.terms = limits or Limits(), 0, 0

    def spend(self, steps: int = 1) -> None:
        """Counts steps."""
        self.steps += steps
        if self.steps > self.limits.steps:
            raise TooMuchWork

    def over(self, loop: Iterable[Item], steps: int = 1) -> Iterator[Item]:
        """Counts each turn of a loop: whatever is not a list of the file goes through this.

        >>> sum(Work(Limits(steps=100)).over(range(99)))
        4851
        """
        for item in loop:
            self.spend(steps)
            yield item

    def combine(self, terms: int = 1) -> None:
        """Counts terms of polynomials that are combined, or formulas that are converted to them."""
        self.spend(_COMBINED * terms)

    def keep(self, terms: int) -> None:
        """Counts terms that are kept, also as steps."""
        self.terms += terms
        self.combine(terms)
        if self.terms > self.limits.terms:
            raise TooMuchWork

    def waited(self, seconds: float) -> None:
        """Counts the time of a solver."""
        self.spend(int(seconds * self.limits.second))

    def seconds(self) -> float:
        """The seconds that a solver may take within the remaining steps."""
        return (self.limits.steps - self.steps) / self.limits.second
