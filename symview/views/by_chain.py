"""Chains of three or more views with symbols: neighbours that are one view are merged until two views are left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from symview.answers import CaseData, ConditionsData, Status
from symview.cases.asking import Ask, answered, by_few_values, cases_of, part_of
from symview.cases.case import view_of
from symview.cases.query import Query
from symview.cases.shortening import shortened
from symview.errors import Undecided
from symview.logic.entailment import Entailment
from symview.logic.polynomial import Poly, times
from symview.logic.solve import CASE, is_impossible
from symview.logic.terms import FALSE, TRUE, Term, conj, disj, negated
from symview.view import View
from symview.views.addresses import UNIT, at_most_two, inside, open_part, product_of
from symview.views.by_mask import is_plain_outer

_ONE_VIEW = (Status.ALWAYS, Status.WHEN)


def has_open_chain(views: Sequence[View]) -> bool:
    """Whether the views have symbols outside the strides and the offset of the first one."""
    return not is_plain_outer(views[0]) or not all(v.is_numeric() for v in views[1:])


def cases_by_chain(query: Query, ask: Ask) -> ConditionsData:
    """The conditions for three or more views, if views after the first have symbols.

    Every view has to stay inside the one before it. A pair of neighbours that is one view is replaced by that view. If
    the last view is a whole shape, and the two views before it merge into a view of a finer shape, the question is the
    reshape of that view. Everything else is undecided.
    """
    return _ByChain(query, ask).conditions()


class _Node(NamedTuple):
    """Views equivalent to the chain where some formulas hold, and the pairs that do not merge there."""

    views: tuple[View, ...]
    given: tuple[Term, ...]
    apart: frozenset[int] = frozenset()


def _is_always(cases: Sequence[CaseData]) -> bool:
    return all(c.status is Status.ALWAYS for c in cases)


class _ByChain:
    """One query about a chain."""

    def __init__(self, query: Query, ask: Ask) -> None:
        self.query, self.ask, self.algebra, self.facts = query, ask, query.algebra, query.facts.formulas
        self.known = Entailment(self.facts, query.budget)

    def conditions(self) -> ConditionsData:
        """The cases: out of bounds first, then by merging neighbours."""
        fits = conj(
            shortened(map(self._stays, *zip(*pairwise(self.query.views), strict=True)), self.known, self.algebra)
        )
        cases = list[CaseData]()
        if not self.known.impossible(fits):
            given = () if fits == TRUE else (fits,)
            cases += by_few_values(self.query, list(self._merged(_Node(self.query.views, given))), self.ask)
        if fits != TRUE:
            cases.append(CaseData(negated(fits), Status.OUT_OF_BOUNDS, reason="a view leaves the one before"))
        return answered(self.query, cases, self.known)

    def _stays(self, outer: View, inner: View) -> Term:
        """The formula that every index allowed by the inner mask has an address of the outer shape, if there is one."""
        if inner.is_void():
            return TRUE
        _, axes, start = open_part(inner, self.algebra)
        size = product_of([self.algebra.poly(n) for n in outer.shape])
        within = inside([a for a in axes if a.size != UNIT], start, size, self.algebra, self.known)
        return disj([within, *(p for a in axes if (p := self.algebra.at_most(a.size, {})) != FALSE)])

    # Neighbours

    def _merged(self, node: _Node) -> Iterator[CaseData]:
        """The cases of a chain: of one view fewer where some pair merges."""
        if self.query.budget.is_over():
            yield replace(self._undecided(node), reason=self.query.budget.ending())
            return
        if len(node.views) == 2:
            yield from self._cases_of_views(node.views, node.given)
            return
        pairs = self._pairs(node)
        always = next((n for n, cases in pairs.items() if _is_always(cases)), None)
        finer = None if always is not None else self._finer(node, pairs.get(0, []))
        if finer is not None:
            yield from finer
            return
        some = [n for n, cases in sorted(pairs.items()) if any(c.status in _ONE_VIEW for c in cases)]
        if not some:
            yield self._undecided(node)
            return
        at = some[0] if always is None else always
        for case in pairs[at]:
            given = self._with(node, case.where)
            if case.status in _ONE_VIEW and case.view is not None:
                views = (*node.views[:at], view_of(case.view, self.query.symbols), *node.views[at + 2 :])
                yield from self._merged(_Node(views, (*given, *case.required)))
            if case.status is not Status.ALWAYS:
                broken = negated(conj(case.required)) if case.status is Status.WHEN else TRUE
                yield from self._merged(_Node(node.views, (*given, broken), node.apart | {at}))

    def _pairs(self, node: _Node) -> dict[int, list[CaseData]]:
        """The conditions for pairs of neighbours, simple pairs first; it stops at a pair that always merges."""

        def place(n: int) -> tuple[bool, bool, int]:
            outer, inner = node.views[n : n + 2]
            masked = outer.mask is not None or inner.mask is not None
            return masked, not is_plain_outer(outer), n

        found: dict[int, list[CaseData]] = {}
        for n in sorted(range(len(node.views) - 1), key=place):
            if n not in node.apart:
                found[n] = self._cases_of_views(node.views[n : n + 2], node.given)
                if _is_always(found[n]):
                    break
        return found

    def _with(self, node: _Node, where: Term) -> tuple[Term, ...]:
        return node.given if where in node.given or where == TRUE else (*node.given, where)

    def _cases_of_views(self, views: Sequence[View], where: Sequence[Term]) -> list[CaseData]:
        """The conditions for two views where the formulas hold; each case includes these formulas."""
        where = [f for f in where if f != TRUE]
        part = part_of(self.query, views, where)
        if where and is_impossible(part.facts.formulas, self.query.budget.at_most(CASE)):
            return []
        try:
            cases = cases_of(part, self.ask)
        except Undecided as stop:
            return [replace(self._undecided(_Node(tuple(views), tuple(where))), reason=stop.reason)]
        return [
            replace(c, where=conj((*where, c.where)), witnesses=())
            for c in cases
            if c.status is not Status.OUT_OF_BOUNDS
        ]

    def _undecided(self, node: _Node) -> CaseData:
        """Sufficient: so few addresses that any views merge on them."""
        why = "no two neighbours are one view, and whether all of them are is open"
        enough = at_most_two(open_part(node.views[-1], self.algebra).axes, self.algebra)
        return CaseData(conj(node.given), Status.UNDECIDED, enough, reason=why, confirmed=False)

    # A whole shape in the end

    def _finer(self, node: _Node, pair: Sequence[CaseData]) -> Iterator[CaseData] | None:
        """The cases if the last of three views is a whole shape, each dim a product of dims of the second one.

        The chain is one view exactly if the first two are, and that view has the shape of the last.
        """
        if len(node.views) != 3 or any(v.mask is not None for v in node.views) or not pair:
            return None
        decided = all(c.status in (*_ONE_VIEW, Status.NEVER) for c in pair)
        if not decided or not self._is_whole(node.views[2]) or not self._refines(node.views[1], node.views[2]):
            return None
        return (case for first in pair for case in self._reshaped(first, node.views[2]))

    def _reshaped(self, first: CaseData, last: View) -> Iterator[CaseData]:
        if first.status is Status.NEVER or first.view is None:
            yield replace(first, view=None)
            return
        yield from self._cases_of_views((view_of(first.view, self.query.symbols), last), [first.where, *first.required])
        if first.required:
            broken = negated(conj(first.required))
            yield CaseData(conj((first.where, broken)), Status.NEVER, reason="the first two views are no one view")

    def _is_whole(self, view: View) -> bool:
        return view.offset == 0 and view.strides == View(view.shape).strides

    def _refines(self, finer: View, view: View) -> bool:
        """Whether each dim of the view is a product of neighbouring dims of the finer one, in order."""
        sizes, left = [list(map(self.algebra.poly, v.shape)) for v in (view, finer)]
        for size in sizes:
            product: Poly = UNIT
            while product != size and left:
                product = times(product, left.pop(0))
            if product != size:
                return False
        return all(n == UNIT for n in left)
