"""Where the elements of one view lie: each at an address of its own, without gaps, in an order of the dims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from typing import Any

from symview.answers import CaseData, ConditionsData, Status
from symview.cases.conditions import Conditions
from symview.cases.query import query_about
from symview.cases.question import Question
from symview.certificates import of_strides
from symview.counterexample import Counterexample
from symview.logic.budget import Budget, running
from symview.orders import read_order
from symview.show.formulas import Line, case_text, headline, told
from symview.view import View, as_view
from symview.views.by_collision import cases_by_collision, steps_to_collisions
from symview.views.extents import cases_by_density, cases_by_order
from symview.views.stride_faults import Property, fault_of, is_fault, walked

_WALKED = 4_000  # indices whose addresses are walked


def dense_conditions(
    view: View | str, flips: bool = False, assume: Any = (), budget: Budget | None = None
) -> Conditions[View]:
    """The exact, weakest condition under which a view is dense: contiguous in some order of its dims.

    Claim: so exactly where its addresses are an interval, each of one index, and no stride is negative; with `flips`
    strides may be negative, for the view is dense after flipping those axes. Dims of size 1 do not count, a view
    without valid indices is dense, and a mask counts as a shrink. Sizes are positive, unless `assume` leaves 0 open.
    The case of any number of symbols is decided; what is long is the answer, which for r dims that could stand in any
    order has r! alternatives.
    Where the budget ends before all orders were looked at, those that were are known to be enough.

    >>> print(dense_conditions(View.parse("(M,N):(p,q)")))
    ((M = 1 or p = N) and (N = 1 or q = 1)) or ((M = 1 or p = 1) and (N = 1 or q = M))
    >>> print(dense_conditions(View.parse("(4,n):(n,1)")))
    always
    """
    query = query_about((as_view(view, "dense_conditions"),), assume, running(budget))
    return _conditions("dense", cases_by_density(query, flips), query.budget, flips=flips)


def injective_conditions(view: View | str, assume: Any = (), budget: Budget | None = None) -> Conditions[View]:
    """The condition under which no two indices of a view have one address.

    Exact for views of two dims, by the greatest common divisor of their strides; of more where all but two sizes are
    small numbers, and of the strides of these two one is a multiple of the other, or of up to a quarter of it. Dims
    that lie farther apart than all others reach do not count, two that are contiguous whatever the values count as one,
    and names with few values are tried. Else a case is undecided, between what is enough and what is needed;
    `holds` and `counterexample` decide it for numbers. For any number of dims the question is coNP-complete, of sizes 2
    already (whether subsets of numbers have distinct sums). A mask counts as a shrink.

    >>> print(injective_conditions(View.parse("(n,m):(p,q)"), assume="n >= 2 and m >= 2 and p >= 1 and q >= 1"))
    n*gcd(p, q) ≤ q or m*gcd(p, q) ≤ p
    >>> print(injective_conditions(View.parse("(n,m):(p,1)"), assume="n >= 2 and m >= 2 and p >= 0"))
    m ≤ p
    >>> print(injective_conditions(View.parse("(B,S,D):(S*D,D,1)")))
    always
    """
    query = query_about((as_view(view, "injective_conditions"),), assume, running(budget))
    return _conditions("injective", cases_by_collision(query), query.budget)


def contiguous_conditions(
    view: View | str, order: Any = None, assume: Any = (), budget: Budget | None = None
) -> Conditions[View]:
    """The exact, weakest condition under which a view is contiguous in an order of its dims.

    `order`: as `View.in_order` takes it, the dims from the fastest to the slowest or the name of a format; None for
    row-major. Each stride is to be the product of the sizes of the faster dims, but for dims of size 1; the offset does
    not count, a view without valid indices is contiguous, and a mask counts as a shrink.
    Raises InputError for orders that are no permutation.

    >>> print(contiguous_conditions(View.parse("(B,S,D):(t0,D,1)")))
    B = 1 or t0 = D*S
    >>> print(contiguous_conditions(View.parse("(N,C,H,W):(s,1,W*C,C)"), "channels_last"))
    N = 1 or s = C*H*W
    """
    view = as_view(view, "contiguous_conditions")
    dims = read_order(order, view.rank)
    query = query_about((view,), assume, running(budget))
    return _conditions("contiguous", cases_by_order(query, dims), query.budget, order=dims)


@dataclass(frozen=True, slots=True)
class HasProperty(Question[View]):
    """Whether one view is dense, injective or contiguous; `flips` and `order` as they were asked for.

    >>> injective_conditions(View.parse("(2,2,n):(a,b,c)")).holds({"n": 2, "a": 5, "b": 6, "c": 7})
    True
    >>> print(dense_conditions(View.parse("(M,N):(p,q)")).counterexample())
    the indices (0,0) and (0,1) have the same address 0 with M = 1, N = 2, p = 0, q = 0
    >>> for example in dense_conditions(View.parse("(2,3):(p,q)")).examples(3):
    ...     print(example)
    p = 1, q = 2: (2,3):(1,2) is dense
    p = 4, q = 1: (2,3):(4,1) is not dense: no index has address 3, between others
    p = 2, q = 2: (2,3):(2,2) is not dense: the indices (0,1) and (1,0) have the same address 2
    >>> dense_conditions(View((2, 3), (3, 1))).certificate()["answer"]["cases"][0]["status"]
    'always'
    """

    view: View
    claim: Property
    flips: bool = False
    order: tuple[int, ...] = ()

    @property
    def yes(self) -> str:
        """What is so where the conditions hold."""
        return f"the view is {self.claim}"

    def __str__(self) -> str:
        return f"{self.view} is {self.claim}"

    def put(self, values: Mapping[str, int]) -> HasProperty:
        """The question about the view with numbers."""
        return replace(self, view=self.view.with_values(values))

    def entries(self) -> Iterable[Any]:
        """All entries of the view."""
        return self.view.entries()

    def sizes(self) -> Iterable[Any]:
        """The sizes."""
        return self.view.shape

    def at(self, values: Mapping[str, int], budget: Budget) -> View | Counterexample:
        """The view of numbers, where it has the property, or why it has not."""
        view = self.view.with_values(values)
        fault = fault_of(view, self.claim, self.flips, self.order, budget)
        return view if fault is None else replace(fault, values=dict(values))

    def stated(self, case: CaseData, values: Mapping[str, int]) -> View | None:
        """The view with numbers."""
        return self.view.with_values(values)

    def is_right(
        self, values: Mapping[str, int], found: View | Counterexample, stated: View | None, budget: Budget
    ) -> bool:
        """Whether a walk of all addresses, where these are few, says so, and the fault is as it says."""
        view, holds = self.view.with_values(values), isinstance(found, View)
        few = prod(high - low for low, high in view.bounds()) <= _WALKED
        if few and walked(view, self.claim, self.flips, self.order) != holds:
            return False
        return not isinstance(found, Counterexample) or is_fault(view, found)

    def example_text(self, answer: View | None, broken: Counterexample | None) -> str:
        """That the view has the property, or why not."""
        return str(self) if broken is None else f"{self.view} is not {self.claim}: {replace(broken, values={})}"

    def headline(self, data: ConditionsData, rest: str | None) -> str:
        """What holds where; see `Conditions.headline`."""
        if data.clauses is not None:
            return headline(data, rest)
        decided = [c for c in data.cases if c.status is not Status.UNDECIDED]
        lines = [Line((c.where, *c.required), partial(case_text, c)) for c in decided]
        return f"{told(lines, rest)}\nelse: undecided" if lines else "else: undecided"

    def certificate(self, data: ConditionsData, budget: Budget) -> dict[str, Any]:
        """Question and cases as JSON for `symview verify`; of a view of numbers, whether it has the property."""
        query = query_about(data.views, data.assumed, budget.started())
        injective = self.claim == "injective"
        return of_strides(self, data, steps_to_collisions(query) if injective else ())

    def head(self) -> dict[str, Any]:
        """The view and the property, for JSON."""
        more: dict[str, Any] = {"dense": {"flips": self.flips}, "contiguous": {"order": list(self.order)}}
        return {"view": str(self.view), "question": self.claim, **more.get(self.claim, {})}


def _conditions(asked: Property, data: ConditionsData, budget: Budget, **more: Any) -> Conditions[View]:
    """The facade of an answer."""
    [view] = data.views
    return Conditions(HasProperty(view, asked, **more), data, budget.plain())
