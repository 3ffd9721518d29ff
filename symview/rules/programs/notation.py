"""The notation of programs: `x(n,m).permute(1,0).reshape(n*m) == x(n,m).reshape(n*m)`, as calls."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from symview.errors import NotationError
from symview.logic.notation import NAME

Given: TypeAlias = "str | tuple[Given, ...]"

_OPERATION = re.compile(r"[)\]]\s*(?:\.\s*[^\W\d]\w*\s*\(|\[)")  # a call or slices behind a tensor
_CLOSING = {"(": ")", "[": "]"}
_NAMED = re.compile(r"([^\W\d]\w*)\s*=(?!=)")
_OF_A_LIST = ("split", "squeeze")  # a list is one argument of them, and not all their arguments
OF_PARTS = ("split", "chunk")  # an index behind them is that of a part
SLICES = "[]"  # the name of slices behind a program, which are their text


class Call(NamedTuple):
    """A name and its arguments: texts of entries, and tuples of them; `at` is its position.

    `named` are the arguments with keywords, `part` is the text of an index in brackets behind split and chunk.
    """

    name: str
    given: tuple[Given, ...]
    at: int
    named: Mapping[str, Given] = MappingProxyType({})
    part: str | None = None


def is_about_programs(text: str) -> bool:
    """Whether the text contains an operation on a tensor.

    >>> is_about_programs("x(n).flip(0) == x(n)"), is_about_programs("(x + n) % n == x % n")
    (True, False)
    """
    return _OPERATION.search(text) is not None


def split_sides(text: str) -> tuple[str, str]:
    """The texts on either side of the ==, padded so that positions stay the same."""
    places = [at for at, _ in _outside(text, "==")]
    if len(places) != 1:
        at = places[1] if places else len(text.rstrip())
        raise NotationError("a rule is one program == another", text, at)
    (at,) = places
    return text[:at], " " * (at + 2) + text[at + 2 :]


def read_calls(text: str) -> list[Call]:
    """The tensor and the operations, in order.

    >>> read_calls("x(n,2*m).shrink((0,n),(1,m)).flip(0)")[1]
    Call(name='shrink', given=(('0', 'n'), ('1', 'm')), at=9, named={}, part=None)
    >>> read_calls("x(n,2*m)[:, 1].flip(0)")[1].given
    ('[:, 1]',)
    """
    found: list[Call] = []
    at = _blanks(text, 0)
    while True:
        if text[at : at + 1] == "[":
            end = _matching(text, at)
            found.append(Call(SLICES, (text[at : end + 1],), at))
            at = _blanks(text, end + 1)
            if _ends(text, at):
                return found
            at = _blanks(text, at + (text[at] == "."))
            continue
        name = NAME.match(text, at)
        if name is None:
            raise NotationError("expected the name of a tensor or of an operation", text, at)
        start = _blanks(text, name.end())
        if text[start : start + 1] != "(":
            raise NotationError(f"expected '(' after {name[0]}", text, start)
        end = _matching(text, start)
        given, named = _arguments(name[0], text[start + 1 : end])
        after, part = _blanks(text, end + 1), None
        if text[after : after + 1] == "[" and name[0] in OF_PARTS:
            end = _matching(text, after)
            part = text[after + 1 : end].strip()
        found.append(Call(name[0], given, at, named, part))
        at = _blanks(text, end + 1)
        if _ends(text, at):
            return found
        at = _blanks(text, at + (text[at] == "."))


def _ends(text: str, at: int) -> bool:
    """Whether a program ends here; raises NotationError unless an operation or slices follow."""
    if at < len(text) and text[at] not in ".[":
        raise NotationError(f"unexpected {text[at]!r}", text, at)
    return at == len(text)


def _arguments(name: str, text: str) -> tuple[tuple[Given, ...], dict[str, Given]]:
    """The arguments of an operation by place, and those with keywords."""
    if name == "read":
        return (text.strip(),), {}
    parts = list(_parts(text))
    named = [m for m in map(_NAMED.match, parts) if m]
    if not named:
        return tuple(map(split_tuple, parts)) if name in _OF_A_LIST else split_entries(text), {}
    plain = parts[: len(parts) - len(named)]
    if any(map(_NAMED.match, plain)):
        raise NotationError("an argument without a keyword follows one with a keyword", text, 0)
    return tuple(map(split_tuple, plain)), {m[1]: split_tuple(m.string[m.end() :]) for m in named}


def split_entries(text: str) -> tuple[Given, ...]:
    """The entries separated by commas; those in brackets of their own as tuples. Outer brackets are optional.

    >>> split_entries("(n, 2*m)"), split_entries("(0,n),(a + 1)*b")
    (('n', '2*m'), (('0', 'n'), '(a + 1)*b'))
    """
    text = text.strip()
    whole = split_tuple(text)
    return whole if isinstance(whole, tuple) else tuple(map(split_tuple, _parts(text)))


def split_tuple(text: str) -> Given:
    """A tuple if parentheses enclose a comma or nothing, or brackets enclose all, else the text."""
    text = text.strip()
    if text[:1] not in _CLOSING or _matching(text, 0) != len(text) - 1:
        return text
    inner = text[1:-1]
    parts = list(_parts(inner))
    if text[0] == "(" and len(parts) == 1 and not inner.rstrip().endswith(","):
        return text
    return tuple(split_tuple(part) for part in parts)


def _parts(text: str) -> Iterator[str]:
    """Splits at the commas outside parentheses; yields nothing for a blank text."""
    start = 0
    for at, _ in _outside(text, ","):
        if not text[start:at].strip():
            raise NotationError("expected an entry before the comma", text, at)
        yield text[start:at].strip()
        start = at + 1
    if text[start:].strip():
        yield text[start:].strip()


def _outside(text: str, sign: str) -> Iterator[tuple[int, str]]:
    """The positions of the sign outside of parentheses and brackets."""
    at = 0
    while at < len(text):
        if text[at] in _CLOSING:
            at = _matching(text, at)
        elif text[at] in _CLOSING.values():
            raise NotationError(f"unexpected {text[at]!r}", text, at)
        elif text.startswith(sign, at):
            yield at, sign
            at += len(sign) - 1
        at += 1


def _matching(text: str, start: int) -> int:
    """The position of the bracket that closes the one at `start`."""
    wanted: list[str] = []
    for at in range(start, len(text)):
        if text[at] in _CLOSING:
            wanted.append(_CLOSING[text[at]])
        elif text[at] in _CLOSING.values():
            if text[at] != wanted.pop():
                raise NotationError(f"unexpected {text[at]!r}", text, at)
            if not wanted:
                return at
    raise NotationError(f"expected {wanted[-1]!r} to close what opens here", text, start)


def _blanks(text: str, at: int) -> int:
    """Skips blanks."""
    while at < len(text) and text[at].isspace():
        at += 1
    return at


# Mistaken words


def nearest(word: str, known: Sequence[str]) -> str | None:
    """The known word that a word of three letters or more is meant to be: one letter apart, of long words two.

    Capital letters count as small ones.

    >>> nearest("reshap", ["t", "reshape"]), nearest("veiw", ["view"]), nearest("kv", ["t"]), nearest("slot", ["split"])
    ('reshape', 'view', None, None)
    """
    if len(word) < 3:
        return None
    apart = {k: _distance(word.lower(), k) for k in known if len(k) >= 3}
    return min((k for k, d in apart.items() if d <= (1 if len(k) < 6 else 2)), key=lambda k: apart[k], default=None)


def _distance(a: str, b: str) -> int:
    """The fewest letters to insert, drop, replace or swap with the next one, so that a word becomes another."""
    rows = [list(range(len(b) + 1))]
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            row.append(min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (x != y)))
            if i > 1 and j > 1 and (x, y) == (b[j - 2], a[i - 2]):
                row[-1] = min(row[-1], rows[-2][j - 2] + 1)
        rows.append(row)
    return rows[-1][-1]
