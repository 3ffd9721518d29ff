"""The banks of a tile's elements, as a table in text and as data for a picture."""

from __future__ import annotations

from math import prod
from typing import Any

from symview.cute.errors import LayoutError
from symview.show.cells import Cells
from symview.show.grid import Grid

_MOST = (8, 16)  # rows and columns of a table in text


def _places(found: Any) -> tuple[int, int, int]:
    """The rows, the units in a row, and the elements of a unit: the widest vector along the last dim, or a word."""
    if found.asked is None or found.layout is None:
        raise LayoutError("banks are shown of a layout that was just found: best_swizzle(…)")
    tile, design = found.asked.tile, found.asked
    fits = [x.size for x in design.lanes() if x.along == len(tile) - 1]
    unit = max([n for n in (*fits, design.word()) if tile[-1] % n == 0], default=1)
    return prod(tile[:-1]), tile[-1] // unit, unit


def _bank(found: Any, row: int, column: int) -> int:
    """The bank in which a unit starts."""
    design, left, front = found.asked, row, list[int]()
    for n in reversed(design.tile[:-1]):
        front.insert(0, left % n)
        left //= n
    place = found.layout((*front, column) if front else column)
    return int(place * design.element_bytes // design.hardware.width % _count(found))


def _count(found: Any) -> int:
    """The number of banks; if accesses have different ones, the greatest."""
    banks: int = max([row.banks for row in found.rows.values()], default=found.asked.hardware.banks)
    return banks


def bank_table(found: Any) -> Grid:
    """A table of the banks in which vectors start, for the first rows and columns.

    >>> from symview.cute import best_swizzle
    >>> print(bank_table(best_swizzle((8, 32), ["row 16 B", "ldmatrix"], element_bytes=2)).plain())
    First bank of each vector of 8 elements, by row and column
    row  0   8   16  24
    0    0   4   8   12
    1    16  20  24  28
    2    4   0   12  8
    3    20  16  28  24
    4    8   12  0   4
    5    24  28  16  20
    6    12  8   4   0
    7    28  24  20  16
    """
    rows, columns, unit = _places(found)
    starts = [str(c * unit) for c in range(min(columns, _MOST[1]))]
    shown = [(str(r), *[str(_bank(found, r, int(c))) for c in starts]) for r in range(min(rows, _MOST[0]))]
    what = f"vector of {unit} elements" if unit > 1 else "element"
    of = f" (of {_count(found)} banks)" if found.rows else ""
    return Grid(("row", *starts), tuple(shown), f"First bank of each {what}, by row and column{of}")


def cells_of_banks(found: Any) -> Cells:
    """The bank in which each vector of a row starts, up to where the rows repeat; LayoutError if there is no layout."""
    rows, columns, unit = _places(found)
    title = f"First bank of each vector of {unit} elements in {found.layout}"
    table = [[_bank(found, r, c * unit) for c in range(columns)] for r in range(rows)]
    period = next(n for n in range(1, rows + 1) if table[n:] == table[:-n])
    note = f"rows {period} to {rows - 1} repeat these" if period < rows else ""
    axes = "row", f"vector ({unit} columns each)"
    return Cells(title, (period,), (columns,), lambda r, c: table[r][c], True, axes, note)
