"""How the conditions depend on several sizes: the regions in which one row space holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from math import prod
from typing import NamedTuple

from symview.engine import presburger
from symview.engine.decide import carry_system
from symview.engine.index_map import Affine, IndexMap
from symview.engine.overflow import Carry, carry, cheap_witnesses, vector
from symview.engine.overflow_space import find_rows
from symview.engine.presburger import Failed, SizeSet, spelled
from symview.engine.row_space import Row, RowSpace, unit
from symview.errors import InternalError, Undecided
from symview.logic.budget import DEFAULT, Budget

_WALKED = 2000  # sizes that are enumerated if isl gives up
_MOST_WORK = 12_000_000  # for all cuts; hard ones are given up early, to leave work for the many easy ones
_MOST_WORK_OF_A_CUT = 250_000
_MOST_WORK_OF_A_WALK = 3_000_000
_REASON = "the regions of the sizes: {}"


class Sizes(NamedTuple):
    """Sizes scales·p + bases of named parameters p, with nonnegative scales; and the address map."""

    names: tuple[str, ...]
    scales: tuple[tuple[int, ...], ...]
    bases: tuple[int, ...]
    steps: tuple[int, ...]
    start: int

    def at(self, point: Sequence[int]) -> IndexMap:
        """The box for one value of the parameters."""
        sizes = [sum(a * p for a, p in zip(row, point, strict=True)) + b
                 for row, b in zip(self.scales, self.bases, strict=True)]  # fmt: skip
        return IndexMap(tuple(sizes), self.steps, self.start)

    def text(self, axis: int) -> str:
        """The size of an axis in isl's notation."""
        return spelled(Affine(self.scales[axis], self.bases[axis]))


class Piece(NamedTuple):
    """The region of one row space over `places`; `stopped` says why the space may be larger."""

    where: SizeSet
    places: tuple[int, ...]
    space: RowSpace
    stopped: str | None = None


class Regions(NamedTuple):
    """All positive sizes: those in bounds, by row space, and those out of bounds."""

    positive: SizeSet
    pieces: tuple[Piece, ...]
    outside: SizeSet


def find_regions(places: tuple[int, ...], size: Affine, sizes: Sizes, budget: Budget = DEFAULT) -> Regions:
    """Splits the parameters at which all sizes are positive exactly by the row space of their box.

    `size` is the number of places of the outer shape, linear in the parameters. Row spaces have one entry for each of a
    piece's own `places`, those that overflow in it. If the budget ends, pieces are left `stopped`: each part of the
    search may use half of the remaining work, so that the others get their share. Raises Undecided if the budget ends
    before it is known which sizes are in bounds.

    Whether a boundary can overflow is a linear condition on the sizes ("Which boundaries overflow", proofs/README.md).
    If a given set of boundaries does, the row space is that of all their vectors, or smaller, which an exact projection
    decides.

    >>> from symview.logic.sympy_bridge import to_text
    >>> grid = Sizes(("m", "n"), ((1, 0), (0, 1)), (0, 0), (1, 1), 0)
    >>> [(to_text(p.where.formula()), p.space.rank) for p in find_regions((5,), Affine((0, 0), 10), grid).pieces]
    [('m >= 1 and n >= 1 and m + n <= 6', 0), ('m >= 1 and n >= 1 and m + n <= 11 and m + n >= 7', 1)]
    """
    budget = budget.started()
    search = _Search(places, sizes, budget)
    positive = search.set_of([f"{sizes.text(j)} >= 1" for j in range(len(sizes.steps))])
    inside = positive & search.set_of(search.in_bounds(size))
    outside = (positive - inside).simplified()
    try:
        cells = search.by_active(inside.within(search.cutting.part(2)))
    except (Undecided, Failed) as error:
        return Regions(positive, (Piece(inside, places, RowSpace(len(places)), _REASON.format(error)),), outside)
    pieces = [p for where, carries in cells for p in search.cut(where, carries, RowSpace(len(carries)))]
    with suppress(Undecided, Failed):
        pieces = list(_joined([p._replace(where=p.where.within(budget.part(2))) for p in pieces]))
    return Regions(positive, tuple([p._replace(where=p.where.within(budget)) for p in pieces]), outside)


def _joined(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Merges the pieces with the same row space."""
    found: dict[tuple[object, ...], Piece] = {}
    for piece in pieces:
        key = (piece.places, piece.space.rows, piece.stopped)
        before = found.get(key)
        found[key] = piece if before is None else piece._replace(where=before.where | piece.where)
    for piece in found.values():
        yield piece._replace(where=piece.where.simplified())


class _Search:
    """Splits sets of sizes by the overflows on their boxes."""

    def __init__(self, places: tuple[int, ...], sizes: Sizes, budget: Budget) -> None:
        self.sizes, self.budget, self.cutting = sizes, budget, budget.part(2, _MOST_WORK)
        whole = IndexMap((2,) * len(sizes.steps), sizes.steps, sizes.start)
        self.carries = [carry(p, whole) for p in places]

    def set_of(self, parts: Sequence[str]) -> SizeSet:
        """The parameters at which all parts hold, in isl's notation."""
        return SizeSet.where(parts, self.sizes.names, self.budget)

    def in_bounds(self, size: Affine) -> list[str]:
        """The conditions that all addresses are between 0 and size − 1."""
        low, high = self._reach(self.sizes.steps, self.sizes.start)
        return [f"{low} >= 0", f"{high} <= {spelled(size)} - 1"]

    def _reach(self, slopes: Sequence[int], start: int) -> tuple[str, str]:
        ends = []
        for sign in (-1, 1):
            parts = [f"{r}*({self.sizes.text(j)}-1)" for j, r in enumerate(slopes) if r * sign > 0]
            ends.append("+".join([str(start), *(f"({p})" for p in parts)]))
        return ends[0], ends[1]

    def by_active(self, inside: SizeSet) -> list[tuple[SizeSet, list[Carry]]]:
        """Splits the set by which boundaries can overflow, which is linear in the sizes."""
        left: list[tuple[SizeSet, list[Carry]]] = [] if inside.is_empty() else [(inside, [])]
        for c in self.carries:
            low, high = self._reach(c.slopes, c.start)
            inactive = self.set_of([f"{low} >= 0", f"{high} <= {c.place - 1}"])
            split = [(s & inactive, cs) for s, cs in left] + [(s - inactive, [*cs, c]) for s, cs in left]
            left = [(s, cs) for s, cs in split if not s.is_empty()]
        return [(s.simplified(), cs) for s, cs in left]

    def cut(self, where: SizeSet, carries: list[Carry], space: RowSpace) -> list[Piece]:
        """Splits the set by row space; in it exactly these boundaries overflow, and at least these rows occur."""
        places, reason = tuple([c.place for c in carries]), ""
        if len(carries) == 1:
            space = RowSpace(1, [(1,)])
        if space.is_full():
            return [Piece(where, places, space)]
        for attempt, most in ((self._projected, _MOST_WORK_OF_A_CUT), (self._walked, _MOST_WORK_OF_A_WALK)):
            try:
                return attempt(where.within(self.cutting.part(2, most)), carries, space)
            except (Undecided, Failed) as error:
                reason = reason or _REASON.format(error)
        return [Piece(where, places, space, reason)]

    def _projected(self, where: SizeSet, carries: list[Carry], space: RowSpace) -> list[Piece]:
        more = where & self.showing(where, carries, (), space.complement())
        rest = where - more
        found = [] if rest.is_empty() else [Piece(rest, tuple([c.place for c in carries]), space)]
        while not more.is_empty():
            larger, here = self._next(more, carries, space)
            found += self.cut(here.simplified(), carries, larger)
            more = more - here
        return found

    def _walked(self, where: SizeSet, carries: list[Carry], _: RowSpace) -> list[Piece]:
        """Enumerates the sizes of a small set."""
        most = [where.most(n) for n in range(len(self.sizes.names))]
        least = [where.least(n) for n in range(len(self.sizes.names))]
        ranges = [range(a, b + 1) for a, b in zip(least, most, strict=True) if a is not None and b is not None]
        if len(ranges) < len(most) or prod(r.stop - r.start for r in ranges) > _WALKED:
            raise Undecided("the sizes are too many to enumerate")
        places = tuple([c.place for c in carries])
        found: dict[tuple[Row, ...], list[tuple[int, ...]]] = {}
        for point in where.points():
            rows = find_rows(places, self.sizes.at(point), budget=where.budget)
            if not rows.complete:
                raise Undecided(rows.reason)
            found.setdefault(rows.space.rows, []).append(point)
        sets = [(SizeSet.of(points, where.names, where.budget), rows) for rows, points in found.items()]
        return [Piece(s, places, RowSpace(len(places), rows)) for s, rows in sets]

    def _next(self, more: SizeSet, carries: list[Carry], space: RowSpace) -> tuple[RowSpace, SizeSet]:
        """A larger space, and the sizes of `more` that reach it; all of them if overflows of a single boundary do."""
        for n in reversed(range(len(carries))):  # the smallest place value tends to overflow alone
            alone = unit(n, len(carries))
            if alone not in space:
                larger, here = self._with(more, carries, space, alone)
                if (more - here).is_empty():
                    return larger, here
        point = more.point()
        if point is None:
            raise InternalError("a set of sizes without a point")
        larger, here = self._with(more, carries, space, self._new_vector(point, carries, space, more.budget))
        if here.is_empty():
            raise InternalError(f"sizes {point} do not show what they were chosen for")
        return larger, here

    def _with(self, more: SizeSet, carries: list[Carry], space: RowSpace, row: Row) -> tuple[RowSpace, SizeSet]:
        larger = RowSpace(space.width, [*space.rows, row])
        return larger, more & self.showing(more, carries, larger.complement(), space.complement())

    def _new_vector(self, point: Sequence[int], carries: list[Carry], space: RowSpace, budget: Budget) -> Row:
        """A vector outside the space that occurs at these sizes."""
        box = self.sizes.at(point)
        for index in cheap_witnesses(box.sizes, carries, self.budget.seed):
            if vector(carries, index) not in space:
                return vector(carries, index)
        found = presburger.point(carry_system(carries, box.sizes, space.complement()), budget)
        if found is None:
            raise InternalError(f"a box of {box.sizes} shows nothing new, though its sizes were said to")
        return vector(carries, found)

    def showing(self, within: SizeSet, carries: Sequence[Carry], zero: Sequence[Row], some: Sequence[Row]) -> SizeSet:
        """The sizes with an index at which all functionals `zero` of the vector vanish and one of `some` does not."""
        rank = len(self.sizes.steps)
        indices, counts = [f"i{j}" for j in range(rank)], [f"c{n}" for n in range(len(carries))]
        parts = [f"0 <= {i} < {self.sizes.text(j)}" for j, i in enumerate(indices)]
        for c, name in zip(carries, counts, strict=True):
            y = "+".join([str(c.start), *(f"({r}*{i})" for r, i in zip(c.slopes, indices, strict=True) if r)])
            parts.append(f"{c.place}{name} <= {y} < {c.place}{name} + {c.place}")
        weighed = ["+".join(f"({x}*{c})" for x, c in zip(w, counts, strict=True) if x) for w in (*zero, *some)]
        parts += [f"{w} = 0" for w in weighed[: len(zero)]]
        parts.append(" or ".join(f"{w} > 0 or {w} < 0" for w in weighed[len(zero) :]).join("()"))
        return SizeSet.where(parts, self.sizes.names, within.budget, [*indices, *counts])
