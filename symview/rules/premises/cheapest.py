"""The cheapest formula that is true at some points and false at others, put together from given ones.

A set of points is an integer, one bit for each point; a formula is known by the set of those at which it is true.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from symview.logic.budget import DEFAULT, Budget
from symview.logic.terms import Term, conj, disj

_MAX_PAIRED, _MAX_PARTNERS = 120, 3_000  # of the formulas that are joined in pairs one is among the cheapest
_MAX_PAIRS = 2_500  # pairs that are looked at: the cheapest, and as many of those that are true most often
DEAREST = 24.0  # what nobody would read
_MAX_GROUPS = 4  # alternatives of a disjunction, parts of a conjunction
_MAX_STEPS = 30_000  # how long one search may be
_RAREST_POINTS = 60  # points of which the one that the fewest groups have is settled first
_SIGN, _PARENTHESES = 0.5, 1.0  # what a further `and` or `or` costs a reader, and what a nested one costs


class Part(NamedTuple):
    """A formula, what it costs to read, and where it is true."""

    cost: float
    term: Term
    where: int


def cheapest(
    parts: Iterable[Part], wanted: int, everywhere: int, budget: Budget = DEFAULT, most: float = DEAREST
) -> Part | None:
    """The cheapest of the parts, of their disjunctions and of their conjunctions that is true just where wanted.

    A disjunction has up to four alternatives, each a part or two joined by `and`; a conjunction likewise. What costs
    `most` or more is not looked for.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> texts = {"a == 1": 0b1100, "b == 1": 0b1010, "a <= b": 0b0111}
    >>> found = cheapest([Part(1, parse_statement(t), w) for t, w in texts.items()], 0b0110, 0b1111)
    >>> term_text(found.term)
    'a <= b and (a == 1 or b == 1)'
    """
    known = _distinct(parts)
    exact = next((p for p in known if p.where == wanted), None)
    if exact is not None:
        return exact if exact.cost < most else None
    either = _covering(known, wanted, most, budget)
    denied = [p._replace(where=everywhere & ~p.where) for p in known]
    both = _covering(denied, everywhere & ~wanted, most if either is None else either[0], budget)
    if both is not None:
        return Part(both[0], _joined("and", [_joined("or", g) for g in both[1]]), wanted)
    return None if either is None else Part(either[0], _joined("or", [_joined("and", g) for g in either[1]]), wanted)


class _Group(NamedTuple):
    """One part or two, and where they are all true."""

    cost: float
    terms: tuple[Term, ...]
    where: int


def _covering(
    parts: Sequence[Part], wanted: int, most: float, budget: Budget
) -> tuple[float, list[tuple[Term, ...]]] | None:
    """The cheapest cover of the wanted points by groups of parts, if it is cheaper than `most`."""
    groups = _groups(parts, wanted, most)
    budget.spend(_MAX_PAIRED * min(len(parts), _MAX_PARTNERS) // 3)
    rare = _rarest(groups, wanted)
    best: list[_Group] = []
    left = 0

    def extend(chosen: list[_Group], cost: float, missing: int, more: int) -> None:
        nonlocal best, most, left
        for group in next((there for point, there in rare if point & missing), groups):
            rest = missing & ~group.where
            whole, left = cost + group.cost, left - 1
            if whole >= most or left < 0:
                return
            if not rest:
                best, most = [*chosen, group], whole
            elif more and rest != missing:
                extend([*chosen, group], whole + _SIGN, rest, more - 1)

    for count in range(_MAX_GROUPS):  # few groups first, each time with a search of its own
        left = _MAX_STEPS
        extend([], 0.0, wanted, count)
        budget.spend(_MAX_STEPS - left)
    best.sort(key=lambda g: (len(g.terms), groups.index(g)))
    return (most, [g.terms for g in best]) if best else None


def _rarest(groups: Sequence[_Group], wanted: int) -> list[tuple[int, list[_Group]]]:
    """A sample of the wanted points with the groups that cover them, those with the fewest first."""
    points = [1 << n for n in range(wanted.bit_length()) if wanted >> n & 1]
    some = points[:: len(points) // _RAREST_POINTS + 1]
    return sorted(((p, [g for g in groups if g.where & p]) for p in some), key=lambda found: len(found[1]))


def _groups(parts: Sequence[Part], wanted: int, most: float) -> list[_Group]:
    """Parts and pairs that are true at wanted points only, cheapest first, without those that a cheaper one covers."""
    outside = ~wanted
    alone = [_Group(p.cost, (p.term,), p.where) for p in parts if p.where and not p.where & outside]
    found = {g.where: g for g in alone}
    useful = [p for p in parts if p.where & wanted and p.where & outside]
    for n, p in enumerate(useful[:_MAX_PAIRED]):
        for q in useful[n + 1 : _MAX_PARTNERS]:
            both = p.where & q.where
            if both & outside:
                continue
            cost, known = p.cost + q.cost + _PARENTHESES, found.get(both)
            if cost >= most:
                break
            if known is None or cost < known.cost:
                found[both] = _Group(cost, (p.term, q.term), both)
    pairs = sorted((g for where, g in found.items() if where and len(g.terms) == 2), key=lambda g: g.cost)
    large = sorted(pairs[_MAX_PAIRS:], key=lambda g: -g.where.bit_count())[:_MAX_PAIRS]
    kept: list[_Group] = []
    for group in sorted([*alone, *pairs[:_MAX_PAIRS], *large], key=lambda g: g.cost):
        if not any(group.where & k.where == group.where for k in kept):
            kept.append(group)
    return kept


def _joined(op: str, formulas: Sequence[Term]) -> Term:
    parts = [p for f in formulas for p in (f.args if f.op == op else (f,))]
    return conj(parts) if op == "and" else disj(parts)


def _distinct(parts: Iterable[Part]) -> list[Part]:
    """The cheapest part for each set of points, cheapest first."""
    found: dict[int, Part] = {}
    for part in sorted(parts, key=lambda p: p.cost):
        found.setdefault(part.where, part)
    return list(found.values())
