"""Why a composition is not a layout: the mode of B, the mode of A, and the coordinate where it breaks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from symview.counterexample import Counterexample, Kind
from symview.cute.errors import NoAnswer
from symview.cute.int_tuple import Coordinate, IntTuple, coordinate_at, flatten, leaves, like, profile_text
from symview.cute.layout import Layout, boundaries_of
from symview.displayed import Json, number_text
from symview.engine.decide import smallest_violation
from symview.engine.overflow import Carry, pattern, weigh
from symview.errors import InternalError
from symview.logic.budget import Budget


@dataclass(frozen=True, slots=True)
class Break:
    """Why no layout whose modes refine B's is A ∘ B, with A `outer` and B `inner`.

    At `coordinate` of B, on its mode `mode_b`, the composition has the value `got`; every layout that agrees with it
    before has `expected`. There mode `mode_a` of A overflows into the next. Modes are given as paths: (1, 0) is the
    first part of the second mode. `within` is the path of the tiler's mode that failed, () without a tiler.
    """

    outer: Any
    inner: Any
    leaf_b: int  # the number of B's flat mode
    leaf_a: int | None  # that of A's; None for swizzles, which mix the modes of A
    index: tuple[int, ...]  # B's flat coordinate
    expected: int
    needed: tuple[int, int] | None = None  # a size, and the number that it does not divide; None for colliding modes
    parts: tuple[int, ...] = ()  # the sizes into which mode b splits, if these collide
    within: tuple[int, ...] = ()

    @property
    def mode_b(self) -> tuple[int, ...]:
        """The path of B's mode."""
        return path_of(self.inner.shape, self.leaf_b)

    @property
    def mode_a(self) -> tuple[int, ...]:
        """The path of A's mode that overflows; also () for swizzles."""
        return () if self.leaf_a is None else path_of(self.outer.shape, self.leaf_a)

    @property
    def coordinate(self) -> Coordinate:
        """B's coordinate, nested like B."""
        return like(self.inner.shape, iter(self.index))

    @property
    def got(self) -> Any:
        """The value of the composition there."""
        return self.outer(self.inner(self.coordinate))

    def why(self) -> str:
        """The reason in words, without A and B."""
        text, at = number_text, profile_text(self.coordinate)
        value = f"at coordinate {at} its value is {text(self.got)}; a layout would have {text(self.expected)}"
        if self.leaf_a is None:
            return f"{value}. No swizzle of these bits after a layout has these values either"
        size_b, step_b = map(text, self.inner.flat()[self.leaf_b])
        size_a, step_a = map(text, self.outer.flat()[self.leaf_a])
        cause = f"Mode {path_text(self.mode_b)} of B, {size_b}:{step_b},"
        spill = f"mode {path_text(self.mode_a)} of A, {size_a}:{step_a}, overflow there"
        if self.parts:
            return f"{value}. {cause} has to be split into the sizes {profile_text(self.parts)}, which make {spill}"
        needed = ""
        if self.needed is not None:
            reach, left = map(text, self.needed)
            needed = f"; splitting it would need a mode of size {reach}, but {reach} does not divide {left}"
        return f"{value}. {cause} makes {spill}{needed}"

    def __str__(self) -> str:
        within, why = f"in mode {path_text(self.within)} of the tiler: " if self.within else "", self.why()
        return f"{within}{self.outer} ∘ {self.inner} is not a layout. {why[0].upper()}{why[1:]}"

    def to_dict(self) -> Json:
        """The fields for JSON."""
        return {
            "outer": str(self.outer), "inner": str(self.inner), "within": list(self.within),
            "mode_b": list(self.mode_b), "mode_a": list(self.mode_a), "coordinate": self.coordinate,
            "expected": self.expected, "got": self.got, "reason": self.why(),
        }  # fmt: skip


class Cut(NamedTuple):
    """A mode of B that is linear for `reach` of the `left` steps, where `reach` does not divide `left`."""

    mode: int
    step: int
    left: int
    reach: int

    def located(self, outer: Layout, inner: Layout) -> Break:
        """Locates the break."""
        before = (self.reach - 1) * self.step
        carried = pattern([place for place, _ in outer.digits().bends], before, self.step)
        mode_a = boundaries(outer)[carried.index(1)]
        sizes = flatten(inner.shape)
        at = [self.reach * (sizes[n] // self.left) * (n == self.mode) for n in range(len(sizes))]
        expected = self.reach * outer.digits().at(self.step)
        return Break(outer, inner, self.mode, mode_a, tuple(at), expected, (self.reach, self.left))


class Bent(NamedTuple):
    """An index of B in a composition with swizzles where the values cannot be those of a layout."""

    at: int
    expected: int

    def located(self, outer: Any, inner: Any) -> Break:
        """Locates the break."""
        at = coordinate_at(self.at, tuple(flatten(inner.shape)))
        return Break(outer, inner, max((k for k, x in enumerate(at) if x), default=0), None, at, self.expected)


class Clash(NamedTuple):
    """Parts of B, each linear alone, whose sums may overflow in A; at the index `known` they do."""

    groups: tuple[tuple[int, ...], ...]  # the sizes of the parts of each flat mode of B
    parts: tuple[tuple[int, int], ...]  # sizes and steps
    known: tuple[int, ...] | None
    budget: Budget

    def sizes(self) -> tuple[int, ...]:
        """The sizes of the parts."""
        return tuple([n for n, _ in self.parts])

    def carries(self, outer: Layout) -> tuple[list[Carry], list[int]]:
        """The boundaries of A that some sum reaches, and the defect of each."""
        found, weights = [], []
        for place, defect in outer.digits().bends:
            rests = tuple([r % place for _, r in self.parts])
            if sum((n - 1) * r for (n, _), r in zip(self.parts, rests, strict=True)) >= place:
                found.append(Carry(place, 0, rests))
                weights.append(defect)
        return found, weights

    def located(self, outer: Layout, inner: Layout) -> Break:
        """The smallest index where it breaks, if possible on a single mode of B."""
        groups, digits = self.groups, outer.digits()
        carries, weights = self.carries(outer)
        index, _ = smallest_violation(carries, self.sizes(), weights, self.known or (), self.budget.started())
        ends = [0, *accumulate(map(len, groups))]  # for each mode of B: the index there, 0 elsewhere
        each = [tuple([i * (a <= n < b) for n, i in enumerate(index)]) for a, b in pairwise(ends)]
        alone = [i for i in each if weigh(carries, weights, i)]
        index = alone[0] if alone else index
        expected = sum(i * digits.at(r) for i, (_, r) in zip(index, self.parts, strict=True))
        axis = max(a for a, i in enumerate(index) if i)
        mode = next(m for m, end in enumerate(ends[1:]) if end > axis)
        place = min(c.place for c in carries if c.at(index))
        mode_a = boundaries(outer)[[p for p, _ in digits.bends].index(place)]
        at = coordinate_of(groups, index)
        return Break(outer, inner, mode, mode_a, at, expected, parts=groups[mode] if alone else ())


def boundaries(layout: Layout) -> list[int]:
    """The flat mode that overflows at each place of a layout's digits."""
    return boundaries_of(flatten(layout.shape), flatten(layout.stride))


class NoComposition(NoAnswer):
    """No layout is the composition; `found` says where it breaks, and its `reason` is the `Break`."""

    def __init__(self, found: Counterexample) -> None:
        self.found = found
        super().__init__(found)

    def __str__(self) -> str:
        return str(self.found)

    def inside(self, mode: int) -> NoComposition:
        """The same failure, reported for that mode of a tiler."""

        def found() -> Counterexample:
            why = self.found.reason
            return replace(self.found, reason=replace(why, within=(mode, *why.within)))

        return NoComposition(Counterexample.deferred(Kind.DISAGREE, found))


def no_composition(outer: Any, inner: Any, cause: Cut | Clash | Bent) -> NoComposition:
    """The error for A ∘ B; the place where it breaks is computed when it is read."""

    def found() -> Counterexample:
        why = cause.located(outer, inner)
        got = why.got
        if got == why.expected:
            raise InternalError(f"{outer} ∘ {inner}: the break at {why.index} does not replay")
        return Counterexample(Kind.DISAGREE, why.index, why.leaf_b, why.expected, got, reason=why)

    return NoComposition(Counterexample.deferred(Kind.DISAGREE, found))


def path_of(shape: IntTuple, leaf: int) -> tuple[int, ...]:
    """The path of the leaf with that number."""
    if not isinstance(shape, tuple):
        return ()
    for n, part in enumerate(shape):
        count = len(list(leaves(part)))
        if leaf < count:
            return (n, *path_of(part, leaf))
        leaf -= count
    raise InternalError(f"{shape} has no leaf {leaf}")


def path_text(path: tuple[int, ...]) -> str:
    """The path joined by dots; the only mode is mode 0."""
    return ".".join(map(str, path)) if path else "0"


def coordinate_of(sizes: tuple[tuple[int, ...], ...], index: tuple[int, ...]) -> tuple[int, ...]:
    """B's coordinate for an index of its refinement, whose sizes are grouped by B's flat modes.

    >>> coordinate_of(((2, 3), (4,)), (1, 2, 3))
    (5, 3)
    """
    found, at = [], 0
    for group in sizes:
        x, place = 0, 1
        for n in group:
            x, place, at = x + index[at] * place, place * n, at + 1
        found.append(x)
    return tuple(found)
