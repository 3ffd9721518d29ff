"""`conditions` against the oracle's row space: the equations, their evidence, the merged view, the counterexample."""

from __future__ import annotations

import itertools
from collections import Counter
from math import prod
from random import Random

import pytest
import sympy
from bridge import (
    STRIDES,
    box,
    coefficients,
    equation_rows,
    named,
    orthogonal,
    points,
    primitive,
    strides_with,
    substituted,
    substituter,
    symbolic,
    view,
)
from hypothesis import given
from strategies import pairs

from oracle import brute, generate
from oracle.brute import V
from symview import Budget, Conditions, Status, View, conditions
from symview.engine import radix
from symview.engine.overflow_space import find_rows

BOUNDED = Budget(work=1_000_000)
ENGINES = ("auto", "enumerate", "smt")
GENERATORS = {"pair": generate.pair, "accidental": generate.accidental, "movement_pair": generate.movement_pair}


def spans_alike(outer: V, inner: V) -> brute.Rows:
    """The three engines' row spaces are the oracle's, each with witnesses that span it."""
    rows = brute.row_space(outer.shape, inner)
    places = radix.boundaries(outer.shape) if prod(outer.shape) else ()
    for engine in ENGINES:
        found = find_rows(places, box(inner), engine)
        assert found.complete
        assert found.space.rows == primitive(rows)
        assert brute.echelon(step.row for step in found.steps) == rows
        assert len(found.steps) == len(rows)
    return rows


@pytest.mark.parametrize("name", GENERATORS)
def test_the_row_space_is_the_oracle_s(name, turns, full) -> None:
    rng, ranks = Random(f"rows {name}"), Counter()
    for _ in turns(120):
        outer, inner = GENERATORS[name](rng)
        rows = spans_alike(outer, inner)
        ranks[len(rows)] += 1
        ranks["not full"] += 0 < len(rows) < len(brute.boundaries(outer.shape))
    if full:
        assert min(ranks[0], ranks[1], ranks[2]) >= (0 if name == "accidental" else 5)
        assert ranks["not full"] > 10


@given(pairs())
def test_the_row_space_of_any_small_pair(pair) -> None:
    spans_alike(*pair)


def one_case(outer: V, inner: V) -> Conditions:
    """The conditions on σ1, σ2, …, the same from every engine."""
    found = [conditions(symbolic(outer), view(inner), engine=engine) for engine in ENGINES]
    assert found[0] == found[1] == found[2]
    assert len(found[0].cases) == 1
    return found[0]


@pytest.mark.parametrize("name", GENERATORS)
def test_conditions_are_the_oracle_s(name, turns, full) -> None:
    rng, statuses = Random(f"conditions {name}"), Counter()
    for _ in turns(40):
        outer, inner = GENERATORS[name](rng)
        answer = one_case(outer, inner)
        case, rows = answer.cases[0], brute.row_space(outer.shape, inner)
        statuses[case.status] += 1
        assert case.status is (Status.WHEN if rows else Status.ALWAYS)
        assert case.where == sympy.true
        assert equation_rows(outer.shape, case.equations) == rows
        assert len(case.equations) == len(rows)
        for equation in case.equations:
            check_form(equation, len(outer.shape))
        check_witnesses(answer, outer, inner, rows)
        check_values(rng, answer, outer, inner, rows)
    if full:
        assert statuses[Status.WHEN] > 10


def check_form(equation: sympy.Eq, rank: int) -> None:
    """Primitive, and the leading stride alone on the left with a positive factor."""
    row = [c for c in coefficients(equation, rank) if c]
    assert sympy.gcd_list(row) == 1
    assert row[0] > 0
    lead = next(s for s in STRIDES if equation.has(s))
    assert equation.lhs == row[0] * lead
    assert not equation.rhs.has(lead)


def check_witnesses(answer: Conditions, outer: V, inner: V, rows: brute.Rows) -> None:
    """The oracle's form at each witness, less that of the index before it, is the witness' equation."""
    forced = []
    for witness in answer.cases[0].witnesses:
        here, axis = witness.index, witness.axis
        before = (*here[:axis], here[axis] - 1, *here[axis + 1 :])
        form = [
            a - b
            for a, b in zip(*(brute.constraint(outer.shape, inner, index) for index in (here, before)), strict=True)
        ]
        said = coefficients(witness.equation, len(outer.shape))
        assert any(form)
        assert sympy.Matrix([form, said]).rank() == 1
        assert witness.digits == brute.unravel(brute.address(inner, here), outer.shape)
        cuts, step = brute.boundaries(outer.shape), inner.strides[axis]
        after, start = brute.address(inner, here), brute.address(inner, before)
        assert witness.pattern == tuple(after // p - start // p - step // p for p in cuts)
        forced.append(brute.over_defects(outer.shape, form))
    assert brute.echelon(forced) == rows


def check_values(rng: Random, answer: Conditions, outer: V, inner: V, rows: brute.Rows) -> None:
    """`holds`, the counterexample and the merged view at strides that solve all, all but one, or none."""
    rank, width = len(outer.shape), len(brute.boundaries(outer.shape)) if prod(outer.shape) else 0
    if prod(outer.shape) == 0:
        return
    solving = strides_with(rng, outer.shape, orthogonal(rng, rows, width))
    for strides in [solving, tuple(rng.randint(-9, 9) for _ in range(rank)), *all_but_one(rng, outer, rows)]:
        numbers = V(outer.shape, strides, outer.offset)
        values = named(strides) if rank else {}
        expected = brute.merge(numbers, inner)
        merges = isinstance(expected, brute.Merged)
        assert answer.holds(values) == merges
        assert merges or strides != solving
        broken = answer.counterexample(values)
        if merges:
            assert broken is None
            merged = answer.cases[0].view
            for candidate in (merged, answer.cases[0].substituted()):
                found = substituted(candidate, values)
                assert found == view(V(inner.shape, *expected))
                for index in points(rng, inner.shape, 5):
                    assert found.at(index) == brute.compose(numbers, inner, index)
        else:
            assert (broken.index, broken.expected, broken.got) == (expected.index, expected.expected, expected.got)
            assert broken.values == values
            assert broken.smallest


def all_but_one(rng: Random, outer: V, rows: brute.Rows) -> list[tuple[int, ...]]:
    """For each equation, strides that break it and no other."""
    found = []
    for n, row in enumerate(rows):
        others = rows[:n] + rows[n + 1 :]
        defects = next(v for v in generate.null_space(others, len(row)) if sum(map(int.__mul__, v, whole(row))))
        found.append(strides_with(rng, outer.shape, defects))
        dots = [sum(map(int.__mul__, defects, whole(other))) for other in rows]
        assert [bool(d) for d in dots] == [m == n for m in range(len(rows))]
    return found


def whole(row: brute.Row) -> tuple[int, ...]:
    return primitive((row,))[0]


def test_strides_that_share_symbols_or_are_numbers(turns, full) -> None:
    """Any linear forms as strides, with a symbolic offset: `holds` is the oracle's merge, everywhere tried."""
    rng, seen = Random("mixed strides"), Counter()
    for turn in turns(40):
        outer, inner = (generate.accidental, generate.pair)[turn % 2](rng)
        symbols = STRIDES[: rng.randint(1, 2)]
        forms = [form(rng, symbols) for _ in outer.shape]
        mixed = View(outer.shape, forms, form(rng, symbols))
        # Products of symbols can keep Z3 busy with whether the equations have solutions at all.
        answer, other = (conditions(mixed, view(inner), engine=e, budget=BOUNDED) for e in ("auto", "smt"))
        assert answer == other
        status = answer.cases[0].status
        seen[status] += 1
        case = answer.cases[0]
        at, merged = substituter(mixed), [substituter(v) for v in (case.view, case.substituted()) if v is not None]
        every = small_values(mixed)
        for values in rng.sample(every, min(12, len(every))):
            numbers = at(values)
            expected = brute.merge(V(numbers.shape, numbers.strides, numbers.offset), inner)
            merges = isinstance(expected, brute.Merged)
            assert answer.holds(values) == merges
            assert merges or status is not Status.ALWAYS
            assert not merges or status is not Status.NEVER
            for merged_at in merged if merges else ():
                assert merged_at(values) == view(V(inner.shape, *expected))
    if full:
        assert min(seen[Status.ALWAYS], seen[Status.WHEN], seen[Status.NEVER]) > 3


def form(rng: Random, symbols: list[sympy.Symbol]):
    kind = rng.random()
    if kind < 0.3:
        return rng.randint(-4, 4)
    if kind < 0.6:
        return rng.choice((-2, -1, 1, 3)) * rng.choice(symbols)
    if kind < 0.7:
        return rng.choice(symbols) * rng.choice(symbols)
    return sum(rng.randint(-2, 2) * s for s in symbols) + rng.randint(-3, 3)


def small_values(v: View) -> list[dict[str, int]]:

    names = list(v.symbols())
    return [dict(zip(names, numbers, strict=True)) for numbers in itertools.product(range(-2, 4), repeat=len(names))]


def test_the_smallest_counterexample_of_symbolic_strides(turns, full) -> None:
    """No smaller strides break the merge, and no smaller index does at strides of that sum."""
    rng, found_some = Random("smallest"), 0
    for turn in turns(40):
        outer, inner = (generate.accidental, generate.pair)[turn % 2](rng)
        outer = outer._replace(offset=0)
        if not 1 <= len(outer.shape) <= 4:
            continue
        answer = conditions(symbolic(outer), view(inner))
        least = answer.counterexample()
        if answer.cases[0].status is Status.ALWAYS:
            assert least is None
            continue
        found_some += 1
        strides = tuple(least.values[f"σ{n + 1}"] for n in range(len(outer.shape)))
        expected = brute.merge(V(outer.shape, strides), inner)
        assert (least.index, least.expected, least.got) == (expected.index, expected.expected, expected.got)
        assert least.smallest
        level = sum(map(abs, strides))
        broken = {n: breaking(outer.shape, inner, n) for n in range(level + 1)}
        assert not any(broken[n] for n in range(level))
        assert least.index == min(broken[level], key=lambda index: (sum(index), index))
    if full:
        assert found_some > 10


def test_the_smallest_counterexample_of_mixed_strides(turns, full) -> None:
    """The same where strides share symbols, so that symbols may have to be negative or larger."""
    rng, seen = Random("smallest mixed"), Counter()
    for turn in turns(40):
        outer, inner = (generate.accidental, generate.pair)[turn % 2](rng)
        symbols = STRIDES[: rng.randint(1, 2)]
        mixed = View(outer.shape, [form(rng, symbols) for _ in outer.shape])
        answer, at = conditions(mixed, view(inner), budget=BOUNDED), substituter(mixed)
        least, names = answer.counterexample(), list(mixed.symbols())
        for level in range(4):
            vectors = list(itertools.product(range(-level, level + 1), repeat=len(names)))
            values = [dict(zip(names, v, strict=True)) for v in vectors if sum(map(abs, v)) == level]
            answers = [brute.merge(V(outer.shape, at(v).strides), inner) for v in values]
            indices = [a.index for a in answers if isinstance(a, brute.Broken)]
            if indices:
                assert sum(map(abs, least.values.values())) == level
                assert least.index == min(indices, key=lambda index: (sum(index), index))
                again = brute.merge(V(outer.shape, at(least.values).strides), inner)
                assert (least.index, least.expected, least.got) == (again.index, again.expected, again.got)
                seen[level] += 1
                break
        else:
            assert least is None or sum(map(abs, least.values.values())) > 3
            seen["none"] += least is None
    if full:
        assert min(seen[0], seen[1], seen["none"]) > 1


def test_the_smallest_values_can_be_negative() -> None:
    """σ1² = σ1 holds at 0 and at 1, so the merge breaks first at -1."""
    a = STRIDES[0]
    least = conditions(View((2, 2), (a**2 - a, 0)), View((3,), (1,))).counterexample()
    assert (dict(least.values), least.index, least.expected, least.got) == ({"σ1": -1}, (2,), 0, 2)


def breaking(shape: tuple[int, ...], inner: V, level: int) -> list[brute.Index]:
    """The smallest broken index for each vector of strides with that sum of absolute values."""

    vectors = itertools.product(range(-level, level + 1), repeat=len(shape))
    answers = [brute.merge(V(shape, v), inner) for v in vectors if sum(map(abs, v)) == level]
    return [a.index for a in answers if isinstance(a, brute.Broken)]
