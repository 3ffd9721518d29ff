"""Do two views merge, and under which conditions on their strides?"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from symview.answers import Case, Conditions, Counterexample, Deferred, Kind, Status
from symview.engine import radix
from symview.engine.decide import Broken, decide, digits_of, smallest_violation, strides_of
from symview.engine.overflow_space import Engine, find_rows, search_rows
from symview.engine.valid_box import NotABox, Region, Window, smallest_witness, valid_box, windows_of
from symview.engine.view_chain import NestRows
from symview.errors import InputError, InternalError, SymbolError, Undecided
from symview.logic.budget import DEFAULT, Budget
from symview.logic.sympy_bridge import free_symbols
from symview.symbolic.facts import address_map, assumptions, check_views, numeric_outer, open_region
from symview.view import View, compose_at, on_box

if TYPE_CHECKING:
    from symview.symbolic.case_builder import Settler

ENGINES = ("auto", "enumerate", "smt")


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
        from symview.questions.chains import merge_chain

        return merge_chain((outer, inner, *more), budget)
    check_views((outer, inner), "merge")
    if not (outer.is_numeric() and inner.is_numeric()):
        symbol = next(iter(free_symbols([*outer.entries(), *inner.entries()])))
        raise SymbolError(f"merge needs numbers, and {symbol} is symbolic: ask conditions(outer, inner), or substitute")
    budget = (budget or DEFAULT).started()
    if outer.mask is None and inner.mask is None:
        region = Region((0,) * inner.rank, address_map(inner))
    else:
        found = valid_region(outer, inner, budget)
        if not isinstance(found, Region):
            return found
        region = found
    return _merge_on(outer, inner, region, budget)


def valid_region(outer: View, inner: View, budget: Budget) -> Region | View | Counterexample:
    """Where the composition of numeric views is valid: a box, or nowhere (the empty view), or no box."""
    if inner.is_void():
        return _nothing(inner)
    region = open_region(inner, prod(outer.shape))
    if outer.is_void():
        return _nothing(inner)
    windows = windows_of(outer.shape, outer.bounds())
    found = valid_box(region, windows, budget)
    if isinstance(found, NotABox):
        shape = found
        kind = Kind.INVALID if shape.side == "inside" else Kind.VALID
        return Deferred(kind, lambda: _misplaced(outer, inner, kind, shape, region, windows, budget))
    return _nothing(inner) if found is None else found


def lowest_valid(views: Sequence[View], budget: Budget | None = None) -> Sequence[int] | None:
    """The low corner of the box of valid indices of two views of numbers; None where that is not known."""
    if len(views) != 2:
        return None
    try:
        region = valid_region(views[0], views[1], budget or DEFAULT)
    except Undecided:
        return None
    return region.lows if isinstance(region, Region) else None


def _nothing(inner: View) -> View:
    return View(inner.shape, (0,) * inner.rank) if 0 in inner.shape else View.empty(inner.shape)


def _misplaced(
    outer: View, inner: View, kind: Kind, found: NotABox, region: Region, windows: list[Window], budget: Budget
) -> Counterexample:
    """The smallest index at which validity is not that of a box, replayed on the definition."""
    try:
        index, proved = smallest_witness(found, region, windows, budget), True
    except Undecided:
        index, proved = found.witness, False
    got = compose_at(outer, inner, index=index)
    if (got is None) != (kind is Kind.INVALID):
        raise InternalError(f"counterexample {index} of {outer} then {inner} does not replay")
    return Counterexample(kind, index, None, None, got, proved)


def _merge_on(outer: View, inner: View, region: Region, budget: Budget) -> View | Counterexample:
    """The merged view on a box of valid indices, outside of which nothing matters."""
    found = decide(outer.shape, outer.strides, region.box, budget)
    if isinstance(found, Broken):
        broken = found
        return Deferred(Kind.DISAGREE, lambda: _disagreement(outer, region, broken, budget))
    if inner.mask is None and outer.mask is None:
        return View(inner.shape, found.steps, 0 if 0 in inner.shape else outer.offset + found.start)
    return on_box(inner.shape, region.lows, region.box.sizes, found.steps, outer.offset + found.start)


def _disagreement(outer: View, region: Region, broken: Broken, budget: Budget) -> Counterexample:
    """The smallest index at which a broken merge disagrees, replayed on the definition."""
    box = region.box
    index, proved = smallest_violation(broken.carries, box.sizes, broken.defects, broken.witness, budget)
    axis = max(a for a, i in enumerate(index) if i)
    linear = strides_of(digits_of(outer.shape, outer.strides), box)
    expected = outer.offset + linear.start + sum(i * t for i, t in zip(index, linear.steps, strict=True))
    got = outer.at(radix.unravel(box.at(index), outer.shape))
    if got is None or got == expected:
        raise InternalError(f"counterexample {index} of {outer} does not replay")
    return Counterexample(Kind.DISAGREE, region.original(index), axis, expected, got, proved)


def conditions(
    outer: View,
    inner: View,
    *more: View,
    assume: Any = (),
    engine: Engine = "auto",
    budget: Budget | None = None,
) -> Conditions:
    """The exact, weakest conditions on symbolic strides under which the two views merge.

    Overflow patterns become constraints on the strides, and these become equations: primitive
    rows in reduced echelon form over the contiguity defects. Z3 confirms that equations and
    constraints imply each other. The outer strides and offset may be symbolic, and the sizes of
    the inner view, also as expressions; `assume` holds sympy relations or text about the symbols.
    `engine` says how patterns are found (auto, enumerate, smt), never what is answered.
    Raises OutOfBounds where concrete sizes leave the outer shape, NotSupported for other
    symbols, InputError for assumptions that contradict one another, Undecided where the budget
    does not settle which indices are valid.
    Source: Theorem 10 and section 4 of "Merging tensor views" (N. uit de Bos, 2025).

    >>> print(conditions(View.parse("(10,3,3):(σ1,σ2,σ3)"), View.parse("(s):(4)")))
    1 ≤ s ≤ 3: always
    4 ≤ s ≤ 5: σ1 = 2σ2 + 3σ3
    6 ≤ s ≤ 23: σ1 = 3σ2 and σ2 = 3σ3
    s ≥ 24: out of bounds
    """
    if engine not in ENGINES:
        raise InputError(f"engine {engine!r}: choose one of {', '.join(ENGINES)}")
    from symview.symbolic.by_boundary import is_general, looked_at
    from symview.symbolic.by_size import ample, cases_by_size, symbolic_axes
    from symview.symbolic.by_stride import cases_by_stride, symbolic_strides
    from symview.symbolic.case_builder import Settler

    views = (outer, inner, *more)
    check_views(views, "conditions")
    shape = ample(views)
    if shape is None and is_general(views):
        return looked_at(outer, inner, assume, budget)
    settler = Settler(views, assumptions(assume, views), (budget or DEFAULT).started(), shape)
    if shape is None:
        numeric_outer(outer)
    if shape is not None or symbolic_axes(views):
        cases = cases_by_size(settler, prod(outer.shape), address_map(inner), engine)
    elif symbolic_strides(views):
        cases = cases_by_stride(settler, prod(outer.shape), inner, engine)
    else:
        cases = [_concrete_case(settler, engine)]
    return Conditions(
        views, settler.allowed(cases), tuple(settler.assumed), settler.budget.plain(), facts=tuple(settler.facts)
    )


def _concrete_case(settler: Settler, engine: Engine) -> Case:
    import sympy

    from symview.questions.chains import through_region

    outer, *others = settler.views
    plain = View(outer.shape, None, 0, outer.mask)
    if len(others) == 1:
        found: Any = valid_region(plain, others[0], settler.budget)
    else:
        found = through_region(plain, others, settler.budget)
    if isinstance(found, View):
        return Case(sympy.true, Status.ALWAYS, (), found, reason="no index is valid")
    if isinstance(found, Counterexample):
        return Case(sympy.true, Status.NEVER, (), None, reason=f"the valid indices are no box: {found}")
    if isinstance(found, Region):
        return settler.case(sympy.true, found, find_rows(settler.places, found.box, engine, settler.budget))
    source = NestRows(found.nest, settler.outer.shape, settler.kept_outputs)
    return settler.case(sympy.true, found.region, search_rows(source, engine, settler.budget), found.nest)
