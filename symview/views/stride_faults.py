"""Whether a view of numbers is dense, injective or contiguous, and if not, why."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product
from operator import add
from typing import Any, Literal

from symview.counterexample import Counterexample, Kind
from symview.engine import density
from symview.engine.index_map import extremes
from symview.errors import InputError
from symview.logic.budget import DEFAULT, Budget, as_budget
from symview.orders import read_order
from symview.view import View, address_of, as_view
from symview.view_entries import numbers

Property = Literal["dense", "injective", "contiguous"]


def is_dense(view: View | str, flips: bool = False) -> bool:
    """Whether a view of numbers is dense; see `dense_conditions`.

    >>> turned = View((3, 4), (4, -1), 3)
    >>> is_dense(View((3, 4), (1, 3))), is_dense(turned), is_dense(turned, flips=True)
    (True, False, True)
    """
    return density.is_dense(density.moving(*extent(as_view(view, "is_dense"), "is_dense")), flips)


def is_injective(view: View | str, budget: Budget | None = None) -> bool:
    """Whether no two indices of a view of numbers share an address. Exact; raises Undecided when the budget ends.

    >>> is_injective(View((2, 2, 2), (5, 6, 7))), is_injective(View((3, 2), (1, 2)))
    (True, False)
    """
    return density.is_injective(
        density.moving(*extent(as_view(view, "is_injective"), "is_injective")), as_budget(budget)
    )


def is_contiguous(view: View | str, order: Any = None) -> bool:
    """Whether a view of numbers is contiguous in an order of its dims; see `contiguous_conditions`.

    >>> is_contiguous(View((2, 1, 3), (3, 99, 1))), is_contiguous(View((2, 3), (1, 2)), "column_major")
    (True, True)
    """
    view = as_view(view, "is_contiguous")
    shape, strides = extent(view, "is_contiguous")
    dims = read_order(order, view.rank)
    return density.is_contiguous(density.moving([shape[d] for d in dims], [strides[d] for d in dims]))


def order_of(view: View | str) -> tuple[int, ...]:
    """The order of a dense view of numbers: its dims from the fastest to the slowest, XLA's minor-to-major.

    `View.in_order(view.shape, order)` has the same strides, except for dims of size 1.
    Raises InputError where the view is not dense.

    >>> order_of(View((2, 3, 4), (3, 1, 6)))
    (1, 0, 2)
    """
    view = as_view(view, "order_of")
    fault = fault_of(view, "dense", False, (), DEFAULT)
    if fault is not None:
        raise InputError(f"{view} has no order, since it is not dense: {fault}")
    return density.order_of(*extent(view, "order_of"))


def extent(view: View, what: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Sizes and strides of a view of numbers, shrunk to its mask."""
    numbers(view.entries(), what)
    if view.mask is None:
        return view.shape, view.strides
    shape = (0,) * max(view.rank, 1) if view.is_void() else tuple([high - low for low, high in view.bounds()])
    return shape, view.strides


def fault_of(
    view: View, question: Property, flips: bool, order: Sequence[int], budget: Budget
) -> Counterexample | None:
    """Why a view of numbers lacks the property; None if it has it."""
    shape, strides = extent(view, question)
    dims = density.moving(shape, strides)
    if question == "contiguous":
        return _fault_in_order(view, shape, strides, order)
    if density.is_dense(dims, flips) if question == "dense" else not dims:
        return None
    both = density.collision(shape, strides, budget.started())
    lows = [low for low, _ in view.bounds()]
    if both is not None:
        other, index = (tuple(map(add, lows, i)) for i in both)
        return Counterexample(Kind.OVERLAP, index, None, None, address_of(view, index), other=other)
    if question == "injective":
        return None
    if density.is_dense(dims, flips=True):
        axis = next(a for a, (n, t) in enumerate(zip(shape, strides, strict=True)) if n > 1 and t < 0)
        return Counterexample(Kind.STRIDE, _along(lows, axis), axis, -strides[axis], strides[axis])
    start = extremes(address_of(view, lows), strides, shape)[0]
    return Counterexample(Kind.GAP, (), None, start + density.first_gap(dims), None)


def _fault_in_order(
    view: View, shape: Sequence[int], strides: Sequence[int], order: Sequence[int]
) -> Counterexample | None:
    """The fastest dim whose stride is not the one that the order requires."""
    place = 1
    for dim in order if 0 not in shape else ():
        if shape[dim] != 1 and strides[dim] != place:
            lows = [low for low, _ in view.bounds()]
            return Counterexample(Kind.STRIDE, _along(lows, dim), dim, place, strides[dim])
        place *= shape[dim]
    return None


def _along(lows: Sequence[int], axis: int) -> tuple[int, ...]:
    """The second valid index along an axis."""
    return tuple([low + (a == axis) for a, low in enumerate(lows)])


def walked(view: View, question: Property, flips: bool, order: Sequence[int]) -> bool:
    """Whether the view has the property by definition: enumerates all addresses."""
    spans = [range(low, high) for low, high in view.bounds()]
    dims = order[::-1] if question == "contiguous" else range(view.rank)
    indices = product(*(spans[d] for d in dims)) if not view.is_void() else ()
    found = [address_of(view, _placed(i, dims)) for i in indices]
    if question == "contiguous":
        return all(b - a == 1 for a, b in pairwise(found))
    if len(set(found)) < len(found):
        return False
    if question == "injective" or not found:
        return True
    down = any(t < 0 and len(span) > 1 for t, span in zip(view.strides, spans, strict=True))
    return max(found) - min(found) + 1 == len(found) and (flips or not down)


def _placed(digits: Sequence[int], dims: Sequence[int]) -> list[int]:
    """The index that has these digits, each for the dim at the same place."""
    index = [0] * len(dims)
    for dim, digit in zip(dims, digits, strict=True):
        index[dim] = digit
    return index


def is_fault(view: View, fault: Counterexample) -> bool:
    """Whether the indices and the stride of a fault are as claimed."""
    if fault.kind is Kind.GAP:
        return True
    if fault.kind is Kind.OVERLAP:
        both = (fault.index, fault.other or ())
        return fault.index != fault.other and all(view.at(i) == fault.got for i in both)
    return fault.axis is not None and view.strides[fault.axis] == fault.got != fault.expected
