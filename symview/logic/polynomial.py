"""Integer polynomials, as dicts from monomials to coefficients, and formulas over them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, reduce
from itertools import product
from typing import Any, NoReturn, TypeAlias

from symview.errors import InputError, NotSupported
from symview.logic.notation import term_text, to_smt2_term
from symview.logic.terms import (
    RELATIONS,
    Term,
    comparisons,
    linear,
    num,
    sym,
    total,
    with_comparisons,
)

Monomial: TypeAlias = tuple[str, ...]  # sorted names, repeated for powers; () is 1
Poly: TypeAlias = dict[Monomial, int]  # no zero coefficients

ONE: Monomial = ()
UNIT: Poly = {ONE: 1}
_MAX_TERMS = 5000
_TIMES = "·"


class Atom(str):
    """A variable that stands for a term."""

    term: Term


class Operation(Atom):
    """A variable that stands for an operation that is no polynomial, such as n//4."""

    def __new__(cls, key: str, term: Term) -> Operation:
        """Variables with one key are equal."""
        made = super().__new__(cls, key)
        made.term = term
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Operation, (str(self), self.term)


def poly_of(term: Term) -> Poly:
    """The polynomial of a term with + - * and neg; raises InputError if there are other operations.

    >>> from symview.logic.notation import parse_expression
    >>> poly_of(parse_expression("(a + 1)*(a - b)"))
    {('a', 'a'): 1, ('a', 'b'): -1, ('a',): 1, ('b',): -1}
    """
    return _poly(term, _refused)


def expanded(term: Term) -> Poly:
    """The polynomial of a term, in which other operations than + - * and neg are variables.

    >>> from symview.logic.notation import parse_expression
    >>> expanded(parse_expression("(a//4 + 1)*b"))
    {('b', '⟨(div a 4)⟩'): 1, ('b',): 1}
    """
    return _poly(term, operation)


def _poly(term: Term, other: Callable[[Term], Operation]) -> Poly:
    op, args = term
    match op:
        case "int":
            return {ONE: args[0]} if args[0] else {}
        case "sym":
            return {(args[0],): 1}
        case "+" | "-" | "neg" | "*":
            return arithmetic(op, [_poly(a, other) for a in args])
    return {(other(term),): 1}


@lru_cache(4096)
def operation(term: Term) -> Operation:
    """The variable that stands for an operation of integers; raises InputError for a formula."""
    if term.is_formula():
        _refused(term)
    try:
        return Operation(f"⟨{to_smt2_term(term)}⟩", term)
    except NotSupported:  # & of names, and powers of names
        return Operation(f"⟨{term_text(term)}⟩", term)


def _refused(term: Term) -> NoReturn:
    raise InputError(f"{term.op!r} is not an integer operation that can stand here")


def operation_of(variable: str) -> Term | None:
    """The operation that a variable stands for; None for a name."""
    return variable.term if isinstance(variable, Atom) and variable.term.op != "sym" else None


def operations(*polys: Poly) -> dict[str, Term]:
    """The variables that stand for operations, in the order in which they occur, with the operations."""
    variables = dict.fromkeys(v for p in polys for m in p for v in m)
    return {v: term for v in variables if (term := operation_of(v)) is not None}


def arithmetic(op: str, parts: Sequence[Poly]) -> Poly:
    """The sum, difference, product or negative of polynomials.

    >>> arithmetic("-", [{("x",): 1}, UNIT, UNIT])
    {('x',): 1, (): -2}
    """
    match op:
        case "+":
            return reduce(plus, parts, {})
        case "-":
            return reduce(minus, parts)
        case "*":
            return reduce(times, parts, {ONE: 1})
    return negative(parts[0])


def plus(p: Poly, q: Poly, scale: int = 1) -> Poly:
    """The sum p + scale·q."""
    total = dict(p)
    for m, c in q.items():
        total[m] = total.get(m, 0) + scale * c
    return {m: c for m, c in total.items() if c}


def minus(p: Poly, q: Poly) -> Poly:
    """The difference p - q."""
    return plus(p, q, -1)


def negative(p: Poly) -> Poly:
    """The polynomial -p."""
    return {m: -c for m, c in p.items()}


def denied(p: Poly) -> Poly:
    """The polynomial that is >= 0 iff p >= 0 fails: -p - 1."""
    return minus({ONE: -1}, p)


def times(p: Poly, q: Poly) -> Poly:
    """The product p·q; raises NotSupported if it has too many terms."""
    if len(p) * len(q) > _MAX_TERMS:
        raise NotSupported(f"a product of {len(p)} by {len(q)} terms: state the claim in smaller pieces")
    result: dict[Monomial, int] = {}
    for (m, c), (n, d) in product(p.items(), q.items()):
        key = tuple(sorted(m + n))
        result[key] = result.get(key, 0) + c * d
    return {m: c for m, c in result.items() if c}


def value(p: Poly, of: Mapping[Monomial, int]) -> int:
    """The value, if each monomial has the given value, as if it were an independent variable."""
    return sum(c * (of[m] if m else 1) for m, c in p.items())


def over(monomial: Monomial, divisor: Monomial) -> Monomial | None:
    """The monomial divided by the divisor, or None if that does not divide it.

    >>> over(("a", "b", "b"), ("b",))
    ('a', 'b')
    """
    for name in divisor:
        if name not in monomial:
            return None
        at = monomial.index(name)
        monomial = monomial[:at] + monomial[at + 1 :]
    return monomial


def common_factor(monomials: Iterable[Monomial]) -> Monomial:
    """The names that divide every monomial.

    >>> common_factor([("a", "b", "b"), ("b", "b", "c")])
    ('b', 'b')
    """
    first, *others = monomials
    shared: list[str] = []
    for name in first:
        if all(m.count(name) > shared.count(name) for m in others):
            shared.append(name)
    return tuple(shared)


def quotient(p: Poly, divisor: Poly) -> Poly:
    """The quotient of p by the divisor: the terms that its leading term divides exactly.

    >>> quotient({("a", "c"): 2, ("b",): 1, ("c",): -1}, {("c",): 1})
    {('a',): 2, (): -1}
    """
    if len(divisor) > 1:
        return divided(p, divisor, floor=False)[0]
    ((lead, factor),) = divisor.items()
    terms = ((over(m, lead), *divmod(p[m], factor)) for m in sorted(p, key=lambda m: (-len(m), m)))
    return {m: c for m, c, left in terms if m is not None and not left}


def divided(t: Poly, by: Poly, floor: bool = True) -> tuple[Poly, Poly]:
    """Quotient p and remainder r with t = p·by + r, by the leading monomial of the divisor.

    With `floor`, coefficients are divided by the leading coefficient and rounded down; otherwise only if the division
    is exact.

    >>> divided({("i", "s"): 3, ("j",): 1}, {("s",): 1})
    ({('i',): 3}, {('j',): 1})
    """
    lead = max(by, key=lambda m: (len(m), m))
    found: Poly = {}
    for _ in range(64):
        hits = ((m, k) for m in sorted(t, key=lambda m: (-len(m), m)) if (k := over(m, lead)) is not None)
        shares = ((k, t[m] // by[lead]) for m, k in hits if floor or not t[m] % by[lead])
        share = next((s for s in shares if s[1]), None)
        if share is None:
            break
        found = plus(found, {share[0]: share[1]})
        t = minus(t, times({share[0]: share[1]}, by))
    return found, t


def substitute(p: Poly, name: str, by: Poly) -> Poly:
    """Substitutes a polynomial for a variable.

    >>> substitute({("m", "x"): 1, ("x",): 2}, "m", {("c", "k"): 1})
    {('x',): 2, ('c', 'k', 'x'): 1}
    """
    kept: Poly = {m: c for m, c in p.items() if name not in m}
    for m, c in p.items():
        if name in m:
            replaced: Poly = {tuple(n for n in m if n != name): c}
            for _ in range(m.count(name)):
                replaced = times(replaced, by)
            kept = plus(kept, replaced)
    return kept


def shifted(p: Poly, by: Mapping[str, int]) -> Poly:
    """Adds a number to each of these names, simultaneously.

    >>> shifted({("a", "b"): 2, ("c",): 1}, {"a": 1, "c": 3})
    {('a', 'b'): 2, ('b',): 2, ('c',): 1, (): 3}
    """
    found: Poly = {}
    for monomial, c in p.items():
        parts: Poly = {ONE: c}
        for name in monomial:
            more = by.get(name, 0)
            taken = {(*m, name): d for m, d in parts.items()}
            parts = plus(taken, parts, more) if more else taken
        for m, d in parts.items():
            found[m] = found.get(m, 0) + d
    return {m: c for m, c in found.items() if c}


def solutions(p: Poly) -> Iterator[tuple[str, Poly]]:
    """Solves p == 0 for each name that has the coefficient 1 or -1 and occurs in no other monomial.

    >>> list(solutions({("a", "b"): 2, ("c",): -1, (): 1}))
    [('c', {('a', 'b'): 2, (): 1})]
    """
    for m, c in p.items():
        if len(m) == 1 and abs(c) == 1 and not any(m[0] in n for n in p if n != m):
            yield m[0], {n: -c * d for n, d in p.items() if n != m}


def given_by(p: Poly) -> tuple[str, Poly] | None:
    """The first solution of p == 0 for a name, or None."""
    return next(solutions(p), None)


def label(monomial: Monomial) -> str:
    """The name of the variable that represents a monomial in a linear query."""
    return _TIMES.join(monomial)


def as_linear(p: Poly) -> Term:
    """The polynomial as a linear term, with a variable for each monomial."""
    return linear([(c, sym(label(m))) for m, c in p.items() if m], p.get(ONE, 0))


def as_term(p: Poly) -> Term:
    """The polynomial as a term, with products expanded.

    >>> from symview.logic.sympy_bridge import to_text
    >>> to_text(as_term({("a", "b"): 2, ("c",): -1, (): 1}))
    '2*a*b - c + 1'
    """
    parts = []
    for m, c in p.items():
        factors = [atom_term(v) for v in m]
        if c != 1 or not m:
            factors.insert(0, num(c))
        parts.append(factors[0] if len(factors) == 1 else Term("*", tuple(factors)))
    return total(parts)


def atom_term(variable: str) -> Term:
    """The term that a variable of a polynomial stands for."""
    return variable.term if isinstance(variable, Atom) else sym(variable)


def as_ordered_term(p: Poly) -> Term:
    """The polynomial as a term with its monomials in a fixed order, the longest first."""
    return as_term(dict(sorted(p.items(), key=lambda item: (-len(item[0]), item[0]))))


# Comparisons of polynomials


def comparison(formula: Term, of: Callable[[Term], Poly] = poly_of) -> tuple[str, Poly]:
    """Normalises a comparison of integers to p == 0, p != 0 or p >= 0: a > b is a - b - 1 >= 0.

    `of` makes the polynomials: `expanded` if there may be other operations.

    >>> from symview.logic.notation import parse_statement
    >>> comparison(parse_statement("a < b"))
    ('>=', {('b',): 1, ('a',): -1, (): -1})
    """
    op, args = formula
    if op not in RELATIONS or any(a.is_formula() for a in args):
        raise InputError("a comparison needs integers on both sides")
    left, right = of(args[0]), of(args[1])
    if op in ("==", "!="):
        return op, minus(left, right)
    larger, smaller = (left, right) if op in (">", ">=") else (right, left)
    strict = {ONE: 1} if op in ("<", ">") else {}
    return ">=", minus(minus(larger, smaller), strict)


def plain_comparisons(facts: Iterable[Term]) -> Iterator[tuple[str, Poly]]:
    """The facts that compare polynomials."""
    for fact in facts:
        with suppress(InputError, NotSupported):  # the fact has divisions, min or max
            yield comparison(fact)


def compared(relation: str, p: Poly) -> Term:
    """Compares the polynomial with 0."""
    return Term(relation, (as_term(p), num(0)))


def linear_formula(formula: Term) -> Term:
    """Replaces each monomial of the formula by a variable."""

    def linear_comparison(part: Term) -> Term:
        relation, p = comparison(part)
        return Term(relation, (as_linear(p), num(0)))

    return with_comparisons(formula, linear_comparison)


def forms(formulas: Iterable[Term]) -> list[Poly]:
    """The polynomials that are >= 0 by comparisons in the formulas, or by their negations; each once."""
    found: dict[object, Poly] = {}
    for formula in formulas:
        for part in comparisons(formula):
            p = comparison(part)[1]
            for form in (p, negative(p)):
                found.setdefault(frozenset(form.items()), form)
    return list(found.values())
