"""`Question`: what conditions decide, how it is answered for numbers, and its texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Generic, NamedTuple, Self, TypeVar

from symview.answers import CaseData, ConditionsData, Status
from symview.cases.case import Case
from symview.cases.zero_divisors import branches, in_condition, pushed
from symview.counterexample import Counterexample
from symview.errors import NotSupported
from symview.logic.budget import Budget
from symview.logic.notation import term_text
from symview.logic.sympy_bridge import free_symbols, to_term
from symview.logic.terms import FALSE, Term, conj, disj, negated, nonzero_divisors
from symview.show.formulas import IN_PYTHON, headline
from symview.show.grid import Block
from symview.show.latex import conditions_latex
from symview.view import View

A = TypeVar("A")
_HELD = (Status.ALWAYS, Status.WHEN)


class Region(NamedTuple):
    """A region to search for a no. If `sure`, every point of it is one; else `reason` says why that is unknown."""

    facts: tuple[Term, ...]
    sure: bool = True
    reason: str = ""


class Question(Generic[A]):
    """A question about names: how to answer it for numbers, and its texts.

    A subclass is frozen data. It defines `at`, `put`, `entries`, `sizes` and `head`, perhaps more; `Conditions` does
    the rest. `str()` states the question.
    """

    __slots__ = ()

    @property
    def yes(self) -> str:
        """The statement that the conditions decide, such as "the views merge"."""
        raise NotImplementedError

    def at(self, values: Mapping[str, int], budget: Budget) -> A | Counterexample:
        """The answer for numbers for all symbols, or why there is none."""
        raise NotImplementedError

    def put(self, values: Mapping[str, int]) -> Self:
        """The same question after substituting numbers."""
        raise NotImplementedError

    def entries(self) -> Iterable[Any]:
        """All entries of the objects in question; each has to have a value."""
        raise NotImplementedError

    def sizes(self) -> Iterable[Any]:
        """The entries that are sizes: the smallest counterexample has small sizes first."""
        raise NotImplementedError

    def symbols(self) -> dict[str, Any]:
        """The symbols by name."""
        return free_symbols(self.entries())

    def has_values(self) -> tuple[Term, ...]:
        """The formulas that no entry divides by 0: other values are none of the question."""
        return tuple(nonzero_divisors(map(to_term, self.entries())))

    def again(self, assumed: Sequence[Term], budget: Budget) -> Any:
        """The conditions under these assumptions; None for questions that are not asked again."""
        return None

    def fits(self, values: Mapping[str, int]) -> bool:
        """Whether the question makes sense at these values; if not, the answer is no, and no index shows it."""
        return True

    def is_right(self, values: Mapping[str, int], found: A | Counterexample, stated: A | None, budget: Budget) -> bool:
        """Whether integers alone confirm the answer; `stated` is the answer by the conditions, None if undecided."""
        return True

    def example_text(self, answer: A | None, broken: Counterexample | None) -> str:
        """The text of an example after its values; the question has numbers."""
        raise NotImplementedError

    # How conditions with this question are read

    def stated(self, case: CaseData, values: Mapping[str, int]) -> A | None:
        """The answer that a case implies at values where its condition holds."""
        return None

    def condition(self, data: ConditionsData) -> Term:
        """The whole condition as one formula; raises Undecided if a case is undecided."""
        return data.condition()

    def parts(self, data: ConditionsData, budget: Budget) -> Iterable[ConditionsData]:
        """The conditions in parts, on each of which every condition can be evaluated."""
        return [data]

    def regions(self, data: ConditionsData, budget: Budget) -> Sequence[Sequence[Region]]:
        """The regions to search for a no, in levels; the smallest no in the first level with one is the answer."""
        refused = [c for c in data.cases if c.status in (Status.WHEN, Status.NEVER, Status.UNDECIDED)]
        outside = [c for c in data.cases if c.status is Status.OUT_OF_BOUNDS]
        levels = [[[c] for c in refused] if free_symbols(self.sizes()) else [refused], [outside]]
        found = [[self._region(data, cases) for cases in level if cases] for level in levels]
        return [[*near, *others] for near, others in zip(self._at_zero(data, budget), found, strict=True)]

    def _at_zero(self, data: ConditionsData, budget: Budget) -> tuple[list[Region], list[Region]]:
        """The regions where a divisor of the cases is 0, and those of them that are out of bounds.

        There, the answer is no where the condition is false; the cases need not cover these values.
        """
        held = disj(c.place() for c in data.cases if c.status in _HELD)
        held = held if data.clauses is None else conj(data.clauses)
        open_ = [c for c in data.cases if c.status is Status.UNDECIDED]
        outside = [c for c in data.cases if c.status is Status.OUT_OF_BOUNDS]
        wider = [Term("not", (negated(disj(c.where for c in cases)),)) for cases in (outside, open_)]
        stated = [Term("not", (held,)), *wider]
        fitting = () if data.fitting is None else (data.fitting,)
        facts = (*self.has_values(), *data.facts, *fitting)
        near, far = list[Region](), list[Region]()
        for there in branches(facts, stated, (in_condition,) * 3, budget, lambda said: said[0] == FALSE):
            if there.at_zero:
                refused, beyond, doubtful = map(pushed, there.formulas)
                near.append(Region((*there.facts, refused, negated(beyond), negated(doubtful))))
                far.append(Region((*there.facts, refused, beyond, negated(doubtful))))
                if doubtful != FALSE:
                    near.append(Region((*there.facts, refused, doubtful), False, open_[0].reason))
        return [r for r in near if FALSE not in r.facts], [r for r in far if FALSE not in r.facts]

    def _region(self, data: ConditionsData, cases: Sequence[CaseData]) -> Region:
        """The region of some cases: values in one of them that break its condition and are not out of bounds."""
        refused = (Status.WHEN, Status.NEVER)
        parts = [[c.where, *([Term("not", (c.condition(),))] if c.status in refused else [])] for c in cases]
        within = parts[0] if len(parts) == 1 else [disj(map(conj, parts))]
        if len(parts) > 1 and any(c.status is not Status.OUT_OF_BOUNDS for c in cases):
            within = [*(negated(c.where) for c in data.cases if c.status is Status.OUT_OF_BOUNDS), *within]
        fitting = () if data.fitting is None else (data.fitting,)
        reason = next((c.reason for c in cases if c.status is Status.UNDECIDED), None)
        return Region((*data.facts, *within, *fitting), reason is None, reason or "")

    # Texts

    def headline(self, data: ConditionsData, rest: str | None) -> str:
        """The conditions by cases; see `Conditions.headline`."""
        return headline(data, rest)

    def latex(self, data: ConditionsData) -> str:
        """The cases in LaTeX."""
        return conditions_latex(data, self.symbols())

    def blocks(self, conditions: Any, rest: str | None = IN_PYTHON) -> Iterable[Block]:
        """The blocks that are displayed; if `rest` says how to see everything, they are shortened."""
        return [str(conditions)]

    def certificate(self, data: ConditionsData, budget: Budget) -> dict[str, Any]:
        """Question and cases as JSON for `symview verify`; NotSupported for questions without certificates."""
        raise NotSupported(f"{self}: there is no certificate of this kind")

    def head(self) -> dict[str, Any]:
        """The question, for JSON."""
        raise NotImplementedError

    def case_dict(self, case: Case) -> dict[str, Any]:
        """A case for JSON."""
        return {"where": term_text(case.data.where), "status": str(case.status), "reason": case.reason}


class OfView(Question[View]):
    """A question about one view, `view`."""

    __slots__ = ()

    view: View

    def put(self, values: Mapping[str, int]) -> Self:
        """The question after substituting numbers."""
        return replace(self, view=self.view.with_values(values))  # type: ignore[type-var]

    def entries(self) -> Iterable[Any]:
        """All entries of the view."""
        return self.view.entries()

    def sizes(self) -> Iterable[Any]:
        """The sizes."""
        return self.view.shape

    def stated(self, case: CaseData, values: Mapping[str, int]) -> View | None:
        """The view after substituting numbers."""
        return self.view.with_values(values)
