"""Prints blocks and JSON to any stdout: a terminal, a file, an encoding without Greek."""

from __future__ import annotations

import codecs
import io
import os
import sys
import unicodedata
from collections.abc import Iterable
from json import dumps
from typing import TYPE_CHECKING

from symview.displayed import Json
from symview.show.grid import Block, Grid, joined

if TYPE_CHECKING:
    from rich.table import Table

_LAID_OUT = 500  # rows; longer tables are printed plainly, line by line
_ASCII = {
    "≤": "<=", "≥": ">=", "≠": "!=", "·": "*", "∘": "o", "→": "->", "−": "-", "…": "...", "–": "-", "∧": "and",
    "∨": "or", "¬": "not", "\u0303": "~", "\u0302": "^", "\u0304": "_", "\u0307": ".",
}  # fmt: skip


def show(blocks: Iterable[Block]) -> None:
    """Prints the blocks: on a terminal, tables wrap to its width; elsewhere everything is plain and whole."""
    found = list(map(_encodable, blocks))
    rows = [len(b.rows) for b in found if isinstance(b, Grid)]
    if not rows or sum(rows) > _LAID_OUT or not sys.stdout.isatty():
        print(joined(found))
        return
    from rich.console import Console  # slow to load
    from rich.text import Text  # slow to load

    console = Console()
    for n, block in enumerate(found):
        if n:
            console.print()
        console.print(Text(block, overflow="fold") if isinstance(block, str) else _laid_out(block))


def _laid_out(grid: Grid) -> Table:
    from rich.box import SIMPLE_HEAD  # slow to load
    from rich.table import Table  # slow to load
    from rich.text import Text  # slow to load

    title = Text(grid.title) if grid.title else None
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, title=title, title_justify="left", title_style="")
    for name in grid.header:
        table.add_column(Text(name), overflow="fold")
    for row in grid.rows:
        table.add_row(*map(Text, row))
    return table


def show_json(value: Json) -> None:
    """Prints JSON, with escapes only where the encoding needs them."""
    unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    print(dumps(value, indent=2, ensure_ascii=not unicode))


# Encodings


def open_streams() -> None:
    """Connects streams that were closed from the start to nothing."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 (until the process ends)


def accept_all_text() -> None:
    """Lets stdout and stderr spell out characters that their encoding lacks, instead of raising."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="symview.spelled")


def spelled(char: str) -> str:
    """Spells a character in ASCII: Greek letters by name, operators as programming languages write them.

    >>> "".join(map(spelled, "3 ≤ σ̃ → é"))
    '3 <= sigma~ -> e'
    """
    if char.isascii():
        return char
    name = unicodedata.name(char, "")
    if name.startswith("GREEK ") and " LETTER " in name:
        word = name.partition(" LETTER ")[2].partition(" WITH ")[0].lower()
        return word.capitalize() if "CAPITAL" in name else word
    plain = "".join(c for c in unicodedata.normalize("NFKD", char) if not unicodedata.combining(c))
    return _ASCII.get(char) or (plain if plain and plain.isascii() else "?")


def _spelled(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(spelled, error.object[error.start : error.end])), error.end


codecs.register_error("symview.spelled", _spelled)


def _encodable(block: Block) -> Block:
    """Spells out a block before printing, so that columns stay aligned."""
    encoding = sys.stdout.encoding or "utf-8"

    def shown(text: str) -> str:
        return text.encode(encoding, "symview.spelled").decode(encoding)

    if isinstance(block, str):
        return shown(block)
    return Grid(tuple(map(shown, block.header)), tuple([tuple(map(shown, r)) for r in block.rows]), shown(block.title))
