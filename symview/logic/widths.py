"""Arithmetic of a stated width: what a machine's integers of so many bits come to."""

from __future__ import annotations

import re
from typing import NamedTuple

from symview.errors import InputError
from symview.logic.operators import CONNECTIVES, RELATIONS
from symview.logic.terms import Term, num, sym

_MOST = 64
_RING = ("+", "-", "*", "neg", "~", "<<", "**")  # results of which only the low bits matter to others of these


class Width(NamedTuple):
    """Integers of so many bits, in two's complement where signed."""

    bits: int
    signed: bool

    def __str__(self) -> str:
        return f"{self.bits}-bit {'signed' if self.signed else 'unsigned'}"

    def least(self) -> int:
        """The least integer of the width."""
        return -(1 << self.bits - 1) if self.signed else 0

    def most(self) -> int:
        """The greatest integer of the width."""
        return self.least() + (1 << self.bits) - 1

    def holds(self, name: str) -> tuple[Term, Term]:
        """That the name is an integer of the width."""
        return Term(">=", (sym(name), num(self.least()))), Term("<=", (sym(name), num(self.most())))


def read_width(bits: object) -> Width | None:
    """The width that `bits` states: 32 or "i32" signed, "u32" unsigned; None for all integers.

    >>> read_width("u8"), read_width(None)
    (Width(bits=8, signed=False), None)
    """
    if bits is None:
        return None
    spelled = f"i{bits}" if type(bits) is int else bits if isinstance(bits, str) else ""
    found = re.fullmatch(r"([iu])([1-9][0-9]?)", spelled)
    if found is None or int(found[2]) > _MOST:
        raise InputError(f"bits {bits!r}: give a width from 1 to {_MOST}, as in 32 or i32 (signed), or u32 (unsigned)")
    return Width(int(found[2]), found[1] == "i")


def wrapped(formula: Term, width: Width) -> Term:
    """The formula with every result of + - * << and the rest wrapped into the width, over plain integers.

    Raises InputError for a number that the width does not have.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> term_text(wrapped(parse_statement("x + 1 > x"), Width(8, True)))
    'wrap(x + 1, -128, 256) > x'
    """
    if formula.op in CONNECTIVES:
        return Term(formula.op, tuple(wrapped(a, width) for a in formula.args))
    if formula.op in RELATIONS:
        return Term(formula.op, tuple(_settled(a, width) for a in formula.args))
    return formula


def _settled(term: Term, width: Width) -> Term:
    """The value within the width."""
    loose = _loose(term, width)
    if loose.op in ("int", "sym", "min", "max", "if", "&", "|", "^", ">>", "%"):
        return loose
    return Term("wrap", (loose, num(width.least()), num(1 << width.bits)))


def _loose(term: Term, width: Width) -> Term:
    """The value, or one that differs from it by a multiple of 2**bits."""
    op, args = term
    if op == "int":
        return num(_number(args[0], width))
    if op == "sym":
        return term
    if op == "if":
        return Term(op, (wrapped(args[0], width), *(_settled(a, width) for a in args[1:])))
    if op in ("<<", ">>"):
        count = _settled(args[1], width)
        count = count if count.op == "int" else Term("min", (count, num(width.bits)))
        return Term(op, ((_loose if op == "<<" else _settled)(args[0], width), count))
    if op == "**":
        return Term(op, (_loose(args[0], width), _settled(args[1], width)))
    return Term(op, tuple((_loose if op in _RING else _settled)(a, width) for a in args))


def _number(x: int, width: Width) -> int:
    """The number; of what is written as -x, x has to be a number of the width, or one more where signed."""
    if not (width.least() <= x <= width.most() or (x < 0 and -x <= width.most())):
        raise InputError(f"{x} is no {width} integer: those go from {width.least()} to {width.most()}")
    return (x - width.least()) % (1 << width.bits) + width.least()
