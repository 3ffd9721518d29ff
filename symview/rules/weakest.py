"""The weakest premise: the condition on some symbols under which a statement holds for all values of the others.

A condition is conjectured from small values, each labelled by whether some values of the others refute the statement
there. That it suffices is left to `prove`; that it is needed, to witness terms, which take the place of "some values of
the others". What refutes either is one more labelled point, and the search begins again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product
from time import perf_counter
from typing import Any

from symview.errors import InputError, Undecided
from symview.logic.budget import DEFAULT, Budget
from symview.logic.notation import term_text
from symview.logic.solve import is_impossible
from symview.logic.terms import FALSE, TRUE, Term, conj, conjuncts, negated, nonzero_divisors
from symview.proof.kernel import prove
from symview.proof.statement import Statement
from symview.proof.verdicts import Proved, Refuted, Unknown, Verdict
from symview.rules.atoms import compared, compound_sides, instances, simple_sides
from symview.rules.cheapest import Part, cheapest
from symview.rules.labels import Labels
from symview.rules.premise import PROVED, Premise, condition_text
from symview.rules.python_loops import Point
from symview.rules.question import Question, read_question
from symview.rules.witnesses import Witness, Witnesses, instance

_ROUNDS, _WIDER = 40, 2
_PROOF = 12  # the share of the work that one proof may use up
_GLANCED, _SWEPT = 40_000, 400_000  # values at which a condition is tried before it is proved, and where it is not
_POINTS = 200  # that a proof tries: most were tried before
_ENOUGH = (6.0, 9.5)  # what a condition may cost that is taken before dearer comparisons are looked at


def weakest(
    statement: Statement,
    about: str | Sequence[Any],
    assume: Statement | Sequence[Statement] = (),
    division: str = "floor",
    budget: Budget | None = None,
) -> Premise:
    """The weakest condition over the symbols `about` under which the statement holds for all values of the others.

    Its comparisons are equalities, orders and divisibilities of names, numbers, products, sums and absolute values,
    joined by and and or; where these do not do, the statement itself at extremal values of the others. Both directions
    are proved, or said to be only checked; where no condition is found, the answer is falsy and says why. Statements,
    assumptions and `division` are as in `prove`. Raises InputError for names that do not occur.

    >>> premise = weakest("(x % m)//c == (x//c) % (m//c)", about="c, m", assume="x >= 0 and 0 < c <= m")
    >>> print(premise)
    m % c == 0  [proved]
    >>> premise.holds({"c": 4, "m": 12}), premise.holds({"c": 16, "m": 255})
    (True, False)
    """
    started = perf_counter()
    budget = (budget or DEFAULT).started().part(2)
    question = read_question(statement, about, assume, division, budget)
    try:
        found = _found(question, budget)
    except Undecided as stop:
        found = _not_found(question, stop.reason)
    return replace(found, seconds=perf_counter() - started)


def _found(question: Question, budget: Budget) -> Premise:
    """Conjectures and proofs in turns, until both directions are settled, or nothing fits."""
    labels = Labels(question, budget)
    wider = 0
    for _ in range(_ROUNDS):
        condition = _conjectured(labels, budget)
        if condition is not None:
            settled = _settled(labels, condition, budget)
            if settled is not None:
                return settled
        elif wider == _WIDER:
            return _not_found(question, _misfit(labels))
        else:
            wider += 1
            labels.widen()
    return _not_found(question, f"{_ROUNDS} conditions that fitted small values were refuted")


def _settled(labels: Labels, condition: Term, budget: Budget) -> Premise | None:
    """The premise; None where the condition is refuted, and there is one more label to fit."""
    question = labels.question
    if labels.swept(condition, _GLANCED) is None:
        return None
    enough = _sufficient(question, condition, budget)
    if isinstance(enough, Refuted):
        labels.add(_values(enough, question.named), _values(enough, question.others))
        return None
    needed, chosen = _necessary(labels, condition, budget)
    if isinstance(needed, Refuted) and labels.add(_values(needed, question.named)):
        return None
    by = [PROVED if isinstance(verdict, Proved) else "" for verdict in (enough, needed)]
    if "" in by:
        swept = labels.swept(condition, _SWEPT)
        if swept is None:
            return None
        by = [b or f"checked to {swept}" for b in by]
    trusted = [v.rests_on for v in (enough, needed) if isinstance(v, Proved)]
    return replace(
        _not_found(question, ""),
        condition=condition_text(condition), sufficient=by[0], necessary=by[1],
        witnesses=tuple(dict(zip(question.others, map(term_text, w), strict=True)) for w in chosen),
        rests_on=question.notes.union(*trusted),
    )  # fmt: skip


def _not_found(question: Question, reason: str) -> Premise:
    query = question.query
    return Premise(
        query.claim.text, question.named, reason=reason, assumptions=query.assumed(), division=question.division
    )


def _misfit(labels: Labels) -> str:
    """Why nothing fits: the first values of either kind."""
    shown = []
    for verb, refuted in (("holds", False), ("fails", True)):
        at = [p for p, found in labels.refuting.items() if (found is not None) is refuted][:3]
        each = [", ".join(f"{n} = {v}" for n, v in zip(labels.question.named, p, strict=True)) for p in at]
        shown.append(f"it {verb} at {'; '.join(each)}")
    return f"none of the conditions that are looked at fits: {', and '.join(shown)}"


def _values(refuted: Refuted, wanted: Sequence[str]) -> Point:
    return tuple([refuted.values.get(n, 0) for n in wanted])


# Conjecturing


def _conjectured(labels: Labels, budget: Budget) -> Term | None:
    """The cheapest condition that fits the labels."""
    question, points = labels.question, list(labels.refuting)
    whole = (1 << len(points)) - 1
    wanted = sum(1 << n for n, p in enumerate(reversed(points)) if labels.refuting[p] is None)
    if wanted in (0, whole):
        return TRUE if wanted == whole else FALSE
    known: list[Part] = []
    best: Part | None = None
    for stage, enough in zip(_stages(question, points), (*_ENOUGH, None), strict=True):
        known += stage
        budget.spend(len(known) * len(points) // 10)
        best = cheapest(known, wanted, whole, budget)
        if best is not None and (enough is None or best.cost <= enough):
            break
    return None if best is None else best.term


def _stages(question: Question, points: Sequence[Point]) -> Iterator[list[Part]]:
    """Comparisons of simple sides; with compound ones; of compound ones, and what the statement says at extremes."""
    simple, compound = simple_sides(question), compound_sides(question.named)
    for pairs in (combinations(simple, 2), product(simple, compound)):
        yield compared(question, pairs, points)
    yield [*compared(question, combinations(compound, 2), points), *instances(question, points)]


# Proving


def _sufficient(question: Question, condition: Term, budget: Budget) -> Verdict:
    """Whether the statement follows, from one alternative of the condition after the other."""
    given, rests_on = (*question.given, *question.beside), frozenset[str]()
    for one in condition.args if condition.op == "or" else (condition,):
        verdict = _implied(one, question.claim, given, question, budget)
        if not isinstance(verdict, Proved):
            return verdict
        rests_on |= verdict.rests_on
    return verdict


def _necessary(labels: Labels, condition: Term, budget: Budget) -> tuple[Verdict, list[Witness]]:
    """Whether the condition follows from what the statement says of some witnesses, and which these are."""
    question = labels.question
    if condition == TRUE:
        return _implied(TRUE, TRUE, (), question, budget), []
    verdict: Verdict = Unknown(condition_text(condition), "no witness terms were found")
    chosen: list[Witness] = []
    for chosen in Witnesses(question, budget).found(labels.outside()):
        said = conj(instance(question, w) for w in chosen)
        for part in conjuncts(condition):
            verdict = _implied(said, part, question.given, question, budget)
            if not isinstance(verdict, Proved):
                break
        if not isinstance(verdict, Unknown):
            break
    return verdict, chosen if isinstance(verdict, Proved) else []


def _implied(premise: Term, goal: Term, given: Sequence[Term], question: Question, budget: Budget) -> Verdict:
    """Whether the goal follows from the premise; apart for each name that one of them divides by and that may be 0."""
    share = replace(budget.part(_PROOF), points=_POINTS)
    for some in nonzero_divisors((premise, goal)):
        if some in given or not question.is_named(some) or is_impossible((*given, negated(some)), share):
            continue
        zero = negated(some)
        verdict = _implied(premise, goal, (*given, some), question, budget)
        if not isinstance(verdict, Proved):
            return verdict
        return _implied(_at_zero(premise, zero, TRUE), _at_zero(goal, zero, FALSE), (*given, zero), question, budget)
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
