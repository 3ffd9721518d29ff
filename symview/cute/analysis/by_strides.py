"""When a layout with symbolic strides and sizes is contiguous or injective, by the criteria for views."""

from __future__ import annotations

from typing import Any

from symview.cases.conditions import Conditions
from symview.cute.comparer import running
from symview.cute.errors import LayoutError
from symview.cute.layout import Layout, need_layout
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.logic.budget import Budget
from symview.view import View
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
