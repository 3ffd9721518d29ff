"""Chains of views: are they one view, how few views suffice, and are two chains equal?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import prod
from time import perf_counter
from typing import Any, NamedTuple

from symview.cases.query import open_region
from symview.certificates import view_of
from symview.counterexample import Counterexample, Kind, valid_part
from symview.engine import presburger
from symview.engine.index_map import IndexMap
from symview.engine.valid_box import Region
from symview.engine.view_chain import Bent, Level, ViewChain, affine, difference, differences
from symview.errors import InputError, SymbolError, Undecided
from symview.logic.budget import Budget, running
from symview.logic.notation import to_smt2
from symview.logic.sympy_bridge import free_symbols
from symview.proof.data import EqualChains
from symview.proof.kernel import _SEAL, Proved
from symview.proof.verdicts import Refuted, Unknown, Verdict
from symview.view import View, as_views, compose_at, nowhere_valid, on_box
from symview.views.two_views import merge_two


def merge_chain(views: Sequence[View], budget: Budget | None = None) -> View | Counterexample:
    """The one view that a chain of concrete views is, or the smallest index at which none can be.

    Exact, masks included: the whole chain is decided, not only its neighbours.
    Raises as `symview.merge` does.

    >>> merge_chain([View((2, 2), (1, 2)), View((2, 2), (1, -1), 1), View((3,), (1,), 1)])
    View((3,), (1,))
    """
    budget = running(budget)
    reduced = _pairwise(checked(views), budget)
    if len(reduced) == 1:
        return reduced[0]
    if len(reduced) == 2:
        return merge_two(reduced[0], reduced[1], budget)
    through = through_region(reduced[0], reduced[1:], budget)
    if not isinstance(through, Through):
        return through
    region, found = through.region, affine(through.chain, budget)
    if isinstance(found, Bent):
        axis = max(a for a, i in enumerate(found.witness) if i)
        return Counterexample(Kind.DISAGREE, region.original(found.witness), axis, found.expected, found.got)
    return on_box(reduced[-1].shape, region.lows, region.box.sizes, found.steps, found.start)


def equivalent(
    a: View | str | Sequence[View | str], b: View | str | Sequence[View | str], budget: Budget | None = None
) -> Verdict:
    """Whether two chains are equal: at every index both have the same address, or both are invalid.

    Exact: Proved, Refuted with the smallest index (`values` i0, i1, … and, where both are valid,
    the two addresses as `sides`), or Unknown where the budget ends.
    Raises InputError where the shapes differ.

    >>> equivalent([View((2, 3), (3, 1)), View((6,))], View((6,)))
    <Proved '(2,3):(3,1); (6):(1) == (6):(1)', by isl>
    """
    first, second = checked(a), checked(b)
    claim = EqualChains(tuple(first), tuple(second))
    statement = claim.text()
    if first[-1].shape != second[-1].shape:
        raise InputError(f"{statement}: the shapes differ, so no index belongs to both")
    started, budget = perf_counter(), running(budget)
    both = on_all_indices(first), on_all_indices(second)
    chains = list(map(view_of, first)), list(map(view_of, second))
    try:
        index = difference(*both, budget)
        if index is None:
            found = presburger.point(differences(*both), budget)
            if found is not None:
                return Refuted(statement, {f"i{n}": i for n, i in enumerate(found)}, chains=chains)
            solver, seconds = frozenset({presburger.default_solver()}), perf_counter() - started
            made = (equivalent, (a, b, budget.plain()))
            return Proved(claim, solver, seconds, _SEAL, made=made)
    except Undecided as stop:
        return Unknown(statement, stop.reason, smt2=to_smt2([differences(*both).formula()], statement))
    here, there = (n.at(index) for n in both)
    sides = None if here is None or there is None else (here, there)
    return Refuted(statement, {f"i{n}": i for n, i in enumerate(index)}, sides, smallest=True, chains=chains)


def checked(views: View | str | Sequence[View | str]) -> list[View]:
    """The chain as a list; raises unless its views consist of numbers and each stays inside the one before."""
    chain = list(as_views(views if isinstance(views, Iterable) and not isinstance(views, str) else [views], "a chain"))
    if not chain:
        raise InputError("a chain needs at least one view")
    for view in chain:
        if not view.is_numeric():
            symbol = next(iter(free_symbols(view.entries())))
            raise SymbolError(f"a chain needs numbers, and {symbol} in {view} is symbolic: substitute values first")
    for outer, inner in pairwise(chain):
        open_region(inner, prod(outer.shape))
    return chain


def _pairwise(chain: list[View], budget: Budget) -> list[View]:
    """Merges neighbours as long as some pair is one view."""
    at = 0
    while at + 1 < len(chain):
        merged = merge_two(chain[at], chain[at + 1], budget)
        if isinstance(merged, View):
            chain = [*chain[:at], merged, *chain[at + 2 :]]
            at = max(0, at - 1)
        else:
            at += 1
    return chain


def on_all_indices(views: Sequence[View]) -> ViewChain:
    """The whole chain over the last view's shape, with the last view's mask as a level of its own."""
    last: Any = views[-1]
    box = IndexMap(last.shape, View(last.shape).strides, 0)
    return ViewChain([_level(v) for v in views], box)


def _level(view: View) -> Level:
    v: Any = view
    return Level(v.shape, v.strides, v.offset, v.bounds(), v.is_void())


class Through(NamedTuple):
    """The box of valid indices of a chain, and the chain on that box."""

    region: Region
    chain: ViewChain


def through_region(outer: View, others: Sequence[View], budget: Budget) -> Through | View | Counterexample:
    """Where a chain is valid: on a box, nowhere (then the empty view), or on a set that is not a box."""
    views = checked([outer, *others])
    last = views[-1]
    if any(v.is_void() for v in views):
        return nowhere_valid(last.shape)
    open_part = open_region(last, prod(views[-2].shape))
    chain = ViewChain([_level(v) for v in views[:-1]], open_part.box)
    region = valid_part(lambda i: compose_at(*views, index=i), open_part, chain, budget)
    if region is None:
        return View.empty(last.shape)
    return Through(region, chain.on(region)) if isinstance(region, Region) else region
