"""The statements of "CuTe Layout Algebra" (L. Mao) on layouts, coalescing and complements: 2.1 to 2.9.

Each docstring says what is claimed, in our words, and how it was decided:

* proved: for all integers, at the ranks named, by the solver;
* exhaustive: every case up to the bound named, nothing beyond it;
* refuted: with the smallest example, after everything smaller was searched.

A layout is (N_0, …):(d_0, …), the first mode fastest; f is its layout function, f̂ its extension.
Composition and division are in `test_cute_composition.py`, the category Fact in `test_cute_factorisations.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise, permutations, product
from math import prod

import admissibility as mao
from definitions import Claims, flat
from oracle.cute_brute import Modes, table, value

from symview import cute
from symview.cute import Layout
from symview.logic.points import by_size
from symview.rules import checked, refuted, theorem


def layouts(rank: int, top: int, stride: int, least: int = 1) -> Iterator[Modes]:
    """All flat layouts of that rank, sizes `least` to `top`, strides 0 to `stride`, by the sum of all entries."""
    for entries in by_size([(least, top)] * rank + [(0, stride)] * rank):
        yield list(zip(entries[:rank], entries[rank:], strict=True))


# Layouts


@checked("all nestings of three modes with sizes up to 3 and strides up to 3")
def test_definition_2_1_a_layout_is_a_shape_and_a_stride() -> None:
    """Two tuples of matching dimensions; flattening changes neither the function nor the size.

    Strides of 0, which the document's tuples of positive integers exclude, are layouts as well: the broadcasts of CuTe.
    """
    for modes in layouts(3, 3, 3):
        (a, b, c), (x, y, z) = zip(*modes, strict=True)
        for shape, stride in [(((a, b), c), ((x, y), z)), ((a, (b, c)), (x, (y, z))), (((a, (b,)), c), ((x, (y,)), z))]:
            nested = Layout(shape, stride)
            assert [nested(n) for n in range(nested.size())] == table(modes)
            assert cute.flatten(nested) == flat(modes)


@checked("three modes, sizes up to 3, strides up to 2")
def test_definition_2_2_size_length_and_modes() -> None:
    """The size is the product of the shape, the length the number of modes, a mode a layout of length 1."""
    for modes in layouts(3, 3, 2):
        layout = flat(modes)
        assert layout.size() == len(table(modes)) == prod(n for n, _ in modes)
        assert cute.rank(layout) == 3
        assert [(m.shape, m.stride) for m in layout] == modes
        assert cute.flatten(cute.make_layout(*layout)) == layout


@theorem
def test_isomorphism_is_a_bijection() -> Claims:
    """An index x and (x mod M_0, floor(x/M_0) mod M_1, …) determine each other.

    Proved for all sizes at ranks 2 and 3, the extension included: there the last digit is not reduced.
    """
    yield "x % a + x//a*a == x", "a >= 1 and x >= 0"
    yield "x % a + x//a % b*a + x//(a*b)*(a*b) == x", "a >= 1 and b >= 1 and x >= 0"
    digits = "0 <= i < a and 0 <= j < b and k >= 0 and a >= 1 and b >= 1"
    yield "(i + j*a + k*(a*b)) % a == i", digits
    yield "(i + j*a + k*(a*b))//a % b == j", digits
    yield "(i + j*a + k*(a*b))//(a*b) == k", digits


@theorem
def test_isomorphism_last_digit_is_reduced_by_nothing_inside() -> tuple[str, str]:
    """On [0, M) the extension agrees with the isomorphism: floor(x/M_0) mod M_1 = floor(x/M_0). Proved at rank 2."""
    return "x//a % b == x//a", "a >= 1 and b >= 1 and 0 <= x < a*b"


@checked("up to three modes, sizes up to 3, strides up to 3 (2 for three), x up to four times the size")
def test_extension_of_the_layout_function() -> None:
    """L(x) beyond the size is f̂_L(x), where the last digit is not reduced; nesting does not matter to it."""
    for rank, stride in [(1, 3), (2, 3), (3, 2)]:
        for modes in layouts(rank, 3, stride):
            sizes, strides = zip(*modes, strict=True)
            nested = Layout((sizes[0], sizes[1:]), (strides[0], strides[1:])) if rank > 1 else flat(modes)
            places = [prod(sizes[:k]) for k in range(rank)]
            for x in range(4 * prod(sizes)):
                digits = [x // p % n for p, n in zip(places, sizes, strict=True)]
                digits[-1] = x // places[-1]
                expected = sum(i * d for i, d in zip(digits, strides, strict=True))
                assert flat(modes)(x) == nested(x) == value(modes, x) == expected


@theorem
def test_definition_2_3_values_add_up_over_the_digits() -> Claims:
    """f(x) = f(x'_0) + f(x'_1), where x'_k keeps digit k alone; x'_1 = (floor(x/M_0) mod M_1)·M_0.

    Proved for all sizes and strides at rank 2.
    """
    rank_2 = "a >= 1 and b >= 1 and 0 <= x < a*b"
    yield "(x % a) % a*d + (x % a)//a*e == (x % a)*d", rank_2
    yield "((x//a % b)*a) % a*d + ((x//a % b)*a)//a*e == (x//a)*e", rank_2


@checked("the smallest example", refutes=True)
def test_definition_2_3_needs_its_brackets() -> None:
    """Refuted as it stands, if "floor(x/M_0) mod M_1·M_0" is read with the product first: the part keeps no multiple
    of M_0.

    Smallest example by the sum of sizes, strides and x: (2,2):(0,1), x = 2, where floor(2/2) mod 4 = 1 and f(1) = 0,
    not f(2) = 1. The document's own example, (3,2):(2,3) at 5, takes the product last.
    """
    found = None
    for a, b, d, e, x in by_size([(1, 3), (1, 3), (0, 3), (0, 3), (0, 8)]):
        modes = [(a, d), (b, e)]
        if x < a * b and value(modes, x % a) + value(modes, x // a % (b * a)) != value(modes, x):
            found = (a, b, d, e, x)
            break
    assert found == (2, 2, 0, 1, 2)
    assert value([(3, 2), (2, 3)], 5) == value([(3, 2), (2, 3)], 2) + value([(3, 2), (2, 3)], 5 // 3 % 2 * 3) == 7


# Coalescence


@theorem
def test_coalescence_rules() -> Claims:
    """Rules 1 to 3: a mode of size 1 can be left out, and d_1 = N_0·d_0 makes two modes one. Proved for all values.

    For rule 3 the whole extension stays; for rule 1 only the function on [0, N_0·N_1) does.
    """
    yield "x % n*d + x//n*e == x*d", "n >= 1 and 0 <= x < n"
    yield "x % 1*d + x//1*e == x*e", "x >= 0"
    yield "x % n*d + x//n*e == x*d", "n >= 1 and x >= 0 and e == n*d"


@theorem
def test_coalescence_rule_4_nothing_else_merges() -> tuple[str, str]:
    """With N_0, N_1 >= 2, one mode N_0·N_1:u has the same function only if d_1 = N_0·d_0: compare x = 1 and x = N_0.

    Proved for all values.
    """
    at_1, at_n = "1 % n*d + 1//n*e == u", "n % n*d + n//n*e == n*u"
    return "e == n*d and d == u", f"n >= 2 and {at_1} and {at_n}"


@refuted(at={"m": 2, "e": 1, "n": 2})
def test_coalescence_trap() -> tuple[str, str]:
    """d_0 = N_1·d_1 does not make (N_0,N_1):(d_0,d_1) the mode N_0·N_1:d_1: at x = 1 the values are N_1·d_1 and d_1.

    Smallest example with sizes from 2 on and d_1 from 1 on: (2,2):(2,1).
    """
    return "1 % n*(m*e) + 1//n*e == e", "m >= 2 and e >= 1 and n >= 2"


@checked("up to four modes, sizes up to 3 (2 for four), strides up to 4")
def test_coalescence_of_more_modes_is_by_neighbours() -> None:
    """Applying the rules to neighbours until none applies keeps the function, and the result does not depend on the
    order.
    """
    for rank, top, stride in [(1, 4, 4), (2, 3, 4), (3, 3, 4), (4, 2, 3)]:
        for modes in layouts(rank, top, stride):
            results = {tuple(r) for r in _coalesced_in_every_order(modes)}
            assert len(results) == 1
            (result,) = results
            assert table(list(result)) == table(modes)
            assert cute.coalesce(flat(modes)).flat() == [m for m in result if m[0] != 1] or result[0][0] == 1


def _coalesced_in_every_order(modes: Modes) -> Iterator[Modes]:
    reduced = False
    for n, ((a, d), (b, e)) in enumerate(pairwise(modes)):
        merged = [(a, d)] if b == 1 else [(b, e)] if a == 1 else [(a * b, d)] if e == a * d else None
        if merged is not None:
            reduced = True
            yield from _coalesced_in_every_order([*modes[:n], *merged, *modes[n + 2 :]])
    if not reduced:
        yield modes if modes[0][0] != 1 else [(1, 0)]


@checked("two modes, sizes to 3, strides to 4", refutes=True)
def test_coalescence_changes_the_extension() -> None:
    """Refuted: "coalescence does not change the layout function" is not so for the extension, which composition uses.

    A last mode of size 1 goes on beyond its size, and rule 1 drops it. Smallest example by the sum of the entries:
    (1,1):(0,1) has f̂(1) = 1 and coalesces to 1:0; with sizes from 2 before it, (2,1):(0,1). Exhaustive for two modes,
    sizes up to 3, strides up to 4: without a last mode of size 1 the extension stays.
    """
    changed = []
    for modes in layouts(2, 3, 4):
        shorter = cute.coalesce(flat(modes))
        if any(value(modes, x) != shorter(x) for x in range(20)):
            changed.append(modes)
    assert changed[0] == [(1, 0), (1, 1)]
    assert next(m for m in changed if m[0][0] > 1) == [(2, 0), (1, 1)]
    assert all(m[1][0] == 1 for m in changed)


@checked("two modes, sizes to 4, strides to 4", refutes=True)
def test_coalescence_leaves_no_mode_of_size_1() -> None:
    """Refuted for layouts of size 1: the document has all N_k > 1 after coalescing.

    Smallest example: 1:0 stays 1:0. Exhaustive for two modes, sizes up to 4, strides up to 4: otherwise it is so.
    """
    assert cute.coalesce(Layout(1, 0)) == Layout(1, 0)
    for modes in layouts(2, 4, 4):
        found = cute.coalesce(flat(modes))
        assert all(n > 1 for n, _ in found.flat()) or found.size() == 1


@checked("((a,b),(c,d)) with sizes up to 2 and strides up to 4")
def test_by_mode_coalescence_keeps_the_modes() -> None:
    """Coalescing each mode by itself keeps their number and the function, and merges nothing across modes."""
    for modes in layouts(4, 2, 4):
        (a, b, c, d), (w, x, y, z) = zip(*modes, strict=True)
        found = cute.coalesce(Layout(((a, b), (c, d)), ((w, x), (y, z))), (1, 1))
        assert len(found) == 2
        assert [found(n) for n in range(found.size())] == table(modes)
        assert found[0] == cute.coalesce(Layout((a, b), (w, x)))
        assert found[1] == cute.coalesce(Layout((c, d), (y, z)))


# Complements


@checked("three modes, sizes to 3, strides to 3")
def test_definition_2_4_sorted() -> None:
    """Sorted means that strides do not fall, nor sizes where strides are equal; sorting changes the function.

    Exhaustive: three modes, sizes up to 3, strides up to 3, against the definition for every pair i < j; the sorted
    version has the same modes. Refuted is that the order of modes always matters: (2,2):(1,1) and its other order are
    the same.
    """
    changed = 0
    for modes in layouts(3, 3, 3):
        pairs = [(modes[i], modes[j]) for i in range(3) for j in range(i + 1, 3)]
        expected = all(d <= e and (d != e or n <= m) for (n, d), (m, e) in pairs)
        assert bool(mao.is_sorted(flat(modes))) == expected
        found = cute.sort(flat(modes))
        assert mao.is_sorted(found)
        assert sorted(found.flat()) == sorted(modes)
        changed += table(found.flat()) != table(modes)
    assert changed > 100
    assert cute.sort(Layout((2, 4), (4, 1))) == Layout((4, 2), (1, 4))
    assert table([(2, 4), (4, 1)]) == [0, 4, 1, 5, 2, 6, 3, 7]
    assert table([(4, 1), (2, 4)]) == list(range(8))


def admissible(modes: Modes, bound: int) -> bool:
    """Definition 2.5, word by word."""
    ordered = sorted(modes, key=lambda m: (m[1], m[0]))
    chain = [n * d for n, d in ordered]
    return all(e % c == 0 for c, (_, e) in zip(chain, ordered[1:], strict=False)) and bound % chain[-1] == 0


def positive(rank: int, top: int, stride: int) -> Iterator[Modes]:
    """Layouts with strides from 1 on."""
    return (m for m in layouts(rank, top, stride) if all(d for _, d in m))


@cache
def admitted() -> tuple[tuple[Modes, int], ...]:
    """All admissible pairs {A, M}: one mode of size up to 4, two to 3, three to 2, strides dividing 8, 9 or 12, M to
    36.
    """
    return tuple(
        (list(zip(shape, strides, strict=True)), bound)
        for rank, top in [(1, 4), (2, 3), (3, 2)]
        for shape in product(range(1, top + 1), repeat=rank)
        for strides in product((1, 2, 3, 4, 6, 8, 9, 12), repeat=rank)
        for bound in range(1, 37)
        if admissible(list(zip(shape, strides, strict=True)), bound)
    )


@checked("up to three modes, sizes to 4, strides to 8")
def test_definition_2_5_admission_and_what_it_implies() -> None:
    """Admission as defined; it implies N_{i-1}·d_{i-1} <= d_i, d_{i-1} <= d_i, N_α·d_α <= M and d_α <= M.

    Exhaustive: up to three modes, sizes up to 4 (2 for three), strides up to 8 (5), M of 1, 6, 8 and 24; what it
    implies, for all `admitted` pairs.
    """
    for rank, top, stride in [(1, 4, 8), (2, 4, 8), (3, 2, 5)]:
        for modes in positive(rank, top, stride):
            for bound in (1, 6, 8, 24):
                assert bool(mao.admissible_for_complementation(flat(modes), bound)) == admissible(modes, bound)
    for modes, bound in admitted():
        ordered = sorted(modes, key=lambda m: (m[1], m[0]))
        assert all(n * d <= e and d <= e for (n, d), (_, e) in pairwise(ordered))
        assert max(d for _, d in modes) <= ordered[-1][0] * ordered[-1][1] <= bound


@checked("the smallest example", refutes=True)
def test_definition_2_5_depends_on_modes_of_size_1() -> None:
    """Refuted that admission is about the function: a mode of size 1 can spoil it; so coalesce first.

    Smallest example by the sum of the entries and M, of size 2 at least: (1,2):(3,1) with M = 2. Sorted it is
    (2,1):(1,3), and 2 does not divide 3; coalesced it is 2:1, which is admitted.
    """
    found = next(
        (entries[:2], entries[2:4], entries[4])
        for entries in by_size([(1, 2), (1, 2), (1, 4), (1, 4), (1, 4)])
        if not admissible(list(zip(entries[:2], entries[2:4], strict=True)), entries[4])
        and 2 in entries[:2]
        and admissible(cute.coalesce(Layout(entries[:2], entries[2:4])).flat(), entries[4])
    )
    assert found == ((1, 2), (3, 1), 2)


def complement(modes: Modes, bound: int) -> Modes:
    """Definition 2.6, word by word."""
    ordered = sorted(modes, key=lambda m: (m[1], m[0]))
    found, reach = [], 1
    for n, d in ordered:
        found.append((d // reach, reach))
        reach = n * d
    return [*found, (bound // reach, reach)]


@checked("all `admitted` pairs")
def test_definition_2_6_complement() -> None:
    """The complement has size M/size(A), and does not depend on the order of A's modes; CuTe coalesces it."""
    for modes, bound in admitted():
        found = complement(modes, bound)
        assert prod(n for n, _ in found) * prod(n for n, _ in modes) == bound
        ours = cute.complement(flat(modes), bound)
        assert [ours(x) for x in range(ours.size())] == table(found)
        assert all(cute.complement(flat(list(order)), bound) == ours for order in permutations(modes))


@theorem
def test_definition_2_6_complement_is_strictly_increasing_for_one_mode() -> tuple[str, str]:
    """A = (N):(d) has the complement (d, ∞):(1, N·d), and f̂_B(x) < f̂_B(x + 1). Proved for all values."""
    return "x % d + x//d*(n*d) < (x + 1) % d + (x + 1)//d*(n*d)", "d >= 1 and n >= 1 and x >= 0"


@theorem
def test_definition_2_6_complement_is_strictly_increasing_for_two_modes() -> Claims:
    """f̂_B(x + 1) = f̂_B(x) + Σ_{i<=k} (N_i − 1)·d_i + 1, where the last k + 1 digits before a change were full.

    Proved for all values at two modes: A = (N, M):(d, q·N·d) has the complement (d, q, ∞):(1, N·d, M·q·N·d). x has the
    digits (i, j, k), which is all there is by `test_isomorphism_is_a_bijection`. First the digits of x + 1: nothing
    overflows, the first digit does, both do; then what the value gains, and that this is never less than 1.
    """
    sizes = "d >= 1 and q >= 1 and k >= 0"
    for i, j, after in [("i", "j", ("i + 1", "j", "k")), ("d - 1", "j", ("0", "j + 1", "k"))]:
        inside = "0 <= i and i + 1 < d and 0 <= j < q" if i == "i" else "0 <= j and j + 1 < q"
        yield _digits(f"({i} + {j}*d + k*(d*q) + 1)", *after), f"{sizes} and {inside}"
    yield _digits("(d - 1 + (q - 1)*d + k*(d*q) + 1)", "0", "0", "k + 1"), sizes
    positive = "d >= 1 and n >= 1 and m >= 1 and q >= 1"
    gains = "(n - 1)*d + 1", "(n - 1)*d + (m - 1)*(q*n*d) + 1"
    yield f"{_at('i + 1', 'j', 'k')} == {_at('i', 'j', 'k')} + 1", positive
    yield f"{_at('0', 'j + 1', 'k')} == {_at('d - 1', 'j', 'k')} + {gains[0]}", positive
    yield f"{_at('0', '0', 'k + 1')} == {_at('d - 1', 'q - 1', 'k')} + {gains[1]}", positive
    yield f"{gains[0]} >= 1 and {gains[1]} >= 1", positive


@theorem
def test_definition_2_6_increments_at_any_rank() -> Claims:
    """The induction steps of the same: one more digit of x + 1, and one more full digit in what the value gains.

    Proved for all values. With e = N_{k-1}·d_{k-1}, the place value q = d_k/e of digit k and s = N_k·d_k: when digit k
    is full as well, the gain changes by s − e − (q − 1)·e, which is (N_k − 1)·d_k.
    """
    yield "(x + 1)//p == x//p + 1 and (x + 1) % p == 0", "p >= 1 and x % p == p - 1"
    yield "(x + 1)//p == x//p and (x + 1) % p == x % p + 1", "p >= 1 and x % p < p - 1"
    yield "s - e - (q - 1)*e == (n - 1)*d and (n - 1)*d >= 0", "n >= 1 and q >= 1 and e >= 1 and d == q*e and s == n*d"


def _digits(x: str, i: str, j: str, k: str) -> str:
    return f"{x} % d == {i} and {x}//d % q == {j} and {x}//(d*q) == {k}"


def _at(i: str, j: str, k: str) -> str:
    return f"(({i}) + ({j})*(n*d) + ({k})*(m*q*n*d))"


@checked("all `admitted` pairs")
def test_definition_2_6_complement_is_strictly_increasing_at_every_rank_tried() -> None:
    """The same exhaustively, with the increment, the extension to 2·size(B) included, for all `admitted` pairs."""
    for modes, bound in admitted():
        found = complement(modes, bound)
        ordered = sorted(modes, key=lambda m: (m[1], m[0]))
        places = [prod(n for n, _ in found[: k + 1]) for k in range(len(modes))]
        for x in range(2 * prod(n for n, _ in found)):
            full = [(x + 1) % place == 0 for place in places]
            gain = sum((n - 1) * d for (n, d), f in zip(ordered, full, strict=True) if f) + 1
            assert value(found, x + 1) == value(found, x) + gain > value(found, x)


@checked("all `admitted` pairs, x up to 2·size(B)")
def test_definition_2_6_extension_of_the_complement_that_is_returned() -> None:
    """symview, as CuTe, coalesces the complement: f_B is strictly increasing, and f̂_B is where B's last mode is not 1.

    Refuted otherwise: the coalesced B is 1:0, whose extension is 0 throughout, or what was the mode before goes on.
    Smallest examples by the sum of A's entries, then by M: 1:1 with M = 1, (1,1):(1,1) and 1:0; of size 2, 2:1 with M =
    2. Corollary 2.8 then fails too: 3:2 with M = 6 has (2,1):(1,6), f̂_B(2) = 6, coalesced 2:1, where f̂_B(2) = 2 is a
    value of A.
    """
    changed, constant, meeting = [], [], []
    for modes, bound in admitted():
        found, ours = complement(modes, bound), cute.complement(flat(modes), bound)
        values = [ours(x) for x in range(2 * ours.size() + 1)]
        assert all(a < b for a, b in pairwise(values[: ours.size()]))
        key = sum(map(sum, modes)), bound, modes
        if values != [value(found, x) for x in range(len(values))]:
            assert found[-1][0] == 1
            changed.append(key)
        if not all(a < b for a, b in pairwise(values)):
            assert ours == Layout(1, 0)
            constant.append(key)
        own = table(modes)
        if set(own) & {ours(x) for x in range(len(own))} != {0}:
            meeting.append(key)
    assert min(changed)[1:] == min(constant)[1:] == (1, [(1, 1)])
    assert min(key for key in constant if prod(n for n, _ in key[2]) > 1)[1:] == (2, [(2, 1)])
    assert min(meeting)[1:] == (6, [(3, 2)])
    assert cute.complement(Layout(3, 2), 6) == Layout(2, 1)


@checked("all `admitted` pairs, with A in every order")
def test_proposition_2_7_a_layout_and_its_complement_are_a_bijection() -> None:
    """(A, complement(A, M)) has size M and takes [0, M) to itself, one to one."""
    for modes, bound in admitted():
        for order in permutations(modes):
            both = [*order, *complement(modes, bound)]
            assert sorted(table(both)) == list(range(bound))


@checked("all `admitted` pairs", refutes=True)
def test_proposition_2_7_sorted_concatenation() -> None:
    """Refuted, in the proof: that the sorted concatenation has 2α + 2 modes, and that no other order of it is sorted.

    It has 2α + 3: A has α + 1 modes, the complement α + 2. And (1,1,1):(1,1,1), of A = 1:1 and M = 1, is sorted in
    every order; without modes of size 1 the order is unique, since strides then differ.
    """
    for modes, bound in admitted():
        both = sorted([*modes, *complement(modes, bound)], key=lambda m: (m[1], m[0]))
        assert len(both) == 2 * (len(modes) - 1) + 3
        chain = [m for m in both if m[0] != 1]
        assert all(e == n * d for (n, d), (_, e) in pairwise(chain))
    assert complement([(1, 1)], 1) == [(1, 1), (1, 1)]


@checked("all `admitted` pairs")
def test_corollary_2_8_disjoint() -> None:
    """f_A and f̂_B share only 0 on the domain of f_A; so do f_A and all of f̂_B."""
    for modes, bound in admitted():
        own = set(table(modes))
        found = complement(modes, bound)
        assert own & {value(found, x) for x in range(max(len(table(modes)), 2 * len(table(found))))} == {0}


@checked("the smallest example", refutes=True)
def test_corollary_2_8_place_values_are_not_strides() -> None:
    """Refuted, in the proof: f_A(x) = x_0 + x_1·N_0 + …, which has place values where strides belong.

    Smallest example by the sum of A's entries and M: A = 2:2 with M = 4, x = 1, where f_A(1) = 2.
    """
    wrong = [(sum(map(sum, m)) + bound, m, bound) for m, bound in admitted() if table(m) != list(range(len(table(m))))]
    assert min(wrong)[1:] == ([(2, 2)], 4)


@checked("all `admitted` pairs")
def test_corollary_2_8_note_on_the_earlier_proof() -> None:
    """That f_A and f_B share only 0 on I∩J, the smaller of the two domains, does not give that f_A(I) and f_B(J) do.

    Smallest example by the sum of the entries, A and B of one mode with strides from 1: A = 2:2 and B = 3:1, which
    share f_A(1) = f_B(2). Nor does f_A(I) ∩ f_B(J) = {0} alone give the corollary: A = 2:1 and B = 1:1 share f_A(1) =
    f̂_B(1); that f_A stays below f̂_B(size(B)) is needed as well, and holds for all `admitted` pairs.
    """
    short, long = [], []
    for n, d, m, e in by_size([(1, 4), (1, 4), (1, 4), (1, 4)]):
        both = min(n, m)
        own, other = {d * x for x in range(n)}, {e * x for x in range(m)}
        if {d * x for x in range(both)} & {e * x for x in range(both)} == {0} != own & other:
            short.append((n, d, m, e))
        if own & other == {0} != own & {e * x for x in range(n)}:
            long.append((n, d, m, e))
    assert (short[0], long[0]) == ((2, 2, 3, 1), (2, 1, 1, 1))
    for modes, bound in admitted():
        found = complement(modes, bound)
        assert max(table(modes)) < value(found, len(table(found))) == bound


@theorem
def test_remark_2_9_bounded() -> Claims:
    """cosize(B) = M − cosize(A) + 1 <= floor(M/cosize(A))·cosize(A). The inequality is proved for all values.

    The proof's "1/a <= c < 1" is not so where a divides b, and not needed.
    """
    yield "m - (a - 1) <= m//a*a", "a >= 1 and m >= 0"


@checked("all `admitted` pairs")
def test_remark_2_9_disjoint_ordered_and_bounded() -> None:
    """The three properties of a complement, and cosize(B) = M − (cosize(A) − 1)."""
    for modes, bound in admitted():
        found = complement(modes, bound)
        own, places = table(modes), table(found)
        assert set(own) & {value(found, y) for y in range(len(own))} == {0}
        assert all(a < b for a, b in pairwise(places))
        cosize_a, cosize_b = max(own) + 1, max(places) + 1
        assert (flat(modes).cosize(), flat(found).cosize()) == (cosize_a, cosize_b)
        assert cosize_b == bound - (cosize_a - 1) <= bound // cosize_a * cosize_a
        assert len(places) * len(own) >= bound


@checked("two modes, sizes to 4, strides to 8, and all `admitted` pairs")
def test_non_integral_layouts_are_coalesced_first() -> None:
    """The complement of a nested layout is that of its coalesced form: the values are the same.

    Exhaustive: two modes, sizes up to 4, strides 1 to 8, M = 48; and the `admitted` pairs with M = 24 and 36, A
    nested in the ways of `nestings`.
    """
    for (a, d), (b, e) in positive(2, 4, 8):
        nested, short = Layout(((a,), b), ((d,), e)), cute.coalesce(Layout((a, b), (d, e)))
        if admissible([m for m in short.flat() if m[0] > 1] or [(1, 1)], 48) and short.size() > 1:
            assert cute.complement(nested, 48) == cute.complement(short, 48)
    for modes, bound in admitted():
        if bound in (24, 36):
            for nested in nestings(modes):
                found = cute.complement(nested, bound)
                assert found == cute.complement(flat(modes), bound) == cute.complement(cute.coalesce(nested), bound)


def nestings(modes: Modes) -> Iterator[Layout]:
    """The layout with its modes in a row, and every two neighbours or all but one of them grouped."""
    sizes, strides = zip(*modes, strict=True)
    yield Layout((sizes,), (strides,))
    for k in range(1, len(modes)):
        yield Layout((sizes[:k], sizes[k:]), (strides[:k], strides[k:]))
        yield Layout((sizes[:k], *sizes[k:]), (strides[:k], *strides[k:]))
        yield Layout((*sizes[:k], sizes[k:]), (*strides[:k], strides[k:]))


@checked("two modes of size 1 to 3, strides up to 8, M up to 12; every layout B of the right size is tried")
def test_a_complement_exists_exactly_where_modes_divide() -> None:
    """Beyond the document: with M a multiple of size(A), and modes of size 1 left out, a layout B makes (A, B) a
    bijection of [0, M) exactly if {A, M} is admissible.

    With modes of size 1 left in, admission is refuted as needed: smallest by the sum of the entries and M, (1,1):(1,2)
    with M = 1, and of size 2 (1,2):(3,1) with M = 2, as in `test_definition_2_5_depends_on_modes_of_size_1`.
    """
    spoilt = []
    for (n, m), (d, e), bound in product(product((1, 2, 3), repeat=2), product(range(1, 9), repeat=2), range(1, 13)):
        if bound % (n * m):
            continue
        own = [(n, d), (m, e)]
        exists = any(sorted(table([*own, *other])) == list(range(bound)) for other in _complements(bound // (n * m)))
        assert exists == admissible([mode for mode in own if mode[0] > 1] or [(1, 1)], bound)
        if exists != admissible(own, bound):
            spoilt.append((n + m + d + e + bound, n * m, own, bound))
    assert min(spoilt)[2:] == ([(1, 1), (1, 2)], 1)
    assert min(found for found in spoilt if found[1] == 2)[2:] == ([(1, 3), (2, 1)], 2)


@cache
def _complements(size: int) -> list[Modes]:
    """Every layout of that size without modes of size 1, with strides up to 11: as far as M = 12 needs them."""
    return list(_of_size(size, 12))


def _of_size(size: int, top: int) -> Iterator[Modes]:
    from oracle.cute_brute import factorisations

    for shape in factorisations(size):
        for strides in product(range(1, top), repeat=len(shape)):
            yield list(zip(shape, strides, strict=True)) or [(1, 1)]
