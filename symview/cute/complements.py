"""The complement of a layout, and why there may be none."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import gcd
from typing import Any, NamedTuple

from symview.cute.errors import LayoutError, NoAnswer
from symview.cute.int_tuple import is_int, like, profile_text
from symview.cute.layout import Layout
from symview.cute.modes import assembled, coalesced_modes, need_numbers


class Collision(NamedTuple):
    """Two coordinates, flat, of one layout with the same value."""

    first: tuple[int, ...]
    second: tuple[int, ...]
    value: int
    modes: tuple[int, ...]


def complement(layout: Any, max_idx: int = 1) -> Layout:
    """The layout that fills the gaps: with it, `layout` reaches every number below the bound once.

    The bound is the least multiple of N·d, the largest mode's reach, from max_idx on; where N·d
    divides max_idx, (layout, complement) is a bijection of [0, max_idx) (Proposition 2.7), and
    strictly increasing. Modes of stride 0 repeat values and are left out. A layout has a
    complement exactly if its modes, sorted, satisfy N_i·d_i | d_{i+1}; otherwise NoAnswer says
    which modes are at fault, and where they collide if they do.
    Source: Definitions 2.5 and 2.6 of "CuTe Layout Algebra" (L. Mao).

    >>> print(complement(Layout(4, 2), 16))
    (2,2):(1,8)
    >>> complement(Layout((4, 2), (1, 2)), 8)
    Traceback (most recent call last):
    ...
    symview.cute.errors.NoAnswer: complement of (4,2):(1,2): modes 0 (4:1) and 1 (2:2) overlap: \
coordinates (2,0) and (0,1) both have the value 2
    """
    if is_int(layout):
        return complement(Layout(layout), max_idx)
    need_numbers(layout, "complement")
    if not is_int(max_idx) or max_idx < 1:
        raise LayoutError(f"complement of {layout}: the bound {max_idx!r} is no positive integer")
    found, reach = [], 1
    for number, (size, stride) in sorted_modes(layout):
        if stride < reach or stride % reach:
            raise NoAnswer(f"complement of {layout}: {misfit(layout, number, stride, reach)}")
        found.append((stride // reach, reach))
        reach = size * stride
    found.append((-(-max_idx // reach), reach))
    return assembled(coalesced_modes(found))


def has_complement(layout: Layout) -> bool:
    """Whether the modes, sorted, satisfy N_i·d_i | d_{i+1}: admissible for complementation, some bound."""
    reach = 1
    for _, (size, stride) in sorted_modes(layout):
        if stride < reach or stride % reach:
            return False
        reach = size * stride
    return True


def sorted_modes(layout: Layout) -> list[tuple[int, tuple[int, int]]]:
    """The flat modes that move, with their numbers, by stride, then by size."""
    moving = [(n, mode) for n, mode in enumerate(layout.flat()) if mode[0] != 1 and mode[1] != 0]
    return sorted(moving, key=lambda m: (m[1][1], m[1][0]))


def misfit(layout: Layout, number: int, stride: int, reach: int) -> str:
    """Why the mode of that number cannot follow modes that reach that far."""
    if stride < 0:
        return f"mode {number} has the stride {stride}; a complement needs strides from 0 up"
    modes = layout.flat()
    name = f"{number} ({modes[number][0]}:{stride})"
    before = [m for m in sorted_modes(layout) if m[1][0] * m[1][1] == reach and m[0] != number][-1]
    previous = f"{before[0]} ({before[1][0]}:{before[1][1]})"
    hit = collision(layout)
    if hit is not None:
        at = " and ".join(profile_text(like(layout.shape, iter(c))) for c in (hit.first, hit.second))
        both = " and ".join(f"{n} ({modes[n][0]}:{modes[n][1]})" for n in hit.modes)
        return f"modes {both} overlap: coordinates {at} both have the value {hit.value}"
    return (
        f"mode {previous} reaches {reach}, which does not divide the stride {stride} of mode {name}: "
        "the gaps are of different lengths, and no layout fills them"
    )


def collision(layout: Layout) -> Collision | None:
    """Two coordinates with the same value that differ in two modes only; None where no such two are.

    >>> collision(Layout((4, 2), (1, 2)))
    Collision(first=(2, 0), second=(0, 1), value=2, modes=(0, 1))
    """
    modes = layout.flat()
    for number, (n, d) in enumerate(modes):
        if d == 0 and n > 1:
            return Collision(_unit(modes, number, 0), _unit(modes, number, 1), 0, (number,))
    for (a, (n, d)), (b, (m, e)) in combinations(enumerate(modes), 2):
        if n == 1 or m == 1:
            continue
        i, j = abs(e) // gcd(d, e), abs(d) // gcd(d, e)
        if i < n and j < m:
            first, second = _unit(modes, a, i), _unit(modes, b, j)
            if (d < 0) != (e < 0):  # then the two moves cancel
                first, second = tuple(map(max, first, second)), (0,) * len(modes)
            return Collision(first, second, sum(x * y for x, (_, y) in zip(first, modes, strict=True)), (a, b))
    return None


def _unit(modes: Sequence[Any], number: int, value: int) -> tuple[int, ...]:
    return tuple([value * (n == number) for n in range(len(modes))])
