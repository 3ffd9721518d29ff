"""Finite sets of points as short formulas: rows with equal columns together, neighbours as one interval."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import prod
from typing import NamedTuple

from symview.logic.terms import FALSE, TRUE, Term, conj, disj, negated, num

Entry = tuple[int, ...]
_GROUPS = 64  # rows that are compared with one another, however many there are


class Column(NamedTuple):
    """One coordinate of the entries: the integer that it is about, or its residue modulo `period`, if not 0.

    `ends`: the least and the greatest value have to be told from those beyond them.
    """

    name: Term
    period: int = 0
    ends: bool = False


def describe(wanted: Iterable[Entry], known: Iterable[Entry], columns: Sequence[Column]) -> Term:
    """A formula that is true of the wanted entries and false of the other known ones.

    Of entries that are not known it may say anything.

    >>> from symview.logic.terms import sym
    >>> from symview.logic.sympy_bridge import to_text
    >>> known = [(x, y) for x in range(4) for y in range(5)]
    >>> wanted = [(x, y) for x, y in known if x < 3 and y % 2 == 0]
    >>> to_text(describe(wanted, known, [Column(sym("x"), 4), Column(sym("y"))]))
    'x % 4 <= 2 and y % 2 == 0'
    """
    known = list(known)
    if not known:
        return FALSE
    lows = [min(e[k] for e in known) for k in range(len(columns))]
    counts = [max(e[k] for e in known) - low + 1 for k, low in enumerate(lows)]
    numbered = _Numbered(columns, lows, counts)
    ours, all_ = numbered.bits(wanted), numbered.bits(known)
    return numbered.described(ours, all_, 0)


class _Row(NamedTuple):
    """Values of a column, and what they have in common: which rests are wanted, of those known."""

    values: list[int]
    wanted: int
    known: int

    def fits(self, wanted: int, known: int) -> bool:
        """Whether one formula can do for both."""
        return not (self.wanted ^ wanted) & self.known & known


class _Numbered:
    """Entries as the bits of one integer, those with equal first coordinates next to one another."""

    def __init__(self, columns: Sequence[Column], lows: Sequence[int], counts: Sequence[int]) -> None:
        self.columns, self.lows, self.counts = columns, lows, counts
        self.weights = [prod(counts[k + 1 :]) for k in range(len(counts))]
        self.memo: dict[tuple[int, int, int], Term] = {}

    def bits(self, entries: Iterable[Entry]) -> int:
        found = bytearray(prod(self.counts) // 8 + 1)
        for entry in entries:
            bit = 0
            for value, low, weight in zip(entry, self.lows, self.weights, strict=True):
                bit += (value - low) * weight
            found[bit >> 3] |= 1 << (bit & 7)
        return int.from_bytes(found, "little")

    def described(self, wanted: int, known: int, axis: int) -> Term:
        """The shorter of the formulas for what is wanted, and for what is not."""
        key = wanted, known, axis
        if key not in self.memo:
            found = self._rows_described(wanted, known, axis)
            if wanted != known and axis + 1 < len(self.columns):
                found = min(found, negated(self._rows_described(known & ~wanted, known, axis)), key=length)
            self.memo[key] = found
        return self.memo[key]

    def _rows_described(self, wanted: int, known: int, axis: int) -> Term:
        if not wanted:
            return FALSE
        last = axis + 1 == len(self.columns)
        rows = self._rows(wanted, known, axis)
        values = tuple(sorted(v for row in rows for v in row.values))
        parts = []
        for row in rows:
            if row.wanted:
                own = _among(tuple(sorted(row.values)), values, self.columns[axis])
                parts.append(own if last else conj([own, self.described(row.wanted, row.known, axis + 1)]))
        return TRUE if TRUE in parts else disj(parts)

    def _rows(self, wanted: int, known: int, axis: int) -> list[_Row]:
        """The values of one column, those together that one formula for the rest can do for."""
        same: dict[tuple[int, int], list[int]] = {}
        for value, ours, all_ in self._split(wanted, known, axis):
            same.setdefault((ours, all_), []).append(value)
        rows: list[_Row] = []
        for (ours, all_), values in same.items():
            fitting = next((n for n, r in enumerate(rows[:_GROUPS]) if r.fits(ours, all_)), None)
            if fitting is None:
                rows.append(_Row(values, ours, all_))
            else:
                old = rows[fitting]
                rows[fitting] = _Row([*old.values, *values], old.wanted | ours, old.known | all_)
        return rows

    def _split(self, wanted: int, known: int, axis: int) -> Iterator[tuple[int, int, int]]:
        weight = self.weights[axis]
        mask = (1 << weight) - 1
        for number in range(self.counts[axis]):
            all_ = known >> number * weight & mask
            if all_:
                yield self.lows[axis] + number, wanted >> number * weight & mask, all_


@lru_cache(maxsize=4096)
def _among(wanted: tuple[int, ...], known: tuple[int, ...], column: Column) -> Term:
    """That the column has one of the wanted values, it having one of the known ones."""
    chosen = set(wanted)
    if column.period:
        candidates = [_by_residue(chosen, known, column, m) for m in _divisors(column.period)]
    else:
        candidates = [_intervals(chosen, known, column.name, column.ends)]
        candidates += [_by_residue(chosen, known, column, m) for m in (2, 3, 4) if not column.ends]
    return min([c for c in candidates if c is not None], key=length)


@lru_cache(maxsize=256)
def _divisors(period: int) -> tuple[int, ...]:
    return tuple([m for m in range(1, period + 1) if period % m == 0])


def _by_residue(wanted: set[int], known: Sequence[int], column: Column, modulus: int) -> Term | None:
    """The same by residues; None where these do not tell."""
    inside = {v % modulus for v in wanted}
    if any(v % modulus in inside for v in known if v not in wanted):
        return None
    all_ = sorted({v % modulus for v in known})
    return _intervals(inside, all_, Term("%", (column.name, num(modulus))), False)


def _intervals(wanted: set[int], known: Sequence[int], name: Term, ends: bool) -> Term:
    """As few intervals as can be; a bound that nothing known is beyond is left out, unless the ends count."""
    runs: list[list[int]] = []
    before = False
    for value in known:
        if value in wanted:
            if before:
                runs[-1].append(value)
            else:
                runs.append([value])
        before = value in wanted
    left = [v for v in known if v not in wanted]
    if len(left) == 1 and len(runs) == 2 and not ends:
        return Term("!=", (name, num(left[0])))
    return disj(_interval(run, known, name, ends) for run in runs)


def _interval(run: Sequence[int], known: Sequence[int], name: Term, ends: bool) -> Term:
    low, high = run[0], run[-1]
    if low == high and (ends or len(known) > 1):
        return Term("==", (name, num(low)))
    parts = [Term(">=", (name, num(low)))] if ends or low != known[0] else []
    parts += [Term("<=", (name, num(high)))] if ends or high != known[-1] else []
    return conj(parts)


def length(term: Term) -> int:
    """How many numbers and names it takes to write the term."""
    return 1 if term.op in ("int", "sym", "bool") else sum(map(length, term.args))
