"""Accesses to a tile in shared memory: the vector of each lane, by name, as a layout or as a list."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from math import prod
from typing import Any, NamedTuple

from symview.cute.errors import LayoutError
from symview.cute.int_tuple import leaves, whole_number
from symview.cute.layout import Layout, LayoutBase, is_layout
from symview.cute.linear.layout import LinearLayout
from symview.cute.text import parse
from symview.displayed import Displayed

Coordinate = tuple[int, ...]
Vector = tuple[Coordinate, ...]  # the elements of one lane
WARP = 32
_MOST = 1 << 16  # the vectors of one access
_NAMED = re.compile(r"([a-z][\w.]*?)(?:\.x([124]))?(?:\s+(\d{1,4})(?:\s*x\s*(\d{1,4})|\s*B)?)?", re.ASCII)
_VECTOR = re.compile(r"(.*\S)\s+vector\s+(\d{1,4})", re.DOTALL)


class Pattern(NamedTuple):
    """Vectors along a dim, of `bytes` bytes and at least `least` elements.

    Lanes go along the dim `first`, then along the others, the last one first: through the whole tile, or a block of
    `rows` lines of `columns` vectors.
    """

    bytes: int
    axis: int = -1
    first: int = -1
    elements: int = 1
    rows: int = 0
    columns: int = 0

    def placed(self, tile: Sequence[int], element_bytes: int, name: str) -> list[Vector]:
        """The vectors of the lanes."""
        count, axis, rank = max(self.elements, self.bytes // element_bytes), self.axis % len(tile), len(tile)
        part = self.bytes > element_bytes and self.bytes % element_bytes
        if part or tile[axis] % count:
            raise LayoutError(f"{name}: no whole vectors of {element_bytes}-byte elements along {tile[axis]} of these")
        sizes = [n // count if a == axis else n for a, n in enumerate(tile)]
        if self.rows:
            other = axis - 1 if axis else 1
            sizes = [self.columns if a == axis else self.rows if a == other else 1 for a in range(max(rank, 2))]
        if prod(sizes) > _MOST:
            raise LayoutError(f"{name}: {prod(sizes)} vectors in the tile: at most {_MOST} are looked at")
        order = sorted(range(len(sizes)), key=lambda a: (a == self.first % rank, a))  # the last dim is the fastest
        places = [dict(zip(order, x, strict=True)) for x in product(*[range(sizes[a]) for a in order])]
        starts = [tuple([x[a] * (count if a == axis else 1) for a in range(len(sizes))]) for x in places]
        return [_along(start, axis, count) for start in starts]


class Lanes(NamedTuple):
    """An access to a tile: the vector of each lane, by instruction."""

    name: str
    weight: int
    instructions: tuple[tuple[Vector, ...], ...]
    least: int  # elements of a vector, if it may be cut

    @property
    def size(self) -> int:
        """The elements of a vector."""
        return len(self.instructions[0][0])

    def distinct(self, whole: int) -> list[tuple[Vector, ...]]:
        """The instructions up to shifts by rows, and by whole words (`whole` elements) along the last dim.

        Such shifts move the banks of all lanes equally, if pitches are whole words.
        """
        found: dict[Any, tuple[Vector, ...]] = {}
        for one in self.instructions:
            first = one[0][0]
            moved = (*first[:-1], first[-1] - first[-1] % whole)
            found.setdefault(tuple([tuple([c - d for c, d in zip(x[0], moved, strict=True)]) for x in one]), one)
        return [*found.values()]


@dataclass(frozen=True, slots=True)
class Access(Displayed):
    """The elements of a tile that one instruction of a kernel reads or writes, `vector` by each lane; truthy.

    `threads`: a layout (thread, value) ↦ coordinate of the tile, whose first `vector` values are one vector (numbers
    are indices of the tile, the first dim fastest; a linear layout's inputs may be register, lane, warp); or the list
    of the lanes' coordinates, where each vector starts and extends along the tile's last dim. `weight`: how often it
    runs. `least`: the bytes down to which vectors may be cut. The kernel repeats it throughout the tile: unless it says
    how, shifted along the dims by powers of two. Other accesses have names:

    `row 16 B`, `column 2 B`: vectors along the last dim, and lanes along it, or along the first. `cp.async 16 B`: such
    rows, of 4, 8 or 16 bytes. `block 4x8`: lanes in 4 rows of 8. `ldmatrix`: 16 bytes in each of 8 adjacent rows,
    `ldmatrix.trans` along the first dim, in columns; `stmatrix` is the same; `.x4` counts it four times. `mma.A`,
    `mma.B`: a 32-bit register of each lane of the operand (m, k) or (k, n), `mma.C`: two elements of (m, n).
    Source: PTX ISA 9.2, ldmatrix, stmatrix, cp.async, and 9.7.14.5, matrix fragments for mma.

    >>> apart = Access([(8 * lane, 0) for lane in range(8)], vector=8, name="rows 8 apart")
    >>> [vector[0] for vector in apart.lanes((64, 64), 2).instructions[0]][:3]
    [(0, 0), (8, 0), (16, 0)]
    >>> print(Access.parse("cp.async 16 B"))
    cp.async 16 B
    """

    threads: Any
    vector: int = 1
    name: str = ""
    weight: int = 1
    least: int = 1

    def __post_init__(self) -> None:
        if not is_layout(self.threads) and not isinstance(self.threads, Pattern):
            object.__setattr__(self, "threads", _listed(self.threads))
        for field in ("vector", "weight", "least"):
            _count(getattr(self, field), f"Access: {field}")

    @staticmethod
    def row(bytes: int = 1) -> Access:
        """Vectors of this many bytes (at least one element) along the last dim, and lanes along it."""
        return Access(Pattern(_count(bytes, "row")), 1, f"row {bytes} B")

    @staticmethod
    def column(bytes: int = 1) -> Access:
        """Vectors of this many bytes (at least one element) along the last dim, and lanes along the first."""
        return Access(Pattern(_count(bytes, "column"), first=0), 1, f"column {bytes} B")

    @staticmethod
    def block(rows: int, columns: int) -> Access:
        """Lanes in `rows` rows of `columns` elements."""
        sizes = _count(rows, "block"), _count(columns, "block")
        return Access(Pattern(1, rows=sizes[0], columns=sizes[1]), 1, f"block {rows}x{columns}")

    @staticmethod
    def ldmatrix(axis: int = -1) -> Access:
        """Eight adjacent vectors of 16 bytes along the axis."""
        return Access(Pattern(16, axis, axis, rows=8, columns=1), 1, "ldmatrix", 1, 16)

    @staticmethod
    def parse(text: str) -> Access:
        """Parses an access: its name, or a layout of threads and values, `((4,8),2):((128,1),64) vector 2`."""
        if not isinstance(text, str):
            raise LayoutError(f"Access.parse({text!r}): give text")
        found, number = _NAMED.fullmatch(text.strip()), _VECTOR.fullmatch(text.strip())
        if found is None:
            return Access(parse(number[1] if number else text), int(number[2]) if number else 1, text.strip())
        word, *numbers = found.groups()
        many, first, second = [int(x or 0) for x in numbers]
        made = _BY_NAME.get(word)
        if made is None or bool(second) != (word == "block") or (first and word not in _WITH_NUMBERS):
            known = ", ".join(_BY_NAME)
            raise LayoutError(f"{text.strip()!r} is no access: give one of {known}, or a layout of threads and values")
        return replace(made(first, second), name=text.strip(), weight=many or 1)

    def __str__(self) -> str:
        return self.name or repr(self)

    @lru_cache(64)  # noqa: B019
    def lanes(self, tile: tuple[int, ...], element_bytes: int) -> Lanes:
        """The access in a tile; raises LayoutError if it does not fit."""
        given = self.threads
        if isinstance(given, Pattern):
            if not -len(tile) <= given.axis < max(len(tile), 2):
                raise LayoutError(f"{self}: the tile {tile} has no dim {given.axis}")
            found = [given.placed(tile, element_bytes, str(self))]
        elif isinstance(given, LayoutBase):
            found = _of_layout(given, self.vector, tile, str(self))
        else:
            found = [[_along(start, len(start) - 1, self.vector) for start in given]]
        for x in (x for lanes in found for vector in lanes for x in vector):
            if len(x) != len(tile) or any(not 0 <= c < n for c, n in zip(x, tile, strict=True)):
                raise LayoutError(f"{self}: it is at {x}, which is not within the tile {tile}")
        warps = tuple([tuple(lanes[i : i + WARP]) for lanes in found for i in range(0, len(lanes), WARP)])
        return Lanes(str(self), self.weight, warps, min(len(warps[0][0]), max(1, self.least // element_bytes)))


def _count(given: Any, what: str) -> int:
    """The number; raises LayoutError if it is below 1."""
    if whole_number(given, what) < 1:
        raise LayoutError(f"{what} is {given}: give a number from 1 on")
    return int(given)


def _cp_async(bytes: int, _: int) -> Access:
    if bytes not in (0, 4, 8, 16):
        raise LayoutError(f"cp.async of {bytes} bytes: it copies 4, 8 or 16")
    return Access(Pattern(bytes or 16), least=4)


def _fragment(pattern: Pattern) -> Callable[[int, int], Access]:
    return lambda *_: Access(pattern._replace(first=pattern.axis, rows=8, columns=4))


_WITH_NUMBERS = ("row", "column", "cp.async", "block")
_BY_NAME: dict[str, Callable[[int, int], Access]] = {
    "row": lambda n, _: Access.row(n or 1), "column": lambda n, _: Access.column(n or 1), "cp.async": _cp_async,
    "block": Access.block, "ldmatrix": lambda *_: Access.ldmatrix(), "ldmatrix.trans": lambda *_: Access.ldmatrix(0),
    "stmatrix": lambda *_: Access.ldmatrix(), "stmatrix.trans": lambda *_: Access.ldmatrix(0),
    "mma.A": _fragment(Pattern(4, 1)), "mma.B": _fragment(Pattern(4, 0)), "mma.C": _fragment(Pattern(1, 1, elements=2)),
}  # fmt: skip


def as_access(given: Any) -> Access:
    """Converts to an access: from its text, a layout of threads and values, or a list of the lanes' coordinates."""
    if isinstance(given, Access):
        return given
    return Access.parse(given) if isinstance(given, str) else Access(given, name=str(given) if is_layout(given) else "")


def _listed(given: Any) -> tuple[Coordinate, ...]:
    if not isinstance(given, list | tuple) or not given:
        raise LayoutError(f"Access: {given!r} is no layout and no list of the lanes' coordinates")
    rows = [x if isinstance(x, list | tuple) else (x,) for x in given]
    return tuple([tuple([whole_number(c, "Access: a coordinate") for c in row]) for row in rows])


def _along(start: Coordinate, axis: int, count: int) -> Vector:
    """`count` coordinates along an axis, from `start` on."""
    return tuple([(*start[:axis], start[axis] + i, *start[axis + 1 :]) for i in range(count)])


def _of_layout(given: Any, vector: int, tile: Sequence[int], name: str) -> list[list[Vector]]:
    """The vectors of all threads, of a layout of threads and values."""
    if isinstance(given, Layout) and not given.numeric:
        raise LayoutError(f"{name}: a layout needs numbers, and accesses that have names are {', '.join(_BY_NAME)}")
    if given.size() > _MOST:
        raise LayoutError(f"{name}: {given.size()} elements: give at most {_MOST}")
    if isinstance(given, LinearLayout):
        table = _by_thread(given)
    else:
        threads = given[0].size() if isinstance(given.shape, tuple) else given.size()
        table = [[given(i) for i in range(t, given.size(), threads)] for t in range(threads)]
    if len(table[0]) % vector:
        raise LayoutError(f"{name}: vectors of {vector} do not divide {len(table[0])} values")
    rows = [[_coordinate(x, tile) for x in row] for row in table]
    return [[tuple(row[v : v + vector]) for row in rows] for v in range(0, len(table[0]), vector)]


def _by_thread(given: LinearLayout) -> list[list[Any]]:
    """The coordinates by thread and value: threads are lanes and warps, or else the first input."""
    names = [n for n in ("lane", "warp") if n in given.ins] or [*given.ins][:1]

    def all_of(inputs: Sequence[str]) -> list[dict[str, int]]:
        sizes = [range(given.ins[n]) for n in reversed(inputs)]
        return [dict(zip(reversed(inputs), x, strict=True)) for x in product(*sizes)]

    values = all_of([n for n in given.ins if n not in names])
    return [[tuple(given.at({**t, **v}).values()) for v in values] for t in all_of(names)]


def _coordinate(x: Any, tile: Sequence[int]) -> Coordinate:
    """A coordinate of the tile, from a nested one, or from an index."""
    first, *more = flat = tuple(leaves(x))
    if more:
        return flat
    last = prod(tile[:-1])  # the last dim is unbounded
    return (*[first // prod(tile[:d]) % n for d, n in enumerate(tile[:-1])], first // last)
