"""The arguments of the analyses: plain, swizzled and linear layouts, swizzles, views, and similar objects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from symview.cute.coordinate_layouts import CoordinateLayout
from symview.cute.errors import LayoutError, no_layout
from symview.cute.int_tuple import leaves
from symview.cute.layout import Layout
from symview.cute.linear.layout import LinearLayout
from symview.cute.linear.reading import map_of, taken_apart
from symview.cute.swizzle import ComposedLayout, Swizzle, in_numbers
from symview.engine.map import Flips, Map
from symview.errors import SymbolError
from symview.view import View


@dataclass(frozen=True, slots=True)
class Given:
    """A function on the indices below a size, as a callable and, if it is numeric, as a map."""

    layout: Any
    size: int
    at: Callable[[int], int]
    map: Map | None
    symbols: tuple[str, ...] = ()

    def columns(self) -> Flips | None:
        """The value at 0, and the bits that each bit of the index flips, if the function is affine everywhere."""
        found = None if self.map is None else self.map.columns()
        return found if found is not None and min((found[0], *found[1])) >= 0 else None


def given(x: Any, what: str) -> Given:
    """Normalises the argument of an analysis; raises LayoutError for other objects, SymbolError for symbolic sizes.

    Accepts any object with `size()` that can be called with an index.
    """
    if isinstance(x, View):
        x = Layout.from_view(x)
    if isinstance(x, Swizzle):
        x = ComposedLayout(x, 0, Layout(x.size()))
    x = in_numbers(x)
    if isinstance(x, Layout | ComposedLayout | LinearLayout):
        inner = taken_apart(x)[1]
        if not isinstance(inner, Layout | LinearLayout):
            raise LayoutError(f"{what}: {x} has values that are not numbers")
        if any(type(n) is not int for n in leaves(inner.shape)):
            raise SymbolError(f"{what}: {x} has symbols in its shape: substitute numbers")
        if isinstance(inner, Layout) and not inner.numeric:
            return Given(x, inner.size(), x, None, tuple(inner.symbols()))
        found = map_of(x, what)
        return Given(x, found.size, found, found)
    if isinstance(x, CoordinateLayout):
        raise LayoutError(f"{what}: the values of {x} are coordinates, and numbers are needed")
    if callable(x) and callable(getattr(x, "size", None)):
        return Given(x, x.size(), x, None)
    raise no_layout(what, x)
