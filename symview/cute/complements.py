"""The complement of a layout, and why there may be none."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import gcd, prod
from typing import Any, NamedTuple

from symview.cute.errors import LayoutError, NoAnswer
from symview.cute.int_tuple import is_int, like, profile_text
from symview.cute.layout import Layout
from symview.cute.modes import assembled, coalesced_modes, need_numbers
from symview.errors import SymbolError


class Collision(NamedTuple):
    """Two coordinates, flat, of one layout with the same value."""

    first: tuple[int, ...]
    second: tuple[int, ...]
    value: int
    modes: tuple[int, ...]


def complement(layout: Any, max_idx: int = 1) -> Layout:
    """The layout that fills the gaps, as CuTe's contract has it: disjoint from `layout`, increasing, and large enough.

    No two sums of a value of the layout and one of the complement agree, and it has at least
    max_idx/size(layout) values. Where the modes, sorted, satisfy N_i·d_i | d_{i+1} (`has_complement`)
    the two together reach every number below the least multiple of N·d, the largest mode's reach,
    from max_idx on, once; for max_idx a multiple, Proposition 2.7. Otherwise as many copies as fit
    go into each gap. Modes of stride 0 repeat values and are left out. NoAnswer says which modes
    are at fault, and where they collide if they do.
    Source: Definitions 2.5, 2.6 and Remark 2.9 of "CuTe Layout Algebra" (L. Mao).

    >>> print(complement(Layout(4, 2), 16), complement(Layout((4, 6), (1, 6)), 72 // 3))
    (2,2):(1,8) 1:0
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
    found = copies(layout, max_idx)
    if not has_complement(layout) and found.size() < max_idx // layout.size():
        few = f"only {found.size()} copies of the {max_idx // layout.size()} below {max_idx} are apart: "
        raise NoAnswer(f"complement of {layout}: {few}{_first_misfit(layout)}")
    return found


def copies(layout: Layout, bound: int, exact: bool = False, least: int = 1) -> Layout:
    """Where copies of the layout stand apart, in each gap as many as fit, up to the bound, and at least so many.

    `exact`: every gap has to be filled, so that nothing below the bound is left out.
    Raises NoAnswer where modes overlap, or a gap cannot be filled.
    """
    need_numbers(layout, "complement")
    found, reach, span = [], 1, 0  # span: the largest sum of what is there so far
    for number, (size, stride) in sorted_modes(layout):
        if stride <= span or (exact and stride % reach):
            raise NoAnswer(f"complement of {layout}: {misfit(layout, number, stride, reach)}")
        gap = max(1, stride // reach)
        found.append((gap, reach))
        span += (gap - 1) * reach + (size - 1) * stride
        reach = size * stride
    inside = prod([n for n, _ in found])
    found.append((_larger(-(-bound // reach), -(-least // inside)), reach))
    return assembled(coalesced_modes(found))


def _larger(a: Any, b: Any) -> Any:
    try:
        return max(a, b)
    except TypeError:  # sympy cannot compare the two
        raise SymbolError(f"a complement has max({a}, {b}) copies, which depends on symbols") from None


def _first_misfit(layout: Layout) -> str:
    reach = 1
    for number, (size, stride) in sorted_modes(layout):
        if stride % reach:
            return misfit(layout, number, stride, reach)
        reach = size * stride
    return ""


def has_complement(layout: Layout) -> bool:
    """Whether the modes, sorted, satisfy N_i·d_i | d_{i+1}, so that nothing is left out (Definition 2.5)."""
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
        "no layout fills the gap"
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
