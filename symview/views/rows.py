"""A chain with masks whose last view passes few rows of the view before: each row is asked, and the rows are joined.

Theory: let an axis of the last view have n·m indices of which each m are a row, n a small number. The chain is one view
exactly if each row is, the valid indices of all rows are one interval of the axis (between two rows that have some, all
are valid), the other axes have the same bounds in each row, and each row goes on where the one before ends. (In a finer
shape, of rows and their indices, the valid indices need not be a box.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from symview.answers import CaseData, ConditionsData, Status
from symview.cases.case import view_of
from symview.cases.equations import equation
from symview.cases.query import Query
from symview.cases.restrict import Ask, answered, cases_of, part_of
from symview.errors import NotSupported, OutOfBounds, Undecided
from symview.logic.entailment import Entailment
from symview.logic.integer import Integer, of_term
from symview.logic.polynomial import ONE, Poly
from symview.logic.terms import FALSE, Term, conj, num
from symview.view import View
from symview.views.addresses import Axis, in_whole_shape, places_of
from symview.views.parts import blocks_of

_MOST_ROWS = 8
_SHARE = 2  # of the budget: what fails may spend all that it has
_APART = "the valid indices are not an interval of rows"
_JOINED = "exact: the rows are one after the other"


class _Open(Exception):
    """The rows do not tell; the chain is asked in another way."""


class _Row(NamedTuple):
    """One row where some indices of it are valid: its view, and the bounds of these indices along the axis."""

    number: int
    view: View
    low: Integer
    high: Integer


def by_rows(query: Query, ask: Ask) -> ConditionsData | None:
    """The conditions for a chain with masks; None if its last view passes no few rows, or where they leave it open."""
    *views, before, last = query.views
    masked = any(v.mask is not None for v in (*views, before))
    if not views or not masked or last.mask is not None or query.facts.empty:
        return None
    known = Entailment(query.facts.formulas, query.budget)
    places = places_of([query.algebra.poly(n) for n in before.shape])
    for axis, (size, step) in enumerate(zip(last.shape, last.strides, strict=True)):
        pieces = list(blocks_of(Axis(query.algebra.poly(size), query.algebra.poly(step)), places, query, known))
        if len(pieces) == 2 and set(pieces[0].size) == {ONE} and pieces[0].size[ONE] <= _MOST_ROWS:
            part = query._replace(budget=query.budget.part(_SHARE))
            rows = _Rows(part, ask, axis, pieces[0].size[ONE], of_term(query.algebra.entry(pieces[1].size)))
            try:
                cases = list(rows.cases(known))
            except (_Open, NotSupported, OutOfBounds, Undecided):
                continue
            return answered(query, cases, known)
    return None


class _Rows:
    """One query, whose last view has `count` rows of `length` indices along an axis."""

    def __init__(self, query: Query, ask: Ask, axis: int, count: int, length: Integer) -> None:
        self.query, self.ask, self.axis, self.count, self.length = query, ask, axis, count, length
        self.views, self.last = query.views[:-1], query.views[-1]

    def cases(self, known: Entailment) -> Iterator[CaseData]:
        """The cases: of rows with one index each, and of longer ones."""
        one = Term("==", (self._term(self.length), num(1)))
        for where in (one, Term(">=", (self._term(self.length), num(2)))):
            if not known.impossible(where):
                yield from self._from(0, (where,), (), known.also(where), where is one)

    def _term(self, x: Integer) -> Term:
        return self.query.algebra.term(self.query.algebra.poly(x))

    def _from(
        self, number: int, where: tuple[Term, ...], rows: tuple[_Row, ...], known: Entailment, alone: bool
    ) -> Iterator[CaseData]:
        """The cases from this row on; `rows` are those before it that have valid indices."""
        if number == self.count:
            yield self._joined(where, rows, known, alone)
            return
        for case in self._row(number, where):
            here = known.also(case.where)
            told = tuple(dict.fromkeys((*where, case.where)))
            if here.impossible(case.where):
                continue
            if case.status is Status.OUT_OF_BOUNDS:
                yield CaseData(conj(told), case.status, reason=case.reason)
                continue
            if case.status is Status.NEVER:
                yield from self._refused(number + 1, told, case.reason, here)
                continue
            if case.status is not Status.ALWAYS or case.view is None:
                raise _Open
            row = self._valid(number, view_of(case.view, self.query.symbols), here)
            if row is not None and rows and not self._goes_on(rows[-1], row, here):
                yield from self._refused(number + 1, told, _APART, here)
                continue
            yield from self._from(number + 1, told, rows if row is None else (*rows, row), here, alone)

    def _refused(self, number: int, where: tuple[Term, ...], reason: str, known: Entailment) -> Iterator[CaseData]:
        """The cases of values that do not merge: where a row from this one on is out of bounds, that is the answer."""
        if number == self.count:
            yield CaseData(conj(where), Status.NEVER, reason=reason)
            return
        cases = [c for c in self._row(number, where) if not known.impossible(c.where)]
        if any(c.status is Status.UNDECIDED for c in cases):
            raise _Open
        if all(c.status is not Status.OUT_OF_BOUNDS for c in cases):
            yield from self._refused(number + 1, where, reason, known)
            return
        for case in cases:
            told = tuple(dict.fromkeys((*where, case.where)))
            if case.status is Status.OUT_OF_BOUNDS:
                yield CaseData(conj(told), case.status, reason=case.reason)
            else:
                yield from self._refused(number + 1, told, reason, known.also(case.where))

    def _row(self, number: int, where: Sequence[Term]) -> Sequence[CaseData]:
        """The cases of one row, as a question of its own."""
        last, axis = self.last, self.axis
        shape = [self.length if a == axis else n for a, n in enumerate(last.shape)]
        part = View(shape, last.strides, last.offset + number * self.length * last.strides[axis])
        query = part_of(self.query, (*self.views, part), where)
        return cases_of(query._replace(budget=query.budget.part(1, 3_000_000)), self.ask)

    def _valid(self, number: int, view: View, known: Entailment) -> _Row | None:
        """The row, if it has valid indices; None if it has none."""
        for low, high in view.bounds() if not view.is_void() else [(0, 0)]:
            if self._holds(Term(">=", (self._term(low), self._term(high))), known):
                return None
        return _Row(number, view, *view.bounds()[self.axis])

    def _goes_on(self, before: _Row, row: _Row, known: Entailment) -> bool:
        """Whether all indices are valid from some of one row to some of another."""
        for a, (mine, yours) in enumerate(zip(before.view.bounds(), row.view.bounds(), strict=True)):
            if a != self.axis and any(x != y for x, y in zip(mine, yours, strict=True)):
                raise _Open
        full = Term(">=", (self._term(before.high), self._term(self.length)))
        starts = Term("<=", (self._term(row.low), num(0)))
        return before.number + 1 == row.number and self._holds(full, known) and self._holds(starts, known)

    def _holds(self, claim: Term, known: Entailment) -> bool:
        """Whether the claim holds; the cases of rows say so, or the rows do not tell."""
        if known.implies(claim):
            return True
        if known.impossible(claim):
            return False
        raise _Open

    def _joined(self, where: Sequence[Term], rows: Sequence[_Row], known: Entailment, alone: bool) -> CaseData:
        """The case where these are the rows with valid indices, one after the other; `alone`: of one index each."""
        algebra, axis, length = self.query.algebra, self.axis, self.length
        if not rows:
            nowhere = in_whole_shape(self.last, [({}, {})] * self.last.rank, [0] * self.last.rank, 0, algebra)
            return CaseData(conj(where), Status.ALWAYS, view=nowhere, reason="no index is valid")
        first, final = rows[0], rows[-1]
        length = 1 if alone else self.length
        gaps = [b.view.offset - a.view.offset for a, b in pairwise(rows)]
        step = gaps[0] if alone and gaps else first.view.strides[axis]
        if any(
            r.view.strides[a] != t for r in rows for a, t in enumerate(first.view.strides) if a != axis or not alone
        ):
            raise _Open
        if len(rows) == 2 and not alone:  # three indices make the step; two would have any
            ends = [self._term(r.high - r.low - 2) for r in rows]
            if not any(known.implies(Term(">=", (n, num(0)))) for n in ends):
                raise _Open
        forms = [algebra.poly(gap - length * step) for gap in dict.fromkeys(gaps)]
        required = [self._zero(f, known) for f in forms if f]
        bounds = [(algebra.poly(a), algebra.poly(b)) for a, b in first.view.bounds()]
        bounds[axis] = algebra.poly(first.number * length + first.low), algebra.poly(final.number * length + final.high)
        low = [x for x, _ in first.view.bounds()]
        start = first.view.offset + sum([x * t for x, t in zip(low, first.view.strides, strict=True)])
        steps = [algebra.entry(algebra.poly(step if a == axis else t)) for a, t in enumerate(first.view.strides)]
        view = in_whole_shape(self.last, bounds, steps, algebra.entry(algebra.poly(start)), algebra)
        if FALSE in required:
            return CaseData(conj(where), Status.NEVER, reason="a row does not begin where the one before ends")
        status = Status.WHEN if required else Status.ALWAYS
        return CaseData(conj(where), status, tuple(dict.fromkeys(required)), view, reason=_JOINED)

    def _zero(self, form: Poly, known: Entailment) -> Term:
        """The equation that the polynomial is 0, without factors that are not."""
        literals = [e for e in self.query.algebra.zero(form) if not known.impossible(e)]
        if len(literals) < 2:
            return literals[0] if literals else FALSE
        return equation(form)
