"""Products: a layout repeated as another says, and the ways to arrange the two."""

from __future__ import annotations

from typing import Any

from symview.cute.complements import copies
from symview.cute.compose import composition
from symview.cute.divide import Split, as_layout, by_mode, hier_unzip, tiled, unpacked
from symview.cute.errors import LayoutError
from symview.cute.layout import Layout, make_layout, need_layout


def logical_product(layoutA: Any, layoutB: Any) -> Any:  # noqa: N803
    """(A, C ∘ B), C the complement of A up to size(A)·cosize(B): A, and where its copies stand (Definition 4.1).

    C has CuTe's form (see `complement`); where A leaves gaps that it does not fill, more copies
    stand behind, so that C has cosize(B) of them. B may be a size, None for no change, or a tuple
    of these to multiply mode by mode. Where it answers, copies never overlap if B's values differ.
    Raises NoAnswer where A's own modes overlap, or interleave, so that the form has no place for
    copies, and NoComposition where C does not compose with B.

    >>> print(logical_product(Layout((2, 2), (4, 1)), Layout(6)))
    ((2,2),(2,3)):((4,1),(2,8))
    >>> print(logical_product(Layout(4), 3))
    (4,3):(1,4)
    """
    layout = need_layout(layoutA, "logical_product")
    if layoutB is None:
        return layout
    if isinstance(layoutB, tuple):
        return by_mode(logical_product, layout, layoutB, "logical_product")
    tile = as_layout(layoutB, "logical_product")
    if not (layout.numeric and tile.numeric):
        from symview.cute.symbols.queries import always, logical_product_conditions

        return always(logical_product_conditions(layout, tile))
    many = tile.cosize()
    if many < 1:
        raise LayoutError(f"logical_product: {tile} has the cosize {many}; copies need one from 1 up")
    places = copies(layout, layout.size() * many, least=many)
    return make_layout(layout, composition(places, tile))


def zipped_product(layoutA: Layout, layoutB: Any) -> Layout:  # noqa: N803
    """The product mode by mode, as ((blocks…), (copies…)).

    >>> print(zipped_product(Layout((2, 3), (1, 2)), (2, 4)))
    ((2,3),(2,(2,2))):((1,2),(2,(1,6)))
    """
    return hier_unzip(logical_product, layoutA, layoutB)


def tiled_product(layoutA: Layout, layoutB: Any) -> Layout:  # noqa: N803
    """The product mode by mode, as ((blocks…), copies, copies, …)."""
    return tiled(zipped_product(layoutA, layoutB))


def flat_product(layoutA: Layout, layoutB: Any) -> Layout:  # noqa: N803
    """The product mode by mode, as (block, block, …, copies, copies, …)."""
    return unpacked(zipped_product(layoutA, layoutB))


def blocked_product(block: Any, tiler: Any) -> Layout:
    """The product of all of the block, mode n of block and tiler as one mode, the block first.

    >>> print(blocked_product(Layout((2, 5), (5, 1)), Layout((3, 4))))
    ((2,3),(5,4)):((5,10),(1,30))
    """
    return paired(block, tiler, logical_product, raked=False)


def raked_product(block: Any, tiler: Any) -> Layout:
    """The product of all of the block, mode n of block and tiler as one mode, the tiler first.

    >>> print(raked_product(Layout((2, 5), (5, 1)), Layout((3, 4))))
    ((3,2),(4,5)):((10,5),(30,1))
    """
    return paired(block, tiler, logical_product, raked=True)


def paired(block: Any, tiler: Any, multiply: Split, raked: bool) -> Layout:
    """The product, mode n of block and copies as one mode; sizes count as layouts."""
    given = [as_layout(x, "a blocked or raked product") for x in (block, tiler)]
    rank = max(map(len, given))
    found = multiply(*[make_layout([*x.modes(), *[Layout(1, 0)] * (rank - len(x))]) for x in given])
    pairs = zip(found[0].modes(), found[1].modes(), strict=True)
    return make_layout([make_layout(b, a) if raked else make_layout(a, b) for a, b in pairs])
