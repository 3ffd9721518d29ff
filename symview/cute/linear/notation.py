"""Reads and prints linear layouts: `{lane = [1, 2]} -> {offset = 4}`, Triton's listings, and its MLIR attributes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from symview.errors import NotationError
from symview.logic.notation import Scanner, Token

_TOKEN = re.compile(
    r"\s*(?:(?P<name>[^\W\d]\w*)|(?P<text>'[^']*'|\"[^\"]*\")|(?P<num>\d+)|(?P<op>->|[-{}\[\]()<>=:,^⊕#.]))"
)
_DIGITS = 1300
Spelled = tuple[dict[str, list[Any]], Any, Any]


def read_linear(text: str) -> Spelled:
    """Parses bases, outputs and constant, with None for omitted ones; raises NotationError with a caret.

    >>> read_linear("{lane = [1, 2]} -> {offset = 4} ^ [3]")
    ({'lane': [1, 2]}, {'offset': 4}, [3])
    """
    if not isinstance(text, str):
        raise NotationError(f"{text!r} is not text", str(text), 0)
    scan = _Reader(text)
    return scan.listing() if scan.peek() == "-" else scan.whole()


def listing(bases: Mapping[str, Sequence[Sequence[int]]], outs: Mapping[str, int]) -> str:
    """The bases as Triton prints them, one per line."""
    lines: list[str] = []
    for name, rows in bases.items():
        shown = [f"{name}={1 << i} -> ({', '.join(map(str, b))})" for i, b in enumerate(rows)]
        lines += [f"{'   ' if i else ' - '}{row}" for i, row in enumerate(shown or [f"{name} is a size 1 dimension"])]
    sizes = ", ".join(f"{name} (size {size})" for name, size in outs.items())
    return "\n".join([*lines, f"where out dims are: [{sizes}]"])


def _tokens(text: str) -> Iterator[Token]:
    at, end = 0, len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None:
            at += len(text[at:]) - len(text[at:].lstrip())
            raise NotationError(f"unexpected character {text[at]!r}", text, at)
        kind = str(match.lastgroup)
        if kind == "num" and len(match[kind]) > _DIGITS:
            raise NotationError(f"a number of more than {_DIGITS} digits", text, match.start(kind))
        yield Token(kind, match[kind], match.start(kind))
        at = match.end()
    yield Token("end", "", end)


class _Reader(Scanner):
    """A scanner for one linear layout."""

    def __init__(self, text: str) -> None:
        super().__init__("")
        self.text, self.tokens = text, list(_tokens(text))

    def take(self, *wanted: str) -> str | None:
        kind, value, _ = self.tokens[self.at]
        if kind == "text" or value not in wanted:
            return None
        self.at += 1
        return value

    def name(self) -> str:
        kind, value, _ = self.tokens[self.at]
        if kind not in ("name", "text"):
            raise self.error("expected a name")
        self.at += 1
        return value if kind == "name" else value[1:-1]

    def size(self) -> int:
        kind, value, _ = self.tokens[self.at]
        if kind != "num":
            raise self.error("expected a number from 0 on")
        self.at += 1
        return int(value)

    # {…} -> {…} ^ […], and attributes

    def whole(self) -> Spelled:
        attribute = self._before_brace()
        bases = self.named(lambda: self.listed(self.basis))
        if attribute:
            while self.take(","):
                self.name()
                self.expect("=", "after a name")
                self.size()
            self.expect(">", "to close the attribute")
        outs = constant = None
        if self.take("->"):
            outs = self.named(self.size) if self.peek() == "{" else self.listed(self.name)
        if self.take("^", "⊕"):
            constant = self.listed(self.size)
        self.end()
        return bases, outs, constant

    def _before_brace(self) -> bool:
        """Skips `#name = #ttg.linear<`; returns whether it was there."""
        if self.peek() != "#":
            return False
        while self.take("#"):
            self.name()
            while self.take("."):
                self.name()
            self.take("=")
        self.expect("<", "after the attribute's name")
        return True

    def named(self, read: Any) -> dict[str, Any]:
        found: dict[str, Any] = {}
        self.expect("{", "before what is named")
        while not self.take("}"):
            place = self.at
            name = self.name()
            if name in found:
                self.at = place
                raise self.error(f"{name} occurs twice")
            if not self.take("=", ":"):
                raise self.error("expected '=' after a name")
            found[name] = read()
            if not self.take(","):
                self.expect("}", "to close what is named")
                break
        return found

    def listed(self, read: Any, begin: str = "[", close: str = "]") -> list[Any]:
        found: list[Any] = []
        self.expect(begin, "before a list")
        while not self.take(close):
            found.append(read())
            if not self.take(","):
                self.expect(close, "to close the list")
                break
        return found

    def basis(self) -> Any:
        if self.peek() in ("[", "("):
            return self.listed(self.size, *("[]" if self.peek() == "[" else "()"))
        return self.size()

    # Triton's listing

    def listing(self) -> Spelled:
        bases: dict[str, list[Any]] = {}
        while self.take("-"):
            name = self.name()
            if name in bases:
                raise self.error(f"{name} occurs twice")
            bases[name] = []
            if self.peek() == "is":
                for word in ("is", "a", "size"):
                    self.expect(word, "of 'is a size 1 dimension'")
                self.size()
                self.expect("dimension", "of 'is a size 1 dimension'")
                continue
            self._rows(name, bases[name])
        outs = self._outs()
        self.end()
        return bases, outs, None

    def _rows(self, name: str, bases: list[Any]) -> None:
        """Reads the bases of one input; the name before the first basis has already been read."""
        while True:
            self.expect("=", "after the input")
            if self.peek() != str(1 << len(bases)):
                raise self.error(f"expected {name}={1 << len(bases)}, the next base")
            self.size()
            self.expect("->", "before the outputs")
            bases.append(self.basis())
            if self.peek() != name:
                return
            self.name()

    def _outs(self) -> Any:
        if self.kind() == "end":
            return None
        for word in ("where", "out", "dims", "are", ":"):
            self.expect(word, "of 'where out dims are:'")
        names = self.listed(self._out)
        sized = all(size is not None for _, size in names)
        return dict(names) if sized else [name for name, _ in names]

    def _out(self) -> tuple[str, int | None]:
        name, size = self.name(), None
        if self.take("("):
            self.expect("size", "of an output")
            size = self.size()
            self.expect(")", "after the size")
        return name, size
