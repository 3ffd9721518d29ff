"""Integers nested in tuples: shapes, strides and coordinates, under pycute's names.

A nested tuple is an integer or a tuple of nested tuples; entries may be sympy expressions where
nothing has to be compared. Profiles that do not fit raise LayoutError.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Iterator
from typing import Any, TypeAlias

from symview.cute.errors import LayoutError

IntTuple: TypeAlias = Any  # an integer, or a tuple of these to any depth
Coordinate: TypeAlias = Any  # an IntTuple in which None keeps a mode whole


class Integer(metaclass=ABCMeta):  # noqa: B024
    """What counts as an integer: int and its subclasses other than bool."""

    @classmethod
    def __subclasshook__(cls, kind: type) -> bool:
        return kind is not bool and issubclass(kind, int)


def is_int(x: Any) -> bool:
    """Whether x is an integer other than True and False."""
    return isinstance(x, int) and not isinstance(x, bool)


def is_tuple(x: Any) -> bool:
    """Whether x is a tuple."""
    return isinstance(x, tuple)


def flatten(t: IntTuple) -> tuple[Any, ...]:
    """The entries from left to right, without nesting.

    >>> flatten(((2, (3, 4)), 5)), flatten(7)
    ((2, 3, 4, 5), (7,))
    """
    if not isinstance(t, tuple):
        return (t,)
    for a in t:
        if isinstance(a, tuple):
            return tuple(leaves(t))
    return t


def leaves(t: IntTuple) -> Iterator[Any]:
    """The entries from left to right, one by one."""
    if isinstance(t, tuple):
        for a in t:
            yield from leaves(a)
    else:
        yield t


def profile_text(t: IntTuple) -> str:
    """A nested tuple as CuTe prints it, without spaces.

    >>> profile_text(((2, 2), 8)), profile_text((4,))
    ('((2,2),8)', '(4)')
    """
    if isinstance(t, tuple):
        return f"({','.join(map(profile_text, t))})"
    if t is None or type(t) is int:
        return "_" if t is None else str(t)
    from symview.symbols import to_text

    return to_text(t)


def _same_length(a: tuple[Any, ...], b: tuple[Any, ...]) -> None:
    if len(a) != len(b):
        raise LayoutError(f"{profile_text(a)} has {len(a)} modes and {profile_text(b)} has {len(b)}: give as many")


def congruent(a: IntTuple, b: IntTuple) -> bool:
    """Whether both are nested in the same way.

    >>> congruent((2, (3, 4)), (1, (2, 6))), congruent((2, (3, 4)), (1, 2))
    (True, False)
    """
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(congruent, a, b))
    return isinstance(a, tuple) == isinstance(b, tuple)


def like(profile: IntTuple, entries: Iterator[Any]) -> IntTuple:
    """The entries, in order, nested as the profile is.

    >>> like((0, (0, 0)), iter("abc"))
    ('a', ('b', 'c'))
    """
    return tuple([like(p, entries) for p in profile]) if isinstance(profile, tuple) else next(entries)


def signum(a: Any) -> int:
    """-1, 0 or 1."""
    return int(a > 0) - int(a < 0)


def product(a: IntTuple) -> Any:
    """The product of all entries; 1 for no entries.

    >>> product((2, (3, 4)))
    24
    """
    if not isinstance(a, tuple):
        return a
    found: Any = 1
    for entry in a:
        found = found * (product(entry) if isinstance(entry, tuple) else entry)
    return found


def inner_product(a: IntTuple, b: IntTuple) -> Any:
    """The sum of the products of entries in the same place.

    >>> inner_product((1, (2, 3)), (1, (10, 100)))
    321
    """
    if isinstance(a, tuple) and isinstance(b, tuple):
        _same_length(a, b)
        return sum(map(inner_product, a, b))
    if isinstance(a, tuple) or isinstance(b, tuple):
        raise LayoutError(f"{profile_text(a)} and {profile_text(b)} are nested differently")
    return a * b


def tuple_max(a: IntTuple) -> Any:
    """The largest entry."""
    return max(leaves(a))


def elem_scale(a: IntTuple, b: IntTuple) -> Any:
    """Each entry of `a` times the product of what stands in its place in `b`.

    >>> elem_scale((2, 3), ((4, 5), 6))
    (40, 18)
    """
    if not isinstance(a, tuple):
        return a * product(b)
    if not isinstance(b, tuple):
        raise LayoutError(f"{profile_text(a)} cannot be scaled by the single {profile_text(b)}: give one entry a mode")
    _same_length(a, b)
    return tuple(map(elem_scale, a, b))


def shape_div(a: IntTuple, b: IntTuple) -> Any:
    """The shape left of `a` when its first `b` elements are taken as one; entries divide or are divided.

    >>> shape_div((4, 6), 8), shape_div((4, 6), (2, 3))
    ((1, 3), (2, 2))
    """
    if not isinstance(a, tuple):
        return _divided(a, product(b))
    if isinstance(b, tuple):
        _same_length(a, b)
        return tuple(map(shape_div, a, b))
    found = []
    for entry in a:
        found.append(shape_div(entry, b))
        b = shape_div(b, product(entry))
    return tuple(found)


def _divided(a: int, b: int) -> int:
    if b == 0 or (a % b and (a == 0 or b % a)):
        raise LayoutError(f"shape_div: neither of {a} and {b} divides the other")
    return -(-a // b)


def prefix_product(a: IntTuple, init: IntTuple = 1) -> Any:
    """The strides of the compact layout of a shape, first mode fastest.

    >>> prefix_product((2, (3, 4), 5))
    (1, (2, 6), 24)
    """
    if not isinstance(a, tuple):
        if isinstance(init, tuple):
            raise LayoutError(f"prefix_product: {profile_text(a)} has one mode, {profile_text(init)} has more")
        return init
    if isinstance(init, tuple):
        _same_length(a, init)
        return tuple(map(prefix_product, a, init))
    found = []
    for entry in a:
        found.append(prefix_product(entry, init))
        init = init * product(entry)
    return tuple(found)


def idx2crd(idx: Any, shape: IntTuple, stride: IntTuple = None) -> Any:
    """The coordinate of an index within a shape: the isomorphism ι, first mode fastest.

    >>> idx2crd(5, (2, (3, 4))), idx2crd((1, 5), (2, (3, 4)))
    ((1, (2, 0)), (1, (2, 1)))
    """
    if isinstance(shape, tuple):
        if isinstance(idx, tuple):
            _same_length(idx, shape)
            return tuple(map(idx2crd, idx, shape) if stride is None else map(idx2crd, idx, shape, stride))
        stride = prefix_product(shape) if stride is None else stride
        _same_length(shape, stride)
        return tuple([idx2crd(idx, s, d) for s, d in zip(shape, stride, strict=True)])
    if isinstance(idx, tuple):
        raise LayoutError(f"the index {profile_text(idx)} has more modes than the shape {profile_text(shape)}")
    return (idx if stride is None else idx // stride) % shape


def crd2idx(crd: Coordinate, shape: IntTuple, stride: IntTuple = None) -> Any:
    """The value of a layout at a coordinate, or at an index where one stands for several modes; None counts as 0.

    An index beyond the size extends the last mode.

    >>> crd2idx((1, (2, 1)), (2, (3, 4))), crd2idx(11, (2, (3, 4)), (1, (10, 100)))
    (11, 121)
    """
    stride = prefix_product(shape) if stride is None else stride
    if isinstance(crd, tuple):
        if not isinstance(shape, tuple):
            raise LayoutError(f"the coordinate {profile_text(crd)} has more modes than the shape {profile_text(shape)}")
        _same_length(crd, shape)
        _same_length(shape, stride)
        return sum(map(crd2idx, crd, shape, stride))
    crd = 0 if crd is None else crd
    if not isinstance(shape, tuple):
        return crd * stride
    total: Any = 0
    flat = list(zip(flatten(shape), flatten(stride), strict=True))
    for size, step in flat[:-1]:
        total, crd = total + (crd % size) * step, crd // size
    return total + crd * flat[-1][1] if flat else total


def crd2crd(crd: Coordinate, dst_shape: IntTuple, src_shape: IntTuple = None) -> Any:
    """A coordinate of one shape as a coordinate of another.

    >>> crd2crd(5, (2, 3)), crd2crd((1, 2), 6, (2, 3))
    ((1, 2), 5)
    """
    if isinstance(crd, tuple):
        if isinstance(dst_shape, tuple):
            _same_length(crd, dst_shape)
            return tuple(map(crd2crd, crd, dst_shape))
        if src_shape is None:
            raise LayoutError(f"crd2crd of {profile_text(crd)} to {profile_text(dst_shape)}: give the src_shape")
        return crd2idx(crd, src_shape)
    if isinstance(dst_shape, tuple):
        return idx2crd(crd, dst_shape)
    if not crd < dst_shape:
        raise LayoutError(f"the coordinate {crd} is outside the shape {dst_shape}")
    return crd


def slice_(crd: Coordinate, trg: IntTuple) -> Any:
    """The entries of `trg` that stand where the coordinate has None.

    >>> slice_((None, 0), (4, 8)), slice_((0, (None, 1)), (4, (2, 3)))
    ((4,), (2,))
    """
    if isinstance(crd, tuple):
        if not isinstance(trg, tuple):
            raise LayoutError(f"the coordinate {profile_text(crd)} has more modes than {profile_text(trg)}")
        _same_length(crd, trg)
        return tuple([kept for c, t in zip(crd, trg, strict=True) for kept in slice_(c, t)])
    return (trg,) if crd is None else ()


def has_none(a: Coordinate) -> bool:
    """Whether None stands anywhere in the coordinate."""
    return any(map(has_none, a)) if isinstance(a, tuple) else a is None
