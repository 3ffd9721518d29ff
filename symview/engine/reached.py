"""Which digits of its views the valid indices of a chain reach: the context in which each view is used."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import prod

from symview.engine import presburger
from symview.engine.index_map import Index
from symview.engine.radix import unravel
from symview.engine.valid_box import FEW
from symview.engine.view_chain import Form, ViewChain, probes
from symview.errors import Undecided
from symview.logic.budget import DEFAULT, Budget
from symview.logic.points import least_by_halving

Box = tuple[tuple[int, int], ...]  # half-open bounds, one pair a dim


def reached(chain: ViewChain, budget: Budget = DEFAULT) -> list[Box] | None:
    """Per level the least box that holds every digit which a valid index of the chain's box meets; None without one.

    Exact for boxes that are walked. For larger ones a box may be larger than the least where the budget ends.

    >>> from symview.engine.index_map import IndexMap
    >>> from symview.engine.view_chain import Level
    >>> levels = Level((4,), (1,), 0, ((1, 4),)), Level((2, 2), (2, 1), 0, ((0, 2), (0, 2)))
    >>> reached(ViewChain(levels, IndexMap((2, 2), (2, 1), 0)))
    [((1, 4),), ((0, 2), (0, 2))]
    """
    budget = budget.started()
    if prod(chain.box.sizes) <= FEW:
        met = [d for d in (_digits(chain, i) for i in product(*map(range, chain.box.sizes))) if d is not None]
        return _hull(met) if met else None
    first = presburger.point(chain.system(chain.valid_forms), budget)
    if first is None:
        return None
    seen = [d for d in (_digits(chain, i) for i in (first, *probes(chain.box.sizes))) if d is not None]
    ends = _Ends(chain, seen, budget)
    return [tuple([ends.of(level, axis) for axis in range(len(v.shape))]) for level, v in enumerate(chain.levels)]


def _digits(chain: ViewChain, index: Sequence[int]) -> list[Index] | None:
    """The digits of every level at an index; None where it is not valid."""
    address, found = chain.box.at(index), list[Index]()
    for level in reversed(chain.levels):
        digits = unravel(address, level.shape)
        if level.void or any(not low <= d < high for d, (low, high) in zip(digits, level.bounds, strict=True)):
            return None
        found.append(digits)
        address = level.offset + sum(d * t for d, t in zip(digits, level.strides, strict=True))
    return found[::-1]


def _hull(met: Sequence[Sequence[Index]]) -> list[Box]:
    return [
        tuple([(min(column), max(column) + 1) for column in zip(*digits, strict=True)])
        for digits in zip(*met, strict=True)
    ]


class _Ends:
    """The bounds of digits over all valid indices, by halving from indices that were met."""

    def __init__(self, chain: ViewChain, seen: list[list[Index]], budget: Budget) -> None:
        self.chain, self.seen, self.budget = chain, seen, budget

    def of(self, level: int, axis: int) -> tuple[int, int]:
        """The bounds of one digit; the whole dim at an end where the budget ends."""
        form, size = self.chain.digits[-1 - level][axis], self.chain.levels[level].shape[axis]
        if form is None:
            return (0, 1)
        mirrored = form.negative().shifted(size)
        low = self._least(form, lambda met: met[level][axis])
        high = self._least(mirrored, lambda met: size - 1 - met[level][axis])
        return low, size - high

    def _least(self, form: Form, value: Callable[[list[Index]], int]) -> int:
        """The least value of a form, which a met index has as `value` says; 0 where the budget ends."""

        def found(most: int) -> list[Index] | None:
            at_most = form.negative().shifted(most + 1)
            index = presburger.point(self.chain.system([*self.chain.valid_forms, at_most]), self.budget)
            digits = None if index is None else _digits(self.chain, index)
            self.seen += [] if digits is None else [digits]
            return digits

        try:
            return value(least_by_halving(min(self.seen, key=value), value, found))
        except Undecided:
            return 0
