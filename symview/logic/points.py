"""Enumerates integer points by size, compiles formulas to functions of a point, and bounds the values of terms."""

from __future__ import annotations

import operator
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import chain, starmap
from typing import TypeAlias, TypeVar

from symview.logic.polynomial import ONE, Poly, plain_comparisons
from symview.logic.terms import OPERATORS, RELATIONS, Term, divide, names, num, value_of

Range: TypeAlias = tuple[int | None, int | None]
Values: TypeAlias = Sequence[int]
Function: TypeAlias = Callable[[Values], int]
_MAX_SHIFT = 600  # longest shift with bounds
T = TypeVar("T")
OF_TWO: dict[str, Callable[[int, int], int]] = {  # faster than the `run` of OPERATORS
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "%": operator.mod,
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def by_size(ranges: Sequence[Range]) -> Iterator[tuple[int, ...]]:
    """The integer points of a box, bounded or not, by the sum of absolute values.

    >>> from itertools import islice
    >>> list(islice(by_size([(None, None), (0, 1)]), 6))
    [(0, 0), (0, 1), (1, 0), (-1, 0), (1, 1), (-1, 1)]
    """
    if any(lo is not None and hi is not None and lo > hi for lo, hi in ranges):
        return
    least, most = _extremes(ranges)
    total = least[0]
    while most[0] < 0 or total <= most[0]:
        yield from _shell(ranges, least, most, total, 0)
        total += 1


def of_size(ranges: Sequence[Range], total: int) -> Iterator[tuple[int, ...]]:
    """The points with one sum of absolute values, in the same order.

    >>> list(of_size([(None, None), (0, 1)], 2))
    [(1, 1), (-1, 1), (2, 0), (-2, 0)]
    """
    return _shell(ranges, *_extremes(ranges), total, 0)


def _extremes(ranges: Sequence[Range]) -> tuple[list[int], list[int]]:
    """The least and the greatest sum of absolute values over the ranges from each position on; -1 if unbounded."""
    least, most = [0], [0]
    for r in reversed(ranges):
        least.append(least[-1] + _least(r))
        far = _most(r)
        most.append(-1 if far < 0 or most[-1] < 0 else most[-1] + far)
    return least[::-1], most[::-1]


def _least(r: Range) -> int:
    """The least absolute value in the range."""
    lo, hi = r
    return lo if lo is not None and lo > 0 else -hi if hi is not None and hi < 0 else 0


def _most(r: Range) -> int:
    """The greatest absolute value in the range; -1 if unbounded."""
    lo, hi = r
    return -1 if lo is None or hi is None else max(abs(lo), abs(hi))


def _shell(
    ranges: Sequence[Range], least: Sequence[int], most: Sequence[int], total: int, at: int
) -> Iterator[tuple[int, ...]]:
    """The points of the dimensions from `at` on whose absolute values add up to `total`.

    `least` and `most` are, per dimension, the extremes of these sums from it on, with -1 for unbounded.
    """
    if at == len(ranges):
        yield ()
        return
    (lo, hi), own = ranges[at], _most(ranges[at])
    start = _least(ranges[at]) if most[at + 1] < 0 else max(_least(ranges[at]), total - most[at + 1])
    end = total - least[at + 1]
    for size in range(start, (end if own < 0 else min(end, own)) + 1):
        for here in (size, -size) if size else (0,):
            if (lo is None or lo <= here) and (hi is None or here <= hi):
                for rest in _shell(ranges, least, most, total - size, at + 1):
                    yield (here, *rest)


def bounds_of(facts: Iterable[Term], names: Sequence[str]) -> list[Range]:
    """The constant bounds of the given variables, each derived from a single fact.

    >>> from symview.logic.notation import parse_statement
    >>> bounds_of([parse_statement("a >= 2"), parse_statement("b + c - b > 0")], ["a", "b"])
    [(2, None), (None, None)]
    """
    found: dict[str, Range] = dict.fromkeys(names, (None, None))
    for name, (lo, hi) in chain.from_iterable(starmap(bounds_by, plain_comparisons(facts))):
        if name in found:
            low, high = found[name]
            low = lo if low is None or (lo is not None and lo > low) else low
            high = hi if high is None or (hi is not None and hi < high) else high
            found[name] = (low, high)
    return [found[n] for n in names]


def bounds_by(relation: str, p: Poly) -> Iterator[tuple[str, Range]]:
    """The bounds given by a comparison of ±name with a number; none for other polynomials."""
    if relation == "!=" or sum(m != ONE for m in p) != 1:
        return
    ((monomial, factor),) = ((m, c) for m, c in p.items() if m != ONE)
    if len(monomial) == 1 and abs(factor) == 1:
        edge = -p.get(ONE, 0) * factor
        yield monomial[0], (edge if factor > 0 or relation == "==" else None,
                            edge if factor < 0 or relation == "==" else None)  # fmt: skip


def compiled(term: Term, names: Sequence[str], division: str) -> Function:
    """Compiles the term to a function of the point; it equals `value_of`, but is faster."""
    op, args = term
    if op in ("int", "bool"):
        return lambda _: int(args[0])
    if op == "sym":
        return operator.itemgetter(names.index(args[0]))
    parts = [compiled(a, names, division) for a in args]
    if op in ("and", "or"):
        return (lambda v: all(f(v) for f in parts)) if op == "and" else (lambda v: any(f(v) for f in parts))
    run = OPERATORS[op].run
    if len(parts) != 2:
        return lambda v: run([f(v) for f in parts])
    f, g = parts
    if op in ("//", "%") and division != "floor":
        return lambda v: divide(f(v), g(v), division)[op == "%"]
    if op == "->":
        return lambda v: not f(v) or g(v)
    if op in OF_TWO:
        each = OF_TWO[op]
        return lambda v: each(f(v), g(v))
    return lambda v: run((f(v), g(v)))


def all_hold(tests: list[Function], point: Values) -> bool:
    """Whether all tests hold at the point; one that fails moves to the front, since it often fails at the next, too.

    >>> tests = [compiled(Term(op, (Term("sym", ("a",)), num(2))), ["a"], "floor") for op in (">", "<")]
    >>> all_hold(tests, (3,)), tests[0]((3,)), all_hold(tests, (1,)), tests[0]((3,))
    (False, False, False, True)
    """
    for n, test in enumerate(tests):
        if not test(point):
            tests.insert(0, tests.pop(n))
            return False
    return True


def value_at(term: Term, values: Mapping[str, int]) -> int | None:
    """The term's value; None if a variable has no value. Caches the compiled term, for repeated use.

    >>> from symview.logic.notation import parse_expression
    >>> value_at(parse_expression("a*b + 1"), {"a": 2, "b": 3})
    7
    """
    order, function = _function(term)
    try:
        point = [values[name] for name in order]
    except KeyError:
        return None
    return function(point)


@lru_cache(4096)
def _function(term: Term) -> tuple[tuple[str, ...], Function]:
    order = names(term)
    return order, compiled(term, order, "floor")


def true_at(formulas: Iterable[Term], point: Mapping[str, int]) -> bool:
    """Whether all formulas are defined and true at the point."""
    try:
        return all(value_of(f, point) for f in formulas)
    except ZeroDivisionError:
        return False


_ANY: Range = (None, None)
_End: TypeAlias = tuple[int, int]  # (0, n), or (-1, 0) and (1, 0) for -∞ and ∞


def range_of(op: str, parts: Sequence[Range], division: str = "floor") -> Range:
    """Bounds of the operator's value for operands in these ranges and nonzero divisors; None if unbounded.

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


def simplified_by_ranges(term: Term, positive: Container[str], known: Mapping[str, Range] | None = None) -> Term:
    """Simplifies quotients, remainders and comparisons by the ranges of their operands.

    `known` has bounds of names; other names are at least 1 if they are `positive`.

    >>> from symview.logic.notation import parse_statement
    >>> from symview.logic.sympy_bridge import to_text
    >>> for text in "o % 4 // 4 == 0", "(o % 8 + 1) // 2 <= 4", "(n % 4) % 8 >= 3", "(o % 8 + 24)//8 == o", "n + 2 > 2":
    ...     print(to_text(simplified_by_ranges(parse_statement(text), "n")))
    True
    True
    n % 4 >= 3
    3 == o
    True
    """
    given = known or {}
    return _simplified(term, lambda name: given.get(name, (1, None) if name in positive else _ANY))[0]


def _simplified(term: Term, of_name: Callable[[str], Range]) -> tuple[Term, Range]:
    """The simplified term, and bounds of its values for positive divisors."""
    op, args = term
    if op in ("int", "sym", "bool"):
        return term, (args[0], args[0]) if op == "int" else of_name(args[0]) if op == "sym" else _ANY
    found = [_simplified(a, of_name) for a in args]
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
    """The truth of the comparison with 0 for a difference from `low` to `high`; None if it varies."""
    signs = [low is None or low < 0, _is_in(0, low, high), high is None or high > 0]
    truths = {bool(OPERATORS[op].run((sign, 0))) for sign, can_be in zip((-1, 0, 1), signs, strict=True) if can_be}
    return truths.pop() if len(truths) == 1 else None


def _is_in(n: int, low: int | None, high: int | None) -> bool:
    return (low is None or low <= n) and (high is None or n <= high)


def is_ranged(op: str) -> bool:
    """Whether bounds are known for the operator."""
    return op in _RANGES or op in ("//", "%", "ceildiv")


def added(one: Range, other: Range) -> Range:
    """The range of a sum."""
    return _each(lambda a, b: a + b, one[0], other[0]), _each(lambda a, b: a + b, one[1], other[1])


def opposite(one: Range) -> Range:
    """The range of the negative."""
    return _each(int.__neg__, one[1]), _each(int.__neg__, one[0])


def _each(run: Callable[..., int], *ends: int | None) -> int | None:
    """The function's value at these ends; None if one is missing."""
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


def _smallest(parts: Sequence[Range]) -> Range:
    return _hull(parts)[0], min(_known(_highs(parts)), default=None)


def _absolute(one: Range) -> Range:
    if _is_natural(one):
        return one
    low, high = opposite(one)
    return (low if _is_natural((low, high)) else 0), _hull([one, (low, high)])[1]


def _bits(parts: Sequence[Range]) -> Range:
    """The range of an operation on the bits of numbers in these ranges."""
    low, high = _hull(parts)
    most = _each(lambda a, b: max(_length(a), _length(b)), low, high)
    return 0 if _is_natural((low, high)) else _each(lambda n: -(1 << n), most), _each(lambda n: (1 << n) - 1, most)


def _length(n: int) -> int:
    return (n if n >= 0 else ~n).bit_length()


def _common_bits(parts: Sequence[Range]) -> Range:
    """The range of x & y: at most each nonnegative operand."""
    natural = [p for p in parts if _is_natural(p)]
    return _smallest([(0, p[1]) for p in natural]) if natural else _bits(parts)


def _shifted(value: Range, by: Range) -> Range:
    low, high = max(0, by[0] or 0), by[1]
    most = None if high is None or high > _MAX_SHIFT else 1 << max(0, high)
    return _product(value, (1 << min(low, _MAX_SHIFT), most))


def _quotient(top: Range, by: Range, division: str) -> Range:
    """The range of a quotient: at most |top|; for a positive divisor, from one end's floor to that of the other."""
    if by[0] is None or by[0] < 1 or (division == "trunc" and not _is_natural(top)):
        most = _absolute(top)[1]
        return (0 if _is_natural(top) and _is_natural(by) else _each(int.__neg__, most)), most
    least, most = by
    return _floor(top[0], least, most), _floor(top[1], most, least)


def _floor(end: int | None, below: int | None, above: int | None) -> int | None:
    """The quotient of an end, negative or not, by a positive divisor; for unbounded divisors, its limit."""
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
    """Whether every number of one range is below every number of the other."""
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
    "min": _smallest,
    "max": lambda p: opposite(_smallest([opposite(x) for x in p])),
    "abs": lambda p: _absolute(p[0]),
    "if": _hull,
}


def least_by_halving(known: T, value: Callable[[T], int], found_at_most: Callable[[int], T | None]) -> T:
    """Finds the item of least value >= 0 by bisection, given an item, and a search for items up to some value.

    >>> squares = [k * k for k in range(10)]
    >>> least_by_halving(81, lambda x: x, lambda most: next((x for x in reversed(squares) if 30 < x <= most), None))
    36
    """
    low, best = 0, known
    while low < value(best):
        middle = (low + value(best)) // 2
        found = found_at_most(middle)
        if found is None:
            low = middle + 1
        else:
            best = found
    return best
