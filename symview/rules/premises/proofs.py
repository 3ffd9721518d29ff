"""What a premise rests on: that a formula implies another, and that a condition follows from witness terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from symview.errors import InputError
from symview.logic.budget import Budget
from symview.logic.notation import term_text
from symview.logic.solve import is_impossible
from symview.logic.terms import (
    FALSE,
    TRUE,
    Term,
    conj,
    conjuncts,
    fresh,
    negated,
    nonzero_divisors,
    num,
    replaced,
    sym,
    walk,
)
from symview.proof.kernel import prove
from symview.proof.verdicts import Proved, Unknown, Verdict
from symview.rules.premises.premise import condition_text
from symview.rules.premises.question import Question
from symview.rules.premises.witnesses import Witness, Witnesses, instance
from symview.rules.python_loops import Point, columns

BRIEFLY, PATIENTLY = 12, 4  # the share of the work that one proof may use up
_POINTS_PER_PROOF = 200  # that a proof tries: most were tried before


def proof_budget(budget: Budget, share: int) -> Budget:
    """What one proof may do."""
    return replace(budget.part(share), points=_POINTS_PER_PROOF)


class Needed(NamedTuple):
    """Whether the condition is necessary, by which witness terms, and what that rests on besides."""

    verdict: Verdict
    witnesses: tuple[Mapping[str, str], ...] = ()
    rests_on: frozenset[str] = frozenset()


def needed(
    question: Question,
    condition: Term,
    outside: Sequence[Point],
    budget: Budget,
    share: int,
    likely: Sequence[Term] = (),
    witnesses: list[Witness] | None = None,
) -> Needed:
    """Whether the condition follows from what the statement says of some witnesses.

    `outside` are points at which neither holds; `likely` are terms that witnesses may be made of. Where `witnesses` are
    given, they are tried first.
    """
    if condition == TRUE:
        return Needed(prove(TRUE))
    common = next((t for t in walk(condition) if t.op == "gcd" and len(t.args) == 2), None)
    if common is not None:
        return _by_bezout(question, condition, common, outside, budget, share)
    found = Needed(Unknown(condition_text(condition), "no witness terms were found"))
    for chosen in chain([witnesses] if witnesses else [], Witnesses(question, budget, likely).found(outside)):
        said = conj(instance(question, w) for w in chosen)
        for part in conjuncts(condition):
            found = Needed(implied(said, part, question.given, question, budget, share))
            if not isinstance(found.verdict, Proved):
                break
        if isinstance(found.verdict, Proved):
            texts = [dict(zip(question.others, map(term_text, w), strict=True)) for w in chosen]
            return found._replace(witnesses=tuple(texts))
        if not isinstance(found.verdict, Unknown):
            break
    return found


def _by_bezout(
    question: Question, condition: Term, common: Term, outside: Sequence[Point], budget: Budget, share: int
) -> Needed:
    """The same with names for the greatest common divisor g of a and b, and for u and v with g == u*a + v*b.

    So the witnesses may mention them. There are such u and v unless a and b are both 0, by Bézout's identity.
    """
    a, b = common.args
    both = [Term("==", (side, num(0))) for side in (a, b)]
    if not is_impossible((*question.given, *both), budget):
        return Needed(Unknown(condition_text(condition), f"{term_text(common)} may be 0"))
    g, u, v, x, y = (sym(fresh(n, (*question.named, *question.others))) for n in "guvxy")
    sums = Term("+", (Term("*", (u, a)), Term("*", (v, b))))
    parts = [Term("==", (side, Term("*", (g, part)))) for side, part in ((a, x), (b, y))]
    given = (*question.given, Term(">=", (g, num(1))), Term("==", (g, sums)), *parts)
    with_bezout = question._replace(named=(*question.named, *(n.args[0] for n in (g, u, v, x, y))), given=given)
    points = []
    for point, p, q in zip(outside, *columns([a, b], question.named, outside, question.division), strict=True):
        d, s, t = extended_gcd(p, q)
        points.append((*point, d, s, t, p // d, q // d))
    likely = [Term("*", (s, Term("//", (sym(n), g)))) for n in question.named for s in (u, v)]
    found = needed(with_bezout, replaced(condition, common, g), points, budget, share, likely)
    note = f"Bézout: {term_text(g)} == {term_text(common)} == {term_text(sums)}"
    return found._replace(rests_on=found.rests_on | {note})


def extended_gcd(a: int, b: int) -> tuple[int, int, int]:
    """The greatest common divisor g >= 0, and u, v with g == u·a + v·b.

    >>> extended_gcd(12, -20)
    (4, 2, 1)
    """
    (g, u, v), (h, s, t) = (a, 1, 0), (b, 0, 1)
    while h:
        q = g // h
        (g, u, v), (h, s, t) = (h, s, t), (g - q * h, u - q * s, v - q * t)
    return (g, u, v) if g >= 0 else (-g, -u, -v)


def implied(
    premise: Term, goal: Term, given: Sequence[Term], question: Question, budget: Budget, share: int
) -> Verdict:
    """Whether the goal follows from the premise; apart for each name that one of them divides by and that may be 0."""
    own = proof_budget(budget, share)
    for some in nonzero_divisors((premise, goal)):
        if some in given or not question.is_named(some) or is_impossible((*given, negated(some)), own):
            continue
        zero = negated(some)
        verdict = implied(premise, goal, (*given, some), question, budget, share)
        if not isinstance(verdict, Proved):
            return verdict
        premise, goal = _at_zero(premise, zero, TRUE), _at_zero(goal, zero, FALSE)
        return implied(premise, goal, (*given, zero), question, budget, share)
    claim = goal if premise == TRUE else Term("->", (premise, goal))
    try:
        return prove(claim, given, question.division, budget=own)
    except InputError:  # nothing meets what is given
        if set(given) <= {*question.given, *question.beside}:
            raise
        return prove(TRUE)


def _at_zero(formula: Term, zero: Term, otherwise: Term) -> Term:
    """The formula where a divisor is 0: tests of the divisor are decided, other parts that divide are `otherwise`."""
    if negated(zero) not in nonzero_divisors([formula]):
        return formula
    if formula.op == "and":
        return FALSE if negated(zero) in formula.args else conj(_at_zero(p, zero, otherwise) for p in formula.args)
    if formula.op == "or":
        parts = [_at_zero(p, zero, otherwise) for p in formula.args]
        return TRUE if zero in formula.args or TRUE in parts else Term("or", tuple(parts))
    return otherwise
