"""Where views with symbols are valid behind a shape of numbers: at each value that stays inside, then in words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import NamedTuple

from symview.engine.index_map import IndexMap
from symview.engine.valid_box import Region, valid_box
from symview.engine.windows import windows_of
from symview.errors import Undecided
from symview.logic.entailment import Entailment
from symview.logic.points import bounds_of, compiled
from symview.logic.polynomial import ONE, Poly, plus
from symview.logic.sympy_bridge import is_number
from symview.logic.terms import FALSE, IntTerm, Term, conj, disj, names, negated, sym
from symview.symbolic.addresses import Axis, inside
from symview.symbolic.algebra import difference
from symview.symbolic.facts import Query
from symview.symbolic.stride_formulas import Told, describe
from symview.symbolic.valid_part import Outcome
from symview.symbolic.windows import ValidBox

_MOST_TRIES, _MOST_POINTS, _MOST_CELLS = 100_000, 20_000, 4_000_000
_TAIL = 12  # values beyond the last that matter: formulas tell intervals and residues modulo 2, 3 and 4 apart
_STEPS_PER_POINT = 300  # of work

Key = tuple[tuple[int, int | None], ...]  # per axis the first valid index and how many there are; None: all


def outcomes_by_points(query: Query, known: Entailment) -> Iterator[tuple[Outcome | ValidBox, Term]]:
    """Each box of valid indices, or what else they are, and where that is so; disjoint and for all values.

    Theory: an axis of a stride other than 0 has at most as many indices inside as the outer shape has places, and a
    stride that is larger moves no axis of two indices. So beyond the size of that shape the values of symbols that
    are affine, sizes apart from other entries, make no difference; the values tried go 12 further, where formulas that
    tell intervals, and residues modulo 2, 3 or 4, apart have settled.
    Raises Undecided where there are too many values, or symbols are used in other ways.
    """
    return _ByPoints(query, known).outcomes()


class _Forms(NamedTuple):
    """The integers of both views as affine forms; bounds of the mask that leave a whole axis are left out."""

    sizes: list[Poly]
    steps: list[Poly]
    offset: Poly
    inner: list[tuple[Poly, Poly] | None]
    outer: list[tuple[Poly, Poly]]


class _ByPoints:
    """One query."""

    def __init__(self, query: Query, known: Entailment) -> None:
        self.query, self.algebra, self.known = query, query.algebra, known
        outer, inner = query.views
        poly = query.algebra.poly
        if not all(map(is_number, outer.shape)) or inner.mask == "empty" or outer.is_void():
            raise Undecided("whether the valid indices are a box is open: an outer size is no number")
        self.shape: tuple[int, ...] = outer.shape
        whole = [b == (0, n) and not is_number(n) for b, n in zip(inner.bounds(), inner.shape, strict=True)]
        self.forms = _Forms(
            [poly(n) for n in inner.shape],
            [poly(t) for t in inner.strides],
            poly(inner.offset),
            [None if w else (poly(a), poly(b)) for w, (a, b) in zip(whole, inner.bounds(), strict=True)],
            [(poly(a), poly(b)) for a, b in outer.bounds()],
        )
        self.names = self._checked_names()
        self.counted = set(names(*map(query.algebra.term, self.forms.sizes)))
        self.found: dict[tuple[object, ...], Outcome | Key] = {}

    def _checked_names(self) -> list[str]:
        """The names, sizes first, one that only the offset has last; raises Undecided where they are used otherwise."""
        forms = self.forms
        bounds = [x for pair in (*forms.inner, *forms.outer) if pair is not None for x in pair]
        moving = [*forms.steps, *bounds]
        every = [*forms.sizes, *moving, forms.offset]
        sizes, others, start = (
            list(dict.fromkeys(n for f in part for m in f for n in m)) for part in (forms.sizes, moving, [forms.offset])
        )
        open_ = any(
            size != {} and set(size) != {ONE} and b is not None
            for size, b in zip(forms.sizes, forms.inner, strict=True)
        )
        affine = all(len(m) <= 1 for f in every for m in f) and not any(
            n in self.algebra.opaque for n in (*sizes, *others, *start)
        )
        if open_ or not affine or not set(sizes).isdisjoint((*others, *start)):
            raise Undecided("whether the valid indices are a box is open: symbols stand in too many places")
        return list(dict.fromkeys((*sizes, *others, *(n for n in start if n not in others))))

    # Values

    def outcomes(self) -> Iterator[tuple[Outcome | ValidBox, Term]]:
        """By groups of points, the smallest first."""
        groups: dict[Outcome | Key, list[tuple[int, ...]]] = {}
        for point in self._points():
            self.query.budget.spend(_STEPS_PER_POINT)
            groups.setdefault(self._outcome(point), []).append(point)
        void, within = self._void(), self._inside()
        given = [] if void == FALSE else [negated(void)]
        every = [p for same in groups.values() for p in same]
        cells = prod(max(c) - min(c) + 1 for c in zip(*every, strict=True)) if every else 1
        if cells > _MOST_CELLS:
            raise Undecided("whether the valid indices are a box is open: too many values may differ")
        columns = [Told(sym(n)) for n in self.names]
        if void != FALSE:
            yield Outcome.NOWHERE, void
        for key, points in groups.items():
            where = conj([*given, within, describe(points, every, columns, self.query.budget)])
            yield key if isinstance(key, Outcome) else self._box(key), where
        yield Outcome.OUTSIDE, conj([*given, negated(within)])

    def _points(self) -> Iterator[tuple[int, ...]]:
        """The values that the facts allow at which all addresses are inside, as far out as they matter."""
        most = prod(self.shape) + 1 + _TAIL
        own = [f for f in self.query.facts.formulas if set(names(f)) <= set(self.names)]
        if any(set(names(f)) & set(self.names) for f in self.query.facts.formulas if f not in own):
            raise Undecided("whether the valid indices are a box is open: symbols are tied to strides")
        bounds = bounds_of([f for f in own if len(names(f)) == 1], self.names)
        spans = [
            range(-most if a is None else max(a, -most), (most if b is None else min(b, most)) + 1) for a, b in bounds
        ]
        test, tries, count = compiled(conj(own), self.names, "floor"), 0, 0
        *first, last = self.names
        alone = all(
            last not in names(self.algebra.term(f)) for f in (*self.forms.sizes, *self.forms.steps, *self._bounds())
        )
        for values in product(*spans[:-1]):
            for value in self._last(dict(zip(first, values, strict=True)), last, spans[-1]) if alone else spans[-1]:
                tries += 1
                if tries > _MOST_TRIES or count > _MOST_POINTS:
                    raise Undecided("whether the valid indices are a box is open: too many values may differ")
                point = (*values, value)
                if test(point) and self._is_inside(dict(zip(self.names, point, strict=True))):
                    count += 1
                    yield point
            tries += 1

    def _bounds(self) -> list[Poly]:
        return [x for pair in (*self.forms.inner, *self.forms.outer) if pair is not None for x in pair]

    def _last(self, values: dict[str, int], last: str, span: range) -> range:
        """The values of a name that only the offset has, at which addresses may be inside."""
        low, high = self._reach({**values, last: 0})
        weight = self.forms.offset.get((last,), 0)
        ends = sorted((-(low // weight), (prod(self.shape) - 1 - high) // weight))
        return range(max(span.start, ends[0] - 1), min(span.stop, ends[1] + 2))

    def _part(self, values: dict[str, int]) -> tuple[tuple[int, ...], tuple[int, ...], IndexMap]:
        """The low corner, all sizes, and the address map of what the inner mask leaves."""
        sizes, steps = (tuple([_at(f, values) for f in part]) for part in (self.forms.sizes, self.forms.steps))
        pairs = [
            (0, n) if b is None else (_at(b[0], values), _at(b[1], values))
            for b, n in zip(self.forms.inner, sizes, strict=True)
        ]
        lows = tuple([a for a, _ in pairs])
        start = _at(self.forms.offset, values) + sum(a * t for a, t in zip(lows, steps, strict=True))
        return lows, sizes, IndexMap(tuple([b - a for a, b in pairs]), steps, start)

    def _reach(self, values: dict[str, int]) -> tuple[int, int]:
        return self._part(values)[2].reach()

    def _is_inside(self, values: dict[str, int]) -> bool:
        box = self._part(values)[2]
        low, high = box.reach()
        return min(box.sizes, default=1) > 0 and low >= 0 and high < prod(self.shape)

    def _outcome(self, point: tuple[int, ...]) -> Outcome | Key:
        values = dict(zip(self.names, point, strict=True))
        lows, _, box = self._part(values)
        mask = tuple([(_at(a, values), _at(b, values)) for a, b in self.forms.outer])
        moving = tuple([t if n > 1 else 0 for n, t in zip(box.sizes, box.steps, strict=True)])
        key = (lows, box.sizes, moving, box.start, mask)
        if key not in self.found:
            region, windows = Region(lows, box), windows_of(self.shape, mask)
            found = None if any(a >= b for a, b in mask) else valid_box(region, windows, self.query.budget)
            if found is None:
                self.found[key] = Outcome.NOWHERE
            elif not isinstance(found, Region):
                self.found[key] = Outcome.NO_BOX
            else:
                ends = zip(found.lows, found.box.sizes, self.forms.sizes, box.sizes, strict=True)
                self.found[key] = tuple(
                    [(low, None if n == size and set(form) - {ONE} else n) for low, n, form, size in ends]
                )
        return self.found[key]

    # Words

    def _axes(self) -> list[Axis]:
        pairs = [({}, n) if b is None else b for b, n in zip(self.forms.inner, self.forms.sizes, strict=True)]
        return [Axis(difference(high, low), t) for (low, high), t in zip(pairs, self.forms.steps, strict=True)]

    def _void(self) -> Term:
        return disj(p for a in self._axes() if (p := self.algebra.at_most(a.size, {})) != FALSE)

    def _inside(self) -> Term:
        start = self.forms.offset
        for pair, step in zip(self.forms.inner, self.forms.steps, strict=True):
            for m, c in (pair[0] if pair is not None else {}).items():
                start = plus(start, {tuple(sorted((*m, *n))): d for n, d in step.items()}, c)
        axes = [a for a in self._axes() if a.size != {ONE: 1}]
        return inside(axes, start, {ONE: prod(self.shape)}, self.algebra, self.known)

    def _box(self, key: Key) -> ValidBox:
        start = self.forms.offset
        for (low, _), step in zip(key, self.forms.steps, strict=True):
            start = plus(start, step, low)
        sizes = tuple(
            [self._entry(form) if n is None else n for (_, n), form in zip(key, self.forms.sizes, strict=True)]
        )
        return ValidBox(tuple([low for low, _ in key]), sizes, self._entry(start))

    def _entry(self, p: Poly) -> IntTerm:
        return p.get(ONE, 0) if set(p) <= {ONE} else self.algebra.term(p)


def _at(form: Poly, values: dict[str, int]) -> int:
    """The value of an affine form."""
    return sum(c * (values[m[0]] if m else 1) for m, c in form.items())
