"""Where so few addresses are left that any function of them is affine."""

from __future__ import annotations

from collections.abc import Sequence

from symview.cases.algebra import Algebra
from symview.cases.equations import equation
from symview.logic.polynomial import ONE, Poly, minus, times
from symview.logic.terms import Term, num
from symview.views.addresses import Axis
from symview.views.boundaries import UNIT


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
