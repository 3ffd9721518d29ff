"""Programs at numbers: what stands at every index, or why the program is not defined there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise, product
from math import prod

from symview.engine.radix import place_values
from symview.logic.points import by_size
from symview.logic.terms import Term, value_of
from symview.rules.programs.program import Program

Index = tuple[int, ...]
Cell = tuple[str, Index] | None  # an element of a tensor, or padding


class Undefined(Exception):
    """The program has no meaning at these numbers; the message says which operation asks what."""


class TooLarge(Exception):
    """The arrays have more elements than are walked, and were not seen to differ."""


@dataclass(frozen=True, slots=True)
class Array:
    """A shape, and what stands at each index; nothing is made before it is asked for."""

    shape: Index
    at: Callable[[Index], Cell]

    def count(self) -> int:
        """How many indices the shape has."""
        return prod(self.shape)

    def cells(self) -> list[Cell]:
        """What stands at every index, in row-major order."""
        return list(map(self.at, product(*map(range, self.shape))))


def array_of(program: Program, values: Mapping[str, int]) -> Array:
    """What the program shows at these numbers. Raises Undefined.

    >>> from symview.rules.programs.program import Program
    >>> array_of(Program.parse("x(n).pad((1,0)).flip(0)"), {"n": 2}).cells()
    [('x', (1,)), ('x', (0,)), None]
    """
    return _Run(values).array(program)


def first_difference(left: Array, right: Array, most: int) -> Index | None:
    """The smallest index, by its sum and then lexicographic, at which arrays of one shape show different cells.

    Raises TooLarge where none of the first `most` indices is one, and there are more.

    >>> from symview.rules.programs.program import Program
    >>> x = Program.parse("x(n)")
    >>> first_difference(array_of(x, {"n": 10**9}), array_of(x.flip(0), {"n": 10**9}), 100)
    (0,)
    """
    for n, index in enumerate(islice(_by_sum(left), most + 1)):
        if n == most:
            raise TooLarge(f"{left.count()} elements")
        if left.at(index) != right.at(index):
            return index
    return None


def _by_sum(array: Array) -> Iterator[Index]:
    return by_size([(0, n - 1) for n in array.shape])


class _Run:
    """A program at values of its names: each step makes the array after it from the one before it."""

    def __init__(self, values: Mapping[str, int]) -> None:
        self.values = values

    def array(self, program: Program) -> Array:
        """The array after the last step."""
        first, *rest = program.chain()
        shape, name = self._shape(first.sizes, "the tensor"), first.step.given[0]
        found = Array(shape, lambda i: (name, i))
        for part in rest:
            found = self._after(part, found)
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
        return shape

    def _after(self, program: Program, old: Array) -> Array:
        op, given, _ = program.step
        at = old.at
        match op:
            case "permute":
                place = [given.index(a) for a in range(len(given))]
                return Array(tuple(old.shape[a] for a in given), lambda i: at(tuple([i[p] for p in place])))
            case "flip":
                ends = [n - 1 if a in given else -1 for a, n in enumerate(old.shape)]
                return Array(
                    old.shape,
                    lambda i: at(tuple([x if e < 0 else e - x for x, e in zip(i, ends, strict=True)])),
                )
            case "shrink" | "slice":
                return self._sliced(op, given, old)
            case "pad":
                return self._padded(given, old)
            case "expand":
                ones = [n == 1 for n in old.shape]
                return Array(
                    self._shape(program.sizes, op),
                    lambda i: at(tuple([0 if one else x for x, one in zip(i, ones, strict=True)])),
                )
            case "reshape":
                return self._reshaped(self._shape(program.sizes, op), old)
            case "concat":
                return self._joined(old, self.array(given[0]), given[1])
        return self._read(given, old)

    def _sliced(self, op: str, given: Sequence[tuple[Term, ...]], old: Array) -> Array:
        rows = [(*self._numbers(row), 1)[:3] for row in given]
        for (low, high, step), n in zip(rows, old.shape, strict=True):
            _require(all(a <= b for a, b in pairwise((0, low, high, n))), f"{op}: 0 <= lo <= hi <= size does not hold")
            _require(step >= 1, f"{op}: a step is below 1")
        shape = tuple(-((low - high) // step) for low, high, step in rows)
        at = old.at
        return Array(shape, lambda i: at(tuple([low + x * by for x, (low, _, by) in zip(i, rows, strict=True)])))

    def _padded(self, given: Sequence[tuple[Term, ...]], old: Array) -> Array:
        rows = [self._numbers(row) for row in given]
        _require(all(w >= 0 for row in rows for w in row), "pad: a width is negative")
        at, widths = old.at, [a for a, _ in rows]

        def inside(i: Index) -> Cell:
            index = tuple([x - a for x, a in zip(i, widths, strict=True)])
            return at(index) if all(0 <= x < n for x, n in zip(index, old.shape, strict=True)) else None

        return Array(tuple(a + n + b for (a, b), n in zip(rows, old.shape, strict=True)), inside)

    def _reshaped(self, shape: Index, old: Array) -> Array:
        _require(prod(shape) == old.count(), "reshape: the numbers of elements differ")
        flat, places = _flat(old), place_values(shape)
        return Array(shape, lambda i: flat(sum([x * p for x, p in zip(i, places, strict=True)])))

    def _joined(self, one: Array, other: Array, axis: int) -> Array:
        axis %= len(one.shape)
        for a, (m, n) in enumerate(zip(one.shape, other.shape, strict=True)):
            _require(a == axis or m == n, "concat: the other dims differ")
        n = one.shape[axis]
        first, second = one.at, other.at
        return Array(
            (*one.shape[:axis], n + other.shape[axis], *one.shape[axis + 1 :]),
            lambda i: first(i) if i[axis] < n else second((*i[:axis], i[axis] - n, *i[axis + 1 :])),
        )

    def _read(self, given: tuple[tuple[Term, ...], tuple[Term, ...], Term, object], old: Array) -> Array:
        shape, strides, offset = self._shape(given[0], "read"), self._numbers(given[1]), self._number(given[2])
        bounds = [(0, n) for n in shape]
        if isinstance(given[3], tuple):
            bounds = [(self._number(low), self._number(high)) for low, high in given[3]]
        for (low, high), n in zip(bounds, shape, strict=True):
            _require(0 <= low <= high <= n, "read: the mask leaves the shape")
        if given[3] == "empty":
            return Array(shape, lambda _: None)
        if all(low < high for low, high in bounds):
            ends = [(low * s, (high - 1) * s) for (low, high), s in zip(bounds, strides, strict=True)]
            least, most = offset + sum(map(min, ends)), offset + sum(map(max, ends))
            _require(least >= 0 and most < old.count(), "read: an address is out of bounds")
        flat = _flat(old)

        def seen(i: Index) -> Cell:
            if not all(low <= x < high for x, (low, high) in zip(i, bounds, strict=True)):
                return None
            return flat(offset + sum([x * s for x, s in zip(i, strides, strict=True)]))

        return Array(shape, seen)


def _flat(array: Array) -> Callable[[int], Cell]:
    """What stands at an address, row-major."""
    at, steps = array.at, list(zip(place_values(array.shape), array.shape, strict=True))
    return lambda address: at(tuple([address // p % n for p, n in steps]))


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise Undefined(what)
