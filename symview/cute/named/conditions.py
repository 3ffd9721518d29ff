"""The conditions under which an operation on symbolic layouts has an answer, and the answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from symview.answers import CaseData, ConditionsData, Status
from symview.cases.case import Case
from symview.cases.question import Question, Region
from symview.counterexample import Counterexample, Kind
from symview.cute.algebra import operation
from symview.cute.claims import claim_of_cases
from symview.cute.comparer import Numbers
from symview.cute.composition_failure import NoComposition
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import leaves, profile_text
from symview.cute.inverse_search import takes_back
from symview.cute.layout import Layout
from symview.cute.named.cases import agreeing, joined_cases, latex_of, lines_of
from symview.cute.named.substitution import put
from symview.logic.budget import DEFAULT, Budget
from symview.logic.entailment import Entailment
from symview.logic.solve import is_impossible
from symview.logic.sympy_bridge import is_number
from symview.logic.terms import FALSE, Term, disj, negated, nonzero_divisors
from symview.show.formulas import listed
from symview.show.latex import alternatives_latex

_WALKED = 4_000  # coordinates at which two layouts are compared
_STEPS = 3_000  # budget steps for each part, not counting the solvers' work


@dataclass(frozen=True, slots=True)
class Operation(Question[Layout]):
    """The question whether an operation of the algebra has an answer.

    Its arguments are layouts, sizes, None, and tuples of these. Each case has a condition and a layout. A composition
    has one case for each widest set of strides; cases may overlap, and their layouts then are the same function. Where
    no case holds, there is no layout.

    For all values, block and tile have the same modes as on numbers, as functions, and so have the copies. Two
    differences remain, which `coalesce` removes: a mode of size 1 may be present or not, with a stride that no index
    uses, and modes that continue each other only at some values stay separate there.

    >>> asked = Operation("coalesce", (Layout.parse("(2,n):(1,a)"),))
    >>> print(asked, asked.at({"n": 3, "a": 2}))
    coalesce of (2,n):(1,a) 6:1
    >>> from symview.cute import composition_conditions, logical_divide, logical_divide_conditions
    >>> found = logical_divide_conditions(Layout.parse("(n,n):(1,a)"), 2, assume="n % 2 == 0")
    >>> print(found.layout({"n": 4, "a": 4}), logical_divide(Layout((4, 4)), 2))
    (2,(2,4)):(1,(2,4)) (2,8):(1,2)
    >>> found = composition_conditions(Layout.parse("(4,6):(a,b)"), Layout(6))
    >>> found.holds({"a": 1, "b": 4}), found.holds({"a": 1, "b": 5})
    (True, False)
    >>> print(found.counterexample())
    with a = 0, b = 1: (4,6):(0,1) ∘ 6:1 is not a layout. At coordinate 4 its value is 1; a layout would have 0. \
Mode 0 of B, 6:1, makes mode 0 of A, 4:0, overflow there; splitting it would need a mode of size 4, but 4 does not \
divide 6
    >>> print(found.examples(1)[0])
    a = 1, b = 4: (4,6):(1,4) ∘ 6:1 = 6:1
    """

    operation: str
    args: tuple[Any, ...]

    @property
    def yes(self) -> str:
        """The statement that the conditions imply."""
        return "there is a layout"

    def __str__(self) -> str:
        shown = [_text(x) for x in self.args]
        name = self.operation
        return " ∘ ".join(shown) if name == "composition" else f"{name} of {', '.join(shown)}"

    def layouts(self) -> list[Layout]:
        """The layouts among the arguments."""
        return [x for x in leaves(self.args) if isinstance(x, Layout)]

    def sizes(self) -> list[Any]:
        """The symbolic sizes, in layouts and as arguments; they are positive."""
        alone = [x for x in leaves(self.args) if x is not None and not isinstance(x, Layout)]
        return [n for n in [*(n for a in self.layouts() for n in leaves(a.shape)), *alone] if not is_number(n)]

    def put(self, values: Mapping[str, int]) -> Operation:
        """Substitutes numbers for the symbols."""
        return Operation(self.operation, put(self.args, values))

    def entries(self) -> list[Any]:
        """Sizes first, then strides."""
        return [*self.sizes(), *(d for a in self.layouts() for d in leaves(a.stride))]

    def at(self, values: Mapping[str, int], budget: Budget = DEFAULT) -> Layout | Counterexample:
        """The operation's result for these values of the symbols, or a counterexample."""
        try:
            return operation(self.operation)(Numbers(budget), *put(self.args, values))  # type: ignore[no-any-return]
        except LayoutError as error:
            return no_layout_at(values, error)

    def stated(self, case: CaseData, values: Mapping[str, int]) -> Layout | None:
        """The case's layout for these values."""
        return None if case.answer is None else put(case.answer, values)

    def is_right(
        self, values: Mapping[str, int], found: Layout | Counterexample, stated: Layout | None, budget: Budget
    ) -> bool:
        """Whether the stated layout equals the computed one; of left inverses, any that is valid is right."""
        if isinstance(found, Counterexample) or stated is None:
            return True
        if found.size() == stated.size() and all(found(i) == stated(i) for i in range(min(found.size(), _WALKED))):
            return True
        return self.operation == "left_inverse" and takes_back(stated, put(self.args[0], values), budget)

    def example_text(self, answer: Layout | None, broken: Counterexample | None) -> str:
        """The layout, or why there is none."""
        return f"{self} = {answer}" if broken is None else str(broken.reason)

    def parts(self, data: ConditionsData, budget: Budget) -> Iterable[ConditionsData]:
        """Splits the conditions by whether a divisor is 0; where it is, cases that divide by it do not hold."""
        return _parts(data, budget)

    def condition(self, data: ConditionsData) -> Term:
        """The formula that there is a layout; raises Undecided if a case is undecided."""
        answered = [replace(c, answer=None) for c in data.cases if c.condition() != FALSE]
        return disj(case.place() for case in joined_cases(answered, Entailment(data.facts).impossible, agreeing))

    def regions(self, data: ConditionsData, budget: Budget) -> Sequence[Sequence[Region]]:
        """The regions where no case holds and where the answer is undecided, part by part."""
        found = []
        for part in self.parts(data, budget):
            open_ = [c for c in part.cases if c.status is Status.UNDECIDED]
            answered = disj(c.place() for c in part.cases if c.status in (Status.ALWAYS, Status.WHEN))
            found.append(Region((*part.facts, *(negated(c.place()) for c in open_), negated(answered))))
            found += [Region((*part.facts, c.place()), False, c.reason) for c in open_]
        return [found]

    def headline(self, data: ConditionsData, rest: str | None) -> str:
        """One line per case; see `Conditions.headline`."""
        return listed(lines_of(data.cases), rest)

    def latex(self, data: ConditionsData) -> str:
        """The layouts with their conditions in LaTeX."""
        return alternatives_latex([(latex_of(c), c.place()) for c in data.cases], self.symbols())

    def certificate(self, data: ConditionsData, budget: Budget) -> dict[str, Any]:
        """Question and cases as JSON for `symview verify`.

        >>> from symview.cute import Layout, coalesce_conditions
        >>> coalesce_conditions(Layout.parse("(4,6):(a,b)")).certificate()["claim"]["cases"][0]["layout"]
        {'size': 24, 'stride': 'a'}
        """
        return claim_of_cases(self.operation, self.args, data)

    def head(self) -> dict[str, Any]:
        """The operation and its arguments, for JSON."""
        return {"question": str(self)}

    def case_dict(self, case: Case) -> dict[str, Any]:
        """A case for JSON."""
        return {**case.to_dict(), "layout": None if case.answer is None else str(case.answer)}


def _text(x: Any) -> str:
    if isinstance(x, tuple):
        return f"<{','.join(map(_text, x))}>"
    return str(x) if isinstance(x, Layout) else profile_text(x)


def no_layout_at(values: Mapping[str, int], error: LayoutError) -> Counterexample:
    """The counterexample for values at which an operation has no answer."""
    if isinstance(error, NoComposition):
        return replace(error.found, values=dict(values))
    return Counterexample(Kind.NO_LAYOUT, (), None, None, None, values=dict(values), reason=error)


def _parts(data: ConditionsData, budget: Budget) -> Iterator[ConditionsData]:
    """Splits the conditions by whether a divisor is 0; where it is, cases that divide by it do not hold.

    Raises Undecided if the budget ends.
    """
    for divisor in dict.fromkeys(nonzero_divisors([c.place() for c in data.cases])):
        budget.spend(_STEPS)
        zero = negated(divisor)
        if divisor in data.facts or is_impossible([*data.facts, zero], budget):
            continue
        kept = tuple([c for c in data.cases if divisor not in nonzero_divisors([c.place()])])
        yield from _parts(replace(data, cases=kept, facts=(*data.facts, zero)), budget)
        if not is_impossible([*data.facts, divisor], budget):
            yield from _parts(replace(data, facts=(*data.facts, divisor)), budget)
        return
    yield data
