"""Left inverses of layouts of one open size n, by what n is modulo a number, small n by numbers.

See `classes` for those that are found, `small_values` and `increments` for that there are none.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, islice
from math import gcd, lcm
from typing import Any

from symview.cute.comparer import rounded_down
from symview.cute.errors import NoAnswer
from symview.cute.int_tuple import is_int
from symview.cute.inverse import left_inverse
from symview.cute.inverse_search import takes_back
from symview.cute.layout import Layout
from symview.cute.modes import assembled, coalesced
from symview.cute.symbols.forms import form_of
from symview.cute.symbols.left_inverses import increments
from symview.cute.symbols.left_inverses.classes import HUGE, Classes, digits_of
from symview.cute.symbols.left_inverses.small_values import none_above
from symview.cute.symbols.question import put
from symview.errors import Undecided
from symview.logic.budget import Budget
from symview.logic.polynomial import ONE

_STRIDE, _MODULUS = 64, 64  # the largest of the mode along which classes are; remainders of n
_TRIED = 64  # sets of places far up
_WORK = Budget(work=300_000)
_BUDGET = Budget(work=20_000, points=2_000)  # for each n


@dataclass(frozen=True, slots=True)
class ForMost:
    """A layout for all n of a remainder: its entries as polynomials in the quotient; right from that n on."""

    modulus: int
    rest: int
    modes: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    start: int

    def at(self, n: int) -> Layout:
        """The layout with a number for n."""
        base = n // self.modulus
        a, b = ([sum([d * base**k for k, d in enumerate(x)]) for x in side] for side in zip(*self.modes, strict=True))
        return assembled([*zip(a, b, strict=True)])

    def in_symbols(self, n: Any) -> Layout:
        """The layout with a symbol for n."""

        def entry(digits: Sequence[int]) -> Any:
            if not any(digits[1:]):
                return digits[0]
            top = sum([d * (n - self.rest) ** k * self.modulus ** (2 - k) for k, d in enumerate(digits)]).expand()
            return rounded_down(top, self.modulus**2)

        return assembled(coalesced([(entry(a), entry(b)) for a, b in self.modes]))


@dataclass(frozen=True, slots=True)
class Way:
    """Along which mode, mod how many of its strides; `across`: with so many steps of the last mode; places far up."""

    mode: int
    many: int = 1
    across: int = 0
    far: int = 0

    def modulus(self, layout: Layout) -> int:
        """What n is to be known modulo, so that the classes are; 0 where there are none."""
        (name,), strides = layout.symbols(), [d for _, d in layout.flat()]
        if not is_int(strides[self.mode]) or (self.across and not is_int(strides[-1])):
            return 0
        stride = strides[self.mode] * self.many + (self.across and self.across * strides[-1])
        return stride // gcd(stride, *[form_of(d).get((name,), 0) for d in strides]) if 0 < stride <= _STRIDE else 0

    def inverse(self, layout: Layout, rest: int, budget: Budget) -> ForMost | None:
        """A left inverse for all n of a remainder from some on, with few n before."""
        (name,), modulus = layout.symbols(), self.modulus(layout)
        modes = put(layout, {name: modulus * HUGE + rest}).flat()
        if self.across:
            found = Classes.across(modes, self.mode, self.across)
        else:
            found = Classes.along(modes, self.mode, self.many)
        best = None
        for far in islice(found.far_places(self.far), _TRIED) if found else ():
            for inverse in found.inverses(far, budget) if found else ():
                parts = [(a, b) for x, y in inverse if (a := digits_of(x)) and (b := digits_of(y))]
                start = max(modulus * found.start(far), found.stride) if found else 0
                if len(parts) == len(inverse) and (best is None or start < best.start):
                    best = ForMost(modulus, rest, tuple(parts), start)
        return best


def _ways(layout: Layout) -> list[Way]:
    """The ways that are tried, in that order."""
    at, last = next(k for k, (size, _) in enumerate(layout.flat()) if not is_int(size)), len(layout.flat()) - 1
    plain = [Way(last), Way(at)]
    across = [Way(at, across=k) for k in (1, 2, 3) if at < last and layout.flat()[last][1] != 0]
    far = [Way(at, far=count) for count in (1, 2) if at < last]
    twice = [Way(last, 2), *[Way(at, 2, far=count) for count in range(3 if at < last else 1)]]
    return [*plain, *across, *far, *twice]


@dataclass(frozen=True, slots=True)
class Size:
    """For n of some remainders, a left inverse, or that there is none: but for a few n, where numbers decide."""

    rests: tuple[int, ...]
    inverse: Layout | None
    few: tuple[int, ...]


@lru_cache(maxsize=512)
def inverses_of_size(layout: Layout) -> tuple[int, tuple[Size, ...]]:
    """What n is to be known modulo, and what is found for some of the remainders; nothing of other layouts.

    >>> modulus, found = inverses_of_size(Layout.parse("(n,4):(4,n)"))
    >>> for size in found:
    ...     print(size.rests, size.inverse, size.few)
    (0,) (4,n//4,7):(0,1,n) ()
    (1,) (2,2,2):((3*n + 1)//4,(3*n + 1)//2,1) ()
    (2,) (2,2,n,2):(0,(3*n + 2)//4,1,5*n//2) ()
    (3,) None (3,)
    """
    if not _has_one_size(layout):
        return 1, ()
    ((name, n),) = layout.symbols().items()
    above = none_above(put(layout, {name: HUGE}).flat())
    if above is not None:
        return 1, (Size((0,), None, tuple([k for k in range(1, above) if not _has_none(put(layout, {name: k}))])),)
    budget, numbers = _WORK.started(), increments.sized(layout)
    moduli = {way: way.modulus(layout) for way in _ways(layout)}
    modulus = lcm(*[m for way, m in moduli.items() if m and way.many == 1 and not way.across])
    ways = {way: m for way, m in moduli.items() if m and modulus % m == 0}

    @cache
    def inverse(way: Way, rest: int) -> ForMost | None:
        return way.inverse(layout, rest, budget)

    found: dict[Layout | None, dict[int, list[int]]] = {}
    with suppress(Undecided):
        for rest in range(modulus) if modulus <= _MODULUS else ():
            start = increments.none_from(numbers, rest) if numbers and numbers.stride <= _STRIDE else None
            each = (inverse(way, rest % m) for way, m in ways.items())
            one = None if start else next((one for one in each if one is not None), None)
            if start or one:
                below = {
                    k: put(layout, {name: k}) for k in range(rest or modulus, one.start if one else start or 0, modulus)
                }
                few = [k for k, x in below.items() if not (_right(x, one.at(k)) if one else _has_none(x))]
                found.setdefault(one.in_symbols(n) if one else None, {})[rest] = few
    return modulus, tuple([_size(inverse, same) for inverse, same in found.items()])


def _size(inverse: Layout | None, few: dict[int, list[int]]) -> Size:
    return Size(tuple(few), inverse, tuple(sorted(chain.from_iterable(few.values()))))


def _has_one_size(layout: Layout) -> bool:
    """Whether one size is a symbol, the only one, and each stride a number and a multiple of it, none below 0."""
    if len(layout.symbols()) != 1:
        return False
    (name,) = layout.symbols()
    open_sizes = [n for n, _ in layout.flat() if not is_int(n)]
    forms = [form_of(d) for _, d in layout.flat()]
    return (
        [form_of(n) for n in open_sizes] == [{(name,): 1}]
        and all({*form} <= {(name,), ONE} for form in forms)
        and all((form.get((name,), 0), form.get(ONE, 0)) >= (0, 0) for form in forms)
    )


def _right(layout: Layout, inverse: Layout) -> bool:
    return all(size > 0 for size, _ in inverse.flat()) and takes_back(inverse, layout, _BUDGET.started())


def _has_none(layout: Layout) -> bool:
    """Whether numbers tell that there is none."""
    try:
        left_inverse(layout, _BUDGET.started())
    except NoAnswer:
        return True
    except Undecided:
        return False
    return False
