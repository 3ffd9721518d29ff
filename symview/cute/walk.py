"""Composition of numbers, decided exactly: the layout whenever one exists whose modes refine B's.

With f(x) = base·x + Σ defect·floor(x/place) for A (its last mode extends), B's mode (N:r) asks for
h(x) = f(r·x) on [0, N). If h is a layout, its coalesced form is found from the front: its first
mode ends where h leaves the straight line. That this form exists for every mode is necessary;
that A and the refined B merge, as views do, is then the whole question.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from symview.cute.composition_failure import Clash, Cut, NoComposition, NoLayout
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import flatten, like, number_text
from symview.cute.layout import Layout, made
from symview.engine.breaks import first_break
from symview.engine.decide import violation
from symview.engine.overflow import Carry
from symview.logic.budget import DEFAULT, Budget


class Walk(NamedTuple):
    """A step to tell: the composition of two layouts of numbers begins."""

    outer: Layout
    inner: Layout


class Along(NamedTuple):
    """A step to tell: a mode of B, by its number, is walked along A."""

    mode: int


class Straight(NamedTuple):
    """A step to tell: how far A is straight in that step, of those left."""

    step: int
    reach: int
    left: int


class Together(NamedTuple):
    """A step to tell: the parts of B, as sizes and steps, each straight by itself."""

    parts: tuple[tuple[int, int], ...]


def walked(outer: Layout, inner: Layout, budget: Budget = DEFAULT, tell: Callable[[Any], None] | None = None) -> Layout:
    """A ∘ B of layouts of numbers, coalesced within each mode of B; raises NoComposition where there is none."""
    base, bends = outer._digits or outer.digits()
    shape, stride = inner._shape, inner._stride
    flat = flatten(shape)
    modes = zip(flat, stride if flat is shape else flatten(stride))  # noqa: B905
    if tell:
        tell(Walk(outer, inner))
    extent = 0  # B's last value
    sizes: list[Any] = []  # of each flat mode of B: a size, or the sizes that it splits into
    strides: list[Any] = []
    parts: list[tuple[int, int]] = []  # sizes and steps of the refinement
    for size, step in modes:
        if tell:
            tell(Along(len(sizes)))
        if size == 1 or step <= 0:
            if size != 1 and step < 0:
                mode, low = f"{number_text(size)}:{number_text(step)}", number_text((size - 1) * step)
                raise LayoutError(f"composition: the mode {mode} of B goes down to {low}; A starts at 0")
            sizes.append(size)
            strides.append(0)
            parts.append((size, 0))
            continue
        left = size
        extent += (size - 1) * step
        pieces: list[tuple[int, int]] = []
        while True:
            reach, value, weight = _straight(base, bends, step, left) if bends else (left, base * step, 0)
            if reach < left and not weight:  # the first carries cancel
                budget = budget.started()
                slopes = [Carry(place, 0, (step % place,)) for place, _ in bends]
                reach = first_break(slopes, [defect for _, defect in bends], left, budget) or left
            if tell:
                tell(Straight(step, reach, left))
            parts.append((reach, step))
            if reach == left:
                break
            if left % reach:
                raise NoComposition(NoLayout(outer, inner, Cut(len(sizes), step, left, reach)))
            pieces.append((reach, value))
            left //= reach
            step *= reach
        if pieces:
            pieces.append((left, value))
            sizes.append(tuple([n for n, _ in pieces]))
            strides.append(tuple([d for _, d in pieces]))
        else:
            sizes.append(left)
            strides.append(value)
    if len(parts) > 1:
        if tell:
            tell(Together(tuple(parts)))
        if bends and bends[0][0] <= extent and _may_carry(bends, parts, extent):
            _need_independent(outer, inner, Clash(tuple(map(flatten, sizes)), tuple(parts), None, budget))
    if flat is shape:
        return made(tuple(sizes), tuple(strides))
    return made(like(shape, iter(sizes)), like(shape, iter(strides)))


def _straight(base: int, bends: list[tuple[int, int]], step: int, left: int) -> tuple[int, int, int]:
    """Until which of `left` steps nothing carries, f(step), and what the first carries add up to.

    Up to there f(i·step) = i·f(step); beyond, unless the first carries cancel, it is not.
    """
    value, reach, weight = base * step, left, 0
    end = left * step
    for place, defect in bends:
        if place >= end:
            break
        rest = step % place
        if rest != step:
            value += defect * (step // place)
        if rest:
            carries = -(-place // rest)
            if carries < reach:
                reach, weight = carries, defect
            elif carries == reach:
                weight += defect
    return reach, value, weight


def _may_carry(bends: list[tuple[int, int]], parts: list[tuple[int, int]], extent: int) -> bool:
    """Whether a sum of the parts, up to the extent, can reach a place that no part reaches by itself."""
    for place, _ in bends:
        if place > extent:
            break
        most = 0
        for n, r in parts:
            most += (n - 1) * (r % place)
        if most >= place:
            return True
    return False


def _need_independent(outer: Layout, inner: Layout, clash: Clash) -> None:
    """Raises NoComposition where A and the refined B do not merge; the last index is the first to be looked at."""
    at, parts = outer.digits().at, clash.parts
    known: tuple[int, ...] | None = tuple([n - 1 for n, _ in parts])
    if at(sum([(n - 1) * r for n, r in parts])) == sum([(n - 1) * at(r) for n, r in parts]):
        carries, weights = clash.carries(outer)
        known = violation(carries, clash.sizes(), weights, clash.budget.started())
    if known is not None:
        raise NoComposition(NoLayout(outer, inner, clash._replace(known=known, budget=clash.budget.plain())))
