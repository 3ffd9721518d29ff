"""The two exact searches by themselves: integer points (isl, Z3) and residues, against enumeration."""

from __future__ import annotations

from itertools import product
from random import Random

import hard
import pytest
from bridge import box

from oracle import brute, generate
from symview import Budget, Undecided
from symview.engine import decide, presburger, radix
from symview.engine.decide import carry_system, smallest_violation, violation
from symview.engine.index_map import by_sum
from symview.engine.overflow import active_carries, carry, periodic_sizes, vector, weigh
from symview.engine.presburger import System

SOLVERS = ("isl", "z3")


def solutions(system: System) -> list[tuple[int, ...]]:
    """The shown part of every solution, with the hidden variables between -30 and 30."""
    found = []
    for shown in product(*map(range, system.sizes)):
        for hidden in product(range(-30, 31), repeat=system.hidden):
            v = (*shown, *hidden, 1)

            def at(rows, v=v):
                return all(sum(a * b for a, b in zip(row, v, strict=True)) >= 0 for row in rows)

            if at(system.rows) and any(map(at, system.branches)):
                found.append(shown)
                break
    return found


def random_system(rng: Random) -> System:
    """Rows over the shown variables, and at most one hidden quotient that they determine."""
    sizes = tuple(rng.randint(1, 6) for _ in range(rng.randint(0, 3)))
    hidden = rng.randint(0, 1)
    rank = len(sizes)

    def row(weight: int = 0) -> tuple[int, ...]:
        return (*(rng.randint(-4, 4) for _ in range(rank)), *([weight] * hidden), rng.randint(-9, 9))

    rows = [row() for _ in range(rng.randint(0, 2))]
    if hidden:
        divisor, form = rng.randint(2, 6), row()[:rank]
        start = rng.randint(0, 5)
        rows += [(*form, -divisor, start), (*(-x for x in form), divisor, divisor - 1 - start)]
    branches = tuple(
        tuple(row(rng.choice((-2, -1, 0, 1, 3))) for _ in range(rng.randint(0, 2))) for _ in range(rng.randint(1, 3))
    )
    return System(sizes, hidden, tuple(rows), branches)


@pytest.mark.parametrize("solver", SOLVERS)
def test_points_and_least_points_of_random_systems(solver, turns) -> None:
    rng, empty = Random("systems"), 0
    for _ in turns(40):
        system = random_system(rng)
        expected = solutions(system)
        found, least = presburger.point(system, solver=solver), presburger.least(system, solver=solver)
        empty += not expected
        if expected:
            assert found in expected
            assert least == min(expected, key=lambda i: (sum(i), i))
        else:
            assert found is None
            assert least is None
    assert 0.1 < empty / len(turns(40)) < 0.9


@pytest.mark.parametrize("solver", SOLVERS)
def test_points_of_carry_systems(solver, turns) -> None:
    rng, seen = Random("carries"), [0, 0]
    for turn in turns(60):
        outer, inner = (generate.pair, generate.accidental)[turn % 2](rng)
        if 0 in inner.shape:
            continue
        carries = active_carries(box(inner), radix.boundaries(outer.shape))
        weights = [tuple(rng.randint(-2, 2) for _ in carries) for _ in range(rng.randint(1, 2))]
        system = carry_system(carries, inner.shape, weights)
        bad = [i for i in by_sum(inner.shape) if any(weigh(carries, w, i) for w in weights)]
        seen[bool(bad)] += 1
        found = presburger.point(system, solver=solver)
        assert found in bad if bad else found is None
        assert presburger.least(system, solver=solver) == (bad[0] if bad else None)
    assert min(seen) > 5


@pytest.mark.parametrize("error", [Undecided("lexmin took too long"), presburger.Failed("lexmin failed")], ids=type)
def test_halving_finds_what_lexmin_finds(error, monkeypatch, turns, least) -> None:
    """Where isl's lexmin gives up, emptiness tests find the same index."""

    def gives_up(*_):
        raise error

    monkeypatch.setattr(presburger, "_isl_lexmin", gives_up)
    rng, found = Random("halving"), 0
    for _ in turns(75):
        system = random_system(rng)
        expected = min(solutions(system), key=lambda i: (sum(i), i), default=None)
        assert presburger.least(system) == expected
        found += expected is not None
    assert found > least(25)


def test_a_budget_that_runs_out_is_undecided() -> None:
    box_sizes = (10**6, 10**6, 10**6)
    rows = ((999_999_937, 31, -(10**9 + 7), -(10**6), 5), (-999_999_937, -31, 10**9 + 7, 10**6, 10**6 - 6))
    system = System(box_sizes, 1, rows, (((3, -7, 11, -1, -13),), ((-1, 5, -7, 1, -10),)))
    for solver in SOLVERS:
        with pytest.raises(Undecided, match=r"stopped|gave up|ran out"):
            presburger.least(system, Budget(work=50), solver)
        assert presburger.point(System((5,), 0, ((1, -3),), ((),)), solver=solver) in ((3,), (4,))


def test_an_index_or_none_by_residues(turns, least) -> None:
    rng, seen = Random("residues"), [0, 0]
    for turn in turns(300):
        outer, inner = (generate.pair, generate.accidental, hard.in_step_nearby)[turn % 3](rng)
        if 0 in inner.shape:
            continue
        carries = active_carries(box(inner), radix.boundaries(outer.shape))
        if not carries:
            continue
        sizes = periodic_sizes(inner.shape, carries)
        weights = [rng.choice((-1, 1)) * (1 + (turn % 5 == 0)) for _ in carries]
        if turn % 2:
            rows = brute.row_space(outer.shape, inner)
            free = generate.null_space(rows, len(brute.boundaries(outer.shape)))
            active = {c.place for c in carries}
            basis = [[x for x, p in zip(v, brute.boundaries(outer.shape), strict=True) if p in active] for v in free]
            weights = next((v for v in basis if any(v)), weights)
        bad = any(weigh(carries, weights, i) for i in brute.indices(inner.shape))
        found = decide.search_residues(sizes, carries, weights)
        seen[bad] += 1
        assert (found is not None) == bad
        if found is not None:
            assert weigh(carries, weights, found)
            assert all(0 <= i < n for i, n in zip(found, sizes, strict=True))
    assert min(seen) > least(40)


def test_the_overflow_vectors_are_the_oracle_s(turns) -> None:
    """C counts what floor(x/P) does beyond an affine function, and no boundary left out counts anything."""
    rng = Random("vectors")
    for _ in turns(200):
        outer, inner = generate.pair(rng)
        if 0 in inner.shape:
            continue
        places = radix.boundaries(outer.shape)
        every = [carry(p, box(inner)) for p in places]
        active = {c.place for c in active_carries(box(inner), places)}
        moved = set()
        for index in brute.indices(inner.shape):
            form = brute.over_defects(outer.shape, brute.constraint(outer.shape, inner, index))
            assert vector(every, index) == form
            moved |= {p for p, c in zip(places, form, strict=True) if c}
        assert active == moved


def test_a_smaller_box_says_the_same(turns) -> None:
    """`periodic_sizes`: the same span, and the first violation at the same index."""
    rng = Random("periods")
    for _ in turns(200):
        outer, inner = generate.pair(rng)
        if 0 in inner.shape:
            continue
        carries = active_carries(box(inner), radix.boundaries(outer.shape))
        if not carries:
            continue
        sizes = periodic_sizes(inner.shape, carries)
        assert all(a <= b for a, b in zip(sizes, inner.shape, strict=True))
        weights = [rng.randint(-2, 2) for _ in carries]
        small, large = (next((i for i in by_sum(s) if weigh(carries, weights, i)), None) for s in (sizes, inner.shape))
        assert small == large
        rows = [brute.echelon(vector(carries, i) for i in brute.indices(s)) for s in (sizes, inner.shape)]
        assert rows[0] == rows[1]
        known = violation(carries, inner.shape, weights)
        assert (known is None) == (large is None)
        if known is not None:
            assert weigh(carries, weights, known)
            assert smallest_violation(carries, inner.shape, weights, known) == (large, True)


def test_by_sum_is_the_oracle_s_order() -> None:
    for shape in ((), (3,), (2, 3), (1, 4, 2), (3, 1, 1, 3), (0, 2), (2, 0)):
        assert tuple(by_sum(shape)) == brute.ordered(shape)
        for first in range(1, 5):
            assert tuple(by_sum(shape, first)) == tuple(i for i in brute.ordered(shape) if sum(i) >= first)
