"""Parses C++: tokens, expressions, and the calls that state rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from symview.readers.expressions import Node, Skipped


class Token(NamedTuple):
    """A token and its line number."""

    text: str
    line: int


class Found(NamedTuple):
    """A call that states a rule: its arguments, the enclosing conditions, and the enclosing visitor."""

    args: tuple[list[Token], ...]
    guards: tuple[str, ...]
    visitor: str
    line: int


_TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|^[ \t]*#(?:\\\n|[^\n])*|(?P<token>[A-Za-z_]\w*(?:::\w+)*|\d+(?:\.\d*f?)?|"
    r"->|<<|>>|<=|>=|==|!=|&&|\|\||[^\s\w])",
    re.DOTALL | re.MULTILINE,
)
_LEVELS = (("||",), ("&&",), ("==", "!="), ("<", "<=", ">", ">="), ("+", "-"), ("*", "/", "%"))
_LEVEL = {op: n for n, level in enumerate(_LEVELS) for op in level}


def tokens_of(source: str) -> list[Token]:
    """The tokens of a C++ source, without comments, strings and preprocessor lines."""
    found, line, at = [], 1, 0
    for match in _TOKEN.finditer(source):
        if match["token"]:
            line += source.count("\n", at, match.start())
            at = match.start()
            found.append(Token(match["token"], line))
    return found


class Reader:
    """Parses one C++ expression; raises Skipped if the tokens are anything else."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.texts = [t.text for t in tokens]
        self.at = 0

    def whole(self) -> Node:
        """The expression of all tokens."""
        node = self.binary(0)
        if self.at < len(self.texts):
            raise Skipped(f"C++ beyond expressions, at {self.texts[self.at]}")
        return node

    def binary(self, level: int) -> Node:
        """Operators that bind at least as tightly as `level`, left-associative."""
        if level == len(_LEVELS):
            return self.prefix()
        left = self.binary(level + 1)
        while self.peek() in _LEVELS[level]:
            left = Node(self.next(), (left, self.binary(level + 1)))
        return left

    def prefix(self) -> Node:
        """A sign or a negation of an operand."""
        if self.peek() in ("-", "!"):
            sign = self.next()
            return Node("neg" if sign == "-" else "!", (self.prefix(),))
        return self.postfix()

    def postfix(self) -> Node:
        """A name, number or parenthesis, followed by calls and members."""
        text = self.next()
        if text == "(":
            node = self.binary(0)
            self.expect(")")
        elif text[0].isdigit():
            node = Node("num", (text,))
        elif text[0].isalpha() or text[0] == "_":
            node = Node("name", (text.split("::")[-1],))
        else:
            raise Skipped(f"C++ beyond expressions, at {text}")
        while True:
            if self.peek() in ("(", "{"):
                closing = {"(": ")", "{": "}"}[self.next()]
                node = Node("call", (node, *self.listed(closing)))
            elif self.peek() in (".", "->"):
                self.next()
                node = Node("member", (node, self.next()))
            else:
                return node

    def listed(self, closing: str) -> list[Node]:
        """Expressions separated by commas (a trailing comma is allowed), up to the closing token."""
        found = []
        while self.peek() != closing:
            found.append(self.binary(0))
            if self.peek() != closing:
                self.expect(",")
        self.expect(closing)
        return found

    def peek(self) -> str:
        """The next token; "" at the end."""
        return self.texts[self.at] if self.at < len(self.texts) else ""

    def next(self) -> str:
        """Consumes and returns the next token."""
        self.at += 1
        if self.at > len(self.texts):
            raise Skipped("C++ that ends early")
        return self.texts[self.at - 1]

    def expect(self, text: str) -> None:
        """Consumes this token."""
        if self.next() != text:
            raise Skipped(f"C++ beyond expressions, where {text} is expected")


class _Frame(NamedTuple):
    """An open bracket: its position, and the conditions that hold inside."""

    at: int
    holding: tuple[str, ...]


def calls(tokens: Sequence[Token], names: Iterable[str], visitor: re.Pattern[str]) -> Iterator[Found]:
    """Every call of one of these functions; with the conditions before it in `a && call(…)`, `if (a) { call(…) }`."""
    wanted = set(names)
    stack = [_Frame(-1, ())]
    conjunct = 0  # the start of the current conjunct
    chain: tuple[str, ...] = ()  # conditions joined to it by && in this bracket
    outside: list[tuple[int, tuple[str, ...]]] = []
    closed: dict[int, int] = {}
    within = ""
    for n, (text, line) in enumerate(tokens):
        if text in wanted and tokens[n + 1].text == "(":
            yield Found(_arguments(tokens, n + 1), (*stack[-1].holding, *chain), within, line)
        if text in "({[":
            inside = stack[-1].holding
            if text == "{" and n and tokens[n - 1].text == ")" and tokens[closed[n - 1] - 1].text == "if":
                inside = (*inside, _text(tokens[closed[n - 1] + 1 : n - 1]))
            stack.append(_Frame(n, (*inside, *chain)))
            outside.append((conjunct, chain))
            conjunct, chain = n + 1, ()
        elif text in ")}]" and len(stack) > 1:
            closed[n] = stack.pop().at
            conjunct, chain = outside.pop()
            if text == "}":
                conjunct, chain = n + 1, ()
        elif text == "&&":
            chain = (*chain, _text(tokens[conjunct:n]))
            conjunct = n + 1
        elif text in ("||", ",", ";", "="):
            conjunct, chain = n + 1, ()
        if match := visitor.search(" ".join(t.text for t in tokens[max(0, n - 5) : n + 1])):
            within = match[1]


def _text(tokens: Sequence[Token]) -> str:
    return " ".join(t.text for t in tokens)


def _arguments(tokens: Sequence[Token], opening: int) -> tuple[list[Token], ...]:
    """The arguments of the call whose parenthesis opens at `opening`."""
    found: list[list[Token]] = [[]]
    depth = 1
    for token in islice(tokens, opening + 1, None):
        depth += (token.text in "({[") - (token.text in ")}]")
        if depth == 0:
            return tuple(found)
        if token.text == "," and depth == 1:
            found.append([])
        else:
            found[-1].append(token)
    raise Skipped("a call that does not end")
