"""Is an index map one-to-one, and which map is its inverse?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from symview.displayed import Displayed
from symview.errors import InputError, NotSupported
from symview.logic.arithmetic import lowered_where_known
from symview.logic.budget import Budget, running
from symview.logic.polynomial import (
    ONE,
    UNIT,
    Monomial,
    Poly,
    as_ordered_term,
    as_term,
    atom_term,
    divided,
    expanded,
    minus,
    negative,
    plus,
    times,
    value,
)
from symview.logic.sympy_bridge import to_text
from symview.logic.terms import Term, conj, fresh, names, num, rewritten, substituted, sym, walk
from symview.proof.prover import prove
from symview.proof.statement import Statement
from symview.proof.verdicts import Proved, Refuted, Unknown, Verdict
from symview.rules.index_expressions import Domain, Expression, Ranges, as_index, injective, listed
from symview.rules.programs.notation import split_entries

_FEW = 2  # digits of a sum that Z3 separates without lemmas
_SAMPLE = 7  # sample value of every name, to order coefficients


@dataclass(frozen=True, slots=True)
class OneToOne(Displayed):
    """An index map that is one-to-one: different indices have different values. Truthy, see `theorem`.

    If a divisor may be 0, `bool()` raises Undecided until `assume` excludes that, as for `theorem`, which states the
    claim. `inverse` has an expression for each index over the names in `values`, which stand for the values of the map;
    it returns the index. None if no expression was found. `positive` are the names that are taken to be 1 or more.

    >>> found = index_map("(x//4, x % 4)", "x: 0..16")
    >>> found.inverse, found.values, bool(found.theorem)
    ({'x': '4*y0 + y1'}, ('y0', 'y1'), True)
    """

    values: tuple[str, ...]
    inverse: Mapping[str, str] | None
    theorem: Proved
    positive: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.theorem)

    def __hash__(self) -> int:
        return hash((self.values, self.theorem))

    def __str__(self) -> str:
        left = self.theorem.unstated
        where = f" for {' and '.join(f'{n} >= 1' for n in self.positive)}" if self.positive else ""
        where += f" if {' and '.join(left)}, which has to be assumed" if left else ""
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
            "positive": list(self.positive),
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
    each index, or text such as "x: 0..16, y: n". Sizes may have names, which are positive (`n >= 0` allows 0). A
    refutation has two indices with the same value; the second one's x is x_2. The inverse consists of quotients and
    remainders of the values, and of ^ where the map does, and is proved for all indices in the ranges.
    Raises InputError for anything that is not an index map.

    >>> print(index_map("i*m + j", "i: n, j: m", assume="m >= 1"))
    one-to-one: i = y0//m, j = y0 % m
    >>> index_map("x//4 + x % 4", "x: 0..16").values
    {'x': 1, 'x_2': 4}
    """
    budget, given = running(budget), _expressions(expressions, division)
    read = read_ranges(ranges)
    domain = Domain(given, read, assume, division, budget)
    used = dict.fromkeys((*names(*given, *domain.facts), *read))
    values = tuple([fresh(f"y{n}", used, "_") for n in range(len(given))])
    with suppress(InputError, NotSupported):  # the inverse would divide by 0, or a sum has too many terms
        if (mapped := _inverted(domain, values)) is not None:
            return mapped
    verdict = injective(given, read, assume, division, budget)
    return OneToOne(values, None, verdict, domain.names_positive()) if isinstance(verdict, Proved) else verdict


def _inverted(domain: Domain, values: tuple[str, ...]) -> OneToOne | None:
    """The map with its inverse, if one is found and proved."""
    inverter = _Inverter(domain.terms, domain.ranges)
    if (found := inverter.inverse(values)) is None:
        return None
    terms = dict(zip(values, domain.terms, strict=True))

    def proved(claim: Term, by: Sequence[Proved] = ()) -> Verdict:
        return prove(substituted(claim, terms), domain.facts, domain.division, by, budget=domain.budget)

    lemmas = [t for claim in dict.fromkeys(inverter.lemmas) if isinstance(t := proved(claim), Proved)]
    theorem = proved(conj(Term("==", (t, sym(x))) for x, t in found.items()), lemmas)
    if not isinstance(theorem, Proved):
        return None
    return OneToOne(values, {x: to_text(t) for x, t in found.items()}, theorem, domain.names_positive())


def read_ranges(ranges: Ranges | str) -> Ranges:
    """The ranges by name; parses text such as "x: 0..16, y: n".

    >>> read_ranges("x: 0..16, y: n")
    {'x': ('0', '16'), 'y': 'n'}
    """
    if not isinstance(ranges, str):
        return ranges
    found = dict[str, Any]()
    for part in map(str, split_entries(ranges)):
        name, colon, text = (x.strip() for x in part.partition(":"))
        if not colon or not name.isidentifier() or not text:
            raise InputError(f"range {part.strip()!r}: write a name and a size, or a start and an end: x: 0..16")
        low, dots, high = (x.strip() for x in text.partition(".."))
        found[name] = (low, high) if dots else text
    return found


def _expressions(given: Any, division: str) -> list[Term]:
    """The expressions in a list, or in text, perhaps in parentheses."""
    several = split_entries(given) if isinstance(given, str) else listed(given)
    return [as_index(one, division) for one in several]


# The inverse: the digits of the indices by the values, and the indices by their digits


class _Digit(NamedTuple):
    """The digits start, …, stop - 1 of an index, counted in the places where it is cut."""

    of: str
    start: int
    stop: int


class _Inverter:
    """Finds each index as an expression in the values, if these are sums of digits; it still has to be proved.

    Every index is cut into digits wherever an expression cuts it. A sum has a coefficient for each digit, and if these
    are place values, the digits can be read off it. Of x ^ y, the value of x is known once the indices of y are.
    """

    def __init__(self, expressions: Sequence[Term], ranges: Mapping[str, tuple[Term, Term]]) -> None:
        self.ranges, self.terms = ranges, [_without_shifts(e) for e in expressions]
        self.lemmas = list[Term]()
        cuts = [cut for t in self.terms for part in walk(t) if (cut := self.cut(part)) is not None]
        self.places = {
            x: self.places_of(x, [p for name, *ends in cuts if name == x for p in ends if p]) for x in ranges
        }

    def inverse(self, values: Sequence[str]) -> dict[str, Term] | None:
        """The expression for each index; None if one is not found."""
        found = {x: low for x, (low, high) in self.ranges.items() if self.poly(Term("-", (high, low))) == UNIT}
        while len(found) < len(self.ranges):
            sums = [self.seen(t, sym(v), found) for t, v in zip(self.terms, values, strict=True)]
            digits = [pair for seen in sorted(sums, key=len) for pair in seen]
            more = {x: t for x in self.ranges if x not in found and (t := self.whole(x, digits)) is not None}
            if not more:
                return None
            found |= more
        return {x: found[x] for x in self.ranges}

    def seen(self, term: Term, value: Term, found: Mapping[str, Term]) -> list[tuple[_Digit, Term]]:
        """The digits that can be read off the value of a term, where some indices are already found."""
        if term.op == "^":
            for known, other in (term.args, term.args[::-1]):
                if self.indices(known) <= found.keys():
                    return self.seen(other, Term("^", (value, substituted(known, found))), found)
            return []
        digits = list[tuple[_Digit, Term]]()
        for part, read in self.read_off(*self.summands(term), value):
            if isinstance(part, _Digit):
                digits.append((part, read))
            elif part.op == "^":
                digits += self.seen(part, read, found)
        return digits

    def whole(self, index: str, digits: Sequence[tuple[_Digit, Term]]) -> Term | None:
        """The index as the sum of its digits; None if one is missing."""
        places, at, parts = self.places[index], 0, list[Term]()
        while at < len(places):
            here = [(d, t) for d, t in digits if d.of == index and d.start <= at < d.stop]
            if not here:
                return None
            digit, read = max(here, key=lambda pair: pair[0].stop)
            rest = self.over(read, _ratio(places, digit.start, at))
            parts.append(rest if at == 0 else Term("*", (self.term(places[at]), rest)))
            at = digit.stop
        if not parts:
            return None
        return as_ordered_term(expanded(Term("+", tuple(parts))))

    # Digits

    def cut(self, term: Term) -> tuple[str, Poly, Poly | None] | None:
        """x, p and q, if the term is x // p % (q // p); without q, if it is x // p."""
        if term.op == "sym" and term.args[0] in self.ranges:
            return term.args[0], UNIT, None
        if term.op not in ("//", "%") or self.indices(term.args[1]) or (inner := self.cut(term.args[0])) is None:
            return None
        name, place, end = inner
        reached = times(place, self.poly(term.args[1]))
        if not reached:
            return None
        if term.op == "%":
            if end is None or _divides(reached, end):
                return name, place, reached
            return inner if _divides(end, reached) else None
        return (name, reached, end) if end is None or _divides(reached, end) else None

    def places_of(self, index: str, cuts: Sequence[Poly]) -> list[Poly]:
        """The places where the index is cut, from 1 up to its size; empty unless each is a multiple of the last."""
        low, high = self.ranges[index]
        size, found = self.poly(high), [UNIT]
        for place in sorted(cuts, key=_at_sample):
            if low == num(0) and _reaches(place, size):
                continue
            if not _divides(found[-1], place):
                return []
            found += [place] if place != found[-1] else []
        return found

    def digit(self, term: Term) -> _Digit | None:
        """The digits of an index that the term is; None if it is not."""
        if (cut := self.cut(term)) is None or not (places := self.places[cut[0]]):
            return None
        start, stop = (places.index(p) if p in places else len(places) for p in cut[1:])
        return _Digit(cut[0], start, stop)

    def bounds(self, digit: _Digit) -> tuple[Poly, Poly]:
        """The least and the greatest value."""
        places, (low, high) = self.places[digit.of], self.ranges[digit.of]
        if digit.stop < len(places):
            return {}, minus(_ratio(places, digit.start, digit.stop), UNIT)
        first, last = (self.over(t, places[digit.start]) for t in (low, Term("-", (high, num(1)))))
        return self.poly(first), self.poly(last)

    # Sums

    def summands(self, term: Term) -> tuple[list[tuple[Poly, _Digit | Term]], Poly]:
        """The digits in a sum with their coefficients, other terms likewise, and the part without indices.

        Digits that continue one another are one. There are none if the term is no such sum.
        """
        digits: dict[tuple[str, int], Poly] = {}
        found, constant = list[tuple[Poly, _Digit | Term]](), dict[Monomial, int]()
        for monomial, coefficient in expanded(term).items():
            parts = [p for v in monomial if self.indices(p := atom_term(v))]
            rest = [v for v in monomial if not self.indices(atom_term(v))]
            factor: Poly = {tuple(rest): coefficient}
            if len(parts) > 1:
                return [], {}
            if not parts:
                constant |= factor
            elif (digit := self.digit(parts[0])) is None:
                found.append((factor, parts[0]))
            else:
                for at in range(digit.start, digit.stop):
                    more = times(factor, _ratio(self.places[digit.of], digit.start, at))
                    digits[digit.of, at] = plus(digits.get((digit.of, at), {}), more)
        for name, places in self.places.items():
            at = 0
            while at < len(places):
                start, lead = at, digits.get((name, at), {})
                at += 1
                while lead and at < len(places) and digits.get((name, at)) == times(lead, _ratio(places, start, at)):
                    at += 1
                if lead:
                    found.append((lead, _Digit(name, start, at)))
        return found, constant

    def read_off(
        self, summands: Sequence[tuple[Poly, _Digit | Term]], constant: Poly, value: Term
    ) -> Iterator[tuple[_Digit | Term, Term]]:
        """Each part as an expression in the value of the sum, if the coefficients are place values, from the top down.

        Adds lemmas: the value divided by the place value of a part is that part and what is above it.
        """
        ordered = sorted(summands, key=lambda s: -abs(_at_sample(s[0])))
        starts = [self.start(coefficient, part, n == 0) for n, (coefficient, part) in enumerate(ordered)]
        for (coefficient, _), start in zip(ordered, starts, strict=True):
            constant = plus(constant, times(coefficient, start))
        left = self.term(minus(self.poly(value), constant))
        above: Poly = {}
        total: Poly = {}
        for (coefficient, part), start in zip(ordered, starts, strict=True):
            down = _at_sample(coefficient) < 0
            place = negative(coefficient) if down else coefficient
            size, rest = divided(above, place)
            if rest:
                left, total = Term("%", (left, self.term(above))), {}
            read = quotient = self.over(left, place)
            if size and not rest:
                read = Term("%", (quotient, self.term(size)))
            if down:
                read = Term("-", (self.term(start), read))
            elif start:
                read = Term("+", (read, self.term(start)))
            yield part, read
            total = plus(total, times(coefficient, minus(self.poly(self.part(part)), start)))
            if len(ordered) > _FEW and value.op == "sym" and place != UNIT and _divides(place, total):
                self.lemmas.append(Term("==", (quotient, self.term(divided(total, place)[0]))))
            above = place

    def start(self, coefficient: Poly, part: _Digit | Term, top: bool) -> Poly:
        """The value of a part where its product is least; 0 of the top part, which may have any sign."""
        least, most = self.bounds(part) if isinstance(part, _Digit) else ({}, {})
        return most if _at_sample(coefficient) < 0 else {} if top else least

    def part(self, part: _Digit | Term) -> Term:
        """The part as a term."""
        if not isinstance(part, _Digit):
            return part
        places = self.places[part.of]
        found = self.over(sym(part.of), places[part.start])
        return (
            found if part.stop == len(places) else Term("%", (found, self.term(_ratio(places, part.start, part.stop))))
        )

    # Terms

    def indices(self, term: Term) -> set[str]:
        """The indices in the term."""
        return set(names(term)) & set(self.ranges)

    def poly(self, term: Term) -> Poly:
        """The term as a polynomial."""
        return expanded(term)

    def term(self, poly: Poly) -> Term:
        """The polynomial as a term."""
        return as_term(poly)

    def over(self, term: Term, by: Poly) -> Term:
        """The term // by."""
        return term if by == UNIT or term == num(0) else lowered_where_known(Term("//", (term, self.term(by))))


def _without_shifts(expression: Term) -> Term:
    """The expression with // % and + for shifts, masks and |, as if the operands of | shared no bits."""
    joined = rewritten(expression, lambda t: Term("+", t.args) if t.op == "|" else t)
    return lowered_where_known(joined, ("^",))


def _divides(p: Poly, q: Poly) -> bool:
    return not divided(q, p, floor=False)[1]


def _reaches(place: Poly, size: Poly) -> bool:
    """Whether no index of that size gets to the place, as far as is seen at once."""
    numbers = place.keys() | size.keys() <= {ONE}
    return value(place, {}) >= value(size, {}) if numbers else not size or _divides(size, place)


def _ratio(places: Sequence[Poly], start: int, stop: int) -> Poly:
    return divided(places[stop], places[start])[0]


def _at_sample(p: Poly) -> int:
    """The value of the polynomial if each name has the sample value."""
    return value(p, {m: _SAMPLE ** len(m) for m in p})
