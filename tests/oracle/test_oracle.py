"""The oracle on examples worked by hand, and counts of what the generators reach."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import gcd, prod
from random import Random

import pytest

from . import generate
from .brute import (
    Broken,
    Merged,
    OutOfBounds,
    V,
    address,
    boundaries,
    breaks,
    compose,
    constraint,
    contiguous,
    echelon,
    holds,
    indices,
    merge,
    ordered,
    over_defects,
    patterns,
    place_values,
    row_space,
    unravel,
)


def line(n: int, t: int, o: int = 0) -> V:
    return V((n,), (t,), o)


# Boxes and index functions


def test_indices_and_their_order() -> None:
    assert indices((2, 2)) == ((0, 0), (0, 1), (1, 0), (1, 1))
    assert ordered((2, 3)) == ((0, 0), (0, 1), (1, 0), (0, 2), (1, 1), (1, 2))
    assert indices(()) == ordered(()) == ((),)
    assert indices((2, 0)) == ordered((2, 0)) == ()


@pytest.mark.parametrize("shape", [(), (1,), (2, 3, 4), (3, 1, 2), (1, 1)])
def test_unravel_is_the_row_major_order(shape: tuple[int, ...]) -> None:
    assert tuple(unravel(x, shape) for x in range(prod(shape))) == indices(shape)
    assert [address(contiguous(shape), index) for index in indices(shape)] == list(range(prod(shape)))
    for x in (-1, prod(shape)):
        with pytest.raises(ValueError):
            unravel(x, shape)


def test_unravel_as_in_the_paper() -> None:
    assert unravel(5, (2, 3, 4)) == (0, 1, 1)


def test_address_with_offset_and_mask() -> None:
    view = V((3, 2), (-5, 2), 11, ((1, 3), (0, 1)))
    assert [address(view, index) for index in indices((3, 2))] == [None, None, 6, None, 1, None]


def test_compose_out_of_bounds_unless_masked() -> None:
    outer = V((2, 2), (10, 1))
    with pytest.raises(OutOfBounds) as error:
        compose(outer, line(5, 1), (4,))
    assert (error.value.index, error.value.address, error.value.size) == ((4,), 4, 4)
    assert compose(outer, V((5,), (1,), 0, ((0, 4),)), (4,)) is None
    assert compose(outer, line(4, 1), (3,)) == 11


def test_a_mask_can_hide_a_wrap() -> None:
    outer = V((2, 4), (4, 1), 0, ((0, 2), (0, 3)))
    assert [compose(outer, line(3, 2), (i,)) for i in range(3)] == [0, 2, 4]


def test_a_valid_set_can_be_a_box_though_no_single_constraint_is() -> None:
    outer, inner = V((2, 3), (3, 1), 0, ((0, 1), (0, 2))), V((2, 2), (1, 2))
    assert {i for i in indices((2, 2)) if compose(outer, inner, i) is not None} == {(0, 0), (1, 0)}


# Merging


def test_merge_finds_the_smallest_broken_index() -> None:
    # Addresses 0,1,4,5 in a (2,2) tensor with a gap: a line of 4 breaks at its third element.
    assert merge(V((2, 2), (4, 1)), line(4, 1)) == Broken((2,), 2, 4)
    assert merge(V((2, 2), (2, 1), 7), line(4, 1)) == Merged((1,), 7)
    # (0,2) and (1,1) both break and have the same sum; (0,2) is the first of them lexicographically.
    assert merge(V((2, 3), (1, 2)), V((2, 3), (1, 2))) == Broken((0, 2), 8, 3)


def test_merge_of_boxes_with_at_most_two_points() -> None:
    rng = Random(0)
    for _ in range(200):
        sigma = tuple(rng.randint(-50, 50) for _ in range(3))
        x, y = rng.randrange(24), rng.randrange(24)
        f = [address(V((2, 3, 4), sigma), unravel(p, (2, 3, 4))) for p in (x, y)]
        assert merge(V((2, 3, 4), sigma), line(2, y - x, x)) == Merged((f[1] - f[0],), f[0])
        assert merge(V((2, 3, 4), sigma), V((1, 1), (99, -99), x)) == Merged((0, 0), f[0])


def test_merge_of_rank_0_and_of_empty_boxes() -> None:
    assert merge(V((), (), 3), V((), (), 0)) == Merged((), 3)
    assert merge(V((), (), 3), V((2, 5), (0, 0))) == Merged((0, 0), 3)
    assert merge(V((2, 3), (7, 1), 1), V((), (), 4)) == Merged((), 9)
    assert merge(V((2, 3), (7, 1), 1), V((4, 0), (100, 100), -5)) == Merged((0, 0), 0)
    assert merge(V((2, 0), (7, 1), 1), V((0,), (1,))) == Merged((0,), 0)


@pytest.mark.parametrize(
    ("outer_shape", "inner", "index"),
    [
        ((2, 2), line(5, 1), (4,)),
        ((2, 2), line(3, -1, 1), (2,)),
        ((2, 0), line(1, 0), (0,)),
        ((), line(2, 1), (1,)),
    ],
)
def test_out_of_bounds_names_the_smallest_index(outer_shape, inner, index) -> None:
    for ask in (
        lambda: merge(contiguous(outer_shape), inner),
        lambda: row_space(outer_shape, inner),
        lambda: patterns(outer_shape, inner),
    ):
        with pytest.raises(OutOfBounds) as error:
            ask()
        assert error.value.index == index


def test_out_of_bounds_goes_before_broken() -> None:
    with pytest.raises(OutOfBounds):
        merge(V((2, 2), (4, 1)), line(5, 1))


def test_merge_wants_no_masks() -> None:
    with pytest.raises(ValueError):
        merge(V((2,), (1,), 0, ((0, 1),)), line(2, 1))
    with pytest.raises(ValueError):
        row_space((2,), V((2,), (1,), 0, ((0, 1),)))


def test_size_one_outer_dims_do_not_stand_in_the_way() -> None:
    assert merge(V((2, 1, 2), (8, 0, 4)), line(4, 1)) == Merged((4,), 0)


# The paper's example: (10,3,3) and (s):(4)


def test_the_papers_tables() -> None:
    digits = [unravel(4 * i, (10, 3, 3)) for i in range(6)]
    assert digits == [(0, 0, 0), (0, 1, 1), (0, 2, 2), (1, 1, 0), (1, 2, 1), (2, 0, 2)]
    # Row i = 3: σ1 + σ2 = 2σ2 + 2σ3 + σ~ with σ~ = σ2 + σ3. Over the defects, δ1 + δ2 = 0.
    assert constraint((10, 3, 3), line(4, 4), (3,)) == (1, -2, -3)
    assert over_defects((10, 3, 3), (1, -2, -3)) == (1, 1)
    # Row i = 5 less row i = 3: σ1 = 3σ2, which is δ1 = 0.
    step = [a - b for a, b in zip(*(constraint((10, 3, 3), line(6, 4), (i,)) for i in (5, 4)), strict=True)]
    assert step == [1, -3, 0]


def test_the_papers_cases() -> None:
    assert row_space((10, 3, 3), line(3, 4)) == ()
    assert row_space((10, 3, 3), line(4, 4)) == row_space((10, 3, 3), line(5, 4)) == ((1, 1),)
    assert row_space((10, 3, 3), line(6, 4)) == ((1, 0), (0, 1))
    for sigma in product(range(10), range(4), range(3)):
        once = sigma[0] == 2 * sigma[1] + 3 * sigma[2]
        assert holds((10, 3, 3), sigma, line(4, 4)) == once
        assert holds((10, 3, 3), sigma, line(6, 4)) == (once and sigma[0] == 3 * sigma[1])
    assert merge(V((10, 3, 3), (7, 2, 1)), line(5, 4)) == Merged((3,), 0)
    assert merge(V((10, 3, 3), (7, 2, 1)), line(6, 4)) == Broken((5,), 15, 16)


def test_the_papers_overflow_patterns() -> None:
    # 8 -> 12 carries over 9 and 3, 16 -> 20 over 9 only, 20 -> 24 over 3 only.
    assert boundaries((10, 3, 3)) == (9, 3)
    expected = {(0, (0, 0)): (1,), (0, (1, 1)): (3,), (0, (1, 0)): (5,), (0, (0, 1)): (6,)}
    assert patterns((10, 3, 3), line(23, 4)) == expected


def test_the_papers_break_points() -> None:
    assert breaks((10, 3, 3), 4, 0, 100) == [(1, 3, ()), (4, 5, ((1, 1),)), (6, 23, ((1, 0), (0, 1)))]
    assert breaks((10, 3, 3), 4, 0, 5) == [(1, 3, ()), (4, 5, ((1, 1),))]


# Conditions that are not what one would guess


def test_a_lasting_condition_without_contiguity() -> None:
    # σ1 = 2σ2 + 2σ3 is δ1 + δ2 = 0; σ1 = 4σ2 - 2σ3, for offset 1, is δ1 - δ2 = 0.
    assert breaks((20, 3, 2), 3, 0, 99) == [(1, 2, ()), (3, 40, ((1, 1),))]
    assert breaks((20, 3, 2), 3, 1, 99)[-1][2] == ((1, -1),)
    assert holds((20, 3, 2), (10, 1, 4), line(40, 3)) and not holds((20, 3, 2), (6, 2, 2), line(40, 3))
    assert holds((20, 3, 2), (14, 5, 3), line(39, 3, 1)) and not holds((20, 3, 2), (16, 5, 3), line(39, 3, 1))


def test_a_three_term_relation() -> None:
    for n in (4, 5, 6):
        assert generate.null_space(row_space((9, 2, 2, 2), line(n, 3)), 3) in ([(1, -1, 1)], [(-1, 1, -1)])
    assert len(row_space((9, 2, 2, 2), line(3, 3))) < 2 and len(row_space((9, 2, 2, 2), line(7, 3))) == 3


def test_different_slopes_that_always_cancel() -> None:
    rows = breaks((20, 2, 2, 2, 5), 8, 0, 999)[-1][2]
    assert generate.null_space(rows, 4) in ([(-1, 1, -1, 1)], [(1, -1, 1, -1)])


def test_a_step_over_two_boundaries_at_once() -> None:
    # s0 = 8·s1 + 4·s2 is δ1 + δ2 = 0.
    assert row_space((10, 9, 4), line(6, 9)) == ((1, 1),)
    for sigma in product(range(14), range(3), range(3)):
        assert holds((10, 9, 4), sigma, line(6, 9)) == (sigma[0] == 8 * sigma[1] + 4 * sigma[2])


def test_a_negative_stride_with_an_offset() -> None:
    inner = V((2, 1, 2), (2, 0, -1), 9)
    assert row_space((2, 2, 3), inner) == ((0, 1),)
    for a, b, c in product(range(-3, 4), repeat=3):
        merged = merge(V((2, 2, 3), (a, b, c)), inner)
        assert merged == Merged((2 * c, 0, -c), a + b) if b == 3 * c else isinstance(merged, Broken)


@pytest.mark.parametrize("target", range(7))
def test_subset_sums_as_merges(target: int) -> None:
    # Affine exactly when no subset of `terms` has the sum `target`, though δ = (1, -1) is contiguous nowhere.
    terms, p = (2, 4), 7
    m = p + 1
    inner = V((2, 2), tuple(m * a for a in terms), m * p - target * m + p - 1)
    reached = target in (0, 2, 4, 6)
    # The empty subset is the origin of the box, so target 0 shows at the other points.
    assert holds((2, m, p), (1 + m * (p - 1), p - 1, 1), inner) == (not reached)


# The parts of the oracle against each other


def test_echelon() -> None:
    assert echelon([(0, 2, 4), (1, 1, 1), (1, 2, 3)]) == ((1, 0, -1), (0, 1, 2))
    assert echelon([(0, 3, 1), (0, 6, 2), (0, 0, 0)]) == ((0, 1, Fraction(1, 3)),)
    assert echelon([]) == echelon([()]) == ()


def test_forms_over_strides_and_over_defects_have_the_same_value() -> None:
    rng = Random(1)
    for _ in range(300):
        outer, inner = generate.pair(rng)
        if prod(inner.shape) == 0:
            continue
        sigma = [s for size, s in zip(outer.shape, outer.strides, strict=True) if size != 1]
        sizes = [size for size in outer.shape if size != 1]
        delta = [a - size * b for a, b, size in zip(sigma, sigma[1:], sizes[1:], strict=False)]
        for index in ordered(inner.shape)[-5:]:
            form = constraint(outer.shape, inner, index)
            over = over_defects(outer.shape, form)
            assert len(over) == len(delta) == len(boundaries(outer.shape)) or not sizes
            value = sum(c * s for c, s in zip(form, outer.strides, strict=True))
            assert value == sum(c * d for c, d in zip(over, delta, strict=True))


def test_merge_agrees_with_the_row_space_and_with_the_patterns(turns) -> None:
    rng = Random(2)
    for turn in turns(300):
        outer, inner = (generate.pair, generate.accidental)[turn % 2](rng)
        if prod(inner.shape) == 0:
            continue
        sizes = [size for size in outer.shape if size != 1]
        sigma = [s for size, s in zip(outer.shape, outer.strides, strict=True) if size != 1]
        delta = [a - size * b for a, b, size in zip(sigma, sigma[1:], sizes[1:], strict=False)]

        def at(row, delta=delta):
            return sum(c * d for c, d in zip(row, delta, strict=True))

        merged = isinstance(merge(outer, inner), Merged)
        assert merged == all(at(row) == 0 for row in row_space(outer.shape, inner))
        carried = {}
        for axis, pattern in patterns(outer.shape, inner):
            carried.setdefault(axis, set()).add(at(pattern))
        assert merged == all(len(values) == 1 for values in carried.values())


def test_breaks_agree_with_the_row_space_of_each_size() -> None:
    rng = Random(3)
    for _ in range(150):
        shape, t, o = generate.parametric(rng)
        groups = breaks(shape, t, o, 40)
        assert [first for first, _, _ in groups] == ([1] + [last + 1 for _, last, _ in groups])[: len(groups)]
        for first, last, rows in groups:
            assert all(row_space(shape, line(n, t, o)) == rows for n in {first, (first + last) // 2, last})
        if not groups or groups[-1][1] < 40:
            with pytest.raises(OutOfBounds):
                row_space(shape, line(groups[-1][1] + 1 if groups else 1, t, o))


# What the generators reach


def in_bounds(outer: V, inner: V) -> bool:
    if prod(inner.shape) == 0:
        return True
    ends = [(size - 1) * t for size, t in zip(inner.shape, inner.strides, strict=True)]
    low, high = (inner.offset + sum(pick(0, end) for end in ends) for pick in (min, max))
    return low >= 0 and high < prod(outer.shape)


def features(outer: V, inner: V) -> set[str]:
    """The names of what a pair reaches; strides count only on axes where they are used."""
    used = [t for size, t in zip(inner.shape, inner.strides, strict=True) if size > 1]
    outer_used = [t for size, t in zip(outer.shape, outer.strides, strict=True) if size > 1]
    needed = sum((size - 1) * -min(t, 0) for size, t in zip(inner.shape, inner.strides, strict=True))
    cuts = boundaries(outer.shape)
    factors = any(t not in cuts and gcd(t, cut) > 1 for t in used if t for cut in cuts)
    found = {
        "outer rank 0": not outer.shape,
        "inner rank 0": not inner.shape,
        "outer size 1": 1 in outer.shape,
        "inner size 1": 1 in inner.shape,
        "inner size 0": 0 in inner.shape,
        "outer size 0": 0 in outer.shape,
        "inner size 2": 2 in inner.shape,
        "outer stride 0": 0 in outer_used,
        "inner stride 0": 0 in used,
        "outer stride < 0": any(t < 0 for t in outer_used),
        "inner stride < 0": any(t < 0 for t in used),
        "outer offset": outer.offset != 0,
        "inner offset": inner.offset != 0,
        "offset beyond the reversed axes": inner.offset > needed,
        "repeated place value": len(set(place_values(outer.shape))) < len(outer.shape),
        "inner stride a boundary": any(abs(t) in cuts for t in used),
        "inner stride shares a factor": factors,
        "several inner axes": len(used) > 1,
    }
    return {name for name, there in found.items() if there}


def assert_reached(counts: Counter[str], total: int, least: dict[str, float]) -> None:
    reached = {name: counts[name] / total for name in least}
    assert not {name: share for name, share in reached.items() if share < least[name]}


def test_pair_reaches_what_it_says(turns) -> None:
    rng, counts, total = Random(4), Counter(), len(turns(1500))
    points = 0
    for _ in range(total):
        outer, inner = generate.pair(rng)
        assert in_bounds(outer, inner) and prod(outer.shape) <= 5000 and prod(inner.shape) <= 2000
        points += prod(inner.shape)
        counts.update(features(outer, inner))
        counts[type(merge(outer, inner)).__name__] += 1
        if prod(inner.shape):
            cuts = len(boundaries(outer.shape))
            rows = row_space(outer.shape, inner) if prod(inner.shape) < 100 else ()
            moved = sum(any(row[cut] for row in rows) for cut in range(cuts))
            counts["one boundary overflows"] += moved == 1
            counts["several boundaries overflow"] += moved > 1
    assert points / total < 60
    assert_reached(
        counts,
        total,
        {
            "outer rank 0": 0.02,
            "inner rank 0": 0.02,
            "outer size 1": 0.2,
            "inner size 1": 0.2,
            "inner size 0": 0.03,
            "outer size 0": 0.004,
            "inner size 2": 0.2,
            "outer stride 0": 0.1,
            "inner stride 0": 0.08,
            "outer stride < 0": 0.2,
            "inner stride < 0": 0.2,
            "outer offset": 0.3,
            "inner offset": 0.3,
            "offset beyond the reversed axes": 0.2,
            "repeated place value": 0.2,
            "inner stride a boundary": 0.1,
            "inner stride shares a factor": 0.1,
            "several inner axes": 0.3,
            "one boundary overflows": 0.15,
            "several boundaries overflow": 0.08,
            "Merged": 0.5,
            "Broken": 0.15,
        },
    )


def test_accidental_merges_by_cancellation(turns) -> None:
    rng, counts, total = Random(5), Counter(), len(turns(250))
    for _ in range(total):
        outer, inner = generate.accidental(rng)
        assert in_bounds(outer, inner) and prod(inner.shape) <= 60
        rows = row_space(outer.shape, inner)
        moved = {cut for cut in range(len(boundaries(outer.shape))) if any(row[cut] for row in rows)}
        assert 1 <= len(rows) < len(moved)
        sizes = [size for size in outer.shape if size != 1]
        sigma = [s for size, s in zip(outer.shape, outer.strides, strict=True) if size != 1]
        delta = [a - size * b for a, b, size in zip(sigma, sigma[1:], sizes[1:], strict=False)]
        merged = isinstance(merge(outer, inner), Merged)
        # One of them not 0 would break it, so at least two cancel.
        cancelling = sum(delta[cut] != 0 for cut in moved)
        assert not merged or cancelling != 1
        counts["cancels"] += merged and cancelling >= 2
        counts["three or more cancel"] += merged and cancelling >= 3
        counts["near miss"] += not merged
        counts["three boundaries overflow"] += len(moved) >= 3
        counts["two conditions"] += len(rows) >= 2
        counts["more than 8 points"] += prod(inner.shape) > 8
        counts["another offset"] += inner.offset != 0
        counts["negative inner stride"] += any(t < 0 for t in inner.strides)
        counts["outer size 1"] += 1 in outer.shape
        counts["one axis"] += len(inner.shape) == 1
        counts["three axes"] += len(inner.shape) == 3
    assert_reached(
        counts,
        total,
        {
            "cancels": 0.5,
            "three or more cancel": 0.08,
            "near miss": 0.2,
            "three boundaries overflow": 0.15,
            "two conditions": 0.1,
            "more than 8 points": 0.15,
            "another offset": 0.3,
            "negative inner stride": 0.25,
            "outer size 1": 0.1,
            "one axis": 0.15,
            "three axes": 0.15,
        },
    )


def test_movement_pairs_are_what_programs_make(turns) -> None:
    rng, counts, total = Random(6), Counter(), len(turns(200))
    for _ in range(total):
        outer, inner = generate.movement_pair(rng)
        assert in_bounds(outer, inner) and 0 < prod(inner.shape) <= 200
        counts.update(features(outer, inner))
        counts[type(merge(outer, inner)).__name__] += 1
        counts["inner contiguous"] += inner == contiguous(inner.shape)
        counts["outer contiguous"] += outer == contiguous(outer.shape)
    least = {"outer size 1": 0.1, "inner size 1": 0.1, "outer stride 0": 0.1, "inner stride 0": 0.1}
    least |= {"inner stride < 0": 0.1, "outer stride < 0": 0.1, "inner offset": 0.2, "outer offset": 0.2}
    assert_reached(counts, total, least | {"Merged": 0.04, "Broken": 0.3, "several inner axes": 0.5})
    assert counts["inner contiguous"] < total / 2
    # A contiguous tensor can be reshaped to anything, so no view is ever put on top of one.
    assert counts["outer contiguous"] == 0


def test_huge_pairs_are_huge_and_in_bounds(turns) -> None:
    rng, counts, total = Random(7), Counter(), len(turns(1500))
    for _ in range(total):
        outer, inner = generate.huge_pair(rng)
        assert in_bounds(outer, inner) and max(len(outer.shape), len(inner.shape)) <= 4
        assert 1 <= prod(outer.shape) <= 10**18 and 1 <= prod(inner.shape) <= 10**18
        counts.update(features(outer, inner))
        counts["outer over 10^12"] += prod(outer.shape) > 10**12
        counts["inner over 10^6"] += prod(inner.shape) > 10**6
    least = {"outer rank 0": 0.01, "inner rank 0": 0.01, "outer size 1": 0.1, "inner size 1": 0.2}
    least |= {"outer stride 0": 0.05, "inner stride 0": 0.1, "outer stride < 0": 0.2, "inner stride < 0": 0.2}
    least |= {"inner stride a boundary": 0.1, "inner stride shares a factor": 0.1, "several inner axes": 0.4}
    least |= {"outer over 10^12": 0.15, "inner over 10^6": 0.2, "inner size 2": 0.1}
    assert_reached(counts, total, least)


def test_parametric_reaches_what_it_says(turns) -> None:
    rng, counts, total = Random(8), Counter(), len(turns(500))
    for _ in range(total):
        shape, t, o = generate.parametric(rng)
        size = prod(shape)
        assert 1 <= size <= 3000
        counts["t > 0"] += t > 0
        counts["t < 0"] += t < 0
        counts["t = 0"] += t == 0
        counts["o = 0"] += o == 0
        counts["o out of bounds"] += not 0 <= o < size
        counts["o below"] += o < 0
        counts["t a boundary"] += abs(t) in boundaries(shape)
        groups = breaks(shape, t, o, 60)
        for more in (1, 2, 3, 4):
            counts[f"{more} groups"] += len(groups) >= more
    least = {"t > 0": 0.3, "t < 0": 0.2, "t = 0": 0.05}
    least |= {"o = 0": 0.15, "o out of bounds": 0.05, "o below": 0.02}
    least |= {"t a boundary": 0.1, "1 groups": 0.8, "2 groups": 0.35, "3 groups": 0.15, "4 groups": 0.03}
    assert_reached(counts, total, least)


@pytest.mark.parametrize("name", ["pair", "accidental", "movement_pair", "huge_pair", "parametric"])
def test_the_same_seed_gives_the_same_views(name: str) -> None:
    make = getattr(generate, name)
    one, other = Random(9), Random(9)
    assert [make(one) for _ in range(20)] == [make(other) for _ in range(20)]
