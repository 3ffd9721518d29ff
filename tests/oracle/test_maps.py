"""Maps of stages against the definition of each stage, applied one after the other; each rung of the ladder alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from math import prod
from random import Random
from typing import Any

import pytest

from symview import Counterexample
from symview.cute.linear.straight import _along_lines as along_lines
from symview.cute.linear.straight import modes_of, split
from symview.engine import first_difference as ladder
from symview.engine.first_difference import Residues, first_difference
from symview.engine.map import Map, Strided, Xor, XorShift, line, shift
from symview.errors import Undecided
from symview.logic.budget import Budget

# Stages as what they are made of, and their values by the definition


def strided(modes: list[tuple[int, int]], offset: int, y: int) -> int:
    for n, d in modes[:-1]:
        offset, y = offset + y % n * d, y // n
    return offset + y * modes[-1][1]


def xored(columns: list[int], constant: int, y: int) -> int:
    for i, column in enumerate(columns):
        constant ^= column if y >> i & 1 else 0
    return constant


def swizzled(read: int, by: int, y: int) -> int:
    return y ^ ((y & read) >> by if by > 0 else (y & read) << -by)


def random_modes(rng: Random, most: int) -> list[tuple[int, int]]:
    sizes = (1, 2, 2, 3, 4, 4, 5, 8)
    steps = (0, 1, 1, 2, 3, 4, 8, 12, 16, 64, -1, -4)
    found = [(rng.choice(sizes), rng.choice(steps)) for _ in range(rng.randint(1, most))]
    if rng.random() < 0.3:
        found = [(n, found[0][1] * prod(m for m, _ in found[:k])) for k, (n, _) in enumerate(found)]
    return found


def random_stage(rng: Random) -> tuple[Any, Any]:
    """A stage, and its function; from 0 on only, but for swizzles and lines."""
    kind = rng.random()
    if kind < 0.35:
        modes, offset = random_modes(rng, 3), rng.choice((0, 0, 1, 5))
        return Strided.of(modes, offset), lambda y: strided(modes, offset, y)
    if kind < 0.5:
        by = rng.choice((1, 3, 4, 8, 17))
        return shift(by), lambda y: y + by
    if kind < 0.85:
        bits, base, by = rng.randint(0, 3), rng.randint(0, 3), rng.choice((3, 4, 5, -3, -4))
        read = (1 << bits) - 1 << base + max(by, 0)
        return XorShift(read, by), lambda y: swizzled(read, by, y)
    columns = [rng.choice((1 << i, 1 << i, rng.randrange(64), 0)) for i in range(rng.randint(0, 7))]
    constant = rng.choice((0, 0, rng.randrange(64)))
    return Xor(tuple(columns), constant), lambda y: xored(columns, constant, y)


def random_map(rng: Random) -> tuple[Map, list[int]]:
    """A map and its values; all that its stages are asked for is from 0 on."""
    while True:
        modes = random_modes(rng, 4)
        values = [strided(modes, 0, x) for x in range(prod(n for n, _ in modes))]
        stages = [Strided.of(modes)]
        if rng.random() < 0.3:  # ended within a mode
            values = values[: rng.randint(1, len(values))]
        for _ in range(rng.choice((0, 0, 1, 1, 2, 3))):
            low = min(values)
            if low < 0:
                stages.append(shift(-low))
                values = [v - low for v in values]
            stage, of = random_stage(rng)
            stages.append(stage)
            values = [of(v) for v in values]
        if max(map(abs, values)) < 1 << 14:
            return Map.of(len(values), *stages), values


def test_values_and_what_is_said_of_them(turns, full) -> None:
    """Merged stages, columns, forms on blocks, bounds, and the period with its slope."""
    rng, seen = Random("maps"), Counter[str]()
    for _ in turns(600):
        f, values = random_map(rng)
        assert [f(x) for x in range(f.size)] == values, f
        low, high = f.bounds()[-1]
        assert low <= min(values) and max(values) <= high
        columns, end = f.columns(), rng.randint(1, f.size)
        if columns is not None:
            assert [xored(columns[1], columns[0], x) for x in range(f.size)] == values, f
            seen["affine"] += 1
        assert [f.cut(end)(x) for x in range(end)] == values[:end], (f, end)
        q = rng.randint(0, f.size.bit_length() - 1)
        x = rng.randint(0, f.size - (1 << q))
        form = f.form(x, q)
        if form is not None:
            assert [form.at(t) for t in range(1 << q)] == values[x : x + (1 << q)], (f, x, q)
            seen["form"] += q > 1
        repeats = f.repeats()
        if repeats is not None:
            assert all(f.moved(y + repeats[0]) == f.moved(y) + repeats[1] for y in range(40)), f
            seen["slope"] += repeats[0] != repeats[1]
        seen["ends within a mode"] += f.strided() is not None and bool(f.front)
    if full:
        assert len(seen) == 4 and min(seen.values()) > 20, seen


def other(rng: Random, f: Map, values: list[int]) -> tuple[Map, list[int]]:
    """Another map: strided as long as it can be, affine, behind one stage more, or any."""
    kind = rng.randrange(5)
    if kind == 0:
        return random_map(rng)
    if kind == 1:
        stage, of = random_stage(rng)
        return (f.then(stage), [of(v) for v in values]) if min(values) >= 0 else (f, values)
    if kind == 2:
        bits = [values[1 << i] ^ values[0] for i in range((len(values) - 1).bit_length())]
        if min(values[0], *bits, 0) < 0:
            return f, values
        return Map.of(f.size, Xor(tuple(bits), values[0])), [xored(bits, values[0], x) for x in range(f.size)]
    modes, place = list[tuple[int, int]](), 1
    for n, _ in f.base.modes:
        modes.append((n, values[place] - values[0] + (kind == 3 and rng.random() < 0.2)))
        place *= n
    g = line(modes, values[0])
    return g, [strided(modes or [(1, 0)], values[0], x) for x in range(g.size)]


BLOCKS, SEARCHED = Budget(points=63), Budget(points=1)  # forms for small blocks too; a solver as soon as can be


def rungs(f: Map, g: Map, end: int, solver: bool) -> Iterator[tuple[str, int | None]]:
    """What each rung of the ladder says alone, where it says something."""

    def below(x: int | None) -> int | None:
        return x if x is not None and x < end else None

    if f.strided() and g.strided():
        yield "strided", below(ladder._of_strided(f.strided().below(end), g.strided().below(end)))
    if f.size == g.size and f.columns() and g.columns():
        yield "columns", below(ladder._of_columns(f.columns(), g.columns()))
    q = end.bit_length() - 1
    form, against = f.form(0, q), g.form(0, q)
    if end == 1 << q and form is not None and against is not None:
        yield "form", form.minus(against).first_nonzero()
    residues = Residues.of(f, g) if f.front or g.front else None
    if residues is not None and f.size == g.size:
        yield "residues", below(residues.first())
    yield "walked", ladder._by_blocks(f, g, end, Budget())
    yield "block by block", ladder._by_blocks(f, g, end, BLOCKS)
    if solver:
        yield "on bits", ladder._on_bits(f, g, 0, end, Budget())
        yield "searched", first_difference(f, g, end, SEARCHED)
    yield "all", first_difference(f, g, end, Budget())


def test_first_differences(turns, full) -> None:
    rng, seen = Random("first differences"), Counter[Any]()
    for turn in turns(400):
        f, values = random_map(rng)
        g, others = other(rng, f, values)
        end = rng.choice((min(f.size, g.size), rng.randint(1, min(f.size, g.size))))
        expected = next((x for x in range(end) if values[x] != others[x]), None)
        for rung, found in rungs(f, g, end, turn % 10 == 0):
            assert found == expected, (rung, f, g, end)
            seen[rung, expected is None] += 1
        assert first_difference(f, g, 0) is None
    if full:
        assert len(seen) == 18 and min(seen.values()) > 5, seen


def test_residues_of_other_periods(turns, least) -> None:
    """Two swizzles of one base that repeat after different lengths, both shorter than the base is long."""
    rng, seen = Random("other periods"), Counter[bool]()
    for _ in turns(100):
        steps = rng.choice((1, 3, 4, 5)), rng.choice((4, 8, 16, 20))
        modes = list(zip((rng.choice((4, 6, 8)), rng.choice((5, 8, 12))), steps, strict=True))
        base, size = Strided.of(modes), prod(n for n, _ in modes)
        reads = [(1 << rng.randint(by, 3), by) for by in (1, rng.choice((1, 2)))]
        f, g = (Map.of(size, base, XorShift(*read)) for read in reads)
        one, other = ([swizzled(*read, strided(modes, 0, x)) for x in range(size)] for read in reads)
        residues = Residues.of(f, g)
        assert residues is not None
        assert residues.first() == next((x for x in range(size) if one[x] != other[x]), None), (f, g)
        seen[f.period() != g.period() and residues.period <= max(one)] += 1
    assert min(seen[True], seen[False]) > least(20), seen


def test_modes(turns, full) -> None:
    """The coalesced modes, or an index where they are off; none at all, where a search for sizes finds none."""
    rng, seen = Random("modes"), Counter[Any]()
    for turn in turns(400):
        f, values = random_map(rng)
        ways = [("all", modes_of(f)), ("walked", along_lines(f, Budget()))]
        ways += [("by blocks", along_lines(f, BLOCKS))] if turn % 4 == 0 else []
        ways += [("searched", along_lines(f, SEARCHED))] if turn % 10 == 0 else []
        for way, found in ways:
            if isinstance(found, Counterexample):
                assert values[found.index[0]] == found.got != found.expected, (way, f, found)
                assert not any(is_strided(values, sizes) for sizes in factored(f.size)), f
            else:
                assert [strided(found or [(1, 0)], values[0], x) for x in range(f.size)] == values, (way, f, found)
                assert all(d != m * c for (m, c), (_, d) in pairwise(found))
            seen[way, isinstance(found, Counterexample)] += 1
    if full:
        assert len(seen) == 8 and min(seen.values()) > 10, seen


def factored(size: int) -> list[list[int]]:
    """All ways to write a size as a product of numbers from 2 on, in order."""
    if size == 1:
        return [[]]
    return [[n, *rest] for n in range(2, size + 1) if size % n == 0 for rest in factored(size // n)]


def is_strided(values: list[int], sizes: list[int]) -> bool:
    modes, place = list[tuple[int, int]](), 1
    for n in sizes:
        modes.append((n, values[place] - values[0]))
        place *= n
    return [strided(modes or [(1, 0)], values[0], x) for x in range(len(values))] == values


def test_modes_as_parts(turns, least) -> None:
    """The parts are the modes, cut where sizes end; or a mode crosses one."""
    rng, seen = Random("parts"), Counter[bool]()
    for _ in turns(400):
        f = line(random_modes(rng, 4))
        sizes = rng.choice(factored(f.size))
        found = split(f.base.modes, sizes)
        if isinstance(found, int):
            assert not is_strided([f(x) for x in range(f.size)], sizes) or found < len(f.base.modes)
        else:
            assert [prod(n for n, _ in part) for part in found] == sizes
            joined = [mode for part in found for mode in part] or [(1, 0)]
            assert [strided(joined, 0, x) for x in range(f.size)] == [f(x) for x in range(f.size)]
        seen[isinstance(found, int)] += 1
    assert min(seen.values()) > least(20), seen


def test_without_a_budget_no_solver_is_asked() -> None:
    f = Map.of(
        3**9, Strided.of([(3**9, 1)]), XorShift(1 << 40, 20), Strided.of([(3, 1), (1, 5)]), Xor(tuple(range(40)))
    )
    with pytest.raises(Undecided, match="too large to enumerate"):
        first_difference(f, Map.of(f.size, *f.front, shift(0)), f.size)
