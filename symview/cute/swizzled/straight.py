"""Whether a layout behind swizzles is strided: each mode of it, perhaps split, with one stride a part.

Along a mode the values leave the straight line first at some index; the parts that this makes are
the only ones there can be. Whether they are independent of each other is decided on bits where no
sum carries (then a swizzle moves the bits of each part apart from all others), on residues where
swizzles of few bits stand in front (what they add depends on the residue alone), and else by a
walk, or on bit-vectors.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import gcd
from typing import Any

from symview.cute.first_failures import NotALayout
from symview.cute.int_tuple import like, number_text
from symview.cute.layout import Layout, made
from symview.cute.linear.bases import first_overlap
from symview.cute.residues import LARGEST, first_step, numbered
from symview.cute.swizzled.chain import TABLE, Chain, extent, linear
from symview.cute.swizzled.masks import masks_of
from symview.engine.ring import Ring
from symview.errors import Undecided
from symview.logic.bits import Bits, least
from symview.logic.budget import Budget

Part = tuple[int, int, int]  # the size, the step of the layout behind, the stride of the values


@dataclass(frozen=True, slots=True)
class Strided:
    """The value at 0, and the parts of each flat mode."""

    base: int
    parts: tuple[tuple[Part, ...], ...]

    def layout(self, shape: Any) -> Layout:
        """The layout of that shape, without the value at 0; modes of several parts are split."""
        sizes = [_alone([n for n, _, _ in p]) for p in self.parts]
        strides = [_alone([d for _, _, d in p]) for p in self.parts]
        return made(like(shape, iter(sizes)), like(shape, iter(strides)))


def _alone(entries: list[int]) -> Any:
    return entries[0] if len(entries) == 1 else tuple(entries)


def strided(chain: Chain, budget: Budget | None = None) -> Strided | NotALayout:
    """The strides of the values behind the fronts, or where they have none; exact.

    Raises Undecided where the budget ends, and where a solver would have to be asked and there is no budget.
    """
    masks = masks_of(chain)
    if masks is not None:
        return _by_masks(chain, *masks)
    found: list[tuple[Part, ...]] = []
    place = 1
    for size, step in chain.modes():
        parts = _along(chain, size, step, place, budget)
        if isinstance(parts, NotALayout):
            return parts
        found.append(parts)
        place *= size
    result = Strided(chain(0), tuple(found))
    index = _first_clash(chain, [p for parts in found for p in parts], budget)
    return result if index is None else _clash(chain, result, index)


# On bits


def _by_masks(chain: Chain, constant: int, masks: list[list[int]]) -> Strided | NotALayout:
    """By the bits that each bit of the index moves: strided where no two move the same one (theory of xor and +)."""
    seen: list[int] = []
    parts: list[tuple[Part, ...]] = []
    for (_, step), own in zip(chain.modes(), masks, strict=True):
        seen += own
        strides = [(constant ^ b) - constant for b in own]
        joined: list[Part] = []
        for k, stride in enumerate(strides):
            if joined and stride == joined[-1][0] * joined[-1][2]:
                n, before, d = joined[-1]
                joined[-1] = (2 * n, before, d)
            else:
                joined.append((2, step << k, stride))
        parts.append(tuple(joined) or ((1, step, step),))
    found = Strided(constant, tuple(parts))
    pair = first_overlap(seen)
    return found if pair is None else _clash(chain, found, (1 << pair[0]) + (1 << pair[1]))


# Along one mode


def _along(chain: Chain, size: int, step: int, place: int, budget: Budget | None) -> tuple[Part, ...] | NotALayout:
    """The parts of a mode, each as long as the values stay on a straight line."""
    if size == 1 or step == 0:
        return ((size, step, step),)
    found: list[Part] = []
    base, left, inside = chain.front(0), size, 1
    while left > 1:
        stride = chain.front(step) - base
        reach = _reach(chain, step, stride, left, budget)
        if left % reach:
            index = reach * inside * place
            expected, got = base + reach * stride, chain.front(reach * step)
            need = f"a part of size {number_text(reach)} does not divide {number_text(left)}"
            where = f"the value at index {number_text(index)} is {number_text(got)}, not {number_text(expected)}"
            return NotALayout(index, expected, got, f"{where}; {need}")
        found.append((reach, step, stride))
        left, step, inside = left // reach, step * reach, inside * reach
    return tuple(found)


def _reach(chain: Chain, step: int, stride: int, left: int, budget: Budget | None) -> int:
    """The first of `left` steps at which the values leave the straight line; `left` if none."""
    base, period = chain.front(0), chain.period()
    end = left if period is None else min(left, period // gcd(period, step) + 1)
    near = next((x for x in range(2, min(end, TABLE)) if chain.front(x * step) != base + x * stride), None)
    if near is not None or end <= TABLE:
        return near or left

    def bends(bits: Bits, x: Any) -> Any:
        return chain.front(x * step, bits) != x * stride + base

    return _least(end, chain, bends, budget) or left


def _least(size: int, chain: Chain, claim: Callable[[Bits, Any], Any], budget: Budget | None) -> int | None:
    if budget is None:
        raise Undecided(f"{chain.layout} is too large to be walked, and its swizzles reach too far to be tabulated")
    return least(size, chain.width(), claim, budget)


# All together


def _clash(chain: Chain, found: Strided, index: int) -> NotALayout:
    layout = found.layout(chain.layout.shape)
    expected, got = found.base + layout(index), chain(index)
    above = f" above {number_text(found.base)}" if found.base else ""
    has = f"which has {number_text(expected)} at {number_text(index)}, not {number_text(got)}"
    return NotALayout(index, expected, got, f"the values at place values make it {layout}{above}, {has}")


def _first_clash(chain: Chain, parts: list[Part], budget: Budget | None) -> int | None:
    """The first index at which the value is not the sum of what the parts say."""
    parts = [p for p in parts if p[0] > 1]
    if len(parts) <= 1:
        return None
    period = chain.period()
    if period is None:
        low, high = extent(chain.layout)
        period = high - low + 1
    found = Layout(tuple([n for n, _, _ in parts]), tuple([d for _, _, d in parts]))
    size, base = chain.layout.size(), chain(0)
    if size <= (period if period <= LARGEST else TABLE):  # a walk ends where the first value is off
        return next((x for x in range(size) if chain(x) != base + found(x)), None)
    if period <= LARGEST:
        return _by_residues(chain, parts, period)

    def differs(bits: Bits, x: Any) -> Any:
        return chain.of(bits, x) != linear(found, bits, x) + base

    return _least(chain.layout.size(), chain, differs, budget)


def _by_residues(chain: Chain, parts: list[Part], period: int) -> int | None:
    """The same, by the residues that sums of the parts reach: what the fronts add to y depends on y mod period."""
    low = extent(chain.layout)[0]
    added = [chain.front(low + r) - r for r in range(period)]
    off = [
        numbered(r for r in range(period) if added[(r + step) % period] - added[r] != stride - step)
        for _, step, stride in parts
    ]
    return first_step([(n, step) for n, step, _ in parts], off, Ring(period), -low)
