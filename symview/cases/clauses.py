"""Conditions as clauses: a conjunction of disjunctions of comparisons, without redundancy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from symview.cases.algebra import Literals
from symview.logic.entailment import Entailment
from symview.logic.terms import TRUE, Term, conj, disj, negated


class Clause(NamedTuple):
    """A disjunction of comparisons; `why` explains it, `dims` are the two dims that it is about."""

    literals: Literals
    why: str = ""
    dims: tuple[int, int] | None = None

    def term(self) -> Term:
        """The clause as one formula."""
        return disj(self.literals)


def simplified(clauses: Sequence[Clause], known: Entailment) -> list[Clause]:
    """Clauses equivalent under the facts, without literals and clauses that the others imply."""
    kept = [_irredundant(c, known) for clause in clauses if (c := possible(clause, known)) is not None]
    while True:
        refused = next((c for c in kept if not c.literals), None)
        if refused is not None:
            return [refused]
        if known.budget.is_over():
            return kept
        terms = {c: c.term() for c in kept}
        for clause in sorted(kept, key=lambda c: -len(c.literals)):
            others = [c for c in kept if c is not clause]
            if known.impossible(*map(terms.__getitem__, others), _none(clause.literals)):
                kept = others
        shorter = [_irredundant(c, known, [terms[o] for o in kept if o is not c]) for c in kept] if kept[1:] else kept
        if shorter == kept:
            return kept
        kept = shorter


def possible(clause: Clause, known: Entailment) -> Clause | None:
    """The clause without impossible literals; None if it always holds."""
    literals = tuple(dict.fromkeys(clause.literals))
    if TRUE in literals or (literals and known.impossible(_none(literals))):
        return None
    return clause._replace(literals=tuple([e for e in literals if not known.impossible(e)]))


def _irredundant(clause: Clause, known: Entailment, others: Sequence[Term] = ()) -> Clause:
    """The clause without literals that its other literals cover, given the other clauses."""
    left = clause.literals
    for one in reversed(left):
        if known.budget.is_over():
            break
        rest = tuple([e for e in left if e is not one])
        if known.impossible(*others, one, _none(rest)):
            left = rest
    return clause._replace(literals=left)


def _none(literals: Literals) -> Term:
    return conj(negated(e) for e in literals)
