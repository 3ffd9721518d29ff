"""Strides that meet rows, keep every element apart, and what else is asked of them; or why there are none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import gcd, lcm, prod
from operator import mul
from typing import NamedTuple

from symview.engine import density
from symview.engine.row_space import Row, RowSpace, dot
from symview.errors import Undecided
from symview.logic.budget import Budget
from symview.plans.digits import Shape
from symview.plans.rows import components, difference_within, short_difference

Strides = tuple[int, ...]
_MOST_TRIED = 20_000  # combinations of a basis


class Demand(NamedTuple):
    """What is asked of strides beside the rows: positive ones, 1 for a dim, multiples of a number for each."""

    positive: bool = True
    unit: int | None = None
    multiples: tuple[int, ...] = ()

    def meets(self, strides: Sequence[int], dims: Sequence[int]) -> bool:
        """Whether strides of these dims are as asked."""
        given = dict(zip(dims, strides, strict=True))
        if (self.positive and any(t <= 0 for t in strides)) or given.get(self.unit, 1) != 1:  # type: ignore[arg-type]
            return False
        return all(not self.multiples or t % self.multiples[d] == 0 for d, t in given.items() if d != self.unit)


class Clash(NamedTuple):
    """Why no strides do: a row in the span that two indices differ by, or that has positive terms alone, or a demand.

    `kind`: "collision", "signs", "unit" (a stride of 1, or a multiple), or "open", where it was not settled.
    """

    kind: str
    row: Row
    reason: str = ""


def clash(shape: Shape, rows: Sequence[Row], demand: Demand, budget: Budget) -> Clash | None:
    """Why no strides of a tensor of this shape meet the rows and the demand; None where some do.

    Exact: some positive ones do exactly when the span of the rows has no difference of two indices, and no row of
    positive terms alone; where they stand for one free stride, that stride says it.

    >>> from symview import Budget
    >>> clash((4, 32, 8), [(1, -32, 0), (1, 0, -8)], Demand(), Budget())
    Clash(kind='collision', row=(0, 4, -1), reason='')
    """
    if 0 in shape:
        return None
    for dims, own in components(rows, [d for d, n in enumerate(shape) if n > 1]):
        found = _clash_within(shape, dims, own, demand, budget)
        if found is not None:
            return found
    return None


def _clash_within(shape: Shape, dims: list[int], rows: list[Row], demand: Demand, budget: Budget) -> Clash | None:
    """The same for dims that rows connect."""
    found = short_difference(rows, shape)
    if found is not None:
        return Clash("collision", found)
    ray = ray_of(dims, rows)
    if ray is None:
        return _clash_of_many(shape, dims, rows, demand, budget)
    if any(not t for t in ray):
        return Clash("collision", _at(shape, {d: 1 for d, t in zip(dims, ray, strict=True) if not t}, 1))
    if not density.is_injective([(shape[d], t) for d, t in zip(dims, ray, strict=True)], budget):
        one, other = density.collision([shape[d] for d in dims], ray, budget) or ((), ())
        apart = {d: b - a for d, a, b in zip(dims, one, other, strict=True)}
        return Clash("collision", _at(shape, apart))
    if demand.positive and min(ray) < 0:
        a, b = (next(n for n, t in enumerate(ray) if (t > 0) == up) for up in (True, False))
        return Clash("signs", _at(shape, {dims[a]: -ray[b], dims[b]: ray[a]}))
    if not any(demand.meets(t, dims) for t in _scaled(ray, dims, demand)):
        return Clash("unit", _at(shape, {}), "a stride of 1 or a multiple that is asked for does not go with it")
    return None


def _at(shape: Shape, entries: dict[int, int], most: int | None = None) -> Row:
    """The row of these entries; of the first ones alone, where `most` says how many."""
    kept = dict(list(entries.items())[:most])
    common = gcd(*kept.values()) or 1
    return tuple([kept.get(d, 0) // common for d in range(len(shape))])


def ray_of(dims: Sequence[int], rows: Sequence[Row]) -> Strides | None:
    """The least strides of dims that meet the rows, if these leave one stride free; the first is not negative."""
    space = RowSpace(len(dims), [[row[d] for d in dims] for row in rows])
    basis = space.complement()
    if not basis:
        return (0,) * len(dims)
    return basis[0] if len(basis) == 1 else None


def _scaled(ray: Strides, dims: Sequence[int], demand: Demand) -> Iterator[Strides]:
    """The strides with which a demand may be met: those with 1 where that is asked, else the least multiples."""
    signs = (ray,) if demand.positive else (ray, tuple([-t for t in ray]))
    by = 1
    if demand.unit not in dims and demand.multiples:
        by = lcm(*(demand.multiples[d] // gcd(demand.multiples[d], t) for d, t in zip(dims, ray, strict=True) if t))
    for one in signs:
        yield tuple([by * t for t in one])


def _clash_of_many(shape: Shape, dims: list[int], rows: list[Row], demand: Demand, budget: Budget) -> Clash | None:
    """Where several strides are free: an integer point of the span, else strides by trying."""
    if _tried(shape, dims, rows, demand, budget) is not None:
        return None
    sizes = tuple([shape[d] for d in dims])
    space = RowSpace(len(dims), [[row[d] for d in dims] for row in rows])
    found = difference_within(space, sizes, budget)
    if found is not None:
        return Clash("collision", _at(shape, dict(zip(dims, found, strict=True))))
    if demand.positive and (positive := _positive_row(space)):
        return Clash("signs", _at(shape, dict(zip(dims, positive, strict=True))))
    return Clash("open", _at(shape, {}), "no strides were found among small ones, though some exist")


def _positive_row(space: RowSpace) -> Row | None:
    """A row of the span without negative terms, if one is seen among its rows and sums of two."""
    rows = [*space.rows, *[tuple([-x for x in r]) for r in space.rows]]
    sums = [tuple(map(sum, zip(a, b, strict=True))) for a in rows for b in rows]
    return next((r for r in (*rows, *sums) if any(r) and min(r) >= 0), None)


def _tried(shape: Shape, dims: list[int], rows: list[Row], demand: Demand, budget: Budget) -> Strides | None:
    """Strides of connected dims, several of them free: the shortest among small combinations of a basis."""
    basis = RowSpace(len(dims), [[row[d] for d in dims] for row in rows]).complement()
    sizes = [shape[d] for d in dims]
    reach = max(1, int(_MOST_TRIED ** (1 / len(basis))) // 2)
    best: tuple[int, Strides] | None = None
    for weights in product(range(-reach, reach + 1), repeat=len(basis)):
        budget.spend(len(dims))
        ts = tuple([sum(map(mul, weights, column)) for column in zip(*basis, strict=True)])
        if common := gcd(*ts):
            ts = ts if demand.unit in dims or demand.multiples else tuple([t // common for t in ts])
        extent = sum((n - 1) * abs(t) for n, t in zip(sizes, ts, strict=True))
        if extent + 1 < prod(sizes) or not demand.meets(ts, dims) or (best is not None and best <= (extent, ts)):
            continue
        if density.is_injective(list(zip(sizes, ts, strict=True)), budget):
            best = extent, ts
    return None if best is None else best[1]


# The layout


def layout(shape: Shape, rows: Sequence[Row], demand: Demand, budget: Budget) -> Strides:
    """Strides that meet the rows and the demand, where some do: row-major; dense in the order nearest to it; else the
    parts that the rows leave, stacked with the least extent.

    >>> from symview import Budget
    >>> layout((2, 3, 4), [(1, 0, -4)], Demand(), Budget())
    (4, 8, 1)
    """
    live = [d for d, n in enumerate(shape) if n > 1]
    if 0 in shape or not live:
        return density_row_major(shape)
    found = _dense(shape, live, rows, demand, budget)
    if found is None:
        found = _stacked(shape, live, rows, demand, budget)
    place = 1
    for d in reversed(range(len(shape))):  # strides of dims of size 1 as contiguous tensors have them
        if d not in found:
            found[d] = place
        place = shape[d] * found[d]
    return tuple([found[d] for d in range(len(shape))])


def density_row_major(shape: Shape) -> Strides:
    """The strides of a contiguous tensor."""
    return tuple([prod(max(n, 1) for n in shape[d + 1 :]) for d in range(len(shape))])


def _dense(shape: Shape, live: list[int], rows: Sequence[Row], demand: Demand, budget: Budget) -> dict[int, int] | None:
    """The dense strides that do, in the order nearest to row-major: dims from the innermost, the last one first.

    A row is tested as soon as its dims are placed, and one of two terms says which stride its other dim needs. Failed
    sets of placed dims are kept with what they need.
    """
    failed = set[tuple[frozenset[int], frozenset[tuple[int, int]]]]()

    def needs(placed: dict[int, int], place: int) -> dict[int, int] | None:
        """The strides that dims still need; None where a row cannot hold any more."""
        wanted = dict[int, int]()
        for row in rows:
            left = [d for d, x in enumerate(row) if x and d not in placed]
            rest = sum(x * placed[d] for d, x in enumerate(row) if x and d in placed)
            if not left and rest:
                return None
            if len(left) == 1 and len(left) < sum(map(bool, row)):
                [d] = left
                if rest % row[d] or (t := -rest // row[d]) < place or wanted.setdefault(d, t) != t:
                    return None
        return wanted

    def go(placed: dict[int, int], place: int) -> dict[int, int] | None:
        budget.spend(len(rows) + 1)
        wanted = needs(placed, place)
        if wanted is None or len(placed) == len(live):
            return None if wanted is None else placed
        open_ = {
            d for row in rows for d, x in enumerate(row) if x and any(y and e not in placed for e, y in enumerate(row))
        }
        key = frozenset(placed), frozenset((d, placed[d]) for d in open_ if d in placed)
        if key in failed:
            return None
        for d in reversed(live):
            fits = d not in placed and wanted.get(d, place) == place and demand.meets((place,), (d,))
            if fits and (found := go({**placed, d: place}, place * shape[d])) is not None:
                return found
        failed.add(key)
        return None

    return go({}, 1)


class _Part(NamedTuple):
    """Dims with strides of one scale; `by` is the least scale at which they are as asked, `reach` their extent."""

    dims: list[int]
    strides: Strides
    by: int
    reach: int


def _stacked(shape: Shape, live: list[int], rows: Sequence[Row], demand: Demand, budget: Budget) -> dict[int, int]:
    """The parts one outside the other, in the order of the least extent; that with the stride 1 inside."""
    parts = [_part(shape, dims, own, demand, budget) for dims, own in components(rows, live)]
    first = [n for n, p in enumerate(parts) if demand.unit in p.dims]
    rest = [n for n in range(len(parts)) if n not in first]
    best: dict[frozenset[int], tuple[int, list[int]]] = {frozenset(): (1 + sum(parts[n].reach for n in first), first)}
    for _ in rest:
        longer: dict[frozenset[int], tuple[int, list[int]]] = {}
        for done, (extent, order) in best.items():
            budget.spend(len(rest))
            for n in rest:
                if n not in done:
                    scale = -(-extent // parts[n].by) * parts[n].by
                    new = extent + scale * parts[n].reach, [*order, n]
                    key = done | {n}
                    longer[key] = min(longer.get(key, new), new, key=lambda e: (e[0], [-m for m in e[1]]))
        best = longer
    found, extent = dict[int, int](), 1
    for n in next(iter(best.values()))[1]:
        part = parts[n]
        scale = 1 if n in first else -(-extent // part.by) * part.by
        found |= {d: scale * t for d, t in zip(part.dims, part.strides, strict=True)}
        extent += scale * part.reach
    return found


def _part(shape: Shape, dims: list[int], rows: list[Row], demand: Demand, budget: Budget) -> _Part:
    alone = demand if demand.unit in dims else demand._replace(multiples=())
    ray = ray_of(dims, rows)
    strides = next((t for t in _scaled(ray, dims, alone) if alone.meets(t, dims)), None) if ray else None
    strides = strides or _tried(shape, dims, rows, alone, budget)
    if strides is None:
        raise Undecided("no strides were found among small ones")
    by = 1
    if demand.multiples and demand.unit not in dims:
        by = lcm(*(demand.multiples[d] // gcd(demand.multiples[d], t) for d, t in zip(dims, strides, strict=True)))
    return _Part(dims, strides, by, sum((shape[d] - 1) * abs(t) for d, t in zip(dims, strides, strict=True)))


def meets(strides: Strides, shape: Shape, rows: Sequence[Row], demand: Demand, budget: Budget) -> bool:
    """Whether strides do: each row is 0, every element has an address of its own, and the demand is met."""
    live = [d for d, n in enumerate(shape) if n > 1 and 0 not in shape]
    if any(dot(row, strides) for row in rows) or not demand.meets([strides[d] for d in live], live):
        return False
    return density.is_injective(density.moving(shape, strides), budget)
