"""Questions that people asked in public threads, for sizes that are numbers."""

from __future__ import annotations

from itertools import product

import pytest
import sympy
from bridge import STRIDES, named
from oracle import brute
from oracle.brute import V

from symview import Status, View, conditions, merge

T0, T1, T2 = sympy.symbols("t0 t1 t2", integer=True)
SIZES = list(product((1, 2, 3, 4), repeat=3))
PAIRS = list(product((1, 2, 3, 4), repeat=2))


def weakest(shape: tuple[int, ...], target: tuple[int, ...], formula) -> None:
    """The conditions on the strides of `shape` for the reshape are the formula's, wherever tried."""
    found = conditions(View(shape, STRIDES[: len(shape)]), View.contiguous(target))
    for strides in product((0, 1, 2, 4, 6), repeat=len(shape)):
        expected = isinstance(brute.merge(V(shape, strides), brute.contiguous(target)), brute.Merged)
        assert found.holds(named(strides)) == expected == bool(formula(*strides))


@pytest.mark.parametrize(("b", "s", "d"), SIZES)
def test_pytorch_flatten_the_leading_dims(b, s, d) -> None:
    """(B,S,D):(t0,t1,t2) -> (B*S,D) legal iff B = 1, S = 1 or t0 = S*t1 (pytorch#153198, #142024)."""
    found = conditions(View((b, s, d), (T0, T1, T2)), View.contiguous((b * s, d)))
    (case,) = found.cases
    if b == 1 or s == 1:
        assert case.status is Status.ALWAYS
    else:
        assert case.equations == (sympy.Eq(T0, s * T1),)
        assert case.substituted().strides == (T1, T2 if d > 1 else 0)


def test_pytorch_flatten_a_prefix_slice() -> None:
    """(B,u,D):(S*D,D,1) -> (B*u,D), u <= S, legal iff B = 1, u = 1 or u = S (pytorch#112347)."""
    for b, size, d in product((1, 2, 3), (1, 2, 3, 4), (1, 2, 5)):
        for u in range(1, size + 1):
            found = merge(View((b, u, d), (size * d, d, 1)), View.contiguous((b * u, d)))
            assert bool(found) == (b == 1 or u in (1, size))


@pytest.mark.parametrize("u0", [1, 2, 7, 1000, 10**12])
def test_pytorch_no_guard_helps(u0) -> None:
    """(u0,20,4):(80,1,20) -> (u0,80): never, for any u0 (pytorch#120288)."""
    found = merge(View((u0, 20, 4), (80, 1, 20)), View.contiguous((u0, 80)))
    assert not found
    assert found.index == (0, 4)
    assert (found.expected, found.got) == (80, 1)


@pytest.mark.parametrize("k", [1, 2, 5, 10**9])
def test_pytorch_split_a_contiguous_dim(k) -> None:
    """Contiguous (12k,192) -> (12,k,192) is (12,k,192):(192k,192,1)."""
    found = merge(View.contiguous((12 * k, 192)), View.contiguous((12, k, 192)))
    assert found == View((12, k, 192), (192 * k, 192, 1))


@pytest.mark.parametrize("n", [2, 3, 4620, 10**10])
def test_mlir_collapse_unit_dims(n) -> None:
    """(1,1,n,1):(36960,4620,1,330) -> (n): always, stride 1 (llvm#61158)."""
    assert merge(View((1, 1, n, 1), (36960, 4620, 1, 330)), View.contiguous((n,))) == View((n,), (1,))


def test_mlir_collapse_what_is_contiguous_but_for_a_unit_dim() -> None:
    """(3,3,1,96):(288,96,96,1) -> (864): stride 1 (llvm#136485)."""
    assert merge(View((3, 3, 1, 96), (288, 96, 96, 1)), View.contiguous((864,))) == View((864,), (1,))


def test_numpy_dense_after_a_flip() -> None:
    """(3,4):(4,-1)+3 is dense after flipping axis 1 (numpy#9818)."""
    flipped = View((3, 4), (4, 1))
    assert merge(View((3, 4), (4, -1), 3), View((3, 4), (4, -1), 3)) == flipped
    assert merge(flipped, View.contiguous((12,))) == View((12,), (1,))
    assert not merge(View((3, 4), (4, -1), 3), View.contiguous((12,)))


# The table of reshapes, at every small size


@pytest.mark.parametrize(("a", "b", "c"), [s for s in SIZES if max(s) < 4])
def test_merging_two_of_three_dims(a, b, c) -> None:
    weakest((a, b, c), (a * b, c), lambda s1, s2, s3: a == 1 or b == 1 or s1 == b * s2)
    weakest((a, b, c), (a, b * c), lambda s1, s2, s3: b == 1 or c == 1 or s2 == c * s3)


@pytest.mark.parametrize(("a", "b", "c"), [s for s in SIZES if max(s) < 4])
def test_splitting_a_dim(a, b, c) -> None:
    weakest((a * b, c), (a, b, c), lambda s1, s2: True)


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_merging_and_swapping_two_dims(a, b) -> None:
    weakest((a, b), (a * b,), lambda s1, s2: a == 1 or b == 1 or s1 == b * s2)
    weakest((a, b), (b, a), lambda s1, s2: a == 1 or b == 1 or a == b or s1 == b * s2)


@pytest.mark.parametrize(("n", "m"), PAIRS)
def test_moving_a_factor_2(n, m) -> None:
    weakest((2 * n, m), (n, 2 * m), lambda s1, s2: m == 1 or s1 == m * s2)


@pytest.mark.parametrize(("a", "b", "c"), [s for s in SIZES if max(s) < 4])
def test_merging_three_dims(a, b, c) -> None:
    def formula(s1, s2, s3):
        return (
            (a == 1 or b == 1 or s1 == b * s2)
            and (b == 1 or c == 1 or s2 == c * s3)
            and (b != 1 or a == 1 or c == 1 or s1 == c * s3)
        )

    weakest((a, b, c), (a * b * c,), formula)
