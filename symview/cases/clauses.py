"""Conditions as clauses: what has to hold, each as a disjunction of comparisons, and nothing twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from symview.cases.algebra import Literals
from symview.logic.entailment import Entailment
from symview.logic.terms import TRUE, Term, conj, disj, negated


class Clause(NamedTuple):
    """A disjunction of comparisons; `why` says in words what it stands for, `dims` between which dims."""

    literals: Literals
    why: str = ""
    dims: tuple[int, int] | None = None

    def term(self) -> Term:
        """The clause as one formula."""
        return disj(self.literals)


def simplified(clauses: Sequence[Clause], known: Entailment) -> list[Clause]:
    """Clauses that mean the same where the facts hold, without the literals and clauses that the others imply."""
    kept = [c for clause in clauses if (c := _shorter(clause, known)) is not None]
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
        shorter = [_without_idle(clause, [terms[c] for c in kept if c is not clause], known) for clause in kept]
        if shorter == kept:
            return kept
        kept = shorter


def _shorter(clause: Clause, known: Entailment) -> Clause | None:
    """The clause without literals that cannot be or that another covers; None where it always holds."""
    left = possible(clause, known)
    return None if left is None else left._replace(literals=_irredundant(left.literals, known))


def possible(clause: Clause, known: Entailment) -> Clause | None:
    """The clause without literals that cannot be; None where it always holds."""
    literals = tuple(dict.fromkeys(clause.literals))
    if TRUE in literals or (literals and known.impossible(_none(literals))):
        return None
    return clause._replace(literals=tuple([e for e in literals if not known.impossible(e)]))


def _without_idle(clause: Clause, others: Sequence[Term], known: Entailment) -> Clause:
    """The clause without literals that the other clauses make needless."""
    return clause._replace(literals=_irredundant(clause.literals, known, others)) if others else clause


def _irredundant(literals: Literals, known: Entailment, others: Sequence[Term] = ()) -> Literals:
    for one in reversed(literals):
        if known.budget.is_over():
            break
        rest = tuple([e for e in literals if e is not one])
        if known.impossible(*others, one, _none(rest)):
            literals = rest
    return literals


def _none(literals: Literals) -> Term:
    return conj(negated(e) for e in literals)
