"""The statements of the proof sketch "Complete, Fast and Correct View.reshapes without using Symbolic", one by one.

Each docstring says what is claimed, in our words, and how it was decided:

* proved: for all integers, at the ranks named, by the solver;
* exhaustive: every case up to the bound named, nothing beyond it;
* refuted: with the smallest example, after everything smaller was searched.

The sketch reshapes views with masks: a mask [lo,hi) for each dim says which indices are valid. A reshape needs one
view that lists the same, row-major: the same addresses, and valid at the same places.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from definitions import Claims, listed_by, natural, order, shapes, with_ones

from symview import View, reshape
from symview.logic.points import by_size
from symview.rules import checked, refuted, theorem

Mask = tuple[tuple[int, int], ...]


def masks(shape: Sequence[int], empty: bool = False) -> Iterator[Mask]:
    """Every mask that leaves some index valid, the one that hides nothing included; `empty` ones too if asked for."""
    return product(*[[(a, b) for a in range(n) for b in range(a + (not empty), n + 1)] for n in shape])


@checked("all shapes of size up to 6 with entries >= 2, strides 0 to 2, every mask, to every shape")
def test_reshape_with_masks_is_the_definition() -> None:
    """What the other tests rely on: `reshape` finds a view exactly where there is one, and it lists the same."""
    verdicts = {True: 0, False: 0}
    for size in range(2, 7):
        for shape, target in product(shapes(size), repeat=2):
            for strides, mask in product(natural(len(shape), 2), masks(shape, empty=True)):
                view = View(shape, strides, 3, mask)
                found = reshape(view, target)
                assert bool(found) == listed_by(order(view), target)
                if isinstance(found, View):
                    assert order(found) == order(view)
                verdicts[bool(found)] += 1
    assert min(verdicts.values()) > 300


# Blocks that cannot be merged


def leading(shape: Sequence[int]) -> list[int]:
    """The products of the first sizes, the empty one included."""
    return [prod(shape[:n]) for n in range(len(shape) + 1)]


@theorem
def test_blocks_a_size_across_two_blocks_makes_them_contiguous() -> Claims:
    """If the leading products of (k1,k2) jump over p1, (p1,p2):(s1,s2) is one block, s1 = p2·s2.

    Proved for all sizes and strides at rank 2, p1, p2 >= 2: for k1 < p1 < k1·k2 from the elements 1 and p2, and for
    p1 < k1 from 1, k2 and p2, whose digits come first. In the sketch this is one sentence.
    """
    blocks = "p1 >= 2 and p2 >= 2 and p1*p2 == k1*k2 and k1 >= 1 and k2 >= 1"
    at_1, at_p2 = (f"{x}//p2 % p1*s1 + {x} % p2*s2 == {x}//k2 % k1*t1 + {x} % k2*t2" for x in ("1", "p2"))
    yield "p2 < k2", f"{blocks} and k1 < p1"
    yield "s1 == p2*s2", f"{blocks} and p2 < k2 and {at_1} and {at_p2}"
    yield "k2 < p2 and k2//p2 == 0 and p2//k2 % k1 == p2//k2", f"{blocks} and p1 < k1"
    yield "s1 == p2*s2", "s2*k2 == t1 and s2 == t2 and s1 == (p2//k2)*t1 + (p2 % k2)*t2 and k2 >= 2"
    yield "s1 == p2*s2", "s2*k2 == t1 and s1 == (p2//k2)*t1 + (p2 % k2)*t2 and k2 == 1"


def two_blocks(size: int) -> Iterator[tuple[View, int]]:
    """Views of that size whose first dims and last dims are contiguous, with p1; strides of the blocks −1 to 3."""
    for p1 in (n for n in range(2, size) if size % n == 0):
        for front, back, s1, s2 in product(shapes(p1), shapes(size // p1), range(-1, 4), range(-1, 4)):
            steps = (*(s1 * p for p in View(front).strides), *(s2 * p for p in View(back).strides))
            yield View((*front, *back), steps), p1


@checked("sizes to 16, of shapes with sizes of 1 to 8")
def test_blocks_reshape_is_possible_exactly_if_a_leading_product_is_p1() -> None:
    """If two contiguous blocks of p1 and p2 elements cannot be merged, some k_1·…·k_p has to be p1, and this is enough.

    Exhaustive, by the definition and by `reshape`: all `two_blocks` of size up to 16 that do not merge, to every
    shape with entries >= 2 and, up to size 8, to every shape of rank up to 4 with sizes of 1.
    """
    verdicts = {True: 0, False: 0}
    for size in range(4, 17):
        targets = shapes(size)
        if size <= 8:
            targets = [*targets, *(s for rank in range(1, 5) for s in with_ones(size, rank) if 1 in s)]
        for view, p1 in two_blocks(size):
            listing = order(view)
            if listed_by(listing, (size,)):
                continue
            for target in targets:
                possible = p1 in leading(target)
                assert bool(reshape(view, target)) == possible == listed_by(listing, target)
                verdicts[possible] += 1
    assert min(verdicts.values()) > 1000


@checked("size 4, all strides 0 and 1 and masks", refutes=True)
def test_blocks_may_be_crossed_under_a_mask() -> None:
    """Refuted with masks, if "cannot be merged" is read off the strides: a mask may leave one row only.

    Smallest example with entries >= 2, by size, shape, strides and mask: (2,2):(0,1) [0:1,0:1] to (4); with two valid
    elements, [0:1,0:2]. Searched: all of size 4.
    """
    found = [
        View((2, 2), strides, 0, mask)
        for strides, mask in product(natural(2, 2), masks((2, 2)))
        if strides[0] != 2 * strides[1] and reshape(View((2, 2), strides, 0, mask), (4,))
    ]
    assert str(found[0]) == "(2,2):(0,1) [0:1,0:1]"
    assert str(next(v for v in found if len([a for a in order(v) if a is not None]) > 1)) == "(2,2):(0,1) [0:1,0:2]"


@checked("sizes to 16, every mask")
def test_blocks_that_do_not_merge_with_their_mask_are_never_crossed() -> None:
    """Corrected: if (p1,p2) with its mask is no view of shape (p1·p2), p1 has to be a leading product.

    Exhaustive, by the definition: sizes up to 16, strides 0 and 1 and contiguous ones, every mask, every new shape
    with entries >= 2. With masks it is not enough: the valid part of each block may be cut.
    """
    crossing, cut = 0, 0
    for size in range(4, 17):
        for p1, p2 in (s for s in shapes(size) if len(s) == 2):
            for strides, mask in product(((0, 1), (1, 0), (1, 1), (p2, 1)), masks((p1, p2))):
                listing = order(View((p1, p2), strides, 0, mask))
                if listed_by(listing, (size,)):
                    continue
                for target in shapes(size):
                    possible = listed_by(listing, target)
                    assert not possible or p1 in leading(target)
                    crossing += p1 not in leading(target)
                    cut += p1 in leading(target) and not possible
    assert min(crossing, cut) > 1000


# Strides, case 1: no stride is 0


@theorem
def test_strides_case_1_contiguous_dims_merge() -> tuple[str, str]:
    """If st_x = s_{x+1}·st_{x+1}, the two dims list the same as one. Proved for all values, at every rank.

    Here w is the element's number n without the digits behind them, floor(n/P). A stride of 0 needs no case of its own.
    """
    return "(w//b % a)*s + (w % b)*t == (w % (a*b))*t", "a >= 1 and b >= 1 and s == b*t"


@theorem
def test_strides_case_1_only_contiguous_dims_merge() -> tuple[str, str]:
    """(a,b):(s,t) as a single dim of stride u: the numbers 1 and b give t = u and s = b·u.

    Proved for all strides, a, b >= 2.
    """
    at_1, at_b = ("1//b % a*s + 1 % b*t == u", "b//b % a*s + b % b*t == b*u")
    return "s == b*t", f"a >= 2 and b >= 2 and {at_1} and {at_b}"


@checked("sizes 1 to 4, strides 1 to 5: exactly 1 in the shape, or contiguous", refutes=True)
def test_strides_case_1_needs_sizes_from_2_on() -> None:
    """Refuted for size 1: "it has to be contiguous" is not so for a dim of size 1.

    Smallest example by size, shape and strides, none of them 0: (1,1):(1,2) to (1), where contiguous means equal; with
    another size, (1,2):(1,1) to (2).
    """
    found = []
    for size in range(1, 17):
        for shape, strides in product(with_ones(size, 2), by_size([(1, 5)] * 2)):
            if max(shape) <= 4:
                contiguous = strides[0] == shape[1] * strides[1]
                possible = bool(reshape(View(shape, strides), (size,)))
                assert possible == (contiguous or 1 in shape)
                found += [(shape, strides)] if possible and not contiguous else []
    assert found[0] == ((1, 1), (1, 2))
    assert next(pair for pair in found if pair[0] != (1, 1)) == ((1, 2), (1, 1))


# Strides, case 2: st_j = 0 and st_{j+1} is not


@theorem
def test_strides_case_2_a_dim_of_size_1_merges() -> tuple[str, str]:
    """If s_j = 1, dims j and j + 1 are one, whatever the stride. Proved for all values, at every rank."""
    return "(w//b % 1)*s + (w % b)*t == (w % (1*b))*t", "b >= 1"


def valid(n: str) -> str:
    """The n-th element of (a,b) is in the mask [l,h)×[c,d), as text."""
    return f"(l <= ({n})//b and ({n})//b < h and c <= ({n}) % b and ({n}) % b < d)"


IN_SHAPE = "0 <= l and l < h and 0 <= c and c < d and d <= b"


@theorem
def test_strides_case_2_several_valid_repetitions_do_not_merge() -> Claims:
    """If s_j > 1 and two or more of its indices are valid, (a,b):(0,t) with t ≠ 0, b > 1 is not one dim.

    Proved for all values at rank 2. Where the mask of b is not whole, the element behind the first row's last valid
    one is hidden, and another row follows, so that no interval is valid. Where it is whole, the first elements of two
    rows have the same address, b steps of t apart.
    """
    rows = f"{IN_SHAPE} and h >= l + 2"
    yield f"{valid('l*b + d - 1')} and {valid('(l + 1)*b + c')}", rows
    yield f"not {valid('l*b + d')} and l*b + d < (l + 1)*b + c", f"{rows} and (c > 0 or d < b)"
    repeated = "0*(l + 1) + 0*t == (0*l + 0*t) + b*u"
    yield f"not ({repeated} and 0*l + 1*t == 0*l + 0*t + 1*u)", "b >= 2 and t != 0"


@theorem
def test_strides_case_2_a_single_valid_repetition_merges() -> Claims:
    """If one index of s_j is valid, (a,b):(s,t) is (a·b):(t) with an offset, its mask [l·b + c, l·b + d).

    Proved for all values at rank 2, and for every stride s, not only 0.
    """
    yield f"{valid('n')} <-> l*b + c <= n and n < l*b + d", f"{IN_SHAPE} and h == l + 1"
    yield f"{valid('n')} -> n//b*s + n % b*t == (l*s - l*b*t) + n*t", f"{IN_SHAPE} and h == l + 1"


@checked("sizes up to 4, t = 1 to 3, every mask")
def test_strides_case_2_two_dims() -> None:
    """For two dims and valid indices, `reshape` says the same.

    Refuted where nothing is valid: a mask of two repetitions and an empty range of s_{j+1} merges, as every index
    is hidden. Smallest such example, by size, stride and mask: (2,2):(0,1) [0:2,0:0].
    """
    nothing = []
    for a, b in product(range(1, 5), range(2, 5)):
        for t, mask in product(range(1, 4), masks((a, b), empty=True)):
            view = View((a, b), (0, t), 0, mask)
            (low, high), columns = mask
            possible = bool(reshape(view, (a * b,)))
            assert possible == (high - low <= 1 or columns[0] == columns[1])
            nothing += [view] if possible and high - low > 1 else []
    assert str(nothing[0]) == "(2,2):(0,1) [0:2,0:0]"


@checked("sizes 1 to 4, strides −1 to 3, every mask")
def test_strides_case_2_holds_for_the_first_dim_and_for_all_strides_but_contiguous_ones() -> None:
    """The sketch asks for 1 < j < i and for st_j = 0; neither is needed, and st_{j+1} = 0 ≠ st_j is not mentioned.

    Corrected: with something valid, (a,b):(s,t) with any strides is one dim exactly if a single index of a is valid, or
    the mask of b is whole and b = 1 or s = b·t.
    """
    verdicts = {True: 0, False: 0}
    for (a, b), (s, t) in product(product(range(1, 5), repeat=2), product(range(-1, 4), repeat=2)):
        for mask in masks((a, b)):
            (low, high), columns = mask
            expected = high - low == 1 or (columns == (0, b) and (b == 1 or s == b * t))
            assert listed_by(order(View((a, b), (s, t), 0, mask)), (a * b,)) == expected
            verdicts[expected] += 1
    assert min(verdicts.values()) > 1000
    assert not reshape(View((2, 2), (1, 0)), (4,))


@checked("(2,2,2), strides 0 to 4", refutes=True)
def test_strides_case_2_a_masked_dim_does_not_merge_with_the_dims_before() -> None:
    """Refuted for the block: one valid index of s_j is not enough when dims before j (the sketch has 1 < j) merge too.

    Smallest example by size, strides and mask (st_j = 0, st_{j+1} ≠ 0, one valid index in the middle, entries >= 2):
    (2,2,2):(0,0,1) [0:2,0:1,0:1] to (8), and so for every stride of the first dim: where two of its indices are valid,
    the hidden rows part them. What is possible is to merge j and j + 1.
    """
    found = []
    for (s, t), mask in product(natural(2, 4), masks((2, 2, 2))):
        if t == 0 or mask[1] == (0, 2):
            continue
        view = View((2, 2, 2), (s, 0, t), 0, mask)
        whole = bool(reshape(view, (8,)))
        assert reshape(view, (2, 4))
        assert whole == (mask[0] != (0, 2))
        found += [] if whole else [view]
    assert str(found[0]) == "(2,2,2):(0,0,1) [0:2,0:1,0:1]"


# Masks, case 1: splitting a dim


@checked("all masks of (8)")
def test_mask_case_1_the_example() -> None:
    """Splitting (8) into (2,4): the mask [2,6) takes part of both rows and cannot be said; rows 0 and 1 are [0,2).

    It can be said if all is valid or if it lies in one row: exhaustive, all masks of (8), the sketch is right here.
    """
    rows = {n // 4 for n in range(2, 6)}
    assert (min(rows), max(rows) + 1) == (0, 2)
    assert not reshape(View((8,), (1,), 0, ((2, 6),)), (2, 4))
    for mask in masks((8,)):
        ((lo, hi),) = mask
        assert bool(reshape(View((8,), (1,), 0, mask), (2, 4))) == ((lo, hi) == (0, 8) or lo // 4 == (hi - 1) // 4)
    assert reshape(View((8,), (1,), 0, ((5, 7),)), (2, 4)) == View((2, 4), (4, 1), 0, ((1, 2), (1, 3)))


@checked("the smallest example", refutes=True)
def test_mask_case_1_whole_rows_may_be_left_out() -> None:
    """Refuted: a mask can be split only if it spans everything or lies in one row.

    Smallest example by size, parts and mask, with parts >= 2: (6) [0:4] to (3,2) is [0,2)×[0,2), two of three whole
    rows. With a part of size 1 it is (3) [0:2] to (3,1).
    """

    def too_strict(least: int) -> Iterator[tuple[int, int, Mask]]:
        for n in range(1, 7):
            for p in (p for p in range(least, n + 1) if n % p == 0 and n // p >= least):
                for mask in masks((n,)):
                    ((lo, hi),) = mask
                    allowed = (lo, hi) == (0, n) or lo // (n // p) == (hi - 1) // (n // p)
                    possible = bool(reshape(View((n,), (1,), 0, mask), (p, n // p)))
                    assert possible or not allowed
                    if possible and not allowed:
                        yield n, p, mask

    assert next(too_strict(2)) == (6, 3, ((0, 4),))
    assert next(too_strict(1)) == (3, 3, ((0, 2),))
    assert reshape(View((6,), (1,), 0, ((0, 4),)), (3, 2)) == View((3, 2), (2, 1), 0, ((0, 2), (0, 2)))


MASKED = "0 <= lo and lo < hi and q >= 1"


@theorem
def test_mask_case_1_masks_that_can_be_split() -> Claims:
    """Corrected: [lo,hi) splits into (p,q) if lo and hi are multiples of q, or if it lies in one row.

    Proved for all values. The first gives [lo/q, hi/q)×[0,q), the second one row, with the remainders as its mask.
    """
    inside = "lo <= n and n < hi"
    yield f"{inside} <-> lo//q <= n//q and n//q < hi//q", f"{MASKED} and lo % q == 0 and hi % q == 0"
    row = "n//q == lo//q and lo % q <= n % q and n % q <= (hi - 1) % q"
    yield f"{inside} <-> {row}", f"{MASKED} and lo//q == (hi - 1)//q"


@theorem
def test_mask_case_1_other_masks_are_cut() -> Claims:
    """And only then. In a box, (row, column) and (row', column') are valid if (row, column') and (row', column) are.

    Proved for all values: where [lo,hi) reaches into another row and lo is inside a row, the next row starts within
    the mask and the row of lo before it; where hi is inside a row, the row before ends in it and the last row later.
    """
    two_rows = f"{MASKED} and lo//q < (hi - 1)//q"
    yield "lo < (lo//q + 1)*q and (lo//q + 1)*q < hi and (lo//q)*q < lo", f"{two_rows} and lo % q != 0"
    last = "(hi - 1)//q"
    yield f"lo <= {last}*q - 1 and {last}*q - 1 < hi - 1", f"{two_rows}"
    yield f"hi <= {last}*q + q - 1", f"{two_rows} and hi % q != 0"


def splits(mask: tuple[int, int], shape: Sequence[int]) -> bool:
    """The rule above for any number of parts: whole rows, or one row whose mask splits on."""
    (lo, hi), q = mask, prod(shape[1:])
    if len(shape) < 2 or (lo % q == 0 and hi % q == 0):
        return True
    return lo // q == (hi - 1) // q and splits((lo % q, (hi - 1) % q + 1), shape[1:])


@checked("sizes up to 12, every mask, every shape with entries >= 2; up to 8, strides 0 to 2 make no difference")
def test_mask_case_1_any_number_of_parts() -> None:
    """Splitting one part after the other is complete; the strides never stand in the way."""
    verdicts = {True: 0, False: 0}
    for size in range(2, 13):
        for mask, target in product(masks((size,)), shapes(size)):
            expected = splits(mask[0], target)
            assert listed_by(order(View((size,), (1,), 0, mask)), target) == expected
            for stride in (0, 1, 2) if size <= 8 else (1,):
                assert bool(reshape(View((size,), (stride,), 0, mask), target)) == expected
            verdicts[expected] += 1
    assert min(verdicts.values()) > 300


# Masks, case 2: combining dims


@checked("the examples")
def test_mask_case_2_the_examples() -> None:
    """(3,2) [0:2,0:2] to (6) is [0,4): the second mask is whole. (2,3) [1:2,0:2] to (6) is [3,5): one row is valid.

    Without a whole second mask the first example cannot be combined. For one row the strides do not matter.
    """
    assert reshape(View((3, 2), (2, 1), 0, ((0, 2), (0, 2))), (6,)) == View((6,), (1,), 0, ((0, 4),))
    assert reshape(View((2, 3), (3, 1), 0, ((1, 2), (0, 2))), (6,)) == View((6,), (1,), 0, ((3, 5),))
    assert not reshape(View((3, 2), (2, 1), 0, ((0, 2), (0, 1))), (6,))
    assert reshape(View((2, 3), (9, 1), 0, ((1, 2), (0, 2))), (6,)) == View((6,), (1,), 6, ((3, 5),))


@theorem
def test_mask_case_2_masks_that_can_be_combined() -> Claims:
    """[l,h)×[0,b) becomes [l·b, h·b), and one row [l,l+1)×[c,d) becomes [l·b + c, l·b + d).

    Proved for all values at rank 2, wherever the bounds lie.
    """
    yield f"{valid('n')} <-> l*b <= n and n < h*b", f"{IN_SHAPE} and c == 0 and d == b"
    yield f"{valid('n')} <-> l*b + c <= n and n < l*b + d", f"{IN_SHAPE} and h == l + 1"


@theorem
def test_mask_case_2_other_masks_do_not_unfold() -> Claims:
    """And only these: two rows of a mask that is not whole have a hidden element between two valid ones.

    Proved for all values at rank 2: l·b + d is hidden, l·b + d − 1 and (l + 1)·b + c are valid.
    """
    rows = f"{IN_SHAPE} and h >= l + 2 and (c > 0 or d < b)"
    yield f"{valid('l*b + d - 1')} and {valid('(l + 1)*b + c')}", rows
    yield f"not {valid('l*b + d')} and l*b + d < (l + 1)*b + c", rows


@refuted(at={"l": 0, "b": 2, "c": 0, "n": 1, "h": 2, "d": 1})
def test_mask_case_2_needs_the_whole_second_mask() -> tuple[str, str]:
    """Refuted without it: with two rows, the valid elements are not those from the first to the last.

    Smallest example by the sum of the values: [0,2)×[0,1) in rows of 2 hides element 1, between 0 and 2.
    """
    return f"l*b + c <= n and n < (h - 1)*b + d -> {valid('n')}", IN_SHAPE


@checked("sizes 1 to 4, every empty mask", refutes=True)
def test_mask_case_2_empty_masks_always_combine() -> None:
    """Refuted where nothing is valid: then neither a whole second mask nor a single row is needed.

    Smallest example by size, shape and mask: (1,1) [0:0,0:0] to (1); with two rows, (2,1) [0:2,0:0] to (2).
    """
    found = []
    for size in range(1, 17):
        for shape in (s for s in with_ones(size, 2) if max(s) <= 4):
            for mask in masks(shape, empty=True):
                (low, high), columns = mask
                if low == high or columns[0] == columns[1]:
                    assert reshape(View(shape, None, 0, mask), (size,)) == View.empty((size,))
                    found += [(shape, mask)] if columns != (0, shape[1]) and high - low != 1 else []
    assert found[0] == ((1, 1), ((0, 0), (0, 0)))
    assert next(pair for pair in found if pair[1][0] == (0, 2)) == ((2, 1), ((0, 2), (0, 0)))


def unfolds(shape: Sequence[int], mask: Mask) -> bool:
    """The rule for any number of dims: single indices first, then one dim with any mask, then whole dims."""
    several = [n for n, (lo, hi) in enumerate(mask) if hi - lo > 1]
    return all(mask[n] == (0, shape[n]) for n in range(several[0] + 1, len(shape))) if several else True


@checked("sizes to 16, every mask")
def test_mask_case_2_any_number_of_dims() -> None:
    """The valid elements unfold exactly if every dim behind the first with several valid indices is whole.

    Exhaustive: contiguous views, every mask that leaves something valid, every shape of size up to 16 with entries
    >= 2, by the definition; by `reshape` up to 12.
    """
    verdicts = {True: 0, False: 0}
    for size in range(2, 17):
        for shape in shapes(size):
            for mask in masks(shape):
                view, expected = View(shape, None, 0, mask), unfolds(shape, mask)
                assert listed_by(order(view), (size,)) == expected
                if size <= 12:
                    assert bool(reshape(view, (size,))) == expected
                verdicts[expected] += 1
    assert min(verdicts.values()) > 500


@checked("the smallest example", refutes=True)
def test_masks_combining_first_and_splitting_then_is_not_complete() -> None:
    """Refuted, if a reshape is meant to go through the merged shape: what cannot be combined may need no combining.

    Smallest example by size, old and new shape and mask, the view contiguous, entries >= 2: (2,4) [0:2,0:1] cannot be
    combined to (8), and splits to (2,2,2). Only dims between which the new shape has no boundary have to be combined.
    """
    found = [
        (shape, mask, target)
        for size in range(2, 9)
        for shape, target in product(shapes(size), repeat=2)
        for mask in masks(shape)
        if shape != target
        and listed_by(order(View(shape, None, 0, mask)), target)
        and not listed_by(order(View(shape, None, 0, mask)), (size,))
    ]
    shape, mask, target = found[0]
    assert (shape, mask, target) == ((2, 4), ((0, 2), (0, 1)), (2, 2, 2))
    assert isinstance(reshape(View(shape, None, 0, mask), target), View)
