"""Functions of bits: linear ones by their values at 1, 2, 4, …, as bit sets, and those with sums as `ParityForm`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple


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


@dataclass(frozen=True, slots=True)
class ParityForm:
    """x ↦ offset + Σ weight·(parity of the bits of x in a set), over x in [0, 2^k).

    `weights` has no zeros; its keys are sets of bits, not empty. Offset and weights are integers or sympy expressions.
    The parities are the Walsh functions up to scale, so two forms are the same function exactly if they are equal.
    Strided functions have weights of single bits only; affine ones, c ⊕ the bases at the bits of x, have the
    weights of `affine`.

    >>> swizzled = ParityForm.affine(0, [1, 2, 5])
    >>> swizzled.weights, [swizzled.at(x) for x in range(8)]
    ({5: 1, 2: 2, 4: 4}, [0, 1, 2, 3, 5, 4, 7, 6])
    """

    offset: Any
    weights: Mapping[int, Any]

    @staticmethod
    def of(offset: Any, weights: Iterable[tuple[int, Any]]) -> ParityForm:
        """The form of weights that may repeat a set; the parity of the empty set is 0."""
        found: dict[int, Any] = {}
        for bits, weight in weights:
            found[bits] = found.get(bits, 0) + weight
        return ParityForm(offset, {bits: w for bits, w in found.items() if bits and w != 0})

    @staticmethod
    def strided(offset: Any, steps: Iterable[Any]) -> ParityForm:
        """X ↦ offset + Σ x_i·step_i over the bits x_i."""
        return ParityForm(offset, {1 << i: step for i, step in enumerate(steps) if step != 0})

    @staticmethod
    def affine(constant: int, bases: Sequence[int]) -> ParityForm:
        """X ↦ constant ⊕ the bases at the bits of x; negative ones are in two's complement."""
        top = max([x.bit_length() for x in (constant, *bases)])
        rows_of, found = [0] * (top + 1), dict[int, int]()
        for i, base in enumerate(bases):
            left = base & (2 << top) - 1
            while left:  # its bits, from the lowest on
                rows_of[(left & -left).bit_length() - 1] |= 1 << i
                left &= left - 1
        for p, rows in enumerate(rows_of):  # the bit above all stands for the sign
            weight = -(1 << p) if p == top else 1 << p
            found[rows] = found.get(rows, 0) + (-weight if constant >> p & 1 else weight)
        return ParityForm(constant, {rows: w for rows, w in found.items() if rows and w})

    def at(self, x: int) -> Any:
        """The value at x."""
        return sum((w for bits, w in self.weights.items() if parity(bits & x)), start=self.offset)

    def through(self, constant: int, bases: Sequence[int]) -> ParityForm:
        """X ↦ self(constant ⊕ the bases at the bits of x): never more weights than before."""
        offset, found = self.offset, []
        for bits, weight in self.weights.items():
            pulled = sum(parity(bits & base) << i for i, base in enumerate(bases))
            if parity(bits & constant):
                offset, weight = offset + weight, -weight
            found.append((pulled, weight))
        return ParityForm.of(offset, found)

    def plus(self, number: Any) -> ParityForm:
        """The form with that number added to each value."""
        return ParityForm(self.offset + number, self.weights)

    def minus(self, other: ParityForm) -> ParityForm:
        """The difference; without weights and offset exactly where both are the same function."""
        other_weights = ((bits, -w) for bits, w in other.weights.items())
        return ParityForm.of(self.offset - other.offset, [*self.weights.items(), *other_weights])

    def fixed(self, bit: int, value: int) -> ParityForm:
        """The form where one bit has a value, which then counts for nothing."""
        mask, offset, found = 1 << bit, self.offset, []
        for bits, weight in self.weights.items():
            if bits & mask and value:
                offset, weight = offset + weight, -weight
            found.append((bits & ~mask, weight))
        return ParityForm.of(offset, found)

    def is_zero(self) -> bool:
        """Whether it is 0 everywhere."""
        return not self.weights and self.offset == 0

    def first_nonzero(self) -> int | None:
        """The least x at which it is not 0, None where there is none: each bit is 0 as long as something is left."""
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

    def steps(self, k: int) -> list[Any] | None:
        """What each of k bits adds, where the form is strided; None where it is not."""
        if any(bits & (bits - 1) for bits in self.weights):
            return None
        return [self.weights.get(1 << i, 0) for i in range(k)]

    def as_affine(self, k: int, width: int | None = None) -> tuple[int, list[int]] | None:
        """Constant and k bases, where the form is affine; None where it is not. `width`: of its values modulo 2^width.

        Affine exactly if the masks o ⊕ (o + weight) are disjoint: flips of disjoint bits add up. Modulo 2^width, in the
        bits below the top one, whose carry is lost.
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

    def conditions(self) -> Iterator[Any]:
        """What has to be 0 for it to be 0 everywhere."""
        if self.offset != 0:
            yield self.offset
        yield from self.weights.values()
