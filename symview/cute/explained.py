"""Explains how an operation reaches its answer: the steps of its algorithm."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from inspect import signature
from itertools import pairwise
from typing import Any

from symview.counterexample import Counterexample
from symview.cute import operations
from symview.cute.algebra import ARRANGEMENTS, operation
from symview.cute.comparer import Gap, running
from symview.cute.complements import complement, undivided
from symview.cute.composition_failure import boundaries, path_of, path_text
from symview.cute.errors import LayoutError, NoAnswer
from symview.cute.int_tuple import compact, flatten, profile_text
from symview.cute.inverse import left_inverse, right_inverse, strict_left_inverse
from symview.cute.layout import Layout
from symview.cute.modes import coalesce_layout, moving_modes
from symview.cute.operations import Anything
from symview.cute.swizzled.coalescing import coalesce
from symview.cute.text import arguments
from symview.displayed import Displayed
from symview.displayed import number_text as text
from symview.engine.overflow import pattern
from symview.errors import InternalError, Undecided
from symview.logic.budget import Budget
from symview.show.grid import Block, Grid, joined

Recorded = tuple[Any, ...]  # the name of a step and its data, as the algorithms report it
MAX_VALUES = 1 << 12


@dataclass(frozen=True, slots=True)
class Explanation(Displayed):
    """The steps as paragraphs and tables, and the answer; `str()` formats them."""

    answer: Any
    blocks: tuple[Block, ...]

    def __str__(self) -> str:
        return joined(self.blocks)


EXPLAINED: dict[str, Callable[..., Any]] = {
    "composition": operations.composition, "coalesce": coalesce, "complement": complement,
    "right_inverse": right_inverse, "left_inverse": left_inverse, "strict_left_inverse": strict_left_inverse,
    **{f"{how}_{kind}": getattr(operations, f"{how}_{kind}") for kind, ways in ARRANGEMENTS.items() for how in ways},
}  # fmt: skip


def _bound(name: str, function: Callable[..., Any], args: tuple[Any, ...]) -> dict[str, Any]:
    """The arguments by name; raises LayoutError if they do not fit the function."""
    taken = signature(function)
    try:
        return taken.bind(*args).arguments
    except TypeError as error:
        wanted = ", ".join(taken.parameters)
        raise LayoutError(f"explain: {name} is of ({wanted}), given {len(args)}: {error}") from None


def _conclusion(answer: Any) -> str:
    """The sentence that states the answer."""
    if isinstance(answer, Counterexample | NoAnswer):
        return f"There is no answer: {answer}."
    if isinstance(answer, Undecided):
        return f"The answer is left undecided: {answer.reason}."
    return f"The answer is {answer}."


def _covered(recorded: Sequence[Recorded]) -> Iterator[Block]:
    """States which numbers are a value of the layout plus one of its complement."""
    open_at = next((step[1] for step in recorded if step[0] == "gap" and not step[1].filled), None)
    inner = [step for step in recorded if step[0] == "after"]
    if open_at is not None:
        first = text(open_at.copies * open_at.reach)
        yield f"Not every number is a value of it plus one of the complement: {first} is the first that is not."
    elif inner:
        _, _, reach, _, _, copies, _ = inner[-1]
        end = text(copies * reach)
        yield f"Each number below {end} is a value of it plus one of the complement, in one way."


_ROWS = ("joined", "gap", "after", "continued", "straight")


def _blocks(recorded: Sequence[Recorded], answer: Any) -> Iterator[Block]:
    """Formats the steps in order, each with the rows of its table."""
    heads = [at for at, step in enumerate(recorded) if step[0] not in _ROWS]
    outer = inner = Layout(1)
    for at, end in pairwise([*heads, len(recorded)]):
        step, rows = recorded[at], [row[1:] for row in recorded[at + 1 : end]]
        match step:
            case ("walk", outer, inner):
                yield f"{outer} ∘ {inner}: where A takes the values of B."
                yield _modes_grid(outer)
            case ("along", mode):
                yield _along(outer, inner, mode, rows)
            case ("together", parts):
                refused = end == len(recorded) and isinstance(answer, Counterexample | NoAnswer | Undecided)
                yield from _together(outer, parts, "yes" if refused else "yes, but the sums cancel")
            case ("coalescing", layout):
                yield f"Coalescing {layout}, from left to right."
                yield Grid(("mode", "", "rule", "so far"), tuple(_rule(n, *row) for n, row in enumerate(rows)))
            case ("filling", layout, bound):
                yield f"The complement of {layout} up to {text(bound)}: its modes by stride, and the gap before each."
                yield Grid(
                    ("mode", "reached before", "copies in the gap", "a mode"), tuple(_gap_row(*row) for row in rows)
                )
            case ("inverting", layout, left):
                yield from _inverting(layout, left, rows)
            case _:
                yield _sentence(step)


def _sentence(step: Recorded) -> str:
    match step:
        case ("by mode", parts):
            return f"Mode by mode: {', '.join(map(str, parts)) or 'there is none'}."
        case ("stays", layout, number):
            return f"{layout} stays." if number is None else f"Mode {number}, {layout}, stays."
        case ("in front", (swizzle,), inner):
            return f"{swizzle} swizzles each value of {inner}."
        case ("in front", (front, offset), inner):
            return f"{front} and the offset {offset} stay; the operation applies to {inner}."
        case ("same for all", name, layout, tile):
            ask = f"by cases, ask {name}_conditions"
            return f"{name} of {layout} and {tile}: the same layout for all values of the symbols; {ask}."
        case ("dividing", layout, tile):
            up_to = f"up to size(A) = {profile_text(layout.size())}"
            return f"{layout} / {tile} = A ∘ (B, C), C the complement of B {up_to}, no gap left."
        case ("multiplying", layout, tile, _) if not moving_modes(tile):
            return f"{layout} × {tile} = (A, 0): all values of B are 0, so that A stands once, wherever it reaches."
        case ("multiplying", layout, tile, many):
            bound = f"size(A)·cosize(B) = {text(layout.size() * many)}, with cosize(B) = {text(many)} copies"
            return f"{layout} × {tile} = (A, C ∘ B), C the complement of A up to {bound}."
        case ("complement", complement):
            return f"C = {complement}."
        case ("not filled", layout, gap):
            return f"There is no right inverse of {layout} together with a complement: {undivided(layout, gap)}."
        case ("place values", layout, candidate, True):
            strides = [d for _, (_, d) in moving_modes(coalesce_layout(layout))]
            rounded = any(high % low for low, high in pairwise(strides))
            names = "Its strides, rounded down to multiples of each other," if rounded else "Its strides"
            return f"{names} serve as place values: from one to the next, values are cut into a digit each."
        case ("place values", layout, candidate, False):
            would, values = f"With its strides as place values it would be {candidate}", map(layout, range(MAX_VALUES))
            for x, value in zip(range(layout.size()), values, strict=False):
                if candidate(value) != x:
                    back = text(candidate(value))
                    return f"{would}, which takes {text(value)} = L({x}) to {back}, not to {x}."
            return f"{would}, which does not invert it."
    raise InternalError(f"{step!r} is not a recorded step")


# Composition: A's modes, B's walks along A, and whether sums overflow


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
    return Grid(header, tuple(rows), "A, mode by mode; the last one extends beyond its size.")


def _along(outer: Layout, inner: Layout, number: int, rows: Sequence[Any]) -> Block:
    """Explains one mode of B."""
    size, step = inner.flat()[number]
    name = f"Mode {_name(inner, number)} of B, {text(size)}:{text(step)}"
    if size == 1:
        return f"{name}, has a single coordinate and gives a mode of size 1."
    if step == 0:
        return f"{name}, repeats one value and gives {text(size)}:0."
    title = f"{name}: in steps of {text(step)}, A moves on a straight line until an overflow bends it."
    cells = [(text(row[0]), text(outer(row[0])), *_end(outer, *row)) for row in rows]
    return Grid(("step", "A(step)", "straight for", "because"), tuple(cells), title)


def _end(outer: Layout, step: int, reach: int, left: int) -> tuple[str, str]:
    """How far the straight line goes, and why it ends there."""
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
    """Size and stride in a layout's notation."""
    return ":".join(map(profile_text, mode))


def _product_text(factors: Sequence[Any]) -> str:
    return "·".join(map(profile_text, factors))


def _rule(number: int, mode: Any, rule: str, before: Any, done: Sequence[Any]) -> tuple[str, ...]:
    """A row: the rule for this mode, and the modes so far."""
    stride, product = profile_text(mode[1]), _product_text(before or ())
    said = {
        "first": "the first mode",
        "size 1": "rules 1 and 2: a mode of size 1 is left out",
        "continues": f"rule 3: {stride} = {product}, so the two are one mode",
        "stays": f"rule 4: {stride} is not {product}, so it stays",
    }[rule]
    return str(number), mode_text(mode), said, ", ".join(map(mode_text, done))


def _gap_row(row: Any, *more: Any) -> tuple[str, ...]:
    """A row: the gap before a mode, or the copies after the last one, up to the bound or in that number."""
    if not isinstance(row, Gap):
        bound, (reach, inside, least, copies, enough) = row, more
        many = _quotient(bound, reach, "rounded up")
        if not enough:
            many = f"{text(least)} in all: {_quotient(least, inside, 'rounded up')}"
        return f"the bound {text(bound)}", profile_text(reach), many, f"{text(copies)}:{text(reach)}"
    if row.stride >= row.reach:
        many = _quotient(row.stride, row.reach, f"{text(row.stride % row.reach)} left over")
    else:
        above = f"{text(row.stride)} is {'' if row.fits else 'not '}above {text(row.span)}"
        many = f"none, {above}, the largest sum so far"
    mode = f"{text(row.copies)}:{text(row.reach)}" if row.fits else ""
    return f"{row.number}: {text(row.size)}:{text(row.stride)}", profile_text(row.reach), many, mode


def _quotient(a: int, b: int, rest: str) -> str:
    return f"{text(a)}/{text(b)}, {rest}" if a % b else f"{text(a)}/{text(b)}"


def _inverting(layout: Layout, left: Layout | None, rows: Sequence[Any]) -> Iterator[Block]:
    both = f"The left inverse of {left} is the right inverse of it together with its complement: of {layout}."
    alone = f"The right inverse of {layout}: its modes by stride, as far as one continues the other."
    yield alone if left is None else both
    cells = [
        (f"{number}: {mode_text(mode)}", profile_text(reached), "yes" if fits else "no",
         mode_text((mode[0], place)) if fits else "passed over")
        for number, mode, reached, place, fits in rows
    ]  # fmt: skip
    yield Grid(("mode", "reached before", "stride is that", "a mode"), tuple(cells))


def _left_inverse(recorded: Sequence[Recorded], layout: Any, answer: Any) -> Iterator[Block]:
    """Whether a search was necessary to find the left inverse, and how the inverse maps values to indices."""
    if any(step[0] == "place values" and not step[-1] for step in recorded):
        search = "A search over the places at which values can be cut into digits"
        if isinstance(answer, Layout):
            yield f"{search} finds an inverse."
        elif isinstance(answer, Undecided):
            yield f"{search} ends before all are tried."
        else:
            yield "No way to cut values into digits gives an inverse."
    if isinstance(answer, Layout) and isinstance(layout, Layout):
        digits, modes = [], answer.flat()
        for n, ((size, stride), place) in enumerate(zip(modes, compact(flatten(answer.shape)), strict=True)):
            digit = "v" if place == 1 else f"floor(v/{text(place)})"
            digits.append((digit if n == len(modes) - 1 else f"{digit} mod {text(size)}", text(stride)))
        yield Grid(("digit", "times"), tuple(digits), f"K = {answer} cuts a value v into digits.")
        size = layout.size()  # shows the first indices, the starts of modes, and the last index
        chosen = sorted({x for x in (0, 1, 2, *compact(flatten(layout.shape))[:6], size - 1) if x < size})
        rows = [(text(x), text(layout(x)), text(answer(layout(x)))) for x in chosen]
        yield Grid(("i", "L(i)", "K(L(i))"), tuple(rows), f"It takes the values of L = {layout} back:")


def explain(operation_or_name: Any, *args: Any, budget: Budget | None = None) -> Explanation:
    """Explains an operation on layouts step by step: composition, coalesce, complement, inverses, divisions, products.

    Takes the operation by name or as a function, and its arguments in order, as text or not. If there is no answer, or
    none within the budget, the steps end where it fails, and `answer` is the Counterexample, the NoAnswer or the
    Undecided. Other errors of the operation are raised. If symbols do not affect a composition, a division or a
    product, the explanation has no table for it.

    >>> print(explain("composition", Layout((6, 2), (8, 2)), Layout(4, 3)))
    (6,2):(8,2) ∘ 4:3: where A takes the values of B.
    <BLANKLINE>
    A, mode by mode; the last one extends beyond its size.
    mode  size  stride  place value  contiguous with the mode before
    0     6     8       1
    1     2     2       6            no: 2 is not 6·8 = 48, off by -46
    <BLANKLINE>
    Mode 0 of B, 4:3: in steps of 3, A moves on a straight line until an overflow bends it.
    step  A(step)  straight for  because
    3     24       2             at 2·3 = 6 mode 0 of A overflows: 2, not 48
    6     2        all 2 left
    <BLANKLINE>
    All parts of B together: does a sum overflow where the parts do not?
    place  boundary       off by  the most that the parts add up to below it  overflows
    6      mode 0 into 1  -46     3                                           never
    <BLANKLINE>
    The answer is (2,2):(24,2).
    """
    what = operation_or_name
    name = what if isinstance(what, str) else getattr(what, "__name__", repr(what))
    name = _OTHER_NAMES.get(name, name)
    if name not in EXPLAINED:
        raise LayoutError(f"explain: {name!r} is not one of {', '.join(EXPLAINED)}")
    args, _ = arguments(EXPLAINED[name], args, {})
    given = _bound(name, EXPLAINED[name], args)
    budget = running(given.pop("budget", None) if budget is None else budget)
    recorded: list[Recorded] = []
    try:
        answer = operation(name)(Anything(budget, lambda *step: recorded.append(step)), *given.values())
    except (NoAnswer, Undecided) as error:
        answer = getattr(error, "found", error)
    more = _left_inverse(recorded, args[0], answer) if name.endswith("left_inverse") else ()
    if name == "complement" and isinstance(answer, Layout):
        more = _covered(recorded)
    return Explanation(answer, (*_blocks(recorded, answer), *more, _conclusion(answer)))


_OTHER_NAMES = {
    "compose": "composition", "divide": "logical_divide", "product": "logical_product",
    "try_composition": "composition",
}  # fmt: skip
