"""Which strides make programs of a tensor views, all at once, and when there are none.

A view asks linear rows of the strides; dims of size 1 do not count. A difference of two indices in the span of the rows
is two indices of one address. A row of two terms puts one dim above another: its stride is size times stride of that.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise, permutations, product
from math import gcd, lcm, prod

import pytest
from definitions import natural

from symview import View, reshape
from symview.logic.budget import Budget
from symview.rules import checked

digits = pytest.importorskip("symview.plans.digits")
Op, rows_of = digits.Op, digits.rows_of

Pair = tuple[int, int]
SHAPES = [s for k in (2, 3) for s in product(range(2, 5), repeat=k) if prod(s) <= 24]


def apart(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """Whether every index has an address of its own."""
    addresses = [sum(i * t for i, t in zip(index, strides, strict=True)) for index in product(*map(range, shape))]
    return len(set(addresses)) == len(addresses)


def merging(shape: tuple[int, ...], pair: Pair) -> tuple[Op, Op]:
    """Operations that merge one dim with another one, which is put behind it."""
    order = (*pair, *(d for d in range(len(shape)) if d not in pair))
    sizes = (shape[pair[0]] * shape[pair[1]], *(shape[d] for d in order[2:]))
    return Op("permute", order), Op("reshape", sizes)


def meeting(shape: tuple[int, ...], pairs: tuple[Pair, ...], most: int) -> Iterator[tuple[int, ...]]:
    """Positive strides up to a bound that put each first dim of the pairs just above the second, and keep all apart."""
    least = [lcm(*[shape[b] for a, b in pairs if a == d]) for d in range(len(shape))]  # it divides the stride of d
    for strides in product(*[range(n, most + 1, n) for n in least]):
        if all(strides[a] == shape[b] * strides[b] for a, b in pairs) and apart(shape, strides):
            yield strides


@checked("two and three dims of sizes 2 to 4, up to 24 elements, strides 0 to 8")
def test_the_rows_of_a_merge_are_where_it_is_a_view() -> None:
    """Two dims, permuted to stand beside each other, merge exactly where the row of the first is 0."""
    for shape in SHAPES:
        for pair in permutations(range(len(shape)), 2):
            first, second = merging(shape, pair)
            [row] = rows_of(shape, (first, second), Budget())
            for strides in natural(len(shape), 8 if len(shape) == 2 else 4):
                view = reshape(View(shape, strides).permute(first.given), second.given)
                assert bool(view) == (sum(r * t for r, t in zip(row, strides, strict=True)) == 0)


@pytest.mark.dear
@checked("two and three dims of sizes 2 to 4, up to 24 elements, up to three pairs, strides to 64")
def test_pairs_are_served_where_trees_have_coprime_branches() -> None:
    """Strides serve pairs of dims exactly where each dim is below at most one, none is below itself, and two dims of
    one tree, neither above the other, have coprime sizes.
    """
    for shape in SHAPES:
        every = [*permutations(range(len(shape)), 2)]
        for pairs in (p for count in range(4) for p in combinations(every, count)):
            above = {b: a for a, b in pairs}

            def ways(d: int, above: dict[int, int] = above) -> list[int]:
                found = [d]
                while found[-1] in above and len(found) <= len(above):
                    found.append(above[found[-1]])
                return found

            trees = len(above) == len(pairs) and all(len(set(ways(d))) == len(ways(d)) for d in range(len(shape)))
            coprime = trees and all(
                gcd(shape[a], shape[b]) == 1 or a in ways(b) or b in ways(a) or ways(a)[-1] != ways(b)[-1]
                for a, b in combinations(range(len(shape)), 2)
            )
            assert coprime == (next(meeting(shape, pairs, 64 if len(shape) == 2 else 32), None) is not None)


@checked("(n,2,3) for n from 2 to 4, positive strides to 24", refutes=True)
def test_an_order_of_dims_serves_where_strides_do() -> None:
    """Refuted: (2,2,3) used as (3,4) and (2,6), where the first dim lies just above both others.

    Strides (6,3,2) keep all elements apart, and no order of dims, padded or not, has strides of 3 to 2.
    """
    for n in (2, 3, 4):
        found = [*meeting((n, 2, 3), ((0, 1), (0, 2)), 24)]
        assert found[0] == (6, 3, 2)
        ordered = [
            t for t in found if any(all(t[a] >= (n, 2, 3)[b] * t[b] for b, a in pairwise(p))
                                    for p in permutations(range(3)))
        ]  # fmt: skip
        assert not ordered
