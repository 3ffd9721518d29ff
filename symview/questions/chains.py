"""Chains of views: are they one view, how few do, and do two chains mean the same?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

from symview.answers import Counterexample, Kind
from symview.certificates import document, view_of
from symview.engine import presburger
from symview.engine.index_map import IndexMap
from symview.engine.valid_box import Region
from symview.engine.view_chain import Bent, Level, ViewChain, affine, difference, differences
from symview.errors import InputError, SymbolError, Undecided
from symview.logic.budget import DEFAULT, Budget
from symview.logic.smtlib import to_smt2
from symview.logic.sympy_bridge import free_symbols
from symview.proof.kernel import NotProved, by_integer_points
from symview.proof.verdicts import Refuted, Unknown, Verdict
from symview.questions.two_views import merge_two, nowhere_valid, valid_part
from symview.symbolic.facts import open_region
from symview.view import View, on_box


def merge_chain(views: Sequence[View], budget: Budget | None = None) -> View | Counterexample:
    """The one view that a chain of concrete views is, or the smallest index at which none can be.

    Exact, masks included: the whole chain is decided, not only its neighbours.
    Raises as `symview.merge` does.

    >>> merge_chain([View((2, 2), (1, 2)), View((2, 2), (1, -1), 1), View((3,), (1,), 1)])
    View((3,), (1,))
    """
    budget = (budget or DEFAULT).started()
    reduced = _pairwise(_checked(views), budget)
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


@dataclass(frozen=True, slots=True)
class Simplified:
    """Fewer views that mean the same. `minimal` only where it is proved that no fewer do; `why` says how."""

    views: tuple[View, ...]
    minimal: bool
    why: str
    chain: tuple[View, ...] = field(default=(), compare=False, repr=False)  # that was asked about

    def certificate(self) -> dict[str, Any]:
        """That both chains mean the same, and whether no fewer views do, as JSON for `symview verify`."""
        chains = ([view_of(v) for v in chain] for chain in (self.chain, self.views))
        question = dict(zip(("first", "second"), chains, strict=True))
        return document("chains", question, {"same": True, "minimal": self.minimal})

    def __str__(self) -> str:
        return "; ".join(map(str, self.views))


def simplify(*views: View, budget: Budget | None = None) -> Simplified:
    """As few views as can be found that mean the same as the chain; the first lays out memory.

    Every window of neighbours is tested for being one view, not only pairs; then windows that
    are followed by another view are tried as one view of a finer shape.

    >>> print(simplify(View((2, 4), (1, 2)), View((2, 4), (1, 2)), View((8,), (1,))))
    (2,2,2):(2,1,4); (8):(1)
    >>> simplify(View((2, 2), (1, 2)), View((4,)), View((2, 2))).minimal
    True
    """
    budget = (budget or DEFAULT).started()
    chain = _checked(views)
    while True:
        chain = _fewest_windows(chain, budget)
        finer = next(_refinements(chain, budget), None) if len(chain) > 2 else None
        if finer is None:
            return Simplified(tuple(chain), *_minimality(chain, budget), tuple(views))
        chain = finer


def _minimality(chain: Sequence[View], budget: Budget) -> tuple[bool, str]:
    """Whether it is proved that no fewer views do, and why or why not."""
    if len(chain) == 1:
        return True, "one view is the least"
    if len(chain) > 2:
        return False, f"no window of these {len(chain)} views is one view, but other views might do with fewer"
    try:
        return True, f"no single view does: {merge_two(chain[0], chain[1], budget)}"
    except Undecided as stop:
        return False, f"whether one view does is undecided: {stop.reason}"


def equivalent(a: View | Sequence[View], b: View | Sequence[View], budget: Budget | None = None) -> Verdict:
    """Whether two chains mean the same: at every index the same address, or not valid in both.

    Exact: Proved, Refuted with the smallest index (`values` i0, i1, … and, where both are valid,
    the two addresses as `sides`), or Unknown where the budget ends.
    Raises InputError where the shapes differ.

    >>> equivalent([View((2, 3), (3, 1)), View((6,))], View((6,)))
    <Proved '(2,3):(3,1); (6):(1) == (6):(1)', rests on ['isl']>
    """
    first, second = _checked(a), _checked(b)
    statement = f"{'; '.join(map(str, first))} == {'; '.join(map(str, second))}"
    if first[-1].shape != second[-1].shape:
        raise InputError(f"{statement}: the shapes differ, so no index belongs to both")
    budget = (budget or DEFAULT).started()
    both = _on_all_indices(first), _on_all_indices(second)
    chains = list(map(view_of, first)), list(map(view_of, second))
    try:
        index = difference(*both, budget)
        if index is None:
            system, solver = differences(*both), presburger.default_solver()
            point = partial(presburger.point, system)
            return by_integer_points(statement, system.formula(), point, solver, budget, chains)
    except Undecided as stop:
        return Unknown(statement, stop.reason, smt2=to_smt2([differences(*both).formula()], statement))
    except NotProved as stop:
        return stop.verdict
    here, there = (n.at(index) for n in both)
    sides = None if here is None or there is None else (here, there)
    return Refuted(statement, {f"i{n}": i for n, i in enumerate(index)}, sides, smallest=True, chains=chains)


def _checked(views: View | Sequence[View]) -> list[View]:
    """The chain as a list; raises unless it is of views of numbers, each inside the one before."""
    if isinstance(views, View):
        views = [views]
    chain = list(views)
    if not chain:
        raise InputError("a chain needs at least one view")
    for view in chain:
        if not isinstance(view, View):
            raise InputError(f"{view!r} is no View; write View(shape, strides) or View.parse(text)")
        if not view.is_numeric():
            symbol = next(iter(free_symbols(view.entries())))
            raise SymbolError(f"a chain needs numbers, and {symbol} in {view} is symbolic: substitute values first")
    for outer, inner in pairwise(chain):
        open_region(inner, prod(outer.shape))
    return chain


def _pairwise(chain: list[View], budget: Budget) -> list[View]:
    """Neighbours merged as long as some are one view."""
    at = 0
    while at + 1 < len(chain):
        merged = merge_two(chain[at], chain[at + 1], budget)
        if isinstance(merged, View):
            chain = [*chain[:at], merged, *chain[at + 2 :]]
            at = max(0, at - 1)
        else:
            at += 1
    return chain


def _on_all_indices(views: Sequence[View]) -> ViewChain:
    """The whole chain over the last view's shape, its mask as a level of its own."""
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
    """Where a chain is valid: on a box, or nowhere (the empty view), or on no box."""
    views = _checked([outer, *others])
    last = views[-1]
    if any(v.is_void() for v in views):
        return nowhere_valid(last.shape)
    open_part = open_region(last, prod(views[-2].shape))
    chain = ViewChain([_level(v) for v in views[:-1]], open_part.box)
    region = valid_part(views, open_part, chain, budget)
    if region is None:
        return View.empty(last.shape)
    return Through(region, chain.on(region)) if isinstance(region, Region) else region


def _fewest_windows(chain: Sequence[View], budget: Budget) -> list[View]:
    """The chain cut into as few windows as are one view each."""
    best: list[list[View] | None] = [[], *[None] * len(chain)]
    for end in range(1, len(chain) + 1):
        for start in range(end):
            before, have = best[start], best[end]
            if before is None or (have is not None and len(have) <= len(before) + 1):
                continue
            merged = _one_view(chain[start:end], budget)
            if merged is not None:
                best[end] = [*before, merged]
    return best[-1] or list(chain)


def _one_view(window: Sequence[View], budget: Budget) -> View | None:
    """The view that the window is; None where it is none, or none within the budget."""
    if len(window) == 1:
        return window[0]
    try:
        merged = merge_chain(window, budget)
    except Undecided:
        return None
    return merged if isinstance(merged, View) else None


def _refinements(chain: Sequence[View], budget: Budget) -> Iterator[list[View]]:
    """Shorter chains in which a window that another view follows is one view of a finer shape."""
    for length in range(len(chain) - 1, 1, -1):
        for start in range(len(chain) - length):
            window = chain[start : start + length]
            finer = _finer_shape(window, budget)
            merged = None if finer is None else _one_view([*window, View(finer)], budget)
            if merged is not None:
                yield [*chain[:start], merged, *chain[start + length :]]


def _finer_shape(window: Sequence[View], budget: Budget) -> tuple[int, ...] | None:
    """The last shape with every dim cut where the window stops being linear along it; None where it cannot be cut."""
    last: Any = window[-1]
    if last.mask is not None or any(v.is_void() for v in window):
        return None
    shape: list[int] = []
    for axis, size in enumerate(last.shape):
        cut = _factors(window, axis, size, budget)
        if cut is None:
            return None
        shape += cut
    return tuple(shape) if len(shape) > len(last.shape) else None


def _factors(window: Sequence[View], axis: int, size: int, budget: Budget) -> list[int] | None:
    """Sizes, slowest first, of digits in which the window is linear along one axis of its last view."""
    last: Any = window[-1]
    found: list[int] = []
    step = 1
    while size > 1:
        line = View((size,), (step * last.strides[axis],), last.offset)
        try:
            merged = merge_chain([*window[:-1], line], budget)
        except Undecided:
            return None
        first = size if isinstance(merged, View) else merged.index[0]
        if first < 2 or size % first:
            return None
        found.append(first)
        step, size = step * first, size // first
    return found[::-1] or [1]
