"""Whether numeric strides reach addresses once (injective), an interval (dense), or one in order (contiguous).

Dims of size 1 do not matter, and if a size is 0 all three hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import gcd, prod

from symview.engine import presburger
from symview.engine.index_map import Index
from symview.engine.radix import unravel
from symview.errors import InternalError
from symview.logic.budget import DEFAULT, Budget

_BITS = 1 << 26  # most addresses in a bit set
_WORD = 512  # addresses per step of work
_WALKED = 1 << 20  # most indices that are enumerated
_WALK = 8  # indices per step of work

Dim = tuple[int, int]  # a size of at least 2, and a stride


def moving(shape: Sequence[int], strides: Sequence[int]) -> list[Dim]:
    """The dims that affect where elements lie; none if there are no elements."""
    return [] if 0 in shape else [(n, t) for n, t in zip(shape, strides, strict=True) if n != 1]


def is_contiguous(dims: Iterable[Dim]) -> bool:
    """Whether each stride is the product of the sizes before it; dims go from the fastest to the slowest.

    >>> is_contiguous([(3, 1), (2, 3)]), is_contiguous([(3, 1), (2, 4)])
    (True, False)
    """
    place = 1
    for size, stride in dims:
        if stride != place:
            return False
        place *= size
    return True


def is_dense(dims: Iterable[Dim], flips: bool = False) -> bool:
    """Whether the dims are contiguous in some order; `flips` ignores the signs of strides.

    Claim: this holds iff the addresses form an interval, each of one index, and, without `flips`, no stride is
    negative. Proof: one of the strides has to be 1, and its dim fills 0..n−1; the rest are translates of that, which
    start at multiples of n, and so on.
    """
    return is_contiguous(sorted([(n, abs(t)) for n, t in dims] if flips else dims, key=lambda d: (d[1], d[0])))


def peeled(dims: Iterable[Dim]) -> list[Dim]:
    """Drops dims along which no two indices with equal addresses can differ; the others decide injectivity.

    Two indices with one address differ by d with Σ d_j·t_j = 0 and |d_j| < n_j. d_j is 0 if the dim's stride exceeds
    the reach of all others, or if only multiples of the others' divisor can differ along it.

    >>> peeled([(4, 6), (3, 2), (2, 1)]), peeled([(2, 5), (2, 6), (2, 7)])
    ([], [(2, 5), (2, 6), (2, 7)])
    """
    left = [(n, abs(t)) for n, t in dims]
    while True:
        reach = sum((n - 1) * t for n, t in left)
        for at, (n, t) in enumerate(left):
            others = gcd(*(u for m, (_, u) in enumerate(left) if m != at))
            if t and (n * t > reach or n * gcd(others, t) <= others):
                del left[at]
                break
        else:
            return left


def is_injective(dims: Sequence[Dim], budget: Budget = DEFAULT) -> bool:
    """Whether no two indices share an address; exact, and raises Undecided when the budget ends.

    A solver is loaded only if `peeled` leaves three or more dims with more than 2^20 indices, whose addresses spread
    over 2^26 or more.
    """
    left = peeled(dims)
    if not left:
        return True
    reach = sum((n - 1) * t for n, t in left)
    if len(left) <= 2 or reach + 1 < prod(n for n, _ in left) or tied(left) is not None:
        return False
    budget, count = budget.started(), prod(n for n, _ in left)
    if count <= min(_WALKED, budget.points):
        budget.spend(count // _WALK)
        return len(set(_walked(left))) == count
    scale = gcd(*(t for _, t in left))
    if reach // scale < min(_BITS, _WORD * budget.points):
        return _distinct([(n, t // scale) for n, t in left], reach // scale, budget)
    return _relation(left, budget) is None


def tied(dims: Sequence[Dim]) -> Index | None:
    """The difference of two indices with one address that differ along one or two dims; None if there are none.

    >>> tied([(4, 1), (2, 2)]), tied([(2, 1), (3, 0)]), tied([(2, 1), (2, 2)])
    ((2, -1), (0, -1), None)
    """
    rank = len(dims)
    for axis, (n, t) in enumerate(dims):
        if t == 0 and n > 1:
            return tuple([-int(a == axis) for a in range(rank)])
    for a, b in combinations(range(rank), 2):
        (n, t), (m, u) = dims[a], dims[b]
        common = gcd(t, u)
        if abs(t) < m * common and abs(u) < n * common:
            forth, back = abs(u) // common, (t if u < 0 else -t) // common
            return tuple([forth if c == a else back if c == b else 0 for c in range(rank)])
    return None


def _distinct(dims: Sequence[Dim], reach: int, budget: Budget) -> bool:
    """Whether there are as many addresses as indices; the set of addresses is the bits of an integer."""
    found = 1
    for size, stride in dims:
        have = 1
        while have < size:  # doubles the copies until there are enough
            more = min(have, size - have)
            budget.spend(1 + reach // _WORD)
            found |= found << more * stride
            have += more
    return found.bit_count() == prod(n for n, _ in dims)


def _relation(dims: Sequence[Dim], budget: Budget) -> Index | None:
    """Some nonzero d with |d_j| < n_j and Σ d_j·t_j = 0, or None."""
    lows = [1 - n for n, _ in dims]
    total = (*[t for _, t in dims], sum(low * t for low, (_, t) in zip(lows, dims, strict=True)))
    rank = len(dims)
    branches = []
    for axis in range(rank):  # without loss of generality, the first nonzero entry is positive
        unit = [tuple([int(a == b) for a in range(rank)]) for b in range(axis + 1)]
        rows = [(*unit[b], lows[b]) for b in range(axis)]
        rows += [(*[-x for x in unit[b]], -lows[b]) for b in range(axis)]
        branches.append((*rows, (*unit[axis], lows[axis] - 1)))
    boxes = tuple([2 * n - 1 for n, _ in dims])
    system = presburger.System(boxes, 0, (total, tuple([-x for x in total])), tuple(branches))
    point = presburger.point(system, budget)
    return None if point is None else tuple([i + low for i, low in zip(point, lows, strict=True)])


def collision(shape: Sequence[int], strides: Sequence[int], budget: Budget = DEFAULT) -> tuple[Index, Index] | None:
    """Two indices with one address, in row-major order, or None.

    >>> collision((2, 3), (2, 1))
    ((0, 2), (1, 0))
    """
    if is_injective(moving(shape, strides), budget):
        return None
    if prod(shape) <= min(_WALKED, budget.points):
        return _first_collision(shape, strides)
    kept = [a for a, n in enumerate(shape) if n != 1]
    found = _difference([(shape[a], strides[a]) for a in kept], budget)
    one, other = [0] * len(shape), [0] * len(shape)
    for axis, d in zip(kept, found, strict=True):
        one[axis], other[axis] = max(0, -d), max(0, d)
    first, second = sorted((tuple(one), tuple(other)))
    return first, second


def _walked(dims: Iterable[Dim]) -> list[int]:
    """The addresses of all indices, in row-major order."""
    found = [0]
    for size, stride in dims:
        steps = range(0, size * stride, stride) if stride else (0,) * size
        found = [address + step for address in found for step in steps]
    return found


def _first_collision(shape: Sequence[int], strides: Sequence[int]) -> tuple[Index, Index]:
    """Enumerates the indices; a collision has to exist."""
    seen = dict[int, int]()
    for place, address in enumerate(_walked(zip(shape, strides, strict=True))):
        if (before := seen.setdefault(address, place)) != place:
            return unravel(before, shape), unravel(place, shape)
    raise InternalError(f"no two indices of {tuple(shape)}:{tuple(strides)} have one address, though two do")


def _difference(dims: Sequence[Dim], budget: Budget) -> Index:
    """The difference of two indices with one address, which have to exist."""
    found = tied(dims) or _relation(dims, budget.started())
    if found is None:
        raise InternalError("no difference of indices has address 0, though some have")
    return found


def first_gap(dims: Iterable[Dim]) -> int:
    """The least missing address, counted from the least address, of an injective view that is not dense up to signs.

    The dims of the smallest strides fill an interval; the stride of the next one is larger than that interval.

    >>> first_gap([(2, 6), (3, -1)])
    3
    """
    place = 1
    for size, stride in sorted([(n, abs(t)) for n, t in dims], key=lambda d: d[1]):
        if stride != place:
            break
        place *= size
    return place


def order_of(shape: Sequence[int], strides: Sequence[int]) -> tuple[int, ...]:
    """The dims from the fastest to the slowest, in which a dense view is contiguous; sorts dims of size 1 by stride
    too.

    >>> order_of((2, 3, 4), (3, 1, 6))
    (1, 0, 2)
    """
    return tuple(sorted(range(len(strides)), key=lambda a: (strides[a], shape[a] != 1, -a)))
