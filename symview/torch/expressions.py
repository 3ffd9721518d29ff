"""Terms as expressions in PyTorch's own functions, over the symbols of a ShapeEnv."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from functools import cache
from typing import Any

from symview.logic.sympy_bridge import to_sympy
from symview.logic.terms import Term, with_nonzero_divisors


def to_torch(term: Term, symbols: Mapping[str, Any], empty: Container[str] = ()) -> Any:
    """The term in PyTorch's FloorDiv, Mod, PythonMod, Min and Max; never in sympy's floor, which it prints in floats.

    An int without symbols. `empty` are names that may be 0: divisors are written so that they are no 0 there, where
    the quotient does not matter, as sympy reads a formula in any order.
    """
    return to_sympy(with_nonzero_divisors(term, empty), symbols, _functions())


@cache
def _functions() -> dict[str, Callable[..., Any]]:
    from sympy import sympify
    from torch.utils._sympy import functions

    def remainder(a: Any, b: Any) -> Any:
        kind = functions.Mod if a.is_nonnegative and b.is_nonnegative else functions.PythonMod
        return kind(a, b)

    made = {"//": functions.FloorDiv, "%": remainder, "min": functions.Min, "max": functions.Max}
    return {op: lambda *args, f=f: f(*map(sympify, args)) for op, f in made.items()}
