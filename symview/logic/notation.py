"""Parses and prints integer expressions and formulas by precedence; writes SMT-LIB.

It uses no solver and no sympify, so `S`, `N` and `I` are ordinary names.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice, pairwise, takewhile
from typing import Any, NamedTuple

from symview.errors import NotationError
from symview.logic.arithmetic import in_arithmetic, lowered
from symview.logic.terms import (
    ARGUMENTS,
    ATOM,
    BITWISE,
    CALLS,
    CONNECTIVES,
    LEAVES,
    OPERATORS,
    RELATIONS,
    Term,
    conj,
    disj,
    names,
    negated,
    nonzero_divisors,
    num,
    substituted,
    sym,
    walk,
)
from symview.logic.width import width_of

_TOKEN = re.compile(
    r"\s*(?:(?P<num>\d+)|(?P<name>[^\W\d]\w*[\u0300-\u036f]?)|"
    r"(?P<op><->|->|//|\*\*|<<|>>|==|!=|<=|>=|&&|\|\||\.\.\.|[-+*/%<>(),:\[\]=∧∨¬≤≥≠·|&^~!⌈⌉])|"
    r"(?P<cute>@|\?(?:\{[^{}]*\})?))"
)
_NO_PRODUCT = re.compile(r"(\d+[eE]\d+|0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|\d+_[\d_]*)(?!\w)")  # other numbers
_ODD = frozenset("eExXoObB_")  # what follows the first digits of such a number
NAME = re.compile(r"[^\W\d]\w*[\u0300-\u036f]?")
_SPELLING = {
    "≤": "<=", "≥": ">=", "≠": "!=", "·": "*", "∧": "and", "∨": "or", "¬": "not", "=": "==", "&&": "and", "||": "or",
}  # fmt: skip
WORDS = ("and", "or", "not", "min", "max", "abs", "True", "False")
_INFIX_WORDS = {"mod": "%", "floordiv": "//", "ceildiv": "ceildiv"}  # of MLIR's affine expressions
_BETWEEN = ("if", "else", "where", *_INFIX_WORDS)  # keywords in the place of an operator, names elsewhere
_DIGITS = 300
_CLOSING = (",", ":", ")", "]", "[")
_DEPTH = 30
_CHAIN = 100
_SHOWN = 40
_NODES = 20_000
_RESERVED = frozenset((
    "_", "abs", "and", "as", "assert", "distinct", "div", "exists", "false", "forall", "is", "ite", "let",
    "match", "mod", "not", "or", "par", "select", "store", "true", "xor",
))  # fmt: skip


class Token(NamedTuple):
    """A token: its kind (num, name, op, cute or end), its text, and its position."""

    kind: str
    text: str
    at: int


def tokens_of(text: str, cute: bool = False) -> list[Token]:
    """The tokens of a text, with the end last. Raises NotationError, with a caret under an invalid character.

    With `cute`, > > are two brackets, as in CuTe's tilers, and @ and ? are tokens, for basis elements and for unknown
    entries.

    >>> [token.text for token in tokens_of("3σ2 ≤ x")]
    ['3', 'σ2', '<=', 'x', '']
    """
    found: list[Token] = []
    at, end = 0, len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None or (match["cute"] not in (None, "?") and not cute):
            at += len(text[at:]) - len(text[at:].lstrip())
            raise NotationError(f"unexpected character {text[at]!r}{_instead(text, at, found)}", text, at)
        kind = "op" if match["cute"] and not cute else str(match.lastgroup)
        value, place, at = match[0].lstrip(), match.start(str(match.lastgroup)), match.end()
        if kind == "num":
            _check_number(value, text, place, at)
        if kind == "name" and value in WORDS:
            kind = "op"
        if cute and value in ("<<", ">>"):
            found += [Token(kind, value[0], place), Token(kind, value[1], place + 1)]
        else:
            found.append(Token(kind, _SPELLING.get(value, value), place))
    return [*found, Token("end", "", end)]


def _instead(text: str, at: int, before: Sequence[Token]) -> str:
    """What to write instead of a character; for the dot of a member such as `blockIdx.x`, a name without it."""
    if text[at] != "." or not before or before[-1].at + len(before[-1].text) != at:
        return ""
    name, after = before[-1].text, NAME.match(text, at + 1)
    if before[-1].kind == "name" and after:
        if text[after.end() :].lstrip().startswith("("):
            called = "truncmod" if (name, after[0]) in _TRUNCATED else after[0]
            return f": write {called}(…), without {name}."
        return f": a name has no dot, write {name}_{after[0]}"
    return ": numbers are integers" if before[-1].kind == "num" and text[at + 1 : at + 2].isdigit() else ""


def _check_number(digits: str, text: str, start: int, stop: int) -> None:
    """Raises NotationError for too many digits, and for numbers of another notation, such as 1e3 and C's octal 010."""
    if len(digits) > _DIGITS:
        raise NotationError(f"a number of more than {_DIGITS} digits", text, start)
    plain = digits.lstrip("0")
    if plain and plain != digits:
        raise NotationError(f"C reads a number that begins with 0 as octal: write {plain}", text, start)
    odd = _NO_PRODUCT.match(text, start) if text[stop : stop + 1] in _ODD else None
    if odd is not None:
        product = f"{digits}*{odd[0].removeprefix(digits)}"
        raise NotationError(f"{odd[0]} is not an integer: write plain digits, or {product} for a product", text, start)


_INFIX = {op: OPERATORS[op].binding for op in ("|", "^", "&", "<<", ">>", "+", "-", "*", "//", "%")}
_INFIX["ceildiv"] = _INFIX["//"]
_JOINING = {"&": "and", "|": "or"}  # between statements
_OF_BITS = ("|", "^", "&", "<<", ">>")

_ELSEWHERE = {  # functions of JAX, sympy, PyTorch, TVM and C++, in small letters, and the operators that they are
    **dict.fromkeys(("mod", "floormod", "pythonmod", "truncmod"), "%"),
    **dict.fromkeys(("floordiv", "truncdiv"), "//"), **dict.fromkeys(("ceil_div", "div_up"), "ceildiv"),
    **dict.fromkeys(("if", "ite", "select", "if_then_else"), "if"), "pow": "**", "minimum": "min", "maximum": "max",
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "and": "and", "or": "or", "not": "not",
    "implies": "->", "equivalent": "<->", "modularindexing": "//%",
}  # fmt: skip
_ARGUMENTS = {"and": (1, None), "or": (1, None), "not": (1, 1), "//%": (3, 3)}
_ROUNDED = {"floor": "//", "ceil": "ceildiv", "ceiling": "ceildiv"}  # of a fraction a/b
_INSTEAD_OF_CALLS = {
    "rem": "a % b, which --division rounds", "div": "a//b, which --division rounds",
    "cleandiv": "a//b, and assume a % b == 0", "piecewise": "a if c else b",
    "wrap": "it where the integers have a width (bits)",
}  # fmt: skip
_MEANT = {("==", ">"): ">=", ("==", "<"): "<=", ("<", ">"): "!="}  # two in a row
# patterns that few texts need
_C_TYPE = r"(un)?signed|int|long|short|char|bool|s?size_t|ptrdiff_t|u?int(8|16|32|64)(_t)?|\w+_cast"
_TRUNCATED = (("tir", "Mod"), ("tirx", "Mod"))  # in TVM
_NAMESPACES = ("std", "cute", "cutlass")
_SUFFIX = r"[uU]?[lL]{0,2}|[lL]{1,2}[uU]"  # of a number in C


class Function(NamedTuple):
    """A definition after a statement: `f(x, m) = …`; in its body, the parameter x is named x'.

    So no name in a function's body is captured by a parameter of its caller.
    """

    parameters: tuple[str, ...]
    body: Term


Definitions = Mapping[str, Function]


class Scanner:
    """Parses one text from left to right; every error points at its place.

    `definitions` are the functions that calls may use. `cute` as in `tokens_of`. `division`: how // and % round, if the
    text is about that; then C's / is //, if that rounds as C does.

    Functions are also read as other languages write them: Mod(a, b), floordiv(a, b), Eq(a, b), Max(a, b). What two
    languages mean differently is refused.
    """

    def __init__(
        self,
        text: str,
        definitions: Definitions | None = None,
        cute: bool = False,
        wraps: bool = False,
        division: str = "",
    ) -> None:
        self.text, self.definitions = text, dict(definitions or {})
        self.tokens = tokens_of(text, cute)
        self.calls = {**CALLS, "wrap": "wrap"} if wraps else CALLS
        self.division = division
        self.is_c = any(map(self._of_c, self.tokens))
        self.at = 0
        self.depth = 0
        self.after_bits = 0  # the place after the last operand of & | ^
        self.rounded = list[tuple[Term, int]]()  # each % that C rounds otherwise, and where it stands
        following = {(token.text, after.text) for token, after in pairwise(self.tokens)}
        self.is_jax = bool(following & {("mod", "("), ("floordiv", "(")})
        self.in_fraction = False  # inside of ⌈a/b⌉
        self.parameters = frozenset[str]()  # of the current definition

    def _of_c(self, token: Token) -> bool:
        """Whether a sign is one of C: in its text, & | ^ and a < b < c may mean what they mean in C."""
        if token.text == "/":
            return self.division == "trunc"
        return token.kind == "op" and (token.text in ("!", "?") or self.text.startswith(("&&", "||"), token.at))

    def peek(self) -> str:
        """The next token's text; "" at the end."""
        return self.tokens[self.at].text

    def ahead(self) -> list[Token]:
        """The remaining tokens."""
        return self.tokens[self.at :]

    def kind(self) -> str:
        """The kind of the next token: num, name, op, cute or end."""
        return self.tokens[self.at].kind

    def take(self, *wanted: str) -> str | None:
        """Consumes the next token if it is one of these; otherwise returns None."""
        kind, value, _ = self.tokens[self.at]
        if kind in ("op", "end", "cute") and value in wanted:
            self.at += 1
            return value
        return None

    def number(self) -> int | None:
        """Consumes an integer that is followed by a comma, a colon or a bracket; otherwise returns None."""
        signed = self.tokens[self.at].text == "-"
        kind, value, _ = self.tokens[self.at + signed]
        if kind != "num" or self.tokens[self.at + signed + 1].text not in _CLOSING:
            return None
        self.at += signed + 1
        return -int(value) if signed else int(value)

    def expect(self, wanted: str, why: str) -> None:
        """Consumes this token, or raises."""
        if self.take(wanted) is None:
            raise self.error(f"expected {wanted!r} {why}")

    def error(self, message: str) -> NotationError:
        """The error at the next token."""
        return NotationError(message, self.text, self.tokens[self.at].at)

    def end(self) -> None:
        """Raises unless all tokens were consumed."""
        if self.kind() != "end":
            near = [token.text for token in self.tokens[max(self.at - 1, 0) : self.at + 1]]
            meant = next((f": write {word.lower()}, not {word}" for word in near if word.lower() in ("and", "or")), "")
            raise self.error(f"unexpected {self.peek()!r}{meant}")
        if self.rounded:
            here = "add --division trunc, or " if self.division else ""
            message = f"C's % rounds to 0, and this one down: {here}write and, or, not for && || !"
            raise NotationError(message, self.text, self.rounded[0][1])

    # Precedence, as in Python, loosest first: <->, ->, if else and ? :, or, and, not, relations, |, ^, &, shifts, + -,
    # * // %, signs, ~ and !, **.

    def formula(self) -> Term:
        """Parses a statement: relations joined by and, or, not, ->, <->, or a choice by if and else."""
        left = self._implication()
        while self.take("<->"):
            left = Term("<->", (self._formula(left), self._formula(self._implication())))
        return left

    def _implication(self) -> Term:
        left = self._choice()
        if self.take("->"):
            return Term("->", (self._formula(left), self._formula(self._nested(self._implication))))
        return left

    def _choice(self) -> Term:
        first = self._disjunction()
        if not self.take("?"):
            return self._chosen(first)
        where, chosen = self._formula(first), self._nested(self._choice)
        self.expect(":", "in a choice: write `condition ? a : b`")
        return self._one_of(where, chosen, self._nested(self._choice))

    def _chosen(self, first: Term) -> Term:
        """Parses an optional `if condition else other` after `first`."""
        if not self._word("if"):
            return first
        where = self._formula(self._disjunction())
        if not self._word("else"):
            raise self.error("expected 'else': write `a if condition else b`")
        return self._one_of(where, first, self._nested(self._choice))

    def _one_of(self, where: Term, first: Term, other: Term) -> Term:
        if first.is_formula() != other.is_formula():
            raise self.error("a choice is between two integers, or between two statements: use parentheses")
        if first.is_formula():
            return disj((conj((where, first)), conj((negated(where), other))))
        return Term("if", (where, first, other))

    def _word(self, word: str) -> bool:
        """Consumes this word in the place of an operator."""
        found = self.kind() == "name" and self.peek() == word
        self.at += found
        return found

    def _disjunction(self) -> Term:
        return self._many("or", lambda: self._many("and", self._negation))

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
        left, parts = self._compared_side(), list[Term]()
        while (op := self.take(*RELATIONS)) is not None:
            if parts and self.is_c:
                self.at -= 1
                raise self.error("C compares the truth of the first comparison: write a < b and b < c, or parentheses")
            right = self._compared_side()
            parts.append(self._compared(op, left, right))
            if op in ("==", "!=") and num(0) in (left, right):  # however it is rounded, a remainder is 0 or not
                self.rounded = [one for one in self.rounded if one[0] is not left and one[0] is not right]
            left = right
        return conj(parts) if parts else left

    def _compared_side(self) -> Term:
        """Parses a side of a comparison. C reads a & b == c as a & (b == c), so that its texts need parentheses."""
        start, side = self.at, self.expression()
        compares = self.peek() in RELATIONS or (start > 0 and self.tokens[start - 1].text in RELATIONS)
        if self.is_c and compares and self.after_bits == self.at:
            raise self.error("C reads a & b == c as a & (b == c): use parentheses, as in (a & b) == c")
        return side

    def _compared(self, op: str, left: Term, right: Term) -> Term:
        """A comparison of integers; between statements, == and != compare their truth."""
        if not (left.is_formula() or right.is_formula()):
            return Term(op, (left, right))
        if op not in ("==", "!=") or not (left.is_formula() and right.is_formula()):
            raise self.error(f"{op} before this place: a statement is compared with another statement, by == or !=")
        same = Term("<->", (left, right))
        return same if op == "==" else negated(same)

    def expression(self) -> Term:
        """Parses an integer: everything that binds tighter than a comparison."""
        return self._infix(OPERATORS["|"].binding)

    def value(self) -> Term:
        """Parses an integer, or a choice of two."""
        return self._integer(self._choice())

    def _infix(self, loosest: int) -> Term:
        """Parses operators that bind at least this tightly, from left to right."""
        left = self._product()
        chained, before = 0, 0
        while (level := _INFIX.get(op := self._operator(), 0)) >= loosest:
            left, place = left if op in (*_JOINING, "*") else self._integer(left), self.tokens[self.at]
            if op == "^" and self.is_jax:
                raise self.error("a power, as JAX prints it, or xor? Write b**2, or % and // for mod and floordiv")
            self.at += 1
            right = self._signed() if level == _INFIX["*"] else self._infix(level + 1)
            chained = (chained if level == before else 0) + (op not in ("+", "*"))
            left, before = self._joined(op, left, right, chained), level
            self.after_bits = self.at if op in BITWISE else self.after_bits
            if op == "%" and self.is_c and self.division != "trunc" and place.text == "%":
                self.rounded.append((left, place.at))
        return left

    def _operator(self) -> str:
        """The operator between integers that comes next, if there is one."""
        text = self.peek()
        if self.kind() == "name" and text in _INFIX_WORDS:
            self._require_rounding(text)
            return _INFIX_WORDS[text]
        if text != "/" or self.in_fraction:
            return text
        if self.division == "trunc":
            return "//"
        rounded = {
            "": "which is rounded down",
            "floor": "which is rounded down; C's / needs --division trunc, Halide's --division euclid and //",
            "euclid": "which rounds as --division euclid says",
        }
        raise self.error(f"unexpected '/': write // for a quotient, {rounded[self.division]}")

    def _require_rounding(self, word: str) -> None:
        """Raises at a word of another language that rounds otherwise than this text does."""
        own = "trunc" if word.lower().startswith("trunc") else "floor"
        if word == "ceildiv" or (self.division or "floor") == own:
            return
        if own == "trunc":
            rounds = f"as --division {self.division} says" if self.division == "euclid" else "down"
            raise self.error(f"{word} rounds to 0: add --division trunc, or write // and %, which round {rounds}")
        raise self.error(f"{word} rounds down, and --division is {self.division}: write // and %, which round so")

    def _product(self) -> Term:
        """Parses a factor, or a number directly before a name, as in 3σ2."""
        left = self._signed()
        between = self.tokens[self.at - 1].kind == "num" and self.kind() == "name" and self.peek() not in _BETWEEN
        if left.op != "int" or not between:
            return left
        if self.is_c and re.fullmatch(_SUFFIX, self.peek()):
            raise self.error(f"a number of C, or a product? Write {left.args[0]}, or {left.args[0]}*{self.peek()}")
        return Term("*", (left, self._power()))

    def _joined(self, op: str, left: Term, right: Term, chained: int) -> Term:
        """Keeps long sums and products flat; other chains nest to the left, so their length is bounded."""
        if chained > _CHAIN:
            raise self.error(f"more than {_CHAIN} of {op} and its like in a row: use parentheses, or simplify")
        if op in _JOINING and left.is_formula() and right.is_formula():  # as sympy and numpy write it
            return Term(_JOINING[op], (left, right))
        left, right = self._factor(op, left, right), self._factor(op, right, left)
        if op in ("+", "*") and left.op == op:
            return Term(op, (*left.args, right))
        return Term(op, (left, right))

    def _factor(self, op: str, term: Term, other: Term) -> Term:
        """The operand; for a product with a statement, the error says how to write a choice."""
        return self._integer(term, other if op == "*" and not other.is_formula() else num(1))

    def _signed(self) -> Term:
        if self.is_c and self.text.startswith(("--", "++"), self.tokens[self.at].at):
            raise self.error("-- and ++ change a variable in C: write one sign, or a blank between")
        if self.take("+"):
            return self._nested(self._signed)
        if self.take("!"):
            if not (inner := self._nested(self._signed)).is_formula():
                raise self.error("the ! before this place is of an integer: write not (…), or compare it with 0")
            return Term("not", (inner,))
        if self.take("~"):
            inner = self._nested(self._signed)
            if self.is_c and inner.is_formula():
                raise self.error("C's ~ of a comparison is never 0, so it is always true: write !")
            return Term("not" if inner.is_formula() else "~", (inner,))
        if self.take("-"):
            inner = self._integer(self._nested(self._signed))
            return num(-inner.args[0]) if inner.op == "int" else Term("neg", (inner,))
        return self._power()

    def _power(self) -> Term:
        base = self._atom()
        if self.take("**"):
            return Term("**", (self._integer(base), self._integer(self._nested(self._signed))))
        return base

    def _atom(self) -> Term:
        kind, value, _ = self.tokens[self.at]
        if kind == "num":
            self.at += 1
            return num(int(value))
        if kind == "name":
            return self._named(value)
        if (word := self.take("True", "False")) is not None:
            return Term("bool", (word == "True",))
        if value in ("min", "max", "abs"):
            return self._call(value)
        if self.peek() == "(":
            return self._in_parentheses()
        if self.take("⌈"):
            return self._ceiling()
        meant = _MEANT.get((self.tokens[self.at - 1].text, value)) if self.at > 0 else None
        raise self.error(f"expected a number, a name or a parenthesis{f': write {meant}' if meant else ''}")

    def _in_parentheses(self) -> Term:
        """Parses what is in parentheses; refuses the cast of C, `(int)x`."""
        words = [token.text for token in takewhile(lambda token: token.kind == "name", self.tokens[self.at + 1 :])]
        closing, following, *_ = *self.tokens[self.at + len(words) + 1 :], self.tokens[-1]
        of_something = following.kind in ("num", "name") or following.text in ("(", "-", "+", "~", "!")
        if words and closing.text == ")" and of_something and all(re.fullmatch(_C_TYPE, word) for word in words):
            raise self._cast(f"({' '.join(words)})")
        self.at += 1
        inner = self._nested(self.formula)
        self.expect(")", "to close the parenthesis")
        return inner

    def _cast(self, text: str) -> NotationError:
        return self.error(f"{text} is a cast, and integers here have no type: leave it out (--bits gives all a width)")

    def _ceiling(self) -> Term:
        """Parses the rest of ⌈a/b⌉."""
        found = self._fraction("in a ceiling: write ⌈a/b⌉")
        self.expect("⌉", "to close the ceiling")
        if self.division not in ("", "floor"):  # then // is no part of a ceiling
            return Term("ceildiv", found)
        top, bottom = found
        negative = num(-top.args[0]) if top.op == "int" else Term("neg", (top,))
        return Term("neg", (Term("//", (negative, bottom)),))

    def _fraction(self, why: str) -> tuple[Term, Term]:
        """Parses a/b, in which a sum is in parentheses: ⌈n + 1/4⌉ is not ⌈(n + 1)/4⌉."""
        outside, self.in_fraction = self.in_fraction, True
        top = self._integer(self._nested(lambda: self._infix(_INFIX["*"])))
        self.expect("/", why)
        bottom = self._integer(self._nested(self._signed))
        self.in_fraction = outside
        return top, bottom

    def _named(self, name: str) -> Term:
        following = self.tokens[self.at + 1]
        if name == "if" and (following.kind in ("num", "name") or following.text == "("):
            raise self.error("a choice is written as in Python: `a if condition else b`")
        if following.text == "<" and name.endswith("_cast"):
            raise self._cast(f"{name}<…>")
        if self.tokens[self.at - 1].text == "<" and following.text == ">" and re.fullmatch(_C_TYPE, name):
            raise self.error(f"<{name}> is a type of C++, and integers here have none: leave it out")
        if name in _NAMESPACES and following.text == ":":
            raise self.error(f"leave out {name}::")
        if following.text == "(":
            return self._call(name)
        self.at += 1
        return sym(_own(name) if name in self.parameters else name)

    def _operation(self, word: str) -> str:
        """The operator that a function is, by its own name or that of another language."""
        small = word.lower()
        if (found := self.calls.get(word) or _ELSEWHERE.get(small) or self.calls.get(small)) is None:
            if re.fullmatch(_C_TYPE, word):
                raise self._cast(f"{word}(…)")
            meant = _INSTEAD_OF_CALLS.get(small, f"{word}*(…) for a product")
            raise self.error(f"{word} is not defined: write {meant}, or add `where {word}(x) = …`")
        if found in ("//", "%", "//%"):
            self._require_rounding(word)
        return found

    def _call(self, word: str) -> Term:
        """Parses a call; the next token is its word."""
        if word not in self.definitions and word.lower() in _ROUNDED:
            return self._rounded(word)
        op = "" if word in self.definitions else self._operation(word)
        start = self.at
        self.at += 1
        self.expect("(", f"after {word}")
        args = [self._argument(op)]
        while self.take(","):
            args.append(self._argument(op))
        self.expect(")", f"to close {word}")
        if not op:
            return self._defined(word, args)
        least, most = _ARGUMENTS.get(op) or ARGUMENTS.get(op, (2, 2))
        if not least <= len(args) <= (most or len(args)):
            raise self.error(f"{word} takes {'one value' if most == 1 else f'{most} values'}, not {len(args)}")
        if op == "wrap" and width_of(*args[1:]) is None:
            raise self.error("wrap takes a value and the ends of a width, as in wrap(x + 1, -128, 256)")
        if op in RELATIONS:
            return self._compared(op, *args)
        if op == "//%":  # of PyTorch's Inductor
            return Term("%", (Term("//", (args[0], args[1])), args[2]))
        if op != "if":
            return Term(op, tuple(args))
        if not args[0].is_formula():
            self.at = start
            where, *chosen = Term("!=", (args[0], num(0))), *args[1:]
            raise self.error(f"{word} needs a condition first: {word}({', '.join(map(_short, (where, *chosen)))})")
        return self._one_of(*args)

    def _argument(self, op: str) -> Term:
        """Parses an argument of an operator: a statement, an integer, or either."""
        found = self._nested(self.formula)
        if op in RELATIONS or op == "if":
            return found
        return self._formula(found) if op in CONNECTIVES else self._integer(found)

    def _rounded(self, word: str) -> Term:
        """Parses floor(a/b) or ceil(a/b)."""
        op = _ROUNDED[word.lower()]
        if op == "//":
            self._require_rounding(word)
        self.at += 1
        self.expect("(", f"after {word}")
        found = self._fraction(f"in {word}: write {word}(a/b), with a sum in parentheses")
        self.expect(")", f"to close {word}(a/b)")
        return Term(op, found)

    def _defined(self, name: str, args: Sequence[Term]) -> Term:
        """Substitutes the arguments into the definition's body."""
        parameters, body = self.definitions[name]
        if len(args) != len(parameters):
            raise self.error(f"{name}({', '.join(parameters)}) takes {len(parameters)} values, not {len(args)}")
        found = substituted(body, dict(zip(map(_own, parameters), args, strict=True)))
        if sum(1 for _ in islice(walk(found), _NODES)) == _NODES:
            raise self.error(f"written out, the calls have more than {_NODES} parts")
        return found

    def where(self) -> None:
        """Parses the definitions after `where`, if there are any; calls before it may use them."""
        kinds = [kind if text != ")" else "num" for kind, text, _ in self.tokens]
        words = [n for n, (_, text, _) in enumerate(self.tokens) if text == "where"]
        start = next((n for n in words if n and kinds[n - 1] != "op" and kinds[n + 1] == "name"), None)
        if start is None:
            return
        self.at = start + 1
        self._definition()
        while self.take(","):
            self._definition()
        self.end()
        self.tokens[start:] = [Token("end", "", self.tokens[start].at)]
        self.at = 0

    def _definition(self) -> None:
        name = self._new_name("a definition, as in where f(x, y) = x + y")
        if name in self.definitions:
            self.at -= 1
            raise self.error(f"{name} is defined already")
        self.expect("(", f"after {name}, as in {name}(x) = x + 1")
        parameters = [self._new_name(f"what {name} is of")]
        while self.take(","):
            parameters.append(self._new_name(f"what {name} is of"))
        self.expect(")", f"to close {name}")
        if len(set(parameters)) < len(parameters):
            raise self.error(f"{name}({', '.join(parameters)}) has one name twice")
        self.expect("==", f"after {name}({', '.join(parameters)})")
        self.parameters = frozenset(parameters)
        self.definitions[name] = Function(tuple(parameters), self.formula())
        self.parameters = frozenset()

    def _new_name(self, what: str) -> str:
        if self.kind() != "name":
            raise self.error(f"expected a name: {what}")
        self.at += 1
        return self.tokens[self.at - 1].text

    def _nested(self, read: Callable[[], Term]) -> Term:
        self.depth += 1
        if self.depth > _DEPTH:
            raise self.error(f"nested more than {_DEPTH} deep")
        term = read()
        self.depth -= 1
        return term

    def _integer(self, term: Term, chosen: Term = num(1)) -> Term:  # noqa: B008 - a term is immutable
        if term.is_formula():
            choice = f"write where({_short(term)}, {_short(chosen)}, 0)"
            raise self.error(f"expected an integer before this place, not a true-or-false statement: {choice}")
        return term

    def _formula(self, term: Term) -> Term:
        if not term.is_formula():
            raise self.error("expected a comparison before this place, not an integer")
        return term


def _short(term: Term) -> str:
    """The term in an error, where long ones are left out."""
    text = term_text(term).replace("'", "")  # of parameters
    return text if len(text) <= _SHOWN else "…"


def _own(parameter: str) -> str:
    """The name of a parameter within the body, which no text can contain."""
    return f"{parameter}'"


def parse_statement(text: str, wraps: bool = False, division: str = "") -> Term:
    """Parses a formula; `where` at its end defines the functions that it calls.

    With `wraps`, which is for integers of a width, `wrap(x, least, size)` is the integer of a width, as it is printed.
    `division`: how // and % of the text round.

    >>> parse_statement("0 <= x < 3").op
    'and'
    >>> term_text(parse_statement("up(x, 4) >= x where up(x, m) = (x + m - 1)//m*m"))
    '(x + 4 - 1)//4*4 >= x'
    >>> parse_statement("wrap(x + 1, -128, 256) > x", wraps=True).args[0].op
    'wrap'
    >>> term_text(parse_statement("Eq(Mod(u0, 12), 0) && !(x < 1)"))
    'u0 % 12 == 0 and not x < 1'
    """
    scanner = Scanner(text, wraps=wraps, division=division)
    scanner.where()
    term = scanner.formula()
    scanner.end()
    return scanner._formula(term)


def parse_assumption(
    text: str, definitions: Definitions | None = None, wraps: bool = False, division: str = ""
) -> Term:
    """Parses an assumption, in which a comma also means `and`.

    >>> term_text(parse_assumption("x >= 1, y >= 1 or x > 2"))
    'x >= 1 and (y >= 1 or x > 2)'
    """
    scanner = Scanner(text, definitions, wraps=wraps, division=division)
    scanner.where()
    parts = [scanner._formula(scanner.formula())]
    while scanner.take(","):
        parts.append(scanner._formula(scanner.formula()))
    scanner.end()
    return parts[0] if len(parts) == 1 else conj(parts)


_ROUNDS_TO_0 = ("truncdiv", "truncmod")
_BY_DIVISION = frozenset(
    ("//", "%", "/", "mod", "floormod", "pythonmod", "floordiv", "floor", "floor_sum", "modularindexing")
)


def rounding_of(texts: Sequence[Any], division: str) -> str:
    """How the // and % of texts round: for `floor`, as C does where all that divide are truncdiv and truncmod.

    >>> rounding_of(["truncdiv(x, 2) <= y"], "floor"), rounding_of(["truncdiv(x, 2) <= x//2"], "floor")
    ('trunc', 'floor')
    """
    if division != "floor" or not all(isinstance(text, str) for text in texts):
        return division
    if not any(word in text.lower() for text in texts for word in _ROUNDS_TO_0):
        return division
    words = {token.text.lower() for text in texts for token in tokens_of(text)}
    return division if words & _BY_DIVISION or words.isdisjoint(_ROUNDS_TO_0) else "trunc"


def nonblank(texts: Iterable[Any]) -> list[Any]:
    """Drops blank texts from the assumptions.

    >>> nonblank(["x > 0", " "])
    ['x > 0']
    """
    return [t for t in texts if not (isinstance(t, str) and not t.strip())]


def definitions_in(text: str, wraps: bool = False, division: str = "") -> Definitions:
    """The definitions after `where` in a statement.

    >>> list(definitions_in("f(2) == 3 where f(x) = x + 1"))
    ['f']
    """
    scanner = Scanner(text, wraps=wraps, division=division)
    scanner.where()
    return scanner.definitions


def parse_expression(text: str, division: str = "") -> Term:
    """Parses an integer expression, such as `2*a + b//3`; `division`: how its // and % round."""
    scanner = Scanner(text, division=division)
    term = scanner.value()
    scanner.end()
    return term


def term_text(term: Term, times: str = "*") -> str:
    """Prints a term; with `times=""` a number stands directly before a name that is not ASCII, as in `3σ2`.

    Operations on bits get parentheses, with which they mean the same in C as in Python.

    >>> term_text(parse_statement("c ^ r & C - 1 < C")), term_text(parse_expression("2*d1 + 3*σ2"), "")
    ('(c ^ (r & (C - 1))) < C', '2*d1 + 3σ2')
    """
    op, args = term
    if op in LEAVES:
        return str(args[0])
    if OPERATORS[op].binding == ATOM:
        return f"{op}({', '.join(term_text(a, times) for a in args)})"
    if op == "+":
        return _print_sum(args, times)
    if op == "*":
        return _print_product(args, times)
    level = OPERATORS[op].binding
    if op in ("neg", "not", "~"):
        return {"neg": "-", "not": "not ", "~": "~"}[op] + _guard(args[0], level, times)
    if op == "if":
        where, first, other = (_guard(a, level + (n < 2), times) for n, a in enumerate(args))
        return f"{first} if {where} else {other}"
    spaced = op if op in ("//", "**") else f" {op} "
    if op in _OF_BITS:
        return spaced.join(_bits_text(a, times, a.op == op and n == 0) for n, a in enumerate(args))
    right_level = level - 1 if op == "**" else level if op in ("and", "or", "->") else level + 1
    left_level = level if op not in ("->", "**", *RELATIONS) else level + 1
    first, *rest = args
    return spaced.join([_guard(first, left_level, times), *(_guard(a, right_level, times) for a in rest)])


def with_ceilings(term: Term) -> Term:
    """Replaces ceilings by names that consist of their notation, so that they are printed as ceilings.

    >>> term_text(with_ceilings(parse_expression("2*⌈(m + 1)/8⌉ - n//2")))
    '2*⌈(m + 1)/8⌉ - n//2'
    """
    op, args = term
    if op in LEAVES:
        return term
    if op == "neg" and args[0].op == "//":
        (top, bottom), lead = map(with_ceilings, args[0].args), args[0].args[0]
        if lead.op == "neg" or (lead.op == "int" and lead.args[0] < 0):
            top = top.args[0] if lead.op == "neg" else num(-lead.args[0])
            tight = OPERATORS["*"].binding
            return sym(f"⌈{_guard(top, tight, '*')}/{_guard(bottom, tight + 1, '*')}⌉")
    return Term(op, tuple(map(with_ceilings, args)))


def joined(formulas: Iterable[Term | str], word: str = "and", times: str = "*") -> str:
    """Joins the formulas, or their texts, by `and` or `or`, with parentheses where necessary.

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
    """How tightly the outermost operator of a formula binds; 0 for a text that cannot be parsed."""
    if isinstance(formula, str):
        try:
            formula = parse_statement(formula, wraps=True)
        except NotationError:
            return 0
    return OPERATORS[formula.op].binding if formula.op in OPERATORS else ATOM


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
    """Whether the leading minus of the text applies to the whole term, not to a part of a division."""
    lead = term.args[0] if term.op == "*" else term
    return lead.op == "neg" or (lead.op == "int" and lead.args[0] < 0)


def _print_product(args: tuple[Term, ...], times: str) -> str:
    if args[0] == num(-1) and len(args) > 1:
        rest = lead = Term("*", args[1:]) if len(args) > 2 else args[1]
        while lead.op == "*":
            lead = lead.args[0]
        apart = lead.op in ("//", "%")  # -(n % 3)*m, for -n % 3*m is another value
        return "-" + _guard(rest, OPERATORS["*"].binding + (apart or rest.op != "*"), times)
    if times == "" and len(args) == 2 and args[0].op == "int" and _stands_out(args[1]):
        return f"{args[0].args[0]}{args[1].args[0]}"
    level = OPERATORS["*"].binding
    return "*".join(_guard(a, level + (n > 0), times) for n, a in enumerate(args))


def _bits_text(term: Term, times: str, bare: bool) -> str:
    """An operand of an operation on bits; in parentheses unless it is `bare`, or a number, a name or a call."""
    return term_text(term, times) if bare or term.op == "int" else _guard(term, OPERATORS["neg"].binding, times)


def _stands_out(term: Term) -> bool:
    """Whether a term is a name such as σ2, which a number before it does not run into, as in 8d1."""
    return term.op == "sym" and not term.args[0][0].isascii()


def _guard(term: Term, level: int, times: str) -> str:
    text = term_text(term, times)
    own = 0 if term.op in _OF_BITS else OPERATORS[term.op].binding if term.op in OPERATORS else ATOM
    if term.op == "int" and term.args[0] < 0:
        own = OPERATORS["neg"].binding if level <= OPERATORS["*"].binding else 0
    return f"({text})" if own < level else text


def to_smt2_term(term: Term) -> str:
    """The term in SMT-LIB syntax; division is floor division, for nonzero divisors."""
    op, args = term
    if op == "int":
        return str(args[0]) if args[0] >= 0 else f"(- {-args[0]})"
    if op == "bool":
        return "true" if args[0] else "false"
    if op == "sym":
        return smt2_name(args[0])
    if op in ("min", "max"):
        keep = "<=" if op == "min" else ">="
        return functools.reduce(lambda a, b: f"(ite ({keep} {a} {b}) {a} {b})", map(to_smt2_term, args))
    if op in ("//", "%"):
        return _smt2_division(op, *map(to_smt2_term, args))
    if op in ("gcd", "floor_sum") and lowered(term) == term:
        return f"({op} {' '.join(map(to_smt2_term, args))})"  # a script has to declare these functions
    if not OPERATORS[op].smt2:
        return to_smt2_term(in_arithmetic(term))
    inner = " ".join(map(to_smt2_term, args))
    return f"({OPERATORS[op].smt2} {inner})"


def _smt2_division(op: str, a: str, b: str) -> str:
    """SMT-LIB's division has a nonnegative remainder, so it is floor division only for positive divisors."""
    floor = f"(div {a} {b})" if b.isdigit() else f"(ite (> {b} 0) (div {a} {b}) (div (- {a}) (- {b})))"
    return floor if op == "//" else f"(- {a} (* {b} {floor}))"


def smt2_name(name: str) -> str:
    """A quoted SMT-LIB symbol unless the name is plain ASCII; reserved words get a mark."""
    if name in _RESERVED:
        return f"{name}!"
    plain = name.isascii() and name.replace("_", "a").isalnum() and not name[0].isdigit()
    return name if plain else f"|{name.replace('|', '!').replace(chr(92), '!')}|"


def to_smt2(formulas: Iterable[Term], comment: str = "") -> str:
    """An SMT-LIB 2.6 script that asserts the formulas and asks for satisfiability."""
    formulas = tuple(formulas)
    formulas = (*nonzero_divisors(formulas), *formulas)
    lines = [f"; {line}" for line in comment.splitlines()]
    lines.append("(set-logic ALL)")
    lines += [f"(declare-const {smt2_name(n)} Int)" for n in names(*formulas)]
    lines += [f"(assert {to_smt2_term(f)})" for f in formulas]
    return "\n".join([*lines, "(check-sat)", ""])
