"""Builds a case from a row space: equations in the user's symbols, confirmed, with witnesses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from symview.answers import AffineView, CaseData, Status, WitnessData
from symview.cases.equations import Equations, combine, defects, equation, in_order, monomials
from symview.cases.needed_equations import confirmed, needed
from symview.cases.query import Query
from symview.engine import radix
from symview.engine.overflow import active_carries, pattern
from symview.engine.overflow_space import Engine, Rows, Space, Step, find_rows
from symview.engine.row_space import unit
from symview.engine.valid_box import Region
from symview.engine.view_chain import ViewChain
from symview.errors import InternalError
from symview.logic.polynomial import ONE, Poly, as_term
from symview.logic.sympy_bridge import to_entry
from symview.logic.terms import TRUE, IntTerm, Term
from symview.view import View

Index: TypeAlias = tuple[int, ...]


class _Places:
    """The address inside the outer shape of each index of a region, and its digits."""

    def __init__(self, at: Callable[[Index], int], shape: tuple[int, ...]) -> None:
        self.at, self.shape = at, shape
        self.found: dict[Index, tuple[int, ...]] = {}

    def digits(self, index: Index) -> tuple[int, ...]:
        """The digits of the address."""
        if index not in self.found:
            self.found[index] = radix.digits(self.at(index), self.shape)
        return self.found[index]


class CaseBuilder:
    """Builds the cases of one query from row spaces, for an outer view whose sizes are numbers.

    The columns of a row are the forms `outputs`: the contiguity defects at `places`, then, for more than two views, the
    last stride. `kept_outputs` numbers them among all boundaries. `shape` replaces the outer shape if its leading size,
    which no place value depends on, is a symbol.
    """

    def __init__(self, query: Query, shape: tuple[int, ...] | None = None) -> None:
        self.query, self.budget = query, query.budget
        outer = query.views[0]
        self.shape: tuple[int, ...] = outer.shape if shape is None else shape
        self.inner = query.views[-1]
        self.strides = [query.algebra.poly(s) for s in outer.strides]
        kept = [n for n, size in enumerate(self.shape) if size != 1]
        self.kept_sizes = tuple([self.shape[n] for n in kept])
        self.kept_strides = [self.strides[n] for n in kept]
        self.order = monomials(self.kept_strides)
        bent, self.boundaries = defects(self.kept_sizes, self.kept_strides), radix.boundaries(self.shape)
        self.places = tuple([p for p, defect in zip(self.boundaries, bent, strict=True) if defect])
        outputs = [*bent, *self.kept_strides[-1:]]
        self.kept_outputs = [n for n, form in enumerate(outputs) if form]
        self.outputs = [form for form in outputs if form]

    def outside(self, where: Term) -> CaseData:
        """The case of sizes at which the inner view leaves the outer shape."""
        return CaseData(where, Status.OUT_OF_BOUNDS, reason="the last address is outside the outer shape")

    def case(self, where: Term, region: Region, rows: Rows, through: ViewChain | None = None) -> CaseData:
        """The case of one row space on a box of valid indices, with its equations, merged view and witnesses.

        `through`: the views between the outer and the inner one, on the region.
        """
        places = _Places(region.box.at if through is None else through.address_at, self.shape)
        equations = Equations(map(self._form, rows.space.rows), self.order)
        constraints = [self._constraint(places, step) for step in rows.steps]
        agree = confirmed(equations, constraints, self.order, self.budget)
        forms, decided = needed(self.query, where, equations)
        if not rows.complete and forms is not None:
            return self._undecided(where, region, rows, places)
        status = Status.NEVER if forms is None else Status.WHEN if forms else Status.ALWAYS
        witnesses = tuple([self._witness(region, s, places) for s in rows.steps]) if status is not Status.ALWAYS else ()
        return CaseData(
            where,
            status,
            self.equations(equations.forms if forms is None else forms),
            None if forms is None else self._view(region, places),
            witnesses,
            rows.reason + ("" if decided else "; whether any integers satisfy the equations was not settled"),
            agree,
        )

    def case_at(self, where: Term, region: Region, space: Space, at: str, engine: Engine = "auto") -> CaseData:
        """The case of all values with this row space, with witnesses at some of them, which `at` describes."""
        rows = find_rows(self.places, region.box, engine, self.budget)
        if not rows.complete:
            rows = find_rows(self.places, region.box, "auto", self.budget)
        if rows.complete and rows.space.rows != space:
            raise InternalError(f"at {at}: {rows.space.rows} and {space} are two row spaces")
        case = self.case(where, region, rows._replace(reason=f"{rows.reason}; shown at {at}"))
        inner = View(region.box.sizes, region.box.steps, region.box.start)
        return replace(case, witnesses=tuple([replace(w, inner=inner) for w in case.witnesses]))

    def term(self, form: Poly) -> Term:
        """The form as a term over the names of the query."""
        return as_term(form)

    def equations(self, forms: Sequence[Poly]) -> tuple[Term, ...]:
        """The forms as equations, each with its leading monomial alone on the left."""
        return tuple([equation(f) for f in forms])

    def _form(self, row: Sequence[int]) -> Poly:
        return combine(row, self.outputs[: len(row)])

    def _constraint(self, places: _Places, step: Step) -> Poly:
        """The equation that a step's digits force: the step moves as far as the first step of its axis."""
        origin, first = (0,) * len(step.index), unit(step.axis, len(step.index))
        digits = map(places.digits, (step.index, step.before(), first, origin))
        return combine([a - b - c + d for a, b, c, d in zip(*digits, strict=True)], self.strides)

    def _undecided(self, where: Term, region: Region, rows: Rows, places: _Places) -> CaseData:
        """The undecided case. Sufficient: each boundary that may overflow has defect 0."""
        enough = self.outputs
        if len(self.query.views) == 2:
            active = {c.place for c in active_carries(region.box, self.places)}
            enough = [d for d, p in zip(self.outputs, self.places, strict=False) if p in active]
        equations = self.equations(Equations(enough, self.order).forms)
        steps = tuple([self._witness(region, s, places) for s in rows.steps])
        view = self._view(region, places)
        return CaseData(where, Status.UNDECIDED, equations, view, steps, rows.reason, confirmed=False)

    def _view(self, region: Region, places: _Places) -> AffineView:
        """Strides f(e_j) − f(0), and the mask of the region."""
        shape, rank = tuple(map(to_entry, self.inner.shape)), self.inner.rank
        if region.is_empty():
            return AffineView(shape, (0,) * rank)
        origin = places.digits((0,) * rank)

        def move(index: Index) -> Poly:
            return combine([a - b for a, b in zip(places.digits(index), origin, strict=True)], self.strides)

        steps = [move(unit(a, rank)) if n > 1 else {} for a, n in enumerate(region.box.sizes)]
        offset = self.query.algebra.poly(self.query.views[0].offset)
        start = combine([1, *origin, *(-low for low in region.lows)], [offset, *self.strides, *steps])
        mask = None
        if any(v.mask is not None for v in self.query.views):
            mask = tuple([(low, low + n) for low, n in zip(region.lows, region.box.sizes, strict=True)])
            mask = None if mask == tuple([(0, n) for n in shape]) else mask
        return AffineView(shape, tuple(map(self.entry, steps)), self.entry(start), mask)

    def entry(self, form: Poly) -> IntTerm:
        """The form as an entry of a view."""
        return form.get(ONE, 0) if set(form) <= {ONE} else self.term(form)

    def _witness(self, region: Region, step: Step, places: _Places) -> WitnessData:
        before, reached = map(places.at, (step.before(), step.index))
        form = in_order(self._form(step.row), self.order)
        return WitnessData(
            region.original(step.index),
            step.axis,
            pattern(self.boundaries, before, reached - before),
            places.digits(step.index),
            equation(form) if form else TRUE,
        )
