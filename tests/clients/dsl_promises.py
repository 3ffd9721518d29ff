"""What the operations of the CuTe DSL promise, in plain integers: by index, from the definitions, without symview."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any

Tuple = Any  # an integer, or a tuple of these


def leaves(t: Tuple) -> list[int]:
    return [x for part in t for x in leaves(part)] if isinstance(t, tuple) else [t]


def size(shape: Tuple) -> int:
    return prod(leaves(shape))


def value(shape: Tuple, stride: Tuple, index: int) -> int:
    """The value at an index, first mode fastest; the last mode goes on beyond its size."""
    return _value(leaves(shape), leaves(stride), index)


def _value(sizes: list[int], steps: list[int], index: int) -> int:
    found = 0
    for n, d in zip(sizes[:-1], steps[:-1], strict=True):
        index, x = divmod(index, n)
        found += x * d
    return found + index * steps[-1] if sizes else 0


def values(shape: Tuple, stride: Tuple) -> list[int]:
    found = [0]
    for n, d in zip(leaves(shape), leaves(stride), strict=True):
        found = [v + x * d for x in range(n) for v in found]
    return found


def taken(a: Any, indices: list[int]) -> list[int]:
    """The values at these indices."""
    sizes, steps = leaves(a[0]), leaves(a[1])
    return [_value(sizes, steps, i) for i in indices]


def copies(shape: Tuple, stride: Tuple, bound: int) -> tuple[Tuple, Tuple] | None:
    """CuTe's complement, without modes of size 1; None where a mode begins before those below it end."""
    sizes, steps, reach = [], [], 1
    for n, d in sorted(zip(leaves(shape), leaves(stride), strict=True), key=lambda mode: mode[1]):
        if n > 1 and d != 0:
            if d < reach:
                return None
            sizes.append(d // reach)
            steps.append(reach)
            reach = n * d
    kept = [(n, d) for n, d in zip((*sizes, max(1, -(-bound // reach))), (*steps, reach), strict=True) if n > 1]
    return (tuple([n for n, _ in kept]), tuple([d for _, d in kept])) if kept else (1, reach)


def modes(shape: Tuple, stride: Tuple) -> list[tuple[Tuple, Tuple]]:
    return list(zip(shape, stride, strict=True)) if isinstance(shape, tuple) else [(shape, stride)]


def as_pair(x: Any) -> tuple[Tuple, Tuple]:
    return (x, 1) if isinstance(x, int) else (x.shape, x.stride)


def is_kept(name: str, args: tuple[Any, ...], shape: Tuple, stride: Tuple) -> bool | None:
    """Whether the result keeps the promise; None where this does not say."""
    if any(n < 1 for n in leaves(shape)):
        return False
    result, a = values(shape, stride), as_pair(args[0]) if not isinstance(args[0], int) else None
    if name == "recast_layout" or a is None:
        return None
    if name == "coalesce":
        return result == values(*a)
    if name == "composition":
        return _composed(a, args[1], shape, result)
    if name == "complement":
        return _complemented(a, size(args[1]), shape, stride)
    if name == "right_inverse":
        return taken(a, result) == list(range(len(result)))
    if name == "left_inverse":
        return taken(a, taken((shape, stride), values(*a))) == values(*a)
    how, _, kind = name.partition("_")
    if kind == "divide":
        return _divided(how, a, args[1], shape, result)
    return _multiplied(how, a, as_pair(args[1]), shape, result) if kind == "product" else None


def _composed(a: Any, tiler: Any, shape: Tuple, result: list[int]) -> bool:
    if not isinstance(tiler, tuple):
        b = as_pair(tiler)
        return _refines(shape, b[0]) and result == taken(a, values(*b))
    parts = [values(*part) if b is None else taken(part, values(*as_pair(b)))
             for part, b in zip(modes(*a), tiler, strict=False)]  # fmt: skip
    outer = shape if isinstance(shape, tuple) else (shape,)
    return [size(x) for x in outer] == list(map(len, parts)) and result == _sums(parts)


def _refines(shape: Tuple, other: Tuple) -> bool:
    if not isinstance(other, tuple):
        return size(shape) == other
    return isinstance(shape, tuple) and len(shape) == len(other) and all(map(_refines, shape, other))


def _sums(parts: list[list[int]]) -> list[int]:
    return [sum(at) for at in ((*reversed(x),) for x in product(*reversed(parts)))]


def _complemented(a: Any, bound: int, shape: Tuple, stride: Tuple) -> bool:
    steps = sorted((d, n) for n, d in zip(leaves(shape), leaves(stride), strict=True) if n > 1)
    ordered = sorted(values(shape, stride))
    increasing = len(set(ordered)) == len(ordered) and all(
        d > sum((n - 1) * k for k, n in steps[:at]) for at, (d, _) in enumerate(steps)
    )
    filtered = [(n, d) for n, d in zip(leaves(a[0]), leaves(a[1]), strict=True) if d != 0]
    own = values(tuple(n for n, _ in filtered) or 1, tuple(d for _, d in filtered) or 0)
    sums = [x + y for x in own for y in ordered]
    ends = [n * d for d, n in steps] + [n * d for n, d in filtered if n > 1]
    return increasing and len(set(sums)) == len(sums) and max(ends, default=1) >= bound


def _divided(how: str, a: Any, tiler: Any, shape: Tuple, result: list[int]) -> bool | None:
    tuples = isinstance(tiler, tuple)
    if tuples and None in tiler:
        return None
    parts, tiles = (modes(*a), tiler) if tuples else ([a], (tiler,))
    firsts, rests = [], []
    for part, tile in zip(parts, tiles, strict=False):
        b = as_pair(tile)
        c = copies(*b, size(part[0]))
        if c is None:
            return None
        firsts.append((part, b))
        rests.append((part, c))
    rests += [(part, None) for part in parts[len(tiles) :]]
    count = len(result)
    table = []
    sizes = _sizes_of_rests(how, tuples, shape, len(tiles), len(rests))
    if sizes is None:
        return None
    tile_sizes = [size(b[0]) for _, b in firsts]
    if prod(tile_sizes) * prod(sizes) != count:
        return False
    order = _interleaved(tile_sizes, sizes) if how == "logical" and tuples else [*tile_sizes, *sizes]
    for at in _indices(order):
        i, j = (at[0 : 2 * len(tile_sizes) : 2], [*at[1 : 2 * len(tile_sizes) : 2], *at[2 * len(tile_sizes) :]]) \
            if how == "logical" and tuples else (at[: len(tile_sizes)], at[len(tile_sizes) :])  # fmt: skip
        total = 0
        for k, (part, c) in enumerate(rests):
            inside = (value(*firsts[k][1], i[k]) + value(*c, j[k])) if c is not None else j[k]
            total += value(*part, inside)
        table.append(total)
    return table == result


def _sizes_of_rests(how: str, tuples: bool, shape: Tuple, tiles: int, rests: int) -> list[int] | None:
    if not tuples:
        first = shape[0] if how != "flat" else None
        if how == "flat":
            return None  # tile and rest have as many modes as they need
        return [size(shape) // size(first)]
    if how == "logical":
        if not all(isinstance(x, tuple) and len(x) == 2 for x in shape[:tiles]):
            return None
        return [*[size(x[1]) for x in shape[:tiles]], *[size(x) for x in shape[tiles:]]]
    if not isinstance(shape, tuple) or (how == "zipped" and not isinstance(shape[1], tuple)):
        return None
    found = shape[1] if how == "zipped" else shape[1:] if how == "tiled" else shape[tiles:]
    return list(map(size, found)) if len(found) == rests else None


def _interleaved(a: list[int], b: list[int]) -> list[int]:
    return [x for pair in zip(a, b, strict=False) for x in pair] + b[len(a) :]


def _indices(sizes: list[int]) -> list[list[int]]:
    return [[*reversed(x)] for x in product(*map(range, reversed(sizes)))]


def _multiplied(how: str, a: Any, b: Any, shape: Tuple, result: list[int]) -> bool | None:
    reach = value(*b, size(b[0]) - 1) + 1
    c = copies(*a, size(a[0]) * reach)
    if c is None:
        return None
    if how in ("blocked", "raked"):
        table = _paired(how, a, b, c, shape)
    else:
        own = values(*a)
        table = [x + y for y in taken(c, values(*b)) for x in own]
    if table != result:
        return False
    return len(set(result)) == len(result) if _distinct(a) and _distinct(b) else True


def _distinct(a: Any) -> bool:
    return len(set(values(*a))) == size(a[0])


def _paired(how: str, a: Any, b: Any, c: Any, shape: Tuple) -> list[int]:
    rank = max(len(modes(*a)), len(modes(*b)))
    pa, pb = ([size(n) for n, _ in modes(*x)] + [1] * (rank - len(modes(*x))) for x in (a, b))
    if not isinstance(shape, tuple) or len(shape) != rank:
        return []
    order = [n for x, y in zip(pa, pb, strict=True) for n in ((x, y) if how == "blocked" else (y, x))]
    found = []
    for at in _indices(order):
        first, second = at[0::2], at[1::2]
        i, j = (first, second) if how == "blocked" else (second, first)
        found.append(value(*a, _index(i, pa)) + value(*c, value(*b, _index(j, pb))))
    return found


def _index(at: list[int], sizes: list[int]) -> int:
    found, place = 0, 1
    for x, n in zip(at, sizes, strict=True):
        found, place = found + x * place, place * n
    return found
