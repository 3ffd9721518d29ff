"""Whether a view of numbers is dense, injective or contiguous, and why not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import add
from typing import Any, Literal

from symview.answers import Counterexample, Kind, values_text
from symview.engine import density
from symview.engine.index_map import extremes, index_text
from symview.errors import InputError, NotSupported
from symview.logic.budget import DEFAULT, Budget, asked
from symview.orders import read_order
from symview.view import View, address_of, as_view
from symview.view_entries import numbers

Property = Literal["dense", "injective", "contiguous"]
NO_CERTIFICATE = "a certificate of a fault is that of the conditions: dense_conditions(view).certificate()"


@dataclass(frozen=True, slots=True, repr=False)
class StrideFault(Counterexample):
    """Why a view is not dense, injective or contiguous; falsy.

    By its kind: `index` has the address `got`, as `other` has; no index has the address `expected`, though smaller and
    larger ones are reached; or the dim `axis` has the stride `got`, and `expected` is needed.
    """

    other: tuple[int, ...] | None = None

    def __str__(self) -> str:
        note = "" if not self.values else f" with {values_text(self.values)}"
        if self.kind is Kind.OVERLAP:
            both = f"{index_text(self.other or ())} and {index_text(self.index)}"
            return f"the indices {both} have the same address {self.got}{note}"
        if self.kind is Kind.GAP:
            return f"no index has address {self.expected}, between others{note}"
        return f"dim {self.axis} has stride {self.got}, and {self.expected} is needed{note}"

    def __repr__(self) -> str:
        return f"<StrideFault {self}>"

    __hash__ = Counterexample.__hash__

    def to_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {**Counterexample.to_dict(self), "other": None if self.other is None else list(self.other)}

    def certificate(self, *views: View) -> dict[str, Any]:
        """There is none of this kind."""
        raise NotSupported(NO_CERTIFICATE)


def is_dense(view: View | str, flips: bool = False) -> bool:
    """Whether a view of numbers is dense; see `dense_conditions`.

    >>> turned = View((3, 4), (4, -1), 3)
    >>> is_dense(View((3, 4), (1, 3))), is_dense(turned), is_dense(turned, flips=True)
    (True, False, True)
    """
    return density.is_dense(density.moving(*extent(as_view(view, "is_dense"), "is_dense")), flips)


def is_injective(view: View | str, budget: Budget | None = None) -> bool:
    """Whether no two indices of a view of numbers have one address. Exact; raises Undecided when the budget ends.

    >>> is_injective(View((2, 2, 2), (5, 6, 7))), is_injective(View((3, 2), (1, 2)))
    (True, False)
    """
    return density.is_injective(density.moving(*extent(as_view(view, "is_injective"), "is_injective")), asked(budget))


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

    `View.in_order(view.shape, order)` has the same strides, but for those of dims of size 1.
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
    """Sizes and strides of a view of numbers, where the mask has shrunk it."""
    numbers(view.entries(), what)
    if view.mask is None:
        return view.shape, view.strides
    shape = (0,) * max(view.rank, 1) if view.is_void() else tuple([high - low for low, high in view.bounds()])
    return shape, view.strides


def fault_of(view: View, question: Property, flips: bool, order: Sequence[int], budget: Budget) -> StrideFault | None:
    """Why a view of numbers lacks the property; None where it has it."""
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
        return StrideFault(Kind.OVERLAP, index, None, None, address_of(view, index), other=other)
    if question == "injective":
        return None
    if density.is_dense(dims, flips=True):
        axis = next(a for a, (n, t) in enumerate(zip(shape, strides, strict=True)) if n > 1 and t < 0)
        return StrideFault(Kind.STRIDE, _along(lows, axis), axis, -strides[axis], strides[axis])
    start = extremes(address_of(view, lows), strides, shape)[0]
    return StrideFault(Kind.GAP, (), None, start + density.first_gap(dims), None)


def _fault_in_order(
    view: View, shape: Sequence[int], strides: Sequence[int], order: Sequence[int]
) -> StrideFault | None:
    """The fastest dim of another stride than the order gives it."""
    place = 1
    for dim in order if 0 not in shape else ():
        if shape[dim] != 1 and strides[dim] != place:
            lows = [low for low, _ in view.bounds()]
            return StrideFault(Kind.STRIDE, _along(lows, dim), dim, place, strides[dim])
        place *= shape[dim]
    return None


def _along(lows: Sequence[int], axis: int) -> tuple[int, ...]:
    """The second valid index along an axis."""
    return tuple([low + (a == axis) for a, low in enumerate(lows)])
