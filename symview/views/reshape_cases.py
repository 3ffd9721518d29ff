"""Reshape with symbols: the weakest condition as clauses, and the merged view of each case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

from symview.answers import AffineView, CaseData, ConditionsData, DeferredCases, Status
from symview.cases.algebra import Literals, quotient_of
from symview.cases.query import Query
from symview.cases.restrict import Ask, cases_of, part_of
from symview.cases.simplify.cases import simplified, with_plain_equations
from symview.cases.simplify.clauses import Clause, few_literals, parts_of, simplified_clauses
from symview.cases.simplify.literals import by_remainders
from symview.errors import InputError, InternalError
from symview.logic.budget import Budget
from symview.logic.entailment import Entailment
from symview.logic.integer import of_term
from symview.logic.notation import term_text
from symview.logic.polynomial import ONE, Operation, Poly, minus, operation, operations, quotient, times
from symview.logic.sympy_bridge import is_number, to_entry, to_text
from symview.logic.terms import TRUE, Term, conj, negated, num
from symview.view import View
from symview.views.addresses import UNIT, places_of, product_of
from symview.views.boundaries import Boundaries, Leaf, solutions, with_solved


def cases_by_reshape(query: Query, shape: Sequence[Any], ask: Ask) -> ConditionsData:
    """The weakest condition under which one view has the new shape; sizes may be symbols, one may be −1.

    Theory: between positive sizes with equal products, a reshape is a view exactly if the old view is contiguous at
    every place value of the old shape that is neither 1, nor the size, nor a place value of the new shape; dims of size
    1 do not count. "Criteria and proof …" (P. Schillinger, 2024), sections 2 and 3, without its assumptions on sizes
    and strides.
    """
    found = _ByReshape(query, tuple(shape))
    return found.conditions() if query.views[0].mask is None else found.masked(ask)


class _ByReshape(Boundaries):
    """One query: the old view, the new sizes, and the known facts."""

    def __init__(self, query: Query, shape: tuple[Any, ...]) -> None:
        super().__init__(query, [n for n in shape if not is_hole(n)])
        self.shape = shape
        self.hole = next((n for n, size in enumerate(shape) if is_hole(size)), None)
        self.steps = with_solved(self.strides, self._unguarded())
        self.top, self.bottom, self.rest = UNIT, UNIT, ""
        self.new = self._new_sizes()
        self.places = places_of(self.new)
        self.raw = list(self.contiguous())
        self.fitting = list(self._fitting())
        near = [e for c in (*self.fitting, *self.raw) for e in c.literals]
        self.known = Entailment(self.facts.formulas, self.budget, near)

    def _unguarded(self) -> dict[str, Poly]:
        """Replaces max(1, n) in the strides by n, if n is a product of sizes: without elements nothing overflows."""
        found = {}
        for name, (op, args) in operations(*self.strides).items():
            if op == "max" and len(args) == 2 and num(1) in args:
                size = self.algebra.poly_of(args[args[0] == num(1)])
                factors = [{(n,): 1} for m in size for n in m]
                if size in self.old or (set(size.values()) == {1} and all(f in self.old for f in factors)):
                    found[name] = size
        return found

    def _new_sizes(self) -> list[Poly]:
        """The new sizes; −1 becomes the quotient by the others, as a variable if it is not a polynomial."""
        sizes = [UNIT if is_hole(n) else self.algebra.poly(n) for n in self.shape]
        if self.hole is None:
            return sizes
        have, others = product_of(self.old), product_of(sizes)
        if not others:
            raise InputError(f"reshape {self._shown()}: next to a size of 0, -1 could be any size")
        exact = quotient(have, others)
        if times(exact, others) != have:
            self.top, self.bottom = quotient_of(have, others)
            size = Term("//", (self.algebra.term(self.top), self.algebra.term(self.bottom)))
            self.rest = Operation(f"⟨rest {term_text(size)}⟩", size)
            self.algebra.positive |= {self.rest}
            exact = {(self.rest,): 1}
        sizes[self.hole] = exact
        return sizes

    def conditions(self) -> ConditionsData:
        """The simplified clauses, and their cases."""
        fitting = self._fitting_clauses()
        fits = self.known.also(*(c.term() for c in fitting))
        clauses = [*fitting, *simplified_clauses(self.raw, fits)]
        if any(not c.literals for c in fitting):
            clauses = fitting
        if all(c.literals for c in clauses) and self.known.impossible(*(c.term() for c in clauses)):
            clauses = [Clause((), "no integers satisfy all of the conditions")]
        return ConditionsData(
            (self.outer, self._target()),
            DeferredCases(lambda budget: self._later(clauses, budget), self.budget.plain()),
            self.query.assumed,
            self.facts.formulas,
            tuple(few_literals([c.term() for c in clauses], self.known, self.algebra)),
            conj(c.term() for c in fitting),
            self.hole,
        )

    def masked(self, ask: Ask) -> ConditionsData:
        """The conditions for a masked view: sizes agree, and it merges with a whole view, which `ask` decides."""
        query, fits = self.query, conj(c.term() for c in self._fitting_clauses())
        views = (self.outer, self._target())
        cases = list[CaseData]()
        if not self.known.impossible(fits):
            cases += [replace(c, where=conj((fits, c.where))) for c in cases_of(part_of(query, views, [fits]), ask)]
        if fits != TRUE:
            cases.append(CaseData(negated(fits), Status.NEVER, reason=f"the sizes have to agree: {self._shown()}"))
        return ConditionsData(views, tuple(cases), query.assumed, self.facts.formulas, None, fits, self.hole)

    def _fitting_clauses(self) -> list[Clause]:
        """The clauses that the sizes agree; raises InputError if numbers alone show that they differ."""
        found = [*self._divisible(), *simplified_clauses(self.fitting, self.known)]
        if any(not c.literals for c in found):
            self._check_sizes()
        return found

    def _target(self) -> View:
        return View([of_term(self.algebra.entry(n), self.query.symbols) for n in self.new])

    def _later(self, clauses: Sequence[Clause], budget: Budget) -> Sequence[CaseData]:
        """Computes the cases later, with a budget of their own."""
        later = copy(self)
        later.budget, later.query = budget, self.query._replace(budget=budget)
        later.known = self.known.renewed(budget)
        return later.in_few_lines(later.cases(clauses, later.known))

    def in_few_lines(self, cases: Iterable[CaseData]) -> list[CaseData]:
        """The same cases with plain equations, joined where one view is right: a size of 1 has no stride."""
        plain = [(c, solutions(parts_of(c.where), self.algebra)) for c in cases]
        found = list[CaseData]()
        for case, equal in plain:
            same = [c for c, other in plain if _alike(c, case) and len(other) < len(equal)]
            right = (c.view for c in same if case.view and c.view and self._agree(c.view, case.view, equal))
            found.append(with_plain_equations(replace(case, view=next(right, case.view)), self.algebra))
        return simplified(found, self.known, lambda case: case if case in found else self.said(case))

    def _agree(self, one: AffineView, other: AffineView, equal: Mapping[str, Poly]) -> bool:
        """Whether two views of the new shape have equal addresses after substituting these names."""
        sides = [with_solved(map(self.algebra.poly, (v.offset, *v.strides)), equal) for v in (one, other)]
        hidden = [False, *(n == UNIT for n in with_solved(self.new, equal))]
        return all(free or a == b for a, b, free in zip(*sides, hidden, strict=True))

    # The clauses

    def _fitting(self) -> Iterator[Clause]:
        """The clauses that there are as many elements as before, and that −1 stands for an integer."""
        have, want = product_of(self.old), product_of(self.new)
        if self.bottom != UNIT:
            top, bottom = self.algebra.term(self.top), self.algebra.term(self.bottom)
            why = f"{to_text(bottom)} has to divide {to_text(top)}"
            yield Clause((self.algebra.divides(self.bottom, self.top),), why)
            return
        gap, why = minus(have, want), f"the sizes have to agree: {self._shown()}"
        choices = by_remainders(gap, self.facts.formulas, self.budget, self.algebra)
        yield from (Clause(literals, why) for literals in choices or [self.algebra.zero(gap)])

    def _divisible(self) -> Iterator[Clause]:
        """The clauses that no size is 0 if there is a −1: they come before formulas that divide by these sizes."""
        if self.hole is not None:
            for size in (n for n in self.shape if n in self.facts.empty):
                yield Clause((self.algebra.nonzero(self.algebra.poly(size)),), "-1 is not a size next to a size of 0")

    def _check_sizes(self) -> None:
        """Raises InputError if numbers alone show that the sizes differ."""
        have, want = product_of(self.old), product_of(self.new)
        if self.bottom == UNIT:
            if not (have and want):
                raise InputError(f"reshape {self._shown()}: only one of the shapes is empty")
            top, bottom = quotient_of(have, want)
            if set(top) == set(bottom) == {ONE}:
                raise InputError(f"reshape {self._shown()}: the sizes can never agree, {top[ONE]} is not {bottom[ONE]}")

    def _shown(self) -> str:
        return f"({','.join(map(to_text, self.outer.shape))}) to ({','.join(map(to_text, self.shape))})"

    def free(self, high: int, low: int, place: Poly) -> Literals:
        """The place value is also one of the new shape, or there are no elements."""
        algebra = self.algebra
        found = [e for q in self.places[:-1] for e in algebra.zero(self._cleared(minus(place, q)))]
        empty = [n for n in self.facts.empty if n in self.outer.shape]
        return (*found, *(e for n in empty for e in algebra.zero(algebra.poly(n))))

    def _cleared(self, p: Poly) -> Poly:
        """P times the positive divisor of the size that −1 stands for."""
        if not any(self.rest in m for m in p):
            return p
        whole = {m: c for m, c in p.items() if self.rest not in m}
        part = {tuple(n for n in m if n != self.rest): c for m, c in p.items() if self.rest in m}
        return minus(times(whole, self.bottom), times({m: -c for m, c in part.items()}, self.top))

    def split_candidates(self, leaf: Leaf) -> Iterator[Term]:
        """Comparisons that decide which of several reasons makes a boundary harmless: the strides depend on it."""
        known = leaf.known.also(*(c.term() for c in leaf.clauses))
        for clause in () if leaf.refused() else self.raw:
            if TRUE not in clause.literals and not any(known.implies(e) for e in clause.literals):
                yield from (e for e in clause.literals if self._about_sizes(e) and not leaf.known.impossible(e))

    def enough(self) -> Iterator[Term]:
        """Sufficient: the sizes agree, and neighbouring dims are contiguous."""
        have, want = product_of(self.old), product_of(self.new)
        if self.bottom != UNIT:
            yield from (e for c in self.fitting for e in c.literals)
        elif have != want:
            yield Term("==", (self.algebra.term(have), self.algebra.term(want)))
        yield from super().enough()

    def view(self, leaf: Leaf) -> AffineView:
        """Each new stride is the old stride at the nearest common place value at or below its own, scaled."""
        grounds = [e for c in self.raw for e in c.literals if e.op == "==" and leaf.known.implies(e)]
        equal = solutions([*leaf.decisions, *grounds], self.algebra)
        old = [(n, t) for n, t in zip(with_solved(self.old, equal), self.strides, strict=True) if n != UNIT]
        new = with_solved(self.new, equal)
        shape = tuple(map(self.algebra.entry, self.new))
        if {} in new:
            return AffineView(shape, (0,) * len(shape))
        below = places_of([n for n, _ in old])
        strides = []
        for axis, (size, place) in enumerate(zip(new, places_of(new), strict=True)):
            unmoved = size == UNIT or not old
            strides.append({} if unmoved else self._stride(place, places_of(new)[axis:], old, below, leaf))
        return AffineView(shape, tuple(map(self.algebra.entry, strides)), to_entry(self.outer.offset))

    def _stride(
        self, place: Poly, lower: Sequence[Poly], old: Sequence[tuple[Poly, Poly]], below: Sequence[Poly], leaf: Leaf
    ) -> Poly:
        for common in lower:
            for (_, stride), have in zip(old, below, strict=True):
                if have == common or self._equal(have, common, leaf):
                    return times(stride, self._ratio(place, common))
        raise InternalError("no place value is common, though 1 is")

    def _equal(self, p: Poly, q: Poly, leaf: Leaf) -> bool:
        return any(leaf.known.implies(e) for e in self.algebra.zero(self._cleared(minus(p, q))))

    def _ratio(self, place: Poly, common: Poly) -> Poly:
        exact = quotient(place, common)
        if times(exact, common) == place:
            return exact
        return {(operation(Term("//", (self.algebra.term(place), self.algebra.term(common)))),): 1}


def _alike(one: CaseData, other: CaseData) -> bool:
    """Whether two cases have the same answer, but for the view."""
    return one.status is other.status and (one.required, one.confirmed) == (other.required, other.confirmed)


def is_hole(size: Any) -> bool:
    """Whether a size is the -1 that stands for the remaining size."""
    return is_number(size) and size == -1
