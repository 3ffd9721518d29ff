"""Rewrites formulas to other operators: only + - * // and %, arithmetic of a fixed width, and Python's evaluation
order.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Container, Iterator, Sequence
from itertools import chain, combinations
from math import gcd
from typing import NamedTuple

from symview.errors import InputError, NotSupported
from symview.logic.terms import (
    BITWISE,
    CONNECTIVES,
    FALSE,
    LEAVES,
    OPERATORS,
    RELATIONS,
    TRUE,
    Term,
    conj,
    disj,
    linear,
    negated,
    nonzero_divisors,
    num,
    rewritten,
    walk,
)
from symview.logic.width import Width

KNOWN = (
    *LEAVES, "+", "-", "*", "neg", "//", "%", "min", "max", "abs", "if", "and", "or", "not", "->", "<->",
)  # fmt: skip
_MAX_POWER = 64  # powers that are expanded
_BIT_BY_BIT, _MAX_PARTS = (*BITWISE, "~"), 6  # operators whose nests are expanded, and the most parts
_SHIFT = "make the number of places a constant"
_WAYS = {
    "**": f"make the exponent a constant, at most {_MAX_POWER}", "<<": _SHIFT, ">>": _SHIFT,
    "floor_sum": "make it a sum of quotients",
}  # fmt: skip
_MAX_DIVISOR = 24  # most divisors of a number that are tried for a gcd
_RING = ("+", "-", "*", "neg", "~", "<<", "**")  # operators whose low bits depend only on low bits


def in_arithmetic(term: Term, more: Container[str] = ()) -> Term:
    """Rewrites the term to + - * // % min max abs and `if`, // and % rounding down; raises NotSupported otherwise.

    `more`: operators that may stay.

    >>> from symview.logic.notation import parse_expression, term_text
    >>> [term_text(in_arithmetic(parse_expression(t))) for t in ("x << 3", "x >> 2", "x & 7", "ceildiv(x, n)", "x**2")]
    ['x*8', 'x//4', 'x % 8', '-(-x//n)', 'x*x']
    """
    found = lowered_where_known(term, more)
    if not _is_known(found, more):
        parts = reversed(list(walk(term)))
        own = next(p for p in parts if not _is_known(lowered_where_known(p, more), more))
        two = "two symbols" if own.op in BITWISE else "symbols"
        raise NotSupported(
            f"`{own.op}` of {two} is not supported here; {_WAYS.get(own.op, 'make one side a constant')}"
        )
    return found


def _is_known(term: Term, more: Container[str]) -> bool:
    return all(n.op in KNOWN or n.op in RELATIONS or n.op in more for n in walk(term))


def lowered_where_known(term: Term, more: Container[str] = ()) -> Term:
    """Rewrites the term to these operators as far as possible."""
    if term.op in LEAVES:
        return term
    term = unwrapped(term)
    found = Term(term.op, tuple([lowered_where_known(a, more) for a in term.args]))
    return found if term.op in more else lowered(found)


def unnested(term: Term) -> Term:
    """Rewrites a nest of & | ^ and ~ as a linear combination of the bits that sets of its parts share, in normal order.

    Each bit of the result depends only on the same bits of the parts. The truth table gives a polynomial in bits, which
    also holds for the numbers, since -1 is the number whose bits are all 1.

    >>> from symview.logic.notation import parse_expression, term_text
    >>> term_text(unnested(parse_expression("(x ^ y) ^ y"))), term_text(unnested(parse_expression("x & (y | ~x)")))
    ('x', 'x & y')
    """
    if term.op not in _BIT_BY_BIT or not any(a.op in _BIT_BY_BIT for a in term.args):
        return term
    parts = sorted(dict.fromkeys(parts_of_nest(term)), key=lambda p: (p.op == "int", repr(p)))
    if len(parts) > _MAX_PARTS:
        return term
    found = []
    for chosen in _subsets(parts):
        factor = sum((-1) ** (len(chosen) - len(some)) * _bit(term, frozenset(some)) for some in _subsets(chosen))
        if factor:
            shared = functools.reduce(lambda a, b: Term("&", (a, b)), chosen) if chosen else num(-1)
            found.append((factor, shared))
    return linear(found)


def _subsets(parts: Sequence[Term]) -> Iterator[tuple[Term, ...]]:
    return chain.from_iterable(combinations(parts, size) for size in range(len(parts) + 1))


def parts_of_nest(term: Term) -> Iterator[Term]:
    """The operands of the nest, except 0 and -1, all of whose bits are equal."""
    if term.op in _BIT_BY_BIT:
        yield from chain.from_iterable(map(parts_of_nest, term.args))
    elif term not in (num(0), num(-1)):
        yield term


def _bit(term: Term, ones: frozenset[Term]) -> int:
    """A bit of the nest's value, if these parts have a 1 there and the others a 0."""
    if term.op not in _BIT_BY_BIT:
        return int(term in ones or term == num(-1))
    return int(OPERATORS[term.op].run([_bit(a, ones) for a in term.args])) & 1


def lowered(term: Term) -> Term:
    """Rewrites one operator, whose operands stay, by others, with // and % rounding down; or returns it unchanged."""
    op, args = term
    numbers = [a.args[0] for a in args if a.op == "int"]
    if op not in KNOWN and op not in RELATIONS and len(numbers) == len(args):
        return _number(term)
    match op:
        case "**":
            return _power(*args)
        case "<<":
            return _times(args[0], _two_to(args[1]))
        case ">>":
            return Term("//", (args[0], _two_to(args[1])))
        case "~":
            return Term("-", (Term("neg", args), num(1)))
        case "|":
            return Term("-", (Term("+", args), lowered(Term("&", args))))
        case "^":
            return Term("-", (Term("+", args), Term("*", (num(2), lowered(Term("&", args))))))
        case "&":
            return _masked(*args)
        case "ceildiv":
            return Term("neg", (Term("//", (Term("neg", args[:1]), args[1])),))
        case "gcd":
            return _common(args)
        case "wrap":
            value, least, size = args
            return Term("+", (Term("%", (_plus(value, -least.args[0]), size)), least))
    return term


def _number(term: Term) -> Term:
    try:
        return num(OPERATORS[term.op].run([a.args[0] for a in term.args]))
    except ZeroDivisionError as error:
        raise InputError(f"{term.op} of {', '.join(str(a.args[0]) for a in term.args)} has no value: {error}") from None


def _power(base: Term, exponent: Term) -> Term:
    if exponent.op != "int" or exponent.args[0] > _MAX_POWER:
        return Term("**", (base, exponent))
    if exponent.args[0] < 0:
        raise InputError(f"the exponent {exponent.args[0]} is negative: a power has a value from the exponent 0 on")
    return num(1) if exponent.args[0] == 0 else base if exponent.args[0] == 1 else Term("*", (base,) * exponent.args[0])


def _two_to(by: Term) -> Term:
    """2**by, for a shift."""
    if by.op != "int":
        return Term("**", (num(2), by))
    if by.args[0] < 0:
        raise InputError(f"a shift by {by.args[0]}: shift the other way by {-by.args[0]}")
    return _number(Term("**", (num(2), by)))


def _times(value: Term, by: Term) -> Term:
    return value if by == num(1) else Term("*", (value, by))


def _plus(value: Term, number: int) -> Term:
    return value if number == 0 else Term("+", (value, num(number)))


def _masked(x: Term, y: Term) -> Term:
    """The term for x & y; the bits of x in the places [low, high) are x % 2^high - x % 2^low."""
    if x == y:
        return x
    if x.op == "int":
        x, y = y, x
    if y.op != "int":
        return Term("&", (x, y))
    mask = y.args[0]
    if mask < 0:
        return Term("-", (x, _masked(x, num(~mask)))) if mask != -1 else x
    parts: list[Term] = []
    for low, high in (ones.span() for ones in re.finditer("1+", f"{mask:b}"[::-1])):  # runs of ones, lowest first
        parts.append(Term("%", (x, num(1 << high))))
        if low:
            parts.append(Term("neg", (Term("%", (x, num(1 << low))),)))
    return num(0) if not parts else parts[0] if len(parts) == 1 else Term("+", tuple(parts))


def _common(args: tuple[Term, ...]) -> Term:
    """The gcd with a number: its largest divisor that divides all others."""
    number = functools.reduce(gcd, (a.args[0] for a in args if a.op == "int"), 0)
    others = tuple(dict.fromkeys(a for a in args if a.op != "int"))
    if number == 0:
        return Term("abs", others) if len(others) == 1 else Term("gcd", others)
    small = [d for d in range(1, min(number, 10_000) + 1) if number % d == 0 and d * d <= number]
    divisors = sorted({*small, *(number // d for d in small)}, reverse=True)
    if number > 10_000_000 or len(divisors) > _MAX_DIVISOR:
        return Term("gcd", (*others, num(number)))
    found = num(1)
    for divisor in reversed(divisors[:-1]):
        divides = conj(Term("==", (Term("%", (a, num(divisor))), num(0))) for a in others)
        found = Term("if", (divides, num(divisor), found))
    return found


def unwrapped(term: Term) -> Term:
    """Rewrites equality of wrapped results as one divisibility: their difference is a multiple of 2**width."""
    if term.op in ("==", "!=") and (size := next((a.args[2] for a in term.args if a.op == "wrap"), None)) is not None:
        left, right = (a.args[0] if a.op == "wrap" else a for a in term.args)
        return Term(term.op, (Term("%", (Term("-", (left, right)), size)), num(0)))
    return term


def wrapped(formula: Term, width: Width) -> Term:
    """Wraps every result of + - * << and so on into the width; the formula is then over unbounded integers.

    Raises InputError for a number that the width cannot represent, and for a `wrap` into another width.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> term_text(wrapped(parse_statement("x + 1 > x"), Width(8, True)))
    'wrap(x + 1, -128, 256) > x'
    """
    if formula.op in CONNECTIVES:
        return Term(formula.op, tuple(wrapped(a, width) for a in formula.args))
    if formula.op in RELATIONS:
        return Term(formula.op, tuple(_within(a, width) for a in formula.args))
    return formula


def _within(term: Term, width: Width) -> Term:
    """The value, reduced to the width."""
    loose = _loose(term, width)
    if loose.op in ("int", "sym", "min", "max", "if", "&", "|", "^", ">>", "%", "wrap"):
        return loose
    return Term("wrap", (loose, *width.ends()))


def _loose(term: Term, width: Width) -> Term:
    """The value, or one that differs from it by a multiple of 2**bits."""
    op, args = term
    if op == "int":
        return num(_in_width(args[0], width))
    if op == "sym":
        return term
    if op == "wrap":
        if args[1:] != width.ends():
            raise InputError(f"wrap into {args[1].args[0]} and {args[2].args[0]} more: the integers are {width}")
        return Term(op, (_loose(args[0], width), *args[1:]))
    if op == "if":
        return Term(op, (wrapped(args[0], width), *(_within(a, width) for a in args[1:])))
    if op in ("<<", ">>"):
        count = _within(args[1], width)
        count = count if count.op == "int" else Term("min", (count, num(width.bits)))
        return Term(op, ((_loose if op == "<<" else _within)(args[0], width), count))
    if op == "**":
        return Term(op, (_loose(args[0], width), _within(args[1], width)))
    return Term(op, tuple((_loose if op in _RING else _within)(a, width) for a in args))


def _in_width(x: int, width: Width) -> int:
    """Reduces a literal to the width; in -x, x is at most the greatest integer of the width, plus one if signed."""
    if not (width.least() <= x <= width.most() or (x < 0 and -x <= width.most())):
        raise InputError(f"{x} is out of range: {width} integers go from {width.least()} to {width.most()}")
    return (x - width.least()) % (1 << width.bits) + width.least()


class Outcomes(NamedTuple):
    """The conditions under which a formula evaluates to true and to false, without a division by 0 on the way."""

    true: Term
    false: Term

    def swapped(self) -> Outcomes:
        """The outcomes of the negation."""
        return Outcomes(self.false, self.true)


def outcomes(formula: Term, of_part: Callable[[Term], Outcomes]) -> Outcomes:
    """Combines the outcomes of a formula's comparisons."""
    op, args = formula
    if op == "not":
        return outcomes(args[0], of_part).swapped()
    if op == "->":
        return outcomes(Term("or", (Term("not", (args[0],)), args[1])), of_part)
    if op == "<->":
        both, neither = Term("and", args), Term("and", tuple(Term("not", (a,)) for a in args))
        return outcomes(Term("or", (both, neither)), of_part)
    if op in ("and", "or"):
        parts = [outcomes(a, of_part) for a in args]
        return _either(parts) if op == "or" else _either([p.swapped() for p in parts]).swapped()
    return of_part(formula)


def _either(parts: Sequence[Outcomes]) -> Outcomes:
    """The outcomes of a disjunction: a part is evaluated only if those before it are false.

    If a part always has an outcome, this restriction is unnecessary: p or (not p and q) equals p or q.
    """
    true = list[Term]()
    for part in reversed(parts):
        if true and part.false != negated(part.true):
            true = [] if part.false == FALSE else [conj((part.false, disj(true)))]
        true.insert(0, part.true)
    false = [p.false for p in parts]
    return Outcomes(TRUE if TRUE in true else disj(true), FALSE if FALSE in false else conj(false))


def total(formula: Term) -> Term:
    """The condition that the formula evaluates to true before anything is divided by 0.

    A conjunction of comparisons stays, since each part has to hold. Solvers give a formula a value only where all its
    divisors are nonzero; so in parts that need not be evaluated, divisors are replaced by nonzero numbers that agree
    wherever it matters.

    >>> from symview.logic.notation import parse_statement
    >>> from symview.logic.terms import value_of
    >>> found = total(parse_statement("a == 0 or 8 % a == 0"))
    >>> [a for a in range(-3, 9) if value_of(found, {"a": a})]
    [-2, -1, 0, 1, 2, 4, 8]
    """
    if formula.op == "and":
        return conj(map(total, formula.args))
    if formula.op not in ("or", "not", "->", "<->") or not nonzero_divisors([formula]):
        return formula

    def everywhere(part: Term) -> Outcomes:
        divisors, part = [_divided_by_others(d) for d in nonzero_divisors([part])], _divided_by_others(part)
        return Outcomes(conj([*divisors, part]), conj([*divisors, negated(part)]))

    return outcomes(formula, everywhere).true


def _divided_by_others(term: Term) -> Term:
    """Replaces each divisor by 1 where it is 0."""

    def guarded(part: Term) -> Term:
        op, args = part
        if op not in ("//", "%") or (args[1].op == "int" and args[1].args[0]):
            return part
        zero = Term("-", (num(1), Term("min", (num(1), Term("abs", (args[1],))))))  # 1 where it is 0, else 0
        return Term(op, (args[0], Term("+", (args[1], zero))))

    return rewritten(term, guarded)
