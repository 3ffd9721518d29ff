"""How much the first quotients of an arithmetic progression add up to."""

from __future__ import annotations

from operator import index as exact

from symview.errors import InputError
from symview.logic.symint import as_entry


def floor_sum(count: int, divisor: int, step: int, start: int) -> int:
    """Σ ⌊(start + i·step) / divisor⌋ over 0 <= i < count, in logarithmic time; 0 where the count is not positive.

    Law: what the step and the start have of multiples of the divisor is summed at once; below that, the quotients
    count the points of integers under a line, which are as many seen from the other axis (Euclid's algorithm).
    Raises InputError for what is no integer.

    >>> floor_sum(5, 3, 2, 1), sum((1 + 2 * i) // 3 for i in range(5)), floor_sum(10**9, 10**9 + 7, 12345, -6)
    (7, 7, 6171999950618)
    """
    given = count, divisor, step, start
    try:
        count, divisor, step, start = map(exact, map(as_entry, given))
    except TypeError:
        raise InputError(f"floor_sum{given}: give four integers") from None
    if divisor < 0:
        divisor, step, start = -divisor, -step, -start
    found, sign = 0, 1
    while count > 0:
        found += sign * (step // divisor * (count * (count - 1) // 2) + start // divisor * count)
        step, start = step % divisor, start % divisor
        top = (start + count * step) // divisor  # the quotient behind the last one
        if not top:
            break
        # of the lines 1 … top, each is reached by all indices from some one on
        found += sign * (count * top)
        sign = -sign
        count, step, start, divisor = top, divisor, divisor - start - 1 + step, step
    return found
