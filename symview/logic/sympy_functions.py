"""Integer functions that sympy lacks: the greatest common divisor, and sums of quotients."""

from __future__ import annotations

import math
from typing import Any

import sympy

from symview.logic import terms


class gcd(sympy.Function):  # type: ignore[misc]  # noqa: N801  sympy prints this name
    """The greatest common divisor of integers, nonnegative; unevaluated if it contains names.

    >>> p, q = sympy.symbols("p q", integer=True)
    >>> gcd(p, q).subs({p: 12, q: -18}), gcd(p, 0)
    (6, gcd(p, 0))
    """

    is_integer = True
    is_nonnegative = True

    @classmethod
    def eval(cls, *args: Any) -> Any:
        """Evaluates numbers."""
        if all(a.is_Integer for a in args):
            return sympy.Integer(math.gcd(*map(int, args)))
        return None


class floor_sum(sympy.Function):  # type: ignore[misc]  # noqa: N801
    """Σ floor((start + i·step)/divisor) over 0 <= i < count; unevaluated if it contains names.

    >>> n, m = sympy.symbols("n m", integer=True)
    >>> floor_sum(n, m, 2, 1).subs({n: 5, m: 3}), sympy.latex(floor_sum(n, m, 2, 1))
    (7, '\\\\sum_{i=0}^{n - 1} \\\\left\\\\lfloor \\\\frac{2 i + 1}{m} \\\\right\\\\rfloor')
    """

    is_integer = True
    nargs = 4

    @classmethod
    def eval(cls, count: Any, divisor: Any, step: Any, start: Any) -> Any:
        """Evaluates numbers."""
        args = count, divisor, step, start
        if divisor != 0 and all(a.is_Integer for a in args):
            return sympy.Integer(terms.floor_sum(*map(int, args)))
        return None

    def _latex(self, printer: Any) -> str:
        count, divisor, step, start = self.args
        i = sympy.Dummy("i", integer=True)
        term = rf"\frac{{{printer._print(step * i + start)}}}{{{printer._print(divisor)}}}"
        term = term.replace(printer._print(i), "i")
        return rf"\sum_{{i=0}}^{{{printer._print(count - 1)}}} \left\lfloor {term} \right\rfloor"
