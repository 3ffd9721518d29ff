"""Which values a layout with symbolic strides or sizes has: how far they reach, and whether they skip a number.

Add the modes one by one, first those that skip nothing: a mode of stride d continues the numbers 0…r if |d| <= r + 1,
which then reach r + (n − 1)·|d|. If a stride does not fit, sums of the larger strides miss r + 1, and by symmetry
equally many numbers below their maximum. So no number between 0 and the greatest value is skipped iff all modes fit in
some order, or those that fit already reach the greatest value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from symview.answers import CaseData, ConditionsData
from symview.cases.conditions import Conditions
from symview.cases.query import query_about
from symview.cases.question import Question
from symview.certificates import of_surjective
from symview.counterexample import Counterexample, Kind
from symview.cute.analysis.by_strides import is_injective_conditions
from symview.cute.analysis.image import Footprint, Lacks, footprint, image, is_surjective
from symview.cute.comparer import running
from symview.cute.int_tuple import profile_text
from symview.cute.layout import Layout, need_layout
from symview.cute.named.asking import plain_sum
from symview.cute.named.substitution import put
from symview.displayed import Displayed
from symview.errors import InputError, Undecided
from symview.logic.budget import Budget
from symview.logic.entailment import Entailment
from symview.logic.sympy_bridge import as_integer, to_term
from symview.logic.terms import FALSE, TRUE, Term, conj, disj, num
from symview.views.extents import extents, one_of

_MOST = 4  # up to that many modes, all orders are tried
_WHY = "exact: in some order each stride is at most 1 beyond what the modes before it reach"
_NONE = "in no order do the modes continue each other's values"


def is_surjective_conditions(
    layout: Any, codomain: Any = None, assume: Any = (), budget: Budget | None = None
) -> Conditions[Layout]:
    """When every number from 0 up to the greatest value is a value, or every one below `codomain`; exact.

    Values may repeat. With a codomain, strides have to be known to be nonnegative. Raises Undecided for more than four
    moving modes whose order is open. Source: Brown's criterion for complete sequences (J. L. Brown, "Note on complete
    sequences of integers", 1961), for n − 1 copies of each stride.

    >>> print(is_surjective_conditions(Layout.parse("(4,8):(1,b)"), assume="b >= 0"))
    b ≤ 4
    >>> print(is_surjective_conditions(Layout.parse("(4,8):(a,b)"), assume="a >= 1 and b >= 1"))
    (a ≤ 1 and b ≤ 3a + 1) or (b ≤ 1 and a ≤ 7b + 1)
    """
    return _onto(need_layout(layout, "is_surjective_conditions"), codomain, assume, budget, False)


def _onto(found: Layout, codomain: Any, assume: Any, budget: Budget | None, below: bool) -> Conditions[Layout]:
    """See `is_surjective_conditions`; `below` also forbids skipped numbers between the least value and 0."""
    top = None if codomain is None else plain_sum(as_integer(codomain, "the codomain"), -1)
    query = query_about((found.to_view(),), assume, running(budget))
    axes = extents(query)
    modes = [(n, d) for n, d in found.flat() if n != 1 and d != 0]
    known = Entailment(axes.facts, query.budget)
    rising = all(known.implies(_at_most(0, d)) for _, d in modes)
    if top is not None and not rising:
        raise InputError(f"is_surjective_conditions of {found}: with a codomain, assume that strides are from 0 on")
    heights = [d if rising else _size(known, d) for _, d in modes]
    falling = None
    if not rising and not below:
        top = plain_sum(0, *[(n - 1) * _positive(known, d) for n, d in modes])
        falling = _decided(known, conj([_falls(n, d) for n, d in modes]))
    sides = [(n, height) for (n, _), height in zip(modes, heights, strict=True)]
    ways = [[c for c in way if c != TRUE] for way in _ways(sides, 0, top, known, falling)]
    answer = axes.exact(one_of([w for w in ways if FALSE not in w], known), _WHY, _NONE)
    return Conditions(LeavesNothingOut(found, codomain, below), answer, query.budget.plain())


def _ways(
    left: list[tuple[Any, Any]], reach: Any, top: Any, known: Entailment, done: Term | None = None
) -> Iterator[list[Term]]:
    """The claims that each order of the remaining modes requires; `top` is the number to reach, None for all modes.

    `done` is the claim that `top` is reached, if a simpler form of it is known.
    """
    done = done or (None if top is None else _decided(known, _at_most(top, reach)))
    if done is not None and done != FALSE:
        yield [done]
    if top is None and not left:
        yield []
    if done == TRUE:
        return
    following = [(k, _decided(known, _fits(n, d, reach))) for k, (n, d) in enumerate(left)]
    sure = [(k, claim) for k, claim in following if claim == TRUE][:1]
    if not sure and len(left) > _MOST:
        raise Undecided(f"is_surjective_conditions: the orders of {len(left)} modes are too many")
    for k, claim in sure or following:
        if claim != FALSE:
            size, height = left[k]
            further = plain_sum(reach, (size - 1) * height)
            rest = [*left[:k], *left[k + 1 :]]
            yield from ([claim, *more] for more in _ways(rest, further, top, known.also(claim)))


def _falls(size: Any, stride: Any) -> Term:
    """The claim that no value of a mode is positive."""
    alone = FALSE if type(size) is int else Term("==", (to_term(size), num(1)))
    factor, rest = (1, stride) if type(stride) is int else stride.as_coeff_Mul()
    return disj((alone, _at_most(rest, 0) if factor > 0 else Term(">=", (to_term(rest), num(0)))))


def _fits(size: Any, height: Any, reach: Any) -> Term:
    """The claim that a mode continues the numbers up to `reach`, or does not move."""
    alone = FALSE if type(size) is int else Term("==", (to_term(size), num(1)))
    return disj((alone, _at_most(height, plain_sum(reach, 1))))


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
    import sympy  # slow to load

    return sympy.Max(0, stride)


@dataclass(frozen=True, slots=True)
class LeavesNothingOut(Question[Layout]):
    """The question whether a layout skips no number, up to its greatest value or below the codomain.

    `below` also forbids skipped numbers between its least value and 0.

    >>> found = is_surjective_conditions(Layout.parse("(4,8):(1,b)"), assume="b >= 0")
    >>> print(found.counterexample())
    no index has address 4, between others with b = 5
    >>> found.certificate()["question"]["property"]
    'surjective'
    """

    layout: Layout
    codomain: Any = None
    below: bool = False

    @property
    def yes(self) -> str:
        """The statement that the conditions imply."""
        return "no number is left out"

    def __str__(self) -> str:
        return f"no number is left out by {self.layout}"

    def put(self, values: Mapping[str, int]) -> LeavesNothingOut:
        """Substitutes numbers for the symbols."""
        return replace(self, layout=put(self.layout, values), codomain=put(self.codomain, values))

    def entries(self) -> Iterable[Any]:
        """All entries of the layout as a view."""
        return self.layout.to_view().entries()

    def sizes(self) -> Iterable[Any]:
        """The sizes."""
        return [n for n, _ in self.layout.flat()]

    def at(self, values: Mapping[str, int], budget: Budget) -> Layout | Counterexample:
        """The numeric layout if nothing is skipped, otherwise the least skipped number."""
        layout = put(self.layout, values)
        codomain = None if self.codomain is None else put(self.codomain, values)
        found = None if self.below else is_surjective(layout, codomain, budget)
        gap = image(layout, budget).gap if self.below else found.value if isinstance(found, Lacks) else None
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
        return of_surjective(data, self.codomain, self.below)

    def head(self) -> dict[str, Any]:
        """The layout, for JSON."""
        return {"layout": str(self.layout), "question": "surjective"}


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
    greatest = plain_sum(0, *[(n - 1) * _positive(known, d) for n, d in modes])
    least = plain_sum(0, *[-(n - 1) * _positive(known, -d) for n, d in modes])
    return StrideFootprint(
        found, least, greatest, found.size(), plain_sum(1, *[(n - 1) * _size(known, d) for n, d in modes]),
        is_injective_conditions(found, assume, budget), _onto(found, None, assume, budget, True),
    )  # fmt: skip
