"""For which values of their symbolic strides swizzled layouts are permutations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from math import prod
from typing import Any

from symview.answers import CaseData, ConditionsData, Status
from symview.cases.case import Case
from symview.cases.conditions import Conditions
from symview.cases.question import Question
from symview.counterexample import Counterexample
from symview.cute.comparer import running
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import leaves
from symview.cute.linear.conditions import OfStrides
from symview.cute.swizzled.fronted import Fronted, fronted
from symview.cute.swizzled.permutations import is_bijective
from symview.errors import Undecided
from symview.logic.budget import Budget
from symview.logic.polynomial import ONE
from symview.logic.sympy_bridge import domain
from symview.logic.terms import FALSE, TRUE, Term, conj, disj, negated, num, sym

_TRIED = 1 << 13


class Permutes(OfStrides):
    """The question whether a swizzled layout permutes [0, size)."""

    __slots__ = ()

    @property
    def yes(self) -> str:
        """The statement that the conditions imply."""
        return "it is a permutation"

    @property
    def values(self) -> Sequence[Mapping[str, int]]:
        """All values of the symbols for which the layout is a permutation."""
        return self.more["values"]  # type: ignore[no-any-return]

    def example_text(self, answer: Any, broken: Counterexample | None) -> str:
        """States that the layout is a permutation, or why it is not."""
        return f"{answer} is a permutation" if broken is None else str(broken.reason)

    def case_dict(self, case: Case) -> dict[str, Any]:
        """A case for JSON."""
        return Question.case_dict(self, case)


def _permutation(layout: Any) -> Any:
    """Returns the layout if it is a permutation; raises LayoutError if not, or if a value is negative."""
    if not is_bijective(layout):
        raise LayoutError(f"{layout} is no permutation")
    return layout


def is_bijective_conditions(composed: Any, budget: Budget | None = None) -> Conditions[Any]:
    """The values of the symbols for which a swizzled layout permutes [0, size); exact.

    If the swizzles preserve [0, size), the unswizzled layout has to permute it, so its strides are products of sizes.
    Otherwise its values lie in [0, size) rounded up to whole periods of the swizzles; every value of the symbols that
    this permits is tried. Raises Undecided if these are too many.

    >>> from symview.cute import ComposedLayout, Layout, Swizzle
    >>> print(is_bijective_conditions(ComposedLayout(Swizzle(2, 0, 3), 0, Layout.parse("(8,4):(a,b)"))))
    (a = 1 and b = 8) or (a = 4 and b = 1)
    >>> print(is_bijective_conditions(Layout.parse("4:-a")))
    a = -1
    """
    query = fronted(composed, "is_bijective_conditions")
    budget, size = running(budget), query.layout.size()
    period = query.period()
    end = -(-size // period) * period
    whole = size % period == 0 and not any(offset for _, offset in query.fronts)
    sizes = [n for n in leaves(query.layout.shape) if n > 1]
    places = {prod(some) for k in range(len(sizes) + 1) for some in combinations(sizes, k)}
    moving = [k for k, n in enumerate(leaves(query.layout.shape)) if n > 1]
    ranges = list(_ranges(query, moving, end, places if whole else None))
    if prod([len(r) for r in ranges]) > _TRIED:
        raise Undecided(f"is_bijective_conditions: {prod([len(r) for r in ranges])} values to be tried")
    found = []
    for values in product(*ranges):
        strides = list(leaves(query.inner(values).stride))
        if whole and len({strides[k] for k in moving} & places) < len(moving):
            continue
        budget.spend(min(size, 1 << 12))
        at = dict(zip(query.names, values, strict=True))
        try:
            if is_bijective(query.at(at), budget):
                found.append(at)
        except LayoutError:  # it goes below 0
            continue
    there = disj(conj(Term("==", (sym(n), num(v))) for n, v in at.items()) for at in found)
    cases = (CaseData(there, Status.ALWAYS), CaseData(negated(there), Status.NEVER))
    facts = tuple([fact for s in query.layout.symbols().values() for fact in domain(s)])
    kept = tuple([c for c in cases if c.where != FALSE])
    data = ConditionsData((), kept, (), facts, (there,) if there != TRUE else ())
    question = Permutes(
        f"{query} is a permutation", (composed,), _permutation, {"question": str(query), "values": found}
    )
    return Conditions(question, data, budget.plain())


def _ranges(query: Fronted, moving: Sequence[int], end: int, places: set[int] | None) -> Iterator[Sequence[int]]:
    """The candidate values of each symbol, derived from a stride that contains this symbol alone."""
    forms = [query.forms()[k] for k in moving]
    for name in query.names:
        alone = next((form for form in forms if set(form) - {ONE} == {(name,)}), None)
        if alone is None:
            raise Undecided(f"is_bijective_conditions: no mode of two elements has a stride in {name} alone")
        c, a = alone[name,], alone.get(ONE, 0)
        if places is not None:
            yield sorted({(p - a) // c for p in places if (p - a) % c == 0})
        else:
            low = -query.fronts[-1][1]  # the value at 0 is the offset, and no other is below 0
            steps = range(low + (a - low) % abs(c), low + end, abs(c))
            yield sorted([(d - a) // c for d in steps])
