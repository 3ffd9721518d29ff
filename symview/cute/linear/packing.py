"""Packs named numbers into one, each with its number of bits, the first lowest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symview.cute.errors import LayoutError
from symview.cute.int_tuple import is_int
from symview.displayed import number_text


def split(x: int, bits: Mapping[str, int]) -> list[int]:
    """Splits a number into parts with these numbers of bits, the first lowest.

    >>> split(0b1101, {"a": 2, "b": 2})
    [1, 3]
    """
    parts = []
    for width in bits.values():
        parts.append(x & ((1 << width) - 1))
        x >>= width
    return parts


def named(given: Mapping[str, int] | None, more: Mapping[str, int]) -> dict[str, int]:
    """Merges numbers given as a mapping and as keywords; raises LayoutError for other arguments."""
    if not isinstance(given, Mapping | None):
        raise LayoutError(f"{given!r} are not inputs: give numbers by name")
    return {**(given or {}), **more}


def joined(parts: Mapping[str, int], bits: Mapping[str, int], what: str, of: object = "") -> int:
    """Packs named parts, the first lowest; omitted ones are 0. Raises LayoutError for other names or numbers.

    `of` is what an error says that the parts belong to.
    """
    total = place = 0
    if not isinstance(parts, Mapping):
        raise LayoutError(f"{parts!r} are not {what}{of}: give numbers by name")
    for name in parts:
        if name not in bits:
            raise LayoutError(f"{name!r} is not one of the {what}{of}: {', '.join(bits) or 'there are none'}")
    for name, width in bits.items():
        x = parts.get(name, 0)
        if not is_int(x) or not 0 <= x < 1 << width:
            raise LayoutError(f"{name} = {x!r} is outside 0 to {number_text((1 << width) - 1)}")
        total, place = total | x << place, place + width
    return total


def packed(parts: Sequence[int], sizes: Mapping[str, int]) -> int:
    """Packs parts that are known to fit, the first lowest."""
    total = place = 0
    for x, size in zip(parts, sizes.values(), strict=True):
        total, place = total | x << place, place + size.bit_length() - 1
    return total


def places(bits: Mapping[str, int]) -> dict[str, range]:
    """The positions of each name's bits in the packed number.

    >>> places({"a": 2, "b": 1})
    {'a': range(0, 2), 'b': range(2, 3)}
    """
    found, place = {}, 0
    for name, width in bits.items():
        found[name], place = range(place, place + width), place + width
    return found
