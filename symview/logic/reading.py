"""Formulas as Python reads them: from left to right, no further than needed, so that a part guards what follows it.

Solvers give every part a value, and a formula none where a divisor is 0. What people write, assumptions and guards,
is rewritten here for them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from symview.logic.terms import FALSE, LEAVES, TRUE, Term, conj, disj, negated, nonzero_divisors, num


class Outcomes(NamedTuple):
    """Where a formula comes out true, and where false, without having divided by 0 on the way."""

    true: Term
    false: Term

    def swapped(self) -> Outcomes:
        """Those of the negation."""
        return Outcomes(self.false, self.true)


def outcomes(formula: Term, of_part: Callable[[Term], Outcomes]) -> Outcomes:
    """The outcomes of a formula, made of those of the comparisons in it."""
    op, args = formula
    if op == "not":
        return outcomes(args[0], of_part).swapped()
    if op == "->":
        return outcomes(Term("or", (Term("not", (args[0],)), args[1])), of_part)
    if op == "<->":
        both, neither = Term("and", args), Term("and", tuple(Term("not", (a,)) for a in args))
        return outcomes(Term("or", (both, neither)), of_part)
    if op in ("and", "or"):
        parts = [outcomes(a, of_part) for a in args]
        return _either(parts) if op == "or" else _either([p.swapped() for p in parts]).swapped()
    return of_part(formula)


def _either(parts: Sequence[Outcomes]) -> Outcomes:
    """Those of a disjunction: a part is read where those before it came out false, which is no matter of some.

    Where a part always has an outcome, what follows it may be read there as well: p or (not p and q) is p or q.
    """
    true = list[Term]()
    for part in reversed(parts):
        if true and part.false != negated(part.true):
            true = [] if part.false == FALSE else [conj((part.false, disj(true)))]
        true.insert(0, part.true)
    false = [p.false for p in parts]
    return Outcomes(TRUE if TRUE in true else disj(true), FALSE if FALSE in false else conj(false))


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
    if formula.op not in ("or", "not", "->", "<->") or not nonzero_divisors([formula]):
        return formula

    def everywhere(part: Term) -> Outcomes:
        divisors, part = [_divided_by_others(d) for d in nonzero_divisors([part])], _divided_by_others(part)
        return Outcomes(conj([*divisors, part]), conj([*divisors, negated(part)]))

    return outcomes(formula, everywhere).true


def _divided_by_others(term: Term) -> Term:
    """The same with 1 for each divisor that is 0."""
    if term.op in LEAVES:
        return term
    args = tuple([_divided_by_others(a) for a in term.args])
    if term.op in ("//", "%") and not (args[1].op == "int" and args[1].args[0]):
        zero = Term("-", (num(1), Term("min", (num(1), Term("abs", (args[1],))))))  # 1 where it is 0, else 0
        args = (args[0], Term("+", (args[1], zero)))
    return Term(term.op, args)
