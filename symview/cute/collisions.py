"""Two indices at which a layout has the same value, or that there are none."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from operator import mul
from typing import Any

from symview.cute.layout import Layout
from symview.cute.shape_arithmetic import coordinate_at, index_steps
from symview.logic.bits import Bits, some_point
from symview.logic.budget import DEFAULT, Budget

_TABLE = 1 << 12


def same_values(layout: Layout, budget: Budget = DEFAULT) -> tuple[int, int] | None:
    """Two indices with the same value, None where no two have one; of numbers.

    Exact: strides that outgrow what is below them, then a table of small layouts, then Z3 on
    bit-vectors. Raises Undecided when the budget ends.

    >>> same_values(Layout((1, 2, 2, 2), (5, 2, 3, 5))), same_values(Layout((2, 2, 2), (1, 2, 4)))
    ((3, 4), None)
    """
    modes = layout.flat()
    place = 1
    for n, d in modes:
        if d == 0 and n > 1:
            return 0, place
        place *= n
    part = _overlapping(modes)
    size = prod([n for n, _ in part])
    if size == 1:
        return None
    pair = None
    if size > _TABLE:
        pair = _collision(part, budget.started())
    else:
        small, seen = Layout(*zip(*part, strict=True)), dict[int, int]()
        pair = next(((first, x) for x in range(size) if (first := seen.setdefault(small(x), x)) != x), None)
    return None if pair is None else (_lifted(pair[0], part, modes), _lifted(pair[1], part, modes))


def _overlapping(modes: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The modes, of size 1 where the stride is beyond all that the smaller ones reach: there, equal values agree."""
    found, left = list(modes), sorted(range(len(modes)), key=lambda k: abs(modes[k][1]))
    while left:
        top = left.pop()
        if abs(modes[top][1]) <= sum((modes[k][0] - 1) * abs(modes[k][1]) for k in left) and modes[top][0] > 1:
            break
        found[top] = (1, modes[top][1])
    return found


def _lifted(index: int, part: list[tuple[int, int]], modes: list[tuple[int, int]]) -> int:
    """The index of the same coordinate where sizes are larger."""
    return sum(map(mul, coordinate_at(index, tuple([n for n, _ in part])), index_steps(n for n, _ in modes)))


def _collision(modes: list[tuple[int, int]], budget: Budget) -> tuple[int, int] | None:
    """Coordinates i ≠ i' with the same Σ i_j·d_j, as indices. A mode that goes down is walked backwards."""
    sizes = [n for n, _ in modes] * 2
    width = (2 * sum(n * abs(d) for n, d in modes)).bit_length() + 2

    def collides(bits: Bits, x: Any) -> Any:
        first, second = x[: len(modes)], x[len(modes) :]
        gap = sum((a - b) * abs(d) for a, b, (_, d) in zip(first, second, modes, strict=True))
        if bits.z3 is None:
            return gap == 0 and first != second
        return bits.z3.And(gap == 0, bits.z3.Or([a != b for a, b in zip(first, second, strict=True)]))

    found = some_point(sizes, width, collides, budget)
    if found is None:
        return None
    first, second = found[: len(modes)], found[len(modes) :]
    return _index(first, modes), _index(second, modes)


def _index(coordinate: Sequence[int], modes: list[tuple[int, int]]) -> int:
    """The index of a coordinate, modes that go down read backwards."""
    turned = [n - 1 - x if d < 0 else x for x, (n, d) in zip(coordinate, modes, strict=True)]
    return sum(map(mul, turned, index_steps(n for n, _ in modes)))
