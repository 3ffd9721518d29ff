"""A layout behind swizzles as a layout where it is one, and otherwise behind as few swizzles as do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from symview.cute.coordinates_behind import in_numbers
from symview.cute.errors import LayoutError
from symview.cute.first_failures import NotALayout
from symview.cute.int_tuple import flatten
from symview.cute.layout import Layout
from symview.cute.linear.bases import first_overlap
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.cute.swizzled.chain import TABLE, Chain, chain_of
from symview.cute.swizzled.masks import masks_of
from symview.cute.swizzled.straight import Strided, strided
from symview.errors import Undecided

_WIDEST = 24  # bits within which another swizzle is looked for
_WALKED = 1 << 9


def settled(x: Any) -> Any:
    """The layout that a layout behind swizzles is, of the same shape with modes perhaps split; else the layout itself.

    Without a solver: a layout that only a solver could tell stays behind its swizzles (`as_layout` asks one).

    >>> print(settled(ComposedLayout(Swizzle(1, 0, 2), 0, Layout((2, 2), (1, 2)))))
    (2,2):(1,2)
    >>> print(settled(ComposedLayout(Swizzle(1, 0, 2), 0, Layout((4, 2)))))
    SW_1_0_2 o 0 o (4,2):(1,4)
    """
    x = _cancelled(x)
    if not isinstance(x, ComposedLayout) or not is_numeric(x):
        return x
    found = as_strided(x)
    if found is not None and found.base == 0:
        return found.layout(x.shape)
    return _behind_fewer(x) if len(chain_of(x).fronts) > 1 else x


def _cancelled(x: Any) -> Any:
    """Without a swizzle that the next one, the same, takes back."""
    again = x.layoutA if isinstance(x, ComposedLayout) and isinstance(x.layoutB, Swizzle) else None
    if not isinstance(again, ComposedLayout) or again.layoutB != x.layoutB or x.offset != 0:
        return x
    return again.layoutA if again.offset == 0 else ComposedLayout(Swizzle(0, 0, 0), again.offset, again.layoutA)


def as_strided(x: Any) -> Strided | None:
    """The strides of a layout behind swizzles; None where it has none, and where only a solver could tell."""
    found = _strided(chain_of(x)) if is_numeric(x) else None
    return found if isinstance(found, Strided) else None


def is_numeric(x: Any) -> bool:
    """Whether all that stands in front and behind is of numbers."""
    with suppress(LayoutError):
        x = in_numbers(x)
    if isinstance(x, ComposedLayout):
        return type(x.offset) is int and is_numeric(x.layoutB) and is_numeric(x.layoutA)
    return isinstance(x, Swizzle) or (isinstance(x, Layout) and x.numeric)


def _strided(chain: Chain) -> Strided | NotALayout | None:
    try:
        return strided(chain)
    except Undecided:
        return None


def _behind_fewer(x: ComposedLayout) -> Any:
    """The same behind one swizzle, where one is found."""
    with suppress(Undecided):
        return behind_one(chain_of(x)) or x
    return x


def behind_one(chain: Chain) -> ComposedLayout | None:
    """The same function as one swizzle, an offset and a layout of the same shape; None where there is none so.

    Every swizzle within the bits of the values is tried. Undecided where these are many.
    """
    top = chain.bounds()[-1][1]
    if top.bit_length() > _WIDEST:
        raise Undecided(f"the values have {top.bit_length()} bits: too many swizzles to be tried")
    if not _is_from_zero(chain):
        return None
    open_ones = False
    may = _filter(chain)
    for swizzle in (Swizzle(0, 0, 0), *swizzles(top.bit_length())):
        if may(swizzle):
            found = _strided(Chain(((swizzle, 0), *chain.fronts), chain.layout))
            open_ones = open_ones or found is None
            if isinstance(found, Strided):
                return ComposedLayout(swizzle, found.base, found.layout(chain.layout.shape))
    if open_ones:
        raise Undecided("whether a swizzle stands in front of a layout takes a solver")
    return None


def _filter(chain: Chain) -> Callable[[Swizzle], bool]:
    """Whether a swizzle may make the values those of a layout: by the bits that they move, or by a walk."""
    known = masks_of(chain)
    if known is None:
        values, sizes = _Values(chain), flatten(chain.layout.shape)
        return lambda swizzle: _may_straighten(swizzle, values, sizes)
    masks = [b for own in known[1] for b in own]
    return lambda swizzle: first_overlap([swizzle(b) for b in masks]) is None


def _is_from_zero(chain: Chain) -> bool:
    if chain.bounds()[-1][0] >= 0:
        return True
    if chain.layout.size() > TABLE:
        raise Undecided("whether all values are from 0 on")
    return all(chain(x) >= 0 for x in range(chain.layout.size()))


def swizzles(width: int) -> Iterator[Swizzle]:
    """All swizzles of so many bits, those that move few first.

    >>> [*swizzles(2)], len([*swizzles(10)])
    ([Swizzle(1,0,1), Swizzle(1,0,-1)], 190)
    """
    for bits in range(1, width):
        for gap in range(bits, width - bits + 1):
            for base in range(width - gap - bits + 1):
                yield Swizzle(bits, base, gap)
                yield Swizzle(bits, base, -gap)


class _Values(dict[int, int]):
    """The values of a chain, each calculated once."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain

    def __missing__(self, index: int) -> int:
        found = self[index] = self.chain(index)
        return found


def _may_straighten(swizzle: Swizzle, values: _Values, sizes: tuple[int, ...]) -> bool:
    """Whether the swizzled values may be strided: no for sure, or as far as a walk of bounded length tells."""
    read, shift = swizzle.yyy_msk, swizzle.shift

    def at(index: int) -> int:
        y = values[index]
        return y ^ ((y & read) >> shift if shift > 0 else (y & read) << -shift)

    base, parts, place, walked = at(0), [], 1, 0
    for size in sizes:
        end = place * size
        while place < end:  # the parts of a mode end where a straight line does
            stride, left = at(place) - base, end // place
            longest = min(left, _WALKED - walked)
            reach = next((x for x in range(2, longest) if at(x * place) != base + x * stride), left)
            if left % reach:
                return False
            if reach == left > longest:
                return True
            parts.append((reach, stride))
            place, walked = place * reach, walked + reach
    line = [base]
    for size, stride in parts:
        before = len(line)
        if before * size > _WALKED:
            return True
        for x in range(before, before * size):
            line.append(line[x % before] + x // before * stride)
            if at(x) != line[x]:
                return False
    return True
