"""Accesses to a tile in shared memory: the vector of each lane, by name, as a layout or as a list."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import product
from math import prod
from typing import Any, NamedTuple

from symview.cute.errors import LayoutError
from symview.cute.int_tuple import is_int, leaves, positive, profile_text, whole_number
from symview.cute.layout import Layout, LayoutBase, is_layout
from symview.cute.linear.layout import LinearLayout
from symview.cute.text import parse
from symview.displayed import Displayed, number_text
from symview.views.recast import width_in_bytes

Coordinate = tuple[int, ...]
Vector = tuple[Coordinate, ...]  # the elements of one lane
_MOST = 1 << 16  # the vectors of one access
_NAMED = re.compile(
    r"([a-z][\w.]*?)(?:\.x([124]))?(\.trans)?(?:\s+(?:(\d{1,4})\s*x\s*(\d{1,4})|(\d{1,5}\s*[A-Za-z]*)))?", re.ASCII
)
_VECTOR = re.compile(r"(.*\S)\s+vector\s+(\d{1,4})", re.DOTALL)
_ALONG = re.compile(r"^(.*?)(?:\s+(along)\b\s*(.*))?$", re.DOTALL)
_DIM = re.compile(r"-?\d{1,3}", re.ASCII)
_UNKNOWN = re.compile(r"wgmma|tma|tcgen05|wmma|mfma|cp\.async\.bulk|ds_read_b\d+_tr", re.IGNORECASE)
_NO_MODEL = "how {} addresses shared memory is not modelled (docs/limits.md): give its lanes as a layout"
_WRITE = re.compile(r"\s+write(?=\s+along\b|$)")


class Pattern(NamedTuple):
    """Vectors of `bytes` bytes and at least `elements` elements, along the axis of an access.

    Lanes go along the axis, or `across` it, along the first other dim; then along the others, the last one first:
    through the whole tile, or a block of `rows` lines of `columns` vectors. `ptx`: an instruction of PTX.
    """

    bytes: int
    across: bool = False
    elements: int = 1
    rows: int = 0
    columns: int = 0
    ptx: bool = False

    def placed(self, tile: Sequence[int], element_bytes: int, axis: int, name: str) -> list[Vector]:
        """The vectors of the lanes."""
        count, rank = max(self.elements, self.bytes // element_bytes), len(tile)
        if self.bytes > element_bytes and self.bytes % element_bytes:
            raise LayoutError(f"{name}: {self.bytes} bytes are not a whole number of elements of {element_bytes} bytes")
        if tile[axis] % count:
            raise LayoutError(f"{name}: vectors of {count} elements do not divide the {tile[axis]} along dim {axis}")
        sizes = [n // count if a == axis else n for a, n in enumerate(tile)]
        if self.rows:
            other = axis - 1 if axis else 1
            sizes = [self.columns if a == axis else self.rows if a == other else 1 for a in range(max(rank, 2))]
        if prod(sizes) > _MOST:
            raise LayoutError(f"{name}: {prod(sizes)} vectors in the tile: at most {_MOST} are looked at")
        first = next((a for a in range(rank) if a != axis), axis) if self.across else axis
        order = sorted(range(len(sizes)), key=lambda a: (a == first, a))  # the last dim is the fastest
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

    @property
    def along(self) -> int | None:
        """The dim along which a vector extends; None if it has one element, or extends along no dim."""
        start, *more = vector = self.instructions[0][0]
        return next((d for d in range(len(start)) if more and vector == _along(start, d, len(vector))), None)

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
    of the lanes' coordinates, where each vector starts and extends along the dim `axis`, by default the last. `weight`:
    how often it runs. `least`: the bytes down to which vectors may be cut. The kernel repeats it throughout the tile:
    unless it says how, shifted along the dims by powers of two. `write`: whether it writes, which some machines serve
    otherwise than reads. Other accesses have names, and vectors along the last dim unless the name ends in `along 0`,
    or the number of another dim; `cp.async` and `stmatrix` write, others if the name ends in `write`:

    `row 16 B`, `column 2 B`: lanes along the vectors' dim, or along the first other one. `cp.async 16 B`: such rows, of
    4, 8 or 16 bytes. `block 4x8`: lanes in 4 rows of 8. `ldmatrix`, `stmatrix`: 16 bytes in each of 8 adjacent rows;
    `.x4` counts it four times, `.trans` changes the registers and not the addresses. `mma.A`, `mma.B`: a 32-bit
    register of each lane of the operand (m, k) or (k, n), along k; `mma.C`: two elements of (m, n), along n.
    Source: PTX ISA 9.2, ldmatrix, stmatrix, cp.async, and 9.7.14.5, matrix fragments for mma.

    >>> apart = Access([(8 * lane, 0) for lane in range(8)], vector=8, name="rows 8 apart")
    >>> [vector[0] for vector in apart.lanes((64, 64), 2).instructions[0]][:3]
    [(0, 0), (8, 0), (16, 0)]
    >>> print(Access.parse("cp.async 16 B along 0"))
    cp.async 16 B along 0
    """

    threads: Any
    vector: int = 1
    name: str = ""
    weight: int = 1
    least: int = 1
    axis: int = field(default=-1, kw_only=True)
    write: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        if not is_layout(self.threads) and not isinstance(self.threads, Pattern):
            object.__setattr__(self, "threads", _listed(self.threads))
        for what in ("vector", "weight", "least"):
            positive(getattr(self, what), f"Access: {what}")
        if self.vector > _MOST:
            raise LayoutError(f"Access: vector is {number_text(self.vector)}: give at most {_MOST}")
        if not isinstance(self.name, str):
            raise LayoutError(f"Access: the name {self.name!r} is not text")
        if not is_int(self.axis):
            raise LayoutError(f"Access: axis is {self.axis!r}: give the number of a dim")
        if self.axis != -1 and is_layout(self.threads):
            raise LayoutError("Access: axis is for lists of coordinates; the vectors of a layout are its first values")

    @property
    def of_ptx(self) -> bool:
        """Whether it is an instruction of PTX, which other machines than NVIDIA's do not have."""
        return isinstance(self.threads, Pattern) and self.threads.ptx

    @staticmethod
    def row(bytes: int = 1, axis: int = -1) -> Access:
        """Vectors of this many bytes (at least one element) along the axis, and lanes along it."""
        return _made(Pattern(positive(bytes, "row")), f"row {bytes} B", axis)

    @staticmethod
    def column(bytes: int = 1, axis: int = -1) -> Access:
        """Vectors of this many bytes (at least one element) along the axis, and lanes along the first other dim."""
        return _made(Pattern(positive(bytes, "column"), across=True), f"column {bytes} B", axis)

    @staticmethod
    def block(rows: int, columns: int, axis: int = -1) -> Access:
        """Lanes in `rows` rows of `columns` elements, which lie along the axis."""
        sizes = positive(rows, "block"), positive(columns, "block")
        return _made(Pattern(1, rows=sizes[0], columns=sizes[1]), f"block {rows}x{columns}", axis)

    @staticmethod
    def ldmatrix(axis: int = -1) -> Access:
        """Eight adjacent vectors of 16 bytes along the axis."""
        return _made(Pattern(16, rows=8, columns=1, ptx=True), "ldmatrix", axis, 16)

    @staticmethod
    def parse(text: str) -> Access:
        """Parses an access: its name, or a layout of threads and values, `((4,8),2):((128,1),64) vector 2`."""
        if not isinstance(text, str):
            raise LayoutError(f"Access.parse({text!r}): give text")
        plain = _WRITE.sub("", text.strip())
        what, along, dim = _ALONG.findall(plain)[0]
        found, number = _NAMED.fullmatch(what), _VECTOR.fullmatch(what)
        if along and not _DIM.fullmatch(dim):
            raise LayoutError(f"{text.strip()!r}: give the number of a dim after along, as in {what} along 0")
        told: dict[str, Any] = {"axis": int(dim)} if along else {}
        told |= {"write": True} if plain != text.strip() else {}
        unknown = _UNKNOWN.match(what)
        if unknown is not None:
            raise LayoutError(f"{text.strip()!r}: {_NO_MODEL.format(unknown[0])}; known are {', '.join(_BY_NAME)}")
        if found is None:
            return Access(parse(number[1] if number else what), int(number[2]) if number else 1, text.strip(), **told)
        word, many, trans, *sizes, width = found.groups(default="")
        first, second = [int(x or 0) for x in sizes]
        made = _BY_NAME.get(word + trans)
        if width and made is not None and word in _WITH_NUMBERS:
            if (bytes := width_in_bytes(width)) is None:
                raise LayoutError(f"{text.strip()!r}: give the bytes of a vector, as in {word} 16 B")
            first = bytes
        if made is None or bool(second) != (word == "block") or ((first or width) and word not in _WITH_NUMBERS):
            known = ", ".join(_BY_NAME)
            raise LayoutError(f"{text.strip()!r} is not an access: use {known}, or a layout of threads and values")
        return replace(made(first, second), name=text.strip(), weight=int(many or 1), **told)

    def __str__(self) -> str:
        return self.name or repr(self)

    def lanes(self, tile: Any, element_bytes: int, threads: int = 32) -> Lanes:
        """The access in a tile, by instructions of so many threads; raises LayoutError if it does not fit."""
        return self._lanes(sizes_of(tile), positive(element_bytes, "element_bytes"), positive(threads, "threads"))

    @lru_cache(64)  # noqa: B019
    def _lanes(self, tile: tuple[int, ...], element_bytes: int, threads: int) -> Lanes:
        given, rank = self.threads, len(tile)
        if not -rank <= self.axis < rank:
            raise LayoutError(f"{self}: the tile {profile_text(tile)} has no dim {self.axis}")
        if isinstance(given, Pattern):
            found = [given.placed(tile, element_bytes, self.axis % rank, str(self))]
        elif isinstance(given, LayoutBase):
            found = _of_layout(given, self.vector, tile, str(self))
        else:
            found = [[_along(start, self.axis % len(start), self.vector) for start in given]]
        for x in (x for lanes in found for vector in lanes for x in vector):
            if len(x) != rank or any(not 0 <= c < n for c, n in zip(x, tile, strict=True)):
                raise LayoutError(f"{self}: it is at {x}, which is not within the tile {tile}")
        each = tuple([tuple(lanes[i : i + threads]) for lanes in found for i in range(0, len(lanes), threads)])
        return Lanes(str(self), self.weight, each, min(len(each[0][0]), max(1, self.least // element_bytes)))


def sizes_of(tile: Any) -> tuple[int, ...]:
    """The sizes of a tile; raises LayoutError if there are none, or if one is below 1."""
    sizes = tuple(tile) if isinstance(tile, tuple | list) else (tile,)
    if not sizes:
        raise LayoutError("give a tile of one size or more")
    return tuple([positive(n, "a size of the tile") for n in sizes])


def _made(pattern: Pattern, name: str, axis: int = -1, least: int = 1) -> Access:
    """An access of this name; the name says along which dim it is, if that is not the last."""
    return Access(pattern, 1, name if axis == -1 else f"{name} along {axis}", 1, least, axis=axis)


def _cp_async(bytes: int, _: int) -> Access:
    if bytes not in (0, 4, 8, 16):
        raise LayoutError(f"cp.async of {bytes} bytes: it copies 4, 8 or 16")
    return Access(Pattern(bytes or 16, ptx=True), least=4, write=True)


def _load(*_: int) -> Access:
    return Access.ldmatrix()


def _store(*_: int) -> Access:
    return replace(Access.ldmatrix(), write=True)


def _fragment(bytes: int, axis: int, elements: int = 1) -> Callable[[int, int], Access]:
    return lambda *_: Access(Pattern(bytes, False, elements, 8, 4, ptx=True), axis=axis)


_WITH_NUMBERS = ("row", "column", "cp.async", "block")
_BY_NAME: dict[str, Callable[[int, int], Access]] = {
    "row": lambda n, _: Access.row(n or 1), "column": lambda n, _: Access.column(n or 1), "cp.async": _cp_async,
    "block": Access.block, "ldmatrix": _load, "ldmatrix.trans": _load, "stmatrix": _store, "stmatrix.trans": _store,
    "mma.A": _fragment(4, 1), "mma.B": _fragment(4, 0), "mma.C": _fragment(1, 1, 2),
}  # fmt: skip


def as_access(given: Any) -> Access:
    """Converts to an access: from its text, a layout of threads and values, or a list of the lanes' coordinates."""
    if isinstance(given, Access):
        return given
    return Access.parse(given) if isinstance(given, str) else Access(given, name=str(given) if is_layout(given) else "")


def _listed(given: Any) -> tuple[Coordinate, ...]:
    if not isinstance(given, list | tuple) or not given:
        raise LayoutError(f"Access: {given!r} is neither a layout nor a list of the lanes' coordinates")
    rows = [x if isinstance(x, list | tuple) else (x,) for x in given]
    if not all(rows):
        raise LayoutError("Access: a coordinate is empty: give a number for each dim of the tile")
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
