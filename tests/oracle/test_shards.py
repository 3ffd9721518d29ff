"""The placements of sharded tensors after reshapes against the elements of each rank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from random import Random

import pytest

from oracle import shard_brute as brute
from symview import placements_after

Shape = tuple[int, ...]


def text(cuts: Sequence[brute.Cut]) -> str:
    each = ("R" if c is None else f"S({c[0]})" if c[1] == 1 else f"_S({c[0]}, {c[1]})" for c in cuts)
    return ", ".join(each)


def cut(placement: str) -> brute.Cut:
    if placement == "R":
        return None
    numbers = placement.partition("(")[2].rstrip(")").split(", ")
    return int(numbers[0]), int(numbers[1]) if len(numbers) > 1 else 1


def random_cut(shape: Shape, rng: Random) -> brute.Cut:
    dim, kind = rng.randrange(len(shape)), rng.random()
    return None if kind < 0.05 else (dim, 1) if kind < 0.7 else (dim, rng.randint(1, shape[dim] + 2))


def strided(cuts: Sequence[brute.Cut]) -> int:
    return sum(c is not None and c[1] > 1 for c in cuts)


@pytest.mark.parametrize(("axes", "most", "count"), [(1, 48, 1600), (2, 16, 240), (3, 6, 80)])
def test_every_placement_that_exists_is_found(axes: int, most: int, count: int, turns, full) -> None:
    seen = Counter()
    for turn in turns(count):
        rng = Random(f"shards {axes} {turn}")
        size = rng.choice((0, *range(1, most + 1)))
        shape, new = ((rng.randint(1, 3), 0), (0,)) if not size else (brute.shapes_of(size, rng) for _ in range(2))
        mesh = tuple(rng.choice((1, 2, 2, 3, 3, 4, 6)[: 7 - 2 * (axes - 1)]) for _ in range(axes))
        cuts = tuple(random_cut(shape, rng) for _ in mesh)
        found = placements_after(shape, text(cuts), new, mesh)
        there = list(brute.all_placements(shape, cuts, new, mesh))
        asked = shape, text(cuts), new, mesh, found
        seen[bool(found), size == 0, any(c and c[1] > 1 for c in cuts)] += 1
        if found:
            mine = tuple(map(cut, found))
            assert brute.agree(shape, cuts, new, mine, mesh), asked
            assert strided(mine) == min(map(strided, there)), asked
        else:
            assert not there, asked
            check_difference(shape, cuts, new, mesh, found)
    assert not full or min(seen[key] for key in product((True, False), (False,), (True, False))) > 10, seen


def check_difference(shape: Shape, cuts: Sequence[brute.Cut], new: Shape, mesh: Shape, found) -> None:
    """The first rank on these axes with other elements, and the first of these."""
    axes = len(found.placements)
    mine = tuple(map(cut, found.placements))
    for rank in product(*map(range, mesh[:axes])):
        old = brute.part(shape, cuts[:axes], mesh[:axes], rank)
        now = brute.part(new, mine, mesh[:axes], rank)
        if old != now:
            same = [x == y for x, y in zip(old, now, strict=False)]
            first = same.index(False) if False in same else len(same)
            assert (rank, first) == (found.rank, found.position), (shape, cuts, new, mesh, found)
            return
    raise AssertionError((shape, cuts, new, mesh, found))


@pytest.mark.parametrize(
    ("shape", "placements", "mesh", "new", "shown"),
    [
        ("(6,4)", "S(0)", 4, "(24)", "S(0) differs at rank 0, position 6"),
        ("(6,4)", "S(0)", 3, "(24)", ("S(0)",)),
        ("(5,5)", "S(0)", 6, "(25)", ("S(0)",)),
        ("(5,6)", "S(0)", 6, "(30)", "S(0) differs at rank 0, position 5"),
        ("(4,6)", "S(1)", 3, "(24)", ("_S(0, 4)",)),
        ("(4,5)", "S(1)", 3, "(20)", ("_S(0, 4)",)),
        ("(2,5,2)", "S(1)", 3, "(20)", ("_S(0, 2)",)),
        ("(24)", "S(0)", 4, "(6,4)", "S(0) differs at rank 0, position 6"),
        ("(24)", "S(0)", 4, "(8,3)", ("S(0)",)),
        ("(1,6)", "S(1)", 4, "(6)", ("S(0)",)),
        ("(8,3)", "S(0),S(0)", "2x2", "(24)", ("S(0)", "S(0)")),
        ("(4,5)", "S(0)", 2, "(5,4)", "S(0) differs at rank 0, position 10"),
        ("(6,4)", "S(0)", 2, "(3,8)", "S(0) differs at rank 0, position 12"),
        ("(4,6)", "S(0)", 2, "(6,4)", ("S(0)",)),
        ("(4,8)", "S(0), S(0)", "2x2", "(2,16,1)", ("S(0)", "S(1)")),
        ("(4096,4096,512)", "S(1)", 8, "(-1,512)", ("_S(0, 4096)",)),
        ("(6,1,256)", "S(0)", 4, "(-1)", "S(0) differs at rank 0, position 384"),
    ],
)
def test_worked_examples(shape: str, placements: str, mesh, new: str, shown) -> None:
    found = placements_after(shape, placements, new, mesh)
    assert (found or str(found)) == shown


def test_two_axes_on_one_dim_are_one_axis(turns) -> None:
    """Exactly if the parts of the first one end where parts of both together do."""
    seen = Counter()
    for n, m1, m2 in product(range(1, 26), range(1, 6), range(1, 6)):
        two = brute.parts((n,), [(0, 1), (0, 1)], (m1, m2))
        c = -(-n // m1)
        whole = (m1 == 1 or c % m2 == 0) and (n % c <= 1 or -(-(n % c) // m2) == -(-c // m2))
        said = n <= 1 or m2 == 1 or whole
        assert said == (two == brute.parts((n,), [(0, 1)], (m1 * m2,))), (n, m1, m2)
        seen[said] += 1
    assert min(seen.values()) > 50


