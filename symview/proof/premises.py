"""What a proof takes for granted: assumptions that some values meet, divisors that are not 0."""

from __future__ import annotations

from collections.abc import Sequence

from symview.errors import InputError
from symview.logic.budget import Budget
from symview.logic.divisions import Definition, Removed
from symview.logic.notation import joined
from symview.logic.solve import Open, Sat, Unsat, is_impossible, solve
from symview.logic.sympy_bridge import to_text
from symview.logic.terms import Term, names, negated
from symview.proof.statement import Query


def require_satisfiable(
    query: Query, removed: Removed, witness: dict[str, int] | None, budget: Budget, all_tried: bool = False
) -> frozenset[str]:
    """Nothing to note where some values meet the assumptions; raises InputError where none do.

    `all_tried`: there are no other values than those among which the witness was looked for.
    """
    if witness is not None and query.allowed_at(witness):
        return frozenset()
    given = removed.formulas[:-1]
    match solve((*given, *removed.facts()), budget):
        case Unsat():
            clashing = [query.assumptions[k] for k in _core(given, removed.facts(), budget)]
            core = [a.text or to_text(a.term) for a in clashing]
        case _ if all_tried:
            core = list(query.assumed())
        case Sat():
            return frozenset()
        case Open():
            return frozenset({"assumptions not shown to be satisfiable"})
    if not core:
        raise InputError(f"{query.claim.text}: a divisor is always 0")
    raise InputError(
        f"no values meet the assumptions {joined(core)} with nonzero divisors: "
        "they would prove anything; correct or drop one"
    )


def _core(given: Sequence[Term], facts: Sequence[Term], budget: Budget) -> list[int]:
    """Assumptions that contradict each other, as few as dropping one by one leaves."""
    kept = list(range(len(given)))
    for k in range(len(given)):
        rest = [j for j in kept if j != k]
        if is_impossible((*(given[j] for j in rest), *facts), budget):
            kept = rest
    return kept


def nonzero_notes(removed: Removed, budget: Budget) -> frozenset[str]:
    """A note for each divisor that the assumptions allow to be 0, and each shift or exponent that may be negative.

    One is cleared only by what comes before it, so that two cannot clear each other.
    """
    notes = set()
    fresh = {d.name for d in removed.definitions}
    noted: set[Term] = set()
    for k, definition in enumerate(removed.definitions):
        if definition.needs is None or definition.needs in noted:
            continue
        noted.add(definition.needs)
        if not _cleared(definition.needs, removed.definitions[:k], removed.formulas[:-1], fresh, budget):
            notes.add(f"{definition.shown} assumed")
    return frozenset(notes)


def _cleared(needs: Term, before: Sequence[Definition], given: Sequence[Term], fresh: set[str], budget: Budget) -> bool:
    usable = {d.name for d in before}
    stated = [g for g in given if (fresh & set(names(g))) <= usable]
    return is_impossible((*stated, *(d.fact for d in before), negated(needs)), budget)
