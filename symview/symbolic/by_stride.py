"""The cases of a query by the strides and the offset of the inner view, its sizes being numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias

from symview.answers import AffineView, CaseData, Status
from symview.engine.carry_formulas import CarryFormulas, support
from symview.engine.index_map import IndexMap
from symview.engine.open_map import Affine, Inside, Point, unknown
from symview.engine.overflow_space import Engine, find_rows
from symview.engine.row_space import Row
from symview.engine.size_sets import coordinate
from symview.engine.stride_table import Table, columns_of, count_entries, make_table, most_entries
from symview.engine.tables import Column, Entry, describe, length
from symview.engine.valid_box import Region
from symview.errors import InternalError
from symview.logic.polynomial import Poly
from symview.logic.solve import Answer, Open, Sat, Unsat, solve
from symview.logic.sympy_bridge import free_symbols, is_number, to_entry, to_text
from symview.logic.terms import TRUE, IntTerm, Term, conj, disj, names, negated, num, sym, total
from symview.symbolic.case_builder import CaseBuilder
from symview.symbolic.equations import Equations, combine
from symview.symbolic.facts import open_region
from symview.symbolic.moved_strides import Entries, digits, moves
from symview.symbolic.open_inner import OpenInner
from symview.symbolic.reach import Reach
from symview.view import View


def symbolic_strides(views: Sequence[View]) -> bool:
    """Whether the inner strides or offset are no numbers, for two views without masks whose sizes are numbers."""
    if len(views) != 2 or any(v.mask is not None for v in views):
        return False
    inner = views[1]
    return all(is_number(n) for v in views for n in v.shape) and not all(map(is_number, (*inner.strides, inner.offset)))


def cases_by_stride(builder: CaseBuilder, size: int, inner: View, engine: Engine = "auto") -> list[CaseData]:
    """The cases of an inner view with symbolic strides or offset after an outer shape of `size` places.

    Exact: in bounds the strides have finitely many values, and overflows depend on their residues
    modulo the largest place value. Where these are too many for the budget, what is left open is
    a case that is undecided.
    Raises OutOfBounds where the strides do not matter and the offset is a number outside.

    >>> from symview import conditions
    >>> for case in conditions(View.parse("(5,4):(a,b)"), View.parse("(3):(t)")).cases:
    ...     print(case, case.view, sep=" | ")
    0 ≤ t ≤ 9 and t % 4 ≤ 1: always | (3):(a*(t//4) + b*(t % 4))
    0 ≤ t ≤ 9 and t % 4 ≥ 2: a = 4b | (3):(b*t)
    t < 0 or t > 9: out of bounds | None
    """
    if 0 in inner.shape:
        none = IndexMap(inner.shape, (0,) * inner.rank, 0)
        return [builder.case(TRUE, _whole(none), find_rows(builder.places, none))]
    opened = OpenInner(inner, builder.query.facts.formulas)
    if opened.meaning:
        return list(_Query(builder, opened, size, engine).cases())
    fixed = opened.box.at(())
    region = open_region(View(inner.shape, fixed.steps, fixed.start), size)
    return [builder.case(TRUE, region, find_rows(builder.places, region.box, engine, builder.budget))]


_SHORT = 5_000  # entries that are worth being told one by one
_Found: TypeAlias = tuple[CaseData, Iterable[Point]]  # points: some that are in the case


class _Group(NamedTuple):
    """Entries of the table with one answer, and the place values at which it makes outer dims contiguous."""

    entries: list[Entry]
    forced: frozenset[int]
    case: CaseData


class _Query:
    def __init__(self, builder: CaseBuilder, opened: OpenInner, size: int, engine: Engine) -> None:
        self.builder, self.opened, self.engine = builder, opened, engine
        self.box, self.places, self.budget = opened.box, builder.places, builder.budget
        self.inside = Inside(opened.box, size, opened.given, builder.budget)
        self.carries = CarryFormulas(opened.box, self.places)

    def cases(self) -> Iterator[CaseData]:
        """The cases that some values reach."""
        if self.inside.empty:
            yield self.builder.outside(TRUE)
            return
        columns = columns_of(self.box, self.inside, self.places[0] if self.places else 1)
        count, most = count_entries(columns, self.inside), most_entries(self.budget)
        exact = len(self.places) == 1 and count > _SHORT
        found = self._by_boundary(count, most) if exact or count > most else self._by_table(columns)
        reach = Reach(self.opened, self.builder.query.facts.formulas, self.budget)
        yield from (case for case, points in found if reach.is_possible(case.where, points))
        outside = self.builder.outside(self._where(self.inside.negation()))
        if reach.is_possible(outside.where):
            yield outside

    def _where(self, formula: Term) -> Term:
        return self.opened.with_meaning(formula)

    # Entry by entry

    def _by_table(self, columns: tuple[Column, ...]) -> Iterator[_Found]:
        allowed = self.opened.allowed(columns)
        table = make_table(self.places, self.box, self.inside, columns, allowed, self.engine, self.budget)
        groups: dict[Any, list[_Group]] = {}
        tied = self._is_tied()
        for number, (space, entries) in enumerate(table.groups().items()):
            point = self._point(table, entries)
            if point is not None:
                group = self._group(table, space, entries, point)
                groups.setdefault(number if tied else _answer(group.case), []).append(group)
        for same in groups.values():
            points = (table.points[e] for g in same for e in g.entries)
            yield self._joined(table, same), (p for p in points if p is not None)

    def _point(self, table: Table, entries: Iterable[Entry]) -> Point | None:
        """A point inside with one of the entries."""
        for entry in entries:
            point = table.points[entry]
            if point is None:
                wanted = [
                    f"({coordinate(k)} - {value}) mod {c.period} = 0" if c.period else f"{coordinate(k)} = {value}"
                    for k, (value, c) in enumerate(zip(entry, table.columns, strict=True))
                ]
                point = self.inside.point(wanted)
            if point is not None:
                return point
        return None

    def _group(self, table: Table, space: tuple[Row, ...] | None, entries: list[Entry], point: Point) -> _Group:
        formula = self._formula(table, entries)
        if space is None:
            why = "the budget does not settle the conditions at these strides"
            return _Group(entries, frozenset(self.places), self._undecided(formula, why))
        case = self._settled(formula, point, space)
        forced = [p for p, unit in zip(self.places, _units(len(self.places)), strict=True) if unit in space]
        return _Group(entries, frozenset(forced), case)

    def _joined(self, table: Table, groups: Sequence[_Group]) -> CaseData:
        """Groups with the same answer as one case."""
        first = groups[0].case
        entries = [e for g in groups for e in g.entries]
        if len(groups) > 1:
            first = replace(first, where=self._where(self._formula(table, entries)))
        if first.view is None or first.status is Status.UNDECIDED:
            return first
        forced = frozenset.intersection(*(g.forced for g in groups))
        return replace(first, view=self._view(forced, Entries(table.columns, entries)))

    def _formula(self, table: Table, entries: Collection[Entry]) -> Term:
        """The shortest of some formulas for these entries."""
        inside, columns = self.inside.formula(), table.columns
        options: list[Term] = []
        spaces = {space for space in table.spaces.values() if space is not None}
        decided = len(spaces) == len(set(table.spaces.values()))
        if decided and self.carries.has_few_indices():
            own = {table.spaces[e] for e in entries}
            options.append(conj([inside, disj(self.carries.spans(s, spaces) for s in sorted(spaces) if s in own)]))
        elif decided:
            options.append(conj([inside, self._by_overflows(table, entries)]))
        if not options or len(table.points) <= _SHORT:
            options.append(conj([inside, describe(entries, table.points, columns)]))
            if len(columns) == 1 and not columns[0].period:
                options.append(describe(entries, table.points, [columns[0]._replace(ends=True)]))
        shortest: Term = min(reversed(options), key=length)
        return shortest

    def _by_overflows(self, table: Table, entries: Collection[Entry]) -> Term:
        """Which boundaries overflow, and what else counts where the same ones do."""
        active = {space: support(space or ()) for space in set(table.spaces.values())}
        known: dict[tuple[int, ...], list[Entry]] = {}
        own: dict[tuple[int, ...], list[Entry]] = {}
        for found, several in ((known, table.points), (own, entries)):
            for entry in several:
                found.setdefault(active[table.spaces[entry]], []).append(entry)
        return disj(
            conj([self.carries.only([self.places[n] for n in a]), describe(own[a], known[a], table.columns)])
            for a in sorted(own)
        )

    def _is_tied(self) -> bool:
        """Whether the facts, or shared symbols, tie the outer strides to the inner view."""
        reached, before = set(names(*self.opened.meaning)), 0
        while len(reached) > before:
            before = len(reached)
            facts = self.builder.query.facts.formulas
            reached.update(n for f in facts if reached.intersection(names(f)) for n in names(f))
        return not reached.isdisjoint(free_symbols(self.builder.query.views[0].strides))

    # Boundary by boundary

    def _by_boundary(self, count: int, most: int) -> Iterator[_Found]:
        """Exact where at most one boundary overflows; undecided where carries of several may cancel."""
        bent = [negated(f) for f in self.carries.stays.values()]
        left = [conj(pair) for pair in combinations(bent, 2)]
        for alone in (None, *self.places):
            formula = self.carries.only((alone,))
            answer = self._ask(formula)
            if isinstance(answer, Open):
                left.append(formula)
            elif isinstance(answer, Sat):
                point = tuple([answer.model.get(unknown(k), 0) for k in range(len(self.opened.meaning))])
                space = tuple([u for p, u in zip(self.places, _units(len(self.places)), strict=True) if p == alone])
                case = self._settled(conj([self.inside.formula(), formula]), point, space)
                forced = frozenset() if alone is None else frozenset({alone})
                yield case if case.view is None else replace(case, view=self._view(forced, Entries((), ()))), [point]
        if left and not isinstance(self._ask(disj(left)), Unsat):
            why = (
                f"several boundaries overflow, whose carries may cancel: that depends on {count} residues or values "
                f"of the strides and the offset, and the budget of {self.budget.points} points allows {most}"
            )
            yield self._undecided(conj([self.inside.formula(), disj(left)]), why), ()

    def _ask(self, formula: Term) -> Answer:
        bounds = [
            Term(op, (sym(unknown(k)), num(bound)))
            for k, ends in enumerate(self.opened.given)
            for op, bound in zip((">=", "<="), ends, strict=True)
            if bound is not None
        ]
        return solve([*bounds, self.inside.formula(), formula], self.budget)

    # Cases

    def _settled(self, formula: Term, point: Point, space: tuple[Row, ...]) -> CaseData:
        """The case of values with one row space, with the evidence at a point."""
        box = self.box.at(point)
        rows = find_rows(self.places, box, self.engine, self.budget)
        if not rows.settled:
            rows = find_rows(self.places, box, "auto", self.budget)
        if rows.settled and rows.space.rows != space:
            raise InternalError(f"at {point}: {rows.space.rows} and {space} are two row spaces")
        shown = ", ".join(f"{to_text(m)} = {x}" for m, x in zip(self.opened.meaning, point, strict=True))
        reason = f"{rows.reason}; shown at {shown}, the same wherever the strides have such residues"
        case = self.builder.case(self._where(formula), _whole(box), rows._replace(reason=reason))
        inner = View(box.sizes, box.steps, box.start)
        return replace(case, witnesses=tuple([replace(w, inner=inner) for w in case.witnesses]))

    def _undecided(self, formula: Term, why: str) -> CaseData:
        """Enough, and not known to be needed: no boundary has a defect."""
        defects = self.builder.outputs[: len(self.places)]
        equations = self.builder.equations(Equations(defects, self.builder.kept_strides).forms)
        view = self._view(frozenset(self.places), Entries((), ()))
        return CaseData(self._where(formula), Status.UNDECIDED, equations, view, reason=why, confirmed=False)

    def _view(self, forced: frozenset[int], about: Entries) -> AffineView:
        builder, inner = self.builder, self.builder.inner
        cuts = (self.places, {*self.places} - forced)
        plain, joined = (digits(builder.kept_sizes, builder.kept_strides, set(c)) for c in cuts)
        zero = Affine((0,) * len(self.opened.meaning), 0)

        def moved(start: Affine, step: Affine, more: Poly) -> IntTerm:
            found = moves(plain, joined, start, step, about)
            if all(t.op == "int" for _, t in found):
                return builder.entry(combine([1, *(t.args[0] for _, t in found)], [more, *(form for form, _ in found)]))
            parts = [Term("*", (builder.term(form), self.opened.with_meaning(t))) for form, t in found]
            return total([*([builder.term(more)] if more else []), *parts])

        start = self.box.start
        steps = [moved(start, t, {}) if n > 1 else 0 for n, t in zip(self.box.sizes, self.box.steps, strict=True)]
        offset = moved(zero, start, builder.query.algebra.poly(builder.query.views[0].offset))
        return AffineView(tuple(map(to_entry, inner.shape)), tuple(steps), offset)


def _units(width: int) -> list[Row]:
    return [tuple([int(a == b) for b in range(width)]) for a in range(width)]


def _answer(case: CaseData) -> Any:
    """Equal for cases that say the same, except that undecided ones stay apart."""
    return (case.status, () if case.status is Status.NEVER else case.required)


def _whole(box: IndexMap) -> Region:
    return Region((0,) * len(box.sizes), box)
