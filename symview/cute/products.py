"""Products: a layout repeated as another says, and the ways to arrange the two."""

from __future__ import annotations

from typing import Any

from symview.cute.complements import copies as copies_of
from symview.cute.compose import composition
from symview.cute.divide import _by_mode, hier_unzip, tiled, unpacked
from symview.cute.errors import LayoutError
from symview.cute.layout import Layout, make_layout


def logical_product(layoutA: Any, layoutB: Any) -> Any:  # noqa: N803
    """(A, complement(A, size(A)·cosize(B)) ∘ B): A, and where its copies stand (Definition 4.1).

    B may be a size, None for no change, or a tuple of these to multiply mode by mode. Where it
    answers, copies never overlap if B's values differ. Raises NoAnswer where A's own modes overlap,
    NoComposition where the complement does not compose with B.

    >>> print(logical_product(Layout((2, 2), (4, 1)), Layout(6)))
    ((2,2),(2,3)):((4,1),(2,8))
    >>> print(logical_product(Layout(4), 3))
    (4,3):(1,4)
    """
    return _by_mode(logical_product, _multiplied, layoutA, layoutB, "logical_product")


def _multiplied(layout: Layout, copies: Layout) -> Layout:
    bound = layout.size() * copies.cosize()
    if type(bound) is int and bound < 1:
        raise LayoutError(f"logical_product: {copies} has the cosize {copies.cosize()}; copies need one from 1 up")
    return make_layout(layout, composition(copies_of(layout, bound, least=copies.cosize()), copies))


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


def blocked_product(block: Layout, tiler: Layout) -> Layout:
    """The product of all of the block, mode n of block and tiler as one mode, the block first.

    >>> print(blocked_product(Layout((2, 5), (5, 1)), Layout((3, 4))))
    ((2,3),(5,4)):((5,10),(1,30))
    """
    blocks, copies = _aligned_product(block, tiler)
    return make_layout([make_layout(a, b) for a, b in zip(blocks.modes(), copies.modes(), strict=True)])


def raked_product(block: Layout, tiler: Layout) -> Layout:
    """The product of all of the block, mode n of block and tiler as one mode, the tiler first.

    >>> print(raked_product(Layout((2, 5), (5, 1)), Layout((3, 4))))
    ((3,2),(4,5)):((10,5),(30,1))
    """
    blocks, copies = _aligned_product(block, tiler)
    return make_layout([make_layout(b, a) for a, b in zip(blocks.modes(), copies.modes(), strict=True)])


def _aligned_product(block: Layout, tiler: Layout) -> tuple[Layout, Layout]:
    for x in (block, tiler):
        if not isinstance(x, Layout):
            raise LayoutError(f"a blocked or raked product of {x!r}, which is no layout")
    rank = max(len(block), len(tiler))
    found = logical_product(_padded(block, rank), _padded(tiler, rank))
    return found[0], found[1]


def _padded(layout: Layout, rank: int) -> Layout:
    return make_layout([*layout.modes(), *[Layout(1, 0)] * (rank - len(layout))])
