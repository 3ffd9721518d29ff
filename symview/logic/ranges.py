"""Between which numbers values lie, operator by operator; and what that settles of a formula."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from functools import reduce
from typing import TypeAlias

from symview.logic.operators import OPERATORS, RELATIONS
from symview.logic.points import Range
from symview.logic.terms import Term, num

_ANY: Range = (None, None)
_LONGEST = 600  # bits by which a shift has a bound
_End: TypeAlias = tuple[int, int]  # (0, n), or (-1, 0) and (1, 0) where there is no bound


def range_of(op: str, parts: Sequence[Range], division: str = "floor") -> Range:
    """Bounds of what the operator makes of operands in these ranges, no divisor being 0; None for no bound.

    >>> range_of("*", [(-1, None), (2, 3)]), range_of("//", [(0, None), (2, 5)]), range_of("%", [(3, 9), (1, 4)])
    ((-3, None), (0, None), (0, 3))
    """
    match op:
        case "//":
            return _quotient(parts[0], parts[1], division)
        case "%":
            return _remainder(parts[0], parts[1], division)
        case "ceildiv":
            return opposite(_quotient(opposite(parts[0]), parts[1], "floor"))
    return _RANGES[op](parts) if op in _RANGES else _ANY


def settled(term: Term, positive: Container[str], known: Mapping[str, Range] | None = None) -> Term:
    """The same with quotients, remainders and comparisons as the numbers between which their parts lie settle them.

    `known`: bounds of names; others are from 1 on where they are `positive`.

    >>> from symview.logic.notation import parse_statement
    >>> from symview.logic.sympy_bridge import to_text
    >>> for text in "o % 4 // 4 == 0", "(o % 8 + 1) // 2 <= 4", "(n % 4) % 8 >= 3", "(o % 8 + 24)//8 == o", "n + 2 > 2":
    ...     print(to_text(settled(parse_statement(text), "n")))
    True
    True
    n % 4 >= 3
    3 == o
    True
    """
    given = known or {}
    return _settled(term, lambda name: given.get(name, (1, None) if name in positive else _ANY))[0]


def _settled(term: Term, of_name: Callable[[str], Range]) -> tuple[Term, Range]:
    """The same, and bounds of the values at which no divisor is 0, or less."""
    op, args = term
    if op in ("int", "sym", "bool"):
        return term, (args[0], args[0]) if op == "int" else of_name(args[0]) if op == "sym" else _ANY
    found = [_settled(a, of_name) for a in args]
    parts = [bounds for _, bounds in found]
    term = Term(op, tuple([a for a, _ in found]))
    if op in RELATIONS:
        truth = _compared(op, *added(parts[0], opposite(parts[1])))
        return (term if truth is None else Term("bool", (truth,))), _ANY
    if op not in ("//", "%"):
        return term, range_of(op, parts)
    if parts[1][0] is None or parts[1][0] <= 0:
        return term, _ANY
    low, high = range_of(op, parts)
    if low is not None and low == high:
        return num(low), (low, low)
    same = op == "%" and _is_below(*parts) and _is_natural(parts[0])
    return (found[0][0] if same else term), (low, high)


def _compared(op: str, low: int | None, high: int | None) -> bool | None:
    """Whether a difference from `low` to `high` compares so with 0, always or never; None where neither is seen."""
    signs = [low is None or low < 0, _is_in(0, low, high), high is None or high > 0]
    truths = {bool(OPERATORS[op].run((sign, 0))) for sign, can_be in zip((-1, 0, 1), signs, strict=True) if can_be}
    return truths.pop() if len(truths) == 1 else None


def _is_in(n: int, low: int | None, high: int | None) -> bool:
    return (low is None or low <= n) and (high is None or n <= high)


def is_ranged(op: str) -> bool:
    """Whether the operator's value has a bound at all."""
    return op in _RANGES or op in ("//", "%", "ceildiv")


def added(one: Range, other: Range) -> Range:
    """Of a sum."""
    return _each(lambda a, b: a + b, one[0], other[0]), _each(lambda a, b: a + b, one[1], other[1])


def opposite(one: Range) -> Range:
    """Of what is negated."""
    return _each(int.__neg__, one[1]), _each(int.__neg__, one[0])


def _each(run: Callable[..., int], *ends: int | None) -> int | None:
    """The value at these ends; None where one is missing."""
    return None if None in ends else run(*ends)


def _known(ends: Sequence[int | None]) -> list[int]:
    return [x for x in ends if x is not None]


def _lows(parts: Sequence[Range]) -> list[int | None]:
    return [low for low, _ in parts]


def _highs(parts: Sequence[Range]) -> list[int | None]:
    return [high for _, high in parts]


def _is_natural(one: Range) -> bool:
    return one[0] is not None and one[0] >= 0


def _product(one: Range, other: Range) -> Range:
    corners = [_times(a, b) for a in _ends(one) for b in _ends(other)]
    low, high = min(corners), max(corners)
    return None if low[0] else low[1], None if high[0] else high[1]


def _ends(one: Range) -> tuple[_End, _End]:
    return (-1, 0) if one[0] is None else (0, one[0]), (1, 0) if one[1] is None else (0, one[1])


def _times(a: _End, b: _End) -> _End:
    if not a[0] and not b[0]:
        return 0, a[1] * b[1]
    sides = [far or (n > 0) - (n < 0) for far, n in (a, b)]
    return sides[0] * sides[1], 0


def _hull(parts: Sequence[Range]) -> Range:
    return _each(lambda *ends: min(ends), *_lows(parts)), _each(lambda *ends: max(ends), *_highs(parts))


def _least(parts: Sequence[Range]) -> Range:
    return _hull(parts)[0], min(_known(_highs(parts)), default=None)


def _absolute(one: Range) -> Range:
    if _is_natural(one):
        return one
    low, high = opposite(one)
    return (low if _is_natural((low, high)) else 0), _hull([one, (low, high)])[1]


def _bits(parts: Sequence[Range]) -> Range:
    """Whatever numbers of so many bits come to."""
    low, high = _hull(parts)
    most = _each(lambda a, b: max(_length(a), _length(b)), low, high)
    return 0 if _is_natural((low, high)) else _each(lambda n: -(1 << n), most), _each(lambda n: (1 << n) - 1, most)


def _length(n: int) -> int:
    return (n if n >= 0 else ~n).bit_length()


def _common_bits(parts: Sequence[Range]) -> Range:
    """Of x & y: no more than any of them that is not negative."""
    natural = [p for p in parts if _is_natural(p)]
    return _least([(0, p[1]) for p in natural]) if natural else _bits(parts)


def _shifted(value: Range, by: Range) -> Range:
    low, high = max(0, by[0] or 0), by[1]
    most = None if high is None or high > _LONGEST else 1 << max(0, high)
    return _product(value, (1 << min(low, _LONGEST), most))


def _quotient(top: Range, by: Range, division: str) -> Range:
    """Of absolute values no larger than the top's; of a positive divisor from end to end, as floors fall and rise."""
    if by[0] is None or by[0] < 1 or (division == "trunc" and not _is_natural(top)):
        most = _absolute(top)[1]
        return (0 if _is_natural(top) and _is_natural(by) else _each(int.__neg__, most)), most
    least, most = by
    return _floor(top[0], least, most), _floor(top[1], most, least)


def _floor(end: int | None, below: int | None, above: int | None) -> int | None:
    """The quotient of an end below 0 or above by a positive divisor, or as it is in the end as divisors grow."""
    if end is None:
        return None
    by = below if end < 0 else above
    return end // (abs(end) + 1 if by is None else by)


def _remainder(top: Range, by: Range, division: str) -> Range:
    most = _each(lambda a, b: max(abs(a), abs(b), 1) - 1, *by)
    natural = division == "euclid" or _is_natural(by if division == "floor" else top)
    if not natural:
        return _each(int.__neg__, most), most
    if not _is_natural(top):
        return 0, most
    return top if _is_below(top, by) else (0, min(_known([most, top[1]]), default=None))


def _is_below(one: Range, other: Range) -> bool:
    """Whether all of one range is below all of the other."""
    return one[1] is not None and other[0] is not None and one[1] < other[0]


_RANGES: dict[str, Callable[[Sequence[Range]], Range]] = {
    "+": lambda p: reduce(added, p),
    "-": lambda p: added(p[0], opposite(p[1])),
    "neg": lambda p: opposite(p[0]),
    "~": lambda p: added(opposite(p[0]), (-1, -1)),
    "*": lambda p: reduce(_product, p),
    "&": _common_bits,
    "|": _bits,
    "^": _bits,
    "<<": lambda p: _shifted(*p),
    ">>": lambda p: (_each(lambda n: min(n, 0), p[0][0]), _each(lambda n: max(n, 0), p[0][1])),
    "min": _least,
    "max": lambda p: opposite(_least([opposite(x) for x in p])),
    "abs": lambda p: _absolute(p[0]),
    "if": _hull,
}
