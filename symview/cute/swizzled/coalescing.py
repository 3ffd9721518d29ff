"""`coalesce` for layouts of every kind."""

from __future__ import annotations

from typing import Any

from symview.cute.int_tuple import also_named
from symview.cute.layout import Layout
from symview.cute.linear.conversions import as_layout
from symview.cute.modes import coalesce_layout
from symview.cute.swizzle import ComposedLayout
from symview.cute.swizzled.simplified import is_numeric, on_inner_layout
from symview.engine.first_difference import TABLE


@also_named(target_profile="profile", trg_profile="profile", input="layout")
def coalesce(layout: Any, profile: Any = None) -> Layout:
    """The layout with the same function and the fewest modes, flat; it is unique.

    Given a profile, a tuple, it coalesces each of its modes separately, so that their number stays; it does not change
    modes beyond the profile. Modes with symbols merge if they continue each other for all values.

    Source: "Coalescence Rules" and "By-Mode Coalescence" of "CuTe Layout Algebra" (L. Mao).

    >>> print(coalesce(Layout((2, (1, 6)), (1, (6, 2)))))
    12:1
    >>> print(coalesce(Layout((2, (1, 6)), (1, (6, 2))), (1, 1)))
    (2,6):(1,2)
    >>> print(coalesce(Layout((2, 3), (3, 1))))
    (2,3):(3,1)
    """
    if isinstance(layout, ComposedLayout):
        return coalesced_swizzled(layout, profile)  # type: ignore[no-any-return]
    return coalesce_layout(layout, profile)


def coalesced_swizzled(x: ComposedLayout, profile: Any = None) -> Any:
    """Coalesces the unswizzled layout; returns a plain layout if the result equals one and no solver is needed to find
    it.
    """
    found = on_inner_layout(x, lambda layout: coalesce(layout, profile))
    if isinstance(found, Layout):
        return coalesce_layout(found, profile)
    if profile is None and is_numeric(found) and found.size() <= TABLE:
        return as_layout(found) or found
    return found
