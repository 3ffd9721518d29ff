"""Chains of three or more views with symbols: neighbours that are one view are merged until two views are left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from symview.answers import CaseData, ConditionsData, Status
from symview.cases.case import view_of
from symview.cases.query import Query
from symview.cases.restrict import Ask, answered, by_few_values, cases_of, part_of
from symview.cases.simplify.clauses import shortened
from symview.errors import Undecided
from symview.logic.entailment import Entailment
from symview.logic.solve import CASE, is_impossible
from symview.logic.terms import TRUE, Term, conj, negated
from symview.view import View
from symview.views.addresses import at_most_two, open_part, stays
from symview.views.mask_conditions import is_plain_outer

_ONE_VIEW = (Status.ALWAYS, Status.WHEN)


def has_open_chain(views: Sequence[View]) -> bool:
    """Whether the views have symbols outside the strides and the offset of the first one."""
    return not is_plain_outer(views[0]) or not all(v.is_numeric() for v in views[1:])


def cases_by_chain(query: Query, ask: Ask) -> ConditionsData:
    """The conditions for three or more views, if views after the first have symbols.

    Every view has to stay inside the one before it. A pair of neighbours that is one view is replaced by that view.
    Everything else is undecided.
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
        inside = [stays(*pair, self.algebra, self.known) for pair in pairwise(self.query.views)]
        fits = conj(shortened(inside, self.known, self.algebra))
        cases = list[CaseData]()
        if not self.known.impossible(fits):
            given = () if fits == TRUE else (fits,)
            cases += by_few_values(self.query, list(self._merged(_Node(self.query.views, given))), self.ask)
        if fits != TRUE:
            cases.append(CaseData(negated(fits), Status.OUT_OF_BOUNDS, reason="a view leaves the one before"))
        return answered(self.query, cases, self.known)

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
