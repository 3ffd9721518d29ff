"""The first multiple at which carries that may cancel do not: where a strided walk leaves its straight line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from symview.engine.decide import smallest_violation, violation
from symview.engine.overflow import Carry
from symview.errors import Undecided
from symview.logic.budget import DEFAULT, Budget


class Slope(NamedTuple):
    """A boundary seen by a walk: it has carried floor(n·rest/place) times after n steps; 0 < rest < place."""

    place: int
    rest: int
    weight: int

    def carries(self, n: int) -> bool:
        """Whether it carries on step n."""
        return n * self.rest // self.place != (n - 1) * self.rest // self.place


def first_break(slopes: Sequence[Slope], size: int, budget: Budget = DEFAULT) -> int | None:
    """The least n < size with Σ weight·floor(n·rest/place) ≠ 0, None where there is none; exact.

    Boundaries that have carried on the same steps so far form a block, and as long as no sum was
    other than 0, every block's weights sum to 0. The next step that can matter is the first on
    which some block comes apart, found by Stern–Brocot; where two come apart at once, a search
    decides. Raises Undecided when the budget ends.
    Source: theory of break points, proofs/README.md.

    >>> first_break([Slope(2, 1, -1), Slope(6, 3, 1)], 100) is None
    True
    >>> first_break([Slope(2, 1, -1), Slope(5, 3, 1)], 100)
    5
    """
    fresh, blocks = list(slopes), list[list[Slope]]()
    while True:
        step = _next_split(fresh, blocks)
        if step is None or step >= size:
            return None
        carrying = {s for s in slopes if s.carries(step)}
        if sum(s.weight for s in slopes if s in carrying) != 0:
            return step
        apart = [b for b in blocks if 0 < sum(s in carrying for s in b) < len(b)]
        new = [s for s in fresh if s in carrying]
        if len(apart) + bool(new) != 1:
            return _searched(slopes, size, budget)
        for block in apart:
            blocks.remove(block)
            blocks += [[s for s in block if s in carrying], [s for s in block if s not in carrying]]
        if new:
            blocks.append(new)
            fresh = [s for s in fresh if s not in carrying]


def _next_split(fresh: list[Slope], blocks: list[list[Slope]]) -> int | None:
    """The first step on which a boundary carries for the first time, or a block comes apart."""
    steps = [-(-s.place // s.rest) for s in fresh]
    for block in blocks:
        for low, high in pairwise(sorted(block, key=lambda s: s.rest * block[0].place * _common(block) // s.place)):
            if low.rest * high.place != high.rest * low.place:
                steps.append(_first_apart(low, high))
    return min(steps, default=None)


def _common(block: list[Slope]) -> int:
    """A number that makes slopes comparable as integers: the largest place, a multiple of all others."""
    return max(s.place for s in block)


def _first_apart(low: Slope, high: Slope) -> int:
    """The first n with floor(n·low) ≠ floor(n·high): the least denominator of a fraction in (low, high]."""
    return _least_denominator((low.rest, low.place), (high.rest, high.place))[1]


def _least_denominator(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    """The simplest fraction in (a, b], for 0 <= a < b.

    >>> _least_denominator((1, 3), (2, 5)), _least_denominator((1, 2), (3, 5))
    ((2, 5), (3, 5))
    """
    whole = a[0] // a[1]
    if (whole + 1) * b[1] <= b[0]:
        return whole + 1, 1
    num, den = _simplest_from((b[1], b[0] - whole * b[1]), (a[1], a[0] - whole * a[1]))
    return whole * num + den, num


def _simplest_from(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    """The simplest fraction in [a, b); b may be 1/0."""
    up = -(-a[0] // a[1])
    if up * b[1] < b[0]:
        return up, 1
    whole = a[0] // a[1]
    num, den = _least_denominator((b[1], b[0] - whole * b[1]), (a[1], a[0] - whole * a[1]))
    return whole * num + den, num


def _searched(slopes: Sequence[Slope], size: int, budget: Budget) -> int | None:
    carries = [Carry(s.place, 0, (s.rest,)) for s in slopes if (size - 1) * s.rest >= s.place]
    weights = [s.weight for s in slopes if (size - 1) * s.rest >= s.place]
    known = violation(carries, (size,), weights, budget) if carries else None
    if known is None:
        return None
    index, proved = smallest_violation(carries, (size,), weights, known, budget)
    if not proved:
        raise Undecided(f"the first step at which the carries do not cancel, at most {known[0]}: allow more work")
    return index[0]
