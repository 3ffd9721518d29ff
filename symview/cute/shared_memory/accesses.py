"""Accesses to a tile in shared memory: which vector each lane reads, given by name, as a layout or as a list."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from math import prod
from typing import Any, NamedTuple

from symview.cute.errors import LayoutError
from symview.cute.int_tuple import leaves, whole_number
from symview.cute.layout import LayoutBase, is_layout
from symview.cute.linear.layout import LinearLayout
from symview.cute.text import parse
from symview.displayed import Displayed

Coordinate = tuple[int, ...]
Vector = tuple[Coordinate, ...]  # the elements that a lane reads at once
WARP = 32
_MOST = 1 << 16  # vectors of one access
_NAMED = re.compile(r"([a-z][\w.]*?)(\.x[124])?(?:\s+(\d{1,4})(?:\s*x\s*(\d{1,4})|\s*B)?)?", re.ASCII)
_VECTOR = re.compile(r"(.*\S)\s+vector\s+(\d{1,4})", re.DOTALL)


class Lines(NamedTuple):
    """All vectors of a tile: they lie along `axis`, and the lanes go along `first`, then along the last dims first."""

    bytes: int
    axis: int
    first: int


class Block(NamedTuple):
    """Vectors along `axis` in a block at the origin, lane after lane along `axis`, then along the other dim."""

    rows: int
    columns: int
    bytes: int
    axis: int
    elements: int = 1  # of a vector, at least


class Lanes(NamedTuple):
    """An access to a tile: by instruction the vector of each lane."""

    name: str
    weight: int
    instructions: tuple[tuple[Vector, ...], ...]
    least: int  # elements of a vector, where it may be cut

    @property
    def size(self) -> int:
        """The elements of a vector."""
        return len(self.instructions[0][0])

    def distinct(self, whole: int) -> list[tuple[Vector, ...]]:
        """The instructions that differ by more than rows, and whole words of so many elements along the last dim.

        These move all lanes to other banks alike, where pitches are whole words.
        """
        found: dict[Any, tuple[Vector, ...]] = {}
        for one in self.instructions:
            first = one[0][0]
            moved = (*first[:-1], first[-1] - first[-1] % whole)
            found.setdefault(tuple([tuple([c - d for c, d in zip(x[0], moved, strict=True)]) for x in one]), one)
        return [*found.values()]


@dataclass(frozen=True, slots=True)
class Access(Displayed):
    """What one instruction of a kernel reads or writes of a tile, `vector` elements by each lane; truthy.

    `threads`: a layout (thread, value) ↦ coordinate of the tile, the first `vector` values being one vector (numbers
    are indices of the tile, the first dim fastest; a linear layout's inputs may be register, lane, warp); or the list
    of the lanes' coordinates, each with the `vector` elements from there on along the tile's last dim. `weight`: how
    often it is made. The kernel makes it everywhere in the tile, moved by whole vectors. The usual ones have names:

    `row(b)`, `column(b)`: vectors of b bytes along the last dim, from lane to lane along it, or along the first.
    `cp_async(b)`: such a row, of 4, 8 or 16 bytes. `block(r, c)`: lanes in r rows of c.
    `ldmatrix(axis)`: 16 bytes along the axis in 8 neighbouring lines; `stmatrix` is the same, `ldmatrix.trans` is of
    axis 0. `fragment("A")`: the 32-bit registers of mma's operand A (m, k), "B" (k, n), or the pairs of C (m, n).
    Source: PTX ISA 9.2, ldmatrix, stmatrix, cp.async, and 9.7.14.5, matrix fragments for mma.

    >>> Access.parse("ldmatrix.x4"), Access.parse("cp.async 16 B").name
    (Access.parse('ldmatrix.x4'), 'cp.async 16 B')
    >>> apart = Access([(8 * lane, 0) for lane in range(8)], vector=8, name="rows 8 apart")
    >>> [vector[0] for vector in apart.lanes((64, 64), 2).instructions[0]][:3]
    [(0, 0), (8, 0), (16, 0)]
    """

    threads: Any
    vector: int = 1
    name: str = ""
    weight: int = 1
    least: int = 1  # bytes of a vector, where it may be cut

    def __post_init__(self) -> None:
        if not is_layout(self.threads) and not isinstance(self.threads, Lines | Block):
            object.__setattr__(self, "threads", _listed(self.threads))
        for field in ("vector", "weight"):
            if whole_number(getattr(self, field), f"Access: {field}") < 1:
                raise LayoutError(f"Access: {field} is {getattr(self, field)}: give a number from 1 on")

    @staticmethod
    def row(bytes: int = 1, weight: int = 1, least: int = 1, name: str = "") -> Access:
        """Vectors of so many bytes (an element, at least) along the last dim, and lanes along it."""
        return Access(Lines(bytes, -1, -1), 1, name or f"row {bytes} B", weight, least)

    @staticmethod
    def column(bytes: int = 1, weight: int = 1) -> Access:
        """Vectors of so many bytes (an element, at least) along the last dim, and lanes along the first."""
        return Access(Lines(bytes, -1, 0), 1, f"column {bytes} B", weight)

    @staticmethod
    def cp_async(bytes: int = 16, weight: int = 1) -> Access:
        """A copy to shared memory; LayoutError but for 4, 8 and 16 bytes."""
        if bytes not in (4, 8, 16):
            raise LayoutError(f"cp.async of {bytes} bytes: it copies 4, 8 or 16")
        return Access.row(bytes, weight, 4, f"cp.async {bytes} B")

    @staticmethod
    def block(rows: int, columns: int, bytes: int = 1, axis: int = -1) -> Access:
        """Lanes in so many lines of so many vectors along the axis."""
        return Access(Block(rows, columns, bytes, axis), 1, f"block {rows}x{columns}")

    @staticmethod
    def ldmatrix(axis: int = -1, matrices: int = 1, name: str = "ldmatrix") -> Access:
        """Eight rows of 16 bytes along the axis, for each of 1, 2 or 4 matrices."""
        return Access(Block(8, 1, 16, axis), 1, name, matrices, 16)

    @staticmethod
    def fragment(operand: str) -> Access:
        """A register of each lane of operand A or B of mma, two neighbouring elements of C."""
        if operand not in ("A", "B", "C"):
            raise LayoutError(f"fragment {operand!r}: give A, B or C")
        words = Block(8, 4, 0, 1, 2) if operand == "C" else Block(8, 4, 4, 1 if operand == "A" else 0)
        return Access(words, 1, f"mma.{operand}")

    @staticmethod
    def parse(text: str) -> Access:
        """The access that a text names: `cp.async 16 B`, `ldmatrix.x4`, `ldmatrix.trans`, `stmatrix`, `mma.A`,
        `row 16 B`, `column 2 B`, `block 4x8`; or a layout of threads and values, `((4,8),2):((128,1),64) vector 2`.
        """  # fmt: skip
        found, number = _NAMED.fullmatch(text.strip()), _VECTOR.fullmatch(text.strip())
        if found is None:
            layout = parse(number[1] if number else text)
            return Access(layout, int(number[2]) if number else 1, text.strip())
        word, many, first, second = found.groups()
        made = _by_name(word, int((many or ".x1")[2:]), int(first or 0), int(second or 0))
        if made is None:
            known = "row, column, block, cp.async, ldmatrix, stmatrix (.trans, .x4), mma.A, mma.B, mma.C"
            raise LayoutError(f"{text.strip()!r} is no access: give one of {known}, or a layout of threads and values")
        return replace(made, name=text.strip())

    def __repr__(self) -> str:
        if isinstance(self.threads, Lines | Block):
            return f"Access.parse({self.name!r})" if self == _reread(self.name) else self._fields()
        return self._fields()

    def _fields(self) -> str:
        last = f", least={self.least}" if self.least > 1 else ""
        return f"Access({self.threads!r}, {self.vector}, {self.name!r}, {self.weight}{last})"

    def __str__(self) -> str:
        return self.name or self._fields()

    @lru_cache(64)  # noqa: B019
    def lanes(self, tile: tuple[int, ...], element_bytes: int) -> Lanes:
        """The access in a tile; LayoutError where it does not fit there."""
        given = self.threads
        if isinstance(given, Lines | Block):
            found = [_placed(given, tile, element_bytes, self)]
        elif isinstance(given, LayoutBase):
            found = _of_layout(given, self.vector, tile, self)
        else:
            found = [[_along(start, len(start) - 1, self.vector) for start in given]]
        for x in (x for lanes in found for vector in lanes for x in vector):
            if len(x) != len(tile) or any(not 0 <= c < n for c, n in zip(x, tile, strict=True)):
                raise LayoutError(f"{self}: it is at {x}, which is not within the tile {tuple(tile)}")
        warps = tuple([tuple(lanes[i : i + WARP]) for lanes in found for i in range(0, len(lanes), WARP)])
        least = min(len(warps[0][0]), max(1, self.least // element_bytes))
        return Lanes(str(self), self.weight, warps, least)


def as_access(given: Any) -> Access:
    """An access, or what makes one: its text, a layout of threads and values, a list of the lanes' coordinates."""
    if isinstance(given, Access):
        return given
    return Access.parse(given) if isinstance(given, str) else Access(given, name=str(given) if is_layout(given) else "")


def _reread(name: str) -> Access | None:
    found = _NAMED.fullmatch(name)
    return None if found is None else Access.parse(name)


def _by_name(word: str, many: int, first: int, second: int) -> Access | None:
    if word == "block" and first and second:
        return Access.block(first, second)
    if second or (first and word not in ("row", "column", "cp.async")):
        return None
    if word == "cp.async":
        return Access.cp_async(first or 16, many)
    if word in ("row", "column"):
        return getattr(Access, word)(first or 1, many)  # type: ignore[no-any-return]
    if word in ("ldmatrix", "stmatrix", "ldmatrix.trans", "stmatrix.trans"):
        return Access.ldmatrix(0 if word.endswith("trans") else -1, many)
    return Access.fragment(word[-1]) if word in ("mma.A", "mma.B", "mma.C") else None


def _listed(given: Any) -> tuple[Coordinate, ...]:
    if not isinstance(given, list | tuple) or not given:
        raise LayoutError(f"Access: {given!r} is no layout and no list of the lanes' coordinates")
    rows = [x if isinstance(x, list | tuple) else (x,) for x in given]
    return tuple([tuple([whole_number(c, "Access: a coordinate") for c in row]) for row in rows])


def _along(start: Coordinate, axis: int, count: int) -> Vector:
    """So many coordinates along an axis, from one on."""
    return tuple([(*start[:axis], start[axis] + i, *start[axis + 1 :]) for i in range(count)])


def _placed(given: Lines | Block, tile: Sequence[int], element_bytes: int, access: Access) -> list[Vector]:
    """The vectors of all lanes."""
    rank, elements = len(tile), max(getattr(given, "elements", 1), given.bytes // element_bytes)
    if given.bytes > element_bytes and given.bytes % element_bytes:
        raise LayoutError(f"{access}: {given.bytes} bytes are no whole elements of {element_bytes}")
    axis = given.axis % rank
    units = [n // elements if a == axis else n for a, n in enumerate(tile)]
    if tile[axis] % elements or prod(units) > _MOST:
        raise LayoutError(f"{access}: vectors of {elements} elements along {tile[axis]}: give fewer, or whole ones")
    if isinstance(given, Lines):
        order = sorted(range(rank), key=lambda a: (a == given.first % rank, a))  # the last one is the fastest
        places = [dict(zip(order, x, strict=True)) for x in product(*[range(units[a]) for a in order])]
    else:
        if rank == 1:
            raise LayoutError(f"{access}: it needs a tile of two dims")
        other = axis - 1 if axis else 1
        places = [{axis: c, other: r} for r in range(given.rows) for c in range(given.columns)]
    starts = [tuple([x.get(a, 0) * (elements if a == axis else 1) for a in range(rank)]) for x in places]
    return [_along(start, axis, elements) for start in starts]


def _of_layout(given: Any, vector: int, tile: Sequence[int], access: Access) -> list[list[Vector]]:
    """By vector, those of all threads, of a layout of threads and values."""
    if given.size() > _MOST:
        raise LayoutError(f"{access}: {given.size()} elements: give at most {_MOST}")
    if isinstance(given, LinearLayout):
        table = _by_thread(given)
    else:
        modes = [*given] if isinstance(given.shape, tuple) else [given]
        if len(modes) > 2:
            raise LayoutError(f"{access}: give a layout of two modes, threads and values")
        threads = modes[0].size()
        index = [[t + threads * v for v in range(given.size() // threads)] for t in range(threads)]
        table = [[given(i) for i in row] for row in index]
    values = len(table[0])
    if values % vector:
        raise LayoutError(f"{access}: vectors of {vector} do not divide {values} values")
    rows = [[_coordinate(x, tile) for x in row] for row in table]
    return [[tuple(row[v : v + vector]) for row in rows] for v in range(0, values, vector)]


def _by_thread(given: LinearLayout) -> list[list[Any]]:
    """The coordinates by thread and value: lanes and warps are threads, and registers values; else the first input."""
    names = [n for n in ("lane", "warp") if n in given.ins] or [*given.ins][:1]
    rest = [n for n in given.ins if n not in names and (n == "register" or "lane" not in names)]

    def all_of(inputs: Sequence[str]) -> list[dict[str, int]]:
        sizes = [range(given.ins[n]) for n in reversed(inputs)]
        return [dict(zip(reversed(inputs), x, strict=True)) for x in product(*sizes)]

    return [[tuple(given.at({**t, **v}).values()) for v in all_of(rest)] for t in all_of(names)]


def _coordinate(x: Any, tile: Sequence[int]) -> Coordinate:
    """A coordinate of the tile, from one, however nested, or from an index."""
    flat = tuple(leaves(x))
    return flat if len(flat) > 1 else tuple([flat[0] // prod(tile[:d]) % n for d, n in enumerate(tile)])
