"""Integer functions of an index (`Map`): a strided base followed by stages, which are strided or act on bits.

An offset is a stage, a line of stride 1. All stages are defined on all integers; whoever makes a map of objects with a
smaller domain checks once that their arguments stay inside.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from math import gcd, prod
from typing import Any

from symview.engine.bases import ParityForm, first_overlap, value_of
from symview.logic.bits import Bits, Number

Mode = tuple[int, int]
Flips = tuple[int, list[int]]  # a constant, and the bits that each bit of the index flips
PLAIN = Bits()


@dataclass(frozen=True, slots=True)
class Strided:
    """y ↦ offset + Σ digit·stride over the digits of y, first mode fastest; the last mode extends beyond its size.

    `of` coalesces the modes; two coalesced maps are the same function iff they are equal.

    >>> Strided.of([(2, 1), (3, 2), (1, 5)]), Strided.of([(2, 1), (3, 2), (1, 5)], extended=False)
    (Strided(modes=((6, 1), (1, 5)), offset=0), Strided(modes=((6, 1),), offset=0))
    """

    modes: tuple[Mode, ...]
    offset: int = 0

    @staticmethod
    def of(modes: Iterable[Mode], offset: int = 0, extended: bool = True) -> Strided:
        """Coalesces the modes. `extended` keeps a last mode of size 1, which affects arguments beyond the size."""
        given, found = list(modes), list[Mode]()
        for j, (n, d) in enumerate(given):
            if n == 1 and not (extended and j == len(given) - 1):
                continue
            if found and d == found[-1][0] * found[-1][1]:
                found[-1] = (found[-1][0] * n, found[-1][1])
            else:
                found.append((n, d))
        if extended and len(found) <= 1:
            found = [(1, found[0][1] if found else 0)]  # a single mode is unbounded, so its size does not matter
        return Strided(tuple(found), offset)

    def of_value(self, bits: Bits, y: Number) -> Number:
        """The value at y, an integer or a bit-vector."""
        total: Number = self.offset
        for n, d in self.modes[:-1]:
            total = total + bits.remainder(y, n) * d
            y = bits.divide(y, n)
        return total + y * self.modes[-1][1] if self.modes else y * 0 + total

    def size(self) -> int:
        """The product of the modes' sizes."""
        return prod([n for n, _ in self.modes])

    def is_line(self) -> bool:
        """Whether the map is y ↦ offset + stride·y."""
        return len(self.modes) == 1

    def is_injective(self) -> bool:
        """Whether the map is known to be injective: a line with a stride other than 0."""
        return self.is_line() and self.modes[0][1] != 0

    def after(self, inner: Strided, extended: bool) -> Strided:
        """Composes a line, which self has to be, with another strided map."""
        d = self.modes[0][1]
        return Strided.of([(n, s * d) for n, s in inner.modes], self.offset + d * inner.offset, extended)

    def below(self, size: int) -> Strided:
        """Restricts the map to arguments below `size`; the last mode becomes as short as that permits."""
        if self.modes and self.modes[-1][0] > 1 and self.size() == size:
            return self
        found, place = list[Mode](), 1
        for j, (n, d) in enumerate(self.modes):
            if place < size:
                left = -(-size // place)
                found.append((left if j == len(self.modes) - 1 else min(n, left), d))
                place *= n
        return Strided.of(found, self.offset, False)

    def flips(self, constant: int, bases: Sequence[int]) -> Flips | None:
        """Applies the map to constant ⊕ bases; possible if the bases share no bit and the map is a line."""
        if not self.is_line() or first_overlap(bases) is not None:
            return None
        d = self.modes[0][1]
        return xored(self.offset + constant * d, [((constant ^ b) - constant) * d for b in bases])

    def through(self, inside: ParityForm, q: int) -> ParityForm | None:
        """The normal form of this map after `inside`, on 2^q indices; None if it is not known."""
        if self.is_line():
            d = self.modes[0][1]
            return ParityForm.of(self.offset + d * inside.offset, ((bits, w * d) for bits, w in inside.weights.items()))
        if inside.steps(q) == [1 << i for i in range(q)]:
            return self.on_block(inside.offset, q)
        affine = inside.as_affine(q)
        if affine is None or min(affine[0], *affine[1], 0) < 0:
            return None
        own = self.on_block(0, max(x.bit_length() for x in (affine[0], *affine[1])))
        return None if own is None else own.through(*affine)

    def on_block(self, y: int, q: int) -> ParityForm | None:
        """The form of t ↦ value at y + t for t < 2^q; None if a digit overflows whose size is not a power of two."""
        steps: list[int] = []
        offset, last = self.of_value(PLAIN, y), len(self.modes) - 1
        for j, (n, d) in enumerate(self.modes):
            digit, left = y % n, q - len(steps)
            if j == last or digit + (1 << left) <= n:
                steps += [d * (1 << i) for i in range(left)]
                break
            if digit or n & (n - 1):
                return None
            steps += [d * (1 << i) for i in range(n.bit_length() - 1)]
            y //= n
        return ParityForm.strided(offset, steps)

    def bounds(self, low: int, high: int) -> tuple[int, int]:
        """Bounds of the values for arguments between these."""
        if not self.modes:
            return self.offset, self.offset
        reach = [(n - 1) * d for n, d in self.modes[:-1]]
        place, step = prod([n for n, _ in self.modes[:-1]]), self.modes[-1][1]
        first, last = sorted((step * (low // place), step * (high // place)))
        least, most = sum(r for r in reach if r < 0), sum(r for r in reach if r > 0)
        return self.offset + least + first, self.offset + most + last

    def repeats(self) -> tuple[int, int]:
        """P and c with f(y + P) = f(y) + c for all y."""
        return (prod([n for n, _ in self.modes[:-1]]), self.modes[-1][1]) if self.modes else (1, 0)

    def largest(self, top: int) -> int:
        """A bound for all intermediate results, for arguments up to `top` in absolute value."""
        return int(abs(self.offset) + sum((top + 1) * abs(d) for _, d in self.modes))


class _OfBits:
    """The base of stages that map constant ⊕ bases to the same kind."""

    __slots__ = ()

    def of_value(self, bits: Bits, y: Number) -> Number:
        """The value at y, an integer or a bit-vector."""
        raise NotImplementedError

    def flips(self, constant: int, bases: Sequence[int]) -> Flips:
        """Applies the map to constant ⊕ bases."""
        zero = self.of_value(PLAIN, 0)
        return self.of_value(PLAIN, constant), [self.of_value(PLAIN, b) ^ zero for b in bases]

    def is_line(self) -> bool:
        """False: stages of bits are never treated as lines."""
        return False


@dataclass(frozen=True, slots=True)
class Xor(_OfBits):
    """y ↦ constant ⊕ the columns at the bits of y: a linear layout. Ignores bits beyond the columns."""

    columns: tuple[int, ...]
    constant: int = 0

    def of_value(self, bits: Bits, y: Number) -> Number:
        """The value at y, an integer or a bit-vector."""
        if bits.z3 is None:
            return self.constant ^ value_of(self.columns, y & (1 << len(self.columns)) - 1)
        total = y * 0 + self.constant
        for i, column in enumerate(self.columns):
            total = total ^ ((bits.shifted(y, i) & 1) * column)
        return total

    def is_injective(self) -> bool:
        """False, since injectivity is not tracked."""
        return False

    def through(self, inside: ParityForm, q: int) -> ParityForm | None:
        """The normal form of this after an affine form."""
        affine = inside.as_affine(q)
        return None if affine is None else ParityForm.affine(*self.flips(*affine))

    def bounds(self, low: int, high: int) -> tuple[int, int]:
        """Bounds of the values for arguments between these."""
        return 0, (1 << max([x.bit_length() for x in (self.constant, *self.columns)])) - 1

    def repeats(self) -> None:
        """None: a linear layout has no period that is used."""
        return

    def largest(self, top: int) -> int:
        """A bound for all intermediate results, for arguments up to `top` in absolute value."""
        return max(self.bounds(0, 0)[1] + 1, 1 << len(self.columns), 1 << top.bit_length())


@dataclass(frozen=True, slots=True)
class XorShift(_OfBits):
    """y ↦ y ⊕ (y & read) shifted right by `shift` bits, left if negative: a swizzle."""

    read: int
    shift: int

    def of_value(self, bits: Bits, y: Number) -> Number:
        """The value at y, an integer or a bit-vector."""
        return y ^ bits.shifted(y & self.read, self.shift)

    def is_injective(self) -> bool:
        """True: a swizzle is its own inverse."""
        return True

    def changed(self) -> int:
        """The mask of the bits that change."""
        return self.read >> self.shift if self.shift > 0 else self.read << -self.shift

    def width(self) -> int:
        """The number k of bits such that the swizzle permutes every interval [m·2^k, (m+1)·2^k)."""
        return max(self.read.bit_length(), self.changed().bit_length())

    def through(self, inside: ParityForm, q: int) -> ParityForm | None:
        """The normal form of this after a form that is affine, at least in the bits that the swizzle uses."""
        affine = inside.as_affine(q)
        if affine is not None:
            return ParityForm.affine(*self.flips(*affine))
        low = inside.as_affine(q, self.width())
        if low is None:
            return None
        return inside.minus(ParityForm.affine(*low).minus(ParityForm.affine(*self.flips(*low))))

    def bounds(self, low: int, high: int) -> tuple[int, int]:
        """Bounds of the values for arguments between these."""
        if low >= 0 and high < self.read & -self.read:  # no bit that the swizzle reads is set
            return low, high
        below = self.changed().bit_length()
        if self.shift > 0 and low >= 0:  # a bit moves bits below it
            below = min(below, high.bit_length())
        return low >> below << below, high | (1 << below) - 1

    def repeats(self) -> tuple[int, int]:
        """P and c with f(y + P) = f(y) + c for all y."""
        return 1 << self.width(), 1 << self.width()

    def largest(self, top: int) -> int:
        """A bound for all intermediate results, for arguments up to `top` in absolute value."""
        return max(1 << self.width(), 1 << top.bit_length())


Stage = Strided | Xor | XorShift


@dataclass(frozen=True, slots=True)
class Map:
    """x ↦ the stages of `front`, applied in order to the base at x, for x in [0, size).

    `of` merges stages: a strided map has an empty `front`, an affine base has one mode, and two equal swizzles in a row
    cancel. The base has as many indices as the map; a strided map that ends within a mode is a stage after the
    identity. `==` compares representations; `first_difference` compares functions.

    >>> swizzled = Map.of(8, Strided.of([(4, 1), (2, 4)]), XorShift(4, 2))
    >>> [swizzled(x) for x in range(8)], swizzled.columns()
    ([0, 1, 2, 3, 5, 4, 7, 6], (0, [1, 2, 5]))
    >>> Map.of(8, shift(1), shift(2)) == line([(8, 1)], 3)
    True
    """

    size: int
    base: Strided
    front: tuple[Stage, ...] = ()

    @staticmethod
    def of(size: int, *stages: Stage) -> Map:
        """The merged map of these stages, in order of application."""
        base = whole = Strided(((size, 1),)).below(size)
        front: list[Stage] = []
        for stage in stages:
            if isinstance(stage, Strided) and not front and base == whole and (own := stage.below(size)).size() == size:
                base = own
            elif isinstance(stage, Strided) and stage.is_line() and not front:
                base = stage.after(base, extended=False)
            elif isinstance(stage, Strided) and stage.is_line() and isinstance(front[-1], Strided):
                front[-1] = stage.after(front[-1], extended=True)
            elif isinstance(stage, XorShift) and front and front[-1] == stage:
                front.pop()
            elif stage != shift(0) and not (isinstance(stage, XorShift) and stage.read == 0):
                front.append(stage)
        return Map(size, base, tuple(front))

    def strided(self) -> Strided | None:
        """The map as one strided function below its size, if its stages are known to be one; else None."""
        if not self.front:
            return self.base
        alone = self.front[0] if self.base == Strided(((self.size, 1),)) and len(self.front) == 1 else None
        return alone if isinstance(alone, Strided) else None

    def __call__(self, x: int) -> Any:
        """The value at an index."""
        return self.moved(self.base.of_value(PLAIN, x))

    def moved(self, y: int) -> Any:
        """Applies the stages of `front` to a value of the base."""
        for stage in self.front:
            y = stage.of_value(PLAIN, y)
        return y

    def on_bits(self, bits: Bits, x: Number) -> Number:
        """The value at an index, an integer or a bit-vector of `width` bits."""
        return reduce(lambda y, stage: stage.of_value(bits, y), (self.base, *self.front), x)

    def width(self) -> int:
        """A number of bits in which indices, values and intermediate results do not overflow."""
        return reduce(lambda top, stage: max(top, stage.largest(top)), (self.base, *self.front), self.size).bit_length()

    def cut(self, size: int) -> Map:
        """Restricts the map to indices below `size`."""
        return Map.of(size, self.base, *self.front)

    def then(self, *stages: Stage) -> Map:
        """Appends stages."""
        return Map.of(self.size, self.base, *self.front, *stages)

    def form(self, x: int, q: int) -> ParityForm | None:
        """The unique normal form of t ↦ value at x + t for t < 2^q, if known; it is known for q = 0."""
        if q == 0:
            return ParityForm(self(x), {})
        found = self.base.on_block(x, q)
        for stage in self.front:
            found = None if found is None else stage.through(found, q)
        return found

    def columns(self) -> Flips | None:
        """The value at 0, and the bits that each bit of the index flips, if the map is affine on a power of two.

        Most tiles are affine stage by stage, which takes a few operations; normal forms are more general and more
        expensive.
        """
        k = self.size.bit_length() - 1
        if self.size != 1 << k:
            return None
        if self.front and all(n & n - 1 == 0 for n, _ in self.base.modes):
            steps = [d << i for n, d in self.base.modes for i in range(n.bit_length() - 1)]
            flips = xored(self.base.offset, steps)
            for stage in self.front:
                flips = None if flips is None else stage.flips(*flips)
            if flips is not None:
                return flips
        form = self.form(0, k)
        return None if form is None else form.as_affine(k)

    def bounds(self) -> list[tuple[int, int]]:
        """Bounds for the argument of each stage of `front`, and for the value; they need not be sharp."""
        reach = [(n - 1) * d for n, d in self.base.modes]
        start = self.base.offset
        found = [(start + sum(r for r in reach if r < 0), start + sum(r for r in reach if r > 0))]
        for stage in self.front:
            found.append(stage.bounds(*found[-1]))
        return found

    def repeats(self) -> tuple[int, int] | None:
        """P and c with moved(y + P) = moved(y) + c for all y; None if `front` contains a linear layout."""
        period = step = 1
        for stage in self.front:
            own = stage.repeats()
            if own is None:
                return None
            times = own[0] // gcd(own[0], step)
            period, step = period * times, step * times // own[0] * own[1]
        return period, step

    def period(self) -> int | None:
        """P with moved(y + P) = moved(y) + P for all y; None if there is none, for example if a stage scales.

        >>> base = Strided.of([(8, 1)])
        >>> Map.of(8, base, XorShift(4, 2)).period(), Map.of(8, base, XorShift(4, 2), Strided.of([(16, 2)])).period()
        (8, None)
        """
        found = self.repeats()
        return found[0] if found is not None and found[0] == found[1] else None

    def is_swizzled(self) -> bool:
        """Whether `front` contains only swizzles and offsets."""
        return all(isinstance(s, XorShift) or s == shift(getattr(s, "offset", 0)) for s in self.front)


def xored(start: int, steps: Sequence[int]) -> Flips | None:
    """Writes start + Σ x_i·step_i over bits x_i as start ⊕ masks, if no sum overflows a bit; else None."""
    masks = [start ^ start + step for step in steps]
    return None if first_overlap(masks) is not None else (start, masks)


def shift(by: int) -> Strided:
    """The stage y ↦ y + by."""
    return Strided(((1, 1),), by)


def line(modes: Sequence[Mode], offset: int = 0) -> Map:
    """The strided map of these modes."""
    return Map(prod([n for n, _ in modes]), Strided.of(modes, offset, False))


def affine(columns: Sequence[int], constant: int = 0, size: int | None = None, start: int = 0) -> Map:
    """The map x ↦ constant ⊕ the columns at the bits of start + x."""
    size = 1 << len(columns) if size is None else size
    return Map(size, Strided(((size, 1),), start).below(size), (Xor(tuple(columns), constant),))
