"""The notation of integer expressions and formulas: text to terms and back.

No solver and no sympify stands behind it: `S`, `N` and `I` are ordinary names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from symview.errors import NotationError
from symview.logic.operators import OPERATORS, RELATIONS
from symview.logic.terms import Term, conj, num, sym

_TOKEN = re.compile(
    r"\s*(?:(?P<num>\d+)|(?P<name>[^\W\d]\w*[\u0300-\u036f]?)|"
    r"(?P<op><->|->|//|==|!=|<=|>=|[-+*%<>(),:\[\]=∧∨¬≤≥≠·|]))"
)
_NO_PRODUCT = re.compile(
    r"(\d+[eE]\d+|0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|\d+_[\d_]*)(?!\w)"
)  # a number elsewhere
NAME = re.compile(r"[^\W\d]\w*[\u0300-\u036f]?")
_SPELLING = {"≤": "<=", "≥": ">=", "≠": "!=", "·": "*", "∧": "and", "∨": "or", "¬": "not", "=": "=="}
WORDS = ("and", "or", "not", "min", "max", "abs", "True", "False")
_DIGITS = 300
_DEPTH = 30
_CHAIN = 100


class Scanner:
    """Reads one text from left to right; every error points at its place."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[tuple[str, str, int]] = []
        at, end = 0, len(text.rstrip())
        while at < end:
            match = _TOKEN.match(text, at)
            if match is None:
                at += len(text[at:]) - len(text[at:].lstrip())
                raise NotationError(f"unexpected character {text[at]!r}", text, at)
            kind = str(match.lastgroup)
            value = match.group(kind)
            place = match.start(kind)
            if kind == "num" and len(value) > _DIGITS:
                raise NotationError(f"a number of more than {_DIGITS} digits", text, place)
            if kind == "num" and (odd := _NO_PRODUCT.match(text, place)) is not None:
                product = f"{value}*{odd[0].removeprefix(value)}"
                raise NotationError(
                    f"{odd[0]} is no integer: write plain digits, or {product} for a product", text, place
                )
            if kind == "name" and value in WORDS:
                kind = "op"
            self.tokens.append((kind, _SPELLING.get(value, value), place))
            at = match.end()
        self.tokens.append(("end", "", end))
        self.at = 0
        self.depth = 0

    def peek(self) -> str:
        """The next token's text; "" at the end."""
        return self.tokens[self.at][1]

    def ahead(self) -> list[tuple[str, str, int]]:
        """The tokens that are left: what each is, its text, and where it stands."""
        return self.tokens[self.at :]

    def kind(self) -> str:
        """What the next token is: num, name, op or end."""
        return self.tokens[self.at][0]

    def take(self, *wanted: str) -> str | None:
        """The next token if it is one of those wanted, else None and nothing is read."""
        kind, value, _ = self.tokens[self.at]
        if kind in ("op", "end") and value in wanted:
            self.at += 1
            return value
        return None

    def expect(self, wanted: str, why: str) -> None:
        """Reads that token or raises."""
        if self.take(wanted) is None:
            raise self.error(f"expected {wanted!r} {why}")

    def error(self, message: str) -> NotationError:
        """The error at the next token."""
        return NotationError(message, self.text, self.tokens[self.at][2])

    def end(self) -> None:
        """Raises unless everything was read."""
        if self.kind() != "end":
            raise self.error(f"unexpected {self.peek()!r}")

    # Precedence, loosest first: <->, ->, or, and, not, relations, + -, * // %, sign.

    def formula(self) -> Term:
        """A statement: relations joined by and, or, not, ->, <->."""
        left = self._implication()
        while self.take("<->"):
            left = Term("<->", (self._formula(left), self._formula(self._implication())))
        return left

    def _implication(self) -> Term:
        left = self._many("or", lambda: self._many("and", self._negation))
        if self.take("->"):
            return Term("->", (self._formula(left), self._formula(self._implication())))
        return left

    def _many(self, word: str, read: Callable[[], Term]) -> Term:
        parts = [read()]
        while self.take(word):
            parts.append(read())
        return parts[0] if len(parts) == 1 else Term(word, tuple(map(self._formula, parts)))

    def _negation(self) -> Term:
        if self.take("not"):
            return Term("not", (self._formula(self._nested(self._negation)),))
        return self._relation()

    def _relation(self) -> Term:
        left = self.expression()
        parts = []
        while (op := self.take(*RELATIONS)) is not None:
            right = self.expression()
            parts.append(Term(op, (self._integer(left), self._integer(right))))
            left = right
        return conj(parts) if parts else left

    def expression(self) -> Term:
        """A sum of products."""
        left = self._product()
        chained = 0
        while self.kind() == "op" and self.peek() in ("+", "-"):
            left, op = self._integer(left), self.take("+", "-")
            right = self._integer(self._product())
            chained += op == "-"
            left = self._joined(str(op), left, right, chained)
        return left

    def _product(self) -> Term:
        left = self._signed()
        chained = 0
        while True:
            if self.kind() == "op" and self.peek() in ("*", "//", "%"):
                left, op = self._integer(left), self.take("*", "//", "%")
                right = self._integer(self._signed())
                chained += op != "*"
                left = self._joined(str(op), left, right, chained)
            elif left.op == "int" and self.kind() == "name" and self.tokens[self.at - 1][0] == "num":
                left = Term("*", (left, self._atom()))  # 3σ2
            else:
                return left

    def _joined(self, op: str, left: Term, right: Term, chained: int) -> Term:
        """Long sums and products stay flat; other chains nest to the left, so their length is bounded."""
        if chained > _CHAIN:
            raise self.error(f"more than {_CHAIN} of - or // or % in a row: use parentheses, or simplify")
        if op in ("+", "*") and left.op == op:
            return Term(op, (*left.args, right))
        return Term(op, (left, right))

    def _signed(self) -> Term:
        if self.take("+"):
            return self._nested(self._signed)
        if self.take("-"):
            inner = self._integer(self._nested(self._signed))
            return num(-inner.args[0]) if inner.op == "int" else Term("neg", (inner,))
        return self._atom()

    def _atom(self) -> Term:
        kind, value, _ = self.tokens[self.at]
        if kind == "num":
            self.at += 1
            return num(int(value))
        if kind == "name":
            self.at += 1
            return sym(value)
        if (word := self.take("True", "False")) is not None:
            return Term("bool", (word == "True",))
        if (word := self.take("min", "max", "abs")) is not None:
            return self._call(word)
        if self.take("("):
            inner = self._nested(self.formula)
            self.expect(")", "to close the parenthesis")
            return inner
        raise self.error("expected a number, a name or a parenthesis")

    def _call(self, word: str) -> Term:
        self.expect("(", f"after {word}")
        args = [self._integer(self._nested(self.expression))]
        while self.take(","):
            args.append(self._integer(self._nested(self.expression)))
        self.expect(")", f"to close {word}")
        if word == "abs" and len(args) != 1:
            raise self.error("abs takes one value")
        return Term(word, tuple(args))

    def _nested(self, read: Callable[[], Term]) -> Term:
        self.depth += 1
        if self.depth > _DEPTH:
            raise self.error(f"nested more than {_DEPTH} deep")
        term = read()
        self.depth -= 1
        return term

    def _integer(self, term: Term) -> Term:
        if term.is_formula():
            raise self.error("expected an integer before this place, not a true-or-false statement")
        return term

    def _formula(self, term: Term) -> Term:
        if not term.is_formula():
            raise self.error("expected a comparison before this place, not an integer")
        return term


def parse_statement(text: str) -> Term:
    """The formula that the text states.

    >>> parse_statement("0 <= x < 3").op
    'and'
    """
    scanner = Scanner(text)
    term = scanner.formula()
    scanner.end()
    return scanner._formula(term)


def parse_expression(text: str) -> Term:
    """The integer expression that the text spells, as in `2*a + b//3`."""
    scanner = Scanner(text)
    term = scanner.expression()
    scanner.end()
    return scanner._integer(term)


def term_text(term: Term, times: str = "*") -> str:
    """The notation of a term; with `times=""` a number stands directly before a name, as in `3σ2`."""
    op, args = term
    if op in ("int", "sym", "bool"):
        return str(args[0])
    if op in ("min", "max", "abs"):
        return f"{op}({', '.join(term_text(a, times) for a in args)})"
    if op == "+":
        return _print_sum(args, times)
    if op == "*":
        return _print_product(args, times)
    level = OPERATORS[op].binding
    if op in ("neg", "not"):
        return ("-" if op == "neg" else "not ") + _guard(args[0], level, times)
    spaced = op if op == "//" else f" {op} "
    right_level = level if op in ("and", "or", "->") else level + 1
    left_level = level if op not in ("->", "==", "!=", "<", "<=", ">", ">=") else level + 1
    first, *rest = args
    return spaced.join([_guard(first, left_level, times), *(_guard(a, right_level, times) for a in rest)])


def joined(formulas: Iterable[Term | str], word: str = "and", times: str = "*") -> str:
    """The formulas, or their texts, joined by `and` or `or`: in parentheses where they would be read otherwise.

    >>> joined(["x >= 1", "x >= 2 or y >= 3"]), joined([parse_statement("a < b")])
    ('x >= 1 and (x >= 2 or y >= 3)', 'a < b')
    """
    parts = list(formulas)
    texts = [f if isinstance(f, str) else term_text(f, times) for f in parts]
    if len(texts) == 1:
        return texts[0]
    loose = [_binding(f) < OPERATORS[word].binding for f in parts]
    return f" {word} ".join(f"({text})" if apart else text for text, apart in zip(texts, loose, strict=True))


def _binding(formula: Term | str) -> int:
    """How tightly the outermost sign of a formula binds; 0 for a text that cannot be read."""
    if isinstance(formula, str):
        try:
            formula = parse_statement(formula)
        except NotationError:
            return 0
    return OPERATORS[formula.op].binding if formula.op in OPERATORS else 10


def _print_sum(args: Iterable[Term], times: str) -> str:
    text = ""
    for a in args:
        part = _guard(a, OPERATORS["+"].binding + (a.op == "-"), times)
        if not text:
            text = part
        elif _is_negated(a):
            text += f" - {part[1:]}"
        else:
            text += f" + ({part})" if part.startswith("-") else f" + {part}"
    return text


def _is_negated(term: Term) -> bool:
    """Whether the leading minus of the text belongs to the whole term, not to a part of a division."""
    lead = term.args[0] if term.op == "*" else term
    return lead.op == "neg" or (lead.op == "int" and lead.args[0] < 0)


def _print_product(args: tuple[Term, ...], times: str) -> str:
    if args[0] == num(-1) and len(args) > 1:
        rest = Term("*", args[1:]) if len(args) > 2 else args[1]
        return "-" + _guard(rest, OPERATORS["*"].binding + (rest.op != "*"), times)
    if times == "" and len(args) == 2 and args[0].op == "int" and args[1].op == "sym":
        product = f"{args[0].args[0]}{args[1].args[0]}"
        if _NO_PRODUCT.match(product.removeprefix("-")) is None:
            return product
    level = OPERATORS["*"].binding
    return "*".join(_guard(a, level + (n > 0), times) for n, a in enumerate(args))


def _guard(term: Term, level: int, times: str) -> str:
    text = term_text(term, times)
    own = OPERATORS[term.op].binding if term.op in OPERATORS else 10
    if term.op == "int" and term.args[0] < 0:
        own = OPERATORS["neg"].binding if level <= OPERATORS["*"].binding else 0
    return f"({text})" if own < level else text
