"""The greatest common divisor as a function of sympy; sympy's own is one of polynomials."""

from __future__ import annotations

import math
from typing import Any

import sympy


class gcd(sympy.Function):  # type: ignore[misc]  # noqa: N801  its name is what is printed
    """The greatest common divisor of integers, not negative; it stays as it is where names stand in it.

    >>> p, q = sympy.symbols("p q", integer=True)
    >>> gcd(p, q).subs({p: 12, q: -18}), gcd(p, 0)
    (6, gcd(p, 0))
    """

    is_integer = True
    is_nonnegative = True

    @classmethod
    def eval(cls, *args: Any) -> Any:
        """Of numbers, the number."""
        if all(a.is_Integer for a in args):
            return sympy.Integer(math.gcd(*map(int, args)))
        return None
