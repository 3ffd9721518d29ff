"""Operators that others express: shifts, masks, powers and rounded-up quotients in + - * // and %."""

from __future__ import annotations

import functools
from collections.abc import Container, Iterator, Sequence
from itertools import chain, combinations
from math import gcd

from symview.errors import InputError, NotSupported
from symview.logic.operators import BITWISE, OPERATORS, RELATIONS
from symview.logic.terms import LEAVES, Term, conj, linear, num, walk

KNOWN = (
    *LEAVES, "+", "-", "*", "neg", "//", "%", "min", "max", "abs", "if", "and", "or", "not", "->", "<->",
)  # fmt: skip
_HIGHEST = 64  # powers of names that are multiplied out
_BIT_BY_BIT, _PARTS = (*BITWISE, "~"), 6  # operators of which nests are unfolded, and of how many parts
_DIVISORS = 24  # of a number, tried one by one for a greatest common divisor


def in_arithmetic(term: Term, more: Container[str] = ()) -> Term:
    """The term in + - * // % min max abs and `if`, // and % rounding down; raises NotSupported where that has no words.

    `more`: operators that stay as they are.

    >>> from symview.logic.notation import parse_expression, term_text
    >>> [term_text(in_arithmetic(parse_expression(t))) for t in ("x << 3", "x >> 2", "x & 7", "ceildiv(x, n)", "x**2")]
    ['x*8', 'x//4', 'x % 8', '-(-x//n)', 'x*x']
    """
    told = as_far_as_known(term, more)
    for node in walk(told):
        if node.op not in KNOWN and node.op not in RELATIONS and node.op not in more:
            raise NotSupported(f"{node.op} of names is not said in + - * // and %: give one side as a number")
    return told


def as_far_as_known(term: Term, more: Container[str] = ()) -> Term:
    """The same, with what has no such words left as it is."""
    if term.op in LEAVES:
        return term
    term = unwrapped(term)
    found = Term(term.op, tuple([as_far_as_known(a, more) for a in term.args]))
    return found if term.op in more else told(found)


def unnested(term: Term) -> Term:
    """A nest of & | ^ and ~ as a sum of multiples of the bits that some of its parts share, in one order of the parts.

    A bit of the result depends on the same bits of the parts alone. As a polynomial in bits, which its truth table
    gives, it says the same of the numbers, -1 being the number of which all bits are 1.

    >>> from symview.logic.notation import parse_expression, term_text
    >>> term_text(unnested(parse_expression("(x ^ y) ^ y"))), term_text(unnested(parse_expression("x & (y | ~x)")))
    ('x', 'x & y')
    """
    if term.op not in _BIT_BY_BIT or not any(a.op in _BIT_BY_BIT for a in term.args):
        return term
    parts = sorted(dict.fromkeys(parts_of_nest(term)), key=lambda p: (p.op == "int", repr(p)))
    if len(parts) > _PARTS:
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
    """What the nest is made of, without 0 and -1, of which all bits are the same."""
    if term.op in _BIT_BY_BIT:
        yield from chain.from_iterable(map(parts_of_nest, term.args))
    elif term not in (num(0), num(-1)):
        yield term


def _bit(term: Term, ones: frozenset[Term]) -> int:
    """A bit of the nest where those parts have a 1 and the others a 0."""
    if term.op not in _BIT_BY_BIT:
        return int(term in ones or term == num(-1))
    return int(OPERATORS[term.op].run([_bit(a, ones) for a in term.args])) & 1


def told(term: Term) -> Term:
    """One operator, its operands as they are, said in others: // and % round down there; itself where it cannot be."""
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
            return Term("-", (Term("+", args), told(Term("&", args))))
        case "^":
            return Term("-", (Term("+", args), Term("*", (num(2), told(Term("&", args))))))
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
    if exponent.op != "int" or exponent.args[0] > _HIGHEST:
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
    """X & y: of a number, the bits of x between two places are x % 2^high - x % 2^low."""
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
    for low, high in _runs(mask):
        parts.append(Term("%", (x, num(1 << high))))
        if low:
            parts.append(Term("neg", (Term("%", (x, num(1 << low))),)))
    return num(0) if not parts else parts[0] if len(parts) == 1 else Term("+", tuple(parts))


def _runs(mask: int) -> Iterator[tuple[int, int]]:
    """From where to where the bits of the mask are 1, the lowest first."""
    place = 0
    while mask >> place:
        low = place + ((mask >> place) & -(mask >> place)).bit_length() - 1
        place = low + ((mask >> low) ^ ((mask >> low) + 1)).bit_length() - 1
        yield low, place


def _common(args: tuple[Term, ...]) -> Term:
    """The gcd with a number: the first of its divisors, from the largest, that divides the others."""
    number = functools.reduce(gcd, (a.args[0] for a in args if a.op == "int"), 0)
    others = tuple(dict.fromkeys(a for a in args if a.op != "int"))
    if number == 0:
        return Term("abs", others) if len(others) == 1 else Term("gcd", others)
    small = [d for d in range(1, min(number, 10_000) + 1) if number % d == 0 and d * d <= number]
    divisors = sorted({*small, *(number // d for d in small)}, reverse=True)
    if number > 10_000_000 or len(divisors) > _DIVISORS:
        return Term("gcd", (*others, num(number)))
    found = num(1)
    for divisor in reversed(divisors[:-1]):
        divides = conj(Term("==", (Term("%", (a, num(divisor))), num(0))) for a in others)
        found = Term("if", (divides, num(divisor), found))
    return found


def unwrapped(term: Term) -> Term:
    """Equal results of one width: sums that differ by a multiple of its size, which says it with one division."""
    if term.op in ("==", "!=") and (size := next((a.args[2] for a in term.args if a.op == "wrap"), None)) is not None:
        left, right = (a.args[0] if a.op == "wrap" else a for a in term.args)
        return Term(term.op, (Term("%", (Term("-", (left, right)), size)), num(0)))
    return term


def as_stated(term: Term) -> Term:
    """The term without the marks of a width: what was written, for a message.

    >>> from symview.logic.terms import sym
    >>> wrapped = Term("wrap", (Term("+", (sym("x"), num(1))), num(-128), num(256)))
    >>> as_stated(Term("%", (wrapped, num(0)))) == Term("%", (Term("+", (sym("x"), num(1))), num(0)))
    True
    """
    if term.op == "wrap":
        return as_stated(term.args[0])
    return term if term.op in LEAVES else Term(term.op, tuple(map(as_stated, term.args)))
