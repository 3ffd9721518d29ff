"""Removing division: every x//y and x % y becomes a fresh quotient and what defines it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from symview.errors import InputError, NotSupported
from symview.logic.points import bounds_of
from symview.logic.polynomial import Monomial, Poly, poly_of
from symview.logic.sympy_bridge import to_text
from symview.logic.terms import Term, conj, disj, names, num, sym, value_of, walk

ZERO = num(0)


class Formula(NamedTuple):
    """One formula with the rounding its divisions mean and the text it is shown as."""

    term: Term
    division: str
    text: str

    def holds(self, values: dict[str, int]) -> bool:
        """Whether it is true at these values, in plain integers; ZeroDivisionError where it is undefined."""
        return bool(value_of(self.term, values, self.division))

    def divisors_at(self, values: dict[str, int]) -> Iterator[int | bool]:
        """The value of each divisor, innermost last, also of those that short-circuiting would skip."""
        for node in walk(self.term):
            if node.op in ("//", "%"):
                yield value_of(node.args[1], values, self.division)


class Definition(NamedTuple):
    """A fresh name, the fact that fixes its value, and the divisor that the fact takes to be nonzero.

    `shown` is the divisor as it was written.
    """

    name: str
    fact: Term
    divisor: Term | None = None
    shown: str = ""


class Removed(NamedTuple):
    """Formulas without division, min, max and abs, and the definitions they use, innermost first."""

    formulas: tuple[Term, ...]
    definitions: tuple[Definition, ...]

    def facts(self) -> tuple[Term, ...]:
        """What the definitions say."""
        return tuple(d.fact for d in self.definitions)


def remove_divisions(formulas: Iterable[Formula], taken: Iterable[str], positive: Iterable[str] = ()) -> Removed:
    """The formulas over +, - and * alone; equal divisions share their quotient.

    The remainder needs no name: it is x - q·y. Raises InputError for a division by the constant 0. Of names known to be
    `positive`, x//(a·b) becomes (x//a)//b, in one order of the factors: so the digits of a number are tied together.

    >>> from symview.proof.statement import read
    >>> removed = remove_divisions(read("x % 3 < 3", (), "floor").formulas(), ["x"])
    >>> [to_text(f) for f in removed.formulas], [to_text(f) for f in removed.facts()]
    (['x - x//3*3 < 3'], ['x - x//3*3 >= 0 and x - x//3*3 < 3'])
    """
    formulas = tuple(formulas)
    remover = _Remover(set(taken), _factors_of_divisors(formulas, frozenset(positive)))
    rewritten = tuple(remover.rewrite(f.term, f.division) for f in formulas)
    return Removed(rewritten, tuple(remover.definitions))


def positive_names(facts: Iterable[Term]) -> frozenset[str]:
    """The names that single facts bound from below by 1."""
    facts = tuple(facts)
    known = names(*facts)
    return frozenset(
        n for n, (low, _) in zip(known, bounds_of(facts, known), strict=True) if low is not None and low > 0
    )


def _factors_of_divisors(formulas: Iterable[Formula], positive: frozenset[str]) -> list[str]:
    """The positive names that divisors are products of, those in most divisors first."""
    divisors = dict.fromkeys(n.args[1] for f in formulas for n in walk(f.term) if n.op in ("//", "%"))
    counts = Counter(name for d in divisors for name in _factors(d) or () if name in positive)
    return [name for name, _ in counts.most_common()]


def _factors(divisor: Term) -> Monomial | None:
    """The names whose product it is."""
    try:
        ((monomial, factor),) = poly_of(divisor).items()
    except (InputError, NotSupported, ValueError):
        return None
    return monomial if factor == 1 else None


class _Remover:
    def __init__(self, taken: set[str], factors: Sequence[str]) -> None:
        self.taken, self.factors = taken, factors
        self.definitions: list[Definition] = []
        self.known: dict[object, str] = {}

    def rewrite(self, term: Term, division: str) -> Term:
        if term.op in ("int", "sym", "bool"):
            return term
        args = tuple(self.rewrite(a, division) for a in term.args)
        match term.op:
            case "//":
                return self.quotient(args[0], args[1], division, term)
            case "%":
                quotient = self.quotient(args[0], args[1], division, term)
                return Term("-", (args[0], Term("*", (quotient, args[1]))))
            case "min" | "max" | "abs":
                return self.choice(term.op, args)
        return Term(term.op, args)

    def quotient(self, top: Term, bottom: Term, division: str, source: Term) -> Term:
        x, y = poly_of(top), poly_of(bottom)
        if not y:
            raise InputError(f"{to_text(source)}: the divisor is 0")
        parts = _factors(bottom) or ()
        if division == "floor" and len(parts) > 1 and set(parts) <= set(self.factors):
            quotient = top
            for part in sorted(parts, key=self.factors.index):
                quotient = self.quotient(quotient, sym(part), division, Term("//", (quotient, sym(part))))
            whole = _division_fact(top, bottom, quotient, division, y)
            self.definitions.append(Definition(quotient.args[0], whole))
            return quotient
        key = (division, frozenset(x.items()), frozenset(y.items()))
        if key not in self.known:
            name = self.fresh(to_text(Term("//", source.args)))
            fact = _division_fact(top, bottom, sym(name), division, y)
            self.known[key] = name
            divisor = None if _constant(y) else bottom
            self.definitions.append(Definition(name, fact, divisor, to_text(source.args[1])))
        return sym(self.known[key])

    def choice(self, op: str, args: tuple[Term, ...]) -> Term:
        key = (op, args)
        if key not in self.known:
            name = self.known[key] = self.fresh(to_text(Term(op, args)))
            self.definitions.append(Definition(name, _choice_fact(op, args, sym(name))))
        return sym(self.known[key])

    def fresh(self, name: str) -> str:
        while name in self.taken:
            name += "'"
        self.taken.add(name)
        return name


def _constant(p: Poly) -> bool:
    return all(m == () for m in p)


def _division_fact(x: Term, y: Term, q: Term, division: str, y_poly: Poly) -> Term:
    """That q is x divided by y, y != 0: the range of r = x - q·y, for either sign of y."""
    r = Term("-", (x, Term("*", (q, y))))
    cases = [_above(r, x, y, division), _below(r, x, y, division)]
    if _constant(y_poly):
        return cases[0] if y_poly[()] > 0 else cases[1]
    return disj((conj((Term(">", (y, ZERO)), cases[0])), conj((Term("<", (y, ZERO)), cases[1]))))


def _above(r: Term, x: Term, y: Term, division: str) -> Term:
    """The remainder's range for y > 0."""
    if division == "trunc":
        return _signed_like(x, r, Term("neg", (y,)), y)
    return conj((Term(">=", (r, ZERO)), Term("<", (r, y))))


def _below(r: Term, x: Term, y: Term, division: str) -> Term:
    """The remainder's range for y < 0."""
    if division == "trunc":
        return _signed_like(x, r, y, Term("neg", (y,)))
    if division == "euclid":
        return conj((Term(">=", (r, ZERO)), Term("<", (r, Term("neg", (y,))))))
    return conj((Term("<=", (r, ZERO)), Term(">", (r, y))))


def _signed_like(x: Term, r: Term, low: Term, high: Term) -> Term:
    """That low < r < high, and that r is 0 or has the sign of x."""
    up = conj((Term(">=", (x, ZERO)), Term(">=", (r, ZERO)), Term("<", (r, high))))
    down = conj((Term("<=", (x, ZERO)), Term("<=", (r, ZERO)), Term(">", (r, low))))
    return disj((up, down))


def _choice_fact(op: str, args: tuple[Term, ...], chosen: Term) -> Term:
    """That `chosen` is the min, max or absolute value of the arguments."""
    if op == "abs":
        args = (args[0], Term("neg", args))
    relation = "<=" if op == "min" else ">="
    bounds = [Term(relation, (chosen, a)) for a in args]
    return conj((*bounds, disj(Term("==", (chosen, a)) for a in args)))
