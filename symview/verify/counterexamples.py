"""Checking where no single view can do: the index and its neighbours, recomputed in plain integers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any

from symview.verify.boxes import Outside, reached, walked
from symview.verify.document import View, checked, get, integers
from symview.verify.report import Report

WALK = 20_000  # indices of a box that is walked
KINDS = ("addresses disagree", "valid and should not be", "not valid and should be", "out of bounds")


def check_counterexample(views: list[View], claim: Any, report: Report) -> None:
    """That no single view is the composition, that the index shows it, and where it is said to be the smallest."""
    index, kind = integers(get(claim, "index", list), "the index"), get(claim, "kind", str)
    numbers = ("axis", "expected", "got")
    axis, expected, got = (None if claim.get(k) is None else get(claim, k, int) for k in numbers)
    shape = views[-1].shape
    inside = len(index) == len(shape) and all(0 <= i < n for i, n in zip(index, shape, strict=True))
    if kind not in KINDS or not inside:
        return report.refute(f"{kind!r} at {index}: no such kind, or no such index")
    if kind == "out of bounds":
        return _leaving(views, index, (axis, expected, got), checked(claim.get("smallest"), bool, "smallest"), report)
    try:
        here = at(views, index)
    except Outside:
        return report.refute(f"{index} is out of bounds")
    if here != got:
        return report.refute(f"at {index} the composition reaches {here}, not {got}")
    if prod(shape) > WALK:
        return _large(views, kind, index, (axis, expected, got), report)
    truth = walked(views, (), {})
    if truth.status != ("affine" if kind == KINDS[0] else "no box") or not (truth.span.rows):
        return report.refute(f"walking the box finds one view, or another kind than {kind!r}")
    smallest = checked(claim.get("smallest"), bool, "smallest")
    if kind == KINDS[0]:
        right = index in truth.rows and here is not None and expected == here - truth.rows[index][-1]
        last = max((a for a, (i, low) in enumerate(zip(index, truth.lows, strict=True)) if i > low), default=None)
        if not right or axis != last:
            return report.refute(f"at {index} one view would not reach {expected}, or by a step along another axis")
        worse: Sequence[tuple[int, ...]] = list(truth.rows)
    else:
        worse = _misplaced(views, inside=kind == KINDS[2])
        if index not in worse or axis is not None or expected is not None:
            return report.refute(f"{index} is not {kind}")
    if smallest and index != min(worse, key=lambda i: (sum(i), i)):
        return report.refute(f"{index} is not the smallest")
    return None


def at(views: Sequence[View], index: Sequence[int]) -> int | None:
    """The address, None where a mask hides it; raises Outside."""
    there = reached(views, index)
    if there is None:
        return None
    return int(views[0].offset + sum(i * t for i, t in zip(there, views[0].strides, strict=True)))


def _misplaced(views: Sequence[View], inside: bool) -> list[tuple[int, ...]]:
    """What is not valid in the box that the least valid index spans along each axis, or valid beside it."""
    shape = views[-1].shape
    valid = {i for i in product(*map(range, shape)) if reached(views, i) is not None}
    low = min(valid, key=lambda i: (sum(i), i))
    ends = []
    for a, n in enumerate(shape):
        end = low[a]
        while end < n and (*low[:a], end, *low[a + 1 :]) in valid:
            end += 1
        ends.append(end)
    box = set(product(*map(range, low, ends)))
    return sorted(box - valid if inside else valid - box)


def _large(views: Sequence[View], kind: str, index: tuple[int, ...], said: tuple[Any, ...], report: Report) -> None:
    """The index beside 0 and the units; of masks, and that no smaller index does, nothing is said."""
    if kind != KINDS[0] or any(v.mask is not None or v.void for v in views):
        return report.leave("a counterexample beside masks in a large box")
    zero = (0,) * len(index)
    start = at(views, zero)
    moved = [at(views, (*zero[:a], 1, *zero[a + 1 :])) for a, i in enumerate(index) if i]
    if start is None or None in moved:
        return report.refute("an index next to 0 is not valid")
    one = start + sum(i * (m - start) for i, m in zip([i for i in index if i], moved, strict=True) if m is not None)
    last = max((a for a, i in enumerate(index) if i), default=None)
    if one == said[2] or one != said[1] or said[0] != last:
        return report.refute(f"at {index} one view would reach {one}")
    return report.leave("that no smaller index of a large box breaks")


def _leaving(
    views: Sequence[View], index: tuple[int, ...], said: tuple[Any, ...], smallest: bool, report: Report
) -> None:
    """That the last view's address there is outside the one before."""
    last, size = views[-1], prod(views[-2].shape)
    x = last.offset + sum(i * t for i, t in zip(index, last.strides, strict=True))
    if 0 <= x < size or said != (None, None, x):
        return report.refute(f"the address at {index} is {x}, of {size}")
    if smallest and prod(last.shape) <= WALK:
        for i in product(*map(range, last.shape)):
            y = last.offset + sum(k * t for k, t in zip(i, last.strides, strict=True))
            if (sum(i), i) < (sum(index), index) and not 0 <= y < size:
                return report.refute(f"{i} is smaller and out of bounds")
    elif smallest:
        report.leave("that no smaller index of a large box breaks")
    return None
