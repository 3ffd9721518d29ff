"""What ordinary programs ask: answers hold at all small values, few are undecided, and none is long."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from oracle import masked_queries, realistic
from oracle.masked_queries import Cases, OpenMask, Query
from oracle.realistic import view, whole
from symview import Budget, Conditions, View, conditions

SPREAD = view("C:c", "L:a", "s:0:0:1")  # s − 1 zeros behind each element
PADDED = view("(N+3)//4*4:a:0:N", "D:b")
RING = view("2:0", "R:a", "D:b")
NAMED: dict[str, tuple[OpenMask, ...]] = {
    "transposed convolution, rows joined": (
        SPREAD, view("C:L*s", "(L-1)*s+1:1"), whole("C*((L-1)*s+1)"),
    ),
    "transposed convolution, padded, rows joined": (
        view("C:c", "L+p:a:p:L+p", "s:0:0:1", offset="-p*a"),
        view("C:(L+p)*s", "(L+p-1)*s+1:1"), whole("C*((L+p-1)*s+1)"),
    ),
    "padded blocks, transposed": (PADDED, view("4:D", "(N+3)//4:4*D", "D:1"), whole("4*((N+3)//4)", "D")),
    "padded blocks, all transposed": (
        PADDED, view("D:1", "4:D", "(N+3)//4:4*D"), whole("D*4*((N+3)//4)"),
    ),
    "ring buffer, joined": (RING, view("L:D", "D:1", offset="p*D"), whole("L*D")),
    "masked first index before rows": (view("N:a", "M:b"), view("N*M:1:1:N*M"), view("l:h", "h:1")),
    "masked first index before columns": (view("n:4", "m:1"), view("l:1:1:l")),
    "masked first index of a line in rows": (view("N*M:1:1:N*M"), view("l:h", "h:1")),
    "two masks under two rows": (view("n:a:p:n", "m:b:r:m"), view("2:l", "l:1")),
    "masks that meet nowhere": (view("8:1:0:1"), view("4:1:1:3"), view("2:1", "2:1")),
}  # fmt: skip
OPEN = {"padded blocks, all transposed", "two masks under two rows"}
MUCH, LITTLE = 50_000_000, 4_000_000  # steps for a question, and for one that ends undecided


def ask(query: Query, work: int = MUCH) -> Conditions:
    return conditions(*[View.parse(str(v)) for v in query.views], assume=query.assume, budget=Budget(work=work))


def check(rng: Random, query: Query, answer: Conditions, count: int) -> Counter:
    cases, seen = Cases(answer), Counter()
    for values in masked_queries.points(rng, query, count):
        seen.update(cases.check(query, given) for given in masked_queries.strides(rng, query, values))
    return seen


def is_open(answer: Conditions) -> bool:
    return any(c.status == "undecided" for c in answer.cases)


@pytest.mark.sampled
@pytest.mark.parametrize("name", NAMED)
def test_named_questions(name, effort) -> None:
    query = Query(NAMED[name])
    answer = ask(query, LITTLE if name in OPEN else MUCH)
    assert check(Random(name), query, answer, 8 * effort).total() > 0
    assert is_open(answer) == (name in OPEN), answer.headline()


def test_questions_of_programs_at_small_values(turns, full, record_property) -> None:
    seen, counts = Counter(), Counter()
    for number in turns(32):
        query = realistic.question(7 * number)  # 7: all kinds in turn
        answer = ask(query)
        counts["undecided"] += is_open(answer)
        counts["long"] += len(answer.headline()) > 200
        counts["asked"] += 1
        seen.update(check(Random(number), query, answer, 5))
    share = f"{counts['undecided']} of {counts['asked']} questions, longer than 200 characters: {counts['long']}"
    record_property("undecided", share)
    if full:
        assert counts["undecided"] <= 0.02 * counts["asked"]
        assert min(seen[s] for s in ("always", "when", "refused", "never", "out_of_bounds")) > 0, seen


def test_each_kind_asks_many_questions() -> None:
    kinds = len(realistic.KINDS)
    different = [len({str(realistic.question(n)) for n in range(kind, 100 * kinds, kinds)}) for kind in range(kinds)]
    assert min(different) > 30, different
