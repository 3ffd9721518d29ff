"""Explains why a layout is linear or not: a table of its bases, bit by bit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from symview.cute.linear.conversions import Bit, bits_of, sized
from symview.cute.linear.reading import map_of
from symview.displayed import number_text as text
from symview.show.grid import Block, Grid
from symview.view import View


def table_of_bases(x: Any, names: Sequence[str] | None = None, size: int | None = None) -> Iterator[Block]:
    """The values at the powers of two, the bits that each flips, and the earlier bits with which it shares some.

    >>> from symview.cute import Layout
    >>> for block in table_of_bases(Layout((2, 4), (1, 3))):
    ...     print(block if isinstance(block, str) else block.plain())
    The value at 0 is 0. At each power of two, the bits that differ from it are a basis.
    index  value  basis  shares bits with
    1      1      1
    2      3      11     1
    4      6      110    2
    Some share bits, which overflow in a sum and cancel in an exclusive or.
    """
    f = sized(map_of(x, "to_linear"), size, x)
    sizes = [f.size] if names is None else x.shape[::-1] if isinstance(x, View) else [n for n, _ in x.flat()]
    start, bases = f(0), list[tuple[Bit, str, int]]()
    rows, shared = list[tuple[str, ...]](), False
    for bit in bits_of(sizes):
        value, name = f(bit.at), text(bit.step) if names is None else f"{names[bit.mode]} = {bit.step}"
        basis = value ^ start
        others = [other_name for other, other_name, known in bases if known & basis and bit.may_join(other)]
        bases.append((bit, name, basis))
        shared = shared or bool(others)
        rows.append((name, text(value), f"{basis:b}", ", ".join(others)))
    if names is not None:
        yield f"By its coordinates {', '.join(names)}; two bits of one coordinate count only if both can be set."
    yield f"The value at 0 is {text(start)}. At each power of two, the bits that differ from it are a basis."
    yield Grid(("index" if names is None else "at", "value", "basis", "shares bits with"), tuple(rows))
    if shared:
        yield "Some share bits, which overflow in a sum and cancel in an exclusive or."
    else:
        yield "No two share a bit, so sums equal exclusive ors."
