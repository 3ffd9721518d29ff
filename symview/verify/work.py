"""How much one file may ask of the checker: steps and terms are counted, and beyond the limits the check ends."""

from __future__ import annotations

from dataclasses import dataclass


class TooMuchWork(Exception):
    """The check of a file is given up: it takes more than the limits allow, whatever it would come to."""

    def __init__(self) -> None:
        super().__init__("too much work")


@dataclass(frozen=True)
class Limits:
    """`steps`: operators that are computed, all that takes longer as so many, a solver's time too; `terms` are kept at
    once.

    By default a check takes ten seconds and 500 MB at most, about.
    """

    steps: int = 32_000_000
    terms: int = 600_000
    second: int = 3_200_000  # steps that a second of a solver counts for


_COMBINED = 8  # steps that combining terms takes
ENDLESS = Limits(1 << 60, 1 << 60)  # for what is trusted to end


class Work:
    """The one counter for a file.

    >>> work = Work(Limits(steps=10))
    >>> work.spend(8)
    >>> work.spend(8)
    Traceback (most recent call last):
    ...
    symview.verify.work.TooMuchWork: too much work
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits, self.steps, self.terms = limits or Limits(), 0, 0

    def spend(self, steps: int = 1) -> None:
        """Counts steps."""
        self.steps += steps
        if self.steps > self.limits.steps:
            raise TooMuchWork

    def combine(self, terms: int = 1) -> None:
        """Counts terms of polynomials that are combined, or formulas that become some."""
        self.spend(_COMBINED * terms)

    def keep(self, terms: int) -> None:
        """Counts terms that are kept, which are steps too."""
        self.terms += terms
        self.combine(terms)
        if self.terms > self.limits.terms:
            raise TooMuchWork

    def waited(self, seconds: float) -> None:
        """Counts the time of a solver."""
        self.spend(int(seconds * self.limits.second))

    def seconds(self) -> float:
        """How long a solver may take, so that the steps suffice."""
        return (self.limits.steps - self.steps) / self.limits.second
