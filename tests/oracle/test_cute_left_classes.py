"""Left inverses of layouts with one open size, at numbers: beside the search over all shapes where values are few."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
import sympy

from oracle import cute_left_inverse_brute as brute
from oracle.test_cute_symbols import put, takes_values_back
from symview.answers import Status
from symview.cute import Layout, NoAnswer, left_inverse, left_inverse_conditions
from symview.cute.symbols.left_inverses.open_sizes import inverses_of_size
from symview.errors import Undecided
from symview.logic.budget import Budget

N = sympy.Symbol("n", integer=True)


def with_open_size(rng: Random) -> Layout:
    """A size open, not the last; strides numbers, multiples of it or beside such, 0 and equal ones among them."""
    rank, place, modes = rng.randint(2, 3), 1, []
    at = rng.randrange(rank - 1)
    for k in range(rank):
        size = N if k == at else rng.choice((1, 2, 2, 3, 4))
        more = () if k == at else (N, 2 * N, N + 1)
        modes.append((size, rng.choice((0, 1, 2, 3, 4, 8, place, place, *more))))
        place *= size
    return Layout(*map(tuple, zip(*modes, strict=True)))


def test_what_is_found_is_right_at_numbers(turns) -> None:
    rng, seen = Random("classes"), Counter()
    for _ in turns(24):
        layout = with_open_size(rng)
        modulus, found = inverses_of_size(layout)
        for n in [*range(1, 3 * modulus + 12), rng.randrange(10**9)]:
            size = next((size for size in found if n % modulus in size.rests and n not in size.few), None)
            modes = [(int(put(x, {"n": n})), int(put(d, {"n": n}))) for x, d in layout.flat()]
            if size is not None and size.inverse is not None:
                assert takes_values_back(put(size.inverse, {"n": n}), put(layout, {"n": n})), (layout, n)
            elif size is not None and sum((x - 1) * d for x, d in modes) <= 11:
                assert not brute.takes_values_back(modes), (layout, n)
            elif size is not None and n < 30:
                with pytest.raises((NoAnswer, Undecided)):
                    left_inverse(put(layout, {"n": n}), Budget(work=20_000, points=2_000).started())
            seen[size is None or size.inverse is not None, size is None] += 1
    assert seen[True, False] > 100, seen


def test_open_sizes_that_are_decided() -> None:
    """Each n has its answer, that of the numbers, where residues, small n, and places near multiples of n matter."""
    for text in ("(n,2):(2,3)", "(8,n):(n,3)", "(n,2):(3,8)", "(n,2,3):(2,n,2)", "(n,3):(3,8)", "(4,n,2):(8,3,4*n)"):
        layout = Layout.parse(text)
        answer = left_inverse_conditions(layout)
        assert all(c.status is not Status.UNDECIDED for c in answer.cases), text
        for n in range(1, 24):
            modes = [(int(put(x, {"n": n})), int(put(d, {"n": n}))) for x, d in layout.flat()]
            if answer.holds({"n": n}):
                assert takes_values_back(answer.layout({"n": n}), put(layout, {"n": n})), (text, n)
            elif sum((x - 1) * d for x, d in modes) <= 11:
                assert not brute.takes_values_back(modes), (text, n)
            else:
                with pytest.raises((NoAnswer, Undecided)):
                    left_inverse(put(layout, {"n": n}), Budget(work=20_000, points=2_000).started())
