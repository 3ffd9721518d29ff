"""Symbolic outer sizes with any inner view: exact where the effect of each boundary is known, undecided elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import gcd
from typing import Any

from symview.answers import AffineView, CaseData, ConditionsData, Status
from symview.cases.algebra import Literals
from symview.cases.query import Query
from symview.cases.restrict import Ask, at_values, cases_of
from symview.cases.simplify.clauses import few_literals, in_context, shortened, simplified_clauses
from symview.errors import Undecided
from symview.logic.entailment import Entailment
from symview.logic.polynomial import ONE, Poly, minus, negative, operations, plus, times
from symview.logic.sympy_bridge import is_number, to_entry
from symview.logic.terms import FALSE, TRUE, IntTerm, Term, conj, conjuncts, disj, negated, num
from symview.view import View
from symview.views.addresses import UNIT, Axis, inside, places_of, product_of, subsets
from symview.views.boundaries import Leaf, solutions, with_solved
from symview.views.relations import DependentBoundaries
from symview.views.size_regions import ample

_MOST_AXES = 4  # axes of an inner view for which wrapping around is decided one by one


def is_general(views: Sequence[View]) -> bool:
    """Whether no other producer takes the symbols of these two views."""
    outer, inner = views[0], views[-1]
    sizes = all(map(is_number, inner.shape))
    return len(views) == 2 and not (
        all(map(is_number, outer.shape)) and (sizes or all(map(is_number, (*inner.strides, inner.offset))))
    )


def cases_by_boundary(query: Query, ask: Ask) -> ConditionsData:
    """The conditions for views whose sizes, strides and offsets may all be symbols.

    Theory: a boundary at place value P is inactive exactly when o mod P, plus what the axes add to it, stays from 0 to
    P − 1. A single active boundary has to be contiguous. Several active ones all have to be contiguous, if each of them
    overflows before the next larger one does: if every stride is below a place value or a multiple of it, and the
    offset leaves room. Otherwise some may overflow together: if the overflows nest, closed sets of boundaries decide
    (`carry_graph`). Else the case is undecided, unless so many names have numbers there that `ask`, which takes any
    query, answers it.
    """
    return _ByBoundary(query, ask).conditions()


def _without_free_strides(view: View) -> View:
    """The view with stride 0 along dims of size 1."""
    return View(view.shape, [0 if n == 1 else t for n, t in zip(view.shape, view.strides, strict=True)], view.offset)


def _primitive(p: Poly) -> frozenset[Any]:
    """A key that is equal for polynomials that are multiples of one another, and so 0 at the same values."""
    scale = gcd(*p.values()) * (1 if p.get(min(p, default=ONE), 0) >= 0 else -1)
    return frozenset((m, c // scale) for m, c in p.items())


class _ByBoundary(DependentBoundaries):
    """One query: both views as polynomials, the axes turned so that addresses rise, if the sign is known."""

    reason = "exact: each boundary that can overflow carries before the next larger one does"

    def __init__(self, query: Query, ask: Ask) -> None:
        self.ask = ask
        inner = self.inner = query.views[1]
        super().__init__(query, inner.entries())
        self.known = Entailment(self.facts.formulas, self.budget)
        poly = self.algebra.poly
        self.given = [Axis(poly(n), poly(t)) for n, t in zip(inner.shape, inner.strides, strict=True)]
        self.offset = poly(inner.offset)
        self.size = product_of(self.old)
        self.axes, self.start = self._turned()
        near = [e for c in self.contiguous() for e in c.literals]
        self.known = Entailment(self.facts.formulas, self.budget, [*near, self._inside()])
        self.raw = list(self.contiguous())

    def _turned(self) -> tuple[list[Axis], Poly]:
        """The axes of sizes other than 1, those of a stride known to be at most 0 reversed; and the start."""
        axes, start = [], self.offset
        for axis in self.given:
            if axis.size == UNIT:
                continue
            if axis.step and self.known.implies(self.algebra.at_most(axis.step, {})):
                start = plus(start, axis.reach())
                axis = Axis(axis.size, negative(axis.step))
            axes.append(axis)
        return axes, start

    # Questions

    def conditions(self) -> ConditionsData:
        """The cases: empty views, views out of bounds, then the boundaries."""
        cases = list[CaseData]()
        empty = disj(e for n in self.inner.shape for e in self._zero(n))
        known, given = self.known, tuple[Term, ...]()
        if any(a.size == {} for a in self.given) or known.implies(empty):
            return self.query.answer([self._empty(TRUE)], ())
        if empty != FALSE and not known.implies(negated(empty)):
            cases.append(self._empty(empty))
            known, given = known.also(negated(empty)), (negated(empty),)
        inside = conj(shortened([self._inside()], known, self.algebra))
        if known.impossible(inside):
            cases.append(self._outside(given))
            return self._answer(cases, None if empty == FALSE else [empty])
        if inside != TRUE:
            cases.append(self._outside((*given, negated(inside))))
            known, given = known.also(inside), (*given, inside)
        clauses = simplified_clauses(self.raw, known)
        cases[:0] = self.cases(clauses, known, given)
        parts = shortened(
            [inside, *few_literals([c.term() for c in clauses], known, self.algebra)], self.known, self.algebra
        )
        if empty == FALSE or not parts:
            return self._answer(cases, parts)
        either = disj((*(empty.args if empty.op == "or" else (empty,)), conj(parts)))
        return self._answer(cases, list(conjuncts(in_context(either, self.known))))

    def _answer(self, cases: Sequence[CaseData], whole: Sequence[Term] | None) -> ConditionsData:
        open_ = self.is_brief or any(c.status is Status.UNDECIDED for c in cases)
        return self.query.answer(cases, None if open_ or whole is None else tuple(whole))

    def _zero(self, size: object) -> Literals:
        return self.algebra.zero(self.algebra.poly(size)) if size in self.facts.empty else ()

    def _empty(self, where: Term) -> CaseData:
        view = AffineView(tuple(map(to_entry, self.inner.shape)), (0,) * self.inner.rank)
        return CaseData(where, Status.ALWAYS, view=view, reason="no index")

    def _outside(self, where: tuple[Term, ...]) -> CaseData:
        return CaseData(self.where(conj(where)), Status.OUT_OF_BOUNDS, reason="an address is outside the outer shape")

    def _inside(self) -> Term:
        """The formula that every corner of the inner box has an address of the outer shape."""
        return inside(self.axes, self.start, self.size, self.algebra, self.known)

    def refined(self, leaf: Leaf, case: CaseData) -> Iterable[CaseData]:
        """Tries another method if the undecided leaf has numbers for all names except sizes, or except strides."""
        point = {n: p.get(ONE, 0) for n, p in self._equal(leaf).items() if set(p) <= {ONE}}
        if case.status is not Status.UNDECIDED or not point or self.budget.is_over():
            return (case,)
        part = at_values(self.query, point, [case.where])
        views = tuple(map(_without_free_strides, part.views))
        if ample(views) is None and is_general(views):
            return (case,)
        try:
            found = cases_of(part._replace(views=views), self.ask)
        except Undecided:
            return (case,)
        self.is_brief = True
        said = self._equations_at(leaf, point)
        return [
            replace(
                one,
                where=conj((case.where, one.where)),
                required=tuple([said.get(_primitive(self._gap(e)), e) for e in one.required]),
                witnesses=(),
            )
            for one in found
        ]

    def _gap(self, e: Term) -> Poly:
        return minus(*map(self.algebra.poly_of, e.args))

    def _equations_at(self, leaf: Leaf, point: Mapping[str, int]) -> dict[frozenset[Any], Term]:
        """Equations of one boundary, or of two that overflow together, by the form that they take at these values."""
        defects = [self._defect(c) for c in leaf.clauses if c.dims is not None]
        both = [plus(a, b, sign) for a, b in combinations(defects, 2) for sign in (1, -1)]
        values = {n: {ONE: v} if v else {} for n, v in point.items()}
        found = dict[frozenset[Any], Term]()
        for form in (*defects, *both):
            (here,), literals = with_solved([form], values), self.algebra.zero(form)
            if here and len(literals) == 1:
                found.setdefault(_primitive(here), literals[0])
        return found

    # Boundaries

    def free(self, high: int, low: int, place: Poly) -> Literals:
        """Formulas that suffice: addresses mod P never overflow, apart from whole multiples of P that an axis adds."""
        apart = [self.algebra.nonzero(minus(self.old[n], UNIT)) for n in (high, low)]
        known = self.known.also(*(e for e in apart if e != FALSE))  # otherwise a size of 1 hides the boundary
        start = self.divided(self.start, place, known)[1]
        steps = [(a, r) for a in self.axes if (r := self.divided(a.step, place, known)[1])]
        if not steps:
            return (TRUE,)
        found = [self._idle(place, start, steps, ())]
        wrapping = [s for s in steps if start and not known.implies(self.algebra.below(plus(start, s[1]), place))]
        if len(wrapping) > _MOST_AXES:
            self.loose.append(place)
            return tuple(found)
        short = [r for _, r in wrapping if r == UNIT or known.implies(self.algebra.at_most(times({ONE: 2}, r), place))]
        if wrapping and len(steps) == 1:
            found.append(self.algebra.at_most(steps[0][0].size, {ONE: 2}))  # a single step is always even
            wrapping = [] if short else wrapping
        wrapped = [self._idle(place, start, steps, chosen, short) for chosen in subsets(wrapping) if chosen]
        return (*found, *(e for e in wrapped if not known.impossible(e)))

    def _idle(
        self,
        place: Poly,
        start: Poly,
        steps: Sequence[tuple[Axis, Poly]],
        wrapping: Sequence[tuple[Axis, Poly]],
        short: Sequence[Poly] = (),
    ) -> Term:
        """The formula that nothing overflows after the first step of each axis, and just these axes overflow at theirs.

        Of the axes in `short`, which are at most half the place value, at most one can wrap, and only once.
        """
        algebra = self.algebra
        low = high = start
        parts = []
        few = [axis for axis, rest in wrapping if rest in short]
        if len(few) > 1:
            return FALSE
        for axis, rest in steps:
            wraps = (axis, rest) in wrapping
            slope = minus(rest, place) if wraps else rest
            reach = slope if axis in few else times(minus(axis.size, UNIT), slope)
            low, high = (plus(low, reach), high) if wraps else (low, plus(high, reach))
            if axis in few:
                parts.append(disj(algebra.zero(minus(axis.size, {ONE: 2}))))
            elif wraps:
                parts.append(algebra.at_most({ONE: 2}, axis.size))
            if wraps:
                parts.append(algebra.at_most(place, plus(start, rest)))
            elif wrapping:
                once = algebra.at_most(plus(start, rest), minus(place, UNIT))
                parts.append(disj([*algebra.zero(minus(axis.size, UNIT)), once]))
        if wrapping:
            parts.append(algebra.at_most({}, low))
        return conj([*dict.fromkeys(parts), *([] if high == start else [algebra.below(high, place)])])

    # The merged view

    def view(self, leaf: Leaf) -> AffineView:
        """The merged view, with strides f(e_j) − f(0) computed from the digits of the addresses."""
        equal = solutions(leaf.decisions, self.algebra)
        places = places_of(with_solved(self.old, equal))
        axes = [Axis(*with_solved(a, equal)) for a in self.given]
        (start,) = with_solved([self.offset], equal)
        here = self._address(start, places, leaf.known)
        divides = bool(operations(here))
        strides: list[IntTerm] = []
        for axis in axes:
            if (
                not axis.step
                or axis.size == UNIT
                or leaf.known.implies(Term("==", (self.algebra.term(axis.size), num(1))))
            ):
                strides.append(0)
            else:
                known = leaf.known.also(self.algebra.at_most({ONE: 2}, axis.size))
                there = self._address(plus(start, axis.step), places, known)
                origin = self._address(start, places, known) if divides else here
                strides.append(self.algebra.entry(minus(there, origin)))
        offset = self.algebra.entry(plus(self.algebra.poly(self.outer.offset), here))
        return AffineView(tuple(map(to_entry, self.inner.shape)), tuple(strides), offset)

    def _address(self, x: Poly, places: Sequence[Poly], known: Entailment) -> Poly:
        """The address in the outer view's memory of its element number x, which is in bounds."""
        found: Poly = {}
        for stride, place in zip(self.strides, places, strict=True):
            digit, x = (x, {}) if place == UNIT else self.divided(x, place, known)
            found = plus(found, times(digit, stride))
        return found
