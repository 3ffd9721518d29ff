"""Swizzled layouts with symbols for strides: at which values they are permutations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from math import prod
from typing import Any

from symview.answers import CaseData, ConditionsData, Status
from symview.cases.conditions import Conditions
from symview.cases.question import Question
from symview.counterexample import Counterexample, Kind
from symview.cute.comparer import running
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import leaves
from symview.cute.swizzled.fronted import Fronted, Linear, fronted
from symview.cute.swizzled.permutations import is_bijective
from symview.errors import Undecided
from symview.logic.budget import Budget
from symview.logic.sympy_bridge import domain
from symview.logic.terms import FALSE, TRUE, Term, conj, disj, negated, num, sym

_TRIED = 1 << 13


@dataclass(frozen=True, slots=True)
class Permutes(Question[Any]):
    """Whether a swizzled layout permutes [0, size); `values` are all values of the symbols at which it does."""

    asked: Fronted
    values: tuple[dict[str, int], ...] = field(hash=False)

    @property
    def yes(self) -> str:
        """What is so where the conditions hold."""
        return "it is a permutation"

    def __str__(self) -> str:
        return f"{self.asked} is a permutation"

    def put(self, values: Mapping[str, int]) -> Permutes:
        """The question about a layout of numbers."""
        return Permutes(fronted(self.asked.at(values), "is_bijective_conditions"), ())

    def entries(self) -> Iterable[Any]:
        """The strides of the layout; sizes are numbers."""
        return leaves(self.asked.layout.stride)

    def sizes(self) -> Iterable[Any]:
        """Sizes are numbers."""
        return []

    def at(self, values: Mapping[str, int], budget: Budget) -> Any:
        """The layout of numbers where it is a permutation; else a no, with the error where it goes below 0."""
        try:
            found = self.asked.at(values)
            if is_bijective(found, budget):
                return found
            why: object = f"{found} is no permutation"
        except LayoutError as error:
            why = error
        return Counterexample(Kind.NO_LAYOUT, (), None, None, None, values=dict(values), reason=why)

    def stated(self, case: CaseData, values: Mapping[str, int]) -> Any:
        """The layout of numbers."""
        return self.asked.at(values)

    def example_text(self, answer: Any, broken: Counterexample | None) -> str:
        """That it is a permutation, or that it is none."""
        return str(self) if broken is None else str(broken.reason)

    def head(self) -> dict[str, Any]:
        """The layout and all values, for JSON."""
        return {"question": str(self.asked), "values": [dict(v) for v in self.values]}


def is_bijective_conditions(composed: Any, budget: Budget | None = None) -> Conditions[Any]:
    """For which values of the symbols a swizzled layout takes [0, size) to itself, each value once; exact.

    Where the swizzles keep [0, size), the layout behind has to permute it: its strides are products of sizes.
    Elsewhere the values behind, the offset among them, are below the size rounded up to a whole interval that the
    swizzles permute, and each value of the symbols that admits that is tried. Undecided where these are too many.

    >>> from symview.cute import ComposedLayout, Layout, Swizzle
    >>> print(is_bijective_conditions(ComposedLayout(Swizzle(2, 0, 3), 0, Layout.parse("(8,4):(a,b)"))))
    (a = 1 and b = 8) or (a = 4 and b = 1)
    >>> print(is_bijective_conditions(Layout.parse("4:-a")))
    a = -1
    """
    asked = fronted(composed, "is_bijective_conditions")
    budget, size = running(budget), asked.layout.size()
    period = asked.period()
    end = -(-size // period) * period
    whole = size % period == 0 and not any(offset for _, offset in asked.fronts)
    sizes = [n for n in leaves(asked.layout.shape) if n > 1]
    places = {prod(some) for k in range(len(sizes) + 1) for some in combinations(sizes, k)}
    kept = [d for n, d in zip(leaves(asked.layout.shape), asked.strides, strict=True) if n > 1]
    ranges = list(_ranges(asked, kept, end, places if whole else None))
    if prod([len(r) for r in ranges]) > _TRIED:
        raise Undecided(f"is_bijective_conditions: {prod([len(r) for r in ranges])} values to be tried")
    found = []
    for values in product(*ranges):
        if whole and len({d.at(values) for d in kept} & places) < len(kept):
            continue
        budget.spend(min(size, 1 << 12))
        at = dict(zip(asked.names, values, strict=True))
        try:
            if is_bijective(asked.at(at), budget):
                found.append(at)
        except LayoutError:  # it goes below 0
            continue
    there = disj(conj(Term("==", (sym(n), num(v))) for n, v in at.items()) for at in found)
    cases = (CaseData(there, Status.ALWAYS), CaseData(negated(there), Status.NEVER))
    facts = tuple([fact for s in asked.layout.symbols().values() for fact in domain(s)])
    data = ConditionsData(
        (), tuple([c for c in cases if c.where != FALSE]), (), facts, (there,) if there != TRUE else ()
    )
    return Conditions(Permutes(asked, tuple(found)), data, budget.plain())


def _ranges(asked: Fronted, kept: Sequence[Linear], end: int, places: set[int] | None) -> Iterator[Sequence[int]]:
    """For each symbol the values that can be; by a stride with that symbol alone."""
    for k, name in enumerate(asked.names):
        alone = [d for d in kept if d.factors[k] and not any(c for j, c in enumerate(d.factors) if j != k)]
        if not alone:
            raise Undecided(f"is_bijective_conditions: no mode of two elements has a stride in {name} alone")
        first = alone[0]
        c, a = first.factors[k], first.constant
        if places is not None:
            yield sorted({(p - a) // c for p in places if (p - a) % c == 0})
        else:
            low = -asked.fronts[-1][1]  # the value at 0 is the offset, and no other is below 0
            steps = range(low + (a - low) % abs(c), low + end, abs(c))
            yield sorted([(d - a) // c for d in steps])
