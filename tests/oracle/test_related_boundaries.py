"""Carries that nest: the closed sets of a graph of boundaries against the rows of brute force."""

from __future__ import annotations

from collections import Counter
from random import Random

from oracle import brute, parametric
from oracle.brute import V
from symview.cases.algebra import Algebra
from symview.logic.entailment import Entailment
from symview.logic.polynomial import ONE, Poly
from symview.views.addresses import Axis
from symview.views.carry_graph import CarryGraph, Closed


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


def test_closed_sets_of_nested_carries(turns) -> None:
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
        asked = [[int(a <= n < b) for n in range(len(places))] for a, b in closed.links()]
        assert brute.echelon(asked) == brute.echelon([[row[n] for n in disturbed] for row in rows]), (shape, inner)
        seen[len(disturbed), len(asked)] += 1
    assert min(seen[2, 1], seen[3, 1] + seen[3, 2], seen[3, 3], seen[4, 4]) > 10, seen
