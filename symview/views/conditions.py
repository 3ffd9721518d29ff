"""Under which conditions do symbolic views merge? Chooses the producer of cases by the symbols of the views."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import prod
from typing import Any

from symview.answers import AffineView, CaseData, ConditionsData, Status
from symview.cases.case_builder import CaseBuilder
from symview.cases.conditions import Conditions
from symview.cases.query import Query, address_map, query_about
from symview.cases.simplify.cases import simplified_row_spaces, with_summary
from symview.counterexample import Counterexample
from symview.engine.overflow_space import Engine, find_rows, search_rows
from symview.engine.valid_box import Region
from symview.engine.view_chain import ChainRows
from symview.errors import InputError, NotSupported, OutOfBounds
from symview.logic.budget import Budget, running
from symview.logic.integer import of_term
from symview.logic.sympy_bridge import domain, free_symbols
from symview.logic.terms import TRUE, Term, substituted
from symview.view import View, as_views
from symview.views.boundary_conditions import cases_by_boundary, is_general
from symview.views.bounded_values import or_by_points
from symview.views.chain_conditions import cases_by_chain, has_open_chain
from symview.views.chains import through_region
from symview.views.mask_conditions import cases_by_mask, has_open_mask
from symview.views.parts import by_blocks, by_parts
from symview.views.question import merge_conditions
from symview.views.rows import by_rows
from symview.views.size_regions import ample, cases_by_size, symbolic_axes
from symview.views.stride_conditions import cases_by_stride, symbolic_strides
from symview.views.two_views import valid_region

ENGINES = ("auto", "enumerate", "smt")


def conditions(
    outer: View | str,
    inner: View | str,
    *more: View | str,
    assume: Any = (),
    engine: Engine = "auto",
    budget: Budget | None = None,
) -> Conditions[View]:
    """The exact, weakest conditions on symbolic strides under which the two views merge.

    Each overflow pattern becomes a constraint on the strides; the constraints become equations: primitive rows in
    reduced echelon form over the contiguity defects. It is checked that equations and constraints imply each other.
    Every entry of every view may be a symbol or an expression, bounds of masks included. Sizes, and the names in them,
    are positive unless `assume` allows 0; masks lie inside the shape. `assume` holds sympy relations or text about the
    symbols.
    `engine` selects how patterns are found (auto, enumerate, smt); the answer is the same.
    Raises OutOfBounds where concrete sizes leave the outer shape, InputError for assumptions that
    contradict each other, Undecided where the budget does not decide which indices are valid.
    Source: Theorem 10 and section 4 of "Merging tensor views" (N. uit de Bos, 2025).

    >>> print(conditions(View.parse("(10,3,3):(σ1,σ2,σ3)"), View.parse("(s):(4)")))
    1 ≤ s ≤ 3: always
    4 ≤ s ≤ 5: σ1 = 2σ2 + 3σ3
    6 ≤ s ≤ 23: σ1 = 3σ2 and σ2 = 3σ3
    s ≥ 24: out of bounds
    >>> padded = View.parse("(n+2*p):(a)-a*p [p:n+p]")
    >>> print(conditions(padded, View.parse("(n):(1)+p")).cases[0].view)  # the margins cut off again
    (n):(a)
    """
    if engine not in ENGINES:
        raise InputError(f"engine {engine!r}: choose one of {', '.join(ENGINES)}")
    views = as_views((outer, inner, *more), "conditions")
    query = query_about(views, assume, running(budget))
    simpler = _with_steps_given(query)
    ask = partial(answer, engine=engine)
    try:
        data = by_parts(simpler or query, ask)
    except (NotSupported, OutOfBounds):  # of numbers alone, where names have a case out of bounds
        if simpler is None:
            raise
        data = by_parts(query, ask)
    if simpler is not None:
        data = replace(data, views=views, assumed=query.assumed, facts=query.facts.formulas)
    data = with_summary(query, data)
    return merge_conditions(data, query.budget)


def _with_steps_given(query: Query) -> Query | None:
    """The query after substituting inner strides and offsets that assumptions such as `t == 4` or `t == C` determine.

    None without such assumptions, or if a name would vanish that other assumptions mention. Both queries agree at all
    values that satisfy the assumptions.
    """
    outer, *others = query.views
    given = _steps_given(query)
    if not given:
        return None
    put = {n: of_term(by, query.symbols) for n, by in given.items()}
    views = [outer]
    for v in others:
        steps = [x if isinstance(x, int) else x.put(put) for x in (*v.strides, v.offset)]
        views.append(View(v.shape, steps[:-1], steps[-1], v.mask))
    declared = [f for n in given for f in domain(query.symbols[n])]
    assumed = [substituted(f, given) for f in (*query.assumed, *declared)]
    assumed = [f for f in assumed if f.op != "==" or f.args[0] != f.args[1]]
    try:
        return query_about(views, assumed, query.budget)
    except InputError:
        return None


def _steps_given(query: Query) -> dict[str, Term]:
    """The values of names that occur only in inner strides and offsets, by equations that are assumed."""
    if all(fact.op != "==" for fact in query.assumed):
        return {}
    outer, *others = query.views
    kept = free_symbols([*outer.entries(), *(x for v in others for x in (*v.shape, *v.entries()[2 * v.rank + 1 :]))])
    given: dict[str, Term] = {}
    for fact in query.assumed:
        equation = substituted(fact, given)
        for one, other in (equation.args, equation.args[::-1]) if equation.op == "==" else ():
            if one.op == "sym" and one.args[0] not in kept and other.op in ("int", "sym") and one != other:
                given = {**{n: substituted(by, {one.args[0]: other}) for n, by in given.items()}, one.args[0]: other}
                break
    return given


def answer(query: Query, engine: Engine = "auto", points: bool = True) -> ConditionsData:
    """Calls the producer that takes the views' symbols: points, masks, boundaries, sizes, strides, one row space."""
    views = query.views
    if len(views) > 2 and has_open_chain(views):
        ask = partial(answer, engine=engine)
        return by_blocks(query, ask) or by_rows(query, ask) or cases_by_chain(query, ask)
    masked, shape = len(views) == 2 and has_open_mask(views), ample(views)
    if masked or (shape is None and is_general(views)):
        ask = partial(answer, engine=engine, points=False)  # parts of this question have no fewer points
        produce = partial(cases_by_mask if masked else cases_by_boundary, ask=ask)
        return or_by_points(query, produce) if points else produce(query)
    builder, filtered = CaseBuilder(query, shape), False
    if shape is not None or symbolic_axes(views):
        cases = cases_by_size(builder, prod(views[0].shape), address_map(views[1]), engine)
    elif symbolic_strides(views):
        cases, filtered = cases_by_stride(builder, prod(views[0].shape), views[1], engine), True
    else:
        cases = [_numeric_case(builder, engine)]
    return query.answer(simplified_row_spaces(query, cases, filtered))


def _numeric_case(builder: CaseBuilder, engine: Engine) -> CaseData:
    """The only case of views whose symbols are all strides and offset of the first view."""
    outer, *others = builder.query.views
    one = len(others) == 1
    plain = outer if one and outer.mask is None else View(outer.shape, None, 0, outer.mask)
    found = valid_region(plain, others[0], builder.budget) if one else through_region(plain, others, builder.budget)
    if isinstance(found, View):
        view = AffineView(found.shape, found.strides, found.offset, found.mask)  # numbers
        return CaseData(TRUE, Status.ALWAYS, view=view, reason="no index is valid")
    if isinstance(found, Counterexample):
        return CaseData(TRUE, Status.NEVER, reason=f"the valid indices are not a box: {found}")
    if isinstance(found, Region):
        return builder.case(TRUE, found, find_rows(builder.places, found.box, engine, builder.budget))
    source = ChainRows(found.chain, builder.shape, builder.kept_outputs)
    return builder.case(TRUE, found.region, search_rows(source, engine, builder.budget), found.chain)
