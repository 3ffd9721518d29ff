"""The placements of sharded tensors after reshapes against the elements of each rank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import prod
from random import Random

import pytest

from oracle import shard_brute as brute
from symview import InputError, NotSupported, SymbolError, Undecided, placement_conditions, placements_after

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
    assert not full or min(seen[key] for key in product((True, False), (False,), (True, False))) > 0, seen


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
        ("(6,4)", "S(0)", 4, "(24)", "S(0) first differs at element 6 of rank 0"),
        ("(6,4)", "S(0)", 3, "(24)", ("S(0)",)),
        ("(5,5)", "S(0)", 6, "(25)", ("S(0)",)),
        ("(5,6)", "S(0)", 6, "(30)", "S(0) first differs at element 5 of rank 0"),
        ("(4,6)", "S(1)", 3, "(24)", ("_S(0, 4)",)),
        ("(4,5)", "S(1)", 3, "(20)", ("_S(0, 4)",)),
        ("(2,5,2)", "S(1)", 3, "(20)", ("_S(0, 2)",)),
        ("(24)", "S(0)", 4, "(6,4)", "S(0) first differs at element 6 of rank 0"),
        ("(24)", "S(0)", 4, "(8,3)", ("S(0)",)),
        ("(1,6)", "S(1)", 4, "(6)", ("S(0)",)),
        ("(8,3)", "S(0),S(0)", "2x2", "(24)", ("S(0)", "S(0)")),
        ("(4,5)", "S(0)", 2, "(5,4)", "S(0) first differs at element 10 of rank 0"),
        ("(6,4)", "S(0)", 2, "(3,8)", "S(0) first differs at element 12 of rank 0"),
        ("(4,6)", "S(0)", 2, "(6,4)", ("S(0)",)),
        ("(4,8)", "S(0), S(0)", "2x2", "(2,16,1)", ("S(0)", "S(1)")),
        ("(4096,4096,512)", "S(1)", 8, "(-1,512)", ("_S(0, 4096)",)),
        ("(6,1,256)", "S(0)", 4, "(-1)", "S(0) first differs at element 384 of rank 0"),
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


def test_a_strided_shard_and_a_shard_are_two_shards_from_right_to_left() -> None:
    """As FSDP with tensor parallelism uses it: exactly if chunks of all parts of a rank are its parts of the pieces."""
    seen = Counter()
    for n, m1, m2 in product(range(1, 31), range(1, 5), range(1, 5)):
        strided = brute.parts((n,), [(0, m2), (0, 1)], (m1, m2))
        ranks = product(range(m1), range(m2))
        reversed_axes = [brute.part((n,), [(0, 1), (0, 1)], (m2, m1), (r2, r1)) for r1, r2 in ranks]
        pieces = brute.chunks(list(range(n)), m2)
        said = all(
            [len(brute.chunks(piece, m1)[r]) for piece in pieces]
            == [len(c) for c in brute.chunks([i for piece in pieces for i in brute.chunks(piece, m1)[r]], m2)]
            for r in range(m1)
        )
        assert said == (strided == reversed_axes), (n, m1, m2)
        assert said or n % (m1 * m2), (n, m1, m2)
        seen[said] += 1
    assert min(seen[True], seen[False]) > 10


# With names


def grouped(base: Sequence[str], rng: Random) -> list[str]:
    """Sizes that are products of neighbours."""
    sizes, rest = [], list(base)
    while rest:
        many = rng.randint(1, len(rest))
        sizes.append("*".join(rest[:many]))
        rest = rest[many:]
    if rng.random() < 0.2:
        sizes.insert(rng.randrange(len(sizes) + 1), "1")
    return sizes


def placement_with_names(sizes: Sequence[str], rng: Random) -> str:
    kind, dim = rng.random(), rng.randrange(len(sizes))
    if kind < 0.05:
        return "R"
    return f"S({dim})" if kind < 0.7 else f"_S({dim}, {rng.choice(sizes[dim].split('*'))})"


def value(text: str, values: dict[str, int]) -> int:
    return prod(values.get(part) or int(part) for part in text.split("*"))


def cuts_at(placements: Sequence[str], values: dict[str, int]) -> list[brute.Cut]:
    """The cuts at these values; pieces may be products."""
    found = []
    for placement in placements:
        dim, _, pieces = placement.partition("(")[2].rstrip(")").partition(", ")
        found.append(None if placement == "R" else (int(dim), value(pieces, values) if pieces else 1))
    return found


def test_names(turns, full) -> None:
    seen = Counter()
    for turn in turns(300):
        rng = Random(f"shards with names {turn}")
        base = [rng.choice(("N", "K", "M", "2", "3", "4")) for _ in range(rng.randint(1, 3))]
        shape, new = grouped(base, rng), grouped(base, rng)
        mesh = [rng.choice(("p", "2", "3", "q")) for _ in range(rng.choice((1, 1, 2)))]
        old = [placement_with_names(shape, rng) for _ in mesh]
        asked = None if rng.random() < 0.5 else ", ".join(placement_with_names(new, rng) for _ in mesh)
        old_text, sizes = ", ".join(old), [f"({','.join(s)})" for s in (shape, new, mesh)]
        try:
            answer = placement_conditions(sizes[0], old_text, sizes[1], asked, sizes[2])
        except (NotSupported, Undecided):
            seen["not supported"] += 1
            continue
        for _ in range(12):
            values = {n: rng.randint(1, 7) for n in answer.symbols()}
            at = [tuple(value(n, values) for n in side) for side in (shape, new, mesh)]
            if prod(at[0]) > 300:
                continue
            there = answer.question.put(values).new  # on fewer axes, if none is right on the last of these
            axes = len(there)
            agree = brute.agree(at[0], cuts_at(old[:axes], values), at[1], cuts_at(there, {}), at[2][:axes])
            assert agree or axes == len(mesh) or not answer.symbols()
            assert answer.holds(values) == agree, (sizes, old_text, answer.question.new, values, str(answer))
            shown = answer.counterexample(values)
            assert (shown is None) == agree
            seen[len(mesh), agree] += 1
    assert not full or min(seen[key] for key in product((1, 2), (True, False))) > 50, seen
    assert seen["not supported"] < len(turns(300)) / 3, seen


def test_a_size_and_its_quotient(turns, full) -> None:
    """E becomes H and E//H, or 4 and E//4, or these become E, beside other dims, wherever the division is whole."""
    seen = Counter()
    for turn in turns(150):
        rng = Random(f"quotients of sizes {turn}")
        by = rng.choice(("H", "H", "4"))
        before, after = ([rng.choice(("N", "2", "3")) for _ in range(rng.randint(0, 1))] for _ in range(2))
        one, other = [*before, "E", *after], [*before, by, f"E//{by}", *after]
        merged = [f"{before[0]}*{by}", *other[2:]] if before and rng.random() < 0.3 else other
        shape, new = (one, merged) if rng.random() < 0.6 else (merged, one)
        mesh = rng.choice(("p", "2", "3"))
        old = f"S({rng.randrange(len(shape))})"
        asked = None if rng.random() < 0.6 else f"S({rng.randrange(len(new))})"
        try:
            answer = placement_conditions(
                f"({','.join(shape)})", old, f"({','.join(new)})", asked, mesh, assume=f"E % {by} == 0"
            )
        except Undecided:
            seen["undecided"] += 1
            continue
        for _ in range(10):
            values = {"N": rng.randint(1, 5), "H": rng.randint(1, 5), "p": rng.randint(1, 6)}
            values["E"] = rng.randint(1, 5) * values.get(by, 4)
            at = [tuple(eval(n, {}, values) for n in side) for side in (shape, new, [mesh])]  # products and quotients
            there = answer.question.put({n: values[n] for n in answer.symbols()}).new
            agree = brute.agree(at[0], cuts_at([old], values), at[1], cuts_at(there, {}), at[2])
            assert answer.holds({n: values[n] for n in answer.symbols()}) == agree, (shape, old, new, there, values)
            seen[agree] += 1
    assert not full or min(seen[True], seen[False]) > 100, seen
    assert seen["undecided"] < len(turns(150)) / 3, seen


@pytest.mark.parametrize(
    ("shape", "placements", "new", "mesh", "shown", "headline"),
    [
        ("(N,K)", "S(0)", "(N*K)", "m", ("S(0)",), "K*(-N % m) < m"),
        ("(N*K)", "S(0)", "(N,K)", "m", ("S(0)",), "K*(-N % m) < m"),
        ("(A,b,C)", "S(1)", "(A*b*C)", "m", ("_S(0, A)",), "C*(-b % m) < m"),
        ("(A,b)", "S(1)", "(A*b)", "m", ("_S(0, A)",), "always"),
        ("(N,256)", "S(0)", "(-1)", 4, ("S(0)",), "N % 4 = 0"),
        ("(1,N)", "S(0)", "(N)", "m", ("_S(0, N)",), "always"),
        ("(N,256)", "S(0), S(0)", "(-1)", "4x2", ("S(0)", "S(0)"), "N % 4 = 0 and (N + 3)//4 % 2 = 0"),
        ("(N,K)", "S(0), P(sum)", "(N*K)", "2,m", ("S(0)", "P(sum)"), "K*(N % 2) < 2"),
    ],
)
def test_worked_examples_with_names(shape: str, placements: str, new: str, mesh, shown, headline: str) -> None:
    answer = placement_conditions(shape, placements, new, None, mesh)
    assert (answer.question.new, str(answer)) == (shown, headline)


def test_without_elements_any_placement_is_right() -> None:
    assert str(placement_conditions("(0,N)", "S(0)", "(N,0)", None, "m")) == "always"
    answer = placement_conditions("(N,4)", "S(0), S(0)", "(-1)", "S(0), S(0)", "m,2", assume="N >= 0")
    for n, m in product(range(9), range(1, 6)):
        agree = brute.agree((n, 4), [(0, 1)] * 2, (4 * n,), [(0, 1)] * 2, (m, 2))
        assert answer.holds({"N": n, "m": m}) == agree, (n, m)


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        (("(N,4)", "s(0)", "(-1)", None, 2), InputError, r"write S\(0\), .*; the nearest is S\(0\)"),
        (("(N,4)", "S0", "(-1)", None, 2), InputError, r"the nearest is S\(0\)"),
        (("(N,4)", "S(1", "(-1)", None, 2), InputError, r"the nearest is S\(1\)"),
        (("(N,4)", "_S(0)", "(-1)", None, 2), InputError, r"the nearest is S\(0\)"),
        (("(N,4)", "S(0, 4)", "(-1)", None, 2), InputError, r"the nearest is _S\(0, 4\)"),
        (("(N,4)", "Replicated", "(-1)", None, 2), InputError, "the nearest is R"),
        (("(N,4)", "Partial sum", "(-1)", None, 2), InputError, r"the nearest is P\(sum\)"),
        (("(N,4)", "S(2)", "(-1)", None, 2), InputError, "dim 2 of a tensor of 2 dims"),
        (("(N,4)", "_S(0, 0)", "(-1)", None, 2), InputError, "1 piece or more"),
        (("(N,4)", "S(0)", "(-1)", None, 0), InputError, "1 rank or more"),
        (("(N,4)", "S(0)", "(-1)", None, (2, 2)), InputError, "give one for each axis"),
        (("(N,4)", "P(sum)", "(-1)", "P(max)", 2), InputError, "stays one"),
        (("(N,4)", "S(0)", "(M)", None, 2), NotSupported, "do not agree for all values"),
        (("(6,4)", "S(0)", "(5)", None, 2), InputError, "sizes must agree"),
        (("(N,4)", "_S(0, 4)", "(-1)", "S(0)", 2), Undecided, "not equal .*, and sizes as multiples"),
        (("(B,S,E)", "S(0), S(1)", "(B*S,E)", None, "2x4"), Undecided, 'for all values: add --assume "B % 2 == 0"'),
        (("(B,E)", "S(1)", "(B,H,E//H)", None, 8), Undecided, 'do not agree for all values: add --assume "E % H == 0"'),
        (("(B,E)", "S(1)", "(B,H,-1)", None, 8), Undecided, "-1 is an integer only for some values"),
        (("(B,E)", "S(1)", "(B,H,E//G)", None, 8), Undecided, "write both shapes in the same names"),
        (("(N,4)", "S(0), S(0), S(0)", "(-1)", None, "2x2x2"), NotSupported, "more than two mesh axes"),
    ],
)
def test_what_is_refused(arguments, error, text: str) -> None:
    with pytest.raises(error, match=text):
        placement_conditions(*arguments)


def test_placements_as_pytorch_prints_objects() -> None:
    asked = [("Shard(dim=1)", "Replicate()", "_StridedShard(dim=0, sf=2)", "Partial(sum)"), (2, 3, 2, 2)]
    assert placements_after((4, 6), asked[0], (24,), asked[1]) == placements_after(
        (4, 6), "S(1), R, _S(0,2), P(sum)", (24,), "2x3x2x2"
    )


def test_names_are_no_numbers() -> None:
    with pytest.raises(SymbolError):
        placements_after("(N,4)", "S(0)", "(-1)", 2)
