"""The cases of a query by the strides and the offset of the inner view, its sizes being numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, product
from math import gcd, lcm, prod
from typing import Any, NamedTuple

from symview.answers import AffineView, CaseData, Status
from symview.engine.index_map import IndexMap
from symview.engine.open_map import Affine, Inside, OpenMap, Point, Range
from symview.engine.overflow_space import Engine, find_rows
from symview.engine.radix import place_values
from symview.engine.row_space import Row, RowSpace, primitive
from symview.engine.stride_table import Column, Entry, Rows, Table, columns_of, make_table, most_entries
from symview.engine.valid_box import Region
from symview.errors import InternalError, Undecided
from symview.logic.points import Function, bounds_of, by_size, compiled, true_at
from symview.logic.polynomial import ONE, Poly
from symview.logic.solve import PATIENT, REMARK, Open, Sat, Unsat, is_impossible, solve
from symview.logic.sympy_bridge import free_symbols, is_number, to_entry, to_sympy, to_text
from symview.logic.terms import TRUE, IntTerm, Term, conj, disj, linear, names, num, sym, total
from symview.symbolic.algebra import Algebra
from symview.symbolic.case_builder import CaseBuilder
from symview.symbolic.cases import between
from symview.symbolic.equations import Equations, combine
from symview.symbolic.facts import Query, open_region
from symview.symbolic.stride_formulas import Carries, Show, Told, describe, entry_formula, length, stays, support, told
from symview.view import View

_SHORT, _TOLD = 5_000, 20_000  # entries that are worth being told one by one, or being looked at for a view
_NEAR, _VALUES = 3_000, 20_000  # values of the symbols that are tried one by one
_ASKED = 16  # entries that one question may be about


def symbolic_strides(views: Sequence[View]) -> bool:
    """Whether the inner strides or offset are no numbers, for two views without masks whose sizes are numbers."""
    if len(views) != 2 or any(v.mask is not None for v in views):
        return False
    inner = views[1]
    return all(is_number(n) for v in views for n in v.shape) and not all(map(is_number, (*inner.strides, inner.offset)))


def cases_by_stride(builder: CaseBuilder, size: int, inner: View, engine: Engine = "auto") -> list[CaseData]:
    """The cases of an inner view with symbolic strides or offset after an outer shape of `size` places.

    Its address map is affine over unknown integers. In bounds these have finitely many values, and overflows
    depend on their residues modulo the largest place value: a table of these is exact. Where it is too large for
    the budget, or the budget ends, boundaries are looked at one by one, and what is left open is a case that is
    undecided.
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
    unknowns = Unknowns(builder.query, inner)
    if unknowns.meaning:
        return list(_Query(builder, unknowns, size, engine).cases())
    fixed = unknowns.box.at(())
    region = open_region(View(inner.shape, fixed.steps, fixed.start), size)
    return [builder.case(TRUE, region, find_rows(builder.places, region.box, engine, builder.budget))]


class Unknowns:
    """The unknown integers over which the start and the steps of an inner view are affine.

    `meaning` says of each what polynomial it stands for: one of the monomials that occur, where the strides and
    the offset determine these; else one of the forms that strides and offset are multiples of. `box` is the
    address map over them, with the bounds that the facts put on them.

    >>> from symview.symbolic.facts import query_about
    >>> from symview.logic.budget import DEFAULT
    >>> def shown(text: str) -> list[str]:
    ...     views = View.parse("(9,9)"), View.parse(text)
    ...     return [to_text(m) for m in Unknowns(query_about(views, (), DEFAULT), views[1]).terms]
    >>> shown("(2,2):(2*t,3*t+u)"), shown("(2,2):(2*t,3*t+u)+u"), shown("(2,3):(t+u,2*t+2*u+1)")
    (['t', 'u'], ['t', 'u'], ['t + u'])
    """

    def __init__(self, query: Query, inner: View) -> None:
        self.algebra: Algebra = query.algebra
        steps = [t if n != 1 else 0 for n, t in zip(inner.shape, inner.strides, strict=True)]
        forms = [self.algebra.poly(x) for x in (*steps, inner.offset)]
        monomials = list(dict.fromkeys(m for f in forms for m in f if m))
        rows = [tuple([f.get(m, 0) for m in monomials]) for f in forms]
        kinds = [tuple([int(m == n) for n in monomials]) for m in monomials]
        if RowSpace(len(monomials), rows).rank < len(monomials):
            kinds = list(dict.fromkeys(primitive(r) for r in rows if any(r)))
            rows = [_multiple(r, kinds) for r in rows]
        self.meaning = tuple([{m: c for m, c in zip(monomials, kind, strict=True) if c} for kind in kinds])
        self.terms = tuple(map(self.algebra.term, self.meaning))
        symbols = free_symbols(inner.entries())
        ranges = tuple([_bounds(m, to_sympy(m, symbols), query.facts.formulas) for m in self.terms])
        affine = [Affine(row, f.get(ONE, 0)) for row, f in zip(rows, forms, strict=True)]
        self.box = OpenMap(inner.shape, tuple(affine[:-1]), affine[-1], ranges)

    def term(self, form: Affine) -> Term:
        """A form of them over the symbols."""
        return self.algebra.term(combine((*form.weights, form.constant), (*self.meaning, {ONE: 1})))

    def is_plain(self) -> bool:
        """Whether every unknown is a symbol, so that all its values can occur."""
        return all(m.op == "sym" for m in self.terms)


def _multiple(row: Row, kinds: Sequence[Row]) -> Row:
    own = primitive(row)
    times = gcd(*row) * (1 if own == tuple([x // gcd(*row) for x in row]) else -1) if any(row) else 0
    return tuple([times if kind == own else 0 for kind in kinds])


def _bounds(meaning: Term, value: Any, facts: Sequence[Term]) -> Range:
    """What the facts say of a symbol; of other expressions what the assumptions of their symbols say."""
    if meaning.op == "sym":
        own = [f for f in facts if names(f) == meaning.args]
        return bounds_of(own, list(meaning.args))[0]
    if meaning.op == "%" and meaning.args[1].op == "int" and meaning.args[1].args[0] > 0:
        return 0, meaning.args[1].args[0] - 1
    low = 1 if value.is_positive else 0 if value.is_nonnegative else None
    return low, -1 if value.is_negative else 0 if value.is_nonpositive else None


class _Reached:
    """Which entries of a table values of the symbols reach that the facts allow.

    A symbol has finitely many values where a polynomial in it alone is bounded; of others the residues tell the
    residues of the unknowns. `possible` are the residues modulo `moduli` that occur together, None where all
    may; they are reached for sure where `exact`. `seen` are entries that small values reach.
    """

    def __init__(self, unknowns: Unknowns, facts: Sequence[Term], inside: Inside, columns: Sequence[Column]) -> None:
        self.inside, self.columns, self.plain = inside, columns, unknowns.is_plain()
        self.terms, self.names = unknowns.terms, names(*unknowns.terms)
        self.own = [f for f in facts if set(names(f)) <= set(self.names)]
        self.tied = any(not set(names(f)).isdisjoint(self.names) for f in facts if f not in self.own)
        self.moduli = [len(c.entries()) for c in columns]
        self.possible: set[Entry] | None = None
        self.exact = False
        if self.own or not self.plain:
            values: dict[str, list[int]] = {}
            for meaning, column in zip(unknowns.meaning, columns, strict=True):
                if len({n for m in meaning for n in m}) == 1 and not unknowns.algebra.opaque.keys() & next(
                    iter(meaning)
                ):
                    values |= _preimage(meaning, column.low, column.high)
            _ = self._try(values) or self._try({})
        ranges = bounds_of([f for f in self.own if len(names(f)) == 1], self.names)
        small = () if self.plain or self.exact or self.tied else islice(by_size(ranges), _NEAR)
        test, run = conj(self.own), [compiled(t, self.names, "floor") for t in self.terms]
        points = self._points(compiled(test, self.names, "floor"), run, small)
        self.seen = {tuple([c.entry(x) for c, x in zip(columns, p, strict=True)]) for p in points if inside.holds(p)}

    def allows(self, entry: Entry) -> bool:
        """Whether residues of the symbols leave it."""
        return self.possible is None or tuple([v % m for v, m in zip(entry, self.moduli, strict=True)]) in self.possible

    def sees(self, entry: Entry, point: Point | None) -> bool:
        """Whether it is known to be reached; `point`: values of the unknowns that it has."""
        if self.exact or self.tied or not self.plain:
            return self.exact or entry in self.seen
        return point is not None and true_at(self.own, dict(zip(self.names, point, strict=True)))

    def _try(self, values: dict[str, list[int]]) -> bool:
        """Looks at all values of the symbols, or all their residues, unless these are too many."""
        needs = [_needed(t, m, values) for t, m in zip(self.terms, self.moduli, strict=True)]
        about = [(f, _needed(f, 0, values)) for f in self.own]
        most: dict[str, int] = {}
        for need in (*needs, *(need for _, need in about)):
            for name, modulus in (need or {}).items():
                most[name] = lcm(most.get(name, 1), modulus)
        spans = [values[n] if n in values else range(most.get(n, 1)) for n in self.names]
        if prod(map(len, spans)) > _VALUES:
            return False
        self.inside.budget.spend(10 * prod(map(len, spans)))
        self.exact = len(values) == len(self.names) and not self.tied
        self.moduli = [1 if need is None else m for need, m in zip(needs, self.moduli, strict=True)]
        test = compiled(conj(f for f, need in about if need is not None), self.names, "floor")
        told = [num(0) if need is None else t for need, t in zip(needs, self.terms, strict=True)]
        points = self._points(test, [compiled(t, self.names, "floor") for t in told], product(*spans))
        self.possible = {
            tuple([x % m for x, m in zip(p, self.moduli, strict=True)])
            for p in points
            if not self.exact or self.inside.holds(p)
        }
        return True

    @staticmethod
    def _points(test: Function, run: Sequence[Function], values: Iterable[Sequence[int]]) -> Iterator[Point]:
        """What the unknowns are at the values of the symbols that pass the test."""
        for chosen in values:
            try:
                if test(chosen):
                    yield tuple([f(chosen) for f in run])
            except ZeroDivisionError:
                continue


def _preimage(meaning: Poly, low: int, high: int) -> dict[str, list[int]]:
    """The name of a polynomial in one variable, and where it is in low..high; nothing if these may be many.

    Theory: |p(x)| >= (|x| − S)^d for |x| >= S, where d is the degree and S the sum of the lower coefficients' sizes.
    """
    degree, most = max(map(len, meaning)), max(abs(low), abs(high))
    far = sum(abs(c) for m, c in meaning.items() if len(m) < degree) + int(most ** (1 / degree)) + 2
    if far > _NEAR:
        return {}
    near = range(-far, far + 1)
    found = [x for x in near if low <= sum(c * x ** len(m) for m, c in meaning.items()) <= high]
    return {next(iter(meaning))[0]: found}


def _needed(term: Term, modulus: int, values: Collection[str]) -> dict[str, int] | None:
    """Modulo what the symbols tell the term modulo `modulus`, or its value if that is 0; None where they do not.

    `values` are the symbols whose values are told anyway.
    """
    op, args = term
    if op in ("int", "bool") or (op == "sym" and args[0] in values):
        return {}
    if op == "sym":
        return {args[0]: modulus} if modulus else None
    by_number = op in ("//", "%") and args[1].op == "int" and args[1].args[0] > 0
    if by_number and (op == "%" or modulus):
        return _needed(args[0], args[1].args[0] * (modulus if op == "//" else 1), values)
    found: dict[str, int] = {}
    for a in args:
        need = _needed(a, modulus if op in ("+", "-", "*", "neg") else 0, values)
        if need is None:
            return None
        for name, m in need.items():
            found[name] = lcm(found.get(name, 1), m)
    return found


class _Group(NamedTuple):
    """Entries of the table with one row space, a point that has one of them, and the case that it shows."""

    space: Rows
    entries: list[Entry]
    point: Point
    case: CaseData | None  # None where the budget does not settle the space


class _Query:
    def __init__(self, builder: CaseBuilder, unknowns: Unknowns, size: int, engine: Engine) -> None:
        self.builder, self.unknowns, self.size, self.engine = builder, unknowns, size, engine
        self.box, self.places, self.budget = unknowns.box, builder.places, builder.budget
        self.facts = builder.query.facts.formulas
        self.inside = Inside(unknowns.box, size, builder.budget)
        self.bounds = stays(self.box, size, unknowns.term)
        self.carries = Carries(self.box, self.places, unknowns.term)

    def cases(self) -> Iterator[CaseData]:
        """The cases that some values reach."""
        if self.inside.empty:
            yield self.builder.outside(TRUE)
            return
        columns = columns_of(self.inside, self.places[0] if self.places else 1)
        count, most = prod(len(c.entries()) for c in columns), most_entries(self.budget)
        why = (
            f"that depends on {count} residues or values of the strides and the offset, "
            f"and the budget of {self.budget.points} points allows {most}"
        )
        found: list[CaseData] | None = None
        if count <= most and not (len(self.places) == 1 and count > _SHORT) and self.inside.sides is not None:
            try:
                found = list(self._by_table(columns))
            except Undecided as stop:
                why = stop.reason
        yield from self._by_boundary(why) if found is None else found
        outside = stays(self.box, self.size, self.unknowns.term, negate=True)
        if self._occurs(outside):
            yield self.builder.outside(outside)

    def _occurs(self, where: Term) -> bool:
        """Whether the facts leave values at which this is true, or it is not known that they leave none."""
        return not is_impossible(
            [*self.facts, where], self.budget.at_most(PATIENT if self.unknowns.is_plain() else REMARK)
        )

    # Entry by entry

    def _by_table(self, columns: tuple[Column, ...]) -> Iterator[CaseData]:
        reached = _Reached(self.unknowns, self.facts, self.inside, columns)
        part = self.budget.part(2)
        table = make_table(self.places, self.inside, columns, reached.allows, self.engine, part)
        names = told(columns, self.unknowns.term)
        groups: dict[Any, list[_Group]] = {}
        tied = self._is_tied()
        for number, (space, entries) in enumerate(table.by_space().items()):
            point = next((p for e in entries if (p := table.point(e, self.inside)) is not None), None)
            if point is None:
                continue
            if not any(reached.sees(e, table.points[e]) for e in entries):
                few = disj(entry_formula(e, names) for e in entries[:_ASKED])
                few = conj([self.bounds, few]) if len(entries) <= _ASKED else self._formula(table, entries, names)
                if not self._occurs(few):
                    continue
            case = None if space is None else self._settled(TRUE, point, space)
            answer = case and (case.status, () if case.status is Status.NEVER else case.required)
            key = number if tied or answer is None else answer
            groups.setdefault(key, []).append(_Group(space, entries, point, case))
        for same in groups.values():
            entries = [e for g in same for e in g.entries]
            where, (space, _, point, case) = self._formula(table, entries, names), same[0]
            if space is None or case is None:
                yield self._undecided(where, "the budget does not settle the conditions at these strides")
                continue
            case = self._settled(where, point, space) if tied else replace(case, where=where)
            if case.view is not None and case.status is not Status.UNDECIDED:
                forced = [p for p, unit in zip(self.places, _units(len(self.places)), strict=True)
                          if all(g.space is not None and unit in g.space for g in same)]  # fmt: skip
                case = replace(case, view=self._view(forced, columns, entries if len(entries) <= _TOLD else ()))
            yield case

    def _formula(self, table: Table, entries: Collection[Entry], names: list[Told]) -> Term:
        """The shortest of some formulas for these entries."""
        options: list[Term] = []
        spaces = {space for space in table.spaces.values() if space is not None}
        if None not in table.spaces.values():
            own = {table.spaces[e] for e in entries}
            few = self.carries.has_few_indices()
            either = disj(self.carries.spans(s, spaces) for s in sorted(spaces) if s in own) if few else None
            options.append(conj([self.bounds, either or self._by_overflows(table, entries, names)]))
        if not options or len(table.points) <= _SHORT:
            options.append(conj([self.bounds, describe(entries, table.points, names, self.budget)]))
            if len(names) == 1 and not names[0].period:
                beyond = [(bound,) for bound in (table.columns[0].low - 1, table.columns[0].high + 1)]
                options.append(describe(entries, [*table.points, *beyond], names, self.budget))
        shortest: Term = min(reversed(options), key=length)
        return shortest

    def _by_overflows(self, table: Table, entries: Collection[Entry], names: list[Told]) -> Term:
        """Which boundaries overflow, and what else counts where the same ones do."""
        active = {space: support(space or ()) for space in set(table.spaces.values())}
        known: dict[tuple[int, ...], list[Entry]] = {}
        own: dict[tuple[int, ...], list[Entry]] = {}
        for found, several in ((known, table.points), (own, entries)):
            for entry in several:
                found.setdefault(active[table.spaces[entry]], []).append(entry)
        return disj(
            conj([self.carries.only([self.places[n] for n in a]), describe(own[a], known[a], names, self.budget)])
            for a in sorted(own)
        )

    def _is_tied(self) -> bool:
        """Whether the facts, or shared symbols, tie the outer strides to the inner view."""
        reached, before = set(names(*self.unknowns.terms)), 0
        while len(reached) > before:
            before = len(reached)
            reached.update(n for f in self.facts if reached.intersection(names(f)) for n in names(f))
        return not reached.isdisjoint(free_symbols(self.builder.query.views[0].strides))

    # Boundary by boundary

    def _by_boundary(self, why: str) -> Iterator[CaseData]:
        """Exact where at most one boundary overflows; undecided where carries of several may cancel."""
        unknowns = [sym(f"c{k}") for k in range(len(self.box.ranges))]

        def show(form: Affine) -> Term:
            return linear(zip(form.weights, unknowns, strict=True), form.constant)

        bounds = [c for u, ends in zip(unknowns, self.box.ranges, strict=True) for c in between(u, *ends)]
        asked, inside = Carries(self.box, self.places, show), [*bounds, stays(self.box, self.size, show)]
        brief, left = self.budget.at_most(PATIENT), list[int | None]()
        for alone in (None, *self.places):
            answer = solve([*inside, asked.only((alone,))], brief)
            if isinstance(answer, Open):
                left.append(alone)
            elif isinstance(answer, Sat):
                point = tuple([answer.model.get(u.args[0], 0) for u in unknowns])
                space = tuple([u for p, u in zip(self.places, _units(len(self.places)), strict=True) if p == alone])
                where = conj([self.bounds, self.carries.only((alone,))])
                if self._occurs(where):
                    case = self._settled(where, point, space)
                    forced = [] if alone is None else [alone]
                    yield case if case.view is None else replace(case, view=self._view(forced))

        def rest(carries: Carries) -> Term:
            return disj([carries.several(), *(carries.only((alone,)) for alone in left)])

        if isinstance(solve([*inside, rest(asked)], brief), Unsat):
            return
        where = conj([self.bounds, rest(self.carries)])
        if self._occurs(where):
            yield self._undecided(where, f"several boundaries overflow, whose carries may cancel: {why}")

    # Cases

    def _settled(self, where: Term, point: Point, space: tuple[Row, ...]) -> CaseData:
        """The case of values with one row space, with the evidence at a point."""
        box = self.box.at(point)
        rows = find_rows(self.places, box, self.engine, self.budget)
        if not rows.settled:
            rows = find_rows(self.places, box, "auto", self.budget)
        if rows.settled and rows.space.rows != space:
            raise InternalError(f"at {point}: {rows.space.rows} and {space} are two row spaces")
        shown = ", ".join(f"{to_text(m)} = {x}" for m, x in zip(self.unknowns.terms, point, strict=True))
        reason = f"{rows.reason}; shown at {shown}, the same wherever the strides have such residues"
        case = self.builder.case(where, _whole(box), rows._replace(reason=reason))
        inner = View(box.sizes, box.steps, box.start)
        return replace(case, witnesses=tuple([replace(w, inner=inner) for w in case.witnesses]))

    def _undecided(self, where: Term, why: str) -> CaseData:
        """Enough, and not known to be needed: no boundary has a defect."""
        defects = self.builder.outputs[: len(self.places)]
        equations = self.builder.equations(Equations(defects, self.builder.kept_strides).forms)
        return CaseData(where, Status.UNDECIDED, equations, self._view(self.places), reason=why, confirmed=False)

    def _view(
        self, forced: Collection[int], columns: Sequence[Column] = (), entries: Collection[Entry] = ()
    ) -> AffineView:
        """The merged view for these entries, all dims being contiguous at the places that are forced.

        Without entries nothing is known of the strides.
        """
        builder, show = self.builder, self.unknowns.term
        cuts = ({*self.places}, {*self.places} - {*forced})
        plain, joined = (_digits(builder.kept_sizes, builder.kept_strides, c) for c in cuts)

        def moved(start: Affine, step: Affine, more: Poly) -> IntTerm:
            if entries:  # without any, this is what is left to say when the budget is over
                self.budget.spend(len(entries))
            pairs = {(start.at(e), step.at(e)) for e in entries}
            exact = bool(entries) and not any(w and c.period for w, c in zip(step.weights, columns, strict=True))
            found = [d.moved(start, step, pairs, exact, show) for d in plain]
            digits = plain if all(t.op == "int" for t in found) else joined
            found = found if digits is plain else [d.moved(start, step, pairs, exact, show) for d in joined]
            if all(t.op == "int" for t in found):
                forms = [more, *(d.stride for d in digits)]
                return builder.entry(combine([1, *(t.args[0] for t in found)], forms))
            parts = [Term("*", (builder.term(d.stride), t)) for d, t in zip(digits, found, strict=True)]
            return total([*([builder.term(more)] if more else []), *parts])

        zero, start = Affine((0,) * len(self.box.ranges), 0), self.box.start
        steps = [moved(start, t, {}) if n > 1 else 0 for n, t in zip(self.box.sizes, self.box.steps, strict=True)]
        offset = moved(zero, start, builder.query.algebra.poly(builder.query.views[0].offset))
        return AffineView(tuple(map(to_entry, builder.inner.shape)), tuple(steps), offset)


class _Digit(NamedTuple):
    """x // place, modulo `modulus` unless that is 0; the digit of an outer dim with this stride."""

    place: int
    modulus: int
    stride: Poly

    def of(self, value: int) -> int:
        """The digit of an address."""
        return value // self.place % self.modulus if self.modulus else value // self.place

    def term(self, value: Affine, show: Show) -> Term:
        """The digit of an address that may be open."""
        if value.is_number():
            return num(self.of(value.constant))
        found = self._quotient(value, show)
        return Term("%", (found, num(self.modulus))) if self.modulus else found

    def moved(self, start: Affine, step: Affine, pairs: Collection[tuple[int, int]], exact: bool, show: Show) -> Term:
        """The digit of start + step less that of start, as simply as all the pairs of values allow.

        `exact`: they are the values of the step, not only residues.
        Theory: modulo `modulus` a digit depends on residues alone; and so does the carry, by which
        the difference of two quotients is more than the quotient of the step.
        """
        found = {(a, t): self.of(a + t) - self.of(a) for a, t in pairs}
        if (exact or self.modulus) and len(set(found.values())) == 1:
            return num(next(iter(found.values())))
        if exact or not self.modulus:
            over = {v - t // self.place for (_, t), v in found.items()}
            if len(over) == 1:
                return linear([(1, self._quotient(step, show))], over.pop())
        over = {v - self.of(t) for (_, t), v in found.items()}
        if len(over) == 1:
            return linear([(1, self.term(step, show))], over.pop())
        return linear([(1, self.term(start.plus(step), show)), (-1, self.term(start, show))])

    def _quotient(self, value: Affine, show: Show) -> Term:
        return show(value) if self.place == 1 else Term("//", (show(value), num(self.place)))


def _digits(shape: Sequence[int], strides: Sequence[Poly], cuts: Collection[int]) -> list[_Digit]:
    """The digits of a shape without 1s, outermost first, dims being one where no cut is between them.

    `cuts`: the place values at which the dims on both sides may not be contiguous.

    >>> a, b, c = ({(name,): 1} for name in "abc")
    >>> [(d.place, d.modulus) for d in _digits((10, 3, 3), (a, b, c), (3,))]
    [(3, 0), (1, 3)]
    """
    found: list[_Digit] = []
    for place, stride in zip(place_values(shape), strides, strict=True):
        if place == 1 or place in cuts:
            found.append(_Digit(place, found[-1].place // place if found else 0, stride))
    return found


def _units(width: int) -> list[Row]:
    return [tuple([int(a == b) for b in range(width)]) for a in range(width)]


def _whole(box: IndexMap) -> Region:
    return Region((0,) * len(box.sizes), box)
