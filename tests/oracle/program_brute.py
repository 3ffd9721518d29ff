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
        text = f"{text[:start]}.view({shape},{strides},{offset},{mask}){text[at + 1 :]}"
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
        if any(n < 0 for n in shape):
            raise NotDefined("a size is negative")
        return P(np.broadcast_to(self.array, shape))

    def reshape(self, *shape):
        if any(n < 0 for n in shape) or int(np.prod(shape, dtype=int)) != self.array.size:
            raise NotDefined("the numbers of elements differ")
        return P(self.array.reshape(shape))

    def concat(self, other, axis):
        a, b = list(self.array.shape), list(other.array.shape)
        a[axis] = b[axis] = 0
        if a != b:
            raise NotDefined("the other dims differ")
        return P(np.concatenate([self.array, other.array], axis))

    def view(self, shape, strides, offset, mask):
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
