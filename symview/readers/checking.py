"""Checks the rules of a checkout: each for all integers, and in the wrapping types where it is used.

A rule that is refuted under conditions that were not read is undecided: these may exclude the counterexample.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic
from typing import Any, Literal, TypeAlias

from symview.errors import SymviewError
from symview.logic.budget import Budget
from symview.proof.verdicts import Proved, Refuted, Unknown
from symview.readers.rules import Rule
from symview.rules.outcomes import cores, processes
from symview.rules.premises.weakest import weakest
from symview.rules.prove import prove

Word: TypeAlias = Literal["proved", "refuted", "unknown", "not used"]
WIDTHS = ("i8", "u8")  # if the rule does not say which
_FEW = 20_000_000  # budget of solver steps for a premise
_EMPTY = "no values meet the assumptions"


@dataclass(frozen=True, slots=True)
class Limits:
    """The budget of one question, and the deadline of all; `premises`: whether to search for weakest premises."""

    budget: Budget
    seconds: float
    deadline: float | None = None
    premises: bool = True

    def left(self) -> Budget | None:
        """The budget of the next question, not started; None after the deadline."""
        rest = self.seconds if self.deadline is None else min(self.seconds, self.deadline - monotonic())
        return replace(self.budget, timeout=rest) if rest > 0 else None


@dataclass(frozen=True, slots=True)
class Check:
    """The verdict on a rule for all integers (`bits` is None) or in a wrapping type; `told` is a line of text.

    "not used": no values of the type satisfy its assumptions.
    """

    bits: str | None
    answer: Word
    told: str
    fields: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Checked:
    """A rule, its verdicts, and the weakest premise over its constants if it is refuted for integers."""

    rule: Rule
    checks: tuple[Check, ...]
    premise: str = ""

    @property
    def answer(self) -> Word:
        """The worst of the verdicts."""
        return next((w for w in ("refuted", "unknown") if any(c.answer == w for c in self.checks)), "proved")


def checked(
    rules: Sequence[Rule], limits: Limits, widths: Sequence[str] = WIDTHS, jobs: int | None = None
) -> Iterator[Checked]:
    """The verdicts on all rules that were read, in order; `jobs` is the number of processes, by default all cores."""
    judge = partial(check, limits=limits, widths=tuple(widths))
    read = [rule for rule in rules if rule.claim]
    if (jobs or cores()) <= 1:
        yield from map(judge, read)
        return
    with processes(jobs or cores()) as pool:
        yield from pool.map(judge, read, chunksize=8)


def check(rule: Rule, limits: Limits, widths: Sequence[str] = WIDTHS) -> Checked:
    """The verdicts on one rule, of which those in types come first: most false rules are false there.

    >>> from symview.readers.rules import Rule
    >>> claim = "(x + c0)//c1 == x//c1 + c0//c1"
    >>> rule = Rule("Div 3", "Div.cpp", 3, claim=claim, assume=("c1 > 0",), constants=("c0", "c1"))
    >>> found = check(rule, Limits(Budget(), 20.0))
    >>> found.answer, found.premise
    ('refuted', 'c0 % c1 == 0')
    """
    in_types = [_checked(rule, width, limits) for width in widths if width[0] in rule.signs]
    of_integers = _checked(rule, None, limits)
    false = of_integers.answer == "refuted"
    return Checked(rule, (of_integers, *in_types), _premise(rule, limits) if false and limits.premises else "")


def _checked(rule: Rule, bits: str | None, limits: Limits) -> Check:
    budget = limits.left()
    stated = {"statement": rule.claim, "assumptions": list(rule.assume), "division": rule.division}
    if budget is None:
        late = "the time for all rules is over"
        return Check(bits, "unknown", late, {"verdict": "unknown", **stated, "reason": late})
    try:
        verdict = prove(rule.claim, rule.given(), rule.division, bits=bits, budget=budget)
    except SymviewError as error:
        word: Word = "not used" if bits and str(error).startswith(_EMPTY) else "unknown"
        return Check(bits, word, str(error), {"verdict": word, **stated, "reason": str(error)})
    fields = verdict.to_dict()
    fields.pop("smt2", None)
    match verdict:
        case Proved():
            return Check(bits, "proved", str(verdict), fields)
        case Refuted() if not rule.around:
            return Check(bits, "refuted", str(verdict), fields)
        case Refuted():
            open_ = f"{verdict}; but these conditions around the rule were not read: {'; '.join(rule.around)}"
            return Check(bits, "unknown", open_, {"verdict": "unknown", **stated, "reason": open_})
        case Unknown():
            return Check(bits, "unknown", verdict.reason, fields)


def _premise(rule: Rule, limits: Limits) -> str:
    """The weakest condition on the constants of a rule that makes it right; empty if none is found in time."""
    budget = limits.left()
    if not rule.constants or budget is None:
        return ""
    budget = replace(budget, work=min(_FEW, budget.work))
    try:
        found = weakest(rule.claim, ", ".join(rule.constants), rule.given(), rule.division, budget)
    except SymviewError:
        return ""
    return str(found.condition) if found else ""
