"""The elements of each rank of a sharded tensor, by cutting lists as `torch.chunk` does; and all placements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

Shape = tuple[int, ...]
Cut = tuple[int, int] | None  # dim and pieces; None: every rank has all


def chunks(items: list[int], count: int) -> list[list[int]]:
    """`torch.chunk`, and empty lists for the chunks that it leaves out."""
    size = -(-len(items) // count)
    found = [items[at : at + size] for at in range(0, len(items), size)] if items else []
    return found + [[] for _ in range(count - len(found))]


def part(shape: Shape, cuts: Sequence[Cut], mesh: Shape, rank: Shape) -> list[int]:
    """The elements of a rank, by their numbers in the whole tensor, in the order of its local tensor."""
    dims = [list(range(n)) for n in shape]
    for cut, parts, r in zip(cuts, mesh, rank, strict=True):
        if cut is not None:
            dim, pieces = cut
            dims[dim] = [i for piece in chunks(dims[dim], pieces) for i in chunks(piece, parts)[r]]
    steps = [prod(shape[d + 1 :]) for d in range(len(shape))]
    return [sum(i * s for i, s in zip(index, steps, strict=True)) for index in product(*dims)]


def parts(shape: Shape, cuts: Sequence[Cut], mesh: Shape) -> list[list[int]]:
    """The elements of each rank, in the order of the ranks."""
    return [part(shape, cuts, mesh, rank) for rank in product(*map(range, mesh))]


def agree(shape: Shape, cuts: Sequence[Cut], new: Shape, others: Sequence[Cut], mesh: Shape) -> bool:
    """Whether each rank has the same elements in the same order."""
    return parts(shape, cuts, mesh) == parts(new, others, mesh)


def all_cuts(shape: Shape) -> list[Cut]:
    """Every cut of a dim, in more pieces than any size too."""
    return [(d, pieces) for d in range(len(shape)) for pieces in range(1, max(shape) + 2)]


def all_placements(shape: Shape, cuts: Sequence[Cut], new: Shape, mesh: Shape) -> Iterator[tuple[Cut, ...]]:
    """Every placement of the new shape with the same elements on each rank; axes without a cut keep none."""
    here = parts(shape, cuts, mesh)
    for others in product(*(all_cuts(new) if cut is not None else [None] for cut in cuts)):
        if parts(new, others, mesh) == here:
            yield others


def shapes_of(count: int, rng) -> Shape:
    """A random shape with so many elements, perhaps with dims of size 1."""
    sizes = []
    while count > 1 and len(sizes) < 3:
        n = rng.choice([d for d in range(1, count + 1) if count % d == 0])
        sizes.append(n)
        count //= n
    return (*sizes, *([count] if count != 1 or not sizes else []))
