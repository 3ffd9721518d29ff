"""What programs of movement operations mean, with numpy: contents that differ everywhere, and -1 for padding.

Shares no code with symview: it reads the notation of a program, operation by operation, and runs it at numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import numpy as np


class NotDefined(Exception):
    """The program has no meaning at these numbers."""


def run(text: str, values: Mapping[str, int]) -> np.ndarray:
    """The array that a program shows: the notation is Python, once tensors and operations are."""
    tensors = _Tensors(values)
    read = _marked_reads(text)
    try:
        return eval(read, {"__builtins__": {}}, tensors).array  # the tests write these texts
    except ZeroDivisionError:
        raise NotDefined("a division by 0") from None
    except (IndexError, ValueError):  # numpy has no such dims, or there is no such part
        raise NotDefined("numpy refuses it") from None


def _marked_reads(text: str) -> str:
    """The views in reads as tuples: shape, strides, offset, mask."""
    while ".read(" in text:
        start = text.index(".read(")
        at = _closing(text, start + 5)
        inner = text[start + 6 : at]
        mask = "None"
        if "[" in inner:
            inner, mask = inner[:-1].split("[")
            mask = (
                "'empty'"
                if mask == "empty"
                else "(" + "".join(f"({p.replace(':', ',')})," for p in mask.split(",")) + ")"
            )
        shape, strides = inner.split(":")
        close = _closing(strides, 0)
        strides, offset = strides[: close + 1], strides[close + 1 :].strip() or "0"
        shape, strides = (t.strip()[:-1] + (",)" if t.strip() != "()" else ")") for t in (shape, strides))
        text = f"{text[:start]}.through({shape},{strides},{offset},{mask}){text[at + 1 :]}"
    return text


def _closing(text: str, at: int) -> int:
    """Where the parenthesis that opens there closes."""
    depth = 0
    while True:
        depth += (text[at] == "(") - (text[at] == ")")
        if depth == 0:
            return at
        at += 1


class _Tensors(dict):
    """Names are numbers where they have values, else tensors of any contents."""

    def __init__(self, values: Mapping[str, int]) -> None:
        super().__init__(values)

    def __missing__(self, name: str):
        def tensor(*shape: int) -> P:
            if any(n < 0 for n in shape):
                raise NotDefined("a size is negative")
            count = int(np.prod(shape, dtype=int))
            return P(np.arange(count).reshape(shape) + 1_000_000 * (1 + sum(map(ord, name))))

        return tensor


class P:
    """An array with the operations of programs."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __getitem__(self, parts):
        parts = parts if isinstance(parts, tuple) else (parts,)
        if parts.count(...):
            at, more = parts.index(...), self.array.ndim - len(parts) + 1
            parts = (*parts[:at], *[slice(None)] * more, *parts[at + 1 :])
        for part, size in zip(parts, self.array.shape, strict=False):
            if isinstance(part, slice):
                down = part.step is not None and part.step < 0
                first, last = (size - 1, -1) if down else (0, size)
                first = first if part.start is None else part.start + size * (part.start < 0)
                last = last if part.stop is None else part.stop + size * (part.stop < 0)
                if not (-1 <= last <= first < size if down else 0 <= first <= last <= size):
                    raise NotDefined("a slice that numpy clips, or that ends before it starts")
        return P(np.asarray(self.array[parts]))

    def permute(self, *axes):
        return P(self.array.transpose(axes))

    def flip(self, *axes):
        return P(np.flip(self.array, axes) if axes else self.array)

    def shrink(self, *pairs):
        return self._cut([(a, b, 1) for a, b in pairs])

    def slice(self, starts, stops, steps):
        return self._cut(list(zip(starts, stops, steps, strict=True)))

    def _cut(self, rows):
        for (a, b, step), n in zip(rows, self.array.shape, strict=True):
            if not (0 <= a <= b <= n and step >= 1):
                raise NotDefined("bounds")
        return P(self.array[tuple(slice(a, b, step) for a, b, step in rows)])

    def pad(self, *pairs):
        if any(w < 0 for pair in pairs for w in pair):
            raise NotDefined("a width is negative")
        return P(np.pad(self.array, pairs, constant_values=-1) if pairs else self.array)

    def expand(self, *shape):
        shape = shape[0] if shape and not isinstance(shape[0], int) else shape
        more = len(shape) - self.array.ndim
        shape = [self.array.shape[d - more] if n == -1 and d >= more else n for d, n in enumerate(shape)]
        if any(n < 0 for n in shape):
            raise NotDefined("a size is negative")
        return P(np.broadcast_to(self.array, shape))

    def reshape(self, *shape):
        shape = self._whole(shape[0] if shape and not isinstance(shape[0], int) else shape, self.array.size)
        if any(n < 0 for n in shape) or int(np.prod(shape, dtype=int)) != self.array.size:
            raise NotDefined("the numbers of elements differ")
        return P(self.array.reshape(shape))

    def _whole(self, shape, count):
        """The shape with a size for -1."""
        rest = int(np.prod([n for n in shape if n != -1], dtype=int))
        if list(shape).count(-1) > 1 or (-1 in shape and (rest <= 0 or count % rest)):
            raise NotDefined("no size for -1")
        return [count // rest if n == -1 else n for n in shape]

    view = reshape

    def contiguous(self):
        return P(self.array.copy())

    def flatten(self, start_dim=0, end_dim=-1):
        old = self.array.shape
        first, last = start_dim % len(old), end_dim % len(old)
        if first > last:
            raise NotDefined("the dims are in the other order")
        return P(self.array.reshape(*old[:first], int(np.prod(old[first : last + 1], dtype=int)), *old[last + 1 :]))

    def unflatten(self, dim, sizes):
        old = self.array.shape
        at = dim % len(old)
        new = self._whole(sizes, old[at])
        if any(n < 0 for n in new) or int(np.prod(new, dtype=int)) != old[at]:
            raise NotDefined("another size")
        return P(self.array.reshape(*old[:at], *new, *old[at + 1 :]))

    def transpose(self, dim0, dim1):
        return P(np.swapaxes(self.array, dim0, dim1))

    def t(self):
        if self.array.ndim > 2:
            raise NotDefined("no matrix")
        return P(self.array.T)

    def squeeze(self, dim):
        dims = [d % self.array.ndim for d in ([dim] if isinstance(dim, int) else dim)]
        return P(np.squeeze(self.array, tuple(d for d in dims if self.array.shape[d] == 1)))

    def unsqueeze(self, dim):
        return P(np.expand_dims(self.array, dim))

    def movedim(self, source, destination):
        return P(np.moveaxis(self.array, source, destination))

    def narrow(self, dim, start, length):
        size = self.array.shape[dim]
        if not -size <= start <= size or length < 0 or start % (size + (start >= 0)) + length > size:
            raise NotDefined("bounds")
        first = start + size if start < 0 else start
        return P(np.take(self.array, range(first, first + length), dim))

    def split(self, split_size, dim=0):
        size = self.array.shape[dim]
        parts = split_size
        if isinstance(split_size, int):
            if split_size < 0 or (split_size == 0 and size):
                raise NotDefined("no size of parts")
            parts = [min(split_size, size - at) for at in range(0, size, split_size)] if size else [0]
        if any(n < 0 for n in parts) or sum(parts) != size:
            raise NotDefined("another sum")
        return [self.narrow(dim, sum(parts[:k]), n) for k, n in enumerate(parts)]

    def chunk(self, chunks, dim=0):
        size = self.array.shape[dim]
        return self.split(-(-size // chunks), dim) if size else [self] * chunks

    def concat(self, other, axis):
        a, b = list(self.array.shape), list(other.array.shape)
        a[axis] = b[axis] = 0
        if a != b:
            raise NotDefined("the other dims differ")
        return P(np.concatenate([self.array, other.array], axis))

    def through(self, shape, strides, offset, mask):
        if any(n < 0 for n in shape):
            raise NotDefined("a size is negative")
        bounds = [(0, n) for n in shape] if mask in (None, "empty") else mask
        if not all(0 <= a <= b <= n for (a, b), n in zip(bounds, shape, strict=True)):
            raise NotDefined("a mask leaves its shape")
        flat, found = self.array.ravel(), np.full(shape, -1)
        for index in product(*map(range, shape)):
            if mask != "empty" and all(a <= i < b for i, (a, b) in zip(index, bounds, strict=True)):
                at = offset + sum(i * s for i, s in zip(index, strides, strict=True))
                if not 0 <= at < flat.size:
                    raise NotDefined("an address is out of bounds")
                found[index] = flat[at]
        return P(found)


def differs(left: str, right: str, values: Mapping[str, int]) -> bool | None:
    """Whether the sides differ at these numbers; None where the left one has no meaning."""
    try:
        one = run(left, values)
    except NotDefined:
        return None
    try:
        other = run(right, values)
    except NotDefined:
        return True
    return one.shape != other.shape or not np.array_equal(one, other)
