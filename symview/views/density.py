"""Where the elements of one view lie: each at an address of its own, without gaps, in an order of the dims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from symview.answers import ConditionsData, Exact, Status, TooStrong, TooWeak
from symview.cases.query import query_about
from symview.certificates import of_strides
from symview.errors import InputError, Undecided
from symview.logic.budget import Budget, running
from symview.logic.notation import term_text
from symview.logic.sympy_bridge import free_symbols, to_term
from symview.logic.terms import nonzero_divisors
from symview.orders import read_order
from symview.show.formulas import Line, case_text, headline, told
from symview.show.grid import Block
from symview.show.smtlib import script
from symview.view import View, as_view
from symview.views.by_collision import cases_by_collision, steps_to_collisions
from symview.views.counterexamples import Search
from symview.views.extents import cases_by_density, cases_by_order
from symview.views.facade import Conditions
from symview.views.stride_examples import StrideExample, stride_examples, walked
from symview.views.stride_faults import Property, StrideFault, fault_of


def dense_conditions(
    view: View | str, flips: bool = False, assume: Any = (), budget: Budget | None = None
) -> StrideConditions:
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


def injective_conditions(view: View | str, assume: Any = (), budget: Budget | None = None) -> StrideConditions:
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
) -> StrideConditions:
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
class StrideConditionsData(ConditionsData):
    """Conditions under which the one view has the property; `order` and `flips` as they were asked for."""

    question: Property = "dense"
    flips: bool = False
    order: tuple[int, ...] = ()


@dataclass(frozen=True, repr=False)
class StrideConditions(Conditions):
    """The conditions under which one view is dense, injective or contiguous, as `data.question` says.

    What a case leaves undecided, `holds` and `counterexample` decide for numbers.

    >>> injective_conditions(View.parse("(2,2,n):(a,b,c)")).holds({"n": 2, "a": 5, "b": 6, "c": 7})
    True
    """

    data: StrideConditionsData

    def _blocks(self) -> Iterable[Block]:
        return [str(self)]

    def headline(self, rest: str | None = None) -> str:
        """What holds where; see `Conditions.headline`."""
        if self.clauses is not None:
            return headline(self.data, rest)
        settled = [c for c in self.data.cases if c.status is not Status.UNDECIDED]
        lines = [Line((c.where, *c.required), partial(case_text, c)) for c in settled]
        return f"{told(lines, rest)}\nelse: undecided" if lines else "else: undecided"

    def __repr__(self) -> str:
        return f"<StrideConditions {self.outer} {self.data.question}: {'; '.join(str(self).splitlines())}>"

    def _holds_at(self, given: Mapping[str, int]) -> bool:
        return self._fault(given) is None

    def compare(self, guard: Any) -> Exact | TooStrong | TooWeak:
        """What a guard, as text or sympy, is beside the condition; see `Conditions.compare`."""
        return replace(Conditions.compare(self, guard), outcome=f"the view is {self.data.question}")

    def counterexample(self, values: Mapping[Any, int] | None = None) -> StrideFault | None:
        """The smallest values at which the view lacks the property, and why; None where it never does.

        Sizes come first, then strides by the sum of their absolute values. With `values`, all symbols are given.

        >>> print(dense_conditions(View.parse("(M,N):(p,q)")).counterexample())
        the indices (0,0) and (0,1) have the same address 0 with M = 1, N = 2, p = 0, q = 0
        """
        if values is not None:
            return self._fault(self._values(values))
        refused = [c.where for c in self.data.cases if c.status is Status.NEVER]
        sizes = list(free_symbols(self.outer.shape))
        given = nonzero_divisors(to_term(x) for x in self.outer.entries())
        running = replace(self, budget=self.budget.started())
        search = Search(tuple(self.symbols()), given, running.budget, running._fault)
        found = next((f for w in refused if (f := search.smallest([*self.facts, w], sizes)) is not None), None)
        left = next((c.reason for c in self.data.cases if c.status is Status.UNDECIDED), "")
        if found is None and left:
            raise Undecided(f"no values were found at which the view is not {self.data.question}: {left}")
        return replace(found, smallest=False) if found is not None and left else found

    def examples(self, n: int = 10) -> tuple[StrideExample, ...]:  # type: ignore[override]
        """Up to n examples for tests: values at which the view has the property, and at which not, for each condition.

        As `Conditions.examples`; each was replayed by walking the addresses, where these are few. `counterexample` says
        why not, with two indices where they have one address.

        >>> for example in dense_conditions(View.parse("(2,3):(p,q)")).examples(3):
        ...     print(example)
        p = 1, q = 2: (2,3):(1,2) is dense
        p = 4, q = 1: (2,3):(4,1) is not dense: no index has address 3, between others
        p = 2, q = 2: (2,3):(2,2) is not dense: the indices (0,1) and (1,0) have the same address 2
        """
        asked, running = self.data, replace(self, budget=self.budget.started())
        return stride_examples(
            asked,
            n,
            running.budget,
            running.example,
            lambda view: walked(view, asked.question, asked.flips, asked.order),
        )

    def example(self, values: Mapping[Any, int]) -> StrideExample:
        """Whether the view has the property at these values of all symbols, and why not."""
        given = self._values(values)
        fault = self._fault(given)
        return StrideExample(given, self.outer.with_values(given), self.data.question, fault)

    def _fault(self, values: Mapping[str, int]) -> StrideFault | None:
        missing = [n for n in self.symbols() if n not in values]
        if missing:
            raise InputError(f"no value for {', '.join(missing)}: give every symbol, or none")
        view, asked = self.outer.with_values(values), self.data
        found = fault_of(view, asked.question, asked.flips, asked.order, self.budget)
        return None if found is None else replace(found, values=dict(values))

    def to_smt2(self) -> str:
        """SMT-LIB: what has to hold for the cases, worked out by the checker; see `Conditions.to_smt2`."""
        return script(f"{self.outer} is {self.data.question}", self.certificate(), self.budget)

    def certificate(self) -> dict[str, Any]:
        """Question and cases as JSON for `symview verify`; of a view of numbers, whether it has the property.

        >>> dense_conditions(View((2, 3), (3, 1))).certificate()["answer"]["cases"][0]["status"]
        'always'
        """
        query = query_about(self.data.views, self.data.assumed, self.budget.started())
        return of_strides(self.data, steps_to_collisions(query) if self.data.question == "injective" else ())

    def to_dict(self) -> dict[str, Any]:
        """The answer for JSON."""
        data = self.data
        parts: dict[str, dict[str, Any]] = {"dense": {"flips": data.flips}, "contiguous": {"order": list(data.order)}}
        asked = parts.get(data.question, {})
        return {
            "view": str(self.outer), "question": data.question, **asked, "headline": self.headline(),
            **({} if self.clauses is None else {"clauses": [term_text(c) for c in self.clauses]}),
            "cases": [
                {"where": term_text(c.where), "status": str(c.status), "reason": c.reason} for c in data.cases
            ],
        }  # fmt: skip


def _conditions(question: Property, data: ConditionsData, budget: Budget, **asked: Any) -> StrideConditions:
    """The facade of an answer."""
    found = StrideConditionsData(
        data.views, data.cases, data.assumed, data.facts, data.clauses, question=question, **asked
    )
    return StrideConditions(found, budget.plain())
