"""Removes divisions, choices, bit operations and powers: each becomes a new name with a fact that defines it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations
from math import prod
from typing import NamedTuple

from symview.errors import InputError, NotSupported
from symview.logic.arithmetic import lowered, parts_of_nest, unnested, unwrapped
from symview.logic.formula import Formula as Formula
from symview.logic.points import bounds_of
from symview.logic.polynomial import (
    ONE,
    Monomial,
    Poly,
    as_term,
    minus,
    plain_comparisons,
    plus,
    poly_of,
    quotient,
    times,
)
from symview.logic.sympy_bridge import to_text
from symview.logic.terms import LEAVES, Term, conj, disj, divisors, fresh, names, negated, num, rewritten, sym

ZERO = num(0)
_MAX_ROUNDS = 3  # rounds of deriving bounds from each other
_UNBOUNDED = 1 << 62


def division_fact(x: Term, y: Term, q: Term, division: str, sign: int) -> Term:
    """The fact that q is x divided by y != 0, by the range of r = x - q·y; `sign` is the sign of y, 0 if unknown."""
    r = Term("-", (x, Term("*", (q, y))))
    cases = [_remainder_fact(r, x, y, division, s) for s in (1, -1)]
    if sign:
        return cases[0] if sign > 0 else cases[1]
    return disj((conj((Term(">", (y, ZERO)), cases[0])), conj((Term("<", (y, ZERO)), cases[1]))))


def _remainder_fact(r: Term, x: Term, y: Term, division: str, sign: int) -> Term:
    """The range of the remainder of x by y, whose sign is given."""
    opposite = Term("neg", (y,))
    size, less = (y, opposite) if sign > 0 else (opposite, y)
    up = Term(">=", (r, ZERO)), Term("<", (r, size))
    down = Term("<=", (r, ZERO)), Term(">", (r, less))
    if division == "trunc":  # 0, or the sign of x
        return disj((conj((Term(">=", (x, ZERO)), *up)), conj((Term("<=", (x, ZERO)), *down))))
    return conj(down if division == "floor" and sign < 0 else up)


def choice_fact(op: str, args: tuple[Term, ...], chosen: Term) -> Term:
    """The fact that `chosen` is the min, max or absolute value of the arguments."""
    if op == "abs":
        args = (args[0], Term("neg", args))
    relation = "<=" if op == "min" else ">="
    bounds = [Term(relation, (chosen, a)) for a in args]
    return conj((*bounds, disj(Term("==", (chosen, a)) for a in args)))


def bits_fact(x: Term, y: Term, both: Term) -> Term:
    """Facts about x & y, which they do not determine."""
    facts = [Term("->", (Term("==", (x, y)), Term("==", (both, x))))]
    for one in (x, y):
        facts.append(Term("->", (Term(">=", (one, ZERO)), conj((Term(">=", (both, ZERO)), Term("<=", (both, one)))))))
        facts.append(Term("->", (Term("==", (one, num(-1))), Term("==", (both, y if one is x else x)))))
    negative = conj(Term("<", (one, ZERO)) for one in (x, y))
    facts.append(Term("->", (negative, conj((Term("<=", (both, x)), Term("<=", (both, y)))))))
    either = disj(Term("<", (one, ZERO)) for one in (x, y))
    return conj((*facts, Term("->", (either, Term(">", (both, Term("+", (x, y))))))))


def gcd_fact(args: Sequence[Term], shares: Sequence[tuple[Term, Term]], common: Term) -> Term:
    """The facts that the gcd divides all arguments, is an integer combination of them, and is not negative."""
    facts = [Term(">=", (common, ZERO))]
    for a, (ratio, _) in zip(args, shares, strict=True):
        facts.append(Term("==", (a, Term("*", (common, ratio)))))
        facts.append(Term("->", (Term(">", (a, ZERO)), conj((Term("<=", (common, a)), Term(">", (common, ZERO)))))))
        below = (Term("<=", (common, Term("neg", (a,)))), Term(">", (common, ZERO)))
        facts.append(Term("->", (Term("<", (a, ZERO)), conj(below))))
    multiples = tuple(Term("*", (factor, a)) for a, (_, factor) in zip(args, shares, strict=True))
    return conj((*facts, Term("==", (common, Term("+", multiples)))))


def power_fact(base: Term, exponent: Term, power: Term, before: Term) -> Term:
    """Facts about a power with a symbolic exponent, which is nonnegative; they do not determine its value."""
    one = Term("->", (Term("==", (exponent, ZERO)), Term("==", (power, num(1)))))
    more = Term("->", (Term(">=", (exponent, num(1))), Term("==", (power, Term("*", (base, before))))))
    positive = Term("->", (Term(">=", (base, num(1))), conj(Term(">=", (p, num(1))) for p in (power, before))))
    grown = Term("->", (Term(">=", (base, num(2))), Term(">", (power, exponent))))
    return conj((one, more, positive, grown))


def power_sums(*powers: tuple[Poly, str]) -> Iterator[Term]:
    """b**(i + j) = b**i · b**j, for each exponent that is the sum of the other two."""
    for n, (whole, product) in enumerate(powers):
        (i, p), (j, q) = (*powers[:n], *powers[n + 1 :])
        if whole == plus(i, j):
            yield Term("==", (sym(product), Term("*", (sym(p), sym(q)))))


def sum_fact(args: Sequence[Term], total: Term) -> Term:
    """Facts about a sum of quotients by a nonzero divisor: it is 0 without terms, and nonnegative if all signs are."""
    count, divisor, *progression = args
    rising = (Term(">", (divisor, ZERO)), *(Term(">=", (a, ZERO)) for a in progression))
    none = Term("->", (Term("<=", (count, ZERO)), Term("==", (total, ZERO))))
    return conj((Term("!=", (divisor, ZERO)), none, Term("->", (conj(rising), Term(">=", (total, ZERO))))))


class Definition(NamedTuple):
    """A new name, and the fact that determines its value.

    `needs` is what the fact assumes, such as a nonzero divisor; `shown` is the same as text. `source` is the operation
    itself, if the fact follows from its value but does not determine it.
    """

    name: str
    fact: Term
    needs: Term | None = None
    shown: str = ""
    source: Term | None = None


class Removed(NamedTuple):
    """Formulas with only + - *, and the definitions that they use, innermost first."""

    formulas: tuple[Term, ...]
    definitions: tuple[Definition, ...]

    def facts(self) -> tuple[Term, ...]:
        """The facts of all definitions."""
        return tuple(d.fact for d in self.definitions)


def remove_divisions(
    formulas: Iterable[Formula], taken: Iterable[str], least: Mapping[str, int] | None = None
) -> Removed:
    """Rewrites the formulas with only +, - and *; equal divisions share their quotient.

    The remainder needs no name: it is x - q·y. Multiples of the divisor are taken out of the dividend. Raises
    InputError for a division by the constant 0. `least` has lower bounds of names that the formulas state. For positive
    names, x//(a·b) becomes (x//a)//b, in a fixed order of the factors, so that the digits of a number are related; and
    if signs are known, the roundings agree.

    >>> from symview.proof.statement import read
    >>> removed = remove_divisions(read("x % 3 < 3", (), "floor").formulas(), ["x"])
    >>> [to_text(f) for f in removed.formulas], [to_text(f) for f in removed.facts()]
    (['x - x//3*3 < 3'], ['x - x//3*3 >= 0 and x - x//3*3 < 3'])
    """
    least = dict(least or {})
    positive = frozenset(n for n, low in least.items() if low > 0)
    formulas = tuple(f._replace(term=_joined(f.term, positive)) for f in formulas)
    remover = _Remover(set(taken), least, _factors_of_divisors(formulas, positive))
    rewritten = tuple(remover.rewrite(f.term, f.division) for f in formulas)
    return Removed(rewritten, tuple(remover.definitions))


def lower_bounds(facts: Iterable[Term]) -> dict[str, int]:
    """Lower bounds of names, derived from single facts in turn.

    >>> from symview.logic.notation import parse_statement
    >>> lower_bounds([parse_statement("b > j"), parse_statement("j >= 2")])
    {'j': 2, 'b': 3}
    """
    facts = tuple(facts)
    known = names(*facts)
    least = {n: low for n, (low, _) in zip(known, bounds_of(facts, known), strict=True) if low is not None}
    compared = [p for relation, p in plain_comparisons(facts) if relation != "!="]
    for _ in range(_MAX_ROUNDS):
        before = dict(least)
        for p in compared:
            for name in (m[0] for m, c in p.items() if len(m) == 1 and c == 1):
                low = _at_least({m: -c for m, c in p.items() if m != (name,)}, least)
                if low > least.get(name, low - 1) and low > -_UNBOUNDED:
                    least[name] = low
        if least == before:
            break
    return least


def beyond_bounds(facts: Sequence[Term]) -> bool:
    """Whether lower bounds of the names exclude one of the facts; False also where they do not tell.

    >>> from symview.logic.notation import parse_statement
    >>> beyond_bounds([parse_statement(f) for f in ("a >= 1", "b >= a", "a*b < 1")])
    True
    """
    least = lower_bounds(facts)
    for relation, p in plain_comparisons(facts):
        negative = {m: -c for m, c in p.items()}
        if (relation != "!=" and _at_least(negative, least) > 0) or (relation == "==" and _at_least(p, least) > 0):
            return True
    return False


def _at_least(p: Poly, least: Mapping[str, int]) -> int:
    """A lower bound of a polynomial whose names are nonnegative; a very low number if none is found."""
    low = p.get(ONE, 0)
    for m, c in p.items():
        if m and (c < 0 or any(least.get(n, -1) < 0 for n in m)):
            return -_UNBOUNDED
        low += c * prod(least[n] for n in m) if m else 0
    return low


def _nonzero_text(divisor: Term) -> str:
    return f"divisor {to_text(Term('!=', (divisor, ZERO)))}"


def _factors_of_divisors(formulas: Iterable[Formula], positive: frozenset[str]) -> list[str]:
    """The positive names that divisors are products of, most frequent first."""
    found = dict.fromkeys(d for f in formulas for d in divisors(f.term))
    counts = Counter(name for d in found for name in _factors(d) or () if name in positive)
    return [name for name, _ in counts.most_common()]


def _joined(term: Term, positive: frozenset[str]) -> Term:
    """Rewrites (x//a)//b as x//(a·b), for products a and b of positive names."""

    def joined(part: Term) -> Term:
        if part.op == part.args[0].op == "//":
            (inner, first), second = part.args[0].args, part.args[1]
            both = Term("*", (first, second))
            if set(_factors(both) or {""}) <= positive:
                return Term("//", (inner, both))
        return part

    return rewritten(term, joined) if positive else term


def _factors(divisor: Term) -> Monomial | None:
    """The names whose product the divisor is, or None."""
    try:
        ((monomial, factor),) = poly_of(divisor).items()
    except (InputError, NotSupported, ValueError):
        return None
    return monomial if factor == 1 else None


class _Remover:
    """Rewrites terms as sums and products of names; `definitions` define the new ones.

    `least` has lower bounds of names; `factors` are names by which a product may be divided one by one.
    """

    def __init__(self, taken: set[str], least: dict[str, int], factors: Sequence[str]) -> None:
        self.taken, self.least, self.factors = taken, least, factors
        self.definitions: list[Definition] = []
        self.known: dict[object, str] = {}
        self.powers: list[tuple[Poly, Poly, str]] = []

    def rewrite(self, term: Term, division: str) -> Term:
        """Rewrites the term without quotients, remainders, choices, bit operations, powers and gcds."""
        if term.op in LEAVES:
            return term
        if (flat := unnested(term)) != term:
            for part in parts_of_nest(term):  # a part that cancels still needs a value
                self.rewrite(part, division)
            return self.rewrite(flat, division)
        args = tuple([self.rewrite(a, division) for a in unwrapped(term).args])
        match term.op:
            case "//":
                return self.quotient(args[0], args[1], division, term)
            case "%":
                q = self.quotient(args[0], args[1], division, term)
                return Term("-", (args[0], Term("*", (q, args[1]))))
            case "min" | "max" | "abs":
                return self.choice(term.op, args)
            case "if":
                return self.either(args)
        lower = lowered(Term(term.op, args))
        match lower.op:
            case "&":
                return self.common_bits(*lower.args)
            case "gcd":
                return self.common_divisor(lower.args)
            case "**":
                return self.power(*lower.args)
            case "floor_sum":
                return self.sum_of_quotients(lower)
        return lower if lower.op == term.op else self.rewrite(lower, "floor")

    def quotient(self, top: Term, bottom: Term, division: str, source: Term) -> Term:
        """The integral part of the division, plus a name for the quotient of the rest."""
        x, y = poly_of(top), poly_of(bottom)
        if not y:
            raise InputError(f"{to_text(source)}: the divisor is always 0")
        positive, signless = _at_least(y, self.least) > 0, _at_least(x, self.least) >= 0
        if positive and (division == "euclid" or signless):
            division = "floor"
        whole, rest = _taken_out(x, y)
        if not rest:
            if not _constant(y):
                nonzero = Term("!=", (bottom, ZERO))
                self.definitions.append(Definition("", nonzero, nonzero, _nonzero_text(source.args[1])))
            return as_term(whole)
        if whole and division != "trunc":
            return Term("+", (as_term(whole), self.quotient(as_term(rest), bottom, division, source)))
        parts = _factors(bottom) or ()
        if len(parts) > 1 and set(parts) <= set(self.factors):
            found = top
            for part in sorted(parts, key=self.factors.index):
                found = self.quotient(found, sym(part), division, Term("//", (found, sym(part))))
            self.definitions.append(Definition("", division_fact(top, bottom, found, division, int(positive))))
            return found

        def defined(name: Term) -> Definition:
            if positive and division == "floor" and _at_least(rest, self.least) >= 0:
                self.least[name.args[0]] = 0
            needs = None if _constant(y) else Term("!=", (bottom, ZERO))
            sign = 1 if positive else -1 if _constant(y) else 0
            fact = division_fact(top, bottom, name, division, sign)
            return Definition("", fact, needs, _nonzero_text(source.args[1]))

        return self.named((division, _key(x), _key(y)), Term("//", source.args[:2]), defined)

    def choice(self, op: str, args: tuple[Term, ...]) -> Term:
        return self.named((op, args), Term(op, args), lambda chosen: Definition("", choice_fact(op, args, chosen)))

    def either(self, args: tuple[Term, ...]) -> Term:
        where, first, other = args

        def defined(chosen: Term) -> Definition:
            cases = [(where, first), (negated(where), other)]
            return Definition("", conj(Term("->", (case, Term("==", (chosen, value)))) for case, value in cases))

        return self.named(("if", args), Term("if", args), defined)

    def common_bits(self, x: Term, y: Term) -> Term:
        """The term for x & y; a remainder if one of them is a power of 2 minus 1."""
        for value, mask in ((x, y), (y, x)):
            all_but = plus(poly_of(mask), {ONE: 1})
            if any(all_but == {(p,): 1} for base, _, p in self.powers if base == {ONE: 2}):
                return self.rewrite(Term("%", (value, as_term(all_but))), "floor")
        both = Term("&", (x, y))
        key = ("&", frozenset((_key(poly_of(x)), _key(poly_of(y)))))
        return self.named(key, both, lambda name: Definition("", bits_fact(x, y, name), source=both))

    def common_divisor(self, args: tuple[Term, ...]) -> Term:
        polys = _reduced([poly_of(a) for a in args])
        if len(polys) == 1:
            return self.rewrite(Term("abs", (as_term(polys[0]),)), "floor")
        args = tuple(map(as_term, polys))

        def defined(common: Term) -> Definition:
            name = common.args[0]
            shares = [(sym(self.fresh(f"{to_text(a)}/{name}")), sym(self.fresh(f"{name}:{to_text(a)}"))) for a in args]
            return Definition("", gcd_fact(args, shares, common))

        return self.named(("gcd", frozenset(map(_key, polys))), Term("gcd", args), defined)

    def sum_of_quotients(self, term: Term) -> Term:
        divisor = term.args[1]
        needs = None if divisor.op == "int" and divisor != ZERO else Term("!=", (divisor, ZERO))
        shown = _nonzero_text(divisor)
        key = ("floor_sum", *(_key(poly_of(a)) for a in term.args))
        return self.named(key, term, lambda total: Definition("", sum_fact(term.args, total), needs, shown, term))

    def power(self, base: Term, exponent: Term) -> Term:
        b, k = poly_of(base), poly_of(exponent)
        whole = Term("**", (base, exponent))

        def defined(power: Term) -> Definition:
            name = power.args[0]
            facts = [power_fact(base, exponent, power, sym(self.fresh(f"{name}/{to_text(base)}")))]
            others = [(of, other) for same, of, other in self.powers if same == b]
            facts += [f for of, other in others for f in self.ordered(base, (k, name), (of, other))]
            for (i, p), (j, q) in combinations([*others, *others], 2):
                facts += power_sums((k, name), (i, p), (j, q))
            self.powers.append((b, k, name))
            needs = Term(">=", (exponent, ZERO))
            return Definition("", conj((needs, *facts)), needs, f"{to_text(exponent)} >= 0", whole)

        return self.named(("**", _key(b), _key(k)), whole, defined)

    def named(self, key: object, shown: Term, defined: Callable[[Term], Definition]) -> Term:
        """The name for this key; a new one is named after the term's text, and defined."""
        if key not in self.known:
            name = self.known[key] = self.fresh(to_text(shown))
            self.definitions.append(defined(sym(name))._replace(name=name))
        return sym(self.known[key])

    def ordered(self, base: Term, one: tuple[Poly, str], two: tuple[Poly, str]) -> Iterator[Term]:
        """Facts that compare two powers of the same base, which is at least 2."""
        (k, p), (j, q) = one, two
        apart = minus(k, j)
        if _constant(apart):
            more, fewer = (p, q) if apart.get(ONE, 0) >= 0 else (q, p)
            factor = lowered(Term("**", (base, num(abs(apart.get(ONE, 0))))))
            yield Term("==", (sym(more), Term("*", (factor, sym(fewer)))))
        elif base.op == "int":
            ratio = sym(self.fresh(f"{p}/{q}"))
            yield Term(">=", (ratio, num(1)))
            for relation, more, fewer in ((">", p, q), ("<", q, p)):
                multiple = Term("==", (sym(more), Term("*", (sym(fewer), ratio))))
                larger = Term(">=", (sym(more), Term("*", (base, sym(fewer)))))
                yield Term("->", (Term(relation, (as_term(apart), ZERO)), conj((multiple, larger))))
            yield Term("->", (Term("==", (as_term(apart), ZERO)), Term("==", (sym(p), sym(q)))))

    def fresh(self, name: str) -> str:
        name = fresh(name, self.taken)
        self.taken.add(name)
        return name


def _reduced(polys: list[Poly]) -> list[Poly]:
    """Polynomials with the same gcd, reduced by multiples of each other."""
    polys = list({frozenset(p.items()): p for p in polys if p}.values()) or [{}]
    for n, m in permutations(range(len(polys)), 2):
        _, rest = _taken_out(polys[n], polys[m])
        if len(rest) < len(polys[n]):
            return _reduced([rest if k == n else p for k, p in enumerate(polys)])
    return polys


def _taken_out(x: Poly, y: Poly) -> tuple[Poly, Poly]:
    """Writes x as p·y plus a rest."""
    if _constant(y):
        size, sign = abs(y[ONE]), 1 if y[ONE] > 0 else -1
        found = {m: sign * (c // size) for m, c in x.items() if c // size}
        return found, minus(x, times(found, y))
    found = quotient(x, y)
    rest = minus(x, times(found, y))
    return (found, rest) if len(rest) < len(x) else ({}, x)


def _key(p: Poly) -> frozenset[tuple[Monomial, int]]:
    return frozenset(p.items())


def _constant(p: Poly) -> bool:
    return all(m == () for m in p)
