"""Shifts and bits as products, quotients and remainders, about which refutations know more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from symview.trusted.formulas import Tree, walk


class Fact(NamedTuple):
    """A formula that holds for all integers; the lemma of `library/Solve.v` that proves it, and its arguments."""

    says: Tree
    lemma: str
    about: tuple[Tree, ...]


class Arithmetic(NamedTuple):
    """Formulas with fewer shifts and bits, the replacements, inner parts first, and facts."""

    formulas: list[Tree]
    replaced: list[tuple[Tree, Tree]]
    facts: list[Fact]


def arithmetic(formulas: Sequence[Tree]) -> Arithmetic | None:
    """The formulas with products, quotients and remainders for shifts and bits; None if nothing changes.

    >>> arithmetic([("==", ("&", "x", -8), ("<<", "y", "k")), (">=", "k", 0)]).formulas[0]
    ('==', ('-', 'x', ('%', 'x', 8)), ('*', 'y', ('**', 2, 'k')))
    """
    changes = dict[Tree, Tree]()
    found = [_plain(f, frozenset(formulas), changes) for f in formulas]
    parts = dict.fromkeys(t for f in found for t in walk(f) if type(t) is tuple)
    facts = [fact for t in parts for fact in _facts(t, frozenset(formulas))]
    return Arithmetic(found, [*changes.items()], facts) if changes or facts else None


def _plain(t: Tree, known: frozenset[Tree], changes: dict[Tree, Tree]) -> Tree:
    if type(t) is not tuple:
        return t
    before: Tree = (t[0], *[_plain(part, known, changes) for part in t[1:]])
    after = _rewritten(known, *before)
    if after == before:
        return before
    changes[before] = after
    return _plain(after, known, changes)


def _rewritten(known: frozenset[Tree], op: str, *parts: Tree) -> Tree:
    """An equal expression with fewer shifts and bits."""
    if op in ("<<", ">>") and _at_least_0(parts[1], known):
        return ("*" if op == "<<" else "//", parts[0], ("**", 2, parts[1]))
    if op not in ("&", "|", "^"):
        return (op, *parts)
    a, b = parts
    if op != "&":
        shared = ("&", a, b) if op == "|" else ("*", 2, ("&", a, b))
        return ("-", ("+", a, b), shared)
    if a == b:
        return a
    first, last = sorted(parts, key=lambda t: (type(t) is int or _mask(t, known) is not None, str(t)))
    if first != a:
        return ("&", first, last)
    if (power := _mask(b, known)) is not None:
        return ("%", a, power)
    if type(b) is int and b < 0 and -b & (-b - 1) == 0:
        return ("-", a, ("%", a, -b))
    return ("&", a, b)


def _mask(t: Tree, known: frozenset[Tree]) -> Tree | None:
    """The power of two that is t + 1, if t is a mask of the lowest bits."""
    if type(t) is int:
        return t + 1 if t > 0 and t & (t + 1) == 0 else None
    power = t[1] if type(t) is tuple and t[0] == "-" and t[2] == 1 else None
    is_power = type(power) is tuple and power[:2] == ("**", 2) and _at_least_0(power[2], known)
    return power if is_power else None


def _at_least_0(t: Tree, known: frozenset[Tree]) -> bool:
    """Whether a term that is no number is known to be at least 0."""
    return type(t) is not int and not known.isdisjoint([(">=", t, 0), ("<=", 0, t)])


def _facts(t: Tree, known: frozenset[Tree]) -> list[Fact]:
    """Facts: a power of two is positive, and x & y is at most x, and at most y."""
    if t[:2] == ("**", 2) and _at_least_0(t[2], known):
        return [Fact(("->", ("<=", 0, t[2]), (">=", t, 1)), "sv_power", t[2:])]
    if t[0] == "&":
        at_most = [("->", ("<=", 0, x), ("and", ("<=", 0, t), ("<=", t, x))) for x in t[1:]]
        return [Fact(says, lemma, t[1:]) for says, lemma in zip(at_most, ("sv_land_le", "sv_land_le'"), strict=True)]
    return []
