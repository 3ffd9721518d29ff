"""Layouts as tables: as text like CuTe's `print_layout`, and as pictures."""

from __future__ import annotations

from typing import Any

from symview.cute.errors import LayoutError
from symview.cute.int_tuple import product_of, profile_text
from symview.cute.layout import Layout, innermost, is_layout

MAX_VALUES = 1 << 14


def layout_table(layout: Any) -> str:
    """The values of a layout of one or two modes as a table; mode 0 goes down.

    The layout may be swizzled, and its values may be coordinates. LayoutError for more than two modes, for symbols, and
    for more than 16,384 values.

    >>> print(layout_table(Layout((2, 3), (3, 1))))
    (2,3):(3,1)
          0   1   2
        +---+---+---+
     0  | 0 | 1 | 2 |
        +---+---+---+
     1  | 3 | 4 | 5 |
        +---+---+---+
    """
    values = _values(layout)
    width = max(len(profile_text(x)) for row in values for x in (*row, len(row) - 1))
    line = f"    {('+' + '-' * (width + 2)) * len(values[0])}+"
    heads = "".join(f"  {n:>{width}} " for n in range(len(values[0])))
    lines = [str(layout), f"    {heads}".rstrip(), line]
    for m, row in enumerate(values):
        lines += [f"{m:>2}  | {' | '.join(f'{profile_text(x):>{width}}' for x in row)} |", line]
    return "\n".join(lines)


def print_layout(layout: Any) -> None:
    """Prints `layout_table`."""
    print(layout_table(layout))


def unswizzled(layout: Any) -> Layout:
    """The unswizzled layout, or one of the same shape."""
    inner = innermost(layout)
    if not is_layout(inner):
        raise LayoutError(f"a table of {layout!r}: give a layout")
    return inner if isinstance(inner, Layout) else Layout(inner.shape)


def _values(layout: Any) -> list[list[Any]]:
    inner = unswizzled(layout)
    if not inner.numeric or len(inner) > 2 or not len(inner):
        raise LayoutError(f"a table of {layout}: give a layout of numbers with one or two modes")
    if inner.size() > MAX_VALUES:
        raise LayoutError(f"a table of {layout}: {inner.size()} values, at most {MAX_VALUES} are shown")
    rows, columns = (*[product_of(mode.shape) for mode in inner.modes()], 1)[:2]
    return [[layout(m + n * rows) for n in range(columns)] for m in range(rows)]
