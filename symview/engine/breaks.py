"""Break points: how the conditions grow with the size n of a one-dimensional inner view."""

from __future__ import annotations

from typing import NamedTuple

from symview.engine import presburger
from symview.engine.budget import DEFAULT, Budget
from symview.engine.decide import carry_system
from symview.engine.index_map import IndexMap
from symview.engine.overflow import Carry, active_carries, periodic_sizes, vector
from symview.engine.rowspace import ALL_FORCED, Engine, Rows, Step, widen
from symview.engine.span import RowSpace
from symview.errors import Undecided


class Stretch(NamedTuple):
    """The sizes first <= n <= last (None: no end) and the row space that holds for all of them."""

    first: int
    last: int | None
    rows: Rows


def size_limit(size: int, step: int, start: int) -> int | None:
    """The largest n for which (n):(step)+start stays inside 0..size−1; 0 where none; None for no limit.

    >>> size_limit(90, 4, 0), size_limit(90, -4, 9), size_limit(90, 0, 3), size_limit(90, 1, 90)
    (23, 3, None, 0)
    """
    if not 0 <= start < size:
        return 0
    if step == 0:
        return None
    return (size - 1 - start) // step + 1 if step > 0 else start // -step + 1


def find_breaks(
    places: tuple[int, ...], size: int, step: int, start: int, engine: Engine = "auto", budget: Budget = DEFAULT
) -> list[Stretch]:
    """The sizes in bounds from n = 1 on, cut exactly where (n):(step)+start meets a new condition.

    Beyond the last stretch the view is out of bounds. Where the budget ends, the rest is one
    stretch whose rows are not settled. `engine` as in `find_rows`.
    Theory: the row space of n grows with n; the next break is the first index whose overflow
    vector the rows so far do not span. At most one break a boundary, and none after one period.

    >>> [(s.first, s.last, s.rows.space.rows) for s in find_breaks((9, 3), 90, 4, 0)]
    [(1, 3, ()), (4, 5, ((1, 1),)), (6, 23, ((1, 0), (0, 1)))]
    """
    limit = size_limit(size, step, start)
    if limit == 0:
        return []
    box = IndexMap((max(limit, 2) if limit else 2,), (step,), start)
    carries = active_carries(box, places)
    space = RowSpace(len(carries))
    active = [c.place for c in carries]
    found: list[Stretch] = []
    steps: list[Step] = []
    first, stop = 1, None
    while not space.is_full():
        try:
            index = _next_break(carries, space, box, engine, budget)
        except Undecided as error:
            stop = error.reason
            break
        if index is None:
            break
        found.append(Stretch(first, index, widen(_rows(carries, space, steps, index), active, places)))
        after, before = vector(carries, (index,)), vector(carries, (index - 1,))
        space.add(after)
        steps.append(Step(0, (index,), tuple([a - b for a, b in zip(after, before, strict=True)])))
        first = index + 1
    found.append(Stretch(first, limit, widen(_rows(carries, space, steps, limit, stop), active, places)))
    return found


def _next_break(carries: list[Carry], space: RowSpace, box: IndexMap, engine: Engine, budget: Budget) -> int | None:
    """The first index whose overflow vector the rows do not span, None where there is none."""
    if engine == "enumerate":
        return _walk(carries, space, box.sizes[0], budget)
    if engine == "auto" and space.rank == 0:  # before the first carry of any boundary, C is 0
        firsts = [c.first_along(0) for c in carries]
        return min(i for i in firsts if i is not None)
    sizes = periodic_sizes(box.sizes, carries)
    system = carry_system(carries, sizes, space.complement())
    found = presburger.least(system, budget, "z3" if engine == "smt" else None)
    return None if found is None else found[0]


def _walk(carries: list[Carry], space: RowSpace, size: int, budget: Budget) -> int | None:
    if size > budget.points:
        raise Undecided(f"the sizes go up to {size}, the budget walks {budget.points}")
    return next((i for i in range(size) if vector(carries, (i,)) not in space), None)


def _rows(carries: list[Carry], space: RowSpace, steps: list[Step], last: int | None, stop: str | None = None) -> Rows:
    found = RowSpace(space.width, space.rows)
    if space.is_full():
        return Rows(found, tuple(steps), stop is None, stop or ALL_FORCED, None)
    reason = "an exact search finds no index below that size whose overflows these conditions do not cover"
    sizes = periodic_sizes((last or 2,), carries)
    query = carry_system(carries, sizes, space.complement())
    return Rows(found, tuple(steps), stop is None, stop or reason, query)
