"""The values of symbols that matter behind a shape of numbers: those that stay inside it, or residues."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import NamedTuple

from symview.cases.query import Query
from symview.cases.table import Point, Unknown
from symview.engine.index_map import IndexMap
from symview.engine.valid_box import Region
from symview.errors import Undecided
from symview.logic.points import bounds_of, compiled
from symview.logic.polynomial import ONE, Poly
from symview.logic.sympy_bridge import is_number
from symview.logic.terms import conj, names, sym

_MOST_TRIES, _MOST_POINTS = 100_000, 20_000
_TAIL = 12  # values beyond the last that matter: formulas tell intervals and residues modulo 2, 3 and 4 apart
_STEPS_PER_TRY = 5  # of work


class Forms(NamedTuple):
    """The integers of both views as affine forms; bounds of the inner mask that leave a whole axis are left out."""

    sizes: list[Poly]
    steps: list[Poly]
    offset: Poly
    inner: list[tuple[Poly, Poly] | None]
    outer: list[tuple[Poly, Poly]]

    def bounds(self) -> list[Poly]:
        """All bounds of masks."""
        return [x for pair in (*self.inner, *self.outer) if pair is not None for x in pair]


class OpenPoints:
    """The values of the names of an inner view, and of masks, that matter behind one outer view.

    Theory: an axis of a stride other than 0 has at most as many indices inside as the outer shape has places, and a
    stride that is larger moves no axis of two indices. So beyond the size of that shape the values of symbols that
    are affine, sizes apart from other entries, make no difference; the values tried go 12 further, where formulas that
    tell intervals, and residues modulo 2, 3 or 4, apart have settled.
    Where only the leading size, M places each, is a symbol, strides and offset matter modulo M; validity repeats along
    each axis after at most M indices, and so do carries, but for the sum of those, so that all sizes from 2M on are
    alike.
    Raises Undecided where symbols are used in other ways.
    """

    def __init__(self, query: Query) -> None:
        self.query, self.algebra = query, query.algebra
        outer, inner = query.views
        first, *rest = outer.shape or (1,)
        if not all(map(is_number, rest)) or inner.mask == "empty" or outer.is_void():
            raise Undecided("an outer size is no number")
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
        told = {n for n, c in zip(self.names, self.columns, strict=True) if not c.period}
        tied = {n for f in query.facts.formulas if set(names(f)) & set(self.names) for n in names(f)}
        self.is_exact = tied <= told and told == set(self.names)  # the facts allow every point
        self.test = compiled(conj(f for f in query.facts.formulas if set(names(f)) <= told), self.names, "floor")
        self.tries = 0

    def _names(self) -> tuple[list[str], int, str | None]:
        """The names: of sizes and bounds; of strides, from a number on; the last one, where only the offset has it."""
        forms = self.forms

        def of(polys: Sequence[Poly]) -> list[str]:
            return list(dict.fromkeys(n for f in polys for m in f for n in m))

        every = [*forms.sizes, *forms.steps, *forms.bounds(), forms.offset]
        sizes, bounds, steps, start = of(forms.sizes), of(forms.bounds()), of(forms.steps), of([forms.offset])
        cut = any(size.keys() - {ONE} and b is not None for size, b in zip(forms.sizes, forms.inner, strict=True))
        affine = all(len(m) <= 1 for f in every for m in f) and self.algebra.opaque.keys().isdisjoint(of(every))
        if cut or not affine or not set(sizes).isdisjoint((*bounds, *steps, *start)):
            raise Undecided("symbols stand in too many places")
        fixed = list(dict.fromkeys((*sizes, *bounds)))
        found = list(dict.fromkeys((*fixed, *steps, *start)))
        return found, len(fixed), found[-1] if found and found[-1] not in (*fixed, *steps) else None

    def _check_forms(self, bounded: set[str]) -> None:
        """Raises Undecided where a form may stay small though its names do not."""
        forms = self.forms
        for form in (*forms.sizes, *forms.bounds(), *(() if self.period else (*forms.steps, forms.offset))):
            if len({n for m in form for n in m} - bounded) > 1:
                raise Undecided("symbols stand in sums")

    def _unknown(self, at: int, low: int | None, high: int | None) -> Unknown:
        """What is told of a name within these bounds."""
        if self.period and at >= self.moving and None in (low, high):
            return Unknown(sym(self.names[at]), 0, self.period - 1, self.period)
        least = -self.most if low is None else max(low, -self.most)
        return Unknown(sym(self.names[at]), least, self.most if high is None else min(high, self.most))

    # Points

    def points(self) -> Iterator[Point]:
        """The values that the facts may allow at which all addresses are inside, or residues; no index is left out."""
        for count, point in enumerate(self._from(0, {})):
            if count == _MOST_POINTS:
                raise Undecided("too many values may differ")
            yield point

    def _from(self, at: int, values: dict[str, int]) -> Iterator[Point]:
        """The points that begin with some values."""
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
                far = (prod(self.shape) - 1) // (high - low - 1)  # that the step may go
                ends = sorted(((far - step.get(ONE, 0)) // step[name,], -((far + step.get(ONE, 0)) // step[name,])))
                span = range(max(span.start, ends[0] - 1), min(span.stop, ends[1] + 2))
        return span

    def _extents(self, values: dict[str, int]) -> list[tuple[int, int]]:
        """Per axis what the inner mask leaves."""
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

    # What is there at a point

    def region(self, values: dict[str, int]) -> Region:
        """What the inner mask leaves, where the names have these values."""
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
