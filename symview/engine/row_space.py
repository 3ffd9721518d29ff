"""Exact row spaces over the integers: reduced echelon form, orthogonal complement, membership."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd
from operator import mul

Row = tuple[int, ...]


def unit(at: int, width: int) -> Row:
    """The row with 1 at one place and 0 elsewhere."""
    return tuple([int(n == at) for n in range(width)])


def dot(a: Sequence[int], b: Sequence[int]) -> int:
    """Σ a_n·b_n for rows of equal width."""
    return sum(map(mul, a, b))


def primitive(row: Sequence[int]) -> Row:
    """The row divided by its content, with a positive first nonzero entry; zero rows stay.

    >>> primitive((0, -4, 6))
    (0, 2, -3)
    """
    content = gcd(*row) if row else 0
    if content == 0:
        return tuple(row)
    lead = next(filter(None, row))
    if lead < 0:
        content = -content
    return tuple([x // content for x in row]) if content != 1 else tuple(row)


def _without(pivot: int, row: Sequence[int], own: Sequence[int]) -> Row:
    """The combination of two rows that is 0 at the pivot."""
    a, b = own[pivot], row[pivot]
    return tuple([a * x - b * y for x, y in zip(row, own, strict=True)])


class RowSpace:
    """The span of integer rows, kept in reduced echelon form with primitive rows.

    Two spans are equal iff their `rows` are.

    >>> space = RowSpace(2)
    >>> space.add((1, 1)), space.add((3, 3)), space.add((2, 1)), space.rows
    (True, False, True, ((1, 0), (0, 1)))
    """

    __slots__ = ("_pivots", "_rows", "width")

    def __init__(self, width: int, rows: Iterable[Sequence[int]] = ()) -> None:
        self.width = width
        self._rows: list[Row] = []
        self._pivots: list[int] = []
        for row in rows:
            self.add(row)

    @property
    def rows(self) -> tuple[Row, ...]:
        """The reduced echelon form, sorted by pivot column."""
        return tuple(self._rows)

    @property
    def pivots(self) -> tuple[int, ...]:
        """The pivot column of each row."""
        return tuple(self._pivots)

    @property
    def rank(self) -> int:
        """The dimension of the span."""
        return len(self._rows)

    def is_full(self) -> bool:
        """Whether the span contains every row of this width."""
        return len(self._rows) == self.width

    def residue(self, row: Sequence[int]) -> Row:
        """A primitive row that extends the span in the same way as `row`; it is 0 iff `row` is in the span."""
        rest = tuple(row)
        for own, pivot in zip(self._rows, self._pivots, strict=True):
            if rest[pivot]:
                rest = _without(pivot, rest, own)
        return primitive(rest)

    def __contains__(self, row: Sequence[int]) -> bool:
        return not any(self.residue(row))

    def add(self, row: Sequence[int]) -> bool:
        """Adds the row; True if it was not in the span before."""
        if not any(row):
            return False
        rest = self.residue(row)
        if not any(rest):
            return False
        pivot = next(c for c, x in enumerate(rest) if x)
        for n, own in enumerate(self._rows):
            if own[pivot]:
                self._rows[n] = primitive(_without(pivot, own, rest))
        place = sum(p < pivot for p in self._pivots)
        self._rows.insert(place, rest)
        self._pivots.insert(place, pivot)
        return True

    def complement(self) -> tuple[Row, ...]:
        """A basis of the integer vectors orthogonal to the span.

        >>> RowSpace(3, [(1, 0, 2), (0, 1, 3)]).complement()
        ((2, 3, -1),)
        """
        return tuple([self._orthogonal(free) for free in range(self.width) if free not in self._pivots])

    def apart(self, row: Sequence[int]) -> Row:
        """The first basis vector of the complement that is not orthogonal to `row`, which is outside the span.

        >>> RowSpace(3, [(1, 0, 2)]).apart((0, 0, 5)), RowSpace(3, [(1, 0, 2)]).complement()
        ((2, 0, -1), ((0, 1, 0), (2, 0, -1)))
        """
        return self._orthogonal(next(c for c, x in enumerate(self.residue(row)) if x))

    def _orthogonal(self, free: int) -> Row:
        """The vector orthogonal to the span whose only nonzero entry in columns without pivot is this one."""
        scale = 1
        for row, pivot in zip(self._rows, self._pivots, strict=True):
            if row[free]:
                scale = scale * row[pivot] // gcd(scale, row[pivot])
        vector = [0] * self.width
        vector[free] = scale
        for row, pivot in zip(self._rows, self._pivots, strict=True):
            vector[pivot] = -row[free] * scale // row[pivot]
        return primitive(vector)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RowSpace) and (self.width, self._rows) == (other.width, other._rows)

    def __hash__(self) -> int:
        return hash((self.width, self.rows))
