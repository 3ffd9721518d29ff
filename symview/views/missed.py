"""Which addresses the differences of one or two dims miss: by size, by what divides, by the step between multiples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from symview.cases.algebra import Algebra, Literals, quotient_of
from symview.cases.clauses import Clause
from symview.logic.polynomial import ONE, Poly, minus, negative, plus, times
from symview.logic.terms import FALSE, Term, conj, conjuncts, num
from symview.views.addresses import split_by
from symview.views.boundaries import UNIT

_MOST_CLASSES = 4  # modulo what a stride is not a multiple of the other by


class Dim(NamedTuple):
    """A size, a stride and its absolute value."""

    size: Poly
    stride: Poly
    away: Poly


class Missed(NamedTuple):
    """Clauses that together say that something is missed, and those of them that divide by what others keep from 0."""

    plain: tuple[Clause, ...]
    divided: tuple[Clause, ...] = ()

    def and_(self, other: Missed) -> Missed:
        """Both."""
        return Missed((*self.plain, *other.plain), (*self.divided, *other.divided))

    def or_(self, literals: Literals) -> Missed:
        """One of the literals, or all that is said here."""
        plain, divided = (tuple([Clause((*literals, *c.literals)) for c in side]) for side in self)
        return Missed(plain, divided)


def missed(target: Poly, away: Poly, dims: Sequence[Dim], algebra: Algebra) -> Missed | None:
    """That no Σ d·stride with |d| < size is the target, `away` its absolute value; None where no terms say it.

    Claim: for dims of size 1, or of a stride other than 0. One dim (n:u) reaches multiples of u below n·|u|. Of two,
    (n:p) and (m:v), p a multiple of v, (m:v) reaches the multiples of v that are nearer than m·|v|, about each
    multiple of p below n·|p|; where p is a multiple after c-fold, in each class of multiples of p modulo c.
    """
    if not target:
        return Missed((Clause(()),))
    dims = [d for d in dims if d.stride]
    if not dims:
        return Missed(tuple([Clause(_literals(part)) for part in conjuncts(algebra.nonzero(target))]))
    if len(dims) == 1:
        (dim,) = dims
        far = _literals(algebra.at_most(times(dim.size, dim.away), away), _no_multiple(target, dim.stride, algebra))
        return _guarded(target, away, dims, algebra, Missed((Clause(far),)))
    slow, fast = min(dims, dims[::-1], key=lambda pair: _classes(*pair))
    classes = _classes(slow, fast)
    if classes > _MOST_CLASSES:
        return None
    found = Missed(tuple([_of_class(n, classes, target, away, slow, fast, algebra) for n in range(classes)]))
    return _guarded(target, away, dims, algebra, found)


def multiples_missed(third: Dim, slow: Dim, fast: Dim, step: Poly, algebra: Algebra) -> Term:
    """That no multiple of a third dim's stride, but 0, is a difference of two others, of strides step·v and v.

    Claim: for (s:u·v), (f:v), f <= u, and (n:r), none of size 1. With g = gcd(r, v), multiples of v are those of
    c = v/g many steps, e·r/g·v. Such a one below the reach (s − 1)·u + f is missed where no multiple of u lies between
    e·r/g − f and e·r/g + f. Multiples of u in all these stretches are counted by a difference of two sums of quotients;
    at e = 0 there is one.
    """
    r, v = quotient_of(third.away, fast.away)
    stride, count = algebra.term(r), algebra.term(third.size)
    if v != UNIT:
        common = Term("gcd", (stride, algebra.term(v)))
        every = Term("//", (algebra.term(v), common))
        stride, count = Term("//", (stride, common)), _up(count, every)
    reach = algebra.term(plus(times(minus(slow.size, UNIT), step), fast.size))
    count = Term("min", (count, _up(reach, Term("max", (num(1), stride)))))
    starts = minus(fast.size, UNIT), negative(fast.size)
    above, below = (Term("floor_sum", (count, algebra.term(step), stride, algebra.term(s))) for s in starts)
    return Term("==", (above, Term("+", (below, num(1)))))


def _up(a: Term, b: Term) -> Term:
    """The quotient, rounded up."""
    return Term("neg", (Term("//", (Term("neg", (a,)), b)),))


def _classes(slow: Dim, fast: Dim) -> int:
    """After how many steps of the slow dim the fast one's stride divides; too many where no number says it."""
    return abs(_number(quotient_of(slow.stride, fast.stride)[1]) or _MOST_CLASSES + 1)


def _guarded(target: Poly, away: Poly, dims: Sequence[Dim], algebra: Algebra, found: Missed) -> Missed | None:
    """What is found where no dim is of size 1, and of the other dims where one is: its stride may be 0."""
    if all(_number(d.stride) for d in dims):
        return found
    units = [algebra.zero(minus(d.size, UNIT)) for d in dims]
    whole = Missed((), found.plain).or_(tuple([e for unit in units for e in unit]))
    for dim, unit in zip(dims, units, strict=True):
        if unit:
            others = missed(target, away, [d for d in dims if d is not dim], algebra)
            if others is None:
                return None
            whole = whole.and_(others.or_(_literals(algebra.nonzero(minus(dim.size, UNIT)))))
    return whole


def _of_class(at: int, classes: int, target: Poly, away: Poly, slow: Dim, fast: Dim, algebra: Algebra) -> Clause:
    """That multiples of the slow stride in one class are all too far from the target, or it is no such multiple."""
    last, near = minus(slow.size, UNIT), times(fast.size, fast.away)
    step, moved = times({ONE: classes}, slow.away), plus(target, slow.away, at)
    rest = _remainder(moved, step, algebra)
    between = conj((algebra.at_most(near, rest), algebra.at_most(plus(rest, near), step)))
    if classes == 1:
        beyond = [algebra.at_most(plus(times(last, slow.away), near), away)]
    else:
        first = negative(_quotient(plus(last, {ONE: at}), classes, algebra))
        final = _quotient(plus(last, {ONE: -at}), classes, algebra)
        low, high = (plus(moved, times(step, end)) for end in (first, final))
        beyond = [algebra.below(final, first), algebra.at_most(near, low), algebra.at_most(plus(high, near), {})]
    return Clause(_literals(*beyond, between, _no_multiple(moved, fast.stride, algebra)))


def _quotient(p: Poly, by: int, algebra: Algebra) -> Poly:
    number = _number(p)
    if number is not None:
        return {ONE: number // by} if number // by else {}
    return algebra.poly_of(Term("//", (algebra.term(p), num(by))))


def _remainder(p: Poly, by: Poly, algebra: Algebra) -> Poly:
    numbers = _number(p), _number(by)
    if None not in numbers:
        return {ONE: rest} if (rest := (numbers[0] or 0) % (numbers[1] or 1)) else {}
    return algebra.poly_of(Term("%", (algebra.term(p), algebra.term(by))))


def _no_multiple(p: Poly, of: Poly, algebra: Algebra) -> Term:
    if not split_by(p, of)[1]:
        return FALSE
    return Term("!=", (Term("%", (algebra.term(p), algebra.term(of))), num(0)))


def _literals(*formulas: Term) -> Literals:
    return tuple([f for f in formulas if f != FALSE])


def _number(p: Poly) -> int | None:
    return p.get(ONE, 0) if set(p) <= {ONE} else None
