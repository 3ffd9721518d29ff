"""Tensors padded by names, looked at by rows, columns, blocks and in a line, at all small values."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import pytest

from oracle import masked_queries
from oracle.masked_queries import Cases, OpenMask, Query
from oracle.parametric import opened
from symview import Status, View, conditions

AFTER, BEFORE, BOTH = "(n+p,m+q):(a,b) [0:n,0:m]", "(p+n,q+m):(a,b) [p:p+n,q:q+m]", "(n+2*p,m+2*q):(a,b) [p:p+n,q:q+m]"
FROM_0 = ("n >= 0", "m >= 0", "p >= 0", "q >= 0")
PADDED: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "columns": (AFTER, "(h,l):(1,m+q)", ()),
    "rows, sizes and margins from 0": (AFTER, "(l,h):(m+q,1)", FROM_0),
    "rows": (AFTER, "(l,h):(m+q,1)", ()),
    "rows from some one on": (AFTER, "(l,h):(m+q,1)+o*(m+q)", ("o >= 0",)),
    "rows between margins": (BOTH, "(l,h):(m+2*q,1)", ("h <= m+2*q",)),
    "rows below a margin": (BEFORE, "(l,h):(q+m,1)", ()),
    "a block from some row on": (BOTH, "(l,h):(m+2*q,1)+o*(m+2*q)", ("h <= m+2*q", "o >= 0")),
    "a line": (AFTER, "(k):(1)", ()),
    "all in a line": (AFTER, "((n+p)*(m+q)):(1)", ()),
    "all in a line, margins from 0": (AFTER, "((n+p)*(m+q)):(1)", FROM_0),
    "rows of a masked matrix": ("(N,M):(a,b) [0:n,0:m]", "(l,h):(M,1)", ()),
    "three dims": (
        "(n+p,m+q,k+r):(a,b,c) [0:n,0:m,0:k]", "(l,h,g):((m+q)*(k+r),k+r,1)", ("h <= m+q", "g <= k+r"),
    ),
    "rows of three dims": ("(n+p,m+q,k):(a,b,c) [0:n,0:m,0:k]", "(l,h):((m+q)*k,1)", ("h <= (m+q)*k",)),
}  # fmt: skip


def query_of(name: str) -> Query:
    outer, inner, assume = PADDED[name]
    text, mask = outer.split(" [")
    bounds = tuple(tuple(pair.split(":")) for pair in mask.rstrip("]").split(","))
    return Query((OpenMask(opened(text), bounds), OpenMask(opened(inner))), assume)  # type: ignore[arg-type]


@pytest.mark.sampled
@pytest.mark.parametrize("name", PADDED)
def test_padded_tensors_are_decided(name, turns) -> None:
    query, rng, seen = query_of(name), Random(name), Counter()
    answer = conditions(*[View.parse(str(v)) for v in query.views], assume=query.assume)
    assert all(c.status is not Status.UNDECIDED for c in answer.cases)
    cases, names = Cases(answer), query.parameters()
    low, top = 0 if FROM_0[0] in query.assume else 1, {3: 8, 4: 5, 5: 4, 6: 4}.get(len(names), 3)
    spans = [range(low if n in "nmpqk" else 0, top + 2 * (n in "lh")) for n in names]
    points = list(product(*spans))
    for point in rng.sample(points, min(len(points), len(turns(1500)))):
        values = dict(zip(names, point, strict=True))
        if query.admits({**dict.fromkeys(query.names(), 0), **values}):
            for given in masked_queries.strides(rng, query, values):
                seen[cases.check(query, given)] += 1
    assert min(seen["always"], seen["out_of_bounds"]) > 3 or not query.views[1].view.shape[1:], seen
    assert sum(seen.values()) > 200, seen
