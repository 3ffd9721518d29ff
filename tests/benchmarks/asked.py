"""What reports ask for most, beside a merge of numbers in the same run: CPU of a call, and as a ratio."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any

import symview
from symview import cute

from .measure import Ratio, Seconds, Table, median, timed

APART = "t >= 1 + (c-1)*u and s >= 1 + (b-1)*t"
POSITIVE = "s >= 1 and t >= 1 and u >= 1"
QUESTIONS: dict[str, Callable[[], Any]] = {
    "merge": lambda: symview.merge("(10,3,3):(9,3,1)", "(4,2):(4,-1)+1"),
    "span": lambda: symview.span("(5,2):(50,10)+2"),
    "recast": lambda: symview.recast("(4,8):(8,1)", "fp16", "fp32"),
    "reshape by columns": lambda: symview.reshape("(2,3):(1,2)", "(3,2)", order="F"),
    "shards": lambda: symview.placements_after((6, 4), "S(0)", (24,), 3),
    "span with names": lambda: symview.span_conditions("(B,S,D):(t0,D,1)", bits=32, assume="t0 >= 0"),
    "recast with names": lambda: symview.recast_conditions("(a,n):(ld,1)+o", 8, 32),
    "shards with names": lambda: symview.placement_conditions("(N,K)", "S(0)", "(N*K)", None, "m"),
    "banks of a pitch": lambda: cute.bank_conflicts(
        cute.Layout.parse("(16,4):(ld,8)"), element_bytes=2, vector=8, machine="cdna3"
    ),
    "a guard": lambda: symview.injective_conditions("(a,b,c):(s,t,u)", assume=POSITIVE).compare(APART),
    "a premise": lambda: symview.weakest("(a*b)//c == a//c*b", "a, b, c", "b >= 0 and c >= 1"),
}


def against_a_merge(count: int) -> Table:
    """The median of `count` calls each, for the slow ones fewer; a question is warm, so nothing is imported."""
    rows, merge = [], Seconds(0)
    for name, ask in QUESTIONS.items():
        _, first = timed(ask, clock=process_time)
        times = [timed(ask, clock=process_time)[1] for _ in range(max(1, count if first < 0.01 else count // 50))]
        merge = median(times) if name == "merge" else merge
        rows.append((name, median(times), Ratio(median(times) / max(merge, 1e-9))))
    return Table("what is asked most, beside a merge of numbers", ("question", "median", "merges"), rows)
