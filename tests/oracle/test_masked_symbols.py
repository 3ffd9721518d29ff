"""Masks beside symbols anywhere: whatever is answered is right at all small values, and little is undecided."""

from __future__ import annotations

import json
from collections import Counter
from math import prod
from random import Random

import pytest
from bridge_chains import as_oracle

from oracle import masked, masked_queries, odd_queries
from oracle.masked import Nowhere, One
from oracle.masked_queries import Cases, OpenMask, Query
from oracle.parametric import opened
from symview import (
    Budget,
    Conditions,
    InputError,
    Kind,
    OutOfBounds,
    SymbolError,
    Undecided,
    View,
    conditions,
    merge,
    reshape_conditions,
)
from symview.cases.query import query_about
from symview.views.bounded_values import OpenPoints

ROTARY = "(100,32,2):(32,1,0) [0:100,0:32,0:1]"
NAMED = {
    "rotary": (ROTARY, "(1,8,1,32):(0,0,0,2)+64*p"),
    "rotary, the hidden half": (ROTARY, "(1,8,1,32):(0,0,0,2)+64*p+1"),
    "rotary, some positions": ("(9,3,2):(3,1,0) [a:b,0:3,0:1]", "(1,2,1,3):(0,0,0,2)+6*p"),
    "a margin cut off": ("(n+2*p):(1)+-p [p:n+p]", "(n):(1)+p"),
    "part of a padded line": ("(n+2*p):(1)+-p [p:n+p]", "(k):(1)+o"),
    "padded, all in a line": ("(h+2*p,w+2*p):(w,1)+-p*w-p [p:h+p,p:w+p]", "(h*w+2*h*p+2*p*w+4*p*p):(1)"),
    "padded by names": ("(p+h,w+q):(s,t)+-p*s [p:p+h,0:w]", "(p+h,w+q):(w+q,1)"),
    "a masked matrix in a line": ("(A,B):(s,t) [a:b,c:d]", "(A*B):(1)"),
    "a masked line in rows": ("(A*B):(s) [a:b]", "(A,B):(B,1)"),
    "every second of a line": ("(4,6):(s,t) [0:4,1:3]", "(n):(2)"),
    "a stride": ("(4,6):(s,t) [0:4,1:3]", "(3):(u)"),
    "a stride and a start": ("(4,6):(s,t) [1:3,1:4]", "(3,2):(u,1)+o"),
    "a stride and a length": ("(4,3):(s,t) [1:4,0:2]", "(n):(u)+3"),
    "an inner mask": ("(4,6):(s,t)", "(n):(1)+-2 [2:n]"),
    "an inner mask of names": ("(4,6):(s,t)", "(9):(2)+-a [a:b]"),
    "a mask hides a wrap": ("(2,4):(s,t) [0:2,0:3]", "(n):(2)"),
    "the last rows by a step": ("(4,N):(s,t) [3:4,0:N]", "(n):(u)+7"),
    "the middle rows by a step": ("(4,6):(s,t) [1:3,0:6]", "(n):(u)"),
    "hardly any step": ("(3,N):(s,t) [0:2,0:N]", "(3):(2*u)"),
    "no step at all": ("(2):(s) [0:2]", "(1,1):(1,t)+1"),
    "over a gap": ("(m,N+p):(s,t) [0:m,0:N]", "(n):(2)"),
    "back over a gap": ("(3,N+1):(s,t) [0:3,0:N]", "(n):(-3)+3*N+2"),
    "over a window": ("(4,N+3):(s,t) [0:4,0:3]", "(n):(4)+1"),
    "any step, start and length": ("(2,2,3):(s,t,w) [0:2,0:1,0:3]", "(n):(u)+o"),
    "any two steps behind a mask of a name": ("(3,2,2):(s,t,w) [0:3,a:2,0:2]", "(2,m):(t,u)+1"),
    "any step behind rows without number": ("(N,2,3):(s,t,w) [0:N,a:2,0:3]", "(n):(u)+o"),
    "plain views behind a mask": ("(N,2*N):(s,t) [0:N,0:p]", "(3,2):(3,u)+5", "(4):(0)+o"),
}

UNTOLD = ("back over a gap", "over a window")  # steps jump over windows of unknown length
WORK = 1_500_000  # for a random question; more with more effort


def query_of(name: str) -> Query:
    return Query(tuple(OpenMask(opened(text.split(" [")[0]), bounds(text)) for text in NAMED[name]))


def bounds(text: str) -> masked_queries.Bounds | None:
    if " [" not in text:
        return None
    pairs = text.split(" [")[1].rstrip("]").split(",")
    return tuple((a, b) for a, b in (pair.split(":") for pair in pairs))


def ask(query: Query, **more) -> Conditions:
    return conditions(*[View.parse(str(v)) for v in query.views], assume=query.assume, **more)


def check(rng: Random, query: Query, answer: Conditions, count: int) -> Counter:
    cases, seen = Cases(answer), Counter()
    for values in masked_queries.points(rng, query, count):
        for given in masked_queries.strides(rng, query, values):
            seen[cases.check(query, given)] += 1
            if rng.random() < 0.05:
                check_break(query, answer, given)
    return seen


def check_break(query: Query, answer: Conditions, given: dict[str, int]) -> None:
    """The smallest index that breaks, behind masks and along chains; addresses outside are shown as such."""
    expected = masked_queries.judged(query.chain(given))
    broken = answer.counterexample({n: v for n, v in given.items() if n in answer.symbols()})
    if expected is None:
        assert broken is not None and broken.kind is Kind.OUT_OF_BOUNDS, (query, given, broken)
    elif isinstance(expected, masked.Fails):
        assert broken is not None and (broken.kind, broken.index) == (expected.kind, expected.index), (
            query,
            given,
            broken,
        )
    else:
        assert broken is None, (query, given, broken)


def test_a_middle_view_that_leaves_is_out_of_bounds_to_the_checker_too() -> None:
    """Though no index of the last view reaches what is outside."""
    views = [View.parse(text) for text in ("(1,3,4):(a,b,c)", "(4,3):(1,4)+o+2", "(2,3):(3,1)+o")]
    answer = conditions(*views)
    assert answer.case({"a": 0, "b": 4, "c": 1, "o": 0}).status == "out_of_bounds"
    checker = pytest.importorskip("symview.verify")
    with checker.Solver("z3") as solver:
        report = checker.verify(json.dumps(answer.certificate()), solver)
    assert not report.wrong, report.wrong


@pytest.mark.dear
@pytest.mark.parametrize("name", NAMED)
def test_named_queries_at_small_values(name, effort) -> None:
    query = query_of(name)
    seen = check(Random(name), query, ask(query), 10 * effort)
    assert seen["always"] + seen["when"] > 1, seen
    if name not in UNTOLD:
        assert not seen["undecided"], seen


@pytest.mark.dear
@pytest.mark.parametrize(
    ("texts", "enough"),
    [
        (("(2,N):(σ1,σ2) [0:2,a:N]", "(n):(4)"), "Eq(1, 0)"),  # where some indices are valid and some are not
        (("(2,4,2):(a,b,c)", "(3,n):(2,0)+5", "(k):(1)+1"), "Eq(floor(k/3), 0)"),
    ],
)
def test_what_is_open_has_what_is_enough(texts, enough) -> None:
    """Behind masks that all is valid, or nothing, are cases of their own."""
    query = Query(tuple(OpenMask(opened(text.split(" [")[0]), bounds(text) if "[" in text else None) for text in texts))
    answer = ask(query)
    assert [[str(e) for e in c.equations] for c in answer.cases if c.status == "undecided"] == [[enough]]
    assert check(Random("enough"), query, answer, 10)["always"]


@pytest.mark.parametrize("inner", ["(n-m):(2)", "(3):(t+u)", "(3):(2)+o+p"])
def test_values_of_names_in_sums_are_not_told_one_by_one(inner) -> None:
    """The sum may be small where neither is: no last value of one of them matters."""
    views = [View.parse(text) for text in ("(4,3):(s,t) [0:4,a:3]", inner)]
    with pytest.raises(Undecided, match="sums"):
        OpenPoints(query_about(views, (), Budget().started()))


@pytest.mark.parametrize("kind", ["query", "chain"])
def test_random_queries_at_small_values(kind, turns, effort, record_property, capsys, full) -> None:
    seen, queries, budget = Counter(), Counter(), Budget(work=WORK * effort)
    for number in turns(16):
        rng = Random(f"masked {number}")
        query = getattr(masked_queries, kind)(rng)
        try:
            answer = ask(query, budget=budget)
        except (OutOfBounds, InputError):
            continue
        queries["undecided" if any(c.status == "undecided" for c in answer.cases) else "decided"] += 1
        seen.update(check(rng, query, answer, 12))
    share = f"{queries['undecided']} of {queries.total()} queries"
    record_property("undecided", share)
    with capsys.disabled():
        print(f"\n{kind}s of masks and symbols, undecided: {share}")
    if full:
        assert queries["undecided"] < 0.1 * queries.total()
        assert min(seen[s] for s in ("always", "when", "refused", "never", "out_of_bounds")) > 5, seen


def test_odd_queries_at_small_values(turns, full) -> None:
    """Sizes of 0 and 1, no dims, empty masks, offsets that cancel."""
    seen = Counter()
    for number in turns(16):
        rng = Random(f"odd {number}")
        query = odd_queries.odd(rng)
        try:
            answer = ask(query)
        except (OutOfBounds, InputError):
            continue
        seen.update(check(rng, query, answer, 8))
    if full:
        assert min(seen["always"], seen["refused"] + seen["never"], seen["out_of_bounds"]) > 0, seen


def test_random_reshapes_at_small_values(turns, effort, full) -> None:
    """Where the sizes do not agree there is no view; `fitting` says where."""
    seen = Counter()
    for number in turns(8):
        rng = Random(f"masked reshape {number}")
        query = masked_queries.reshaped(rng)
        view, target = [View.parse(str(v)) for v in query.views]
        try:
            answer = reshape_conditions(view, target.shape, assume=query.assume, budget=Budget(work=WORK * effort))
        except InputError:
            continue
        cases = Cases(answer)
        for values in masked_queries.points(rng, query, 20):
            for given in masked_queries.strides(rng, query, values):
                old, new = query.chain(given)
                seen[cases.check(query, given, prod(old.shape) == prod(new.shape))] += 1
    assert not seen["out_of_bounds"], seen
    if full:
        assert min(seen[s] for s in ("always", "when", "refused", "never")) > 10, seen


def test_merge_says_what_is_so_for_all_values(turns, effort, full) -> None:
    seen, budget = Counter(), Budget(work=WORK * effort)
    for number in turns(16):
        rng = Random(f"merged {number}")
        query = rng.choice((masked_queries.query, masked_queries.chain))(rng)
        if query.assume:
            continue
        views = [View.parse(str(v)) for v in query.views]
        try:
            found = merge(*views, budget=budget)
        except (SymbolError, OutOfBounds, InputError, Undecided) as error:
            seen[type(error)] += 1
            continue
        seen[type(found)] += 1
        for values in masked_queries.points(rng, query, 8):
            for given in masked_queries.strides(rng, query, values):
                one = found.with_values(given) if found else found
                chain = query.chain(given)
                assert isinstance(masked_queries.judged(chain), One | Nowhere) == bool(found), (query, given, found)
                assert not found or masked.values((as_oracle(one),)) == masked.values(chain), (query, given, found)
    if full:
        assert min(seen[View], seen[SymbolError]) > 0, seen
