"""The question whether views merge: its answer for numbers, and its text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice, pairwise, product
from math import prod
from operator import add, mul
from typing import Any

from symview.answers import RESHAPED, CaseData, ConditionsData, Status
from symview.cases.case import Case
from symview.cases.conditions import Conditions
from symview.cases.question import Question
from symview.certificates import of_conditions
from symview.counterexample import Counterexample, Kind, values_text
from symview.engine import presburger
from symview.engine.index_map import IndexMap
from symview.engine.radix import unravel
from symview.errors import InputError, InternalError, OutOfBounds
from symview.logic.budget import Budget, as_budget
from symview.logic.points import true_at
from symview.logic.terms import Term
from symview.show.conditions import conditions_blocks
from symview.show.formulas import IN_PYTHON
from symview.show.grid import Block
from symview.show.steps import left_pair
from symview.view import View, compose_at
from symview.view_notation import tuple_text
from symview.views.chains import merge_chain
from symview.views.two_views import merge_two

_WALKED, _CORNERS = 2_000, 64  # indices at which a merged view is checked


def merge_conditions(data: ConditionsData, budget: Budget) -> Conditions[View]:
    """Wraps an answer about a merge as `Conditions`."""
    return Conditions(Merge(data.views, data.fitting), data.as_written(), budget.plain())


def settled(found: Conditions[View]) -> View | Counterexample | Conditions[View]:
    """The view or the counterexample, if the answer is the same for all values; else the conditions."""
    status, view = {c.status for c in found.cases}, found.cases[0].view
    if status == {Status.ALWAYS} and len(found.cases) == 1 and view is not None:
        return view
    if status == {Status.NEVER} and (broken := found.counterexample()) is not None:
        return broken
    return found


@dataclass(frozen=True, slots=True)
class Merge(Question[View]):
    """The question whether views merge. For a reshape, `fitting` is the formula that the numbers of elements agree."""

    views: tuple[View, ...]
    fitting: Term | None = field(default=None, compare=False)

    @property
    def yes(self) -> str:
        """The statement that the conditions decide."""
        return "the views merge" if self.fitting is None else RESHAPED

    def __str__(self) -> str:
        if self.fitting is not None:
            return f"{self.views[0]} reshaped to {tuple_text(self.views[-1].shape)}"
        return " then ".join(map(str, self.views))

    def put(self, values: Mapping[str, int]) -> Merge:
        """The question after substituting numbers."""
        return Merge(tuple([v.with_values(values) for v in self.views]))

    def entries(self) -> Iterable[Any]:
        """All entries of all views."""
        return [x for v in self.views for x in v.entries()]

    def sizes(self) -> Iterable[Any]:
        """The sizes of all views."""
        return [n for v in self.views for n in v.shape]

    def fits(self, values: Mapping[str, int]) -> bool:
        """Whether a reshape keeps the number of elements; True for other merges."""
        return self.fitting is None or true_at([self.fitting], values)

    def at(self, values: Mapping[str, int], budget: Budget) -> View | Counterexample:
        """The merged view, or the smallest index that breaks the merge, computed only when it is read."""
        if not self.fits(values):
            raise InputError(f"{values_text(values)}: the sizes do not agree, so no index can be shown")
        first, second, *more = views = [v.with_values(values) for v in self.views]
        try:
            found = merge_chain(views, budget) if more else merge_two(first, second, as_budget(budget))
        except OutOfBounds:
            return Counterexample.deferred(
                Kind.OUT_OF_BOUNDS, lambda: replace(_leaving(views, budget), values=dict(values))
            )
        if isinstance(found, View):
            return found
        return Counterexample.deferred(None, lambda: replace(found, values=dict(values)))

    def stated(self, case: CaseData, values: Mapping[str, int]) -> View | None:
        """The view of the case after substituting numbers."""
        view = Case(case, self.symbols()).view
        return None if view is None else view.with_values(values)

    def is_right(
        self, values: Mapping[str, int], found: View | Counterexample, stated: View | None, budget: Budget
    ) -> bool:
        """Whether the composition, index by index, agrees with the answer."""
        views = tuple([v.with_values(values) for v in self.views])
        if isinstance(found, View):
            return stated in (None, found) and _is_view(views, found)
        return _breaks(views, found)

    def example_text(self, answer: View | None, broken: Counterexample | None) -> str:
        """The merged view, or where the merge breaks."""
        if broken is not None:
            return str(replace(broken, values={}))
        if answer is None:
            return "the sizes do not agree"
        return f"the views merge into {answer}" if self.fitting is None else f"the view is {answer}"

    def blocks(self, conditions: Any, rest: str | None = IN_PYTHON) -> Iterable[Block]:
        """The headline, the undecided cases, and the merged views."""
        return conditions_blocks(conditions, rest=rest)

    def certificate(self, data: ConditionsData, budget: Budget) -> dict[str, Any]:
        """Question, cases and witnesses as JSON for `symview verify`."""
        return of_conditions(data)

    def head(self) -> dict[str, Any]:
        """The views, for JSON."""
        views = [str(v) for v in self.views]
        return {"outer": views[0], "inner": views[-1], "views": views}

    def case_dict(self, case: Case) -> dict[str, Any]:
        """A case for JSON."""
        return case.to_dict()


def _is_view(views: Sequence[View], view: View) -> bool:
    """Whether the composition equals the view, at the first indices and at corners."""
    box = view.shape
    near = (unravel(n, box) for n in range(min(prod(box), _WALKED)))
    corners = islice(product(*({0, n - 1} for n in box)), _CORNERS) if 0 not in box else ()
    return all(compose_at(*views, index=i) == view.at(i) for i in chain(near, corners))


def _breaks(views: Sequence[View], broken: Counterexample) -> bool:
    """Whether the composition at the index is as the counterexample claims."""
    if broken.kind is Kind.OUT_OF_BOUNDS:
        return left_pair(broken, views) is not None
    got = compose_at(*views, index=broken.index)
    if broken.kind is Kind.DISAGREE:
        return got == broken.got != broken.expected
    return (got is None) == (broken.kind is Kind.INVALID)


def _leaving(views: Sequence[View], budget: Budget) -> Counterexample:
    """The smallest index, in the last view that has one, whose address is not an index of the view before."""
    for outer, inner in reversed(list(pairwise(views))):
        lows: Any = [low for low, _ in inner.bounds()]
        sizes: Any = [high - low for low, high in inner.bounds()]
        start = inner.offset + sum(map(mul, lows, inner.strides))
        box, size = IndexMap(tuple(sizes), inner.strides, start), prod(outer.shape)
        if inner.is_void() or box.leaves(size) is None:
            continue
        above = (*box.steps, box.start - size)
        below = (*[-t for t in box.steps], -1 - box.start)
        index = presburger.least(presburger.System(box.sizes, 0, (), ((above,), (below,))), budget)
        if index is not None:
            return Counterexample(Kind.OUT_OF_BOUNDS, tuple(map(add, index, lows)), None, None, box.at(index))
    raise InternalError("no index leaves the outer shape, though a corner does")
