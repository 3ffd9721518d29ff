"""What parts decide: restrictions are necessary, blocks are exact, and what they close is right at small values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from math import prod
from random import Random

import pytest

from oracle import masked, masked_queries, odd_queries, programs, realistic
from oracle.brute import V
from oracle.masked import Nowhere, One
from oracle.masked_queries import Cases, OpenMask, Query
from oracle.parametric import Open, contiguous
from oracle.realistic import view, whole
from symview import Budget, InputError, OutOfBounds, Undecided, View, conditions
from symview.answers import CaseData, ConditionsData, Status
from symview.cases.query import Query as AskedQuery
from symview.cases.query import query_about
from symview.logic.terms import Term, num
from symview.views import conditions as producers
from symview.views import parts
from symview.views.question import merge_conditions

NEVER = (Term("==", (num(1), num(0))),)


def chain(rng: Random) -> tuple[V, ...]:
    """A chain of numbers whose last view has no mask."""
    while True:
        *views, last = (programs.masked_pair if rng.random() < 0.5 else programs.masked_chain)(rng)
        found = (*views, V(last.shape, last.strides, last.offset))
        if last.shape and 0 not in last.shape and prod(last.shape) <= 200 and masked_queries.fits(found):
            return found


def is_one(found: object) -> bool:
    return isinstance(found, One | Nowhere)


def test_each_restriction_of_one_view_is_one_view(turns, full) -> None:
    """A run of each axis, each of its own step: what breaks in a part breaks in the whole."""
    seen = Counter()
    for number in turns(1200):
        rng = Random(f"restricted {number}")
        *views, last = chain(rng)
        shape, steps, offset = list(last.shape), list(last.strides), last.offset
        for axis, size in enumerate(last.shape):
            step = rng.randint(1, size)
            first = rng.randrange(size)
            shape[axis] = rng.randint(1, (size - 1 - first) // step + 1)
            steps[axis], offset = step * steps[axis], offset + first * last.strides[axis]
        whole, part = masked.decide((*views, last)), masked.decide((*views, V(tuple(shape), tuple(steps), offset)))
        assert is_one(part) or not is_one(whole), (views, last, shape, steps, offset)
        seen[is_one(whole), is_one(part)] += 1
    if full:
        assert min(seen[True, True], seen[False, True], seen[False, False]) > 10, seen


def test_blocks_of_numbers(turns, full) -> None:
    """Without masks a view is one exactly if it is in finer dims, and the reshape of what is found there is one."""
    seen = Counter()
    for number in turns(1200):
        rng = Random(f"blocks {number}")
        *views, last = [v._replace(mask=None) for v in chain(rng)]
        if not masked_queries.fits((*views, last)):
            continue
        axis = rng.randrange(len(last.shape))
        size, step = last.shape[axis], last.strides[axis]
        block = rng.choice([m for m in range(1, size + 1) if size % m == 0])
        fine = V(
            (*last.shape[:axis], size // block, block, *last.shape[axis + 1 :]),
            (*last.strides[:axis], block * step, step, *last.strides[axis + 1 :]),
            last.offset,
        )
        whole, finer = masked.decide((*views, last)), masked.decide((*views, fine))
        if is_one(finer):
            finer = masked.decide((masked.as_view(fine.shape, finer), V(last.shape, contiguous_of(last.shape))))
        assert is_one(finer) == is_one(whole), (views, last, fine)
        seen[is_one(whole)] += 1
    if full:
        assert min(seen[True], seen[False]) > 100, seen


def contiguous_of(shape: Sequence[int]) -> tuple[int, ...]:
    return tuple(prod(shape[n + 1 :]) for n in range(len(shape)))


def in_blocks(rng: Random) -> Query:
    """Views that end in a view that falls apart, at place values of the view before, or nearly does."""
    kind = rng.choice((odd_queries.odd, masked_queries.chain, masked_queries.query, None))
    if kind is None:
        return realistic.question(rng.randrange(100_000))
    while True:
        query = kind(rng)
        shape = query.views[-1].view.shape
        if shape and len(query.views) < 4 and len(query.parameters()) <= 4:
            break
    total, rows = realistic.product(*shape), realistic.product(*shape[:-1], "1")
    last = rng.choice((
        Open((total,), ("1",)), Open((total,), ("1",)), Open((rows,), contiguous(shape)[-2:-1] or ("1",)),
        Open((total,), ("-1",), f"{total}-1"), Open((realistic.product("n", shape[-1]),), ("1",)),
        Open((realistic.product(*shape[:2]), *shape[2:]), contiguous((realistic.product(*shape[:2]), *shape[2:]))),
    ))  # fmt: skip
    return Query((*query.views, OpenMask(last)), query.assume)


def check(rng: Random, query: Query, data: ConditionsData) -> Counter:
    cases, seen = Cases(merge_conditions(data, Budget())), Counter()
    for values in masked_queries.points(rng, query, 8):
        seen.update(cases.check(query, given) for given in masked_queries.strides(rng, query, values))
    return seen


def reopened(case: CaseData) -> CaseData:
    """The case as if only that its equations are enough were known."""
    if case.status not in (Status.WHEN, Status.NEVER):
        return case
    required = NEVER if case.status is Status.NEVER else case.required
    return replace(case, status=Status.UNDECIDED, required=required, reason="forgotten", witnesses=())


def answered(whole: AskedQuery, found: ConditionsData, part: AskedQuery) -> ConditionsData:
    """What was found of the whole question; the producers' answers to all others."""
    return found if part.views == whole.views else producers.answer(part)


def test_what_is_closed_by_parts_is_right(turns, full) -> None:
    """Answers by blocks; and answers of which all that is forgotten, except what is enough, come back by parts."""
    seen, counts = Counter(), Counter()
    for number in turns(48):
        rng = Random(f"parts {number}")
        query = in_blocks(rng)
        try:
            asked = query_about(
                [View.parse(str(v)) for v in query.views], query.assume, Budget(work=2_000_000).started()
            )
            blocks = parts.by_blocks(asked, producers.answer) if len(asked.views) > 2 else None
            data = blocks or producers.answer(asked)
        except (InputError, OutOfBounds, Undecided):
            continue
        seen.update((blocks is not None, said) for said in check(rng, query, data).elements())
        if all(reopened(c) is c for c in data.cases):
            continue
        open_ = replace(data, cases=tuple(map(reopened, data.cases)), clauses=None)
        closed = parts.by_parts(asked, partial(answered, asked, open_))
        counts["closed"] += sum(c.status is Status.UNDECIDED for c in open_.cases)
        counts["closed"] -= sum(c.status is Status.UNDECIDED for c in closed.cases)
        check(rng, query, closed)
    if full:
        assert min(seen[True, said] for said in ("always", "refused")) > 0, seen
        assert counts["closed"] > 5, counts


JOINED = {
    "a ring": (view("2:0", "R:a", "D:b"), view("L:D", "D:1", offset="p*D"), whole("L*D")),
    "a masked first index": (view("N:a", "M:b"), view("N*M:1:1:N*M"), view("l:h", "h:1")),
    "all dims": (view("B:a", "C:b", "L:1"), whole("B*C", "L"), whole("B*C*L")),
    "zeros between": (view("C:c", "L:a", "s:0:0:1"), view("C:L*s", "(L-1)*s+1:1"), whole("C*((L-1)*s+1)")),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", JOINED)
def test_what_parts_say_at_all_small_values(name) -> None:
    """All values of sizes up to 4."""
    query = Query(JOINED[name])
    cases, seen = Cases(conditions(*[View.parse(str(v)) for v in query.views])), Counter()
    wanted, ones = query.parameters(), dict.fromkeys(query.names(), 1)
    for point in product(range(5), repeat=len(wanted)):
        values = dict(zip(wanted, point, strict=True))
        if query.admits(ones | values):
            seen.update(
                cases.check(query, given) for given in masked_queries.strides(Random(str(point)), query, values)
            )
    assert not seen["undecided"] and seen["refused"] + seen["never"] > 10, seen


def in_rows(rng: Random) -> Query:
    """A masked axis in blocks of few, seen by places in a block, and joined; perhaps beside another dim."""
    k = rng.choice("234")
    n = rng.choice(("n", "(N+" + str(int(k) - 1) + f")//{k}"))
    low, high = rng.choice(("0", "0", "p")), rng.choice(("N", "q") if "N" in n else ("q", f"{k}*n", f"{k}*n-1"))
    blocks, joined = view(f"{k}:1", f"{n}:{k}"), view(f"{k}*({n}):1")
    first = view(f"({n})*{k}:a:{low}:{high}")
    other = rng.randrange(3)
    if other == 1:
        first, blocks = view("B:c", f"({n})*{k}:a:{low}:{high}"), view(f"B:({n})*{k}", f"{k}:1", f"{n}:{k}")
        joined = view(f"B:{k}*({n})", f"{k}*({n}):1")
    elif other == 2 and rng.random() < 0.5:
        joined = view(f"{k}*({n}):-1", offset=f"{k}*({n})-1")
    assume = [f"{low} <= {high}", f"{high} <= ({n})*{k}", f"{low} >= 0"] if "p" in low or high == "q" else []
    return Query((first, blocks, joined), tuple(assume))


@pytest.mark.sampled
@pytest.mark.parametrize("number", range(40))
def test_rows(number, record_property) -> None:
    """What is decided of masked rows is right at small values."""
    rng = Random(f"rows {number}")
    query = in_rows(rng)
    found = conditions(*[View.parse(str(v)) for v in query.views], assume=query.assume, budget=Budget(work=30_000_000))
    seen = check(rng, query, found.data)
    record_property("undecided", any(c.status is Status.UNDECIDED for c in found.data.cases))
    assert seen.total() > 0
