"""Reshapes a view of numbers, masked or not, in one pass over its dims."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from symview.engine.radix import place_values

Bounds = tuple[tuple[int, int], ...]


def strides_for(shape: Sequence[int], strides: Sequence[int], target: Sequence[int]) -> list[int] | None:
    """The strides for another shape with equally many elements, at least one; None if no view has them.

    Dims of size 1 get the stride 0. Claim: exact. Contiguous dims count as one, and if a view exists, each of these
    consists of whole new dims: the place values at which the view is not contiguous are place values of the new shape.

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
    """Does the same for a masked view: strides, the change of the offset, and the mask; None if no view has them.

    A dim with one valid index gets the stride 0. Claim: exact. Dims between two place values that both shapes have form
    an independent block: the valid indices are a product over the blocks, and the address is a sum over them.

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
    """Reshapes one block.

    In row-major order a box starts at its low corner and ends at its high one, so there is at most one candidate for
    the box of the valid indices. It is right iff the row-major position, which is a view on either box, is the same
    view on both; then the address is the reshape of a view from one box to the other.
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
    """Whether two boxes with equally many indices and the same start have the same row-major positions."""
    places = strides_for(sizes, place_values(shape), counts)
    return places == [p if n > 1 else 0 for n, p in zip(counts, place_values(target), strict=True)]
