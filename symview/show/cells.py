"""A table of a function's values, as data that a picture can be drawn from."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol, TypeAlias, runtime_checkable

Cell: TypeAlias = int | str | None  # an address, an expression, or nothing


class Cells(NamedTuple):
    """The values by row and column; each has its dims, the last one fastest.

    `flat`: rows and columns are labelled by one number, not by the index of their dims. `axes` names rows and columns
    of values that are not addresses; `note` says what is not in the table.
    """

    title: str
    row_dims: tuple[int, ...]
    column_dims: tuple[int, ...]
    value: Callable[[int, int], Cell]
    flat: bool = False
    axes: tuple[str, str] = ("", "")
    note: str = ""


@runtime_checkable
class HasCells(Protocol):
    """An answer that can be shown as a table of values."""

    def cells(self) -> Cells:
        """Its table; InputError if it has none."""
