"""The obligations of a layout of shared memory: the ways of its accesses are right, and no layout costs less.

Coordinates of a tile of powers of two are sets of bits, the first dim lowest. A phase is counted element by element:
its words by bank, and its units, whole vectors of the widest access, which only the choice of banks can separate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import product
from math import gcd, lcm, prod
from operator import xor
from typing import Any, NamedTuple, TypeAlias

from symview.verify.document import BadCertificate, Object, checked, get, integers, listed
from symview.verify.obligations import Obligation, Steps
from symview.verify.work import Work

STEPS, LARGEST, MOST = 400_000, 1 << 16, 1 << 22  # of a search or a period; of numbers; of places and accesses


Cost: TypeAlias = Callable[[Sequence[int]], int]  # of the ways of all accesses


class Access(NamedTuple):
    """The differences of coordinates in an access to a tile of powers of two, and the cost of each way."""

    weight: int
    vector: list[list[int]]
    lanes: list[list[int]]
    rest: list[list[int]]


class Listed(NamedTuple):
    """Instructions, each a list of the start coordinates of its lanes, which read vectors along the last dim."""

    weight: int
    elements: int
    instructions: list[list[list[int]]]


class Memory(NamedTuple):
    """The bytes of an element, the banks, and the bytes of a word."""

    element: int
    banks: int
    width: int

    def together(self, vector: int, lanes: int) -> int:
        """The number of lanes that are served at once."""
        read = vector * self.element
        return min(lanes, max(1, self.banks * self.width // read)) if read > self.width else lanes

    def ways(self, starts: Sequence[int], vector: int) -> int:
        """The largest number of different words in one bank."""
        bytes_of = [(s * self.element, (s + vector) * self.element - 1) for s in starts]
        words = {w for a, b in bytes_of for w in range(a // self.width, b // self.width + 1)}
        return max(Counter(w % self.banks for w in words).values())


def of_tile(question: Object, answer: Object, work: Work) -> Steps:
    """Obligations: the accesses have these ways, and no layout, or no linear one, or no padding, costs less."""
    tile = integers(question, "tile")
    memory = Memory(*[get(question, key, int) for key in ("element_bytes", "banks", "width")])
    sizes = (*tile, *memory, memory.banks * memory.width, prod(tile))
    if not tile or not all(0 < n <= LARGEST for n in sizes):
        raise BadCertificate("the tile or the memory is empty, or too large")
    padded = get(answer, "proof", str) == "all residues" or (answer["proof"] == "none" and "strides" in answer)
    read: Any = _instructions if padded else _access
    accesses = listed(question, "accesses", lambda x: read(x, tile))
    ways, objective = integers(answer, "ways"), get(question, "objective", str)
    if objective not in ("sum", "most") or not accesses or len(ways) != len(accesses):
        raise BadCertificate("the objective is sum or most, of the ways of each access")
    if len(accesses) * prod(tile) > MOST:
        raise BadCertificate("too many accesses to a tile of this size")
    work.keep(prod(tile))
    work.spend(4 * len(accesses) * prod(tile))

    def cost(given: Sequence[int]) -> int:
        return max(given) if objective == "most" else sum(a.weight * w for a, w in zip(accesses, given, strict=True))

    if padded:
        yield from _padded(tile, accesses, memory, answer, ways, cost, work)
    else:
        yield from _linear(tile, accesses, memory, answer, ways, cost, work)


def _number(of: Any, key: str) -> int:
    found = get(of, key, int)
    if not 0 < found <= LARGEST:
        raise BadCertificate(f'"{key}" has to be from 1 to {LARGEST}')
    return found


def _coordinates(given: list[Any], tile: Sequence[int]) -> list[list[int]]:
    found = [[*integers({"at": x}, "at")] for x in given]
    for x in found:
        if len(x) != len(tile) or any(not 0 <= c < n for c, n in zip(x, tile, strict=True)):
            raise BadCertificate(f"{x} is no coordinate of the tile")
    return found


def _access(of: Any, tile: Sequence[int]) -> Access:
    get(of, "name", str)
    return Access(
        _number(of, "weight"), *[_coordinates(get(of, key, list), tile) for key in ("vector", "lanes", "rest")]
    )


def _instructions(of: Any, tile: Sequence[int]) -> Listed:
    given = [_coordinates(checked(x, list, "an instruction"), tile) for x in get(of, "instructions", list)]
    get(of, "name", str)
    elements = _number(of, "elements")
    if not given or any(not one or any(x[-1] % elements for x in one) for one in given):
        raise BadCertificate("an instruction without lanes, or a vector that is not aligned")
    return Listed(_number(of, "weight"), elements, given)


def _sums(vectors: Sequence[int]) -> list[int]:
    return reduce(lambda found, v: [*found, *[x ^ v for x in found]], vectors, [0])


def _linear(
    tile: Sequence[int],
    accesses: Sequence[Access],
    memory: Memory,
    answer: Object,
    ways: Sequence[int],
    cost: Cost,
    work: Work,
) -> Steps:
    """Obligations: the bases are a layout with these vectors and ways, and none costs less."""
    bases = [integers({"of": x}, "of") for x in get(answer, "bases", list)]
    if any(n & n - 1 for n in (*tile, *memory)) or [1 << len(b) for b in bases] != [*tile]:
        raise BadCertificate("bases of a tile of powers of two: one for each bit of a coordinate")
    apart = sorted(_sums([b for dim in bases for b in dim])) == [*range(prod(tile))]
    yield Obligation("that no two elements share a place", apart)
    if not apart:
        return

    def address(x: Sequence[int]) -> int:
        return reduce(xor, [b for dim, c in zip(bases, x, strict=True) for i, b in enumerate(dim) if c >> i & 1], 0)

    most = max(len(a.vector) for a in accesses)
    counted: list[int] = []
    spaces: list[list[int]] = []
    for a in accesses:
        vector, lanes, rest = ([address(x) for x in part] for part in a[1:])
        v, read = len(vector), memory.element << len(vector)
        if len(lanes) > 10 or read > memory.banks * memory.width or 1 << v > prod(tile):
            raise BadCertificate("an access of more than 1024 lanes, or vectors wider than all banks")
        whole = vector == [1 << j for j in range(v)] and not any(x % (1 << v) for x in (*lanes, *rest))
        yield Obligation("that its vectors are adjacent and aligned", whole)
        yield Obligation("that all coordinates occur", len(_basis([*vector, *lanes, *rest])) == sum(map(len, bases)))
        served = memory.together(1 << v, 1 << len(lanes)).bit_length() - 1
        starts = _sums(_basis(lanes[:served]))
        counted.append(memory.ways(starts, 1 << v))
        elements = [s + j for s in starts for j in range(1 << v)]
        first = [x for x in elements if x % (1 << most) * memory.element < memory.width]  # in the first word of a unit
        spaces.append(sorted({x >> most for x in first}))
    yield Obligation("that the accesses have these ways", counted == [*ways])
    cover = [address(x) >> most for x in _coordinates(get(answer, "cover", list) if "cover" in answer else [], tile)]
    unit = memory.element << most  # bytes that stay together
    groups = memory.banks * memory.width // unit if unit >= memory.width else None
    yield from _least(get(answer, "proof", str), cover, spaces, groups, cost, cost(counted), work)


def _basis(vectors: Sequence[int]) -> list[int]:
    """The vectors that are not sums of earlier ones."""
    found: list[int] = []
    spanned = {0}
    for x in vectors:
        if x not in spanned:
            found.append(x)
            spanned |= {x ^ y for y in spanned}
    return found


def _least(
    proof: str,
    cover: Sequence[int],
    spaces: Sequence[Sequence[int]],
    groups: int | None,
    cost: Cost,
    reached: int,
    work: Work,
) -> Steps:
    """Obligations: no layout costs less.

    `spaces`: the units of a phase that only `groups` of banks separate; without groups, units are below a word.
    """
    floors = [max(1, len(s) // groups) if groups else 1 for s in spaces]
    if proof == "pigeonhole":
        yield Obligation("that each phase has as many units for each group of banks", reached == cost(floors))
    elif proof == "cover":
        free = [i for i, f in enumerate(floors) if f == 1]
        if len(cover) > 16 or not free or not groups:
            raise BadCertificate("a cover that is too large, of no access, or of units below a word")
        work.spend(1 << len(cover))
        places, met = {*_sums(cover)}, {x for i in free for x in spaces[i]}
        many = len(places) == 1 << len(cover) > groups and places <= met
        yield Obligation("that more units than groups of banks meet pairwise in phases", many)
        more = [cost([f + (i == j) for j, f in enumerate(floors)]) for i in free]
        yield Obligation("that one more way of one access costs as much", reached <= min(more))
    elif proof == "search":
        work.spend(STEPS)
        found = _cheaper(spaces, groups, cost, reached) if groups else None
        yield Obligation("that no linear choice of banks costs less", None if found is None else not found)
    elif proof not in ("words", "forms", "none"):
        raise BadCertificate(f"proof {proof[:30]!r}")


def _cheaper(spaces: Sequence[Sequence[int]], groups: int, cost: Cost, reached: int) -> bool | None:
    """Whether some linear map to the groups costs less: tries all, element by element; None if that takes too long."""
    basis = _basis([x for s in spaces for x in s])
    sums = {x: i for i, x in enumerate(_sums(basis))}
    ends = [1 << t for t in range(len(basis))]
    by_top = [[[sums[x] ^ end for x in s if end <= sums[x] < 2 * end] for s in spaces] for end in ends]
    left = STEPS

    def tried(images: list[int], span: int, ways: list[int]) -> bool:
        nonlocal left
        if cost(ways) >= reached:
            return False
        if len(images) == len(basis):
            return True
        rows = by_top[len(images)]
        left -= 1 + sum(map(len, rows)) + len(ways) * min(span + 1, groups)
        if left < 0:
            raise OverflowError
        known = [Counter(reduce(xor, [y for i, y in enumerate(images) if x >> i & 1], 0) for x in row) for row in rows]
        every = range(min(span + 1, groups))  # a new direction is as good as any other
        options = [(y, [w + at[y] for w, at in zip(ways, known, strict=True)]) for y in every]
        options.sort(key=lambda one: cost(one[1]))
        return any(tried([*images, y], 2 * span if y == span else span, then) for y, then in options)

    try:
        return tried([], 1, [1] * len(spaces))
    except OverflowError:
        return None


def _padded(
    tile: Sequence[int],
    accesses: Sequence[Listed],
    memory: Memory,
    answer: Object,
    ways: Sequence[int],
    cost: Cost,
    work: Work,
) -> Steps:
    """Obligations: pitches are whole words and vectors, the ways are right, and no pitch is better."""
    strides, proof = integers(answer, "strides"), get(answer, "proof", str)
    words = memory.width // gcd(memory.width, memory.element)
    step = lcm(words, *[a.elements for a in accesses])
    period = lcm(step, words * memory.banks) // step
    least = [n * d for n, d in zip(tile[1:], strides[1:], strict=True)] if len(strides) == len(tile) else [1]
    whole = strides[-1:] == (1,) and all(d >= n and d % step == 0 for d, n in zip(strides, least, strict=False))
    size = sum((a.elements * memory.element // memory.width + 1) * len(one) for a in accesses for one in a.instructions)
    if size > STEPS:
        raise BadCertificate("too many words are read")
    work.spend(size)
    yield Obligation("that rows are apart, by whole words and vectors", whole and len(strides) == len(tile))
    if not whole or len(strides) != len(tile):
        return
    yield Obligation("that the accesses have these ways", _ways_at(accesses, memory, strides) == [*ways])
    if proof != "all residues":
        return
    if period ** (len(tile) - 1) * size > STEPS:
        yield Obligation("that no pitch costs less", None)
        return
    work.spend(period ** (len(tile) - 1) * size)
    every = [(cost(_ways_at(accesses, memory, p)), p[0] * tile[0], p) for p in pitches(tile, step, period)]
    yield Obligation("that no pitch costs less, and none that costs as much is shorter", min(every)[2] == strides)


def _ways_at(accesses: Sequence[Listed], memory: Memory, strides: Sequence[int]) -> list[int]:
    """The most ways in any phase, for each access."""
    found = []
    for a in accesses:
        most = 0
        for one in a.instructions:
            starts = [sum(c * d for c, d in zip(x, strides, strict=True)) for x in one]
            served = memory.together(a.elements, len(starts))
            most = max(most, *[memory.ways(starts[i : i + served], a.elements) for i in range(0, len(starts), served)])
        found.append(most)
    return found


def pitches(tile: Sequence[int], step: int, period: int) -> Iterator[tuple[int, ...]]:
    """The strides of which every other choice has the ways of one, each as short as it can be."""
    for residues in product(range(period), repeat=len(tile) - 1):
        strides = [1]
        for size, more in zip(tile[:0:-1], residues, strict=True):
            strides.insert(0, -(-size * strides[0] // step) * step + more * step)
        yield tuple(strides)
