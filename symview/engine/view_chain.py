"""Several views in a row: the composition as linear forms over the index and the quotients on the way.

Every view that is looked through unravels an address: one quotient floor(x/P) for each of its
boundaries. Over the index and these quotients, addresses, digits and masks are linear.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from operator import mul
from typing import NamedTuple

from symview.engine import presburger
from symview.engine.index_map import Index, IndexMap, by_sum
from symview.engine.radix import place_values
from symview.engine.row_space import Row, unit
from symview.engine.valid_box import FEW, Region, Search
from symview.errors import Undecided
from symview.logic.budget import DEFAULT, Budget

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

    def row(self, width: int) -> Row:
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

    def negative(self) -> Form:
        """The form that is 0 or more where this one is not."""
        return Form(tuple([-c for c in self.coefficients]), -self.constant - 1)

    def nonzero(self) -> tuple[tuple[Form], tuple[Form]]:
        """Two branches, in one of which a form is 0 or more where this one is not 0."""
        return (self.shifted(-1),), (self.negative(),)


class ViewChain:
    """Levels v_1, …, v_m, looked at through an innermost address map on a box.

    The composition at an index is the address of v_1; the index is valid where every digit of
    every level is within its bounds. All addresses are in bounds.
    """

    def __init__(self, levels: Sequence[Level], box: IndexMap) -> None:
        self.levels, self.box = tuple(levels), box
        self.rows: list[Form] = []
        self.valid_forms: list[Form] = []
        self.hidden = 0
        self.digits = list[list[Form | None]]()  # of every level from the last on, a form for each dim; None where 0
        self.address = Form(box.steps, box.start)
        for level in reversed(self.levels):
            self.address = self._through(level, self.address)

    def _through(self, level: Level, address: Form) -> Form:
        """The address of a level at the digits of an address in its shape."""
        if level.void:
            self.valid_forms.append(Form((), -1))
        result, digits = Form((), level.offset), list[Form | None]()
        self.digits.append(digits)
        before: Form | None = None
        for size, stride, place, (low, high) in zip(
            level.shape, level.strides, place_values(level.shape), level.bounds, strict=True
        ):
            if size == 1:
                digits.append(None)
                continue
            quotient = address if place == 1 else self.quotient(address, place)
            digit = quotient if before is None else quotient.plus(before, -size)
            before = quotient
            digits.append(digit)
            if low > 0:
                self.valid_forms.append(digit.shifted(-low))
            if high < size:
                self.valid_forms.append(digit.shifted(-high).negative())
            result = result.plus(digit, stride)
        return result

    def quotient(self, address: Form, place: int) -> Form:
        """A new hidden variable, floor(address/place)."""
        width = len(self.box.sizes) + self.hidden
        self.hidden += 1
        quotient = Form((*(0,) * width, 1), 0)
        rest = address.plus(quotient, -place)
        self.rows += [rest, rest.shifted(-place).negative()]
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

    def address_at(self, index: Sequence[int]) -> int:
        """The composition at an index that is valid."""
        address = self.at(index)
        if address is None:
            raise Undecided("an index of the valid box is not valid")
        return address

    def system(self, extra: Sequence[Form] = (), branches: Sequence[Sequence[Form]] = ((),)) -> presburger.System:
        """The indices of the box at which all extra forms, and those of one branch, are 0 or more."""
        width = len(self.box.sizes) + self.hidden
        rows = tuple([f.row(width) for f in (*self.rows, *extra)])
        alternatives = tuple([tuple([f.row(width) for f in branch]) for branch in branches])
        return presburger.System(self.box.sizes, self.hidden, rows, alternatives)

    def on(self, region: Region) -> ViewChain:
        """The same on a part of the box."""
        return ViewChain(self.levels, region.box)

    # What is valid, as `valid_box` asks it

    def simplified(self, region: Region, budget: Budget) -> tuple[Region, ViewChain | None] | None:
        """Every index is valid where no level has a mask, none where a level is void."""
        if region.is_empty() or any(level.void for level in self.levels):
            return None
        return region, self if self.valid_forms else None

    def flags(self, region: Region) -> list[bool]:
        """Index by index."""
        chain = self.on(region)
        return [chain.at(i) is not None for i in product(*map(range, region.box.sizes))]

    def run(self, region: Region, index: Index, axis: int, budget: Budget) -> int:
        """Up to the first index on the line that is not valid."""
        left = region.box.sizes[axis] - index[axis]
        line = region.part(index, [left if a == axis else 1 for a in range(len(index))])
        end = self.invalid(line, budget, presburger.least)
        return left if end is None else end[axis]

    def valid(self, region: Region, budget: Budget, search: Search) -> Index | None:
        """Every digit of every level is within its bounds."""
        chain = self.on(region)
        return search(chain.system(chain.valid_forms), budget)

    def invalid(self, region: Region, budget: Budget, search: Search) -> Index | None:
        """One branch a bound."""
        chain = self.on(region)
        return search(chain.system(branches=[[f.negative()] for f in chain.valid_forms]), budget)


class Bent(NamedTuple):
    """The smallest index of the chain's box at which the composition is not even: it is `got`, even `expected`."""

    witness: Index
    expected: int
    got: int


class Even(NamedTuple):
    """The composition is `start` at 0 and moves by `steps`."""

    steps: tuple[int, ...]
    start: int


def affine(chain: ViewChain, budget: Budget) -> Even | Bent:
    """Whether a chain that is valid on its whole box moves evenly along each axis; the smallest index if not.

    Steps and start are in elements of the outermost view. It does iff f(i) = f(0) + Σ i_j·(f(e_j) − f(0)) for
    every index, f its address at an index.
    Exact. Raises Undecided when the budget ends.
    """
    sizes, rank = chain.box.sizes, len(chain.box.sizes)
    start = chain.address_at((0,) * rank)
    steps = tuple([chain.address_at(unit(a, rank)) - start if n > 1 else 0 for a, n in enumerate(sizes)])
    bent = chain.address.plus(Form(steps, start), -1)
    if prod(sizes) <= FEW:
        found = next((i for i in by_sum(sizes) if chain.at(i) != start + sum(map(mul, i, steps))), None)
    else:
        found = presburger.least(chain.system(branches=bent.nonzero()), budget)
    if found is None:
        return Even(steps, start)
    return Bent(found, start + sum(map(mul, found, steps)), chain.address_at(found))


def difference(a: ViewChain, b: ViewChain, budget: Budget = DEFAULT) -> Index | None:
    """The smallest index at which two chains on boxes of one shape differ, None where they mean the same.

    Exact. Raises Undecided when the budget ends.
    """
    sizes = a.box.sizes
    if 0 in sizes:
        return None
    for index in probes(sizes):
        if a.at(index) != b.at(index):
            return _smallest_difference(a, b, budget)
    if prod(sizes) <= FEW:
        return next((i for i in by_sum(sizes) if a.at(i) != b.at(i)), None)
    return _smallest_difference(a, b, budget)


def _smallest_difference(a: ViewChain, b: ViewChain, budget: Budget) -> Index | None:
    early = (i for i, _ in zip(by_sum(a.box.sizes), range(FEW), strict=False) if a.at(i) != b.at(i))
    seen = next(early, None)
    return presburger.least(differences(a, b), budget) if seen is None else seen


def differences(a: ViewChain, b: ViewChain) -> presburger.System:
    """The indices at which two chains on boxes of one shape differ, in address or validity."""
    rank = len(a.box.sizes)
    shifted = _Shift(rank, a.hidden)
    rows = [*a.rows, *map(shifted, b.rows)]
    valid_b = [shifted(f) for f in b.valid_forms]
    apart = a.address.plus(shifted(b.address), -1)
    branches = [
        *[[*a.valid_forms, *valid_b, *side] for side in apart.nonzero()],
        *[[*a.valid_forms, f.negative()] for f in valid_b],
        *[[*valid_b, f.negative()] for f in a.valid_forms],
    ]
    width = rank + a.hidden + b.hidden
    return presburger.System(
        a.box.sizes,
        a.hidden + b.hidden,
        tuple([f.row(width) for f in rows]),
        tuple([tuple([f.row(width) for f in branch]) for branch in branches]),
    )


class _Shift:
    """Moves the hidden variables of a form behind those of another chain."""

    def __init__(self, rank: int, by: int) -> None:
        self.rank, self.by = rank, by

    def __call__(self, form: Form) -> Form:
        given = (*form.coefficients, *(0,) * (self.rank - len(form.coefficients)))
        return Form((*given[: self.rank], *(0,) * self.by, *given[self.rank :]), form.constant)


def probes(sizes: Sequence[int], seed: int = 0) -> Iterator[Index]:
    """A few indices at which a difference is likely to show."""
    if len(sizes) <= _CORNER_AXES:
        yield from product(*[sorted({0, n // 2, n - 1}) for n in sizes])
    rng = random.Random(seed)
    for _ in range(_RANDOM_POINTS):
        yield tuple([rng.randrange(n) for n in sizes])
