"""Where every index is valid, or none is: by the least and the greatest address alone, for any strides."""

from __future__ import annotations

from collections.abc import Sequence

from symview.logic.entailment import Entailment
from symview.logic.polynomial import ONE, Poly, minus, plus, times
from symview.logic.terms import FALSE, TRUE, Term, conj, disj, num
from symview.symbolic.addresses import Axis, divided, inside, split_by
from symview.symbolic.algebra import Algebra
from symview.symbolic.boundaries import UNIT, product_of
from symview.symbolic.equations import equation
from symview.symbolic.windows import Part, Window


def inside_alone(part: Part, sizes: Sequence[Poly], algebra: Algebra, known: Entailment) -> Term:
    """There is an index in the part, and no address of it is outside the outer shape."""
    axes = [a for a in part.axes if a.size != UNIT]
    some = [algebra.at_most(UNIT, a.size) for a in axes]
    return conj([*some, inside(axes, part.start, product_of(sizes), algebra, known)])


def all_or_none(windows: Sequence[Window], part: Part, algebra: Algebra, known: Entailment) -> tuple[Term, Term]:
    """Enough for every index of a part inside the outer shape to be valid, and for none to be.

    Theory: addresses from a on that reach no further than e stay in one repetition of a window of length L that
    begins at A where (a − A) % M + e < L, and in the gap behind it where the same is so of that.
    """
    every, none = list[Term](), list[Term]()
    for w in windows:
        low, high = w.start(), w.end()
        least, most = _reach(w, part, algebra, known)
        if w.leading:
            every += [algebra.at_most(low, least), algebra.below(most, high)]
            none += [algebra.below(most, low), algebra.at_most(high, least)]
            continue
        modulus, length = w.modulus(), minus(high, low)
        for found, begin, room in ((every, low, length), (none, high, minus(modulus, length))):
            ahead = divided(minus(least, begin), modulus, algebra, known)[1]
            found.append(algebra.below(plus(ahead, minus(most, least)), room))
    return conj(p for p in every if p != TRUE), disj(p for p in none if p != FALSE)


def at_most_two(axes: Sequence[Axis], algebra: Algebra) -> tuple[Term, ...]:
    """Equations by which there are at most two addresses, of neighbours along one axis; 1 = 0 where that cannot be.

    What is valid of so few is a box, and on it any function is affine.
    """
    moving = [(a, alone) for a in axes if (alone := times(minus(a.size, UNIT), a.step))]
    for one, _ in moving:
        forms = [times(_third(one.size, algebra), one.step), *(alone for a, alone in moving if a is not one)]
        if all(map(algebra.zero, forms)):
            return tuple([_equation(f, algebra) for f in forms if f])
    return () if not moving else (Term("==", (num(1), num(0))),)


def _third(size: Poly, algebra: Algebra) -> Poly:
    """Rounded down: 0 where the size is 1 or 2."""
    if set(size) <= {ONE}:
        return {ONE: size[ONE] // 3} if size.get(ONE, 0) > 2 else {}
    return algebra.poly_of(Term("//", (algebra.term(size), num(3))))


def _equation(form: Poly, algebra: Algebra) -> Term:
    literals = algebra.zero(form)
    return literals[0] if len(literals) == 1 else equation(form, algebra.opaque)


def _reach(w: Window, part: Part, algebra: Algebra, known: Entailment) -> tuple[Poly, Poly]:
    """The least and the greatest address of the part, steps without multiples of what addresses are taken modulo."""
    least = most = part.start
    for axis in part.axes:
        step = axis.step if w.leading else split_by(axis.step, w.modulus())[1]
        reach = times(minus(axis.size, UNIT), step)
        rises, falls = known.implies(algebra.at_most({}, reach)), known.implies(algebra.at_most(reach, {}))
        if rises or falls:
            least, most = (least, plus(most, reach)) if rises else (plus(least, reach), most)
        else:
            term = algebra.term(reach)
            least, most = (
                plus(end, algebra.poly_of(Term(op, (num(0), term)))) for end, op in ((least, "min"), (most, "max"))
            )
    return least, most
