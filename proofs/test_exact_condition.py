"""The exact condition for merging, and the steps on the way to it; README.md tells them in order.

Notation: the outer view has shape s, strides σ and place values P_l; x is an address that the inner view computes
from the offset o, the index i and its strides t; δ_l = σ_l − s_{l+1}·σ_{l+1} are the contiguity defects.
Docstrings say what is proved for all values, and up to which bound the rest was checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import gcd, prod

import pytest
import sympy
from definitions import Claims, Index, unit

from symview import OutOfBounds, View, conditions, merge
from symview.rules import checked, theorem


def place_values(shape: Sequence[int]) -> list[int]:
    """P_l = s_{l+1}·…·s_k."""
    return [prod(shape[n + 1 :]) for n in range(len(shape))]


def defects(view: View) -> list[int]:
    """δ_1, …, δ_{k−1}."""
    return [a - s * b for a, b, s in zip(view.strides, view.strides[1:], view.shape[1:], strict=False)]


def overflow_vector(shape: Sequence[int], inner: View, index: Index) -> list[int]:
    """C_l(i): how far floor(x/P_l) is from affine at i, for each boundary between two digits."""

    def x(at: Index) -> int:
        return inner.offset + sum(n * t for n, t in zip(at, inner.strides, strict=True))

    units = [unit(a, inner.rank) for a in range(inner.rank)]
    origin = (0,) * inner.rank
    found = []
    for p in place_values(shape)[:-1]:
        start = x(origin) // p
        linear = sum(n * (x(e) // p - start) for n, e in zip(index, units, strict=True))
        found.append(x(index) // p - start - linear)
    return found


def inner_views(size: int) -> Iterator[View]:
    """Views inside a tensor of that size: (n) with offset and any sign of stride, (2,2) and (2,3) at offset 0."""
    for n, t, o in product(range(2, 5), range(-3, size), range(size)):
        if 0 <= o + (n - 1) * t < size:
            yield View((n,), (t,), o)
    for m, t, u in product((2, 3), range(size), range(size)):
        if t + (m - 1) * u < size:
            yield View((2, m), (t, u))


@theorem
def test_the_composition_is_a_multiple_of_x_and_a_sum_of_floors() -> Claims:
    """Σ σ_l·digit_l(x) = σ_k·x + Σ δ_l·floor(x/P_l) in the tensor. Proved for all sizes and strides, ranks 1 to 3."""
    inside = "0 <= x and x < {}"
    yield "x % s1*σ1 == σ1*x", (inside.format("s1"), "s1 >= 1")
    two = "x//s2 % s1*σ1 + x % s2*σ2 == σ2*x + (σ1 - s2*σ2)*(x//s2)"
    yield two, (inside.format("s1*s2"), "s1 >= 1 and s2 >= 1")
    digits = "x//(s2*s3) % s1*σ1 + x//s3 % s2*σ2 + x % s3*σ3"
    floors = "σ3*x + (σ1 - s2*σ2)*(x//(s2*s3)) + (σ2 - s3*σ3)*(x//s3)"
    yield f"{digits} == {floors}", (inside.format("s1*s2*s3"), "s1 >= 1 and s2 >= 1 and s3 >= 1")


@theorem
def test_strides_and_defects_determine_each_other() -> Claims:
    """σ ↔ (δ, σ_k) is one-to-one over the integers, so that conditions on δ lose nothing. Proved at rank 3."""
    yield "δ1 == σ1 - s2*σ2 and δ2 == σ2 - s3*σ3", "σ2 == δ2 + s3*σ3 and σ1 == δ1 + s2*σ2"
    yield "σ2 == δ2 + s3*σ3 and σ1 == δ1 + s2*(δ2 + s3*σ3)", "δ1 == σ1 - s2*σ2 and δ2 == σ2 - s3*σ3"


@checked("tensors (4), (2,2), (2,3), (3,2), (2,2,2), strides 0 to 2, all `inner_views`")
def test_mergeable_exactly_when_the_defects_are_orthogonal_to_every_overflow_vector() -> None:
    """The exact condition."""
    seen = {True: 0, False: 0}
    for shape in ((4,), (2, 2), (2, 3), (3, 2), (2, 2, 2)):
        for inner in inner_views(prod(shape)):
            vectors = [overflow_vector(shape, inner, i) for i in product(*map(range, inner.shape))]
            for strides in product(range(3), repeat=len(shape)):
                outer = View(shape, strides)
                orthogonal = all(
                    sum(c * d for c, d in zip(vector, defects(outer), strict=True)) == 0 for vector in vectors
                )
                assert bool(merge(outer, inner)) == orthogonal
                seen[orthogonal] += 1
    assert min(seen.values()) > 1000


@theorem
def test_a_step_carries_once_or_not_at_all() -> Claims:
    """floor((x + t)/P) − floor(x/P) − floor(t/P) is 1 if x mod P >= P − (t mod P), else 0. Proved for all values."""
    carry = "(x + t)//P - x//P - t//P"
    yield f"{carry} == 0 or {carry} == 1", "P >= 1"
    yield f"{carry} == 1 <-> x % P >= P - t % P", "P >= 1"


@theorem
def test_overflows_only_depend_on_the_strides_modulo_the_place_value() -> Claims:
    """C_P(i) = floor(Σ i_j·(t_j mod P)/P) for o = 0. Proved for all values at inner ranks 1 and 2."""
    yield "(i*t)//P - i*(t//P) == (i*(t % P))//P", "P >= 1"
    yield "(i*t + j*u)//P - i*(t//P) - j*(u//P) == (i*(t % P) + j*(u % P))//P", "P >= 1"


@theorem
def test_a_boundary_out_of_reach_does_not_overflow() -> Claims:
    """If (n − 1)·(t mod P) < P, floor(x/P) is affine in i; otherwise it is not, at i = n − 1. Proved, o = 0, rank 1."""
    yield "(i*t)//P == i*(t//P)", "P >= 1 and 0 <= i and i < n and (n - 1)*(t % P) < P"
    yield "((n - 1)*t)//P > (n - 1)*(t//P)", "P >= 1 and n >= 1 and (n - 1)*(t % P) >= P"


SLOPE = "((o + t) % P - o % P)"


@theorem
def test_a_boundary_out_of_reach_does_not_overflow_with_an_offset() -> Claims:
    """With R = ((o + t) mod P) − (o mod P): floor(x/P) is affine iff o mod P + i·R stays in [0, P) up to i = n − 1.

    Proved for all values at inner rank 1, any sign of t, both directions.
    """
    affine = "(o + i*t)//P - o//P == i*((o + t)//P - o//P)"
    low, high = f"o % P + (n - 1)*min(0, {SLOPE})", f"o % P + (n - 1)*max(0, {SLOPE})"
    yield affine, f"P >= 1 and 0 <= i and i < n and {low} >= 0 and {high} < P"
    yield f"not ({affine.replace('i', '(n - 1)')})", f"P >= 1 and n >= 2 and ({low} < 0 or {high} >= P)"


@theorem
def test_in_bounds_is_decided_at_two_corners() -> Claims:
    """O + Σ min(0, (n_j − 1)·t_j) <= x(i) <= o + Σ max(0, (n_j − 1)·t_j). Proved for all values at inner ranks 1, 2."""
    yield "o + min(0, (n - 1)*t) <= o + i*t and o + i*t <= o + max(0, (n - 1)*t)", "0 <= i and i < n"
    low, high = (f"o + {which}(0, (n - 1)*t) + {which}(0, (m - 1)*u)" for which in ("min", "max"))
    yield f"{low} <= o + i*t + j*u and o + i*t + j*u <= {high}", "0 <= i and i < n and 0 <= j and j < m"


@checked("(n):(t)+o in a tensor (2,3), n up to 4, t from −3 to 5, o from −2 to 7")
def test_out_of_bounds_is_an_error_and_nothing_else_is() -> None:
    """`merge` raises OutOfBounds exactly where the inner view has an address that the tensor does not have."""
    for n, t, o in product(range(1, 5), range(-3, 6), range(-2, 8)):
        reached = [o + i * t for i in range(n)]
        inner = View((n,), (t,), o)
        if min(reached) >= 0 and max(reached) < 6:
            merge(View((2, 3), (1, 1)), inner)
        else:
            with pytest.raises(OutOfBounds):
                merge(View((2, 3), (1, 1)), inner)


def rank(rows: list[list[int]]) -> int:
    """The rank of integer rows."""
    return sympy.Matrix(rows).rank() if rows and rows[0] else 0


@checked("shapes (3,b,c) and (3,b) with b, c from 2 to 4, every t, n as far as the tensor reaches")
def test_break_points_are_few_and_early() -> None:
    """In one dimension the conditions grow with n at most once per P with t mod P ≠ 0, none after P_1/gcd(P_1, t)."""
    shapes = [(3, *rest) for k in (1, 2) for rest in product(range(2, 5), repeat=k)]
    for shape in shapes:
        first = place_values(shape)[0]
        for t in range(1, prod(shape)):
            view = View(((prod(shape) - 1) // t + 1,), (t,))
            rows = [overflow_vector(shape, view, (i,)) for i in range(view.shape[0])]
            ranks = [rank(rows[:n]) for n in range(1, len(rows) + 1)]
            breaks = [i for i in range(1, len(ranks)) if ranks[i] > ranks[i - 1]]
            assert len(breaks) <= len({p for p in place_values(shape) if t % p})
            assert all(i <= first // gcd(first, t) for i in breaks)


SURPRISES = [
    # One relation for ever, and never contiguity; and the same after an offset is another relation.
    ("(1000,3,2):(σ1,σ2,σ3)", "(s):(3)", ["1 ≤ s ≤ 2: always", "3 ≤ s ≤ 2000: σ1 = 2σ2 + 2σ3"]),
    ("(1000,3,2):(σ1,σ2,σ3)", "(s):(3)+1", ["1 ≤ s ≤ 2: always", "3 ≤ s ≤ 2000: σ1 = 4σ2 - 2σ3"]),
    # Three outer dims and a single condition, in which one term has to carry for the two others.
    ("(10,9,4):(σ1,σ2,σ3)", "(6):(9)", ["σ1 = 8σ2 + 4σ3"]),
    ("(2,2,3):(a,b,c)", "(2,1,2):(2,0,-1)+9", ["b = 3*c"]),
]


@pytest.mark.parametrize(("outer", "inner", "expected"), SURPRISES)
@checked("the examples")
def test_conditions_that_are_not_contiguity(outer: str, inner: str, expected: list[str]) -> None:
    """Exact conditions other than "each boundary is contiguous"; they come from carries that cancel."""
    found = str(conditions(View.parse(outer), View.parse(inner))).splitlines()
    assert [line for line in found if "out of bounds" not in line] == expected


@checked("N = 100, n to 500")
def test_all_slopes_differ_and_yet_carries_cancel_for_every_size() -> None:
    """(N,2,2,2,5) with t = 8: the slopes 1/5, 2/5, 4/5, 3/5 differ, and δ ∝ (−1,1,−1,1) merges for every n.

    Checked for N = 100 at n from 1 to 500, the whole tensor.
    """
    strides = [0, 0, 0, 0, 1]
    for axis, (defect, size) in reversed(list(enumerate(zip((-1, 1, -1, 1), (2, 2, 2, 5), strict=True)))):
        strides[axis] = defect + size * strides[axis + 1]
    outer = View((100, 2, 2, 2, 5), strides)
    assert defects(outer) == [-1, 1, -1, 1]
    assert all(merge(outer, View((n,), (8,))) for n in range(1, 501))
    bent = View(outer.shape, [strides[0] + 1, *strides[1:]])
    assert not merge(bent, View((500,), (8,)))
