"""Functions of bits: linear ones, given by their values at 1, 2, 4, …, and sums of parities (`ParityForm`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple


def set_bits(x: int) -> Iterator[int]:
    """The positions of the set bits of x >= 0, lowest first.

    >>> list(set_bits(0b1101))
    [0, 2, 3]
    """
    while x:
        low = x & -x
        yield low.bit_length() - 1
        x ^= low


def parity(x: int) -> int:
    """The number of set bits of x >= 0, modulo 2."""
    return x.bit_count() & 1


def value_of(bases: Sequence[int], x: int) -> int:
    """The xor of the bases at the set bits of x; x has no bits beyond the bases.

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
    """Bases in echelon form: by top bit, each pivot with its input; and inputs that span the kernel."""

    pivots: dict[int, tuple[int, int]]
    kernel: list[int]

    def preimage(self, y: int) -> int | None:
        """The unique input with the value y that uses no dependent base; None if y is not a value."""
        x = 0
        while y:
            pivot = self.pivots.get(y.bit_length())
            if pivot is None:
                return None
            y ^= pivot[0]
            x ^= pivot[1]
        return x


def echelon(bases: Sequence[int]) -> Echelon:
    """Gaussian elimination, base by base; a base that depends on the previous ones contributes to the kernel.

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
    """The first pair i < j of masks that share a bit, least j first; None if all masks are disjoint.

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


@dataclass(frozen=True, slots=True)
class ParityForm:
    """x ↦ offset + Σ weight·(parity of the bits of x in a set), over x in [0, 2^k).

    `weights` maps nonempty sets of bits to nonzero weights. The parities are the Walsh functions up to scale, so two
    forms are the same function iff they are equal. Strided functions have weights of single bits only; affine ones, c ⊕
    the bases at the bits of x, have the weights of `affine`.

    >>> swizzled = ParityForm.affine(0, [1, 2, 5])
    >>> swizzled.weights, [swizzled.at(x) for x in range(8)]
    ({5: 1, 2: 2, 4: 4}, [0, 1, 2, 3, 5, 4, 7, 6])
    """

    offset: int
    weights: Mapping[int, int]

    @staticmethod
    def of(offset: int, weights: Iterable[tuple[int, int]]) -> ParityForm:
        """Adds the weights of equal sets; the parity of the empty set is 0."""
        found: dict[int, int] = {}
        for bits, weight in weights:
            found[bits] = found.get(bits, 0) + weight
        return ParityForm(offset, {bits: w for bits, w in found.items() if bits and w != 0})

    @staticmethod
    def strided(offset: int, steps: Iterable[int]) -> ParityForm:
        """The form of x ↦ offset + Σ x_i·step_i over the bits x_i."""
        return ParityForm(offset, {1 << i: step for i, step in enumerate(steps) if step != 0})

    @staticmethod
    def affine(constant: int, bases: Sequence[int]) -> ParityForm:
        """The form of x ↦ constant ⊕ the bases at the bits of x; negative bases are in two's complement."""
        top = max([x.bit_length() for x in (constant, *bases)])
        rows_of, found = [0] * (top + 1), dict[int, int]()
        for i, base in enumerate(bases):
            left = base & (2 << top) - 1
            while left:  # its bits, lowest first
                rows_of[(left & -left).bit_length() - 1] |= 1 << i
                left &= left - 1
        for p, rows in enumerate(rows_of):  # the top bit is the sign
            weight = -(1 << p) if p == top else 1 << p
            found[rows] = found.get(rows, 0) + (-weight if constant >> p & 1 else weight)
        return ParityForm(constant, {rows: w for rows, w in found.items() if rows and w})

    def at(self, x: int) -> int:
        """The value at x."""
        return sum((w for bits, w in self.weights.items() if parity(bits & x)), start=self.offset)

    def through(self, constant: int, bases: Sequence[int]) -> ParityForm:
        """The form of x ↦ self(constant ⊕ the bases at the bits of x); it has no more weights than self."""
        offset, found = self.offset, []
        for bits, weight in self.weights.items():
            pulled = sum(parity(bits & base) << i for i, base in enumerate(bases))
            if parity(bits & constant):
                offset, weight = offset + weight, -weight
            found.append((pulled, weight))
        return ParityForm.of(offset, found)

    def plus(self, number: int) -> ParityForm:
        """Adds a number to every value."""
        return ParityForm(self.offset + number, self.weights)

    def minus(self, other: ParityForm) -> ParityForm:
        """The difference; it has no weights and offset 0 iff both are the same function."""
        other_weights = ((bits, -w) for bits, w in other.weights.items())
        return ParityForm.of(self.offset - other.offset, [*self.weights.items(), *other_weights])

    def fixed(self, bit: int, value: int) -> ParityForm:
        """Fixes one bit; the result does not depend on it."""
        mask, offset, found = 1 << bit, self.offset, []
        for bits, weight in self.weights.items():
            if bits & mask and value:
                offset, weight = offset + weight, -weight
            found.append((bits & ~mask, weight))
        return ParityForm.of(offset, found)

    def is_zero(self) -> bool:
        """Whether the form is 0 everywhere."""
        return not self.weights and self.offset == 0

    def first_nonzero(self) -> int | None:
        """The least x with a nonzero value, or None: each bit, from the top, is 0 unless that makes the form zero."""
        if self.is_zero():
            return None
        form, x = self, 0
        for bit in reversed(range(max([bits.bit_length() for bits in self.weights], default=0))):
            low = form.fixed(bit, 0)
            if low.is_zero():
                form, x = form.fixed(bit, 1), x | 1 << bit
            else:
                form = low
        return x

    def steps(self, k: int) -> list[int] | None:
        """The step of each of k bits if the form is strided, otherwise None."""
        if any(bits & (bits - 1) for bits in self.weights):
            return None
        return [self.weights.get(1 << i, 0) for i in range(k)]

    def as_affine(self, k: int, width: int | None = None) -> tuple[int, list[int]] | None:
        """Constant and k bases if the form is affine, otherwise None; with `width`, modulo 2^width.

        A form is affine iff the masks o ⊕ (o + weight) are disjoint, since flips of disjoint bits add up. Modulo
        2^width, only the bits below the top one have to be disjoint, because its overflow is lost.
        """
        start, low, kept = self.offset, -1, -1
        if width is not None:
            low, kept = (1 << max(width - 1, 0)) - 1, (1 << width) - 1
        masks = [(bits, (start ^ (start + weight)) & kept) for bits, weight in self.weights.items()]
        if first_overlap([mask & low for _, mask in masks]) is not None:
            return None
        bases = [0] * k
        for bits, mask in masks:
            for i in set_bits(bits):
                bases[i] ^= mask
        return start & kept, bases
