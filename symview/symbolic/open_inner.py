"""The unknowns in the strides and the offset of an inner view, and what is known of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import gcd
from typing import Any

from symview.engine.open_map import Affine, OpenMap, Range, unknown
from symview.engine.row_space import Row, RowSpace, primitive
from symview.engine.tables import Column, Entry
from symview.logic.points import Function, bounds_of, compiled
from symview.logic.polynomial import ONE
from symview.logic.sympy_bridge import free_symbols, to_sympy
from symview.logic.terms import Term, linear, names
from symview.symbolic.algebra import Algebra
from symview.view import View


class OpenInner:
    """The address map of an inner view, affine over unknowns c0, c1, … that stand for integer expressions.

    They stand for the symbols, or the products of these that occur, where the strides and the
    offset determine them; else for the different forms that strides and offset are multiples of.
    `meaning` says what each stands for, `given` the bounds that the facts put on it.

    >>> from sympy import symbols
    >>> t, u = symbols("t u", integer=True)
    >>> [OpenInner(View((2, 2), (2*t, 3*t + u), o), ()).shown() for o in (0, u)]
    [['t', 'u'], ['t', 'u']]
    >>> OpenInner(View((2, 3), (t + u, 2*t + 2*u + 1)), ()).shown()
    ['t + u']
    """

    def __init__(self, inner: View, facts: Sequence[Term]) -> None:
        steps = [t if n != 1 else 0 for n, t in zip(inner.shape, inner.strides, strict=True)]
        algebra = Algebra((), ())
        forms = [algebra.poly(x) for x in (*steps, inner.offset)]
        monomials = list(dict.fromkeys(m for f in forms for m in f if m))
        rows = [tuple([f.get(m, 0) for m in monomials]) for f in forms]
        kinds = [tuple([int(m == n) for n in monomials]) for m in monomials]
        if RowSpace(len(monomials), rows).rank < len(monomials):
            kinds = list(dict.fromkeys(primitive(r) for r in rows if any(r)))
            rows = [_multiple(r, kinds) for r in rows]
        terms = [algebra.term({m: 1}) for m in monomials]
        self.meaning = tuple([linear(zip(kind, terms, strict=True)) for kind in kinds])
        affine = [Affine(row, f.get(ONE, 0)) for row, f in zip(rows, forms, strict=True)]
        self.box = OpenMap(inner.shape, tuple(affine[:-1]), affine[-1])
        self.facts = tuple(facts)
        symbols = free_symbols(inner.entries())
        self.given = tuple([_bounds(m, to_sympy(m, symbols), self.facts) for m in self.meaning])

    def shown(self) -> list[str]:
        """What the unknowns stand for, in the notation."""
        from symview.logic.sympy_bridge import to_text

        return [to_text(m) for m in self.meaning]

    def is_plain(self) -> bool:
        """Whether every unknown is a symbol, so that all its values can occur."""
        return all(m.op == "sym" for m in self.meaning)

    def with_meaning(self, formula: Term) -> Term:
        """A formula over c0, c1, … as one over the symbols."""
        return _with(formula, {unknown(k): m for k, m in enumerate(self.meaning)})

    def allowed(self, columns: Sequence[Column]) -> Callable[[Entry], bool]:
        """Whether the facts allow an entry, as far as it tells enough."""
        plain = {m.args[0]: c.period for m, c in zip(self.meaning, columns, strict=True) if m.op == "sym"}
        order = [m.args[0] if m.op == "sym" else "" for m in self.meaning]
        tests = [compiled(f, order, "floor") for f in self.facts if names(f) and _is_told(f, plain)]
        return lambda entry: all(_true(test, entry) for test in tests)


def _multiple(row: Row, kinds: Sequence[Row]) -> Row:
    own = primitive(row)
    times = gcd(*row) * (1 if own == tuple([x // gcd(*row) for x in row]) else -1) if any(row) else 0
    return tuple([times if kind == own else 0 for kind in kinds])


def _bounds(meaning: Term, value: Any, facts: Sequence[Term]) -> Range:
    """What the facts say of a symbol; of other expressions what the assumptions of their symbols say."""
    if meaning.op == "sym":
        own = [f for f in facts if names(f) == meaning.args]
        return bounds_of(own, list(meaning.args))[0]
    if meaning.op == "%" and meaning.args[1].op == "int" and meaning.args[1].args[0] > 0:
        return 0, meaning.args[1].args[0] - 1
    low = 1 if value.is_positive else 0 if value.is_nonnegative else None
    return low, -1 if value.is_negative else 0 if value.is_nonpositive else None


def _with(term: Term, meaning: dict[str, Term]) -> Term:
    if term.op == "sym":
        return meaning[term.args[0]]
    return term if term.op in ("int", "bool") else Term(term.op, tuple([_with(a, meaning) for a in term.args]))


def _is_told(term: Term, periods: dict[str, int], modulus: int = 0) -> bool:
    """Whether values, or residues where there are periods, determine the term, or its residue if asked for."""
    if term.op == "sym":
        period = periods.get(term.args[0])
        return period == 0 or (period is not None and modulus > 0 and period % modulus == 0)
    if term.op in ("int", "bool"):
        return True
    if term.op == "%" and term.args[1].op == "int" and term.args[1].args[0] > 0:
        return _is_told(term.args[0], periods, term.args[1].args[0])
    kept = modulus if term.op in ("+", "-", "*", "neg") else 0
    return all(_is_told(a, periods, kept) for a in term.args)


def _true(test: Function, entry: Entry) -> bool:
    try:
        return bool(test(entry))
    except ZeroDivisionError:
        return True
