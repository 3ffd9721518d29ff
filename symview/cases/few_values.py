"""Names to which facts leave few values: by bounds, by what they divide, by values that are excluded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from symview.logic.points import bounds_of
from symview.logic.terms import Term, conjuncts, names, num, value_of, walk

_MOST = 12  # values of a name


def few_values(among: Iterable[str], facts: Sequence[Term]) -> tuple[str, list[int]] | None:
    """The name with the fewest values that the facts leave it one by one, and these; None where all have many.

    >>> from symview.logic.notation import parse_statement
    >>> few_values(["n", "T"], [parse_statement(f) for f in ("T >= 1", "6 % T == 0", "T != 2", "n >= 0", "n < 5")])
    ('T', [1, 3, 6])
    """
    found = [(n, v) for n in sorted(among) if (v := _values(n, facts)) is not None]
    return min(found, key=lambda nv: len(nv[1]), default=None)


def _values(name: str, facts: Sequence[Term]) -> list[int] | None:
    about = [part for f in facts for part in conjuncts(f) if names(part) == (name,)]
    ((low, high),) = bounds_of(about, [name])
    if low is None:
        return None
    if low > 0:
        tops = [f.args[0].args[0] for f in about if f.op == "==" and f.args[0].op == "%" and f.args[1] == num(0)]
        found = [abs(t.args[0]) for t in tops if t.op == "int" and t.args[0]]
        high = min([*found, *([] if high is None else [high])], default=None)
    high = min((h for f in about if (h := _highest(f, name)) is not None), default=None) if high is None else high
    if high is None or high - low >= 8 * _MOST:
        return None
    left = [v for v in range(low, high + 1) if all(_holds(f, name, v) for f in about)]
    return left if 0 < len(left) <= _MOST else None


def _highest(fact: Term, name: str) -> int | None:
    """The greatest value at which a sum of products, none negative, is at most a number; None for other facts."""
    if fact.op not in ("<", "<="):
        return None
    fact = Term(fact.op, (fact.args[0], _at_most(fact.args[1])))
    if names(fact.args[1]) or not _rises(fact.args[0]):
        return None
    return next((v - 1 for v in range(8 * _MOST) if not _holds(fact, name, v)), None)


def _rises(term: Term) -> bool:
    """Whether it is a sum of products, none negative."""
    return all(n.op in ("+", "*", "sym") or (n.op == "int" and n.args[0] >= 0) for n in walk(term))


def _at_most(term: Term) -> Term:
    """What a sum of multiples is at most: remainders of numbers by names are no more than these."""
    if term.op == "%" and term.args[0].op == "int" and term.args[0].args[0] >= 0:
        return num(term.args[0].args[0])
    factors = [a for a in term.args if a.op != "int"] if term.op == "*" else []
    positive = all(a.op != "int" or a.args[0] >= 0 for a in term.args) if term.op == "*" else term.op == "+"
    return Term(term.op, tuple(map(_at_most, term.args))) if positive and len(factors) < 2 else term


def _holds(fact: Term, name: str, value: int) -> bool:
    try:
        return bool(value_of(fact, {name: value}))
    except ZeroDivisionError:
        return False
