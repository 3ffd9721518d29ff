"""The values of a layout: how many there are, how far they reach, which are missing; and the order of a permutation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import lcm
from typing import Any, Literal

from symview.counterexample import Counterexample, Kind
from symview.cute.analysis.given import Given, given
from symview.cute.analysis.sets import Values
from symview.cute.analysis.values import shown, values_of
from symview.cute.comparer import running
from symview.cute.errors import NoAnswer
from symview.cute.int_tuple import whole_number
from symview.cute.layout import Layout
from symview.cute.swizzled.permutations import same_index
from symview.displayed import Displayed, number_text
from symview.errors import SymbolError, Undecided
from symview.logic.budget import Budget

_WALKED = 1 << 20


@dataclass(frozen=True, slots=True, repr=False)
class Image(Displayed):
    """The set of values of a layout, never empty: iterable in increasing order, and supports `in`."""

    values: Values

    @property
    def least(self) -> int:
        """The least value."""
        return self.values.least

    @property
    def greatest(self) -> int:
        """The greatest value."""
        return self.values.greatest

    @property
    def gap(self) -> int | None:
        """The least number between two values that is not a value; None if the values form an interval."""
        missing = self.values.missing()
        return None if missing > self.greatest else missing

    def __len__(self) -> int:
        return self.values.count

    def __contains__(self, value: object) -> bool:
        return type(value) is int and value in self.values

    def __iter__(self) -> Iterator[int]:
        return iter(self.values)

    def __bool__(self) -> Literal[True]:
        return True

    def __str__(self) -> str:
        return f"{number_text(self.values.count)} values: {shown(self.values)}"

    def __repr__(self) -> str:
        return f"<Image {self}>"

    def to_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {"least": self.least, "greatest": self.greatest, "count": self.values.count, "gap": self.gap}


@dataclass(frozen=True, slots=True)
class Footprint(Displayed):
    """The values of a layout: `count` of the `span` places from the least to the greatest; see `span` for the range.

    `size` indices access them.
    """

    least: int
    greatest: int
    count: int
    size: int

    @property
    def span(self) -> int:
        """The places from the least to the greatest value."""
        return self.greatest - self.least + 1

    @property
    def holes(self) -> int:
        """How many of these places are not values."""
        return self.span - self.count

    @property
    def reuse(self) -> float:
        """The average number of indices per value."""
        return self.size / self.count

    def __str__(self) -> str:
        count, span, size = (number_text(x) for x in (self.count, self.span, self.size))
        return f"{count} of {span} places, for {size} indices"

    def to_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {"count": self.count, "size": self.size, "span": self.span, "holes": self.holes, "reuse": self.reuse}


def _gap(number: int, what: str) -> Counterexample:
    """The least number that is not a value."""
    return Counterexample(Kind.GAP, (), None, number, None, reason=f"{number_text(number)} {what}")


def _numbers(layout: Any, what: str) -> Given:
    query = given(layout, what)
    if query.symbols:
        names = ", ".join(query.symbols)
        others = {"image": "span", "footprint": "span", "order": "is_contiguous_conditions"}
        ask = f"ask {others.get(what, f'{what}_conditions')}, or " if isinstance(query.layout, Layout) else ""
        raise SymbolError(f"{what}: {layout} has the symbols {names}: {ask}give numbers")
    return query


def image(layout: Any, budget: Budget | None = None) -> Image:
    """The set of values of a layout, also swizzled or linear; of any size, unless strides overlap far.

    Source: the layout function of Definition 2.3 of "CuTe Layout Algebra" (L. Mao).

    >>> from symview.cute import Layout
    >>> found = image(Layout((2, 2, 1 << 40), (1, 4, 100)))
    >>> print(found)
    4398046511104 values: 0, 1, 4, 5, 100, 101, 104, 105, 200, 201, 204, 205, 300, 301, 304, 305, 400, 401, 404, 405, …
    >>> found.gap, 500 in found, 502 in found
    (2, True, False)
    """
    return Image(values_of(_numbers(layout, "image"), running(budget)))


def footprint(layout: Any, budget: Budget | None = None) -> Footprint:
    """The number of a layout's values, of the places from the least to the greatest, and of indices.

    >>> from symview.cute import Layout
    >>> print(footprint(Layout((4, 2, 8), (0, 1, 4))))
    16 of 30 places, for 64 indices
    """
    query = _numbers(layout, "footprint")
    found = values_of(query, running(budget))
    return Footprint(found.least, found.greatest, found.count, query.size)


def is_surjective(
    layout: Any, codomain: int | None = None, budget: Budget | None = None
) -> Literal[True] | Counterexample:
    """Whether every number from 0 up to `codomain` (exclusive) is a value; by default, up to the greatest value.

    Otherwise returns the least missing number, `expected`. Values beyond the codomain do not matter.

    >>> from symview.cute import Layout
    >>> print(is_surjective(Layout((4, 2), (1, 4))), is_surjective(Layout((4, 2), (1, 8))))
    True 4 is not a value
    """
    values = values_of(_numbers(layout, "is_surjective"), running(budget))
    end = values.greatest + 1 if codomain is None else whole_number(codomain, "the codomain")
    missing = 0 if values.least > 0 else values.missing() if values.least == 0 else _first_missing(values)
    return True if missing >= end else _gap(missing, "is not a value")


def _first_missing(values: Values) -> int:
    """The least missing number from 0 on, for values that start below 0."""
    found = max(values.missing(), 0)
    for _ in range(_WALKED):
        if found not in values:
            return found
        found += 1
    raise Undecided(f"the numbers from 0 to {found} are values: the least missing number was not reached")


def is_contiguous(layout: Any, budget: Budget | None = None) -> Literal[True] | Counterexample:
    """Whether the values form an interval, each from one index: one block of memory, in any order.

    Otherwise returns two indices with the same value, or the least missing number between two values.

    >>> from symview.cute import Layout
    >>> is_contiguous(Layout((2, 4), (4, 1)))
    True
    >>> print(is_contiguous(Layout((2, 4), (0, 1)))), print(is_contiguous(Layout((2, 4), (8, 1))))
    indices 0 and 1 both have the value 0
    4 lies between two values, but is not a value
    (None, None)
    """
    budget = running(budget)
    query = _numbers(layout, "is_contiguous")
    values = values_of(query, budget)
    if values.count < query.size:
        first, second = _same(query, budget)
        value = query.at(first)
        at = f"indices {number_text(first)} and {number_text(second)}"
        reason = f"{at} both have the value {number_text(value)}"
        return Counterexample(Kind.OVERLAP, (second,), None, None, value, other=(first,), reason=reason)
    missing = values.missing()
    if missing <= values.greatest:
        return _gap(missing, "lies between two values, but is not a value")
    return True


def _same(query: Given, budget: Budget) -> tuple[int, int]:
    """Two indices with the same value, which have to exist."""
    pair = None
    if query.map is not None:
        pair = same_index(query.map, budget)
    else:
        seen: dict[int, int] = {}
        pair = next((seen[v], i) for i in range(query.size) if seen.setdefault(v := query.at(i), i) != i)
    if pair is None:
        raise Undecided("two indices have one value, and were not found")
    return pair


def order(layout: Any, budget: Budget | None = None) -> int:
    """The order of a permutation: the least n > 0 such that applying the layout n times is the identity.

    The layout has to map its indices to an interval of values, counted from the least one. Raises NoAnswer if it does
    not; Undecided if it has too many indices to enumerate and is more than a permutation of bits.

    >>> from symview.cute import Layout
    >>> order(Layout((2, 4), (4, 1))), order(Layout(8)), order(Layout((3, 5), (5, 1)))
    (3, 1, 6)
    """
    budget = running(budget)
    dense = is_contiguous(layout, budget)
    if not dense:
        raise NoAnswer(f"order of {layout}: it permutes no interval: {dense}")
    query = _numbers(layout, "order")
    least = values_of(query, budget).least
    constant, bases = query.columns() or (None, [])
    if least == constant == 0 and all(b & b - 1 == 0 for b in bases):
        return _of_cycles([b.bit_length() - 1 for b in bases])
    if query.size > min(_WALKED, budget.points):
        raise Undecided(f"order of {layout}: {query.size} indices are too many to enumerate")
    budget.spend(query.size)
    return _of_cycles([query.at(i) - least for i in range(query.size)])


def _of_cycles(permutation: list[int]) -> int:
    """The least common multiple of the cycles' lengths."""
    found, seen = 1, [False] * len(permutation)
    for start in range(len(permutation)):
        length, at = 0, start
        while not seen[at]:
            seen[at] = True
            at, length = permutation[at], length + 1
        found = lcm(found, length or 1)
    return found
