"""Reshape without moving data: merging with a contiguous view."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from symview.answers import AffineView, CaseData, ConditionsData
from symview.cases.conditions import Conditions
from symview.cases.query import Query, query_about
from symview.cases.simplify.cases import with_summary
from symview.counterexample import Counterexample
from symview.engine.decide import digits_of
from symview.engine.radix import boundaries
from symview.errors import InputError, SymbolError
from symview.logic.budget import Budget, running
from symview.logic.sympy_bridge import is_number
from symview.view import View, as_view, by_columns, is_fortran, reshaped, sizes_for, target_shape
from symview.view_entries import numbers
from symview.views.merging import merge
from symview.views.question import merge_conditions, settled
from symview.views.reshape_cases import cases_by_reshape, is_hole


def reshape(
    view: View | str, shape: Sequence[Any] | str, budget: Budget | None = None, order: str = "C"
) -> View | Counterexample | Conditions[View]:
    """The view of the new shape with the same elements in row-major order, or an index where every one fails.

    `order`: "F" for the same elements in column-major order, as in numpy; for another order of dims permute the view.

    Exact and complete for every concrete view, masks and zero strides included. One size may be -1. If it is refused,
    `why_not` names the dims that would have to be contiguous. With symbols, it is a view or a counterexample if the
    answer is the same for all their values, else the conditions, as of `reshape_conditions`, which takes assumptions.
    Raises InputError where the sizes differ.
    Source: "Criteria and proof for when a new view must be appended" (P. Schillinger, 2024),
    sections 2 and 3, without its assumptions on sizes and strides.

    >>> reshape(View((4, 6), (6, 1)), (2, 2, 6))
    View((2, 2, 6), (12, 6, 1))
    >>> reshape(View((4, 6), (1, 4)), (24,))
    Counterexample('addresses disagree', (6,), axis=0, expected=24, got=1)
    >>> print(reshape("(n,4)", "(4*n)"), reshape("(n,4):(a,b)", "(4*n)"), sep="; ")
    (4*n):(1); n = 1 or a = 4*b
    >>> print(reshape("(2,3):(1,2)", "(3,2)", order="F"))
    (3,2):(1,3)
    """
    view = as_view(view, "reshape")
    with suppress(SymbolError):
        target = target_shape(view, shape)
        if is_fortran(order):
            return merge(by_columns(view), _columns(target), budget=budget)
        return reshaped(view, target, budget)
    return settled(reshape_conditions(view, shape, budget=budget, order=order))


def reshape_conditions(
    view: View | str, shape: Sequence[Any] | str, assume: Any = (), budget: Budget | None = None, order: str = "C"
) -> Conditions[View]:
    """The exact, weakest condition under which one view has the new shape; `order` as for `reshape`.

    Sizes and strides of either shape may be symbols; one new size may be -1. Sizes, and the names in them, are positive
    unless `assume` only says that they are not negative. The condition includes that the sizes agree, and that -1
    stands for a whole number.
    Raises InputError where the sizes can never agree.

    >>> print(reshape_conditions(View.parse("(4,6):(a,b)"), (24,)))
    a = 6*b
    >>> print(reshape_conditions(View.parse("(B,S,D):(t0,t1,t2)"), View.parse("(B*S,D)").shape))
    B = 1 or S = 1 or t0 = S*t1
    """
    if not is_fortran(order):
        return _conditions(view, shape, assume, budget, stated=False)
    view = as_view(view, "reshape_conditions")
    found = _conditions(by_columns(view), sizes_for(shape, view)[::-1], assume, budget, stated=False)
    data, rank = found.data, found.inner.rank
    worked_out = None if data.worked_out is None else rank - 1 - data.worked_out
    cases = tuple([_turned_case(c) for c in data.cases])
    views = (data.views[0], _columns(data.views[1].shape[::-1]))
    return merge_conditions(replace(data, views=views, cases=cases, worked_out=worked_out), found.budget)


def _columns(shape: Sequence[Any]) -> View:
    return View.in_order(shape, "column_major")


def _turned_case(case: CaseData) -> CaseData:
    """The case with the dims of its view and of its witnesses in reversed order."""
    view = case.view
    if view is not None:
        mask = view.mask[::-1] if isinstance(view.mask, tuple) else view.mask
        view = AffineView(view.shape[::-1], view.strides[::-1], view.offset, mask)
    witnesses = [replace(w, index=w.index[::-1], axis=len(w.index) - 1 - w.axis) for w in case.witnesses]
    return replace(case, view=view, witnesses=tuple(witnesses))


def reshape_conditions_given(
    view: View | str, shape: Sequence[Any] | str, facts: Any, budget: Budget | None = None
) -> Conditions[View]:
    """`reshape_conditions`, but every size may be 0 unless the facts exclude it.

    >>> print(reshape_conditions_given(View.parse("(B,S):(t0,t1)"), View.parse("(B*S)").shape, "S >= 1"))
    B ≤ 1 or S = 1 or t0 = S*t1
    """
    return _conditions(view, shape, facts, budget, stated=True)


def _conditions(
    view: View | str, shape: Sequence[Any] | str, assume: Any, budget: Budget | None, stated: bool
) -> Conditions[View]:
    view = as_view(view, "reshape_conditions")
    sizes = sizes_for(shape, view)
    if all(map(is_number, (*view.shape, *sizes))):
        from symview.views.conditions import conditions  # slow to load

        return conditions(view, View(target_shape(view, sizes)), assume=assume, budget=budget)
    budget = running(budget)
    query = query_about((view,), assume, budget, [n for n in sizes if not is_hole(n)], stated)
    return merge_conditions(with_summary(query, cases_by_reshape(query, sizes, _answer)), budget)


def _answer(query: Query) -> ConditionsData:
    """The answer to a part of the question that is none about sizes."""
    from symview.views.conditions import answer  # slow to load

    return answer(query)


def max_merge_view(view: View | str) -> View:
    """The view of fewest dims, without a mask, that lists the same addresses in row-major order.

    Merges neighbouring dims as long as one stride is the other times its size, and drops dims of size 1. Source:
    "Criteria and proof …" (P. Schillinger, 2024), the max merge view.
    Raises SymbolError for symbolic views, InputError for masked ones.

    >>> str(max_merge_view(View((2, 3, 1, 4), (12, 4, 7, 1), 5)))
    '(24):(1)+5'
    """
    view = as_view(view, "max_merge_view")
    numbers(view.entries(), "max_merge_view")
    if view.mask is not None:
        raise InputError(f"max_merge_view of {view}: leave the mask out")
    if 0 in view.shape:
        return View((0,))
    shape: list[int] = []
    strides: list[int] = []
    for size, stride in zip(view.shape, view.strides, strict=True):
        if size == 1:
            continue
        if shape and strides[-1] == size * stride:
            shape[-1], strides[-1] = shape[-1] * size, stride
        else:
            shape.append(size)
            strides.append(stride)
    return View(shape, strides, view.offset)


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A place value at which the old view is not contiguous and the new shape has no boundary.

    `dims` are the two old dims that would have to be contiguous: stride `stride` would have to
    be `needed`.
    """

    place: int
    dims: tuple[int, int]
    stride: int
    needed: int

    def __str__(self) -> str:
        outer, inner = self.dims
        return (
            f"dims {outer} and {inner} are not contiguous: "
            f"stride {outer} is {self.stride}, but would have to be {self.needed}"
        )


def why_not(view: View | str, shape: Sequence[Any] | str) -> tuple[Obstacle, ...]:
    """The obstacles to a reshape of an unmasked view; empty if the reshape is possible.

    Claim: it is possible exactly if every place value between 1 and the size at which the view is
    not contiguous is a place value of the new shape.

    >>> print(why_not(View((4, 6), (1, 4)), (24,))[0])
    dims 0 and 1 are not contiguous: stride 0 is 1, but would have to be 24
    """
    view = as_view(view, "why_not")
    target = numbers(target_shape(view, shape), "why_not")
    numbers(view.entries(), "why_not")
    if view.mask is not None:
        raise InputError(f"why_not of {view}: masks are not explained; ask reshape for its counterexample")
    if 0 in view.shape:
        return ()
    kept = [a for a, n in enumerate(view.shape) if n != 1]
    digits = digits_of(view.shape, view.strides)
    free = set(boundaries(target))
    found = []
    for n, (place, defect) in enumerate(zip(digits.places, digits.defects, strict=True)):
        if defect and place not in free:
            outer, inner = kept[n], kept[n + 1]
            stride = view.strides[outer]
            found.append(Obstacle(place, (outer, inner), stride, stride - defect))
    return tuple(found)
