"""Joins questions with names: the condition under which all of them have an answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from symview.answers import CaseData, ConditionsData, Status
from symview.cases.algebra import Algebra
from symview.cases.conditions import Conditions
from symview.cases.question import Question
from symview.cases.simplify.clauses import shortened, tidied
from symview.counterexample import Counterexample
from symview.errors import InputError
from symview.logic.budget import DEFAULT, Budget, running
from symview.logic.entailment import Entailment
from symview.logic.notation import joined
from symview.logic.points import bounds_of
from symview.logic.solve import is_impossible
from symview.logic.sympy_bridge import free_symbols
from symview.logic.terms import FALSE, TRUE, Term, conj, conjuncts, names, negated

Answers = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Joint(Question[Answers]):
    """Whether several questions all have an answer; their answers, in order, are its answer."""

    questions: tuple[Question[Any], ...]

    @property
    def yes(self) -> str:
        """The statement that the conditions decide."""
        return " and ".join(dict.fromkeys(q.yes for q in self.questions))

    def __str__(self) -> str:
        return "; ".join(map(str, self.questions))

    def put(self, values: Mapping[str, int]) -> Joint:
        """The questions after substituting numbers."""
        return Joint(tuple([q.put(values) for q in self.questions]))

    def entries(self) -> Iterable[Any]:
        """All entries of all questions."""
        return [x for q in self.questions for x in q.entries()]

    def sizes(self) -> Iterable[Any]:
        """The sizes of all questions."""
        return [x for q in self.questions for x in q.sizes()]

    def fits(self, values: Mapping[str, int]) -> bool:
        """Whether all questions make sense at these values."""
        return all(q.fits(values) for q in self.questions)

    def at(self, values: Mapping[str, int], budget: Budget) -> Answers | Counterexample:
        """The answers to all questions, or the counterexample of the first that has no answer."""
        found = []
        for question in self.questions:
            answer = question.at(values, budget)
            if isinstance(answer, Counterexample):
                return answer
            found.append(answer)
        return tuple(found)

    def stated(self, case: CaseData, values: Mapping[str, int]) -> Answers | None:
        """The answers to all questions at values where the condition holds."""
        found = self.at(values, DEFAULT)
        return None if isinstance(found, Counterexample) else found

    def is_right(
        self, values: Mapping[str, int], found: Answers | Counterexample, stated: Answers | None, budget: Budget
    ) -> bool:
        """Whether integers confirm the answers to all questions, or the counterexample to the first without one."""
        for n, question in enumerate(self.questions):
            one = found[n] if isinstance(found, tuple) else question.at(values, budget)
            if not question.is_right(values, one, None, budget):
                return False
            if isinstance(one, Counterexample):
                return True
        return isinstance(found, tuple)

    def example_text(self, answer: Answers | None, broken: Counterexample | None) -> str:
        """The answers one by one, or why there is none."""
        if answer is None:
            return "not all of them have an answer" if broken is None else str(broken)
        return "; ".join(q.example_text(a, None) for q, a in zip(self.questions, answer, strict=True))

    def head(self) -> dict[str, Any]:
        """The questions, for JSON."""
        return {"questions": [q.head() for q in self.questions]}


def joint_conditions(*conditions: Conditions[Any], budget: Budget | None = None) -> Conditions[Answers]:
    """The exact condition under which several questions all have an answer, as one conjunction without repetition.

    Names that occur in several questions are the same integers, and the assumptions of each question hold in all of
    them. `answer(values)` has the answers of all, in order.
    Raises Undecided if one of the conditions is undecided, and InputError if the assumptions contradict each other, or
    there are no conditions.

    >>> from symview import reshape_conditions
    >>> shapes = "(B*S,H,D)", "(B,S,H*D)", "(B*S,H*D)"
    >>> print(joint_conditions(*[reshape_conditions("(B,S,H,D):(a,b,c,d)", shape) for shape in shapes]))
    (B = 1 or S = 1 or a = S*b) and (H = 1 or D = 1 or c = D*d)
    """
    if not conditions:
        raise InputError("joint_conditions(): give conditions, as reshape_conditions has them")
    for one in conditions:
        if not isinstance(one, Conditions):
            raise InputError(f"joint_conditions({one!r}): give conditions, as reshape_conditions has them")
    budget = running(budget)
    question = Joint(tuple(c.question for c in conditions))
    facts = tuple(dict.fromkeys(f for c in conditions for f in c.facts))
    assumed = tuple(dict.fromkeys(f for c in conditions for f in c.assumed))
    if is_impossible(facts, budget):
        raise InputError(f"the assumptions of the questions contradict each other: {joined(assumed or facts)}")
    known = Entailment(facts, budget)
    algebra = Algebra(_positive(facts), free_symbols(question.entries()))
    parts = chain.from_iterable(conjuncts(c.term()) for c in conditions)
    clauses = tuple(shortened([p for p in parts if p != TRUE], known, algebra))
    return Conditions(question, _data(conditions, clauses, facts, assumed), budget.plain())


def _positive(facts: Iterable[Term]) -> list[str]:
    """The names that a fact bounds from below by 1."""
    parts = [p for f in facts for p in conjuncts(f)]
    wanted = names(*parts)
    return [n for n, (low, _) in zip(wanted, bounds_of(parts, wanted), strict=True) if low is not None and low > 0]


def _data(
    conditions: Iterable[Conditions[Any]], clauses: tuple[Term, ...], facts: tuple[Term, ...], assumed: tuple[Term, ...]
) -> ConditionsData:
    """Two cases: the clauses hold, or they do not."""
    views = tuple(dict.fromkeys(v for c in conditions for v in c.views))
    fitting = [c.data.fitting for c in conditions if c.data.fitting is not None]
    whole = conj(clauses)
    cases = [CaseData(whole, Status.ALWAYS), CaseData(tidied(negated(whole), ()), Status.NEVER)]
    return ConditionsData(
        views,
        tuple([c for c in cases if c.where != FALSE]),
        assumed,
        facts,
        clauses,
        fitting=conj(fitting) if fitting else None,
    )
