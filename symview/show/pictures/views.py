"""The picture of a view: the address at each index, and the memory that it reaches."""

from __future__ import annotations

from typing import Any

from symview.engine.radix import unravel
from symview.errors import InputError
from symview.logic.sympy_bridge import is_number, to_text
from symview.show.pictures.shapes import Picture
from symview.show.pictures.sheets import split
from symview.show.pictures.tables import table
from symview.show.steps import sizes_of
from symview.view import View


def picture_of_view(view: View) -> Picture:
    """The addresses by row and column, hatched where the mask hides an index; symbolic strides are written out.

    InputError where a size, or a bound of the mask, is a symbol, or no index is there to draw.
    """
    mask: Any = view.mask if isinstance(view.mask, tuple) else ()
    for x in (*view.shape, *[bound for pair in mask for bound in pair]):
        if not is_number(x):
            raise InputError(f"a picture of {view}: {to_text(x)} is symbolic: substitute a number")
    if 0 in view.shape:
        raise InputError(f"a picture of {view}: it has no index")
    shape = sizes_of(view)
    rows = split(shape)

    def value(row: int, column: int) -> int | str | None:
        found = view.at((*unravel(row, shape[:rows]), *unravel(column, shape[rows:])))
        return found if found is None or is_number(found) else to_text(found, "")

    return table(str(view), shape[:rows], shape[rows:], value)
