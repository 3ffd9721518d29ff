"""Blocks of text: paragraphs and tables, as plain text without truncation, and as HTML for notebooks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import zip_longest
from typing import Any, NamedTuple, TypeAlias

from symview.displayed import Displayed, paragraph

_WIDE = 130
PAGE = 100
_CELL = 48
_STYLE = 'style="text-align: left; white-space: pre; font-family: monospace"'
_JOINTS = re.compile(r" (?=and |or )|(?<=,) ")


class Grid(NamedTuple):
    """A table of a header and rows; cells may have several lines; a title is a line above."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""

    def plain(self) -> str:
        """Aligned columns, two spaces apart.

        >>> print(Grid(("i", "Equation"), (("0", ""), ("1", "σ̃ = σ2"))).plain())
        i  Equation
        0
        1  σ̃ = σ2
        """
        lines = [
            line
            for row in (self.header, *self.rows)
            for line in zip_longest(*(cell.split("\n") for cell in row), fillvalue="")
        ]
        widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
        text = [
            "  ".join(cell + " " * (w - _width(cell)) for cell, w in zip(line, widths, strict=True)).rstrip()
            for line in lines
        ]
        return "\n".join([self.title, *text] if self.title else text)

    def html(self) -> str:
        """The table for a notebook.

        >>> Grid(("i",), (("0 < 1",),)).html()[:7]
        '<table>'
        """
        title = f"<caption>{escape(self.title)}</caption>" if self.title else ""
        head = "".join(f"<th {_STYLE}>{escape(name)}</th>" for name in self.header)
        rows = "".join("<tr>" + "".join(f"<td {_STYLE}>{escape(x)}</td>" for x in row) + "</tr>" for row in self.rows)
        return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


Block: TypeAlias = "str | Grid"


def joined(blocks: Iterable[Block]) -> str:
    """The blocks as one text, separated by blank lines."""
    return "\n\n".join(b if isinstance(b, str) else b.plain() for b in blocks)


class Tabled(Displayed):
    """An answer of several blocks: shown as tables in a notebook, and as aligned columns in a terminal."""

    __slots__ = ()

    def _blocks(self) -> Iterable[Block]:
        """The blocks that notebooks display."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        return "\n".join(b.html() if isinstance(b, Grid) else paragraph(b) for b in self._blocks())

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(f"<{type(self).__name__} …>" if cycle else joined(self._blocks()))


def readable(grid: Grid) -> Iterator[Grid]:
    """The table; if it is too wide for a page, a table for each of its rows."""
    cells = [[max(map(_width, cell.split("\n"))) for cell in row] for row in (grid.header, *grid.rows)]
    if sum(max(column) + 2 for column in zip(*cells, strict=True)) <= _WIDE:
        yield from [grid] if grid.rows else []
        return
    for row in grid.rows:
        first, *others = [(name, cell) for name, cell in zip(grid.header, row, strict=True) if cell]
        yield Grid(first, tuple(others))


def folded(text: str, width: int = _CELL) -> str:
    """The text in lines of this width, broken before `and` and `or` and after commas, where possible.

    >>> print(folded("a = 1 or b = 1 or s = b*t", 20))
    a = 1 or b = 1
    or s = b*t
    """
    lines: list[str] = []
    for part in _JOINTS.split(text):
        if lines and len(lines[-1]) + 1 + len(part) <= width:
            lines[-1] += f" {part}"
        else:
            lines.append(part)
    return "\n".join(lines)


def filled(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Grid:
    """The table without the columns that are empty in every row."""
    kept = [n for n in range(len(header)) if any(row[n] for row in rows)]
    return Grid(tuple([header[n] for n in kept]), tuple([tuple([row[n] for n in kept]) for row in rows]))


def _width(text: str) -> int:
    """The number of terminal columns of the text; combining characters take none."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
