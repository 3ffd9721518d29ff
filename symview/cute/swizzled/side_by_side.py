"""Layouts behind swizzles as modes of one layout: the value is the sum of theirs, as of modes of any layout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symview.cute.errors import LayoutError, NoAnswer
from symview.cute.int_tuple import leaves
from symview.cute.layout import Layout, make_layout
from symview.cute.residues import LARGEST, Residues
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.cute.swizzled.chain import TABLE, Chain, chain_of
from symview.cute.swizzled.settled import is_numeric, settled
from symview.cute.swizzled.straight import Strided, strided
from symview.errors import Undecided

_PAIRS = 1 << 18


def side_by_side(parts: Sequence[Any]) -> Any:
    """The layout of these modes, (x_0, x_1, …) ↦ Σ parts[n](x_n): a layout, or behind one of the swizzles or an offset.

    Exact: a swizzle S takes back what it does, so what would stand behind it is known, o + A_n = S ∘ (p_n + the others
    at 0), and it is right where S(o + Σ A_n) is that sum. NoAnswer where no swizzle of the parts does it, LayoutError
    for symbols and for layouts in front, Undecided where too many sums would have to be compared.

    >>> tile = ComposedLayout(Swizzle(2, 0, 3), 0, Layout((8, 8), (8, 1)))
    >>> print(side_by_side([tile, Layout(3, 64)]))
    SW_2_0_3 o 0 o ((8,8),3):((8,1),64)
    """
    given = [settled(part) for part in parts]
    if all(isinstance(part, Layout) for part in given):
        return make_layout(given)
    odd = next((part for part in given if not isinstance(part, Layout | ComposedLayout) or not is_numeric(part)), None)
    if odd is not None:
        raise LayoutError(f"make_layout: {odd} beside a layout behind a swizzle: give layouts of numbers")
    chains = [chain_of(part, "make_layout") for part in given]
    fronts = [front for part in parts for front, _ in chain_of(part, "make_layout").fronts]
    if not all(isinstance(front, Swizzle) for front in fronts):
        raise LayoutError("make_layout: a layout stands in front of a mode; compose it first")
    swizzles = dict.fromkeys([Swizzle(0, 0, 0), *fronts])
    for swizzle in swizzles:
        found = _behind(swizzle, chains)
        if found is not None:
            chain_of(found, "make_layout")
            return found
    shown = ", ".join(map(str, parts))
    raise NoAnswer(f"make_layout of {shown}: their sum is no layout behind {' or '.join(map(str, fronts))}")


def _behind(swizzle: Swizzle, chains: Sequence[Chain]) -> ComposedLayout | None:
    """The sum behind the swizzle; None where it is none."""
    start = sum(chain(0) for chain in chains)
    offset, layouts = swizzle(start), []
    for chain in chains:
        alone = strided(Chain(((swizzle, start - chain(0)), *chain.fronts), chain.layout))
        if not isinstance(alone, Strided):
            return None
        layouts.append(alone.layout(chain.layout.shape))
    return ComposedLayout(swizzle, offset, make_layout(layouts)) if _adds_up(swizzle, offset, layouts) else None


def _adds_up(swizzle: Swizzle, offset: int, layouts: Sequence[Layout]) -> bool:
    """Whether S(o + Σ a_n) − S(o) is the sum of the S(o + a_n) − S(o), for all values a_n of the layouts.

    S(y + Qt) = S(y) + Qt, so residues modulo Q decide.
    """
    period = swizzle.size()
    reached = [0]
    for layout in layouts:
        values = _residues(layout, period)
        if len(reached) * len(values) > _PAIRS:
            raise Undecided(f"whether {swizzle} of a sum is the sum of {len(reached)} by {len(values)} values")
        both = {(a, b): swizzle(offset + a + b) for a in reached for b in values}
        if any(y + swizzle(offset) != swizzle(offset + a) + swizzle(offset + b) for (a, b), y in both.items()):
            return False
        reached = sorted({(a + b) % period for a, b in both})
    return True


def _residues(layout: Layout, period: int) -> list[int]:
    """The values of the layout modulo the period."""
    if all(d % period == 0 for d in leaves(layout.stride)):
        return [0]
    if period <= LARGEST:
        found = Residues(period).reached(layout.flat(), 0)[-1]
        return [r for r in range(period) if found >> r & 1]
    if layout.size() > TABLE:
        raise Undecided(f"the values of {layout} modulo {period}")
    return sorted({layout(x) % period for x in range(layout.size())})
