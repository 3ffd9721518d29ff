"""Statements about views and layouts of any rank, by induction over the list of their dims.

A theorem is about folds: values that one dim after the other changes. `{"P": ("1", "P*s")}` says that P is 1 for no
dims and P·s after a dim of size s, so that P is the product of all sizes. Digits and dims come from the fast side; a
dim is a size s >= 1 with a digit 0 <= d < s. What is proved for every list is proved at every rank, for all values.

Statements that are put together from several theorems name these as lemmas (`by=[…]`): each step is proved, none
is prose. In between, three ways of speaking of lists recur. What a theorem says of one dim among others is said by
two lists: the dims below it, and the dims above it, which start from what the dims below have reached. A walk along
an axis within a walk over the axes is an element with the value that the inner theorem gives. And a list in another
order is a list of its own, with the folds that it has in common.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from symview.proof import by_instance, by_list_induction, by_permutation, prove
from symview.proof.verdicts import Proved, Verdict
from symview.rules import theorem

DIM = "s >= 1 and 0 <= d < s"

MERGING = "Merging tensor views"
CRITERIA = "Criteria and proof for when a new view must be appended"
LAYOUTS = "CuTe Layout Algebra"


# Numbers and indices


@cache
def ravelled() -> Proved:
    """R is the number that the index d has in a contiguous tensor, P the number of elements."""
    return by_list_induction("P >= 1 and 0 <= R < P", {"P": ("1", "P*s"), "R": ("0", "R + d*P")}, DIM)


@cache
def unravelled() -> Proved:
    """The digits of x are y mod s, one after the other; Q is the number of elements, S the number of these digits."""
    folds = {"Q": ("1", "Q*s"), "y": ("x", "y//s"), "S": ("0", "S + (y % s)*Q")}
    return by_list_induction("Q >= 1 and x == y*Q + S and 0 <= S < Q", folds, "s >= 1")


@theorem("a ravelled index is below the product of the sizes", source=f"{MERGING}, Definition 5")
def test_a_ravelled_index_is_below_the_product_of_the_sizes() -> Iterator[Proved]:
    """0 <= Σ d_l·P_l < Π s_l. Proved for all sizes at every rank, from the fast side and, after Horner, from the slow.

    Nothing but the bounds of each digit is used.
    """
    yield ravelled()
    yield by_list_induction("P >= 1 and 0 <= R < P", {"P": ("1", "P*s"), "R": ("0", "R*s + d")}, DIM)


@theorem("ravelling an unravelled number gives it back", source=f"{MERGING}, Remark 7")
def test_ravelling_an_unravelled_number_gives_it_back() -> Iterator[Verdict]:
    """Σ digit_l(x)·P_l = x for 0 <= x < Π s_l. Proved for all sizes at every rank.

    Without the bound it is x mod Π s_l, and what is left above all dims is floor(x/Π s_l).
    """
    yield unravelled()
    yield prove("y == x//Q and S == x % Q", by=[unravelled()])
    yield prove("S == x and y == 0", "0 <= x < Q", by=[unravelled()])


@theorem("unravelling a ravelled index gives it back", source=f"{MERGING}, Definition 5")
def test_unravelling_a_ravelled_index_gives_it_back() -> Iterator[Verdict]:
    """floor(Σ d_l·P_l / P_j) mod s_j = d_j for each j. Proved for all sizes at every rank, and every dim j.

    The dim is d of s; the dims below it give R and P, the dims above it start from there.
    """
    folds = {"x": ("R + P*d", "x + e*W*s*P"), "W": ("1", "W*t"), "H": ("0", "H + e*W")}
    above = by_list_induction("x == R + P*(d + s*H)", folds, "t >= 1 and 0 <= e < t")
    yield above
    below = by_instance(ravelled(), {"s": "t", "d": "e"})
    yield prove("x//P % s == d", "0 <= d < s", by=[below, above])


@theorem("a reshape of a reshape is a reshape", source=f"{MERGING}, Definition 6")
def test_a_reshape_of_a_reshape_is_a_reshape() -> Verdict:
    """The shape in the middle drops out. Proved for all shapes of any ranks.

    An index of the last shape has the number R, below the product P of that shape. The middle shape has as many
    elements, Q, and unravels R to an index whose number is S. So the first view is read at S = R, as if there were
    no shape in the middle.
    """
    return prove("S == R", "P == Q", by=[ravelled(), by_instance(unravelled(), {"x": "R", "s": "t"})])


@theorem("places concatenate", source=f"{MERGING}, Definition 5")
def test_the_product_of_two_shapes_one_after_the_other() -> Proved:
    """Going on from A multiplies A by the product of the further sizes. Proved for all sizes at every rank."""
    return by_list_induction("Q == A*B", {"Q": ("A", "Q*s"), "B": ("1", "B*s")})


@theorem("a block inside a longer list is one digit")
def test_a_block_inside_a_longer_list_is_one_digit() -> Proved:
    """Dims between others add A·Q to the number, where A is their own number and Q the place they start at.

    0 <= A < B, the number of their elements: so a block of dims may be treated as a single dim of that size. Proved
    for all sizes, any number of dims in the block and below it.
    """
    folds = {"P": ("Q", "P*s"), "B": ("1", "B*s"), "A": ("0", "A + d*B"), "R": ("S", "R + d*B*Q")}
    return by_list_induction("P == B*Q and R == A*Q + S and 0 <= A < B", folds, DIM)


@theorem("a flip of all dims reverses the numbers")
def test_a_flip_of_all_dims_reverses_the_numbers() -> Proved:
    """The index s − 1 − d of every dim has the number Π s_l − 1 − R. Proved for all sizes at every rank."""
    folds = {"P": ("1", "P*s"), "R": ("0", "R + d*P"), "flipped": ("0", "flipped + (s - 1 - d)*P")}
    return by_list_induction("R + flipped == P - 1", folds, DIM)


@theorem("a permuted view has as many elements and the same addresses")
def test_a_permuted_view_has_as_many_elements_and_the_same_addresses() -> Proved:
    """Neither the product of the sizes nor the address Σ i_l·σ_l depends on the order of the dims.

    Proved for all sizes, strides and indices, every rank and every permutation.
    """
    return by_permutation({"P": ("1", "P*s"), "address": ("0", "address + i*σ")})


@theorem("views are additive", source=f"{MERGING}, Lemma 4")
def test_views_are_additive() -> Proved:
    """v(i + j) = v(i) + v(j). Proved for all strides and indices at every rank."""
    folds = {"f": ("0", "f + i*σ"), "g": ("0", "g + j*σ"), "both": ("0", "both + (i + j)*σ")}
    return by_list_induction("both == f + g", folds)


@theorem("a contiguous block is one dim", source=f"{CRITERIA}, sections 2.2 and 2.3")
def test_a_contiguous_block_is_one_dim() -> Iterator[Verdict]:
    """With strides σ, s·σ, …, each the last one times its size, number x lies at σ·x, and so in any shape of that size.

    Proved for all sizes and strides at every rank of the block.
    """
    folds = {"y": ("x", "y//s"), "Q": ("1", "Q*s"), "c": ("σ", "c*s"), "f": ("0", "f + (y % s)*c")}
    block = by_list_induction("f == σ*(x - y*Q) and c == σ*Q", folds, "s >= 1")
    yield block
    yield prove("f == σ*x", "0 <= x < Q", by=[block, unravelled()])


@theorem("strides and defects determine each other", source="The exact condition")
def test_strides_and_defects_determine_each_other() -> Proved:
    """From the stride of the last dim, sizes and defects give all strides. Proved for all values at every rank."""
    return by_list_induction("σ == τ", {"σ": ("last", "δ + s*σ"), "τ": ("last", "δ + s*τ")})


# Theorem 10


@cache
def along_one_axis() -> Proved:
    """Steps along one axis, each of which adds t to f."""
    return by_list_induction("f == start + i*t", {"f": ("start", "f + t"), "i": ("0", "i + 1")})


@cache
def along_all_axes() -> Proved:
    """One axis after the other, of which each starts where the one before it ended, and adds as along one axis."""
    return by_list_induction("f == f0 + L", {"f": ("f0", "after"), "L": ("0", "L + i*t")}, "after == f + i*t")


@theorem("Theorem 10", source=f"{MERGING}, Theorem 10")
def test_theorem_10_the_criterion_makes_it_a_view() -> Iterator[Verdict]:
    """If f(0) = 0 and each step along axis j adds f(e_j), f is the view with the strides f(e_j).

    Along one axis f grows by i·t; so over all axes it grows by Σ i_j·t_j, and from f(0) = 0 it is the index function L
    of the strides t. Proved for all values at every rank.
    """
    yield along_one_axis()
    yield along_all_axes()
    yield prove("f == L", "f0 == 0", by=[along_all_axes()])


@theorem("Theorem 10, the other way", source=f"{MERGING}, Theorem 10, Lemma 4")
def test_theorem_10_a_merged_view_meets_the_criterion() -> Iterator[Verdict]:
    """If f is the index function of a view, then f(i + e_j) = f(i) + f(e_j), and f(e_j) is stride j.

    A is what the axes before j add; axis j comes next, and the others after it, with the same index for i and i + e_j
    and with 0 for e_j. Proved for all values at every rank.
    """
    folds = {"f": ("A + i*t", "f + k*τ"), "next": ("A + (i + 1)*t", "next + k*τ")}
    step = by_list_induction("next == f + t", folds)
    yield step
    unit = by_list_induction("unit == t", {"unit": ("t", "unit + j*u")}, "j == 0")
    yield unit
    yield prove("next == f + unit", by=[step, unit])


# Which boundaries overflow


@cache
def carried() -> Proved:
    """The address is x; Q would be floor(x/P) if it were affine; Z is what then is left of x. r is a step of Z."""
    folds = {"x": ("o", "x + i*t"), "Q": ("o//P", "Q + i*((o + t)//P - o//P)"), "Z": ("o % P", "Z + i*r")}
    return by_list_induction("x == P*Q + Z", folds, "r == (o + t) % P - o % P", "P >= 1")


@cache
def within() -> Proved:
    """The least and the greatest value that Z takes over all indices."""
    folds = {
        "least": ("o % P", "least + (s - 1)*min(0, r)"),
        "most": ("o % P", "most + (s - 1)*max(0, r)"),
        "Z": ("o % P", "Z + i*r"),
    }
    return by_list_induction("least <= Z <= most", folds, "0 <= i < s", "P >= 1")


@theorem("which boundaries overflow", source=f"{MERGING}, section 5")
def test_a_boundary_overflows_as_often_as_what_is_left_says() -> Iterator[Verdict]:
    """C_P(i) = floor(Z/P) with Z = o mod P + Σ i_j·R_j. Proved for all values at every inner rank."""
    yield carried()
    yield prove("x//P - Q == Z//P", "P >= 1", by=[carried()])


@theorem("overflows only depend on the strides modulo the place value", source=f"{MERGING}, section 5")
def test_overflows_only_depend_on_the_strides_modulo_the_place_value() -> Iterator[Verdict]:
    """C_P(i) = floor(Σ i_j·(t_j mod P)/P) for o = 0. Proved for all values at every inner rank."""
    folds = {"x": ("0", "x + i*t"), "Q": ("0", "Q + i*(t//P)"), "Z": ("0", "Z + i*(t % P)")}
    reduced = by_list_induction("x == P*Q + Z", folds, given="P >= 1")
    yield reduced
    yield prove("x//P - Q == Z//P", "P >= 1", by=[reduced])


@theorem("in bounds is decided at two corners", source="The exact condition")
def test_in_bounds_is_decided_at_two_corners() -> Iterator[Proved]:
    """The least address is o + Σ min(0, (s_j − 1)·t_j), the greatest o + Σ max(0, (s_j − 1)·t_j); both are reached.

    Proved for all values at every inner rank.
    """
    bounds = {"least": ("o", "least + min(0, (s - 1)*t)"), "most": ("o", "most + max(0, (s - 1)*t)")}
    yield by_list_induction("least <= x <= most", {**bounds, "x": ("o", "x + i*t")}, "0 <= i < s")
    corners = {**bounds, "low": ("o", "low + i*t"), "high": ("o", "high + j*t")}
    at = "s >= 1 and (t < 0 -> i == s - 1 and j == 0) and (t >= 0 -> i == 0 and j == s - 1)"
    yield by_list_induction("low == least and high == most", corners, at)


@theorem("a boundary that stays in its range never overflows", source=f"{MERGING}, section 5")
def test_a_boundary_that_stays_in_its_range_never_overflows() -> Iterator[Verdict]:
    """If least >= 0 and most < P, then floor(x/P) is affine in i. Proved for all values at every inner rank."""
    yield within()
    yield prove("x//P == Q", "P >= 1 and least >= 0 and most < P", by=[carried(), within()])


@theorem("a boundary that leaves its range overflows", source=f"{MERGING}, section 5")
def test_a_boundary_that_leaves_its_range_overflows_at_a_corner() -> Iterator[Verdict]:
    """The least and the greatest value are those at two corners; outside of [0, P) floor(x/P) is not the affine one.

    At the one corner i_j = s_j − 1 where R_j < 0 and 0 elsewhere, at the other the other way round. Proved for all
    values at every inner rank.
    """
    lowest = {"least": ("o % P", "least + (s - 1)*min(0, r)"), "Z": ("o % P", "Z + i*r")}
    at = "s >= 1 and (r < 0 -> i == s - 1) and (r >= 0 -> i == 0)"
    yield by_list_induction("Z == least", lowest, at, "P >= 1")
    greatest = {"most": ("o % P", "most + (s - 1)*max(0, r)"), "Z": ("o % P", "Z + i*r")}
    at = "s >= 1 and (r < 0 -> i == 0) and (r >= 0 -> i == s - 1)"
    yield by_list_induction("Z == most", greatest, at, "P >= 1")
    yield prove("Z < 0 or Z >= P -> x//P != Q", "P >= 1", by=[carried()])


# The exact condition


@theorem("the composition is a multiple of x and a sum of floors", source="The exact condition")
def test_the_composition_is_a_multiple_of_x_and_a_sum_of_floors() -> Iterator[Verdict]:
    """Σ σ_l·digit_l(x) = σ_k·x + Σ δ_l·floor(x/P_l) in the tensor. Proved for all sizes and strides at every rank.

    f sums the digits, g the floors y: with the first dim, σ − c is σ_k, as c starts at 0, and with each further dim it
    is δ. After all dims y is 0, as x is in the tensor.
    """
    folds = {
        "y": ("x", "y//s"),
        "f": ("0", "f + σ*(y % s)"),
        "c": ("0", "σ*s"),
        "g": ("0", "g + (σ - c)*y"),
    }
    identity = by_list_induction("f == g - c*y", folds, "s >= 1")
    yield identity
    yield prove("f == g", "0 <= x < Q", by=[identity, unravelled()])


@theorem("the exact condition", source="The exact condition")
def test_f_is_affine_exactly_where_the_defects_are_orthogonal_to_the_overflows() -> Iterator[Verdict]:
    """How far f is from affine at i is Σ δ_l·C_l(i), for outer views of every rank.

    y, z and w are floor(x/P_l) at i and at 0, and the affine part Σ_j i_j·(floor(x(e_j)/P_l) − floor(x(0)/P_l)); F, F0
    and W sum them with the factors δ_l, and so does D for C_l(i) = y − z − w. W is the affine part of f, as the second
    theorem says of one inner axis after the other: it adds i times what the axis adds to each floor, summed.
    So f(i) = f(0) + Σ_j i_j·(f(e_j) − f(0)), which by Theorem 10 says that the views merge, exactly where Σ δ_l·C_l(i)
    is 0 at every i. Proved for all values at every outer and inner rank.
    """
    folds = {"F": ("0", "F + δ*y"), "F0": ("0", "F0 + δ*z"), "W": ("0", "W + δ*w"), "D": ("0", "D + δ*(y - z - w)")}
    defect = by_list_induction("F - F0 - W == D", folds)
    yield defect
    sums = {"A": ("0", "A + δ*w"), "B": ("0", "B + δ*v"), "A2": ("0", "A2 + δ*(w + i*v)")}
    yield by_list_induction("A2 == A + i*B", sums)
    yield prove("F == F0 + W <-> D == 0", by=[defect])


@theorem("boundaries that carry one after the other are independent", source="Symbolic outer sizes")
def test_boundaries_that_carry_one_after_the_other_are_independent() -> Iterator[Verdict]:
    """If each boundary has an index at which it carries and no larger place value does, then all δ are 0.

    T is what the boundaries below add at that index, e·c each: it is 0 if all their e are, S = 0. Walking up from the
    smallest place value, where c is the carry of the boundary itself, T + δ·c = 0 and c ≠ 0 leave δ = 0, one boundary
    after the other. Proved for any number of boundaries, sizes and carries.
    """
    below = by_list_induction("S >= 0 and (S != 0 or T == 0)", {"T": ("0", "T + e*c"), "S": ("0", "S + abs(e)")})
    yield below
    yield by_list_induction("S == 0", {"S": ("0", "S + abs(δ)")}, "c != 0 and T + δ*c == 0 and (S != 0 or T == 0)")
    yield prove("S == 0 -> T == 0", by=[below])


# Complements


@cache
def complemented() -> Proved:
    """The value of layout and complement together is v: b is the index of the complement's mode, a of the layout's."""
    folds = {"W": ("1", "N*d"), "v": ("0", "v + b*W + a*d"), "own": ("0", "own + a*d"), "other": ("0", "other + b*W")}
    return by_list_induction(
        "W >= 1 and 0 <= v < W and v == own + other",
        folds,
        "N >= 1 and d >= 1 and d % W == 0 and 0 <= b < d//W and 0 <= a < N",
    )


@cache
def counted() -> Proved:
    """The same values from their digits: g = d/W copies and N values, one mode after the other."""
    folds = {
        "W": ("1", "W*g*N"),
        "y": ("x", "y//g//N"),
        "v": ("0", "v + (y % g)*W + (y//g % N)*g*W"),
    }
    return by_list_induction("W >= 1 and x == y*W + v and 0 <= v < W", folds, "g >= 1 and N >= 1")


@theorem("the complement of a layout", source=f"{LAYOUTS}, Definition 2.5, Proposition 2.7")
def test_layout_and_complement_together_stay_below_the_size() -> Iterator[Verdict]:
    """With modes N:d sorted so that W | d, W_{j+1} = N·d, the complement has the modes d/W : W, then M/W : W.

    Proved for all layouts of any number of modes: the values of both together, and their sums, are in [0, W); the last
    mode of the complement makes it [0, M).
    """
    yield complemented()
    yield prove("0 <= v + k*W < M", "M % W == 0 and M >= 1 and 0 <= k < M//W", by=[complemented()])


@theorem("the complement is one", source=f"{LAYOUTS}, Proposition 2.7")
def test_layout_and_complement_together_take_every_value_once() -> Iterator[Verdict]:
    """Every x in [0, W) is the value at one index of both: its digits y mod g and floor(y/g) mod N.

    Onto: the value at these digits is x. One-to-one: an index is the digits of its value, here for one mode among
    others as in `test_unravelling_a_ravelled_index_gives_it_back`, with sizes g and N. Proved for all layouts of any
    number of modes.
    """
    yield counted()
    yield prove("v == x", "0 <= x < W", by=[counted()])
    folds = {"x": ("v + (b + a*g)*W", "x + e*U*g*N*W"), "U": ("1", "U*t"), "H": ("0", "H + e*U")}
    above = by_list_induction("x == v + W*(b + a*g + g*N*H)", folds, "t >= 1 and 0 <= e < t")
    yield above
    digits = "W >= 1 and 0 <= v < W and 0 <= b < g and 0 <= a < N"
    yield prove("x//W % g == b", digits, by=[above])
    yield prove("x//W//g % N == a", digits, by=[above])


@theorem("a layout and its complement share only 0", source=f"{LAYOUTS}, Corollary 2.8")
def test_a_layout_and_its_complement_share_only_0() -> Iterator[Verdict]:
    """If f_A at a and f_B at b are the same value, all of a and b is 0. D is their difference, S the sum of a and b.

    Proved for all layouts of any number of modes.
    """
    folds = {"W": ("1", "W*g*N"), "D": ("0", "D + a*g*W - b*W"), "S": ("0", "S + a + b")}
    apart = by_list_induction(
        "W >= 1 and -W < D < W and S >= 0 and (D == 0 -> S == 0)", folds, "0 <= b < g and 0 <= a < N"
    )
    yield apart
    yield prove("D == 0 -> S == 0", by=[apart])


@theorem("the order of the modes does not matter", source=f"{LAYOUTS}, Proposition 2.7")
def test_the_values_of_a_layout_do_not_depend_on_the_order_of_its_modes() -> Proved:
    """Size and value of a layout at its coordinates are sums and products over its modes. Proved for every rank."""
    return by_permutation({"size": ("1", "size*N"), "value": ("0", "value + a*d")})
