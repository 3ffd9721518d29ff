"""The most elements that one access can read, if every access reads equally many."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from math import gcd, lcm
from typing import Any

from symview.cute.analysis.given import Given, given
from symview.cute.comparer import running
from symview.cute.linear.straight import modes_of
from symview.displayed import Displayed, number_text
from symview.engine.first_difference import few
from symview.engine.map import Flips, Map, Mode
from symview.engine.radix import divisors, prime_factors
from symview.engine.ring import LARGEST, Steps
from symview.errors import Undecided
from symview.logic.budget import Budget

_WALKED = 1 << 16
_ROWS = 64


@dataclass(frozen=True, slots=True)
class VectorWidth(Displayed):
    """The largest vector, in elements; at `index`, longer ones need `expected`, but the value is `got`.

    These are None if one vector contains all elements.
    """

    width: int
    index: int | None = None
    expected: int | None = None
    got: int | None = None

    def __index__(self) -> int:
        return self.width

    def __str__(self) -> str:
        if self.index is None or self.expected is None or self.got is None:
            return f"{number_text(self.width)}: all elements"
        at, got, expected = (number_text(x) for x in (self.index, self.got, self.expected))
        return f"{number_text(self.width)}: at index {at} the value is {got}, not {expected}"

    def to_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {"width": self.width, "index": self.index, "expected": self.expected, "got": self.got}


def vector_width(layout: Any, budget: Budget | None = None) -> Any:
    """The most elements that are contiguous and aligned everywhere, so that every access can read that many.

    The largest V with layout(V·y + z) = layout(V·y) + z for z < V and V | layout(V·y), for all y; V divides the size.
    Exact for plain, swizzled and linear layouts; the answer can be used as an integer, and has the first index at which
    the values do not continue. With symbolic strides, returns `Conditions` with a width for each case. Raises Undecided
    for a swizzled layout that is neither strided nor linear and too large to be enumerated.

    >>> from symview.cute import Layout
    >>> print(vector_width(Layout((8, 6), (1, 12))))
    4: at index 8 the value is 12, not 8
    >>> from symview.cute import ComposedLayout, Swizzle
    >>> print(vector_width(ComposedLayout(Swizzle(3, 3, 3), 0, Layout((64, 8), (1, 64)))).width)
    8
    >>> print(vector_width(Layout.parse("(8,m):(1,ld)").with_values({"m": 4, "ld": 20})).width)
    4
    >>> print(vector_width(Layout.parse("(8,4):(1,ld)")))
    ld = 8: 32
    ld % 8 = 0: 8
    ld % 4 = 0: 4
    ld % 2 = 0: 2
    otherwise: 1
    """
    query, budget = given(layout, "vector_width"), running(budget)
    if query.symbols:
        from symview.cute.analysis.by_symbol import width_by_symbols  # it loads what symbols need

        return width_by_symbols(query, vector_width, budget)
    modes = None if query.map is None else _modes(query.map)
    if modes is not None:
        return _of_strided(query, modes)
    columns = query.columns()
    if columns is not None:
        return _of_columns(query, columns)
    found = None if query.map is None or query.size <= few(budget) else _by_residues(query, query.map)
    if found is not None:
        return found
    if query.size > min(_WALKED, budget.points):
        raise Undecided(f"vector_width: {query.size} indices are too many to enumerate")
    budget.spend(query.size)
    table = [query.at(i) for i in range(query.size)]
    breaks = [i for i in range(1, len(table)) if table[i] != table[i - 1] + 1]
    return _width(query, gcd(len(table), table[0], *breaks, *[table[i] for i in breaks]), breaks[0] if breaks else 0)


def _width(query: Given, width: int, index: int) -> VectorWidth:
    """The width, and the index where the values do not continue; 0 if all values start inside a vector."""
    if width == query.size:
        return VectorWidth(width)
    return VectorWidth(width, index, query.at(index - 1) + 1 if index else 0, query.at(index))


def _modes(f: Map) -> list[Mode] | None:
    """The coalesced modes, if the map is strided and no solver is needed to see it."""
    with suppress(Undecided):
        modes = modes_of(f)
        return modes if isinstance(modes, list) else None
    return None


def _of_strided(query: Given, modes: list[Mode]) -> VectorWidth:
    if not modes:
        return VectorWidth(1)
    (size, stride), *others = modes
    if stride != 1:
        return _width(query, 1, 1)
    return _width(query, gcd(size, query.at(0), *[d for _, d in others]), size if others else 0)


def _of_columns(query: Given, columns: Flips) -> VectorWidth:
    constant, bases = columns
    ones = next((k for k, base in enumerate(bases) if base != 1 << k), len(bases))
    width = gcd(1 << ones, constant, *bases[ones:])
    index = min(1 << ones, constant & -constant or 1 << ones)
    if index >= query.size or query.at(index) == query.at(index - 1) + 1:
        index = 0
    return _width(query, width, index)


def _by_residues(query: Given, f: Map) -> VectorWidth | None:
    """For a swizzled layout whose first mode ends a vector; None if it does not, or if the period is long.

    A vector that does not divide the first mode must continue from one row to the next, except at every k-th row for
    some k > 1; so it is excluded if values fail to continue at rows without a common divisor. Whether a vector is
    contiguous everywhere depends on the residues at which vectors start, modulo the swizzles' period.
    """
    period, ((size, step), *others) = f.period(), f.base.modes
    rows = range(1, min(query.size // size, _ROWS))
    ended = [r for r in rows if f(r * size) != f(r * size - 1) + 1]
    if period is None or (others and gcd(*ended) != 1):
        return None
    first = next((i for i in range(1, min(size, _WALKED)) if f(i) != f(i - 1) + 1), size)
    if first == size > _WALKED:
        return None
    for width in reversed(divisors(prime_factors(gcd(first, size, f(0))))):
        modulus = lcm(period, width)
        if modulus > LARGEST:
            return None
        starts = Steps([(size // width, width * step), *others], modulus, f.base.offset).reached()
        fronts = ((r, f.moved(r)) for r in starts)
        if all(v % width == 0 and all(f.moved(r + z * step) == v + z for z in range(width)) for r, v in fronts):
            return _width(query, width, first if first < size else ended[0] * size if ended else 0)
    return None
