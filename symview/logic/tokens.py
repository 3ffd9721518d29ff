"""Text to tokens: numbers, names and signs, and what is spelled otherwise."""

from __future__ import annotations

import re
from typing import NamedTuple

from symview.errors import NotationError

_TOKEN = re.compile(
    r"\s*(?:(?P<num>\d+)|(?P<name>[^\W\d]\w*[\u0300-\u036f]?)|"
    r"(?P<op><->|->|//|\*\*|<<|>>|==|!=|<=|>=|[-+*%<>(),:\[\]=∧∨¬≤≥≠·|&^~⌈⌉]|/(?=[^⌉]*⌉))|"
    r"(?P<cute>@|\?(?:\{[^{}]*\})?))"
)
NO_PRODUCT = re.compile(r"(\d+[eE]\d+|0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|\d+_[\d_]*)(?!\w)")  # a number elsewhere
_ODD = frozenset("eExXoObB_")  # what stands behind the first digits of such a number
NAME = re.compile(r"[^\W\d]\w*[\u0300-\u036f]?")
_SPELLING = {"≤": "<=", "≥": ">=", "≠": "!=", "·": "*", "∧": "and", "∨": "or", "¬": "not", "=": "=="}
WORDS = ("and", "or", "not", "min", "max", "abs", "True", "False")
BETWEEN = ("if", "else", "where")  # words where an operator can stand, names elsewhere
_DIGITS = 300
_INSTEAD = {"/": ": write // for a quotient, which is rounded down", "!": ": write not, or !="}


class Token(NamedTuple):
    """What a token is (num, name, op, cute or end), its text, and where it stands."""

    kind: str
    text: str
    at: int


def tokens_of(text: str, cute: bool = False) -> list[Token]:
    """The tokens of a text, the end last. Raises NotationError, with a caret under what is none.

    With `cute`, > > are two brackets, as in CuTe's tilers, and @ and ? are tokens, of basis elements and of entries
    that are not known.

    >>> [token.text for token in tokens_of("3σ2 ≤ x")]
    ['3', 'σ2', '<=', 'x', '']
    """
    found: list[Token] = []
    at, end = 0, len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None or (match["cute"] and not cute):
            at += len(text[at:]) - len(text[at:].lstrip())
            raise NotationError(f"unexpected character {text[at]!r}{_INSTEAD.get(text[at], '')}", text, at)
        kind = str(match.lastgroup)
        value, place, at = match[kind], match.start(kind), match.end()
        if kind == "num":
            _check_number(value, text, place, at)
        if kind == "name" and value in WORDS:
            kind = "op"
        if cute and value in ("<<", ">>"):
            found += [Token(kind, value[0], place), Token(kind, value[1], place + 1)]
        else:
            found.append(Token(kind, _SPELLING.get(value, value), place))
    return [*found, Token("end", "", end)]


def _check_number(digits: str, text: str, start: int, stop: int) -> None:
    """NotationError for too many digits, and for digits that are a number of another kind elsewhere, as in 1e3."""
    if len(digits) > _DIGITS:
        raise NotationError(f"a number of more than {_DIGITS} digits", text, start)
    odd = NO_PRODUCT.match(text, start) if text[stop : stop + 1] in _ODD else None
    if odd is not None:
        product = f"{digits}*{odd[0].removeprefix(digits)}"
        raise NotationError(f"{odd[0]} is no integer: write plain digits, or {product} for a product", text, start)
