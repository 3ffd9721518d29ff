"""The cases of a query whose inner sizes are numbers, by the strides and the offset of the inner view.

The address map is affine over unknown integers (`stride_unknowns`). Overflows depend only on their residues modulo
place values, so a finite table has the row space of each combination (`cases.table`). The combinations with one row
space become a formula, and with the row space a case. "Which boundaries overflow", proofs/README.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from math import prod

from symview.answers import AffineView, CaseData, Status
from symview.cases.case_builder import CaseBuilder
from symview.cases.equations import Equations
from symview.cases.query import open_region
from symview.cases.table import Entry, Point, Table, Unknown, describe, occurring, table
from symview.engine.index_map import Affine, IndexMap
from symview.engine.overflow_space import Engine, KnownSpace, RowSpaces, Space, find_rows
from symview.engine.presburger import coordinate
from symview.engine.row_space import Row, unit
from symview.engine.valid_box import Region
from symview.errors import Undecided
from symview.logic.solve import PATIENT, REMARK, Open, Sat, Unsat, is_impossible, solve
from symview.logic.sympy_bridge import is_number, to_entry, to_text
from symview.logic.terms import TRUE, Term, between, conj, disj, length, linear, sym
from symview.view import View
from symview.views.stride_formulas import AddressDigits, Carries, stays, support
from symview.views.stride_unknowns import Inside, Reached, Unknowns

_SHORT, _TOLD = 5_000, 20_000  # entries of a table that is made anyway; entries from which a view is simplified


def symbolic_strides(views: Sequence[View]) -> bool:
    """Whether inner strides or the offset are symbolic, for two views without masks and with numeric sizes."""
    if len(views) != 2 or any(v.mask is not None for v in views):
        return False
    inner = views[1]
    return all(is_number(n) for v in views for n in v.shape) and not all(map(is_number, (*inner.strides, inner.offset)))


def cases_by_stride(builder: CaseBuilder, size: int, inner: View, engine: Engine = "auto") -> list[CaseData]:
    """The cases of an inner view with symbolic strides or offset after an outer shape of `size` places.

    The table of residues is exact. If it is too large for the budget, or the budget ends, boundaries are examined one
    by one, and the rest is an undecided case. Every case is possible; the last is that of addresses outside. Raises
    OutOfBounds if the strides do not matter and the offset is a number outside.

    >>> from symview import conditions
    >>> for case in conditions(View.parse("(5,4):(a,b)"), View.parse("(3):(t)")).cases:
    ...     print(case, case.view, sep=" | ")
    0 ≤ t ≤ 9 and t % 4 ≤ 1: always | (3):(a*(t//4) + b*(t % 4))
    0 ≤ t ≤ 9 and t % 4 ≥ 2: a = 4*b | (3):(b*t)
    t < 0 or t > 9: out of bounds | None
    """
    if 0 in inner.shape:
        none = IndexMap(inner.shape, (0,) * inner.rank, 0)
        return [builder.case(TRUE, Region.whole(none), find_rows(builder.places, none))]
    unknowns = Unknowns(builder.query, inner)
    if unknowns.meaning and size == 0:
        return [builder.outside(TRUE)]
    if unknowns.meaning:
        return _Query(builder, unknowns, size, engine).cases()
    fixed = unknowns.box.at(())
    region = open_region(View(inner.shape, fixed.steps, fixed.start), size)
    return [builder.case(TRUE, region, find_rows(builder.places, region.box, engine, builder.budget))]


class _Query:
    """One query about a box whose address map contains unknowns."""

    def __init__(self, builder: CaseBuilder, unknowns: Unknowns, size: int, engine: Engine) -> None:
        self.builder, self.unknowns, self.size, self.engine = builder, unknowns, size, engine
        self.box, self.places, self.budget = unknowns.box, builder.places, builder.budget
        self.facts = builder.query.facts.formulas
        self.inside = Inside(unknowns.box, size, builder.budget)
        self.bounds = stays(self.box, size, unknowns.term)
        self.carries = Carries(self.box, self.places, unknowns.term)

    def cases(self) -> list[CaseData]:
        """The cases inside the outer shape, by a table or by boundaries if it is too large; then the case outside."""
        if self.inside.empty:
            return [self.builder.outside(TRUE)]
        found, outside = self._inside(), stays(self.box, self.size, self.unknowns.term, negate=True)
        return [*found, self.builder.outside(outside)] if self._occurs(outside) else found

    def _inside(self) -> list[CaseData]:
        try:
            columns = self.unknowns.columns(self.inside, self.places)
            if len(self.places) > 1 or prod(c.many() for c in columns) <= _SHORT:
                return list(self._by_table(columns))
            why = "one boundary is decided sooner than a table"
        except Undecided as stop:
            why = stop.reason
        return list(self._by_boundary(why))

    def _occurs(self, where: Term) -> bool:
        """Whether the facts allow values at which this is true; True if that is unknown."""
        return not is_impossible(
            [*self.facts, where], self.budget.at_most(PATIENT if self.unknowns.is_plain() else REMARK)
        )

    # By a table

    def _by_table(self, columns: Sequence[Unknown]) -> Iterator[CaseData]:
        """A case for each row space in the table that occurs for values of the symbols."""
        reached = Reached(self.unknowns, self.facts, self.inside, columns)
        part = self.budget.part(2)
        spaces, moving = RowSpaces(self.places, self.inside.moving.sizes, self.engine, part), self.inside.moving
        points = occurring(columns, self.inside.holds, reached.allows, part)
        found = table(columns, points, lambda point: spaces.of(moving.at(point)))
        groups = found.groups()
        for space, entries in groups.items():
            point = self._point(found, entries)
            if point is None:
                continue
            where = self._where(space, found, groups)
            if not any(reached.sees(found.points[e]) for e in entries) and not self._occurs(where):
                continue
            if space is None:
                yield self._undecided(where, "the budget does not decide the conditions at these strides")
                continue
            case = self._case_at(where, point, space)
            if case.view is not None and case.status is not Status.UNDECIDED:
                forced = [p for p, alone in self._units() if alone in space]
                case = replace(case, view=self._view(forced, columns, entries if len(entries) <= _TOLD else ()))
            yield case

    def _point(self, found: Table[KnownSpace], entries: Sequence[Entry]) -> Point | None:
        """A point inside with one of these entries, the first for which there is one; None if there is none."""
        for entry in entries:
            point = found.points[entry] or self.inside.point(
                f"({coordinate(k)} - {value}) mod {u.period} = 0" if u.period else f"{coordinate(k)} = {value}"
                for k, (value, u) in enumerate(zip(entry, found.unknowns, strict=True))
            )
            if point is not None:
                return point
        return None

    def _where(self, space: KnownSpace, found: Table[KnownSpace], groups: dict[KnownSpace, list[Entry]]) -> Term:
        """The shortest formula for the entries of a row space: by overflows, or by a description of the entries."""
        options, entries, unknowns = list[Term](), groups[space], found.unknowns
        known = [s for s in groups if s is not None]
        if space is not None and len(known) == len(groups):
            options.append(conj([self.bounds, self._by_overflows(space, known, found, groups)]))
        if not options or len(found.points) <= _SHORT:
            options.append(conj([self.bounds, describe(entries, found.points, unknowns, self.budget)]))
            if len(unknowns) == 1 and not unknowns[0].period:  # values next to those inside cover the bounds as well
                beyond = [(bound,) for bound in (unknowns[0].low - 1, unknowns[0].high + 1)]
                options.append(describe(entries, [*found.points, *beyond], unknowns, self.budget))
        shortest: Term = min(reversed(options), key=length)
        return shortest

    def _by_overflows(
        self, space: Space, known: Sequence[Space], found: Table[KnownSpace], groups: dict[KnownSpace, list[Entry]]
    ) -> Term:
        """The formula by the boundaries that overflow, and by what separates row spaces of the same boundaries."""
        if self.carries.has_few_indices():
            return self.carries.spans(space, known)
        active = support(space)
        alike = [e for other in known if support(other) == active for e in groups[other]]
        described = describe(groups[space], alike, found.unknowns, self.budget)
        return conj([self.carries.only([self.places[n] for n in active]), described])

    # By boundaries

    def _by_boundary(self, why: str) -> Iterator[CaseData]:
        """Exact if at most one boundary overflows; undecided if overflows of several may cancel."""
        unknowns = [sym(f"c{k}") for k in range(len(self.box.ranges))]

        def show(form: Affine) -> Term:
            return linear(zip(form.weights, unknowns, strict=True), form.constant)

        bounds = [c for u, ends in zip(unknowns, self.box.ranges, strict=True) for c in between(u, *ends)]
        carry, inside = Carries(self.box, self.places, show), [*bounds, stays(self.box, self.size, show)]
        brief, left = self.budget.at_most(PATIENT), list[int | None]()
        for alone in (None, *self.places):
            answer = solve([*inside, carry.only((alone,))], brief)
            if isinstance(answer, Open):
                left.append(alone)
            elif isinstance(answer, Sat):
                point = tuple([answer.model.get(u.args[0], 0) for u in unknowns])
                space = tuple([row for p, row in self._units() if p == alone])
                where = conj([self.bounds, self.carries.only((alone,))])
                if self._occurs(where):
                    case, forced = self._case_at(where, point, space), [] if alone is None else [alone]
                    yield case if case.view is None else replace(case, view=self._view(forced))

        def rest(carries: Carries) -> Term:
            return disj([carries.several(), *(carries.only((alone,)) for alone in left)])

        if isinstance(solve([*inside, rest(carry)], brief), Unsat):
            return
        where = conj([self.bounds, rest(self.carries)])
        if self._occurs(where):
            yield self._undecided(where, f"several boundaries overflow, whose carries may cancel: {why}")

    def _units(self) -> Iterator[tuple[int, Row]]:
        """Each boundary's place value and unit row."""
        for n, place in enumerate(self.places):
            yield place, unit(n, len(self.places))

    # Cases

    def _case_at(self, where: Term, point: Point, space: Space) -> CaseData:
        """The case of values with this row space, with the evidence at a point."""
        box = self.box.at(point)
        shown = ", ".join(f"{to_text(m)} = {x}" for m, x in zip(self.unknowns.terms, point, strict=True))
        at = f"{shown}, the same wherever the strides have such residues"
        return self.builder.case_at(where, Region.whole(box), space, at, self.engine)

    def _undecided(self, where: Term, why: str) -> CaseData:
        """An undecided case. Sufficient, but perhaps not necessary: every defect is 0."""
        defects = self.builder.outputs[: len(self.places)]
        equations = self.builder.equations(Equations(defects, self.builder.order).forms)
        return CaseData(where, Status.UNDECIDED, equations, self._view(self.places), reason=why, confirmed=False)

    def _view(
        self, forced: Collection[int], columns: Sequence[Unknown] = (), entries: Collection[Entry] = ()
    ) -> AffineView:
        """The merged view for these entries, with dims contiguous at the forced places.

        Its strides f(e_j) − f(0) come from digits of addresses. Without entries nothing is known of the strides.
        """
        periodic = [k for k, c in enumerate(columns) if c.period]
        digits = AddressDigits(self.builder, forced, self.unknowns.term, periodic)
        moving = [(t, entries if n > 1 else None) for n, t in zip(self.box.sizes, self.box.steps, strict=True)]
        steps, offset = digits.moves(self.box.start, moving, entries)
        return AffineView(tuple(map(to_entry, self.builder.inner.shape)), tuple(steps), offset)
