"""Layouts of shared memory against every invertible map, every pitch, and the addresses of every phase."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from math import prod
from random import Random

import pytest

from oracle import memory_brute
from oracle import shared_memory_brute as brute
from oracle.test_machines import MACHINES, served
from symview.cute import Access, Layout, LinearLayout, best_padding, best_swizzle
from symview.shared_memory.spaces import cover, spanned

TILES = ((2, 2), (4, 2), (2, 4), (4, 4), (2, 8), (8,), (2, 2, 2))


class Case:
    """Random accesses to a small tile, as bits for the brute force and as layouts of threads and values."""

    def __init__(self, rng: Random, clashing: bool) -> None:
        self.tile = rng.choice(TILES)
        self.n = prod(self.tile).bit_length() - 1
        self.element, self.width = rng.choice(((4, 4), (2, 4), (1, 4), (4, 4), (8, 4)))
        self.banks = rng.choice((2, 4))
        self.parts: list[tuple[list[int], list[int], list[int]]] = []
        shared = brute.some_matrix(rng, self.n)
        for _ in range(rng.randint(1, 3)):
            most = (self.banks * self.width // self.element).bit_length() - 1
            v = rng.randint(0, min(self.n, max(most, 0)))
            others = shared[v:] if rng.random() < 0.7 or not clashing else None
            if others is None:
                basis = brute.some_matrix(rng, self.n)
                vector, others = basis[:v], basis[v:]
            else:
                vector, others = shared[:v], [*others]
                rng.shuffle(others)
            if rng.random() < 0.5 and len(others) > 1:  # another basis of the same places
                others = [x ^ (others[-1] if i < len(others) - 1 and rng.random() < 0.5 else 0)
                          for i, x in enumerate(others)]  # fmt: skip
            lanes = rng.randint(0, len(others))
            self.parts.append((vector, others[:lanes], others[lanes:]))

    def accesses(self) -> list[Access]:
        found = []
        for i, (vector, lanes, rest) in enumerate(self.parts):
            outs = {f"d{d}": n for d, n in enumerate(self.tile)}
            split = [[self.split(self.tile, x) for x in part] for part in ([*vector, *rest], lanes)]
            layout = LinearLayout({"register": split[0], "lane": split[1]}, outs)
            found.append(Access(layout, 1 << len(vector), f"a{i}", 1 + i))
        return found

    @staticmethod
    def split(tile: tuple[int, ...], x: int) -> list[int]:
        found = []
        for n in tile:
            found.append(x % n)
            x //= n
        return found

    def phases(self) -> list[list[brute.Phase]]:
        found = []
        for vector, lanes, rest in self.parts:
            read = self.element << len(vector)
            together = len(lanes)
            if read > self.width:
                together = min(together, (self.banks * self.width // read).bit_length() - 1)
            found.append(brute.everywhere(self.tile, vector, lanes[:together], [*lanes[together:], *rest]))
        return found


def total(objective: str, ways: list[int]) -> int:
    return max(ways) if objective == "most" else sum(w * (i + 1) for i, w in enumerate(ways))


@pytest.mark.dear
@pytest.mark.parametrize("clashing", [False, True])
def test_no_linear_map_is_better(turns, clashing, full) -> None:
    rng, seen = Random(f"swizzles {clashing}"), Counter()
    for _ in turns(25):
        case, objective = Case(rng, clashing), rng.choice(("sum", "most"))
        if case.element > case.width * case.banks:
            continue
        phases = case.phases()
        every = brute.matrices(case.n) if case.n < 4 else (brute.some_matrix(rng, case.n) for _ in range(2000))
        if full and case.n == 4 and rng.random() < 0.15:
            every = brute.matrices(4)
            seen["all of 4 bits"] += 1
        best = None
        for values in every:
            ways = []
            for one in phases:
                w = brute.ways(brute.linear(case.tile, values), one, case.element, case.banks, case.width)
                if w is None:
                    break
                ways.append(w)
            else:
                cost = total(objective, ways)
                best = cost if best is None else min(best, cost)
        found = best_swizzle(
            case.tile, case.accesses(), element_bytes=case.element, banks=case.banks, width=case.width,
            objective=objective,
        )  # fmt: skip
        if not found:
            assert best is None, (case.tile, case.parts)
            seen["clash"] += 1
            continue
        ways = [brute.ways(found.layout, one, case.element, case.banks, case.width) for one in phases]
        assert ways == [*found.ways.values()], (case.tile, case.parts, found)
        if best is not None:
            assert total(objective, ways) <= best, (case.tile, case.parts, found, best)
            seen["exact" if total(objective, ways) == best else "beyond the sample"] += 1
        if case.n < 4:
            assert best is not None
            assert total(objective, ways) == best, (case.tile, case.parts, found, best)
        seen[found.form, found.proof] += 1
    if full:
        assert seen["all of 4 bits"] and seen["exact"] >= 10, seen
        assert bool(seen["clash"]) is clashing, seen


@pytest.mark.parametrize(("tile", "cases"), [((2, 2), 60), ((4, 2), 2)])
def test_no_layout_at_all_is_better(tile, cases, turns, full) -> None:
    """Where the proof is a pigeonhole or a cover, against every way to put the elements into the places."""
    rng, seen, places = Random(f"all layouts {tile}"), Counter(), brute.coordinates(tile)
    n = len(places).bit_length() - 1
    for _ in turns(cases):
        accesses, phases = [], []
        for i in range(rng.randint(2, 4)):
            bits = brute.some_matrix(rng, n)
            v, k = rng.choice((0, 0, 1)), rng.randint(1, n - 1)
            vector, lanes, rest = bits[:v], bits[v : v + k], bits[v + k :]
            outs = {f"d{d}": size for d, size in enumerate(tile)}
            both = [[Case.split(tile, x) for x in part] for part in ([*vector, *rest], lanes)]
            accesses.append(Access(LinearLayout({"register": both[0], "lane": both[1]}, outs), 1 << v, f"a{i}"))
            together = len(lanes) if v == 0 else max(0, min(len(lanes), 1 - v))
            phases.append(brute.everywhere(tile, vector, lanes[:together], [*lanes[together:], *rest]))
        found = best_swizzle(tile, accesses, element_bytes=4, banks=2)
        if found.proof not in ("pigeonhole", "cover"):
            seen[found.proof] += 1
            continue
        best = None
        for order in permutations(range(len(places))):
            put = dict(zip(places, order, strict=True))
            ways = [brute.ways(put.__getitem__, one, 4, 2, 4) for one in phases]
            if None not in ways:
                best = sum(ways) if best is None else min(best, sum(ways))
        assert best == sum(found.ways.values()), (accesses, found)
        seen[found.proof] += 1
    if full:
        assert seen["pigeonhole"], seen
        assert seen["cover"] or tile != (2, 2), seen


def test_pitches(turns) -> None:
    """Against all pitches of two periods, each phase counted on addresses."""
    rng, seen = Random("pitches"), Counter()
    for _ in turns(40):
        tile = (rng.randint(2, 12), rng.randint(1, 6) * 4)
        element, banks = rng.choice((1, 2, 4, 8)), rng.choice((4, 8, 6))
        v = rng.choice((1, 2, 4))
        accesses, phases = [], []
        for i in range(rng.randint(1, 3)):
            size = rng.choice((1, v))
            lanes = [(rng.randrange(tile[0]), rng.randrange(tile[1] // size) * size) for _ in range(rng.randint(2, 8))]
            accesses.append(Access(lanes, size, f"a{i}", 1 + i))
            read = element * size
            together = max(1, banks * 4 // read) if read > 4 else len(lanes)
            vectors = [[(r, c + j) for j in range(size)] for r, c in lanes]
            phases.append([vectors[j : j + together] for j in range(0, len(lanes), together)])
        whole = max(max(len(x[0][0]) for x in phases), -(-4 // element))
        step = next(p for p in range(1, 999) if p * element % 4 == 0 and all(p % len(x[0][0]) == 0 for x in phases))
        assert step <= 4 * whole
        least = -(-tile[1] // step) * step
        costs = {}
        for p in range(least, least + 2 * step * banks * 8, step):
            address = brute.pitched((p, 1))
            ways = [brute.ways(address, one, element, banks, 4) for one in phases]
            costs[p] = total("sum", ways)
        found = best_padding(tile, accesses, element_bytes=element, banks=banks)
        p = found.layout.stride[0]
        assert costs[p] == total("sum", [*found.ways.values()]) == min(costs.values())
        assert p == min(q for q, c in costs.items() if c == costs[p])
        seen[found.form] += 1
    assert seen["order"] and seen["padding"], seen


def test_pitches_of_three_dims() -> None:
    rng = Random("three pitches")
    for _ in range(4):
        tile = (rng.randint(2, 4), rng.randint(2, 4), rng.randint(2, 5))
        lanes = [tuple(rng.randrange(n) for n in tile) for _ in range(6)]
        found = best_padding(tile, [lanes], element_bytes=4, banks=4)
        costs = {}
        for q, p in product(range(tile[2], tile[2] + 9), range(tile[1] * tile[2], (tile[1] + 2) * (tile[2] + 9))):
            if p >= q * tile[1]:
                address = brute.pitched((p, q, 1))
                costs[p, q] = brute.ways(address, [[[x] for x in lanes]], 4, 4, 4), p * tile[0]
        assert costs[found.layout.stride[:2]] == min(costs.values())


# Triton's rule (`GenericSwizzling` of Linear Layouts, arXiv 2505.23819): banks by the vectors of two accesses


def by_pairing(n: int, m: int, first: list[int], second: list[int]) -> list[int]:
    """The kernel of the choice of banks: vectors in neither list, then e ⊕ f of those in one only, and what remains."""
    basis = [*first, *[x for x in second if x not in first]]
    for x in (1 << i for i in range(n)):
        if x not in spanned_by(basis):
            basis.append(x)
    neither = [x for x in basis if x not in first and x not in second]
    only = [x for x in first if x not in second], [x for x in second if x not in first]
    paired = [a ^ b for a, b in zip(*only, strict=False)]
    return [*neither, *paired][: n - m]


def spanned_by(basis: list[int]) -> set[int]:
    found = {0}
    for b in basis:
        found |= {x ^ b for x in found}
    return found


def kernel_ways(kernel: list[int], lanes: list[int]) -> int:
    return len(spanned_by(kernel) & spanned_by(lanes))


def our_ways(n: int, m: int, accesses: list[list[int]]) -> list[int]:
    given = [
        Access(LinearLayout({"register": [], "lane": a}, {"x": 1 << n}), 1, f"a{i}") for i, a in enumerate(accesses)
    ]
    return [*best_swizzle((1 << n,), given, element_bytes=4, banks=1 << m).ways.values()]


def test_triton_pairs_of_one_basis_are_as_good(turns) -> None:
    rng = Random("pairs of one basis")
    for _ in turns(60):
        n, m = rng.choice(((4, 2), (5, 2), (5, 3)))
        basis = brute.some_matrix(rng, n)
        first, second = rng.sample(basis, m), rng.sample(basis, m)
        kernel = by_pairing(n, m, first, second)
        if len(kernel) == n - m:
            theirs = [kernel_ways(kernel, a) for a in (first, second)]
            assert sum(theirs) == sum(our_ways(n, m, [first, second])) == 2


WORSE = {
    "spaces, not vectors": (5, 2, [[20, 11], [8, 5]], [1, 2, 4], [2, 1]),
    "three accesses": (4, 2, [[1, 2], [4, 8], [1, 4]], [1 ^ 4, 2 ^ 8], [1, 1, 2]),
}  # n, m, lanes of the accesses, the rule's kernel, its ways


@pytest.mark.parametrize("name", WORSE)
def test_where_triton_s_rule_is_worse(name) -> None:
    n, m, accesses, kernel, theirs = WORSE[name]
    assert [kernel_ways(kernel, a) for a in accesses] in (theirs, theirs[::-1])
    assert set(our_ways(n, m, accesses)) == {1}


def test_triton_s_rule_on_random_triples(turns) -> None:
    """The rule for the first two, beside the best for three: never better, and often worse."""
    rng, seen = Random("triples"), Counter()
    for _ in turns(60):
        n, m = 5, 2
        basis = brute.some_matrix(rng, n)
        accesses = [rng.sample(basis, m) for _ in range(3)]
        kernel = by_pairing(n, m, *accesses[:2])
        if len(kernel) == n - m:
            theirs, ours = sum(kernel_ways(kernel, a) for a in accesses), sum(our_ways(n, m, accesses))
            assert ours <= theirs
            seen["worse" if ours < theirs else "equal"] += 1
    assert seen["worse"] > 5 and seen["equal"] > 5, seen


def test_a_cover_is_one(turns, full) -> None:
    """A space within a union of others, against all spaces of that dimension."""
    rng, seen = Random("covers"), Counter()
    for _ in turns(150):
        n, size = 4, rng.choice((2, 3))
        spaces = [brute.independent(rng, n, rng.randint(1, size)) for _ in range(rng.randint(2, 6))]
        union = set().union(*map(spanned_by, spaces))
        found = cover(spaces, size, lambda steps: None)
        exists = any(spanned_by(list(b)) <= union and len(spanned_by(list(b))) == 1 << size
                     for b in product(range(1, 1 << n), repeat=size))  # fmt: skip
        assert (found is not None) is exists
        if found is not None:
            assert len(set(spanned(found))) == 1 << size
            assert set(spanned(found)) <= union
        seen[exists] += 1
    if full:
        assert min(seen.values()) > 10, seen


def test_the_layout_is_one_to_one(turns) -> None:
    rng = Random("one-to-one")
    for _ in turns(30):
        case = Case(rng, False)
        if case.element <= case.width * case.banks:
            found = best_swizzle(case.tile, case.accesses(), element_bytes=case.element, banks=case.banks)
            assert sorted(map(found.layout, brute.coordinates(case.tile))) == [*range(prod(case.tile))]
            assert isinstance(found.layout, Layout | LinearLayout) or found.form == "swizzle"


NAMED: dict[str, tuple[int, tuple[int, int] | None]] = {
    "row 8 B": (8, None),
    "column 4 B": (4, None),
    "cp.async 16 B": (16, None),
    "block 2x4": (1, (2, 4)),
    "ldmatrix": (16, (8, 1)),
    "ldmatrix.trans": (16, (8, 1)),
    "mma.B": (4, (8, 4)),
}  # the bytes of a vector; the rows of a block, and the vectors in a row


def test_where_the_vectors_of_a_name_are(turns, least) -> None:
    """Along every dim of tiles of one to three dims."""
    rng, seen = Random("named accesses"), Counter()
    for _ in turns(120):
        tile = tuple([rng.choice((8, 16, 32)) for _ in range(rng.choice((1, 2, 2, 3)))])
        axis, element, word = rng.randrange(len(tile)), rng.choice((1, 2, 4)), rng.choice([*NAMED])
        size, block = NAMED[word]
        others, count = [d for d in range(len(tile)) if d != axis], max(1, size // element)
        many = {}
        if block is not None:
            beside = axis - 1 if axis else 1
            many = {**dict.fromkeys(range(len(tile)), 1), beside: block[0], axis: block[1]}
        if tile[axis] % count or any(n * (count if d == axis else 1) > (*tile, 0, 0)[d] for d, n in many.items()):
            continue
        first = others[0] if word.startswith("column") and others else axis
        expected = brute.lanes_of(tile, axis, first, count, many)
        lanes = Access.parse(f"{word} along {rng.choice((axis, axis - len(tile)))}").lanes(tile, element, len(expected))
        assert [[*x] for x in lanes.instructions[0]] == expected, (word, tile, axis)
        assert lanes.along == (axis if count > 1 else None)
        seen[word, axis] += 1
    assert len(seen) >= least(18), seen


def test_no_linear_map_is_better_in_given_phases(turns, full) -> None:
    """Phases that are cosets of a space of lanes, some of which idle: against all maps of 3 bits, and some of 4."""
    rng, seen = Random("maps in phases"), Counter()
    for _ in turns(50):
        tile = rng.choice(((4, 2), (2, 4), (4, 4)))
        n, lanes, banks = prod(tile).bit_length() - 1, 8, rng.choice((2, 4))
        told = memory_brute.cosets(lanes, [rng.randrange(1, lanes) for _ in range(rng.randint(1, 2))])
        accesses, phases = [], []
        for i in range(rng.randint(1, 5)):
            bits = brute.some_matrix(rng, n)
            v, k = rng.choice((0, 0, 0, 1)), rng.randint(1, n - 1)
            vector, outer, rest = bits[:v], bits[v : v + k], bits[v + k :]
            split = [[Case.split(tile, x) for x in part] for part in ([*vector, *rest], outer)]
            outs = {f"d{d}": size for d, size in enumerate(tile)}
            accesses.append(Access(LinearLayout({"register": split[0], "lane": split[1]}, outs), 1 << v, f"a{i}"))
            each = brute.everywhere(tile, vector, outer, rest)
            phases.append([[one[t] for t in phase if t < len(one)] for one in each for phase in told])
        every = brute.matrices(n) if n == 3 else (brute.some_matrix(rng, n) for _ in range(800))
        costs = []
        for values in every:
            ways = [brute.ways(brute.linear(tile, values), one, 4, banks, 4) for one in phases]
            costs += [] if None in ways else [sum(ways)]
        found = best_swizzle(tile, accesses, element_bytes=4, banks=banks, phases=told)
        if not found:
            assert not costs, (tile, accesses, told)
            seen["clash"] += 1
            continue
        ways = [brute.ways(found.layout, one, 4, banks, 4) for one in phases]
        assert ways == [*found.ways.values()], (tile, accesses, told, found)
        assert sum(ways) == min(costs) if n == 3 else sum(ways) <= min(costs, default=99), (tile, accesses, told)
        seen[found.proof] += 1
    if full:
        assert min(seen["clash"], seen["pigeonhole"], seen["cover"]) > 0, seen


@pytest.mark.parametrize("machine", ["cdna3", "cdna4", "rdna3", "nvidia"])
def test_swizzles_and_paddings_on_machines(machine, turns) -> None:
    """The ways of each access on addresses; where a pigeonhole is the proof, no swizzle of the tile has fewer."""
    rng, seen = Random(f"swizzles {machine}"), Counter()
    lanes = MACHINES[machine][0]
    writes = [False] if machine == "rdna3" else [False, True]
    for _ in turns(8):
        tile, size = rng.choice(((64, 64), (32, 64), (64, 32), (16, 128))), 2
        accesses, told = [], []
        for write in rng.sample(writes, rng.randint(1, len(writes))):
            across, many = rng.random() < 0.6, rng.choice((4, 8, 16))
            name = f"{'column' if across else 'row'} {many} B{' write' * write}"
            accesses.append(name)
            v = many // size
            starts = [(r, c) for r, c in product(range(tile[0]), range(0, tile[1], v))]
            starts = sorted(starts, key=lambda x: (x[1], x[0])) if across else starts
            told.append((name, starts[:lanes], v, *served(machine, write, many)))
        for padded in (False, True):
            ask = best_padding if padded else best_swizzle
            found = ask(tile, accesses, element_bytes=size, machine=machine)
            for name, starts, v, banks, phases in told:
                places = [found.layout(*x) if padded else found.layout(x) for x in starts]
                assert found.ways[name] == memory_brute.ways_in_phases(places, banks, phases, size, v), (found, name)
                assert found.rows[name].banks == banks
            seen[found.proof] += 1
            assert str(found).count(f"{machine}, ") >= len({x.write for x in found.rows.values()})
    assert seen["pigeonhole"] and seen["all residues"], seen
