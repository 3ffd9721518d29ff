"""Writes any partial function on 0..N−1 as one masked view of the digits along a line through a larger shape.

The line y ↦ start + T·y counts several digits at once. Each *pair* consists of a fast digit with some period, which
wraps where the function bends, and a slow digit of its own, into which it overflows. The slow digit's stride is what
the wrap adds to the usual step, and the last values of the fast digit may be masked out. ("Chains of views",
proofs/README.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import prod
from typing import NamedTuple

from symview.logic.budget import DEFAULT, Budget

Values = Sequence[int | None]


class Pair(NamedTuple):
    """The fast digit is (start + y) mod period, masked out from period − hidden on; every wrap adds `extra`."""

    period: int
    start: int
    hidden: int
    extra: int

    def wraps(self, count: int) -> range:
        """The y < count after which the fast digit wraps."""
        return range(self.period - 1 - self.start, count, self.period)

    def hides(self, y: int) -> bool:
        """Whether y is masked out."""
        return (self.start + y) % self.period >= self.period - self.hidden


class TwoLevels(NamedTuple):
    """The outer view, slowest dim first, and the line start + step·y through its shape."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int
    bounds: tuple[tuple[int, int], ...]
    start: int
    step: int


def two_levels(values: Values, most: int, budget: Budget = DEFAULT) -> TwoLevels | None:
    """Writes y ↦ values[y], with None for invalid values, with at most `most` pairs.

    Returns None if more pairs are needed, or if no value is valid. One pair per bend and per hole would always suffice;
    regular ones share a pair, found greedily.

    >>> found = two_levels([0, 1, 2, 7, 8, None, 10], 3)
    >>> found.shape, found.strides, found.bounds
    ((2, 4, 2, 6), (4, 0, 6, 1), ((0, 2), (0, 4), (0, 2), (0, 5)))
    """
    if not any(v is not None for v in values):
        return None
    step, bends, first = _bends(values)
    pairs = list[Pair]()
    holes = {y for y, v in enumerate(values) if v is None}
    left = set(holes)
    while (left or bends) and len(pairs) < most:
        if left:
            pair = max(_hiding(left, holes, len(values), budget), key=lambda p: sum(map(p.hides, left)))
            left = {y for y in left if not pair.hides(y)}
            pair = pair._replace(extra=_usual(pair, bends, len(values) - 1))
        else:
            pair = max(_bending(bends, len(values), budget), key=lambda p: _gain(p, bends, len(values) - 1))
        pairs.append(pair)
        for y in pair.wraps(len(values) - 1):
            bends[y] -= pair.extra
        bends = Counter({y: extra for y, extra in bends.items() if extra})
    return None if left or bends else _assembled(pairs or [Pair(len(values), 0, 0, 0)], len(values), step, first)


def _bends(values: Values) -> tuple[int, Counter[int], int]:
    """The usual step, the excess of each other step y → y + 1, and the address at 0; interpolates holes evenly."""
    steps = Counter(b - a for a, b in pairwise(values) if a is not None and b is not None)
    usual = steps.most_common(1)[0][0] if steps else 0
    known = next((y, v) for y, v in enumerate(values) if v is not None)
    filled = [known[1] - usual * known[0]]
    for value in values[1:]:
        filled.append(filled[-1] + usual if value is None else value)
    for y in range(known[0]):
        filled[y] = filled[0] + usual * y
    bends = Counter({y: b - a - usual for y, (a, b) in enumerate(pairwise(filled)) if b - a != usual})
    return usual, bends, filled[0]


def _hiding(left: set[int], holes: set[int], count: int, budget: Budget) -> Iterator[Pair]:
    """Pairs that hide one run of holes, once or periodically, and nothing else."""
    begins = sorted(y for y in left if y - 1 not in left)
    for y in begins:
        size = next(n for n in range(1, count + 1) if y + n not in left)
        alone = max(count - y, y + size)
        for period in {alone, *(b - y for b in begins if b - y > size)}:
            budget.spend(count)
            pair = Pair(period, (period - size - y) % period, size, 0)
            if period == alone or all(n in holes for n in range(count) if pair.hides(n)):
                yield pair


def _usual(pair: Pair, bends: Counter[int], steps: int) -> int:
    """The most common excess among the wraps of the pair."""
    found = Counter(bends[y] for y in pair.wraps(steps))
    return found.most_common(1)[0][0] if found else 0


def _bending(bends: Counter[int], count: int, budget: Budget) -> Iterator[Pair]:
    """Pairs whose first wrap is at a bend, once or periodically."""
    for y, extra in bends.items():
        again = {b - y for b, e in bends.items() if e == extra and b - y > y}
        for period in {max(y + 1, count - 1 - y), *again}:
            budget.spend(count // period + 1)
            yield Pair(period, period - 1 - y, 0, extra)


def _gain(pair: Pair, bends: Counter[int], steps: int) -> tuple[int, int]:
    """The number of bends that the pair removes; ties go to the least period, which makes shapes small."""
    met = [bends[y] for y in pair.wraps(steps)]
    return sum((extra == pair.extra) - (extra == 0) for extra in met), -pair.period


def _assembled(pairs: Sequence[Pair], count: int, step: int, first: int) -> TwoLevels:
    """Assembles the pairs; the first pair's digits also carry the usual step, since y = period·slow + fast − start."""
    shape, strides, bounds = list[int](), list[int](), list[tuple[int, int]]()
    start = line = 0
    for n, pair in reversed(list(enumerate(pairs))):
        usual, slow = (0 if n else step), (pair.start + count - 1) // pair.period + 1
        shape += [slow, pair.period]
        strides += [pair.extra + usual * pair.period, usual]
        bounds += [(0, slow), (0, pair.period - pair.hidden)]
    for n, pair in enumerate(pairs):
        place = prod(shape[len(shape) - 2 * n :])
        start, line = start + place * pair.start, line + place
    return TwoLevels(tuple(shape), tuple(strides), first - step * pairs[0].start, tuple(bounds), start, line)
