"""Left inverses of layouts whose strides are multiples c_j·k of one unknown k, for every k exactly.

A layout K with places p and p·M_1 | p·M_2 | …, of stride 0 below p, has at m·k the value that its rest, with
places 1, M_1, M_2, …, has at floor(m·k/p). So whether K is right depends on k/p alone, and K is right for k/p in
an interval that is open above. For every k from some k0 on an integer p puts k/p there, and the numbers below k0
are asked one by one. Some K of that form is right for all k that are large: of the floors of m/q, for q from 1 up
to the largest m, whole combinations have any values wanted at all m, and digits far apart read one floor each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor

from symview.cute.errors import NoAnswer
from symview.cute.inverse import left_inverse
from symview.cute.layout import Layout
from symview.cute.modes import assembled
from symview.errors import Undecided
from symview.logic.budget import Budget

_MOST = 96  # values of k that are asked one by one
_WORK = 1_500_000  # for all of these
_POINTS = 40_000  # for each
_VALUES, _LISTED = 1 << 10, 1 << 14
_STEPS = 64  # neighbours by which an interval is widened
_FAR = 1 << 20


@dataclass(frozen=True, slots=True)
class Scaled:
    """What stands behind the first place p, and where it is right: for low <= k/p < high.

    >>> one = Scaled(Fraction(4, 3), Fraction(3, 2), Layout((2, 3), (1, 1)))
    >>> [(k, one.place(k)) for k in range(1, 12) if one.covers(k)]
    [(4, 3), (7, 5), (8, 6), (10, 7), (11, 8)]
    """

    low: Fraction
    high: Fraction
    rest: Layout

    def place(self, k: int) -> int:
        """The largest p that is not too large."""
        return floor(k / self.low)

    def covers(self, k: int) -> bool:
        """Whether some p is right for this k."""
        return self.place(k) * self.high > k

    def last(self) -> int:
        """The last k that is not covered: from low·high/(high - low) on all are, as some integer is in between."""
        surely = ceil(self.low * self.high / (self.high - self.low))
        return surely if surely > _FAR else next((k for k in range(surely, 0, -1) if not self.covers(k)), 0)


@dataclass(frozen=True, slots=True)
class Multiples:
    """The left inverses for all k: those that are right for few k, then one that is right for most.

    `never`: where there is none. `settled`: the first is right wherever nothing else is said; if not, where it covers.
    """

    most: Scaled
    few: tuple[tuple[Scaled, tuple[int, ...]], ...]
    never: tuple[int, ...]
    settled: bool


@lru_cache(maxsize=512)
def inverses_of_multiples(layout: Layout) -> Multiples | None:
    """The left inverses of the layout with all strides times k, for k from 1 on; None where no k has one that is found.

    >>> found = inverses_of_multiples(Layout((3, 3), (2, 3)))
    >>> found.never, found.settled
    ((1, 2, 3, 5, 9), True)
    >>> [found.most.place(k) for k in (12, 13)], str(found.most.rest), [ks for _, ks in found.few]
    ([10, 11], '(2,3,3):(2,1,4)', [(4, 8, 15), (10,)])
    """
    if layout.size() > _LISTED:
        return None
    values = {layout(x) for x in range(layout.size())} - {0}
    if len(values) > _VALUES:
        return None
    budget = Budget(work=_WORK, points=_POINTS).started()
    families, never, opened = list[Scaled](), list[int](), list[int]()
    most, last, k = None, _MOST, 0
    while k < last:
        k += 1
        if any(one.covers(k) for one in families):
            continue
        try:
            families.append(_widened(left_inverse(_times(layout, k), budget), layout, values, k))
        except NoAnswer:
            never.append(k)
        except Undecided:
            opened.append(k)
        else:
            most = min(families, key=Scaled.last)
            last = min(most.last(), _MOST)
    if most is None:
        return None
    left = [k for k in range(1, last + 1) if not most.covers(k) and any(one.covers(k) for one in families)]
    opened = [k for k in opened if k not in left and not most.covers(k)]
    return Multiples(most, tuple(_fewest(left, families)), tuple(never), most.last() <= _MOST and not opened)


def _times(layout: Layout, k: int) -> Layout:
    return assembled([(n, d * k) for n, d in layout.flat()])


def _fewest(left: Sequence[int], families: Sequence[Scaled]) -> Iterator[tuple[Scaled, tuple[int, ...]]]:
    """Families for all these k, in turn the one that covers most of those left."""
    while left:
        covered = {one: tuple([k for k in left if one.covers(k)]) for one in families}
        best = max(covered, key=lambda one: len(covered[one]))
        yield best, covered[best]
        left = [k for k in left if k not in covered[best]]


def _widened(inverse: Layout, layout: Layout, values: set[int], k: int) -> Scaled:
    """The left inverse at k, and the interval around k/p where its rest is right, in steps at which a floor changes."""
    modes = inverse.flat()
    behind = len(modes) > 1 and modes[0][1] == 0
    rest = assembled(modes[1:]) if behind else inverse
    there = low = high = Fraction(k, modes[0][0] if behind else 1)

    def right(floors: dict[int, int]) -> bool:
        back = {m: rest(x) for m, x in floors.items()}
        return all(x >= 0 and layout(x) == m for m, x in back.items())

    for _ in range(_STEPS):
        floors = {m: floor(m * high) for m in values}
        if not right(floors):
            break
        high = min(Fraction(x + 1, m) for m, x in floors.items())
    low = max(Fraction(floor(m * there), m) for m in values)
    for _ in range(_STEPS):
        floors = {m: ceil(m * low) - 1 for m in values}
        below = max(Fraction(x, m) for m, x in floors.items())
        if below <= 0 or not right(floors):
            break
        low = below
    whole = [x for x in (there, Fraction(1, floor(1 / low) or 1)) if x.numerator == 1 and low <= x < high]
    return Scaled(whole[0] if whole else low, high, rest)  # with whole multiples of k as p, it is right for all k
