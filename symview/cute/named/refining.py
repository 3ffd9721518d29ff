"""A ∘ B for a B that enumerates an interval: its moving modes, sorted by stride, continue each other from 1 on.

Then A ∘ B has A's values on the interval, in another order of modes. It is a layout iff A's shape and B's sizes in that
order have a common refinement; this ignores places of A where its strides continue each other, and places beyond the
interval. The reason: a numeric layout has a unique coalesced form, and the places of that form are among the places of
every layout of the same function.

If no two modes of A continue each other, every place of A that B passes must be a place of B's modes. Then no place is
compared with every possible value: the part of A's mode that a mode of B covers is a minimum, and a single claim, with
as many parts as A and B have modes, says that all modes split.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, reduce
from itertools import accumulate, pairwise, permutations, product
from operator import and_, mul
from typing import Any

from symview.cute.comparer import divides
from symview.cute.errors import NoAnswer
from symview.cute.int_tuple import is_int, leaves, like, product_of
from symview.cute.layout import Layout, made
from symview.cute.modes import Modes, coalesced
from symview.cute.named.entries import Names
from symview.engine.radix import divisors, prime_factors
from symview.logic.integer import Claim, greatest, least

Claims = list[Claim | bool]
_FEW, _OPEN = 3, 2


def split_interval(ask: Names, outer: Layout, modes: Modes, sizes: Sequence[Any]) -> list[Modes]:
    """The pieces of each size, if the sizes in order enumerate an interval; raises NoAnswer if one does not split.

    Each place of A below the end of the interval has to divide each place of the sizes, or be a multiple of it.
    """
    claims, found = _pieces(tuple(modes), tuple(sizes))
    if not ask.every(claims):
        raise NoAnswer(f"{outer} does not split there: a place of it neither divides the tile nor is a multiple")
    return [[*pieces] for pieces in found]


@lru_cache(maxsize=256)  # paths with other facts have the same pieces
def _pieces(modes: tuple[tuple[Any, Any], ...], sizes: tuple[Any, ...]) -> tuple[Claims, list[Modes]]:
    """The claims that all sizes split, and the pieces of each."""
    if not sizes:
        return [], []
    places = [*accumulate([n for n, _ in modes[:-1]], mul, initial=1)]
    ends = [*accumulate(sizes, mul, initial=1)]
    claims = [(ends[-1] <= place) | _aligned(place, ends[1:]) for place in places[1:]]
    found = list[Modes]()
    for low, high in pairwise(ends):
        starts = [low, *[least(high, _most(low, place)) for place in places[1:]], high]
        at_places = [_most(low, place) // place for place in places]
        steps = [d * at for (_, d), at in zip(modes, at_places, strict=True)]
        lengths = [b // a for a, b in pairwise(starts)]
        found.append(list(zip(lengths, steps, strict=True)))
    return claims, found


def _aligned(place: Any, ends: Sequence[Any]) -> Claim | bool:
    """The claim that the place divides the last end, and divides or is a multiple of each other end."""
    claims = [divides(end, place) | divides(place, end) for end in ends[:-1]]
    return reduce(and_, claims, divides(place, ends[-1]))


def _most(low: Any, place: Any) -> Any:
    """The larger of two places."""
    if 1 in (low, place):
        return place if low == 1 else low
    return greatest(low, place)


def split_tile(ask: Names, outer: Layout, tile: Modes) -> list[Modes]:
    """The pieces of each mode of a numeric tile that is not an interval; raises NoAnswer if there is no layout.

    Requires that each stride of A exceeds the reach of the modes before it. Then an overflow increases a value, so
    there is a layout iff the digits of all pieces together stay within A's modes, however the sizes are cut.
    """
    for claims, found in _cuts(tuple(outer.flat()), tuple(tile)):
        if ask.every(claims):
            return [[*pieces] for pieces in found]
    raise NoAnswer(f"{outer} does not split there: a place of it neither divides the tile nor is a multiple")


@lru_cache(maxsize=256)
def _cuts(modes: tuple[tuple[Any, Any], ...], tile: tuple[tuple[int, int], ...]) -> list[tuple[Claims, list[Modes]]]:
    """Each way to cut the tile's sizes into primes: the claims that no digits overflow, and the pieces."""
    places = [*accumulate([n for n, _ in modes[:-1]], mul, initial=1)]
    found = []
    for cut in product(*[sorted(set(permutations(prime_factors(n)))) for n, _ in tile]):
        steps = [[*accumulate(parts[:-1], mul, initial=d)] for parts, (_, d) in zip(cut, tile, strict=True)]
        pieces = [[*zip(parts, at, strict=True)] for parts, at in zip(cut, steps, strict=True)]
        claims: Claims = []
        for place, (size, _) in zip(places, modes[:-1], strict=False):
            reached = [(p - 1) * ((s // place) % size) for one in pieces for p, s in one]
            claims.append(sum(reached) < size)
        found.append((claims, [[(p, _value(s, places, modes)) for p, s in one] for one in pieces]))
    return found


def _value(x: int, places: Sequence[Any], modes: Sequence[tuple[Any, Any]]) -> Any:
    """A's value at x."""
    digits = [(x // place) % n for place, (n, _) in zip(places[:-1], modes, strict=False)]
    digits.append(x // places[-1])
    return sum([digit * d for digit, (_, d) in zip(digits, modes, strict=True)])


def interval_order(inner: Layout) -> list[int] | None:
    """The order in which the moving modes continue each other from stride 1 on; None if they do not."""
    modes = inner.flat()
    left = [k for k, (n, d) in enumerate(modes) if n != 1 and d != 0]
    found: list[int] = []
    reach: Any = 1
    while left:
        following = next((k for k in left if modes[k][1] == reach), None)
        if following is None:
            return None
        left.remove(following)
        found.append(following)
        reach = reach * modes[following][0]
    return found


def over_interval(ask: Names, outer: Layout, inner: Layout, order: Sequence[int], apart: int = 0) -> Layout:
    """A ∘ B for a B whose moving modes have this order; for `apart` see `refined`."""
    modes = inner.flat()
    return with_pieces(inner, order, refined(ask, outer, [modes[k][0] for k in order], apart))


def with_pieces(inner: Layout, order: Sequence[int], found: Sequence[Modes]) -> Layout:
    """The layout in which the modes of `order` are the pieces found, and the others have stride 0."""
    modes, parts = inner.flat(), dict(zip(order, found, strict=True))
    pairs = [mode_of(parts[k]) if k in parts else (n, 0) for k, (n, _) in enumerate(modes)]
    return nested(inner.shape, pairs)


def refined(ask: Names, outer: Layout, sizes: Sequence[Any], apart: int = 0) -> list[Modes]:
    """Splits each size into modes along which A is linear; raises NoAnswer if that is impossible.

    If a place of A is neither a multiple nor a divisor, A's strides have to continue each other there. `apart` is the
    number of open strides, if no two modes of A continue each other; see `split_interval`.
    """
    modes = joined(outer.flat() or [(1, 0)])
    if apart > 1 and _many_cuts(modes, sizes, apart):
        return split_interval(ask, outer, modes, sizes)
    sizes = [*map(ask.whole, sizes)]
    cursor, found = _Cursor(ask, outer), list[Modes]()
    for k, size in enumerate(sizes):
        pieces: Modes = []
        left = size
        while not cursor.takes(left, sizes[k + 1 :]):
            parts = _few_parts(left, sizes)
            part = next((p for p in parts or () if cursor.room == p), None)
            if part is not None:
                left //= part
                pieces.append((part, cursor.advanced()[1]))
            elif parts is None and ask.divides(cursor.room, left):
                left //= cursor.room
                pieces.append(cursor.advanced())
            else:
                cursor.require_continuing(outer)
        found.append(ask.entries([*pieces, cursor.taken(left)]))
    return found


def _many_cuts(modes: Modes, sizes: Sequence[Any], strides: int) -> bool:
    """Whether comparing each place with each cut would produce many cases."""
    if not all(map(is_int, sizes)):
        return True
    several = strides > _OPEN or len([p for n in sizes for p in prime_factors(n)]) > 1
    return several and not all(is_int(n) for n, _ in modes[:-1])


def _few_parts(size: Any, sizes: Sequence[Any]) -> list[int] | None:
    """The proper divisors of a number, if they are few enough to compare a mode of A with each."""
    parts = divisors(prime_factors(size))[:-1] if is_int(size) else []
    few = 1 if any(not is_int(n) for n in sizes) else _FEW
    return parts if 0 < len(parts) <= few else None


class _Cursor:
    """A position in a layout: the current mode's size and stride, the room left in it, and the stride of one step."""

    def __init__(self, ask: Names, outer: Layout) -> None:
        self.ask = ask
        self.modes = ask.wholes(joined(outer.flat() or [(1, 0)]))
        self.straight = False  # no further place of A is reached
        self._enter()

    def _enter(self) -> None:
        self.size, self.stride = self.room, self.step = self.modes.pop(0)
        self.straight = not self.modes

    def takes(self, size: Any, following: Sequence[Any]) -> bool:
        """Whether A is linear along a mode of that size from here on, as far as needed."""
        if not self.straight:
            self.straight = bool(size * product_of(tuple(following)) <= self.room)
        return self.straight or bool(self.ask.divides(size, self.room))

    def taken(self, size: Any) -> tuple[Any, Any]:
        """Consumes a mode of that size, and returns it."""
        found = size, self.step
        self.step = self.step * size
        if not self.straight:
            self.room //= size
        return found

    def advanced(self) -> tuple[Any, Any]:
        """Consumes the rest of A's current mode, and returns it."""
        found = self.room, self.step
        self._enter()
        return found

    def require_continuing(self, outer: Layout) -> None:
        """Merges this mode and the next one of A, which requires that their strides continue each other."""
        size, stride = self.modes.pop(0)
        if self.modes and size == 1:
            return
        end = self.size * self.stride
        numbers = type(stride) is int and type(self.stride) is int
        if not (stride == end if numbers else self.ask.require(stride, end)):
            raise NoAnswer(f"{outer} does not split there: a place of it neither divides the tile nor is a multiple")
        self.size, self.room = self.size * size, self.room * size
        self.straight = not self.modes


def mode_of(pieces: Modes) -> tuple[Any, Any]:
    """The pieces as one mode, nested if there are several; drops pieces of size 1."""
    kept = coalesced(pieces) or pieces[-1:]
    if len(kept) == 1:
        return kept[0]
    return tuple([n for n, _ in kept]), tuple([d for _, d in kept])


def nested(profile: Any, modes: Modes) -> Layout:
    """The layout of these modes, nested like the profile."""
    shape, stride = (like(profile, iter([mode[k] for mode in modes])) for k in (0, 1))
    return made(shape, stride, all(type(x) is int for x in (*leaves(shape), *leaves(stride))))


def joined(modes: Modes) -> Modes:
    """Merges neighbouring modes that continue each other for all values; keeps the last mode, even if its size is 1."""
    found = coalesced(modes)
    for size, stride in modes[-1:]:
        if size == 1 and not (found and found[-1][0] * found[-1][1] == stride):
            found.append((size, stride))
    return found
