"""At values of all symbols `holds` is always decided: it says what the numeric question says of the numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from oracle import density_brute, masked_queries, odd_queries, outer_queries, parametric
from oracle.masked_queries import OpenMask, Query
from oracle.test_cute_symbols import conditions as layout_conditions
from oracle.test_cute_symbols import put, random_query

from symview import (
    Budget,
    Conditions,
    Exact,
    InputError,
    OutOfBounds,
    Undecided,
    View,
    conditions,
    contiguous_conditions,
    cute,
    dense_conditions,
    injective_conditions,
    is_contiguous,
    is_dense,
    is_injective,
    merge,
    reshape_conditions,
)
from symview.cute import LayoutError
from symview.logic.points import true_at

WORK = Budget(work=1_500_000)
Numbers = Callable[[Mapping[str, int]], bool]


def outer_query(rng: Random) -> Query:
    pair = outer_queries.query(rng)
    return Query((OpenMask(pair.outer), OpenMask(pair.inner)), pair.assume)


CHAINS = {
    "odd": odd_queries.odd, "outer": outer_query, "masked": masked_queries.query, "chain": masked_queries.chain,
    "numbers": masked_queries.numbers, "reshaped": masked_queries.reshaped,
}  # fmt: skip


def merges(*views: View) -> bool:
    try:
        return isinstance(merge(*views), View)
    except OutOfBounds:
        return False


def check(answer: Conditions, values: Mapping[str, int], numbers: Numbers) -> str:
    """Yes or no as the numbers say; values are refused where they contradict a fact, and nowhere else."""
    if not true_at(answer.facts, values):
        with pytest.raises(InputError):
            answer.holds(values)
        return "refused"
    holds = answer.holds(values)
    assert holds == numbers(values), (answer, values, holds)
    if answer.data.enough and true_at(answer.data.enough, values) != holds:
        assert holds and true_at([answer.data.doubt], values), (answer, values, holds)
        assert answer.data.doubt_twice is None or true_at([answer.data.doubt_twice], values), (answer, values)
    return "yes" if holds else "no"


@pytest.mark.sampled
@pytest.mark.parametrize("kind", CHAINS)
def test_chains_of_views(kind, turns, full) -> None:
    seen = Counter()
    for turn in turns(12):
        rng = Random(f"{kind} {turn}")
        query = CHAINS[kind](rng)
        views = [View.parse(str(v)) for v in query.views]
        with suppress(InputError):  # nothing meets the assumptions
            answer = conditions(*views, assume=query.assume, budget=WORK)
            for values in masked_queries.points(rng, query, 8):
                for all_values in masked_queries.strides(rng, query, values):
                    given = {n: v for n, v in all_values.items() if n in answer.symbols()}
                    seen[check(answer, given, lambda at, views=views: merges(*[v.with_values(at) for v in views]))] += 1
    if full:
        assert min(seen["yes"], seen["no"]) > 15, seen


def test_reshapes(turns, least) -> None:
    seen = Counter()
    for turn in turns(15):
        rng = Random(f"reshape {turn}")
        found = parametric.reshape(rng)
        view, sizes = (
            View.parse(str(found.view)),
            [-1 if n == "-1" else View.parse(f"({n})").shape[0] for n in found.shape],
        )
        with suppress(InputError):
            answer = reshape_conditions(view, sizes, assume=found.assume)
            for _ in range(20):
                values = {n: rng.randint(0, 5) for n in answer.symbols()}
                given = {**dict.fromkeys(found.names(), 0), **values}

                def numbers(at, found=found, view=view, given=given) -> bool:
                    target = found.target(given)
                    return target is not None and merges(view.with_values(at), View(target))

                seen[check(answer, values, numbers)] += 1
    assert min(seen["yes"], seen["no"]) > least(30), seen


PROPERTIES: dict[str, tuple[Any, Any]] = {
    "dense": (dense_conditions, is_dense),
    "injective": (injective_conditions, is_injective),
    "contiguous": (contiguous_conditions, is_contiguous),
}


@pytest.mark.parametrize("name", PROPERTIES)
def test_where_elements_lie(name, turns, full) -> None:
    (ask, numbers), seen = PROPERTIES[name], Counter()
    for turn in turns(15):
        rng = Random(f"{name} {turn}")
        view = View.parse(str(density_brute.named(rng)))
        answer = ask(view, assume=rng.choice(((), tuple(f"{n} >= 0" for n in view.symbols()))))
        for _ in range(25):
            values = {n: rng.randint(-3, 7) for n in answer.symbols()}
            seen[check(answer, values, lambda at, view=view: bool(numbers(view.with_values(at))))] += 1
    if full:
        assert min(seen["yes"], seen["no"]) > 10, seen


def test_layouts(turns, least) -> None:
    seen = Counter()
    for turn in turns(12):
        rng = Random(f"layouts {turn}")
        name, layout, args = random_query(rng)
        answer = layout_conditions(name, layout, args, ())

        def numbers(at, name=name, layout=layout, args=args) -> bool:
            try:
                getattr(cute, name)(layout.with_values(at), *(put(x, at) for x in args))
            except LayoutError:
                return False
            return True

        for _ in range(15):
            values = {n: rng.choice((-2, 0, 1, 1, 2, 3, 4, 6, 8, 12, 24, rng.randint(1, 20))) for n in answer.symbols()}
            with suppress(Undecided):  # of numbers too large for a left inverse
                seen[check(answer, values, numbers)] += 1
    assert min(seen["yes"], seen["no"]) > least(20), seen


@pytest.mark.dear
@pytest.mark.parametrize(
    ("text", "assume"),
    [("(m,k,n):(3,6,d)", "n >= 2"), ("(n,m):(p,q)", ()), ("(a,2):(2*p,-a)", ()), ("(b,a,3):(p,4,2)", ())],
)
def test_a_guard_of_functions_is_read_back(text, assume) -> None:
    """Greatest common divisors and sums of quotients, in Python's words and in sympy's."""
    answer = injective_conditions(View.parse(text), assume=assume)
    assert isinstance(answer.compare(answer.guards()), Exact)
    assert isinstance(answer.compare(answer.term()), Exact)
    with suppress(Undecided):  # sympy has the parts in another order
        assert isinstance(answer.compare(answer.formula()), Exact)


@pytest.mark.parametrize("text", ["(m,k,n):(3,6,d)", "(n,m):(p,q)"])
def test_z3_has_the_functions_of_a_condition(text) -> None:
    """Greatest common divisors of names, and sums of quotients, as functions with definitions."""
    import z3

    rng, answer = Random(text), injective_conditions(View.parse(text))
    formula, seen = answer.to_z3(), Counter()
    assert formula.eq(answer.to_z3())
    for _ in range(60):
        values = {n: rng.randint(1, 6) if n in "mkn" else rng.randint(-20, 20) for n in answer.symbols()}
        solver = z3.Solver()
        solver.add(formula, *[z3.Int(n) == v for n, v in values.items()])
        seen[answer.holds(values)] += 1
        assert (solver.check() == z3.sat) == answer.holds(values), values
    assert min(seen[True], seen[False]) > 5, seen
