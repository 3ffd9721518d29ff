"""Left inverses of layouts with strides k·c_j, or with an open last size, beside the search over all shapes."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
import sympy

from oracle import cute_left_inverse_brute as brute
from oracle.test_cute_symbols import put, takes_values_back
from symview.answers import Status
from symview.cute import Layout, NoAnswer, left_inverse, left_inverse_conditions
from symview.cute.symbols.left_inverses.increments import none_from, sized
from symview.cute.symbols.left_inverses.two_strides import beside_multiples, far_above, far_enough

A, B, K, N = sympy.symbols("a b k n", integer=True)


def multiples(rng: Random) -> list[tuple[int, int]]:
    while True:
        rank = rng.randint(1, 3)
        modes = [(rng.choice((1, 2, 2, 3, 3, 4)), rng.choice((0, 1, 2, 2, 3, 3, 4, 5))) for _ in range(rank)]
        if 0 < sum((n - 1) * d for n, d in modes) <= 12:
            return modes


def test_there_is_one_exactly_where_the_search_finds_one(turns) -> None:
    rng, seen = Random("multiples"), Counter()
    for _ in turns(14):
        modes = multiples(rng)
        layout = Layout(tuple(n for n, _ in modes), tuple(d * K for _, d in modes))
        answer = left_inverse_conditions(layout)
        assert all(c.status is not Status.UNDECIDED for c in answer.cases), layout
        for k in range(1, 4):
            if k * sum((n - 1) * d for n, d in modes) <= 12:
                holds = answer.holds({"k": k})
                assert holds == brute.takes_values_back([(n, d * k) for n, d in modes]), (layout, k)
                seen[holds] += 1
        for k in [*range(1, 60), *(rng.randrange(10**9) for _ in range(20))]:
            if (found := answer.layout({"k": k})) is not None:
                assert takes_values_back(found, put(layout, {"k": k})), (layout, k)
    assert seen[True] > 10, seen


def test_the_numbers_without_one_are_named() -> None:
    answer = left_inverse_conditions(Layout((3, 3), (2 * K, 3 * K)), assume="k >= 1")
    assert [k for k in range(1, 200) if not answer.holds({"k": k})] == [1, 2, 3, 5, 9]
    assert not any(brute.takes_values_back([(3, 2 * k), (3, 3 * k)]) for k in (1, 2, 3))
    assert len(answer.cases) == 4


@pytest.mark.parametrize(("shape", "strides"), [((2, 2, 2), (2, 3, 4)), ((4, 4), (3, 5)), ((3, 3, 3), (2, 3, 0))])
def test_every_number_from_some_on_has_one(shape, strides) -> None:
    layout = Layout(shape, tuple(d * K for d in strides))
    answer = left_inverse_conditions(layout, assume="k >= 1")
    assert all(c.status is not Status.UNDECIDED for c in answer.cases)
    for k in [*range(25, 120), 10**12 + 1]:
        assert takes_values_back(answer.layout({"k": k}), put(layout, {"k": k}))


def test_an_open_last_size(turns) -> None:
    rng, seen = Random("open last size"), Counter()
    for _ in turns(16):
        modes = multiples(rng)
        stride = rng.choice((0, 1, 2, 3, 4, 6, 8, 12))
        layout = Layout((*(n for n, _ in modes), N), (*(d for _, d in modes), stride))
        answer = left_inverse_conditions(layout)
        for n in [*range(1, 9), 30, 77]:
            exists = answer.holds({"n": n})
            seen[exists] += 1
            if exists:
                assert takes_values_back(answer.layout({"n": n}), put(layout, {"n": n})), (layout, n)
            if sum((n - 1) * d for n, d in (*modes, (n, stride))) <= 11:
                assert exists == brute.takes_values_back([*modes, (n, stride)]), (layout, n)
                seen["brute", exists] += 1
    assert min(seen[True], seen[False], seen["brute", True]) > 8, seen


def test_two_strides_far_from_each_other_or_from_multiples(turns) -> None:
    """Wherever that is said of two unknown strides; and it is right where the conditions on them just hold."""
    rng, seen = Random("far above"), Counter()
    for turn in turns(4):
        n, m = rng.choice((2, 2, 3, 4)), rng.choice((2, 3, 4, 8))
        layout = Layout((n, m), (A, rng.choice((B, 2 * B)))) if turn % 4 else Layout((2, n, m), (A, 2 * B, B))
        answer = left_inverse_conditions(layout)
        for _ in range(60):
            low = rng.choice((1, 2, 3, 7, 8, 30, rng.randrange(1, 10**6)))
            high = rng.choice((low * rng.randint(1, 3000), 4 * m * low, low**2 // rng.randint(1, 99) + low)) + low // 3
            values = dict(zip("ab", rng.choice(((low, high), (high, low))), strict=True))
            case = answer.case(values)
            if case is not None and case.layout is not None:
                assert takes_values_back(answer.layout(values), put(layout, values)), (layout, values)
                seen[case.headline()] += 1
    assert len(seen) > 8, seen


def test_the_bounds_for_two_strides() -> None:
    rng, seen = Random("two strides"), Counter()
    for _ in range(1500):
        n, m, k = rng.randint(2, 5), rng.randint(2, 8), rng.choice((0, 0, 1, 2, 5))
        r = rng.choice((rng.randint(1, 60), rng.randint(1, 9999)))
        d = rng.choice((n * r, r + m + k + 2, far_enough(n, m) * r, rng.randint(r + 1, 3 * n * m * r))) + rng.randint(
            0, 5
        )
        s, found = k * d + r, []
        if n * r <= d and (n + 1) * ((m - 1) * d + (n - 1) * s + n * r) <= r * r:
            found.append(beside_multiples(s, d, m, 1, n))
        if n == 2 and 2 * r > d >= r + k + m + 1:
            found.append(beside_multiples(s, d, m, 1, n))
        if k == 0 and d >= far_enough(n, m) * r:
            found.append(far_above(s, d, m, 1, n))
        for inverse in found:
            assert all(inverse(s * i + d * j) == i + n * j for i in range(n) for j in range(m)), (n, m, s, d)
        seen[len(found)] += 1
    assert min(seen[0], seen[1]) > 100 and seen[2] > 10, seen


def test_sizes_up_to_which_there_is_one() -> None:
    answer = left_inverse_conditions(Layout((4, N), (3, 4)))
    assert [n for n in range(1, 50) if answer.holds({"n": n})] == [1, 2, 3]
    assert [n for n in range(1, 9) if left_inverse_conditions(Layout((3, N), (2, 3))).holds({"n": n})] == [1, 2]
    assert not brute.takes_values_back([(3, 2), (3, 3)])
    assert str(left_inverse_conditions(Layout((3, N), (1, 2)))) == "always: (2,n + 1):(1,3)"


def test_an_open_size_among_multiples_of_it(turns) -> None:
    """Where the increments say that none exists, the search over places finds none."""
    rng, seen = Random("increments"), Counter()
    for _ in turns(14):
        modes = [(N, rng.choice((2, 3, 3, 4))), (rng.choice((2, 3, 8)), N)]
        modes.append((rng.choice((1, 1, 2)), rng.choice((1, 2)) * N))
        rng.shuffle(modes)
        layout = Layout(*map(tuple, zip(*modes, strict=True)))
        found = sized(layout)
        for rest in range(found.stride):
            start = none_from(found, rest)
            for n in () if start is None else range(start, start + 12):
                if n % found.stride == rest:
                    with pytest.raises(NoAnswer):
                        left_inverse(put(layout, {"n": n}))
                    seen[found.stride] += 1
    assert len(seen) > 1 and seen.total() > 20, seen
    answer = left_inverse_conditions(Layout.parse("(n,8):(3,n)"))
    assert all(c.status is not Status.UNDECIDED for c in answer.cases)
    assert [n for n in range(1, 14) if answer.holds({"n": n})] == [1, 2, 3, 6, 9, 12]


def test_two_equal_strides_one_of_an_open_size() -> None:
    for text in ("(n,3,8):(1,1,3*n)", "(5,n,8):(2,2,10*n)", "(2,n,4):(1,2,2)", "(4,n):(3,3)", "(n,2,3):(8,8,1)"):
        layout = Layout.parse(text)
        answer = left_inverse_conditions(layout)
        for n in range(1, 30):
            case = answer.case({"n": n})
            assert case.status is not Status.UNDECIDED, (text, n)
            assert takes_values_back(answer.layout({"n": n}), put(layout, {"n": n})), (text, n)
