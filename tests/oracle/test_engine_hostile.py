"""Questions far beyond any budget: the answer comes all the same, and what it says is so."""

from __future__ import annotations

from random import Random

import pytest
import sympy

from symview import (
    Budget,
    Conditions,
    Counterexample,
    OutOfBounds,
    Status,
    Undecided,
    View,
    compose_at,
    conditions,
    merge,
)

DIMS = 60
WORK = 400_000
BITS = (2,) * DIMS
PLACES = tuple(1 << (DIMS - 1 - n) for n in range(DIMS))


def symbols(prefix: str, count: int):
    return sympy.symbols(f"{prefix}0:{count}", integer=True)


def steps(rank: int, most: int) -> tuple[int, ...]:
    rng = Random(f"{rank} {most}")
    return tuple(rng.randrange(1, most) for _ in range(rank))


def turned(length: int) -> list[View]:
    """A chain of transpositions that no pair of neighbours undoes."""
    shapes, rng, found = [(24, 35, 11), (11, 24, 35), (385, 24), (12, 2, 35, 11)], Random("chain"), []
    for n in range(length):
        plain = View(shapes[n % len(shapes)])
        found.append(plain.permute(rng.sample(range(plain.rank), plain.rank)))
    return found


def masked(dims: int, rank: int) -> tuple[View, View]:
    outer = View((7,) * dims, None, 0, ((1, 6),) * dims)
    return outer, View((9,) * rank, steps(rank, 7**dims // (9 * rank)))


MERGES = {
    "sixty dims": (View(BITS, tuple(p + n % 3 for n, p in enumerate(PLACES))), View((1000,) * 5, steps(5, 1 << 40))),
    "sixty dims, a merge": (View(BITS, PLACES), View((1000,) * 5, steps(5, 1 << 40))),
    "a huge masked box": (
        View((1000,) * 3, None, 0, ((3, 997), (5, 800), (1, 999))),
        View((50,) * 5, (7, 90001, 1234567, 33, 1001)),
    ),
    "many masked dims": masked(20, 6),
    "more masked dims": masked(12, 9),
    "a long chain": tuple(turned(12)),
    "a longer chain": tuple(turned(30)),
}


def ask(running: Budget, *views: View) -> View | Counterexample | None:
    """The answer, None where it is undecided."""
    try:
        return merge(*views, budget=running)
    except Undecided:
        return None


@pytest.mark.parametrize("name", MERGES)
def test_merges_end_within_their_work(name: str) -> None:
    views, running = MERGES[name], Budget(work=WORK).started()
    found = ask(running, *views)
    assert running.left() > -WORK
    rng = Random(name)
    if isinstance(found, View):
        for _ in range(200):
            index = tuple(rng.randrange(n) for n in views[-1].shape)
            assert found.at(index) == compose_at(*views, index=index)
    elif found is not None:
        assert found.got == compose_at(*views, index=found.index)


n, m = sympy.symbols("n m", integer=True)
CONDITIONS = {
    "thirty breaks": (View((2,) * 30, symbols("a", 30)), View((n,), (3,))),
    "sixty breaks": (View(BITS, symbols("a", DIMS)), View((n,), (3,))),
    "sixty breaks from an offset": (View(BITS, symbols("a", DIMS)), View((n,), (3,), 5)),
    "two sizes on sixty dims": (View(BITS, symbols("a", DIMS)), View((n, m), (3, 5))),
    "a size and a number": (View(BITS, symbols("a", DIMS)), View((n, 7), (3, 5))),
    "a large box": (View(BITS, symbols("a", DIMS)), View((10**9, 7), (3, 5))),
    "many sizes": (View((10, 3, 3, 7, 5), symbols("a", 5)), View(symbols("n", 8), steps(8, 300))),
    "three sizes": (View((3,) * 12, symbols("a", 12)), View(symbols("n", 3), (5, 77, 1001))),
}


@pytest.mark.sampled
@pytest.mark.parametrize("work", [50, 20_000, WORK])
@pytest.mark.parametrize("name", CONDITIONS)
def test_conditions_end_within_their_work(name: str, work: int) -> None:
    (outer, inner), running = CONDITIONS[name], Budget(work=work).started()
    found = conditions(outer, inner, budget=running)
    assert running.left() > -max(work, 1_000_000)  # a question to a solver has a start
    rng, free = Random(name), [s for s in inner.shape if not isinstance(s, int)]
    contiguous = View(outer.shape).strides
    for turn in range(6):
        sizes = {str(s): rng.choice((1, 2, 3, 5, 40)) for s in free}
        bend = 0 if turn % 3 == 0 else rng.choice((0, 1))
        strides = [p + bend * (k % 2) for k, p in enumerate(contiguous)]
        check(found, outer, inner, sizes, strides)


def check(found: Conditions, outer: View, inner: View, sizes: dict[str, int], strides: list[int]) -> None:
    values = {**sizes, **{str(s): v for s, v in zip(outer.strides, strides, strict=True)}}
    shape = tuple(sizes.get(str(s), s) for s in inner.shape)
    try:
        expected = isinstance(merge(View(outer.shape, strides), View(shape, inner.strides, inner.offset)), View)
    except OutOfBounds:
        expected = False
    try:
        assert found.holds(values) == expected
    except Undecided:
        assert Status.UNDECIDED in {c.status for c in found.cases}
