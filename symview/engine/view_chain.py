"""Chains of views: the composition as linear forms over the index and intermediate quotients.

Every level unravels an address, with one quotient floor(x/P) for each of its boundaries. Addresses, digits and masks
are linear in the index and these quotients. `ChainRows` finds what the strides of an outer view have to satisfy after a
chain; `reached` finds which digits of each view the valid indices use.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod
from operator import mul
from typing import NamedTuple

from symview.engine import presburger
from symview.engine.decide import Merged
from symview.engine.index_map import Affine, Index, IndexMap, by_sum
from symview.engine.overflow_space import Step
from symview.engine.radix import boundaries, place_values, unravel
from symview.engine.row_space import unit
from symview.engine.valid_box import Region, Search, few
from symview.errors import Undecided
from symview.logic.budget import DEFAULT, Budget
from symview.logic.points import least_by_halving

_CORNER_AXES = 5
_RANDOM_POINTS = 16
_FIRST = 200  # indices that are tried first
Box = tuple[tuple[int, int], ...]  # half-open bounds, one pair a dim


class Level(NamedTuple):
    """A concrete view in a chain: every dim with its bounds of valid digits; `void` means that nothing is valid."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int
    bounds: tuple[tuple[int, int], ...]
    void: bool = False


class ViewChain:
    """Levels v_1, …, v_m, applied after an innermost address map on a box.

    The composition at an index is the address of v_1; the index is valid if every digit of every level is within its
    bounds. All addresses are in bounds.
    """

    def __init__(self, levels: Sequence[Level], box: IndexMap) -> None:
        self.levels, self.box = tuple(levels), box
        self.rows: list[Affine] = []
        self.valid_forms: list[Affine] = []
        self.hidden = 0
        self.digits = list[list[Affine | None]]()  # per level, last first, a form for each dim; None for digit 0
        self.address = Affine(box.steps, box.start)
        for level in reversed(self.levels):
            self.address = self._through(level, self.address)

    def _through(self, level: Level, address: Affine) -> Affine:
        """The address that a level assigns to an address in its shape."""
        if level.void:
            self.valid_forms.append(Affine((), -1))
        result, digits = Affine((), level.offset), list[Affine | None]()
        self.digits.append(digits)
        before: Affine | None = None
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

    def quotient(self, address: Affine, place: int) -> Affine:
        """A new hidden variable, which equals floor(address/place)."""
        width = len(self.box.sizes) + self.hidden
        self.hidden += 1
        quotient = Affine((*(0,) * width, 1), 0)
        rest = address.plus(quotient, -place)
        self.rows += [rest, rest.shifted(-place).negative()]
        return quotient

    def at(self, index: Sequence[int]) -> int | None:
        """The composition at an index, or None if the index is invalid."""
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
        """The composition at a valid index."""
        address = self.at(index)
        if address is None:
            raise Undecided("an index of the valid box is not valid")
        return address

    def even(self) -> IndexMap:
        """The affine map that agrees with the composition at 0 and one step along each axis, which have to be valid."""
        sizes, rank = self.box.sizes, len(self.box.sizes)
        start = self.address_at((0,) * rank)
        steps = [self.address_at(unit(a, rank)) - start if n > 1 else 0 for a, n in enumerate(sizes)]
        return IndexMap(sizes, tuple(steps), start)

    def system(self, extra: Sequence[Affine] = (), branches: Sequence[Sequence[Affine]] = ((),)) -> presburger.System:
        """The indices of the box at which all extra forms, and those of one branch, are nonnegative."""
        width = len(self.box.sizes) + self.hidden
        rows = tuple([f.row(width) for f in (*self.rows, *extra)])
        alternatives = tuple([tuple([f.row(width) for f in branch]) for branch in branches])
        return presburger.System(self.box.sizes, self.hidden, rows, alternatives)

    def on(self, region: Region) -> ViewChain:
        """Restricts the chain to a part of the box."""
        return ViewChain(self.levels, region.box)

    # The `Validity` protocol of `valid_box`

    def simplified(self, region: Region, budget: Budget) -> tuple[Region, ViewChain | None] | None:
        """Every index is valid if no level has a mask, none if a level is void."""
        if region.is_empty() or any(level.void for level in self.levels):
            return None
        return region, self if self.valid_forms else None

    def flags(self, region: Region) -> list[bool]:
        """Enumerates the indices."""
        chain = self.on(region)
        return [chain.at(i) is not None for i in product(*map(range, region.box.sizes))]

    def run(self, region: Region, index: Index, axis: int, budget: Budget) -> int:
        """The distance to the first invalid index on the line."""
        left = region.box.sizes[axis] - index[axis]
        line = region.part(index, [left if a == axis else 1 for a in range(len(index))])
        end = self.invalid(line, budget, presburger.least)
        return left if end is None else end[axis]

    def valid(self, region: Region, budget: Budget, search: Search) -> Index | None:
        """Solves for digits within all bounds."""
        chain = self.on(region)
        return search(chain.system(chain.valid_forms), budget)

    def invalid(self, region: Region, budget: Budget, search: Search) -> Index | None:
        """Solves with one branch per bound."""
        chain = self.on(region)
        return search(chain.system(branches=[[f.negative()] for f in chain.valid_forms]), budget)


class Bent(NamedTuple):
    """The smallest index of the chain's box at which the composition is not affine: it has `got`, not `expected`."""

    witness: Index
    expected: int
    got: int


def affine(chain: ViewChain, budget: Budget) -> Merged | Bent:
    """Whether a chain that is valid on its whole box is affine; if not, the smallest index where it is not.

    Steps and start are in elements of the outermost view. The chain is affine iff f(i) = f(0) + Σ i_j·(f(e_j) − f(0))
    for every index, f being its address. Exact. Raises Undecided when the budget ends.
    """
    even = chain.even()
    if prod(even.sizes) <= few(budget):
        found = next((i for i in by_sum(even.sizes) if chain.at(i) != even.at(i)), None)
    else:
        bent = chain.address.plus(Affine(even.steps, even.start), -1)
        found = presburger.least(chain.system(branches=bent.nonzero()), budget)
    if found is None:
        return Merged(even.steps, even.start)
    return Bent(found, even.at(found), chain.address_at(found))


def difference(a: ViewChain, b: ViewChain, budget: Budget = DEFAULT) -> Index | None:
    """The smallest index at which two chains on boxes of the same shape differ, or None.

    Exact. Raises Undecided when the budget ends.
    """
    sizes = a.box.sizes
    if 0 in sizes:
        return None
    for index in probes(sizes):
        if a.at(index) != b.at(index):
            return _smallest_difference(a, b, budget)
    if prod(sizes) <= few(budget):
        return next((i for i in by_sum(sizes) if a.at(i) != b.at(i)), None)
    return _smallest_difference(a, b, budget)


def _smallest_difference(a: ViewChain, b: ViewChain, budget: Budget) -> Index | None:
    early = (i for i, _ in zip(by_sum(a.box.sizes), range(few(budget)), strict=False) if a.at(i) != b.at(i))
    seen = next(early, None)
    return presburger.least(differences(a, b), budget) if seen is None else seen


def differences(a: ViewChain, b: ViewChain) -> presburger.System:
    """The system of indices at which two chains on boxes of one shape differ, in address or validity."""
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
    """Renumbers the hidden variables of a form to follow those of another chain."""

    def __init__(self, rank: int, by: int) -> None:
        self.rank, self.by = rank, by

    def __call__(self, form: Affine) -> Affine:
        given = (*form.weights, *(0,) * (self.rank - len(form.weights)))
        return Affine((*given[: self.rank], *(0,) * self.by, *given[self.rank :]), form.constant)


def probes(sizes: Sequence[int], seed: int = 0) -> Iterator[Index]:
    """A few indices at which a difference is likely."""
    if len(sizes) <= _CORNER_AXES:
        yield from product(*[sorted({0, n // 2, n - 1}) for n in sizes])
    rng = random.Random(seed)
    for _ in range(_RANDOM_POINTS):
        yield tuple([rng.randrange(n) for n in sizes])


class ChainRows:
    """The values that the strides of an outer view meet after a chain: floor(x/P) for its boundaries, and x itself.

    A source of overflow vectors (see `overflow_space.Source`); `kept` numbers the coordinates that matter: the
    boundaries of the shape, then x. Every index of the chain's box has to be valid.
    """

    def __init__(self, chain: ViewChain, shape: Sequence[int], kept: Sequence[int]) -> None:
        self.chain = ViewChain(chain.levels, chain.box)
        self.sizes, self.width = chain.box.sizes, len(kept)
        places = (*boundaries(shape), 1)
        self.places = [places[n] for n in kept]
        address = self.chain.address
        self.forms = [address if p == 1 else self.chain.quotient(address, p) for p in self.places]
        rank = len(self.sizes)
        self.start = self._outputs((0,) * rank)
        self.steps = [
            [a - b for a, b in zip(self._outputs(unit(n, rank)), self.start, strict=True)] if size > 1 else None
            for n, size in enumerate(self.sizes)
        ]

    def _outputs(self, index: Sequence[int]) -> list[int]:
        address = self.chain.address_at(index)
        return [address // p for p in self.places]

    def vector(self, index: Sequence[int]) -> tuple[int, ...]:
        """The distance of each output from being affine at an index."""
        found = [a - b for a, b in zip(self._outputs(index), self.start, strict=True)]
        for i, step in zip(index, self.steps, strict=True):
            if i and step is not None:
                found = [a - i * b for a, b in zip(found, step, strict=True)]
        return tuple(found)

    def candidates(self, seed: int) -> Iterator[Index]:
        """Small indices, corners, and a few random points."""
        yield from (i for i, _ in zip(by_sum(self.sizes), range(_FIRST), strict=False))
        yield from probes(self.sizes, seed)

    def violation(self, weights: Sequence[int], budget: Budget) -> Index | None:
        """An index at which the weighed outputs are not affine, or None."""
        if prod(self.sizes) <= few(budget):
            weighed = (i for i in by_sum(self.sizes) if sum(map(mul, weights, self.vector(i))))
            return next(weighed, None)
        return presburger.point(self.system([weights]), budget)

    def system(self, functionals: Sequence[Sequence[int]]) -> presburger.System:
        """The system of indices at which one of the functionals is not 0."""
        branches = list[tuple[Affine]]()
        columns = [[0] * self.width if step is None else step for step in self.steps]
        for weights in functionals:
            bent = Affine((), 0)
            for w, form, start, *steps in zip(weights, self.forms, self.start, *columns, strict=True):
                linear = Affine(tuple(steps), start)
                bent = bent.plus(form.plus(linear, -1), w)
            branches += bent.nonzero()
        return self.chain.system(branches=branches)

    def walk(self, budget: Budget) -> Iterator[Step]:
        """All steps of the box that move an output differently from their axis' first step."""
        for index in product(*map(range, self.sizes)):
            budget.spend(self.width * len(index) * len(self.chain.levels))
            before = self.vector(index)
            for axis, (i, size) in enumerate(zip(index, self.sizes, strict=True)):
                if i + 1 < size:
                    reached = (*index[:axis], i + 1, *index[axis + 1 :])
                    row = tuple([a - b for a, b in zip(self.vector(reached), before, strict=True)])
                    if any(row):
                        yield Step(axis, reached, row)


def reached(chain: ViewChain, budget: Budget = DEFAULT) -> list[Box] | None:
    """Per level, the least box of all digits used by valid indices of the chain's box; None if there are none.

    Exact for boxes that are enumerated. For larger ones, a box may be too large if the budget ends.

    >>> levels = Level((4,), (1,), 0, ((1, 4),)), Level((2, 2), (2, 1), 0, ((0, 2), (0, 2)))
    >>> reached(ViewChain(levels, IndexMap((2, 2), (2, 1), 0)))
    [((1, 4),), ((0, 2), (0, 2))]
    """
    budget = budget.started()
    if prod(chain.box.sizes) <= few(budget):
        met = [d for d in (_digits(chain, i) for i in product(*map(range, chain.box.sizes))) if d is not None]
        return _hull(met) if met else None
    first = presburger.point(chain.system(chain.valid_forms), budget)
    if first is None:
        return None
    seen = [d for d in (_digits(chain, i) for i in (first, *probes(chain.box.sizes))) if d is not None]
    ends = _Ends(chain, seen, budget)
    return [tuple([ends.of(level, axis) for axis in range(len(v.shape))]) for level, v in enumerate(chain.levels)]


def _digits(chain: ViewChain, index: Sequence[int]) -> list[Index] | None:
    """The digits of every level at an index, or None if it is invalid."""
    address, found = chain.box.at(index), list[Index]()
    for level in reversed(chain.levels):
        digits = unravel(address, level.shape)
        if level.void or any(not low <= d < high for d, (low, high) in zip(digits, level.bounds, strict=True)):
            return None
        found.append(digits)
        address = level.offset + sum(d * t for d, t in zip(digits, level.strides, strict=True))
    return found[::-1]


def _hull(met: Sequence[Sequence[Index]]) -> list[Box]:
    return [
        tuple([(min(column), max(column) + 1) for column in zip(*digits, strict=True)])
        for digits in zip(*met, strict=True)
    ]


class _Ends:
    """The bounds of digits over all valid indices, by bisection from known indices."""

    def __init__(self, chain: ViewChain, seen: list[list[Index]], budget: Budget) -> None:
        self.chain, self.seen, self.budget = chain, seen, budget

    def of(self, level: int, axis: int) -> tuple[int, int]:
        """The bounds of one digit; an end is that of the whole dim if the budget ends."""
        form, size = self.chain.digits[-1 - level][axis], self.chain.levels[level].shape[axis]
        if form is None:
            return (0, 1)
        mirrored = form.negative().shifted(size)
        low = self._least(form, lambda met: met[level][axis])
        high = self._least(mirrored, lambda met: size - 1 - met[level][axis])
        return low, size - high

    def _least(self, form: Affine, value: Callable[[list[Index]], int]) -> int:
        """The least value of a form; `value` evaluates it on known digits; 0 if the budget ends."""

        def found(most: int) -> list[Index] | None:
            at_most = form.negative().shifted(most + 1)
            index = presburger.point(self.chain.system([*self.chain.valid_forms, at_most]), self.budget)
            digits = None if index is None else _digits(self.chain, index)
            self.seen += [] if digits is None else [digits]
            return digits

        try:
            return value(least_by_halving(min(self.seen, key=value), value, found))
        except Undecided:
            return 0
