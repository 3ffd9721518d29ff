"""Where a strided layout behind one swizzle first differs from a strided one, however large: by residues.

S(y) = y + g(y mod Q), Q the length of the interval that S permutes. Where the sizes of both divide each other's place
values, both are sums over the same digits, and whether a step along a digit agrees depends on the residue alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from symview.cute.linear.fronts import Composed, XorFront
from symview.cute.linear.readings import Strided
from symview.cute.residues import LARGEST, first_step, first_with, numbered
from symview.cute.swizzle import Swizzle
from symview.engine.ring import Ring

Mode = tuple[int, int]


def is_by_residues(f: Any, g: Any) -> bool:
    """Whether the question is one of these, or the same layout stands behind two swizzles."""
    if not _is_swizzled(f) or f.size != g.size:
        return False
    if _is_swizzled(g):
        return bool(f.behind == g.behind)
    return isinstance(g, Strided) and type(g.offset) is int and _places(f.behind, g) is not None


def _is_swizzled(f: Any) -> bool:
    if not isinstance(f, Composed) or not isinstance(f.front, XorFront) or not isinstance(f.behind, Strided):
        return False
    swizzle = f.front.map
    numeric = type(f.behind.offset) is int and f.offset == 0
    return numeric and isinstance(swizzle, Swizzle) and swizzle.size() <= LARGEST


def first_by_residues(f: Any, g: Any) -> int | None:
    """The least index at which f = S(o + Σ x_i·d_i) and g differ; None where there is none."""
    swizzle, behind = f.front.map, f.behind
    if isinstance(g, Composed):
        other: Any = g.front
        period = max(swizzle.size(), other.map.size())
        differ = numbered(r for r in range(period) if swizzle(r) != other.map(r))
        return first_with(behind.modes, differ, Ring(period), behind.offset)
    places = _places(behind, g) or []
    if f.at(0) != g.at(0):
        return 0
    period = swizzle.size()
    added = [swizzle(r) - r for r in range(period)]
    modes, off = [], []
    for (place, end), step, stride in zip(
        pairwise(places), _steps(behind.modes, places), _steps(g.modes, places), strict=True
    ):
        modes.append((end // place, step))
        off.append(numbered(r for r in range(period) if added[(r + step) % period] - added[r] != stride - step))
    return first_step(modes, off, Ring(period), behind.offset)


def _places(f: Strided, g: Strided) -> list[int] | None:
    """The place values of both, each a divisor of the next; None where they are not."""
    found = {1}
    for layout in (f, g):
        place = 1
        for n, _ in layout.modes:
            place *= n
            found.add(place)
    places = sorted(found)
    return places if all(end % place == 0 for place, end in pairwise(places)) else None


def _steps(modes: Sequence[Mode], places: Sequence[int]) -> list[int]:
    """The stride of each digit between two places."""
    found, start = [], 1
    for n, d in modes:
        found += [d * (place // start) for place in places[:-1] if start <= place < start * n]
        start *= n
    return found
