"""The sizes, strides and offsets of arrays and tensors of other libraries.

It imports none of these libraries: an object of one exists only if its library was imported before.
"""

from __future__ import annotations

import re
import sys
from typing import Any, NamedTuple

from symview.errors import InputError
from symview.logic.integer import Integer
from symview.logic.sympy_bridge import as_integer


class Layout(NamedTuple):
    """Sizes, strides and offset in elements, as View takes them; strides None for contiguous."""

    shape: tuple[Integer, ...]
    strides: tuple[Integer, ...] | None
    offset: Integer = 0


def layout_of(x: Any) -> Layout:
    """The sizes, strides and offset of an array or a tensor; see `View.of`.

    >>> layout_of(memoryview(bytes(6)).cast("B", (2, 3)))
    Layout(shape=(2, 3), strides=(3, 1), offset=0)
    """
    if _comes_from(x, "torch", "Tensor"):
        return _of_tensor(x)
    if _comes_from(x, "numpy", "ndarray"):
        owner = x  # the last array in the chain of bases, whose memory x shares
        while hasattr(below := getattr(owner, "base", None), "__array_interface__"):
            owner = below
        return _in_elements(x.shape, x.strides, _start(x) - _start(owner), x.itemsize)
    interface = getattr(x, "__array_interface__", None)
    if isinstance(interface, dict):
        shape, kind = interface.get("shape"), re.match(r"[<>|=](\w)(\d+)", str(interface.get("typestr")))
        if not isinstance(shape, tuple) or kind is None:
            raise InputError(f"View.of({type(x).__name__}): its array interface lacks a shape, or an element's bytes")
        item = int(kind[2]) * (4 if kind[1] == "U" else 1)  # as in <f8, <U3: for text it is the number of characters
        return _in_elements(shape, interface.get("strides"), 0, item)
    return _of_buffer(x)


def is_array(x: object) -> bool:
    """Whether x is an array or a tensor of some library."""
    return hasattr(x, "shape") and hasattr(x, "dtype")


def an_array(x: object) -> str:
    """The array in words, without its elements."""
    return f"an array of {type(x).__module__.partition('.')[0]}"


def environment(*values: Any) -> Any:
    """The ShapeEnv of the SymInts among these tensors and integers; None without any.

    Raises InputError if there are two: their symbols may have the same name and mean different sizes.
    """
    found = None
    for value in values:
        if _comes_from(value, "torch", "Tensor"):
            env = environment(*value.shape, *value.stride(), value.storage_offset())
        else:
            env = getattr(getattr(value, "node", None), "shape_env", None)
        if env is not None and found is not None and env is not found:
            raise InputError(f"{value} is of another ShapeEnv than what comes before it: ask in one of them")
        found = env or found
    return found


def _comes_from(x: object, library: str, name: str) -> bool:
    """Whether x is an instance of that class, without importing its library."""
    return isinstance(x, getattr(sys.modules.get(library), name, ()))


def _of_tensor(x: Any) -> Layout:
    """The layout of a strided tensor of PyTorch in its storage."""
    if x.is_nested or x.is_quantized or x.layout is not sys.modules["torch"].strided:
        kind = "nested" if x.is_nested else "quantized" if x.is_quantized else str(x.layout).removeprefix("torch.")
        raise InputError(f"View.of a {kind} tensor: only a strided tensor is a view of its storage")
    shape, strides = ([as_integer(n, "an entry of a tensor") for n in side] for side in (x.shape, x.stride()))
    return Layout(tuple(shape), tuple(strides), as_integer(x.storage_offset(), "the offset of a tensor"))


def _of_buffer(x: Any) -> Layout:
    """The layout of an object with a buffer, which starts at offset 0."""
    try:
        buffer = memoryview(x)
    except TypeError:
        raise InputError(
            f"View.of({type(x).__name__}): give a numpy array, a PyTorch tensor or a buffer; "
            "for sizes and strides of your own there is View(shape, strides, offset)"
        ) from None
    if buffer.suboffsets:
        raise InputError("View.of a buffer with suboffsets: its elements do not lie in one memory")
    return _in_elements(buffer.shape, buffer.strides, 0, buffer.itemsize)


def _in_elements(shape: Any, strides: Any, start: int, item: int) -> Layout:
    """The layout with these strides and this start in bytes; strides None for contiguous."""
    steps = None if strides is None else tuple([_divided(t, item, f"stride {n}") for n, t in enumerate(strides)])
    return Layout(tuple(shape), steps, _divided(start, item, "the offset"))


def _divided(distance: int, item: int, what: str) -> Integer:
    """A distance in bytes as a number of elements of `item` bytes."""
    if item == 0 or distance % item:
        raise InputError(
            f"View.of: {what} is {distance} bytes, no whole number of elements of {item} bytes: take a view of bytes"
        )
    return distance // item


def _start(x: Any) -> int:
    """The address of the first element, in bytes."""
    return int(x.__array_interface__["data"][0])
