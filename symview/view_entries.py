"""Reads and checks the entries of a view: sizes, strides, indices, axes and bounds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from symview.engine.index_map import index_text
from symview.errors import InputError, OutOfBounds, SymbolError
from symview.logic.integer import Integer, greatest, least
from symview.logic.sympy_bridge import as_integer, free_symbols, is_number, to_text
from symview.tensors import an_array, is_array
from symview.view_notation import read_shape, tuple_text

Bounds = tuple[Integer, Integer]


def hiding(bounds: Sequence[Bounds], shape: Sequence[Any]) -> Sequence[Bounds] | None:
    """The bounds as a mask; None if they hide nothing."""
    return None if all(b == (0, n) for b, n in zip(bounds, shape, strict=True)) else bounds


def numbers(values: Iterable[Integer], what: str) -> tuple[int, ...]:
    """The values as ints; raises SymbolError if one is symbolic."""
    found = tuple(values)
    for value in found:
        if not is_number(value):
            raise SymbolError(f"{what} needs numbers, and {to_text(value)} is symbolic: substitute values first")
    return found


def read_index(index: Sequence[int], shape: Sequence[Integer]) -> tuple[int, ...]:
    """The index, checked: one entry for each dim, and inside the shape where its sizes are numbers."""
    found, sizes = numbers(read_integers(index, "index entry", "the index"), "an index"), tuple_text(shape)
    if len(found) != len(shape):
        raise InputError(f"index {index_text(found)} has {len(found)} entries, the shape {sizes} has {len(shape)} dims")
    for axis, (i, size) in enumerate(zip(found, shape, strict=True)):
        if i < 0 or (is_number(size) and i >= size):
            raise OutOfBounds(f"index {index_text(found)} is outside the shape {sizes} on axis {axis}", found)
    return found


def read_integers(values: Any, what: str, plural: str) -> tuple[Integer, ...]:
    """A sequence of integers or integer expressions; `what` and `plural` name an entry and all of them in errors."""
    if type(values) is tuple and all(type(v) is int for v in values):
        return values
    if isinstance(values, str):
        values = read_shape(values)
    if is_array(values) and len(values.shape) != 1:
        raise InputError(f"{plural}: {an_array(values)} is not a sequence of integers; its view is View.of(x)")
    if isinstance(values, bytes) or not isinstance(values, Iterable):
        raise InputError(f"{plural}: {values!r} is neither a sequence of integers nor text such as '(2,3)'")
    return tuple([as_integer(v, f"{what} {n}") for n, v in enumerate(values)])


def read_shape_for(shape: Any, entries: Iterable[Integer]) -> tuple[Integer, ...]:
    """The sizes of a shape; names in a text are the symbols in `entries`."""
    given = read_shape(shape, free_symbols(entries)) if isinstance(shape, str) else shape
    return read_integers(given, "size", "shape")


def listed(given: Sequence[Any]) -> Any:
    """Axes or sizes that were passed one by one, or as one sequence or text.

    >>> listed((1, 0)), listed(((1, 0),)), listed(("(3,8)",))
    ((1, 0), (1, 0), '(3,8)')
    """
    return given[0] if len(given) == 1 and isinstance(given[0], Iterable) else given


def listed_pairs(given: Sequence[Any]) -> Any:
    """Pairs that were passed one by one, or as one sequence.

    >>> listed_pairs(((1, 3), (0, 2))), listed_pairs((((1, 3),),)), listed_pairs(((1, 3),))
    (((1, 3), (0, 2)), ((1, 3),), ((1, 3),))
    """
    one = listed(given)
    if one is given or isinstance(one, str | bytes):
        return one
    one = tuple(one)
    return given if one and not any(isinstance(x, Iterable) for x in one) else one


def row_major(sizes: Sequence[Integer]) -> tuple[Integer, ...]:
    """The row-major strides of a shape."""
    strides: list[Integer] = []
    below: Integer = 1
    for size in reversed(sizes):
        strides.append(below)
        below = below * size
    return tuple(reversed(strides))


def read_mask(mask: Any, sizes: Sequence[Integer]) -> tuple[Bounds, ...] | Literal["empty"]:
    """The mask as bounds per dim; for a view without dims, "empty" stays."""
    if isinstance(mask, str) and mask == "empty":
        return ((0, 0),) * len(sizes) or "empty"
    return read_bounds(mask, sizes, "mask")


def read_bounds(limits: Sequence[Sequence[Any]], sizes: Sequence[Integer], what: str) -> tuple[Bounds, ...]:
    """Per dim half-open bounds; checks 0 <= lo <= hi <= size where they are numbers."""
    bounds = read_pairs(limits, len(sizes), what)
    for axis, ((low, high), n) in enumerate(zip(bounds, sizes, strict=True)):
        wrong = (is_number(low) and low < 0) or (is_number(high) and is_number(n) and high > n)
        if wrong or (is_number(low) and is_number(high) and high < low):
            raise InputError(
                f"{what} {axis} is [{to_text(low)}:{to_text(high)}]: it needs 0 <= lo <= hi <= {to_text(n)}, "
                "the size of that dim"
            )
    return bounds


def read_pairs(values: Any, rank: int, what: str) -> tuple[Bounds, ...]:
    """One pair of integers or integer expressions for each dim."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise InputError(f"{what} {values!r}: give one pair of integers for each of the {rank} dims")
    pairs = [tuple(p) if isinstance(p, Iterable) and not isinstance(p, str | bytes) else () for p in values]
    if len(pairs) != rank or any(len(p) != 2 for p in pairs):
        raise InputError(f"{what} {values!r}: give one pair of integers for each of the {rank} dims")
    read = [[as_integer(x, f"an end of {what} {n}") for x in p] for n, p in enumerate(pairs)]
    return tuple([(low, high) for low, high in read])


def read_axes(axes: Any, rank: int, what: str) -> tuple[int, ...]:
    """Axes as numbers from 0; negative ones count from the end."""
    if isinstance(axes, str | bytes) or not isinstance(axes, Iterable):
        raise InputError(f"{what}({axes!r}): give a sequence of axes")
    found = []
    for axis in axes:
        number = as_integer(axis, "an axis")
        if not is_number(number) or not -rank <= number < rank:
            raise InputError(f"axis {axis!r}: the view has axes 0..{rank - 1}" if rank else f"axis {axis!r}: no dims")
        found.append(int(number) % rank)
    return tuple(found)


def within(end: Integer, low: Integer, high: Integer) -> Integer:
    """An end of the valid indices after keeping only low <= i < high, counted from low."""
    if is_number(end) and is_number(low) and is_number(high):
        return max(min(end, high) - low, 0)
    return greatest(least(end, high) - low, 0)
