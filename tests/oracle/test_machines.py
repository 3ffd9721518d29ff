"""Phases of machines, as spans of the bits of a lane, and any phases, against the words of every lane."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from oracle import memory_brute, swizzle_brute
from oracle.test_analysis import anything
from oracle.test_swizzled import composed
from symview import Undecided, cute
from symview.cute import Layout, NoAnswer
from symview.logic.points import true_at

EIGHTS = (1, 2, 4 ^ 16)  # l0, l1, l2 + l4, as in triton#11365
HALVES = (1, 2, 4 ^ 8, 4 ^ 16)
BITS = (1, 2, 4, 8, 16, 32)
# lanes, and by direction and bytes the banks and what spans the first phase
MACHINES = {
    "nvidia": (32, {(w, n): (32, BITS[:k]) for w in (False, True) for n, k in ((4, 5), (8, 4), (16, 3))}),
    "cdna3": (64, {
        **{(w, n): (32, BITS[:k]) for w in (False, True) for n, k in ((4, 5), (8, 4))},
        (False, 16): (32, EIGHTS), (True, 16): (32, BITS[:3]),
    }),
    "cdna4": (64, {
        (False, 4): (64, BITS), (False, 8): (64, BITS[:5]), (False, 12): (32, EIGHTS), (False, 16): (64, HALVES),
        (True, 4): (32, BITS[:5]), (True, 8): (32, BITS[:4]), (True, 16): (32, BITS[:3]),
    }),
    "rdna3": (32, {(False, 4): (32, BITS[:5]), (False, 8): (32, BITS[:4]), (False, 16): (32, EIGHTS)}),
    "rdna4": (32, {(False, 4): (32, BITS[:5]), (False, 8): (32, BITS[:4]), (False, 16): (32, BITS[:3])}),
}  # fmt: skip
ROWS = [(name, *key) for name, (_, rows) in MACHINES.items() for key in rows]


def served(name: str, write: bool, many: int) -> tuple[int, list[list[int]]]:
    lanes, rows = MACHINES[name]
    banks, spanning = rows[write, many]
    return banks, memory_brute.cosets(lanes, spanning)


@pytest.mark.parametrize(("name", "write", "many"), ROWS)
def test_rows_of_machines(name, write, many) -> None:
    """Each lane once, whole cosets, no more than a row of banks in a phase; nothing certain but what is documented."""
    banks, phases = served(name, write, many)
    size = 4 if many == 12 else min(many, 4)
    found = cute.bank_conflicts(Layout(8, 0), bytes=size, vector=many // size, machine=name, write=write)
    row = found.row
    assert (row.machine, row.write, row.bytes, row.banks) == (name, write, many, banks)
    assert [*row.phases] == phases
    assert sorted(lane for phase in row.phases for lane in phase) == [*range(MACHINES[name][0])]
    assert all(len(phase) * many <= banks * 4 for phase in row.phases)
    assert row.confidence in {"documented", "accepted", "measured", "inferred", "disputed"}
    assert f"{row.confidence} ({row.source})" in str(found)


@pytest.mark.parametrize(("name", "write", "many"), ROWS)
def test_ways_on_machines(name, write, many, turns) -> None:
    rng, seen = Random(f"{name} {write} {many}"), Counter()
    banks, phases = served(name, write, many)
    for _ in turns(40):
        layout, table = anything(rng)
        size = rng.choice([n for n in (1, 2, 4, 8, 16) if many % n == 0 and (n != 1 or many == 4)])
        vector = many // size
        if rng.random() < 0.7:  # aligned, and a pitch of a tile
            pitch = vector * rng.choice((1, 2, 4, 8, 9, 10, 16, 24, 32))
            layout = Layout((16, 4, 2), (pitch, vector, 16 * pitch))
            table = [layout(i) for i in range(layout.size())]
        told = {"element_bytes": size, "vector": vector, "machine": name, "write": write}
        expected = memory_brute.ways_in_phases(table, banks, phases, size, vector)
        if expected is None:
            with pytest.raises(NoAnswer, match="misaligned"):
                cute.bank_conflicts(layout, **told)
            seen["not aligned"] += 1
            continue
        found = cute.bank_conflicts(layout, **told)
        assert found.ways == expected, (layout, told)
        assert all(word % banks == found.bank for word in found.words)
        assert any({t for threads in found.words.values() for t in threads} <= {*phase} for phase in phases)
        seen[expected] += 1
    assert len(seen) > 1


def test_ways_in_given_phases(turns, least) -> None:
    """Any partition of the lanes, by lists and as text; an access may leave lanes idle, and the last may be partial."""
    rng, seen = Random("phases"), Counter()
    for _ in turns(200):
        lanes, banks = rng.choice((4, 8, 9, 32)), rng.choice((2, 4, 8, 6))
        order = [*range(lanes)]
        rng.shuffle(order)
        cuts = [0, *sorted(rng.sample(range(1, lanes), rng.randint(0, 3))), lanes]
        phases = [order[a:b] for a, b in pairwise(cuts)]
        layout, table = anything(rng)
        size, vector = rng.choice((1, 2, 4, 8)), rng.choice((1, 1, 1, 2))
        expected = memory_brute.ways_in_phases(table, banks, phases, size, vector)
        text = "; ".join(" ".join(map(str, phase)) for phase in phases)
        told = {"element_bytes": size, "vector": vector, "phases": rng.choice((phases, text))}
        if expected is None:
            with pytest.raises(NoAnswer, match="misaligned"):
                cute.bank_conflicts(layout, banks, **told)
            seen["not aligned"] += 1
            continue
        assert cute.bank_conflicts(layout, banks, **told).ways == expected, (layout, banks, told)
        seen["free" if expected == 1 else "ways"] += 1
    assert min(seen.values()) > least(10), seen


def test_ways_by_a_stride_in_phases(turns, full) -> None:
    """Every small value of the symbol, and some large ones: machines and random phases, plain and swizzled layouts."""
    rng, seen = Random("phases by stride"), Counter()
    for _ in turns(50):
        kind, fronts = rng.random(), []
        if kind < 0.5:
            name, write, many = rng.choice([row for row in ROWS if row[2] != 12])
            banks, phases = served(name, write, many)
            size = rng.choice((2, 4))
            vector = max(1, many // size)
            told = {"machine": name, "write": write}
        else:
            banks, lanes = rng.choice((2, 4, 8)), rng.choice((4, 8))
            phases = memory_brute.cosets(lanes, [rng.randrange(1, lanes) for _ in range(rng.randint(0, 2))])
            size, vector = rng.choice((1, 2, 4, 8)), rng.choice((1, 2))
            told = {"banks": banks, "phases": phases}
            if kind > 0.75:
                fronts = [(swizzle_brute.random_swizzle(rng), rng.choice((0, 3)))]
        shape = rng.choice(((16, 4), (8, 8), (4, 4), (8, 3)))
        steps = rng.choice((("d", vector), (vector, "d"), ("d", 2 * vector), ("2*d", vector), ("d", 0), ("d", "3*d")))
        layout = Layout.parse(f"({shape[0]},{shape[1]}):({steps[0]},{steps[1]})")
        found = cute.bank_conflicts(composed(fronts, layout), element_bytes=size, vector=vector, **told)
        small = range(-70, 71) if not fronts else rng.sample(range(200), 40)
        for d in [*small, *[rng.randint(300, 9999) for _ in range(12)]]:
            modes = layout.with_values({"d": d}).flat()
            expected = memory_brute.ways_in_phases(swizzle_brute.values(fronts, modes), banks, phases, size, vector)
            assert [c.answer for c in found.cases if true_at([c.data.where], {"d": d})] == [expected], (layout, told, d)
            seen["swizzled" if fronts else "machine" if "machine" in told else "phases"] += expected is not None
    if full:
        assert min(seen.values()) > 100 and len(seen) == 3, seen


def test_sources_that_disagree(turns) -> None:
    """Reads of 4 bytes by CDNA4: one phase and 64 banks, or two phases and 32; both are told where they differ."""
    rng, seen = Random("sources"), Counter()
    halves = memory_brute.cosets(64, BITS[:5])
    for _ in turns(60):
        modes = [(2, rng.choice((1, 32, 64, 3))), (32, rng.choice((1, 2, 32, 33, 64)))]
        layout = Layout(*zip(*modes, strict=True))
        table = [layout(i) for i in range(64)]
        one = memory_brute.ways_in_phases(table, 64, memory_brute.cosets(64, BITS), 4, 1)
        two = memory_brute.ways_in_phases(table, 32, halves, 4, 1)
        found = cute.bank_conflicts(layout, machine="cdna4")
        assert (found.ways, found.other.ways if found.other else one) == (one, two)
        assert str(found).count("disputed") == 1 + (one != two)
        if min(one, two) == 1 < max(one, two):
            with pytest.raises(Undecided, match="sources disagree"):
                bool(found)
            seen["undecided"] += 1
        else:
            assert bool(found) == (one > 1)
            seen["disagree" if one != two else "agree"] += 1
    assert len(seen) == 3, seen
