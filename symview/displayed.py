"""Answers that show themselves in notebooks and in IPython: by their text, as the command line tells them."""

from __future__ import annotations

from html import escape
from typing import Any


class Displayed:
    """What is evaluated in a notebook is shown as `str()` tells it; classes with tables have these as well."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        """IPython takes a class's own `__repr__` before what it inherits: so each class has this as its own."""
        super().__init_subclass__()
        cls._repr_pretty_ = cls._repr_pretty_  # type: ignore[method-assign]

    def _repr_html_(self) -> str:
        return paragraph(str(self))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(f"<{type(self).__name__} …>" if cycle else str(self))


def paragraph(text: str) -> str:
    """A text as HTML, its lines kept.

    >>> paragraph("a < b")
    '<p style="font-family: monospace; white-space: pre-wrap">a &lt; b</p>'
    """
    return f'<p style="font-family: monospace; white-space: pre-wrap">{escape(text)}</p>'
