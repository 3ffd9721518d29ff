"""The overflow table against brute force, by walking and by searching."""

from __future__ import annotations

from collections import Counter
from math import prod
from random import Random

import hard
import pytest
from bridge import box, coefficients, symbolic, view
from hypothesis import given
from strategies import pairs

from oracle import brute, generate
from oracle.brute import V
from symview import Budget, OutOfBounds, overflows
from symview.engine import presburger, radix
from symview.engine.overflow import occurring


def expected_rows(outer: V, inner: V) -> list[tuple[int, brute.Index, brute.Index]]:
    """(axis, index, pattern), by axis and first index."""
    found = brute.patterns(outer.shape, inner)
    return sorted(
        ((axis, index, pattern) for (axis, pattern), index in found.items()), key=lambda r: (r[0], sum(r[1]), r[1])
    )


def check(outer: V, inner: V) -> int:
    """The public table is the oracle's; how many rows it has."""
    expected = expected_rows(outer, inner)
    table = overflows(symbolic(outer), view(inner))
    assert table.complete
    assert table.reason == ""
    assert [(r.axis, r.index, r.pattern) for r in table.rows] == expected
    for row in table.rows:
        check_row(table, row, outer, inner)
    return len(expected)


def check_row(table, row, outer: V, inner: V) -> None:
    """Digits, crossed boundaries, addresses and the condition of one step."""
    here, step = brute.address(inner, row.index), inner.strides[row.axis]
    digits, old = brute.unravel(here, outer.shape), brute.unravel(here - step, outer.shape)
    assert row.digits == digits
    # A carry is one more than the step's own multiples of P, rounded towards 0.
    own = {p: step // p if step >= 0 else -(-step // p) for p in table.boundaries}
    assert row.overflows == tuple(p for p in table.boundaries if here // p - (here - step) // p != own[p])
    strides = symbolic(outer).strides
    assert row.address == sum(d * s for d, s in zip(digits, strides, strict=True))
    assert row.before == sum(d * s for d, s in zip(old, strides, strict=True))
    before = (*row.index[: row.axis], row.index[row.axis] - 1, *row.index[row.axis + 1 :])
    form = [a - b for a, b in zip(*(brute.constraint(outer.shape, inner, i) for i in (row.index, before)), strict=True)]
    form = [0 if n == 1 else c for n, c in zip(outer.shape, form, strict=True)]
    if row.condition is None:
        assert not any(form)
    else:
        said = coefficients(row.condition, len(outer.shape))
        assert any(form)
        assert brute.echelon([form, said]) == brute.echelon([said])


@pytest.mark.parametrize("name", ["pair", "accidental", "movement_pair"])
def test_the_table_is_the_oracle_s(name, turns, least) -> None:
    rng, rows = Random(f"overflows {name}"), Counter()
    for _ in turns(100):
        rows[min(3, check(*getattr(generate, name)(rng)))] += 1
    assert rows[3] > least(30)


@given(pairs())
def test_the_table_of_any_small_pair(pair) -> None:
    check(*pair)


@pytest.mark.parametrize("solver", ["isl", "z3"])
def test_the_search_finds_what_walking_finds(monkeypatch, turns, solver, full) -> None:
    if solver == "z3":
        monkeypatch.setattr(presburger, "_isl", lambda: None)
    rng, rows = Random("search"), Counter()
    for turn in turns(40 if solver == "isl" else 10):
        outer, inner = (generate.pair, generate.accidental, generate.movement_pair)[turn % 3](rng)
        places = brute.boundaries(outer.shape) if prod(outer.shape) else ()
        if not places:
            continue
        found = occurring(places, box(inner), Budget(points=1))
        assert found.complete
        assert [(o.axis, o.index, o.pattern) for o in found.found] == expected_rows(outer, inner)
        rows[min(3, len(found.found))] += 1
    if full:
        assert rows[3] > (20 if solver == "isl" else 4)


def test_large_place_values_are_searched(turns) -> None:
    rng = Random("large")
    for turn in turns(30):
        outer, inner = (hard.in_step, hard.scaled)[turn % 2](rng)
        found = occurring(radix.boundaries(outer.shape), box(inner))
        assert [(o.axis, o.index, o.pattern) for o in found.found] == expected_rows(outer, inner)


def test_every_index_in_row_major_order(turns) -> None:
    rng = Random("every")
    for _ in turns(60):
        outer, inner = generate.pair(rng)
        if prod(inner.shape) > 200:
            continue
        table = overflows(symbolic(outer), view(inner), every=True)
        assert table.complete
        steps = []
        for index in brute.indices(inner.shape):
            axes = [axis for axis, i in enumerate(index) if i]
            steps += [(index, axis) for axis in axes] or [(index, None)]
        assert [(r.index, r.axis) for r in table.rows] == steps
        for row in table.rows:
            assert row.digits == brute.unravel(brute.address(inner, row.index), outer.shape)
            if row.axis is None:
                assert (row.pattern, row.before, row.condition, row.equation()) == (None, None, None, "")
            else:
                check_row(table, row, outer, inner)
                cuts, step = table.boundaries, inner.strides[row.axis]
                here = brute.address(inner, row.index)
                assert row.pattern == tuple(here // p - (here - step) // p - step // p for p in cuts)


def test_what_a_small_budget_leaves_open_is_said() -> None:
    table = overflows(symbolic(V((10, 3, 3), ())), view(V((6,), (4,))), every=True, budget=Budget(points=5))
    assert (table.rows, table.complete) == ((), False)
    assert "6" in table.reason
    assert "5" in table.reason
    huge = V((10**6, 10**6, 10**6), (1, 1, 1)), V((10**4, 10**4, 10**4), (999_999_937, 31, 10**9 + 7))
    open_table = overflows(view(huge[0]), view(huge[1]), budget=Budget(work=100))
    assert not open_table.complete
    assert "allow more work" in open_table.reason


def test_place_values_of_many_digits_keep_to_the_budget() -> None:
    """Isl's cuts make coefficients longer and longer: a count of its operations alone says little of the time."""
    outer, step = V((10**20, 10**20, 2**64, 10**6), ()), 184467438154551372957376309023714398756559275246
    inner = V((10**9 + 7, 10**9 + 7), (step, 3))
    table = overflows(symbolic(outer), view(inner), budget=Budget(work=6_000_000))
    assert not table.complete
    assert table.rows
    for row in table.rows:
        check_row(table, row, outer, inner)


def test_out_of_bounds(turns, least) -> None:
    rng, seen = Random("outside"), 0
    for _ in turns(100):
        outer, inner = generate.pair(rng)
        inner = inner._replace(offset=inner.offset + rng.choice((-2, 9, 60)))
        try:
            expected_rows(outer, inner)
        except brute.OutOfBounds:
            seen += 1
            with pytest.raises(OutOfBounds):
                overflows(symbolic(outer), view(inner))
        else:
            check(outer, inner)
    assert seen > least(20)
