"""What a premise rests on: that a formula implies another, and that a condition follows from witness terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from symview.errors import InputError
from symview.logic.budget import Budget
from symview.logic.notation import term_text
from symview.logic.solve import is_impossible
from symview.logic.terms import FALSE, TRUE, Term, conj, conjuncts, negated, nonzero_divisors
from symview.proof.kernel import prove
from symview.proof.verdicts import Proved, Unknown, Verdict
from symview.rules.premise import condition_text
from symview.rules.python_loops import Point
from symview.rules.question import Question
from symview.rules.witnesses import Witnesses, instance

_PROOF = 12  # the share of the work that one proof may use up
_POINTS = 200  # that a proof tries: most were tried before


def proof_budget(budget: Budget) -> Budget:
    """What one proof may do."""
    return replace(budget.part(_PROOF), points=_POINTS)


def follows(question: Question, condition: Term, budget: Budget) -> Verdict:
    """Whether the statement follows, from one alternative of the condition after the other."""
    given = (*question.given, *question.beside)
    for one in condition.args if condition.op == "or" else (condition,):
        verdict = implied(one, question.claim, given, question, budget)
        if not isinstance(verdict, Proved):
            return verdict
    return verdict


def needed(
    question: Question, condition: Term, outside: Sequence[Point], budget: Budget
) -> tuple[Verdict, Sequence[Mapping[str, str]]]:
    """Whether the condition follows from what the statement says of some witnesses, and which these are.

    `outside` are points at which neither holds.
    """
    if condition == TRUE:
        return prove(TRUE), ()
    verdict: Verdict = Unknown(condition_text(condition), "no witness terms were found")
    for chosen in Witnesses(question, budget).found(outside):
        said = conj(instance(question, w) for w in chosen)
        for part in conjuncts(condition):
            verdict = implied(said, part, question.given, question, budget)
            if not isinstance(verdict, Proved):
                break
        if isinstance(verdict, Proved):
            return verdict, [dict(zip(question.others, map(term_text, w), strict=True)) for w in chosen]
        if not isinstance(verdict, Unknown):
            break
    return verdict, ()


def implied(premise: Term, goal: Term, given: Sequence[Term], question: Question, budget: Budget) -> Verdict:
    """Whether the goal follows from the premise; apart for each name that one of them divides by and that may be 0."""
    share = proof_budget(budget)
    for some in nonzero_divisors((premise, goal)):
        if some in given or not question.is_named(some) or is_impossible((*given, negated(some)), share):
            continue
        zero = negated(some)
        verdict = implied(premise, goal, (*given, some), question, budget)
        if not isinstance(verdict, Proved):
            return verdict
        return implied(_at_zero(premise, zero, TRUE), _at_zero(goal, zero, FALSE), (*given, zero), question, budget)
    claim = goal if premise == TRUE else Term("->", (premise, goal))
    try:
        return prove(claim, given, question.division, budget=share)
    except InputError:  # nothing meets what is given
        if set(given) <= {*question.given, *question.beside}:
            raise
        return prove(TRUE)


def _at_zero(formula: Term, zero: Term, otherwise: Term) -> Term:
    """The formula where a divisor is 0: what asks for that first is settled, what does not is taken as said."""
    if negated(zero) not in nonzero_divisors([formula]):
        return formula
    if formula.op == "and":
        return FALSE if negated(zero) in formula.args else conj(_at_zero(p, zero, otherwise) for p in formula.args)
    if formula.op == "or":
        parts = [_at_zero(p, zero, otherwise) for p in formula.args]
        return TRUE if zero in formula.args or TRUE in parts else Term("or", tuple(parts))
    return otherwise
