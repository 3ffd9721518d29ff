"""The memory of a view as elements of another width, by listing every unit of every element."""

from __future__ import annotations

from itertools import product
from math import gcd

Index = tuple[int, ...]
Bounds = tuple[tuple[int, int], ...]
Address = dict[Index, int]


def recast(
    shape: Index, strides: Index, offset: int, bounds: Bounds, old: int, new: int, dim: int
) -> tuple[Index, Address] | None:
    """The new shape and the address of each valid new index; None if there is no view of aligned elements in order."""
    unit = gcd(old, new)
    many, wide = old // unit, new // unit
    if many * shape[dim] % wide:
        return None
    sizes = tuple(many * n // wide if a == dim else n for a, n in enumerate(shape))
    inside = [range(low, high) for low, high in bounds]
    if any(not r for r in inside):
        return sizes, {}
    if any(many * x % wide for x in bounds[dim]):
        return None
    found: Address = {}
    for others in product(*(r if a != dim else (0,) for a, r in enumerate(inside))):
        units = []
        for i in inside[dim]:
            at = [i if a == dim else x for a, x in enumerate(others)]
            start = many * (offset + sum(x * t for x, t in zip(at, strides, strict=True)))
            units += range(start, start + many)
        first = many * bounds[dim][0] // wide
        for y in range(len(units) // wide):
            piece = units[y * wide : (y + 1) * wide]
            if piece != [*range(piece[0], piece[0] + wide)] or piece[0] % wide:
                return None
            found[tuple(first + y if a == dim else x for a, x in enumerate(others))] = piece[0] // wide
    return (sizes, found) if is_affine(found) else None


def is_affine(found: Address) -> bool:
    """Whether the addresses on a box are an offset and a stride for each dim."""
    low = min(found)
    steps = []
    for a in range(len(low)):
        near = tuple(x + (b == a) for b, x in enumerate(low))
        steps.append(found[near] - found[low] if near in found else 0)
    return all(
        address == found[low] + sum((x - y) * t for x, y, t in zip(at, low, steps, strict=True))
        for at, address in found.items()
    )
