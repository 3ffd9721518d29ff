"""Do views of numbers merge, and into which view?"""

from __future__ import annotations

from collections.abc import Sequence

from symview.answers import Status
from symview.counterexample import Counterexample
from symview.errors import OutOfBounds, SymbolError, Undecided
from symview.logic.budget import Budget, as_budget
from symview.view import View, as_views
from symview.views.chains import merge_chain
from symview.views.two_views import merge_two


def merge(
    outer: View | str, inner: View | str, *more: View | str, budget: Budget | None = None
) -> View | Counterexample:
    """The single view that equals the composition outer ∘ unravel ∘ inner ∘ …, or the index where every one fails.

    Exact for concrete views of any size, offset, sign and mask, and for chains of them. The answer is a View (truthy),
    with strides f(e_j) − f(0), or a Counterexample (falsy), whose smallest index is computed only when it is read. A
    solver is loaded only if overflows cancel on an inner box too large to enumerate, modulo place values above 2^20, or
    to search the valid points of a mask or a chain.
    Views with symbols have an answer if it is the same for all their values, sizes being positive.
    Raises SymbolError where it depends on values (see `conditions`), OutOfBounds where the inner
    view leaves the outer shape, Undecided where the budget ends.
    Source: Theorem 10 of "Merging tensor views" (N. uit de Bos, 2025).

    >>> merge(View((10, 3, 3), (9, 3, 1)), View((4,), (4,)))
    View((4,), (4,))
    >>> merge(View((10, 3, 3), (1, 1, 1)), View((4,), (4,)))
    Counterexample('addresses disagree', (3,), axis=0, expected=6, got=2)
    >>> print(merge(View.parse("(n,4):(a,b)"), View.parse("(4,n):(1,4)")))
    (4,n):(b,a)
    """
    views = as_views((outer, inner, *more), "merge")
    if not all(map(View.is_numeric, views)):
        return _for_all_values(views, budget)
    return merge_chain(views, budget) if more else merge_two(views[0], views[1], as_budget(budget))


def _for_all_values(views: Sequence[View], budget: Budget | None) -> View | Counterexample:
    """The answer for views with symbols, if it is the same for all values; raises SymbolError if it depends on them."""
    from symview.views.conditions import conditions  # loads conditions: numbers need none
    from symview.views.question import settled  # loads conditions

    found = conditions(views[0], views[1], *views[2:], budget=budget)
    if isinstance(one := settled(found), (View, Counterexample)):
        return one
    status = {c.status for c in found.cases}
    if status == {Status.OUT_OF_BOUNDS}:
        raise OutOfBounds("an address is outside the outer shape, whatever the symbols are: change strides or offset")
    if Status.UNDECIDED in status and len(status) == 1:
        raise Undecided(found.cases[0].reason)
    name = next(iter(found.symbols()))
    raise SymbolError(
        f"merge needs numbers, or one answer for all values, and {name} is symbolic: "
        "ask symview.conditions, or substitute numbers"
    )
