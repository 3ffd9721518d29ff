"""What parts of a view decide about the whole: the last view in finer dims, and boxes inside its box.

Theory: a chain without masks is one view exactly if it is with its last view in finer dims, and the view found can be
reshaped. (With masks, valid indices may be a box in the given dims and not in finer ones.) And if a chain is one
view, so is each of its restrictions: the condition for a part is necessary for the whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, islice, pairwise
from typing import NamedTuple

from symview.answers import CaseData, ConditionsData, Status
from symview.cases.case import view_of
from symview.cases.query import Query
from symview.cases.restrict import Ask, answered, cases_of, part_of
from symview.errors import NotSupported, OutOfBounds, Undecided
from symview.logic.entailment import Entailment
from symview.logic.integer import of_term
from symview.logic.polynomial import ONE, Poly, minus, negative, plus, quotient, times
from symview.logic.terms import FALSE, TRUE, Term, conj, negated, nonzero_divisors, num
from symview.show.formulas import enough_for
from symview.view import View
from symview.views.addresses import UNIT, Axis, open_part, places_of, stays

_SHARE = 2
_MOST = 24  # parts that are asked
_WORK, _WORK_EACH = 10_000_000, 3_000_000  # budget steps for all parts of a question, and for one


class Cut(NamedTuple):
    """An axis of the last view, or of its blocks: the axis of the view that it belongs to, and the indices kept."""

    of: int
    axis: Axis
    first: Poly
    kept: Poly

    def two(self, last: bool = False) -> Cut:
        """Its first or last two indices."""
        return self._replace(first=minus(self.axis.size, {ONE: 2}) if last else {}, kept={ONE: 2})

    def one(self, last: bool = False) -> Cut:
        """Its first or last index."""
        return self._replace(first=minus(self.axis.size, UNIT) if last else {}, kept=UNIT)


def by_parts(query: Query, ask: Ask) -> ConditionsData:
    """The answer; for three or more views with its undecided cases closed by what parts need, as far as these do.

    Parts have a share of the budget of their own, since what fails may spend all that it has.
    """
    if len(query.views) < 3 or query.facts.empty:
        return ask(query)
    data = ask(query._replace(budget=query.budget.part(1, query.budget.left() * 4 // 5)))
    part = query._replace(budget=query.budget.part(1, _WORK))
    cases = [_closed(part, c, ask) if c.status is Status.UNDECIDED else c for c in data.cases]
    if all(new is old for new, old in zip(cases, data.cases, strict=True)):
        return data
    return answered(query, cases, Entailment(query.facts.formulas, query.budget))


def _closed(query: Query, case: CaseData, ask: Ask) -> CaseData:
    """The undecided case; or an exact one, if what parts need implies what is enough there, or cannot be."""
    here = Entailment((*query.facts.formulas, case.where), query.budget)
    if not all(here.implies(stays(*pair, query.algebra, here)) for pair in pairwise(query.views)):
        return case
    enough = conj(enough_for(case)) if enough_for(case) or not case.required else FALSE
    for views, given in islice(_parts(query, here), _MOST):
        if query.budget.is_over():
            break
        part = part_of(query, views, (case.where, *given))._replace(budget=query.budget.part(4, _WORK_EACH))
        try:
            found = list(cases_of(part, ask))
        except (Undecided, NotSupported, OutOfBounds):
            continue
        refused = [conj((*given, c.where, negated(conj(c.required)))) for c in found if c.status is Status.WHEN]
        refused += [conj((*given, c.where)) for c in found if c.status is Status.NEVER]
        if not refused or not all(here.impossible(negated(d)) for d in nonzero_divisors(refused)):
            continue
        here = here.also(*map(negated, refused))
        if here.impossible(case.where):
            return CaseData(case.where, Status.NEVER, reason="a part of the indices is not one view")
        if case.view is not None and here.implies(enough):
            status = Status.WHEN if case.required else Status.ALWAYS
            return replace(case, status=status, reason="exact: parts need what is enough", confirmed=True)
    return case


def _parts(query: Query, known: Entailment) -> Iterator[tuple[tuple[View, ...], tuple[Term, ...]]]:
    """Views of parts of the indices, and where these are parts; those that decide most come first."""
    *views, last = query.views
    algebra = query.algebra
    whole = open_part(last, algebra)
    masked = any(v.mask is not None for v in views)
    if masked or last.mask is not None:
        first, *others = query.views
        yield (View(first.shape, (0,) * first.rank, 0, first.mask), *others), ()
    places = [p for v in views for p in places_of([algebra.poly(n) for n in v.shape])]
    near = places_of([algebra.poly(n) for n in views[-1].shape])
    cuts = [
        Cut(n, a, {}, a.size)
        for n, axis in enumerate(whole.axes)
        for a in blocks_of(axis, near if len(views) > 1 else (), query, known)
        if a.size != UNIT
    ]
    for chosen in _chosen(cuts, places):
        moving = [c.of for c in chosen if c.kept != UNIT]
        if masked and len({*moving}) < len(moving):
            continue  # with masks, a box in two pieces of an axis need not be one in the axis
        start, given = whole.start, list[Term]()
        for c in chosen:
            start = plus(start, times(c.first, c.axis.step))
            ends = algebra.at_most({}, c.first), algebra.at_most(plus(c.first, c.kept), c.axis.size)
            given += [f for f in (algebra.at_most(UNIT, c.kept), *ends) if f != TRUE]
        if FALSE not in given:
            parts = [c.kept for c in chosen], [c.axis.step for c in chosen], [start]
            sizes, steps, (offset,) = [[of_term(algebra.entry(x), query.symbols) for x in side] for side in parts]
            yield (*views, View(sizes, steps, offset)), tuple(dict.fromkeys(given))


def _chosen(cuts: Sequence[Cut], places: Sequence[Poly]) -> Iterator[list[Cut]]:
    """What is kept of each axis."""
    yield [c.two() for c in cuts]
    for n, cut in enumerate(cuts):
        blocks = (quotient(p, cut.axis.step) for p in places) if cut.axis.step else ()
        for block in blocks:
            if block and block not in (UNIT, cut.axis.size):
                yield [c._replace(kept=block) if m == n else c.one() for m, c in enumerate(cuts)]
    for number in range(1, len(cuts)):
        for kept in combinations(range(len(cuts)), number):
            for last in (False, True):
                yield [c if n in kept else c.one(last) for n, c in enumerate(cuts)]
    for n in range(len(cuts)):
        for last in (False, True):
            yield [c.two(last) if m == n else c for m, c in enumerate(cuts)]
    yield [c.two(last=True) for c in cuts]


def by_blocks(query: Query, ask: Ask) -> ConditionsData | None:
    """The conditions for a chain without masks whose last view falls apart at place values of the view before it.

    None if it does not, or if the finer question leaves anything open.
    """
    known = Entailment(query.facts.formulas, query.budget)
    finer = _finer(query, known)
    if finer is None:
        return None
    part = query._replace(budget=query.budget.part(_SHARE))
    try:
        first = cases_of(part._replace(views=finer), ask)
        if any(map(_is_open, first)):
            return None
        found = [c for one in first for c in _reshaped(part, one, ask)]
    except (Undecided, NotSupported):
        return None
    return None if any(map(_is_open, found)) else answered(query, found, known)


def _is_open(case: CaseData) -> bool:
    """Whether the case is undecided, or one view that is not told."""
    untold = case.view is None and case.status in (Status.ALWAYS, Status.WHEN)
    return untold or case.status is Status.UNDECIDED


def _reshaped(query: Query, case: CaseData, ask: Ask) -> Iterator[CaseData]:
    """The cases where the finer question has this one."""
    if case.view is None:  # never, or out of bounds
        yield case
        return
    views = view_of(case.view, query.symbols), View(query.views[-1].shape)
    here = (case.where, *case.required)
    for one in cases_of(part_of(query, views, here), ask):
        yield CaseData(conj((*here, one.where)), one.status, one.required, one.view, (), one.reason, one.confirmed)
    if case.required:
        broken = negated(conj(case.required))
        yield CaseData(conj((case.where, broken)), Status.NEVER, reason="in finer dims it is not one view")


def _finer(query: Query, known: Entailment) -> tuple[View, ...] | None:
    """The views, the last one in blocks of the place values before it; None if it has none, a mask, or a size of 0."""
    *views, before, last = query.views
    if not views or query.facts.empty or any(v.mask is not None for v in query.views):
        return None
    poly, algebra = query.algebra.poly, query.algebra
    places = places_of([poly(n) for n in before.shape])
    axes = [
        b
        for n, t in zip(last.shape, last.strides, strict=True)
        for b in blocks_of(Axis(poly(n), poly(t)), places, query, known)
    ]
    if len(axes) == last.rank:
        return None
    sizes, steps = ([of_term(algebra.entry(x), query.symbols) for x in side] for side in zip(*axes, strict=True))
    finer = View(sizes, steps, last.offset)
    return (*views, before) if finer == View(before.shape) else (*views, before, finer)


def blocks_of(axis: Axis, places: Sequence[Poly], query: Query, known: Entailment) -> Iterator[Axis]:
    """The axis in blocks, as large as a place value is many of its steps."""
    size, step = axis
    for place in places if size and step else ():
        block = quotient(place, step)
        if times(block, step) != place:
            continue
        sign = 1 if _is_positive(block, query, known) else -1
        block = block if sign == 1 else negative(block)
        many = quotient(size, block)
        if UNIT in (block, many) or times(many, block) != size or not _is_positive(block, query, known):
            continue
        yield Axis(many, times(block, step))
        size = block
    yield Axis(size, step)


def _is_positive(p: Poly, query: Query, known: Entailment) -> bool:
    return query.algebra.is_positive(p) or known.implies(Term(">=", (query.algebra.term(p), num(1))))
