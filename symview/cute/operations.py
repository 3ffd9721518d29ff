"""pycute's operations on two layouts, and inverses: exact on numbers, and on symbols that do not affect the answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from symview.cute import inverse
from symview.cute.algebra import operation
from symview.cute.comparer import Numbers, running
from symview.cute.composition_failure import NoComposition
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import Call, also_named, as_tuples, has_none
from symview.cute.layout import Layout, is_layout
from symview.cute.pycute_modules import replaces_pycute
from symview.cute.swizzle import ComposedLayout
from symview.cute.walk import OnMode, by_mode, composed, divided, multiplied, walked
from symview.logic.budget import DEFAULT, Budget

_TILERS = (tuple, int, Layout)


def for_all_values(name: str, args: tuple[Any, ...], budget: Budget | None) -> Layout:
    """The answer of an operation if it is the same for all values of the symbols; otherwise raises SymbolError."""
    from symview.cute.named.queries import always, answered  # loads the algebra of names

    return always(answered(name, args, budget=budget))


class Anything(Numbers):
    """Compares numbers, and symbols if they do not affect the answer; otherwise raises SymbolError."""

    def apply(self, name: str, operation: Callable[..., Layout], layout: Layout, tile: Layout) -> Layout:
        """Applies the operation of that name to two layouts."""
        if layout.numeric and tile.numeric:
            return operation(self, layout, tile)
        if self.tell:
            self.tell("same for all", name, layout, tile)
        return for_all_values(name, (layout, tile), self.budget)


def _of_symbols_too(function: Call) -> Call:
    """Extends a function of numeric layouts to symbols: its answer for all values, or SymbolError."""

    @wraps(function)
    def called(layout: Any, budget: Budget | None = None) -> Any:
        if layout.__class__ is Layout and not layout._numeric:
            return for_all_values(function.__name__, (layout,), budget)
        return function(layout, budget)

    return cast(Call, called)


right_inverse = also_named(input="layout")(_of_symbols_too(inverse.right_inverse))
left_inverse = also_named(input="layout")(_of_symbols_too(inverse.left_inverse))


@also_named(lhs="layoutA", rhs="layoutB")
def composition(layoutA: Any, layoutB: Any, budget: Budget | None = None) -> Any:  # noqa: N803
    """A ∘ B: the layout of B's shape, each mode split if necessary, with (A ∘ B)(x) = A(B(x)) for all x.

    Exact: it returns such a layout whenever one exists, coalesced within each mode of B (CuTe's representative);
    otherwise NoComposition says where it breaks. Indices beyond A's size extend its last mode.

    B may be a size, None for no change, or a tuple of these to compose mode by mode; modes of A without an entry stay,
    as in pycute, unless A's values are coordinates: then they are dropped, as in CuTe. If B's values are coordinates,
    each mode of A takes the entries along it. With C++'s three arguments, a swizzle, an offset and a layout, it returns
    their ComposedLayout.

    Raises LayoutError if B leaves the domain of A's extension, SymbolError if the answer depends on symbols (see
    composition_conditions), Undecided if the budget ends.

    Source: Definitions 2.12–2.18 of "CuTe Layout Algebra" (L. Mao), whose conditions are sufficient, not necessary.

    >>> print(composition(Layout((6, 2), (8, 2)), Layout((4, 3), (3, 1))))
    ((2,2),3):((24,2),8)
    >>> print(composition(Layout((4, 4), (4, 1)), Layout(4, 5)))
    4:5
    >>> composition(Layout((6, 2), (1, 7)), Layout((3, 2), (2, 3)))
    Traceback (most recent call last):
    ...
    symview.cute.composition_failure.NoComposition: (6,2):(1,7) ∘ (3,2):(2,3) is not a layout. At coordinate \
(2,1) its value is 8; a layout would have 7. Mode 1 of B, 2:3, makes mode 0 of A, 6:1, overflow there
    """
    if layoutA.__class__ is Layout and layoutB.__class__ is Layout and layoutA._numeric and layoutB._numeric:
        return walked(layoutA, layoutB, DEFAULT if budget is None else running(budget))
    if is_layout(budget):
        return ComposedLayout(layoutA, layoutB, budget)
    short = by_mode(composed, layoutA, layoutB) if _are_plain(layoutA, layoutB, budget) else None
    return short or _at_values("composition", layoutA, layoutB, budget)


def try_composition(layoutA: Any, layoutB: Any, budget: Budget | None = None) -> Any:  # noqa: N803
    """`composition`, except that it returns the falsy counterexample if no layout exists, instead of raising.

    >>> bool(try_composition(Layout((3, 3), (0, 1)), Layout(4, 2)))
    False
    """
    try:
        return composition(layoutA, layoutB, budget)
    except NoComposition as error:
        return error.found


def _at_values(name: str, layout: Any, tiler: Any, budget: Budget | None, none: str = "cute") -> Any:
    return operation(name, none)(Anything(running(budget)), layout, as_tuples(tiler))


def _are_plain(layout: Any, tiler: Any, budget: Budget | None) -> bool:
    """Whether the layout is numeric, and no budget asks for the general code."""
    return budget is None and layout.__class__ is Layout and layout._numeric and tiler.__class__ in _TILERS


def _arranged(
    on_mode: OnMode, how: str, kind: str, layout: Any, tiler: Any, budget: Budget | None, none: str | None = "cute"
) -> Layout:
    """The division or product in that arrangement, by the fast path if it applies."""
    if none is None:
        none = "pycute" if replaces_pycute() else "cute"
    if none not in ("cute", "pycute"):
        raise LayoutError(f'{how}_{kind}: none={none!r}: give "cute" or "pycute", whose reading of None you want')
    plain = _are_plain(layout, tiler, budget) and not (none == "pycute" and has_none(tiler))
    found = by_mode(on_mode, layout, tiler, how) if plain else None
    return found or _at_values(f"{how}_{kind}", layout, tiler, budget, none)


@also_named(target="layoutA", tiler="layoutB")
def logical_divide(layoutA: Any, layoutB: Any, budget: Budget | None = None) -> Layout:  # noqa: N803
    """A ∘ (B, complement(B, size(A))): the tile B of A as first mode, the rest as second (Definition 2.22).

    B may be a size, None for no change, or a tuple of these to divide mode by mode. The result has the values of A, in
    the order that (B, complement) gives. Every gap of B has to be filled, as in Definition 2.5: raises NoAnswer if a
    gap cannot be filled, or if B's modes overlap or interleave; NoComposition if A does not compose with the two.

    >>> print(logical_divide(Layout((4, 2, 3), (2, 1, 8)), Layout(4, 2)))
    ((2,2),(2,3)):((4,1),(2,8))
    >>> print(logical_divide(Layout(12), 4), logical_divide(Layout((9, 4)), (3, None)))
    (4,3):(1,4) ((3,3),4):((1,3),9)
    """
    return _arranged(divided, "logical", "divide", layoutA, layoutB, budget)


@also_named(target="layoutA", tiler="layoutB")
def zipped_divide(
    layoutA: Any, layoutB: Any, budget: Budget | None = None, none: str | None = None  # noqa: N803
) -> Layout:  # fmt: skip
    """Divides mode by mode; the result is ((tiles…), (rests…)).

    Where the tiler has None, CuTe takes the two modes of the mode as its tile and its rest, so that `(None, tile)`
    divides what is already divided; LayoutError if they are not two. pycute's tile there is 1:0, and its rest the whole
    mode: `none="pycute"` asks for that, which is the default while `sys.modules["pycute"]` is symview.cute.

    Source: `zipped_divide` and `tile_unzip` of CuTe's `layout.hpp`.

    >>> print(zipped_divide(Layout((4, 6)), (2, 3)))
    ((2,3),(2,2)):((1,4),(2,12))
    >>> print(zipped_divide(Layout(((8, 2), (3, 4))), (None, (3, 2))))
    ((8,(3,2)),(2,(1,2))):((1,(16,48)),(8,(0,96)))
    >>> print(zipped_divide(Layout((8, 6)), (None, 3), none="pycute"))
    ((1,3),(8,2)):((0,8),(1,24))
    """
    return _arranged(divided, "zipped", "divide", layoutA, layoutB, budget, none)


@also_named(target="layoutA", tiler="layoutB")
def tiled_divide(
    layoutA: Any, layoutB: Any, budget: Budget | None = None, none: str | None = None  # noqa: N803
) -> Layout:  # fmt: skip
    """Divides mode by mode; the result is ((tiles…), rest, rest, …); None as for `zipped_divide`.

    >>> print(tiled_divide(Layout((4, 6)), (2, 3)))
    ((2,3),2,2):((1,4),2,12)
    """
    return _arranged(divided, "tiled", "divide", layoutA, layoutB, budget, none)


@also_named(target="layoutA", tiler="layoutB")
def flat_divide(
    layoutA: Any, layoutB: Any, budget: Budget | None = None, none: str | None = None  # noqa: N803
) -> Layout:  # fmt: skip
    """Divides mode by mode; the result is (tile, tile, …, rest, rest, …); None as for `zipped_divide`.

    >>> print(flat_divide(Layout((4, 6)), (2, 3)))
    (2,3,2,2):(1,4,2,12)
    """
    return _arranged(divided, "flat", "divide", layoutA, layoutB, budget, none)


@also_named(block="layoutA", tiler="layoutB")
def logical_product(layoutA: Any, layoutB: Any, budget: Budget | None = None) -> Layout:  # noqa: N803
    """(A, C ∘ B), C the complement of A up to size(A)·cosize(B): A, and the places of its copies (Definition 4.1).

    C has CuTe's form (see `complement`). If A has gaps that C does not fill, further copies are appended, so that C has
    cosize(B) of them. B may be a size, None for no change, or a tuple of these to multiply mode by mode. The copies
    never overlap if B's values are distinct.

    Raises NoAnswer if A's own modes overlap, or interleave so that CuTe's form has no place for copies beside the
    first; NoComposition if C does not compose with B.

    >>> print(logical_product(Layout((2, 2), (4, 1)), Layout(6)))
    ((2,2),(2,3)):((4,1),(2,8))
    >>> print(logical_product(Layout(4), 3))
    (4,3):(1,4)
    """
    return _arranged(multiplied, "logical", "product", layoutA, layoutB, budget)


@also_named(block="layoutA", tiler="layoutB")
def zipped_product(
    layoutA: Any, layoutB: Any, budget: Budget | None = None, none: str | None = None  # noqa: N803
) -> Layout:  # fmt: skip
    """Multiplies mode by mode; the result is ((blocks…), (copies…)); None as for `zipped_divide`.

    >>> print(zipped_product(Layout((2, 3), (1, 2)), (2, 4)))
    ((2,3),(2,(2,2))):((1,2),(2,(1,6)))
    """
    return _arranged(multiplied, "zipped", "product", layoutA, layoutB, budget, none)


@also_named(block="layoutA", tiler="layoutB")
def tiled_product(
    layoutA: Any, layoutB: Any, budget: Budget | None = None, none: str | None = None  # noqa: N803
) -> Layout:  # fmt: skip
    """Multiplies mode by mode; the result is ((blocks…), copies, …); None as for `zipped_divide`."""
    return _arranged(multiplied, "tiled", "product", layoutA, layoutB, budget, none)


@also_named(block="layoutA", tiler="layoutB")
def flat_product(
    layoutA: Any, layoutB: Any, budget: Budget | None = None, none: str | None = None  # noqa: N803
) -> Layout:  # fmt: skip
    """Multiplies mode by mode; the result is (block, …, copies, …); None as for `zipped_divide`."""
    return _arranged(multiplied, "flat", "product", layoutA, layoutB, budget, none)


def blocked_product(block: Any, tiler: Any, budget: Budget | None = None) -> Layout:
    """The product of the whole block; mode n of block and tiler become one mode, the block first.

    >>> print(blocked_product(Layout((2, 5), (5, 1)), Layout((3, 4))))
    ((2,3),(5,4)):((5,10),(1,30))
    """
    return _at_values("blocked_product", block, tiler, budget)  # type: ignore[no-any-return]


def raked_product(block: Any, tiler: Any, budget: Budget | None = None) -> Layout:
    """The product of the whole block; mode n of block and tiler become one mode, the tiler first.

    >>> print(raked_product(Layout((2, 5), (5, 1)), Layout((3, 4))))
    ((3,2),(4,5)):((10,5),(30,1))
    """
    return _at_values("raked_product", block, tiler, budget)  # type: ignore[no-any-return]
