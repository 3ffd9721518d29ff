"""Pairs on which the obvious answer is wrong."""

from __future__ import annotations

from itertools import product
from random import Random

import hard
import pytest
import sympy
from bridge import STRIDES, box, named, strides_with, view
from oracle import brute
from oracle.brute import V

from symview import OutOfBounds, View, conditions, merge
from symview.engine.breaks import Growing, find_breaks
from symview.engine.overflow_space import find_rows

S1, S2, S3, S4, S5 = STRIDES[:5]
N = sympy.Symbol("n", integer=True)


def line(t: int, o: int = 0) -> View:
    return View((N,), (t,), o)


def shown(*args) -> list[str]:
    return [str(case) for case in conditions(*args).cases]


def test_one_condition_for_ever_and_no_contiguity() -> None:
    outer = View((20, 3, 2), (S1, S2, S3))
    assert shown(outer, line(3)) == ["1 ≤ n ≤ 2: always", "3 ≤ n ≤ 40: σ1 = 2σ2 + 2σ3", "n ≥ 41: out of bounds"]
    huge = View((10**15, 3, 2), (S1, S2, S3))
    assert shown(huge, line(3))[1] == f"3 ≤ n ≤ {2 * 10**15}: σ1 = 2σ2 + 2σ3"


def test_the_offset_changes_the_condition() -> None:
    outer = View((20, 3, 2), (S1, S2, S3))
    assert shown(outer, line(3, 1))[-2:] == ["3 ≤ n ≤ 40: σ1 = 4σ2 - 2σ3", "n ≥ 41: out of bounds"]
    assert merge(View((20, 3, 2), (14, 5, 3)), View((39,), (3,), 1))
    assert not merge(View((20, 3, 2), (16, 5, 3)), View((39,), (3,), 1))


def test_a_relation_of_three_defects() -> None:
    """(N,2,2,2) and t = 3: for 4 <= n <= 6 the defects are a multiple of (1,-1,1)."""
    for n in (4, 5, 6):
        space = find_rows((8, 4, 2), box(V((n,), (3,)))).space
        assert space.complement() == ((1, -1, 1),)
    found = {(s.first, s.last): s.rows.space.rank for s in find_breaks((8, 4, 2), 72, Growing((1,), (0,), (3,), 0))}
    assert found == {(1, 2): 0, (3, 3): 1, (4, 6): 2, (7, 24): 3}


def test_different_slopes_that_cancel_for_ever() -> None:
    """(N,2,2,2,5) and t = 8: slopes 1/5, 2/5, 4/5, 3/5, and yet defects (-1,1,-1,1) always merge."""
    size = 10**6 * 40
    *_, last = find_breaks((40, 20, 10, 5), size, Growing((1,), (0,), (8,), 0))
    assert last.rows.space.complement() in (((1, -1, 1, -1),), ((-1, 1, -1, 1),))
    assert last.last == size // 8
    outer = V((10**6, 2, 2, 2, 5), strides_with(Random(0), (10**6, 2, 2, 2, 5), (-1, 1, -1, 1)))
    assert isinstance(merge(view(outer), View((size // 8,), (8,))), View)
    assert isinstance(brute.merge(outer._replace(shape=(30, 2, 2, 2, 5)), V((150,), (8,))), brute.Merged)


def test_two_boundaries_in_one_step() -> None:
    a, b, c = sympy.symbols("s0 s1 s2", integer=True)
    assert shown(View((10, 9, 4), (a, b, c)), View((6,), (9,))) == ["s0 = 8*s1 + 4*s2"]


def test_a_negative_step_with_an_offset() -> None:
    a, b, c = sympy.symbols("a b c", integer=True)
    found = conditions(View((2, 2, 3), (a, b, c)), View((2, 1, 2), (2, 0, -1), 9))
    (case,) = found.cases
    assert str(case) == "b = 3*c"
    assert case.substituted() == View((2, 1, 2), (2 * c, 0, -c), a + 3 * c)
    for x, y, z in product(range(-3, 4), repeat=3):
        merged = merge(View((2, 2, 3), (x, y, z)), View((2, 1, 2), (2, 0, -1), 9))
        assert merged == View((2, 1, 2), (2 * z, 0, -z), x + y) if y == 3 * z else not merged


def test_dims_of_size_1_do_not_hide_contiguity() -> None:
    """Grouping by the value of the place: a defect by itself would refuse this one."""
    assert merge(View((2, 1, 2), (8, 0, 4)), View((4,))) == View((4,), (4,))
    assert shown(View((2, 1, 2), (S1, S2, S3)), View((4,))) == ["σ1 = 2σ3"]


def test_a_box_of_two_points_always_merges() -> None:
    for outer, t in product(product((-7, 0, 2), repeat=3), range(1, 24)):
        assert merge(View((2, 3, 4), outer), View((2,), (t,)))
    assert shown(View((2, 3, 4), (S1, S2, S3)), View((2,), (23,))) == ["always"]


def test_an_equation_without_integer_solutions_is_never() -> None:
    b = sympy.Symbol("σ2", integer=True)
    assert shown(View((4, 3), (1, b)), View((12,))) == ["never"]


def test_emptiness_comes_first() -> None:
    for outer in (View((2, 0, 3)), View(()), View((2, 2), (7, 1))):
        assert merge(outer, View((3, 0), (1000, -7), -5)) == View((3, 0))
    with pytest.raises(OutOfBounds):
        merge(View((2, 0, 3)), View(()))


def test_reversing_the_axes_first_is_only_sufficient() -> None:
    """The bound on a boundary for steps down, as they come: o = 1, t = -1 crosses nothing in (2,2)."""
    outer = V((2, 2, 2), (100, 10, 1))
    for o, t, n in product(range(8), range(-7, 8), (2, 3, 4)):
        if 0 <= o + (n - 1) * t < 8:
            inner = V((n,), (t,), o)
            found, expected = merge(view(outer), view(inner)), brute.merge(outer, inner)
            assert bool(found) == isinstance(expected, brute.Merged)


@pytest.mark.parametrize("target", range(-1, 13))
def test_subset_sums(target) -> None:
    """Affine exactly when no subset has that sum: deciding merges decides subset sum."""
    terms, below = (2, 4, 5), 12
    m = below + 1
    inner = V((2,) * 3, tuple(m * a for a in terms), m * below - target * m + below - 1)
    outer = V((2, m, below), (1 + m * (below - 1), below - 1, 1))
    sums = {sum(x) for x in product(*((0, a) for a in terms))}
    if not 0 <= target < below:
        return
    found = merge(view(outer), view(inner))
    assert isinstance(found, View) == (target not in sums)
    assert isinstance(brute.merge(outer, inner), brute.Merged) == isinstance(found, View)
    if target in sums and target not in (0, *terms):  # else the first step of an axis carries already
        assert sum(a for a, i in zip(terms, found.index, strict=True) if i) == target


def test_subset_sums_of_random_terms(turns, full) -> None:
    rng, seen = Random("subset sums"), [0, 0]
    for _ in turns(40):
        outer, inner = hard.subset_sum(rng, rng.choice((10, 1000, 1 << 20)))
        m, below = outer.shape[1], outer.shape[2]
        terms = [t // m for t in inner.strides]
        target = (m * below + below - 1 - inner.offset) // m
        sums = {0}
        for a in terms:
            sums |= {s + a for s in sums}
        found = merge(view(outer), view(inner))
        seen[target in sums] += 1
        assert isinstance(found, View) == (target not in sums)
        if target in sums and target not in (0, *terms):
            assert sum(a for a, i in zip(terms, found.index, strict=True) if i) == target
    if full:
        assert min(seen) > 5


def test_the_solutions_of_a_stretch_hold_for_numbers() -> None:
    found = conditions(View((9, 2, 2, 2), STRIDES[:4]), line(3))
    for strides in ((4, 3, 1, 1), (8, 4, 2, 1), (5, 3, 1, 1)):
        for n in range(1, 25):
            expected = brute.merge(V((9, 2, 2, 2), strides), V((n,), (3,)))
            assert found.holds(named(strides, n=n)) == isinstance(expected, brute.Merged)
