"""Which layouts of shared memory have the fewest bank conflicts: spaces over the field of two elements, and pitches.

A tile is F2^N, in units that go to one of 2^m groups of banks; a phase of an access is a coset of a space S, and all
cosets are accessed. Under a linear choice β of groups its ways are |S ∩ ker β|; under any choice, the most units of a
coset in one group. What is claimed is compared with all choices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from random import Random

from symview.rules import checked


def spanned(vectors: Sequence[int]) -> frozenset[int]:
    """All sums."""
    found = {0}
    for v in vectors:
        found |= {x ^ v for x in found}
    return frozenset(found)


def spaces(n: int, dim: int) -> set[frozenset[int]]:
    """All subspaces of a dimension."""
    return {s for v in combinations(range(1, 1 << n), dim) if len(s := spanned(v)) == 1 << dim}


def choices(n: int, m: int) -> Iterator[list[int]]:
    """All linear maps of n bits to m: the values at all x."""
    for images in product(range(1 << m), repeat=n):
        found = [0]
        for y in images:
            found += [x ^ y for x in found]
        yield found


def ways(choice: Sequence[int], space: frozenset[int]) -> int:
    """The most units of one coset in one group."""
    return max(max(Counter(choice[x ^ s] for s in space).values()) for x in range(len(choice)))


def kernels(n: int, m: int) -> set[frozenset[int]]:
    """What the linear maps of n bits to m take to 0."""
    return {frozenset(x for x, y in enumerate(c) if y == 0) for c in choices(n, m)}


@checked("all pairs of spaces of dim 1 and 2 in F2^4, 2 and 4 groups")
def test_two_accesses_are_both_at_their_pigeonhole_bounds() -> None:
    """Some β has ways 2^max(0, dim S − m) for each of two accesses at once."""
    for m in (1, 2):
        every = kernels(4, m)
        for a, b in combinations([*spaces(4, 1), *spaces(4, 2)], 2):
            assert any(all(len(s & k) == max(1, len(s) >> m) for s in (a, b)) for k in every)


@checked("random sets of 3 to 6 spaces of dim 2 in F2^4, 4 groups, 60")
def test_r_accesses_need_few_ways() -> None:
    """Some β has at most 2^(⌈log2 r⌉ − 1) ways for each of r >= 2 accesses with dim S <= m."""
    rng, all_of, every = Random("few ways"), sorted(map(sorted, spaces(4, 2))), kernels(4, 2)
    for _ in range(60):
        some = [frozenset(s) for s in rng.sample(all_of, rng.randint(3, 6))]
        most = 1 << (len(some) - 1).bit_length() - 1
        assert any(max(len(s & k) for s in some) <= most for k in every)


@checked("all sets of up to 3 spaces of dim 1 in F2^3 that cover a plane, all balanced choices of 2 groups")
def test_a_cover_is_a_bound_for_all_layouts() -> None:
    """If W has dim m + 1 and W∖0 lies in the union of the S, no choice, linear or not, has 1 way for all of them."""
    seen = 0
    balanced = [[int(x in half) for x in range(8)] for half in map(set, combinations(range(8), 4))]
    for some in combinations(spaces(3, 1), 3):
        union = frozenset().union(*some)
        if any(w <= union for w in spaces(3, 2)):
            seen += 1
            assert all(max(ways(c, s) for s in some) > 1 for c in balanced)
    assert seen == 7


@checked("random sets of up to 6 vectors in F2^4, m <= 2, 100")
def test_how_many_choices_are_free_of_conflicts() -> None:
    """χ(2^m) = Σ (−1)^|A| 2^(m(N − rank A)) over A ⊆ Z counts the β that are 0 nowhere on Z (Crapo and Rota)."""
    rng = Random("critical")
    for _ in range(100):
        m, z = rng.choice((1, 2)), rng.sample(range(1, 16), rng.randint(1, 6))
        subsets = [a for k in range(len(z) + 1) for a in combinations(z, k)]
        count = sum((-1) ** len(a) * 2 ** (m * (4 - (len(spanned(a)).bit_length() - 1))) for a in subsets)
        assert count == sum(all(c[x] for x in z) for c in choices(4, m))


@checked("random lanes in tiles of 6 by 8 words, 8 banks, pitches of three periods, 50")
def test_ways_repeat_with_the_pitch() -> None:
    """The ways of lanes in rows of a pitch p of whole words depend on p modulo the banks alone."""
    rng = Random("pitches")
    for _ in range(50):
        lanes = [(rng.randrange(6), rng.randrange(8)) for _ in range(8)]
        counts = [max(Counter((p * r + c) % 8 for r, c in {*lanes}).values()) for p in range(8, 32)]
        assert counts[:8] == counts[8:16] == counts[16:]
