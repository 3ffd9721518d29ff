"""Rows over strides: their components, an index difference in their span, and its combination of rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import gcd, lcm

from symview.engine import presburger
from symview.engine.row_space import Row, RowSpace, unit
from symview.logic.budget import Budget
from symview.plans.digits import Shape


def components(rows: Sequence[Row], dims: Sequence[int]) -> list[tuple[list[int], list[Row]]]:
    """Groups of dims that rows connect, each with its rows; a dim without rows is its own group.

    >>> components([(1, 0, -2)], (0, 1, 2))
    [([0, 2], [(1, 0, -2)]), ([1], [])]
    """
    parts = [{d} for d in dims]
    for row in rows:
        touched = {d for d, x in enumerate(row) if x}
        met = [p for p in parts if p & touched]
        parts = [p for p in parts if not p & touched] + [set().union(*met)]
    ordered = sorted(map(sorted, parts))
    return [(p, [r for r in rows if any(r[d] for d in p)]) for p in ordered]


def is_difference(row: Row, shape: Shape) -> bool:
    """Whether two indices of the shape differ by the row."""
    return any(row) and all(abs(x) < n for x, n in zip(row, shape, strict=True))


def short_difference(rows: Sequence[Row], shape: Shape) -> Row | None:
    """The index difference with the fewest terms among rows and sums of two in which a term cancels."""
    found = [d for d in map(_reduced, (*rows, *_pairs(rows))) if is_difference(d, shape)]
    return min(found, key=lambda d: (sum(map(bool, d)), sum(map(abs, d)), d), default=None)


def _pairs(rows: Sequence[Row]) -> Iterator[Row]:
    for a, b in combinations(rows, 2):
        for at in [n for n, (x, y) in enumerate(zip(a, b, strict=True)) if x and y]:
            yield tuple([b[at] * x - a[at] * y for x, y in zip(a, b, strict=True)])


def _reduced(row: Row) -> Row:
    """Divides the row by its gcd; the last nonzero entry becomes negative, as larger strides come first."""
    common = gcd(*row)
    sign = -1 if common and next(x for x in row if x) < 0 else 1
    return tuple([sign * x // common for x in row]) if common else row


def difference_within(space: RowSpace, shape: Shape, budget: Budget) -> Row | None:
    """A nonzero difference of two indices in the span of the rows; None if there is none. Exact."""
    rank, lows = len(shape), [1 - max(n, 1) for n in shape]
    flat = [(*t, sum(x * low for x, low in zip(t, lows, strict=True))) for t in space.complement()]
    rows = [r for t in flat for r in (t, tuple([-x for x in t]))]
    units = [(*unit(a, rank), lows[a]) for a in range(rank)]
    branches = tuple([((*u[:-1], u[-1] - 1),) for u in units])
    system = presburger.System(tuple([2 * max(n, 1) - 1 for n in shape]), 0, tuple(rows), branches)
    point = presburger.point(system, budget)
    return None if point is None else tuple([x + low for x, low in zip(point, lows, strict=True)])


def combination(rows: Sequence[Row], target: Row) -> tuple[int, tuple[int, ...]]:
    """A positive scale and multipliers with scale·target = Σ multiplier·row, for a target in the span.

    >>> combination([(1, -4, 0), (1, 0, -6)], (0, -2, 3))
    (2, (1, -1))
    """
    kept: list[tuple[list[Fraction], list[Fraction], int]] = []

    def cleared(row: Sequence[int], share: list[Fraction]) -> tuple[list[Fraction], list[Fraction]]:
        left = list(map(Fraction, row))
        for other, own, pivot in kept:
            if by := left[pivot] / other[pivot]:
                left = [x - by * y for x, y in zip(left, other, strict=True)]
                share = [x - by * y for x, y in zip(share, own, strict=True)]
        return left, share

    for n, row in enumerate(rows):
        left, share = cleared(row, [Fraction(int(m == n)) for m in range(len(rows))])
        if any(left):
            kept.append((left, share, next(c for c, x in enumerate(left) if x)))
    left, share = cleared(target, [Fraction(0)] * len(rows))
    scale = lcm(*[x.denominator for x in share])
    return scale, tuple([int(-x * scale) for x in share])
