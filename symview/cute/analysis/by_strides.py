"""When a layout with names is contiguous or injective, and how far it reaches, by the criteria for views."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from symview.cases.conditions import Conditions
from symview.cute.analysis.image import image
from symview.cute.comparer import running
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import flatten, profile_text
from symview.cute.layout import Layout, need_layout
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.logic.budget import Budget
from symview.view import View
from symview.views import span as spans
from symview.views.density import dense_conditions, injective_conditions


def is_contiguous_conditions(layout: Layout, assume: Any = (), budget: Budget | None = None) -> Conditions[View]:
    """The weakest condition under which the values form an interval, each from one index; exact.

    Strides may have any sign; see `symview.dense_conditions`, the same for views.

    >>> print(is_contiguous_conditions(Layout.parse("(4,8):(a,b)"), assume="a > 0 and b > 0"))
    (b = 4 and a = 1) or (b = 1 and a = 8)
    """
    return dense_conditions(need_layout(layout, "is_contiguous_conditions").to_view(), True, assume, running(budget))


def is_injective_conditions(layout: Any, assume: Any = (), budget: Budget | None = None) -> Conditions[View]:
    """The condition under which no two indices share a value, swizzled or not; see `symview.injective_conditions`.

    >>> from symview.cute import Swizzle
    >>> swizzled = ComposedLayout(Swizzle(1, 0, 2), 0, Layout.parse("(4,8):(1,ld)"))
    >>> print(is_injective_conditions(swizzled, assume="ld >= 0"))
    ld ≥ 4
    """
    while isinstance(layout, ComposedLayout):
        if not isinstance(layout.layoutB, Swizzle):
            raise LayoutError(f"is_injective_conditions: {layout} is composed with a layout: that may repeat values")
        layout = layout.layoutA
    return injective_conditions(need_layout(layout, "is_injective_conditions").to_view(), assume, running(budget))


def span(layout: Any, assume: Any = (), budget: Budget | None = None) -> spans.Span:
    """The least and the greatest value of a layout, and the storage that it needs; see `symview.span`, that of views.

    A swizzle moves values inside aligned blocks. With names, the ends are those of the blocks, which are bounds.

    >>> swizzled = ComposedLayout(Swizzle(3, 3, 3), 0, Layout.parse("(60,n):(1,64)"))
    >>> print(span(swizzled.layoutA), span(swizzled), sep="\\n")
    addresses 0 to 64*n - 5: a storage of 64*n - 4 elements
    addresses within 0 to 64*n - 1: a storage of 64*n elements
    """
    swizzle, offset, inner = None, 0, layout
    if isinstance(layout, ComposedLayout) and isinstance(layout.layoutA, Layout) and layout.symbols():
        swizzle, offset, inner = layout.layoutB, layout.offset, layout.layoutA
    if not isinstance(inner, Layout) or (swizzle is not None and not isinstance(swizzle, Swizzle)):
        values = image(layout, budget)
        return spans.Span.of_numbers(values.least, values.greatest)
    found = spans.span(View(flatten(inner.shape), flatten(inner.stride), offset), assume, budget)
    if swizzle is None or found.least is None or found.greatest is None:
        return found
    block = 1 << swizzle.zzz_msk.bit_length()
    low, high = found.least // block * block, (found.greatest // block + 1) * block - 1
    texts = profile_text(low), profile_text(high), profile_text(high + 1)
    return replace(found, least=low, greatest=high, texts=texts, bound=True)
