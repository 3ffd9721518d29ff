"""How answers display in notebooks and in IPython: as text."""

from __future__ import annotations

from html import escape
from math import log10
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]  # an object of JSON

WRITTEN = 13_287  # bits of 4,000 digits


class Displayed:
    """Notebooks display the object as `str()`; classes with tables override this."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        """Gives each class its own `_repr_pretty_`: IPython prefers a class's own `__repr__` to inherited methods."""
        super().__init_subclass__()
        cls._repr_pretty_ = cls._repr_pretty_  # type: ignore[method-assign]

    def _repr_html_(self) -> str:
        return paragraph(str(self))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(f"<{type(self).__name__} …>" if cycle else str(self))


def paragraph(text: str) -> str:
    """A text as HTML, with its line breaks.

    >>> paragraph("a < b")
    '<p style="font-family: monospace; white-space: pre-wrap">a &lt; b</p>'
    """
    return f'<p style="font-family: monospace; white-space: pre-wrap">{escape(text)}</p>'


def number_text(n: int) -> str:
    """The number in digits; above 4,000 digits, which Python may refuse to print, its first five and their number.

    >>> number_text(-12), number_text(-7 * 10**5000)
    ('-12', '-70000…(5001 digits)')
    """
    if abs(n).bit_length() <= WRITTEN:
        return str(n)
    digits = int(abs(n).bit_length() * log10(2))  # at most one too small, since bits are rounded up
    digits += abs(n) >= 10**digits
    return f"{'-' * (n < 0)}{abs(n) // 10 ** (digits - 5)}…({digits} digits)"
