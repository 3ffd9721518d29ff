"""The comparer of layouts with symbols: where a comparison is open, both ways are taken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symview.cute.layout import Layout, need_layout
from symview.cute.symbols.asking import Asking
from symview.cute.symbols.composing import compose
from symview.cute.symbols.operations import divide, multiply


class Symbols(Asking):
    """Compares entries on one path of a fork, and composes layouts there."""

    def apply(self, name: str, operation: Callable[..., Layout], layout: Layout, tile: Layout) -> Layout:
        """The operation on two layouts."""
        own: dict[str, Callable[..., Layout]] = {"logical_divide": divide, "logical_product": multiply}
        return own.get(name, operation)(self, layout, tile)

    def admit(self, layout: Any, what: str) -> Layout:
        """The layout itself; raises for anything else."""
        return need_layout(layout, what)

    def compose(self, outer: Layout, inner: Layout) -> Layout:
        """A ∘ B on this path."""
        return compose(self, outer, inner)
