"""Which addresses two strided maps share: sums of multiples of strides, and the least common address."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import gcd, prod
from operator import or_
from typing import Any

from symview.engine import presburger
from symview.engine.index_map import Index, IndexMap
from symview.errors import Undecided
from symview.logic.budget import Budget

MULTIPLES = 64  # most multiples of a stride that are tried
_WALKED = 4096  # most indices of each map that are enumerated


def is_sum(target: Any, terms: Sequence[tuple[Any, Any]], most: int = MULTIPLES) -> Any:
    """Whether the target is Σ x_k·s_k with 0 <= x_k <= c_k, for terms (c_k, s_k) with c_k >= 0 and s_k > 0.

    On integers that fork it returns a claim. Theory: if strides follow each other closely, their sums are all multiples
    of the least stride up to the greatest sum. If a stride exceeds the sum of all smaller terms, only the quotient is a
    possible multiple of it. Otherwise each multiple is tried, if they are few; raises Undecided if they are many.

    >>> [t for t in range(12) if is_sum(t, [(2, 1), (1, 7)])], is_sum(5, [(3, 2), (1, 4)])
    ([0, 1, 2, 7, 8, 9], False)
    """
    return _is_sum(target, sorted(terms, key=lambda term: term[1]), most)


def _is_sum(target: Any, terms: Sequence[tuple[Any, Any]], most: int) -> Any:
    if not terms:
        return target == 0
    step, greatest = terms[0][1], terms[0][0] * terms[0][1]
    for count, stride in terms[1:]:
        if not (count == 0) | ((stride <= greatest + step) & (stride % step == 0)):
            break
        greatest = greatest + count * stride
    else:
        return (target >= 0) & (target <= greatest) & (target % step == 0)
    (count, stride), lower = terms[-1], terms[:-1]
    if isinstance(count, int) and count < most:
        tried = [_is_sum(target - x * stride, lower, most // (count + 1)) for x in range(count + 1)]
        return reduce(or_, tried, False)
    if stride > sum(c * s for c, s in lower):
        quotient = target // stride
        return (quotient >= 0) & (quotient <= count) & _is_sum(target - quotient * stride, lower, most)
    raise Undecided("strides are neither close to one another nor far apart, and have many multiples")


def least_shared(a: IndexMap, b: IndexMap, budget: Budget) -> tuple[Index, Index] | None:
    """The least common address, as the first index of each map in the order of `_upward`; None if there is none.

    Raises Undecided when the budget ends.

    >>> least_shared(IndexMap((3,), (4,), 0), IndexMap((4,), (6,), 2), Budget())
    ((2,), (1,))
    """
    if are_apart(a, b, min(MULTIPLES, budget.points)):
        return None
    budget, (up_a, up_b) = budget.started(), (_upward(m) for m in (a, b))
    if max(prod(a.sizes), prod(b.sizes)) <= min(_WALKED, budget.points):
        found = _by_walk(up_a, up_b, budget)
    else:
        found = _by_points(up_a, up_b, budget)
    return None if found is None else (_turned(a, found[0]), _turned(b, found[1]))


def are_apart(a: IndexMap, b: IndexMap, most: int) -> bool:
    """Whether bounds, residues or `is_sum` prove that no address is shared; False means unknown."""
    if 0 in a.sizes or 0 in b.sizes:
        return True
    (low_a, high_a), (low_b, high_b) = a.reach(), b.reach()
    if high_a < low_b or high_b < low_a:
        return True
    moving = [(n, t) for m in (a, b) for n, t in zip(m.sizes, m.steps, strict=True) if n > 1 and t]
    if (low_b - low_a) % (gcd(*(t for _, t in moving)) or 1):
        return True
    try:
        return not is_sum(high_b - low_a, [(n - 1, abs(t)) for n, t in moving], most)
    except Undecided:
        return False


def _upward(m: IndexMap) -> IndexMap:
    """The same addresses with nonnegative steps: negative axes are reversed."""
    return IndexMap(m.sizes, tuple(map(abs, m.steps)), m.reach()[0])


def _turned(m: IndexMap, index: Index) -> Index:
    """Converts an index of the upward form to one of the map."""
    return tuple([n - 1 - i if t < 0 else i for n, t, i in zip(m.sizes, m.steps, index, strict=True)])


def _by_walk(a: IndexMap, b: IndexMap, budget: Budget) -> tuple[Index, Index] | None:
    budget.spend(prod(a.sizes) + prod(b.sizes))
    seen_a, seen_b = ({m.at(i): i for i in reversed(list(m.indices()))} for m in (a, b))
    both = seen_a.keys() & seen_b.keys()
    return (seen_a[min(both)], seen_b[min(both)]) if both else None


def _by_points(a: IndexMap, b: IndexMap, budget: Budget) -> tuple[Index, Index] | None:
    difference = (*a.steps, *[-t for t in b.steps], a.start - b.start)
    equal = (difference, tuple([-x for x in difference]))
    system = presburger.System((*a.sizes, *b.sizes), 0, equal, ((),))
    weights = ((*a.steps, *[0] * len(b.steps)),)
    point = presburger.least(system, budget, order=weights)
    return None if point is None else (point[: len(a.sizes)], point[len(a.sizes) :])
