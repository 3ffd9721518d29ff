"""Left inverses of layouts of one open size n, for all n from some on, by the classes of their values.

Along a mode of stride c, each step of which is w indices, the values of one class mod c stand at w·⌊v/c⌋ + R, as far
as the mode reaches: an R for each choice of the other coordinates. So K(v) = w·⌊v/c⌋ + k(v mod c) + f_1·⌊v/Q_1⌋ + … is
a left inverse if for each class, and between any two multiples of the places Q_1 | Q_2 | … of n's size, the sum of the
last terms is an R of that class, right for all values there. It is a layout if k is linear in digits of v mod c, and c
divides Q_1. So what is to be found are primes of c in turn, and places, for which some equations have a solution.

A step along that mode and some along the last one, which goes on, is a step of another stride and as good: the index
of a value then stays below n for all values, so no places Q are needed where n is not small.

All that is done for one n so huge that its multiples, powers, and the numbers beside them are told apart, as digits of
base n: what they are, and how they compare, is then so for all n from some on, of the same remainder.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, pairwise, permutations, product
from math import prod

from symview.cute.modes import Modes
from symview.engine.primes import prime_factors
from symview.errors import Undecided
from symview.logic.budget import Budget

HUGE = 2**89 - 1  # the base
SMALL = 1 << 30  # digits are below
_ENDLESS = HUGE**3
_CHOICES = 1 << 8  # of the other coordinates
_CROSSING = 1 << 10  # of these, and of the mode
_PIECES = 40  # between multiples of the first place
_SOLVED = 500  # choices of indices for one set of places

Intervals = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Classes:
    """The values of a layout by classes mod the stride of one of its modes, each from a first to a last one.

    `values`: those of the layout; `stands`: for each R those that stand at step·⌊v/stride⌋ + R, the last mode extended.
    """

    stride: int
    step: int
    values: dict[int, Intervals]
    stands: dict[int, dict[int, Intervals]]

    @staticmethod
    def along(modes: Modes, at: int, many: int) -> Classes | None:
        """Those mod so many strides of the mode of that number; None where the others have too many coordinates."""
        (size, each), last = modes[at], len(modes) - 1
        stride = each * many
        ends = [size for size, _ in modes]
        if at < last and modes[last][1]:
            top = sum([(n - 1) * d for n, d in modes])
            ends[last] += min(top // modes[last][1] + 1 - ends[last], stride)
        ends = [many if k == at else min(n, stride) if n > SMALL else n for k, n in enumerate(ends)]
        if prod(ends) > _CHOICES:
            return None
        step = many * prod([n for n, _ in modes[:at]])
        top = each * (size - 1)
        values: dict[int, Intervals] = {}
        stands: dict[int, dict[int, Intervals]] = {}
        for x, low, before in _standing(modes, ends, stride, step):
            there = low, low % stride + _ENDLESS if at == last else low + (top - each * x[at]) // stride * stride
            stands.setdefault(low % stride, {}).setdefault(before, []).append(there)
            if all(i < n for k, (i, (n, _)) in enumerate(zip(x, modes, strict=True)) if k != at):
                values.setdefault(low % stride, []).append(there)
        joined = {rest: _joined(found, stride) for rest, found in values.items()}
        return Classes(stride, step, joined, _where(stands, values, stride))

    @staticmethod
    def across(modes: Modes, at: int, times: int) -> Classes | None:
        """Those mod a step along the mode of that number, and so many along the last one, which goes on."""
        (size, each), (_, further) = modes[at], modes[-1]
        stride = each + times * further
        step = prod([n for n, _ in modes[:at]]) + times * prod([n for n, _ in modes[:-1]])
        ends = [*[min(n, stride) if n > SMALL else n for n, _ in modes[:-1]], max(modes[-1][0], times)]
        if prod(ends) > _CROSSING:
            return None
        top = sum([(n - 1) * d for n, d in modes])
        values: dict[int, Intervals] = {}
        stands: dict[int, dict[int, Intervals]] = {}
        for x, low, before in _standing(modes, ends, stride, step):
            there = low, low + stride * (size - 1 - x[at])
            stands.setdefault(low % stride, {}).setdefault(before, []).append(there)
            if x[-1] < modes[-1][0]:
                least = min(low, values.get(low % stride, [(low, 0)])[0][0])
                values[low % stride] = [(least, least + (top - least) // stride * stride)]
        return Classes(stride, step, values, _where(stands, values, stride))

    def right(self, rest: int, low: int, high: int) -> list[int] | None:
        """Each R that is right for all values of a class from low to below high; None where there are no such values.

        Both are multiples of the stride.
        """
        first, last = low + rest, high + rest - self.stride
        wanted = [(max(a, first), min(b, last)) for a, b in self.values[rest] if max(a, first) <= min(b, last)]
        if not wanted:
            return None
        return [r for r, there in self.stands[rest].items()
                if all(any(x <= a and b <= y for x, y in there) for a, b in wanted)]  # fmt: skip

    def rows(self, far: Sequence[int], budget: Budget) -> list[tuple[int, list[int], list[int]]]:
        """For each class between two multiples of the places: how many there are of each below, and what is right.

        No rows where nothing is right for one of them, or where these are many.
        """
        top = self._top() if far else 0
        if far and top // far[0] >= _PIECES:
            return []
        cuts = [far[0] * k for k in range(top // far[0] + 1)] if far else [0]
        found = []
        for low, high in pairwise([*cuts, _ENDLESS + self.stride]):
            for rest in self.values:
                budget.spend(len(self.stands[rest]) + 1)
                choices = self.right(rest, low, high)
                if choices is not None:
                    found.append((rest, [low // q for q in far], choices))
                    if not choices:
                        return []
        return found

    def inverses(self, far: Sequence[int], budget: Budget) -> Iterator[Modes]:
        """The layouts found with these places far up, and primes of the stride in turn; the last mode goes on."""
        known = self.rows(far, budget)
        for primes in sorted({*permutations(prime_factors(self.stride))}) if known else ():
            places = [prod(primes[:k]) for k in range(len(primes))]
            rows = [([*[rest // place % p for place, p in zip(places, primes, strict=True)], *above], choices)
                    for rest, above, choices in known]  # fmt: skip
            for found in islice(_solutions(rows, len(primes) + len(far), budget), 1):
                steps = [*zip(far, found[len(primes) :], strict=True)]
                strides = [
                    self.step * (place // self.stride) + sum([f * (place // q) for q, f in steps]) for place in far
                ]
                sizes = [b // a for a, b in pairwise([*places, self.stride, *far])]
                last = max(self._top() // far[-1] + 1, 2) if far else 2
                yield [*zip([*sizes, last], [*found[: len(primes)], self.step, *strides], strict=True)]

    def far_places(self, count: int) -> Iterator[tuple[int, ...]]:
        """So many places far up where an R begins or ends to be right."""
        if not count:
            yield ()
            return
        bounds = {x for each in self.stands.values() for found in each.values() for a, b in found for x in (a, b)}
        near = sorted({x // self.stride * self.stride + more for x in bounds for more in (0, self.stride)})
        far, most = [x for x in near if SMALL < x < _ENDLESS], self._first()
        if count == 1:
            yield from ((x,) for x in far if x <= most)
            return
        for x, k in product(far, range(2, 9)):
            if x // self.stride % k == 0 and x // k <= most:
                yield x // k, x
            if x <= most:
                yield x, x * k

    def _first(self) -> int:
        """The largest number such that in each class one R is right for all values below it."""
        found = []
        for rest, values in self.values.items():
            ends = [b for r in self.stands[rest].values() for a, b in r if a == values[0][0]]
            end = max(ends) + self.stride
            found.append(next((max(low, end) for low, high in values if high >= end), _ENDLESS))
        return min(found)

    def start(self, far: Sequence[int]) -> int:
        """The least number found for the base from which on it is right that a layout with these places is."""
        cuts = [far[0] * k for k in range(1, self._top() // far[0] + 2)] if far else []
        start = 0
        for rest, values in self.values.items():
            ends = [x for found in (values, *self.stands[rest].values()) for a, b in found for x in (a, b)]
            more = [x + self.stride for x in ends] + [q + rest - x for q in cuts for x in (0, self.stride)]
            start = max(start, _ordered_from([*ends, *more]))
        return start

    def _top(self) -> int:
        return max([b for found in self.values.values() for _, b in found])


def _standing(modes: Modes, ends: Sequence[int], stride: int, step: int) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """The coordinates below these ends, each with its value v, and the R of the index step·⌊v/stride⌋ + R."""
    steps = [prod([n for n, _ in modes[:k]]) for k in range(len(modes))]
    for x in product(*map(range, ends)):
        value = sum([i * d for i, (_, d) in zip(x, modes, strict=True)])
        yield x, value, sum([i * w for i, w in zip(x, steps, strict=True)]) - step * (value // stride)


def _where(
    stands: dict[int, dict[int, Intervals]], values: dict[int, Intervals], stride: int
) -> dict[int, dict[int, Intervals]]:
    """Where each R is right, of the classes in which there are values."""
    return {rest: {r: _joined(found, stride) for r, found in stands[rest].items()} for rest in values}


def _joined(intervals: Intervals, stride: int) -> Intervals:
    """Intervals of numbers so far apart, those that meet as one."""
    found: Intervals = []
    for low, high in sorted(intervals):
        if found and low <= found[-1][1] + stride:
            found[-1] = found[-1][0], max(high, found[-1][1])
        else:
            found.append((low, high))
    return found


def _solutions(rows: list[tuple[list[int], list[int]]], count: int, budget: Budget) -> Iterator[list[int]]:
    """Integers whose sums with the coefficients of each row are one of the choices there; no fractions of n."""
    rows = sorted(rows, key=lambda row: len(row[1]))
    tried = 0

    def following(k: int, solved: list[tuple[int, list[Fraction], Fraction]]) -> Iterator[list[int]]:
        nonlocal tried
        if k == len(rows):
            yield from _whole(solved, count)
            return
        budget.spend(4 * count * (len(solved) + 1))
        row = [Fraction(x) for x in rows[k][0]]
        less: list[tuple[Fraction, Fraction]] = []
        for j, other, right in solved:
            if factor := row[j] / other[j]:
                row = [a - factor * b for a, b in zip(row, other, strict=True)]
                less.append((factor, right))
        taken = sum([factor * right for factor, right in less], Fraction(0))
        pivot = min((j for j in range(count) if row[j]), key=lambda j: abs(row[j]), default=None)
        for choice in rows[k][1]:
            tried += 1
            if tried > _SOLVED:
                return
            if pivot is not None:
                yield from following(k + 1, [*solved, (pivot, row, choice - taken)])
            elif choice == taken:
                yield from following(k + 1, solved)

    return following(0, [])


def _whole(solved: Sequence[tuple[int, list[Fraction], Fraction]], count: int) -> Iterator[list[int]]:
    """The solution in which what is free is 0, if its parts are polynomials in n of integers."""
    found = [Fraction(0)] * count
    for j, row, right in reversed(solved):
        found[j] = (right - sum([a * x for k, (a, x) in enumerate(zip(row, found, strict=True)) if k != j])) / row[j]
    if all(x.denominator == 1 and digits_of(int(x)) is not None for x in found):
        yield [int(x) for x in found]


def digits_of(x: int) -> tuple[int, ...] | None:
    """The coefficients of a polynomial of degree 2 at the huge number, from that of degree 0; None where not small.

    >>> digits_of(3 * HUGE - 2), digits_of((HUGE + 1) // 2)
    ((-2, 3, 0), None)
    """
    found = []
    for _ in range(3):
        found.append((x + HUGE // 2) % HUGE - HUGE // 2)
        x = (x - found[-1]) // HUGE
    return None if x or any(abs(d) > SMALL for d in found) else tuple(found)


def _ordered_from(numbers: Sequence[int]) -> int:
    """The least base from which on these numbers have one order; those without end aside."""
    found = 0
    for low, high in pairwise(sorted({x for x in numbers if x < _ENDLESS})):
        gap = digits_of(high - low)
        if gap is None:
            raise Undecided("numbers are not small beside the base")
        found = max(found, -gap[0] // gap[1] + 1 if gap[1] else 0)
    return found
