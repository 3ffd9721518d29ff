"""The addresses of one view: whether they are distinct, without gaps, or in the order of the dims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from typing import Any

from symview.answers import ConditionsData, Status
from symview.cases.conditions import Conditions
from symview.cases.query import query_about
from symview.cases.question import OfView
from symview.certificates import of_strides
from symview.counterexample import Counterexample
from symview.logic.budget import Budget, running
from symview.logic.terms import Term
from symview.orders import read_order
from symview.show.conditions import sentence_blocks
from symview.show.formulas import IN_PYTHON, Line, case_text, headline, listed
from symview.show.grid import Block
from symview.view import View, as_view
from symview.views.collisions import cases_by_collision, steps_to_collisions
from symview.views.extents import cases_by_density, cases_by_order
from symview.views.stride_faults import Property, fault_of, is_fault, walked

_WALKED = 4_000  # indices whose addresses are enumerated


def dense_conditions(
    view: View | str, flips: bool = False, assume: Any = (), budget: Budget | None = None
) -> Conditions[View]:
    """The exact, weakest condition under which a view is dense, that is, contiguous in some order of its dims.

    Claim: it is dense exactly if its addresses are an interval, no two indices share an address, and no stride is
    negative; with `flips`, strides may be negative: the view is dense after flipping those axes. Dims of size 1 do not
    count, a view without valid indices is dense, and only the indices inside a mask count. Sizes are positive, unless
    `assume` allows 0. The question is decided for any number of symbols, but the answer may be long: for r dims that
    may be in any order it has r! alternatives. If the budget ends before all orders were tried, those that were tried
    are sufficient.

    >>> print(dense_conditions(View.parse("(M,N):(p,q)")))
    (p = N and q = 1) or ((M = 1 or p = 1) and (N = 1 or q = M))
    >>> print(dense_conditions(View.parse("(4,n):(n,1)")))
    always
    """
    query = query_about((as_view(view, "dense_conditions"),), assume, running(budget))
    return _conditions("dense", cases_by_density(query, flips), query.budget, flips=flips)


def injective_conditions(view: View | str, assume: Any = (), budget: Budget | None = None) -> Conditions[View]:
    """The condition under which no two indices of a view have the same address.

    Exact for views of two dims, by the greatest common divisor of their strides; for more dims, if all but two sizes
    are small numbers, and one of the two strides is a multiple of the other, or of up to a quarter of it. Dims that are
    farther apart than all others reach do not count, two that are always contiguous count as one, and names with few
    values are enumerated. Otherwise a case is undecided, between a sufficient and a necessary condition; `holds` and
    `counterexample` decide it for numbers. For any number of dims the question is coNP-complete, even if all sizes are
    2 (whether subsets of numbers have distinct sums). Only the indices inside a mask count.

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

    `order`: as in `View.in_order`, the dims from the fastest to the slowest or the name of a format; None for
    row-major. Each stride has to be the product of the sizes of the faster dims, except for dims of size 1. The offset
    does not count, a view without valid indices is contiguous, and only the indices inside a mask count.
    Raises InputError for orders that are not a permutation.

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
class HasProperty(OfView):
    """The question whether one view is dense, injective or contiguous; `flips` and `order` refine it.

    >>> injective_conditions(View.parse("(2,2,n):(a,b,c)")).holds({"n": 2, "a": 5, "b": 6, "c": 7})
    True
    >>> print(dense_conditions(View.parse("(M,N):(p,q)")).counterexample())
    the indices (0,0) and (0,1) have the same address 0 with M = 1, N = 2, p = 0, q = 0
    >>> for example in dense_conditions(View.parse("(2,3):(p,q)")).examples(3):
    ...     print(example)
    p = 1, q = 2: (2,3):(1,2) is dense
    p = 4, q = 1: (2,3):(4,1) is not dense: no index has address 3, a gap between others
    p = 2, q = 2: (2,3):(2,2) is not dense: the indices (0,1) and (1,0) have the same address 2
    >>> dense_conditions(View((2, 3), (3, 1))).certificate()["claim"]["cases"][0]["status"]
    'always'
    """

    view: View
    claim: Property
    flips: bool = False
    order: tuple[int, ...] = ()

    @property
    def word(self) -> str:
        """The property as it is printed."""
        return "one-to-one" if self.claim == "injective" else self.claim

    @property
    def yes(self) -> str:
        """The statement that the conditions decide."""
        return f"the view is {self.word}"

    def __str__(self) -> str:
        return f"{self.view} is {self.word}"

    def again(self, assumed: Sequence[Term], budget: Budget) -> Conditions[View]:
        """The conditions under these assumptions."""
        if self.claim == "dense":
            return dense_conditions(self.view, self.flips, assumed, budget)
        if self.claim == "contiguous":
            return contiguous_conditions(self.view, self.order, assumed, budget)
        return injective_conditions(self.view, assumed, budget)

    def at(self, values: Mapping[str, int], budget: Budget) -> View | Counterexample:
        """The view of numbers if it has the property, or the reason why it does not."""
        view = self.view.with_values(values)
        fault = fault_of(view, self.claim, self.flips, self.order, budget)
        return view if fault is None else replace(fault, values=dict(values))

    def is_right(
        self, values: Mapping[str, int], found: View | Counterexample, stated: View | None, budget: Budget
    ) -> bool:
        """Whether enumerating all addresses, if they are few, confirms the answer, and the fault is a fault."""
        view, holds = self.view.with_values(values), isinstance(found, View)
        few = prod(high - low for low, high in view.bounds()) <= _WALKED
        if few and walked(view, self.claim, self.flips, self.order) != holds:
            return False
        return not isinstance(found, Counterexample) or is_fault(view, found)

    def example_text(self, answer: View | None, broken: Counterexample | None) -> str:
        """The statement that the view has the property, or why it does not."""
        return str(self) if broken is None else f"{self.view} is not {self.word}: {replace(broken, values={})}"

    def headline(self, data: ConditionsData, rest: str | None) -> str:
        """The conditions by cases; see `Conditions.headline`."""
        if data.clauses is not None:
            return headline(data, rest)
        decided = [c for c in data.cases if c.status is not Status.UNDECIDED]
        lines = [Line((c.where, *c.required), partial(case_text, c)) for c in decided]
        return f"{listed(lines, rest)}\nelse: undecided" if lines else "else: undecided"

    def blocks(self, conditions: Any, rest: str | None = IN_PYTHON) -> Iterable[Block]:
        """The condition as a sentence."""
        return sentence_blocks(conditions, self.word, f"not {self.word}", rest)

    def certificate(self, data: ConditionsData, budget: Budget) -> dict[str, Any]:
        """Question and cases as JSON for `symview verify`; for a view of numbers, whether it has the property."""
        query = query_about(data.views, data.assumed, budget.started())
        injective = self.claim == "injective"
        return of_strides(self, data, steps_to_collisions(query) if injective else ())

    def head(self) -> dict[str, Any]:
        """The view and the property, for JSON."""
        more: dict[str, Any] = {"dense": {"flips": self.flips}, "contiguous": {"order": list(self.order)}}
        return {"view": str(self.view), "question": self.claim, **more.get(self.claim, {})}


def _conditions(question: Property, data: ConditionsData, budget: Budget, **more: Any) -> Conditions[View]:
    """Wraps an answer as `Conditions`."""
    [view] = data.views
    return Conditions(HasProperty(view, question, **more), data, budget.plain())
