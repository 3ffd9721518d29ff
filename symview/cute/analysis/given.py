"""What an analysis is asked of: layouts, swizzled ones, swizzles, views, linear layouts, and what is like them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from symview.cute.coordinate_layouts import CoordinateLayout
from symview.cute.coordinates_behind import in_numbers
from symview.cute.errors import LayoutError, no_layout
from symview.cute.int_tuple import leaves
from symview.cute.layout import Layout
from symview.cute.linear.conversions import has_linear, to_linear
from symview.cute.linear.layout import LinearLayout
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.cute.swizzled.chain import Chain, chain_of
from symview.errors import SymbolError
from symview.view import View


@dataclass(frozen=True, slots=True)
class Given:
    """A function on the indices below a size: how it is called, and as a chain where it stands behind fronts."""

    layout: Any
    size: int
    at: Callable[[int], int]
    chain: Chain | None
    symbols: tuple[str, ...] = ()

    def linear(self) -> LinearLayout | None:
        """The same as a linear layout on the whole of its indices, where it is one."""
        if isinstance(self.layout, LinearLayout):
            return self.layout
        if self.chain is None or self.size & self.size - 1 or self.chain.period() is None:
            return None
        found = to_linear(self.layout)
        return found if isinstance(found, LinearLayout) else None


def given(x: Any, what: str) -> Given:
    """What is asked about; LayoutError for what is none, SymbolError for symbols in sizes.

    Anything with `size()` that is called with an index counts.
    """
    if isinstance(x, View):
        x = Layout.from_view(x)
    if isinstance(x, Swizzle):
        x = ComposedLayout(x, 0, Layout(x.size()))
    x = in_numbers(x)
    if isinstance(x, ComposedLayout) and has_linear(x):
        found = to_linear(x)
        whole = isinstance(found, LinearLayout) and found.size() == x.size()
        return Given(found if whole else x, x.size(), x, None)
    if isinstance(x, Layout | ComposedLayout):
        behind: Any = x
        while isinstance(behind, ComposedLayout):
            behind = behind.layoutA
        if not isinstance(behind, Layout):
            raise LayoutError(f"{what}: {x} has values that are no numbers")
        if any(type(n) is not int for n in leaves(behind.shape)):
            raise SymbolError(f"{what}: {x} has symbols in its shape: substitute numbers")
        if not behind.numeric:
            return Given(x, behind.size(), x, None, tuple(behind.symbols()))
        chain = chain_of(x, what)
        return Given(x, behind.size(), chain, chain)
    if isinstance(x, CoordinateLayout):
        raise LayoutError(f"{what}: the values of {x} are coordinates, and numbers are needed")
    if callable(x) and callable(getattr(x, "size", None)):
        return Given(x, x.size(), x, None)
    raise no_layout(what, x)
