"""Programs at numbers: what stands at every index, or why the program is not defined there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise, product
from math import prod
from typing import NamedTuple

from symview.engine.radix import ravel, unravel
from symview.logic.terms import Term, value_of
from symview.rules.programs import Program

Index = tuple[int, ...]
Cell = tuple[str, Index] | None  # an element of a tensor, or padding


class Undefined(Exception):
    """The program has no meaning at these numbers; the message says which operation asks what."""


class TooLarge(Exception):
    """The arrays have more elements than are to be walked."""


class Array(NamedTuple):
    """A shape, and the cell at each index in row-major order."""

    shape: Index
    cells: list[Cell]

    def at(self, index: Index) -> Cell:
        """The cell at an index."""
        return self.cells[ravel(index, self.shape)]


def array_of(program: Program, values: Mapping[str, int], most: int = 10**9) -> Array:
    """What the program shows at these numbers. Raises Undefined, or TooLarge beyond `most` elements.

    >>> from symview.rules.programs import Program
    >>> array_of(Program.parse("x(n).pad((1,0)).flip(0)"), {"n": 2}).cells
    [('x', (1,)), ('x', (0,)), None]
    """
    return _Run(values, most).array(program)


class _Run:
    def __init__(self, values: Mapping[str, int], most: int) -> None:
        self.values, self.most = values, most

    def array(self, program: Program) -> Array:
        """The array after the last step."""
        found: Array | None = None
        for part in program.chain():
            found = self._tensor(part) if found is None else self._after(part, found)
        if found is None:
            raise Undefined("a program has a tensor")
        return found

    def _number(self, term: Term) -> int:
        try:
            return int(value_of(term, self.values))
        except ZeroDivisionError:
            raise Undefined("a divisor is 0") from None

    def _numbers(self, terms: Sequence[Term]) -> Index:
        return tuple(map(self._number, terms))

    def _shape(self, sizes: Sequence[Term], what: str) -> Index:
        shape = self._numbers(sizes)
        _require(all(n >= 0 for n in shape), f"{what}: a size is negative")
        if prod(shape) > self.most:
            raise TooLarge(f"{prod(shape)} elements")
        return shape

    def _tensor(self, program: Program) -> Array:
        shape = self._shape(program.sizes, "the tensor")
        return Array(shape, [(program.step.given[0], i) for i in _indices(shape)])

    def _after(self, program: Program, old: Array) -> Array:
        op, given, _ = program.step
        match op:
            case "permute":
                shape = tuple(old.shape[a] for a in given)
                place = [given.index(a) for a in range(len(given))]
                return _made(shape, old, lambda i: tuple(i[p] for p in place))
            case "flip":
                ends = [(a in given, n - 1) for a, n in enumerate(old.shape)]
                return _made(
                    old.shape, old, lambda i: tuple(e - x if f else x for x, (f, e) in zip(i, ends, strict=True))
                )
            case "shrink" | "slice":
                return self._sliced(op, given, old)
            case "pad":
                return self._padded(given, old)
            case "expand":
                shape = self._shape(program.sizes, op)
                return _made(shape, old, lambda i: tuple(0 if n == 1 else x for x, n in zip(i, old.shape, strict=True)))
            case "reshape":
                shape = self._shape(program.sizes, op)
                _require(prod(shape) == prod(old.shape), "reshape: the numbers of elements differ")
                return Array(shape, old.cells)
            case "concat":
                return self._joined(old, self.array(given[0]), given[1])
        return self._read(given, old)

    def _sliced(self, op: str, given: Sequence[tuple[Term, ...]], old: Array) -> Array:
        rows = [(*self._numbers(row), 1)[:3] for row in given]
        for (low, high, step), n in zip(rows, old.shape, strict=True):
            _require(all(a <= b for a, b in pairwise((0, low, high, n))), f"{op}: 0 <= lo <= hi <= size does not hold")
            _require(step >= 1, f"{op}: a step is below 1")
        shape = tuple(-((low - high) // step) for low, high, step in rows)
        return _made(shape, old, lambda i: tuple(low + x * step for x, (low, _, step) in zip(i, rows, strict=True)))

    def _padded(self, given: Sequence[tuple[Term, ...]], old: Array) -> Array:
        rows = [self._numbers(row) for row in given]
        _require(all(w >= 0 for row in rows for w in row), "pad: a width is negative")
        shape = tuple(a + n + b for (a, b), n in zip(rows, old.shape, strict=True))
        if prod(shape) > self.most:
            raise TooLarge(f"{prod(shape)} elements")
        return _made(shape, old, lambda i: tuple(x - a for x, (a, _) in zip(i, rows, strict=True)))

    def _joined(self, one: Array, other: Array, axis: int) -> Array:
        axis %= len(one.shape)
        for a, (m, n) in enumerate(zip(one.shape, other.shape, strict=True)):
            _require(a == axis or m == n, "concat: the other dims differ")
        n = one.shape[axis]
        shape = (*one.shape[:axis], n + other.shape[axis], *one.shape[axis + 1 :])
        cells = [
            one.at(i) if i[axis] < n else other.at((*i[:axis], i[axis] - n, *i[axis + 1 :])) for i in _indices(shape)
        ]
        return Array(shape, cells)

    def _read(self, given: tuple[tuple[Term, ...], tuple[Term, ...], Term, object], old: Array) -> Array:
        shape, strides, offset = self._shape(given[0], "read"), self._numbers(given[1]), self._number(given[2])
        whole = [(0, n) for n in shape]
        bounds = whole if not isinstance(given[3], tuple) else [self._numbers(pair) for pair in given[3]]
        for (low, high), n in zip(bounds, shape, strict=True):
            _require(0 <= low <= high <= n, "read: the mask leaves the shape")
        cells: list[Cell] = []
        for i in _indices(shape):
            if given[3] == "empty" or not all(low <= x < high for x, (low, high) in zip(i, bounds, strict=True)):
                cells.append(None)
                continue
            at = offset + sum(x * s for x, s in zip(i, strides, strict=True))
            _require(0 <= at < len(old.cells), "read: an address is out of bounds")
            cells.append(old.cells[at])
        return Array(shape, cells)


def _indices(shape: Index) -> list[Index]:
    return list(product(*map(range, shape)))


def _made(shape: Index, old: Array, back: Callable[[Index], Index]) -> Array:
    """The array whose cell at i is that of the old one at back(i), and padding where that is outside."""
    places = [1] * len(old.shape)
    for k in range(len(places) - 1, 0, -1):
        places[k - 1] = places[k] * old.shape[k]
    cells: list[Cell] = []
    for i in _indices(shape):
        index = back(i)
        inside = all(0 <= x < n for x, n in zip(index, old.shape, strict=True))
        cells.append(old.cells[sum(x * p for x, p in zip(index, places, strict=True))] if inside else None)
    return Array(shape, cells)


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise Undefined(what)


def first_difference(left: Array, right: Array) -> Index | None:
    """The smallest index, by its sum and then lexicographic, at which arrays of one shape show different cells."""
    differ = [n for n, (a, b) in enumerate(zip(left.cells, right.cells, strict=True)) if a != b]
    return min((unravel(n, left.shape) for n in differ), key=lambda i: (sum(i), i), default=None)
