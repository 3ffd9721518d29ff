"""From values that refute a claim to a verdict: replayed in plain integers, and made small."""

from __future__ import annotations

from collections.abc import Sequence

from symview.errors import InternalError
from symview.logic.budget import Budget
from symview.logic.divisions import Formula
from symview.logic.solve import REMARK, Sat, Unsat, solve
from symview.logic.terms import Term, num, sym, total, value_of
from symview.proof.search import first_of_size
from symview.proof.statement import Query, failing_relation
from symview.proof.verdicts import Refuted

_MAX_HALVINGS = 100


def refuted_at(query: Query, values: dict[str, int], smallest: bool) -> Refuted:
    """The refutation, replayed: InternalError unless the values meet the assumptions and break the claim."""
    if not query.refuted_by(values):
        raise InternalError(f"a countermodel does not replay: {query.claim.text} at {values}")
    term, division = query.claim.term, query.claim.division
    relation = failing_relation(term, values, division)
    sides = None
    if relation is not None:
        left, right = (int(value_of(side, values, division)) for side in relation.args)
        sides = (left, right)
    return Refuted(
        query.claim.text, values, sides, smallest, query.assumed(), query.division(), arithmetic=query.arithmetic()
    )


def smallest_refuted(query: Query, exceptions: Sequence[Formula], values: dict[str, int], budget: Budget) -> Refuted:
    """Bisects on the sum of absolute values; `smallest` only where the solver excludes all below."""
    size = total(Term("abs", (sym(n),)) for n in values)
    low, best = 0, values
    brief = budget.at_most(REMARK)
    for _ in range(_MAX_HALVINGS):
        high = sum(map(abs, best.values()))
        if low >= high:
            return refuted_at(query, first_of_size(query, high, brief) or best, smallest=True)
        middle = (low + high - 1) // 2
        answer = solve((*exceptions, Term("<=", (size, num(middle)))), brief)
        if isinstance(answer, Sat):
            best = {n: answer.model.get(n, 0) for n in values}
        elif isinstance(answer, Unsat):
            low = middle + 1
        else:
            break
    return refuted_at(query, best, smallest=False)
