"""Conditions of chains of views: at all small values, the one case about them says what brute force says of numbers.

The question is not decidable in general, so an answer may be undecided; how often is counted and printed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from math import prod
from random import Random
from typing import NamedTuple

import pytest
from bridge import orthogonal, strides_with
from bridge_chains import as_oracle

from oracle import brute, masked, masked_queries, odd_queries, outer_queries, parametric
from oracle.masked import Nowhere, One
from oracle.masked_queries import Cases, OpenMask, Query, judged
from oracle.parametric import Pair, at, compiled, opened
from symview import (
    Budget,
    Conditions,
    InputError,
    Kind,
    OutOfBounds,
    Status,
    SymbolError,
    Undecided,
    View,
    conditions,
    merge,
    reshape_conditions,
)
from symview.cases.query import query_about
from symview.verify import Solver, verify
from symview.views.by_points import OpenPoints

# Queries by name: the views, then what is assumed

SIZES = {  # of the first view, beside any second view
    "a line in a matrix": "(M,N):(a,b); (n):(1)",
    "a line from anywhere": "(M,N):(a,b); (n):(1)+o; o >= 0",
    "part of a row": "(M,N):(a,b); (n):(1); n <= N",
    "a whole row": "(M,N):(a,b); (N):(1)",
    "a column": "(M,N):(a,b); (M):(N)",
    "a column of unknown length": "(M,N):(a,b); (m):(N)",
    "column o": "(M,N):(a,b); (M):(N)+o; o >= 0; o < N",
    "the whole": "(M,N):(a,b); (M,N):(N,1)",
    "a corner": "(M,N):(a,b); (m,n):(N,1)",
    "a corner that fits": "(M,N):(a,b); (m,n):(N,1); m <= M; n <= N",
    "some columns": "(M,N):(a,b); (M,k):(N,1)+o; o >= 0; o + k <= N",
    "some columns, unknown where": "(M,N):(a,b); (M,k):(N,1)+o; o + k <= N",
    "some rows": "(M,N):(a,b); (k,N):(N,1)+o*N; o >= 0; o + k <= M",
    "a window": "(M,N):(a,b); (m,n):(N,1)+p*N+q; p >= 0; q >= 0; p + m <= M; q + n <= N",
    "transposed": "(M,N):(a,b); (N,M):(1,N)",
    "all in a line": "(M,N):(a,b); (M*N):(1)",
    "all in a line, backwards": "(M,N):(a,b); (M*N):(-1)+M*N-1",
    "rows backwards": "(M,N):(a,b); (M,N):(-N,1)+(M-1)*N",
    "columns backwards": "(M,N):(a,b); (M,N):(N,-1)+N-1",
    "both backwards": "(M,N):(a,b); (M,N):(-N,-1)+M*N-1",
    "the diagonal": "(M,M):(a,b); (M):(M+1)",
    "the other diagonal": "(M,M):(a,b); (M):(M-1)+M-1",
    "broadcast": "(M,N):(a,b); (r,M,N):(0,N,1)",
    "one element": "(M,N):(a,b); (r):(0)+o; o >= 0; o < M*N",
    "every other column": "(M,2*n):(a,b); (M,n):(2*n,2)",
    "every other column from 1": "(M,2*n):(a,b); (M,n):(2*n,2)+1",
    "every other element": "(M,N):(a,b); (n):(2)",
    "every other of an even row": "(M,2*n):(a,b); (M*n):(2)",
    "tiles": "(4*m,4*n):(a,b); (m,4,n,4):(16*n,4*n,4,1)",
    "tiles in front": "(4*m,4*n):(a,b); (m,n,4,4):(16*n,4,4*n,1)",
    "tiles of unknown size": "(p*m,q*n):(a,b); (m,p,n,q):(p*q*n,q*n,q,1)",
    "rows of tiles": "(4*m,N):(a,b); (m,4*N):(4*N,1)",
    "three dims whole": "(A,B,C):(a,b,c); (A,B,C):(B*C,C,1)",
    "three dims, two merged": "(A,B,C):(a,b,c); (A*B,C):(C,1)",
    "three dims, the last two merged": "(A,B,C):(a,b,c); (A,B*C):(B*C,1)",
    "three dims permuted": "(A,B,C):(a,b,c); (C,A,B):(1,B*C,C)",
    "three dims, one dropped": "(A,B,C):(a,b,c); (A,C):(B*C,1)",
    "three dims, sliced": "(A,B,C):(a,b,c); (A,B,k):(B*C,C,1); k <= C",
    "three dims, sliced and merged": "(A,B,C):(a,b,c); (A,k*C):(B*C,1); k <= B",
    "a number inside": "(M,3):(a,b); (n):(1)",
    "a number inside, by 3": "(M,3):(a,b); (n):(3)",
    "a number inside, by 2": "(M,3):(a,b); (n):(2)",
    "a number outside": "(3,N):(a,b); (n):(1)",
    "swapped": "(M,N):(a,b); (N,M):(M,1)",
    "strides contiguous": "(M,N):(N,1); (m,n):(p,q)+o; p >= 0; q >= 0; o >= 0",
    "every third element": "(M,N):(a,b); (n):(3)",
    "every k-th element": "(M,N):(a,b); (n):(k); k >= 1",
    "every k-th element of a row": "(M,N):(a,b); (n):(k); k >= 1; n*k <= N",
    "a diagonal": "(M,N):(a,b); (n):(N+1)",
    "a diagonal that fits": "(M,N):(a,b); (n):(N+1); n <= M; n <= N",
    "overlapping windows": "(M,N):(a,b); (n,3):(1,1); n + 2 <= N",
    "overlapping windows, too many": "(M,N):(a,b); (n,3):(1,1)",
    "two rows at once": "(M,N):(a,b); (m,2*N):(2*N,1); 2*m <= M",
    "a row and a half": "(M,2*n):(a,b); (3*n):(1)",
    "a carry for some sizes": "(M,N,2):(a,b,c); (n):(3)",
    "a carry every third": "(M,3,2):(a,b,c); (n):(4)",
    "the paper's line": "(M,3,3):(a,b,c); (s):(4)",
    "the paper's line, inside open": "(10,3,N):(a,b,c); (s):(4)",
    "any stride": "(M,4):(a,b); (n):(t)+o",
    "a pixel shuffle": "(r*r,h,w):(a,b,c); (h,r,w,r):(w,r*h*w,1,h*w)",
    "remainders of remainders": "(K,2*m,3):(a,b,c); (3,K,2*m):(2*m*K,2*m,1)",
    "one row": "(1,N):(a,b); (n):(1)",
    "a dim of 1 between": "(M,1,N):(a,b,c); (M,N):(N,1)",
}
# What a person can settle at a glance has to be settled.
PLAIN = (
    "a whole row", "a column", "the whole", "part of a row", "transposed", "a corner that fits", "some columns",
    "rows backwards", "columns backwards", "both backwards", "broadcast", "tiles", "three dims whole",
    "three dims permuted", "all in a line", "three dims, sliced",
)  # fmt: skip
RELATED = {  # boundaries that overflow together
    "one less than a row": "(A,B,C):(a,b,c); (n):(C-1); C >= 2",
    "rows of numbers": "(K,M,3):(a,b,c); (n):(5)",
    "a number between": "(N,2,M):(a,b,c); (n):(3)",
    "backwards": "(N,2,M):(a,b,c); (n):(-3)+3*(n-1)",
    "from a number": "(N,2,M):(a,b,c); (5):(1)+1",
    "from anywhere": "(K,M,2):(a,b,c); (n):(1)+o; o >= 0",
    "three that nest": "(N,K,2,M):(a,b,c,d); (n):(2)+1; M >= 3",
    "two axes alike": "(K,4,N,M):(a,b,c,d); (2,l):(M-1,M-1)+3",
    "numbers for all but sizes": "(2,5,2,M):(a,b,c,d); (n,5):(2*M,4); M >= 2",
    "equations that say the same": "(K,N,M):(N*M,M,1); (n):(t)+o; t >= 0; o >= 0",
}
STRIDES = {  # of the second view, all sizes being numbers
    "two axes": "(4,3):(a,b); (2,3):(t,u)+o",
    "one axis": "(4,3):(a,b); (3):(t)+o",
    "one axis of two points": "(4,3):(a,b); (2):(t)+o",
    "one axis, long": "(4,3):(a,b); (7):(t)+o",
    "no offset": "(5,2,2):(a,b,c); (3,2):(t,u)",
    "only an offset": "(4,3):(a,b); (2,2):(3,1)+o",
    "an offset with a carry": "(4,3):(a,b); (2,2):(1,1)+o",
    "one name twice": "(4,3):(a,b); (2,2):(t,t)+o",
    "a name and its double": "(6,2):(a,b); (2,3):(2*t,t)+o",
    "a name in the offset too": "(4,3):(a,b); (3):(-t)+2*t",
    "an axis of size 1": "(4,3):(a,b); (1,3):(t,u)+o",
    "no axis": "(4,3):(a,b); ():()+o",
    "an outer dim of size 1": "(4,1,3):(a,b,c); (3):(t)+o",
    "one outer dim": "(7):(a); (2,3):(t,u)+o",
    "three outer dims": "(2,3,2):(a,b,c); (3):(t)+o",
    "outer strides that are numbers": "(4,3):(1,1); (2,3):(t,u)+o",
    "contiguous outer": "(4,3):(3,1); (2,3):(t,u)+o",
    "contiguous in a name": "(4,3):(3*a,a); (2,2):(t,u)+o",
    "one outer name": "(4,3):(a,1); (4):(t)+o",
}
MASKS = {
    "rotary": "(100,32,2):(32,1,0) [0:100,0:32,0:1]; (1,8,1,32):(0,0,0,2)+64*p",
    "rotary, the hidden half": "(100,32,2):(32,1,0) [0:100,0:32,0:1]; (1,8,1,32):(0,0,0,2)+64*p+1",
    "rotary, some positions": "(9,3,2):(3,1,0) [a:b,0:3,0:1]; (1,2,1,3):(0,0,0,2)+6*p",
    "a margin cut off": "(n+2*p):(1)+-p [p:n+p]; (n):(1)+p",
    "part of a padded line": "(n+2*p):(1)+-p [p:n+p]; (k):(1)+o",
    "padded, all in a line": "(h+2*p,w+2*p):(w,1)+-p*w-p [p:h+p,p:w+p]; (h*w+2*h*p+2*p*w+4*p*p):(1)",
    "padded by names": "(p+h,w+q):(s,t)+-p*s [p:p+h,0:w]; (p+h,w+q):(w+q,1)",
    "a masked matrix in a line": "(A,B):(s,t) [a:b,c:d]; (A*B):(1)",
    "a masked line in rows": "(A*B):(s) [a:b]; (A,B):(B,1)",
    "every second of a line": "(4,6):(s,t) [0:4,1:3]; (n):(2)",
    "a stride": "(4,6):(s,t) [0:4,1:3]; (3):(u)",
    "a stride and a start": "(4,6):(s,t) [1:3,1:4]; (3,2):(u,1)+o",
    "a stride and a length": "(4,3):(s,t) [1:4,0:2]; (n):(u)+3",
    "an inner mask": "(4,6):(s,t); (n):(1)+-2 [2:n]",
    "an inner mask of names": "(4,6):(s,t); (9):(2)+-a [a:b]",
    "a mask hides a wrap": "(2,4):(s,t) [0:2,0:3]; (n):(2)",
    "the last rows by a step": "(4,N):(s,t) [3:4,0:N]; (n):(u)+7",
    "the middle rows by a step": "(4,6):(s,t) [1:3,0:6]; (n):(u)",
    "hardly any step": "(3,N):(s,t) [0:2,0:N]; (3):(2*u)",
    "no step at all": "(2):(s) [0:2]; (1,1):(1,t)+1",
    "over a gap": "(m,N+p):(s,t) [0:m,0:N]; (n):(2)",
    "back over a gap": "(3,N+1):(s,t) [0:3,0:N]; (n):(-3)+3*N+2",
    "over a window": "(4,N+3):(s,t) [0:4,0:3]; (n):(4)+1",
    "any step, start and length": "(2,2,3):(s,t,w) [0:2,0:1,0:3]; (n):(u)+o",
    "any two steps behind a mask of a name": "(3,2,2):(s,t,w) [0:3,a:2,0:2]; (2,m):(t,u)+1",
    "any step behind rows without number": "(N,2,3):(s,t,w) [0:N,a:2,0:3]; (n):(u)+o",
    "plain views behind a mask": "(N,2*N):(s,t) [0:N,0:p]; (3,2):(3,u)+5; (4):(0)+o",
}
JUMPING = ("back over a gap", "over a window")  # steps jump over windows of unknown length
NAMED = SIZES | RELATED | STRIDES | MASKS
DECIDED = {*PLAIN, *RELATED, *STRIDES, *MASKS} - {*JUMPING}

OPEN = {  # overflows that may be equal or opposite: what is enough is said
    "two free strides": "(M,K,N):(a,b,c); (n,m):(t,u); t >= N; u >= N",
    "three boundaries": "(K,2,3,M):(a,b,c,d); (n):(t); t >= M",
    "one more than a row": "(A,B,C):(a,b,c); (n):(C+1)",
    "any stride": "(K,M,N):(a,b,c); (n):(t); t >= 0",
    "few indices": "(K,N,M):(a,b,c); (4):(t); t >= 0",
    "strides that share a name": "(K,M,2):(a,a,b); (n):(t); t >= 0",
}

RIGHT = ("always", "when", "enough")
WORK = 1_500_000  # for a random question; more with more effort


def query_of(text: str) -> Query:
    """The views of a text, and what it assumes."""
    parts = text.split("; ")
    views = [p for p in parts if p.startswith("(")]
    return Query(tuple(map(opened_mask, views)), tuple(p for p in parts if p not in views))


def opened_mask(text: str) -> OpenMask:
    view, _, mask = text.partition(" [")
    bounds = tuple((a, b) for a, b in (pair.split(":") for pair in mask.rstrip("]").split(","))) if mask else None
    return OpenMask(opened(view), bounds)


def about(pair: Pair) -> Query:
    """A pair without masks."""
    return Query((OpenMask(pair.outer), OpenMask(pair.inner)), pair.assume)


def asked(query: Query, **more) -> Conditions:
    return conditions(*[View.parse(str(v)) for v in query.views], assume=query.assume, **more)


def strides(rng: Random, query: Query, values: dict[str, int]) -> Iterator[dict[str, int]]:
    """Strides of the first view of all kinds, among them some that merge, and some next to these."""
    yield from masked_queries.strides(rng, query, values)
    first = query.views[0].view
    yield from parametric.stride_choices(rng, first, values, 4)
    free = [t for t in first.strides if t.isidentifier() and t not in values]
    if len(query.views) == 2 and all(v.mask is None for v in query.views) and len(set(free)) == len(first.strides):
        shape = tuple(at(n, values) for n in first.shape)
        rows = parametric.row_space(shape, query.views[1].at(values))
        for _ in range(2) if rows is not None else ():
            width = len(brute.over_defects(shape, (0,) * len(shape)))
            merging = list(strides_with(rng, shape, orthogonal(rng, rows, width)))
            yield values | dict(zip(free, merging, strict=True))
            if free:
                yield values | dict(zip(free, merging, strict=True)) | {rng.choice(free): rng.choice(merging) + 1}


def check(rng: Random, query: Query, answer: Conditions, count: int, reach: int | None = None) -> Counter[str]:
    """The cases, their views and the formula everywhere; `holds` and the index that breaks now and then."""
    cases, seen = Cases(answer), Counter[str]()
    if all(case.status is not Status.UNDECIDED for case in answer.cases):
        formula = compiled(answer.formula())
    else:
        formula = None
        with pytest.raises(Undecided):
            answer.formula()
    if reach is None and all(n.isdigit() for n in query.views[0].view.shape):
        reach = min(14, prod(map(int, query.views[0].view.shape)) + 2)
    for values in masked_queries.points(rng, query, count, reach=reach):
        for given in strides(rng, query, values):
            said = cases.check(query, given)
            seen[said] += 1
            assert formula is None or formula(given) == (said in RIGHT), (query, given, answer.formula())
            known, number = {n: v for n, v in given.items() if n in answer.symbols()}, rng.random()
            if number < 0.1 or said == "undecided":
                check_holds(answer, known, said, judged(query.chain(given)))
            if number > 0.95:
                check_break(answer, known, judged(query.chain(given)))
    return seen


def check_holds(answer: Conditions, given: dict[str, int], said: str, expected) -> None:
    """What is left undecided may be so for numbers too."""
    try:
        holds = answer.holds(given)
    except Undecided:
        assert said in ("undecided", "enough")
    else:
        assert holds == isinstance(expected, One | Nowhere), (answer, given, said)


def check_break(answer: Conditions, given: dict[str, int], expected) -> None:
    """The smallest index that breaks, behind masks and along chains; addresses outside are shown as such."""
    broken = answer.counterexample(given)
    if expected is None:
        assert broken is not None and broken.kind is Kind.OUT_OF_BOUNDS, (answer, given, broken)
    elif isinstance(expected, masked.Fails):
        assert broken is not None, (answer, given)
        assert (broken.kind, broken.index) == (expected.kind, expected.index), (answer, given, broken)
    else:
        assert broken is None, (answer, given, broken)


@pytest.mark.parametrize("name", NAMED)
def test_named_queries(name, effort, record_property) -> None:
    query = query_of(NAMED[name])
    seen = check(Random(name), query, asked(query), 12 * effort)
    record_property("undecided", f"{seen['undecided']} of {seen.total()}")
    if name in DECIDED:
        assert not seen["undecided"], seen
        assert seen["always"] + seen["when"] > 1, seen
    if name in RELATED:
        assert seen["refused"] + seen["never"] + seen["out_of_bounds"], seen


@pytest.mark.parametrize("name", OPEN)
def test_what_stays_open_is_decided_for_numbers_and_what_is_enough_is(name) -> None:
    query = query_of(OPEN[name])
    answer = asked(query)
    reasons = [c.reason for c in answer.cases if c.status is Status.UNDECIDED]
    assert reasons and all("substitute numbers" in reason for reason in reasons)
    assert check(Random(name), query, answer, 60, reach=8)["enough"]


class Some(NamedTuple):
    """Random queries: so many, each at so many values; what has to be met, and the share that may be undecided."""

    make: Callable[[Random], Query]
    usual: int
    count: int
    met: tuple[str, ...]
    share: float = 0.1


PAIRS, MASKED = ("always", "when", "refused", "out_of_bounds"), ("always", "when", "refused", "never", "out_of_bounds")
RANDOM = {
    "moved": Some(lambda rng: about(parametric.moved(rng)), 20, 15, PAIRS, 0.5),
    "open strides": Some(lambda rng: about(parametric.open_strides(rng)), 30, 15, PAIRS, 0),
    "outer": Some(lambda rng: about(outer_queries.query(rng)), 12, 12, PAIRS),
    "masked": Some(masked_queries.query, 16, 12, MASKED),
    "chain": Some(masked_queries.chain, 16, 12, MASKED),
    "odd": Some(odd_queries.odd, 16, 8, ("always", "out_of_bounds")),
}


@pytest.mark.parametrize("kind", RANDOM)
def test_random_queries(kind, turns, effort, record_property, capsys) -> None:
    make, usual, count, met, share = RANDOM[kind]
    seen, queries = Counter[str](), Counter[str]()
    for number in turns(usual):
        rng = Random(f"{kind} {number}")
        query = make(rng)
        try:
            answer = asked(query, budget=Budget(work=WORK * effort))
        except (OutOfBounds, InputError):
            continue
        queries["undecided" if any(c.status == "undecided" for c in answer.cases) else "decided"] += 1
        seen.update(check(rng, query, answer, count))
    text = f"{queries['undecided']} of {queries.total()} queries"
    record_property("undecided", text)
    with capsys.disabled():
        print(f"\n{kind}, undecided: {text}")
    assert queries["undecided"] <= max(share > 0, share * queries.total()), queries
    assert min(seen[s] for s in met) > 5, seen


@pytest.mark.parametrize(
    ("texts", "enough"),
    [
        (("(2,N):(σ1,σ2) [0:2,a:N]", "(n):(4)"), "Eq(1, 0)"),  # where some indices are valid and some are not
        (("(2,4,2):(a,b,c)", "(3,n):(2,0)+5", "(k):(1)+1"), "Eq(floor(k/3), 0)"),
    ],
)
def test_what_is_open_has_what_is_enough(texts, enough) -> None:
    """Behind masks that all is valid, or nothing, are cases of their own."""
    query = Query(tuple(map(opened_mask, texts)))
    answer = asked(query)
    assert [[str(e) for e in c.equations] for c in answer.cases if c.status == "undecided"] == [[enough]]
    assert check(Random("enough"), query, answer, 10)["always"]


@pytest.mark.parametrize("inner", ["(n-m):(2)", "(3):(t+u)", "(3):(2)+o+p"])
def test_values_of_names_in_sums_are_not_told_one_by_one(inner) -> None:
    """The sum may be small where neither is: no last value of one of them matters."""
    views = [View.parse(text) for text in ("(4,3):(s,t) [0:4,a:3]", inner)]
    with pytest.raises(Undecided, match="sums"):
        OpenPoints(query_about(views, (), Budget().started()))


def test_random_reshapes_at_small_values(turns, effort) -> None:
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
    assert not seen["out_of_bounds"] and min(seen[s] for s in ("always", "when", "refused", "never")) > 10, seen


def test_merge_says_what_is_so_for_all_values(turns, effort) -> None:
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
                assert isinstance(judged(chain), One | Nowhere) == bool(found), (query, given, found)
                assert not found or masked.values((as_oracle(one),)) == masked.values(chain), (query, given, found)
    assert min(seen[View], seen[SymbolError]) > 0, seen


def test_a_middle_view_that_leaves_is_out_of_bounds_to_the_checker_too() -> None:
    """Though no index of the last view reaches what is outside."""
    views = [View.parse(text) for text in ("(1,3,4):(a,b,c)", "(4,3):(1,4)+o+2", "(2,3):(3,1)+o")]
    answer = conditions(*views)
    assert answer.case({"a": 0, "b": 4, "c": 1, "o": 0}).status == "out_of_bounds"
    with Solver("z3") as solver:
        report = verify(json.dumps(answer.certificate()), solver)
    assert not report.wrong, report.wrong
