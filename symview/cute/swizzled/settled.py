"""A layout behind swizzles as a layout where it is one, and otherwise behind as few swizzles as do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

from symview.cute.coordinates_behind import in_numbers
from symview.cute.errors import LayoutError
from symview.cute.first_failures import NotALayout
from symview.cute.layout import Layout
from symview.cute.linear.bases import first_overlap
from symview.cute.shape_arithmetic import index_steps
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.cute.swizzled.chain import TABLE, Chain, chain_of
from symview.cute.swizzled.masks import masks_of
from symview.cute.swizzled.straight import Strided, strided
from symview.engine.primes import divisors, prime_factors
from symview.errors import Undecided
from symview.logic.budget import Budget

_WIDE, _WIDEST = 24, 40  # bits within which another swizzle is looked for: to be short, and where it is asked for
_POINTS = 12  # along a mode, at which its values are to add up with others
_FACTORED = 40  # bits of the sizes whose divisors are listed
_ASKED = 2  # swizzles of which a solver is asked
_CHECKED = 8  # of large layouts, swizzles that some values speak for and others against
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


def behind_one(chain: Chain, budget: Budget | None = None) -> ComposedLayout | None:
    """The same function as one swizzle, an offset and a layout of the same shape; None where there is none so.

    Every swizzle within the bits of the values is tried. Undecided where these are many, and where it would take
    a solver and there is no budget.
    """
    top = chain.bounds()[-1][1]
    if top.bit_length() > (_WIDE if budget is None else _WIDEST):
        raise Undecided(f"the values have {top.bit_length()} bits: too many swizzles to be tried")
    if not _is_from_zero(chain):
        return None
    may, seen, open_ones = _filter(chain), 0, []
    for swizzle in (Swizzle(0, 0, 0), *swizzles(top.bit_length())):
        if may(swizzle):
            behind = Chain(((swizzle, 0), *chain.fronts), chain.layout)
            found = _strided(behind)
            if isinstance(found, Strided):
                return ComposedLayout(swizzle, found.base, found.layout(chain.layout.shape))
            open_ones += [behind] if found is None else []
            seen += 1
            if seen > _CHECKED and chain.layout.size() > TABLE:
                raise Undecided(f"{_CHECKED} swizzles that may stand in front of a layout do not, and there are more")
    for behind in open_ones[:_ASKED] if budget is not None else ():
        found = strided(behind, budget)
        if isinstance(found, Strided):
            return ComposedLayout(behind.fronts[0][0], found.base, found.layout(chain.layout.shape))
    if len(open_ones) > (0 if budget is None else _ASKED):
        raise Undecided("whether a swizzle stands in front of a layout takes a solver")
    return None


def _filter(chain: Chain) -> Callable[[Swizzle], bool]:
    """Whether a swizzle may make the values those of a layout: by the bits that they move, or by some of the values."""
    known = masks_of(chain)
    if known is None:
        sums = _sums(chain) if chain.layout.size() > _WALKED else []
        values, modes = _Values(chain), chain.modes()

        places = index_steps(n for n, _ in modes)
        long = [_long(n, place) for (n, step), place in zip(modes, places, strict=True) if n > _WALKED and step]

        def may(swizzle: Swizzle) -> bool:
            move = _moving(swizzle)
            if not _adds_up(move, sums) or not _may_straighten(move, values, modes):
                return False
            return all(mode.may_be_cut(move, values) for mode in long)

        return may
    masks = [b for own in known[1] for b in own]
    return lambda swizzle: first_overlap([swizzle(b) for b in masks]) is None


def _moving(swizzle: Swizzle) -> Callable[[int], int]:
    """The swizzle as a function of numbers that are known to be from 0 on."""
    read, shift = swizzle.yyy_msk, swizzle.shift
    return lambda y: y ^ ((y & read) >> shift if shift > 0 else (y & read) << -shift)


def _sums(chain: Chain) -> list[tuple[int, int, int, int]]:
    """The value at 0, those at two coordinates along two modes, and that at both; a layout's add up."""
    along, place = [], 1
    for size, step in chain.modes():
        if size > 1 and step:
            bits = (size - 1).bit_length()
            points = {size - 1, *[1 << k for k in range(0, bits, -(-bits // _POINTS))]}
            along.append([(x * place, chain(x * place)) for x in sorted(points, reverse=True)])
        place *= size
    start = chain(0)
    return [(start, f, g, chain(x + y)) for one, other in combinations(along, 2) for x, f in one for y, g in other]


def _adds_up(move: Callable[[int], int], sums: list[tuple[int, int, int, int]]) -> bool:
    """Whether the swizzled values do."""
    return all(move(a) + move(d) == move(b) + move(c) for a, b, c, d in sums)


class _Long(NamedTuple):
    """A long mode: how far apart its indices are, some of its coordinates, and the sizes that a first part may have."""

    size: int
    place: int
    some: tuple[int, ...]
    cuts: tuple[int, ...]

    def may_be_cut(self, move: Callable[[int], int], values: _Values) -> bool:
        """Whether these values agree with some parts: each as long as a straight line, and adding up with the rest."""
        start = move(values[0])

        def at(x: int) -> int:
            return move(values[x * self.place]) - start

        step = at(1)
        return not self.cuts or any(
            (n == self.size or at(n) != n * step)
            and all(at(x) == (x * step if x < n else x % n * step + at(x - x % n)) for x in self.some)
            and (n == self.size or _long(self.size // n, self.place * n).may_be_cut(move, values))
            for n in self.cuts[1:]
        )


@lru_cache(1 << 8)
def _long(size: int, place: int) -> _Long:
    bits = (size - 1).bit_length()
    some = {x for k in range(1, bits) for x in ((1 << k) + 1, 3 << k - 1, size - (1 << k)) if 0 < x < size}
    return _Long(size, place, tuple(sorted(some)), tuple(divisors(prime_factors(size))) if bits <= _FACTORED else ())


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


def _may_straighten(move: Callable[[int], int], values: _Values, modes: list[tuple[int, int]]) -> bool:
    """Whether the moved values may be strided: no for sure, or as far as a walk of bounded length tells."""

    def at(index: int) -> int:
        return move(values[index])

    base, parts, place, walked = at(0), [], 1, 0
    for size, step in modes:
        end = place * size
        if step == 0:
            parts.append((size, 0))
            place = end
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
