"""How it comes that a layout is linear, or is not: its bases, bit by bit, as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from symview.cute.linear.conversions import sized
from symview.cute.linear.reading import map_of
from symview.displayed import number_text as text
from symview.show.grid import Block, Grid
from symview.view import View


class _Bit(NamedTuple):
    """A bit of the index, or of a coordinate, of that size; `at`: the index where it alone is set."""

    name: str
    at: int
    mode: int
    step: int
    size: int

    def may_join(self, other: _Bit) -> bool:
        """Whether both can be set at once."""
        return self.mode != other.mode or self.step + other.step < self.size


def _bits(x: Any, size: int, names: Sequence[str] | None) -> Iterator[_Bit]:
    if names is None:
        for i in range((size - 1).bit_length()):
            yield _Bit(text(1 << i), 1 << i, 0, 1 << i, size)
        return
    place = 1
    sizes = x.shape[::-1] if isinstance(x, View) else [n for n, _ in x.flat()]
    for mode, (name, n) in enumerate(zip(names, sizes, strict=True)):
        for i in range((n - 1).bit_length()):
            yield _Bit(f"{name} = {1 << i}", place << i, mode, 1 << i, n)
        place *= n


def told_bases(x: Any, names: Sequence[str] | None = None, size: int | None = None) -> Iterator[Block]:
    """The values at the powers of two, the bits that each flips, and with which others it shares some.

    >>> from symview.cute import Layout
    >>> for block in told_bases(Layout((2, 4), (1, 3))):
    ...     print(block if isinstance(block, str) else block.plain())
    The value at 0 is 0. At each power of two, the bits that differ from it are a basis.
    index  value  basis  shares bits with
    1      1      1
    2      3      11     1
    4      6      110    2
    Some share bits, which then carry in a sum and vanish in an exclusive or.
    """
    f = sized(map_of(x, "to_linear"), size, x)
    start, bases = f(0), list[tuple[_Bit, int]]()
    rows, shared = list[tuple[str, ...]](), False
    for bit in _bits(x, f.size, names):
        value = f(bit.at)
        basis = value ^ start
        others = [other.name for other, known in bases if known & basis and bit.may_join(other)]
        bases.append((bit, basis))
        shared = shared or bool(others)
        rows.append((bit.name, text(value), f"{basis:b}", ", ".join(others)))
    if names is not None:
        yield f"By its coordinates {', '.join(names)}; two bits of one count only where both can be set."
    yield f"The value at 0 is {text(start)}. At each power of two, the bits that differ from it are a basis."
    yield Grid(("index" if names is None else "at", "value", "basis", "shares bits with"), tuple(rows))
    if shared:
        yield "Some share bits, which then carry in a sum and vanish in an exclusive or."
    else:
        yield "No two share a bit, so that sums and exclusive or are the same."
