"""The operations of pycute on two layouts, and inverses: exact on numbers, and on symbols that make no difference."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from symview.cute import inverse
from symview.cute.algebra import operation
from symview.cute.comparer import Numbers, running
from symview.cute.composition_failure import NoComposition
from symview.cute.int_tuple import Call, also_named, as_tuples
from symview.cute.layout import Layout, is_layout
from symview.cute.swizzle import ComposedLayout
from symview.cute.walk import OnMode, answered, composed, divided, multiplied, walked
from symview.logic.budget import DEFAULT, Budget

_TILERS = (tuple, int, Layout)


def for_all_values(name: str, args: tuple[Any, ...], budget: Budget | None) -> Layout:
    """The answer of an operation where it is one for all values of the symbols; else SymbolError."""
    from symview.cute.symbols.queries import always, answered

    return always(answered(name, args, budget=budget))


class Anything(Numbers):
    """The comparer of numbers, and of symbols where they make no difference to two layouts; else SymbolError."""

    def apply(self, name: str, operation: Callable[..., Layout], layout: Layout, tile: Layout) -> Layout:
        """The operation of that name on two layouts."""
        if layout.numeric and tile.numeric:
            return operation(self, layout, tile)
        if self.tell:
            self.tell("same for all", name, layout, tile)
        return for_all_values(name, (layout, tile), self.budget)


def _of_symbols_too(function: Call) -> Call:
    """The function of a layout of numbers; of one with symbols, what it gives for all their values, or SymbolError."""

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
    """A ∘ B: the layout of B's shape, each mode perhaps split, with (A ∘ B)(x) = A(B(x)) for all x.

    Exact: where such a layout exists it is returned, coalesced within each mode of B (CuTe's
    representative); otherwise NoComposition says where it breaks. Beyond A's last mode A extends.
    B may be a size, None for no change, or a tuple of these to compose mode by mode.
    Where B's values are coordinates, each mode of A takes those along it. C++'s three arguments, a swizzle,
    an offset and a layout, give the ComposedLayout of these.
    Raises LayoutError where B leaves the domain of A's extension, SymbolError where the answer
    depends on symbols (see composition_conditions), Undecided where the budget ends.
    Source: Definitions 2.12–2.18 of "CuTe Layout Algebra" (L. Mao), whose conditions are
    sufficient, not necessary.

    >>> print(composition(Layout((6, 2), (8, 2)), Layout((4, 3), (3, 1))))
    ((2,2),3):((24,2),8)
    >>> print(composition(Layout((4, 4), (4, 1)), Layout(4, 5)))
    4:5
    >>> composition(Layout((6, 2), (1, 7)), Layout((3, 2), (2, 3)))
    Traceback (most recent call last):
    ...
    symview.cute.composition_failure.NoComposition: (6,2):(1,7) ∘ (3,2):(2,3) is no layout: mode 1 of B, 2:3, is not \
independent of the modes before it: at coordinate (2,1) the value is 8, not 7, since mode 0 of A, 6:1, overflows there
    """
    if layoutA.__class__ is Layout and layoutB.__class__ is Layout and layoutA._numeric and layoutB._numeric:
        return walked(layoutA, layoutB, DEFAULT if budget is None else running(budget))
    if is_layout(budget):
        return ComposedLayout(layoutA, layoutB, budget)
    short = answered(composed, layoutA, layoutB) if _are_plain(layoutA, layoutB, budget) else None
    return short or _asked("composition", layoutA, layoutB, budget)


def try_composition(layoutA: Any, layoutB: Any, budget: Budget | None = None) -> Any:  # noqa: N803
    """`composition`, but where no layout exists, the falsy NoLayout is returned instead of raised.

    >>> bool(try_composition(Layout((3, 3), (0, 1)), Layout(4, 2)))
    False
    """
    try:
        return composition(layoutA, layoutB, budget)
    except NoComposition as error:
        return error.found


def _asked(name: str, layout: Any, tiler: Any, budget: Budget | None) -> Any:
    return operation(name)(Anything(running(budget)), layout, as_tuples(tiler))


def _are_plain(layout: Any, tiler: Any, budget: Budget | None) -> bool:
    """Whether the layout has numbers alone, and nothing is asked of the way there."""
    return budget is None and layout.__class__ is Layout and layout._numeric and tiler.__class__ in _TILERS


def _arranged(on_mode: OnMode, how: str, kind: str, layout: Any, tiler: Any, budget: Budget | None) -> Layout:
    """The division or product of that arrangement, in the short way where that has an answer."""
    found = answered(on_mode, layout, tiler, how) if _are_plain(layout, tiler, budget) else None
    return found or _asked(f"{how}_{kind}", layout, tiler, budget)


@also_named(target="layoutA", tiler="layoutB")
def logical_divide(layoutA: Any, layoutB: Any, budget: Budget | None = None) -> Layout:  # noqa: N803
    """A ∘ (B, complement(B, size(A))): the tile B of A as first mode, the rest as second (Definition 2.22).

    B may be a size, None for no change, or a tuple of these to divide mode by mode. Whatever is
    returned has the values of A in the order that (B, complement) gives. Every gap of B has to be
    filled, as in Definition 2.5; NoAnswer where nothing fills one, or B's modes overlap or interleave,
    NoComposition where A does not compose with the two.

    >>> print(logical_divide(Layout((4, 2, 3), (2, 1, 8)), Layout(4, 2)))
    ((2,2),(2,3)):((4,1),(2,8))
    >>> print(logical_divide(Layout(12), 4), logical_divide(Layout((9, 4)), (3, None)))
    (4,3):(1,4) ((3,3),4):((1,3),9)
    """
    return _arranged(divided, "logical", "divide", layoutA, layoutB, budget)


@also_named(target="layoutA", tiler="layoutB")
def zipped_divide(layoutA: Any, layoutB: Any, budget: Budget | None = None) -> Layout:  # noqa: N803
    """The division mode by mode, as ((tiles…), (rests…)).

    >>> print(zipped_divide(Layout((4, 6)), (2, 3)))
    ((2,3),(2,2)):((1,4),(2,12))
    """
    return _arranged(divided, "zipped", "divide", layoutA, layoutB, budget)


@also_named(target="layoutA", tiler="layoutB")
def tiled_divide(layoutA: Any, layoutB: Any, budget: Budget | None = None) -> Layout:  # noqa: N803
    """The division mode by mode, as ((tiles…), rest, rest, …).

    >>> print(tiled_divide(Layout((4, 6)), (2, 3)))
    ((2,3),2,2):((1,4),2,12)
    """
    return _arranged(divided, "tiled", "divide", layoutA, layoutB, budget)


@also_named(target="layoutA", tiler="layoutB")
def flat_divide(layoutA: Any, layoutB: Any, budget: Budget | None = None) -> Layout:  # noqa: N803
    """The division mode by mode, as (tile, tile, …, rest, rest, …).

    >>> print(flat_divide(Layout((4, 6)), (2, 3)))
    (2,3,2,2):(1,4,2,12)
    """
    return _arranged(divided, "flat", "divide", layoutA, layoutB, budget)


@also_named(block="layoutA", tiler="layoutB")
def logical_product(layoutA: Any, layoutB: Any, budget: Budget | None = None) -> Layout:  # noqa: N803
    """(A, C ∘ B), C the complement of A up to size(A)·cosize(B): A, and where its copies stand (Definition 4.1).

    C has CuTe's form (see `complement`); where A leaves gaps that it does not fill, more copies
    stand behind, so that C has cosize(B) of them. B may be a size, None for no change, or a tuple
    of these to multiply mode by mode. Where it answers, copies never overlap if B's values differ.
    Raises NoAnswer where A's own modes overlap, or interleave, so that the form has no place for
    copies beside the first, and NoComposition where C does not compose with B.

    >>> print(logical_product(Layout((2, 2), (4, 1)), Layout(6)))
    ((2,2),(2,3)):((4,1),(2,8))
    >>> print(logical_product(Layout(4), 3))
    (4,3):(1,4)
    """
    return _arranged(multiplied, "logical", "product", layoutA, layoutB, budget)


@also_named(block="layoutA", tiler="layoutB")
def zipped_product(layoutA: Any, layoutB: Any, budget: Budget | None = None) -> Layout:  # noqa: N803
    """The product mode by mode, as ((blocks…), (copies…)).

    >>> print(zipped_product(Layout((2, 3), (1, 2)), (2, 4)))
    ((2,3),(2,(2,2))):((1,2),(2,(1,6)))
    """
    return _arranged(multiplied, "zipped", "product", layoutA, layoutB, budget)


@also_named(block="layoutA", tiler="layoutB")
def tiled_product(layoutA: Any, layoutB: Any, budget: Budget | None = None) -> Layout:  # noqa: N803
    """The product mode by mode, as ((blocks…), copies, copies, …)."""
    return _arranged(multiplied, "tiled", "product", layoutA, layoutB, budget)


@also_named(block="layoutA", tiler="layoutB")
def flat_product(layoutA: Any, layoutB: Any, budget: Budget | None = None) -> Layout:  # noqa: N803
    """The product mode by mode, as (block, block, …, copies, copies, …)."""
    return _arranged(multiplied, "flat", "product", layoutA, layoutB, budget)


def blocked_product(block: Any, tiler: Any, budget: Budget | None = None) -> Layout:
    """The product of all of the block, mode n of block and tiler as one mode, the block first.

    >>> print(blocked_product(Layout((2, 5), (5, 1)), Layout((3, 4))))
    ((2,3),(5,4)):((5,10),(1,30))
    """
    return _asked("blocked_product", block, tiler, budget)  # type: ignore[no-any-return]


def raked_product(block: Any, tiler: Any, budget: Budget | None = None) -> Layout:
    """The product of all of the block, mode n of block and tiler as one mode, the tiler first.

    >>> print(raked_product(Layout((2, 5), (5, 1)), Layout((3, 4))))
    ((3,2),(4,5)):((10,5),(30,1))
    """
    return _asked("raked_product", block, tiler, budget)  # type: ignore[no-any-return]
