"""Masks beside symbols: where the valid indices are a box, the question without masks on that box."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from symview.answers import AffineView, CaseData, ConditionsData, Status, WitnessData
from symview.cases.asking import Ask, answered, asked, by_few_values, part_of
from symview.cases.finishing import fewer, met, parts_of
from symview.cases.forks import Fork, all_paths
from symview.cases.query import Query
from symview.cases.shortening import shortened
from symview.errors import Undecided
from symview.logic.entailment import Entailment
from symview.logic.polynomial import plus
from symview.logic.sympy_bridge import from_entry, is_number
from symview.logic.terms import FALSE, TRUE, Term, conj, disj, num
from symview.view import View
from symview.views.addresses import (
    UNIT,
    Outcome,
    ValidBox,
    at_most_two,
    in_whole_shape,
    inside,
    open_part,
    outcome_case,
    product_of,
)
from symview.views.valid_part import valid_part

_Where = tuple[Term, ...]
_MOST_PATHS = 300


def has_open_mask(views: Sequence[View]) -> bool:
    """Whether views have a mask, and symbols that matter for what is valid."""
    masked = any(v.mask is not None for v in views)
    return masked and not (is_plain_outer(views[0]) and all(v.is_numeric() for v in views[1:]))


def is_plain_outer(view: View) -> bool:
    """Whether the sizes and the mask of a view are numbers."""
    return all(map(is_number, (*view.shape, *(x for pair in view.bounds() for x in pair))))


def cases_by_mask(query: Query, ask: Ask) -> ConditionsData:
    """The conditions for two views of which one has a mask, beside symbols.

    Theory: a single masked view exists exactly where no index is valid, or the valid ones are a box and the views
    without their masks merge on it ("Masks", proofs/README.md).
    """
    return _ByMask(query, ask).conditions()


class _ByMask:
    """One query about two views."""

    def __init__(self, query: Query, ask: Ask) -> None:
        self.query, self.ask, self.algebra, self.facts = query, ask, query.algebra, query.facts.formulas
        self.outer, self.inner = query.views
        self.known = Entailment(self.facts, query.budget)

    def conditions(self) -> ConditionsData:
        """One question for each box, and what is no box."""
        cases = list[CaseData]()
        for outcome, paths in self._by_paths().items():
            where = self._where(paths)
            if where != FALSE and not self.known.impossible(where):
                cases += by_few_values(self.query, list(self._cases(outcome, where)), self.ask)
        return answered(self.query, cases, self.known)

    def _by_paths(self) -> dict[Outcome | ValidBox | str, list[_Where]]:
        """What the valid indices are on each path of comparisons, or why that is not told."""
        groups: dict[Outcome | ValidBox | str, list[_Where]] = {}
        paths = all_paths(self._outcome, self.facts, self.query.budget, _MOST_PATHS)
        given_up = {path.where for path in paths if isinstance(path.result, Undecided)}
        for path in paths:
            if not any(path.where[:n] in given_up for n in range(len(path.where))):  # else all of that is open
                found = path.result.reason if isinstance(path.result, Undecided) else path.result
                groups.setdefault(found, []).append(path.where)
        return groups

    def _where(self, paths: Sequence[_Where]) -> Term:
        shown = [parts_of(conj(shortened(where, self.known, self.algebra))) for where in paths]
        parts = fewer([p for p in shown if FALSE not in p], partial(met, impossible=self.known.impossible))
        return TRUE if () in parts else disj(map(conj, parts))

    def _outcome(self, fork: Fork) -> Outcome | ValidBox:
        found = valid_part(self.query, self.known, fork)
        if isinstance(found, Outcome):
            return found
        lows, sizes = (tuple(map(self.algebra.entry, side)) for side in (found.lows, [a.size for a in found.axes]))
        return ValidBox(lows, sizes, self.algebra.entry(found.start))

    # Cases

    def _cases(self, outcome: Outcome | ValidBox | str, where: Term) -> Iterator[CaseData]:
        """The cases of one outcome."""
        match outcome:
            case Outcome():
                yield outcome_case(outcome, where, self.inner)
            case str():
                yield self._undecided(where, outcome)
            case _:
                yield from self._merging(outcome, where)

    def _undecided(self, where: Term, why: str) -> CaseData:
        """Enough are so few addresses that they are a line of two at most, if all of them are known to be inside."""
        part, algebra, known = open_part(self.inner, self.algebra), self.algebra, self.known.also(where)
        axes = [a for a in part.axes if a.size != UNIT]
        some = [algebra.at_most(UNIT, a.size) for a in axes]
        size = product_of(list(map(algebra.poly, self.outer.shape)))
        within = conj([*some, inside(axes, part.start, size, algebra, known)])
        enough = at_most_two(part.axes, algebra)
        if not known.implies(within) or known.impossible(*enough):
            enough = (Term("==", (num(1), num(0))),)
        return CaseData(where, Status.UNDECIDED, enough, reason=why, confirmed=False)

    def _merging(self, valid: ValidBox, where: Term) -> Iterator[CaseData]:
        """The question without masks on the box of valid indices."""
        views = self._without_masks(valid)
        sizes = [Term(">=", (n, num(1))) for n in valid.sizes if isinstance(n, Term)]
        query = self.query._replace(facts=self.query.facts._replace(empty=()))
        try:
            found = asked(part_of(query, views, (where, *sizes)), self.ask)
        except Undecided as stop:
            yield self._undecided(where, stop.reason)
            return
        for case in found:
            view = None if case.view is None else self._masked(case.view, valid)
            witnesses = self._witnesses(case.witnesses, valid)
            yield replace(case, where=conj((where, case.where)), view=view, witnesses=witnesses)

    def _without_masks(self, valid: ValidBox) -> tuple[View, View]:
        outer, symbols = self.outer, self.query.symbols
        sizes = [from_entry(n, symbols) for n in valid.sizes]
        inner = View(sizes, self.inner.strides, from_entry(valid.start, symbols))
        return View(outer.shape, outer.strides, outer.offset), inner

    def _masked(self, view: AffineView, valid: ValidBox) -> AffineView:
        """The view of the box in the coordinates of the whole shape."""
        lows, sizes = (list(map(self.algebra.poly, side)) for side in (valid.lows, valid.sizes))
        bounds = [(low, plus(low, size)) for low, size in zip(lows, sizes, strict=True)]
        return in_whole_shape(self.inner, bounds, view.strides, view.offset, self.algebra)

    def _witnesses(self, witnesses: Sequence[WitnessData], valid: ValidBox) -> tuple[WitnessData, ...]:
        """The witnesses in the coordinates of the whole shape, where their addresses are numbers."""
        lows = [x for x in valid.lows if isinstance(x, int)]
        addresses = all(map(is_number, (*self.outer.shape, *self.inner.strides, self.inner.offset)))
        if len(lows) < len(valid.lows):
            return ()
        known = [w for w in witnesses if (not any(lows) if w.inner is not None else addresses)]
        return tuple([replace(w, index=tuple([i + n for i, n in zip(w.index, lows, strict=True)])) for w in known])
