"""Widths of machine integers."""

from __future__ import annotations

import re
from typing import NamedTuple

from symview.errors import InputError
from symview.logic.terms import Term, num, sym

_MAX_BITS = 64


class Width(NamedTuple):
    """Integers with that many bits, in two's complement if signed."""

    bits: int
    signed: bool

    def __str__(self) -> str:
        return f"{self.bits}-bit {'signed' if self.signed else 'unsigned'}"

    def least(self) -> int:
        """The least integer of this width."""
        return -(1 << self.bits - 1) if self.signed else 0

    def most(self) -> int:
        """The greatest integer of this width."""
        return self.least() + (1 << self.bits) - 1

    def ends(self) -> tuple[Term, Term]:
        """The least integer, and how many there are, as in wrap(x, -128, 256)."""
        return num(self.least()), num(1 << self.bits)

    def holds(self, name: str) -> tuple[Term, Term]:
        """The bounds of a name of this width."""
        return Term(">=", (sym(name), num(self.least()))), Term("<=", (sym(name), num(self.most())))


def width_of(*ends: Term) -> Width | None:
    """The width with these ends; None if there is none.

    >>> width_of(num(-128), num(256)), width_of(num(0), num(100))
    (Width(bits=8, signed=True), None)
    """
    widths = (Width(bits, signed) for bits in range(1, _MAX_BITS + 1) for signed in (False, True))
    return next((width for width in widths if width.ends() == ends), None)


def read_width(bits: object) -> Width | None:
    """Parses `bits`: 32 or "i32" is signed, "u32" unsigned; None means unbounded integers.

    >>> read_width("u8"), read_width(None)
    (Width(bits=8, signed=False), None)
    """
    if bits is None:
        return None
    spelled = f"i{bits}" if type(bits) is int else bits if isinstance(bits, str) else ""
    found = re.fullmatch(r"([iu])([1-9][0-9]?)", spelled)
    if found is None or int(found[2]) > _MAX_BITS:
        allowed = f"a width from 1 to {_MAX_BITS}, as in 32 or i32 (signed), or u32 (unsigned)"
        raise InputError(f"bits {bits!r}: give {allowed}")
    return Width(int(found[2]), found[1] == "i")
