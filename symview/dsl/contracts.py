"""The contract of each operation of CuTe's algebra on layouts of numbers: where a given result breaks it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from symview import cute
from symview.cute import ComposedLayout, CoordinateLayout, Layout, LayoutError, NoAnswer, NoComposition, Swizzle
from symview.cute.algebra import hier_unzip
from symview.cute.arranging import with_tiles
from symview.cute.int_tuple import Coordinate, IntTuple, leaves, product_of, profile_text
from symview.cute.values import same_values
from symview.errors import NotSupported, Undecided
from symview.logic.budget import DEFAULT

WALKED = 1 << 12  # indices at which values that are coordinates are compared
LISTED = 1 << 20  # values of a layout that are enumerated
BUDGET = DEFAULT.at_most(1 << 18)
DIVISIONS = ("logical", "zipped", "tiled", "flat")
PRODUCTS = (*DIVISIONS, "blocked", "raked")


@dataclass(frozen=True, slots=True)
class Fault:
    """The place where a result breaks the contract of its operation: its value at a coordinate, and the right one.

    `right` is a layout that satisfies the contract; None if there is none, and `why` says so. `grave`: the result is
    wrong; otherwise it is acceptable, but worth a warning.
    """

    coordinate: Coordinate | None
    got: Any
    expected: Any
    right: Any
    why: str = ""
    grave: bool = True

    def __str__(self) -> str:
        if self.coordinate is None:
            return self.why
        at = f"at coordinate {profile_text(self.coordinate)} it has {profile_text(self.got)}"
        return f"{at}, where {profile_text(self.expected)} is right{self.why and f' ({self.why})'}"


def fault(name: str, args: tuple[Any, ...], result: Any) -> Fault | None:
    """The fault of a result of the named operation, on layouts of numbers; None if it is right.

    Layouts are compared as functions of their coordinates, so any form of a right layout is right. Raises Undecided if
    a budget ends, LayoutError if symview does not support the call.

    >>> print(fault("composition", (Layout((4, 4), (4, 1)), Layout(4, 3)), Layout((2, 2), (12, 1))))
    at coordinate (0,1) it has 1, where 9 is right (at coordinate 3 its value is 6; a layout would have 21. Mode 0 \
of B, 4:3, has to be split into the sizes (2,2), which make mode 0 of A, 4:4, overflow there)
    >>> fault("composition", (Layout((6, 2), (8, 2)), Layout((4, 3), (3, 1))), Layout(((2, 2), 3), ((24, 2), 8)))
    """
    right: Any
    if name.endswith("_product") and isinstance(args[0], CoordinateLayout):
        raise NotSupported(f"{name}: copies of a layout of coordinates; CuTe's come after the coordinates, ours among")
    result = _without_front(result)
    try:
        right, why = answer(name, args), None
    except NoAnswer as error:
        right, why = None, error
    if right is not None and differs(name, result, right) is None:
        return None
    if name in PROMISES:
        found = PROMISES[name](args, result, right)
    elif right is None and isinstance(why, NoComposition):
        return Fault(None, None, None, None, reason(why))
    else:
        found = differs(name, result, _need(right))
    if found is None or why is None:
        return found
    if found.right is not None or not found.grave:
        return found
    return replace(found, why=f"{found.why}; {reason(why)}" if found.why else reason(why))


def projected(layout: Any, tiler: Any, coord: Any, proj: Any = None) -> tuple[Any, Any, Any]:
    """The arguments of `local_tile` without the modes that are projected out; a coordinate may have further entries."""
    if proj is None:
        return layout, tiler, coord
    if isinstance(coord, tuple) and isinstance(proj, tuple):
        kept = cute.dice(coord=proj, x=coord[: len(proj)])
        return layout, cute.dice(coord=proj, x=tiler), (*kept, *coord[len(proj) :])
    return layout, cute.dice(coord=proj, x=tiler), cute.dice(coord=proj, x=coord)


def _extended(name: str, layout: Any, elem: Any = None, rank: int | None = None) -> Any:
    """The layout with more modes; unchanged if it has that many."""
    if rank is not None and rank <= len(layout):
        return layout
    return getattr(cute, name)(layout, Layout(1, 0) if elem is None else elem, rank)


def _without_front(layout: Any) -> Any:
    """The layout without a swizzle that moves no bits."""
    idle = isinstance(layout, ComposedLayout) and isinstance(layout.layoutB, Swizzle) and layout.layoutB.bits == 0
    return layout.layoutA if idle and layout.offset == 0 else layout


def reason(error: Exception) -> str:
    """The reason why there is no answer; for a composition without the names of the arguments."""
    found = getattr(error, "found", None)
    return str(error) if found is None else found.reason.why()


def answer(name: str, args: tuple[Any, ...]) -> Any:
    """Symview's answer; raises NoAnswer if there is none."""
    if name == "composition" and isinstance(args[1], tuple):  # as in C++, modes without a tile are dropped
        return cute.composition(with_tiles(args[0], args[1]), args[1], BUDGET)
    if name == "slice_" and args[1] is None:
        return args[0]
    if name in ("append", "prepend"):
        return _extended(name, *args)
    if name == "slice_":
        return cute.slice_and_offset(args[1], args[0])[0]
    if name == "local_tile":
        return cute.local_tile(*projected(*args))[0]
    if name == "left_inverse":
        args = (*args, BUDGET)
    more = {"none": "cute"} if name in (*_BY_PARTS, *_OPEN_ENDED) else {}
    return getattr(cute, name)(*args, **more)


# Two layouts as functions of their coordinates


def differs(name: str, result: Any, right: Any) -> Fault | None:
    """The first place where the result differs from the right layout as a function of coordinates; None if equal."""
    shapes = apart(name, result.shape, right.shape)
    if shapes:
        return Fault(None, result.shape, right.shape, right, f"its shape is {profile_text(result.shape)}: {shapes}")
    return first_difference(result, right, right)


_BY_INDEX = (  # only indices count: the contract leaves open how they are split into modes
    "coalesce", "filter", "complement", "right_inverse", "left_inverse", "max_common_layout", "nullspace",
)  # fmt: skip
_BY_PARTS = ("zipped_divide", "zipped_product")  # the sizes of the modes of tile and rest count as well
_OPEN_ENDED = ("tiled_divide", "flat_divide", "tiled_product", "flat_product")  # the rest has as many modes as it needs


def apart(name: str, shape: IntTuple, other: IntTuple, depth: int = 1) -> str:
    """How the sizes differ that the contract fixes; empty if they agree."""
    a, b = (x if isinstance(x, tuple) else (x,) for x in (shape, other))
    if product_of(shape) != product_of(other):
        return f"{product_of(shape)} elements, not {product_of(other)}"
    if name in _BY_INDEX or (len(a) != len(b) and name in _OPEN_ENDED):
        return ""
    if len(a) != len(b):
        return f"{len(a)} modes, not {len(b)}"
    for n, (x, y) in enumerate(zip(a, b, strict=True)):
        if product_of(x) != product_of(y):
            return f"mode {n} has the size {product_of(x)}, not {product_of(y)}"
        inner = isinstance(x, tuple) and isinstance(y, tuple) and len(x) == len(y)
        if inner and depth and name in _BY_PARTS and (found := apart(name, x, y, depth - 1)):
            return f"in mode {n}, {found}"
    return ""


def first_difference(result: Any, function: Any, right: Any = None) -> Fault | None:
    """The first index, first mode fastest, at which two layouts of one size have different values."""
    if result.shape == () or function.shape == ():  # nothing is free
        return None
    if isinstance(result, CoordinateLayout) or isinstance(function, CoordinateLayout):
        return _walked(result, function, right)
    found = cute.same_function(result, function, BUDGET)
    return None if found else Fault(at_index(result, found.index[0]), found.got, found.expected, right)


def _walked(result: Any, function: Any, right: Any) -> Fault | None:
    if _moving(result) == _moving(function):
        return None
    for x in range(min(result.size(), WALKED)):
        if result(x) != function(x):
            return Fault(at_index(result, x), result(x), function(x), right)
    if result.size() > WALKED:
        raise Undecided("the layouts of coordinates are too large to walk")
    return None


def _moving(layout: Any) -> list[Any]:
    """The modes of size 2 or more."""
    return [m for m in zip(leaves(layout.shape), leaves(layout.stride), strict=True) if m[0] != 1]


def at_index(layout: Any, x: int) -> Coordinate:
    """The coordinate of an index; the index itself if it is beyond the size."""
    return Layout(layout.shape).coordinate(x) if x < layout.size() else x


# Contracts that more than one layout satisfies


def composes(args: tuple[Any, ...], result: Any, right: Any) -> Fault | None:
    """R(c) = A(B(c)) for all coordinates c of B."""
    outer, inner = args
    if isinstance(inner, int):
        inner = Layout(inner)
    if not cute.is_layout(inner) or isinstance(outer, CoordinateLayout) or isinstance(inner, CoordinateLayout):
        return differs("composition", result, _need(right))
    if not cute.compatible(inner.shape, result.shape):
        why = f"its shape {profile_text(result.shape)} is not a refinement of B's, {profile_text(inner.shape)}"
        return Fault(None, result.shape, inner.shape, right, why)
    return first_difference(result, ComposedLayout(outer, 0, inner), right)


def _need(right: Any) -> Any:
    if right is None:
        raise NotSupported("symview has no answer to compare with")
    return right


def complements(args: tuple[Any, ...], result: Any, right: Any) -> Fault | None:
    """The contract: values increase and reach the bound, and sums of a value and one of the layout are distinct."""
    layout, bound = args[0], args[1] if len(args) > 1 else 1
    bound = bound.size() if isinstance(bound, Layout) else product_of(bound)
    reach = 0
    for size, stride in sorted(result.flat(), key=lambda mode: mode[1]):
        if size > 1 and stride <= reach:
            return Fault(None, None, None, right, f"its values do not increase at the mode {size}:{stride}")
        reach += (size - 1) * stride
    both = cute.make_layout(cute.filter(layout), result)
    twice = collision(both)
    if twice is not None:
        (a, b), value = twice
        shown = [profile_text(cute.idx2crd(x, both.shape)) for x in (a, b)]
        why = f"the coordinates {shown[0]} and {shown[1]} of (layout, complement) both have the sum {value}"
        return Fault(None, None, None, right, why)
    end = max((n * d for n, d in both.flat()), default=1)  # where one more copy would start
    if end < bound:
        return Fault(None, None, None, right, f"layout and complement end at {end}, below {bound}")
    if right is not None and _is_full(layout, right) and not _is_full(layout, result):
        return Fault(None, None, None, right, "layout and complement leave numbers out that a complement has")
    return None


def _is_full(layout: Any, rest: Any) -> bool:
    """Whether the sums, which are distinct, are all numbers up to the last one."""
    both = cute.make_layout(cute.filter(layout), rest)
    return bool(both.cosize() == both.size())


def collision(layout: Layout) -> tuple[tuple[int, int], int] | None:
    """Two indices with the same value, and that value; None if all values are distinct."""
    pair = same_values(layout, BUDGET.started())
    return None if pair is None else (pair, layout(pair[0]))


def inverts_right(args: tuple[Any, ...], result: Any, right: Any) -> Fault | None:
    """A(R(i)) = i for all i below R's size."""
    return _takes_to(args[0], result, right, "A(R(i)) is i")


def common(args: tuple[Any, ...], result: Any, right: Any) -> Fault | None:
    """a(R(i)) = b(R(i)) = i for all i below R's size."""
    return _takes_to(args[0], result, right, "a(R(i)) is i") or _takes_to(args[1], result, right, "b(R(i)) is i")


def _takes_to(layout: Any, result: Any, right: Any, what: str) -> Fault | None:
    found = cute.same_function(ComposedLayout(layout, 0, result), Layout(result.size()), BUDGET)
    if found:
        return None
    why = f"{what} is promised, and at {found.index[0]} it is {found.got}"
    return Fault(None, result, right, right, why)


def inverts_left(args: tuple[Any, ...], result: Any, right: Any) -> Fault | None:
    """A(K(A(i))) = A(i) for all indices i of A."""
    layout = args[0]
    found = cute.same_function(ComposedLayout(layout, 0, ComposedLayout(result, 0, layout)), layout, BUDGET)
    if found:
        return None
    (index,), value, back = found.index, found.expected, found.got
    why = f"A(K({value})) = {value} is promised, since A({index}) = {value}; K({value}) is {result(value)}"
    return Fault(None, result, right, right, f"{why}, and A has {back} there")


def annihilates(args: tuple[Any, ...], result: Any, right: Any) -> Fault | None:
    """The contract: A(R(i)) = 0 for all i, and R has as many indices as the right layout."""
    if right is not None and result.size() != right.size():
        return differs("nullspace", result, right)
    zero = Layout(result.size(), 0)
    found = cute.same_function(ComposedLayout(args[0], 0, result), zero, BUDGET)
    why = "the values there are to be 0"
    return None if found else Fault(at_index(result, found.index[0]), found.got, 0, right, why)


def slices(args: tuple[Any, ...], result: Any, right: Any) -> Fault | None:
    """The contract: the free modes, with their values, or with these minus the first one."""
    found = differs("slice_", result, _need(right))
    if found is None or not isinstance(args[0], ComposedLayout):
        return found
    kept = args[0](args[1])  # after a swizzle, offset included
    if differs("slice_", result, kept) is None:
        return None
    if result.size() > WALKED:
        raise Undecided("the slice is too large to walk")
    start = kept(0)
    for x in range(result.size()):
        if result(x) != kept(x) - start:
            what = "counted from the slice's first value"
            return Fault(at_index(result, x), result(x), kept(x) - start, right, what)
    return None


def divides(how: str, args: tuple[Any, ...], result: Any, right: Any) -> Fault | None:
    """The contract: A ∘ (B, C) for CuTe's complement C of B up to A's size, arranged; gaps between copies may stay.

    If B does not divide a mode of A, the DSL makes the mode longer: that is a warning, not a wrong layout.
    """
    found = _either(f"{how}_divide", result, right, partial(arranged, how, divided, *args))
    if found is None or not _is_padded(how, args, result):
        return found
    beyond = f"{result.size()} elements for {args[0].size()}: the tile does not divide, and some are beyond the layout"
    return Fault(None, None, None, right, beyond, grave=False)


def multiplies(how: str, args: tuple[Any, ...], result: Any, right: Any) -> Fault | None:
    """The contract: (A, C ∘ B) for CuTe's complement C of A, arranged; copies are disjoint if A and B are injective."""
    found = _either(f"{how}_product", result, right, partial(arranged, how, multiplied, *args))
    return found or _overlapping(args, result, right)


def _either(name: str, result: Any, right: Any, other: Callable[[], Any]) -> Fault | None:
    """The fault if the result is neither the right layout nor the other one that satisfies the contract."""
    try:
        also = other()
    except LayoutError as error:
        if right is None and isinstance(error, NoAnswer):
            return Fault(None, None, None, None, f"it is not what the definition gives; {reason(error)}")
        return differs(name, result, _need(right))
    return None if differs(name, result, also) is None else differs(name, result, also if right is None else right)


def _is_padded(how: str, args: tuple[Any, ...], result: Any) -> bool:
    """Whether the result has every value of A, the right tile, and more elements than A."""
    layout, tiler = args
    if result.size() <= layout.size() or isinstance(layout, CoordinateLayout):
        return False
    if result.size() > LISTED:
        raise Undecided("too many elements to see whether the tile merely does not divide")
    if how in ("zipped", "tiled") or not isinstance(tiler, tuple):
        try:
            tile = answer("composition", (layout, tiler))
        except LayoutError:
            return False
        if how != "flat" and first_difference(result[0], tile) is not None:
            return False
    return set(_values(layout)) <= set(_values(result))


def _values(layout: Any) -> list[int]:
    """All values, by index, of a layout of numbers or a composed one."""
    if isinstance(layout, ComposedLayout):
        return [layout.layoutB(layout.offset + v) for v in _values(layout.layoutA)]
    found = [0]
    for n, d in layout.flat():
        found = [v + x * d for x in range(n) for v in found]
    return found


def _overlapping(args: tuple[Any, ...], result: Any, right: Any) -> Fault | None:
    given = [cute.filter(Layout(x) if isinstance(x, int) else x) for x in args if isinstance(x, Layout | int)]
    if len(given) < len(args) or not isinstance(result, Layout) or any(collision(x) for x in given):
        return None
    twice = collision(cute.filter(result))
    if twice is None:
        return None
    at = [profile_text(cute.idx2crd(x, cute.filter(result).shape)) for x in twice[0]]
    return Fault(None, None, None, right, f"copies meet: {at[0]} and {at[1]} both have the value {twice[1]}")


def divided(layout: Layout, tile: Layout) -> Any:
    """A ∘ (B, C), where C is CuTe's complement, which may leave gaps."""
    return cute.composition(layout, cute.make_layout(tile, cute.complement(tile, layout.size())), BUDGET)


def multiplied(layout: Layout, tile: Layout) -> Any:
    """(A, C ∘ B), where C is CuTe's complement up to the size of A times the cosize of B."""
    rest = cute.complement(layout, layout.size() * tile.cosize())
    return cute.make_layout(layout, cute.composition(rest, tile, BUDGET))


def by_mode(split: Callable[..., Any], layout: Layout, tiler: Any) -> Any:
    """The layout split by a tile, or each mode by its tile in a tuple; a mode without a tile is unchanged."""
    if isinstance(tiler, tuple):
        parts = list(layout.modes())
        found = [by_mode(split, part, tile) for part, tile in zip(parts, tiler, strict=False)]
        return cute.make_layout(found + parts[len(tiler) :])
    return layout if tiler is None else split(layout, Layout(tiler) if isinstance(tiler, int) else tiler)


def arranged(how: str, split: Callable[..., Any], layout: Any, tiler: Any) -> Any:
    """Tiles and rest in this arrangement."""
    split = partial(by_mode, split)
    if how == "logical":
        return split(layout, tiler)
    if how in ("blocked", "raked"):
        rank = max(len(layout), len(tiler))
        parts = split(*(cute.append(x, Layout(1, 0), up_to_rank=rank) for x in (layout, tiler)))
        pairs = zip(parts[0].modes(), parts[1].modes(), strict=True)
        return cute.make_layout(
            [cute.make_layout(b, a) if how == "raked" else cute.make_layout(a, b) for a, b in pairs]
        )
    first, rest = hier_unzip(split, layout, tiler, none="cute").modes()
    if how == "zipped":
        return cute.make_layout(first, rest)
    return cute.make_layout([*([first] if how == "tiled" else first.modes()), *rest.modes()])


PROMISES: dict[str, Callable[..., Fault | None]] = {
    "composition": composes, "complement": complements, "right_inverse": inverts_right, "left_inverse": inverts_left,
    "max_common_layout": common, "nullspace": annihilates, "slice_": slices,
    **{f"{how}_divide": partial(divides, how) for how in DIVISIONS},
    **{f"{how}_product": partial(multiplies, how) for how in PRODUCTS},
}  # fmt: skip
