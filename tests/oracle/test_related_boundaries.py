"""Outer boundaries that overflow together: right at all small values, and decided where finitely many indices tell."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from oracle import outer_queries
from oracle.parametric import Pair, opened
from oracle.test_symbolic_outer import asked, check, points
from symview import InputError, Status, View, conditions

TOLD = {  # each was undecided where only boundaries that carry one before the other were told apart
    "one more than a row": ("(A,B,C):(a,b,c)", "(n):(C+1)", ()),
    "one less than a row": ("(A,B,C):(a,b,c)", "(n):(C-1)", ("C >= 2",)),
    "rows of numbers": ("(K,M,3):(a,b,c)", "(n):(5)", ()),
    "any stride beside a number inside": ("(K,M,2):(a,b,c)", "(n):(t)", ("t >= 0",)),
    "any stride beside a number between": ("(K,2,M):(a,b,c)", "(n):(t)", ("t >= 0",)),
    "a number between": ("(N,2,M):(a,b,c)", "(n):(3)", ()),
    "backwards": ("(N,2,M):(a,b,c)", "(n):(-3)+3*(n-1)", ()),
    "from a number": ("(N,2,M):(a,b,c)", "(5):(1)+1", ()),
    "from anywhere": ("(K,M,2):(a,b,c)", "(n):(1)+o", ("o >= 0",)),
    "few sizes by a bound": ("(K,N,M):(a,b,c)", "(n):(t)", ("t >= 0", "1 <= M", "M <= 3")),
    "few sizes by a divisor": ("(K,N,T):(a,b,c)", "(n):(t)", ("t >= 0", "4 % T == 0")),
    "few indices": ("(K,N,M):(a,b,c)", "(4):(t)", ("t >= 0",)),
    "strides that share a name": ("(K,M,2):(a,a,b)", "(n):(t)", ("t >= 0",)),
}


@pytest.mark.parametrize("name", TOLD)
def test_what_is_told(name, effort) -> None:
    pair = Pair(opened(TOLD[name][0]), opened(TOLD[name][1]), TOLD[name][2])
    answer, rng = asked(pair), Random(name)
    seen = check(rng, pair, answer, points(rng, pair, 40 * effort))
    assert Status.UNDECIDED not in {c.status for c in answer.cases}, answer
    assert seen[True], seen
    assert seen[False], seen


def test_equal_overflows_for_ever() -> None:
    """Of (N,Q+1,Q), steps of Q+1 disturb both boundaries alike, however many they are."""
    answer = conditions(
        View.parse("(N,Q+1,Q):(a,b,c)"), View.parse("(n):(Q+1)"), assume=("Q >= 2", "n > Q", "n <= N*Q")
    )
    assert [str(c) for c in answer.cases if c.status is Status.WHEN] == ["a = Q*b + Q*c"], answer


def test_random_queries_at_all_small_values(turns, record_property) -> None:
    seen, shares = Counter(), Counter()
    for number in turns(12):
        rng = Random(f"outer {number}")
        pair = outer_queries.query(rng)
        try:
            answer = asked(pair)
        except InputError:
            continue
        statuses = {c.status for c in answer.cases}
        shares[Status.UNDECIDED in statuses] += 1
        seen.update(check(rng, pair, answer, points(rng, pair, 12)))
    record_property("undecided", f"{shares[True]} of {shares[True] + shares[False]} queries")
    assert shares[True] <= max(1, shares[False] // 8), shares
    assert min(seen[True], seen[False]) > 100, seen
