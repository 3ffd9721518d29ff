"""Shared addresses of two views against brute force: numbers, and every small value of names."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from oracle import overlap_brute as brute
from oracle.density_brute import Laid, names_of, ranges, values
from symview import Budget, Counterexample, InputError, Overlap, SymbolError, View, overlap, overlap_conditions
from symview.answers import Status
from symview.counterexample import Kind
from symview.engine import presburger, shared_addresses
from symview.engine.index_map import IndexMap


def view(laid: Laid) -> View:
    return View(*laid)


def valid_part(laid: Laid) -> IndexMap:
    axes = ranges(laid)
    start = laid.offset + sum(r.start * t for r, t in zip(axes, laid.strides, strict=True))
    return IndexMap(tuple(map(len, axes)), laid.strides, start)


def test_numbers(turns, least) -> None:
    """The least address, by a walk and by integer points, and indices that have it."""
    rng, seen = Random("shared addresses of numbers"), Counter()
    for turn in turns(1200):
        a, b = brute.pair_of_numbers(rng)
        expected = brute.shared(a, b)
        for budget in (Budget(), Budget(points=1)) if turn % 6 == 0 else (Budget(),):
            found = overlap(view(a), view(b), budget)
            seen["by points"] += budget.points == 1 and not shared_addresses.are_apart(*map(valid_part, (a, b)), 1)
            assert bool(found) == bool(expected), (a, b)
            if isinstance(found, Overlap):
                assert view(a).at(found.index) == view(b).at(found.other) == found.address == min(expected), (a, b)
        seen[bool(expected)] += 1
        if isinstance(found, Counterexample):
            seen["interleave"] += "interleave but share no address" in found.reason
    assert min(seen[True], seen[False]) > least(200), seen
    assert seen["interleave"] > least(20), seen
    assert seen["by points"] > least(20), seen


@pytest.mark.sampled
@pytest.mark.parametrize("pair", [brute.pages, brute.rows, brute.lines, brute.any_two, brute.masked])
def test_every_small_value_of_names(pair, turns, full) -> None:
    """Pages and rows of one buffer are always decided."""
    rng, seen = Random(f"shared addresses of {pair.__name__}"), Counter()
    for turn in turns(8):
        a, b = pair(rng)
        names = names_of(Laid((str(a),), (str(b),)))
        least = {"a": turn % 4 > 0, "b": turn % 4 > 0, "c": False, "p": turn % 3 > 0, "q": turn % 3 > 0}
        known = [n for n in names if least[n]] if pair is not brute.pages else [n for n in names if n in "ab"]
        assume = [f"{n} >= {int(n in known)}" for n in names if n in "abc" or n in known]
        found = overlap_conditions(str(a), str(b), assume=assume)
        open_ = any(c.status is Status.UNDECIDED for c in found.cases)
        seen["undecided"] += open_
        points = [v for v in values(names, 0) if all(v[n] >= 1 for n in known)]
        points = [v for v in points if a.at(v).is_view() and b.at(v).is_view()]
        for point in points if len(points) < 60 else rng.sample(points, 60):
            holds = bool(brute.shared(a.at(point), b.at(point)))
            assert found.holds(point) == holds, (str(a), str(b), point, str(found))
            seen[holds] += 1
        if not open_ and points:
            check_counterexample(found, a, b, points)
    assert seen["undecided"] == 0 or pair in (brute.lines, brute.any_two, brute.masked), seen
    if full:
        assert min(seen[True], seen[False]) > 40, seen


def check_counterexample(found, a: Laid, b: Laid, points) -> None:
    """There is one exactly where some values share nothing, and it is so there."""
    broken = found.counterexample()
    if broken is None:
        assert all(brute.shared(a.at(p), b.at(p)) for p in points)
        return
    assert broken.kind is Kind.DISJOINT
    assert not brute.shared(a.at(broken.values), b.at(broken.values))


def test_two_pages_of_one_buffer() -> None:
    """Pages of a cache share memory just where they are nearer than a page is long."""
    found = overlap_conditions("(h,d):(d,1)+i*P", "(h,d):(d,1)+j*P", assume="i > j and j >= 0 and P >= 0")
    assert found.compare("(i - j)*P < h*d")
    assert found.holds({"h": 2, "d": 3, "i": 2, "j": 1, "P": 5})


def test_huge_sizes_are_not_walked() -> None:
    n = 10**12
    assert not overlap(View((n, n), (2 * n, 2)), View((n, n), (2 * n, 2), 1))
    found = overlap(View((n, n), (n, 1)), View((n,), (n + 1,), 5))
    assert isinstance(found, Overlap)
    assert found.address == 5


def test_a_least_point_that_isl_misses() -> None:
    """Its lexmin finds nothing where the weights are part of an equation, though there are points."""
    equation = (5, 8, 2, -11, 1)
    system = presburger.System((4, 4, 4, 3), 0, (equation, tuple(-x for x in equation)), ((),))
    assert presburger.least(system, solver="isl", order=((5, 8, 2, 0),)) == (0, 1, 1, 1)


def test_what_is_refused() -> None:
    with pytest.raises(SymbolError, match="overlap needs numbers"):
        overlap("(n):(1)", "(3):(1)")
    with pytest.raises(InputError):
        overlap_conditions("(n):(1)", "(3):(1)", assume="z >= 0")
