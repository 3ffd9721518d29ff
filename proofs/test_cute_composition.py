"""The statements of "CuTe Layout Algebra" (L. Mao) on composition, division and product: Definitions 2.11 to 2.23
and 4.1.

Each docstring says what is claimed, in our words, and how it was decided: proved for all integers at the ranks
named, checked exhaustively up to the bound named, or refuted with the smallest example.

A shape S = (M_0, …, M_α) counts its last factor as ∞. Definitions are written out here word by word, and the
predicates of `admissibility` are compared with them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise, product
from math import inf, prod

import admissibility as mao
import pytest
from definitions import Claims, flat
from oracle import cute_brute
from oracle.cute_brute import Modes, table, value

from symview import cute
from symview.cute import Layout
from symview.logic.points import by_size
from symview.rules import checked, theorem

Factors = tuple[float, ...]


def endless(shape: Sequence[int]) -> Factors:
    """The shape with its last factor replaced by ∞."""
    return (*shape[:-1], inf)


def divisions(factors: Factors, d: int, weak: bool = False) -> list[tuple[int, int, Factors]]:
    """Definition 2.11, word by word: every i that will do, with c and the induced factors."""
    found = []
    for i, factor in enumerate(factors):
        before = prod(int(m) for m in factors[:i])
        if d % before:
            continue
        c = d // before
        if i == len(factors) - 1:
            found.append((i, c, (inf,)))
        elif 1 <= c < factor and (weak or factor % c == 0):
            found.append((i, c, (factor // c, *factors[i + 1 :])))
    return found


def admissible_mode(shape: Sequence[int], n: int, r: int, cutlass: bool = False) -> bool:
    """Definition 2.12, or 2.21 with `cutlass`, word by word."""
    first = divisions(endless(shape), r) if r >= 1 else []
    return bool(first) and bool(divisions(first[0][2], n, weak=not cutlass))


def interval(shape: Sequence[int], n: int, r: int) -> set[int]:
    """Definition 2.16, word by word."""
    return set(range(r, r * (n - 1) + 1)) & set(range(1, prod(shape[:-1])))


def admissible(shape: Sequence[int], inner: Modes, cutlass: bool = False) -> bool:
    """Definition 2.17, word by word."""
    modes = all(admissible_mode(shape, n, r, cutlass) for n, r in inner)
    return modes and not any(interval(shape, *a) & interval(shape, *b) for a, b in combinations(inner, 2))


def shapes(rank: int, top: int, least: int = 2) -> Iterator[tuple[int, ...]]:
    """All shapes of that rank with entries from `least` to `top`."""
    return product(range(least, top + 1), repeat=rank)


def generic(shape: Sequence[int]) -> Modes:
    """Strides with which no two values of the layout agree by accident: powers of 97."""
    return [(m, 97**k) for k, m in enumerate(shape)]


def composes(outer: Modes, inner: Modes, parts: Sequence[Modes]) -> bool:
    """Whether the concatenation of the parts has the values f̂_A ∘ f_B on the domain of B."""
    whole = [mode for part in parts for mode in part]
    return table(whole) == [value(outer, value(inner, x)) for x in range(cute_brute.size(inner))]


# Divisibility


@checked("up to three factors from 2 to 5 (1 to 5 as well: factors of 1 do no harm), d up to 80")
def test_definition_2_11_the_division_index_is_unique() -> None:
    """At most one i satisfies the first two conditions, and the predicate finds it.

    Proved below for all values that two indices would contradict each other.
    """
    for rank in (1, 2, 3):
        for shape in shapes(rank, 5, least=1):
            for d in range(1, 81):
                for weak in (False, True):
                    found = divisions(endless(shape), d, weak)
                    assert len(found) <= 1
                    ours = mao.left_division(shape, d, weak)
                    assert bool(ours) == bool(found)
                    if found:
                        assert (ours.index, ours.rest) == found[0][:2]
                        strict = divisions(endless(shape), d)
                        induced = ours.factors and tuple(inf if m is None else m for m in ours.factors)
                        assert induced == (strict[0][2] if strict else None)


@theorem
def test_definition_2_11_two_indices_contradict_each_other() -> Claims:
    """That c = c'·M_i·p with c < M_i, p >= 1 and c' >= 1 is impossible. Proved for all values."""
    yield "not (c == e*m*p and c < m)", "m >= 2 and p >= 1 and e >= 1"


@checked("the smallest examples")
def test_definition_2_11_left_divisible_does_not_mean_divisible() -> None:
    """M may be left divisible by numbers that do not divide M, since the last factor counts as ∞.

    Smallest example by the sum of the factors and d, factors from 2 on: M = 2 and d = 1 divides, so d = 3. The other
    way round, d that divides M and not from the left: M = 3·2 and d = 2, which neither divides 3 nor is divided by it.
    """
    by_sum = [e for e in by_size([(2, 4), (1, 6)]) if e[0] % e[1] and divisions(endless(e[:1]), e[1])]
    assert by_sum[0] == (2, 3)
    crossed = (
        e for e in by_size([(2, 4), (2, 4), (1, 6)]) if e[0] * e[1] % e[2] == 0 and not divisions(endless(e[:2]), e[2])
    )
    assert next(crossed) == (3, 2, 2)


@theorem
def test_definition_2_11_induced_factorisation() -> tuple[str, str]:
    """d·(M_i/c) = M_0·…·M_i: what is left after the division is M with d taken from the left. Proved for all values."""
    return "(p*c)*(m//c) == p*m", "c >= 1 and m >= 1 and m % c == 0"


# One mode


@checked("shapes of rank up to 3, entries 2 to 4")
def test_definition_2_12_and_2_21_predicates_are_the_definitions() -> None:
    """Admission in the restricted case, and CUTLASS's, which is stricter."""
    stricter = 0
    for rank in (1, 2, 3):
        for shape in shapes(rank, 4):
            for n, r in product(range(1, 13), range(1, 17)):
                for cutlass in (False, True):
                    expected = admissible_mode(shape, n, r, cutlass)
                    assert bool(mao.admissible_mode(shape, Layout(n, r), cutlass)) == expected
                if admissible_mode(shape, n, r, True):
                    assert admissible_mode(shape, n, r)
                else:
                    stricter += admissible_mode(shape, n, r)
    assert stricter > 50


def restricted(top: int = 5, least: int = 2) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """All admissible (S, N:r): rank up to 3, entries up to `top`, N up to 24, r up to 30."""
    for rank in (1, 2, 3):
        for shape in shapes(rank, top if rank < 3 else 3, least):
            for n, r in product(range(1, 25), range(1, 31)):
                if admissible_mode(shape, n, r):
                    yield shape, n, r


def by_formula(outer: Modes, n: int, r: int) -> Modes:
    """Definition 2.13, word by word: the modes of A ∘ (N:r)."""
    shape, strides = [m for m, _ in outer], [d for _, d in outer]
    ((i, c, left),) = divisions(endless(shape), r)
    if n <= left[0]:
        return [(n, c * strides[i])]
    ((j, last, _),) = divisions(left, n, weak=True)
    modes = [(int(left[0]), c * strides[i]), *zip(shape[i + 1 : i + j], strides[i + 1 : i + j], strict=True)]
    return [*modes, (last, strides[i + j])] if last > 1 else modes


@checked("all `restricted` pairs, with generic strides, so for all strides: values are linear in them")
def test_definition_2_13_and_proposition_2_14() -> None:
    """A ∘ (N:r) as defined has the values f̂_A ∘ f_B, and size N; `composition` returns the same function.

    Shape and stride are those of the formula.
    """
    for shape, n, r in restricted():
        outer = generic(shape)
        found = mao.composition_by_definition(flat(outer), Layout(n, r))
        assert found.flat() == by_formula(outer, n, r)
        assert found.size() == n
        assert composes(outer, [(n, r)], [found.flat()])
        assert cute.same_function(cute.composition(flat(outer), Layout(n, r)), found)


@theorem
def test_proposition_2_14_two_modes() -> Claims:
    """(m, ∞):(d, e) ∘ N:r in the three cases of Definition 2.13. Proved for all values.

    r = c with m = c·q, first for N <= q, then for N = q·c'; and r = m·c, where the last mode alone is used.
    """
    yield "(k*c) % (c*q)*d + (k*c)//(c*q)*e == k*(c*d)", "c >= 1 and q >= 1 and 0 <= k < n and n <= q"
    yield "(k*c) % (c*q)*d + (k*c)//(c*q)*e == (k % q)*(c*d) + (k//q)*e", "c >= 1 and q >= 1 and k >= 0"
    yield "(k*(m*c)) % m*d + (k*(m*c))//m*e == k*(c*e)", "m >= 1 and c >= 1 and k >= 0"


@theorem
def test_definition_2_13_size_of_the_composition() -> Claims:
    """size(A ∘ B) = size(B): in the split case (M_i/c)·c' = N. Proved for all values, at two modes."""
    yield "(m//c)*e == n", "c >= 1 and m >= 1 and m % c == 0 and n % (m//c) == 0 and e == n//(m//c)"


@pytest.mark.dear
@checked("shapes of rank to 3 with entries to 3, all strides", refutes=True)
def test_definition_2_13_a_need_not_be_coalesced() -> None:
    """Refuted: that without coalescing A some compositions are not valid. The formula holds for every admissible pair.

    Exhaustive: shapes of rank up to 3 with entries from 1 to 3, with generic strides, so for all strides, and with
    contiguous ones, so that all of A would coalesce. What coalescing changes is how many pairs are admissible: smallest
    example by the sum of all entries, (2,2):(1,2) with 3:1, which coalesced is 4:1; and the extension, where the last
    mode has size 1, as `test_cute_layouts` shows.
    """
    for shape, n, r in restricted(3, least=1):
        for outer in (generic(shape), [(m, prod(shape[:k])) for k, m in enumerate(shape)]):
            found = mao.composition_by_definition(flat(outer), Layout(n, r)).flat()
            assert found == by_formula(outer, n, r)
            assert composes(outer, [(n, r)], [found])
    gained = next(
        (m, k, n, r)
        for m, k, n, r in by_size([(2, 6), (2, 6), (2, 6), (1, 6)])
        if admissible_mode((m * k,), n, r) and not admissible_mode((m, k), n, r)
    )
    assert gained == (2, 2, 3, 1)
    assert not mao.admissible_mode((2, 2), Layout(3, 1))


@checked("the smallest example")
def test_proposition_2_14_admission_is_not_needed() -> None:
    """Admission is sufficient, not necessary: (4,4):(4,1) ∘ 4:5 = 4:5, and (2,3,5):(1,1,4) ∘ 3:3 = 3:2 by cancelling
    carries.

    Smallest example by the sum of all entries, for coalesced A of two modes: (2,2):(0,1) ∘ 2:3, two values, which any
    layout of size 2 has.
    """
    assert not mao.admissible_mode((4, 4), Layout(4, 5))
    assert str(cute.composition(Layout((4, 4), (4, 1)), Layout(4, 5))) == "4:5"
    assert not mao.admissible_mode((2, 3, 5), Layout(3, 3))
    assert str(cute.composition(Layout((2, 3, 5), (1, 1, 4)), Layout(3, 3))) == "3:2"
    smallest = next(
        (m, k, d, e, n, r)
        for m, k, d, e, n, r in by_size([(2, 5), (2, 5), (0, 5), (0, 5), (2, 6), (1, 9)])
        if e != m * d
        and not admissible_mode((m, k), n, r)
        and cute_brute.composition([(m, d), (k, e)], [(n, r)]) is not None
    )
    assert smallest == (2, 2, 0, 1, 2, 3)


def without_second_condition(shape: Sequence[int], strides: Sequence[int], n: int, r: int) -> Modes:
    """The document's composition with c' rounded up, where the second condition is dropped."""
    ((i, c, left),) = divisions(endless(shape), r)
    steps = [c * strides[i], *strides[i + 1 :]]
    modes: Modes = []
    rest: float = n
    for m, step in zip(left, steps, strict=True):
        if rest <= m:
            break
        modes.append((int(m), step))
        rest /= m
    last = -(-n // prod(m for m, _ in modes))
    return [*modes, (last, step)] if last > 1 or not modes else modes


@checked("shapes of rank up to 3, entries 2 to 4, N up to 20, r up to 12")
def test_proposition_2_14_second_condition_is_not_needed_for_one_mode() -> None:
    """With c' rounded up, f_{A∘B} = f̂_A ∘ f_B on the domain of a B of length 1, though the size may be larger."""
    larger = 0
    for rank in (1, 2, 3):
        for shape in shapes(rank, 4 if rank < 3 else 3):
            outer = generic(shape)
            for n, r in product(range(1, 21), range(1, 13)):
                if divisions(endless(shape), r):
                    found = without_second_condition(shape, [d for _, d in outer], n, r)
                    assert table(found)[:n] == [value(outer, r * x) for x in range(n)]
                    larger += len(table(found)) > n
    assert larger > 100


@checked("A and B of two modes to 3", refutes=True)
def test_proposition_2_14_second_condition_for_several_modes() -> None:
    """Refuted: that without size(A∘B) = size(B) the equality cannot hold for B of several modes.

    It does where only the last mode of B is rounded up. Smallest example by the sum of all entries, A with generic
    strides: S = (2,2) and B = (2,3):(2,1), which gives a layout of size 8 whose first 6 values are right. Searched:
    A of
    two modes up to 3, B of two modes up to 3.
    """
    found = next(
        (m, k, n, r, p, q)
        for m, k, n, r, p, q in by_size([(2, 3), (2, 3), (2, 3), (1, 4), (2, 3), (1, 4)])
        if divisions(endless((m, k)), r) and divisions(endless((m, k)), q) and _rounded(m, k, [(n, r), (p, q)])
    )
    assert found == (2, 2, 2, 2, 3, 1)


def _rounded(m: int, k: int, inner: Modes) -> bool:
    """Whether rounding up makes the composition larger and keeps its values."""
    outer = generic((m, k))
    parts = [without_second_condition((m, k), [d for _, d in outer], *mode) for mode in inner]
    whole = [mode for part in parts for mode in part]
    size = cute_brute.size(inner)
    wanted = [value(outer, value(inner, x)) for x in range(size)]
    return len(table(whole)) > size and table(whole)[:size] == wanted


# Several modes


@checked("shapes of rank up to 3, entries up to 4")
def test_definition_2_16_interval() -> None:
    """The interval of definition is the predicate's."""
    for rank in (1, 2, 3):
        for shape in shapes(rank, 4, least=1):
            for n, r in product(range(1, 9), range(1, 17)):
                assert set(mao.interval_of_definition(shape, Layout(n, r))) == interval(shape, n, r)


@checked("shapes of rank 2, entries 2 to 4, B of two modes with sizes up to 4 and strides up to 6")
def test_definition_2_17_predicate_is_the_definition() -> None:
    """`admissible_for_composition` says what the definition says, written out."""
    for shape in shapes(2, 4):
        for n, r, m, q in product(range(1, 5), range(1, 7), range(1, 5), range(1, 7)):
            for cutlass in (False, True):
                expected = admissible(shape, [(n, r), (m, q)], cutlass)
                assert bool(mao.admissible_for_composition(shape, Layout((n, m), (r, q)), cutlass)) == expected


def overflowing(tops: range, count: int, cutlass: bool) -> tuple[int, Modes] | None:
    """The first S = (M_0, 2), then the first B of `count` modes inside M_0, admissible though their sum reaches M_0."""
    for m in tops:
        modes = [
            (n, r) for r in range(1, m) for n in range(2, m + 1)
            if (n - 1) * r < m and admissible_mode((m, 2), n, r, cutlass)
        ]  # fmt: skip
        for inner in combinations(modes, count):
            if sum((n - 1) * r for n, r in inner) >= m and admissible((m, 2), list(inner), cutlass):
                return m, list(inner)
    return None


@checked("the smallest example for S = (M_0, 2)", refutes=True)
def test_theorem_2_18_fails_for_three_modes() -> None:
    """Refuted: that admissible pairs compose mode by mode. Disjoint intervals do not keep sums of three from
    overflowing.

    Smallest example by M_0, for S = (M_0, 2): (6,2):(d,e) and B = (2,2,2):(1,2,3), with the intervals [1,1], [2,2],
    [3,3]. At (1,1,1) f̂_A(1 + 2 + 3) = e, and the sum of the parts is 6d; so whenever e ≠ 6d, as in (6,2):(1,1).
    """
    assert overflowing(range(2, 7), 2, False) is None
    assert overflowing(range(2, 6), 3, False) is None
    assert overflowing(range(2, 7), 3, False) == (6, [(2, 1), (2, 2), (2, 3)])
    outer, inner = Layout((6, 2), (1, 1)), Layout((2, 2, 2), (1, 2, 3))
    assert mao.admissible_for_composition(outer, inner)
    assert [interval((6, 2), n, r) for n, r in inner.flat()] == [{1}, {2}, {3}]
    assert (outer(inner(1, 1, 1)), 6 * outer(1)) == (1, 6)
    assert cute_brute.composition(outer.flat(), inner.flat()) is None
    assert not cute.try_composition(outer, inner)


@checked("the smallest example for S = (M_0, 2)", refutes=True)
def test_theorem_2_18_fails_under_cutlass_admission_too() -> None:
    """Refuted under Definition 2.21 as well. Smallest by M_0: S = (12, 2), B = (2,2,4):(1,2,3), which reaches 12 at
    (1,1,3).
    """
    assert overflowing(range(2, 12), 3, True) is None
    assert overflowing(range(2, 12), 4, True) is None
    assert overflowing(range(12, 13), 3, True) == (12, [(2, 1), (2, 2), (4, 3)])
    outer, inner = Layout((12, 2), (1, 100)), Layout((2, 2, 4), (1, 2, 3))
    assert mao.admissible_for_composition(outer, inner, cutlass=True)
    assert (outer(inner(1, 1, 3)), outer(1) + outer(2) + outer(9)) == (100, 12)
    assert not cute.try_composition(outer, inner)


@theorem
def test_theorem_2_18_holds_for_two_modes() -> Claims:
    """With c the larger stride of two admissible modes and y a value of the other, no sum y + c·x carries.

    Every boundary P of A is a multiple of c or divides it, since the shape is left divisible by c. Where P divides c
    there is nothing to show about y. Where P = c·q is larger, c is below M', and disjoint intervals keep y below c:
    if a value of the other mode reached c, c would lie in both. (S = (2,2) and B = (4,2):(1,2) is admissible with y
    up to 3, above c = 2, and there 2 is the only boundary.) Proved for all values: floor((y + c·x)/P) = floor(c·x/P) +
    floor(y/P) in both cases, and that c then lies in both intervals.
    """
    yield "r <= c <= (n - 1)*r and c <= (m - 1)*c", "1 <= r <= c and m >= 2 and (n - 1)*r >= c"
    yield "(y + c*x)//(c*q) == x//q and (c*x)//(c*q) == x//q and y//(c*q) == 0", "0 <= y < c and q >= 1 and x >= 0"
    yield "(y + m*p*x)//m == p*x + y//m and (m*p*x)//m == p*x", "m >= 1 and p >= 1 and x >= 0 and y >= 0"


@checked("shapes of rank 2 and 3 with entries to 5 and 3, B of two modes with sizes to 6")
def test_theorem_2_18_for_two_modes_exhaustively() -> None:
    """The same by tables: shapes of rank 2 and 3, entries 2 to 5 (2 to 3), B of two modes with sizes up to 6."""
    count = 0
    for shape in [*shapes(2, 5), *shapes(3, 3)]:
        modes = [(n, r) for n in range(1, 7) for r in range(1, 11) if admissible_mode(shape, n, r)]
        outer = generic(shape)
        for inner in product(modes, repeat=2):
            if admissible(shape, list(inner)):
                parts = [mao.composition_by_definition(flat(outer), Layout(*mode)).flat() for mode in inner]
                assert parts == [by_formula(outer, *mode) for mode in inner]
                assert composes(outer, list(inner), parts)
                (n, r), (m, c) = sorted(inner, key=lambda mode: mode[1])
                assert (n - 1) * r < c or c % prod(shape[:-1]) == 0 or 1 in (n, m)
                count += 1
    assert count > 1000
    assert admissible((2, 2), [(4, 1), (2, 2)])


@checked("S = (M, 3) with M up to 12, B of three modes with sizes up to 6 and strides up to M")
def test_theorem_2_18_holds_where_strides_divide_each_other() -> None:
    """Corrected: it holds for any number of modes if, sorted, each stride divides the next; sums then stay below it."""
    count = 0
    for m in range(2, 13):
        modes = [(n, r) for n in range(2, 7) for r in range(1, m + 1) if admissible_mode((m, 3), n, r)]
        for inner in combinations(modes, 3):
            strides = sorted(r for _, r in inner)
            if all(b % a == 0 for a, b in pairwise(strides)) and admissible((m, 3), list(inner)):
                parts = [mao.composition_by_definition(flat(generic((m, 3))), Layout(*mode)).flat() for mode in inner]
                assert composes(generic((m, 3)), list(inner), parts)
                count += 1
    assert count > 30


@checked("two modes with sizes 2 to 4, strides to 8")
def test_theorem_2_18_layout_functions_are_not_linear() -> None:
    """(2,3):(1,4) has f̂(1) = 1 and f̂(3) = f̂(1 + 1 + 1) = 5, not 3.

    Exhaustive for two modes with sizes 2 to 4 and strides up to 8: f̂ is additive below 2·size exactly if d_1 = M_0·d_0.
    """
    example = Layout((2, 3), (1, 4))
    assert (example(1), example(3)) == (1, 5)
    for m, k, d, e in product(range(2, 5), range(2, 5), range(9), range(9)):
        values = [value([(m, d), (k, e)], x) for x in range(2 * m * k)]
        additive = all(values[x + 1] == values[x] + values[1] for x in range(2 * m * k - 1))
        assert additive == (e == m * d)


@theorem
def test_theorem_2_18_special_case_of_one_value_a_digit() -> Claims:
    """f̂_A(x_0 + … + x_α) = f̂_A(x_0) + … + f̂_A(x_α), if x_k is a multiple of M_0·…·M_{k-1} that moves digit k alone.

    Proved for all values at two and three modes. The document keeps x_k below M_k; below M_0·…·M_k is enough, and
    that is where digit k takes all its values. The last digit has no bound.
    """
    yield "(i + j*a) % a*d + (i + j*a)//a*e == i*d + j*e", "a >= 1 and 0 <= i < a and j >= 0"
    sizes = "a >= 1 and b >= 1 and 0 <= i < a and 0 <= j < b"
    x = "(i + j*a + k*(a*b))"
    yield f"{x} % a == i and {x}//a % b == j and {x}//(a*b) == k", (sizes, "k >= 0")
    yield "(j*a) % a == 0 and (j*a)//a % b == j and (j*a)//(a*b) == 0", sizes
    yield "(k*(a*b)) % a == 0 and (k*(a*b))//a % b == 0 and (k*(a*b))//(a*b) == k", sizes


@checked("the smallest examples", refutes=True)
def test_theorem_2_18_the_extension_does_not_reduce_its_last_digit() -> None:
    """Refuted, in the proofs of 2.14 and 2.18: f̂_A with its last digit taken mod M_α, which is right on [0, M) only.

    Smallest example by the sum of the entries and x, strides from 1 on: A = 1:1, x = 1, where f̂(1) = 1, not 0. With
    two modes, sizes from 2 on, (2,2):(1,1) at x = 4.
    """
    found = [(m, d, x) for m, d, x in by_size([(1, 4), (1, 4), (0, 8)]) if Layout(m, d)(x) != x % m * d]
    assert found[0] == (1, 1, 1)
    double = by_size([(2, 3), (2, 3), (1, 3), (1, 3), (0, 12)])
    wrong = ((m, k, d, e, x) for m, k, d, e, x in double if Layout((m, k), (d, e))(x) != x % m * d + x // m % k * e)
    assert next(wrong) == (2, 2, 1, 1, 4)


@checked("the smallest example", refutes=True)
def test_theorem_2_18_disjoint_digits_are_not_needed() -> None:
    """Refuted, in the proof: that the modes use disjoint digits of A. (4,2) with (2,2):(1,2) is admissible and uses
    one.

    Smallest example by the sum of the entries of S and B; the composition is right.
    """
    found = next(
        (m, n, r, p, q)
        for m, n, r, p, q in by_size([(2, 5), (2, 3), (1, 3), (2, 3), (1, 3)])
        if admissible((m, 2), [(n, r), (p, q)]) and (n - 1) * r < m and (p - 1) * q < m
    )
    assert found == (4, 2, 1, 2, 2)


@checked("C_0 of two modes, C_1 of two modes, sizes up to 3, generic strides; proved below for two parts")
def test_lemma_2_19_concatenation() -> None:
    """f_C(x) is the sum of f_{C_k} at the digits of x with respect to the sizes of the C_k."""
    for a, b, c, d in product(range(1, 4), repeat=4):
        first, second = [(a, 97), (b, 101)], [(c, 103), (d, 107)]
        whole = cute.make_layout(flat(first), flat(second))
        assert whole == Layout(((a, b), (c, d)), ((97, 101), (103, 107)))
        assert cute.flatten(cute.make_layout(flat(first), flat(second))) == flat([*first, *second])
        for x in range(a * b * c * d):
            assert whole(x) == value(first, x % (a * b)) + value(second, x // (a * b))


@theorem
def test_lemma_2_19_two_parts() -> Claims:
    """The digits of (C_0, C_1) are those of x mod size(C_0) and of floor(x/size(C_0)). Proved for C_0 of two modes."""
    sizes = "a >= 1 and b >= 1 and x >= 0"
    yield "x % (a*b) % a == x % a and x % (a*b)//a == x//a % b and x//(a*b) == x//a//b", sizes


@checked("the example")
def test_definition_2_21_example() -> None:
    """(8,6,8):(1,16,108) ∘ 8:4 = (2,4):(4,16), admissible by Definition 2.12 and not by 2.21.

    By tables. Refuted, as far as pycute, CUTLASS's own Python version, shows it: that the composition is an error.
    pycute returns it. It is the division A/B that fails there, and rightly: the complement of B up to 384 is
    (4,12):(1,32), and 12:32 does not compose with A. What the C++ of CUTLASS refuses was not tried.
    """
    outer, inner = Layout((8, 6, 8), (1, 16, 108)), Layout(8, 4)
    with pytest.raises(cute.NoComposition, match="12:32"):
        cute.logical_divide(outer, inner)
    assert cute.complement(inner, outer.size()) == Layout((4, 12), (1, 32))
    assert cute_brute.composition(outer.flat(), [(12, 32)]) is None
    assert cute_brute.composition(outer.flat(), inner.flat()) == [[(2, 4), (4, 16)]]
    assert cute.composition(outer, inner) == mao.composition_by_definition(outer, inner) == Layout((2, 4), (4, 16))
    assert mao.admissible_mode(outer, inner)
    assert not mao.admissible_mode(outer, inner, cutlass=True)
    pycute = pytest.importorskip("pycute")
    theirs = pycute.Layout(outer.shape, outer.stride), pycute.Layout(8, 4)
    assert str(pycute.composition(*theirs)) == "(2, 4):(4, 16)"
    with pytest.raises(AssertionError):
        pycute.logical_divide(*theirs)


@checked("sizes up to 4, strides up to 3")
def test_by_mode_composition() -> None:
    """A ∘ ⟨B_0, B_1⟩ = (A_0 ∘ B_0, A_1 ∘ B_1), with the values of each.

    Refuted for pycute and symview: that a tiler may have more modes than A, and the rest of it is ignored. They refuse
    it; smallest example: A of one mode, ⟨1, 1⟩.
    """
    for a, b, n, r in product(range(1, 5), range(1, 5), range(1, 5), range(1, 4)):
        outer = Layout((a, b), (7, 101))
        found = cute.try_composition(outer, (Layout(n, r), Layout(2, 1)))
        assert [found(x) for x in range(found.size())] == [7 * r * x + 101 * y for y in range(2) for x in range(n)]
    for modes in (1, 2):
        with pytest.raises(cute.LayoutError, match=f"tiler has {modes + 1} modes"):
            cute.composition(Layout((1,) * modes), (1,) * (modes + 1))
    pycute = pytest.importorskip("pycute")
    for modes in (1, 2):
        with pytest.raises(AssertionError):
            pycute.composition(pycute.Layout((1,) * modes), (1,) * (modes + 1))


@checked("sizes up to 3, B = N:r")
def test_non_integral_composition_may_coalesce_first() -> None:
    """A ∘ B does not depend on how A and B are nested, up to the nesting of B."""
    for a, b, c, n, r in product(range(1, 4), range(1, 4), range(2, 4), range(1, 7), range(1, 5)):
        nested, plain = Layout(((a, b), c), ((5, 11), 31)), Layout((a, b, c), (5, 11, 31))
        one, other, third = (cute.try_composition(x, Layout(n, r)) for x in (nested, plain, cute.coalesce(plain)))
        assert bool(one) == bool(other) == bool(third)
        if one:
            assert one == other == third


# Division


def complement_admissible(inner: Modes, bound: int) -> bool:
    """Definition 2.5 for positive strides."""
    return bool(mao.admissible_for_complementation(flat(inner), bound))


@cache
def divided(cutlass: bool) -> tuple[tuple[tuple[int, ...], Modes], ...]:
    """All (S, B) with {B, M} and {S, B} admissible: S of rank up to 3, entries 2 to 4, B of one or two modes."""
    found = []
    for shape in [*shapes(1, 12), *shapes(2, 6), *shapes(3, 4)]:
        size = prod(shape)
        modes = [
            (n, r) for n in range(1, 9) for r in range(1, 25)
            if size % (n * r) == 0 and admissible_mode(shape, n, r, cutlass)
        ]  # fmt: skip
        for inner in [*([m] for m in modes), *map(list, product(modes, repeat=2))]:
            if complement_admissible(inner, size) and admissible(shape, inner, cutlass):
                found.append((shape, inner))
    return tuple(found)


def whole_divisor(inner: Modes, bound: int) -> Modes:
    """(B, complement(B, M)), the complement by Definition 2.6."""
    found, reach = [], 1
    for n, d in sorted(inner, key=lambda m: (m[1], m[0])):
        found.append((d // reach, reach))
        reach = n * d
    return [*inner, *found, (bound // reach, reach)]


@pytest.mark.dear
@checked("all pairs `divided(True)`, by tables")
def test_definition_2_22_and_lemma_2_23_division() -> None:
    """With CUTLASS's admission, {S, (B, complement(B, M))} is admissible, and A/B has A's values in another order."""
    assert len(divided(True)) > 300
    for shape, inner in divided(True):
        outer, both = generic(shape), whole_divisor(inner, prod(shape))
        assert admissible(shape, both, True)
        found = cute.logical_divide(flat(outer), flat(inner))
        assert table(found.flat()) == [value(outer, x) for x in table(both)]
        assert sorted(table(found.flat())) == sorted(table(outer))


def left_out(last: bool) -> list[tuple[int, int, int, tuple[int, ...], Modes]]:
    """The pairs `divided(True)`, B of modes from 2 on, for which a claim of the lemma's proof is false, by the sizes of
    A and B: that M is left divisible by M/(N·r) of the last mode, or by each r_k/(N_{k-1}·r_{k-1}) before it.
    """
    found = []
    for shape, inner in divided(True):
        ordered = sorted(inner, key=lambda m: (m[1], m[0]))
        gaps = [e // (n * d) for (n, d), (_, e) in pairwise(ordered)]
        query = [prod(shape) // prod(ordered[-1])] if last else gaps
        if all(n > 1 for n, _ in inner) and not all(divisions(endless(shape), d) for d in query):
            found.append((prod(shape), len(shape), cute_brute.size(inner), shape, inner))
    return found


@checked("the smallest example", refutes=True)
def test_lemma_2_23_the_last_gap_need_not_divide() -> None:
    """Refuted, in the proof: "trivially" M is left divisible by M/(N_φ(β)·r_φ(β)). Smallest example by the sizes of A
    and B: S = (2,3) and B = 2:1, where 6/2 = 3, and 2 does not divide 3.

    The lemma does not suffer: M̂', what is left after the stride N·r, has to be divisible, and is; that is what
    `test_definition_2_22_and_lemma_2_23_division` tries.
    """
    assert min(left_out(True)) == (6, 2, 2, (2, 3), [(2, 1)])
    assert not divisions(endless((2, 3)), 3)
    assert divisions(divisions(endless((2, 3)), 2)[0][2], 3)


@checked("size(A) to 16", refutes=True)
def test_lemma_2_23_a_gap_between_modes_need_not_divide() -> None:
    """Refuted, in the proof: M is left divisible by r_φ(k)/(N_φ(k-1)·r_φ(k-1)). Smallest example by the sizes of A and
    B: S = (2,6) and B = (2,2):(1,6), where 6/2 = 3; by the sum of all entries, S = (2,3,2) with the same B.

    Among the pairs `divided(True)`; with three modes of B there is no gap below size(A) = 16.
    """
    found = left_out(False)
    assert min(found) == (12, 2, 4, (2, 6), [(2, 1), (2, 6)])
    assert min(found, key=lambda f: (sum(f[3]) + sum(map(sum, f[4])), f))[3:] == ((2, 3, 2), [(2, 1), (2, 6)])


@checked("the smallest example", refutes=True)
def test_lemma_2_23_fails_under_the_weaker_admission() -> None:
    """Refuted with Definition 2.12 in place of 2.21, as the document expects.

    Smallest by the sizes of A and B, B of modes from 2 on: S = (3,2) and B = 2:1. Its complement up to 6 is 3:2, and 2
    does not divide (3, ∞) from the left.
    """
    failing = [
        (prod(shape), shape, inner)
        for shape, inner in divided(False)
        if not admissible(shape, whole_divisor(inner, prod(shape)), False) and all(n > 1 for n, _ in inner)
    ]
    size, shape, inner = min(failing, key=lambda f: (f[0], len(f[1]), cute_brute.size(f[2]), f[2]))
    assert (size, shape, inner) == (6, (3, 2), [(2, 1)])
    assert not any(f in divided(True) for f in [(s, i) for _, s, i in failing])


@checked("A of two modes, sizes 2 to 4, strides 0 to 5, all tiles N:r")
def test_logical_division_keeps_domain_and_values() -> None:
    """A/B has A's size and A's values in another order, whenever B's complement fits size(A).

    Exhaustive: A of two modes, sizes 2 to 4, strides 0 to 5; tiles N:r with N·r dividing size(A): wherever the exact
    division answers.
    """
    answered = 0
    for a, b, d, e in product(range(2, 5), range(2, 5), range(6), range(6)):
        outer = Layout((a, b), (d, e))
        for n, r in product(range(1, a * b + 1), range(1, a * b + 1)):
            if a * b % (n * r):
                continue
            try:
                found = cute.logical_divide(outer, Layout(n, r))
            except cute.NoComposition:
                continue
            answered += 1
            assert sorted(table(found.flat())) == sorted(table(outer.flat()))
    assert answered > 1000


@checked("the smallest example", refutes=True)
def test_by_mode_division_needs_the_size_of_each_mode() -> None:
    """Refuted as written: the by-mode division completes each B_k to M, the size of all of A, where it has to be
    size(A_k).

    Smallest example with sizes from 2 on: A = (2,2) with the tiler ⟨2:1⟩ has M = 4, and 2:1 completed to 4 has size 4,
    while A_0 has size 2. CuTe takes size(A_k).
    """
    outer, tile = Layout((2, 2), (1, 10)), Layout(2, 1)
    as_written = cute.composition(outer[0], cute.make_layout(tile, cute.complement(tile, outer.size())))
    assert as_written.size() == 4 != outer[0].size()
    assert cute.logical_divide(outer, (tile,))[0].size() == 2


@checked("A_0 of two modes to 3, all tiles N:1")
def test_zipped_division_and_the_shape_of_tiles() -> None:
    """The size of A_k ∘ B_k is that of B_k and the size of the rest size(A_k)/size(B_k); refuted is that the shape
    is B_k's.

    Smallest example by the sum of A's and B's entries: A_0 = (2,2):(0,1) with the tile 4:1 gives (2,2):(0,1).
    Exhaustive
    for the sizes: A_0 = (a,b) with entries 2 to 3, B_0 = N:1 with N dividing size(A_0).
    """
    for a, b in product((2, 3), repeat=2):
        outer = Layout(((a, b), 5), ((1, 10), 100))
        for n in range(1, a * b + 1):
            if a * b % n or not cute.try_composition(outer[0], Layout(n)):
                continue
            try:
                zipped = cute.zipped_divide(outer, (n, 5))
            except cute.NoComposition:
                continue
            assert (zipped[0].size(), zipped[1].size()) == (n * 5, a * b // n)
    split = next(
        (a, b, d, e, n)
        for a, b, d, e, n in by_size([(2, 3), (2, 3), (0, 3), (0, 3), (2, 6)])
        if a * b % n == 0 and isinstance(getattr(cute.try_composition(Layout((a, b), (d, e)), n), "shape", 0), tuple)
    )
    assert split == (2, 2, 0, 1, 4)


@checked("compact A = (a,b) with entries up to 6, tiles that divide them")
def test_logical_division_variants() -> None:
    """With A/B = ((t_0, r_0), (t_1, r_1)): zipped ((t_0, t_1), (r_0, r_1)), tiled ((t_0, t_1), r_0, r_1), flat all
    four.
    """
    for a, b in product(range(1, 7), repeat=2):
        for n, m in product(range(1, a + 1), range(1, b + 1)):
            if a % n or b % m:
                continue
            outer = Layout((a, b), (1, 100))
            (t0, r0), (t1, r1) = cute.logical_divide(outer, (n, m))
            tiles, rests = cute.make_layout(t0, t1), cute.make_layout(r0, r1)
            assert cute.zipped_divide(outer, (n, m)) == cute.make_layout(tiles, rests)
            assert cute.tiled_divide(outer, (n, m)) == cute.make_layout(tiles, r0, r1)
            assert cute.flat_divide(outer, (n, m)) == cute.make_layout(t0, t1, r0, r1)
            assert cute.same_function(tiles, cute.composition(outer, (n, m)))  # a stride of size 1 says nothing


@checked("A = (a, b, (c, d)) with entries up to 3, tilers of no, one and two sizes that divide theirs")
def test_by_mode_division_keeps_the_modes_beyond_the_tiler() -> None:
    """With fewer tiles than modes, A/⟨B_0, …, B_β⟩ = (A_0/B_0, …, A_β/B_β, A_{β+1}, …, A_α), in all variants."""
    for a, b, c, d in product(range(1, 4), repeat=4):
        outer = Layout((a, b, (c, d)), (1, 10, (200, 100)))
        for tiler in [(), *[(n,) for n in (1, a)], *product((1, a), (1, b))]:
            pairs = [cute.logical_divide(mode, n) for mode, n in zip(outer, tiler, strict=False)]
            kept = list(outer)[len(tiler) :]
            assert cute.logical_divide(outer, tiler) == cute.make_layout([*pairs, *kept])
            tiles, rests = [p[0] for p in pairs], [*[p[1] for p in pairs], *kept]
            assert cute.zipped_divide(outer, tiler) == cute.make_layout(
                cute.make_layout(tiles), cute.make_layout(rests)
            )
            assert cute.tiled_divide(outer, tiler) == cute.make_layout([cute.make_layout(tiles), *rests])
            assert cute.flat_divide(outer, tiler) == cute.make_layout([*tiles, *rests])


# Product


@checked("A of one or two modes, sizes to 3, strides to 6, B = N:r, N to 4, r to 3")
def test_definition_4_1_product() -> None:
    """A × B = (A, complement(A, size(A)·cosize(B)) ∘ B): A's values, once for each value of B, apart from one another.

    Exhaustive: A of one or two modes with sizes up to 3 and strides up to 6, which do not overlap unless there is one
    copy, B = N:r with N up to 4 and r up to 3: wherever the exact composition answers. Values stay below
    M = size(A)·cosize(B) if {A, M} is admissible, as the definition asks; CuTe rounds M up instead, so that 2:2 × 1:1
    has the value 2 though M is 2.
    """
    answered = 0
    for shape in [*shapes(1, 4), *shapes(2, 3)]:
        for strides in product(range(1, 7), repeat=len(shape)):
            block = Layout(shape, strides)
            for n, r in product(range(1, 5), range(1, 4)):
                copies = Layout(n, r)
                try:
                    found = cute.logical_product(block, copies)
                except cute.NoAnswer:
                    continue
                answered += 1
                assert found[0] == block
                own, places = table(block.flat()), table(found[1].flat())
                assert table(found.flat()) == [v + p for p in places for v in own]
                assert len(set(table(found.flat()))) == len(set(own)) * n
                assert n == 1 or len(set(own)) == len(own)  # one copy is that of any block
                bound = block.size() * copies.cosize()
                assert not complement_admissible(block.flat(), bound) or max(table(found.flat())) < bound
    assert answered > 200


@checked("compact modes up to 4, copies up to 3")
def test_by_mode_product() -> None:
    """(A_0 × B_0, A_1 × B_1)."""
    for a, b, n, m in product(range(1, 5), range(1, 5), range(1, 4), range(1, 4)):
        outer = Layout((a, b), (1, 1))
        found = cute.logical_product(outer, (n, m))
        assert found == cute.make_layout(cute.logical_product(outer[0], n), cute.logical_product(outer[1], m))
        assert table(found[0].flat()) == list(range(a * n))


@checked("blocks (a,b) with entries up to 4, copies up to 3")
def test_logical_product_variants() -> None:
    """The same arrangements of the product."""
    for a, b, n, m in product(range(1, 5), range(1, 5), range(1, 4), range(1, 4)):
        block = Layout((a, b))
        try:
            (a0, c0), (a1, c1) = cute.logical_product(block, (n, m))
        except cute.NoComposition:
            continue
        blocks, copies = cute.make_layout(a0, a1), cute.make_layout(c0, c1)
        assert cute.zipped_product(block, (n, m)) == cute.make_layout(blocks, copies)
        assert cute.tiled_product(block, (n, m)) == cute.make_layout(blocks, c0, c1)
        assert cute.flat_product(block, (n, m)) == cute.make_layout(a0, a1, c0, c1)
