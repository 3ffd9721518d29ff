"""Finds the set of values of a layout."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from math import gcd

from symview.cute.analysis.given import Given
from symview.cute.analysis.sets import Block, Flips, Listed, Sums, Values, swizzled
from symview.engine.map import XorShift
from symview.errors import Undecided
from symview.logic.budget import Budget

_WALKED = 1 << 16
_SMALL = 1 << 10
_BITS = 1 << 24


def values_of(query: Given, budget: Budget) -> Values:
    """The set of values; exact. Raises Undecided if it is too large and has no known structure."""
    f, columns = query.map, query.columns()
    if f is not None and not f.front:
        return sums(f.base.modes, budget, f.base.offset)
    if columns is not None:
        return Flips(*columns)
    few = min(_SMALL, budget.points)
    if f is not None and len(f.front) == 1 and isinstance(f.front[0], XorShift) and query.size > few:
        found = swizzled(f.front[0], sums(f.base.modes, budget, f.base.offset))
        if found is not None:
            return found
    if query.size <= min(_WALKED, budget.points):
        budget.spend(query.size)
        return Listed(tuple(sorted({query.at(i) for i in range(query.size)})))
    raise Undecided(f"the values of {query.layout}: {query.size} are too many to be listed")


def sums(modes: Sequence[tuple[int, int]], budget: Budget, offset: int = 0) -> Sums:
    """The values of a strided map, as blocks of strides that overlap.

    >>> from symview.logic.budget import DEFAULT
    >>> found = sums([(4, 3), (2, 2), (1 << 40, 100)], DEFAULT)
    >>> found.count // (1 << 40), found.missing(), list(islice(found, 5)), 100 * 10**9 + 7 in found
    (8, 1, [0, 2, 3, 5, 6], False)
    """
    low = offset + sum((n - 1) * d for n, d in modes if d < 0)
    steps = sorted((abs(d), n) for n, d in modes if d and n > 1)
    blocks = []
    while steps:
        unit = gcd(*[d for d, _ in steps])
        cut, reach = 1, steps[0][0] * (steps[0][1] - 1)
        while cut < len(steps) and reach >= gcd(*[d for d, _ in steps[cut:]]):
            reach += steps[cut][0] * (steps[cut][1] - 1)
            cut += 1
        blocks.append(_block(unit, [(d // unit, n) for d, n in steps[:cut]], budget))
        steps = steps[cut:]
    return Sums(low, tuple(blocks))


def _block(unit: int, steps: Sequence[tuple[int, int]], budget: Budget) -> Block:
    """The sums of modes by increasing stride; there is no gap as long as each stride is within the reach so far."""
    length = 1
    bits: int | None = None
    for d, n in steps:
        if bits is None and d > length:
            _need_short(length, budget)
            bits = (1 << length) - 1
        length += d * (n - 1)
        if bits is not None:
            _need_short(length, budget)
            done = 1
            while done < n:
                more = min(done, n - done)
                bits |= bits << more * d
                done += more
    return Block(unit, length, bits)


def _need_short(length: int, budget: Budget) -> None:
    if length > _BITS:
        raise Undecided(f"modes whose strides overlap reach {length} values: too far to be listed")
    budget.spend(length // 64 + 1)


def shown(values: Values, most: int = 20) -> str:
    """The first values, and an ellipsis if there are more."""
    some = [str(v) for v in islice(values, most)]
    return ", ".join([*some, *["…"] * (values.count > most)])
