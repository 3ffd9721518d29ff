"""Decides whether two concrete views merge, in stages of increasing cost; nearly every pair ends before a search.

The outer view's address is base·x + Σ defect_P·floor(x/P) over its boundaries P, so the views merge iff Σ defect_P·C_P
vanishes on the whole box of the inner view. If place values are of moderate size, the addresses modulo the largest one
fit into one bit set (`search_residues`): an exact search without a solver.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from math import gcd, inf, prod
from typing import Any, NamedTuple

from symview.engine import presburger
from symview.engine.index_map import Index, IndexMap, by_sum
from symview.engine.overflow import (
    Carry,
    active_carries,
    cancels_by_slopes,
    cheap_witnesses,
    periodic_sizes,
    weigh,
    without_inactive_digits,
)  # fmt: skip
from symview.engine.ring import Ring
from symview.errors import InternalError, Undecided
from symview.logic.budget import DEFAULT, Budget

_FREE = 8  # up to that many boundaries, witnesses are too cheap to count
_SMALL_BOX = 64
_LAYER_POINTS = 500
MAX_RESIDUES = 1 << 20


class Digits(NamedTuple):
    """A row-major view as base·x + Σ defects·floor(x/places), x being the address inside its shape."""

    places: tuple[int, ...]
    defects: tuple[Any, ...]
    base: Any
    size: int

    def step(self, start: int, step: int) -> Any:
        """The change of the address on the step from x = start to start + step."""
        moved = self.base * step
        for place, defect in zip(self.places, self.defects, strict=True):
            moved = moved + defect * ((start + step) // place - start // place)
        return moved


def digits_of(shape: Sequence[int], strides: Sequence[Any]) -> Digits:
    """The contiguity defects at every boundary with 1 < P < size, largest P first.

    Dims of size 1 have no digit and are dropped, so equal place values form one boundary.

    >>> digits_of((10, 3, 3), (9, 3, 1)).defects
    (0, 0)
    >>> digits_of((10, 3, 3), (7, 2, 5))
    Digits(places=(9, 3), defects=(1, -13), base=5, size=90)
    """
    places: list[int] = []
    defects: list[Any] = []
    base: Any = 0
    place = 1
    below: tuple[int, Any] | None = None
    for size, stride in zip(reversed(shape), reversed(strides), strict=True):
        if size == 1:
            continue
        if below is None:
            base = stride
        else:
            places.append(place)
            defects.append(stride - below[0] * below[1])
        below = (size, stride)
        place *= size
    return Digits(tuple(places[::-1]), tuple(defects[::-1]), base, place)


class Merged(NamedTuple):
    """The composition is start + Σ i_j·steps_j."""

    steps: tuple[Any, ...]
    start: Any


class Broken(NamedTuple):
    """The composition is not affine: Σ defects·C is not 0 at `witness`."""

    witness: Index
    carries: list[Carry]
    defects: list[int]


def strides_of(digits: Digits, box: IndexMap) -> Merged:
    """f(e_j) − f(0) for every axis whose e_j is in the box, 0 for the others, and f(0)."""
    if 0 in box.sizes:
        return Merged((0,) * len(box.sizes), 0)
    steps = tuple([digits.step(box.start, t) if n > 1 else 0 for n, t in zip(box.sizes, box.steps, strict=True)])
    return Merged(steps, digits.step(0, box.start))


def decide(shape: Sequence[int], strides: Sequence[int], box: IndexMap, budget: Budget = DEFAULT) -> Merged | Broken:
    """Whether the outer view (shape, strides) after the address map of `box` is affine on the box.

    `shape` and `strides` have one entry per dim of the outer view, in elements; `box` has one size and one step per
    axis of the inner view, whose steps and start count places of the outer shape. The outer offset is ignored.

    Exact: the views merge iff Σ defect_P·C_P(i) = 0 for every index i ("The exact condition", proofs/README.md). Raises
    OutOfBounds if the box leaves the shape, Undecided if the budget ends.

    >>> decide((10, 3, 3), (9, 3, 1), IndexMap((4,), (4,), 0))
    Merged(steps=(4,), start=0)
    >>> decide((10, 3, 3), (1, 1, 1), IndexMap((4,), (4,), 0)).witness
    (3,)
    """
    if 0 in box.sizes:
        return Merged((0,) * len(box.sizes), 0)
    box.check_inside(prod(shape))
    digits = digits_of(shape, strides)
    bent = [(p, d) for p, d in zip(digits.places, digits.defects, strict=True) if d]
    carries = active_carries(box, [p for p, _ in bent]) if bent else []
    if not carries:
        return strides_of(digits, box)
    overflowing = {c.place for c in carries}
    defects = [d for p, d in bent if p in overflowing]
    witness = violation(carries, box.sizes, defects, budget)
    return strides_of(digits, box) if witness is None else Broken(witness, carries, defects)


def violation(
    carries: list[Carry], sizes: Sequence[int], weights: Sequence[int], budget: Budget = DEFAULT
) -> Index | None:
    """An index of the box with Σ weights·C ≠ 0, or None; exact.

    There is one weight per boundary, and every boundary overflows somewhere on the box. Raises Undecided when the
    budget ends.
    """
    counted = len(carries) > _FREE  # most questions end within microseconds and are not counted
    budget = budget.started() if counted else budget
    for index in cheap_witnesses(sizes, carries, budget.seed):
        if counted:
            budget.spend(len(carries))
        if weigh(carries, weights, index):
            return index
    return searched(carries, sizes, weights, budget)


def searched(
    carries: Sequence[Carry], sizes: Sequence[int], weights: Sequence[int], budget: Budget = DEFAULT
) -> Index | None:
    """`violation` after the likely indices have been tried."""
    if cancels_by_slopes(carries, weights, sizes):
        return None
    carries = without_inactive_digits(carries, sizes)
    sizes = periodic_sizes(sizes, carries)
    if prod(sizes) <= _SMALL_BOX:
        return next((i for i in by_sum(sizes) if weigh(carries, weights, i)), None)
    budget = budget.started()
    if residues_of(carries) <= MAX_RESIDUES:
        return search_residues(sizes, carries, weights, budget)
    return presburger.point(carry_system(carries, sizes, [weights]), budget)


def carry_system(
    carries: Sequence[Carry], sizes: Sequence[int], functionals: Sequence[Sequence[int]]
) -> presburger.System:
    """The system of indices at which one of the functionals of the overflow vector is not 0."""
    rank, count = len(sizes), len(carries)
    rows = []
    for n, c in enumerate(carries):
        own = [0] * count
        own[n] = c.place
        rows.append((*c.slopes, *[-x for x in own], c.start))
        rows.append((*[-r for r in c.slopes], *own, c.place - 1 - c.start))
    branches = []
    for w in functionals:
        branches.append(((*[0] * rank, *w, -1),))
        branches.append(((*[0] * rank, *[-x for x in w], -1),))
    return presburger.System(tuple(sizes), count, tuple(rows), tuple(branches))


def smallest_violation(
    carries: Sequence[Carry], sizes: Sequence[int], weights: Sequence[int], known: Index, budget: Budget = DEFAULT
) -> tuple[Index, bool]:
    """The smallest index with Σ weights·C ≠ 0, and whether that is proved; `known` is such an index.

    If the budget ends first, returns `known`, marked as not proved smallest.
    """
    sizes = periodic_sizes(sizes, carries)
    start = min(_fewest_steps(c, sizes) for c in carries)
    for index in islice(by_sum(sizes, start), min(_LAYER_POINTS, budget.points)):
        if weigh(carries, weights, index):
            return index, True
    try:
        found = presburger.least(carry_system(carries, sizes, [weights]), budget)
    except Undecided:
        return known, False
    if found is None:
        raise InternalError(f"a solver finds no violation, but {known} is one")
    return found, True


def _fewest_steps(carry: Carry, sizes: Sequence[int]) -> int:
    """The least sum of an index at which this boundary overflows."""
    return min(  # type: ignore[return-value]
        _steps_to(carry.place - carry.start, [(r, n - 1) for r, n in zip(carry.slopes, sizes, strict=True) if r > 0]),
        _steps_to(carry.start + 1, [(-r, n - 1) for r, n in zip(carry.slopes, sizes, strict=True) if r < 0]),
    )


def _steps_to(need: int, moves: list[tuple[int, int]]) -> float:
    steps = 0
    for gain, room in sorted(moves, reverse=True):
        use = min(room, -(-need // gain))
        steps += use
        need -= use * gain
        if need <= 0:
            return steps
    return inf  # out of reach in this direction


def search_residues(
    sizes: Sequence[int], carries: Sequence[Carry], weights: Sequence[int], budget: Budget = DEFAULT
) -> Index | None:
    """An index of the box with Σ weights·C ≠ 0, or None.

    Exact: a step of axis j overflows the same boundaries at addresses that are equal modulo the largest place value M.
    So the weighed sum of C is 0 everywhere iff each axis' weighed pattern is constant on the residues from which its
    steps start. Time and space are O(M/64) per bit set; needs M <= MAX_RESIDUES after removing common factors, see
    `residues_of`. Raises Undecided when the budget ends.
    """
    top = max(carries, key=lambda c: c.place)
    common = gcd(*[c.place for c in carries], *top.slopes)
    ring = Ring(top.place // common)
    start, steps = top.start // common, [r // common for r in top.slopes]
    for axis, size in enumerate(sizes):
        if size < 2:
            continue
        shorter = [n - (a == axis) for a, n in enumerate(sizes)]
        reached = 1 << start
        for count, step in zip(shorter, steps, strict=True):
            budget.spend(ring.work() * count.bit_length())
            reached = ring.sweep(reached, step, count)
        levels = {0: reached}
        for one, weight in zip(carries, weights, strict=True):
            place = one.place // common
            budget.spend(ring.work() * (len(levels) + 1))
            levels = _split(levels, ring.carrying(place, steps[axis] % place), weight)
        if len(levels) > 1:
            home = next(v for v, bits in levels.items() if bits >> start & 1)
            bits = next(bits for v, bits in levels.items() if v != home)
            index = _trace(ring, start, shorter, steps, (bits & -bits).bit_length() - 1)
            after = (*index[:axis], index[axis] + 1, *index[axis + 1 :])
            return index if weigh(carries, weights, index) else after
    return None


def residues_of(carries: Sequence[Carry]) -> int:
    """The number of residues that `search_residues` would distinguish."""
    top = max(carries, key=lambda c: c.place)
    return top.place // gcd(*[c.place for c in carries], *top.slopes)


def _split(levels: dict[int, int], carrying: int, weight: int) -> dict[int, int]:
    after: dict[int, int] = {}
    for value, bits in levels.items():
        for key, part in ((value + weight, bits & carrying), (value, bits & ~carrying)):
            if part:
                after[key] = after.get(key, 0) | part
    return after


def _trace(ring: Ring, start: int, sizes: Sequence[int], steps: Sequence[int], residue: int) -> Index:
    """An index of the box whose address has this residue."""
    reached = ring.sweeps(start, list(zip(sizes, steps, strict=True)))
    before = [bits.to_bytes(ring.modulus // 8 + 1, "little") for bits in reached[:-1]]
    index = []
    for axis in range(len(sizes) - 1, -1, -1):
        for i in range(sizes[axis]):
            back = (residue - i * steps[axis]) % ring.modulus
            if before[axis][back >> 3] >> (back & 7) & 1:
                break
        residue = back
        index.append(i)
    return tuple(reversed(index))
