"""What layouts do in memory, against the definition on whole tables."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random

import pytest
import tensor_layouts
from tensor_layouts import analysis

from oracle import cute_brute, memory_brute, swizzle_brute
from oracle.test_swizzled import composed, nested
from symview import Budget, cute
from symview.cute import Layout, LinearLayout, NoAnswer
from symview.cute.analysis import sets, vectors
from symview.cute.named.substitution import put
from symview.errors import SymbolError, Undecided
from symview.logic.budget import DEFAULT
from symview.logic.points import true_at


def anything(rng: Random, most: int = 300):
    """A layout, a swizzled one, or a linear one, and its table."""
    kind = rng.random()
    if kind < 0.2:
        bases = [rng.choice((0, 1, 2, 4, 8, 16, 3, 5, 6, 24, rng.randrange(64))) for _ in range(rng.randint(0, 7))]
        layout = LinearLayout(bases, constant=rng.choice((0, 0, 1, 5, 32)))
        return layout, [layout(i) for i in range(layout.size())]
    modes = swizzle_brute.random_modes(rng, most)
    fronts = swizzle_brute.random_fronts(rng, modes) if kind < 0.6 else []
    return composed(fronts, Layout(*nested(rng, modes))), swizzle_brute.values(fronts, modes)


def test_bank_conflicts(turns, least) -> None:
    rng, seen = Random("banks"), Counter()
    for _ in turns(500):
        layout, table = anything(rng)
        memory = (
            rng.choice((1, 2, 4, 8, 32, 6)), rng.choice((1, 2, 4, 4, 8)), rng.choice((1, 4, 8, 32, 5)),
            rng.choice((1, 2, 4, 8, 3)), rng.choice((1, 1, 1, 2, 4)),
        )  # fmt: skip
        expected = memory_brute.ways(table, *memory)
        query = {"element_bytes": memory[3], "vector": memory[4]}
        if expected is None:
            with pytest.raises(NoAnswer, match="misaligned"):
                cute.bank_conflicts(layout, *memory[:3], **query)
            seen["not aligned"] += 1
            continue
        found = cute.bank_conflicts(layout, *memory[:3], **query)
        assert found.ways == expected, (layout, memory, found)
        lanes = table[found.access * memory[2] :][: memory[2]]
        for word, threads in found.words.items():
            assert word % memory[0] == found.bank
            for t in threads:
                first = lanes[t] * memory[3] // memory[1]
                assert first <= word <= ((lanes[t] + memory[4]) * memory[3] - 1) // memory[1]
        assert len(found.words) == found.ways
        seen["free" if expected == 1 else "ways"] += 1
    assert min(seen.values()) > least(50), seen


def test_bank_conflicts_by_period(turns) -> None:
    """Where accesses are not walked one by one."""
    rng, seen = Random("banks by period"), Counter()
    for _ in turns(100):
        threads = rng.choice((2, 4, 8))
        modes = [(threads, rng.randint(0, 9)), (rng.choice((2, 3, 4, 8)), rng.randint(0, 40)), (5, rng.randint(0, 40))]
        fronts = [(swizzle_brute.random_swizzle(rng), rng.choice((0, 3)))] if rng.random() < 0.6 else []
        memory = (rng.choice((2, 4, 8)), 4, threads, rng.choice((1, 2, 4, 3)), 1)
        found = cute.bank_conflicts(
            composed(fronts, Layout(*zip(*modes, strict=True))), *memory[:3], element_bytes=memory[3],
            budget=Budget(points=1),
        )  # fmt: skip
        assert found.ways == memory_brute.ways(swizzle_brute.values(fronts, modes), *memory)
        seen[found.ways] += 1
    assert len(seen) > 3, seen


def test_bank_conflicts_by_stride(turns, full) -> None:
    """Each small value of the symbol, and some large ones: one case is about it, and has its ways."""
    rng, seen = Random("banks by stride"), Counter()
    for _ in turns(60):
        sizes = (rng.choice((2, 3, 4, 8)), rng.choice((1, 2, 4, 5)))
        steps = rng.choice((("d", 1), (1, "d"), ("d", rng.randint(2, 40)), ("2*d + 1", 4), ("d", "3*d"), ("d", 0),
                            ("d", "d + 9"), ("d", -7), ("-d", 3), ("d", "d")))  # fmt: skip
        kind = rng.random()
        fronts = [] if kind < 0.6 else [(swizzle_brute.random_swizzle(rng), rng.choice((0, 0, 5)))]
        fronts += [(swizzle_brute.random_swizzle(rng), rng.choice((0, 3)))] if kind > 0.85 else []
        memory = (
            rng.choice((2, 4, 8, 6)), rng.choice((4, 4, 8, 2)), rng.choice((4, 8, 40)),
            rng.choice((1, 2, 4, 8, 16, 3)), rng.choice((1, 1, 1, 2, 4)),
        )  # fmt: skip
        layout = Layout.parse(f"({sizes[0]},{sizes[1]}):({steps[0]},{steps[1]})")
        query = {"element_bytes": memory[3], "vector": memory[4]}
        if fronts and min(swizzle_brute.values([], layout.with_values({"d": 10**6}).flat())) + fronts[-1][1] < 0:
            with pytest.raises(SymbolError, match="below 0"):
                cute.bank_conflicts(composed(fronts, layout), *memory[:3], **query)
            seen["refused"] += 1
            continue
        found = cute.bank_conflicts(composed(fronts, layout), *memory[:3], **query)
        small = [*range(-70, 71)] if not fronts else rng.sample(range(-40, 200), 60)
        rule, listed = found.question.more["ways"], found.question.more["exceptions"]
        for d in [*small, *[rng.choice((1, 1, -1)) * rng.randint(300, 9999) for _ in range(12)]]:
            modes = layout.with_values({"d": d}).flat()
            expected: int | None = None
            below = fronts and min(swizzle_brute.values([], modes)) + fronts[-1][1] < 0
            if not below:
                expected = memory_brute.ways(swizzle_brute.values(fronts, modes), *memory)
            about = [c for c in found.cases if true_at([c.data.where], {"d": d})]
            assert [c.answer for c in about] == [expected], (layout, fronts, memory, d)
            assert found.holds({"d": d}) == (expected is not None)
            by_json = [x["ways"] for x in listed if x["from"] <= d <= x["to"] and rule[d % len(rule)]]
            assert below or [*by_json, rule[d % len(rule)]][0] == expected
            seen["below" if below else "not aligned" if expected is None else "exception" if by_json else "rule"] += 1
    if full:
        assert min(seen.values()) > 2, seen
        assert len(seen) == 5, seen


@pytest.mark.parametrize("budget", [DEFAULT, Budget(points=1)], ids=["listed", "by intervals"])
def test_values(budget, turns, full) -> None:
    """Listed, and by the intervals that swizzles permute."""
    rng, seen, listed = Random(f"values {budget.points}"), Counter(), budget == DEFAULT
    for _ in turns(100):
        layout, table = anything(rng)
        if rng.random() < 0.15:
            layout = composed([(swizzle_brute.random_swizzle(rng), rng.randint(0, 40))], Layout(rng.randint(20, 150)))
            table = [layout(i) for i in range(layout.size())]
        expected = sorted(set(table))
        try:
            found = cute.image(layout, budget)
        except Undecided:
            assert not listed and isinstance(layout, cute.ComposedLayout)
            seen["undecided"] += 1
            continue
        assert list(islice(found, 999)) == expected and len(found) == len(expected), layout
        gaps = [x for x in range(expected[0], expected[-1]) if x not in set(expected)]
        assert found.gap == min(gaps, default=None)
        assert [x in found for x in range(-40, 300)] == [x in expected for x in range(-40, 300)]
        prints = cute.footprint(layout, budget)
        assert (prints.least, prints.greatest, prints.count) == (expected[0], expected[-1], len(expected))
        assert (prints.size, prints.holes) == (len(table), len(gaps))
        bound = rng.choice((None, 1, len(table), 12))
        onto = cute.is_surjective(layout, bound, budget)
        lacking = set(range(expected[-1] + 1 if bound is None else bound)) - set(expected)
        assert (onto is True) == (not lacking)
        if lacking:
            assert onto.expected == min(lacking)
        dense = cute.is_contiguous(layout)
        assert (dense is True) == (not gaps and len(expected) == len(table))
        if not dense and dense.other:
            (one,), (two,) = dense.other, dense.index
            assert table[one] == table[two] == dense.got and one != two
        elif not dense:
            assert dense.expected == gaps[0]
        seen["dense"] += dense is True
        seen["onto"] += onto is True
        if dense is True:
            assert cute.order(layout) == memory_brute.order([v - expected[0] for v in table])
        seen[type(found.values).__name__] += 1
    if full:
        assert min(seen.values()) > 2 and len(seen) == (5 if listed else 6), seen


@pytest.mark.parametrize("budget", [DEFAULT, Budget(points=1)], ids=["by tables", "by residues"])
def test_vector_widths(budget, turns, least) -> None:
    """By tables, and by residues where there is a choice."""
    rng, seen = Random(f"vectors {budget.points}"), Counter()
    for _ in turns(400):
        layout, table = anything(rng, 128)
        if rng.random() < 0.5:
            layout = Layout(*zip(*[(rng.choice((2, 4, 6, 8)), 1), (rng.randint(1, 4), 4), (2, 24)], strict=True))
            if rng.random() < 0.7:
                layout = composed([(swizzle_brute.random_swizzle(rng), rng.choice((0, 0, 4, 2)))], layout)
            table = [layout(i) for i in range(layout.size())]
        try:
            found = cute.vector_width(layout, budget)
        except Undecided:
            assert budget != DEFAULT
            seen["undecided"] += 1
            continue
        expected = memory_brute.widest_vector(table)
        assert found.width == expected, (layout, found, expected)
        if found.index is not None:
            assert table[found.index] == found.got != found.expected
        seen["wide" if expected > 1 else "one"] += 1
    assert seen["undecided"] < 10, seen
    assert min(seen["wide"], seen["one"]) > least(60), seen


def test_vector_widths_by_symbols(turns) -> None:
    """Also where a stride continues the first mode, and where symbols are strides of modes of size 1 alone."""
    rng, seen = Random("vectors by symbols"), Counter()
    for _ in turns(60):
        n, m, k = rng.choice((2, 4, 6)), rng.randint(1, 4), rng.randint(1, 4)
        layout = Layout.parse(f"({n},{m},{k}):(1,a,{rng.choice(('b', '2*b', n * m, 8))})")
        found = cute.vector_width(layout)
        for _ in range(8):
            a = rng.choice((n, rng.randint(-2, 16)))
            values = {"a": a, "b": rng.choice((a * m, rng.randint(0, 16)))}
            table = [layout.with_values(values)(i) for i in range(n * m * k)]
            width = memory_brute.widest_vector(table)
            if isinstance(found, vectors.VectorWidth):
                assert found.width == width, layout
            else:
                given = {n: values[n] for n in found.symbols()}
                assert found.case(given).answer == found.answer(given).width == width, layout
            seen["longer"] += width > n
            seen[type(found)] += 1
    assert min(seen.values()) > 3, seen


def test_peers(turns, full) -> None:
    """tensor-layouts has the same functions, for all that can be listed."""
    rng, seen = Random("peers"), Counter()
    for _ in turns(150):
        shape = tuple(rng.choice((1, 2, 3, 4, 8)) for _ in range(rng.randint(1, 3)))
        stride = tuple(rng.choice((0, 1, 2, 3, 4, 8, 16)) for _ in shape)
        ours, theirs = Layout(shape, stride), tensor_layouts.Layout(shape, stride)
        if rng.random() < 0.5:
            swizzle = rng.choice((1, 2)), rng.choice((0, 1, 2)), rng.choice((2, 3))
            ours = cute.ComposedLayout(cute.Swizzle(*swizzle), 0, ours)
            theirs = tensor_layouts.compose(tensor_layouts.Swizzle(*swizzle), theirs)
        assert list(cute.image(ours)) == analysis.image(theirs)
        assert bool(cute.is_contiguous(ours)) == analysis.is_contiguous(theirs)
        assert bool(cute.is_surjective(ours)) == analysis.is_surjective(theirs, cute.footprint(ours).greatest + 1)
        if cute.is_contiguous(ours):
            assert cute.order(ours) == analysis.order(theirs)
            seen["order"] += 1
        if len(shape) == 1:
            assert cute.bank_conflicts(ours).ways == analysis.bank_conflicts(theirs, element_bytes=4)["max_ways"]
            seen["banks"] += 1
    if full:
        assert min(seen.values()) > 5, seen


def test_spans_of_layouts(turns, full) -> None:
    """Exact where a layout is strided or has numbers; behind a swizzle with names the blocks of the values."""
    rng, seen = Random("spans"), Counter()
    for _ in turns(60):
        rank = rng.randint(1, 3)
        sizes = [rng.choice(("1", "2", "3", "n")) for _ in range(rank)]
        strides = [rng.choice(("a", "2*a", "n", "0", "3", "-2")) for _ in range(rank)]
        inner = layout = Layout.parse(f"({','.join(sizes)}):({','.join(strides)})")
        swizzle = cute.Swizzle(*swizzle_brute.random_swizzle(rng))
        if swizzled := "-2" not in strides and rng.random() < 0.5:
            layout = cute.ComposedLayout(swizzle, rng.randint(0, 20), inner)
        found = cute.span(layout, "a >= 0" if swizzled and "a" in inner.symbols() else ())
        for _ in range(6):
            values = {s: rng.randint(1 if s == "n" or swizzled else -4, 6) for s in inner.symbols()}
            numbers = layout.with_values(values) if values else layout
            table = [numbers(i) for i in range(inner.with_values(values).size() if values else inner.size())]
            ends = [put(x, values) for x in (found.least, found.greatest)]
            exact = cute.span(numbers)
            assert [exact.least, exact.greatest] == [min(table), max(table)]
            assert ends[0] <= min(table) and max(table) <= ends[1], (layout, values)
            block = 1 << swizzle.zzz_msk.bit_length() if found.bound else 1
            assert [x // block for x in ends] == [min(table) // block, max(table) // block], (layout, values)
            seen[found.bound] += 1
    if full:
        assert min(seen[True], seen[False]) > 30


def test_large_values_are_not_walked() -> None:
    huge = Layout((4, 1 << 40), (1 << 40, 1))
    assert cute.is_contiguous(huge) is True
    assert cute.footprint(Layout((1 << 30, 3), (6, 2))).holes == 3 * (1 << 30) - 1
    swizzled = cute.ComposedLayout(cute.Swizzle(3, 3, 3), 77, Layout((1 << 30, 4), (4, 1)))
    assert cute.image(swizzled).gap is not None
    rows = cute.ComposedLayout(cute.Swizzle(3, 3, 3), 5, Layout((1 << 20, 1 << 20), (1, 1 << 21)))
    assert cute.image(rows).gap == (1 << 20) + 5
    assert cute.bank_conflicts(swizzled).ways == memory_brute.ways([swizzled(i) for i in range(1024)], 32, 4, 32, 4, 1)
    assert cute.vector_width(cute.ComposedLayout(cute.Swizzle(3, 3, 3), 0, Layout((64, 1 << 40), (1, 64)))).width == 8


def test_layouts_with_linear_parts(turns) -> None:
    """A linear layout in front of a layout, or behind a swizzle."""
    rng, seen = Random("linear parts"), Counter()
    for _ in turns(150):
        linear = LinearLayout([rng.randrange(32) for _ in range(4)], {"offset": 32}, constant=rng.randrange(32))
        x = cute.ComposedLayout(linear, 0, Layout((2, 3), (rng.randrange(4), rng.randrange(4))))
        if rng.random() < 0.5:
            x = cute.ComposedLayout(cute.Swizzle(2, 0, 3), rng.randrange(4), linear)
        table = [x(i) for i in range(x.size())]
        values = sorted(set(table))
        assert list(cute.image(x)) == values
        assert cute.footprint(x).holes == values[-1] - values[0] + 1 - len(values)
        assert bool(cute.is_injective(x)) == (len(values) == len(table))
        assert bool(cute.is_bijective(x)) == (values == list(range(len(table))))
        assert cute.bank_conflicts(x).ways == memory_brute.ways(table, 32, 4, 32, 4, 1)
        seen[cute.is_injective(x)] += 1
    assert min(seen.values()) > 10


def test_listed_values() -> None:
    assert sets.Listed((3, 4, 6)).missing() == 5
    assert cute_brute.size([(2, 3)]) == 2
