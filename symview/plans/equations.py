"""The requirements of programs on the strides of a tensor as conditions: equations over its strides t0, t1, …."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from symview.answers import CaseData, Status
from symview.cases.conditions import Conditions
from symview.cases.query import query_about
from symview.cases.question import OfView
from symview.counterexample import Counterexample, Kind
from symview.engine.row_space import Row
from symview.logic.budget import Budget, running
from symview.logic.notation import parse_statement, term_text
from symview.logic.sympy_bridge import free_symbols
from symview.logic.terms import Term, conj, negated, num, substituted, value_of
from symview.view import View


def equation(row: Row, spelled: Callable[[int], str]) -> str:
    """The equation of a row, with its first stride alone on the left if that has the factor 1.

    >>> equation((1, 0, -32), str), equation((2, -1, 0), str)
    ('t0 == 32*t2', '2*t0 - t1 == 0')
    """
    terms = [(d, x) for d, x in enumerate(row) if x]
    (first, lead), rest = terms[0], terms[1:]
    if lead == 1 and rest:
        return f"t{first} == {_sum([(d, -x) for d, x in rest], spelled)}"
    return f"{_sum(terms, spelled)} == 0"


def _sum(terms: Sequence[tuple[int, int]], spelled: Callable[[int], str]) -> str:
    found = ""
    for d, x in terms:
        sign = ("- " if x < 0 else "+ ") if found else "-" * (x < 0)
        found += f"{' ' * bool(found)}{sign}{'' if abs(x) == 1 else f'{spelled(abs(x))}*'}t{d}"
    return found


@dataclass(frozen=True, slots=True)
class ViewsTogether(OfView):
    """Whether a tensor of these strides has every program as a view."""

    view: View
    equations: tuple[Term, ...]

    @property
    def yes(self) -> str:
        """The claim that the conditions are about."""
        return "every program is a view"

    def __str__(self) -> str:
        return f"every program of {self.view} is a view"

    def head(self) -> dict[str, Any]:
        """The view, for JSON."""
        return {"view": str(self.view), "question": "plan"}

    def put(self, values: Mapping[str, int]) -> ViewsTogether:
        """The same question with numbers."""
        by = {n: num(x) for n, x in values.items()}
        return ViewsTogether(self.view.with_values(values), tuple([substituted(e, by) for e in self.equations]))

    def at(self, values: Mapping[str, int], budget: Budget) -> View | Counterexample:
        """The view with these strides, or the first equation that fails."""
        failed = next((e for e in self.equations if not value_of(e, values)), None)
        if failed is None:
            return self.view.with_values(values)
        reason = f"{term_text(failed)} does not hold"
        return Counterexample(Kind.STRIDE, (), None, None, None, values=dict(values), reason=reason)


def conditions_on(layout: View, equations: Sequence[str], budget: Budget | None) -> Conditions[View]:
    """The conditions on the strides t0, t1, … of a tensor with a layout's sizes, for names in these from 2."""
    shape, names = str(layout).partition(":")[0], free_symbols(layout.shape)
    view = View.parse(f"{shape}:({','.join(f't{d}' for d in range(layout.rank))})")
    query = query_about((view,), [f"{n} >= 2" for n in names], running(budget))
    parsed = tuple(map(parse_statement, equations))
    claim = conj(parsed)
    cases = (CaseData(claim, Status.ALWAYS), CaseData(negated(claim), Status.NEVER))
    return Conditions(ViewsTogether(view, parsed), query.answer(cases, parsed), query.budget.plain())
