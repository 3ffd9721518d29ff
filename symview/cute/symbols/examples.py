"""Examples of conditions of layouts: values at which there is one and at which there is none, replayed in integers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from symview.answers import Counterexample, Status, values_text
from symview.cases.example_values import FAILS, HOLDS, Kind, edges, examples_of, in_turn
from symview.cute.layout import Layout
from symview.cute.symbols.cases import LayoutCaseData, LayoutConditionsData
from symview.cute.symbols.question import Question
from symview.displayed import Displayed
from symview.errors import InternalError, NotSupported, Undecided
from symview.logic.budget import Budget
from symview.logic.terms import conj, negated

_WALKED = 4_000  # coordinates at which two layouts are compared


@dataclass(frozen=True, slots=True)
class LayoutExample(Displayed):
    """Values of the symbols, the question at these values, and the layout that answers it.

    Where there is none, `counterexample` says why, of a composition with the coordinate at which it breaks.
    """

    values: Mapping[str, int]
    question: Question
    layout: Layout | None = None
    counterexample: Counterexample | None = field(default=None)

    @property
    def holds(self) -> bool:
        """Whether there is a layout at these values."""
        return self.layout is not None

    def __str__(self) -> str:
        at = values_text(self.values) or "no symbols"
        if self.layout is not None:
            return f"{at}: {self.question} = {self.layout}"
        told = str(self.counterexample)
        return f"{at}: {told.partition(': ')[2] if told.startswith('with ') else told}"

    def __hash__(self) -> int:
        return hash((frozenset(self.values.items()), self.layout))


def layout_examples(
    conditions: LayoutConditionsData,
    count: int,
    budget: Budget,
    example_at: Callable[[Mapping[str, int]], LayoutExample],
) -> tuple[LayoutExample, ...]:
    """See `LayoutConditions.examples`."""

    def at(values: Mapping[str, int], holds: bool | None) -> LayoutExample | None:
        try:
            found = example_at(values)
        except (Undecided, NotSupported):
            return None
        if (found.layout is None) != (found.counterexample is not None) or holds not in (None, found.holds):
            raise InternalError(f"conditions and integers disagree at {found}")
        return found

    return examples_of(conditions, _kinds(conditions), count, budget, at)


def same_function(a: Layout, b: Layout) -> bool:
    """Whether two layouts of numbers have one size and the same values, as far as these are walked."""
    return bool(a.size() == b.size()) and all(a(i) == b(i) for i in range(min(a.size(), _WALKED)))


def _kinds(conditions: LayoutConditionsData) -> list[Kind]:
    """Each case at its edges, with an equation broken alone; and where no case with a layout holds."""
    answered = [c.place() for c in conditions.cases if c.layout is not None]
    open_ = [negated(c.place()) for c in conditions.cases if c.status is Status.UNDECIDED]
    none = Kind((*open_, *map(negated, answered)), False)
    return in_turn([*(_of_case(c) for c in conditions.cases), iter([none])])


def _of_case(case: LayoutCaseData) -> Iterator[Kind]:
    holds = None if case.status is Status.UNDECIDED else case.layout is not None
    for edge in (*edges(conj(case.asked), HOLDS), ()):
        yield Kind((*case.asked, *edge, *case.required), holds)
    for n, equation in enumerate(case.required):
        others = [e for m, e in enumerate(case.required) if m != n]
        for broken in (*edges(equation, FAILS), ()):
            yield Kind((*case.asked, *others, negated(equation), *broken), None)
