"""Worked masks and chains: from the sketch of complete reshapes, from people's questions, from the theory."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
import sympy
from bridge_chains import as_oracle, meaning
from oracle import masked

from symview import (
    Counterexample,
    Kind,
    Proved,
    Status,
    View,
    conditions,
    equivalent,
    merge,
    reshape,
    reshape_conditions,
    simplify,
)


def right(*chain: View, found) -> None:
    """Brute force says the same, at every index."""
    ours = [as_oracle(v) for v in chain]
    expected = masked.decide(ours)
    if isinstance(found, View):
        assert not isinstance(expected, masked.Fails)
        assert meaning(found) == masked.values(ours)
    else:
        assert (expected.kind, expected.index, expected.got) == (found.kind, found.index, found.got)


# "Complete, Fast and Correct View.reshapes without using Symbolic": the masks of sections on splitting and combining


def test_splitting_under_a_mask_that_spans_the_cut_is_impossible() -> None:
    """[1..8] to two rows of four with mask (2,6): the first row's [2:4] and the second's [0:2] are not a box."""
    v = View((8,), (1,), 0, [(2, 6)])
    found = reshape(v, (2, 4))
    assert isinstance(found, Counterexample)
    # The smallest valid index is (1,0), and from it only [1:2,0:2] is valid axis by axis; (0,2) is outside of that.
    assert (found.kind, found.index, found.got) == (Kind.VALID, (0, 2), 2)
    right(v, View((2, 4)), found=found)


@pytest.mark.parametrize(
    ("mask", "new"),
    [
        ((0, 8), None),
        ((1, 4), ((0, 1), (1, 4))),
        ((0, 4), ((0, 1), (0, 4))),
        ((5, 8), ((1, 2), (1, 4))),
        ((4, 8), ((1, 2), (0, 4))),
        ((6, 7), ((1, 2), (2, 3))),
    ],
)
def test_splitting_under_a_mask_within_one_row(mask, new) -> None:
    """Possible where the mask spans everything, or lies within a single row."""
    found = reshape(View((8,), (1,), 0, [mask]), (2, 4))
    assert found == View((2, 4), (4, 1), 0, new)
    right(View((8,), (1,), 0, [mask]), View((2, 4)), found=found)


def test_splitting_every_mask_of_eight() -> None:
    """The rule of the sketch, and that it is exactly right for a split of (8) into (2,4)."""
    for lo, hi in product(range(9), repeat=2):
        if lo < hi:
            within = lo // 4 == (hi - 1) // 4
            assert bool(reshape(View((8,), (1,), 0, [(lo, hi)]), (2, 4))) == (within or (lo, hi) == (0, 8))


def test_combining_under_a_mask_that_spans_the_inner_dim() -> None:
    """[[1,2],[3,4],[5,6]] with mask ((0,2),(0,2)) is [1..6] with mask (0,4)."""
    v = View((3, 2), None, 0, [(0, 2), (0, 2)])
    assert reshape(v, (6,)) == View((6,), (1,), 0, [(0, 4)])
    right(v, View((6,)), found=reshape(v, (6,)))


def test_combining_under_a_mask_that_is_one_row() -> None:
    """[[1,2,3],[4,5,6]] with mask ((1,2),(0,2)) is [1..6] with mask (3,5)."""
    v = View((2, 3), None, 0, [(1, 2), (0, 2)])
    assert reshape(v, (6,)) == View((6,), (1,), 0, [(3, 5)])
    right(v, View((6,)), found=reshape(v, (6,)))


def test_combining_otherwise_is_impossible() -> None:
    """[[1,2,3],[4,5,6]] with mask ((0,2),(0,2)): 1 2 _ 4 5 _."""
    v = View((2, 3), None, 0, [(0, 2), (0, 2)])
    found = reshape(v, (6,))
    assert (found.kind, found.index, found.got) == (Kind.VALID, (3,), 3)
    right(v, View((6,)), found=found)
    for rows, columns in product(product(range(3), range(3)), product(range(4), range(4))):
        if rows[0] < rows[1] and columns[0] < columns[1]:
            single = rows[1] - rows[0] == 1
            found = reshape(View((2, 3), None, 0, [rows, columns]), (6,))
            assert bool(found) == (single or columns == (0, 3))


def test_a_zero_stride_is_repeated_unless_its_mask_is_one_index() -> None:
    """Section 2 of the sketch: s_j > 1 with stride 0 before another dim cannot combine, unless masked to one."""
    assert not reshape(View((3, 2), (0, 1)), (6,))
    one = View((3, 2), (0, 1), 0, [(1, 2), (0, 2)])
    assert reshape(one, (6,)) == View((6,), (1,), -2, [(2, 4)])
    right(one, View((6,)), found=reshape(one, (6,)))
    assert reshape(View((1, 2), (0, 1)), (2,)) == View((2,), (1,))
    assert reshape(View((3, 2), (0, 0)), (6,)) == View((6,), (0,))


# People's questions


def test_tinygrad_a_flipped_masked_line_to_three_rows() -> None:
    """(9):(-1)+7 [2:8] then (3,2):(3,1) is (3,2):(-3,-1)+7 [1:3,0:2] (tinygrad#8511)."""
    outer, inner = View.parse("(9):(-1)+7 [2:8]"), View.parse("(3,2):(3,1)")
    found = merge(outer, inner)
    assert found == View.parse("(3,2):(-3,-1)+7 [1:3,0:2]")
    assert str(found) == "(3,2):(-3,-1)+7 [1:3,0:2]"
    right(outer, inner, found=found)


def test_a_masked_line_to_rows_of_two() -> None:
    v = View.parse("(6):(1) [0:4]")
    assert str(v.reshape((3, 2))) == "(3,2):(2,1) [0:2,0:2]"
    assert not reshape(View.parse("(6):(1) [0:3]"), (3, 2))
    assert str(View.parse("(6):(1) [0:2]").reshape((3, 2)).mask) == "((0, 1), (0, 2))"


def test_padding_then_merging_is_masked() -> None:
    """A padded row-major tensor, flattened: only padding of the leading dim leaves one view."""
    v = View((4, 6))
    assert v.pad([(1, 2), (0, 0)]).reshape((42,)) == View((42,), (1,), -6, [(6, 30)])
    assert not reshape(v.pad([(0, 0), (1, 0)]), (28,))
    assert v.pad([(0, 0), (1, 0)]).reshape((2, 2, 7)) == View((2, 2, 7), (12, 6, 1), -1, [(0, 2), (0, 2), (1, 7)])


# Masks of the theory


def test_a_box_though_no_single_constraint_is_one() -> None:
    """s = (2,3), masks [0,1) and [0,2), inner (2,2):(1,2): valid on [0,2)×[0,1)."""
    outer, inner = View((2, 3), None, 0, [(0, 1), (0, 2)]), View((2, 2), (1, 2))
    found = merge(outer, inner)
    assert found == View((2, 2), (1, 0), 0, [(0, 2), (0, 1)])
    right(outer, inner, found=found)
    # Alone, neither mask leaves a box.
    for mask in ([(0, 1), (0, 3)], [(0, 2), (0, 2)]):
        alone = View((2, 3), None, 0, mask)
        assert masked.decide([as_oracle(alone), as_oracle(inner)]) != masked.Nowhere()
        right(alone, inner, found=merge(alone, inner))
        assert not merge(alone, inner)


def test_a_mask_can_hide_a_wrap() -> None:
    """s = (2,4), mask of the second dim [0,3), x = 0, 2, 4: all valid though x mod 4 is not affine."""
    outer, inner = View((2, 4), None, 0, [(0, 2), (0, 3)]), View((3,), (2,))
    found = merge(outer, inner)
    assert found == View((3,), (2,))
    assert found.mask is None
    assert not merge(View((2, 4), (5, 1), 0, [(0, 2), (0, 3)]), inner)
    c = conditions(View.parse("(2,4):(a,b) [0:2,0:3]"), inner)
    assert str(c) == "a = 4*b"
    right(outer, inner, found=found)


def test_outside_the_box_nothing_matters() -> None:
    """f need be affine only where it is valid."""
    outer, inner = View((2, 3), (7, 1), 0, [(0, 1), (0, 3)]), View((4,))
    assert merge(outer, inner) == View((4,), (1,), 0, [(0, 3)])
    assert not merge(View((2, 3), (7, 1)), inner)
    (case,) = conditions(View.parse("(2,3):(a,b) [0:1,0:3]"), inner).cases
    assert case.status is Status.ALWAYS
    assert case.view == View((4,), (sympy.Symbol("b", integer=True),), 0, [(0, 3)])


def test_the_origin_of_the_box_is_its_low_corner() -> None:
    """Offset f(lo) − Σ lo_j·τ_j, and τ_j = 0 where the box has extent 1."""
    outer = View((3, 4), (10, 1), 5, [(1, 3), (2, 3)])
    found = merge(outer, View((3, 4)))
    assert found == outer
    assert found == View((3, 4), (10, 0), 7, [(1, 3), (2, 3)])
    assert merge(outer, View((12,))).index == (10,)


def test_never_where_the_valid_indices_are_no_box() -> None:
    c = reshape_conditions(View.parse("(8):(a) [2:6]"), (2, 4))
    (case,) = c.cases
    assert str(c) == "never"
    assert case.status is Status.NEVER
    assert "not a box" in case.reason
    assert not c.holds({"a": 0})
    assert c.counterexample({"a": 1}).kind is Kind.VALID


@pytest.mark.parametrize("n", [10**3, 10**6, 10**12])
def test_masks_at_any_size(n) -> None:
    """A padded line in rows: one view where the padding is whole rows."""
    line = View((5 * n,)).pad([(n, 2 * n)])
    assert line.reshape((8, n)) == View((8, n), (n, 1), -n, [(1, 6), (0, n)])
    broken = reshape(View((5 * n,)).pad([(n, 2 * n - 8)]), (8, n - 1))
    assert broken.kind in (Kind.VALID, Kind.INVALID)
    chain = (line, View((8, n)), View((n, 8), (1, n)))
    assert merge(*chain) == View((n, 8), (1, n), -n, [(0, n), (1, 6)])


# Chains of the theory


def test_whole_windows_are_tested_not_only_neighbours() -> None:
    chain = [View.parse(t) for t in ("(2,2):(1,2)", "(2,2):(1,-1)+1", "(3):(1)+1")]
    assert [bool(merge(a, b)) for a, b in pairwise(chain)] == [False, False]
    assert merge(*chain) == View.parse("(3):(1)")
    assert isinstance(equivalent(chain, View.parse("(3):(1)")), Proved)
    right(*chain, found=merge(*chain))


def test_the_order_of_merging_four_views() -> None:
    """Merging the last pair first sticks at three views; the middle pair first leads to one."""
    v1, v2, v3, v4 = (View.parse(t) for t in ("(4,2):(1,4)", "(3,2):(1,4)", "(2,2):(2,1)", "(3):(1)"))
    last = merge(v3, v4)
    assert last
    assert not merge(v1, v2) and not merge(v2, last)
    middle = merge(v2, v3)
    assert middle
    one = merge(merge(v1, middle), v4)
    assert one
    assert merge(v1, v2, v3, v4) == merge(v1, v2, last) == one
    assert simplify(v1, v2, v3, v4).views == simplify(v1, v2, last).views == (one,)
    right(v1, v2, v3, v4, found=one)


def test_conditions_of_a_chain_are_linear_in_the_first_strides() -> None:
    """Def(f) = Σ δ_l·C_l + σ_k·D: the last stride counts too behind more than one view."""
    chain = [View.parse("(2,2):(a,b)"), View.parse("(2,2):(1,-1)+1"), View.parse("(3):(1)+1")]
    c = conditions(*chain)
    for a, b in product(range(-4, 5), repeat=2):
        ours = [as_oracle(View((2, 2), (a, b))), *(as_oracle(v) for v in chain[1:])]
        assert c.holds({"a": a, "b": b}) == (not isinstance(masked.decide(ours), masked.Fails))
    assert c.holds({"a": 1, "b": 2})
    bent = conditions(View.parse("(4):(a)"), View((2, 2), (1, 2)), View((4,)))
    assert str(bent) == "a = 0"
