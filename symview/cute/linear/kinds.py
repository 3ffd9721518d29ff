"""How each kind of layout is read: by its index, as a function with normal forms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symview.cute.coordinates_behind import in_numbers
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import whole_number
from symview.cute.layout import Layout
from symview.cute.linear.fronts import Composed, StridedFront, XorFront, composed
from symview.cute.linear.layout import LinearLayout
from symview.cute.linear.readings import Affine, Reading, Strided
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.errors import SymbolError
from symview.view import View


def reading(x: Any, what: str, symbols: bool = False) -> Reading:
    """How a layout of one of the kinds is read, by its index: row-major for a View, else the first mode fastest.

    `symbols`: strides and the offset may have some, but for what stands behind. Raises LayoutError for anything else,
    and for masks; SymbolError for symbols.
    """
    if isinstance(x, LinearLayout):
        return Affine.of(x)
    if isinstance(x, Swizzle):
        return Composed(XorFront(x), 0, Strided(((x.size(), 1),)))
    if isinstance(x, View):
        if is_masked(x):
            raise LayoutError(f"{what}: {x} has a mask; symview.equivalent compares masked views")
        if not symbols:
            need_number(x.offset, f"{what}: the offset")
        return Strided(_modes(zip(x.shape[::-1], x.strides[::-1], strict=True), what, symbols), x.offset)
    if isinstance(x, Layout):
        return Strided(_modes(x.flat(), what, symbols))
    x = in_numbers(x)
    if isinstance(x, ComposedLayout):
        whole_number(x.offset, f"{what}: the offset")
        if isinstance(x.layoutB, ComposedLayout):
            front, inside = x.layoutB, ComposedLayout(x.layoutB.layoutA, x.offset, x.layoutA)
            return reading(ComposedLayout(front.layoutB, front.offset, inside), what, symbols)
        behind, front = reading(x.layoutA, what), x.layoutB
        if isinstance(front, Layout):
            return composed(StridedFront(Strided(_modes(front.flat(), what, symbols, goes_on=True))), x.offset, behind)
        if not isinstance(front, Swizzle | LinearLayout):
            raise LayoutError(f"{what}: {front} stands in front; give a swizzle, a linear layout or a layout there")
        if isinstance(behind, Strided) and (low := behind.least() + x.offset) < 0:
            raise LayoutError(f"{what}: {x}: the layout goes down to {low}; {front} is about numbers from 0 on")
        return composed(XorFront(front), x.offset, behind)
    raise LayoutError(f"{what}: {x!r} is no layout: give a Layout, a View, a swizzled or a linear layout")


def is_masked(view: View) -> bool:
    """Whether the view hides an index that its shape has."""
    if view.mask is None:
        return False
    for x in () if view.mask == "empty" else [*view.shape, *[x for pair in view.mask for x in pair]]:
        need_number(x, f"a mask or size of {view}")
    return view.mask == "empty" or any(a > 0 or b < n for (a, b), n in zip(view.mask, view.shape, strict=True))


def need_number(x: Any, what: str) -> None:
    """SymbolError for a symbol."""
    if type(x) is not int:
        raise SymbolError(f"{what} is {x}: numbers are needed, put in values for the symbols")


def _modes(
    given: Iterable[tuple[Any, Any]], what: str, symbols: bool, goes_on: bool = False
) -> tuple[tuple[int, Any], ...]:
    """The modes without those of size 1, each with those joined that continue it.

    What `goes_on` is asked beyond its size, too: there the last mode counts, even of size 1.
    """
    flat, found = list(given), list[tuple[int, Any]]()
    for j, (n, d) in enumerate(flat):
        need_number(n, f"{what}: a size")
        if not symbols:
            need_number(d, f"{what}: a stride")
        if n == 1 and not (goes_on and j == len(flat) - 1):
            continue
        if found and d == found[-1][0] * found[-1][1]:
            found[-1] = (found[-1][0] * n, found[-1][1])
        else:
            found.append((n, d))
    return tuple(found)
