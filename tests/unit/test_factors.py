"""Factors of polynomials are those of sympy, in its order, with its order of terms; few are left to sympy."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from random import Random

from symview.logic import factors
from symview.logic.polynomial import UNIT, Poly, times


def random_product(rng: Random) -> Poly:
    parts: list[Poly] = [UNIT]
    for _ in range(rng.choice((1, 2, 2, 3))):
        part: Poly = {}
        for _ in range(rng.choice((2, 2, 3))):
            part[tuple(sorted(rng.choices("abcd", k=rng.choice((0, 1, 1, 2)))))] = rng.choice((1, -1, 1, -1, 2, 3))
        parts.append(part)
    return reduce(times, parts)


def test_factors_are_those_of_sympy(turns, least) -> None:
    seen = Counter[str]()
    for seed in turns(1000):
        product = random_product(Random(seed))
        if len(product) < 2 or set.intersection(*map(set, product)):
            continue  # 0, or a name divides it
        if factors._split(product) is None:
            seen["left to sympy"] += 1
            continue
        terms = tuple(sorted(product.items()))
        found, expected = factors.irreducible_factors(product), factors._by_sympy(terms)
        assert [list(f.items()) for f in found] == [list(f.items()) for f in expected], product
        seen["one" if len(found) == 1 else "several"] += 1
    assert seen["several"] > least(200) and seen["one"] > least(200)
    assert seen["left to sympy"] < seen.total() / 50, seen
