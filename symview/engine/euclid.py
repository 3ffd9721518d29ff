"""First multiples in an interval of residues, in logarithmic time."""

from __future__ import annotations


def first_multiple(step: int, modulus: int, low: int, high: int) -> int | None:
    """The least k >= 0 with low <= k·step mod modulus <= high, None where there is none.

    Needs 0 <= low <= high < modulus. Euclid's algorithm on (modulus, step).

    >>> first_multiple(7, 100, 3, 5), first_multiple(4, 8, 1, 3)
    (15, None)
    """
    step %= modulus
    if low == 0:
        return 0
    if step == 0:
        return None
    if 2 * step > modulus:
        return first_multiple(modulus - step, modulus, modulus - high, modulus - low)
    k = -(-low // step)
    if k * step <= high:
        return k
    # no multiple of step in [low, high]: how often must the modulus be passed before one is?
    turns = first_multiple(modulus % step, step, -high % step, -low % step)
    return None if turns is None else -(-(low + modulus * turns) // step)
