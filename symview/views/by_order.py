"""When is a view contiguous, in one order of its dims or in any?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symview.answers import ConditionsData
from symview.cases.clauses import Clause, possible, simplified
from symview.cases.query import Query
from symview.errors import Undecided
from symview.logic.entailment import Entailment
from symview.logic.polynomial import Poly, times
from symview.logic.terms import TRUE, Term, conj
from symview.views.boundaries import UNIT
from symview.views.extents import Extents, extents, one_of

_STEPS = 3_000  # of work for each dim that is placed, beside what solvers do
_IN_ORDER = "exact: each dim that is not of size 1 has the stride that the order gives it"
_DENSE = "exact: addresses are an interval, each of one index, just where the dims are contiguous in some order"


def cases_by_order(query: Query, order: Sequence[int]) -> ConditionsData:
    """Contiguous in this order of the dims, the fastest first."""
    asked = extents(query)
    place, clauses = UNIT, list[Clause]()
    for dim in order:
        clauses.append(asked.placed(dim, place))
        place = times(place, asked.sizes[dim])
    clauses = [c for c in reversed(clauses) if TRUE not in c.literals]
    left = simplified(clauses, asked.knowing(clauses))
    refused = next((c.why for c in left if not c.literals), "")
    return asked.exact([c.term() for c in left], _IN_ORDER, refused)


def cases_by_density(query: Query, flips: bool) -> ConditionsData:
    """Contiguous in some order of the dims; with `flips`, whatever the signs of strides.

    Theory: dense exactly where for some order of the dims each has the product of the faster sizes as its stride,
    or is of size 1.
    """
    asked = extents(query)
    raw = [c for d in asked.dims for c in _anywhere(asked, d, flips)]
    known = asked.knowing(raw)
    found, stopped = list[list[Term]](), ""
    try:
        for one in _orders(asked, asked.dims[::-1], UNIT, known, flips):
            found.append([c.term() for c in simplified([c for _, c in sorted(one.items())], known)])
    except Undecided as stop:
        stopped = stop.reason
    if stopped:
        return asked.between(conj(one_of(found, known)), TRUE, stopped)
    reason = "the dims are contiguous in no order"
    return asked.exact(one_of(found, known), _DENSE, reason)


def _anywhere(asked: Extents, dim: int, flips: bool) -> Iterator[Clause]:
    """The dim as the fastest, behind each other one, and as the slowest."""
    place = UNIT
    yield asked.placed(dim, UNIT, flips)
    for other in asked.dims:
        if other != dim:
            yield asked.placed(dim, asked.sizes[other], flips)
            place = times(place, asked.sizes[other])
    yield asked.placed(dim, place, flips)


def _orders(
    asked: Extents, left: tuple[int, ...], place: Poly, known: Entailment, flips: bool
) -> Iterator[dict[int, Clause]]:
    """For each order of the dims that are left, from this place value on, what it demands of each dim.

    Impossible ones are left out.

    A dim that fits here whatever the values goes here: before where it goes in another order only dims of size 1 stand.
    """
    if not left:
        yield {}
        return
    fitting = list[tuple[int, Clause | None]]()
    for dim in left:
        asked.query.budget.spend(_STEPS)
        clause = possible(asked.placed(dim, place, flips), known)
        if clause is None:
            fitting = [(dim, None)]
            break
        if clause.literals:
            fitting.append((dim, clause))
    for dim, clause in fitting:
        rest = tuple([d for d in left if d != dim])
        then = known if clause is None else known.also(clause.term())
        for found in _orders(asked, rest, times(place, asked.sizes[dim]), then, flips):
            yield found if clause is None else {**found, dim: clause}
