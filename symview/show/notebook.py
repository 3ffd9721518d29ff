"""Blocks of text and tables as HTML, for answers that show themselves in notebooks."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

from symview.displayed import Displayed, paragraph
from symview.show.grid import Block, Grid, joined

_CELL = 'style="text-align: left; white-space: pre; font-family: monospace"'


class Tabled(Displayed):
    """An answer of several blocks: tables are tables in a notebook, and aligned columns in a terminal."""

    __slots__ = ()

    def _blocks(self) -> Iterable[Block]:
        """What the command line prints."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        return "\n".join(table_html(b) if isinstance(b, Grid) else paragraph(b) for b in self._blocks())

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(f"<{type(self).__name__} …>" if cycle else joined(self._blocks()))


def table_html(grid: Grid) -> str:
    """A table as HTML.

    >>> table_html(Grid(("i",), (("0 < 1",),)))[:7]
    '<table>'
    """
    title = f"<caption>{escape(grid.title)}</caption>" if grid.title else ""
    head = "".join(f"<th {_CELL}>{escape(name)}</th>" for name in grid.header)
    rows = "".join("<tr>" + "".join(f"<td {_CELL}>{escape(x)}</td>" for x in row) + "</tr>" for row in grid.rows)
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
