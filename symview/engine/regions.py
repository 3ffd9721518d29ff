"""How the conditions depend on several sizes: the regions in which one row space holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import product
from math import prod
from typing import NamedTuple, TypeAlias

from symview.engine.decide import carry_system
from symview.engine.index_map import Index, IndexMap
from symview.engine.overflow import Carry, carry, cheap_witnesses, vector
from symview.engine.overflow_space import find_rows
from symview.engine.presburger import Failed, Quota
from symview.engine.row_space import Row, RowSpace
from symview.engine.size_sets import SizeSet
from symview.errors import InternalError, Undecided
from symview.logic.budget import DEFAULT, Budget

_WALKED = 2000  # sizes that are taken one by one where isl gives up


class Sizes(NamedTuple):
    """Sizes as scales·p + bases, the scales from 0 up, of parameters p by name; and the address map."""

    names: tuple[str, ...]
    scales: tuple[tuple[int, ...], ...]
    bases: tuple[int, ...]
    steps: tuple[int, ...]
    start: int

    def at(self, point: Sequence[int]) -> IndexMap:
        """The box at one value of the parameters."""
        sizes = [sum(a * p for a, p in zip(row, point, strict=True)) + b
                 for row, b in zip(self.scales, self.bases, strict=True)]  # fmt: skip
        return IndexMap(tuple(sizes), self.steps, self.start)

    def text(self, axis: int) -> str:
        """The size of an axis for isl."""
        scaled = [f"{a}{n}" for a, n in zip(self.scales[axis], self.names, strict=True) if a]
        return "+".join([*scaled, f"({self.bases[axis]})"])


class Piece(NamedTuple):
    """Where one row space over `places` holds; `stopped` says why it may be larger."""

    where: SizeSet
    places: tuple[int, ...]
    space: RowSpace
    stopped: str | None = None


class Regions(NamedTuple):
    """All sizes that are positive: by row space, and where the view is out of bounds."""

    positive: SizeSet
    pieces: tuple[Piece, ...]
    outside: SizeSet


def find_regions(places: tuple[int, ...], size: int | str, sizes: Sizes, budget: Budget = DEFAULT) -> Regions:
    """The sizes cut exactly by the row space of their box.

    `size`: how many places the outer shape has, a number or, for isl, linear in the parameters.

    Theory: which boundaries can overflow is linear in the sizes. Where some set of boundaries
    overflows, the row space is all of their vectors, or less, which an exact projection tells.

    >>> from symview.logic.sympy_bridge import to_text
    >>> grid = Sizes(("m", "n"), ((1, 0), (0, 1)), (0, 0), (1, 1), 0)
    >>> [(to_text(p.where.formula()), p.space.rank) for p in find_regions((5,), 10, grid).pieces]
    [('m >= 1 and n >= 1 and m + n <= 6', 0), ('m >= 1 and n >= 1 and m + n <= 11 and m + n >= 7', 1)]
    """
    search = _Search(places, sizes, budget)
    positive = search.set_of([f"{sizes.text(j)} >= 1" for j in range(len(sizes.steps))])
    inside = positive & search.set_of(search.inside(size))
    outside = (positive - inside).settled()
    try:
        with Quota(budget):
            return Regions(positive, tuple(_joined(search.by_active(inside, search.refined))), outside)
    except (Undecided, Failed) as error:
        reason = f"the regions of the sizes: {error}"
        pieces = search.by_active(inside, partial(search.coarse, reason=reason))
        return Regions(positive, tuple(_joined(pieces)), outside)


def _joined(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """One piece for each row space."""
    found: dict[tuple[object, ...], Piece] = {}
    for piece in pieces:
        key = (piece.places, piece.space.rows, piece.stopped)
        before = found.get(key)
        found[key] = piece if before is None else piece._replace(where=before.where | piece.where)
    for piece in found.values():
        yield piece._replace(where=piece.where.settled())


Refine: TypeAlias = Callable[[SizeSet, list[Carry], RowSpace], list[Piece]]


class _Search:
    def __init__(self, places: tuple[int, ...], sizes: Sizes, budget: Budget) -> None:
        self.sizes, self.budget = sizes, budget
        whole = IndexMap((2,) * len(sizes.steps), sizes.steps, sizes.start)
        self.carries = [carry(p, whole) for p in places]

    def set_of(self, parts: Sequence[str]) -> SizeSet:
        names = self.sizes.names
        return SizeSet.read(f"{{[{','.join(names)}] : {' and '.join(parts) or 'true'}}}", names)

    def inside(self, size: int | str) -> list[str]:
        """That the addresses are from 0 to size − 1."""
        low, high = self._reach(self.sizes.steps, self.sizes.start)
        return [f"{low} >= 0", f"{high} <= {size} - 1"]

    def _reach(self, slopes: Sequence[int], start: int) -> tuple[str, str]:
        ends = []
        for sign in (-1, 1):
            parts = [f"{r}*({self.sizes.text(j)}-1)" for j, r in enumerate(slopes) if r * sign > 0]
            ends.append("+".join([str(start), *(f"({p})" for p in parts)]))
        return ends[0], ends[1]

    # Which boundaries overflow: linear

    def by_active(self, inside: SizeSet, refine: Refine) -> list[Piece]:
        """The pieces, first by which boundaries can overflow."""
        left: list[tuple[SizeSet, list[Carry]]] = [] if inside.is_empty() else [(inside, [])]
        for c in self.carries:
            low, high = self._reach(c.slopes, c.start)
            idle = self.set_of([f"{low} >= 0", f"{high} <= {c.place - 1}"])
            split = [(s & idle, cs) for s, cs in left] + [(s - idle, [*cs, c]) for s, cs in left]
            left = [(s, cs) for s, cs in split if not s.is_empty()]
        return [p for where, carries in left for p in refine(where.settled(), carries, RowSpace(len(carries)))]

    # Which of their vectors occur

    def refined(self, where: SizeSet, carries: list[Carry], space: RowSpace) -> list[Piece]:
        """The pieces of sizes at which the given boundaries overflow, and at least these rows are there."""
        places = tuple([c.place for c in carries])
        if space.is_full():
            return [Piece(where, places, space)]
        if len(carries) == 1:
            return [Piece(where, places, RowSpace(1, [(1,)]))]
        try:
            with Quota(self.budget):
                return self._cut(where, carries, space, places)
        except (Undecided, Failed) as error:
            return self.coarse(where, carries, space, f"the regions of the sizes: {error}")

    def coarse(self, where: SizeSet, carries: list[Carry], space: RowSpace, reason: str) -> list[Piece]:
        """What needs no projection: at most one boundary, or few sizes."""
        places = tuple([c.place for c in carries])
        if len(carries) <= 1:
            return [Piece(where, places, RowSpace(len(carries), [(1,)] * len(carries)))]
        return self._walked(where, carries) or [Piece(where, places, space, reason)]

    def _walked(self, where: SizeSet, carries: list[Carry]) -> list[Piece]:
        """Every single size of a small set; nothing where there are many."""
        most = [where.most(n) for n in range(len(self.sizes.names))]
        least = [where.least(n) for n in range(len(self.sizes.names))]
        ranges = [range(a, b + 1) for a, b in zip(least, most, strict=True) if a is not None and b is not None]
        if len(ranges) < len(most) or prod(map(len, ranges)) > _WALKED:
            return []
        places = tuple([c.place for c in carries])
        found: dict[tuple[Row, ...], list[tuple[int, ...]]] = {}
        for point in product(*ranges):
            if point in where:
                rows = find_rows(places, self.sizes.at(point), budget=self.budget)
                if not rows.settled:
                    return []
                found.setdefault(rows.space.rows, []).append(point)
        return [Piece(SizeSet.of(ps, where.names), places, RowSpace(len(places), rows)) for rows, ps in found.items()]

    def _cut(self, where: SizeSet, carries: list[Carry], space: RowSpace, places: tuple[int, ...]) -> list[Piece]:
        more = where & self.showing(carries, (), space.complement())
        rest = where - more
        found = [] if rest.is_empty() else [Piece(rest, places, space)]
        while not more.is_empty():
            larger, here = self._next(more, carries, space)
            found += self.refined(here.settled(), carries, larger)
            more = more - here
        return found

    def _next(self, more: SizeSet, carries: list[Carry], space: RowSpace) -> tuple[RowSpace, SizeSet]:
        """A larger space, and the sizes of `more` at which it is reached; all of them if a single boundary does."""
        for n in reversed(range(len(carries))):  # the smallest place value tends to carry alone
            unit = tuple([int(n == m) for m in range(len(carries))])
            if unit not in space:
                larger, here = self._with(more, carries, space, unit)
                if (more - here).is_empty():
                    return larger, here
        point = more.point()
        if point is None:
            raise InternalError("a set of sizes without a point")
        larger, here = self._with(more, carries, space, self._new_vector(point, carries, space))
        if here.is_empty():
            raise InternalError(f"sizes {point} do not show what they were chosen for")
        return larger, here

    def _with(self, more: SizeSet, carries: list[Carry], space: RowSpace, row: Row) -> tuple[RowSpace, SizeSet]:
        larger = RowSpace(space.width, [*space.rows, row])
        return larger, more & self.showing(carries, larger.complement(), space.complement())

    def _new_vector(self, point: Sequence[int], carries: list[Carry], space: RowSpace) -> Row:
        """A vector outside the space that occurs at these sizes."""
        box = self.sizes.at(point)
        for index in cheap_witnesses(box.sizes, carries, self.budget.seed):
            if vector(carries, index) not in space:
                return vector(carries, index)
        return vector(carries, self._index(box, carries, space))

    def _index(self, box: IndexMap, carries: list[Carry], space: RowSpace) -> Index:
        from symview.engine import presburger

        found = presburger.point(carry_system(carries, box.sizes, space.complement()), self.budget)
        if found is None:
            raise InternalError(f"a box of {box.sizes} shows nothing new, though its sizes were said to")
        return found

    def showing(self, carries: Sequence[Carry], zero: Sequence[Row], some: Sequence[Row]) -> SizeSet:
        """The sizes with an index at which `zero` functionals of the vector are 0, and one of `some` is not."""
        rank = len(self.sizes.steps)
        indices, counts = [f"i{j}" for j in range(rank)], [f"c{n}" for n in range(len(carries))]
        parts = [f"0 <= {i} < {self.sizes.text(j)}" for j, i in enumerate(indices)]
        for c, name in zip(carries, counts, strict=True):
            y = "+".join([str(c.start), *(f"({r}*{i})" for r, i in zip(c.slopes, indices, strict=True) if r)])
            parts.append(f"{c.place}{name} <= {y} < {c.place}{name} + {c.place}")
        weighed = ["+".join(f"({x}*{c})" for x, c in zip(w, counts, strict=True) if x) for w in (*zero, *some)]
        parts += [f"{w} = 0" for w in weighed[: len(zero)]]
        parts.append(" or ".join(f"{w} > 0 or {w} < 0" for w in weighed[len(zero) :]).join("()"))
        names = self.sizes.names
        exists = ",".join([*indices, *counts])
        text = f"{{[{','.join(names)}] : exists {exists} : {' and '.join(parts)}}}"
        return SizeSet.read(text, names)
