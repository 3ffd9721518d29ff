"""Layouts of shared memory by the definition: every byte of every phase, every invertible map, every pitch.

Nothing from symview. A tile is a tuple of sizes, an access a list of phases, each a list of vectors, and a vector the
coordinates that one lane reads. An address is a function from a coordinate to the place of its element.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from random import Random

Coordinate = tuple[int, ...]
Vector = list[Coordinate]
Phase = list[Vector]
Address = Callable[[Coordinate], int]


def ways(address: Address, phases: Sequence[Phase], element: int, banks: int, width: int) -> int | None:
    """The most different words of one bank in one phase; None where a vector is not whole and aligned."""
    most = 0
    for phase in phases:
        touched = set()
        for vector in phase:
            places = [address(x) for x in vector]
            if places[0] % len(vector) or places != list(range(places[0], places[0] + len(vector))):
                return None
            touched |= {(p * element + byte) // width for p in places for byte in range(element)}
        most = max(most, *[sum(w % banks == b for w in touched) for b in range(banks)])
    return most


def matrices(n: int) -> Iterator[list[int]]:
    """All invertible maps of n bits, each the list of its values at 1, 2, 4, …: none is a sum of those before."""

    def further(found: list[int], spanned: frozenset[int]) -> Iterator[list[int]]:
        if len(found) == n:
            yield found
            return
        for x in range(2**n):
            if x not in spanned:
                yield from further([*found, x], spanned | {x ^ y for y in spanned})

    yield from further([], frozenset({0}))


def some_matrix(rng: Random, n: int) -> list[int]:
    """One invertible map of n bits."""
    found: list[int] = []
    spanned = {0}
    while len(found) < n:
        x = rng.randrange(2**n)
        if x not in spanned:
            found.append(x)
            spanned |= {x ^ y for y in spanned}
    return found


def index(tile: Sequence[int], x: Coordinate) -> int:
    """The number of a coordinate, the first dim fastest."""
    found = 0
    for n, c in zip(reversed(tile), reversed(x), strict=True):
        found = found * n + c
    return found


def linear(tile: Sequence[int], values: Sequence[int]) -> Address:
    """The address by a map of bits."""

    def address(x: Coordinate) -> int:
        left, found = index(tile, x), 0
        for value in values:
            left, bit = divmod(left, 2)
            found ^= value * bit
        return found

    return address


def pitched(strides: Sequence[int]) -> Address:
    """The address by strides."""
    return lambda x: sum(c * d for c, d in zip(x, strides, strict=True))


def everywhere(tile: Sequence[int], vector: Sequence[int], lanes: Sequence[int], rest: Sequence[int]) -> list[Phase]:
    """The phases of an access, for tiles of powers of two: bits of vector, lanes and phases, each an index."""

    def spanned(bits: Sequence[int]) -> list[int]:
        found = [0]
        for b in bits:
            found += [x ^ b for x in found]
        return found

    def coordinate(i: int) -> Coordinate:
        found = []
        for n in tile:
            found.append(i % n)
            i //= n
        return tuple(found)

    inner, outer = spanned(vector), spanned(lanes)
    return [[[coordinate(s ^ x ^ v) for v in inner] for x in outer] for s in spanned(rest)]


def independent(rng: Random, n: int, count: int) -> list[int]:
    """So many vectors of n bits, none a sum of others."""
    return some_matrix(rng, n)[:count]


def lanes_of(tile: Sequence[int], axis: int, first: int, count: int, block: dict[int, int]) -> list[Vector]:
    """Vectors of so many elements along an axis: lanes go along `first`, then along the others, the last one first.

    `block`: how many vectors there are along some dims, instead of as many as the tile has.
    """
    speeds = [first, *[d for d in reversed(range(len(tile))) if d != first]]
    found = []
    starts = {(): 0}
    for d in reversed(speeds):
        many = block.get(d, tile[d] // count if d == axis else tile[d])
        starts = {(*x, i): 0 for x in starts for i in range(many)}
    for x in starts:
        at = dict(zip(reversed(speeds), x, strict=True))
        place = [at[d] * (count if d == axis else 1) for d in range(len(tile))]
        found.append([tuple(c + i * (d == axis) for d, c in enumerate(place)) for i in range(count)])
    return found


def coordinates(tile: Sequence[int]) -> list[Coordinate]:
    """All coordinates."""
    return list(product(*[range(n) for n in tile]))
