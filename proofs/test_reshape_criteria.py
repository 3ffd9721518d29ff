"""The statements of "Criteria and proof for when a new view must be appended" (P. Schillinger, 2024), one by one.

Each docstring says what is claimed, in our words, and how it was decided:

* proved: for all integers, at the ranks named, by the solver;
* exhaustive: every case up to the bound named, nothing beyond it;
* refuted: with the smallest example, after everything smaller was searched.

A view is a shape k with strides s, without offset and mask. Its reshape order lists its addresses row-major; a
reshape to a shape u needs no second view if some strides for u list the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations, product
from math import prod

import pytest
import sympy
from definitions import Claims, Index, indices, listed_by, natural, order, shapes, with_ones

from symview import (
    InputError,
    View,
    compose_at,
    max_merge_view,
    reshape,
    reshape_conditions,
    simplify,
    unravel,
    why_not,
)
from symview.rules import checked, refuted, theorem


def views(size: int) -> Iterator[View]:
    """Views of every shape of that size with entries >= 2: last stride −1 to 2, each defect s_l − k·s_{l+1} −1 to 1."""
    for shape in shapes(size):
        for last, *defects in product((-1, 0, 1, 2), *[(-1, 0, 1)] * (len(shape) - 1)):
            strides = [last]
            for n, defect in zip(reversed(shape[1:]), defects, strict=True):
                strides.insert(0, defect + n * strides[0])
            yield View(shape, strides)


def small(most: int) -> Iterator[tuple[View, Index]]:
    """Every one of the `views` of sizes 2 to `most`, with every shape of its size with entries >= 2."""
    for size in range(2, most + 1):
        yield from product(views(size), shapes(size))


def places(sizes: Sequence[str]) -> list[str]:
    """The products of the sizes behind each, as text."""
    return ["*".join(sizes[n + 1 :]) or "1" for n in range(len(sizes))]


def digits(x: str, sizes: Sequence[str]) -> list[str]:
    """The mixed radix digits of x, as text for statements."""
    return [f"({x})//({p}) % ({s})" for p, s in zip(places(sizes), sizes, strict=True)]


def listed(x: str, sizes: Sequence[str], strides: Sequence[str]) -> str:
    """A(R(x)), the x-th entry of the reshape order, as text."""
    return " + ".join(f"({d})*({s})" for d, s in zip(digits(x, sizes), strides, strict=True))


def inside(x: str, sizes: Sequence[str]) -> str:
    """0 <= x < size, and positive sizes, as text."""
    return f"0 <= {x} and {x} < {'*'.join(sizes)} and " + " and ".join(f"{s} >= 1" for s in sizes)


def names(letter: str, rank: int) -> list[str]:
    """k1, k2, …"""
    return [f"{letter}{n + 1}" for n in range(rank)]


# Section 1: definitions


@checked("ranks 0 to 2, sizes 1 to 3, strides −1 to 2")
def test_definition_a_view_is_a_shape_with_as_many_strides() -> None:
    """A view is a shape with as many strides; another number of strides is an error."""
    for rank in range(3):
        for shape, strides in product(product((1, 2, 3), repeat=rank), product(range(-1, 3), repeat=rank)):
            view = View(shape, strides)
            assert (view.shape, view.strides, view.offset, view.mask) == (shape, strides, 0, None)
            with pytest.raises(InputError, match="strides"):
                View(shape, (*strides, 1))


@checked("all `views` of size 6 and 8 below, all contiguous views of that size on top")
def test_definition_view_order_numbers_the_elements_for_the_next_view() -> None:
    """The view on top finds an element by its number in the order of the view below."""
    for size in (6, 8):
        for below, shape in product(views(size), shapes(size)):
            listing = order(below)
            top = View(shape)
            assert [compose_at(below, top, index=i) for i in indices(shape)] == listing


@theorem
def test_definition_mixed_radix_conversion_gives_an_index_of_the_shape() -> Claims:
    """Digits stay below their sizes; the first remainder is never needed. Proved for all sizes at ranks 1 to 3."""
    for rank in (1, 2, 3):
        sizes = names("k", rank)
        for digit, size in zip(digits("x", sizes), sizes, strict=True):
            yield f"0 <= {digit} and {digit} < {size}", inside("x", sizes)
        yield f"{digits('x', sizes)[0]} == x//({places(sizes)[0]})", inside("x", sizes)


@refuted(at={"x": 1, "k": 1})
def test_definition_mixed_radix_conversion_ends_at_the_size() -> tuple[str, str]:
    """Outside of 0..size−1, to which the definition restricts it, it starts again. Smallest: 1 in the shape (1)."""
    return "x % k == x", "x >= 0 and k >= 1"


@checked("every shape of ranks 0 to 3 with sizes 1 to 4")
def test_definition_mixed_radix_conversion_is_unravel() -> None:
    """The formula is `unravel`, row-major."""
    for rank in range(4):
        for shape in product(range(1, 5), repeat=rank):
            for x, index in enumerate(indices(shape)):
                assert unravel(x, shape) == index
                assert index == tuple(x // prod(shape[n + 1 :]) % size for n, size in enumerate(shape))


@checked("ranks 1 and 2, sizes 1 to 4", refutes=True)
def test_definition_reshape_order_has_one_entry_for_each_element() -> None:
    """Refuted: "a permutation of size n", n being the rank. It has k_1·…·k_n entries.

    Smallest example by rank, then size: (2) has rank 1 and two entries.
    """
    found = []
    for rank in (1, 2):
        for shape in product(range(1, 5), repeat=rank):
            entries = order(View(shape))
            assert len(entries) == prod(shape)
            found += [shape] if len(entries) != rank else []
    assert found[0] == (2,)


def more_than_one(view: View) -> list[tuple[int, int]]:
    """Sizes and strides of the dims of size 2 and more."""
    return [(n, s) for n, s in zip(view.shape, view.strides, strict=True) if n > 1]


def is_permuted_contiguous(view: View) -> bool:
    """Whether the dims of size 2 and more, put in some order, are those of a contiguous view."""
    orders = permutations(more_than_one(view))
    return any(tuple(s for _, s in dims) == View([n for n, _ in dims]).strides for dims in orders)


@checked("ranks 1 to 3, sizes 1 to 3, strides 0 to 9 (rank 3: to 6)", refutes=True)
def test_definition_reshape_order_is_a_permutation_only_for_permuted_tensors() -> None:
    """Refuted: the reshape order is a permutation. It is one exactly if the view is a permuted contiguous view.

    Smallest example, by the size, then the stride: (2):(0) lists 0, 0; so "a tensor that was not permuted has the
    identity" is about contiguous strides only.
    """
    permuted, found = 0, []
    for rank, most in ((1, 9), (2, 9), (3, 6)):
        for shape, strides in product(product((1, 2, 3), repeat=rank), product(range(most + 1), repeat=rank)):
            view = View(shape, strides)
            is_permutation = sorted(map(int, order(view))) == list(range(prod(shape)))
            assert is_permutation == is_permuted_contiguous(view)
            permuted += is_permutation
            found += [] if is_permutation else [(rank, shape, strides)]
    assert permuted > 100
    assert found[0] == (1, (2,), (0,))


@theorem
def test_definition_reshape_order_of_a_contiguous_tensor_is_the_identity() -> Claims:
    """A(R(x)) = x with the strides that `View(shape)` computes. Proved for all sizes at ranks 1 to 3."""
    for rank in (1, 2, 3):
        sizes = names("k", rank)
        strides = [str(s) for s in View(sympy.symbols(sizes, integer=True, positive=True)).strides]
        yield f"{listed('x', sizes, strides)} == x", inside("x", sizes)


def block_starts(view: View) -> list[int]:
    """The max merge partition, counted from 0: dims whose stride times size is not the stride before."""
    return [n for n in range(view.rank) if n == 0 or view.strides[n] * view.shape[n] != view.strides[n - 1]]


def merged_at(view: View, starts: Sequence[int]) -> View:
    """The max merge view of a partition: products of the sizes, and the last stride, of each block."""
    ends = [*starts, view.rank][1:]
    sizes = [prod(view.shape[a:b]) for a, b in zip(starts, ends, strict=True)]
    return View(sizes, [view.strides[b - 1] for b in ends])


def partitions_to_the_letter(view: View) -> list[list[int]]:
    """Every p that meets the two conditions as they are written, the one on s_{p_1 − 1} left out.

    The first condition is for i from 1 to q−1, so it says nothing about the dims of the last block.
    """
    found = []
    for chosen in product((False, True), repeat=view.rank - 1):
        starts = [0, *(n + 1 for n, here in enumerate(chosen) if here)]
        bends = set(block_starts(view))
        if set(starts) <= bends and not any(n in bends and n not in starts for n in range(starts[-1])):
            found.append(starts)
    return found


@checked("all shapes of ranks 1 to 3 and size up to 4, strides 0 to 2", refutes=True)
def test_definition_max_merge_partition_says_nothing_about_its_last_block() -> None:
    """Refuted, as written: p = (1), a single block, meets the conditions for every view, contiguous or not.

    Smallest example by size, shape and strides: (2,1):(0,1) would become (2):(1), which lists 0, 1 and not 0, 0; among
    sizes >= 2 it is (2,2):(0,1). With the last block included there is one partition, and its view lists the same. The
    condition on p_1 speaks of a stride s_0 that there is not, and a view of rank 0 has no partition with p_1 = 1.
    """
    wrong = []
    for size in range(1, 5):
        for rank in (1, 2, 3):
            for shape, strides in product(with_ones(size, rank), natural(rank, 2)):
                view = View(shape, strides)
                allowed = partitions_to_the_letter(view)
                assert block_starts(view) in allowed
                assert [0] in allowed
                assert order(merged_at(view, block_starts(view))) == order(view)
                wrong += [view for p in allowed if order(merged_at(view, p)) != order(view)]
    assert str(wrong[0]) == "(2,1):(0,1)"
    assert str(next(v for v in wrong if 1 not in v.shape)) == "(2,2):(0,1)"


@checked("all `views` of size up to 12, against every shape of fewer dims")
def test_definition_max_merge_view_has_the_fewest_dims() -> None:
    """For sizes >= 2 it is `max_merge_view`, lists the same, and no shape of fewer dims can."""
    for size in range(2, 13):
        for view in views(size):
            merged = merged_at(view, block_starts(view))
            assert (merged.shape, merged.strides) == (max_merge_view(view).shape, max_merge_view(view).strides)
            assert order(merged) == order(view)
            assert not any(listed_by(order(view), s) for s in shapes(size) if len(s) < merged.rank)


@checked("sizes up to 4, ranks up to 3, strides 0 to 2, against all shapes of fewer dims but ()", refutes=True)
def test_definition_max_merge_view_is_not_maximal_with_dims_of_size_1() -> None:
    """Refuted where sizes may be 1: such a dim keeps its neighbours apart, whatever its stride.

    Smallest example by size, rank, shape and strides: (1,1):(0,1) is not merged and could be (1); a dim of size 1 that
    parts two others first occurs in (2,1,2):(0,1,0), which could be (4). `max_merge_view` leaves such dims out.
    """
    found = []
    for size in range(1, 5):
        for rank in (1, 2, 3):
            for shape, strides in product(with_ones(size, rank), natural(rank, 2)):
                view = View(shape, strides)
                merged = merged_at(view, block_starts(view))
                fewest = max_merge_view(view)
                assert order(fewest) == order(view)
                assert fewest.rank <= merged.rank
                fewer = [s for r in range(1, merged.rank) for s in with_ones(size, r)]
                found += [view] if any(listed_by(order(view), s) for s in fewer) else []
    assert (found[0].shape, found[0].strides) == ((1, 1), (0, 1))
    parted = next(v for v in found if v.shape[0] > 1 and v.shape[-1] > 1)
    assert (parted.shape, parted.strides, max_merge_view(parted).shape) == ((2, 1, 2), (0, 1, 0), (4,))


# Section 2.1: splitting a dim


@theorem
def test_section_2_1_equation_1() -> Claims:
    """W mod p·q = q·(floor(w/q) mod p) + w mod q, and floors of fractions nest. Proved for all p, q >= 1."""
    yield "w % (p*q) == q*(w//q % p) + w % q", "p >= 1 and q >= 1"
    yield "(x//a)//b == x//(a*b)", "a >= 1 and b >= 1"


@theorem
def test_section_2_1_the_terms_of_a_split_dim() -> tuple[str, str]:
    """A dim of size p·q and stride s adds as much as two, (p,q) with strides (q·s, s).

    Proved for all values at every rank: w is floor(x/P), P the product of the sizes behind the dim. All other dims keep
    their place values, so that their terms cancel. Nothing is divided out: strides of 0 and below are included.
    """
    return "(w % (p*q))*s == (w//q % p)*(q*s) + (w % q)*s", "p >= 1 and q >= 1"


@theorem
@pytest.mark.parametrize(("rank", "axis"), [(1, 0), (2, 1)])
def test_section_2_1_a_dim_can_always_be_split(rank: int, axis: int) -> tuple[str, str]:
    """The whole statement, all terms written out. Proved for all sizes and strides at rank 1 and the last of 2."""
    sizes, strides = names("k", rank), names("s", rank)
    before = [*sizes[:axis], "p*q", *sizes[axis + 1 :]]
    after = [*sizes[:axis], "p", "q", *sizes[axis + 1 :]]
    steps = [*strides[:axis], f"q*{strides[axis]}", *strides[axis:]]
    return f"{listed('x', before, strides)} == {listed('x', after, steps)}", inside("x", after)


@refuted(at={"s": 0, "a": 0, "b": 1})
def test_section_2_1_the_stride_cannot_be_divided_out_where_it_is_0() -> str:
    """Dividing by s_j assumes s_j ≠ 0. Refuted as a step; the theorem above holds without it, as 0 = 0 there."""
    return "s*a == s*b -> a == b"


@checked("all `views` of size up to 12, factors 1 included")
def test_section_2_1_by_reshape() -> None:
    """`reshape` splits every dim, with those strides."""
    split = 0
    for size in range(2, 13):
        for view in views(size):
            for axis, n in enumerate(view.shape):
                for p in (p for p in range(1, n + 1) if n % p == 0):
                    q, s = n // p, view.strides[axis]
                    shape = (*view.shape[:axis], p, q, *view.shape[axis + 1 :])
                    strides = (*view.strides[:axis], q * s, s, *view.strides[axis + 1 :])
                    assert reshape(view, shape) == View(shape, strides)
                    split += 1
    assert split > 1000


# Section 2.2: combining two dims


@theorem
def test_section_2_2_the_terms_of_two_combined_dims() -> tuple[str, str]:
    """Dims (k,m) with strides r = m·s and s add as much as one dim of size k·m and stride s.

    Proved for all values at every rank: w is floor(x/P), P the product of the sizes behind them; the other terms
    cancel as above.
    """
    return "(w//m % k)*r + (w % m)*s == (w % (k*m))*s", "k >= 1 and m >= 1 and r == m*s"


@theorem
def test_section_2_2_contiguous_neighbours_can_be_combined() -> tuple[str, str]:
    """The whole statement, all terms written out. Proved for all sizes and strides at rank 2."""
    sizes = ["k1", "k2"]
    claim = f"{listed('x', sizes, ['s1', 's2'])} == {listed('x', ['k1*k2'], ['s2'])}"
    return claim, f"{inside('x', sizes)} and s1 == k2*s2"


@theorem
def test_section_2_2_only_contiguous_neighbours_can_be_combined() -> tuple[str, str]:
    """The converse, which the paper leaves to section 3: if (k1,k2):(s1,s2) lists t·x and k1, k2 >= 2, s1 = k2·s2.

    Proved for all sizes and strides at rank 2, from x = 1 and x = k2.
    """
    same = [f"{listed(x, ['k1', 'k2'], ['s1', 's2'])} == {x}*t" for x in ("1", "k2")]
    return "s1 == k2*s2", " and ".join([*same, "k1 >= 2", "k2 >= 2"])


@checked(
    "rank 2, sizes 1 to 4, strides 0 to 3; there the condition is exactly k1 = 1, or k2 = 1, or s1 = k2·s2",
    refutes=True,
)
def test_section_2_2_the_converse_needs_sizes_from_2_on() -> None:
    """Refuted for size 1: a dim of size 1 can be combined with any other, whatever its stride.

    Smallest example by size, shape and strides: (1,1):(0,1).
    """
    found = []
    for size in range(1, 17):
        for shape, (s1, s2) in product(with_ones(size, 2), natural(2, 3)):
            if max(shape) > 4:
                continue
            possible = bool(reshape(View(shape, (s1, s2)), (size,)))
            assert possible == (1 in shape or s1 == shape[1] * s2)
            if possible and s1 != shape[1] * s2:
                found.append((shape, (s1, s2)))
    assert found[0] == ((1, 1), (0, 1))


# Section 2.3: any change inside the blocks


def cut(shape: Sequence[int], sizes: Sequence[int], empty: bool = False) -> bool:
    """Whether the shape falls into consecutive blocks with these products; `empty` ones only if allowed."""
    if not sizes:
        return not shape
    return any(
        prod(shape[:n]) == sizes[0] and cut(shape[n:], sizes[1:], empty) for n in range(not empty, len(shape) + 1)
    )


def has_partition(view: View, shape: Sequence[int], empty: bool = False) -> bool:
    """The condition of sections 2.3 and 3: the new shape falls into blocks as large as those of the view."""
    return cut(shape, merged_at(view, block_starts(view)).shape, empty)


@theorem
def test_section_2_3_a_block_takes_any_shape() -> tuple[str, str]:
    """Combined and split again: (a,b):(b·s,s) lists the same as (c,d):(d·s,s) if a·b = c·d.

    Proved for all sizes and strides, for a block of two dims by itself; for others, 2.1 and 2.2 hold at every rank.
    """
    claim = f"{listed('x', ['a', 'b'], ['b*s', 's'])} == {listed('x', ['c', 'd'], ['d*s', 's'])}"
    return claim, f"{inside('x', ['a', 'b'])} and c >= 1 and d >= 1 and a*b == c*d"


@checked("all `small(12)`, sizes of 1 to size 4")
def test_section_2_3_a_shape_that_keeps_to_the_blocks_needs_no_new_view() -> None:
    """If the partition exists, `reshape` gives a view that lists the same.

    Exhaustive: all `small(12)`, and for sizes up to 4 all shapes of ranks 1 to 3 on both sides, sizes of 1 included,
    with strides 0 to 2. (The new shape need not have the rank of the old one, as the paper's n suggests.)
    """
    kept = 0
    ones = (
        (View(shape, strides), target)
        for size, rank in product(range(1, 5), (1, 2, 3))
        for shape, strides in product(with_ones(size, rank), natural(rank, 2))
        for target in (*with_ones(size, 1), *with_ones(size, 2), *with_ones(size, 3))
    )
    for pairs in (small(12), ones):
        for view, target in pairs:
            if has_partition(view, target):
                found = reshape(view, target)
                assert isinstance(found, View)
                assert found.shape == target
                assert order(found) == order(view)
                kept += 1
    assert kept > 2000


# Section 3: any other change


def suffixes(shape: Sequence[int]) -> list[int]:
    """The cumulative products from the right, the empty one included."""
    return [prod(shape[n:]) for n in range(len(shape), -1, -1)]


@checked("all pairs of shapes of size up to 36 with entries >= 2")
def test_section_3_a_partition_exists_exactly_if_no_cumulative_product_is_missed() -> None:
    """Without a partition there is a first j at which the products of the new shape jump over one of the blocks."""
    missing = 0
    for size in range(2, 37):
        for blocks, shape in product(shapes(size), repeat=2):
            mine, theirs = suffixes(shape), suffixes(blocks)
            jumps = any(a < b < c for a, c in pairwise(mine) for b in theirs)
            assert cut(shape, blocks) == (not jumps) == (set(theirs) <= set(mine))
            missing += jumps
    assert missing > 1000


def first_jump(shape: Sequence[int], blocks: Sequence[int]) -> tuple[int, int] | None:
    """The proof's j and i, counted from 1: j from the right, i maximal."""
    for j in range(len(shape), 0, -1):
        for i in range(len(blocks), 0, -1):
            if prod(shape[j:]) < prod(blocks[i - 1 :]) < prod(shape[j - 1 :]):
                return j, i
    return None


@checked("all pairs of shapes of size up to 36 with entries >= 2", refutes=True)
def test_section_3_the_common_product_may_be_the_empty_one() -> None:
    """Refuted as written: the product of the blocks after i is k_p·…·k_n "for some p from j + 1 to n".

    It may be the empty product, p = n + 1. Smallest example by size, then shape: blocks (2,2), new shape (4). With p up
    to n + 1 it holds.
    """
    found = []
    for size in range(2, 37):
        for shape, blocks in product(shapes(size), repeat=2):
            if (jump := first_jump(shape, blocks)) is None:
                continue
            (j, i), n = jump, len(shape)
            common = [p for p in range(j + 1, n + 2) if prod(shape[p - 1 :]) == prod(blocks[i:])]
            assert len(common) == 1
            found += [(blocks, shape)] if common[0] == n + 1 else []
    assert found[0] == ((2, 2), (4,))


@theorem
def test_section_3_the_digits_of_n_a() -> Claims:
    """Below the next block, n_a = M·K with K < m_i has the digit K at i, and 1 at its own place in the new shape.

    M is the common product, K that of the new sizes from a on. Proved for all values, if the size before a is
    k >= 2; the digits on both sides of the one are 0.
    """
    sizes = "M >= 1 and K >= 1 and m >= 1 and K < m"
    yield "(M*K)//M % m == K", sizes
    yield "(M*K) % M == 0 and (M*K)//(M*m) == 0", sizes
    yield "(M*K)//(M*K) % k == 1", "M >= 1 and K >= 1 and k >= 2"
    yield "(M*K)//(M*K*k) == 0", "M >= 1 and K >= 1 and k >= 2"


@refuted(at={"k": 1, "n": 1})
def test_section_3_n_a_has_the_digit_1_only_at_a_size_from_2_on() -> tuple[str, str]:
    """The step t_{a−1} = s_i·K fails where the new shape has a size of 1 there: the digit is 1 mod 1 = 0.

    Nothing is lost: t_{a−1} is then free, and never used, as the digit of n_0 at that place is 0 as well.
    """
    return "n//n % k == 1", "n >= 1 and k >= 1"


@refuted(at={"m": 1, "n": 1})
def test_section_3_n_0_has_the_digit_1_only_at_a_block_from_2_on() -> tuple[str, str]:
    """The step A_1(R(n_0)) = s_{i−1} fails where block i − 1 has size 1; the one moves to a block further left.

    Here the conclusion s_{i−1} = m_i·s_i is lost with it, and so is the theorem, as shown below.
    """
    return "n//n % m == 1", "n >= 1 and m >= 1"


@theorem
def test_section_3_n_0_lists_as_s_i_times_m_i() -> Claims:
    """Strides t_r = s·(product of the sizes behind r) give s·m at n_0, as its digits make up m.

    Proved for all values and any number of new dims between p and j, by induction: the dims with product K behind
    a size k give s·(m mod K), so with it s·(m mod k·K), and m itself is smaller than the product of all.
    """
    yield "(m % K)*s == m*s", "0 <= m and m < K"
    yield "(m//1 % k)*s == s*(m % k)", "k >= 1"
    yield "(m//K % k)*(s*K) + s*(m % K) == s*(m % (k*K))", "k >= 1 and K >= 1"


@theorem
def test_section_3_any_other_change_needs_contiguous_blocks() -> Claims:
    """Blocks (m1,m2):(s1,s2) that some (k1,k2):(t1,t2) lists as well, with k2 ≠ m2, have s1 = m2·s2.

    Proved for all sizes and strides, m1, m2 >= 2: for k2 > m2 from the numbers 1 and m2, for k2 < m2 from 1, k2 and
    m2, whose digits come first. So the reshape is impossible where the blocks are maximal.
    """
    blocks, shape = (["m1", "m2"], ["s1", "s2"]), (["k1", "k2"], ["t1", "t2"])
    sizes = "m1*m2 == k1*k2 and m1 >= 2 and m2 >= 2 and k1 >= 1 and k2 >= 1"
    at_1, at_m2 = (f"{listed(x, *blocks)} == {listed(x, *shape)}" for x in ("1", "m2"))
    yield "s1 == m2*s2", f"{at_1} and {at_m2} and {sizes} and k2 > m2"
    yield "k2//m2 == 0 and k2 % m2 == k2", "1 <= k2 and k2 < m2"
    yield "k1 >= 2 and m2//k2 % k1 == m2//k2", f"{sizes} and k2 < m2"
    from_k2 = "s2*k2 == t1"
    from_1 = "s2 == (1 % k2)*t2"
    from_m2 = "s1 == (m2//k2)*t1 + (m2 % k2)*t2"
    yield "s1 == m2*s2", f"{from_k2} and {from_m2} and {from_1} and k2 >= 2 and m2 >= 2"
    yield "s1 == m2*s2", f"{from_k2} and {from_m2} and k2 == 1"


@checked("all `small(12)`")
def test_section_3_without_a_partition_a_view_must_be_appended() -> None:
    """For sizes >= 2 on the old side: no partition, no strides. With 2.3, the criterion is exact.

    Exhaustive: all `small(12)`, by the definition, by `reshape`, by `why_not`, and for size 8 by `simplify`, which
    keeps two views exactly then.
    """
    impossible = 0
    for view, target in small(12):
        partition = has_partition(view, target)
        assert partition == listed_by(order(view), target) == bool(reshape(view, target)) == (not why_not(view, target))
        if view.size == 8:
            assert (len(simplify(view, View(target)).views) == 1) == partition
        impossible += not partition
    assert impossible > 900


@checked("sizes to 20, all strides")
def test_section_3_the_conditions_are_those_of_the_missed_products() -> None:
    """With symbolic strides: s_l = k_{l+1}·s_{l+1} wherever the new shape has no boundary, and nothing else.

    For all strides; exhaustive in the shapes: sizes up to 20 with entries >= 2.
    """
    for size in range(2, 21):
        for shape, target in product(shapes(size), repeat=2):
            strides = sympy.symbols(names("s", len(shape)), integer=True)
            (case,) = reshape_conditions(View(shape, strides), target).cases
            expected = {
                sympy.Eq(strides[n], shape[n + 1] * strides[n + 1])
                for n in range(len(shape) - 1)
                if prod(shape[n + 1 :]) not in suffixes(target)
            }
            assert set(case.equations) == expected


@checked("ranks 1 to 3, strides 0 to 2, sizes to 4", refutes=True)
def test_section_3_fails_with_dims_of_size_1() -> None:
    """Refuted where sizes may be 1: reshapes without a partition that need no new view.

    Smallest examples by size, rank, shape, strides and the rank of the new shape: (1,1):(0,1) to (1). If
    empty blocks are allowed, so that ones may be left out, it is (2,1,2):(0,1,0) to (4): the dim of size 1 is a block
    by itself and hides that its neighbours are contiguous. Searched: ranks 1 to 3, strides 0 to 2, sizes up to 4; up
    to size 3 and at ranks 1 and 2 empty blocks leave no example.
    """
    found: dict[bool, list[tuple[View, Index]]] = {False: [], True: []}
    for size in range(1, 5):
        for rank in (1, 2, 3):
            for shape, strides in product(with_ones(size, rank), natural(rank, 2)):
                view = View(shape, strides)
                listing = order(view)
                for target in (*with_ones(size, 1), *with_ones(size, 2), *with_ones(size, 3)):
                    possible = listed_by(listing, target)
                    for empty, known in found.items():
                        if possible and not has_partition(view, target, empty):
                            known.append((view, target))
    first, other = ((v.shape, v.strides, target) for v, target in (found[False][0], found[True][0]))
    assert first == ((1, 1), (0, 1), (1,))
    assert other == ((2, 1, 2), (0, 1, 0), (4,))
    assert reshape(View((2, 1, 2), (0, 1, 0)), (4,)) == View((4,), (0,))


@checked("ranks 1 to 3 on both sides, sizes up to 6, strides 0 to 3")
def test_section_3_holds_once_dims_of_size_1_are_left_out() -> None:
    """Corrected: delete the ones on both sides; then a partition is exactly what is needed, for positive sizes."""
    verdicts = {True: 0, False: 0}
    for size in range(1, 7):
        for rank in (1, 2, 3):
            for shape, strides in product(with_ones(size, rank), natural(rank, 3)):
                view = View(shape, strides)
                kept = View(*zip(*dims, strict=True)) if (dims := more_than_one(view)) else View(())
                for target in (*with_ones(size, 1), *with_ones(size, 2), *with_ones(size, 3)):
                    expected = cut(tuple(n for n in target if n > 1), merged_at(kept, block_starts(kept)).shape)
                    assert bool(reshape(view, target)) == expected
                    verdicts[expected] += 1
    assert min(verdicts.values()) > 1000


@checked("sizes 0 to 2, ranks 1 and 2, strides 0 and 1", refutes=True)
def test_section_3_fails_with_sizes_of_0() -> None:
    """Refuted where sizes may be 0: nothing is listed, so that every reshape is possible.

    Smallest example without a size of 1, by rank, then the sum of the sizes, then the strides: (0,0):(1,0) to (0), with
    or without empty blocks. Exhaustive for "possible": sizes 0 to 2, ranks 1 and 2 on both sides, strides 0 to 1, all
    with a size of 0; the digits of splitting a 0 are not defined, x mod 0, but there is no x.
    """
    found = []
    for rank in (1, 2):
        for shape, strides in product(natural(rank, 2), natural(rank, 1)):
            view = View(shape, strides)
            for target in (*natural(1, 2), *natural(2, 2)):
                if 0 in shape and 0 in target:
                    assert isinstance(reshape(view, target), View)
                    assert not why_not(view, target)
                    if not has_partition(view, target, empty=True) and 1 not in (*shape, *target):
                        assert not has_partition(view, target)
                        found.append((shape, strides, target))
    assert found[0] == ((0, 0), (1, 0), (0,))


# The title's restriction: no masks, no offsets


@theorem
def test_offsets_change_nothing() -> str:
    """Whether two orders f and g agree up to their start does not depend on the offset o. Proved for all values.

    The offset of the new view is what makes the first entries f0 and g0 agree.
    """
    return "o + f == (o + f0 - g0) + g <-> f - f0 == g - g0"


@checked("all `small(8)` with offsets 0, 1 and 5")
def test_offsets_change_nothing_in_a_reshape() -> None:
    """The offset stays in a reshape, and the strides are the same for every offset."""
    for view, target in small(8):
        plain = reshape(view, target)
        for offset in (1, 5):
            moved = reshape(View(view.shape, view.strides, offset), target)
            assert bool(moved) == bool(plain)
            if isinstance(moved, View) and isinstance(plain, View):
                assert (moved.strides, moved.offset) == (plain.strides, offset)


@checked("sizes to 4, strides 0 and 1", refutes=True)
def test_masks_make_every_section_fail() -> None:
    """Refuted with masks, which the title leaves out: a split and a combination may fail, a wrong shape may do.

    Smallest examples by size, old and new shape (entries >= 2), strides and mask, among masks that hide something and
    not all: (4):(0) [0:3] to (2,2) for 2.1, (2,2):(0,0) [0:2,0:1] to (4) for 2.2, (2,2):(0,1) [0:1,0:1] to (4) for 3.
    Searched: sizes up to 4, strides 0 and 1. The exact rules are in `test_complete_reshape.py`.
    """
    failing: dict[str, str] = {}
    for size in range(2, 5):
        for shape, target in product(shapes(size), repeat=2):
            for strides, mask in product(natural(len(shape), 1), masks(shape)):
                view = View(shape, strides, 0, mask)
                possible = bool(reshape(view, target))
                assert possible == listed_by(order(view), target)
                partition = has_partition(View(shape, strides), target)
                if possible != partition:
                    section = "3" if possible else "2.1" if len(target) > len(shape) else "2.2"
                    failing.setdefault(section, f"{view} to {target}")
    assert failing == {
        "2.1": "(4):(0) [0:3] to (2, 2)",
        "2.2": "(2,2):(0,0) [0:2,0:1] to (4,)",
        "3": "(2,2):(0,1) [0:1,0:1] to (4,)",
    }


def masks(shape: Sequence[int]) -> Iterator[tuple[tuple[int, int], ...]]:
    """Every mask that leaves some index and hides some."""
    spans = [[(a, b) for a in range(n) for b in range(a + 1, n + 1)] for n in shape]
    return (m for m in product(*spans) if m != tuple((0, n) for n in shape))
