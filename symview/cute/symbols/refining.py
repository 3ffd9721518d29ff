"""A ∘ B where B's moving modes, by stride, continue each other from 1 on, so that B runs through an interval.

Then A ∘ B has A's values on the interval, in another order of modes, and there is a layout iff A's
shape and the sizes of B in that order have a common refinement, of A those places not counting
where its strides continue each other, and those beyond the interval. For a layout of numbers has
one coalesced form, and the places of that are among those of any layout of the same function.

Where no two modes of A continue each other, every place of A that B passes has to be a place of B's modes. Then a place
is not compared with each value that it may have: what a mode of B takes of a mode of A is a minimum, and that all modes
split is one claim, as many as A's modes and B's have.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, pairwise, permutations, product
from typing import Any

from symview.cute.comparer import NUMBERS, least, plain, quotient, remainder, rounded_down, times
from symview.cute.errors import NoAnswer
from symview.cute.int_tuple import is_int, leaves, like, product_of
from symview.cute.layout import Layout, made
from symview.cute.modes import Modes
from symview.cute.symbols.asking import Asking, all_of, at_most, divides, either
from symview.engine.radix import divisors, prime_factors
from symview.logic.sympy_bridge import to_term
from symview.logic.terms import Term

Claims = list[Term | bool]
_FEW, _OPEN = 3, 2


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


def interval_order(inner: Layout) -> list[int] | None:
    """The numbers of the moving modes, each continuing those before it from 1 on; None where they do not."""
    modes = inner.flat()
    left = [k for k, (n, d) in enumerate(modes) if n != 1 and d != 0]
    found: list[int] = []
    reach: Any = 1
    while left:
        following = next((k for k in left if NUMBERS.equal(modes[k][1], reach)), None)
        if following is None:
            return None
        left.remove(following)
        found.append(following)
        reach = times(reach, modes[following][0])
    return found


def over_interval(ask: Asking, outer: Layout, inner: Layout, order: Sequence[int], apart: int = 0) -> Layout:
    """A ∘ B for a B whose moving modes have that order; `apart`: see `refined`."""
    modes = inner.flat()
    return with_pieces(inner, order, refined(ask, outer, [modes[k][0] for k in order], apart))


def with_pieces(inner: Layout, order: Sequence[int], found: Sequence[Modes]) -> Layout:
    """The layout whose modes of these numbers are the pieces found, and whose others do not move."""
    modes, parts = inner.flat(), dict(zip(order, found, strict=True))
    pairs = [mode_of(parts[k]) if k in parts else (n, 0) for k, (n, _) in enumerate(modes)]
    return nested(inner.shape, pairs)


def refined(ask: Asking, outer: Layout, sizes: Sequence[Any], apart: int = 0) -> list[Modes]:
    """For each size in turn, the modes into which A's values along it fall; raises NoAnswer where they do not.

    Where a place of A is neither a multiple nor a divisor, A's strides are required to continue each other.
    `apart`: how many strides are open, where no two modes of A continue each other; see `split_interval`.
    """
    modes = joined(outer.flat() or [(1, 0)])
    if apart > 1 and _many_cuts(modes, sizes, apart):
        return split_interval(ask, outer, modes, sizes)
    cursor, found = _Cursor(ask, outer), list[Modes]()
    for k, size in enumerate(sizes):
        pieces: Modes = []
        left = size
        while not cursor.takes(left, sizes[k + 1 :]):
            parts = _few_parts(left, sizes)
            part = next((p for p in parts or () if ask.equal(cursor.room, p)), None)
            if part is not None:
                left //= part
                pieces.append((part, cursor.advanced()[1]))
            elif parts is None and ask.divides(cursor.room, left):
                left = quotient(left, cursor.room)
                pieces.append(cursor.advanced())
            else:
                cursor.require_continuing(outer)
        found.append([*pieces, cursor.taken(left)])
    return found


def _many_cuts(modes: Modes, sizes: Sequence[Any], strides: int) -> bool:
    """Whether comparing each place with each cut would take many cases."""
    if not all(map(is_int, sizes)):
        return True
    several = strides > _OPEN or len([p for n in sizes for p in prime_factors(n)]) > 1
    return several and not all(is_int(n) for n, _ in modes[:-1])


def _few_parts(size: Any, sizes: Sequence[Any]) -> list[int] | None:
    """The divisors of a number but itself, where these are so few that a mode of A is compared with each."""
    parts = divisors(prime_factors(size))[:-1] if is_int(size) else []
    few = 1 if any(not is_int(n) for n in sizes) else _FEW
    return parts if 0 < len(parts) <= few else None


class _Cursor:
    """A place in a layout: the mode there, its size and stride, what is left of it, and the stride there."""

    def __init__(self, ask: Asking, outer: Layout) -> None:
        self.ask = ask
        self.modes = joined(outer.flat() or [(1, 0)])
        self.straight = False  # no place of A is reached any more
        self._enter()

    def _enter(self) -> None:
        self.size, self.stride = self.room, self.step = self.modes.pop(0)
        self.straight = not self.modes

    def takes(self, size: Any, following: Sequence[Any]) -> bool:
        """Whether A is straight along a mode of that size from here on, as far as it is needed."""
        if not self.straight:
            self.straight = self.ask.at_most(times(size, product_of(tuple(following))), self.room)
        return self.straight or self.ask.divides(size, self.room)

    def taken(self, size: Any) -> tuple[Any, Any]:
        """The mode of that size from here, which is left behind."""
        found = size, self.step
        self.step = times(self.step, size)
        if not self.straight:
            self.room = quotient(self.room, size)
        return found

    def advanced(self) -> tuple[Any, Any]:
        """What is left of A's mode, which is left behind."""
        found = self.room, self.step
        self._enter()
        return found

    def require_continuing(self, outer: Layout) -> None:
        """Makes this mode and the next of A one, which is required of their strides."""
        size, stride = self.modes.pop(0)
        if self.modes and self.ask.equal(size, 1):
            return
        end = times(self.size, self.stride)
        numbers = type(stride) is int and type(self.stride) is int
        if not (self.ask.equal(stride, end) if numbers else self.ask.require(stride, end)):
            raise NoAnswer(f"{outer} does not split there: a place of it neither divides the tile nor is a multiple")
        self.size, self.room = times(self.size, size), times(self.room, size)
        self.straight = not self.modes


def mode_of(pieces: Modes) -> tuple[Any, Any]:
    """The pieces as one mode, nested where there are several; pieces of size 1 are left out."""
    kept = joined(pieces)
    if len(kept) > 1 and kept[-1][0] == 1:
        kept.pop()
    if len(kept) == 1:
        return kept[0]
    return tuple([n for n, _ in kept]), tuple([d for _, d in kept])


def nested(profile: Any, modes: Modes) -> Layout:
    """The layout of these modes, nested as the profile is."""
    shape, stride = (like(profile, iter([mode[k] for mode in modes])) for k in (0, 1))
    return made(shape, stride, all(type(x) is int for x in (*leaves(shape), *leaves(stride))))


def joined(modes: Modes) -> Modes:
    """The modes, neighbours as one that continue each other for all values; the last stays, even of size 1."""
    found: Modes = []
    for number, (n, d) in enumerate(modes):
        if n == 1 and number < len(modes) - 1:
            continue
        if found and NUMBERS.equal(times(*found[-1]), d):
            found[-1] = (times(found[-1][0], n), found[-1][1])
        else:
            found.append((n, d))
    return found
