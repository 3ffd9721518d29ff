"""Strides at all sizes from 2: whether an order of the dims suffices, if sizes are products of names.

A row of two terms puts one dim directly above another: its stride is size times stride of that one. An order of the
dims satisfies such rows exactly if they join the dims to paths (T3 of the theory of layouts from uses).
"""

from __future__ import annotations

from collections.abc import Sequence

from symview.engine.row_space import Row
from symview.errors import NotSupported
from symview.plans.digits import Shape
from symview.plans.forest import Numbers
from symview.plans.strides import Clash, Demand


def clash_at_every_size(shape: Shape, rows: Sequence[Row], demand: Demand, numbers: Numbers) -> Clash | None:
    """Why no order of dims suffices at all sizes from 2; None if one does.

    Its kind is "collision" or "signs" if no strides suffice at any such sizes, and "order" if strides without an order
    may suffice at sizes that have no common divisor.
    """
    above, below = dict[int, int](), dict[int, int]()
    for row in rows:
        terms = [(d, x) for d, x in enumerate(row) if x]
        if len(terms) == 1:
            return Clash("collision", _unit(shape, terms[0][0], 1))
        pair = _arc(terms, shape) if len(terms) == 2 else None
        if pair is None:
            raise NotSupported(
                "a part of a dim is merged, which is not decided for all sizes: write numbers for the names"
            )
        a, b, weight = pair
        if a == demand.unit:
            return Clash("unit", _unit(shape, a, 0), "a demanded stride of 1 contradicts it")
        if abs(weight) != shape[b]:
            return Clash("collision", _unit(shape, a, 1, b, -weight))
        if weight < 0:
            if demand.positive:
                return Clash("signs", _unit(shape, a, 1, b, -weight))
            raise NotSupported("strides of both signs are not decided for all sizes: write numbers for the names")
        if above.setdefault(b, a) != a:
            return Clash("collision", tuple([int(d == a) - int(d == above[b]) for d in range(len(shape))]))
        if below.setdefault(a, b) != b:
            return Clash("order", _unit(shape, a, 0), f"dims {below[a]} and {b} are both just below dim {a}")
    if demand.unit in below:
        reason = f"dim {below[demand.unit]} is below dim {demand.unit}, which has to have stride 1"
        return Clash("unit", _unit(shape, demand.unit, 0), reason)
    return _circle(shape, above)


def _arc(terms: Sequence[tuple[int, int]], shape: Shape) -> tuple[int, int, int] | None:
    """Dims a and b, and a w that divides the size of b, such that stride a is w times stride b."""
    for (a, x), (b, y) in (terms, terms[::-1]):
        if y % x == 0 and shape[b] % (y // x) == 0:
            return a, b, -y // x
    return None


def _unit(shape: Shape, *entries: int) -> Row:
    given = dict(zip(entries[::2], entries[1::2], strict=True))
    return tuple([given.get(d, 0) for d in range(len(shape))])


def _circle(shape: Shape, above: dict[int, int]) -> Clash | None:
    """Dims that are above themselves, so their strides are 0."""
    for start in above:
        at, seen = start, {start}
        while at in above:
            at = above[at]
            if at == start:
                return Clash("collision", _unit(shape, start, 1))
            if at in seen:
                break
            seen.add(at)
    return None
