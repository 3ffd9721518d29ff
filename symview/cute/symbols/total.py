"""Assumptions with a value everywhere, as Python reads them: from left to right, no further than needed."""

from __future__ import annotations

from typing import NamedTuple

from symview.logic.terms import Term, conj, disj, negated, nonzero_divisors, num


def total(formula: Term) -> Term:
    """Where the formula comes out true before anything is divided by 0; itself where each part of it has to hold.

    A formula has a value for solvers only where all its divisors are other than 0, so in what need
    not be read, divisors are replaced by numbers other than 0 that are the same wherever that matters.

    >>> from symview.logic.notation import parse_statement
    >>> from symview.logic.terms import value_of
    >>> found = total(parse_statement("a == 0 or 8 % a == 0"))
    >>> [a for a in range(-3, 9) if value_of(found, {"a": a})]
    [-2, -1, 0, 1, 2, 4, 8]
    """
    if formula.op == "and":
        return conj(map(total, formula.args))
    plain = formula.op not in ("or", "not", "->", "<->") or not nonzero_divisors([formula])
    return formula if plain else _read(formula).true


class _Outcomes(NamedTuple):
    """Where a formula comes out true, and where false, without having divided by 0 on the way."""

    true: Term
    false: Term


def _read(formula: Term) -> _Outcomes:
    op, args = formula
    if op == "not":
        return _Outcomes(*reversed(_read(args[0])))
    if op == "->":
        return _read(Term("or", (Term("not", (args[0],)), args[1])))
    if op == "<->":
        both, neither = Term("and", args), Term("and", tuple(Term("not", (a,)) for a in args))
        return _read(Term("or", (both, neither)))
    if op in ("and", "or"):
        parts = [_read(a) if op == "and" else _Outcomes(*reversed(_read(a))) for a in args]
        stops = [conj([*(p.true for p in parts[:n]), part.false]) for n, part in enumerate(parts)]
        found = _Outcomes(conj(p.true for p in parts), disj(stops))
        return found if op == "and" else _Outcomes(*reversed(found))
    divisors, atom = [_divided_by_others(d) for d in nonzero_divisors([formula])], _divided_by_others(formula)
    return _Outcomes(conj([*divisors, atom]), conj([*divisors, negated(atom)]))


def _divided_by_others(term: Term) -> Term:
    """The same with 1 for each divisor that is 0."""
    if term.op in ("int", "sym", "bool"):
        return term
    args = tuple([_divided_by_others(a) for a in term.args])
    if term.op in ("//", "%") and not (args[1].op == "int" and args[1].args[0]):
        zero = Term("-", (num(1), Term("min", (num(1), Term("abs", (args[1],))))))  # 1 where it is 0, else 0
        args = (args[0], Term("+", (args[1], zero)))
    return Term(term.op, args)
