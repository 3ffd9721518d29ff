"""Formulas about unknown strides: where a box stays inside, which boundaries overflow, what some entries are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from itertools import combinations, product
from math import prod
from typing import NamedTuple

from symview.engine.open_map import Affine, OpenMap, Range, sides
from symview.engine.row_space import Row, RowSpace, unit
from symview.engine.stride_table import Column, Entry, Space
from symview.logic.budget import Budget
from symview.logic.terms import FALSE, TRUE, Term, conj, disj, linear, num, total
from symview.symbolic.cases import between

Show = Callable[[Affine], Term]  # a form of the unknowns as a term over names
_MOST_INDICES = 24  # that a formula may go through
_MOST_GROUPS = 64  # rows that are compared with one another, however many there are


def length(term: Term) -> int:
    """How many numbers and names it takes to write the term."""
    return 1 if term.op in ("int", "sym", "bool") else sum(map(length, term.args))


# Boxes


def stays(box: OpenMap, size: int, show: Show, negate: bool = False) -> Term:
    """That all addresses of the box are in 0..size−1, or that they are not; what the ranges say is left out.

    >>> from symview.logic.sympy_bridge import to_text
    >>> from symview.logic.terms import sym
    >>> box = OpenMap((3,), (Affine((1,), 0),), Affine((0,), 4), ((None, None),))
    >>> [to_text(stays(box, 12, lambda form: linear([(form.weights[0], sym("t"))]), no)) for no in (False, True)]
    ['t >= -2 and t <= 3', 't < -2 or t > 3']
    """
    found = sides(box, size)
    if found is None:
        return _by_extremes(box, size, show, negate)
    if any(side.is_number() for side in found):  # a negative one: the box stays inside nowhere
        return TRUE if negate else FALSE
    bands: dict[Row, list[int | None]] = {}
    for weights, constant in found:
        flip = next(w for w in reversed(weights) if w) < 0
        band = bands.setdefault(tuple([-w for w in weights]) if flip else weights, [None, None])
        band[flip] = constant if flip else -constant
    parts = [
        part
        for weights, (low, high) in bands.items()
        for part in (_beyond if negate else _within)(Affine(weights, 0), low, high, box.ranges, show)
    ]
    return disj(parts) if negate else conj(parts)


def _within(form: Affine, low: int | None, high: int | None, ranges: Sequence[Range], show: Show) -> list[Term]:
    """Comparisons that all hold where low <= form <= high; an end of the ranges makes an equation of a bound."""
    least, most = form.least(ranges), form.most(ranges)
    if low is None and high == least:
        low = high
    elif high is None and low == most:
        high = low
    return between(show(form), low, high)


def _beyond(form: Affine, low: int | None, high: int | None, ranges: Sequence[Range], show: Show) -> list[Term]:
    """Comparisons one of which holds where low <= form <= high does not."""
    term, found = show(form), list[Term]()
    if low is not None and low == high:
        return [Term("!=", (term, num(low)))]
    for op, bound, step, end in (("<", low, -1, form.least(ranges)), (">", high, 1, form.most(ranges))):
        if bound is not None:
            last = bound + step == end  # only one value is beyond
            found.append(Term("==", (term, num(bound + step))) if last else Term(op, (term, num(bound))))
    return found


def _by_extremes(box: OpenMap, size: int, show: Show, negate: bool) -> Term:
    """The same by the least and the greatest address, with one term for each axis."""
    zero, found = Affine((0,) * len(box.ranges), 0), list[Term]()
    for op, comparison, bound in (("min", "<" if negate else ">=", 0), ("max", ">=" if negate else "<", size)):
        parts = [show(box.start)] if box.start != zero else []
        for n, step in zip(box.sizes, box.steps, strict=True):
            end = zero.plus(step, n - 1)
            rises, falls = end.is_implied(box.ranges), zero.is_implied(box.ranges, by=end)
            if not falls and not rises:
                parts.append(Term(op, (num(0), show(end))))
            elif end != zero and rises == (op == "max"):
                parts.append(show(end))
        found.append(Term(comparison, (total(parts), num(bound))))
    return disj(found) if negate else conj(found)


class Carries:
    """What can be said of C, the overflow vectors of a box, at one or several boundaries.

    A boundary overflows nowhere exactly where the box of its residues stays below the place value ("Which
    boundaries overflow", proofs/README.md).

    >>> from symview.logic.sympy_bridge import to_text
    >>> from symview.logic.terms import sym
    >>> box = OpenMap((3,), (Affine((1,), 0),), Affine((0,), 4), ((None, None),))
    >>> one = Carries(box, (3,), lambda form: linear([(form.weights[0], sym("t"))], form.constant))
    >>> to_text(one.only([])), to_text(one.only([3]))
    ('(t + 1) % 3 == 1', '(t + 1) % 3 != 1')
    """

    def __init__(self, box: OpenMap, places: tuple[int, ...], show: Show) -> None:
        self.places, self.sizes = places, box.without_repeats().sizes
        self.maps: dict[int, tuple[OpenMap, Show]] = {}
        for place in places:
            found, forms = box.modulo(place)
            self.maps[place] = found, _over([Term("%", (show(f), num(place))) for f in forms])

    def only(self, places: Collection[int | None]) -> Term:
        """That these boundaries overflow somewhere, and no others."""
        parts = [stays(box, p, show, negate=p in places) for p, (box, show) in self.maps.items()]
        return FALSE if FALSE in parts else conj(parts)

    def several(self) -> Term:
        """That more than one boundary overflows somewhere."""
        bent = [stays(box, p, show, negate=True) for p, (box, show) in self.maps.items()]
        return disj(conj(pair) for pair in combinations(bent, 2) if FALSE not in pair)

    def has_few_indices(self) -> bool:
        """Whether `spans` is short enough."""
        return prod(self.sizes) <= _MOST_INDICES

    def spans(self, space: Space, others: Iterable[Space]) -> Term:
        """That the overflow vectors span this space, them spanning this one or one of the others."""
        active = support(space)
        own = RowSpace(len(self.places), space)
        smaller = [rows for rows in others if rows != space and support(rows) == active and all(r in own for r in rows)]
        refuted = [disj(Term("!=", e.args) for e in self._within(rows)) for rows in smaller]
        return conj([self.only([self.places[n] for n in active]), *self._within(space), *refuted])

    def _within(self, space: Space) -> list[Term]:
        """That all overflow vectors are in the space, as far as boundaries count that it says something of."""
        active = set(support(space))
        weights = [r for r in RowSpace(len(self.places), space).complement() if any(r[n] for n in active)]
        found = list[Term]()
        for index in product(*map(range, self.sizes)):
            carried = [self._carried(p, index) for p in self.places] if sum(index) > 1 else []
            for row in weights if carried else ():
                sides = ([(abs(w), c) for w, c in zip(row, carried, strict=True) if w * sign > 0] for sign in (1, -1))
                left, right = (linear([x for x in side if x[1] != num(0)]) for side in sides)
                if left != right:
                    found.append(Term("==", (left, right)))
        return list(dict.fromkeys(found))

    def _carried(self, place: int, index: Sequence[int]) -> Term:
        """C_P(index)."""
        box, show = self.maps[place]
        value = box.address(index)
        low, high = value.least(box.ranges), value.most(box.ranges)
        if low is not None and high is not None and low // place == high // place:
            return num(low // place)
        return Term("//", (show(value), num(place)))


def _over(terms: Sequence[Term]) -> Show:
    """How forms of unknowns are shown that stand for these terms."""
    return lambda form: linear(zip(form.weights, terms, strict=True), form.constant)


def support(space: Space) -> tuple[int, ...]:
    """The numbers of the boundaries that overflow."""
    return tuple([n for n, column in enumerate(zip(*space, strict=True)) if any(column)])


# Entries


class Told(NamedTuple):
    """A column of a table as formulas call it: an unknown, told by its residue where there is a period."""

    name: Term
    period: int = 0


def told(columns: Sequence[Column], show: Show) -> list[Told]:
    """The columns of a table, one for each unknown."""
    count = len(columns)
    return [Told(show(Affine(unit(k, count), 0)), c.period) for k, c in enumerate(columns)]


def describe(wanted: Iterable[Entry], known: Iterable[Entry], columns: Sequence[Told], budget: Budget) -> Term:
    """A formula that is true of the wanted entries and false of the other known ones.

    Of entries that are not known it may say anything.

    >>> from symview.logic.budget import DEFAULT
    >>> from symview.logic.terms import sym
    >>> from symview.logic.sympy_bridge import to_text
    >>> known = [(x, y) for x in range(4) for y in range(5)]
    >>> wanted = [(x, y) for x, y in known if x < 3 and y % 2 == 0]
    >>> to_text(describe(wanted, known, [Told(sym("x"), 4), Told(sym("y"))], DEFAULT))
    'x % 4 <= 2 and y % 2 == 0'
    """
    known = list(known)
    if not known:
        return FALSE
    lows = [min(e[k] for e in known) for k in range(len(columns))]
    counts = [max(e[k] for e in known) - low + 1 for k, low in enumerate(lows)]
    numbered = _Numbered(columns, lows, counts, budget)
    return numbered.described(numbered.bits(wanted), numbered.bits(known), 0)


class _Row(NamedTuple):
    """Values of a column, and what they have in common: as bits, the rests that are wanted, of those known."""

    values: list[int]
    wanted: int
    known: int


class _Numbered:
    """Sets of entries as the bits of one integer, those with equal first coordinates next to one another."""

    def __init__(self, columns: Sequence[Told], lows: Sequence[int], counts: Sequence[int], budget: Budget) -> None:
        self.columns, self.lows, self.counts, self.budget = columns, lows, counts, budget
        self.weights = [prod(counts[k + 1 :]) for k in range(len(counts))]
        self.memo: dict[tuple[int, int, int], Term] = {}

    def bits(self, entries: Iterable[Entry]) -> int:
        found = bytearray(prod(self.counts) // 8 + 1)
        for entry in entries:
            bit = sum([(v - low) * w for v, low, w in zip(entry, self.lows, self.weights, strict=True)])
            found[bit >> 3] |= 1 << (bit & 7)
        return int.from_bytes(found, "little")

    def described(self, wanted: int, known: int, axis: int) -> Term:
        """What is wanted of the known entries, by the coordinates from this axis on.

        The shorter one of "some row has them" and "in every row it is these".
        """
        if not wanted or wanted == known:
            return TRUE if wanted else FALSE
        key = wanted, known, axis
        if key not in self.memo:
            rows = self._rows(wanted, known, axis)
            values = tuple(sorted(v for row in rows for v in row.values))
            some, every = list[Term](), list[Term]()
            for row in rows:
                rest = self.described(row.wanted, row.known, axis + 1)
                if rest != FALSE:
                    some.append(conj([_among(tuple(sorted(row.values)), values, self.columns[axis]), rest]))
                if rest != TRUE:
                    others = tuple(sorted(set(values).difference(row.values)))
                    every.append(disj([_among(others, values, self.columns[axis]), rest]) if others else rest)
            self.memo[key] = min(disj(some), conj(every), key=length)
        return self.memo[key]

    def _rows(self, wanted: int, known: int, axis: int) -> list[_Row]:
        """The values of one column, those together that one formula for the rest can do for."""
        self.budget.spend(self.counts[axis] * 3)
        weight = self.weights[axis]
        mask = (1 << weight) - 1
        same: dict[tuple[int, int], list[int]] = {}
        for number in range(self.counts[axis]):
            all_ = known >> number * weight & mask
            if all_:
                same.setdefault((wanted >> number * weight & mask, all_), []).append(self.lows[axis] + number)
        rows: list[_Row] = []
        for (ours, all_), values in same.items():
            fits = (n for n, r in enumerate(rows[:_MOST_GROUPS]) if not (r.wanted ^ ours) & r.known & all_)
            n = next(fits, None)
            if n is None:
                rows.append(_Row(values, ours, all_))
            else:
                rows[n] = _Row([*rows[n].values, *values], rows[n].wanted | ours, rows[n].known | all_)
        return rows


@lru_cache(maxsize=4096)
def _among(wanted: tuple[int, ...], known: tuple[int, ...], column: Told) -> Term:
    """That the column has one of the wanted values, it having one of the known ones."""
    chosen, (name, period) = set(wanted), column
    if period:
        return min(filter(None, (_by_residue(chosen, known, name, m) for m in _divisors(period))), key=length)
    within = [v for v in known if wanted[0] <= v <= wanted[-1]]
    hull = _interval([wanted[0], wanted[-1]], known, name)
    candidates = [_intervals(chosen, known, name)]
    for modulus in (2, 3, 4):
        residue = _by_residue(chosen, within, name, modulus)
        candidates += [] if residue is None else [conj([hull, residue])]
    return min(candidates, key=length)


@lru_cache(maxsize=256)
def _divisors(period: int) -> tuple[int, ...]:
    return tuple([m for m in range(1, period + 1) if period % m == 0])


def _by_residue(wanted: set[int], known: Sequence[int], name: Term, modulus: int) -> Term | None:
    """The same by residues; None where these do not tell."""
    inside = {v % modulus for v in wanted}
    if any(v % modulus in inside for v in known if v not in wanted):
        return None
    return _intervals(inside, sorted({v % modulus for v in known}), Term("%", (name, num(modulus))))


def _intervals(wanted: set[int], known: Sequence[int], name: Term) -> Term:
    """As few intervals as can be; a bound that nothing known is beyond is left out."""
    runs: list[list[int]] = []
    before = False
    for value in known:
        if value in wanted:
            if not before:
                runs.append([])
            runs[-1].append(value)
        before = value in wanted
    left = [v for v in known if v not in wanted]
    if len(left) == 1 and len(runs) == 2:
        return Term("!=", (name, num(left[0])))
    return disj(_interval(run, known, name) for run in runs)


def _interval(run: Sequence[int], known: Sequence[int], name: Term) -> Term:
    low, high = run[0], run[-1]
    if low == high and len(known) > 1:
        return Term("==", (name, num(low)))
    return conj(between(name, low if low != known[0] else None, high if high != known[-1] else None))
