"""The errors of symview. Each message says what was given, what is required, and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from unicodedata import combining

_AROUND = 38  # characters shown on either side of the caret
_ALIKE = 0.5  # how similar a name has to be to be suggested: two letters of which one is right


class SymviewError(Exception):
    """Base class of every error that symview raises on purpose."""


class InputError(SymviewError, ValueError):
    """The input does not describe a view, a shape, an index or a query."""


class NotationError(InputError):
    """Text that is not in the notation; `str()` shows it with a caret under the place.

    Of a long text, about 80 columns around the place are shown.
    """

    def __init__(self, message: str, text: str, position: int) -> None:
        self.message, self.text, self.position = message, text, position
        super().__init__(message, text, position)

    def __str__(self) -> str:
        if not self.text.strip():
            return f"{self.message}; the text is empty"
        line, at = " ".join(self.text.split("\n")), self.position
        first = max(0, min(at - _AROUND, len(line) - 2 * _AROUND))
        last = min(len(line), first + 2 * _AROUND)
        before, after = "… " * (first > 0), " …" * (last < len(line))
        columns = len(before) + sum(not combining(c) for c in line[first:at])
        return f"{self.message}\n  {before}{line[first:last]}{after}\n  {' ' * columns}^"


class OutOfBounds(InputError):
    """The inner view reaches an address that the outer shape does not have."""

    def __init__(self, message: str, index: tuple[int, ...] = (), address: int | None = None) -> None:
        self.index, self.address = index, address
        super().__init__(message)


class SymbolError(InputError):
    """A symbol was given where numbers are needed, or a symbol that is not declared as the integer it has to be."""


class NotSupported(SymviewError, NotImplementedError):
    """A well-formed query that this version does not answer yet; nothing is guessed."""


class NotAView(InputError):
    """No single view exists; `counterexample` shows where it breaks."""

    def __init__(self, counterexample: Any) -> None:
        self.counterexample = counterexample
        super().__init__(counterexample)


class Undecided(SymviewError, RuntimeError):
    """The answer was not decided: the budget ended, or, without `ended`, it depends on what was not said.

    `reason` says in which step, or on what.
    """

    def __init__(self, reason: str, ended: bool = True) -> None:
        self.reason, self.ended = reason, ended
        super().__init__(reason)

    def __str__(self) -> str:
        return f"undecided: {self.reason}"


class InternalError(SymviewError, AssertionError):
    """A self-check failed, for example a model that does not satisfy its formula: a bug in symview, never an answer."""


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name that is most similar; empty if none is.

    >>> nearest("bb", ["x", "b"]), nearest("claims", ["name", "claim"]), nearest("y", ["x"])
    ('b', 'claim', '')
    """
    from difflib import get_close_matches  # slow to load

    by_letters = {k.casefold(): k for k in known}
    return next((by_letters[k] for k in get_close_matches(name.casefold(), by_letters, 1, _ALIKE)), "")


def unknown_name(name: str, known: Iterable[str], whose: str = "question", what: str = "symbol") -> str:
    """The message about a name that nothing has, with the nearest name and all that there are.

    >>> unknown_name("bb", ["x", "b"], "statement"), unknown_name("q", [])
    ('unknown symbol bb, did you mean b? This statement has x, b', 'unknown symbol q; this question has no symbols')
    """
    known = list(known)
    near, there = nearest(name, known), ", ".join(known) or f"no {what}s"
    hint = f", did you mean {near}? This" if near else "; this"
    return f"unknown {what} {name}{hint} {whose} has {there}"
