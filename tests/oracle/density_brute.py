"""Dense, injective, contiguous, by walking every index; and random views, of numbers and with names, to ask it of.

A view is (shape, strides, offset, mask) in plain numbers, or texts of names; shares no code with symview.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product
from random import Random
from typing import Any, NamedTuple

Bounds = Sequence[tuple[Any, Any]]


class Laid(NamedTuple):
    """A view: numbers, or texts of names."""

    shape: tuple[Any, ...]
    strides: tuple[Any, ...]
    offset: Any = 0
    mask: tuple[tuple[Any, Any], ...] | None = None

    def at(self, values: Mapping[str, int]) -> Laid:
        """The numbers at these values."""

        def number(text: Any) -> int:
            return int(eval(str(text), {"__builtins__": {}}, dict(values)))

        mask = None if self.mask is None else tuple((number(low), number(high)) for low, high in self.mask)
        return Laid(tuple(map(number, self.shape)), tuple(map(number, self.strides)), number(self.offset), mask)

    def is_view(self) -> bool:
        """Whether the numbers are a view's: sizes from 0 up, masks inside."""
        inside = all(0 <= low <= high <= n for (low, high), n in zip(self.mask or (), self.shape, strict=False))
        return all(n >= 0 for n in self.shape) and inside

    def __str__(self) -> str:
        text = f"({','.join(map(str, self.shape))}):({','.join(map(str, self.strides))})+{self.offset}"
        mask = "" if self.mask is None else " [" + ",".join(f"{low}:{high}" for low, high in self.mask) + "]"
        return text + (mask if self.shape else "")


def ranges(view: Laid) -> list[range]:
    """The valid indices of each axis."""
    return [range(low, high) for low, high in view.mask or [(0, n) for n in view.shape]]


def addresses(view: Laid, order: Sequence[int] | None = None) -> list[int]:
    """The addresses of the valid indices; with an order, the fastest dim of it runs fastest."""
    dims = list(range(len(view.shape)))[::-1] if order is None else list(order)
    axes = ranges(view)
    found = []
    for digits in product(*(axes[d] for d in reversed(dims))):
        index = dict(zip(reversed(dims), digits, strict=True))
        found.append(view.offset + sum(index[d] * view.strides[d] for d in dims))
    return found


def injective(view: Laid) -> bool:
    found = addresses(view)
    return len(set(found)) == len(found)


def dense(view: Laid, flips: bool) -> bool:
    """An interval, each address once; unless flipped, no step goes down."""
    found = addresses(view)
    if not found:
        return True
    down = any(len(r) > 1 and t < 0 for r, t in zip(ranges(view), view.strides, strict=True))
    return injective(view) and max(found) - min(found) + 1 == len(found) and (flips or not down)


def contiguous(view: Laid, order: Sequence[int] | None) -> bool:
    """One address after the other."""
    found = addresses(view, order)
    return all(b == a + 1 for a, b in pairwise(found))


# Random views


def numbers(rng: Random) -> Laid:
    """Sizes to 4, now and then 0, of up to 5 dims; strides of an order, nearly so, or any, of both signs."""
    rank = rng.choices(range(6), (1, 3, 6, 6, 3, 1))[0]
    shape = tuple(rng.choice((1, 2, 2, 3, 4)) if rng.random() < 0.97 else 0 for _ in range(rank))
    if rng.random() < 0.6:
        strides, place = [0] * rank, 1
        for dim in rng.sample(range(rank), rank):
            strides[dim], place = place * rng.choice((1, 1, 1, -1)), place * max(1, shape[dim])
        if rank and rng.random() < 0.6:
            strides[rng.randrange(rank)] += rng.randint(-2, 2)
    else:
        strides = [rng.randint(-12, 12) for _ in shape]
    return Laid(shape, tuple(strides), rng.choice((0, 0, 7, -3)), _mask(rng, shape))


def _mask(rng: Random, shape: Sequence[int]) -> tuple[tuple[int, int], ...] | None:
    if rng.random() < 0.75:
        return None
    lows = [rng.randint(0, n) if rng.random() < 0.4 else 0 for n in shape]
    return tuple((low, rng.randint(low, n) if rng.random() < 0.4 else n) for low, n in zip(lows, shape, strict=True))


def named(rng: Random) -> Laid:
    """Sizes a, b, 2*a, a*b or numbers; strides p, q, numbers, products of sizes; a mask of names in some."""
    rank = rng.choices((1, 2, 3, 4), (1, 8, 6, 1))[0]
    shape = tuple(rng.choice(("a", "b", "a", "b", 1, 2, 3, 4, "2*a", "a*b", "a+1")) for _ in range(rank))
    strides: list[Any] = [0] * rank
    place = "1"
    for dim in rng.sample(range(rank), rank):
        strides[dim], place = place, f"{place}*({shape[dim]})"
    for dim in range(rank):
        if rng.random() < 0.45:
            any_ = ("p", "q", "p", "2*p", "p+q", "p*q", "b*p", -1, 0, 2, 3, 4, 6, "a", "b", "-a", "a-b")
            strides[dim] = rng.choice(any_)
    mask = None
    if rng.random() < 0.15:
        mask = tuple(rng.choice(((0, n), (0, n), (0, "c"), ("c", n), (1, n), (0, 1))) for n in shape)
    return Laid(shape, tuple(strides), 0, mask)


def names_of(view: Laid) -> list[str]:
    return [n for n in "abcpq" if n in str(view)]


def values(names: Sequence[str], low: int = 1) -> Iterator[dict[str, int]]:
    """Every small value: sizes from `low` up, strides of both signs."""
    spans = {"a": range(low, 5), "b": range(low, 4), "c": range(4), "p": range(-4, 10), "q": (-3, -1, 0, 1, 2, 3, 5, 6)}
    for point in product(*(spans[n] for n in names)):
        yield dict(zip(names, point, strict=True))
