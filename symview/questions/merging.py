"""Do views of numbers merge, and into which view?"""

from __future__ import annotations

from symview.answers import Counterexample
from symview.errors import SymbolError
from symview.logic.budget import DEFAULT, Budget
from symview.logic.sympy_bridge import free_symbols
from symview.questions.chains import merge_chain
from symview.questions.two_views import merge_two
from symview.symbolic.facts import check_views
from symview.view import View


def merge(outer: View, inner: View, *more: View, budget: Budget | None = None) -> View | Counterexample:
    """The one view that is the composition outer ∘ unravel ∘ inner ∘ …, or where it breaks.

    Exact for concrete views of any size, offset, sign and mask, and for chains of them. No solver
    is loaded unless carries cancel on an inner box too large to enumerate, modulo place values
    above 2^20, or a mask or a chain leaves points to be found. The answer is a View (truthy), with
    strides f(e_j) − f(0), or a Counterexample (falsy), whose smallest index is searched for when
    it is asked for.
    Raises SymbolError for symbolic views (see `conditions`), OutOfBounds where the inner view
    leaves the outer shape, Undecided where the budget ends.
    Source: Theorem 10 of "Merging tensor views" (N. uit de Bos, 2025).

    >>> merge(View((10, 3, 3), (9, 3, 1)), View((4,), (4,)))
    View((4,), (4,))
    >>> merge(View((10, 3, 3), (1, 1, 1)), View((4,), (4,)))
    Counterexample('addresses disagree', (3,), axis=0, expected=6, got=2)
    """
    if more:
        return merge_chain((outer, inner, *more), budget)
    check_views((outer, inner), "merge")
    if not (outer.is_numeric() and inner.is_numeric()):
        symbol = next(iter(free_symbols([*outer.entries(), *inner.entries()])))
        raise SymbolError(f"merge needs numbers, and {symbol} is symbolic: ask conditions(outer, inner), or substitute")
    return merge_two(outer, inner, budget or DEFAULT)
