"""CuTe's rules as `layout.hpp` and `int_tuple.hpp` of CUTLASS 4.2 to 4.4 have them, all sizes and strides static.

Written from those rules alone, sharing nothing with symview: a layout is a pair of nested tuples, shape and stride.
Where a static assertion of CuTe's fails, `Refused` is raised. What the rules do is kept even where it breaks a
post-condition: whoever compares decides who is right.
"""

from __future__ import annotations

from math import gcd, prod
from typing import Any, NamedTuple


class Refused(Exception):
    """A static assertion fails, or there is no such overload."""


class L(NamedTuple):
    """A layout: shape and stride, nested alike."""

    shape: Any
    stride: Any


UNIT = L(1, 0)


def need(condition: bool, what: str) -> None:
    if not condition:
        raise Refused(what)


# Integers of C++ and nested tuples


def cut(a: int, b: int) -> int:
    """Division that drops what is behind the point."""
    need(b != 0, "division by zero")
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def rest(a: int, b: int) -> int:
    return a - cut(a, b) * b


def sign(a: int) -> int:
    return (a > 0) - (a < 0)


def up(a: int, b: int) -> int:
    return cut(a + b - 1, b)


def is_tuple(t: Any) -> bool:
    return isinstance(t, tuple) and not isinstance(t, L)


def flat(t: Any) -> list[int]:
    return [x for part in t for x in flat(part)] if is_tuple(t) else [t]


def size(t: Any) -> int:
    return prod(flat(t))


def unwrap(t: Any) -> Any:
    return unwrap(t[0]) if is_tuple(t) and len(t) == 1 else t


def ceil_div(a: Any, b: Any) -> Any:
    """The shapes; b may be an integer that is spent on the entries of a from the left."""
    if not is_tuple(a):
        return up(a, size(b))
    if is_tuple(b):
        need(len(a) >= len(b), "ranks")
        return tuple(ceil_div(x, y) for x, y in zip(a, (*b, *[1] * (len(a) - len(b))), strict=True))
    found = []
    for x in a:
        found.append(ceil_div(x, b))
        b = ceil_div(b, x)
    return tuple(found)


def shape_div(a: Any, b: Any) -> Any:
    if not is_tuple(a):
        by = size(b)
        need(by != 0 and a != 0 and (rest(a, by) == 0 or rest(by, a) == 0), "divisibility")
        return up(a, by)
    if is_tuple(b):
        need(len(a) == len(b), "ranks")
        return tuple(map(shape_div, a, b))
    found = []
    for x in a:
        found.append(shape_div(x, b))
        b = shape_div(b, x)
    return tuple(found)


def column_major(shape: Any, step: int = 1) -> Any:
    """Compact strides, first mode fastest; a size of 1 has the stride 0."""
    if not is_tuple(shape):
        return 0 if shape == 1 else step
    found = []
    for part in shape:
        found.append(column_major(part, step))
        step *= size(part)
    return tuple(found)


def row_major(shape: Any, step: int = 1) -> Any:
    if not is_tuple(shape):
        return 0 if shape == 1 else step
    found = []
    for part in reversed(shape):
        found.append(row_major(part, step))
        step *= size(part)
    return tuple(found[::-1])


def compact_order(shape: Any, order: Any) -> Any:
    pairs: list[tuple[int, int]] = []

    def collect(s: Any, o: Any) -> None:
        if is_tuple(o):
            need(is_tuple(s) and len(s) == len(o), "ranks")
            for a, b in zip(s, o, strict=True):
                collect(a, b)
        else:
            pairs.append((o, size(s)))

    def strides(s: Any, o: Any) -> Any:
        if is_tuple(o):
            return tuple(map(strides, s, o))
        return column_major(s, prod(n for other, n in pairs if other < o))

    collect(shape, order)
    return strides(shape, order)


# Layouts


def modes(a: L) -> list[L]:
    return [L(s, d) for s, d in zip(a.shape, a.stride, strict=True)] if is_tuple(a.shape) else [a]


def joined(parts: list[L]) -> L:
    """make_layout of layouts."""
    return L(tuple(p.shape for p in parts), tuple(p.stride for p in parts))


def flatten(a: L) -> L:
    return L(tuple(flat(a.shape)), tuple(flat(a.stride))) if is_tuple(a.shape) else a


def of_shape(shape: Any) -> L:
    return L(shape, column_major(shape))


def cosize(a: L) -> int:
    """Of the strides without their signs."""
    return 1 + sum((n - 1) * abs(d) for n, d in zip(flat(a.shape), flat(a.stride), strict=True))


def call(a: L, x: Any) -> int:
    """The value at an index or a coordinate; the last mode goes on beyond its size."""
    if is_tuple(x):
        return sum(call(part, y) for part, y in zip(modes(a), x, strict=True))
    sizes, steps = flat(a.shape), flat(a.stride)
    total = 0
    for n, d in zip(sizes[:-1], steps[:-1], strict=True):
        total, x = total + x % n * d, x // n
    return total + x * steps[-1] if steps else total


def at_leaves(a: L, profile: Any, operation: Any) -> L:
    """The operation on the modes for which the profile has an integer, as deep as it is nested; others stay."""
    if not is_tuple(profile):
        return operation(a)
    need(len(profile) <= len(modes(a)), "ranks")
    parts = modes(a)
    return joined([at_leaves(m, p, operation) for m, p in zip(parts, profile, strict=False)] + parts[len(profile) :])


def _from_right(sizes: list[int], steps: list[int], new: list[tuple[int, int]]) -> L:
    """Modes from right to left, each in front of those that there are already."""
    for n, d in zip(sizes[::-1], steps[::-1], strict=True):
        if n == 1:
            continue
        if new == [(1, new[0][1])]:
            new = [(n, d)]
        elif n * d == new[0][1]:
            new = [(n * new[0][0], d), *new[1:]]
        else:
            new = [(n, d), *new]
    if new == [(1, new[0][1])]:
        return UNIT
    return L(*new[0]) if len(new) == 1 else L(tuple(n for n, _ in new), tuple(d for _, d in new))


def coalesce(a: L, profile: Any = 0) -> L:
    def whole(part: L) -> L:
        sizes, steps = flat(part.shape), flat(part.stride)
        return _from_right(sizes[:-1], steps[:-1], [(sizes[-1], steps[-1])])

    return at_leaves(a, profile, whole)


def coalesce_beyond(a: L) -> L:
    """Coalesced so that the function stays beyond the size, too: a last mode of size 1 counts as one of 2."""
    sizes, steps = flat(a.shape), flat(a.stride)
    last = 2 if sizes[-1] == 1 else sizes[-1]
    return _from_right(sizes[:-1], steps[:-1], [(last, steps[-1])])


def filter_zeros(a: L) -> L:
    def kept(s: Any, d: Any) -> Any:
        return tuple(map(kept, s, d)) if is_tuple(s) else 1 if d == 0 else s

    return L(kept(a.shape, a.stride), a.stride)


def filter(a: L, profile: Any = 0) -> L:
    return at_leaves(a, profile, lambda part: coalesce(filter_zeros(part)))


def composition(a: L, b: Any) -> L:
    if isinstance(b, L):
        return _composed(coalesce_beyond(a), b)
    if is_tuple(b):
        need(len(b) <= len(modes(a)), "ranks")
        return joined([composition(part, tile) for part, tile in zip(modes(a), b, strict=False)])
    return a if b is None else _composed(coalesce_beyond(a), L(b, 1))


def _composed(a: L, b: L) -> L:
    """Of a flat, coalesced layout and another, mode by mode."""
    if is_tuple(b.shape):
        return joined([_composed(a, part) for part in modes(b)])
    if b.stride == 0:
        return b
    if not is_tuple(a.shape):
        return L(b.shape, b.stride * a.stride)
    found: list[tuple[int, int]] = []
    left, step = b.shape, b.stride
    for n, d in list(zip(a.shape, a.stride, strict=True))[:-1]:
        need(rest(step, n) == 0 or step < n, "stride divisibility")
        here, onward = up(n, abs(step)), up(abs(step), n) * sign(step)
        if here != 1 and left != 1:
            new = min(here, left)
            need(rest(left, new) == 0, "shape divisibility")
            found.append((new, step * d))
            left = cut(left, new)
        step = onward
    if not found:
        return L(left, step * a.stride[-1])
    if left != 1:
        found.append((left, step * a.stride[-1]))
    return L(unwrap(tuple(n for n, _ in found)), unwrap(tuple(d for _, d in found)))


def complement(a: L, target: Any = None) -> L:
    kept = filter(a)
    target = cosize(kept) if target is None else target
    if kept.stride == 0:
        return of_shape(size(target))
    left = list(zip(flat(kept.shape), flat(kept.stride), strict=True))
    found, reach = [], 1
    while left:
        first = min(range(len(left)), key=lambda k: left[k][1])
        n, d = left.pop(first)
        need(cut(d, reach) != 0, "not injective")
        found.append((cut(d, reach), reach))
        reach = d * n
    more = size(ceil_div(target, reach))
    found.append((more, column_major(more, reach)))
    return coalesce(L(tuple(n for n, _ in found), tuple(d for _, d in found)))


def by_stride(steps: list[int]) -> list[int]:
    """The modes by stride, sorted by exchanges: equal strides may change places."""
    order = list(range(len(steps)))
    for i in range(len(order)):
        for j in range(i + 1, len(order)):
            if steps[order[j]] < steps[order[i]]:
                order[i], order[j] = order[j], order[i]
    return order


def right_inverse(a: L) -> L:
    whole = coalesce(a)
    sizes, steps = flat(whole.shape), flat(whole.stride)
    found, reach = [(1, 0)], 1
    for k in by_stride(steps):
        if steps[k] == reach:
            found.append((sizes[k], prod(sizes[:k])))
            reach = sizes[k] * steps[k]
    return coalesce(L(tuple(n for n, _ in found), tuple(d for _, d in found)))


def left_inverse(a: L) -> L:
    whole = coalesce(a)
    sizes, steps = flat(whole.shape), flat(whole.stride)
    order = by_stride(steps)
    shape: list[int] = []
    stride = [0]
    for k in order:
        if steps[k] != 0:
            need(rest(steps[k], prod(shape)) == 0, "divisibility")
            shape.append(cut(steps[k], prod(shape)))
            stride.append(prod(sizes[:k]))
    return coalesce(L((*shape, sizes[order[-1]]), tuple(stride)))


def _by_mode(operation: Any, a: L, tiler: Any) -> L:
    if is_tuple(tiler):
        need(len(tiler) <= len(modes(a)), "ranks")
        parts = modes(a)
        changed = [_by_mode(operation, part, tile) for part, tile in zip(parts, tiler, strict=False)]
        return joined(changed + parts[len(tiler) :])
    if tiler is None:
        return a
    return operation(a, tiler if isinstance(tiler, L) else of_shape(tiler))


def logical_divide(a: L, tiler: Any) -> L:
    def divide(part: L, tile: L) -> L:
        return composition(part, joined([tile, complement(tile, coalesce(part).shape)]))

    return _by_mode(divide, a, tiler)


def repeated(a: L, tile: L) -> L:
    """logical_product of two layouts."""
    return joined([a, composition(complement(a, size(a.shape) * cosize(tile)), tile)])


def logical_product(a: L, tiler: Any) -> L:
    return _by_mode(lambda part, tile: repeated(part, tile), a, tiler)


def _zipped(t: Any, tiler: Any) -> Any:
    """First and second parts of pairs that stand where the tiler has no tuple, each gathered."""
    if not is_tuple(tiler):
        need(is_tuple(t) and len(t) == 2, "pairs")
        return t
    need(is_tuple(t) and len(t) >= len(tiler), "ranks")
    pairs = [_zipped(x, g) for x, g in zip(t, tiler, strict=False)]
    return tuple(p[0] for p in pairs), (*[p[1] for p in pairs], *t[len(tiler) :])


def _arranged(found: L, tiler: Any, how: str) -> L:
    if how == "logical":
        return found
    zipped = L(_zipped(found.shape, tiler), _zipped(found.stride, tiler))
    if how == "zipped":
        return zipped
    first, second = modes(zipped)
    return joined([*(_unpacked(first) if how == "flat" else [first]), *_unpacked(second)])


def _unpacked(a: L) -> list[L]:
    """The modes; a single one stays as it is, in its tuple."""
    return modes(a) if is_tuple(a.shape) and len(a.shape) != 1 else [a]


def divide(a: L, tiler: Any, how: str = "logical") -> L:
    return _arranged(logical_divide(a, tiler), tiler, how)


def product(a: L, tiler: Any, how: str = "logical") -> L:
    if how not in ("blocked", "raked"):
        return _arranged(logical_product(a, tiler), tiler, how)
    rank = max(len(modes(a)), len(modes(tiler)))
    pair = modes(logical_product(_padded(a, rank), _padded(tiler, rank)))
    pair = pair if how == "blocked" else pair[::-1]
    if not is_tuple(pair[0].shape):  # zip of what is not a tuple leaves the pair in a tuple of its own
        return joined([joined(pair)])
    first, second = map(modes, pair)
    need(is_tuple(pair[1].shape) and len(first) == len(second), "ranks")
    return joined([joined(list(both)) for both in zip(first, second, strict=True)])


def _padded(a: L, rank: int) -> L:
    return a if len(modes(a)) == rank else joined([*modes(a), *[UNIT] * (rank - len(modes(a)))])


def tile_to_shape(block: L, target: Any, order: Any = None, static: bool = False) -> L:
    """A size that the block does not divide is rounded up, unless it is known at compile time."""
    target = tuple(map(size, target)) if is_tuple(target) else (target,)
    need(len(modes(block)) <= len(target), "ranks")
    block = _padded(block, len(target)) if len(target) > 1 or is_tuple(block.shape) else joined([block])
    sizes = tuple(size(m.shape) for m in modes(block))
    need(not static or all(n % m == 0 for n, m in zip(target, sizes, strict=True)), "evenly divides")
    many = ceil_div(target, sizes)
    return product(block, L(many, column_major(many) if order is None else compact_order(many, order)), "blocked")


def nullspace(a: L) -> L:
    sizes, steps, places = flat(a.shape), flat(a.stride), flat(column_major(tuple(flat(a.shape))))
    still = [(n, p) for n, d, p in zip(sizes, steps, places, strict=True) if d == 0]
    if not still:
        return UNIT
    return L(unwrap(tuple(n for n, _ in still)), unwrap(tuple(d for _, d in still)))


def max_common_layout(a: L, b: L) -> L:
    inverse = right_inverse(b)
    common = coalesce(composition(a, inverse))
    first = modes(common)[0]
    return composition(inverse, first) if first.stride == 1 else UNIT


def max_common_vector(a: L, b: L) -> int:
    common = coalesce(composition(a, right_inverse(b)))
    first = modes(common)[0]
    return first.shape if first.stride == 1 else 1


def max_alignment(a: L) -> int:
    whole = coalesce(a)
    permuted = modes(divide(whole, right_inverse(whole)))
    return gcd(size(permuted[0].shape), *flat(permuted[1].stride))


def make_fragment_like(a: L) -> L:
    if len(modes(a)) < 2:
        return of_shape(a.shape)
    first = filter_zeros(modes(a)[0])
    block = L(a.shape[0], column_major(first.shape))
    rest = L(a.shape[1:], compact_order(a.shape[1:], a.stride[1:]))
    return product(block, rest, "tiled")


def upcast(a: L, n: int) -> L:
    if is_tuple(a.shape):
        return joined([upcast(part, n) for part in modes(a)])
    if a.stride == 0:
        return a
    need(rest(a.stride, n) == 0 or rest(n, a.stride) == 0, "divisibility")
    return L(ceil_div(a.shape, up(n, abs(a.stride))), sign(a.stride) * up(abs(a.stride), n))


def downcast(a: L, n: int) -> L:
    need(any(abs(d) == 1 for d in flat(a.stride)), "adjacent elements")
    if is_tuple(a.shape):
        return joined([_downcast(part, n) for part in modes(a)])
    return _downcast(a, n)


def _downcast(a: L, n: int) -> L:
    if is_tuple(a.shape):
        return joined([_downcast(part, n) for part in modes(a)])
    return L(a.shape * n, a.stride) if abs(a.stride) == 1 else L(a.shape, a.stride * n)


def make_layout_like(a: L) -> L:
    return L(a.shape, compact_order(filter_zeros(a).shape, a.stride))


def compatible(a: Any, b: Any) -> bool:
    if not is_tuple(a):
        return a == size(b)
    return is_tuple(b) and len(a) == len(b) and all(map(compatible, a, b))


def weakly_congruent(a: Any, b: Any) -> bool:
    if not is_tuple(a):
        return True
    return is_tuple(b) and len(a) == len(b) and all(map(weakly_congruent, a, b))


def domain_distribute(shape: Any, many: int) -> L:
    sizes, found = flat(shape), []
    for n in sizes:
        found.append(gcd(n, many))
        many //= found[-1]
    return coalesce(L(tuple(found), tuple(flat(column_major(tuple(sizes))))))
