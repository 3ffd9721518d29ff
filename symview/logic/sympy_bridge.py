"""Converts sympy expressions to terms and integers, and reads the declared assumptions of symbols."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import lcm
from typing import TYPE_CHECKING, Any

from symview.errors import SymbolError
from symview.logic.integer import Claim, Int, Integer, Name, name, of_term
from symview.logic.notation import NAME, WORDS, term_text
from symview.logic.sympy_expressions import to_sympy as to_sympy
from symview.logic.terms import OPERATORS, RELATIONS, IntTerm, Term, as_entry, conj, names, num, sym, walk

if TYPE_CHECKING:
    import sympy

_OTHER_NUMBERS = frozenset(("real", "extended_real", "rational", "irrational", "algebraic", "complex", "imaginary"))


def to_term(value: Any) -> Term:
    """Converts an integer, a claim, a sympy expression or relation to a term; also PyTorch's integer functions.

    Raises SymbolError for expressions without a meaning over the integers here (a power with a symbolic exponent, a
    fraction, a function outside the notation).
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return num(value)
    if isinstance(value, Int):
        return value.term()
    if isinstance(value, Claim):
        return value.term
    import sympy  # slow to load

    try:
        value = sympy.sympify(value, strict=True)
    except sympy.SympifyError:
        raise SymbolError(f"{value!r} is neither an integer nor an integer expression of sympy") from None
    if value.is_Symbol:
        return sym(value.name)
    if value.is_Integer:
        return num(int(value))
    return _compound(value)


@functools.lru_cache(4096)  # expressions are immutable
def _compound(value: Any) -> Term:
    """The term of a sympy expression that is neither a symbol nor an integer."""
    import sympy  # slow to load

    if value in (sympy.true, sympy.false):
        return Term("bool", (bool(value),))
    if isinstance(value, sympy.Pow) and value.exp.is_Integer and 0 < int(value.exp) <= 64:
        return Term("*", (to_term(value.base),) * int(value.exp))
    if isinstance(value, sympy.floor):
        return Term("//", tuple(map(to_term, _whole_fraction(value.args[0]))))
    if isinstance(value, sympy.ceiling):
        top, bottom = map(to_term, _whole_fraction(value.args[0]))
        return Term("neg", (Term("//", (Term("neg", (top,)), bottom)),))
    if isinstance(value, sympy.Piecewise) and value.args[-1][1] == sympy.true:
        *cases, (last, _) = value.args
        choice = to_term(last)
        for one, where in reversed(cases):
            choice = Term("if", (to_term(where), to_term(one), choice))
        return choice
    op = _sympy_operators().get(type(value)) or _of_pytorch(type(value))
    if op in RELATIONS:
        sides = _times(_denominator(value), value.args)  # sympy rewrites floor(s/2) >= 1 as s/2 >= 1
        return Term(op, tuple(map(to_term, sides or value.args)))
    if op is None:
        raise SymbolError(f"{value}: {type(value).__name__} is outside the notation (use + - * // % and comparisons)")
    if op == "Identity":
        return to_term(value.args[0])
    if op == "ModularIndexing":
        return Term("%", (Term("//", (to_term(value.args[0]), to_term(value.args[1]))), to_term(value.args[2])))
    if op == "<->" and len(value.args) > 2:
        return conj(Term(op, (to_term(a), to_term(b))) for a, b in pairwise(value.args))
    if op in ("+", "*") and value.is_integer and (whole := _times(scale := _denominator(value), [value])):
        return Term("//", (to_term(*whole), num(scale)))  # 3*e/2 with an even e
    args = value.as_ordered_terms() if op == "+" else value.as_ordered_factors() if op == "*" else value.args
    return Term(op, tuple(to_term(a) for a in args))


def to_entry(value: Any) -> IntTerm:
    """Converts an integer to a term; an int stays."""
    return value if type(value) is int else to_term(value)


def sympy_equation(equation: Term, symbols: Mapping[str, Any]) -> sympy.Eq:
    """The equation in sympy, unevaluated, with both sides over these symbols."""
    import sympy  # slow to load

    return sympy.Eq(*[to_sympy(side, symbols) for side in equation.args], evaluate=False)


@functools.lru_cache(maxsize=4096)
def _whole_fraction(value: Any) -> tuple[Any, Any]:
    """Numerator and denominator, with integer coefficients."""
    import sympy  # slow to load

    once = sympy.together(value)
    for form in (once, sympy.together(once), sympy.factor(value)):
        top, bottom = sympy.fraction(form)
        if all(r.is_Integer for r in top.atoms(sympy.Rational) if not _in_division(top, r)):
            break
    return top, bottom


def _denominator(value: Any) -> int:
    """A common denominator of the coefficients outside of divisions."""
    if all(a.is_Symbol or a.is_Integer for a in value.args):
        return 1
    import sympy  # slow to load

    return lcm(*(int(r.q) for r in value.atoms(sympy.Rational) if not r.is_Integer and not _in_division(value, r)))


def _times(scale: int, values: Sequence[Any]) -> list[Any]:
    """Multiplies the values by `scale`, if that removes all fractions; empty if it does not, or is unnecessary."""
    found = [(scale * value).expand() for value in values] if scale > 1 else []
    return [] if any(_denominator(value) > 1 for value in found) else found


def _in_division(relation: Any, number: Any) -> bool:
    import sympy  # slow to load

    return any(number in f.atoms(sympy.Rational) for f in relation.atoms(sympy.floor, sympy.ceiling, sympy.Mod))


_PYTORCH = {
    "FloorDiv": "//", "CleanDiv": "//", "CeilDiv": "ceildiv", "Mod": "%", "PythonMod": "%", "Min": "min", "Max": "max",
    "ModularIndexing": "ModularIndexing", "Identity": "Identity", "LShift": "<<", "RShift": ">>", "Where": "if",
}  # fmt: skip


def _of_pytorch(kind: type) -> str | None:
    """The operator for a function of PyTorch; they agree for all integers for which PyTorch defines it."""
    return _PYTORCH.get(kind.__name__) if kind.__module__.startswith("torch.") else None


@functools.cache
def _sympy_operators() -> dict[type, str]:
    import sympy  # slow to load

    from symview.logic.sympy_functions import floor_sum, gcd  # loads sympy

    own = {gcd: "gcd", floor_sum: "floor_sum"}
    return own | {getattr(sympy, o.sympy): op for op, o in OPERATORS.items() if o.sympy not in ("", "floor")}


def to_text(value: Any, times: str = "*") -> str:
    """Prints an integer, a claim, a sympy expression or a term; `parse_expression` parses it.

    With `times=""` a number stands directly before a name, as in the papers: `3σ2`.

    >>> from symview.logic.notation import parse_expression
    >>> to_text(parse_expression("(a + 2*b) // (c*d) - 1"))
    '(a + 2*b)//(c*d) - 1'
    """
    if type(value) is int:
        return str(value)
    term = value if isinstance(value, Term) else to_term(value)
    return term_text(term, times)


def as_integer(value: Any, what: str) -> Integer:
    """The value as an integer, from sympy or PyTorch's SymInt, too; `what` names it in the error.

    Raises SymbolError for symbols that cannot be integers, and for values that are not integers.

    >>> as_integer(True, "size 1")
    Traceback (most recent call last):
    ...
    symview.errors.SymbolError: size 1 is True: give an integer, or a sympy integer expression
    """
    value = as_entry(value)
    if type(value) is int or isinstance(value, Int):
        return value
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
        raise SymbolError(f"{what} is {value!r}: give an integer, or a sympy integer expression")
    try:
        return operator.index(value)
    except TypeError:
        pass
    # avoids loading sympy; classes that sympy makes at run time have no module of their own, but sympy's bases
    from_sympy = any(str(c.__module__).partition(".")[0] == "sympy" for c in type(value).__mro__)
    if from_sympy and _can_be_integer(value):
        try:
            term = to_term(value)
        except SymbolError as error:
            raise SymbolError(f"{what} is {value}: give an integer expression; {error}") from None
        if any(node.op == "if" for node in walk(term)):
            raise SymbolError(f"{what} is {value}: give an integer expression without a choice, one case at a time")
        return _of_sympy(value)
    hint = "; View.parse and Layout.parse read text" if isinstance(value, str) else ""
    raise SymbolError(f"{what} is {value!r}: give an integer, or a sympy integer expression{hint}")


@functools.lru_cache(4096)
def _of_sympy(value: Any) -> Integer:
    return of_term(to_term(value), {s.name: declared(s) for s in value.free_symbols})


def _can_be_integer(value: Any) -> bool:
    """Whether a sympy object is an expression whose symbols may be integers; raises for names outside the notation."""
    import sympy  # slow to load

    return isinstance(value, sympy.Expr) and _has_integers(value)


@functools.lru_cache(maxsize=4096)
def _has_integers(value: Any) -> bool:
    if value.is_integer is False:
        return False
    for symbol in value.free_symbols:
        declared = getattr(symbol, "_assumptions_orig", {})
        if symbol.is_integer is False or (symbol.is_integer is None and not _OTHER_NUMBERS.isdisjoint(declared)):
            return False  # declared real, imaginary, …: no integer
        if not NAME.fullmatch(symbol.name) or symbol.name in WORDS:
            raise SymbolError(f"symbol {symbol.name!r}: the notation cannot read that name; use letters and digits")
    return True


def is_number(value: Any) -> bool:
    """Whether the value is a plain int; does not load sympy."""
    return type(value) is int


@functools.lru_cache(4096)
def declared(symbol: Any) -> Int:
    """The integer of a sympy symbol, with its assumptions."""
    given = getattr(symbol, "_assumptions_orig", symbol.assumptions0)
    number = getattr(symbol, "dummy_index", None)
    if given == {"integer": True} and number is None:
        return name(symbol.name)
    text = ", ".join(f"{k}={v}" for k, v in sorted(given.items()))
    return Int({(Name(f"{symbol.name} ({text or 'none'}{'' if number is None else f', {number}'})", symbol),): 1})


def free_symbols(values: Iterable[Any]) -> dict[str, Int]:
    """The names of integers, or of sympy's expressions and formulas, in order of first appearance.

    Raises SymbolError if two symbols of the same name have different assumptions.
    """
    found: dict[str, Int] = {}
    for value in values:
        if type(value) is int:
            continue
        for text, symbol in _symbols_of(value):
            other = found.setdefault(text, symbol)
            if other != symbol:
                raise SymbolError(
                    f"symbol {text} occurs with different assumptions "
                    f"({_assumed(other)}; {_assumed(symbol)}): use one symbol, or two names"
                )
    return found


def _symbols_of(value: Any) -> Iterable[tuple[str, Int]]:
    if isinstance(value, Int):
        return [(str(x), x) for x in value.variables()]
    if isinstance(value, Claim):
        return [(n, name(n)) for n in names(value.term)]
    return [(s.name, declared(s)) for s in sorted(value.free_symbols, key=lambda s: s.name)]


def symbol_of(x: Int) -> Any:
    """The sympy symbol with assumptions that the integer is, or None."""
    return next((a.symbol for m in x.form for a in m if isinstance(a, Name)), None) if x.is_name() else None


def _assumed(x: Int) -> str:
    symbol = symbol_of(x)
    kept = {"integer": True} if symbol is None else getattr(symbol, "_assumptions_orig", symbol.assumptions0)
    return ", ".join(f"{k}={v}" for k, v in sorted(kept.items())) or "none"


def domain(x: Int) -> tuple[Term, ...]:
    """The facts about a name's value that the assumptions of its sympy symbol imply."""
    symbol = symbol_of(x)
    return () if symbol is None else _domain(symbol)


@functools.lru_cache(maxsize=4096)
def _domain(symbol: Any) -> tuple[Term, ...]:
    x = sym(symbol.name)
    facts: list[Term] = []
    if symbol.is_prime or symbol.is_composite:
        facts.append(Term(">=", (x, num(2 if symbol.is_prime else 4))))
    elif symbol.is_positive:
        facts.append(Term(">=", (x, num(1))))
    elif symbol.is_nonnegative:
        facts.append(Term(">=", (x, num(0))))
    if symbol.is_negative:
        facts.append(Term("<=", (x, num(-1))))
    elif symbol.is_nonpositive:
        facts.append(Term("<=", (x, num(0))))
    if symbol.is_zero is False and not (symbol.is_positive or symbol.is_negative):
        facts.append(Term("!=", (x, num(0))))
    if symbol.is_even:
        facts.append(Term("==", (Term("%", (x, num(2))), num(0))))
    if symbol.is_odd:
        facts.append(Term("==", (Term("%", (x, num(2))), num(1))))
    return tuple(facts)
