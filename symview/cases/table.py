"""Tables over unknowns of finitely many values or residues, and formulas for entries with equal answers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import prod
from typing import Generic, NamedTuple, TypeVar

from symview.logic.budget import Budget
from symview.logic.terms import FALSE, TRUE, Term, between, conj, disj, length, num

Answer = TypeVar("Answer", bound=Hashable)
Point = tuple[int, ...]  # a value of each unknown
Entry = tuple[int, ...]  # for each unknown its value, or its residue

_STEPS = 15  # budget steps for an entry
_NEAREST = 4  # values of an unknown that are tried, for each residue
_SHORT = 10_000  # for more entries only the nearest value is tried
_MOST_GROUPS = 64  # rows are compared with at most so many others


class Unknown(NamedTuple):
    """An integer from low to high; a table has its residue modulo the period, or its value if the period is 0."""

    name: Term
    low: int
    high: int
    period: int = 0

    def column(self) -> Term:
        """The term in the table: the residue or the value."""
        return Term("%", (self.name, num(self.period))) if self.period else self.name

    def entries(self) -> range:
        """All values that the table may have."""
        return range(self.period) if self.period else range(self.low, self.high + 1)

    def many(self) -> int:
        """The number of these."""
        return self.period or self.high - self.low + 1

    def near(self, entry: int) -> list[int]:
        """Values with this entry, the smallest absolute values first; one more than are tried, if there are more."""
        if not self.period:
            return [entry]
        middle = (min(max(0, self.low), self.high) - entry) // self.period
        values = [entry + self.period * (middle + n) for n in range(-_NEAREST - 1, _NEAREST + 2)]
        return sorted([v for v in values if self.low <= v <= self.high], key=abs)[: _NEAREST + 1]


class Table(NamedTuple, Generic[Answer]):
    """The entries that may occur, each with a point that has it (None if none is known), and the answer there."""

    unknowns: tuple[Unknown, ...]
    points: dict[Entry, Point | None]
    answers: dict[Entry, Answer]

    def groups(self) -> dict[Answer, list[Entry]]:
        """The entries of each answer; entries and answers with the smallest points come first."""

        def order(entry: Entry) -> tuple[bool, int, Entry]:
            shown = self.points[entry] or entry
            return self.points[entry] is None, sum(map(abs, shown)), tuple([-x for x in shown])

        found: dict[Answer, list[Entry]] = {}
        for entry in sorted(self.points, key=order):
            found.setdefault(self.answers[entry], []).append(entry)
        return found


def table(
    unknowns: Sequence[Unknown], points: Iterable[tuple[Entry, Point | None]], answer: Callable[[Point], Answer]
) -> Table[Answer]:
    """The answers at entries that may occur; all points with the same entry have the same answer.

    >>> from symview.logic.budget import DEFAULT
    >>> from symview.logic.notation import parse_expression
    >>> from symview.logic.sympy_bridge import to_text
    >>> t = Unknown(parse_expression("t"), 0, 50, 6)
    >>> found = table([t], occurring([t], lambda p: p[0] < 40, lambda _: True, DEFAULT), lambda p: p[0] % 6 // 2)
    >>> [to_text(describe(entries, found.points, [t], DEFAULT)) for entries in found.groups().values()]
    ['t % 6 <= 1', 't % 6 >= 2 and t % 6 <= 3', 't % 6 >= 4']
    """
    found = Table[Answer](tuple(unknowns), {}, {})
    for entry, point in points:
        found.points[entry] = point
        found.answers[entry] = answer(entry if point is None else point)
    return found


def occurring(
    unknowns: Sequence[Unknown], inside: Callable[[Point], bool], allowed: Callable[[Entry], bool], budget: Budget
) -> Iterator[tuple[Entry, Point | None]]:
    """The entries that are allowed, each with a small point inside; None if only larger points may be inside.

    Entries that are left out do not occur. Raises Undecided if the budget ends before.
    """
    near = [{e: u.near(e) for e in u.entries()} for u in unknowns]
    tried = _NEAREST if prod(map(len, near)) <= _SHORT else 1
    for entry in filter(allowed, product(*near)):
        budget.spend(_STEPS)
        values = [n[e] for n, e in zip(near, entry, strict=True)]
        point = next(filter(inside, product(*[v[:tried] for v in values])), None)
        if point is not None or any(len(v) > tried for v in values):
            yield entry, point


def describe(wanted: Iterable[Entry], known: Iterable[Entry], unknowns: Sequence[Unknown], budget: Budget) -> Term:
    """A formula that is true of the wanted entries and false of the other known ones.

    For entries that are not known it may be either.

    >>> from symview.logic.budget import DEFAULT
    >>> from symview.logic.terms import sym
    >>> from symview.logic.sympy_bridge import to_text
    >>> known = [(x, y) for x in range(4) for y in range(5)]
    >>> wanted = [(x, y) for x, y in known if x < 3 and y % 2 == 0]
    >>> to_text(describe(wanted, known, [Unknown(sym("x"), 0, 3, 4), Unknown(sym("y"), 0, 4)], DEFAULT))
    'x % 4 <= 2 and y % 2 == 0'
    """
    known = list(known)
    if not known:
        return FALSE
    lows = [min(e[k] for e in known) for k in range(len(unknowns))]
    counts = [max(e[k] for e in known) - low + 1 for k, low in enumerate(lows)]
    numbered = _Numbered(unknowns, lows, counts, budget)
    return numbered.described(numbered.bits(wanted), numbered.bits(known), 0)


class _Row(NamedTuple):
    """Values of a column with a common formula for the rest: as bits, the wanted and the known rests."""

    values: list[int]
    wanted: int
    known: int


class _Numbered:
    """Sets of entries as bits of one integer; entries with equal first coordinates are adjacent."""

    def __init__(self, unknowns: Sequence[Unknown], lows: Sequence[int], counts: Sequence[int], budget: Budget) -> None:
        self.unknowns, self.lows, self.counts, self.budget = unknowns, lows, counts, budget
        self.weights = [prod(counts[k + 1 :]) for k in range(len(counts))]
        self.memo: dict[tuple[int, int, int], Term] = {}

    def bits(self, entries: Iterable[Entry]) -> int:
        found = bytearray(prod(self.counts) // 8 + 1)
        for entry in entries:
            bit = sum([(v - low) * w for v, low, w in zip(entry, self.lows, self.weights, strict=True)])
            found[bit >> 3] |= 1 << (bit & 7)
        return int.from_bytes(found, "little")

    def described(self, wanted: int, known: int, axis: int) -> Term:
        """A formula for the wanted among the known entries, by the coordinates from this axis on.

        It is the shorter one of a disjunction and a conjunction over the rows.
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
                    some.append(conj([_among(tuple(sorted(row.values)), values, self.unknowns[axis]), rest]))
                if rest != TRUE:
                    others = tuple(sorted(set(values).difference(row.values)))
                    every.append(disj([_among(others, values, self.unknowns[axis]), rest]) if others else rest)
            self.memo[key] = min(disj(some), conj(every), key=length)
        return self.memo[key]

    def _rows(self, wanted: int, known: int, axis: int) -> list[_Row]:
        """The values of one column, grouped if one formula for the rest covers them."""
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
def _among(wanted: tuple[int, ...], known: tuple[int, ...], unknown: Unknown) -> Term:
    """The formula that the column has one of the wanted values, given that it has one of the known ones."""
    chosen, (name, period) = set(wanted), (unknown.name, unknown.period)
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
    """The formula by residues modulo a number; None if residues do not separate the values."""
    inside = {v % modulus for v in wanted}
    if any(v % modulus in inside for v in known if v not in wanted):
        return None
    return _intervals(inside, sorted({v % modulus for v in known}), Term("%", (name, num(modulus))))


def _intervals(wanted: set[int], known: Sequence[int], name: Term) -> Term:
    """A union of as few intervals as possible; bounds that no known value exceeds are omitted."""
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
