"""Examples of conditions on the strides of one view, replayed by walking its addresses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from math import prod

from symview.answers import ConditionsData, Kind, values_text
from symview.cases.example_values import examples_of, kinds
from symview.displayed import Displayed
from symview.errors import InternalError, Undecided
from symview.logic.budget import Budget
from symview.view import View, address_of
from symview.views.stride_faults import Property, StrideFault

_WALKED = 4_000  # indices whose addresses are walked


@dataclass(frozen=True, slots=True)
class StrideExample(Displayed):
    """Values of the symbols, the view at these values, and whether it is dense, injective or contiguous.

    Where it is not, `counterexample` says why: two indices of one address, an address that is left out, or a stride.
    """

    values: Mapping[str, int]
    view: View
    question: Property
    counterexample: StrideFault | None = field(default=None)

    @property
    def holds(self) -> bool:
        """Whether the view has the property at these values."""
        return self.counterexample is None

    def __str__(self) -> str:
        at = values_text(self.values) or "no symbols"
        if self.counterexample is None:
            return f"{at}: {self.view} is {self.question}"
        told = str(self.counterexample).removesuffix(f" with {values_text(self.values)}")
        return f"{at}: {self.view} is not {self.question}: {told}"

    def __hash__(self) -> int:
        return hash((frozenset(self.values.items()), self.view, self.question))


def stride_examples(
    conditions: ConditionsData,
    count: int,
    budget: Budget,
    example_at: Callable[[Mapping[str, int]], StrideExample],
    is_so: Callable[[View], bool],
) -> tuple[StrideExample, ...]:
    """See `StrideConditions.examples`; `is_so` says from the definition whether a view has the property."""
    budget = budget.started()

    def at(values: Mapping[str, int], holds: bool | None) -> StrideExample | None:
        try:
            found = example_at(values)
        except Undecided:
            return None
        walked = prod(high - low for low, high in found.view.bounds()) <= _WALKED
        if holds not in (None, found.holds) or (walked and is_so(found.view) != found.holds) or not _shown(found):
            raise InternalError(f"conditions and integers disagree at {found}")
        return found

    return examples_of(conditions, kinds(conditions), count, budget, at)


def walked(view: View, question: Property, flips: bool, order: Sequence[int]) -> bool:
    """Whether the view has the property, from its definition: by walking all its addresses."""
    spans = [range(low, high) for low, high in view.bounds()]
    dims = order[::-1] if question == "contiguous" else range(view.rank)
    indices = product(*(spans[d] for d in dims)) if not view.is_void() else ()
    found = [address_of(view, _placed(i, dims)) for i in indices]
    if question == "contiguous":
        return all(b - a == 1 for a, b in pairwise(found))
    if len(set(found)) < len(found):
        return False
    if question == "injective" or not found:
        return True
    down = any(t < 0 and len(span) > 1 for t, span in zip(view.strides, spans, strict=True))
    return max(found) - min(found) + 1 == len(found) and (flips or not down)


def _placed(digits: Sequence[int], dims: Sequence[int]) -> list[int]:
    """The index of these digits, of which each belongs to a dim."""
    index = [0] * len(dims)
    for dim, digit in zip(dims, digits, strict=True):
        index[dim] = digit
    return index


def _shown(example: StrideExample) -> bool:
    """Whether the indices and the stride of the fault are as it says."""
    fault, view = example.counterexample, example.view
    if fault is None or fault.kind is Kind.GAP:
        return True
    if fault.kind is Kind.OVERLAP:
        both = (fault.index, fault.other or ())
        return fault.index != fault.other and all(view.at(i) == fault.got for i in both)
    return fault.axis is not None and view.strides[fault.axis] == fault.got != fault.expected
