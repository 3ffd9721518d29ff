"""Accesses over the field of two elements: the spaces of a phase, and the bits of an address to choose.

A coordinate of the tile is an integer, its index, and a set of bits.
Source of the statements: proofs/README.md, layouts of shared memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import prod
from typing import NamedTuple

from symview.cute.errors import LayoutError
from symview.engine.bases import echelon, value_of
from symview.shared_memory.accesses import Coordinate, Lanes


class Memory(NamedTuple):
    """Elements of 2^n bytes in banks of words, all powers of two: the address bits of words and banks."""

    word: int  # log2 of the elements of a word; negative if an element has several words
    banks: int  # log2

    @staticmethod
    def of(element_bytes: int, banks: int, width: int) -> Memory:
        """Builds the memory; raises LayoutError if a size is not a power of two."""
        bits = [exponent(n, what) for n, what in
                ((element_bytes, "element_bytes"), (banks, "banks"), (width, "width"))]  # fmt: skip
        return Memory(bits[2] - bits[0], bits[1])

    def groups(self, vector: int) -> int:
        """Log2 of the groups of banks that a vector of 2^vector elements, or a word, can be in."""
        return self.banks - max(0, vector - self.word)


def exponent(n: int, what: str) -> int:
    """Log2 of a power of two; raises LayoutError for other numbers."""
    if n < 1 or n & n - 1:
        raise LayoutError(f"{what} is {n}: linear layouts and swizzles need powers of two; padding takes any size")
    return n.bit_length() - 1


@dataclass(frozen=True, slots=True)
class Bits:
    """An access that is linear in its bits: those of the vector, of the lanes, and of all other elements.

    Of the lanes, the first `served` bits are those of a phase.
    """

    name: str
    weight: int
    vector: tuple[int, ...]
    lanes: tuple[int, ...]
    rest: tuple[int, ...]
    least: int  # how many of the vector's bits remain if it is cut
    served: int
    memory: Memory

    @staticmethod
    def of(lanes: Lanes, tile: Sequence[int], order: Sequence[int], memory: Memory) -> Bits:
        """The bits of an access; raises LayoutError, naming the lane, if it is not linear.

        `order` lists the lanes phase by phase: those of a machine are cosets of a space, so that it is linear.
        """

        def index(x: Coordinate) -> int:
            return sum(c * prod(tile[:a]) for a, c in enumerate(x))

        found = [[[index(x) for x in one[lane]] for lane in order if lane < len(one)] for one in lanes.instructions]
        v = exponent(lanes.size, f"{lanes.name}: the size of a vector")
        k = exponent(len(found[0]), f"{lanes.name}: the number of lanes")
        start = found[0][0][0]
        inner = [found[0][0][1 << i] ^ start for i in range(v)]
        outer = [found[0][1 << i][0] ^ start for i in range(k)]
        sums = spanned(inner)
        for number, one in enumerate(found):
            for place, (lane, vector) in enumerate(zip(order, one, strict=False)):
                first = one[0][0] ^ value_of(outer, place)
                if len(one) != 1 << k or vector != [first ^ x for x in sums]:
                    where = f"lane {lane} of instruction {number}, at {lanes.instructions[number][lane][0]},"
                    raise LayoutError(f"{lanes.name}: {where} is not linear in bits; padding takes it")
        rest = independent([start, *[one[0][0] ^ start for one in found]])  # a linear layout has element 0 at 0
        bits = tuple(inner), tuple(outer), tuple(rest)
        return Bits(lanes.name, lanes.weight, *bits, exponent(lanes.least, "least"), k, memory)

    def cut(self, vector: int, phases: Sequence[Sequence[int]], memory: Memory) -> Bits:
        """The access in these phases, with vectors cut to `vector` bits: the rest becomes more instructions."""
        sizes = {*map(len, phases)}
        served = exponent(max(sizes), f"{self.name}: the lanes of a phase")
        if len(sizes) > 1:
            raise LayoutError(f"{self.name}: its phases have different sizes; padding takes it")
        rest = (*self.rest, *self.vector[vector:])
        return replace(self, vector=self.vector[:vector], rest=rest, served=served, memory=memory)

    def phase(self) -> tuple[int, ...]:
        """The vectors that span the elements of a phase."""
        return self.vector + self.lanes[: self.served]

    def outside(self, n: int) -> list[int]:
        """The vectors that span the starts of all vectors in the tile; raises LayoutError if vectors overlap.

        Elements that the access does not reach are reached along the dims, by powers of two.
        """
        starts = independent([*self.lanes, *self.rest])
        found = echelon([*self.vector, *starts])
        if found.kernel:
            raise LayoutError(f"{self.name}: a vector starts inside another one")
        return independent([*self.vector, *starts, *[1 << i for i in range(n)]])[len(self.vector) :]


def independent(vectors: Iterable[int]) -> list[int]:
    """The vectors that are not sums of earlier ones."""
    vectors = [*vectors]
    left_out = {x.bit_length() - 1 for x in echelon(vectors).kernel}
    return [x for i, x in enumerate(vectors) if i not in left_out]


def rank(vectors: Iterable[int]) -> int:
    """The dimension of their span."""
    return len(echelon([*vectors]).pivots)


def spanned(basis: Sequence[int]) -> list[int]:
    """All sums; entry i is the sum at the bits of i."""
    found = [0]
    for b in basis:
        found += [x ^ b for x in found]
    return found


def conflicts(columns: Sequence[int], access: Bits) -> int:
    """The ways of the access under the linear map with these values at 1, 2, 4, …: a difference of ranks."""
    memory = access.memory
    word, low = max(memory.word, 0), (1 << memory.banks + min(memory.word, 0)) - 1
    words = [value_of(columns, x) >> word for x in access.phase()]
    return 1 << rank(words) - rank([w & low for w in words])


@dataclass(frozen=True, slots=True)
class Setting:
    """Accesses whose vectors some layout has: its lowest bits are `vector`, where the bits to choose are 0.

    `spaces`: for each access the elements of a phase that only the choice of banks separates, modulo `vector`.
    """

    accesses: tuple[Bits, ...]
    vector: tuple[int, ...]  # with the vectors that complete a word
    outside: tuple[int, ...]  # a basis of the elements modulo these
    spaces: tuple[tuple[int, ...], ...]  # over that basis
    groups: int  # log2 of the number of groups of banks for these

    def floors(self) -> list[int]:
        """The fewest ways of each access, by the pigeonhole principle."""
        return [1 << max(0, len(s) - self.groups) for s in self.spaces]

    def columns(self, kernel: Sequence[int]) -> list[int]:
        """The linear layout whose groups of banks have this kernel."""
        n = len(self.vector) + len(self.outside)
        others = independent([*kernel, *[1 << i for i in range(len(self.outside))]])[len(kernel) :]
        lifted = [value_of(self.outside, x) for x in (*others, *kernel)]
        back = echelon([*self.vector, *lifted])
        return [back.preimage(1 << i) or 0 for i in range(n)]


class Clash(NamedTuple):
    """Two accesses, by number, whose vectors no layout has both.

    If they need two elements at the same place, `place`, these are `elements`; else one element is at two places.
    """

    accesses: tuple[int, int]
    places: tuple[int, int]
    elements: tuple[int, int]


def clash(accesses: Sequence[Bits], n: int) -> Clash | None:
    """Two accesses whose vectors no layout has both; None if one layout has all."""
    for (i, a), (j, b) in combinations(enumerate(accesses), 2):
        v = min(len(a.vector), len(b.vector))
        for k, elements in enumerate(zip(a.vector[:v], b.vector[:v], strict=True)):
            if elements[0] != elements[1]:
                return Clash((i, j), (1 << k, 1 << k), elements)
        for k, places in enumerate(zip(_lowest(a, n, v), _lowest(b, n, v), strict=True)):
            if places[0] != places[1]:
                return Clash((i, j), places, (1 << k, 1 << k))
    return None


def _lowest(access: Bits, n: int, bits: int) -> list[int]:
    """The lowest bits of an address, which the vector determines, at each bit of the coordinate."""
    found = echelon([*access.vector, *access.outside(n)])
    return [(found.preimage(1 << i) or 0) & (1 << bits) - 1 for i in range(n)]


def settings(accesses: Sequence[Bits], n: int, most: int = 256) -> tuple[list[Setting], bool]:
    """The settings, one for each way to complete a word, and whether these are all ways; the vectors must fit.

    All accesses need the same memory.
    """
    memory = accesses[0].memory
    widest = max(accesses, key=lambda a: len(a.vector))
    low, outside = widest.vector, widest.outside(n)
    missing = min(memory.word - len(low), len(outside))
    if missing <= 0:
        return [_setting(accesses, low, outside)], True
    inside = echelon([*low, *outside])
    every = 1 << missing * (len(outside) - missing) < most // 4  # approximately the number of subspaces
    used = [(inside.preimage(x) or 0) >> len(low) for a in accesses for x in spanned(a.phase())]
    pool = range(1, 1 << len(outside)) if every else sorted({*used, *[1 << i for i in range(len(outside))]} - {0})
    seen: dict[tuple[int, ...], Setting] = {}
    for words in combinations(pool, missing):
        space = tuple(sorted(spanned(words)))
        if len({*space}) == len(space) and space not in seen and len(seen) < most:
            more = [value_of(outside, x) for x in words]
            apart = independent([*more, *outside])[len(more) :]
            seen[space] = _setting(accesses, (*low, *more), apart)
    return [*seen.values()], every


def _setting(accesses: Sequence[Bits], vector: Sequence[int], outside: Sequence[int]) -> Setting:
    memory, inside, v = accesses[0].memory, echelon([*vector, *outside]), len(vector)
    banks = (1 << v) - (1 << min(v, max(memory.word, 0)))  # bits of a vector that separate banks
    spaces = []
    for a in accesses:
        found = [inside.preimage(x) or 0 for x in a.phase()]
        zero = echelon([x & banks for x in found]).kernel
        spaces.append(tuple(independent([value_of(found, x) >> v for x in zero])))
    return Setting(tuple(accesses), tuple(vector), tuple(outside), tuple(spaces), memory.groups(v))


def floor_alone(access: Bits, n: int) -> int:
    """The fewest ways of an access by the pigeonhole principle; 1 if its vectors do not fill words."""
    (setting, *_), _ = settings([access], n)
    return setting.floors()[0] if len(setting.vector) == len(access.vector) else 1


def cover(spaces: Sequence[Sequence[int]], size: int, spend: Callable[[int], None]) -> list[int] | None:
    """A basis of a space of this dimension whose vectors all lie in some of the spaces; None if there is none."""
    inside = {x for s in spaces for x in spanned(s)}

    def further(basis: list[int], all_of: list[int], left: list[int]) -> list[int] | None:
        if len(basis) == size:
            return basis
        for i, x in enumerate(left):
            spend(len(all_of))
            if all(x ^ w in inside for w in all_of):
                more = [*all_of, *[x ^ w for w in all_of]]
                taken = {*more}
                found = further([*basis, x], more, [y for y in left[i + 1 :] if y not in taken])
                if found is not None:
                    return found
        return None

    return further([], [0], sorted(inside - {0}))
