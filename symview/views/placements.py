"""The placement of a sharded tensor after a reshape that moves no element to another rank, for numbers.

`S(d)` cuts a dim as `torch.chunk` does: of n positions, rank r of m has those from c·r on, c = ⌈n/m⌉. `_S(d, f)` first
cuts it in f pieces alike, and each piece so. Several mesh axes cut one after another, each what the ones before left.

All placements keep the order of elements. So two of them agree exactly if each rank has the same set, and then they
agree after every mesh axis: axes can be compared one by one, on the shapes that ranks have by then. On one axis, rank 0
shows how long pieces are, and with that a new dim has one placement that can agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import prod
from typing import Any, Literal, NamedTuple, TypeAlias

from symview.displayed import Displayed
from symview.engine.index_map import index_text
from symview.errors import InputError
from symview.logic.budget import Budget, running
from symview.logic.integer import Integer
from symview.logic.sympy_bridge import is_number, to_text
from symview.view import View, target_shape
from symview.view_entries import numbers
from symview.view_notation import read_shape

_SHARD = re.compile(r"(?:S|Shard)\((?:dim=)?(-?\d+)\)")
_STRIDED = re.compile(r"_(?:S|StridedShard)\((?:dim=)?(-?\d+), *(?:(?:sf|split_factor)=)?([^(),]+)\)")
_KEPT = re.compile(r"(R)|Replicate\(\)|(?:P|Partial)(?:\((sum|avg|product|max|min|band|bor|bxor)\))?")
_BETWEEN = re.compile(r",(?![^()]*\))")  # commas that are not in parentheses
_TIMES = re.compile(r"(?<=\d) *[xX×] *(?=\w)|(?<=\w) +[xX×] +(?=\w)")

Shape: TypeAlias = tuple[int, ...]
Rank: TypeAlias = tuple[int, ...]
Locals: TypeAlias = Mapping[tuple[Shape, Shape], Rank]  # old and new shape of a rank's part: the first such rank


class Placement(NamedTuple):
    """What a mesh axis does: it shards each of the pieces of a dim; without a dim, it keeps what there is."""

    dim: int | None
    pieces: Integer = 1
    kept: str = ""

    def __str__(self) -> str:
        if self.dim is None:
            return self.kept
        return f"S({self.dim})" if self.pieces == 1 else f"_S({self.dim}, {to_text(self.pieces)})"


@dataclass(frozen=True, slots=True)
class NoPlacement(Displayed):
    """The answer that a reshape has no placement; falsy.

    On the last mesh axis of `placements` no placement agrees. With the one that is nearest, the parts of the rank
    `rank` (its coordinates on these axes) differ from `position` on, counted in the rank's part.
    """

    placements: tuple[str, ...]
    rank: Rank
    position: int

    def __bool__(self) -> Literal[False]:
        return False

    def __str__(self) -> str:
        rank = self.rank[0] if len(self.rank) == 1 else index_text(self.rank)
        return f"{', '.join(self.placements)} first differs at element {self.position} of rank {rank}"


def placements_after(
    shape: Sequence[Any] | str,
    placements: Sequence[Any] | str,
    new_shape: Sequence[Any] | str,
    mesh: Any,
    budget: Budget | None = None,
) -> tuple[str, ...] | NoPlacement:
    """The placements of a sharded tensor after a reshape, if each rank keeps its elements, or where none does.

    `shape` is that of the whole tensor, in row-major order; one new size may be -1. `placements`: one for each mesh
    axis, as PyTorch prints them: `"S(0), _S(0, 4), R"`, or PyTorch's objects. `mesh`: the ranks, as 4, (2, 2) or "2x2".
    Parts may be uneven, and empty. `R` and `P(sum)` stay. The answer is complete: where there is none, no `S` or `_S`
    gives every rank the elements that it has. Of several it is the one with fewest `_S`, then of the first dims.
    Raises InputError where sizes or axes do not agree, SymbolError for names (then use `placement_conditions`).

    >>> placements_after((4, 6), "S(1)", (24,), 3)
    ('_S(0, 4)',)
    >>> placements_after((5, 5), "S(0)", (25,), 6), placements_after((4, 8), "S(0), S(0)", (2, 16, 1), "2x2")
    (('S(0)',), ('S(0)', 'S(1)'))
    >>> print(placements_after((6, 4), "S(0)", (24,), 4))
    S(0) first differs at element 6 of rank 0
    """
    whole, counts = View(shape).shape, read_mesh(mesh)
    given = read_placements(placements, len(whole), len(counts))
    numbers((*whole, *counts, *(p.pieces for p in given)), "placements_after")
    new: Any = target_shape(View(whole), new_shape)
    return found_placements(whole, given, new, counts, running(budget))


# Reading


def read_placements(given: Sequence[Any] | str, rank: int, axes: int) -> tuple[Placement, ...]:
    """The placements of a tensor of so many dims on so many mesh axes; raises InputError for any other text."""
    if isinstance(given, str):
        inside = given.strip()
        inside = inside[1:-1].rstrip(" ,") if inside[:1] in ("(", "[") else inside
        given = _BETWEEN.split(inside)
    texts = list(map(str, given))
    found = tuple([_read(text.strip(), rank) for text in texts])
    if len(found) != axes:
        raise InputError(f"{len(found)} placements on a mesh of {axes} axes: give one for each axis, as in S(0), R")
    return found


def _read(text: str, rank: int) -> Placement:
    if (kept := _KEPT.fullmatch(text)) is not None:
        return Placement(None, 1, "R" if text[0] == "R" else f"P({kept[2] or 'sum'})")
    strided = _STRIDED.fullmatch(text)
    found = strided or _SHARD.fullmatch(text)
    if found is None:
        raise InputError(f"placement {text}: write S(0), _S(0, 4), R or P(sum); the nearest is {_nearest(text)}")
    dim = int(found[1])
    pieces = 1 if strided is None else read_shape(f"({strided[2]})")[0]
    if not -rank <= dim < rank:
        raise InputError(f"placement {text}: dim {dim} of a tensor of {rank} dims")
    if is_number(pieces) and pieces < 1:
        raise InputError(f"placement {text}: cut the dim in 1 piece or more")
    return Placement(dim % rank, pieces)


def _nearest(text: str) -> str:
    first = text.lstrip("_")[:1].upper()
    if first in ("R", "P"):
        return "R" if first == "R" else "P(sum)"
    found = [*re.findall(r"\d+", text), "0"]
    return f"_S({found[0]}, {found[1]})" if len(found) > 2 else f"S({found[0]})"


def read_mesh(mesh: Any) -> tuple[Integer, ...]:
    """The ranks of each mesh axis, of a number, a tuple, or a text such as "2x2" or "m"; each is 1 or more."""
    if isinstance(mesh, str):
        mesh = f"({_TIMES.sub(',', mesh.strip().removeprefix('(').removesuffix(')'))})"
    counts = View(mesh if isinstance(mesh, str | Sequence) else (mesh,)).shape
    if any(is_number(m) and m < 1 for m in counts):
        raise InputError(f"a mesh of {' x '.join(map(to_text, counts))} ranks: each axis has 1 rank or more")
    return counts


# One mesh axis


class _Cut(NamedTuple):
    """Pieces of the elements, in turns of `full` alike and a rest, each dealt to the ranks in chunks; in elements."""

    turns: int
    full: int
    piece: int
    chunk: int
    rest: int = 0
    chunk_of_rest: int = 0

    def of_rank(self, rank: int) -> Iterator[list[int]]:
        """First element and end of each run of elements of a rank."""
        run, start = [0, 0], 0
        for _ in range(self.turns):
            for n in range(self.full + 1):
                size, chunk = (self.piece, self.chunk) if n < self.full else (self.rest, self.chunk_of_rest)
                first, end = min(size, chunk * rank), min(size, chunk * (rank + 1))
                if first < end and run[1] == start + first:
                    run[1] = start + end
                elif first < end:
                    yield from [run] if run[0] < run[1] else []
                    run = [start + first, start + end]
                start += size
        yield from [run] if run[0] < run[1] else []


def _cut(shape: Shape, placement: Placement, parts: int) -> _Cut:
    """The cut of a shape without size 0."""
    dim = placement.dim
    if dim is None or parts == 1:
        return _Cut(1, 1, prod(shape), prod(shape))
    size, block, turns = shape[dim], prod(shape[dim + 1 :]), prod(shape[:dim])
    piece = _ceiling(size, placement.pieces)
    if piece == 1:  # rank 0 has all
        return _Cut(1, 1, prod(shape), prod(shape))
    full, rest = divmod(size, piece)
    cut = piece * block, _ceiling(piece, parts) * block
    return _Cut(turns, full, *cut, rest * block, _ceiling(rest, parts) * block) if rest else _Cut(turns * full, 1, *cut)


def _ceiling(n: int, m: Any) -> int:
    return int(-(-n // m))


def _first_difference(
    parts: Locals, old: Placement, new: Placement, count: int, budget: Budget
) -> tuple[Rank, int] | None:
    """The first rank of a mesh axis at which the placements differ, and from which position on."""
    for (shape, other), before in parts.items():
        if 0 in shape:
            continue
        cuts = _cut(shape, old, count), _cut(other, new, count)
        if cuts[0] == cuts[1] and (old.dim is None) == (new.dim is None):
            continue
        for rank in range(count):
            here, there = (0 if p.dim is None else rank for p in (old, new))
            position = _position(cuts[0].of_rank(here), cuts[1].of_rank(there), budget)
            if position is not None:
                return (*before, rank), position
    return None


def _position(old: Iterator[list[int]], new: Iterator[list[int]], budget: Budget) -> int | None:
    """The number of elements before the first one at which the runs differ."""
    before = 0
    for x, y in zip_longest(old, new, fillvalue=[-1, -1]):
        budget.spend(1)
        if x[0] != y[0]:
            return before
        if x != y:
            return before + min(x[1], y[1]) - x[0]
        before += x[1] - x[0]
    return None


def _after(parts: Locals, old: Placement, new: Placement, count: int, budget: Budget) -> Locals:
    """The shapes of the ranks' parts after a mesh axis."""
    budget.spend(count)
    found: dict[tuple[Shape, Shape], Rank] = {}
    for (shape, other), before in parts.items():
        for rank in range(count):
            pair = _part(shape, old, count, rank), _part(other, new, count, rank)
            found.setdefault(pair, (*before, rank))
    return found


def _part(shape: Shape, placement: Placement, parts: int, rank: int) -> Shape:
    """The shape of a rank's part."""
    dim = placement.dim
    if dim is None or shape[dim] == 0:
        return shape
    piece = _ceiling(shape[dim], placement.pieces)
    full, rest = divmod(shape[dim], piece)
    sizes = [min(n, c * (rank + 1)) - min(n, c * rank) for n in (piece, rest) for c in (_ceiling(n, parts),)]
    return (*shape[:dim], full * sizes[0] + sizes[1], *shape[dim + 1 :])


# All mesh axes


def first_difference(
    shape: Shape, old: Sequence[Placement], new_shape: Shape, new: Sequence[Placement], mesh: Shape, budget: Budget
) -> NoPlacement | None:
    """Where the placements differ; None if each rank has the same elements."""
    parts: Locals = {(shape, new_shape): ()}
    for axis, (one, other, count) in enumerate(zip(old, new, mesh, strict=False)):  # `new` may stop where it differs
        fault = _first_difference(parts, one, other, count, budget)
        if fault is not None:
            return NoPlacement(tuple(map(str, new[: axis + 1])), *fault)
        parts = _after(parts, one, other, count, budget)
    return None


def found_placements(
    shape: Shape, old: Sequence[Placement], new_shape: Shape, mesh: Shape, budget: Budget
) -> tuple[str, ...] | NoPlacement:
    """The placements of the new shape; see `placements_after`."""
    found = list(_search({(shape, new_shape): ()}, old, mesh, (), budget))
    refused = [one for one in found if isinstance(one, NoPlacement)]
    agreeing = [one for one in found if not isinstance(one, NoPlacement)]
    if agreeing:
        best = min(agreeing, key=preferred)
        return tuple(map(str, best))
    return max(refused, key=lambda one: (len(one.placements), one.rank, one.position))


def preferred(placements: Sequence[Placement]) -> tuple[int, list[int]]:
    """The order of placements: those with fewest `_S` first, then those of the first dims."""
    return sum([p.pieces != 1 for p in placements]), [p.dim or 0 for p in placements]


def _search(
    parts: Locals, old: Sequence[Placement], mesh: Shape, chosen: tuple[Placement, ...], budget: Budget
) -> Iterator[tuple[Placement, ...] | NoPlacement]:
    """All placements that agree, and those that fail on the last of their axes."""
    if len(chosen) == len(mesh):
        yield chosen
        return
    one, count = old[len(chosen)], mesh[len(chosen)]
    for other in _candidates(parts, one, count):
        fault = _first_difference(parts, one, other, count, budget)
        if fault is not None:
            yield NoPlacement(tuple(map(str, (*chosen, other))), *fault)
        else:
            yield from _search(_after(parts, one, other, count, budget), old, mesh, (*chosen, other), budget)


def _candidates(parts: Locals, old: Placement, count: int) -> list[Placement]:
    """For each new dim the only placement that can agree: the fewest pieces that are nowhere longer than before."""
    _, new = next(iter(parts))
    if old.dim is None or not new:
        return [old if old.dim is None else Placement(None, 1, "R")]
    found = []
    for dim in range(len(new)):
        pieces = [1]
        for shape, other in parts if count > 1 else ():
            if 0 not in shape:
                cut, block = _cut(shape, old, count), prod(other[dim + 1 :])
                piece = block if cut.chunk == cut.piece else cut.piece
                pieces.append(_ceiling(other[dim] * block, piece))
        found.append(Placement(dim, max(pieces)))
    return found
