"""Views with symbols over an outer shape of numbers: one row space on one box for each value that stays inside."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import prod
from typing import NamedTuple

from symview.answers import AffineView, CaseData, ConditionsData, Status
from symview.cases.case_builder import CaseBuilder
from symview.cases.equations import combine
from symview.cases.query import Query
from symview.cases.simplify.cases import in_fewer_words, simplified_row_spaces
from symview.cases.table import Point, Table, Unknown, describe, table
from symview.engine.index_map import Affine, IndexMap
from symview.engine.overflow_space import RowSpaces, Space
from symview.engine.row_space import unit
from symview.engine.valid_box import Region, valid_box
from symview.engine.windows import windows_of
from symview.errors import InternalError, Undecided
from symview.logic.entailment import Entailment
from symview.logic.points import bounds_of, compiled
from symview.logic.polynomial import ONE, Poly, operations, plus, times
from symview.logic.sympy_bridge import is_number, to_text
from symview.logic.terms import FALSE, Term, conj, disj, length, names, negated, sym
from symview.view import View
from symview.views.addresses import UNIT, Outcome, in_whole_shape, inside, open_part, outcome_case, product_of
from symview.views.stride_formulas import AddressDigits

_MOST_CELLS = 4_000_000
_STEPS_PER_POINT = 300  # budget steps per point
_AMPLE = 1 << 64  # stands for a symbolic leading size

_SHORT = 40  # longest formula that is simplified in its context
_MANY = 20  # cases: with more, another producer would hardly need fewer
_LONGER = 4  # times as long an answer is accepted from the other producer, since it states its reason
_BRIEF = 1_000_000  # budget steps for the other producer

Produce = Callable[[Query], ConditionsData]
Ends = tuple[tuple[int | None, int | None], ...]  # ends of the valid indices per axis; None: the inner mask's
_MOST_TRIES, _MOST_POINTS = 100_000, 20_000
_TAIL = 12  # values tried beyond the last that matter: formulas use intervals, and residues modulo 2, 3 and 4
_STEPS_PER_TRY = 5  # budget steps per try


class _Found(NamedTuple):
    """One row space on one box."""

    ends: Ends
    space: Space


def cases_by_points(query: Query) -> ConditionsData:
    """The conditions for two views whose relevant symbols have finitely many values or residues.

    Theory: `OpenPoints` finds the values that matter. At each of them the valid indices and the row space are computed
    as for numbers; the points with equal results are described by a formula.
    Raises Undecided where there are too many values, or symbols are used in other ways.
    """
    return _ByPoints(query).conditions()


def or_by_points(query: Query, produce: Produce) -> ConditionsData:
    """The conditions that `produce` finds within some budget, or those by points if these are much shorter."""
    try:
        found = cases_by_points(query)
    except Undecided:
        return produce(query)
    if len(found.cases) > _MANY:
        return found
    try:
        other = produce(query._replace(budget=query.budget.part(1, _BRIEF)))
    except Undecided:
        return found
    decided = all(c.status is not Status.UNDECIDED for c in other.cases)
    return other if decided and _length(other) <= _LONGER * _length(found) else found


def _length(answer: ConditionsData) -> int:
    """The length of an answer, in symbols."""
    cases = [
        (c.where, *c.required, *(() if c.view is None else (*c.view.strides, c.view.offset))) for c in answer.cases
    ]
    return sum(length(x) if isinstance(x, Term) else 1 for case in cases for x in case)


class _ByPoints:
    """One query."""

    def __init__(self, query: Query) -> None:
        self.query, self.algebra, self.budget = query, query.algebra, query.budget
        self.known = Entailment(query.facts.formulas, query.budget)
        self.open = OpenPoints(query)
        self.forms, self.columns = self.open.forms, self.open.columns
        outer, inner = query.views
        self.part = open_part(inner, query.algebra)
        plain = View(outer.shape, outer.strides, outer.offset), View(inner.shape, inner.strides, inner.offset)
        shape = (_AMPLE, *self.open.shape[1:]) if self.open.period else None
        self.builder = CaseBuilder(query._replace(views=plain), shape)
        self.spaces: dict[tuple[int, ...], RowSpaces] = {}
        self.found: dict[object, Outcome | tuple[Region, Space]] = {}

    def conditions(self) -> ConditionsData:
        """The cases by groups of points, the smallest point first; then the case of addresses outside."""
        points = list(self.open.points())
        if len(points) * _STEPS_PER_POINT > self.budget.left():  # another producer may do more with this budget
            raise Undecided("too many values may differ")
        found = table(self.columns, ((p, p) for p in points), self._outcome)
        cases = simplified_row_spaces(self.query, map(self._shortly, self._cases(found)), filtered=True)
        return self.query.answer(cases)

    def _shortly(self, case: CaseData) -> CaseData:
        """Simplifies a short `where` in its context."""
        return in_fewer_words(self.query, self.known, case) if length(case.where) <= _SHORT else case

    def _values(self, point: Point) -> dict[str, int]:
        return dict(zip(self.open.names, point, strict=True))

    # The outcome at a point

    def _outcome(self, point: Point) -> Outcome | _Found:
        self.budget.spend(_STEPS_PER_POINT)
        given, mask = key = self._given(point)
        if key not in self.found:
            self.found[key] = self._looked_at(given, mask)
        found = self.found[key]
        if isinstance(found, Outcome):
            return found
        region, space = found
        return _Found(tuple(map(_ends, given.lows, given.box.sizes, region.lows, region.box.sizes)), space)

    def _given(self, point: Point) -> tuple[Region, tuple[tuple[int, int], ...]]:
        """The inner mask's box there, with residues as nonnegative addresses; and the outer mask."""
        values, period = self._values(point), self.open.period
        given = self.open.region(values)
        if period:
            sizes, steps, start = given.box
            given = given._replace(box=IndexMap(sizes, tuple([t % period for t in steps]), start % period))
        return given, tuple(self.open.mask(values))

    def _looked_at(self, given: Region, mask: Sequence[tuple[int, int]]) -> Outcome | tuple[Region, Space]:
        windows = windows_of(self.open.shape, mask)
        region = None if any(a >= b for a, b in mask) else valid_box(given, windows, self.budget)
        if region is None:
            return Outcome.NOWHERE
        if not isinstance(region, Region):
            return Outcome.NO_BOX
        sizes = region.box.sizes
        if sizes not in self.spaces:
            self.spaces[sizes] = RowSpaces(self.builder.places, sizes, "auto", self.budget)
        space = self.spaces[sizes].of(region.box)
        if space is None:
            raise Undecided(self.budget.ending())
        return region, space

    # Cases

    def _cases(self, table: Table[Outcome | _Found]) -> Iterator[CaseData]:
        """A case for each group of points with the same outcome; then the case out of bounds."""
        void, within = self._void(), self._inside()
        given = [] if void == FALSE else [negated(void)]
        if table.points and prod(max(c) - min(c) + 1 for c in zip(*table.points, strict=True)) > _MOST_CELLS:
            raise Undecided("too many values may differ")
        inner = self.query.views[1]
        if void != FALSE:
            yield outcome_case(Outcome.NOWHERE if inner.mask is not None else Outcome.NO_INDEX, void, inner)
        for found, points in table.groups().items():
            where = conj([*given, within, describe(points, table.points, self.columns, self.budget)])
            if not self.open.is_exact and self.known.impossible(where):
                continue
            yield outcome_case(found, where, inner) if isinstance(found, Outcome) else self._case(found, points, where)
        if not self.known.impossible(*given, negated(within)):
            yield outcome_case(Outcome.OUTSIDE, conj([*given, negated(within)]), inner)

    def _case(self, found: _Found, points: Sequence[Point], where: Term) -> CaseData:
        """The case of one row space on one box, with the evidence at the smallest point."""
        looked = self._looked_at(*self._given(points[0]))
        if isinstance(looked, Outcome):
            raise InternalError(f"at {points[0]}: {found} and {looked}")
        at = f"{self._shown(points[0])}, the same at all of these values"
        case = self.builder.case_at(where, looked[0], found.space, at)
        if self.open.period or any(v.mask is not None for v in self.query.views):
            case = replace(case, witnesses=())
        return replace(case, view=None if case.view is None else self._view(found, points))

    def _shown(self, point: Point) -> str:
        return ", ".join(f"{to_text(c.column())} = {x}" for c, x in zip(self.columns, point, strict=True))

    # Formulas

    def _void(self) -> Term:
        return disj(p for a in self.part.axes if (p := self.algebra.at_most(a.size, {})) != FALSE)

    def _inside(self) -> Term:
        axes = [a for a in self.part.axes if a.size != UNIT]
        size = product_of([self.algebra.poly(n) for n in self.query.views[0].shape])
        return inside(axes, self.part.start, size, self.algebra, self.known)

    def _view(self, found: _Found, points: Sequence[Point]) -> AffineView:
        """The merged view at these points: strides f(e_j) − f(0) on the box, the offset and the mask."""
        inner, places = self.query.views[1], self.builder.places
        ends = list[tuple[Poly, Poly]]()
        for whole, own in zip(inner.bounds(), found.ends, strict=True):
            low, high = (self.algebra.poly(x if end is None else end) for x, end in zip(whole, own, strict=True))
            ends.append((low, high))
        start = self.forms.offset
        for (low, _), step in zip(ends, self.forms.steps, strict=True):
            start = plus(start, times(low, step))
        monomials = list(dict.fromkeys(m for f in (*self.forms.steps, start) for m in f if m))
        at = [tuple([prod(v[n] for n in m) for m in monomials]) for v in map(self._values, points)]
        residues = {c.name.args[0] for c in self.columns if c.period}
        periodic = [k for k, m in enumerate(monomials) if not residues.isdisjoint(m)]

        def affine(form: Poly) -> Affine:
            return Affine(tuple([form.get(m, 0) for m in monomials]), form.get(ONE, 0))

        def show(form: Affine) -> Term:
            return self.algebra.term(combine((*form.weights, form.constant), (*({m: 1} for m in monomials), {ONE: 1})))

        forced = [p for n, p in enumerate(places) if unit(n, len(places)) in found.space]
        moving = list[tuple[Affine, list[Point] | None]]()
        for axis, step in enumerate(self.forms.steps):
            there = [x for x, p in zip(at, points, strict=True) if self._size(found.ends[axis], p, axis) > 1]
            moving.append((affine(step), there or None))
        digits = AddressDigits(self.builder, forced, show, periodic)
        return in_whole_shape(inner, ends, *digits.moves(affine(start), moving, at), self.algebra)

    def _size(self, ends: tuple[int | None, int | None], point: Point, axis: int) -> int:
        given = self.open.region(self._values(point))
        low, count = given.lows[axis], given.box.sizes[axis]
        return (low + count if ends[1] is None else ends[1]) - (low if ends[0] is None else ends[0])


def _ends(low: int, size: int, first: int, count: int) -> tuple[int | None, int | None]:
    """The ends of the valid indices of an axis; None for an end at which all of them are valid."""
    return None if first == low else first, None if first + count == low + size else first + count


class Forms(NamedTuple):
    """The integers of both views as affine forms; bounds of the inner mask that keep a whole axis are left out."""

    sizes: list[Poly]
    steps: list[Poly]
    offset: Poly
    inner: list[tuple[Poly, Poly] | None]
    outer: list[tuple[Poly, Poly]]

    def bounds(self) -> list[Poly]:
        """All bounds of masks."""
        return [x for pair in (*self.inner, *self.outer) if pair is not None for x in pair]


class OpenPoints:
    """The values of the names of an inner view, and of masks, that matter over one outer view.

    Theory: an axis of nonzero stride has at most as many indices inside as the outer shape has places, and a larger
    stride moves no axis of two indices. So beyond the size of that shape the values of the names make no difference, if
    entries are affine and sizes share no names with them; 12 more values are tried, so that formulas with intervals,
    and residues modulo 2, 3 or 4, describe the rest. If only the leading size is a symbol, of M places each, strides
    and offset matter modulo M. Validity repeats along each axis after at most M indices, and so do overflows, apart
    from their sum over these: all sizes from 2M on are alike. Raises Undecided if symbols are used in other ways.
    """

    def __init__(self, query: Query) -> None:
        self.query, self.algebra = query, query.algebra
        outer, inner = query.views
        first, *rest = outer.shape or (1,)
        if not all(map(is_number, rest)) or inner.mask == "empty" or outer.is_void():
            raise Undecided("an outer size is not a number")
        self.places: int = prod(rest)
        self.period = 0 if is_number(first) else self.places
        if self.period and outer.bounds()[0] != (0, first):
            raise Undecided("the leading digit has a mask and no number of values")
        self.shape: tuple[int, ...] = (1 if self.period else first, *rest) if outer.shape else ()
        poly = query.algebra.poly
        whole = [b == (0, n) and not is_number(n) for b, n in zip(inner.bounds(), inner.shape, strict=True)]
        leading: list[tuple[Poly, Poly]] = [({}, {ONE: 1})] if self.period else []
        self.forms = Forms(
            [poly(n) for n in inner.shape],
            [poly(t) for t in inner.strides],
            poly(inner.offset),
            [None if w else (poly(a), poly(b)) for w, (a, b) in zip(whole, inner.bounds(), strict=True)],
            [*leading, *((poly(a), poly(b)) for a, b in outer.bounds()[len(leading) :])],
        )
        self.most = (2 * self.period or prod(self.shape) + 1) + _TAIL
        self.names, self.moving, self.last = self._names()
        alone = [f for f in query.facts.formulas if len(names(f)) == 1 and names(f)[0] in self.names]
        bounds = bounds_of(alone, self.names)
        self.columns = [self._unknown(at, *b) for at, b in enumerate(bounds)]
        self._check_forms({n for n, b in zip(self.names, bounds, strict=True) if None not in b})
        determined = {n for n, c in zip(self.names, self.columns, strict=True) if not c.period}
        tied = {n for f in query.facts.formulas if set(names(f)) & set(self.names) for n in names(f)}
        self.is_exact = tied <= determined and determined == set(self.names)  # the facts allow every point
        self.test = compiled(conj(f for f in query.facts.formulas if set(names(f)) <= determined), self.names, "floor")
        self.tries = 0

    def _names(self) -> tuple[list[str], int, str | None]:
        """The names, those of sizes and bounds first; the number of these; and the last name, if only in the offset."""
        forms = self.forms

        def of(polys: Sequence[Poly]) -> list[str]:
            return list(dict.fromkeys(n for f in polys for m in f for n in m))

        every = [*forms.sizes, *forms.steps, *forms.bounds(), forms.offset]
        sizes, bounds, steps, start = of(forms.sizes), of(forms.bounds()), of(forms.steps), of([forms.offset])
        cut = any(size.keys() - {ONE} and b is not None for size, b in zip(forms.sizes, forms.inner, strict=True))
        affine = all(len(m) <= 1 for f in every for m in f) and not operations(*every)
        if cut or not affine or not set(sizes).isdisjoint((*bounds, *steps, *start)):
            raise Undecided("symbols occur in too many places")
        fixed = list(dict.fromkeys((*sizes, *bounds)))
        found = list(dict.fromkeys((*fixed, *steps, *start)))
        return found, len(fixed), found[-1] if found and found[-1] not in (*fixed, *steps) else None

    def _check_forms(self, bounded: set[str]) -> None:
        """Raises Undecided if a form may stay small while its names grow."""
        forms = self.forms
        for form in (*forms.sizes, *forms.bounds(), *(() if self.period else (*forms.steps, forms.offset))):
            if len({n for m in form for n in m} - bounded) > 1:
                raise Undecided("symbols occur in sums")

    def _unknown(self, at: int, low: int | None, high: int | None) -> Unknown:
        """The unknown for a name within these bounds."""
        if self.period and at >= self.moving and None in (low, high):
            return Unknown(sym(self.names[at]), 0, self.period - 1, self.period)
        least = -self.most if low is None else max(low, -self.most)
        return Unknown(sym(self.names[at]), least, self.most if high is None else min(high, self.most))

    # Points

    def points(self) -> Iterator[Point]:
        """The values, or residues, that the facts may allow and at which all addresses are inside; no axis is empty."""
        for count, point in enumerate(self._from(0, {})):
            if count == _MOST_POINTS:
                raise Undecided("too many values may differ")
            yield point

    def _from(self, at: int, values: dict[str, int]) -> Iterator[Point]:
        """The points that start with these values."""
        if at == len(self.names):
            point = tuple(values.values())
            if self._is_inside(values) and self._is_allowed(point):
                yield point
            return
        name = self.names[at]
        if at == self.moving and any(b <= a for a, b in self._extents(values)):
            return
        for value in self._narrowed(at, values):
            self.tries += 1
            if self.tries > _MOST_TRIES:
                raise Undecided("too many values may differ")
            self.query.budget.spend(_STEPS_PER_TRY)
            values[name] = value
            yield from self._from(at + 1, values)
        values.pop(name, None)

    def _narrowed(self, at: int, values: dict[str, int]) -> range:
        """The values of one more name at which addresses may be inside."""
        name, span = self.names[at], self.columns[at].entries()
        if self.period or at < self.moving:
            return span
        if name == self.last:
            low, high = self.region({**values, name: 0}).box.reach()
            weight = self.forms.offset[(name,)]
            ends = sorted((-(low // weight), (prod(self.shape) - 1 - high) // weight))
            return range(max(span.start, ends[0] - 1), min(span.stop, ends[1] + 2))
        for step, (low, high) in zip(self.forms.steps, self._extents(values), strict=True):
            if high - low > 1 and step.keys() - {ONE} == {(name,)}:
                far = (prod(self.shape) - 1) // (high - low - 1)  # the farthest that the step may go
                ends = sorted(((far - step.get(ONE, 0)) // step[name,], -((far + step.get(ONE, 0)) // step[name,])))
                span = range(max(span.start, ends[0] - 1), min(span.stop, ends[1] + 2))
        return span

    def _extents(self, values: dict[str, int]) -> list[tuple[int, int]]:
        """Per axis the bounds that the inner mask leaves."""
        return [
            (0, _at(n, values)) if b is None else (_at(b[0], values), _at(b[1], values))
            for b, n in zip(self.forms.inner, self.forms.sizes, strict=True)
        ]

    def _is_inside(self, values: dict[str, int]) -> bool:
        box = self.region(values).box
        if min(box.sizes, default=1) <= 0:
            return False
        low, high = box.reach()
        return bool(self.period) or (low >= 0 and high < prod(self.shape))

    def _is_allowed(self, point: Point) -> bool:
        try:
            return bool(self.test(point))
        except ZeroDivisionError:
            return False

    # The views at a point

    def region(self, values: dict[str, int]) -> Region:
        """The box that the inner mask leaves, at these values of the names."""
        extents, steps = self._extents(values), [_at(f, values) for f in self.forms.steps]
        start = _at(self.forms.offset, values) + sum(a * t for (a, _), t in zip(extents, steps, strict=True))
        lows, sizes = tuple([a for a, _ in extents]), tuple([b - a for a, b in extents])
        return Region(
            lows, IndexMap(sizes, tuple([t if n > 1 else 0 for n, t in zip(sizes, steps, strict=True)]), start)
        )

    def mask(self, values: dict[str, int]) -> list[tuple[int, int]]:
        """The bounds of the outer mask."""
        return [(_at(a, values), _at(b, values)) for a, b in self.forms.outer]


def _at(form: Poly, values: dict[str, int]) -> int:
    """The value of an affine form."""
    return sum(c * (values[m[0]] if m else 1) for m, c in form.items())
