"""The weakest premise: the condition on some symbols under which a statement holds for all values of the others.

A condition is conjectured from small values, each labelled by whether some values of the others refute the statement
there. That it suffices is left to `prove`; that it is needed, to witness terms, which take the place of "some values of
the others". What refutes either is one more labelled point, and the search begins again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from time import perf_counter
from typing import Any, TypeAlias

from symview.errors import Undecided
from symview.logic.budget import Budget, running
from symview.logic.notation import term_text
from symview.logic.terms import TRUE, Term, names, num
from symview.proof.kernel import prove
from symview.proof.statement import Statement, read
from symview.proof.verdicts import Proved, Unknown, Verdict
from symview.rules.premises.atoms import instances
from symview.rules.premises.cheapest import Part
from symview.rules.premises.corners import Corners
from symview.rules.premises.labels import Labels
from symview.rules.premises.premise import Premise, condition_text
from symview.rules.premises.proofs import Needed, follows, needed, proof_budget
from symview.rules.premises.question import Question, question_of, read_names, read_question
from symview.rules.premises.rule_formula import formula_of, without_equations
from symview.rules.premises.rule_labels import RuleLabels
from symview.rules.premises.search import Search
from symview.rules.premises.witnesses import Witness
from symview.rules.programs.any_rank import instances as ranks
from symview.rules.programs.meaning import terms_of
from symview.rules.programs.notation import is_about_programs
from symview.rules.programs.program import Rule
from symview.rules.programs.proving import EmptyRule, prove_rule
from symview.rules.programs.setting import Setting
from symview.rules.python_loops import Point

_DEFAULT = Budget(work=25_000_000)


def weakest(
    statement: Statement,
    about: str | Sequence[Any],
    assume: Statement | Sequence[Statement] = (),
    division: str = "floor",
    budget: Budget | None = None,
) -> Premise:
    """The weakest condition over the symbols `about` under which the statement holds for all values of the others.

    Its comparisons are equalities, orders and divisibilities of names, numbers, products, sums, absolute values and
    common divisors, joined by and and or; where these do not do, the statement at the ends of the ranges of the others,
    or at other extremal values. Both directions are proved, or said to be only checked; where no condition is found,
    the answer is falsy and says why. Statements, assumptions and `division` are as in `prove`; of a rule of programs,
    the condition is about the sizes at which its left side is defined. Raises InputError for names that do not occur.

    >>> premise = weakest("(x % m)//c == (x//c) % (m//c)", about="c, m", assume="x >= 0 and 0 < c <= m")
    >>> print(premise)
    m % c == 0  [proved]
    >>> premise.holds({"c": 4, "m": 12}), premise.holds({"c": 16, "m": 255})
    (True, False)
    """
    started = perf_counter()
    budget = running(_DEFAULT if budget is None else budget)
    if isinstance(statement, str) and is_about_programs(statement):
        statement = Rule.parse(statement)
    if isinstance(statement, Rule):
        asked, search = _about_programs(statement, about, assume, division, budget)
    else:
        asked, search = _about_integers(statement, about, assume, division, budget)
    try:
        found = search().found(asked)
    except Undecided as stop:
        found = replace(asked, reason=stop.reason)
    return replace(found, seconds=perf_counter() - started)


_Asked: TypeAlias = tuple[Premise, Callable[[], Search]]  # what the answer says of the question, and what answers it


def _about_integers(statement: Statement, about: Any, assume: Any, division: str, budget: Budget) -> _Asked:
    question = read_question(statement, about, assume, division, budget)
    query = question.query
    asked = Premise(
        query.claim.text, question.named, assumptions=query.assumed(), division=question.division,
        rests_on=question.notes,
    )  # fmt: skip
    return asked, lambda: _IntegerSearch(question, budget)


def _about_programs(rule: Rule, about: Any, assume: Any, division: str, budget: Budget) -> _Asked:
    query = read(TRUE, assume, division)
    assumed = [a.term for a in query.assumptions]
    setting = Setting(rule, assumed, budget)
    named = read_names(about, setting.names)
    least = [Term(">=", (size, num(low))) for size, low in setting.least if set(names(size)) <= set(named)]
    texts = tuple(dict.fromkeys((*query.assumed(), *map(term_text, (*least, *rule.declared())))))
    return Premise(str(rule), named, assumptions=texts), lambda: _RuleSearch(rule, named, assumed, budget)


class _IntegerSearch(Search):
    """For a statement about integers."""

    def __init__(self, question: Question, budget: Budget) -> None:
        self.question, self.budget = question, budget
        self.named, self.stated, self.division = question.named, question.formulas(), question.division
        self.labels, self.corners = Labels(question, budget), Corners(question, budget)
        self.witnesses: dict[Term, list[Witness]] = {}  # of which the conditions are that were put together of corners

    def sufficient(self, condition: Term, share: int) -> Verdict:
        return follows(self.question, condition, self.budget, share)

    def necessary(self, condition: Term, share: int) -> Needed:
        witnesses = self.witnesses.get(condition)
        return needed(self.question, condition, self.labels.outside(), self.budget, share, witnesses=witnesses)

    def at_corners(self, points: Sequence[Point], wanted: int) -> Part | None:
        fitting = self.corners.fitting(points, wanted)
        if fitting is None:
            return None
        part, self.witnesses[part.term] = fitting
        return part

    def stand_ins(self, points: Sequence[Point]) -> list[Part]:
        return list(instances(self.question, points))


class _RuleSearch(Search):
    """For a rule of programs: labels from arrays, proofs by pieces, witnesses for what the rule says of integers."""

    def __init__(self, rule: Rule, named: tuple[str, ...], assumed: Sequence[Term], budget: Budget) -> None:
        self.rule, self.named, self.assumed, self.budget = rule, named, tuple(assumed), budget
        entries = [t for side in (rule.left, rule.right) for part in side.parts() for t in terms_of(part)]
        self.stated, self.division = (*entries, *assumed), "floor"
        self.labels = RuleLabels(rule, named, assumed, budget)

    def sufficient(self, condition: Term, share: int) -> Verdict:
        for one in condition.args if condition.op == "or" else (condition,):
            try:
                verdict = prove_rule(
                    self.rule, (*self.assumed, one), "floor", proof_budget(self.budget, share), ranged=False
                )
            except EmptyRule:
                if one == TRUE:
                    raise
                verdict = prove(TRUE)
            if not isinstance(verdict, Proved):
                return verdict
        return verdict

    def necessary(self, condition: Term, share: int) -> Needed:
        found = Needed(Unknown(condition_text(condition), "no witness terms were found"))
        for question in self.questions:
            found = needed(question, condition, self.labels.outside(), self.budget, share)
            if isinstance(found.verdict, Proved):
                break
        return found

    def stand_ins(self, points: Sequence[Point]) -> list[Part]:
        return []

    @cached_property
    def questions(self) -> list[Question]:
        """The statements that the rule spells, one for each rank that has to be looked at."""
        found = []
        for rule, assumed, *_ in ranks(self.rule, self.assumed):
            said = without_equations(formula_of(rule, assumed, self.budget), self.named)
            found.append(question_of(read(said.claim, said.given, "floor"), self.named, self.budget))
        return found
