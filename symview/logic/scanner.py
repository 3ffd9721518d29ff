"""The grammar of integer expressions and formulas: tokens to terms, by precedence.

No solver and no sympify stands behind it: `S`, `N` and `I` are ordinary names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from symview.errors import NotationError
from symview.logic.operators import ARGUMENTS, CALLS, OPERATORS, RELATIONS
from symview.logic.terms import Term, conj, disj, negated, num, substituted, sym, walk
from symview.logic.tokens import BETWEEN, Token, tokens_of

_CLOSING = (",", ":", ")", "]", "[")
_DEPTH = 30
_CHAIN = 100
_NODES = 20_000
_INFIX = {op: OPERATORS[op].binding for op in ("|", "^", "&", "<<", ">>", "+", "-", "*", "//", "%")}

_INSTEAD = {  # what others call it
    **dict.fromkeys(("mod", "rem", "floormod"), "a % b"), **dict.fromkeys(("div", "floordiv", "floor"), "a//b"),
    **dict.fromkeys(("ceil", "ceiling"), "ceildiv(a, b)"), **dict.fromkeys(("select", "ite"), "where(c, a, b)"),
}  # fmt: skip
_MEANT = {("&", "&"): "and", ("|", "|"): "or", ("==", ">"): ">=", ("==", "<"): "<=", ("<", ">"): "!="}  # two in a row


class Function(NamedTuple):
    """A definition given beside a statement: `f(x, m) = …`; in the body, a parameter x is called x'.

    So no name of a body that it calls is taken for a parameter.
    """

    parameters: tuple[str, ...]
    body: Term


Definitions = Mapping[str, Function]


class Scanner:
    """Reads one text from left to right; every error points at its place.

    `definitions`: what calls may name. `cute` as in `tokens_of`.
    """

    def __init__(self, text: str, definitions: Definitions | None = None, cute: bool = False) -> None:
        self.text, self.definitions = text, dict(definitions or {})
        self.tokens = tokens_of(text, cute)
        self.at = 0
        self.depth = 0
        self.parameters = frozenset[str]()  # of the definition that is read

    def peek(self) -> str:
        """The next token's text; "" at the end."""
        return self.tokens[self.at].text

    def ahead(self) -> list[Token]:
        """The tokens that are left."""
        return self.tokens[self.at :]

    def kind(self) -> str:
        """What the next token is: num, name, op, cute or end."""
        return self.tokens[self.at].kind

    def take(self, *wanted: str) -> str | None:
        """The next token if it is one of those wanted, else None and nothing is read."""
        kind, value, _ = self.tokens[self.at]
        if kind in ("op", "end", "cute") and value in wanted:
            self.at += 1
            return value
        return None

    def number(self) -> int | None:
        """The integer that stands alone before a comma, a colon or a bracket; else None, and nothing is read."""
        signed = self.tokens[self.at].text == "-"
        kind, value, _ = self.tokens[self.at + signed]
        if kind != "num" or self.tokens[self.at + signed + 1].text not in _CLOSING:
            return None
        self.at += signed + 1
        return -int(value) if signed else int(value)

    def expect(self, wanted: str, why: str) -> None:
        """Reads that token or raises."""
        if self.take(wanted) is None:
            raise self.error(f"expected {wanted!r} {why}")

    def error(self, message: str) -> NotationError:
        """The error at the next token."""
        return NotationError(message, self.text, self.tokens[self.at].at)

    def end(self) -> None:
        """Raises unless everything was read."""
        if self.kind() != "end":
            near = [token.text for token in self.tokens[max(self.at - 1, 0) : self.at + 1]]
            meant = next((f": write {word.lower()}, not {word}" for word in near if word.lower() in ("and", "or")), "")
            raise self.error(f"unexpected {self.peek()!r}{meant}")

    # Precedence, as in Python, loosest first: <->, ->, if else, or, and, not, relations, |, ^, &, shifts, + -, * // %,
    # signs and ~, **.

    def formula(self) -> Term:
        """A statement: relations joined by and, or, not, ->, <->, or one of two by if and else."""
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
        return self._chosen(self._disjunction())

    def _chosen(self, first: Term) -> Term:
        """That, or with `if condition else other` behind it one of two."""
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
        """Reads that word where an operator can stand."""
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
        left = self.expression()
        parts = []
        while (op := self.take(*RELATIONS)) is not None:
            right = self.expression()
            parts.append(self._compared(op, left, right))
            left = right
        return conj(parts) if parts else left

    def _compared(self, op: str, left: Term, right: Term) -> Term:
        """Integers as they are; of two statements, whether both are true or both are false."""
        if not (left.is_formula() or right.is_formula()):
            return Term(op, (left, right))
        if op not in ("==", "!=") or not (left.is_formula() and right.is_formula()):
            raise self.error(f"{op} before this place: a statement is compared with another statement, by == or !=")
        same = Term("<->", (left, right))
        return same if op == "==" else negated(same)

    def expression(self) -> Term:
        """An integer: everything that binds tighter than a comparison."""
        return self._infix(OPERATORS["|"].binding)

    def value(self) -> Term:
        """An integer, or one of two by if and else."""
        return self._integer(self._chosen(self.expression()))

    def _infix(self, loosest: int) -> Term:
        """Operators that bind at least so tightly, each from left to right."""
        left = self._product()
        chained, before = 0, 0
        while (level := _INFIX.get(self.peek(), 0)) >= loosest:
            left, op = self._integer(left), self.tokens[self.at].text
            self.at += 1
            right = self._integer(self._signed() if op in ("*", "//", "%") else self._infix(level + 1))
            chained = (chained if level == before else 0) + (op not in ("+", "*"))
            left, before = self._joined(op, left, right, chained), level
        return left

    def _product(self) -> Term:
        """A factor, or a number directly before a name, as in 3σ2."""
        left = self._signed()
        between = self.tokens[self.at - 1].kind == "num" and self.kind() == "name" and self.peek() not in BETWEEN
        return Term("*", (left, self._power())) if left.op == "int" and between else left

    def _joined(self, op: str, left: Term, right: Term, chained: int) -> Term:
        """Long sums and products stay flat; other chains nest to the left, so their length is bounded."""
        if chained > _CHAIN:
            raise self.error(f"more than {_CHAIN} of {op} and its like in a row: use parentheses, or simplify")
        if op in ("+", "*") and left.op == op:
            return Term(op, (*left.args, right))
        return Term(op, (left, right))

    def _signed(self) -> Term:
        if self.take("+"):
            return self._nested(self._signed)
        if self.take("~"):
            return Term("~", (self._integer(self._nested(self._signed)),))
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
        if self.take("min", "max", "abs"):
            return self._call(value)
        if self.take("("):
            inner = self._nested(self.formula)
            self.expect(")", "to close the parenthesis")
            return inner
        if self.take("⌈"):
            return self._ceiling()
        meant = _MEANT.get((self.tokens[self.at - 1].text, value)) if self.at > 0 else None
        raise self.error(f"expected a number, a name or a parenthesis{f': write {meant}' if meant else ''}")

    def _ceiling(self) -> Term:
        """What is left of ⌈a/b⌉."""
        top = self._integer(self._nested(self.expression))
        self.expect("/", "in a ceiling: write ⌈a/b⌉")
        bottom = self._integer(self._nested(self.expression))
        self.expect("⌉", "to close the ceiling")
        negative = num(-top.args[0]) if top.op == "int" else Term("neg", (top,))
        return Term("neg", (Term("//", (negative, bottom)),))

    def _named(self, name: str) -> Term:
        following = self.tokens[self.at + 1]
        if name == "if" and (following.kind in ("num", "name") or following.text == "("):
            raise self.error("a choice is written as in Python: `a if condition else b`")
        self.at += 1
        if following.text != "(":
            return sym(_own(name) if name in self.parameters else name)
        if name not in CALLS and name not in self.definitions:
            meant = _INSTEAD.get(name.lower(), f"{name}*(…) for a product")
            raise self.error(f"{name} is not defined: write {meant}, or add `where {name}(x) = …`")
        return self._call(name)

    def _call(self, word: str) -> Term:
        self.expect("(", f"after {word}")
        chooses = word not in self.definitions and CALLS[word] == "if"
        read = self.formula if chooses else self.value
        args = [self._formula(self._nested(read)) if chooses else self._nested(read)]
        while self.take(","):
            args.append(self._nested(read))
        self.expect(")", f"to close {word}")
        if word in self.definitions:
            return self._defined(word, args)
        least, most = ARGUMENTS[CALLS[word]]
        if not least <= len(args) <= (most or len(args)):
            raise self.error(f"{word} takes {'one value' if most == 1 else f'{most} values'}, not {len(args)}")
        return self._one_of(*args) if chooses else Term(CALLS[word], tuple(args))

    def _defined(self, name: str, args: Sequence[Term]) -> Term:
        """The body of the definition with the arguments in place."""
        parameters, body = self.definitions[name]
        if len(args) != len(parameters):
            raise self.error(f"{name}({', '.join(parameters)}) takes {len(parameters)} values, not {len(args)}")
        found = substituted(body, dict(zip(map(_own, parameters), args, strict=True)))
        if sum(1 for _ in islice(walk(found), _NODES)) == _NODES:
            raise self.error(f"written out, the calls have more than {_NODES} parts")
        return found

    def where(self) -> None:
        """Reads the definitions after `where`, if there are any: the calls before it may name them."""
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

    def _integer(self, term: Term) -> Term:
        if term.is_formula():
            raise self.error("expected an integer before this place, not a true-or-false statement")
        return term

    def _formula(self, term: Term) -> Term:
        if not term.is_formula():
            raise self.error("expected a comparison before this place, not an integer")
        return term


def _own(parameter: str) -> str:
    """What a parameter is called in the body: no text has such a name."""
    return f"{parameter}'"
