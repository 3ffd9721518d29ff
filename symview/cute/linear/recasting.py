"""Recasts linear layouts to elements of another width, a power of two, if they move whole units."""

from __future__ import annotations

from collections.abc import Mapping

from symview.cute.errors import LayoutError, NoAnswer
from symview.cute.linear.layout import LinearLayout, made
from symview.displayed import number_text


def upcast_linear(layout: LinearLayout, n: int) -> LinearLayout:
    """The map g of units: layout(n·y + z) = n·g(y) + z for z < n, so n consecutive elements, in order, become one.

    It exists iff the first bases are 1, 2, … n/2, and n divides the others and the constant; otherwise raises NoAnswer
    with an index where a unit is split. The lowest bits of the index and of the value are dropped.

    >>> print(upcast_linear(LinearLayout({"register": [1, 2], "lane": [4, 12]}), 2))
    {register = [1], lane = [2, 6]} -> {offset = 8}
    """
    low = _bits(n, "upcast")
    if low > len(layout.columns):
        raise NoAnswer(f"upcast of {layout}: it has {layout.size()} elements, a unit {number_text(n)}")
    for x, column in [(0, layout.constant), *((1 << i, c) for i, c in enumerate(layout.columns))]:
        inside = column % n if x == 0 or x >= n else column ^ x
        if inside:
            reason = f"the value at index {number_text(x)} is {number_text(layout(x))}"
            raise NoAnswer(f"upcast of {layout}: {reason}: no unit of {number_text(n)} stays whole there")
    columns = [column >> low for column in layout.columns[low:]]
    return made(_without(layout.in_bits, low), _without(layout.out_bits, low), columns, layout.constant >> low)


def downcast_linear(layout: LinearLayout, n: int) -> LinearLayout:
    """Splits each element into n consecutive ones; the inverse of `upcast_linear`.

    >>> print(downcast_linear(LinearLayout({"lane": [2, 1]}), 2))
    {lane = [1, 4, 2]} -> {offset = 8}
    """
    low = _bits(n, "downcast")
    columns = [*(1 << i for i in range(low)), *(column << low for column in layout.columns)]
    if not layout.in_bits or not layout.out_bits:
        raise LayoutError(f"downcast of {layout}: it has no input or no output for the new bits")
    first, last = next(iter(layout.in_bits)), next(iter(layout.out_bits))
    ins = {name: bits + low * (name == first) for name, bits in layout.in_bits.items()}
    outs = {name: bits + low * (name == last) for name, bits in layout.out_bits.items()}
    return made(ins, outs, columns, layout.constant << low)


def _bits(n: int, what: str) -> int:
    if n & (n - 1):
        raise LayoutError(f"{what}: linear layouts have units of a power of two, not of {number_text(n)}")
    return n.bit_length() - 1


def _without(bits: Mapping[str, int], low: int) -> dict[str, int]:
    """Drops that many of the lowest bits from the names."""
    found = {}
    for name, width in bits.items():
        found[name] = max(width - low, 0)
        low -= width - found[name]
    return found
