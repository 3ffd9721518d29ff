"""Converts terms to sympy expressions."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Mapping
from typing import Any

from symview.errors import NotSupported, SymbolError
from symview.logic.arithmetic import in_arithmetic, lowered
from symview.logic.notation import term_text
from symview.logic.terms import OPERATORS, Term


def to_sympy(
    term: Term,
    symbols: Mapping[str, Any] | None = None,
    functions: Mapping[str, Callable[..., Any]] | None = None,
) -> Any:
    """The term as an int, or as a sympy expression if it contains names (a formula as a sympy relation).

    A name becomes `symbols[name]` if given, else `Symbol(name, integer=True)`. `functions` maps operators to another
    library's functions, for operands with symbols.

    >>> from symview.logic.notation import parse_expression
    >>> to_sympy(parse_expression("2*3 + 7//2"))
    9
    >>> to_sympy(parse_expression("2*n + n"))
    3*n
    """
    op, args = term
    if op == "int":
        return args[0]
    if op == "sym":
        if symbols is not None and args[0] in symbols:
            known = symbols[args[0]]
            return known._sympy_() if hasattr(known, "_sympy_") else known
        import sympy  # slow to load

        return sympy.Symbol(args[0], integer=True)
    if op == "bool":
        import sympy  # slow to load

        return sympy.true if args[0] else sympy.false
    if op in ("gcd", "floor_sum") and lowered(term).op in (op, "if"):
        from symview.logic import sympy_functions  # loads sympy

        return getattr(sympy_functions, op)(*[to_sympy(a, symbols, functions) for a in args])
    if not OPERATORS[op].sympy and op not in ("neg", "-", "if"):
        return to_sympy(_in_arithmetic(term), symbols, functions)
    if op == "neg" and functions is None and args[0].op == "//":
        top, bottom = args[0].args
        if top.op == "neg" or (top.op == "int" and top.args[0] < 0):
            return _ceiling(-to_sympy(top, symbols), to_sympy(bottom, symbols))
    values = [to_sympy(a, symbols, functions) for a in args]
    if functions is not None and op in functions and any(type(v) is not int for v in values):
        return functions[op](*values)
    if op == "neg":
        return -values[0]
    if op in ("+", "-", "*"):
        return functools.reduce({"+": operator.add, "-": operator.sub, "*": operator.mul}[op], values)
    if op in ("min", "max", "abs") and all(type(v) is int for v in values):
        return OPERATORS[op].run(values)
    if op in ("//", "%"):
        if values[1] == 0:
            raise SymbolError(f"division by 0 in {term_text(term)}")
        if type(values[0]) is int and type(values[1]) is int:
            return values[0] // values[1] if op == "//" else values[0] % values[1]
        import sympy  # slow to load

        if op == "%" and not (hasattr(values[0], "has") and values[0].has(sympy.Mod)):
            found = sympy.Mod(*values)
            if not any(sympy.fraction(a)[1].free_symbols for mod in found.atoms(sympy.Mod) for a in mod.args):
                return found  # otherwise sympy divided by a common factor
        quotient = sympy.floor(values[0] / values[1])
        return quotient if op == "//" else values[0] - values[1] * quotient  # sympy is wrong for a Mod of a Mod
    import sympy  # slow to load

    if op == "if":
        return sympy.Piecewise((values[1], values[0]), (values[2], True))
    return _extreme(op, *values) if op in ("min", "max") else getattr(sympy, OPERATORS[op].sympy)(*values)


@functools.lru_cache(maxsize=4096)  # slow: sympy compares all pairs of values
def _extreme(op: str, *values: Any) -> Any:
    import sympy  # slow to load

    return getattr(sympy, OPERATORS[op].sympy)(*values)


def _ceiling(top: Any, bottom: Any) -> Any:
    if bottom == 0:
        raise SymbolError(f"division by 0 in a ceiling of {top}")
    if type(top) is int and type(bottom) is int:
        return -(-top // bottom)
    import sympy  # slow to load

    return sympy.ceiling(top / bottom)


def _in_arithmetic(term: Term) -> Term:
    try:
        return in_arithmetic(term)
    except NotSupported as error:
        raise SymbolError(f"{term_text(term)}: {error}") from None
