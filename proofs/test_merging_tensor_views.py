"""The statements of "Merging tensor views" (N. uit de Bos, 2025), one test or more for each.

Each docstring says what is claimed, in our words, and how it was decided:

* proved: for all integers, at the ranks named, by the solver or by induction;
* exhaustive: every case up to the bound named, nothing beyond it;
* refuted: with the smallest example, after everything smaller was searched.

In `merge(v, w)` the outer view v lays out memory and the inner view w looks at the tensor that v describes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

import pytest
import sympy
from definitions import Claims, Index, indices, shapes, unit

from symview import Budget, OutOfBounds, View, compose_at, conditions, merge, overflows, ravel, unravel
from symview.logic.points import by_size
from symview.proof import by_induction
from symview.rules import checked, refuted, theorem

EXAMPLE = View.parse("(10,3,3):(σ1,σ2,σ3)")
FEW = Budget(points=100)  # too few to walk through the boxes it is used on


def symbolic(shape: Sequence[int]) -> View:
    """The shape with strides σ1, σ2, …"""
    return View(shape, sympy.symbols([f"σ{n + 1}" for n in range(len(shape))], integer=True))


def lines(size: int) -> Iterator[tuple[int, int]]:
    """The one-dimensional inner views (n):(t), t > 0, n >= 2, that stay inside a tensor of that size."""
    return ((n, t) for t in range(1, size) for n in range(2, (size - 1) // t + 2))


def steps(shape: Sequence[int]) -> list[tuple[Index, int, Index]]:
    """Every (i, j, i + e_j) with both indices in the box."""
    found = []
    for i, j in product(indices(shape), range(len(shape))):
        if i[j] + 1 < shape[j]:
            found.append((i, j, tuple(n + (m == j) for m, n in enumerate(i))))
    return found


def meets_criterion(f: Callable[[Index], Any], shape: Sequence[int]) -> bool:
    """The condition of Theorem 10, taken literally."""
    return all(f(after) == f(i) + f(unit(j, len(shape))) for i, j, after in steps(shape))


def composed(outer: View, inner: View) -> Callable[[Index], Any]:
    """f_{v,v'} of Definition 6."""
    return lambda index: compose_at(outer, inner, index=index)


def small_pairs() -> Iterator[tuple[View, View]]:
    """The 3,144 pairs with an outer view of size 4, 6 or 8, rank 1 to 3 and strides 0 to 3 (at rank 3: 0 to 2), and
    an inner view (n):(t), (2,2):(t,u) or (2,3):(t,u) inside it, t > 0.
    """
    for shape in ((4,), (2, 2), (6,), (2, 3), (3, 2), (2, 2, 2)):
        size = prod(shape)
        inner = [View((n,), (t,)) for n, t in lines(size)]
        for second, (t, u) in product((2, 3), product(range(1, size), range(size))):
            if t + (second - 1) * u < size:
                inner.append(View((2, second), (t, u)))
        for strides in product(range(3 if len(shape) == 3 else 4), repeat=len(shape)):
            for view in inner:
                yield View(shape, strides), view


# Section 1: views


@checked("ranks 0 to 2, sizes 1 to 3, strides 0 to 2")
def test_definition_1_a_view_is_a_shape_with_strides() -> None:
    """A view pairs positive sizes with as many strides."""
    for rank in range(3):
        for shape, strides in product(product((1, 2, 3), repeat=rank), product(range(3), repeat=rank)):
            view = View(shape, strides)
            assert (view.shape, view.strides, view.offset, view.mask) == (shape, strides, 0, None)
    for short, long in (((), (1,)), ((2,), (1, 1)), ((2, 2), (1,))):
        with pytest.raises(ValueError, match="strides"):
            View(short, long)


@theorem
def test_definition_1_a_size_of_1_can_be_left_out() -> Claims:
    """A dim of size 1 adds nothing to the address, wherever it stands.

    Proved for all strides and indices, next to two other dims.
    """
    yield "i*a + e*z + j*b == i*a + j*b", "0 <= e and e < 1"
    yield "e*z + i*a == i*a", "0 <= e and e < 1"


@checked("the smallest examples", refutes=True)
def test_definition_1_a_size_of_1_is_not_empty_and_a_size_of_0_cannot_be_left_out() -> None:
    """Refuted: the paper says that a size of 1 or 0 is empty and can be ignored.

    Smallest examples: (1) has one index, so it is not empty. (0) has none, but without its dim, as (), it has one.
    For merging it matters from the outer tensor (2,2) on: (3,0):(1,1) always merges, (3):(1) needs σ1 = 2·σ2.
    """
    assert indices((1,)) == [(0,)]
    assert (indices((0,)), indices(())) == ([], [()])
    needing = [
        (shape, n, t)
        for size in range(1, 5)
        for shape in shapes(size)
        for n, t in lines(size)
        if str(conditions(symbolic(shape), View((n,), (t,)))) != "always"
    ]
    assert needing[0] == ((2, 2), 3, 1)
    assert str(conditions(symbolic((2, 2)), View((3,), (1,)))) == "σ1 = 2σ2"
    assert str(conditions(symbolic((2, 2)), View((3, 0), (1, 1)))) == "always"


@checked("rank 2, sizes 0 to 3, entries −1 to 3")
def test_definition_2_the_index_set_is_a_box() -> None:
    """The indices of a shape are those with 0 <= i_l < s_l."""
    for shape in product(range(4), repeat=2):
        view, inside = View(shape), set(indices(shape))
        assert len(inside) == view.size
        for i in product(range(-1, 4), repeat=2):
            if i in inside:
                assert view.at(i) == ravel(i, shape)
            else:
                with pytest.raises(OutOfBounds):
                    view.at(i)


@checked("the shapes (3), (3,2), (2,3,2), all strides")
def test_definition_3_the_index_function_is_the_inner_product() -> None:
    """The address is Σ i_l·σ_l. For all strides; exhaustive: the indices of (3), (3,2), (2,3,2)."""
    for shape in ((3,), (3, 2), (2, 3, 2)):
        view = symbolic(shape)
        for i in indices(shape):
            inner_product = sum(n * s for n, s in zip(i, view.strides, strict=True))
            assert sympy.expand(inner_product - sympy.sympify(view.at(i))) == 0


def additivity(rank: int, offset: str = "0") -> str:
    """The statement v(i + j) == v(i) + v(j)."""
    axes = range(1, rank + 1)
    both = " + ".join(f"(i{n} + j{n})*σ{n}" for n in axes)
    first, second = (" + ".join(f"{x}{n}*σ{n}" for n in axes) for x in "ij")
    return f"{offset} + {both} == ({offset} + {first}) + ({offset} + {second})"


@theorem
def test_lemma_4_views_are_additive() -> list[str]:
    """v(i + i') = v(i) + v(i'). Proved for all strides and indices (the box is not even needed), ranks 1 to 3."""
    return [additivity(rank) for rank in (1, 2, 3)]


@refuted(at={"o": 1, "i1": 0, "j1": 0, "σ1": 0})
def test_lemma_4_fails_with_an_offset() -> str:
    """The lemma is about the paper's views, which start at 0. Refuted for views with an offset, smallest: +1."""
    return additivity(1, "o")


class Contiguous:
    """The contiguous view of a rank with symbolic sizes s1, s2, …, as text for statements."""

    def __init__(self, rank: int) -> None:
        self.sizes = [f"s{n}" for n in range(1, rank + 1)]
        self.places = [str(p) for p in View(sympy.symbols(self.sizes, integer=True, positive=True)).strides]
        self.in_tensor = f"0 <= x and x < {'*'.join(self.sizes)} and " + " and ".join(f"{s} >= 1" for s in self.sizes)
        self.in_box = " and ".join(f"0 <= i{n} and i{n} < s{n}" for n in range(1, rank + 1))

    def address(self, index: Sequence[str]) -> str:
        """Σ i_l·P_l."""
        return " + ".join(f"({i})*({p})" for i, p in zip(index, self.places, strict=True))

    def digits(self, address: str) -> list[str]:
        """The digits of an address: floor(x/P_l) mod s_l."""
        return [f"({address})//({p}) % {s}" for p, s in zip(self.places, self.sizes, strict=True)]

    def index(self) -> list[str]:
        """The index i1, i2, …"""
        return [f"i{n + 1}" for n in range(len(self.sizes))]


@theorem
def test_definition_5_unravelling_inverts_the_contiguous_view() -> Claims:
    """The contiguous view with strides Π s_m (m > j) is a bijection: the digits of its address are the index.

    Proved for all sizes at ranks 1 to 3, the strides being those that `View(shape)` computes.
    """
    for rank in (1, 2, 3):
        view = Contiguous(rank)
        for digit, i in zip(view.digits(view.address(view.index())), view.index(), strict=True):
            yield f"{digit} == {i}", view.in_box


@theorem
def test_definition_5_the_contiguous_view_fills_the_tensor() -> Claims:
    """Its addresses are inside 0..size−1. Proved for all sizes at ranks 1 to 3."""
    for rank in (1, 2, 3):
        view = Contiguous(rank)
        address = view.address(view.index())
        yield f"0 <= {address} and {address} < {'*'.join(view.sizes)}", view.in_box


# Section 2: merging


@checked("the definition written out, on all `small_pairs`")
def test_definition_6_the_composition_goes_through_the_index_of_the_outer_tensor() -> None:
    """It is v ∘ unravel ∘ v'."""
    assert sum(1 for _ in small_pairs()) == 3144
    for outer, inner in small_pairs():
        for i in indices(inner.shape):
            address: Any = sum(n * t for n, t in zip(i, inner.strides, strict=True))
            digits = unravel(address, outer.shape)
            assert compose_at(outer, inner, index=i) == outer.at(digits)


@checked("every (n):(t) with n, t <= 7 in a tensor (m), m <= 12", refutes=True)
def test_definition_6_needs_the_inner_view_in_bounds() -> None:
    """Loose: f is only defined if v' stays inside v's tensor, which the paper does not ask for.

    An error exactly when (n − 1)·t >= m. Smallest example with sizes >= 2, by both sizes and the stride: (2):(2) in a
    tensor of shape (2).
    """
    outside = []
    for m, n, t in product(range(2, 13), range(2, 8), range(8)):
        try:
            merge(View((m,)), View((n,), (t,)))
            fits = True
        except OutOfBounds:
            fits = False
        assert fits == ((n - 1) * t < m)
        outside += [] if fits else [(m + n + t, m, n, t)]
    assert min(outside) == (6, 2, 2, 2)


@theorem
def test_remark_7_unravelling_a_number_and_ravelling_its_digits_gives_it_back() -> Claims:
    """Unravelling is the inverse on both sides: Σ digit·place = x, each digit below its size.

    Proved for all sizes at ranks 1 to 3.
    """
    for rank in (1, 2, 3):
        view = Contiguous(rank)
        for digit, size in zip(view.digits("x"), view.sizes, strict=True):
            yield f"0 <= {digit} and {digit} < {size}", view.in_tensor
        yield f"{view.address(view.digits('x'))} == x", view.in_tensor


@checked("all `small_pairs`")
def test_definition_8_the_merged_view_is_the_composition() -> None:
    """What `merge` gives has the inner shape and is the composition at every index."""
    merged = 0
    for outer, inner in small_pairs():
        view = merge(outer, inner)
        if isinstance(view, View):
            merged += 1
            assert view.shape == inner.shape
            assert all(view.at(i) == compose_at(outer, inner, index=i) for i in indices(inner.shape))
    assert merged > 1000


@checked("rank 2, sizes to 3")
def test_definition_8_equal_index_sets_mean_equal_shapes_only_without_zeros() -> None:
    """The note that v = f implies s = s2 holds for sizes >= 1; exhaustive: rank 2, sizes 1 to 3.

    Where sizes of 0 are allowed it is refuted; smallest: (0,0) and (0,1) have the same, empty, index set.
    """
    positive = list(product((1, 2, 3), repeat=2))
    assert all((indices(s) == indices(t)) == (s == t) for s, t in product(positive, repeat=2))
    clashes = [
        (sum(s) + sum(t), s, t)
        for s, t in product(product(range(3), repeat=2), repeat=2)
        if s < t and set(indices(s)) == set(indices(t))
    ]
    assert min(clashes) == (1, (0, 0), (0, 1))
    assert all(0 in s and 0 in t for _, s, t in clashes)


@checked("outer (2,2) with strides 0 to 3, views with strides up to 9")
def test_definition_9_mergeable_means_that_some_view_is_the_merged_view() -> None:
    """No view works where `merge` says no."""
    verdicts = set()
    for strides, (n, t) in product(product(range(4), repeat=2), lines(4)):
        outer, inner = View((2, 2), strides), View((n,), (t,))
        f = [compose_at(outer, inner, index=i) for i in indices((n,))]
        exists = any([k * s for k in range(n)] == f for s in range(10))
        assert bool(merge(outer, inner)) == exists
        verdicts.add(exists)
    assert verdicts == {True, False}


# Section 3: the main result


@theorem
def test_theorem_10_a_merged_view_meets_the_criterion() -> Iterator[str]:
    """Only if: a view's steps along axis j all have the length of its first, f(i + e_j) = f(i) + f(e_j).

    Proved for all values at every rank: b is what the other axes add, and f(e_j) is τ.
    """
    yield "b + (n + 1)*τ == (b + n*τ) + 1*τ"
    yield "(n1 + 1)*τ1 + n2*τ2 == (n1*τ1 + n2*τ2) + (1*τ1 + 0*τ2)"
    yield "n1*τ1 + (n2 + 1)*τ2 == (n1*τ1 + n2*τ2) + (0*τ1 + 1*τ2)"


@theorem
def test_theorem_10_the_criterion_makes_it_a_view() -> Iterator[object]:
    """If: when all steps along axis j have length τ_j = f(e_j), then f(i) = Σ i_j·τ_j.

    Proved for all values by induction along one axis after the other, each starting from what the axes before it
    reached: rank 1, rank 2, and for any rank the induction along the next axis from a base b. Outside the box f
    is continued by the same recurrence, which loses nothing.
    """
    yield by_induction("f == n*τ", sequences={"f": ("0", "f + τ")})
    yield by_induction("f == i*τ1 + n*τ2", given="i >= 0", sequences={"f": ("i*τ1", "f + τ2")})
    yield by_induction("f == b + n*τ", sequences={"f": ("b", "f + τ")})


@checked("all `small_pairs`")
def test_theorem_10_on_all_small_views() -> None:
    """Mergeable iff the criterion holds, with τ_j = f(e_j)."""
    seen = {True: 0, False: 0}
    for outer, inner in small_pairs():
        f = composed(outer, inner)
        merged, expected = merge(outer, inner), meets_criterion(f, inner.shape)
        assert bool(merged) == expected
        if isinstance(merged, View):
            assert merged.strides == tuple(f(unit(j, inner.rank)) for j in range(inner.rank))
        seen[expected] += 1
    assert min(seen.values()) > 500


@theorem
def test_theorem_10_the_strides_are_unique_from_size_2_on() -> tuple[str, str]:
    """Two views that agree on a box have the same stride on every axis that has an index 1. Proved for all values."""
    return "b + i*τ == b + i*υ -> τ == υ", "i == 1"


@refuted(at={"b": 0, "i": 0, "τ": 0, "υ": 1})
def test_theorem_10_the_strides_are_not_unique_at_size_1() -> tuple[str, str]:
    """Refuted: an axis of size 1 only has index 0, and any stride does. Smallest: (1):(0) and (1):(1)."""
    return "b + i*τ == b + i*υ -> τ == υ", "0 <= i and i < 1"


@checked("the example")
def test_theorem_10_views_that_differ_in_a_stride_of_size_1_are_equal() -> None:
    """(1):(0) and (1):(1) have the same index function, and compare equal; (2):(0) and (2):(1) do not."""
    assert View((1,), (0,)) == View((1,), (1,))
    assert View((2,), (0,)) != View((2,), (1,))


@refuted(at={"f0": 1, "τ": 0})
def test_theorem_10_needs_views_that_start_at_0() -> str:
    """With an offset f(0) ≠ 0 the criterion fails already at i = 0, though f is affine. Refuted, smallest: f(0) = 1.

    For views with offsets it has to read f(i + e_j) − f(i) = f(e_j) − f(0).
    """
    return "f0 + τ == f0 + (f0 + τ)"


def trivial(outer: View, inner: View) -> Iterator[bool]:
    """For each step from an index other than 0: whether its equation holds for all outer strides."""
    f = composed(outer, inner)
    for i, j, after in steps(inner.shape):
        if any(i):
            yield sympy.expand(f(after) - f(i) - f(unit(j, inner.rank))) == 0


@checked("one-dimensional views in tensors of size to 12", refutes=True)
def test_remark_11_not_all_increments_have_to_be_checked() -> None:
    """Refuted: the remark says that the criterion has to be checked at all indices.

    From i = 0 it always holds, as f(0) = 0. Smallest example with another one: (3):(1) in a tensor of shape (3), where
    f(2) = f(1) + f(1) for every stride. Exhaustive: all one-dimensional views in tensors of size up to 12: as many
    increments as there are boundaries between digits are enough, those that `conditions` names as witnesses.
    """
    superfluous = [
        (size, shape, n, t)
        for size in range(2, 5)
        for shape in shapes(size)
        for n, t in lines(size)
        if any(trivial(symbolic(shape), View((n,), (t,))))
    ]
    assert superfluous[0] == (3, (3,), 3, 1)
    for size in range(2, 13):
        for shape, (n, t) in product(shapes(size), lines(size)):
            (case,) = conditions(symbolic(shape), View((n,), (t,))).cases
            assert len(case.equations) <= len(case.witnesses) <= len(shape) - 1


@checked("rank 2, sizes to 5")
def test_remark_12_the_conditions_are_many_and_need_not_be_walked_through() -> None:
    """The criterion has Σ_j (s'_j − 1)·Π s'_m (m ≠ j) conditions. Exhaustive for that count: rank 2, sizes 1 to 5.

    That makes it easy, but slow, to check: 10^12 conditions in the last example, which is decided from 100 indices.
    """
    for a, b in product(range(1, 6), repeat=2):
        assert len(steps((a, b))) == (a - 1) * b + a * (b - 1)
    large = View((10**12,), (4,))
    found = conditions(View.parse(f"({10**12},3,3):(σ1,σ2,σ3)"), large, budget=FEW)
    assert str(found) == "σ1 = 3σ2 and σ2 = 3σ3"
    assert [w.index for w in found.cases[0].witnesses] == [(3,), (5,)]


# Section 4: the example (10,3,3) with (s):(4)


@checked("s to 23, strides to 3")
def test_section_4_the_conditions_by_size() -> None:
    """The exact answer for every s, from `conditions`; the paper's cases are s = 4 and s = 6.

    Exhaustive as well: for s up to 23 and strides up to 3, `merge` on numbers agrees.
    """
    found = conditions(EXAMPLE, View.parse("(s):(4)"))
    assert str(found).splitlines() == [
        "1 ≤ s ≤ 3: always",
        "4 ≤ s ≤ 5: σ1 = 2σ2 + 3σ3",
        "6 ≤ s ≤ 23: σ1 = 3σ2 and σ2 = 3σ3",
        "s ≥ 24: out of bounds",
    ]
    for s, strides in product(range(1, 24), product(range(4), repeat=3)):
        given = dict(zip(("s", "σ1", "σ2", "σ3"), (s, *strides), strict=True))
        assert found.holds(given) == bool(merge(View((10, 3, 3), strides), View((s,), (4,))))


TABLES = {
    4: ["", "τ = σ2 + σ3", "τ = σ2 + σ3", "σ1 + σ2 = 2σ2 + 2σ3 + τ"],
    6: ["", "τ = σ2 + σ3", "τ = σ2 + σ3", "σ1 + σ2 = 2σ2 + 2σ3 + τ", "τ = σ2 + σ3",
        "2σ1 + 2σ3 = σ1 + 2σ2 + σ3 + τ"],
}  # fmt: skip


@pytest.mark.parametrize("s", [4, 6])
@checked("the examples")
def test_section_4_tables_1_and_2(s: int) -> None:
    """The digits and the equation of every index, for s = 4 and s = 6."""
    rows = overflows(EXAMPLE, View((s,), (4,)), every=True).rows
    assert [r.equation() for r in rows] == TABLES[s]
    assert [r.digits for r in rows] == [(0, 0, 0), (0, 1, 1), (0, 2, 2), (1, 1, 0), (1, 2, 1), (2, 0, 2)][:s]


@theorem
def test_section_4_the_two_equations_at_s_6_are_those_of_a_contiguous_tensor() -> Claims:
    """σ1 = 3·σ2 and σ1 = 2·σ2 + 3·σ3 say the same as σ1 = 3·σ2 and σ2 = 3·σ3. Proved for all strides."""
    yield "σ2 == 3*σ3", "σ1 == 3*σ2 and σ1 == 2*σ2 + 3*σ3"
    yield "σ1 == 2*σ2 + 3*σ3", "σ1 == 3*σ2 and σ2 == 3*σ3"


@theorem
def test_section_4_1_at_s_4_the_equation_is_enough() -> tuple[str, str]:
    """f(i) = i·(σ2 + σ3) at every index of (4):(4), if σ1 = 2·σ2 + 3·σ3. Proved for all strides."""
    f = "4*i//9%10*σ1 + 4*i//3%3*σ2 + 4*i%3*σ3"
    return f"{f} == i*(σ2 + σ3)", "0 <= i and i < 4 and σ1 == 2*σ2 + 3*σ3"


@checked("the example")
def test_section_4_1_the_merged_view_has_stride_σ2_plus_σ3() -> None:
    """The merged view at s = 4 is (4):(σ2 + σ3)."""
    (case,) = conditions(EXAMPLE, View((4,), (4,))).cases
    assert str(case.view) == "(4):(σ2 + σ3)"


@checked("the example", refutes=True)
def test_section_4_nothing_is_needed_up_to_s_3() -> None:
    """Loose: "mergeable if s <= 4 and σ1 = 2·σ2 + 3·σ3" is true, but no condition at all is needed for s <= 3.

    Smallest strides that show it, by their sum: (0,0,1) with s = 3.
    """
    assert str(conditions(EXAMPLE, View((3,), (4,)))) == "always"
    breaking = (σ for σ in by_size([(0, None)] * 3) if σ[0] != 2 * σ[1] + 3 * σ[2])
    smallest = next(breaking)
    assert smallest == (0, 0, 1)
    assert [bool(merge(View((10, 3, 3), smallest), View((s,), (4,)))) for s in (1, 2, 3, 4)] == [True] * 3 + [False]


@checked("the smallest example", refutes=True)
def test_section_4_the_second_equation_comes_with_s_6() -> None:
    """Refuted: the paper says that σ1 = 3·σ2 is needed for s > 4. At s = 5 it is not; it comes with index 5, so s = 6.

    Smallest strides that show it, by their sum: (2,1,0) merges at s = 5, with σ1 ≠ 3·σ2, and not at s = 6.
    """

    def merges(strides: Index, s: int) -> bool:
        return bool(merge(View((10, 3, 3), strides), View((s,), (4,))))

    natural = by_size([(0, None)] * 3)
    assert next(σ for σ in natural if merges(σ, 5) and σ[0] != 3 * σ[1]) == (2, 1, 0)
    assert not merges((2, 1, 0), 6)
    (second,) = (r for r in overflows(EXAMPLE, View((6,), (4,))).rows if r.pattern == (1, 0))
    assert second.index == (5,)


# Section 4.3: the observations


@theorem
def test_section_4_3_an_inner_view_of_shape_2_always_merges() -> tuple[str, str]:
    """Two points always lie on a line: f(i) = f(0) + i·(f(1) − f(0)) on {0, 1}. Proved for all values."""
    return "(i == 0 -> f0 + i*(f1 - f0) == f0) and (i == 1 -> f0 + i*(f1 - f0) == f1)", "0 <= i and i < 2"


@checked("every (2):(t) in every tensor of size up to 24")
def test_section_4_3_shape_2_in_all_small_tensors() -> None:
    """The same through `conditions`."""
    for size in range(2, 25):
        for shape, t in product(shapes(size), range(size)):
            assert str(conditions(symbolic(shape), View((2,), (t,)))) == "always"


@checked("every (n):(t) in every tensor of size up to 16")
def test_section_4_3_larger_shapes_never_need_less() -> None:
    """What n steps demand, n + 1 steps demand too."""
    for size in range(2, 17):
        for shape, t in product(shapes(size), range(1, size)):
            before: tuple[sympy.Eq, ...] = ()
            for n in range(1, (size - 1) // t + 2):
                (case,) = conditions(symbolic(shape), View((n,), (t,))).cases
                assert case.equations == before or same_equations(case.equations, [*case.equations, *before])
                before = case.equations


def same_equations(found: Sequence[sympy.Eq], expected: Sequence[sympy.Eq]) -> bool:
    """Whether two systems of linear equations have the same solutions."""
    symbols = sorted({s for e in (*found, *expected) for s in e.free_symbols}, key=str)
    if not symbols:
        return True
    one, other = (sympy.Matrix([[(e.lhs - e.rhs).coeff(s) for s in symbols] for e in es] or [[0] * len(symbols)])
                  for es in (found, expected))  # fmt: skip
    return bool(one.rank() == other.rank() == one.col_join(other).rank())


@checked("every (n):(t) in every tensor of size up to 12")
def test_section_4_3_the_condition_is_what_the_overflows_demand_together() -> None:
    """For given shapes the exact condition is linear: the equations of the overflows that occur, and nothing else."""
    for size in range(2, 13):
        for shape, (n, t) in product(shapes(size), lines(size)):
            outer, inner = symbolic(shape), View((n,), (t,))
            (case,) = conditions(outer, inner).cases
            rows = overflows(outer, inner).rows
            assert same_equations(case.equations, [r.condition for r in rows if r.condition is not None])


@checked("tensors of size to 12", refutes=True)
def test_section_4_1_a_repeated_overflow_gives_no_new_equation() -> None:
    """Refuted: "every overflow gives you a new equation". What is true: the equation depends on the pattern alone.

    Smallest example of a one-dimensional inner view, by the outer size, then its shape, then n and t: in (3,2),
    (5):(1) carries at i = 2 and at i = 4, and both say σ1 = 2·σ2. Exhaustive, for the pattern: tensors of size up
    to 12, and there equal patterns always have equal equations, also for different strides t.
    """
    repeated = []
    for size in range(2, 13):
        for shape in shapes(size):
            known: dict[object, object] = {}
            for n, t in sorted(lines(size)):
                rows = [r for r in overflows(symbolic(shape), View((n,), (t,)), every=True).rows if r.overflows]
                if len({r.pattern for r in rows}) < len(rows):
                    repeated.append((size, shape, n, t))
                for row in rows:
                    assert known.setdefault(row.pattern, row.condition) == row.condition
    assert repeated[0] == (6, (3, 2), 5, 1)
    table = overflows(symbolic((3, 2)), View((5,), (1,)), every=True)
    assert [(r.index, str(r.condition)) for r in table.rows if r.overflows] == [
        ((2,), "Eq(σ1, 2*σ2)"),
        ((4,), "Eq(σ1, 2*σ2)"),
    ]


def carries(outer: View, inner: View) -> list[tuple[int, object]]:
    """How many boundaries each step carries over, and what it demands."""
    return [(len(r.overflows), r.condition) for r in overflows(outer, inner, every=True).rows if r.overflows]


@checked("the smallest example", refutes=True)
def test_section_4_3_double_overflows_do_not_follow_where_no_single_one_occurs() -> None:
    """Refuted: "if all single overflows hold, then more complex ones hold automatically".

    Smallest example of a one-dimensional inner view, by the outer size, then its shape, then n and t: in (2,2,2),
    (3):(3) visits 0, 3, 6 and carries over both boundaries in one step, never over one: σ1 = σ2 + 2·σ3 is needed.
    """
    found = []
    for size in range(2, 9):
        for shape in shapes(size):
            for n, t in sorted(lines(size)):
                rows = carries(symbolic(shape), View((n,), (t,)))
                single = [c for count, c in rows if count == 1 and c is not None]
                (case,) = conditions(symbolic(shape), View((n,), (t,))).cases
                if not same_equations(single, case.equations):
                    found.append((size, shape, n, t))
    assert found[0] == (8, (2, 2, 2), 3, 3)
    assert str(conditions(symbolic((2, 2, 2)), View((3,), (3,)))) == "σ1 = σ2 + 2σ3"
    assert carries(symbolic((2, 2, 2)), View((3,), (3,)))[0][0] == 2


@pytest.mark.dear
@checked("the longest (n):(t) for every t, in every tensor of size up to 40")
def test_section_4_3_double_overflows_follow_where_their_parts_occur_singly() -> None:
    """What is true of it: if each boundary of a step's overflow also overflows alone, the step demands nothing new.

    So a double overflow "imposes additional constraints" only where its parts are missing, or come later, as after i =
    3 in the paper's example.
    """
    followed = 0
    for size in range(2, 41):
        for shape, t in product(shapes(size), range(1, size)):
            rows = overflows(symbolic(shape), View(((size - 1) // t + 1,), (t,))).rows
            alone = {r.overflows[0]: r.condition for r in rows if len(r.overflows) == 1}
            for row in rows:
                if len(row.overflows) > 1 and set(row.overflows) <= set(alone):
                    parts = [alone[p] for p in row.overflows]
                    assert same_equations(parts, [*parts, row.condition])
                    followed += 1
    assert followed > 10
    assert carries(EXAMPLE, View((6,), (4,)))[0][0] == 2


@checked("the example", refutes=True)
def test_section_4_3_indices_need_not_be_iterated_over() -> None:
    """Refuted: "the only way to determine the necessary conditions is to iterate over indices".

    With a first size of 10^18 the conditions for every s come out, under a budget of 100 indices.
    """
    found = conditions(View.parse(f"({10**18},3,3):(σ1,σ2,σ3)"), View.parse("(s):(4)"), budget=FEW)
    assert [case.headline() for case in found.cases] == [
        "always",
        "σ1 = 2σ2 + 3σ3",
        "σ1 = 3σ2 and σ2 = 3σ3",
        "out of bounds",
    ]
    assert found.holds({"s": 10**18, "σ1": 9, "σ2": 3, "σ3": 1})


# Section 5: other results


@checked("the example")
def test_section_5_unravelling_is_the_mixed_radix_representation() -> None:
    """The paper's example: 5 in the shape (2,3,4) is (0,1,1). That it is so in general: Definition 5 and Remark 7."""
    assert unravel(5, (2, 3, 4)) == (0, 1, 1)
    assert ravel((0, 1, 1), (2, 3, 4)) == 5


@theorem
def test_section_5_without_an_overflow_the_digits_simply_add() -> Claims:
    """A step t that does not overflow a boundary P moves floor(x/P) by floor(t/P), from everywhere the same.

    So only increments that overflow have to be checked. Proved for all P >= 1, x and t; and with an overflow it
    moves by exactly one more.
    """
    yield "(x + t)//P == x//P + t//P", "P >= 1 and x % P + t % P < P"
    yield "(x + t)//P == x//P + t//P + 1", "P >= 1 and x % P + t % P >= P"


@checked("all `small_pairs`")
def test_section_5_only_overflowing_increments_have_to_be_checked() -> None:
    """The criterion restricted to increments that overflow decides the same."""
    for outer, inner in small_pairs():
        f = composed(outer, inner)
        overflowing = {(r.index, r.axis) for r in overflows(outer, inner, every=True).rows if r.overflows}
        holds = all(
            f(after) == f(i) + f(unit(j, inner.rank)) for i, j, after in steps(inner.shape) if (after, j) in overflowing
        )
        assert holds == bool(merge(outer, inner))


@checked("the smallest example")
def test_section_5_with_an_offset_the_first_step_may_overflow_too() -> None:
    """For views that start at 0 only. With an offset, an increment without overflow may be the one that breaks.

    Smallest example, by the outer size, then n, t and the offset: (3):(1)+1 in (2,2) overflows in its first step and
    not in its second, and merges only if σ1 = 2·σ2.
    """
    found = []
    for size in range(2, 5):
        for shape in shapes(size):
            for n, t in sorted(lines(size)):
                for offset in range(size - (n - 1) * t):
                    outer, inner = symbolic(shape), View((n,), (t,), offset)
                    rows = overflows(outer, inner, every=True).rows
                    if any(r.condition is not None and not r.overflows for r in rows):
                        found.append((size, shape, n, t, offset))
    assert found[0] == (4, (2, 2), 3, 1, 1)
    assert str(conditions(symbolic((2, 2)), View((3,), (1,), 1))) == "σ1 = 2σ2"


@theorem
def test_section_5_the_equation_of_an_overflow_involves_its_digits_only() -> Claims:
    """A step that overflows boundary l alone changes f by δ_l = σ_l − s_{l+1}·σ_{l+1} more than one that does not.

    Proved for all sizes at outer rank 2: f(x + t) − f(x) − f(t) is 0 or −δ, whatever x and t are.
    """

    def f(x: str) -> str:
        return f"(({x})//s2*σ1 + ({x}) % s2*σ2)"

    difference = f"{f('x + t')} - {f('x')} - {f('t')}"
    yield f"{difference} == 0", "s2 >= 1 and x % s2 + t % s2 < s2"
    yield f"{difference} == σ1 - s2*σ2", "s2 >= 1 and x % s2 + t % s2 >= s2"
