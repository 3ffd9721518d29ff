"""How an operation comes to its answer, step by step, in words and tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from itertools import pairwise
from typing import Any

from symview.cute.complements import (
    Gap,
    collision,
    complement,
    copies,
    first_misfit,
    gaps,
    has_complement,
    sorted_modes,
)
from symview.cute.compose import composition
from symview.cute.composition_failure import NoLayout
from symview.cute.composition_steps import Steps, by_mode_steps, composition_steps
from symview.cute.divide import as_layout, logical_divide
from symview.cute.errors import LayoutError, NoAnswer
from symview.cute.int_tuple import is_int, profile_text
from symview.cute.inverse import left_inverse, place_values, right_inverse
from symview.cute.layout import Layout, make_layout
from symview.cute.modes import coalesce, equal
from symview.cute.products import logical_product
from symview.cute.swizzle import same_values
from symview.errors import Undecided
from symview.show.grid import Block, Grid, joined

_WALKED = 1 << 12


@dataclass(frozen=True, slots=True)
class Explanation:
    """The steps as paragraphs and tables, and the answer; `str()` lays them out."""

    answer: Any
    blocks: tuple[Block, ...]

    def __str__(self) -> str:
        return joined(self.blocks)


def explain(operation: Any, *args: Any) -> Explanation:
    """The steps of composition, coalesce, complement, right_inverse, left_inverse, logical_divide or logical_product.

    The operation is given by name or as the function, and its arguments in order. Where there is no
    answer, or none within the budget, the steps end where it fails, and `answer` is the NoLayout, the
    NoAnswer or the Undecided. Any other error of the operation is raised here as well. Where symbols
    make no difference to a composition, a division or a product, the answer stands without a table.

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
    All parts of B together: does a sum overflow where the parts do not?
    place  boundary       off by  the most that the parts add up to below it  overflows
    6      mode 0 into 1  -46     3                                           never
    <BLANKLINE>
    The answer is (2,2):(24,2).
    """
    name = operation if isinstance(operation, str) else getattr(operation, "__name__", repr(operation))
    name = {"compose": "composition", "divide": "logical_divide", "product": "logical_product"}.get(name, name)
    if name not in _EXPLAINED:
        raise LayoutError(f"explain: {name!r} is not one of {', '.join(_EXPLAINED)}")
    run, steps = _EXPLAINED[name]
    _need_arguments(name, run, args)
    answer = _outcome(run, args)
    return Explanation(answer, (*_until_it_fails(steps(answer, *args)), _last_word(answer)))


def _need_arguments(name: str, run: Callable[..., Any], args: tuple[Any, ...]) -> None:
    try:
        signature(run).bind(*args)
    except TypeError as error:
        wanted = ", ".join(signature(run).parameters)
        raise LayoutError(f"explain: {name} is of ({wanted}), given {len(args)}: {error}") from None


def _outcome(run: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    try:
        return run(*args)
    except (NoAnswer, Undecided) as error:
        return getattr(error, "found", error)


def _until_it_fails(steps: Steps) -> Steps:
    try:
        yield from steps
    except (NoAnswer, Undecided):
        return


def _last_word(answer: Any) -> str:
    if isinstance(answer, NoLayout | NoAnswer):
        return f"There is no answer: {answer}."
    if isinstance(answer, Undecided):
        return f"The answer is left undecided: {answer.reason}."
    return f"The answer is {answer}."


def _composition(_: Any, *args: Any) -> Steps:
    return composition_steps(*args)


# Coalescing


def _coalesce(_: Any, layout: Layout, profile: Any = None) -> Steps:
    return _coalesced(layout, profile)


def _coalesced(layout: Layout, profile: Any) -> Steps:
    if isinstance(profile, tuple):
        yield f"Each mode that the profile {profile_text(profile)} names, by itself."
        whole = tuple([1 if part is None else part for part in profile])
        yield from by_mode_steps(_coalesced, layout, whole)
        return
    rows = []
    done: list[tuple[Any, Any]] = []
    for n, (size, stride) in enumerate(layout.flat()):
        rule = _rule(done, size, stride)
        so_far = ", ".join(_mode_text(*mode) for mode in done)
        rows.append((str(n), _mode_text(size, stride), rule, so_far))
    yield f"Coalescing {layout}, from left to right."
    yield Grid(("mode", "", "rule", "so far"), tuple(rows))


def _rule(done: list[tuple[Any, Any]], size: Any, stride: Any) -> str:
    """The rule by which the mode joins those that are done."""
    if size == 1:
        return "rules 1 and 2: a mode of size 1 is left out"
    if not done:
        done.append((size, stride))
        return "the first mode"
    (n, d), shown = done[-1], profile_text(stride)
    product = f"{profile_text(n)}·{profile_text(d)}"
    if equal(n * d, stride):
        done[-1] = (n * size, d)
        return f"rule 3: {shown} = {product}, so the two are one mode"
    done.append((size, stride))
    return f"rule 4: {shown} is not {product}, so it stays"


def _mode_text(size: Any, stride: Any) -> str:
    return f"{profile_text(size)}:{profile_text(stride)}"


# Complements, and what is made of them


def _complement(_: Any, layout: Any, max_idx: int = 1) -> Steps:
    layout = Layout(layout) if is_int(layout) else layout
    yield f"The complement of {layout} up to {max_idx}: its modes by stride, and the gap before each."
    yield _gaps_grid(layout, max_idx)


def _gaps_grid(layout: Layout, bound: int, exact: bool = False, least: int = 1) -> Grid:
    """The gaps as `copies` fills them, up to the first that it cannot."""
    rows, reach, inside, problem = [], 1, 1, ""
    for gap in gaps(layout, exact):
        problem = gap.problem
        mode = "" if problem else f"{gap.copies}:{gap.reach}"
        rows.append((f"{gap.mode}: {gap.size}:{gap.stride}", str(gap.reach), _gap_text(gap), mode))
        reach, inside = gap.size * gap.stride, inside * gap.copies
    if not problem:
        rows.append((f"the bound {bound}", str(reach), *_behind(bound, reach, inside, least)))
    return Grid(("mode", "reached before", "copies in the gap", "a mode"), tuple(rows))


def _gap_text(gap: Gap) -> str:
    if gap.stride >= gap.reach:
        return _quotient(gap.stride, gap.reach, f"{gap.stride % gap.reach} left over")
    sums = f"{gap.span}, the largest sum so far"
    return f"none, {gap.stride} is not above {sums}" if gap.problem else f"none, {gap.stride} is above {sums}"


def _behind(bound: int, reach: int, inside: int, least: int) -> tuple[str, str]:
    """How many copies stand behind the last mode, and as a mode."""
    last, needed = -(-bound // reach), -(-least // inside)
    if needed <= last:
        return _quotient(bound, reach, "rounded up"), f"{last}:{reach}"
    return f"{least} in all: {_quotient(least, inside, 'rounded up')}", f"{needed}:{reach}"


def _quotient(a: int, b: int, rest: str) -> str:
    return f"{a}/{b}, {rest}" if a % b else f"{a}/{b}"


def _divide(_: Any, layout: Layout, tile: Any) -> Steps:
    return _divided(layout, tile)


def _divided(layout: Layout, tile: Any) -> Steps:
    if tile is None:
        yield f"Without a tile, {layout} stays."
    elif isinstance(tile, tuple):
        yield from by_mode_steps(_divided, layout, tile)
    else:
        tile = as_layout(tile, "logical_divide")
        yield f"{layout} / {tile} = A ∘ (B, C), C the complement of B up to size(A) = {_size(layout)}, no gap left."
        if _without_symbols(layout, tile):
            yield _gaps_grid(tile, layout.size(), exact=True)
            rest = copies(tile, layout.size(), exact=True)
            yield f"C = {rest}."
            yield from composition_steps(layout, make_layout(tile, rest))
        else:
            yield "The same layout for all values of the symbols; by cases, ask logical_divide_conditions."


def _product(_: Any, layout: Layout, other: Any) -> Steps:
    return _multiplied(layout, other)


def _multiplied(layout: Layout, other: Any) -> Steps:
    if other is None:
        yield f"Without a layout of copies, {layout} stays."
    elif isinstance(other, tuple):
        yield from by_mode_steps(_multiplied, layout, other)
    else:
        other = as_layout(other, "logical_product")
        yield f"{layout} × {other} = (A, C ∘ B), C the complement of A up to size(A)·cosize(B), with cosize(B) copies."
        if _without_symbols(layout, other):
            many = other.cosize()
            bound = layout.size() * many
            yield f"cosize(B) = {many}, size(A)·cosize(B) = {bound}."
            yield _gaps_grid(layout, bound, least=many)
            places = copies(layout, bound, least=many)
            yield f"C = {places}."
            yield from composition_steps(places, other)
        else:
            yield "The same layout for all values of the symbols; by cases, ask logical_product_conditions."


def _without_symbols(*layouts: Layout) -> bool:
    return all(a.numeric for a in layouts)


def _size(layout: Layout) -> str:
    return profile_text(layout.size())


# Inverses


def _right_inverse(_: Any, layout: Any) -> Steps:
    if layout is None:
        yield "Without a layout there is nothing to invert."
        return
    layout = Layout(layout) if is_int(layout) else layout
    yield f"The right inverse of {layout}: its modes by stride, as far as one continues the other."
    yield _continuing(layout)


def _continuing(layout: Layout) -> Grid:
    """The modes that a right inverse takes."""
    places = _places(layout)
    rows, reached = [], 1
    for number, (size, stride) in sorted_modes(layout):
        fits = stride == reached
        note = f"{size}:{places[number]}" if fits else "passed over"
        rows.append((f"{number}: {size}:{stride}", str(reached), "yes" if fits else "no", note))
        reached = reached * size if fits else reached
    return Grid(("mode", "reached before", "stride is that", "a mode"), tuple(rows))


def _places(layout: Layout) -> list[int]:
    places, place = [], 1
    for n, _ in layout.flat():
        places.append(place)
        place *= n
    return places


def _left_inverse(answer: Any, layout: Any, budget: Any = None) -> Steps:
    if layout is None:
        yield "Without a layout there is nothing to invert."
        return
    layout = Layout(layout) if is_int(layout) else layout
    if _repeats(layout):
        yield f"{layout} takes two coordinates to one value, and no layout takes that back to both."
        return
    if any(n > 1 and d < 0 for n, d in layout.flat()):
        yield f"{layout} has values below 0, where no layout can be asked."
        return
    if has_complement(layout):
        both = make_layout(layout, complement(layout))
        yield f"The left inverse of {layout} is the right inverse of it together with its complement: of {both}."
        yield _continuing(both)
    else:
        yield f"The right inverse of {layout} together with a complement does not do: {first_misfit(layout)}."
        yield from _other_ways(answer, layout)
    if isinstance(answer, Layout):
        yield _digits_grid(answer)
        yield _returns(answer, layout)


def _repeats(layout: Layout) -> bool:
    """Whether two coordinates with one value are found."""
    return collision(layout) is not None or (layout.size() <= _WALKED and same_values(layout) is not None)


def _other_ways(answer: Any, layout: Layout) -> Steps:
    """Strides as place values, or a search."""
    candidate = place_values(layout)
    if candidate == answer:
        strides = [d for _, (_, d) in sorted_modes(coalesce(layout))]
        rounded = any(high % low for low, high in pairwise(strides))
        names = "Its strides, rounded down to multiples of each other," if rounded else "Its strides"
        yield f"{names} serve as place values: from one to the next, values are cut into a digit each."
        return
    yield f"With its strides as place values it would be {candidate}{_failure(candidate, layout)}."
    if isinstance(answer, Layout):
        yield "A search over the places at which values can be cut into digits finds one that does."
    elif isinstance(answer, Undecided):
        yield "A search over the places at which values can be cut into digits ends before all are tried."
    else:
        yield "No way to cut values into digits does it."


def _failure(inverse: Layout, layout: Layout) -> str:
    """Where the candidate fails, as far as one may look for it."""
    for x in range(min(layout.size(), _WALKED)):
        value = layout(x)
        if inverse(value) != x:
            return f", which takes {value} = L({x}) to {inverse(value)}, not to {x}"
    return ", which does not invert it"


def _digits_grid(inverse: Layout) -> Grid:
    rows, place, modes = [], 1, inverse.flat()
    for n, (size, stride) in enumerate(modes):
        digit = "v" if place == 1 else f"floor(v/{place})"
        rows.append((digit if n == len(modes) - 1 else f"{digit} mod {size}", str(stride)))
        place *= size
    return Grid(("digit", "times"), tuple(rows), f"K = {inverse} cuts a value v into digits.")


def _returns(inverse: Layout, layout: Layout) -> Grid:
    """That some indices come back: the first, those at which modes begin, the last."""
    size = layout.size()
    chosen = sorted({x for x in (0, 1, 2, *_places(layout)[:6], size - 1) if x < size})
    rows = [(str(x), str(layout(x)), str(inverse(layout(x)))) for x in chosen]
    return Grid(("i", "L(i)", "K(L(i))"), tuple(rows), f"It takes the values of L = {layout} back:")


_EXPLAINED: dict[str, tuple[Callable[..., Any], Callable[..., Steps]]] = {
    "composition": (composition, _composition),
    "coalesce": (coalesce, _coalesce),
    "complement": (complement, _complement),
    "right_inverse": (right_inverse, _right_inverse),
    "left_inverse": (left_inverse, _left_inverse),
    "logical_divide": (logical_divide, _divide),
    "logical_product": (logical_product, _product),
}
