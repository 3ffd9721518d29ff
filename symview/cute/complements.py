"""The complement of a layout, and why there may be none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import gcd, prod
from typing import Any, NamedTuple

from symview.cute.errors import LayoutError, NoAnswer
from symview.cute.int_tuple import is_int, like, profile_text
from symview.cute.layout import Layout, made
from symview.cute.modes import assembled, coalesced_modes, need_numbers
from symview.errors import SymbolError

_WALKED = 1 << 12


class Collision(NamedTuple):
    """Two coordinates, flat, of one layout with the same value."""

    first: tuple[int, ...]
    second: tuple[int, ...]
    value: int
    modes: tuple[int, ...]


def complement(layout: Any, max_idx: int = 1) -> Layout:
    """Where copies of the layout stand apart: CuTe's form, at least max_idx // size(layout) values of it.

    The form: the modes by stride; in each gap, from the reach N·d of one mode to the stride of the
    next, floor(stride/reach) copies, one where the stride is below the reach but above all sums so
    far; behind the last as many as start below max_idx. Its values increase, and no two sums of a
    value of the layout and one of it agree. Where the modes satisfy N_i·d_i | d_{i+1}
    (`has_complement`), these sums are all numbers below the least multiple of the last reach from
    max_idx on, each once; for max_idx a multiple, Proposition 2.7. Modes of stride 0 repeat values
    and are left out.

    NoAnswer is about this form. Where modes overlap, two coordinates with one value, no layout at
    all is disjoint; where they only interleave, or fewer copies than asked for fit into the gaps,
    layouts of other forms may be. Raises LayoutError unless max_idx is positive.
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
    asked = max_idx // layout.size()
    if found.size() < asked:
        few = f"only {found.size()} of the {asked} copies asked for fit into the gaps: "
        raise NoAnswer(f"complement of {layout}: {few}{first_misfit(layout)}")
    return found


class Gap(NamedTuple):
    """The gap before a mode: where the modes before reach, the largest sum with copies so far, the copies that fit.

    `problem` says why there is no place for the mode, "" where there is.
    """

    mode: int
    size: int
    stride: int
    reach: int
    span: int
    copies: int
    problem: str


def gaps(layout: Layout, exact: bool = False) -> Iterator[Gap]:
    """The gaps of CuTe's form, up to the first that is a problem; `exact`: each has to be filled."""
    reach, span = 1, 0
    for number, (size, stride) in sorted_modes(layout):
        fits = stride > span and not (exact and stride % reach)
        many = max(1, stride // reach)
        yield Gap(number, size, stride, reach, span, many, "" if fits else misfit(layout, number, stride, reach, exact))
        if not fits:
            return
        span += (many - 1) * reach + (size - 1) * stride
        reach = size * stride


def copies(layout: Layout, bound: int, exact: bool = False, least: int = 1) -> Layout:
    """CuTe's form of a complement: as many copies in each gap as fit, behind the last up to the bound; `least` in all.

    `exact`: every gap has to be filled, so that nothing below the bound is left out (Definition 2.5).
    Raises NoAnswer where modes overlap or interleave, or a gap cannot be filled.
    """
    need_numbers(layout, "complement")
    found, reach = [], 1
    for gap in gaps(layout, exact):
        if gap.problem:
            raise NoAnswer(f"complement of {layout}: {gap.problem}")
        found.append((gap.copies, gap.reach))
        reach = gap.size * gap.stride
    inside = prod([n for n, _ in found])
    found.append((_larger(-(-bound // reach), -(-least // inside)), reach))
    return assembled(coalesced_modes(found))


def _larger(a: Any, b: Any) -> Any:
    try:
        return max(a, b)
    except TypeError:  # sympy cannot compare the two
        raise SymbolError(f"a complement has max({a}, {b}) copies, which depends on symbols") from None


def first_misfit(layout: Layout) -> str:
    """Which modes, by stride, are the first not to satisfy N_i·d_i | d_{i+1}, where some do not."""
    reach = 1
    for number, (size, stride) in sorted_modes(layout):
        if stride < reach or stride % reach:
            return _undivided(layout, number, stride, reach)
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


def misfit(layout: Layout, number: int, stride: int, reach: int, exact: bool) -> str:
    """Why the mode of that number cannot follow modes that reach that far; `exact`: every gap has to be filled."""
    if stride < 0:
        return f"mode {number} has the stride {stride}; a complement needs strides from 0 up"
    found = _overlap(layout)
    if found is not None:
        return found
    if exact:
        return f"{_undivided(layout, number, stride, reach)}: no layout fills the gap"
    before, this = _previous(layout, number, reach), _named(layout, number)
    no_place = f"{before} reaches {reach}, and CuTe's form has no place for copies there"
    return f"modes {before} and {this} interleave: {no_place}"


def _undivided(layout: Layout, number: int, stride: int, reach: int) -> str:
    before, this = _previous(layout, number, reach), _named(layout, number)
    return f"mode {before} reaches {reach}, which does not divide the stride {stride} of mode {this}"


def _named(layout: Layout, number: int) -> str:
    size, stride = layout.flat()[number]
    return f"{number} ({size}:{stride})"


def _previous(layout: Layout, number: int, reach: int) -> str:
    """The mode before, by stride, that reaches so far."""
    return _named(layout, [n for n, (m, d) in sorted_modes(layout) if m * d == reach and n != number][-1])


def _overlap(layout: Layout) -> str | None:
    """Two coordinates of the modes that move and have the same value; None where none were found."""
    from symview.cute.swizzle import same_values

    modes = [(1 if d == 0 else n, d) for n, d in layout.flat()]
    moving = made(tuple([n for n, _ in modes]), tuple([d for _, d in modes]))
    hit = collision(moving)
    if hit is None and moving.size() <= _WALKED:
        pair = same_values(moving)
        if pair is not None:
            first, second = map(moving.coordinate, pair)
            moved = tuple([n for n, (a, b) in enumerate(zip(first, second, strict=True)) if a != b])
            hit = Collision(first, second, moving(pair[0]), moved)
    if hit is None:
        return None
    at = " and ".join(profile_text(like(layout.shape, iter(c))) for c in (hit.first, hit.second))
    *most, last = [_named(layout, n) for n in hit.modes]
    return f"modes {', '.join(most)} and {last} overlap: coordinates {at} both have the value {hit.value}"


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
