"""Outer boundaries that overflow together: right at all small values, and decided where finitely many indices tell."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from oracle import brute, outer_queries, parametric
from oracle.brute import V
from oracle.parametric import Pair, compiled, opened
from oracle.test_symbolic_outer import ask, check, points, strides
from symview import InputError, Status
from symview.cases.algebra import Algebra
from symview.logic.entailment import Entailment
from symview.logic.notation import parse_statement
from symview.logic.polynomial import ONE, Poly
from symview.views.addresses import Axis
from symview.views.carry_graph import Alone, CarryGraph, Closed

TOLD = {  # each was undecided where only boundaries that carry one before the other were told apart
    "one less than a row": ("(A,B,C):(a,b,c)", "(n):(C-1)", ("C >= 2",)),
    "rows of numbers": ("(K,M,3):(a,b,c)", "(n):(5)", ()),
    "a number between": ("(N,2,M):(a,b,c)", "(n):(3)", ()),
    "backwards": ("(N,2,M):(a,b,c)", "(n):(-3)+3*(n-1)", ()),
    "from a number": ("(N,2,M):(a,b,c)", "(5):(1)+1", ()),
    "from anywhere": ("(K,M,2):(a,b,c)", "(n):(1)+o", ("o >= 0",)),
    "three that nest": ("(N,K,2,M):(a,b,c,d)", "(n):(2)+1", ("M >= 3",)),
    "two axes alike": ("(K,4,N,M):(a,b,c,d)", "(2,l):(M-1,M-1)+3", ()),
    "numbers for all but sizes": ("(2,5,2,M):(a,b,c,d)", "(n,5):(2*M,4)", ("M >= 2",)),
    "counts that are numbers": ("(N,K,2):(a,b,c)", "(N):(5)", ()),
    "a size where counts grow": ("(M,K,3,M):(a,b,c,d)", "(n,M):(1,4)", ()),
    "products that are enough": ("(K,K,2):(a,b,c)", "(2,2*K,4):(1,3,6*K)", ()),
    "equations that say the same": ("(K,N,M):(N*M,M,1)", "(n):(t)+o", ("t >= 0", "o >= 0")),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", TOLD)
def test_what_is_told(name, effort) -> None:
    pair = Pair(opened(TOLD[name][0]), opened(TOLD[name][1]), TOLD[name][2])
    answer, rng = ask(pair), Random(name)
    seen = check(rng, pair, answer, points(rng, pair, 15 * effort))
    assert Status.UNDECIDED not in {c.status for c in answer.cases}, answer
    assert seen[True], seen
    assert seen[False], seen


OPEN = {  # overflows that may be equal or opposite: what is enough is told
    "two free strides": ("(M,K,N):(a,b,c)", "(n,m):(t,u)", ("t >= N", "u >= N")),
    "three boundaries": ("(K,2,3,M):(a,b,c,d)", "(n):(t)", ("t >= M",)),
    "one more than a row": ("(A,B,C):(a,b,c)", "(n):(C+1)", ()),
    "any stride": ("(K,M,N):(a,b,c)", "(n):(t)", ("t >= 0",)),
    "few indices": ("(K,N,M):(a,b,c)", "(4):(t)", ("t >= 0",)),
    "strides that share a name": ("(K,M,2):(a,a,b)", "(n):(t)", ("t >= 0",)),
}


@pytest.mark.dear
@pytest.mark.parametrize("name", OPEN)
def test_what_stays_open_is_decided_for_numbers_and_what_is_said_is_right(name) -> None:
    outer, inner, assume = OPEN[name]
    pair, rng = Pair(opened(outer), opened(inner), assume), Random(name)
    answer = ask(pair)
    values = points(rng, pair, 80)
    check(rng, pair, answer, values)
    open_, enough_at = [case for case in answer.cases if case.status is Status.UNDECIDED], 0
    assert open_
    for case in open_:
        assert "substitute numbers" in case.reason
        where, enough = compiled(case.where), [compiled(e) for e in case.equations]
        for given in (g for v in values for g in strides(rng, pair, v)):
            if where(given) and all(e(given) for e in enough):
                assert parametric.merged(pair.outer.at(given), pair.inner.at(given)) is not None, (given, case)
                enough_at += 1
    assert enough_at, answer  # there are values at which it is enough


def nested(rng: Random) -> tuple[tuple[int, ...], V]:
    """An outer shape, and an inner view whose strides are multiples of a place value and below the next, or turned."""
    shape = (60, *(rng.randint(2, 4) for _ in range(rng.randint(2, 4))))
    places = brute.place_values(shape)
    low, axes, start = 0, list[tuple[int, int]](), rng.randrange(places[0])
    for _ in range(rng.randint(1, 3)):
        size, level = rng.choice((2, 3, 3, 4, 5, 7)), rng.randrange(1, len(places))
        step = places[level] * rng.randrange(shape[level]) + places[0] * rng.choice((0, 0, 1))
        if rng.random() < 0.3:
            step = -step
            low -= (size - 1) * step
        axes.append((size, step))
    return shape, V(tuple(n for n, _ in axes), tuple(t for _, t in axes), low + start)


def test_closed_sets_of_nested_carries(turns, full) -> None:
    """Sums of defects that closed sets leave together span the rows of brute force, numbers alone."""
    seen, algebra = Counter(), Algebra("", "")

    def divide(x: Poly, place: Poly, _) -> tuple[Poly, Poly]:
        return tuple({ONE: n} if n else {} for n in divmod(x.get(ONE, 0), place[ONE]))

    for number in turns(1500):
        shape, inner = nested(Random(f"nested carries {number}"))
        rows = parametric.row_space(shape, inner)
        if rows is None:
            continue
        disturbed = [n for n in range(len(shape) - 1) if any(row[n] for row in rows)]
        if len(disturbed) < 2:
            continue
        places = [{ONE: brute.place_values(shape)[n]} for n in disturbed]
        graph = CarryGraph(algebra, divide, Entailment(()), places)
        axes = [Axis({ONE: n}, {ONE: t} if t else {}) for n, t in zip(inner.shape, inner.strides, strict=True)]
        assert graph.at({ONE: inner.offset} if inner.offset else {}, axes), (shape, inner)
        closed = Closed(len(places), [s for s in graph.sets() if not any(p.op == "bool" for p in graph.closed(s))])
        query = [[int(a <= n < b) for n in range(len(places))] for a, b in closed.links()]
        assert brute.echelon(query) == brute.echelon([[row[n] for n in disturbed] for row in rows]), (shape, inner)
        seen[len(disturbed), len(query)] += 1
    if full:
        assert min(seen[2, 1], seen[3, 1] + seen[3, 2], seen[3, 3], seen[4, 4]) > 10, seen


def test_spans_of_counts_are_the_rows_of_brute_force(turns) -> None:
    """Numbers alone, but for the size of an axis: where its comparison is asked, both sides of it have other rows."""
    seen, algebra = Counter(), Algebra("n", "n")

    def divide(x: Poly, place: Poly, _) -> tuple[Poly, Poly]:
        return tuple({ONE: n} if n else {} for n in divmod(x.get(ONE, 0), place[ONE]))

    def rows_of(shape: tuple[int, ...], inner: V) -> tuple[tuple[int, ...], ...]:
        return parametric.row_space((10**6, *shape[1:]), inner)

    for number in turns(400):
        rng = Random(f"counts {number}")
        shape = (60, *(rng.randint(2, 4) for _ in range(rng.randint(2, 3))))
        places = brute.place_values(shape)[:-1]
        sizes = [rng.randint(2, 7) for _ in range(rng.randint(1, 2))]
        steps = [rng.randint(1, 2 * places[0]) for _ in sizes]
        start = rng.randrange(places[0])
        axes = [Axis({ONE: n}, {ONE: t}) for n, t in zip(sizes, steps, strict=True)]
        told = Alone(algebra, divide, Entailment(()), [{ONE: p} for p in places], {ONE: start} if start else {}, axes)
        space, question = told.span(Entailment(()))
        assert question is None
        assert brute.echelon(space.rows) == rows_of(shape, V(tuple(sizes), tuple(steps), start)), (shape, sizes, steps)
        seen["numbers", space.rank] += 1
        axes[0] = Axis({("n",): 1}, {ONE: steps[0]})
        known = Entailment([parse_statement(f"n >= {sizes[0]}")])
        told = Alone(algebra, divide, known, [{ONE: p} for p in places], {ONE: start} if start else {}, axes)
        space, question = told.span(known)
        assert brute.echelon(space.rows) == rows_of(shape, V(tuple(sizes), tuple(steps), start))
        last = sizes[0] if question is None else question.args[1].args[0]
        grown = rows_of(shape, V((max(last, 40), *sizes[1:]), tuple(steps), start))
        assert (grown == brute.echelon(space.rows)) == (question is None), (shape, sizes, steps, start, question)
        seen["open", question is None] += 1
    assert min(seen["numbers", 1], seen["numbers", 2], seen["open", True], seen["open", False]) > 20, seen


def test_random_queries_at_all_small_values(turns, record_property) -> None:
    seen, shares = Counter(), Counter()
    for number in turns(12):
        rng = Random(f"outer {number}")
        pair = outer_queries.query(rng)
        try:
            answer = ask(pair)
        except InputError:
            continue
        statuses = {c.status for c in answer.cases}
        shares[Status.UNDECIDED in statuses] += 1
        seen.update(check(rng, pair, answer, points(rng, pair, 12)))
    record_property("undecided", f"{shares[True]} of {shares[True] + shares[False]} queries")
    assert shares[True] <= max(1, shares[False] // 20), shares
    assert min(seen[True], seen[False]) > 100, seen
