"""The search for a premise: conditions are conjectured from labelled points, until one is proved or nothing fits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import combinations, product

from symview.errors import Undecided
from symview.logic.budget import Budget
from symview.logic.terms import FALSE, TRUE, Term
from symview.proof.verdicts import Proved, Refuted, Verdict
from symview.rules.premises.atoms import comparisons, compound_sides, simple_sides
from symview.rules.premises.cheapest import DEAREST, Part, cheapest
from symview.rules.premises.corners import Corners
from symview.rules.premises.labels import Labels
from symview.rules.premises.premise import PROVED, Premise, condition_text
from symview.rules.premises.proofs import BRIEFLY, PATIENTLY, Needed, needed
from symview.rules.premises.question import Question
from symview.rules.premises.witnesses import Witness
from symview.rules.python_loops import Point

_MAX_CONJECTURES, _MAX_WIDENINGS = 40, 2
_CHEAP_ENOUGH = (6.0, 9.5)  # what a condition may cost that is taken before dearer comparisons are looked at
_VALUES_BEFORE_PROOF = 40_000  # at which a condition is tried before it is proved
_VALUES_WITHOUT_PROOF = 400_000  # and where it is not


@dataclass(frozen=True)
class Search:
    """What a premise is looked for: `named` are its symbols, `stated` is what is said, whose terms it may use.

    `follows` says whether the statement follows from one alternative of a condition, with that share of the work;
    `questions` are statements about integers that follow from it: one, or one for each rank that has to be looked at.
    """

    named: tuple[str, ...]
    stated: tuple[Term, ...]
    division: str
    labels: Labels
    follows: Callable[[Term, int], Verdict]
    questions: Sequence[Question]
    budget: Budget
    corners: Corners | None = None
    witnesses: dict[Term, list[Witness]] = field(
        default_factory=dict
    )  # of conditions that were put together of corners

    def found(self, asked: Premise) -> Premise:
        """Conjectures a condition and proves it, in turns, until both directions are decided or nothing fits."""
        wider = 0
        for _ in range(_MAX_CONJECTURES):
            condition = self._conjectured()
            if condition is not None:
                settled = self._tested(condition, asked)
                if settled is not None:
                    return settled
            elif wider == _MAX_WIDENINGS:
                return replace(asked, reason=self._misfit())
            else:
                wider += 1
                self.labels.widen()
        return replace(asked, reason=f"{_MAX_CONJECTURES} conditions that fitted small values were refuted")

    def _tested(self, condition: Term, asked: Premise) -> Premise | None:
        """The premise with how sure each direction is; None where the condition is refuted and a label was added."""
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
        sufficient, necessary = (PROVED if isinstance(p.verdict, Proved) else checked for p in proofs)
        rests_on = [p.rests_on | p.verdict.rests_on for p in proofs if isinstance(p.verdict, Proved)]
        return replace(
            asked, condition=condition_text(condition), sufficient=sufficient, necessary=necessary,
            witnesses=proofs[1].witnesses, rests_on=asked.rests_on.union(*rests_on),
        )  # fmt: skip

    def _proofs(self, condition: Term, share: int) -> tuple[Needed, Needed] | None:
        """Proofs of both directions; None where one is refuted and a label was added."""
        enough = self._sufficient(condition, share)
        if isinstance(enough, Refuted):
            self.labels.add(self._point(enough), tuple(enough.values.values()))
            return None
        necessary = self._necessary(condition, share)
        if isinstance(necessary.verdict, Refuted) and self.labels.add(self._point(necessary.verdict)):
            return None
        return Needed(enough), necessary

    def _sufficient(self, condition: Term, share: int) -> Verdict:
        """Whether the statement follows from the condition, from one alternative after the other."""
        first, *others = condition.args if condition.op == "or" else (condition,)
        verdict = self.follows(first, share)
        for one in others:
            if not isinstance(verdict, Proved):
                break
            verdict = self.follows(one, share)
        return verdict

    def _necessary(self, condition: Term, share: int) -> Needed:
        """Whether the condition follows from the statement."""
        known = self.witnesses.get(condition)
        for question in self.questions:
            found = needed(question, condition, self.labels.outside(), self.budget, share, witnesses=known)
            if isinstance(found.verdict, Proved):
                break
        return found

    def _point(self, refuted: Refuted) -> Point:
        return tuple([refuted.values.get(n, 0) for n in self.named])

    def _misfit(self) -> str:
        """Why nothing fits: the first values of either kind."""
        shown = []
        for verb, refuted in (("holds", False), ("fails", True)):
            at = [p for p, found in self.labels.refuting.items() if (found is not None) is refuted][:3]
            each = [", ".join(f"{n} = {v}" for n, v in zip(self.named, p, strict=True)) for p in at]
            shown.append(f"it {verb} at {'; '.join(each)}")
        return f"none of the conditions that are looked at fits: {', and '.join(shown)}"

    def _conjectured(self) -> Term | None:
        """The cheapest condition that fits the labels."""
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
            known += stage
            self.budget.spend(len(known) * len(points) // 10)
            best = cheapest(known, wanted, whole, self.budget, most) or corners
            if best is not None and (enough is None or best.cost <= enough):
                break
        return None if best is None else best.term

    def _at_corners(self, points: Sequence[Point], wanted: int) -> Part | None:
        """What is said at the ends of the ranges of the others, if that is true at just the wanted points."""
        if self.corners is None or (fitting := self.corners.fitting(points, wanted)) is None:
            return None
        part, self.witnesses[part.term] = fitting
        return part

    def _stages(self, points: Sequence[Point]) -> Iterator[list[Part]]:
        """Comparisons of simple sides; with compound ones; of compound ones, and what is said at corners."""
        simple, compound = simple_sides(self.named, self.stated), compound_sides(self.named, self.stated)
        for pairs in (combinations(simple, 2), product(simple, compound)):
            yield comparisons(pairs, self.named, points, self.division)
        last = comparisons(combinations(compound, 2), self.named, points, self.division)
        yield [*last, *(self.corners.parts(points) if self.corners is not None else ())]
