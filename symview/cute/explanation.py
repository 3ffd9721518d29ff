"""How an operation comes to its answer, in words and tables: the steps that its algorithm tells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from inspect import signature
from itertools import pairwise
from typing import Any

from symview.cute import operations
from symview.cute.algebra import ARRANGEMENTS, Complemented, Dividing, Multiplying, operation
from symview.cute.comparer import running
from symview.cute.complements import Behind, Filling, Gap, complement, undivided
from symview.cute.composition_failure import NoLayout, boundaries, path_of, path_text
from symview.cute.errors import LayoutError, NoAnswer
from symview.cute.int_tuple import flatten, profile_text
from symview.cute.int_tuple import number_text as text
from symview.cute.inverse import (
    Continued,
    Inverting,
    NotFilled,
    PlaceValues,
    left_inverse,
    right_inverse,
    strict_left_inverse,
)
from symview.cute.layout import Layout, is_layout
from symview.cute.modes import ByMode, Coalescing, InFront, Joined, Stays, coalesce_layout, moving_modes
from symview.cute.operations import Anything, SameForAll
from symview.cute.shape_arithmetic import compact
from symview.cute.swizzled.coalescing import coalesce
from symview.cute.walk import Along, Straight, Together, Walk
from symview.displayed import Displayed
from symview.engine.overflow import pattern
from symview.errors import InternalError, Undecided
from symview.logic.budget import Budget
from symview.show.grid import Block, Grid, joined

_WALKED = 1 << 12


@dataclass(frozen=True, slots=True)
class Explanation(Displayed):
    """The steps as paragraphs and tables, and the answer; `str()` lays them out."""

    answer: Any
    blocks: tuple[Block, ...]

    def __str__(self) -> str:
        return joined(self.blocks)


EXPLAINED: dict[str, Callable[..., Any]] = {
    "composition": operations.composition, "coalesce": coalesce, "complement": complement,
    "right_inverse": right_inverse, "left_inverse": left_inverse, "strict_left_inverse": strict_left_inverse,
    **{f"{how}_{kind}": getattr(operations, f"{how}_{kind}") for kind, ways in ARRANGEMENTS.items() for how in ways},
}  # fmt: skip


def steps(name: str, args: tuple[Any, ...], budget: Budget | None = None) -> Explanation:
    """The steps of one of these operations."""
    taken = signature(EXPLAINED[name])
    try:
        arguments = taken.bind(*args).arguments
    except TypeError as error:
        wanted = ", ".join(taken.parameters)
        raise LayoutError(f"explain: {name} is of ({wanted}), given {len(args)}: {error}") from None
    budget = running(arguments.pop("budget", None) if budget is None else budget)
    told: list[Any] = []
    try:
        answer = operation(name)(Anything(budget, told.append), *arguments.values())
    except (NoAnswer, Undecided) as error:
        answer = getattr(error, "found", error)
    more = _left_inverse(told, args[0], answer) if name.endswith("left_inverse") else ()
    if name == "complement" and isinstance(answer, Layout):
        more = _covered(told)
    return Explanation(answer, (*_blocks(told, answer), *more, conclusion(answer)))


def conclusion(answer: Any) -> str:
    """The sentence that gives the answer."""
    if isinstance(answer, NoLayout | NoAnswer):
        return f"There is no answer: {answer}."
    if isinstance(answer, Undecided):
        return f"The answer is left undecided: {answer.reason}."
    if isinstance(answer, tuple) and is_layout(answer[0]):  # a layout and where it begins
        return f"The answer is {answer[0]}, from {profile_text(answer[1])} on."
    if isinstance(answer, tuple) and is_layout(answer[-1]):  # a tile and a layout
        return f"The answer is {profile_text(answer[0])} and {answer[1]}."
    return f"The answer is {profile_text(answer) if isinstance(answer, tuple) else answer}."


def _covered(told: Sequence[Any]) -> Iterator[Block]:
    """Which numbers are a value of the layout plus one of its complement."""
    gaps, behind = [s for s in told if isinstance(s, Gap)], [s for s in told if isinstance(s, Behind)]
    open_at = next((g for g in gaps if not g.filled), None)
    if open_at is not None:
        first = text(open_at.copies * open_at.reach)
        yield f"Not every number is a value of it plus one of the complement: {first} is the first that is none."
    elif behind:
        end = text(behind[-1].copies * behind[-1].reach)
        yield f"Each number below {end} is a value of it plus one of the complement, in one way."


_ROWS = (Joined, Gap, Behind, Continued, Straight)


def _blocks(told: Sequence[Any], answer: Any) -> Iterator[Block]:
    """The steps in their order, each with those that are the rows of its table."""
    heads = [at for at, step in enumerate(told) if not isinstance(step, _ROWS)]
    walk = Walk(Layout(1), Layout(1))
    for at, end in pairwise([*heads, len(told)]):
        step, rows = told[at], told[at + 1 : end]
        match step:
            case Walk():
                walk = step
                yield f"{walk.outer} ∘ {walk.inner}: where A takes the values of B."
                yield _modes_grid(walk.outer)
            case Along(mode):
                yield _along(walk, mode, rows)
            case Together(parts):
                refused = end == len(told) and isinstance(answer, NoLayout | NoAnswer | Undecided)
                yield from _together(walk.outer, parts, "yes" if refused else "yes, but the sums cancel")
            case Coalescing(layout):
                yield f"Coalescing {layout}, from left to right."
                yield Grid(("mode", "", "rule", "so far"), tuple(_rule(n, row) for n, row in enumerate(rows)))
            case Filling(layout, bound):
                yield f"The complement of {layout} up to {text(bound)}: its modes by stride, and the gap before each."
                yield Grid(("mode", "reached before", "copies in the gap", "a mode"), tuple(map(_gap_row, rows)))
            case Inverting():
                yield from _inverting(step, rows)
            case _:
                yield _sentence(step)


def _sentence(step: Any) -> str:
    match step:
        case ByMode(parts):
            return f"Mode by mode: {', '.join(map(str, parts)) or 'there is none'}."
        case Stays(layout, number):
            return f"{layout} stays." if number is None else f"Mode {number}, {layout}, stays."
        case InFront((swizzle,), behind):
            return f"{swizzle} stands in front of {behind} and swizzles each value of it."
        case InFront((front, offset), behind):
            return f"{front} and the offset {offset} stay in front; behind them stands {behind}."
        case SameForAll(name, layout, tile):
            ask = f"by cases, ask {name}_conditions"
            return f"{name} of {layout} and {tile}: the same layout for all values of the symbols; {ask}."
        case Dividing(layout, tile):
            up_to = f"up to size(A) = {profile_text(layout.size())}"
            return f"{layout} / {tile} = A ∘ (B, C), C the complement of B {up_to}, no gap left."
        case Multiplying(layout, tile) if not moving_modes(tile):
            return f"{layout} × {tile} = (A, 0): all values of B are 0, so that A stands once, wherever it reaches."
        case Multiplying(layout, tile, many):
            bound = f"size(A)·cosize(B) = {text(layout.size() * many)}, with cosize(B) = {text(many)} copies"
            return f"{layout} × {tile} = (A, C ∘ B), C the complement of A up to {bound}."
        case Complemented(complement):
            return f"C = {complement}."
        case NotFilled(layout, gap):
            return f"The right inverse of {layout} together with a complement does not do: {undivided(layout, gap)}."
        case PlaceValues(layout, candidate, True):
            strides = [d for _, (_, d) in moving_modes(coalesce_layout(layout))]
            rounded = any(high % low for low, high in pairwise(strides))
            names = "Its strides, rounded down to multiples of each other," if rounded else "Its strides"
            return f"{names} serve as place values: from one to the next, values are cut into a digit each."
        case PlaceValues(layout, candidate, False):
            would, values = f"With its strides as place values it would be {candidate}", map(layout, range(_WALKED))
            for x, value in zip(range(layout.size()), values, strict=False):
                if candidate(value) != x:
                    back = text(candidate(value))
                    return f"{would}, which takes {text(value)} = L({x}) to {back}, not to {x}."
            return f"{would}, which does not invert it."
    raise InternalError(f"{step!r} is no step that is told")


# Composition: A's modes, B's walks along A, and whether these add up


def _name(layout: Layout, leaf: int) -> str:
    return path_text(path_of(layout.shape, leaf))


def _modes_grid(outer: Layout) -> Grid:
    rows, place, modes = [], 1, outer.flat()
    before: tuple[int, int] | None = None
    for n, (size, stride) in enumerate(modes):
        note, left_out = "", size == 1 and n < len(modes) - 1
        if left_out:
            note = "size 1, left out"
        elif before is not None:
            product, needed = _product_text(before), before[0] * before[1]
            note = f"yes: {text(stride)} = {product}"
            if stride != needed:
                note = f"no: {text(stride)} is not {product} = {text(needed)}, off by {text(stride - needed)}"
        rows.append((_name(outer, n), text(size), text(stride), text(place), note))
        before, place = before if left_out else (size, stride), place * size
    header = ("mode", "size", "stride", "place value", "contiguous with the mode before")
    return Grid(header, tuple(rows), "A, mode by mode; the last goes on beyond its size.")


def _along(walk: Walk, number: int, rows: Sequence[Straight]) -> Block:
    """One mode of B."""
    size, step = walk.inner.flat()[number]
    name = f"Mode {_name(walk.inner, number)} of B, {text(size)}:{text(step)}"
    if size == 1:
        return f"{name}, has a single coordinate and gives a mode of size 1."
    if step == 0:
        return f"{name}, repeats one value and gives {text(size)}:0."
    title = f"{name}: in steps of {text(step)}, A moves on a straight line until a carry bends it."
    cells = [(text(row.step), text(walk.outer(row.step)), *_end(walk.outer, row)) for row in rows]
    return Grid(("step", "A(step)", "straight for", "because"), tuple(cells), title)


def _end(outer: Layout, row: Straight) -> tuple[str, str]:
    """How far the straight line goes, and why it ends there."""
    step, reach, left = row
    if reach == left:
        return f"all {text(left)} left", ""
    end = reach * step
    carried = pattern([place for place, _ in outer.digits().bends], end - step, step)
    mode = boundaries(outer)[carried.index(1)]
    because = f"at {text(reach)}·{text(step)} = {text(end)} mode {_name(outer, mode)} of A overflows"
    because += f": {text(outer(end))}, not {text(reach * outer(step))}"
    return text(reach), because + (f"; {text(reach)} does not divide {text(left)}" if left % reach else "")


def _together(outer: Layout, parts: Sequence[tuple[int, int]], overflow: str) -> Iterator[Grid]:
    modes, rows = outer.flat(), []
    for (place, defect), mode in zip(outer.digits().bends, boundaries(outer), strict=True):
        after = next(n for n in range(mode + 1, len(modes)) if modes[n][0] != 1 or n == len(modes) - 1)
        boundary = f"mode {_name(outer, mode)} into {_name(outer, after)}"
        most = sum((size - 1) * (step % place) for size, step in parts)
        rows.append((text(place), boundary, text(defect), text(most), "never" if most < place else overflow))
    header = ("place", "boundary", "off by", "the most that the parts add up to below it", "overflows")
    if rows:
        yield Grid(header, tuple(rows), "All parts of B together: does a sum overflow where the parts do not?")


# Coalescing, gaps and inverses


def mode_text(mode: Sequence[Any]) -> str:
    """Size and stride as a layout prints them."""
    return ":".join(map(profile_text, mode))


def _product_text(factors: Sequence[Any]) -> str:
    return "·".join(map(profile_text, factors))


def _rule(number: int, row: Joined) -> tuple[str, ...]:
    """The rule by which the mode joined those before it."""
    stride = profile_text(row.mode[1])
    product = _product_text(row.before or ())
    rule = {
        "first": "the first mode",
        "size 1": "rules 1 and 2: a mode of size 1 is left out",
        "continues": f"rule 3: {stride} = {product}, so the two are one mode",
        "stays": f"rule 4: {stride} is not {product}, so it stays",
    }[row.rule]
    return str(number), mode_text(row.mode), rule, ", ".join(map(mode_text, row.done))


def _gap_row(row: Gap | Behind) -> tuple[str, ...]:
    if isinstance(row, Behind):
        many = _quotient(row.bound, row.reach, "rounded up")
        if not row.enough:
            many = f"{text(row.least)} in all: {_quotient(row.least, row.inside, 'rounded up')}"
        return f"the bound {text(row.bound)}", profile_text(row.reach), many, f"{text(row.copies)}:{text(row.reach)}"
    if row.stride >= row.reach:
        many = _quotient(row.stride, row.reach, f"{text(row.stride % row.reach)} left over")
    else:
        above = f"{text(row.stride)} is {'' if row.fits else 'not '}above {text(row.span)}"
        many = f"none, {above}, the largest sum so far"
    mode = f"{text(row.copies)}:{text(row.reach)}" if row.fits else ""
    return f"{row.number}: {text(row.size)}:{text(row.stride)}", profile_text(row.reach), many, mode


def _quotient(a: int, b: int, rest: str) -> str:
    return f"{text(a)}/{text(b)}, {rest}" if a % b else f"{text(a)}/{text(b)}"


def _inverting(step: Inverting, rows: Sequence[Continued]) -> Iterator[Block]:
    both = f"The left inverse of {step.left} is the right inverse of it together with its complement: of {step.layout}."
    alone = f"The right inverse of {step.layout}: its modes by stride, as far as one continues the other."
    yield alone if step.left is None else both
    cells = [
        (f"{row.number}: {mode_text(row.mode)}", profile_text(row.reached), "yes" if row.fits else "no",
         mode_text((row.mode[0], row.place)) if row.fits else "passed over")
        for row in rows
    ]  # fmt: skip
    yield Grid(("mode", "reached before", "stride is that", "a mode"), tuple(cells))


def _left_inverse(told: Sequence[Any], layout: Any, answer: Any) -> Iterator[Block]:
    """Whether a search had to look for a left inverse, and how the one that was found brings values back."""
    if any(isinstance(step, PlaceValues) and not step.inverts for step in told):
        search = "A search over the places at which values can be cut into digits"
        if isinstance(answer, Layout):
            yield f"{search} finds one that does."
        elif isinstance(answer, Undecided):
            yield f"{search} ends before all are tried."
        else:
            yield "No way to cut values into digits does it."
    if isinstance(answer, Layout) and isinstance(layout, Layout):
        digits, modes = [], answer.flat()
        for n, ((size, stride), place) in enumerate(zip(modes, compact(flatten(answer.shape)), strict=True)):
            digit = "v" if place == 1 else f"floor(v/{text(place)})"
            digits.append((digit if n == len(modes) - 1 else f"{digit} mod {text(size)}", text(stride)))
        yield Grid(("digit", "times"), tuple(digits), f"K = {answer} cuts a value v into digits.")
        size = layout.size()  # shown: the first indices, those at which modes begin, the last
        chosen = sorted({x for x in (0, 1, 2, *compact(flatten(layout.shape))[:6], size - 1) if x < size})
        rows = [(text(x), text(layout(x)), text(answer(layout(x)))) for x in chosen]
        yield Grid(("i", "L(i)", "K(L(i))"), tuple(rows), f"It takes the values of L = {layout} back:")
