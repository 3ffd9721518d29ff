"""The weakest premise: the condition on some symbols under which a statement holds for all values of the others.

A condition is conjectured from small values, each labelled by whether some values of the others refute the statement
there. That it suffices is left to `prove`; that it is needed, to witness terms, which take the place of "some values of
the others". What refutes either is one more labelled point, and the search begins again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any, TypeAlias

from symview.errors import Undecided
from symview.logic.budget import Budget, running
from symview.logic.notation import term_text
from symview.logic.terms import TRUE, Term, names, num
from symview.proof.kernel import prove
from symview.proof.statement import Statement, read
from symview.proof.verdicts import Verdict
from symview.rules.premises.corners import Corners
from symview.rules.premises.labels import RuleLabels, StatementLabels
from symview.rules.premises.premise import Premise
from symview.rules.premises.proofs import implied, proof_budget
from symview.rules.premises.question import Question, question_of, read_names, read_question
from symview.rules.premises.rule_formula import formula_of, without_equations
from symview.rules.premises.search import Search
from symview.rules.programs.any_rank import instances as ranks
from symview.rules.programs.meaning import terms_of
from symview.rules.programs.notation import is_about_programs
from symview.rules.programs.program import Rule
from symview.rules.programs.proving import EmptyRule, prove_rule
from symview.rules.programs.setting import Setting

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
    common divisors, joined by and and or; where these do not do, the statement at the ends of the ranges of the others.
    Both directions are proved, or said to be only checked; where no condition is found, the answer is falsy and says
    why. Statements, assumptions and `division` are as in `prove`; of a rule of programs, the condition is about the
    sizes at which its left side is defined. Raises InputError for names that do not occur.

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

    def follows(condition: Term, share: int) -> Verdict:
        return implied(condition, question.claim, (*question.given, *question.beside), question, budget, share)

    def search() -> Search:
        labels, corners = StatementLabels(question, budget), Corners(question, budget)
        said = question.named, question.formulas(), question.division
        return Search(*said, labels, follows, [question], budget, corners)

    return asked, search


def _about_programs(rule: Rule, about: Any, assume: Any, division: str, budget: Budget) -> _Asked:
    query = read(TRUE, assume, division)
    assumed = [a.term for a in query.assumptions]
    setting = Setting(rule, assumed, budget)
    named = read_names(about, setting.names)
    least = [Term(">=", (size, num(low))) for size, low in setting.least if set(names(size)) <= set(named)]
    texts = tuple(dict.fromkeys((*query.assumed(), *map(term_text, (*least, *rule.declared())))))

    def follows(condition: Term, share: int) -> Verdict:
        try:
            return prove_rule(rule, (*assumed, condition), "floor", proof_budget(budget, share), ranged=False)
        except EmptyRule:
            if condition == TRUE:
                raise
            return prove(TRUE)

    def search() -> Search:
        entries = [t for side in (rule.left, rule.right) for part in side.parts() for t in terms_of(part)]
        labels = RuleLabels(rule, named, assumed, budget)
        questions = [_question(rank, given, named, budget) for rank, given, *_ in ranks(rule, assumed)]
        return Search(named, (*entries, *assumed), "floor", labels, follows, questions, budget)

    return Premise(str(rule), named, assumptions=texts), search


def _question(rule: Rule, assumed: Sequence[Term], named: tuple[str, ...], budget: Budget) -> Question:
    """A rule without `...` as a statement about integers, about few names beside those."""
    said = without_equations(formula_of(rule, assumed, budget), named)
    return question_of(read(said.claim, said.given, "floor"), named, budget)
