"""Linear algebra over the field of two elements: a map is the list of its values at 1, 2, 4, …, as bit sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple


def set_bits(x: int) -> Iterator[int]:
    """The numbers of the bits of x >= 0 that are set, lowest first.

    >>> list(set_bits(0b1101))
    [0, 2, 3]
    """
    while x:
        low = x & -x
        yield low.bit_length() - 1
        x ^= low


def parity(x: int) -> int:
    """How many bits of x >= 0 are set, modulo 2."""
    return x.bit_count() & 1


def value_of(bases: Sequence[int], x: int) -> int:
    """The exclusive or of the bases at the bits of x, which has no others.

    >>> value_of([1, 2, 7], 0b101)
    6
    """
    total = 0
    while x:
        low = x & -x
        total ^= bases[low.bit_length() - 1]
        x ^= low
    return total


class Echelon(NamedTuple):
    """Bases in echelon form: by top bit, each pivot and the input that gives it; and inputs that span the kernel."""

    pivots: dict[int, tuple[int, int]]
    kernel: list[int]

    def preimage(self, y: int) -> int | None:
        """The one input without bits at dependent bases whose value is y; None where y is no value."""
        x = 0
        while y:
            pivot = self.pivots.get(y.bit_length())
            if pivot is None:
                return None
            y ^= pivot[0]
            x ^= pivot[1]
        return x


def echelon(bases: Sequence[int]) -> Echelon:
    """Gaussian elimination, one base after the other; a base that depends on those before it ends in the kernel.

    >>> echelon([1, 2, 3]).kernel, echelon([1, 2, 3]).preimage(3), echelon([2]).preimage(1)
    ([7], 3, None)
    """
    found = Echelon({}, [])
    for i, base in enumerate(bases):
        x = 1 << i
        while base:
            pivot = found.pivots.get(base.bit_length())
            if pivot is None:
                found.pivots[base.bit_length()] = base, x
                break
            base ^= pivot[0]
            x ^= pivot[1]
        else:
            found.kernel.append(x)
    return found


def first_overlap(masks: Sequence[int]) -> tuple[int, int] | None:
    """The first j whose mask meets an earlier one, and the first i it meets; None where masks are disjoint.

    Masks may be negative: bit sets in two's complement.

    >>> first_overlap([1, 6, 8, 2]), first_overlap([1, 2]), first_overlap([-4, 8])
    ((1, 3), None, (0, 1))
    """
    seen = 0
    for j, mask in enumerate(masks):
        if seen & mask:
            return next(i for i in range(j) if masks[i] & mask), j
        seen |= mask
    return None
