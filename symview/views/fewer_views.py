"""Chains of views as few views as can be found, and when two of them are equal."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from symview.certificates import document, view_of
from symview.displayed import Displayed
from symview.engine.view_chain import probes
from symview.errors import Undecided
from symview.logic.budget import Budget, running
from symview.view import View
from symview.views.chain_search import ChainSearch
from symview.views.chains import checked, equivalent, on_all_indices
from symview.views.digit_forms import canonical_form
from symview.views.two_views import merge_two

_HASHED = 8  # indices whose addresses make the hash
_MORE = "two views do, as for every function on a finite box; none of as few dims as these were found"


@dataclass(frozen=True, slots=True, eq=False)
class Simplified(Displayed):
    """Fewer views that mean the same. `minimal` only where it is proved that no fewer do; `why` says how.

    Equal to another where both mean the same, whichever views were found: by the canonical form where there is one
    (see `canonical`), else as `equivalent` finds. `==` raises Undecided where that stays open.

    >>> simplify(View((2, 4), (1, 2)), View((8,))) == simplify(View((2, 2, 2), (1, 4, 2)), View((8,)))
    True
    """

    views: tuple[View, ...]
    minimal: bool
    why: str
    chain: tuple[View, ...] = field(default=(), repr=False)  # that was asked about

    def canonical(self, budget: Budget | None = None) -> tuple[View, ...]:
        """The canonical form, one or two views; empty where the chain has none.

        One view where one does. Else, where the valid indices are a box: the view of the shortest shape in which
        addresses move evenly over that box in row-major order, then the contiguous view of the box. Chains that mean
        the same have the same one. Raises Undecided where the budget ends.

        >>> list(map(str, simplify(View((2, 4), (1, 2)), View((2, 4), (1, 2)), View((8,))).canonical()))
        ['(4,2):(1,4)', '(8):(1)']
        """
        return canonical_form(self.views, running(budget))

    def certificate(self) -> dict[str, Any]:
        """That both chains mean the same, and whether no fewer views do, as JSON for `symview verify`."""
        chains = ([view_of(v) for v in chain] for chain in (self.chain, self.views))
        question = dict(zip(("first", "second"), chains, strict=True))
        return document("chains", question, {"same": True, "minimal": self.minimal})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Simplified):
            return NotImplemented
        if self.views == other.views or self._some() != other._some():
            return self.views == other.views
        return self.canonical() == other.canonical() and (
            bool(self.canonical()) or bool(equivalent(self.views, other.views))
        )

    def __hash__(self) -> int:
        return hash(self._some())

    def _some(self) -> tuple[Any, ...]:
        """The shape, and a few addresses."""
        whole = on_all_indices(self.views)
        sizes = whole.box.sizes
        return sizes, *([] if 0 in sizes else map(whole.at, islice(probes(sizes), _HASHED)))

    def __str__(self) -> str:
        return "; ".join(map(str, self.views))


def simplify(*views: View | str, budget: Budget | None = None) -> Simplified:
    """As few views as can be found that mean the same as the chain; the first lays out memory.

    Every window of neighbours is tested for being one view, also on the indices alone that the whole chain uses; then
    windows in a finer shape, and the whole chain as a view of a finer shape and a reshape. Two views are minimal where
    no single one does. More than two never are: any partial function on a finite box is two views, of an outer shape
    with as many dims as it takes; those are taken where the dims are no more than those of the views they replace.

    >>> print(simplify(View((2, 4), (1, 2)), View((2, 4), (1, 2)), View((8,), (1,))))
    (2,2,2):(2,1,4); (8):(1)
    >>> simplify(View((2, 2), (1, 2)), View((4,)), View((2, 2))).minimal
    True
    """
    budget = running(budget)
    chain = checked(views)
    found, minimal, why = _minimality(tuple(ChainSearch(budget).fewest(chain)), budget)
    return Simplified(found, minimal, why, tuple(chain))


def _minimality(chain: tuple[View, ...], budget: Budget) -> tuple[tuple[View, ...], bool, str]:
    """The views, one where these are so after all, whether it is proved that no fewer do, and why or why not."""
    if len(chain) == 1:
        return chain, True, "one view is the least"
    if len(chain) > 2:
        return chain, False, _MORE
    try:
        merged = merge_two(chain[0], chain[1], budget)
    except Undecided as stop:
        return chain, False, f"whether one view does is undecided: {stop.reason}"
    if isinstance(merged, View):
        return _minimality((merged,), budget)
    return chain, True, f"no single view does: {merged}"
