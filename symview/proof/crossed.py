"""Quotients by different divisors are compared by multiplying: what is known of one, by the divisors of the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement

from symview.logic.polynomial import ONE, UNIT, Poly, minus, times
from symview.proof.known_facts import Closed, Facts, Item, total


def crossed(facts: Facts, divisors: Mapping[str, Poly]) -> Closed | None:
    """A sum of products of facts that cannot be; `divisors` are those of the quotients by their names.

    Where q and r are x*m/p and x/d, rounded, what is known of q is multiplied by d, of r by p, of q - r by both. Then
    two of the facts as they were are multiplied wherever that breaks what is known of the products by now.
    """
    before = [*facts.facts]
    if (closed := facts.add(_multiplied(facts, divisors))) is not None:
        return closed
    left = _products(facts, before)
    while (closed := facts.conflict()) is None:
        broken = [p for p in left if not facts.holds(p.known)]
        if not broken:
            return None
        if (closed := facts.add(broken)) is not None:
            return closed
        left = [p for p in left if p not in broken]
    return closed


def _multiplied(facts: Facts, divisors: Mapping[str, Poly]) -> Iterator[Item]:
    """Facts about quotients by products of divisors that are above 0."""
    plain = {name: facts.plain(d) for name, d in divisors.items()}
    each = list({frozenset(d.items()): d for d in plain.values()}.values())
    for fact in [*facts.facts]:
        terms = fact.known[0]
        if any(name in m for m in terms for name in plain):
            own = [d for name, d in plain.items() if times({(name,): 1}, d).keys() <= terms.keys()]
            found = fact
            for d in each:
                if d not in own and (above := _above_0(facts, d)) is not None:
                    yield (found := total([(UNIT, [found, above])]))


def _above_0(facts: Facts, p: Poly) -> Item | None:
    """The fact that p >= 0, where it is known that p >= 1."""
    fact = facts.sign(p)
    if fact is None or fact.known[1] or any(rest := minus(p, fact.known[0])):
        return None
    return total([(UNIT, [fact]), (rest, [])])


def _products(facts: Facts, of: Sequence[Item]) -> list[Item]:
    """Products of two facts, of products of names that are known of, but for one that another of these has too."""
    known = {ONE, *(m for fact in facts.facts for m in fact.known[0])}
    found = [total([(UNIT, [*pair])]) for pair in combinations_with_replacement(of, 2)]
    new = [[m for m in one.known[0] if m not in known] for one in found]
    often = Counter(ms[0] for ms in new if len(ms) == 1)
    return [one for one, ms in zip(found, new, strict=True) if not ms or (len(ms) == 1 and often[ms[0]] > 1)]
