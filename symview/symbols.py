"""Integers that may be symbols: the notation's own parser and printer.

Text becomes a `Term` (no solver, no sympify: `S`, `N` and `I` are ordinary names); a term
becomes an int or, only where a name stands in it, a sympy expression.
"""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from math import lcm
from typing import TYPE_CHECKING, Any, TypeAlias

from symview.engine.terms import Term, conj, num, sym
from symview.errors import NotationError, SymbolError

if TYPE_CHECKING:
    import sympy

Integer: TypeAlias = "int | sympy.Expr"

_TOKEN = re.compile(
    r"\s*(?:(?P<num>\d+)|(?P<name>[^\W\d]\w*[\u0300-\u036f]?)|"
    r"(?P<op><->|->|//|==|!=|<=|>=|[-+*%<>(),:\[\]=∧∨¬≤≥≠·|]))"
)
_NAME = re.compile(r"[^\W\d]\w*[\u0300-\u036f]?")
_OTHER_NUMBERS = frozenset(("real", "extended_real", "rational", "irrational", "algebraic", "complex", "imaginary"))
_SPELLING = {"≤": "<=", "≥": ">=", "≠": "!=", "·": "*", "∧": "and", "∨": "or", "¬": "not", "=": "=="}
_RELATIONS = ("==", "!=", "<", "<=", ">", ">=")
_WORDS = ("and", "or", "not", "min", "max", "abs", "True", "False")
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
            if kind == "name" and value in _WORDS:
                kind = "op"
            self.tokens.append((kind, _SPELLING.get(value, value), place))
            at = match.end()
        self.tokens.append(("end", "", end))
        self.at = 0
        self.depth = 0

    def peek(self) -> str:
        """The next token's text; "" at the end."""
        return self.tokens[self.at][1]

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
        while (op := self.take(*_RELATIONS)) is not None:
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


def evaluate(term: Term, symbols: Mapping[str, Any] | None = None) -> Any:
    """The term as an int, or as sympy where names stand in it (a formula as a sympy relation).

    A name means `symbols[name]` where given, else `Symbol(name, integer=True)`.

    >>> evaluate(parse_expression("2*3 + 7//2"))
    9
    >>> evaluate(parse_expression("2*n + n"))
    3*n
    """
    op, args = term
    if op == "int":
        return args[0]
    if op == "sym":
        return _symbol(args[0], symbols)
    if op == "bool":
        import sympy

        return sympy.true if args[0] else sympy.false
    values = [evaluate(a, symbols) for a in args]
    if op == "neg":
        return -values[0]
    if op in ("+", "-", "*"):
        return functools.reduce(_ARITHMETIC[op], values)
    if op in ("min", "max", "abs") and all(type(v) is int for v in values):
        return abs(values[0]) if op == "abs" else min(values) if op == "min" else max(values)
    if op in ("//", "%"):
        if values[1] == 0:
            raise SymbolError(f"division by 0 in {to_text(term)}")
        if type(values[0]) is int and type(values[1]) is int:
            return values[0] // values[1] if op == "//" else values[0] % values[1]
        import sympy

        if op == "%" and not (hasattr(values[0], "has") and values[0].has(sympy.Mod)):
            return sympy.Mod(*values)
        quotient = sympy.floor(values[0] / values[1])
        return quotient if op == "//" else values[0] - values[1] * quotient  # sympy errs on a Mod of a Mod
    import sympy

    builders: dict[str, Any] = {
        "==": sympy.Eq, "!=": sympy.Ne, "<": sympy.Lt, "<=": sympy.Le, ">": sympy.Gt, ">=": sympy.Ge,
        "and": sympy.And, "or": sympy.Or, "not": sympy.Not, "->": sympy.Implies, "<->": sympy.Equivalent,
        "min": sympy.Min, "max": sympy.Max, "abs": sympy.Abs,
    }  # fmt: skip
    return builders[op](*values)


_ARITHMETIC: dict[str, Callable[..., Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
}  # fmt: skip


def _symbol(name: str, symbols: Mapping[str, Any] | None) -> Any:
    if symbols is not None and name in symbols:
        return symbols[name]
    import sympy

    return sympy.Symbol(name, integer=True)


def to_term(value: Any) -> Term:
    """An int, a sympy expression or a sympy relation as a term.

    Raises SymbolError for what has no integer meaning here (a power with a symbolic exponent,
    a fraction, a function that the notation does not have).
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return num(value)
    import sympy

    value = sympy.sympify(value)
    if value in (sympy.true, sympy.false):
        return Term("bool", (bool(value),))
    if value.is_Integer:
        return num(int(value))
    if value.is_Symbol:
        return sym(value.name)
    if isinstance(value, sympy.Pow) and value.exp.is_Integer and 0 < int(value.exp) <= 64:
        return Term("*", (to_term(value.base),) * int(value.exp))
    if isinstance(value, sympy.floor):
        return Term("//", tuple(map(to_term, _whole_fraction(value.args[0]))))
    op = _sympy_operators().get(type(value))
    if op in _RELATIONS:
        return Term(op, tuple(to_term(side) for side in _whole_sides(value)))
    if op is None:
        raise SymbolError(f"{value}: {type(value).__name__} is outside the notation (use + - * // % and comparisons)")
    if op == "<->" and len(value.args) > 2:
        return conj(Term(op, (to_term(a), to_term(b))) for a, b in pairwise(value.args))
    if op in ("+", "*") and (scale := _denominator(value)) > 1 and value.is_integer:
        return Term("//", (to_term((scale * value).expand()), num(scale)))  # 3*e/2 with an even e
    args = value.as_ordered_terms() if op == "+" else value.as_ordered_factors() if op == "*" else value.args
    return Term(op, tuple(to_term(a) for a in args))


def _whole_fraction(value: Any) -> tuple[Any, Any]:
    """Numerator and denominator, with integer coefficients."""
    import sympy

    once = sympy.together(value)
    for form in (once, sympy.together(once), sympy.factor(value)):
        top, bottom = sympy.fraction(form)
        if all(r.is_Integer for r in top.atoms(sympy.Rational) if not _in_division(top, r)):
            break
    return top, bottom


def _whole_sides(relation: Any) -> tuple[Any, Any]:
    """Both sides times the denominators of their coefficients: sympy reads floor(s/2) >= 1 as s/2 >= 1."""
    scale = _denominator(relation)
    return (relation.lhs, relation.rhs) if scale == 1 else tuple((scale * s).expand() for s in relation.args)


def _denominator(value: Any) -> int:
    """A common denominator of the coefficients outside of divisions."""
    import sympy

    return lcm(*(int(r.q) for r in value.atoms(sympy.Rational) if not r.is_Integer and not _in_division(value, r)))


def _in_division(relation: Any, number: Any) -> bool:
    import sympy

    return any(number in f.atoms(sympy.Rational) for f in relation.atoms(sympy.floor, sympy.Mod))


def _sympy_operators() -> dict[type, str]:
    import sympy

    return {
        sympy.Add: "+", sympy.Mul: "*", sympy.Mod: "%", sympy.Min: "min", sympy.Max: "max", sympy.Abs: "abs",
        sympy.Eq: "==", sympy.Ne: "!=", sympy.Lt: "<", sympy.Le: "<=", sympy.Gt: ">", sympy.Ge: ">=",
        sympy.And: "and", sympy.Or: "or", sympy.Not: "not", sympy.Implies: "->", sympy.Equivalent: "<->",
    }  # fmt: skip


_BINDING = {
    "<->": 1, "->": 2, "or": 3, "and": 4, "not": 5, "==": 6, "!=": 6, "<": 6, "<=": 6, ">": 6, ">=": 6,
    "+": 7, "-": 7, "*": 8, "//": 8, "%": 8, "neg": 9,
}  # fmt: skip


def to_text(value: Any, times: str = "*") -> str:
    """The notation of an int, a sympy expression or a term; `parse_expression` reads it back.

    With `times=""` a number stands directly before a name, as in the papers: `3σ2`.

    >>> to_text(parse_expression("(a + 2*b) // (c*d) - 1"))
    '(a + 2*b)//(c*d) - 1'
    """
    term = value if isinstance(value, Term) else to_term(value)
    return _print(term, times)


def _print(term: Term, times: str) -> str:
    op, args = term
    if op in ("int", "sym", "bool"):
        return str(args[0])
    if op in ("min", "max", "abs"):
        return f"{op}({', '.join(_print(a, times) for a in args)})"
    if op == "+":
        return _print_sum(args, times)
    if op == "*":
        return _print_product(args, times)
    level = _BINDING[op]
    if op in ("neg", "not"):
        return ("-" if op == "neg" else "not ") + _guard(args[0], level, times)
    spaced = op if op == "//" else f" {op} "
    right_level = level if op in ("and", "or", "->") else level + 1
    left_level = level if op not in ("->", "==", "!=", "<", "<=", ">", ">=") else level + 1
    first, *rest = args
    return spaced.join([_guard(first, left_level, times), *(_guard(a, right_level, times) for a in rest)])


def _print_sum(args: Iterable[Term], times: str) -> str:
    text = ""
    for a in args:
        part = _guard(a, _BINDING["+"] + (a.op == "-"), times)
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
        return "-" + _guard(rest, _BINDING["*"] + (rest.op != "*"), times)
    if times == "" and len(args) == 2 and args[0].op == "int" and args[1].op == "sym":
        return f"{args[0].args[0]}{args[1].args[0]}"
    level = _BINDING["*"]
    return "*".join(_guard(a, level + (n > 0), times) for n, a in enumerate(args))


def _guard(term: Term, level: int, times: str) -> str:
    text = _print(term, times)
    own = _BINDING.get(term.op, 10)
    if term.op == "int" and term.args[0] < 0:
        own = _BINDING["neg"] if level <= _BINDING["*"] else 0
    return f"({text})" if own < level else text


def as_integer(value: Any, what: str) -> Integer:
    """The value as an int or a sympy integer expression; `what` names it in the error.

    Raises SymbolError for symbols that cannot be integers and for anything that is no integer.

    >>> as_integer(True, "size 1")
    Traceback (most recent call last):
    ...
    symview.errors.SymbolError: size 1 is True: give an integer, or a sympy integer expression
    """
    if type(value) is int:
        return value
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
        raise SymbolError(f"{what} is {value!r}: give an integer, or a sympy integer expression")
    try:
        return operator.index(value)
    except TypeError:
        pass
    if _is_sympy(value) and _can_be_integer(value):
        try:
            to_term(value)
        except SymbolError as error:
            raise SymbolError(f"{what} is {value}: give an integer expression; {error}") from None
        return value
    raise SymbolError(f"{what} is {value!r}: give an integer, or a sympy integer expression")


def _is_sympy(value: Any) -> bool:
    """Without loading sympy; a class made by sympy at run time has no module, but such bases."""
    return any(str(c.__module__).partition(".")[0] == "sympy" for c in type(value).__mro__)


def _can_be_integer(value: Any) -> bool:
    import sympy

    if not isinstance(value, sympy.Expr) or value.is_integer is False:
        return False
    for symbol in value.free_symbols:
        declared = getattr(symbol, "_assumptions_orig", {})
        if symbol.is_integer is False or (symbol.is_integer is None and not _OTHER_NUMBERS.isdisjoint(declared)):
            return False  # declared real, imaginary, …: not an integer unknown
        if not _NAME.fullmatch(symbol.name) or symbol.name in _WORDS:
            raise SymbolError(f"symbol {symbol.name!r}: the notation cannot read that name; use letters and digits")
    return True


def is_number(value: Any) -> bool:
    """Whether the value is a plain int, known without loading sympy."""
    return type(value) is int


def free_symbols(values: Iterable[Any]) -> dict[str, sympy.Symbol]:
    """The symbols of the values by name, in order of first appearance.

    Raises SymbolError where one name stands for two symbols of different assumptions.
    """
    found: dict[str, Any] = {}
    for value in values:
        if type(value) is int:
            continue
        for symbol in sorted(value.free_symbols, key=lambda s: s.name):
            other = found.setdefault(symbol.name, symbol)
            if other != symbol:
                raise SymbolError(
                    f"symbol {symbol.name} occurs with different assumptions "
                    f"({_assumed(other)}; {_assumed(symbol)}): use one symbol, or two names"
                )
    return found


def _assumed(symbol: Any) -> str:
    kept = symbol.assumptions0 if not hasattr(symbol, "_assumptions_orig") else symbol._assumptions_orig
    return ", ".join(f"{k}={v}" for k, v in sorted(kept.items())) or "none"


def domain(symbol: Any) -> list[Term]:
    """What the symbol's own sympy assumptions say of its integer value."""
    x = sym(symbol.name)
    facts: list[Term] = []
    if symbol.is_prime or symbol.is_composite:
        facts.append(Term(">=", (x, num(2 if symbol.is_prime else 4))))
    elif symbol.is_positive:
        facts.append(Term(">=", (x, num(1))))
    elif symbol.is_nonnegative:
        facts.append(Term(">=", (x, num(0))))
    if symbol.is_negative:
        facts.append(Term("<=", (x, num(-1))))
    elif symbol.is_nonpositive:
        facts.append(Term("<=", (x, num(0))))
    if symbol.is_zero is False and not (symbol.is_positive or symbol.is_negative):
        facts.append(Term("!=", (x, num(0))))
    if symbol.is_even:
        facts.append(Term("==", (Term("%", (x, num(2))), num(0))))
    if symbol.is_odd:
        facts.append(Term("==", (Term("%", (x, num(2))), num(1))))
    return facts
