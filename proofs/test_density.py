"""Where the elements of one view lie: dense, injective, contiguous, and reshapes under a mask.

Each docstring says what is claimed, and how it was decided: proved for all integers by the solver, or exhaustive up to
the bound named. A view is dense if its addresses are an interval, each of one index.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations, product
from math import gcd, prod

from definitions import Claims, indices, shapes

from symview.rules import checked, theorem

Dims = list[tuple[int, int]]  # sizes with strides


def small() -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Shapes of rank up to 3 with sizes 1 to 3, and strides up to 9 in size, at rank 3 only those from 0 up."""
    for rank in range(4):
        for shape in product(range(1, 4), repeat=rank):
            yield from ((shape, strides) for strides in product(range(-9 if rank < 3 else 0, 10), repeat=rank))


def lies(shape: Sequence[int], strides: Sequence[int]) -> list[int]:
    """The addresses of all indices."""
    return [sum(i * t for i, t in zip(index, strides, strict=True)) for index in indices(tuple(shape))]


def is_dense(addresses: Sequence[int]) -> bool:
    """The definition."""
    return len(set(addresses)) == len(addresses) == max(addresses) - min(addresses) + 1


@checked("ranks to 3, sizes 1 to 3, strides to 9 in size")
def test_dense_is_contiguous_in_some_order() -> None:
    """Dense exactly if the dims that are not of size 1 are contiguous in some order, signs of strides aside.

    For 1 is a sum of strides, so one of them is 1 or −1; its dim fills 0..n−1, and what is left are translates of that,
    which fill an interval only if they begin at the multiples of n; divide by n, and so on.
    """
    found = {True: 0, False: 0}
    for shape, strides in small():
        dims = [(n, abs(t)) for n, t in zip(shape, strides, strict=True) if n > 1]
        ordered = any(all(o[k][1] == prod(n for n, _ in o[:k]) for k in range(len(o))) for o in permutations(dims))
        assert ordered == is_dense(lies(shape, strides))
        found[ordered] += 1
    assert min(found.values()) > 200


@checked("ranks to 3, sizes 1 to 3, strides to 9 in size")
def test_dense_without_orders() -> None:
    """Dense exactly if each stride is the product of the sizes of the dims of smaller strides, signs aside.

    Of equal strides, those of the earlier dims count as smaller; dims of size 1 have any stride.
    """
    for shape, strides in small():
        key = [(abs(t), at) for at, t in enumerate(strides)]
        place = [prod(n for n, k in zip(shape, key, strict=True) if k < own) for own in key]
        each = all(n == 1 or abs(t) == p for n, t, p in zip(shape, strides, place, strict=True))
        assert each == is_dense(lies(shape, strides))


@checked("ranks to 3, sizes 1 to 3, strides to 9 in size")
def test_injective_by_differences() -> None:
    """Two indices have one address exactly if some d, not 0, with |d_j| < n_j is taken to 0: all are differences."""
    for shape, strides in small():
        addresses = lies(shape, strides)
        moves = product(*(range(1 - n, n) for n in shape))
        taken = any(any(d) and not sum(x * t for x, t in zip(d, strides, strict=True)) for d in moves)
        assert taken == (len(set(addresses)) < len(addresses))


@checked("sizes 2 to 6, strides to 12 in size")
def test_injective_of_two_dims() -> None:
    """(n,m):(p,q), p, q != 0, g their greatest common divisor, is injective exactly if |q| >= n·g or |p| >= m·g.

    For x·p = y·q takes multiples of q/g for x and of p/g for y, and 0 < |x| < n, 0 < |y| < m have some or not.
    """
    nonzero = [t for t in range(-12, 13) if t]
    for (n, m), p, q in product(product(range(2, 7), repeat=2), nonzero, nonzero):
        addresses, g = lies((n, m), (p, q)), gcd(p, q)
        assert (abs(q) >= n * g or abs(p) >= m * g) == (len(set(addresses)) == n * m)


@theorem
def test_a_dim_farther_apart_than_the_others_reach_collides_with_none() -> Claims:
    """If t > R >= |r|, then d·t + r = 0 only for d = 0: such a dim does not count. Proved for all values."""
    yield "d == 0", "t > R and r <= R and -r <= R and d*t + r == 0"


@theorem
def test_two_contiguous_dims_have_the_addresses_of_one() -> tuple[str, str]:
    """(n,m):(m·u,u) is (n·m):(u), index by index. Proved for all values."""
    return "i*(m*u) + j*u == (i*m + j)*u", "0 <= j and j < m"


@checked("sizes to 16, every mask")
def test_masked_reshape_has_one_candidate() -> None:
    """The valid places are a box in another shape exactly if they are the box from the first place to the last one."""
    boxes = {True: 0, False: 0}
    for size in (4, 6, 8, 12, 16):
        for shape, target in product(shapes(size), repeat=2):
            for box in product(*[[(a, b) for a in range(n) for b in range(a + 1, n + 1)] for n in shape]):
                places = _places(shape, box)
                axes = [sorted(set(axis)) for axis in zip(*(_digits(p, target) for p in places), strict=True)]
                is_box = len(places) == prod(axis[-1] - axis[0] + 1 for axis in axes)
                ends = zip(_digits(places[0], target), _digits(places[-1], target), strict=True)
                assert is_box == (_places(target, [(low, high + 1) for low, high in ends]) == places)
                boxes[is_box] += 1
    assert min(boxes.values()) > 1000


def _places(shape: Sequence[int], box: Sequence[tuple[int, int]]) -> list[int]:
    """The places of a box in row-major order."""
    values = [prod(shape[at + 1 :]) for at in range(len(shape))]
    return [sum(i * p for i, p in zip(index, values, strict=True)) for index in product(*(range(*b) for b in box))]


def _digits(place: int, shape: Sequence[int]) -> list[int]:
    found = []
    for n in reversed(shape):
        place, digit = divmod(place, n)
        found.append(digit)
    return found[::-1]
