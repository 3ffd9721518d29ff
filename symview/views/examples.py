"""Examples of conditions for tests of one's own: values on both sides of each condition, replayed in plain integers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain, islice, product
from math import prod

from symview.answers import ConditionsData, Counterexample, Kind, values_text
from symview.cases.example_values import examples_of, kinds
from symview.displayed import Displayed
from symview.engine.radix import unravel
from symview.errors import InternalError
from symview.logic.budget import Budget
from symview.show.counterexample import left_pair
from symview.view import View, compose_at
from symview.views.counterexamples import break_at, sizes_agree
from symview.views.merging import merge

_WALKED, _CORNERS = 2_000, 64  # indices at which a merged view is replayed


@dataclass(frozen=True, slots=True)
class Example(Displayed):
    """Values of the symbols, and what the views do there, as integers alone show.

    `views` are the views at these values; `view` what they merge into, else `counterexample` is the index that breaks,
    with the addresses expected and got. All are empty or None where the sizes of a reshape do not agree.
    """

    values: Mapping[str, int]
    views: tuple[View, ...] = ()
    view: View | None = None
    counterexample: Counterexample | None = field(default=None)

    @property
    def merges(self) -> bool:
        """Whether the views merge at these values."""
        return self.view is not None

    def __str__(self) -> str:
        at = values_text(self.values) or "no symbols"
        if self.counterexample is not None:
            told = str(self.counterexample).replace(f" with {values_text(self.values)}", "") if self.values else ""
            return f"{at}: {told or self.counterexample}"
        return f"{at}: " + (f"the views merge into {self.view}" if self.merges else "the sizes do not agree")

    def __hash__(self) -> int:
        return hash((frozenset(self.values.items()), self.view))


def examples(conditions: ConditionsData, count: int, budget: Budget) -> tuple[Example, ...]:
    """See `Conditions.examples`."""
    budget = budget.started()

    def at(values: Mapping[str, int], merges: bool | None) -> Example:
        return example_at(conditions, values, budget, merges)

    return examples_of(conditions, kinds(conditions), count, budget, at)


def example_at(
    conditions: ConditionsData, values: Mapping[str, int], budget: Budget, merges: bool | None = None
) -> Example:
    """What the views do at these values of all symbols, replayed in plain integers.

    Raises InternalError where it is not what is expected.
    """
    if not sizes_agree(conditions, values):
        return Example(dict(values))
    broken = break_at(conditions, values, budget)
    views = tuple([v.with_values(values) for v in conditions.views])
    merged = merge(*views, budget=budget) if broken is None else None
    found = Example(dict(values), views, merged or None, broken)
    if not _replays(found) or merges not in (None, found.merges):
        raise InternalError(f"{', '.join(map(str, views))}: conditions and integers disagree at {found}")
    return found


# Replay


def _replays(example: Example) -> bool:
    """Whether the composition, index by index, is what the example says."""
    views, broken = example.views, example.counterexample
    if example.view is not None:
        box = example.view.shape
        near = (unravel(n, box) for n in range(min(prod(box), _WALKED)))
        corners = islice(product(*({0, n - 1} for n in box)), _CORNERS) if 0 not in box else ()
        return all(compose_at(*views, index=i) == example.view.at(i) for i in chain(near, corners))
    if broken is None:
        return False
    if broken.kind is Kind.OUT_OF_BOUNDS:
        return left_pair(broken, views) is not None
    got = compose_at(*views, index=broken.index)
    if broken.kind is Kind.DISAGREE:
        return got == broken.got != broken.expected
    return (got is None) == (broken.kind is Kind.INVALID)
