"""How an operation comes to its answer, step by step, in words and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from inspect import signature
from itertools import pairwise
from typing import Any

from symview.cute.complements import complement, copies, sorted_modes
from symview.cute.compose import modes_for, try_composition
from symview.cute.divide import logical_divide
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import flatten, is_int, profile_text, whole_number
from symview.cute.inverse import left_inverse, right_inverse
from symview.cute.layout import Layout, make_layout, need_layout
from symview.cute.modes import coalesce, need_numbers
from symview.cute.nolayout import NoLayout
from symview.cute.products import logical_product
from symview.show.text import Block, Grid, joined

_ROWS = 24


@dataclass(frozen=True, slots=True)
class Explanation:
    """The steps as paragraphs and tables, and the answer; `str()` lays them out."""

    answer: Any
    blocks: tuple[Block, ...]

    def __str__(self) -> str:
        return joined(self.blocks)


def explain(operation: Any, *args: Any) -> Explanation:
    """The steps of composition, coalesce, complement, right_inverse, left_inverse, logical_divide or logical_product.

    The operation is given by name or as the function. Where there is no answer, the steps end where
    it fails, and `answer` is the NoLayout, or the error.

    >>> print(explain("composition", Layout((6, 2), (8, 2)), Layout(4, 3)))
    (6,2):(8,2) ∘ 4:3: where A takes the values of B.
    <BLANKLINE>
    A, mode by mode; the last goes on beyond its size.
    mode  size  stride  place value  contiguous with the mode before
    0     6     8       1
    1     2     2       6            no: 2 is not 6·8 = 48, off by -46
    <BLANKLINE>
    Mode 0 of B, 4:3: in steps of 3, A moves on a straight line until a carry bends it.
    step  A(step)  straight for  because
    3     24       2             at 2·3 = 6 mode 0 of A overflows: 2, not 48
    6     2        all 2 left
    <BLANKLINE>
    The answer is (2,2):(24,2).
    """
    name = operation if isinstance(operation, str) else getattr(operation, "__name__", repr(operation))
    name = {"compose": "composition", "divide": "logical_divide", "product": "logical_product"}.get(name, name)
    if name not in _EXPLAINED:
        raise LayoutError(f"explain: {name!r} is not one of {', '.join(_EXPLAINED)}")
    steps = _EXPLAINED[name]
    try:
        signature(steps).bind(*args)
    except TypeError as error:
        wanted = ", ".join(str(p).partition(":")[0] for p in signature(steps).parameters.values())
        raise LayoutError(f"explain: {name} is of ({wanted}), given {len(args)}: {error}") from None
    blocks: list[Block] = []
    answer = None
    for block in steps(*args):
        if isinstance(block, _Answer):
            answer = block.value
        else:
            blocks.append(block)
    return Explanation(answer, tuple(blocks))


@dataclass(frozen=True, slots=True)
class _Answer:
    value: Any


Steps = Iterator["Block | _Answer"]


def _final(run: Callable[[], Any]) -> Steps:
    try:
        found = run()
    except LayoutError as error:
        yield f"There is no answer: {error}."
        yield _Answer(getattr(error, "found", error))
        return
    if isinstance(found, NoLayout):
        yield f"There is no answer: {found}."
    else:
        yield f"The answer is {found}."
    yield _Answer(found)


# Composition


def _composition(outer: Layout, inner: Any) -> Steps:
    need_layout(outer, "composition")
    if inner is None:
        yield f"Without a layout B, {outer} stays."
        yield from _final(lambda: try_composition(outer, inner))
        return
    if isinstance(inner, tuple):
        yield f"Mode by mode: {outer} has the modes {', '.join(map(str, outer.modes()))}."
        for n, (part, tile) in enumerate(zip(modes_for(outer, inner, "composition"), inner, strict=False)):
            if tile is None:
                yield f"Mode {n}, {part}, stays."
                continue
            yield from (b for b in _composition(part, tile) if not isinstance(b, _Answer))
        yield from _final(lambda: try_composition(outer, inner))
        return
    inner = Layout(inner) if is_int(inner) else inner
    need_numbers(outer, "composition")
    need_numbers(inner, "composition")
    yield f"{outer} ∘ {inner}: where A takes the values of B."
    yield _modes_grid(outer)
    for n, (size, step) in enumerate(inner.flat()):
        yield from _walk(outer, n, size, step)
    found = try_composition(outer, inner)
    if found and len(flatten(inner.shape)) > 1:
        yield from _together(outer, inner, found)
    yield from _final(lambda: found)


def _modes_grid(outer: Layout) -> Grid:
    rows, place = [], 1
    before: tuple[int, int] | None = None
    for n, (size, stride) in enumerate(outer.flat()):
        note = ""
        if before is not None:
            need = before[0] * before[1]
            gap = f"no: {stride} is not {before[0]}·{before[1]} = {need}, off by {stride - need}"
            note = f"yes: {stride} = {before[0]}·{before[1]}" if stride == need else gap
        rows.append((str(n), str(size), str(stride), str(place), note))
        before, place = (size, stride), place * size
    header = ("mode", "size", "stride", "place value", "contiguous with the mode before")
    return Grid(header, tuple(rows), "A, mode by mode; the last goes on beyond its size.")


def _walk(outer: Layout, number: int, size: int, step: int) -> Steps:
    name = f"Mode {number} of B, {size}:{step}"
    if size == 1:
        yield f"{name}, has a single coordinate and gives a mode of size 1."
        return
    if step == 0:
        yield f"{name}, repeats one value and gives {size}:0."
        return
    rows = []
    left, start = size, step
    while True:
        value = outer(step)
        found = try_composition(outer, Layout(left, step))
        parts = found.flat() if found else []
        reach = parts[0][0] if found else _straight(outer, left, step)
        if reach == left:
            rows.append((str(step), str(value), f"all {left} left", ""))
            break
        end = reach * step
        because = f"at {reach}·{step} = {end} {_overflowing(outer, end - step, end)}: {outer(end)}, not {reach * value}"
        if left % reach:
            rows.append((str(step), str(value), str(reach), f"{because}; {reach} does not divide {left}"))
            break
        rows.append((str(step), str(value), str(reach), because))
        left, step = left // reach, end
    header = ("step", "A(step)", "straight for", "because")
    title = f"{name}: in steps of {start}, A moves on a straight line until a carry bends it."
    yield Grid(header, tuple(rows), title)


def _straight(outer: Layout, left: int, step: int) -> int:
    """How far A is straight in these steps, where what remains is no layout."""
    from symview.cute.first_break import Slope, first_break

    bends = outer.digits().bends
    found = first_break([Slope(place, step % place, d) for place, d in bends if step % place], left)
    return left if found is None else found


def _overflowing(outer: Layout, before: int, after: int) -> str:
    """The lowest mode of A whose digit overflows on the way from one index to the other."""
    place = 1
    for n, (size, _) in enumerate(outer.flat()[:-1]):
        place *= size
        if place > 1 and after // place - before // place > (after - before) // place:
            return f"mode {n} of A overflows"
    return "A is bent"


def _together(outer: Layout, inner: Layout, found: Layout) -> Steps:
    pieces = found.flat()
    rows = []
    place = 1
    for n, ((size, _), (_, defect)) in enumerate(
        zip(outer.flat(), [*_defects(outer), (0, 0)], strict=False)
    ):  # fmt: skip
        place *= size
        if n == len(outer.flat()) - 1 or defect == 0 or place == 1:
            continue
        steps = _piece_steps(inner, found)
        reach = sum((p[0] - 1) * (r % place) for p, r in zip(pieces, steps, strict=True))
        verdict = "never" if reach < place else "in steps that cancel or do not matter"
        rows.append((str(place), f"mode {n} into {n + 1}", str(defect), str(reach), verdict))
    header = ("place", "boundary", "off by", "the most that the modes add up to below it", "overflows")
    if rows:
        yield Grid(header, tuple(rows), "All modes of B together: does a sum overflow where the parts do not?")


def _defects(outer: Layout) -> list[tuple[int, int]]:
    return [(n, e - n * d) for (n, d), (_, e) in pairwise(outer.flat())]


def _piece_steps(inner: Layout, found: Layout) -> list[int]:
    """B's step for each piece of the answer."""
    steps = []
    pieces = iter(found.flat())
    for size, step in inner.flat():
        done = 1
        while True:
            n, _ = next(pieces)
            steps.append(0 if size == 1 else step * done)
            done *= n
            if done >= size:
                break
    return steps


# The others


def _coalesce(layout: Layout, profile: Any = None) -> Steps:
    need_layout(layout, "coalesce")
    if profile is not None:
        coalesce(layout, profile)
        yield f"Each mode of {layout} that the profile {profile_text(profile)} names, by itself."
        yield from _final(lambda: coalesce(layout, profile))
        return
    rows = []
    done: list[tuple[Any, Any]] = []
    for n, (size, stride) in enumerate(layout.flat()):
        if size == 1:
            rule = "rules 1 and 2: a mode of size 1 is left out"
        elif not done:
            rule = "the first mode"
            done.append((size, stride))
        elif done[-1][0] * done[-1][1] == stride:
            rule = f"rule 3: {stride} = {done[-1][0]}·{done[-1][1]}, so the two are one mode"
            done[-1] = (done[-1][0] * size, done[-1][1])
        else:
            rule = f"rule 4: {stride} is not {done[-1][0]}·{done[-1][1]}, so it stays"
            done.append((size, stride))
        so_far = ", ".join(f"{a}:{b}" for a, b in done)
        rows.append((str(n), f"{size}:{stride}", rule, so_far))
    yield f"Coalescing {layout}, from left to right."
    yield Grid(("mode", "", "rule", "so far"), tuple(rows))
    yield from _final(lambda: coalesce(layout))


def _complement(layout: Any, bound: int = 1) -> Steps:
    layout = Layout(layout) if is_int(layout) else layout
    need_numbers(layout, "complement")
    bound = whole_number(bound, "the bound of a complement")
    rows, reach = [], 1
    for number, (size, stride) in sorted_modes(layout):
        if stride < reach:
            rows.append((f"{number}: {size}:{stride}", str(reach), f"{reach} is beyond {stride}", ""))
            reach = size * stride
            continue
        left = f", {stride % reach} left over" if stride % reach else ""
        gap = f"{stride}/{reach}{left}"
        rows.append((f"{number}: {size}:{stride}", str(reach), gap, f"{stride // reach}:{reach}"))
        reach = size * stride
    last = -(-bound // reach)
    exact = f"{bound}/{reach}" if bound % reach == 0 else f"{bound}/{reach}, rounded up"
    rows.append((f"the bound {bound}", str(reach), exact, f"{last}:{reach}"))
    yield f"The complement of {layout} up to {bound}: its modes by stride, and the gap before each."
    yield Grid(("mode", "reached before", "copies in the gap", "a mode"), tuple(rows))
    yield from _final(lambda: complement(layout, bound))


def _right_inverse(layout: Any) -> Steps:
    layout = Layout(layout) if is_int(layout) else layout
    need_numbers(layout, "right_inverse")
    places = dict(enumerate(_places(layout)))
    rows, reached = [], 1
    for number, (size, stride) in sorted_modes(layout):
        fits = stride == reached
        note = f"{size}:{places[number]}" if fits else "passed over"
        rows.append((f"{number}: {size}:{stride}", str(reached), "yes" if fits else "no", note))
        reached = reached * size if fits else reached
    yield f"The right inverse of {layout}: its modes by stride, as far as one continues the other."
    yield Grid(("mode", "reached before", "stride is that", "a mode"), tuple(rows))
    yield from _final(lambda: right_inverse(layout))


def _places(layout: Layout) -> list[int]:
    places, place = [], 1
    for n, _ in layout.flat():
        places.append(place)
        place *= n
    return places


def _left_inverse(layout: Any) -> Steps:
    layout = Layout(layout) if is_int(layout) else layout
    need_numbers(layout, "left_inverse")
    yield f"The left inverse of {layout} is the right inverse of it together with its complement, if it has one."
    try:
        rest = complement(layout)
    except LayoutError as error:
        yield f"{error}."
    else:
        yield f"The complement is {rest}."
        yield from (b for b in _right_inverse(make_layout(layout, rest)) if isinstance(b, Grid))
    yield from _final(lambda: left_inverse(layout))


def _divide(layout: Layout, tile: Any) -> Steps:
    need_layout(layout, "logical_divide")
    if isinstance(tile, Layout) or is_int(tile):
        tile = Layout(tile) if is_int(tile) else tile
        yield f"{layout} / {tile} = A ∘ (B, complement(B, size(A))), size(A) = {layout.size()}."
        yield from _without_answer(_complement(tile, layout.size()))
        try:
            both = make_layout(tile, copies(tile, layout.size(), exact=True))
        except LayoutError:
            yield from _final(lambda: logical_divide(layout, tile))
            return
        yield from _without_answer(_composition(layout, both))
    else:
        yield f"{layout} is divided mode by mode."
    yield from _final(lambda: logical_divide(layout, tile))


def _product(layout: Layout, other: Any) -> Steps:
    need_layout(layout, "logical_product")
    if isinstance(other, Layout) or is_int(other):
        many = Layout(other) if is_int(other) else other
        bound = layout.size() * many.cosize()
        yield f"{layout} × {many} = (A, complement(A, {bound}) ∘ B), {bound} = size(A)·cosize(B)."
        yield from _without_answer(_complement(layout, bound))
        try:
            gaps = copies(layout, bound, least=many.cosize())
        except LayoutError:
            yield from _final(lambda: logical_product(layout, other))
            return
        yield from _without_answer(_composition(gaps, many))
    else:
        yield f"{layout} is multiplied mode by mode."
    yield from _final(lambda: logical_product(layout, other))


def _without_answer(steps: Steps) -> Steps:
    """The steps on the way, without their own last word."""
    last: Any = None
    for block in steps:
        if isinstance(block, _Answer):
            return
        if last is not None:
            yield last
        last = block


_EXPLAINED: dict[str, Callable[..., Steps]] = {
    "composition": _composition,
    "coalesce": _coalesce,
    "complement": _complement,
    "right_inverse": _right_inverse,
    "left_inverse": _left_inverse,
    "logical_divide": _divide,
    "logical_product": _product,
}
