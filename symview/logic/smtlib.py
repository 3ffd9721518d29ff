"""Terms and formulas as SMT-LIB: the text that other solvers read."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from symview.logic.arithmetic import in_arithmetic, told
from symview.logic.operators import OPERATORS
from symview.logic.terms import Term, names, nonzero_divisors

_RESERVED = frozenset((
    "_", "abs", "and", "as", "assert", "distinct", "div", "exists", "false", "forall", "is", "ite", "let",
    "match", "mod", "not", "or", "par", "select", "store", "true", "xor",
))  # fmt: skip


def to_smt2_term(term: Term) -> str:
    """The term in SMT-LIB syntax; division is floor division, at divisors other than 0."""
    op, args = term
    if op == "int":
        return str(args[0]) if args[0] >= 0 else f"(- {-args[0]})"
    if op == "bool":
        return "true" if args[0] else "false"
    if op == "sym":
        return smt2_name(args[0])
    if op in ("min", "max"):
        keep = "<=" if op == "min" else ">="
        return functools.reduce(lambda a, b: f"(ite ({keep} {a} {b}) {a} {b})", map(to_smt2_term, args))
    if op in ("//", "%"):
        return _smt2_division(op, *map(to_smt2_term, args))
    if op in ("gcd", "floor_sum") and told(term) == term:
        return f"({op} {' '.join(map(to_smt2_term, args))})"  # functions that a script has to declare
    if not OPERATORS[op].smt2:
        return to_smt2_term(in_arithmetic(term))
    inner = " ".join(map(to_smt2_term, args))
    return f"({OPERATORS[op].smt2} {inner})"


def _smt2_division(op: str, a: str, b: str) -> str:
    """SMT-LIB rounds so that the remainder is not negative, which is down for a positive divisor alone."""
    floor = f"(div {a} {b})" if b.isdigit() else f"(ite (> {b} 0) (div {a} {b}) (div (- {a}) (- {b})))"
    return floor if op == "//" else f"(- {a} (* {b} {floor}))"


def smt2_name(name: str) -> str:
    """A quoted SMT-LIB symbol unless the name is plain ASCII; words of the language get a mark."""
    if name in _RESERVED:
        return f"{name}!"
    plain = name.isascii() and name.replace("_", "a").isalnum() and not name[0].isdigit()
    return name if plain else f"|{name.replace('|', '!').replace(chr(92), '!')}|"


def to_smt2(formulas: Iterable[Term], comment: str = "") -> str:
    """An SMT-LIB 2.6 script that asserts the formulas and asks for satisfiability."""
    formulas = tuple(formulas)
    formulas = (*nonzero_divisors(formulas), *formulas)
    lines = [f"; {line}" for line in comment.splitlines()]
    lines.append("(set-logic ALL)")
    lines += [f"(declare-const {smt2_name(n)} Int)" for n in names(*formulas)]
    lines += [f"(assert {to_smt2_term(f)})" for f in formulas]
    return "\n".join([*lines, "(check-sat)", ""])
