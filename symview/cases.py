"""The cases of a query by the size of the inner view."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import prod
from typing import Any, TypeAlias

from symview.answers import Case, Status
from symview.engine.breaks import find_breaks, one_axis
from symview.engine.index_map import IndexMap
from symview.engine.rowspace import Engine, Rows, Step, find_rows
from symview.engine.valid_box import Region
from symview.errors import NotSupported, SymbolError
from symview.settle import Settler
from symview.symbols import is_number, to_text
from symview.view import View

_Ranged: TypeAlias = tuple[int, int | None, Case]


def free_axis(views: Sequence[View]) -> int | None:
    """The axis whose size is a symbol, where the view is otherwise of size 1 or empty."""
    inner = views[-1]
    free = [a for a, n in enumerate(inner.shape) if not is_number(n)]
    if not free:
        return None
    if len(views) > 2 or any(v.mask is not None for v in views):
        raise NotSupported("symbolic sizes are supported for two views without masks yet: give numbers")
    size: Any = inner.shape[free[0]]
    others = [n for a, n in enumerate(inner.shape) if a != free[0]]
    if len(free) > 1 or not size.is_Symbol or any(n not in (0, 1) for n in others):
        raise NotSupported(
            f"the inner shape ({','.join(map(to_text, inner.shape))}): only one symbol, as the size of a "
            "one-dimensional view, is supported yet"
        )
    if size.is_nonpositive:
        raise SymbolError(f"size {size.name} is declared nonpositive: sizes are positive")
    return free[0]


def cases_by_size(settler: Settler, shape: tuple[int, ...], box: IndexMap, axis: int, engine: Engine) -> list[Case]:
    """The cases of a one-dimensional inner view whose size is a symbol, by rising size and without a gap."""
    return _joined(_parametric_cases(settler, shape, box, axis, engine), box.sizes[axis])


def _parametric_cases(
    settler: Settler, shape: tuple[int, ...], box: IndexMap, axis: int, engine: Engine
) -> Iterator[_Ranged]:
    """The cases by rising size, from the least one on, without a gap."""
    first = settler.least_size(box.sizes[axis])
    if any(n == 0 for a, n in enumerate(box.sizes) if a != axis):
        yield _empty_case(settler, box, first, None)
        return
    if first == 0:
        yield _empty_case(settler, box, 0, 0)
    found = find_breaks(settler.places, prod(shape), one_axis(box.steps[axis], box.start), engine, settler.budget)
    last: int | None = 0
    for low, last, rows in found:
        sizes = tuple([1 if a != axis else last or 2 for a in range(len(box.sizes))])
        where = _between(box.sizes[axis], low, last)
        yield low, last, settler.case(where, _whole(box._replace(sizes=sizes)), _spread(rows, box, axis))
    if last is not None:
        yield last + 1, None, settler.outside(_between(box.sizes[axis], last + 1, None))


def _empty_case(settler: Settler, box: IndexMap, low: int, high: int | None) -> _Ranged:
    empty = box._replace(sizes=(0,) * len(box.sizes))
    symbol = next(n for n in box.sizes if not is_number(n))
    return low, high, settler.case(_between(symbol, low, high), _whole(empty), find_rows(settler.places, empty))


def _joined(cases: Iterable[_Ranged], symbol: Any) -> list[Case]:
    """Neighbouring sizes with the same answer as one case."""
    found: list[_Ranged] = []
    for low, high, case in cases:
        if found and _same_answer(found[-1][2], case):
            low, _, before = found.pop()
            kept = before if case.status is Status.NEVER else case
            case = replace(kept, where=_between(symbol, low, high))
        found.append((low, high, case))
    return [case for _, _, case in found]


def _same_answer(a: Case, b: Case) -> bool:
    never = a.status is b.status is Status.NEVER
    return never or (a.status is not Status.UNDECIDED and replace(a, where=b.where) == b)


def _between(symbol: Any, low: int, high: int | None) -> Any:
    import sympy

    if high is None:
        return symbol >= low
    return sympy.Eq(symbol, low) if low == high else sympy.And(symbol >= low, symbol <= high)


def _whole(box: IndexMap) -> Region:
    return Region((0,) * len(box.sizes), box)


def _spread(rows: Rows, box: IndexMap, axis: int) -> Rows:
    """The rows of the one free axis, their witnesses as indices of the whole view."""
    rank = len(box.sizes)
    steps = [
        Step(axis, tuple([s.index[0] if a == axis else 0 for a in range(rank)]), s.row) for s in rows.steps
    ]
    return rows._replace(steps=tuple(steps))
