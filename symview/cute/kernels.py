"""What kernels of the CuTe DSL ask of a layout beside the algebra: bytes of memory, multicast masks, its swizzle."""

from __future__ import annotations

from typing import Any

from symview.cute.analysis.image import footprint
from symview.cute.basis import BasisElement
from symview.cute.errors import LayoutError, no_layout
from symview.cute.int_tuple import as_tuples, is_int, leaves, listed, number_text, profile_text
from symview.cute.keywords import also_named
from symview.cute.layout import is_layout
from symview.cute.measures import cosize, rank
from symview.cute.rearranging import slice_and_offset
from symview.cute.swizzle import ComposedLayout, Swizzle

_MASK_BITS = 1 << 12
NO_SWIZZLE = Swizzle(0, 4, 3)


def size_in_bytes(dtype: Any, layout: Any) -> Any:
    """The bytes that elements at all values of a layout take, from the place 0 on, rounded up; 0 for None.

    `dtype`: how many bits an element has, or a type with a `width` in bits or an `itemsize` in bytes. Behind a swizzle
    the greatest value counts; the DSL counts the cosize of the layout behind, which is less where the swizzle moves
    values beyond it.

    >>> from symview.cute import Layout
    >>> size_in_bytes(16, Layout((8, 64), (64, 1))), size_in_bytes(4, Layout(3))
    (1024, 2)
    """
    bits = dtype if is_int(dtype) else getattr(dtype, "width", None) or 8 * getattr(dtype, "itemsize", 0)
    if not is_int(bits) or bits < 1:
        raise LayoutError(f"size_in_bytes: {dtype!r} is no number of bits, and no type with a width or an itemsize")
    if layout is None:
        return 0
    if not isinstance(layout, ComposedLayout):
        return -(-cosize(layout) * bits // 8)
    return -(-(footprint(layout).greatest + 1) * bits // 8)


@also_named(lay="layout")
def make_layout_image_mask(layout: Any, coord: Any, mode: int) -> int:
    """The number with a bit for each value that the layout has along one mode, the others at the coordinate.

    Which blocks of a cluster a multicast goes to. Source: `make_layout_image_mask` of the CuTe DSL.

    >>> from symview.cute import Layout
    >>> bin(make_layout_image_mask(Layout((2, 4)), (1, 2), 1))
    '0b10101010'
    """
    given = listed(coord)
    if given is None or len(given) != rank(layout) or not is_int(mode) or not 0 <= mode < len(given):
        shown = profile_text(as_tuples(coord))
        raise LayoutError(f"make_layout_image_mask: {shown} and the mode {mode!r} do not fit {layout}")
    part, offset = slice_and_offset(tuple([None if n == mode else c for n, c in enumerate(given)]), layout)
    if part.size() > _MASK_BITS:
        raise LayoutError(f"make_layout_image_mask: {number_text(part.size())} values: at most {_MASK_BITS}")
    values = [part(x) + offset for x in range(part.size())]
    if not 0 <= min(values) <= max(values) < _MASK_BITS:
        raise LayoutError(f"make_layout_image_mask: values from {min(values)} to {max(values)} are no bits of a mask")
    return sum(1 << v for v in set(values))


def get_swizzle_portion(layout: Any) -> Swizzle:
    """The swizzle in front of a layout; where there is none, one of no bits.

    >>> from symview.cute import Layout
    >>> get_swizzle_portion(ComposedLayout(Swizzle(3, 4, 3), 0, Layout((8, 64)))), get_swizzle_portion(Layout(8))
    (Swizzle(3,4,3), Swizzle(0,4,3))
    """
    _need(layout, "get_swizzle_portion")
    front = getattr(layout, "layoutB", None)
    return front if isinstance(front, Swizzle) else NO_SWIZZLE


def get_nonswizzle_portion(layout: Any) -> Any:
    """The layout behind what stands in front; a layout without that as it is."""
    _need(layout, "get_nonswizzle_portion")
    return layout.layoutA if isinstance(layout, ComposedLayout) else layout


def _need(layout: Any, what: str) -> None:
    if not is_layout(layout):
        raise no_layout(what, layout)


def has_scaled_basis(x: Any) -> bool:
    """Whether a basis element stands anywhere in the tuple.

    >>> from symview.cute import E
    >>> has_scaled_basis((1, (2, E(0)))), has_scaled_basis((1, 2))
    (True, False)
    """
    return any(isinstance(e, BasisElement) for e in leaves(as_tuples(x)))


def pretty_str(x: Any) -> str:
    """A tuple or a layout as CuTe prints it; None as _.

    >>> from symview.cute import Layout
    >>> pretty_str((2, (None, 4))), pretty_str(Layout((2, 3)))
    ('(2,(_,4))', '(2,3):(1,2)')
    """
    if isinstance(x, (tuple, list)):
        return f"({','.join(map(pretty_str, x))})"
    return "_" if x is None else str(x)
