"""The steps of a composition in words and tables: A's modes, B's walks along A, and whether these add up."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Any

from symview.cute.compose import composition, try_composition
from symview.cute.composition_failure import path_of, path_text
from symview.cute.first_break import Slope, first_break
from symview.cute.int_tuple import is_int
from symview.cute.layout import Layout
from symview.cute.swizzle import Swizzle
from symview.errors import Undecided
from symview.logic.budget import DEFAULT, Budget
from symview.show.grid import Block, Grid

Steps = Iterator[Block]
Pieces = list[tuple[int, int]]  # sizes and B's steps


def composition_steps(outer: Any, inner: Any, budget: Budget | None = None) -> Steps:
    """The steps to outer ∘ inner, of arguments that `composition` takes; raises what it raises where the steps end.

    >>> print(*composition_steps(Layout(4), None))
    Without a layout B, 4:1 stays.
    """
    if inner is None:
        yield f"Without a layout B, {outer} stays."
    elif isinstance(outer, Swizzle):
        yield f"{outer} stands in front of {_operand(inner)} and swizzles each value of it."
    elif not isinstance(outer, Layout):
        yield f"{outer.layoutB} and the offset {outer.offset} stay in front; behind them stands {outer.layoutA}."
        yield from composition_steps(outer.layoutA, inner, budget)
    elif isinstance(inner, tuple):
        yield from by_mode_steps(lambda part, tile: composition_steps(part, tile, budget), outer, inner)
    else:
        yield from _of_layouts(outer, _operand(inner), budget)


def by_mode_steps(steps: Callable[[Any, Any], Steps], layout: Layout, tiler: tuple[Any, ...]) -> Steps:
    """The steps of each mode that the tiler has an entry for."""
    parts = list(layout.modes())
    yield f"Mode by mode: {', '.join(map(str, parts)) or 'there is none'}."
    for n, part in enumerate(parts):
        if n < len(tiler) and tiler[n] is not None:
            yield from steps(part, tiler[n])
        else:
            yield f"Mode {n}, {part}, stays."


def _operand(inner: Any) -> Any:
    return Layout(inner) if is_int(inner) else inner


def _of_layouts(outer: Layout, inner: Layout, budget: Budget | None) -> Steps:
    yield f"{outer} ∘ {inner}: where A takes the values of B."
    if outer.numeric and inner.numeric:
        yield _modes_grid(outer)
        yield from _walks(outer, inner, budget or DEFAULT)
    else:
        yield "The same layout for all values of the symbols; by cases, ask composition_conditions."
    composition(outer, inner, budget)


def _walks(outer: Layout, inner: Layout, budget: Budget) -> Steps:
    pieces: Pieces = []
    for n in range(len(inner.flat())):
        found = yield from _walk(outer, inner, n, budget)
        if found is None:
            return
        pieces += found
    if len(pieces) > 1:
        yield from _together(outer, pieces, _is_layout(outer, inner, budget))


def _is_layout(outer: Layout, inner: Layout, budget: Budget) -> bool:
    try:
        return bool(try_composition(outer, inner, budget))
    except Undecided:
        return False


def _name(layout: Layout, leaf: int) -> str:
    return path_text(path_of(layout.shape, leaf))


def _modes_grid(outer: Layout) -> Grid:
    rows, place, modes = [], 1, outer.flat()
    before: tuple[int, int] | None = None
    for n, (size, stride) in enumerate(modes):
        left_out = size == 1 and n < len(modes) - 1
        note = "size 1, left out" if left_out else _continues(before, stride)
        rows.append((_name(outer, n), str(size), str(stride), str(place), note))
        before, place = before if left_out else (size, stride), place * size
    header = ("mode", "size", "stride", "place value", "contiguous with the mode before")
    return Grid(header, tuple(rows), "A, mode by mode; the last goes on beyond its size.")


def _continues(before: tuple[int, int] | None, stride: int) -> str:
    if before is None:
        return ""
    need = before[0] * before[1]
    if stride == need:
        return f"yes: {stride} = {before[0]}·{before[1]}"
    return f"no: {stride} is not {before[0]}·{before[1]} = {need}, off by {stride - need}"


def _walk(outer: Layout, inner: Layout, number: int, budget: Budget) -> Generator[Block, None, Pieces | None]:
    """One mode of B; the pieces that it splits into, None where it cannot."""
    size, step = inner.flat()[number]
    name = f"Mode {_name(inner, number)} of B, {size}:{step}"
    if size == 1:
        yield f"{name}, has a single coordinate and gives a mode of size 1."
        return [(1, 0)]
    if step == 0:
        yield f"{name}, repeats one value and gives {size}:0."
        return [(size, 0)]
    rows, pieces, left, start = [], [], size, step
    while True:
        reach = _straight(outer, left, step, budget)
        rows.append((str(step), str(outer(step)), *_end(outer, step, reach, left)))
        pieces.append((reach, step))
        if left % reach or reach == left:
            break
        left, step = left // reach, step * reach
    header = ("step", "A(step)", "straight for", "because")
    yield Grid(header, tuple(rows), f"{name}: in steps of {start}, A moves on a straight line until a carry bends it.")
    return None if left % reach else pieces


def _straight(outer: Layout, left: int, step: int, budget: Budget) -> int:
    """How many of the steps left A is straight for."""
    slopes = [Slope(place, step % place, d) for place, d in outer.digits().bends if step % place]
    found = first_break(slopes, left, budget)
    return left if found is None else found


def _end(outer: Layout, step: int, reach: int, left: int) -> tuple[str, str]:
    """How far the straight line goes, and why it ends there."""
    if reach == left:
        return f"all {left} left", ""
    end = reach * step
    spill = f"mode {_name(outer, _overflowing(outer, step, reach))} of A overflows"
    because = f"at {reach}·{step} = {end} {spill}: {outer(end)}, not {reach * outer(step)}"
    return str(reach), because + (f"; {reach} does not divide {left}" if left % reach else "")


def _overflowing(outer: Layout, step: int, reach: int) -> int:
    """The first mode that overflows on the way to that step and is not contiguous with the next."""
    _, bends, boundaries, _ = outer.digits()
    carrying = (Slope(place, step % place, 0).carries(reach) for place, _ in bends)
    return next(mode for mode, carries in zip(boundaries, carrying, strict=True) if carries)


def _together(outer: Layout, pieces: Pieces, cancel: bool) -> Steps:
    _, bends, boundaries, _ = outer.digits()
    rows = []
    for (place, defect), mode in zip(bends, boundaries, strict=True):
        most = sum((size - 1) * (step % place) for size, step in pieces)
        verdict = "never" if most < place else "yes, but the sums cancel" if cancel else "yes"
        rows.append((str(place), _boundary(outer, mode), str(defect), str(most), verdict))
    header = ("place", "boundary", "off by", "the most that the parts add up to below it", "overflows")
    if rows:
        yield Grid(header, tuple(rows), "All parts of B together: does a sum overflow where the parts do not?")


def _boundary(outer: Layout, mode: int) -> str:
    modes = outer.flat()
    after = next(n for n in range(mode + 1, len(modes)) if modes[n][0] != 1 or n == len(modes) - 1)
    return f"mode {_name(outer, mode)} into {_name(outer, after)}"
