"""Factors of polynomials are those of sympy, in its order, with its order of terms; few are left to sympy."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from random import Random

import pytest

from symview.errors import NotSupported
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


def of_many_names(seed: int, terms: int) -> Poly:
    rng = Random(seed)
    return {tuple(sorted(rng.choices("abcdefgh", k=rng.randint(0, 4)))): rng.choice((-3, 2, 5)) for _ in range(terms)}


def test_polynomials_beyond_reach_are_left_to_sympy() -> None:
    """Of these, the steps of a division have products of too many terms."""
    hard = [p for p in (of_many_names(seed, 30) for seed in range(40)) if is_beyond_reach(p)]
    assert hard
    for p in hard[:2]:
        assert factors.irreducible_factors(p) == factors._by_sympy(tuple(sorted(p.items())))
        top, bottom = factors.lowest_terms(times(p, {("a",): 2, (): 1}), times(p, {("b",): 1, (): -1}))
        assert (top, bottom) == ({("a",): 2, (): 1}, {("b",): 1, (): -1})


def is_beyond_reach(p: Poly) -> bool:
    try:
        factors._split(p)
    except NotSupported:
        return True
    return False


@pytest.mark.parametrize("seed", range(20))
def test_lowest_terms_have_no_common_factor(seed) -> None:
    """By our own division, and by that of sympy: p·r over q·r is p over q, up to what p and q share."""
    rng = Random(seed)
    p, q, r = (random_product(rng) for _ in range(3))
    if not (p and q and r):
        return
    top, bottom = factors.lowest_terms(times(p, r), times(q, r))
    assert times(top, q) == times(bottom, p)
    assert set(factors._gcd_by_sympy(top, bottom)) == {()}, (p, q, r)
