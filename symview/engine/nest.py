"""Several views in a row: the composition as linear forms over the index and the quotients on the way.

Every view that is looked through unravels an address: one quotient floor(x/P) for each of its
boundaries. Over the index and these quotients, addresses, digits and masks are linear.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import NamedTuple

from symview.engine import presburger
from symview.engine.budget import DEFAULT, Budget
from symview.engine.index_map import Index, IndexMap, by_sum
from symview.engine.radix import place_values
from symview.engine.valid_box import Region
from symview.errors import Undecided

_WALKED = 2_000
_CORNER_AXES = 5
_RANDOM_POINTS = 16


class Level(NamedTuple):
    """A concrete view that is looked through: every dim with its bounds of valid digits, or nothing valid."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int
    bounds: tuple[tuple[int, int], ...]
    void: bool = False


class Form(NamedTuple):
    """Σ coefficients·variables + constant; variables beyond the given coefficients count 0."""

    coefficients: tuple[int, ...]
    constant: int

    def row(self, width: int) -> presburger.Row:
        """The form as a row of a system with that many variables."""
        return (*self.coefficients, *(0,) * (width - len(self.coefficients)), self.constant)

    def plus(self, other: Form, times: int = 1) -> Form:
        """The form plus a multiple of another."""
        width = max(len(self.coefficients), len(other.coefficients))
        a, b = self.row(width), other.row(width)
        total = [x + times * y for x, y in zip(a, b, strict=True)]
        return Form(tuple(total[:-1]), total[-1])

    def shifted(self, by: int) -> Form:
        """The form plus a constant."""
        return Form(self.coefficients, self.constant + by)

    def negated(self) -> Form:
        """The form with the other sign."""
        return Form(tuple([-c for c in self.coefficients]), -self.constant)


class Nest:
    """Levels v_1, …, v_m, looked at through an innermost address map on a box.

    The composition at an index is the address of v_1; the index is valid where every digit of
    every level is within its bounds. All addresses are in bounds.
    """

    def __init__(self, levels: Sequence[Level], box: IndexMap) -> None:
        self.levels, self.box = tuple(levels), box
        self.rows: list[Form] = []
        self.valid: list[Form] = []
        self.hidden = 0
        self.address = Form(box.steps, box.start)
        for level in reversed(self.levels):
            self.address = self._through(level, self.address)

    def _through(self, level: Level, address: Form) -> Form:
        """The address of a level at the digits of an address in its shape."""
        if level.void:
            self.valid.append(Form((), -1))
        result = Form((), level.offset)
        before: Form | None = None
        for size, stride, place, (low, high) in zip(
            level.shape, level.strides, place_values(level.shape), level.bounds, strict=True
        ):
            if size == 1:
                continue
            quotient = address if place == 1 else self._quotient(address, place)
            digit = quotient if before is None else quotient.plus(before, -size)
            before = quotient
            if low > 0:
                self.valid.append(digit.shifted(-low))
            if high < size:
                self.valid.append(digit.negated().shifted(high - 1))
            result = result.plus(digit, stride)
        return result

    def _quotient(self, address: Form, place: int) -> Form:
        width = len(self.box.sizes) + self.hidden
        self.hidden += 1
        quotient = Form((*(0,) * width, 1), 0)
        rest = address.plus(quotient, -place)
        self.rows += [rest, rest.negated().shifted(place - 1)]
        return quotient

    def at(self, index: Sequence[int]) -> int | None:
        """The composition at an index, None where it is not valid."""
        address = self.box.at(index)
        for level in reversed(self.levels):
            if level.void:
                return None
            total, rest = level.offset, address
            for size, stride, (low, high) in zip(
                reversed(level.shape), reversed(level.strides), reversed(level.bounds), strict=True
            ):
                rest, digit = divmod(rest, size)
                if not low <= digit < high:
                    return None
                total += digit * stride
            address = total
        return address

    def system(
        self, sizes: tuple[int, ...], extra: Sequence[Form] = (), branches: Sequence[Sequence[Form]] = ((),)
    ) -> presburger.System:
        """The indices of a box from the low corner on, with further forms that are 0 or more."""
        width = len(self.box.sizes) + self.hidden
        rows = tuple([f.row(width) for f in (*self.rows, *extra)])
        alternatives = tuple([tuple([f.row(width) for f in branch]) for branch in branches])
        return presburger.System(sizes, self.hidden, rows, alternatives)

    def moved(self, lows: Sequence[int], sizes: Sequence[int]) -> Nest:
        """The same on a smaller box."""
        return Nest(self.levels, IndexMap(tuple(sizes), self.box.steps, self.box.at(lows)))


class Uneven(NamedTuple):
    """Why the composition is no single view: the index, in coordinates of the nest's box, and how."""

    kind: str
    witness: Index
    expected: int | None
    got: int | None


class Even(NamedTuple):
    """The composition is `start` at the low corner of the region and moves by `steps`; elsewhere not valid."""

    region: Region
    steps: tuple[int, ...]
    start: int


def decide_nest(nest: Nest, budget: Budget = DEFAULT) -> Even | Uneven | None:
    """Whether a nest is one masked view; None where no index is valid. Exact.

    The smallest index of the kind found is reported. Raises Undecided when the budget ends.
    """
    if 0 in nest.box.sizes:
        return None
    first = _least(nest, nest.box.sizes, nest.valid, ((),), budget)
    if first is None:
        return None
    region = _around(nest, first, budget)
    inner = nest.moved(region.lows, region.box.sizes)
    wrong = _least(inner, region.box.sizes, (), [[f.negated().shifted(-1)] for f in inner.valid], budget)
    if wrong is not None:
        return Uneven("inside", region.original(wrong), None, None)
    missed = _outside(nest, region, budget)
    if missed is not None:
        return Uneven("outside", missed, None, nest.at(missed))
    return _affine(inner, region, budget)


def _affine(inner: Nest, region: Region, budget: Budget) -> Even | Uneven:
    rank = len(region.box.sizes)
    zero = (0,) * rank
    start = _valid(inner.at(zero))
    steps = tuple(
        [_valid(inner.at(_unit(a, rank))) - start if n > 1 else 0 for a, n in enumerate(region.box.sizes)]
    )
    bent = inner.address.plus(Form(steps, start), -1)
    branches = [[bent.shifted(-1)], [bent.negated().shifted(-1)]]
    found = _least(inner, region.box.sizes, (), branches, budget)
    if found is None:
        return Even(region, steps, start)
    expected = start + sum(i * t for i, t in zip(found, steps, strict=True))
    return Uneven("bent", region.original(found), expected, inner.at(found))


def _least(
    nest: Nest, sizes: tuple[int, ...], extra: Sequence[Form], branches: Sequence[Sequence[Form]], budget: Budget
) -> Index | None:
    """The smallest index of the box at which all extra forms, and one branch, are 0 or more."""
    if not branches:
        return None
    return presburger.least(nest.system(sizes, extra, branches), budget)


def _around(nest: Nest, index: Index, budget: Budget) -> Region:
    """How far each axis alone stays valid upwards from the smallest valid index."""
    region = Region((0,) * len(index), nest.box)
    for axis, i in enumerate(index):
        room = nest.box.sizes[axis] - 1 - i
        line = nest.moved(index, [room + 1 if a == axis else 1 for a in range(len(index))])
        branches = [[f.negated().shifted(-1)] for f in line.valid]
        stop = _least(line, line.box.sizes, (), branches, budget)
        last = i + room if stop is None else i + stop[axis] - 1
        region = region.cut(axis, i, last)
    return region


def _outside(nest: Nest, region: Region, budget: Budget) -> Index | None:
    """The smallest valid index outside the region."""
    best: Index | None = None
    for axis, (low, size) in enumerate(zip(region.lows, region.box.sizes, strict=True)):
        unit = Form(_unit(axis, len(region.lows)), 0)
        sides = [[unit.negated().shifted(low - 1)], [unit.shifted(-low - size)]]
        found = _least(nest, nest.box.sizes, nest.valid, sides, budget)
        if found is not None and (best is None or (sum(found), found) < (sum(best), best)):
            best = found
    return best


def _unit(axis: int, rank: int) -> Index:
    return tuple([int(a == axis) for a in range(rank)])


def _valid(address: int | None) -> int:
    if address is None:
        raise Undecided("an index of the valid box is not valid")
    return address


def difference(a: Nest, b: Nest, budget: Budget = DEFAULT) -> Index | None:
    """The smallest index at which two nests on boxes of one shape differ, None where they mean the same.

    Exact. Raises Undecided when the budget ends.
    """
    sizes = a.box.sizes
    if 0 in sizes:
        return None
    for index in _probes(sizes):
        if a.at(index) != b.at(index):
            return _smallest_difference(a, b, budget)
    if prod(sizes) <= _WALKED:
        return next((i for i in by_sum(sizes) if a.at(i) != b.at(i)), None)
    return _smallest_difference(a, b, budget)


def _smallest_difference(a: Nest, b: Nest, budget: Budget) -> Index | None:
    sizes, rank = a.box.sizes, len(a.box.sizes)
    seen = next((i for i, _ in zip(by_sum(sizes), range(_WALKED), strict=False) if a.at(i) != b.at(i)), None)
    if seen is not None:
        return seen
    width = a.hidden
    shifted = _Shift(rank, width)
    rows = [*a.rows, *map(shifted, b.rows)]
    valid_b = [shifted(f) for f in b.valid]
    apart = a.address.plus(shifted(b.address), -1)
    branches = [
        *[[*a.valid, *valid_b, side] for side in (apart.shifted(-1), apart.negated().shifted(-1))],
        *[[*a.valid, f.negated().shifted(-1)] for f in valid_b],
        *[[*valid_b, f.negated().shifted(-1)] for f in a.valid],
    ]
    total = rank + width + b.hidden
    system = presburger.System(
        sizes,
        width + b.hidden,
        tuple([f.row(total) for f in rows]),
        tuple([tuple([f.row(total) for f in branch]) for branch in branches]),
    )
    return presburger.least(system, budget)


class _Shift:
    """Moves the hidden variables of a form behind those of another nest."""

    def __init__(self, rank: int, by: int) -> None:
        self.rank, self.by = rank, by

    def __call__(self, form: Form) -> Form:
        given = (*form.coefficients, *(0,) * (self.rank - len(form.coefficients)))
        return Form((*given[: self.rank], *(0,) * self.by, *given[self.rank :]), form.constant)


def _probes(sizes: Sequence[int]) -> Iterator[Index]:
    """A few indices at which a difference is likely to show."""
    if len(sizes) <= _CORNER_AXES:
        yield from product(*[sorted({0, n // 2, n - 1}) for n in sizes])
    rng = random.Random(0)
    for _ in range(_RANDOM_POINTS):
        yield tuple([rng.randrange(n) for n in sizes])
