"""The search for a premise: conditions are conjectured from labelled points until one is proved or none fits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain, combinations, islice, product
from time import perf_counter
from typing import TypeAlias

from symview.errors import Undecided
from symview.logic.budget import Budget, running
from symview.logic.divisions import Formula
from symview.logic.notation import term_text
from symview.logic.solve import is_impossible
from symview.logic.terms import FALSE, TRUE, Term, node_count, nonzero_divisors
from symview.proof.statement import Statement, read
from symview.proof.verdicts import Proved, Refuted, Verdict
from symview.rules.premises.conjectures import (
    DEAREST,
    Part,
    cheapest,
    comparisons,
    compound_sides,
    depth,
    factor_sides,
    remainder_sides,
    simple_sides,
    without_gcds,
    zeros_joined,
)
from symview.rules.premises.labels import Labels, RuleLabels, StatementLabels
from symview.rules.premises.premise import NO_FORMULA, OWN, PROVED, Premise, condition_text
from symview.rules.premises.proofs import BRIEFLY, PATIENTLY, Needed, Witness, needed
from symview.rules.premises.question import About, Assumptions, read_names, read_question
from symview.rules.programs.any_rank import names_of
from symview.rules.programs.notation import is_about_programs
from symview.rules.programs.program import Rule
from symview.rules.programs.setting import Setting
from symview.rules.python_loops import Point

_MAX_CONJECTURES, _MAX_WIDENINGS = 40, 2
_CHEAP_ENOUGH = (6.0, 9.5)  # a condition of at most this cost is accepted before more complex comparisons are tried
_VALUES_BEFORE_PROOF = 40_000  # values at which a condition is tried before a proof
_VALUES_WITHOUT_PROOF = 400_000  # and if it is not proved


class Search:
    """The search for a condition that fits the labels and is proved in both directions."""

    def __init__(self, labels: Labels) -> None:
        self.labels, self.named, self.budget = labels, labels.named, labels.budget
        self.witnesses: dict[Term, list[Witness]] = {}  # of conditions that were combined from corners

    def run(self, blank: Premise) -> Premise:
        """Alternates conjectures and proofs, until both directions of a condition are decided or none fits."""
        wider = 0
        for _ in range(_MAX_CONJECTURES):
            condition = self._conjectured()
            if condition is not None:
                premise = self._tested(without_gcds(condition), blank)
                if premise is not None:
                    return premise
            elif wider == _MAX_WIDENINGS:
                return replace(blank, reason=self._misfit())
            else:
                wider += 1
                self.labels.widen()
        return replace(blank, reason=f"{_MAX_CONJECTURES} conditions that fitted small values were refuted")

    def _tested(self, condition: Term, blank: Premise) -> Premise | None:
        """The premise with the certainty of each direction; None if it is refuted and a label was added."""
        if self.labels.swept(condition, _VALUES_BEFORE_PROOF) is None:
            return None
        proofs = self._proofs(condition, BRIEFLY)
        if proofs is None:
            return None
        checked = ""
        if not all(isinstance(p.verdict, Proved) for p in proofs):
            swept = self.labels.swept(condition, _VALUES_WITHOUT_PROOF)
            if swept is None:
                return None
            checked = f"checked to {swept}"
            with suppress(Undecided):
                proofs = self._proofs(condition, PATIENTLY)
            if proofs is None:
                return None
        said = zeros_joined(condition) if self.labels.own is None else condition
        sufficient, necessary = (PROVED if isinstance(p.verdict, Proved) else checked for p in proofs)
        rests_on = [p.rests_on | p.verdict.rests_on for p in proofs if isinstance(p.verdict, Proved)]
        return replace(
            blank, condition=condition_text(said), sufficient=sufficient, necessary=necessary,
            witnesses=proofs[1].witnesses, rests_on=blank.rests_on.union(*rests_on),
        )  # fmt: skip

    def _proofs(self, condition: Term, share: int) -> tuple[Needed, Needed] | None:
        """Proofs of both directions; None if one is refuted and a label was added."""
        enough = self._sufficient(condition, share)
        if isinstance(enough, Refuted):
            self.labels.add(self._point(enough), tuple(enough.values.values()))
            return None
        necessary = self._necessary(condition, share)
        if isinstance(necessary.verdict, Refuted) and self.labels.add(self._point(necessary.verdict)):
            return None
        return Needed(enough), necessary

    def _sufficient(self, condition: Term, share: int) -> Verdict:
        """Whether the condition implies the statement, one alternative at a time."""
        first, *others = condition.args if condition.op == "or" else (condition,)
        verdict = self.labels.follows(first, share)
        for one in others:
            if not isinstance(verdict, Proved):
                break
            verdict = self.labels.follows(one, share)
        return verdict

    def _necessary(self, condition: Term, share: int) -> Needed:
        """Whether the statement implies the condition."""
        known = self.witnesses.get(condition)
        for question in self.labels.questions:
            found = needed(question, condition, self.labels.outside(), self.budget, share, witnesses=known)
            if isinstance(found.verdict, Proved):
                break
        return found

    def _point(self, refuted: Refuted) -> Point:
        return tuple([refuted.values.get(n, 0) for n in self.named])

    def _misfit(self) -> str:
        """Why no condition fits: the first values of either label."""
        shown = []
        for verb, refuted in (("holds", False), ("fails", True)):
            points = (p for p, found in self.labels.refuting.items() if (found is not None) is refuted)
            at = list(islice(filter(self.labels.allows, points), 3))
            shown.append(f"{verb} at {self._listed(at)}")
        return f"it {' and '.join(shown)}; {NO_FORMULA}"

    def _listed(self, points: Sequence[Point]) -> str:
        """Values of the names: n = 1, 2, 4; (s, t) = (1, 2), (2, 3)."""
        if len(self.named) == 1:
            return f"{self.named[0]} = {', '.join(str(p[0]) for p in points)}"
        each = [f"({', '.join(map(str, p))})" for p in points]
        return f"({', '.join(self.named)}) = {', '.join(each)}"

    def _conjectured(self) -> Term | None:
        """The cheapest condition that fits the labels; None if none fits."""
        refuting = self.labels.refuting
        points = list(refuting)
        whole = (1 << len(points)) - 1
        wanted = sum(1 << n for n, p in enumerate(reversed(points)) if refuting[p] is None)
        if wanted in (0, whole):
            return TRUE if wanted == whole else FALSE
        known: list[Part] = []
        best = corners = self._at_corners(points, wanted)
        most = DEAREST if corners is None else min(corners.cost, _CHEAP_ENOUGH[-1])
        for stage, enough in zip(self._stages(points), (*_CHEAP_ENOUGH, None), strict=True):
            known += [part for part in stage if self._says_more(part.term)]
            self.budget.spend(len(known) * len(points) // 10)
            found = cheapest(known, wanted, whole, self.budget, most)
            if found is not None and not self._says_more(found.term):
                simpler = [part for part in known if self._is_simpler(part.term)]
                found = cheapest(simpler, wanted, whole, self.budget, most)
            best = found or best
            if best is not None and (enough is None or best.cost <= enough):
                break
        return None if best is None else best.term

    def _is_simpler(self, condition: Term) -> bool:
        """Whether the condition multiplies and divides less than a statement about the same symbols."""
        own = self.labels.own
        return own is None or depth(condition) < depth(own)

    def _says_more(self, condition: Term) -> bool:
        """Whether the condition is simpler than such a statement, or as simple and shorter: else it repeats it."""
        own = self.labels.own
        shorter = own is not None and depth(condition) == depth(own) and node_count(condition) < node_count(own)
        return shorter or self._is_simpler(condition)

    def _at_corners(self, points: Sequence[Point], wanted: int) -> Part | None:
        """The statement at the ends of the ranges of the others, if it is true exactly at the wanted points."""
        corners = self.labels.corners
        if corners is None or (fitting := corners.fitting(points, wanted)) is None:
            return None
        part, self.witnesses[part.term] = fitting
        return part

    def _stages(self, points: Sequence[Point]) -> Iterator[list[Part]]:
        """Comparisons of simple sides; with compound sides; of compound sides, with the statement at corners."""
        labels, corners = self.labels, self.labels.corners
        simple, compound = simple_sides(self.named, labels.stated), compound_sides(self.named, labels.stated)
        factored = factor_sides(labels.own) if labels.own is not None else ()
        for pairs in (chain(factored, combinations(simple, 2)), product(simple, compound)):
            yield comparisons(pairs, self.named, points, labels.division)
        rests = remainder_sides(self.named, labels.stated) if labels.division == "floor" else []
        last = comparisons(
            chain(combinations(compound, 2), product(simple, rests)), self.named, points, labels.division
        )
        yield [*last, *(corners.parts(points) if corners is not None else ())]


# The weakest premise: the condition on some symbols under which a statement holds for all values of the others.


_DEFAULT = Budget(work=25_000_000)


def weakest(
    statement: Statement,
    about: About,
    assume: Statement | Sequence[Statement] = (),
    division: str = "floor",
    budget: Budget | None = None,
) -> Premise:
    """The weakest condition over the symbols `about` under which the statement holds for all values of the others.

    It consists of equalities, orders and divisibilities of names, numbers, products, sums, absolute values and common
    divisors, joined by and and or; if none of these fits, it is the statement at the ends of the ranges of the others.
    Each direction is proved, or reported as only checked. A statement about no others is the answer itself if no
    condition is shorter, or multiplies and divides less. If none is found, the answer is falsy and has a reason.
    Statements, assumptions and `division` are as in `prove`; for a rule of programs, the condition is on the sizes at
    which its left side is defined. Raises InputError for names that do not occur.

    >>> premise = weakest("(x % m)//c == (x//c) % (m//c)", about="c, m", assume="x >= 0 and 0 < c <= m")
    >>> print(premise)
    m % c == 0  [proved]
    >>> premise.holds({"c": 4, "m": 12}), premise.holds({"c": 16, "m": 255})
    (True, False)
    >>> print(weakest("x*y == x", about="x, y"))
    x == 0 or y == 1  [proved]
    """
    started = perf_counter()
    budget = running(_DEFAULT if budget is None else budget)
    if isinstance(statement, str) and is_about_programs(statement):
        statement = Rule.parse(statement)
    if isinstance(statement, Rule):
        blank, own, labels = _about_programs(statement, about, assume, division, budget)
    else:
        blank, own, labels = _about_integers(statement, about, assume, division, budget)
    try:
        found = Search(labels()).run(blank)
    except Undecided as stop:
        found = replace(blank, reason=stop.reason)
    if not found and own is not None:
        text = condition_text(own)
        found = replace(blank, condition=text, sufficient=PROVED, necessary=PROVED, witnesses=({},), reason=OWN)
    zero = () if not found or isinstance(statement, Rule) else _zero_divisors(found, budget)
    return replace(found, zero_divisors=zero, seconds=perf_counter() - started)


def _zero_divisors(premise: Premise, budget: Budget) -> tuple[str, ...]:
    """The alternatives of a condition under which a divisor of the statement is always 0."""
    query, condition, found = premise.query, premise.term(), list[str]()
    for part in condition.args if condition.op == "or" else (condition,):
        known = (*query.assumptions, Formula(part, premise.division))
        allowed = not is_impossible(known, budget)
        for some in nonzero_divisors([query.claim.term]) if allowed else ():
            if some.op == "!=" and is_impossible((*known, Formula(some, premise.division)), budget):
                where = "there" if part == condition else f"where {condition_text(part)}"
                found.append(f"{where} the divisor {term_text(some.args[0])} is always 0")
    return tuple(found)


# the answer without a condition, the statement if it is about the named symbols alone, and the labels
_Problem: TypeAlias = tuple[Premise, Term | None, Callable[[], Labels]]


def _about_integers(statement: Statement, about: About, assume: Assumptions, division: str, budget: Budget) -> _Problem:
    question = read_question(statement, about, assume, division, budget)
    query = question.query
    blank = Premise(
        query.claim.text, question.named, assumptions=query.assumed(), division=question.division,
        rests_on=question.notes,
    )  # fmt: skip
    own = question.claim if question.is_named(question.claim) else None
    return blank, own, partial(StatementLabels, question, budget)


def _about_programs(rule: Rule, about: About, assume: Assumptions, division: str, budget: Budget) -> _Problem:
    query = read(TRUE, assume, division, known=names_of(rule))
    assumed = [a.term for a in query.assumptions]
    setting = Setting(rule, assumed, budget)
    named = read_names(about, setting.names)
    own = (*setting.size_facts(named), *rule.declared())
    texts = tuple(dict.fromkeys((*query.assumed(), *map(term_text, own))))
    return Premise(str(rule), named, assumptions=texts), None, partial(RuleLabels, rule, named, assumed, budget)
