"""Pairs for which cheap witnesses settle nothing, on boxes that the oracle can walk all the same."""

from __future__ import annotations

from random import Random

from oracle import generate
from oracle.brute import V

FAR = 1 << 20


def scaled(rng: Random) -> tuple[V, V]:
    """An accidental pair with its addresses times K > 2^20, and one more axis that walks below K.

    The outer shape gets a last dim of size K, and the walk below K keeps the place values from having a
    common factor with the steps. The composition is the old one plus a term that is affine, since nothing
    carries out of the new digit; what finds that out decides the pair like the old one.
    """
    outer, inner = generate.accidental(rng)
    below, stride = rng.randint(FAR + 1, FAR * 1000), rng.randint(-5, 5)
    length, step = rng.randint(2, 40), rng.choice((1, 1, 7, 1001))
    first = rng.randrange(below - (length - 1) * step)
    strides = tuple(s + below * stride if n > 1 else s for s, n in zip(outer.strides, outer.shape, strict=True))
    return (
        V((*outer.shape, below), (*strides, stride), outer.offset),
        V((*inner.shape, length), (*(t * below for t in inner.strides), step), inner.offset * below + first),
    )


def in_step(rng: Random, points: int = 1500, sizes: tuple[int, int] = (1000, 20_000)) -> tuple[V, V]:
    """Two boundaries of large place values that overflow together, with defects that cancel or nearly do.

    c leaves 1 on division by p, so r·c is the same fraction of c·p, modulo it, as it is of p modulo p.
    """
    p = rng.randint(*sizes)
    c = 1 + p * rng.randint(1, 3)
    lead = rng.randint(2, 50)
    shape = (lead, c, p)
    room = lead * p - 1  # in multiples of c
    axes = []
    for _ in range(rng.randint(1, 3)):
        r = rng.randint(1, max(1, min(p, room // 4)))
        n = max(2, min(rng.randint(2, 60), room // r + 1, points))
        if (n - 1) * r > room:
            continue
        axes.append((n, r * c))
        room -= (n - 1) * r
        points = max(2, points // n)
    one = rng.choice((1, 2, -3))
    defects = (one, -one if rng.random() < 0.75 else one + 1)
    last = rng.randint(-4, 4)
    middle = defects[1] + p * last
    strides = (defects[0] + c * middle, middle, last)
    offset = rng.choice((0, 0, 0, rng.randint(0, max(0, room)) * c))
    return V(shape, strides, rng.randint(-9, 9)), V(tuple(n for n, _ in axes), tuple(t for _, t in axes), offset)


def in_step_nearby(rng: Random) -> tuple[V, V]:
    """The same with place values small enough for a bit set of residues."""
    return in_step(rng, sizes=(20, 400))


def subset_sum(rng: Random, top: int = 1 << 20) -> tuple[V, V]:
    """A box {0,1}^l of which only the subsets with one given sum, if any, break the merge.

    The reduction that makes the question hard: cheap witnesses find such a subset by luck only.
    """
    terms = [rng.randint(1, top) for _ in range(rng.randint(7, 9))]
    total = sum(rng.sample(terms, len(terms) // 2)) if rng.random() < 0.5 else rng.randint(0, sum(terms))
    below = sum(terms) + rng.randint(1, 9)
    m = below + 1
    inner = V((2,) * len(terms), tuple(m * a for a in terms), m * below - total * m + below - 1)
    return V((2, m, below), (1 + m * (below - 1), below - 1, 1)), inner


def subset_sum_nearby(rng: Random) -> tuple[V, V]:
    """The same with place values small enough for a bit set of residues."""
    return subset_sum(rng, top=100)
