"""A ∘ B where no two modes of A continue each other: every place of A that B passes has to be a place of B's modes.

Then a place is not compared with each value that it may have: what a mode of B takes of a mode of A is a minimum,
and that all modes split is one claim, as many as A's modes and B's have.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, pairwise, permutations, product
from typing import Any

from symview.cute.comparer import least, plain, remainder, rounded_down, times
from symview.cute.errors import NoAnswer
from symview.cute.int_tuple import is_int
from symview.cute.layout import Layout
from symview.cute.modes import Modes
from symview.cute.symbols.asking import Asking, all_of, at_most, divides, either
from symview.engine.radix import prime_factors
from symview.logic.sympy_bridge import to_term
from symview.logic.terms import Term

Claims = list[Term | bool]


def split_interval(ask: Asking, outer: Layout, modes: Modes, sizes: Sequence[Any]) -> list[Modes]:
    """The pieces of each size, where the sizes in turn run through an interval; raises NoAnswer where one has none.

    A place of A below the end of the interval divides each place of the sizes, or is a multiple of it.
    """
    claims, found = _pieces(tuple(modes), tuple(sizes))
    if not ask.every(claims):
        raise NoAnswer(f"{outer} does not split there: a place of it neither divides the tile nor is a multiple")
    return [[*pieces] for pieces in found]


@lru_cache(maxsize=256)  # paths that know more of the symbols have the same pieces
def _pieces(modes: tuple[tuple[Any, Any], ...], sizes: tuple[Any, ...]) -> tuple[Claims, list[Modes]]:
    """That all sizes split, and the pieces of each."""
    if not sizes:
        return [], []
    places = [*accumulate([n for n, _ in modes[:-1]], times, initial=1)]
    ends = [*accumulate(sizes, times, initial=1)]
    claims = [either(at_most(ends[-1], place), _aligned(place, ends[1:])) for place in places[1:]]
    found = list[Modes]()
    for low, high in pairwise(ends):
        starts = [low, *[least(high, _most(low, place)) for place in places[1:]], high]
        at_places = [rounded_down(_most(low, place), place) for place in places]
        steps = [times(d, at) for (_, d), at in zip(modes, at_places, strict=True)]
        lengths = [rounded_down(b, a) for a, b in pairwise(starts)]
        found.append(list(zip(lengths, steps, strict=True)))
    return claims, found


def _aligned(place: Any, ends: Sequence[Any]) -> Term | bool:
    """That the place divides the last end, and of each other one is the divisor of the other."""
    claims = [*[either(divides(end, place), divides(place, end)) for end in ends[:-1]], divides(place, ends[-1])]
    return all_of(*claims)


def _most(low: Any, place: Any) -> Any:
    """The larger of two places."""
    import sympy

    if 1 in (low, place):
        return place if low == 1 else low
    return max(low, place) if is_int(low) and is_int(place) else sympy.Max(low, place, evaluate=False)


def split_tile(ask: Asking, outer: Layout, tile: Modes) -> list[Modes]:
    """The pieces of each mode of a tile of numbers that is no interval; raises NoAnswer where there is no layout.

    For an A whose strides are above all that its modes before reach: a carry makes a value larger, so there is a
    layout iff the digits of all pieces of the tile together stay within A's modes, however the sizes are cut.
    """
    for claims, found in _cuts(tuple(outer.flat()), tuple(tile)):
        if ask.every(claims):
            return [[*pieces] for pieces in found]
    raise NoAnswer(f"{outer} does not split there: a place of it neither divides the tile nor is a multiple")


@lru_cache(maxsize=256)
def _cuts(modes: tuple[tuple[Any, Any], ...], tile: tuple[tuple[int, int], ...]) -> list[tuple[Claims, list[Modes]]]:
    """Each way to cut the tile's sizes into primes: that no digits carry, and the pieces."""
    places = [*accumulate([n for n, _ in modes[:-1]], times, initial=1)]
    found = []
    for cut in product(*[sorted(set(permutations(prime_factors(n)))) for n, _ in tile]):
        steps = [[*accumulate(parts[:-1], times, initial=d)] for parts, (_, d) in zip(cut, tile, strict=True)]
        pieces = [[*zip(parts, at, strict=True)] for parts, at in zip(cut, steps, strict=True)]
        claims: Claims = []
        for place, (size, _) in zip(places, modes[:-1], strict=False):
            reached = [(p - 1) * remainder(rounded_down(s, place), size) for one in pieces for p, s in one]
            claims.append(_below(sum(reached), size))
        found.append((claims, [[(p, _value(s, places, modes)) for p, s in one] for one in pieces]))
    return found


def _below(digits: Any, size: Any) -> Term | bool:
    """That the sum of digits is below the size."""
    return digits < size if is_int(digits) and is_int(size) else Term("<", (to_term(digits), to_term(size)))


def _value(x: int, places: Sequence[Any], modes: Sequence[tuple[Any, Any]]) -> Any:
    """A's value at x."""
    digits = [remainder(rounded_down(x, place), n) for place, (n, _) in zip(places[:-1], modes, strict=False)]
    digits.append(rounded_down(x, places[-1]))
    found = sum([digit * d for digit, (_, d) in zip(digits, modes, strict=True)])
    return found if is_int(found) else plain(found)
