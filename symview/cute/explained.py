"""`explain`: the steps of one operation, or of one that is made of others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from inspect import signature
from typing import Any

from symview.cute import construction, rearranging, tiling
from symview.cute.errors import LayoutError, NoAnswer
from symview.cute.explanation import EXPLAINED, Explanation, conclusion, mode_text, steps
from symview.cute.int_tuple import flatten, leaves, profile_text
from symview.cute.layout import Layout, is_layout, need_layout
from symview.cute.linear.conversions import to_linear
from symview.cute.linear.telling import told_bases
from symview.cute.shape_arithmetic import coordinate_at, index_steps, product_of
from symview.cute.text import arguments
from symview.errors import Undecided
from symview.logic.budget import Budget
from symview.show.grid import Block, Grid


class Telling:
    """The blocks so far of an operation that is made of others."""

    def __init__(self, budget: Budget | None) -> None:
        self.blocks: list[Block] = []
        self.budget = budget

    def say(self, *blocks: Block) -> None:
        """Adds paragraphs or tables."""
        self.blocks += blocks

    def modes(self, layout: Layout, header: tuple[str, ...], cells: Iterable[tuple[str, ...]]) -> None:
        """Adds a table of the flat modes of a layout, with these columns more."""
        told = enumerate(zip(layout.flat(), cells, strict=True))
        rows = [(str(n), mode_text(mode), *more) for n, (mode, more) in told]
        self.say(Grid(("mode", "size:stride", *header), tuple(rows)))

    def does(self, name: str, *args: Any) -> Any:
        """The answer of another operation, whose steps are told here; where there is none, its NoAnswer is raised."""
        part = steps(name, args, self.budget)
        self.blocks += part.blocks[:-1]
        if isinstance(part.answer, NoAnswer | Undecided):
            raise part.answer
        if not part.answer:
            raise NoAnswer(str(part.answer))
        self.say(f"That is {part.answer}.")
        return part.answer


def explain(operation_or_name: Any, *args: Any, budget: Budget | None = None) -> Explanation:
    """The steps of an operation on layouts: of the algebra, of inverses, and of what is made of them.

    The operation is given by name or as the function, and its arguments in order, as text or not. Where there is no
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
    >>> print(explain("recast_layout", 16, 8, Layout((4, 3), (1, 4))))
    Elements of 16 bits in place of 8: 2 become one.
    <BLANKLINE>
    mode  size:stride  elements that lie together  becomes
    0     4:1          2                           2:1
    1     3:4          1                           3:2
    <BLANKLINE>
    The answer is (2,3):(1,2).
    """
    given = operation_or_name
    name = given if isinstance(given, str) else getattr(given, "__name__", repr(given))
    name = _OTHER_NAMES.get(name, name)
    if name in _MADE or name in EXPLAINED:
        args, _ = arguments(_MADE[name][1] if name in _MADE else EXPLAINED[name], args, {})
    if name not in _MADE:
        if name not in EXPLAINED:
            raise LayoutError(f"explain: {name!r} is not one of {', '.join([*EXPLAINED, *_MADE])}")
        return steps(name, args, budget)
    tell, function = _MADE[name]
    try:
        signature(function).bind(*args)
    except TypeError as error:
        wanted = ", ".join(signature(function).parameters)
        raise LayoutError(f"explain: {name} is of ({wanted}), given {len(args)}: {error}") from None
    telling = Telling(budget)
    answer: Any
    try:
        answer = function(*args)
    except (NoAnswer, Undecided) as error:
        answer = getattr(error, "found", error)
    if any(is_layout(x) and not isinstance(x, Layout) for x in args):
        telling.say("What stands in front of a layout goes through each step; these are told of layouts alone.")
    else:
        with suppress(NoAnswer, Undecided):  # where the operation fails, so does a part of it
            tell(telling, *args)
    return Explanation(answer, (*telling.blocks, conclusion(answer)))


_OTHER_NAMES = {
    "compose": "composition", "divide": "logical_divide", "product": "logical_product",
    "try_composition": "composition", "flatten_modes": "flatten",
}  # fmt: skip


# Operations made of others


def _tile_to_shape(tell: Telling, atom: Layout, trg_shape: Any, order: Any = None) -> None:
    target = construction.product_each(trg_shape.shape if isinstance(trg_shape, Layout) else trg_shape)
    block = rearranging.append(atom, up_to_rank=len(target))
    sizes = construction.product_each(block.shape)
    many = construction.ceil_div(target, sizes)
    copies = construction.make_ordered_layout(many, tuple(range(len(many))) if order is None else order)
    tell.say(
        f"{block} has the sizes {profile_text(sizes)}, so that {profile_text(target)} takes {profile_text(many)} of it."
    )
    tell.say(f"The copies, in their order, are {copies}.")
    tell.does("blocked_product", block, copies)


def _local_tile(tell: Telling, layout: Layout, tiler: Any, coord: Any, proj: Any = None) -> None:
    if proj is not None:
        tiler, coord = rearranging.dice(coord=proj, x=tiler), rearranging.dice(coord=proj, x=coord)
        tell.say(f"Kept of the tiler and the coordinate: {_tiler(tiler)} and {profile_text(coord)}.")
    divided = tell.does("zipped_divide", layout, tiler)
    tell.say(
        f"Mode 0, the tile {divided[0]}, stays; of the tiles, {divided[1]}, that at {profile_text(coord)} is taken."
    )


def _local_partition(tell: Telling, layout: Layout, tile: Layout, index: int, proj: Any = None) -> None:
    kept = tile if proj is None else rearranging.dice(proj, tile)
    at = coordinate_at(index, kept.shape, kept.stride)
    tell.say(f"{tile} has the index {index} at the coordinate {profile_text(at)}.")
    divided = tell.does("zipped_divide", layout, construction.product_each(kept.shape))
    tell.say(f"Of the tile, {divided[0]}, that coordinate is taken; mode 1, the tiles {divided[1]}, stays.")


def _make_layout_tv(tell: Telling, thr_layout: Layout, val_layout: Layout) -> None:
    tell.say(f"The values {val_layout} of each thread are raked over the threads {thr_layout}.")
    both = tell.does("raked_product", thr_layout, val_layout)
    tell.say("It takes a place of the tile to thread and value; what takes these to the place is its inverse.")
    inverse = tell.does("right_inverse", both)
    tell.does("composition", inverse, Layout((thr_layout.size(), val_layout.size())))


def _max_common_layout(tell: Telling, a: Layout, b: Layout) -> None:
    tell.say(f"The inverse of {b} lists its elements as they lie; {a} of these is to be 0, 1, 2 and so on, too.")
    inverse = tell.does("right_inverse", b)
    try:
        common = tell.does("composition", a, inverse)
    except NoAnswer:
        tell.say("With all of the inverse there is none: what counts is how far the front of it composes.")
        return
    first = next(iter(tell.does("coalesce", common).flat()), (1, 0))
    same = first[1] == 1
    tell.say(f"Its first mode {mode_text(first)} goes up by 1: so far both agree." if same else
             f"Its first mode {mode_text(first)} does not go up by 1: only the first element is the same.")  # fmt: skip


def _filter(tell: Telling, layout: Layout, profile: Any = None) -> None:
    if profile is not None and isinstance(profile, tuple):
        tell.say(f"Mode by mode: {', '.join(map(str, layout.modes()))}.")
    tell.modes(layout, ("",), [(_left_out(size, d),) for size, d in layout.flat()])
    if profile is None:
        tell.does("coalesce", rearranging.filter_zeros(layout))


def _left_out(size: Any, stride: Any) -> str:
    if type(stride) is int and stride == 0:
        return "repeats values, left out"
    return "of size 1, left out" if type(size) is int and size == 1 else "stays"


def _nullspace(tell: Telling, layout: Layout) -> None:
    tell.say(
        f"Along which modes does {layout} stand still? A step along a mode is as many indices as the sizes before it."
    )
    cells = []
    for (size, d), step in zip(layout.flat(), index_steps(flatten(layout.shape)), strict=True):
        still = type(d) is int and d == 0
        mode = mode_text((size, 0 if size == 1 else step)) if still else ""
        cells.append((profile_text(step), "yes" if still else "no", mode))
    tell.modes(layout, ("step", "stands still", "a mode"), cells)


def _upcast(tell: Telling, layout: Layout, n: int) -> None:
    together = [str(n // abs(d) if d and n % abs(d) == 0 and abs(d) < n else 1) for _, d in layout.flat()]
    becomes = map(mode_text, tiling.upcast(layout, n).flat())
    tell.modes(layout, ("elements that lie together", "becomes"), zip(together, becomes, strict=True))


def _downcast(tell: Telling, layout: Layout, n: int) -> None:
    found = tiling.downcast(layout, n).flat()
    longer = [more != size for (size, _), (more, _) in zip(layout.flat(), found, strict=True)]
    cells = [("each element becomes several" if more else "the stride grows", mode_text(mode))
             for more, mode in zip(longer, found, strict=True)]  # fmt: skip
    tell.modes(layout, ("", "becomes"), cells)


def _recast(tell: Telling, new_bits: int, old_bits: int, layout: Layout) -> None:
    joined, cut = tiling.widths(new_bits, old_bits)
    if joined == cut:
        tell.say("The widths are the same.")
    if joined > 1:
        tell.say(f"Elements of {old_bits * joined} bits in place of {old_bits}: {joined} become one.")
        _upcast(tell, layout, joined)
        layout = tiling.upcast(layout, joined)
    if cut > 1:
        tell.say(f"Elements of {old_bits * joined // cut} bits in place of {old_bits * joined}: one becomes {cut}.")
        _downcast(tell, layout, cut)


def _make_ordered_layout(tell: Telling, shape: Any, order: Any) -> None:
    found = construction.make_ordered_layout(shape, order)
    if not isinstance(order, tuple):
        return
    tell.say("Each mode begins at the product of the sizes of those that are before it in the order.")
    parts = [found[n] for n in range(len(order))]
    ranked = [(profile_text(o), part) for o, part in zip(order, parts, strict=True)]
    rows = [(str(n), profile_text(part.shape), o, profile_text(part.stride)) for n, (o, part) in enumerate(ranked)]
    tell.say(Grid(("mode", "size", "order", "stride"), tuple(rows)))


def _make_layout_like(tell: Telling, layout: Layout) -> None:
    tell.say(f"The modes of {layout} in the order of their strides, without gaps; modes of stride 0 keep it.")
    strides = leaves(construction.make_layout_like(layout).stride)
    tell.modes(layout, ("new stride",), [(profile_text(d),) for d in strides])


def _to_linear(tell: Telling, x: Any, names: Any = None, size: Any = None) -> None:
    tell.say(*told_bases(x, names, size))


def _ceil_div(tell: Telling, a: Any, b: Any) -> None:
    if isinstance(b, Layout):
        tell.say("How many tiles there are is the shape of the complement.")
        tell.does("complement", b, product_of(a))
        return
    tell.say(f"Each size of {profile_text(a)} over that of {profile_text(b)}, rounded up.")


def _flatten(tell: Telling, x: Any) -> None:
    tell.say(f"The modes from left to right, however nested: {_listed(need_layout(x, 'flatten'))}.")


def _sort(tell: Telling, layout: Layout) -> None:
    tell.say(f"The modes {_listed(layout)}, by stride and then by size; the function changes.")


def _listed(layout: Layout) -> str:
    return ", ".join(map(mode_text, layout.flat()))


def _tiler(tiler: Any) -> str:
    return f"<{','.join(map(_tiler, tiler))}>" if isinstance(tiler, tuple) else str(tiler)


_MADE: dict[str, tuple[Callable[..., None], Callable[..., Any]]] = {
    "tile_to_shape": (_tile_to_shape, tiling.tile_to_shape),
    "local_tile": (_local_tile, tiling.local_tile),
    "local_partition": (_local_partition, tiling.local_partition),
    "make_layout_tv": (_make_layout_tv, tiling.make_layout_tv),
    "max_common_layout": (_max_common_layout, tiling.max_common_layout),
    "max_common_vector": (_max_common_layout, tiling.max_common_vector),
    "nullspace": (_nullspace, tiling.nullspace),
    "filter": (_filter, rearranging.filter),
    "upcast": (_upcast, tiling.upcast),
    "downcast": (_downcast, tiling.downcast),
    "recast_layout": (_recast, tiling.recast_layout),
    "make_ordered_layout": (_make_ordered_layout, construction.make_ordered_layout),
    "make_layout_like": (_make_layout_like, construction.make_layout_like),
    "ceil_div": (_ceil_div, construction.ceil_div),
    "to_linear": (_to_linear, to_linear),
    "flatten": (_flatten, rearranging.flatten_modes),
    "sort": (_sort, rearranging.sort),
}  # fmt: skip
