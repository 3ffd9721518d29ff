"""Statements about bits that hold for integers of every size if they hold for integers with few bits.

Suppose names are combined by & | ^ ~, shifted by numbers, and divided or multiplied by powers of 2. Then each bit of
the value depends on one place of the names only, from some place on always in the same way. Two such values compare as
they do at the highest place where they differ. So a statement that some integers satisfy is also satisfied by integers
with few bits: from a solution, keep the low places, for each comparison the place that decides it, and one place of the
signs, and delete the others. A power of 2 stays one if the place of its 1 is kept, and so does that number minus one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from symview.errors import InputError, NotSupported
from symview.logic.divisions import Formula
from symview.logic.polynomial import ONE, poly_of
from symview.logic.terms import (
    BITWISE,
    CONNECTIVES,
    Term,
    conj,
    fresh,
    names,
    nonzero_divisors,
    num,
    replaced,
    sym,
    value_of,
    walk,
)

_ONE, _ZERO = num(1), num(0)


class FewBits(NamedTuple):
    """Formulas that have a solution if the given ones have one; with `same`, they have the same solutions."""

    formulas: list[Formula]
    same: bool


class _Value(NamedTuple):
    """A value by its bits: bit i combines bit i + shifts[n] of each name n, uniformly from `low` on."""

    term: Term
    shifts: Mapping[str, int]
    low: int


def in_few_bits(stated: Sequence[Formula]) -> FewBits | None:
    """The formulas, restricted to numbers with few bits; None if different places of one name meet.

    Whatever is not an operation on bits becomes a new name, so a solution need not be one of the original formulas.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> found = in_few_bits([Formula(parse_statement("x ^ y != y ^ x"), "floor")])
    >>> [term_text(f.term) for f in found.formulas]
    ['(x ^ y) != (y ^ x)', '-2 <= x and x < 2', '-2 <= y and y < 2']
    """
    reader = _Reader(stated)
    try:
        formulas = [f._replace(term=reader.formula(f.term, f.division)) for f in reader.stated]
    except ZeroDivisionError:
        return None
    offsets = _aligned([shifts for shifts, _ in reader.compared])
    if offsets is None:
        return None
    starts = [low + shifts[n] - offsets[n] for shifts, low in reader.compared for n in [*shifts][:1]]
    width = max([0, *starts]) + len(reader.compared) + len(reader.powers) + 1
    formulas += [Formula(_within(n, width + by), "floor") for n, by in offsets.items()]
    return FewBits(formulas, not reader.others)


def _within(name: str, width: int) -> Term:
    size = num(1 << width - 1)
    return conj((Term("<=", (num(-size.args[0]), sym(name))), Term("<", (sym(name), size))))


def _aligned(compared: Sequence[Mapping[str, int]]) -> dict[str, int] | None:
    """By how many places each name is shifted relative to the others, the least by 0; None if that varies."""
    offsets: dict[str, int] = {}
    left = [shifts for shifts in compared if shifts]
    while left:
        shifts = next((s for s in left if offsets.keys() & s.keys()), left[0])
        left.remove(shifts)
        start = next((by - offsets[n] for n, by in shifts.items() if n in offsets), 0)
        for n, by in shifts.items():
            if offsets.setdefault(n, by - start) != by - start:
                return None
    least = min(offsets.values(), default=0)
    return {n: by - least for n, by in offsets.items()}


class _Reader:
    """Reads formulas as comparisons of values by their bits."""

    def __init__(self, stated: Sequence[Formula]) -> None:
        self.taken = set(names(*(f.term for f in stated)))
        self.compared: list[tuple[Mapping[str, int], int]] = []
        self.others: dict[object, str] = {}  # new names for terms that are no operations on bits
        self.powers = {n for f in stated if (n := _has_one_bit(f.term)) is not None}
        needed = (f._replace(term=d) for f in stated for d in nonzero_divisors([f.term]))
        self.stated = self.named_powers([*stated, *needed])

    def named_powers(self, stated: list[Formula]) -> list[Formula]:
        """Replaces each power of 2 by a name: the one that an equation gives it, or a new one."""
        found = dict.fromkeys(node for f in stated for node in walk(f.term) if _is_power(node))
        for power in found:
            equal = (f.term.args for f in stated if f.term.op == "==" and power in f.term.args)
            given = next((side for sides in equal for side in sides if side.op == "sym"), None)
            name = self.named(power).term if given is None else given
            self.others[power] = name.args[0]  # its relation to the exponent k is lost
            self.powers.add(name.args[0])
            stated = [f._replace(term=replaced(f.term, power, name)) for f in stated]
            one_bit = Term("==", (Term("&", (name, Term("-", (name, _ONE)))), _ZERO))
            stated += [Formula(t, "floor") for t in (one_bit, Term(">=", (name, _ONE)))]
        return stated

    def formula(self, term: Term, division: str) -> Term:
        """Rewrites each comparison by bits, and records it."""
        op, args = term
        if op == "bool":
            return term
        if op in CONNECTIVES:
            return Term(op, tuple([self.formula(a, division) for a in args]))
        op, args = _without_ones(op, *args)
        both = self.joined(op, *(self.value(a, division) for a in args))
        self.compared.append((both.shifts, both.low))
        return both.term

    def value(self, term: Term, division: str) -> _Value:
        """The value of a term by its bits."""
        op, args = term
        if not names(term):
            return _number(int(value_of(term, {}, division)))
        if op in BITWISE:
            return self.joined(op, *(self.value(a, division) for a in args))
        if op == "~":
            return _denied(self.value(args[0], division))
        if op == "-" and (less := self.value(args[1], division)).term.op == "&":
            whole = self.value(args[0], division)
            if whole.term in less.term.args:  # x - (x & y) is x & ~(x & y)
                return self.joined("&", whole, _denied(less))
        moved = self.moved(op, args, division) if op in ("<<", ">>", "*", "//", "%") else None
        return moved or self.leaf(term, division)

    def moved(self, op: str, args: Sequence[Term], division: str) -> _Value | None:
        """The value of a shift, or of a product, quotient or remainder by a power of 2; None for other operations."""
        *rest, last = sorted(args, key=lambda a: not names(a)) if op == "*" else args
        if len(rest) != 1 or (op in ("//", "%") and division == "trunc"):
            return None
        name, factor, more = _plus_a_number(last) or ("", 0, 0)
        if op == "%" and name in self.powers and more == 0 and (below := self.placed(name, factor, -1)) is not None:
            return self.joined("&", self.value(rest[0], division), below)
        number = -1 if names(last) else int(value_of(last, {}, division))
        if op in ("*", "//", "%"):
            number = number.bit_length() - 1 if number > 0 and number & (number - 1) == 0 else -1
        if number < 0:
            return None
        value = self.value(rest[0], division)
        if op == "%":
            return self.joined("&", value, _number((1 << number) - 1))
        by = -number if op in ("<<", "*") else number
        term = Term("<<" if by < 0 else ">>", (value.term, num(number)))
        return _Value(term, {n: d + by for n, d in value.shifts.items()}, max(0, value.low - by))

    def joined(self, op: str, one: _Value, other: _Value) -> _Value:
        """Combines or compares two values place by place; if places of one name differ, the second gets a new name."""
        if any(one.shifts.get(n, by) != by for n, by in other.shifts.items()):
            other = self.named(other.term)
        return _Value(Term(op, (one.term, other.term)), {**one.shifts, **other.shifts}, max(one.low, other.low))

    def leaf(self, term: Term, division: str) -> _Value:
        """A name, or c·n + d; otherwise a new name."""
        name, factor, number = _plus_a_number(term) or ("", 0, 0)
        if factor < 0:
            value = self.placed(name, -factor, -number - 1)
            return self.named(term, division) if value is None else _denied(value)
        return self.placed(name, factor, number) or self.named(term, division)

    def placed(self, name: str, factor: int, number: int) -> _Value | None:
        """The value name·factor + number for a power of 2 as factor, 0 <= number < factor; also for a power of 2 minus
        1.
        """
        if factor < 1 or factor & (factor - 1):
            return None
        value = _of_name(name)
        if number == -1 and name in self.powers:
            value, number = _below(value.term), factor - 1
        if not 0 <= number < factor:
            return None
        by = factor.bit_length() - 1
        term = Term("|", (Term("<<", (value.term, num(by))), num(number))) if by else value.term
        return _Value(term, {name: -by}, by)

    def named(self, term: Term, division: str = "") -> _Value:
        """A new name for a term that is not an operation on bits."""
        name = self.others.setdefault((term, division), fresh("part", self.taken))
        self.taken.add(name)
        return _of_name(name)


def _of_name(name: str) -> _Value:
    return _Value(sym(name), {name: 0}, 0)


def _number(value: int) -> _Value:
    return _Value(num(value), {}, max(value, ~value).bit_length())


def _below(power: Term) -> _Value:
    """A power of 2 minus one, which has the same places."""
    return _Value(Term("-", (power, _ONE)), {power.args[0]: 0}, 0)


def _denied(value: _Value) -> _Value:
    return value._replace(term=Term("~", (value.term,)))


def _plus_a_number(term: Term) -> tuple[str, int, int] | None:
    """Name, c and d if the term is c·name + d."""
    try:
        poly = poly_of(term)
    except (InputError, NotSupported):
        return None
    parts = [m for m in poly if m != ONE]
    return (parts[0][0], poly[parts[0]], poly.get(ONE, 0)) if len(parts) == 1 and len(parts[0]) == 1 else None


def _is_power(term: Term) -> bool:
    """Whether the term is 2**k or 1 << k, or the like for another power of 2, with a symbolic k."""
    if term.op not in ("**", "<<") or term.args[0].op != "int" or not names(term):
        return False
    first = term.args[0].args[0]
    rounds = any(node.op in ("//", "%") for node in walk(term))
    return first > 0 and first & (first - 1) == 0 and not rounds


def _has_one_bit(formula: Term) -> str | None:
    """The name C if the formula is C & C - 1 == 0 or C & -C == C: C is 0 or a power of 2."""
    for both, other in (formula.args, formula.args[::-1]) if formula.op == "==" else ():
        for one, last in (both.args, both.args[::-1]) if both.op == "&" else ():
            if one.op == "sym":
                name, found = one.args[0], (_plus_a_number(last), other)
                if found in (((name, 1, -1), _ZERO), ((name, -1, 0), one)):
                    return str(name)
    return None


_SHARPER = {("<", 1): "<=", ("<=", -1): "<", (">", -1): ">=", (">=", 1): ">"}


def _without_ones(op: str, left: Term, right: Term) -> tuple[str, tuple[Term, Term]]:
    """Removes added constants from a comparison where possible: x < y + 1 becomes x <= y."""
    (one, more), (other, plus) = map(_apart, (left, right))
    apart = plus - more
    if apart == 0 or (op, apart) in _SHARPER:
        return _SHARPER.get((op, apart), op), (one, other)
    return op, (left, right)


def _apart(term: Term) -> tuple[Term, int]:
    """Splits a sum into a term and a number."""
    if term.op in ("+", "-") and len(term.args) == 2:
        first, last = term.args
        if last.op == "int":
            return first, last.args[0] if term.op == "+" else -last.args[0]
        if first.op == "int" and term.op == "+":
            return last, first.args[0]
    return term, 0
