"""Reshape of a view of numbers, with or without a mask, in one pass over its dims."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from symview.engine.radix import place_values

Bounds = tuple[tuple[int, int], ...]


def strides_for(shape: Sequence[int], strides: Sequence[int], target: Sequence[int]) -> list[int] | None:
    """The strides of another shape of as many elements, at least one, 0 for dims of size 1; None where no view does.

    Claim: exact. Dims that are contiguous count as one, and each of those is made of whole new dims where one view
    does: the place values at which the view is not contiguous are then some of the new shape.

    >>> strides_for((4, 6), (6, 1), (2, 2, 6)), strides_for((4, 6), (1, 4), (24,))
    ([12, 6, 1], None)
    """
    found = [0] * len(target)
    at, last = len(target), len(shape) - 1
    while last >= 0:
        size, stride = shape[last], strides[last]
        last -= 1
        if size == 1:
            continue
        whole = size * stride
        while last >= 0 and ((n := shape[last]) == 1 or strides[last] == whole):
            size, whole = size * n, whole * n
            last -= 1
        while size != 1:
            at -= 1
            if (n := target[at]) != 1:
                if size % n:
                    return None
                found[at] = stride
                stride, size = stride * n, size // n
    return found


def masked_strides_for(
    shape: Sequence[int], strides: Sequence[int], mask: Bounds, target: Sequence[int]
) -> tuple[list[int], int, list[tuple[int, int]]] | None:
    """The same where a mask leaves some indices: strides, how far the offset moves, the mask; None where no view does.

    The stride of a dim with one valid index is 0. Claim: exact. Between two place values that both shapes have, dims
    are a block of their own: the valid indices are a product over the blocks, and the address is a sum over them.

    >>> masked_strides_for((4, 6), (6, 1), ((1, 3), (0, 6)), (24,))
    ([1], 0, [(6, 18)])
    """
    found, bounds, moved = [0] * len(target), [(0, 1)] * len(target), 0
    old, new = len(shape), len(target)
    while old:
        old -= 1
        if (have := shape[old]) == 1:
            continue
        end, stop, want = old + 1, new, 1
        while have != want:
            if want < have:
                new -= 1
                want *= target[new]
            else:
                old -= 1
                have *= shape[old]
        if target[new] == have == shape[old]:
            low, high = bounds[new] = mask[old]
            if high - low > 1:
                found[new] = strides[old]
            else:
                moved += low * strides[old]
            continue
        part = _block(shape[old:end], strides[old:end], mask[old:end], target[new:stop])
        if part is None:
            return None
        found[new:stop], start, bounds[new:stop] = part
        moved += start
    return found, moved, bounds


def _block(
    shape: Sequence[int], strides: Sequence[int], mask: Bounds, target: Sequence[int]
) -> tuple[list[int], int, list[tuple[int, int]]] | None:
    """The same of one block.

    In row-major order a box begins at its low corner and ends at its high one, so there is one box at most that the
    valid indices can be. They are that box just where the place in this order, which is a view on either box, is the
    same view; and then the address is a reshape of a view on the one box to the other.
    """
    first = last = start = 0
    sizes = list[int]()
    for n, t, (low, high) in zip(shape, strides, mask, strict=True):
        first, last, start = first * n + low, last * n + high - 1, start + low * t
        sizes.append(high - low)
    count, apart = prod(sizes), last - first + 1
    bounds, counts = list[tuple[int, int]](), list[int]()
    for n in reversed(target):
        low, high = first % n, last % n
        if high < low:
            return None
        bounds.append((low, high + 1))
        counts.append(high - low + 1)
        first, last = first // n, last // n
    bounds.reverse()
    counts.reverse()
    if prod(counts) != count or (apart != count and not _same_places(shape, sizes, target, counts)):
        return None
    found = strides_for(sizes, strides, counts)
    if found is None:
        return None
    for t, (low, _) in zip(found, bounds, strict=True):
        start -= low * t
    return found, start, bounds


def _same_places(shape: Sequence[int], sizes: Sequence[int], target: Sequence[int], counts: Sequence[int]) -> bool:
    """Whether boxes of as many indices, with one beginning, have the same places in row-major order."""
    places = strides_for(sizes, place_values(shape), counts)
    return places == [p if n > 1 else 0 for n, p in zip(counts, place_values(target), strict=True)]
