"""The picture of a layout: its values as a table."""

from __future__ import annotations

from typing import Any

from symview.cute.errors import LayoutError
from symview.cute.int_tuple import leaves, product_of, profile_text
from symview.cute.printing import unswizzled
from symview.pictures.shapes import Picture
from symview.pictures.tables import table
from symview.show.cells import Cells


def picture_of_layout(layout: Any) -> Picture:
    """A picture of the layout's values: mode 0 goes down, all others to the right, in blocks.

    The layout may be swizzled. Raises LayoutError for symbols.
    """
    inner = unswizzled(layout)
    if not inner.numeric:
        raise LayoutError(f"a picture of {layout}: give a layout of numbers")
    modes = [[*leaves(mode.shape)] for mode in inner.modes()]
    first, others = (modes or [[]])[0], [n for mode in modes[1:] for n in mode]
    rows = product_of(tuple(first))

    def value(m: int, n: int) -> int | str:
        found = layout(m + n * rows)
        return profile_text(found) if isinstance(found, tuple) else int(found)

    return table(Cells(str(layout), tuple(first[::-1]), tuple(others[::-1]), value, flat=True))
