"""Smaller forms of a pair of views or layouts: a dim less, a size less, a stride nearer to 0."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from symview.sweeps.spaces import Pair, Strided


def smaller(pair: Pair) -> Iterator[Pair]:
    """Pairs that are a step smaller and still inside, the largest steps first.

    >>> pair = Strided((2,), (1,)), Strided((2,), (1,))
    >>> [b.shape for a, b in smaller(pair)][:2]
    [(), (1,)]
    """
    outer, inner = pair
    for found in _smaller(inner):
        yield outer, found
    for found in _smaller(outer):
        if prod(found.shape) > _last(inner):
            yield found, inner


def _last(view: Strided) -> int:
    """The greatest place that the view reaches."""
    return view.offset + sum(max(0, (n - 1) * t) for n, t in zip(view.shape, view.strides, strict=True))


def _smaller(v: Strided) -> Iterator[Strided]:
    for n, (size, stride) in enumerate(zip(v.shape, v.strides, strict=True)):
        yield Strided(v.shape[:n] + v.shape[n + 1 :], v.strides[:n] + v.strides[n + 1 :], v.offset)
        for less in {1, size // 2, size - 1} - {0, size}:
            yield v._replace(shape=(*v.shape[:n], less, *v.shape[n + 1 :]))
        for near in {0, stride // 2, stride - (stride > 0) + (stride < 0)} - {stride}:
            if abs(near) < abs(stride):
                yield v._replace(strides=(*v.strides[:n], near, *v.strides[n + 1 :]))
    if v.offset:
        yield v._replace(offset=v.offset - 1)
