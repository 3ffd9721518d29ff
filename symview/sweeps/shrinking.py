"""Smaller forms of a pair of views or layouts: a dim less, a size less, a stride nearer to 0."""

from __future__ import annotations

from collections.abc import Iterator

from symview.sweeps.spaces import Pair, Strided, is_inside


def smaller(pair: Pair, inside: bool = True) -> Iterator[Pair]:
    """Pairs that are a step smaller, the largest steps first; `inside`: those whose second one stays in the first.

    >>> pair = Strided((2,), (1,)), Strided((2,), (1,))
    >>> [b.shape for a, b in smaller(pair)][:2]
    [(), (1,)]
    >>> list(smaller((Strided((2,), (0,)), Strided((2,), (-1,), 1))))[-1]
    (Strided(shape=(2,), strides=(0,), offset=0), Strided(shape=(2,), strides=(0,), offset=1))
    """
    outer, inner = pair
    pairs = [(outer, found) for found in _smaller(inner)] + [(found, inner) for found in _smaller(outer)]
    yield from (p for p in pairs if not inside or is_inside(*p))


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
