"""Is an index map one-to-one, and which map is its inverse?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from symview.displayed import Displayed
from symview.errors import InputError
from symview.logic.budget import Budget, running
from symview.logic.polynomial import UNIT, Poly, as_ordered_term, as_term, divided, poly_of, times, value
from symview.logic.sympy_bridge import to_text
from symview.logic.terms import Term, conj, fresh, names, substituted, sym
from symview.proof.prover import prove
from symview.proof.statement import Statement
from symview.proof.verdicts import Proved, Refuted, Unknown
from symview.rules.index_expressions import Domain, Expression, Ranges, as_index, injective, listed

_SAMPLE = 7  # sample value of every name, to order coefficients


@dataclass(frozen=True, slots=True)
class OneToOne(Displayed):
    """An index map that is one-to-one: different indices have different values. Truthy, see `theorem`.

    If a divisor may be 0, `bool()` raises Undecided until `assume` excludes that, as for `theorem`, which states the
    claim. `inverse` has an expression for each index over the names in `values`, which stand for the values of the map;
    it returns the index. None if no expression was found.

    >>> found = index_map("(x//4, x % 4)", "x: 0..16")
    >>> found.inverse, found.values, bool(found.theorem)
    ({'x': '4*y0 + y1'}, ('y0', 'y1'), True)
    """

    values: tuple[str, ...]
    inverse: Mapping[str, str] | None
    theorem: Proved

    def __bool__(self) -> bool:
        return bool(self.theorem)

    def __hash__(self) -> int:
        return hash((self.values, self.theorem))

    def __str__(self) -> str:
        left = self.theorem.unstated
        where = f" only where {' and '.join(left)}, which is not stated" if left else ""
        if self.inverse is None:
            return f"one-to-one{where}; no inverse by quotients and remainders was found"
        back = ", ".join(f"{name} = {text}" for name, text in self.inverse.items())
        return f"one-to-one{where}: {back}"

    def to_dict(self) -> dict[str, Any]:
        """The fields for JSON; `one_to_one` is None until the formulas in `unstated` are assumed."""
        left = list(self.theorem.unstated)
        return {
            "one_to_one": None if left else True,
            "unstated": left,
            "values": list(self.values),
            "inverse": None if self.inverse is None else dict(self.inverse),
        }


def index_map(
    expressions: Expression | Sequence[Expression],
    ranges: Ranges | str,
    assume: Statement | Sequence[Statement] = (),
    division: str = "floor",
    budget: Budget | None = None,
) -> OneToOne | Refuted | Unknown:
    """Whether an index map takes different indices to different values, and its inverse.

    `expressions`: one or several, as a list or as text in parentheses. `ranges`: a size or a pair (first, last + 1) for
    each index, or text such as "x: 0..16, y: n". Sizes may be names. A refutation has two indices with the same value;
    the second one's x is x_2. The inverse consists of quotients and remainders of the values, and is proved for all
    indices in the ranges.
    Raises InputError for anything that is no index map.

    >>> print(index_map("i*m + j", "i: n, j: m", assume="m >= 1"))
    one-to-one: i = y0//m, j = y0 % m
    >>> index_map("x//4 + x % 4", "x: 0..16").values
    {'x': 1, 'x_2': 4}
    """
    budget, given = running(budget), _expressions(expressions)
    read = read_ranges(ranges)
    domain = Domain(given, read, assume, division, budget)
    used = dict.fromkeys((*names(*given, *domain.facts), *read))
    values = tuple([fresh(f"y{n}", used, "_") for n in range(len(given))])
    found = _inverse(given, values, domain.ranges)
    if found is not None:
        terms = dict(zip(values, given, strict=True))
        back = conj(Term("==", (substituted(t, terms), sym(x))) for x, t in found.items())
        theorem = prove(back, domain.facts, division, budget=budget)
        if isinstance(theorem, Proved):
            return OneToOne(values, {x: to_text(t) for x, t in found.items()}, theorem)
    verdict = injective(given, read, assume, division, budget)
    return OneToOne(values, None, verdict) if isinstance(verdict, Proved) else verdict


def read_ranges(ranges: Ranges | str) -> Ranges:
    """The ranges by name; parses text such as "x: 0..16, y: n".

    >>> read_ranges("x: 0..16, y: n")
    {'x': ('0', '16'), 'y': 'n'}
    """
    if not isinstance(ranges, str):
        return ranges
    found = dict[str, Any]()
    for part in _parts(ranges):
        name, colon, text = (x.strip() for x in part.partition(":"))
        if not colon or not name.isidentifier() or not text:
            raise InputError(f"range {part.strip()!r}: write a name and a size, or a start and an end: x: 0..16")
        low, dots, high = (x.strip() for x in text.partition(".."))
        found[name] = (low, high) if dots else text
    return found


def _expressions(given: Any) -> list[Term]:
    """The expressions in a list, or in text, perhaps in parentheses."""
    if isinstance(given, str):
        text = given.strip()
        given = _parts(text[1:-1] if text.startswith("(") and _closes_last(text) else text)
    return list(map(as_index, listed(given)))


def _parts(text: str) -> list[str]:
    """The parts separated by commas outside of parentheses."""
    found, depth = [""], 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return found


def _closes_last(text: str) -> bool:
    """Whether the first parenthesis is closed by the last one."""
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return place == len(text) - 1
    return False


# The inverse: digits of the indices by the values, and indices by their digits


class _Digit(NamedTuple):
    """(x // place) % size of the index named `of`; without a size, only the quotient."""

    of: str
    place: Poly
    size: Poly | None


def _inverse(
    expressions: Sequence[Term], values: Sequence[str], ranges: Mapping[str, tuple[Term, Term]]
) -> dict[str, Term] | None:
    """Each index as an expression in the values, if these are sums of digits; it still has to be proved."""
    digits = list[tuple[_Digit, Term]]()
    for expression, name in zip(expressions, values, strict=True):
        if (sum_ := _digits_of(expression, ranges)) is None:
            return None
        digits += _read_off(*sum_, sym(name))
    found = {}
    for index in ranges:
        own = sorted([pair for pair in digits if pair[0].of == index], key=lambda pair: _at_sample(pair[0].place))
        follow = all(d.size is not None and times(d.place, d.size) == e.place for (d, _), (e, _) in pairwise(own))
        if not own or own[0][0].place != UNIT or not follow:
            return None
        opaque: dict[str, Term] = {}
        whole = poly_of(Term("+", tuple([_scaled(term, digit.place) for digit, term in own])), opaque)
        found[index] = as_ordered_term(whole, opaque)
    return found


def _digits_of(expression: Term, ranges: Mapping[str, Any]) -> tuple[list[tuple[Poly, _Digit]], Poly] | None:
    """The digits in a sum with their coefficients, and the part without indices; None if it is no such sum."""
    opaque: dict[str, Term] = {}
    digits = list[tuple[Poly, _Digit]]()
    constant: Poly = {}
    for monomial, coefficient in poly_of(expression, opaque).items():
        own = [n for n in monomial if set(names(opaque.get(n, sym(n)))) & set(ranges)]
        if not own and not set(monomial) & set(opaque):
            constant[monomial] = coefficient
            continue
        digit = _digit(opaque.get(own[0], sym(own[0])), ranges) if len(own) == 1 else None
        rest = tuple([n for n in monomial if n not in own])
        if digit is None or set(rest) & set(opaque):
            return None
        digits.append(({rest: coefficient}, digit))
    return digits, constant


def _digit(term: Term, ranges: Mapping[str, Any]) -> _Digit | None:
    """The term as a digit; None if it is not one."""
    size: Poly | None = None
    if term.op == "%":
        term, by = term.args
        size = poly_of(by, {})
    place: Poly = UNIT
    while term.op == "//":
        term, by = term.args
        place = times(place, poly_of(by, {}))
    return _Digit(term.args[0], place, size) if term.op == "sym" and term.args[0] in ranges else None


def _read_off(summands: Sequence[tuple[Poly, _Digit]], constant: Poly, name: Term) -> list[tuple[_Digit, Term]]:
    """Each digit as an expression in the value of the sum, if the coefficients are place values."""
    top = Term("-", (name, as_term(constant))) if constant else name
    ordered = sorted(summands, key=lambda s: _at_sample(s[0]))
    found = list[tuple[_Digit, Term]]()
    for place, (coefficient, digit) in enumerate(ordered):
        read = top if coefficient == UNIT else Term("//", (top, as_term(coefficient)))
        if place + 1 < len(ordered):
            size, rest = divided(ordered[place + 1][0], coefficient)
            read = read if rest else Term("%", (read, as_term(size)))
        found.append((digit, read))
    return found


def _scaled(term: Term, by: Poly) -> Term:
    return term if by == UNIT else Term("*", (as_term(by), term))


def _at_sample(p: Poly) -> int:
    """The value of the polynomial if each name has the sample value."""
    return value(p, {m: _SAMPLE ** len(m) for m in p})
