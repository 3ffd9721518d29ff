"""Which values a layout with symbolic strides or sizes has: how far they reach, and whether they skip a number.

Add the modes one by one, first those that skip nothing: a mode of stride d continues the numbers 0…r if |d| <= r + 1,
which then reach r + (n − 1)·|d|. If a stride does not fit, sums of the larger strides miss r + 1, and by symmetry
equally many numbers below their maximum. So no number between the least and the greatest value is skipped iff all modes
fit in some order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from symview.answers import CaseData, ConditionsData
from symview.cases.conditions import Conditions
from symview.cases.query import query_about
from symview.cases.question import Question
from symview.certificates import of_gapless
from symview.counterexample import Counterexample, Kind
from symview.cute.analysis.by_strides import is_injective_conditions
from symview.cute.analysis.image import Footprint, footprint, image
from symview.cute.comparer import running
from symview.cute.int_tuple import profile_text
from symview.cute.layout import Layout, need_layout
from symview.cute.named.substitution import put
from symview.displayed import Displayed
from symview.errors import Undecided
from symview.logic.budget import Budget
from symview.logic.entailment import Entailment
from symview.logic.integer import greatest
from symview.logic.sympy_bridge import to_term
from symview.logic.terms import FALSE, TRUE, Term, disj, num
from symview.views.extents import extents, one_of

_MOST = 4  # up to that many modes, all orders are tried
_WHY = "exact: in some order each stride is at most 1 beyond what the modes before it reach"
_NONE = "in no order do the modes continue each other's values"


def _gapless(layout: Layout, assume: Any, budget: Budget | None) -> Conditions[Layout]:
    """When every number between the least and the greatest value is a value; exact, and values may repeat.

    Raises Undecided for more than four moving modes whose order is open. Source: Brown's criterion for complete
    sequences (J. L. Brown, "Note on complete sequences of integers", 1961), for n − 1 copies of each stride.
    """
    query = query_about((layout.to_view(),), assume, running(budget))
    axes = extents(query)
    known = Entailment(axes.facts, query.budget)
    sides = [(n, _size(known, d)) for n, d in layout.flat() if n != 1 and d != 0]
    ways = [[c for c in way if c != TRUE] for way in _ways(sides, 0, known)]
    answer = axes.exact(one_of([w for w in ways if FALSE not in w], known), _WHY, _NONE)
    return Conditions(LeavesNothingOut(layout), answer, query.budget.plain())


def _ways(left: list[tuple[Any, Any]], reach: Any, known: Entailment) -> Iterator[list[Term]]:
    """The claims that each order of the remaining modes requires."""
    if not left:
        yield []
        return
    following = [(k, _decided(known, _fits(n, d, reach))) for k, (n, d) in enumerate(left)]
    sure = [(k, claim) for k, claim in following if claim == TRUE][:1]
    if not sure and len(left) > _MOST:
        raise Undecided(f"whether no place is left out: the orders of {len(left)} modes are too many")
    for k, claim in sure or following:
        if claim != FALSE:
            size, height = left[k]
            further = reach + (size - 1) * height
            rest = [*left[:k], *left[k + 1 :]]
            yield from ([claim, *more] for more in _ways(rest, further, known.also(claim)))


def _fits(size: Any, height: Any, reach: Any) -> Term:
    """The claim that a mode continues the numbers up to `reach`, or does not move."""
    alone = FALSE if type(size) is int else Term("==", (to_term(size), num(1)))
    return disj((alone, _at_most(height, reach + 1)))


def _decided(known: Entailment, claim: Term) -> Term:
    """TRUE or FALSE if the claim is known to hold or to fail, otherwise the claim."""
    return TRUE if known.implies(claim) else FALSE if known.impossible(claim) else claim


def _at_most(a: Any, b: Any) -> Term:
    if type(a) is int and type(b) is int:
        return TRUE if a <= b else FALSE
    return Term("<=", (to_term(a), to_term(b)))


def _size(known: Entailment, stride: Any) -> Any:
    """|d|, simplified if the sign is known."""
    positive = _positive(known, stride)
    return stride if positive is stride else -stride if positive == 0 else abs(stride)


def _positive(known: Entailment, stride: Any) -> Any:
    """The maximum of d and 0."""
    if known.implies(_at_most(0, stride)):
        return stride
    if known.implies(_at_most(stride, 0)):
        return 0
    return greatest(0, stride)


@dataclass(frozen=True, slots=True)
class LeavesNothingOut(Question[Layout]):
    """The question whether a layout skips no number between its least and its greatest value.

    >>> found = footprint_conditions(Layout.parse("(4,8):(1,b)"), assume="b >= 0").gapless
    >>> print(found.counterexample())
    no index has address 4, between others with b = 5
    >>> found.certificate()["claim"]["property"]
    'gapless'
    """

    layout: Layout

    @property
    def yes(self) -> str:
        """The statement that the conditions imply."""
        return "no number is left out"

    def __str__(self) -> str:
        return f"no number is left out by {self.layout}"

    def put(self, values: Mapping[str, int]) -> LeavesNothingOut:
        """Substitutes numbers for the symbols."""
        return replace(self, layout=put(self.layout, values))

    def entries(self) -> Iterable[Any]:
        """All entries of the layout as a view."""
        return self.layout.to_view().entries()

    def sizes(self) -> Iterable[Any]:
        """The sizes."""
        return [n for n, _ in self.layout.flat()]

    def at(self, values: Mapping[str, int], budget: Budget) -> Layout | Counterexample:
        """The numeric layout if nothing is skipped, otherwise the least skipped number."""
        layout = put(self.layout, values)
        gap = image(layout, budget).gap
        return layout if gap is None else Counterexample(Kind.GAP, (), None, gap, None, values=dict(values))

    def stated(self, case: CaseData, values: Mapping[str, int]) -> Layout | None:
        """The numeric layout."""
        return put(self.layout, values)  # type: ignore[no-any-return]

    def example_text(self, answer: Layout | None, broken: Counterexample | None) -> str:
        """States that no number is skipped, or which one is."""
        why = "" if broken is None else f": {replace(broken, values={})}"
        return f"{self.layout} leaves {'no number' if broken is None else 'a number'} out{why}"

    def certificate(self, data: ConditionsData, budget: Budget) -> dict[str, Any]:
        """Question and cases as JSON for `symview verify`."""
        return of_gapless(data)

    def head(self) -> dict[str, Any]:
        """The layout, for JSON."""
        return {"layout": str(self.layout), "question": "gapless"}


@dataclass(frozen=True, slots=True)
class StrideFootprint(Displayed):
    """The range that a symbolic layout reaches: `span` places, for `size` indices.

    No place is read twice if `distinct` holds, and none is skipped if `gapless` does.
    """

    layout: Layout
    least: Any
    greatest: Any
    size: Any
    span: Any
    distinct: Conditions[Any]
    gapless: Conditions[Any]

    def at(self, values: Mapping[Any, int]) -> Footprint:
        """The footprint with numbers for all symbols."""
        return footprint(self.layout.with_values(values))

    def __str__(self) -> str:
        least, greatest, span, size = map(profile_text, (self.least, self.greatest, self.span, self.size))
        return (
            f"{least} to {greatest}: {span} places, for {size} indices\n"
            f"each index has a place of its own: {_line(self.distinct)}\nno place is left out: {_line(self.gapless)}"
        )

    def to_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        ends = {"least": str(self.least), "greatest": str(self.greatest)}
        whole = {"span": str(self.span), "size": str(self.size)}
        return {**ends, **whole, "distinct": self.distinct.headline(), "gapless": self.gapless.headline()}


def _line(conditions: Conditions[Any]) -> str:
    return "; ".join(str(conditions).splitlines())


def footprint_conditions(layout: Any, assume: Any = (), budget: Budget | None = None) -> StrideFootprint:
    """The range that a symbolic layout reaches, and the conditions under which no place is read twice or skipped.

    >>> print(footprint_conditions(Layout.parse("(4,8):(1,ld)"), assume="ld >= 1"))
    0 to 7*ld + 3: 7*ld + 4 places, for 32 indices
    each index has a place of its own: ld ≥ 4
    no place is left out: ld ≤ 4
    """
    found = need_layout(layout, "footprint_conditions")
    query = query_about((found.to_view(),), assume, running(budget))
    known = Entailment(extents(query).facts, query.budget)
    modes = [(n, d) for n, d in found.flat() if n != 1 and d != 0]
    greatest = sum([(n - 1) * _positive(known, d) for n, d in modes])
    least = sum([-(n - 1) * _positive(known, -d) for n, d in modes])
    return StrideFootprint(
        found, least, greatest, found.size(), sum([(n - 1) * _size(known, d) for n, d in modes], 1),
        is_injective_conditions(found, assume, budget), _gapless(found, assume, budget),
    )  # fmt: skip
