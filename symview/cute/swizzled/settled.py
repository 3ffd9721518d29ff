"""A layout behind swizzles as a layout where it is one, and otherwise behind as few swizzles as do."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from symview.cute.fact import NotALayout
from symview.cute.int_tuple import flatten
from symview.cute.layout import Layout
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.cute.swizzled.chain import Chain, chain_of
from symview.cute.swizzled.straight import Strided, strided
from symview.errors import Undecided

_WIDEST = 24  # bits within which another swizzle is looked for
_PROBES = 100


def settled(x: Any) -> Any:
    """The layout that a layout behind swizzles is, of the same shape with modes perhaps split; else the layout itself.

    Without a solver: a layout that only a solver could tell stays behind its swizzles (`as_layout` asks one).

    >>> print(settled(ComposedLayout(Swizzle(1, 0, 2), 0, Layout((2, 2), (1, 2)))))
    (2,2):(1,2)
    >>> print(settled(ComposedLayout(Swizzle(1, 0, 2), 0, Layout((4, 2)))))
    SW_1_0_2 o 0 o (4,2):(1,4)
    """
    if not isinstance(x, ComposedLayout) or not is_numeric(x):
        return x
    chain = chain_of(x)
    found = _strided(chain)
    if isinstance(found, Strided) and found.base == 0:
        return found.layout(chain.layout.shape)
    return fewest(chain) if len(chain.fronts) > 1 else x


def is_numeric(x: Any) -> bool:
    """Whether all that stands in front and behind is of numbers."""
    if isinstance(x, ComposedLayout):
        return type(x.offset) is int and is_numeric(x.layoutB) and is_numeric(x.layoutA)
    return isinstance(x, Swizzle) or (isinstance(x, Layout) and x.numeric)


def _strided(chain: Chain) -> Strided | NotALayout | None:
    try:
        return strided(chain)
    except Undecided:
        return None


def fewest(chain: Chain) -> Any:
    """The chain behind one swizzle where one does it, else as it is."""
    return behind_one(chain) or rebuilt(chain)


def rebuilt(chain: Chain) -> Any:
    """The chain as a layout."""
    found: Any = chain.layout
    for front, offset in reversed(chain.fronts):
        found = ComposedLayout(front, offset, found)
    return found


def behind_one(chain: Chain) -> ComposedLayout | None:
    """The same function as one swizzle, an offset and a layout of the same shape; None where there is none so.

    Every swizzle within the bits of the values is tried, if these are few.
    """
    top = chain.bounds()[-1][1]
    if top.bit_length() > _WIDEST:
        return None
    pairs = _probes(chain)
    for swizzle in swizzles(top.bit_length()):
        if all(_adds_up(swizzle, four) for four in pairs):
            found = _strided(Chain(((swizzle, 0), *chain.fronts), chain.layout))
            if isinstance(found, Strided):
                return ComposedLayout(swizzle, found.base, found.layout(chain.layout.shape))
    return None


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


def _probes(chain: Chain) -> list[tuple[int, int, int, int]]:
    """Values at 0, after one step, after another that is independent of it, and after both."""
    steps, place = [], 1
    for n, size in enumerate(flatten(chain.layout.shape)):
        whole = size & size - 1 == 0
        steps += [(n, whole, place << k) for k in range(size.bit_length() - 1 if whole else 1)]
        place *= size
    pairs = [(a, b) for (m, whole, a), (n, _, b) in combinations(steps, 2) if m != n or whole]
    start = chain(0)
    return [(start, chain(a), chain(b), chain(a + b)) for a, b in pairs[:_PROBES]]


def _adds_up(swizzle: Swizzle, four: tuple[int, int, int, int]) -> bool:
    a, b, c, d = map(swizzle, four)
    return a + d == b + c
