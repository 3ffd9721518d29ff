"""Strides that satisfy rows and demands, and separate all elements; or why there are none."""

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
_MOST_TRIED = 20_000  # combinations of a basis to try


class Demand(NamedTuple):
    """Demands on strides besides the rows: positive, 1 for a dim, multiples of a number for each."""

    positive: bool = True
    unit: int | None = None
    multiples: tuple[int, ...] = ()

    def meets(self, strides: Sequence[int], dims: Sequence[int]) -> bool:
        """Whether strides of these dims meet the demand."""
        given = dict(zip(dims, strides, strict=True))
        if (self.positive and any(t <= 0 for t in strides)) or given.get(self.unit, 1) != 1:  # type: ignore[arg-type]
            return False
        return all(not self.multiples or t % self.multiples[d] == 0 for d, t in given.items() if d != self.unit)


class Clash(NamedTuple):
    """Why no strides exist: a row in the span that is an index difference, or has only positive terms, or a demand.

    `kind`: "collision", "signs", "unit" (a stride of 1, or a multiple), or "open", if undecided.
    """

    kind: str
    row: Row
    reason: str = ""


def clash(shape: Shape, rows: Sequence[Row], demand: Demand, budget: Budget) -> Clash | None:
    """Why no strides of a tensor of this shape satisfy the rows and the demand; None if some do.

    Exact: positive strides exist exactly if the span of the rows has no difference of two indices, and no row with
    only positive terms; if one stride is free, that stride decides it.

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
    """The clash within dims that rows connect."""
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
        return Clash("unit", _at(shape, {}), "a demanded stride of 1 or a demanded multiple contradicts it")
    return None


def _at(shape: Shape, entries: dict[int, int], most: int | None = None) -> Row:
    """The row of these entries; only the first `most` of them, if set."""
    kept = dict(list(entries.items())[:most])
    common = gcd(*kept.values()) or 1
    return tuple([kept.get(d, 0) // common for d in range(len(shape))])


def ray_of(dims: Sequence[int], rows: Sequence[Row]) -> Strides | None:
    """The least strides of dims that satisfy the rows, if one stride is free; the first is not negative."""
    space = RowSpace(len(dims), [[row[d] for d in dims] for row in rows])
    basis = space.complement()
    if not basis:
        return (0,) * len(dims)
    return basis[0] if len(basis) == 1 else None


def _scaled(ray: Strides, dims: Sequence[int], demand: Demand) -> Iterator[Strides]:
    """The strides that may meet a demand: unscaled if they include the unit dim, else their least multiples."""
    signs = (ray,) if demand.positive else (ray, tuple([-t for t in ray]))
    by = 1
    if demand.unit not in dims and demand.multiples:
        by = lcm(*(demand.multiples[d] // gcd(demand.multiples[d], t) for d, t in zip(dims, ray, strict=True) if t))
    for one in signs:
        yield tuple([by * t for t in one])


def _clash_of_many(shape: Shape, dims: list[int], rows: list[Row], demand: Demand, budget: Budget) -> Clash | None:
    """The clash if several strides are free: tries small strides, then searches the span for a difference."""
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
    """A row of the span without negative terms, if its rows and sums of two have one."""
    rows = [*space.rows, *[tuple([-x for x in r]) for r in space.rows]]
    sums = [tuple(map(sum, zip(a, b, strict=True))) for a in rows for b in rows]
    return next((r for r in (*rows, *sums) if any(r) and min(r) >= 0), None)


def _tried(shape: Shape, dims: list[int], rows: list[Row], demand: Demand, budget: Budget) -> Strides | None:
    """Strides of connected dims with several free strides: the shortest small combination of a basis."""
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
    """Strides that satisfy the rows and the demand, if any do: row-major; else dense, in the order nearest to it; else
    the components of the rows, stacked with the least extent.

    >>> from symview import Budget
    >>> layout((2, 3, 4), [(1, 0, -4)], Demand(), Budget())
    (4, 8, 1)
    """
    live = [d for d, n in enumerate(shape) if n > 1]
    if 0 in shape or not live or meets(row_major(shape), shape, rows, demand, budget):
        return row_major(shape)
    found = _dense(shape, live, rows, demand, budget)
    if found is None:
        found = _stacked(shape, live, rows, demand, budget)
    place = 1
    for d in reversed(range(len(shape))):  # strides of dims of size 1 as in contiguous tensors
        if d not in found:
            found[d] = place
        place = shape[d] * found[d]
    return tuple([found[d] for d in range(len(shape))])


def row_major(shape: Shape) -> Strides:
    """The strides of a contiguous tensor."""
    return tuple([prod(max(n, 1) for n in shape[d + 1 :]) for d in range(len(shape))])


def _dense(shape: Shape, live: list[int], rows: Sequence[Row], demand: Demand, budget: Budget) -> dict[int, int] | None:
    """Dense strides that satisfy all, in the order nearest to row-major; places the innermost dim first.

    A row is tested as soon as its dims are placed; a row of two terms determines the stride of its other dim. Failed
    sets of placed dims are cached with the strides that they need.
    """
    failed = set[tuple[frozenset[int], frozenset[tuple[int, int]]]]()

    def needs(placed: dict[int, int], place: int) -> dict[int, int] | None:
        """The strides that the open dims need; None if a row can no longer hold."""
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
    """Dims whose strides share a scale; `by` is the least scale that meets the demand, `reach` their extent."""

    dims: list[int]
    strides: Strides
    by: int
    reach: int


def _stacked(shape: Shape, live: list[int], rows: Sequence[Row], demand: Demand, budget: Budget) -> dict[int, int]:
    """Stacks the parts in the order of the least extent; the part with stride 1 is innermost."""
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
    """Whether strides are right: each row is 0, all addresses are different, and the demand is met."""
    live = [d for d, n in enumerate(shape) if n > 1 and 0 not in shape]
    if any(dot(row, strides) for row in rows) or not demand.meets([strides[d] for d in live], live):
        return False
    return density.is_injective(density.moving(shape, strides), budget)
