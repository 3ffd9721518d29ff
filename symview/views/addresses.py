"""The addresses of an inner view as polynomials: where they stay inside, and their quotients by place values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations
from typing import NamedTuple, TypeAlias, TypeVar

from symview.cases.algebra import Algebra, quotient_of
from symview.errors import Undecided
from symview.logic.entailment import Entailment
from symview.logic.polynomial import ONE, Poly, minus, over, plus, quotient, times
from symview.logic.terms import Term, conj, num

Item = TypeVar("Item")
Divide: TypeAlias = Callable[[Poly, Poly, Entailment], tuple[Poly, Poly]]  # quotient and remainder
UNIT: Poly = {ONE: 1}
_MOST_LOOSE = 8  # strides of unknown sign, at each of whose corners an address may be out of bounds


class Axis(NamedTuple):
    """One axis of the inner view."""

    size: Poly
    step: Poly

    def reach(self) -> Poly:
        """What the axis adds at its last index."""
        return times(minus(self.size, UNIT), self.step)


def inside(axes: Sequence[Axis], start: Poly, size: Poly, algebra: Algebra, known: Entailment) -> Term:
    """Every corner of the box is at an address from 0 to size − 1.

    Raises Undecided where too many strides may be of either sign.
    """
    rising = [a for a in axes if known.implies(Term(">=", (algebra.term(a.step), num(0))))]
    others = [a for a in axes if a not in rising]
    if len(others) > _MOST_LOOSE:
        raise Undecided(f"the signs of {len(others)} strides are not known: assume some of them")
    top = start
    for a in rising:
        top = plus(top, a.reach())
    parts = []
    for chosen in subsets(others):
        low, high = start, top
        for a in chosen:
            low, high = plus(low, a.reach()), plus(high, a.reach())
        parts += [algebra.at_most({}, low), algebra.at_most(high, minus(size, {ONE: 1}))]
    return conj(dict.fromkeys(parts))


def divided(p: Poly, place: Poly, algebra: Algebra, known: Entailment) -> tuple[Poly, Poly]:
    """Quotient and remainder by a place value: read off the polynomial where that is proved, else variables for them.

    >>> from symview.logic.notation import parse_statement
    >>> known = Entailment([parse_statement("n > 0")])
    >>> divided({("m", "n"): 2, ("n",): -1}, {("n",): 2}, Algebra("n", "mn"), known)  # 2mn − n = (m − 1)·2n + n
    ({('m',): 1, (): -1}, {('n',): 1})
    """
    whole, rest = split_by(p, place)
    for more in (0, 1, -1):
        moved = plus(rest, place, more)
        if not moved or _is_within(moved, place, algebra, known):
            return plus(whole, {ONE: 1}, -more), moved
    return plus(whole, _named("//", rest, place, algebra)), _named("%", rest, place, algebra)


def _is_within(p: Poly, place: Poly, algebra: Algebra, known: Entailment) -> bool:
    if p == {ONE: 1} and Term("!=", (algebra.term(place), num(1))) in known.said and algebra.is_positive(place):
        return True  # 1 is below what is positive and not 1
    return known.implies(algebra.below(p, place) if algebra.is_at_least(p) else algebra.within(p, place))


def _named(op: str, p: Poly, place: Poly, algebra: Algebra) -> Poly:
    """The quotient or remainder as a variable, common factors of the place value taken out."""
    top, bottom = quotient_of(p, place)
    shared = quotient(place, bottom)
    if times(shared, bottom) != place or not algebra.is_positive(shared):
        top, bottom, shared = p, place, {ONE: 1}
    found = algebra.poly_of(Term(op, (algebra.term(top), algebra.term(bottom))))
    return found if op == "//" else times(found, shared)


def split_by(p: Poly, place: Poly) -> tuple[Poly, Poly]:
    """The monomials of p that the place value divides, divided, and the rest; of a sum, what can be taken out of p.

    >>> split_by({("n",): 3, ("i",): 1}, {("n",): 2})
    ({(): 1}, {('n',): 1, ('i',): 1})
    """
    if len(place) != 1:
        found = quotient(p, place)
        return found, minus(p, times(found, place))
    ((by, scale),) = place.items()
    whole: Poly = {}
    rest: Poly = {}
    for m, c in p.items():
        part = over(m, by)
        if part is None:
            rest[m] = c
        else:
            whole = plus(whole, {part: c // scale} if c // scale else {})
            rest = plus(rest, {m: c % scale} if c % scale else {})
    return whole, rest


def subsets(items: Sequence[Item]) -> Iterator[tuple[Item, ...]]:
    """Every choice among the items, by how many they are."""
    return chain.from_iterable(combinations(items, n) for n in range(len(items) + 1))
