"""Compositions in which at least one layout is linear."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symview.cute.comparer import need_numbers
from symview.cute.errors import LayoutError, no_layout
from symview.cute.layout import Layout, is_layout
from symview.cute.linear.layout import LinearLayout, compose, made
from symview.cute.swizzle import ComposedLayout, Swizzle


def composed_with_linear(outer: Any, inner: Any) -> LinearLayout | ComposedLayout:
    """Outer ∘ inner with a linear layout: linear if the other is linear or a swizzle, otherwise a ComposedLayout.

    >>> from symview.cute import composition
    >>> print(composition(Swizzle(1, 0, 2), LinearLayout({"lane": [1, 2, 4]})))
    {lane = [1, 2, 5]} -> {offset = 8}
    >>> print(composition(LinearLayout({"lane": [1, 2, 4]}), Layout((2, 2), (1, 4))))
    {lane = [1, 2, 4]} -> {offset = 8} o 0 o (2,2):(1,4)
    """
    if isinstance(inner, Swizzle):
        return compose(outer, _on(inner, outer.in_bits))
    if isinstance(outer, Swizzle):
        return compose(_on(outer, inner.out_bits), inner)
    if isinstance(outer, LinearLayout) and isinstance(inner, LinearLayout):
        return compose(outer, inner)
    if not is_layout(outer):
        raise no_layout("composition", outer)
    if isinstance(outer, LinearLayout) and isinstance(inner, Layout):
        need_numbers(inner, "composition")
        low, high = (sum((n - 1) * bound(d, 0) for n, d in inner.flat()) for bound in (min, max))
        if low < 0 or high >= outer.size():
            taken = f"{outer} takes 0 to {outer.size() - 1}"
            raise LayoutError(f"composition: {inner} has values from {low} to {high}, {taken}")
    return ComposedLayout(outer, 0, inner)


def _on(swizzle: Swizzle, bits: Mapping[str, int]) -> LinearLayout:
    """The swizzle as a linear layout on these names; raises LayoutError if it leaves their bits."""
    k = sum(bits.values())
    columns = [swizzle(1 << i) for i in range(k)]
    if any(column >> k for column in columns):
        raise LayoutError(f"composition: {swizzle} sets bits beyond the {k} bits of {', '.join(bits)}")
    return made(bits, bits, columns)
