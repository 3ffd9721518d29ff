"""Whether a layout behind swizzles is a layout, repeats no value, is a permutation."""

from __future__ import annotations

from typing import Any

from symview.cute.collisions import same_values
from symview.cute.comparer import need_numbers, running
from symview.cute.errors import LayoutError, no_layout
from symview.cute.first_failures import NotALayout
from symview.cute.from_values import is_bijection
from symview.cute.int_tuple import number_text
from symview.cute.layout import Layout
from symview.cute.linear.conversions import has_linear, to_layout, to_linear
from symview.cute.linear.layout import LinearLayout
from symview.cute.modes import coalesce
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.cute.swizzled.chain import TABLE, Chain, chain_of
from symview.cute.swizzled.settled import is_numeric
from symview.cute.swizzled.straight import Strided, strided
from symview.errors import Undecided
from symview.logic.bits import Bits, least
from symview.logic.budget import Budget


def as_layout(composed: Any, budget: Budget | None = None, *, size: int | None = None) -> Layout | NotALayout:
    """The coalesced layout with the values of a swizzled or linear layout, or where it stops being one.

    `size`: only the values at indices below it. Exact: by the bits that swizzles move, by residues,
    by the normal form of functions of bits or by a table; beyond these, Z3 looks on bit-vectors for
    the first index that leaves the straight line, and confirms that no index disagrees with the
    layout found. Raises LayoutError where the layout behind has negative values,
    Undecided when the budget ends.

    >>> print(as_layout(ComposedLayout(Swizzle(1, 0, 2), 0, Layout((4, 4), (1, 8)))))
    (4,4):(1,8)
    >>> print(as_layout(ComposedLayout(Swizzle(1, 0, 2), 0, Layout(8))))
    no layout: the values at place values make it (4,2):(1,5), which has 6 at 5, not 4
    """
    if size is not None or has_linear(composed):
        return to_layout(composed, size, budget)
    if isinstance(composed, Layout):
        need_numbers(composed, "as_layout")
        return coalesce(composed)
    if not isinstance(composed, ComposedLayout):
        raise LayoutError(f"{composed!s}: give a layout behind a swizzle")
    chain = chain_of(composed, "as_layout")
    first = chain(0)
    if first:
        return not_from_zero(first)
    budget = running(budget)
    found = strided(chain, budget)
    if isinstance(found, Strided):
        return coalesce(found.layout(chain.layout.shape))
    if all(n & n - 1 == 0 for n, _ in chain.modes()):  # then every layout refines the modes
        return found
    return to_layout(composed, None, budget)


def not_from_zero(first: int) -> NotALayout:
    """That the value at 0 is another."""
    return NotALayout(0, 0, first, f"the value at 0 is {number_text(first)}, and every layout has 0 there")


def coalesced_behind(x: ComposedLayout, profile: Any = None) -> Any:
    """`coalesce` of what stands behind; a layout where the values are those of one, if no solver is needed to tell."""
    found = x.behind(lambda layout: coalesce(layout, profile))
    if isinstance(found, Layout):
        return coalesce(found, profile)
    if profile is None and is_numeric(found) and found.size() <= TABLE:
        return as_layout(found) or found
    return found


def is_injective(x: Any, budget: Budget | None = None) -> bool:
    """Whether no two coordinates have the same value; a swizzle, itself injective, changes nothing about that.

    >>> is_injective(Layout((2, 2), (1, 3))), is_injective(Layout((3, 2), (2, 3))), is_injective(Layout((4, 3), (1, 3)))
    (True, True, False)
    """
    if isinstance(x, Swizzle):
        return True
    if isinstance(x, LinearLayout):
        return x.is_injective()
    if isinstance(x, ComposedLayout) and has_linear(x):
        whole = _with_linear_parts(x, running(budget))
        return whole.is_injective() if isinstance(whole, LinearLayout) else len(set(whole)) == len(whole)
    if isinstance(x, ComposedLayout):
        return same_index(chain_of(x), running(budget)) is None
    need_numbers(x, "is_injective")
    return same_values(x, running(budget)) is None


def _with_linear_parts(x: ComposedLayout, budget: Budget) -> LinearLayout | list[int]:
    """The linear layout that it is, or all its values; Undecided where these are too many."""
    found = to_linear(x, budget=budget)
    if isinstance(found, LinearLayout) and found.size() == x.size():
        return found
    if x.size() > TABLE:
        raise Undecided(f"{x} is not linear, and its {x.size()} values are too many to be listed")
    return [x(i) for i in range(x.size())]


def same_index(chain: Chain, budget: Budget) -> tuple[int, int] | None:
    """Two indices with the same value; None where no two have one."""
    pair = same_values(chain.layout, budget)
    if pair is not None or all(isinstance(front, Swizzle) for front, _ in chain.fronts):
        return pair
    found = strided(chain, budget)
    if isinstance(found, Strided):
        return same_values(found.layout(chain.layout.shape), budget)
    if chain.layout.size() > TABLE:
        raise Undecided(f"whether two values are equal behind {len(chain.fronts)} fronts, not all of them swizzles")
    seen: dict[int, int] = {}
    return next(((a, x) for x in range(chain.layout.size()) if (a := seen.setdefault(chain(x), x)) != x), None)


def is_bijective(x: Any, budget: Budget | None = None) -> bool:
    """Whether a layout, perhaps behind a swizzle, takes [0, size) to itself, each value once.

    >>> is_bijective(ComposedLayout(Swizzle(2, 0, 3), 0, Layout((8, 4), (4, 1))))
    True
    >>> is_bijective(ComposedLayout(Swizzle(1, 0, 2), 0, Layout(5)))
    False
    """
    if isinstance(x, Swizzle):
        return True
    if isinstance(x, LinearLayout):
        return x.is_injective() and max(x.constant, *x.columns, 0) < x.size()
    if isinstance(x, Layout):
        return is_bijection(x)
    if not isinstance(x, ComposedLayout):
        raise no_layout("is_bijective", x)
    if has_linear(x):
        whole = _with_linear_parts(x, running(budget))
        return is_bijective(whole) if isinstance(whole, LinearLayout) else sorted(whole) == list(range(len(whole)))
    chain, budget = chain_of(x, "is_bijective"), running(budget)
    size = chain.layout.size()
    if any(not 0 <= chain(index) < size for index in _corners(chain.layout)):
        return False
    if same_index(chain, budget) is not None:
        return False
    return size <= chain.bounds()[-1][1] + 1 and leaving(chain, size, budget) is None


def _corners(layout: Layout) -> list[int]:
    """The indices of the least and of the greatest value."""
    found, place = [0, 0], 1
    for size, step in layout.flat():
        if step:
            found[step > 0] += (size - 1) * place
        place *= size
    return found


def leaving(chain: Chain, end: int, budget: Budget) -> int | None:
    """The first index with a value outside [0, end); None where all values are inside."""
    size = chain.layout.size()
    low, high = chain.bounds()[-1]
    if low >= 0 and high < end:
        return None
    if size <= TABLE:
        return next((i for i in range(size) if not 0 <= chain(i) < end), None)

    def is_outside(bits: Bits, i: Any) -> Any:
        value = chain.of(bits, i)
        return not 0 <= value < end if bits.z3 is None else bits.z3.UGE(value, end)

    return least(size, chain.width(), is_outside, budget)
